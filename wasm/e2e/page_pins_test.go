//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Pins: from the card's button and by key, in an order of their own, moved by mouse and
// by keyboard, kept over a reload and in the address, and a place for those without data.
func TestPagePins(t *testing.T) {
	t.Parallel()
	for _, kind := range []browsertest.Kind{browsertest.Chromium, browsertest.Firefox} {
		t.Run(string(kind), func(t *testing.T) { pinning(t, look(t, kind, pins(t).dir)) })
	}
}

// More pins than there may be are refused in words.
func TestPagePinsFull(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	var all []string
	for i := range 1000 {
		all = append(all, fmt.Sprint("t", i))
	}
	s.fresh("#timeseries&tagFilter=lone&pins=" + strings.Join(all, ","))
	s.Control("article", "lone").Control("button", "Pin (p)").Click()
	s.Control("status", "There are 1000 pinned cards already: unpin one first").Wait()
	s.Control("article", "lone").Control("button", "Pin (p)").Wait()
	s.Control("button", "Pinned 1,000 cards*").Click()
	s.Control("button", "Show 60 more of 940").Click()
	s.Control("button", "Show 60 more of 880").Wait()
}

// Where all pinned cards are of another logdir one line stands for them, until it is opened.
func TestPagePinsElsewhere(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	section := s.Control("region", "Pinned")
	s.fresh("#timeseries&pins=gone%2Ftag%2Caway")
	all := section.Control("button", "Pinned 2 cards, 2 without data here")
	all.Is(`e.ariaExpanded === "false"`)
	s.cards(first...)
	s.Control("checkbox", "alpha").Click()
	s.Control("checkbox", "alpha").Click()
	all.Is(`e.ariaExpanded === "false"`)
	all.Click()
	s.cards(append([]string{"gone/tag", "away"}, first...)...)
	all.Click()
	s.cards(first...)
	all.Click()
	section.Control("article", "away").Is(`e.innerText.includes("Missing: this logdir has no data for it.")`)
	all.Click()
	section.Control("button", "Unpin all").Click()
	section.Gone()
	s.Control("status", "2 cards unpinned*").Control("button", "Undo").Click()
	all.Wait()
	s.cards(first...)
}

func pinning(t *testing.T, s *screen) {
	with := func(pinned ...string) []string { return append(append([]string(nil), pinned...), first...) }
	section := s.Control("region", "Pinned")
	section.Gone()
	s.Control("article", "line/up").Control("button", "Pin (p)").Click()
	s.cards(with("line/up")...)
	section.Control("button", "Pinned 1 card").Expanded(true)
	s.hash("#timeseries&pins=line/up")
	s.stored([]string{"scalars?tag=line%2Fup"}, "pins")
	// It stays in its group, and both can be unpinned.
	s.Control("region", "line").Control("button", "Unpin (p)").Wait()
	s.Control("article", "lone").Control("button", "Pin (p)").Click()
	s.Control("article", "pow/ten").Get("e.focus()", nil)
	s.Press("p")
	s.cards(with("line/up", "lone", "pow/ten")...)
	s.hash("#timeseries&pins=line/up,lone,pow/ten")
	// What is pinned draws what its card in the group draws.
	section.Control("article", "line/up").Control("img", "*").Is(`/^Curves of/.test(e.ariaLabel)`)

	// Moved by its handle: the third before the first, then behind it.
	grip := func(tag string) browsertest.Control {
		return section.Control("article", tag).Control("button", "Move: drag, or arrow keys")
	}
	drag := func(tag, to string, part float64) {
		t.Helper()
		grip(tag).Hover() // brings it into sight
		s.Drag(grip(tag).Box().Middle(), section.Control("article", to).Box().Part(part, 0.5))
	}
	drag("pow/ten", "line/up", 0.2)
	s.cards(with("pow/ten", "line/up", "lone")...)
	drag("pow/ten", "line/up", 0.8)
	s.cards(with("line/up", "pow/ten", "lone")...)
	drag("line/up", "lone", 0.8)
	s.cards(with("pow/ten", "lone", "line/up")...)
	// Held at the edge the page scrolls under it.
	s.Resize(700, 420)
	grip("pow/ten").Hover()
	main := s.Control("main", "*").Box()
	s.DragTo(grip("pow/ten").Box().Middle(),
		func() browsertest.Point { return browsertest.Point{X: main.Middle().X, Y: main.Y + main.Height - 42} },
		func() browsertest.Point {
			s.Control("main", "*").Is(`e.scrollTop > 520`)
			return main.Middle()
		},
		func() browsertest.Point { return section.Control("article", "line/up").Box().Part(0.8, 0.3) })
	s.cards(with("lone", "line/up", "pow/ten")...)
	grip("pow/ten").Get("e.focus()", nil)
	s.Press("Home")
	s.cards(with("pow/ten", "lone", "line/up")...)
	s.Resize(1600, 1000)
	// A drag that ends nowhere changes nothing.
	s.Drag(grip("lone").Box().Middle(), s.Control("searchbox", "Filter tags (regex)").Box().Middle())
	s.cards(with("pow/ten", "lone", "line/up")...)
	// By keyboard.
	grip("line/up").Get("e.focus()", nil)
	s.Press("ArrowLeft")
	s.cards(with("pow/ten", "line/up", "lone")...)
	grip("line/up").Focused()
	s.Press("Home")
	s.cards(with("line/up", "pow/ten", "lone")...)
	s.Press("End")
	s.cards(with("pow/ten", "lone", "line/up")...)
	s.Press("End")
	section.Control("status", "line/up is now 3 of 3").Wait()
	s.Press("ArrowUp") // by a row, of three
	s.cards(with("line/up", "pow/ten", "lone")...)
	s.Press("ArrowDown")
	s.cards(with("pow/ten", "lone", "line/up")...)

	// The filter is of the groups.
	s.Control("searchbox", "Filter tags (regex)").Fill("spike")
	s.cards("pow/ten", "lone", "line/up", "spike/one")
	s.Control("searchbox", "Filter tags (regex)").Fill("")
	s.hash("#timeseries&pins=pow/ten,lone,line/up")
	s.again()
	s.cards(with("pow/ten", "lone", "line/up")...)

	// Folded, and open again.
	section.Control("button", "Pinned 3 cards").Click()
	s.cards(first...)
	s.stored(true, "pinsClosed")
	s.again()
	s.cards(first...)
	section.Control("button", "Pinned 3 cards").Click()
	s.cards(with("pow/ten", "lone", "line/up")...)

	// Runs that are not shown; data that are not there.
	s.Control("checkbox", "alpha").Click()
	section.Control("article", "pow/ten").Is(`e.innerText.includes("No run that has it is shown.")`)
	section.Control("article", "line/up").Is(`!e.matches(".ghost")`)
	s.Control("checkbox", "alpha").Click()
	section.Control("article", "pow/ten").Control("img", "*").Is(`/^Curves of/.test(e.ariaLabel)`)
	s.fresh("#timeseries&pins=gone%2Ftag%2Cflat%2Flevel")
	section.Control("button", "Pinned 2 cards, 1 without data here").Wait()
	section.Control("article", "gone/tag").Is(`e.innerText.includes("Missing: this logdir has no data for it.")`)
	section.Control("article", "gone/tag").Control("button", "Unpin").Click()
	s.cards(with("flat/level")...)

	// All at once, and back.
	section.Control("button", "Unpin all").Click()
	s.cards(first...)
	s.Control("button", "Undo").Click()
	s.cards(with("flat/level")...)

	// TensorBoard's address.
	s.fresh(`?pinnedCards=%5B%7B%22plugin%22%3A%22scalars%22%2C%22tag%22%3A%22stairs%2Fup%22%7D%5D#timeseries`)
	s.cards(with("stairs/up")...)
}

