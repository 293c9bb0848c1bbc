//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/faulty"
)

// Hyperparameters that stand in a hparams.yaml beside the event file, as Lightning writes
// them; one that is no such thing harms nobody.
func TestPageHParamsFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, yaml := range []string{ // in the order in which they begin
		"batch_size: 32\nmodel:\n  act: relu\n  hidden:\n  - 64\n  - 32\n",
		"batch_size: 64\nmodel:\n  act: gelu\n",
		"\x00\xff<b> [",
	} {
		run := fmt.Sprintf("version_%d", i)
		w, err := summary.NewWriter(filepath.Join(dir, run), summary.Options{})
		if err == nil {
			w.Scalar("val_loss", 1, 1, summary.WallSeconds(1700000000))
			err = w.Close()
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, run, "hparams.yaml"), []byte(yaml), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := come(t, browsertest.Chromium, dir)
	s.fresh("#hparams")
	head := "Run | batch_size | model/act | model/hidden | val_loss"
	s.gridIs(head, "+version_0 | 32 | relu | [64, 32] | 1", "+version_1 | 64 | gelu |  | 1")
	s.Control("checkbox", "All runs").Click()
	s.gridIs(head, "+version_0 | 32 | relu | [64, 32] | 1", "+version_1 | 64 | gelu |  | 1", "+version_2 |  |  |  | 1")
}

