// Package reader reads the event files of a logdir into a catalog: it decides what is
// asked for next, holds every answer against what has been read before, tries again
// what did not come, and knows which files have been read whole.
//
// A Plan is plain state: jobs come out, their results go in, time is told to it. It
// starts no goroutine but the one that waits for a job's read. One goroutine owns it.
package reader

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// What is read next
//
// A job is a handful of windows that are asked for together: small files fill it
// by the hundred, of a big one it holds one window. Some jobs are under way while the
// bytes of the oldest are used, because an answer takes its time and a file's next
// window is known beforehand. How much is asked for at a time depends on the origin.
const (
	// jobBytes is the size of a job where the origin does not say. Larger ones gain
	// nothing and make memory and the time to the first picture grow.
	jobBytes = catalog.Window
	// jobFiles is how many files such a job may read.
	jobFiles = 256
	// jobRanges is how many ranges a job may have, those of checks included.
	jobRanges = 6000
	// underWay is how many of them are asked for at a time.
	underWay = 3
)

// Options say how a Plan reads.
type Options struct {
	Dir     source.Logdir
	Catalog *catalog.Catalog
	Context context.Context // of the reads
	// Now is a clock that does not go back, Wall the time in nanoseconds since 1970,
	// Chance gives numbers in [0, 1).
	Now    func() time.Duration
	Wall   func() int64
	Chance func() float64
	// Budget is how many points may be kept; 0 = any number.
	Budget int64
	// Most is how many points of one series may be kept; 0 = any number.
	Most int64
	// Careful makes jobs of one file.
	Careful bool
	// PreviewFrom is how much there must be to read for previews, in bytes, and Workers
	// how many plans share the logdir.
	PreviewFrom int64
	Workers     int
	// Snapshots says that the origin itself refuses to read a file that has changed,
	// to the second, since it was listed.
	Snapshots bool
	// Lookup, if it is set, takes a new file and reports whether it is looked up in the
	// cache; Adopt or Missed follows then. Nothing of it is read before.
	Lookup func(x *File) bool
	// Changed is told of a run whose points or tags changed, Lost when losses have.
	Changed func(run string)
	Lost    func()
	// Stale, if it is set, is told when a file is not what it was when it was listed, or not there:
	// only a new listing helps.
	Stale func()
	// Restarted is told when a file is read anew: what was remembered of it is void.
	Restarted func()
}

// Plan reads files. See the package.
type Plan struct {
	Options
	Bytes  int64 // that count as read: of files that are not gone, up to their listed sizes
	Cached int64 // of Bytes, those that came from the cache

	files   map[string]*File
	fresh   []*File        // files that may have a preview, until it is known how much there is to read
	peeks   []*File        // files whose preview has not been asked for yet, most wanted first
	peeking int            // previews that have not been used yet
	queue   []*File        // files that have something left to ask for, most wanted first
	waiting []*File        // files that are tried again later; see retry.go
	jobs    []*Job         // under way, oldest first
	rank    map[string]int // of the runs on screen
	order   bool           // the queue is out of order

	hold   time.Duration // nothing is asked for before
	silent int           // reads in a row that were not answered at all
	good   time.Duration // when a read was answered last
	ill    string        // why reading does not go on; "" when it does
}

// New returns a Plan that knows no files.
func New(o Options) *Plan { return &Plan{Options: o, files: make(map[string]*File)} }

// Job is some ranges that are read together.
type Job struct {
	Ready <-chan struct{} // closed when the read has been answered

	preview bool
	parts   []part
	ranges  []source.Range
	results iter.Seq2[int, source.Result]
	err     error
}

// part says what one range of a job is for.
type part struct {
	x     *File
	life  int
	check int  // number of the sample that it must fit; window: it is a window
	last  bool // the last part of its file in this job, when that is in doubt
}

const window = -1

// Paths returns the files that a job reads, with repetitions.
func (j *Job) Paths() []string {
	out := make([]string, len(j.ranges))
	for i, r := range j.ranges {
		out[i] = r.Path
	}
	return out
}

func (j *Job) add(x *File, offset, length int64, check int) {
	j.parts = append(j.parts, part{x: x, life: x.life, check: check})
	j.ranges = append(j.ranges, source.Range{Path: x.Path, Offset: offset, Length: length, Size: x.reader.Size})
}

