//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/server/guard"
	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/shared/plugin"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A frame of opaque origin shows nobody what is in it. So the host of these tests writes a
// script behind each document of a plug-in, which tells the page what the frame shows; the
// plug-in's own files are as they are.
const telling = `<script>if (parent !== window) {
	const tell = () => parent.postMessage({tbSeen: document.body?.innerText ?? "", at: location.pathname}, "*");
	setInterval(tell, 50);
	addEventListener("message", (e) => { if (e.data?.tbSeen !== undefined) parent.postMessage(e.data, "*"); });
}</script>`

// seeing collects that in the page: seen.text is of the front end's outermost document, seen.all
// of every one.
const seeing = `if (parent === window) {
	globalThis.seen = {text: "", all: {}};
	addEventListener("message", (e) => {
		if (e.data?.tbSeen === undefined) return;
		seen.all[e.data.at] = e.data.tbSeen;
		if (e.source === document.querySelector(".plugin-hold:not([hidden]) .plugin-frame")?.contentWindow) seen.text = e.data.tbSeen;
	});
}`

// plugged serves a logdir with the plug-ins in dirs.
func plugged(t *testing.T, logdir string, dirs ...string) *host {
	t.Helper()
	return pluggedBehind(t, "", logdir, dirs...)
}

// pluggedBehind is plugged for those who have a token.
func pluggedBehind(t *testing.T, token guard.Token, logdir string, dirs ...string) *host {
	t.Helper()
	return plugging(t, token, logdir, func(*plugins.Store) {}, dirs...)
}

// plugging is pluggedBehind with a change to the plug-ins.
func plugging(t *testing.T, token guard.Token, logdir string, change func(*plugins.Store), dirs ...string) *host {
	t.Helper()
	store, err := files.Open(logdir, filepath.Base(logdir), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	c := server.Config{Site: browsertest.Dist(t), Logdir: store, Token: token}
	if len(dirs) > 0 {
		if c.Plugins, err = plugins.Open(dirs); err != nil {
			t.Fatal(err)
		}
		if len(c.Plugins.Problems) > 0 {
			t.Fatal(c.Plugins.Problems)
		}
		if err := c.Plugins.SetValues(nil); err != nil {
			t.Fatal(err)
		}
		c.Plugins.Shim = static.PluginShim
		change(c.Plugins)
		t.Cleanup(c.Plugins.Close)
	}
	h, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &host{t: t, handler: told(h)}
	s.start()
	t.Cleanup(s.stop)
	return s
}

// listed is the list of plug-ins of a host.
func listed(t *testing.T, h *host) []plugin.Listed {
	t.Helper()
	a, err := http.Get(h.URL + plugin.IndexPath)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var l plugin.Listing
	if err := json.NewDecoder(a.Body).Decode(&l); err != nil {
		t.Fatal(err)
	}
	return l.Plugins
}

// example is a copy of an example with its back end, built once.
func example(t *testing.T, name string) string {
	t.Helper()
	root := sources(t)
	from := filepath.Join(root, "shared/tbplugin/examples", name)
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(dir, "main.go"))
	put(t, filepath.Join(dir, "backend.wasm"), reactor(t, from))
	return dir
}

// inJS is the example of greetings with its back end built for JavaScript.
func inJS(t *testing.T) string {
	t.Helper()
	root := sources(t)
	from := filepath.Join(root, "shared/tbplugin/examples/greetings")
	front, err := os.ReadFile(filepath.Join(from, "index.js"))
	if err != nil {
		t.Fatal(err)
	}
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goRoot)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	dir := written(t, "in_js", `, "data_plugin_names": ["example_basic"], "routes": ["/tags", "/greetings"], "backend": {"type": "go-js", "path": "/back.wasm", "exec": "/wasm_exec.js"}`,
		map[string]string{"index.js": string(front), "wasm_exec.js": string(run)})
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "back.wasm"), ".")
	cmd.Dir = from
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, text)
	}
	return dir
}

var reactors sync.Map

