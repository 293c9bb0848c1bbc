package runtable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// brushes is a table with columns of numbers, with None and NaN among them or not, of
// texts, and of all sorts.
func brushes() *Data {
	d := sweep(60)
	for i, r := range d.Runs {
		s := d.Sessions[r]
		holes := []Value{{Kind: hparams.Number, Num: float64(i%9) / 8}, {Kind: hparams.None}, {Kind: hparams.Number, Num: math.NaN()}, {Kind: hparams.Number, Num: math.Inf(1)}, {}}[min(i%7, 4)]
		s.Params = append([]hparams.Param{{Name: "holes", Value: holes}}, s.Params...)
	}
	d.Changed()
	return d
}

// What a brush covers is what its filter lets pass, whatever the column has.
func TestBrush(t *testing.T) {
	d := brushes()
	r := rand.New(rand.NewPCG(5, 6))
	var rows []int
	for i := range d.Runs {
		if i%4 != 3 {
			rows = append(rows, i)
		}
	}
	for _, key := range []string{"param?name=lr", "param?name=opt", "param?name=mixed", "param?name=holes", "last?name=acc", "param?name=nothing", "run"} {
		c := d.Column(ParseKey(key))
		a := c.Axis(rows)
		for range 200 {
			lo, hi := r.Float64()*2-0.5, r.Float64()*2-0.5
			if !a.Numeric {
				lo, hi = lo*float64(len(a.Names)), hi*float64(len(a.Names))
			}
			none := r.IntN(2) == 0
			if lo > hi && !none {
				lo, hi = hi, lo
			}
			if r.IntN(10) == 0 { // no wider than a value
				if x := a.At[r.IntN(len(rows))]; x == x {
					lo, hi = x, x
				}
			}
			f, ok := c.Brush(rows, lo, hi, none)
			if !ok {
				t.Fatalf("%s: too many values", key)
			}
			pass, err := d.Match(map[string]session.ColumnFilter{key: f})
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				x := a.At[i]
				if want := x >= lo && x <= hi || x != x && none; pass[row] != want {
					t.Fatalf("%s from %v to %v, none %v: row %d at %v (%q) passes: %v", key, lo, hi, none, row, x, c.Cells[row], pass[row])
				}
			}
		}
	}
}

func TestAxis(t *testing.T) {
	d := brushes()
	rows := all(d)
	for key, want := range map[string]string{
		"param?name=lr":      "true []",
		"param?name=opt":     "false [adam sgd]",
		"param?name=holes":   "true []",
		"param?name=mixed":   "false [0 6 NaN true layer3 layer9 None]",
		"param?name=nothing": "false []",
	} {
		n := rows
		if key == "param?name=mixed" {
			n = rows[:12]
		}
		a := d.Column(ParseKey(key)).Axis(n)
		if got := fmt.Sprint(a.Numeric, a.Names); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
		for i, r := range n {
			v := d.Column(ParseKey(key)).Cells[r]
			if x := a.At[i]; !a.Numeric && v.Kind != hparams.Missing && a.Names[int(x)] != v.String() || v.Kind == hparams.Missing && x == x {
				t.Errorf("%s: %q stands at %v", key, v, x)
			}
		}
	}
	// A column of ten thousand names is no filter of ten thousand values.
	many := &Data{}
	var runs []string
	for i := range MostBrushed + 5 {
		runs = append(runs, fmt.Sprint("r", i))
	}
	many.SetRuns(runs)
	c := many.Column(Key{Of: "run"})
	if _, ok := c.Brush(all(many), 0, 1e9, false); ok {
		t.Error("a filter of all names")
	}
	if f, ok := c.Brush(all(many), 3, 4.5, false); !ok || fmt.Sprint(f.Values) != "[r3 r4]" {
		t.Errorf("%+v", f)
	}
}
