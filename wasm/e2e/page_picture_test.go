//go:build !js

package e2e

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A card as a picture for a paper: SVG and PNG of a chosen size, on white whatever the
// page's ground is, with title, axes and legend; and on the clipboard.
func TestPagePicture(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.SystemDark(true)
	s.fresh("#timeseries&smoothing=0")
	dir := s.Downloads()
	s.still("flat/level")
	s.Control("article", "flat/level").Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	box := s.Control("dialog", "Picture")
	box.Control("spinbutton", "Width").Fill("600")
	box.Control("spinbutton", "Height").Fill("40000")
	box.Control("spinbutton", "Height").Is(`e.getAttribute("aria-invalid") === "true" && e.title === "a number from 200 to 8000"`)
	s.Press("Tab")
	box.Control("spinbutton", "Height").Is(`e.value === "4000" && !e.hasAttribute("aria-invalid") && !e.title`) // what was typed last that may be
	box.Control("spinbutton", "Height").Fill("400")
	box.Control("button", "SVG").Click()
	svg := s.saved(dir, "flat_level.svg")
	var texts []string
	paths := 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "path" {
				paths++
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				texts = append(texts, text)
			}
		}
	}
	all := strings.Join(texts, "|")
	for _, want := range []string{"flat/level|", "|Step|", "|12|", "|100|", "|alpha|beta|", "|sweep/s3"} {
		if !strings.Contains("|"+all+"|", want) {
			t.Errorf("the picture has no %q: %s", want, all)
		}
	}
	if !strings.Contains(svg, `width="600" height="400"`) || paths < 18 {
		t.Errorf("%d paths in %.200s", paths, svg)
	}
	// Its colours are those of runs on white.
	for _, dark := range []bool{false, true} {
		s.SystemDark(dark)
		s.dark(dark)
		s.Until(func() string {
			if color := string(s.color("alpha")); strings.Contains(svg, color) == dark {
				return fmt.Sprintf("%s in the picture: %v; dark: %v", color, !dark, dark)
			}
			return ""
		})
	}
	s.Control("article", "flat/level").Control("button", "More").Click()
	s.Control("menuitem", "Picture…").Click()
	box.Control("button", "PNG").Click()
	picture, err := png.Decode(bytes.NewReader([]byte(s.saved(dir, "flat_level.png"))))
	if err != nil {
		t.Fatal(err)
	}
	if b := picture.Bounds(); b.Dx() != 1200 || b.Dy() != 800 {
		t.Errorf("the picture is %v", b)
	}
	if r, g, b, _ := picture.At(5, 5).RGBA(); r+g+b != 3*0xffff {
		t.Error("the ground is not white")
	}
	colors := map[[3]uint32]bool{}
	for y := range 800 {
		for x := range 1200 {
			r, g, b, _ := picture.At(x, y).RGBA()
			if max(r, g, b)-min(r, g, b) > 0x4000 {
				colors[[3]uint32{r >> 12, g >> 12, b >> 12}] = true
			}
		}
	}
	if len(colors) < 6 {
		t.Errorf("six runs in %d colours", len(colors))
	}

	s.Eval(`void (navigator.clipboard.write = async items => { globalThis.copied = (await items[0].getType("image/png")).size; })`, nil)
	box.Control("button", "Copy").Click()
	s.Wait(`globalThis.copied > 1000`)
	s.Control("status", "The picture is on the clipboard*").Wait()
	box.Control("spinbutton", "Height").Fill("200")
	box.Control("spinbutton", "Width").Fill("200")
	box.Control("button", "SVG").Click() // the smallest that can be chosen still says what its lines are
	if svg := s.saved(dir, "flat_level.svg"); !strings.Contains(svg, `width="200" height="200"`) || !strings.Contains(svg, ">and 5 more<") && !strings.Contains(svg, ">and 4 more<") {
		t.Errorf("the smallest picture: %s", svg)
	}
}

// A picture has what its card shows: lines, faint raw lines, dashes, bands, names at the ends, notes,
// a second axis.
func TestPagePictureDrawn(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Resize(1920, 900)
	s.Before(drawing)
	for _, c := range []struct{ view, tag, file, name string }{
		{"smoothing=0.6&cards=stairs/up:flat/level&notes=40:lr", "stairs/up, flat/level", "stairs_up, flat_level.svg", "picture"},
		{"smoothing=0&together=folder", "flat/level", "flat_level.svg", "picture-means"},
		{"smoothing=0&cards=line/up:flat/level&right=line/up:!flat/level&y=symlog&x=relative", "line/up, flat/level", "line_up, flat_level.svg", "picture-right"},
	} {
		s.fresh("#timeseries&" + c.view)
		dir := s.Downloads()
		s.still(c.tag)
		s.Control("article", c.tag).Control("button", "More").Click()
		s.Control("menuitem", "Picture…").Click()
		s.Control("dialog", "Picture").Control("button", "SVG").Click()
		s.pictured(s.saved(dir, c.file), c.name)
		s.Press("Escape")
	}
}

