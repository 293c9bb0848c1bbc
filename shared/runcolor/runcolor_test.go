package runcolor

import (
	"fmt"
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
	if o := fnvOffset; hash(o, "🦊") != ((o^0xd83e)*fnvPrime^0xdd8a)*fnvPrime {
		t.Error("a letter of two code units is both of them")
	}
}

// least returns the least distance of two of the runs' colours, on either ground.
func least(t *testing.T, c *Colors, runs []string) float64 {
	t.Helper()
	out := math.Inf(1)
	for _, dark := range []bool{false, true} {
		var labs []Lab
		for _, r := range runs {
			lab, ok := LabOf(c.Hex(r, dark))
			if !ok {
				t.Fatalf("%s has the colour %q", r, c.Hex(r, dark))
			}
			for _, o := range labs {
				out = min(out, Distance(lab, o))
			}
			labs = append(labs, lab)
		}
	}
	return out
}

func sweep(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("run_%03d", i))
	}
	return out
}

// The colours that TensorBored gives to runs of these names.
func TestOfTheName(t *testing.T) {
	all := []string{"adam", "sgd", "train", "eval"}
	c := Assign(all, all, Choices{})
	for _, run := range all {
		if got, want := c.Hex(run, false), Hex(0.65, 0.155, hueOf(hash(fnvOffset, "run|defaultExperimentId/"+run))); got != want {
			t.Errorf("%s: %s, want %s", run, got, want)
		}
	}
}

// What is shown together can be told apart, however many runs there are.
func TestShownTogether(t *testing.T) {
	all := sweep(600)
	for _, n := range []int{2, 8, 20, 40} {
		for seed := range uint64(30) {
			rng := rand.New(rand.NewPCG(seed, 1))
			shown := slices.Clone(all[:n])
			switch {
			case seed == 1:
				shown = slices.Clone(all[600-n:])
			case seed > 1:
				rng.Shuffle(600, func(i, j int) { all[i], all[j] = all[j], all[i] })
				shown = slices.Clone(all[:n])
			}
			if d := least(t, Assign(all, shown, Choices{}), shown); d < 0.04 {
				t.Errorf("%d of 600 runs, selection %d: two colours are only %.3f apart", n, seed, d)
			}
			slices.Sort(all)
		}
	}
	for _, n := range []int{100, 1000} { // more than can be told apart: none equal while there is room
		all := sweep(n)
		if d := least(t, Assign(all, all, Choices{}), all); n <= 100 && d == 0 {
			t.Errorf("%d runs: two have the same colour", n)
		}
	}
}

// Neither the order in which runs came counts, nor which were seen before.
func TestOrderDoesNotCount(t *testing.T) {
	for _, n := range []int{5, 30, 200} {
		all := sweep(n)
		want := Assign(all, all[:5], Choices{})
		for seed := range uint64(10) {
			mixed := slices.Clone(all)
			rand.New(rand.NewPCG(seed, 2)).Shuffle(n, func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			shown := slices.DeleteFunc(slices.Clone(mixed), func(r string) bool { return r >= all[min(5, n-1)] && n > 5 })
			got := Assign(mixed, shown, Choices{})
			for _, r := range all {
				if got.Hex(r, false) != want.Hex(r, false) {
					t.Fatalf("%d runs: the order changed the colour of %s", n, r)
				}
			}
		}
	}
}

// Of few runs, switching some off changes the colour of none.
func TestSwitchingOff(t *testing.T) {
	all := sweep(40)
	c, some := Assign(all, all, Choices{}), Assign(all, all[7:20], Choices{})
	for _, r := range all {
		if c.Hex(r, true) != some.Hex(r, true) {
			t.Errorf("%s has another colour when others are off", r)
		}
	}
}

// A colour that the user chose stays, and no other run has one like it.
func TestChosen(t *testing.T) {
	all := sweep(30)
	first := Assign(all, all, Choices{}).Hex(all[3], false)
	c := Assign(all, all, Choices{Runs: map[string]string{all[9]: first}})
	if c.Hex(all[9], false) != first || c.Hex(all[9], true) != first {
		t.Error("the chosen colour is not used")
	}
	if d := least(t, c, all); d < 0.04 {
		t.Errorf("two colours are %.3f apart", d)
	}
}

func TestGroups(t *testing.T) {
	g, err := ByRegexp(`(adam|sgd).*/(train|eval)`)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{"adam_1/train", "adam_2/train", "adam_1/eval", "sgd_1/train", "other"}
	c := Assign(all, all, Choices{By: g})
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
	c = Assign(all, all, Choices{By: g, Groups: map[string]string{key: "#123456"}, Runs: map[string]string{"adam_2/train": "#654321"}})
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

func TestSpread(t *testing.T) {
	for _, n := range []int{0, 1, 2, 12, 13, 20} {
		c := &Colors{my: map[string]string{}}
		runs := sweep(n)
		for i, hex := range Spread(n) {
			c.my[runs[i]] = hex
		}
		if d := least(t, c, runs); d < 0.045 {
			t.Errorf("%d colours: two are %.3f apart", n, d)
		}
	}
}

func BenchmarkAssign(b *testing.B) {
	all := sweep(10000)
	for b.Loop() {
		Assign(all, all[:crowd], Choices{})
	}
}

// As many runs as are all shown when the user has said nothing share the colours that there
// are, and not the few hues of their names.
func TestManyShown(t *testing.T) {
	var all []string
	for i := range 500 {
		all = append(all, fmt.Sprintf("run_%03d", i))
	}
	c := Assign(all, all, Choices{})
	seen := map[string]bool{}
	for _, r := range all {
		seen[c.Hex(r, false)] = true
	}
	if len(seen) < 300 {
		t.Errorf("%d colours for 500 runs", len(seen))
	}
}
