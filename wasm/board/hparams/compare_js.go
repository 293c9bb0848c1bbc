package hparams

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	numbers "github.com/tensorbored/tensorbored-static/shared/kind/hparams"
	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	short "github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

const (
	mostCompared = 20      // runs side by side
	mostMetrics  = 100     // tags
	mostTexts    = 10      // tags
	comparedName = 28      // characters of a run's name
	textBytes    = 20000   // of a text
	modelBytes   = 4 << 20 // of a Keras model's JSON
)

// compare is what the comparison knows of its runs besides the table's columns.
type compare struct {
	asked   string                       // what was asked, so that the same is not asked again
	cancel  []func()                     // of what is under way
	metrics []string                     // group, a line break, tag
	numbers map[string][]runtable.Value  // by run, three values and their steps for each metric
	texts   map[string]map[string]string // by tag and run
	models  map[string]map[string]string // names of Keras models, likewise
}

// graphPlugins are those whose tags are graphs.
var graphPlugins = []string{"graphs", "graph_run_metadata_graph", "graph_run_metadata", "graph_tagged_run_metadata"}

const kerasPlugin = "graph_keras_model"

// ofs are the numbers of a metric that are compared: each with its step.
var ofs = []numbers.Of{numbers.Last, numbers.LastStep, numbers.Least, numbers.LeastStep, numbers.Greatest, numbers.GreatestStep}

// drop gives up what was asked.
func (c *compare) drop() {
	for _, cancel := range c.cancel {
		cancel()
	}
	c.cancel, c.asked = nil, ""
}

// compared are the rows that stand side by side: those that are on, the baseline's first.
// left is how many more are on.
func (v *view) compared() (rows []int, left int) {
	base := v.baseline()
	if base >= 0 {
		rows = append(rows, base)
	}
	for _, r := range v.rows {
		if r != base && v.host.On(v.host.Table().Runs[r]) {
			rows = append(rows, r)
		}
	}
	n := min(len(rows), mostCompared)
	return rows[:n], len(rows) - n
}

// baseline is the row of the baseline run, or of its session; -1: there is none.
func (v *view) baseline() int {
	t := v.host.Table()
	row := t.Row(session.Baseline.Of(v.host.State()))
	if row >= 0 && t.Owner(row) != "" {
		row = t.Row(t.Owner(row))
	}
	return row
}

