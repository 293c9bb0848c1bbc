package ui

import (
	"maps"
	"reflect"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/runcolor"
	"github.com/tensorbored/tensorbored-static/shared/runtable"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/runs"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Data and Opener are what the page stands on.
type (
	Data   = board.Data
	Opener = board.Opener
)

const (
	statusPace = 150 * time.Millisecond
	runsPace   = 250 * time.Millisecond
)

// app is the page. It holds the one state; all that is on screen follows from
// that and from the data.
type app struct {
	data   Data
	opener Opener
	schema session.Schema
	state  session.State
	store  *store
	desk   *desk
	logdir string // that the settings of Here speak of; "" before it is known
	asked  int64  // wire.Status.Reload

	head     *header
	list     *runList
	settings *settings
	status   *statusLine
	panes    *panes
	theme    *theme
	notice   *notice
	drop     *dropZone
	plugins  *plugins
	palette  *palette // the one that was opened last; may be nil

	boards []board.Board
	tab    string // id of the board on screen
	view   board.View
	scope  *widget.Scope // of the view
	main   dom.HTMLElement

	table     *runs.Live // of runs
	runs      []wire.Run
	runFilter filter.Filter
	colors    *runcolor.Colors
	hues      *hues
	seeds     *seeds
	rank      *rank
	groupedBy string                // the column that groups go by, "" none
	scale     *runcolor.Scale       // by its numbers, nil: there is none
	regroup   func()                // shows groups anew where they are listed; nil: nowhere
	groups    *runcolor.Groups      // what colours go by; nil: each run has its own
	first     func(run string) bool // runs that are on unless the user chose
	newest    int                   // how many of very many runs are on by that; 0: all
	narrow    bool                  // filters leave so few of very many that all of these are on
	called    map[string]string     // what runs are called by their hyperparameters; nil: by none
	began     map[string]float64    // when runs began, seconds since 1970; 0 = unknown
	shown     []string
	onStatus  *widget.Pacer
	onRuns    *widget.Pacer
	pending   engine.Change // runs and tags that onRuns has to look at
	phase     wire.Phase    // at the last change
	unshown   []unshown.Item
	entered   bool         // another logdir has been opened, and its runs have not come
	beside    []string     // plug-ins whose dashboards show files beside event files
	listed    *api.Listing // of which unshown was made
}

// Run shows the page for as long as it is open. The function it returns makes
// it look again at what the opener knows.
func Run(data Data, opener Opener) (refresh func()) {
	a := &app{data: data, opener: opener, boards: boards.All(), schema: boards.Schema(), first: func(string) bool { return true }, colors: &runcolor.Colors{}}
	a.store = newStore(a)
	a.desk = newDesk(a)
	a.hues = newHues(a)
	a.seeds = newSeeds(a)
	a.rank = &rank{app: a}
	a.state = a.store.load()
	a.theme = newTheme(a)
	a.table = runs.New(data, a.State, a.Named, a.tableChanged)
	a.onStatus = widget.NewPacer(statusPace, a.followStatus, nil)
	a.onRuns = widget.NewPacer(runsPace, a.followRuns, nil)
	a.runFilter.Set(session.RunFilter.Of(&a.state))
	a.setMemory() // before anything is read: nothing may be written that is not to be kept
	data.AwaitListing()
	bridge.Yield() // the two halves of the start are tasks of their own
	a.build()
	a.call()
	bindKeys(a)
	data.Subscribe(a.changed)
	a.setReload()
	a.followRuns()
	a.followStatus()
	a.desk.start()
	a.plugins.start()
	return a.onStatus.Ask
}

// build puts the page together.
func (a *app) build() {
	a.main = widget.New("main", "main", widget.Attr{Key: "id", Value: "main"}, widget.Attr{Key: "tabindex", Value: "-1"})
	a.drop = newDropZone(a)
	a.plugins = newPlugins(a)
	a.head = newHeader(a)
	a.list = newRunList(a)
	a.settings = newSettings(a)
	a.status = newStatusLine(a)
	a.notice = newNotice(a)
	a.main.AppendChild(a.notice.el)
	a.panes = newPanes(a)
	root := widget.Find("#app")
	widget.Replace(root, a.head.el, a.panes.runs, a.main, a.panes.settings, a.status.el, a.panes.shade, a.drop.el)
	a.theme.apply()
	a.panes.apply()
	a.head.update()
	a.settings.update()
	a.openTab()
}

// openTab shows the board that the state names; the first one if there is no such.
func (a *app) openTab() {
	chosen := a.boards[0]
	for _, b := range a.boards {
		if b.About().ID == session.Board.Of(&a.state) {
			chosen = b
		}
	}
	if id := chosen.About().ID; id != a.tab {
		a.Read(board.Reading{})
		if a.scope != nil {
			a.scope.Close()
			widget.Dismiss(a.main)
		}
		a.tab = id
		a.scope = &widget.Scope{}
		a.scope.Do(func() {
			a.view = chosen.NewView(a)
			a.view.Mount(a.main)
			a.settings.open(a.view.Pane())
		})
		a.panes.apply()
	}
	a.head.update()
}

// changed collects what the engine reports until there is time for it.
func (a *app) changed(c engine.Change) {
	if c.Status {
		a.onStatus.Ask()
	}
	if c.Runs || c.Tags {
		a.pending.Runs = a.pending.Runs || c.Runs
		a.pending.Tags = a.pending.Tags || c.Tags
		a.onRuns.Ask()
	}
	a.table.Follow(c)
	a.list.sparks.follow(c.Data)
	phase := a.data.Status().Phase
	done := phase.Done() && !a.phase.Done()
	a.phase = phase
	if done && len(a.shown) == 0 {
		a.onRuns.Flush()
	}
	if c.Tags || len(c.Data) > 0 || done {
		a.view.Update(board.Update{Tags: c.Tags, Data: c.Data})
	}
	if done { // what waits for company has none to come
		a.onRuns.Hurry()
		a.onStatus.Hurry()
	}
}

func (a *app) followStatus() {
	s := a.data.Status()
	if s.Logdir != "" && s.Logdir != a.logdir {
		// Another logdir: what was chosen there means other runs here.
		first := a.logdir == ""
		a.logdir = s.Logdir
		a.table.Clear()
		a.called = nil
		next := a.state.Clone()
		a.store.loadHere(&next)
		a.become(next)
		a.desk.opened(first)
		a.entered = true
		a.onRuns.Ask()
	}
	if s.Reload != a.asked {
		a.asked = s.Reload
		a.setReload()
	}
	a.desk.follow()
	if l := a.data.Last(); l != a.listed {
		a.listed = l
		a.findUnshown()
		a.head.updateTabs()
		a.table.Look() // files beside event files may be others
		a.view.Update(board.Update{})
	}
	a.status.update(s)
	if s.Phase != a.head.phase {
		// What it means that something is missing depends on how far reading is.
		a.onRuns.Ask()
	}
	a.head.updateStatus(s)
	a.settings.memory.follow(s)
	a.notice.update(s, len(a.runs))
}

func (a *app) followRuns() {
	change := a.pending
	a.pending = engine.Change{}
	before := len(a.runs)
	a.runs = a.data.Runs()
	if len(a.runs) > 0 && (before == 0 || a.entered) {
		a.entered = false
		a.Set(a.neverNone)
	}
	a.first, a.newest = firstShown(a.runs)
	a.began = make(map[string]float64, len(a.runs))
	for _, r := range a.runs {
		a.began[r.Name] = started(r)
	}
	a.table.SetRuns(a.AllRuns(), a.began)
	shown := a.pick()
	u := board.Update{Tags: true, Colors: change.Runs || before != len(a.runs) || a.phase.Done() && !a.hues.kept}
	if !reflect.DeepEqual(shown, a.shown) {
		a.shown = shown
		u.Runs, u.Calm, u.Colors = true, true, true
	}
	if u.Colors {
		a.recolor()
	}
	a.view.Update(u)
	a.list.update()
	a.head.updateTabs()
	a.findUnshown()
	a.desk.follow()
	a.notice.update(a.data.Status(), len(a.runs))
	if a.palette != nil {
		a.palette.again()
	}
}

// neverNone takes back in s which runs are on where every one is off, since it was left so or by a
// profile for other runs: better all of them than an empty page.
func (a *app) neverNone(s *session.State) {
	for _, r := range a.runs {
		if on, ok := session.Runs.Get(s, r.Name); on || !ok && !session.OthersOff.Of(s) {
			return
		}
	}
	if len(a.runs) > 0 {
		session.Runs.Reset(s)
		session.OthersOff.Reset(s)
	}
}

// on says whether a run is switched on, whatever the filter says.
func (a *app) on(run string) bool {
	if on, ok := session.Runs.Get(&a.state, run); ok {
		return on
	}
	return a.byRule(run)
}

// byRule says whether a run is on that the user has not switched.
func (a *app) byRule(run string) bool {
	return !session.OthersOff.Of(&a.state) && (a.narrow || a.first(run))
}

// Listed implements board.Host: whether a run is not hidden and matches all filters.
func (a *app) Listed(run string) bool {
	return a.table.Pass(run) && a.Named(run) && (a.rank.top == nil || a.rank.top[run])
}

// Named implements board.Host.
func (a *app) Named(run string) bool {
	hidden, _ := session.RunsHidden.Get(&a.state, run)
	return !hidden && a.runFilter.Any(run, a.Name(run))
}

// hidden is how many runs are hidden for good.
func (a *app) hidden() (n int) {
	for _, r := range a.runs {
		if on, _ := session.RunsHidden.Get(&a.state, r.Name); on {
			n++
		}
	}
	return n
}

// Name implements board.Host.
func (a *app) Name(run string) string {
	if own := a.given(run); own != "" {
		return own
	}
	return run
}

// given is what a run is called in place of its name: by the user, or by its hyperparameters
// if the user wants that; "" if by nothing else.
func (a *app) given(run string) string {
	if own, _ := session.RunNames.Get(&a.state, run); own != "" {
		return own
	}
	return a.called[run]
}

// call finds out what runs are called by their hyperparameters, if the user wants that, and
// reports whether it has changed.
func (a *app) call() bool {
	var called map[string]string
	if session.RunCalled.Of(&a.state) == session.CalledParams {
		called = a.table.Called(&a.table.Experiment)
		a.table.Need(a, runtable.ParamKey(""))
	} else {
		a.table.Need(a)
	}
	if maps.Equal(called, a.called) {
		return false
	}
	a.called = called
	return true
}

// pick lists the runs that are on and listed.
func (a *app) pick() []string {
	var listed []wire.Run
	var out []string
	a.rank.top = nil
	for _, r := range a.runs {
		if a.Listed(r.Name) {
			listed = append(listed, r)
		}
	}
	// Of very many runs those are on that the filters leave, or the newest of them.
	if a.narrow = a.newest > 0 && len(listed) <= closeLook; a.newest > 0 && !a.narrow {
		a.first = newestOf(listed, fewRuns)
	}
	for _, r := range listed {
		if a.on(r.Name) {
			out = append(out, r.Name)
		}
	}
	return a.rank.cut(out)
}

// AllRuns implements board.Host.
func (a *app) AllRuns() []string {
	names := make([]string, len(a.runs))
	for i, r := range a.runs {
		names[i] = r.Name
	}
	return names
}

// Table implements board.Host.
func (a *app) Table() *runs.Live { return a.table }

// On implements board.Host.
func (a *app) On(run string) bool { return a.on(run) }

// Switch implements board.Host.
func (a *app) Switch(runs []string, on bool) { a.list.set(runs, on) }

// tableChanged follows from other values in the table of runs: filters may leave out other
// runs.
func (a *app) tableChanged() {
	if a.view == nil {
		return
	}
	u := board.Update{Table: true, Colors: a.call()}
	if shown := a.pick(); !reflect.DeepEqual(shown, a.shown) {
		a.shown = shown
		u.Runs, u.Calm, u.Colors = true, true, true
		a.recolor()
	}
	if a.groupedBy != "" {
		a.recolor()
		u.Colors = true
	}
	a.view.Update(u)
	a.list.update()
	if a.regroup != nil {
		a.regroup()
	}
}
