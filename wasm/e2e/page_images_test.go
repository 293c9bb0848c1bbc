//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// flat is a picture of one colour, with a corner of another.
func flat(w, h int, c color.RGBA) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, c)
		}
	}
	m.SetRGBA(0, 0, color.RGBA{1, 2, 3, 255})
	return m
}

// shade is the colour that a run's picture has at a step.
func shade(run string, step int) color.RGBA {
	c := color.RGBA{A: 255}
	if run == "a" {
		c.R = uint8(50 + 40*step)
	} else {
		c.B = uint8(50 + 40*step)
	}
	return c
}

// imageLogs has two runs with pictures at steps 0 … n−1; at step 2 there are two samples.
func imageLogs(t *testing.T, n int) *logs {
	t.Helper()
	l := newLogs(t)
	for _, run := range []string{"a", "b"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			for i := range n {
				list := []image.Image{flat(16, 8, shade(run, i))}
				if i == 2 {
					list = append(list, flat(8, 8, color.RGBA{255, 255, 255, 255}))
				}
				if err := w.Images("pics", list, int64(i), summary.WallSeconds(epoch+float64(i))); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	return l
}

// boxOf is an expression of the box of an expression's element.
func boxOf(element string) string {
	return `(r => ({x: r.x, y: r.y, width: r.width, height: r.height}))((` + element + `).getBoundingClientRect())`
}

// box is where an expression's element is.
func (v view) box(element string) (b browsertest.Box) {
	v.t.Helper()
	v.Eval(boxOf(element), &b)
	return b
}

// middle waits until the middle of what an expression's element shows has a colour.
func (v view) middle(element string, want color.RGBA) {
	v.t.Helper()
	v.Until(func() string {
		var b browsertest.Box
		if err := v.TryEval(boxOf(element), &b); err != nil {
			return err.Error()
		}
		got := v.Pixel(b.Middle())
		for i, w := range []uint8{want.R, want.G, want.B} {
			if d := got[i] - float64(w); d > 6 || d < -6 {
				return fmt.Sprintf("the middle of %s is %v, not %v", element, got, want)
			}
		}
		return ""
	})
}

// Every step by slider, keys and playing; samples of which there are more or fewer; one
// step for all cards; brightness.
func TestImagesBoard(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 5)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#images")
			v.Resize(1280, 800)
			a, b := v.Control("article", "pics, a"), v.Control("article", "pics, b")
			canvas := func(run string) string { return textCard("pics", run) + `.querySelector("canvas")` }
			v.middle(canvas("a"), shade("a", 4)) // the last step
			v.middle(canvas("b"), shade("b", 4))
			a.Control("status", "step 4").Wait()
			a.Control("slider", "Step").Slide(0)
			v.middle(canvas("a"), shade("a", 0))
			a.Control("status", "step 0").Wait()
			a.Is(`e.innerText.includes("1 of 5")`)
			v.said(textCard("pics", "a"), "images")
			// What is larger than logged shows its pixels as they are.
			v.Wait(`getComputedStyle(` + canvas("a") + `).imageRendering === "pixelated"`)
			v.middle(canvas("b"), shade("b", 4)) // each card has its own step
			// Two samples, and one again.
			v.Eval(`void `+textCard("pics", "a")+`.focus()`, nil)
			v.Press(".")
			v.middle(canvas("a"), shade("a", 1))
			v.Press(".")
			a.Control("button", "Picture 2 of 2, 8 × 8 pixels*").Wait()
			v.Press(".")
			v.middle(canvas("a"), shade("a", 3))
			v.Wait(textCard("pics", "a") + `.querySelectorAll("canvas").length === 1`)
			v.Press(",")
			a.Control("button", "Picture 1 of 2, 16 × 8 pixels*").Wait()
			// One step for all.
			v.Control("checkbox", "One step for all cards").Click()
			a.Control("slider", "Step").Slide(0.25)
			v.middle(canvas("a"), shade("a", 1))
			v.middle(canvas("b"), shade("b", 1))
			v.Wait(`location.hash.includes("linkedStep=1")`)
			b.Control("slider", "Step").Slide(1)
			v.middle(canvas("a"), shade("a", 4))
			// Half as bright, and as before.
			v.Control("spinbutton", "Brightness factor").Fill("0.5")
			half := shade("a", 4)
			half.R /= 2
			v.middle(canvas("a"), half)
			v.Control("spinbutton", "Brightness factor").Fill("1")
			// Playing goes through all of them and stops when it is told to.
			a.Control("button", "Play the steps (k)").Click()
			for _, step := range []string{"step 1", "step 3"} {
				a.Control("status", step).Wait()
			}
			a.Control("button", "Stop playing (k)").Click()
			// The same by the keyboard, and p is for pins as on every card.
			v.Eval(`void `+textCard("pics", "b")+`.focus()`, nil)
			v.Press("k")
			b.Control("button", "Stop playing (k)").Wait()
			v.Press("k")
			b.Control("button", "Play the steps (k)").Wait()
			v.Press("p")
			v.Wait(`location.hash.includes("pins=")`)
			v.Control("button", "Unpin all").Click()
			v.Wait(`!location.hash.includes("pins=")`)
			// In its own size a picture has as many pixels as were logged.
			v.Control("checkbox", "Images in actual size").Click()
			v.Wait(`((e) => e.clientWidth === e.width && e.clientHeight === e.height)(` + canvas("b") + `)`)
		})
	}
}

