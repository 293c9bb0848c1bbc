//go:build !js

package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// A logdir of more points than the budget allows: what is kept is bounded and says
// so, a zoom shows every point, an export has all of them, and more memory brings
// them back.
func TestBudget(t *testing.T) {
	const runs, steps = 3, 40_000
	dir := t.TempDir()
	longRuns(t, dir, runs, steps, "loss", "acc")
	h := newHost(t, dir)
	h.set(stored(`{"memory": 1}`))
	p := Start(t, Chromium)
	p.Resize(1600, 1000)
	p.Open(h.url)
	p.Wait(exact)
	var s wire.Status
	p.Eval(`tensorbored.status()`, &s)
	if budget := int64(1<<20/16) * 12 / 10; s.Points != 2*runs*steps || s.Kept > budget || s.Kept < 10_000 {
		t.Fatalf("%d points, %d kept with a budget of %d", s.Points, s.Kept, budget)
	}
	// The card says what is kept now: of what is read later, more is thinned again.
	p.Wait(`tensorbored.tags("scalars").then(t => Object.values(t).reduce((n, tags) => n + tags.loss.kept, 0)).then(kept =>
		` + note("loss") + ` === kept.toLocaleString("en") + " of ` + commas(runs*steps) + ` points kept")`)
	// Of the kept points, ends and spikes are some.
	var got struct{ First, Last, Max, N float64 }
	p.Eval(`tensorbored.scalars("run_01", "loss").then(s => ({first: s.step[0], last: s.step.at(-1), n: s.step.length, max: s.value.filter(v => v === 2000).length}))`, &got)
	if got.First != 0 || got.Last != steps-1 || got.Max != 5 || got.N >= steps {
		t.Errorf("kept of a series: %+v", got)
	}

	// A zoom shows every point, and the zoom stays.
	p.Eval(`void (globalThis.chart = `+card("loss")+`)`, nil)
	p.Eval(`chart.zoomTo(20000, 20099, null, null)`, nil)
	p.Wait(`chart.list.length === 3 && chart.list.every(s => { const in_ = [...s.step].filter(v => v >= 20000 && v <= 20099); return in_.length === 100 && in_.every((v, i) => v === 20000 + i); })`)
	p.Wait(note("loss") + ` === ""`)
	var view [2]float64
	if p.Eval(`[chart.zoom.x0, chart.zoom.x1]`, &view); view != [2]float64{20000, 20099} {
		t.Errorf("the zoom went to %v", view)
	}
	// What was read for it serves the next smoothing too.
	h.taken()
	p.Eval(`(e => { e.value = 0.3; e.dispatchEvent(new Event("input")); })(document.querySelector('[aria-label="Smoothing"]'))`, nil)
	p.Wait(`location.hash.includes("smoothing=0.3") && tbPaint.idle() && ` + note("loss") + ` === ""`)
	if again := h.taken(); len(again) > 0 {
		t.Errorf("a slider read %v again", again)
	}

	// Exports.
	p.Eval(`void (URL.createObjectURL = b => { globalThis.blob = b; return "data:,"; }, HTMLAnchorElement.prototype.click = () => {})`, nil)
	export := func(label string) string {
		p.Eval(`void (globalThis.blob = null, document.querySelector('[data-tag="loss"] [data-do=more]').click())`, nil)
		p.Eval(`[...document.querySelectorAll(".menu .menu-item")].find(e => e.textContent === "`+label+`").click()`, nil)
		p.Wait(`globalThis.blob`)
		var text string
		p.Eval(`blob.text()`, &text)
		return text
	}
	if lines := strings.Count(export("CSV of all points"), "\n"); lines != 1+runs*steps {
		t.Errorf("%d lines of CSV for %d points", lines, runs*steps)
	}
	if lines := strings.Count(export("CSV of the shown range"), "\n"); lines != 1+runs*100 {
		t.Errorf("%d lines of CSV for a range of %d points", lines, runs*100)
	}
	var doc struct {
		Runs []struct {
			Run    string
			Logged int
			Points [][3]float64
		}
	}
	if err := json.Unmarshal([]byte(export("JSON of all points")), &doc); err != nil || len(doc.Runs) != runs {
		t.Fatalf("%d runs of JSON, %v", len(doc.Runs), err)
	}
	for r, run := range doc.Runs {
		if run.Logged != steps || len(run.Points) != steps {
			t.Fatalf("%s: %d points of %d", run.Run, len(run.Points), run.Logged)
		}
		for i, v := range run.Points {
			if want := float32(sawtooth(r, int64(i))); v[1] != float64(i) || float32(v[2]) != want {
				t.Fatalf("%s: point %d is %v", run.Run, i, v)
			}
		}
	}
	p.Wait(`[...document.querySelectorAll(".task")].some(e => e.textContent.includes("120,000 points saved"))`)

	// More memory reads again, though the cache holds the thinned points.
	p.Eval(openPageSettings, nil)
	p.Eval(`(e => { e.value = "128"; e.dispatchEvent(new Event("change")); })(document.querySelector('[aria-label="Memory for points"]'))`, nil)
	p.Wait(`(s => s.phase === "exact" && s.kept === s.points && s.points === 240000)(tensorbored.status())`)
	p.Wait(`localStorage.getItem("tensorbored-static.session").includes('"memory":128')`)
	p.Wait(note("loss") + ` === ""`)
}

func commas(n int64) string {
	if n < 1000 {
		return jsonText(n)
	}
	tail := jsonText(n % 1000)
	return commas(n/1000) + "," + strings.Repeat("0", 3-len(tail)) + tail
}

func jsonText(n int64) string {
	b, _ := json.Marshal(n)
	return string(b)
}
