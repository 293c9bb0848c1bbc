// Package checkpoint reads TensorFlow's checkpoints by range: version 2 (an index and shards,
// tensorflow/core/protobuf/tensor_bundle.proto) and version 1 (all in one table,
// tensorflow/core/util/saved_tensor_slice.proto). Both are sorted tables in LevelDB's form
// (leveldb's doc/table_format.md and table/format.h). Messages are read by hand on protowire's
// encoding, as event files are.
package checkpoint

import (
	"encoding/binary"
	"hash/crc32"
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// magic ends a table's footer.
const magic = 0xdb4775248b80fb57

const footerSize = 48

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// unmask is LevelDB's util/crc32c.h: a checksum that is stored is masked.
func unmask(x uint32) uint32 {
	x -= 0xa282ead8
	return x>>17 | x<<15
}

// handle is where a block stands.
type handle struct{ at, size uint64 }

// table is a sorted table, of which the index was read.
type table struct {
	f      tensor.File
	blocks []block
}

// block is one of its data blocks: all its keys are at most last.
type block struct {
	last string
	handle
}

func uvarints(b []byte, into ...*uint64) ([]byte, bool) {
	for _, p := range into {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, false
		}
		*p, b = x, b[n:]
	}
	return b, true
}

// notTable says that a file is no table at all.
var notTable = tensor.Damaged("", "This is no checkpoint.")

// openTable reads footer and index.
func openTable(f tensor.File) (*table, error) {
	if f.Size() < footerSize {
		return nil, notTable
	}
	// What stands before the footer is the index: of most tables both come at once.
	n := min(f.Size(), 64<<10)
	tail, err := tensor.ReadFull(f, f.Size()-n, n)
	if err != nil {
		return nil, err
	}
	foot := tail[n-footerSize:]
	if binary.LittleEndian.Uint64(foot[40:]) != magic {
		return nil, notTable
	}
	var meta, index handle
	if _, ok := uvarints(foot[:40], &meta.at, &meta.size, &index.at, &index.size); !ok {
		return nil, tensor.Damaged(f.Path(), "Its footer is damaged.")
	}
	t := &table{f: f}
	b, err := t.read(index, tail, f.Size()-n)
	if err != nil {
		return nil, err
	}
	err = entries(f.Path(), b, func(key string, value []byte) (bool, error) {
		var h handle
		if _, ok := uvarints(value, &h.at, &h.size); !ok {
			return false, tensor.Damaged(f.Path(), "Its list of blocks is damaged.")
		}
		t.blocks = append(t.blocks, block{key, h})
		return true, nil
	})
	return t, err
}

// read reads a block, unpacked. have are bytes of the file from at on that are there already.
func (t *table) read(h handle, have []byte, at int64) ([]byte, error) {
	size := uint64(t.f.Size())
	if h.size > size || h.at > size || h.at+h.size+5 > size {
		return nil, tensor.Damaged(t.f.Path(), "A block of %d bytes is said to stand at byte %d, beyond its end.", h.size, h.at)
	}
	var b []byte
	if int64(h.at) >= at && have != nil {
		b = have[int64(h.at)-at:][:h.size+5]
	} else {
		var err error
		if b, err = tensor.ReadFull(t.f, int64(h.at), int64(h.size)+5); err != nil {
			return nil, err
		}
	}
	body := b[:h.size+1]
	if unmask(binary.LittleEndian.Uint32(b[h.size+1:])) != crc32.Checksum(body, castagnoli) {
		return nil, tensor.Damaged(t.f.Path(), "The block at byte %d has another checksum.", h.at)
	}
	switch body[h.size] {
	case 0:
		return body[:h.size], nil
	case 1:
		out, ok := unsnap(body[:h.size])
		if !ok {
			return nil, tensor.Damaged(t.f.Path(), "The block at byte %d cannot be unpacked.", h.at)
		}
		return out, nil
	}
	return nil, tensor.Wrong("unsupported", t.f.Path(), "", "The block at byte %d is packed by the method %d, which is not known.", h.at, body[h.size])
}

// entries calls use with the keys and values of a block, in order, until it returns false. Values
// are parts of b. A key repeats the beginning of the one before it.
func entries(path string, b []byte, use func(key string, value []byte) (bool, error)) error {
	damaged := tensor.Damaged(path, "A block is damaged.")
	if len(b) < 4 {
		return damaged
	}
	restarts := uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))
	if restarts > uint64(len(b)-4)/4 {
		return damaged
	}
	b = b[:uint64(len(b))-4-4*restarts]
	var key []byte
	for len(b) > 0 {
		var shared, own, size uint64
		rest, ok := uvarints(b, &shared, &own, &size)
		if !ok || shared > uint64(len(key)) || own > uint64(len(rest)) || size > uint64(len(rest))-own || shared+own > longestKey {
			return damaged
		}
		key = append(key[:shared], rest[:own]...)
		more, err := use(string(key), rest[own:own+size])
		if err != nil || !more {
			return err
		}
		b = rest[own+size:]
	}
	return nil
}

// longestKey bounds names: keys that repeat each other's beginnings could make much of little.
const longestKey = 64 << 10

// each calls use with all entries from a key on, until it returns false.
func (t *table) each(from string, use func(key string, value []byte) (bool, error)) error {
	first := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].last >= from })
	for more := true; more && first < len(t.blocks); first++ {
		b, err := t.read(t.blocks[first].handle, nil, 0)
		if err != nil {
			return err
		}
		err = entries(t.f.Path(), b, func(key string, value []byte) (bool, error) {
			if key < from {
				return true, nil
			}
			var err error
			more, err = use(key, value)
			return more, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unsnap unpacks a block of Snappy's (github.com/google/snappy, format_description.txt). It is
// here because the libraries believe the length that stands at its beginning and make so much
// room; this one grows as it goes, and gives up where a block is said to be larger than its
// bytes can make: three bytes give 64.
func unsnap(b []byte) ([]byte, bool) {
	var size uint64
	b, ok := uvarints(b, &size)
	if !ok || size > 22*uint64(len(b))+64 {
		return nil, false
	}
	var out []byte
	for len(b) > 0 {
		tag := b[0]
		n, from := int(tag>>2), 0
		switch tag & 3 {
		case 0: // bytes as they are
			skip := 1
			if n >= 60 {
				k := n - 59
				if len(b) < 1+k {
					return nil, false
				}
				n = 0
				for i := range k {
					n |= int(b[1+i]) << (8 * i)
				}
				skip += k
			}
			n++
			if n <= 0 || n > len(b)-skip || uint64(len(out)+n) > size {
				return nil, false
			}
			out = append(out, b[skip:skip+n]...)
			b = b[skip+n:]
			continue
		case 1:
			if len(b) < 2 {
				return nil, false
			}
			n, from = n&7+4, int(tag>>5)<<8|int(b[1])
			b = b[2:]
		case 2:
			if len(b) < 3 {
				return nil, false
			}
			n, from = n+1, int(binary.LittleEndian.Uint16(b[1:]))
			b = b[3:]
		case 3:
			if len(b) < 5 {
				return nil, false
			}
			n, from = n+1, int(binary.LittleEndian.Uint32(b[1:]))
			b = b[5:]
		}
		if from <= 0 || from > len(out) || uint64(len(out)+n) > size {
			return nil, false
		}
		for range n { // a copy may overlap itself
			out = append(out, out[len(out)-from])
		}
	}
	return out, uint64(len(out)) == size
}
