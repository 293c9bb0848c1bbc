package scalars

import (
	"fmt"
	"slices"
	"strings"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/natural"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// tagsListed is how many tags are offered at a time.
const tagsListed = 50

// super is the card's place among the superimposed cards, -1 if it is none.
func (c *curves) super() int {
	return slices.IndexFunc(session.SuperimposedCards.Of(c.l.host.State()), func(s session.Superimposed) bool {
		return s.Card(c.slot.ID.Plugin) == c.slot.ID
	})
}

func (c *curves) removeSuper() {
	i := c.super()
	if i < 0 {
		return
	}
	old := session.SuperimposedCards.Of(c.l.host.State())
	host, id := c.l.host, c.slot.ID
	host.Set(func(s *session.State) { session.SuperimposedCards.Set(s, slices.Delete(slices.Clone(old), i, i+1)) })
	widget.Undo("Removed: "+old[i].Name(), func() {
		host.Set(func(s *session.State) {
			list := session.SuperimposedCards.Of(s)
			if !slices.ContainsFunc(list, func(o session.Superimposed) bool { return o.Card(id.Plugin) == id }) {
				session.SuperimposedCards.Set(s, slices.Insert(slices.Clone(list), min(i, len(list)), old[i]))
			}
		})
	})
}

// editSuper makes a card of this tag and others, or changes the one that it is.
func (c *curves) editSuper() {
	host, id := c.l.host, c.slot.ID
	at := c.super()
	card := session.Superimposed{Tags: id.Tags()}
	if at >= 0 {
		card = session.SuperimposedCards.Of(host.State())[at]
	} else if id.Run != "" {
		card.Run = &id.Run
	}
	chosen := slices.Clone(card.Tags)
	seen := map[string]bool{}
	for _, tags := range host.Tags() {
		for t := range tags {
			seen[t] = true
		}
	}
	var all []string
	for t := range seen {
		all = append(all, t)
	}
	slices.SortFunc(all, natural.Compare)
	title := "Superimpose tags"
	if at >= 0 {
		title = "Change the card"
	}
	var end func()
	end = widget.Popup(c.more, "super", title, func(el dom.HTMLElement) {
		name := widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "aria-label", Value: "Title"})
		widget.Set(name, "value", card.Title)
		list, said := widget.New("div", "tag-list"), widget.New("p", "said", widget.Attr{Key: "role", Value: "status"})
		save := widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"})
		var show func()
		var find filter.Filter
		field, box := widget.Search("Find tags (regex)", "super-tags", func(text string) {
			find.Set(text)
			show()
		})
		show = func() {
			why := ""
			if err := find.Set(widget.Get(field, "value").String()); err != nil {
				why = err.Error()
			}
			widget.Invalid(field, why)
			var rows []dom.Node
			more := 0
			add := func(tag string) {
				check, row := widget.Check(tag, func(on bool) {
					if on {
						chosen = append(chosen, tag)
					} else {
						chosen = slices.DeleteFunc(chosen, func(t string) bool { return t == tag })
					}
					show()
				})
				widget.Set(check, "checked", slices.Contains(chosen, tag))
				rows = append(rows, row)
			}
			for _, t := range chosen {
				add(t)
			}
			for _, t := range all {
				if slices.Contains(chosen, t) || !find.Match(t) {
					continue
				}
				if len(rows) >= tagsListed {
					more++
					continue
				}
				add(t)
			}
			widget.Arrange(list, rows)
			text := fmt.Sprintf("%d tags chosen", len(chosen))
			if more > 0 {
				text += fmt.Sprintf("; %d more match", more)
			}
			widget.Text(said, text)
			widget.Set(name, "placeholder", strings.Join(chosen, ", "))
			widget.Text(save, map[bool]string{true: "Save", false: "Make the card"}[at >= 0])
			widget.Set(save, "disabled", len(chosen) < 2 || len(chosen) > session.MaxTags)
		}
		widget.Listen(save, "click", func(dom.Event) {
			card.Title, card.Tags = strings.TrimSpace(widget.Get(name, "value").String()), chosen
			if card.ID == "" {
				card.ID = fmt.Sprintf("superimposed-%.0f", widget.Now())
			}
			host.Set(func(s *session.State) {
				cards := slices.Clone(session.SuperimposedCards.Of(s))
				if at >= 0 && at < len(cards) {
					cards[at] = card
				} else {
					cards = append(cards, card)
				}
				session.SuperimposedCards.Set(s, cards)
			})
			end()
		})
		el.AppendChild(widget.New("h3", "", title))
		el.AppendChild(widget.Field("Title", name))
		el.AppendChild(widget.Field("Tags", box, list, said))
		el.AppendChild(widget.New("div", "buttons", save))
		show()
	})
}