// seeThrough is what is said of a pixel of 100, 50, 25 that covers half of what is below it.
var seeThrough = regexp.MustCompile(`^x 6, y 3 · (199|200) (99|100) (49|50) alpha 128$`)

// A closer look: pixel values, zoom, and a second picture beside it, over it, and as the
// difference.
func TestImageViewer(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 4)
	l.file("a", "1700000001.host.1.0", func(w *summary.Buffer) {
		if err := w.Images("clear", []image.Image{flat(16, 8, color.RGBA{100, 50, 25, 128})}, 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#images")
			v.Resize(1280, 800)
			v.Control("article", "pics, a").Control("button", "Picture 1 of 1, 16 × 8 pixels*").Click()
			dialog := v.Control("dialog", "A closer look")
			picture := dialog.Control("img", "The picture*")
			canvas := `document.querySelector("dialog canvas")`
			v.middle(canvas, shade("a", 3))
			v.Hover(picture.Box().Part(0.4, 0.4))
			c := shade("a", 3)
			dialog.Control("status", fmt.Sprintf("x 6, y 3 · %d %d %d #%02x%02x%02x", c.R, c.G, c.B, c.R, c.G, c.B)).Wait()
			// The wheel zooms in at the pointer: what is under it stays.
			var before, after float64
			v.Eval(`+`+canvas+`.dataset.scale`, &before)
			v.Wheel(picture.Box().Part(0.4, 0.4), -200)
			v.Wait(`+` + canvas + `.dataset.scale > ` + fmt.Sprint(before*1.2))
			v.Hover(picture.Box().Part(0.4, 0.41))
			dialog.Control("status", "x 6, y 3*").Wait()
			dialog.Control("button", "Fit (0)").Click()
			v.Wait(`Math.abs(` + canvas + `.dataset.scale - ` + fmt.Sprint(before) + `) < 1e-9`)
			picture.Get("e.focus()", nil)
			v.Press("+")
			v.Eval(`+`+canvas+`.dataset.scale`, &after)
			v.Wait(`+` + canvas + `.dataset.scale > ` + fmt.Sprint(before))
			v.Press("0")
			// A pixel of the picture on a pixel of the screen, by button and by key.
			real := `Math.abs(` + canvas + `.dataset.scale - 1) < 1e-9`
			dialog.Control("button", "1:1").Click()
			v.Wait(real)
			v.Press("0")
			v.Wait(`!(` + real + `)`)
			// A list of choices finds by what is typed.
			dialog.Control("combobox", "A: tag and run").Get("e.focus()", nil)
			v.Press("1")
			picture.Get("e.focus()", nil)
			v.Rest()
			v.Wait(`!(` + real + `)`)
			v.Press("1")
			v.Wait(real)
			v.Press("ArrowLeft")
			v.Until(func() string {
				at := picture.Box().Middle()
				at.X += 60
				if got := v.Pixel(at); math.Abs(got[0]-float64(c.R))+math.Abs(got[1]-float64(c.G))+math.Abs(got[2]-float64(c.B)) > 18 {
					return fmt.Sprintf("to the right of the middle it is %v", got)
				}
				return ""
			})
			v.Press("0")
			// Side by side: the other run's picture of the same step is on the right.
			dialog.Control("radio", "Side by side").Click()
			at := func(x float64, want color.RGBA) {
				t.Helper()
				v.Until(func() string {
					got := v.Pixel(picture.Box().Part(x, 0.5))
					for i, w := range []uint8{want.R, want.G, want.B} {
						if d := got[i] - float64(w); d > 6 || d < -6 {
							return fmt.Sprintf("at %v of the view: %v, not %v", x, got, want)
						}
					}
					return ""
				})
			}
			at(0.25, shade("a", 3))
			at(0.75, shade("b", 3))
			dialog.Control("radio", "Swipe").Click()
			at(0.4, shade("a", 3))
			at(0.6, shade("b", 3))
			v.Drag(picture.Box().Part(0.5, 0.5), picture.Box().Part(0.7, 0.5))
			at(0.6, shade("a", 3))
			at(0.67, shade("a", 3))
			picture.Get("e.focus()", nil)
			v.Press("[")
			at(0.67, shade("b", 3))
			v.Press("]")
			at(0.67, shade("a", 3))
			dialog.Control("radio", "Difference").Click()
			both := shade("a", 3)
			both.B = shade("b", 3).B
			at(0.5, both)
			// One step for both.
			dialog.Control("slider", "A: step").Slide(0)
			both.R, both.B = shade("a", 0).R, shade("b", 0).B
			at(0.5, both)
			// By keys, too.
			picture.Get("e.focus()", nil)
			v.Press(".")
			both.R, both.B = shade("a", 1).R, shade("b", 1).B
			at(0.5, both)
			v.Press(",")
			both.R, both.B = shade("a", 0).R, shade("b", 0).B
			at(0.5, both)
			// Or each its own; told to have the same again, the second one follows the first.
			dialog.Control("checkbox", "Same step on both sides").Click()
			dialog.Control("slider", "B: step").Slide(1)
			both.B = shade("b", 3).B
			at(0.5, both)
			dialog.Control("slider", "A: step").Slide(1)
			both.R = shade("a", 3).R
			at(0.5, both)
			dialog.Control("slider", "B: step").Slide(0)
			both.B = shade("b", 0).B
			at(0.5, both)
			dialog.Control("radio", "Side by side").Click()
			at(0.75, shade("b", 0))
			dialog.Control("combobox", "B: tag and run").Choose("pics · a") // of the same step
			at(0.75, shade("a", 0))
			dialog.Control("combobox", "B: tag and run").Choose("pics · b")
			at(0.75, shade("b", 0))
			dialog.Control("radio", "Difference").Click()
			dialog.Control("checkbox", "Same step on both sides").Click()
			both.B = shade("b", 3).B
			at(0.5, both)
			v.Press("Escape")
			dialog.Gone()
			// Half see-through: its colour is told, and how much of it there is.
			v.Control("article", "clear, a").Control("button", "Picture 1 of 1, 16 × 8 pixels*").Click()
			v.Until(func() string { // a pointer that came before the picture says nothing
				v.Hover(picture.Box().Part(0.4, 0.41))
				v.Hover(picture.Box().Part(0.4, 0.4))
				var text string
				if err := v.TryEval(`document.querySelector("dialog [role=status]").textContent.trim()`, &text); err != nil {
					return err.Error()
				}
				if !seeThrough.MatchString(text) {
					return "it says " + text
				}
				return ""
			})
			v.Press("Escape")
			dialog.Gone()
		})
	}
}

