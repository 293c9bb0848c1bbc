package ui

import (
	"slices"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	numbers "github.com/tensorbored/tensorbored-static/shared/kind/hparams"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

const (
	sparkWidth  = 64   // of a row's curve and the gap before it, CSS pixels, as in runs.css
	sparkName   = 110  // what a name has beside one at least
	sparkPixels = 28   // four points in each
	mostSparks  = 2000 // curves that are kept, of some 100 points
	sparkPace   = 500 * time.Millisecond
)

// sparks are small curves in the rows of the run list, of the metric by which runs stand: of
// the rows that are seen, kept and drawn by static/lazy/sparks.
type sparks struct {
	list    *runList
	script  js.Value        // undefined as long as it is not wanted, null while it comes
	of      runtable.Key    // what the curves are of …
	gen     int             // … and of which logdir, see board.Data
	have    map[string]bool // runs that were asked for, and have no new points since
	missing []string        // runs in sight that were not
	version int             // counts what changes what is drawn
	look    *widget.Pacer
	cancel  func() // of the question under way
}

// sparkOf says which curve a row shows: a run's, as of a version.
type sparkOf struct {
	run     string
	version int
}

func newSparks(l *runList) *sparks {
	s := &sparks{list: l, have: map[string]bool{}}
	s.look = widget.NewPacer(sparkPace, s.ask, nil)
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
		s.list.read.Ask()
	}
}

// show draws the curves of runs in their rows, and asks for those that are not there.
func (s *sparks) show(runs []string, where []*runRow) {
	if s.script.IsUndefined() {
		s.load()
	}
	if s.script.IsNull() {
		return
	}
	if k, gen := s.list.app.rank.key(), s.list.app.data.Gen(); k != s.of || gen != s.gen {
		s.clear()
		s.of, s.gen = k, gen
	}
	s.missing = s.missing[:0]
	for i, run := range runs {
		if p, now := where[i], (sparkOf{run, s.version}); p.curve != now {
			s.script.Call("draw", p.spark.Underlying(), run)
			p.curve = now
		}
		if !s.have[run] {
			s.missing = append(s.missing, run)
		}
	}
	if len(s.missing) > 0 {
		s.look.Ask()
	}
}

func (s *sparks) load() {
	s.script = js.Null()
	go func() {
		if _, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", "sparks"); err != nil {
			s.script = js.Undefined() // the list is whole without them; the next look tries again
			return
		}
		s.script = js.Global().Get("tbSparks")
		s.list.read.Ask()
	}()
}

// ask asks for the curves that are missing, one question at a time.
func (s *sparks) ask() {
	if s.cancel != nil || len(s.missing) == 0 || s.of.Name == "" {
		return
	}
	if len(s.have)+len(s.missing) > mostSparks {
		s.clear()
		s.list.read.Ask() // asks for what is in sight
		return
	}
	q := scalars.Curves{Tag: s.of.Name, Runs: slices.Clone(s.missing), X: wire.ByStep, Pixels: sparkPixels}
	if s.of.Of == string(numbers.Smoothed) {
		q.Weight = float64(s.of.Step) / 1000
	}
	for _, run := range q.Runs {
		s.have[run] = true
	}
	s.cancel = s.list.app.data.Ask(q.Query(), func(r engine.Reply) {
		if !r.More {
			s.cancel = nil
		}
		for _, c := range r.Chunks {
			if c.Buffer.Truthy() {
				s.script.Call("take", c.JSON, c.Buffer)
				bridge.Free(c.Buffer)
			}
		}
		s.version++
		s.list.read.Ask()
	})
}

// clear forgets all curves, and gives up what was asked for.
func (s *sparks) clear() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	clear(s.have)
	s.script.Call("clear")
	s.version++
}

// box has the curves shown, with room for them; show brings it to the state.
func (s *sparks) box() (el dom.HTMLElement, show func()) {
	a := s.list.app
	box, el := widget.Check("Its curve beside each run", func(on bool) {
		a.Set(func(st *session.State) {
			session.RunCurves.Set(st, on)
			if lack := sparkWidth + sparkName - s.list.wide(0); on && lack > 0 {
				session.RunsWidth.Set(st, session.RunsWidth.Of(st)+lack)
			}
		})
	})
	return el, func() { widget.Set(box, "checked", s.on()) }
}
