//go:build !js

package reading

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tensorbored/tensorbored-static/shared/digest"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// digested is the digest of logs; as says which file's entry each path gets.
func digested(t *testing.T, logs source.Mem, as func(path string) string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := digest.NewWriter(&out)
	l, err := logs.Logdir().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]wire.File{}
	for _, f := range l.Files {
		files[f.Path] = wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[as(path)]
		f.MTime, f.Version = files[path].MTime, files[path].Version // it lies as well as it can
		entry, err := reader.Digest(t.Context(), logs.Logdir(), f, 64)
		if err != nil {
			t.Fatal(err)
		}
		is := files[path]
		if err := w.Add(digest.Item{Path: path, Size: is.Size, MTime: is.MTime, Version: is.Version}, entry); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const digestPath = ".tensorboard/runs.tbdigest"

func honest(path string) string { return path }

// equalRuns is a logdir whose files are all as long as each other.
func equalRuns(t *testing.T, runs, steps int) source.Mem {
	m := source.Mem{}
	for i := range runs {
		w := summary.NewBuffer(summary.Options{})
		for step := range int64(steps) {
			if err := w.Scalar("loss", float64(i)+1/float64(step+1), step); err != nil {
				t.Fatal(err)
			}
		}
		m[fmt.Sprintf("run%02d/tfevents", i)] = w.Bytes()
	}
	return m
}

// opened is a page that has read all, by a worker of its own or by the line, and how many bytes
// were read for it.
func opened(t *testing.T, logs source.Mem, far bool) (p *page, read int64) {
	dir, n := countedDir(logs)
	var l *lines
	if far {
		r := New(Options{Dir: dir, Workers: 2, Each: 1})
		t.Cleanup(r.Close)
		l = &lines{reading: r}
	}
	p = newPage(t, logs, 2, l)
	p.dir = func() source.Logdir { return dir }
	if !far {
		p.most = 1 // the counting source is one goroutine's
	}
	p.e.Open("memory")
	p.list()
	p.run("all", p.exact)
	return p, n()
}

// every is every point of all runs, read again where it is not kept.
func (p *page) every() (out []string) {
	for _, r := range p.e.Runs() {
		q := wire.NewQuery("scalars", []string{"loss"}, []string{r.Name}, nil)
		q.Every = true
		out = append(out, p.answers(q)...)
	}
	return out
}

// TestDigests: with a digest runs open without being read, in a browser's worker as beside the
// files, and every point is there when it is wanted; a file that has grown costs what was
// appended. A digest that is stale, that lies, or that is damaged costs a read, and is never
// believed.
func TestDigests(t *testing.T) {
	for _, far := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			logs := equalRuns(t, 3, 20_000)
			size := int64(0)
			for _, b := range logs {
				size += int64(len(b))
			}
			plain, _ := opened(t, logs, far)
			want := plain.every()
			points := plain.e.Status().Points
			plain.close()
			with := func(d []byte) source.Mem {
				m := maps.Clone(logs)
				m[digestPath] = d
				return m
			}
			good := digested(t, logs, honest)
			p, read := opened(t, with(good), far)
			if s := p.e.Status(); read > size/20 || s.Points != points || s.Kept > 3*200 || s.BytesCached != size || len(s.Lost) > 0 {
				t.Errorf("far %v: %d bytes of %d were read, %+v", far, read, size, s)
			}
			if got := p.every(); !slices.Equal(stripped(got), stripped(want)) {
				t.Errorf("far %v: every point: %.300q, want %.300q", far, got, want)
			}
			p.close()

			// One has grown, one is another one of equal length since.
			w := summary.NewBuffer(summary.Options{NoVersion: true})
			if err := w.Scalar("loss", 9, 30_000); err != nil {
				t.Fatal(err)
			}
			m := with(good)
			m["run00/tfevents"] = append(slices.Clone(logs["run00/tfevents"]), w.Bytes()...)
			m["run01/tfevents"] = logs["run02/tfevents"]
			p, read = opened(t, m, far)
			if s := p.e.Status(); s.Points != points+1 || read < size/3 || read > size/3+size/20 {
				t.Errorf("far %v: %d bytes of %d were read, %+v", far, read, size, s)
			}
			q := wire.NewQuery("scalars", []string{"loss"}, []string{"run01"}, map[string]any{"table": []int64{0}})
			fresh := maps.Clone(m)
			delete(fresh, digestPath)
			plain, _ = opened(t, fresh, far)
			if a, b := p.answers(q), plain.answers(q); !slices.Equal(a, b) {
				t.Errorf("far %v: what is stale is shown: %q, it is %q", far, a, b)
			}
			p.close()
			plain.close()

			// Of each run it says what is of the next one.
			lies := digested(t, logs, func(path string) string {
				return map[string]string{"run00/tfevents": "run01/tfevents", "run01/tfevents": "run02/tfevents", "run02/tfevents": "run00/tfevents"}[path]
			})
			p, read = opened(t, with(lies), far)
			if got := p.every(); read < size || !slices.Equal(stripped(got), stripped(want)) {
				t.Errorf("far %v: a lie is believed; %d bytes were read", far, read)
			}
			p.close()

			r := rand.New(rand.NewPCG(30, 3))
			for range 60 {
				bad := slices.Clone(good)
				if r.IntN(3) == 0 {
					bad = bad[:r.IntN(len(bad))]
				} else {
					for range 1 + r.IntN(3) {
						bad[r.IntN(len(bad))] ^= byte(1 + r.IntN(255))
					}
				}
				p, _ := opened(t, with(bad), far)
				if s := p.e.Status(); s.Points != points || len(s.Lost) > 0 {
					t.Fatalf("far %v: damaged: %+v", far, s)
				}
				p.close()
			}
		})
	}
}

// stripped are the points of answers alone: how many are kept is another thing.
func stripped(answers []string) (out []string) {
	for _, a := range answers {
		_, points, _ := strings.Cut(a, "}] ")
		out = append(out, points)
	}
	return out
}
