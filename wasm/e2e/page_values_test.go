//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// digits is a logdir of values that only their last digits tell apart, of runs with long
// names that only their ends do.
func digits(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	for i, end := range []string{"seed_1", "seed_2"} {
		run := "experiments/2024-11-20/resnet50-with-a-very-long-description/learning_rate=0.00031/weight_decay=0.0001/" + end
		l.put(l.path(run, "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
			for step := range int64(11) {
				for tag, v := range map[string]float64{
					"close": 0.9999 + 0.00001*float64(step) + 0.000001*float64(i), "large": 123757312 + 8*float64(step),
					"below": -1 - float64(step), "both": map[bool]float64{true: 0.01, false: -0.01}[step%2 == 0] * float64(step+1),
				} {
					if err := w.Scalar(tag, v, step, summary.WallSeconds(epoch+float64(step)), summary.As(summary.Float64)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}))
	}
	return l
}

// The table of values has the digits that tell neighbours apart, all of them when it is
// copied; it names its tag, marks its step, and can be read by the keyboard alone.
func TestPageValues(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, digits(t).dir)
	s.fresh("#timeseries&smoothing=0")
	p := s.still("close")
	s.Hover(p.Box.Part(0.5, 0.5))
	s.Until(func() string {
		tip := s.tip(false)
		got := ""
		for _, r := range tip.Rows {
			got += r["Run"] + " " + r["Value"] + " " + r["Step"] + "\n"
		}
		if len(tip.Rows) != 2 || !strings.Contains(got, "0.99995 5") || !strings.Contains(got, "0.999951 5") || !strings.Contains(got, "seed_1") || !strings.Contains(got, "seed_2") {
			return "the tooltip says " + got
		}
		return ""
	})
	p = s.still("large")
	s.Hover(p.Box.Part(0.5, 0.5))
	s.tips(false, []string{"Value", "Step"}, []string{"123,757,352", "5"}, []string{"123,757,352", "5"})
	s.Until(func() string {
		p, _ := s.plotOf("large")
		for i, a := range texts(p.ys) {
			for _, b := range texts(p.ys)[:i] {
				if a == b {
					return fmt.Sprintf("the axis says %q", texts(p.ys))
				}
			}
		}
		return ""
	})

	// Nothing spills, on a narrow screen either.
	for _, width := range []int{1600, 390} {
		s.Resize(width, 900)
		p = s.still("close")
		s.Hover(p.Box.Part(0.4, 0.5))
		s.Until(func() string {
			var out []float64
			if err := s.TryEval(`(e => [e.scrollWidth - e.clientWidth, e.getBoundingClientRect().right - innerWidth, e.querySelector("table").getBoundingClientRect().right - e.getBoundingClientRect().right])
				([...document.querySelectorAll("body > div")].find(e => e.querySelector("table") && e.checkVisibility()))`, &out); err != nil {
				return err.Error()
			}
			if out[0] > 0 || out[1] > 0 || out[2] > 0 {
				return fmt.Sprintf("%d pixels wide: the tooltip spills by %v", width, out)
			}
			return ""
		})
		s.Click(p.Box.Part(0.4, 0.5))
		table := s.Control("dialog", "Values")
		table.Is(`e.getBoundingClientRect().right <= innerWidth && e.innerText.startsWith("close") && /Relative/.test(e.innerText)`)
		table.Is(`(e.scrollLeft = 1e6, true) && e.querySelector("table").getBoundingClientRect().right <= e.getBoundingClientRect().right`)
		s.Press("Escape")
		table.Gone()
	}
	s.Resize(1600, 1000)

	// By the keyboard: open at the last point, go along, close.
	card := s.Control("article", "close")
	card.Get("e.focus()", nil)
	s.Press("Enter")
	table := s.Control("dialog", "Values")
	table.Focused()
	s.tips(true, []string{"Value", "Step"}, []string{"1", "10"}, []string{"1.000001", "10"})
	s.Press("ArrowLeft")
	s.tips(true, []string{"Step"}, []string{"9"}, []string{"9"})
	s.Press("Home")
	s.tips(true, []string{"Step"}, []string{"0"}, []string{"0"})
	s.Press("ArrowRight")
	s.tips(true, []string{"Step"}, []string{"1"}, []string{"1"})
	card.Is(`(line => line && getComputedStyle(line).visibility === "visible")(e.querySelector(".plot-pin"))`)
	var text string
	table.Get(`(() => {
		getSelection().selectAllChildren(e.querySelector("table"));
		const event = new ClipboardEvent("copy", {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
		e.querySelector("table").dispatchEvent(event);
		return event.clipboardData.getData("text/plain");
	})()`, &text)
	if !strings.Contains(text, "Run\tValue\tStep\tTime\tRelative\n") || !strings.Contains(text, "/seed_1\t0.99991\t1\t2023-11-14T22:13:21.000Z\t1\n") {
		t.Errorf("copied: %q", text)
	}
	s.Press("Escape")
	table.Gone()
	card.Focused()
}

// What a scale cannot show is said; a symlog axis has round values where the data are.
func TestPageOddScales(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, digits(t).dir)
	s.fresh("#timeseries&smoothing=0&y=log10")
	s.Control("article", "below").Get(`e.scrollIntoView({block: "nearest"})`, nil)
	s.Control("article", "below").Is(`e.innerText.includes("No value here is above 0")`)
	s.Control("article", "below").Is(`e.querySelector("[role=img]").ariaLabel.includes("No value here is above 0")`)
	s.Control("article", "both").Is(`!e.innerText.includes("No value")`)
	s.Control("radiogroup", "Vertical scale").Control("radio", "Symlog").Click()
	s.Control("article", "below").Is(`!e.innerText.includes("No value")`)
	s.axes("both", "", "-0.1 -0.02 0 0.02 0.1")
	zone := s.Control("textbox", "Symlog is linear within ±")
	zone.Fill("0.001")
	s.axes("both", "", "-0.1 -0.01 0 0.01 0.1")
	s.stored(0.001, "symlogZone")
	zone.Fill("x")
	zone.Is(`e.getAttribute("aria-invalid") === "true"`)
	// What is no value does not stay when the field is left.
	s.Press("Tab")
	zone.Is(`e.value === "0.001" && !e.hasAttribute("aria-invalid")`)
	// It is there as long as one of the scales is such.
	s.Control("radiogroup", "Vertical scale").Control("radio", "Linear").Click()
	zone.Gone()
	s.Control("radiogroup", "Horizontal scale").Control("radio", "Symlog").Click()
	zone.Wait()
	s.Control("radiogroup", "Horizontal scale").Control("radio", "Linear").Click()
	zone.Gone()
	s.Control("radiogroup", "Vertical scale").Control("radio", "Symlog").Click()
	base := s.Control("textbox", "Baseline run")
	base.Fill("nobody")
	base.Is(`e.getAttribute("aria-invalid") === "true"`)
	s.Press("Tab")
	base.Is(`e.value === "" && !e.hasAttribute("aria-invalid")`)
	zone.Fill("")
	s.axes("both", "", "-0.1 -0.02 0 0.02 0.1")
}

