// Package session is what is on the screen: one struct, from which the URL
// and the browser's storage are derived, each by one file in both directions
// (url.go, store.go). Nothing else in the page keeps a setting.
package session

import (
	"maps"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Scale is how a vertical axis maps values.
type Scale string

const (
	Linear Scale = "linear"
	Log    Scale = "log"    // base 10; values ≤ 0 lie on the lower edge
	Symlog Scale = "symlog" // sign(v)·log10(|v|+1)
)

// Theme is the page's ground.
type Theme string

const (
	ThemeSystem Theme = "system"
	ThemeLight  Theme = "light"
	ThemeDark   Theme = "dark"
)

// TipOrder is the order of a tooltip's rows.
type TipOrder string

const (
	TipNearest      TipOrder = "nearest" // by distance on the screen
	TipAscending    TipOrder = "ascending"
	TipDescending   TipOrder = "descending"
	TipAlphabetical TipOrder = "alphabetical"
)

// Limits of what a setting may be.
const (
	MaxSmoothing   = 0.999
	MinCard        = 260  // CSS pixels
	MaxCard        = 1200 // CSS pixels
	MinPane        = 180  // CSS pixels
	MaxPane        = 720  // CSS pixels
	MinReload      = 1    // seconds
	MaxReload      = 3600 // seconds
	MaxTipRows     = 100
	DefaultTipRows = 10
	MaxMemory      = 64 << 10 // MiB
)

// State is everything that the user set. Maps may be nil. A State is treated
// as a value: Clone before changing a map.
type State struct {
	Board     string `json:"board"`
	TagFilter string `json:"tagFilter,omitempty"` // regular expression on tags, case ignored
	RunFilter string `json:"runFilter,omitempty"` // the same on run names

	Smoothing float64          `json:"smoothing"` // weight in [0, MaxSmoothing]
	X         wire.XAxis       `json:"x"`
	Y         Scale            `json:"y"`              // of cards without an own scale
	TagY      map[string]Scale `json:"tagY,omitempty"` // a card's own scale, by tag
	Outliers  bool             `json:"outliers"`       // axis range leaves out the outermost 5 % at each end
	TipOrder  TipOrder         `json:"tipOrder"`
	TipRows   int              `json:"tipRows"`          // rows of a tooltip that is not pinned
	CardWidth int              `json:"cardWidth"`        // least width in CSS pixels
	Wide      map[string]bool  `json:"wide,omitempty"`   // tags whose card has the full width
	Groups    map[string]bool  `json:"groups,omitempty"` // tag groups that the user opened (true) or closed

	Theme        Theme `json:"theme"`
	RunsOpen     bool  `json:"runsOpen"`     // left pane
	SettingsOpen bool  `json:"settingsOpen"` // right pane
	RunsWidth    int   `json:"runsWidth"`    // CSS pixels

	AutoReload bool `json:"autoReload"`
	Reload     int  `json:"reload"` // period in seconds

	Memory int  `json:"memory,omitempty"` // MiB for points; 0 = by the device's memory
	Cache  bool `json:"cache"`            // what is read is kept in the browser's database

	Logdir  string            `json:"logdir,omitempty"`  // that Runs speaks of
	Runs    map[string]bool   `json:"runs,omitempty"`    // runs that the user switched on (true) or off
	Folders map[string]bool   `json:"folders,omitempty"` // folders of runs that the user closed (true)
	Colors  map[string]string `json:"colors,omitempty"`  // the user's own colours, run → #rrggbb
}

// Default is what a first visitor sees.
func Default() State {
	return State{
		Board: "timeseries", Smoothing: 0.6, X: wire.ByStep, Y: Linear, Outliers: true,
		TipOrder: TipNearest, TipRows: DefaultTipRows, CardWidth: 340, Theme: ThemeSystem,
		RunsOpen: true, SettingsOpen: true, RunsWidth: 272, AutoReload: true, Reload: 5, Cache: true,
	}
}

// Clone returns a copy that shares no map.
func (s State) Clone() State {
	s.TagY, s.Wide, s.Groups = maps.Clone(s.TagY), maps.Clone(s.Wide), maps.Clone(s.Groups)
	s.Runs, s.Folders, s.Colors = maps.Clone(s.Runs), maps.Clone(s.Folders), maps.Clone(s.Colors)
	return s
}

// ScaleOf returns the vertical scale of a tag's card.
func (s *State) ScaleOf(tag string) Scale {
	if y, ok := s.TagY[tag]; ok {
		return y
	}
	return s.Y
}

// Normalize puts every field within its limits; what cannot be understood
// becomes the default. What comes from a URL or from storage goes through it.
func (s *State) Normalize() {
	d := Default()
	if s.Board == "" {
		s.Board = d.Board
	}
	if math.IsNaN(s.Smoothing) {
		s.Smoothing = d.Smoothing
	}
	s.Smoothing = min(MaxSmoothing, max(0, s.Smoothing))
	s.X = oneOf(s.X, d.X, wire.ByStep, wire.ByRelative, wire.ByWall)
	s.Y = oneOf(s.Y, d.Y, Linear, Log, Symlog)
	for t, y := range s.TagY {
		if oneOf(y, "", Linear, Log, Symlog) == "" {
			delete(s.TagY, t)
		}
	}
	s.TipOrder = oneOf(s.TipOrder, d.TipOrder, TipNearest, TipAscending, TipDescending, TipAlphabetical)
	s.Theme = oneOf(s.Theme, d.Theme, ThemeSystem, ThemeLight, ThemeDark)
	s.TipRows = within(s.TipRows, 1, MaxTipRows, d.TipRows)
	s.CardWidth = within(s.CardWidth, MinCard, MaxCard, d.CardWidth)
	s.RunsWidth = within(s.RunsWidth, MinPane, MaxPane, d.RunsWidth)
	s.Reload = within(s.Reload, MinReload, MaxReload, d.Reload)
	s.Memory = within(s.Memory, 1, MaxMemory, 0)
	for run, c := range s.Colors {
		if !isHex(c) {
			delete(s.Colors, run)
		}
	}
}

func oneOf[T comparable](v, otherwise T, allowed ...T) T {
	for _, a := range allowed {
		if v == a {
			return v
		}
	}
	return otherwise
}

// within clamps v; 0, the value of a field that was never written, is otherwise.
func within(v, lo, hi, otherwise int) int {
	if v == 0 {
		return otherwise
	}
	return min(hi, max(lo, v))
}

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
