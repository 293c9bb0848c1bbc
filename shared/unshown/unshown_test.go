package unshown

import (
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// What is not shown is counted by its plug-in, in words that say one and many.
func TestText(t *testing.T) {
	for want, list := range map[string][]Item{
		"":                            {{Plugin: "", Values: 3}, {Plugin: Graphs}},
		"1 graph":                     {{Plugin: Graphs, Values: 1}},
		"10 graphs, 16 profiles":      {{Plugin: "profile", Values: 16}, {Plugin: Graphs, Values: 4}, {Plugin: Graphs, Values: 6}},
		"2 profiles of graphs":        {{Plugin: RunMetadata, Values: 2}},
		"1 value of the plug-in mine": {{Plugin: "mine", Values: 1}},
		`2 values of the plug-in "a\x1bb", 1 file of tensors, 2 other files`: {{Plugin: Other, Values: 2}, {Plugin: "a\x1bb", Values: 2}, {Plugin: Projector, Values: 1}},
		"2 files": {{Plugin: Other, Values: 2}},
	} {
		if got := Text(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if long := Text([]Item{{Plugin: strings.Repeat("x", 1e6), Values: 1}}); len(long) > 200 {
		t.Errorf("%d bytes for one plug-in", len(long))
	}
}

// Values are named by tag and run; a tag without values is none.
func TestValues(t *testing.T) {
	list := Values("profile", map[string]map[string]wire.Tag{"b": {"m": {Points: 3}}, "a": {"m": {Points: 2}, "n": {}}})
	if len(list) != 2 || list[0].Run != "a" || list[1].What() != "3 profiles" {
		t.Errorf("%+v", list)
	}
}

// What the projector reads is something of its own; what else lies there counts only where there
// is nothing to look at.
func TestFiles(t *testing.T) {
	files := []api.File{{Path: ".tensorboard/default_profile.json", Kind: api.Companion}, {Path: "emb/a.tsv", Kind: api.Companion}}
	if list := Files(files); Text(list) != "1 file" || list[0].File != "emb/a.tsv" {
		t.Errorf("%+v", list)
	}
	if list := Files(append(files, api.File{Path: "emb/tfevents", Kind: api.Event})); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	if list := Files(append(files, api.File{Path: "emb/projector_config.pbtxt", Kind: api.Companion}, api.File{Path: "m.ckpt-1", Kind: api.Companion}, api.File{Path: "m.ckpt-2.data-00000-of-00001", Kind: api.Companion})); Text(list) != "2 files of tensors" || list[0].File != "emb/projector_config.pbtxt" {
		t.Errorf("%+v", list)
	}
}
