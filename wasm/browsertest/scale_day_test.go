//go:build !js

package browsertest

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// holding is a prelude that makes held() in the page: how many values of JavaScript the
// page's program holds, and how many bytes of buffers are among them.
const holding = `if (globalThis.document) {
	let program, real; // the script that defines it comes later
	Object.defineProperty(globalThis, "Go", {get: () => real, set(Go) { real = class extends Go { constructor() { super(); program = this; } }; }});
	globalThis.held = () => {
		const all = program._values.filter(v => v !== null && v !== undefined);
		const buffers = new Set(all.flatMap(v => [v, v?.buffer, v instanceof MessageEvent ? v.data?.buffer : null]).filter(v => v instanceof ArrayBuffer));
		return [all.length, [...buffers].reduce((n, b) => n + b.byteLength, 0)];
	};
}`

// appends makes the bytes of steps [from, to) as they are appended to a file.
func appends(t *testing.T, from, to int64) []byte {
	t.Helper()
	make := func(from, to int64) []byte {
		w := summary.NewBuffer(summary.Options{})
		for s := from; s < to; s++ {
			if err := w.Scalar("loss", float64(s%17), s, summary.WallSeconds(1.7e9+float64(s))); err != nil {
				t.Fatal(err)
			}
		}
		return w.Bytes()
	}
	return make(from, to)[len(make(0, 0)):]
}

