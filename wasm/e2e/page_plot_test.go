//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// label is a text on an axis, and where.
type label struct {
	Text string
	X, Y float64
}

// plot is a card's chart as it is seen.
type plot struct {
	tag  string
	Box  browsertest.Box // of the plot, within the axes
	Said []label

	xs, ys []label // of the axes
}

// plotOf reads a card's chart now; it must be in sight. ok is false while it is not drawn.
func (s *screen) plotOf(tag string) (p plot, ok bool) {
	err := s.TryEval(`(e => {
		const over = e?.querySelector(".u-over"), canvas = e?.querySelector("canvas");
		return over && {box: over.getBoundingClientRect(), said: tbSaid(e.querySelector(".uplot > * > canvas, .uplot > canvas") ?? canvas)};
	})([...document.querySelectorAll("article")].find(e => e.ariaLabel === `+quote(tag)+`))`, &p)
	if err != nil || p.Box.Width == 0 {
		return p, false
	}
	p.tag = tag
	for _, l := range p.Said {
		if l.X < p.Box.X {
			p.ys = append(p.ys, l)
		} else if l.Y > p.Box.Y+p.Box.Height {
			p.xs = append(p.xs, l)
		}
	}
	// An axis may have a title besides its numbers.
	if numbers := slices.DeleteFunc(slices.Clone(p.xs), func(l label) bool { return math.IsNaN(value(l.Text)) }); len(numbers) > 1 {
		p.xs = numbers
	}
	return p, len(p.xs) > 0 && len(p.ys) > 0
}

func texts(labels []label) (out []string) {
	for _, l := range labels {
		out = append(out, l.Text)
	}
	return out
}

// value reads a number, or a duration in seconds, as an axis writes it.
func value(text string) float64 {
	if parts := strings.Fields(text); len(parts) > 1 {
		units, sum := map[string]float64{"ms": 0.001, "s": 1, "min": 60, "h": 3600}, 0.0
		for i := 0; i+1 < len(parts); i += 2 {
			sum += value(parts[i]) * units[parts[i+1]]
		}
		return sum
	}
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "M": 1e6} {
		if t, ok := strings.CutSuffix(text, suffix); ok {
			text, factor = t, f
		}
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return nan
	}
	return v * factor
}

// scale maps a value of an axis to where a linear axis would have it.
type scale func(float64) float64

func linear(v float64) float64 { return v }
func symlog(v float64) float64 { return math.Copysign(math.Log10(math.Abs(v)+1), v) }

// along finds the place of a value from the two outermost labels of an axis.
func along(labels []label, at func(label) float64, to scale, v float64) float64 {
	a, b := labels[0], labels[len(labels)-1]
	return at(a) + (to(v)-to(value(a.Text)))/(to(value(b.Text))-to(value(a.Text)))*(at(b)-at(a))
}

// x is where a value of the horizontal axis stands on the page.
func (p plot) x(v float64) float64 {
	return along(p.xs, func(l label) float64 { return l.X }, linear, v)
}

// y is where a value of the vertical axis stands, of that scale.
func (p plot) y(v float64, to scale) float64 {
	return along(p.ys, func(l label) float64 { return l.Y }, to, v)
}

// at is the place of a point.
func (p plot) at(x, y float64) browsertest.Point {
	return browsertest.Point{X: p.x(x), Y: p.y(y, linear)}
}

// ink is a stretch of a column of pixels that a colour covers.
type ink struct {
	top, bottom float64
	cover       float64 // the greatest part of a pixel that is covered, 0…1
}

// column finds what a colour has drawn in the column of pixels at a place.
func (p plot) column(pic browsertest.Picture, ground [3]float64, color browsertest.Hex, x float64) (found []ink) {
	now := ink{}
	end := func() {
		if now.cover >= 0.12 {
			found = append(found, now)
		}
		now = ink{}
	}
	for y := int(p.Box.Y); y < int(p.Box.Y+p.Box.Height); y++ {
		c := browsertest.Cover(pic.At(browsertest.Point{X: x, Y: float64(y)}), ground, color.RGB())
		if c < 0.12 {
			end()
			continue
		}
		if now.cover == 0 {
			now.top = float64(y)
		}
		now.bottom, now.cover = float64(y+1), max(now.cover, c)
	}
	end()
	return found
}

// around is the plot with what lies on its edges.
func (p *plot) around() browsertest.Box {
	return browsertest.Box{X: p.Box.X - 8, Y: p.Box.Y - 8, Width: p.Box.Width + 16, Height: p.Box.Height + 16}
}

