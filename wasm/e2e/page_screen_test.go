//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// The tests in page_*_test.go pin down what the page does, in the user's words: roles
// and names, texts, pixels, the address, files that are saved. None of them looks into
// the page's own objects, so that these can be built anew behind them.

// pins is a logdir whose curves are known exactly. Steps go from 0 to 100.
//
//	alpha           flat/level 2, line/up = step, pow/ten = 10^(step/25),
//	                spike/one = 1 + step/100 but 1000 at step 50,
//	                stairs/up = 0 below step 50, then 10, lone = 3 at step 7
//	beta            flat/level 4, line/up = 100 − step, many/t000 … t129 = 0, 1
//	sweep/s1 … s3   flat/level 6, 8, 10
//	solo/x          flat/level 12, named/about: shown as "Shown name", with words
//
// Each begins 100 s after the one before; a step takes alpha 10 s and the others 20 s.
func pins(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	put := func(run string, start, pace float64, tags map[string]func(step int64) (float64, bool), more func(w *summary.Buffer)) {
		l.put(l.path(run, "1700000000.host.1.0"), bytesOf(start, func(w *summary.Buffer) {
			for step := range int64(101) {
				for _, tag := range sortedKeys(tags) {
					if v, ok := tags[tag](step); ok {
						if err := w.Scalar(tag, v, step, summary.WallSeconds(start+pace*float64(step))); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if more != nil {
				more(w)
			}
		}))
	}
	level := func(v float64) func(int64) (float64, bool) {
		return func(int64) (float64, bool) { return v, true }
	}
	put("alpha", epoch, 10, map[string]func(int64) (float64, bool){
		"flat/level": level(2),
		"line/up":    func(s int64) (float64, bool) { return float64(s), true },
		"pow/ten":    func(s int64) (float64, bool) { return math.Pow(10, float64(s)/25), true },
		"spike/one": func(s int64) (float64, bool) {
			return map[bool]float64{true: 1000, false: 1 + float64(s)/100}[s == 50], true
		},
		"stairs/up": func(s int64) (float64, bool) { return map[bool]float64{true: 10}[s >= 50], true },
		"lone":      func(s int64) (float64, bool) { return 3, s == 7 },
	}, nil)
	beta := map[string]func(int64) (float64, bool){
		"flat/level": level(4),
		"line/up":    func(s int64) (float64, bool) { return float64(100 - s), true },
	}
	for i := range 130 {
		beta[fmt.Sprintf("many/t%03d", i)] = func(s int64) (float64, bool) { return float64(s), s < 2 }
	}
	put("beta", epoch+100, 20, beta, nil)
	for i := range 3 {
		put(fmt.Sprintf("sweep/s%d", i+1), epoch+200+100*float64(i), 20, map[string]func(int64) (float64, bool){"flat/level": level(float64(6 + 2*i))}, nil)
	}
	put("solo/x", epoch+500, 20, map[string]func(int64) (float64, bool){"flat/level": level(12)}, func(w *summary.Buffer) {
		for step := range int64(2) {
			if err := w.Scalar("named/about", 1, step, summary.WallSeconds(epoch+500), summary.AsTensor(), summary.DisplayName("Shown name"), summary.Description("What it *means*")); err != nil {
				t.Fatal(err)
			}
		}
	})
	return l
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// pinRuns are the runs of pins as the list shows them, in its order.
var pinRuns = []string{"alpha", "beta", "solo/x", "[sweep 3]", "s1", "s2", "s3"}

// hearing is a script that keeps what stands on canvases as text, and where: the axes'
// labels cannot be read otherwise. tbSaid(canvas) gives it in pixels of the page.
const hearing = `if (globalThis.CanvasRenderingContext2D) {
	const P = CanvasRenderingContext2D.prototype, fill = P.fillText, clear = P.clearRect, said = new WeakMap();
	P.fillText = function (text, x, y, ...rest) {
		const m = this.getTransform();
		if (!said.has(this.canvas)) said.set(this.canvas, []);
		said.get(this.canvas).push({text, x: m.a * x + m.c * y + m.e, y: m.b * x + m.d * y + m.f});
		return fill.call(this, text, x, y, ...rest);
	};
	P.clearRect = function (x, y, w, h) {
		if (w >= this.canvas.width && h >= this.canvas.height) said.delete(this.canvas);
		return clear.call(this, x, y, w, h);
	};
	globalThis.tbSaid = c => {
		const r = c.getBoundingClientRect();
		return (said.get(c) ?? []).map(s => ({text: s.text, x: r.x + s.x * r.width / c.width, y: r.y + s.y * r.height / c.height}));
	};
}`

// screen is the page as a user sees it.
type screen struct {
	view
	host *host
	url  string
}

// look starts a browser and opens the page on a logdir; "" is the bare page. fragment,
// if any, is behind the address.
func look(t *testing.T, kind browsertest.Kind, logdir string) *screen {
	t.Helper()
	s := &screen{view: start(t, kind), host: serve(t, logdir)}
	s.url = s.host.URL
	s.Resize(1600, 1000)
	s.Before(hearing)
	if logdir == "" {
		s.Allow("404") // the listing that is not there
	}
	s.Open(s.url)
	if logdir != "" {
		s.rests()
	}
	return s
}

// rests waits until everything has been read.
func (s *screen) rests() {
	s.t.Helper()
	s.Control("contentinfo", "*").Is(`/ · [\d,]+ points?( |$)/.test(tbUser.text(e))`)
}

// fresh opens the page as a first visitor does, with something behind its address.
func (s *screen) fresh(behind string) {
	s.t.Helper()
	s.Open(s.url + "blank") // the page writes its settings when it is left
	s.Eval(`localStorage.clear()`, nil)
	s.Open(s.url + behind)
	s.rests()
}

// again loads the page as it is anew.
func (s *screen) again() {
	s.t.Helper()
	s.Eval(`void (globalThis.old = true, location.reload())`, nil)
	s.Wait(`!globalThis.old && document.readyState === "complete"`)
	s.rests()
}

// cards waits until these cards are on the page, in this order.
func (s *screen) cards(want ...string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		err := s.TryEval(`[...document.querySelectorAll("article")].filter(e => e.checkVisibility()).map(e => e.ariaLabel)`, &got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the cards are %q, not %q (%v)", got, want, err)
		}
		return ""
	})
}

// first are the cards that are there at first.
var first = []string{"flat/level", "line/up", "lone", "named/about", "pow/ten", "spike/one", "stairs/up"}

// stored waits until the settings that are kept hold a text, as JSON writes it.
func (s *screen) stored(part string) {
	s.t.Helper()
	s.Wait(`(localStorage.getItem("tensorbored-static.session") ?? "").includes(` + quote(part) + `)`)
}

// hash waits until the address ends so.
func (s *screen) hash(want string) {
	s.t.Helper()
	s.Until(func() string {
		var got string
		s.TryEval(`location.hash`, &got)
		if got != want {
			return fmt.Sprintf("the address ends with %q, not %q", got, want)
		}
		return ""
	})
}

// row is a line of the run list.
type row struct {
	Name  string // a folder as "[name number]"
	On    bool
	Mixed bool
	Color string // of the swatch
}

func (s *screen) rows() (rows []row) {
	s.t.Helper()
	err := s.TryEval(`[...document.querySelectorAll('[role=list][aria-label=Runs] [role=listitem]')].filter(e => e.checkVisibility())
		.sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y).map(e => {
			const box = e.querySelector("input"), swatch = e.querySelector('[aria-label^="Colour of"]');
			const text = e.innerText.split("\n").map(t => t.trim()).filter(Boolean);
			const run = !!swatch?.checkVisibility();
			return {name: run ? text[0] : "[" + text.join(" ") + "]", on: box.checked, mixed: box.indeterminate,
				color: run ? getComputedStyle(swatch).getPropertyValue("--swatch") : ""};
		})`, &rows)
	if err != nil {
		return []row{{Name: err.Error()}}
	}
	return rows
}

// list waits until the run list is so: "+name" for a run that is on, "-name" for one
// that is off, "±name" for a folder of which a part is on.
func (s *screen) list(want ...string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		for _, r := range s.rows() {
			mark := "-"
			if r.Mixed {
				mark = "±"
			} else if r.On {
				mark = "+"
			}
			got = append(got, mark+r.Name)
		}
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the run list is %q, not %q", got, want)
		}
		return ""
	})
}