// One run alone is told with the digits that tell a value from those beside it, in the run
// list and in the table of a marked step too; every digit is copied.
func TestPageValuesOfOneRun(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, digits(t).dir)
	s.fresh("#timeseries&smoothing=0&runFilter=seed_1&tagFilter=close")
	s.Control("article", "close").Is(`e.querySelector("canvas")`)
	reads := func(value string) {
		t.Helper()
		s.Until(func() string {
			var got string
			err := s.TryEval(`document.querySelector("[role=list][aria-label=Runs]").innerText`, &got)
			if !strings.HasSuffix(strings.TrimSpace(got), "\n"+value) {
				return fmt.Sprintf("the run list reads %q, not %s (%v)", got, value, err)
			}
			return ""
		})
	}
	reads("1")
	p := s.still("close")
	s.Hover(p.at(3, 0.99995))
	reads("0.99993")
	s.Hover(p.at(4, 0.99995))
	reads("0.99994")
	card := s.Control("article", "close")
	card.Control("heading", "close").Click()
	s.Press("m")
	card.Control("textbox", "Marked step").Fill("4")
	s.Press("Enter")
	table := card.Control("region", "Values at the marked steps")
	table.Is(`e.querySelector("tbody td:nth-child(2)")?.innerText === "0.99994"`)
	var text string
	table.Get(`(() => {
		getSelection().selectAllChildren(e.querySelector("table"));
		const event = new ClipboardEvent("copy", {clipboardData: new DataTransfer(), bubbles: true, cancelable: true});
		e.querySelector("table").dispatchEvent(event);
		return event.clipboardData.getData("text/plain");
	})()`, &text)
	if !strings.HasPrefix(text, "Run\tValue\tStep\tTime\tRelative\n") || !strings.HasSuffix(text, "/seed_1\t0.99994\t4\t2023-11-14T22:13:24.000Z\t4\n") {
		t.Errorf("copied: %q", text)
	}

	// A mean's band, too.
	s.fresh("#timeseries&smoothing=0&tagFilter=close&together=folder&band=minmax")
	p = s.still("close")
	s.Hover(p.at(4, 0.99995))
	s.tips(false, []string{"Band"}, []string{"0.99994 to 0.999941"})
}

