//go:build !js

package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/shared/worker"
)

var plans = flag.Int("plans", 60, "plans of deaths that TestWorkersThatDie follows")

// machine is a page and its workers, in one process. The workers are the real ones
// (shared/worker), each a goroutine, and what crosses is bytes. The page is the goroutine of
// the test: what workers say waits in its inbox.
type machine struct {
	t     *testing.T
	e     *Engine
	logs  source.Mem
	dir   func() source.Logdir // what each worker reads from
	most  int
	ctx   context.Context
	inbox chan func()
	// fuel is how many steps (messages, windows, turns) the next worker takes before it dies;
	// 0: none. It is told unless silent.
	fuel    func() (steps int, silent bool)
	refuse  error // why no worker starts
	started int
	deaths  int
	stale   int // looks that workers asked for
}

func newMachine(t *testing.T, logs source.Mem, workers int) *machine {
	m := &machine{t: t, logs: logs, dir: logs.Logdir, most: workers, ctx: t.Context(), inbox: make(chan func(), 100_000), fuel: func() (int, bool) { return 0, false }}
	m.e = New(m)
	return m
}

func (m *machine) Worth(int64, int) int   { return m.most }
func (m *machine) Most() int              { return m.most }
func (m *machine) Open() wire.Open        { return wire.Open{Kind: "mem", PreviewFrom: 1 << 30} }
func (m *machine) Beside([]wire.File) any { return nil }
func (m *machine) None() string           { return "none" }
func (m *machine) Stale()                 { m.stale++ }
func (m *machine) Soon(f func())          { m.inbox <- f }
func (m *machine) Now() time.Time         { return time.Now() }

// body is a worker that lives.
type body struct {
	m      *machine
	page   *Worker
	worker *worker.Worker
	end    context.CancelFunc
	ended  bool // by the page; read and written by its goroutine
	fuel   int
	silent bool
}

func (m *machine) Start(w *Worker) (Port, error) {
	if m.refuse != nil {
		return nil, m.refuse
	}
	m.started++
	b := &body{m: m, page: w}
	b.fuel, b.silent = m.fuel()
	ctx, end := context.WithCancel(m.ctx)
	b.end = end
	b.worker = worker.New(hosted{b})
	go b.worker.Run(ctx)
	return b, nil
}

// say brings something to the page.
func (b *body) say(f func()) {
	b.m.inbox <- func() {
		if !b.ended {
			f()
		}
	}
}

// step uses up fuel, and dies without any; it is called by the worker's goroutine.
func (b *body) step() {
	if b.fuel == 0 {
		return
	}
	if b.fuel--; b.fuel > 0 {
		return
	}
	b.end()
	if !b.silent {
		b.say(func() { b.m.deaths++; b.page.Ended("out of memory") })
	} else {
		b.say(func() { b.m.deaths++ })
	}
	runtime.Goexit()
}

// The worker's side.
func (b *body) Source(*wire.Open) source.Logdir    { return b.m.dir() }
func (b *body) Cache(*worker.Session) worker.Cache { return nil }
func (b *body) Collect(int)                        {}
func (b *body) Rest()                              {}
func (b *body) Yield()                             { b.step() }

// post is the worker's, and carries bytes alone.
func (b *body) post(e wire.Envelope) {
	b.step()
	e.Body, e.Head, e.Words, e.Bytes = slices.Clone(e.Body), slices.Clone(e.Head), slices.Clone(e.Words), slices.Clone(e.Bytes)
	b.say(func() { b.page.Hear(e) })
}

// hosted gives the worker its Host: Post is both sides' word.
type hosted struct{ *body }

func (h hosted) Post(e wire.Envelope) { h.post(e) }

// Post is the page's.
func (b *body) Post(e wire.Envelope) {
	if b.ended {
		b.m.t.Errorf("%s is posted to a worker that was ended", e.Op)
	}
	e.Body = slices.Clone(e.Body)
	b.worker.Hear(e)
}

// End is the page's.
func (b *body) End() { b.ended = true; b.end() }

