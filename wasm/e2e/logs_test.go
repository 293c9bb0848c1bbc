//go:build !js

package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// logs is a logdir and what a reader must find in it.
type logs struct {
	t    *testing.T
	dir  string
	want curves
}

func newLogs(t *testing.T) *logs {
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return &logs{t, dir, curves{}}
}

// epoch is the wall time at which the tests' runs begin, in seconds since 1970.
const epoch = 1700000000

// path returns where a run's file with this number stands; it is reached also by
// readers, so that its name has the usual form.
func (l *logs) path(run, file string) string {
	return filepath.Join(l.dir, filepath.FromSlash(run), "events.out.tfevents."+file)
}

// file writes an event file: the version, then what f writes. It returns its path.
func (l *logs) file(run, file string, f func(w *summary.Buffer)) string {
	l.t.Helper()
	path := l.path(run, file)
	l.put(path, bytesOf(epoch, f))
	return path
}

// bytesOf returns the bytes of an event file that begins at a wall time.
func bytesOf(wall float64, f func(w *summary.Buffer)) []byte {
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	w.Raw(summary.Event{WallTime: wall, FileVersion: summary.FileVersion})
	f(w)
	return w.Bytes()
}

// put writes a file, and the directories above it.
func (l *logs) put(path string, data []byte) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		l.t.Fatal(err)
	}
}

// add appends data to a file.
func (l *logs) add(path string, data []byte) {
	l.t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *logs) read(path string) []byte {
	l.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		l.t.Fatal(err)
	}
	return b
}

// expect notes the points of a series, behind those noted before.
func (l *logs) expect(run, tag string, points ...point) {
	if l.want[run] == nil {
		l.want[run] = map[string][]point{}
	}
	l.want[run][tag] = append(l.want[run][tag], points...)
}

// curve returns n points from a step on; seed makes curves differ.
func curve(seed, from, n int) []point {
	out := make([]point, n)
	for i := range out {
		s := from + i
		out[i] = at(int64(s), epoch+float64(seed)+float64(s)/2, f32(1/float64(1+s)+float64(seed)))
	}
	return out
}

// write writes curves as PyTorch does, in the order of the points, and notes
// them if a run is given.
func write(w *summary.Buffer, tags map[string][]point) {
	names := slices.Sorted(maps.Keys(tags))
	for i := 0; ; i++ {
		more := false
		for _, name := range names {
			if i < len(tags[name]) {
				p := tags[name][i]
				if err := w.Scalar(name, float64(p[2]), int64(p[0]), summary.WallSeconds(float64(p[1]))); err != nil {
					panic(err) // a mistake in the test
				}
				more = true
			}
		}
		if !more {
			return
		}
	}
}

// run writes a run of one file and notes its points.
func (l *logs) run(name string, tags map[string][]point) (path string) {
	l.t.Helper()
	path = l.file(name, "1700000000.host.1.0", func(w *summary.Buffer) { write(w, tags) })
	for tag, points := range tags {
		l.expect(name, tag, points...)
	}
	return path
}

// records returns the bytes of the events that f writes, without a version before
// them: what a job appends.
func records(f func(w *summary.Buffer)) []byte {
	w := summary.NewBuffer(summary.Options{NoVersion: true})
	f(w)
	return w.Bytes()
}
