package text

import (
	"fmt"
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// maxDiff is how many bytes of two texts are compared.
const maxDiff = 400_000

// side is one of two texts that are compared.
type side struct {
	run, tag     string
	at           int
	steps        []int64
	text         string
	said         string // why there is none
	known        bool
	asked        card.Question
	el           dom.HTMLElement
	slider, step dom.HTMLElement
}

// comparison is the dialog that says what is different between two texts.
type comparison struct {
	l     *live
	a, b  *side
	words bool
	out   dom.HTMLElement
	note  dom.HTMLElement
}

// compare opens it with a step of a run, and the one before it, or else another run's.
func (l *live) compare(run, tag string, at int) {
	l.scope.Do(func() {
		c := &comparison{l: l, a: &side{run: run, tag: tag, at: at - 1}, b: &side{run: run, tag: tag, at: at}}
		if at <= 0 {
			c.a.at = max(at, 0)
			for _, r := range card.TagRuns(l.host.Tags(), l.host.Runs(), tag) {
				if r != run {
					c.a.run, c.a.at = r, -1
					break
				}
			}
		}
		widget.Dialog("What is different", c.build)
	})
}

func (c *comparison) build() []any {
	by := widget.NewChoice("Compare by", [][2]string{{"lines", "Lines"}, {"words", "Words"}}, func(v string) {
		c.words = v == "words"
		c.show()
	})
	by.Set("lines")
	c.note = widget.New("span", "quiet", widget.Attr{Key: "role", Value: "status"})
	c.out = widget.New("pre", "diff", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "document"})
	swap := widget.IconButton("arrow-left-right", "The other way round", func() {
		c.a.text, c.b.text, c.a.said, c.b.said = c.b.text, c.a.text, c.b.said, c.a.said
		c.a.run, c.b.run, c.a.tag, c.b.tag, c.a.at, c.b.at, c.a.steps, c.b.steps = c.b.run, c.a.run, c.b.tag, c.a.tag, c.b.at, c.a.at, c.b.steps, c.a.steps
		c.label(c.a, "From")
		c.label(c.b, "To")
		c.show()
	})
	c.side(c.a, "From")
	c.side(c.b, "To")
	widget.Present().OnEnd(func() {
		for _, s := range []*side{c.a, c.b} {
			s.asked.Drop()
		}
	})
	go func() {
		if err := card.Load("diff"); err != nil {
			c.note.SetTextContent(err.Error())
			return
		}
		c.show()
	}()
	return []any{widget.New("div", "diff-dialog", c.a.el, c.b.el, widget.New("div", "view-tools", by.El, swap, c.note), c.out)}
}

// side makes the controls of a side, and asks for its text.
func (c *comparison) side(s *side, name string) {
	s.slider = widget.Range(name+": step", 0, 0, 1, func(v float64) {
		s.at = int(v)
		c.ask(s)
	})
	s.step = widget.New("span", "num view-step")
	s.el = widget.New("div", "view-side")
	c.label(s, name)
	c.ask(s)
}

// label puts the controls of a side together.
func (c *comparison) label(s *side, name string) {
	series := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: name + ": tag and run"})
	list := c.series()
	for i, r := range list {
		series.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: strconv.Itoa(i)}, r[1]+" · "+c.l.host.Name(r[0])))
		if r == [2]string{s.run, s.tag} {
			widget.Set(series, "value", strconv.Itoa(i))
		}
	}
	widget.Listen(series, "change", func(dom.Event) {
		if i, err := strconv.Atoi(widget.Get(series, "value").String()); err == nil && i < len(list) {
			step, near := int64(0), s.at >= 0 && s.at < len(s.steps)
			if near {
				step = s.steps[s.at]
			}
			s.run, s.tag, s.steps, s.at = list[i][0], list[i][1], nil, -1
			c.ask(s, func() bool {
				n := stored.Nearest(s.steps, step)
				if !near || n < 0 || n == s.at {
					return false
				}
				s.at = n
				return true
			})
		}
	})
	widget.Replace(s.el, widget.New("b", "diff-name", name), series, s.slider, s.step)
	c.stepped(s)
}

func (c *comparison) stepped(s *side) {
	widget.Set(s.slider, "max", strconv.Itoa(max(0, len(s.steps)-1)))
	widget.Set(s.slider, "disabled", len(s.steps) < 2)
	if s.at >= 0 && s.at < len(s.steps) {
		if !widget.Focused(s.slider) {
			widget.Set(s.slider, "value", strconv.Itoa(s.at))
		}
		widget.Text(s.step, card.StepText(s.steps, s.at, nil))
	}
}

// series lists the shown runs' tags of texts, in the order of the page.
func (c *comparison) series() (list [][2]string) {
	tags, runs := c.l.host.Tags(), c.l.host.Runs()
	seen := map[string]int{}
	for _, r := range runs {
		for t := range tags[r] {
			seen[t] = 1
		}
	}
	for _, t := range new(card.Order).Of(seen, nil) {
		for _, r := range card.TagRuns(tags, runs, t) {
			list = append(list, [2]string{r, t})
		}
	}
	return list
}

// ask asks for a side's text. again, if given, may choose another value when the steps are
// known.
func (c *comparison) ask(s *side, again ...func() bool) {
	q := text.Query{Query: stored.Query{From: s.at, N: 1}, Max: maxDiff}
	s.asked.Ask(c.l.host.Data(), q.For(s.run, s.tag), func(r engine.Reply) {
		s.text, s.said = "", "There is no text."
		for _, chunk := range r.Chunks {
			for _, p := range engine.Parts[text.Part](chunk) {
				s.steps = p.Steps
				for i := range p.Items {
					s.at = p.From
					for _, f := range again {
						if f() {
							c.ask(s)
							return
						}
					}
					s.text, s.said = flat(&p.Items[i])
				}
			}
		}
		s.known = true
		c.stepped(s)
		c.show()
	})
}

// flat makes one text of a value: a row of a table is a line.
func flat(item *text.Item) (t, why string) {
	if item.Error != "" {
		return "", item.Error
	}
	if item.Cut {
		why = fmt.Sprintf("Only the beginnings of texts longer than %s are compared.", size(maxDiff))
	}
	if plain(item.Shape, item.Texts) {
		return item.Texts[0], why
	}
	rows, _ := grid(item.Shape, item.Texts)
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = strings.Join(row, "\t")
	}
	return strings.Join(lines, "\n"), why
}

// show says what is different.
func (c *comparison) show() {
	f := js.Global().Get("tbDiff")
	if f.Type() != js.TypeFunction || !c.a.known || !c.b.known {
		return
	}
	by := "lines"
	if c.words {
		by = "words"
	}
	said := strings.TrimSpace(c.a.said + " " + c.b.said)
	if c.a.said == c.b.said {
		said = c.a.said
	}
	got, err := bridge.Try(func() js.Value { return f.Invoke(c.a.text, c.b.text, by) })
	switch {
	case err != nil || !got.Truthy():
		widget.Replace(c.out)
		widget.Text(c.note, "These texts are too different, or too long, to say what is different.")
	case c.a.text == c.b.text:
		widget.Replace(c.out)
		c.out.SetTextContent(c.a.text)
		widget.Text(c.note, strings.TrimSpace("No difference. "+said))
	default:
		c.out.Underlying().Call("replaceChildren", got.Get("nodes"))
		widget.Text(c.note, strings.TrimSpace(fmt.Sprintf("%d %s added, %d removed. %s", got.Get("added").Int(), by, got.Get("removed").Int(), said)))
	}
}
