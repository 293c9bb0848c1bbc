//go:build !js

package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/testdata"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// graphOf is one of the graphs that real libraries wrote.
func graphOf(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := testdata.Files.ReadFile(name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// graphLogs are runs with graphs: of PyTorch, of TensorFlow with what a step cost, of Keras.
func graphLogs(t *testing.T) *logs {
	t.Helper()
	l := named(t, "models")
	text := func(tag, plugin string, data []byte) summary.Event {
		return summary.Event{WallTime: 2, Step: 0, Values: []summary.Value{summary.TensorValue(tag, summary.StringTensor(nil, string(data)), summary.Metadata{Plugin: plugin})}}
	}
	l.file("torch", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: 1, GraphDef: graphOf(t, "torch_resnet18.pb")})
	})
	l.file("steps", "1700000001.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: 3, GraphDef: graphOf(t, "tf1_small.pb")})
		w.Raw(summary.Event{WallTime: 3, Step: 7, RunMetadataTag: "step7", RunMetadata: graphOf(t, "tf1_run_metadata.pb")})
	})
	l.file("keras", "1700000002.host.1.0", func(w *summary.Buffer) {
		w.Raw(text("keras", "graph_keras_model", graphOf(t, "keras_functional.json")))
	})
	l.file("big", "1700000003.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: 5, GraphDef: graphOf(t, "tf_resnet50_train.pb")})
	})
	return l
}

// node is a NodeDef of a GraphDef.
func nodeDef(b []byte, name, op string, inputs ...string) []byte {
	var n []byte
	for i, text := range append([]string{name, op}, inputs...) {
		n = protowire.AppendString(protowire.AppendTag(n, protowire.Number(min(i+1, 3)), protowire.BytesType), text)
	}
	return protowire.AppendBytes(protowire.AppendTag(b, 1, protowire.BytesType), n)
}

// graphNode is where a node's name stands on the screen.
func (s *screen) graphNode(name string) browsertest.Point {
	s.t.Helper()
	e := `[...document.querySelectorAll(".gr-stage svg g > text")].find((t) => t.textContent === ` + quote(name) + `)`
	s.Wait(`!!` + e)
	s.Rest()
	s.Wait(`document.getAnimations().length === 0`) // it has come to its place
	var at [2]float64
	s.Eval(`((r) => [r.x + r.width / 2, r.y + r.height / 2])(`+e+`.getBoundingClientRect())`, &at)
	return browsertest.Point{X: at[0], Y: at[1]}
}

// noGraphNode waits until no node goes by that name.
func (s *screen) noGraphNode(name string) {
	s.t.Helper()
	s.Wait(`![...document.querySelectorAll(".gr-stage svg g > text")].some((t) => t.textContent === ` + quote(name) + `)`)
}

