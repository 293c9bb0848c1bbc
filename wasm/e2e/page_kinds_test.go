//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// kindLogs has one tag of each kind with steps 0, 10, 20, in one group and one run.
func kindLogs(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range 3 {
			step, at := int64(10*i), summary.WallSeconds(epoch+float64(i))
			for _, err := range []error{
				w.Scalar("m/1 loss", float64(i), step, at),
				w.Image("m/2 pic", flat(8, 8, shade("r", i)), step, at),
				w.Audio("m/3 voice", tone(400, 0.1*float64(i+1), ""), step, at),
				w.Histogram("m/4 w", []float64{1, 2, 3, float64(i)}, step, at),
				w.Text("m/5 notes", fmt.Sprintf("words of step **%d**", step), step, at),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	return l
}

// Time series has the cards of all kinds: shown by choice, pinned, wide, at one step.
func TestPageAllKinds(t *testing.T) {
	t.Parallel()
	l := kindLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			s.Resize(1600, 1400)
			every := []string{"m/1 loss", "m/2 pic, r", "m/3 voice, r", "m/4 w, r", "m/5 notes, r"}
			s.cards(every...)
			s.Control("button", "m 5 cards").Expanded(true)
			s.Control("article", "m/3 voice, r").Control("group", "Clip 1 of 1").Is(`e.dataset.seconds === "0.300" && e.dataset.drawn`)

			// A histogram is one card, as a distribution too, which has the focus then.
			s.Control("article", "m/4 w, r").Control("img", "Histogram*").Wait()
			s.Control("article", "m/4 w, r").Control("button", "Full width (f)").Click()
			s.Control("article", "m/4 w, r").Control("button", "Show as distribution").Click()
			every[3] = "m/4 w, r, distributions"
			s.cards(every...)
			s.Control("article", "m/4 w, r, distributions").Is(`e === document.activeElement`)
			s.Control("article", "m/4 w, r, distributions").Control("img", "Distribution at 3 of 3 steps, step 0 to 20*").Wait()
			s.Control("article", "m/4 w, r, distributions").Control("button", "Full width (f)").Pressed(true)
			s.Control("article", "m/4 w, r, distributions").Control("button", "Full width (f)").Click()
			s.Control("article", "m/1 loss").Is(`![...e.querySelectorAll("button")].some((b) => b.checkVisibility() && /^Show as/.test(b.getAttribute("aria-label")))`)
			s.hash("#timeseries&forms=m/4%20w")
			s.Control("article", "m/5 notes, r").Is(`e.querySelector("strong")?.innerText === "20"`)

			// What the pane has for several kinds is there once.
			s.Control("radiogroup", "Horizontal axis").Wait()
			s.Wait(`document.querySelectorAll(".settings-pane [aria-label='Horizontal axis']").length === 1 && document.querySelectorAll(".settings-pane [aria-label='Vertical scale']").length === 1`)

			// One step for all: chosen on a text, seen on the picture and the clip.
			s.Control("checkbox", "One step for all cards").Click()
			s.Control("article", "m/5 notes, r").Control("slider", "Step").Slide(0.5)
			s.Control("article", "m/5 notes, r").Is(`e.querySelector("strong")?.innerText === "10"`)
			s.Control("article", "m/2 pic, r").Control("status", "step 10").Wait()
			s.Control("article", "m/3 voice, r").Control("group", "Clip 1 of 1").Is(`e.dataset.seconds === "0.200"`)
			s.hash("#timeseries&forms=m/4%20w&linkSteps=true&linkedStep=10")

			// Pins and full width, kept.
			s.Control("article", "m/3 voice, r").Control("button", "Pin (p)").Click()
			s.Control("article", "m/5 notes, r").Control("button", "Pin (p)").Click()
			s.Control("article", "m/4 w, r, distributions").Control("button", "Pin (p)").Click()
			s.Control("region", "m").Control("article", "m/5 notes, r").Get("e.focus()", nil)
			s.Press("f")
			pinned := []string{"m/3 voice, r", "m/5 notes, r", "m/4 w, r, distributions"}
			s.cards(append(pinned, every...)...)
			s.hash("#timeseries&wide=text%3Ftag%3Dm%252F5%2Bnotes%26run%3Dr&forms=m/4%20w&pins=audio%3Ftag%3Dm%252F3%2Bvoice%26run%3Dr,text%3Ftag%3Dm%252F5%2Bnotes%26run%3Dr,distributions%3Ftag%3Dm%252F4%2Bw%26run%3Dr&linkSteps=true&linkedStep=10")
			s.again()
			s.cards(append(pinned, every...)...)
			s.Control("region", "Pinned").Control("article", "m/3 voice, r").Control("group", "Clip 1 of 1").Is(`e.dataset.seconds === "0.200" && e.dataset.drawn`)
			s.Control("region", "m").Control("article", "m/5 notes, r").Control("button", "Full width (f)").Pressed(true)
			s.Control("region", "m").Control("article", "m/4 w, r, distributions").Control("button", "Full width (f)").Pressed(false)

			// The pinned one is switched alone.
			s.Control("region", "Pinned").Control("article", "m/4 w, r, distributions").Control("button", "Show as histogram").Click()
			pinned[2] = "m/4 w, r"
			s.cards(append(pinned, every...)...)
			s.Control("region", "Pinned").Control("article", "m/4 w, r").Control("img", "Histogram*").Wait()

			// Some kinds alone.
			group := s.Control("group", "Kinds of cards")
			group.Control("button", "Distributions").Click()
			s.cards(append(pinned, every[3])...)
			s.Control("region", "m").Control("article", "m/4 w, r, distributions").Is(`![...e.querySelectorAll("button")].some((b) => b.checkVisibility() && /^Show as/.test(b.getAttribute("aria-label")))`)
			group.Control("button", "Texts").Click()
			s.cards(append(pinned, every[3:]...)...)
			group.Control("button", "All").Click()
			s.cards(append(pinned, every...)...)
		})
	}
}

