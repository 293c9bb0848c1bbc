//go:build !js

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/static"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// apart is plugged with origins of their own for the plug-ins that ask for them. There what an
// origin of its own shows is told as at the page's. It gives the port that must be reached.
func apart(t *testing.T, logdir string, dirs ...string) (*host, *http.Server) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var own *plugins.Own
	h := plugging(t, "", logdir, func(s *plugins.Store) {
		if own, err = plugins.NewOwn(s, fmt.Sprintf("http://*.localhost:%d", l.Addr().(*net.TCPAddr).Port), static.PluginWorker); err != nil {
			t.Fatal(err)
		}
		s.Own = own
	}, dirs...)
	s := &http.Server{Handler: told(own)}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return h, s
}

// told adds telling to the documents of a handler.
func told(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".html") {
			h.ServeHTTP(w, r)
			return
		}
		for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since"} {
			r.Header.Del(name)
		}
		got := httptest.NewRecorder()
		h.ServeHTTP(got, r)
		for name, v := range got.Header() {
			if name != "Content-Length" {
				w.Header()[name] = v
			}
		}
		w.WriteHeader(got.Code)
		w.Write(got.Body.Bytes())
		w.Write([]byte(telling))
	})
}

const (
	square = `<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"></svg>`
	// addressed is a front end that has everything by its address.
	addressed = `
import {word} from "./lib/word.js";
const tries = {
	import: () => word(),
	later: async () => (await import("./lib/" + ["la", "ter"].join("") + ".js")).default,
	url: () => String(new URL("lib/word.js", import.meta.url).pathname.endsWith("/lib/word.js")),
	image: (src) => new Promise((yes, no) => { const i = new Image(); i.onload = () => yes(i.naturalWidth); i.onerror = () => no(new Error("no image")); i.src = "./square.svg"; document.body.append(i); }),
	drawn: () => new Promise((yes, no) => { const i = new Image(); i.onload = () => yes(i.naturalWidth); i.onerror = () => no(new Error("no image")); i.src = "./drawn/12"; document.body.append(i); }),
	route: async () => (await fetch("./tags")).json(),
	absolute: async () => (await fetch(new URL("tags", location.href))).json(),
	posted: async () => (await fetch("./echo", {method: "POST", body: "said", headers: {"x-a": "b"}})).text(),
	request: () => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.open("GET", "tags"); x.onload = () => yes(x.status + x.responseText); x.onerror = no; x.send(); }),
	missing: async () => (await fetch("./nothing")).status,
	worker: () => new Promise((yes, no) => { const w = new Worker("./lib/work.js", {type: "module"}); w.onmessage = (e) => yes(e.data); w.onerror = (e) => no(new Error("the worker failed " + e.message)); }),
	style: () => new Promise((yes, no) => { const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "./lib/look.css"; l.onload = () => yes(getComputedStyle(document.body).getPropertyValue("--look")); l.onerror = no; document.head.append(l); }),
	frame: () => new Promise((yes) => { const f = document.createElement("iframe"); f.src = "./page"; f.onload = () => yes(f.contentDocument?.body.textContent); document.body.append(f); }),
	nested: () => new Promise((yes) => { addEventListener("message", (e) => e.data?.nested && yes(e.data.nested)); const f = document.createElement("iframe"); f.src = "./inner.html"; document.body.append(f); }),
	kept: () => { localStorage.n = Number(localStorage.n ?? 0) + 1; return localStorage.n; },
	runs: async () => (await tensorbored.data.list_runs()).map((r) => r.run_name).sort().join("+"),
};
export async function render() {
	const out = document.body.appendChild(document.createElement("pre"));
	for (const [name, f] of Object.entries(tries)) {
		try { out.textContent += name + ": " + JSON.stringify(await f()) + "\n"; } catch (e) { out.textContent += name + ": failed " + e.message + "\n"; }
	}
	out.textContent += "done\n";
}`
)

// atOwn is a plug-in that asks for an origin of its own, with files and routes for addressed.
func atOwn(t *testing.T, name, front string) string {
	t.Helper()
	return written(t, name, `, "isolation": "origin", "routes": ["/tags", "/echo", "/drawn/*", "/page"], "backend": {"type": "module", "path": "/back.js"}`, map[string]string{
		"index.js": front, "square.svg": square, "lib/later.js": `export default "later";`,
		"lib/word.js": `import {inner} from "./inner/word.js"; export const word = () => inner + "!";`, "lib/inner/word.js": `export const inner = "hello";`,
		"lib/work.js":  `import {word} from "./word.js"; const a = await fetch("../tags"); postMessage(word() + await a.text());`,
		"lib/look.css": `@import "./inner.css";`, "lib/inner.css": `body { --look: yes; }`,
		"inner.html": `<!doctype html><body>inner<script>fetch("./tags").then((a) => a.json()).then((t) => parent.postMessage({nested: t.of + "/" + tensorbored.theme.dark}, "*"))</script>`,
		"back.js": strings.ReplaceAll(`export async function request({method, path, headers, body}, data) {
			const text = (t, type = "text/plain") => ({status: 200, headers: {"content-type": type, "content-security-policy": ""}, body: new TextEncoder().encode(t).buffer});
			if (path === "/tags") return text(JSON.stringify({of: "NAME"}), "application/json");
			if (path === "/echo") return text([method, headers["x-a"], new TextDecoder().decode(body)].join());
			if (path === "/page") return text("<p>a page of the back end<img src='https://example.invalid/x.png'>", "text/html");
			return text('<svg xmlns="http://www.w3.org/2000/svg" width="' + path.split("/")[2] + '" height="5"></svg>', "image/svg+xml");
		}`, "NAME", name),
	})
}