// shown waits until the run list says so: "3 of 6 runs shown".
func (s *screen) shown(text string) {
	s.t.Helper()
	s.Control("complementary", "Runs").Control("status", text).Wait()
}

// color is the colour that the run list shows of a run; name is the row's.
func (s *screen) color(name string) (color browsertest.Hex) {
	s.t.Helper()
	s.Until(func() string {
		rows := s.rows()
		for _, r := range rows {
			if r.Name == name && len(r.Color) == 7 {
				color = browsertest.Hex(r.Color)
				return ""
			}
		}
		return fmt.Sprintf("no colour of %q in the list %+v", name, rows)
	})
	return color
}

// label is a text on an axis, and where.
type label struct {
	Text string
	X, Y float64
}

// plot is a card's chart as it is seen.
type plot struct {
	tag  string
	Box  browsertest.Box // of the plot, within the axes
	Said []label

	xs, ys []label // of the axes
}

// plotOf reads a card's chart now; it must be in sight. ok is false while it is not drawn.
func (s *screen) plotOf(tag string) (p plot, ok bool) {
	err := s.TryEval(`(e => {
		const over = e?.querySelector(".u-over"), canvas = e?.querySelector("canvas");
		return over && {box: over.getBoundingClientRect(), said: tbSaid(e.querySelector(".uplot > * > canvas, .uplot > canvas") ?? canvas)};
	})([...document.querySelectorAll("article")].find(e => e.ariaLabel === `+quote(tag)+`))`, &p)
	if err != nil || p.Box.Width == 0 {
		return p, false
	}
	p.tag = tag
	for _, l := range p.Said {
		if l.X < p.Box.X {
			p.ys = append(p.ys, l)
		} else if l.Y > p.Box.Y+p.Box.Height {
			p.xs = append(p.xs, l)
		}
	}
	return p, len(p.xs) > 0 && len(p.ys) > 0
}

