package scalars

import (
	"fmt"
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// maxSheet is how many cards go into one picture, or on paper.
const maxSheet = 500

// sheetColumns is how many cards stood side by side last, and sheetSize how large each was.
var (
	sheetColumns = 2
	sheetSize    = [2]int{600, 380}
)

// chooseSheet lets the user take all cards along: as one picture, or on paper.
func (l *live) chooseSheet() {
	cards := l.host.Cards()
	widget.DialogEnd("All cards", func() []any {
		said := widget.New("p", "said", widget.Attr{Key: "role", Value: "status"}, fmt.Sprintf("%d cards of curves, those of open groups.", min(len(cards), maxSheet)))
		number := func(name string, value *int, lo, hi float64) dom.HTMLElement {
			in := widget.Number(name, lo, hi, 1, func(v float64) { *value = int(v) })
			widget.SetValue(in, strconv.Itoa(*value))
			return in
		}
		do := func(what string, use func(svgs []any) (begun func() error)) {
			go func() {
				widget.Text(said, "Drawing…")
				svgs, small := l.pictures(cards, func(n int) { widget.Text(said, fmt.Sprintf("%d of %d drawn", n, len(cards))) })
				text := what
				switch {
				case small > 0:
					text = "This is too small for the axes and the legends."
				case len(svgs) == 0:
					text = "There is nothing to draw."
				default:
					if err := use(svgs)(); err != nil {
						text = "It could not be made: " + err.Error()
					}
				}
				widget.Text(said, text)
			}()
		}
		button := func(label, what string, use func(svgs []any) func() error) dom.HTMLElement {
			return widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(func() { do(what, use) }))
		}
		save := func(kind string) func(svgs []any) func() error {
			return func(svgs []any) func() error {
				return paint.SaveSheet(svgs, sheetColumns, kind, sheetSize[0], sheetSize[1], "cards."+kind)
			}
		}
		return []any{widget.New("div", "settings-board",
			widget.Field("Size of each, in pixels", widget.New("div", "pair", number("Width", &sheetSize[0], minPicture, maxPicture), "×", number("Height", &sheetSize[1], minPicture, maxPicture))),
			widget.Field("Side by side", number("Columns", &sheetColumns, 1, 20)),
			said,
			widget.New("div", "buttons", button("PNG", "Saved", save("png")), button("SVG", "Saved", save("svg")), button("Print", "Printed", paint.PrintSheet)))}
	})
}

// print prints all cards, those too that were never on the screen.
func (l *live) print() {
	go func() {
		svgs, _ := l.pictures(l.host.Cards(), func(int) {})
		if err := paint.PrintSheet(svgs)(); err != nil {
			widget.Say("It could not be printed: " + err.Error())
		}
	}()
}

// pictures draws cards, on the screen or not; small counts those for which the size is too
// small. It must be called on a goroutine.
func (l *live) pictures(cards []session.CardID, drawn func(n int)) (svgs []any, small int) {
	for i, id := range cards[:min(len(cards), maxSheet)] {
		tags, _ := l.curvesOf(id)
		var runs []string
		for _, r := range l.host.Runs() {
			for _, t := range tags {
				if card.Has(l.host.Tags()[r], t) && (id.Run == "" || id.Run == r) {
					runs = append(runs, r)
					break
				}
			}
		}
		if len(runs) == 0 {
			continue
		}
		s := l.host.State()
		z := zoomOf(s, id)
		replies := make(chan engine.Reply, 2)
		var asked card.Question
		l.ask(&asked, l.queryOf(id, runs, z.X0, z.X1, 2*sheetSize[0]), false, func(r engine.Reply) { replies <- r })
		r := <-replies
		for r.More {
			r = <-replies
		}
		chart := paint.NewChart(widget.New("div", ""), l.name(id), names(tags), paint.Events{Painted: func() {}, Zoom: func(paint.Zoom, bool) {}, Size: func(int) {}, Fob: func(int, float64) {}})
		setUp(chart, s, id, false)
		chart.SetZoom(rangeOf(z))
		chart.Take(1, paint.Chunks(r))
		if svg, ok := chart.SVG(sheetSize[0], sheetSize[1]); ok {
			svgs = append(svgs, svg)
		} else {
			small++
		}
		chart.Close()
		drawn(i + 1)
	}
	return svgs, small
}
