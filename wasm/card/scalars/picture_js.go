package scalars

import (
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars/paint"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Sizes of a picture, in pixels.
const (
	pictureWidth  = 800
	pictureHeight = 480
	minPicture    = 200
	maxPicture    = 8000
)

// pictureSize is the last one that was chosen.
var pictureSize = [2]int{pictureWidth, pictureHeight}

// pictureScript draws pictures; it is loaded when the first is wanted.
const pictureScript = "picture"

// savePicture lets the user take the card along as a picture.
func (c *curves) savePicture() {
	card.Bring(pictureScript, "The picture cannot be made", func() {
		if c.chart != nil { // it was not scrolled away
			c.choosePicture()
		}
	})
}

// choosePicture asks how large the picture is to be, and of which form.
func (c *curves) choosePicture() {
	widget.Popup(c.more, "picture", "Picture", func(el dom.HTMLElement) {
		said := widget.New("p", "said wrong", widget.Attr{Key: "role", Value: "status"})
		size := func(i int, name string) dom.HTMLElement {
			in := widget.Number(name, minPicture, maxPicture, 1, func(v float64) { pictureSize[i] = int(v) })
			widget.SetValue(in, strconv.Itoa(pictureSize[i]))
			return in
		}
		// At once, while the browser still knows that the user clicked.
		do := func(begin func(*paint.Chart) (begun func() error)) {
			if c.chart == nil {
				return // it was scrolled away
			}
			widget.Text(said, "")
			paint.SetScale(c.l.host.Scale())
			begun := begin(c.chart)
			go func() {
				if err := begun(); err != nil {
					widget.Text(said, "It could not be made: "+err.Error())
				}
			}()
		}
		save := func(label, kind string) dom.HTMLElement {
			return widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(func() {
				do(func(p *paint.Chart) func() error {
					return p.SavePicture(kind, pictureSize[0], pictureSize[1], card.FileName(card.Titled(c.name(), c.slot.ID), kind))
				})
			}))
		}
		copyIt := widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, "Copy", widget.Click(func() {
			do(func(p *paint.Chart) func() error {
				begun := p.CopyPicture(pictureSize[0], pictureSize[1])
				return func() error {
					err := begun()
					if err == nil {
						widget.Say("The picture is on the clipboard")
					}
					return err
				}
			})
		}))
		el.AppendChild(widget.Field("Size in pixels", widget.New("div", "pair", size(0, "Width"), "×", size(1, "Height"))))
		el.AppendChild(widget.New("div", "buttons", save("PNG", "png"), save("SVG", "svg"), copyIt))
		el.AppendChild(said)
	})
}
