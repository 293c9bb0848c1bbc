package model

import (
	"strconv"
	"strings"
	"testing"
)

func TestIndex(t *testing.T) {
	type key struct {
		place int32
		name  string
	}
	var keys []key
	x := NewIndex(0, func(i, place int32, name string) bool { return keys[i] == key{place, name} })
	put := func(name string) {
		for place := range int32(3) {
			keys = append(keys, key{place, name})
			x.Claim(place, name, int32(len(keys)-1))
		}
	}
	// Names of all lengths around a word's, with bytes of zero at their ends, and many that differ by little.
	for n := range 40 {
		put(strings.Repeat("a", n))
		put(strings.Repeat("\x00", n) + "b")
		put("b" + strings.Repeat("\x00", n))
	}
	for i := range 50_000 {
		put("model/layer_" + strconv.Itoa(i) + "/kernel")
	}
	want := map[key]int32{}
	for i, k := range keys {
		if _, ok := want[k]; !ok {
			want[k] = int32(i)
		}
	}
	for k, i := range want {
		if got, ok := x.Find(k.place, k.name); !ok || got != i {
			t.Fatalf("%q is number %d, %v; it was put as %d", k, got, ok, i)
		}
		if got, ok := x.Claim(k.place, k.name, 7); ok || got != i {
			t.Fatalf("%q was claimed again: %d, %v", k, got, ok)
		}
	}
	for _, name := range []string{"c", "model/layer_50000/kernel", strings.Repeat("a", 40), "model/layer_0/kernel\x00"} {
		if i, ok := x.Find(0, name); ok {
			t.Errorf("%q was never put and has the number %d", name, i)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add("a/b\nc\na/b\n\nlong name of an operation\nlong name of an operation\x00")
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.Split(text, "\n")
		x, want := NewIndex(0, func(i, _ int32, name string) bool { return names[i] == name }), map[string]int32{}
		for i, name := range names {
			first, known := want[name]
			if !known {
				first, want[name] = int32(i), int32(i)
			}
			if got, fresh := x.Claim(0, name, int32(i)); got != first || fresh == known {
				t.Fatalf("Claim(%q, %d) = %d, %v; known: %v", name, i, got, fresh, known)
			}
		}
	})
}
