package hparams

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

func message(num protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), body)
}

func double(num protowire.Number, v float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), math.Float64bits(v))
}

func join(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// start is the start of a session with one hyperparameter x.
func start(value []byte) []byte {
	return message(3, message(1, join(message(1, []byte("x")), message(2, value))))
}

func TestValues(t *testing.T) {
	list := message(6, join(message(1, double(2, 1)), message(1, message(3, []byte("a\"b"))), message(1, nil)))
	for _, k := range []struct {
		value []byte
		want  Value
		text  string
	}{
		{nil, Value{Kind: None}, "None"},
		{[]byte{8, 0}, Value{Kind: None}, "None"},
		{double(2, 0.1), Value{Kind: Number, Num: 0.1}, "0.1"},
		{double(2, 64), Value{Kind: Number, Num: 64}, "64"},
		{double(2, 1e-7), Value{Kind: Number, Num: 1e-7}, "1e-07"},
		{double(2, 123757312), Value{Kind: Number, Num: 123757312}, "123757312"},
		{[]byte{0x20, 1}, Value{Kind: Bool, Num: 1}, "true"},
		{[]byte{0x20, 0}, Value{Kind: Bool}, "false"},
		{message(3, []byte("<b>\xff")), Value{Kind: Text, Text: "<b>\uFFFD"}, "<b>\uFFFD"},
		{list, Value{Kind: Text, Text: `[1, "a\"b", None]`}, `[1, "a\"b", None]`},
		{message(5, message(1, join(message(1, []byte("k")), message(2, list)))), Value{Kind: Text, Text: `{"k": [1, "a\"b", None]}`}, `{"k": [1, "a\"b", None]}`},
	} {
		d, err := Decode(start(k.value))
		if err != nil || d.Start == nil || len(d.Start.Params) != 1 {
			t.Errorf("%x: %+v, %v", k.value, d, err)
			continue
		}
		if p := d.Start.Params[0]; p.Name != "x" || p.Value != k.want || p.Value.String() != k.text {
			t.Errorf("%x is %+v, written %q", k.value, p, p.Value)
		}
	}
}

// A damaged message is an error, whatever is cut off or turned over; nested values end
// somewhere.
func TestDamaged(t *testing.T) {
	whole := join(start(double(2, 1)), message(4, []byte{8, 1, 0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f}))
	for n := range whole {
		Decode(whole[:n])
		for bit := range 8 {
			b := append([]byte(nil), whole...)
			b[n] ^= 1 << bit
			Decode(b)
		}
	}
	d, err := Decode(whole)
	if err != nil || d.Start != nil || d.End == nil || d.End.Status != Success || d.End.End != 0 {
		t.Errorf("the last of a oneof counts, and an infinite time is none: %+v, %v", d, err)
	}
	deep := double(2, 1)
	for range 100 {
		deep = message(6, message(1, deep))
	}
	if _, err := Decode(start(deep)); err != ErrMalformed {
		t.Errorf("a hundred lists in one another: %v", err)
	}
	if _, err := Decode(whole[:len(whole)-3]); err != ErrMalformed {
		t.Errorf("cut off: %v", err)
	}
	if d, err := Decode([]byte("\x10\x07")); err != nil || d != (Data{}) {
		t.Errorf("unknown fields alone: %+v, %v", d, err)
	}
}

// A thousand hyperparameters, some twice.
func TestManyParams(t *testing.T) {
	var b []byte
	for i := range 1000 {
		b = append(b, message(1, join(message(1, []byte(fmt.Sprintf("p%03d", 999-i))), message(2, double(2, 0))))...)
	}
	b = append(b, message(1, join(message(1, []byte("p007")), message(2, double(2, 7))))...)
	d, err := Decode(message(3, b))
	if err != nil || len(d.Start.Params) != 1000 {
		t.Fatalf("%v, %d hyperparameters", err, len(d.Start.Params))
	}
	for i, p := range d.Start.Params {
		if want := map[bool]float64{true: 7}[i == 7]; p.Name != fmt.Sprintf("p%03d", i) || p.Value.Num != want {
			t.Errorf("number %d is %+v", i, p)
		}
	}
}

// What experiments say together does not lose what only one of them says.
func TestUnion(t *testing.T) {
	number := func(x float64) Value { return Value{Kind: Number, Num: x} }
	e := Experiment{Params: []ParamInfo{{Name: "a", Type: 3, Interval: &Interval{0, 1}}, {Name: "b", Type: 3, Discrete: []Value{number(1)}}},
		Metrics: []MetricInfo{{Tag: "loss"}}}
	e.Union(Experiment{User: "u", Params: []ParamInfo{{Name: "b", Title: "B", Type: 1, Discrete: []Value{number(1), {Kind: Text, Text: "x"}}}, {Name: "c"}, {Name: "a", Type: 3, Interval: &Interval{-1, 0.5}}},
		Metrics: []MetricInfo{{Tag: "loss", Title: "again"}, {Group: "eval", Tag: "loss"}}})
	want := Experiment{User: "u", Params: []ParamInfo{{Name: "a", Type: 3, Interval: &Interval{-1, 1}}, {Name: "b", Title: "B", Type: 1, Discrete: []Value{number(1), {Kind: Text, Text: "x"}}}, {Name: "c"}},
		Metrics: []MetricInfo{{Tag: "loss"}, {Group: "eval", Tag: "loss"}}}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v", e)
	}
}

