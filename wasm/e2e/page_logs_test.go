//go:build !js

package e2e

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// pins is a logdir whose curves are known exactly. Steps go from 0 to 100.
//
//	alpha           flat/level 2, line/up = step, pow/ten = 10^(step/25),
//	                spike/one = 1 + step/100 but 1000 at step 50,
//	                stairs/up = 0 below step 50, then 10, lone = 3 at step 7
//	beta            flat/level 4, line/up = 100 − step, many/t000 … t129 = 0, 1
//	sweep/s1 … s3   flat/level 6, 8, 10
//	solo/x          flat/level 12, named/about: shown as "Shown name", with words
//
// Each begins 100 s after the one before; a step takes alpha 10 s and the others 20 s.
func pins(t *testing.T) *logs {
	t.Helper()
	l := newLogs(t)
	put := func(run string, start, pace float64, tags map[string]func(step int64) (float64, bool), more func(w *summary.Buffer)) {
		l.put(l.path(run, "1700000000.host.1.0"), bytesOf(start, func(w *summary.Buffer) {
			for step := range int64(101) {
				for _, tag := range sortedKeys(tags) {
					if v, ok := tags[tag](step); ok {
						if err := w.Scalar(tag, v, step, summary.WallSeconds(start+pace*float64(step))); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if more != nil {
				more(w)
			}
		}))
	}
	level := func(v float64) func(int64) (float64, bool) {
		return func(int64) (float64, bool) { return v, true }
	}
	put("alpha", epoch, 10, map[string]func(int64) (float64, bool){
		"flat/level": level(2),
		"line/up":    func(s int64) (float64, bool) { return float64(s), true },
		"pow/ten":    func(s int64) (float64, bool) { return math.Pow(10, float64(s)/25), true },
		"spike/one": func(s int64) (float64, bool) {
			return map[bool]float64{true: 1000, false: 1 + float64(s)/100}[s == 50], true
		},
		"stairs/up": func(s int64) (float64, bool) { return map[bool]float64{true: 10}[s >= 50], true },
		"lone":      func(s int64) (float64, bool) { return 3, s == 7 },
	}, nil)
	beta := map[string]func(int64) (float64, bool){
		"flat/level": level(4),
		"line/up":    func(s int64) (float64, bool) { return float64(100 - s), true },
	}
	for i := range 130 {
		beta[fmt.Sprintf("many/t%03d", i)] = func(s int64) (float64, bool) { return float64(s), s < 2 }
	}
	put("beta", epoch+100, 20, beta, nil)
	for i := range 3 {
		put(fmt.Sprintf("sweep/s%d", i+1), epoch+200+100*float64(i), 20, map[string]func(int64) (float64, bool){"flat/level": level(float64(6 + 2*i))}, nil)
	}
	put("solo/x", epoch+500, 20, map[string]func(int64) (float64, bool){"flat/level": level(12)}, func(w *summary.Buffer) {
		for step := range int64(2) {
			if err := w.Scalar("named/about", 1, step, summary.WallSeconds(epoch+500), summary.AsTensor(), summary.DisplayName("Shown name"), summary.Description("What it *means*")); err != nil {
				t.Fatal(err)
			}
		}
	})
	return l
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// pinRuns are the runs of pins as the list shows them, in its order.
var pinRuns = []string{"alpha", "beta", "solo/x", "[sweep 3]", "s1", "s2", "s3"}

// silent writes an event without a scalar.
func silent(w *summary.Buffer) {
	w.Raw(summary.Event{WallTime: epoch, LogMessage: "nothing but words"})
}
