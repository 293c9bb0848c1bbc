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
	"image"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

var plans = flag.Int("plans", 150, "damaged logs that TestServe asks about")

// odd is a logdir with all kinds of data, whose numbers are those that are hard to write.
func odd(t *testing.T) source.Mem {
	t.Helper()
	inf, nan := math.Inf(1), math.NaN()
	w := summary.NewBuffer(summary.Options{})
	check := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	for i, x := range []float64{0, inf, -inf, nan, 1e308, -1e308, 5e-324, 1} {
		check(w.Scalar("loss", x, int64(i)))
		check(w.Scalar("läuft <b>", -x, math.MaxInt64-int64(i), summary.WallTime(time.Unix(1<<40, 0))))
		check(w.HistogramRaw("h", summary.HistogramBuckets{{-1e308, 1e308, 1e308}, {0, 1e-320, 2}}, int64(i)))
		check(w.HistogramRaw("wide", summary.HistogramBuckets{{-inf, 0, 1}, {0, inf, nan}, {nan, nan, inf}}, int64(i)))
		check(w.HistogramRaw("none", nil, int64(i)))
		check(w.PRCurveRaw("pr", summary.PRCounts{TruePositives: []float64{x, 1}, FalsePositives: []float64{1, x}, TrueNegatives: []float64{0, nan}, FalseNegatives: []float64{inf, 1}, Precision: []float64{nan, x}, Recall: []float64{x, 0}}, int64(i)))
		check(w.Text("note", "bad \xff bytes\x00 <script>", int64(i)))
	}
	check(w.TextTensor("table", []int64{2, 2}, []string{"a", "", "\u2028", strings.Repeat("x", 1000)}, 1))
	check(w.Image("image", image.NewGray(image.Rect(0, 0, 3, 2)), 1))
	check(w.EncodedImages("odd image", []summary.EncodedImage{{Bytes: []byte("no picture"), Width: 1, Height: 1}}, 1))
	check(w.AudioClips("clip", []summary.Clip{{Encoded: []byte("no sound"), Label: "\xff"}}, 1))
	check(w.HParamsExperiment(summary.Experiment{HParams: []summary.HParamInfo{
		{Name: "lr", Type: summary.HParamNumber, Interval: &[2]float64{0, inf}},
		{Name: "any", Type: summary.HParamNumber, Interval: &[2]float64{-inf, nan}},
		{Name: "some", Values: []any{inf, -inf, nan, true, "x"}},
	}}))
	check(w.HParamsStart(summary.Session{HParams: map[string]any{"lr": inf, "any": nan, "x": "<&>"}, Start: time.Unix(1, 0)}))
	check(w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "c", Charts: []summary.Chart{{Title: "\xff", Lines: []string{"lo.*", "("}}}}}}))
	return source.Mem{"tfevents": w.Bytes(), "a/b/tfevents": w.Bytes()}
}

// logdirs are those that are asked about: odd, and what real writers wrote.
func logdirs(t *testing.T) map[string]source.Mem {
	t.Helper()
	out := map[string]source.Mem{"odd": odd(t)}
	real := os.DirFS("../dump/testdata")
	for _, name := range []string{"pytorch", "tensorboardX", "tensorbored", "tensorflow", "demo"} {
		m := source.Mem{}
		err := fs.WalkDir(real, name, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(path.Base(p), "tfevents") {
				return err
			}
			b, err := fs.ReadFile(real, p)
			m[strings.TrimPrefix(p, name+"/")] = b
			return err
		})
		if err != nil || len(m) == 0 {
			t.Fatal(name, err)
		}
		out[name] = m
	}
	return out
}

// bodies are what kinds are asked, beside nothing: everything that each understands.
var bodies = map[string][]any{
	"scalars": {map[string]any{"x": "step", "pixels": 100, "weight": 0.9}, map[string]any{"x": "relative", "x0": 0, "x1": 5, "pixels": 10},
		map[string]any{"x": "index"}, map[string]any{"x": "process"}, map[string]any{"x": "tag", "xTag": "loss"}, map[string]any{"table": []int64{1, 3}}},
	"histograms":    {map[string]any{"slices": 3, "bins": 10}, map[string]any{"lo": -1, "hi": 1, "from": 0, "to": -1}, map[string]any{"lo": -1e308, "hi": 1.7e308}},
	"distributions": {map[string]any{"steps": 2}},
	"images":        {map[string]any{"from": 0, "n": 100}, map[string]any{"from": -1, "n": 1, "sample": 1, "samples": 1}},
	"audio":         {map[string]any{"from": 0, "n": 100}},
	"text":          {map[string]any{"from": 0, "n": 100}, map[string]any{"find": "a"}, map[string]any{"from": 0, "n": 3, "max": 7}, map[string]any{"numbers": []int{0, 5, -1}, "skip": 4}},
	"hparams":       {map[string]any{"columns": []map[string]any{{"tag": "loss", "of": "last"}, {"tag": "loss", "of": "mean"}, {"tag": "loss", "of": "at", "step": 3}}}},
	"values":        {map[string]any{"from": 0, "n": 100}, map[string]any{"from": -1, "n": 1, "at": 3, "max": 5}},
	"pr_curves":     {map[string]any{"over": true}, map[string]any{"step": 4}},
}

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
		for _, body := range append([]any{nil}, bodies[k.Name()]...) {
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
	all := logdirs(t)
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