// A value of several samples: each is looked at, downloaded and played by itself. A picture that has
// no room on its card has all its pixels in actual size.
func TestImageSamples(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	red, green, blue := color.RGBA{200, 0, 0, 255}, color.RGBA{0, 200, 0, 255}, color.RGBA{0, 0, 200, 255}
	film := func(a, b color.RGBA) summary.EncodedImage {
		var out bytes.Buffer
		g := &gif.GIF{Delay: []int{30, 30}}
		for _, c := range []color.RGBA{a, b} {
			m := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{c})
			g.Image = append(g.Image, m)
		}
		if err := gif.EncodeAll(&out, g); err != nil {
			t.Fatal(err)
		}
		return summary.EncodedImage{Bytes: out.Bytes(), Width: 8, Height: 8}
	}
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		lots := make([]image.Image, 1003)
		for i := range lots {
			lots[i] = flat(1, 1, red)
		}
		at := summary.WallSeconds(epoch)
		for _, err := range []error{
			w.Images("three", []image.Image{flat(16, 8, red), flat(24, 8, green), flat(8, 8, blue)}, 0, at),
			w.Images("large", []image.Image{flat(1500, 900, green)}, 0, at),
			w.Images("lots", lots, 0, at),
			w.EncodedImages("films", []summary.EncodedImage{film(red, blue), film(blue, green)}, 0, at),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#images")
	dir := s.Downloads()
	card := s.Control("article", "three, r")
	dialog := s.Control("dialog", "A closer look")
	card.Control("button", "Picture 2 of 3, 24 × 8 pixels*").Click()
	dialog.Is(`e.innerText.includes("24 × 8")`)
	s.middle(`document.querySelector("dialog canvas")`, green)
	s.Press("Escape")
	dialog.Gone()
	card.Get("e.focus()", nil)
	s.Press("v")
	dialog.Is(`e.innerText.includes("16 × 8")`)
	s.middle(`document.querySelector("dialog canvas")`, red)
	s.Press("Escape")
	dialog.Gone()

	card.Control("button", "More").Click()
	s.Control("menuitem", "Download picture 1").Wait()
	s.Control("menuitem", "Download picture 3").Click()
	if img, err := png.Decode(strings.NewReader(s.saved(dir, "three_r_step0_2.png"))); err != nil || img.Bounds().Dx() != 8 {
		t.Errorf("the third picture: %v", err)
	}

	films := s.Control("article", "films, r")
	films.Get("e.scrollIntoView()", nil)
	states := `[...document.querySelectorAll(".film-button")].map(e => e.dataset.state).join()`
	s.Wait(states + ` === "playing,playing"`)
	s.Eval(`document.querySelectorAll(".film-button")[1].click()`, nil)
	s.Wait(states + ` === "playing,paused"`)

	s.Control("article", "lots, r").Get("e.scrollIntoView()", nil)
	s.Control("article", "lots, r").Is(`e.innerText.includes("the first 1000 of 1,003 samples")`)
	large := s.Control("article", "large, r")
	large.Get("e.scrollIntoView()", nil)
	large.Is(`e.querySelector("canvas").width < 1500`)
	s.Control("checkbox", "Images in actual size").Click()
	large.Is(`e.querySelector("canvas").width === 1500`)
	s.Control("checkbox", "Images in actual size").Click()
	large.Is(`e.querySelector("canvas").width < 1500`)
}

