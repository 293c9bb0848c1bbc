// Package values is the kind of data "values": the bytes of any value that stays in its file,
// as they were logged, whatever plug-in it is of: a tensor, a graph, a mesh. With
// wire.Query.Every they come in pieces, so a worker's memory stays level however large a value
// is.
package values

import (
	"errors"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind.
const Name = "values"

const (
	// MaxBytes is how many bytes of values one answer holds; with wire.Query.Every an answer
	// is a piece of PieceBytes at most.
	MaxBytes = 32 << 20
	// PieceBytes is how many bytes a piece holds, and how many are read at a time.
	PieceBytes = 4 << 20
	// maxMerged bounds values whose message came in parts, which are read whole.
	maxMerged = 256 << 20
)

// Query asks for the bytes of a tag's values in one run: the body of a wire.Query with one
// tag and one run. From and N choose the values, also with wire.Query.Every.
type Query struct {
	stored.Query
	At  int64 `json:"at,omitempty"`  // the first byte of each value that is wanted
	Max int64 `json:"max,omitempty"` // how many of each are wanted; 0: all
}

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
type Part struct {
	stored.Head
	// Content is the plug-in's own data in the tag's metadata; missing where Same says that the
	// asker has been told.
	Content []byte `json:"content,omitempty"`
	Items   []Item `json:"items"`
}

// Item is a value, or a piece of one: some bytes of its message, which stand in the buffer.
type Item struct {
	Number int      `json:"number"` // among all values
	Step   int64    `json:"step"`
	Wall   *float64 `json:"wall"`   // seconds since 1970; null if it is no time
	Form   string   `json:"form"`   // which message it is; see Form
	Size   int64    `json:"size"`   // bytes of the message; 0 while that is not known
	At     int64    `json:"at"`     // of the first byte in the buffer
	Offset int      `json:"offset"` // where they stand in the buffer
	Length int      `json:"length"`
	Error  string   `json:"error,omitempty"` // why there are none
}

// Form names the message that a value is: "tensor" for a TensorProto, "image", "audio" and
// "histogram" for those of old summaries, "graph" (GraphDef), "meta_graph", "run_metadata".
func Form(form uint8) string {
	switch form &^ series.Merged {
	case uint8(event.Image):
		return "image"
	case uint8(event.Audio):
		return "audio"
	case uint8(event.Histo):
		return "histogram"
	case series.GraphDef:
		return "graph"
	case series.MetaGraph:
		return "meta_graph"
	case series.RunMetadata:
		return "run_metadata"
	}
	return "tensor"
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind: it shows none, and gives those of all.
func (Kind) Plugins() []string { return nil }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return answerer{w.Catalog} }

type answerer struct{ c *catalog.Catalog }

// Forget implements answer.Answerer: nothing is kept.
func (answerer) Forget() {}

// Begin implements answer.Answerer.
func (a answerer) Begin(w *wire.Query) (answer.Job, error) {
	var q Query
	if err := stored.Parse(w, "values", &q); err != nil {
		return nil, err
	}
	if q.At < 0 || q.Max < 0 {
		return nil, &wire.QueryError{What: "a part of a value begins at a byte, and has a length"}
	}
	every := w.Every
	one := *w
	one.Every = false // which values is said by From and N
	j := &job{Job: stored.New(a.c, &one, q.Query, stored.Limits{}), every: every}
	left := int64(MaxBytes)
	for _, n := range j.Chosen() {
		v := &value{Stored: j.Values()[n], job: j.Job}
		v.Item = Item{Number: n, Step: v.Stored.Step, Wall: (&stored.Value{Stored: v.Stored}).WallTime(), Form: Form(v.Stored.Form)}
		v.from, v.most = q.At, q.Max
		v.end = int64(v.Stored.Length)
		if v.Stored.Form&series.Merged != 0 {
			v.merged = true
			if v.end > maxMerged {
				v.fail(fmt.Errorf("this value came in parts and is larger than what is read (%d bytes)", v.end))
			}
		} else {
			v.Size = v.end
			v.cut()
		}
		if n := v.end - v.at; !every && n > left {
			v.fail(fmt.Errorf("this value is larger than what is answered at once (%d bytes): ask for a part of it", n))
		} else {
			left -= n
		}
		j.left = append(j.left, v)
	}
	return j, nil
}

// value is one that is being read.
type value struct {
	catalog.Stored
	Item
	job        *stored.Job
	from, most int64 // as asked
	at, end    int64 // of the message: what is left to be read
	merged     bool  // it is read whole, and its message made of that
	bytes      []byte
}

// cut leaves the part of the message that was asked for.
func (v *value) cut() {
	v.at = min(v.from, v.Size)
	if v.Item.At = v.at; v.most > 0 {
		v.end = v.at + min(v.most, v.Size-v.at)
	}
}

func (v *value) fail(err error) {
	v.Error, v.bytes, v.at = err.Error(), nil, v.end
	v.merged = false
}

// need is the next range of the file.
func (v *value) need() (source.Range, bool) {
	if v.at >= v.end {
		return source.Range{}, false
	}
	n := v.end - v.at
	if !v.merged {
		n = min(n, PieceBytes-int64(len(v.bytes)))
	}
	return source.Range{Path: v.Path, Offset: v.Stored.Offset + v.at, Length: n}, n > 0
}

func (v *value) take(data []byte, want int64) {
	switch {
	case int64(len(data)) < want:
		v.fail(stored.ErrShort)
	case v.merged:
		body, err := v.job.Body(&v.Stored, data)
		if err != nil {
			v.fail(err)
			return
		}
		v.Size, v.end, v.merged = int64(len(body)), int64(len(body)), false
		v.cut()
		v.bytes = append(v.bytes, body[v.at:v.end]...)
		v.at = v.end
	default:
		v.bytes = append(v.bytes, data...)
		v.at += want
	}
}

// give puts what has been read into an answer, a piece of it at most.
func (v *value) give(out *answer.Out, most int) Item {
	n := min(len(v.bytes), most)
	v.Item.Offset, v.Item.Length = len(out.Bytes), n
	out.Bytes = append(out.Bytes, v.bytes[:n]...)
	item := v.Item
	v.Item.At += int64(n)
	if v.bytes = v.bytes[n:]; len(v.bytes) == 0 {
		v.bytes = nil
	}
	return item
}

// job answers a query.
type job struct {
	*stored.Job
	every bool
	left  []*value
	asked []*value // of the last Need
	want  []int64
	said  bool // the steps have been
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	of := j.left
	if j.every {
		of = j.left[:min(1, len(j.left))]
	}
	var need []source.Range
	j.asked, j.want = j.asked[:0], j.want[:0]
	for _, v := range of {
		if r, ok := v.need(); ok {
			need, j.asked, j.want = append(need, r), append(j.asked, v), append(j.want, r.Length)
		}
		if len(need) == 512 {
			break
		}
	}
	if len(need) > 0 {
		return answer.Step{Need: need}
	}
	if !j.every {
		for _, v := range of {
			if v.at < v.end { // its buffer holds a piece, and is to hold all
				return j.more(v)
			}
		}
	}
	p := Part{Head: j.Head, Content: j.Content(), Items: []Item{}}
	most := MaxBytes
	if j.every {
		most = PieceBytes
	}
	if j.said {
		p.Steps, p.Same, p.Content = []int64{}, true, nil
	}
	j.said = true
	for _, v := range of {
		p.Items = append(p.Items, v.give(out, most))
		if j.every && len(v.bytes) == 0 && v.at >= v.end {
			j.left = j.left[1:]
		}
	}
	parts := []Part{}
	if j.Found {
		parts = append(parts, p)
	}
	out.Parts = parts
	return answer.Step{More: j.every && len(j.left) > 0}
}

// more asks for the next range of a value whose bytes are gathered.
func (j *job) more(v *value) answer.Step {
	n := min(PieceBytes, v.end-v.at)
	j.asked, j.want = append(j.asked[:0], v), append(j.want[:0], n)
	return answer.Step{Need: []source.Range{{Path: v.Path, Offset: v.Stored.Offset + v.at, Length: n}}}
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) { j.asked[i].take(data, j.want[i]) }

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) {
	j.asked[i].fail(errors.New("this value could not be read: " + err.Error()))
}
