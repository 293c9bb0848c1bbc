// Package text is the kind of data "text": what a job logged as words, tables, Markdown.
// A value is a tensor of strings of any rank; it stays in its file and is read when it is
// looked at.
package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
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
	MaxItem = 16 << 20
	// MaxHits is how many steps a search answers.
	MaxHits = 10_000
	// maxAnswer is how many bytes of values an answer holds, about.
	maxAnswer = 8 << 20
	// maxLook is how many values are read at a time for a search.
	maxLook = 512
)

// Query asks for a tag's texts in one run: the body of a wire.Query with one tag and one
// run. With wire.Query.Every all texts are answered, in pieces.
type Query struct {
	stored.Query
	// Numbers are the wanted values, one by one, instead of From and N.
	Numbers []int `json:"numbers,omitempty"`
	// Max is how many bytes of a value are read at most; 0 stands for MaxItem.
	Max int64 `json:"max,omitempty"`
	// Skip asks for what follows in a long text: it is Item.Next of what came before. No
	// more is answered than to Item.End, which Max sees to.
	Skip int64 `json:"skip,omitempty"`
	// Find asks for the values that hold this text, whatever its case, instead of values.
	Find string `json:"find,omitempty"`
}

// For makes the query for a run and a tag.
func (q Query) For(run, tag string) wire.Query {
	return wire.NewQuery(Name, []string{tag}, []string{run}, q)
}

// Part is what an answer's JSON holds, once, or not at all where the run has no such tag.
type Part struct {
	stored.Head
	Items []Item `json:"items"`
	Hits  []Hit  `json:"hits,omitempty"` // of a search
	// More says that a search found more values than MaxHits.
	More bool `json:"more,omitempty"`
}

// Item is one logged value.
type Item struct {
	// Number is that of the value.
	Number int `json:"number"`

	Step  int64    `json:"step"`
	Wall  *float64 `json:"wall"`            // seconds since 1970; null if it is no time
	Size  int64    `json:"size"`            // bytes of the whole value
	Shape []int64  `json:"shape"`           // of the tensor; its product is the number of texts
	Texts []string `json:"texts"`           // row by row; untrusted
	Cut   bool     `json:"cut,omitempty"`   // the value is longer than what was read: this is its beginning
	Error string   `json:"error,omitempty"` // why there is no text
	// Of a value that was cut and is one text: Skip is the query's, Next where in the value
	// the text goes on behind what is answered, and End where it ends.
	Skip int64 `json:"skip,omitempty"`
	Next int64 `json:"next,omitempty"`
	End  int64 `json:"end,omitempty"`
}

// Hit is a value in which a text was found.
type Hit struct {
	Number int   `json:"number"` // of the value
	Step   int64 `json:"step"`
	Times  int   `json:"times"` // that the text stands in it
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
func (a answerer) Begin(w *wire.Query) (answer.Job, error) {
	var q Query
	if err := stored.Parse(w, "texts", &q); err != nil {
		return nil, err
	}
	limits := stored.Limits{Value: MaxItem, Answer: maxAnswer, Values: maxLook}
	if q.Max > 0 {
		limits.Value = min(q.Max, MaxItem)
	}
	limits.Skip = max(0, q.Skip)
	j := &job{Job: stored.New(a.c, w, q.Query, limits), find: strings.ToLower(q.Find), skip: limits.Skip}
	if j.find != "" {
		j.SelectAll()
	} else if len(q.Numbers) > 0 {
		j.Select(slices.DeleteFunc(q.Numbers, func(i int) bool { return i < 0 || i >= len(j.Values()) }))
	}
	return j, nil
}

// job answers a query: read some values, answer them, read some more.
type job struct {
	*stored.Job
	find  string // in lower case; "" is no search
	skip  int64  // of the query
	items []Item
	hits  []Hit
	more  bool
	have  bool // what is needed has come
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	if j.find != "" && j.have {
		j.Done() // nothing is answered before all has been looked at
		j.have = false
	}
	if !j.have {
		var need []source.Range
		if need = j.Need(); len(need) > 0 {
			j.items = make([]Item, len(need))
			return answer.Step{Need: need}
		}
	}
	p := Part{Items: j.items, Hits: j.hits, More: j.more}
	var more bool
	if p.Head, more = j.Done(); p.Items == nil || j.find != "" {
		p.Items = []Item{}
	}
	parts := []Part{}
	if j.Found {
		parts = append(parts, p)
	}
	out.Parts = parts
	j.items, j.have = nil, false
	return answer.Step{More: more}
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) { j.set(i, j.Value(i, data, nil), data) }

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) { j.set(i, j.Value(i, nil, err), nil) }

// set answers number i of what was needed, or looks into it.
func (j *job) set(i int, v stored.Value, data []byte) {
	j.have = true
	item := Item{Number: v.Number, Step: v.Step, Wall: v.WallTime(), Size: int64(v.Length), Shape: []int64{}, Texts: []string{}, Cut: v.Cut}
	var shape []int64
	var elements [][]byte
	err := v.Err
	if j.skip > 0 && err == nil {
		part := whole(data)
		item.Skip, item.Next, item.Cut = j.skip, j.skip+int64(len(part)), true
		shape, elements = []int64{1}, [][]byte{part}
	} else if shape, elements, err = read(&v, data); err == nil && v.Cut && len(elements) == 1 {
		if end, ok := event.CutAt(data); ok {
			kept := whole(elements[0])
			item.Next, item.End = int64(len(data)-len(elements[0])+len(kept)), min(end, int64(v.Length))
			elements[0] = kept
		}
	}
	if err != nil {
		item.Error = err.Error()
	}
	if j.find != "" {
		if n := j.count(elements); n > 0 && len(j.hits) < MaxHits {
			j.hits = append(j.hits, Hit{v.Number, v.Step, n})
		} else if n > 0 {
			j.more = true
		}
		return
	}
	if err == nil {
		item.Shape = shape
	}
	for _, e := range elements {
		s := string(e)
		if !utf8.ValidString(s) {
			s = catalog.Text(s)
		}
		item.Texts = append(item.Texts, s)
	}
	j.items[i] = item
}

// count is how often the wanted text stands in elements.
func (j *job) count(elements [][]byte) (n int) {
	for _, e := range elements {
		n += strings.Count(strings.ToLower(string(e)), j.find)
	}
	return n
}

// whole returns what of a text can be shown that was cut anywhere: without the beginning of
// a character at its end.
func whole(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

// read returns the texts of a value, of one that was cut those that were read.
func read(v *stored.Value, data []byte) (shape []int64, list [][]byte, err error) {
	if v.Err != nil {
		return nil, nil, v.Err
	}
	if v.Cut {
		list = event.CutStrings(data)
		return []int64{int64(len(list))}, list, nil
	}
	if shape, list, err = event.Strings(v.Body); err != nil {
		return nil, nil, fmt.Errorf("this value cannot be shown as text: %w", err)
	}
	return shape, list, nil
}
