package summary

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// separators are the characters of a tag that a directory name cannot hold.
var separators = strings.NewReplacer("/", "_", "\\", "_", "\x00", "_")

// Scalars writes several curves that belong in one chart: one point for each
// key, all with the same tag. Each key becomes a run of its own, in the
// directory <run>/<tag>_<key> with "/" written as "_", because a chart draws
// one curve per run; that is PyTorch's add_scalars. It keeps one file open per
// key. Options are those of Scalar.
func (w *Writer) Scalars(tag string, values map[string]float64, step int64, opts ...Option) error {
	if w.dir == "" {
		return &NoDirectoryError{"Scalars"}
	}
	if err := checkTag(tag); err != nil {
		return err
	}
	// All at the same time, and in an order that does not change.
	s, err := gather("Scalars", tag, scalarOptions, opts)
	if err != nil {
		return err
	}
	opts = append(slices.Clip(opts), WallSeconds(w.now(&s)))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		sub, err := w.subrun(separators.Replace(tag) + "_" + separators.Replace(key))
		if err != nil {
			return err
		}
		if err := sub.Scalar(tag, values[key], step, opts...); err != nil {
			return err
		}
	}
	return nil
}

// subrun returns the Writer of a sub-run, which it opens at the first call.
func (w *Writer) subrun(name string) (*Writer, error) {
	w.subMu.Lock()
	defer w.subMu.Unlock()
	w.mu.Lock()
	err := w.begin() // also keeps a file from being opened after Close
	w.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if sub := w.subruns[name]; sub != nil {
		return sub, nil
	}
	sub, err := NewWriter(filepath.Join(w.dir, name), w.opts)
	if err != nil {
		return nil, err
	}
	if w.subruns == nil {
		w.subruns = map[string]*Writer{}
	}
	w.subruns[name] = sub
	return sub, nil
}

// eachSubrun calls f for all sub-runs, in the order of their names, and returns
// the first error.
func (w *Writer) eachSubrun(f func(*Writer) error) (first error) {
	w.subMu.Lock()
	defer w.subMu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(w.subruns)) {
		if err := f(w.subruns[name]); err != nil && first == nil {
			first = err
		}
	}
	return first
}
