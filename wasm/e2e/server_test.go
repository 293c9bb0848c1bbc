//go:build !js

package e2e

import (
	"math"
	"os"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// encodings are all forms in which a scalar is logged, and what becomes of 2.7 in
// each.
var encodings = []struct {
	tag   string
	opts  []summary.Option
	value float64
}{
	{"legacy", nil, f32(2.7)},
	{"float32", []summary.Option{summary.AsTensor()}, f32(2.7)},
	{"float64", []summary.Option{summary.Double()}, 2.7},
	{"float16", []summary.Option{summary.As(summary.Float16)}, 2.69921875},
	{"bfloat16", []summary.Option{summary.As(summary.BFloat16)}, 2.703125},
	{"int8", []summary.Option{summary.As(summary.Int8)}, 2},
	{"int16", []summary.Option{summary.As(summary.Int16)}, 2},
	{"int32", []summary.Option{summary.As(summary.Int32)}, 2},
	{"int64", []summary.Option{summary.As(summary.Int64)}, 2},
	{"uint8", []summary.Option{summary.As(summary.Uint8)}, 2},
	{"uint16", []summary.Option{summary.As(summary.Uint16)}, 2},
	{"uint32", []summary.Option{summary.As(summary.Uint32)}, 2},
	{"uint64", []summary.Option{summary.As(summary.Uint64)}, 2},
	{"bool", []summary.Option{summary.As(summary.Bool)}, 1},
}

// everything is a logdir with all encodings, all kinds of runs, and several files
// in one.
func everything(t *testing.T) *logs {
	l := newLogs(t)
	l.file("forms", "1700000000.host.1.0", func(w *summary.Buffer) {
		for _, e := range encodings {
			for step := range int64(3) {
				if err := w.Scalar(e.tag, 2.7, step, append(e.opts, summary.WallSeconds(epoch+float64(step)))...); err != nil {
					t.Fatal(err)
				}
				l.expect("forms", e.tag, at(step, epoch+float64(step), e.value))
			}
		}
		// A tensor in raw bytes, as TensorFlow writes larger ones.
		bits := math.Float64bits(-1.5)
		raw := make([]byte, 8)
		for i := range raw {
			raw[i] = byte(bits >> (8 * i))
		}
		w.Raw(summary.Event{WallTime: epoch + 1, Step: 7, Values: []summary.Value{
			summary.TensorValue("content", summary.ContentTensor(summary.Float64, nil, raw), summary.Metadata{Plugin: "scalars"})}})
		l.expect("forms", "content", at(7, epoch+1, -1.5))
		w.Scalar("named", 1, 1, summary.WallSeconds(epoch), summary.AsTensor(), summary.DisplayName("Shown name"), summary.Description("A *description*"))
		l.expect("forms", "named", at(1, epoch, 1))
	})
	// More points than a chunk of memory holds, several tags in an event.
	l.file("many", "1700000000.host.1.0", func(w *summary.Buffer) {
		for step := range int64(2500) {
			wall := epoch - 100 + float64(step)
			w.Raw(summary.Event{WallTime: wall, Step: step, Values: []summary.Value{
				summary.SimpleValue("a/x", float32(step)), summary.SimpleValue("a/y", -float32(step))}})
			l.expect("many", "a/x", at(step, wall, float64(step)))
			l.expect("many", "a/y", at(step, wall, -float64(step)))
		}
	})
	l.put(l.path("many", "1700000000.host.1.0"), append(bytesOf(epoch-100, func(*summary.Buffer) {}),
		l.read(l.path("many", "1700000000.host.1.0"))[len(bytesOf(epoch, func(*summary.Buffer) {})):]...))
	// Two files, the second of a job that was started again at step 6.
	l.run("again/train", map[string][]point{"loss": curve(3, 0, 10)})
	l.want["again/train"]["loss"] = slices.Concat(curve(3, 0, 6), curve(4, 6, 5))
	l.file("again/train", "1700000009.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: epoch + 9, Step: 6, Status: summary.SessionStarted})
		write(w, map[string][]point{"loss": curve(4, 6, 5)})
	})
	first := l.read(l.path("again/train", "1700000000.host.1.0"))
	head := bytesOf(epoch, func(*summary.Buffer) {})
	start := records(func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: epoch, Step: 0, Status: summary.SessionStarted})
	})
	l.put(l.path("again/train", "1700000000.host.1.0"), slices.Concat(head, start, first[len(head):]))
	// The logdir itself is a run too.
	l.run(".", map[string][]point{"top": curve(1, 0, 2)})
	return l
}

