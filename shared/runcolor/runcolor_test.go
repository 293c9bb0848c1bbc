package runcolor

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The colours that TensorBored's own sampler prints.
func TestHex(t *testing.T) {
	for _, c := range []struct {
		l, c float64
		want []string
	}{
		{0.7, 0.15, []string{"#e7729b", "#93ab2c", "#26a9f1"}},
		{0.7, 0.15, []string{"#e7729b", "#d78c00", "#5db65f", "#00b4d9", "#9b8df5"}},
		{0.65, 0.18, []string{"#e2568b", "#e46212", "#ba8600", "#5aa61b", "#00b093", "#00a2e0", "#6684fb", "#b767d9"}},
	} {
		for i, want := range c.want {
			hue := math.Mod(float64(i)*360/float64(len(c.want)), 360)
			if got := Hex(c.l, c.c, hue); got != want {
				t.Errorf("hue %g: got %s, want %s", hue, got, want)
			}
		}
	}
}

// FNV-1a's published values, and a code unit above a byte.
func TestHash(t *testing.T) {
	for s, want := range map[string]uint32{"": 0x811c9dc5, "a": 0xe40c292c, "foobar": 0xbf9cf968} {
		if got := hash(fnvOffset, s); got != want {
			t.Errorf("%q: %#x, want %#x", s, got, want)
		}
	}
	if o := fnvOffset; hash(o, "é€") != ((o^0xe9)*fnvPrime^0x20ac)*fnvPrime {
		t.Error("code units above 255 must be mixed in whole")
	}
}

func TestStable(t *testing.T) {
	var a, b Palette
	a.Add([]string{"train", "eval", "base"})
	b.Add([]string{"base", "eval", "train"})
	for _, n := range []string{"train", "eval", "base"} {
		if a.Hue(n) != b.Hue(n) {
			t.Errorf("%s: the order of arrival changed its colour", n)
		}
	}
	before := a.Hue("train")
	a.Add([]string{"aardvark", "train"})
	if a.Hue("train") != before {
		t.Error("a later run took a colour away")
	}
}

func TestGaps(t *testing.T) {
	for _, n := range []int{2, 8, 12, 20} {
		var p Palette
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("sweep/run_%d", i))
		}
		p.Add(names)
		var hues []float64
		for _, name := range names {
			hues = append(hues, p.Hue(name))
		}
		slices.Sort(hues)
		least := hues[0] + 360 - hues[n-1]
		for i := 1; i < n; i++ {
			least = min(least, hues[i]-hues[i-1])
		}
		// The search is greedy: half an even share is what it can promise when full.
		if want := min(minGap, 360/float64(n)/2-4); least < want {
			t.Errorf("%d runs: least gap %.1f°, want %.1f°", n, least, want)
		}
	}
}

func BenchmarkAdd10000(b *testing.B) {
	names := make([]string, 10000)
	for i := range names {
		names[i] = fmt.Sprint("run_", i)
	}
	for b.Loop() {
		var p Palette
		p.Add(names)
	}
}
