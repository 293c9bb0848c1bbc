//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A card of several tags: made from a card's menu, with curves of each tag, values, a
// title, a pin, and a way to change it and to take it away.
func TestPageSuperimposed(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before(drawing)
	s.fresh("#timeseries&smoothing=0")
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menu", "*").Wait()
	s.said(openMenu, "card-menu")
	s.Control("menuitem", "Superimpose other tags…").Click()
	box := s.Control("dialog", "Superimpose tags")
	make := box.Control("button", "Make the card")
	make.Is("e.disabled")
	box.Control("textbox", "Title").Fill("Up and level")
	box.Control("searchbox", "Find tags (regex)").Fill("flat")
	box.Control("checkbox", "flat/level").Click()
	box.Is(`e.innerText.includes("2 tags chosen")`)
	s.said(dialog, "superimpose")
	make.Click()
	box.Gone()
	section := s.Control("region", "Superimposed")
	section.Control("heading", "Up and level").Wait()
	const tag = "line/up, flat/level"
	s.Control("article", tag).Focused() // the page goes there
	s.draws(tag, linear, want{"alpha", 50.5, 50.5, false}, want{"beta", 49.5, 50.5, false})
	p := s.still(tag)
	s.Hover(p.at(80, 79))
	rows := func(want ...string) {
		t.Helper()
		s.Until(func() string {
			var got []string
			for _, r := range s.tip(false).Rows {
				got = append(got, r["Run"]+" = "+r["Value"])
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				return fmt.Sprintf("the tooltip says %q, not %q", got, want)
			}
			return ""
		})
	}
	rows("alpha · flat/level = 2", "alpha · line/up = 80", "beta · flat/level = 4", "beta · line/up = 20", "solo/x · flat/level = 12", "sweep/s1 · flat/level = 6", "sweep/s2 · flat/level = 8", "sweep/s3 · flat/level = 10")
	s.drawn(article(tag), "superimposed")
	s.said(tooltip, "superimposed-tip")
	// One tag is drawn through, the other in dashes.
	inked := func(run string, y float64) (n int) {
		p := s.still(tag)
		pic := s.PictureOf(p.around())
		for x := range 100 {
			at := browsertest.Point{X: p.x(40) + float64(x), Y: p.y(y, linear)}
			for _, dy := range []float64{-1, 0, 1} {
				if browsertest.Cover(pic.At(browsertest.Point{X: at.X, Y: at.Y + dy}), s.ground(), s.color(run).RGB()) > 0.5 {
					n++
					break
				}
			}
		}
		return n
	}
	s.Control("heading", "Settings").Hover()
	if n := inked("solo/x", 12); n < 40 || n > 85 {
		t.Errorf("%d of 100 pixels of the second tag are drawn: no dashes", n)
	}
	// Of a single run tags are told apart by colours.
	s.Control("list", "Runs").Control("listitem", "alpha*").DoubleClick()
	s.shown("1 of 6 runs shown")
	p = s.still(tag)
	s.Hover(p.at(80, 79))
	rows("alpha · flat/level = 2", "alpha · line/up = 80")
	tip := s.tip(false).Rows
	if tip[0][""] == tip[1][""] {
		t.Errorf("both tags have the colour %s", tip[0][""])
	}
	s.Control("list", "Runs").Control("listitem", "alpha*").DoubleClick()

	s.again()
	card := section.Control("article", tag)
	card.Control("button", "Pin (p)").Click()
	s.Control("region", "Pinned").Control("heading", "Up and level").Wait()
	card.Control("button", "More").Click()
	for _, of := range []string{"line/up", "flat/level"} {
		s.Control("menuitem", "CSV of all points ("+of+")").Wait()
	}
	s.Control("menuitem", "Change this card…").Click()
	box = s.Control("dialog", "Change the card")
	box.Control("textbox", "Title").Value("Up and level")
	box.Control("textbox", "Title").Fill("Both")
	box.Control("button", "Save").Click()
	section.Control("heading", "Both").Wait()
	card.Control("button", "More").Click()
	s.Control("menuitem", "Remove this card").Click()
	section.Gone()
	s.Control("button", "Undo").Click()
	section.Control("heading", "Both").Wait()

	// With another tag it is still pinned, at its width and scale.
	card.Control("button", "Full width (f)").Click()
	card.Control("button", "Lin, Y axis: linear (click to change)").Click()
	card.Control("button", "More").Click()
	s.Control("menuitem", "Change this card…").Click()
	box.Control("searchbox", "Find tags (regex)").Fill("stairs")
	box.Control("checkbox", "stairs/up").Click()
	box.Control("button", "Save").Click()
	s.Control("region", "Pinned").Control("article", tag+", stairs/up").Wait()
	card = section.Control("article", tag+", stairs/up")
	card.Control("button", "Full width (f)").Pressed(true)
	card.Control("button", "Log, Y axis: logarithmic (click to change)").Wait()
}

