package catalog

import "github.com/tensorbored/tensorbored-static/shared/series"

// Sketch
//
// What the cache holds of a large logdir comes in a second, of which most is spent on
// points that no picture of the first second shows. So beside the stored form of a file
// stands a sketch of it: the same form with its curves thinned to SketchPoints and without
// all other values. Sketches of 100 files of 11 MB with 20 tags take 4 MB, where their
// stored forms take 100. A sketch is shown as a preview, until the stored form has come.

// SketchPoints is about how many points of each curve a sketch has.
const SketchPoints = 160

// AppendSketch appends the sketch of f to b. Restarts of the job stand in it as in f; what
// is not judged yet at the end of the file is left out.
func (f *File) AppendSketch(b []byte) []byte {
	g := &File{Path: f.Path, Offset: f.Offset, modern: f.modern, summaries: f.summaries,
		firstWall: f.firstWall, firstStep: f.firstStep, lastStep: f.lastStep}
	used := make(map[*claim]bool)
	for _, of := range f.segments {
		part := &segment{starts: of.starts, counts: of.counts, startStep: of.startStep}
		for _, s := range of.order {
			if s.Scalars.Len() == 0 {
				continue
			}
			used[s.claim] = true
			c := &Series{Tag: s.Tag, claim: s.claim, first: s.first, Scalars: s.Scalars.Sketch(SketchPoints)}
			for _, d := range s.drops {
				c.drops = append(c.drops, series.Drop{Points: d.Points, Step: d.Step})
			}
			part.order = append(part.order, c)
		}
		g.segments = append(g.segments, part)
	}
	for _, c := range f.order {
		if used[c] {
			g.order = append(g.order, c)
		}
	}
	return g.AppendStored(b)
}

// Sketch has f, of which nothing has been read, shown by a sketch until EndPreview. Its
// error is ErrStored.
func (f *File) Sketch(b []byte) error {
	f.EndPreview()
	g := f.run.shade().AddFile(f.Path)
	if err := g.Restore(b); err != nil {
		f.run.shadow.Remove(g)
		return err
	}
	f.glimpse = &preview{file: g, sketch: true}
	return nil
}

// sketched returns parts with sketches in the place of the files that they stand for.
func sketched(parts []*File) []*File {
	out := parts
	for i, f := range parts {
		if g := f.glimpse; g != nil && g.sketch {
			if &out[0] == &parts[0] {
				out = append([]*File(nil), parts...)
			}
			out[i] = g.file
		}
	}
	return out
}
