package catalog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// job is a made-up run: events of one to four files.
type job struct {
	files     [][]summary.Event
	versions  string // "all", "none" or "some" files have a version
	described int    // the one event that has metadata; -1 = all, -2 = none
}

// newJob makes a run whose steps go back now and then, with and without a start of the
// job, and whose metadata stand in any one place.
func newJob(r *rand.Rand) job {
	j := job{versions: []string{"all", "all", "none", "some"}[r.IntN(4)]}
	files := 1 + r.IntN(4)
	events := 4 + r.IntN(60)
	j.described = r.IntN(events+events/2) - 2
	step := int64(0)
	for k := range files {
		var out []summary.Event
		if j.versions == "all" || j.versions == "some" && r.IntN(2) == 0 {
			out = append(out, summary.Event{WallTime: 1, FileVersion: summary.FileVersion})
		}
		for i := k * events / files; i < (k+1)*events/files; i++ {
			step += int64(r.IntN(3))
			if r.IntN(12) == 0 {
				step = max(0, step-int64(r.IntN(20)))
			}
			if r.IntN(15) == 0 {
				out = append(out, summary.Event{WallTime: float64(i), Step: step, Status: summary.SessionStarted})
			}
			m := func(plugin string) (m summary.Metadata) {
				if j.described == -1 || j.described == i {
					m = summary.Metadata{Plugin: plugin, DisplayName: fmt.Sprint("name ", i), Description: "about", Content: []byte{8, byte(i)}}
				}
				return m
			}
			one := summary.DoubleTensor(nil, float64(i))
			all := []summary.Value{
				summary.SimpleValue("simple", float32(i)),
				summary.TensorValue("tensor", summary.FloatTensor(nil, float32(i)), m("scalars")),
				summary.TensorValue("double", one, m("scalars")),
				summary.TensorValue("vector", summary.DoubleTensor([]int64{2}, 1, 2), m("other")),
				summary.TensorValue("mixed", []summary.Tensor{one, summary.StringTensor(nil, "words")}[r.IntN(2)], m([]string{"scalars", "text"}[r.IntN(2)])),
				{Tag: "bare", Metadata: m("scalars")},
				summary.TensorValue("bare", one, summary.Metadata{}),
			}
			e := summary.Event{WallTime: float64(i), Step: step}
			for _, v := range all {
				if r.IntN(3) == 0 {
					e.Values = append(e.Values, v)
				}
			}
			if len(e.Values) > 0 {
				out = append(out, e)
			}
		}
		j.files = append(j.files, out)
	}
	return j
}

func (j job) bytes(t *testing.T) (out [][]byte) {
	for _, events := range j.files {
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		for _, e := range events {
			if err := w.Raw(e); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, w.Bytes())
	}
	return out
}

// tensorBoard returns what TensorBoard's Python loader shows of a tag of single
// numbers: value and step of each point. See plugin_event_accumulator.py.
func (j job) tensorBoard(tag string) (points [][2]float64) {
	version, starts, recent := false, 0, int64(-1)
	purge := func(step int64) {
		points = slices.DeleteFunc(points, func(p [2]float64) bool { return p[1] >= float64(step) })
	}
	for _, events := range j.files {
		for _, e := range events {
			version = version || e.FileVersion != ""
			holds := slices.ContainsFunc(e.Values, func(v summary.Value) bool { return v.Tag == tag })
			if version && e.Status == summary.SessionStarted {
				if starts++; starts > 1 {
					purge(e.Step)
				}
			}
			if len(e.Values) == 0 {
				continue
			}
			if !version && e.Step < recent && holds {
				purge(e.Step)
			}
			recent = e.Step
			for _, v := range e.Values {
				if v.Tag == tag && v.Field != summary.FieldNone {
					points = append(points, [2]float64{e.WallTime, float64(e.Step)})
				}
			}
		}
	}
	return points
}

