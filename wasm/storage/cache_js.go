package storage

import (
	"context"
	"math"
	"sort"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Entry is what the cache keeps of an event file; see shared/reader for what Data is.
type Entry struct {
	Key  string
	Data []byte
	// Sketch of it comes before, if there is one.
	Sketch []byte
}

// layout is counted up by every change of the form of values. Values of another one
// are not used.
//
// What stands in the database may come from another version of ours, or from another
// page of the same origin, so every value is of any type until it has been looked at.
const layout = 3

// kind is v.Type(), which panics for a BigInt.
func kind(v js.Value) (t js.Type) {
	defer func() { _ = recover() }()
	return v.Type()
}

// object reports whether v has properties.
func object(v js.Value) bool { return kind(v) == js.TypeObject }

// number returns the number v; NaN if it is none.
func number(v js.Value) float64 {
	if kind(v) != js.TypeNumber {
		return math.NaN()
	}
	return v.Float()
}

// BlobFrom is the size from which on Data is stored as a Blob: the browser then keeps it in
// a file of its own, and reads it when it is asked for. 100 entries of 1 MB came in 100 to
// 170 ms that way, and in 230 to 340 as arrays (Chromium; in Firefox in 200, and 425 to 550).
// For small ones a file each costs more than it spares.
const BlobFrom = 64 << 10

// Found is an entry that stands in the cache.
type Found struct {
	Size   int64  // of all of it, in bytes
	Sketch []byte // nil: there is none
	// Later says that Data is read only now, by Read: until then it takes no memory.
	Later bool

	data js.Value // a Uint8Array or a Blob
	size int64
}

// found returns the entry that a value is; nil if it is none of ours, or has more than most
// bytes.
func found(v js.Value, most int64) *Found {
	if !object(v) || number(v.Get("layout")) != layout {
		return nil
	}
	size := func(v js.Value, name string) int64 {
		if n := number(v.Get(name)); n > 0 && n <= float64(most) {
			return int64(n)
		}
		return 0
	}
	f := &Found{data: v.Get("data")}
	switch {
	case isArray(f.data):
		f.size = size(f.data, "length")
	case object(f.data) && f.data.InstanceOf(js.Global().Get("Blob")):
		f.size, f.Later = size(f.data, "size"), true
	}
	if f.size == 0 {
		return nil
	}
	f.Size = f.size
	if sketch := v.Get("sketch"); isArray(sketch) {
		if n := size(sketch, "length"); n > 0 {
			f.Sketch = make([]byte, n)
			js.CopyBytesToGo(f.Sketch, sketch)
			f.Size += n
		}
	}
	return f
}

func isArray(v js.Value) bool {
	return object(v) && v.InstanceOf(js.Global().Get("Uint8Array"))
}

// Read returns the Data; nil if the browser has lost it.
func (f *Found) Read() (data []byte) {
	defer func() {
		if recover() != nil {
			data = nil
		}
	}()
	if f.Later {
		buffer, err := bridge.AwaitCall(f.data, "arrayBuffer")
		if err != nil || int64(number(buffer.Get("byteLength"))) != f.size {
			return nil
		}
		return bridge.Contents(buffer)
	}
	data = make([]byte, f.size)
	js.CopyBytesToGo(data, f.data)
	bridge.Free(f.data.Get("buffer"))
	return data
}

// Find returns what is cached for keys; nil where there is nothing, or more than most bytes
// of the same number. bad are the keys whose values are of no use.
func (d *DB) Find(keys []string, most []int64) (out []*Found, bad []string, err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadOnly, files)
	if err != nil {
		return nil, nil, err
	}
	store := stores[0]
	requests := make([]*idb.Request, len(keys))
	for i, k := range keys {
		if requests[i], err = store.Get(js.ValueOf(k)); err != nil {
			return nil, nil, err
		}
	}
	// The transaction is over when all of its requests are: their results stand
	// ready then.
	if err := await(tx); err != nil {
		return nil, nil, err
	}
	out = make([]*Found, len(keys))
	for i, r := range requests {
		v, err := r.Result()
		if err != nil || v.IsUndefined() {
			continue
		}
		if out[i] = found(v, most[i]); out[i] == nil {
			bad = append(bad, keys[i])
		}
	}
	return out, bad, nil
}