// Dashes of lines that lie on each other begin at different places: together they are no line
// with gaps that are in none of them.
func TestPageDashesOfMany(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 12 {
		l.run(fmt.Sprint("run", i), map[string][]point{"a": level(1), "b": level(2)})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#timeseries&smoothing=0&endNames=false&cards=a:b")
	s.Control("heading", "Settings").Hover()
	p := s.still("a, b")
	pic := s.PictureOf(p.around())
	drawn := 0
	for x := range 100 {
		at := browsertest.Point{X: p.x(5) + float64(x), Y: p.y(2, linear)}
		if c, ground := pic.At(at), s.ground(); math.Abs(c[0]-ground[0])+math.Abs(c[1]-ground[1])+math.Abs(c[2]-ground[2]) > 60 {
			drawn++
		}
	}
	if drawn < 95 {
		t.Errorf("%d of 100 pixels are drawn where twelve lines lie on each other", drawn)
	}
}

// The ends of an axis can be typed, and a card's scales chosen.
func TestPageLimits(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	s.whole()
	card := s.Control("article", "line/up")
	card.Control("button", "More").Click()
	s.Control("menuitem", "Axes and limits…").Click()
	box := s.Control("dialog", "Axes and limits")
	set := func(name, value string) {
		box.Control("textbox", name).Fill(value)
		s.Press("Tab")
	}
	set("Vertical limits, from", "20")
	s.shows("line/up", -1.5, 101.5, 20, 100) // the other end is by the data
	set("Vertical limits, to", "6O")
	box.Is(`e.innerText.includes("“6O” is not a number")`)
	set("Vertical limits, to", "60")
	s.shows("line/up", -1.5, 101.5, 20, 60)
	box.Is(`!e.innerText.includes("is not a number")`)
	set("Steps, from", "10")
	set("Steps, to", "30")
	s.shows("line/up", 10, 30, 20, 60)
	set("Vertical limits, from", "")
	set("Vertical limits, to", "")
	s.shows("line/up", 10, 30, nan, nan)
	box.Control("radiogroup", "Vertical scale").Control("radio", "Symlog").Click()
	card.Control("button", "±Log, Y axis: symmetric log (click to change)").Wait()
	box.Control("radiogroup", "Horizontal scale").Control("radio", "Log").Click()
	s.stored("symlog10", "tagAxisScales", "line/up", "y")
	s.stored("log10", "tagAxisScales", "line/up", "x")
	s.Press("Escape")
	card.Control("button", "Fit to the data (double click)").Gone() // another axis ends the zoom

	// A log axis has no 0.
	s.fresh("#timeseries&smoothing=0&y=log10")
	open := func() {
		t.Helper()
		card.Control("button", "More").Click()
		s.Control("menuitem", "Axes and limits…").Click()
	}
	open()
	set("Vertical limits, from", "0")
	box.Is(`e.innerText.includes("A log axis has no 0")`)
	s.axes("line/up", "", "5 10 20 50 100")
	s.Press("Escape")

	// Times of day, in the reader's zone.
	s.fresh("#timeseries&smoothing=0&x=wall")
	s.still("line/up")
	open()
	s.Wait(`document.querySelector("[aria-label='Time, from']")?.type === "datetime-local"`)
	s.Eval(`void [["from", 1700000200], ["to", 1700000700]].forEach(([name, wall]) => {
		const e = document.querySelector("[aria-label='Time, " + name + "']"), d = new Date(wall * 1000);
		e.value = new Date(d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
		e.dispatchEvent(new Event("change"));
	})`, nil)
	s.Until(func() string {
		var hash string
		if s.TryEval(`location.hash`, &hash); !strings.Contains(hash, "zoom=line/up:1700000200:1700000700") {
			return hash
		}
		return ""
	})
}

// What a tag means is Markdown; the filter offers tags.
func TestPageAboutAndOffers(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.Control("article", "named/about").Get(`e.scrollIntoView({block: "center"})`, nil)
	s.Control("article", "named/about").Control("button", "About this tag").Click()
	about := s.Control("dialog", "About this tag")
	about.Is(`e.innerText.includes("What it means") && e.querySelector("em")?.innerText === "means"`)
	s.Press("Escape")
	s.Press("/")
	s.Type("pow")
	s.Wait(`document.querySelector("#tag-offers").options.length === 1 && document.querySelector("#tag-offers").options[0].value === "^pow/ten$"`)
	s.Control("searchbox", "Filter tags (regex)").Fill("^pow/ten$")
	s.cards("pow/ten")
}

// A tag is offered under its own name, whatever letters are in it, and what it fills in finds
// just that tag.
func TestPageOffersOddTags(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"layer.0.weight": curve(0, 0, 3), "layer10.weight": curve(0, 0, 3), "p[0]": curve(0, 0, 3)})
	s := look(t, browsertest.Chromium, l.dir)
	field := s.Control("searchbox", "Filter tags (regex)")
	field.Click()
	for typed, tag := range map[string]string{"layer.0": "layer.0.weight", "p[": "p[0]"} {
		field.Fill(typed)
		var fills string
		s.Until(func() string {
			// As browsers do: an option is offered where its label or its value holds what is typed.
			if err := s.TryEval(`[...document.querySelector("#tag-offers").options].find(o => o.label === `+quote(tag)+` && o.label.includes(`+quote(typed)+`))?.value ?? ""`, &fills); err != nil || fills == "" {
				return tag + " is not offered"
			}
			return ""
		})
		field.Fill(fills)
		s.cards(tag)
	}
}

