//go:build !js

package e2e

import (
	"fmt"
	"testing"
	"unicode"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

func numbered(from, to int) (tags []string) {
	for i := from; i < to; i++ {
		tags = append(tags, fmt.Sprintf("many/t%03d", i))
	}
	return tags
}

// The tag filter and the groups: what is there, folded and unfolded, in pages.
func TestPageGroups(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	filter := s.Control("searchbox", "Filter tags (regex)")
	s.cards(first...)
	s.Control("status", "137 tags").Wait()
	filter.Fill("UP$|one")
	s.cards("line/up", "lone", "spike/one", "stairs/up")
	s.Control("status", "4 tags").Wait()
	s.hash("#timeseries&tagFilter=UP%24%7Cone")
	filter.Fill("line/up")
	s.cards("line/up")
	s.Control("status", "1 tag").Wait()
	filter.Fill("(")
	filter.Is(`e.getAttribute("aria-invalid") === "true" && e.title !== ""`)
	filter.Is(`e.parentElement.parentElement.innerText.includes("Not filtered: the brackets do not match")`)
	s.cards(first...) // nothing is hidden for a reason that nobody sees
	filter.Fill("^(?!.*(flat|line))[^m]*$")
	s.cards("lone", "pow/ten", "spike/one", "stairs/up")
	filter.Fill("up !line")
	s.cards("stairs/up")
	filter.Fill(`^\p{Latin}{4}/\p{Latin}{2}$`) // whose letters the program asks the browser for
	s.cards("line/up")
	filter.Fill(`\p{Nobody}`)
	filter.Is(`e.getAttribute("aria-invalid") === "true"`)
	s.cards(first...)
	for flags, extra := range map[string]*unicode.RangeTable{"u": nil, "iu": unicode.FoldScript["Greek"]} {
		var ends []rune
		s.Eval(`tbScript("Greek", "`+flags+`")`, &ends)
		for c := rune(0); c <= unicode.MaxRune; c++ {
			if in := len(ends) > 1 && ends[0] <= c; in != (unicode.Is(unicode.Greek, c) || extra != nil && unicode.Is(extra, c)) {
				t.Fatalf("Greek as %s has %q: %v", flags, c, in)
			}
			if len(ends) > 1 && ends[1] <= c {
				ends = ends[2:]
			}
		}
	}
	filter.Fill("no such tag")
	filter.Is(`!e.hasAttribute("aria-invalid")`)
	s.cards()
	s.Control("heading", "No tag matches the filter").Wait()
	s.Control("button", "Clear the filter").Click()
	filter.Value("")
	s.cards(first...)
	s.hash("#timeseries")

	// A group.
	flat := s.Control("region", "flat").Control("button", "flat 1 card")
	flat.Expanded(true)
	flat.Click()
	flat.Expanded(false)
	s.cards(first[1:]...)
	s.stored(map[string]bool{"flat": false}, "groups")
	s.again()
	s.cards(first[1:]...)
	flat.Click()
	s.cards(first...)
	s.Control("region", "Not grouped").Control("button", "Not grouped 1 card").Expanded(true)

	// A large one is closed at first, and opens page by page.
	many := s.Control("region", "many").Control("button", "many 130 cards")
	many.Expanded(false)
	s.Control("button", "Expand all").Click()
	many.Expanded(true)
	with := func(n int) []string {
		out := append([]string(nil), first[:3]...)
		return append(append(out, numbered(0, n)...), first[3:]...)
	}
	s.cards(with(60)...)
	s.Control("button", "Show 60 more of 70").Click()
	s.cards(with(120)...)
	s.Control("button", "Show 10 more of 10").Click()
	s.cards(with(130)...)
	s.Control("button", "Show*").Gone()
	many.Click()
	s.cards(first...)
	many.Click()
	s.cards(with(60)...) // it begins anew

	s.Control("button", "Collapse all").Click()
	s.cards()
	many.Expanded(false)
	flat.Expanded(false)
	s.stored(false, "groups", "stairs")
	s.Control("button", "Expand all").Click()
	s.cards(with(60)...)
	many.Expanded(true)
	// While a filter says what is looked for, more groups open by themselves.
	s.fresh("#timeseries&tagFilter=t0..|up")
	s.cards(append(append([]string{"line/up"}, numbered(0, 60)...), "stairs/up")...)
}

// Of very many runs the newest are on, and of very many groups the first are there; the
// others are one step away.
func TestPageMany(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	const runs, groups = 520, 210
	for i := range runs {
		l.put(l.path(fmt.Sprintf("run_%03d", i), "1700000000.host.1.0"), bytesOf(epoch+float64(i), func(w *summary.Buffer) {
			tags := map[string][]point{"loss": {at(0, epoch+float64(i), 1)}}
			if i == runs-1 {
				for g := range groups {
					tags[fmt.Sprintf("group%03d/x", g)] = []point{at(0, epoch+float64(i), 1)}
				}
			}
			write(w, tags)
		}))
	}
	s := look(t, browsertest.Chromium, l.dir)
	s.shown("20 of 520 runs shown")
	s.Control("complementary", "Runs").Is(`e.innerText.includes("Only the 20 newest runs are shown. Tick others to show them.")`)
	// A filter that leaves many more shows the newest of those, one that leaves few all of them.
	filter := s.Control("searchbox", "Filter runs (regex)")
	filter.Fill("run_[0-2]")
	s.shown("20 of 520 runs shown")
	s.Control("checkbox", "run_299").Checked(true)
	s.Control("checkbox", "run_279").Checked(false)
	filter.Fill("run_12")
	s.shown("10 of 520 runs shown")
	filter.Fill("")
	s.shown("20 of 520 runs shown")
	// The list begins with them.
	s.Control("checkbox", "run_519").Checked(true)
	s.Control("checkbox", "run_500").Checked(true)
	s.Control("checkbox", "run_499").Checked(false)
	s.Control("checkbox", "run_000").Gone() // is made when it comes into sight
	s.Control("checkbox", "run_519").Get("e.focus()", nil)
	s.Press("End")
	s.Control("checkbox", "run_000").Focused()
	s.Control("checkbox", "run_000").Checked(false)
	s.Wheel(s.Control("list", "Runs").Control("listitem", "run_004*").Box().Middle(), -100_000)
	s.Control("checkbox", "run_499").Click()
	s.shown("21 of 520 runs shown")

	s.Control("status", "211 tags").Wait()
	group := func(i int) browsertest.Control { return s.Control("region", fmt.Sprintf("group%03d", i)) }
	group(150).Wait()
	group(209).Gone()
	s.Control("button", "Show 11 more groups of 11").Click() // those without a group are one too
	group(209).Wait()
	s.Control("button", "Show 11*").Gone()
}

// Cards: their titles, what is said about a tag, full width, the width of all.
func TestPageCards(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.cards(first...)
	named := s.Control("article", "named/about")
	named.Control("heading", "Shown name").Is(`e.title === "Shown name\nnamed/about"`)
	s.Control("article", "line/up").Control("heading", "line/up").Wait()
	s.Control("article", "line/up").Control("button", "About this tag").Gone()
	named.Control("button", "About this tag").Click()
	about := s.Control("dialog", "About this tag")
	about.Says("Shown name What it means") // as Markdown, when its script has come
	s.Press("Escape")
	about.Gone()

	width := func(tag string) float64 { return s.Control("article", tag).Box().Width }
	small := width("flat/level")
	if small < 340 || small > 600 {
		t.Errorf("a card is %g pixels wide", small)
	}
	flat := s.Control("article", "flat/level")
	flat.Control("button", "Full width (f)").Click()
	flat.Is(fmt.Sprintf("e.offsetWidth > %g && e.offsetHeight > 400", 1.9*small))
	flat.Control("button", "Full width (f)").Is(`e.ariaPressed === "true"`)
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"solo/x", 50, 12, false})
	s.stored(map[string]bool{"scalars?tag=flat%2Flevel": true}, "wide")
	s.again()
	flat.Is(fmt.Sprintf("e.offsetWidth > %g", 1.9*small))
	flat.Control("button", "Full width (f)").Click()
	flat.Is(fmt.Sprintf("Math.abs(e.getBoundingClientRect().width - %g) < 1", small))

	slider := s.Control("slider", "Card width")
	slider.Value("340")
	slider.Slide(0)
	s.Press("Home")
	slider.Value("260")
	flat.Is("e.offsetWidth < 360") // three in a row
	s.stored(260, "cardWidth")
	s.Press("End")
	slider.Value("1200")
	flat.Is(fmt.Sprintf("e.offsetWidth > %g", 1.9*small))
	s.stored(1200, "cardWidth")
	s.again()
	slider.Value("1200")
	flat.Is(fmt.Sprintf("e.offsetWidth > %g", 1.9*small))
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"solo/x", 50, 12, false})

	// A card that was far below is drawn when it comes into sight.
	s.draws("stairs/up", linear, want{"alpha", 90, 10, false})
}