// run handles what comes until done, or until nothing comes for ten minutes, while the
// workers are asked every ten seconds whether they are there.
func (m *machine) run(done func() bool) bool {
	quiet := 0
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for !done() {
		select {
		case f := <-m.inbox:
			quiet = 0
			f()
		case <-tick.C:
			if quiet++; quiet > 60 {
				return false
			}
			m.e.Pulse()
		}
	}
	return true
}

func (m *machine) list() *api.Listing {
	l, err := m.logs.Logdir().List(m.ctx)
	if err != nil {
		m.t.Fatal(err)
	}
	return l
}

// runsOf is a logdir with many runs, of curves and texts.
func runsOf(t *testing.T, n int) source.Mem {
	m := source.Mem{}
	for i := range n {
		w := summary.NewBuffer(summary.Options{})
		for step := range int64(50) {
			err := errors.Join(w.Scalar("loss", float64(i)+1/float64(step+1), step), w.Text("note", fmt.Sprint("step ", step), step))
			if err != nil {
				t.Fatal(err)
			}
		}
		m[fmt.Sprintf("run%02d/tfevents", i)] = w.Bytes()
	}
	return m
}

// cards ask all the time, four at once, as a grid does: when they are told of something, and
// from inside the answer to the question before.
type cards struct {
	m        *machine
	r        *rand.Rand
	left     int // questions to ask
	under    int // under way
	asked    int
	answered int
}

func (c *cards) ask() {
	for c.under < 4 && c.left > 0 && len(c.m.e.Runs()) > 0 {
		c.left--
		c.under++
		c.asked++
		tag, kind := "loss", "scalars"
		runs := []string{}
		for _, r := range c.m.e.Runs() {
			if c.r.IntN(3) > 0 {
				runs = append(runs, r.Name)
			}
		}
		q := wire.NewQuery(kind, []string{tag}, runs, map[string]any{"x": "step"})
		if len(runs) > 0 && c.r.IntN(3) == 0 {
			q = wire.NewQuery("text", []string{"note"}, runs[:1], map[string]any{"from": 0, "n": 50})
		}
		if c.r.IntN(5) == 0 && len(runs) > 0 {
			c.stream(runs[0])
			continue
		}
		var cancel func()
		cancel = c.m.e.Ask(q, func(r Reply) {
			if !r.More {
				c.done()
			}
		})
		if c.r.IntN(10) == 0 {
			cancel()
			c.done()
		}
	}
}

func (c *cards) done() {
	c.under--
	c.answered++
	if c.r.IntN(3) > 0 {
		c.ask()
		return
	}
	time.AfterFunc(time.Duration(c.r.IntN(5000))*time.Millisecond, func() { c.m.inbox <- c.ask })
}

// stream asks for every point of a run.
func (c *cards) stream(run string) {
	s := c.m.e.Every(run, wire.NewQuery("scalars", []string{"loss"}, nil, map[string]any{}))
	var next func(Piece)
	next = func(p Piece) {
		if p.More && !p.Broken {
			s.Next(next)
			return
		}
		c.done()
	}
	s.Next(next)
}

