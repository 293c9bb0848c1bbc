package worker

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/digest"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// digests looks files up in the digests beside them, before the cache: what a digest has is not
// asked of it. A digest that cannot be read, and an entry that does not fit, cost a read of the
// files, and nothing else: nothing is lost, so nothing is said.
//
// Everything is the worker's goroutine's; who reads hands over by do.
type digests struct {
	Cache
	*Session
	dir     source.Logdir
	do      func(func())
	known   map[string]wire.File // digests, by path
	items   map[string]place     // of event files
	loading int                  // digests whose index is being read
	wait    []*reader.File       // files that wait for that
	ask     []*reader.File       // files that are to be looked up
	reading bool
	found   []entry
}

// place is where there is something of a file.
type place struct {
	digest wire.File
	item   digest.Item
}

// entry is what was found of a file; nil: nothing.
type entry struct {
	x    *reader.File
	data []byte
}

// How much is looked up at a time.
const (
	lookupFiles = 256
	lookupBytes = 8 << 20
)

// told takes in a file beside event files.
func (d *digests) told(f wire.File) {
	prefix, ok := digest.Is(f.Path)
	if !ok || f.Gone || d.known[f.Path] == f || f.Size < digest.Footer {
		return
	}
	if d.known == nil {
		d.known, d.items = map[string]wire.File{}, map[string]place{}
	}
	d.known[f.Path] = f
	d.loading++
	footer := []source.Range{{Path: f.Path, Offset: f.Size - digest.Footer, Length: digest.Footer, Size: f.Size}}
	d.read(footer, func(got [][]byte) {
		offset, length, sum, err := digest.Place(got[0], f.Size)
		if err != nil {
			d.loaded(nil)
			return
		}
		d.read([]source.Range{{Path: f.Path, Offset: offset, Length: length, Size: f.Size}}, func(got [][]byte) {
			index, _ := digest.Parse(got[0], offset, sum)
			items := make(map[string]place, len(index))
			for _, i := range index {
				items[prefix+i.Path] = place{f, i}
			}
			d.loaded(items)
		})
	})
}

// loaded takes in what a digest has.
func (d *digests) loaded(items map[string]place) {
	maps.Copy(d.items, items)
	if d.loading--; d.loading > 0 {
		return
	}
	wait := d.wait
	d.wait = nil
	for _, x := range wait {
		if !d.Want(x) {
			d.Plan.Adopt(x, nil)
		}
	}
}

// read reads ranges and hands their bytes over, nil where they could not be read whole.
func (d *digests) read(ranges []source.Range, then func([][]byte)) {
	ctx, dir := d.Context, d.dir
	go func() {
		results, err := dir.Read(ctx, ranges)
		d.do(func() { // sequences are one goroutine's
			read := make([][]byte, len(ranges))
			if err == nil {
				for i, r := range results {
					if i < len(read) && r.Err == nil && int64(len(r.Data)) == ranges[i].Length {
						read[i] = bytes.Clone(r.Data)
					}
				}
			}
			then(read)
		})
	}()
}

// Want implements Cache.
func (d *digests) Want(x *reader.File) bool {
	if d.loading > 0 {
		d.wait = append(d.wait, x)
		return true
	}
	// One that is longer than the file by now is of another one.
	if p, ok := d.items[x.Path]; ok && p.item.Size <= x.Size {
		d.ask = append(d.ask, x)
		return true
	}
	return d.Cache.Want(x)
}

// Busy implements Cache.
func (d *digests) Busy() bool {
	return d.loading+len(d.ask)+len(d.found) > 0 || d.reading || d.Cache.Busy()
}

// Lookup implements Cache.
func (d *digests) Lookup() {
	d.Cache.Lookup()
	if d.reading || len(d.ask) == 0 || len(d.found) > 0 {
		return
	}
	// In the order in which they stand there: what lies together is read together.
	slices.SortStableFunc(d.ask, func(a, b *reader.File) int {
		p, q := d.items[a.Path], d.items[b.Path]
		return cmp.Or(strings.Compare(p.digest.Path, q.digest.Path), cmp.Compare(p.item.Offset, q.item.Offset))
	})
	n, size := 0, int64(0)
	for n < len(d.ask) && n < lookupFiles && (n == 0 || size+d.items[d.ask[n].Path].item.Length <= lookupBytes) {
		size += d.items[d.ask[n].Path].item.Length
		n++
	}
	group := d.ask[:n:n]
	d.ask = d.ask[n:]
	// Neighbours are one range.
	var ranges []source.Range
	of := make([]int, n) // the range of each
	for i, x := range group {
		p := d.items[x.Path]
		if last := len(ranges) - 1; last >= 0 && ranges[last].Path == p.digest.Path && ranges[last].Offset+ranges[last].Length == p.item.Offset {
			ranges[last].Length += p.item.Length
		} else {
			ranges = append(ranges, source.Range{Path: p.digest.Path, Offset: p.item.Offset, Length: p.item.Length, Size: p.digest.Size})
		}
		of[i] = len(ranges) - 1
	}
	d.reading = true
	d.read(ranges, func(read [][]byte) {
		d.reading = false
		for i, x := range group {
			e := entry{x: x}
			p := d.items[x.Path]
			if b, at := read[of[i]], p.item.Offset-ranges[of[i]].Offset; b != nil && at >= 0 && at+p.item.Length <= int64(len(b)) {
				e.data = b[at : at+p.item.Length]
			}
			d.found = append(d.found, e)
		}
	})
}

// Use implements Cache.
func (d *digests) Use() bool {
	if len(d.found) == 0 {
		return d.Cache.Use()
	}
	f := d.found[0]
	d.found = d.found[1:]
	var e *reader.Entry
	if f.data != nil {
		if e, _ = reader.ParseEntry(f.data); e != nil {
			e.Digest = true
		}
	}
	d.Plan.Adopt(f.x, e)
	return true
}
