//go:build !js

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of the table of runs.
const (
	lineTable     = "  index there → table of runs with all values"
	lineTableMany = "  index there → table of 10,000 runs with all values"
	lineSort      = "  sort by a column → drawn"
	lineFilter    = "  filter by a column → drawn"
	lineLines     = "  scrolling the table, worst frame"
	lineBrush     = "  brush over 12 axes → all lines drawn"
)

const (
	sweepParams  = 50
	sweepMetrics = 20
)

// sweep is a logdir of sessions with 50 hyperparameters, half of which differ, and 20
// metrics of five points.
func sweep(name string, runs int, measure func(t *table, l *logdir) error) logdir {
	size := generate.Size{Runs: runs, Tags: sweepMetrics, Steps: 5}
	return logdir{name: name, size: size, measure: measure, fill: func(dir string) error {
		r := rand.New(rand.NewPCG(3, 4))
		for i := range runs {
			if err := write(filepath.Join(dir, fmt.Sprintf("group_%02d/run_%05d", i%20, i)), func(w *summary.Writer) error {
				params := map[string]any{}
				for p := range sweepParams {
					switch {
					case p%2 == 0:
						params[fmt.Sprintf("same_%02d", p)] = p
					case p%5 == 0:
						params[fmt.Sprintf("name_%02d", p)] = []string{"adam", "sgd", "lion"}[r.IntN(3)]
					default:
						params[fmt.Sprintf("x_%02d", p)] = r.Float64()
					}
				}
				var metrics []string
				for m := range sweepMetrics {
					metrics = append(metrics, fmt.Sprintf("metric/%02d", m))
				}
				if err := w.HParams(params, metrics); err != nil {
					return err
				}
				for step := range size.Steps {
					for _, m := range metrics {
						if err := w.Scalar(m, r.Float64(), int64(step)); err != nil {
							return err
						}
					}
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// sweeping does in the page what a user does with a table of runs, and tells how many ms it
// took until it was seen: the median, of scrolling the worst frame.
const sweeping = `void (globalThis.tbSweep = (() => {
	const frame = () => new Promise((done) => requestAnimationFrame(done));
	const wait = (ms) => new Promise((done) => setTimeout(done, ms));
	const until = async (ok) => { while (!ok()) await frame(); };
	const rows = () => [...document.querySelectorAll(".hp-row")].filter((r) => !r.hidden);
	const first = () => rows().find((r) => r.getAttribute("aria-rowindex") === "2");
	const cells = (r) => [...r.querySelectorAll("[role=gridcell]")].filter((c) => !c.hidden);
	const heads = (only = "") => [...document.querySelectorAll(".hp-head [data-key]" + only)];
	const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
	const times = async (n, act) => {
		const all = [];
		for (let i = 0; i < n; i++) {
			await frame();
			const began = performance.now();
			await act(i);
			all.push(performance.now() - began);
			await wait(50);
		}
		return middle(all);
	};
	return {
		async table() {
			const began = performance.now();
			[...document.querySelectorAll(".tab")].find((b) => b.textContent === "Hyperparameters").click();
			await until(() => first() && cells(first()).length >= 5 && rows().every((r) => cells(r).every((c) => c.textContent)));
			const took = performance.now() - began;
			await wait(1000);
			return took;
		},
		sort: (n) => times(n, async (i) => {
			const key = heads().at(i >> 1).dataset.key;
			const head = () => heads().find((h) => h.dataset.key === key);
			head().querySelector(".sort").click();
			await until(() => head().hasAttribute("aria-sort"));
		}),
		async filter(n) {
			heads(".amount").at(-1).querySelector(".icon-button").click();
			const field = document.querySelector("[aria-label='At least']");
			const status = () => document.querySelector(".hp-foot [role=status]").textContent;
			const took = await times(n, async (i) => {
				const before = status();
				field.value = String(0.1 + i / 20);
				field.dispatchEvent(new Event("input", {bubbles: true}));
				await until(() => status() !== before);
			});
			document.querySelector(".popup").hidePopover();
			[...document.querySelectorAll(".hp-chips .text-button")].at(-1).click();
			return took;
		},
		async lines(n) {
			const table = document.querySelector(".hp-table");
			let worst = 0, last = await frame();
			for (let i = 0; i < n; i++) {
				table.scrollTop += 300;
				const now = await frame();
				worst = Math.max(worst, now - last);
				last = now;
			}
			return worst;
		},
		async plot() {
			const kind = document.querySelector("[aria-label=Plot]");
			kind.value = "parallel";
			kind.dispatchEvent(new Event("change"));
			await until(() => document.querySelector(".hp-plot [role=img]")?.ariaLabel);
			await wait(2000);
		},
		// A brush moves along the last axis but one, a place further in each frame.
		async brush(n) {
			const over = document.querySelector(".hp-plot [role=img]"), axis = [...document.querySelectorAll(".hp-axis")].at(-2);
			over.setPointerCapture = () => {};
			let shown = () => {};
			const work = tbH.Layer.prototype.work;
			tbH.Layer.prototype.work = function () {
				work.call(this);
				if (!this.busy()) shown();
			};
			const box = over.getBoundingClientRect(), head = axis.getBoundingClientRect(), x = head.x + head.width / 2;
			const send = (type, y) => over.dispatchEvent(new PointerEvent(type, {clientX: x, clientY: box.y + y, button: 0, bubbles: true, pointerId: 1}));
			send("pointerdown", 60);
			const took = await times(n, async (i) => {
				const drawn = new Promise((done) => { shown = done; });
				send("pointermove", 80 + 4 * i);
				await drawn;
			});
			send("pointercancel", 100);
			return took;
		},
	};
})())`

// showTable measures the table of a logdir that has been read: with all hyperparameters
// and metrics as columns.
func showTable(line string) func(t *table, l *logdir) error {
	return func(t *table, l *logdir) error {
		return measured(func(tb *tb) error {
			p := page{browsertest.Start(tb, browsertest.Chromium), tb}
			p.Resize(1440, 900)
			address := browsertest.Serve(tb, "--logdir", l.dir).URL
			p.Open(address + "#text") // a board that asks for nothing
			for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
				var phase string
				p.Eval(`window.tensorbored?.status().phase ?? ""`, &phase)
				if phase == "exact" {
					break
				}
				if time.Since(began) > longest {
					tb.Fatal("not read")
				}
			}
			p.Eval(sweeping, nil)
			var took float64
			// measure does something so many times, and tells what the user waited, and what the
			// page's thread worked, which what else the machine does hardly changes.
			measure := func(line, script string, times int) {
				before := pageTime()
				p.Eval(script, &took)
				t.add(l, line, measurement{took: ms(took)})
				t.add(l, line+processorTime, measurement{took: (pageTime() - before) / time.Duration(times)})
			}
			measure(line, `tbSweep.table()`, 1)
			measure(lineSort, `tbSweep.sort(12)`, 12)
			measure(lineFilter, `tbSweep.filter(12)`, 12)
			measure(lineLines, `tbSweep.lines(60)`, 60)
			p.Eval(`tbSweep.plot()`, nil)
			measure(lineBrush, `tbSweep.brush(40)`, 40)
			return nil
		})
	}
}