// Graphs of runs are found, opened scope by scope, searched, traced and counted; what is open
// is in the address and kept.
func TestPageGraphs(t *testing.T) {
	t.Parallel()
	l := graphLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.fresh("#graphs")
			card := s.Control("complementary", "Details")
			graph := s.Control("combobox", "Graph")
			graph.Is(`[...e.options].map((o) => o.textContent).join() === "big: Graph,keras: Keras model: keras,steps: Graph,steps: Profile: step7,torch: Graph"`)
			for _, name := range []string{"images", "stem", "stage1", "stage2", "stage3", "stage4", "head", "gradients", "labels"} {
				s.graphNode(name)
			}

			// A double click opens a scope, and what was clicked stays under the pointer.
			at := s.graphNode("stage4")
			s.DoubleClick(at)
			card.Is(`e.querySelector("h3").textContent === "stage4"`)
			s.graphNode("block_2")
			if now := s.graphNode("stage4"); math.Abs(now.Y-at.Y) > 20 || math.Abs(now.X-at.X) > 60 {
				t.Errorf("stage4 was at %v, and is at %v after it was opened", at, now)
			}
			s.Wait(`decodeURIComponent(location.hash).includes("stage4")`)

			// A click shows a card.
			s.Press("0")
			s.Click(s.graphNode("stem"))
			card.Is(`e.innerText.includes("Scope") && /Ops\s+34\s/.test(e.innerText) && /Parameters\s+9,536/.test(e.innerText) && e.innerText.includes("Inputs (1)")`)
			card.Control("button", "images").Click()
			card.Is(`e.querySelector("h3").textContent === "images" && e.innerText.includes("Placeholder") && e.innerText.includes("float32[?,224,224,3]")`)
			s.Press("o")
			s.Wait(`[...document.querySelectorAll("[role=status]")].some((e) => /^This feeds [\d,]+ ops/.test(e.textContent))`)
			s.Wait(`document.querySelectorAll(".gr-edge.lit").length > 3 && document.querySelectorAll(".gr-edge:not(.lit)").length > 0`)

			// Escape takes the marks away, then the card; a click brings it again.
			s.Press("Escape")
			s.Wait(`document.querySelectorAll(".gr-edge.lit").length < 3`)
			s.Press("Escape")
			card.Gone()
			s.Click(s.graphNode("images"))
			card.Is(`e.querySelector("h3").textContent === "images"`)

			// It is there again after a reload.
			s.again()
			s.graphNode("block_2")
			card.Is(`e.querySelector("h3").textContent === "images"`)

			// The keyboard walks, opens and closes.
			s.Eval(`void document.querySelector(".gr-tree").focus()`, nil)
			find := s.Control("combobox", "Find a node")
			find.Fill("/stage3.block_0$/")
			s.Control("option", "stage3/block_0 *").Wait()
			s.Press("Enter")
			s.graphNode("block_5")
			card.Is(`e.querySelector("h3").textContent === "block_0"`)
			s.Press("Escape")
			s.Press("ArrowUp")
			card.Is(`e.querySelector("h3").textContent === "stage3"`)

			// Who hears the picture hears a tree: what is chosen, how deep, which of how many,
			// and whether it is open.
			tree := s.Control("tree", "Nodes of the graph")
			said := `document.getElementById(e.getAttribute("aria-activedescendant"))`
			tree.Is(`e === document.activeElement && ((i) => /^stage3, /.test(i.textContent) && i.getAttribute("role") === "treeitem" && i.getAttribute("aria-level") === "1" && i.getAttribute("aria-expanded") === "true" && i.getAttribute("aria-selected") === "true")(` + said + `)`)
			tree.Is(`((i) => i.getAttribute("aria-setsize") === String(e.querySelectorAll("[aria-level='1']").length) && e.querySelectorAll("[aria-level='2']").length > 5)(` + said + `)`)
			s.Press("ArrowDown")
			tree.Is(`((i) => i.getAttribute("aria-level") === "2" && i.getAttribute("aria-posinset") === "1")(` + said + `)`)
			s.Press("ArrowUp")
			s.Press("Enter")
			s.noGraphNode("block_5")
			tree.Is(`((i) => /^stage3, /.test(i.textContent) && i.getAttribute("aria-expanded") === "false" && i.getAttribute("aria-selected") === "true")(` + said + `)`)
			s.Press("Enter")
			s.graphNode("block_5")
			tree.Is(`((i) => /^stage3, /.test(i.textContent) && i.getAttribute("aria-expanded") === "true" && i.getAttribute("aria-selected") === "true")(` + said + `)`)

			// An expression heeds case unless it says i; Enter goes to the first hit, and on.
			hits := s.Control("listbox", "Nodes found")
			find.Fill("/^STAGE/")
			hits.Is(`e.innerText.includes("No node has this name.")`)
			find.Fill("/^STAGE\\d$/i")
			hits.Is(`e.querySelectorAll("button").length === 4`)
			for _, name := range []string{"stage1", "stage2", "stage3"} {
				find.Get(`e.focus()`, nil)
				s.Press("Enter")
				card.Is(`e.querySelector("h3").textContent === ` + quote(name))
			}
			// … and each comes to where it is seen, from wherever one looks.
			for range 6 {
				s.Eval(`void document.querySelector(".gr-tree").focus()`, nil)
				s.Press("+")
			}
			find.Get(`e.focus()`, nil)
			s.Press("Enter", "Shift")
			card.Is(`e.querySelector("h3").textContent === "stage2"`)
			s.graphNode("stage2")
			s.Wait(`((n, r) => n.left > r.left && n.right < r.right && n.top > r.top && n.bottom < r.bottom)([...document.querySelectorAll(".gr-stage svg g > text")].find((t) => t.textContent === "stage2").getBoundingClientRect(), document.querySelector(".gr-stage").getBoundingClientRect())`)
			s.Press("Escape")
			hits.Gone()

			// The graph in numbers sorts, and leads to what it counts.
			s.Control("button", "Numbers").Click()
			card.Control("button", "By scope").Click()
			s.Eval(`void tensorbored.reload()`, nil) // the numbers stay
			s.Control("contentinfo", "*").Is(`/points/.test(tbUser.text(e))`)
			s.Rest()
			card.Control("button", "Params").Click()
			card.Control("table", "*").Is(`[...e.tBodies[0].rows].map((r) => Number(r.cells[2].innerText.replace(/,/g, ""))).every((v, i, all) => !i || v <= all[i - 1])`)

			// What a step cost belongs to the run's graph.
			graph.Choose("steps: Profile: step7")
			s.Control("combobox", "Colour by").Choose("Compute time")
			s.Wait(`/µs/.test(document.querySelector(".gr-legend")?.innerText)`)
			s.said(`document.querySelector(".gr-legend")`, "graph-times")
			s.Click(s.graphNode("y"))
			card.Is(`/Compute time\s+21 µs/.test(e.innerText)`)
			s.said(`document.querySelector("[aria-label=Details]")`, "graph-node")

			// The run list says whose graph it is.
			graph.Choose("keras: Keras model: keras")
			s.graphNode("encoder")
			s.Control("checkbox", "keras").Click()
			s.Control("main", "*").Is(`e.innerText.includes("This graph belongs to a run that is hidden.")`)
			graph.Is(`![...e.options].some((o) => /keras/.test(o.textContent))`)

			if kind != browsertest.Chromium {
				return // only it can be told where files go
			}
			// The picture is a file of its own.
			graph.Choose("torch: Graph")
			s.graphNode("ResNet")
			dir := s.Downloads()
			s.Control("main", "*").Control("button", "More").Click()
			s.Control("menuitem", "Save the picture (SVG)").Click()
			file := s.saved(dir, "graph.svg")
			var doc struct {
				ViewBox string   `xml:"viewBox,attr"`
				Text    []string `xml:"g>g>g>text"`
				Paper   []struct {
					X      float64 `xml:"x,attr"`
					Y      float64 `xml:"y,attr"`
					Width  float64 `xml:"width,attr"`
					Height float64 `xml:"height,attr"`
					Fill   string  `xml:"fill,attr"`
				} `xml:"rect"`
			}
			if err := xml.Unmarshal([]byte(file), &doc); err != nil || !slices.Contains(doc.Text, "ResNet") {
				t.Errorf("the picture: %v, %d texts", err, len(doc.Text))
			}
			// It is on white, all of it, and nodes and edges are where they are on the page.
			var w, h float64
			if _, err := fmt.Sscanf(doc.ViewBox, "0.0 0.0 %f %f", &w, &h); err != nil || len(doc.Paper) != 1 {
				t.Fatalf("the picture shows %q of the graph (%v), and has %d papers", doc.ViewBox, err, len(doc.Paper))
			}
			paper := doc.Paper[0]
			if paper.X != 0 || paper.Y != 0 || math.Abs(paper.Width-w) > 0.1 || math.Abs(paper.Height-h) > 0.1 || paper.Fill != "#fff" {
				t.Errorf("the picture's paper is %+v of %v × %v", paper, w, h)
			}
			var nodes, edges []string
			s.Eval(`[...document.querySelectorAll(".gr-node")].map((e) => "translate(" + e.tbAt.map((v) => v.toFixed(1)) + ")")`, &nodes)
			s.Eval(`[...document.querySelectorAll("path.gr-edge")].map((e) => e.getAttribute("d"))`, &edges)
			if len(nodes) < 3 || len(edges) < 2 {
				t.Fatalf("the page has %d nodes and %d edges", len(nodes), len(edges))
			}
			for _, part := range append(nodes, edges...) {
				if !strings.Contains(file, `"`+part+`"`) {
					t.Errorf("the picture lacks %q", part)
				}
			}
			// So it is saved as what other programs read.
			for _, f := range [][3]string{{"Save as GraphDef (.pb)", "*.pb", "\n"}, {"Save as text (.pbtxt)", "*.pbtxt", "node {"}, {"Save for Graphviz (.dot)", "*.dot", "digraph"}} {
				s.Control("main", "*").Control("button", "More").Click()
				s.Control("menuitem", f[0]).Click()
				if text := s.savedLike(dir, f[1]); !strings.HasPrefix(text, f[2]) || !strings.Contains(text, "ResNet") {
					t.Errorf("%s gives %.80q", f[0], text)
				}
			}
			// What programs that draw SVG do not know is not in it.
			for _, part := range []string{"var(", "color-mix", "hsl(", "px)", "data-id"} {
				if strings.Contains(file, part) {
					t.Errorf("the picture says %q", part)
				}
			}
		})
	}
}

