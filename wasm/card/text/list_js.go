package text

import (
	"fmt"
	"strconv"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// list is a card's list of all steps, the newest first, or of those that hold a text.
// Rows have one height; only those near the part that is seen are there, and are read.
type list struct {
	c                  *texts
	el, bar            dom.HTMLElement
	scroll, rows       dom.HTMLElement
	search, count, all dom.HTMLElement
	field              dom.HTMLElement // with the search in it

	find  string
	hits  []text.Hit // of the search, in the order of logging; nil while it is under way
	found bool       // hits are known
	read  map[int]*text.Item
	drawn map[int]dom.HTMLElement // rows that are there, by the values' numbers
	look  *widget.Frame
	begin *widget.Timer // of a search, when the typing has rested
	stop  func()        // ends the search under way
	turn  int           // counts searches
}

// searchRest is how long the typing must have rested before all steps are read.
const searchRest = 200 * time.Millisecond

func newList(c *texts) *list {
	l := &list{c: c, read: map[int]*text.Item{}, drawn: map[int]dom.HTMLElement{}}
	l.search, l.field = widget.Search("Search all steps", "", func(string) { l.begin.Start(searchRest) })
	l.count = widget.New("span", "quiet", widget.Attr{Key: "role", Value: "status"})
	l.all = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "data-do", Value: "all"}, widget.Icon("chevron-left"), "All steps")
	l.bar = widget.New("div", "text-bar", l.all, l.field, l.count)
	l.rows = widget.New("div", "text-rows", widget.Attr{Key: "role", Value: "list"})
	l.look = widget.NewFrame(l.lay)
	l.begin = widget.NewTimer(l.searchNow)
	l.scroll = widget.New("div", "text-scroll", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "aria-label", Value: "All steps"}, widget.Attr{Key: "role", Value: "region"},
		l.rows, widget.On("scroll", func(dom.Event) { l.look.Ask() }), widget.On("click", l.click))
	l.el = widget.New("div", "text-list", l.bar, l.scroll)
	widget.OnResize(l.scroll, l.look.Ask)
	return l
}

// only shows the list itself, or the way back to it.
func (l *list) only(on bool) {
	widget.Hide(l.scroll, !on)
	widget.Hide(l.all, on)
	widget.Hide(l.field, !on)
	widget.Hide(l.count, !on)
	widget.Toggle(l.el, "full", on)
}

// clear forgets what was read, and takes the rows away.
func (l *list) clear() {
	l.read = map[int]*text.Item{}
	l.drop()
}

func (l *list) drop() {
	l.drawn = map[int]dom.HTMLElement{}
	widget.Replace(l.rows)
}

// total is how many rows the list has, number the value of a row.
func (l *list) total() int {
	if l.find != "" {
		return len(l.hits)
	}
	return len(l.c.steps.Known())
}

func (l *list) number(row int) int {
	if l.find != "" {
		return l.hits[len(l.hits)-1-row].Number
	}
	return len(l.c.steps.Known()) - 1 - row
}

// seen are the numbers of the values near the part of the list that is seen.
func (l *list) seen() (numbers []int) {
	from, to := window(widget.Get(l.scroll, "scrollTop").Float(), widget.Get(l.scroll, "clientHeight").Float(), l.total())
	for row := from; row < to; row++ {
		numbers = append(numbers, l.number(row))
	}
	return numbers
}

// query asks for the rows that are seen and not read; before the steps are known for the
// last ones.
func (l *list) query(q text.Query) text.Query {
	q.Max = previewBytes
	if len(l.c.steps.Known()) == 0 {
		q.From, q.N = -8, 8
		return q
	}
	q.N = 0
	for _, n := range l.seen() {
		if l.read[n] == nil {
			q.Numbers = append(q.Numbers, n)
		}
	}
	return q
}

// take takes an answer.
func (l *list) take(p *text.Part) {
	for i := range p.Items {
		l.read[p.Items[i].Number] = &p.Items[i]
	}
	l.lay()
}

