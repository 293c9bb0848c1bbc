package histograms

import (
	"strconv"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/kind/histograms"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// painter is static/lazy/histograms.
func painter() js.Value { return js.Global().Get("tbHistogram") }

// live is the kind in a view.
type live struct {
	host card.Host
	all  map[*slices]bool // cards that show something
	// zooms are the values that cards show, where these are not all.
	zooms map[session.CardID][2]float64
}

// Script implements card.Drawn.
func (Kind) Script() string { return "histograms" }

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live {
	js.Global().Get("tbPaint").Call("setTheme")
	return &live{host: h, all: map[*slices]bool{}, zooms: map[session.CardID][2]float64{}}
}

// Pane implements card.Live.
func (l *live) Pane() []card.Control {
	log := card.CheckOf(l.host, "Log counts", LogCounts)
	bins := widget.Number("Bins of histograms", 5, histograms.MaxBins, 1, func(v float64) { l.host.Set(func(s *session.State) { Bins.Set(s, int(v)) }) })
	return []card.Control{
		card.ChoiceOf(l.host, "Histograms", ModeOf, [][2]string{{string(Offset), "Offset"}, {string(Overlay), "Overlay"}}, nil),
		scalars.AxisControl(l.host),
		{Of: Bins.Decl, Node: widget.New("div", "pair", log.Node, widget.New("label", "inline", bins, "bins")), Show: func(s *session.State) {
			log.Show(s)
			widget.SetValue(bins, strconv.Itoa(Bins.Of(s)))
		}},
		card.StepsControl(l.host),
	}
}

// Update implements card.Live.
func (l *live) Update(u board.Update, _, _ *session.State) {
	if u.Theme {
		js.Global().Get("tbPaint").Call("setTheme")
	}
	if u.Theme || u.Colors {
		for c := range l.all {
			c.look()
		}
	}
}

// Highlight implements card.Live: a card is of one run.
func (l *live) Highlight(string) {}

// Escape implements card.Live: all steps are shown again.
func (l *live) Escape() bool {
	if Range.Of(l.host.State()) == "" {
		return false
	}
	l.host.Set(func(s *session.State) { Range.Reset(s) })
	return true
}

// Cost implements card.Live.
func (l *live) Cost() float64 { return card.Busy(painter()) }

// Key implements card.Live.
func (l *live) Key(string, bool) bool { return false }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return []board.Command{
			{Keys: ", .", Does: "mark the slice before, or after"},
			{Keys: "Shift , .", Does: "mark the bin before, or after"},
			{Keys: "+ − 0", Does: "zoom the card in and out, fit"},
			{Keys: "Shift ← →", Does: "move the zoomed values"},
			{Keys: "o", Does: "histograms one behind the other, or over each other"},
			{Keys: "l", Does: "log counts"},
		}, []board.Command{
			{Keys: "Drag along a histogram", Does: "zoom to these values; double click: all"},
			{Keys: "Drag up or down on it", Does: "show these steps only; double click: all"},
			{Keys: "Ctrl wheel, Alt wheel", Does: "zoom at the pointer"},
			{Keys: "Click on a slice", Does: "its step is the one step for all cards, if they have one"},
		}
}
