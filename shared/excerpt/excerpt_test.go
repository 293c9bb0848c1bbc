package excerpt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/demo"
	"github.com/tensorbored/tensorbored-static/shared/dump"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func load(t *testing.T, m source.Mem) *catalog.Catalog {
	t.Helper()
	c := catalog.New()
	if _, err := c.Load(context.Background(), m.Logdir()); err != nil {
		t.Fatal(err)
	}
	return c
}

func reader(m source.Mem) func(r source.Range) ([]byte, error) {
	return func(r source.Range) ([]byte, error) {
		b := m[r.Path]
		if r.Offset+r.Length > int64(len(b)) {
			return nil, errors.New("too short")
		}
		return b[r.Offset : r.Offset+r.Length], nil
	}
}

// excerpts makes one of each run.
func excerpts(t *testing.T, m source.Mem, o Options) (source.Mem, Taken) {
	t.Helper()
	out, sum := source.Mem{}, Taken{}
	o.Read = reader(m)
	for name, run := range load(t, m).Runs {
		b, got, err := Run(run, o)
		if err != nil {
			t.Fatal(err)
		}
		if b != nil {
			out[name+"/tfevents"] = b
		}
		sum.Add(got)
	}
	return out, sum
}

func dumped(t *testing.T, m source.Mem) string {
	t.Helper()
	var b bytes.Buffer
	if err := dump.Write(context.Background(), &b, load(t, m), m.Logdir(), kinds.All()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// training is what the demo logs: every kind that there is.
func training(t *testing.T) source.Mem {
	t.Helper()
	dir := t.TempDir()
	if err := demo.Run(context.Background(), demo.Options{Dir: dir, Steps: 60, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	m := source.Mem{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), "tfevents") {
			rel, _ := filepath.Rel(dir, p)
			m[filepath.ToSlash(rel)], err = os.ReadFile(p)
		}
		return err
	})
	if err != nil || len(m) == 0 {
		t.Fatal(len(m), err)
	}
	return m
}

// An excerpt of everything is dumped as the whole files are, and has all of their tags.
func TestWholeExcerpt(t *testing.T) {
	m := training(t)
	got, taken := excerpts(t, m, Options{})
	if want := dumped(t, m); dumped(t, got) != want {
		t.Error("the excerpt is dumped otherwise")
	}
	if taken.Points != taken.Logged || taken.Values != taken.Stored || taken.Values == 0 || len(taken.Missing) > 0 {
		t.Errorf("taken %+v", taken)
	}
	tags := func(m source.Mem) string {
		var lines []string
		for name, run := range load(t, m).Runs {
			run.Tags(func(x *catalog.Tag, info wire.Tag) {
				lines = append(lines, fmt.Sprintf("%q %q %+v %d %x", name, x.Name, info, x.Kind, x.Content))
			})
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	starts := func(m source.Mem) string { return fmt.Sprintf("%+v", dump.Runs(load(t, m))) }
	if a, b := regexp.MustCompile(`Files:\S+`).ReplaceAllString(starts(got), ""), regexp.MustCompile(`Files:\S+`).ReplaceAllString(starts(m), ""); a != b {
		t.Errorf("runs\n%s\nof whole files\n%s", a, b)
	}
	if a, b := tags(got), tags(m); a != b {
		t.Errorf("tags\n%s\nof whole files\n%s", a, b)
	}
}

// Of curves the ends and the extremes stay, of other values the first and last; tags are
// chosen.
func TestThinned(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(10_000) {
		v := math.Sin(float64(i) / 100)
		switch i {
		case 1234:
			v = 50
		case 7777:
			v = math.Inf(-1)
		}
		for _, err := range []error{w.Scalar("long", v, i, summary.Double()), w.Scalar("short", v, i/9000*i), w.Scalar("other", 1, i)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if i%500 == 0 {
			if err := w.Text("words", fmt.Sprint(i), i); err != nil {
				t.Fatal(err)
			}
		}
	}
	m := source.Mem{"a/tfevents": w.Bytes()}
	got, taken := excerpts(t, m, Options{Points: 200, Values: 5, Tags: func(t *catalog.Tag) bool { return t.Shown != "other" }})
	if taken.Tags != 3 || taken.Points > 450 || taken.Points < 100 || taken.Logged != 20_000 || taken.Values != 5 || taken.Stored != 20 {
		t.Errorf("taken %+v", taken)
	}
	doc := dumped(t, got)
	for _, want := range []string{`, 0, 0]`, `, 1234, 50]`, `, 7777, "-Infinity"]`, `, 9999, `, `"0"`, `"9500"`} {
		if !strings.Contains(doc, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(doc, "other") {
		t.Error("a tag that was not chosen is there")
	}
	if none, _ := excerpts(t, m, Options{Tags: func(*catalog.Tag) bool { return false }}); len(none) > 0 {
		t.Errorf("%d files without a tag", len(none))
	}
}

// What cannot be read again is said, and the rest is there.
func TestMissing(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(3) {
		if err := errors.Join(w.Scalar("x", 1, i), w.Text("words", "w", i)); err != nil {
			t.Fatal(err)
		}
	}
	m := source.Mem{"tfevents": w.Bytes()}
	n := 0
	b, taken, err := Run(load(t, m).Runs["."], Options{Read: func(r source.Range) ([]byte, error) {
		if n++; n == 2 {
			return nil, errors.New("the disk is away")
		}
		return reader(m)(r)
	}})
	if err != nil || b == nil || len(taken.Missing) != 1 || taken.Values != 2 || taken.Points != 3 {
		t.Errorf("%+v %v", taken, err)
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		n, most int
		want    string
	}{{0, 3, "[]"}, {3, 0, "[0 1 2]"}, {3, 5, "[0 1 2]"}, {10, 1, "[9]"}, {10, 2, "[0 9]"}, {10, 4, "[0 3 6 9]"}} {
		if got := fmt.Sprint(spread(c.n, c.most)); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.most, c.n, got, c.want)
		}
	}
}

// Hyperparameters stay, also where a writer puts them into the metadata without a value,
// as PyTorch does.
func TestHParamsStay(t *testing.T) {
	dir := "../dump/testdata/pytorch/lr=0.1/1795183204.4793222"
	names, err := filepath.Glob(filepath.Join(dir, "*tfevents*"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	b, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	m := source.Mem{"run/tfevents": b}
	small, _ := excerpts(t, m, Options{Points: 10})
	whole, part := load(t, m).Runs["run"], load(t, small).Runs["run"]
	for _, tag := range []string{"_hparams_/experiment", "_hparams_/session_start_info", "_hparams_/session_end_info"} {
		a, b := whole.Lookup(tag), part.Lookup(tag)
		if a == nil || b == nil || len(a.Content) == 0 || !bytes.Equal(a.Content, b.Content) {
			t.Errorf("%s is not what it was: %v", tag, b)
		}
	}
}

// A layout of custom scalars stays as it was, however much is left out.
func TestLayoutStays(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range 5 {
		if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: fmt.Sprint("layout ", i), Charts: []summary.Chart{{Title: "t", Lines: []string{"loss(?!x)"}}}}}}); err != nil {
			t.Fatal(err)
		}
	}
	small, _ := excerpts(t, source.Mem{"run/tfevents": w.Bytes()}, Options{Values: 1})
	for _, b := range small {
		if !bytes.Contains(b, []byte("layout 4")) || !bytes.Contains(b, []byte("loss(?!x)")) {
			t.Errorf("the last layout is not there: %q", b)
		}
	}
	if len(small) != 1 {
		t.Errorf("%d files", len(small))
	}
}
