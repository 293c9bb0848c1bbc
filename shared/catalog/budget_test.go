package catalog

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// What is kept by reference counts: a logdir of many texts leaves less room for curves.
func TestReferencesWeigh(t *testing.T) {
	read := func(texts int64) *Catalog {
		w := summary.NewBuffer(summary.Options{})
		for i := range int64(20_000) {
			w.Scalar("loss", float64(i%97), i)
		}
		for i := range texts {
			w.Text("notes", "x", i)
		}
		c := New()
		c.Run("r").AddFile("r/tfevents").Feed(w.Bytes(), true)
		return c
	}
	none, many := read(0), read(3000)
	if got := many.Weight() - none.Weight(); got-many.Runs["r"].Files[0].names/nameWeight+none.Runs["r"].Files[0].names/nameWeight != 3000*refWeight {
		t.Errorf("3000 references weigh %d points", got)
	}
	const limit = 25_000
	for _, c := range []*Catalog{none, many} {
		c.Fit(limit, 0)
		if w := c.Weight(); w > limit+limit/8 {
			t.Errorf("%d points are kept of %d", w, limit)
		}
	}
	_, more := none.Runs["r"].Points()
	_, less := many.Runs["r"].Points()
	if less-3000 >= more {
		t.Errorf("%d points are kept beside references, %d without any", less-3000, more)
	}
}

// Most says that it changed something if it did so with any of the series.
func TestMostTellsWhatChanged(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(9000) {
		for k, tag := range []string{"short", "long", "middling"} {
			if i < []int64{70, 9000, 2500}[k] {
				w.Scalar(tag, float64(i%97), i)
			}
		}
	}
	c := New()
	c.Run("r").AddFile("r/tfevents").Feed(w.Bytes(), true)
	for _, o := range []struct {
		most    int64
		changed bool
	}{{9000, false}, {4000, true}, {4000, false}, {1000, true}, {2000, false}, {1, true}, {minCap, false}} {
		if changed := c.Most(o.most); changed != o.changed {
			t.Errorf("at most %d points a series: changed %v", o.most, changed)
		}
	}
	if _, kept := c.Runs["r"].Points(); kept < 60 || kept > 3*minCap*5/4 {
		t.Errorf("%d points of three series are kept", kept)
	}
}
