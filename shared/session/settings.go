package session

import (
	"strings"
	"unicode/utf8"
)

// Theme is the page's ground.
type Theme string

const (
	ThemeSystem Theme = "system"
	ThemeLight  Theme = "light"
	ThemeDark   Theme = "dark"
)

// RunOrder is the order of the run list.
type RunOrder string

const (
	SortAuto   RunOrder = "auto" // by start, the oldest first; of very many runs the newest
	SortName   RunOrder = "name" // numbers in names as numbers
	SortNewest RunOrder = "newest"
	SortOldest RunOrder = "oldest"
	SortHigh   RunOrder = "high" // by RunRank
	SortLow    RunOrder = "low"
)

// Called is what runs are called by.
type Called string

const (
	CalledName   Called = "name"
	CalledParams Called = "hparams" // those that tell them apart, see runtable.Called
)

// Limits of what a setting may be.
const (
	MinCard   = 260      // CSS pixels
	MaxCard   = 1200     // CSS pixels
	MinPane   = 180      // CSS pixels
	MaxPane   = 720      // CSS pixels
	MinReload = 1        // seconds
	MaxReload = 3600     // seconds
	MaxMemory = 64 << 10 // MiB

	MaxIntroduction = 20000 // characters
)

// The settings of the page, whatever kinds of cards it shows.
var (
	// Board is the dashboard on screen. It is the head of a link and has no key there.
	Board     = Text("board", View, "timeseries")
	TagFilter = Text("tagFilter", View, "").Linked("tagFilter") // regular expression on tags, case ignored
	RunFilter = Text("runFilter", View, "").Linked("runFilter") // the same on run names
	// PluginData is what plug-ins show, by plug-in and key ("NAME.key"), in links as p.NAME.key;
	// PluginsOff are those that have no tab.
	PluginData = Table[string]("pluginData", View, nil)
	PluginsOff = Table("pluginsOff", Preference, func(_ string, off bool) bool { return off })
	// CardWidth is the least width of a card in CSS pixels.
	CardWidth = Count("cardWidth", Preference, 340, MinCard, MaxCard).Pane()
	// Wide are the cards that have the full width, by CardID.String.
	Wide = Table[bool]("wide", View, nil).Pane()
	// Forms are the tags that are shown in the other form of the two that a dashboard has for
	// them: distributions in place of histograms.
	Forms = Table("forms", View, func(_ string, on bool) bool { return on })
	// Groups are the groups of cards that the user opened (true) or closed.
	Groups = Table[bool]("groups", View, nil)
	// Pins are the pinned cards in their order, by CardID.String; PinsClosed folds them.
	Pins       = pins("pins", View).Linked("pins")
	PinsClosed = Switch("pinsClosed", View, false).Linked("pinsClosed")
	// RunColors are the user's own, run → #rrggbb.
	RunColors = Table("runColors", View, func(_ string, c string) bool { return isHex(c) })
	// GroupBy says which runs share a colour, and GroupColors the user's own colours of
	// groups, by runcolor.Groups.Key → #rrggbb.
	GroupBy     = grouping("groupBy", View).Linked("runColorGroup")
	GroupColors = Table("groupColors", View, func(_ string, c string) bool { return isHex(c) })

	// RunGiven are the colours that runs and groups of this logdir were given when they were
	// first shown, by runcolor.Groups: slots of the palette. RunHues are those of what is shown
	// that would be others if all of it was shown for the first time: so links and profiles
	// have them, and are short.
	RunGiven = Table("runGiven", Here, isSlot)
	RunHues  = Table("runHues", View, isSlot)
	// RunRecolor says that of two that are shown in colours that are hard to tell apart one is
	// given another by itself.
	RunRecolor = Switch("runRecolor", Preference, false)

	// Descriptions are texts in Markdown by tag, for tags that were logged without one.
	Descriptions = Table[string]("metricDescriptions", View, nil)
	// Introductions are words in Markdown above the cards of a dashboard, by its ID: what is to be
	// seen there. IntroductionsClosed folds them.
	Introductions = Table("introductions", View, func(_ string, text string) bool {
		return strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= MaxIntroduction
	})
	IntroductionsClosed = Switch("introductionsClosed", View, false).Linked("introductionsClosed")

	// Profile says which profile the view is of: "saved:NAME" of those that this browser
	// keeps, "default:NAME" of the logdir, "link:NAME" of whoever sent it; "" of none.
	Profile = Text("profile", View, "")
	// Kinds are the kinds of cards that a dashboard of several shows; none: all.
	Kinds = Table("kinds", View, func(_ string, on bool) bool { return on })
	// SuperimposedCards are cards of several tags.
	SuperimposedCards = superimposed("superimposedCards", View)
	// RunSort is the run list's order, RunValues, RunCurves and RunStarts whether it has
	// columns of values, of curves, and of when runs began.
	RunSort = Choice("runSort", View, SortAuto, SortName, SortNewest, SortOldest, SortHigh, SortLow).Linked("runOrder")
	// RunRank is the number by which SortHigh and SortLow go, a runtable.Key; "" is the last
	// value of the first tag. RunTop is how many runs are shown by it, 0 = all.
	RunRank   = Text("runRank", View, "").Linked("rank")
	RunTop    = Count("runTop", View, 0, 1, 10000).Linked("top")
	RunValues = Switch("runValues", Preference, true)
	RunCurves = Switch("runCurves", Preference, true) // of RunRank
	RunStarts = Switch("runStarts", Preference, false)
	// RunCalled is what runs are called by to which the user gave no name.
	RunCalled = Choice("runCalled", View, CalledName, CalledParams).Linked("called")

	ThemeChoice  = Choice("theme", Preference, ThemeSystem, ThemeLight, ThemeDark).Pane()
	RunsOpen     = Switch("runsOpen", Preference, true)                        // left pane
	SettingsOpen = Switch("settingsOpen", Preference, true)                    // right pane
	RunsWidth    = Count("runsWidth", Preference, 272, MinPane, MaxPane)       // CSS pixels
	AutoReload   = Switch("autoReload", Preference, true).Pane()               // look for new data
	Reload       = Count("reload", Preference, 5, MinReload, MaxReload).Pane() // period in seconds
	Memory       = Count("memory", Preference, 0, 1, MaxMemory).Pane()         // MiB for points; 0 = by the device's memory
	Cache        = Switch("cache", Preference, true).Pane()                    // what is read is kept in the browser's database

	Runs    = Table[bool]("runs", Here, nil)    // runs that the user switched on (true) or off
	Folders = Table[bool]("folders", Here, nil) // folders of runs that the user closed (true)
	// OthersOff says that runs that are not in Runs are off.
	OthersOff = Switch("othersOff", Here, false)
	// SeedsLeft says that means of runs that repeat each other are not to be offered.
	SeedsLeft = Switch("seedsLeft", Here, false)
	// RunsOf is the Profile that Runs and OthersOff were last taken from.
	RunsOf = Text("runsOf", Here, "")
	// NoDefault says that the user does not want the logdir's default profile.
	NoDefault = Switch("noDefault", Here, false)
)

