//go:build !js

package e2e

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// ends reads the names that stand at the ends of a card's lines, from top to bottom.
func (s *screen) ends(tag string) (found []label) {
	s.t.Helper()
	if err := s.TryEval(`[...([...document.querySelectorAll("article")].find(e => e.ariaLabel === `+quote(tag)+`)?.querySelectorAll(".plot-name") ?? [])].filter(e => e.checkVisibility()).map(e => {
		const b = e.getBoundingClientRect();
		return {text: e.textContent, x: b.x, y: b.y + b.height / 2};
	})`, &found); err != nil {
		return nil
	}
	slices.SortFunc(found, func(a, b label) int { return cmp.Compare(a.Y, b.Y) })
	return found
}

// ended waits until these names stand at a card's lines, from top to bottom.
func (s *screen) ended(tag string, want ...string) (found []label) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	s.Until(func() string {
		found = s.ends(tag)
		if got := texts(found); !slices.Equal(got, want) {
			return fmt.Sprintf("%s: at the lines' ends stands %q, not %q", tag, got, want)
		}
		return ""
	})
	return found
}

// A card says at the ends of its lines what they are: names that differ look different, stand
// right of the plot, at their lines' heights or beside each other, lead to their run alone and
// back, and are in pictures. Cards without room have none, and a setting takes them away.
func TestPageEndNames(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Resize(1920, 900)
	s.fresh("#timeseries&smoothing=0&cards=line/up:flat/level")
	const level = "flat/level"
	all := []string{"solo/x", "sweep/s3", "sweep/s2", "sweep/s1", "beta", "alpha"}
	found := s.ended(level, all...)
	p := s.still(level)
	for i, v := range []float64{12, 10, 8, 6, 4, 2} {
		if l := found[i]; l.X < p.Box.X+p.Box.Width || math.Abs(l.Y-p.y(v, linear)) > 2 {
			t.Errorf("%s stands at %g, %g: its line ends at %g, %g", l.Text, l.X, l.Y, p.Box.X+p.Box.Width, p.y(v, linear))
		}
	}
	s.ended("line/up", "alpha", "beta")

	// A card of several tags has a key of their dashes.
	const both = "line/up, flat/level"
	s.ended(both, "alpha", "solo/x", "sweep/s3", "sweep/s2", "sweep/s1", "beta", "alpha", "beta")
	s.Control("article", both).Is(`[...e.querySelectorAll(".plot-tag")].map(k => k.textContent + (k.querySelector("[stroke-dasharray]") ? " dashed" : "")).join() === "line/up,flat/level dashed"`)

	// The hovered card fades what is not marked, as the others do.
	card := s.Control("article", level)
	p = s.still(level)
	s.Hover(p.at(50, 6))
	card.Is(`getComputedStyle(e.querySelector(".plot-layer")).opacity === "0.3"`)
	s.Control("article", "line/up").Is(`getComputedStyle(e.querySelector(".plot-layer")).opacity === "1"`) // s1 is not in it
	s.Hover(p.at(50, 2))
	s.Control("article", "line/up").Is(`getComputedStyle(e.querySelector(".plot-layer")).opacity === "0.3"`)
	card.Is(`[...e.querySelectorAll(".plot-name.dim")].length === 5`)

	// A click shows its run alone, again what was shown before.
	at := s.ended(level, all...)[4]
	s.Click(browsertest.Point{X: at.X + 5, Y: at.Y})
	s.shown("1 of 6 runs shown")
	at = s.ended(level, "beta")[0]
	s.Click(browsertest.Point{X: at.X + 5, Y: at.Y})
	s.shown("6 of 6 runs shown")
	s.ended(level, all...)

	// In a picture they take the legend's place.
	dir := s.Downloads()
	card.Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	s.Control("dialog", "Picture").Control("button", "SVG").Click()
	svg := s.saved(dir, "flat_level.svg")
	var last float64
	for _, name := range all {
		_, before, ok := strings.Cut(reversed(svg), reversed(">"+name+"<"))
		var x, y float64
		tag := reversed(before)
		if i := strings.LastIndex(tag, "<text"); ok {
			fmt.Sscanf(strings.NewReplacer(`"`, " ", "=", " ").Replace(tag[i:]), "<text x %g y %g", &x, &y)
		}
		if x < 600 || y < last+13 {
			t.Errorf("in the picture %s stands at %g, %g: %s", name, x, y, svg)
		}
		last = y
	}
	s.Press("Escape")

	// What is nearest is in view: of what is not nothing is marked.
	s.Eval(`void (location.hash = "#timeseries&smoothing=0&zoom=flat/level:::1:5")`, nil)
	s.ended(level, all...)
	s.axes(level, "", "1 2 3 4 5")
	p = s.still(level)
	s.Hover(p.at(50, 4.9))
	s.Until(func() string {
		if rows := s.tip(false).Rows; len(rows) != 6 || rows[0]["Run"] != "beta" || rows[1]["Run"] != "alpha" {
			return fmt.Sprintf("the nearest are %v", rows)
		}
		return ""
	})

	s.Control("checkbox", "Names at the ends of lines").Click()
	s.ended(level)
	s.hash("#timeseries&smoothing=0&endNames=false&zoom=flat/level:::1:5")
	s.Control("checkbox", "Names at the ends of lines").Click()
	s.ended(level, all...)
	s.Resize(1280, 900)
	s.ended(level)
}

