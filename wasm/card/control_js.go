package card

import (
	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Control is a control of the settings' pane. A board whose kinds have several of one setting
// shows the first of them, above those that single kinds have.
type Control struct {
	Of   *session.Decl // what it sets; nil: something of one kind alone
	Node dom.Node
	Show func(s *session.State) // brings it to the settings; nil: who made it does
}

// CheckOf is a check box for a setting.
func CheckOf(h Host, label string, of *session.Setting[bool]) Control {
	return check(label, of, func(on bool) { h.Set(func(s *session.State) { of.Set(s, on) }) })
}

func check(label string, of *session.Setting[bool], put func(bool)) Control {
	box, el := widget.Check(label, put)
	return Control{of.Decl, el, func(s *session.State) { widget.Set(box, "checked", of.Of(s)) }}
}

// ChoiceOf is a choice between values of a setting, each with its label. put sets one; nil does
// as Setting.Set.
func ChoiceOf[V ~string](h Host, label string, of *session.Setting[V], values [][2]string, put func(*session.State, V)) Control {
	if put == nil {
		put = of.Set
	}
	c := widget.NewChoice(label, values, func(v string) { h.Set(func(s *session.State) { put(s, V(v)) }) })
	return Control{of.Decl, widget.Field(label, c.El), func(s *session.State) { c.Set(string(of.Of(s))) }}
}

// StepsControl links the steps of all cards.
func StepsControl(h Host) Control {
	return check("One step for all cards", LinkSteps, func(on bool) { h.Set(func(s *session.State) { Link(s, on) }) })
}
