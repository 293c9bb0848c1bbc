package card

import (
	"slices"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// types are the toggles of a dashboard of several kinds: which of them are shown.
type types struct {
	el  dom.HTMLElement
	all dom.HTMLElement
	of  map[string]dom.HTMLElement // by kind
}

func newTypes(g *grid) *types {
	t := &types{of: map[string]dom.HTMLElement{}}
	button := func(label string, do func()) dom.HTMLElement {
		return widget.New("button", "", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(do))
	}
	t.all = button("All", func() { g.host.Set(func(s *session.State) { session.Kinds.Reset(s) }) })
	t.el = widget.New("div", "toggles", widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: "Kinds of cards"}, t.all)
	for _, k := range g.board.Kinds {
		if arranges(k) {
			continue
		}
		name := k.Name()
		b := button(Capital(k.Empty().Nouns), func() {
			g.host.Set(func(s *session.State) {
				if on, _ := session.Kinds.Get(s, name); on {
					session.Kinds.Drop(s, name)
				} else {
					session.Kinds.Put(s, name, true)
				}
			})
		})
		t.of[name] = b
		t.el.AppendChild(b)
	}
	return t
}

// show brings the toggles to the state; they are there where there is a choice.
func (t *types) show(g *grid) {
	names := g.names()
	chosen := session.Kinds.Of(g.host.State())
	all := !slices.ContainsFunc(names, func(name string) bool { return chosen[name] })
	for name, b := range t.of {
		widget.Hide(b, !slices.Contains(names, name))
		widget.Press(b, !all && chosen[name])
	}
	widget.Press(t.all, all)
	widget.Hide(t.el, len(names) < 2)
}

// names are the kinds that this logdir has anything of, so that one can choose among them.
// What was chosen in another logdir may have nothing here.
func (g *grid) names() []string {
	var out []string
	for _, k := range g.kinds {
		some := false
		for _, tags := range k.tags {
			some = some || len(tags) > 0
		}
		if some && k.byTag() {
			out = append(out, k.Name())
		}
	}
	return out
}
