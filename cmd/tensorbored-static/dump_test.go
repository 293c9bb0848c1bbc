package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
)

// document is what the command writes.
type document struct {
	Runs    []string                       `json:"runs"`
	Scalars map[string]map[string][][3]any `json:"scalars"`
}

// events makes an event file with the given wall times: 1000, 1001, ….
func events(t *testing.T, write func(w *summary.Buffer)) []byte {
	t.Helper()
	w := summary.NewBuffer(summary.Options{Clock: summary.Ticks(time.Unix(999, 0), time.Second)})
	write(w)
	return w.Bytes()
}

// five is a file with the version event and the points 0 to 4 of tag "a".
func five(t *testing.T) []byte {
	return events(t, func(w *summary.Buffer) {
		for step := range int64(5) {
			if err := w.Scalar("a", float64(step), step); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// dumped runs the command on a logdir that holds the files.
func dumped(t *testing.T, files map[string][]byte) (code int, doc document, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, b := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dumpedDir(t, dir)
}

func dumpedDir(t *testing.T, dir string, flags ...string) (code int, doc document, stderr string) {
	t.Helper()
	code, stdout, stderr := call(append([]string{"dump", dir}, flags...)...)
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("no document: %v\n%s\n%s", err, stdout, stderr)
	}
	return code, doc, stderr
}

// says checks that stderr holds each text; with none, that it is empty.
func says(t *testing.T, stderr string, texts ...string) {
	t.Helper()
	if len(texts) == 0 && stderr != "" {
		t.Errorf("complains: %s", stderr)
	}
	for _, s := range texts {
		if !strings.Contains(stderr, s) {
			t.Errorf("does not say %q but: %s", s, stderr)
		}
	}
}

func TestDumpDamage(t *testing.T) {
	whole := five(t)
	at := damage.Records(whole)
	lost := func(i int) string { return fmt.Sprintf("from byte %d on", at[i].Offset) }
	file := `run "r", file "r/tfevents"`
	for _, c := range []struct {
		name  string
		data  []byte
		steps []float64
		code  int
		says  []string
	}{
		{"whole", whole, []float64{0, 1, 2, 3, 4}, 0, nil},
		{"zero length", nil, nil, 1, []string{"no event could be read"}},
		{"version only", whole[:at[0].Size], nil, 0, nil},
		{"torn tail", damage.Drop(whole, 3), []float64{0, 1, 2, 3}, 0, nil},
		{"torn header", damage.Tear(whole, at[5].Offset+7), []float64{0, 1, 2, 3}, 0, nil},
		{"flipped payload", damage.BadPayload(whole, 3), []float64{0, 1, 3, 4}, 0,
			[]string{fmt.Sprintf("lost %d bytes", at[3].Size), lost(3), "bad payload checksum", "skipped", file}},
		{"flipped length", damage.BadLength(whole, 2), []float64{0, 2, 3, 4}, 0,
			[]string{fmt.Sprintf("lost %d bytes", at[2].Size), lost(2), "bad length", "next record", file}},
		{"flipped length checksum", damage.BadLengthCRC(whole, 2), []float64{0, 1, 2, 3, 4}, 0,
			[]string{"lost 0 bytes", lost(2), "bad length checksum", "was used", file}},
		{"10 GB length", damage.HugeLength(whole, 2, 10<<30), []float64{0, 2, 3, 4}, 0, []string{lost(2), "bad length", file}},
		{"1 GB length", damage.HugeLength(whole, 2, 1<<30), []float64{0, 2, 3, 4}, 0, []string{lost(2), "bad length", file}},
		{"two flipped payloads", damage.Flip(damage.BadPayload(whole, 1), at[5].Offset+20, 0), []float64{1, 2, 3}, 0,
			[]string{"in 2 places", lost(1), file}},
		{"rubbish", []byte(strings.Repeat("this is no event file. ", 100)), nil, 1, []string{"no record found", "from byte 0 on", "no event could be read"}},
		{"zeros", make([]byte, 5000), nil, 1, []string{"no event could be read"}},
		{"a page of zeros", damage.Insert(whole, at[3].Offset, make([]byte, 4096)), []float64{0, 1, 2, 3, 4}, 0, []string{lost(3), file}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, doc, stderr := dumped(t, map[string][]byte{"r/tfevents": c.data})
			if code != c.code {
				t.Errorf("code %d, want %d", code, c.code)
			}
			says(t, stderr, c.says...)
			if !slices.Equal(doc.Runs, []string{"r"}) {
				t.Errorf("runs %q", doc.Runs)
			}
			var got []float64
			for _, p := range doc.Scalars["r"]["a"] {
				if p[0] != 1000+p[1].(float64) || p[2] != p[1] {
					t.Errorf("point %v", p)
				}
				got = append(got, p[1].(float64))
			}
			if !slices.Equal(got, c.steps) {
				t.Errorf("steps %v, want %v", got, c.steps)
			}
		})
	}
}

func TestDumpOddValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	steps := []int64{-5, 0, 1 << 40, math.MaxInt64, math.MinInt64, 3, 3}
	values := []float64{nan, inf, -inf, -0.0, 1e-45, 3.4028234663852886e38, 0.1}
	walls := []float64{nan, inf, -inf, -1.5, 0, 1e300, 1.7e9}
	b := events(t, func(w *summary.Buffer) {
		for i := range steps {
			w.Raw(summary.Event{WallTime: walls[i], Step: steps[i], Values: []summary.Value{
				summary.SimpleValue("simple", float32(values[i])),
				summary.TensorValue("double", summary.DoubleTensor(nil, values[i]), summary.Metadata{Plugin: "scalars"}),
			}})
		}
	})
	code, doc, stderr := dumped(t, map[string][]byte{"tfevents": b})
	says(t, stderr)
	if code != 0 {
		t.Errorf("code %d", code)
	}
	number := func(x any) float64 {
		switch x := x.(type) {
		case float64:
			return x
		case string:
			return map[string]float64{"NaN": nan, "Infinity": inf, "-Infinity": -inf}[x]
		}
		t.Errorf("number %v", x)
		return 0
	}
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	for tag, narrow := range map[string]bool{"simple": true, "double": false} {
		got := doc.Scalars["."][tag]
		if len(got) != len(steps) {
			t.Fatalf("%s has %d points", tag, len(got))
		}
		for i, p := range got {
			value := values[i]
			if narrow {
				value = float64(float32(value))
			}
			if !same(number(p[0]), walls[i]) || p[1] != float64(steps[i]) || !same(number(p[2]), value) {
				t.Errorf("%s: point %d is %v", tag, i, p)
			}
		}
	}
}

func TestDumpOddNames(t *testing.T) {
	html := `<img src=x onerror="alert(1)"></script>`
	tags := map[string]string{ // as logged, as shown
		html: html, "a/b c%2f#?": "a/b c%2f#?", "\x1b[31m\n\x00": "\x1b[31m\n\x00",
		"bad \xff\xfe end": "bad \uFFFD end", "ünï 数\U0001F600": "ünï 数\U0001F600",
		strings.Repeat("long", 5000): strings.Repeat("long", 5000), "\u2028": "\u2028", `"\`: `"\`,
	}
	b := events(t, func(w *summary.Buffer) {
		for tag := range tags {
			w.Raw(summary.Event{WallTime: 1, Step: 7, Values: []summary.Value{summary.SimpleValue(tag, 2)}})
		}
	})
	run := "<b>run</b> %41#?&\"ü"
	code, doc, stderr := dumped(t, map[string][]byte{run + "/tfevents": b})
	says(t, stderr)
	if code != 0 || len(doc.Scalars[run]) != len(tags) {
		t.Errorf("code %d, %d tags", code, len(doc.Scalars[run]))
	}
	for _, shown := range tags {
		if got := doc.Scalars[run][shown]; len(got) != 1 || got[0] != [3]any{1.0, 7.0, 2.0} {
			t.Errorf("tag %.50q: %v in %.300q", shown, got, slices.Collect(maps.Keys(doc.Scalars[run])))
		}
	}
}

func TestDumpManyTags(t *testing.T) {
	const n = 10_000
	b := events(t, func(w *summary.Buffer) {
		for step := range int64(2) {
			for k := range n {
				if err := w.Scalar(fmt.Sprintf("group%d/tag%d", k%100, k), float64(k), step, summary.WallSeconds(1)); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	_, doc, _ := dumped(t, map[string][]byte{"r/tfevents": b})
	if got := len(doc.Scalars["r"]); got != n {
		t.Fatalf("%d tags", got)
	}
	for k := range n {
		got := doc.Scalars["r"][fmt.Sprintf("group%d/tag%d", k%100, k)]
		if len(got) != 2 || got[0] != [3]any{1.0, 0.0, float64(k)} || got[1] != [3]any{1.0, 1.0, float64(k)} {
			t.Fatalf("tag %d: %v", k, got)
		}
	}
}

func TestDumpNotALogdir(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(notes, five(t), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{filepath.Join(dir, "nowhere")}, "does not exist"},
		{[]string{notes}, "give the directory that holds the event files"},
		{nil, "give one logdir"},
		{[]string{dir, dir}, "give one logdir"},
		{[]string{dir, "--no-such-flag"}, "no-such-flag"},
	} {
		code, stdout, stderr := call(append([]string{"dump"}, c.args...)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
	// Nothing to read is a document all the same, and a message.
	code, doc, stderr := dumpedDir(t, t.TempDir())
	if code != exitFailed || len(doc.Runs)+len(doc.Scalars) != 0 {
		t.Errorf("empty: %d, %v", code, doc)
	}
	says(t, stderr, "holds no event files", "tfevents")
	code, _, stderr = dumped(t, map[string][]byte{"notes.txt": []byte("x"), "events.out.tfevents.7/readme": nil})
	if code != exitFailed {
		t.Errorf("a directory with an event file's name: %d", code)
	}
	says(t, stderr, "holds no event files")
}

// What cannot be read is named, and the rest is read. Not even root reads these.
func TestDumpUnreadable(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	for p, b := range map[string][]byte{filepath.Join(dir, "tfevents.1"): five(t), filepath.Join(elsewhere, "tfevents.2"): five(t)} {
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "tfevents.pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"tfevents.dangling": "nowhere", "linked": elsewhere, "loop": "."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	code, doc, stderr := dumpedDir(t, dir)
	if code != 0 || !slices.Equal(doc.Runs, []string{".", "linked"}) || len(doc.Scalars["."]["a"]) != 5 || len(doc.Scalars["linked"]["a"]) != 5 {
		t.Errorf("%d, %v", code, doc)
	}
	says(t, stderr, "named pipe", `"tfevents.pipe"`, "leads nowhere", `"tfevents.dangling"`)
	code, doc, stderr = dumpedDir(t, dir, "--no_follow_symlinks")
	if code != 0 || !slices.Equal(doc.Runs, []string{"."}) {
		t.Errorf("%d, %v", code, doc)
	}
	says(t, stderr, "not followed", `"linked"`)
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestDumpCannotWrite(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tfevents"), five(t), 0o666); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	if code := run([]string{"dump", dir}, full{}, &stderr); code != exitFailed || !strings.Contains(stderr.String(), "could not be written") {
		t.Errorf("%d, %s", code, stderr.String())
	}
}

// A tag that looks like the name of an expression is a tag, beside what the expression
// would compute: dump and export have its points.
func TestTagLikeAnExpression(t *testing.T) {
	dir := t.TempDir()
	w, err := summary.NewWriter(filepath.Join(dir, "run"), summary.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for tag, v := range map[string]float64{"loss": 1, "={loss}": 2, "=": 3, "=1+": 4} {
		w.Scalar(tag, v, 7)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call("dump", dir)
	if code != 0 || stderr != "" {
		t.Fatalf("dump: %d %s", code, stderr)
	}
	for _, want := range []string{`"={loss}"`, ", 7, 2]", ", 7, 1]", ", 7, 3]", ", 7, 4]"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("dump: no %s in %s", want, stdout)
		}
	}
	code, stdout, stderr = call("export", dir, "--jsonl", "--tag", "={loss}")
	if code != 0 || !strings.Contains(stdout, `"value":2`) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("export: %d %s %s", code, stdout, stderr)
	}
}
