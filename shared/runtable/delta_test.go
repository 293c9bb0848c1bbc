package runtable

import (
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
)

func TestDelta(t *testing.T) {
	number := func(x float64) Value { return Value{Kind: hparams.Number, Num: x} }
	for _, k := range []struct {
		v, base Value
		want    string
	}{
		{number(0.52), number(0.5), "+0.02, +4 %"},
		{number(90), number(120), "-30, -25 %"},
		{number(-1), number(-2), "+1, +50 %"},
		{number(1), number(0), "+1"},
		{number(1), number(1), ""},
		{number(float64(float32(0.3))), number(float64(float32(0.1))), "+0.2, +200 %"},
		{number(math.NaN()), number(1), ""},
		{number(1), number(math.Inf(-1)), ""},
		{number(math.MaxFloat64), number(-math.MaxFloat64), ""},
		{number(1e300), number(1e-300), "+1e+300"},
		{Value{Kind: hparams.Text, Text: "2"}, number(1), ""},
		{number(1), Value{}, ""},
	} {
		if got := Delta(k.v, k.base); got != k.want {
			t.Errorf("%v from %v is %q, want %q", k.v, k.base, got, k.want)
		}
	}
}
