package near

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// OpAgain begins what a port says on a new line: its ID is how many OpFiles messages the one
// stands for that comes after OpOpen.
const OpAgain = "again"

// Line is a line that is being made, or is there.
type Line interface {
	// Send sends a frame; nothing happens if the line has ended.
	Send(frame []byte)
	// Close ends it. Nothing is heard of it any more.
	Close()
}

// Ends of lines that another try does not help.
var (
	// ErrAbsent: nothing at that address reads, or it cannot be reached from here.
	ErrAbsent = errors.New("the server does not read the files")
	// ErrVersion: what reads is of another version.
	ErrVersion = errors.New("the server is of another version than this page")
	// ErrRefused: who asks may not.
	ErrRefused = errors.New("the server asks who you are: open the link again that it printed when it was started")
)

// Caller hears of a line. Its methods are called on the goroutine of the port, and none of
// them from inside Dial.
type Caller interface {
	// Up is told that both sides have greeted; host is the name of the machine there.
	Up(host string)
	// Heard takes a message.
	Heard(wire.Envelope)
	// Down is told that the line has ended, or could not be made.
	Down(error)
}

// Host is what a port needs of the platform.
type Host interface {
	// Dial makes a line. c is told of it until it is down.
	Dial(c Caller) Line
	// After calls f on the port's goroutine after d.
	After(d time.Duration, f func())
	// Reads is told where the files are read.
	Reads(host string)
	// Without is told that the files must be read by somebody else, and why; the port is not
	// used any more.
	Without(why error)
}

// Worker is the worker as the page sees it: see package engine.
type Worker interface {
	Hear(wire.Envelope)
	Troubled(why string)
}

// Port is the page's way to a worker on another machine, an engine.Port. A line that breaks is
// made anew, and what the page has said that still counts is said again: which logdir, which
// files, what is on screen, the questions that have no answer. So nothing is lost, whether the
// line was away or the server was started anew. One goroutine owns it.
type Port struct {
	host   Host
	worker Worker
	line   Line
	call   *call
	up     bool
	ever   bool // a line was up once
	ended  bool
	tries  int
	pings  int // since something was heard

	open, look *wire.Envelope
	files      map[string]wire.File
	sent       int // OpFiles messages since the open
	asked      map[int]*asked
}

// asked is a question that is under way.
type asked struct {
	wire.Envelope
	every bool // it is answered piece by piece
	begun bool // … and some have come
}

// call is one line's Caller.
type call struct{ p *Port }

// NewPort begins to make the way to a worker.
func NewPort(h Host, w Worker) *Port {
	p := &Port{host: h, worker: w, files: map[string]wire.File{}, asked: map[int]*asked{}}
	p.dial()
	return p
}

func (p *Port) dial() {
	p.call = &call{p}
	p.line = p.host.Dial(p.call)
}

// Post implements engine.Port.
func (p *Port) Post(m wire.Envelope) {
	switch m.Op {
	case wire.OpOpen:
		p.open, p.look, p.sent = &m, nil, 0
		clear(p.files)
		clear(p.asked)
	case wire.OpFiles:
		p.sent++
		var list wire.Files
		if err := wire.Unpack(m.Body, &list); err != nil {
			panic("near: internal error: " + err.Error())
		}
		for _, f := range list {
			if f.Gone {
				delete(p.files, f.Path)
			} else {
				p.files[f.Path] = f
			}
		}
		p.sendFiles(list)
		return
	case wire.OpLook:
		p.look = &m
	case wire.OpQuery:
		var q wire.Query
		if err := wire.Unpack(m.Body, &q); err != nil {
			panic("near: internal error: " + err.Error())
		}
		p.asked[m.ID] = &asked{Envelope: m, every: q.Every}
	case wire.OpCancel:
		delete(p.asked, m.ID)
	case wire.OpPing:
		if p.up && p.pings >= maxPings {
			p.line.Close()
			p.call.Down(errSilent)
			return
		}
		p.pings++
	}
	p.send(m)
}

