package widget

import "time"

// Pacer runs work that is asked for again and again, at most once per least, and never so
// often that it would take more than a quarter of the page's time. It begins fast: the
// first asks after a rest are paced by how long ago the first of them was, so that what
// comes within a moment, as all of a small logdir does, is seen then, and a stream of news
// is at its pace after four or five runs.
type Pacer struct {
	least time.Duration
	do    func()
	cost  func() float64 // ms that the last run cost in all, when it shows later
	timer *Timer
	start float64 // ms, of the last run
	first float64 // ms, of the first ask since a rest …
	last  float64 // … and of the last one
	spent float64 // ms, of the last run itself
}

// NewPacer makes a pacer for do. cost may be nil; else it returns what the last
// run has cost besides its own time, in milliseconds.
func NewPacer(least time.Duration, do func(), cost func() float64) *Pacer {
	p := &Pacer{least: least, do: do, cost: cost, start: -1e9, last: -1e9}
	p.timer = NewTimer(p.run)
	return p
}

func (p *Pacer) run() {
	p.start = Now()
	p.do()
	p.spent = Now() - p.start
}

// Ask makes the work run soon: at once (but not inside this call) if it has not run for a while.
func (p *Pacer) Ask() {
	spent := p.spent
	if p.cost != nil {
		spent += p.cost()
	}
	now := Now()
	if now-p.last > pacerRest {
		p.first = now
	}
	p.last = now
	wait := max(min(float64(p.least.Milliseconds()), now-p.first), 4*spent) - (now - p.start)
	p.timer.Soon(time.Duration(max(0, wait)) * time.Millisecond)
}

// pacerRest is how long nothing is asked until it counts as a rest, in ms.
const pacerRest = 1000

// Hurry makes work that has been asked for run at once: nothing more will come.
func (p *Pacer) Hurry() {
	if p.timer.live {
		p.timer.Start(0)
	}
}

// Flush is Hurry for those who wait for an empty page to be filled: the work is done inside
// this call. Behind a timer other news come first.
func (p *Pacer) Flush() {
	if p.timer.live {
		p.timer.Stop()
		p.run()
	}
}
