package hparams

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/importance"
	numbers "github.com/tensorbored/tensorbored-static/shared/kind/hparams"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
)

// wish is what the script says with the name of what it wants.
type wish struct {
	Key, Before, Text string
	From, To, N       int
	First, Last       int // columns of lines
	On                bool
	Filter            *session.ColumnFilter
	Run               string
	Of                string  // whose columns: the table's, or those of a plot
	Brushes           []brush // of a plot
}

// listed is how many columns are offered at a time.
const listed = 200

// answer answers the script, or does what the user wants.
func (v *view) answer(name string, a *wish) any {
	t := v.host.Table()
	set := v.host.Set
	switch name {
	case "spec":
		return v.spec()
	case "lines":
		return v.part(a)
	case "export":
		return v.exported()
	case "choices":
		list, lo, hi, n, missing := t.Column(runtable.ParseKey(a.Key)).Choices()
		o := object{"list": list, "numbers": n, "missing": missing, "lo": lo, "hi": hi}
		if f, ok := session.RunColumnFilters.Get(v.host.State(), a.Key); ok {
			o["filter"] = f
		}
		return o
	case "offer":
		return v.offer(a, int64(a.N))
	case "matters":
		return v.matters(runtable.ParseKey(a.Key))

	case "sort":
		set(func(s *session.State) {
			by := session.RunColumnSort.Of(s)
			now := a.Key // up, down, not at all
			if slices.Contains(by, a.Key) {
				now = "-" + a.Key
			} else if slices.Contains(by, "-"+a.Key) {
				now = ""
			}
			var next []string
			if a.On { // besides the others, in its place
				for _, b := range by {
					if b == a.Key || b == "-"+a.Key {
						b, now = now, ""
					}
					next = append(next, b)
				}
			}
			session.RunColumnSort.Set(s, append(next, now))
		})
	case "move":
		v.columns(a.Of, func(list []string) []string {
			list = slices.DeleteFunc(list, func(k string) bool { return k == a.Key })
			at := slices.Index(list, a.Before)
			if at < 0 {
				at = len(list)
			}
			return slices.Insert(list, at, a.Key)
		})
	case "add":
		v.columns(a.Of, func(list []string) []string {
			if slices.Contains(list, a.Key) {
				return list
			}
			return append(list, a.Key)
		})
	case "remove":
		v.columns(a.Of, func(list []string) []string {
			return slices.DeleteFunc(list, func(k string) bool { return k == a.Key })
		})
	case "differ": // hyperparameters that differ in what is shown, and all other columns
		rows := v.rows
		v.columns(a.Of, func(list []string) []string {
			var out []string
			for _, k := range t.Differing(t.Params(&t.Experiment), rows) {
				out = append(out, k.String())
			}
			for _, text := range list {
				if runtable.ParseKey(text).Of != runtable.Param {
					out = append(out, text)
				}
			}
			return out
		})
	case "usual":
		set(func(s *session.State) { columnsOf(a.Of).Reset(s) })
	case "width": // 0: as what stands in it needs
		set(func(s *session.State) {
			if a.N == 0 {
				session.RunColumnWidths.Drop(s, a.Key)
			} else {
				session.RunColumnWidths.Put(s, a.Key, a.N)
			}
		})
	case "best":
		set(func(s *session.State) {
			if a.Text == cmp.Or(runtable.ParseKey(a.Key).Goal(), runtable.NoBest) {
				session.RunColumnBest.Drop(s, a.Key)
			} else {
				session.RunColumnBest.Put(s, a.Key, a.Text)
			}
		})
	case "filter":
		set(func(s *session.State) {
			if a.Filter == nil {
				session.RunColumnFilters.Drop(s, a.Key)
			} else {
				session.RunColumnFilters.Put(s, a.Key, *a.Filter)
			}
		})
	case "unfilter":
		set(func(s *session.State) { session.RunColumnFilters.Reset(s) })
	case "by":
		clear(v.open)
		set(func(s *session.State) { session.RunRowsBy.Set(s, a.Key) })
	case "all":
		set(func(s *session.State) { session.RunTableAll.Set(s, a.On) })
	case "search":
		set(func(s *session.State) { session.RunFilter.Set(s, a.Text) })
	case "fold":
		v.open[a.Text] = !v.open[a.Text]
		v.draw.Ask()
	case "switch": // lines From to To
		var rows []int
		for _, l := range v.lines[max(0, a.From):min(len(v.lines), a.To)] {
			rows = append(rows, l.of()...)
		}
		v.host.Switch(v.runs(rows...), a.On)
	case "every":
		v.host.Switch(v.runs(v.rows...), a.On)
	case "only":
		v.only(v.runs(v.lines[a.From].of()...))
	case "unhide":
		set(func(s *session.State) { session.RunsHidden.Reset(s) })
	case "comparison":
		return v.comparison()
	case "compare":
		set(func(s *session.State) { session.RunCompare.Set(s, a.On) })
	case "compareAll":
		set(func(s *session.State) { session.RunCompareAll.Set(s, a.On) })
	case "baseline":
		set(func(s *session.State) { session.Baseline.Set(s, a.Run) })
	default:
		return v.plotAnswer(name, a)
	}
	return nil
}

