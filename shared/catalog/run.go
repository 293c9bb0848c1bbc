package catalog

import (
	"math"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Run is one run: the event files of one directory.
type Run struct {
	Name  string
	Files []*File // sorted by name: reading order

	tags  map[string]*Tag
	order []*Tag
	// shadow holds the tags that previews met. They are kept apart, so that what
	// is exact never depends on what was previewed.
	shadow *Run
}

// NewRun returns a run without files.
func NewRun(name string) *Run { return &Run{Name: name, tags: make(map[string]*Tag)} }

// AddFile adds the event file at path, in its place by name.
func (r *Run) AddFile(path string) *File {
	f := newFile(r, path)
	i := len(r.Files)
	for i > 0 && r.Files[i-1].Path > path {
		i--
	}
	r.Files = append(r.Files, nil)
	copy(r.Files[i+1:], r.Files[i:])
	r.Files[i] = f
	return f
}

// Restart forgets everything that was read of f, which is then read anew: it
// was replaced or truncated.
func (f *File) Restart() {
	*f = *newFile(f.run, f.Path)
}

// Remove takes f out of its run.
func (r *Run) Remove(f *File) {
	for i := range r.Files {
		if r.Files[i] == f {
			r.Files = append(r.Files[:i], r.Files[i+1:]...)
			return
		}
	}
}

// tag returns the run's tag of that name; it is made if it is new.
func (r *Run) tag(name []byte) *Tag {
	t := r.tags[string(name)]
	if t == nil {
		t = &Tag{Name: string(name)}
		if t.Shown = Text(t.Name); t.Shown != t.Name && r.Lookup(t.Shown) != nil {
			t.Shown = escaped(t.Name)
		}
		r.tags[t.Name] = t
		r.order = append(r.order, t)
	}
	return t
}

// Start returns the wall time of the run's first event, NaN if there is none: so runs
// have their places as soon as their heads have been seen.
func (r *Run) Start() float64 {
	for _, f := range r.Files {
		if f.firstWall == f.firstWall {
			return f.firstWall
		}
		if g := f.glimpse; g != nil && len(g.at) > 0 && g.at[0] == 0 {
			return g.file.firstWall // the file's own first event, by its head
		}
	}
	return math.NaN()
}

// piece is one series of a tag and the step from which on it has been orphaned.
type piece struct {
	s       *Series
	cut     int64
	from    int64 // number of its first point that counts
	preview bool
}

// pieces returns the series of the tag of that name in reading order, with the
// restart purge laid over them (see the package comment), and with the preview of
// what has not been read yet if it is asked for.
func (r *Run) pieces(name string, preview bool) []piece {
	var out []piece
	cut := series.NoCut
	// From the last segment back: what is seen is cut by every start behind it.
	starts := r.starts()
	for i := len(r.Files) - 1; i >= 0; i-- {
		f := r.Files[i]
		if preview && f.glimpse != nil {
			out = f.glimpse.pieces(out, name, f.Offset)
		}
		for k := len(f.segments) - 1; k >= 0; k-- {
			g := f.segments[k]
			if s := g.series[name]; s != nil {
				out = append(out, piece{s: s, cut: cut})
			}
			if g.starts {
				if starts--; starts > 0 { // the first start of a run purges nothing
					cut = min(cut, g.startStep)
				}
			}
		}
		if c, ok := f.orphans[name]; ok {
			cut = min(cut, c)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// starts returns how many segments of the run begin with a start.
func (r *Run) starts() int {
	n := 0
	for _, f := range r.Files {
		for _, g := range f.segments {
			if g.starts {
				n++
			}
		}
	}
	return n
}

// orphan applies the rule for files without a version: a summary event whose step
// is below the last one's orphans, for the tags that it holds, the points from its
// step on.
func (f *File) orphan(e *event.Event) {
	recent := f.mostRecent
	if recent == math.MinInt64 {
		for _, g := range f.run.Files { // the last summary before this file
			if g == f {
				break
			}
			if g.mostRecent != math.MinInt64 {
				recent = g.mostRecent
			}
		}
	}
	f.mostRecent = e.Step
	if e.Step >= recent {
		return
	}
	var v event.Value
	for rest, ok := e.Body, true; ok; {
		var err error
		if rest, ok, err = v.NextValue(rest); err != nil || !ok {
			return
		}
		t := f.run.tags[string(v.Tag)]
		if t == nil {
			continue
		}
		for _, g := range f.segments {
			if s := g.series[t.Name]; s != nil {
				s.Scalars.DropFrom(e.Step)
				s.Refs.DropFrom(e.Step)
			}
		}
		if f.orphans == nil {
			f.orphans = make(map[string]int64)
		}
		if c, ok := f.orphans[t.Name]; !ok || e.Step < c {
			f.orphans[t.Name] = e.Step
		}
	}
}

// Tags calls yield for each tag that has points or a plug-in, in the order in
// which they were met; behind them for those that only the preview has met.
func (r *Run) Tags(yield func(t *Tag, info wire.Tag)) {
	for _, t := range r.order {
		info := t.info()
		info.Points, info.Kept = r.count(t.Name)
		if info.Points > 0 || t.described {
			yield(t, info)
		}
	}
	if r.shadow != nil {
		for _, t := range r.shadow.order {
			if r.tags[t.Name] == nil {
				yield(t, t.info())
			}
		}
	}
}

// info is what the data API says of the tag, without counts.
func (t *Tag) info() wire.Tag {
	info := wire.Tag{Plugin: t.Plugin, DisplayName: Text(t.DisplayName), Description: Text(t.Description)}
	if info.DisplayName == "" {
		info.DisplayName = t.Shown
	}
	return info
}

func (r *Run) count(name string) (points, kept int64) {
	for _, p := range r.pieces(name, false) {
		n, k := p.s.Scalars.Count(p.cut)
		m := p.s.Refs.Count(p.cut)
		points, kept = points+n+m, kept+k+m
	}
	return points, kept
}

// Lookup returns the tag that is shown under that name, or nil.
func (r *Run) Lookup(name string) *Tag {
	if t := r.tags[name]; t != nil {
		return t
	}
	if strings.Contains(name, "\uFFFD") || strings.Contains(name, `\x`) {
		for _, t := range r.order {
			if t.Shown == name {
				return t
			}
		}
	}
	if r.shadow != nil {
		return r.shadow.Lookup(name)
	}
	return nil
}

// Scalars appends the kept points of a tag of scalars to dst, in file order,
// after purges.
func (r *Run) Scalars(t *Tag, dst *series.Columns) {
	for _, p := range r.pieces(t.Name, false) {
		p.s.Scalars.AppendTo(dst, p.cut)
	}
}

// TagCount returns a number that grows with every tag that the run's files, or
// their previews, name.
func (r *Run) TagCount() int {
	if r.shadow != nil {
		return len(r.order) + len(r.shadow.order)
	}
	return len(r.order)
}

// Points returns how many points the run's files hold, purged ones included, and
// how many are kept.
func (r *Run) Points() (logged, kept int64) {
	for _, f := range r.Files {
		for _, g := range f.segments {
			for _, s := range g.order {
				n := int64(len(s.Refs.Points))
				logged += s.Scalars.Len() + n
				kept += s.Scalars.Kept() + n
			}
		}
	}
	return logged, kept
}
