//go:build !js && peers

package e2e

import (
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// wheel is a published plug-in whose pages are imported from its wheel in bin/wheels, which
// make test-plugins fetches; name is the plug-in's.
func wheel(t *testing.T, pattern, name string) (dir string) {
	t.Helper()
	root := sources(t)
	found, err := filepath.Glob(filepath.Join(root, "bin/wheels", pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("bin/wheels has %d of %s: make test-plugins fetches it", len(found), pattern)
	}
	out := t.TempDir()
	if text, err := exec.Command(browsertest.Binary(t), "plugin", "import", found[0], "--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return filepath.Join(out, name)
}

// answered gives a plug-in of a wheel routes and a back end of recorded answers, in JavaScript.
func answered(t *testing.T, dir, routes, script string) {
	t.Helper()
	path := filepath.Join(dir, "plugin.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := strings.LastIndexByte(string(text), '}')
	put(t, path, []byte(string(text[:end])+`, "routes": [`+routes+`], "backend": {"type": "module", "path": "/recorded.js"}}`))
	put(t, filepath.Join(dir, "recorded.js"), []byte(script))
}

// answering notes, in the page, what back ends answered.
const answering = `if (parent === window) {
	const post = MessagePort.prototype.postMessage;
	MessagePort.prototype.postMessage = function (m, ...more) {
		if (m?.status && m.body) (seen.answers ??= []).push(m.status + " " + new TextDecoder().decode(m.body));
		return post.call(this, m, ...more);
	};
}`

// Front ends of published plug-ins run as they are: they go to other documents, nest frames, and
// ask by fetch and XMLHttpRequest. One of them has its whole back end in Go.
func TestWheels(t *testing.T) {
	l := named(t, "volumes")
	l.run("train", map[string][]point{"loss": curve(1, 0, 5)})
	for i, run := range []string{"a", "b"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			gray := image.NewGray(image.Rect(0, 0, 24, 16))
			for p := range gray.Pix {
				gray.Pix[p] = byte(p * (i + 1))
			}
			if err := w.Image("image/volume", gray, 0); err != nil {
				t.Fatal(err)
			}
		})
	}
	root := sources(t)
	volumes := wheel(t, "tensorboard_plugin_3d-*.whl", "tensorboard_plugin_3d")
	from := filepath.Join(root, "shared/tbplugin/examples/volumes")
	manifest, err := os.ReadFile(filepath.Join(from, "plugin.json"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(volumes, "plugin.json"), manifest)
	put(t, filepath.Join(volumes, "backend.wasm"), reactor(t, from))

	profiler := wheel(t, "torch_tb_profiler-*.whl", "pytorch_profiler")
	answered(t, profiler, `"/*"`, `const answers = {
		"/runs": {runs: ["demo"], loading: false}, "/views": ["Overview"], "/workers": ["w0"], "/spans": ["1"],
		"/overview": {steps: {columns: [{type: "string", name: "Step"}, {type: "number", name: "Kernel"}], rows: [["1", {value: 5, tooltip: "5"}]]}, performance: [{name: "Average", value: "5", children: []}], recommendations: "<li>none</li>", environments: [], gpu_metrics: null},
	};
	export async function request({path}) {
		const a = answers[path];
		return {status: a ? 200 : 404, headers: {"content-type": "application/json"}, body: new TextEncoder().encode(JSON.stringify(a ?? {})).buffer};
	}`)
	wit := wheel(t, "tensorboard_plugin_wit-*.whl", "whatif")
	answered(t, wit, `"/infer", "/examples_from_path"`, `export async function request() { return {status: 200, headers: {}, body: new ArrayBuffer(0)}; }`)

	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := plugged(t, l.dir, volumes, profiler, wit)
			s := comes(t, kind, h)
			s.Before(answering)
			s.Allow("") // what their pages complain about is theirs
			all := func(text string) {
				t.Helper()
				s.Wait(`Object.values(seen.all).some((t) => t.includes(` + quote(text) + `))`)
			}
			if dir := os.Getenv("SHOTS"); dir != "" {
				t.Cleanup(func() {
					var text string
					s.TryEval(`JSON.stringify(seen.all)`, &text)
					t.Log(text[:min(len(text), 3000)], s.Problems())
					os.WriteFile(filepath.Join(dir, "wheel.png"), s.Screenshot(), 0o666)
				})
			}
			s.fresh("#pytorch_profiler")
			all("NORMAL")
			all("w0")
			s.fresh("#tensorboard_plugin_3d")
			s.Wait(`Object.keys(seen.all).some((p) => p.endsWith("tensorboard_plugin_3d/index.html"))`)
			if kind == browsertest.Firefox { // without a screen it has no WebGL, and the plug-in says so
				all("WebGL could not be loaded")
			} else { // it counted and drew what the back end read
				s.Wait(`seen.answers?.some((a) => a.includes('"total":2')) && seen.answers.some((a) => a.includes('"image":[[['))`)
			}
			s.fresh("#whatif")
			s.Wait(`Object.keys(seen.all).some((p) => p.endsWith("/wit_tb_bin.html"))`)
		})
	}
}
