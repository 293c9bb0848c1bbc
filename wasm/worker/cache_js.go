package worker

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/worker"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// The cache
//
// What was read of a file is kept in the browser's database, so that a logdir which
// is opened again is there at once, and only what was appended is read. A file that is
// new to the worker is looked up before anything is read of it; whether the entry is
// this file's is decided by shared/reader. Entries are written when nothing is left to
// read.
//
// Large entries have sketches (shared/catalog). Those of all files are found first, and the
// page asks for its first curves; only then is read what they stand for.
//
// The database may be missing, full or refuse: then everything is read, and nothing
// is said, because nothing is lost.
const (
	// cacheFrom is the size of the smallest file that is cached: a smaller one is
	// read in the time that a look-up takes.
	cacheFrom = 256 << 10
	// lookupFiles is how many entries are looked up together, and how many, or how many
	// bytes of them, may wait to be used.
	lookupFiles = 64
	lookupBytes = 16 << 20
	// aboard is how many bytes of large entries are read at the same time, unless one has
	// more. Many side by side were no sooner there, and kept the page from drawing sketches.
	aboard = 1 << 20
	// sketchShare is what part of an entry its sketch may be, at most.
	sketchShare = 4
	// saveBytes is about how much is written in one transaction.
	saveBytes = 4 << 20
	// entryPoints is how many points an entry may hold, some 120 MB: larger ones the
	// browser refuses, and making them doubles the worker's memory. Such a file is read
	// again.
	entryPoints = 15_000_000
	// entrySlack is how much longer an entry may be than its file. Points take less
	// in an entry than in a file; a name may stand in it that is in no value.
	entrySlack = 1 << 20
	// openIn bounds how long files wait for the database, and for what it has of them, before they are read
	// without it: another tab can hold it. It is used as soon as it is there.
	openIn = 5 * time.Second
	// readRate is how many bytes of an entry must come in a second, after openIn, or the file is read instead.
	readRate = 4 << 20
	// makeIn is how long after the first files a database is made where there is none: the
	// page is drawn meanwhile.
	makeIn = time.Second
	// saveAgain is when it is looked again for what could not be written at once.
	saveAgain = 30 * time.Second
)

// database is the browser's, as a worker has it for all logdirs.
type database struct {
	db     *storage.DB   // nil: not there, or not yet
	off    bool          // it cannot be used
	opened chan struct{} // closed when it is there or cannot be had; nil: not asked for
	late   bool          // openIn has passed
}

// await asks for the database, once, and waits for it a while.
func (d *database) await(then func()) {
	if d.opened == nil {
		d.opened = make(chan struct{})
		go func() {
			defer then()
			defer close(d.opened)
			db, err := storage.Open()
			d.db, d.off = db, err != nil
		}()
	}
	if d.late {
		return
	}
	select {
	case <-d.opened:
	case <-time.After(openIn):
		d.late = true
	}
}

type cache struct {
	*database
	*worker.Session
	ask     []*reader.File
	asking  bool
	looking bool     // not all that is asked for has been found
	found   []lookup // answers that have not been used
	bytes   int64    // … and their bytes
	// sketches counts those of found that are; sketched says that files are shown by some.
	sketches int
	sketched bool
	begin    chan struct{} // closed when the loop wants what the sketches stand for; nil: nothing waits
	saving   bool
	buf      []byte // of the entries that are being saved
	waiting  bool   // a timer will wake the loop to save
	evicted  bool
	used     map[string]int64 // sizes of the entries that were used, by key; not noted yet
	bad      map[string]bool  // keys of entries that cannot be used; not thrown away yet
}

// lookup is the answer for one file.
type lookup struct {
	x      *reader.File
	data   []byte // nil: none
	size   int64  // of the entry
	sketch bool   // it is the entry's sketch, and the entry will follow
}

// Busy implements worker.Cache.
func (c *cache) Busy() bool { return c.asking || len(c.ask) > 0 || len(c.found) > 0 }

// key is the entry's name of a file.
func (c *cache) key(x *reader.File) string { return c.Open.Cache + "\n" + x.Path }

// wants reports whether x is kept.
func (c *cache) wants(x *reader.File) bool {
	return !c.off && c.Open.Cache != "" && x.Size >= cacheFrom && source.HasData(x.Path)
}

