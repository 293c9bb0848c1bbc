package catalog

import (
	"math"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Run is one run: the event files of one directory.
type Run struct {
	Name  string
	Files []*File // sorted by name: reading order

	tags    map[string]*Tag
	order   []*Tag
	odd     bool            // a tag's name is not UTF-8
	long    map[string]*Tag // whose names are shown in part, by what is shown
	doubts  []*Tag          // doubtful ones
	changes int64           // counts what becomes of these
	longest int64           // payload that is read; see Catalog.Longest
	brief   bool            // see Catalog.Brief
	room    *room           // for names; see Catalog.Names
	named   int             // see TagCount
	reading int             // how many files are in the middle of being read; see room
	// shadow holds the tags that previews met. They are kept apart, so that what
	// is exact never depends on what was previewed.
	shadow *Run
}

// NewRun returns a run without files.
func NewRun(name string) *Run {
	return &Run{Name: name, tags: make(map[string]*Tag), room: &room{most: NamesFor(0)}}
}

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
	f.EndPreview()
	f.reads(true)
	f.unsay()
	others := f.Others
	*f = *newFile(f.run, f.Path)
	f.Others, f.reading = others, true
}

// Remove takes f out of its run.
func (r *Run) Remove(f *File) {
	for i := range r.Files {
		if r.Files[i] == f {
			r.Files = slices.Delete(r.Files, i, i+1) // which leaves nothing of f in the room behind them
			f.unsay()
			f.reads(false)
			if r.reading == 0 {
				r.forget()
			}
			return
		}
	}
}

// unsay takes back what f says of tags: it is about to go.
func (f *File) unsay() {
	if f.tail != nil {
		f.dropTail()
	}
	f.release()
}

// parts returns the files in reading order, the tail of each behind it.
func (r *Run) parts() []*File {
	for i, f := range r.Files {
		if f.tail == nil {
			continue
		}
		out := append([]*File(nil), r.Files[:i]...)
		for _, f := range r.Files[i:] {
			if out = append(out, f); f.tail != nil {
				out = append(out, f.tail)
			}
		}
		return out
	}
	return r.Files
}

// tag returns the run's tag of that name; it is made if it is new.
func (r *Run) tag(name []byte) *Tag {
	t := r.tags[string(name)]
	if t == nil {
		t = &Tag{Name: string(name), stale: true}
		t.Shown = t.Name
		r.tags[t.Name] = t
		r.room.held += int64(len(name))
		r.order = append(r.order, t)
		r.named++
		if r.brief && len(name) > longName {
			r.nameLong(t)
			return t
		}
		if other := r.long[t.Name]; other != nil { // which must be called otherwise
			delete(r.long, t.Name)
			r.nameLong(other)
		}
		if r.odd = r.odd || Text(t.Name) != t.Name; r.odd {
			r.nameOdd()
		}
	}
	return t
}

// nameLong gives a tag of a long name one to show.
func (r *Run) nameLong(t *Tag) {
	if r.long == nil {
		r.long = make(map[string]*Tag)
	}
	t.Shown = Brief(t.Name)
	for r.long[t.Shown] != nil || r.tags[t.Shown] != nil { // somebody made it up
		t.Shown += "\uFFFD"
	}
	r.long[t.Shown] = t
}

// nameOdd gives the tags whose names are not UTF-8 names to show: none that is
// another tag's, and the same ones in whichever order the tags were met.
func (r *Run) nameOdd() {
	alike := make(map[string]int, len(r.order))
	for _, t := range r.order {
		alike[Text(t.Name)]++
	}
	for _, t := range r.order {
		text := Text(t.Name)
		if text == t.Name || r.brief && len(t.Name) > longName {
			continue
		}
		if t.Shown = text; alike[text] > 1 {
			t.Shown = escaped(t.Name)
			for r.tags[t.Shown] != nil {
				t.Shown += "\uFFFD"
			}
		}
	}
}

