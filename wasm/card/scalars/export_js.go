package scalars

import (
	"errors"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// askFrom is how many points an export must have, about, to ask first where to save
// it, in browsers that can then write it piece by piece. A smaller one is simply
// downloaded.
const askFrom = 1_000_000

// Menu implements card.Menued: what is done now and then: axes, values, cards of several
// tags, and the points as files, all of them or those in the range that is shown.
func (c *curves) Menu() []widget.Item {
	items := []widget.Item{
		{Icon: "settings-2", Label: "Axes and limits…", Do: c.chooseAxes},
		{Icon: "search", Label: "Values (Enter)", Do: func() { c.chartDo((*paint.Chart).Values) }},
	}
	if c.l.laid != nil {
		items = append(items, c.l.laid.Menu(c.slot.ID)...)
	} else if c.super() >= 0 {
		items = append(items, widget.Item{Icon: "layers", Label: "Change this card…", Do: func() { c.editSuper(false) }}, widget.Item{Icon: "x", Label: "Remove this card", Do: c.removeSuper})
	} else {
		items = append(items, widget.Item{Icon: "layers", Label: "Superimpose other tags…", Do: func() { c.editSuper(false) }})
	}
	if c.l.laid == nil {
		items = append(items, widget.Item{Icon: "plus", Label: "Compute a curve…", Do: func() { c.editSuper(true) }})
	}
	items = append(items, widget.Item{Icon: "pencil", Label: "Note at a step…", Do: func() { c.l.editNotes(c.noteAt()) }},
		widget.Item{Icon: "image", Label: "Picture…", Do: c.savePicture})
	tags := c.slot.Tags()
	for _, tag := range tags {
		of := ""
		if len(tags) > 1 {
			of = " (" + derive.Text(tag) + ")"
		}
		item := func(label, kind string, ranged bool) widget.Item {
			return widget.Item{Icon: "download", Label: label + of, Do: func() { c.export(tag, kind, ranged) }}
		}
		items = append(items, item("CSV of all points", "csv", false), item("JSON of all points", "json", false))
		if c.x1 > c.x0 && XOf(c.l.host.State()).Timed() && !derive.IsName(tag) {
			items = append(items, item("CSV of the shown range", "csv", true), item("JSON of the shown range", "json", true))
		}
	}
	if c.l.grouped {
		items = append(items, widget.Item{Icon: "download", Label: "Means and bands (CSV)", Do: c.saveMeans})
	}
	return items
}

// meansPixels is how wide a plot would be whose every point is in a file of means.
const meansPixels = 10_000

// saveMeans saves the means of the card's groups with their bands, over the whole range.
func (c *curves) saveMeans() {
	runs := c.slot.Runs()
	if len(runs) == 0 {
		return
	}
	c.l.ask(&c.askedMeans, c.l.queryOf(c.slot.ID, runs, 0, 0, meansPixels), false, func(r engine.Reply) {
		chart := c.l.offStage(c.slot.ID, r)
		defer chart.Close()
		if !r.More && chart.SaveMeans(card.FileName(card.Titled(c.name(), c.slot.ID)+" means", "csv")) == 0 {
			widget.Say("No two runs of a group are shown here, or the curves go back and forth")
		}
	})
}

// export saves every logged point of the shown runs, those that memory has no room
// for too: one run after the other, each piece by piece, and none is read before the
// last one has been written.
func (c *curves) export(tag, kind string, ranged bool) {
	tags := c.slot.FreshTags()
	runs := c.slot.Runs()
	if len(runs) == 0 {
		return
	}
	q := scalars.Curves{Tag: tag, X: X.Of(c.l.host.State())}
	if ranged {
		q.X0, q.X1 = c.x0, c.x1
	}
	logged := int64(0)
	for _, r := range runs {
		logged += tags[r][tag].Points
	}
	name := derive.Text(tag)
	if derive.IsName(tag) {
		q.X = wire.ByStep
	}
	// At once, while the browser still knows that the user clicked.
	begun := paint.NewExport(card.FileName(card.Titled(name, c.slot.ID), kind), kind, name, string(q.X), q.X0, q.X1, logged >= askFrom && !ranged)
	go func() {
		out, err := begun()
		if err != nil {
			widget.NewTask("Export of "+name, nil).End("could not be saved: " + err.Error())
			return
		}
		if out == nil {
			return // the user changed their mind
		}
		stop := make(chan struct{})
		task := widget.NewTask("Exporting "+name, func() { close(stop) })
		written, short := int64(0), 0
		for i, run := range runs {
			n, all, err := pour(c.l.every(run, q), stop, out.Add, func(n int64) {
				task.Say(fmt.Sprintf("run %d of %d · %s", i+1, len(runs), widget.Count(written+n, "point", "points")))
			})
			written += n
			if err != nil {
				out.Abort()
				task.End(ended(err))
				return
			}
			if !all {
				short++
			}
		}
		if err := out.End(); err != nil {
			task.End(ended(err))
			return
		}
		text := widget.Count(written, "point", "points") + " saved"
		if short > 0 {
			text += fmt.Sprintf("; of %s not every point could be read: they are still being read, or their files changed", widget.Count(short, "run", "runs"))
		}
		task.End(text)
	}()
}

// pieces are points of a run, piece by piece: an engine.Stream.
type pieces interface {
	Next() <-chan engine.Piece
	Close()
}

// every reads all points of a run. What is computed of points that are kept has no others: it
// is asked for at once.
func (l *live) every(run string, q scalars.Curves) pieces {
	if !derive.IsName(q.Tag) {
		return l.host.Data().Every(run, q.Query())
	}
	q.Runs = []string{run}
	return newAtOnce(l, q)
}

// atOnce is a run's points that come as the answer to one question.
type atOnce struct {
	pace   chan engine.Piece
	cancel func()
}

func newAtOnce(l *live, q scalars.Curves) *atOnce {
	w := &atOnce{pace: make(chan engine.Piece, 1)}
	var asked card.Question
	w.cancel = asked.Drop
	l.ask(&asked, q, false, func(r engine.Reply) {
		var p engine.Piece
		if len(r.Chunks) > 0 { // of one run there is one
			p.Chunk = r.Chunks[0]
		}
		w.pace <- p
	})
	return w
}

// Next implements pieces.
func (w *atOnce) Next() <-chan engine.Piece { return w.pace }

// Close implements pieces.
func (w *atOnce) Close() { w.cancel() }

// errStopped says that the user has stopped a download.
var errStopped = errors.New("stopped")

// ended is how a download ended that err has ended.
func ended(err error) string {
	if errors.Is(err, errStopped) {
		return "cancelled"
	}
	return "could not be saved: " + err.Error()
}

// pour gives add every piece of a series, and tells say how many points were written
// before each. all says whether every logged point was among them.
func pour(points pieces, stop chan struct{}, add func(engine.Piece) (int64, error), say func(written int64)) (written int64, all bool, err error) {
	defer points.Close()
	all = true
	for more := true; more; {
		say(written)
		var p engine.Piece
		select {
		case p = <-points.Next():
		case <-stop:
			return written, false, errStopped
		}
		n, err := add(p)
		if err != nil {
			return written, false, err
		}
		written += n
		more = p.More
		for _, part := range engine.Parts[scalars.Part](p.Chunk) {
			all = part.Full
		}
		all = all && !p.Broken
	}
	return written, all, nil
}