// Want implements worker.Cache.
func (c *cache) Want(x *reader.File) bool {
	if !c.wants(x) {
		return false
	}
	c.ask = append(c.ask, x)
	return true
}

// Lookup implements worker.Cache.
func (c *cache) Lookup() {
	if c.asking || len(c.ask) == 0 {
		return
	}
	c.asking = true
	ctx := c.Context
	go func() {
		defer func() { c.asking = false; c.Wake() }()
		known := !c.Open.CacheNew
		if known {
			c.await(c.Wake)
		} else {
			time.AfterFunc(makeIn, func() { c.await(c.Wake) })
		}
		c.looking = true
		var later []waiting
		for len(c.ask)+len(later) > 0 && ctx.Err() == nil {
			if len(c.ask) == 0 {
				if c.looking = false; c.sketches > 0 || c.sketched {
					begin := make(chan struct{})
					c.begin = begin
					c.Wake()
					select {
					case <-begin:
					case <-ctx.Done():
					}
				}
				later = c.read(ctx, later)
				continue
			}
			c.looking = true
			n := min(len(c.ask), lookupFiles)
			group := c.ask[:n]
			c.ask = c.ask[n:]
			entries := make([]*storage.Found, n)
			if known && c.db != nil && !c.off {
				keys, most := make([]string, n), make([]int64, n)
				for i, x := range group {
					keys[i], most[i] = c.key(x), x.Size+entrySlack
				}
				type answer struct {
					found []*storage.Found
					bad   []string
					err   error
				}
				if a, in := within(openIn, func() (a answer) {
					a.found, a.bad, a.err = c.db.Find(keys, most)
					return a
				}); in {
					copy(entries, a.found)
					for _, key := range a.bad {
						c.reject(key)
					}
					c.off = c.off || a.err != nil
				} else {
					known = false // another tab writes: these files are read, and written when it is done
				}
			}
			for i, x := range group {
				f := entries[i]
				switch {
				case f == nil:
					c.add(lookup{x: x})
				case !f.Later:
					c.add(lookup{x: x, data: f.Read(), size: f.Size})
				default:
					if f.Sketch != nil {
						c.sketches++
						c.add(lookup{x: x, data: f.Sketch, sketch: true})
					}
					later = append(later, waiting{x, f})
				}
			}
			c.looking = len(c.ask) > 0
			c.Wake()
			c.catchUp(ctx)
		}
	}()
}

// waiting is a file whose entry has been found, and not been read.
type waiting struct {
	x *reader.File
	f *storage.Found
}

// read reads entries, in their order, and as many side by side as fit, until all have been or
// other files are asked for. It returns those that are left.
func (c *cache) read(ctx context.Context, all []waiting) (left []waiting) {
	came := make([]chan []byte, len(all))
	begun, underWay := 0, int64(0)
	for i, w := range all {
		for ; begun < len(all) && (begun == i || underWay+all[begun].f.Size <= aboard) && len(c.ask) == 0; begun++ {
			f, out := all[begun].f, make(chan []byte, 1)
			underWay += f.Size
			came[begun] = out
			go func() { out <- f.Read() }()
		}
		if i == begun {
			return all[i:]
		}
		data, in := within(openIn+time.Duration(w.f.Size/readRate)*time.Second, func() []byte { return <-came[i] })
		underWay -= w.f.Size
		if in && data == nil {
			c.reject(c.key(w.x))
		}
		c.add(lookup{x: w.x, data: data, size: w.f.Size})
		c.Wake()
		c.catchUp(ctx)
	}
	return nil
}

// within returns what f does, if it does so in that time.
func within[T any](d time.Duration, f func() T) (v T, in bool) {
	done := make(chan T, 1)
	go func() { done <- f() }()
	select {
	case v = <-done:
		return v, true
	case <-time.After(d):
		return v, false
	}
}

// add adds an answer.
func (c *cache) add(l lookup) {
	c.found = append(c.found, l)
	c.bytes += int64(len(l.data))
}

// catchUp lets the loop use what was found.
func (c *cache) catchUp(ctx context.Context) {
	for (len(c.found) > lookupFiles || c.bytes > lookupBytes) && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
}

