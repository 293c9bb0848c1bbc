//go:build !js

package e2e

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// All cards as one picture, and on paper: those that were never on screen too.
func TestPageAllCards(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.Resize(700, 400) // of the cards two are on screen
	s.SystemDark(true)
	s.fresh("#timeseries&smoothing=0")
	dir := s.Downloads()
	dialog := s.Control("dialog", "All cards")
	s.choose("picture of all cards", "Picture of all cards, or print them…")
	dialog.Control("status", "7 cards of curves, those of open groups.").Wait()
	// Those of closed groups only if one says so.
	closed := dialog.Control("checkbox", "Of closed groups too")
	closed.Click()
	dialog.Control("status", "137 cards of curves, those of all groups.").Wait()
	closed.Click()
	dialog.Control("status", "7 cards of curves, those of open groups.").Wait()
	dialog.Control("spinbutton", "Width").Fill("400")
	dialog.Control("spinbutton", "Height").Fill("300")
	dialog.Control("spinbutton", "Columns").Fill("3")
	dialog.Control("button", "SVG").Click()
	svg := s.saved(dir, "cards.svg")
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"`) || strings.Count(svg, "<svg ") != 8 || !strings.Contains(svg, `<svg x="800" y="300" `) {
		t.Errorf("the picture begins %.300s", svg)
	}
	for _, want := range first {
		if !strings.Contains(svg, ">"+want+"<") {
			t.Errorf("the picture has no card %s", want)
		}
	}
	dialog.Control("button", "PNG").Click()
	img, err := png.Decode(bytes.NewReader([]byte(s.saved(dir, "cards.png"))))
	if err != nil || img.Bounds().Dx() != 2400 || img.Bounds().Dy() != 1800 {
		t.Errorf("the PNG: %v", err)
	}

	// Printed: what stands on paper while the browser's dialog is open.
	s.Eval(`void (globalThis.print = () => { globalThis.printed = document.querySelectorAll(".print-sheet img").length })`, nil)
	dialog.Control("button", "Print").Click()
	s.Wait(`globalThis.printed === 7`)
	pdf := s.PDF()
	if n := bytes.Count(pdf, []byte("/Type /Page\n")); n < 2 || n > 4 {
		t.Errorf("%d pages", n)
	}
	s.Eval(`void dispatchEvent(new Event("afterprint"))`, nil)
	s.Wait(`!document.querySelector(".print-sheet")`)
	dialog.Control("status", "Printed").Wait()
	// By the key for it as well.
	s.Press("Escape")
	dialog.Gone()
	s.Eval(`void (globalThis.printed = 0)`, nil)
	s.Press("p", "Control")
	s.Wait(`globalThis.printed === 7`)
}
