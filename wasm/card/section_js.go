package card

import (
	"fmt"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// section is a group: a head that opens and closes it, and a grid of cards.
type section struct {
	g                     *grid
	name                  string
	title                 string // what stands above the cards
	el, head, count, grid dom.HTMLElement
	more                  dom.HTMLElement
	group                 *Group
	open                  bool
	shown                 []*Slot // cards that are made
	most                  int     // cards shown
	has                   int     // of them, those that are made
	small                 bool
	spans                 int // columns; 0 = not said yet
}

func newSection(g *grid, group *Group) *section {
	s := &section{g: g, name: group.Name, most: PageSize}
	s.title = s.name
	switch {
	case group.Laid():
		s.title = group.Title
	case s.name == Ungrouped:
		s.title = "Not grouped"
	case s.name == Combined:
		s.title = "Superimposed"
	}
	s.count = widget.New("span", "quiet")
	s.head = widget.New("button", "group-head", widget.Attr{Key: "type", Value: "button"},
		widget.Icon("chevron-right"), widget.New("span", "group-name", widget.Short(s.title)), s.count, widget.Click(s.toggle))
	s.grid = widget.New("div", "grid")
	s.more = widget.New("button", "more", widget.Attr{Key: "type", Value: "button"},
		widget.Click(func() { s.most += PageSize; g.layout() }))
	s.el = widget.New("section", "group", widget.Attr{Key: "aria-label", Value: s.title},
		widget.New("h2", "", s.head), s.grid, s.more)
	return s
}

func (s *section) toggle() {
	open := !s.open
	s.g.host.Set(func(st *session.State) { session.Groups.Put(st, s.name, open) })
}

// show brings the section to this group and adds the cards that it shows to keep.
func (s *section) show(group *Group, open bool, keep map[slotKey]bool) {
	s.group, s.open, s.shown = group, open, s.shown[:0]
	s.head.SetAttribute("aria-expanded", fmt.Sprint(open))
	widget.Text(s.count, widget.Count(group.Count, "card", "cards"))
	widget.Hide(s.grid, !open)
	if !open {
		s.most, s.has = PageSize, 0
		widget.Arrange(s.grid, nil)
		widget.Hide(s.more, true)
		return
	}
	most := min(s.most, group.Count)
	order := make([]dom.Node, 0, most)
	// Which cards a tag has is found out when there is room for one: of a thousand runs and
	// two hundred groups that takes seconds.
	was := s.has
	for i := 0; i < most; i++ {
		if s.g.fresh <= 0 && was == 0 {
			s.g.short = true
			break
		}
		cards := group.First(i + 1)
		if len(cards) <= i {
			break
		}
		key := slotKey{CardID: cards[i]}
		if s.g.slots[key] != nil {
			was--
		} else if !s.g.room() {
			continue
		}
		slot := s.g.slot(key)
		keep[key] = true
		slot.setWide(s.g.isWide(cards[i]))
		s.shown = append(s.shown, slot)
		order = append(order, slot.el)
	}
	s.has = len(order)
	widget.Arrange(s.grid, order)
	rest := group.Count - most
	widget.Hide(s.more, rest <= 0)
	if rest > 0 {
		widget.Text(s.more, fmt.Sprintf("Show %d more of %s", min(rest, PageSize), widget.Thousands(rest)))
	}
}

// isWide reports whether a card has the full width.
func (g *grid) isWide(id session.CardID) bool {
	if len(session.Wide.Of(g.host.State())) == 0 {
		return false // and no name is made of every card
	}
	on, _ := session.Wide.Get(g.host.State(), id.String())
	return on
}

// anyTags says whether any run at all has something to show.
func (g *grid) anyTags() bool {
	for _, k := range g.kinds {
		for _, tags := range k.tags {
			if len(tags) > 0 {
				return true
			}
		}
	}
	return false
}

// span sets how many columns of cards the section has. One that is closed, or
// that has a card of full width, takes the whole row.
func (s *section) span() {
	n := min(s.group.Count, s.g.columns)
	small := s.open && n < s.g.columns
	if small && len(session.Wide.Of(s.g.host.State())) > 0 {
		for _, id := range s.group.First(n) {
			if s.g.isWide(id) {
				small = false
			}
		}
	}
	if !small {
		n = s.g.columns
	}
	if small == s.small && n == s.spans {
		return
	}
	s.small, s.spans = small, n
	widget.Toggle(s.el, "small", small)
	widget.Style(s.el, "--span", strconv.Itoa(n))
}

func (g *grid) clearFilter() { g.host.Set(func(s *session.State) { session.TagFilter.Reset(s) }) }

// say writes how many cards there are, or what to do when there are none.
func (g *grid) say(cards int) {
	laid := g.kinds[0].laid
	noun := laid.Noun()
	widget.Text(g.count, widget.Count(cards, noun, noun+"s"))
	widget.Hide(g.empty, cards > 0)
	if cards > 0 {
		g.said = ""
		return
	}
	title, text, label, do := laid.Nothing(!g.filter.All())
	empty := g.board.Kinds[0].Empty()
	switch {
	case len(g.host.Data().Runs()) == 0:
		widget.Hide(g.empty, true) // the shell says what is going on
		return
	case g.sorting:
		title, text, label = "Sorting the tags", "There are very many. Cards appear in a moment.", ""
	case len(g.runs) == 0:
		title, text = "No run is shown", "All runs are switched off, or the run filter matches none."
		label, do = "Show all runs", g.host.ShowAllRuns
	case title != "" && label == "" && !g.filter.All():
		label, do = "Clear the filter", g.clearFilter
	case title != "":
	case !g.filter.All() && len(g.tagIndex().tags) > 0:
		title, text = "No tag matches the filter", "The filter is a regular expression that is searched anywhere in a tag; case does not matter."
		label, do = "Clear the filter", g.clearFilter
	case !g.host.Data().Status().Phase.Done():
		title, text = "Looking for "+empty.Nouns, "Cards appear as soon as the first points are read."
	case g.anyTags():
		title, text = "The runs that are shown have no "+empty.Nouns, "Other runs in this logdir have some."
		label, do = "Show all runs", g.host.ShowAllRuns
	default:
		title, text = "No "+empty.Nouns+" in this logdir", "Its event files were read, and none of them holds any. In a training script: "+empty.How+"."
	}
	if title == g.said {
		return
	}
	g.said = title
	kids := []dom.Node{widget.New("h2", "", title), widget.New("p", "", text)}
	if label != "" {
		kids = append(kids, widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(do)))
	}
	widget.Replace(g.empty, kids...)
}
