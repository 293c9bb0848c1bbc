package worker

import (
	"errors"
	"hash/crc32"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// file is one event file and how far it has been asked for.
type file struct {
	wire.File
	run     string
	reader  catalog.Reader
	asked   int64                   // bytes that have been asked for
	torn    int64                   // bytes read that are a torn tail, and will be read again
	settled int64                   // size up to which the file has been read, torn tail included
	pending int                     // windows under way
	counted int64                   // its part of reporter.bytes, unless it is Gone
	life    int                     // counts restarts: windows that were asked for before are void
	doubt   bool                    // it has grown, or another file has taken its place: see known
	peek    []catalog.PreviewWindow // still to be asked for

	asking           bool // the cache has not answered yet
	head, tailSample storage.Sample
	stored           int64 // offset up to which the cache has it
	storedAt         time.Duration
	queued           bool
	failure          string // kind of the failure that is recorded; "" = none
	tries            int
}

// file takes in a file that is new or has changed.
func (p *plan) file(f wire.File) {
	x := p.files[f.Path]
	if x == nil {
		run := source.RunOf(f.Path)
		x = &file{File: f, run: run}
		x.reader.File = p.w.cat.Run(run).AddFile(f.Path)
		p.files[f.Path] = x
		p.w.report.changed(run)
		if p.w.cache.wants(x) && !f.Gone {
			x.asking = true
			x.reader.Size = f.Size
			p.w.cache.ask = append(p.w.cache.ask, x)
			return
		}
		p.fresh = append(p.fresh, x)
	}
	if x.asking {
		x.File, x.reader.Size = f, f.Size // the cache's answer is still to come
		return
	}
	if f.Gone {
		if !x.Gone {
			p.w.report.bytes -= x.counted
			x.Gone = true
		}
		return
	}
	if x.Gone {
		p.w.report.bytes += x.counted
	}
	switch {
	case f.Size < x.reader.Size:
		// It is shorter than what was read: another file under the same name.
		p.restart(x)
	case f.Size == x.reader.Size && f.MTime != x.MTime && x.reader.Size > 0:
		// Equally long but written anew.
		p.restart(x)
	case f.Size > x.reader.Size:
		x.doubt = x.pending == 0
	}
	x.File = f
	x.reader.Size = f.Size
	if x.failure != "" {
		x.reader.File.Recover(x.failure)
		x.failure, x.tries = "", 0
		x.asked = x.reader.Resume()
		p.w.report.lossesChanged = true
	}
	p.enqueue(x)
}

func (p *plan) restart(x *file) {
	x.stored, x.settled, x.torn = 0, 0, 0
	x.life++
	x.doubt = false
	p.w.recalled = nil
	p.count(x, -x.counted)
	x.reader.Restart()
	x.asked = 0
	p.w.report.changed(x.run)
	p.w.report.lossesChanged = true
}

// count counts n more bytes of x as read.
func (p *plan) count(x *file, n int64) {
	x.counted += n
	if !x.Gone {
		p.w.report.bytes += n
	}
}

func (p *plan) enqueue(x *file) {
	if !x.queued && !x.asking && x.asked < x.reader.Size && x.settled < x.reader.Size && source.HasData(x.Path) {
		x.queued = true
		p.queue = append(p.queue, x)
		p.order = true
	}
}

// known returns how many bytes before the place where reading goes on are known by
// their checksum. A file that has grown is read from there on, so that a longer file
// that has taken its place is noticed.
func (x *file) known() int64 {
	if s := x.tailSample; s.Offset+s.Length == x.reader.At() {
		return s.Length
	}
	return 0
}

// peeked uses one window of a preview.
func (p *plan) peeked(x *file, r source.Range, res source.Result) {
	if res.Err == nil && x.reader.Size > x.reader.At() {
		x.reader.File.Preview(catalog.PreviewWindow{Offset: r.Offset, Length: r.Length}, res.Data)
		p.w.report.changed(x.run)
	}
	if len(x.peek) > 0 && r.Offset == x.peek[len(x.peek)-1].Offset {
		x.peek = nil
		p.peeking--
	}
}

// took uses one window.
func (p *plan) took(x *file, life int, r source.Range, res source.Result) {
	x.pending--
	if life != x.life {
		return // of a file that was begun anew meanwhile
	}
	if res.Err != nil && r.Offset <= x.reader.At() {
		p.trouble(x, res.Err)
		return
	}
	if x.doubt && r.Offset == x.reader.At()-x.known() {
		n := x.known()
		if int64(len(res.Data)) < n || crc32.Checksum(res.Data[:n], castagnoli) != x.tailSample.CRC {
			// It did not grow: another, longer file has taken its place.
			p.restart(x)
			p.enqueue(x)
			return
		}
		res.Data = res.Data[n:]
		r.Offset, r.Length = r.Offset+n, r.Length-n
		x.doubt = false
	}
	if r.Offset != x.reader.At() {
		return // behind a window that failed
	}
	x.tries = 0
	lost := x.reader.File.LossCount()
	end := x.reader.Take(res.Data, r)
	x.sample(r.Offset, res.Data)
	p.count(x, int64(len(res.Data)))
	p.w.report.changed(x.run)
	if x.reader.File.LossCount() != lost {
		p.w.report.lossesChanged = true
	}
	if end {
		// A torn tail is read again when the file has grown, and not before.
		p.count(x, -x.torn)
		x.torn = r.Offset + int64(len(res.Data)) - x.reader.At()
		x.asked, x.settled = x.reader.At(), x.reader.Size
		x.reader.File.EndPreview()
		return
	}
	p.enqueue(x)
}

// maxTries is how often reading a file is tried again before the failure is shown.
const maxTries = 3

// trouble handles a file that could not be read.
func (p *plan) trouble(x *file, err error) {
	x.asked = x.reader.At()
	if errors.Is(err, source.ErrAgain) && x.tries < maxTries {
		x.tries++
		p.enqueue(x)
		return
	}
	x.failure = err.Error()
	x.reader.File.EndPreview() // there will be nothing exact in its place
	x.reader.File.Fail(x.failure, "what was read before is shown; it is tried again when the file changes", x.reader.Size-x.asked)
	x.queued = false
	p.queue = slices.DeleteFunc(p.queue, func(y *file) bool { return y == x })
	p.w.report.lossesChanged = true
	p.w.report.changed(x.run)
}
