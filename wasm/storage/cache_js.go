package storage

import (
	"context"
	"sort"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Cached is what the cache keeps of an event file. The file's identity stands beside
// it, so that a file which was replaced is noticed.
type Cached struct {
	Key    string
	Size   int64  // of the event file, in bytes, when it was read
	MTime  int64  // milliseconds since 1970
	Budget int64  // points that its worker might keep: with more, a thinned file must be read anew
	Head   Sample // of its first bytes
	Tail   Sample // of the bytes before the place where reading goes on
	Data   []byte // stored form, see catalog.File.AppendStored
}

// layout is counted up by every change of an entry's fields. Entries of another one
// are not used, and replaced when their file has been read.
const layout = 2

// Sample is a stretch of a file by its checksum.
type Sample struct {
	Offset, Length int64
	CRC            uint32 // CRC-32C
}

func (s Sample) js() []any { return []any{s.Offset, s.Length, s.CRC} }

func sampleOf(v js.Value) Sample {
	return Sample{int64(v.Index(0).Float()), int64(v.Index(1).Float()), uint32(v.Index(2).Float())}
}

// Load returns what is cached for keys; nil where there is nothing.
func (d *DB) Load(keys []string) ([]*Cached, error) {
	tx, stores, err := d.begin(idb.TransactionReadOnly, files)
	if err != nil {
		return nil, err
	}
	store := stores[0]
	requests := make([]*idb.Request, len(keys))
	for i, k := range keys {
		if requests[i], err = store.Get(js.ValueOf(k)); err != nil {
			return nil, err
		}
	}
	// The transaction is over when all of its requests are: their results stand
	// ready then.
	if err := tx.Await(context.Background()); err != nil {
		return nil, err
	}
	out := make([]*Cached, len(keys))
	for i, r := range requests {
		v, err := r.Result()
		if err != nil || !v.Truthy() || v.Get("layout").Type() != js.TypeNumber || v.Get("layout").Int() != layout {
			continue
		}
		data := v.Get("data")
		c := &Cached{Key: keys[i], Size: int64(v.Get("size").Float()), MTime: int64(v.Get("mtime").Float()), Budget: int64(v.Get("budget").Float()), Head: sampleOf(v.Get("head")), Tail: sampleOf(v.Get("tail"))}
		c.Data = make([]byte, data.Get("length").Int())
		js.CopyBytesToGo(c.Data, data)
		out[i] = c
	}
	return out, nil
}

// Save puts entries into the cache.
func (d *DB) Save(entries []*Cached) error {
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	store, book := stores[0], stores[1]
	for _, c := range entries {
		data := js.Global().Get("Uint8Array").New(len(c.Data))
		js.CopyBytesToJS(data, c.Data)
		v := js.ValueOf(map[string]any{"layout": layout, "size": c.Size, "mtime": c.MTime, "budget": c.Budget, "head": c.Head.js(), "tail": c.Tail.js(), "data": data})
		_, err := store.PutKey(js.ValueOf(c.Key), v)
		bridge.Free(data.Get("buffer")) // the database has its copy
		if err != nil {
			return err
		}
		if err := note(book, c.Key, len(c.Data)); err != nil {
			return err
		}
	}
	return tx.Await(context.Background())
}

func note(book *idb.ObjectStore, key string, bytes int) error {
	_, err := book.PutKey(js.ValueOf(key), js.ValueOf(map[string]any{"bytes": bytes, "used": time.Now().UnixMilli()}))
	return err
}

// Touch notes that entries have been used; used holds their keys and sizes.
func (d *DB) Touch(used map[string]int) error {
	tx, stores, err := d.begin(idb.TransactionReadWrite, ledger)
	if err != nil {
		return err
	}
	for key, bytes := range used {
		if err := note(stores[0], key, bytes); err != nil {
			return err
		}
	}
	return tx.Await(context.Background())
}

// line is a line of the ledger.
type line struct {
	key   js.Value
	bytes int64
	used  float64
}

// Evict throws the entries away that were not used for the longest time, until all
// together have at most limit bytes.
func (d *DB) Evict(limit int64) error {
	lines, err := d.lines()
	if err != nil {
		return err
	}
	total := int64(0)
	for _, l := range lines {
		total += l.bytes
	}
	if total <= limit {
		return nil
	}
	sort.Slice(lines, func(i, j int) bool { return lines[i].used < lines[j].used })
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	for _, store := range stores {
		left := total
		for _, l := range lines {
			if left <= limit {
				break
			}
			if _, err := store.Delete(l.key); err != nil {
				return err
			}
			left -= l.bytes
		}
	}
	return tx.Await(context.Background())
}

func (d *DB) lines() ([]line, error) {
	_, stores, err := d.begin(idb.TransactionReadOnly, ledger)
	if err != nil {
		return nil, err
	}
	cursor, err := stores[0].OpenCursor(idb.CursorNext)
	if err != nil {
		return nil, err
	}
	var lines []line
	err = cursor.Iter(context.Background(), func(c *idb.CursorWithValue) error {
		key, err := c.Key()
		if err != nil {
			return err
		}
		v, err := c.Value()
		if err != nil {
			return err
		}
		lines = append(lines, line{key, int64(v.Get("bytes").Float()), v.Get("used").Float()})
		return nil
	})
	return lines, err
}

// Clear empties the cache.
func (d *DB) Clear() error {
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	for _, store := range stores {
		if _, err := store.Clear(); err != nil {
			return err
		}
	}
	return tx.Await(context.Background())
}

// Size returns how many bytes the cache holds.
func (d *DB) Size() (int64, error) {
	lines, err := d.lines()
	total := int64(0)
	for _, l := range lines {
		total += l.bytes
	}
	return total, err
}
