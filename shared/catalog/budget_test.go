package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/series"
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

// Most thins the series that are longer, however often it is called, and no others.
func TestMost(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(9000) {
		for k, tag := range []string{"short", "long", "middling"} {
			if i < []int64{70, 9000, 2500}[k] {
				w.Scalar(tag, float64(i%97), i)
			}
		}
	}
	c := New()
	r := c.Run("r")
	r.AddFile("r/tfevents").Feed(w.Bytes(), true)
	kept := func(tag string) int64 {
		_, n := r.Count(r.Lookup(tag))
		return n
	}
	for _, o := range []struct {
		most     int64
		thinned  string
		leastOf3 int64
	}{{9000, "", 70}, {4000, "long", 70}, {4000, "", 70}, {1000, "long middling", 70}, {2000, "", 70}, {1, "long middling short", 10}, {MinCap, "", 10}} {
		was := map[string]int64{}
		for _, tag := range []string{"short", "long", "middling"} {
			was[tag] = kept(tag)
		}
		c.Most(o.most)
		thinned := ""
		for _, tag := range []string{"long", "middling", "short"} {
			n := kept(tag)
			if n < was[tag] {
				thinned += " " + tag
			}
			if n > was[tag] || n < o.leastOf3 || n > max(o.most, MinCap)*5/4 {
				t.Errorf("at most %d points a series: %d of %s are kept, %d were", o.most, n, tag, was[tag])
			}
		}
		if thinned = strings.TrimSpace(thinned); thinned != o.thinned {
			t.Errorf("at most %d points a series: %q were thinned, want %q", o.most, thinned, o.thinned)
		}
	}
}

// A run that is thinned in turns is at the end as one that is thinned at once.
func TestThinnedInTurns(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(5000) {
		for k, tag := range []string{"a", "b", "c", "d"} {
			if i < int64(50+1500*k) {
				w.Scalar(tag, float64(i*7919%(97+int64(k))), i)
			}
		}
	}
	var once, turns Catalog
	once.Runs, turns.Runs = map[string]*Run{}, map[string]*Run{}
	for _, c := range []*Catalog{&once, &turns} {
		c.Run("r").AddFile("r/tfevents").Feed(w.Bytes(), true)
	}
	once.Runs["r"].ThinTo(1000, nil)
	n := 1
	for ; !turns.Runs["r"].ThinTo(1000, func() bool { return true }); n++ {
		if n > 4 {
			t.Fatal("there is no end to it")
		}
	}
	if n != 4 { // three series are thinned, and then none is left
		t.Errorf("it took %d turns", n)
	}
	if a, b := once.Weight(), turns.Weight(); a != b || a > 5000 {
		t.Errorf("weights %d and %d", a, b)
	}
	for _, tag := range []string{"a", "b", "c", "d"} {
		var a, b series.Columns
		once.Runs["r"].Scalars(once.Runs["r"].Lookup(tag), &a)
		turns.Runs["r"].Scalars(turns.Runs["r"].Lookup(tag), &b)
		if !slices.Equal(a.Step, b.Step) || !slices.Equal(a.Value, b.Value) || a.Len() == 0 {
			t.Errorf("%s: %d and %d points", tag, a.Len(), b.Len())
		}
	}
}
