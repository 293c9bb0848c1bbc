//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// One timeline moves the step of all cards, whatever their kind: by hand, by playing, which
// ends at the newest step and follows what comes from then on.
func TestPageTimeline(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.path("r", "1700000000.host.1.0")
	words := func(step int64) []byte {
		return records(func(w *summary.Buffer) {
			if err := w.Text("notes", fmt.Sprintf("said at %d", step), step, summary.WallSeconds(epoch+float64(step))); err != nil {
				t.Fatal(err)
			}
		})
	}
	l.put(path, bytesOf(epoch, func(w *summary.Buffer) {
		for step := range int64(21) {
			if err := w.Scalar("loss", 1/float64(1+step), step, summary.WallSeconds(epoch+float64(step))); err != nil {
				t.Fatal(err)
			}
		}
	}))
	for _, step := range []int64{0, 10, 20} {
		l.add(path, words(step))
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	said := func(step int) {
		t.Helper()
		s.Control("article", "notes, r").Is(fmt.Sprintf(`tbUser.text(e).includes("said at %d")`, step))
	}
	said(20)
	bar := s.Control("group", "Timeline")
	bar.Gone()
	s.Control("checkbox", "One step for all cards").Click()
	bar.Is(`tbUser.text(e).includes("newest, step 20")`)
	bar.Control("slider", "Timeline: step of all cards").Slide(0.5)
	s.hash("#timeseries&smoothing=0&linkSteps=true&linkedStep=10")
	bar.Is(`tbUser.text(e).includes("step 10 of 20")`)
	said(10)
	s.Control("article", "loss").Control("textbox", "Marked step").Value("10")
	bar.Control("slider", "Timeline: step of all cards").Slide(0)
	said(0)
	bar.Control("button", "Play the timeline").Click()
	said(10) // on the way
	bar.Is(`tbUser.text(e).includes("newest, step 20")`)
	bar.Control("button", "Play the timeline").Wait() // it has stopped by itself
	said(20)
	s.hash("#timeseries&smoothing=0&linkSteps=true")
	bar.Control("button", "Play the timeline").Click() // from the beginning
	said(10)
	bar.Control("button", "Play the timeline").Wait()
	said(20)
	l.add(path, words(30))
	s.Control("button", "Reload*").Click()
	said(30)
	bar.Is(`tbUser.text(e).includes("newest, step 30")`)
	bar.Control("button", "End one step for all cards").Click()
	bar.Gone()
	s.hash("#timeseries&smoothing=0")
}

// "What happened here?": from a place on a curve one click lists the scalars of the run that
// left their usual range on the way there, the first one first; a click on it shows it, and its
// step on all cards.
func TestPageHappened(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.put(l.path("r", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		for i := range int64(100) {
			wave := 0.1 * float64(i%7)
			loss, norm := 1+wave, 2+wave
			if i >= 80 {
				norm = 90
			}
			if i >= 83 {
				loss = 7
			}
			for tag, v := range map[string]float64{"loss": loss, "grad/norm": norm, "acc": wave} {
				if err := w.Scalar(tag, v, 10*i, summary.WallSeconds(epoch+float64(i))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}))
	l.run("a", map[string][]point{"loss": level(1)})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("combobox", "Tooltip order").Choose("Alphabetical") // the nearest run is not the first
	p := s.still("loss")
	s.Click(p.at(900, 7))
	s.Control("button", "What happened here?").Click()
	d := s.Control("dialog", "What happened here?")
	d.Is(`tbUser.text(e).includes("2 of 3 scalars left their usual range in steps 410 to 900 of r.")`)
	d.Is(`[...e.querySelectorAll("tbody tr")].map((r) => [...r.cells].slice(0, 3).map((c) => c.textContent).join(" ")).join("; ") === "grad/norm 800 90; loss 830 7"`)
	d.Control("button", "grad/norm").Click()
	d.Gone()
	s.Control("article", "grad/norm").Focused()
	s.hash("#timeseries&smoothing=0&linkSteps=true&linkedStep=800")
	s.Control("article", "grad/norm").Control("textbox", "Marked step").Value("800")
}
