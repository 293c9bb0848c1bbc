// Package array reads arrays from files that hold little else: NumPy's .npy and .npz, safetensors,
// tables of numbers as text, and raw float32s.
package array

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// npyHead is what a .npy file says of its array (numpy/lib/format.py: magic, two bytes of version, the
// length of a header, and the header, a dictionary in Python's notation).
type npyHead struct {
	info    tensor.Info
	order   binary.ByteOrder
	fortran bool
	data    int64 // where the numbers begin
}

// longestHead bounds the header, in which NumPy itself wants no more than 10,000 characters.
const longestHead = 1 << 20

// NPY opens a .npy file. Its tensor has no name.
func NPY(f tensor.File) ([]tensor.Stored, error) {
	b, err := f.Read(0, min(f.Size(), 4096))
	if err != nil {
		return nil, err
	}
	h, more, err := parseNPY(f.Path(), b)
	if more > 0 && more <= f.Size() {
		if b, err = tensor.ReadFull(f, 0, more); err == nil {
			h, _, err = parseNPY(f.Path(), b)
		}
	}
	if err != nil {
		return nil, err
	}
	n, _ := tensor.Elements(h.info.Shape)
	if size := h.info.DType.Size(); size > 0 && n > (f.Size()-h.data)/size {
		return nil, tensor.Wrong("torn", f.Path(), "Copy it again, or wait until it is written.", "The array of %d numbers of %d bytes ends beyond the file's end.", n, size)
	}
	h.info.Bytes = n * h.info.DType.Size()
	return []tensor.Stored{&plain{f: f, head: h}}, nil
}

// parseNPY reads a header; more says that so many bytes of the file are needed.
func parseNPY(path string, b []byte) (h npyHead, more int64, err error) {
	damaged := func(format string, args ...any) error { return tensor.Damaged(path, format, args...) }
	if len(b) < 12 || string(b[:6]) != "\x93NUMPY" {
		return h, 0, damaged("This is no .npy file.")
	}
	n, at := int64(binary.LittleEndian.Uint16(b[8:])), int64(10)
	if b[6] > 1 {
		n, at = int64(binary.LittleEndian.Uint32(b[8:])), 12
	}
	if n > longestHead {
		return h, 0, damaged("Its header has %d bytes.", n)
	}
	h.data = at + n
	if int64(len(b)) < h.data {
		return h, h.data, tensor.Wrong("torn", path, "Copy it again, or wait until it is written.", "The file ends inside its header.")
	}
	text := string(bytes.TrimSpace(b[at:h.data]))
	field := func(name string) string {
		for _, quote := range []string{"'", `"`} {
			if _, rest, ok := strings.Cut(text, quote+name+quote); ok {
				return strings.TrimLeft(rest, ": \t")
			}
		}
		return ""
	}
	h.fortran = strings.HasPrefix(field("fortran_order"), "True")
	shape, _, ok := strings.Cut(strings.TrimPrefix(field("shape"), "("), ")")
	if !ok {
		return h, 0, damaged("Its header has no shape.")
	}
	for d := range strings.SplitSeq(shape, ",") {
		if d = strings.TrimRight(strings.TrimSpace(d), "L"); d == "" {
			continue
		}
		n, err := strconv.ParseInt(d, 10, 64)
		if err != nil || n < 0 || len(h.info.Shape) >= 64 {
			return h, 0, damaged("Its shape is (%s).", short(shape))
		}
		h.info.Shape = append(h.info.Shape, n)
	}
	if _, ok := tensor.Elements(h.info.Shape); !ok {
		return h, 0, damaged("Its shape is (%s).", short(shape))
	}
	h.info.Step = -1
	descr := field("descr")
	if len(descr) < 4 || descr[0] != '\'' && descr[0] != '"' {
		h.info.DType, h.order = "structured", binary.LittleEndian
		return h, 0, nil
	}
	descr = descr[1:max(1, 1+strings.IndexByte(descr[1:], descr[0]))]
	h.order = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		h.order = binary.BigEndian
	}
	kind := strings.TrimLeft(descr, "<>=|")
	h.info.DType = map[string]tensor.DType{"b1": "bool", "i1": "int8", "u1": "uint8", "i2": "int16", "u2": "uint16", "i4": "int32", "u4": "uint32", "i8": "int64", "u8": "uint64",
		"f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128", "O": "object"}[kind]
	if h.info.DType == "" {
		h.info.DType = tensor.DType(short(kind))
		if strings.HasPrefix(kind, "U") || strings.HasPrefix(kind, "S") {
			h.info.DType = "string"
		}
	}
	return h, 0, nil
}

