package worker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// host is the platform of a worker that one goroutine runs.
type host struct {
	*Worker
	src   source.Logdir
	post  func(wire.Envelope)
	yield func()
}

func (h *host) Post(e wire.Envelope)            { h.post(e) }
func (h *host) Yield()                          { h.yield() }
func (h *host) Source(*wire.Open) source.Logdir { return h.src }
func (h *host) Cache(*Session) Cache            { return nil }
func (h *host) Collect(int)                     {}
func (h *host) Rest()                           {}

// runs is a logdir of n runs with four series of different lengths each.
func runs(t *testing.T, n int) source.Mem {
	m := source.Mem{}
	for i := range n {
		w := summary.NewBuffer(summary.Options{})
		for step := range int64(3000 + 10*i) {
			for k, every := range []int64{1, 2, 7, 60} {
				if step%every == 0 {
					if err := w.Scalar(fmt.Sprint("tag", k), float64(step*7919%(97+int64(k))), step); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		m[fmt.Sprintf("run%02d/tfevents", i)] = w.Bytes()
	}
	return m
}

// TestBudget: however the runs come, memory is bounded, all series are kept to one cap, what
// the page is told is true, and questions are answered while runs are thinned.
func TestBudget(t *testing.T) {
	const n, budget = 40, 60_000
	logs := runs(t, n)
	q := scalars.Curves{Tag: "tag0", Runs: []string{"run00"}, X: wire.ByStep}.Query()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 5))
		ctx, end := context.WithCancel(t.Context())
		h := &host{src: logs.Logdir()}
		var last wire.Progress
		asked, early, answered, turns := false, false, false, 0
		thinning, read := false, int64(0)
		h.post = func(e wire.Envelope) {
			switch e.Op {
			case wire.OpProgress:
				last = wire.Progress{}
				unpack(e, &last)
				if !last.Busy && last.Heard > 0 {
					end()
				}
			case wire.OpAnswer:
				answered = true
				early = early || len(h.room.late) > 0
				if e.Err != "" {
					t.Error(e.Err)
				}
			}
		}
		h.yield = func() {
			if h.room.turn = 0; len(h.room.late) > 0 {
				turns++
			}
			if len(h.room.late) > 20 && !asked {
				asked = true
				h.Hear(wire.Envelope{Op: wire.OpQuery, ID: 1, Body: wire.Pack(&q)})
			}
			// Reading waits for the thinning, or memory would have no bound.
			if thinning && len(h.room.late) > 0 && h.plan.Bytes != read {
				t.Errorf("seed %d: %d bytes were read while %d runs had to be thinned", seed, h.plan.Bytes-read, len(h.room.late))
			}
			thinning, read = len(h.room.late) > 0, h.plan.Bytes
		}
		h.Worker = New(h)
		h.Hear(wire.Envelope{Op: wire.OpOpen, Body: wire.Pack(&wire.Open{Gen: 1, Kind: "mem", Budget: budget, PreviewFrom: 1 << 30})})
		list, err := h.src.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r.Shuffle(n, func(i, j int) { list.Files[i], list.Files[j] = list.Files[j], list.Files[i] })
		for _, f := range list.Files {
			h.Hear(wire.Envelope{Op: wire.OpFiles, Body: wire.Pack(&wire.Files{{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version}})})
		}
		h.Run(ctx)

		if w := h.cat.Weight(); w > budget+budget/8 || w < budget/3 || w != h.room.sum.weight {
			t.Errorf("seed %d: the weight is %d of %d, and taken for %d", seed, w, budget, h.room.sum.weight)
		}
		if turns < n || !asked || !answered || !early {
			t.Errorf("seed %d: %d turns; a question was asked: %v, answered: %v, before the last: %v", seed, turns, asked, answered, early)
		}
		logged, kept := int64(0), int64(0)
		for name, run := range h.cat.Runs {
			a, b := run.Points()
			logged, kept = logged+a, kept+b
			run.ThinTo(h.room.cap, nil)
			if _, again := run.Points(); again != b {
				t.Errorf("seed %d: %s kept %d points, by the cap of all %d stay", seed, name, b, again)
			}
		}
		if last.Points != logged || last.Kept != kept || logged <= kept {
			t.Errorf("seed %d: told of %d points, %d kept; there are %d and %d", seed, last.Points, last.Kept, logged, kept)
		}
	}
}

// TestMost: a bound for each series holds for what comes later, too, and beside a budget that
// has room for more.
func TestMost(t *testing.T) {
	c := catalog.New()
	r := newRoom(c, 1<<30, 500)
	w := summary.NewBuffer(summary.Options{})
	f := c.Run("r").AddFile("r/tfevents")
	for i := range int64(40_000) {
		if err := w.Scalar("loss", float64(i%97), i); err != nil {
			t.Fatal(err)
		}
		if i%2000 == 1999 {
			f.Feed(w.Bytes()[f.Offset:], true)
			r.changed["r"] = true
			r.weigh()
			// What has been added since the last full chunk is not thinned.
			if kept := r.sum.kept; kept > 500+series.ChunkPoints || r.sum.weight != c.Weight() {
				t.Fatalf("%d points of %d are kept", kept, i+1)
			}
		}
	}
	if r.cap != 0 || len(r.late) > 0 || r.sum.logged != 40_000 {
		t.Errorf("cap %d, %d late, %d points", r.cap, len(r.late), r.sum.logged)
	}
}
