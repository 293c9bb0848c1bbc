package dump

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// run is an event file whose first event has the wall time start, with a point of
// each tag.
func run(t *testing.T, start float64, tags ...string) []byte {
	t.Helper()
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	if err := w.Raw(summary.Event{WallTime: start, FileVersion: summary.FileVersion}); err != nil {
		t.Fatal(err)
	}
	for _, tag := range tags {
		w.Raw(summary.Event{WallTime: 5, Step: 1, Values: []summary.Value{summary.SimpleValue(tag, 2)}})
	}
	return w.Bytes()
}

func TestRuns(t *testing.T) {
	m := source.Mem{
		"b/tfevents.1": run(t, 7, "x"), "b/tfevents.0": run(t, 9), "a/tfevents": run(t, 9), "tfevents": run(t, 8),
		"empty/tfevents": nil, "also empty/tfevents": nil, "mark/tfevents.profile-empty": nil,
		"nan/tfevents": run(t, math.NaN()), "inf/tfevents": run(t, math.Inf(1)), "minus/tfevents": run(t, -3),
	}
	d := written(t, m)
	want := []string{"minus", ".", "a", "b", "also empty", "empty", "inf", "mark", "nan"}
	if !slices.Equal(d.Runs, want) {
		t.Errorf("runs %q, want %q", d.Runs, want)
	}
	if len(d.Scalars) != 1 || len(d.Scalars["b"]["x"]) != 1 {
		t.Errorf("scalars %v", d.Scalars)
	}
}

func TestEmpty(t *testing.T) {
	if d := written(t, source.Mem{}); d.Runs == nil || d.Scalars == nil || len(d.Runs)+len(d.Scalars) > 0 {
		t.Errorf("no runs are written as %v", d)
	}
	// Values of other kinds are no scalars.
	w := summary.NewBuffer(summary.Options{})
	if err := w.Text("words", "x", 0); err != nil {
		t.Fatal(err)
	}
	if d := written(t, source.Mem{"r/tfevents": w.Bytes()}); len(d.Runs) != 1 || len(d.Scalars) != 0 {
		t.Errorf("%v", d)
	}
}

func TestNames(t *testing.T) {
	names := map[string]string{ // as logged, as written
		`<script>&"\`: `<script>&"\`, "a\x00\x1f\u2028": "a\x00\x1f\u2028", "\xf0\x28": "\uFFFD(", "": "", "a/b": "a/b",
	}
	var tags []string
	for tag := range names {
		tags = append(tags, tag)
	}
	d := written(t, source.Mem{"<b>/ü%20/tfevents": run(t, 1, tags...)})
	got := d.Scalars["<b>/ü%20"]
	if len(got) != len(names) {
		t.Errorf("%d tags of %d: %v", len(got), len(names), got)
	}
	for _, name := range names {
		if p := got[name]; len(p) != 1 || p[0] != [3]any{5.0, 1.0, 2.0} {
			t.Errorf("%q: %v", name, p)
		}
	}
}

// FuzzNumber: numbers come back to the bit, and those that JSON does not know come
// as the strings of TensorBoard's routes.
func FuzzNumber(f *testing.F) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -0.1, 1e-6, 9.9e-7, 1e20, 1e21, 1e22, 5e-324, math.MaxFloat64, 1795183251.277213, math.NaN(), math.Inf(1), math.Inf(-1)} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		b := number(nil, x)
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatalf("%v is written as %s: %v", x, b, err)
		}
		switch v := v.(type) {
		case float64:
			if math.Float64bits(v) != math.Float64bits(x) {
				t.Errorf("%v is written as %s", x, b)
			}
		case string:
			if x-x == 0 || v != map[bool]string{x != x: "NaN", x > 0: "Infinity", x < 0: "-Infinity"}[true] {
				t.Errorf("%v is written as %s", x, b)
			}
		}
		if len(b) > 30 {
			t.Errorf("%v takes %d bytes", x, len(b))
		}
	})
}

var errFull = errors.New("disk is full")

// narrow fails behind some bytes.
type narrow struct{ room int }

func (n *narrow) Write(b []byte) (int, error) {
	if n.room -= len(b); n.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriteFails(t *testing.T) {
	c := catalog.New()
	c.Run("r").AddFile("r/tfevents").Feed(bytes.Repeat(run(t, 1, "a", "b"), 10_000), true)
	for _, room := range []int{0, 100_000} {
		if err := Write(t.Context(), &narrow{room}, c, source.Mem{}.Logdir(), kinds.All()); !errors.Is(err, errFull) {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

// TestTwinTags: tags whose names would be shown alike stay two, under the same names
// whichever comes first.
func TestTwinTags(t *testing.T) {
	for _, logged := range [][]string{{"a\xff", "a\xfe", "b\xff", "plain"}, {"plain", "b\xff", "a\xfe", "a\xff"}, {"a\xff", "a\xfe", "b\xff", "plain", "a\uFFFD"}} {
		d := written(t, source.Mem{"r/tfevents": run(t, 1, logged...)})
		want := []string{`a\xff`, `a\xfe`, "b\uFFFD", "plain", "a\uFFFD"}[:len(logged)]
		if len(d.Scalars["r"]) != len(want) {
			t.Errorf("tags %v", d.Scalars)
		}
		for _, tag := range want {
			if len(d.Scalars["r"][tag]) != 1 {
				t.Errorf("tag %q: %v", tag, d.Scalars)
			}
		}
	}
}
