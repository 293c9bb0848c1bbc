package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// every is a value of each type that crosses as JSON, with its text. The names of
// the first five are public: scripts read them.
var every = []struct {
	value any
	text  string
}{
	{Status{Phase: Reading, Logdir: "~/runs", BytesRead: 1, BytesCached: 1, BytesTotal: 2, Files: 3, Unread: 1, Runs: 4, Points: 5, Kept: 6,
		Lost: []Loss{{Run: "r", File: "r/f", Offset: 7, Bytes: 8, Kind: "bad length", Count: 9, Remedy: "m", Details: "d"}}, Error: "e", Empty: true, Title: "t", Reload: -1, Previewed: true, Rate: 1.5},
		`{"phase":"reading","logdir":"~/runs","bytesRead":1,"bytesCached":1,"bytesTotal":2,"files":3,"unread":1,"runs":4,"points":5,"kept":6,` +
			`"lost":[{"run":"r","file":"r/f","offset":7,"bytes":8,"kind":"bad length","count":9,"remedy":"m","details":"d"}],"error":"e","empty":true,"title":"t","reload":-1,"previewed":true,"rate":1.5}`},
	{Run{Name: ".", StartTime: 1.25, Files: []string{"f"}}, `{"name":".","startTime":1.25,"files":["f"]}`},
	{Tag{Plugin: "scalars", DisplayName: "d", Description: "*x*", Points: 1, Kept: 2},
		`{"plugin":"scalars","displayName":"d","description":"*x*","points":1,"kept":2}`},
	{Query{Kind: "scalars", Runs: []string{"a"}, Tags: []string{"<t>"}, Calm: true, Every: true, Body: json.RawMessage(`{"x":"step"}`)},
		`{"kind":"scalars","runs":["a"],"tags":["\u003ct\u003e"],"calm":true,"every":true,"body":{"x":"step"}}`},
	{Open{Gen: 1, Kind: "http", Base: "b", Batch: "c", Careful: true, Budget: 1 << 40, Most: 500, Cache: "d", CacheBytes: 2, PreviewFrom: 4, Workers: 3},
		`{"gen":1,"kind":"http","base":"b","batch":"c","careful":true,"budget":1099511627776,"most":500,"cache":"d","cacheBytes":2,"previewFrom":4,"workers":3}`},
	{File{Path: "p", Size: 1 << 53, MTime: 2, Version: "v", Gone: true}, `{"path":"p","size":9007199254740992,"mtime":2,"version":"v","gone":true}`},
	{Look{Runs: []string{"a"}, Tags: []string{"t"}}, `{"runs":["a"],"tags":["t"]}`},
	{Progress{Gen: 1, BytesRead: 2, BytesCached: 1, Points: 3, Kept: 4, Busy: true, Unread: 8, Heard: 5, Previewing: true, Previewed: true, Lost: []Loss{{Kind: "k"}}, LostSet: true,
		Runs: []RunProgress{{Name: "r", Start: 6, Tags: map[string]Tag{"t": {Points: 7}}}}, Error: "e"},
		`{"gen":1,"bytesRead":2,"bytesCached":1,"points":3,"kept":4,"busy":true,"unread":8,"heard":5,"previewing":true,"previewed":true,` +
			`"lost":[{"run":"","file":"","offset":0,"bytes":0,"kind":"k","count":0,"remedy":""}],"lostSet":true,` +
			`"runs":[{"name":"r","start":6,"tags":{"t":{"plugin":"","displayName":"","description":"","points":7,"kept":0}}}],"error":"e"}`},
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
			if v.Field(i).IsZero() {
				t.Errorf("%T: field %s is not tried", e.value, v.Type().Field(i).Name)
			}
		}
	}
}

// What is not there is left out where its presence means something.
func TestLeftOut(t *testing.T) {
	for text, v := range map[string]any{
		`{"name":"r","start":0}`:          RunProgress{Name: "r"},
		`{"path":"p","size":0,"mtime":0}`: File{Path: "p"},
	} {
		if b, err := json.Marshal(v); err != nil || string(b) != text {
			t.Errorf("%s, want %s (%v)", b, text, err)
		}
	}
}
