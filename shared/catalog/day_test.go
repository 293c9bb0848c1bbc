package catalog

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// TestDay is a tab that is open for 24 hours: 17 280 looks, 5 s apart, at runs that all
// grow by 15 points each time, one of them by a damaged record too. What is held stays
// within what the budget allows from the first hours to the last.
func TestDay(t *testing.T) {
	const runs, tags, each, ticks = 100, 3, 5, 17_280
	const budget = 500_000
	c := New()
	readers := make([]Reader, runs)
	for i := range readers {
		readers[i].File = c.Run(fmt.Sprint("run", i)).AddFile("f")
	}
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	empty := heap()
	head := len(file(t, summary.Options{}, func(*summary.Buffer) {}))
	cap := int64(0)
	for tick := range int64(ticks) {
		b := file(t, summary.Options{}, func(w *summary.Buffer) {
			for i := range int64(each) {
				for k := range tags {
					step := tick*each + i
					if err := w.Scalar(fmt.Sprint("tag", k), float64(step*7919%1000), step, summary.WallSeconds(1e9+float64(step))); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
		broken := damage.BadPayload(b, 3)
		if tick > 0 {
			b, broken = b[head:], broken[head:]
		}
		for i := range readers {
			r := &readers[i]
			grown := b
			if int64(i) == tick%runs {
				grown = broken
			}
			r.Size += int64(len(grown))
			r.Take(grown, source.Range{Offset: r.At(), Length: int64(len(grown))})
		}
		// As a worker does it.
		if c.Weight() > budget+budget/8 {
			cap = c.Fit(budget, cap)
		}
		if tick%(ticks/8) != ticks/8-1 {
			continue
		}
		logged, kept, losses := int64(0), int64(0), 0
		for _, r := range c.Runs {
			n, k := r.Points()
			logged, kept = logged+n, kept+k
			losses += len(r.Files[0].Losses())
		}
		if want := (tick+1)*runs*tags*each - (tick + 1); logged != want {
			t.Fatalf("tick %d: %d points, not %d", tick, logged, want)
		}
		if kept > budget+budget/8 || kept < budget/4 && tick > ticks/2 {
			t.Errorf("tick %d: %d points are kept with a budget of %d", tick, kept, budget)
		}
		if losses != runs {
			t.Errorf("tick %d: %d losses are told, of one kind in each of %d files", tick, losses, runs)
		}
		// A thinned point takes 24 bytes, and what is allowed beyond the budget an
		// eighth; the rest is what series begin with.
		if got := heap() - empty; got > 32*budget {
			t.Errorf("tick %d: %d bytes are held for a budget of %d points", tick, got, budget)
		} else {
			t.Logf("tick %d: %d points, %d kept, %d bytes", tick, logged, kept, got)
		}
	}
	runtime.KeepAlive(c)
}
