package runcolor

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// The colours are TensorBored's, as python/tests/calls.py recorded them.
func TestSamplerAsTensorBored(t *testing.T) {
	data, err := os.ReadFile("../../python/tests/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Colors []json.RawMessage }
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, raw := range golden.Colors {
		var name string
		var args []any
		var kwargs map[string]any
		var result json.RawMessage
		if err := json.Unmarshal(raw, &[]any{&name, &args, &kwargs, &result}); err != nil {
			t.Fatal(err)
		}
		num := func(i int, otherwise float64) float64 {
			if i < len(args) {
				return args[i].(float64)
			}
			return otherwise
		}
		named := func(key string, i int, otherwise float64) float64 {
			if v, ok := kwargs[key]; ok {
				return v.(float64)
			}
			return num(i, otherwise)
		}
		var got any
		switch {
		case name == "sample_colors":
			got = Sample(int(num(0, 0)), named("lightness", 1, 0.7), named("chroma", 2, 0.15), num(3, 0), num(4, 360))
		case name == "sample_colors_varied" && len(args) == 1:
			got = SampleVaried(int(num(0, 0)))
		case name == "palette_categorical":
			got = Categorical(int(num(0, 0)))
		case name == "palette_sequential":
			got = Sequential(int(num(0, 0)), num(1, 250))
		case name == "palette_diverging":
			got = Diverging(int(num(0, 0)), num(1, 250), num(2, 30))
		case name == "lighten" || name == "darken":
			amount := num(1, 0.1)
			if name == "darken" {
				amount = -amount
			}
			hex, err := Lighten("#"+strings.TrimPrefix(args[0].(string), "#"), amount)
			if err != nil {
				t.Fatal(err)
			}
			got = hex
		case name == "colors_for_runs" && len(args) == 1:
			var runs []string
			for _, r := range args[0].([]any) {
				runs = append(runs, r.(string))
			}
			got = ForRuns(runs)
		default:
			continue
		}
		checked[name]++
		if s, ok := got.([]string); ok && s == nil {
			got = []string{}
		}
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var a, z any
		json.Unmarshal(b, &a)
		json.Unmarshal(result, &z)
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(z)
		if !slices.Equal(x, y) {
			t.Errorf("%s(%v, %v): got %s, TensorBored %s", name, args, kwargs, x, y)
		}
	}
	if len(checked) != 8 || checked["sample_colors"] < 9 {
		t.Errorf("compared %v", checked)
	}
	if _, err := Lighten("red", 0.1); err == nil {
		t.Error("red is no #rrggbb")
	}
}
