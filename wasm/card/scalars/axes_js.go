package scalars

import (
	"math"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// chooseAxes lets the user type the ends of the axes, and choose their scales.
func (c *curves) chooseAxes() {
	if c.chart == nil {
		return
	}
	widget.Popup(c.more, "axes", "Axes and limits", func(el dom.HTMLElement) {
		s := c.l.host.State()
		z := c.shown
		now := paint.Zoom{X0: math.NaN(), X1: math.NaN(), Y0: math.NaN(), Y1: math.NaN()}
		if z.X1 > z.X0 {
			now.X0, now.X1 = z.X0, z.X1
		}
		if z.Y1 > z.Y0 {
			now.Y0, now.Y1 = z.Y0, z.Y1
		}
		limits := c.chart.Limits()
		var ends [4]dom.HTMLElement
		said := widget.New("p", "said wrong", widget.Attr{Key: "role", Value: "status"})
		apply := func() {
			z, ok := limitsOf(ends)
			why := ""
			if !ok {
				why = "Type two numbers for an axis, the smaller first, or leave both empty."
			}
			widget.Text(said, why)
			if !ok {
				return
			}
			if c.chart == nil {
				return
			}
			c.chart.SetZoom(z)
			c.zoomed(z, z.X1 > z.X0 || z.Y1 > z.Y0)
			c.Reshape()
		}
		field := func(i int, name string, v, hint float64) dom.HTMLElement {
			in := widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "inputmode", Value: "decimal"},
				widget.Attr{Key: "aria-label", Value: name}, widget.Attr{Key: "placeholder", Value: strconv.FormatFloat(hint, 'g', 5, 64)})
			if v == v {
				widget.Set(in, "value", strconv.FormatFloat(v, 'g', -1, 64))
			}
			widget.Listen(in, "change", func(dom.Event) { apply() })
			ends[i] = in
			return in
		}
		row := func(title string, i int, v0, v1, h0, h1 float64) dom.Node {
			return widget.Field(title, widget.New("div", "pair", field(i, title+", from", v0, h0), "to", field(i+1, title+", to", v1, h1)))
		}
		scale := func(name string, of Scale, set func(*AxisScales, Scale)) dom.Node {
			choice := widget.NewChoice(name, scaleChoices, func(v string) {
				c.l.host.Set(func(s *session.State) {
					a, _ := TagScales.Get(s, c.tag)
					set(&a, Scale(v))
					SetScales(s, c.tag, a)
				})
			})
			choice.Set(string(of))
			return widget.Field(name, choice.El)
		}
		el.AppendChild(row("Vertical limits", 2, now.Y0, now.Y1, limits.Y0, limits.Y1))
		el.AppendChild(scale("Vertical scale", ScaleOf(s, c.tag), func(a *AxisScales, v Scale) { a.Y = v }))
		if XOf(s) != wire.ByWall {
			el.AppendChild(row(map[wire.XAxis]string{wire.ByStep: "Steps", wire.ByRelative: "Seconds", wire.ByProcess: "Seconds", wire.ByIndex: "Points", wire.ByTag: XTag.Of(s)}[XOf(s)], 0, now.X0, now.X1, limits.X0, limits.X1))
			el.AppendChild(scale("Horizontal scale", curveScale(s, c.tag), func(a *AxisScales, v Scale) { a.X = v }))
		}
		own := widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "inputmode", Value: "decimal"}, widget.Attr{Key: "aria-label", Value: "Smoothing of this card"},
			widget.Attr{Key: "placeholder", Value: strconv.FormatFloat(Smoothing.Of(s), 'g', -1, 64)})
		if v, ok := OwnSmoothing.Get(s, c.tag); ok {
			widget.Set(own, "value", strconv.FormatFloat(v, 'g', -1, 64))
		}
		widget.Listen(own, "input", func(dom.Event) {
			text := widget.Get(own, "value").String()
			v, err := strconv.ParseFloat(text, 64)
			good := text == "" || err == nil && v >= 0 && v <= MaxSmoothing
			widget.Invalid(own, map[bool]string{false: "a number from 0 to 0.999, or nothing"}[good])
			if good {
				c.l.host.Set(func(s *session.State) {
					if OwnSmoothing.Drop(s, c.tag); text != "" {
						OwnSmoothing.Put(s, c.tag, v)
					}
				})
			}
		})
		el.AppendChild(widget.Field("Smoothing", widget.New("label", "inline", own, "of this card; empty: of all")))
		el.AppendChild(said)
	})
}

var scaleChoices = [][2]string{{string(Linear), "Linear"}, {string(Log), "Log"}, {string(Symlog), "Symlog"}}

// limitsOf reads the ends of the axes: x0, x1, y0, y1. Empty ones, and those that there
// are no fields for, are NaN.
func limitsOf(ends [4]dom.HTMLElement) (z paint.Zoom, ok bool) {
	v := [4]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	for i, in := range ends {
		if in == nil {
			continue
		}
		text := widget.Get(in, "value").String()
		if text == "" {
			continue
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(n, 0) {
			return z, false
		}
		v[i] = n
	}
	for i := 0; i < 4; i += 2 {
		if math.IsNaN(v[i]) != math.IsNaN(v[i+1]) || v[i] >= v[i+1] {
			return z, false
		}
	}
	return paint.Zoom{X0: v[0], X1: v[1], Y0: v[2], Y1: v[3]}, true
}
