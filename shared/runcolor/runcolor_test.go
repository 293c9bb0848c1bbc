package runcolor

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
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

// machado are simulations of protanopia, deuteranopia and tritanopia on linear sRGB: Machado,
// Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency" (2009), severity 1.0.
var machado = [...][9]float64{
	{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// brettel are others: Brettel, Viénot and Mollon (1997), two half planes each, with
// the numbers of libDaltonLens.
var brettel = [...]struct {
	a, b   [9]float64
	normal [3]float64
}{
	{[9]float64{0.14980, 1.19548, -0.34528, 0.10764, 0.84864, 0.04372, 0.00384, -0.00540, 1.00156},
		[9]float64{0.14570, 1.16172, -0.30742, 0.10816, 0.85291, 0.03892, 0.00386, -0.00524, 1.00139}, [3]float64{0.00048, 0.00393, -0.00441}},
	{[9]float64{0.36477, 0.86381, -0.22858, 0.26294, 0.64245, 0.09462, -0.02006, 0.02728, 0.99278},
		[9]float64{0.37298, 0.88166, -0.25464, 0.25954, 0.63506, 0.10540, -0.01980, 0.02784, 0.99196}, [3]float64{-0.00281, -0.00611, 0.00892}},
	{[9]float64{1.01277, 0.13548, -0.14826, -0.01243, 0.86812, 0.14431, 0.07589, 0.80500, 0.11911},
		[9]float64{0.93678, 0.18979, -0.12657, 0.06154, 0.81526, 0.12320, -0.37562, 1.12767, 0.24796}, [3]float64{0.03901, -0.02788, -0.01113}},
}

// blinded is a colour as it is seen by the colour blind, by all simulations.
func blinded(hex string) (out []Lab) {
	rgb, _ := rgbOf(hex)
	v := [3]float64{linear(rgb[0]), linear(rgb[1]), linear(rgb[2])}
	mul := func(m [9]float64) Lab {
		fit := func(x float64) float64 { return min(1, max(0, x)) }
		return labOfLinear(fit(m[0]*v[0]+m[1]*v[1]+m[2]*v[2]), fit(m[3]*v[0]+m[4]*v[1]+m[5]*v[2]), fit(m[6]*v[0]+m[7]*v[1]+m[8]*v[2]))
	}
	for i := range machado {
		out = append(out, mul(machado[i]))
		o := brettel[i]
		if o.normal[0]*v[0]+o.normal[1]*v[1]+o.normal[2]*v[2] >= 0 {
			out = append(out, mul(o.a))
		} else {
			out = append(out, mul(o.b))
		}
	}
	return out
}

// least are the least distances of two of the runs' colours, OKLab × 100: on either ground,
// and for the colour blind.
func least(t *testing.T, c *Colors, runs []string) (all, blind float64) {
	t.Helper()
	all, blind = math.Inf(1), math.Inf(1)
	for _, dark := range []bool{false, true} {
		var labs []Lab
		var theirs [][]Lab
		for _, r := range runs {
			lab, ok := LabOf(c.Hex(r, dark))
			if !ok {
				t.Fatalf("%s has the colour %q", r, c.Hex(r, dark))
			}
			seen := blinded(c.Hex(r, dark))
			for i, o := range labs {
				all = min(all, 100*Distance(lab, o))
				for k := range seen {
					blind = min(blind, 100*Distance(seen[k], theirs[i][k]))
				}
			}
			labs, theirs = append(labs, lab), append(theirs, seen)
		}
	}
	return all, blind
}

// apartEnough fails where so many runs are nearer to each other than they may be.
func apartEnough(t *testing.T, what string, c *Colors, shown []string) {
	t.Helper()
	all, blind := least(t, c, shown)
	want := 0.0
	switch n := len(shown); {
	case n <= 12:
		want = 11
	case n <= 30:
		want = 7
	}
	if all < want {
		t.Errorf("%s, %d lines: two are %.1f apart, not %v", what, len(shown), all, want)
	}
	if len(shown) <= 8 && blind < 7 {
		t.Errorf("%s, %d lines: two are %.1f apart for the colour blind", what, len(shown), blind)
	}
}

func sweep(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("run_%03d", i))
	}
	return out
}

