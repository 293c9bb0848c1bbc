// Package digest is what was read of many event files in one file beside them, so that who opens
// the logdir reads that instead: of an archive of finished runs a few kilobytes for each.
//
//	entries, one after the other: see reader.Entry
//	index: Index, packed
//	footer of 32 bytes: offset and length of the index, its CRC-32C, 0, "TBDIGEST"; numbers are
//	little-endian, of 8, 8, 4 and 4 bytes
//
// An entry is believed as far as those of a cache are, and less: it may be thinner than a reader
// could keep, and that it is of the file its samples must say, whatever times and versions say.
package digest

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Dir is the directory, below that of the logs, in which digests stand, and Suffix the end of
// their names. Every such file is one.
const (
	Dir    = ".tensorboard"
	Suffix = ".tbdigest"
)

// Is reports whether a listed file is a digest, and where the logs are that it is about: a prefix
// of their paths.
func Is(path string) (prefix string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 || !strings.HasSuffix(path, Suffix) {
		return "", false
	}
	prefix, ok = strings.CutSuffix(path[:i], Dir)
	return prefix, ok && (prefix == "" || strings.HasSuffix(prefix, "/"))
}

// Footer is how many bytes the footer has.
const Footer = 32

const magic = "TBDIGEST"

// maxIndex bounds the bytes of an index: some two million files.
const maxIndex = 256 << 20

// ErrDigest says that a file is no digest, or a damaged one.
var ErrDigest = errors.New("digest: the file is damaged, or no digest: write it anew with tensorbored-static index")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Item is what a digest has of a file.
type Item struct {
	Path    string // relative to the directory of the logs
	Size    int64  // of the file when it was read …
	MTime   int64  // … and its time and version, as wire.File's
	Version string
	Offset  int64 // of the entry
	Length  int64
}

// Index is all of them, sorted by path.
type Index []Item

// Fields implements wire.Message.
func (x *Index) Fields(p *wire.Packing) {
	wire.List(p, x, func(i *Item) {
		p.Text(&i.Path)
		p.Int64(&i.Size)
		p.Int64(&i.MTime)
		p.Text(&i.Version)
		p.Int64(&i.Offset)
		p.Int64(&i.Length)
	})
}

// Place reads the footer of a digest of size bytes: where its index is.
func Place(footer []byte, size int64) (offset, length int64, sum uint32, err error) {
	if len(footer) != Footer || string(footer[24:]) != magic {
		return 0, 0, 0, ErrDigest
	}
	o, n := binary.LittleEndian.Uint64(footer), binary.LittleEndian.Uint64(footer[8:])
	if n > maxIndex || o > uint64(size) || o+n+Footer != uint64(size) {
		return 0, 0, 0, ErrDigest
	}
	return int64(o), int64(n), binary.LittleEndian.Uint32(footer[16:]), nil
}

// Parse reads an index that begins at offset, and whose checksum is sum.
func Parse(b []byte, offset int64, sum uint32) (Index, error) {
	var x Index
	if crc32.Checksum(b, castagnoli) != sum || wire.Unpack(b, &x) != nil {
		return nil, ErrDigest
	}
	for _, i := range x {
		if i.Offset < 0 || i.Length < 0 || i.Offset > offset-i.Length || i.Size < 0 {
			return nil, ErrDigest
		}
	}
	return x, nil
}

// Writer writes a digest.
type Writer struct {
	to    io.Writer
	at    int64
	index Index
}

// NewWriter begins to write one.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Add adds what there is of a file; Offset and Length are filled in.
func (w *Writer) Add(i Item, entry []byte) error {
	i.Offset, i.Length = w.at, int64(len(entry))
	n, err := w.to.Write(entry)
	w.at += int64(n)
	w.index = append(w.index, i)
	return err
}

// Close writes the index, in the order of Add. The writer below stays open.
func (w *Writer) Close() error {
	b := wire.Pack(&w.index)
	n := uint64(len(b))
	b = binary.LittleEndian.AppendUint64(b, uint64(w.at))
	b = binary.LittleEndian.AppendUint64(b, n)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[:n], castagnoli))
	b = append(binary.LittleEndian.AppendUint32(b, 0), magic...)
	_, err := w.to.Write(b)
	return err
}
