package images

import (
	"fmt"
	"strconv"
	"syscall/js"

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
func (l *live) Pane() []card.Control {
	factor := func(name string, d *session.Setting[float64], hi float64) card.Control {
		put := func(v float64) { l.host.Set(func(s *session.State) { d.Set(s, v) }) }
		slider, box := widget.Range(name, 0, hi, 0.05, put), widget.Number(name+" factor", 0, hi, 0.01, put)
		return card.Control{Of: d.Decl, Node: widget.Field(name, widget.New("div", "slider", slider, box)), Show: func(s *session.State) {
			text := strconv.FormatFloat(d.Of(s), 'g', -1, 64)
			widget.Set(slider, "value", text)
			widget.SetValue(box, text)
		}}
	}
	return []card.Control{
		factor("Brightness", Brightness, 2), factor("Contrast", Contrast, 5),
		card.CheckOf(l.host, "Images in actual size", Actual), card.CheckOf(l.host, "Smooth enlarged images", Smooth),
		card.StepsControl(l.host),
	}
}

// Update implements card.Live.
func (l *live) Update(u board.Update, _, _ *session.State) {
	if u.State {
		l.adjust()
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
