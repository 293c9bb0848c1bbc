package scalars

import (
	"fmt"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/onset"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// happened lists which scalars of a run left their usual range on the way to a step of a tag.
func (l *live) happened(run, tag string, step float64) {
	l.host.Data().Ask(onset.Query{Step: step, Tag: tag}.For(run), func(r engine.Reply) {
		var p onset.Part
		for _, c := range r.Chunks {
			for _, part := range engine.Parts[onset.Part](c) {
				p = part
			}
		}
		if r.More {
			return
		}
		if p.Run == "" {
			widget.Say("Nothing is known of this step now. Try again when the run has been read.")
			return
		}
		l.tell(p, step)
	})
}

// method says how it was found.
const method = "Usual is what lies within six spreads of the median of the 50 points before. Tags are listed in the order in which they left it."

func (l *live) tell(p onset.Part, step float64) {
	var end func()
	end = widget.DialogEnd("What happened here?", func() []any {
		where := fmt.Sprintf("steps %s to %s of %s", widget.Thousands(int64(p.From)), widget.Thousands(int64(step)), l.host.Name(p.Run))
		if p.Left == 0 {
			return []any{widget.New("p", "", fmt.Sprintf("None of %s left its usual range in %s.", widget.Count(p.Checked, "scalar", "scalars"), where)),
				widget.New("p", "quiet", method), l.everywhere(step, func() { end() })}
		}
		text := fmt.Sprintf("%s of %s left their usual range in %s.", widget.Thousands(int64(p.Left)), widget.Count(p.Checked, "scalar", "scalars"), where)
		if p.Thinned > 0 {
			text += fmt.Sprintf(" Memory keeps some points only of %s of them.", widget.Thousands(int64(p.Thinned)))
		}
		head := widget.New("tr", "")
		for _, name := range []string{"Tag", "At step", "Value", "Usual range", "Deviation"} {
			head.AppendChild(widget.New("th", "", widget.Attr{Key: "scope", Value: "col"}, name))
		}
		body := widget.New("tbody", "")
		for _, o := range p.List {
			value := "not finite"
			if o.Value != nil {
				value = short(*o.Value)
			}
			far := "× " + short(o.Deviation)
			if o.Deviation >= onset.Most {
				far = "beyond measure"
			}
			show := widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: "Show the tag, and this step on all cards"}, o.Tag, widget.Click(func() {
				end()
				l.linkAt(o.Step)
				l.host.Visit(o.Tag)
			}))
			body.AppendChild(widget.New("tr", "", widget.New("td", "", show), widget.New("td", "num", widget.Thousands(int64(o.Step))), widget.New("td", "num", value),
				widget.New("td", "num", short(o.Lo)+" to "+short(o.Hi)), widget.New("td", "num", far)))
		}
		if p.Left > len(p.List) {
			text += fmt.Sprintf(" The first %d are listed.", len(p.List))
		}
		return []any{widget.New("p", "", text), widget.New("div", "happened", widget.New("table", "losses", widget.New("thead", "", head), body)),
			widget.New("p", "quiet", method), l.everywhere(p.List[0].Step, func() { end() })}
	})
}

// everywhere offers to show a step on all cards: of pictures, histograms and texts too.
func (l *live) everywhere(step float64, end func()) dom.Node {
	return widget.New("div", "buttons", widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"}, "Show step "+widget.Thousands(int64(step))+" on all cards", widget.Click(func() {
		end()
		l.linkAt(step)
	})))
}

// linkAt makes all cards show a step.
func (l *live) linkAt(step float64) {
	l.host.Set(func(s *session.State) {
		card.LinkSteps.Set(s, true)
		card.SetLinked(s, []float64{step})
	})
}

// short writes a number with four digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
