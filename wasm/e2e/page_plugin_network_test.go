//go:build !js

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// ears are sockets of somebody else, on all addresses of this machine, and what came to them: a
// line for each request, "/NAME", for each connection, "tcp NAME", and each packet, "udp NAME".
type ears struct {
	t  *testing.T
	ip string
	mu sync.Mutex
	on map[string]bool
}

func listening(t *testing.T) *ears {
	e := &ears{t: t, ip: "127.0.0.1", on: map[string]bool{}}
	// WebRTC uses no loopback interface where there is another.
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && !ip.IP.IsLoopback() {
			e.ip = ip.IP.String()
		}
	}
	return e
}

func (e *ears) heard(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.on[what] = true
}

// all lists what came, sorted.
func (e *ears) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []string
	for what := range e.on {
		list = append(list, what)
	}
	slices.Sort(list)
	return list
}

// until waits until all of these came.
func (e *ears) until(what ...string) {
	e.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		all := e.all()
		missing := slices.DeleteFunc(slices.Clone(what), func(w string) bool { return slices.Contains(all, w) })
		if len(missing) == 0 {
			return
		}
		if time.Now().After(end) {
			e.t.Fatalf("not even a page of somebody else told by %s: %s", missing, all)
		}
	}
}

// tcp gives the address of a socket that notes connections.
func (e *ears) tcp(name string) string {
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			e.heard("tcp " + name)
			c.Close()
		}
	}()
	return fmt.Sprintf("%s:%d", e.ip, l.Addr().(*net.TCPAddr).Port)
}

// udp gives the address of a socket that notes packets.
func (e *ears) udp(name string) string {
	c, err := net.ListenPacket("udp4", "0.0.0.0:0")
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 2048)
		for {
			if _, _, err := c.ReadFrom(b); err != nil {
				return
			}
			e.heard("udp " + name)
		}
	}()
	return fmt.Sprintf("%s:%d", e.ip, c.LocalAddr().(*net.UDPAddr).Port)
}

// http gives the address of a server that notes paths.
func (e *ears) http() string {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.heard(r.URL.Path)
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		e.t.Fatal(err)
	}
	s.Listener.Close()
	s.Listener = l
	s.Start()
	e.t.Cleanup(s.Close)
	return fmt.Sprintf("http://%s:%d", e.ip, l.Addr().(*net.TCPAddr).Port)
}