// TestWorkersThatDie: whenever workers die, with and without a word, no question stays
// without an answer, the reading ends, and what is left out is named.
func TestWorkersThatDie(t *testing.T) {
	logs := runsOf(t, 12)
	deaths := 0
	for seed := range uint64(*plans) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 2))
			m := newMachine(t, logs, 1+r.IntN(3))
			ctx, cancel := context.WithCancel(m.ctx)
			defer cancel()
			m.ctx = ctx
			willing := r.IntN(12) // deaths
			m.fuel = func() (int, bool) {
				if willing--; willing < 0 {
					return 0, false
				}
				return 1 + r.IntN([]int{6, 40, 200}[r.IntN(3)]), r.IntN(4) == 0
			}
			c := &cards{m: m, r: r, left: 60}
			m.e.Subscribe(func(Change) { c.ask() })
			m.e.Open("logs")
			m.e.Listed(m.list())
			over := func() bool { return c.asked == 60 && c.under == 0 && m.e.Status().Phase.Done() }
			if !m.run(over) {
				s := m.e.Status()
				t.Errorf("seed %d: %d of %d questions answered, %d under way, phase %s, %s, after %d deaths", seed, c.answered, c.asked, c.under, s.Phase, s.Error, m.deaths)
				return
			}
			// A worker that dies without a word when nothing is awaited of it is noticed by who asks.
			noticed := func() bool {
				return m.deaths == 0 || slices.ContainsFunc(m.e.Status().Lost, func(l wire.Loss) bool { return l.Kind == "a reader ended" })
			}
			for !noticed() {
				answered := false
				runs := []string{}
				for _, r := range m.e.Runs() {
					runs = append(runs, r.Name)
				}
				m.e.Ask(wire.NewQuery("scalars", []string{"loss"}, runs, map[string]any{"x": "step"}), func(r Reply) { answered = !r.More })
				if !m.run(func() bool { return answered && over() }) {
					t.Errorf("seed %d: %d deaths, none of which was noticed", seed, m.deaths)
					return
				}
			}
			deaths += m.deaths
			s := m.e.Status()
			ends, left := int64(0), 0
			for _, l := range s.Lost {
				switch l.Kind {
				case "a reader ended":
					ends += l.Count
				case "the reader ended on this file":
					left++
				default:
					t.Errorf("seed %d: %+v", seed, l)
				}
			}
			if s.Unread != left || s.Phase == wire.Exact && left > 0 || int(ends) > m.deaths || m.deaths > 0 && ends == 0 {
				t.Errorf("seed %d: %d deaths, %d told; %d files are left out, %d named; %s", seed, m.deaths, ends, s.Unread, left, s.Phase)
			}
			// Every point of all other runs is there.
			if want := int64(12-left) * 100; s.Points < want {
				t.Errorf("seed %d: %d points of %d", seed, s.Points, want)
			}
			m.e.Close()
		})
	}
	if deaths < *plans {
		t.Errorf("only %d deaths", deaths)
	}
}

// scripted is a worker that says what the test says.
type scripted struct {
	w     *Worker
	ended bool
	got   []wire.Envelope
}

func (s *scripted) Post(e wire.Envelope) { s.got = append(s.got, e) }
func (s *scripted) End()                 { s.ended = true }

// asked is how many questions it has got.
func (s *scripted) asked() int {
	n := 0
	for _, e := range s.got {
		if e.Op == wire.OpQuery {
			n++
		}
	}
	return n
}

// stage has scripted workers.
type stage struct {
	machine
	all []*scripted
}

func newStage(t *testing.T, workers int) *stage {
	s := &stage{machine: *newMachine(t, runsOf(t, 5), workers)}
	s.e = New(s)
	return s
}

func (s *stage) Start(w *Worker) (Port, error) {
	if s.refuse != nil {
		return nil, s.refuse
	}
	p := &scripted{w: w}
	s.all = append(s.all, p)
	return p, nil
}

func (s *stage) open() {
	s.e.Open("logs")
	s.e.Listed(s.list())
}

func (s *stage) names() (out []string) {
	for _, r := range s.e.Runs() {
		out = append(out, r.Name)
	}
	return out
}

// A card that asks when it is told of a crash asks the new worker: it used to post to the one
// that had ended, and waited for ever.
func TestAskInsideACrash(t *testing.T) {
	s := newStage(t, 1)
	s.open()
	first := s.all[0]
	first.w.Hear(wire.Envelope{Op: wire.OpReady})
	q := wire.NewQuery("scalars", []string{"loss"}, s.names(), nil)
	answers := 0
	s.e.Ask(q, func(r Reply) {
		s.e.Ask(q, func(Reply) { answers++ })
	})
	told := false
	s.e.Subscribe(func(Change) {
		if !told {
			told = true
			s.e.Ask(q, func(Reply) { answers++ })
		}
	})
	first.w.Ended("")
	second := s.all[len(s.all)-1]
	if !first.ended || first == second || first.asked() != 1 || second.asked() != 2 {
		t.Fatalf("%d questions to the worker that ended, %d to the new one", first.asked(), second.asked())
	}
	var ops []string
	for _, e := range second.got {
		ops = append(ops, e.Op)
		if e.Op == wire.OpQuery {
			second.w.Hear(wire.Envelope{Op: wire.OpAnswer, ID: e.ID, Head: []byte("[]")})
		}
	}
	if answers != 2 || !slices.Equal(ops[:3], []string{wire.OpOpen, wire.OpFiles, wire.OpLook}) {
		t.Errorf("%d answers; the new worker was told %v", answers, ops)
	}
	first.w.Hear(wire.Envelope{Op: wire.OpAnswer, ID: 1, Head: []byte("[]")}) // late words change nothing
}