// changed notes that a file says something new of t.
func (r *Run) changed(t *Tag) {
	t.stale = true
	if t.doubtful {
		r.changes++
	}
}

// doubt notes that values of t may not be shown, or shown by a guess: because no file
// says what they are, or because values, or files, disagree. It is a list of the few
// tags at which File.unused has to look.
func (r *Run) doubt(t *Tag) {
	if !t.doubtful {
		t.doubtful = true
		r.doubts = append(r.doubts, t)
		r.changes++
	}
}

// weigh doubts the tag of a series whose values are not all of the form that the file's
// plug-in has.
func (r *Run) weigh(s *Series) {
	scalars, refs := s.Scalars.Len()-s.numbers, int64(len(s.Refs.Points))-s.numbers
	if c := s.claim; c.plugin == "" && scalars+refs+s.numbers > 0 || c.scalars && refs > 0 || !c.scalars && scalars > 0 {
		r.doubt(s.Tag)
	}
}

// settle works out what the files say together of t, if they said more since the last
// time. The first value's plug-in counts; if no value names one, the first that
// metadata alone name. Which file was read first makes no difference.
func (r *Run) settle(t *Tag) {
	if !t.stale {
		return
	}
	*t = Tag{Name: t.Name, Shown: t.Shown, doubtful: t.doubtful, said: t.said, claims: t.claims}
	valued := false
	values, numbers := 0, 0
	for _, f := range r.parts() {
		c := f.claims[t.Name]
		if c == nil {
			continue
		}
		if c.described && !t.described {
			t.described, t.DisplayName, t.Description = true, c.displayName, c.description
		}
		if c.plugin != "" && !valued && (c.valued || t.Plugin == "") {
			t.Plugin, t.Content, valued = c.plugin, c.content, c.valued
		}
		for _, g := range f.segments {
			if s := g.series[t.Name]; s != nil {
				values += int(s.Scalars.Len()) - int(s.numbers) + len(s.Refs.Points)
				numbers += int(s.Scalars.Len())
			}
		}
	}
	if t.Plugin == "" && values > 0 {
		// All of its values are tensors: others name a plug-in by their form.
		t.Guessed = true
		if values == numbers {
			t.Plugin = Points
		}
	}
	switch {
	case t.Plugin == Points && values > 0:
		t.Kind = Scalar
	case values > 0:
		t.Kind = Blob
	}
}

// Start returns the wall time of the run's first event, NaN if there is none: so runs
// have their places as soon as their heads have been seen.
func (r *Run) Start() float64 {
	for _, f := range r.parts() {
		if f.firstWall == f.firstWall {
			return f.firstWall
		}
		if g := f.glimpse; g != nil && (g.sketch || len(g.at) > 0 && g.at[0] == 0) {
			return g.file.firstWall // the file's own first event, by its head
		}
	}
	return math.NaN()
}

// piece is one series of a tag and the points of it that have been orphaned.
type piece struct {
	s       *Series
	file    *File
	cut     series.Cut
	from    int64 // number of its first point that counts
	glimpse Glimpse
}

