//go:build !js

package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/looks"
)

// there reports that a dashboard has come.
const there = `document.querySelector("main article, main [role=row], .gr-node, .pj-pane[data-points]") && !document.querySelector("main .loading, main [aria-busy=true]")`

// Files that are written anew while a dashboard is open, with as many values as before or with fewer,
// are shown there as by a page that is opened after that: the same words, the same picture.
func TestPageFilesAnew(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]int{"as many": 1, "fewer": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			take := 0
			write := func() {
				t.Helper()
				from := t.TempDir()
				err := looks.Take(from, 4, take)
				if err == nil {
					err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
						if err != nil || d.IsDir() {
							return err
						}
						to := filepath.Join(dir, strings.TrimPrefix(path, from))
						return errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Rename(path, to))
					})
				}
				if err != nil {
					t.Fatal(err)
				}
				take = second - take
			}
			write()
			open, later := come(t, browsertest.Chromium, dir), come(t, browsertest.Chromium, dir)
			later.url = open.url
			open.fresh("")
			for _, b := range boards.All() {
				id := "#" + b.About().ID
				open.Eval(fmt.Sprintf(`void (location.hash = %q)`, id), nil)
				open.Wait(there)
				write()
				open.looks()
				later.fresh(id)
				later.Wait(there)
				open.Until(func() string {
					var is, want string
					main := open.Control("main", "*")
					main.Get(`e.innerText`, &is)
					later.Control("main", "*").Get(`e.innerText`, &want)
					if is != want {
						return fmt.Sprintf("%s says\n%s\nand opened anew\n%s", b.About().Title, is, want)
					}
					part := main.Box()
					if n := unlike(open.PictureOf(part), later.PictureOf(part)); n > 0 {
						return fmt.Sprintf("%s: %d parts of pixels are others when it is opened anew", b.About().Title, n)
					}
					return ""
				})
			}
		})
	}
}

// unlike counts parts of pixels of two pictures of a size that are not alike to the eye: edges that are
// painted a second time differ by a hair, and a mesh stays as far away as it was.
func unlike(a, b browsertest.Picture) (n int) {
	for i := range a.Pix {
		if d := int(a.Pix[i]) - int(b.Pix[i]); d > 80 || d < -80 {
			n++
		}
	}
	return n
}