// reactor builds a back end, once for each.
func reactor(t *testing.T, from string) []byte {
	t.Helper()
	build, _ := reactors.LoadOrStore(from, sync.OnceValues(func() ([]byte, error) {
		out := filepath.Join(os.TempDir(), fmt.Sprintf("tb-backend-%d-%s.wasm", os.Getpid(), filepath.Base(from)))
		defer os.Remove(out)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", out, ".")
		cmd.Dir = from
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w\n%s", cmd, err, text)
		}
		return os.ReadFile(out)
	}))
	b, err := build.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// written is a plug-in of texts: its manifest's rest, and files by name.
func written(t *testing.T, name, manifest string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	put(t, filepath.Join(dir, "plugin.json"), fmt.Appendf(nil, `{"manifest_version": 1, "name": %q, "frontend_metadata": {"es_module_path": "/index.js"}%s}`, name, manifest))
	for file, text := range files {
		put(t, filepath.Join(dir, file), []byte(text))
	}
	return dir
}

// greeted is a logdir with greetings and curves.
func greeted(t *testing.T) *logs {
	t.Helper()
	l := named(t, "greeted")
	l.run("train", map[string][]point{"loss": curve(1, 0, 20)})
	l.file("demo", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i, who := range []string{"Alice", "Bob"} {
			w.Raw(greeting("guestbook", "Hello, "+who+"!", int64(i)))
		}
	})
	return l
}

// greeting is an event of a tensor of one string, logged under the example's name.
func greeting(tag, text string, step int64) summary.Event {
	tensor := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 7)
	tensor = protowire.AppendBytes(protowire.AppendTag(tensor, 2, protowire.BytesType), nil)
	tensor = protowire.AppendString(protowire.AppendTag(tensor, 8, protowire.BytesType), text)
	return summary.Event{WallTime: epoch + float64(step), Step: step, Values: []summary.Value{{Tag: tag, Field: summary.FieldTensor, Payload: tensor,
		Metadata: summary.Metadata{Plugin: "example_basic", Description: "names of guestbook"}}}}
}

// comes opens a browser on a host with plug-ins.
func comes(t *testing.T, kind browsertest.Kind, h *host) *screen {
	t.Helper()
	return comesTo(start(t, kind), h)
}

// comesWhole is comes with the browser that users have: its shell does not connect in advance, and
// is not what a hostile plug-in meets.
func comesWhole(t *testing.T, kind browsertest.Kind, h *host) *screen {
	t.Helper()
	return comesTo(startWith(t, kind, browsertest.Settings{Whole: true}), h)
}

func comesTo(v view, h *host) *screen {
	s := &screen{view: v, host: h, url: h.URL}
	s.Resize(2000, 900) // all tabs have room
	s.Before(hearing + seeing)
	return s
}

// tells waits until the open plug-in's frame shows a text.
func (s *screen) tells(text string) {
	s.t.Helper()
	s.Wait(fmt.Sprintf(`seen.text.includes(%q)`, text))
}

// A plug-in of the server has a tab; its front end's routes are answered by its back end, which
// asks for data. Nothing of it is loaded before its tab is opened.
func TestPagePlugins(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := plugged(t, l.dir, example(t, "greetings"), example(t, "rawscalars"), inJS(t))
			s := comes(t, kind, h)
			s.fresh("")
			tab := s.Control("button", "Greetings")
			tab.Is(`!e.classList.contains("inactive")`)
			for _, p := range h.asked {
				if strings.HasPrefix(p, "/plugins/") && p != "/plugins/index.json" || strings.Contains(p, "/plugin.") || strings.Contains(p, "/frame.") {
					t.Errorf("%s was asked for before the plug-in was opened", p)
				}
			}
			tab.Click()
			s.tells("Hello, Alice!, Hello, Bob!")
			s.Wait(`seen.text.includes("2 greetings") && seen.text.includes("names of guestbook") && location.hash.startsWith("#example_basic")`)
			s.Control("button", "in_js").Click()
			s.Wait(`location.hash.startsWith("#in_js") && document.querySelectorAll(".plugin-hold").length === 2 && seen.text.includes("Hello, Alice!, Hello, Bob!")`)
		})
	}
}

