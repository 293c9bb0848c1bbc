package engine

import (
	"runtime"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// PointBytes is about what a kept point costs in memory: 7 bytes of columns, and
// what the collector leaves lying.
const PointBytes = 10

// minBudget is the least number of points that may be kept.
const minBudget = 50_000

// DefaultBudget is how many points are kept when the user says nothing: an eighth of
// the device's memory, as far as the browser tells it (it tells at most 8 GiB).
func DefaultBudget() int64 {
	gib := 4.0
	if v, err := bridge.Property(js.Global().Get("navigator"), "deviceMemory"); err == nil && v.Type() == js.TypeNumber {
		gib = v.Float()
	}
	return int64(gib * (1 << 30) / 8 / PointBytes)
}

// Budget returns how many points may be kept.
func (e *Engine) Budget() int64 { return e.budget }

// SetBudget sets how many points may be kept; 0 leaves it to DefaultBudget. An open
// logdir is opened anew, because points that are gone come back only by reading
// again, and the memory of workers is given back only by ending them.
func (e *Engine) SetBudget(points int64) {
	if points == 0 {
		points = DefaultBudget()
	}
	points = max(points, minBudget)
	if points == e.budget {
		return
	}
	e.budget = points
	e.Reopen()
}

// Reopen opens the logdir anew, as it is now: what was read of files that are gone is
// forgotten, all else comes from the cache or is read again.
func (e *Engine) Reopen() {
	if e.origin != nil && !e.Listing() {
		e.start(e.origin, e.Status().Logdir)
	}
}

// loose is how many bytes answers have brought since the collector ran last for them.
type loose int

// looseBytes is how much may lie about. The collector takes 2 ms with a thousand runs.
const looseBytes = 32 << 20

// took counts the buffer of an answer. Go holds every buffer that it has seen until its
// collector runs, and knows nothing of its size: a script that asked for
// a series of 200 000 points a hundred times had 600 MB of old ones lying.
func (l *loose) took(buffer js.Value) {
	if *l += loose(buffer.Get("byteLength").Int()); *l > looseBytes {
		*l = 0
		go runtime.GC()
	}
}

// cacheBytes is how much the cache may hold, of all logdirs together.
const cacheBytes = 2 << 30

// SetCaching switches on or off that what is read is kept in the browser's database.
// Switched off, nothing more is written at once; switched on, an open logdir is
// written from its next opening on.
func (e *Engine) SetCaching(on bool) {
	e.caching = on
	if on || e.origin == nil {
		return
	}
	e.StopCaching()
}

// ClearCache empties the cache and returns how many bytes it held. It must be called
// on a goroutine, as CacheSize.
func (e *Engine) ClearCache() (freed int64, err error) {
	db, err := e.database()
	if err != nil {
		return 0, err
	}
	if freed, err = db.Size(); err != nil {
		return 0, err
	}
	return freed, db.Clear()
}

// CacheSize returns how many bytes the cache holds, of all logdirs together.
func (e *Engine) CacheSize() (int64, error) {
	db, err := e.database()
	if err != nil {
		return 0, err
	}
	return db.Size()
}

// database opens the browser's database, once.
func (e *Engine) database() (*storage.DB, error) {
	if e.db != nil {
		return e.db, nil
	}
	db, err := storage.Open()
	if err == nil {
		e.db = db
	}
	return db, err
}

// cacheKey is of what localStorage has once a worker was told to keep what it reads.
const cacheKey = "tensorbored-static.cached"

// cacheIsNew reports whether this browser was never told to keep anything, and notes that it
// is now. To make a database and to ask it in vain takes a tenth of a first visit.
func cacheIsNew() bool {
	before, err := storage.LocalGet(cacheKey)
	if err != nil || before != "" {
		return false
	}
	return storage.LocalSet(cacheKey, "1") == nil
}
