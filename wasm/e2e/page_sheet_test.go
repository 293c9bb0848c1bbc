//go:build !js

package e2e

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"regexp"
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
	// A card that is zoomed is drawn so, and the others as before.
	s.Press("Escape")
	dialog.Gone()
	s.Control("article", "line/up").Control("heading", "line/up").Click()
	s.Press("+")
	s.choose("picture of all cards", "Picture of all cards, or print them…")
	dialog.Control("status", "7 cards of curves, those of open groups.").Wait()
	dialog.Control("button", "SVG").Click()
	drawn := func(svg, tag string) string {
		for _, part := range strings.Split(svg, "<svg ") {
			if strings.Contains(part, ">"+tag+"<") {
				return regexp.MustCompile(`plot\d+`).ReplaceAllString(part, "plot") // counted on
			}
		}
		t.Fatalf("no card %s", tag)
		return ""
	}
	zoomed := s.saved(dir, "cards.svg")
	if drawn(zoomed, "line/up") == drawn(svg, "line/up") || drawn(zoomed, "flat/level") != drawn(svg, "flat/level") {
		t.Error("the picture is not zoomed as the card is")
	}
	// Its axes are those of the card's own picture.
	s.Press("Escape")
	dialog.Gone()
	s.Control("article", "line/up").Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	box := s.Control("dialog", "Picture")
	box.Control("spinbutton", "Width").Fill("400")
	box.Control("spinbutton", "Height").Fill("300")
	box.Control("button", "SVG").Click()
	texts := func(svg string) string {
		return fmt.Sprint(regexp.MustCompile(`<text[^>]*>[^<]*`).FindAllString(drawn(svg, "line/up"), -1))
	}
	if all, own := texts(zoomed), texts(s.saved(dir, "line_up.svg")); all != own {
		t.Errorf("among all cards the zoomed one says\n%s, alone\n%s", all, own)
	}
	s.Press("Escape")
	s.choose("picture of all cards", "Picture of all cards, or print them…")
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
