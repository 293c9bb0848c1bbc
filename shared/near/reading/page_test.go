//go:build !js

package reading

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/shared/worker"
)

// page is a page: the engine, and its workers or the line to a Reading. The test's goroutine is
// its thread.
type page struct {
	t     *testing.T
	e     *engine.Engine
	logs  source.Mem
	dir   func() source.Logdir // what its own workers read
	most  int
	inbox chan func()
	ctx   context.Context
	end   context.CancelFunc
	port  *near.Port
	lines *lines // nil: it reads by itself
	host  string
	alone error // why it was told to read by itself
}

func newPage(t *testing.T, logs source.Mem, most int, l *lines) *page {
	p := &page{t: t, logs: logs, dir: logs.Logdir, most: most, inbox: make(chan func(), 10_000), lines: l}
	p.ctx, p.end = context.WithCancel(t.Context())
	if l != nil {
		p.most = 1
	}
	p.e = engine.New(p)
	return p
}

// close ends the page.
func (p *page) close() {
	p.e.Close()
	p.end()
}

// say brings something to the page.
func (p *page) say(f func()) {
	select {
	case p.inbox <- f:
	case <-p.ctx.Done():
	}
}

func (p *page) Worth(int64, int) int            { return p.most }
func (p *page) Most() int                       { return p.most }
func (p *page) Open() wire.Open                 { return wire.Open{Kind: "mem", PreviewFrom: 1 << 30} }
func (p *page) Beside([]wire.File) any          { return nil }
func (p *page) None() string                    { return "none" }
func (p *page) Stale()                          {}
func (p *page) Soon(f func())                   { p.say(f) }
func (p *page) Now() time.Time                  { return time.Now() }
func (p *page) Reads(host string)               { p.host = host }
func (p *page) Without(why error)               { p.alone = why }
func (p *page) After(d time.Duration, f func()) { time.AfterFunc(d, func() { p.say(f) }) }
func (p *page) Dial(c near.Caller) near.Line    { return p.lines.dial(p, c) }

func (p *page) Start(w *engine.Worker) (engine.Port, error) {
	if p.lines != nil {
		p.port = near.NewPort(p, w)
		return p.port, nil
	}
	b := &own{p: p, page: w}
	ctx, end := context.WithCancel(p.ctx)
	b.end = end
	b.worker = worker.New(ownHost{b})
	go b.worker.Run(ctx)
	return b, nil
}

// own is a worker of the page's.
type own struct {
	p      *page
	page   *engine.Worker
	worker *worker.Worker
	end    context.CancelFunc
}

func (b *own) Post(e wire.Envelope) { b.worker.Hear(e) }
func (b *own) End()                 { b.end() }

type ownHost struct{ *own }

func (h ownHost) Source(*wire.Open) source.Logdir    { return h.p.dir() }
func (h ownHost) Cache(*worker.Session) worker.Cache { return nil }
func (h ownHost) Collect(int)                        {}
func (h ownHost) Rest()                              {}
func (h ownHost) Yield()                             {}
func (h ownHost) Post(e wire.Envelope) {
	e.Body, e.Head, e.Words, e.Bytes = slices.Clone(e.Body), slices.Clone(e.Head), slices.Clone(e.Words), slices.Clone(e.Bytes)
	h.p.say(func() { h.page.Hear(e) })
}

// lines leads to a server that may not be there. What crosses is bytes.
type lines struct {
	reading *Reading // nil: the server is down
	refuse  error    // why no line is made
	// fuel is how many frames the next line carries before it breaks; 0: any number.
	fuel  func() int
	made  int
	there []*line
	bytes int
}

type line struct {
	l     *lines
	p     *page
	c     near.Caller
	v     *Viewer
	end   context.CancelFunc
	ended bool
	fuel  int
}

func (l *lines) dial(p *page, c near.Caller) near.Line {
	l.made++
	ctx, end := context.WithCancel(p.ctx)
	x := &line{l: l, p: p, c: c, end: end}
	if l.fuel != nil {
		x.fuel = l.fuel()
	}
	reading, refuse := l.reading, l.refuse
	go func() {
		select {
		case <-time.After(15 * time.Millisecond):
		case <-p.ctx.Done():
			return
		}
		if reading == nil || refuse != nil {
			if refuse == nil {
				refuse = errors.New("nobody listens")
			}
			p.say(func() { c.Down(refuse) })
			return
		}
		p.say(func() {
			if x.ended || l.reading != reading {
				c.Down(errors.New("it broke early"))
				return
			}
			l.there = append(l.there, x)
			x.v = reading.Meet()
			c.Up("far")
			go x.carry(ctx)
		})
	}()
	return x
}

