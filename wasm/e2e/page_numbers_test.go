//go:build !js

package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// copied is what stands on the clipboard after a copy from a part of the page.
const copied = `(() => {
	const event = new ClipboardEvent("copy", {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
	(document.activeElement ?? e).dispatchEvent(event);
	return event.clipboardData.getData("text/plain");
})()`

// Numbers of the table of runs and of a comparison can be read: few digits, exponents kept,
// decimal points below each other, nothing cut off; the whole of them on hover, on focus and
// on copy. The best of a metric is marked, and which one that is can be chosen.
func TestPageNumbers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, o := range []struct{ lr, decay, loss float64 }{{4.02382512e-05, 0.1, 0.123456789012}, {0.0123456789012, 0.05, 12.3456789}, {0.00098765432109, 0.001, 1.5}} {
		w, err := summary.NewWriter(filepath.Join(dir, fmt.Sprintf("r%d", i)), summary.Options{})
		if err == nil {
			err = w.HParams(map[string]any{"lr": o.lr, "decay": o.decay}, []string{"loss"}, summary.WallSeconds(epoch))
		}
		if err == nil {
			err = w.Scalar("loss", o.loss, 7, summary.WallSeconds(epoch), summary.Double())
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#hparams")
	s.gridIs("Run | decay | lr | loss", "+r0 | 0.1 | 4.024e-05 | 0.1235", "+r1 | 0.05 | 1.235e-02 | 12.35", "+r2 | 0.001 | 9.877e-04 | 1.5")
	table := s.Control("grid", "Runs")
	// points is where the decimal points of a column are, its cells cut off or not.
	points := func(column int) string {
		return fmt.Sprintf(`[...e.querySelectorAll(".hp-row:not([hidden]) [aria-colindex='%d']")].map(c => {
			const r = document.createRange(), at = c.firstChild.data.indexOf(".");
			r.setStart(c.firstChild, at); r.setEnd(c.firstChild, at + 1);
			return Math.round(r.getBoundingClientRect().x) + (c.scrollWidth > c.clientWidth ? " cut off" : "");
		})`, column)
	}
	for column := 2; column <= 4; column++ {
		table.Is(`(x => x.length === 3 && x.every(v => v === x[0]) && !x[0].includes("cut"))(` + points(column) + `)`)
	}
	best := func(want string) {
		t.Helper()
		table.Is(`[...e.querySelectorAll(".hp-row:not([hidden])")].filter(r => r.querySelector("[aria-description=best]")).map(r => r.querySelector(".text").textContent).join() === "` + want + `"`)
	}
	best("r0") // of a loss the lowest
	menu := func(item string) {
		t.Helper()
		table.Control("columnheader", "loss*").Control("button", "loss*").Get(`e.dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}))`, nil)
		s.Control("menuitem", item).Click()
	}
	menu("Highest is best")
	best("r1")
	s.hash("#hparams&best=last%3Fname%3Dloss:high")
	s.again()
	best("r1")
	menu("None is best")
	best("")
	menu("Lowest is best")
	best("r0")
	menu("✓ Lowest is best") // it says so, and chosen again it stays
	best("r0")
	s.hash("#hparams")

	// The whole of a value: on hover, on focus, on copy of one and of several.
	cell := table.Control("row", "r1*").Control("gridcell", "1.235e-02")
	cell.Hover()
	cell.Is(`e.title === "0.0123456789012"`)
	table.Control("row", "r1*").Control("checkbox", "r1").Get("e.focus()", nil)
	s.Press("ArrowRight")
	s.Press("ArrowRight")
	cell.Focused()
	s.Control("tooltip", "*").Says("0.0123456789012")
	var text string
	cell.Get(copied, &text)
	if text != "0.0123456789012" {
		t.Errorf("copied of one cell: %q", text)
	}
	s.Press("ArrowUp")
	s.Control("tooltip", "*").Says("4.02382512e-05")
	s.Press("ArrowLeft")
	s.Press("ArrowLeft")
	table.Control("checkbox", "r0").Focused()
	s.Control("tooltip", "*").Gone()
	table.Get(`getSelection().selectAllChildren(e.querySelector(".hp-body"))`, nil)
	table.Get(strings.Replace(copied, "document.activeElement ?? e", "e", 1), &text)
	if want := "r0\t0.1\t4.02382512e-05\t0.123456789012\nr1\t0.05\t0.0123456789012\t12.3456789\nr2\t0.001\t0.00098765432109\t1.5"; text != want {
		t.Errorf("copied of the table:\n%s\nwant\n%s", text, want)
	}

	// A column takes the width that is drawn, and again what it needs.
	b := table.Control("columnheader", "lr*").Box()
	edge := browsertest.Point{X: b.X + b.Width, Y: b.Middle().Y}
	s.Drag(edge, browsertest.Point{X: edge.X + 60, Y: edge.Y})
	table.Control("columnheader", "lr*").Is(fmt.Sprintf("e.offsetWidth > %v", b.Width+40))
	s.DoubleClick(browsertest.Point{X: edge.X + 60, Y: edge.Y})
	table.Control("columnheader", "lr*").Is(fmt.Sprintf("e.offsetWidth === %v", b.Width))

	// Side by side.
	s.Control("button", "Compare").Click()
	s.compares(" | r0 | r1 | r2", "Hyperparameters", "decay | 0.1 | 0.05 | 0.001", "lr | 4.024e-05 | 1.235e-02 | 9.877e-04",
		"Metrics", "loss last | 0.1235 at 7 | 12.35 at 7 | 1.5 at 7", "loss min | 0.1235 at 7 | 12.35 at 7 | 1.5 at 7", "loss max | 0.1235 at 7 | 12.35 at 7 | 1.5 at 7")
	s.Control("region", "Comparison of runs").Is(`[...e.querySelectorAll("td")].some(c => c.title === "0.0123456789012") && [...e.querySelectorAll("td")].every(c => c.getClientRects().length === 1 && c.offsetHeight < 40)`)
}

// Values under the pointer, in the tooltip and in the run list, have their points below each other.
func TestPagePointsBelowEachOther(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i, v := range []float64{0.5, 0.8125, 2.25, 12} {
		l.run(fmt.Sprint("r", i), map[string][]point{"m": {at(0, epoch, v), at(5, epoch+1, v), at(9, epoch+2, v)}})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.Hover(s.still("m").at(5, 6))
	// places are where the points stand; a number without one has it after its end.
	const places = `(cells => {
		const at = cells.filter(c => /\d/.test(c.textContent)).map(c => {
			const text = [...c.childNodes].find(n => n.nodeType === 3), r = document.createRange(), i = text.data.indexOf(".");
			r.setStart(text, i < 0 ? text.length - 1 : i);
			r.setEnd(text, i < 0 ? text.length : i + 1);
			return r.getBoundingClientRect()[i < 0 ? "right" : "left"];
		});
		return at.length === 4 && Math.max(...at) - Math.min(...at) < 1.5;
	})`
	s.Wait(places + `([...document.querySelectorAll(".tip:not(.pinned) tbody tr")].map(r => r.cells[2]))`)
	s.Wait(places + `([...document.querySelectorAll("[role=list][aria-label=Runs] .run-value")].filter(e => e.checkVisibility()))`)
	// Where not all numbers have so much room, or one has an exponent, none is padded.
	for _, c := range []struct{ texts, want []string }{
		{[]string{"0.8303", "0.852", "1", ""}, []string{"", "0", ".0000", ""}},
		{[]string{"≈ 0.5", "-1.25"}, []string{"0", ""}},
		{[]string{"1,149.5", "0.00125"}, []string{"", ""}},
		{[]string{"1e-5", "0.5", "2.25"}, []string{"", "", ""}},
		{[]string{"12", "7"}, []string{"", ""}},
		{[]string{"NaN", "0.5", "2.25"}, []string{"", "", ""}},
	} {
		var got []string
		if s.Eval(fmt.Sprintf(`tbPaint.pads("%s".split("|"), 8)`, strings.Join(c.texts, "|")), &got); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
}
