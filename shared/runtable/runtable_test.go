package runtable

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

func TestKeys(t *testing.T) {
	for _, k := range []Key{{Of: "status"}, ParamKey("lr"), ParamKey("a&b=c? ü"), {Of: "min", Name: "train/loss", Group: "eval"}, {Of: "at", Name: "x", Step: -5}} {
		if got := ParseKey(k.String()); got != k {
			t.Errorf("%+v became %q, and that %+v", k, k, got)
		}
	}
	for _, text := range []string{"", "?", "%%%", "param?name=%zz&name=", strings.Repeat("&", 99)} {
		ParseKey(text).Title()
	}
}

// sweep is a table of n runs: lr is a number, opt a text, mixed of all sorts, and every
// third run has no acc.
func sweep(n int) *Data {
	d := &Data{Sessions: map[string]*hparams.Session{}}
	var runs []string
	for i := range n {
		runs = append(runs, fmt.Sprintf("run%d", i))
		mixed := []Value{{Kind: hparams.Number, Num: float64(i % 7)}, {Kind: hparams.Bool, Num: 1}, {Kind: hparams.None}, {Kind: hparams.Text, Text: "layer" + strconv.Itoa(i%12)}, {Kind: hparams.Number, Num: math.NaN()}, {}}[i%6]
		params := []hparams.Param{{Name: "lr", Value: Value{Kind: hparams.Number, Num: 0.1 * float64(i%4)}}, {Name: "mixed", Value: mixed}, {Name: "opt", Value: Value{Kind: hparams.Text, Text: []string{"sgd", "adam"}[i%2]}}}
		d.Sessions[runs[i]] = &hparams.Session{Params: params}
	}
	d.SetRuns(runs)
	for i, r := range runs {
		d.SetNumber(Key{Of: "last", Name: "acc"}, r, float64(i)/100, i%3 != 0)
	}
	return d
}

func all(d *Data) (rows []int) {
	for i := range d.Runs {
		rows = append(rows, i)
	}
	return rows
}

// Sorted rows are the same ones, in an order in which no two neighbours are the wrong way
// round, and equal ones as they were.
func TestSort(t *testing.T) {
	d := sweep(200)
	for _, by := range [][]string{{"param?name=mixed"}, {"-param?name=mixed"}, {"param?name=opt", "-last?name=acc"}, {"-param?name=lr", "param?name=mixed", "last?name=acc"}, {}, {"nothing"}} {
		rows := all(d)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		was := make([]int, len(rows))
		for i, r := range rows {
			was[r] = i
		}
		d.Sort(rows, by)
		for i := 1; i < len(rows); i++ {
			a, b := rows[i-1], rows[i]
			order := 0
			for _, key := range by {
				c := d.Column(ParseKey(strings.TrimPrefix(key, "-")))
				x, y := c.Cells[a], c.Cells[b]
				if order = Compare(x, y); strings.HasPrefix(key, "-") && x.Kind != hparams.Missing && y.Kind != hparams.Missing {
					order = -order
				}
				if order != 0 {
					break
				}
			}
			if order > 0 || order == 0 && was[a] > was[b] {
				t.Errorf("by %q: row %d stands before %d", by, a, b)
			}
		}
		if slices.Sort(rows); !slices.Equal(rows, all(d)) {
			t.Errorf("by %q: other rows", by)
		}
	}
}

