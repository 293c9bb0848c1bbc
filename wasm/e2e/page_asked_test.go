//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// What the server is told to ask of the page is done: the window's title, and how often
// to look, unless the user has set that.
func TestPageIsAsked(t *testing.T) {
	l := newLogs(t)
	path := l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	v := open(t, browsertest.Chromium, browsertest.Serve(t, "--logdir", l.dir, "--window_title", "My <b>runs</b>", "--reload_interval", "1").URL)
	v.Wait(`document.title === "My <b>runs</b>"`)
	l.add(path, more("x", 1, 3, 2))
	v.Wait(`tensorbored.status().points === 5`)
	if s := v.status(); s.Phase == "" {
		t.Error("no status")
	}
	v = open(t, browsertest.Chromium, browsertest.Serve(t, "--logdir", l.dir, "--reload_interval", "0").URL)
	v.Wait(`tensorbored.status().reload < 0`)
	v.Wait(`document.title.includes("tensorbored")`)
}
