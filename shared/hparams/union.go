package hparams

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Union adds to e what other says and e does not: hyperparameters by name, metrics by
// group and tag, in the order in which they are met; of what both describe, values that
// only the other knows.
func (e *Experiment) Union(other Experiment) {
	e.Name, e.Description, e.User = cmp.Or(e.Name, other.Name), cmp.Or(e.Description, other.Description), cmp.Or(e.User, other.User)
	e.Created = cmp.Or(e.Created, other.Created)
	at := make(map[string]int, len(e.Params))
	for i, p := range e.Params {
		at[p.Name] = i
	}
	for _, p := range other.Params {
		i, ok := at[p.Name]
		if !ok {
			at[p.Name] = len(e.Params)
			e.Params = append(e.Params, p)
			continue
		}
		mine := &e.Params[i]
		mine.Title, mine.Description = cmp.Or(mine.Title, p.Title), cmp.Or(mine.Description, p.Description)
		mine.Differs = mine.Differs || p.Differs
		if mine.Discrete != nil && p.Discrete != nil {
			mine.Discrete = slices.Clip(mine.Discrete)
			for _, v := range p.Discrete {
				if !slices.Contains(mine.Discrete, v) {
					mine.Discrete = append(mine.Discrete, v)
				}
			}
		}
		if mine.Interval != nil && p.Interval != nil {
			mine.Interval = &Interval{min(mine.Interval[0], p.Interval[0]), max(mine.Interval[1], p.Interval[1])}
		}
		if mine.Type != p.Type {
			mine.Type = 1 // as text both can be written
		}
	}
	known := make(map[[2]string]bool, len(e.Metrics))
	for _, m := range e.Metrics {
		known[[2]string{m.Group, m.Tag}] = true
	}
	for _, m := range other.Metrics {
		if key := [2]string{m.Group, m.Tag}; !known[key] {
			known[key] = true
			e.Metrics = append(e.Metrics, m)
		}
	}
}

// RunOf returns the run that holds a metric's scalars: group below the session's run.
func RunOf(session, group string) string {
	return path.Join(session, group)
}

// Owner returns the run whose session a run belongs to: itself, or the nearest directory
// above it that is one; ok is false if there is none. has says which runs are sessions.
// The logdir itself, ".", is above all others.
func Owner(run string, has func(run string) bool) (owner string, ok bool) {
	for {
		if has(run) {
			return run, true
		}
		if run == "." {
			return "", false
		}
		if i := strings.LastIndexByte(run, '/'); i >= 0 {
			run = run[:i]
		} else {
			run = "."
		}
	}
}

// GroupOf returns a run's path below the run of its session, "" for that itself.
func GroupOf(owner, run string) string {
	switch {
	case owner == run:
		return ""
	case owner == ".":
		return run
	}
	return run[len(owner)+1:]
}