// What the dashboard asks for before it does it, as a width or an expression, it asks in the page; and all that
// is open is closed at once.
func TestPageGraphAsks(t *testing.T) {
	t.Parallel()
	dir := graphLogs(t).dir
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, dir)
			s.fresh("#graphs")
			s.DoubleClick(s.graphNode("stage1"))
			s.graphNode("block_0")
			more := func(item string) {
				t.Helper()
				s.Control("main", "*").Control("button", "More").Click()
				s.Control("menuitem", item).Click()
			}
			asked := func(name string) browsertest.Control { return s.Control("dialog", name).Wait() }
			tint := s.Control("combobox", "Colour by")

			// An expression that is not given leaves the colours as they are.
			tint.Is(`e.value === "structure"`)
			more("Colour by an expression…")
			asked("Colour by an expression").Control("textbox", "Nodes whose name matches").Focused()
			s.Press("Escape")
			s.Control("dialog", "Colour by an expression").Gone()
			tint.Is(`e.value === "structure"`)
			tint.Choose("Expression…")
			asked("Colour by an expression").Control("textbox", "Nodes whose name matches").Fill("block_[01]")
			s.said(dialog, "asked-expression")
			s.Press("Enter")
			s.Control("dialog", "Colour by an expression").Gone()
			s.Wait(`document.querySelector(".gr-legend")?.innerText.includes("block_[01]")`)
			tint.Is(`e.value === "regex"`)
			more("Colour by an expression…")
			field := asked("Colour by an expression").Control("textbox", "Nodes whose name matches")
			field.Is(`e.value === "block_[01]" && e.selectionEnd === e.value.length && e.selectionStart === 0`)
			s.Type("stage")
			s.Control("dialog", "Colour by an expression").Control("button", "Colour").Click()
			s.Wait(`(text => text.includes("stage") && !text.includes("block_"))(document.querySelector(".gr-legend")?.innerText)`)
			s.again()
			s.Wait(`document.querySelector(".gr-legend")?.innerText.includes("stage")`)
			s.graphNode("block_0")

			if kind == browsertest.Chromium { // only it can be told where files go
				to := s.Downloads()
				more("Save the picture (PNG)…")
				asked("Save the picture").Control("spinbutton", "Width of the picture, in pixels").Fill("640")
				s.Press("Enter")
				if c, err := png.DecodeConfig(strings.NewReader(s.saved(to, "graph.png"))); err != nil || c.Width != 640 {
					t.Errorf("the picture: %+v, %v", c, err)
				}
				// What is seen is less than the whole when it is larger than the screen.
				width := func(text string) (w float64) {
					t.Helper()
					var x, y, h float64
					var doc struct {
						ViewBox string `xml:"viewBox,attr"`
					}
					if err := xml.Unmarshal([]byte(text), &doc); err != nil {
						t.Fatal(err)
					}
					if _, err := fmt.Sscanf(doc.ViewBox, "%f %f %f %f", &x, &y, &w, &h); err != nil {
						t.Fatalf("%q: %v", doc.ViewBox, err)
					}
					return w
				}
				s.Wheel(s.graphNode("block_0"), -600)
				s.Rest()
				more("Save what is seen (SVG)")
				part := width(s.saved(to, "graph.svg"))
				more("Save the picture (SVG)")
				if whole := width(s.saved(to, "graph.svg")); part >= whole || part < 20 {
					t.Errorf("what is seen is %v wide, the whole %v", part, whole)
				}
			}

			more("Close all")
			s.noGraphNode("block_0")
			s.graphNode("stage1")
			s.again()
			s.graphNode("stage1")
			s.noGraphNode("block_0")
		})
	}
}

