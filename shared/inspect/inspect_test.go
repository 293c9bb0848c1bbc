package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// feed reads files of one run, in windows of that size.
func feed(run, tag string, window int, files ...[]byte) *Run {
	r := New(run, tag, nil)
	for i, b := range files {
		f := catalog.Visit(run, fmt.Sprintf("%s/tfevents.%d", run, i), r.Visit)
		read := catalog.Reader{File: f, Size: int64(len(b))}
		for end := false; !end; {
			w, more := read.Next()
			if !more {
				break
			}
			if !read.Wants() {
				w.Length = min(w.Length, int64(window))
			}
			end = read.Take(b[w.Offset:w.Offset+w.Length], w)
		}
		r.Files, r.Bytes = append(r.Files, f.Path), r.Bytes+int64(len(b))
		r.Losses = append(append(r.Losses, f.Losses()...), r.Unnamed(f.Path)...)
	}
	return r
}

// Names of tags fill a bounded part of memory: what comes after is a loss of its file, and
// tags that are known go on being counted.
func TestNamesAreBounded(t *testing.T) {
	defer func(n int64) { mostNames = n }(mostNames)
	mostNames = 10
	file := func(tags ...string) []byte {
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		for i, tag := range tags {
			if err := w.Scalar(tag, 1, int64(i)); err != nil {
				t.Fatal(err)
			}
		}
		return w.Bytes()
	}
	one, two := file("alpha"), file("alpha", "beta2")
	r := feed("r", "", 1<<20, file("alpha", "beta2", "gamma", "alpha", "delta"), file("alpha", "omega"))
	if len(r.Tags) != 2 || r.Tags["alpha"].Steps[Scalars].Count != 3 || r.Events != 7 {
		t.Errorf("%d tags and %d events are told", len(r.Tags), r.Events)
	}
	var got []string
	for _, l := range r.Losses {
		got = append(got, fmt.Sprint(l.File, " ", l.Offset, " ", l.Count, " ", l.Kind))
	}
	want := []string{fmt.Sprint("r/tfevents.0 ", len(two), " 2 too many names of tags"), fmt.Sprint("r/tfevents.1 ", len(one), " 1 too many names of tags")}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the losses are %q, not %q", got, want)
	}
}

// The names of runs that are looked into at a time share a room: 13 runs whose names are each
// within their own bound do not all stay. What does not fit is a loss of its file, and a run
// that was told makes room.
func TestNamesOfAllRunsAreBounded(t *testing.T) {
	room := NewRoom(500_000)
	var runs []*Run
	lost, kept := 0, 0
	for i := range 13 {
		w := summary.NewBuffer(summary.Options{})
		for k := range 10 {
			if err := w.Scalar(fmt.Sprintf("%d/%d/%s", i, k, strings.Repeat("x", 9_990)), 1, 1); err != nil {
				t.Fatal(err)
			}
		}
		r := New(fmt.Sprint("run", i), "", room)
		catalog.Visit(r.Name, "tfevents", r.Visit).Feed(w.Bytes(), true)
		for _, l := range r.Unnamed("tfevents") {
			if lost += int(l.Count); l.Run != r.Name || l.Offset == 0 || l.File != "tfevents" || l.Remedy == "" {
				t.Errorf("loss %+v", l)
			}
		}
		kept += len(r.Tags)
		runs = append(runs, r)
	}
	if kept < 45 || kept > 50 || kept+lost != 130 {
		t.Errorf("%d tags are kept and %d lost, of 130 of which 50 fit", kept, lost)
	}
	for _, r := range runs {
		r.Done()
	}
	if left := room.left.Load(); left != 500_000 {
		t.Errorf("%d bytes are left of the room when nothing is kept", left)
	}
}

type form struct {
	Events     int64
	Kinds      map[string]map[string]any
	TagsByKind map[string][]string
	Tags       []struct {
		Tag, Kind, Plugin string
		Steps             map[string]any
	}
	Starts, Stops []struct{ Step float64 }
	Losses        []struct {
		Kind   string
		Offset int64
	}
}

