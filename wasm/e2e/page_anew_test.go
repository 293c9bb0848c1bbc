//go:build !js

package e2e

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/looks"
)

// there reports that a dashboard has come.
const there = `document.querySelector("main article, main [role=row], .gr-node, .pj-pane[data-points]") && !document.querySelector("main .loading, main [aria-busy=true]")`

// words are those of an element that stand on the screen: which cards below it have been built is by chance.
const words = `((all, out) => {
	for (let n; (n = all.nextNode());) {
		const r = n.parentElement.getBoundingClientRect();
		if (n.data.trim() && r.height && r.top < innerHeight && n.parentElement.checkVisibility({visibilityProperty: true})) out.push(n.data.trim());
	}
	return out.join("\n");
})(document.createTreeWalker(e, NodeFilter.SHOW_TEXT), [])`

// Files that are written anew while a dashboard is open, with as many values as before or with fewer,
// are shown there as by a page that is opened after that: the same words, the same picture.
func TestPageFilesAnew(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]int{"as many": 1, "fewer": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			take := 0
			write := func() {
				t.Helper()
				from := t.TempDir()
				err := looks.Take(from, 4, take)
				if err == nil {
					err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
						if err != nil || d.IsDir() {
							return err
						}
						to := filepath.Join(dir, strings.TrimPrefix(path, from))
						return errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.Rename(path, to))
					})
				}
				if err != nil {
					t.Fatal(err)
				}
				take = second - take
			}
			write()
			open, later := come(t, browsertest.Chromium, dir), come(t, browsertest.Chromium, dir)
			later.url = open.url
			open.fresh("")
			for _, b := range boards.All() {
				id := "#" + b.About().ID
				open.Eval(fmt.Sprintf(`void (location.hash = %q)`, id), nil)
				open.Wait(there)
				write()
				open.looks()
				later.fresh(id)
				later.Wait(there)
				alike := func() string {
					var is, want string
					main := open.Control("main", "*")
					main.Get(words, &is)
					later.Control("main", "*").Get(words, &want)
					if is != want {
						return fmt.Sprintf("%s says\n%s\nand opened anew\n%s", b.About().Title, is, want)
					}
					part := main.Box()
					if n := unlike(open.PictureOf(part), later.PictureOf(part)); n > 0 {
						return fmt.Sprintf("%s: %d parts of pixels are others when it is opened anew", b.About().Title, n)
					}
					return ""
				}
				open.Until(alike)
				// So it is when a run was switched off and on meanwhile.
				for _, on := range []bool{false, true} {
					open.Eval(`[...document.querySelectorAll("[role=list][aria-label=Runs] input[type=checkbox]")].at(1).click()`, nil)
					open.Wait(fmt.Sprintf(`[...document.querySelectorAll("[role=list][aria-label=Runs] input[type=checkbox]")].at(1).checked === %v`, on))
					open.Rest()
				}
				open.Until(alike)
			}
		})
	}
}

// unlike counts parts of pixels of two pictures of a size that are not alike to the eye: edges that are
// painted a second time differ by a hair, and a mesh stays as far away as it was.
func unlike(a, b browsertest.Picture) (n int) {
	for i := range a.Pix {
		if d := int(a.Pix[i]) - int(b.Pix[i]); d > 80 || d < -80 {
			n++
		}
	}
	return n
}

// pictureOf is the picture of a data URL of a PNG.
func pictureOf(t *testing.T, url string) browsertest.Picture {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := browsertest.DecodePicture(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A window that comes to a screen of other pixels, or is zoomed, is drawn with these at once, all of it, as by a
// page that is opened there; and what stands under the pointer stays what it was. Chromium's tools do not say
// that the screen is another one.
func TestPageOtherScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := looks.Take(dir, 3, 0); err != nil {
		t.Fatal(err)
	}
	// All canvases in sight but those of 3-D, which have fewer pixels without a graphics processor: their
	// size, how that is to their place, and what is on them.
	const seen = `[...document.querySelectorAll("main canvas")].filter((c) => c.checkVisibility({visibilityProperty: true}) && c.clientWidth > 20 &&
		!c.closest(".scene,.picture-open") && c.getBoundingClientRect().top < innerHeight).map((c) => [c.width, c.clientWidth * devicePixelRatio, c.height, c.clientHeight * devicePixelRatio,
		c.closest(".sound-picture") ? "" : c.toDataURL()])` // waveforms are drawn piece by piece
	s := come(t, browsertest.Firefox, dir)
	for _, b := range boards.All() {
		title := b.About().Title
		s.ResizeAt(1400, 900, 1)
		s.fresh("#" + b.About().ID)
		s.Wait(there)
		if b.About().ID == "hparams" {
			s.Control("combobox", "Plot").Choose("Parallel coordinates")
			s.Wait(`document.querySelector(".hp-plot-in canvas")?.clientWidth > 20`)
			s.Control("grid", "Runs").Is(`/ true 2 \d\S+ \d\S+$/.test(tbUser.text(e))`) // the numbers have come
		}
		var tip []string
		rows := func() (out []string) {
			s.Hover(s.Control("article", "accuracy/val").Box().Part(0.6, 0.5))
			s.Wait(`document.querySelector(".tip:not([hidden]) tbody tr")`)
			s.Rest()
			s.Eval(`[...document.querySelectorAll(".tip:not([hidden]) tbody tr")].map((r) => r.innerText)`, &out)
			return out
		}
		curves := b.About().ID == "timeseries"
		if curves {
			if tip = rows(); len(tip) != 3 {
				t.Fatalf("under the pointer it says %q", tip)
			}
		}
		for _, ratio := range []float64{2, 1.25} {
			s.Hover(browsertest.Point{X: 3, Y: 3})
			s.ResizeAt(1400, 900, ratio)
			var live, anew [][]any
			look := func(into *[][]any) string {
				if err := s.TryEval(seen, into); err != nil {
					return err.Error()
				}
				for _, c := range *into {
					if math.Abs(c[0].(float64)-c[1].(float64)) > 2 || math.Abs(c[2].(float64)-c[3].(float64)) > 2 {
						return fmt.Sprintf("%s at %v: a canvas has %v × %v pixels for %v × %v", title, ratio, c[0], c[2], c[1], c[3])
					}
				}
				return ""
			}
			s.Until(func() string { return look(&live) })
			if curves {
				if got := rows(); fmt.Sprint(got) != fmt.Sprint(tip) {
					t.Errorf("at %v it says %v under the pointer, not %v", ratio, got, tip)
				}
				s.Hover(browsertest.Point{X: 3, Y: 3})
			}
			if ratio != 2 || len(live) == 0 { // letters are a hair larger or smaller at 1.25: uPlot rounds their size at another place
				continue
			}
			s.Rest()
			s.Until(func() string { return look(&live) })
			s.again()
			s.Wait(there)
			s.Until(func() string {
				if why := look(&anew); why != "" {
					return why
				}
				if len(live) != len(anew) {
					return fmt.Sprintf("%s at %v: %d canvases, and %d when it is opened anew", title, ratio, len(live), len(anew))
				}
				for i, c := range live {
					if c[4] == "" {
						continue
					}
					a, b := pictureOf(t, c[4].(string)), pictureOf(t, anew[i][4].(string))
					if a.Rect != b.Rect || unlike(a, b) > 0 {
						return fmt.Sprintf("%s at %v: canvas %d of %v × %v shows something else when it is opened anew", title, ratio, i, c[0], c[2])
					}
				}
				return ""
			})
		}
	}
}
