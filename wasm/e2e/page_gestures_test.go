//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// shows waits until a card's axes reach from x0 to x1 and from y0 to y1, to 2 % of the
// span; NaN is not looked at.
func (s *screen) shows(tag string, x0, x1, y0, y1 float64) {
	s.t.Helper()
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		if !ok || len(p.xs) < 2 || len(p.ys) < 2 {
			return tag + " is not drawn"
		}
		back := func(labels []label, at func(label) float64, v float64) float64 {
			a, b := labels[0], labels[len(labels)-1]
			return value(a.Text) + (v-at(a))/(at(b)-at(a))*(value(b.Text)-value(a.Text))
		}
		x := func(v float64) float64 { return back(p.xs, func(l label) float64 { return l.X }, v) }
		y := func(v float64) float64 { return back(p.ys, func(l label) float64 { return l.Y }, v) }
		got := [4]float64{x(p.Box.X), x(p.Box.X + p.Box.Width), y(p.Box.Y + p.Box.Height), y(p.Box.Y)}
		for i, want := range [4]float64{x0, x1, y0, y1} {
			span := got[i|1] - got[i&^1]
			if math.Abs(got[i]-want) > 0.02*span {
				return fmt.Sprintf("%s shows %.4g, not %.4g %.4g %.4g %.4g", tag, got, x0, x1, y0, y1)
			}
		}
		return ""
	})
}

// whole is what line/up shows when all of it is seen: steps 0…100 with 1.5 % of room.
func (s *screen) whole() {
	s.t.Helper()
	s.shows("line/up", -1.5, 101.5, 0, 100)
}

// The mouse on a chart: boxes, the wheel, moving, double click.
func TestPageGestures(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { gestures(t, look(t, kind, l.dir)) })
	}
}

// holding lets a test hold what workers say: held has it while it is a list, letGo lets it be
// heard.
const holding = `{
	globalThis.held = null;
	globalThis.letGo = () => { const all = held; held = []; for (const m of all) m.hear(); };
	const own = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
	Object.defineProperty(Worker.prototype, "onmessage", {
		configurable: true,
		get() { return this.tbHeard ?? null; },
		set(take) {
			this.tbHeard = take;
			own.set.call(this, take && ((e) => {
				const hear = () => this.tbHeard?.call(this, e);
				if (held) held.push({op: e.data.op, hear}); else hear();
			}));
		},
	});
}`

// A card that is fitted before what was asked for the part is there goes on showing all:
// nothing is fitted to the part.
func TestPageFitBeforeThePart(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before(holding)
	s.fresh("#timeseries&smoothing=0")
	s.whole()
	p := s.still("line/up")
	s.Eval(`void (held = [], addEventListener("dblclick", () => setTimeout(letGo)))`, nil)
	s.Drag(p.at(20, 30), p.at(60, 90))
	s.shows("line/up", 20, 60, 30, 90)
	s.Wait(`held.some(m => m.op === "answer")`)
	s.Control("article", "line/up").Get(`(globalThis.tops = new Set(), globalThis.looks = setInterval(() => {
		const over = e.querySelector(".u-over").getBoundingClientRect(), left = tbSaid(e.querySelector(".uplot > * > canvas, .uplot > canvas")).filter(l => l.x < over.left);
		if (left.length) tops.add(left.sort((a, b) => a.y - b.y)[0].text);
	}, 2), null)`, nil)
	s.DoubleClick(p.at(50, 50))
	s.Wait(`held.some(m => m.op === "answer")`) // that for all of it
	var tops []string
	s.Eval(`new Promise(r => setTimeout(() => { clearInterval(looks); r([...tops]); }, 500))`, &tops)
	if tops = slices.DeleteFunc(tops, func(top string) bool { return top == "90" || top == "100" }); len(tops) > 0 {
		t.Errorf("the axis went to %q", tops)
	}
	s.whole()
	s.Eval(`void (letGo(), held = null)`, nil)
	s.whole()
	s.Control("heading", "Settings").Hover() // under the pointer other lines are faint
	s.draws("line/up", linear, want{"alpha", 45, 45, false}, want{"beta", 45, 55, false})
}