// pace says how much is asked for at a time.
func (p *Plan) pace() source.Pace {
	out := source.Pace{Jobs: underWay, Bytes: jobBytes, Files: jobFiles}
	if d, ok := p.Dir.(source.Paced); ok {
		out = d.Pace()
	}
	if p.Careful {
		out.Jobs, out.Files = 1, 1
	}
	if p.ill != "" {
		out.Jobs = 1
	}
	return out
}

// sort puts the most wanted files first: those of runs on screen, in their order;
// then the others by name.
func (p *Plan) sort() {
	if !p.order {
		return
	}
	p.order = false
	p.choosePeeks()
	rank := func(x *File) int {
		if r, ok := p.rank[x.run]; ok {
			return r
		}
		return len(p.rank)
	}
	byRank := func(a, b *File) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Path, b.Path)
	}
	slices.SortStableFunc(p.queue, byRank)
	slices.SortStableFunc(p.peeks, byRank)
}

// choosePeeks decides which of the new files have a preview.
func (p *Plan) choosePeeks() {
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
	if total >= p.PreviewFrom {
		for _, x := range p.fresh {
			if x.peek = catalog.PreviewWindows(x.Size, n*max(1, p.Workers)); x.peek != nil && source.HasData(x.Path) {
				p.peeks = append(p.peeks, x)
				p.peeking++
			}
		}
	}
	p.fresh = nil
}

// Look takes in what is on screen.
func (p *Plan) Look(l wire.Look) {
	p.rank = make(map[string]int, len(l.Runs))
	for i, r := range l.Runs {
		p.rank[r] = i
	}
	p.order = true
	p.sort()
}

// Next returns the job whose bytes are to be used next, nil if there is none for now;
// see Due. It sees to it that enough jobs are under way.
func (p *Plan) Next() *Job {
	p.wakeUp()
	if p.Now() >= p.hold {
		for pace := p.pace(); len(p.jobs) < pace.Jobs; {
			j := p.make(pace)
			if j == nil {
				break
			}
			p.ask(j)
			p.jobs = append(p.jobs, j)
		}
	}
	if len(p.jobs) == 0 {
		return nil
	}
	j := p.jobs[0]
	p.jobs = p.jobs[1:]
	return j
}

// PutBack undoes Next.
func (p *Plan) PutBack(j *Job) { p.jobs = append([]*Job{j}, p.jobs...) }

// Done reports whether nothing is left to read: what could not be read has been
// given up until the next look.
func (p *Plan) Done() bool {
	return len(p.queue)+len(p.jobs)+len(p.peeks)+len(p.fresh)+len(p.waiting) == 0
}

// Waits reports whether there is nothing to do until bytes have come over a slow line,
// or until something is tried again.
func (p *Plan) Waits() bool {
	if len(p.jobs) == 0 {
		return len(p.queue)+len(p.peeks) == 0 || p.Now() < p.hold
	}
	if d, ok := p.Dir.(source.Paced); !ok || !d.Slow() {
		return false
	}
	select {
	case <-p.jobs[0].Ready:
		return false
	default:
		return true
	}
}

// Previews come in jobs of at most this much: small ones let the first curves show
// early.
const (
	peekBytes  = 2 << 20
	peekRanges = 1000
)

// makePeek takes windows of previews. They go before everything else: a picture
// first.
func (p *Plan) makePeek(pace source.Pace) *Job {
	if len(p.peeks) == 0 {
		return nil
	}
	j := &Job{preview: true}
	total := int64(0)
	for len(p.peeks) > 0 && total < min(peekBytes, pace.Bytes) && len(j.ranges) < peekRanges {
		x := p.peeks[0]
		p.peeks = p.peeks[1:]
		for _, w := range x.peek {
			j.add(x, w.Offset, w.Length, window)
			total += w.Length
		}
	}
	return j
}

