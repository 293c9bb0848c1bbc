//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// shots takes pictures of the page to be looked at: without runs, with one, with many and
// with very many, on a phone, a laptop and a large screen, in both themes.
func shots(o options, into string) error {
	if err := os.MkdirAll(into, 0o777); err != nil {
		return err
	}
	for _, runs := range []int{0, 1, 50, 1000} {
		l := logdir{size: generate.Size{Runs: runs, Tags: 8, Steps: 200}}
		if err := l.make(o.dir); err != nil {
			return err
		}
		err := measured(func(t *tb) error {
			p := page{browsertest.Start(t, browsertest.Chromium), t}
			p.Open(browsertest.Serve(t, "--logdir", l.dir).URL)
			p.Wait(`window.tensorbored?.status().phase === "exact"`)
			for _, width := range []int{390, 1280, 1920} {
				p.Resize(width, map[bool]int{true: 844, false: 900}[width == 390])
				for theme, dark := range map[string]bool{"light": false, "dark": true} {
					p.SystemDark(dark)
					p.rest()
					name := filepath.Join(into, fmt.Sprintf("%d-runs-%d-%s.png", runs, width, theme))
					if err := os.WriteFile(name, p.Screenshot(), 0o666); err != nil {
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
