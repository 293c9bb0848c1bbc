package main

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// The document has for each tensor what TensorBoard's projector plug-in answers: shape, and the bytes of the
// tensor and of its metadata (shared/projector/testdata/peer.py asked it).
func TestDumpTensors(t *testing.T) {
	type line struct {
		Shape     []int64 `json:"tensorShape"`
		Tensor    string  `json:"tensor"`
		Metadata  string  `json:"metadata"`
		Bookmarks string  `json:"bookmarks"`
	}
	var want map[string]map[string]line
	b, err := os.ReadFile("../../shared/projector/testdata/peer.json")
	if err == nil {
		err = json.Unmarshal(b, &want)
	}
	if err != nil || len(want) != 2 {
		t.Fatal(err, want)
	}
	_, stdout, stderr := call("dump", "../../shared/projector/testdata/peer")
	var got struct{ Projector map[string]map[string]line }
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err, stderr)
	}
	for run, tensors := range want {
		if len(got.Projector[run]) != len(tensors) {
			t.Errorf("%s: %d tensors, not %d", run, len(got.Projector[run]), len(tensors))
		}
		for name, w := range tensors {
			g := got.Projector[run][name]
			if (name == "words:00010") != (g.Bookmarks != "") {
				t.Errorf("%s, %s: bookmarks %q", run, name, g.Bookmarks)
			}
			g.Bookmarks = ""
			if !reflect.DeepEqual(g, w) {
				t.Errorf("%s, %s: %+v, not %+v", run, name, g, w)
			}
		}
	}
}