// Two graphs are compared; odd and damaged ones are shown as far as they can be.
func TestPageGraphsOdd(t *testing.T) {
	t.Parallel()
	l := named(t, "odd")
	put := func(run string, graph []byte) {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) { w.Raw(summary.Event{WallTime: 1, GraphDef: graph}) })
	}
	first := nodeDef(nodeDef(nodeDef(nil, "in", "Placeholder"), "mul", "MatMul", "in"), "gone", "Relu", "mul")
	put("a first", nodeDef(bytes.Clone(first), "old name", "Tanh", "in"))
	put("b second", nodeDef(nodeDef(nodeDef(nodeDef(nodeDef(nil, "in", "Placeholder"), "mul", "Conv2D", "in"), "new", "Relu", "mul"), "<img src=x onerror=alert(1)>", "Relu", "mul"), "new name", "Tanh", "in"))
	put("c torn", append(bytes.Clone(first), 0x0a, 0x7f, 1))
	put("d broken", []byte{0xff, 0xff, 0xff})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#graphs")
	graph, main := s.Control("combobox", "Graph"), s.Control("main", "*")
	s.graphNode("gone")
	graph.Choose("b second: Graph")
	s.graphNode("new")
	s.graphNode("<img src=x onerror=alert(1)>")
	s.Control("combobox", "Compare with").Choose("with a first: Graph")
	s.Control("button", "Changes").Click()
	card := s.Control("complementary", "Details")
	card.Control("button", "3 added").Wait()
	card.Control("button", "1 changed").Wait()
	s.said(`document.querySelector(".gr-legend")`, "graph-changes")
	s.said(`document.querySelector("[aria-label=Details]")`, "graph-changed")
	card.Control("button", "2 removed").Click()
	card.Control("button", "− gone").Click()
	card.Is(`e.querySelector("h3").textContent === "gone"`)
	s.Wait(`document.querySelector(".gr-node.removed > text")?.textContent === "gone" && document.querySelector(".gr-node.changed > text")?.textContent === "mul"`)
	// By structure a node that has got another name is the same.
	// Who asks for the changes before the picture stands keeps them, though a node was chosen.
	s.Eval(`void ((b) => new MutationObserver((_, o) => {
		if (b.hidden) return;
		o.disconnect();
		b.click();
	}).observe(b, {attributes: true}))([...document.querySelectorAll(".gr-bar button")].find((e) => e.textContent === "Changes"))`, nil)
	s.Control("button", "By structure").Click()
	s.Wait(`/"m":1/.test(decodeURIComponent(location.hash))`)
	s.Wait(`document.querySelector(".gr-node.renamed") !== null`)
	card.Control("button", "1 renamed").Click()
	card.Control("button", "→ new name").Wait()
	s.Wait(`document.querySelector(".gr-node.renamed > text")?.textContent === "new name" && document.querySelectorAll(".gr-node.renamed").length === 1`)
	s.Control("combobox", "Compare with").Choose("Compare with…")
	s.noGraphNode("gone")
	graph.Choose("c torn: Graph")
	s.graphNode("gone")
	s.Control("button", "1 problem").Click()
	card.Is(`/The file ends in the middle of/.test(e.innerText) && e.innerText.includes("At byte")`)
	// Without a graph there is nothing to find, to colour or to count, and nothing is wrong with it.
	offers := func(want string) {
		t.Helper()
		s.Until(func() string {
			var got string
			s.TryEval(`[...document.querySelector(".gr-bar").children].filter((e) => e.checkVisibility()).map((e) => e.ariaLabel || e.querySelector("[aria-label]")?.ariaLabel || e.textContent).join()`, &got)
			if got != want {
				return "the bar offers " + got + ", not " + want
			}
			return ""
		})
	}
	offers("Graph,Find a node,Colour by,Compare with,1 problem,Numbers,More")
	run := s.Control("checkbox", "c torn")
	run.Click()
	main.Is(`e.innerText.includes("belongs to a run that is hidden")`)
	offers("Graph,Compare with,More")
	run.Click()
	offers("Graph,Find a node,Colour by,Compare with,1 problem,Numbers,More")
	graph.Choose("d broken: Graph")
	main.Is(`e.innerText.includes("The page could not read this graph. This is no graph")`)
	s.noGraphNode("gone") // nothing of the one before

	// Graphs stand in files beside the logs, too: of a run, and of none. A run that is not shown has none.
	models := named(t, "models")
	models.run("r", map[string][]point{"x": curve(1, 0, 5)})
	models.run("s", map[string][]point{"x": curve(1, 0, 5)})
	models.put(filepath.Join(models.dir, "r", "deep", "net.pb"), nodeDef(nodeDef(nil, "of a run", "Placeholder"), "next", "Relu", "of a run"))
	models.put(filepath.Join(models.dir, "frozen.pb"), nodeDef(nodeDef(nil, "of all", "Placeholder"), "next", "Relu", "of all"))
	s.Drop("header", models.dir)
	graph.Is(`[...e.options].map((o) => o.textContent).join() === "File r/deep/net.pb,File frozen.pb"`)
	graph.Choose("File r/deep/net.pb")
	s.graphNode("of a run")
	graph.Choose("File frozen.pb")
	s.graphNode("of all")
	s.Wait(`decodeURIComponent(location.hash).includes('"t":"frozen.pb"')`)
	s.Control("checkbox", "r").Click()
	graph.Is(`[...e.options].map((o) => o.textContent).join() === "File frozen.pb"`)
	alone := named(t, "alone")
	alone.put(filepath.Join(alone.dir, "x", "net.pb"), nodeDef(nil, "alone here", "Placeholder"))
	s.Drop("header", alone.dir)
	s.Control("button", "Time series").Click()
	main.Is(`e.innerText.includes("There are files of graphs.") && !e.innerText.includes("tensors")`)
	s.Control("button", "Show the graphs").Click()
	graph.Choose("File x/net.pb")
	s.graphNode("alone here")

	// None, and one from disk.
	words := named(t, "words")
	words.run("r", map[string][]point{"x": curve(1, 0, 5)})
	s.Drop("header", words.dir)
	main.Is(`e.innerText.includes("No graph was logged here.") || e.innerText.includes("is hidden")`)
	offers("More")
	model := filepath.Join(t.TempDir(), "model.pb")
	if err := os.WriteFile(model, nodeDef(nodeDef(nil, "from disk", "Placeholder"), "next", "Relu", "from disk"), 0o666); err != nil {
		t.Fatal(err)
	}
	s.SetFiles(`input[aria-label="Graph files"]`, model)
	s.graphNode("from disk")
}