// want is a place on a curve.
type want struct {
	run  string  // as the run list shows it
	x, y float64 // values of the axes
	// faint means the line behind the strong one, the values as they were logged.
	faint bool
}

// draws waits until the card shows the curves there: their colours, at these values.
func (s *screen) draws(tag string, to scale, wants ...want) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		if !ok {
			return tag + " is not drawn"
		}
		pic, ground := s.PictureOf(p.around()), s.ground()
		for _, w := range wants {
			color := s.color(w.run)
			found := p.column(pic, ground, color, p.x(w.x))
			y := p.y(w.y, to)
			i := slices.IndexFunc(found, func(i ink) bool { return i.top-1.5 <= y && y <= i.bottom+1.5 && (i.cover >= 0.6) == !w.faint })
			if i < 0 {
				return fmt.Sprintf("%s: %+v should be at pixel %.1f, %.1f in %s; axes %q, %q; found %+v in %+v", tag, w, p.x(w.x), y, color, texts(p.xs), texts(p.ys), found, p.Box)
			}
		}
		return ""
	})
}

// crossed waits until the cards show the crosshair at a step, or show none.
func (s *screen) crossed(on bool, step float64, tags ...string) {
	s.t.Helper()
	s.Until(func() string {
		pic, muted := s.Picture(), browsertest.Hex("#5d6878").RGB() // --muted in app.css
		for _, tag := range tags {
			p, _ := s.plotOf(tag)
			most := 0.0
			for _, x := range []float64{-1, 0, 1} {
				n := 0.0
				for y := range int(p.Box.Height) {
					if browsertest.Cover(pic.At(browsertest.Point{X: p.x(step) + x, Y: p.Box.Y + float64(y)}), s.ground(), muted) > 0.3 {
						n++
					}
				}
				most = max(most, n/p.Box.Height)
			}
			if most > 0.7 != on {
				return fmt.Sprintf("%s: %.0f %% of a crosshair at %g", tag, 100*most, step)
			}
		}
		return ""
	})
}

// ground is the colour behind the curves.
func (s *screen) ground() [3]float64 {
	s.t.Helper()
	var c [3]float64
	s.Eval(`getComputedStyle(document.querySelector("article")).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)`, &c)
	return c
}

// axes waits until a card's axes say so. An empty text is not looked at.
func (s *screen) axes(tag, xs, ys string) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	s.Until(func() string {
		p, ok := s.plotOf(tag)
		x, y := strings.Join(texts(p.xs), " "), strings.Join(texts(p.ys), " ")
		if !ok || xs != "" && x != xs || ys != "" && y != ys {
			return fmt.Sprintf("%s: the axes say %q, %q, not %q, %q", tag, x, y, xs, ys)
		}
		return ""
	})
}

// inkOf stands for what a card's plot shows, axes apart; it is "" while there are neither
// curves nor words in it.
func (s *screen) inkOf(tag string) (ink string) {
	s.TryEval(`(e => {
		const all = [...e?.querySelectorAll(".u-over canvas") ?? []].filter(c => c.width && c.height);
		const urls = all.map(c => c.toDataURL()), blank = all.map(c => {
			const b = document.createElement("canvas");
			[b.width, b.height] = [c.width, c.height];
			return b.toDataURL();
		});
		const said = e?.querySelector(".plot-said")?.textContent ?? "";
		if (!said && urls.every((u, i) => u === blank[i])) return "";
		let hash = 0;
		for (const c of urls.join() + said) hash = Math.imul(hash, 31) + c.codePointAt() | 0;
		return String(hash);
	})([...document.querySelectorAll("article")].find(e => e.ariaLabel === `+quote(tag)+`))`, &ink)
	return ink
}

// still waits for a chart that is drawn, its curves too, and reads it.
func (s *screen) still(tag string) (p plot) {
	s.t.Helper()
	s.Control("article", tag).Get(`e.scrollIntoView({block: "nearest"})`, nil)
	var last plot
	ink := ""
	s.Until(func() string {
		ok, was := false, ink
		last = p
		p, ok = s.plotOf(tag)
		if ink = s.inkOf(tag); !ok || ink == "" {
			return tag + " is not drawn"
		}
		if p.Box != last.Box || !slices.Equal(p.Said, last.Said) || ink != was {
			return tag + " moves"
		}
		return ""
	})
	return p
}