// A tab that is open for a day looks 17 280 times. Hundreds of looks in a row: each
// costs one listing and the bytes that were appended, and nothing grows but points, up
// to the budget. So it is while the tab is hidden, where a script may look all the same.
func TestDay(t *testing.T) {
	dir := t.TempDir()
	const runs, start = 1000, 20
	longRuns(t, dir, runs, start, "loss")
	h := newHost(t, dir)
	h.hasty = true
	h.set(weighing, holding, `if (globalThis.document) {
		const add = EventTarget.prototype.addEventListener;
		globalThis.listened = 0;
		EventTarget.prototype.addEventListener = function (...a) { globalThis.listened++; return add.apply(this, a); };
		// As a tab is that nobody sees: it is told so, and draws nothing.
		let hidden = false, frames = [];
		const frame = globalThis.requestAnimationFrame;
		globalThis.requestAnimationFrame = f => hidden ? frames.push(f) : frame(f);
		Object.defineProperty(document, "hidden", {get: () => hidden});
		Object.defineProperty(document, "visibilityState", {get: () => hidden ? "hidden" : "visible"});
		globalThis.hide = on => { hidden = on; for (const f of frames.splice(0)) requestAnimationFrame(f); document.dispatchEvent(new Event("visibilitychange")); return frames.length; };
		globalThis.waiting = () => frames.length;
	}`, stored(`{"autoReload": false, "memory": 1}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact + ` && tensorbored.status().runs === 1000 && tbPaint.idle()`)
	// A look that is asked for while another is under way is none: it is asked for again.
	p.Eval(`void (globalThis.look = points => new Promise(done => {
		const off = tensorbored.on("change", () => { const s = tensorbored.status(); if (s.phase === "exact" && s.points === points) { off(); clearInterval(again); done(); } });
		const again = setInterval(() => tensorbored.reload(), 200);
		tensorbored.reload();
	}))`, nil)
	steps := map[string]int64{}
	total := int64(runs * start)
	news := 0 // appends that a listing may still be new for
	look := func(tick int64) {
		h.taken()
		h.listed()
		appended := map[string]int64{}
		if tick%10 != 9 { // a look that finds nothing costs nothing
			for k := range int64(3) {
				name := fmt.Sprintf("run_%d", 960+(7*tick+k)%40) // half of them are on the card
				from := max(start, steps[name])
				b := appends(t, from, from+100)
				steps[name] = from + 100
				total += 100
				if tick%20 == 3 && k == 0 {
					b = damage.BadPayload(b, 5)
					total--
				}
				appendTo(t, eventFile(t, filepath.Join(dir, name)), b)
				appended[name] += int64(len(b))
			}
		}
		// A second look may be under way when the first has shown everything, and come in the
		// middle of the next tick's appending: each listing that is new has seen one append
		// more at least, of this tick or of the one before. When nothing is appended any more
		// the host says so, and sends no listing.
		news += len(appended)
		got := map[int]int{}
		p.Until(func() string {
			p.Eval(fmt.Sprintf(`look(%d)`, total), nil)
			for status, n := range h.listed() {
				got[status] += n
			}
			if got[304] < 1 && (got[200] < 1 || len(appended) == 0) {
				return fmt.Sprintf("look %d: the listings are %v", tick, got)
			}
			return ""
		})
		if news -= got[200]; news < 0 {
			t.Fatalf("look %d: listings %v, %d more that are new than there were appends", tick, got, -news)
		}
		if len(appended) == 0 {
			news = 0
		}
		for _, r := range h.taken() {
			name, _, _ := strings.Cut(r.path, "/")
			// Samples of what was read before are looked at again, to know the file: some
			// of 64 bytes, and of a place with damage up to 1024; by three looks at most.
			if appended[name] -= r.length; appended[name] < -6144 {
				t.Fatalf("look %d: %v was read, %d bytes more than were appended", tick, r, -appended[name])
			}
		}
	}
	type size struct{ page, worker, heap, nodes, listened, kept, lost, held float64 }
	// What is held goes up and down by 2500 between two collections: it is the least of fifty looks
	// and more, in a row.
	least := math.Inf(1)
	holds := func() {
		var n float64
		p.Eval(`held()[0]`, &n)
		least = min(least, n)
	}
	measure := func() (s size) {
		s.page, s.worker = weigh(p)
		s.heap = p.Heap() / 1e6
		var n []float64
		p.Eval(`[document.querySelectorAll("*").length, listened, tensorbored.status().kept, tensorbored.status().lost.length]`, &n)
		s.nodes, s.listened, s.kept, s.lost, s.held = n[0], n[1], n[2], n[3], least
		least = math.Inf(1)
		return s
	}
	grew := func(what string, from, to size) {
		t.Helper()
		t.Logf("%s: from %+v to %+v", what, from, to)
		// MB of the program's memory, of workers' and of JavaScript, for which a
		// collection may just be due; counts of what has no reason to grow.
		if to.page > from.page+4 || to.worker > from.worker+6 || to.heap > from.heap+8 || to.held > from.held+1500 ||
			to.nodes > from.nodes+20 || to.listened > from.listened+20 || to.kept > 1.2*(1<<20)/16 || to.lost > 2 {
			t.Errorf("%s: the page grew from %+v to %+v", what, from, to)
		}
	}
	const ticks = 400
	var quarter size
	for tick := range int64(ticks) {
		look(tick)
		if tick <= ticks/4 || tick > ticks*3/4 {
			holds()
		}
		if tick == ticks/4 {
			p.Wait(`tbPaint.idle()`)
			quarter = measure()
		}
	}
	p.Wait(`tbPaint.idle()`)
	grew("shown", quarter, measure())

	p.Eval(`hide(true)`, nil)
	for tick := range int64(ticks / 2) {
		look(tick)
		if tick <= ticks/8 || tick > ticks*3/8 {
			holds()
		}
		if tick == ticks/8 {
			quarter = measure()
		}
	}
	grew("hidden", quarter, measure())
	var frames int
	if p.Eval(`waiting()`, &frames); frames > 20 {
		t.Errorf("%d pictures wait for the tab to be seen", frames)
	}
	p.Eval(`hide(false)`, nil)
	p.Wait(`tbPaint.idle() && (s => s && s.step.at(-1) === ` + fmt.Sprint(steps["run_999"]-1) + `)(` + card("loss") + `.list.find(s => tbPaint.runs.get(s.run).name === "run_999"))`)
}

// While the tab is hidden the page by itself looks for nothing; it does when it is
// seen again, once.
func TestHidden(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 2, 20, "loss")
	h := newHost(t, dir)
	h.hasty = true
	h.set(`if (globalThis.document) {
		let hidden = false;
		Object.defineProperty(document, "hidden", {get: () => hidden});
		globalThis.hide = on => { hidden = on; document.dispatchEvent(new Event("visibilitychange")); };
	}`, stored(`{"autoReload": true, "reload": 1}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact)
	looks := func() int { got := h.listed(); return got[200] + got[304] }
	h.listed()
	n := 0
	wait(t, "the page looks by itself", func() bool { n += looks(); return n >= 2 })
	p.Eval(`hide(true)`, nil)
	p.Wait(exact)
	looks()
	// Three of the page's own seconds, by a clock in it that starts behind its timer. One
	// look may have been under way.
	p.Eval(`new Promise(done => setTimeout(done, 3500))`, nil)
	if n := looks(); n > 1 {
		t.Errorf("hidden, the page looked %d times", n)
	}
	appendTo(t, eventFile(t, filepath.Join(dir, "run_00")), appends(t, 20, 120))
	p.Eval(`hide(false)`, nil)
	p.Wait(`tensorbored.status().points === 140`)
}

// A script that asks for series again and again leaves no more of them lying than some:
// the program's collector, which does not know what buffers weigh, is told to run.
func TestAskedForAllDay(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 1, 200_000, "loss") // 6.4 MB an answer
	h := newHost(t, dir)
	h.set(holding, stored(`{"autoReload": false}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact)
	most := 0.0
	for range 10 {
		var held []float64
		p.Eval(`(async () => { for (let i = 0; i < 10; i++) await tensorbored.scalars("run_00", "loss"); return held(); })()`, &held)
		most = max(most, held[1]/1e6)
	}
	if most > 96 { // three times what may lie about; without that it was 640
		t.Errorf("%.0f MB of answers are held", most)
	}
	if most < 6 {
		t.Errorf("%.1f MB of answers are held: this test sees none", most)
	}
}
