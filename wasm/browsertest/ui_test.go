//go:build !js

package browsertest

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// These tests are of the page and its painter together. What a user does, and what is on
// screen then, is pinned down in wasm/e2e/page_*_test.go.

const hostile = `<img src=x onerror="document.title='owned'">`

// writeRun writes one event file into a run's directory.
func writeRun(t *testing.T, dir, run string, do func(w *summary.Writer) error) {
	t.Helper()
	w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
	if err == nil {
		err = do(w)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// uiLogs writes three runs: two that descend from 1, one with what is odd.
func uiLogs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(run string, do func(w *summary.Writer) error) {
		t.Helper()
		writeRun(t, dir, run, do)
	}
	for i, run := range []string{"sweep/a", "sweep/b"} {
		write(run, func(w *summary.Writer) error {
			for step := range int64(400) {
				wall := summary.WallSeconds(1.7e9 + 10*float64(step))
				v := math.Exp(-float64(step)/100) + float64(i)
				for _, tag := range []string{"train/loss", "train/lr", "eval/loss"} {
					if err := w.Scalar(tag, v, step, wall); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	write("odd", func(w *summary.Writer) error {
		for step, v := range []float64{1, math.NaN(), math.Inf(1), 2, math.Inf(-1)} {
			if err := w.Scalar("odd/values", v, int64(step)); err != nil {
				return err
			}
		}
		return w.Scalar(hostile, 1, 0, summary.AsTensor(), summary.Description(hostile))
	})
	return dir
}

const (
	cards  = `[...document.querySelectorAll(".card")].map(c => c.dataset.tag)`
	text   = `(s => document.querySelector(s)?.textContent ?? "")`
	charts = `[...tbPaint.charts].filter(c => c.near)`
)

func openUI(t *testing.T, kind Kind) *Page {
	t.Helper()
	p, _ := openLogs(t, kind)
	return p
}

func openLogs(t *testing.T, kind Kind) (p *Page, logdir string) {
	t.Helper()
	p, logdir = Start(t, kind), uiLogs(t)
	p.Resize(1440, 900)
	p.Open(Serve(t, "--logdir", logdir).URL)
	p.Wait(`(` + text + `)(".status-text").includes("points") && globalThis.tbPaint.idle() && ` + cards + `.length === 5`)
	p.Wait(charts + `.length === ` + cards + `.length && ` + charts + `.every(c => c.list.length > 0 && c.fresh === c.rev)`)
	return p, logdir
}

func TestPageShowsCurves(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		p := openUI(t, kind)
		var got struct {
			Cards  []string
			Runs   string
			Title  string
			Images int
			Ink    bool
		}
		p.Eval(`({cards: `+cards+`, runs: (`+text+`)(".run-head .check"), title: document.title,
			images: document.querySelectorAll("img").length,
			ink: `+charts+`.every(c => c.lines.getContext("2d").getImageData(0, 0, c.lines.width, c.lines.height).data.some(v => v > 0))})`, &got)
		if want := strings.Join([]string{hostile, "eval/loss", "odd/values", "train/loss", "train/lr"}, " "); strings.Join(got.Cards, " ") != want {
			t.Errorf("cards %q", got.Cards)
		}
		// A narrow window has no room for the folders that lead to the logdir.
		p.Resize(390, 800)
		p.Wait(`document.querySelector(".status-text").innerText.startsWith("001 · 3 runs")`)
		p.Resize(1440, 900)
		// What marks points lies exactly on what draws lines.
		p.Wait(charts + `.every(c => ["lines", "over"].map(k => JSON.stringify(c[k].getBoundingClientRect())).every((r, i, all) => r === all[0]))`)
		if got.Runs != "3 of 3 runs shown" || !got.Ink {
			t.Errorf("%+v", got)
		}
		if got.Images > 0 || strings.Contains(got.Title, "owned") {
			t.Error("a tag was taken for HTML")
		}
	})
}

func TestPageZoomTooltipDownload(t *testing.T) {
	p := openUI(t, Chromium)
	p.Eval(`void (globalThis.chart = `+charts+`.find(c => c.host.closest("[data-tag]").dataset.tag === "train/loss"))`, nil)
	p.Eval(`chart.host.scrollIntoView({block: "center"})`, nil)
	// A zoom asks again, for the points in it.
	p.Eval(`chart.zoomTo(100, 110, null, null)`, nil)
	p.Wait(`chart.list.length === 2 && chart.list.every(s => s.n < 40 && s.x[0] <= 100 && s.x.at(-1) >= 110)`)
	p.Eval(`chart.u.over.dispatchEvent(new MouseEvent("dblclick", {bubbles: true}))`, nil)
	p.Wait(`!chart.zoom && chart.list.every(s => s.x.at(-1) === 399)`)
	p.Wait(`!!chart.view`)
	p.Eval(`(() => {
		const b = chart.u.over.getBoundingClientRect(), at = {clientX: b.left + b.width / 2, clientY: b.top + b.height / 2, bubbles: true};
		for (const type of ["mouseenter", "mousemove", "mousedown", "mouseup", "click"]) chart.u.over.dispatchEvent(new MouseEvent(type, at));
	})()`, nil)
	p.Wait(`document.querySelectorAll(".tip.pinned tbody tr").length === 2`)
	p.Wait(`[...document.querySelectorAll(".tip.pinned .name")].map(e => e.textContent).sort().join() === "Run,sweep/a,sweep/b"`)

	p.Eval(`void (URL.createObjectURL = b => { globalThis.blob = b; return "data:,"; })`, nil)
	p.Eval(`document.querySelector('[data-tag="train/loss"] [data-do=more]').click()`, nil)
	p.Eval(`[...document.querySelectorAll(".menu .menu-item")].find(e => e.textContent.includes("CSV")).click()`, nil)
	p.Wait(`globalThis.blob`)
	var csv string
	p.Eval(`blob.text()`, &csv)
	if lines := strings.Split(strings.TrimSpace(csv), "\n"); len(lines) != 801 || lines[0] != "run,wall_time,step,value" || lines[1] != "sweep/a,1700000000,0,1" {
		t.Errorf("%d lines of CSV, the first %q", len(lines), lines[:min(2, len(lines))])
	}
}

// openPageSettings shows new data, memory and cache.
const openPageSettings = `document.querySelector(".status [aria-label='Page settings: new data, memory, plug-ins']").click()`

// A run that begins while the page is open comes by itself, into the cards that
// are there; a card that was zoomed stays where it was.
func TestPageFollows(t *testing.T) {
	p, logdir := openLogs(t, Chromium)
	p.Eval(openPageSettings, nil)
	p.Eval(`(e => { e.value = 1; e.dispatchEvent(new Event("input")); })(document.querySelector('[aria-label="Seconds between two looks"]'))`, nil)
	p.Eval(`void (globalThis.chart = `+charts+`.find(c => c.host.closest("[data-tag]").dataset.tag === "train/loss"))`, nil)
	p.Eval(`chart.zoomTo(100, 110, null, null)`, nil)
	p.Wait(`chart.list.every(s => s.n < 40)`)
	writeRun(t, logdir, "sweep/c", func(w *summary.Writer) error {
		for step := range int64(300) {
			if err := w.Scalar("train/loss", 0.5, step); err != nil {
				return err
			}
			if err := w.Scalar("late/tag", 0.5, step); err != nil {
				return err
			}
		}
		return nil
	})
	p.Wait(`chart.list.length === 3 && chart.zoom.x0 === 100`)
	p.Wait(cards + `.includes("late/tag") && (` + text + `)(".run-head .check") === "4 of 4 runs shown"`)
}

// The page alone invites to open a folder, and says why one shows nothing.
func TestPageAlone(t *testing.T) {
	p := Start(t, Chromium)
	p.Allow("404")
	p.Open(Serve(t).URL)
	p.Wait(`(` + text + `)(".shell-notice").includes("Drop a log folder")`)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("no events"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.SetFiles(`[data-testid=open-folder]`, dir)
	p.Wait(`(` + text + `)(".shell-notice").includes("Symbolic links")`)
	p.SetFiles(`[data-testid=open-folder]`, uiLogs(t))
	p.Wait(cards + `.length === 5 && (` + text + `)(".shell-notice") === ""`)
}
