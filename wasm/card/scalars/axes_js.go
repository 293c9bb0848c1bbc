package scalars

import (
	"cmp"
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
		by, rightLo, rightHi := c.chart.Limits()
		fitted := Zoom{X0: by.X0, X1: by.X1, Y0: by.Y0, Y1: by.Y1}
		wall := XOf(s) == wire.ByWall
		right, rightScale := rightOf(s, c.slot.ID)
		var ends [6]dom.HTMLElement // the last two of the right axis
		said := widget.New("p", "said wrong", widget.Attr{Key: "role", Value: "status"})
		apply := func() {
			var typed [6]string
			for i, in := range ends {
				if in == nil {
					continue
				}
				typed[i] = widget.Get(in, "value").String()
				if wall && i < 2 && typed[i] != "" {
					typed[i] = plain(paint.ClockTime(typed[i]))
				}
			}
			s := c.l.host.State()
			z, why := limitsOf([4]string(typed[:4]), fitted, curveScale(s, c.tag), ScaleOf(s, c.tag))
			_, rightScale := rightOf(s, c.slot.ID)
			r, whyNot := limitsOf([4]string{2: typed[4], 3: typed[5]}, Zoom{Y0: rightLo, Y1: rightHi}, Linear, rightScale)
			widget.Text(said, cmp.Or(why, whyNot))
			if why != "" || whyNot != "" || c.chart == nil {
				return
			}
			if z != c.shown {
				c.chart.SetZoom(rangeOf(z))
				c.zoomed(rangeOf(z), z.some())
				c.Reshape()
			}
			c.l.host.Set(func(s *session.State) {
				if RightLimits.Drop(s, c.slot.ID.String()); r.Y1 > r.Y0 {
					RightLimits.Put(s, c.slot.ID.String(), AxisLimits{r.Y0, r.Y1})
				}
			})
		}
		field := func(i int, name string, on bool, v, hint float64) dom.HTMLElement {
			in := widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "inputmode", Value: "decimal"},
				widget.Attr{Key: "aria-label", Value: name}, widget.Attr{Key: "placeholder", Value: strconv.FormatFloat(hint, 'g', 5, 64)})
			write := plain
			if wall && i < 2 {
				in.SetAttribute("type", "datetime-local")
				in.SetAttribute("step", "1")
				write = paint.ClockText
			}
			if on {
				widget.Set(in, "value", write(v))
			}
			widget.Listen(in, "change", func(dom.Event) { apply() })
			ends[i] = in
			return in
		}
		row := func(title string, i int, v0, v1, h0, h1 float64) dom.Node {
			return widget.Field(title, widget.New("div", "pair", field(i, title+", from", v1 > v0, v0, h0), "to", field(i+1, title+", to", v1 > v0, v1, h1)))
		}
		scale := func(name, tag string, of Scale, set func(*AxisScales, Scale)) dom.Node {
			choice := widget.NewChoice(name, scaleChoices, func(v string) {
				c.l.host.Set(func(s *session.State) {
					a, _ := TagScales.Get(s, tag)
					set(&a, Scale(v))
					SetScales(s, tag, a)
				})
			})
			choice.Set(string(of))
			return widget.Field(name, choice.El)
		}
		el.AppendChild(row("Vertical limits", 2, z.Y0, z.Y1, fitted.Y0, fitted.Y1))
		el.AppendChild(scale("Vertical scale", c.tag, ScaleOf(s, c.tag), func(a *AxisScales, v Scale) { a.Y = v }))
		if len(right) > 0 {
			own, _ := RightLimits.Get(s, c.slot.ID.String())
			el.AppendChild(row("Right limits", 4, own.Lo, own.Hi, rightLo, rightHi))
			el.AppendChild(scale("Right scale", c.slot.Tags()[right[0]], rightScale, func(a *AxisScales, v Scale) { a.Y = v }))
		}
		el.AppendChild(row(map[wire.XAxis]string{wire.ByStep: "Steps", wire.ByRelative: "Seconds", wire.ByProcess: "Seconds", wire.ByIndex: "Points", wire.ByTag: XTag.Of(s), wire.ByWall: "Time"}[XOf(s)], 0, z.X0, z.X1, fitted.X0, fitted.X1))
		if !wall {
			el.AppendChild(scale("Horizontal scale", c.tag, curveScale(s, c.tag), func(a *AxisScales, v Scale) { a.X = v }))
		}
		own := widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "inputmode", Value: "decimal"}, widget.Attr{Key: "aria-label", Value: "Smoothing of this card"},
			widget.Attr{Key: "placeholder", Value: plain(Smoothing.Of(s))})
		if v, ok := OwnSmoothing.Get(s, c.tag); ok {
			widget.Set(own, "value", plain(v))
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
		way := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Kind of smoothing of this card"}, widget.New("option", "", widget.Attr{Key: "value", Value: ""}, "Kind: that of all"))
		for _, o := range smoothers {
			way.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: ownKind(o[0])}, o[1]))
		}
		kind, _ := OwnSmoother.Get(s, c.tag)
		widget.Set(way, "value", kind)
		widget.Listen(way, "change", func(dom.Event) {
			kind := widget.Get(way, "value").String()
			c.l.host.Set(func(s *session.State) {
				if OwnSmoother.Drop(s, c.tag); kind != "" {
					OwnSmoother.Put(s, c.tag, kind)
				}
			})
		})
		el.AppendChild(way)
		el.AppendChild(said)
	})
}

var scaleChoices = [][2]string{{string(Linear), "Linear"}, {string(Log), "Log"}, {string(Symlog), "Symlog"}}
