package names

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is cut is cut where names are the same.
func TestShort(t *testing.T) {
	for _, o := range []struct {
		width  int
		names  string
		want   string
		common string
	}{
		{20, "adam sgd", "adam|sgd", ""},
		{14, "sweep/relu_t0=2_kH=0.001 sweep/relu_t0=2_kH=0.002", "kH=0.001|kH=0.002", "sweep/relu_t0=2_…"},
		{20, "sweep/relu_t0=2_kH=0.001_s=1 sweep/relu_t0=2_kH=0.002_s=1 sweep/gelu_t0=2_kH=0.002_s=1", "relu_…kH=0.001|relu_…kH=0.002|gelu_…kH=0.002", "sweep/…t0=2_…s=1"},
		{12, "exp/lr=4.02e-05_seed=1 exp/lr=4.02e-05_seed=2", "seed=1|seed=2", "exp/lr=4.02e-05_…"},
		{12, "exp/lr=4.02e-05 exp/lr=4.02e-04", "lr=4.02e-05|lr=4.02e-04", "exp/…"},
		{10, "aaaaaaaaaaaaaaaaaaaa1bbbbbbbbbbbbbbbbb aaaaaaaaaaaaaaaaaaaa2bbbbbbbbbbbbbbbbb", "1bbbb…bbbb|2bbbb…bbbb", "aaaaaaaaaaaaaaaaaaaa"},
		{24, "lr=0.0003,opt=adamw,warmup=0,seed_0 lr=4.02382512e-05,opt=sgd,warmup=500,seed_0", "0.0003, adamw, 0|4.02382512e-05, sgd, 500", "lr, opt, warmup · …seed_0"},
		{14, "lr=0.0003,opt=adamw,warmup=0,seed_0 lr=4.02382512e-05,opt=sgd,warmup=500,seed_0 lr=0.0003,opt=sgd,warmup=500,seed_0", "0.0003,adamw,0|4…e-5,sgd,500|0.0003,sgd,500", "lr, opt, warmup · …seed_0"},
		{11, "run_20261125_seed12 run_20261126_seed12 run_20261126_seed3", "20261125,12|20261126,12|20261126,3", "run, seed"},
		{30, "lr=0.0003,opt=adamw,warmup=0,seed_0 lr=0.0003,opt=adamw,warmup=1,seed_0 sgd", "warmup=0|warmup=1|sgd", ""},
		{12, "a/b b/a a", "a/b|b/a|a", ""},
		{40, "one", "one", ""},
		{8, "resnetfiftywithsevenlayersAandthenmoreofthat resnetfiftywithsevenlayersBandthenmoreofthat x/some_other", "…rsAand…|…rsBand…|x/so…her", ""},
		{14, "lr_=0.0003;opt_=adamw lr_=0.0007;opt_=sgdmomentum", "0.0003,adamw|0.0007,sgdmom…", "lr_…opt_…"},
		{14, "lr=0.00031,adamw,s_1 lr=0.00072,sgdmomentum,s_1", "3.1e-4, adamw|7.2e-4, sgdmo…", "lr, … · …s_1"},
		{14, "lr=0.0003,adam,warm_1 lr=0.0004,adamw,warm_1", "0.0003, adam|0.0004, adamw", "lr, … · …warm_1"},
		{8, "lr=0.001,opt=adam,seed_1 lr=0.002,opt=adam,seed_2 lr=0.001,opt=sgd,seed_3", "1|2|3", "seed"},
		{12, "1795183204.4793222 1795183205.6037397", "1795183204…|1795183205…", ""},
		{8, "1795183204.4793222 1795183205.6037397", "…4.4…222|…5.6…397", "179518320…"},
		{14, "a/1795183204.4793222 b/1695183205.6037397", "a, 1795183204…|b, 1695183205…", ""},
		{10, "ab/cdefghi abcdefghijklmnopqrs", "ab/cdefghi|abcde…pqrs", ""},
	} {
		list := strings.Fields(o.names)
		short, common := Short(list, o.width)
		if got := strings.Join(short, "|"); got != o.want || common != o.common {
			t.Errorf("%s in %d: %s, without %q, want %s, without %q", o.names, o.width, got, common, o.want, o.common)
		}
	}
}

// In little room the rows of a sweep say their values, not a number that tells nothing.
func TestShortSweep(t *testing.T) {
	var list []string
	for _, a := range []string{"270", "310", "350"} {
		for _, b := range []string{"270", "310", "350"} {
			list = append(list, "t0="+a+",tA="+b+",kH=0.001", "t0="+a+",tA="+b+",kH=0.005")
		}
	}
	for width, want := range map[int][]string{
		12: {"270,270,1e-3", "350,350,5e-3", "t0, tA, kH"},
		11: {"270,270,…1", "350,350,…5", "t0, tA, kH=0.00…"},
		10: {"270,270,…1", "350,350,…5", "t0, tA, kH=0.00…"},
		9:  {"270,270,1", "350,350,5", "t0, tA, kH=0.00…"},
		8:  {"27,27,1", "35,35,5", "t0=…0, tA=…0, kH=0.00…"},
	} {
		short, common := Short(list, width)
		if got := []string{short[0], short[len(short)-1], common}; !slices.Equal(got, want) {
			t.Errorf("in %d: %q, want %q", width, got, want)
		}
	}
}