// The viewer comes from a value of several samples to one of fewer, and says what cannot be seen, and no longer than
// that is so.
func TestImageViewerOdd(t *testing.T) {
	t.Parallel()
	red, green, blue := color.RGBA{200, 0, 0, 255}, color.RGBA{0, 200, 0, 255}, color.RGBA{0, 0, 200, 255}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		at := func(step int) summary.Option { return summary.WallSeconds(epoch + float64(step)) }
		for _, err := range []error{
			w.EncodedImages("pics", []summary.EncodedImage{{Bytes: []byte("no picture"), Width: 8, Height: 8}}, 0, at(0)),
			w.Images("pics", []image.Image{flat(8, 8, red), flat(8, 8, green), flat(8, 8, blue)}, 2, at(2)),
			w.Images("pics", []image.Image{flat(8, 8, green)}, 3, at(3)),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Raw(summary.Event{WallTime: epoch + 4, Step: 4, Values: []summary.Value{ // numbers, in place of pictures
			summary.TensorValue("pics", summary.FloatTensor([]int64{3}, 1, 2, 3), summary.Metadata{Plugin: "images"})}})
		if err := w.Images("pics", []image.Image{flat(8, 8, red)}, 5, at(5)); err != nil {
			t.Fatal(err)
		}
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#images")
	s.Control("article", "pics, r").Control("button", "Picture 1 of 1, 8 × 8 pixels*").Click()
	dialog := s.Control("dialog", "A closer look")
	canvas := `document.querySelector("dialog canvas")`
	step := func(n int) { dialog.Control("slider", "A: step").Slide(float64(n) / 4) }
	says := func(text string) {
		t.Helper()
		var is string
		s.Until(func() string {
			if s.Eval(`document.querySelector("dialog .view-problem").textContent`, &is); !strings.HasPrefix(is, text) {
				return fmt.Sprintf("it says %q", is)
			}
			return ""
		})
	}
	well := func(c color.RGBA) {
		t.Helper()
		s.middle(canvas, c)
		s.Wait(`document.querySelector("dialog .view-problem").textContent === ""`)
	}
	well(red)
	dialog.Control("slider", "A: sample").Gone()
	step(1)
	well(red)
	dialog.Control("slider", "A: sample").Slide(1)
	well(blue)
	step(2) // of one sample
	well(green)
	dialog.Control("slider", "A: sample").Is("e.disabled") // it keeps its room: the slider beside it stays under the hand
	step(0)
	says("this is no picture in a format that browsers know")
	step(1)
	well(red)
	step(3)
	says("this value cannot be shown as pictures")
	step(4)
	well(red)
}

// The slider of a card stays as wide as it is, whatever stands behind it: else it moved under the hand.
func TestStepsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i, step := range []int64{0, 7, 40, 500, 6000, 70000, 800000, 9000000, 9000001, 9000002, 9000003} {
			if err := w.Images("pics", []image.Image{flat(8, 8, shade("a", i))}, step, summary.WallSeconds(epoch+float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#images")
	card := s.Control("article", "pics, r")
	slider := card.Control("slider", "Step")
	said := card.Control("status", "step 9,000,003")
	said.Wait()
	want := slider.Box()
	slider.Get("e.focus()", nil)
	s.Press("Home")
	for _, step := range []string{"0", "7", "40", "500", "6,000", "70,000", "800,000", "9,000,000"} {
		card.Control("status", "step "+step).Wait()
		if got := slider.Box(); math.Abs(got.X-want.X) > 1 || math.Abs(got.Width-want.Width) > 1 {
			t.Errorf("at step %s the slider is at %v, %v wide, not at %v, %v", step, got.X, got.Width, want.X, want.Width)
		}
		s.Press("ArrowRight")
	}
}

// Runs by steps, as a table.
func TestImageSheet(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 4)
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#images")
	v.Resize(1280, 800)
	v.Control("article", "pics, b").Control("button", "Runs by steps").Click()
	v.Control("dialog", "pics: runs by steps").Wait()
	for r, run := range []string{"a", "b"} {
		for step := range 4 {
			v.middle(fmt.Sprintf(`document.querySelectorAll(".sheet tbody tr")[%d].cells[%d].querySelector("canvas")`, r, step+1), shade(run, step))
		}
	}
	v.Control("dialog", "pics: runs by steps").Control("status", "4 of 4 steps, 2 runs").Wait()
	// What is shown larger than it was logged has its pixels, not a blur of them.
	v.Wait(`[...document.querySelectorAll(".sheet canvas")].every((c) => c.clientWidth * devicePixelRatio > c.width && getComputedStyle(c).imageRendering === "pixelated")`)
}

// The sheet has as many steps as fit at first, in their order, and all of them when they are
// asked for; one sample at a time; a cell opens its own picture.
func TestImageSheetOfMany(t *testing.T) {
	t.Parallel()
	const steps = 14
	tint := func(run, step, sample int) color.RGBA {
		return color.RGBA{uint8(40 + 120*run), uint8(30 + 15*step), uint8(60 + 90*sample), 255}
	}
	l := newLogs(t)
	for r, run := range []string{"one", "two"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			for i := range steps {
				var list []image.Image
				for k := range 3 {
					list = append(list, flat(16, 16, tint(r, i, k)))
				}
				// Steps of one run lie between those of the other.
				if err := w.Images("pics", list, int64(10*i+5*r), summary.WallSeconds(epoch+float64(i))); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#images")
	v.Resize(1280, 800)
	v.Control("article", "pics, two").Control("button", "Runs by steps").Click()
	d := v.Control("dialog", "pics: runs by steps")
	d.Control("status", "12 of 28 steps, 2 runs").Wait()
	heads := func(n int) {
		t.Helper()
		d.Is(fmt.Sprintf(`(h => h.length === %d && h[0] === 0 && h.at(-1) === 135 && h.every((s, i) => !i || s > h[i - 1]))([...e.querySelectorAll("thead th.num")].map(c => +c.textContent))`, n))
	}
	heads(12)
	d.Control("button", "Show all steps").Click()
	d.Control("status", "28 of 28 steps, 2 runs").Wait()
	d.Control("button", "Show all steps").Gone()
	heads(28)
	cell := func(row, column int) string {
		return fmt.Sprintf(`document.querySelectorAll(".sheet tbody tr")[%d].cells[%d]`, row, column+1)
	}
	const canvas = `.querySelector("canvas")`
	v.middle(cell(0, 0)+canvas, tint(0, 0, 0))
	v.middle(cell(1, 3)+canvas, tint(1, 1, 0))    // step 15
	v.Wait(cell(1, 2) + `.children.length === 0`) // step 10 is only the other run's
	d.Control("slider", "Sample").Slide(2)
	v.middle(cell(0, 2)+canvas, tint(0, 1, 2))
	v.middle(cell(1, 3)+canvas, tint(1, 1, 2))
	v.Click(v.box(cell(1, 3) + canvas).Middle())
	v.Control("dialog", "A closer look").Wait()
	v.middle(`document.querySelector("dialog[aria-label='A closer look'] canvas")`, tint(1, 1, 2))
}

// What is no picture, or would take gigabytes, says so in its place; nothing runs.
func TestHostileImages(t *testing.T) {
	t.Parallel()
	bomb := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x75\x30\x00\x00\x75\x30\x08\x00\x00\x00\x00abcd")
	var good bytes.Buffer
	if err := png.Encode(&good, flat(9, 9, color.RGBA{0, 200, 0, 255})); err != nil {
		t.Fatal(err)
	}
	torn := append([]byte(nil), good.Bytes()[:40]...)
	svg := `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.owned=1"><script>parent.owned=1</script><image href="https://evil.example/x.png"/><rect width="40" height="40" fill="#0000c8"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="owned=1"/></foreignObject></svg>`
	all := map[string]struct{ bytes, says string }{
		"bomb":   {string(bomb), "30000 × 30000"},
		"html":   {"<!doctype html><script>owned=1</script>", "web page"},
		"torn":   {string(torn), "damaged"},
		"header": {string(torn[:18]), "torn"},
		"empty":  {"", "no bytes"},
		"video":  {"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomthis is no film", "cannot play"},
		"svg":    {svg, ""},
		"good":   {good.String(), ""},
	}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for _, name := range sortedKeys(all) {
			if err := w.EncodedImages(name, []summary.EncodedImage{{Bytes: []byte(all[name].bytes), Width: 9, Height: 9}}, 0, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := start(t, kind)
			v.Allow("evil.example") // a browser may say that it refused
			v.Open(serve(t, l.dir).URL + "#images")
			v.Wait(`window.tensorbored`)
			v.Resize(1280, 1600)
			for _, name := range sortedKeys(all) {
				if says := all[name].says; says != "" {
					v.Wait(textCard(name, "r") + `?.innerText.includes(` + quote(says) + `)`)
				}
			}
			v.middle(textCard("good", "r")+`.querySelector("canvas")`, color.RGBA{0, 200, 0, 255})
			v.middle(textCard("svg", "r")+`.querySelector("img")`, color.RGBA{0, 0, 200, 255})
			var owned any
			if v.Eval(`globalThis.owned ?? null`, &owned); owned != nil {
				t.Error("a picture was run")
			}
		})
	}
}

// A film plays by itself, and can be stopped and started.
func TestFilm(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	red, blue := color.RGBA{200, 0, 0, 255}, color.RGBA{0, 0, 200, 255}
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		if err := w.Video("film", []image.Image{flat(8, 8, red), flat(8, 8, blue)}, 4, 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#images")
			canvas := textCard("film", "r") + `.querySelector("canvas")`
			card := v.Control("article", "film, r")
			v.middle(canvas, red)
			v.middle(canvas, blue)
			v.middle(canvas, red)
			card.Control("button", "Pause").Click()
			card.Control("button", "Play").Wait()
			var before, after string
			v.Eval(canvas+`.dataset.frame`, &before)
			v.Eval(`new Promise((done) => setTimeout(done, 700))`, nil) // longer than two frames
			if v.Eval(canvas+`.dataset.frame`, &after); after != before {
				t.Errorf("a film that was stopped went on from frame %s to %s", before, after)
			}
			card.Control("button", "Play").Click()
			v.Wait(canvas + `.dataset.frame !== ` + quote(before))
			card.Control("button", "Pause").Wait()
			// Nothing moves by itself for those who want that.
			v.Eval(`(of => void Object.defineProperty(MediaQueryList.prototype, "matches", {get() { return this.media.includes("reduced-motion") || of.call(this); }}))(
				Object.getOwnPropertyDescriptor(MediaQueryList.prototype, "matches").get)`, nil)
			tags := v.Control("searchbox", "Filter tags (regex)")
			tags.Fill("none of them")
			card.Gone()
			tags.Fill("")
			card.Control("button", "Play").Wait()
			// A decoder that is closed as soon as it is made, as when a card goes at once, is no complaint.
			v.Eval(`(D => void (globalThis.ImageDecoder = function (of) { const d = new D(of); d.close(); globalThis.shutEarly = true; return d; }))(ImageDecoder)`, nil)
			tags.Fill("none of them")
			card.Gone()
			tags.Fill("")
			v.Wait(`globalThis.shutEarly`)
			card.Control("button", "Play").Gone() // its first frame stays
			v.middle(canvas, red)
		})
	}
}

//go:embed testdata/film.mp4
var filmMP4 []byte // 64 × 64 pixels of VP9, red for half a second and blue for another

// Videos play: a WebM that the browser itself has made, and an MP4.
func TestVideo(t *testing.T) {
	t.Parallel()
	maker := start(t, browsertest.Chromium)
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(0, 0, 3)})
	maker.Open(serve(t, l.dir).URL)
	var film string
	maker.Eval(`(async () => {
		const c = Object.assign(document.createElement("canvas"), {width: 64, height: 64}), ctx = c.getContext("2d"), parts = [];
		const r = new MediaRecorder(c.captureStream(20), {mimeType: "video/webm"});
		r.ondataavailable = (e) => parts.push(e.data);
		const ended = new Promise((done) => { r.onstop = done; });
		ctx.fillRect(0, 0, 64, 64);
		r.start();
		for (let i = 0; i < 12; i++) { ctx.fillStyle = i % 2 ? "#c00" : "#00c"; ctx.fillRect(0, 0, 64, 64); await new Promise((done) => setTimeout(done, 60)); }
		r.stop();
		await ended;
		return btoa(String.fromCharCode(...new Uint8Array(await new Blob(parts).arrayBuffer())));
	})()`, &film)
	data, err := base64.StdEncoding.DecodeString(film)
	if err != nil || len(data) < 100 {
		t.Fatalf("no film was made: %d bytes, %v", len(data), err)
	}
	films := map[string][]byte{"film/webm": data, "film/mp4": filmMP4}
	l.file("v", "1700000000.host.1.0", func(w *summary.Buffer) {
		for tag, data := range films {
			if err := w.EncodedImages(tag, []summary.EncodedImage{{Bytes: data, Width: 64, Height: 64}}, 0, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#images")
			for tag := range films {
				video := textCard(tag, "v") + `.querySelector("video")`
				v.Wait(textCard(tag, "v") + `?.querySelector("video")?.videoWidth === 64`)
				v.Eval(`void `+video+`.play()`, nil)
				v.Wait(video + `.currentTime > 0.1`)
			}
		})
	}
}

