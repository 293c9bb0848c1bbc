package scalars

import (
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The fields are those of Part, as its tags say, each of its own type.
func TestFieldsAreThoseOfPart(t *testing.T) {
	of := reflect.TypeFor[Part]()
	kinds := map[reflect.Kind]uint8{reflect.Int: count, reflect.Int64: large, reflect.Float64: number, reflect.Bool: flag}
	found := 0
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "run" || name == "-" {
			continue
		}
		want := field{name, f.Offset, kinds[f.Type.Kind()], options != "omitempty"}
		if !slices.Contains(fields[:], want) {
			t.Errorf("Part.%s is no field, or another one than %+v", f.Name, want)
		}
		found++
	}
	if found != Fields {
		t.Errorf("there are %d fields, and Part has %d", Fields, found)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var p, back Part
		fill(r, reflect.ValueOf(&p).Elem())
		numbers := p.AppendNumbers([]float64{1})
		back.Run = p.Run
		back.SetNumbers(numbers[1:])
		if back != p || len(numbers) != 1+Fields {
			t.Fatalf("%+v became %+v", p, back)
		}
	}
}

// The painter knows the fields by the same names in the same order, and asks for no other.
func TestPainterKnowsTheFields(t *testing.T) {
	text, err := os.ReadFile("../../../static/paint-series.js")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)P\.fields = \[(.*?)\];`).FindSubmatch(text)
	if list == nil {
		t.Fatal("static/paint-series.js has no list P.fields")
	}
	var got, want []string
	for _, m := range regexp.MustCompile(`'(\w+)'`).FindAllSubmatch(list[1], -1) {
		got = append(got, string(m[1]))
	}
	for _, f := range fields {
		want = append(want, f.name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the painter reads\n%q, and what comes is\n%q", got, want)
	}
	series := regexp.MustCompile(`(?s)P\.series = .*?\n  \};`).Find(text)
	asked := regexp.MustCompile(`const \{ ([^}]*) \} = p;`).FindSubmatch(series)
	if asked == nil {
		t.Fatal("P.series takes no fields")
	}
	names := strings.Split(strings.TrimPrefix(string(asked[1]), "run, "), ", ")
	table, err := os.ReadFile("../../../static/paint-table.js")
	if err != nil {
		t.Fatal(err)
	}
	asked = regexp.MustCompile(`const \{ run, ([^}]*) \} of P\.heads`).FindSubmatch(table)
	if asked == nil {
		t.Fatal("P.table takes no fields")
	}
	names = append(names, strings.Split(string(asked[1]), ", ")...)
	for _, m := range regexp.MustCompile(`\bp\.(\w+)`).FindAllSubmatch(series, -1) {
		names = append(names, string(m[1]))
	}
	for _, name := range names {
		if !slices.Contains(want, name) {
			t.Errorf("P.series asks for %q, which no part has", name)
		}
	}
	if len(names) < 12 {
		t.Errorf("P.series asks for %q alone", names)
	}
}
