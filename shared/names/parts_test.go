package names

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Names are cut where people see parts: numbers, their signs and their dots stay whole.
func TestParts(t *testing.T) {
	for name, want := range map[string]string{
		"a/b_c=1": "a/|b_|c=1", "seed_1": "seed_1", "lr=1e-05": "lr=1e-05", "x-y": "x-|y", "0.5": "0.5", "v1.2": "v1.2", "k=.5": "k=.5",
		"layers.0.bias": "layers.|0.|bias", "a,b;c d": "a,|b;|c |d", "end/": "end/", "": "", ".x": ".x", "a_9/b": "a_9/|b", "a_:b": "a_|:b", "é.x": "é.|x",
	} {
		if got := strings.Join(parts(name), "|"); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// Of thousands of names one alone that lacks a part is enough for that part to stay, wherever it is.
func TestManyKeepWhatOneLacks(t *testing.T) {
	for _, odd := range []int{0, 1, 1234, 2998, 2999} {
		var list []string
		for i := range 3000 {
			list = append(list, fmt.Sprintf("model_resnet,warmup=1000,width=64,seed=%d", i))
		}
		whole := NewMany(list, 16, wide).Common
		list[odd] = "model_resnet,warmup=7,width=64,seed=5000"
		m := NewMany(list, 16, wide)
		if !strings.Contains(whole, "warmup=1000") || strings.Contains(m.Common, "warmup=1000") || !strings.Contains(m.Common, "width=64") {
			t.Errorf("name %d is odd: %q is common, and %q without it", odd, m.Common, whole)
		}
	}
}

// What names lose because one alone of thousands is too long is told as common.
func TestManyWithALongOne(t *testing.T) {
	var list []string
	for i := range 3000 {
		list = append(list, fmt.Sprintf("run/a%d", i))
	}
	short := NewMany(list, 16, wide)
	list[1234] = "run/longer_than_others"
	m := NewMany(list, 16, wide)
	if short.Common != "" || !strings.HasPrefix(m.Common, "run/") {
		t.Errorf("%q is common, and %q with a long name: %q", short.Common, m.Common, m.Texts([]int{1233, 1234}))
	}
}

// Names fit by what they measure, and stay as they are where they do.
func TestFit(t *testing.T) {
	list := []string{"exp/lr=4.02e-05_seed=1", "exp/lr=4.02e-05_seed=2"}
	double := func(s string) float64 { return 2 * wide(s) }
	for room, want := range map[float64][]string{44: list, 43: {"seed=1", "seed=2"}} {
		if got, _ := Fit(list, room, double, Short); !slices.Equal(got, want) {
			t.Errorf("in %v: %q, want %q", room, got, want)
		}
	}
	m := NewMany(list, 43, double)
	if !m.Same(slices.Clone(list), 43) || m.Same(list, 42) || m.Same(list[:1], 43) || !slices.Equal(m.All(), []string{"seed=1", "seed=2"}) {
		t.Errorf("%q", m.All())
	}
}
