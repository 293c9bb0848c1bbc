//go:build !js

package e2e

import (
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Curves over the number of the point, the time at work, and the values of another tag.
func TestPageCurvesOver(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { curvesOver(t, look(t, kind, l.dir)) })
	}
}

// titled waits until a card's axis has a title.
func (s *screen) titled(tag, title string) {
	s.t.Helper()
	s.Until(func() string {
		if p, ok := s.plotOf(tag); !ok || !slices.Contains(texts(p.Said), title) {
			return tag + " does not say " + title
		}
		return ""
	})
}

func curvesOver(t *testing.T, s *screen) {
	s.fresh("#timeseries&smoothing=0")
	over := s.Control("combobox", "Curves against")
	over.Choose("number of the point")
	s.hash("#timeseries&smoothing=0&over=index")
	s.titled("lone", "Number of the point")
	s.draws("line/up", linear, want{"alpha", 10, 10, false}, want{"beta", 10, 90, false})
	over.Choose("the values of a tag")
	field := s.Control("textbox", "Tag of the horizontal axis")
	field.Focused()
	s.Type("pow/te")
	field.Is(`e.getAttribute("aria-invalid") === "true"`)
	s.hash("#timeseries&smoothing=0&over=tag") // as before
	s.Type("n")
	field.Is(`!e.hasAttribute("aria-invalid")`)
	s.hash("#timeseries&smoothing=0&over=tag&xTag=pow/ten")
	s.titled("line/up", "pow/ten")
	// Alpha alone has that tag. Its line is the logarithm of it.
	s.draws("line/up", linear, want{"alpha", 3981.07, 90, false})
	card := s.Control("article", "line/up")
	card.Control("heading", "line/up").Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Value", "Step"}, []string{"alpha", "100", "100"})
	s.Control("dialog", "Values").Is(`e.innerText.includes("pow/ten 10000")`)
	s.Press("Escape")
	// Its logarithm makes a straight line; that is kept, with the rest, over a reload.
	s.Control("radiogroup", "Horizontal scale").Control("radio", "Log").Click()
	s.hash("#timeseries&smoothing=0&over=tag&xTag=pow/ten&xScale=log10")
	s.again()
	s.draws("line/up", linear, want{"alpha", 5000.5, 50, false}) // the middle, which is 100 there
	s.Control("textbox", "Tag of the horizontal axis").Value("pow/ten")
	// The key x is the way back.
	card.Control("heading", "line/up").Click()
	s.Press("x")
	s.hash("#timeseries&smoothing=0&x=relative&xTag=pow/ten&xScale=log10")
}

// A job that died and was started again a day later: the pause is no work.
func TestPageTimeAtWork(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i, start := range []float64{epoch, epoch + 86400} {
		l.put(l.path("run", "170000000"+string(rune('0'+i))+".host.1.0"), bytesOf(start, func(w *summary.Buffer) {
			for step := range int64(51) {
				if err := w.Scalar("up", float64(50*int64(i)+step), 50*int64(i)+step, summary.WallSeconds(start+10*float64(step))); err != nil {
					t.Fatal(err)
				}
			}
		}))
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("combobox", "Curves against").Choose("time at work (no pauses)")
	s.titled("up", "Time at work")
	s.shows("up", -15, 1015, 0, 100)
	s.draws("up", linear, want{"run", 200, 20, false}, want{"run", 800, 80, false})
}

// A card may be smoothed by a weight of its own.
func TestPageOwnSmoothing(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	card := s.Control("article", "stairs/up")
	card.Control("button", "More").Click()
	s.Control("menuitem", "Axes and limits…").Click()
	field := s.Control("dialog", "Axes and limits").Control("textbox", "Smoothing of this card")
	field.Fill("7")
	field.Is(`e.getAttribute("aria-invalid") === "true"`)
	field.Fill("0.5")
	s.hash("#timeseries&smoothing=0&smoothings=stairs/up:0.5")
	s.Press("Escape")
	card.Control("heading", "stairs/up").Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Smoothed", "Value"}, []string{"alpha", "10", "10"})
	s.Press("Escape")
	// The step is rounded off there and nowhere else; and it is so for who opens the link.
	s.fresh("#timeseries&smoothing=0&smoothings=stairs/up:0.5")
	s.draws("stairs/up", linear, want{"alpha", 51, 7.5, false})
	s.draws("spike/one", linear, want{"alpha", 20, 1.2, false})
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Smoothed", "Value"}, []string{"alpha", "", "100"}, []string{"beta", "", "0"})
}

// A card that has nothing to draw says what is missing.
func TestPageNothingInCommon(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.put(l.path("r", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		for i := range int64(3) {
			for tag, step := range map[string]int64{"train": 10 * (i + 1), "eval": 10*(i+1) - 1} {
				if err := w.Scalar(tag, 1, step, summary.WallSeconds(epoch+float64(step))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}))
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&over=tag&xTag=eval")
	train := s.Control("article", "train")
	train.Is(`e.innerText.includes("There is no step at which “eval”, which is the horizontal axis, has a value as well.")`)
	train.Is(`e.querySelector("[role=img]").ariaLabel.includes("There is no step")`)
	s.Control("article", "eval").Is(`!e.innerText.includes("There is no step")`)
	s.fresh("#timeseries&over=tag&xTag=gone")
	train.Is(`e.innerText.includes("None of these runs has “gone”")`)
	s.Control("combobox", "Curves against").Choose("step or time")
	train.Is(`!e.innerText.includes("None of these runs")`)
	train.Control("heading", "train").Click()
	s.choose("compute", "Compute a curve…")
	box := s.Control("dialog", "Compute a curve")
	box.Control("textbox", "Expression over tags").Fill("train - eval")
	box.Control("button", "Make the card").Click()
	s.Control("article", "train - eval").Is(`e.innerText.includes("There is no step at which all of these have a value: train, eval.")`)
}
