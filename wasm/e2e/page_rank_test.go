//go:build !js

package e2e

import (
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
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	area := s.Control("complementary", "Runs")
	area.Control("button", "Order and columns").Click()
	box := s.Control("dialog", "Order and columns")
	box.Control("combobox", "Order of the runs").Choose("Lowest value first")
	box.Control("combobox", "Metric of the order").Choose("loss")
	s.reads([2]string{"b", "2"}, [2]string{"a", "3"}, [2]string{"c", "5"})
	area.Is(`e.innerText.includes("loss, last ↑")`)
	s.Press("Escape")
	p := s.still("acc")
	s.Hover(p.at(1, 2))
	s.Control("article", "acc").Wait()
	s.reads([2]string{"b", "2"}, [2]string{"a", "3"}, [2]string{"c", "5"})
	area.Is(`e.innerText.includes("loss, last ↑")`)

	// The lowest of each, the two best of them; they are all that is shown.
	area.Control("button", "Order and columns").Click()
	box.Control("combobox", "Which value of it").Choose("lowest")
	s.reads([2]string{"a", "1"}, [2]string{"b", "2"}, [2]string{"c", "4"})
	box.Control("spinbutton", "Show the top").Fill("2")
	s.Press("Tab")
	s.reads([2]string{"a", "1"}, [2]string{"b", "2"})
	s.shown("2 of 3 runs shown")
	area.Is(`e.innerText.includes("top 2: loss min ↑")`)
	s.Press("Escape")
	s.hash("#timeseries&runOrder=low&rank=min%3Fname%3Dloss&top=2&smoothing=0")
	s.again()
	s.reads([2]string{"a", "1"}, [2]string{"b", "2"})

	// One that comes and is better takes the place of the last.
	put("d", epoch+300, []float64{9, 0.5, 6}, []float64{1, 2, 3})
	s.Control("button", "Reload*").Click()
	s.reads([2]string{"d", "0.5"}, [2]string{"a", "1"})
	s.shown("2 of 4 runs shown")

	// By the smoothed value, as the curves are smoothed.
	area.Control("button", "Order and columns").Click()
	box.Control("combobox", "Which value of it").Choose("smoothed")
	s.Press("Escape")
	s.Control("spinbutton", "Smoothing weight").Fill("0.6")
	s.reads([2]string{"a", "3.49"}, [2]string{"b", "4.204"})
	area.Is(`e.innerText.includes("top 2: loss, smoothed by 0.6 ↑")`)
	s.Control("spinbutton", "Smoothing weight").Fill("0")
	s.reads([2]string{"b", "2"}, [2]string{"a", "3"})
}
