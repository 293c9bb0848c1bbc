package widget

import "time"

// Pacer runs work that is asked for again and again, at most once per Least,
// and never so often that it would take more than a quarter of the page's time.
type Pacer struct {
	least time.Duration
	do    func()
	cost  func() float64 // ms that the last run cost in all, when it shows later
	timer *Timer
	start float64 // ms, of the last run
	spent float64 // ms, of the last run itself
}

// NewPacer makes a pacer for do. cost may be nil; else it returns what the last
// run has cost besides its own time, in milliseconds.
func NewPacer(least time.Duration, do func(), cost func() float64) *Pacer {
	p := &Pacer{least: least, do: do, cost: cost, start: -1e9}
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
	wait := max(float64(p.least.Milliseconds()), 4*spent) - (Now() - p.start)
	p.timer.Soon(time.Duration(max(0, wait)) * time.Millisecond)
}
