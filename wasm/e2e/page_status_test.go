//go:build !js

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/damage"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A logdir that has runs is never said to have none, however fast it is read and
// however long the list of runs takes: here that is far behind the status.
func TestPageOpens(t *testing.T) {
	t.Parallel()
	s := &screen{view: start(t, browsertest.Chromium), host: serve(t, pins(t).dir)}
	s.url = s.host.URL
	s.Resize(1600, 1000)
	s.Before(`{
		const wait = globalThis.setTimeout;
		globalThis.setTimeout = (f, ms, ...rest) => wait(f, ms > 155 && ms <= 250 ? 2000 : ms, ...rest);
		globalThis.tbHeadings = new Set();
		new MutationObserver(() => {
			for (const e of document.querySelectorAll("h2")) if (e.checkVisibility()) tbHeadings.add(e.innerText);
		}).observe(document, {subtree: true, childList: true, attributes: true});
	}`)
	for range 3 { // the next times from the cache
		s.leave()
		s.Open(s.url)
		s.rests()
		s.cards(first...)
		var said []string
		if s.Eval(`[...tbHeadings]`, &said); !slices.Contains(said, "Settings") || slices.ContainsFunc(said, func(h string) bool { return strings.HasPrefix(h, "No ") }) {
			t.Errorf("the page has said %q", said)
		}
	}
}

// The status line while files are read and afterwards, and the losses.
func TestPageStatus(t *testing.T) {
	t.Parallel()
	l := pins(t)
	path := l.path("beta", "1700000000.host.1.0")
	b := l.read(path)
	recs := damage.Records(b)
	l.put(path, damage.BadPayload(b, 20))
	s := &screen{view: start(t, browsertest.Chromium), host: serve(t, l.dir)}
	s.url = s.host.URL
	open, well := make(chan struct{}), s.host.handler
	var once sync.Once
	goOn := func() { once.Do(func() { close(open) }) }
	t.Cleanup(goOn)
	s.host.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/data/batch" || strings.HasPrefix(r.URL.Path, "/data/files/") {
			<-open
		}
		well.ServeHTTP(w, r)
	})
	s.Resize(1600, 1000)
	s.Open(s.url)
	status := s.Control("contentinfo", "*")
	status.Is(`/^Reading 6 runs · 0(\.0)? of 64\.6 KB/.test(tbUser.text(e))`)
	s.Control("progressbar", "Reading").Is(`e.ariaValueNow === "0"`)
	s.Control("button", "1 problem in the files").Gone()
	goOn()
	s.rests()
	s.Control("progressbar", "Reading").Gone()
	status.Is(`tbUser.text(e).startsWith("logs · 6 runs · 6 files · 64.6 KB · 1,373 points")`)
	status.Is(`tbUser.text(e).endsWith("nothing leaves this browser")`)
	s.Wait(`document.title === "logs · tensorbored"`)

	// What was lost: where, and what to do.
	s.Control("button", "1 problem in the files").Click()
	dialog := s.Control("dialog", "What could not be read")
	var rows [][]string
	dialog.Control("table", "*").Get(`[...e.rows].map(r => [...r.cells].map(c => c.innerText))`, &rows)
	if len(rows) != 2 || fmt.Sprint(rows[0]) != "[Run File From byte Bytes What Times What to do]" {
		t.Fatalf("the table is %q", rows)
	}
	want := []string{"beta", "beta/" + filepath.Base(path), commas(recs[20].Offset), commas(recs[20].Size)}
	if got := rows[1]; fmt.Sprint(got[:4]) != fmt.Sprint(want) || got[4] == "" || got[5] != "1" || got[6] == "" {
		t.Errorf("the loss is %q, want %q", got, want)
	}
	s.said(`document.querySelector("dialog[open]")`, "losses")
	dialog.Control("button", "Close").Click()
	dialog.Gone()
	s.Control("button", "1 problem in the files").Wait()

	// More are counted as they come.
	other := l.path("alpha", "1700000000.host.1.0")
	bad := more("late/x", 1, 0, 3)
	l.add(other, damage.BadPayload(bad, 1))
	s.Control("button", "Reload*").Click()
	s.Control("button", "2 problems in the files").Click()
	dialog.Control("cell", "alpha").Wait()
	s.Press("Escape")
	dialog.Gone()

	// The server ends: what was read stays, and one line says so.
	s.Allow("ERR_")
	s.host.stop()
	s.Control("button", "Reload*").Click()
	s.Control("heading", "New data cannot be read").Wait()
	s.cards(append([]string{"flat/level", "late/x"}, first[1:]...)...)
	s.host.start()
	s.Control("button", "Reload*").Click()
	s.Control("heading", "New data cannot be read").Gone()
}

// A server that answers 503 is said to have answered that, one that does not answer not to
// answer; neither in a browser's words.
func TestPageServerAnswers(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"x": curve(1, 0, 5)})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := look(t, kind, l.dir)
			s.cards("x")
			var busy atomic.Bool
			well := s.host.handler
			s.host.stop()
			s.host.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if busy.Load() && strings.HasPrefix(r.URL.Path, "/data/") {
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				well.ServeHTTP(w, r)
			})
			s.Allow("ERR_")
			s.Allow("503")
			// said waits until the notice matches one pattern, and looks that it does not the other.
			said := func(want, not string) {
				t.Helper()
				s.Control("button", "Reload*").Click()
				s.Control("heading", "New data cannot be read").Wait()
				s.Wait(`/` + want + `/i.test(document.body.innerText)`)
				s.Control("main", "*").Is(`!/` + not + `|TypeError|NetworkError|Failed to fetch/i.test(document.body.innerText)`)
			}
			said("the server does not answer", "answered")
			busy.Store(true)
			s.host.start()
			said("the server answered 503", "not answer|no answer")
			busy.Store(false)
			s.Control("button", "Reload*").Click()
			s.Control("heading", "New data cannot be read").Gone()
		})
	}
}