// A host that is busy for a moment costs no hyperparameters: its files are tried again, and,
// where it is busy for longer, asked for again.
func TestPageHParamsFileLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 2 {
		run := filepath.Join(dir, fmt.Sprintf("version_%d", i))
		w, err := summary.NewWriter(run, summary.Options{})
		if err == nil {
			w.Scalar("val_loss", 1, 1, summary.WallSeconds(1700000000+float64(i)))
			err = w.Close()
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(run, "hparams.yaml"), fmt.Appendf(nil, "lr: %d\n", i+1), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	site := http.FileServer(http.Dir(browsertest.Pages(t, dir)))
	var mutex sync.Mutex
	busy := map[string]int{"version_0": 1, "version_1": 6} // answers
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		run := path.Base(path.Dir(r.URL.Path))
		refuse := strings.HasSuffix(r.URL.Path, "hparams.yaml") && busy[run] > 0
		if refuse {
			busy[run]--
		}
		mutex.Unlock()
		if refuse {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s := &screen{view: start(t, browsertest.Chromium), url: server.URL + "/"}
	s.Allow("Failed to load resource")
	s.Resize(1600, 1000)
	s.Before(hearing)
	s.Open(s.url + "#hparams")
	s.gridIs("Run | lr | val_loss", "+version_0 | 1 | 1", "+version_1 | 2 | 1")
	s.Control("main", "*").Is(`!/damaged|could not be read/.test(tbUser.text(e))`)
}

// A file that cannot be read is asked for every 15 s, once, however many questions its first
// reading took: there are as many as 256 files in each.
func TestPageHParamsFileAgain(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 300 {
		run := fmt.Sprintf("version_%03d", i)
		l.run(run, map[string][]point{"val_loss": {at(1, 1700000000+float64(i), 1)}})
		l.put(filepath.Join(l.dir, run, "hparams.yaml"), fmt.Appendf(nil, "lr: %d\n", i+1))
	}
	var busy atomic.Bool
	busy.Store(true)
	var asked atomic.Int64
	server := httptest.NewServer(&faulty.Handler{Next: http.FileServer(http.Dir(browsertest.Pages(t, l.dir))), Choose: func(r *http.Request, _ int) faulty.Fault {
		if !strings.HasSuffix(r.URL.Path, "version_000/hparams.yaml") {
			return faulty.None
		}
		asked.Add(1)
		if busy.Load() {
			return faulty.Failing
		}
		return faulty.None
	}})
	t.Cleanup(server.Close)
	s := &screen{view: start(t, browsertest.Chromium), url: server.URL + "/"}
	s.Allow("Failed to load resource")
	s.Resize(1600, 1000)
	s.HoldClock()
	s.Open(s.url + "#hparams")
	note := s.Control("region", "Table of runs")
	note.Is(`/hyperparameters of 1 run could not be read for now, and are asked for again: version_000$/m.test(tbUser.text(e))`)
	first := asked.Load()
	for n := range int64(2) {
		s.Eval(`tbPass(15000)`, nil)
		s.Until(func() string {
			if got := asked.Load(); got < first*(n+2) {
				return fmt.Sprintf("asked %d times", got)
			}
			return ""
		})
		s.Rest()
	}
	busy.Store(false)
	s.Eval(`tbPass(15000)`, nil)
	note.Is(`!/could not be read/.test(tbUser.text(e))`)
	if got := asked.Load(); got != 3*first+1 {
		t.Errorf("asked %d times, at first %d", got, first)
	}
}

// The table follows what is logged: points, hyperparameters that come late, runs, files beside
// them that change, break and are mended.
func TestPageHParamsFollow(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	files := map[string]int{}
	add := func(run string, fill func(w *summary.Buffer)) {
		files[run]++
		l.file(run, fmt.Sprintf("17000000%02d.host.1.0", files[run]), fill)
	}
	acc := func(v float64, step int64) func(*summary.Buffer) {
		return func(w *summary.Buffer) {
			if err := w.Scalar("acc", v, step, summary.WallSeconds(epoch+float64(step))); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := func(lr float64) func(*summary.Buffer) {
		return func(w *summary.Buffer) {
			if err := w.HParams(map[string]any{"lr": lr}, []string{"acc"}, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("a", start(0.5))
	add("a", acc(0.25, 1))
	add("b", acc(0.5, 1))
	file := filepath.Join(l.dir, "c", "hparams.yaml")
	add("c", acc(0.75, 1))
	l.put(file, []byte("lr: 2\n"))
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1600, 1000)
	s.fresh("#hparams")
	const head = "Run | lr | acc"
	s.gridIs(head, "+a | 0.5 | 0.25", "+c | 2 | 0.75")
	look := s.looks
	add("a", acc(0.375, 2))
	look()
	s.gridIs(head, "+a | 0.5 | 0.375", "+c | 2 | 0.75")
	add("b", start(1))
	look()
	s.gridIs(head, "+a | 0.5 | 0.375", "+b | 1 | 0.5", "+c | 2 | 0.75")
	add("d", start(4))
	add("d", acc(1.5, 1))
	look()
	s.gridIs(head, "+a | 0.5 | 0.375", "+b | 1 | 0.5", "+c | 2 | 0.75", "+d | 4 | 1.5")
	l.put(file, []byte("lr: 32\n"))
	look()
	s.gridIs(head, "+a | 0.5 | 0.375", "+b | 1 | 0.5", "+c | 32 | 0.75", "+d | 4 | 1.5")
	// One that is far too large is none, which is told until it is mended; what was logged counts more
	// than what a file says.
	table := s.Control("region", "Table of runs")
	l.put(file, make([]byte, hparams.MaxFile+1))
	look()
	table.Control("status", "The hyperparameters of 1 run are damaged: c").Wait()
	l.put(file, []byte("lr: 64\n"))
	l.put(filepath.Join(l.dir, "a", "hparams.yaml"), []byte("lr: 9\nwd: 3\n"))
	look()
	s.gridIs("Run | lr | wd | acc", "+a | 0.5 | 3 | 0.375", "+b | 1 |  | 0.5", "+c | 64 |  | 0.75", "+d | 4 |  | 1.5")
	table.Control("status", "The hyperparameters of*").Gone()

	// By a column that is not shown, down and filtered, also beside the names in the list.
	s.fresh("#timeseries&columns=param%3Fname%3Dlr&sort=-last%3Fname%3Dacc")
	s.list("+d", "+c", "+b", "+a")
	add("a", acc(3, 3))
	look()
	s.list("+a", "+d", "+c", "+b")
	s.fresh("#hparams&columns=param%3Fname%3Dlr,last%3Fname%3Dacc")
	s.Control("grid", "Runs").Control("button", "Filter acc").Click()
	s.Control("dialog", "Filter acc").Control("spinbutton", "At least").Fill("0.75")
	s.gridIs(head, "+a | 0.5 | 3", "+c | 64 | 0.75", "+d | 4 | 1.5")
	s.Press("Escape")
	s.Control("grid", "Runs").Control("columnheader", "acc*").Control("button", "acc*").Get("e.focus()", nil)
	s.Press("Delete")
	s.gridIs("Run | lr", "+a | 0.5", "+c | 64", "+d | 4")
	s.again()
	s.gridIs("Run | lr", "+a | 0.5", "+c | 64", "+d | 4")
	s.Control("button", "Clear all filters").Click()

	// A run that says nothing of its start began with its first event.
	s.fresh("#hparams&columns=start")
	s.Until(func() string {
		if g := s.grid(); len(g) != 5 || g[3] != "+c | 2023-11-14 22:13:20" {
			return fmt.Sprintf("%q", g)
		}
		return ""
	})

	// What cannot be read is told.
	add("e", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: epoch, Values: []summary.Value{
			summary.TensorValue("_hparams_/session_start_info", summary.FloatTensor([]int64{1}, 1), summary.Metadata{Plugin: "hparams", Content: []byte("\xff\xff\xff")})}})
	})
	look()
	table.Control("status", "The hyperparameters of 1 run are damaged: e").Wait()
}

// A file that is written anew takes with it what the one before it said: a run that says nothing of
// its hyperparameters any more has none, others count where they are others, and what was damaged
// is not.
func TestPageHParamsAnew(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	write := func(run string, begin float64, params map[string]any, metrics ...string) {
		t.Helper()
		l.put(l.path(run, "1700000001.host.1.0"), bytesOf(begin, func(w *summary.Buffer) {
			if params != nil {
				if err := w.HParams(params, metrics, summary.WallSeconds(begin)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Scalar("loss", 0.5, 1, summary.WallSeconds(begin)); err != nil {
				t.Fatal(err)
			}
			for step := range 3 {
				if err := w.Scalar("acc", begin-epoch+float64(step), int64(step), summary.WallSeconds(begin+float64(step))); err != nil {
					t.Fatal(err)
				}
			}
		}))
	}
	write("a", epoch+10, map[string]any{"lr": 0.5, "wd": 7}, "acc", "loss")
	write("b", epoch+20, map[string]any{"lr": 2}, "acc")
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1600, 1000)
	s.fresh("#hparams")
	s.gridIs("Run | lr | wd | acc | loss", "+a | 0.5 | 7 | 12 | 0.5", "+b | 2 |  | 22 | 0.5")
	write("a", epoch+11, map[string]any{"lr": 8, "wd": 7}, "acc", "loss") // as many tags and points
	s.looks()
	s.gridIs("Run | lr | wd | acc | loss", "+a | 8 | 7 | 13 | 0.5", "+b | 2 |  | 22 | 0.5")
	write("a", epoch+12, nil)
	s.looks()
	s.gridIs("Run | lr | acc", "+b | 2 | 22")
	l.put(l.path("a", "1700000001.host.1.0"), bytesOf(epoch+13, func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: epoch, Values: []summary.Value{
			summary.TensorValue("_hparams_/session_start_info", summary.FloatTensor([]int64{1}, 1), summary.Metadata{Plugin: "hparams", Content: []byte("\xff\xff\xff")})}})
	}))
	s.looks()
	said := s.Control("region", "Table of runs").Control("status", "The hyperparameters of*")
	said.Wait()
	write("a", epoch+14, map[string]any{"lr": 3}, "acc")
	s.looks()
	s.gridIs("Run | lr | acc", "+a | 3 | 16", "+b | 2 | 22")
	said.Gone()
	// At the same time, with as many values: other hyperparameters, and another experiment.
	write("a", epoch+15, map[string]any{"lr": 3}, "acc", "loss")
	s.looks()
	s.gridIs("Run | lr | acc | loss", "+a | 3 | 17 | 0.5", "+b | 2 | 22 | 0.5")
	write("a", epoch+15, map[string]any{"lr": 4}, "acc", "none")
	s.looks()
	s.gridIs("Run | lr | acc", "+a | 4 | 17", "+b | 2 | 22")
}