// askCompared asks for the metrics and texts of the runs that are compared.
func (v *view) askCompared(rows []int) {
	t, data, c := v.host.Table(), v.host.Data(), &v.compare
	runs := v.runs(rows...)
	metrics := map[string]bool{} // group, a line break, tag
	group := func(run string) string {
		if owner := t.Owner(t.Row(run)); owner != "" {
			return hparams.GroupOf(owner, run)
		}
		return ""
	}
	scalars, texts, models := data.Tags("scalars"), data.Tags("text"), data.Tags(kerasPlugin)
	type place struct {
		run, tag string
		model    bool
	}
	var words []place
	wordTags := map[string]bool{}
	for _, run := range runs {
		for tag := range scalars[run] {
			metrics[group(run)+"\n"+tag] = true
		}
		for _, tag := range sorted(texts[run]) {
			if wordTags[tag] || len(wordTags) < mostTexts {
				wordTags[tag] = true
				words = append(words, place{run, tag, false})
			}
		}
		for _, tag := range sorted(models[run]) {
			words = append(words, place{run, tag, true})
		}
	}
	list := sorted(metrics)
	list = list[:min(len(list), mostMetrics)]
	asked := strings.Join(append(runs, list...), "\n")
	asked += strconv.Itoa(len(words))
	if asked == c.asked {
		return
	}
	c.drop()
	c.asked, c.metrics, c.numbers = asked, list, map[string][]runtable.Value{}
	c.texts, c.models = map[string]map[string]string{}, map[string]map[string]string{}
	if len(list) > 0 {
		q := numbers.Query{}
		for _, m := range list {
			for _, of := range ofs {
				_, tag, _ := strings.Cut(m, "\n")
				q.Columns = append(q.Columns, numbers.Column{Tag: tag, Of: of})
			}
		}
		c.cancel = append(c.cancel, data.Ask(q.For(runs), func(r engine.Reply) {
			for _, chunk := range r.Chunks {
				var b []byte
				if chunk.Buffer.Truthy() {
					b = make([]byte, chunk.Buffer.Get("byteLength").Int())
					bridge.Copy(b, chunk.Buffer, 0)
				}
				for _, p := range engine.Parts[numbers.Part](chunk) {
					numbers.Numbers(p, b, len(q.Columns), func(run string, x []float64, ok []bool) {
						values := make([]runtable.Value, len(x))
						for i := range x {
							if ok[i] {
								values[i] = runtable.Value{Kind: hparams.Number, Num: x[i]}
							}
						}
						c.numbers[run] = values
					})
				}
			}
			v.draw.Ask()
		}))
	}
	for _, w := range words {
		q, into := text.Query{Query: stored.Query{From: -1, N: 1}, Max: textBytes}, c.texts
		if w.model {
			q.Max, into = modelBytes, c.models
		}
		c.cancel = append(c.cancel, data.Ask(q.For(w.run, w.tag), func(r engine.Reply) {
			for _, chunk := range r.Chunks {
				for _, p := range engine.Parts[text.Part](chunk) {
					for _, item := range p.Items {
						if into[w.tag] == nil {
							into[w.tag] = map[string]string{}
						}
						words := strings.Join(item.Texts, "\n")
						switch {
						case item.Error != "":
							words = item.Error
						case w.model:
							words = cmp.Or(runtable.ModelName(words), "a model without a name")
						}
						into[w.tag][w.run] = words
					}
				}
			}
			v.draw.Ask()
		}))
	}
}

// sideBySide is what the script is told of the comparison.
type sideBySide struct {
	Runs []about `json:"runs"`
	Rows []about `json:"rows"`
	Left int     `json:"left"` // more runs that are on
	Same int     `json:"same"` // rows that are left out
	All  bool    `json:"all"`
	Base bool    `json:"base"` // there is a baseline

	Common string `json:"common"` // what the runs' names have in common
}

