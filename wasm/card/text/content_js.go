package text

import (
	"fmt"
	"unicode/utf8"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// piece is how many bytes of a long text are one element of the page, which the browser
// lays out when it is looked at (content-visibility in static/text.css).
const piece = 16 << 10

// show brings the body to the card's item.
func (c *texts) show() {
	item := c.item
	raw := Raw.Of(c.l.host.State())
	c.label()
	c.fill(c.key(), func() {
		c.flow = nil
		if item.Error != "" {
			c.say(item.Error)
			return
		}
		c.content(item, raw, bytesOf(item) > maxMarkdown || item.Cut)
	})
	if c.continues() {
		c.slot.Stale(false)
	}
}

// key tells what the body shows from everything else that it may.
func (c *texts) key() string {
	i := c.item
	return fmt.Sprint(Raw.Of(c.l.host.State()), i.Number, i.Step, i.Wall != nil, i.Size, bytesOf(i), i.Shape, i.Cut, i.Error, c.steps.Version())
}

func bytesOf(item *text.Item) (n int) {
	for _, t := range item.Texts {
		n += len(t)
	}
	return n
}

// label says how much of a long text is shown, and offers more.
func (c *texts) label() {
	i := c.item
	widget.Hide(c.more, i == nil || !i.Cut || c.max >= text.MaxItem || c.continues())
	if i != nil && i.Cut {
		widget.Text(c.more, fmt.Sprintf("The first %s of %s: read more", size(c.max), size(i.Size)))
	}
}

// fill builds the body unless it shows the same already.
func (c *texts) fill(key string, build func()) {
	if key == c.shown {
		return
	}
	c.shown = key
	began := widget.Now()
	widget.Replace(c.body)
	build()
	c.l.cost += widget.Now() - began
}

func (c *texts) say(what string) { c.body.AppendChild(widget.New("p", "quiet", what)) }

// content shows a value: one text, or a table of them.
func (c *texts) content(item *text.Item, raw, long bool) {
	rows, cut := grid(item.Shape, item.Texts)
	write := func(into dom.HTMLElement, t string) {
		if raw || long {
			logged(into, t)
			return
		}
		card.Markdown(into, t, func(why string) { c.say("As it was logged: " + why + ".") })
	}
	switch {
	case len(rows) == 0:
		c.say("This value is empty.")
	case plain(item.Shape, item.Texts) && (raw || long):
		c.flow = widget.New("div", "")
		c.body.AppendChild(c.flow)
		logged(c.flow, rows[0][0])
	case plain(item.Shape, item.Texts):
		write(c.body, rows[0][0])
	default:
		c.body.AppendChild(table(rows, write))
	}
	switch {
	case cut:
		c.say("Only the first part of this tensor is shown.")
	case long && !raw:
		c.say("This text is too long to be laid out as Markdown: it is shown as it was logged.")
	}
}

// table makes a table of texts.
func table(rows [][]string, write func(into dom.HTMLElement, t string)) dom.HTMLElement {
	body := widget.New("tbody", "")
	for _, row := range rows {
		tr := widget.New("tr", "")
		for _, t := range row {
			td := widget.New("td", "")
			write(td, t)
			tr.AppendChild(td)
		}
		body.AppendChild(tr)
	}
	return widget.New("table", "", body)
}

// logged shows a text as it was logged, a long one in pieces.
func logged(into dom.HTMLElement, t string) {
	for {
		n := min(len(t), piece)
		for n > 0 && n < len(t) && !utf8.RuneStart(t[n]) {
			n--
		}
		into.AppendChild(widget.New("pre", "text-raw", t[:n]))
		if t = t[n:]; t == "" || n == 0 {
			return
		}
	}
}
