package catalog

import (
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Preview
//
// A curve's shape is known long before all its bytes have been read. The framing
// can be found again from any offset (tfrecord.Find), so a few windows spread over
// a file give points over its whole range, and work grows with the number of files,
// not with their bytes.
//
// A preview only previews. Its points are shown where the exact read has not come
// yet, window by window, and it is dropped when the file has been read. It has a
// shadow run of its own, so nothing exact is made from it; a window that a payload
// full of frames has fooled shows wrong points until the exact read comes by, and
// no longer.

// preview is what windows of a file showed: one segment, in which the points of one
// window follow those of the one before; or a sketch of the whole file, see sketch.go.
type preview struct {
	file   *File   // in the shadow run
	sketch bool    // it is one
	at     []int64 // where the windows' first records stand
	before [][]int // for each window, how many points each series had before it
}

// Glimpse says whether what is shown comes from previews, and of which sort.
type Glimpse uint8

const (
	Exact    Glimpse = iota // there is nothing of a preview
	Sketched                // some of it is of sketches: spread over the whole file
	Sampled                 // some of it is of windows, between which nothing is known
)

// PreviewWindow is a stretch of a file, for its preview.
type PreviewWindow struct{ Offset, Length int64 }

// Sizes of a preview, in bytes. Measured on 100 files of 11 MB with 20 tags: 24
// windows of 8 KiB show each curve in 24 places with some 7 points each.
const (
	previewHead    = 16 << 10 // also holds the version and the first metadata
	previewTail    = 24 << 10
	previewBetween = 8 << 10
	// previewPer is how many bytes of a file there are for each window, at least: a
	// window costs a browser a third of a millisecond, however short it is, and a
	// preview of what is read in a second or two is not looked at for long.
	previewPer = 2 << 20
	// previewWindows is how many windows a file has between head and tail, when
	// there are few files.
	previewWindows = 24
	// previewAll is how many windows all files have together, at most: beyond
	// that each has fewer, but not less than previewFew.
	previewAll = 1600
	previewFew = 4
	// PreviewFrom is the size of the smallest file that is previewed. A smaller
	// one is read in the same time.
	PreviewFrom = 512 << 10
)

// PreviewWindows returns the windows for a file of size bytes that is one of files
// that are previewed together, in file order. A file below PreviewFrom has none.
func PreviewWindows(size int64, files int) []PreviewWindow {
	if size < PreviewFrom {
		return nil
	}
	n := max(previewFew, min(previewWindows, previewAll/max(files, 1), int(size/previewPer)))
	out := []PreviewWindow{{0, previewHead}}
	step := (size - previewHead - previewTail) / int64(n)
	for i := range int64(n) {
		out = append(out, PreviewWindow{previewHead + i*step + step/2, previewBetween})
	}
	return append(out, PreviewWindow{size - previewTail, previewTail})
}

// Preview takes the bytes of one of the windows. Windows must be given in file
// order.
func (f *File) Preview(w PreviewWindow, data []byte) {
	if f.glimpse == nil {
		f.glimpse = &preview{file: f.run.shade().AddFile(f.Path)}
		f.glimpse.file.modern = true // steps that go back are not judged by glimpses
	}
	p := f.glimpse
	i := 0
	if w.Offset > 0 {
		if i = tfrecord.Find(data, 0); i < 0 {
			return
		}
	}
	p.at = append(p.at, w.Offset+int64(i))
	g := p.file.cur
	before := make([]int, len(g.order))
	for k, s := range g.order {
		before[k] = int(s.Scalars.Len())
	}
	p.before = append(p.before, before)
	for {
		payload, size, s := tfrecord.Cut(data[i:])
		if s != tfrecord.OK {
			// The end of the window, or damage that the exact read will report.
			break
		}
		offset := w.Offset + int64(i)
		if !p.file.plain(payload, data[i:i+size], offset) {
			if err := p.file.event(payload, offset); err != nil {
				break
			}
			// A start of the job changes nothing here.
			p.file.segments, p.file.cur = p.file.segments[:1], g
		}
		i += size
	}
	p.file.ev, p.file.value = event.Event{}, event.Value{}
}

// shade returns the shadow run.
func (r *Run) shade() *Run {
	if r.shadow == nil {
		r.shadow = NewRun(r.Name)
		r.shadow.brief, r.shadow.room = r.brief, r.room
	}
	return r.shadow
}

// EndPreview drops the preview: the file has been read.
func (f *File) EndPreview() {
	if f.glimpse != nil {
		f.run.shadow.Remove(f.glimpse.file)
		f.glimpse = nil
	}
}

// HasPreview reports whether there is a preview.
func (f *File) HasPreview() bool { return f.glimpse != nil }

// pieces appends what the windows that begin at or behind from show of a tag.
func (p *preview) pieces(out []piece, name string, from int64) []piece {
	s := p.file.cur.series[name]
	k := sort.Search(len(p.at), func(k int) bool { return p.at[k] >= from })
	if s == nil || k == len(p.at) {
		return out
	}
	first := int64(0)
	if s.number < len(p.before[k]) {
		first = int64(p.before[k][s.number])
	}
	if first == s.Scalars.Len() {
		return out
	}
	return append(out, piece{s: s, file: p.file, cut: series.Whole, from: first, glimpse: Sampled})
}
