package boards

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Every dashboard is complete, reads what some kind of data is made of, and its id is its
// own.
func TestAll(t *testing.T) {
	known := map[string]bool{}
	for _, k := range kinds.All() {
		for _, p := range k.Plugins() {
			known[p] = true
		}
	}
	ids, used := map[string]bool{}, map[string]bool{}
	for _, b := range All() {
		info := b.About()
		if info.ID == "" || info.Title == "" || len(info.Plugins) == 0 {
			t.Errorf("%T: incomplete: %+v", b, info)
		}
		if info.ID != strings.ToLower(info.ID) || strings.ContainsAny(info.ID, "&=#/ ") {
			t.Errorf("%T: id %q does not fit into a URL as it is", b, info.ID)
		}
		if ids[info.ID] {
			t.Errorf("%T: id %q is taken", b, info.ID)
		}
		ids[info.ID] = true
		for _, p := range info.Plugins {
			if !known[p] {
				t.Errorf("%s: no kind of data has the plug-in %s", info.ID, p)
			}
		}
		if grid, ok := b.(card.Board); ok {
			for _, k := range grid.Kinds {
				used[k.Name()] = true
				if e := k.Empty(); e.Nouns == "" || e.How == "" {
					t.Errorf("kind %s does not say what to do when there is none", k.Name())
				}
			}
		}
	}
	// A folder of a kind without a line here would be shown by nobody.
	list, err := os.ReadDir("../card")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if !e.IsDir() {
			continue
		}
		if !used[e.Name()] {
			t.Errorf("wasm/card/%s is a kind of no dashboard", e.Name())
		}
		if _, err := os.Stat(filepath.Join("../card", e.Name(), "model.go")); err != nil {
			t.Error(err)
		}
	}
}

// Names and keys of settings are told apart over all dashboards.
func TestSchema(t *testing.T) {
	var names []string
	for _, d := range Schema() {
		if slices.Contains(names, d.Name()) {
			t.Errorf("two settings are called %s", d.Name())
		}
		names = append(names, d.Name())
	}
}