// Page lists them.
var Page = append(Schema{
	Board.Decl, TagFilter.Decl, RunFilter.Decl, PluginData.Decl, PluginsOff.Decl, CardWidth.Decl, Wide.Decl, Forms.Decl, Groups.Decl, Pins.Decl, PinsClosed.Decl, RunColors.Decl, GroupBy.Decl, GroupColors.Decl, RunGiven.Decl, RunHues.Decl, RunRecolor.Decl, SuperimposedCards.Decl, Kinds.Decl, Descriptions.Decl, Introductions.Decl, IntroductionsClosed.Decl, Profile.Decl, RunSort.Decl, RunRank.Decl, RunTop.Decl, RunValues.Decl, RunCurves.Decl, RunStarts.Decl, RunCalled.Decl,
	ThemeChoice.Decl, RunsOpen.Decl, SettingsOpen.Decl, RunsWidth.Decl, AutoReload.Decl, Reload.Decl, Memory.Decl, Cache.Decl,
	Runs.Decl, Folders.Decl, OthersOff.Decl, RunsOf.Decl, SeedsLeft.Decl, NoDefault.Decl,
}, append(RunPlots, RunTable...)...)

// isSlot reports whether a slot of the palette may be: see runcolor.
func isSlot(_ string, slot int) bool { return slot >= 0 && slot < 1000 }

func isHex(c string) bool {
	if len(c) != 7 || c[0] != '#' {
		return false
	}
	for _, r := range c[1:] {
		if !('0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F') {
			return false
		}
	}
	return true
}