// ways are the ways by which a document may tell somebody something, each to a socket of its own. They wait a little for
// those who hurry; what comes later is heard, too, as long as the document is there.
// HTTP, and words of capital letters that begin with TCP or UDP, stand for addresses.
const ways = `
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const add = (tag, attributes, text = "") => {
	const e = document.createElement(tag);
	for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
	e.append(text);
	const settled = new Promise((done) => { e.onload = e.onerror = done; });
	(tag === "link" || tag === "meta" ? document.head : document.body).append(e);
	return Promise.race([settled, wait(500)]);
};
const gathered = async (urls) => {
	const a = new RTCPeerConnection({iceServers: [{urls, username: "u", credential: "c"}]});
	a.createDataChannel("x");
	const done = new Promise((yes) => { a.onicegatheringstatechange = () => a.iceGatheringState === "complete" && yes(); });
	await a.setLocalDescription(await a.createOffer());
	await Promise.race([done, wait(500)]);
};
const ways = {
	stun: () => gathered("stun:UDPstun"),
	turn: () => gathered("turn:UDPturn?transport=udp"),
	turnTCP: () => gathered("turn:TCPturn?transport=tcp"),
	candidate: async () => {
		const a = new RTCPeerConnection(), b = new RTCPeerConnection(), [ip, port] = "UDPcandidate".split(":");
		a.createDataChannel("x");
		await a.setLocalDescription(await a.createOffer());
		await b.setRemoteDescription(a.localDescription);
		await b.setLocalDescription(await b.createAnswer());
		await a.setRemoteDescription(b.localDescription);
		await a.addIceCandidate({candidate: "candidate:1 1 udp 2122260223 " + ip + " " + port + " typ host", sdpMid: "0", sdpMLineIndex: 0});
		await wait(500);
	},
	rtcInFrame: async () => {
		const text = "<script>const a = new RTCPeerConnection({iceServers: [{urls: 'stun:UDPframe'}]}); a.createDataChannel('x'); a.createOffer().then((o) => a.setLocalDescription(o))</" + "script>";
		await add("iframe", {srcdoc: text});
		await wait(500);
	},
	rtcInBlob: async () => {
		const text = "<script>const a = new RTCPeerConnection({iceServers: [{urls: 'stun:UDPblob'}]}); a.createDataChannel('x'); a.createOffer().then((o) => a.setLocalDescription(o))</" + "script>";
		await add("iframe", {src: URL.createObjectURL(new Blob([text], {type: "text/html"}))});
		await wait(500);
	},
	rtcOfFrame: async () => {
		const f = document.createElement("iframe");
		document.body.append(f);
		const a = new f.contentWindow.RTCPeerConnection({iceServers: [{urls: "stun:UDPborrowed"}]});
		a.createDataChannel("x");
		await a.setLocalDescription(await a.createOffer());
		await wait(500);
	},
	rtcInRoute: async () => { await add("iframe", {src: "./page"}); await wait(500); },
	preconnect: () => add("link", {rel: "preconnect", href: "http://TCPpreconnect"}),
	preconnectBody: async () => { document.body.insertAdjacentHTML("beforeend", '<link rel="preconnect" href="http://TCPpreconnectBody">'); await wait(500); },
	prefetch: () => add("link", {rel: "prefetch", href: "HTTP/prefetch"}),
	preload: () => add("link", {rel: "preload", as: "script", href: "HTTP/preload"}),
	modulepreload: () => add("link", {rel: "modulepreload", href: "HTTP/modulepreload"}),
	prerender: () => add("link", {rel: "prerender", href: "HTTP/prerender"}),
	icon: () => add("link", {rel: "icon", href: "HTTP/icon"}),
	manifest: () => add("link", {rel: "manifest", href: "HTTP/manifest"}),
	stylesheet: () => add("link", {rel: "stylesheet", href: "HTTP/stylesheet"}),
	imported: () => add("style", {}, "@import 'HTTP/imported';"),
	background: () => add("style", {}, "body { background: url(HTTP/background); }"),
	font: async () => { await add("style", {}, "@font-face { font-family: x; src: url(HTTP/font); } p { font-family: x; }"); await add("p", {}, "x"); },
	fontface: () => new FontFace("y", "url(HTTP/fontface)").load(),
	speculation: () => add("script", {type: "speculationrules"}, JSON.stringify({prefetch: [{urls: ["HTTP/speculation"], eagerness: "immediate"}], prerender: [{urls: ["HTTP/speculationPrerender"], eagerness: "immediate"}]})),
	image: () => add("img", {src: "HTTP/image"}),
	srcset: () => add("img", {srcset: "HTTP/srcset 1x"}),
	attribution: () => add("img", {attributionsrc: "HTTP/attribution", src: "data:,"}),
	svg: () => { document.body.insertAdjacentHTML("beforeend", '<svg><image href="HTTP/svg"/><use href="HTTP/use#x"/><filter><feImage href="HTTP/feImage"/></filter></svg>'); return wait(300); },
	video: () => add("video", {src: "HTTP/video", poster: "HTTP/poster", preload: "auto"}),
	audio: () => add("audio", {src: "HTTP/audio", preload: "auto"}),
	track: () => { document.body.insertAdjacentHTML("beforeend", '<video><track default kind="subtitles" src="HTTP/track"></video>'); document.querySelector("track").track.mode = "showing"; return wait(300); },
	object: () => add("object", {data: "HTTP/object"}),
	embed: () => add("embed", {src: "HTTP/embed"}),
	frame: () => add("iframe", {src: "HTTP/frame"}),
	frameInFrame: () => add("iframe", {srcdoc: "<iframe src='HTTP/frameInFrame'></iframe><img src='HTTP/imageInFrame'>"}),
	frameLeaves: () => add("iframe", {srcdoc: "<script>location = 'HTTP/frameLeaves'</" + "script>"}),
	frameRefreshes: () => add("iframe", {srcdoc: "<meta http-equiv='refresh' content='0; url=HTTP/frameRefreshes'>"}),
	dataFrame: () => add("iframe", {src: "data:text/html,<script>fetch('HTTP/dataFrame', {mode: 'no-cors'}); location = 'HTTP/dataFrameLeaves'</" + "script>"}),
	script: () => add("script", {src: "HTTP/script"}),
	module: () => import("HTTP/module"),
	worker: () => new Promise((done) => { new Worker(URL.createObjectURL(new Blob(["fetch('HTTP/worker', {mode: 'no-cors'}).finally(() => postMessage(1))"]))).onmessage = done; }),
	workerScripts: () => new Promise((done) => { new Worker(URL.createObjectURL(new Blob(["try { importScripts('HTTP/workerScripts') } catch {} postMessage(1)"]))).onmessage = done; }),
	shared: async () => { new SharedWorker("data:text/javascript,fetch('HTTP/shared', {mode: 'no-cors'})"); await wait(500); },
	fetch: () => fetch("HTTP/fetch", {mode: "no-cors"}),
	keepalive: () => fetch("HTTP/keepalive", {mode: "no-cors", keepalive: true, method: "POST", body: "x"}),
	later: () => { fetchLater("HTTP/later", {activateAfter: 0}); return wait(300); },
	xhr: () => new Promise((done) => { const x = new XMLHttpRequest(); x.open("GET", "HTTP/xhr"); x.onloadend = done; x.send(); }),
	beacon: () => { navigator.sendBeacon("HTTP/beacon", "x"); return wait(300); },
	socket: () => new Promise((done) => { const w = new WebSocket("ws://TCPsocket"); w.onopen = w.onerror = done; }),
	transport: () => new WebTransport("https://UDPtransport/").ready,
	events: () => new Promise((done) => { new EventSource("HTTP/events").onerror = done; }),
	ping: () => { const a = document.body.appendChild(document.createElement("a")); a.href = location.href.split("#")[0] + "#x"; a.ping = "HTTP/ping"; a.click(); return wait(300); },
	form: async () => {
		const f = document.createElement("form");
		f.action = "HTTP/form"; f.method = "post"; f.target = "formed";
		document.body.append(Object.assign(document.createElement("iframe"), {name: "formed"}), f);
		f.submit();
		await wait(300);
	},
	popup: () => { open("HTTP/popup"); return wait(300); },
	link: () => { const a = document.body.appendChild(document.createElement("a")); a.href = "HTTP/link"; a.target = "_blank"; a.click(); return wait(300); },
	top: () => { if (top !== window) top.location = "HTTP/top"; return wait(300); },
	above: () => { if (parent !== window) parent.location = "HTTP/above"; return wait(300); },
	report: () => add("meta", {"http-equiv": "Content-Security-Policy", content: "img-src blob:; report-uri HTTP/report"}).then(() => add("img", {src: "HTTP/reported"})),
};
const tellAll = async (...not) => {
	await Promise.all(Object.entries(ways).filter(([name]) => name !== "report" && !not.includes(name)).map(async ([, f]) => { try { await Promise.race([f(), wait(1500)]); } catch {} }));
	try { await ways.report(); } catch {}
};
`

