//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tensorbored/tensorbored-static/server"
	"github.com/tensorbored/tensorbored-static/server/assets"
	"github.com/tensorbored/tensorbored-static/server/files"
	servernear "github.com/tensorbored/tensorbored-static/server/near"
	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/kinds"
	"github.com/tensorbored/tensorbored-static/shared/kinds/kindstest"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/near/reading"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// nearHost is our server, which reads the files itself.
type nearHost struct {
	*host
	store *files.Store
	near  *servernear.Handler
	read  *reading.Reading
}

type meets struct{ *reading.Reading }

func (m meets) Meet() servernear.Viewer { return m.Reading.Meet() }

// serveNear serves a logdir; around, unless it is nil, stands before the server.
func serveNear(t *testing.T, logdir string, page api.Page, around func(http.Handler) http.Handler) *nearHost {
	t.Helper()
	page.Near = server.NearPath
	store, err := files.OpenRoots([]files.Root{{Dir: logdir}}, files.Options{Name: filepath.Base(logdir), Follow: true, Page: page})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return serveNearStore(t, store, around)
}

// serveNearStore is serveNear of a logdir that is open.
func serveNearStore(t *testing.T, store *files.Store, around func(http.Handler) http.Handler) *nearHost {
	t.Helper()
	h := &nearHost{host: &host{t: t}, store: store}
	h.handler = h.begin()
	if around != nil {
		h.handler = around(h.handler)
	}
	h.start()
	t.Cleanup(h.kill)
	return h
}

// begin makes the server anew.
func (h *nearHost) begin() http.Handler {
	h.t.Helper()
	site := browsertest.Dist(h.t)
	version := assets.Program(site)
	h.read = reading.New(reading.Options{Dir: h.store.Source(), Name: "logs"})
	h.near = servernear.New(servernear.Config{Reader: meets{h.read}, MaxMessage: reading.MaxMessage, Greet: func(theirs string) (string, bool) {
		v, _, ok := near.Greeted(theirs)
		return near.Greeting(version, "the node"), ok && v == version && v != ""
	}})
	handler, err := server.New(server.Config{Site: site, Logdir: h.store, Near: h.near})
	if err != nil {
		h.t.Fatal(err)
	}
	return handler
}

// kill ends the server; revive starts another one at the same address.
func (h *nearHost) kill() {
	h.near.Close()
	h.stop()
	h.read.Close()
}

func (h *nearHost) revive() {
	h.handler = h.begin()
	h.start()
}

// fetched is how many requests for bytes of files a page has made.
const fetched = `performance.getEntriesByType("resource").filter((e) => /data\/(files|batch)/.test(e.name)).length`

// everyAnswer asks about everything that a page knows, and returns what was answered: each
// part's JSON and a hash of its bytes.
const everyAnswer = `(async (kinds) => {
	const hash = (buffer) => new Uint8Array(buffer ?? []).reduce((h, b) => Math.imul(h ^ b, 16777619) >>> 0, 2166136261) + ":" + (buffer?.byteLength ?? 0);
	const tags = await tensorbored.tags(), out = [JSON.stringify([tags, await tensorbored.runs()])];
	for (const run of Object.keys(tags).sort()) for (const tag of Object.keys(tags[run]).sort()) for (const [kind, plugins, bodies] of kinds) {
		if (!plugins.includes(tags[run][tag].plugin) && kind !== "values") continue;
		for (const body of bodies) {
			const question = {kind, runs: [run], tags: [tag], ...(body && {body})};
			out.push(tensorbored.ask(question).then((r) => JSON.stringify(r.chunks.map((c) => [c.parts, hash(c.buffer)])), (e) => e.message)
				.then((text) => JSON.stringify(question) + " " + text));
		}
	}
	const r = await tensorbored.ask({kind: "files", files: ["pytorch/lr=0.1/hparams.yaml"]});
	out.push("a file beside them: " + JSON.stringify(r.chunks.map((c) => [c.parts, hash(c.buffer)])));
	return Promise.all(out);
})`