// A picture that is larger than its place is made smaller once, and not by the browser in
// each frame; in a larger place it has more of its pixels again.
func TestLargeImage(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("a", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range 2 {
			if err := w.Images("pics", []image.Image{flat(900, 600, shade("a", i))}, int64(i), summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
	})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#images")
	v.Resize(1280, 800)
	canvas := textCard("pics", "a") + `.querySelector("canvas")`
	sharp := `(e => e.clientHeight > 0 && Math.abs(e.width - devicePixelRatio * Math.min(e.clientWidth, e.clientHeight * 1.5)) < 1 && getComputedStyle(e).filter === "none")(` + canvas + `)`
	v.middle(canvas, shade("a", 1))
	v.Wait(sharp)
	var before float64
	v.Eval(canvas+`.width`, &before)
	v.Control("article", "pics, a").Control("button", "Full width (f)").Click()
	v.Wait(sharp + fmt.Sprintf(` && %s.width > %g`, canvas, before))
	v.middle(canvas, shade("a", 1))
	v.Control("article", "pics, a").Control("slider", "Step").Slide(0)
	v.middle(canvas, shade("a", 0))
}

// All pictures of a tag as one archive, byte by byte as they were logged.
func TestImageArchive(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 4)
	l.file("b", "1700000001.host.2.0", func(w *summary.Buffer) { // numbers, in place of pictures
		w.Raw(summary.Event{WallTime: epoch + 9, Step: 9, Values: []summary.Value{
			summary.TensorValue("pics", summary.FloatTensor([]int64{3}, 1, 2, 3), summary.Metadata{Plugin: "images"})}})
	})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#images")
	dir := v.Downloads()
	v.Control("article", "pics, a").Control("button", "More").Click()
	v.Control("menuitem", "Download all steps of all shown runs as zip").Click()
	v.Wait(`document.querySelector(".task")?.innerText.includes("10 images saved; 1 step could not be read")`)
	var z *zip.Reader
	v.Until(func() string {
		b, err := os.ReadFile(filepath.Join(dir, "pics.zip"))
		if err == nil {
			z, err = zip.NewReader(bytes.NewReader(b), int64(len(b)))
		}
		if err != nil {
			return err.Error()
		}
		return ""
	})
	seen := 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		for _, run := range []string{"a", "b"} {
			for step := range 4 {
				if name := fmt.Sprintf("pics/%s/step%d", run, step); f.Name == name+".png" || f.Name == name+"_0.png" {
					seen++
					// Within a day: a zip file's times have no zone.
					if at := f.Modified.Unix() - epoch; at < -86400 || at > 86400 {
						t.Errorf("%s is of %v", f.Name, f.Modified)
					}
					if got := color.RGBAModel.Convert(img.At(3, 3)); got != shade(run, step) {
						t.Errorf("%s is %v", f.Name, got)
					}
				}
			}
		}
	}
	if len(z.File) != 10 || seen != 8 {
		t.Errorf("%d files, %d of them known", len(z.File), seen)
	}
	// And one alone.
	v.Control("article", "pics, a").Control("button", "More").Click()
	v.Control("menuitem", "Download this picture").Click()
	v.Until(func() string {
		b, err := os.ReadFile(filepath.Join(dir, "pics_a_step3.png"))
		if err == nil {
			_, err = png.Decode(bytes.NewReader(b))
		}
		if err != nil {
			return err.Error()
		}
		return ""
	})
}

