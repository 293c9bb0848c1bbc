package boards

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every dashboard has a folder, a model, a view, and a line in the list.
func TestAll(t *testing.T) {
	folders := map[string]bool{}
	list, err := os.ReadDir("../board")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.IsDir() {
			folders[e.Name()] = true
		}
	}
	ids := map[string]bool{}
	for _, b := range All() {
		info := b.Info()
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
		folder := filepath.Base(reflect.TypeOf(b).PkgPath())
		for _, f := range []string{"model.go", "view_js.go"} {
			if _, err := os.Stat(filepath.Join("../board", folder, f)); err != nil {
				t.Errorf("%T: %v", b, err)
			}
		}
		delete(folders, folder)
	}
	for f := range folders {
		t.Errorf("wasm/board/%s has no line in All", f)
	}
}
