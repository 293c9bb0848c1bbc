package catalog

import (
	"context"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Window is the number of bytes that are read of a file at a time. Larger ones
// gain little (4 MiB to 16 MiB: 6 % in a browser) and make queries wait longer.
const Window = 8 << 20

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

// At returns the position of the next byte to read.
func (r *Reader) At() int64 { return r.File.Offset + int64(len(r.left)) }

// Length returns how many bytes to read from position at on, which may lie behind
// At when windows are asked for ahead. It is 0 at the end of the file.
func (r *Reader) Length(at int64) int64 {
	return max(0, min(max(int64(Window), r.want-int64(len(r.left))), r.Size-at))
}

// Wants reports whether the next window must be longer than usual, because a
// record is.
func (r *Reader) Wants() bool { return r.want-int64(len(r.left)) > Window }

// Resume forgets what was left over of the last window and returns where to read
// on: after a failure, windows that were asked for ahead are void.
func (r *Reader) Resume() int64 {
	r.left, r.want = nil, 0
	return r.At()
}

// Restart forgets everything that was read of the file.
func (r *Reader) Restart() {
	r.File.Restart()
	r.left, r.want = nil, 0
}

// Next returns the range to read next; false when the file has been read to its
// end.
func (r *Reader) Next() (source.Range, bool) {
	n := r.Length(r.At())
	return source.Range{Path: r.File.Path, Offset: r.At(), Length: n}, n > 0
}

// Take uses the bytes that were read of w, the last Next. What is left over is
// copied, so data may be reused. Fewer bytes than asked for mean that the file
// has shrunk. It reports whether the file's end has been reached.
func (r *Reader) Take(data []byte, w source.Range) (end bool) {
	at := w.Offset + int64(len(data))
	if int64(len(data)) < w.Length {
		r.Size = at
	}
	end = at >= r.Size
	// A record that two windows share is put together on its own: joining the
	// windows would copy every byte once more.
	for len(r.left) > 0 && len(data) > 0 {
		k := int(r.want) - len(r.left)
		if k <= 0 {
			k = joinBytes // looking for a record behind a destroyed length
		}
		k = min(k, len(data))
		r.left = append(r.left, data[:k]...)
		used := r.feed(r.left, end && k == len(data))
		if rest := len(r.left) - used; rest <= k && used > 0 && k < len(data) {
			// All of what is left over stands in data too: go on there.
			r.left, data = r.left[:0], data[k-rest:]
			break
		}
		data = data[k:]
		r.left = r.left[:copy(r.left, r.left[used:])]
	}
	if len(data) > 0 {
		used := r.feed(data, end)
		r.left = append(r.left[:0], data[used:]...)
	}
	if end {
		// What is left is a torn tail: it is read again when the file grows.
		r.left, r.want = nil, 0
		r.File.settle()
	}
	return end
}

// joinBytes is how much is put together at a time when the size of what is looked
// for is not known.
const joinBytes = 64 << 10

// feed gives b to the file and returns how much of it was used.
func (r *Reader) feed(b []byte, end bool) int {
	before := r.File.Offset
	r.want = int64(r.File.Feed(b, end))
	// At the end it may go back.
	return max(0, min(int(r.File.Offset-before), len(b)))
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
		for end := false; !end; {
			w, more := r.Next()
			if !more {
				break
			}
			results, err := dir.Read(ctx, []source.Range{w})
			if err != nil {
				return nil, fmt.Errorf("reading the logdir: %w", err)
			}
			var failed error
			for _, got := range results {
				if failed = got.Err; failed == nil {
					// A torn tail stays unread, so Next alone would never end.
					end = r.Take(got.Data, w)
				}
			}
			if failed != nil {
				f.Fail(failed.Error(), "what was read before is shown; it is tried again", e.Size-f.Offset)
				break
			}
		}
	}
	return l, nil
}