func gestures(t *testing.T, s *screen) {
	s.fresh("#timeseries&smoothing=0")
	fit := s.Control("article", "line/up").Control("button", "Fit to the data (double click)")
	s.whole()
	fit.Gone()
	p := s.still("line/up")
	middle := p.at(50, 50)

	// A box, from either corner.
	s.Drag(p.at(20, 30), p.at(60, 90))
	s.shows("line/up", 20, 60, 30, 90)
	s.Control("heading", "Settings").Hover() // under the pointer other lines are faint
	s.draws("line/up", linear, want{"alpha", 45, 45, false}, want{"beta", 45, 55, false})
	s.Control("article", "flat/level").Control("button", "Fit to the data (double click)").Gone()
	s.shows("flat/level", -1.5, 101.5, nan, nan)
	fit.Click()
	s.whole()
	fit.Gone()
	p = s.still("line/up")
	s.Drag(p.at(60, 30), p.at(20, 90))
	s.shows("line/up", 20, 60, 30, 90)
	// The way back is one step: what was asked for the part is not fitted to in between.
	s.Wait(`location.hash.includes("zoom=line/up:")`)
	s.Control("article", "line/up").Get(`(globalThis.seen = new Set(), globalThis.looks = setInterval(() => {
		const over = e.querySelector(".u-over")?.getBoundingClientRect(), forty = over && tbSaid(e.querySelector(".uplot > * > canvas, .uplot > canvas")).find(l => l.text === "40" && l.y > over.bottom);
		if (forty) seen.add(Math.round(100 * (forty.x - over.left) / over.width));
	}, 2), null)`, nil)
	s.DoubleClick(middle)
	s.whole()
	var seen []float64
	s.Eval(`new Promise(r => setTimeout(() => { clearInterval(looks); r([...seen]); }, 500))`, &seen)
	if seen = slices.DeleteFunc(seen, func(at float64) bool { return at == 50 }); !slices.Equal(seen, []float64{40}) {
		t.Errorf("the axis had 40 at %v %% of its length", seen)
	}
	// A flat one zooms the steps, the values are fitted to those in sight: 20 to 80.
	p = s.still("line/up")
	s.Drag(p.at(20, 50), p.at(40, 52))
	s.shows("line/up", 20, 40, nan, nan)
	s.Control("heading", "Settings").Hover() // under the pointer other lines are faint
	s.draws("line/up", linear, want{"alpha", 22, 22, false}, want{"beta", 22, 78, false}, want{"alpha", 39, 39, false})
	s.DoubleClick(middle)
	s.whole()
	// A high and narrow one zooms the values.
	p = s.still("line/up")
	s.Drag(p.at(50, 30), p.at(50.5, 70))
	s.shows("line/up", -1.5, 101.5, 30, 70)
	s.DoubleClick(middle)
	s.whole()

	// The wheel with Ctrl or Alt zooms where the pointer is, plain it scrolls the page.
	factor := math.Exp(-0.25)
	p = s.still("line/up")
	s.Wheel(p.at(20, 50), -100, "Control")
	s.shows("line/up", 20-21.5*factor, 20+81.5*factor, 50-50*factor, 50+50*factor)
	s.Wheel(p.at(50, 50), 100, "Control")
	s.DoubleClick(middle)
	s.whole()
	s.Wheel(p.at(50, 50), -100, "Alt")
	s.shows("line/up", 50-51.5*factor, 50+51.5*factor, 50-50*factor, 50+50*factor)
	s.DoubleClick(middle)
	s.whole()
	s.Wheel(p.at(50, 50), 150)
	s.Control("main", "*").Is(`e.scrollTop > 100`)
	s.whole()
	s.Wheel(middle, -500)
	s.Control("main", "*").Is(`e.scrollTop === 0`)

	// What is taken hold of goes where the pointer goes.
	for _, how := range []func(from, to browsertest.Point){
		func(from, to browsertest.Point) { s.Drag(from, to, "Shift") },
		func(from, to browsertest.Point) { s.Drag(from, to, "Alt") },
		s.DragMiddle,
	} {
		p = s.still("line/up")
		s.Drag(p.at(20, 30), p.at(60, 90))
		s.shows("line/up", 20, 60, 30, 90)
		p = s.still("line/up")
		how(p.at(30, 50), p.at(40, 65))
		s.shows("line/up", 10, 50, 15, 75)
		s.Control("heading", "Settings").Hover() // under the pointer other lines are faint
		s.draws("line/up", linear, want{"alpha", 35, 35, false}, want{"beta", 35, 65, false})
		s.Control("dialog", "Values").Gone() // it was no click
		s.DoubleClick(middle)
		s.whole()
	}

	// Another horizontal axis ends a zoom.
	p = s.still("line/up")
	s.Drag(p.at(20, 30), p.at(60, 90))
	s.shows("line/up", 20, 60, 30, 90)
	fit.Wait()
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Relative").Click()
	s.shows("line/up", -30, 2030, 0, 100)
	fit.Gone()
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Step").Click()
	s.whole()
	// So it is when the axis changes before the zoom has been asked for.
	p = s.still("line/up")
	s.Drag(p.at(20, 30), p.at(60, 90))
	s.Press("x")
	s.Control("heading", "Settings").Hover() // under the pointer other lines are faint
	s.draws("line/up", linear, want{"alpha", 900, 90, false}, want{"beta", 1900, 5, false})
	s.shows("line/up", -30, 2030, 0, 100)
	s.tipsAt("line/up", 1900, 5, []string{"beta", "5"}, []string{"alpha", "100"})
	s.shows("line/up", -30, 2030, 0, 100)
}