func texts(labels []label) (out []string) {
	for _, l := range labels {
		out = append(out, l.Text)
	}
	return out
}

// value reads a number, or a duration in seconds, as an axis writes it.
func value(text string) float64 {
	if parts := strings.Fields(text); len(parts) > 1 {
		units, sum := map[string]float64{"ms": 0.001, "s": 1, "min": 60, "h": 3600}, 0.0
		for i := 0; i+1 < len(parts); i += 2 {
			sum += value(parts[i]) * units[parts[i+1]]
		}
		return sum
	}
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "M": 1e6} {
		if t, ok := strings.CutSuffix(text, suffix); ok {
			text, factor = t, f
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return nan
	}
	return v * factor
}

// scale maps a value of an axis to where a linear axis would have it.
type scale func(float64) float64

func linear(v float64) float64 { return v }
func symlog(v float64) float64 { return math.Copysign(math.Log10(math.Abs(v)+1), v) }

// along finds the place of a value from the two outermost labels of an axis.
func along(labels []label, at func(label) float64, to scale, v float64) float64 {
	a, b := labels[0], labels[len(labels)-1]
	return at(a) + (to(v)-to(value(a.Text)))/(to(value(b.Text))-to(value(a.Text)))*(at(b)-at(a))
}

// x is where a value of the horizontal axis stands on the page.
func (p plot) x(v float64) float64 {
	return along(p.xs, func(l label) float64 { return l.X }, linear, v)
}

// y is where a value of the vertical axis stands, of that scale.
func (p plot) y(v float64, to scale) float64 {
	return along(p.ys, func(l label) float64 { return l.Y }, to, v)
}

// at is the place of a point.
func (p plot) at(x, y float64) browsertest.Point {
	return browsertest.Point{X: p.x(x), Y: p.y(y, linear)}
}

// ink is a stretch of a column of pixels that a colour covers.
type ink struct {
	top, bottom float64
	cover       float64 // the greatest part of a pixel that is covered, 0…1
}

// column finds what a colour has drawn in the column of pixels at a place.
func (p plot) column(pic browsertest.Picture, ground [3]float64, color browsertest.Hex, x float64) (found []ink) {
	now := ink{}
	end := func() {
		if now.cover >= 0.12 {
			found = append(found, now)
		}
		now = ink{}
	}
	for y := int(p.Box.Y); y < int(p.Box.Y+p.Box.Height); y++ {
		c := browsertest.Cover(pic.At(browsertest.Point{X: x, Y: float64(y)}), ground, color.RGB())
		if c < 0.12 {
			end()
			continue
		}
		if now.cover == 0 {
			now.top = float64(y)
		}
		now.bottom, now.cover = float64(y+1), max(now.cover, c)
	}
	end()
	return found
}

// want is a place on a curve.
type want struct {
	run  string  // as the run list shows it
	x, y float64 // values of the axes
	// faint means the line behind the strong one, the values as they were logged.
	faint bool
}

