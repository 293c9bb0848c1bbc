//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of how the page answers to the hand, of logdirs of their own.
const (
	lineHover     = "  pointer over 1000 curves → drawn, worst"
	lineZoomSeen  = "  zoom of 1000 curves → seen"
	lineZoomMany  = "  zoom of 1000 curves to 1/10 → every point"
	lineMeans     = "  1000 curves → their mean with a band"
	lineKey       = "  key in the filter of tags → drawn, worst"
	lineCursor    = "  pointer rests on 100 curves → logged points, median"
	lineCursorLow = "  the same, where they are read again"
	lineEndNames  = "  names at the ends of 12 lines, a frame of a zoom, median"
	lineEmptyCard = "  scrolling, longest that a card is empty"
)

// feels notes in the page, for every input of the kinds that it is asked for, how long it
// took until the frame after it was on its way to the screen.
const feels = `globalThis.tbFelt = [];
	globalThis.tbFeel = (...kinds) => { tbFelt.length = 0; for (const k of kinds) addEventListener(k, () => {
		const began = performance.now();
		requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => tbFelt.push(performance.now() - began); c.port2.postMessage(0); });
	}, true); };`

// answered returns how long the inputs took, the shortest first, when the last of n has been
// answered.
func (p page) answered(n int) (took []float64) {
	p.Wait(fmt.Sprintf(`tbFelt.length >= %d && tbPaint.idle()`, n))
	p.Eval(`tbFelt`, &took)
	slices.Sort(took)
	return took
}

// load opens the page on a logdir and waits until it has been read.
func (p page) load(dir string) {
	p.Resize(1440, 900)
	p.Before(feels)
	p.Open(browsertest.Serve(p.t, "--logdir", dir).URL)
	for end := time.Now().Add(longest); ; {
		var done bool
		if p.Eval(`(s => s?.phase === "exact" && s.points > 0)(window.tensorbored?.status())`, &done); done {
			break
		}
		if time.Now().After(end) {
			p.t.Fatalf("not read after %v", longest)
		}
	}
	p.rest()
}

// rest waits until nothing has been drawn for a while.
func (p page) rest() {
	p.Eval(`(async () => { for (let calm = 0; calm < 10; calm = tbPaint.idle() ? calm + 1 : 0) await new Promise(done => setTimeout(done, 50)); })()`, nil)
}

// felt measures a logdir by f, in a browser of its own.
func felt(f func(*table, page, *logdir)) func(*table, *logdir) error {
	return func(t *table, l *logdir) error {
		return measured(func(tb *tb) error {
			f(t, page{browsertest.Start(tb, browsertest.Chromium), tb}, l)
			return nil
		})
	}
}

// many is one card with 1000 runs of 1000 points, in one folder.
func many(t *table, p page, l *logdir) {
	sweep := p.t.TempDir()
	if err := os.Symlink(l.dir, filepath.Join(sweep, "sweep")); err != nil { // one folder of all runs
		p.t.Fatal(err)
	}
	p.load(sweep)
	p.Control("checkbox", "All listed runs").Click()
	p.Wait(fmt.Sprintf(`[...tbPaint.charts].some(c => c.near && c.list.length === %d && c.view)`, l.size.Runs))
	p.rest()
	p.Eval(`tbFeel("pointermove")`, nil)
	plot := p.Control("article", "*").Control("img", "*").Box()
	for i := range 40 {
		p.Hover(plot.Part(0.1+0.02*float64(i), 0.2+0.015*float64(i)))
	}
	took := p.answered(40)
	t.add(l, lineHover, measurement{took: ms(took[len(took)-1])})
	p.Hover(browsertest.Point{X: 4, Y: 4})
	p.rest()
	var seen float64
	p.Eval(fmt.Sprintf(`new Promise(done => {
		const began = performance.now();
		[...tbPaint.charts].find(c => c.near).zoomTo(%d, %d, null, null);
		requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now() - began); c.port2.postMessage(0); });
	})`, l.size.Steps/4, l.size.Steps/2), &seen)
	t.add(l, lineZoomSeen, measurement{took: ms(seen)})
	p.rest()
	p.zoomTo(t, l, lineZoomMany, l.size.Steps/2, l.size.Steps/2+l.size.Steps/10)
	p.Control("article", "*").DoubleClick()
	p.rest()
	var means float64
	p.Eval(`new Promise(done => {
		const chart = [...tbPaint.charts].find(c => c.near), began = performance.now();
		document.querySelector('[role=radiogroup][aria-label="Lines"] input[value=folder]').click();
		const look = () => chart.list.length === 1 && tbPaint.idle() ? done(performance.now() - began) : requestAnimationFrame(look);
		look();
	})`, &means)
	t.add(l, lineMeans, measurement{took: ms(means)})
}

