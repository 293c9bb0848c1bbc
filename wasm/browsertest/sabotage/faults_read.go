//go:build !js

package main

// readFaults were thought of while files were read that no other fault stands in.
var readFaults = []fault{
	// The plots above the table of runs.
	{name: "the scatter plot has a hyperparameter up, not a metric", file: "wasm/board/hparams/plot_js.go",
		old: `if i == 1 {`, new: `if i == 2 {`, tests: "TestPageScatter|TestPageParallel.*|TestPagePlots.*"},
	{name: "a click with Shift on a plot's row shows it alone", file: "wasm/board/hparams/plot_js.go",
		old: `if a.On {
			if`, new: `if a.On && a.N < 0 {
			if`, tests: "TestPageScatter|TestPageParallel.*|TestPagePlots.*|TestPageBrush.*"},
	{name: "a row that is shown alone stays alone when it is clicked again", file: "wasm/board/hparams/plot_js.go",
		old: `if same {`, new: `if same && len(m) == 0 {`, tests: "TestPageScatter|TestPageParallel.*|TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},
	{name: "an axis is turned over and never back", file: "wasm/board/hparams/plot_js.go",
		old: `session.RunPlotFlips.Drop(s, a.Key)`, new: `session.RunPlotFlips.Put(s, a.Key, true)`, tests: "TestPageScatter|TestPageParallel.*|TestPagePlots.*"},
	{name: "a plot shows runs that were hidden", file: "wasm/board/hparams/plot_js.go",
		old: `; !hidden {`, new: `; !hidden || true {`, tests: "TestPageScatter|TestPageParallel.*|TestPagePlots.*|TestPageRunsHidden|TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},
	{name: "a row of a plot under the pointer names a column twice", file: "wasm/board/hparams/plot_js.go",
		old: `if !slices.Contains(v.plot.keys[:i], k) {`, new: `if i >= 0 {`, tests: "TestPageScatter|TestPageParallel.*|TestPagePlots.*|TestPageBrush.*"},
	{name: "parallel coordinates begin with all metrics", file: "wasm/board/hparams/plot_js.go",
		old: `last = max(min(last, len(scores)), min(len(scores), most-len(params)))`, new: `last = len(scores)`, tests: "TestPageScatter|TestPageParallel.*|TestPagePlots.*|TestPageBrush.*"},

	// The table of runs.
	{name: "a column that is moved behind the last goes nowhere", file: "wasm/board/hparams/acts_js.go",
		old: `at = len(list)`, new: `at = 0`, tests: "TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},
	{name: "the columns that differ leave out the metrics", file: "wasm/board/hparams/acts_js.go",
		old: `!= runtable.Param {`, new: `== "" {`, tests: "TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside|TestPageMetrics.*"},
	{name: "what is best in a column stays as it was chosen first", file: "wasm/board/hparams/acts_js.go",
		old: `session.RunColumnBest.Drop(s, a.Key)`, new: `_ = a.Key`, tests: "TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},
	{name: "sorting by a second column forgets the first", file: "wasm/board/hparams/acts_js.go",
		old: `if a.On { // besides`, new: `if a.On && a.N > 9 { // besides`, tests: "TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},
	{name: "columns are offered that have only one of the words", file: "wasm/board/hparams/acts_js.go",
		old: `if !strings.Contains(low, w) {`, new: `if w == words[0] && !strings.Contains(low, w) {`, tests: "TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},
	{name: "what matters is told in no order", file: "wasm/board/hparams/acts_js.go",
		old: `return x > y`, new: `return x < y`, tests: "TestPageHParams|TestPageHParamMenus|TestPageHParamGroups|TestPageHParamsMissing|TestPageHParamsBeside"},

	// Texts.
	{name: "the list of texts has the oldest first", file: "wasm/card/text/list_js.go",
		old: `return len(l.c.steps.Known()) - 1 - row`, new: `return row`, tests: "TestText.*"},
	{name: "what is found in texts has the oldest first", file: "wasm/card/text/list_js.go",
		old: `l.hits[len(l.hits)-1-row]`, new: `l.hits[row]`, tests: "TestText.*"},
	{name: "a click on a link in the list of texts leaves the list", file: "wasm/card/text/list_js.go",
		old: `closest", "a").Truthy() {`, new: `closest", "blink").Truthy() {`, tests: "TestText.*"},
	{name: "a search in texts that is emptied shows what was found last", file: "wasm/card/text/list_js.go",
		old: `l.find, l.hits, l.found = find, nil, find == ""`, new: `l.hits, l.found = nil, find == ""; if find != "" { l.find = find }`, tests: "TestText.*"},
	{name: "texts in the list are shown as Markdown where they are wanted as logged", file: "wasm/card/text/list_js.go",
		old: `if Raw.Of(l.c.l.host.State()) || item.Cut {`, new: `if item.Cut {`, tests: "TestText.*"},
	{name: "two texts are compared with themselves", file: "wasm/card/text/diff_js.go",
		old: `tag: tag, at: at - 1}`, new: `tag: tag, at: at}`, tests: "TestTextDiff"},
	{name: "the other way round turns only the names", file: "wasm/card/text/diff_js.go",
		old: `c.a.text, c.b.text, c.a.said, c.b.said = c.b.text, c.a.text, c.b.said, c.a.said`, new: `c.a.said, c.b.said = c.b.said, c.a.said`, tests: "TestTextDiff"},
	{name: "another run's text is compared at its last step, not at the same", file: "wasm/card/text/diff_js.go",
		old: `s.at = n
				return true`, new: `return false`, tests: "TestTextDiff"},
	{name: "added and removed are mixed up", file: "wasm/card/text/diff_js.go",
		old: `got.Get("added").Int(), by, got.Get("removed").Int(), said`, new: `got.Get("removed").Int(), by, got.Get("added").Int(), said`, tests: "TestTextDiff"},
	{name: "words are compared by lines", file: "wasm/card/text/diff_js.go",
		old: `by = "words"`, new: `by = "lines"`, tests: "TestTextDiff"},

	// Pictures of all runs by steps, and all as one file.
	{name: "all steps of the sheet of pictures are never shown", file: "wasm/card/images/grid_js.go",
		old: `g.most = 1 << 30`, new: `g.most = columnsAtFirst`, tests: "TestImageSheet.*"},
	{name: "the sheet of pictures shows the first sample of each", file: "wasm/card/images/grid_js.go",
		old: `sample := g.sample`, new: `sample := 0`, tests: "TestImageSheet.*"},
	{name: "a click on the sheet opens the first step", file: "wasm/card/images/grid_js.go",
		old: `tag: g.tag, at: n, sample: sample}`, new: `tag: g.tag, at: 0, sample: sample}`, tests: "TestImageSheet.*"},
	{name: "the steps of the sheet go backwards", file: "wasm/card/images/grid_js.go",
		old: `return steps[i] < steps[j]`, new: `return steps[i] > steps[j]`, tests: "TestImageSheet.*"},
	{name: "files in the archive have the time of 1970", file: "wasm/card/images/archive_js.go",
		old: `at = *item.Wall * 1000`, new: `at = 0 * *item.Wall`, tests: "TestImageArchive"},

	{name: "a film that goes at once is a complaint in Firefox", file: "static/lazy/images/0-image.js",
		old: `this.decoder.completed.catch(() => {});`, new: ``, tests: "TestFilm"},

	// All points, all cards, notes.
	{name: "all points are those of every tag, whatever the filter", file: "wasm/card/scalars/all_js.go",
		old: `return !f.Match(t) })`, new: `return false })`, tests: "TestPageAllPoints"},
	{name: "the file of all points has all runs", file: "wasm/card/scalars/all_js.go",
		old: `l.saveAll(f, runs, tags, points)`, new: `l.saveAll(f, runs[:1], tags, points)`, tests: "TestPageAllPoints"},
	{name: "the sheet of cards has the closed groups too", file: "wasm/card/scalars/sheet_js.go",
		old: `gather(false)`, new: `gather(true)`, tests: "TestPageAllCards"},
	{name: "the box Columns is not heeded", file: "wasm/card/scalars/sheet_js.go",
		old: `svgs, sheetColumns, kind`, new: `svgs, 2, kind`, tests: "TestPageAllCards"},
	{name: "a note cannot be put at a step with a comma in it", file: "wasm/card/scalars/notes_js.go",
		old: `strings.NewReplacer(",", "", " ", "")`, new: `strings.NewReplacer(" ", "")`, tests: "TestPageNotes"},
	{name: "the box of notes does not know the marked step", file: "wasm/card/scalars/notes_js.go",
		old: `return m[0]`, new: `return math.NaN()`, tests: "TestPageNotes"},
	{name: "a note of another step is written over what is being typed", file: "wasm/card/scalars/notes_js.go",
		old: `typed = widget.Get(text, "value").String() != ""`, new: `typed = false`, tests: "TestPageNotes"},

	// The run list's columns, memory.
	{name: "a third click on a column of the list sorts it up again", file: "wasm/ui/cells_js.go",
		old: `next = nil`, new: `next = []string{key}`, tests: "TestPageHParamsBeside|TestPageRuns"},
	{name: "the box for columns in the list gives no room", file: "wasm/ui/cells_js.go",
		old: `listName+3*cellWidth`, new: `listName`, tests: "TestPageHParamsBeside|TestPageRuns"},
	{name: "a memory that was set elsewhere is shown as automatic", file: "wasm/ui/memory_js.go",
		old: `sizes = append(slices.Clone(sizes), chosen)`, new: `chosen = 0`, tests: "TestPageSettings|TestPageOlderSettings"},
	{name: "the cache is emptied without a word", file: "wasm/ui/memory_js.go",
		old: `bytesText(n)+" freed"`, new: `bytesText(n)`, tests: "TestPageSettings|TestPageOlderSettings"},

	// Scripts of plots.
	{name: "what a brush covers cannot be moved over the axis", file: "static/lazy/hparams/5-parallel.js",
		old: `[from, to] = [part.from + shift, part.to + shift];`, new: `[from, to] = [part.from, part.to];`, tests: "TestPageParallel.*|TestPageBrush.*"},
	{name: "the upper edge of a brush moves the lower one", file: "static/lazy/hparams/5-parallel.js",
		old: `return { edge: 1, from, to };`, new: `return { edge: -1, from, to };`, tests: "TestPageParallel.*|TestPageBrush.*"},
	{name: "the line nearest to the pointer is one that a brush leaves out", file: "static/lazy/hparams/5-parallel.js",
		old: `if (!mask[r]) continue;`, new: ``, tests: "TestPageParallel.*|TestPageBrush.*"},
	{name: "runs without a value have no place on an axis", file: "static/lazy/hparams/5-parallel.js",
		old: `return u < 0 ? this.bottom + NONE : `, new: `return u < 0 ? -99 : `, tests: "TestPageParallel.*|TestPageBrush.*|TestPagePlots.*"},

	// The projector's side.
	{name: "distances are those of another neighbour", file: "static/lazy/projector/4-side.js",
		old: `(i) => pane.near.distances[i].toPrecision(3)`, new: `() => pane.near.distances[0].toPrecision(3)`, tests: "TestPageProjector"},
	{name: "the share of the variance is of all components", file: "static/lazy/projector/4-side.js",
		old: `slice(0, v.d === 2 ? 2 : 3)`, new: `slice(0, 3)`, tests: "TestPageProjector"},
	{name: "a search in the projector is not of the chosen column", file: "static/lazy/projector/4-side.js",
		old: `k: column.value || undefined, r`, new: `r`, tests: "TestPageProjector"},
	{name: "a projection that is kept is one of other rows", file: "static/lazy/projector/5-kept.js",
		old: `rows = new Uint32Array(d.slice(at + 4 * head.length).buffer);`, new: `rows = new Uint32Array(head.n).map((_, i) => i);`, tests: "TestPageProjector"},
}
