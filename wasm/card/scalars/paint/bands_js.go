package paint

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Bands is a chart of a distribution; see static/lazy/histograms.
type Bands struct{ *Chart }

// NewBands makes a chart that fills host; name is what it shows.
func NewBands(host dom.Element, name string, on Events) *Bands {
	return &Bands{newChart(painter().Get("Bands").Get("make"), host, name, on)}
}

// BandsPainter is what counts the time of these charts alone, once it is loaded.
func BandsPainter() js.Value { return painter().Get("Bands") }

// Ink sets the run's colour.
func (b *Bands) Ink(color string) { b.value.Call("ink", color) }

// TakeBands hands over an answer: its part as JSON, and its buffer.
func (b *Bands) TakeBands(revision int, json string, buffer js.Value) {
	b.value.Call("takeBands", revision, json, buffer)
}
