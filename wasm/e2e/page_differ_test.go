//go:build !js

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Runs with long names that are the same but for a little in the middle are told apart in the
// list, the table, a comparison and the tooltip: what is common stands once, above, and the
// whole name is told on hover and on focus.
func TestPageNamesDiffer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 6 {
		run := fmt.Sprintf("sweep-2024/resnet50_imagenet/relu_t0=2_kH=0.00%d_lr=4.02e-05_seed=%d_with_a_long_tail", 1+i/2, i%2)
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err == nil {
			err = w.HParams(map[string]any{"kH": i / 2}, []string{"loss"}, summary.WallSeconds(epoch))
		}
		for step := range int64(3) {
			if err == nil {
				err = w.Scalar("loss", float64(10*i), step, summary.WallSeconds(epoch))
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#timeseries&smoothing=0")
	want := `["kH=0.001_…seed=0", "kH=0.001_…seed=1", "kH=0.002_…seed=0", "kH=0.002_…seed=1", "kH=0.003_…seed=0", "kH=0.003_…seed=1"]`
	area := s.Control("complementary", "Runs")
	area.Control("button", "Order and columns").Click()
	s.Control("dialog", "Order and columns").Control("checkbox", "Values*").Click()
	s.Press("Escape")
	list := area.Control("list", "Runs")
	list.Is(`JSON.stringify([...e.querySelectorAll(".run:not(.folder)")].filter(r => r.checkVisibility()).map(r => r.querySelector(".run-name").textContent)) === JSON.stringify(` + want + `)`)
	list.Is(`[...e.querySelectorAll(".run:not(.folder) .run-name > span")].every(x => x.scrollWidth <= x.clientWidth + 1)`)
	list.Is(`e.querySelector(".folder").textContent.includes("relu_t0=2_…lr=4.02e-05_…with_a_long_tail")`)
	whole := "sweep-2024/resnet50_imagenet/relu_t0=2_kH=0.002_lr=4.02e-05_seed=1_with_a_long_tail"
	row := list.Control("checkbox", whole)
	row.Is(fmt.Sprintf(`e.closest(".run").querySelector(".run-name").title === %q`, whole))
	row.Get(`(document.querySelector("[type=search]").focus(), e.focus({focusVisible: true}))`, nil)
	row.Is(fmt.Sprintf(`getComputedStyle(e.closest(".run").querySelector(".run-name"), "::before").content === %q`, `"`+whole+`"`))

	p := s.still("loss")
	s.Click(p.at(1, 20))
	s.Until(func() string {
		seen := map[string]bool{}
		for _, r := range s.tip(true).Rows {
			seen[r["Run"]] = true
		}
		if len(seen) != 6 {
			return fmt.Sprintf("the table says %v", s.tip(true))
		}
		return ""
	})
	s.Press("Escape")
	s.Control("button", "Hyperparameters").Click()
	table := s.Control("grid", "Runs")
	table.Is(`JSON.stringify([...e.querySelectorAll(".hp-row:not([hidden]) .text")].map(x => x.textContent).sort()) === JSON.stringify(` + want + `)`)
	table.Is(`e.querySelector(".hp-head").textContent.includes("sweep-2024/resnet50_imagenet/relu_t0=2_…")`)
	s.Control("button", "Compare").Click()
	s.Control("region", "Comparison of runs").Is(`new Set([...e.querySelectorAll("thead th")].slice(1).map(h => h.textContent)).size === 6`)
}

// In a sweep whose runs and tags have long names, none of two that differ looks like the
// other: in the list beside its values, as titles of cards, at histograms, in the values under
// the pointer, and as heads of columns.
func TestPageSweepNames(t *testing.T) {
	t.Parallel()
	const runs = 12
	dir := t.TempDir()
	for i := range runs {
		run := fmt.Sprintf("sweep-2026/resnet50_imagenet_lr=%g,opt=%s,warmup=%d,seed_0",
			[]float64{3e-4, 1e-3, 4.02382512e-5}[i%3], []string{"adamw", "sgd"}[i/3%2], []int{500, 1000}[i/6])
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		for k, tag := range []string{"0.self_attention.query", "0.self_attention.value", "11.self_attention.query"} {
			for step := range int64(20) {
				if err == nil {
					err = w.Scalar("eval/model.encoder.layers."+tag+".weight.grad_norm", float64(i+20*k), step, summary.WallSeconds(epoch))
				}
			}
		}
		if err == nil {
			err = w.Histogram("model.encoder.layers.0.self_attention.query.weight", []float64{1, 2, float64(i)}, 0, summary.WallSeconds(epoch))
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := come(t, browsertest.Chromium, dir)
	s.Resize(1280, 900)
	// differ waits until so many elements say so many different things, and none is cut.
	differ := func(selector string, n int) {
		t.Helper()
		s.Wait(fmt.Sprintf(`(() => {
			const all = [...document.querySelectorAll(%q)].filter((e) => e.checkVisibility() && e.innerText.trim());
			return all.length >= %d && new Set(all.map((e) => e.innerText)).size === %[2]d &&
				all.flatMap((e) => [e, ...e.children]).every((e) => e.scrollWidth <= e.clientWidth + 1 || getComputedStyle(e).display === "inline");
		})()`, selector, n))
	}
	s.fresh("#timeseries&smoothing=0")
	differ(".run:not(.folder) .run-name", runs)
	differ("article[data-card*=scalars] .card-title", 3)
	var common string
	s.Control("complementary", "Runs").Get(`e.querySelector(".folder .run-common").title`, &common)
	if want := "lr, opt, warmup · resnet50_imagenet_…seed_0"; common != want {
		t.Errorf("what the names have in common is %q, want %q", common, want)
	}
	p := s.still("eval/model.encoder.layers.11.self_attention.query.weight.grad_norm")
	s.Hover(p.at(10, 45))
	s.Until(func() string {
		tip, seen := s.tip(false), map[string]bool{}
		for _, r := range tip.Rows {
			seen[r["Run"]] = true
			if r["Time"] != "" { // the same in all rows
				seen = nil
				break
			}
		}
		if len(seen) != len(tip.Rows) || !seen["lr=0.0003,opt=sgd,warmup=1000"] {
			return fmt.Sprintf("the tooltip says %v", tip)
		}
		return ""
	})
	s.Press("Escape")
	s.Control("navigation", "*").Control("button", "Histograms").Click()
	differ("article .card-run", runs)
	s.Control("button", "Hyperparameters").Click()
	differ(".hp-col:not(.hp-name) .sort span", 3)
	differ(".hp-row:not([hidden]) .text", runs)
}

// In the list as wide as it comes, beside its values and in a folder of a folder, the runs of a
// sweep say the values in which they differ; what is left out of them stands above.
func TestPageSweepInNarrowList(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 18 {
		l.run(fmt.Sprintf("demos/scalars/t0=%d,tA=%d,kH=0.00%d", 270+40*(i%3), 270+40*(i/3%3), 1+4*(i/9)),
			map[string][]point{"loss": {at(0, epoch, float64(i)), at(1, epoch, 1)}})
	}
	l.run("other", map[string][]point{"loss": curve(1, 0, 2)})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.still("loss")
	list := s.Control("complementary", "Runs").Control("list", "Runs")
	list.Is(`(() => {
		const rows = [...e.querySelectorAll(".run:not(.folder)")].filter(r => r.checkVisibility() && /kH/.test(r.querySelector(".run-name").title));
		const names = rows.map(r => r.querySelector(".run-name")), texts = names.map(n => n.textContent);
		return rows.length === 18 && new Set(texts).size === 18 && texts.every(x => /^(270?|310?|350?), ?(270?|310?|350?), ?(0\.00|…)?[15](e-3)?$/.test(x)) &&
			names.flatMap(n => [n, ...n.children]).every(x => x.scrollWidth <= x.clientWidth + 1);
	})()`)
	list.Is(`[...e.querySelectorAll(".folder")].some(f => /^t0.*, tA.*, kH/.test(f.querySelector(".run-common")?.title))`)
}

// A title is cut no more than its own card wants: a card beside it, whose title shares its
// head with a run's name, has less room.
func TestPageTitlesBesideRuns(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("a_run_of_some_length", "1700000000.host.1.0", func(w *summary.Buffer) {
		for _, part := range []string{"hidden1", "hidden2", "output"} {
			w.Scalar("net/squared_gradient_norm_of_the_first_layer_of_all_experts/"+part, 1, 0, summary.WallSeconds(epoch))
		}
		w.Histogram("net/what_the_weights_of_experts_are/hidden1", []float64{1, 2, 3}, 0, summary.WallSeconds(epoch))
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1280, 900)
	s.fresh("#timeseries")
	s.Wait(`(() => {
		const all = [...document.querySelectorAll("article .card-title")].filter((e) => e.checkVisibility());
		const text = document.createRange();
		return all.length >= 4 && all.every((e) => {
			text.selectNodeContents(e);
			const own = text.getBoundingClientRect().width, run = e.parentElement.querySelector(".card-run");
			return /…(.*\/)?(hidden\d|output)$/.test(e.innerText) && e.scrollWidth <= e.clientWidth + 1
				&& (run?.checkVisibility() || own > .6 * e.clientWidth);
		});
	})()`)
}

// Names of thousands of runs in one folder are told apart as those of a few: wherever the list
// and the table are scrolled to, none is cut, none looks like another, what all have in common
// stands above, and what is common to the rows on the screen alone stays.
func TestPageThousandsOfNames(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	const runs = 2300
	for i := range runs {
		l.run(fmt.Sprintf("sweep/model_resnet50_imagenet,opt=%s,lr=%d.5e-05,warmup=1000,seed=%04d", []string{"adam", "sgd"}[2*i/runs], 1+i%9, i), map[string][]point{
			"loss": {at(0, epoch, float64(i))},
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries")
	area := s.Control("complementary", "Runs")
	area.Control("button", "Order and columns").Click()
	s.Control("dialog", "Order and columns").Control("checkbox", "Values*").Click()
	s.Press("Escape")
	area.Control("status", "20 of 2,300 runs shown").Is(`e.offsetHeight < 20 && e.title === e.textContent`) // in one line
	list := area.Control("list", "Runs")
	look := func(rows, text string) string {
		return `(() => {
			const rows = [...e.querySelectorAll("` + rows + `")].filter(r => r.checkVisibility()), names = rows.map(r => r.querySelector("` + text + `"));
			const seen = new Set(names.map(n => n.textContent));
			return rows.length > 10 && seen.size === rows.length && names.every(n => /adam|sgd/.test(n.textContent) && !/resnet|warmup/.test(n.textContent) && n.scrollWidth <= n.clientWidth + 1);
		})()`
	}
	list.Is(`e.querySelector(".folder").textContent.includes("resnet50") && e.querySelector(".folder").textContent.includes("warmup=1000")`)
	list.Is(look(".run:not(.folder)", ".run-name"))
	for _, part := range []string{"0.5", "0.997", "0.2"} {
		list.Get(`void (e.closest(".run-scroll").scrollTop = e.offsetHeight * `+part+`)`, nil)
		list.Is(`[...e.querySelectorAll(".run:not(.folder)")].some(r => r.checkVisibility() && Math.abs(r.getBoundingClientRect().y - 400) < 40)`)
		list.Is(look(".run:not(.folder)", ".run-name"))
	}
	s.Control("button", "Hyperparameters").Click()
	table := s.Control("grid", "Runs")
	table.Is(look(".hp-row[aria-rowindex]", ".text"))
	table.Is(`e.querySelector(".hp-head").textContent.includes("resnet50")`)
}

// The head of the run list's values says its tag and step as one text: it is cut only where it
// has no room, and then without holes.
func TestPageHeadOfValues(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	short, long := "norm/hidden1", "gradient_norm/of_all_experts/by_the_router_of_the_block/hidden1"
	l.run("a", map[string][]point{short: {at(0, epoch, 1), at(9, epoch, 2)}, long: {at(0, epoch, 1), at(9, epoch, 2)}})
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1280, 1000)
	s.fresh("#timeseries&smoothing=0")
	for tag, cut := range map[string]bool{short: false, long: true} {
		s.Hover(s.still(tag).at(9, 2))
		s.Control("complementary", "Runs").Is(fmt.Sprintf(`(() => {
			const head = e.querySelector(".run-columns"), [front, back, place] = [...head.querySelectorAll(".cut > span"), head.lastElementChild];
			const text = e => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); };
			const seen = front.getBoundingClientRect(), cut = front.scrollWidth > front.clientWidth + 1;
			return head.title.startsWith(%q) && cut === %t && Math.abs(text(place).left - (back.textContent ? text(back).right : seen.right)) < 2 && (!back.textContent || Math.abs(text(back).left - seen.right) < 2);
		})()`, tag, cut))
	}
}