// The data API as documented, over the program's own server, in both browsers.
func TestServer(t *testing.T) {
	t.Parallel()
	l := everything(t)
	url := browsertest.Serve(t, "--logdir", l.dir).URL
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, url)
			equal(t, v.all(), l.want)

			s := v.status()
			size := int64(0)
			for _, r := range v.runs() {
				for _, f := range r.Files {
					fi, err := os.Stat(l.dir + "/" + f)
					if err != nil {
						t.Fatal(err)
					}
					size += fi.Size()
				}
			}
			points := int64(0)
			for _, tags := range l.want {
				for _, p := range tags {
					points += int64(len(p))
				}
			}
			// Points counts what the files hold, the orphaned ones included.
			if s.Phase != "exact" || s.BytesRead != size || s.BytesTotal != size || s.Files != 5 || s.Runs != 4 ||
				s.Points != points+4 || len(s.Lost) != 0 || s.Error != "" {
				t.Errorf("status %+v, want %d bytes, %d points", s, size, points+4)
			}
			var fields map[string]any
			v.Eval(`tensorbored.status()`, &fields)
			for _, name := range []string{"phase", "bytesRead", "bytesTotal", "files", "runs", "points", "lost"} {
				if _, ok := fields[name]; !ok {
					t.Errorf("status has no %s: %v", name, fields)
				}
			}

			// By the first event's wall time, then by name.
			sameNames(t, "runs", v.names(), []string{"many", ".", "again/train", "forms"})
			runs := v.runs()
			if r := runs[2]; r.StartTime != epoch || !slices.Equal(r.Files,
				[]string{"again/train/events.out.tfevents.1700000000.host.1.0", "again/train/events.out.tfevents.1700000009.host.1.0"}) {
				t.Errorf("run %+v", r)
			}
			tags := v.tags("scalars")
			if got, want := tags["forms"]["named"], (tag{"scalars", "Shown name", "A *description*", 1}); got != want {
				t.Errorf("tag %+v, want %+v", got, want)
			}
			if got, want := tags["many"]["a/x"], (tag{"scalars", "a/x", "", 2500}); got != want {
				t.Errorf("tag %+v, want %+v", got, want)
			}
			if none := v.tags("no such plugin"); len(none) != 0 {
				t.Errorf("tags of no plug-in: %v", none)
			}
			for _, bad := range []string{`tensorbored.scalars("forms", "nothing")`, `tensorbored.scalars("nobody", "loss")`, `tensorbored.scalars()`} {
				if err := v.TryEval(bad, nil); err == nil {
					t.Errorf("%s did not fail", bad)
				}
			}
		})
	}
}

// on("change") calls until what it returned is called.
func TestOn(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run("r", map[string][]point{"x": curve(1, 0, 3)})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	v.Eval(`void (globalThis.calls = [0, 0], globalThis.off = [0, 1].map((i) => tensorbored.on("change", () => { calls[i]++ })))`, nil)
	l.add(path, records(func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 3, 1)}) }))
	v.Wait(`(tensorbored.reload(), calls[0] > 0 && calls[1] > 0 && tensorbored.status().points === 4)`)
	v.Wait(`tensorbored.status().phase === "exact"`)
	v.Eval(`void (off[0](), off[0](), calls[0] = calls[1] = 0)`, nil)
	l.add(path, records(func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 4, 1)}) }))
	v.Wait(`(tensorbored.reload(), tensorbored.status().points === 5 && calls[1] > 0)`)
	var calls [2]int
	if v.Eval(`calls`, &calls); calls[0] != 0 || calls[1] == 0 {
		t.Errorf("%d calls after it was ended, %d of the other", calls[0], calls[1])
	}
}
