package files

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// soonAfter is how long a listing may take before what has been found so far is given to
// who asks for it. A local logdir is listed by then.
const soonAfter = 250 * time.Millisecond

// early is what the first walk of a logdir has found so far: on a network file system
// 100,000 files can take a minute, and what is there can be read meanwhile.
type early struct {
	mu    sync.Mutex
	found []entry
	given atomic.Pointer[snapshot] // the last one that was given out
}

// add takes the files among names of which size and time are known.
func (e *early) add(names []name) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range names {
		if names[i].listed {
			e.found = append(e.found, names[i].entry)
		}
	}
}

// end forgets what was found by a walk that has ended.
func (e *early) end() {
	e.mu.Lock()
	e.found = nil
	e.mu.Unlock()
	e.given.Store(nil)
}

// soon is snapshot, but where that takes long, and it is the first, it returns what has
// been found so far.
func (s *Store) soon(ctx context.Context) (*snapshot, error) {
	if s.last.Load() != nil {
		return s.snapshot(ctx)
	}
	type outcome struct {
		snap *snapshot
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		snap, err := s.snapshot(ctx)
		done <- outcome{snap, err}
	}()
	timer := time.NewTicker(soonAfter)
	defer timer.Stop()
	for {
		select {
		case o := <-done:
			return o.snap, o.err
		case <-timer.C:
			if part := s.part(); part != nil {
				return part, nil
			}
		}
	}
}

// part makes a partial listing of what has been found so far; nil if that is nothing.
func (s *Store) part() *snapshot {
	e := &s.early
	e.mu.Lock()
	found := slices.Clone(e.found)
	e.mu.Unlock()
	if len(found) == 0 || s.last.Load() != nil {
		return nil
	}
	slices.SortFunc(found, func(a, b entry) int { return strings.Compare(a.Path, b.Path) })
	found = slices.CompactFunc(found, func(a, b entry) bool { return a.Path == b.Path })
	part := s.partialSnapshot(found)
	e.given.Store(part)
	return part
}