// script is ways with addresses of its own.
func (e *ears) script() string {
	text := strings.ReplaceAll(ways, "HTTP", e.http())
	for _, name := range []string{"UDPstun", "UDPturn", "UDPcandidate", "UDPframe", "UDPblob", "UDPborrowed", "UDPtransport"} {
		text = strings.ReplaceAll(text, name, e.udp(name[3:]))
	}
	for _, name := range []string{"TCPturn", "TCPpreconnectBody", "TCPpreconnect", "TCPsocket"} {
		text = strings.ReplaceAll(text, name, e.tcp(name[3:]))
	}
	return text
}

// What a document that nothing forbids reaches by ways, in both browsers.
var freeWays = []string{"/audio", "/background", "/beacon", "/dataFrameLeaves", "/embed", "/events", "/fetch", "/font", "/fontface", "/frame", "/frameInFrame", "/frameLeaves",
	"/frameRefreshes", "/image", "/imageInFrame", "/imported", "/keepalive", "/module", "/object", "/prefetch", "/preload", "/script", "/srcset", "/stylesheet", "/svg",
	"/video", "/worker", "/workerScripts", "/xhr", "tcp preconnect", "tcp preconnectBody", "tcp socket", "udp blob", "udp candidate", "udp frame", "udp stun"}

// What Firefox lets a plug-in reach, and every browser on a static host: docs/PLUGINS.md says so.
var openWays = []string{"tcp preconnect", "tcp preconnectBody", "tcp turn", "udp blob", "udp borrowed", "udp candidate", "udp frame", "udp page", "udp stun", "udp turn"}

