//go:build !js

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"path"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/kind/files"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// spoiled is a Logdir with trouble.
type spoiled struct {
	source.Logdir
	err func(r source.Range) error
}

func (s *spoiled) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	seq, err := s.Logdir.Read(ctx, ranges)
	return func(yield func(int, source.Result) bool) {
		for i, r := range seq {
			if err := s.err(ranges[i]); err != nil {
				r = source.Result{Size: -1, Err: err}
			}
			if !yield(i, r) {
				return
			}
		}
	}, err
}

// listed is a listing in which files are what their names say.
func (m *machine) listed() *api.Listing {
	l := m.list()
	for i := range l.Files {
		f := &l.Files[i]
		f.Kind = api.KindOf(path.Base(path.Dir(f.Path)), path.Base(f.Path), false)
	}
	return l
}

// read asks for files beside event files.
func (m *machine) read(paths ...string) map[string]string {
	m.t.Helper()
	out, done := map[string]string{}, false
	m.e.Ask(files.Query{}.For(paths...), func(r Reply) {
		for _, e := range r.Parts {
			var parts []files.Part
			if err := json.Unmarshal(e.Head, &parts); err != nil {
				m.t.Fatal(err)
			}
			for _, p := range parts {
				out[p.Path] = string(e.Bytes[p.Offset : p.Offset+p.Length])
				if p.Error != "" {
					out[p.Path] = fmt.Sprint("again ", p.Again)
				}
			}
		}
		done = true
	})
	if !m.run(func() bool { return done }) {
		m.t.Fatal("no answer")
	}
	return out
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Files beside event files are read by the workers, tried again, of one version or not at
// all, and by the worker that takes the place of one that has ended.
func TestFilesBesideEventFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := runsOf(t, 3)
		logs["run00/hparams.yaml"] = []byte("lr: 0")
		logs["run02/deep/model.index"] = []byte("index")
		logs["sub/metadata.tsv"] = []byte("a\tb")
		logs["projector_config.pbtxt"] = []byte("config")
		m := newMachine(t, logs, 2)
		ctx, cancel := context.WithCancel(m.ctx)
		defer cancel()
		m.ctx = ctx
		busy := 0
		m.dir = func() source.Logdir {
			return &spoiled{logs.Logdir(), func(r source.Range) error {
				if busy > 0 && !strings.Contains(r.Path, "tfevents") {
					busy--
					return &source.Error{Trouble: source.Busy, Reason: "the server answers with status 503"}
				}
				return nil
			}}
		}
		m.e.Open("logs")
		m.e.Listed(m.listed())
		whole := map[string]string{"run00/hparams.yaml": "lr: 0", "run02/deep/model.index": "index", "sub/metadata.tsv": "a\tb", "projector_config.pbtxt": "config"}
		paths := []string{"run00/hparams.yaml", "run02/deep/model.index", "sub/metadata.tsv", "projector_config.pbtxt"}
		same(t, "at first", m.read(append(paths, "run00/tfevents", "no such")...), whole)
		busy = 1
		same(t, "after one 503", m.read(paths...), whole)
		busy = 1000
		same(t, "while the server is busy", m.read(paths[:1]...), map[string]string{paths[0]: "again true"})
		busy = 0
		same(t, "when it is not any more", m.read(paths...), whole)

		// A file that has become another one is not mixed with what was listed.
		logs[paths[0]] = []byte("lr: 100")
		stale := m.stale
		same(t, "with another file than listed", m.read(paths...), map[string]string{paths[0]: "again true", paths[1]: "index", paths[2]: "a\tb", paths[3]: "config"})
		if m.stale == stale {
			t.Error("nobody is told that it must be listed anew")
		}
		m.e.Listed(m.listed())
		whole[paths[0]] = "lr: 100"
		same(t, "listed anew", m.read(paths...), whole)

		delete(logs, paths[3])
		m.e.Listed(m.listed())
		delete(whole, paths[3])
		same(t, "when one is gone", m.read(paths...), whole)

		for i := range m.e.workers {
			m.e.workers[i].Ended("out of memory")
		}
		same(t, "by new workers", m.read(paths...), whole)
		n := 0
		s := m.e.EveryByte(paths[1], wire.Query{Kind: files.Name})
		s.Next(func(p Piece) {
			if string(p.Bytes) == "index" && !p.More {
				n++
			}
		})
		if !m.run(func() bool { return n == 1 }) {
			t.Error("a file does not come in pieces")
		}
		m.e.Close()
	})
}