// draw are n of some runs.
func draw(rng *rand.Rand, all []string, n int) []string {
	all = slices.Clone(all)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:n]
}

// contrast is WCAG's.
func contrast(a, b string) float64 {
	light := func(hex string) float64 {
		rgb, _ := rgbOf(hex)
		return 0.2126*linear(rgb[0]) + 0.7152*linear(rgb[1]) + 0.0722*linear(rgb[2]) + 0.05
	}
	x, y := light(a), light(b)
	return max(x, y) / min(x, y)
}

// What is shown first, in a new browser, is told apart on both grounds, and seen on them.
func TestFirstShown(t *testing.T) {
	for n := 2; n <= 30; n++ {
		shown := sweep(n)
		c := Assign(shown, Choices{})
		apartEnough(t, "at first", c, shown)
		if close := c.Close(); close != nil {
			t.Errorf("%d lines: others are offered for %v", n, close)
		}
	}
	for i, o := range palette {
		var bits uint32
		for k, p := range palette {
			d := math.Inf(1)
			for ground := range o {
				x, y := blinded(o[ground]), blinded(p[ground])
				for j := range x {
					d = min(d, 100*Distance(x[j], y[j]))
				}
			}
			if d < 7 {
				bits |= 1 << k
			}
		}
		if bits != blind[i] {
			t.Errorf("colour %d: the blind confuse it with %#x, not %#x", i, bits, blind[i])
		}
		if a, b := contrast(o[0], "#ffffff"), contrast(o[1], "#161b22"); a < 3 || b < 4 {
			t.Errorf("colour %d has contrasts of %.2f and %.2f", i, a, b)
		}
		for _, p := range palette[:i] {
			x, y := sightOf(o[0], o[1]), sightOf(p[0], p[1])
			if d := x.apart(&y); d >= TooClose && d < 11 {
				t.Errorf("%v and %v are %.1f apart: neither far, nor near enough for an offer", o, p, d)
			}
		}
	}
}

// Of 1000 runs any 2 to 12 are told apart, after the offer, whatever was shown before; what is
// shown keeps its colour but for those that are offered another.
func TestAnyOfThem(t *testing.T) {
	all := sweep(1000)
	given, offers := Given(nil), 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		if seed%100 == 0 {
			given = nil
		}
		shown := draw(rng, all, 2+int(seed%11))
		if seed%50 == 7 {
			shown = draw(rng, all, 40)
		}
		c := Assign(shown, Choices{Given: given})
		for run, slot := range given {
			if c.Given()[run] != slot {
				t.Fatalf("draw %d: %s has another colour", seed, run)
			}
		}
		close := c.Close()
		if all, _ := least(t, c, shown); len(shown) <= 12 && all < TooClose && close == nil {
			t.Errorf("draw %d: two of %d are %.1f apart, and no others are offered", seed, len(shown), all)
		}
		given = c.Recolor()
		for run, slot := range c.Given() {
			if given[run] != slot && !slices.Contains(close, run) {
				t.Errorf("draw %d: %s was recoloured, too", seed, run)
			}
		}
		if close != nil {
			offers++
			if c = Assign(shown, Choices{Given: given}); c.Close() != nil {
				t.Errorf("draw %d: after the offer another one: %v of %v", seed, c.Close(), shown)
			}
		}
		if len(shown) <= 12 {
			apartEnough(t, fmt.Sprint("draw ", seed), c, shown)
		}
	}
	if offers < 100 {
		t.Errorf("%d offers: not much was drawn", offers)
	}
}

// Neither the order in which runs are listed counts, nor how often one looks.
func TestOrderDoesNotCount(t *testing.T) {
	for _, n := range []int{5, 30, 200} {
		all := sweep(n)
		want := Assign(all, Choices{}).Given()
		for seed := range uint64(10) {
			got := Assign(draw(rand.New(rand.NewPCG(seed, 2)), all, n), Choices{})
			if !maps.Equal(got.Given(), want) || !maps.Equal(Assign(all, Choices{Given: want}).Given(), want) {
				t.Fatalf("%d runs: the order changed colours", n)
			}
		}
	}
}