// An archive that is given up saves nothing, and the next one is saved.
func TestImageArchiveGivenUp(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 4)
	site := http.FileServer(http.Dir(browsertest.Pages(t, l.dir)))
	var slow atomic.Bool
	free, held := make(chan struct{}), make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slow.Load() && strings.Contains(r.URL.Path, "tfevents") {
			held <- struct{}{}
			select {
			case <-free:
			case <-r.Context().Done():
				return
			}
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	v := open(t, browsertest.Chromium, server.URL+"/#images")
	dir := v.Downloads()
	v.Wait(textCard("pics", "b") + `.querySelector("canvas")`)
	archive := func() {
		v.Control("article", "pics, a").Control("button", "More").Click()
		v.Control("menuitem", "Download all steps of all shown runs as zip").Click()
	}
	v.Rest()
	slow.Store(true)
	archive()
	<-held                                                                                // it waits for what it reads
	v.Eval(`void document.querySelector(".task button[aria-label=Cancel]").click()`, nil) // the page is not at rest
	v.Wait(`document.querySelector(".task").innerText.includes("cancelled")`)
	slow.Store(false)
	close(free)
	v.Control("status", "Saving images of pics cancelled").Control("button", "Close").Wait()
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
	archive()
	v.Control("status", "Saving images of pics 10 images saved").Wait()
}

