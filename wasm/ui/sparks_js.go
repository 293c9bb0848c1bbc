package ui

import (
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	curves "github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

const (
	sparkWidth  = 64  // of a row's curve and the gap before it, CSS pixels, as in runs.css
	sparkName   = 110 // what a name has beside one at least
	sparkPixels = 28  // four points in each
	sparkPace   = 2 * time.Second
)

// sparks are small curves in the rows of the run list, of the metric by which runs stand: of
// the rows that are seen, drawn by static/lazy/sparks.
type sparks struct {
	list   *runList
	script js.Value // undefined while it comes
	of     scalars.Curves
	have   map[string]bool // runs that were asked for, and have no new points since
	look   *widget.Pacer
	cancel func() // of the question under way
}

func newSparks(l *runList) *sparks {
	s := &sparks{list: l, have: map[string]bool{}}
	s.look = widget.NewPacer(sparkPace, l.read.Ask, nil)
	return s
}

// on reports whether there are curves: runs stand by a metric, they are wanted, and names have
// room beside them.
func (s *sparks) on() bool {
	l := s.list
	return l.app.rank.on() && session.RunCurves.Of(&l.app.state) && l.wide(0) >= sparkWidth+sparkName
}

// follow takes in which runs have new points.
func (s *sparks) follow(runs []string) {
	for _, r := range runs {
		delete(s.have, r)
	}
	if len(runs) > 0 && s.on() {
		s.look.Ask()
	}
}

// show draws the curves of runs in their rows, and asks for those that are not there.
func (s *sparks) show(runs []string, where []*runRow) {
	state := &s.list.app.state
	of := scalars.Curves{Tag: s.list.app.rank.key().Name, Weight: curves.Smoothing.Of(state), X: wire.ByStep, Pixels: sparkPixels}
	if of.Tag != s.of.Tag || of.Weight != s.of.Weight {
		s.of = of
		s.drop()
		clear(s.have)
		if s.script.Truthy() {
			s.script.Call("clear")
		}
	}
	if s.script.IsUndefined() {
		s.script = js.Null()
		go func() {
			if _, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", "sparks"); err != nil {
				return // the list is whole without them
			}
			s.script = js.Global().Get("tbSparks")
			s.list.read.Ask()
		}()
	}
	if !s.script.Truthy() {
		return
	}
	var missing []string
	for i, run := range runs {
		s.script.Call("draw", where[i].spark.Underlying(), run)
		if !s.have[run] {
			missing = append(missing, run)
		}
	}
	if len(missing) == 0 || s.cancel != nil {
		return
	}
	for _, run := range missing {
		s.have[run] = true
	}
	of.Runs = missing
	s.cancel = s.list.app.data.Ask(of.Query(), func(r engine.Reply) {
		s.cancel = nil
		if of.Tag != s.of.Tag || of.Weight != s.of.Weight {
			return // a better answer to what is no longer asked
		}
		for _, c := range r.Chunks {
			if c.Buffer.Truthy() {
				s.script.Call("take", c.JSON, c.Buffer)
				bridge.Free(c.Buffer)
			}
		}
		s.list.read.Ask()
	})
}

// drop gives up what was asked for.
func (s *sparks) drop() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
}

// box has the curves shown, with room for them.
func (s *sparks) box() dom.HTMLElement {
	a := s.list.app
	box, check := widget.Check("Its curve beside each run", func(on bool) {
		a.Set(func(st *session.State) {
			session.RunCurves.Set(st, on)
			if lack := sparkWidth + sparkName - int(s.list.wide(0)); on && lack > 0 {
				session.RunsWidth.Set(st, session.RunsWidth.Of(st)+lack)
			}
		})
	})
	widget.Set(box, "checked", s.on())
	return check
}
