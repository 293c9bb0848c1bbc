package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/hierarchy"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/read"
)

// Options of Open.
type Options struct {
	Name     string // of the file or tag, for export and messages
	Metadata []byte // a RunMetadata for the graph, or nil
}

// Explorer answers questions about the graphs of one file.
type Explorer struct {
	file   *model.File
	name   string
	graphs []*graph
	made   exported
}

// graph is one graph with what has been worked out about it.
type graph struct {
	*model.Graph
	views  []*view // of the options that were asked with last, the newest first
	time   []float32
	memory []float64
	output []float64
	shapes map[int32][]string // that statistics tell
	device []string           // that statistics tell
	joined bool
	left   string             // of join: what it left out
	calls  map[int32][]string // functions that a node calls, by name
}

// view is a graph's hierarchy under some options.
type view struct {
	*graph
	*hierarchy.Hierarchy
	key   string
	param []float64 // parameters by node of the hierarchy, worked out when they are asked for
	times []float64
	bytes []float64
}

const keptViews = 3

// Open reads the bytes of a graph, in any of the forms that the package comment lists. The
// Explorer refers to them: they must not change.
func Open(b []byte, o Options) (*Explorer, error) {
	f, err := read.File(b)
	if err != nil {
		return nil, err
	}
	e := &Explorer{file: f, name: o.Name}
	for _, g := range f.Graphs {
		e.graphs = append(e.graphs, &graph{Graph: g})
	}
	if o.Metadata != nil {
		if err := e.AddMetadata(o.Metadata); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// AddMetadata adds the statistics of a RunMetadata: compute time, memory, devices, shapes.
func (e *Explorer) AddMetadata(b []byte) error {
	f, err := read.Metadata(b)
	if err != nil {
		return err
	}
	e.file.Stats = append(e.file.Stats, f.Stats...)
	for _, l := range f.Losses.List {
		e.file.Losses.Add(l.Code, l.Offset, "Of the statistics: %s", l.Message)
	}
	for _, g := range e.graphs {
		g.joined = false
		for _, v := range g.views {
			v.times, v.bytes = nil, nil
		}
	}
	return nil
}

// question is what Ask may be asked; each question uses some of it.
type question struct {
	Ask       string          `json:"ask"`
	Graph     int             `json:"graph"`
	Options   json.RawMessage `json:"options"`
	Expanded  []string        `json:"expanded"`
	ID        string          `json:"id"`
	IDs       []string        `json:"ids"`
	Offset    int             `json:"offset"`
	Limit     int             `json:"limit"`
	Text      string          `json:"text"`
	Regex     bool            `json:"regex"`
	Case      bool            `json:"case"`
	In        []string        `json:"in"`
	FromAt    json.RawMessage `json:"from"`
	To        string          `json:"to"`
	Name      string          `json:"name"`
	Direction string          `json:"direction"`
	Control   *bool           `json:"control"`
	By        string          `json:"by"`
	Rules     []rule          `json:"rules"`
	Sort      string          `json:"sort"`
	Up        bool            `json:"up"`
	Deep      bool            `json:"deep"`
	List      string          `json:"list"`
	Form      string          `json:"form"`

	opt options
}

// options are the options of each question, see the package comment.
type options struct {
	Series         int      `json:"series"`
	SeriesOfScopes bool     `json:"seriesOfScopes"`
	Ungroup        []string `json:"ungroup"`
	Group          []string `json:"group"`
	Functions      bool     `json:"functions"`
	Level          int      `json:"level"`
	Constants      bool     `json:"constants"`
	Parameters     bool     `json:"parameters"`
	Summaries      bool     `json:"summaries"`
	Extract        bool     `json:"extract"`
	ExtractFrom    int      `json:"extractFrom"`
	InDegree       int      `json:"inDegree"`
	OutDegree      int      `json:"outDegree"`
	ControlDegree  int      `json:"control"`
	Annotations    int      `json:"annotations"`
	Main           []string `json:"main"`
	Aside          []string `json:"aside"`
	Without        []string `json:"without"`
}

func defaults() options {
	d := hierarchy.Defaults
	return options{Series: d.Series, Functions: true, Level: d.Level, Constants: true, Parameters: true, Summaries: true,
		Extract: true, ExtractFrom: 15, InDegree: 5, OutDegree: 5, ControlDegree: 4, Annotations: 5}
}

// fault is an answer that says why there is none.
type fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

func (f *fault) Error() string { return f.Message }

func faultf(code, remedy, format string, args ...any) *fault {
	return &fault{code, fmt.Sprintf(format, args...), remedy}
}

func unknownID(id string) *fault {
	return faultf("unknown-id", "Search for its name; the options may have moved it into a series or a group.", "No node has the id %s.", model.Quote(id))
}

var asks = map[string]func(e *Explorer, q *question) (any, error){}

func init() {
	asks["info"] = (*Explorer).info
	asks["scene"] = (*Explorer).scene
	asks["children"] = (*Explorer).children
	asks["search"] = (*Explorer).search
	asks["node"] = (*Explorer).card
	asks["attribute"] = (*Explorer).attribute
	asks["trace"] = (*Explorer).trace
	asks["path"] = (*Explorer).path
	asks["colors"] = (*Explorer).colors
	asks["stats"] = (*Explorer).stats
	asks["compare"] = (*Explorer).compare
	asks["export"] = (*Explorer).export
}

// Ask answers a question; both are JSON, see the package comment. It never panics over what is
// asked and gives an answer to everything, if only why there is none.
func (e *Explorer) Ask(b []byte) []byte {
	answer, err := e.ask(b)
	if err != nil {
		var f *fault
		if !errors.As(err, &f) {
			f = &fault{Code: "bad-question", Message: err.Error()}
		}
		answer = map[string]*fault{"error": f}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		out, _ = json.Marshal(map[string]*fault{"error": {Code: "bad-question", Message: "The answer has no form: " + err.Error()}})
	}
	return out
}

func (e *Explorer) ask(b []byte) (any, error) {
	q := &question{opt: defaults()}
	if err := json.Unmarshal(b, q); err != nil {
		return nil, faultf("bad-question", "", "The question cannot be read: %v.", err)
	}
	if len(q.Options) > 0 {
		if err := json.Unmarshal(q.Options, &q.opt); err != nil {
			return nil, faultf("bad-question", "", "The options cannot be read: %v.", err)
		}
	}
	f := asks[q.Ask]
	if f == nil {
		return nil, faultf("unknown-question", "", "There is no question %s.", model.Quote(q.Ask))
	}
	if q.Graph < 0 || q.Graph >= len(e.graphs) {
		return nil, faultf("unknown-graph", "Choose one of those that info lists.", "There is no graph %d.", q.Graph)
	}
	q.Offset = max(q.Offset, 0)
	return f(e, q)
}

// view is the hierarchy for a question: one that was used lately, or a new one.
func (e *Explorer) view(q *question) *view {
	g := e.graphs[q.Graph]
	v := e.viewOf(g, &q.opt)
	slices.Sort(q.opt.Without)
	if left := strings.Join(q.opt.Without, "\x00"); !g.joined || left != g.left {
		g.join(e.file, q.opt.Without)
		g.left = left
		for _, v := range g.views {
			v.times, v.bytes = nil, nil
		}
	}
	return v
}

func (e *Explorer) viewOf(g *graph, o *options) *view {
	slices.Sort(o.Group)
	slices.Sort(o.Ungroup)
	key := fmt.Sprint(o.Series, o.SeriesOfScopes, o.Level, o.Constants, o.Parameters, o.Summaries, strings.Join(o.Group, "\x00"), "\x01", strings.Join(o.Ungroup, "\x00"))
	for i, v := range g.views {
		if v.key == key {
			copy(g.views[1:], g.views[:i])
			g.views[0] = v
			return v
		}
	}
	v := &view{graph: g, key: key, Hierarchy: hierarchy.Build(g.Graph, hierarchy.Options{
		Series: o.Series, SeriesOfScopes: o.SeriesOfScopes, Level: o.Level, Constants: o.Constants, Parameters: o.Parameters, Summaries: o.Summaries,
		Group: set(o.Group), Ungroup: set(o.Ungroup),
	})}
	if len(g.views) == 0 {
		for _, l := range v.Losses.List {
			e.file.Losses.Add(l.Code, l.Offset, "%s", l.Message)
		}
		g.findCalls()
	}
	g.views = append([]*view{v}, g.views[:min(len(g.views), keptViews-1)]...)
	return v
}

func set(ids []string) map[string]bool {
	if len(ids) == 0 {
		return nil
	}
	m := make(map[string]bool, len(ids))
	for _, id := range ids {
		m[id] = true
	}
	return m
}

// findCalls finds the nodes that call functions of the library: by their type (TensorFlow 1), or
// by an attribute that names a function. Whether a type has such an attribute is seen in its
// first nodes, since its definition says so for all.
func (g *graph) findCalls() {
	g.calls = map[int32][]string{}
	if len(g.Functions) == 0 {
		return
	}
	known := map[string]bool{}
	for _, f := range g.Functions {
		known[f.Name] = true
	}
	type kind struct{ seen, found int }
	kinds := map[string]*kind{}
	for i := range g.Nodes {
		op := g.Nodes[i].Op
		if known[op] {
			g.calls[int32(i)] = []string{op}
			continue
		}
		k := kinds[op]
		if k == nil {
			k = &kind{}
			kinds[op] = k
		}
		if k.seen++; k.seen > 4 && k.found == 0 || g.FormOf(int32(i)) == model.ONNX {
			continue
		}
		attr.Each(g.Graph, int32(i), func(a attr.Attr) bool {
			if a.Type == "func" || a.Type == "list" {
				for _, name := range a.Functions() {
					if known[name] && len(g.calls[int32(i)]) < 64 {
						k.found++
						g.calls[int32(i)] = append(g.calls[int32(i)], name)
					}
				}
			}
			return true
		})
	}
}

// join gives the statistics of a RunMetadata to the nodes they are about, but those of some devices. A node's
// time goes from its first start to its last end, as in TensorBoard.
func (g *graph) join(f *model.File, without []string) {
	again := g.joined
	g.joined = true
	if len(f.Stats) == 0 {
		return
	}
	byName := make(map[string]int32, len(g.Nodes))
	for i := range g.Nodes {
		if g.Nodes[i].Func < 0 {
			if _, ok := byName[g.Nodes[i].Name]; !ok {
				byName[g.Nodes[i].Name] = int32(i)
			}
		}
	}
	g.time, g.memory, g.output = make([]float32, len(g.Nodes)), make([]float64, len(g.Nodes)), make([]float64, len(g.Nodes))
	g.shapes, g.device = map[int32][]string{}, make([]string, len(g.Nodes))
	type span struct{ from, to float64 }
	spans := map[int32]span{}
	unmatched := 0
	for _, s := range f.Stats {
		i, ok := byName[s.Name]
		if !ok {
			unmatched++
			continue
		}
		if slices.Contains(without, model.Device(s.Device)) {
			continue
		}
		from := float64(s.Start)
		if t, ok := spans[i]; ok {
			spans[i] = span{min(t.from, from), max(t.to, from+s.Micros)}
		} else {
			spans[i] = span{from, from + s.Micros}
		}
		g.memory[i] += float64(s.Bytes)
		g.output[i] += float64(s.Output)
		if len(s.Shapes) > 0 {
			g.shapes[i] = s.Shapes
		}
		if g.device[i] == "" {
			g.device[i] = s.Device
		}
	}
	for i, t := range spans {
		g.time[i] = float32(t.to - t.from)
	}
	if unmatched > 0 && len(f.Graphs) == 1 && !again {
		f.Losses.Add("unmatched", -1, "%d of %d statistics are of nodes that this graph does not have, as TensorFlow adds and joins nodes when it runs them.", unmatched, len(f.Stats))
	}
}

// cut is the part of a list that an answer gives, and where it goes on.
func cut[T any](list []T, offset, limit int) (part []T, next int) {
	offset = min(max(offset, 0), len(list))
	end := min(len(list), offset+limit)
	if end < len(list) {
		next = end
	}
	return list[offset:end], next
}

func (q *question) limit(def, most int) int {
	if q.Limit <= 0 {
		return def
	}
	return min(q.Limit, most)
}

type graphInfo struct {
	Index     int    `json:"index"`
	Name      string `json:"name"`
	Nodes     int    `json:"nodes"`
	Functions int    `json:"functions"`
	Edges     int    `json:"edges"`
}

type lossInfo struct {
	Code    string `json:"code"`
	Offset  int    `json:"offset"`
	Message string `json:"message"`
	Count   int    `json:"count"`
}

func (e *Explorer) info(q *question) (any, error) {
	v := e.view(q)
	type has struct {
		Time       bool `json:"time"`
		Memory     bool `json:"memory"`
		Devices    bool `json:"devices"`
		Shapes     bool `json:"shapes"`
		XLA        bool `json:"xla"`
		Parameters bool `json:"parameters"`
		Compare    bool `json:"compare"`
	}
	out := struct {
		Form     string      `json:"form"`
		Name     string      `json:"name"`
		Bytes    int         `json:"bytes"`
		Producer int         `json:"producer"`
		Graphs   []graphInfo `json:"graphs"`
		Losses   []lossInfo  `json:"losses"`
		Total    int         `json:"lossesTotal"`
		Has      has         `json:"has"`
		Devices  []string    `json:"devices"`
		Defaults options     `json:"defaults"`
	}{Form: e.file.Form.String(), Name: e.name, Bytes: e.file.Size, Producer: v.Producer, Losses: []lossInfo{}, Devices: []string{}, Defaults: defaults()}
	for i, g := range e.graphs {
		out.Graphs = append(out.Graphs, graphInfo{i, g.Name, len(g.Nodes), len(g.Functions), len(g.Inputs) - len(g.Missing)})
	}
	for _, l := range e.file.Losses.List {
		out.Losses = append(out.Losses, lossInfo(l))
	}
	out.Total = e.file.Losses.Total
	out.Has.Compare = v.Marks != nil
	for _, s := range e.file.Stats {
		if d := model.Device(s.Device); d != "" && !slices.Contains(out.Devices, d) {
			out.Devices = append(out.Devices, d)
		}
	}
	slices.Sort(out.Devices)
	for i := range v.G.Nodes {
		n := &v.G.Nodes[i]
		out.Has.Devices = out.Has.Devices || n.Device != "" || v.device != nil && v.device[i] != ""
	}
	for i := range v.time {
		out.Has.Time = out.Has.Time || v.time[i] > 0
		out.Has.Memory = out.Has.Memory || v.memory[i] > 0
	}
	// Looking into every attribute would take long: some nodes, spread over the graph, tell.
	step := max(1, len(v.G.Nodes)/2000)
	for i := 0; i < len(v.G.Nodes); i += step {
		out.Has.Shapes = out.Has.Shapes || len(v.shapesOf(int32(i))) > 0
		if !out.Has.XLA {
			out.Has.XLA = v.xla(int32(i)) != ""
		}
	}
	out.Has.Parameters = slices.ContainsFunc(v.parameters(), func(p float64) bool { return p > 0 })
	return out, nil
}
