// Package folder reads a folder that the user dropped or picked. The page walks
// it (see Walker) and hands each file to a worker, which reads it (see Files).
package folder

import (
	"context"
	"iter"
	"slices"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Files reads files that the page handed over, in a worker.
//
// Their bytes come as a stream that is read into our own buffers (tbFile in
// static/body.js), and a file that is read window by window is one stream. Measured in
// Chromium, two workers, 1.1 GB in files of 11 MB: 1.2 s of processor time and 60 MB of
// memory, and 1.5 s where each window of 8 MiB is a stream of its own. FileReaderSync
// takes 2.2 s and leaves 900 MB lying that only a collector finds, which seldom runs in
// a worker that computes.
type Files struct {
	files  map[string]js.Value // File by path
	reader js.Value            // FileReaderSync, which says what is wrong with a file
	open   []*stream           // the oldest first
	buf    []byte
}

// stream is a file that is being read from its place at on.
type stream struct {
	path    string
	at, end int64
	js      js.Value // of tbFile
}

// mostOpen is how many streams are kept for the windows that follow. Each has some
// megabytes under way.
const mostOpen = 4

// NewFiles returns Files that holds none.
func NewFiles() *Files {
	return &Files{files: make(map[string]js.Value), reader: js.Global().Get("FileReaderSync").New()}
}

// Set hands over the file at path, or its newest snapshot: a File is what the
// file was when it was taken.
func (f *Files) Set(path string, file js.Value) {
	f.files[path] = file
	f.open = slices.DeleteFunc(f.open, func(s *stream) bool {
		if s.path == path {
			js.Global().Call("tbLeave", s.js)
		}
		return s.path == path
	})
}

// stream returns the stream that stands where r begins, and moves it behind r.
func (f *Files) stream(file js.Value, r source.Range) js.Value {
	i := slices.IndexFunc(f.open, func(s *stream) bool { return s.path == r.Path && s.at == r.Offset })
	if i < 0 {
		blob := file
		if r.Offset > 0 {
			blob = file.Call("slice", r.Offset)
		}
		f.open = append(f.open, &stream{r.Path, r.Offset, int64(file.Get("size").Float()), js.Global().Call("tbFile", blob)})
		i = len(f.open) - 1
	}
	s := f.open[i]
	if s.at += r.Length; s.at >= s.end {
		f.open = slices.Delete(f.open, i, i+1)
	} else if len(f.open) > mostOpen {
		js.Global().Call("tbLeave", f.open[0].js) // nobody has gone on with it for long
		f.open = f.open[1:]
	}
	return s.js
}

// List implements source.Logdir: the files that were handed over.
func (f *Files) List(context.Context) (*api.Listing, error) {
	l := &api.Listing{}
	for path, file := range f.files {
		l.Files = append(l.Files, api.File{Path: path, Size: size(file), MTime: changed(file), Kind: api.Event})
	}
	return l, nil
}

// Read implements source.Logdir.
func (f *Files) Read(ctx context.Context, ranges []source.Range) (iter.Seq2[int, source.Result], error) {
	var groups []body
	for i := 0; i < len(ranges); {
		if err := ctx.Err(); err != nil {
			for _, g := range groups {
				g.done()
			}
			return nil, err
		}
		n := group(ranges[i:])
		groups = append(groups, f.body(ranges[i:i+n]))
		i += n
	}
	return func(yield func(int, source.Result) bool) {
		defer func() {
			for _, g := range groups {
				g.done()
			}
		}()
		i := 0
		for len(groups) > 0 {
			g := groups[0]
			at := 0
			for k := range g.ranges {
				r := ranges[i]
				var res source.Result
				if g.whole {
					n := int(g.parts[k])
					res = source.Result{Size: g.sizes[k], Data: f.take(g.bytes, at, n)}
					at += n
				} else {
					res = f.read(r) // each on its own, to know which it is
				}
				if !yield(i, res) {
					return
				}
				i++
			}
			g.done()
			groups = groups[1:]
		}
	}, nil
}

// body is the bytes of ranges that were read together, one behind the other.
type body struct {
	ranges int
	bytes  js.Value // Uint8Array
	n      int      // bytes of it that are the body
	whole  bool     // it is what was asked for
	parts  []int64  // how many bytes each range has
	sizes  []int64  // of their files, as they were then
}

// done gives the memory back.
func (b *body) done() {
	if b.bytes.Truthy() {
		js.Global().Call("tbDone", b.bytes)
	}
}

// body reads ranges, which stand in one group.
func (f *Files) body(ranges []source.Range) body {
	b := body{ranges: len(ranges)}
	total := int64(0)
	for _, r := range ranges {
		file, ok := f.files[r.Path]
		if !ok {
			return b
		}
		n := part(file, r)
		b.parts, b.sizes = append(b.parts, n), append(b.sizes, size(file))
		total += n
	}
	var from js.Value
	if len(ranges) == 1 && total > shortRange {
		from = f.stream(f.files[ranges[0].Path], ranges[0])
	} else if total == 0 {
		b.whole = true // nothing to read, and a stream of nothing would be a buffer more
		return b
	} else {
		parts := make([]any, len(ranges))
		for i, r := range ranges {
			parts[i] = f.files[r.Path]
			if r.Offset > 0 || b.parts[i] < b.sizes[i] { // a slice is one more to register with the browser
				parts[i] = f.files[r.Path].Call("slice", r.Offset, r.Offset+r.Length)
			}
		}
		from = js.Global().Call("tbFile", js.Global().Get("Blob").New(parts))
	}
	v, err := bridge.AwaitCall(js.Global(), "tbNext", from, total)
	if err != nil {
		return b
	}
	b.bytes, b.n = v.Get("buffer"), v.Get("n").Int()
	b.whole = int64(b.n) == total // of several nobody could tell which is the shorter one
	return b
}

// size returns a File's size in bytes.
func size(file js.Value) int64 { return int64(file.Get("size").Float()) }

// part returns how many bytes of a range its file has.
func part(file js.Value, r source.Range) int64 { return max(0, min(r.Length, size(file)-r.Offset)) }

// A read costs a millisecond or more, however short it is, since the browser asks
// another process for it. Short ranges are therefore read together, as one Blob made
// of slices: 10 000 small files or 2600 windows of a preview in a fraction of the
// time.
const (
	shortRange = 128 << 10 // bytes
	groupBytes = 2 << 20
	groupMost  = 256 // ranges
)

// group returns how many of the first ranges are read together.
func group(ranges []source.Range) int {
	n, total := 0, int64(0)
	for n < len(ranges) && n < groupMost && ranges[n].Length <= shortRange && total < groupBytes {
		total += ranges[n].Length
		n++
	}
	return max(n, 1)
}

// take copies n bytes of an Uint8Array into the buffer that is used again.
func (f *Files) take(array js.Value, offset, n int) []byte {
	if n == 0 {
		return nil
	}
	if cap(f.buf) < n {
		f.buf = make([]byte, n)
	}
	b := f.buf[:n]
	bridge.Copy(b, array.Get("buffer"), offset)
	return b
}

// read reads a range at once, or says why not.
func (f *Files) read(r source.Range) source.Result {
	file, ok := f.files[r.Path]
	if !ok {
		return source.Result{Size: -1, Err: source.ErrGone}
	}
	buffer, err := bridge.Try(func() js.Value {
		return f.reader.Call("readAsArrayBuffer", file.Call("slice", r.Offset, r.Offset+r.Length))
	})
	if err != nil {
		e := &source.Error{Trouble: source.Refused, Reason: "the browser cannot read the file (" + err.Error() + ")", Remedy: "check its permissions, and open the folder again"}
		switch bridge.NameOf(err) {
		case "NotFoundError", "NS_ERROR_FILE_NOT_FOUND": // the latter is Firefox's
			e = &source.Error{Trouble: source.Gone, Reason: source.ErrGone.Error(), Remedy: "the page looks for it again by itself"}
		case "NotReadableError":
			// It changed since the snapshot was taken; the next walk takes a new one. Or
			// nobody may read it.
			e = &source.Error{Trouble: source.Changed, Reason: "the file changed while it was read, or its permissions forbid reading it", Remedy: "if it stays so, check its permissions and open the folder again"}
		}
		return source.Result{Size: -1, Err: e}
	}
	defer bridge.Free(buffer)
	n := buffer.Get("byteLength").Int()
	if int64(n) != part(file, r) {
		return source.Result{Size: -1, Err: &source.Error{Trouble: source.Changed, Reason: "the file became shorter while it was read"}}
	}
	return source.Result{Data: f.take(js.Global().Get("Uint8Array").New(buffer), 0, n), Size: size(file)}
}
