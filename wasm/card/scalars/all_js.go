package scalars

import (
	"fmt"
	"slices"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// forms are the files that all points may be saved as: what static/lazy/all calls them, a
// label, the end of the file's name, its type.
var forms = [][4]string{
	{"long", "CSV, a line for each point", "csv", "text/csv"},
	{"wide", "CSV, a column for each tag", "csv", "text/csv"},
	{"jsonl", "JSON lines", "jsonl", "application/x-ndjson"},
	{"zip", "Zip with a CSV for each tag", "zip", "application/zip"},
}

// filtered are the tags that the filter lets through and that one of the shown runs has, and
// what cards compute of tags; of a layout those of the charts of open groups. points are those
// that were logged.
func (l *live) filtered() (tags []string, points int64) {
	var f filter.Filter
	f.Set(session.TagFilter.Of(l.host.State())) // one that is half typed lets all through
	of := l.host.Tags()
	all := l.tags()
	if l.laid != nil { // those of the charts that are there
		in := map[string]bool{}
		for _, id := range l.host.Cards(false) {
			tags, bands := l.curvesOf(id)
			for i, t := range tags {
				in[t] = true
				if bands != nil {
					in[bands[i][0]], in[bands[i][1]] = true, true
				}
			}
		}
		all = slices.DeleteFunc(all, func(t string) bool { return !in[t] })
	} else {
		all = slices.DeleteFunc(all, func(t string) bool { return !f.Match(t) })
		for _, c := range session.SuperimposedCards.Of(l.host.State()) {
			for _, t := range c.Tags {
				if derive.IsName(t) && !slices.Contains(all, t) && (f.Match(derive.Text(t)) || f.Match(c.Name())) {
					all = append(all, t)
				}
			}
		}
	}
	for _, t := range all {
		has := false
		for _, r := range l.host.Runs() {
			if card.Has(of[r], t) {
				has = true
				points += of[r][t].Points
			}
		}
		if has {
			tags = append(tags, t)
		}
	}
	return tags, points
}

// chooseAll asks in which form all points are wanted.
func (l *live) chooseAll() {
	tags, points := l.filtered()
	runs := l.host.Runs()
	var end func()
	end = widget.DialogEnd("Download all points", func() []any {
		form := widget.New("select", "select", widget.Attr{Key: "aria-label", Value: "Form of the file"})
		for _, f := range forms {
			form.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: f[0]}, f[1]))
		}
		save := widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"}, "Download")
		widget.Set(save, "disabled", len(tags) == 0)
		widget.Listen(save, "click", func(dom.Event) {
			for _, f := range forms {
				if f[0] == widget.Get(form, "value").String() {
					l.saveAll(f, runs, tags, points)
				}
			}
			end()
		})
		which := "that the filter lets through"
		if l.laid != nil {
			which = "of the charts of open groups"
		}
		computed := len(slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return !derive.IsName(t) }))
		said := fmt.Sprintf("%s: the shown runs (%s), the tags "+which+" (%s).", widget.Count(points, "point", "points"), widget.Thousands(len(runs)), widget.Thousands(len(tags)-computed))
		if computed > 0 {
			said += fmt.Sprintf(" And what cards compute from them (%s).", widget.Thousands(computed))
		}
		return []any{
			widget.New("p", "quiet", said),
			widget.New("div", "ask", form, save)}
	})
}

// saveAll saves every logged point of runs and tags as one file, piece by piece.
func (l *live) saveAll(form [4]string, runs, tags []string, points int64) {
	// At once, while the browser still knows that the user clicked.
	opened := paint.Sink(card.FileName("scalars", form[2]), form[3], points >= askFrom)
	go func() {
		sink, err := bridge.Await(opened)
		if err != nil {
			if bridge.NameOf(err) != "AbortError" {
				widget.NewTask("Download", nil).End("could not be saved: " + err.Error())
			}
			return
		}
		stop := make(chan struct{})
		task := widget.NewTask("Saving all points", func() { close(stop) })
		written, short, err := l.fill(sink, form[0], runs, tags, task, stop)
		if err != nil {
			_, _ = bridge.Try(func() js.Value { return sink.Call("abort") }) // there is nothing left to lose
		}
		switch {
		case err != nil:
			task.End(ended(err))
		case short > 0:
			task.End(fmt.Sprintf("%s saved; of %s not every point could be read: they are still being read, or their files changed", widget.Count(written, "point", "points"), widget.Count(short, "curve", "curves")))
		default:
			task.End(widget.Count(written, "point", "points") + " saved")
		}
	}()
}

// fill writes the file; short counts curves of which not every point could be read.
func (l *live) fill(sink js.Value, kind string, runs, tags []string, task *widget.Task, stop chan struct{}) (written, short int64, err error) {
	if err := card.Load("all"); err != nil {
		return 0, 0, err
	}
	if kind == "zip" {
		if err := card.Load("zip"); err != nil {
			return 0, 0, err
		}
	}
	names := make([]any, len(tags))
	for i, t := range tags {
		names[i] = derive.Text(t)
	}
	out, err := bridge.Try(func() js.Value { return js.Global().Call("tbAll", sink, kind, names) })
	if err != nil {
		return 0, 0, err
	}
	// A file of a tag holds all runs, a row all tags of a run.
	outer, inner := runs, tags
	if kind == "zip" {
		outer, inner = tags, runs
	}
	has := l.host.Tags()
	for i, a := range outer {
		for _, b := range inner {
			run, tag := a, b
			if kind == "zip" {
				run, tag = b, a
			}
			if !card.Has(has[run], tag) {
				continue
			}
			if _, err := bridge.AwaitCall(out, "begin", run, derive.Text(tag)); err != nil {
				return written, short, err
			}
			n, all, err := pour(l.every(run, scalars.Curves{Tag: tag, X: wire.ByStep}), stop,
				func(p engine.Piece) (int64, error) { return paint.AddPiece(out, p) },
				func(n int64) {
					task.Say(fmt.Sprintf("%d of %d · %s", i+1, len(outer), widget.Count(written+n, "point", "points")))
				})
			if written += n; err != nil {
				return written, short, err
			}
			if !all {
				short++
			}
		}
	}
	_, err = bridge.AwaitCall(out, "end")
	return written, short, err
}