// comparison is what the script shows of it; nil: nothing.
func (v *view) comparison() any {
	s, t := v.host.State(), v.host.Table()
	if !session.RunCompare.Of(s) {
		v.compare.drop()
		return nil
	}
	rows, left := v.compared()
	v.askCompared(rows)
	base := v.baseline()
	out := sideBySide{Runs: []about{}, Rows: []about{}, Left: left, All: session.RunCompareAll.Of(s), Base: base >= 0}
	heads := make([]string, len(rows))
	for i, r := range rows {
		heads[i] = v.host.Name(t.Runs[r])
	}
	heads, out.Common = short.Short(heads, comparedName)
	for i, r := range rows {
		run := t.Runs[r]
		out.Runs = append(out.Runs, about{Run: run, Name: heads[i], Text: v.host.Name(run), Color: v.host.Color(run), Base: r == base})
	}
	// exact are the cells with every digit; nil: these are.
	add := func(group, title string, cells, exact, deltas []string, long bool) {
		differs, some := false, false
		for i, c := range cells {
			differs = differs || c != cells[0] || exact != nil && exact[i] != exact[0]
			some = some || c != ""
		}
		if !some {
			return
		}
		if !differs && !out.All && len(rows) > 1 {
			out.Same++
			return
		}
		out.Rows = append(out.Rows, about{Group: group, Title: title, Texts: cells, Exact: exact, Deltas: deltas, Long: long})
	}
	column := func(group string, k runtable.Key) {
		c := t.Column(k)
		cells, exact, deltas := make([]string, len(rows)), make([]string, len(rows)), make([]string, len(rows))
		for i, r := range rows {
			cells[i], exact[i] = c.Format(k, c.Cells[r], false), c.Format(k, c.Cells[r], true)
			if base >= 0 && k.Of == runtable.Param {
				deltas[i] = runtable.Delta(c.Cells[r], c.Cells[base])
			}
		}
		add(group, v.title(k), cells, exact, deltas, false)
	}
	for _, name := range t.Params(&t.Experiment) {
		column("Hyperparameters", runtable.ParamKey(name))
	}
	at := func(row, i int, group string) runtable.Value {
		if list := v.compare.numbers[hparams.RunOf(t.Runs[row], group)]; i < len(list) {
			return list[i]
		}
		return runtable.Value{}
	}
	for m, metric := range v.compare.metrics {
		group, tag, _ := strings.Cut(metric, "\n")
		for k := 0; k < len(ofs); k += 2 {
			key := runtable.Key{Of: string(ofs[k]), Name: tag, Group: group}
			cells, exact, deltas := make([]string, len(rows)), make([]string, len(rows)), make([]string, len(rows))
			var c runtable.Column
			for _, r := range rows {
				c.Cells = append(c.Cells, at(r, m*len(ofs)+k, group))
			}
			for i, r := range rows {
				value := c.Cells[i]
				if cells[i] = c.Format(key, value, false); value.Kind == hparams.Missing {
					continue
				}
				exact[i] = c.Format(key, value, true)
				if step := at(r, m*len(ofs)+k+1, group); step.Kind != hparams.Missing {
					cells[i] += " at " + step.String()
					exact[i] += " at " + step.String()
				}
				if base >= 0 {
					deltas[i] = runtable.Delta(value, at(base, m*len(ofs)+k, group))
				}
			}
			title := key.Title()
			if k == 0 {
				title += " last"
			}
			add("Metrics", title, cells, exact, deltas, false)
		}
	}
	words := func(group string, texts map[string]map[string]string, long bool) {
		for _, tag := range sorted(texts) {
			cells := make([]string, len(rows))
			for i, r := range rows {
				for _, run := range v.members[r] {
					cells[i] = cmp.Or(cells[i], texts[tag][run])
				}
			}
			add(group, tag, cells, nil, make([]string, len(rows)), long)
		}
	}
	words("Texts", v.compare.texts, true)
	words("Models", v.compare.models, false)
	add("Models", "Graphs", v.graphs(rows), nil, make([]string, len(rows)), false)
	for _, fact := range runtable.Facts {
		column("Of the run", runtable.Key{Of: fact})
	}
	return &out
}

// graphs are the tags of the graphs of rows' runs; the one that a run has without a tag is
// "Default", as TensorBoard says.
func (v *view) graphs(rows []int) []string {
	out := make([]string, len(rows))
	for _, plugin := range graphPlugins {
		tags := v.host.Data().Tags(plugin)
		for i, r := range rows {
			for _, run := range v.members[r] {
				for _, tag := range sorted(tags[run]) {
					if tag == catalog.GraphTag {
						tag = "Default"
					}
					if out[i] != "" {
						out[i] += ", "
					}
					out[i] += tag
				}
			}
		}
	}
	return out
}

// Compare shows the comparison. baseline is the run that others are told as differences
// from unless one is chosen; "" chooses none.
func Compare(s *session.State, baseline string) {
	session.Board.Set(s, ID)
	session.RunCompare.Set(s, true)
	if session.Baseline.Of(s) == "" {
		session.Baseline.Set(s, baseline)
	}
}

// cell is what stands in a cell of the table: with a baseline also by how much it differs.
func (v *view) cell(k runtable.Key, row, base int) string {
	words := v.host.Table().Text(k, row)
	if base >= 0 && k.IsScalar() {
		c := v.host.Table().Column(k)
		if d := runtable.Delta(c.Cells[row], c.Cells[base]); d != "" {
			words += "  " + d
		}
	}
	return words
}
