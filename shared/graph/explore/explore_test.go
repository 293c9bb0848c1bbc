package explore_test

import (
	"encoding/json"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/explore"
)

type nodeAnswer struct {
	ID, Name, Kind, Op, Device, Shape, Call, Extracted, Fingerprint, EmbeddedIn string
	Ops, Embedded, Children, All, Repeated                                      int
	Open, Recursive                                                             bool
	Parameters, Time, Memory                                                    float64
	In, Out                                                                     []struct{ ID, Name, Kind, Op string }
	InMore, OutMore                                                             int
	Marks                                                                       *struct{ Added, Removed, Changed, Same int }
}

type sceneAnswer struct {
	Scopes []struct {
		ID    string
		Depth int
		Nodes []nodeAnswer
		Edges []struct {
			From, To                            string
			Count, Control, Ref, Added, Removed int
			Size                                float64
			Shapes                              []string
			Back                                bool
		}
		In, Out []struct {
			Node, Other    string
			Count, Control int
			Shapes         []string
		}
		Extracted []string
		Hidden    int
	}
	Nodes, Edges int
	Left         []string
}

// ask asks a question that has an answer.
func ask(t testing.TB, e *explore.Explorer, q map[string]any, answer any) {
	t.Helper()
	b, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	a := e.Ask(b)
	var fault struct {
		Error *struct{ Code, Message string }
	}
	if err := json.Unmarshal(a, &fault); err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	if fault.Error != nil {
		t.Fatalf("%s: %s %s", b, fault.Error.Code, fault.Error.Message)
	}
	if err := json.Unmarshal(a, answer); err != nil {
		t.Fatalf("%s: %v", a, err)
	}
}