// A worker that ends again and again costs its own runs.
func TestGiveUpNamesItsRuns(t *testing.T) {
	s := newStage(t, 2)
	s.open()
	for _, p := range s.all {
		p.w.Hear(wire.Envelope{Op: wire.OpReady})
	}
	var mine int
	for _, r := range s.e.runs {
		if r.worker == s.all[0].w {
			mine++
		}
	}
	if mine == 0 || mine == 5 {
		t.Fatal("one worker has all")
	}
	w := s.all[0].w
	for range reader.MaxEnds + 1 {
		w.Ended("")
		w = s.all[len(s.all)-1].w
		w.Hear(wire.Envelope{Op: wire.OpReady})
	}
	st := s.e.Status()
	i := slices.IndexFunc(st.Lost, func(l wire.Loss) bool { return l.Kind == "the reader ended again and again" })
	if i < 0 || !strings.HasPrefix(st.Lost[i].Remedy, fmt.Sprint(mine, " runs ")) || st.Unread != mine {
		t.Errorf("%d runs were its: %+v, unread %d", mine, st.Lost, st.Unread)
	}
}

// Where workers cannot be started every question is answered all the same.
func TestNoWorkers(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(s *stage)
	}{
		{"none starts", func(s *stage) { s.refuse = errors.New("refused: allow it"); s.open() }},
		{"they end before they start", func(s *stage) {
			s.open()
			for range reader.MaxStillborn + 1 {
				s.all[len(s.all)-1].w.Ended("")
			}
		}},
		{"the last one cannot be replaced", func(s *stage) {
			s.open()
			s.all[0].w.Hear(wire.Envelope{Op: wire.OpReady})
			s.refuse = errors.New("refused: allow it")
			s.all[0].w.Ended("")
		}},
	} {
		s := newStage(t, 1)
		var before, after, pieces int
		asked := false
		s.e.Subscribe(func(Change) {
			if names := s.names(); !asked && len(names) > 0 {
				asked = true
				s.e.Ask(wire.NewQuery("scalars", []string{"loss"}, names, nil), func(Reply) { before++ })
			}
		})
		c.do(s)
		s.e.Ask(wire.NewQuery("scalars", []string{"loss"}, s.names(), nil), func(Reply) { after++ })
		s.e.Every(s.names()[0], wire.Query{Kind: "scalars"}).Next(func(p Piece) {
			if p.Broken {
				pieces++
			}
		})
		for len(s.inbox) > 0 {
			(<-s.inbox)()
		}
		if before != 1 || after != 1 || pieces != 1 || s.e.Status().Error == "" || s.e.Status().Phase.Done() {
			t.Errorf("%s: %d and %d answers, %d pieces, %+v", c.name, before, after, pieces, s.e.Status())
		}
	}
}

// Whoever asks while a logdir is being closed is answered, and nobody asks what has ended.
func TestAskInsideAClose(t *testing.T) {
	s := newStage(t, 2)
	s.open()
	q := wire.NewQuery("scalars", []string{"loss"}, s.names(), nil)
	answers := 0
	s.e.Ask(q, func(Reply) { s.e.Ask(q, func(Reply) { answers++ }) })
	old := slices.Clone(s.all)
	s.e.Close()
	for len(s.inbox) > 0 {
		(<-s.inbox)()
	}
	if answers != 1 {
		t.Error("the question has no answer")
	}
	for _, p := range old {
		if !p.ended || p.asked() > 1 {
			t.Errorf("ended %v, asked %d", p.ended, p.asked())
		}
	}
}
