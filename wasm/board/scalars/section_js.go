package scalars

import (
	"fmt"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// section is a group: a head that opens and closes it, and a grid of cards.
type section struct {
	v                     *view
	name                  string
	el, head, count, grid dom.HTMLElement
	more                  dom.HTMLElement
	tags                  []string
	open                  bool
	most                  int // cards shown
}

func newSection(v *view, name string) *section {
	s := &section{v: v, name: name, most: PageSize}
	title := name
	if name == Ungrouped {
		title = "Not grouped"
	}
	s.count = widget.New("span", "quiet")
	s.head = widget.New("button", "group-head", widget.Attr{Key: "type", Value: "button"},
		widget.Icon("chevron-right"), widget.New("span", "group-name", title), s.count, widget.Click(s.toggle))
	s.grid = widget.New("div", "grid")
	s.more = widget.New("button", "more", widget.Attr{Key: "type", Value: "button"},
		widget.Click(func() { s.most += PageSize; v.layout() }))
	s.el = widget.New("section", "group", widget.Attr{Key: "aria-label", Value: title},
		widget.New("h2", "", s.head), s.grid, s.more)
	return s
}

func (s *section) toggle() {
	open := !s.open
	s.v.host.Set(func(st *session.State) {
		if st.Groups == nil {
			st.Groups = map[string]bool{}
		}
		st.Groups[s.name] = open
	})
}

// show brings the section to these tags and adds those with a card to keep.
func (s *section) show(tags []string, open bool, keep map[string]bool) {
	s.tags, s.open = tags, open
	s.head.SetAttribute("aria-expanded", fmt.Sprint(open))
	noun := "cards"
	if len(tags) == 1 {
		noun = "card"
	}
	widget.Text(s.count, fmt.Sprintf("%d %s", len(tags), noun))
	widget.Hide(s.grid, !open)
	if !open {
		s.most = PageSize
		widget.Arrange(s.grid, nil)
		widget.Hide(s.more, true)
		return
	}
	shown := tags[:min(len(tags), s.most)]
	order := make([]dom.Node, len(shown))
	for i, t := range shown {
		c := s.v.cards[t]
		if c == nil {
			c = newCard(s.v, t)
			s.v.cards[t] = c
		}
		keep[t] = true
		widget.Toggle(c.el, "wide", s.v.host.State().Wide[t])
		order[i] = c.el
	}
	widget.Arrange(s.grid, order)
	rest := len(tags) - len(shown)
	widget.Hide(s.more, rest <= 0)
	if rest > 0 {
		widget.Text(s.more, fmt.Sprintf("Show %d more of %d", min(rest, PageSize), rest))
	}
}

// anyTags says whether any run at all has scalars.
func (v *view) anyTags() bool {
	for _, tags := range v.tags {
		if len(tags) > 0 {
			return true
		}
	}
	return false
}

// span sets how many columns of cards the section has. One that is closed, or
// that has a card of full width, takes the whole row.
func (s *section) span() {
	n := min(len(s.tags), s.v.columns)
	small := s.open && n < s.v.columns
	for _, t := range s.tags {
		if small && s.v.host.State().Wide[t] {
			small = false
		}
	}
	if !small {
		n = s.v.columns
	}
	widget.Toggle(s.el, "small", small)
	widget.Style(s.el, "--span", strconv.Itoa(n))
}

// say writes how many cards there are, or what to do when there are none.
func (v *view) say(cards int) {
	noun := "tags"
	if cards == 1 {
		noun = "tag"
	}
	widget.Text(v.count, fmt.Sprintf("%d %s", cards, noun))
	widget.Hide(v.empty, cards > 0)
	if cards > 0 {
		v.said = ""
		return
	}
	title, text, label, do := "", "", "", func() {}
	switch {
	case len(v.host.Data().Runs()) == 0:
		widget.Hide(v.empty, true) // the shell says what is going on
		return
	case len(v.runs) == 0:
		title, text = "No run is shown", "Every run is switched off, or the filter of the run list matches none."
		label, do = "Show all runs", v.host.ShowAllRuns
	case !v.filter.All() && len(Groups(&v.order, v.tags, v.runs, func(string) bool { return true })) > 0:
		title, text = "No tag matches the filter", "The filter is a regular expression that is searched anywhere in a tag; case does not matter."
		label, do = "Clear the filter", func() { v.host.Set(func(s *session.State) { s.TagFilter = "" }) }
	case !v.host.Data().Status().Phase.Done():
		title, text = "Looking for scalars", "Cards appear as soon as the first points are read."
	case v.anyTags():
		title, text = "The runs that are shown have no scalars", "Others in this logdir have."
		label, do = "Show all runs", v.host.ShowAllRuns
	default:
		title, text = "No scalars in this logdir", "Its event files were read, and none of them holds a scalar. In a training script: writer.add_scalar (PyTorch) or tf.summary.scalar (TensorFlow)."
	}
	if title == v.said {
		return
	}
	v.said = title
	kids := []dom.Node{widget.New("h2", "", title), widget.New("p", "", text)}
	if label != "" {
		kids = append(kids, widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(do)))
	}
	widget.Replace(v.empty, kids...)
}
