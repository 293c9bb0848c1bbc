package scalars

import (
	"fmt"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// stuck is how long a card waits for its picture before it asks again all the
// same, in milliseconds.
const stuck = 1000

// card is one tag's card. Away from the screen it is an empty box; near it, it
// has a chart and asks for its curves. One question is under way at a time: a
// moving slider makes the next one only when the last answer is on the screen.
type card struct {
	v                                          *view
	tag                                        string
	el                                         dom.HTMLElement
	title, about, note, scale, wide, fit, more dom.HTMLElement
	plot                                       dom.HTMLElement
	chart                                      *paint.Chart
	off                                        []func() // to end the observers

	visible  bool
	cancel   func()  // of the question under way
	asked    bool    // a question is under way
	painting float64 // since when the last answer waits to be seen, ms; 0 = seen
	turn     int     // when it last asked, in questions of all cards
	stale    bool    // what is on screen is out of date …
	calm     bool    // … for no other reason than new points
	rev      int     // counts changes other than the smoothing
	ticket   int     // of the question under way; answers to others come too late
	x0, x1   float64 // zoomed range in units of x; equal: all
	pixels   int     // width of the plot that was asked for
	first    bool    // a first answer is on screen, a better one follows
	whole    string  // the range of which every point is on screen; "" = not every one
}

func newCard(v *view, tag string) *card {
	c := &card{v: v, tag: tag}
	c.el = widget.New("article", "card", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "data-tag", Value: c.tag},
		widget.Attr{Key: "aria-label", Value: c.tag})
	c.off = append(c.off,
		v.near.Watch(c.el, func(near bool) {
			if near {
				c.open()
			} else {
				c.shut()
			}
		}),
		v.visible.Watch(c.el, func(on bool) {
			c.visible = on
			if on {
				v.pump()
			}
			v.onLook.Start(restPace)
		}))
	return c
}

// open gives the card its chart.
func (c *card) open() {
	if c.chart != nil {
		return
	}
	if c.plot == nil {
		c.build()
	}
	c.v.live[c] = true
	c.chart = paint.NewChart(c.plot, paint.Events{
		Zoom: func(x0, x1 float64, zoomed bool) {
			c.x0, c.x1 = x0, x1
			widget.Hide(c.fit, !zoomed)
			c.reshape()
		},
		Painted: func() {
			c.painting = 0
			c.v.pump()
		},
		Size: func(pixels int) {
			// More pixels than were asked for: there may be more points to show.
			if pixels > c.pixels+c.pixels/8 && c.pixels > 0 {
				c.reshape()
			}
		},
	})
	widget.Hide(c.fit, true)
	c.axes()
	c.label()
	c.reshape()
}

// shut takes the chart away, and its memory.
func (c *card) shut() {
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	if c.chart != nil {
		c.chart.Close()
		c.chart = nil
		delete(c.v.live, c)
	}
	c.ticket++
	c.asked, c.painting, c.stale, c.x0, c.x1, c.whole = false, 0, false, 0, 0, ""
}

func (c *card) close() {
	for _, off := range c.off {
		off()
	}
	c.shut()
	c.el.Remove()
}

// axes hands the settings to the chart.
func (c *card) axes() {
	s := c.v.host.State()
	y := s.ScaleOf(c.tag)
	c.chart.Set(string(s.X), y, s.Outliers, s.Smoothing > 0)
	widget.Text(c.scale, map[session.Scale]string{session.Linear: "Lin", session.Log: "Log", session.Symlog: "±Log"}[y])
	name := "Y axis: " + map[session.Scale]string{session.Linear: "linear", session.Log: "logarithmic", session.Symlog: "symmetric log"}[y] + " (click to change)"
	c.scale.SetTitle(name)
	c.scale.SetAttribute("aria-label", name)
}

// smoothen asks for curves of another smoothing.
func (c *card) smoothen() {
	c.stale, c.calm = true, false
	c.v.pump()
}

// renew asks for new points. What is under way goes on: its answer is newer
// than what is shown.
func (c *card) renew() {
	c.rev++
	if !c.stale {
		c.stale, c.calm = true, true
	}
	c.v.pump()
}

// hurry asks for new points at once. An answer under way is shown as well.
func (c *card) hurry() {
	c.rev++
	c.smoothen()
}

// reshape asks for other curves: the answer under way is not waited for.
func (c *card) reshape() {
	if c.chart == nil {
		return
	}
	c.rev++
	c.ticket++
	c.asked, c.painting = false, 0
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	c.smoothen()
}

// busy says whether a question is under way, or its answer not yet seen.
func (c *card) busy() bool {
	return c.asked || c.painting > 0 && widget.Now()-c.painting < stuck
}

// ask puts the card's question.
func (c *card) ask() {
	if c.cancel != nil {
		c.cancel()
	}
	s := c.v.host.State()
	c.ticket++
	rev, ticket := c.rev, c.ticket
	c.pixels = c.chart.Pixels()
	runs := TagRuns(c.v.tags, c.v.runs, c.tag)
	view := fmt.Sprint(s.X, c.x0, c.x1, strings.Join(runs, "\n"))
	c.stale = false
	if len(runs) == 0 {
		c.cancel = nil
		c.chart.Take(rev, engine.Answer{})
		return
	}
	c.asked, c.first = true, false
	c.cancel = c.v.host.Data().Scalars(wire.ScalarsQuery{
		Tag: c.tag, Runs: runs, Weight: s.Smoothing, X: s.X, X0: c.x0, X1: c.x1, Pixels: c.pixels, Calm: c.calm,
	}, func(a engine.Answer) {
		if c.chart == nil || ticket != c.ticket {
			return
		}
		// Where every point follows, the question is under way until they have
		// come: new data must not begin it anew for ever. And what is on screen
		// stays if it is better than what is at hand.
		c.asked = a.More
		if a.More && c.whole == view {
			return
		}
		if !a.More && c.first {
			c.rev++ // the raw lines too are others than at the first answer
			rev = c.rev
		}
		c.first = a.More
		c.whole = ""
		if !a.More && whole(a) {
			c.whole = view
		}
		c.painting = widget.Now()
		c.chart.Take(rev, a)
		c.notes(a)
		if !a.More {
			c.v.pump()
		}
	})
}

// notes says what the picture does not show: points that memory has no room
// for, and that what is seen is a preview.
func (c *card) notes(a engine.Answer) {
	var kept, points int64
	preview := false
	for _, chunk := range a.Chunks {
		for _, p := range chunk.Parts {
			kept += p.Kept
			points += p.Points
			preview = preview || p.Preview
		}
	}
	text, why := "", ""
	switch {
	case a.More:
		text, why = "reading every point…", "Memory had no room for the points of this range: they are read again from the files."
	case kept < points && !whole(a):
		text = fmt.Sprintf("%s of %s points kept", thousands(kept), thousands(points))
		why = "Memory is bounded: of long series the first, least, greatest and last point of each stretch are kept. Zoom in to see every point; a download has all of them."
	}
	if preview {
		text, why = "preview", "Drawn from samples of the files; the exact curves follow."
	}
	widget.Text(c.note, text)
	c.note.SetTitle(why)
}

// thousands writes a count with its thousands apart: 48,210.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
