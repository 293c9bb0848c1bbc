//go:build !js

package e2e

import (
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// What the server is told to ask of the page is done: the window's title, and how often
// to look, unless the user has set that.
func TestPageIsAsked(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	v := open(t, browsertest.Chromium, browsertest.Serve(t, "--logdir", l.dir, "--window_title", "My <b>runs</b>", "--reload_interval", "1").URL)
	v.Wait(`document.title === "My <b>runs</b>"`)
	l.add(path, more("x", 1, 3, 2))
	v.Wait(`tensorbored.status().points === 5`)
	if s := v.status(); s.Phase == "" {
		t.Error("no status")
	}
	// A page that is seen again after a minute looks at once, if it is to look at all.
	for interval, looks := range map[string]bool{"1": true, "0": false} {
		v := start(t, browsertest.Chromium)
		v.Before(`{
			const get = fetch, now = performance.now.bind(performance);
			globalThis.tbFetches = globalThis.tbLater = 0;
			globalThis.fetch = (...all) => { tbFetches++; return get(...all); };
			performance.now = () => now() + tbLater;
		}`)
		v.Open(browsertest.Serve(t, "--logdir", l.dir, "--reload_interval", interval).URL)
		v.Wait(`window.tensorbored?.status().phase === "exact"`)
		v.Wait(`tensorbored.status().reload ` + map[bool]string{true: "=== 1000", false: "< 0"}[looks])
		v.Wait(`document.title.includes("tensorbored")`)
		var looked bool
		v.Eval(`(async () => {
			tbLater = 60_000;
			const before = tbFetches;
			document.dispatchEvent(new Event("visibilitychange"));
			await fetch(location.href); // what was asked before it is on its way
			return tbFetches > before + 1;
		})()`, &looked)
		if looked != looks {
			t.Errorf("with a reload interval of %s the page looks: %v", interval, looked)
		}
	}
}

// --samples_per_plugin sets how many points of a series are kept; a zoom shows all of
// them all the same, and the user sees that the curve is not of every point.
func TestSamplesAreHeeded(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"long": curve(1, 0, 20_000), "short": curve(1, 0, 100)})
	v := open(t, browsertest.Chromium, browsertest.Serve(t, "--logdir", l.dir, "--samples_per_plugin", "scalars=500,images=3").URL)
	var kept struct{ Long, Short, Points int }
	v.Wait(`tensorbored.tags("scalars").then(t => t.r.long.kept < 20000)`)
	v.Eval(`tensorbored.tags("scalars").then(t => ({long: t.r.long.kept, short: t.r.short.kept, points: t.r.long.points}))`, &kept)
	// About as many: of those that came last, in a window of their own, all are kept.
	if kept.Long > 500+20_000%series.ChunkPoints || kept.Long < 100 || kept.Short != 100 || kept.Points != 20_000 {
		t.Errorf("kept %+v", kept)
	}
	v.Wait(`document.body.textContent.includes("of 20,000 points kept")`)
	// Opened again without it, what the cache holds of fewer points is not used.
	v = open(t, browsertest.Chromium, browsertest.Serve(t, "--logdir", l.dir).URL)
	v.Eval(`tensorbored.tags("scalars").then(t => ({long: t.r.long.kept, short: t.r.short.kept, points: t.r.long.points}))`, &kept)
	if kept.Long != 20_000 {
		t.Errorf("kept %+v", kept)
	}
}

// Only who has the printed link sees the logs: with it the page opens, the address does
// not show the token any longer, and the browser may come back without it.
func TestTokenLink(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	s := browsertest.Serve(t, "--logdir", l.dir, "--token", "random")
	bare, _, ok := strings.Cut(s.URL, "?token=")
	if !ok {
		t.Fatalf("no token in %s", s.URL)
	}
	v := start(t, browsertest.Chromium)
	v.Allow("401")
	v.Open(bare)
	v.Wait(`document.body.innerText.includes("open the link with ?token= that it printed")`)
	v.Open(s.URL)
	v.Wait(`window.tensorbored`)
	v.Eval(`tensorbored.ready`, nil)
	var at string
	if v.Eval(`location.href`, &at); strings.Contains(at, "token") {
		t.Errorf("the token stays in the address: %s", at)
	}
	if st := v.status(); st.Points != 3 {
		t.Errorf("status %+v", st)
	}
	v.Open(bare)
	v.Wait(`window.tensorbored`)
	v.Eval(`tensorbored.ready`, nil)
	if st := v.status(); st.Points != 3 {
		t.Errorf("come back: status %+v", st)
	}
	// The version stands in the help.
	v.Eval(`document.activeElement.blur()`, nil)
	v.Press("?")
	v.Control("dialog", "Keys").Wait()
	v.Wait(`/tensorbored-static \S/.test(document.querySelector("dialog[open]").innerText) && document.querySelector("dialog[open]").innerText.includes("Copy for a bug report")`)
}
