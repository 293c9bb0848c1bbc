// Package text is the kind of data "text": what a job logged as words, tables, Markdown.
// A value is a tensor of strings of any rank; it stays in its file and is read when it is
// looked at.
package text

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = "text"

const (
	// MaxItem is how many bytes of one value are read: beyond that a text is cut, and
	// Item.Cut says so.
	MaxItem = 4 << 20
	// maxAnswer is how many bytes of values an answer holds, about.
	maxAnswer = 8 << 20
)

// Query asks for a tag's texts in one run: the body of a wire.Query with one tag and one
// run. With wire.Query.Every all texts are answered, in pieces.
type Query struct {
	// From and N are which values are wanted, by number from 0 on in the order in which
	// they were logged; a negative From counts from the end. N = 0 asks for the steps
	// alone.
	From int `json:"from"`
	N    int `json:"n"`
}

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
type Part struct {
	Run   string  `json:"run"`
	Steps []int64 `json:"steps"` // of all values that there are
	From  int     `json:"from"`  // number of the first of Items
	Items []Item  `json:"items"`
}

// Item is one logged value.
type Item struct {
	Step  int64    `json:"step"`
	Wall  *float64 `json:"wall"`            // seconds since 1970; null if it is no time
	Shape []int64  `json:"shape"`           // of the tensor; its product is the number of texts
	Texts []string `json:"texts"`           // row by row; untrusted
	Cut   bool     `json:"cut,omitempty"`   // the value is longer than MaxItem: this is its beginning
	Error string   `json:"error,omitempty"` // why there is no text
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return answerer{w.Catalog} }

type answerer struct{ c *catalog.Catalog }

// Forget implements answer.Answerer: nothing is kept.
func (answerer) Forget() {}

// Begin implements answer.Answerer.
func (a answerer) Begin(q *wire.Query) (answer.Job, error) {
	var body Query
	if len(q.Body) > 0 {
		if err := json.Unmarshal(q.Body, &body); err != nil {
			return nil, &wire.QueryError{What: err.Error()}
		}
	}
	if len(q.Tags) != 1 || len(q.Runs) != 1 {
		return nil, &wire.QueryError{What: "texts are asked for by one run and one tag"}
	}
	j := &job{part: Part{Run: q.Runs[0], Steps: []int64{}}}
	if run := a.c.Runs[q.Runs[0]]; run != nil {
		if t := run.Lookup(q.Tags[0]); t != nil {
			j.found, j.tag = true, t
			j.blobs = run.Stored(t, nil)
		}
	}
	n := len(j.blobs)
	for _, b := range j.blobs {
		j.part.Steps = append(j.part.Steps, b.Step)
	}
	if q.Every {
		body = Query{N: n}
	}
	if body.From < 0 {
		body.From = max(0, n+body.From)
	}
	j.at = min(body.From, n)
	j.end = j.at + min(max(body.N, 0), n-j.at)
	return j, nil
}

// job answers a query: read some values, answer them, read some more.
type job struct {
	part    Part
	found   bool
	tag     *catalog.Tag
	blobs   []catalog.Stored
	at, end int // of blobs, that are still to be answered
	need    []source.Range
	items   []Item
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	if j.need == nil && j.at < j.end {
		total := int64(0)
		for i := j.at; i < j.end && (total == 0 || total < maxAnswer); i++ {
			b := j.blobs[i]
			n := min(int64(b.Length), MaxItem)
			total += n
			j.need = append(j.need, source.Range{Path: b.Path, Offset: b.Offset, Length: n})
			item := Item{Step: b.Step, Shape: []int64{}, Texts: []string{}, Cut: int64(b.Length) > n}
			if b.Wall-b.Wall == 0 {
				item.Wall = &b.Wall
			}
			j.items = append(j.items, item)
		}
		return answer.Step{Need: j.need}
	}
	p := j.part
	p.From, p.Items = j.at, j.items
	if p.Items == nil {
		p.Items = []Item{}
	}
	parts := []Part{}
	if j.found {
		parts = append(parts, p)
	}
	out.Parts = parts
	j.at += len(j.items)
	j.need, j.items = nil, nil
	return answer.Step{More: j.at < j.end}
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) {
	item := &j.items[i]
	if int64(len(data)) < j.need[i].Length {
		item.Error = "the file is shorter than it was: reload"
		return
	}
	body, err := j.tag.Body(j.blobs[j.at+i].Ref, data)
	var shape []int64
	var elements [][]byte
	if err == nil {
		shape, elements, err = event.Strings(body)
	}
	if err != nil && item.Cut {
		elements, err = event.CutStrings(data), nil
		shape = []int64{int64(len(elements))}
	}
	if err != nil {
		item.Error = "this value cannot be shown as text: " + err.Error()
		return
	}
	item.Shape = shape
	for _, e := range elements {
		s := string(e)
		if !utf8.ValidString(s) {
			s = catalog.Text(s)
		}
		item.Texts = append(item.Texts, s)
	}
}

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) {
	j.items[i].Error = "this value could not be read: " + err.Error()
}