// saved waits for a download and returns its text.
func (s *screen) saved(dir, name string) string {
	s.t.Helper()
	path := filepath.Join(dir, name)
	var b []byte
	s.Until(func() string {
		var err error
		if b, err = os.ReadFile(path); err == nil && len(b) > 0 {
			return ""
		}
		list, _ := filepath.Glob(filepath.Join(dir, "*"))
		return fmt.Sprintf("no file %s among %q", name, list)
	})
	if err := os.Remove(path); err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// Downloads: every point of the runs that are shown, or those of the range in sight.
func TestPageDownloads(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	dir := s.Downloads()
	card := s.Control("article", "line/up")
	choose := func(items []string, i int) {
		t.Helper()
		card.Control("button", "More").Click()
		var got []string
		s.Control("menu", "More").Wait().Get(`[...e.querySelectorAll("[role=menuitem]")].map(e => e.innerText.trim()).filter(t => /^(CSV|JSON)/.test(t))`, &got)
		if fmt.Sprint(got) != fmt.Sprint(items) {
			t.Fatalf("the menu offers %q", got)
		}
		s.Control("menuitem", items[i]).Click()
		s.Control("menu", "More").Gone()
	}
	alpha := func(s int) string { return fmt.Sprintf("%d,%d,%d", epoch+10*s, s, s) }
	beta := func(s int) string { return fmt.Sprintf("%d,%d,%d", epoch+100+20*s, s, 100-s) }
	csv := func(from, to int) string {
		b := "run,wall_time,step,value\n"
		for i := from; i <= to; i++ {
			b += "alpha," + alpha(i) + "\n"
		}
		for i := from; i <= to; i++ {
			b += "beta," + beta(i) + "\n"
		}
		return b
	}
	js := func(from, to int) string {
		run := func(name string, line func(int) string) string {
			var points []string
			for i := from; i <= to; i++ {
				points = append(points, "["+line(i)+"]")
			}
			return `{"run":"` + name + `","logged":101,"points":[` + strings.Join(points, ",") + `]}`
		}
		return `{"tag":"line/up","columns":["wall_time","step","value"],"runs":[` + run("alpha", alpha) + "," + run("beta", beta) + "]}\n"
	}
	same := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %d bytes, want %d: %.300q", what, len(got), len(want), got)
		}
	}
	all := []string{"CSV of all points", "JSON of all points"}
	choose(all, 0)
	same("CSV", s.saved(dir, "line_up.csv"), csv(0, 100))
	s.Control("status", "Exporting line/up 202 points saved").Wait()
	choose(all, 1)
	text := s.saved(dir, "line_up.json")
	same("JSON", text, js(0, 100))
	if !json.Valid([]byte(text)) {
		t.Error("the JSON is none")
	}

	s.whole()
	p := s.still("line/up")
	s.Drag(p.at(19.5, 50), p.at(40.5, 52))
	s.shows("line/up", 19.5, 40.5, nan, nan)
	card.Control("button", "Fit to the data (double click)").Wait()
	ranged := append(all, "CSV of the shown range", "JSON of the shown range")
	choose(ranged, 2)
	same("range as CSV", s.saved(dir, "line_up.csv"), csv(20, 40))
	choose(ranged, 3)
	same("range as JSON", s.saved(dir, "line_up.json"), js(20, 40))
	choose(ranged, 0)
	same("all of it while zoomed", s.saved(dir, "line_up.csv"), csv(0, 100))

	// Runs that are not shown are not in it; with the arrow keys.
	s.Control("checkbox", "beta").Click()
	s.shown("5 of 6 runs shown")
	card.Control("button", "More").Click()
	s.Control("menuitem", "Axes and limits…").Focused()
	for range 6 {
		s.Press("ArrowDown")
	}
	s.Control("menuitem", all[0]).Focused()
	s.Press("ArrowDown")
	s.Control("menuitem", all[1]).Focused()
	s.Press("ArrowUp")
	s.Press("Enter")
	got := s.saved(dir, "line_up.csv")
	same("of one run", got, strings.Split(csv(0, 100), "beta")[0])
	// Escape closes the menu.
	card.Control("button", "More").Click()
	s.Control("menu", "More").Wait()
	s.Press("Escape")
	s.Control("menu", "More").Gone()
}
