package inspect

import (
	"slices"
	"sort"
)

// Steps sums up a sequence of steps in bounded memory.
type Steps struct {
	Count int64 // of the sequence
	First int64
	Last  int64
	Min   int64
	Max   int64
	// Back are the places where a step is lower than the one before it: the first
	// MaxBack of them, and BackCount says how many there are.
	Back      []Pair
	BackCount int64

	set *set // nil where different steps are not counted
}

// Pair is two neighbouring steps of which the second is lower.
type Pair struct{ Before, After int64 }

// MaxBack is how many places where steps go back are kept of a sequence.
const MaxBack = 100

// add appends a step to the sequence.
func (s *Steps) add(step int64) {
	if s.Count == 0 {
		s.First, s.Min, s.Max = step, step, step
	} else if step < s.Last {
		if s.BackCount++; len(s.Back) < MaxBack {
			s.Back = append(s.Back, Pair{s.Last, step})
		}
	}
	if s.set != nil && (s.Count == 0 || step != s.Last) {
		s.set.add(step)
	}
	s.Count++
	s.Last, s.Min, s.Max = step, min(s.Min, step), max(s.Max, step)
}

// Different returns how many different steps there are, where they are counted. exact
// is false if they were too many to tell them all apart; n is then a lower bound.
func (s *Steps) Different() (n int64, exact bool) {
	if s.set == nil {
		return 0, false
	}
	return s.set.n, !s.set.full
}

// set counts different steps. Steps that grow evenly, as nearly all do, cost nothing,
// wherever a job begins again; others stand in blocks of bits.
type set struct {
	n      int64
	ways   []way // by first, none inside another's reach
	blocks map[int64]*[blockSteps / 64]uint64
	full   bool
}

// way is the steps first, first+by, … last; by is 0 while there is one.
type way struct{ first, by, last int64 }

const (
	blockSteps = 4096
	// maxWays and maxBlocks bound a set to some 24 and 34 MB.
	maxWays   = 1 << 20
	maxBlocks = 1 << 16
)

func (w *way) holds(step int64) bool {
	return step >= w.first && step <= w.last && (step == w.first || w.by > 0 && uint64(step-w.first)%uint64(w.by) == 0)
}

func (s *set) add(step int64) {
	n := len(s.ways)
	if n == 0 || step > s.ways[n-1].last {
		s.n++
		if n > 0 {
			w := &s.ways[n-1]
			// The difference of two int64s may not be one; by is then not positive.
			switch by := step - w.last; {
			case by <= 0:
			case w.by == 0:
				w.by, w.last = by, step
				return
			case w.by == by:
				w.last = step
				return
			}
		}
		if n < maxWays {
			s.ways = append(s.ways, way{step, 0, step})
			return
		}
		s.n--
	} else if i := sort.Search(n, func(i int) bool { return s.ways[i].last >= step }); s.ways[i].holds(step) {
		return
	}
	key := step &^ (blockSteps - 1)
	b := s.blocks[key]
	if b == nil {
		if len(s.blocks) == maxBlocks {
			s.full = true
			return
		}
		if s.blocks == nil {
			s.blocks = map[int64]*[blockSteps / 64]uint64{}
		}
		b = new([blockSteps / 64]uint64)
		s.blocks[key] = b
	}
	at := step - key
	if bit := uint64(1) << (at % 64); b[at/64]&bit == 0 {
		b[at/64] |= bit
		s.n++
	}
}

// Session is one message about the job.
type Session struct {
	Step int64
	Wall float64 // seconds since 1970
}

// sortedKeys returns a map's keys in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
