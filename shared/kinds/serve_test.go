//go:build !js

package kinds

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds/kindstest"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

var plans = flag.Int("plans", 150, "damaged logs that TestServe asks about")

// world asks about a catalog by the code that workers run.
type world struct {
	t     *testing.T
	s     *answer.Scheduler
	wake  chan struct{}
	asked string // what is asked, for messages
	got   int    // answers
	more  bool
	all   hash.Hash // of all that was answered
	hurry bool      // each turn is over as soon as it has begun
	late  time.Duration
	turns int
}

func (w *world) Listed(string) int64                   { return 0 }
func (w *world) Fits(source.Range, source.Result) bool { return true }
func (w *world) Proof(string) []reader.Sample          { return nil }
func (w *world) take(r answer.Reply) {
	w.got, w.more = w.got+1, r.More
	fmt.Fprintf(w.all, "%s %v %x %v\n", r.Head, r.Words, r.Bytes, r.More)
	var wrong *wire.QueryError
	if r.Err != nil && !errors.As(r.Err, &wrong) {
		w.t.Errorf("%s: %v", w.asked, r.Err)
	}
	if !json.Valid(r.Head) || r.Head[0] != '[' && string(r.Head) != "null" {
		w.t.Errorf("%s: the answer is %.200s", w.asked, r.Head)
	}
}

func newWorld(t *testing.T, m source.Mem) (*world, *catalog.Catalog) {
	t.Helper()
	c := catalog.New()
	if _, err := c.Load(t.Context(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, wake: make(chan struct{}, 1), all: sha256.New()}
	began := time.Now()
	w.s = &answer.Scheduler{Options: answer.Options{Context: t.Context(), Answers: answer.New(Asked(), answer.World{Catalog: c}), Dir: m.Logdir(), Files: w,
		Now: func() time.Duration {
			if w.hurry {
				w.late += time.Second
			}
			return time.Since(began) + w.late
		}, Send: w.take,
		Wake: func() {
			select {
			case w.wake <- struct{}{}:
			default:
			}
		}}}
	return w, c
}

// ask asks and takes all answers.
func (w *world) ask(name string, q wire.Query) {
	w.t.Helper()
	w.asked, w.got = name+": "+string(must(json.Marshal(q))), 0
	for w.s.Ask(1, q); w.s.Len() > 0; {
		switch w.s.Step(func() bool { return true }) {
		case answer.Computed:
			w.turns++
			continue
		case answer.Answered:
			continue
		}
		if w.got > 0 && w.more && q.Every {
			w.more = false
			w.s.More(1)
			continue
		}
		select {
		case <-w.wake:
		case <-time.After(time.Minute):
			w.t.Fatalf("%s: no answer", w.asked)
		}
	}
	if w.got == 0 {
		w.t.Errorf("%s: no answer", w.asked)
	}
}

func must(b []byte, _ error) []byte { return b }

// everything asks each kind about each tag; alien says whether also about those of others.
func (w *world) everything(name string, c *catalog.Catalog, alien bool) (n int) {
	runs := slices.Sorted(maps.Keys(c.Runs))
	for _, k := range Asked() {
		for _, body := range append([]any{nil}, kindstest.Bodies[k.Name()]...) {
			var text json.RawMessage
			if body != nil {
				text = must(json.Marshal(body))
			}
			seen := map[string]bool{}
			for _, run := range runs {
				c.Runs[run].Tags(func(t *catalog.Tag, info wire.Tag) {
					if mine := slices.Contains(k.Plugins(), info.Plugin); !mine && !alien || seen[t.Shown+"\n"+run] {
						return
					}
					seen[t.Shown+"\n"+run] = true
					w.ask(name, wire.Query{Kind: k.Name(), Runs: []string{run}, Tags: []string{t.Shown}, Body: text})
					w.ask(name, wire.Query{Kind: k.Name(), Runs: []string{run}, Tags: []string{t.Shown}, Body: text, Every: true})
					if n++; !seen[t.Shown] {
						seen[t.Shown] = true
						w.ask(name, wire.Query{Kind: k.Name(), Runs: append(runs, "no such run"), Tags: []string{t.Shown}, Body: text})
					}
				})
			}
		}
	}
	return n
}

// TestServe: whatever a log holds, every question about it has an answer that can be sent.
func TestServe(t *testing.T) {
	all := kindstest.Logdirs(t, os.DirFS("../dump/testdata"))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w, c := newWorld(t, all[name])
		if n := w.everything(name, c, true); n < 9 {
			t.Errorf("%s: only %d questions", name, n)
		}
		// The same in as many turns as it can take.
		slow, c := newWorld(t, all[name])
		slow.hurry = true
		slow.everything(name, c, true)
		if got, want := slow.all.Sum(nil), w.all.Sum(nil); !bytes.Equal(got, want) || slow.turns < 20 || w.turns > slow.turns/2 {
			t.Errorf("%s: answers are others when they are made in turns (%d and %d)", name, slow.turns, w.turns)
		}
	}
	// The smaller ones, damaged.
	for seed := range uint64(*plans) {
		r := rand.New(rand.NewPCG(seed, 25))
		name := []string{"odd", "odd", "tensorflow", "pytorch"}[r.IntN(4)]
		m := maps.Clone(all[name])
		paths := slices.Sorted(maps.Keys(m))
		p := paths[r.IntN(len(paths))]
		for range 1 + r.IntN(4) {
			m[p] = broken(r, m[p])
		}
		w, c := newWorld(t, m)
		w.everything(name, c, false)
		if t.Failed() {
			t.Fatalf("with -plans, seed %d: %s of %s is damaged", seed, p, name)
		}
	}
}

// broken is a file with one more damage, or one more lie in a record whose checksums are right.
func broken(r *rand.Rand, b []byte) []byte {
	if len(b) < 64 {
		return b
	}
	switch r.IntN(8) {
	case 0:
		return damage.Tear(b, r.IntN(len(b)))
	case 1:
		return damage.Flip(b, r.IntN(len(b)), uint(r.IntN(8)))
	case 2:
		n := 1 + r.IntN(40)
		return damage.Cut(b, r.IntN(len(b)-n), n)
	}
	var payloads [][]byte
	for rest := b; len(rest) > 0; {
		payload, size, status := tfrecord.Cut(rest)
		if status != tfrecord.OK {
			break
		}
		payloads, rest = append(payloads, payload), rest[size:]
	}
	if len(payloads) == 0 {
		return b
	}
	i := r.IntN(len(payloads))
	lie := bytes.Clone(payloads[i])
	for range 1 + r.IntN(6) {
		if len(lie) > 0 {
			lie[r.IntN(len(lie))] = []byte{0, 0xff, 0x7f, 0x80, byte(r.IntN(256))}[r.IntN(5)]
		}
	}
	payloads[i] = lie
	var out []byte
	for _, p := range payloads {
		out = tfrecord.Append(out, p)
	}
	return out
}
