//go:build !js

package reading

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/kinds/kindstest"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

var plans = flag.Int("plans", 40, "plans of broken lines that TestLinesThatBreak follows")

// everything is what can be asked of the page's logdir.
func (p *page) everything() (all []wire.Query) {
	tags := p.e.Tags("")
	runs := slices.Sorted(maps.Keys(tags))
	for _, k := range kinds.Asked() {
		for _, body := range append([]any{nil}, kindstest.Bodies[k.Name()]...) {
			seen := map[string]bool{}
			for _, run := range runs {
				for _, tag := range slices.Sorted(maps.Keys(tags[run])) {
					if !slices.Contains(k.Plugins(), tags[run][tag].Plugin) && k.Name() != "values" {
						continue
					}
					q := wire.Query{Kind: k.Name(), Runs: []string{run}, Tags: []string{tag}}
					if body != nil {
						q.Body, _ = json.Marshal(body)
					}
					all = append(all, q)
					q.Every = true
					all = append(all, q)
					if q.Every = false; !seen[tag] {
						seen[tag] = true
						q.Runs = append(slices.Clone(runs), "no such run")
						all = append(all, q)
					}
				}
			}
		}
	}
	return all
}

// TestSameAnswers: what is read beside the files is told and answered as what a page reads
// itself: all that it knows of the logdir, and every byte of every answer, of all kinds.
func TestSameAnswers(t *testing.T) {
	all := kindstest.Logdirs(t, os.DirFS("../../dump/testdata"))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, workers := range []int{1, 3} {
			synctest.Test(t, func(t *testing.T) {
				logs := all[name]
				far := New(Options{Dir: logs.Logdir(), Name: name, Workers: workers, Each: 1})
				defer far.Close()
				by := map[string]*page{"itself": newPage(t, logs, workers, nil), "the line": newPage(t, logs, 1, &lines{reading: far})}
				for how, p := range by {
					p.e.Open("memory")
					p.list()
					p.run(name+" by "+how, p.exact)
				}
				itself, line := by["itself"], by["the line"]
				if a, b := itself.facts(), line.facts(); a != b {
					t.Errorf("%s: itself %s\n\nby the line %s", name, a, b)
				}
				n := 0
				for _, q := range itself.everything() {
					a, b := itself.answers(q), line.answers(q)
					if n += len(a); !slices.Equal(a, b) {
						t.Errorf("%s: %+v is answered\n%.500q, and by the line\n%.500q", name, q, a, b)
					}
				}
				if n < 30 {
					t.Errorf("%s: only %d answers", name, n)
				}
				itself.close()
				line.close()
			})
		}
	}
}

// many is a logdir of several runs of curves and texts, of more than one window.
func many(t *testing.T, runs, steps int) source.Mem {
	m := source.Mem{}
	for i := range runs {
		w := summary.NewBuffer(summary.Options{})
		for step := range int64(steps) {
			if err := errors.Join(w.Scalar("loss", float64(i)+1/float64(step+1), step), w.Text("note", fmt.Sprint("step ", step), step)); err != nil {
				t.Fatal(err)
			}
		}
		m[fmt.Sprintf("run%02d/tfevents", i)] = w.Bytes()
	}
	return m
}

