package explore_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
)

// Layers of Keras have as many parameters as Keras' own count_params() says (testdata/make_weights.py), and
// models the sum of theirs.
func TestKerasWeights(t *testing.T) {
	b, err := os.ReadFile("../testdata/keras_weights_counts.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]float64
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	for file, layers := range all {
		e := open(t, graphtest.File(t, file))
		sum := 0.0
		for id, want := range layers {
			var card struct{ Node struct{ Parameters float64 } }
			ask(t, e, map[string]any{"ask": "node", "id": id}, &card)
			if card.Node.Parameters != want {
				t.Errorf("%s: %s has %v parameters, Keras says %v", file, id, card.Node.Parameters, want)
			}
			sum += want
		}
		var s struct {
			Parameters      float64
			ParametersKnown bool
		}
		ask(t, e, map[string]any{"ask": "stats"}, &s)
		if s.Parameters != sum || !s.ParametersKnown || len(layers) < 2 {
			t.Errorf("%s: %+v, Keras says %v in %d layers", file, s, sum, len(layers))
		}
	}
}