// Texts have pins, of one run each, on the dashboards that show texts.
func TestPagePinnedText(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, textLogs(t, "hello").dir)
	s.Control("button", "Text").Click()
	var all []string
	s.Until(func() string {
		s.TryEval(`[...document.querySelectorAll("article")].map(e => e.ariaLabel)`, &all)
		if len(all) == 0 {
			return "there are no texts"
		}
		return ""
	})
	s.Control("article", all[0]).Control("button", "Pin (p)").Click()
	s.cards(append([]string{all[0]}, all...)...)
	s.Control("button", "Time series").Click()
	s.Control("region", "Pinned").Control("article", all[0]).Wait()
	s.Control("button", "Images").Click()
	s.Control("region", "Pinned").Gone()
	s.Control("button", "Text").Click()
	s.Control("region", "Pinned").Control("article", all[0]).Control("button", "Unpin (p)").Click()
	s.cards(all...)
}

// Pins of several dashboards: on each its own are moved and taken away, and the others stay.
func TestPagePinsOfOthers(t *testing.T) {
	t.Parallel()
	l := textLogs(t, "hello")
	l.run("train", map[string][]point{"x": level(1), "y": level(2)})
	s := look(t, browsertest.Chromium, l.dir)
	s.Control("button", "Text").Click()
	section := s.Control("region", "Pinned")
	s.Control("article", "notes, a").Control("button", "Pin (p)").Click()
	s.pinnedAre("notes, a")
	s.Control("button", "Time series").Click()
	s.Control("article", "x").Control("button", "Pin (p)").Click()
	s.pinnedAre("notes, a", "x")
	// The run of a pinned card is switched off.
	s.Control("checkbox", "a").Click()
	section.Control("article", "notes, a").Is(`e.innerText.includes("Its run is not shown.")`)
	s.Control("checkbox", "a").Click()
	section.Control("article", "notes, a").Is(`!e.innerText.includes("Its run")`)
	s.Control("button", "Text").Click()
	section.Control("button", "Unpin all").Click()
	section.Gone()
	s.Control("button", "Time series").Click()
	s.pinnedAre("x")
}

// A card that is pinned from far below says where it went, and leads there.
func TestPagePinnedFar(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	tags := map[string][]point{}
	for i := range 24 {
		tags[fmt.Sprintf("t%02d", i)] = level(float64(i))
	}
	l.run("r", tags)
	s := look(t, browsertest.Chromium, l.dir)
	s.Control("article", "t00").Control("button", "Pin (p)").Click()
	s.Control("button", "Show").Gone() // it is in sight
	last := s.Control("article", "t11")
	last.Is(`(e.scrollIntoView({block: "center"}), true)`)
	last.Control("button", "Pin (p)").Click()
	s.Control("status", "The card is pinned, above all groups*").Wait()
	s.Control("button", "Show").Click()
	s.Control("region", "Pinned").Control("article", "t11").Focused()
	s.Control("region", "Pinned").Control("article", "t11").Is(`(r => r.top >= 0 && r.bottom <= innerHeight)(e.getBoundingClientRect())`)
}