func reversed(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

// Lines that end at one height have names below each other, which are cut where they differ.
func TestPageEndNamesApart(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 12 {
		l.run(fmt.Sprintf("sweep/model_resnet50_with_a_long_name_lr_0.001_seed_%02d_and_a_tail", i), map[string][]point{
			"near": {at(0, epoch, float64(i)), at(100, epoch, 5+float64(i)/1000)},
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1920, 900)
	s.fresh("#timeseries&smoothing=0")
	var want []string
	for i := range 12 {
		want = append(want, fmt.Sprintf("seed_%02d", 11-i))
	}
	found := s.ended("near", want...)
	p := s.still("near")
	mean := 0.0
	for i, l := range found {
		mean += l.Y / 12
		if i > 0 && l.Y-found[i-1].Y < 12 {
			t.Errorf("%s lies on %s: %g, %g", l.Text, found[i-1].Text, l.Y, found[i-1].Y)
		}
	}
	if want := p.y(5, linear); math.Abs(mean-want) > 3 {
		t.Errorf("the names stand around %g, the lines end at %g", mean, want)
	}

	// A thin line leads from where each line ends to its name.
	var leads []struct {
		Width  string
		From   browsertest.Point
		To     browsertest.Point
		Dashed bool
	}
	s.Control("article", "near").Get(`[...e.querySelectorAll(".plot-names .lead")].map((l) => {
		const at = (n) => { const p = l.getPointAtLength(n).matrixTransform(l.getScreenCTM()); return { X: p.x, Y: p.y }; };
		return { Width: getComputedStyle(l).strokeWidth, From: at(0), To: at(l.getTotalLength()), Dashed: getComputedStyle(l).strokeDasharray !== "none" };
	}).sort((a, b) => a.To.Y - b.To.Y)`, &leads)
	if len(leads) != len(found) {
		t.Fatalf("%d lines lead to %d names", len(leads), len(found))
	}
	for i, l := range leads {
		from := p.y(5+float64(11-i)/1000, linear)
		if l.Width != "1px" || l.Dashed || math.Abs(l.From.Y-from) > 1.5 || math.Abs(l.To.Y-found[i].Y) > 2 || l.To.X > found[i].X || l.To.X < p.Box.X+p.Box.Width {
			t.Errorf("%+v leads to %s at %g, %g from a line that ends at %g", l, found[i].Text, found[i].X, found[i].Y, from)
		}
	}
}