// What is logged while the card is open appears, unless the user looks at another step; a
// file that is another one now shows its own pictures, not those that were kept.
func TestImagesFollow(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 3)
	path := l.path("a", "1700000000.host.1.0")
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#images")
	canvas := textCard("pics", "a") + `.querySelector("canvas")`
	v.Wait(canvas)
	l.add(path, records(func(w *summary.Buffer) {
		w.Image("pics", flat(16, 8, shade("a", 4)), 4, summary.WallSeconds(epoch+4))
	}))
	v.Wait(`(tensorbored.reload(), ` + textCard("pics", "a") + `.innerText.includes("4 of 4"))`)
	v.middle(canvas, shade("a", 4))
	v.Control("article", "pics, a").Control("slider", "Step").Slide(0)
	v.middle(canvas, shade("a", 0))
	l.put(path, bytesOf(epoch+1000, func(w *summary.Buffer) {
		for i := range 2 {
			w.Image("pics", flat(16, 8, color.RGBA{0, 180, uint8(40 * i), 255}), int64(i), summary.WallSeconds(epoch+1000+float64(i)))
		}
	}))
	v.Wait(`(tensorbored.reload(), ` + textCard("pics", "a") + `.innerText.includes("of 2"))`)
	v.middle(canvas, color.RGBA{0, 180, 0, 255})
}

// A job goes on writing while somebody looks at its pictures: the file has another version
// than the one that was read, and its pictures are shown all the same. They are not once
// another file stands in its place.
func TestImagesOfAFileThatGrows(t *testing.T) {
	t.Parallel()
	l := imageLogs(t, 5)
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#images")
	v.middle(textCard("pics", "a")+`.querySelector("canvas")`, shade("a", 4))
	v.Control("button", "live").Click()
	v.Wait(`tensorbored.status().phase === "exact"`)
	l.add(l.path("a", "1700000000.host.1.0"), records(func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 0, 3)}) }))
	a := v.Control("article", "pics, a")
	a.Control("slider", "Step").Slide(0)
	v.middle(textCard("pics", "a")+`.querySelector("canvas")`, shade("a", 0))
	b := l.read(l.path("a", "1700000000.host.1.0"))
	slices.Reverse(b)
	l.put(l.path("a", "1700000000.host.1.0"), b)
	a.Control("slider", "Step").Slide(0.75) // the hand has not been there: from the middle it went down
	a.Is(`e.textContent.includes("the file has changed")`)
}