func TestFilters(t *testing.T) {
	d := sweep(120)
	number := func(x float64) *float64 { return &x }
	acc := func(i int) bool { return i%3 != 0 }
	for _, k := range []struct {
		name  string
		key   string
		f     session.ColumnFilter
		wants func(i int) bool
	}{
		{"interval", "last?name=acc", session.ColumnFilter{Lo: number(0.5), Hi: number(0.7)}, func(i int) bool { return acc(i) && i >= 50 && i <= 70 }},
		{"one bound, or missing", "last?name=acc", session.ColumnFilter{Lo: number(1), Missing: true}, func(i int) bool { return !acc(i) || i >= 100 }},
		{"values", "param?name=opt", session.ColumnFilter{Only: true, Values: []string{"adam"}}, func(i int) bool { return i%2 == 1 }},
		{"no value", "param?name=opt", session.ColumnFilter{Only: true}, func(int) bool { return false }},
		{"regex", "param?name=mixed", session.ColumnFilter{Regex: "LAYER[13]$"}, func(i int) bool { return i%6 == 3 && (i%12 == 1 || i%12 == 3) }},
		{"leaving out", "param?name=mixed", session.ColumnFilter{Regex: "!layer", Missing: true}, func(i int) bool { return i%6 != 3 }},
		{"a regex that is half typed", "param?name=mixed", session.ColumnFilter{Regex: "(", Missing: true}, func(i int) bool { return true }},
		{"interval of texts", "param?name=mixed", session.ColumnFilter{Lo: number(-1)}, func(i int) bool { return i%6 < 2 }},
		{"no such column", "param?name=nothing", session.ColumnFilter{Lo: number(1)}, func(int) bool { return false }},
	} {
		pass, err := d.Match(map[string]session.ColumnFilter{k.key: k.f})
		if (err != nil) != (k.f.Regex == "(") {
			t.Errorf("%s: %v", k.name, err)
		}
		for i := range pass {
			if pass[i] != k.wants(i) {
				t.Errorf("%s: row %d passes: %v", k.name, i, pass[i])
			}
		}
	}
	// A bound is meant as numbers are shown.
	f := &Data{}
	f.SetRuns([]string{"a", "b"})
	for i, x := range []float32{0.02, 0.1} {
		f.SetNumber(Key{Of: "last", Name: "x"}, f.Runs[i], float64(x), true)
	}
	if pass, _ := f.Match(map[string]session.ColumnFilter{"last?name=x": {Lo: number(0.02), Hi: number(0.1)}}); !pass[0] || !pass[1] {
		t.Errorf("0.02 to 0.1 leaves out one of these: %v", pass)
	}
	if pass, _ := f.Match(map[string]session.ColumnFilter{"last?name=x": {Lo: number(0.0200001), Hi: number(0.0999999)}}); pass[0] || pass[1] {
		t.Errorf("a little more than 0.02 to a little less than 0.1: %v", pass)
	}
	both, _ := d.Match(map[string]session.ColumnFilter{"param?name=opt": {Only: true, Values: []string{"sgd"}}, "last?name=acc": {Lo: number(1)}})
	for i, ok := range both {
		if ok != (i%2 == 0 && acc(i) && i >= 100) {
			t.Errorf("both: row %d passes: %v", i, ok)
		}
	}
}

func TestGroups(t *testing.T) {
	d := sweep(12)
	names := func(by ...string) (out string) {
		rows := all(d)
		d.Sort(rows, by)
		for _, g := range d.GroupBy(rows, ParamKey("opt"), by) {
			out += fmt.Sprint(g.Value, g.Rows, " ")
		}
		return out
	}
	for _, k := range [][2]string{
		{names(), "adam [1 3 5 7 9 11] sgd [0 2 4 6 8 10] "},
		{names("-last?name=acc"), "adam [11 7 5 1 3 9] sgd [10 8 4 2 0 6] "}, // 0.06 and 0.06; by their values
		{names("-param?name=opt"), "sgd [0 2 4 6 8 10] adam [1 3 5 7 9 11] "},
	} {
		if k[0] != k[1] {
			t.Errorf("groups are %s, want %s", k[0], k[1])
		}
	}
	c := d.Column(Key{Of: "last", Name: "acc"})
	if s := c.Mean([]int{1, 2, 3, 4}); s.N != 3 || math.Abs(s.Mean-0.07/3) > 1e-15 || math.Abs(s.Deviation-0.015275252316519467) > 1e-15 {
		t.Errorf("%+v", s)
	}
	for want, got := range map[string]string{
		"0.015 ± 0.0071":      c.Summary(Key{Of: "last", Name: "acc"}, []int{1, 2}), // of all rows: no number of them
		"0.02333 ± 0.015 (3)": c.Summary(Key{Of: "last", Name: "acc"}, []int{1, 2, 3, 4}),
		"2 values":            d.Column(ParamKey("opt")).Summary(ParamKey("opt"), []int{1, 2}),
		"adam":                d.Column(ParamKey("opt")).Summary(ParamKey("opt"), []int{1, 3}),
		"":                    c.Summary(Key{Of: "last", Name: "acc"}, []int{0, 3}),
	} {
		if got != want {
			t.Errorf("summed up as %q, want %q", got, want)
		}
	}
}

