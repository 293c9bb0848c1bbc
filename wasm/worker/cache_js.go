package worker

import (
	"context"
	"hash/crc32"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// The cache
//
// What was read of a file is kept in the browser's database, so that a logdir which
// is opened again is there at once, and only what was appended is read.
//
// A file that is new to the worker is looked up before anything is read of it. If
// size and modification time are those of the entry, the entry is taken up as it is.
// If they are not, the file may have grown or be another one: its first bytes and
// those before the place where reading goes on are read and held against the entry.
// Entries are written when nothing is left to read.
//
// The database may be missing, full or refuse: then everything is read, and nothing
// is said, because nothing is lost.
const (
	// cacheFrom is the size of the smallest file that is cached: a smaller one is
	// read in the time that a look-up takes.
	cacheFrom = 256 << 10
	// headBytes and tailBytes are how much of a file's head, and of what was read
	// of it last, tell it from another. The tail is read again with whatever is
	// appended, hence short.
	headBytes = 4096
	tailBytes = 64
	// lookupFiles is how many entries are in memory at a time.
	lookupFiles = 16
	// saveBytes is about how much is written in one transaction.
	saveBytes = 4 << 20
	// entryPoints is how many points an entry may hold, some 120 MB: larger ones the
	// browser refuses, and making them doubles the worker's memory. Such a file is read
	// again.
	entryPoints = 15_000_000
	// saveEvery is how often a file that grows is written.
	saveEvery = 30 * time.Second
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type cache struct {
	w       *worker
	db      *storage.DB
	off     bool // the database cannot be used
	ask     []*file
	asking  bool
	found   []lookup // answers that have not been used
	saving  bool
	buf     []byte // of the entries that are being saved
	waiting bool   // a timer will wake the loop to save
	evicted bool
	used    map[string]int // sizes of the entries that were used, by key; not noted yet
}

// lookup is the answer for one file.
type lookup struct {
	x     *file
	entry *storage.Cached // nil: none
	same  bool            // the samples were read and fit
}

// busy reports whether files are being looked up.
func (c *cache) busy() bool { return c.asking || len(c.ask) > 0 || len(c.found) > 0 }

// key is the entry's name of a file.
func (c *cache) key(x *file) string { return c.w.open.Cache + "\n" + x.Path }

// wants reports whether x is looked up before it is read.
func (c *cache) wants(x *file) bool {
	return !c.off && c.w.open.Cache != "" && x.Size >= cacheFrom && source.HasData(x.Path)
}

// lookup starts to look files up that were asked for.
func (c *cache) lookup() {
	if c.asking || len(c.ask) == 0 {
		return
	}
	c.asking = true
	ctx := c.w.ctx
	go func() {
		defer func() { c.asking = false; c.w.poke() }()
		if c.db == nil {
			db, err := storage.Open()
			if err != nil {
				c.off = true
			}
			c.db = db
		}
		for len(c.ask) > 0 && ctx.Err() == nil {
			n := min(len(c.ask), lookupFiles)
			group := c.ask[:n]
			c.ask = c.ask[n:]
			answers := make([]lookup, n)
			keys := make([]string, n)
			for i, x := range group {
				answers[i].x = x
				keys[i] = c.key(x)
			}
			if !c.off {
				entries, err := c.db.Load(keys)
				for i := range entries {
					answers[i].entry = entries[i]
				}
				if err != nil {
					c.off = true
				}
			}
			for i := range answers {
				c.check(ctx, &answers[i])
			}
			if ctx.Err() != nil {
				return
			}
			c.found = append(c.found, answers...)
			c.w.poke()
			for len(c.found) > 2*lookupFiles && ctx.Err() == nil { // let the loop catch up
				time.Sleep(time.Millisecond)
			}
		}
	}()
}

// check holds an entry against the file and drops it if it is another one's.
func (c *cache) check(ctx context.Context, l *lookup) {
	e, x := l.entry, l.x
	if e == nil || e.Size == x.Size && e.MTime == x.MTime {
		return
	}
	l.entry = nil
	if x.Size < e.Tail.Offset+e.Tail.Length {
		return // shorter than what was read
	}
	samples := []storage.Sample{e.Head, e.Tail}
	ranges := make([]source.Range, len(samples))
	for i, s := range samples {
		ranges[i] = source.Range{Path: x.Path, Offset: s.Offset, Length: s.Length}
	}
	results, err := c.w.src.Read(ctx, ranges)
	if err != nil {
		return
	}
	for i, r := range results {
		if r.Err != nil || crc32.Checksum(r.Data, castagnoli) != samples[i].CRC {
			return
		}
	}
	l.entry = e
}

// use takes up what was found; it reports whether there was something.
func (c *cache) use() bool {
	if len(c.found) == 0 {
		return false
	}
	l := c.found[0]
	c.found = c.found[1:]
	x := l.x
	x.asking = false
	if e := l.entry; e != nil && x.reader.At() == 0 {
		if err := x.reader.File.Restore(e.Data); err == nil && x.reader.File.Offset <= x.Size && !(e.Budget < c.w.open.Budget && x.reader.File.Thinned()) {
			if c.used == nil {
				c.used = make(map[string]int)
			}
			c.used[e.Key] = len(e.Data)
			x.head, x.tailSample = e.Head, e.Tail
			x.stored = x.reader.File.Offset
			x.storedAt = now()
			x.asked = x.reader.At()
			c.w.plan.count(x, x.asked)
			c.w.report.cached += x.asked
			if e.Size == x.Size && e.MTime == x.MTime {
				// Nothing was appended: a torn tail is still the same.
				c.w.plan.count(x, x.Size-x.asked)
				x.torn, x.settled = x.Size-x.asked, x.Size
			}
			c.w.report.lossesChanged = c.w.report.lossesChanged || x.reader.File.LossCount() > 0
			e.Data = e.Data[:0]
		} else {
			x.reader.Restart()
		}
		c.w.report.changed(x.run)
	}
	if x.settled < x.reader.Size {
		c.w.plan.fresh = append(c.w.plan.fresh, x)
	}
	c.w.plan.enqueue(x)
	c.w.plan.order = true
	return true
}

// sample notes what tells x from another file, from a window that was just used.
func (x *file) sample(offset int64, data []byte) {
	if offset == 0 {
		n := min(len(data), headBytes)
		x.head = storage.Sample{Length: int64(n), CRC: crc32.Checksum(data[:n], castagnoli)}
	}
	end := x.reader.File.Offset
	if at := end - offset; at > 0 && at <= int64(len(data)) {
		n := min(at, tailBytes)
		x.tailSample = storage.Sample{Offset: end - n, Length: n, CRC: crc32.Checksum(data[at-n:at], castagnoli)}
	}
}

// save begins to write entries that are not up to date; it is called when nothing
// is left to read, and reports whether it must be called again.
func (c *cache) save() {
	if c.saving || c.off || c.db == nil || c.w.open.Cache == "" {
		return
	}
	var entries []*storage.Cached
	var ends []int // of the entries' data in buf
	if c.buf == nil {
		c.buf = make([]byte, 0, saveBytes+saveBytes/2)
	}
	buf := c.buf[:0]
	later := false
	for _, x := range c.w.plan.files {
		f := x.reader.File
		if !c.wants(x) || f.Offset == x.stored || x.Gone || x.tailSample.Offset+x.tailSample.Length != f.Offset {
			continue
		}
		if x.stored > 0 && now()-x.storedAt < saveEvery {
			later = true
			continue
		}
		if f.Kept() > entryPoints {
			x.stored, x.storedAt = f.Offset, now()
			continue
		}
		e := &storage.Cached{Key: c.key(x), Size: x.Size, MTime: x.MTime, Budget: c.w.open.Budget, Head: x.head, Tail: x.tailSample}
		buf = f.AppendStored(buf)
		entries, ends = append(entries, e), append(ends, len(buf))
		x.stored, x.storedAt = f.Offset, now()
		if len(buf) >= saveBytes {
			break
		}
	}
	from := 0
	for i, e := range entries {
		e.Data, from = buf[from:ends[i]:ends[i]], ends[i]
	}
	c.buf = buf
	if len(entries) == 0 {
		if later && !c.waiting {
			// One at a time: a file that grows is late at every look, and each
			// timer would make the loop come by here and start the next.
			c.waiting = true
			time.AfterFunc(saveEvery, func() {
				c.waiting = false
				c.w.poke()
			})
		}
		c.buf = nil
		if !c.evicted {
			c.evicted = true
			db, used, limit := c.db, c.used, c.w.open.CacheBytes
			c.used = nil
			go func() { // a full cache is no loss
				if len(used) > 0 {
					_ = db.Touch(used)
				}
				_ = db.Evict(limit)
			}()
		}
		return
	}
	c.saving, c.evicted = true, false
	go func() {
		if err := c.db.Save(entries); err != nil {
			// Full or refused: make room for the next time, and do without.
			_ = c.db.Evict(c.w.open.CacheBytes / 2)
			c.off = true
		}
		c.saving = false
		c.w.poke()
	}()
}