// kindsAsked are the kinds as everyAnswer wants them.
func kindsAsked(t *testing.T) string {
	var all [][]any
	for _, k := range kinds.Asked() {
		all = append(all, []any{k.Name(), append([]string{}, k.Plugins()...), append([]any{nil}, kindstest.Bodies[k.Name()]...)})
	}
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (v view) answersAll(t *testing.T) (out []string) {
	t.Helper()
	v.Wait(`tensorbored.status().phase === "exact"`)
	v.Eval(everyAnswer+"("+kindsAsked(t)+")", &out)
	return out
}

// The program, told to read beside the files, answers as a browser that reads them, byte by
// byte, about logs of real writers and all kinds; no byte of a file is asked for, what grows is
// seen, and the page says where they are read.
func TestReadOnServer(t *testing.T) {
	t.Parallel()
	logs := filepath.Join(t.TempDir(), "logs")
	real := os.DirFS("../../shared/dump/testdata")
	for _, name := range []string{"pytorch", "tensorflow"} { // shared/near/reading asks about the others, too
		from, err := fs.Sub(real, name)
		if err == nil {
			err = os.CopyFS(filepath.Join(logs, name), from)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(logs, "pytorch", "lr=0.1", "hparams.yaml"), []byte("lr: 0.1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	here := browsertest.Serve(t, "--logdir", logs, "--read", "browser").URL
	there := browsertest.Serve(t, "--logdir", logs, "--read", "server", "--cache", "off").URL
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := start(t, kind)
			v.Open(here)
			v.Wait(`window.tensorbored`)
			want := v.answersAll(t)
			w := start(t, kind)
			w.Open(there)
			w.Wait(`window.tensorbored`)
			got := w.answersAll(t)
			if !strings.Contains(want[len(want)-1], `"size":8`) {
				t.Errorf("%s", want[len(want)-1])
			}
			if len(want) < 200 || len(got) != len(want) {
				t.Fatalf("%d answers and %d", len(want), len(got))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("in the browser\n%.600s\non the server\n%.600s", want[i], got[i])
				}
			}
			var n int
			if w.Eval(fetched, &n); n > 0 {
				t.Errorf("%d requests for files", n)
			}
			var reader string
			if w.Eval(`tensorbored.status().reader`, &reader); reader != name {
				var line string
				v.Eval(`JSON.stringify(["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind)).map((e) =>
					[e.name, e.transferSize, e.encodedBodySize, e.startTime, e.requestStart, e.responseStart, e.responseEnd]))`, &line)
				t.Errorf("read on %q, after these answers: %s", reader, line)
			}
			w.Wait(fmt.Sprintf(`document.querySelector("footer").innerText.includes("read on %s") && document.querySelector("footer").innerText.includes("only %[1]s is asked")`, name))
			v.Wait(`document.querySelector("footer").innerText.includes("nothing leaves this browser")`)
		})
	}
}

// What an SSH tunnel does to a page: the line is cut, the server is killed and another one
// started, the logs grow meanwhile; the page says so, and has all of it again.
func TestServerComesBack(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			l := newLogs(t)
			path := l.run("r", map[string][]point{"x": curve(1, 0, 30)})
			grow := func(from int) {
				l.add(path, more("x", 1, from, 5))
				l.expect("r", "x", curve(1, from, 5)...)
			}
			h := serveNear(t, l.dir, api.Page{NearAlways: true, Reload: 300}, nil)
			link := browsertest.NewLink(t, h.URL, 10e6, 10*time.Millisecond)
			v := start(t, kind)
			// Of a script that the cut tears Firefox says that it is none; the page asks for it again.
			for _, text := range []string{"Failed to load resource", "net::ERR", "WebSocket", "can’t establish", "interrupted", "NetworkError", "SyntaxError"} {
				v.Allow(text)
			}
			v.Open(link.URL)
			v.Wait(`window.tensorbored && tensorbored.status().phase === "exact" && tensorbored.status().points === 30 && tensorbored.status().reader === "the node"`)
			link.Cut()
			grow(30)
			v.Wait(`tensorbored.status().points === 35 && !tensorbored.status().error`)
			h.kill()
			v.Wait(`/tried again|no longer|cannot be reached|could not/.test(tensorbored.status().error)`)
			grow(35)
			h.revive()
			v.Wait(`tensorbored.status().points === 40 && !tensorbored.status().error && tensorbored.status().phase === "exact"`)
			equal(t, v.all(), l.want)
			var lost int
			if v.Eval(`tensorbored.status().lost.length`, &lost); lost > 0 {
				t.Errorf("%d losses", lost)
			}
			var n int
			if v.Eval(fetched, &n); n > 0 {
				t.Errorf("%d requests for files", n)
			}
		})
	}
}

