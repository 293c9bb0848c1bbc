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
	Offset int64   // in the file, of the first byte of the value's own message; see Merged
	Length int32   // bytes of that message
	Form   uint8   // event.Form of the value, or one of the forms below
}

// Forms of a Ref beyond event.Form: values that are an event's own field.
const (
	GraphDef    = 64 + iota // a GraphDef
	MetaGraph               // a MetaGraphDef
	RunMetadata             // a RunMetadata
	// Number is a TensorProto that is one real number, which is also a point of the
	// Scalars beside the Refs: what the tag is had not been said when it came.
	Number
)

// Merged is added to the form of a value whose message came in parts, which have no
// place of their own in the file: Offset and Length are then those of the whole
// event, and the value has to be put together again.
const Merged = 128

// Append adds a point.
func (r *Refs) Append(p Ref) { r.Points = append(r.Points, p) }

// Count returns how many points cut leaves.
func (r *Refs) Count(cut Cut) int64 {
	if cut.Step == NoCut && len(cut.Drops) == 0 {
		return int64(len(r.Points))
	}
	n := int64(0)
	r.Each(cut, func(*Ref) { n++ })
	return n
}

// Each calls f for the points that cut leaves, in order.
func (r *Refs) Each(cut Cut, f func(*Ref)) {
	k := 0
	for i := range r.Points {
		for k < len(cut.Drops) && cut.Drops[k].Refs <= int64(i) {
			k++
		}
		at := cut.Step
		if k < len(cut.Drops) {
			at = min(at, cut.Drops[k].Step)
		}
		if at == NoCut || r.Points[i].Step < at {
			f(&r.Points[i])
		}
	}
}
