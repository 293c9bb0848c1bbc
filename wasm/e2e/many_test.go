//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A thousand runs are listed, read, and answered for all at once.
func TestThousandRuns(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	const runs, tags, steps = 1000, 10, 5
	for r := range runs {
		series := map[string][]point{}
		for k := range tags {
			series[fmt.Sprintf("group%d/tag%d", k%3, k)] = curve(r+k, 0, steps)
		}
		l.run(fmt.Sprintf("sweep/run_%04d", r), series)
	}
	s := serve(t, l.dir)
	v := open(t, browsertest.Chromium, s.URL)
	if st := v.status(); st.Runs != runs || st.Files != runs || st.Points != runs*tags*steps || len(st.Lost) != 0 {
		t.Errorf("status %+v", st)
	}
	if n := len(v.names()); n != runs {
		t.Errorf("%d runs", n)
	}
	equal(t, v.all(), l.want)
	// Files do not wait for each other: few requests bring them all. How often the page
	// looks for new ones meanwhile hangs on the machine.
	n := 0
	for _, p := range s.paths() {
		if p == "/data/batch" || strings.HasPrefix(p, "/data/files/") {
			n++
		}
	}
	if n == 0 || n > 60 {
		t.Errorf("%d requests for %d small files", n, runs)
	}
	// The page lists them all; the list holds the rows that are on screen.
	v.Wait(`/ of 1,?000 runs shown/.test(document.querySelector(".run-head").innerText)`)
	v.Wait(`document.querySelectorAll(".run").length > 10`)
	v.Wait(`[...tbPaint.charts].filter((c) => c.near).length > 0 && [...tbPaint.charts].filter((c) => c.near).every((c) => c.list.length > 0)`)
}
