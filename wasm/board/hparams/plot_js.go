package hparams

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// plot is what the script has of the plot: rows and their columns cross once, and again
// when they are different.
type plot struct {
	rows    []int          // a point or line each: all that filters of columns do not concern
	keys    []runtable.Key // of axes; the last one may be that of colours
	columns []*runtable.Column
	wanted  []runtable.Key // that the table was asked for
}

// drawn is what the script is told of a plot.
type drawn struct {
	Kind    string  `json:"kind"`
	Rows    int     `json:"rows"`
	Axes    []about `json:"axes"`
	Colored bool    `json:"colored"`
	Color   string  `json:"color"`
	Options []about `json:"options"` // columns to choose from
}

// about is what it is told of an axis or a column, of a row under the pointer, and of a run
// or a row that is compared.
type about struct {
	Key     string                `json:"key"`
	Title   string                `json:"title"`
	Of      string                `json:"of,omitempty"`
	Scale   string                `json:"scale"`
	Flip    bool                  `json:"flip"`
	Filter  *session.ColumnFilter `json:"filter,omitempty"`
	Scalar  bool                  `json:"scalar,omitempty"` // numbers of scalars, also while none has come
	Numeric bool                  `json:"numeric,omitempty"`
	Names   []string              `json:"names,omitempty"`

	Name  string  `json:"name,omitempty"`
	Text  string  `json:"text,omitempty"`
	Cells []about `json:"cells,omitempty"`

	Run    string   `json:"run,omitempty"`
	Color  string   `json:"color,omitempty"`
	Base   bool     `json:"base,omitempty"`
	Group  string   `json:"group,omitempty"`
	Long   bool     `json:"long,omitempty"`
	Texts  []string `json:"texts,omitempty"`
	Exact  []string `json:"exact,omitempty"`
	Deltas []string `json:"deltas,omitempty"`
}

// brush is what a brush covers on an axis.
type brush struct {
	Key    string
	Lo, Hi float64
	None   bool
}

const (
	firstAxes   = 12 // of parallel coordinates, at first …
	firstScores = 3  // … and how many of these are numbers of scalars
	firstMatrix = 4  // columns of the scatter matrix, at first
)

// axes are the columns of a plot.
func (v *view) axes(of string) (out []runtable.Key) {
	s := v.host.State()
	var params, scores []runtable.Key
	for _, k := range v.host.Table().Columns() {
		if k.IsScalar() {
			scores = append(scores, k)
		} else if k.Of != "note" && k.Of != "run" {
			params = append(params, k)
		}
	}
	if of == "scatter" {
		x, y := session.RunPlotX.Of(s), session.RunPlotY.Of(s)
		for i, key := range []string{x, y} {
			list := append(slices.Clone(params), scores...)
			if i == 1 {
				list = append(scores, params...)
			}
			if key != "" {
				out = append(out, runtable.ParseKey(key))
			} else if len(list) > 0 {
				out = append(out, list[0])
			}
		}
		return out
	}
	if chosen := columnsOf(of).Of(s); len(chosen) > 0 {
		for _, key := range chosen {
			out = append(out, runtable.ParseKey(key))
		}
		return out
	}
	most, last := firstAxes, firstScores
	if of == "matrix" {
		most, last = firstMatrix, 1
	}
	last = max(min(last, len(scores)), min(len(scores), most-len(params)))
	return append(params[:min(len(params), most-last)], scores[:last]...)
}

// colored is the column that colours go by; false: each run has its own.
func (v *view) colored() (runtable.Key, bool) {
	switch key := session.RunPlotColor.Of(v.host.State()); key {
	case "run":
		return runtable.Key{}, false
	case "":
		for _, k := range v.host.Table().Columns() {
			if k.IsScalar() {
				return k, true
			}
		}
		return runtable.Key{}, false
	default:
		return runtable.ParseKey(key), true
	}
}

// want asks for the numbers that the plot needs besides those of the table.
func (v *view) want() {
	v.plot.keys = nil
	if kind := session.RunPlot.Of(v.host.State()); kind != "" {
		v.plot.keys = v.axes(kind)
		if k, ok := v.colored(); ok {
			v.plot.keys = append(v.plot.keys, k)
		}
	}
	if !slices.Equal(v.plot.keys, v.plot.wanted) {
		v.plot.wanted = v.plot.keys
		v.host.Table().Show(v, true, v.plot.keys...)
	}
}

