package session

// ColumnFilter says which rows of the table of runs are wanted by what stands in a column.
// All that it says must hold.
type ColumnFilter struct {
	// Lo and Hi bound a number, themselves included; nil = no bound.
	Lo *float64 `json:"lo,omitempty"`
	Hi *float64 `json:"hi,omitempty"`
	// Only says that nothing but Values is wanted, as they are written.
	Only   bool     `json:"only,omitempty"`
	Values []string `json:"values,omitempty"`
	Regex  string   `json:"regex,omitempty"` // as in package filter
	// Missing says that rows without a value are wanted too.
	Missing bool `json:"missing,omitempty"`
}

// MaxColumns is how many columns the table of runs may have.
const MaxColumns = 1000

// The settings of the table of runs. Columns are named by runtable.Key.
var (
	// RunColumns are its columns; none: those that differ, and metrics.
	RunColumns = texts("runColumns", View)
	// RunColumnWidths are widths in CSS pixels.
	RunColumnWidths = Table("runColumnWidths", View, func(_ string, w int) bool { return w >= 40 && w <= 1000 })
	// RunColumnSort are the columns by which rows are sorted, "-" before those with the
	// greatest first.
	RunColumnSort = texts("runColumnSort", View)
	// RunColumnBest says which value of a metric is the best one ("high", "low", "none"); a
	// column without goes by its name.
	RunColumnBest = Table("runColumnBest", View, func(_ string, goal string) bool { return goal == "high" || goal == "low" || goal == "none" })
	// RunColumnFilters leave rows out, and their runs from every dashboard.
	RunColumnFilters = Table[ColumnFilter]("runColumnFilters", View, nil)
	// RunRowsBy is the column by which rows are put together; "" = none.
	RunRowsBy = Text("runRowsBy", View, "").Linked("rowsBy")
	// GroupColumn is the column by whose values runs share a colour, and are groups; "" =
	// they go by GroupBy.
	GroupColumn = Text("groupColumn", View, "").Linked("groupColumn")
	// GroupScale says that colours go from the least number of GroupColumn to the greatest, by
	// the numbers or by their logarithms; "" = each value has one of its own.
	GroupScale = Choice("groupScale", View, "", ScaleLinear, ScaleLog).Linked("groupScale")
	// RunTableAll says that runs without hyperparameters have rows, too, where some have.
	RunTableAll = Switch("runTableAll", View, false).Linked("allRuns")
	// RunNotes and RunTags are the user's words about runs, RunNames what they call them.
	RunNotes = Table[string]("runNotes", Here, nil)
	RunTags  = Table[string]("runTags", Here, nil)
	RunNames = Table[string]("runNames", Here, nil)
	// RunsHidden are runs that are listed nowhere.
	RunsHidden = Table("runsHidden", Here, func(_ string, on bool) bool { return on })

	// Baseline is the run from which values are also told as differences; "" is none. It
	// is listed by the kinds that show it.
	Baseline = Text("baseline", View, "").Linked("baseline").Pane()
	// RunCompare shows runs that are on side by side; RunCompareAll also what is the same in
	// all of them.
	RunCompare    = Switch("runCompare", View, false).Linked("compare")
	RunCompareAll = Switch("runCompareAll", View, false).Linked("compareAll")

	// RunPlot is the plot above the table; "" = none.
	RunPlot = Choice("runPlot", View, "", "parallel", "matrix", "scatter").Linked("plot")
	// RunPlotAxes and RunPlotMatrix are the columns that are axes of parallel coordinates
	// and of the scatter matrix, in their order; none: the first ones of the table.
	RunPlotAxes   = texts("runPlotAxes", View)
	RunPlotMatrix = texts("runPlotMatrix", View)
	// RunPlotX and RunPlotY are the axes of a scatter plot; "" = the first hyperparameter
	// and the first metric.
	RunPlotX = Text("runPlotX", View, "").Linked("plotX")
	RunPlotY = Text("runPlotY", View, "").Linked("plotY")
	// RunPlotColor is the column that colours go by; "run" = the runs' own, "" = the first
	// metric.
	RunPlotColor = Text("runPlotColor", View, "").Linked("plotColor")
	// RunPlotScales are "log" or "quantile" of columns that are not linear, RunPlotFlips
	// those whose least value is at the other end.
	RunPlotScales = Table[string]("runPlotScales", View, nil)
	RunPlotFlips  = Table[bool]("runPlotFlips", View, nil)
)

// RunPlots lists the settings of plots and of the comparison.
var RunPlots = Schema{RunPlot.Decl, RunPlotAxes.Decl, RunPlotMatrix.Decl, RunPlotX.Decl, RunPlotY.Decl, RunPlotColor.Decl, RunPlotScales.Decl, RunPlotFlips.Decl, RunCompare.Decl, RunCompareAll.Decl}

// Scales of colours, in GroupScale.
const (
	ScaleLinear = "linear"
	ScaleLog    = "log"
)

// RunTable lists them.
var RunTable = Schema{RunColumns.Decl, RunColumnWidths.Decl, RunColumnSort.Decl, RunColumnBest.Decl, RunColumnFilters.Decl, RunRowsBy.Decl, GroupColumn.Decl, GroupScale.Decl, RunTableAll.Decl, RunNotes.Decl, RunTags.Decl, RunNames.Decl, RunsHidden.Decl}

// RunWords are those that speak of single runs: they are of the logdir, whose "train" is not
// another's, and profiles hold them as they do which runs are shown.
var RunWords = Schema{RunNotes.Decl, RunTags.Decl, RunNames.Decl, RunsHidden.Decl}

// texts declares a list of texts, each once.
func texts(name string, scope Scope) *Setting[[]string] {
	return Form(name, scope, func(list []string) ([]string, bool) {
		seen := make(map[string]bool, len(list))
		var out []string
		for _, t := range list {
			if t != "" && !seen[t] && len(out) < MaxColumns {
				seen[t] = true
				out = append(out, t)
			}
		}
		return out, len(out) > 0
	})
}