// pieces returns the series of the tag of that name in reading order, with what
// restarts orphan laid over them (see the package comment), and with the preview of
// what has not been read yet if it is asked for.
//
// A start of the job counts from where the version is known on. Steps that go back
// count if no file of the run is a modern one.
func (r *Run) pieces(name string, preview bool) []piece {
	var out []piece
	parts := r.parts()
	if preview {
		parts = sketched(parts)
	}
	modern := r.modern(parts)
	starts := 0
	for i, f := range parts {
		for _, g := range f.segments {
			if g.starts && (g.counts || i > modern) {
				starts++
			}
		}
	}
	old := modern == len(parts)
	cut := series.NoCut
	// From the last segment back: what is seen is cut by every start behind it.
	for i := len(parts) - 1; i >= 0; i-- {
		f := parts[i]
		if preview && f.glimpse != nil && !f.glimpse.sketch {
			out = f.glimpse.pieces(out, name, f.Offset)
		}
		for k := len(f.segments) - 1; k >= 0; k-- {
			g := f.segments[k]
			if s := g.series[name]; s != nil {
				p := piece{s: s, file: f, cut: series.Cut{Step: cut}}
				if f.run == r.shadow {
					p.glimpse = Sketched
				}
				if old {
					if p.cut.Drops = s.drops; len(s.drops) > 0 {
						cut = min(cut, s.drops[0].Step)
					}
					if s.first && f.firstStep < lastStep(parts[:i]) {
						cut = min(cut, f.firstStep)
					}
				}
				out = append(out, p)
			}
			if g.starts && (g.counts || i > modern) {
				if starts--; starts > 0 { // the first start of a run purges nothing
					cut = min(cut, g.startStep)
				}
			}
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// modern returns the number of the first part that is modern, len(parts) if none is.
func (r *Run) modern(parts []*File) int {
	for i, f := range parts {
		if f.modern {
			return i
		}
	}
	return len(parts)
}

// lastStep returns the step of the last summary of parts.
func lastStep(parts []*File) int64 {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].summaries {
			return parts[i].lastStep
		}
	}
	return math.MinInt64
}

// Tags calls yield for each tag that has points or a plug-in, and for those that only
// the preview has met. A brief run tells long names and descriptions in part.
func (r *Run) Tags(yield func(t *Tag, info wire.Tag)) {
	for _, t := range r.order {
		r.settle(t)
		info := r.info(t)
		info.Points, info.Kept = r.count(t)
		if info.Points > 0 || t.described {
			yield(t, info)
		}
	}
	if r.shadow != nil {
		for _, t := range r.shadow.order {
			if r.shadow.settle(t); r.tags[t.Name] == nil && (t.Kind != Unknown || t.described) {
				yield(t, r.info(t))
			}
		}
	}
}

// info is what the data API says of the tag, without counts.
func (r *Run) info(t *Tag) wire.Tag {
	info := wire.Tag{Plugin: t.Plugin, DisplayName: Text(t.DisplayName), Description: Text(t.Description)}
	if r.brief {
		info.DisplayName, info.Description = Brief(info.DisplayName), briefly(info.Description)
	}
	if info.DisplayName == "" {
		info.DisplayName = t.Shown
	}
	return info
}

// count returns how many points of t's kind there are.
func (r *Run) count(t *Tag) (points, kept int64) {
	for _, p := range r.pieces(t.Name, false) {
		n, k := int64(0), int64(0)
		if t.Kind == Scalar {
			n, k = p.s.Scalars.Count(p.cut)
		} else {
			n = p.s.Refs.Count(p.cut)
			k = n
		}
		points, kept = points+n, kept+k
	}
	return points, kept
}

// Count returns how many points of its kind a tag has, those of previews not counted.
func (r *Run) Count(t *Tag) (points, kept int64) { return r.count(t) }

// Lookup returns the tag that is shown under that name, or nil.
func (r *Run) Lookup(name string) *Tag {
	if t := r.tags[name]; t != nil && t.Shown == name {
		r.settle(t)
		return t
	}
	if t := r.long[name]; t != nil {
		r.settle(t)
		return t
	}
	if r.odd {
		for _, t := range r.order {
			if t.Shown == name {
				r.settle(t)
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
// their previews, name first, and with every one that is forgotten.
func (r *Run) TagCount() int {
	if r.shadow != nil {
		return r.named + r.shadow.named
	}
	return r.named
}

// Points returns how many points the run's files hold, purged ones included, and
// how many are kept.
func (r *Run) Points() (logged, kept int64) {
	for _, f := range r.parts() {
		for _, g := range f.segments {
			for _, s := range g.order {
				n := int64(len(s.Refs.Points)) - s.numbers
				logged += s.Scalars.Len() + n
				kept += s.Scalars.Kept() + n
			}
		}
	}
	return logged, kept
}
