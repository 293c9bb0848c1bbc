//go:build !noreader

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/tensorbored/tensorbored-static/server/assets"
	"github.com/tensorbored/tensorbored-static/server/files"
	servernear "github.com/tensorbored/tensorbored-static/server/near"
	"github.com/tensorbored/tensorbored-static/server/near/kept"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/near/reading"
	"github.com/tensorbored/tensorbored-static/static"
)

// hasReader says whether this program can read event files for pages elsewhere.
const hasReader = true

// cacheBytes is how much the cache may hold, of all logdirs together.
const cacheBytes = 10 << 30

func (n *nearFlags) reader(store *files.Store, dirs []string, page *api.Page, follow bool) (*readingHere, error) {
	memory, err := n.bytes()
	if err != nil {
		return nil, err
	}
	if memory == 0 {
		memory = max(minMemory, machineMemory()/4)
	}
	cache, err := n.store(dirs)
	if err != nil {
		return nil, err
	}
	o := reading.Options{
		Dir: store.Source(), Name: strings.Join(dirs, "\n") + "\n" + strconv.FormatBool(follow), Store: cache,
		Most: page.Most("scalars"),
	}
	version, host := assets.Program(static.Dist()), hostName()
	l := &lazyReader{make: sync.OnceValue(func() *reading.Reading {
		o.Budget = reading.Bound(memory)
		return reading.New(o)
	})}
	h := servernear.New(servernear.Config{Reader: l, MaxMessage: reading.MaxMessage, Greet: func(theirs string) (string, bool) {
		v, _, ok := near.Greeted(theirs)
		return near.Greeting(version, host), ok && v == version && v != ""
	}})
	return &readingHere{h, sync.OnceFunc(func() { h.Close(); l.close() })}, nil
}

// lazyReader begins when the first page comes: a server of small logs is as it was.
type lazyReader struct {
	make func() *reading.Reading
	mu   sync.Mutex
	r    *reading.Reading
}

// Meet implements servernear.Reader.
func (l *lazyReader) Meet() servernear.Viewer {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.r = l.make()
	return l.r.Meet()
}

func (l *lazyReader) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.r != nil {
		l.r.Close()
	}
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "the server"
	}
	return name
}

// store opens the cache; nil where nothing is kept.
func (n *nearFlags) store(dirs []string) (reading.Store, error) {
	if n.cache == "off" {
		return nil, nil
	}
	where := expandHome(n.cache)
	if where == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, nil // a user without a home: nothing is kept
		}
		where = filepath.Join(base, "tensorbored-static", "read")
	}
	for _, d := range dirs {
		_, dir, _ := strings.Cut(d, "\n")
		if !isAddress(dir) && inside(where, dir) {
			if n.cache == "" {
				return nil, nil
			}
			return nil, errors.New("--cache " + n.cache + " lies in the logdir " + dir + ", where nothing is written: name another directory, or off")
		}
	}
	if n.cache == "" {
		return &lazyStore{open: sync.OnceValue(func() *kept.Dir {
			d, _ := kept.Open(where, cacheBytes) // without, everything is read
			return d
		})}, nil
	}
	return kept.Open(where, cacheBytes)
}

// inside reports whether a path lies in a directory, links resolved as far as they exist.
func inside(p, dir string) bool {
	rel, err := filepath.Rel(resolved(dir), resolved(p))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func resolved(p string) string {
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	rest := ""
	for q := p; ; q = filepath.Dir(q) {
		if real, err := filepath.EvalSymlinks(q); err == nil {
			return filepath.Join(real, rest)
		}
		if q == filepath.Dir(q) {
			return p
		}
		rest = filepath.Join(filepath.Base(q), rest)
	}
}

// lazyStore makes its directory when there is something to keep.
type lazyStore struct{ open func() *kept.Dir }

// Load implements reading.Store.
func (l *lazyStore) Load(key string, most int64) []byte {
	if d := l.open(); d != nil {
		return d.Load(key, most)
	}
	return nil
}

// Save implements reading.Store.
func (l *lazyStore) Save(key string, data []byte) bool {
	d := l.open()
	return d != nil && d.Save(key, data)
}

// Drop implements reading.Store.
func (l *lazyStore) Drop(key string) {
	if d := l.open(); d != nil {
		d.Drop(key)
	}
}
