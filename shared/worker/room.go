package worker

import (
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
)

// Room keeps the points of a worker within its budget, so that nobody waits for it.
//
// What is kept is weighed run by run, and again only where something has changed: with
// 10,000 runs, to weigh all of them after each window took more time than to read it. When
// the weight is over the budget, a cap that all series together would keep to is found once.
// A run that is read later is thinned to it as it comes. Those that were read before are
// thinned in turns, between which questions are answered. Reading waits for the last of them,
// so memory stays bounded: thinning 10,000 runs in one go held the worker for 10 s and more.
//
// Which points stay follows from the cap and from what the files hold: see catalog/budget.go.
type room struct {
	*catalog.Catalog
	budget int64 // in points, see catalog.Weight; 0 = no bound
	most   int64 // of one series, whatever the budget; 0 = no bound
	cap    int64 // of one series, by the budget; 0 = none so far
	tried  int64 // the weight for which no lower cap was found

	runs    map[string]weighed
	changed map[string]bool // since they were weighed
	sum     weighed
	late    []string // runs that are still to be thinned
	turn    time.Duration
}

// weighed is what is kept of a run, in points.
type weighed struct {
	weight       int64 // see catalog.Run.Weight
	logged, kept int64 // see catalog.Run.Points
}

func (a *weighed) add(b weighed) {
	a.weight, a.logged, a.kept = a.weight+b.weight, a.logged+b.logged, a.kept+b.kept
}

func newRoom(c *catalog.Catalog, budget, most int64) room {
	if most > 0 {
		most = max(most, catalog.MinCap)
	}
	return room{Catalog: c, budget: budget, most: most, runs: map[string]weighed{}, changed: map[string]bool{}, turn: thinTurn}
}

// series is how many points a series may keep; 0 = any number.
func (r *room) series() int64 {
	if r.most > 0 && (r.cap == 0 || r.most < r.cap) {
		return r.most
	}
	return r.cap
}

// weigh takes in what has changed: it thins it, and weighs it.
func (r *room) weigh() {
	for name := range r.changed {
		run := r.Runs[name]
		if run == nil {
			continue
		}
		if most := r.series(); most > 0 {
			run.ThinTo(most, nil)
		}
		r.put(name, run)
	}
	clear(r.changed)
	if over := r.budget + r.budget/8; r.budget == 0 || r.sum.weight <= max(over, r.tried) || len(r.late) > 0 {
		return
	}
	most := r.Cap(r.budget, r.cap)
	if most == r.cap {
		// So many series that fewer points would be no curves, or more points stay than was
		// estimated: it is tried again when there is notably more.
		r.tried = r.sum.weight + r.budget/16
		return
	}
	r.cap, r.tried = most, 0
	for name := range r.Runs {
		r.late = append(r.late, name)
	}
}

// put notes what is kept of a run.
func (r *room) put(name string, run *catalog.Run) {
	was, now := r.runs[name], weighed{weight: run.Weight()}
	now.logged, now.kept = run.Points()
	r.runs[name] = now
	r.sum.add(weighed{now.weight - was.weight, now.logged - was.logged, now.kept - was.kept})
}

// thinTurn is how long runs are thinned in one turn.
const thinTurn = 12 * time.Millisecond

// thin thins late runs for a turn, and says which have changed.
func (r *room) thin(now func() time.Duration, changed func(run string)) {
	end := now() + r.turn
	over := func() bool { return now() > end }
	for more := true; more; more = len(r.late) > 0 && !over() {
		name := r.late[len(r.late)-1]
		run := r.Runs[name]
		if !run.ThinTo(r.series(), over) {
			return
		}
		r.late = r.late[:len(r.late)-1]
		was := r.runs[name].kept
		r.put(name, run)
		if r.runs[name].kept != was {
			changed(name)
		}
	}
	if len(r.late) == 0 {
		r.late = nil
		r.weigh()
	}
}