// On a dashboard of several kinds of cards one can look at some of them.
func TestPageTypes(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 2)
	l.run("c", map[string][]point{"loss": curve(0, 0, 3)})
	s := look(t, browsertest.Chromium, l.dir)
	s.cards("loss", "pics, a", "pics, b")
	group := s.Control("group", "Kinds of cards")
	group.Control("button", "All").Pressed(true)
	group.Control("button", "Histograms").Gone()
	group.Control("button", "Images").Click()
	s.cards("pics, a", "pics, b")
	group.Control("button", "Images").Pressed(true)
	group.Control("button", "All").Pressed(false)
	s.stored(map[string]bool{"images": true}, "kinds")
	s.again()
	s.cards("pics, a", "pics, b")
	group.Control("button", "Scalars").Click()
	s.cards("loss", "pics, a", "pics, b")
	group.Control("button", "Images").Click()
	s.cards("loss")
	group.Control("button", "All").Click()
	s.cards("loss", "pics, a", "pics, b")
}

// What was chosen to be shown in one logdir hides nothing in another that has none of it.
func TestPageTypesOfOthers(t *testing.T) {
	t.Parallel()
	mixed := imageLogs(t, 2)
	mixed.run("c", map[string][]point{"loss": curve(0, 0, 3)})
	s := look(t, browsertest.Chromium, mixed.dir)
	l := newLogs(t)
	l.run("c", map[string][]point{"loss": curve(0, 0, 3)})
	l.file("c", "1700000001.host.1.0", func(w *summary.Buffer) {
		if err := w.Text("words", "some", 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	open := func(h *host) {
		t.Helper()
		s.host.stop()
		s.host.handler = h.handler
		s.host.start()
		s.Open(s.url)
		s.rests()
	}
	images, others := serve(t, mixed.dir), serve(t, l.dir)
	group := s.Control("group", "Kinds of cards")
	group.Control("button", "Images").Click()
	s.cards("pics, a", "pics, b")
	s.stored(map[string]bool{"images": true}, "kinds")
	s.leave()
	open(others)
	s.cards("loss", "words, c")
	group.Control("button", "All").Pressed(true)
	group.Control("button", "Texts").Click()
	s.cards("words, c")
	group.Control("button", "Texts").Pressed(true)
	s.leave()
	open(images)
	s.cards("pics, a", "pics, b")
}
