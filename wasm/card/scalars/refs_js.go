package scalars

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

// ask asks for curves. What ref(…) names is of a run that another worker may have: it is
// asked for before, one series after the other, and handed on with the question.
func (l *live) ask(asked *card.Question, q scalars.Curves, calm bool, got func(engine.Reply)) {
	missing := q.MissingRefs()
	if len(missing) == 0 {
		all := q.Query()
		all.Calm = calm
		asked.Ask(l.host.Data(), all, got)
		return
	}
	of := scalars.Curves{Tag: missing[0].Tag, Runs: []string{l.refRun(missing[0])}, X: wire.ByStep}.Query()
	of.Calm = calm
	asked.Ask(l.host.Data(), of, func(r engine.Reply) {
		series := scalars.RefSeries{Ref: missing[0]}
		for _, c := range paint.Chunks(r) {
			for _, p := range c.Parts {
				series.Steps, series.Values = make([]byte, 8*p.N), make([]byte, 8*p.N)
				bridge.Copy(series.Steps, c.Buffer, p.Offset)
				bridge.Copy(series.Values, c.Buffer, p.Offset+16*p.N)
				series.Missing, series.Preview = p.Points-p.Kept, p.Preview
			}
		}
		q.Refs = append(q.Refs, series)
		l.ask(asked, q, calm, got)
	})
}

// refRun is the run that a reference means, "" if no baseline was chosen.
func (l *live) refRun(r derive.Ref) string { return cmp.Or(r.Run, Baseline.Of(l.host.State())) }

// lacking says why what the tags' expressions refer to is not there, "" if it is.
func (l *live) lacking(tags []string) (text, why string) {
	q := scalars.Curves{Tag: tags[0], Others: tags[1:]}
	for _, r := range q.MissingRefs() {
		run := l.refRun(r)
		_, has := l.host.Tags()[run][r.Tag]
		switch {
		case text != "" || has:
		case run == "":
			text, why = "no baseline run is chosen", "ref(…) is what the baseline run has at the same step: choose one in the settings, or name a run: ref(loss, \"run\")."
		default:
			text, why = fmt.Sprintf("“%s” has no %s", run, r.Tag), "ref(…) is what this run has at the same step. Choose another baseline run in the settings, or name another run."
		}
	}
	return text, why
}

// empty says why there are no curves where there are runs with all that is drawn; "" if there
// are some, or if nothing is known of it.
func (l *live) empty(tags, runs []string, chunks []paint.Chunk) string {
	for _, c := range chunks {
		if len(c.Parts) > 0 {
			return ""
		}
	}
	s := l.host.State()
	x := XTag.Of(s)
	switch {
	case XOf(s) == wire.ByTag && !slices.ContainsFunc(runs, func(r string) bool { return card.Has(l.host.Tags()[r], x) }):
		return "None of these runs has “" + x + "”, which is the horizontal axis. Choose another tag for it in the settings."
	case XOf(s) == wire.ByTag:
		return "There is no step at which “" + x + "”, which is the horizontal axis, has a value as well."
	case derive.IsName(tags[0]):
		return "There is no step at which all of these have a value: " + strings.Join(card.Logged(tags[0]), ", ") + "."
	}
	return ""
}
