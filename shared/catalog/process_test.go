package catalog

import (
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// The time at work is that since the first event, less the pauses between jobs, whichever
// way the jobs overlap and stand in files.
func TestProcessTimes(t *testing.T) {
	// job logs two tags at wall times, each of a step of its own.
	job := func(w *summary.Buffer, step int64, walls ...float64) {
		for i, at := range walls {
			if err := w.Scalar([]string{"a", "b"}[i%2], 1, step+int64(i), summary.WallSeconds(at)); err != nil {
				t.Fatal(err)
			}
		}
	}
	m := source.Mem{}
	m["r/tfevents.1"] = file(t, summary.Options{NoVersion: true}, func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: 1000, FileVersion: summary.FileVersion}) // the job starts 3 s before it logs
		job(w, 0, 1003, 1010, 1020)
		w.SessionStart(3, summary.WallSeconds(1100)) // again after 80 s
		job(w, 3, 1100, 1107)
	})
	m["r/tfevents.2"] = file(t, summary.Options{NoVersion: true}, func(w *summary.Buffer) { job(w, 5, 1105, 1120) }) // while the one before still logs
	m["r/tfevents.3"] = file(t, summary.Options{NoVersion: true}, func(w *summary.Buffer) { job(w, 7, 1500, 1501) }) // after 380 s
	r := load(t, m).Runs["r"]
	walls := []float64{1000, 1003, 1020, 1100, 1107, 1120, 1500, 1501, 999, 1099}
	got := r.ProcessTimes([]float64{-1}, walls)
	// A pause is taken off when it is over: 1099 lies in one.
	want := []float64{-1, 0, 3, 20, 20, 27, 40, 40, 41, -1, 99}
	if !slices.Equal(got, want) {
		t.Errorf("at work for %v, want %v", got, want)
	}
	if got := load(t, source.Mem{"r/tfevents": m["r/tfevents.2"]}).Runs["r"].ProcessTimes(nil, []float64{1105, 1120}); !slices.Equal(got, []float64{0, 15}) {
		t.Errorf("of one job: %v", got)
	}
}
