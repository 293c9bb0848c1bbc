package checkpoint

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"path"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Shards returns a file of a checkpoint by what follows its prefix: ".data-00000-of-00002".
type Shards func(suffix string) (tensor.File, bool)

// Open lists the tensors of a checkpoint: f is the index of one of version 2, or one of version 1. It
// reads the table's keys and no numbers. A shard that is missing costs its tensors, which
// say so.
func Open(f tensor.File, shards Shards) ([]tensor.Stored, []*tensor.Trouble, error) {
	t, err := openTable(f)
	if err == error(notTable) {
		if foreign(f) {
			return nil, nil, nil
		}
		return nil, nil, tensor.Wrong("damaged", f.Path(), "Copy it again, or wait until it is written.", "This is no checkpoint of TensorFlow's, or it is not whole.")
	}
	if err != nil {
		return nil, nil, err
	}
	c := &bundle{f: f, shards: shards, entries: map[string]entry{}, step: stepOf(f.Path()), order: binary.LittleEndian}
	first := true
	var v1 []tensor.Stored
	var names []string
	err = t.each("", func(key string, value []byte) (bool, error) {
		if first {
			first = false
			if key == "" && strings.HasSuffix(f.Path(), ".index") {
				return true, c.header(value)
			}
			v1, err = openV1(t, key, value, c.step)
			return false, err
		}
		e, ok := readEntry(value)
		if !ok {
			return false, tensor.Damaged(f.Path(), "What it says of %q cannot be understood.", short(key))
		}
		c.entries[key] = e
		if !strings.HasPrefix(key, "\x00") {
			names = append(names, key)
		}
		return true, nil
	})
	if err != nil {
		return nil, nil, err
	}
	if !strings.HasSuffix(f.Path(), ".index") {
		return v1, nil, nil
	}
	friendly, problems := c.objects()
	var list []tensor.Stored
	for _, key := range names {
		e := c.entries[key]
		if key == objectGraph {
			continue
		}
		v := &variable{c: c, key: key, entry: e, info: tensor.Info{Key: strings.TrimSuffix(key, attribute), DType: e.dtype, Shape: e.shape, Bytes: e.size, Step: c.step}}
		v.info.Name = v.info.Key
		if n := friendly[key]; n != "" {
			v.info.Name = n
		}
		if e.slices != nil {
			n, _ := tensor.Elements(e.shape)
			v.info.Bytes = n * e.dtype.Size()
		} else if n, _ := tensor.Elements(e.shape); e.dtype.Size() > 0 && n != e.size/e.dtype.Size() {
			v.info.Wrong = tensor.Damaged(f.Path(), "%q has %d numbers in %d bytes.", short(v.info.Name), n, e.size)
		}
		if v.info.Wrong == nil {
			_, v.info.Wrong = c.shard(e.shard)
		}
		list = append(list, v)
	}
	return list, problems, nil
}

// foreign reports whether a file is something else altogether that only has such a name.
func foreign(f tensor.File) bool {
	b, err := f.Read(0, min(f.Size(), 8))
	if err != nil || strings.HasSuffix(f.Path(), ".index") {
		return err == nil && f.Size() > 0 && len(b) > 0 && b[0] != 0
	}
	for _, begin := range []string{"PK", "\x80", "\x89HDF"} {
		if bytes.HasPrefix(b, []byte(begin)) {
			return true
		}
	}
	return false
}

// stepOf is the number that a checkpoint's prefix ends in, -1 if there is none.
func stepOf(p string) int64 {
	name := strings.TrimSuffix(path.Base(p), ".index")
	if i := strings.Index(name, "-of-"); i > 6 { // a shard of version 1: model.ckpt-7-00000-of-00002
		name = strings.TrimRight(name[:i], "0123456789")
		name = strings.TrimSuffix(name, "-")
	}
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		if n, err := strconv.ParseInt(name[i+1:], 10, 64); err == nil && n >= 0 {
			return n
		}
	}
	return -1
}

func short(s string) string {
	if r := []rune(s); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return s
}

