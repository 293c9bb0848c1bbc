package histograms

import (
	"errors"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/histogram"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Cache keeps slices that were read, up to maxKept buckets: a run that grows is asked for
// again and again, and only what is new is read then.
type Cache struct {
	slices map[place]*Slice
	order  []place // in which they were read
	kept   int     // buckets
}

// maxKept is how many buckets are kept, of 24 bytes each.
const maxKept = 1 << 20

// place is where a slice stands.
type place struct {
	path   string
	offset int64
	length int32
}

func placeOf(v *catalog.Stored) place { return place{v.Path, v.Offset, v.Length} }

// NewCache makes an empty one.
func NewCache() *Cache { return &Cache{slices: map[place]*Slice{}} }

// Forget empties it.
func (c *Cache) Forget() { *c = *NewCache() }

func (c *Cache) keep(at place, s *Slice) {
	n := len(s.Buckets)
	if n > maxKept/4 || s.Err != nil {
		return
	}
	for c.kept+n > maxKept && len(c.order) > 0 {
		if old := c.slices[c.order[0]]; old != nil {
			c.kept -= len(old.Buckets)
			delete(c.slices, c.order[0])
		}
		c.order = c.order[1:]
	}
	if c.slices[at] == nil {
		c.order = append(c.order, at)
		c.kept += n
	}
	c.slices[at] = s
}

// Slice is one logged histogram.
type Slice struct {
	Step int64
	Wall float64 // seconds since 1970
	histogram.Buckets
	Err error // why there are no buckets
}

// Slices reads the slices of a query.
type Slices struct {
	Run   string
	Count int  // slices that there are
	Found bool // the run has the tag

	cache   *Cache
	job     *stored.Job
	chosen  []int // numbers of the slices that are wanted …
	at      int   // … of which this many have been given
	read    map[int]*Slice
	asked   bool // the next piece's are known …
	reading bool // … and some of them are being read
}

// limits: a slice of some 10 million buckets is none.
var limits = stored.Limits{Value: 256 << 20, Answer: 4 << 20}

// perPiece is how many buckets one piece of an answer holds, about.
const perPiece = 1 << 17

// errLong says that a slice was not read whole.
var errLong = errors.New("this histogram is larger than what is read")

// Begin begins to read all slices of the tag and run that w asks for.
func (c *Cache) Begin(from *catalog.Catalog, w *wire.Query) *Slices {
	j := stored.New(from, w, stored.Query{}, limits)
	s := &Slices{Run: w.Runs[0], Count: len(j.Values()), Found: j.Found, cache: c, job: j, read: map[int]*Slice{}}
	for i := range j.Values() {
		s.chosen = append(s.chosen, i)
	}
	return s
}

// Choose leaves at most n slices of the steps from … to (all if from > to): every 2^k-th,
// so that those which were chosen before are among them as the run grows, and the last.
func (s *Slices) Choose(n int, from, to int64) {
	values := s.job.Values()
	inside := s.chosen[:0:0]
	for _, i := range s.chosen {
		if from > to || values[i].Step >= from && values[i].Step <= to {
			inside = append(inside, i)
		}
	}
	stride := 1
	for (len(inside)+stride-1)/stride >= n && stride < len(inside) && len(inside) > n {
		stride *= 2
	}
	s.chosen = s.chosen[:0:0]
	for k := 0; k < len(inside); k += stride {
		s.chosen = append(s.chosen, inside[k])
	}
	if k := len(inside) - 1; k >= 0 && s.chosen[len(s.chosen)-1] != inside[k] {
		s.chosen = append(s.chosen, inside[k])
	}
}

// Need returns what must be read for the next piece, or for all that is left where there
// are no pieces.
func (s *Slices) Need(pieces bool) []source.Range {
	if s.reading {
		s.job.Done()
		s.reading = false
	}
	if !s.asked {
		s.asked = true
		s.job.Select(s.missing(pieces))
	}
	need := s.job.Need()
	s.reading = len(need) > 0
	return need
}

// missing are the numbers of those that are not at hand.
func (s *Slices) missing(pieces bool) (out []int) {
	buckets := 0
	for _, i := range s.chosen[s.at:] {
		v := &s.job.Values()[i]
		// A bucket takes some 20 bytes.
		if buckets += int(v.Length)/20 + 1; pieces && buckets > perPiece && len(s.read) > 0 {
			break
		}
		if got := s.cache.slices[placeOf(v)]; got != nil {
			s.read[i] = got
			continue
		}
		out = append(out, i)
		s.read[i] = nil // it will be
	}
	return out
}

// Take implements answer.Job.
func (s *Slices) Take(i int, data []byte) { s.set(s.job.Value(i, data, nil)) }

// Fail implements answer.Job.
func (s *Slices) Fail(i int, err error) { s.set(s.job.Value(i, nil, err)) }

func (s *Slices) set(v stored.Value) {
	out := &Slice{Step: v.Step, Wall: v.Wall}
	switch {
	case v.Err != nil:
		out.Err = v.Err
	case v.Cut:
		out.Err = errLong
	case v.Is(event.Histo):
		out.Buckets, out.Err = histogram.OfProto(v.Body)
	default:
		out.Buckets, out.Err = histogram.OfTensor(v.Body)
	}
	if out.Err != nil && v.Err == nil {
		out.Err = fmt.Errorf("this value cannot be shown as a histogram: %w", out.Err)
	}
	s.cache.keep(placeOf(&v.Stored), out)
	s.read[v.Number] = out
}

// Ready returns the slices of the next piece; more says that others follow.
func (s *Slices) Ready() (list []*Slice, more bool) {
	for s.at < len(s.chosen) {
		i := s.chosen[s.at]
		got := s.read[i]
		if got == nil {
			break
		}
		list = append(list, got)
		delete(s.read, i)
		s.at++
	}
	s.asked = false
	return list, s.at < len(s.chosen)
}
