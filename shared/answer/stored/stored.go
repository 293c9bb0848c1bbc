// Package stored answers queries about values that stay in their files: texts, images,
// clips. A card knows the steps of all of them and reads those that are looked at.
package stored

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Query says which values of a tag in one run are wanted: the beginning of the body of a
// wire.Query with one tag and one run. With wire.Query.Every all are answered, in pieces.
type Query struct {
	// From and N are which values are wanted, by number from 0 on in the order in which
	// they were logged; a negative From counts from the end. N = 0 asks for the steps
	// alone.
	From int `json:"from"`
	N    int `json:"n"`
	// Have is how many values the asker knows already, and Version what was said of
	// them. If they are the same still, the answer's steps are those behind them.
	Have    int    `json:"have,omitempty"`
	Version string `json:"version,omitempty"`
}

// Head is what an answer says of all values of the tag.
type Head struct {
	Run string `json:"run"`
	// Version tells these values from others; see Query.Have.
	Version string `json:"version"`
	Count   int    `json:"count"` // values that there are
	// Same says that the asker's Have values are the first ones still. Steps are then
	// those behind them; otherwise those of all.
	Same  bool    `json:"same,omitempty"`
	Steps []int64 `json:"steps"`
	From  int     `json:"from"` // number of the first value that is answered
}

// Limits are how much is read at a time.
type Limits struct {
	Skip   int64 // bytes that are left out at the beginning of each value, which counts as cut then
	Value  int64 // bytes of one value: of a longer one its beginning is read
	Answer int64 // bytes of values in an answer, about
	Values int   // that are read at a time; 0 is any number
}

// Job reads values and answers them, some at a time. It is a part of a kind's own Job.
type Job struct {
	Head  Head
	Found bool // the run has the tag

	tag    *catalog.Tag
	values []catalog.Stored
	order  []int // numbers of the values that are wanted …
	at     int   // … of which this many have been answered
	limits Limits
	need   []source.Range
}

// Value is one that has been read, or not.
type Value struct {
	catalog.Stored
	Number int    // among all values
	Body   []byte // its message, while it is used; see series.Ref
	Cut    bool   // it is longer than Limits.Value: Body is what stands in the file, and its beginning only
	Err    error  // why there is no Body
}

// WallTime is when it was logged, in seconds since 1970; nil if that is no time.
func (v *Value) WallTime() *float64 {
	if v.Wall-v.Wall != 0 {
		return nil
	}
	w := v.Wall
	return &w
}

// errLong says that a value was not read whole.
var errLong = errors.New("this value is larger than what is read")

// ErrShort says that a file has fewer bytes than it had.
var ErrShort = errors.New("the file is shorter than it was: reload")

// Parse reads a query's body into q and checks that it asks for one tag of one run; noun
// is what the kind calls its values.
func Parse(w *wire.Query, noun string, q any) error {
	if len(w.Body) > 0 {
		if err := json.Unmarshal(w.Body, q); err != nil {
			return &wire.QueryError{What: err.Error()}
		}
	}
	if len(w.Tags) != 1 || len(w.Runs) != 1 {
		return &wire.QueryError{What: noun + " are asked for by one run and one tag"}
	}
	return nil
}

// New begins to answer q.
func New(c *catalog.Catalog, w *wire.Query, q Query, limits Limits) *Job {
	j := &Job{Head: Head{Run: w.Runs[0], Steps: []int64{}}, limits: limits}
	if run := c.Runs[w.Runs[0]]; run != nil {
		if t := run.Lookup(w.Tags[0]); t != nil {
			j.Found, j.tag = true, t
			j.values = run.Stored(t, nil)
		}
	}
	n := len(j.values)
	known := 0
	if q.Have > 0 && q.Have <= n && q.Version != "" && version(j.values[:q.Have]) == q.Version {
		j.Head.Same, known = true, q.Have
	}
	for _, v := range j.values[known:] {
		j.Head.Steps = append(j.Head.Steps, v.Step)
	}
	j.Head.Count = n
	if j.Head.Version = q.Version; known < n || !j.Head.Same {
		j.Head.Version = version(j.values)
	}
	if w.Every {
		q.From, q.N = 0, n
	}
	if q.From < 0 {
		q.From = max(0, n+q.From)
	}
	first := min(q.From, n)
	for i := range min(max(q.N, 0), n-first) {
		j.order = append(j.order, first+i)
	}
	j.Head.From = first
	return j
}