// A back end begins with its front end, which need not ask it for that. One that is broken keeps no front end from being
// shown; what is wrong with it is said to who asks, each time.
func TestPagePluginBegins(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	const backend = `, "data_plugin_names": ["scalars"], "routes": ["/x"], "backend": {"type": "module", "path": "/back.js"}`
	quiet := written(t, "quiet", backend, map[string]string{"index.js": `export function render() { document.body.textContent = "asks nothing"; }`, "back.js": `export const request = () => 0;`})
	broken := written(t, "broken", backend, map[string]string{"back.js": `no program`, "index.js": `export async function render() {
		document.body.textContent = "shown";
		for (let i = 0; i < 2; i++) {
			const a = await fetch("./x");
			document.body.append(" " + a.status + " " + (await a.text()).length);
		}
		document.body.append(" " + (await fetch("./y")).status);
		document.body.append(" done");
	}`})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := plugged(t, l.dir, quiet, broken)
			s := comes(t, kind, h)
			s.Allow("") // that the program is none is said on the console
			s.fresh("#quiet")
			s.tells("asks nothing")
			s.Wait(`document.querySelector('iframe[title="Back end of quiet"]')`)
			s.Control("button", "broken").Click()
			s.tells("done")
			s.Wait(`/^shown 502 [1-9]\d* 502 [1-9]\d* 404 done$/.test(seen.text)`) // what is no route of it is not asked of the back end
		})
	}
}

// Behind a token a plug-in works as ever: the page reads for it. By itself it reads nothing, since what its frame asks
// the server comes from nowhere and without the cookie. Whoever has no token is not told which plug-ins there are.
func TestPagePluginToken(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	spy := written(t, "spy", "", map[string]string{"index.js": `export const render = async () => {
		const got = [];
		for (const path of ["/data/listing.json", "/plugins/index.json", "/?token=secret"]) {
			got.push(path + " " + await fetch(path, {credentials: "include"}).then((a) => "answered " + a.status, () => "refused"));
		}
		document.body.textContent = got.join(", ") + "; " + (await tensorbored.data.list_runs()).map((r) => r.run_name).sort().join(" ");
	};`})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := pluggedBehind(t, "secret", l.dir, example(t, "greetings"), spy)
			for path, want := range map[string]int{"plugins/index.json": 401, "data/listing.json": 401, "plugins/spy/index.js": 200} {
				if a, err := http.Get(h.URL + path); err != nil || a.StatusCode != want {
					t.Errorf("%s without the token: %v, %v; want %d", path, a, err, want)
				}
			}
			s := comes(t, kind, h)
			for _, part := range []string{"401", "CORS", "Cross-Origin", "Failed to load", "SameSite"} {
				s.Allow(part)
			}
			s.fresh("?token=secret")
			s.Control("button", "Greetings").Click()
			s.tells("Hello, Alice!, Hello, Bob!")
			s.Control("button", "spy").Click()
			s.tells("/data/listing.json refused, /plugins/index.json refused, /?token=secret refused; demo train")
		})
	}
}

