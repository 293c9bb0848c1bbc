package scalars

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// fill sets every field that has a JSON form, or, now and then, leaves it zero.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" && r.IntN(4) > 0 {
				fill(r, v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+r.IntN(3), 3))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.String:
		v.SetString([]string{"loss", "a/b", `quo"te\`, "läuft", "\x01<&>\u2028", "🙂"}[r.IntN(6)])
	case reflect.Float64:
		v.SetFloat([]float64{1, -0.5, 1.7e9 + 0.25, 1e300, 5e-324, 123456789.125}[r.IntN(6)])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(256)))
	default:
		v.SetInt(r.Int64N(1<<53) - 1<<52)
	}
}

// Parts that are written by hand read as those that encoding/json writes.
func TestPartsAsJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		parts := make(Parts, r.IntN(4))
		for i := range parts {
			fill(r, reflect.ValueOf(&parts[i]).Elem())
		}
		want, err := json.Marshal([]Part(parts))
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		got := parts.AppendJSON(nil)
		if json.Unmarshal(want, &a) != nil || json.Unmarshal(got, &b) != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

// A packed question is the one that its JSON form is.
func TestCurvesPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var c, packed, plain Curves
		fill(r, reflect.ValueOf(&c).Elem())
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &plain); err != nil {
			t.Fatal(err)
		}
		if err := wire.Unpack(wire.Pack(&c), &packed); err != nil || !reflect.DeepEqual(packed, plain) {
			t.Fatalf("%+v comes as %+v, %v", plain, packed, err)
		}
	}
	if _, err := read(&wire.Query{Tags: []string{"t"}, Packed: []byte{1}}); err == nil {
		t.Error("a part of a question is taken for one")
	}
}
