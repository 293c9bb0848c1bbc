package scalars

import (
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

const (
	// zoomBytes is how much is read again for a zoom, all in all: as much as takes a
	// moment.
	zoomBytes = 32 << 20
	// recallPoints bounds the details that are kept for the next query.
	recallPoints = 2 << 20
)

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return &answerer{w: w, c: w.Catalog} }

type answerer struct {
	w        answer.World
	c        *catalog.Catalog
	curves   curves
	recalled []recall
}

// recall is a detail that was read for an earlier query. A card asks again and again
// about the same stretch: when the smoothing changes, and when a file grows.
type recall struct {
	tag string
	*catalog.Detail
}

// Forget implements answer.Answerer.
func (a *answerer) Forget() { a.recalled = nil }

// Begin implements answer.Answerer.
func (a *answerer) Begin(q *wire.Query) (answer.Job, error) {
	c, err := read(q)
	if err != nil {
		return nil, err
	}
	if q.Every {
		// A tag that was logged is that tag, whatever it looks like.
		logged := func(run string) bool { _, t := find(a.c, run, c.Tag); return t != nil }
		if derive.IsName(c.Tag) && len(c.Runs) > 0 && !slices.ContainsFunc(c.Runs, logged) {
			return nil, errComputed
		}
		return &exportJob{newEvery(a.c, c), a}, nil
	}
	return &zoom{a: a, q: c}, nil
}

// whole says of no run that every point is there whose files could not be read whole.
func (a *answerer) whole(parts []Part) []Part {
	for i := range parts {
		parts[i].Full = parts[i].Full && a.w.IsWhole(parts[i].Run)
	}
	return parts
}

// remember fills d with what was read of it before; it reports whether there was.
func (a *answerer) remember(tag string, d *catalog.Detail) bool {
	for _, r := range a.recalled {
		if r.tag == tag && r.Same(d) {
			d.Points = r.Points
			return true
		}
	}
	return false
}

// zoom answers a query for curves: at once with what is kept, and, where points of its
// range are not, a second time when those have been read.
type zoom struct {
	a       *answerer
	q       Curves
	begun   bool
	details map[string]map[string][]*catalog.Detail // by tag and run
	missing []missing                               // all that had to be read
	left    []missing                               // not read yet
	asked   []missing                               // of the last Need
	windows []source.Range
	tag     int    // of those asked for, that is being answered …
	run     int    // … and the run
	parts   []Part // that have been made
}

// missing is a detail that has to be read.
type missing struct {
	name string // of the tag, as it was asked for
	tag  *catalog.Tag
	*catalog.Detail
}

// Next implements answer.Job.
func (z *zoom) Next(out *answer.Out) answer.Step {
	// Tables, and what is between the edges of a band, are of the points that are kept.
	if len(z.q.Table) > 0 || len(z.q.Bands) > 0 {
		return answer.Step{Busy: !z.answer(out, nil)}
	}
	if !z.begun {
		if z.details == nil {
			z.look()
		}
		if len(z.missing) == 0 {
			return answer.Step{Busy: !z.answer(out, z.details)}
		}
		if !z.answer(out, nil) {
			return answer.Step{Busy: true}
		}
		z.begun, z.left = true, z.missing
		return answer.Step{More: true}
	}
	if need := z.need(); len(need) > 0 {
		return answer.Step{Need: need}
	}
	if !z.answer(out, z.details) {
		return answer.Step{Busy: true}
	}
	z.keep()
	return answer.Step{}
}

// look finds what must be read again for every point of the range.
func (z *zoom) look() {
	z.details = make(map[string]map[string][]*catalog.Detail)
	most := int64(zoomBytes)
	for _, tag := range append([]string{z.q.Tag}, z.q.Others...) {
		q := z.q
		q.Tag = tag
		of := details(z.a.c, &q, most)
		z.details[tag] = of
		for _, name := range q.Runs {
			for _, d := range of[name] {
				most -= d.Length
				if !z.a.remember(tag, d) {
					z.missing = append(z.missing, missing{tag, z.a.c.Runs[name].Lookup(tag), d})
				}
			}
		}
	}
}

// answer answers for all tags, with the details that have been read, run by run for as long
// as its turn lasts; it reports whether that was all.
func (z *zoom) answer(out *answer.Out, details map[string]map[string][]*catalog.Detail) bool {
	tags, begun := 1+len(z.q.Others), false
	for ; z.tag < tags; z.tag, z.run = z.tag+1, 0 {
		q := z.q
		if z.tag > 0 {
			q.Tag = z.q.Others[z.tag-1]
		}
		if q.Bands = nil; len(z.q.Bands) > 0 && len(q.Table) == 0 {
			q.Bands = z.q.Bands[z.tag : z.tag+1]
		}
		for ; z.run < len(z.q.Runs); z.run++ {
			if begun && out.Late() {
				return false
			}
			begun = true
			before := len(z.parts)
			if q.Runs = z.q.Runs[z.run : z.run+1]; len(q.Table) > 0 {
				var rows []Part
				out.Words, rows = z.a.curves.table(z.a.c, &q, out.Words)
				z.parts = append(z.parts, rows...)
			} else {
				out.Words, z.parts = z.a.curves.add(z.a.c, &q, details[q.Tag], out.Words, z.parts)
			}
			for i := range z.a.whole(z.parts[before:]) {
				z.parts[before+i].Tag = z.tag
			}
		}
	}
	out.Parts = Parts(z.parts)
	z.tag, z.run, z.parts = 0, 0, nil
	return true
}

// need returns the next windows of what is missing.
func (z *zoom) need() []source.Range {
	z.windows, z.asked = z.windows[:0], z.asked[:0]
	var rest []missing
	total := int64(0)
	for _, m := range z.left {
		r, more := m.Next(m.tag)
		if !more {
			continue
		}
		rest = append(rest, m)
		if total == 0 || total+r.Length <= zoomBytes {
			z.windows, z.asked = append(z.windows, r), append(z.asked, m)
			total += r.Length
		}
	}
	z.left = rest
	return z.windows
}

// Take implements answer.Job.
func (z *zoom) Take(i int, data []byte) {
	z.asked[i].Take(z.asked[i].tag, data, z.windows[i])
}

// Fail implements answer.Job. The kept points are shown as before.
func (z *zoom) Fail(i int, _ error) { z.asked[i].Fail() }

// keep keeps what was read for the next query.
func (z *zoom) keep() {
	a := z.a
	total := 0
	for _, r := range a.recalled {
		total += r.Points.Len()
	}
	for _, m := range z.missing {
		if total += m.Points.Len(); m.Filled() {
			a.recalled = append(a.recalled, recall{m.name, m.Detail})
		}
	}
	for len(a.recalled) > 0 && total > recallPoints {
		total -= a.recalled[0].Points.Len()
		a.recalled = a.recalled[1:]
	}
}

// exportJob answers a query for every point.
type exportJob struct {
	*every
	a *answerer
}

// Next implements answer.Job.
func (j *exportJob) Next(out *answer.Out) answer.Step {
	words, parts, more, need := j.next(out.Words)
	if need.Length > 0 {
		return answer.Step{Need: []source.Range{need}}
	}
	out.Words, out.Parts = words, Parts(j.a.whole(parts))
	return answer.Step{More: more}
}

// Take implements answer.Job.
func (j *exportJob) Take(_ int, data []byte) { j.take(data) }

// Fail implements answer.Job.
func (j *exportJob) Fail(int, error) { j.fail() }
