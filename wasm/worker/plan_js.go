package worker

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
)

// The plan says what is read next.
//
// A job is a handful of windows that are asked for together: small files fill it
// by the hundred, of a big one it holds one window. Some jobs are under way while the
// bytes of the oldest are used, because an answer takes its time and a file's next
// window is known beforehand. How much is asked for at a time over HTTP depends on the
// line.
const (
	// jobBytes is the size of a job from a folder. Larger ones gain nothing and make
	// memory and the time to the first picture grow.
	jobBytes = catalog.Window
	// jobFiles is how many files such a job may read.
	jobFiles = 256
	// underWay is how many of them are asked for at a time.
	underWay = 3
)

// pace says how much is asked for at a time.
func (p *plan) pace() httprange.Pace {
	out := httprange.Pace{Jobs: underWay, Bytes: jobBytes, Files: jobFiles}
	if h, ok := p.w.src.(*httprange.Host); ok {
		out = h.Pace()
	}
	if p.w.open.Careful {
		out.Jobs, out.Files = 1, 1
	}
	return out
}

type plan struct {
	w       *worker
	files   map[string]*file
	fresh   []*file // files that may have a preview, until it is known how much there is to read
	peeks   []*file // files whose preview has not been asked for yet, most wanted first
	peeking int     // previews that have not been used yet
	queue   []*file // files that have something left to ask for, most wanted first
	jobs    []*job  // under way, oldest first
	retry   chan struct{}
	rank    map[string]int // of the runs on screen
	order   bool           // the queue is out of order
}

type job struct {
	preview bool // its windows are for previews
	files   []*file
	lives   []int // of files, when their windows were asked for
	ranges  []source.Range
	ready   chan struct{} // closed when results or err are set
	results iter.Seq2[int, source.Result]
	err     error
}

func (j *job) paths() []string {
	out := make([]string, len(j.ranges))
	for i, r := range j.ranges {
		out[i] = r.Path
	}
	return out
}

func (j *job) add(x *file, r source.Range) {
	j.files = append(j.files, x)
	j.lives = append(j.lives, x.life)
	j.ranges = append(j.ranges, r)
}

func newPlan(w *worker) *plan {
	return &plan{w: w, files: make(map[string]*file), retry: make(chan struct{}, 1)}
}

// sort puts the most wanted files first: those of runs on screen, in their order;
// then the others by name.
func (p *plan) sort() {
	if !p.order {
		return
	}
	p.order = false
	p.choosePeeks()
	rank := func(x *file) int {
		if r, ok := p.rank[x.run]; ok {
			return r
		}
		return len(p.rank)
	}
	byRank := func(a, b *file) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Path, b.Path)
	}
	slices.SortStableFunc(p.queue, byRank)
	slices.SortStableFunc(p.peeks, byRank)
}

// choosePeeks decides which of the new files have a preview.
func (p *plan) choosePeeks() {
	if len(p.fresh) == 0 {
		return
	}
	total, n := int64(0), 0
	for _, x := range p.files { // not fresh alone: a large folder comes in parts
		if x.asking || x.Gone {
			continue
		}
		total += x.reader.Size - x.reader.At()
		if x.Size >= catalog.PreviewFrom {
			n++
		}
	}
	if total >= p.w.open.PreviewFrom {
		for _, x := range p.fresh {
			if x.peek = catalog.PreviewWindows(x.Size, n*max(1, p.w.open.Workers)); x.peek != nil && source.HasData(x.Path) {
				p.peeks = append(p.peeks, x)
				p.peeking++
			}
		}
	}
	p.fresh = nil
}

// look takes in what is on screen.
func (p *plan) look(l wire.Look) {
	p.rank = make(map[string]int, len(l.Runs))
	for i, r := range l.Runs {
		p.rank[r] = i
	}
	p.order = true
	p.sort()
}

// next returns the job whose bytes are to be used next, nil if there is nothing
// to read. It sees to it that enough jobs are under way.
func (p *plan) next() *job {
	for pace := p.pace(); len(p.jobs) < pace.Jobs; {
		j := p.make(pace)
		if j == nil {
			break
		}
		p.ask(j)
		p.jobs = append(p.jobs, j)
	}
	if len(p.jobs) == 0 {
		return nil
	}
	j := p.jobs[0]
	p.jobs = p.jobs[1:]
	return j
}

// done reports whether nothing is left to read.
func (p *plan) done() bool { return len(p.queue)+len(p.jobs)+len(p.peeks)+len(p.fresh) == 0 }

