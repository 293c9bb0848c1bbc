package scalars

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/filter"
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

// editSuper makes a card of this tag and others, or changes the one that it is; compute: a
// card of what is computed of tags.
func (c *curves) editSuper(compute bool) {
	host, id := c.l.host, c.slot.ID
	at := c.super()
	if compute {
		at = -1
	}
	card := session.Superimposed{Tags: id.Tags()}
	if at >= 0 {
		card = session.SuperimposedCards.Of(host.State())[at]
	} else if id.Run != "" {
		card.Run = &id.Run
	}
	chosen := slices.Clone(card.Tags)
	all := c.l.tags()
	// An expression that stands alone is at hand to be changed.
	right := map[string]bool{} // tags on the right axis
	if on, _ := RightTags.Get(host.State(), id.String()); at >= 0 {
		for _, t := range on {
			right[t] = true
		}
	}
	typed := ""
	if compute {
		typed, chosen = derive.Text(id.Tags()[0]), nil
	} else if len(chosen) == 1 && derive.IsName(chosen[0]) {
		typed, chosen = derive.Text(chosen[0]), nil
	}
	title := "Superimpose tags"
	if at >= 0 {
		title = "Change the card"
	}
	if compute {
		title = "Compute a curve"
	}
	var end func()
	var expr dom.HTMLElement
	end = widget.Popup(c.more, "super", title, func(el dom.HTMLElement) {
		name := widget.New("input", "number", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "aria-label", Value: "Title"})
		widget.Set(name, "value", card.Title)
		list, said := widget.New("div", "tag-list"), widget.New("p", "said", widget.Attr{Key: "role", Value: "status"})
		save := widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"})
		var show func()
		var find filter.Filter
		field, box := widget.Filter("Find tags (regex)", "super-tags", func(text string) {
			find.Set(text)
			show()
		})
		expr = widget.New("input", "text-field", widget.Attr{Key: "type", Value: "text"}, widget.Attr{Key: "aria-label", Value: "Expression over tags"},
			widget.Attr{Key: "placeholder", Value: "exp(train/loss) - eval/loss"}, widget.Attr{Key: "autocomplete", Value: "off"}, widget.Attr{Key: "spellcheck", Value: "false"},
			widget.Attr{Key: "title", Value: "+ - * / % ^ and " + strings.Join(derive.Functions(), ", ") + ". ref(tag) is its value in the baseline run, ref(tag, \"run\") in another. Tags with odd letters stand in braces: {…}"})
		widget.Set(expr, "value", typed)
		wrong := widget.New("p", "said wrong", widget.Attr{Key: "role", Value: "status"})
		// computed is the series that is typed, "" if there is none.
		computed := func() string {
			text := widget.Get(expr, "value").String()
			why, name := "", ""
			if strings.TrimSpace(text) != "" {
				canon, err := derive.Canon(text, all)
				var e *derive.Error
				if errors.As(err, &e) {
					why = fmt.Sprintf("Letter %d: %s", utf8.RuneCountInString(text[:e.At])+1, e.Why)
				} else {
					name = derive.Name(canon)
				}
			}
			widget.Invalid(expr, why)
			if name != "" {
				_, why = c.l.lacking([]string{name})
			}
			widget.Text(wrong, why)
			return name
		}
		put := widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, "Add", widget.Click(func() {
			if name := computed(); name != "" {
				if !slices.Contains(chosen, name) {
					chosen = append(chosen, name)
				}
				widget.Set(expr, "value", "")
				show()
			}
		}))
		widget.Listen(expr, "input", func(dom.Event) { show() })
		show = func() {
			why := ""
			if err := find.Set(widget.Get(field, "value").String()); err != nil {
				why = err.Error()
			}
			widget.Invalid(field, why)
			var rows []dom.Node
			more := 0
			add := func(tag string) {
				check, row := widget.Check(derive.Text(tag), func(on bool) {
					if on {
						chosen = append(chosen, tag)
					} else {
						chosen = slices.DeleteFunc(chosen, func(t string) bool { return t == tag })
					}
					show()
				})
				widget.Set(check, "checked", slices.Contains(chosen, tag))
				if slices.Contains(chosen, tag) {
					box, on := widget.Check("right axis", func(on bool) { right[tag] = on })
					widget.Set(box, "checked", right[tag])
					box.SetAttribute("aria-label", "Right axis: "+derive.Text(tag))
					row = widget.New("div", "pair", widget.New("div", "fill", row), on)
				}
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
			text := widget.Count(len(chosen), "tag", "tags") + " chosen"
			if more > 0 {
				text += fmt.Sprintf("; %d more match", more)
			}
			widget.Text(said, text)
			typed := computed()
			made := slices.Clone(chosen)
			if typed != "" && !slices.Contains(made, typed) {
				made = append(made, typed)
			}
			widget.Set(name, "placeholder", session.TagNames(made))
			widget.Text(save, map[bool]string{true: "Save", false: "Make the card"}[at >= 0])
			widget.Set(save, "disabled", len(made) < 2 && !slices.ContainsFunc(made, derive.IsName) || len(made) > session.MaxTags || expr.HasAttribute("aria-invalid"))
		}
		widget.Listen(save, "click", func(dom.Event) {
			if name := computed(); name != "" && !slices.Contains(chosen, name) {
				chosen = append(chosen, name)
			}
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
				var on []string
				for _, t := range chosen {
					if right[t] {
						on = append(on, t)
					}
				}
				if at >= 0 {
					RightTags.Drop(s, id.String())
					session.MoveCards(s, [2]session.CardID{id, card.Card(id.Plugin)})
				}
				if len(on) > 0 {
					RightTags.Put(s, card.Card(id.Plugin).String(), on)
				} else {
					RightLimits.Drop(s, card.Card(id.Plugin).String())
				}
			})
			if at < 0 { // a new card stands above all others
				host.Visit(card.Name())
			}
			end()
		})
		el.AppendChild(widget.New("h3", "", title))
		el.AppendChild(widget.Field("Title", name))
		el.AppendChild(widget.Field("Computed from tags, at each step", widget.New("div", "pair", expr, put), wrong))
		el.AppendChild(widget.Field("Tags", box, list, said))
		el.AppendChild(widget.New("div", "buttons", save))
		show()
	})
	if compute {
		expr.Focus()
		expr.Underlying().Call("select")
	}
}