// version is a hash of where values stand and when they were logged, and of how often another file
// stood there.
func version(values []catalog.Stored) string {
	h := fnv.New64a()
	var b [32]byte
	path := ""
	for i := range values {
		v := &values[i]
		if v.Path != path {
			path = v.Path
			h.Write([]byte(path))
			h.Write([]byte{byte(v.Others)})
		}
		put(b[0:], uint64(v.Step))
		put(b[8:], math.Float64bits(v.Wall))
		put(b[16:], uint64(v.Offset))
		put(b[24:], uint64(v.Length))
		h.Write(b[:])
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

func put(b []byte, v uint64) {
	for i := range 8 {
		b[i] = byte(v >> (8 * i))
	}
}

// Values are all values that there are, in the order in which they were logged.
func (j *Job) Values() []catalog.Stored { return j.values }

// Chosen are the numbers of the values that are wanted.
func (j *Job) Chosen() []int { return j.order }

// Body makes the message of a value of what stands in its file; see catalog.Tag.Body.
func (j *Job) Body(v *catalog.Stored, data []byte) ([]byte, error) { return j.tag.Body(v.Ref, data) }

// Content is the plug-in's own data in the tag's metadata, unless the asker has been told.
func (j *Job) Content() []byte {
	if !j.Found || j.Head.Same {
		return nil
	}
	return j.tag.Content
}

// Select makes the values of these numbers the wanted ones.
func (j *Job) Select(order []int) { j.order, j.at = order, 0 }

// SelectAll makes all values the wanted ones.
func (j *Job) SelectAll() {
	j.order, j.at = j.order[:0], 0
	for i := range j.values {
		j.order = append(j.order, i)
	}
}

// Need returns the ranges of the next values, none when all have been answered. Each of
// them is then given to Value, or has failed.
func (j *Job) Need() []source.Range {
	j.need = nil
	total := int64(0)
	for i := j.at; i < len(j.order) && (total == 0 || total < j.limits.Answer) && (j.limits.Values == 0 || i-j.at < j.limits.Values); i++ {
		v := &j.values[j.order[i]]
		skip := min(int64(v.Length), j.limits.Skip)
		n := min(int64(v.Length)-skip, j.limits.Value)
		total += n
		j.need = append(j.need, source.Range{Path: v.Path, Offset: v.Offset + skip, Length: n})
	}
	return j.need
}

// Value returns number i of the last Need, of which data has been read; err says why it
// has not been.
func (j *Job) Value(i int, data []byte, err error) Value {
	v := Value{Number: j.order[j.at+i]}
	v.Stored = j.values[v.Number]
	v.Cut = int64(v.Length) > j.need[i].Length
	switch {
	case err != nil:
		v.Err = errors.New("this value could not be read: " + err.Error())
	case int64(len(data)) < j.need[i].Length:
		v.Err = ErrShort
	case v.Cut:
		v.Body = data
	default:
		v.Body, v.Err = j.tag.Body(v.Ref, data)
	}
	return v
}

// Done ends the answer with the values of the last Need: head is its part, more says that
// another answer follows.
func (j *Job) Done() (head Head, more bool) {
	head = j.Head
	if j.at < len(j.order) {
		head.From = j.order[j.at]
	}
	j.at += len(j.need)
	j.need = nil
	if more = j.at < len(j.order); more {
		j.Head.Steps = []int64{} // they have been said
		j.Head.Same = true
	}
	return head, more
}

// Is reports whether the value has a form.
func (v *Value) Is(f event.Form) bool { return event.Form(v.Form&^series.Merged) == f }
