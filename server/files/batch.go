package files

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync"

	"github.com/tensorbored/tensorbored-static/server/answer"
	"github.com/tensorbored/tensorbored-static/shared/api"
)

// copyBuffer is how many bytes of a batch are in memory at a time, per request.
// From 128 KiB on the copy is no longer what limits a browser on loopback.
const copyBuffer = 256 << 10

var copyBuffers = sync.Pool{New: func() any { return new([copyBuffer]byte) }}

// batch answers an api batch request. With ?z=1 the answer is compressed if the
// client takes gzip; who asks knows whether the way is long enough to be worth
// the server's time.
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
	if r.URL.Query().Get("z") == "1" && answer.Accepts(r, "gzip") {
		h.Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		defer z.Close()
		out = z
	}
	buf := copyBuffers.Get().(*[copyBuffer]byte)
	defer copyBuffers.Put(buf)
	for _, g := range ranges {
		if err := s.sendRange(r.Context(), out, g, buf[:]); err != nil {
			// The header of this range is out and promised more. Only a broken
			// connection tells the client not to believe it.
			panic(http.ErrAbortHandler)
		}
	}
}

// sendRange writes one range with its header. An error means that the answer can
// not be continued.
func (s *Store) sendRange(ctx context.Context, w io.Writer, g api.Range, buf []byte) error {
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
	in := io.NewSectionReader(f, g.Offset, n)
	// The header travels in the first write of the bytes: small files are the
	// common case, and each write is a chunk on the wire.
	head := api.BatchHeader{Count: n, Size: fi.Size()}.Append(buf[:0])
	at := len(head)
	for n > 0 || at > 0 {
		m, err := io.ReadFull(in, buf[at:min(int64(len(buf)), int64(at)+n)])
		if err != nil {
			return err // it shrank
		}
		if _, err := w.Write(buf[:at+m]); err != nil {
			return err
		}
		n -= int64(m)
		at = 0
	}
	return nil
}
