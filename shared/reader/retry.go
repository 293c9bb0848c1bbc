package reader

import (
	"errors"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Trying again
//
// What did not come is asked for again after a pause that doubles each time, first in
// the company of other files, then alone and in smaller windows. Other files are read
// meanwhile. After maxTries it is given up and shown as a loss, until the next look,
// which tries again. An origin that does not answer at all is waited for for ever:
// as long as nothing else is answered either, no file is to blame.
const (
	maxTries   = 5
	firstPause = 250 * time.Millisecond
	longPause  = 15 * time.Second
	// aloneFrom is the try from which on a file is asked for alone.
	aloneFrom = 2
)

// trouble handles a file that could not be read.
func (p *Plan) trouble(x *File, err error) {
	p.void(x)
	t := troubleOf(err)
	now := p.Now()
	if x.tries == 0 {
		x.since = now
	}
	x.tries++
	pause := p.pause(x.tries)
	if t.Trouble == source.Silent || t.Trouble == source.Busy {
		p.ill = err.Error()
	}
	if (t.Trouble == source.Changed || t.Trouble == source.Gone) && p.Stale != nil && !x.stale {
		x.stale = true // once: a listing that says the same again is no help
		p.Stale()
	}
	if t.Trouble == source.Silent {
		// One that breaks connections off for this file alone costs the others a
		// moment; one that is away is not asked all the time.
		p.silent++
		p.hold = max(p.hold, now+p.pause(min(p.silent, maxTries)))
	}
	if x.tries > maxTries && (t.Trouble != source.Silent || p.good > x.since) {
		p.giveUp(x, t)
		return
	}
	p.later(x, max(pause, min(t.After, time.Minute)))
}

// later has x asked for again after a pause.
func (p *Plan) later(x *File, pause time.Duration) {
	p.drop(x)
	x.due = p.Now() + max(pause, 1)
	p.waiting = append(p.waiting, x)
}

// troubleOf gives every error a kind.
func troubleOf(err error) *source.Error {
	var e *source.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, source.ErrGone):
		return &source.Error{Trouble: source.Gone, Reason: err.Error()}
	case errors.Is(err, source.ErrAgain):
		return &source.Error{Trouble: source.Broken, Reason: err.Error()}
	}
	return &source.Error{Trouble: source.Refused, Reason: err.Error()}
}

// pause returns how long to wait before a try, give or take a quarter: what failed
// together need not be asked for together.
func (p *Plan) pause(tries int) time.Duration {
	d := min(longPause, firstPause<<(min(tries, 16)-1))
	return time.Duration(float64(d) * (0.75 + p.Chance()/2))
}

// drop takes x out of the queues.
func (p *Plan) drop(x *File) {
	is := func(y *File) bool { return y == x }
	if x.queued {
		p.queue = slices.DeleteFunc(p.queue, is)
	}
	if x.due > 0 {
		p.waiting = slices.DeleteFunc(p.waiting, is)
	}
	x.queued, x.due = false, 0
}

// giveUp records that x could not be read.
func (p *Plan) giveUp(x *File, e *source.Error) {
	p.drop(x)
	p.forgive(x)
	x.failure = e.Reason
	remedy := e.Remedy
	if remedy == "" {
		remedy = "what was read before is shown; the page tries again by itself"
	}
	x.reader.File.EndPreview() // there will be nothing exact in its place
	x.reader.File.Fail(x.failure, remedy, max(0, x.reader.Size-x.reader.At()))
	p.Lost()
	p.Changed(x.run)
	if len(p.waiting) == 0 && len(p.queue) == 0 {
		p.ill = "" // it is told as a loss now
	}
}

// forgive takes a recorded failure back.
func (p *Plan) forgive(x *File) {
	if x.failure != "" {
		x.reader.File.Recover(x.failure)
		x.failure = ""
		p.Lost()
	}
}

// again has x tried again, as if nothing had gone wrong; not where it is being tried: its
// windows would be asked for, and used, a second time.
func (p *Plan) again(x *File) {
	if (x.due > 0 || x.failure != "") && x.pending == 0 {
		p.drop(x)
		x.tries = 0
		x.asked = x.reader.At()
	}
}

// trying reports whether x is being read, or will be without another look.
func (x *File) trying() bool { return x.queued || x.due > 0 || x.pending > 0 || x.asking }

// Retrying reports whether all that is being read had been given up before: what can be
// read has been, and the rest is told as a loss.
func (p *Plan) Retrying() bool {
	if len(p.peeks)+len(p.fresh)+p.peeking > 0 {
		return false
	}
	some := false
	for _, x := range p.files {
		switch {
		case x.Gone:
		case x.failure != "":
			some = true
		case x.trying():
			return false
		}
	}
	return some
}

// fine notes that a window of x has come.
func (p *Plan) fine(x *File) {
	x.tries = 0
	p.forgive(x)
}

// answered notes that something has come.
func (p *Plan) answered() {
	p.good, p.silent, p.hold, p.ill = p.Now(), 0, 0, ""
}

// wakeUp puts the files whose time has come back into the queue.
func (p *Plan) wakeUp() {
	now := p.Now()
	for i := 0; i < len(p.waiting); {
		x := p.waiting[i]
		if x.due > now {
			i++
			continue
		}
		p.waiting = slices.Delete(p.waiting, i, i+1)
		x.due = 0
		p.enqueue(x)
	}
}

// Due returns when Next may have something, if nothing else happens; false if there
// is nothing to wait for.
func (p *Plan) Due() (at time.Duration, ok bool) {
	if len(p.queue) > 0 || len(p.peeks) > 0 {
		return p.hold, true
	}
	for _, x := range p.waiting {
		if t := max(x.due, p.hold); !ok || t < at {
			at, ok = t, true
		}
	}
	return at, ok
}

// Problem says why reading does not go on for now; "" when it does.
func (p *Plan) Problem() string {
	if len(p.waiting) == 0 {
		return ""
	}
	return p.ill
}