// waits reports whether there is nothing to do until bytes have come over a slow line.
func (p *plan) waits() bool {
	h, ok := p.w.src.(*httprange.Host)
	if !ok || !h.Slow() || len(p.jobs) == 0 {
		return false
	}
	select {
	case <-p.jobs[0].ready:
		return false
	default:
		return true
	}
}

// putBack undoes next.
func (p *plan) putBack(j *job) { p.jobs = append([]*job{j}, p.jobs...) }

// makePeek takes windows of previews. They go before everything else: a picture
// first.
func (p *plan) makePeek(pace httprange.Pace) *job {
	if len(p.peeks) == 0 {
		return nil
	}
	j := &job{preview: true}
	total := int64(0)
	for len(p.peeks) > 0 && total < min(peekBytes, pace.Bytes) && len(j.ranges) < peekRanges {
		x := p.peeks[0]
		p.peeks = p.peeks[1:]
		for _, w := range x.peek {
			j.add(x, source.Range{Path: x.Path, Offset: w.Offset, Length: w.Length})
			total += w.Length
		}
	}
	return j
}

// Previews come in jobs of at most this much: small ones let the first curves show
// early.
const (
	peekBytes  = 2 << 20
	peekRanges = 1000
)

// make takes windows from the queue.
func (p *plan) make(pace httprange.Pace) *job {
	p.sort()
	if j := p.makePeek(pace); j != nil {
		return j
	}
	j := &job{}
	total := int64(0)
	rest := p.queue[:0]
	full := false
	for _, x := range p.queue {
		// A window that must be longer than asked for is known only when the one
		// before has been used; and a job holds a file once.
		if full || x.reader.Wants() && x.pending > 0 {
			rest = append(rest, x)
			continue
		}
		n := x.reader.Length(x.asked)
		if !x.reader.Wants() {
			n = min(n, pace.Bytes)
		}
		if len(j.ranges) > 0 && total+n > pace.Bytes {
			full = true
			rest = append(rest, x)
			continue
		}
		if n > 0 {
			g := int64(0)
			if x.doubt && x.pending == 0 && x.asked == x.reader.At() {
				g = x.known()
			}
			j.add(x, source.Range{Path: x.Path, Offset: x.asked - g, Length: g + n})
			x.asked += n
			x.pending++
			total += n
		}
		if x.asked < x.reader.Size {
			rest = append(rest, x)
		} else {
			x.queued = false
		}
		full = full || total >= pace.Bytes || len(j.ranges) >= pace.Files
	}
	clear(p.queue[len(rest):])
	p.queue = rest
	if len(j.ranges) == 0 {
		return nil
	}
	return j
}

// ask sends a job's request.
func (p *plan) ask(j *job) {
	j.ready = make(chan struct{})
	w, ctx := p.w, p.w.ctx
	src := w.src
	go func() {
		j.results, j.err = src.Read(ctx, j.ranges)
		close(j.ready)
	}()
}

// finish ends a job of which used results came.
func (p *plan) finish(j *job, used int) {
	if j.preview {
		return
	}
	for _, x := range j.files[used:] {
		x.pending--
		p.trouble(x, source.ErrAgain)
	}
}

// previewed reports whether some file is shown by its preview.
func (p *plan) previewed() bool {
	for _, x := range p.files {
		if x.reader.File.HasPreview() {
			return true
		}
	}
	return false
}

// unpeeked returns the files of a job of previews, each once.
func (p *plan) unpeeked(j *job) []*file {
	var out []*file
	for _, x := range j.files {
		if x.peek != nil {
			x.peek = nil
			out = append(out, x)
		}
	}
	return out
}

// failed handles a job that could not be read at all: the source as a whole does
// not answer. Everything is tried again after a while.
func (p *plan) failed(j *job, err error) {
	if j.preview {
		p.peeking -= len(p.unpeeked(j)) // the exact read will do
		j.files = nil
	}
	for _, x := range j.files {
		x.pending--
		x.asked = x.reader.At()
		p.enqueue(x)
	}
	if p.w.ctx.Err() != nil {
		return
	}
	p.w.report.problem = err.Error()
	p.w.report.send(p.w, false)
	// Hold everything back for a while: the queue is put aside and comes back.
	held, retry := p.queue, p.retry
	p.queue = nil
	time.AfterFunc(2*time.Second, func() {
		p.queue = append(p.queue, held...)
		p.order = true
		p.w.report.problem = ""
		select {
		case retry <- struct{}{}:
		default:
		}
	})
}
