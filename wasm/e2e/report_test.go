//go:build !js

package e2e

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/static/reporttest"
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

// asksNobody says that the page may not ask anybody for anything.
func (v view) asksNobody() {
	v.t.Helper()
	v.Allow("connect-src")
	v.Allow("default-src")
	v.Allow("violates")
	v.Allow("blocked")
	if err := v.TryEval(`fetch("http://127.0.0.1:9/")`, nil); err == nil {
		v.t.Error("it may ask for something")
	}
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
			v.asksNobody()
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

// The page makes such a report of what it shows, by itself: with every point, the values of every
// kind, the files beside, and the view; and it tells of nothing else.
func TestPageReport(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("a/train", map[string][]point{"loss": append(curve(1, 0, 300), at(300, epoch+900, math.NaN()), at(301, epoch+901, math.Inf(-1)), at(302, epoch+902, 0)), "acc": curve(2, 0, 300)})
	l.put(filepath.Join(l.dir, "a/train/hparams.yaml"), []byte("depth: 7\n"))
	l.file("b <i>odd</i> #1", "1700000000.host.1.0", func(w *summary.Buffer) {
		write(w, map[string][]point{"loss": curve(3, 0, 50)})
		for i := range int64(30) {
			if err := w.Text("notes", fmt.Sprintf("# Heading %d\n\n<script>alert(1)</script>", i), i); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "Both", Charts: []summary.Chart{
			{Title: "Kept chart", Lines: []string{"loss", "secret1/tag"}}, {Title: "Its margin", Margins: []summary.Margin{{Value: "acc", Lower: "loss", Upper: "acc"}}}}}}}); err != nil {
			t.Fatal(err)
		}
		wide, _ := summary.ScalarTensor(summary.Float64, 1.1)
		w.Raw(summary.Event{WallTime: epoch + 0.25, Step: -7, Values: []summary.Value{summary.TensorValue("wide", wide, summary.Metadata{Plugin: "scalars", DisplayName: "Wide", Description: "of eight bytes"})}})
		w.Raw(summary.Event{WallTime: epoch, GraphDef: nodeDef(nodeDef(nil, "in", "Placeholder"), "the end", "Relu", "in")})
	})
	l.expect("b <i>odd</i> #1", "loss", curve(3, 0, 50)...)
	l.expect("b <i>odd</i> #1", "wide", at(-7, epoch+0.25, 1.1))
	l.run("secret2", map[string][]point{"secret1/tag": curve(4, 0, 10), "loss": curve(5, 0, 10)})
	delete(l.want, "secret2")
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			save := func() string { // Firefox cannot be told where to
				var text string
				s.Wait(`tbPaint.report`)
				s.Eval(`tbPaint.report`, &text)
				return text
			}
			if kind == browsertest.Chromium {
				dir := s.Downloads()
				save = func() string { return s.saved(dir, "Study _7_ & more.html") }
			}
			s.fresh("#timeseries&runs=a/train,b%20%3Ci%3Eodd%3C/i%3E%20%231&names=secret2:secret3&introductions=timeseries:%23%20Words,text:of%20secret2&smoothing=0.25")
			s.Control("article", "loss").Wait()
			if kind != browsertest.Chromium {
				s.Eval(`void (tbPaint.save = (name, blob) => { blob.text().then((text) => { tbPaint.report = text; }); })`, nil)
			}
			s.choose("save a report", "Save a report…")
			dialog := s.Control("dialog", "Save a report")
			dialog.Is(`e.innerText.includes("the shown runs (2)")`)
			dialog.Control("textbox", "Name of the report").Fill("Study <7> & more")
			dialog.Control("spinbutton", "Points of a curve").Fill("0")
			dialog.Control("spinbutton", "Images, histograms, texts of a tag").Fill("3")
			dialog.Control("button", "Save").Click()
			dialog.Gone()
			s.Control("status", "Report saved,*").Is(`e.innerText.includes("; an introduction that names a run or tag that is not shown is left out")`)
			page := save()
			all := reporttest.Unpacked(t, []byte(page))
			for _, name := range []string{"secret1", "secret2", "secret3"} {
				if i := strings.Index(all, name); i >= 0 {
					t.Errorf("it tells of %s: …%q…", name, all[max(0, i-60):min(len(all), i+60)])
				}
			}
			path := filepath.Join(t.TempDir(), "r.html")
			l.put(path, []byte(page))

			v := open(t, kind, "file://"+filepath.ToSlash(path))
			equal(t, v.all(), l.want)
			if st := v.status(); st.Logdir != "Study <7> & more" || st.Error != "" || len(st.Lost) > 0 {
				t.Errorf("status %+v", st)
			}
			if got := v.tags("scalars")["b <i>odd</i> #1"]["wide"]; got.DisplayName != "Wide" || !strings.Contains(got.Description, "of eight bytes") {
				t.Errorf("the tag says of itself %+v", got)
			}
			v.Wait(`document.querySelector(".intro h1")?.textContent === "Words"`)
			v.Wait(`document.querySelector("[aria-label='Smoothing weight']").value === "0.25"`)
			// Three of thirty, the first and the last among them, each as it was logged.
			v.Wait(`(async () => {
				const { chunks } = await tensorbored.ask({kind: "text", runs: ["b <i>odd</i> #1"], tags: ["notes"], body: {from: 0, n: 9}});
				return JSON.stringify(chunks.flatMap((c) => c.parts).map((p) => [p.steps, p.items.map((i) => i.texts[0].slice(0, 12).trim())]));
			})().then((got) => { globalThis.texts = got; }), globalThis.texts === '[[[0,15,29],["# Heading 0","# Heading 15","# Heading 29"]]]'`)
			v.Eval(`void (location.hash = "#custom_scalars")`, nil)
			v.Wait(`[...document.querySelectorAll("article")].map((e) => e.ariaLabel).join() === "Kept chart,Its margin"`)
			v.Eval(`void (location.hash = "#graphs")`, nil)
			v.Wait(`[...document.querySelectorAll(".gr-node > text")].some((e) => e.textContent === "the end")`)
			v.Eval(`void (location.hash = "#hparams")`, nil)
			v.Wait(`document.querySelector(".hparams")?.innerText.includes("depth")`)
			v.asksNobody()
		})
	}
}

