package runcolor

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
)

// Runs that repeat each other are found by their names, and no others are taken for such.
func TestRepeats(t *testing.T) {
	of := func(format string, n ...int) (runs []string) {
		if len(n) == 1 {
			for i := range n[0] {
				runs = append(runs, fmt.Sprintf(format, i))
			}
			return runs
		}
		for i := range n[0] {
			for k := range n[1] {
				runs = append(runs, fmt.Sprintf(format, i, k))
			}
		}
		return runs
	}
	for _, k := range []struct {
		runs      []string
		groups, n int
		label     string // of the first run's group
	}{
		{of("lr=%d/seed=%d", 3, 5), 3, 5, "lr=0"},
		{of("lr=%d_seed%d", 2, 2), 2, 2, "lr=0"},
		{of("ppo-%d, seed: %d/eval", 2, 4), 2, 4, "ppo-0, /eval"},
		{of("RandomSeed_%d", 3), 1, 3, ""},
		{of("model%d/fold_%d", 2, 10), 2, 10, "model0"},
		{of("a%d/s%d", 2, 3), 2, 3, "a0"},
		{append(of("x/seed%d", 4), "baseline"), 1, 4, "x"},
		{of("s%d", 30), 0, 0, ""},    // a sweep's numbers
		{of("run_%d", 30), 0, 0, ""}, // the same
		{of("seed=%d", 2), 0, 0, ""}, // two are no sample
		{of("reps%d/x", 30), 0, 0, ""},
		{append(of("seed%d", 3), of("other%d", 9)...), 0, 0, ""},
		{nil, 0, 0, ""},
	} {
		expression, groups, n := Repeats(k.runs)
		if groups != k.groups || n != k.n {
			t.Errorf("%q: %d groups of up to %d, want %d of %d", k.runs, groups, n, k.groups, k.n)
			continue
		}
		if groups == 0 {
			continue
		}
		by, err := ByRegexp(expression)
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, run := range k.runs {
			if key, ok := by.Key(run); ok {
				count[key]++
			}
		}
		key, _ := by.Key(k.runs[0])
		if got := by.Label(key); len(count) != k.groups || count[key] != k.n || got != k.label {
			t.Errorf("%q in groups: %v, the first is called %q, want %q", k.runs, count, got, k.label)
		}
	}
}

// What no expression is asked about would be found by none.
func TestNumbered(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"seed", "Seed", "state", "random", "S", "s", "rep", "repeat", "fold", "split", "replicate", "-", "_", "=", " ", ":", "/", "1", "23", "x"}
	found := 0
	for range 3000 {
		text := ""
		for range 1 + r.IntN(7) {
			text += pieces[r.IntN(len(pieces))]
		}
		for _, w := range seedWords {
			if is := regexp.MustCompile(`(?i:` + w.word + `)[-_=: ]{0,2}\d`).MatchString(text); is {
				found++
				if !numbered(text, w.ends) {
					t.Fatalf("%q has a number behind %s", text, w.word)
				}
			}
		}
	}
	if found < 500 || numbered("run_000", []string{"s"}) || numbered("resnet", []string{"s"}) {
		t.Error(found, "are numbered")
	}
}
