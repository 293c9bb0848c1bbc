package series

// Refs is one series of blobs: images, histograms, texts, graphs and every other
// value that is read from the file when it is looked at. A point holds where its
// bytes stand and not the bytes.
type Refs struct {
	Points []Ref
}

// Ref is one logged value that stays in the file.
type Ref struct {
	Step   int64
	Wall   float64 // seconds since 1970
	Offset int64   // in the file, of the first byte of the value's own message
	Length int32   // bytes of that message
	Form   uint8   // event.Form of the value, or one of the forms below
}

// Forms of a Ref beyond event.Form: values that are an event's own field.
const (
	GraphDef    = 64 + iota // a GraphDef
	MetaGraph               // a MetaGraphDef
	RunMetadata             // a RunMetadata
)

// Append adds a point.
func (r *Refs) Append(p Ref) { r.Points = append(r.Points, p) }

// Count returns how many points have a step less than cut.
func (r *Refs) Count(cut int64) int64 {
	if cut == NoCut {
		return int64(len(r.Points))
	}
	n := int64(0)
	for i := range r.Points {
		if r.Points[i].Step < cut {
			n++
		}
	}
	return n
}

// DropFrom removes the points with a step of cut or more for good.
func (r *Refs) DropFrom(cut int64) {
	kept := r.Points[:0]
	for _, p := range r.Points {
		if p.Step < cut {
			kept = append(kept, p)
		}
	}
	r.Points = kept
}