// A graph that is seen as a whole is so in a window of another size, as when it is opened there; one that was moved
// stays where it is.
func TestPageGraphResized(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, graphLogs(t).dir)
	s.fresh("#graphs")
	for _, size := range [][2]int{{800, 700}, {1500, 900}} {
		was := s.graphNode("stem")
		s.Resize(size[0], size[1])
		s.Until(func() string {
			if s.graphNode("stem") == was {
				return "the node has not moved"
			}
			return ""
		})
		s.Rest()
		was = s.graphNode("stem")
		s.again()
		s.Until(func() string {
			if now := s.graphNode("stem"); math.Hypot(now.X-was.X, now.Y-was.Y) > 2 {
				return fmt.Sprintf("the node is at %v, and was at %v before the page was opened anew", now, was)
			}
			return ""
		})
	}
	at := s.graphNode("stem")
	s.Drag(browsertest.Point{X: at.X + 200, Y: at.Y}, browsertest.Point{X: at.X + 230, Y: at.Y + 40})
	s.Rest()
	moved := s.graphNode("stem")
	if math.Hypot(moved.X-at.X-30, moved.Y-at.Y-40) > 3 {
		t.Fatalf("the node went from %v to %v", at, moved)
	}
	s.Resize(1300, 800)
	s.Wait(`innerWidth === 1300`)
	s.Rest()
	if now := s.graphNode("stem"); math.Hypot(now.X-moved.X, now.Y-moved.Y) > 2 {
		t.Errorf("the node was at %v, and is in another window at %v", moved, now)
	}
}