// What belongs to a session is that of its runs below, too; a metric of a group stands in
// the session's row and in that of the group.
func TestSubRuns(t *testing.T) {
	d := &Data{Sessions: map[string]*hparams.Session{"s": {Params: []hparams.Param{{Name: "lr", Value: Value{Kind: hparams.Number, Num: 1}}}, Status: hparams.Success, Start: 5, End: 75}}}
	d.SetRuns([]string{"s", "s/eval", "other"})
	d.SetNumber(Key{Of: "last", Name: "acc"}, "s/eval", 0.5, true)
	d.SetNumber(Key{Of: "last", Name: "acc"}, "gone", 0.5, true)
	for key, want := range map[string]string{
		"param?name=lr": "1 1 ", "status": "success success ", "duration": "1m10s 1m10s ",
		"last?name=acc": " 0.5 ", "last?name=acc&group=eval": "0.5 0.5 ",
	} {
		k := ParseKey(key)
		c := d.Column(k)
		var got []string
		for _, v := range c.Cells {
			got = append(got, c.Format(k, v, false))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s is %q", key, got)
		}
	}
	// Numbers stay with their runs.
	d.SetRuns([]string{"new", "s/eval", "s"})
	if v := d.Column(Key{Of: "last", Name: "acc"}).Cells; v[1].Num != 0.5 || v[0].Kind != hparams.Missing || v[2].Kind != hparams.Missing {
		t.Errorf("after other runs came: %+v", v)
	}
}

// column is a column of numbers.
func column(k Key, numbers ...float64) (*Data, *Column) {
	d := &Data{}
	var runs []string
	for i := range numbers {
		runs = append(runs, fmt.Sprint(i))
	}
	d.SetRuns(runs)
	for i, x := range numbers {
		d.SetNumber(k, runs[i], x, true)
	}
	return d, d.Column(k)
}

// Numbers have four or five significant digits, chosen by column, their exponents, and
// their decimal points below each other; whole numbers are whole, and all digits are there
// when they are asked for.
func TestDigits(t *testing.T) {
	k := Key{Of: "last", Name: "x"}
	f32 := func(x float32) float64 { return float64(x) }
	for _, o := range []struct {
		numbers []float64
		want    string // with · for each place that is left free on the right
	}{
		{[]float64{0.99993, 0.99994, 0.5}, "0.99993 0.99994 0.5····"},
		{[]float64{0.999931234, 0.999941234, 0.5}, "0.99993 0.99994 0.5····"},
		{[]float64{1.23456789, 12.3456789}, "1.235 12.35·"},
		{[]float64{123757312, 123757313, 3}, "123757312 123757313 3"},
		{[]float64{4.02382512e-05, 0.0123456789, 3.3e-5}, "4.024e-05 1.235e-02 3.300e-05"},
		{[]float64{1e-5, 1e-4, 3e-4}, "1e-05 1e-04 3e-04"},
		{[]float64{1, 2, 3, 4, 5, 4.02382512e-05}, "1········ 2········ 3········ 4········ 5········ 4.024e-05"},
		{[]float64{1 / 3.0, 200 / 3.0, 0}, "0.3333 66.67·· 0·····"},
		{[]float64{f32(0.1), 5}, "0.1 5··"},
		{[]float64{123456.789, 1.5}, "123457·· 1.5"},
		{[]float64{123456.789, 1.512345}, "123457···· 1.512"},
		{[]float64{math.Inf(1), math.NaN(), 1.5}, "+Inf·· NaN·· 1.5"},
		{[]float64{-0.25, 1e300, -1e-300}, "-2.5e-01· 1.0e+300 -1.0e-300"},
	} {
		_, c := column(k, o.numbers...)
		var got []string
		wide := 0
		for i, v := range c.Cells {
			short, exact := c.Format(k, v, false), c.Format(k, v, true)
			got = append(got, short+strings.Repeat("·", len(c.Pad(k, v))))
			wide = max(wide, len(short)+len(c.Pad(k, v)))
			if x, err := strconv.ParseFloat(exact, 64); err != nil || x != o.numbers[i] && x == x && float32(x) != float32(o.numbers[i]) {
				t.Errorf("%v is told as %s", o.numbers[i], exact)
			}
		}
		if strings.Join(got, " ") != o.want {
			t.Errorf("%v: %s, want %s", o.numbers, strings.Join(got, " "), o.want)
		}
		if c.Wide(k) < wide {
			t.Errorf("%v: %d characters have no room in %d", o.numbers, wide, c.Wide(k))
		}
	}
}