// matters says how much each hyperparameter that differs tells about a metric, in the rows
// that are shown.
func (v *view) matters(metric runtable.Key) object {
	t := v.host.Table()
	y, _ := t.Column(metric).Numbers(v.rows)
	keys := t.Differing(t.Params(&t.Experiment), v.rows)
	features := make([][]float64, len(keys))
	list := make([]object, len(keys))
	for i, k := range keys {
		x, ordinal := t.Column(k).Numbers(v.rows)
		features[i] = x
		list[i] = object{"title": v.title(k)}
		if rho, n := importance.Spearman(x, y); ordinal {
			if list[i]["n"] = n; rho == rho {
				list[i]["rho"] = rho
			}
		}
	}
	parts, n := importance.Forest(features, y)
	for i := range parts {
		list[i]["part"] = parts[i]
	}
	sort.SliceStable(list, func(i, j int) bool {
		x, _ := list[i]["part"].(float64)
		y, _ := list[j]["part"].(float64)
		return x > y
	})
	return object{"list": list, "n": n, "few": importance.FewestRows}
}

// columnsOf is the setting of a list of columns: the table's, or a plot's.
func columnsOf(of string) *session.Setting[[]string] {
	switch of {
	case "parallel":
		return session.RunPlotAxes
	case "matrix":
		return session.RunPlotMatrix
	}
	return session.RunColumns
}

// keysOf are the columns of the table, or of a plot.
func (v *view) keysOf(of string) []runtable.Key {
	if of == "" {
		return v.host.Table().Columns()
	}
	return v.axes(of)
}

// columns changes which columns there are.
func (v *view) columns(of string, change func(list []string) []string) {
	var list []string
	for _, k := range v.keysOf(of) {
		list = append(list, k.String())
	}
	list = change(list)
	v.host.Set(func(s *session.State) { columnsOf(of).Set(s, list) })
}

// offer lists columns that there can be, by words that their names have: hyperparameters,
// facts, and the numbers of every tag, of the runs themselves and of those below sessions; with at those at a step as well.
func (v *view) offer(a *wish, step int64) object {
	t := v.host.Table()
	words := strings.Fields(strings.ToLower(a.Text))
	shown := map[runtable.Key]bool{}
	for _, k := range v.keysOf(a.Of) {
		shown[k] = true
	}
	out := []object{}
	total := 0
	add := func(k runtable.Key, sort string) {
		title := v.title(k)
		low := strings.ToLower(title + " " + k.Name + " " + sort)
		for _, w := range words {
			if !strings.Contains(low, w) {
				return
			}
		}
		if total++; total <= listed {
			out = append(out, object{"key": k.String(), "title": title, "sort": sort, "on": shown[k]})
		}
	}
	for _, name := range t.Params(&t.Experiment) {
		add(runtable.ParamKey(name), "Hyperparameter")
	}
	for _, name := range runtable.Facts {
		add(runtable.Key{Of: name}, "Of the run")
	}
	tags := map[string]bool{} // group, a line break, tag
	for run, list := range v.host.Data().Tags("scalars") {
		group := ""
		if row := t.Row(run); row >= 0 && t.Owner(row) != "" {
			group = hparams.GroupOf(t.Owner(row), run)
		}
		for tag := range list {
			tags[group+"\n"+tag] = true
		}
	}
	names := sorted(tags)
	for _, of := range numbers.Ofs {
		if of == numbers.Smoothed || of == numbers.At && !a.On {
			continue
		}
		for _, n := range names {
			group, tag, _ := strings.Cut(n, "\n")
			k := runtable.Key{Of: string(of), Name: tag, Group: group}
			if of == numbers.At {
				k.Step = step
			}
			add(k, map[numbers.Of]string{numbers.Last: "Last value", numbers.First: "First value", numbers.Least: "Least value", numbers.Greatest: "Greatest value", numbers.Mean: "Mean", numbers.LastStep: "Last step", numbers.LeastStep: "Step of the least value", numbers.GreatestStep: "Step of the greatest value", numbers.At: "At a step"}[of])
		}
	}
	return object{"list": out, "more": total - len(out)}
}