// On a telephone a tap chooses a node and shows its card, whose button opens it; one finger moves the picture,
// two make it larger.
func TestPageGraphsTouch(t *testing.T) {
	t.Parallel()
	l := graphLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Resize(390, 844)
			s.fresh("#graphs")
			card := s.Control("complementary", "Details")
			tap := func(at browsertest.Point) {
				s.Touch(at)
				s.Touch()
			}
			at := s.graphNode("stage1")
			s.Touch(browsertest.Point{X: 190, Y: 400})
			s.Touch(browsertest.Point{X: 190, Y: 430})
			s.Touch(browsertest.Point{X: 190, Y: 460})
			s.Touch()
			if now := s.graphNode("stage1"); math.Abs(now.Y-at.Y-60) > 20 {
				t.Errorf("a finger moved stage1 from %v to %v, not 60 down", at, now)
			}
			wide := func() (w float64) {
				s.Rest()
				s.Eval(`[...document.querySelectorAll(".gr-node")].find((e) => e.dataset.id === "stage1").querySelector(".shape").getBoundingClientRect().width`, &w)
				return w
			}
			before := wide()
			s.Touch(browsertest.Point{X: 150, Y: 400})
			s.Touch(browsertest.Point{X: 150, Y: 400}, browsertest.Point{X: 230, Y: 400})
			s.Touch(browsertest.Point{X: 110, Y: 400}, browsertest.Point{X: 270, Y: 400})
			s.Touch()
			if now := wide(); now < before*1.6 || now > before*2.4 {
				t.Errorf("two fingers twice as far apart made stage1 %g wide after %g", now, before)
			}
			// A finger that stayed for long is lifted without a click.
			s.Press("0")
			s.graphNode("stage3")
			s.Eval(`void ((e) => {
				for (const name of ["pointerdown", "pointerup"]) e.dispatchEvent(new PointerEvent(name, {bubbles: true, cancelable: true, pointerId: 9, pointerType: "touch"}));
			})(document.querySelector('.gr-node[data-id="stage3"] > .shape'))`, nil)
			card.Is(`e.querySelector("h3").textContent === "stage3"`)
			card.Control("button", "Close the card").Click()
			card.Gone()
			s.Press("0")
			tap(s.graphNode("stage4"))
			card.Is(`e.querySelector("h3").textContent === "stage4"`)
			card.Is(`((r) => r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight)(e.getBoundingClientRect())`)
			card.Control("button", "Open").Click()
			s.graphNode("block_2")
		})
	}
}