// zipped is a zip of names and texts, by parts: name, text, name, text, ….
func zipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(parts[i+1]))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb is a zip of a plug-in with a file of 10 GB, which says that it has as many bytes as claimed.
func bomb(t *testing.T, manifest string, claimed uint64) []byte {
	t.Helper()
	// A flushed piece ends at a byte, so the same one can follow itself; each back reference stays in its own piece.
	const piece = 64 << 20
	var packed bytes.Buffer
	f, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range piece >> 20 {
		f.Write(zeros)
	}
	f.Flush()
	end := packed.Len()
	f.Close()
	stream := append(bytes.Repeat(packed.Bytes()[:end], 10<<30/piece), packed.Bytes()[end:]...)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("plugin.json")
	if err == nil {
		w.Write([]byte(manifest))
		w, err = z.CreateRaw(&zip.FileHeader{Name: "zeros", Method: zip.Deflate, CompressedSize64: uint64(len(stream)), UncompressedSize64: claimed})
	}
	if err == nil {
		_, err = w.Write(stream)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// zipOf is a zip of a folder, which is its one top.
func zipOf(t *testing.T, dir string) []byte {
	t.Helper()
	var parts []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(filepath.Dir(dir), p)
		parts = append(parts, filepath.ToSlash(name), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return zipped(t, parts...)
}

// A plug-in that is dropped, as a folder or as a zip, works as one of the server does; what is
// wrong with it is said in words, and the page goes on.
func TestPagePluginDropped(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	s := comes(t, browsertest.Chromium, plugged(t, l.dir))
	s.fresh("")
	s.Drop("header.top", example(t, "rawscalars"))
	s.tells("Wall time")
	s.Wait(`location.hash.startsWith("#example_raw_scalars") && seen.text.includes("Z\t19\t")`)
	s.Control("button", "Raw scalars").Is(`e.getAttribute("aria-current") === "page"`)

	drop := func(name string, data []byte) {
		t.Helper()
		file := filepath.Join(t.TempDir(), name)
		put(t, file, data)
		s.Drop("header.top", file)
	}
	said := func(text string) {
		t.Helper()
		s.Wait(fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
	}
	drop("greetings.zip", zipOf(t, example(t, "greetings")))
	s.tells("Hello, Alice!, Hello, Bob!")

	manifest := `{"manifest_version": 1, "name": "small", "frontend_metadata": {"es_module_path": "/index.js"}}`
	drop("up.zip", zipped(t, "plugin.json", manifest, "../index.js", "x"))
	said(`"../index.js", which would lie outside`)
	drop("absolute.zip", zipped(t, "plugin.json", manifest, "/etc/index.js", "x"))
	said(`"/etc/index.js", which would lie outside`)
	big := zipped(t, "plugin.json", manifest, "zeros", "0123456789")
	drop("honest.zip", bomb(t, manifest, 10<<30))
	said(`unpacked, this zip has more than 512 MB: a plug-in may have so much`)
	// Of what says that it is short no more is unpacked than that.
	drop("liar.zip", bomb(t, manifest, 10))
	said(`zeros in this zip is damaged`)
	// What is no plug-in may be an archive of logs.
	drop("none.zip", zipped(t, "a/index.js", "x", "b/index.js", "x"))
	said(`“none.zip” was not opened, and what was open stays: no event files`)
	drop("cut.zip", big[:len(big)-30])
	said(`“cut.zip” was not opened, and what was open stays: cut.zip: it is cut short, or no zip`)
	board := written(t, "Scalars", "", map[string]string{"index.js": ""})
	s.Drop("header.top", board)
	said(`name: "Scalars" is the name of a dashboard of the viewer`)
	s.tells("Hello, Alice!")

	// A log folder is opened as ever.
	other := named(t, "other")
	other.run("r", map[string][]point{"x": curve(1, 0, 5)})
	// One that was dropped before it, and of which is known only now that it is no plug-in, does not
	// take its place.
	s.Eval(`(() => {
		const entry = {name: "slow", fullPath: "/slow", isDirectory: true, isFile: false, createReader: () => ({readEntries: (yes) => yes([])}),
			getFile: (name, options, yes, no) => { globalThis.known = () => no(new DOMException("none", "NotFoundError")); }};
		const e = new Event("drop", {bubbles: true, cancelable: true});
		e.dataTransfer = {types: ["Files"], files: [], items: [{kind: "file", webkitGetAsEntry: () => entry}]};
		document.body.dispatchEvent(e);
	})()`, nil)
	s.Drop("header.top", other.dir)
	s.Wait(`tensorbored.status().logdir === "other"`)
	s.Eval(`known()`, nil)
	s.rests()
	s.Wait(`tensorbored.status().logdir === "other" && tensorbored.status().runs === 1`)
}

// A plug-in's tab is a dashboard's: what it shows is in the address, it stays while others are
// open or is begun anew, follows the theme and new data, and can be switched off; so it is on a
// host that knows nothing of us, too.
func TestPagePluginLife(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	probe := `export async function render() {
		const out = document.body.appendChild(document.createElement("pre")), said = [];
		const id = Math.random().toString(36).slice(2);
		const show = () => { out.textContent = [id, tensorbored.theme.dark ? "dark" : "light", document.documentElement.dataset.theme, tensorbored.runs.map((r) => r.run + r.color.length).join(), said.join()].join(" | "); };
		for (const e of ["theme", "runs"]) tensorbored.on(e, show);
		tensorbored.on("reloaded", () => { said.push("reloaded"); show(); });
		const c = new MessageChannel();
		c.port1.onmessage = (e) => { const m = JSON.parse(e.data); said.push(m.isReply ? m.type + "=" + JSON.stringify(m.payload) : m.type); show(); };
		parent.postMessage("experimental.bootstrap", "*", [c.port2]);
		c.port1.postMessage(JSON.stringify({type: "experimental.GetRuns", id: 0, payload: null, error: null, isReply: false}));
		c.port1.postMessage(JSON.stringify({type: "experimental.GetURLPluginData", id: 1, payload: {pluginName: "PROBE"}, error: null, isReply: false}));
		c.port1.postMessage(JSON.stringify({type: "experimental.GetURLPluginData", id: 2, payload: {pluginName: "other"}, error: null, isReply: false}));
		show();
	}`
	stays := written(t, "stays", "", map[string]string{"index.js": strings.ReplaceAll(probe, "PROBE", "stays")})
	goes := written(t, "goes", "", map[string]string{"index.js": strings.ReplaceAll(probe, "PROBE", "goes")})
	text, err := os.ReadFile(filepath.Join(goes, "plugin.json"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(goes, "plugin.json"), bytes.Replace(text, []byte(`"/index.js"`), []byte(`"/index.js", "remove_dom": true, "disable_reload": true`), 1))
	empty := written(t, "empty", `, "data_plugin_names": ["nothing"]`, map[string]string{"index.js": `export function render() { document.body.textContent = "all the same"; }`})
	h := plugged(t, l.dir, stays, goes, empty, example(t, "rawscalars"))
	s := comes(t, browsertest.Chromium, h)
	s.fresh("#stays&p.stays.run=x/y&p.other.z=1")
	t.Cleanup(func() {
		if t.Failed() {
			var text string
			s.TryEval(`JSON.stringify(seen)`, &text)
			t.Log(text)
		}
	})
	s.tells(`| demo7,train7 |`)
	for _, text := range []string{`experimental.GetRuns=["demo","train"]`, `experimental.GetURLPluginData={"run":"x/y"}`, `experimental.GetURLPluginData={}`} {
		s.tells(text)
	}
	var first string
	s.Eval(`seen.text.split(" | ")[0]`, &first)
	s.Press("t") // the theme: light, dark or the system's
	s.Wait(`seen.text.split(" | ")[1] === seen.text.split(" | ")[2].trim() && seen.text.split(" | ")[1] === document.documentElement.dataset.theme`)

	s.Control("button", "goes").Click()
	s.Wait(`seen.text.includes("| demo7,train7 |") && !seen.text.startsWith(` + quote(first) + `)`)
	s.Wait(`document.querySelector('[aria-label^="Reload"]').disabled`)
	var other string
	s.Eval(`seen.text.split(" | ")[0]`, &other)
	s.Control("button", "stays").Click()
	s.Wait(`seen.text.startsWith(` + quote(first) + `) && location.hash.includes("p.stays.run=x/y") && !document.querySelector('[aria-label^="Reload"]').disabled`)
	l.run("more", map[string][]point{"loss": curve(3, 0, 20)})
	s.Eval(`tensorbored.reload()`, nil)
	s.tells("experimental.RunsChanged")
	s.tells("experimental.DataReloaded")
	s.tells("reloaded")
	s.Control("button", "goes").Click()
	s.Wait(`seen.text.includes(" | ") && !seen.text.startsWith(` + quote(first) + `) && !seen.text.startsWith(` + quote(other) + `)`)

	s.Control("button", "empty").Click()
	s.Control("button", "Show it all the same").Click()
	s.tells("all the same")

	s.Control("button", "Raw scalars").Click()
	s.tells("Z\t19\t")
	s.Open(s.url + "#example_raw_scalars&p.example_raw_scalars.run=more&p.example_raw_scalars.tag=loss")
	s.tells("Z\t19\t")
	s.pageSettings().Control("checkbox", "Plug-in goes").Click()
	s.Press("Escape")
	s.Wait(`![...document.querySelectorAll("nav .tab")].some((e) => e.textContent === "goes") && !document.querySelector('.plugin-hold[aria-label="goes"]')`)
	s.again()
	s.tells("Z\t19\t")
	s.Wait(`![...document.querySelectorAll("nav .tab")].some((e) => e.textContent === "goes")`)
	s.pageSettings().Control("checkbox", "Plug-in goes").Click()
	s.Press("Escape")
	s.Control("button", "goes").Is(`e`)

	// A plain host, which allows no other origin to read modules.
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			dir := browsertest.Pages(t, l.dir, "--plugin_dir", example(t, "rawscalars"))
			entry := filepath.Join(dir, "plugins/example_raw_scalars/tensorbored_entry.html")
			text, err := os.ReadFile(entry)
			if err != nil {
				t.Fatal(err)
			}
			put(t, entry, append(text, telling...))
			s := &screen{view: start(t, kind), url: browsertest.StaticHost(t, dir)}
			s.Resize(2000, 900)
			s.Allow("") // that the browser refuses to read modules is said on the console
			s.Before(hearing + seeing)
			s.fresh("#example_raw_scalars")
			s.tells("Z\t19\t")
		})
	}
}

// The data API answers of data of all kinds, with TensorBoard's names; what is asked for wrongly
// is an error in words.
func TestPagePluginData(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	l.file("tried", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.HParams(map[string]any{"lr": 0.5, "opt": "sgd", "nag": true}, []string{"loss"}, summary.WallSeconds(epoch))
		for i := range int64(3) {
			w.Image("pics", flat(8, 8, shade("a", int(i))), i)
		}
		w.Histogram("weights", []float64{1, 2, 3}, 7)
		w.Text("notes", "hello", 4)
	})
	l.file("twin", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.HParams(map[string]any{"lr": 0.5, "opt": "adam", "nag": true}, []string{"loss"}, summary.WallSeconds(epoch))
	})
	dir := written(t, "data", "", map[string]string{"index.js": `export async function render() {
		const d = tensorbored.data, text = (b) => new TextDecoder().decode(b);
		const out = new Proxy({}, {set(o, k, v) { o[k] = v; document.body.textContent = JSON.stringify(o); return true; }});
		const wrong = (p) => p.then(() => "no error", (e) => e.message);
		out.plugins = await d.list_plugins();
		out.runs = (await d.list_runs()).map((r) => r.run_name + (r.start_time > 0));
		out.scalars = Object.keys(await d.list_scalars({plugin_name: "scalars"}));
		out.steps = (await d.list_scalars({plugin_name: "scalars"})).train.loss.max_step;
		const s = (await d.read_scalars({plugin_name: "scalars", downsample: 3, run_tag_filter: {runs: ["train"]}})).train.loss;
		out.read = [s.step.constructor.name, ...s.step, s.value.length, s.wall_time.length];
		out.none = await d.read_scalars({plugin_name: "scalars", run_tag_filter: {tags: ["other"]}});
		out.last = (await d.read_last_scalars({plugin_name: "scalars"})).train.loss.step;
		const g = (await d.read_tensors({plugin_name: "example_basic"})).demo.guestbook;
		out.tensors = g.map((x) => [x.step, x.dtype, x.shape.length, text(x.data[0])]);
		out.described = (await d.list_tensors({plugin_name: "example_basic"})).demo.guestbook.description;
		const h = (await d.read_tensors({plugin_name: "histograms"})).tried.weights[0];
		out.numbers = [h.step, h.dtype, h.shape.length, h.shape[1], h.data.length === h.shape[0] * 3];
		out.text = text((await d.read_tensors({plugin_name: "text"})).tried["notes"][0].data[0]);
		out.blobs = (await d.list_blob_sequences({plugin_name: "images"})).tried.pics.max_step;
		const seq = (await d.read_blob_sequences({plugin_name: "images", downsample: 2})).tried.pics;
		out.sequence = seq.map((x) => x.step);
		out.blob = text((await d.read_blob({blob_key: seq[1].values.at(-1).blob_key})).slice(1, 4));
		out.hparams = (await d.read_hyperparameters()).map((x) => [x.run, x.hparams.lr, x.hparams.opt, x.hparams.nag]);
		out.names = (await d.list_hyperparameters()).map((x) => [x.hyperparameter_name, x.hyperparameter_display_name, x.type, x.differs, ...x.values].join(":")).sort();
		out.location = (await d.experiment_metadata()).data_location;
		out.wrong = [await wrong(d.read_scalars({})), await wrong(d.nothing({})), await wrong(d.read_blob({blob_key: "x"}))];
		document.body.textContent = JSON.stringify(out) + "END";
	}`})
	s := comes(t, browsertest.Chromium, plugged(t, l.dir, dir))
	t.Cleanup(func() {
		if t.Failed() {
			var text string
			s.TryEval(`seen.text`, &text)
			t.Log(text)
		}
	})
	s.fresh("#data")
	s.Wait(`seen.text.includes("END") || document.querySelector(".plugin-say:not([hidden]) button")`)
	var failed string
	if s.Eval(`document.querySelector(".plugin-say").innerText`, &failed); failed != "" {
		t.Fatal(failed)
	}
	s.tells("END")
	var got string
	s.Eval(`seen.text`, &got)
	for _, want := range []string{`"plugins":["example_basic","histograms","hparams","images","scalars","text"]`, `"traintrue"`, `"scalars":["train"]`, `"steps":19`,
		`"read":["Float64Array",0,10,19,3,3]`, `"none":{}`, `"last":19`, `"tensors":[[0,"string",0,"Hello, Alice!"],[1,"string",0,"Hello, Bob!"]]`,
		`"described":"names of guestbook"`, `"numbers":[7,"float64",2,3,true]`, `"text":"hello"`, `"blobs":2`, `"sequence":[0,2]`, `"blob":"PNG"`,
		`"hparams":[["tried",0.5,"sgd",true],["twin",0.5,"adam",true]]`,
		`"names":["lr:lr:float:false:0.5","nag:nag:bool:false:true","opt:opt:string:true:sgd:adam"]`, `"location":"greeted"`,
		`"wrong":["plugin_name is missing`, `there is no method nothing`, `no blob has this key`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
}

// A link to a plug-in's dashboard, opened where the plug-in is not, says so, in a report too.
func TestPagePluginMissing(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	s := comes(t, browsertest.Chromium, plugged(t, l.dir))
	said := func(text string) {
		t.Helper()
		s.Wait(fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
	}
	s.fresh("#example_basic")
	said("There is no dashboard example_basic: a plug-in of this name is not here. If you have it, drop its folder on the page.")
	s.Open(makeReport(t, "--logdir", l.dir) + "#example_basic")
	said("There is no dashboard example_basic: a report shows no plug-ins.")
}

// A page that stood still while a plug-in was open, and was done away with, leaves the plug-in's name: the
// next page asks before it opens it. One that is left or loaded anew in peace does not.
func TestPagePluginStoodStill(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			const open = `localStorage.getItem("tensorbored-static.plugin-open")`
			s := comes(t, kind, plugged(t, l.dir, written(t, "heavy", "", map[string]string{"index.js": `export function render() { document.body.textContent = "shown"; }`})))
			s.fresh("#heavy")
			s.tells("shown")
			s.Wait(open + ` === "heavy"`)
			s.Control("button", "Time series").Click()
			s.Wait(open + ` === null`)
			s.Control("button", "heavy").Click()
			s.Wait(open + ` === "heavy"`)
			s.again()
			s.tells("shown")
			// As a page leaves it that the browser has ended: such a page hears of nothing.
			s.leave()
			s.Wait(`location.pathname.endsWith("/blank")`)
			s.Eval(`localStorage.setItem("tensorbored-static.plugin-open", "heavy")`, nil)
			s.Open(s.url + "#heavy")
			s.Wait(`document.querySelector(".plugin-hold:not([hidden])")?.innerText.includes("The page did not end well the last time, while the plug-in heavy was open")`)
			s.Wait(`!document.querySelector(".plugin-frame")`)
			s.Control("button", "Show it all the same").Click()
			s.tells("shown")
		})
	}
}