// Sketches implements worker.Cache.
func (c *cache) Sketches() worker.Sketches {
	switch {
	case !c.sketched:
		return worker.NoSketches
	case c.looking || c.sketches > 0:
		return worker.Sketching
	case c.Busy():
		return worker.Sketched
	}
	c.sketched = false
	return worker.NoSketches
}

// Use implements worker.Cache.
func (c *cache) Use() bool {
	if len(c.found) == 0 {
		if c.begin != nil {
			close(c.begin)
			c.begin = nil
		}
		return false
	}
	l := c.found[0]
	c.found = c.found[1:]
	c.bytes -= int64(len(l.data))
	if l.sketch {
		c.sketches--
		if e, err := reader.ParseEntry(l.data); err == nil && c.Plan.Sketch(l.x, e) {
			c.sketched = true
		}
		return true
	}
	var e *reader.Entry
	if l.data != nil {
		var err error
		if e, err = reader.ParseEntry(l.data); err != nil {
			c.reject(c.key(l.x))
		}
	}
	if c.Plan.Adopt(l.x, e) {
		if c.used == nil {
			c.used = make(map[string]int64)
		}
		c.used[c.key(l.x)] = l.size
	}
	return true
}

// reject notes that an entry cannot be used.
func (c *cache) reject(key string) {
	if c.bad == nil {
		c.bad = make(map[string]bool)
	}
	c.bad[key] = true
}

// Save implements worker.Cache.
func (c *cache) Save() {
	if c.saving || c.off || c.db == nil || c.Open.Cache == "" {
		return
	}
	var entries []storage.Entry
	var ends [][2]int // of the entries' data in buf, and of their sketches
	buf := c.buf[:0]
	later := false
	for _, x := range c.Plan.Files() {
		if !c.wants(x) {
			continue
		}
		now, soon := c.Plan.Storable(x)
		later = later || soon
		if !now {
			continue
		}
		if f := x.Catalog(); f.Kept() <= entryPoints {
			if buf == nil { // here, and not at every rest, of which there is one a question
				buf = make([]byte, 0, saveBytes+saveBytes/2)
			}
			from := len(buf)
			buf = f.AppendStored(c.Plan.Entry(x).Append(buf))
			end := len(buf)
			if end-from >= storage.BlobFrom {
				buf = f.AppendSketch(c.Plan.Entry(x).Append(buf))
				if len(buf)-end > (end-from)/sketchShare {
					buf = buf[:end]
				}
			}
			entries, ends = append(entries, storage.Entry{Key: c.key(x)}), append(ends, [2]int{end, len(buf)})
			delete(c.bad, c.key(x)) // a good one takes its place
		}
		if c.Plan.Stored(x); len(buf) >= saveBytes {
			break
		}
	}
	from := 0
	for i := range entries {
		end, next := ends[i][0], ends[i][1]
		if entries[i].Data = buf[from:end:end]; next > end {
			entries[i].Sketch = buf[end:next:next]
		}
		from = next
	}
	c.buf = buf
	if len(entries) == 0 {
		if later && !c.waiting {
			// One at a time: a file that grows is late at every look, and each
			// timer would make the loop come by here and start the next.
			c.waiting = true
			time.AfterFunc(saveAgain, func() {
				c.waiting = false
				c.Wake()
			})
		}
		c.buf = nil
		c.tidy()
		return
	}
	c.saving, c.evicted = true, false
	go func() {
		if err := c.db.Save(entries); err != nil {
			// Full or refused: make room for the next time, and do without.
			_ = c.db.Evict(c.Open.CacheBytes / 2)
			c.off = true
		}
		c.saving = false
		c.Wake()
	}()
}

// tidy throws away what cannot be used, and what is too much.
func (c *cache) tidy() {
	if c.evicted {
		return
	}
	c.evicted = true
	db, used, bad, limit := c.db, c.used, slices.Collect(maps.Keys(c.bad)), c.Open.CacheBytes
	c.used, c.bad = nil, nil
	go func() { // a full cache is no loss
		if len(bad) > 0 {
			_ = db.Drop(bad)
		}
		if len(used) > 0 {
			_ = db.Touch(used)
		}
		_ = db.Evict(limit)
	}()
}