// The step that was chosen in a card stays while the card is away, and goes when the values are
// others; a card that follows the last step follows it.
func TestPageStepsStay(t *testing.T) {
	t.Parallel()
	l := kindLogs(t)
	s := look(t, browsertest.Chromium, l.dir)
	s.Resize(1600, 1400)
	pic, voice, notes := s.Control("region", "m").Control("article", "m/2 pic, r"), s.Control("article", "m/3 voice, r"), s.Control("article", "m/5 notes, r")
	pic.Control("button", "Pin (p)").Click()
	pinned := s.Control("region", "Pinned").Control("article", "m/2 pic, r")
	pinned.Control("slider", "Step").Slide(0)
	pic.Control("slider", "Step").Slide(0.5)
	notes.Control("slider", "Step").Slide(0.5)
	voice.Control("slider", "Step").Slide(0)
	voice.Control("slider", "Step").Slide(1)
	all := func(pin, picture, clip, text string) {
		t.Helper()
		pinned.Control("status", "step "+pin).Wait()
		pic.Control("status", "step "+picture).Wait()
		voice.Control("status", "step "+clip).Wait()
		notes.Is(`e.querySelector("strong")?.innerText === "` + text + `"`)
	}
	all("0", "10", "20", "10")
	filter := s.Control("searchbox", "Filter tags (regex)")
	for _, away := range []func(){
		func() { filter.Fill("loss"); pic.Gone(); filter.Fill("") },
		func() {
			s.Control("button", "m 5 cards").Click()
			pic.Gone()
			s.Control("button", "m 5 cards").Click()
		},
		func() {
			s.Control("button", "Pinned 1 card").Click()
			pinned.Gone()
			s.Control("button", "Pinned 1 card").Click()
		},
	} {
		away()
		all("0", "10", "20", "10")
		pic.Control("slider", "Step").Value("1")
	}
	// One that is pinned begins where the card is.
	anew := func() {
		pinned.Control("button", "Unpin (p)").Click()
		pinned.Gone()
		pic.Control("button", "Pin (p)").Click()
	}
	anew()
	all("10", "10", "20", "10")
	pic.Control("slider", "Step").Slide(1)
	anew()
	all("20", "20", "20", "10")
	pinned.Control("slider", "Step").Slide(0)
	pic.Control("slider", "Step").Slide(0.5)
	all("0", "10", "20", "10")

	// A value more, while the cards are away.
	filter.Fill("loss")
	pic.Gone()
	l.file("r", "1700000001.host.1.0", func(w *summary.Buffer) {
		step, at := int64(30), summary.WallSeconds(epoch+100)
		for _, err := range []error{
			w.Image("m/2 pic", flat(8, 8, shade("r", 3)), step, at),
			w.Audio("m/3 voice", tone(400, 0.4, ""), step, at),
			w.Text("m/5 notes", "words of step **30**", step, at),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	s.Wait(`(tensorbored.reload(), tensorbored.status().files === 2 && tensorbored.status().phase === "exact")`)
	filter.Fill("")
	all("0", "10", "30", "10")

	// Another logdir.
	other := newLogs(t)
	other.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range int64(3) {
			if err := w.Image("m/2 pic", flat(8, 8, shade("r", int(i))), 7+i, summary.WallSeconds(epoch+float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	filter.Fill("loss")
	pic.Gone()
	s.Drop("body", other.dir)
	s.Wait(`tensorbored.status().files === 1 && tensorbored.status().phase === "exact"`)
	filter.Fill("")
	pic.Control("status", "step 9").Wait()
}

// The table of a distribution is about percentiles: nine, the greatest first, whatever is
// chosen for runs; it is not read as values of runs, and none of its rows is a run.
func TestPageBandsAmongCurves(t *testing.T) {
	t.Parallel()
	l := kindLogs(t)
	s := look(t, browsertest.Chromium, l.dir)
	s.Resize(1600, 1400)
	s.Control("spinbutton", "Tooltip rows").Fill("3")
	s.Control("article", "m/4 w, r").Control("button", "Show as distribution").Click()
	card := s.Control("article", "m/4 w, r, distributions")
	card.Control("img", "Distribution at 3*").Wait()
	said := s.Control("complementary", "Runs")
	said.Is(`/m\/1 loss, last/.test(e.textContent)`)
	card.Control("img", "Distribution at 3*").Hover()
	s.Until(func() string {
		if tip := s.tip(false); len(tip.Rows) != 9 {
			return fmt.Sprintf("%d rows", len(tip.Rows))
		}
		return ""
	})
	said.Is(`/m\/1 loss, last/.test(e.textContent)`)
	card.Control("img", "Distribution at 3*").Click()
	s.Control("dialog", "Values").Is(`/100 %: greatest/.test(e.innerText) && !e.querySelector("button[aria-label^=Only]")`)
	// Curves keep what was chosen for them.
	s.Press("Escape")
	s.Control("spinbutton", "Tooltip rows").Value("3")
	s.Press("?")
	s.Control("dialog", "Keys").Is(`(rows => new Set(rows).size === rows.length && rows.length > 10)([...e.querySelectorAll("dd")].map(d => d.parentElement.parentElement.firstChild.innerText + d.previousSibling.innerText + d.innerText))`)
}
