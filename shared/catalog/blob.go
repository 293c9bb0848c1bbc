package catalog

import "github.com/tensorbored/tensorbored-static/shared/series"

// Stored is a logged value of which only the place is kept: an image, a text, a graph.
type Stored struct {
	series.Ref
	Path   string // of its file in the logdir
	Others int    // of its file
}

// Stored appends the values of t that are kept by reference to dst, in file order, after
// purges. Tag.Body makes the value of the bytes that stand there.
func (r *Run) Stored(t *Tag, dst []Stored) []Stored {
	for _, p := range r.pieces(t.Name, false) {
		p.s.Refs.Each(p.cut, func(ref *series.Ref) { dst = append(dst, Stored{*ref, p.file.Path, p.file.Others}) })
	}
	return dst
}
