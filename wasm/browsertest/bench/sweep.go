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
			var took struct{ Table, Sort, Filter, Worst float64 }
			p.Eval(`(async () => {
				const frame = () => new Promise((done) => requestAnimationFrame(done));
				const until = async (ok) => { while (!ok()) await frame(); };
				const rows = () => [...document.querySelectorAll(".hp-row")].filter((r) => !r.hidden);
				const first = () => rows().find((r) => r.getAttribute("aria-rowindex") === "2");
				const cells = (r) => [...r.querySelectorAll("[role=gridcell]")].filter((c) => !c.hidden);
				const out = {};
				let began = performance.now();
				[...document.querySelectorAll(".tab")].find((b) => b.textContent === "Hyperparameters").click();
				await until(() => first() && cells(first()).length >= 20 && rows().every((r) => cells(r).every((c) => c.textContent)));
				out.Table = performance.now() - began;
				await new Promise((done) => setTimeout(done, 1000));
				const times = async (n, act) => {
					const all = [];
					for (let i = 0; i < n; i++) {
						await frame();
						const began = performance.now();
						await act(i);
						all.push(performance.now() - began);
						await new Promise((done) => setTimeout(done, 300));
					}
					return all.sort((a, b) => a - b)[n >> 1];
				};
				const heads = () => [...document.querySelectorAll(".hp-head [data-key]")];
				out.Sort = await times(9, async (i) => {
					const key = heads().at(i).dataset.key;
					const head = () => heads().find((h) => h.dataset.key === key);
					head().querySelector(".sort").click();
					await until(() => head().hasAttribute("aria-sort"));
				});
				heads()[heads().length - 1].querySelector(".icon-button").click();
				const field = document.querySelector("[aria-label='At least']");
				const status = () => document.querySelector(".hp-foot [role=status]").textContent;
				out.Filter = await times(9, async (i) => {
					const before = status();
					field.value = String(0.1 + i / 20);
					field.dispatchEvent(new Event("input", {bubbles: true}));
					await until(() => status() !== before);
				});
				document.querySelector(".popup").hidePopover();
				const table = document.querySelector(".hp-table");
				let worst = 0, last = await frame();
				for (let i = 0; i < 60; i++) {
					table.scrollTop += 300;
					const now = await frame();
					worst = Math.max(worst, now - last);
					last = now;
				}
				out.Worst = worst;
				return out;
			})()`, &took)
			t.add(l, line, measurement{took: ms(took.Table), memory: tabMemory()})
			t.add(l, lineSort, measurement{took: ms(took.Sort)})
			t.add(l, lineFilter, measurement{took: ms(took.Filter)})
			t.add(l, lineLines, measurement{took: ms(took.Worst)})
			return nil
		})
	}
}
