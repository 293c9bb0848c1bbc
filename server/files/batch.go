package files

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
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
	for _, g := range ranges {
		if err = s.sendRange(r.Context(), buf, g); err != nil {
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

// sendRange writes one range with its header. An error means that the answer can
// not be continued.
func (s *Store) sendRange(ctx context.Context, w *bufio.Writer, g api.Range) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, fi, err := s.Open(ctx, g.Path)
	if err != nil {
		_, err = w.Write(api.BatchHeader{Count: -1, Size: -1}.Append(nil))
		return err
	}
	defer f.Close()
	n := max(0, min(g.Length, fi.Size()-g.Offset))
	if _, err := w.Write(api.BatchHeader{Count: n, Size: fi.Size(), Version: version(fi)}.Append(nil)); err != nil {
		return err
	}
	sent, err := w.ReadFrom(io.NewSectionReader(f, g.Offset, n))
	if err == nil && sent < n {
		err = io.ErrUnexpectedEOF // it shrank
	}
	return err
}