// A hostile plug-in tells nobody what it reads, by any way that a browser knows but those that docs/PLUGINS.md
// names: a sealed one of the server, one that was dropped, one at an origin of its own, one on a static host. A page of somebody else
// shows that the ways are ways.
func TestPagePluginNetwork(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			heard := listening(t)
			text := heard.script()
			plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				if r.URL.Path == "/" { // of windows Firefox opens as many as it is asked for
					fmt.Fprint(w, "<!doctype html><body><script>"+text+`tellAll("popup", "link", "form").then(() => { globalThis.told = true; })</script>`+
						`<button onclick="ways.popup()">Popup</button><button onclick="ways.link()">Link</button><button onclick="ways.form()">Form</button>`)
				}
			}))
			t.Cleanup(plain.Close)

			caught, plainly := listening(t), listening(t)
			page := fmt.Sprintf(`<script>const a = new RTCPeerConnection({iceServers: [{urls: "stun:%s"}]}); a.createDataChannel("x"); a.createOffer().then((o) => a.setLocalDescription(o))</script>`, caught.udp("page"))
			evil := func(caught *ears, name, manifest, not string) string {
				return written(t, name, manifest+`, "routes": ["/page"], "backend": {"type": "module", "path": "/back.js"}`, map[string]string{
					"index.js": caught.script() + `export async function render() {
						document.body.textContent = "begins";
						await tellAll(` + not + `);
						document.body.textContent = "all told";
					}`,
					"back.js": `export const request = async () => ({status: 200, headers: {"content-type": "text/html", "connection-allowlist": "(\"*\")"}, body: new TextEncoder().encode(` + quote(page) + `).buffer});`,
				})
			}
			const own, ends, others = `, "isolation": "origin"`, `"rtcInFrame", "rtcOfFrame", "rtcInBlob", "rtcInRoute"`, `...Object.keys(ways).filter((name) => !["rtcInFrame", "rtcOfFrame", "rtcInBlob", "rtcInRoute"].includes(name))`
			h, _ := apart(t, l.dir, evil(caught, "sealed", "", ends), evil(caught, "apart", own, ends), evil(caught, "framed", "", others), evil(caught, "framedApart", own, others),
				written(t, "leaves", "", map[string]string{"index.js": `export function render() { setTimeout(() => { location.href = "` + caught.http() + `/leaves?all=that"; setTimeout(() => { document.body.textContent = "stays"; }, 500); }); }`}))
			s := comesWhole(t, kind, h)
			s.Allow("") // what is refused is said on the console
			t.Cleanup(func() {
				if t.Failed() {
					var text string
					s.TryEval(`JSON.stringify(seen) + document.querySelector(".plugin-hold:not([hidden])")?.innerText`, &text)
					t.Log(text)
				}
			})
			s.fresh("#sealed")
			s.tells("all told")
			s.Eval(`seen.text = ""`, nil)
			s.dropped(kind, evil(caught, "dropped", "", ends))
			s.tells("all told")
			told := func(name string) {
				t.Helper()
				s.Eval(`void (location.hash = "`+name+`")`, nil)
				s.Wait(`seen.all["/plugins/` + name + `/tensorbored_entry.html"] === "all told" || document.querySelector(".plugin-hold:not([hidden])").innerText.includes("has not given its turn back")`)
			}
			told("apart")
			s.Wait(`seen.all["/plugins/apart/tensorbored_entry.html"] === "all told" && !document.querySelector(".plugin-hold:not([hidden])").innerText.includes("sealed frame")`)
			s.Eval(`globalThis.loads = 0, void addEventListener("load", (e) => { loads += e.target.className === "plugin-frame"; }, true), void (location.hash = "leaves")`, nil)
			// It stays, in Firefox, or the browser shows something else in its place, which answers nothing.
			s.Wait(`loads >= 2 || seen.all["/plugins/leaves/tensorbored_entry.html"] === "stays" || document.querySelector(".plugin-hold:not([hidden])").innerText.includes("The plug-in leaves has not given its turn back")`)
			// Chromium ends the process of a document that asks for WebRTC by way of a frame in it. A new page waits for no
			// other that is silent.
			s.fresh("#framedApart")
			s.Wait(`document.querySelector('.plugin-hold[aria-label="framedApart"]')?.dataset.opened`)
			told("framed") // both at once
			told("framedApart")
			// A static host sends no headers.
			dir := browsertest.Pages(t, l.dir, "--plugin_dir", evil(plainly, "hosted", "", ends))
			entry := filepath.Join(dir, "plugins/hosted/tensorbored_entry.html")
			document, err := os.ReadFile(entry)
			if err != nil {
				t.Fatal(err)
			}
			put(t, entry, append(document, telling...))
			s.Open(browsertest.StaticHost(t, dir) + "#hosted")
			s.tells("all told")
			for _, what := range plainly.all() {
				if !slices.Contains(openWays, what) {
					t.Errorf("a plug-in on a static host told somebody: %s", what)
				}
			}
			for _, what := range caught.all() {
				if kind != browsertest.Firefox || !slices.Contains(openWays, what) {
					t.Errorf("a plug-in told somebody: %s", what)
				}
			}

			s.Open(plain.URL)
			s.Wait(`globalThis.told`)
			heard.until(freeWays...)
			if kind == browsertest.Chromium { // which opens one window for a click, behind this one
				for _, name := range []string{"Form", "Link", "Popup"} {
					s.Control("button", name).Click()
					heard.until("/" + strings.ToLower(name))
				}
			}
		})
	}
}