// bundle is a checkpoint of version 2.
type bundle struct {
	f       tensor.File
	shards  Shards
	count   uint64 // of shards
	order   binary.ByteOrder
	entries map[string]entry
	step    int64
}

// header reads a BundleHeaderProto: num_shards 1, endianness 2.
func (c *bundle) header(b []byte) error {
	ok := fields(b, func(n protowire.Number, v uint64, _ []byte) bool {
		switch n {
		case 1:
			c.count = v
		case 2:
			if v == 1 {
				c.order = binary.BigEndian
			}
		}
		return true
	})
	if !ok || c.count == 0 || c.count > 99999 {
		return tensor.Damaged(c.f.Path(), "Its header is damaged.")
	}
	return nil
}

// shard returns a shard's file.
func (c *bundle) shard(n uint64) (tensor.File, *tensor.Trouble) {
	suffix := fmt.Sprintf(".data-%05d-of-%05d", n, c.count)
	f, ok := c.shards(suffix)
	if !ok {
		return nil, tensor.Wrong("missing", strings.TrimSuffix(c.f.Path(), ".index")+suffix, "Copy it beside the index, or wait until it is written.", "This part of the checkpoint is not there.")
	}
	return f, nil
}

// entry is a BundleEntryProto: dtype 1, shape 2, shard_id 3, offset 4, size 5, crc32c 6, slices 7.
type entry struct {
	dtype        tensor.DType
	shape        []int64
	shard        uint64
	offset, size int64
	crc          uint32
	slices       [][]extent
}

func readEntry(b []byte) (e entry, ok bool) {
	ok = fields(b, func(n protowire.Number, v uint64, b []byte) bool {
		fine := true
		switch n {
		case 1:
			e.dtype = dtype(v)
		case 2:
			e.shape, fine = shape(b)
		case 3:
			e.shard = v
		case 4:
			e.offset = int64(v)
		case 5:
			e.size = int64(v)
		case 6:
			e.crc = uint32(v)
		case 7:
			var s []extent
			s, fine = slice(b)
			e.slices = append(e.slices, s)
		}
		return fine
	})
	return e, ok && e.offset >= 0 && e.size >= 0
}

// variable is a tensor of a bundle.
type variable struct {
	c     *bundle
	key   string
	entry entry
	info  tensor.Info
}

// Info implements tensor.Stored.
func (v *variable) Info() tensor.Info { return v.info }

// Load implements tensor.Stored. Whole tensors are held against their checksum.
func (v *variable) Load(rows int64, turn func(read, of int64) error) ([]float32, []*tensor.Trouble, error) {
	all, dims := v.info.Points()
	if rows < 0 || rows > all {
		rows = all
	}
	if v.info.Wrong != nil {
		return nil, nil, v.info.Wrong
	}
	if v.entry.dtype.Size() == 0 {
		return nil, nil, tensor.Wrong("unsupported", v.c.f.Path(), "", "Tensors of the type %s are no points.", v.entry.dtype)
	}
	if v.entry.slices == nil {
		out, problem, err := v.c.numbers(v.entry, rows*dims, v.info.Name, 0, rows*dims*v.entry.dtype.Size(), turn)
		return out, problem, err
	}
	return assemble(v.c.f.Path(), v.info, rows, v.entry.slices, func(s []extent, read, of int64) ([]float32, []*tensor.Trouble, error) {
		e, ok := v.c.entries[sliceKey(v.key, s)]
		if !ok {
			return nil, nil, tensor.Wrong("missing", v.c.f.Path(), "", "A part of %q is not in the checkpoint.", short(v.info.Name))
		}
		n, ok := tensor.Elements(e.shape)
		if !ok || e.dtype.Size() == 0 || n != e.size/e.dtype.Size() {
			return nil, nil, tensor.Damaged(v.c.f.Path(), "A part of %q is damaged.", short(v.info.Name))
		}
		return v.c.numbers(e, n, v.info.Name, read, of, turn)
	})
}