// TestLinesThatBreak: whenever lines break and servers are started anew, no question stays
// without an answer, everything is read, and answers are those of a page that reads itself.
func TestLinesThatBreak(t *testing.T) {
	logs := many(t, 8, 60)
	broken := 0
	for seed := range uint64(*plans) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 30))
			l := &lines{reading: New(Options{Dir: logs.Logdir(), Workers: 1 + r.IntN(3)})}
			willing := 1 + r.IntN(8)
			l.fuel = func() int {
				if willing--; willing < 0 || l.made == 1 { // the first one is never made in vain
					return 0
				}
				return 1 + r.IntN([]int{5, 30, 100}[r.IntN(3)])
			}
			p := newPage(t, logs, 1, l)
			p.e.Open("memory")
			asked, answered, streamed, failed := 0, 0, 0, 0
			done := map[int]bool{}
			p.list()
			next := time.Now()
			for asked < 40 || answered+failed < asked || !p.exact() {
				if asked < 40 && !time.Now().Before(next) {
					next = time.Now().Add(time.Duration(r.IntN(500)) * time.Millisecond)
					id := asked
					asked++
					q := wire.NewQuery("scalars", []string{"loss"}, []string{"run01", "run05", "run07"}, map[string]any{"x": "step"})
					if r.IntN(4) == 0 {
						q = wire.NewQuery("text", []string{"note"}, []string{"run03"}, map[string]any{"from": 0, "n": 50})
					}
					if r.IntN(4) == 0 {
						streamed++
						q.Runs = q.Runs[:1]
						q.Every = true
						p.answersTo(q, func(ok bool) { count(&answered, &failed, ok) })
						continue
					}
					p.answersTo(q, func(ok bool) {
						if done[id] {
							t.Errorf("seed %d: a question is answered twice", seed)
						}
						done[id] = true
						count(&answered, &failed, ok)
					})
				}
				if r.IntN(60) == 0 && l.reading != nil && p.host != "" && willing > 0 {
					l.kill()
					time.AfterFunc(time.Duration(r.IntN(70))*time.Second, func() {
						p.say(func() { l.reading = New(Options{Dir: logs.Logdir(), Workers: 1 + r.IntN(3)}) })
					})
				}
				before := time.Now()
				step := time.After(100 * time.Millisecond)
				select {
				case f := <-p.inbox:
					f()
				case <-step:
					p.e.Pulse()
				}
				if before.Sub(next) > time.Hour {
					t.Fatalf("seed %d: %d of %d questions answered, %d not; %+v", seed, answered, asked, failed, p.e.Status())
				}
				if p.alone != nil {
					t.Fatalf("seed %d: %v", seed, p.alone)
				}
			}
			broken += l.made - 1
			if failed > streamed {
				t.Errorf("seed %d: %d questions failed, %d were streams", seed, failed, streamed)
			}
			if s := p.e.Status(); len(s.Lost) > 0 || s.Points != 8*120 || s.Error != "" {
				t.Errorf("seed %d: %+v", seed, s)
			}
			alone := newPage(t, logs, 1, nil)
			alone.e.Open("memory")
			alone.list()
			alone.run("itself", alone.exact)
			if a, b := alone.facts(), p.facts(); a != b {
				t.Errorf("seed %d: itself %s\n\nby the line %s", seed, a, b)
			}
			alone.close()
			p.run("the server", func() bool { return l.reading != nil })
			p.close()
			l.reading.Close()
		})
	}
	if broken < *plans {
		t.Errorf("only %d lines broke", broken)
	}
}

func count(yes, no *int, ok bool) {
	if ok {
		*yes++
	} else {
		*no++
	}
}

// answersTo asks, and tells whether it was answered to the end.
func (p *page) answersTo(q wire.Query, got func(ok bool)) {
	if !q.Every {
		p.e.Ask(q, func(r reply) {
			if !r.More {
				got(r.Err == "" && len(r.Parts) > 0)
			}
		})
		return
	}
	s := p.e.EveryOf(q)
	var next func(piece)
	next = func(c piece) {
		if c.More && !c.Broken {
			s.Next(next)
			return
		}
		got(!c.Broken)
	}
	s.Next(next)
}

// TestWithout: where nobody reads at the other end, or in another version, the page is told
// why, and reads itself; where it is refused it says what to do, and tries again.
func TestWithout(t *testing.T) {
	for _, why := range []error{near.ErrAbsent, near.ErrVersion, errors.New("no route")} {
		synctest.Test(t, func(t *testing.T) {
			p := newPage(t, many(t, 1, 3), 1, &lines{refuse: why})
			p.e.Open("memory")
			p.list()
			p.run("the end", func() bool { return p.alone != nil })
			defer p.close()
			if !errors.Is(p.alone, why) {
				t.Error(p.alone)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		logs := many(t, 1, 3)
		l := &lines{refuse: near.ErrRefused}
		p := newPage(t, logs, 1, l)
		p.e.Open("memory")
		p.list()
		p.run("words", func() bool { return p.e.Status().Error == near.ErrRefused.Error() })
		l.refuse, l.reading = nil, New(Options{Dir: logs.Logdir()})
		p.run("the link was opened", p.exact)
		if s := p.e.Status(); s.Error != "" || s.Points != 6 {
			t.Errorf("%+v", s)
		}
		p.close()
		l.reading.Close()
	})
}

// counted counts what is read.
type counted struct {
	source.File
	n  *int64
	mu *sync.Mutex
}

func (c counted) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.File.ReadAt(b, off)
	c.mu.Lock()
	*c.n += int64(n)
	c.mu.Unlock()
	return n, err
}

// countedDir is logs, whose bytes are counted as they are read.
func countedDir(logs source.Mem) (dir source.Logdir, read func() int64) {
	var n int64
	var mu sync.Mutex
	from := logs.Logdir().(*source.FromFiles)
	open := from.Open
	from.Open = func(path string) (source.File, error) {
		f, err := open(path)
		return counted{f, &n, &mu}, err
	}
	return from, func() int64 {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

// TestOneRead: many viewers of one logdir cost one read of it; when they are gone for a while
// it is forgotten, and what the store keeps need not be read again, but what was appended.
func TestOneRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := many(t, 3, 8000)
		size := int64(0)
		for _, b := range logs {
			size += int64(len(b))
		}
		dir, read := countedDir(logs)
		store := newKept()
		far := New(Options{Dir: dir, Name: "logs", Store: store, Workers: 2})
		var pages []*page
		for range 10 {
			p := newPage(t, logs, 1, &lines{reading: far})
			p.e.Open("memory")
			p.list()
			pages = append(pages, p)
		}
		for _, p := range pages {
			p.run("all of it", p.exact)
		}
		if n := read(); n > size+size/50 {
			t.Errorf("%d viewers read %d bytes of %d", len(pages), n, size)
		}
		before := read()
		for _, p := range pages {
			p.close()
		}
		time.Sleep(2 * idle)
		synctest.Wait()
		done := make(chan bool)
		far.do(func() { done <- far.e.IsOpen() })
		if <-done {
			t.Error("it is still open, and nobody looks")
		}
		w := summary.NewBuffer(summary.Options{})
		if err := w.Scalar("loss", 7, 9000); err != nil {
			t.Fatal(err)
		}
		more := w.Bytes()
		logs["run01/tfevents"] = append(slices.Clone(logs["run01/tfevents"]), more...)
		store.bad = "run02/tfevents"
		p := newPage(t, logs, 1, &lines{reading: far})
		p.e.Open("memory")
		p.list()
		p.run("all of it again", p.exact)
		again, third := read()-before, int64(len(logs["run02/tfevents"]))
		if again < third || again > third+third/20 {
			t.Errorf("%d bytes were read again; a damaged entry is one of %d", again, third)
		}
		if s := p.e.Status(); s.BytesCached < size*6/10 || s.Points != 3*16000+1 {
			t.Errorf("%+v", s)
		}
		p.close()
		far.Close()
	})
}

