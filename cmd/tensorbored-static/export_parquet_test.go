package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/tensorbored/tensorbored-static/shared/series"
)

// Rows of many names, in more than one group and in pages that end anywhere, come back as
// they were, and each group says what it holds.
func TestParquetGroups(t *testing.T) {
	var out bytes.Buffer
	w := newParquet(&out)
	var want []row
	for i, n := range []int{1, 70_000, parquetGroup - 70_002, 2, 0, 5, parquetGroup, 3} {
		run, tag := fmt.Sprintf("run %d", i), strings.Repeat("ü", i*longestBound/10)+"x"
		var c series.Columns
		for j := range n {
			step, value := int64(j*j%1009)-500, float64(j)/3
			switch j % 50_000 {
			case 7:
				step, value = math.MaxInt64, math.NaN()
			case 8:
				step, value = math.MinInt64, math.Inf(-1)
			}
			c.Step, c.Wall, c.Value = append(c.Step, float64(step)), append(c.Wall, 1.6e9+float64(j)/7), append(c.Value, value)
			want = append(want, row{run, tag, series.Step(c.Step[j]), c.Wall[j], value})
		}
		if err := w.points(run, tag, &c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	got, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d rows, want %d: %v", len(got), len(want), err)
	}
	for i := range got {
		if g, w := got[i], want[i]; g.Run != w.Run || g.Tag != w.Tag || g.Step != w.Step || g.WallTime != w.WallTime || math.Float64bits(g.Value) != math.Float64bits(w.Value) {
			t.Fatalf("row %d: %v, want %v", i, g, w)
		}
	}
	f, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(f.RowGroups()) != 3 {
		t.Fatalf("%d groups: %v", len(f.RowGroups()), err)
	}
	if v, ok := f.Lookup(parquetMark); !ok || v != "1" {
		t.Error("the file does not say who wrote it")
	}
	for i, want := range []struct {
		low, high string // of the runs
		tags      bool   // the least and greatest tag are short enough to be said
	}{{"run 0", "run 3", true}, {"run 3", "run 6", false}, {"run 6", "run 7", false}} {
		columns := f.Metadata().RowGroups[i].Columns
		if s := columns[0].MetaData.Statistics; string(s.MinValue) != want.low || string(s.MaxValue) != want.high {
			t.Errorf("group %d: runs from %q to %q, want %q to %q", i, s.MinValue, s.MaxValue, want.low, want.high)
		}
		if s := columns[1].MetaData.Statistics; (s.MinValue != nil) != want.tags {
			t.Errorf("group %d: tags from %q to %q", i, s.MinValue, s.MaxValue)
		}
		if s := columns[4].MetaData.Statistics; (s.MinValue != nil) != (i == 2) {
			t.Errorf("group %d: bounds of values of which some are none: %v", i, s)
		}
	}
}

// A file of no rows is one, and a disk that is full is said.
func TestParquetEnds(t *testing.T) {
	var out bytes.Buffer
	if err := newParquet(&out).end(); err != nil {
		t.Fatal(err)
	}
	if got, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	full := errors.New("full")
	for room := range 400 {
		w := newParquet(&limited{room: room, err: full})
		_ = w.points("run", "tag", &series.Columns{Step: []float64{1}, Wall: []float64{2}, Value: []float64{3}})
		if err := w.end(); !errors.Is(err, full) {
			t.Fatalf("with room for %d bytes: %v", room, err)
		}
	}
}

// limited takes so many bytes.
type limited struct {
	room int
	err  error
}

func (l *limited) Write(b []byte) (int, error) {
	if l.room -= len(b); l.room < 0 {
		return 0, l.err
	}
	return len(b), nil
}
