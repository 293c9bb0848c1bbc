package board

import (
	"strings"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/runs"
)

// Board is one dashboard.
type Board interface {
	Model
	// NewView makes the view, while its tab is chosen. All that it begins belongs to the
	// present widget.Scope, which ends when the view is closed.
	NewView(Host) View
}

// View is a dashboard on the screen.
type View interface {
	Mount(into dom.HTMLElement)
	Update(Update)
	// Pane are the controls of its settings, for the pane of settings.
	Pane() []dom.Node
	// Highlight marks a run on all that is shown; "" marks none.
	Highlight(run string)
	// Key offers a key (as in KeyboardEvent.key) that no field has taken; true
	// means that the view used it.
	Key(key string, shift bool) bool
	// Places are what can be gone to by its name: a command each, in order.
	Places(pause func()) []Command
	// Escape closes what is open in the view; true means that something was.
	Escape() bool
	// Help lists what it does, by keys or by name only, and what the mouse does.
	Help() (commands, mouse []Command)
}

// Command is something that a user can do. Those with Keys are lines of the help, those
// with Run of the palette.
type Command struct {
	Keys string // as they are written: "r", "Shift r", "← →"; "" = none
	Does string // what it does, or what it goes to
	Run  func()
	Of   string // what it belongs to, a word for the palette: "Card", "Tag"; "" = the page
	At   string // on which cards only, a head in the list of keys: "Images, audio"; "" = on all
}

// On reports whether a key (as in KeyboardEvent.key) is the command's.
func (c Command) On(key string) bool {
	return c.Run != nil && (c.Keys == key || c.Keys == "Shift "+strings.ToLower(key) && key != strings.ToLower(key))
}

// Do runs the command that a key is of; false if there is none.
func Do(commands []Command, key string) bool {
	for _, c := range commands {
		if c.On(key) {
			c.Run()
			return true
		}
	}
	return false
}

// Update says what may be different since the last one.
type Update struct {
	State  bool     // a setting
	Runs   bool     // which runs are shown, or their order
	Calm   bool     // … because of what was read, not of what the user did: nobody waits
	Tags   bool     // which tags there are
	Data   []string // runs whose points changed
	Table  bool     // the table of runs
	Colors bool     // of runs
	Theme  bool     // the page's ground
}

// Host is what a view may ask of the page.
type Host interface {
	Data() Data
	// State is what is on screen; read only.
	State() *session.State
	// Set changes it. Views hear of it by Update.
	Set(change func(*session.State))
	// Follow goes where a link from "#" on leads from here: see session.Follow.
	Follow(link string)
	// Runs lists the runs that are on and match the filter, in display order.
	Runs() []string
	// Best are the first n of them, where they stand by a number; else none.
	Best(n int) []string
	// Only shows these runs and no other; again, what was shown before, or all that are listed.
	Only(runs ...string)
	// ShowAllRuns switches every run on and clears the run filter.
	ShowAllRuns()
	// AllRuns lists every run that there is.
	AllRuns() []string
	// Listed says whether a run is not hidden and matches all filters, On whether it is
	// switched on.
	Listed(run string) bool
	// Named says whether a run is listed but for the filters of the table of runs.
	Named(run string) bool
	On(run string) bool
	// Switch switches runs on or off.
	Switch(runs []string, on bool)
	// Table is the table of runs.
	Table() *runs.Live
	// Name is what the user calls a run: as it is called in the files, or another name.
	Name(run string) string
	// RunMenu opens what can be done with a run under an element of its row; all are the
	// runs that the row stands for.
	RunMenu(under dom.Element, run string, all []string)
	// Color is a run's colour, #rrggbb.
	Color(run string) string
	// Paper is its colour on white, whatever the page's ground is.
	Paper(run string) string
	// Dash is the pattern of dashes of its line, 0 = none.
	Dash(run string) int
	// Scale says what colours stand for where they go from low to high: the column, its values at
	// both ends, what is said of runs without ("": all have one), and the colours on white. It is
	// nil where they do not.
	Scale() []any
	// Values gives the runs' values in a column of the table of runs, as text; ok is false if a run
	// has none, or it is not known yet: Update.Table tells when it is. Params are the
	// hyperparameters that there are, asked for from now on.
	Values(column string) func(run string) (text string, ok bool)
	Params() []string
	// ChooseGroups opens the choice of colours and groups of runs under an element.
	ChooseGroups(under dom.Element)
	// Group is the name of the group that a run's colour goes by; ok is false if runs are
	// not grouped, or if it belongs to none.
	Group(run string) (name string, ok bool)
	// Read shows values of runs in the run list.
	Read(Reading)
}