// make takes windows from the queue.
func (p *Plan) make(pace source.Pace) *Job {
	p.sort()
	if j := p.makePeek(pace); j != nil {
		return j
	}
	j := &Job{}
	total, files := int64(0), 0
	rest := p.queue[:0]
	full := false
	for _, x := range p.queue {
		// A window that must be longer than asked for is known only when the one
		// before has been used, and so is one that must be checked; and a job holds a
		// file once.
		if full || x.pending > 0 && (x.reader.Wants() || x.doubt) {
			rest = append(rest, x)
			continue
		}
		n := x.reader.Length(x.asked)
		if !x.reader.Wants() {
			n = min(n, pace.Bytes)
		}
		n = min(n, x.most())
		alone := x.tries >= aloneFrom
		if files > 0 && (total+n > pace.Bytes || alone) {
			full = full || !alone
			rest = append(rest, x)
			continue
		}
		total += n
		if n > 0 || x.doubt {
			files++
		}
		p.windows(j, x, n)
		if x.asked < x.reader.Size {
			rest = append(rest, x)
		} else {
			x.queued = false
		}
		full = full || alone || total >= pace.Bytes || files >= pace.Files || len(j.ranges) >= jobRanges
	}
	clear(p.queue[len(rest):])
	p.queue = rest
	if len(j.ranges) == 0 {
		return nil
	}
	return j
}

// windows adds the next window of x, n bytes, to a job; with what it must be checked
// against, if x is in doubt. The checks stand behind the window: bytes that were still
// those of the file that was read before, after the window was read, show that the
// window is of that file too.
func (p *Plan) windows(j *Job, x *File, n int64) {
	if n > 0 {
		j.add(x, x.asked, n, window)
		x.asked += n
		x.pending++
	}
	if x.doubt {
		if n <= 0 {
			x.pending++
		}
		for i, s := range x.samples.list() {
			j.add(x, s.Offset, s.Length, i)
		}
		if len(j.parts) > 0 {
			j.parts[len(j.parts)-1].last = true
		}
	}
}

// ask sends a job's request.
func (p *Plan) ask(j *Job) {
	ready := make(chan struct{})
	j.Ready = ready
	dir, ctx := p.Dir, p.Context
	go func() {
		j.results, j.err = dir.Read(ctx, j.ranges)
		close(ready)
	}()
}

// Use takes the results of a job that is ready.
func (p *Plan) Use(j *Job) {
	used := 0
	if j.err == nil {
		for i, res := range j.results {
			if i != used || i >= len(j.parts) {
				break // not what a Logdir does
			}
			p.use(j, i, res)
			used++
		}
	} else if p.Context.Err() != nil {
		return
	}
	err := j.err
	if err == nil {
		err = &source.Error{Trouble: source.Broken, Reason: "the answer has fewer parts than were asked for"}
	}
	for i := used; i < len(j.parts); i++ {
		p.use(j, i, source.Result{Size: -1, Err: err})
	}
}

func (p *Plan) use(j *Job, i int, res source.Result) {
	t, r := j.parts[i], j.ranges[i]
	if res.Err == nil && int64(len(res.Data)) < r.Length {
		// The file ends before its listed size; so the origin says.
		res = source.Result{Size: -1, Err: &source.Error{Trouble: source.Changed, Reason: "the file is shorter than it was listed", Remedy: "the page reads it again by itself"}}
	}
	if res.Err == nil {
		p.answered()
	}
	switch {
	case j.preview:
		p.peeked(t.x, r, res)
	case t.life != t.x.life:
		// Of a file that was begun anew meanwhile, or whose windows are void.
	case t.check != window:
		p.checked(t, res)
	case t.x.doubt && !t.last:
		t.x.keep(r, res) // what it is, the checks will tell
	default:
		t.x.pending--
		p.took(t.x, r, res)
	}
}

// Previewed reports whether some file is shown by its preview.
func (p *Plan) Previewed() bool {
	for _, x := range p.files {
		if x.reader.File.HasPreview() {
			return true
		}
	}
	return false
}

// Previewing reports whether not every preview has been used.
func (p *Plan) Previewing() bool { return p.peeking > 0 }

// Files are all files by path. The map must not be changed.
func (p *Plan) Files() map[string]*File { return p.files }

// Unread returns how many listed files have been given up before they were read whole.
func (p *Plan) Unread() (n int) {
	for _, x := range p.files {
		if x.failure != "" && !x.Gone {
			n++
		}
	}
	return n
}

// Whole reports whether none of a run's listed files has been given up.
func (p *Plan) Whole(run string) bool {
	r := p.Catalog.Runs[run]
	if r == nil {
		return true
	}
	for _, f := range r.Files {
		if x := p.files[f.Path]; x != nil && x.failure != "" && !x.Gone {
			return false
		}
	}
	return true
}