// The panes: shown or not, their width, drawers in a narrow window.
func TestPagePanes(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	runs, settings := s.Control("complementary", "Runs"), s.Control("complementary", "Settings")
	left, right := s.Control("button", "Run list"), s.Control("button", "Settings")
	cards := func() float64 { return s.Control("main", "*").Box().Width }
	runs.Wait()
	settings.Wait()
	both := cards()
	left.Pressed(true)
	left.Click()
	runs.Gone()
	left.Pressed(false)
	if w := cards(); w != both+272 {
		t.Errorf("without the run list the cards have %g pixels, with it %g", w, both)
	}
	s.stored(false, "runsOpen")
	right.Click()
	settings.Gone()
	right.Pressed(false)
	s.stored(false, "settingsOpen")
	s.again()
	runs.Gone()
	settings.Gone()
	if w := cards(); w != 1600 {
		t.Errorf("without panes the cards have %g pixels", w)
	}
	left.Click()
	right.Click()
	runs.Wait()
	settings.Wait()

	divider := s.Control("separator", "Width of the run list")
	at := divider.Box().Middle()
	s.Drag(at, browsertest.Point{X: 400, Y: at.Y})
	runs.Is("e.offsetWidth === 400")
	s.stored(400, "runsWidth")
	divider.Is("e.ariaValueNow === '400'")
	divider.Get("e.focus()", nil)
	s.Press("ArrowRight")
	runs.Is("e.offsetWidth === 416")
	s.Press("ArrowLeft")
	s.Press("ArrowLeft")
	runs.Is("e.offsetWidth === 384")
	s.Drag(divider.Box().Middle(), browsertest.Point{X: 20, Y: at.Y})
	runs.Is("e.offsetWidth === 180") // not less
	s.stored(180, "runsWidth")
	s.again()
	runs.Is("e.offsetWidth === 180")

	// Narrow: drawers, closed at first, one at a time, and not kept.
	s.Resize(760, 900)
	runs.Gone()
	settings.Gone()
	left.Click()
	runs.Wait()
	s.Press("Escape")
	runs.Gone()
	right.Click()
	settings.Wait()
	s.Click(browsertest.Point{X: 200, Y: 500}) // beside it
	settings.Gone()
	s.Press("r")
	runs.Wait()
	s.Control("searchbox", "Filter runs (regex)").Focused()
	s.Press("Escape")
	runs.Gone()
	s.Resize(1600, 1000)
	runs.Wait()
	settings.Wait()
	s.again()
	runs.Wait()
	settings.Wait()
	s.stored(nil, "runsOpen")
	s.stored(nil, "settingsOpen")
}
