package catalog

import (
	"context"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Window is the number of bytes that are read of a file at a time. Larger ones
// gain little (4 MiB to 16 MiB: 6 % in a browser) and make queries wait longer.
const Window = 4 << 20

// Reader reads one file to its present end, window by window.
//
// Each window is given to Feed together with what the last one left over. It is
// the one place where a record that is longer than a window makes the window
// longer, and there only as far as the file has bytes.
type Reader struct {
	File *File
	Size int64 // of the file, at the last look

	left []byte // bytes from File.Offset on that have been read and not used
	want int64  // bytes that the next window should have at least
}

// Next returns the range to read next; false when the file has been read to its
// end.
func (r *Reader) Next() (source.Range, bool) {
	at := r.File.Offset + int64(len(r.left))
	n := min(max(int64(Window), r.want-int64(len(r.left))), r.Size-at)
	if n <= 0 {
		return source.Range{}, false
	}
	return source.Range{Path: r.File.Path, Offset: at, Length: n}, true
}

// Take uses the bytes that were read for the last Next. What is left over is
// copied, so data may be reused.
func (r *Reader) Take(data []byte) {
	at := r.File.Offset + int64(len(r.left)) + int64(len(data))
	end := at >= r.Size
	b := data
	if len(r.left) > 0 {
		// Joining is cheap: what is left over is less than a record, save for
		// records longer than a window.
		r.left = append(r.left, data...)
		b = r.left
	}
	before := r.File.Offset
	r.want = int64(r.File.Feed(b, end))
	used := int(r.File.Offset - before)
	rest := b[min(used, len(b)):]
	if end {
		// What is left is a torn tail: it is read again when the file grows.
		r.left = nil
		return
	}
	r.left = append(r.left[:0], rest...)
}

// Load reads every event file that dir lists into c, one after the other. It is
// how native programs read; the browser's workers do the same with several reads
// in flight.
func (c *Catalog) Load(ctx context.Context, dir source.Logdir) (*api.Listing, error) {
	l, err := dir.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range l.Files {
		if e.Kind != api.Event {
			continue
		}
		run := c.Run(source.RunOf(e.Path))
		f := run.AddFile(e.Path)
		if !source.HasData(e.Path) {
			continue
		}
		r := Reader{File: f, Size: e.Size}
		for {
			w, more := r.Next()
			if !more {
				break
			}
			var failed error
			err := dir.Read(ctx, []source.Range{w}, func(_ int, got source.Result) {
				if failed = got.Err; failed != nil {
					return
				}
				if int64(len(got.Data)) < w.Length {
					r.Size = w.Offset + int64(len(got.Data)) // it shrank
				}
				r.Take(got.Data)
			})
			if err != nil {
				return nil, fmt.Errorf("reading the logdir: %w", err)
			}
			if failed != nil {
				f.Fail(failed.Error(), "what was read before is shown; it is tried again", e.Size-f.Offset)
				break
			}
		}
	}
	return l, nil
}
