//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// The tests in page_*_test.go pin down what the page does, in the user's words: roles
// and names, texts, pixels, the address, files that are saved. None of them looks into
// the page's own objects, so that these can be built anew behind them.

// hearing is a script that keeps what stands on canvases as text, and where: the axes'
// labels cannot be read otherwise. tbSaid(canvas) gives it in pixels of the page: where it was
// put, the box that it takes, and whether it is turned.
const hearing = `if (globalThis.CanvasRenderingContext2D) {
	const P = CanvasRenderingContext2D.prototype, fill = P.fillText, clear = P.clearRect, said = new WeakMap();
	P.fillText = function (text, x, y, ...rest) {
		const m = this.getTransform();
		if (!said.has(this.canvas)) said.set(this.canvas, []);
		said.get(this.canvas).push({text, font: this.font, align: this.textAlign, line: this.textBaseline, scale: m.a, turned: m.b !== 0,
			x: m.a * x + m.c * y + m.e, y: m.b * x + m.d * y + m.f});
		return fill.call(this, text, x, y, ...rest);
	};
	P.clearRect = function (x, y, w, h) {
		if (w >= this.canvas.width && h >= this.canvas.height) said.delete(this.canvas);
		return clear.call(this, x, y, w, h);
	};
	globalThis.tbSaid = c => {
		const r = c.getBoundingClientRect(), dots = r.width / c.width;
		return (said.get(c) ?? []).map(s => ({text: s.text, x: r.x + s.x * dots, y: r.y + s.y * r.height / c.height, turned: s.turned,
			get box() {
				const pen = document.createElement("canvas").getContext("2d");
				Object.assign(pen, {font: s.font, textAlign: s.align, textBaseline: s.line});
				const m = pen.measureText(s.text), k = s.scale * dots;
				return {left: this.x - m.actualBoundingBoxLeft * k, right: this.x + m.actualBoundingBoxRight * k,
					top: this.y - m.actualBoundingBoxAscent * k, bottom: this.y + m.actualBoundingBoxDescent * k};
			}}));
	};
}`

// screen is the page as a user sees it.
type screen struct {
	view
	host *host
	url  string
}

// look starts a browser and opens the page on a logdir; "" is the bare page.
func look(t *testing.T, kind browsertest.Kind, logdir string) *screen {
	t.Helper()
	s := come(t, kind, logdir)
	s.Open(s.url)
	if logdir != "" {
		s.rests()
	}
	return s
}

// come is look for a test that opens the page itself, by fresh.
func come(t *testing.T, kind browsertest.Kind, logdir string) *screen {
	t.Helper()
	s := &screen{view: start(t, kind), host: serve(t, logdir)}
	s.url = s.host.URL
	s.Resize(1600, 1000)
	s.Before(hearing)
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
	var open bool
	if s.Eval(`location.protocol !== "about:"`, &open); open {
		s.leave()
		// All but the program's name, by which the browser finds what it has compiled.
		s.Eval(`Object.keys(localStorage).forEach(k => k !== "tensorbored-static.program" && localStorage.removeItem(k))`, nil)
	}
	s.Open(s.url + behind)
	s.rests()
}

// leave goes to an empty page of the same origin. The page writes its settings when it is left.
// Firefox may still be elsewhere when it says that it has opened this one, and take what is
// opened then for what was to be left.
func (s *screen) leave() {
	s.t.Helper()
	s.Open(s.url + "blank")
	s.Wait(`location.pathname.endsWith("/blank") && document.readyState === "complete"`)
}

// again loads the page as it is anew.
func (s *screen) again() {
	s.t.Helper()
	s.Eval(`void (globalThis.old = true, location.reload())`, nil)
	s.back()
}

// back waits until a page that was told to load anew, and marked as old, has done so.
func (s *screen) back() {
	s.t.Helper()
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

// stored waits until a setting is kept with a value, nil for the default, which is not
// kept. path is its name, and the key of a line if it is a table. In which entry of the
// storage it stands is no matter here; tests also load the page anew and look.
func (s *screen) stored(value any, path ...string) {
	s.t.Helper()
	want, err := json.Marshal(value)
	if err != nil {
		s.t.Fatal(err)
	}
	names, err := json.Marshal(path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Until(func() string {
		var got string
		err := s.TryEval(`(() => {
			const entry = key => JSON.parse(localStorage.getItem("tensorbored-static." + key) ?? "{}");
			const all = [entry("session"), entry("view"), ...Object.values(entry("here").logdirs ?? {})];
			const found = all.map(e => `+string(names)+`.reduce((v, name) => v?.[name], e)).filter(v => v !== undefined);
			return found.length > 1 ? "kept " + found.length + " times" : JSON.stringify(found[0] ?? null);
		})()`, &got)
		if got != string(want) {
			return fmt.Sprintf("the setting %q is kept as %s, not %s (%v)", path, got, want, err)
		}
		return ""
	})
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

// table is what a tooltip shows.
type table struct {
	Title   string
	Columns []string
	Rows    []map[string]string // by column; "" is the swatch's colour as #rrggbb
	After   string              // what stands below
}

// groundOf is a function that returns an element's ground as a browsertest.Hex.
const groundOf = `(e => "#" + getComputedStyle(e).backgroundColor.match(/\d+/g).slice(0, 3).map(v => (+v).toString(16).padStart(2, "0")).join(""))`

// tip reads the tooltip: the pinned one, or that under the pointer; nothing is none.
func (s *screen) tip(pinned bool) (t table) {
	s.t.Helper()
	err := s.TryEval(fmt.Sprintf(`(table => {
		if (!table) return {};
		const columns = [...table.rows[0].cells].map(c => c.innerText.trim());
		const lines = (table.parentElement.innerText + "").split("\n");
		return {
			title: table.previousElementSibling.firstChild.textContent, columns,
			rows: [...table.rows].slice(1).map(r => Object.fromEntries([...r.cells].map((c, i) =>
				[columns[i], i ? c.innerText.trim() : `+groundOf+`(c.firstElementChild)]))),
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
