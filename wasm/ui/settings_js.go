package ui

import (
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// settings is the right pane.
type settings struct {
	app                                   *app
	el                                    dom.HTMLElement
	smooth, smoothBox, rows, card, period dom.HTMLElement
	outliers, auto                        dom.HTMLElement
	x, y                                  *widget.Choice
	order                                 dom.HTMLElement
	memory                                *memory
}

func newSettings(a *app) *settings {
	p := &settings{app: a}
	set := func(change func(*session.State)) { a.Set(change) }
	field := func(name string, with ...any) dom.HTMLElement {
		return widget.New("div", "field", append([]any{widget.New("span", "field-name", name)}, with...)...)
	}
	weight := func(v float64) { set(func(s *session.State) { s.Smoothing = v }) }
	p.smooth = widget.Range("Smoothing", 0, 0.99, 0.01, weight)
	p.smoothBox = widget.Number("Smoothing weight", 0, session.MaxSmoothing, 0.001, weight)
	p.x = widget.NewChoice("Horizontal axis", [][2]string{{string(wire.ByStep), "Step"}, {string(wire.ByRelative), "Relative"}, {string(wire.ByWall), "Wall"}},
		func(v string) { set(func(s *session.State) { s.X = wire.XAxis(v) }) })
	p.y = widget.NewChoice("Vertical axis", [][2]string{{string(session.Linear), "Linear"}, {string(session.Log), "Log"}, {string(session.Symlog), "Symlog"}},
		func(v string) { set(func(s *session.State) { s.Y, s.TagY = session.Scale(v), nil }) })
	var outliers, auto dom.HTMLElement
	p.outliers, outliers = widget.Check("Ignore outliers in the range", func(on bool) { set(func(s *session.State) { s.Outliers = on }) })
	p.order = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Tooltip order"})
	for _, o := range [][2]string{{string(session.TipNearest), "Nearest"}, {string(session.TipAscending), "Ascending"}, {string(session.TipDescending), "Descending"}, {string(session.TipAlphabetical), "Alphabetical"}} {
		p.order.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: o[0]}, o[1]))
	}
	p.order.AddEventListener("change", false, func(dom.Event) {
		v := widget.Get(p.order, "value").String()
		set(func(s *session.State) { s.TipOrder = session.TipOrder(v) })
	})
	p.rows = widget.Number("Tooltip rows", 1, session.MaxTipRows, 1, func(v float64) { set(func(s *session.State) { s.TipRows = int(v) }) })
	p.card = widget.Range("Card width", session.MinCard, session.MaxCard, 20, func(v float64) { set(func(s *session.State) { s.CardWidth = int(v) }) })
	p.auto, auto = widget.Check("Follow new data", func(on bool) { set(func(s *session.State) { s.AutoReload = on }) })
	p.period = widget.Number("Seconds between two looks", session.MinReload, session.MaxReload, 1, func(v float64) { set(func(s *session.State) { s.Reload = int(v) }) })
	reset := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Icon("rotate-ccw"), "Default settings", widget.Click(func() {
		set(func(s *session.State) {
			d := session.Default()
			s.Smoothing, s.X, s.Y, s.TagY, s.Outliers = d.Smoothing, d.X, d.Y, nil, d.Outliers
			s.TipOrder, s.TipRows, s.CardWidth, s.Wide = d.TipOrder, d.TipRows, d.CardWidth, nil
			s.AutoReload, s.Reload, s.Theme = d.AutoReload, d.Reload, d.Theme
			s.Memory, s.Cache = d.Memory, d.Cache
		})
	}))
	p.memory = newMemory(a)
	p.el = widget.New("div", "settings",
		widget.New("h2", "", "Settings"),
		field("Smoothing", widget.New("div", "slider", p.smooth, p.smoothBox)),
		field("Horizontal axis", p.x.El),
		field("Vertical axis", p.y.El),
		outliers,
		field("Tooltip", widget.New("div", "pair", p.order, widget.New("label", "inline", p.rows, "rows"))),
		field("Card width", p.card),
		field("New data", auto, widget.New("label", "inline", "every", p.period, "s")),
		field("Memory", p.memory.el),
		reset)
	return p
}

// update shows the state.
func (p *settings) update() {
	s := &p.app.state
	weight := strconv.FormatFloat(s.Smoothing, 'g', -1, 64)
	widget.Set(p.smooth, "value", weight)
	widget.SetValue(p.smoothBox, weight)
	p.x.Set(string(s.X))
	p.y.Set(string(s.Y))
	widget.Set(p.outliers, "checked", s.Outliers)
	widget.Set(p.order, "value", string(s.TipOrder))
	widget.SetValue(p.rows, strconv.Itoa(s.TipRows))
	widget.Set(p.card, "value", strconv.Itoa(s.CardWidth))
	widget.Set(p.auto, "checked", s.AutoReload)
	widget.SetValue(p.period, strconv.Itoa(s.Reload))
	p.memory.update(s)
}

// smoother moves the smoothing by a step of the slider, for the keys [ and ].
func (p *settings) smoother(by float64) {
	p.app.Set(func(s *session.State) {
		v, err := strconv.ParseFloat(strconv.FormatFloat(s.Smoothing+by, 'f', 3, 64), 64)
		if err == nil {
			s.Smoothing = min(0.99, max(0, v))
		}
	})
}