// The raw values behind smoothed lines are a line, or a band if that is wanted; so they are
// in pictures.
func TestPageEnvelope(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	dir := s.Downloads()
	lines, bands := `stroke-opacity="0.25"`, `fill-opacity="0.2"`
	picture := func() (l, b int) {
		t.Helper()
		s.still("flat/level")
		s.Control("article", "flat/level").Control("button", "More").Click()
		s.Control("menuitem", "Picture…").Click()
		s.Control("dialog", "Picture").Control("button", "SVG").Click()
		svg := s.saved(dir, "flat_level.svg")
		s.Press("Escape")
		return strings.Count(svg, lines), strings.Count(svg, bands)
	}
	runs, none := picture()
	if runs == 0 || none != 0 {
		t.Errorf("at first %d lines and %d bands", runs, none)
	}
	before := s.Picture()
	s.Control("checkbox", "Raw values as a band").Click()
	s.hash("#timeseries&envelope=true")
	s.Until(func() string {
		if reflect.DeepEqual(before, s.Picture()) {
			return "the cards look as before"
		}
		return ""
	})
	if l, b := picture(); l != 0 || b != runs {
		t.Errorf("%d lines and %d bands of %d runs", l, b, runs)
	}
	s.again()
	s.Control("checkbox", "Raw values as a band").Checked(true)

	// It goes as far as the card's own smoothing does.
	band := func(smoothings string) string {
		t.Helper()
		s.Eval(`void (location.hash = "#timeseries&envelope=true`+smoothings+`")`, nil)
		s.hash("#timeseries" + smoothings + "&envelope=true")
		s.Control("article", "stairs/up").Control("button", "More").Click()
		s.Control("menuitem", "Picture…").Click()
		s.Control("dialog", "Picture").Control("button", "SVG").Click()
		svg := s.saved(dir, "stairs_up.svg")
		s.Press("Escape")
		found := regexp.MustCompile(`<path d="([^"]+)"[^>]*fill-opacity="0.2"`).FindStringSubmatch(svg)
		if found == nil {
			t.Fatalf("no band in %s", svg)
		}
		return found[1]
	}
	if band("") == band("&smoothings=stairs/up:0.9") {
		t.Error("the band of a card with its own smoothing is that of all")
	}
}

// A picture has what the card has: the runs' own colours as they were chosen, a sign where a
// value is no number and where points leave the range, and a title at the right axis. Where a
// page has no clipboard it says so in words.
func TestPagePictureHasAll(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for _, run := range []string{"own", "other"} {
		l.put(l.path(run, "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
			for step := range int64(100) {
				for tag, odd := range map[string]float64{"nan": math.NaN(), "far": 1e6, "plain": 3} {
					v := float64(step)
					if step == 50 {
						v = odd
					}
					if err := w.Scalar(tag, v, step, summary.WallSeconds(epoch+float64(step))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}))
	}
	s := look(t, browsertest.Chromium, l.dir)
	picture := func(dir, tag, file string) string {
		t.Helper()
		s.Control("article", tag).Get(`e.scrollIntoView({block: "center"})`, nil)
		s.still(tag)
		s.Control("article", tag).Control("button", "More").Click()
		s.Control("menuitem", "Picture…").Click()
		s.Control("dialog", "Picture").Control("button", "SVG").Click()
		return s.saved(dir, file)
	}
	const view = "#timeseries&smoothing=0&colors=own:c08040&cards=far:plain&right=far:!plain"
	s.fresh(view)
	dir := s.Downloads()
	var other [2]string
	for i, dark := range []bool{false, true} {
		s.SystemDark(dark)
		s.dark(dark)
		odd := picture(dir, "nan", "nan.svg")
		s.Press("Escape")
		if n := strings.Count(odd, `stroke="#c08040" stroke-width="1.25"`); n != 1 {
			t.Errorf("dark %v: %d signs of a value that is no number in %s", dark, n, odd)
		}
		other[i] = odd[strings.LastIndex(odd[:strings.LastIndex(odd, ">other<")], `stroke="#`):][:16]
		far := picture(dir, "far", "far.svg")
		s.Press("Escape")
		if n := strings.Count(far, `fill="#c08040"`); n != 1 {
			t.Errorf("dark %v: %d signs of points beyond the range in %s", dark, n, far)
		}
	}
	if other[0] != other[1] {
		t.Errorf("on white a run is %s, from the dark page %s", other[0], other[1])
	}
	if both := picture(dir, "far, plain", "far, plain.svg"); !strings.Contains(both, `rotate(90 `) || !strings.Contains(both, ">plain</text>") {
		t.Errorf("the right axis has no title: %s", both)
	}
	s.Eval(`void Object.defineProperty(navigator, "clipboard", {value: undefined, configurable: true})`, nil)
	box := s.Control("dialog", "Picture")
	box.Control("button", "Copy").Click()
	box.Is(`e.innerText.includes("only; save it instead") && !e.innerText.includes("undefined")`)
}
