package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// odd are paths with all that JSON and URLs must escape.
var odd = []string{
	"a", "run 1/events.out.tfevents.1", `q"uo\te/x`, "new\nline\ttab\x01/\x7f", "ü/日本/🙂", "100%/#?&+;=@:",
	"\u2028\ufffd", "‮bidi", "..a/b..", ".tensorboard/x.json", "<script>alert(1)</script>",
}

func listing() *Listing {
	l := &Listing{Logdir: `C:\logs "x"`, Base: "files/", Batch: "batch", ETag: "abc", Partial: true}
	for i, p := range odd {
		l.Files = append(l.Files, File{p, int64(i) << 40, 1700000000123_456789 + int64(i), []Kind{Event, Companion}[i%2], []string{"", "2s8x"}[i/2%2]})
	}
	l.Problems = []Problem{{"x/y", "no permission"}, {"\n", "odd"}}
	l.order()
	return l
}

func TestRoundTrip(t *testing.T) {
	want := listing()
	got, err := Parse(want.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// What we write is JSON that the standard library reads the same.
func TestAppendIsJSON(t *testing.T) {
	want := listing()
	var got struct {
		Version                   int
		Logdir, Base, Batch, ETag string
		Files                     []struct {
			Path    string
			Size    int64
			MTime   json.Number
			Kind    Kind
			Version string
		}
		Problems []Problem
	}
	if err := json.Unmarshal(want.Append(nil), &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != Version || got.Logdir != want.Logdir || len(got.Files) != len(want.Files) || !reflect.DeepEqual(got.Problems, want.Problems) {
		t.Fatalf("got %+v\nwant %+v", got, want)
	}
	for i, g := range got.Files {
		w := want.Files[i]
		millis := strconv.FormatInt(w.MTime/1e6, 10) + "." + fmt.Sprintf("%06d", w.MTime%1e6)
		if g.Path != w.Path || g.Size != w.Size || g.Kind != w.Kind || g.Version != w.Version || g.MTime.String() != strings.TrimRight(millis, "0") {
			t.Errorf("got %+v, want %+v", g, w)
		}
	}
}

// A listing from elsewhere: other order, spacing, members, escapes, numbers.
func TestParseForeign(t *testing.T) {
	l, err := Parse([]byte(` {
		"comment": [1, {"a": null, "b": [true, false, "\"]"]}, -1.5e3],
		"files": [
			{"path": "b\/run\u0020\ud83d\ude42\ud800/events.out.tfevents.2", "mtime": 1.7e12, "size": 10.0, "mode": "0644"},
			{"path": "a/events.out.tfevents.1", "size": 1},
			{"path": "a/sprite.png", "size": 3}, {"path": "a/notes.txt", "size": 3},
			{"path": "p/projector_config.pbtxt"}, {"path": "p/x.png"}, {"path": "q/x.png"}
		], "problems": null }`))
	if err != nil {
		t.Fatal(err)
	}
	want := []File{
		{"a/events.out.tfevents.1", 1, 0, Event, ""},
		{"a/sprite.png", 3, 0, Companion, ""},
		{"b/run 🙂\ufffd/events.out.tfevents.2", 10, 1.7e18, Event, ""},
		{"p/projector_config.pbtxt", 0, 0, Companion, ""},
		{"p/x.png", 0, 0, Companion, ""},
	}
	if !reflect.DeepEqual(l.Files, want) || l.Batch != "" || len(l.Problems) != 0 {
		t.Errorf("got %+v\nwant files %+v", l, want)
	}
}

// A bad line costs only itself.
func TestParseBadFiles(t *testing.T) {
	for _, path := range []string{"", "/etc/passwd", "../x", "a/../x", "a//b", "a/", "./a", "a/.", "a\\u0000b"} {
		l, err := Parse([]byte(`{"files":[{"path":"` + path + `","kind":"event"},{"path":"good","kind":"event"}]}`))
		if err != nil || len(l.Files) != 1 || l.Files[0].Path != "good" || len(l.Problems) != 1 {
			t.Errorf("%q: %+v, %v", path, l, err)
		}
	}
	l, err := Parse([]byte(`{"files":[{"path":"a","size":-1,"kind":"event"},{"path":"b","kind":"event"},{"path":"b","size":1,"kind":"event"}]}`))
	if err != nil || len(l.Files) != 1 || l.Files[0] != (File{"b", 0, 0, Event, ""}) || len(l.Problems) != 2 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestParseBroken(t *testing.T) {
	for _, text := range []string{
		``, `null`, `[]`, `{`, `{"files"}`, `{"files":[}`, `{"files":[{}`, `{"files":{}}`, `{"logdir":1}`, `{"logdir":"x`,
		`{"logdir":"\x"}`, `{"logdir":"\u12"}`, `{"files":[{"path":"a","size":"1"}]}`, `{"a":nope}`, `{"a":1}x`,
		`{"a":` + strings.Repeat("[", 1000), `{"files":[{"path":"a","size":1e99}]}`, `{"a" 1}`, `{"a":1,}`,
		"<!doctype html>",
	} {
		_, err := Parse([]byte(text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), "tensorbored-static list") {
			t.Errorf("%s: %v", text, err)
		}
	}
	var version *VersionError
	if _, err := Parse([]byte(`{"version":2}`)); !errors.As(err, &version) || version.Got != 2 {
		t.Errorf("version 2: %v", err)
	}
}

// Times are kept to the nanosecond, and read from whoever writes them.
func TestTimes(t *testing.T) {
	for _, ns := range []int64{0, 1, 999_999, 1e6, 1e6 + 1, 1700000000123_000000, 1700000000123_456700, 1<<63 - 1, -1, -1e6, -1_500_000} {
		l := &Listing{Files: []File{{Path: "a", MTime: ns, Kind: Event}}}
		got, err := Parse(l.Append(nil))
		if err != nil || len(got.Files) != 1 || got.Files[0].MTime != ns {
			t.Errorf("%d ns: %+v, %v", ns, got, err)
		}
	}
	for text, ns := range map[string]int64{
		"1.7e12": 1.7e18, "1700000000123.9999999": 1700000000123_999999, "12.5": 12_500_000, "1e30": math.MaxInt64 / 1_000_000 * 1_000_000,
		"99999999999999999999": math.MaxInt64 / 1_000_000 * 1_000_000, "0.0": 0, "1700000000000.0000": 1700000000000_000000,
	} {
		if l, err := Parse([]byte(`{"files":[{"path":"a","kind":"event","mtime":` + text + `}]}`)); err != nil {
			if text != "1e30" && text != "99999999999999999999" {
				t.Errorf("%s: %v", text, err)
			}
		} else if l.Files[0].MTime != ns {
			t.Errorf("%s became %d ns, want %d", text, l.Files[0].MTime, ns)
		}
	}
}

// The letters and digits at the ends of their ranges, and the bytes beside them.
func TestEscapeEveryByte(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/"
	for c := range 256 {
		want := string([]byte{byte(c)})
		if strings.IndexByte(plain, byte(c)) < 0 {
			want = fmt.Sprintf("%%%02X", c)
		}
		if got := EscapePath(string([]byte{byte(c)})); got != want {
			t.Errorf("byte %d: got %q, want %q", c, got, want)
		}
	}
}

func TestEscapePath(t *testing.T) {
	for path, want := range map[string]string{
		"a/b-c_d.e~f":   "a/b-c_d.e~f",
		"a b/100%?#":    "a%20b/100%25%3F%23",
		"ü":             "%C3%BC",
		"a+b&c=d;e:f@g": "a%2Bb%26c%3Dd%3Be%3Af%40g",
	} {
		if got := EscapePath(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		dir, name string
		beside    bool
		want      Kind
	}{
		{"r", "events.out.tfevents.1700000000.host", false, Event},
		{"r", "my.tfevents", false, Event},
		{"r", "events.out.tfevents.1.profile-empty", false, Event},
		{"r", "tfevents.png", false, Event},
		{"r", "projector_config.pbtxt", false, Companion},
		{"r", "metadata.tsv", false, Companion},
		{"r", "METADATA.TSV", false, Companion},
		{"r", "tensor.bytes", false, Companion},
		{"r", "hparams.yaml", false, Companion},
		{"r", "checkpoint", false, Companion},
		{"r", "saved_model.pb", false, Companion},
		{"r", "graph.pbtxt", false, Companion},
		{"r", "net.ONNX", false, Companion},
		{"r", "Model.json", false, Companion},
		{"r", "keras_net.json", false, Companion},
		{"r", "results.json", false, ""},
		{"r", "model.ckpt-1.index", false, Companion},
		{"r", "model.ckpt-1.data-00000-of-00002", false, Companion},
		{".tensorboard", "default_profile.json", false, Companion},
		{"r", "default_profile.json", false, ""},
		{"r", "sprite.png", false, Companion},
		{"r", "frame1.png", false, ""},
		{"r", "frame1.png", true, Companion},
		{"r", "frame1.JPG", true, Companion},
		{"r", "model.pt", true, ""},
		{"r", "emb.npy", false, Companion},
		{"r", "emb.NPZ", false, Companion},
		{"r", "model.safetensors", false, Companion},
		{"r", "model.ckpt-7", false, Companion},
		{"r", "model.ckpt-7.meta", false, ""},
		{"r", "epoch=1.ckpt", false, ""},
		{"r", "bookmarks.txt", true, Companion},
		{"r", "bookmarks.txt", false, ""},
		{"r", "id_rsa", false, ""},
		{"r", ".data", false, ""},
		{"r", "", false, ""},
	} {
		if got := KindOf(c.dir, c.name, c.beside); got != c.want {
			t.Errorf("%s/%s beside %v: got %q, want %q", c.dir, c.name, c.beside, got, c.want)
		}
	}
}

func TestFailure(t *testing.T) {
	want := &Failure{`no "logdir"`, "start with --logdir"}
	got, ok := ParseFailure(want.Append(nil))
	if !ok || *got != *want {
		t.Errorf("got %+v %v", got, ok)
	}
	for _, text := range []string{"", "<html>", "{}", `{"remedy":"x"}`, `{"error":""}`} {
		if f, ok := ParseFailure([]byte(text)); ok {
			t.Errorf("%q was taken for %+v", text, f)
		}
	}
}

func big(n int) []byte {
	l := &Listing{Base: "files/"}
	for i := range n {
		l.Files = append(l.Files, File{fmt.Sprintf("experiment-%03d/lr=0.%04d/events.out.tfevents.17%08d.host.%d.0", i/100, i%100, i, i), int64(i) * 1000, 1700000000000_000000 + 1_234_567*int64(i), Event, strconv.FormatUint(uint64(i)*0x9e3779b97f4a7c15, 36)})
	}
	return l.Append(nil)
}

func BenchmarkParse100k(b *testing.B) {
	data := big(100_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if l, err := Parse(data); err != nil || len(l.Files) != 100_000 {
			b.Fatal(err)
		}
	}
}

// Parse never panics, and what it accepts is a fixed point: written and parsed
// again it is the same.
func FuzzParse(f *testing.F) {
	f.Add(string(listing().Append(nil)))
	f.Add(`{"title":"a\u0000","reload":-2,"samples":{"b":1e3,"a":-1,"b":2},"files":[]}`)
	f.Add(`{"files":[{"path":"a\u00e9","size":1.5,"mtime":-1}],"problems":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse([]byte(text))
		if err != nil {
			return
		}
		for _, file := range l.Files {
			if !ValidPath(file.Path) || file.Size < 0 || file.Kind == "" {
				t.Fatalf("accepted %+v", file)
			}
		}
		data := l.Append(nil)
		again, err := Parse(data)
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if string(again.Append(nil)) != string(data) {
			t.Errorf("%s became %s", data, again.Append(nil))
		}
	})
}
