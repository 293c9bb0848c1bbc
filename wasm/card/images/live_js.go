package images

import (
	"fmt"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// painter is static/lazy/images.
func painter() js.Value { return js.Global().Get("tbImages") }

// live is the kind in a view.
type live struct {
	host  card.Host
	scope *widget.Scope
	items items
	cost  float64

	brightness, contrast, brightnessBox, contrastBox, actual, smooth dom.HTMLElement
	steps                                                            card.StepsPane
}

// epochs counts values that became others, over all views: the painter's cache is theirs
// together.
var epochs int

func (l *live) nextEpoch() int {
	epochs++
	return epochs
}

// Script implements card.Drawn.
func (Kind) Script() string { return "images" }

// Start implements card.Kind.
func (Kind) Start(h card.Host) card.Live {
	l := &live{host: h, scope: widget.Present(), items: items{}}
	l.adjust()
	l.scope.OnEnd(func() {
		if p := painter(); p.Truthy() {
			p.Call("clear")
		}
	})
	return l
}

// adjust hands brightness, contrast and smoothness to the style sheet.
func (l *live) adjust() {
	s := l.host.State()
	root := widget.Wrap(js.Global().Get("document").Get("documentElement"))
	filter := "none" // and not one that changes nothing: it costs each picture a surface of its own, in every frame
	if b, c := Brightness.Of(s), Contrast.Of(s); b != 1 || c != 1 {
		filter = fmt.Sprintf("brightness(%g) contrast(%g)", b, c)
	}
	widget.Style(root, "--image-filter", filter)
	widget.Toggle(root, "images-smooth", Smooth.Of(s))
	widget.Toggle(root, "images-actual", Actual.Of(s))
}

// Pane implements card.Live.
func (l *live) Pane() []dom.Node {
	set := func(change func(*session.State)) { l.host.Set(change) }
	pair := func(name string, d *session.Setting[float64], hi float64) (slider, box dom.HTMLElement, row dom.Node) {
		put := func(v float64) { set(func(s *session.State) { d.Set(s, v) }) }
		slider = widget.Range(name, 0, hi, 0.05, put)
		box = widget.Number(name+" factor", 0, hi, 0.01, put)
		return slider, box, widget.Field(name, widget.New("div", "slider", slider, box))
	}
	var bright, contrast dom.Node
	l.brightness, l.brightnessBox, bright = pair("Brightness", Brightness, 2)
	l.contrast, l.contrastBox, contrast = pair("Contrast", Contrast, 5)
	var actual, smooth dom.HTMLElement
	l.actual, actual = widget.Check("Images in actual size", func(on bool) { set(func(s *session.State) { Actual.Set(s, on) }) })
	l.smooth, smooth = widget.Check("Smooth enlarged images", func(on bool) { set(func(s *session.State) { Smooth.Set(s, on) }) })
	l.show()
	return []dom.Node{bright, contrast, actual, smooth, l.steps.Make(l.host)}
}

// show brings the controls to the settings.
func (l *live) show() {
	if l.brightness == nil {
		return
	}
	s := l.host.State()
	for _, c := range []struct {
		slider, box dom.HTMLElement
		v           float64
	}{{l.brightness, l.brightnessBox, Brightness.Of(s)}, {l.contrast, l.contrastBox, Contrast.Of(s)}} {
		text := strconv.FormatFloat(c.v, 'g', -1, 64)
		widget.Set(c.slider, "value", text)
		widget.SetValue(c.box, text)
	}
	widget.Set(l.actual, "checked", Actual.Of(s))
	widget.Set(l.smooth, "checked", Smooth.Of(s))
	l.steps.Update(s)
}

// Update implements card.Live.
func (l *live) Update(u board.Update, _, _ *session.State) {
	if u.State {
		l.adjust()
		l.show()
	}
}

// Highlight implements card.Live: a picture has no lines to mark.
func (l *live) Highlight(string) {}

// Escape implements card.Live.
func (l *live) Escape() bool { return false }

// Cost implements card.Live.
func (l *live) Cost() float64 { return l.cost }

// Key implements card.Live.
func (l *live) Key(string, bool) bool { return false }

// Help implements card.Live.
func (l *live) Help() (keys, mouse []board.Command) {
	return append(card.StepsHelp(), board.Command{Keys: "v", Does: "look closer at the card's picture"}), []board.Command{
		{Keys: "Click on a picture", Does: "look closer: zoom, pixel values, compare with another"},
	}
}
