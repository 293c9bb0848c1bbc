// Package customscalars is the kind of data "custom_scalars": the layouts that runs log, of
// charts of scalars. It holds what a layout is, how those of several runs are one
// (layout.go), what a user makes of it (edit.go), and which tags a chart shows (shown.go).
package customscalars

import (
	"errors"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it reads.
const Name = "custom_scalars"

// Tag is the tag that layouts are logged with.
const Tag = "custom_scalars__config__"

// Query asks for the layouts of runs: a wire.Query without a body.
func Query(runs []string) wire.Query { return wire.NewQuery(Name, []string{Tag}, runs, struct{}{}) }

// Part is what an answer's JSON holds for each run that logged a layout: the last one. The
// buffer is empty.
type Part struct {
	Run    string `json:"run"`
	Layout Layout `json:"layout"`
	Error  string `json:"error,omitempty"` // what is wrong with it
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind.
func (Kind) Plugins() []string { return []string{Name} }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return &answerer{c: w.Catalog} }

// answerer keeps what it has read of each run: a page asks again whenever a run grows.
type answerer struct {
	c    *catalog.Catalog
	read map[string]known
}

// known is a layout that was read, and where it stands.
type known struct {
	path   string
	offset int64
	part   Part
}

// maxKnown is of how many runs layouts are kept.
const maxKnown = 4096

// Forget implements answer.Answerer.
func (a *answerer) Forget() { a.read = nil }

// limits: ten thousand charts of a hundred letters are a quarter of it.
var limits = stored.Limits{Value: 4 << 20, Answer: 8 << 20}

// Begin implements answer.Answerer.
func (a *answerer) Begin(w *wire.Query) (answer.Job, error) {
	if len(w.Tags) != 1 {
		return nil, &wire.QueryError{What: "layouts are asked for by runs and one tag"}
	}
	j := &job{a: a, parts: []Part{}}
	for _, name := range w.Runs {
		one := *w
		one.Runs = []string{name}
		r := stored.New(a.c, &one, stored.Query{From: -1, N: 1}, limits)
		values := r.Values()
		if len(values) == 0 {
			continue
		}
		last := &values[len(values)-1]
		if k, ok := a.read[name]; ok && k.path == last.Path && k.offset == last.Offset {
			j.parts = append(j.parts, k.part)
		} else {
			j.left = append(j.left, r)
		}
	}
	return j, nil
}

// job answers a query.
type job struct {
	a     *answerer
	left  []*stored.Job // runs whose layouts have not been read
	asked int           // of them, by the last Need
	parts []Part
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	j.left, j.asked = j.left[j.asked:], 0
	var need []source.Range
	total := int64(0)
	for _, r := range j.left {
		if total >= limits.Answer {
			break
		}
		for _, n := range r.Need() {
			need = append(need, n)
			total += n.Length
		}
		j.asked++
	}
	if len(need) == 0 {
		out.Parts = j.parts
	}
	return answer.Step{Need: need}
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) { j.add(j.left[i], j.left[i].Value(0, data, nil)) }

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) { j.add(j.left[i], j.left[i].Value(0, nil, err)) }

var (
	errLong = errors.New("the layout is larger than what is read")
	errOne  = errors.New("a layout of custom scalars is one string")
)

func (j *job) add(r *stored.Job, v stored.Value) {
	p := Part{Run: r.Head.Run}
	err := v.Err
	if v.Cut {
		err = errLong
	}
	if err == nil {
		p.Layout, err = DecodeTensor(v.Body)
	}
	if err != nil {
		p.Error = err.Error()
	}
	j.parts = append(j.parts, p)
	if v.Err != nil {
		return // another time it may be read
	}
	if j.a.read == nil || len(j.a.read) >= maxKnown {
		j.a.read = map[string]known{}
	}
	j.a.read[p.Run] = known{v.Path, v.Offset, p}
}

// DecodeTensor reads a layout as it is logged: the one text of a tensor.
func DecodeTensor(tensor []byte) (Layout, error) {
	_, list, err := event.Strings(tensor)
	switch {
	case err != nil:
		return Layout{}, err
	case len(list) != 1:
		return Layout{}, errOne
	}
	return Decode(list[0])
}
