package worker

import (
	"testing"
	"time"
)

// TestTurns: the cache waits for the first question, once and not for long; from then on
// questions come first for some times as long as the cache took, and nobody waits for none.
func TestTurns(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		what         string
		after        func(*turns)
		at           time.Duration
		cache, waits bool
	}{
		{"no sketches", func(t *turns) {}, 0, true, false},
		{"a sketch was used", func(t *turns) { t.used(0, 5*ms) }, 6 * ms, true, false},
		{"all are shown", func(t *turns) { t.used(0, 5*ms); t.look(true, 5*ms) }, 6 * ms, false, true},
		{"they are, still", func(t *turns) { t.look(true, 0); t.look(true, 200*ms) }, 251 * ms, true, false},
		{"a first question", func(t *turns) { t.look(true, 0); t.answered(100 * ms) }, 101 * ms, false, false},
		{"others came with it", func(t *turns) { t.look(true, 0); t.answered(100 * ms); t.answered(300 * ms) }, 351 * ms, true, false},
		{"the cache's turn", func(t *turns) { t.look(true, 0); t.used(250*ms, 260*ms) }, 299 * ms, false, false},
		{"the questions' share", func(t *turns) { t.look(true, 0); t.used(250*ms, 260*ms); t.answered(280 * ms) }, 300 * ms, true, false},
		{"all is there", func(t *turns) { t.look(true, 0); t.look(false, 10*ms) }, 11 * ms, true, false},
		{"another logdir", func(t *turns) {
			t.look(true, 0)
			t.used(250*ms, 260*ms)
			t.look(false, 270*ms)
			t.look(true, 1000*ms)
		}, 1100 * ms, false, true},
	} {
		var s turns
		c.after(&s)
		if cache, waits := s.cache(c.at), s.waits(c.at); cache != c.cache || waits != c.waits {
			t.Errorf("%s: the cache comes first: %v, and waits: %v; want %v and %v", c.what, cache, waits, c.cache, c.waits)
		}
	}
}
