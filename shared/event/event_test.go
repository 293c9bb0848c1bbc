package event_test

import (
	"errors"
	"strings"
	"testing"

	pw "google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// wall is the field wall_time with the value 1.
var wall = []byte{1<<3 | 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}

// simple is a Summary.Value's simple_value of 1.
var simple = []byte{2<<3 | 5, 0, 0, 0x80, 0x3f}

func join(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// TestMerge: a message that stands twice is the merge of both.
func TestMerge(t *testing.T) {
	meta := func(m summary.Metadata) []byte {
		v := summary.Value{Metadata: m}
		return v.Append(nil)
	}
	a, b := field(nil, 1, []byte("a")), field(nil, 1, []byte("b"))
	for name, c := range map[string]struct {
		payload []byte
		what    event.What
		tags    string // of the values, joined
		plugin  string // of the last value
	}{
		"two summaries":            {join(field(nil, 5, field(nil, 1, a)), wall, field(nil, 5, field(nil, 1, b))), event.Summary, "a b", ""},
		"another in between":       {join(field(nil, 5, field(nil, 1, a)), field(nil, 9, nil), field(nil, 5, field(nil, 1, b))), event.Summary, "b", ""},
		"the last member counts":   {join(field(nil, 5, field(nil, 1, a)), field(nil, 3, []byte("brain.Event:2"))), event.FileVersion, "", ""},
		"bytes are replaced":       {join(field(nil, 3, []byte("x")), field(nil, 3, []byte("y"))), event.FileVersion, "", ""},
		"a tag is replaced":        {field(nil, 5, field(nil, 1, join(a, simple, b))), event.Summary, "b", ""},
		"a value between unknowns": {field(nil, 5, join([]byte{9 << 3, 1}, field(nil, 1, a), field(nil, 7, []byte("?")))), event.Summary, "a", ""},
		"session log":              {join(field(nil, 7, []byte{8, 1}), field(nil, 7, field(nil, 2, []byte("path")))), event.SessionLog, "", ""},
		"run metadata":             {join(field(nil, 8, a), field(nil, 8, field(nil, 2, b))), event.TaggedRunMetadata, "", ""},
		"two metadata": {field(nil, 5, field(nil, 1, join(a, meta(summary.Metadata{Plugin: "scalars"}), simple, meta(summary.Metadata{Content: []byte("c"), DisplayName: "d"})))),
			event.Summary, "a", "scalars"},
		"two tensors": {field(nil, 5, field(nil, 1, join(a, field(nil, 8, ofType(event.Double)), field(nil, 8, field(nil, 6, le(2.5)))))), event.Summary, "a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			agree(t, c.payload)
			var e event.Event
			if err := e.Decode(c.payload); err != nil || e.What != c.what {
				t.Fatalf("%+v, %v", e, err)
			}
			if c.what != event.Summary {
				return
			}
			var v event.Value
			var tags []string
			for rest, ok := e.Body, true; ; {
				var err error
				if rest, ok, err = v.NextValue(rest); err != nil || !ok {
					break
				}
				tags = append(tags, string(v.Tag))
				if m, err := event.DecodeMeta(v.Meta); err != nil || m.Plugin != c.plugin {
					t.Errorf("metadata %+v, %v", m, err)
				}
			}
			if got := strings.Join(tags, " "); got != c.tags {
				t.Errorf("tags %q, want %q", got, c.tags)
			}
		})
	}
}

// TestTags: names are bytes.
func TestTags(t *testing.T) {
	for _, tag := range []string{"a", "bad \xff\xfe", "\x00", "<b>", strings.Repeat("x", 127), strings.Repeat("x", 128), strings.Repeat("x", 70_000)} {
		p := summary.Event{WallTime: 1, Step: 3, Values: []summary.Value{summary.SimpleValue(tag, 1)}}.Append(nil)
		agree(t, p)
		q, ok := event.Plain(p)
		if ok != (len(tag) < 1<<14) || ok && string(p[q.Tag0:q.Tag1]) != tag {
			t.Errorf("plain %.20q: %v", tag, ok)
		}
	}
}

// TestPlain: the common forms are recognised, and nothing beside them.
func TestPlain(t *testing.T) {
	value := field(nil, 1, []byte("t"))
	event5 := func(v ...[]byte) []byte { return field(nil, 5, field(nil, 1, join(v...))) }
	step := pw.AppendVarint([]byte{2 << 3}, ^uint64(0))
	tensor := field(nil, 8, field(ofType(event.Float, []int64{}...), 5, le(float32(1))))
	for name, c := range map[string]struct {
		payload []byte
		ok      bool
	}{
		"simple":              {join(wall, step, event5(value, simple)), true},
		"without step":        {join(wall, event5(value, simple)), true},
		"tensor":              {join(wall, step, event5(value, tensor)), true},
		"with metadata":       {join(wall, step, event5(value, tensor, field(nil, 9, []byte("meta")))), true},
		"unpacked":            {join(wall, event5(value, field(nil, 8, append(ofType(event.Float), append([]byte{5<<3 | 5}, le(float32(1))...)...)))), true},
		"without wall time":   {join(step, event5(value, simple)), false},
		"step of 11 bytes":    {join(wall, append([]byte{2 << 3}, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1), event5(value, simple)), false},
		"step beyond 64 bits": {join(wall, append([]byte{2 << 3}, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2), event5(value, simple)), false},
		"something behind":    {join(wall, event5(value, simple), []byte{80, 1}), false},
		"two values":          {join(wall, field(nil, 5, join(field(nil, 1, join(value, simple)), field(nil, 1, join(value, simple))))), false},
		"metadata first":      {join(wall, event5(field(nil, 9, []byte("meta")), value, simple)), false},
		"a double":            {join(wall, event5(value, field(nil, 8, field(ofType(event.Double), 6, le(1.0))))), false},
		"two floats":          {join(wall, event5(value, field(nil, 8, field(ofType(event.Float), 5, le([]float32{1, 2}))))), false},
		"nothing":             {nil, false},
	} {
		if _, ok := event.Plain(c.payload); ok != c.ok {
			t.Errorf("%s: %v", name, ok)
		}
		agree(t, c.payload)
		for i := range c.payload { // every torn form, for panics
			event.Plain(c.payload[:i])
			agree(t, c.payload[:i])
		}
	}
}

func TestMalformed(t *testing.T) {
	var e event.Event
	var v event.Value
	for _, b := range [][]byte{{1<<3 | 1, 0}, {2 << 3}, {5<<3 | 2, 9}, {5<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, {0}, {7}, {0x80}, {4<<3 | 3}} {
		if err := e.Decode(b); !errors.Is(err, event.ErrMalformed) {
			t.Errorf("event %x: %v", b, err)
		}
	}
	for _, b := range [][]byte{{1<<3 | 2, 9}, field(nil, 1, []byte{2<<3 | 5, 0}), field(nil, 1, []byte{8<<3 | 2, 5}), {0}} {
		if _, _, err := v.NextValue(b); !errors.Is(err, event.ErrMalformed) {
			t.Errorf("summary %x: %v", b, err)
		}
	}
	for _, b := range [][]byte{{1<<3 | 2, 9}, field(nil, 1, []byte{1<<3 | 2, 9})} {
		if _, err := event.DecodeMeta(b); !errors.Is(err, event.ErrMalformed) {
			t.Errorf("metadata %x: %v", b, err)
		}
	}
}

// Nothing on the way of a scalar allocates.
func TestNoGarbage(t *testing.T) {
	simple := summary.Event{WallTime: 1, Step: 3, Values: []summary.Value{summary.SimpleValue("a", 1)}}.Append(nil)
	double := summary.Event{WallTime: 1, Step: 3, Values: []summary.Value{
		summary.TensorValue("a", summary.DoubleTensor(nil, 0.1), summary.Metadata{Plugin: "scalars"})}}.Append(nil)
	var e event.Event
	var v event.Value
	for name, f := range map[string]func(){
		"plain": func() { event.Plain(simple) },
		"general": func() {
			if e.Decode(double) != nil {
				t.Fatal("not decoded")
			}
			if _, ok, err := v.NextValue(e.Body); !ok || err != nil {
				t.Fatal("no value")
			}
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkPlain(b *testing.B) {
	p := summary.Event{WallTime: 1, Step: 300, Values: []summary.Value{summary.SimpleValue("train/loss", 1)}}.Append(nil)
	for b.Loop() {
		event.Plain(p)
	}
}

func BenchmarkDecode(b *testing.B) {
	p := summary.Event{WallTime: 1, Step: 300, Values: []summary.Value{
		summary.TensorValue("train/loss", summary.DoubleTensor(nil, 0.1), summary.Metadata{Plugin: "scalars"})}}.Append(nil)
	var e event.Event
	var v event.Value
	for b.Loop() {
		e.Decode(p)
		v.NextValue(e.Body)
		event.Scalar(v.Body)
	}
}