// A run that is switched off and on again, or that others join, has its colour.
func TestKept(t *testing.T) {
	all := sweep(60)
	given := Assign(all[:20], Choices{}).Given()
	for _, shown := range [][]string{all[7:9], all[:20], all[:30], all} {
		c := Assign(shown, Choices{Given: given})
		for run, slot := range given {
			if c.Hex(run, true) != SlotHex(slot, true) {
				t.Errorf("%s has another colour when %d are shown", run, len(shown))
			}
		}
		given = c.Given()
	}
}

// A colour that the user chose stays, and no other run has one like it, or gets another on
// demand; what is not shown has none.
func TestChosen(t *testing.T) {
	all := sweep(12)
	first := Assign(all, Choices{}).Given()
	hand := map[string]string{all[9]: SlotHex(first[all[3]], false)}
	c := Assign(all, Choices{Runs: hand})
	if c.Hex(all[9], false) != hand[all[9]] || c.Hex(all[9], true) != hand[all[9]] {
		t.Error("the chosen colour is not used")
	}
	if d, _ := least(t, c, all); d < 7 {
		t.Errorf("two colours are %.1f apart", d)
	}
	c = Assign(all, Choices{Runs: hand, Given: first})
	if close := c.Close(); !slices.Contains(close, all[3]) || slices.Contains(close, all[9]) {
		t.Errorf("others are offered for %v", close)
	}
	if c.Hex("another", false) != Inactive(false) {
		t.Error("what was never shown has a colour")
	}
}

// Beyond twelve lines dashes tell them apart, too: of up to a hundred none are alike.
func TestDashes(t *testing.T) {
	for _, n := range []int{2, 12, 13, 30, 31, 100} {
		shown, alike, dashed := sweep(n), map[string]string{}, 0
		c := Assign(shown, Choices{})
		for _, run := range shown {
			look := fmt.Sprint(c.Hex(run, false), c.Dash(run))
			if o := alike[look]; o != "" {
				t.Errorf("%d lines: %s and %s are %s", n, run, o, look)
			}
			alike[look] = run
			dashed += min(1, c.Dash(run))
		}
		if (n > 12) != (dashed > 0) {
			t.Errorf("%d lines: %d are dashed", n, dashed)
		}
	}
	Assign(sweep(10000), Choices{}) // comes to an end
}

func TestGroups(t *testing.T) {
	g, err := ByRegexp(`(adam|sgd).*/(train|eval)`)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"adam_1/train", "adam_2/train", "adam_1/eval", "sgd_1/train", "other"}
	c := Assign(all, Choices{By: g})
	hex := func(i int) string { return c.Hex(all[i], false) }
	if hex(0) != hex(1) || hex(0) == hex(2) || hex(0) == hex(3) {
		t.Error("runs of equal captures have one colour, others another")
	}
	if hex(4) != Inactive(false) {
		t.Error("a run that does not match is grey")
	}
	key, _ := g.Key(all[0])
	if key != `["adam","train"]` || g.Label(key) != "adam, train" {
		t.Errorf("key %s, label %s", key, g.Label(key))
	}
	c = Assign(all, Choices{By: g, Groups: map[string]string{key: "#123456"}, Runs: map[string]string{"adam_2/train": "#654321"}})
	if hex(0) != "#123456" || hex(1) != "#654321" {
		t.Error("the group's colour goes before the name's, the run's before both")
	}
	plain, _ := ByRegexp(`adam`)
	if a, _ := plain.Key("adam_1"); a != "pseudo_group" {
		t.Errorf("without captures all that match are one group: %q", a)
	}
	if _, err := ByRegexp("("); err == nil {
		t.Error("no error")
	}
}

func BenchmarkAssign(b *testing.B) {
	all := sweep(10000)
	for b.Loop() {
		Assign(all, Choices{})
	}
}

func BenchmarkAssign100(b *testing.B) {
	all := sweep(100)
	for b.Loop() {
		Assign(all, Choices{}).Close()
	}
}