// maxPings is how many pings may have no answer. A line can be gone without a word, and a browser
// waits for it for many minutes. It is one less than after which package engine takes a worker for
// ended: the reader is not to blame, nor what it reads.
const maxPings = 5

var errSilent = errors.New("nothing has come over the line for long")

// partFiles is how many files a message tells of at most: of a million it would be longer than
// the other side takes.
const partFiles = 100_000

// sendFiles tells of files, in one message or several. That there are more of them than the page
// has sent does no harm: who has heard more has heard enough.
func (p *Port) sendFiles(list wire.Files) {
	for {
		part := list[:min(len(list), partFiles)]
		p.send(wire.Envelope{Op: wire.OpFiles, Body: wire.Pack(&part)})
		if list = list[len(part):]; len(list) == 0 {
			return
		}
	}
}

func (p *Port) send(m wire.Envelope) {
	if p.up {
		p.line.Send(Append(nil, &m))
	}
}

// End implements engine.Port.
func (p *Port) End() {
	p.ended, p.up = true, false
	p.line.Close()
}

// Up implements Caller.
func (c *call) Up(host string) {
	p := c.p
	if p.call != c || p.ended {
		return
	}
	first := !p.ever
	p.up, p.ever, p.tries, p.pings = true, true, 0, 0
	p.host.Reads(host)
	if first {
		p.worker.Hear(wire.Envelope{Op: wire.OpReady})
	}
	if p.open != nil {
		p.send(wire.Envelope{Op: OpAgain, ID: p.sent})
		p.send(*p.open)
		if p.sent > 0 {
			all := wire.Files(slices.SortedFunc(maps.Values(p.files), func(a, b wire.File) int { return cmp.Compare(a.Path, b.Path) }))
			p.sendFiles(all)
		}
		p.send(wire.Envelope{Op: wire.OpLooked})
	}
	if p.look != nil {
		p.send(*p.look)
	}
	for _, id := range slices.Sorted(maps.Keys(p.asked)) {
		p.send(p.asked[id].Envelope)
	}
	p.worker.Troubled("")
}

// Heard implements Caller.
func (c *call) Heard(m wire.Envelope) {
	p := c.p
	if p.call != c || p.ended {
		return
	}
	if p.pings = 0; m.Op == wire.OpReady {
		return
	}
	if a := p.asked[m.ID]; a != nil && m.Op == wire.OpAnswer {
		a.begun = true
		if !m.More && m.Part >= m.Of-1 {
			delete(p.asked, m.ID)
		}
	}
	p.worker.Hear(m)
}

// Down implements Caller.
func (c *call) Down(err error) {
	p := c.p
	if p.call != c || p.ended {
		return
	}
	p.up, p.call = false, nil
	if errors.Is(err, ErrVersion) || errors.Is(err, ErrAbsent) || !p.ever && !errors.Is(err, ErrRefused) {
		p.ended = true
		p.host.Without(err)
		return
	}
	why := "the line to the server that reads the files is broken: it is tried again"
	if errors.Is(err, ErrRefused) {
		why = err.Error()
	}
	p.worker.Troubled(why)
	// A piece that has been used can't be asked for again.
	for _, id := range slices.Sorted(maps.Keys(p.asked)) {
		if a := p.asked[id]; a != nil && a.every && a.begun {
			delete(p.asked, id)
			p.worker.Hear(wire.Envelope{Op: wire.OpAnswer, ID: id, Err: "the line to the server broke: ask again"})
		}
	}
	if p.ended {
		return
	}
	pause := retryMost
	if p.tries < 6 {
		pause = min(retryFirst<<p.tries, retryMost)
	}
	p.tries++
	p.host.After(pause, func() {
		if !p.ended && p.call == nil {
			p.dial()
		}
	})
}

// Pauses between tries to make the line anew.
const (
	retryFirst = 250 * time.Millisecond
	retryMost  = 5 * time.Second
)