// A metric's name tells which of its values is the best one.
func TestBest(t *testing.T) {
	for name, want := range map[string]string{"train/loss": Lowest, "val_accuracy": Highest, "acc": Highest, "loss/accuracy": Highest, "lr": "", "grad_norm": "", "closest": "", "eval/RMSE": Lowest, "map50": Highest} {
		if name == "map50" {
			name = "mAP_50"
		}
		if got := (Key{Of: "last", Name: name}).Goal(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := (Key{Of: "minstep", Name: "loss"}).Goal() + ParamKey("loss").Goal(); got != "" {
		t.Errorf("a step and a hyperparameter have a best one: %s", got)
	}
	_, c := column(Key{Of: "last", Name: "x"}, 3, math.NaN(), 1, 7, 1)
	for _, o := range []struct {
		rows []int
		goal string
		want string
	}{
		{[]int{0, 1, 2, 3, 4}, Lowest, "map[2:true 4:true]"}, {[]int{0, 1, 2, 3, 4}, Highest, "map[3:true]"},
		{[]int{0, 1}, Lowest, "map[]"}, {[]int{2, 4}, Lowest, "map[]"}, {[]int{0, 2}, NoBest, "map[]"}, {nil, Lowest, "map[]"},
	} {
		if got := fmt.Sprint(c.Best(o.rows, o.goal)); got != o.want {
			t.Errorf("best of %v by %s: %s, want %s", o.rows, o.goal, got, o.want)
		}
	}
}

func TestChoices(t *testing.T) {
	d := sweep(12)
	list, lo, hi, numbers, missing := d.Column(ParamKey("mixed")).Choices()
	var text string
	for _, c := range list {
		text += fmt.Sprint(c.Text, ":", c.N, " ")
	}
	if text != "0:1 6:1 NaN:2 true:2 layer3:1 layer9:1 None:2 " || lo != 0 || hi != 6 || numbers != 2 || missing != 2 {
		t.Errorf("%s, %v to %v, %d numbers, %d missing", text, lo, hi, numbers, missing)
	}
	if d.Column(ParamKey("lr")).Differs([]int{0, 4, 8}) || !d.Column(ParamKey("lr")).Differs(all(d)) || !d.Column(ParamKey("mixed")).Differs([]int{0, 5}) {
		t.Error("which columns differ")
	}
}

func TestNumbers(t *testing.T) {
	d := sweep(12)
	for key, want := range map[string]string{
		"param?name=lr": "[0 0.1 0.2] true", "param?name=opt": "[1 0 1] false", "param?name=mixed": "[0 1 NaN] true", "last?name=acc": "[NaN 0.01 0.02] true",
	} {
		x, ordinal := d.Column(ParseKey(key)).Numbers([]int{0, 1, 2})
		if got := fmt.Sprint(x, ordinal); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

// The first value tells whether a column is one of numbers.
func TestNumeric(t *testing.T) {
	d := sweep(12)
	for key, want := range map[string]bool{"param?name=lr": true, "param?name=opt": false, "last?name=acc": true, "param?name=mixed": true, "param?name=nothing": false} {
		if got := d.Numeric(ParseKey(key)); got != want {
			t.Errorf("%s is a column of numbers: %v", key, got)
		}
	}
	d.SetRuns(d.Runs[1:]) // mixed begins with true
	if d.Numeric(ParamKey("mixed")) {
		t.Error("a column that begins with true is one of numbers")
	}
}

func BenchmarkSort(b *testing.B) {
	d := sweep(10000)
	for b.Loop() {
		d.Changed()
		d.Sort(all(d), []string{"param?name=opt", "-last?name=acc"})
	}
}

// Columns at first: hyperparameters and metrics that the rows have. Where no experiment
// names one, scalars of the rows' runs are metrics, below sessions too.
func TestFirstColumns(t *testing.T) {
	session := func(lr float64) *hparams.Session {
		return &hparams.Session{Params: []hparams.Param{{Name: "lr", Value: hparams.Value{Kind: hparams.Number, Num: lr}}}}
	}
	none := map[string]bool{}
	tags := map[string]map[string]bool{
		"a/s0":      {"acc": true, "loss 10": true, "loss 9": true},
		"a/s0/eval": {"acc": true},
		"a/s1":      {"acc": true, "rare": true},
		"b/s0":      {"score": true},
		"plain":     {"acc": true, "plain": true},
		"mute":      none,
	}
	d := &Data{Sessions: map[string]*hparams.Session{"a/s0": session(0.1), "a/s1": session(0.2), "b/s0": session(0.3)}}
	d.SetRuns(slices.Sorted(maps.Keys(tags)))
	first := func(e hparams.Experiment, runs ...string) (out []string) {
		var rows []int
		for _, r := range runs {
			rows = append(rows, d.Row(r))
		}
		for _, k := range FirstColumns(d, &e, rows, tags) {
			out = append(out, k.String())
		}
		return out
	}
	declared := hparams.Experiment{Metrics: []hparams.MetricInfo{{Tag: "score"}, {Tag: "acc", Group: "eval"}, {Tag: "never"}}}
	for _, k := range []struct {
		got, want []string
	}{
		{first(declared, "a/s0", "a/s1", "b/s0"), []string{"param?name=lr", "last?name=score", "last?name=acc&group=eval"}},
		{first(declared, "a/s0", "a/s1"), []string{"param?name=lr", "last?name=acc&group=eval"}},
		{first(declared, "b/s0"), []string{"param?name=lr", "last?name=score"}},
		{first(hparams.Experiment{}, "a/s0", "a/s1"), []string{"param?name=lr", "last?name=acc", "last?name=acc&group=eval", "last?name=loss+9", "last?name=loss+10", "last?name=rare"}},
		{first(declared, "a/s1"), []string{"param?name=lr", "last?name=acc", "last?name=rare"}},
		{first(hparams.Experiment{}, "plain"), []string{"last?name=acc", "last?name=plain"}},
		{first(hparams.Experiment{}, "mute"), nil},
	} {
		if !slices.Equal(k.got, k.want) {
			t.Errorf("columns %q, want %q", k.got, k.want)
		}
	}
	// Of many scalars those that most rows have.
	for i := range 50 {
		tags["a/s0"][fmt.Sprintf("t%02d", i)] = true
	}
	tags["a/s1"]["t31"], tags["a/s1"]["t07"] = true, true
	got := first(hparams.Experiment{}, "a/s0", "a/s1")
	if len(got) != 1+firstMetrics || !slices.Contains(got, "last?name=t31") || !slices.Contains(got, "last?name=t07") || !slices.Contains(got, "last?name=acc") {
		t.Errorf("of many: %q", got)
	}
	// Of many hyperparameters the first that differ.
	for run, n := range map[string]int{"a/s0": 0, "a/s1": 1} {
		for i := range 2 * firstParams {
			p := hparams.Param{Name: fmt.Sprintf("p%02d", i), Value: hparams.Value{Kind: hparams.Number, Num: float64(i * n)}}
			d.Sessions[run].Params = append(d.Sessions[run].Params, p)
		}
	}
	d.Changed()
	if got := first(declared, "a/s0", "a/s1"); len(got) != firstParams+1 || got[firstParams-1] != "param?name=p11" || got[firstParams] != "last?name=acc&group=eval" {
		t.Errorf("of many hyperparameters: %q", got)
	}
}