// On a telephone the card of a node takes the lower part of the screen. The node that was tapped is seen beside it,
// wherever it stood, closed and open; on a desk the card comes at the right, and it is the same.
func TestPageGraphsCardBeside(t *testing.T) {
	t.Parallel()
	l := graphLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.Resize(390, 844)
			s.fresh("#graphs")
			card := s.Control("complementary", "Details")
			// seen waits until a node's name lies free on the stage, and nothing over it.
			seen := func(name string) {
				t.Helper()
				card.Is(`e.querySelector("h3").textContent === ` + quote(name))
				s.graphNode(name)
				s.Wait(`(() => {
					const text = [...document.querySelectorAll(".gr-stage svg g > text")].find((t) => t.textContent === ` + quote(name) + `);
					const r = text.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
					const e = document.elementFromPoint(x, y);
					return Boolean(e?.closest(".gr-stage")) && !e.closest(".gr-legend, .gr-path, .drawn-zoom");
				})()`)
			}
			tap := func(name string) {
				t.Helper()
				s.Touch(s.graphNode(name))
				s.Touch()
				seen(name)
			}
			for _, name := range []string{"images", "labels", "stem", "stage3", "head"} {
				s.Press("0")
				tap(name)
				card.Control("button", "Close the card").Click()
				card.Gone()
			}
			// A finger that rests on a node for long chooses it, too; browsers call that a context menu.
			s.Press("0")
			s.graphNode("stage2")
			s.Eval(`void ((e) => {
				const at = {bubbles: true, cancelable: true, pointerId: 9, pointerType: "touch"};
				for (const name of ["pointerdown", "pointerup"]) e.dispatchEvent(new PointerEvent(name, at));
				if (e.dispatchEvent(new MouseEvent("contextmenu", at))) throw new Error("the browser's menu comes");
			})(document.querySelector('.gr-node[data-id="stage2"] > .shape'))`, nil)
			seen("stage2")
			card.Control("button", "Close the card").Click()
			card.Gone()
			s.Press("0")
			tap("stage1")
			card.Control("button", "Open").Click()
			s.graphNode("block_1")
			seen("stage1")
			s.Press("Escape")
			card.Gone()
			// Of a node at the right border of a wide stage, too.
			s.Resize(1280, 800)
			s.Press("0")
			s.Drag(s.graphNode("stage2"), browsertest.Point{X: 1150, Y: 500})
			s.Click(s.graphNode("stage2"))
			seen("stage2")
		})
	}
}

