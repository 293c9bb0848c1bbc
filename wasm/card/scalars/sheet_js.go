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
	var cards []session.CardID
	widget.DialogEnd("All cards", func() []any {
		said := widget.New("p", "said", widget.Attr{Key: "role", Value: "status"})
		gather := func(closed bool) {
			cards = l.host.Cards(closed)
			which := "those of open groups"
			if closed {
				which = "those of all groups"
			}
			if n := len(cards); n > maxSheet {
				cards = cards[:maxSheet]
				which = fmt.Sprintf("the first of %s", widget.Thousands(n))
			}
			widget.Text(said, fmt.Sprintf("%s of curves, %s.", widget.Count(len(cards), "card", "cards"), which))
		}
		gather(false)
		_, closed := widget.Check("Of closed groups too", gather)
		number := func(name string, value *int, lo, hi float64) dom.HTMLElement {
			in := widget.Number(name, lo, hi, 1, func(v float64) { *value = int(v) })
			widget.SetValue(in, strconv.Itoa(*value))
			return in
		}
		do := func(what string, use func(svgs []any) (begun func() error)) {
			go func() {
				widget.Text(said, "Drawing…")
				svgs, small, err := l.pictures(cards, func(n int) { widget.Text(said, fmt.Sprintf("%d of %d drawn", n, len(cards))) })
				text := what
				switch {
				case err != nil:
					text = "It could not be made: " + err.Error()
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
			widget.Field("Which", closed),
			said,
			widget.New("div", "buttons", button("PNG", "Saved", save("png")), button("SVG", "Saved", save("svg")), button("Print", "Printed", paint.PrintSheet)))}
	})
}

// print prints all cards, those too that were never on the screen.
func (l *live) print() {
	go func() {
		svgs, _, err := l.pictures(l.host.Cards(false), func(int) {})
		if err == nil {
			err = paint.PrintSheet(svgs)()
		}
		if err != nil {
			widget.Say("It could not be printed: " + err.Error())
		}
	}()
}

// offStage makes a chart of a card's answer that is not on the screen. Who asked closes it.
func (l *live) offStage(id session.CardID, r engine.Reply) *paint.Chart {
	tags, _ := l.curvesOf(id)
	chart := paint.NewChart(widget.New("div", ""), l.name(id), names(tags), paint.Events{Painted: func() {}, Zoom: func(paint.Zoom, bool) {}, Size: func(int) {}, Fob: func(int, float64) {}})
	setUp(chart, l.host.State(), id, false)
	chart.Take(1, "", 0, 0, paint.Chunks(r))
	return chart
}

// pictures draws cards, on the screen or not; small counts those for which the size is too
// small. It must be called on a goroutine.
func (l *live) pictures(cards []session.CardID, drawn func(n int)) (svgs []any, small int, err error) {
	if err := card.Load(pictureScript); err != nil {
		return nil, 0, err
	}
	paint.SetScale(l.host.Scale())
	for i, id := range cards[:min(len(cards), maxSheet)] {
		tags, _ := l.curvesOf(id)
		var runs []string
		for _, r := range l.host.Runs() {
			for _, t := range tags {
				if card.Has(l.host.Tags()[r], t) && (id.Run == "" || id.Run == r) && (id.Part == "" || l.In(id.Part, r)) {
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
		chart := l.offStage(id, r)
		chart.SetZoom(rangeOf(z))
		if svg, ok := chart.SVG(sheetSize[0], sheetSize[1]); ok {
			svgs = append(svgs, svg)
		} else {
			small++
		}
		chart.Close()
		drawn(i + 1)
	}
	return svgs, small, nil
}