// A line that is away without a word, and breaks nothing, is noticed while the logs are read and
// while questions wait; when it is back all is read and answered, and nobody is blamed for it:
// neither the reader nor a file.
func TestLineAway(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			l := newLogs(t)
			path := l.run("r", map[string][]point{"x": curve(1, 0, 30)})
			h := serveNear(t, l.dir, api.Page{NearAlways: true, Reload: 300}, nil)
			link := browsertest.NewLink(t, h.URL, 10e6, 10*time.Millisecond)
			v := start(t, kind)
			for _, text := range []string{"Failed to load resource", "net::ERR", "WebSocket", "can’t establish", "interrupted", "NetworkError"} {
				v.Allow(text)
			}
			v.Before(`Object.defineProperty(globalThis, "tbBoot", {configurable: true,
				set(v) { v.pulse = 300; Object.defineProperty(globalThis, "tbBoot", {value: v, writable: true}); }})`)
			v.Open(link.URL)
			v.Wait(`window.tensorbored && tensorbored.status().phase === "exact" && tensorbored.status().points === 30 && tensorbored.status().reader === "the node"`)
			for round := range 2 {
				release := link.Hold()
				defer release()
				v.Eval(`void (globalThis.answered = 0, tensorbored.ask({kind: "scalars", runs: ["r"], tags: ["x"], body: {x: "step"}})
					.then((r) => { globalThis.answered = r.chunks[0].parts[0].n; }))`, nil)
				from := 30 + 5*round
				l.add(path, more("x", 1, from, 5))
				l.expect("r", "x", curve(1, from, 5)...)
				v.Wait(`/it is tried again/.test(tensorbored.status().error)`)
				release()
				v.Wait(fmt.Sprintf(`answered >= %d && tensorbored.status().points === %d && !tensorbored.status().error && tensorbored.status().phase === "exact"`, from, from+5))
			}
			equal(t, v.all(), l.want)
			var lost []any
			if v.Eval(`tensorbored.status().lost`, &lost); len(lost) > 0 {
				t.Errorf("%v", lost)
			}
			var requests int
			if v.Eval(`performance.getEntriesByType("resource").filter((e) => /data\/near\?/.test(e.name)).length`, &requests); requests > 0 {
				t.Errorf("%d requests, though WebSockets come through", requests)
			}
		})
	}
}

// The line to a server that reads is made while the program comes, and the program goes on with
// it: it does not make another one.
func TestLineBesideProgram(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 3000)})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			dialled := make(chan struct{})
			ask := sync.OnceFunc(func() { close(dialled) })
			lines := atomic.Int32{}
			h := serveNear(t, l.dir, api.Page{NearAlways: true}, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == "/data/near":
						lines.Add(1)
						ask()
					case strings.HasSuffix(r.URL.Path, ".wasm"):
						select {
						case <-dialled:
						case <-r.Context().Done(): // the test has waited for long enough
						}
					}
					next.ServeHTTP(w, r)
				})
			})
			v := open(t, kind, h.URL)
			v.Wait(`window.tensorbored && tensorbored.status().phase === "exact" && tensorbored.status().points === 3000 && tensorbored.status().reader === "the node"`)
			equal(t, v.all(), l.want)
			if n := lines.Load(); n != 1 {
				t.Errorf("%d lines were made", n)
			}
		})
	}
}

