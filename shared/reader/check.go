package reader

import (
	"hash/crc32"
	"math"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// Which file it is
//
// A file that has grown, and a longer one that has taken its place, look the same in a
// listing. So samples of what was read are kept, spread over all of it, and read again
// when there is doubt: a file that still has them is the same, at least up to where it
// was read. Every record holds a time and a checksum, so that no two files that were
// written at different times have the same bytes in one place. A copy that is damaged
// does have them, but not where it is damaged: so samples are also taken of the places
// where something was lost.

// Sample is a stretch of a file by its checksum.
type Sample struct {
	Offset, Length int64
	CRC            uint32 // CRC-32C
}

const (
	sampleBytes = 64 // of a sample: more than a record of a scalar
	// spreadMost is how many samples are spread over a file; of more, every second one
	// is dropped.
	spreadMost = 8
	// firstSamples is how many of them are of the first window.
	firstSamples = 4
	// lossSamples and lossBytes bound the samples of places where something was lost.
	lossSamples = 8
	lossBytes   = 1024
	// doubtSamples is how many of those that are spread are read again in doubt.
	doubtSamples = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// samples are those of one file.
type samples struct {
	spread []Sample // in file order; the first is of the first bytes
	skip   int      // of so many windows one is sampled, less one
	passed int      // windows since the last that was
	losses []Sample
	kinds  []string // of losses whose places have been sampled
	record Sample   // before the place where the last whole record ends: where a file that grows is resumed
	edge   Sample   // the last bytes that were read
}

func sampleOf(offset int64, data []byte, from, to int64) Sample {
	b := data[from-offset : to-offset]
	return Sample{from, to - from, crc32.Checksum(b, castagnoli)}
}

// add takes samples of a window that r has taken. lost says that something in it was
// lost.
func (s *samples) add(r *catalog.Reader, offset int64, data []byte, lost bool) {
	end := offset + int64(len(data))
	if len(data) == 0 {
		return
	}
	if s.passed++; s.passed > s.skip || len(s.spread) == 0 {
		s.passed = 0
		// Most files are read in one window: the first is sampled in its middle too.
		parts := int64(1)
		if len(s.spread) == 0 {
			parts = max(1, min(firstSamples, int64(len(data))/sampleBytes))
		}
		for i := range parts {
			at := offset + i*int64(len(data))/parts
			s.spread = append(s.spread, sampleOf(offset, data, at, min(end, at+sampleBytes)))
		}
		if len(s.spread) > spreadMost {
			for i := range len(s.spread) / 2 {
				s.spread[i] = s.spread[2*i]
			}
			s.spread = s.spread[:(len(s.spread)+1)/2]
			s.skip = 2*s.skip + 1
		}
	}
	s.edge = sampleOf(offset, data, max(offset, end-sampleBytes), end)
	if at := r.File.Offset; at > offset && at <= end {
		s.record = sampleOf(offset, data, max(offset, at-sampleBytes), at)
	}
	if !lost {
		return
	}
	for _, l := range r.File.Losses() {
		from, to := max(offset, l.Offset), min(end, l.Offset+lossBytes)
		if from < to && len(s.losses) < lossSamples && !slices.Contains(s.kinds, l.Kind) {
			s.losses = append(s.losses, sampleOf(offset, data, from, to))
			s.kinds = append(s.kinds, l.Kind)
		}
	}
}

// list returns the samples to read again in doubt.
func (s *samples) list() []Sample {
	out := make([]Sample, 0, doubtSamples+lossSamples+2)
	for i := range min(doubtSamples, len(s.spread)) {
		out = append(out, s.spread[i*len(s.spread)/min(doubtSamples, len(s.spread))])
	}
	out = append(out, s.losses...)
	if s.record.Length > 0 {
		out = append(out, s.record)
	}
	if s.edge.Length > 0 && s.edge != s.record {
		out = append(out, s.edge)
	}
	return out
}

// wonder puts x in doubt: before anything more of it is used, samples of what was read
// must come the same.
func (p *Plan) wonder(x *File) {
	p.void(x)
	if len(x.samples.list()) == 0 {
		p.restart(x) // there is nothing to hold it against, and little was read
		return
	}
	x.doubt, x.strict = true, false
}

// checked holds a sample that was read again against what it was.
func (p *Plan) checked(t part, res source.Result) {
	x := t.x
	if res.Err == nil && x.held != nil {
		res.Err = x.held.res.Err
	}
	if res.Err != nil {
		p.trouble(x, res.Err)
		return
	}
	list := x.samples.list()
	if t.check >= len(list) || crc32.Checksum(res.Data, castagnoli) != list[t.check].CRC || x.strict && res.Version != x.seen {
		p.other(x)
		if x.turns++; x.turns > 1 {
			p.later(x, p.pause(x.turns)) // it is being replaced all the time
			return
		}
		p.enqueue(x)
		return
	}
	if !t.last {
		return
	}
	x.pending--
	if x.held == nil {
		// Nothing but the checks was asked for.
		x.seen, x.doubt, x.strict = res.Version, false, false
		p.fine(x)
		p.enqueue(x)
		return
	}
	h := x.held
	x.held, x.strict = nil, false
	p.accept(x, h.at, h.res)
}

// freshFor is how long ago a file must have changed for its time to tell the next
// change from that one. Browsers and file systems round times, to seconds at worst.
const freshFor = 3 * time.Second

// isFresh reports whether x, by its time, may change again without a change of that.
func (p *Plan) isFresh(x *File) bool {
	age := time.Duration(p.Wall() - x.MTime)
	return x.Version == "" && (x.MTime == 0 || age < freshFor && age > -freshFor)
}

// unsure is how many files without any identity are looked at anew in a look.
const unsure = 64

// Looked takes in that the logdir has been looked at: what Update has not been told of
// is listed as before. What could not be read is tried again; files that may have
// changed all the same are checked.
func (p *Plan) Looked() {
	n := 0
	for _, x := range p.files {
		if x.Gone || x.asking {
			continue
		}
		if x.failure != "" {
			// One that is being tried goes on: begun anew at each look, where looks come
			// sooner than its last try, it would never be given up again.
			if !x.trying() {
				p.again(x)
				p.enqueue(x)
			}
			continue
		}
		if !x.fresh || x.settled != x.reader.Size || x.reader.Size == 0 || x.doubt || n >= unsure {
			continue
		}
		n++
		p.wonder(x)
		x.strict = x.doubt && x.seen != "" // its size is the same: another version is another file
		if x.MTime != 0 {
			x.fresh = p.isFresh(x)
		}
		p.enqueue(x)
	}
}

// Fits reports whether bytes that were read of a range again, for a detail, are of the
// file that was read.
func (p *Plan) Fits(r source.Range, res source.Result) bool {
	x := p.files[r.Path]
	return res.Err == nil && (x == nil || x.seen == "" || res.Version == "" || res.Version == x.seen)
}

// Proof returns samples that show, when they are read behind other bytes of the file at
// path, that these are of the file that was read, though it has another version by now: it
// has grown, as those of a job do all the time. Without any nothing shows that.
func (p *Plan) Proof(path string) []Sample {
	if x := p.files[path]; x != nil {
		return x.samples.list()
	}
	return nil
}

// Is reports whether data are the sample's bytes.
func (s Sample) Is(data []byte) bool {
	return int64(len(data)) == s.Length && crc32.Checksum(data, castagnoli) == s.CRC
}

// Listed returns the listed size of the file at path, 0 if it is not known.
func (p *Plan) Listed(path string) int64 {
	if x := p.files[path]; x != nil {
		return x.reader.Size
	}
	return 0
}

// most returns how long a window of x may be: less after each failure, in case that
// something on the way cuts long answers.
func (x *File) most() int64 {
	if x.tries == 0 {
		return math.MaxInt64
	}
	return max(leastWindow, int64(catalog.Window)>>(2*x.tries))
}

const leastWindow = 64 << 10
