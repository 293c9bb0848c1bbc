//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// On a phone every column of the table of runs and of a comparison can be reached: a line says
// which are seen, of how many, its buttons bring the others, and the names stay. Where all have
// room there is no such line.
func TestPagePhoneTables(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 4 {
		l.file(fmt.Sprintf("sweep/a_long_name_of_a_run,lr=%d.5e-05,seed=%d", 1+i/2, i), "1.host.1.0", func(w *summary.Buffer) {
			w.HParams(map[string]any{"lr": float64(1+i/2) * 1.5e-5, "batch": 16 << i, "dropout": 0.1 * float64(i), "optimizer": []string{"adam", "sgd"}[i%2]}, []string{"loss", "accuracy"})
			w.Scalar("loss", float64(i), 0)
			w.Scalar("gradient_norm/of_hidden1", 1, 0)
			w.Scalar("gradient_norm/of_output", 2, 0)
			w.Scalar("accuracy", 1/float64(i+1), 0)
			w.PRCurve("val", []bool{true, false, true}, []float64{0.9, 0.2 * float64(i), 0.6}, 0)
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(390, 844)
	s.fresh("#hparams")
	walk := func(el browsertest.Control, table, head, name string) {
		t.Helper()
		all := 0
		seen := map[string]bool{}
		el.Is(`/^Columns? \d.* of \d+: scroll sideways/.test(e.querySelector(".hp-aside:not([hidden]) [role=status]")?.textContent)`)
		el.Get(`+e.querySelector(".hp-aside:not([hidden]) [role=status]").textContent.match(/of (\d+)/)[1]`, &all)
		for range all + 1 {
			var now []string
			el.Get(fmt.Sprintf(`(() => {
				const table = e.querySelector(%q), box = table.getBoundingClientRect(), stays = table.querySelector(%q).getBoundingClientRect();
				if (Math.abs(stays.left - box.left) > 2) return ["the names went away"];
				return [...table.querySelectorAll(%q)].filter(h => { const b = h.getBoundingClientRect(); return b.left > stays.right - 3 && b.right < box.right + 3; }).map(h => h.textContent);
			})()`, table, name, head), &now)
			if slices.Contains(now, "the names went away") || len(now) == 0 {
				t.Fatalf("columns seen: %q", now)
			}
			for _, h := range now {
				seen[h] = true
			}
			var end bool
			if el.Control("button", "Columns to the right").Get(`e.disabled`, &end); end {
				break
			}
			el.Control("button", "Columns to the right").Click()
		}
		if len(seen) != all {
			t.Errorf("of %d columns these are reached: %v", all, seen)
		}
		el.Control("button", "Columns to the left").Click()
	}
	main := s.Control("main", "*")
	main.Is(`e.querySelector(".hp-head").textContent.includes("optimizer")`) // until hyperparameters are known all scalars are columns
	walk(main, ".hp-table", ".hp-head .hp-col:not(.hp-name)", ".hp-head .hp-name")
	// So does the keyboard: the cell that has the focus is in sight.
	main.Get(`e.querySelector(".hp-table .hp-row input").focus()`, nil)
	for range 7 {
		s.Press("ArrowRight")
	}
	main.Is(`(() => {
		const cell = document.activeElement, b = cell.getBoundingClientRect(), table = e.querySelector(".hp-table").getBoundingClientRect();
		return cell.ariaColIndex === "7" && b.left >= table.left && b.right <= table.right + 1;
	})()`)
	s.Control("button", "Compare").Click()
	walk(s.Control("region", "Comparison of runs"), ".hp-compare", "thead th:not(:first-child)", "thead th:first-child")
	s.Control("button", "Close").Click()
	s.Resize(1280, 844)
	main.Is(`!e.querySelector(".hp-aside:not([hidden])")`)

	// Names below PR curves differ, too.
	s.Resize(390, 844)
	s.Eval(`void (location.hash = "#pr_curves")`, nil)
	main.Is(`(() => {
		const names = [...e.querySelectorAll(".pr-table td.name")];
		return names.length === 4 && new Set(names.map(n => n.textContent)).size === 4 && names.every(n => n.scrollWidth <= n.clientWidth + 1) && e.querySelector(".pr-table th").textContent.includes("seed") && e.querySelector(".pr-table").scrollWidth <= e.querySelector(".pr-table").clientWidth;
	})()`)

	// So do the tags in the key of a card of several.
	s.Eval(`void (location.hash = "#timeseries&cards=gradient_norm/of_hidden1:gradient_norm/of_output")`, nil)
	main.Is(`(() => {
		const tags = [...e.querySelectorAll(".plot-tag")];
		return tags.length === 2 && tags.every(t => t.scrollWidth <= t.clientWidth + 1) && tags[0].textContent.endsWith("hidden1") && tags[1].textContent.endsWith("output");
	})()`)
}