// What all values of a column end with is left out, and no more: not what some of them end with.
func TestShortEnds(t *testing.T) {
	var list []string
	for _, a := range []string{"2730", "3150", "3130"} {
		for _, b := range []string{"2730", "3150", "3130"} {
			list = append(list, "t0="+a+",tA="+b+",kH=0.001", "t0="+a+",tA="+b+",kH=0.005")
		}
	}
	short, common := Short(list, 9)
	if got, want := short[len(short)-3:], []string{"313,315,5", "313,313,1", "313,313,5"}; !slices.Equal(got, want) || common != "t0=…0, tA=…0, kH=0.00…" {
		t.Errorf("%q, without %q, want %q", got, common, want)
	}
}

// Names of which each differs from the rest further back than the one before are told apart by
// what they say there, not by a number, four times over.
func TestShortDiffersLater(t *testing.T) {
	const same = "lmnoplmnoplmnop"
	var list []string
	for i := range 5 {
		list = append(list, strings.Repeat(same+"A", i)+same+"Z"+strings.Repeat(same+"A", 4-i)+same)
	}
	list = append(list, strings.Repeat(same+"A", 5)+same)
	short, _ := Short(list, 12)
	if got, want := short[4:], []string{"…opZlmnoplm…", "…opAlmnoplm…"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is left out twice beside each other is one gap.
func TestOneGap(t *testing.T) {
	var list []string
	for _, tag := range []string{"foo", "bar", "baz", "baz_lower", "baz_upper"} {
		list = append(list, "demos/custom_scalar · "+tag)
	}
	for _, tag := range []string{"upper", "value", "lower"} {
		list = append(list, "tf/custom · loss/"+tag)
	}
	for width := Least; width < 30; width++ {
		short, _ := Short(list, width)
		if all := strings.Join(short, "|"); strings.Contains(all, gap+gap) || !distinct(list, short) {
			t.Errorf("in %d: %s", width, all)
		}
	}
}

// A title keeps as much of what it has in common with the others as there is room for.
func TestTold(t *testing.T) {
	for _, o := range []struct {
		width       int
		names, want string
	}{
		{60, "a.layers.0.query.weight.norm a.layers.11.value.weight.norm", "a.layers.0.query.weight.norm|a.layers.11.value.weight.norm"},
		{27, "a.layers.0.query.weight.norm a.layers.11.value.weight.norm", "a.layers.0.query…norm|a.layers.11.value…norm"},
		{20, "a.layers.0.query.weight.norm a.layers.11.value.weight.norm loss", "a.layers.0.query…|a.layers.11.value…|loss"},
		{12, "a.layers.0.query.weight.norm a.layers.11.value.weight.norm", "a…0.query…|a…11.value…"},
		{12, "one/that/is/alone", "one…alone"},
		{19, "gradient_norm/hidden1 gradient_norm/output first_layer_weights", "gradient…hidden1|gradient…output|first_layer_weights"},
		{11, "gradient_norm/hidden1 gradient_norm/output first_layer_weights", "gra…hidden1|grad…output|fir…weights"},
		{19, "gradient_norm/hidden1 weight_decay/output first_layer_weights", "gradient…hidden1|weight_decay/output|first_layer_weights"},
	} {
		if got := strings.Join(Told(strings.Fields(o.names), o.width), "|"); got != o.want {
			t.Errorf("%s in %d: %s, want %s", o.names, o.width, got, o.want)
		}
	}
}

// Names that differ look different, in any width, whatever they are made of; none is longer
// than it may be; and neither order nor repetition counts against that.
func TestNothingLooksTheSame(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		words := []string{"relu", "gelu", "t0=2", "t0=3", "kH=0.001", "lr=4.02e-05", "lr=4.02e-04", "seed=1", "seed=2", "seed=11", "x", "…", "é🦊", "", strings.Repeat("long", 1+rng.IntN(20))}
		seps := []string{"/", "_", "-", ",", " ", "", "."}
		n := 1 + rng.IntN([]int{3, 12, 60, 600}[seed%4])
		var list []string
		head := strings.Repeat("sweep_2024/", rng.IntN(3))
		for range n {
			name := head
			for range 1 + rng.IntN(7) {
				name += words[rng.IntN(len(words))] + seps[rng.IntN(len(seps))]
			}
			if rng.IntN(3) == 0 {
				name += fmt.Sprint(rng.IntN(1000))
			}
			if name != "" {
				list = append(list, name)
			}
		}
		if seed%50 == 0 { // very long ones that differ in their middles
			for i := range 3 {
				list = append(list, strings.Repeat("long_", 200)+fmt.Sprint(i)+strings.Repeat("_name", 200))
			}
		}
		if len(list) == 0 {
			continue
		}
		for _, width := range []int{0, 8, 9, 12, 20, 44, 200} {
			got, _ := Short(list, width)
			for _, short := range [][]string{got, Told(list, width)} {
				looks := map[string]string{}
				for i, s := range short {
					if had, ok := looks[s]; ok && had != list[i] {
						t.Fatalf("draw %d, width %d: %q and %q are both %q", seed, width, had, list[i], s)
					}
					looks[s] = list[i]
					if utf8.RuneCountInString(s) > max(width, Least) || s == "" {
						t.Fatalf("draw %d: %q is %q in %d", seed, list[i], s, width)
					}
				}
			}
			if again, _ := Short(list, width); !slices.Equal(again, got) {
				t.Fatalf("draw %d: another time others", seed)
			}
		}
		if d, _ := Differing(list); !distinct(list, d) {
			t.Fatalf("draw %d: what differs is the same: %q", seed, d)
		}
	}
}

func BenchmarkShort(b *testing.B) {
	var list []string
	for i := range 1000 {
		list = append(list, fmt.Sprintf("sweep-2024/resnet50_imagenet/relu_t0=2_kH=%.3f_lr=%.2e_seed=%d", 0.001*float64(i%7), 1e-5*float64(i), i%5))
	}
	for b.Loop() {
		Short(list, 24)
	}
}