// TestRunView: what a run shows depends on the bytes of its files alone, wherever its
// metadata stand: not on the order in which the files are read, nor on windows, growth
// and the cache. Without damage it is what TensorBoard shows, or more.
func TestRunView(t *testing.T) {
	jobs := 600
	if testing.Short() {
		jobs = 150
	}
	compared := 0
	for seed := range jobs {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		j := newJob(r)
		files := j.bytes(t)
		hurt := r.IntN(2) == 0
		for i, b := range files {
			if hurt && len(b) > 0 {
				at := r.IntN(len(b))
				if r.IntN(2) == 0 {
					at = r.IntN(min(len(b), 40)) // the version, if there is one
				}
				files[i] = damage.Flip(b, at, uint(r.IntN(8)))
			}
		}
		m := source.Mem{}
		for i, b := range files {
			m[fmt.Sprintf("tfevents.%d", i)] = b
		}
		want := load(t, m).Runs["."]
		text := view(want)
		for range 4 {
			g := NewRun(".")
			at := make([]int, len(files))
			parts := make([]*File, len(files))
			for _, i := range r.Perm(len(files)) {
				parts[i] = g.AddFile(fmt.Sprintf("tfevents.%d", i))
			}
			for busy := len(files); busy > 0; {
				i := r.IntN(len(files))
				if at[i] < 0 {
					continue
				}
				b := files[i]
				if at[i] = at[i] + r.IntN(len(b)+1); at[i] >= len(b) || r.IntN(3) == 0 {
					at[i] = len(b)
				}
				grow(parts[i], b, []int{at[i]}, func() int64 { return int64(1 + r.IntN(len(b)+1)) })
				if r.IntN(4) == 0 {
					form := parts[i].AppendStored(nil)
					if err := parts[i].Restore(form); err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
					if !bytes.Equal(parts[i].AppendStored(nil), form) {
						t.Fatalf("seed %d: storing again gives other bytes", seed)
					}
				}
				if r.IntN(4) == 0 {
					view(g) // looking changes nothing
				}
				if at[i] == len(b) {
					at[i] = -1
					busy--
				}
			}
			if got := view(g); got != text {
				t.Fatalf("seed %d (versions %s, metadata %d): in another order\n%.3000s\nwant\n%.3000s", seed, j.versions, j.described, got, text)
			}
		}
		if hurt {
			continue
		}
		for _, tag := range []string{"simple", "tensor", "double", "bare"} {
			x := want.Lookup(tag)
			if x == nil || x.Kind != Scalar {
				continue
			}
			compared++
			tb := j.tensorBoard(tag)
			var got [][2]float64
			c := columnsOf(want, x)
			for i := range c.Step {
				if c.Value[i] != c.Wall[i] {
					t.Fatalf("seed %d: %s has value %g at %g", seed, tag, c.Value[i], c.Wall[i])
				}
				got = append(got, [2]float64{c.Wall[i], c.Step[i]})
			}
			if j.versions == "some" { // TensorBoard loses points until it meets the version
				for _, p := range tb {
					if !slices.Contains(got, p) {
						t.Fatalf("seed %d: %s lacks %v, which TensorBoard shows", seed, tag, p)
					}
				}
			} else if !slices.Equal(got, tb) {
				t.Fatalf("seed %d (versions %s): %s is\n%v, TensorBoard has\n%v", seed, j.versions, tag, got, tb)
			}
		}
	}
	if compared < jobs {
		t.Errorf("%d tags compared in %d runs", compared, jobs)
	}
}

// TestDamagedVersion: steps that go back, as those of training and validation in one
// file, cost no points when the version is damaged; nor does a second file without one.
func TestDamagedVersion(t *testing.T) {
	const n = 1000
	b := file(t, summary.Options{}, func(w *summary.Buffer) {
		for i := range int64(n) {
			steps(t, "x", i, i/2)(w)
		}
	})
	var want []int64
	for i := range int64(n) {
		want = append(want, i, i/2)
	}
	first := damage.Records(b)[0].Size
	for at := range first {
		r := NewRun("r")
		f := r.AddFile("f")
		feed(f, damage.Flip(b, at, uint(at%8)), 1<<16)
		wantSteps(t, fmt.Sprintf("byte %d flipped", at), read(t, r, "x"), want...)
	}
	for name, m := range map[string]source.Mem{
		"the version is gone, other files have one": {"tfevents.0": b[first:], "tfevents.1": file(t, summary.Options{}, func(*summary.Buffer) {})},
		"the writer is named":                       {"tfevents.0": append(tagged(t), b[first:]...)},
	} {
		wantSteps(t, name, read(t, load(t, m).Runs["."], "x"), want...)
	}
	if got := read(t, load(t, source.Mem{"tfevents.0": b[first:]}).Runs["."], "x"); len(got) >= len(want) {
		t.Errorf("without a version a step back purges nothing: %d points", len(got))
	}
}

