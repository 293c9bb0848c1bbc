package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// every is a value of each type that has a JSON form, with its text. The names are public:
// scripts read them.
var every = []struct {
	value any
	text  string
}{
	{Status{Phase: Reading, Logdir: "~/runs", BytesRead: 1, BytesCached: 1, BytesTotal: 2, Files: 3, Unread: 1, Gone: 2, Runs: 4, Points: 5, Kept: 6,
		Lost: []Loss{{Run: "r", File: "r/f", Offset: 7, Bytes: 8, Kind: "bad length", Count: 9, Remedy: "m", Details: "d"}}, Error: "e", Still: true, Empty: true, Reader: "h", Note: "n", Title: "t", Reload: -1, Previewed: true, Rate: 1.5},
		`{"phase":"reading","logdir":"~/runs","bytesRead":1,"bytesCached":1,"bytesTotal":2,"files":3,"unread":1,"gone":2,"runs":4,"points":5,"kept":6,` +
			`"lost":[{"run":"r","file":"r/f","offset":7,"bytes":8,"kind":"bad length","count":9,"remedy":"m","details":"d"}],"error":"e","still":true,"empty":true,"reader":"h","note":"n","title":"t","reload":-1,"previewed":true,"rate":1.5}`},
	{Run{Name: ".", StartTime: 1.25, Files: []string{"f"}}, `{"name":".","startTime":1.25,"files":["f"]}`},
	{Tag{Plugin: "scalars", DisplayName: "d", Description: "*x*", Points: 1, Kept: 2},
		`{"plugin":"scalars","displayName":"d","description":"*x*","points":1,"kept":2}`},
	{Query{Kind: "scalars", Runs: []string{"a"}, Tags: []string{"<t>"}, Files: []string{"f"}, Calm: true, Every: true, Body: json.RawMessage(`{"x":"step"}`)},
		`{"kind":"scalars","runs":["a"],"tags":["\u003ct\u003e"],"files":["f"],"calm":true,"every":true,"body":{"x":"step"}}`},
}

func TestRoundTrip(t *testing.T) {
	for _, e := range every {
		b, err := json.Marshal(e.value)
		if err != nil || string(b) != e.text {
			t.Errorf("%T is\n%s, want\n%s (%v)", e.value, b, e.text, err)
		}
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		back := reflect.New(reflect.TypeOf(e.value))
		if err := d.Decode(back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), e.value) {
			t.Errorf("%T comes back as %+v, %v", e.value, back.Elem(), err)
		}
		// A field that is added must be added here, or it would be tested by nobody.
		v := reflect.ValueOf(e.value)
		for i := range v.NumField() {
			if v.Field(i).IsZero() && v.Type().Field(i).Tag.Get("json") != "-" {
				t.Errorf("%T: field %s is not tried", e.value, v.Type().Field(i).Name)
			}
		}
	}
}

// A text that is written by hand reads as the one that it is, and as encoding/json writes it.
func TestAppendText(t *testing.T) {
	for _, s := range []string{"", "loss/train", `a"b\c`, "läuft", "\x01\x7f<&>\u2028", "bad \xff bytes", "🙂"} {
		want, _ := json.Marshal(s)
		var a, b string
		got := AppendText([]byte("x"), s)
		if json.Unmarshal(want, &a) != nil || json.Unmarshal(got[1:], &b) != nil || a != b {
			t.Errorf("%q becomes %s, want %s", s, got[1:], want)
		}
	}
}