// Where a proxy forbids WebSockets plain requests carry the same; where nobody reads at all, or
// in another version, the page reads, and says why.
func TestLineForbidden(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 3000)})
	noSockets := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") != "" {
				http.Error(w, "no", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	nothing := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/data/near") {
				http.NotFound(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	breaks := func(next http.Handler) http.Handler { // each line, with the first word after the greeting
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") == "" {
				next.ServeHTTP(w, r)
				return
			}
			c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
			if err != nil {
				return
			}
			defer c.CloseNow()
			_, greeting, err := c.Read(r.Context())
			if err == nil {
				err = c.Write(r.Context(), websocket.MessageText, append(greeting, "the node"...))
			}
			if err == nil {
				c.Read(r.Context())
			}
		})
	}
	older := func(next http.Handler) http.Handler { // the page's program has another name
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/assets/older.wasm" {
				r.URL.Path = "/assets/" + assets.Program(browsertest.Dist(t))
			}
			if r.URL.Path != "/" {
				next.ServeHTTP(w, r)
				return
			}
			got := httptest.NewRecorder()
			r.Header.Del("Accept-Encoding")
			next.ServeHTTP(got, r)
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, strings.Replace(got.Body.String(), assets.Program(browsertest.Dist(t)), "older.wasm", -1))
		})
	}
	// A line that was begun before the program is greeted, and its end is told in the very moment in which the
	// program takes it over.
	ends := `{
		const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onclose"), begun = new Map();
		Object.defineProperty(WebSocket.prototype, "onclose", {...own, set(f) {
			if (begun.has(this)) {
				own.set.call(this, f);
				if (f && begun.get(this)) queueMicrotask(() => f.call(this));
				return;
			}
			begun.set(this, false);
			this.addEventListener("message", () => begun.set(this, true));
		}});
	}`
	for _, c := range []struct {
		name   string
		around func(http.Handler) http.Handler
		before string // a script
		reader string
		note   string
	}{
		{"no WebSockets", noSockets, "", "the node", ""},
		{"WebSockets that break", breaks, "", "the node", ""},
		{"nobody reads", nothing, "", "", "the server does not read the files"},
		{"another version", older, "", "", "of another version than this page"},
		{"another version, taken over late", older, ends, "", "of another version than this page"},
		{"a browser that cannot inflate", noSockets, "delete globalThis.DecompressionStream;", "", "this browser cannot inflate what the server would send"},
	} {
		for _, kind := range browsertest.Kinds {
			t.Run(c.name+" in "+string(kind), func(t *testing.T) {
				h := serveNear(t, l.dir, api.Page{NearAlways: true}, c.around)
				v := start(t, kind)
				for _, text := range []string{"Failed to load resource", "WebSocket", "can’t establish", "interrupted", "404", "403", "409"} {
					v.Allow(text)
				}
				if c.before != "" {
					v.Before(c.before)
				}
				v.Open(h.URL)
				v.Wait(`window.tensorbored && tensorbored.status().phase === "exact"`)
				equal(t, v.all(), l.want)
				var s struct{ Reader, Note string }
				v.Eval(`tensorbored.status()`, &s)
				if s.Reader != c.reader || !strings.Contains(s.Note, c.note) || (c.note == "") != (s.Note == "") {
					t.Errorf("%+v", s)
				}
				if s.Note != "" {
					v.Wait(fmt.Sprintf(`document.querySelector("footer").innerText.includes(%q)`, c.note))
				}
			})
		}
	}
}