// kept is a Store in memory; an entry may be damaged.
type kept struct {
	mu      sync.Mutex
	entries map[string][]byte
	bad     string
}

func newKept() *kept { return &kept{entries: map[string][]byte{}} }

func (k *kept) Load(key string, most int64) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	b := slices.Clone(k.entries[key])
	if k.bad != "" && key == "logs\n"+k.bad && len(b) > 0 {
		b[len(b)/2] ^= 4
	}
	if int64(len(b)) > most {
		return nil
	}
	return b
}

func (k *kept) Save(key string, data []byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.entries[key] = slices.Clone(data)
	return true
}

func (k *kept) Drop(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.entries, key)
}

// TestStrangers: bytes that are no message end the viewer that says them, and nothing else.
func TestStrangers(t *testing.T) {
	logs := many(t, 2, 20)
	far := New(Options{Dir: logs.Logdir()})
	defer far.Close()
	good := near.Append(nil, &wire.Envelope{Op: wire.OpQuery, ID: 3, Body: wire.Pack(&wire.Query{Kind: "scalars"})})
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for i := range 3000 {
		v := far.Meet()
		b := slices.Clone(good)
		switch i % 3 {
		case 0:
			b = b[:r.IntN(len(b))]
		case 1:
			b[r.IntN(len(b))] ^= byte(1 << r.IntN(8))
		case 2:
			b = make([]byte, r.IntN(100))
			for i := range b {
				b[i] = byte(r.IntN(256))
			}
		}
		if v.Hear(b) != nil {
			refused++
		}
		if i%10 == 0 { // an export whose pieces are asked for all at once, under one number, and again
			q := wire.NewQuery("scalars", []string{"loss"}, []string{"run00"}, nil)
			q.Every = true
			for range 100 {
				for _, m := range []wire.Envelope{{Op: wire.OpOpen, Body: wire.Pack(&wire.Open{Gen: 1})}, {Op: wire.OpFiles, Body: wire.Pack(&wire.Files{})},
					{Op: wire.OpQuery, ID: 7, Body: wire.Pack(&q)}, {Op: wire.OpMore, ID: 7}, {Op: wire.OpMore, ID: 7}}[i/10%3:] {
					if err := v.Hear(near.Append(nil, &m)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		// Questions before anything is open, answers that nobody asked for, pieces of nothing.
		for _, op := range []string{wire.OpMore, wire.OpCancel, wire.OpLooked, wire.OpAnswer, "odd"} {
			if err := v.Hear(near.Append(nil, &wire.Envelope{Op: op, ID: i})); err != nil {
				t.Fatal(op, err)
			}
		}
		v.Leave()
	}
	if refused < 1500 {
		t.Errorf("only %d were refused", refused)
	}
	p := newPage(t, logs, 1, &lines{reading: far})
	p.e.Open("memory")
	p.list()
	p.run("a page", p.exact)
	p.close()
}

// TestFilesThatChange: a file that is replaced, that shrinks, that grows, and one that is gone are
// to a page as if it read them itself; and what was gone is forgotten when all open anew.
func TestFilesThatChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := many(t, 3, 3000)
		far := New(Options{Dir: logs.Logdir(), Workers: 2, Each: 1, Store: newKept()})
		defer far.Close()
		p := newPage(t, logs, 1, &lines{reading: far})
		p.e.Open("memory")
		p.list()
		p.run("all", p.exact)
		others := many(t, 4, 3000)
		for i, change := range []func(){
			func() { logs["run00/tfevents"] = others["run03/tfevents"] },
			func() { logs["run01/tfevents"] = logs["run01/tfevents"][:50_000] },
			func() {
				logs["run02/tfevents"] = append(slices.Clone(logs["run02/tfevents"]), others["run01/tfevents"]...)
			},
		} {
			change()
			p.list()
			alone := newPage(t, logs, 1, nil)
			alone.e.Open("memory")
			alone.list()
			alone.run("itself", alone.exact)
			want := alone.e.Status()
			p.run(fmt.Sprint("change ", i), func() bool {
				s := p.e.Status()
				return p.exact() && s.Points == want.Points && s.BytesRead == want.BytesRead
			})
			for _, run := range []string{"run00", "run01", "run02"} {
				q := wire.NewQuery("scalars", []string{"loss"}, []string{run}, map[string]any{"x": "step"})
				if !slices.Equal(alone.answers(q), p.answers(q)) {
					t.Errorf("change %d: answers about %s differ", i, run)
				}
			}
			alone.close()
		}
		before := p.e.Status().Points
		delete(logs, "run00/tfevents")
		p.list()
		p.run("one is gone", func() bool { return p.exact() && p.e.Status().Gone == 1 })
		if s := p.e.Status(); s.Points != before {
			t.Errorf("%d points, they were %d: what was read stays", s.Points, before)
		}
		p.e.Open("memory")
		p.list()
		p.run("it is forgotten", func() bool { return p.exact() && p.e.Status().Points < before && len(p.e.Runs()) == 2 })
		p.close()
	})
}

// TestSameQuestions: what many ask at once is answered once, to each of them, also where the one
// who asked first has gone; and never with an answer from before what was read since.
func TestSameQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := many(t, 3, 100)
		far := New(Options{Dir: logs.Logdir(), Workers: 1})
		defer far.Close()
		var pages []*page
		for range 8 {
			p := newPage(t, logs, 1, &lines{reading: far})
			p.e.Open("memory")
			p.list()
			p.run("all", p.exact)
			pages = append(pages, p)
		}
		q := wire.NewQuery("scalars", []string{"loss"}, []string{"run01"}, map[string]any{"x": "step"})
		want := pages[0].answers(q)
		for round := range 20 {
			got := map[*page]int{}
			for _, p := range pages {
				p.answersTo(q, func(ok bool) {
					if ok {
						got[p]++
					}
				})
			}
			if round == 10 { // the first one goes with its question
				pages[0].close()
				pages = pages[1:]
			}
			for _, p := range pages {
				p.run("an answer", func() bool { return got[p] > 0 })
			}
			synctest.Wait()
			for i, p := range pages {
				p.run("all", func() bool { return len(p.inbox) == 0 })
				if n := got[p]; n != 1 {
					t.Errorf("round %d: page %d has %d answers", round, i, n)
				}
			}
		}
		if got := pages[0].answers(q); !slices.Equal(got, want) {
			t.Error("another answer")
		}
		w := summary.NewBuffer(summary.Options{NoVersion: true})
		for i := range int64(20) {
			if err := w.Scalar("loss", 5, 1000+i); err != nil {
				t.Fatal(err)
			}
			logs["run01/tfevents"] = append(slices.Clone(logs["run01/tfevents"]), w.Bytes()...)
			w = summary.NewBuffer(summary.Options{NoVersion: true})
			points := pages[0].e.Status().Points + 1
			time.Sleep(time.Minute)
			// One asks all the time; the other one when it is told of the new point.
			var asking func(bool)
			last := false
			asking = func(bool) {
				if !last {
					pages[1].answersTo(q, asking)
				}
			}
			asking(true)
			pages[1].list()
			for pages[0].list(); pages[0].e.Status().Points < points; {
				pages[1].run("a turn", func() bool { return len(pages[1].inbox) == 0 })
				time.Sleep(time.Millisecond)
				pages[0].run("a turn", func() bool { return len(pages[0].inbox) == 0 })
			}
			last = true
			alone := newPage(t, logs, 1, nil)
			alone.e.Open("memory")
			alone.list()
			alone.run("itself", alone.exact)
			if a, b := alone.answers(q), pages[0].answers(q); !slices.Equal(a, b) {
				t.Fatalf("round %d: an old answer", i)
			}
			alone.close()
		}
		for _, p := range pages {
			p.close()
		}
	})
}
