//go:build !js

package e2e

import (
	"os"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Points of files that are deleted while the page is open stay, and the page says so, until
// the user drops them: then it shows what a page that is opened now shows.
func TestPageFilesGone(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("stays", map[string][]point{"loss": curve(0, 0, 20)})
	path := l.run("goes", map[string][]point{"loss": curve(1, 0, 30)})
	s := look(t, browsertest.Chromium, l.dir)
	s.list("+goes", "+stays")
	line := s.Control("contentinfo", "*")
	line.Is(`/2 files .* 50 points/.test(tbUser.text(e))`)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s.every("1")
	gone := s.Control("button", "1 file is gone, its points are still shown: drop")
	gone.Wait()
	line.Is(`/1 file .* 50 points/.test(tbUser.text(e))`)
	s.list("+goes", "+stays")
	gone.Click()
	s.list("+stays")
	line.Is(`/1 file .* 20 points/.test(tbUser.text(e))`)
	gone.Gone()
}