// What a log axis has no place for is said, or has a sign at the lower edge.
func TestPageNotAboveZero(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0&outliers=false&y=log10")
	s.Control("heading", "Settings").Hover()
	sign := func(want bool) {
		t.Helper()
		s.Until(func() string {
			// stairs/up is 0 below step 50.
			p, ok := s.plotOf("stairs/up")
			if !ok {
				return "it is not drawn"
			}
			pic, n := s.Picture(), 0
			for x := p.x(2); x < p.x(48); x++ {
				if browsertest.Cover(pic.At(browsertest.Point{X: x, Y: p.Box.Y + p.Box.Height - 4}), s.ground(), s.color("alpha").RGB()) > 0.5 {
					n++
				}
			}
			if n > 3 != want {
				return fmt.Sprintf("%d pixels of arrows at the lower edge", n)
			}
			return ""
		})
	}
	s.Control("article", "stairs/up").Get(`e.scrollIntoView({block: "nearest"})`, nil)
	sign(true)
	s.Control("radiogroup", "Vertical scale").Control("radio", "Symlog").Click()
	s.draws("stairs/up", symlog, want{"alpha", 80, 10, false})
	sign(false)

	// Of one point the time since the start is 0.
	s.fresh("#timeseries&smoothing=0&x=relative&xScale=log10")
	s.Control("article", "lone").Is(`e.innerText.includes("Every point here is at 0 or before it")`)
	s.Control("article", "line/up").Is(`!e.innerText.includes("Every point")`)
}

// A pinned table is of the curves that are on the screen, whatever becomes of them; what is
// selected in it stays until it is not.
func TestPagePinnedFollows(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	p := s.still("line/up")
	s.Click(p.at(30, 40))
	table := s.Control("dialog", "Values")
	rows := func(want ...[]string) {
		t.Helper()
		s.tips(true, []string{"Run", "Value", "Step"}, want...)
	}
	alpha, beta := []string{"alpha", "30", "30"}, []string{"beta", "70", "30"}
	rows(alpha, beta)
	box := s.Control("list", "Runs").Control("checkbox", "beta")
	box.Click()
	rows(alpha)
	box.Click()
	rows(alpha, beta)
	s.Control("spinbutton", "Smoothing weight").Fill("0.5")
	rows(alpha, beta)
	table.Is(`[...e.querySelectorAll("th")].some(h => h.innerText === "Smoothed")`)
	table.Is(`e.innerText.includes("step 30") && e.innerText.includes("line/up")`)

	table.Get(`void (globalThis.selectedRow = e.querySelectorAll("tr")[1], getSelection().selectAllChildren(selectedRow))`, nil)
	box.Click()
	s.shown("5 of 6 runs shown")
	s.draws("line/up", linear, want{"alpha", 90, 89, false})
	rows(alpha, beta)
	s.Eval(`getSelection().removeAllRanges()`, nil)
	s.Control("spinbutton", "Smoothing weight").Fill("0")
	rows(alpha)
	table.Control("button", "Close").Wait()
	s.Control("radiogroup", "Horizontal axis").Control("radio", "Wall").Click()
	table.Gone()
}

// The pinned table covers neither its card nor the header, is moved by its title and sized at
// its corner, and stays so when it is opened again on its card.
func TestPagePinnedPlace(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	for _, size := range [][2]int{{1280, 900}, {1280, 560}, {768, 700}, {1280, 420}} {
		s.Resize(size[0], size[1])
		s.fresh("#timeseries&smoothing=0")
		p := s.still("flat/level")
		s.Click(p.at(50, 6))
		s.Control("dialog", "Values").Is(`(b => {
			const apart = c => c.right <= b.left || c.left >= b.right || c.bottom <= b.top || c.top >= b.bottom;
			const plot = [...document.querySelectorAll("article")].find(a => a.ariaLabel === "flat/level").querySelector(".u-over");
			return apart(plot.getBoundingClientRect()) && apart(document.querySelector("header").getBoundingClientRect()) && b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight;
		})(e.getBoundingClientRect())`)
		s.Press("Escape")
	}
	s.Resize(1280, 900)
	s.fresh("#timeseries&smoothing=0")
	p := s.still("flat/level")
	s.Click(p.at(50, 6))
	table := s.Control("dialog", "Values")
	was := table.Box()
	from := browsertest.Point{X: was.X + was.Width/2 + 20, Y: was.Y + 16}
	s.Drag(from, browsertest.Point{X: from.X + 70, Y: from.Y + 50})
	corner := browsertest.Point{X: was.X + 70 + was.Width - 4, Y: was.Y + 50 + was.Height - 4}
	s.Drag(corner, browsertest.Point{X: corner.X + 40, Y: corner.Y + 30})
	stays := func() {
		t.Helper()
		s.Until(func() string {
			b := table.Box()
			if math.Abs(b.X-was.X-70) > 2 || math.Abs(b.Y-was.Y-50) > 2 || math.Abs(b.Width-was.Width-40) > 8 || math.Abs(b.Height-was.Height-30) > 8 {
				return fmt.Sprintf("the table is at %+v, it was at %+v", b, was)
			}
			return ""
		})
	}
	stays()
	s.Press("Escape")
	table.Gone()
	s.Click(p.at(50, 6))
	stays()
}
