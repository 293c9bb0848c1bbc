//go:build !js

package browsertest

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// weighing is a prelude that makes weigh() in the page: the sizes of the programs'
// memories in bytes, the page's first, which never shrink. answers are the points of
// each answer of a worker that is not for a card (their columns are narrow), with what
// the page's `written` was then.
const weighing = `{
	const begin = WebAssembly.instantiate, line = new BroadcastChannel("weights");
	let live = 0;
	WebAssembly.instantiate = async (...a) => {
		const i = await begin.apply(WebAssembly, a), memory = i.exports.mem;
		if (!globalThis.document) line.onmessage = e => { if (e.data === "weigh") line.postMessage(memory.buffer.byteLength); };
		else globalThis.weigh = () => new Promise(done => {
			const got = [memory.buffer.byteLength];
			line.onmessage = e => { got.push(e.data); if (got.length === 1 + live) done(got); };
			line.postMessage("weigh");
		});
		return i;
	};
	if (globalThis.document) {
		globalThis.answers = [];
		globalThis.written = 0;
		globalThis.Worker = class extends Worker {
			constructor(...a) {
				super(...a);
				live++;
				this.addEventListener("message", e => { if (e.data.op === "answer" && !JSON.parse(e.data.json).some(p => p.narrow)) answers.push([e.data.buffer.byteLength / 32, written]); });
			}
			terminate() { live--; super.terminate(); }
		};
	}
}`

// weigh returns the sizes of the programs' memories in MB, the largest worker's last.
func weigh(p *Page) (page, worker float64) {
	p.t.Helper()
	var all []float64
	p.Eval(`weigh()`, &all)
	for _, b := range all[1:] {
		worker = max(worker, b/1e6)
	}
	return all[0] / 1e6, worker
}

