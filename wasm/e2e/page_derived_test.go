//go:build !js

package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A curve that is computed of tags: typed with the errors told where they are, drawn,
// read, pinned, saved as a file, changed, and there again for whoever opens the link.
func TestPageDerived(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.choose("compute", "Compute a curve…")
	box := s.Control("dialog", "Compute a curve")
	field, make := box.Control("textbox", "Expression over tags"), box.Control("button", "Make the card")
	field.Focused()
	field.Value("line/up")
	field.Fill("line/up - nope")
	box.Control("status", "Letter 11: No tag or function is called nope. Tags with odd letters stand in braces: {…}").Wait()
	make.Is("e.disabled")
	s.said(dialog, "compute")
	field.Fill("line/up + 2 * flat/level")
	make.Click()
	box.Gone()
	const tag = "line/up + 2 * flat/level"
	section := s.Control("region", "Superimposed")
	section.Control("heading", tag).Wait()
	// Of the runs that have both tags, at the steps that both have.
	s.draws(tag, linear, want{"alpha", 30, 34, false}, want{"beta", 30, 78, false})
	s.Control("article", tag).Control("heading", tag).Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Value", "Step"}, []string{"beta", "8", "100"}, []string{"alpha", "104", "100"})
	s.Press("Escape")
	// Smoothed as any other.
	s.Control("spinbutton", "Smoothing weight").Fill("0.5")
	s.Control("article", tag).Control("heading", tag).Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Value"}, []string{"beta", "8"}, []string{"alpha", "104"})
	s.Until(func() string {
		for _, r := range s.tip(true).Rows {
			if v := value(r["Smoothed"]); r["Run"] == "alpha" && math.Abs(v-103) > 0.01 {
				return "smoothed it is " + r["Smoothed"]
			}
		}
		return ""
	})
	s.Press("Escape")

	// Pinned, over a reload.
	s.Press("p")
	s.Control("region", "Pinned").Control("heading", tag).Wait()
	s.hash("#timeseries&pins=%3D%7Bline/up%7D%20%2B%202%20%2A%20%7Bflat/level%7D&cards=%3D%7Bline/up%7D%20%252B%202%20%2A%20%7Bflat/level%7D&smoothing=0.5")
	s.again()
	s.Control("region", "Pinned").Control("heading", tag).Wait()
	// With its runs switched off it says so, under its name.
	s.list("+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.Control("complementary", "Runs").Control("checkbox", "alpha").Click()
	s.Control("complementary", "Runs").Control("checkbox", "beta").Click()
	ghost := s.Control("region", "Pinned").Control("article", tag)
	ghost.Is(`e.innerText.includes("No run that has it is shown.")`)
	ghost.Control("heading", tag).Wait()
	s.Control("complementary", "Runs").Control("checkbox", "alpha").Click()
	s.Control("complementary", "Runs").Control("checkbox", "beta").Click()
	s.Control("region", "Pinned").Control("button", "Unpin (p)").Click()

	// As a file.
	dir := s.Downloads()
	section.Control("button", "More").Click()
	s.Control("menuitem", "CSV of all points").Click()
	s.Until(func() string {
		files, _ := filepath.Glob(filepath.Join(dir, "*.csv"))
		if len(files) != 1 {
			return "no file yet"
		}
		text, err := os.ReadFile(files[0])
		if lines := strings.Split(strings.TrimSpace(string(text)), "\n"); err != nil || len(lines) != 1+2*101 || !strings.HasPrefix(lines[31], "alpha,") || !strings.HasSuffix(lines[31], ",30,34") {
			return "the file is " + string(text)
		}
		return ""
	})

	// Among all points too, under its name.
	s.choose("download all points", "Download all points…")
	all := s.Control("dialog", "Download all points")
	all.Is(`/ And what cards compute from them \(1\)\./.test(e.innerText)`)
	all.Control("combobox", "Form of the file").Choose("CSV, a column for each tag")
	all.Control("button", "Download").Click()
	rows := strings.Split(s.saved(dir, "scalars.csv"), "\n")
	head := strings.Split(rows[0], ",")
	if head[len(head)-1] != tag || !strings.HasPrefix(rows[31], "alpha,30,") || !strings.HasSuffix(rows[31], ",34") {
		t.Errorf("all points: %q, %q", rows[0], rows[31])
	}

	// Changed: the expression is at hand; and beside a tag.
	section.Control("button", "More").Click()
	s.Control("menuitem", "Change this card…").Click()
	box = s.Control("dialog", "Change the card")
	field = box.Control("textbox", "Expression over tags")
	field.Value(tag)
	// Of tags that have few steps in common nothing is made up for the others.
	const few = "line/up + lone"
	field.Fill(few)
	box.Control("button", "Save").Click()
	section.Control("heading", few).Wait()
	section.Control("img", "Curves of 1 run, step 7 to 7, values 10 to 10").Wait()
	section.Control("button", "More").Click()
	s.Control("menuitem", "Change this card…").Click()
	field.Value(few)
	field.Fill("min(line/up, 50)")
	box.Control("button", "Add").Click()
	field.Value("")
	box.Control("searchbox", "Find tags (regex)").Fill("line/up")
	box.Control("checkbox", "line/up").Click()
	box.Control("button", "Save").Click()
	const two = "min(line/up, 50), line/up"
	section.Control("heading", two).Wait()
	s.Control("spinbutton", "Smoothing weight").Fill("0")
	s.draws(two, linear, want{"alpha", 80, 50, false}, want{"alpha", 80, 80, false}, want{"beta", 80, 20, false})
}

// A tag of a card of several may have an axis of its own, at the right.
func TestPageRightAxis(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menuitem", "Superimpose other tags…").Click()
	box := s.Control("dialog", "Superimpose tags")
	box.Control("searchbox", "Find tags (regex)").Fill("pow")
	box.Control("checkbox", "pow/ten").Click()
	box.Control("checkbox", "Right axis: pow/ten").Click()
	box.Control("button", "Make the card").Click()
	const tag = "line/up, pow/ten"
	// drawn waits until a value of the right axis stands where its own numbers say. It is
	// drawn in dashes: of a few columns of pixels one has to be inked.
	drawn := func(step, v float64) {
		t.Helper()
		s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
		s.Until(func() string {
			p, ok := s.plotOf(tag)
			var right []label
			for _, l := range p.Said {
				if l.X > p.Box.X+p.Box.Width {
					right = append(right, l)
				}
			}
			if !ok || len(right) < 2 {
				return "there is no right axis"
			}
			pic, y := s.Picture(), along(right, func(l label) float64 { return l.Y }, linear, v)
			for dx := -12.0; dx <= 12; dx++ {
				for _, i := range p.column(pic, s.ground(), s.color("alpha"), p.x(step)+dx) {
					if i.top-4 <= y && y <= i.bottom+4 {
						return ""
					}
				}
			}
			return "nothing is drawn at its place"
		})
	}
	s.draws(tag, linear, want{"alpha", 20, 20, false}, want{"beta", 20, 80, false})
	drawn(80, 1584.9)
	// Its ends can be typed: there it stays, while the other axis is zoomed.
	last := func(texts ...string) {
		t.Helper()
		s.Until(func() string {
			p, _ := s.plotOf(tag)
			top := label{Y: math.Inf(1)}
			for _, l := range p.Said {
				if l.X > p.Box.X+p.Box.Width && l.Y < top.Y {
					top = l
				}
			}
			if !slices.Contains(texts, top.Text) {
				return fmt.Sprintf("the right axis ends at %q", top.Text)
			}
			return ""
		})
	}
	last("6,000") // without outliers
	axes := func() browsertest.Control {
		s.Control("article", tag).Control("button", "More").Click()
		s.Control("menuitem", "Axes and limits…").Click()
		return s.Control("dialog", "Axes and limits")
	}
	box = axes()
	box.Control("textbox", "Right limits, from").Fill("5,000")
	box.Control("textbox", "Right limits, to").Fill("4,000")
	s.Press("Enter")
	box.Control("status", "The first number of an axis must be the smaller one.").Wait()
	box.Control("textbox", "Right limits, from").Fill("0")
	s.Press("Enter")
	box.Is(`!e.innerText.includes("smaller one")`)
	s.Press("Escape")
	last("4,000")
	drawn(80, 1584.9)
	s.Control("article", tag).Control("heading", tag).Click()
	s.Press("+")
	s.draws(tag, linear, want{"alpha", 40, 40, false})
	drawn(80, 1584.9)
	const limited = "&right=line/up:!pow/ten&rightLimits=scalars%3Ftag%3Dline%25252Fup%26tag%3Dpow%25252Ften:0:4000"
	s.hash("#timeseries&cards=line/up:pow/ten&smoothing=0" + limited + "&zoom=scalars%3Ftag%3Dline%25252Fup%26tag%3Dpow%25252Ften:13.95:86.05:15:85")
	s.Press("0")
	s.hash("#timeseries&cards=line/up:pow/ten&smoothing=0" + limited)
	s.again()
	last("4,000")
	s.draws(tag, linear, want{"alpha", 20, 20, false})
	box = axes()
	box.Control("textbox", "Right limits, from").Value("0")
	box.Control("textbox", "Right limits, from").Fill("")
	box.Control("textbox", "Right limits, to").Value("4000")
	box.Control("textbox", "Right limits, to").Fill("")
	s.Press("Enter")
	s.Press("Escape")
	last("6,000") // without outliers
	s.Control("article", tag).Control("heading", tag).Click()
	s.Press("+") // both axes show the same part of their height
	s.draws(tag, linear, want{"alpha", 40, 40, false})
	drawn(80, 1584.9)
	s.hash("#timeseries&cards=line/up:pow/ten&smoothing=0&right=line/up:!pow/ten&zoom=scalars%3Ftag%3Dline%25252Fup%26tag%3Dpow%25252Ften:13.95:86.05:15:85")
	s.Press("0")
	// A scale of that tag's own is that of its axis.
	s.Control("article", "pow/ten").Control("button", "Lin, Y axis: linear (click to change)").Click()
	s.Control("article", "pow/ten").Control("button", "Log, Y axis: logarithmic (click to change)").Wait()
	s.draws(tag, linear, want{"alpha", 20, 20, false})
	s.Until(func() string {
		p, _ := s.plotOf(tag)
		for _, l := range p.Said {
			if l.X > p.Box.X+p.Box.Width && l.Text == "10" {
				return ""
			}
		}
		return "the right axis is not logarithmic"
	})
}

// ref(…) is what another run has at the same step: the baseline run, or one that is named,
// whether it is shown or not. The card says what it lacks.
func TestPageDerivedFromARun(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.choose("compute", "Compute a curve…")
	box := s.Control("dialog", "Compute a curve")
	box.Control("textbox", "Expression over tags").Fill("line/up - ref(line/up)")
	box.Control("status", "ref(…) is what the baseline run has at the same step: choose one*").Wait()
	box.Control("button", "Make the card").Click()
	const tag = "line/up - ref(line/up)"
	card := s.Control("article", tag)
	card.Is(`e.innerText.includes("no baseline run is chosen")`)
	base := s.Control("textbox", "Baseline run")
	base.Fill("alpha")
	s.draws(tag, linear, want{"beta", 30, 40, false})
	card.Is(`!e.innerText.includes("baseline")`)
	card.Control("heading", tag).Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Value", "Step"}, []string{"alpha", "0", "100"}, []string{"beta", "-100", "100"})
	s.Press("Escape")
	s.Press("m")
	card.Control("region", "Values at the marked steps").Is(`e.innerText.includes("-100")`)
	s.Press("m")
	base.Fill("beta")
	s.draws(tag, linear, want{"alpha", 30, -40, false})

	// One that is named, and not shown.
	card.Control("button", "More").Click()
	s.Control("menuitem", "Change this card…").Click()
	box = s.Control("dialog", "Change the card")
	box.Control("textbox", "Expression over tags").Fill(`exp(0 * line/up) * ref(line/up, "alpha")`)
	box.Control("button", "Save").Click()
	const named = `exp(0 * line/up) * ref(line/up, "alpha")`
	s.draws(named, linear, want{"beta", 80, 80, false})
	s.Control("checkbox", "alpha").Click()
	s.again()
	s.draws(named, linear, want{"beta", 80, 80, false})

	card = s.Control("article", named)
	card.Control("button", "More").Click()
	s.Control("menuitem", "Change this card…").Click()
	box = s.Control("dialog", "Change the card")
	box.Control("textbox", "Expression over tags").Fill(`line/up / ref(line/up, "<b>nobody")`)
	box.Control("button", "Save").Click()
	s.Control("article", `line/up / ref(line/up, "<b>nobody")`).Is(`e.innerText.includes("“<b>nobody” has no line/up")`)
}