// By itself the page has large logs read by the server, and those behind a line that takes its
// time, and small ones never.
func TestReadsWhereItIsQuick(t *testing.T) {
	t.Parallel()
	small := newLogs(t)
	small.run("r", map[string][]point{"x": curve(1, 0, 30)})
	large := newLogs(t)
	large.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for step := range int64(10) {
			if err := w.Text("long", strings.Repeat("x", 1<<20), step); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, c := range []struct {
		name   string
		logs   *logs
		far    bool
		reader string
	}{
		{"small, here", small, false, ""}, {"small, far", small, true, ""}, {"middling, here", large, false, ""}, {"middling, far", large, true, "the node"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := serveNear(t, c.logs.dir, api.Page{}, nil)
			url := h.URL
			if c.far {
				url = browsertest.NewLink(t, h.URL, 20e6, 60*time.Millisecond).URL
			}
			v := start(t, browsertest.Chromium)
			// How long a busy machine takes says nothing of its line.
			if !c.far {
				v.Before(`performance.getEntriesByType = () => [{transferSize: 300, requestStart: 1, responseStart: 2, responseEnd: 3}]`)
			}
			v.Open(url)
			v.Wait(`window.tensorbored && tensorbored.status().phase === "exact"`)
			var reader string
			if v.Eval(`tensorbored.status().reader ?? ""`, &reader); reader != c.reader {
				t.Errorf("read on %q", reader)
			}
			if asked := slices.ContainsFunc(h.paths(), func(p string) bool { return p == "/data/near" }); asked != (c.reader != "") {
				t.Errorf("asked: %v", asked)
			}
			if t.Failed() {
				var seen string
				v.Eval(`JSON.stringify(["navigation", "resource"].flatMap((k) => performance.getEntriesByType(k)).map((e) => [e.name, e.requestStart, e.responseStart, e.responseEnd, e.transferSize, e.encodedBodySize]))`, &seen)
				t.Logf("the answers were %s", seen)
			}
		})
	}
	v := start(t, browsertest.Chromium)
	v.Open(serve(t, small.dir).URL)
	v.Wait(`window.tensorbored`)
	var far []bool
	v.Eval(`[1e6, 513e6].map((n) => tbBoot.far(n))`, &far)
	if !slices.Equal(far, []bool{false, true}) {
		t.Errorf("%v", far)
	}
	// The page's own answer, and the program, as [when it began, when it was there] after it was asked
	// for: beside the page, where only to compile takes long; near, on a slow line, and on a quick one;
	// far, with a worker's script, of which the browser does not know when it began, before it came and after.
	for entries, want := range map[string]bool{
		`[[0.4, 1], [5, 220]]`: false, `[[3, 4], [5, 220]]`: true, `[[3, 4], [5, 90]]`: false, `[[30, 31], [0, -60, 1], [31, 120]]`: true,
		`[[30, 31], [0, 60, 1], [31, 120]]`: true,
	} {
		var got bool
		v.Eval(`(performance.getEntriesByType = (kind) => kind === "navigation" ? [] : `+entries+`.map(([from, to, worker]) =>
			({name: worker ? String(tbBoot.workerURL) : "", transferSize: 2e6, encodedBodySize: 1.9e6 * (to - from > 9), requestStart: 1, responseStart: 1 + from, responseEnd: 1 + to})), tbBoot.far(18e6))`, &got)
		if got != want {
			t.Errorf("with %s the server reads: %v", entries, got)
		}
	}
}

// Finished runs with a digest beside them open in a browser without being read, and every point
// is there when it is wanted.
func TestDigestInBrowser(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	size := int64(0)
	for i := range 3 {
		path := l.run(fmt.Sprint("run", i), map[string][]point{"loss": curve(i, 0, 20_000)})
		size += int64(len(l.read(path)))
	}
	if out, err := exec.Command(browsertest.Binary(t), "index", l.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := serve(t, l.dir)
			v := start(t, kind)
			v.Open(h.URL)
			v.Wait(`window.tensorbored && tensorbored.status().phase === "exact" && tensorbored.status().points === 60000`)
			var kept int64
			v.Eval(`tensorbored.status().kept`, &kept)
			if sent := h.sent(); kept > 30_000 || sent > size/3 {
				t.Errorf("%d points are kept, %d bytes of %d were sent", kept, sent, size)
			}
			v.Eval(`void (async () => {
				const r = await tensorbored.ask({kind: "scalars", runs: ["run1"], tags: ["loss"], body: {x: "step", x0: 10000, x1: 10050}});
				globalThis.zoomed = r.chunks[0].parts[0].n;
			})()`, nil)
			v.Wait(`zoomed >= 51`)
		})
	}
}
