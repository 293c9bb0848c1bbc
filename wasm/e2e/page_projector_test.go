//go:build !js

package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// vectors is a TSV of n points in three clusters of five dimensions, row i in cluster i%3; the first
// stands alone.
func vectors(n, turn int) []byte {
	var b bytes.Buffer
	for i := range n {
		for d := range 5 {
			v := float64((i*7+d*3+turn)%11) / 40
			if d == i%3 {
				v += 4
			}
			if i == 0 && d == 0 {
				v += 0.7
			}
			if d > 0 {
				b.WriteByte('\t')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// tensorLogs is a run with tensors: two steps of one that have metadata and images, and one with
// as much wrong as can be.
func tensorLogs(t *testing.T) *logs {
	t.Helper()
	l := named(t, "words")
	l.run("r", map[string][]point{"x": curve(1, 0, 5)})
	at := func(name string) string { return filepath.Join(l.dir, "r", name) }
	l.put(at("projector_config.pbtxt"), []byte(`
embeddings { tensor_name: "words:00010" tensor_path: "a.tsv" metadata_path: "m.tsv" sprite { image_path: "s.png" single_image_dim: 4 single_image_dim: 4 } }
embeddings { tensor_name: "words:00020" tensor_path: "b.tsv" metadata_path: "m.tsv" }
embeddings { tensor_name: "bad" tensor_path: "bad.tsv" metadata_path: "short.tsv" sprite { image_path: "s.png" single_image_dim: 16 single_image_dim: 16 } }
`))
	l.put(at("a.tsv"), vectors(60, 0))
	l.put(at("b.tsv"), vectors(60, 4))
	bad := strings.Split(string(vectors(12, 1)), "\n")
	bad[3] = "nan\t1\t2\t3\t4"
	l.put(at("bad.tsv"), []byte(strings.Join(bad, "\n")))
	l.put(at("short.tsv"), []byte("word\n<b>one</b>\ntwo\n"))
	var m bytes.Buffer
	m.WriteString("word\tkind\tscore\t__seq_next__\n")
	for i := range 60 {
		next := ""
		if i < 5 {
			next = fmt.Sprint(i + 1)
		}
		fmt.Fprintf(&m, "w%d\tkind %c\t%g\t%s\n", i, 'a'+i%3, float64(i)/7, next)
	}
	l.put(at("m.tsv"), m.Bytes())
	sheet := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range sheet.Pix {
		sheet.Pix[i] = 255
	}
	for i := range 64 {
		sheet.Set(i%8*4, i/8*4, color.Black)
	}
	var p bytes.Buffer
	if err := png.Encode(&p, sheet); err != nil {
		t.Fatal(err)
	}
	l.put(at("s.png"), p.Bytes())
	return l
}

// points waits until the projector shows so many points of its first tensor.
func (s *screen) points(n int) {
	s.t.Helper()
	s.Wait(fmt.Sprintf(`document.querySelector(".pj-pane[data-points='%d'][data-moving='false']")`, n))
}

// row is where a row of the first tensor is on the screen.
func (s *screen) row(n int) browsertest.Point {
	s.t.Helper()
	var at [2]float64
	s.Eval(fmt.Sprintf(`((e) => { const p = e.tbPane, xy = p.scene.place(), v = p.vertex[%d], b = p.scene.stage.getBoundingClientRect(); return [b.left + xy[v * 3], b.top + xy[v * 3 + 1]]; })(document.querySelector(".pj-pane[data-points]"))`, n), &at)
	return browsertest.Point{X: at[0], Y: at[1]}
}

// projects waits until the projector has selected, found, … so many points.
func (s *screen) projects(what string, n int) {
	s.t.Helper()
	s.Wait(fmt.Sprintf(`JSON.parse(document.querySelector("section.drawn").dataset.shown ?? "{}").%s === %d`, what, n))
}

// Tensors of runs are found, projected, searched, selected and compared; what is shown is in the
// address and kept.
func TestPageProjector(t *testing.T) {
	t.Parallel()
	l := tensorLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.fresh("#projector")
			side, status := s.Control("complementary", "Controls of the projector"), `document.querySelector(".pj-status").textContent`
			tensor := s.Control("combobox", "Tensor")
			s.points(60)
			tensor.Is(`[...e.options].map((o) => o.textContent).join().startsWith("r: words:00010, step 10,r: words:00020, step 20,r: bad")`)
			s.Wait(status + `.includes("PCA of 60 points")`)
			side.Is(`/What is seen explains (9\d|100)\.\d % of the variance/.test(e.innerText)`)

			// Other axes fit, as they do when the page is opened with them.
			const camera = `JSON.stringify(document.querySelector(".pj-pane").tbPane.scene.camera.get())`
			var first, fits, anew string
			s.Eval(camera, &first)
			alike := func() {
				t.Helper()
				s.Rest()
				s.Eval(camera, &fits)
				s.again()
				s.points(60)
				s.Until(func() string {
					if s.Eval(camera, &anew); anew != fits {
						return fmt.Sprintf("the camera is at %s, and when the page is opened anew at %s", fits, anew)
					}
					return ""
				})
			}
			axis := func(value string) {
				s.Control("combobox", "Component along X").Get(`(e.value = "`+value+`", e.dispatchEvent(new Event("change")))`, nil)
				s.Wait(`decodeURIComponent(location.hash).includes('"a":[` + value + `,1,2]')`)
				s.Rest()
			}
			axis("2")
			alike()
			axis("0")
			if s.Eval(camera, &anew); anew != first {
				t.Errorf("with the first axes the camera is at %s, not %s", anew, first)
			}
			// So it is in another window, but where the camera was moved.
			s.Resize(900, 1000)
			s.Until(func() string {
				if s.Eval(camera, &anew); anew == first {
					return "the camera looks as in a wider window"
				}
				return ""
			})
			alike()
			stage := s.Control("application", "Points of the tensor").Box()
			s.Drag(stage.Part(0.3, 0.5), stage.Part(0.6, 0.5))
			s.Wait(`decodeURIComponent(location.hash).includes('"v":')`)
			s.Rest()
			s.Eval(camera, &first)
			s.Resize(1600, 1000)
			s.Wait(`document.querySelector(".pj-pane canvas").clientWidth > 700`)
			s.Rest()
			if s.Eval(camera, &anew); anew != first {
				t.Errorf("the camera was at %s, and is in a wider window at %s", first, anew)
			}
			s.fresh("#projector")
			s.points(60)

			// Back and forward are shown in a field that has the focus, too.
			find := s.Control("searchbox", "Find points")
			find.Click()
			s.Type("w1")
			s.projects("hits", 11)
			s.Wait(`decodeURIComponent(location.hash).includes('"q":"w1"')`)
			s.Eval(`void setTimeout(() => history.back())`, nil)
			find.Value("")
			s.projects("hits", 0)
			s.Eval(`void setTimeout(() => history.forward())`, nil)
			find.Value("w1")
			s.projects("hits", 11)
			find.Focused()
			s.Eval(`void setTimeout(() => history.back())`, nil)
			s.projects("hits", 0)

			// A click selects a point, and lists the nearest of all dimensions.
			s.Control("button", "2-D").Click()
			s.Control("checkbox", "Images").Click()
			s.Wait(`document.querySelector(".pj-pane").tbPane.scene.camera.get().dims === 2`)
			s.Control("checkbox", "Sequences").Is(`e.checked && document.querySelector(".pj-pane").tbPane.joined === 5`)
			s.Hover(s.row(7))
			s.Wait(`document.querySelector(".pj-card:not([hidden])")?.innerText.includes("kind ")`)
			s.Hover(s.row(0)) // the first is a point like the others
			s.Wait(`document.querySelector(".pj-card:not([hidden])")?.innerText.includes("w0")`)
			// What is drawn before all others, larger: what was chosen and what is near it.
			s.Eval(`((scene, set) => { scene.set = (name, layer) => { if (name === "lit") globalThis.tbLit = layer; set(name, layer); }; })(document.querySelector(".pj-pane").tbPane.scene, document.querySelector(".pj-pane").tbPane.scene.set)`, nil)
			s.Click(s.row(7))
			s.Wait(`((lit) => lit?.front && lit.sizes.length === 60 && lit.sizes.filter((v) => v > 1.8).length === 1)(globalThis.tbLit)`)
			s.projects("near", 59)
			s.projects("selected", 1)
			s.Wait(`/^Selected: word w\d+, kind kind/.test(` + status + `)`)
			s.Wait(`((p) => { const c = p.column("kind"), of = (r) => c.text(r); return p.near.rows.slice(0, 19).every((r) => of(r) === of(Number(JSON.parse(decodeURIComponent(location.hash).match(/"s":(\[\d+\])/)[1])[0]))) && p.near.distances[0] <= p.near.distances[58]; })(document.querySelector(".pj-pane").tbPane)`)
			s.Control("spinbutton", "Neighbours").Fill("5")
			s.Press("Tab")
			s.projects("near", 5)
			// Beside each neighbour stands its own distance.
			side.Is(`((want) => want.length === 5 && want[0] !== want[4] && [...e.querySelectorAll("ul.pj-rows")].some(l => l.checkVisibility() && [...l.children].map(li => li.querySelector(".num")?.textContent).join() === want.join()))([...document.querySelector(".pj-pane").tbPane.near.distances].map(d => d.toPrecision(3)))`)
			s.Control("combobox", "Distance").Choose("Euclid")
			s.Wait(`decodeURIComponent(location.hash).includes('"e":"euclid"')`)
			s.Wait(`tbLit.sizes.length === 6`)
			s.Press("Escape")
			s.projects("selected", 0)
			s.Wait(`tbLit === null`)

			// Search: text in any column, an expression in one; what was found is selected, isolated.
			find.Fill("KIND B")
			s.projects("hits", 20)
			find.Fill("w1")
			s.projects("hits", 11)
			s.Control("combobox", "Search in").Choose("kind")
			s.projects("hits", 0)
			s.Control("combobox", "Search in").Choose("any column")
			s.projects("hits", 11)
			find.Fill("^w1.$")
			s.Control("checkbox", "Regular expression").Click()
			s.projects("hits", 10)
			find.Fill("(")
			s.projects("hits", 0)
			side.Is(`/\(/.test(e.querySelectorAll("[role=status]")[0].textContent)`)
			find.Fill("^w1.$")
			s.projects("hits", 10)
			s.Control("button", "Select them").Click()
			s.projects("selected", 10)
			s.Control("button", "Isolate").Click()
			s.projects("isolated", 10)
			drawn := func(n int) {
				s.Wait(fmt.Sprintf(`((at) => at.filter((x, i) => i %% 3 === 0 && x === x).length === %d)([...document.querySelector(".pj-pane").tbPane.scene.place()])`, n))
			}
			drawn(10)
			s.again()
			s.points(60)
			s.projects("isolated", 10)
			s.projects("hits", 10)
			s.Control("button", "Show all").Click()
			s.projects("isolated", 0)
			drawn(60)
			find.Fill("")
			s.projects("hits", 0)

			// A box around all, and a legend's category.
			b := s.Control("application", "Points of the tensor").Box()
			s.Drag(b.Part(0.02, 0.04), b.Part(0.98, 0.97), "Shift")
			s.projects("selected", 60)
			s.Control("combobox", "Colour by").Choose("kind (3 values)")
			s.Control("button", "kind c").Click()
			s.projects("selected", 20)

			// A number goes from one end of the scale to the other.
			s.Wait(`((p) => { const t = tbProjector.tints(p.column("score"), false, false), s = tbProjector.scale(false); return String(t.of(0)) === String(s(0)) && String(t.of(59)) === String(s(1)) && String(s(0)) !== String(s(1)); })(document.querySelector(".pj-pane").tbPane)`)
			s.said(`document.querySelector(".pj-side")`, "projector")

			// Another text for what is selected.
			s.Control("combobox", "Column to edit").Choose("kind")
			s.Control("textbox", "New value").Fill("new <i>")
			s.Control("button", "Set").Click()
			s.Control("button", "new <i>").Wait()

			// Two steps beside each other: the selection is linked, and the camera.
			s.Control("combobox", "Compare with").Choose("r: words:00020, step 20")
			s.Wait(`document.querySelectorAll(".pj-pane[data-marked='20']").length === 2`)
			s.Eval(`void document.querySelector(".pj-pane .scene").focus()`, nil)
			s.Press("ArrowRight")
			s.Wait(`((a) => a[0] !== 0 && a[0] === a[1])([...document.querySelectorAll(".pj-pane[data-points]")].map((e) => e.tbPane.scene.camera.get().target[0]))`)
			const cameras = `JSON.stringify([...document.querySelectorAll(".pj-pane[data-points]")].map((e) => e.tbPane.scene.camera.get()))`
			s.Eval(cameras, &first)
			s.Resize(1200, 1000)
			s.Wait(`innerWidth === 1200`)
			s.Rest()
			if s.Eval(cameras, &anew); anew != first {
				t.Errorf("the cameras were at %s, and are in another window at %s", first, anew)
			}
			s.Resize(1600, 1000)
			s.Control("combobox", "Compare with").Choose("Compare with…")
			s.Wait(`document.querySelectorAll(".pj-pane[data-points]").length === 1`)

			s.Control("combobox", "Method").Choose("t-SNE")
			s.Wait(status + `.startsWith("t-SNE of 60 points")`)

			// Told what belongs together, it brings that together, as much as it is told.
			apart := func(weight string) (ratio float64) {
				t.Helper()
				s.Control("spinbutton", "Iterations").Fill("150")
				s.Control("spinbutton", "Perplexity").Fill("19") // so all points are neighbours of each
				s.Control("combobox", "Supervise by").Choose("kind")
				s.Control("spinbutton", "Weight of supervision").Fill(weight)
				s.Eval(`void (globalThis.before = document.querySelector(".pj-pane").tbPane.now)`, nil)
				side.Control("button", "Run").Click()
				s.Wait(`((p) => !p.job && p.now !== before && p.now.method === "tsne" && p.now.step === 150)(document.querySelector(".pj-pane").tbPane)`)
				s.Eval(`((p) => {
					const c = p.column("kind"), d = p.now.dims, at = (v, k) => p.now.positions[v * d + k], sum = [0, 0], n = [0, 0];
					p.rows.forEach((r, v) => p.rows.forEach((q, w) => {
						if (w >= v) return;
						const same = Number(c.text(r) === c.text(q));
						sum[same] += Math.hypot(...Array.from({length: d}, (_, k) => at(v, k) - at(w, k)));
						n[same]++;
					}));
					return sum[1] / n[1] / (sum[0] / n[0]);
				})(document.querySelector(".pj-pane").tbPane)`, &ratio)
				return ratio
			}
			if free, told := apart("0"), apart("1"); told > 0.9*free {
				t.Errorf("points of one kind are %.2f times as far apart as others, and %.2f times with all the weight of supervision", free, told)
			} else {
				t.Logf("%.2f, told %.2f", free, told)
			}
			s.Control("combobox", "Supervise by").Choose("nothing")
			s.Control("spinbutton", "Perplexity").Fill("")

			// t-SNE goes on until it is stopped.
			s.Control("spinbutton", "Iterations").Fill("0")
			side.Control("button", "Run").Click()
			s.Control("button", "Pause").Click()
			s.Control("button", "Resume").Click()
			s.Control("button", "Stop").Click()
			side.Is(`/t-SNE of 60 points, stopped at iteration [\d,]+/.test(e.innerText)`)
			s.Control("combobox", "Method").Choose("UMAP")
			side.Is(`/UMAP of 60 points/.test(e.innerText)`)
			s.Eval(`void (globalThis.places = () => String(document.querySelector(".pj-pane").tbPane.scene.place()), globalThis.were = places())`, nil)
			s.Control("combobox", "Method").Choose("Custom axes")
			s.Control("combobox", "Column of the axes").Choose("kind")
			s.Control("textbox", "Left end of X").Fill("kind a")
			s.Control("textbox", "Right end of X").Fill("kind b")
			side.Control("button", "Run").Click()
			side.Is(`/Custom axes of 60 points/.test(e.innerText)`)
			s.Wait(`places() !== were`)
			s.Wait(`((p) => { const c = p.column("kind"), of = (k) => { let t = 0, n = 0; p.rows.forEach((r, v) => { if (c.text(r) === k) { t += p.now.positions[v * p.now.dims]; n++; } }); return t / n; }; return of("kind b") > of("kind a") + 1; })(document.querySelector(".pj-pane").tbPane)`)

			// A view is kept, and comes again.
			s.Eval(`[...document.querySelectorAll(".pj-side summary")].find((e) => e.innerText === "Bookmarks").click()`, nil)
			s.Control("combobox", "Label by").Choose("score")
			s.Control("textbox", "Name of the bookmark").Fill("my view")
			s.Control("button", "Keep this view").Click()
			s.Control("combobox", "Method").Choose("PCA")
			s.Wait(`document.querySelector(".pj-pane").tbPane.now.method === "pca"`)
			s.Control("button", "my view").Click()
			s.Wait(`document.querySelector(".pj-pane").tbPane.now.method === "custom"`)
			s.Control("button", "Keep this view").Click() // without a name
			s.Control("button", "View 2").Wait()

			// A projection that was stopped is named by the address, and kept by the browser: it is there at once
			// when the page is loaded anew.
			keeps := func() {
				s.Control("combobox", "Method").Choose("t-SNE")
				side.Is(`/Kept in this browser/.test(e.innerText)`)
				s.Wait(`/"kept":\d/.test(decodeURIComponent(location.hash))`)
				const stopped = `[...document.querySelector(".pj-pane").tbPane.now.positions].join()`
				var were, are string
				s.Eval(stopped, &were)
				s.again()
				s.points(60)
				side.Is(`/t-SNE of 60 points, stopped at iteration [\d,]+, .*Kept in this browser/.test(e.innerText)`)
				if s.Eval(stopped, &are); are != were {
					t.Error("the kept projection has other positions")
				}
			}
			if kind != browsertest.Chromium {
				keeps()
				return // only it can be told where files go
			}
			dir := s.Downloads()
			s.Control("button", "Files").Click()
			s.Control("menuitem", "Save the projection with metadata (TSV)").Click()
			if text := s.saved(dir, "custom.tsv"); strings.Count(text, "\n") != 61 || !strings.Contains(text, "w59\tnew <i>") {
				t.Errorf("the projection is %q", text)
			}
			for _, f := range [][3]string{
				{"Save the metadata (TSV)", "metadata.tsv", "word\tkind\tscore"},
				{"Save the tensor (TSV)", "tensor.tsv", strings.SplitAfter(string(vectors(60, 0)), "\n")[0]},
				{"Save a configuration (projector_config.pbtxt)", "projector_config.pbtxt", "embeddings {"},
			} {
				s.Control("button", "Files").Click()
				s.Control("menuitem", f[0]).Click()
				text := s.saved(dir, f[1])
				switch lines := strings.Count(text, "\n"); {
				case !strings.HasPrefix(text, f[2]):
					t.Errorf("%s gives %.120q, not %q …", f[0], text, f[2])
				case f[1] == "metadata.tsv" && (lines != 61 || !strings.Contains(text, "new <i>")), f[1] == "tensor.tsv" && lines != 60:
					t.Errorf("%s gives %d lines: %.120q", f[0], lines, text)
				case f[1] == "projector_config.pbtxt" && !(strings.Contains(text, `tensor_path: "tensor.tsv"`) && strings.Contains(text, `metadata_path: "metadata.tsv"`)):
					t.Errorf("the configuration is %q", text)
				}
			}
			s.Control("button", "Files").Click()
			s.Control("menuitem", "Save the picture (PNG)").Click()
			if c, err := png.DecodeConfig(strings.NewReader(s.saved(dir, "projector.png"))); err != nil || c.Width < 800 {
				t.Errorf("the picture: %v, %v", c, err)
			}
			s.Control("button", "Save").Click()
			if text := s.saved(dir, "state.txt"); !strings.Contains(text, `"label":"my view"`) || !strings.Contains(text, `"selectedProjection":"custom"`) || !strings.Contains(text, `"customXLeftText":"kind a"`) || !strings.Contains(text, `"selectedLabelOption":"score"`) {
				t.Errorf("the bookmarks are %q", text[:min(len(text), 400)])
			}

			keeps()

			// One of a few points is kept as one of these points.
			const few = `[...p.now.rows].join() === "10,11,12,13,14,15,16,17,18,19"`
			find.Fill("^w1.$")
			s.projects("hits", 10)
			s.Control("button", "Select them").Click()
			s.Control("button", "Isolate").Click()
			s.projects("isolated", 10)
			s.Control("spinbutton", "Iterations").Fill("0")
			side.Control("button", "Run on the isolated").Click()
			s.Wait(`((p) => p.job && p.now.method === "tsne" && p.now.rows.length === 10)(document.querySelector(".pj-pane").tbPane)`)
			s.Control("button", "Stop").Click()
			s.Wait(`((p) => !p.job && ` + few + `)(document.querySelector(".pj-pane").tbPane)`)
			side.Is(`/t-SNE of 10 of 60 points, stopped at iteration/.test(e.innerText)`)
			s.Wait(`/"kept":\d/.test(decodeURIComponent(location.hash))`)
			s.again()
			s.projects("isolated", 10)
			s.Wait(`((p) => p?.now?.method === "tsne" && ` + few + `)(document.querySelector(".pj-pane")?.tbPane)`)

			// A file as TensorBoard writes it: points isolated and selected, positions of t-SNE of those.
			peers := filepath.Join(t.TempDir(), "state.txt")
			l.put(peers, []byte(`[{"label":"theirs","isSelected":true,"selectedProjection":"tsne","dataSetDimensions":[3,5],"tSNEIteration":7,"tSNEPerplexity":4,"tSNEis3d":false,"filteredPoints":[5,9,20],"selectedPoints":[2],`+
				`"projections":[{"tsne-0":1,"tsne-1":0},{"tsne-0":2,"tsne-1":0},{"tsne-0":3,"tsne-1":5}],"cameraDef":{"orthographic":true,"target":[0,0,0],"position":[0,0,2],"zoom":1},"selectedColorOptionName":"kind","selectedLabelOption":"score"}]`))
			s.SetFiles(`input[aria-label="Bookmarks file"]`, peers)
			s.projects("isolated", 3)
			s.projects("selected", 1)
			s.Wait(`((p) => p.now.method === "tsne" && [...p.now.rows].join() === "5,9,20" && [...p.now.positions].join() === "1,0,2,0,3,5")(document.querySelector(".pj-pane").tbPane)`)
			s.Control("combobox", "Label by").Is(`e.value === "score"`)
			s.Control("spinbutton", "Perplexity").Is(`e.value === "4"`)
			// From where it is seen: 1, 2 and 2 along the axes.
			l.put(peers, []byte(`[{"label":"aside","isSelected":true,"selectedProjection":"pca","dataSetDimensions":[60,5],"pcaComponentDimensions":[1,0,2],"cameraDef":{"orthographic":false,"target":[0,0,0],"position":[1,2,2],"zoom":1}}]`))
			s.SetFiles(`input[aria-label="Bookmarks file"]`, peers)
			s.Wait(`((c) => c.dims === 3 && Math.abs(c.azimuth - Math.atan2(2, 1)) < 1e-6 && Math.abs(c.polar - Math.acos(2 / 3)) < 1e-6)(document.querySelector(".pj-pane").tbPane.scene.camera.get())`)
			s.Wait(`decodeURIComponent(location.hash).includes('"a":[1,0,2]')`)
		})
	}
}

// What is wrong with a tensor is named and the rest shown; without graphics, or when they are
// lost, points are drawn all the same; files come from disk.
func TestPageProjectorOdd(t *testing.T) {
	t.Parallel()
	l := tensorLogs(t)
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#projector")
	s.points(60)
	s.Control("combobox", "Tensor").Choose("r: bad")
	s.points(11)
	s.Control("button", "3 problems").Click()
	s.Control("dialog", "Problems").Is(`/short.tsv/.test(e.innerText) && /s.png/.test(e.innerText) && /NaN|not a number|infinit/i.test(e.innerText)`)
	s.Press("Escape")
	s.Press("n") // one column has no head
	s.Wait(`document.querySelector(".pj-card:not([hidden])")?.innerText.includes("word")`)
	s.Press("n")
	s.Wait(`document.querySelector(".pj-card:not([hidden])")?.innerText.includes("<b>one</b>")`)
	s.Press("Escape")

	// The context goes and comes again.
	scene := `document.querySelector(".pj-pane[data-points]").tbPane.scene`
	s.Eval(`void (globalThis.lose = document.querySelector(".scene canvas").getContext("webgl2").getExtension("WEBGL_lose_context")).loseContext()`, nil)
	s.Wait(`!` + scene + `.webgl`)
	drawn := `((c) => new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size >= 2)`
	s.Wait(drawn + `(document.querySelectorAll(".scene canvas")[1])`)
	s.Eval(`void lose.restoreContext()`, nil)
	s.Wait(scene + `.webgl && document.querySelectorAll(".scene canvas").length === 2`)

	// A browser without WebGL.
	s.Before(`((old) => { HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind === "webgl2" ? null : old.call(this, kind, ...more); }; })(HTMLCanvasElement.prototype.getContext)`)
	s.again()
	s.points(11)
	s.Wait(drawn + `(document.querySelector(".scene canvas"))`)
	s.Resize(390, 844)
	s.Control("combobox", "Method").Choose("UMAP")
	s.Wait(`document.querySelector(".pj-pane[data-points]").tbPane.now.method === "umap"`)

	// Files from disk, a tensor with what its rows are.
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s.SetFiles(`input[aria-label="Files of tensors"]`, file("mine.tsv", vectors(9, 2)), file("names.tsv", []byte("name\tof\n"+strings.Repeat("x\ty\n", 9))))
	s.points(9)
	s.Control("combobox", "Label by").Is(`[...e.options].map((o) => o.value).join() === "name,of"`)
	// A sheet of images does not say how large one is: the user does, or has none. It has its turn after a file
	// that is no tensor, which is still looked at.
	var sheet bytes.Buffer
	if err := png.Encode(&sheet, image.NewNRGBA(image.Rect(0, 0, 15, 12))); err != nil {
		t.Fatal(err)
	}
	images := `((s) => s && [s.width, s.height, s.columns].join())(document.querySelector(".pj-pane[data-points]").tbPane.sprite)`
	s.Eval(`void ((input) => {
		for (const f of [new File(["no tensor"], "words.txt"), new File([Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(sheet.Bytes())+`"), (c) => c.charCodeAt(0))], "faces.png")]) {
			const list = new DataTransfer();
			list.items.add(f);
			input.files = list.files;
			input.dispatchEvent(new Event("change"));
		}
	})(document.querySelector('input[aria-label="Files of tensors"]'))`, nil)
	size := s.Control("dialog", "Images of the points").Control("textbox", "Width and height of one image, in pixels")
	size.Is(`e.value === "28 × 28"`)
	s.Press("Escape")
	size.Gone()
	s.Wait(`!` + images)
	s.points(9)
	s.SetFiles(`input[aria-label="Files of tensors"]`, file("faces.png", sheet.Bytes()))
	size.Fill("5 × 4")
	s.Press("Enter")
	s.Wait(images + ` === "5,4,3"`)

	// Without a tensor nothing is offered that is of one; with it all of that comes.
	none := newLogs(t)
	none.run("r", map[string][]point{"x": curve(1, 0, 3)})
	s = come(t, browsertest.Chromium, none.dir)
	s.fresh("#projector")
	s.Wait(`document.querySelector(".pj-say")?.textContent.startsWith("No tensors here")`)
	var offered []string
	s.Eval(`[...document.querySelectorAll(".drawn :is(button, select, input, summary)")].filter((e) => e.checkVisibility()).map((e) => e.textContent)`, &offered)
	if fmt.Sprint(offered) != "[Files]" {
		t.Errorf("offered are %q", offered)
	}
	s.SetFiles(`input[aria-label="Files of tensors"]`, file("mine.tsv", vectors(9, 2)))
	s.points(9)
	s.Control("combobox", "Method").Choose("UMAP")
	s.Control("button", "2-D").Click()
	s.Control("button", "Controls").Click()
	s.Control("combobox", "Method").Gone()
	s.Press("f")
	s.Wait(`document.activeElement?.ariaLabel === "Find points"`)
}
