package profile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// same holds into against encoding/json for a text that is JSON.
func same(t *testing.T, text []byte) {
	t.Helper()
	compact := func(f map[string]json.RawMessage) (out []string) {
		for _, k := range slices.Sorted(maps.Keys(f)) {
			out = append(out, k+"="+strings.TrimSpace(string(f[k])))
		}
		return out
	}
	var a, b Fields
	if ok := into(text, &a); ok != (json.Unmarshal(text, &b) == nil && b != nil) || ok && !slices.Equal(compact(a), compact(b)) {
		t.Errorf("%q: object %v %q, not %q", text, ok, compact(a), compact(b))
	}
	var l, m []json.RawMessage
	if ok := into(text, &l); ok != (json.Unmarshal(text, &m) == nil && m != nil) || ok && !slices.EqualFunc(l, m, func(x, y json.RawMessage) bool { return string(x) == string(y) }) {
		t.Errorf("%q: list %q, not %q", text, l, m)
	}
	if string(text) == "null" {
		return // nobody asks for a text or a number of it
	}
	var s, u string
	if ok := into(text, &s); ok != (json.Unmarshal(text, &u) == nil) || ok && s != u {
		t.Errorf("%q: text %q, not %q", text, s, u)
	}
	var x, y float64
	if ok := into(text, &x); ok != (json.Unmarshal(text, &y) == nil) || ok && x != y {
		t.Errorf("%q: number %v, not %v", text, x, y)
	}
	var c, d bool
	if ok := into(text, &c); ok != (json.Unmarshal(text, &d) == nil) || ok && c != d {
		t.Errorf("%q: %v, not %v", text, c, d)
	}
}

// What is taken apart in one pass is what encoding/json finds.
func TestSplit(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `null`, `true`, `false`, `0`, `-1.5e3`, `1e999`, `""`, `"a\"b\\"`, `"é\ud800"`, "\"\xff\"",
		`{"a":1}`, `{ "a" : 1 , "b" : [ 1 , "]" , {"}":"{"} ] }`, `{"a":1,"a":2}`, `{"\u0061":{"x":[]},"":null}`, "[\n1,\t2 ,[3,[4]],\"[\",{}\r\n]", `[[[]],""]`, `{"a\\":"b"}`} {
		same(t, []byte(text))
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(`{"a": [1, "x\"}", {"b": null}], "c" : -0.5}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) && len(text) < 1<<16 {
			same(t, []byte(strings.Trim(string(text), " \t\r\n")))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"version":1,"name":"colours","lastModifiedTimestamp":0,"pinnedCards":[],"runColors":[`)
	for i := range MaxEntries {
		fmt.Fprintf(&text, `%s{"runId":"exp/run%d","color":"#%06x"}`, map[bool]string{true: ","}[i > 0], i, i)
	}
	text.WriteString(`],"groupColors":[],"superimposedCards":[],"tagFilter":"","runFilter":"","smoothing":0.25}`)
	doc := []byte(text.String())
	b.ReportAllocs()
	for b.Loop() {
		if p, _, err := Decode(doc); err != nil || len(p.RunColors) != MaxEntries {
			b.Fatal(err)
		}
	}
}
