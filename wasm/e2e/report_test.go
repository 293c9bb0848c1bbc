//go:build !js

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// makeReport writes a report and returns its address on disk.
func makeReport(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "A study & more.html")
	if b, err := exec.Command(browsertest.Binary(t), append([]string{"report", out}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return "file://" + filepath.ToSlash(out)
}

// A report opens from disk, with curves and texts, in any browser, and asks nobody for
// anything.
func TestReport(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a/train", map[string][]point{"loss": curve(1, 0, 300), "acc": curve(2, 0, 300)})
	l.file("b <i>odd</i> #1", "1700000000.host.1.0", func(w *summary.Buffer) {
		write(w, map[string][]point{"loss": curve(3, 0, 50)})
		if err := w.Text("notes", "# A heading\n\n<script>alert(1)</script>", 7); err != nil {
			t.Fatal(err)
		}
		w.Raw(summary.Event{WallTime: epoch, GraphDef: nodeDef(nodeDef(nil, "in", "Placeholder"), "the end", "Relu", "in")})
	})
	l.expect("b <i>odd</i> #1", "loss", curve(3, 0, 50)...)
	beside := func(name, text string) { l.put(filepath.Join(l.dir, "a/train", name), []byte(text)) }
	beside("projector_config.pbtxt", `embeddings { tensor_name: "words:00010" tensor_path: "t.tsv" metadata_path: "m.tsv" }`)
	beside("t.tsv", string(vectors(30, 0)))
	beside("m.tsv", strings.Repeat("a <b>word</b>\n", 30))
	words := filepath.Join(t.TempDir(), "words.md")
	if err := os.WriteFile(words, []byte("# What is in it\n\n[The notes](#text)"), 0o666); err != nil {
		t.Fatal(err)
	}
	url := makeReport(t, "--logdir", l.dir, "--points", "0", "--introduction", words)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, url)
			equal(t, v.all(), l.want)
			if st := v.status(); st.Logdir != "A study & more" || st.Error != "" || len(st.Lost) > 0 {
				t.Errorf("status %+v", st)
			}
			v.Wait(`document.title.startsWith("A study & more") || document.title.includes("tensorbored")`)
			v.Wait(`document.querySelector(".status").textContent.includes("points")`)
			v.Wait(`document.querySelector(".intro h1")?.textContent === "What is in it"`)
			v.Eval(`document.querySelector(".intro a").click()`, nil)
			v.Wait(`location.hash.startsWith("#text&introductions=")`)
			v.Wait(`[...document.querySelectorAll("h1")].some((h) => h.textContent === "A heading")`)
			v.Eval(`void (location.hash = "#graphs")`, nil)
			v.Wait(`[...document.querySelectorAll(".gr-node > text")].some((e) => e.textContent === "the end")`)
			v.Eval(`void (location.hash = "#projector")`, nil)
			v.Wait(`document.querySelector(".pj-pane[data-points='30'][data-moving='false']")?.tbPane.label(7) === "a <b>word</b>"`)
			// Nothing new comes to it.
			var live bool
			if v.Eval(`document.querySelector("button.live").checkVisibility()`, &live); live {
				t.Error("it says whether it is live")
			}
			var urls []string
			v.Eval(`performance.getEntriesByType("resource").map((e) => e.name).filter((u) => !u.startsWith("blob:"))`, &urls)
			if len(urls) > 0 {
				t.Errorf("it loaded %q", urls)
			}
			v.Allow("connect-src")
			v.Allow("default-src")
			v.Allow("violates")
			v.Allow("blocked")
			if err := v.TryEval(`fetch("http://127.0.0.1:9/")`, nil); err == nil {
				t.Error("it may ask for something")
			}
		})
	}
}

// A report has what was chosen, thinned, and one that is damaged says so.
func TestReportChosen(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 3 {
		l.run(fmt.Sprint("run", i), map[string][]point{"loss": curve(i, 0, 20_000), "acc": curve(i, 0, 10)})
	}
	url := makeReport(t, "--logdir", l.dir, "--run", "run[02]", "--run", "/run[02]/", "--tag", "l*", "--points", "500")
	// What shows graphs, 1.4 MB, is not in a report without any.
	if text, err := os.ReadFile(filepath.FromSlash(strings.TrimPrefix(url, "file://"))); err != nil || strings.Contains(string(text), `data-lazy-part="graph`) {
		t.Errorf("it holds what graphs need, or %v", err)
	}
	v := open(t, browsertest.Chromium, url)
	v.Wait(`!document.body.innerText.includes("Opening")`)
	var got map[string]map[string]struct{ Points, Kept int }
	v.Eval(`tensorbored.tags("scalars")`, &got)
	if len(got) != 2 || len(got["run0"]) != 1 || got["run2"]["loss"].Points > 700 || got["run2"]["loss"].Points < 100 {
		t.Errorf("it has %+v", got)
	}
	path := url[len("file://"):]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 8<<20 {
		t.Errorf("%d bytes", len(text))
	}
	if err := os.WriteFile(path, text[:len(text)/3], 0o666); err != nil {
		t.Fatal(err)
	}
	v = start(t, browsertest.Chromium)
	v.Open(url)
	v.Wait(`document.body.innerText.includes("the file is not whole")`)
}
