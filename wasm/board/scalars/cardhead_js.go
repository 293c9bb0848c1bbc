package scalars

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// build fills the card: a head with title and buttons, and the plot. It is done
// when the card first comes near the screen, of thousands that may be open. It
// has no listeners of its own (see view.click): cards come and go, and a
// listener that Go hands to the browser would stay.
func (c *card) build() {
	act := func(e dom.HTMLElement, do string) dom.HTMLElement {
		e.SetAttribute("data-do", do)
		return e
	}
	c.title = widget.New("h3", "card-title")
	c.note = widget.New("span", "card-note")
	c.about = act(widget.IconButton("info", "About this tag", nil), "about")
	c.scale = act(widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}), "scale")
	c.fit = act(widget.IconButton("scan", "Fit to the data (double click)", nil), "fit")
	c.wide = act(widget.IconButton("maximize-2", "Full width (f)", nil), "wide")
	c.more = act(widget.IconButton("ellipsis-vertical", "Download", nil), "more")
	c.plot = widget.New("div", "plot", widget.Attr{Key: "role", Value: "img"}, widget.Attr{Key: "aria-label", Value: "Not drawn yet"})
	c.el.AppendChild(widget.New("div", "card-head", c.title, c.note, c.about, c.fit, c.scale, c.wide, c.more))
	c.el.AppendChild(c.plot)
	widget.Hide(c.about, true)
	widget.Hide(c.fit, true)
	c.label()
}

// click acts on a click on any card's button.
func (v *view) click(ev dom.Event) {
	button := ev.Underlying().Get("target").Call("closest", "[data-do]")
	if !button.Truthy() {
		return
	}
	c := v.cards[button.Call("closest", "[data-tag]").Get("dataset").Get("tag").String()]
	if c == nil {
		return
	}
	switch button.Get("dataset").Get("do").String() {
	case "about":
		c.describe()
	case "scale":
		c.nextScale()
	case "fit":
		c.chartDo((*paint.Chart).Fit)
	case "wide":
		c.toggleWide()
	case "more":
		c.menu()
	}
}

func (c *card) chartDo(f func(*paint.Chart)) {
	if c.chart != nil {
		f(c.chart)
	}
}

// label writes the title from what the runs say of the tag.
func (c *card) label() {
	m := MetaOf(c.v.tags, c.v.runs, c.tag)
	widget.Text(c.title, m.Name)
	tip := c.tag
	if m.Name != c.tag {
		tip = m.Name + "\n" + c.tag
	}
	c.title.SetTitle(tip)
	widget.Hide(c.about, m.Description == "")
}

// describe shows the tag's description, as the plain text that was logged.
func (c *card) describe() {
	m := MetaOf(c.v.tags, c.v.runs, c.tag)
	widget.Popup(c.about, "about", "About this tag",
		widget.New("h3", "", m.Name), widget.New("p", "plain", m.Description))
}

func (c *card) nextScale() {
	next := map[session.Scale]session.Scale{session.Linear: session.Log, session.Log: session.Symlog, session.Symlog: session.Linear}
	c.v.host.Set(func(s *session.State) {
		if s.TagY == nil {
			s.TagY = map[string]session.Scale{}
		}
		y := next[s.ScaleOf(c.tag)]
		if y == s.Y {
			delete(s.TagY, c.tag)
		} else {
			s.TagY[c.tag] = y
		}
	})
}

func (c *card) toggleWide() {
	c.v.host.Set(func(s *session.State) {
		if s.Wide == nil {
			s.Wide = map[string]bool{}
		}
		if s.Wide[c.tag] {
			delete(s.Wide, c.tag)
		} else {
			s.Wide[c.tag] = true
		}
	})
}
