//go:build !js

package browsertest

import (
	"context"
	"os"
	"time"
)

// stepTime is how long one step of a test may take. It finds a hang and is no
// measure of anything: two cores with eight times as much to do as they can have taken
// half a minute for a step of a tenth of a second. PATIENCE in the environment is
// another one, for who expects hangs: see sabotage.
var stepTime = func() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("PATIENCE")); err == nil && d > 0 {
		return d
	}
	return 3 * time.Minute
}()

// slept is the most that may pass between two looks at the clock. What is beyond it the machine
// has slept, the page with it: a test whose machine stood still for half an hour in the middle
// of a step has waited for nothing.
const slept = 20 * time.Second

// patience is what is left of the time for a step.
type patience struct {
	left time.Duration
	last time.Time // it was looked at
}

// patient begins a step.
func patient() *patience { return &patience{stepTime, time.Now()} }

// over reports whether the step has taken too long. It must be asked again and again.
func (p *patience) over() bool { return p.pass(time.Now()) }

func (p *patience) pass(now time.Time) bool {
	p.left -= min(now.Sub(p.last), slept)
	p.last = now
	return p.left < 0
}

// step is a context that ends when a step has taken too long.
func step() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	p := patient()
	go func() {
		look := time.NewTicker(min(slept/20, stepTime/20))
		defer look.Stop()
		for !p.over() {
			select {
			case <-look.C:
			case <-ctx.Done():
				return
			}
		}
		cancel(context.DeadlineExceeded)
	}()
	return ctx, func() { cancel(nil) }
}
