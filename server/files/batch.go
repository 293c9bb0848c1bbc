package files

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"iter"
	"mime"
	"net/http"
	"os"
	"sync"

	"github.com/andybalholm/brotli"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// copyBuffer is how many bytes of a batch are in memory at a time, per request,
// and the size of a write to the network. Small files are gathered up to it.
const copyBuffer = 256 << 10

var copyBuffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, copyBuffer) }}

// packer compresses an answer.
type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// coding is a content coding of a batch's answer.
type coding struct {
	name    string // as in Accept-Encoding
	packers sync.Pool
}

// codings are those that a batch knows, the better ones first. Browsers take brotli on
// secure ways and from the machine itself, where a forwarded port ends, and gzip
// always. Both are set to be quick; docs/BENCH.md has what they make of event files.
var codings = []*coding{
	{"br", sync.Pool{New: func() any { return brotli.NewWriterV2(nil, 1) }}},
	{"gzip", sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // an error is for levels that do not exist
		return z
	}}},
}

// maxPackers is how many answers are compressed at a time. A coding takes some 2 MB for as
// long as the client takes to read; those beyond get their answers as they are.
const maxPackers = 32

var packersFree = make(chan struct{}, maxPackers)

// packing returns the best coding that the client takes, nil for none.
func packing(r *http.Request) *coding {
	for _, c := range codings {
		if answer.Accepts(r, c.name) {
			return c
		}
	}
	return nil
}

// batch answers an api batch request. With ?z=1 the answer is compressed in a way that
// the client takes; who asks knows whether the line is slow enough to be worth the
// server's time.
func (s *Store) batch(w http.ResponseWriter, r *http.Request) {
	// A form of another site can send text/plain without asking first, but not
	// JSON. The Origin check stands before this one.
	if t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); t != "application/json" {
		answer.Fail(w, http.StatusUnsupportedMediaType, "a batch request is JSON", "set Content-Type: application/json")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxBatchRequest))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		answer.Fail(w, http.StatusRequestEntityTooLarge, "the batch request is too long", "ask for fewer ranges at a time")
		return
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		answer.Fail(w, http.StatusRequestTimeout, "the batch request came too slowly", "ask for fewer ranges at a time")
		return
	}
	if err != nil {
		return // the client went away
	}
	ranges, err := api.ParseBatchRequest(body)
	if err != nil {
		answer.Fail(w, http.StatusBadRequest, "the batch request cannot be read", err.Error())
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment")
	h.Set("Cache-Control", "no-store")
	var out io.Writer = w
	var z packer
	if r.URL.Query().Get("z") == "1" {
		c := packing(r)
		if c != nil {
			select {
			case packersFree <- struct{}{}:
				defer func() { <-packersFree }()
			default:
				c = nil
			}
		}
		if c != nil {
			h.Set("Content-Encoding", c.name)
			z = c.packers.Get().(packer)
			defer c.packers.Put(z)
			z.Reset(w)
			defer z.Reset(nil)
			out = z
		}
	}
	buf := copyBuffers.Get().(*bufio.Writer)
	defer copyBuffers.Put(buf)
	// Only Write is passed on: the ReadFrom of an answer without a length copies
	// in small pieces.
	buf.Reset(struct{ io.Writer }{out})
	defer buf.Reset(nil)
	for p := range s.pieces(r.Context(), ranges) {
		if err = p.send(r.Context(), buf); err != nil {
			break
		}
	}
	if err == nil {
		err = buf.Flush()
	}
	if err == nil && z != nil {
		err = z.Close()
	}
	if err != nil {
		// The header of this range is out and promised more. Only a broken
		// connection tells the client not to believe it. The ranges before it
		// are whole, so they are let out.
		buf.Flush()
		panic(http.ErrAbortHandler)
	}
}

// piece is a range of a batch whose file is open.
type piece struct {
	api.Range
	f    *File // nil: it cannot be read
	n    int64 // bytes of the range that the file has
	data []byte
}

// Of objects of a store, which is waited for, some ranges are read ahead of their turn:
// small ones whole, of the others what is on the way.
const (
	readAhead = 8
	smallRead = 512 << 10 // bytes
)

// pieces opens the files of ranges, in order.
func (s *Store) pieces(ctx context.Context, ranges []api.Range) iter.Seq[*piece] {
	return func(yield func(*piece) bool) {
		if !s.Remote() {
			for _, g := range ranges {
				if !s.piece(ctx, g).handed(yield) {
					return
				}
			}
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		coming := make(chan chan *piece, readAhead)
		go func() {
			defer close(coming)
			for _, g := range ranges {
				one := make(chan *piece, 1)
				select {
				case coming <- one:
				case <-ctx.Done():
					return
				}
				go func() { one <- s.piece(ctx, g).ahead() }()
			}
		}()
		more := true
		for one := range coming {
			if p := <-one; !more {
				p.close()
			} else if more = p.handed(yield); !more {
				cancel()
			}
		}
	}
}

func (s *Store) piece(ctx context.Context, g api.Range) *piece {
	f, err := s.Open(ctx, g.Path)
	if err != nil {
		return &piece{Range: g}
	}
	return &piece{Range: g, f: f, n: max(0, min(g.Length, f.size-g.Offset))}
}

// ahead begins to read an object. One that cannot be read is none.
func (p *piece) ahead() *piece {
	if p.f == nil || p.f.object == nil || p.n == 0 {
		return p
	}
	err := p.f.object.begin(p.Offset, p.Offset+p.n)
	if err == nil && p.n <= smallRead {
		p.data = make([]byte, p.n) // the listing's size, and no more than that
		_, err = p.f.ReadAt(p.data, p.Offset)
	}
	if err != nil {
		p.close()
		p.f = nil
	}
	return p
}

func (p *piece) handed(yield func(*piece) bool) bool {
	defer p.close()
	return yield(p)
}

func (p *piece) close() {
	if p.f != nil {
		p.f.Close()
	}
}

// send writes a range with its header. An error means that the answer can not be
// continued.
func (p *piece) send(ctx context.Context, w *bufio.Writer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.f == nil {
		_, err := w.Write(api.BatchHeader{Count: -1, Size: -1}.Append(nil))
		return err
	}
	if _, err := w.Write(api.BatchHeader{Count: p.n, Size: p.f.size, Version: p.f.version}.Append(nil)); err != nil {
		return err
	}
	if p.data != nil {
		_, err := w.Write(p.data)
		return err
	}
	sent, err := w.ReadFrom(io.NewSectionReader(p.f, p.Offset, p.n))
	if err == nil && sent < p.n {
		err = io.ErrUnexpectedEOF // it shrank
	}
	return err
}