func short(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// plain is an array whose numbers stand in a stretch of a file.
type plain struct {
	f    tensor.File
	head npyHead
}

// Info implements tensor.Stored.
func (p *plain) Info() tensor.Info { return p.head.info }

// Load implements tensor.Stored.
func (p *plain) Load(rows int64, turn func(read, of int64) error) ([]float32, []*tensor.Trouble, error) {
	size := p.head.info.DType.Size()
	want, bytes := amount(p.head, rows)
	if size == 0 || bytes > p.f.Size()-p.head.data {
		return nil, nil, tensor.Wrong("unsupported", p.f.Path(), "", "Tensors of the type %s are no points.", p.head.info.DType)
	}
	d := newDecoder(p.head, want)
	at := int64(0)
	err := tensor.ReadAll(p.f, p.head.data, bytes, func(b []byte) error {
		d.take(b)
		at += int64(len(b))
		return turn(at, bytes)
	})
	return d.out, nil, err
}

// amount is how many rows are read of an array, and how many bytes of it that takes: of one in
// Fortran's order, where a row is spread over the whole, all of them.
func amount(h npyHead, rows int64) (want, bytes int64) {
	all, dims := h.info.Points()
	want = all
	if rows >= 0 {
		want = min(rows, all)
	}
	bytes = want * dims * h.info.DType.Size()
	if h.fortran {
		bytes = all * dims * h.info.DType.Size()
	}
	return want, bytes
}

// decoder makes rows of the bytes of an array that come piece by piece, cut anywhere.
type decoder struct {
	head npyHead
	rows int64
	dims int64
	rest []byte // of a number that is not whole yet
	out  []float32
	// In Fortran's order: the next number's place.
	index  []int64
	stride []int64
	piece  []float32
}

// newDecoder makes one for so many rows. What out grows to is bounded by what comes, but for an
// array in Fortran's order, whose size its file has been held against.
func newDecoder(h npyHead, rows int64) *decoder {
	_, dims := h.info.Points()
	d := &decoder{head: h, rows: rows, dims: dims}
	if h.fortran && len(h.info.Shape) > 1 {
		d.index, d.stride = make([]int64, len(h.info.Shape)), make([]int64, len(h.info.Shape))
		for i, n := len(d.stride)-1, int64(1); i >= 0; i-- {
			d.stride[i] = n
			n *= h.info.Shape[i]
		}
	}
	return d
}

func (d *decoder) take(b []byte) {
	size := int(d.head.info.DType.Size())
	if len(d.rest) > 0 {
		n := min(size-len(d.rest), len(b))
		d.rest = append(d.rest, b[:n]...)
		b = b[n:]
		if len(d.rest) < size {
			return
		}
		d.put(d.rest)
		d.rest = d.rest[:0]
	}
	whole := len(b) / size * size
	d.put(b[:whole])
	d.rest = append(d.rest, b[whole:]...)
}

func (d *decoder) put(b []byte) {
	if d.index == nil {
		if d.out == nil {
			if size := int(d.head.info.DType.Size()); len(b) >= tensor.Window/2 || int64(len(b)) >= d.rows*d.dims*int64(size) {
				d.out = make([]float32, 0, len(b)/size)
			}
		}
		d.out = d.head.info.DType.Decode(d.out, b, d.head.order)
		return
	}
	if d.out == nil {
		d.out = make([]float32, d.rows*d.dims)
	}
	d.piece = d.head.info.DType.Decode(d.piece[:0], b, d.head.order)
	for _, x := range d.piece {
		if d.index[0] < d.rows {
			at := int64(0)
			for i, k := range d.index {
				at += k * d.stride[i]
			}
			d.out[at] = x
		}
		for i := range d.index {
			if d.index[i]++; d.index[i] < d.head.info.Shape[i] {
				break
			}
			d.index[i] = 0
		}
	}
}

// Raw is a file of float32s, little-endian, of a shape that somebody states.
func Raw(f tensor.File, shape []int64) (tensor.Stored, error) {
	n, ok := tensor.Elements(shape)
	if !ok || len(shape) == 0 {
		return nil, tensor.Wrong("shape", f.Path(), "State tensor_shape in the config: the number of points and of dimensions.", "It holds bare numbers, of which no shape is known.")
	}
	if n > f.Size()/4 || n < f.Size()/4 {
		return nil, tensor.Wrong("shape", f.Path(), "Correct tensor_shape in the config.", "The config states %s, and the file has %d numbers.", shapeText(shape), f.Size()/4)
	}
	return &plain{f: f, head: npyHead{info: tensor.Info{DType: "float32", Shape: shape, Bytes: f.Size(), Step: -1}, order: binary.LittleEndian}}, nil
}

func shapeText(shape []int64) string {
	var parts []string
	for _, d := range shape {
		parts = append(parts, fmt.Sprint(d))
	}
	return strings.Join(parts, " × ")
}