func parsed(t *testing.T, r *Run) (f form) {
	t.Helper()
	b, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The facts are those that TensorBoard's own inspector tells of real files, whatever
// the size of the windows.
func TestPeer(t *testing.T) {
	data, err := os.ReadFile("testdata/peer.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]struct {
		Kinds      map[string]map[string]any
		TagsByKind map[string][]string
	}
	if err := json.Unmarshal(data, &want); err != nil || len(want) < 15 {
		t.Fatal(len(want), err)
	}
	for name, w := range want {
		paths, err := filepath.Glob(filepath.Join(strings.NewReplacer("[", "?", "]", "?").Replace(filepath.Join("../dump/testdata", name)), "*tfevents*"))
		if err != nil || len(paths) == 0 {
			t.Fatal(name, err)
		}
		var files [][]byte
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, b)
		}
		for _, window := range []int{100, 1 << 20} {
			got := parsed(t, feed(name, "", window, files...))
			if !reflect.DeepEqual(got.TagsByKind, w.TagsByKind) {
				t.Errorf("%s: tags %v, want %v", name, got.TagsByKind, w.TagsByKind)
			}
			if g, w := slices.Sorted(maps.Keys(got.Kinds)), slices.Sorted(maps.Keys(w.Kinds)); !slices.Equal(g, w) {
				t.Errorf("%s: kinds %v, want %v", name, g, w)
			}
			for kind, facts := range w.Kinds {
				for fact, value := range facts {
					has := got.Kinds[kind][fact]
					if fact == "steps" {
						var steps []any
						for _, s := range map[string][]struct{ Step float64 }{"sessionlog:start": got.Starts, "sessionlog:stop": got.Stops}[kind] {
							steps = append(steps, s.Step)
						}
						has = steps
					}
					if !reflect.DeepEqual(has, value) {
						t.Errorf("%s, %s: %s is %v, want %v", name, kind, fact, has, value)
					}
				}
			}
		}
	}
}

// Different steps are counted right, in whatever order they come, and the others of a
// sequence's sums are what they say.
func TestSteps(t *testing.T) {
	check := func(steps []int64) error {
		s := Steps{set: &set{}}
		seen := map[int64]bool{}
		back := 0
		for i, v := range steps {
			s.add(v)
			seen[v] = true
			if i > 0 && v < steps[i-1] {
				back++
			}
		}
		n, exact := s.Different()
		if n != int64(len(seen)) || !exact || s.Count != int64(len(steps)) || s.BackCount != int64(back) || len(s.Back) != min(back, MaxBack) {
			return fmt.Errorf("%+v: %d different %v, want %d", s, n, exact, len(seen))
		}
		if len(steps) > 0 && (s.First != steps[0] || s.Last != steps[len(steps)-1] || s.Min != slices.Min(steps) || s.Max != slices.Max(steps)) {
			return fmt.Errorf("%+v", s)
		}
		return nil
	}
	for _, steps := range [][]int64{
		nil, {0}, {0, 0}, {-1, 1, -1}, {0, 10, 20, 5, 10, 15, 20, 25, 30}, {math.MinInt64, math.MaxInt64, 0, math.MinInt64, math.MaxInt64},
		{math.MaxInt64, math.MinInt64}, {0, 1, 2, 3, 1, 2, 3, 4}, {0, 100, 50, 100, 50, 150}, {5, 7, 10, 14, 10, 7, 5},
	} {
		if err := check(steps); err != nil {
			t.Errorf("%v: %v", steps, err)
		}
	}
	if err := quick.Check(func(seed uint64, spread uint16) bool {
		rng := rand.New(rand.NewPCG(seed, 0))
		var steps []int64
		at, by := int64(0), int64(1)
		for range 300 {
			switch rng.IntN(20) {
			case 0:
				at = rng.Int64N(int64(spread) + 1)
			case 1:
				by = rng.Int64N(12)
			case 2:
				at -= rng.Int64N(9000)
			}
			at += by
			steps = append(steps, at)
		}
		return check(steps) == nil
	}, nil); err != nil {
		t.Error(err)
	}
}

// Ten million steps that grow evenly, written again and again from earlier on, and a
// million that do not, take little memory; too many are said to be so.
func TestStepsBounded(t *testing.T) {
	even := &set{}
	for from := int64(0); from < 5e6; from += 1e6 {
		for step := from; step < 1e7; step += 10 {
			even.add(step)
		}
	}
	if even.n != 1e6 || len(even.ways) != 1 || len(even.blocks) != 0 {
		t.Errorf("%d different in %d ways and %d blocks", even.n, len(even.ways), len(even.blocks))
	}
	wild := &set{}
	for i := range int64(4 * maxWays) {
		wild.add(i * i)
	}
	if len(wild.ways) > maxWays || len(wild.blocks) > maxBlocks || !wild.full || wild.n >= 4*maxWays || wild.n < maxWays {
		t.Errorf("%d different in %d ways and %d blocks, full %v", wild.n, len(wild.ways), len(wild.blocks), wild.full)
	}
}

