package api

import (
	"encoding/binary"
	"strconv"
)

// A batch asks for ranges of many files in one request, because a request per
// file costs a browser about 1 ms and a connection, and a logdir has thousands
// of small files. It is a POST of JSON:
//
//	{"ranges":[{"path":"a/events…","offset":0,"length":65536}, …]}
//
// The answer holds, for every range in the order asked, a header of
// BatchHeaderSize bytes and then the bytes themselves:
//
//	8 bytes  int64 LE  number of bytes that follow, or -1 when the file could
//	                   not be read
//	8 bytes  int64 LE  size of the file now, in bytes, or -1 likewise
//	8 bytes  uint64 LE the file's version, see VersionText; 0 when unknown
//
// Fewer bytes than asked mean that the file ends there: the number follows from
// the range and the size. With ?z=1 behind the address the answer is compressed by
// one of the codings that the request's Accept-Encoding names (br, gzip); who asks
// knows whether the line is slow. A server may ignore it. An answer that ends
// early (a file shrank while it was sent) is complete up to its last whole
// range; ask for the rest again.
const (
	// BatchHeaderSize is the number of bytes before each range.
	BatchHeaderSize = 24
	// MaxBatchRanges is how many ranges one request may name. It bounds what a
	// request makes the server hold: some 2 MB.
	MaxBatchRanges = 10_000
	// MaxBatchRequest is how long a request's body may be, in bytes: the most
	// ranges with paths of some 800 bytes.
	MaxBatchRequest = 8 << 20
)

// Range is a stretch of a listed file.
type Range struct {
	Path   string
	Offset int64 // bytes from the file's start, not negative
	Length int64 // bytes, not negative
}

// AppendBatchRequest appends the body of a batch request.
func AppendBatchRequest(dst []byte, ranges []Range) []byte {
	dst = append(dst, `{"ranges":[`...)
	for i, r := range ranges {
		dst = appendField(between(dst, i), `{"path":`, r.Path)
		dst = strconv.AppendInt(append(dst, `,"offset":`...), r.Offset, 10)
		dst = strconv.AppendInt(append(dst, `,"length":`...), r.Length, 10)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// BatchError says what is wrong with a batch request.
type BatchError struct {
	Index int // of the range, from 0
	What  string
}

// Error names the range and the remedy.
func (e *BatchError) Error() string {
	return "range " + strconv.Itoa(e.Index) + " of the batch: " + e.What
}

// ParseBatchRequest reads the body of a batch request. The error is a
// *SyntaxError or a *BatchError.
func ParseBatchRequest(data []byte) ([]Range, error) {
	p := scan(data)
	var ranges []Range
	var bad *BatchError
	p.object(func(key string) {
		if key != "ranges" {
			p.skip(0)
			return
		}
		p.array(func() {
			var r Range
			p.object(func(key string) {
				switch key {
				case "path":
					r.Path = p.str()
				case "offset":
					r.Offset = p.integer()
				case "length":
					r.Length = p.integer()
				default:
					p.skip(0)
				}
			})
			switch {
			case p.err != nil || bad != nil:
			case len(ranges) == MaxBatchRanges:
				bad = &BatchError{len(ranges), "ask for at most " + strconv.Itoa(MaxBatchRanges) + " ranges at a time"}
			case r.Offset < 0 || r.Length < 0:
				bad = &BatchError{len(ranges), "offset and length must not be negative"}
			default:
				ranges = append(ranges, r)
			}
		})
	})
	p.end("batch request", `ask with {"ranges":[{"path":…,"offset":…,"length":…}, …]}`)
	if p.err != nil {
		return nil, p.err
	}
	if bad != nil {
		return nil, bad
	}
	return ranges, nil
}

// BatchHeader stands before each range of a batch's answer.
type BatchHeader struct {
	Count int64 // bytes that follow; -1 when the file could not be read
	Size  int64 // of the file now, in bytes; -1 when unknown
	// Version is the file's version now, see VersionText; 0 when unknown. Ranges of
	// different versions must not be taken for parts of one file.
	Version uint64
}

// VersionText returns the version that a batch header holds as it stands in the listing
// and, in quotes, in the file's ETag; "" for 0.
func VersionText(v uint64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatUint(v, 36)
}

// Append appends h's BatchHeaderSize bytes.
func (h BatchHeader) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.Count))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.Size))
	return binary.LittleEndian.AppendUint64(dst, h.Version)
}

// CutBatchHeader reads a header from the start of b. ok is false when b is
// shorter than that. The Count is not checked against b: the bytes may still be
// on their way.
func CutBatchHeader(b []byte) (h BatchHeader, rest []byte, ok bool) {
	if len(b) < BatchHeaderSize {
		return h, b, false
	}
	h.Count = int64(binary.LittleEndian.Uint64(b))
	h.Size = int64(binary.LittleEndian.Uint64(b[8:]))
	h.Version = binary.LittleEndian.Uint64(b[16:])
	return h, b[BatchHeaderSize:], true
}

// Answers reports whether h can stand before the answer to r. Bytes that a proxy has
// spoiled, or has forgotten to unpack, are no header that fits.
func (h BatchHeader) Answers(r Range) bool {
	if h.Count < 0 || h.Size < 0 {
		return h == BatchHeader{-1, -1, 0}
	}
	return h.Count == max(0, min(r.Length, h.Size-r.Offset))
}