// Reading is a value for each of some runs, at the crosshair of a card or the last ones.
type Reading struct {
	Card string // whose values they are; "" = there are none
	At   string // where; "" = the last ones
	Rest string // of what those are the last
	Near string // the run that the pointer is nearest to, "" = none
	// Texts are as they are written; "" = none. "≈" is one that is not exact yet; after a line break
	// stands where it is from, if elsewhere. pads are what numbers of a column of so many characters
	// have less than others behind their points ("00"): it is drawn unseen after them, so that the
	// points stand below each other.
	Texts func(runs []string, room int) (texts, pads []string)
	Value func(run string) (v float64, ok bool)
}

// Data is the data API as a page uses it; package engine answers it. All
// callbacks come on the page's event loop.
type Data interface {
	Status() wire.Status
	Runs() []wire.Run                                  // display order
	Tags(plugin string) map[string]map[string]wire.Tag // run → tag; read only
	Subscribe(func(engine.Change)) (cancel func())
	// Ask asks for data of any kind, and calls got once or, with Reply.More, again.
	Ask(q wire.Query, got func(engine.Reply)) (cancel func())
	// Every gives all that was logged of one run, piece by piece, for an export.
	Every(run string, q wire.Query) *engine.Stream
	// Look names what is on screen, in order of importance: it is read first.
	Look(runs, tags []string)
	// Reload looks for new data now.
	Reload()
	// SetReload sets automatic reload, which rests while the tab is hidden.
	SetReload(on bool, period time.Duration)
	// Pace returns how long a look takes, and how long none follows by itself.
	Pace() (took, pause time.Duration)
	// SetBudget sets how many points may be kept, 0 by the device's memory. An open
	// logdir is read again.
	SetBudget(points int64)
	// Reopen opens the logdir anew, as it is now, without what was read of files that are gone.
	Reopen()
	// AwaitListing waits, for a short while, until the readers know what there is to read.
	AwaitListing()
	// SetCaching switches the cache on or off.
	SetCaching(on bool)
	// CacheSize and ClearCache must be called on a goroutine. They count bytes.
	CacheSize() (int64, error)
	ClearCache() (freed int64, err error)
	// Beside lists the files of that name beside runs' event files, by run. ReadFiles, on a
	// goroutine, reads as much of each as is wanted; what it cannot read it may be able to
	// later, see engine.IsAgain.
	Beside(name string) map[string]engine.Beside
	ReadFiles(paths []string, most int64) []engine.File
	// Plugins names the plug-ins of which there are tags.
	Plugins() []string
	// Gen counts the logdirs that were opened. Last is the last whole listing, nil before
	// the first.
	Gen() int
	Last() *api.Listing
	// DefaultProfile names the logdir's default profile: version changes with it, ""
	// if there is none; its runs' names are below root.
	DefaultProfile() (version, root string)
	// ReadDefaultProfile and SaveDefault must be called on a goroutine. SaveDefault
	// replaces what has the version seen, see engine.SaveDefault.
	ReadDefaultProfile() ([]byte, error)
	MaySaveDefault() bool
	SaveDefault(text []byte, seen string) (version string, made bool, err error)
	// Place is the name of the logdir's folder, and whether it comes over HTTP.
	Place() (folder string, overHTTP bool)
	Close()
}

// Opener opens logdirs.
type Opener interface {
	OpenListing(url string, asked bool)
	// OpenDropped must be called inside the drop event: what was dropped cannot
	// be read from outside it.
	OpenDropped(dataTransfer js.Value)
	OpenFiles(fileList js.Value)
	// Archives are the ends of names of archives, which open as folders do, as an input's accept has them.
	Archives() string
	// HasPicker says whether OpenPicker works: the browser has a folder picker
	// that notices new files.
	HasPicker() bool
	OpenPicker()
	// LastFolder names the folder that ReopenLast would open; "" if none.
	LastFolder() string
	ReopenLast()
	// Demo is the address of the page with a demo in it; "" if the site has none.
	Demo() string
}
