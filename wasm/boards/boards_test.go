package boards

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Every dashboard is complete, reads what some kind of data is made of, and its id is its
// own.
func TestAll(t *testing.T) {
	known := map[string]bool{}
	for _, p := range kinds.Plugins() {
		known[p] = true
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
				used[strings.ReplaceAll(k.Name(), "_", "")] = true
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

// Every setting of the view that anybody declares is part of profiles: it goes through the
// document and back, and its change is seen.
func TestSettingsAreInProfiles(t *testing.T) {
	var others []json.RawMessage
	for _, v := range []string{`true`, `false`, `0.5`, `2`, `50`, `"other"`, `{"a":true}`, `{"a":"#123456"}`, `{"a":{"y":"log10"}}`, `{"a":2}`, `{"a":0.5}`, `{"a":100}`, `{"a":"b"}`, `{"a":"none"}`, `{"40":"b"}`, `{"a":["b"]}`, `{"a":{"lo":1}}`, `{"a":{"lo":0,"hi":1}}`,
		`["scalars?tag=a"]`, `[{"id":"i","title":"t","tags":["a","b"],"runId":null}]`, `{"key":"REGEX","regexString":"(a)"}`, `{"categories":[{"title":"c","charts":[{"title":"t","lines":["a"],"from":"c\nt"}]}],"gone":["c\nu"]}`} {
		others = append(others, json.RawMessage(v))
	}
	schema := Schema()
	for _, d := range schema {
		if d.Scope() != session.View || d == session.Profile.Decl {
			continue
		}
		var set, none session.State
		for _, raw := range append(session.Options(d), others...) {
			if session.SetValue(d, &set, raw); !d.Same(&set, &none) {
				break
			}
		}
		if d.Same(&set, &none) {
			t.Errorf("%s: this test knows no other value of it", d.Name())
			continue
		}
		p := profiles.Derive(schema, profile.New("n"), &set)
		text, err := profile.Encode(p)
		if err != nil {
			t.Errorf("%s: %v", d.Name(), err)
			continue
		}
		p, problems, err := profile.Decode(text)
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v %v", d.Name(), problems, err)
			continue
		}
		if got := profiles.Apply(schema, p, &none, nil); !d.Same(&got, &set) {
			t.Errorf("%s is another one after it was saved and loaded: %s", d.Name(), text)
		}
		if len(profiles.Changes(schema, profiles.Derive(schema, profile.New("n"), &none), &set)) == 0 && d != session.Board.Decl {
			t.Errorf("nobody notices a change of %s", d.Name())
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