// numbers reads the first numbers of an entry.
func (c *bundle) numbers(e entry, count int64, name string, before, of int64, turn func(read, of int64) error) ([]float32, []*tensor.Trouble, error) {
	f, wrong := c.shard(e.shard)
	if wrong != nil {
		return nil, nil, wrong
	}
	size := count * e.dtype.Size()
	if e.offset > f.Size() || size > f.Size()-e.offset || count < 0 || size > e.size {
		return nil, nil, tensor.Wrong("torn", f.Path(), "Copy it again, or wait until it is written.", "%q ends beyond the file's end.", short(name))
	}
	// Windows are multiples of 8 bytes, so no number is cut.
	var out []float32
	sum, read := uint32(0), int64(0)
	if size <= tensor.Window {
		out = make([]float32, 0, count)
	}
	var rest []byte
	err := tensor.ReadAll(f, e.offset, size, func(b []byte) error {
		sum = crc32.Update(sum, castagnoli, b)
		read += int64(len(b))
		if len(rest) > 0 { // an answer shorter than was asked for
			b = append(rest, b...)
		}
		whole := int64(len(b)) / e.dtype.Size() * e.dtype.Size()
		out = e.dtype.Decode(out, b[:whole], c.order)
		rest = append([]byte(nil), b[whole:]...)
		return turn(before+read, of)
	})
	if err != nil {
		return nil, nil, err
	}
	var problems []*tensor.Trouble
	if size == e.size && unmask(e.crc) != sum {
		problems = append(problems, tensor.Damaged(f.Path(), "%q has another checksum than it was written with.", short(name)))
	}
	return out, problems, nil
}

// assemble puts the slices of a partitioned variable together, as far as they reach into the first rows.
func assemble(path string, info tensor.Info, rows int64, parts [][]extent, read func(s []extent, before, of int64) ([]float32, []*tensor.Trouble, error)) ([]float32, []*tensor.Trouble, error) {
	_, dims := info.Points()
	damaged := tensor.Damaged(path, "The parts of %q do not make a whole.", short(info.Name))
	var all []*tensor.Trouble
	// Room is made as parts come, in their order along the first dimension.
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b []extent) int {
		if len(a) == 0 || len(b) == 0 {
			return 0
		}
		return int(min(1, max(-1, a[0].start-b[0].start)))
	})
	var out []float32
	filled, before, of := int64(0), int64(0), info.Bytes
	for _, s := range parts {
		if len(s) != len(info.Shape) {
			return nil, nil, damaged
		}
		n, starts, lengths := int64(1), make([]int64, len(s)), make([]int64, len(s))
		for i, e := range s {
			starts[i], lengths[i] = e.start, e.length
			if e.length < 0 {
				lengths[i] = info.Shape[i]
			}
			if starts[i] < 0 || starts[i] > info.Shape[i] || lengths[i] > info.Shape[i]-starts[i] {
				return nil, nil, damaged
			}
			n *= lengths[i]
		}
		if len(s) > 0 && starts[0] >= rows || n == 0 {
			continue
		}
		values, problems, err := read(s, before, of)
		if err != nil {
			return nil, nil, err
		}
		if int64(len(values)) != n {
			return nil, nil, damaged
		}
		all = append(all, problems...)
		before += n * info.DType.Size()
		// Row by row of the last dimension.
		last := len(s) - 1
		if last < 0 {
			return values, all, nil
		}
		index := make([]int64, len(s))
		for at := int64(0); at < n; at += lengths[last] {
			to := int64(0)
			for i := range s {
				to = to*info.Shape[i] + starts[i] + index[i]
			}
			if starts[0]+index[0] >= rows {
				break
			}
			stop := to + lengths[last]
			if last == 0 {
				stop = min(stop, rows)
			}
			if stop > int64(len(out)) {
				if stop > int64(cap(out)) && filled+n < stop/64-1024 { // holes of which nothing was read
					return nil, nil, damaged
				}
				out = append(out, make([]float32, stop-int64(len(out)))...)
			}
			copy(out[to:stop], values[at:])
			filled += stop - to
			for i := last - 1; i >= 0; i-- {
				if index[i]++; index[i] < lengths[i] {
					break
				}
				index[i] = 0
			}
		}
	}
	if filled != rows*dims || int64(len(out)) != rows*dims {
		return nil, nil, damaged
	}
	return out, all, nil
}