func commas(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// What stands where cards would be: an invitation, a logdir without event files, one
// without scalars, one that is waited for.
func TestPageEmpty(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, "")
	s.Control("heading", "Drop a log folder here").Wait()
	s.Control("button", "Choose folder").Wait()
	s.Control("button", "Open").Wait()
	s.Control("contentinfo", "*").Is(`tbUser.text(e).startsWith("No logdir is open")`)
	for _, name := range []string{"live", "Reload", "Run list", "Settings"} {
		s.Control("button", name).Gone()
	}
	s.Control("complementary", "Runs").Gone()
	s.Wait(`document.title === "tensorbored"`)

	// Something else than logs; then logs, dropped on the page.
	pictures := named(t, "pictures")
	pictures.put(filepath.Join(pictures.dir, "a.jpg"), []byte("picture"))
	at := s.Control("main", "*").Box().Middle()
	s.HoldFiles(at, pictures.dir)
	s.Wait(`document.body.innerText.includes("Drop to open")`)
	s.Drop("body", pictures.dir)
	s.Control("heading", "No event files here").Wait()
	s.Wait(`!document.body.innerText.includes("Drop to open")`)
	s.Control("main", "*").Is(`e.innerText.includes("1 file") && /symbolic links/i.test(e.innerText)`)
	for _, width := range []int{1280, 1000, 600} {
		s.Resize(width, 900)
		s.Control("main", "*").Is(`e.getBoundingClientRect().left === 0 && e.getBoundingClientRect().right === innerWidth`)
	}
	s.Resize(1280, 900)
	s.Drop("body", pins(t).dir)
	s.rests()
	s.cards(first...)
	s.list(on()...)
	s.Control("heading", "No event files here").Gone()
	s.draws("flat/level", linear, want{"alpha", 50, 2, false}, want{"solo/x", 50, 12, false})

	// A logdir whose runs have no scalars, and one that is still empty.
	words := named(t, "words")
	words.put(words.path("r", "1700000000.host.1.0"), bytesOf(epoch, silent))
	s.Drop("body", words.dir)
	s.Control("heading", "No scalars in this logdir").Wait()
	s.shown("1 of 1 run shown")

	// What is there and no dashboard shows is named, beside what is shown, and alone.
	graphs := named(t, "graphs")
	graphs.put(graphs.path("r", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		write(w, map[string][]point{"loss": curve(1, 0, 5)})
		for i := range int64(2) {
			w.Raw(summary.Event{WallTime: 1, Step: i, GraphDef: []byte{0x22, 0}})
			w.Raw(summary.Event{WallTime: 1, Step: i, Values: []summary.Value{summary.TensorValue("bunny", summary.FloatTensor([]int64{1}, 1), summary.Metadata{Plugin: "profile"})}})
		}
	}))
	graphs.put(filepath.Join(graphs.dir, "r", "projector_config.pbtxt"), []byte("embeddings {}"))
	s.Drop("body", graphs.dir)
	s.cards("loss")
	s.Control("button", "2 profiles: not shown yet").Click()
	dialog := s.Control("dialog", "What is there and not shown yet")
	dialog.Control("table", "*").Is(`JSON.stringify([...e.rows].map(r => r.innerText)) === ` + quote(`["What\tTag or file\tRun","2 profiles\tbunny\tr"]`))
	s.Press("Escape")
	s.choose("bunny prof", "bunny in r")
	dialog.Wait()
	s.Press("Escape")
	alone := named(t, "alone")
	alone.put(filepath.Join(alone.dir, "emb", "projector_config.pbtxt"), []byte("embeddings {}"))
	alone.put(filepath.Join(alone.dir, "emb", "tensors.tsv"), []byte("1\t2\n"))
	s.Drop("body", alone.dir)
	s.Control("heading", "No event files in alone").Wait()
	s.Control("button", "Show them in the projector").Click()
	s.Control("button", "Projector").Is(`!e.classList.contains("inactive")`)
	s.Control("heading", "No event files in alone").Gone()
	s.Control("region", "Projector").Wait()
	s.Control("button", "Time series").Click()
	s.Control("heading", "No event files in alone").Wait()

	// Event files that are something else are not said to have been read.
	pointers := named(t, "pointers")
	for _, run := range []string{"a", "b"} {
		pointers.put(pointers.path(run, "1700000000.host.1.0"), []byte("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"))
	}
	s.Drop("body", pointers.dir)
	s.Control("heading", "Nothing in pointers could be read").Wait()
	s.Control("main", "*").Is(`e.innerText.includes("2 files: a Git LFS pointer in the place of an event file") && e.innerText.includes("run git lfs pull")`)
	s.Control("contentinfo", "*").Is(`tbUser.text(e).startsWith("Nothing could be read")`)
	s.Control("button", "Reload").Wait() // and nothing says when all was read
	s.Control("button", "What could not be read").Click()
	s.Control("dialog", "What could not be read").Control("table", "*").Wait()
	s.Press("Escape")

	empty := newLogs(t)
	host := serve(t, empty.dir)
	s.Open(host.URL)
	s.Control("heading", "No event files here").Wait()
	s.Control("button", "live").Wait() // it answers
	empty.run("first", map[string][]point{"x": curve(1, 0, 5)})
	s.Control("button", "Reload*").Click()
	s.cards("x")

	// One that is not there.
	s.Allow("404")
	s.Open(host.URL + "?logdir=nowhere/listing.json")
	s.Control("main", "*").Is(`e.innerText.trim() !== ""`)
	if err := os.RemoveAll(empty.dir); err != nil {
		t.Fatal(err)
	}
}
