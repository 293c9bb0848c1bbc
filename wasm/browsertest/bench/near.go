//go:build !js

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/near/reading"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A logdir is read beside its files, by what the server reads with, in a process of its own, for
// a number of viewers, which are no pages: they ask for a curve of every run, as a card does.

const (
	lineBeside      = "read beside the files, natively, all cores"
	lineBesideFirst = "  beside the files → every curve"
	lineServed      = "read by a server, for one viewer"
	lineServedMany  = "the same for 50 viewers"
	lineMadeUp      = "a made-up logdir of 100 GB, read beside the files"
)

// madeUp is the name of a logdir that nobody has written: "made up:RUNS:MB", so many runs of one
// file of so many MB.
const madeUp = "made up:"

// sparse is a logdir of runs whose files are all the same bytes.
type sparse struct {
	runs int
	file []byte
}

func newSparse(runs int, size int) *sparse {
	w := summary.NewBuffer(summary.Options{})
	for step := int64(0); len(w.Bytes()) < size; step += 1000 {
		for i := range int64(1000) {
			for _, tag := range []string{"loss", "accuracy", "learning_rate", "grad/norm"} {
				if err := w.Scalar(tag, 1/float64(step+i+1), step+i, summary.WallTime(time.Unix(1.7e9+step+i, 0))); err != nil {
					panic(err)
				}
			}
		}
	}
	return &sparse{runs, w.Bytes()}
}

func (s *sparse) list(context.Context) (*api.Listing, error) {
	l := &api.Listing{ETag: "made up"}
	for i := range s.runs {
		l.Files = append(l.Files, api.File{Path: fmt.Sprintf("run%05d/events.out.tfevents.1", i), Size: int64(len(s.file)), MTime: 1, Kind: api.Event, Version: "1"})
	}
	return l, nil
}

type sparseFile struct{ *bytes.Reader }

func (f sparseFile) Close() error                  { return nil }
func (f sparseFile) Size() (int64, string, error)  { return f.Reader.Size(), "1", nil }
func (s *sparse) open(string) (source.File, error) { return sparseFile{bytes.NewReader(s.file)}, nil }

// beside reads dir for viewers, with a memory of so many bytes, and prints what it took: until
// every run's curve was there, and until all was exact, in ns, bytes that were read and sent, and
// memory.
func beside(dir string, viewers int, memory int64) error {
	var logs source.Logdir
	if what, ok := strings.CutPrefix(dir, madeUp); ok {
		runs, size, _ := strings.Cut(what, ":")
		n, err := strconv.Atoi(runs)
		mb, err2 := strconv.Atoi(size)
		if err != nil || err2 != nil {
			return fmt.Errorf("%s is no made-up logdir", dir)
		}
		s := newSparse(n, mb<<20)
		logs = &source.FromFiles{Lister: s.list, Open: s.open}
	} else {
		store, err := files.Open(dir, dir, true)
		if err != nil {
			return err
		}
		defer store.Close()
		logs = store.Source()
	}
	l, err := logs.List(context.Background())
	if err != nil {
		return err
	}
	if to := os.Getenv("PROFILE"); to != "" {
		f, err := os.Create(to)
		if err != nil {
			return err
		}
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	began := time.Now()
	far := reading.New(reading.Options{Dir: logs, Budget: reading.Bound(memory)})
	defer far.Close()
	var mu sync.Mutex
	var first, exact time.Duration
	sent := 0
	var wait sync.WaitGroup
	for range viewers {
		wait.Go(func() {
			f, e, n, err := look(far.Meet(), l, began)
			if err != nil {
				panic(err)
			}
			mu.Lock()
			defer mu.Unlock()
			first, exact, sent = max(first, f), max(exact, e), sent+n
		})
	}
	wait.Wait()
	if to := os.Getenv("PROFILE"); to != "" {
		runtime.GC()
		g, _ := os.Create(to + ".heap")
		pprof.WriteHeapProfile(g)
		g.Close()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Fprintln(os.Stderr, "heap", m.HeapAlloc>>20, "inuse", m.HeapInuse>>20, "sys", m.Sys>>20, "gc", m.NumGC)
	}
	size := int64(0)
	for _, f := range l.Files {
		size += f.Size
	}
	fmt.Println(first.Nanoseconds(), exact.Nanoseconds(), size, sent, peakMemory(os.Getpid()))
	return nil
}

// viewer is a line to what reads: a viewer of this process, or a page's line to a server.
type viewer interface {
	Hear(frame []byte) error
	Next(ctx context.Context) ([][]byte, error)
	Leave()
}

// look is one viewer, until it has the exact curve of all runs.
func look(v viewer, l *api.Listing, began time.Time) (first, exact time.Duration, sent int, err error) {
	defer v.Leave()
	say := func(op string, id int, m wire.Message) {
		e := wire.Envelope{Op: op, ID: id}
		if m != nil {
			e.Body = wire.Pack(m)
		}
		if wrong := v.Hear(near.Append(nil, &e)); wrong != nil {
			err = wrong
		}
	}
	var list wire.Files
	var runs []string
	for _, f := range l.Files {
		list = append(list, wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version})
		if run := source.RunOf(f.Path); len(runs) == 0 || runs[len(runs)-1] != run {
			runs = append(runs, run)
		}
	}
	say(wire.OpOpen, 0, &wire.Open{Gen: 1, Kind: "http"})
	say(wire.OpFiles, 0, &list)
	known := map[string]string{} // runs that have a tag
	asked, last := 0, 0
	ask := func() {
		asked++
		last = asked
		tags := map[string]bool{}
		for _, t := range known {
			tags[t] = true
		}
		for t := range tags {
			q := wire.NewQuery("scalars", []string{t}, runs, map[string]any{"x": "step", "pixels": 400})
			say(wire.OpQuery, asked, &q)
			break
		}
	}
	done := false
	for err == nil {
		frame, wrong := v.Next(context.Background())
		if wrong != nil {
			return first, exact, sent, wrong
		}
		for _, piece := range frame {
			sent += len(piece)
		}
		loose, wrong := near.Loose(slices.Concat(frame...), reading.Inflate)
		if wrong != nil {
			return first, exact, sent, wrong
		}
		m, wrong := near.Cut(loose)
		if wrong != nil {
			return first, exact, sent, wrong
		}
		switch m.Op {
		case wire.OpProgress:
			var p wire.Progress
			if wrong := wire.Unpack(m.Body, &p); wrong != nil {
				return first, exact, sent, wrong
			}
			for _, r := range p.Runs {
				if len(r.Tags) > 0 {
					known[r.Name] = r.Tags[0].Name
				}
			}
			done = !p.Busy && p.Heard == 1
			if asked == 0 && len(known) == len(runs) && !p.Previewing || done && (asked == 0 || first > 0) {
				ask()
			}
		case wire.OpAnswer:
			if m.ID != last || m.More || m.Part < m.Of-1 {
				continue
			}
			now := time.Since(began)
			if first == 0 {
				first = now
				if done {
					ask()
				}
				continue
			}
			if done {
				return first, now, sent, nil
			}
		}
	}
	return first, exact, sent, err
}