// What stands along lines can be read: it lies on no node and on nothing else that is written, and at first all of it
// is on the stage.
func TestPageGraphsWords(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, graphLogs(t).dir)
	s.Resize(1280, 900)
	s.fresh("#graphs")
	apart := func() {
		t.Helper()
		s.Wait(`(() => {
			const boxes = (q) => [...document.querySelectorAll(q)].map((e) => [e.textContent, e.getBoundingClientRect()]);
			const words = boxes(".gr-stage text.along"), shapes = boxes(".gr-node:not(.open) > .shape");
			const meet = (a, b) => a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 3 && a.bottom > b.top + 3;
			return words.length > 5 && words.every(([, a], i) => [...words.slice(i + 1), ...shapes].every(([, b]) => !meet(a, b)));
		})()`)
	}
	// Names have room in what they name.
	inside := func() {
		t.Helper()
		s.Wait(`((all) => all.length > 5 && all.every((g) => ((word, shape) => word.left > shape.left && word.right < shape.right)(
			g.querySelector(":scope > text").getBoundingClientRect(), g.querySelector(":scope > .shape").getBoundingClientRect())))(
			[...document.querySelectorAll(".gr-node:not(.open)")].filter((g) => g.querySelector(":scope > text")))`)
	}
	s.graphNode("stage4")
	apart()
	inside()
	s.Wait(`((stage) => [...document.querySelectorAll(".gr-stage text.along, .gr-node > .shape, .gr-edge")].every((e) => ((r) =>
		r.left >= stage.left && r.right <= stage.right && r.top >= stage.top && r.bottom <= stage.bottom)(e.getBoundingClientRect())))(document.querySelector(".gr-stage").getBoundingClientRect())`)
	s.DoubleClick(s.graphNode("stage2"))
	s.graphNode("block_2")
	apart()
	inside()
}

// A model that is one scope is opened for the user, unless nothing of it could be read on this screen. What was
// closed until a picture is small is drawn larger.
func TestPageGraphsReadable(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, graphLogs(t).dir)
	s.Resize(390, 640)
	s.fresh("#graphs")
	legible := `((w) => w !== null && !w.classList.contains("gr-far"))(document.querySelector(".gr-stage svg > g"))`
	s.Control("combobox", "Graph").Choose("keras: Keras model: keras")
	encoder := s.graphNode("encoder")
	s.Wait(legible)
	s.DoubleClick(encoder)
	s.Wait(`document.querySelector(".gr-node.open") !== null`)
	s.Press("0")
	s.Wait(`!` + legible)
	s.Press("Enter") // closes it
	s.Wait(`document.querySelector(".gr-node.open") === null`)
	s.Wait(legible)
}
