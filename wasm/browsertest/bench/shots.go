//go:build !js

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/looks"
)

// window is a size of the page in CSS pixels.
type window struct {
	name          string
	width, height int
}

// windows are from a large screen to a phone. A browser that shows a laptop's window twice as
// large has half as many CSS pixels each way.
var windows = []window{{"1920", 1920, 1080}, {"1280", 1280, 800}, {"768", 768, 1024}, {"640", 640, 900}, {"390", 390, 844}, {"1280-at-200", 640, 400}}

// shots takes pictures of the page to be looked at: every dashboard, with no run, one, some and
// very many, at all sizes, in both themes. Of each logdir, size and theme a sheet shows all
// dashboards at half their size. only is part of the names of pictures ("100-runs-390"), or "".
func shots(o options, into string) error {
	if err := os.MkdirAll(into, 0o777); err != nil {
		return err
	}
	for _, runs := range []int{0, 1, 3, 100, 1000} {
		l := logdir{
			name: fmt.Sprintf("%d runs to look at", runs),
			size: generate.Size{Runs: runs, Tags: 7, Steps: looks.Steps(runs)},
			fill: func(dir string) error { return looks.Fill(dir, runs) },
		}
		if !wantedLogs(o.only, runs) {
			continue
		}
		if err := l.make(o.dir); err != nil {
			return err
		}
		err := measured(func(t *tb) error {
			p := page{browsertest.Start(t, browsertest.Chromium), t}
			p.Open(browsertest.Serve(t, "--logdir", l.dir).URL)
			p.Wait(`window.tensorbored?.status().phase === "exact"`)
			for _, w := range windows {
				p.Resize(w.width, w.height)
				for theme, dark := range map[string]bool{"light": false, "dark": true} {
					name := fmt.Sprintf("%d-runs-%s-%s", runs, w.name, theme)
					if !strings.Contains(name, o.only) {
						continue
					}
					p.SystemDark(dark)
					var all []image.Image
					for _, b := range boards.All() {
						id := b.About().ID
						p.Eval(`void (location.hash = `+strconv.Quote("#"+id)+`)`, nil)
						p.Rest()
						p.rest()
						shot := p.Screenshot()
						if err := os.WriteFile(filepath.Join(into, name+"-"+id+".png"), shot, 0o666); err != nil {
							return err
						}
						img, err := png.Decode(bytes.NewReader(shot))
						if err != nil {
							return err
						}
						all = append(all, img)
					}
					if err := sheet(filepath.Join(into, "sheet-"+name+".png"), all); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	fmt.Println("pictures of the page are in", into)
	return nil
}

// wantedLogs reports whether pictures of a logdir of so many runs may be wanted.
func wantedLogs(only string, runs int) bool {
	own := fmt.Sprintf("%d-runs-", runs)
	return !strings.Contains(only, "-runs") || strings.Contains(own, only) || strings.HasPrefix(only, own)
}

// sheet writes one picture of several of one size, at half of it, four in a row (of narrow
// ones six).
func sheet(name string, all []image.Image) error {
	const gap = 12
	w, h := all[0].Bounds().Dx()/2, all[0].Bounds().Dy()/2
	columns := 4
	if w < h {
		columns = 6
	}
	rows := (len(all) + columns - 1) / columns
	out := image.NewRGBA(image.Rect(0, 0, columns*(w+gap), rows*(h+gap)))
	for n, img := range all {
		left, top := n%columns*(w+gap), n/columns*(h+gap)
		for y := range h {
			for x := range w {
				var sum [3]uint32
				for k := range 4 {
					r, g, b, _ := img.At(2*x+k%2, 2*y+k/2).RGBA()
					sum[0], sum[1], sum[2] = sum[0]+r, sum[1]+g, sum[2]+b
				}
				out.SetRGBA(left+x, top+y, color.RGBA{uint8(sum[0] >> 10), uint8(sum[1] >> 10), uint8(sum[2] >> 10), 255})
			}
		}
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return png.Encode(f, out)
}
