package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// messages is one of each type that is packed, with every field set.
var messages = []Message{
	&Open{Gen: 1, Kind: "http", Base: "b", Batch: "c", Careful: true, Budget: 1 << 40, Most: 500, Cache: "d", CacheBytes: 2, CacheNew: true, PreviewFrom: 4, Workers: 3},
	&Files{{Path: "a/\xff\n", Size: 1 << 53, MTime: math.MaxInt64, Version: "v", Gone: true, Companion: true}, {Path: "p", MTime: math.MinInt64}},
	&Paths{"a", ""},
	&Look{Runs: []string{"a", ""}, Tags: []string{"t"}},
	&Query{Kind: "scalars", Runs: []string{"a"}, Tags: []string{"<t>"}, Files: []string{"f"}, Calm: true, Every: true, Guest: true, Body: json.RawMessage(`{"x":"step"}`), Packed: []byte{1}},
	&Progress{Gen: 1, BytesRead: 2, BytesCached: 1, Points: 3, Kept: 4, Busy: true, Unread: 8, Heard: 5, Previewing: true, Previewed: true, LostSet: true, Error: "e",
		Lost: []Loss{{Run: "r", File: "r/f", Offset: 7, Bytes: -8, Kind: "bad length", Count: 9, Remedy: "m", Details: "d"}},
		Runs: []RunProgress{{Name: "r", Start: math.Inf(1), New: true, TagsSet: true, Later: true, More: true, Tags: []NamedTag{{"t", Tag{Plugin: "scalars", DisplayName: "d", Description: "*x*", Points: 1, Kept: 2}}}}, {Name: "s", TagsSet: true}}},
}

func TestPack(t *testing.T) {
	for _, m := range messages {
		b := Pack(m)
		back := reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)
		if err := Unpack(b, back); err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("%T comes back as %+v, %v", m, back, err)
		}
		for n := range b { // a part of it is none
			if Unpack(b[:n], reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)) == nil {
				t.Errorf("%T: %d of %d bytes are taken for all", m, n, len(b))
			}
		}
		if Unpack(append(b, 0), reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)) == nil {
			t.Errorf("%T: a byte too many is not noticed", m)
		}
		tried(t, reflect.ValueOf(m).Elem(), reflect.TypeOf(m).Elem().Name())
	}
}

// tried fails for fields that no value of messages has: they would be tested by nobody.
func tried(t *testing.T, v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			tried(t, v.Field(i), name+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice:
		if v.Len() == 0 {
			t.Errorf("%s is not tried", name)
		} else if v.Type().Elem().Kind() == reflect.Struct {
			tried(t, v.Index(0), name)
		}
	default:
		if v.IsZero() {
			t.Errorf("%s is not tried", name)
		}
	}
}

// Whatever the bytes are, reading them ends without more memory than they have, and what
// they hold is packed and read again as the same.
func FuzzUnpack(f *testing.F) {
	for k, m := range messages {
		f.Add(k, Pack(m))
	}
	f.Fuzz(func(t *testing.T, k int, b []byte) {
		kind := reflect.TypeOf(messages[((k%len(messages))+len(messages))%len(messages)]).Elem()
		m, again := reflect.New(kind).Interface().(Message), reflect.New(kind).Interface().(Message)
		if Unpack(b, m) != nil {
			return
		}
		packed := Pack(m)
		if err := Unpack(packed, again); err != nil || string(Pack(again)) != string(packed) {
			t.Errorf("%+v comes back as %+v, %v", m, again, err)
		}
	})
}

// Very many tags come in several messages, of which only the last says that reading is over,
// and what they say together is what one would.
func TestParts(t *testing.T) {
	g := Progress{Gen: 3, Points: 7, LostSet: true, Lost: []Loss{{Run: "b"}}}
	for r, n := range []int{3, 0, 25, 1} {
		rp := RunProgress{Name: string(rune('a' + r)), New: true, TagsSet: n > 0}
		for i := range n {
			rp.Tags = append(rp.Tags, NamedTag{Name: strings.Repeat("x", 1+i), Tag: Tag{Plugin: "scalars"}})
		}
		g.Runs = append(g.Runs, rp)
	}
	for _, c := range []struct{ tags, bytes, parts int }{{1000, 1 << 20, 1}, {10, 1 << 20, 3}, {1000, 100, 4}, {1, 1, 29}} {
		parts := g.Parts(c.tags, c.bytes)
		if len(parts) != c.parts {
			t.Errorf("%d tags, %d bytes: %d parts, not %d", c.tags, c.bytes, len(parts), c.parts)
		}
		var runs []RunProgress
		for i, p := range parts {
			last := i == len(parts)-1
			if p.Busy == last || p.LostSet != last || p.Gen != 3 || p.Points != 7 {
				t.Errorf("part %d of %d: %+v", i, len(parts), p)
			}
			n := 0
			for _, r := range p.Runs {
				n += len(r.Tags)
				if k := len(runs); r.Later {
					runs[k-1].Tags = append(runs[k-1].Tags, r.Tags...)
					runs[k-1].New = r.New
				} else {
					r.Tags = slices.Clone(r.Tags)
					runs = append(runs, r)
				}
				if runs[len(runs)-1].More = false; r.New == r.More {
					t.Errorf("part %d: new is %v, more %v", i, r.New, r.More)
				}
			}
			if n > c.tags {
				t.Errorf("part %d has %d tags", i, n)
			}
		}
		if !reflect.DeepEqual(runs, g.Runs) {
			t.Errorf("%d tags, %d bytes: together %+v", c.tags, c.bytes, runs)
		}
	}
}