// A report from the page is thinned, and of what the filter lets through and pins; what shows
// nothing makes none.
func TestPageReportChosen(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("run", map[string][]point{"loss": curve(1, 0, 20_000), "acc": curve(2, 0, 10), "other": curve(3, 0, 10)})
	s := come(t, browsertest.Chromium, l.dir)
	dir := s.Downloads()
	s.fresh("#timeseries&tagFilter=loss&pins=%3D%7Bacc%7D*2")
	s.Control("article", "loss").Wait()

	// One that is given up is not saved, and another one can be made.
	s.Eval(`void (() => {
		const { tags } = tensorbored;
		tensorbored.tags = () => new Promise((go) => { window.goOn = go; }).then(() => (tensorbored.tags = tags).call(tensorbored));
	})()`, nil)
	s.menu("Profile").Control("button", "Save a report…").Click()
	dialog := s.Control("dialog", "Save a report")
	dialog.Control("button", "Save").Click()
	s.Wait(`window.goOn`)
	s.Control("button", "Cancel").Click()
	s.Eval(`void goOn()`, nil)
	s.Control("status", "Report given up: nothing was saved*").Wait()
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("one that was given up is saved as %v", list)
	}

	s.menu("Profile").Control("button", "Save a report…").Click()
	dialog.Control("spinbutton", "Points of a curve").Fill("500")
	dialog.Control("button", "Save").Click()
	path := filepath.Join(t.TempDir(), "r.html")
	page := s.saved(dir, filepath.Base(l.dir)+".html")
	l.put(path, []byte(page))
	if strings.Contains(page, `data-lazy-part="graph`) || strings.Contains(page, `data-lazy-part="mesh`) || strings.Contains(page, `data-lazy-part="report`) {
		t.Error("it holds what it does not need")
	}
	v := open(t, browsertest.Chromium, "file://"+filepath.ToSlash(path))
	got := v.all()["run"]
	if n := len(got["loss"]); n < 400 || n > 700 || len(got["acc"]) != 10 || len(got) != 2 {
		t.Errorf("%d points, and %d tags", len(got["loss"]), len(got))
	}
	whole := curve(1, 0, 20_000)
	if first, last := got["loss"][0], got["loss"][len(got["loss"])-1]; first != whole[0] || last != whole[len(whole)-1] {
		t.Errorf("from %v to %v", first, last)
	}
	least, greatest := slices.MinFunc(whole, byValue), slices.MaxFunc(whole, byValue)
	if !slices.Contains(got["loss"], least) || !slices.Contains(got["loss"], greatest) {
		t.Error("the least or the greatest is missing")
	}
	v.Press("k", "Control") // of a report none is made
	v.Control("combobox", "Find commands, tags, runs, settings").Focused()
	v.Type("save a report")
	v.Press("Enter")
	v.Control("status", "A report is made of logs that are open on a page of a web server").Wait()

	s.fresh("#timeseries&tagFilter=none%20of%20them")
	s.choose("save a report", "Save a report…")
	dialog.Control("button", "Save").Click()
	s.Control("status", "Report was not saved: there is nothing to put into it: show runs, or clear the filter of tags*").Wait()
}

func byValue(a, b point) int { return cmp.Compare(a[2], b[2]) }
