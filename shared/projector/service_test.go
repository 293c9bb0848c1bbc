package projector

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// logs is a logdir on disk, read as the page would.
type logs struct {
	dir   string
	mu    sync.Mutex
	read  map[string]int64 // bytes by path
	local map[string][]byte
}

func (l *logs) Read(path string, from, n int64) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read == nil {
		l.read = map[string]int64{}
	}
	l.read[path] += n
	if b, ok := l.local[path]; ok {
		return b[from : from+n], nil
	}
	if strings.HasPrefix(path, "/") || strings.Contains(path, "..") {
		panic("outside: " + path)
	}
	f, err := os.Open(filepath.Join(l.dir, path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, n)
	_, err = f.ReadAt(b, from)
	return b, err
}

// page asks a Service, as static/lazy/projector does.
type page struct {
	t    testing.TB
	s    *Service
	logs *logs
	mu   sync.Mutex
	last int64
	got  map[int64]chan Answer
}

func newPage(t testing.TB, dir string) *page {
	p := &page{t: t, logs: &logs{dir: dir}, got: map[int64]chan Answer{}}
	p.s = New(p.logs, func(a Answer) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.got[a["id"].(int64)] <- a
	})
	return p
}

// begin asks, and returns what is said of it; body's "rows", "from" and "bytes" are typed arrays.
func (p *page) begin(do string, body map[string]any) (int64, chan Answer) {
	p.mu.Lock()
	p.last++
	id := p.last
	got := make(chan Answer, 10000)
	p.got[id] = got
	p.mu.Unlock()
	q := &Question{}
	m := map[string]any{"id": id, "do": do}
	for k, v := range body {
		switch v := v.(type) {
		case []uint32:
			q.Rows = v
		case []float32:
			q.From = v
		case []byte:
			q.Bytes = v
		case []Listed:
			if k == "local" {
				q.Local = v
			} else {
				m[k] = v
			}
		default:
			m[k] = v
		}
	}
	var err error
	if q.Body, err = json.Marshal(m); err != nil {
		p.t.Fatal(err)
	}
	go p.s.Ask(q)
	return id, got
}

// end waits for the answer.
func (p *page) end(got chan Answer, progress func(Answer)) (Answer, *tensor.Trouble) {
	p.t.Helper()
	for {
		select {
		case a := <-got:
			if e, ok := a["error"]; ok {
				return nil, e.(*tensor.Trouble)
			}
			if of, ok := a["answer"]; ok {
				return of.(Answer), nil
			}
			if progress != nil {
				progress(a)
			}
		case <-time.After(3 * time.Minute):
			p.t.Fatal("no answer")
		}
	}
}

func (p *page) try(do string, body map[string]any) (Answer, *tensor.Trouble) {
	p.t.Helper()
	_, got := p.begin(do, body)
	return p.end(got, nil)
}

func (p *page) ask(do string, body map[string]any) Answer {
	p.t.Helper()
	a, err := p.try(do, body)
	if err != nil {
		p.t.Fatalf("%s %v: %v", do, body, err)
	}
	return a
}

// files lists a directory.
func (p *page) files() (list []Listed) {
	filepath.WalkDir(p.logs.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, _ := d.Info()
			rel, _ := filepath.Rel(p.logs.dir, path)
			list = append(list, Listed{Path: filepath.ToSlash(rel), Size: info.Size(), MTime: float64(info.ModTime().UnixMilli())})
		}
		return nil
	})
	return list
}

// list asks for the tensors, by id.
func (p *page) list() (map[string]Tensor, []*tensor.Trouble) {
	p.t.Helper()
	a := p.ask("list", map[string]any{"files": p.files()})
	return byID(a), a["problems"].([]*tensor.Trouble)
}

func byID(a Answer) map[string]Tensor {
	of := map[string]Tensor{}
	for _, t := range a["tensors"].([]any) {
		of[t.(Tensor).ID] = t.(Tensor)
	}
	return of
}