// besides is what a child process took.
type besides struct {
	first, exact time.Duration
	size, sent   int64
	memory       int64
}

func readBeside(dir string) (b besides, err error) {
	self, err := os.Executable()
	if err != nil {
		return b, err
	}
	cmd := exec.Command(self, "-beside", dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return b, fmt.Errorf("%v: %w", cmd, err)
	}
	var first, exact int64
	_, err = fmt.Sscan(string(out), &first, &exact, &b.size, &b.sent, &b.memory)
	b.first, b.exact = time.Duration(first), time.Duration(exact)
	return b, err
}

// farAway measures a logdir that is read beside its files, in Chromium over a slow line and
// without a browser.
func farAway(t *table, l *logdir) error {
	if err := measured(func(tb *tb) error { overSlowLine(t, tb, l, onServer); return nil }); err != nil {
		return err
	}
	return nearBytes(t, l)
}

// nearBytes measures reading beside the files, without a browser.
func nearBytes(t *table, l *logdir) error {
	b, err := readBeside(l.dir)
	if err != nil {
		return err
	}
	t.add(l, lineBesideFirst, measurement{took: b.first})
	t.add(l, lineBeside, measurement{took: b.exact, memory: b.memory})
	for _, viewers := range []int{1, 50} {
		m, err := served(l.dir, viewers)
		if err != nil {
			return err
		}
		line := lineServed
		if viewers > 1 {
			line = lineServedMany
		}
		t.add(l, line, m)
	}
	return nil
}

// served measures a server that reads dir for viewers over lines as pages have them: until the last of
// them has the exact curve of every run, and what memory the server has had.
func served(dir string, viewers int) (m measurement, err error) {
	return m, measured(func(tb *tb) error {
		s := browsertest.Serve(tb, "--logdir", dir, "--read", "server", "--cache", "off")
		store, err := files.Open(dir, dir, true)
		if err != nil {
			return err
		}
		defer store.Close()
		l, err := store.Source().List(context.Background())
		if err != nil {
			return err
		}
		began := time.Now()
		wrong := make([]error, viewers)
		var wait sync.WaitGroup
		for i := range viewers {
			wait.Go(func() {
				v, err := dial(s.URL)
				if err == nil {
					_, _, _, err = look(v, l, began)
				}
				wrong[i] = err
			})
		}
		wait.Wait()
		m = measurement{took: time.Since(began), memory: peakMemory(s.PID())}
		return errors.Join(wrong...)
	})
}

// line is a page's line to a server.
type line struct{ c *websocket.Conn }

// dial opens a line to the server at an address.
func dial(address string) (*line, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	greet := func(text string) (c *websocket.Conn, version string, err error) {
		c, _, err = websocket.Dial(ctx, strings.Replace(address, "http", "ws", 1)+"data/near", &websocket.DialOptions{CompressionMode: websocket.CompressionNoContextTakeover})
		if err != nil {
			return nil, "", err
		}
		if err = c.Write(ctx, websocket.MessageText, []byte(text)); err == nil {
			var theirs []byte
			_, theirs, err = c.Read(ctx)
			version, _, _ = near.Greeted(string(theirs))
		}
		return c, version, err
	}
	// A server says its version to all, and serves those that have the same.
	c, version, err := greet("")
	if err != nil {
		return nil, err
	}
	c.CloseNow()
	if c, _, err = greet(near.Greeting(version, "")); err != nil {
		return nil, err
	}
	c.SetReadLimit(-1)
	return &line{c}, nil
}

func (l *line) Hear(frame []byte) error {
	return l.c.Write(context.Background(), websocket.MessageBinary, frame)
}

func (l *line) Next(ctx context.Context) ([][]byte, error) {
	_, frame, err := l.c.Read(ctx)
	return [][]byte{frame}, err
}

func (l *line) Leave() { l.c.CloseNow() }

// besideMadeUp measures a logdir that takes no room.
func besideMadeUp(runs, mb int) func(*table, *logdir) error {
	return func(t *table, l *logdir) error {
		b, err := readBeside(fmt.Sprintf("%s%d:%d", madeUp, runs, mb))
		if err != nil {
			return err
		}
		l.bytes = b.size
		l.size.Runs = runs
		t.add(l, lineBesideFirst, measurement{took: b.first})
		t.add(l, lineBeside, measurement{took: b.exact, memory: b.memory})
		return nil
	}
}
