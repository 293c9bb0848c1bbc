package catalog

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Streams
//
// An export wants every logged point of a series that may be longer than memory is
// large. A Stream gives them piece by piece: where all points are kept from the
// columns, elsewhere from the file, window by window, so that what it holds at a time
// does not depend on how long the series is.

// StreamWindow is the number of bytes that a Stream asks for at a time, unless one
// record is longer. It bounds what a piece waits for and what lies about while it is
// being written.
const StreamWindow = 2 << 20

// Stream gives every logged point of one tag of one run, in file order and after
// purges, as they were when it began. Points of a preview are not among them.
//
// While it goes on the catalog may change. What comes from a file is held against the
// points that were kept of it; where the file is another one meanwhile, or cannot be
// read, the kept points are given, and Full is false.
type Stream struct {
	Start   float64 // first finite wall time of what is shown, seconds; 0 if there is none
	Points  int64   // logged
	Kept    int64   // held in memory when the stream began
	Preview bool    // some files have not been read yet: their points are missing
	Some    bool    // so far the run has points of the tag, whether in the range or not

	tag    *Tag
	x      wire.XAxis
	x0, x1 float64 // as asked for: seconds since Start on the relative axis
	all    bool
	failed bool

	pieces []span
	at     int64   // number of the next point of pieces[0]
	blind  int64   // up to this number of pieces[0] the kept points must do
	detail *Detail // that is being read, nil = none
	window source.Range
	used   int // points of detail that have been given
}

// span is a piece as it was when a stream began.
type span struct {
	piece
	n int64 // points
}

// Stream begins to give the points of t whose x lies in [x0, x1], or all with
// x0 == x1.
func (r *Run) Stream(t *Tag, x wire.XAxis, x0, x1 float64) *Stream {
	s := &Stream{tag: t, x: x, x0: x0, x1: x1, all: !(x1 > x0), Start: r.first(t)}
	if s.Start != s.Start {
		s.Start = 0
	}
	for _, p := range r.pieces(t.Name, true) {
		if p.glimpse != Exact {
			s.Preview, s.Some = true, true
			continue
		}
		n, k := p.s.Scalars.Count(p.cut)
		s.Points, s.Kept = s.Points+n, s.Kept+k
		s.Some = s.Some || k > 0
		s.pieces = append(s.pieces, span{p, p.s.Scalars.Len()})
	}
	return s
}

// Full reports whether every logged point of the range has been given so far.
func (s *Stream) Full() bool { return !s.Preview && !s.failed }

// Next appends points to dst until it holds nearly most of them, which must be
// series.ChunkPoints at least, and never more.
//
// If bytes are needed for that it says which; they are handed over by Take, or Fail
// is called, and then Next again. With need.Length == 0 dst is full, or, if done, the
// stream has come to its end.
func (s *Stream) Next(dst *series.Columns, most int) (need source.Range, done bool) {
	for len(s.pieces) > 0 {
		if s.detail != nil {
			if !s.give(dst, most) {
				return source.Range{}, false
			}
			if s.detail != nil {
				return s.window, false
			}
			continue
		}
		p := &s.pieces[0]
		sc := &p.s.Scalars
		end := p.n
		marks := sc.Marks()
		i := int(s.at / series.ChunkPoints)
		if s.at >= end || i >= len(marks) {
			s.pieces = s.pieces[1:]
			s.at, s.blind = 0, 0
			continue
		}
		room := int64(most - dst.Len())
		if room < series.ChunkPoints {
			return source.Range{}, false
		}
		if !s.touches(&marks[i]) {
			s.at = int64(i+1) * series.ChunkPoints
			continue
		}
		to, thinned := sc.Stretch(s.at, room)
		thinned = thinned && s.at >= s.blind
		if thinned {
			to, _ = sc.Stretch(s.at, math.MaxInt64)
		} else {
			// As many numbers as there is room for are not more points than that.
			to = min(to, (s.at/series.ChunkPoints+room/series.ChunkPoints)*series.ChunkPoints)
		}
		j := i + 1
		for j < len(marks) && int64(j)*series.ChunkPoints < to && s.touches(&marks[j]) {
			j++
		}
		to = min(to, int64(j)*series.ChunkPoints, end)
		if !thinned {
			n := dst.Len()
			sc.AppendRange(dst, p.cut, s.at, to)
			s.keep(dst, n)
			s.at = to
			continue
		}
		stop := p.file.Offset
		if j < len(marks) {
			stop = marks[j].Offset
		}
		s.detail = &Detail{Range: source.Range{Path: p.file.Path, Offset: marks[i].Offset, Length: stop - marks[i].Offset}, From: s.at, To: to, file: p.file}
		s.used = 0
	}
	return source.Range{}, true
}

// give moves what was read of the detail to dst, as far as there is room; it reports
// whether all of it was moved. Then there is a next window to read, or no detail.
func (s *Stream) give(dst *series.Columns, most int) bool {
	d, p := s.detail, &s.pieces[0]
	n := dst.Len()
	for ; s.used < d.Points.Len(); s.used++ {
		if dst.Len() == most {
			s.keep(dst, n)
			if dst.Len() == most {
				return false
			}
			n = dst.Len() // those outside the range have made room
		}
		if step := d.Points.Step[s.used]; p.cut.Keeps(s.at+int64(s.used), step) {
			s.Some = true
			dst.Step = append(dst.Step, step)
			dst.Wall = append(dst.Wall, d.Points.Wall[s.used])
			dst.Value = append(dst.Value, d.Points.Value[s.used])
		}
	}
	s.keep(dst, n)
	s.at += int64(s.used)
	s.used = 0
	d.drop()
	w, more := d.Next(s.tag)
	if !more {
		if s.at < d.To {
			s.Fail()
		} else {
			s.detail = nil
		}
		return true
	}
	w.Length = min(w.Length, max(StreamWindow, d.reader.want))
	s.window = w
	return true
}

// Take uses the bytes of the range that Next asked for.
func (s *Stream) Take(data []byte) {
	d := s.detail
	d.Take(s.tag, data, s.window)
	if !s.pieces[0].s.Scalars.Agrees(s.at, &d.Points) {
		s.Fail()
	}
}

// Fail says that the range cannot be read.
func (s *Stream) Fail() {
	s.failed = true
	s.blind = s.detail.To
	s.detail = nil
}

// touches reports whether points of a mark may lie in the range.
func (s *Stream) touches(m *series.Mark) bool {
	if s.all {
		return true
	}
	x0, x1 := s.x0, s.x1
	lo, hi := float64(m.MinStep), float64(m.MaxStep)
	switch s.x {
	case wire.ByWall:
		lo, hi = m.MinWall, m.MaxWall
	case wire.ByRelative:
		// As inside computes it: a bound that was moved to the other side would be
		// rounded another way.
		lo, hi = m.MinWall-s.Start, m.MaxWall-s.Start
	}
	return !(hi < x0 || lo > x1)
}

// keep removes what lies outside the range from the points of dst from n on.
func (s *Stream) keep(dst *series.Columns, n int) {
	if s.all {
		return
	}
	for i := n; i < dst.Len(); i++ {
		x := dst.Step[i]
		switch s.x {
		case wire.ByWall:
			x = dst.Wall[i]
		case wire.ByRelative:
			x = dst.Wall[i] - s.Start
		}
		if x >= s.x0 && x <= s.x1 {
			dst.Step[n], dst.Wall[n], dst.Value[n] = dst.Step[i], dst.Wall[i], dst.Value[i]
			n++
		}
	}
	dst.Step, dst.Wall, dst.Value = dst.Step[:n], dst.Wall[:n], dst.Value[:n]
}
