package catalog

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Details
//
// Points that were thinned away are still in the file, and the sparse index of a
// series says where. A chart that zooms in asks for the details of its range: the
// stretches of files that hold the missing points. They are read again, and what
// they hold takes the place of the kept points there.

// Detail is a stretch of a file in which points of a series are missing in memory.
type Detail struct {
	source.Range                // bytes to read
	From, To     int64          // numbers of the series' points that stand in it
	Points       series.Columns // what was read; see Fill

	file    *File
	segment int
	reader  *Reader // of the stretch, into a file of its own; nil = not begun
	done    bool    // nothing is left to read
	taken   int64   // points that were taken out of Points; see Stream
}

// Details returns the stretches that must be read to show every point of t whose x
// lies in [x0, x1], or of all with x0 == x1. None means that nothing is missing.
func (r *Run) Details(t *Tag, x wire.XAxis, x0, x1 float64) []*Detail {
	all := !(x1 > x0)
	if x == wire.ByRelative && !all {
		start := r.first(t)
		x0, x1 = x0+start, x1+start
	}
	var out []*Detail
	for _, f := range r.parts() {
		for k, g := range f.segments {
			s := g.series[t.Name]
			if s == nil || s.Scalars.Kept() == s.Scalars.Len() {
				continue
			}
			marks := s.Scalars.Marks()
			for i := range marks {
				m := &marks[i]
				lo, hi := float64(m.MinStep), float64(m.MaxStep)
				if x != wire.ByStep {
					lo, hi = m.MinWall, m.MaxWall
				}
				from := int64(i) * series.ChunkPoints
				to := min(from+series.ChunkPoints, s.Scalars.Len())
				if !all && (hi < x0 || lo > x1) || !s.Scalars.Thinned(from, to) {
					continue
				}
				end := f.Offset
				if i+1 < len(marks) {
					end = marks[i+1].Offset
				}
				if n := len(out); n > 0 && out[n-1].file == f && out[n-1].segment == k && out[n-1].To == from {
					out[n-1].Length, out[n-1].To = end-out[n-1].Offset, to
					continue
				}
				out = append(out, &Detail{Range: source.Range{Path: f.Path, Offset: m.Offset, Length: end - m.Offset}, From: from, To: to, file: f, segment: k})
			}
		}
	}
	return out
}

// first returns the first finite wall time of t, the zero of its relative axis.
func (r *Run) first(t *Tag) float64 {
	const some = 64 * series.ChunkPoints // a long series costs no memory
	var c series.Columns
	for _, p := range r.pieces(t.Name, true) {
		for at := p.from; at < p.s.Scalars.Len(); at += some {
			c.Reset()
			p.s.Scalars.AppendRange(&c, p.cut, at, at+some)
			for _, w := range c.Wall {
				if w-w == 0 {
					return w
				}
			}
		}
	}
	return math.NaN()
}

// Next returns what to read next for t; false when nothing is left to read. A long
// stretch is read window by window, so that its size costs no memory.
func (d *Detail) Next(t *Tag) (source.Range, bool) {
	if d.reader == nil {
		shadow := NewRun("")
		f := shadow.AddFile(d.Path)
		f.modern, f.Offset = true, d.Offset
		f.claim([]byte(t.Name)).value(Points, nil) // no references
		d.reader = &Reader{File: f, Size: max(d.Offset+d.Length, d.file.seen())}
		d.Points.Reset()
	}
	if d.done || d.Filled() {
		return source.Range{}, false
	}
	w, more := d.reader.Next()
	stop := d.Offset + d.Length
	if w.Offset < stop {
		w.Length = min(w.Length, stop-w.Offset)
	} else if d.reader.File.Offset >= stop {
		return source.Range{}, false
	}
	// Behind the stretch there may be bytes that say what became of a damaged record
	// inside.
	return w, more
}

// Take uses the bytes of w, the last Next, and keeps the points of t in them.
func (d *Detail) Take(t *Tag, data []byte, w source.Range) {
	f := d.reader.File
	d.done = d.reader.Take(data, w)
	for _, f := range f.run.parts() {
		for _, g := range f.segments {
			if s := g.series[t.Name]; s != nil {
				s.Scalars.AppendTo(&d.Points, series.Whole)
			}
		}
	}
	// What else stands there is not kept.
	f.segments = nil
	f.begin(&segment{})
	if n := int(d.To - d.From - d.taken); d.Points.Len() > n {
		// The last stretch of a segment reaches into the next one.
		d.Points.Step, d.Points.Wall, d.Points.Value = d.Points.Step[:n], d.Points.Wall[:n], d.Points.Value[:n]
	}
}

// seen returns how far the file is known to reach, at least.
func (f *File) seen() int64 {
	if f.tail != nil {
		return f.tail.seen()
	}
	if f.pending != nil {
		return max(f.Offset, f.pending.offset+f.pending.bytes)
	}
	return f.Offset
}

// Filled reports whether all the points of the stretch have been read. If not when
// Next has come to its end, the file has changed, and the kept points are shown as
// before.
func (d *Detail) Filled() bool { return d.taken+int64(d.Points.Len()) == d.To-d.From }

// drop forgets the points that were read so far, which count all the same.
func (d *Detail) drop() {
	d.taken += int64(d.Points.Len())
	d.Points.Reset()
}

// Fail ends the reading of the detail, of which nothing is used.
func (d *Detail) Fail() {
	d.Points.Reset()
	d.done = true
}

// Same reports whether o is the same stretch of the same file.
func (d *Detail) Same(o *Detail) bool {
	return d.Range == o.Range && d.From == o.From && d.To == o.To
}

// ShownWith is Scalars for what is shown: where a file has not been read yet stand the
// points of its preview, and in the place of kept points those of details. It returns how
// many points are logged, as far as is known, how many of them are kept, and whether
// there is a preview among them.
func (r *Run) ShownWith(t *Tag, details []*Detail, dst *series.Columns) (points, kept int64, glimpse Glimpse) {
	for _, p := range r.pieces(t.Name, true) {
		n, k := p.s.Scalars.Count(p.cut)
		if p.glimpse == Sampled {
			n, k = 0, 0
		}
		glimpse = max(glimpse, p.glimpse)
		points, kept = points+n, kept+k
		at := p.from
		for _, d := range details {
			if d.series(t) != p.s || !d.Filled() {
				continue
			}
			p.s.Scalars.AppendRange(dst, p.cut, at, d.From)
			for i, step := range d.Points.Step {
				if p.cut.Keeps(d.From+int64(i), step) {
					dst.Step = append(dst.Step, step)
					dst.Wall = append(dst.Wall, d.Points.Wall[i])
					dst.Value = append(dst.Value, d.Points.Value[i])
				}
			}
			at = d.To
		}
		p.s.Scalars.AppendRange(dst, p.cut, at, math.MaxInt64)
	}
	return points, kept, glimpse
}

// series returns the series that d is a detail of; nil if it is gone.
func (d *Detail) series(t *Tag) *Series {
	if d.segment >= len(d.file.segments) {
		return nil
	}
	return d.file.segments[d.segment].series[t.Name]
}
