package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// slowCache has sketches of all files at once, and what they stand for bit by bit.
type slowCache struct {
	*Session
	entries, sketches map[string][]byte
	ask, later        []*reader.File
	sketched          bool
	used              int // entries that were used
}

func (c *slowCache) Want(x *reader.File) bool {
	if c.entries[x.Path] != nil {
		c.ask = append(c.ask, x)
	}
	return c.entries[x.Path] != nil
}
func (c *slowCache) Lookup()    {}
func (c *slowCache) Busy() bool { return len(c.ask)+len(c.later) > 0 }
func (c *slowCache) Save()      {}
func (c *slowCache) Sketches() Sketches {
	switch {
	case !c.sketched || !c.Busy():
		return NoSketches
	case len(c.ask) > 0:
		return Sketching
	}
	return Sketched
}

func (c *slowCache) Use() bool {
	from, of := &c.ask, c.sketches
	if len(c.ask) == 0 {
		from, of = &c.later, c.entries
	}
	if len(*from) == 0 {
		return false
	}
	x := (*from)[0]
	*from = (*from)[1:]
	e, err := reader.ParseEntry(of[x.Path])
	if err != nil {
		panic(err)
	}
	if from == &c.ask {
		c.later = append(c.later, x)
		c.sketched = c.Plan.Sketch(x, e) || c.sketched
	} else if c.used++; !c.Plan.Adopt(x, e) {
		panic("an entry was not used")
	}
	return true
}

// caching is a host with a slowCache.
type caching struct {
	host
	cache *slowCache
}

func (h *caching) Cache(s *Session) Cache {
	if h.cache == nil {
		return nil
	}
	h.cache.Session = s
	return h.cache
}

// begin has a worker that begins with a logdir.
func (h *caching) begin(t *testing.T) {
	h.Worker = New(h)
	h.yield = func() {}
	h.Hear(wire.Envelope{Op: wire.OpOpen, Body: wire.Pack(&wire.Open{Gen: 1, Kind: "mem", PreviewFrom: 1 << 30})})
	list, err := h.src.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var files wire.Files
	for _, f := range list.Files {
		files = append(files, wire.File{Path: f.Path, Size: f.Size, MTime: f.MTime, Version: f.Version})
	}
	h.Hear(wire.Envelope{Op: wire.OpFiles, Body: wire.Pack(&files)})
}

// idle reports whether a message says that all has been read.
func idle(e wire.Envelope) bool {
	if e.Op != wire.OpProgress {
		return false
	}
	p := wire.Progress{}
	unpack(e, &p)
	return !p.Busy && p.Heard > 0
}

// sketchy is a host whose cache holds all of logs.
func sketchy(t *testing.T, logs source.Mem) *caching {
	first := &caching{host: host{src: logs.Logdir()}}
	ctx, end := context.WithCancel(t.Context())
	first.post = func(e wire.Envelope) {
		if idle(e) {
			end()
		}
	}
	first.begin(t)
	first.Run(ctx)
	c := &slowCache{entries: map[string][]byte{}, sketches: map[string][]byte{}}
	for path, x := range first.plan.Files() {
		e := first.plan.Entry(x)
		c.entries[path] = x.Catalog().AppendStored(e.Append(nil))
		c.sketches[path] = x.Catalog().AppendSketch(e.Append(nil))
	}
	return &caching{host: host{src: first.src}, cache: c}
}

// TestSketchesFirst: what the page asks for as soon as it knows the runs is answered by
// sketches, before the rest of the cache is used; who asks without an end does not keep that
// from being used; and if nobody asks it is used as well.
func TestSketchesFirst(t *testing.T) {
	const n = 12
	logs := runs(t, n)
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("run%02d", i))
	}
	q := scalars.Curves{Tag: "tag0", Runs: all, X: wire.ByStep}.Query()
	for _, c := range []struct {
		what      string
		asks      int // questions that stand in line at a time
		endless   bool
		previewed int // answers by sketches, at least
	}{{"nobody asks", 0, false, 0}, {"a page asks", 10, false, 10}, {"questions without an end", 3, true, 3}} {
		h := sketchy(t, logs)
		ctx, end := context.WithCancel(t.Context())
		id, previewed, exact, known := 0, 0, 0, map[string]bool{}
		ask := func() {
			id++
			h.Hear(wire.Envelope{Op: wire.OpQuery, ID: id, Body: wire.Pack(&q)})
		}
		h.post = func(e wire.Envelope) {
			switch e.Op {
			case wire.OpProgress:
				p := wire.Progress{}
				unpack(e, &p)
				before := len(known)
				for _, r := range p.Runs {
					known[r.Name] = true
				}
				if before == 0 && len(known) > 0 {
					if len(known) != n || !p.Previewed || h.cache.used > 0 {
						t.Errorf("%s: the first report tells of %d runs, previewed %v, when %d entries have been used", c.what, len(known), p.Previewed, h.cache.used)
					}
					for range c.asks {
						ask()
					}
				}
				if idle(e) {
					end()
				}
			case wire.OpAnswer:
				var parts []scalars.Part
				if err := json.Unmarshal(e.Head, &parts); err != nil || e.Err != "" || len(parts) != n {
					t.Fatalf("%s: an answer of %d parts: %v %s", c.what, len(parts), err, e.Err)
				}
				if slices.ContainsFunc(parts, func(p scalars.Part) bool { return p.Preview }) {
					if previewed++; previewed <= c.previewed && h.cache.used > 0 {
						t.Errorf("%s: answer %d comes after %d entries have been used", c.what, previewed, h.cache.used)
					}
				} else {
					exact++
				}
				if c.endless {
					ask()
				}
			}
		}
		h.begin(t)
		h.Run(ctx)
		if h.cache.used != n || previewed < c.previewed || exact > 0 && !c.endless {
			t.Errorf("%s: %d entries were used; %d answers came from sketches, %d did not", c.what, h.cache.used, previewed, exact)
		}
		logged := int64(0)
		for _, run := range h.cat.Runs {
			points, kept := run.Points()
			if logged += points; points != kept {
				t.Errorf("%s: %d of %d points of %s are kept", c.what, kept, points, run.Name)
			}
		}
		if want := h.plan.Bytes; logged < n*3000 || h.plan.Cached != want || h.plan.Previewed() {
			t.Errorf("%s: %d points; %d of %d bytes from the cache; a preview is left: %v", c.what, logged, h.plan.Cached, want, h.plan.Previewed())
		}
	}
}
