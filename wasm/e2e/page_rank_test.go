//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// The order by a value is by a metric that is chosen once: it stands in the list's head and
// stays under whatever card the pointer is; which value of it, the direction, and how many
// of the first are shown can be chosen, stay in the address, and follow runs that come.
func TestPageLeaderboard(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	put := func(run string, start float64, loss, acc []float64) {
		l.put(l.path(run, "1700000000.host.1.0"), bytesOf(start, func(w *summary.Buffer) {
			for i := range loss {
				for tag, v := range map[string]float64{"acc": acc[i], "loss": loss[i]} {
					if err := w.Scalar(tag, v, int64(i), summary.WallSeconds(start+float64(i))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}))
	}
	put("a", epoch, []float64{9, 1, 3}, []float64{1, 2, 3})
	put("b", epoch+100, []float64{9, 5, 2}, []float64{1, 2, 9})
	put("c", epoch+200, []float64{9, 4, 5}, []float64{1, 2, 6})
	// A run without the metric stands last, whatever the direction is.
	l.put(l.path("0", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		if err := w.Scalar("acc", 4, 1, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	}))
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	area := s.Control("complementary", "Runs")
	area.Control("button", "Order and columns").Click()
	box := s.Control("dialog", "Order and columns")
	box.Control("combobox", "Order of the runs").Choose("Lowest value first")
	s.reads([2]string{"a", "3"}, [2]string{"0", "4"}, [2]string{"c", "6"}, [2]string{"b", "9"}) // of acc, the first one
	box.Control("combobox", "Metric of the order").Choose("loss")
	s.said(popup, "order-and-columns")
	box.Control("combobox", "Order of the runs").Choose("Highest value first")
	s.reads([2]string{"c", "5"}, [2]string{"a", "3"}, [2]string{"b", "2"}, [2]string{"0", ""})
	area.Is(`e.textContent.includes("loss, last ↓")`)
	box.Control("combobox", "Order of the runs").Choose("Lowest value first")
	s.reads([2]string{"b", "2"}, [2]string{"a", "3"}, [2]string{"c", "5"}, [2]string{"0", ""})
	area.Is(`e.textContent.includes("loss, last ↑")`)
	s.Press("Escape")
	p := s.still("acc")
	s.Hover(p.at(1, 2))
	s.Control("article", "acc").Wait()
	s.reads([2]string{"b", "2"}, [2]string{"a", "3"}, [2]string{"c", "5"}, [2]string{"0", ""})
	area.Is(`e.textContent.includes("loss, last ↑")`)

	// The lowest of each, the two best of them; they are all that is shown.
	area.Control("button", "Order and columns").Click()
	box.Control("combobox", "Which value of it").Choose("lowest")
	s.reads([2]string{"a", "1"}, [2]string{"b", "2"}, [2]string{"c", "4"}, [2]string{"0", ""})
	box.Control("spinbutton", "Show the top").Fill("2")
	s.Press("Tab")
	s.reads([2]string{"a", "1"}, [2]string{"b", "2"})
	s.shown("2 of 4 runs shown")
	area.Is(`e.textContent.includes("top 2: loss min ↑")`)
	s.Press("Escape")
	s.said(`document.querySelector("aside[aria-label=Runs]")`, "runs-by-rank")
	s.hash("#timeseries&runOrder=low&rank=min%3Fname%3Dloss&top=2&smoothing=0")
	s.again()
	s.reads([2]string{"a", "1"}, [2]string{"b", "2"})

	// One that comes and is better takes the place of the last.
	put("d", epoch+300, []float64{9, 0.5, 6}, []float64{1, 2, 3})
	s.Control("button", "Reload*").Click()
	s.reads([2]string{"d", "0.5"}, [2]string{"a", "1"})
	s.shown("2 of 5 runs shown")

	// By the smoothed value, as the curves are smoothed.
	area.Control("button", "Order and columns").Click()
	box.Control("combobox", "Which value of it").Choose("smoothed")
	s.Press("Escape")
	s.Control("spinbutton", "Smoothing weight").Fill("0.6")
	s.reads([2]string{"a", "3.49"}, [2]string{"b", "4.204"})
	area.Is(`e.textContent.includes("top 2: loss, smoothed by 0.6 ↑")`)
	s.Control("spinbutton", "Smoothing weight").Fill("0")
	s.reads([2]string{"b", "2"}, [2]string{"a", "3"})
}

// curves waits until the run list's rows show these curves: which way they go from their first
// to their last point, and where in 54 pixels that is; "" is a row without one.
func (s *screen) curves(want ...string) {
	s.t.Helper()
	s.Until(func() string {
		var got []string
		err := s.TryEval(`[...document.querySelectorAll('[role=list][aria-label=Runs] [role=listitem]')].filter(e => e.checkVisibility())
			.sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
			.map(e => {
				const path = e.querySelector(".run-spark path");
				if (!path?.checkVisibility()) return "";
				const a = path.getPointAtLength(0), b = path.getPointAtLength(path.getTotalLength());
				return (b.y < a.y - 1 ? "up" : b.y > a.y + 1 ? "down" : "level") + ", " + Math.round(a.x) + " to " + Math.round(b.x);
			})`, &got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("the curves are %q, not %q (%v)", got, want, err)
		}
		return ""
	})
}

// Beside each run that stands by a metric is a small curve of that metric, in the run's colour,
// where names leave room for it: over the same steps in all rows, and of new points too.
func TestPageRunCurves(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	line := func(from, to float64, n int) (out []point) {
		for i := range n {
			out = append(out, at(int64(10*i), epoch+float64(i), from+(to-from)*float64(i)/float64(n-1)))
		}
		return out
	}
	l.run("down", map[string][]point{"loss": line(9, 1, 101), "other": line(0, 1, 7)})
	l.run("level", map[string][]point{"loss": line(2, 2, 41), "other": line(1, 0, 7)})
	half := l.run("up", map[string][]point{"loss": line(0, 3, 51), "other": line(2, 2, 7)})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&runOrder=low&rank=last%3Fname%3Dloss")
	s.reads([2]string{"down", "1"}, [2]string{"level", "2"}, [2]string{"up", "3"})
	s.curves("", "", "") // the names have no more room than they need
	s.Wait(`performance.getEntriesByType("resource").every((r) => !r.name.includes("sparks"))`)
	area := s.Control("complementary", "Runs")
	area.Control("button", "Order and columns").Click()
	box := s.Control("dialog", "Order and columns")
	box.Control("checkbox", "Its curve beside each run").Click()
	s.curves("down, 1 to 55", "level, 1 to 23", "up, 1 to 28")
	s.Wait(`(() => {
		const row = [...document.querySelectorAll("[role=listitem]")].find((e) => e.innerText.startsWith("down"));
		return getComputedStyle(row.querySelector(".run-spark path")).stroke === getComputedStyle(row.querySelector("[aria-label^='Colour of']"), "::before").backgroundColor;
	})()`)
	// Of another metric, and of points that come.
	box.Control("combobox", "Metric of the order").Choose("other")
	s.reads([2]string{"level", "0"}, [2]string{"down", "1"}, [2]string{"up", "2"})
	s.curves("down, 1 to 55", "up, 1 to 55", "level, 1 to 55")
	box.Control("combobox", "Metric of the order").Choose("loss")
	s.curves("down, 1 to 55", "level, 1 to 23", "up, 1 to 28")
	s.Press("Escape")
	l.add(half, bytesOf(epoch+99, func(w *summary.Buffer) {
		if err := w.Scalar("loss", 4, 1000, summary.WallSeconds(epoch+100)); err != nil {
			t.Fatal(err)
		}
	}))
	s.Control("button", "Reload*").Click()
	s.curves("down, 1 to 55", "level, 1 to 23", "up, 1 to 55")
	// They need no values beside them. Without the order there are none, and with it again.
	area.Control("button", "Order and columns").Click()
	box.Control("checkbox", "Values").Click()
	s.reads([2]string{"down", ""}, [2]string{"level", ""}, [2]string{"up", ""})
	s.curves("down, 1 to 55", "level, 1 to 23", "up, 1 to 55")
	box.Control("combobox", "Order of the runs").Choose("Name")
	s.curves("", "", "")
	s.Press("Escape")
	area.Control("button", "Order and columns").Click()
	box.Control("combobox", "Order of the runs").Choose("Highest value first")
	box.Control("checkbox", "Its curve beside each run").Is(`e.checked`)
	s.curves("up, 1 to 55", "level, 1 to 23", "down, 1 to 55")
	box.Control("checkbox", "Its curve beside each run").Click()
	s.curves("", "", "")
}