// A plug-in at an origin of its own has real addresses: relative imports, images, workers, styles
// and frames find files and routes alike, and its storage stays. Where its port cannot be reached
// it says so, and runs in a sealed frame.
func TestPagePluginOrigin(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h, server := apart(t, l.dir, atOwn(t, "addressed", addressed), example(t, "greetings"))
			s := comes(t, kind, h)
			s.Allow("example.invalid") // which the policy refuses
			s.Allow("Content-Security-Policy")
			s.fresh("#addressed")
			want := []string{`import: "hello!"`, `later: "later"`, `url: "true"`, `image: 7`, `drawn: 12`, `route: {"of":"addressed"}`, `absolute: {"of":"addressed"}`,
				`posted: "POST,b,said"`, `request: "200{\"of\":\"addressed\"}"`, `missing: 404`, `worker: "hello!{\"of\":\"addressed\"}"`, `style: "yes"`,
				`frame: "a page of the back end"`, `nested: "addressed/false"`, `kept: "1"`, `runs: "demo+train"`}
			// Not seen.text, which the document of a frame in this one writes too.
			s.Wait(`seen.all["/plugins/addressed/tensorbored_entry.html"]?.includes("done")`)
			var text string
			s.Eval(`seen.all["/plugins/addressed/tensorbored_entry.html"]`, &text)
			for _, line := range want {
				if !strings.Contains(text, line) {
					t.Errorf("%q is not in:\n%s", line, text)
				}
			}
			s.Wait(`/^http:\/\/p[0-9a-f]{16}\.localhost:\d+\/plugins\/addressed\/tensorbored_entry\.html$/.test(document.querySelector(".plugin-hold:not([hidden]) .plugin-frame").src)`)
			// Others are where they were, and what was kept is there again.
			s.Control("button", "Greetings").Click()
			s.tells("Hello, Alice!, Hello, Bob!")
			s.Wait(`new URL(document.querySelector(".plugin-hold:not([hidden]) .plugin-frame").src).origin === location.origin`)
			s.fresh("#addressed")
			s.tells(`kept: "2"`)

			s.Allow("tensorbored_own.json")
			s.Allow("may only appear at top level of a module") // a worker's in a sealed frame
			server.Close()                                      // as behind a tunnel that forwards one port
			s.fresh("#addressed")
			s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes("cannot be reached (behind a tunnel, forward that port, too). It runs in a sealed frame")`)
			s.tells(`route: {"of":"addressed"}`)
			s.tells(`style: "yes"`)
			s.Control("button", "Close").Click()
			s.Wait(`!document.querySelector(".plugin-hold:not([hidden])").innerText.includes("sealed frame")`)
		})
	}
}

// outside is a front end at its own origin that tries to reach what is not its own.
const outside = `
const answered = (url, init) => fetch(url, init).then((a) => { if (a.status !== 404 && a.status !== 403) return a.text(); throw new Error(a.status); });
const tries = {
	parent: () => parent.document.title,
	parentStorage: () => parent.localStorage.length,
	top: () => { top.location.hash = "stolen"; top.location.href; },
	sibling: () => { for (let i = 0; i < parent.frames.length; i++) if (parent.frames[i] !== window) parent.frames[i].document.title; if (parent.frames.length < 3) return; },
	relayed: () => relay(),
	storage: () => { if (!Object.keys(localStorage).length) throw new Error("its own, empty"); },
	databases: async () => { if (!(await indexedDB.databases()).length) throw new Error("none"); },
	cookie: () => { if (!document.cookie) throw new Error("none"); },
	logs: () => answered("/data/listing.json"),
	page: () => answered("/"),
	list: () => answered("/plugins/index.json"),
	logsThere: () => answered("VIEWER/data/listing.json", {credentials: "include"}),
	logsOpaque: () => answered("VIEWER/data/listing.json", {credentials: "include", mode: "no-cors"}),
	logsImage: () => picture("VIEWER/data/listing.json"),
	logsFrame: () => new Promise((yes, no) => { const f = document.createElement("iframe"); f.src = "VIEWER/"; f.onload = () => { try { f.contentDocument.body.textContent ? yes() : no(new Error("empty")); } catch (e) { no(e); } }; f.onerror = no; document.body.append(f); setTimeout(() => no(new Error("nothing comes")), 500); }),
	write: () => answered("VIEWER/data/profile", {method: "POST", body: "{}", credentials: "include"}),
	other: () => answered("/plugins/victim/tags"),
	otherFile: () => answered("/plugins/victim/index.js"),
	otherThere: () => answered("VICTIM/plugins/victim/tags"),
	otherScript: () => import("VICTIM/plugins/victim/index.js"),
	otherFrame: () => new Promise((yes, no) => { addEventListener("message", (e) => e.data === "tensorbored.plugin" && yes()); const f = document.createElement("iframe"); f.src = "VICTIM/plugins/victim/tensorbored_entry.html"; document.body.append(f); setTimeout(() => no(new Error("nothing comes")), 500); }),
	outside: () => fetch("OUTSIDE/fetch", {mode: "no-cors"}),
	outsideImage: () => picture("OUTSIDE/x.png"),
	outsideWorker: () => new Promise((yes, no) => { const w = new Worker("./work.js"); w.onmessage = (e) => e.data ? yes() : no(new Error("refused")); }),
	outsideRoute: () => new Promise((yes, no) => { addEventListener("message", (e) => { if (e.data === "reached") yes(); if (e.data === "refused") no(new Error("refused")); }); const f = document.createElement("iframe"); f.src = "./page"; document.body.append(f); }),
	ownWorker: () => navigator.serviceWorker.register("./mine.js"),
	ownWorkerAbove: () => navigator.serviceWorker.register("./tensorbored_worker.js", {scope: "/"}),
	popup: () => { if (open("OUTSIDE/popup")) return; throw new Error("refused"); },
	clipboard: () => navigator.clipboard.writeText("stolen"),
};
export async function render() {
	const out = document.body.appendChild(document.createElement("pre"));
	await tryAll(out, tries);
	out.textContent += "done\n";
}`

// At an origin of its own a hostile front end reads nothing of the viewer, its server, or another
// plug-in, reaches nobody else, and holds up nobody.
func TestPagePluginOriginHostile(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	other, asked := elsewhere(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			replacer := strings.NewReplacer("OUTSIDE", other)
			evil := written(t, "evil", `, "isolation": "origin", "routes": ["/page"], "backend": {"type": "module", "path": "/back.js"}`, map[string]string{
				"index.js": "", "mine.js": `addEventListener("fetch", (e) => e.respondWith(new Response("<script>parent.postMessage('x', '*')</script>")));`,
				"work.js": replacer.Replace(`fetch("OUTSIDE/work", {mode: "no-cors"}).then(() => postMessage(1), () => postMessage(0));`),
				"back.js": replacer.Replace(`export const request = async () => ({status: 200, headers: {"content-type": "text/html", "Content-Security-Policy": "default-src *"},
					body: new TextEncoder().encode("<script>fetch('OUTSIDE/route', {mode: 'no-cors'}).then(() => parent.postMessage('reached', '*'), () => parent.postMessage('refused', '*'))</script>").buffer});`),
			})
			loop := written(t, "forever", `, "isolation": "origin"`, map[string]string{"index.js": `export function render() { document.body.textContent = "begins"; setTimeout(() => { for (;;); }, 200); }`})
			h, _ := apart(t, l.dir, evil, loop, atOwn(t, "victim", addressed))
			victim := ""
			for _, p := range listed(t, h) {
				if p.Name == "victim" {
					victim = strings.TrimSuffix(p.Origin, "/plugins/victim/")
				}
			}
			put(t, evil+"/index.js", []byte(trying+strings.NewReplacer("OUTSIDE", other, "VIEWER", strings.TrimSuffix(h.URL, "/"), "VICTIM", victim).Replace(outside)))
			s := comesWhole(t, kind, h)
			s.Allow("") // what is refused is said on the console
			s.fresh("#victim")
			s.tells("done")
			s.Eval(`void [localStorage.setItem("secret", "1"), document.cookie = "secret=1", indexedDB.open("secret")]`, nil)
			s.Control("button", "evil").Click()
			// Not seen.text, which another's document in this one's frames could write.
			s.Wait(`seen.all["/plugins/evil/tensorbored_entry.html"]?.includes("done")`)
			var text string
			s.Eval(`seen.all["/plugins/evil/tensorbored_entry.html"]`, &text)
			if strings.Contains(text, "REACHED") || strings.Count(text, ": no") != strings.Count(outside, ": () =>")+strings.Count(outside, ": async () =>") {
				t.Errorf("a plug-in reached something:\n%s", text)
			}
			if list := asked(); len(list) != 0 {
				t.Errorf("requests went elsewhere: %q", list)
			}
			s.Wait(`location.hash.startsWith("#evil")`)

			// One that never ends holds up nobody, and can be ended.
			s.Control("button", "forever").Click()
			s.tells("begins")
			s.Control("button", "Time series").Click()
			s.Wait(`document.querySelector("article.card canvas")`)
			s.Control("button", "victim").Click()
			s.tells(`route: {"of":"victim"}`)
			s.Control("button", "forever").Click()
			s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes("The plug-in forever has not given its turn back")`)
			s.Control("button", "End it").Click()
			s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes("The plug-in forever was stopped")`)
		})
	}
}