// An export of a series that is much longer than the budget has every point that was
// logged, in file order and after restarts; it holds one piece at a time, and reads
// the next one when that has been written.
func TestStreamedExport(t *testing.T) {
	const first, from, to = 700_000, 600_000, 1_100_000
	dir := t.TempDir()
	for i, steps := range [][2]int64{{0, first}, {from, to}} {
		w, err := summary.NewWriter(filepath.Join(dir, "r"), summary.Options{FileName: fmt.Sprintf("events.out.tfevents.170000000%d.a.1.0", i)})
		if err == nil {
			err = w.SessionStart(steps[0])
		}
		for s := steps[0]; s < steps[1] && err == nil; s++ {
			err = w.Scalar("loss", sawtooth(i, s), s, summary.WallSeconds(1.7e9+float64(s)))
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	longRuns(t, dir, 1, 3000, "loss") // run_00
	h := newHost(t, dir)
	h.set(weighing, stored(`{"memory": 1, "autoReload": false}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact)
	var kept [2]int64
	p.Eval(`(s => [s.points, s.kept])(tensorbored.status())`, &kept)
	if kept[1] > 100_000 {
		t.Fatalf("%d of %d points are kept: the budget is too large for this test", kept[1], kept[0])
	}
	// The card hears of the runs a moment later than the status, and exports those that
	// it shows.
	p.Wait(`tbPaint.idle() && ` + note("loss") + `?.includes("points kept") && ` + card("loss") + `.list.length === 2`)

	// The file that the user chooses: written counts lines.
	p.Eval(`void (globalThis.showSaveFilePicker = async () => {
		globalThis.text = [];
		globalThis.written = 0;
		globalThis.ended = "";
		return {createWritable: async () => ({
			write: async t => { text.push(t); written += t.split("\n").length - 1; globalThis.at?.(); },
			close: async () => { ended = "closed"; }, abort: async () => { ended = "aborted"; },
		})};
	})`, nil)
	export := func(label string) {
		p.Eval(`void (answers.length = 0, document.querySelector('[data-tag="loss"] [data-do=more]').click())`, nil)
		p.Eval(`[...document.querySelectorAll(".menu .menu-item")].find(e => e.textContent === "`+label+`").click()`, nil)
	}
	page, worker := weigh(p)
	export("CSV of all points")
	p.Wait(`globalThis.ended`)
	var ended string
	if p.Eval(`ended`, &ended); ended != "closed" {
		var said string
		p.Eval(`document.querySelector(".tasks, .toasts, [role=status]")?.closest("body").innerText.slice(-400)`, &said)
		t.Fatalf("the export was %s: %s", ended, said)
	}
	page2, worker2 := weigh(p)
	// With a whole series in memory a worker took 110 MB more.
	if page2 > page+16 || worker2 > worker+32 {
		t.Errorf("the export took %.0f MB of the page's memory and %.0f of a worker's", page2-page, worker2-worker)
	}
	var answers [][2]int
	p.Eval(`answers`, &answers)
	sum := 0
	for i, a := range answers {
		if a[0] > scalars.PiecePoints || a[1] != 1+sum {
			t.Errorf("piece %d has %d points; %d of the %d before it had been written", i, a[0], a[1]-1, sum)
		}
		sum += a[0]
	}
	if sum != to+3000 || len(answers) < to/scalars.PiecePoints {
		t.Errorf("%d points in %d pieces", sum, len(answers))
	}
	want := sha256.New()
	fmt.Fprint(want, "run,wall_time,step,value\n")
	line := func(run string, r int, s int64) {
		fmt.Fprintf(want, "%s,%d,%d,%s\n", run, 1_700_000_000+s, s, strconv.FormatFloat(float64(float32(sawtooth(r, s))), 'f', -1, 64))
	}
	runs := map[string]func(){
		"r": func() {
			for s := range int64(to) {
				r := 0
				if s >= from {
					r = 1
				}
				line("r", r, s)
			}
		},
		"run_00": func() {
			for s := range int64(3000) {
				line("run_00", 0, s)
			}
		},
	}
	var order []string
	if p.Eval(`tensorbored.runs().then(r => r.map(r => r.name))`, &order); len(order) != 2 {
		t.Fatalf("runs %q", order)
	}
	for _, run := range order {
		runs[run]()
	}
	var sha string
	p.Eval(`crypto.subtle.digest("SHA-256", new TextEncoder().encode(text.join(""))).then(d => [...new Uint8Array(d)].map(b => b.toString(16).padStart(2, "0")).join(""))`, &sha)
	if sha != fmt.Sprintf("%x", want.Sum(nil)) {
		var lines []string
		p.Eval(`text.join("").split("\n").slice(0, 4)`, &lines)
		t.Errorf("the file is not what was logged; it begins %q", lines)
	}

	// Given up in the middle, it ends there, and leaves nothing behind it.
	p.Eval(`void (globalThis.at = () => { if (written > 200000) { at = null; [...document.querySelectorAll(".task")].at(-1).querySelector("button").click(); } })`, nil)
	export("CSV of all points")
	p.Wait(`globalThis.ended === "aborted"`)
	p.Wait(`[...document.querySelectorAll(".task")].some(e => e.textContent.includes("cancelled"))`)
	// What was on its way then may still come: the next piece and its bytes. These answers
	// stand behind all others.
	others := func() (answered int) {
		p.Eval(`tensorbored.scalars("r", "loss").then(() => tensorbored.scalars("run_00", "loss"))`, nil)
		p.Eval(`answers.length`, &answered)
		return answered
	}
	before := others()
	h.taken()
	after := others()
	var lines int
	p.Eval(`written`, &lines)
	if reads := h.taken(); len(reads) > 0 || after != before+2 || lines > 400_000 || before > lines/scalars.PiecePoints+4 {
		t.Errorf("after it was given up %v was read and %d answers came, after %d; %d lines were written", reads, after-before-2, before, lines)
	}

	// As JSON it is the same.
	var said string
	p.Eval(`void (globalThis.ended = "")`, nil)
	export("JSON of all points")
	p.Wait(`globalThis.ended === "closed"`)
	p.Eval(`JSON.parse(text.join("")).runs.map(r => r.run + " " + r.points.length).join()`, &said)
	if !strings.Contains(said, "r "+strconv.Itoa(to)) || !strings.Contains(said, "run_00 3000") {
		t.Errorf("of JSON there is %s", said)
	}
}