func TestOwner(t *testing.T) {
	has := func(list string) func(string) bool {
		return func(run string) bool { return strings.Contains(" "+list+" ", " "+run+" ") }
	}
	for _, k := range []struct{ sessions, run, owner, group string }{
		{"a a/b", "a/b/c/d", "a/b", "c/d"}, {"a", "a", "a", ""}, {".", "a/b", ".", "a/b"}, {".", ".", ".", ""},
		{"a", "ab", "", ""}, {"a/b", "a", "", ""}, {"", ".", "", ""},
	} {
		owner, ok := Owner(k.run, has(k.sessions))
		if ok != (k.owner != "") || owner != k.owner {
			t.Errorf("%q of sessions %q belongs to %q", k.run, k.sessions, owner)
		}
		if ok && (GroupOf(owner, k.run) != k.group || RunOf(owner, k.group) != k.run) {
			t.Errorf("%q below %q is %q, and back %q", k.run, owner, GroupOf(owner, k.run), RunOf(owner, GroupOf(owner, k.run)))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(start(double(2, 1)))
	f.Add(message(2, join(message(4, message(1, []byte("lr"))), message(5, message(1, message(2, []byte("loss")))))))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Decode(b)
		if err != nil && d != (Data{}) {
			t.Error("an error, and data")
		}
	})
}

// What JSON has no form for comes back as it was logged.
func TestExperimentJSON(t *testing.T) {
	inf := math.Inf(1)
	number := func(x float64) Value { return Value{Kind: Number, Num: x} }
	e := Experiment{Name: "läuft", Created: 1.5, Metrics: []MetricInfo{{Group: "g", Tag: "t", Dataset: 2}}, Params: []ParamInfo{
		{Name: "lr", Type: 3, Interval: &Interval{0, inf}}, {Name: "any", Type: 3, Interval: &Interval{-inf, inf}, Differs: true},
		{Name: "some", Discrete: []Value{number(-inf), number(inf), number(1e-300), {Kind: Bool, Num: 1}, {Kind: None}, {Kind: Text, Text: "<\"\xc3\xbc"}}},
	}}
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back Experiment
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, e) {
		t.Errorf("%s comes back as %+v, %v", b, back, err)
	}
	if b, err = json.Marshal(Interval{math.NaN(), 1}); err != nil || string(b) != `["NaN",1]` {
		t.Errorf("%s, %v", b, err)
	}
	var i Interval
	if err := json.Unmarshal([]byte(`["NaN",1]`), &i); err != nil || !math.IsNaN(i[0]) || i[1] != 1 {
		t.Errorf("%v, %v", i, err)
	}
	for _, bad := range []string{`["inf",1]`, `[1e999,1]`, `{}`, `[true,1]`, `7`} {
		if err := json.Unmarshal([]byte(bad), &i); err == nil {
			t.Errorf("%s is taken for an interval", bad)
		}
	}
}

// Sessions are equal if they say the same; a NaN is one.
func TestSessionEqual(t *testing.T) {
	whole := func() *Session {
		return &Session{Params: []Param{{"lr", Value{Kind: Number, Num: math.NaN()}}, {"opt", Value{Kind: Text, Text: "sgd"}}},
			Group: "g", ModelURI: "u", Monitor: "m", Start: 1, Status: 2, End: 3}
	}
	var none *Session
	if !whole().Equal(whole()) || !none.Equal(nil) || none.Equal(whole()) || whole().Equal(nil) {
		t.Error("what is equal is not, or the other way round")
	}
	for i, change := range []func(s *Session){
		func(s *Session) { s.Params[0].Value.Num = 1 },
		func(s *Session) { s.Params[0].Name = "rate" },
		func(s *Session) { s.Params[1].Value.Text = "adam" },
		func(s *Session) { s.Params[0].Value.Kind = Bool },
		func(s *Session) { s.Params = s.Params[:1] },
		func(s *Session) { s.Group = "h" },
		func(s *Session) { s.ModelURI = "" },
		func(s *Session) { s.Monitor = "" },
		func(s *Session) { s.Start = 2 },
		func(s *Session) { s.Status = 1 },
		func(s *Session) { s.End = 4 },
	} {
		other := whole()
		if change(other); other.Equal(whole()) || whole().Equal(other) {
			t.Errorf("change %d is not seen", i)
		}
	}
}