// cursor is one card with 100 runs of 10,000 points, of which memory keeps all, and then a
// tenth.
func cursor(t *table, p page, l *logdir) {
	rest := func(p page, line string) {
		p.load(l.dir)
		p.Wait(fmt.Sprintf(`[...tbPaint.charts].some(c => c.near && c.list.length === %d && c.view)`, l.size.Runs))
		p.rest()
		p.Eval(`void addEventListener("pointermove", () => { globalThis.tbMoved = performance.now(); }, true)`, nil)
		var kept float64
		p.Eval(`(s => s.kept / s.points)(window.tensorbored.status())`, &kept)
		if again := line == lineCursorLow; again != (kept < 0.5) {
			p.t.Fatalf("%.0f %% of the points are kept in memory", 100*kept)
		}
		plot := p.Control("article", "*").Control("img", "*").Box()
		var took []float64
		for i := range 21 {
			p.Hover(plot.Part(0.1+0.037*float64(i), 0.5))
			var ms float64
			p.Eval(`new Promise(done => {
				const look = () => {
					const tip = document.querySelector(".tip:not(.pinned)"), chart = tbPaint.hovered;
					if (chart?.exact?.size && !chart.asking?.[0] && tip?.querySelector("tbody tr") && !tip.querySelector(".about")) done(performance.now() - tbMoved);
					else requestAnimationFrame(look);
				};
				look();
			})`, &ms)
			took = append(took, ms)
		}
		slices.Sort(took)
		t.add(l, line, measurement{took: ms(took[len(took)/2])})
	}
	rest(p, lineCursor)
	low := page{browsertest.Start(p.t, browsertest.Chromium), p.t}
	low.Before(fmt.Sprintf(`Object.defineProperty(Navigator.prototype, "deviceMemory", {get: () => %d * 128 / 2 ** 30})`, l.size.Runs*l.size.Steps/10))
	rest(low, lineCursorLow)
	endNames(t, p, l)
}

// endNames is what names at the ends of twelve lines cost in each frame of a zoom, with the
// layout of the page that they make necessary.
func endNames(t *table, p page, l *logdir) {
	p.Resize(1920, 900)
	p.Eval(`void (location.hash = "#timeseries&runFilter=run_00|run_01[01]")`, nil)
	p.Wait(`[...tbPaint.charts].some(c => c.near && c.list.length === 12 && c.names?.length === 12)`)
	p.rest()
	var took float64
	p.Eval(fmt.Sprintf(`(async () => {
		const chart = [...tbPaint.charts].find(c => c.near && c.names), place = tbPaint.placeLabels, all = [];
		tbPaint.placeLabels = c => {
			void c.host.offsetWidth; // what others have left to do
			const began = performance.now();
			place(c);
			void c.host.offsetWidth;
			all.push(performance.now() - began);
		};
		for (let i = 1; i <= 60; i++) {
			chart.zoomTo(0, %d - i * %d, null, null);
			await new Promise(done => requestAnimationFrame(done));
		}
		tbPaint.placeLabels = place;
		return all.sort((a, b) => a - b)[all.length >> 1];
	})()`, l.size.Steps, l.size.Steps/100), &took)
	t.add(l, lineEndNames, measurement{took: ms(took)})
}

// tags is a run of 10,000 tags.
func tags(t *table, p page, l *logdir) {
	p.load(l.dir)
	box := p.Control("searchbox", "Filter tags (regex)")
	box.Click()
	p.Eval(`tbFeel("input")`, nil)
	text := "metric_12|metric_77"
	var took []float64
	for i, key := range text { // as a person types, who sees each
		p.Type(string(key))
		took = p.answered(i + 1)
	}
	t.add(l, lineKey, measurement{took: ms(took[len(took)-1])})
}

// scroll goes over all cards and back, and then once more: for how long is a card empty
// that is on the screen?
func scroll(t *table, p page, l *logdir) {
	p.load(l.dir)
	p.Control("button", "Expand all").Click()
	p.rest()
	var empty float64
	p.Eval(`(async () => {
		const list = document.querySelector("article").closest(".main, main") ?? document.scrollingElement;
		const pane = [list, ...document.querySelectorAll("*")].find(e => e.scrollHeight > e.clientHeight + 100 && /auto|scroll/.test(getComputedStyle(e).overflowY));
		const since = new Map();
		let worst = 0;
		const frame = () => new Promise(done => requestAnimationFrame(done));
		for (let round = 0; round < 2; round++) for (const way of [1, -1]) for (;;) {
			const before = pane.scrollTop;
			pane.scrollTop += way * 60; // a hand on the wheel: 3600 pixels a second
			const now = await frame();
			for (const c of tbPaint.charts) {
				const r = c.host.getBoundingClientRect();
				const seen = r.bottom > 60 && r.top < innerHeight && r.width > 0, drawn = c.view && c.list.length > 0;
				if (!seen || drawn) { since.delete(c.host); continue; }
				if (!since.has(c.host)) since.set(c.host, now);
				worst = Math.max(worst, now - since.get(c.host));
			}
			for (const plot of document.querySelectorAll(".plot")) if (!plot.tbChart) {
				const r = plot.getBoundingClientRect();
				if (!(r.bottom > 60 && r.top < innerHeight)) { since.delete(plot); continue; }
				if (!since.has(plot)) since.set(plot, now);
				worst = Math.max(worst, now - since.get(plot));
			}
			if (pane.scrollTop === before) break;
		}
		return worst;
	})()`, &empty)
	t.add(l, lineEmptyCard, measurement{took: ms(empty)})
}
