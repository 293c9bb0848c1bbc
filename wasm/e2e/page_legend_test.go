//go:build !js

package e2e

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A saved picture says what its lines are, however many there are and however small it is: each
// name that stands in it is whole or differs from all others, none leaves the picture or lies on
// another, how many are not named is said, and the curves keep more than half of the height.
func TestPageLegendOfMany(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 100 {
		l.run(fmt.Sprintf("sweep/model_resnet50_with_a_long_name,lr=%d.5e-05,opt=adam,warmup_steps=1000,seed=%03d", i/10, i), map[string][]point{
			"loss": {at(0, epoch, float64(i)), at(100, epoch+1, 100-float64(i)/2)},
		})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1280, 900)
	s.fresh("#timeseries&smoothing=0")
	dir := s.Downloads()
	save := func(width, height int) string {
		t.Helper()
		s.still("loss")
		s.Control("article", "loss").Control("button", "More").Click()
		s.Control("menuitem", "Picture…").Click()
		box := s.Control("dialog", "Picture")
		box.Control("spinbutton", "Width").Fill(fmt.Sprint(width))
		box.Control("spinbutton", "Height").Fill(fmt.Sprint(height))
		box.Control("button", "SVG").Click()
		svg := s.saved(dir, "loss.svg")
		s.Press("Escape")
		return svg
	}
	check := func(runs, width, height, least int) {
		t.Helper()
		names, plot := s.legend(save(width, height))
		seen, more := map[string]bool{}, 0
		for i, n := range names {
			if !n.Line {
				fmt.Sscanf(n.Text, "and %d more", &more)
			} else if seen[n.Text] {
				t.Errorf("%d × %d: two lines are called %s", width, height, n.Text)
			}
			seen[n.Text] = true
			if n.X < 0 || n.X+n.W > float64(width) || n.Y < 12 || n.Y+4 > float64(height) {
				t.Errorf("%d × %d: %s stands at %g, %g and is %g wide", width, height, n.Text, n.X, n.Y, n.W)
			}
			for _, o := range names[:i] {
				if n.X < o.X+o.W && o.X < n.X+n.W && math.Abs(n.Y-o.Y) < 12 {
					t.Errorf("%d × %d: %s lies on %s", width, height, n.Text, o.Text)
				}
			}
		}
		named := len(names)
		if more > 0 {
			named--
		}
		if named+more != runs || named < least {
			t.Errorf("%d × %d: of %d lines %d are named, and %d more are told of", width, height, runs, named, more)
		}
		if plot < 0.4*float64(height) && height > 300 {
			t.Errorf("%d × %d: the curves are %g high", width, height, plot)
		}
	}
	s.all(100)
	check(100, 800, 480, 40)
	check(100, 400, 300, 6)
	check(100, 200, 200, 1)
	check(100, 1600, 1500, 48)
	// They stand in the order of their names, and what these have in common is said once.
	names, _ := s.legend(save(800, 480))
	if !slices.IsSortedFunc(names[:len(names)-1], func(a, b lineName) int { return strings.Compare(a.Text, b.Text) }) {
		t.Errorf("the legend's order is %v", names)
	}
	if svg := save(800, 480); strings.Count(svg, "resnet50_with_a_long_name") != 1 {
		t.Errorf("%d times what all have in common", strings.Count(svg, "resnet50_with_a_long_name"))
	}
	// A few have room beside their lines, or whole names below.
	s.Eval(`void (location.hash = "#timeseries&smoothing=0&runFilter=seed=00")`, nil)
	s.all(10)
	check(10, 800, 480, 10)
	check(10, 360, 300, 4)
}

// all waits until the card has so many curves.
func (s *screen) all(n int) {
	s.t.Helper()
	s.Wait(fmt.Sprintf(`[...tbPaint.charts].some(c => c.list.length === %d && tbPaint.idle())`, n))
}

// lineName is what a picture calls a line, or (without Line) how many it does not name.
type lineName struct {
	Text    string
	X, Y, W float64
	Line    bool
}

// legend reads the names of a picture of a card, and how high its plot is.
func (s *screen) legend(svg string) (names []lineName, plot float64) {
	s.t.Helper()
	number := func(e xml.StartElement, name string) (v float64) {
		for _, a := range e.Attr {
			if a.Name.Local == name {
				fmt.Sscan(a.Value, &v)
			}
		}
		return v
	}
	var last *lineName
	stroke := false
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			s.t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "rect":
				plot = number(e, "height")
			case "path":
				stroke = number(e, "stroke-width") == 2.5
			case "text":
				last = &lineName{X: number(e, "x"), Y: number(e, "y"), Line: stroke}
				stroke = false
			}
		case xml.CharData:
			if last != nil {
				last.Text = string(e)
				if last.Line || strings.HasPrefix(last.Text, "and ") {
					names = append(names, *last)
				}
				last = nil
			}
		}
	}
	var list []string
	for _, n := range names {
		list = append(list, n.Text)
	}
	text, _ := json.Marshal(list)
	var wide []float64
	s.Eval(`(() => {
		const pen = document.createElement("canvas").getContext("2d");
		pen.font = "12px sans-serif";
		return `+string(text)+`.map(t => pen.measureText(t).width);
	})()`, &wide)
	for i := range names {
		names[i].W = wide[i]
	}
	return names, plot
}
