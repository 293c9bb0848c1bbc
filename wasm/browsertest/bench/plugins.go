//go:build !js

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of plug-ins. The example's back end is a Go program of 3.5 MB.
const (
	linePluginShown  = "tab → plug-in with a Go back end shown"
	linePluginRoute  = "  its route with one data read, median"
	linePluginNone   = "navigation → every point read, no plug-in"
	linePluginClosed = "  with 20 plug-ins that are not open"
)

// pluginLogs is a small logdir to show plug-ins on.
func pluginLogs() logdir {
	return logdir{name: "plug-ins", size: generate.Size{Runs: 1, Tags: 1, Steps: 1}, measure: showPlugins, fill: func(dir string) error {
		return write(filepath.Join(dir, "train"), func(w *summary.Writer) error {
			for i := range int64(100) {
				if err := w.Scalar("loss", float64(i), i, summary.WallSeconds(1.7e9)); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

// The front end says to the page when its first frame has been drawn, as the address comes a quarter of a second
// later, and in the address how long a route takes.
const benchFront = `export async function render() {
	const ask = async () => (await fetch("./scalars?run=train&tag=loss")).json();
	document.body.textContent = (await ask()).length;
	await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
	parent.postMessage("shown", "*");
	const took = [];
	for (let i = 0; i < 200; i++) {
		const began = performance.now();
		await ask();
		took.push(performance.now() - began);
	}
	took.sort((a, b) => a - b);
	await tensorbored.state.set({shown: "1", ms: String(took[100])});
}`

func showPlugins(t *table, l *logdir) error {
	root, err := browsertest.Root()
	if err != nil {
		return err
	}
	all, err := os.MkdirTemp("", "plugins")
	if err != nil {
		return err
	}
	defer os.RemoveAll(all)
	dir := filepath.Join(all, "example_raw_scalars")
	if err := os.MkdirAll(filepath.Join(dir, "static"), 0o777); err != nil {
		return err
	}
	from := filepath.Join(root, "shared/tbplugin/examples/rawscalars")
	manifest, err := os.ReadFile(filepath.Join(from, "plugin.json"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{"plugin.json": string(manifest), "static/index.js": benchFront} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", filepath.Join(dir, "backend.wasm"), ".")
	cmd.Dir = from
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	for i := range 19 {
		other := filepath.Join(all, fmt.Sprint("other", i))
		if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
			return err
		}
		text := fmt.Sprintf(`{"manifest_version": 1, "name": "other%d", "frontend_metadata": {"es_module_path": "/static/index.js"}}`, i)
		if err := os.WriteFile(filepath.Join(other, "plugin.json"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	read := func(line string, flags ...string) error {
		return measured(func(tb *tb) error {
			p := page{browsertest.Start(tb, browsertest.Chromium), tb}
			p.Open(browsertest.Serve(tb, append(flags, "--logdir", l.dir)...).URL)
			p.Wait(`window.tensorbored?.status().phase === "exact"`)
			t.add(l, line, measurement{took: p.sinceNavigation(), memory: tabMemory()})
			return nil
		})
	}
	if err := read(linePluginNone); err != nil {
		return err
	}
	if err := read(linePluginClosed, "--plugin_dir", all); err != nil {
		return err
	}
	return measured(func(tb *tb) error {
		p := page{browsertest.Start(tb, browsertest.Chromium), tb}
		p.Before(`addEventListener("message", (e) => { if (e.data === "shown") { globalThis.shown = true; } })`)
		p.Resize(1440, 900)
		p.Open(browsertest.Serve(tb, "--logdir", l.dir, "--plugin_dir", dir).URL)
		p.Wait(`window.tensorbored?.status().phase === "exact" && [...document.querySelectorAll("nav .tab")].some((e) => e.textContent === "Raw scalars")`)
		t.add(l, linePluginShown, measurement{took: p.until(`[...document.querySelectorAll("nav .tab")].find((e) => e.textContent === "Raw scalars").click()`, `globalThis.shown`), memory: tabMemory()})
		p.Wait(`location.hash.includes(".ms=")`)
		var took string
		p.Eval(`/\.ms=([\d.]+)/.exec(location.hash)[1]`, &took)
		v, err := strconv.ParseFloat(took, 64)
		t.add(l, linePluginRoute, measurement{took: time.Duration(v * float64(time.Millisecond))})
		return err
	})
}