func (x *line) carry(ctx context.Context) {
	for {
		pieces, err := x.v.Next(ctx)
		if err != nil {
			x.p.say(func() { x.cut() })
			return
		}
		frame := slices.Concat(pieces...)
		loose, err := near.Loose(frame, Inflate)
		if err != nil {
			x.p.t.Error(err)
		}
		m, err := near.Cut(loose)
		if err != nil {
			x.p.t.Error(err)
		}
		x.p.say(func() {
			x.l.bytes += len(frame)
			if x.step(); !x.ended {
				x.c.Heard(m)
			}
		})
	}
}

// step uses up fuel, and breaks the line without any.
func (x *line) step() {
	if x.fuel == 0 || x.ended {
		return
	}
	if x.fuel--; x.fuel == 0 {
		x.cut()
	}
}

// cut breaks the line.
func (x *line) cut() {
	if !x.ended {
		x.Close()
		x.p.say(func() { x.c.Down(errors.New("it broke")) })
	}
}

func (x *line) Send(frame []byte) {
	if x.ended {
		return
	}
	if err := x.v.Hear(slices.Clone(frame)); err != nil {
		x.p.t.Error(err)
	}
	x.step()
}

func (x *line) Close() {
	x.ended = true
	x.end()
	if x.v != nil {
		x.v.Leave()
	}
}

// kill ends the server, start starts one anew.
func (l *lines) kill() {
	was := l.reading
	l.reading = nil
	was.Close()
}

func (p *page) list() {
	l, err := p.logs.Logdir().List(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	p.e.Listed(l)
}

// run handles what comes until done; it fails after what would be an hour.
func (p *page) run(what string, done func() bool) {
	p.t.Helper()
	over := time.After(time.Hour)
	pulse := time.NewTicker(10 * time.Second)
	defer pulse.Stop()
	for !done() {
		select {
		case f := <-p.inbox:
			f()
		case <-pulse.C:
			p.e.Pulse()
		case <-over:
			s := p.e.Status()
			p.t.Fatalf("%s: it never came; phase %s, %s, %+v", what, s.Phase, s.Error, s.Lost)
		}
	}
}

func (p *page) exact() bool { return p.e.Status().Phase == wire.Exact }

// answers asks and returns all answers, each with its parts in an order of their own.
func (p *page) answers(q wire.Query) []string {
	p.t.Helper()
	var out []string
	over := false
	text := func(m wire.Envelope) string { return fmt.Sprintf("%s %v %x", m.Head, m.Words, m.Bytes) }
	if q.Every {
		s := p.e.EveryOf(q)
		var got func(engine.Piece)
		got = func(c engine.Piece) {
			out = append(out, fmt.Sprint(text(c.Envelope), c.More, c.Broken, c.Err))
			if over = c.Broken || !c.More; !over {
				s.Next(got)
			}
		}
		s.Next(got)
	} else {
		p.e.Ask(q, func(r engine.Reply) {
			var parts []string
			for _, m := range r.Parts {
				parts = append(parts, text(m))
			}
			slices.Sort(parts)
			out = append(out, fmt.Sprint(strings.Join(parts, "\n"), r.More, r.Err))
			over = !r.More
		})
	}
	p.run("an answer to "+fmt.Sprint(q), func() bool { return over })
	return out
}

// facts is what the page knows of the logdir.
func (p *page) facts() string {
	s := p.e.Status()
	s.Rate = 0
	var b strings.Builder
	fmt.Fprintf(&b, "%+v\n", s)
	for _, r := range p.e.Runs() {
		fmt.Fprintf(&b, "%+v\n", r)
	}
	tags := p.e.Tags("")
	for _, run := range slices.Sorted(maps.Keys(tags)) {
		for _, tag := range slices.Sorted(maps.Keys(tags[run])) {
			fmt.Fprintf(&b, "%s %s %+v\n", run, tag, tags[run][tag])
		}
	}
	return b.String()
}

type (
	reply = engine.Reply
	piece = engine.Piece
)