// tagged is an event that names its writer and has no version.
func tagged(t *testing.T) []byte {
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	if err := w.Raw(summary.Event{WallTime: 1, SourceWriter: "tensorflow"}); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// TestFirstRecordOfATag: a flipped bit in the record that holds a tag's metadata costs
// that record and not the tag's other points.
func TestFirstRecordOfATag(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range 100 {
		m := summary.Metadata{}
		if i == 0 {
			m = summary.Metadata{Plugin: "scalars"}
		}
		if err := w.Raw(summary.Event{WallTime: 1, Step: int64(i), Values: []summary.Value{summary.TensorValue("x", summary.FloatTensor(nil, float32(10*i)), m)}}); err != nil {
			t.Fatal(err)
		}
	}
	b := damage.BadPayload(w.Bytes(), 1)
	r := load(t, source.Mem{"tfevents.1": b}).Runs["."]
	wantSteps(t, "without metadata", read(t, r, "x"), upTo(100)[1:]...)
	if x := r.Lookup("x"); x.Kind != Scalar || !x.Guessed {
		t.Errorf("tag %+v", x)
	}
	if l := r.Files[0].Losses(); len(l) != 2 || l[1].Kind != guessedOne || l[1].Count != 99 || l[1].Bytes != 0 || l[1].Offset <= l[0].Offset {
		t.Errorf("losses %+v", l)
	}
	count := r.Files[0].LossCount()
	// Another file says what it is, and the other points were no guess.
	f := r.AddFile("tfevents.0")
	feed(f, w.Bytes(), 1<<20)
	wantSteps(t, "with another file", read(t, r, "x"), append(upTo(100), upTo(100)[1:]...)...)
	if x := r.Lookup("x"); x.Kind != Scalar || x.Guessed || x.Plugin != "scalars" {
		t.Errorf("tag %+v", x)
	}
	if l := r.Files[1].Losses(); len(l) != 1 || r.Files[1].LossCount() == count {
		t.Errorf("losses %+v", l)
	}
	f.Restart() // and takes it back
	if x := r.Lookup("x"); !x.Guessed {
		t.Error("what a file said that is gone still counts")
	}
	feed(f, w.Bytes(), 1<<20)
	r.Remove(f)
	if x := r.Lookup("x"); !x.Guessed {
		t.Error("what a file said that was removed still counts")
	}
}

// TestValuesSpeakFirst: what metadata without a value say counts only where no value says
// something, in whichever file it stands.
func TestValuesSpeakFirst(t *testing.T) {
	bare := summary.NewBuffer(summary.Options{})
	if err := bare.Raw(summary.Event{Values: []summary.Value{{Tag: "x", Metadata: summary.Metadata{Plugin: "hparams", DisplayName: "name"}}}}); err != nil {
		t.Fatal(err)
	}
	m := source.Mem{"tfevents.0": bare.Bytes(), "tfevents.1": file(t, summary.Options{}, steps(t, "x", 1, 2))}
	r := load(t, m).Runs["."]
	if x := r.Lookup("x"); x.Plugin != "scalars" || x.Kind != Scalar || x.DisplayName != "name" {
		t.Errorf("tag %+v", x)
	}
	wantSteps(t, "shown", read(t, r, "x"), 1, 2)
	delete(m, "tfevents.1")
	if x := load(t, m).Runs["."].Lookup("x"); x.Plugin != "hparams" || x.Kind != Unknown {
		t.Errorf("alone: %+v", x)
	}
}

// TestUnused: values that are not shown are counted with the reason, in their file.
func TestUnused(t *testing.T) {
	scalars, other := summary.Metadata{Plugin: "scalars"}, summary.Metadata{Plugin: "other"}
	one, two := summary.DoubleTensor(nil, 1), summary.DoubleTensor([]int64{2}, 1, 2)
	for _, c := range []struct {
		kind   string
		values []summary.Value
		lost   int64
		plugin string
	}{
		{noPlugin, []summary.Value{summary.TensorValue("x", two, summary.Metadata{}), summary.TensorValue("x", one, summary.Metadata{})}, 2, ""},
		{notScalar, []summary.Value{summary.TensorValue("x", one, scalars), summary.TensorValue("x", two, summary.Metadata{})}, 1, "scalars"},
		{notScalar, []summary.Value{summary.TensorValue("x", two, summary.Metadata{}), summary.TensorValue("x", one, scalars)}, 1, "scalars"},
		{otherKind, []summary.Value{summary.TensorValue("x", two, other), summary.SimpleValue("x", 1), summary.SimpleValue("x", 2)}, 2, "other"},
		{otherKind, []summary.Value{summary.SimpleValue("x", 1), {Tag: "x", Field: summary.FieldImage, Payload: []byte("?")}}, 1, "scalars"},
		{"", []summary.Value{{Tag: "x", Metadata: scalars}, summary.TensorValue("x", one, summary.Metadata{})}, 0, "scalars"},
		{"", []summary.Value{{Tag: "x", Metadata: summary.Metadata{Plugin: "hparams"}}, summary.SimpleValue("x", 1)}, 0, "scalars"},
		{"", []summary.Value{summary.TensorValue("x", one, other), summary.TensorValue("x", two, scalars)}, 0, "other"},
	} {
		w := summary.NewBuffer(summary.Options{})
		for i, v := range c.values {
			if err := w.Raw(summary.Event{WallTime: 1, Step: int64(i), Values: []summary.Value{v}}); err != nil {
				t.Fatal(err)
			}
		}
		r := load(t, source.Mem{"tfevents": w.Bytes()}).Runs["."]
		l := r.Files[0].Losses()
		if c.kind == "" {
			if len(l) > 0 {
				t.Errorf("%v: losses %+v", c.values, l)
			}
		} else if len(l) != 1 || l[0].Kind != c.kind || l[0].Count != c.lost || l[0].Bytes <= 0 || l[0].Remedy == "" || l[0].Offset <= 0 || l[0].Offset >= int64(len(w.Bytes())) {
			t.Errorf("%s: losses %+v", c.kind, l)
		}
		if x := r.Lookup("x"); x.Plugin != c.plugin {
			t.Errorf("%s: plug-in %q, want %q", c.kind, x.Plugin, c.plugin)
		}
	}
}

// TestKindChanges: a tensor that was a scalar by bare metadata, and no longer is when a
// value names another plug-in, is kept as what it is from there on, however many of its
// kind came before.
func TestKindChanges(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	add := func(v summary.Value) {
		if err := w.Raw(summary.Event{WallTime: 1, Step: 1, Values: []summary.Value{v}}); err != nil {
			t.Fatal(err)
		}
	}
	one := summary.FloatTensor(nil, 1)
	add(summary.Value{Tag: "x", Metadata: summary.Metadata{Plugin: "scalars"}})
	for range 60 {
		add(summary.TensorValue("x", one, summary.Metadata{}))
	}
	add(summary.TensorValue("x", one, summary.Metadata{Plugin: "other"}))
	for range 60 {
		add(summary.TensorValue("x", one, summary.Metadata{}))
	}
	b := w.Bytes()
	want := ""
	for _, window := range []int{1 << 20, 40, 1000} {
		f := NewRun("r").AddFile("f")
		feed(f, b, window)
		refs := len(f.cur.series["x"].Refs.Points)
		if l := f.Losses(); refs != 61 || len(l) != 1 || l[0].Kind != otherKind || l[0].Count != 60 {
			t.Errorf("windows of %d: %d references, losses %+v", window, refs, l)
		}
		if got := view(f.run); want == "" {
			want = got
		} else if got != want {
			t.Errorf("windows of %d show\n%s\nwant\n%s", window, got, want)
		}
	}
}