// plotAnswer answers what the script asks of plots, or does what the user wants with one.
func (v *view) plotAnswer(name string, a *wish) any {
	t := v.host.Table()
	set := v.host.Set
	switch name {
	case "plot":
		return v.plotted(a.On)
	case "mask":
		var but []string
		for _, b := range a.Brushes {
			but = append(but, b.Key)
		}
		return v.mask(t.PassBut(but))
	case "row":
		if a.N < 0 || a.N >= len(v.plot.rows) {
			return nil
		}
		row := v.plot.rows[a.N]
		run := t.Runs[row]
		o := about{Name: v.host.Name(run)}
		for i, k := range v.plot.keys {
			if !slices.Contains(v.plot.keys[:i], k) {
				o.Cells = append(o.Cells, about{Title: v.title(k), Text: t.Text(k, row)})
			}
		}
		return &o

	case "brush":
		set(func(s *session.State) {
			for _, b := range a.Brushes {
				f, ok := t.Column(runtable.ParseKey(b.Key)).Brush(v.plot.rows, b.Lo, b.Hi, b.None)
				if b.Lo > b.Hi && !b.None || !ok {
					session.RunColumnFilters.Drop(s, b.Key)
				} else {
					session.RunColumnFilters.Put(s, b.Key, f)
				}
			}
		})
	case "pick": // a row alone, or again all; with On besides others
		if a.N < 0 || a.N >= len(v.plot.rows) {
			return nil
		}
		row := v.plot.rows[a.N]
		runs := v.members[row]
		if a.On {
			if !v.chosen() {
				v.only(runs)
			} else {
				v.host.Switch(runs, !v.host.On(t.Runs[row]))
			}
			return nil
		}
		v.only(runs)
	case "kind":
		set(func(s *session.State) { session.RunPlot.Set(s, a.Key) })
	case "scale":
		set(func(s *session.State) {
			if a.Text == "" {
				session.RunPlotScales.Drop(s, a.Key)
			} else {
				session.RunPlotScales.Put(s, a.Key, a.Text)
			}
		})
	case "flip":
		set(func(s *session.State) {
			if on, _ := session.RunPlotFlips.Get(s, a.Key); on {
				session.RunPlotFlips.Drop(s, a.Key)
			} else {
				session.RunPlotFlips.Put(s, a.Key, true)
			}
		})
	case "color":
		set(func(s *session.State) { session.RunPlotColor.Set(s, a.Key) })
	case "x":
		set(func(s *session.State) { session.RunPlotX.Set(s, a.Key) })
	case "y":
		set(func(s *session.State) { session.RunPlotY.Set(s, a.Key) })
	}
	return nil
}

// chosen reports whether the user has switched runs on or off.
func (v *view) chosen() bool {
	s := v.host.State()
	return session.OthersOff.Of(s) || len(session.Runs.Of(s)) > 0
}

// only shows some runs and no other; if that is so already, as many as at first.
func (v *view) only(runs []string) {
	v.host.Set(func(s *session.State) {
		on := session.Runs.Of(s)
		same := session.OthersOff.Of(s) && len(on) == len(runs)
		m := map[string]bool{}
		for _, r := range runs {
			same = same && on[r]
			m[r] = true
		}
		if same {
			session.Runs.Reset(s)
			session.OthersOff.Reset(s)
			return
		}
		session.Runs.Set(s, m)
		session.OthersOff.Set(s, true)
	})
}

// mask says of each row of the plot whether it passes: 0 no; 2 yes; 1 yes, but the user has
// switched its run off. pass is by row of the table, nil: all do.
func (v *view) mask(pass []bool) js.Value {
	t := v.host.Table()
	chosen := v.chosen()
	out := make([]byte, len(v.plot.rows))
	for i, r := range v.plot.rows {
		switch {
		case pass != nil && !pass[r] || !v.host.Named(t.Runs[r]):
		case chosen && !v.host.On(t.Runs[r]):
			out[i] = 1
		default:
			out[i] = 2
		}
	}
	return bridge.Bytes(out)
}

// plotted is an object with all that the script draws: text, JSON of what axes are; mask;
// colors, of runs, a word each; and words, the rows' places on axis after axis, which is
// missing if they are those that the script has: unless it asks anew.
func (v *view) plotted(anew bool) any {
	s, t := v.host.State(), v.host.Table()
	kind := session.RunPlot.Of(s)
	var rows []int
	for row := range v.members {
		if hidden, _ := session.RunsHidden.Get(s, t.Runs[row]); !hidden {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b int) int { return a - b }) // as elsewhere: slices.Sort would be compiled besides
	_, colored := v.colored()
	columns := make([]*runtable.Column, len(v.plot.keys))
	for i, k := range v.plot.keys {
		columns[i] = t.Column(k)
	}
	same := !anew && slices.Equal(rows, v.plot.rows) && slices.Equal(columns, v.plot.columns)
	v.plot.rows, v.plot.columns = rows, columns
	o := drawn{Kind: kind, Rows: len(rows), Axes: []about{}, Options: []about{}, Colored: colored, Color: session.RunPlotColor.Of(s)}
	var words []uint64
	for i, k := range v.plot.keys {
		key := k.String()
		scale, _ := session.RunPlotScales.Get(s, key)
		flip, _ := session.RunPlotFlips.Get(s, key)
		axis := about{Key: key, Title: v.title(k), Of: k.Of, Scale: scale, Flip: flip, Scalar: k.IsScalar()}
		if f, ok := session.RunColumnFilters.Get(s, key); ok {
			axis.Filter = &f
		}
		if !same {
			a := columns[i].Axis(rows)
			axis.Numeric, axis.Names = a.Numeric, a.Names
			for _, x := range a.At {
				words = append(words, math.Float64bits(x))
			}
		}
		o.Axes = append(o.Axes, axis)
	}
	colors := make([]uint64, len(rows))
	for i, r := range rows {
		c, _ := strconv.ParseUint(strings.TrimPrefix(v.host.Color(t.Runs[r]), "#"), 16, 32)
		colors[i] = math.Float64bits(float64(c))
	}
	for _, k := range t.Columns() {
		o.Options = append(o.Options, about{Key: k.String(), Title: v.title(k)})
	}
	out := bridge.Object()
	out.Set("text", widget.JSON(&o))
	var pass []bool
	if len(session.RunColumnFilters.Of(s)) > 0 {
		pass = make([]bool, len(t.Runs))
		for _, r := range rows {
			pass[r] = t.Pass(t.Runs[r])
		}
	}
	out.Set("mask", v.mask(pass))
	out.Set("colors", bridge.Words(colors))
	if !same {
		out.Set("words", bridge.Words(words))
	}
	return out
}
