package reader

import (
	"bytes"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// File is one event file and how far it has been read.
//
// It has been read whole when settled is its listed size and it has no failure. Its
// bytes are those of one version: seen, as far as the origin names versions.
type File struct {
	wire.File
	run     string
	reader  catalog.Reader
	asked   int64                   // bytes that have been asked for
	settled int64                   // size up to which the file has been read, torn tail included
	pending int                     // windows under way
	counted int64                   // its part of Plan.Bytes, unless it is Gone
	cached  int64                   // its part of Plan.Cached
	life    int                     // windows that were asked for in an earlier life are void
	peek    []catalog.PreviewWindow // still to be asked for
	asking  bool                    // the cache has not answered yet
	queued  bool

	// Which file it is; see check.go.
	seen    string // version of the bytes that have been read; "" = unknown
	samples samples
	doubt   bool  // it may be another file than was read before
	strict  bool  // in doubt, a version other than seen says that it is
	held    *held // a window that waits for its checks
	windows int   // that have been used since the file was begun
	fresh   bool  // it had changed within the last moments when it was read

	// What went wrong; see retry.go.
	tries   int
	turns   int           // how often it was begun anew since it was read whole
	since   time.Duration // of the first of them
	due     time.Duration // when it is tried again
	stale   bool          // a new listing was asked for
	failure string        // kind of the loss that is recorded; "" = none

	stored   int64 // offset up to which the cache has it
	storedAt time.Duration
}

// held is a window that has come; what it is, the checks behind it tell.
type held struct {
	at  source.Range
	res source.Result
}

// Run returns the name of its run.
func (x *File) Run() string { return x.run }

// Catalog returns what has been read of it.
func (x *File) Catalog() *catalog.File { return x.reader.File }

// Update takes in a file that is new or has changed.
func (p *Plan) Update(f wire.File) {
	x := p.files[f.Path]
	if x == nil {
		x = &File{File: f, run: source.RunOf(f.Path)}
		x.reader.File = p.Catalog.Run(x.run).AddFile(f.Path)
		p.files[f.Path] = x
		p.Changed(x.run)
		if !f.Gone && p.Lookup != nil && p.Lookup(x) {
			x.asking, x.reader.Size = true, f.Size
			return
		}
		p.fresh = append(p.fresh, x)
		p.order = true
	}
	if x.asking {
		x.File, x.reader.Size = f, f.Size // the cache's answer is still to come
		return
	}
	if f.Gone {
		if !x.Gone {
			p.Bytes -= x.counted
			p.Cached -= x.cached
			x.Gone = true
			p.drop(x)
			p.forgive(x) // it need not be read any more
		}
		return
	}
	if x.Gone {
		p.Bytes += x.counted
		p.Cached += x.cached
	}
	begun := x.reader.At() > 0 || x.pending > 0
	known := f.Version != "" && f.Version == x.seen // what was read is of this version already
	switch {
	case f.Size < x.reader.Size && x.reader.Size > 0:
		// It is shorter than what was read: another file under the same name.
		p.other(x)
	case !begun || known:
	case f.Size > x.reader.Size:
		p.wonder(x)
	case f.MTime != x.MTime:
		// Equally long but written anew.
		p.other(x)
	case f.Version != x.Version:
		// The same size and time: a tool has set them, or only the inode has changed,
		// which some network file systems do all the time.
		p.wonder(x)
	}
	x.File = f
	x.reader.Size = f.Size
	x.stale = false
	p.again(x)
	p.enqueue(x)
}

// other begins to read another file in x's place.
func (p *Plan) other(x *File) {
	x.reader.File.Others++
	p.restart(x)
}

// restart begins to read x anew.
func (p *Plan) restart(x *File) {
	p.void(x)
	x.stored, x.settled, x.windows = 0, 0, 0
	x.seen, x.samples, x.doubt, x.strict = "", samples{}, false, false
	p.count(x, -x.counted)
	if !x.Gone {
		p.Cached -= x.cached
	}
	x.cached = 0
	x.failure = "" // the losses go with what was read
	x.reader.Restart()
	x.asked = 0
	if p.Restarted != nil {
		p.Restarted()
	}
	p.Changed(x.run)
	p.Lost()
}

// void gives up the windows that are under way.
func (p *Plan) void(x *File) {
	x.life++
	x.pending = 0
	x.held = nil
	x.asked = x.reader.At()
}

// count counts n more bytes of x as read.
func (p *Plan) count(x *File, n int64) {
	x.counted += n
	if !x.Gone {
		p.Bytes += n
	}
}

// left reports whether there is something to ask for.
func (x *File) left() bool {
	return x.doubt && x.pending == 0 || x.asked < x.reader.Size && x.settled < x.reader.Size
}

func (p *Plan) enqueue(x *File) {
	if !x.queued && !x.asking && !x.Gone && x.due == 0 && x.left() && source.HasData(x.Path) {
		x.queued = true
		p.queue = append(p.queue, x)
		p.order = true
	}
}

// peeked uses one window of a preview. One that did not come is not tried again: the
// exact read will do.
func (p *Plan) peeked(x *File, r source.Range, res source.Result) {
	if res.Err == nil && x.reader.Size > x.reader.At() {
		x.reader.File.Preview(catalog.PreviewWindow{Offset: r.Offset, Length: r.Length}, res.Data)
		p.Changed(x.run)
	}
	if len(x.peek) > 0 && r.Offset == x.peek[len(x.peek)-1].Offset {
		x.peek = nil
		p.peeking--
	}
}

// took uses a window that is not in doubt.
func (p *Plan) took(x *File, r source.Range, res source.Result) {
	if res.Err != nil {
		p.trouble(x, res.Err)
		return
	}
	if res.Version != x.seen && (x.windows > 0 || x.reader.At() > 0) {
		// It has grown since the last window, or another file has taken its place.
		p.wonder(x)
		p.enqueue(x)
		return
	}
	p.accept(x, r, res)
}

// accept uses a window that is proven. It goes on where the file has been read to: one
// that does not would show points twice or leave some out, whoever asked for it.
func (p *Plan) accept(x *File, r source.Range, res source.Result) {
	if r.Offset != x.reader.At() {
		p.void(x)
		p.enqueue(x)
		return
	}
	x.seen = res.Version
	x.windows++
	p.fine(x)
	lost := x.reader.File.LossCount()
	end := x.reader.Take(res.Data, r)
	x.samples.add(&x.reader, r.Offset, res.Data, x.reader.File.LossCount() != lost)
	// Not so many bytes more: a torn tail, which was counted, is read again.
	p.count(x, r.Offset+int64(len(res.Data))-x.counted)
	p.Changed(x.run)
	if x.reader.File.LossCount() != lost {
		p.Lost()
	}
	if end {
		// A torn tail is read again when the file has grown, and not before.
		x.asked, x.settled = x.reader.At(), x.reader.Size
		x.reader.File.EndPreview()
		x.fresh, x.turns = p.isFresh(x), 0
		// If nothing has told so far that all windows are of one file, they are checked
		// once more.
		x.doubt = !x.doubt && x.windows > 1 && x.seen == "" && !(p.Snapshots && !x.fresh)
	}
	p.enqueue(x)
}

// keep keeps a window that waits for its checks.
func (x *File) keep(r source.Range, res source.Result) {
	res.Data = bytes.Clone(res.Data)
	x.held = &held{r, res}
}