// lay brings the rows to what is seen.
func (l *list) lay() {
	if !l.c.open || !l.c.listed() {
		return
	}
	n := l.total()
	widget.Style(l.rows, "height", strconv.Itoa(n*rowHeight)+"px")
	switch {
	case l.find == "":
		widget.Text(l.count, widget.Count(n, "step", "steps"))
	case l.found:
		widget.Text(l.count, fmt.Sprintf("in %s of %s", widget.Thousands(n), widget.Count(len(l.c.steps.Known()), "step", "steps")))
	default:
		widget.Text(l.count, "searching…")
	}
	from, to := window(widget.Get(l.scroll, "scrollTop").Float(), widget.Get(l.scroll, "clientHeight").Float(), n)
	keep := map[int]bool{}
	missing := false
	var order []dom.Node
	for row := from; row < to; row++ {
		number := l.number(row)
		keep[number] = true
		item := l.read[number]
		el := l.drawn[number]
		if item == nil {
			missing = true
		}
		if el == nil && item != nil {
			el = l.row(item)
			l.drawn[number] = el
		}
		if el != nil {
			widget.Style(el, "top", strconv.Itoa(row*rowHeight)+"px")
			order = append(order, el)
		}
	}
	for number := range l.drawn {
		if !keep[number] {
			delete(l.drawn, number)
		}
	}
	if len(l.read) > 2000 {
		for number := range l.read {
			if !keep[number] {
				delete(l.read, number)
			}
		}
	}
	widget.Arrange(l.rows, order)
	if missing {
		l.c.slot.Stale(false)
	}
}

// row makes a step's row.
func (l *list) row(item *text.Item) dom.HTMLElement {
	began := widget.Now()
	body := widget.New("div", "text-body text-preview")
	step := card.StepText(l.c.steps.Known(), item.Number, nil) // of several of one step: which
	when := ""
	if item.Wall != nil {
		when = widget.Moment(*item.Wall)
	}
	head := widget.New("button", "text-row-head", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "data-number", Value: strconv.Itoa(item.Number)},
		widget.New("b", "", step), widget.New("span", "quiet", when))
	el := widget.New("div", "text-row", widget.Attr{Key: "role", Value: "listitem"}, widget.Attr{Key: "aria-label", Value: step}, widget.Attr{Key: "data-number", Value: strconv.Itoa(item.Number)}, head, body)
	write := func(into dom.HTMLElement, t string) {
		if Raw.Of(l.c.l.host.State()) || item.Cut {
			logged(into, t)
		} else {
			card.Markdown(into, t, nil)
		}
	}
	rows, _ := grid(item.Shape, item.Texts)
	switch {
	case item.Error != "":
		body.AppendChild(widget.New("p", "quiet", item.Error))
	case len(rows) == 0:
		body.AppendChild(widget.New("p", "quiet", "This value is empty."))
	case plain(item.Shape, item.Texts):
		write(body, rows[0][0])
	default:
		body.AppendChild(table(rows[:min(len(rows), 8)], write))
	}
	l.c.l.cost += widget.Now() - began
	return el
}

// click shows the step of a row, unless it fell on a link.
func (l *list) click(ev dom.Event) {
	target := ev.Underlying().Get("target")
	if target.Call("closest", "a").Truthy() {
		return
	}
	row := target.Call("closest", ".text-row")
	if !row.Truthy() {
		return
	}
	n, err := strconv.Atoi(row.Get("dataset").Get("number").String())
	if err != nil {
		return
	}
	l.c.single = true
	l.c.mode()
	l.c.steps.Go(n)
	l.c.wanted()
	l.c.body.Focus()
}

// searchNow looks for the text of the search field in all steps.
func (l *list) searchNow() {
	find := widget.Get(l.search, "value").String()
	if find == l.find && l.found {
		return
	}
	if l.stop != nil {
		l.stop()
		l.stop = nil
	}
	l.turn++
	turn := l.turn
	l.find, l.hits, l.found = find, nil, find == ""
	widget.Set(l.scroll, "scrollTop", 0)
	l.drop()
	l.lay()
	if find == "" {
		return
	}
	id := l.c.slot.ID
	l.stop = l.c.l.host.Data().Ask(text.Query{Find: find}.For(id.Run, id.Tags()[0]), func(r engine.Reply) {
		if turn != l.turn {
			return
		}
		l.stop, l.found = nil, true
		for _, chunk := range r.Chunks {
			for _, p := range engine.Parts[text.Part](chunk) {
				l.hits = append(l.hits, p.Hits...)
			}
		}
		l.lay()
	})
}
