//go:build !js

package e2e

import (
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// held counts the values of JavaScript that the page's Go program holds.
const held = `const hold = (v) => {
		const resume = v.prototype._resume;
		v.prototype._resume = function () { globalThis.theGo = this; return resume.call(this); };
		Object.defineProperty(globalThis, "Go", {value: v, writable: true, configurable: true});
	};
	if (page) Object.defineProperty(globalThis, "Go", {configurable: true, set: hold});
	globalThis.held = () => theGo._values.length - theGo._idPool.length;
`

// A view that is closed leaves nothing: boards are opened and closed again and again, and
// what the program holds of the page stays level.
func TestViewsEnd(t *testing.T) {
	l := textLogs(t, "one", "two")
	for i := range 6 {
		l.run(fmt.Sprint("run", i), map[string][]point{"x/a": curve(i, 0, 50), "x/b": curve(i, 0, 50), "y": curve(i, 0, 9)})
	}
	l.file("pics", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range int64(3) {
			w.Image("pics", flat(8, 8, shade("a", int(i))), i)
		}
		for i := range int64(3) {
			w.Histogram("weights", []float64{1, 2, 3, float64(i)}, i)
		}
		w.PRCurve("pr", []bool{true, false}, []float64{0.7, 0.2}, 0)
		w.Audio("tone", tone(400, 0.1, "*a*"), 0)
		w.Video("film", []image.Image{flat(8, 8, shade("a", 0)), flat(8, 8, shade("b", 0))}, 4, 0)
	})
	v := open(t, browsertest.Chromium, refusing(t, l.dir, throwing+held))
	shows := map[string]string{
		"timeseries":    `document.querySelectorAll("article.card canvas").length >= 3 && tbPaint.idle()`,
		"images":        `document.querySelectorAll("article .picture canvas").length >= 2`,
		"histograms":    `document.querySelectorAll("article .histogram-layer[role=img]").length >= 1`,
		"distributions": `document.querySelectorAll("article canvas").length >= 1 && tbPaint.idle()`,
		"audio":         `document.querySelectorAll("article .clip audio").length >= 1`,
		"pr_curves":     `document.querySelector("article .pr-table td")`,
		"text":          `document.querySelectorAll("article .text-body > *").length >= 2`,
	}
	turn := func(n int) {
		for range n {
			for _, id := range []string{"text", "images", "audio", "histograms", "distributions", "pr_curves", "timeseries"} {
				v.Eval(`void (location.hash = "`+id+`")`, nil)
				v.Wait(shows[id])
			}
		}
	}
	// count is what is held for good: what is garbage is held until Go's collector has
	// run and told the browser, so the program is made to leave more of it until nothing
	// is given back any more.
	count := func() (least int) {
		v.Eval(`(async () => {
			let least = Infinity;
			for (let calm = 0; calm < 150; calm++) {
				for (let i = 0; i < 50; i++) tensorbored.tags("");
				await new Promise((done) => setTimeout(done));
				if (held() < least) { least = held(); calm = 0; }
			}
			return least;
		})()`, &least)
		return least
	}
	turn(5)
	before := count()
	turn(40)
	if after := count(); after > before+30 { // less than one for each time
		t.Errorf("the program held %d values of the page before, and %d after", before, after)
	}
	var charts int
	if v.Eval(`tbPaint.charts.size`, &charts); charts > 8 {
		t.Errorf("%d charts are there for 3 cards", charts)
	}
}

// framed serves a logdir without the policy that forbids frames, in which a second page
// can be had that shares the first one's storage.
func framed(t *testing.T, logdir string) string {
	t.Helper()
	inner := serve(t, logdir)
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := httptest.NewRecorder()
		r.Header.Del("Accept-Encoding")
		inner.ServeHTTP(got, r)
		for name, v := range got.Header() {
			if name != "Content-Length" && name != "Content-Security-Policy" {
				w.Header()[name] = v
			}
		}
		w.WriteHeader(got.Code)
		w.Write(policy.ReplaceAll(got.Body.Bytes(), nil))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// Two tabs of one browser: each keeps what the user chose in it, and hears of the other's
// preferences.
func TestTwoTabs(t *testing.T) {
	l := newLogs(t)
	for i := range 3 {
		l.run(fmt.Sprint("run", i), map[string][]point{"x": curve(i, 0, 9)})
	}
	url := framed(t, l.dir)
	v := open(t, browsertest.Chromium, url)
	v.Wait(`document.querySelectorAll(".run").length === 3`)
	// The other tab is a frame: same origin, same storage, a page of its own.
	v.Eval(`void (globalThis.frame = document.body.appendChild(Object.assign(document.createElement("iframe"), {src: "`+url+`", width: 1200, height: 800})))`, nil)
	v.Wait(`frame.contentWindow.tensorbored?.status().phase === "exact" && frame.contentDocument.querySelectorAll(".run").length === 3`)
	v.Eval(`void frame.contentDocument.querySelector(".run input[aria-label=run1]").click()`, nil)
	v.Wait(`localStorage.getItem("tensorbored-static.here")?.includes("run1")`)
	v.Wait(`!document.querySelector(".run input[aria-label=run1]").checked`) // heard of
	v.Eval(`void document.querySelector("button[aria-label^='Theme']").click()`, nil)
	v.Wait(`frame.contentDocument.documentElement.dataset.theme === "light" && document.documentElement.dataset.theme === "light"`)
	// What is looked at is each one's own.
	v.Eval(`void ((s) => { s.value = "nothing"; s.dispatchEvent(new Event("input", {bubbles: true})); })(frame.contentDocument.querySelector("input[placeholder^='Filter tags']"))`, nil)
	v.Wait(`frame.contentDocument.querySelector("main").innerText.includes("No tag matches")`)
	v.Wait(`document.querySelector("article.card")`)
	v.Wait(`localStorage.getItem("tensorbored-static.view")?.includes("nothing")`)
	// An idle tab that closes takes nothing back.
	v.Eval(`void frame.contentDocument.querySelector(".run input[aria-label=run2]").click()`, nil)
	v.Wait(`localStorage.getItem("tensorbored-static.here").includes("run2")`)
	v.Eval(`void dispatchEvent(new Event("pagehide"))`, nil)
	v.Eval(`void (globalThis.third = document.body.appendChild(Object.assign(document.createElement("iframe"), {src: "`+url+`", width: 1200, height: 800})))`, nil)
	v.Wait(`third.contentDocument?.querySelector("main")?.innerText.includes("No tag matches")`) // chosen last, in the other one
	v.Open(url)
	v.Wait(`window.tensorbored?.status().phase === "exact" && document.querySelectorAll(".run").length === 3`)
	v.Wait(`!document.querySelector(".run input[aria-label=run1]").checked && !document.querySelector(".run input[aria-label=run2]").checked && document.querySelector(".run input[aria-label=run0]").checked`)
}