// Save puts entries into the cache.
func (d *DB) Save(entries []Entry) (err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	store, book := stores[0], stores[1]
	for _, c := range entries {
		buffer := bridge.Bytes(c.Data)
		value := map[string]any{"layout": layout}
		if len(c.Data) >= BlobFrom {
			value["data"] = js.Global().Get("Blob").New([]any{buffer})
		} else {
			value["data"] = js.Global().Get("Uint8Array").New(buffer)
		}
		if c.Sketch != nil {
			value["sketch"] = js.Global().Get("Uint8Array").New(bridge.Bytes(c.Sketch))
		}
		_, err := store.PutKey(js.ValueOf(c.Key), js.ValueOf(value))
		bridge.Free(buffer) // the database has its copy
		if err != nil {
			return err
		}
		if err := note(book, c.Key, int64(len(c.Data)+len(c.Sketch))); err != nil {
			return err
		}
	}
	return await(tx)
}

// Drop throws the entries of keys away.
func (d *DB) Drop(keys []string) (err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	for _, store := range stores {
		for _, k := range keys {
			if _, err := store.Delete(js.ValueOf(k)); err != nil {
				return err
			}
		}
	}
	return await(tx)
}

func note(book *idb.ObjectStore, key string, bytes int64) error {
	_, err := book.PutKey(js.ValueOf(key), js.ValueOf(map[string]any{"bytes": bytes, "used": time.Now().UnixMilli()}))
	return err
}

// Touch notes that entries have been used; used holds their keys and sizes.
func (d *DB) Touch(used map[string]int64) (err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadWrite, ledger)
	if err != nil {
		return err
	}
	for key, bytes := range used {
		if err := note(stores[0], key, bytes); err != nil {
			return err
		}
	}
	return await(tx)
}

// line is a line of the ledger.
type line struct {
	key   js.Value
	bytes float64 // -1: the line is none of ours
	used  float64
}

// Evict throws the entries away that were not used for the longest time, until all
// together have at most limit bytes; and whatever stands on one side only, in the store or in the
// ledger.
// It is one transaction: what another tab or worker saves meanwhile waits for it.
func (d *DB) Evict(limit int64) (err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	r, err := stores[0].GetAllKeys()
	if err != nil {
		return err
	}
	lines, err := lines(stores[1])
	if err != nil {
		return err
	}
	keys, err := r.Request.Result() // it stood before those of lines
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(lines))
	total := 0.0
	for _, l := range lines {
		if l.bytes >= 0 {
			known[l.key.String()] = true
			total += l.bytes
		}
	}
	sort.Slice(lines, func(i, j int) bool { return lines[i].used < lines[j].used })
	var out []js.Value
	for _, l := range lines {
		if l.bytes < 0 || total > float64(limit) {
			out = append(out, l.key)
			total -= max(0, l.bytes)
		}
	}
	there := make(map[string]bool, len(known))
	for i := range keys.Length() {
		k := keys.Index(i)
		if kind(k) != js.TypeString || !known[k.String()] {
			out = append(out, k)
			continue
		}
		there[k.String()] = true
	}
	for _, l := range lines {
		if l.bytes >= 0 && !there[l.key.String()] {
			out = append(out, l.key)
		}
	}
	for _, store := range stores {
		for _, k := range out {
			if _, err := store.Delete(k); err != nil {
				return err
			}
		}
	}
	return await(tx)
}

// lines returns what stands in the ledger.
func lines(book *idb.ObjectStore) (out []line, err error) {
	cursor, err := book.OpenCursor(idb.CursorNext)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	err = cursor.Iter(ctx, func(c *idb.CursorWithValue) error {
		key, err := c.Key()
		if err != nil {
			return err
		}
		v, err := c.Value()
		if err != nil {
			return err
		}
		l := line{key: key, bytes: -1}
		if kind(key) == js.TypeString && object(v) {
			if bytes, used := number(v.Get("bytes")), number(v.Get("used")); bytes >= 0 && bytes <= 1<<53 && used-used == 0 {
				l.bytes, l.used = bytes, used
			}
		}
		out = append(out, l)
		return nil
	})
	return out, err
}

// Clear empties the cache.
func (d *DB) Clear() (err error) {
	defer guard(&err)
	tx, stores, err := d.begin(idb.TransactionReadWrite, files, ledger)
	if err != nil {
		return err
	}
	for _, store := range stores {
		if _, err := store.Clear(); err != nil {
			return err
		}
	}
	return await(tx)
}

// Size returns how many bytes the cache holds.
func (d *DB) Size() (total int64, err error) {
	defer guard(&err)
	_, stores, err := d.begin(idb.TransactionReadOnly, ledger)
	if err != nil {
		return 0, err
	}
	all, err := lines(stores[0])
	for _, l := range all {
		total += int64(max(0, l.bytes))
	}
	return total, err
}