// draws waits until the card shows the curves there: their colours, at these values.
func (s *screen) draws(tag string, to scale, wants ...want) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		if !ok {
			return tag + " is not drawn"
		}
		pic, ground := s.Picture(), s.ground()
		for _, w := range wants {
			color := s.color(w.run)
			found := p.column(pic, ground, color, p.x(w.x))
			y := p.y(w.y, to)
			i := slices.IndexFunc(found, func(i ink) bool { return i.top-1.5 <= y && y <= i.bottom+1.5 && (i.cover >= 0.6) == !w.faint })
			if i < 0 {
				return fmt.Sprintf("%s: %+v should be at pixel %.1f, %.1f in %s; axes %q, %q; found %+v in %+v", tag, w, p.x(w.x), y, color, texts(p.xs), texts(p.ys), found, p.Box)
			}
		}
		return ""
	})
}

// crossed waits until the cards show the crosshair at a step, or show none.
func (s *screen) crossed(on bool, step float64, tags ...string) {
	s.t.Helper()
	s.Until(func() string {
		pic, muted := s.Picture(), browsertest.Hex("#5d6878").RGB() // --muted in app.css
		for _, tag := range tags {
			p, _ := s.plotOf(tag)
			most := 0.0
			for _, x := range []float64{-1, 0, 1} {
				n := 0.0
				for y := range int(p.Box.Height) {
					if browsertest.Cover(pic.At(browsertest.Point{X: p.x(step) + x, Y: p.Box.Y + float64(y)}), s.ground(), muted) > 0.3 {
						n++
					}
				}
				most = max(most, n/p.Box.Height)
			}
			if most > 0.7 != on {
				return fmt.Sprintf("%s: %.0f %% of a crosshair at %g", tag, 100*most, step)
			}
		}
		return ""
	})
}

// ground is the colour behind the curves.
func (s *screen) ground() [3]float64 {
	s.t.Helper()
	var c [3]float64
	s.Eval(`getComputedStyle(document.querySelector("article")).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)`, &c)
	return c
}

// axes waits until a card's axes say so. An empty text is not looked at.
func (s *screen) axes(tag, xs, ys string) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		x, y := strings.Join(texts(p.xs), " "), strings.Join(texts(p.ys), " ")
		if !ok || xs != "" && x != xs || ys != "" && y != ys {
			return fmt.Sprintf("%s: the axes say %q, %q, not %q, %q", tag, x, y, xs, ys)
		}
		return ""
	})
}

// still waits for a chart that is drawn and reads it.
func (s *screen) still(tag string) (p plot) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	var last plot
	s.Until(func() string {
		ok := false
		last = p
		if p, ok = s.plotOf(tag); !ok {
			return tag + " is not drawn"
		}
		if p.Box != last.Box || !slices.Equal(p.Said, last.Said) {
			return tag + " moves"
		}
		return ""
	})
	return p
}

// table is what a tooltip shows.
type table struct {
	Title   string
	Columns []string
	Rows    []map[string]string // by column; "" is the swatch's colour as #rrggbb
	After   string              // what stands below
}

// tip reads the tooltip: the pinned one, or that under the pointer; nothing is none.
func (s *screen) tip(pinned bool) (t table) {
	s.t.Helper()
	err := s.TryEval(fmt.Sprintf(`(table => {
		if (!table) return {};
		const hex = c => "#" + c.match(/\d+/g).slice(0, 3).map(v => (+v).toString(16).padStart(2, "0")).join("");
		const columns = [...table.rows[0].cells].map(c => c.innerText.trim());
		const lines = (table.parentElement.innerText + "").split("\n");
		return {
			title: table.previousElementSibling.firstChild.textContent, columns,
			rows: [...table.rows].slice(1).map(r => Object.fromEntries([...r.cells].map((c, i) =>
				[columns[i], i ? c.innerText.trim() : hex(getComputedStyle(c.firstElementChild).backgroundColor)]))),
			after: table.nextElementSibling?.innerText ?? "",
		};
	})([...document.querySelectorAll("body > div table")].find(e => e.checkVisibility() && (!!e.closest("[role=dialog]")) === %v))`, pinned), &t)
	if err != nil {
		t.Rows = []map[string]string{{"": err.Error()}}
	}
	return t
}

// tips waits until the tooltip has these rows, told by some of its columns.
func (s *screen) tips(pinned bool, columns []string, rows ...[]string) {
	s.t.Helper()
	s.Until(func() string {
		t := s.tip(pinned)
		var got [][]string
		for _, r := range t.Rows {
			var line []string
			for _, c := range columns {
				line = append(line, r[c])
			}
			got = append(got, line)
		}
		if !slices.EqualFunc(got, rows, slices.Equal) {
			return fmt.Sprintf("the tooltip says %q, not %q", got, rows)
		}
		return ""
	})
}

// silent writes an event without a scalar.
func silent(w *summary.Buffer) {
	w.Raw(summary.Event{WallTime: epoch, LogMessage: "nothing but words"})
}