func events(t *testing.T, log func(w *summary.Buffer) error) []byte {
	t.Helper()
	w := summary.NewBuffer(summary.Options{Clock: summary.Ticks(time.Unix(999, 0), time.Second)})
	if err := log(w); err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(w.Bytes())
}

// Damage is named with its place, and costs as much as it costs the viewer.
func TestDamage(t *testing.T) {
	whole := events(t, func(w *summary.Buffer) error {
		for step := range int64(20) {
			if err := w.Scalar("a", 1, step); err != nil {
				return err
			}
		}
		return w.SessionStart(7)
	})
	at := int64(damage.Records(whole)[5].Offset)
	for name, c := range map[string]struct {
		file   []byte
		points int64
		kind   string
	}{
		"whole":      {whole, 20, ""},
		"payload":    {damage.BadPayload(whole, 5), 19, "bad payload checksum"},
		"length":     {damage.BadLength(whole, 5), 19, "bad length"},
		"length CRC": {damage.BadLengthCRC(whole, 5), 20, "bad length checksum"},
		"torn":       {damage.Drop(whole, 3), 20, ""},
	} {
		for _, window := range []int{64, 1 << 20} {
			r := feed("r", "", window, c.file)
			if got := r.Tags["a"].Steps[Scalars].Count; got != c.points {
				t.Errorf("%s: %d points, want %d", name, got, c.points)
			}
			if c.kind == "" {
				if len(r.Losses) != 0 {
					t.Errorf("%s: %+v", name, r.Losses)
				}
				continue
			}
			if len(r.Losses) != 1 || r.Losses[0].Kind != c.kind || r.Losses[0].Offset != at {
				t.Errorf("%s: %+v, want %s at %d", name, r.Losses, c.kind, at)
			}
			var text strings.Builder
			if err := r.Write(&text); err != nil || !strings.Contains(text.String(), fmt.Sprintf("from byte %d on", at)) || !strings.Contains(text.String(), "tfevents.0") {
				t.Errorf("%s: %v %s", name, err, text.String())
			}
		}
	}
}

// One tag alone, as in the peer: no other tags, graphs or session logs.
func TestTag(t *testing.T) {
	file := events(t, func(w *summary.Buffer) error {
		for step := range int64(5) {
			if err := w.Scalar("a", 1, step); err != nil {
				return err
			}
			if err := w.Scalar("b", 1, 10*step); err != nil {
				return err
			}
		}
		return w.SessionStart(3)
	})
	f := parsed(t, feed("r", "b", 1<<20, file))
	if len(f.Tags) != 1 || f.Tags[0].Tag != "b" || f.Tags[0].Steps["max_step"] != 40.0 || len(f.Kinds) != 1 || len(f.Starts) != 0 {
		t.Errorf("%+v", f)
	}
}

// Names from files cannot write to the terminal what it takes for commands, and times
// that are no numbers are written all the same.
func TestWriteOdd(t *testing.T) {
	file := events(t, func(w *summary.Buffer) error {
		for _, wall := range []float64{math.NaN(), math.Inf(1), 1e300, -5} {
			v, err := summary.ScalarValue("\x1b[2Jred\nline‮", 1)
			if err != nil {
				return err
			}
			if err := w.Raw(summary.Event{WallTime: wall, Step: 1, Values: []summary.Value{v}}); err != nil {
				return err
			}
			if err := w.Raw(summary.Event{WallTime: wall, Step: 1, Status: summary.SessionStarted}); err != nil {
				return err
			}
		}
		return nil
	})
	r := feed("run\x07", "", 1<<20, file)
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\x07", "red\nline", "‮"} {
		if strings.Contains(text.String(), bad) {
			t.Errorf("%q is written as it is: %q", bad, text.String())
		}
	}
	if f := parsed(t, r); f.Tags[0].Tag != "\x1b[2Jred\nline‮" || f.Tags[0].Steps["count"] != 4.0 {
		t.Errorf("%+v", f)
	}
}
