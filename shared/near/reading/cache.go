package reading

import (
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/worker"
)

// Store keeps entries of the cache between starts. Its methods may be called by several
// goroutines at once. It need keep nothing: what is missing is read.
type Store interface {
	// Load returns what was kept under key, no more than most bytes; nil if there is nothing.
	Load(key string, most int64) []byte
	// Save keeps data, which may be used again when it returns. It reports whether there is
	// sense in saving more.
	Save(key string, data []byte) bool
	// Drop forgets what is kept under key.
	Drop(key string)
}

// cacheFrom is the size of the smallest file that is kept: a smaller one is read in the time
// that a look-up takes.
const cacheFrom = 256 << 10

// saveBytes is about how much is written at a time.
const saveBytes = 16 << 20

// entrySlack is how much longer an entry may be than its file: a name may stand in it that is
// in no value.
const entrySlack = 1 << 20

// cache is a worker.Cache over a Store: the entries of the browser's database, under the same
// rules (reader.Entry). Everything is done on the worker's goroutine: a disk answers in the
// time that a window takes.
type cache struct {
	store Store
	*worker.Session
	ask  []*reader.File
	full bool
	buf  []byte
}

// key is the entry's name of a file.
func (c *cache) key(x *reader.File) string { return c.Open.Cache + "\n" + x.Path }

func (c *cache) wants(x *reader.File) bool { return x.Size >= cacheFrom && source.HasData(x.Path) }

// Want implements worker.Cache.
func (c *cache) Want(x *reader.File) bool {
	if !c.wants(x) {
		return false
	}
	c.ask = append(c.ask, x)
	return true
}

// Lookup implements worker.Cache.
func (c *cache) Lookup() {}

// Busy implements worker.Cache.
func (c *cache) Busy() bool { return len(c.ask) > 0 }

// Sketches implements worker.Cache. Nothing is so slow here that they would pay.
func (c *cache) Sketches() worker.Sketches { return worker.NoSketches }

// Use implements worker.Cache.
func (c *cache) Use() bool {
	if len(c.ask) == 0 {
		return false
	}
	x := c.ask[0]
	c.ask = c.ask[1:]
	var e *reader.Entry
	if b := c.store.Load(c.key(x), x.Size+entrySlack); b != nil {
		var err error
		if e, err = reader.ParseEntry(b); err != nil {
			c.store.Drop(c.key(x))
		}
	}
	c.Plan.Adopt(x, e)
	return true
}

// Save implements worker.Cache.
func (c *cache) Save() {
	if c.full {
		return
	}
	written := 0
	for _, x := range c.Plan.Files() {
		if written >= saveBytes { // who asks meanwhile goes first
			c.Wake()
			break
		}
		if !c.wants(x) {
			continue
		}
		if now, _ := c.Plan.Storable(x); !now {
			continue
		}
		c.buf = x.Catalog().AppendStored(c.Plan.Entry(x).Append(c.buf[:0]))
		c.Plan.Stored(x)
		written += len(c.buf)
		if !c.store.Save(c.key(x), c.buf) {
			c.full = true
			break
		}
	}
	c.buf = nil
}
