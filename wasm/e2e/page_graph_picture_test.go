//go:build !js

package e2e

import (
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of a graph lead round what they do not belong to, whether it is open or closed; what is closed lies before
// them, what is open behind them.
func TestPageGraphLines(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, graphLogs(t).dir)
	s.fresh("#graphs")
	s.DoubleClick(s.graphNode("stage1"))
	s.DoubleClick(s.graphNode("block_0"))
	s.graphNode("shortcut")
	s.Press("0")
	s.graphNode("shortcut")
	s.Until(func() string {
		var through []string
		err := s.TryEval(`(() => {
			const world = document.querySelector(".gr-stage svg > g"), scale = world.getCTM().a;
			const boxes = [...document.querySelectorAll(".gr-node")].map((g) => [g.dataset.id, g.querySelector(":scope > .shape").getBoundingClientRect()]);
			const inside = (p, r, by) => p.x > r.left - by && p.x < r.right + by && p.y > r.top - by && p.y < r.bottom + by;
			const out = [];
			for (const e of document.querySelectorAll(".gr-edge")) {
				const m = e.getScreenCTM(), at = (l) => e.getPointAtLength(l).matrixTransform(m), long = e.getTotalLength();
				for (const [id, r] of boxes) {
					if (inside(at(0), r, 4 * scale) || inside(at(long), r, 4 * scale)) continue;
					for (let l = 0; l < long; l += 4) if (inside(at(l), r, -2 * scale)) { out.push(e.textContent + " goes through " + id); break; }
				}
			}
			return out;
		})()`, &through)
		if err != nil || len(through) > 0 {
			return "lines lead through nodes: " + joined(through)
		}
		return ""
	})
	s.Wait(`((line) => [...document.querySelectorAll(".gr-node")].every((e) => Boolean(line.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) !== e.classList.contains("open")))(document.querySelector(".gr-edge"))`)
}

// Nodes stand so that no lines cross that need not, in whatever order they were logged.
func TestPageGraphOrder(t *testing.T) {
	t.Parallel()
	const n = 6
	name := func(kind string, i int) string { // no numbers: nodes that are counted are one series
		return []string{"ant", "bee", "cat", "dog", "eel", "fox"}[i] + kind
	}
	as := []int{3, 0, 5, 1, 4, 2} // the order in which they are logged
	bs := []int{4, 2, 0, 5, 1, 3}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		var g []byte
		for _, i := range as {
			g = nodeDef(g, name("In", i), "Placeholder")
		}
		for _, i := range bs { // each is fed by two beside each other: a line that can be drawn without a crossing
			inputs := []string{name("In", i)}
			if i+1 < n {
				inputs = []string{name("In", i+1), name("In", i)}
			}
			g = nodeDef(g, name("Sum", i), "AddN", inputs...)
		}
		for _, i := range as {
			g = nodeDef(g, name("Act", i), "Relu", name("Sum", i))
		}
		w.Raw(summary.Event{WallTime: epoch, GraphDef: g})
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#graphs")
	s.graphNode(name("Act", 0))
	var ranks [3][n]browsertest.Point
	for i := range n {
		for k, kind := range []string{"In", "Sum", "Act"} {
			ranks[k][i] = s.graphNode(name(kind, i))
		}
	}
	along := func(p browsertest.Point) float64 { return p.X } // a rank is a row
	for i := range n {
		if math.Abs(ranks[0][i].Y-ranks[0][0].Y) > 1 || math.Abs(ranks[0][i].Y-ranks[1][i].Y) < 10 {
			t.Fatalf("the ranks are no rows: %v", ranks)
		}
	}
	type line struct{ from, to browsertest.Point }
	var sums, acts []line
	for i := range n {
		sums = append(sums, line{ranks[0][i], ranks[1][i]})
		if i+1 < n {
			sums = append(sums, line{ranks[0][i+1], ranks[1][i]})
		}
		acts = append(acts, line{ranks[1][i], ranks[2][i]})
	}
	for _, lines := range [][]line{sums, acts} {
		for i, a := range lines {
			for _, b := range lines[:i] {
				if (along(a.from)-along(b.from))*(along(a.to)-along(b.to)) < 0 {
					t.Errorf("the lines %v and %v cross", a, b)
				}
			}
		}
	}
}

func joined(list []string) (s string) {
	for _, l := range list {
		s += l + "; "
	}
	return s
}

// What feeds a node, and the way to another one, are marked through the scopes on the way, also where one is opened
// later; another graph has no marks. The card of a scope names each neighbour once.
func TestPageGraphMarks(t *testing.T) {
	t.Parallel()
	l := graphLogs(t)
	l.file("a function", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: 1, GraphDef: graphOf(t, "tf2_encoder.pb")})
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#graphs")
	card := s.Control("complementary", "Details")
	s.DoubleClick(s.graphNode("scores"))
	card.Is(`/Control outputs \(1\)\s+NoOp\s+67 × NoOp/.test(e.innerText) && /Inputs \(1\)\s+ids\s+3 × int32/.test(e.innerText)`)
	s.Press("0")
	s.Click(s.graphNode("encoder_1"))
	card.Is(`e.querySelector("h3").textContent === "encoder_1"`)
	s.said(`document.querySelector("[aria-label=Details]")`, "graph-function")
	s.Click(s.graphNode("PartitionedCall"))
	card.Is(`e.querySelector("h3").textContent === "PartitionedCall"`)
	s.said(`document.querySelector("[aria-label=Details]")`, "graph-call")
	lit := func(want ...string) {
		t.Helper()
		for _, w := range want {
			s.Wait(`[...document.querySelectorAll(".gr-edge.lit > title")].some((e) => e.textContent.startsWith(` + quote(w) + `))`)
		}
		s.Wait(`[...document.querySelectorAll(".gr-edge.lit > title")].every((e) => !/^(to NoOp|scores.add|scores → )/.test(e.textContent))`)
	}
	card.Control("button", "Inputs").Click()
	lit("ids → scores", "from ids", "scores/encoder_1 → scores/Softmax", "scores/Softmax → scores/PartitionedCall")
	s.Press("Escape")
	s.Wait(`document.querySelector(".gr-faint") === null`)
	s.Press("p")
	s.Click(s.graphNode("ids"))
	lit("ids → scores", "from ids", "scores/encoder_1 → scores/Softmax", "scores/Softmax → scores/PartitionedCall")
	s.Press("Escape")
	s.Press("Escape")
	card.Gone()
	s.Press("0")
	s.Click(s.graphNode("Softmax"))
	card.Is(`e.querySelector("h3").textContent === "Softmax" && !e.innerText.includes("Types inside")`)
	s.Press("i")
	lit("scores/encoder_1 → scores/Softmax")
	sign := `void [...document.querySelectorAll(".gr-node")].find((e) => e.dataset.id === "scores/encoder_1").querySelector(".sign").dispatchEvent(new MouseEvent("click", {bubbles: true}))`
	s.Eval(sign, nil)
	s.Wait(`[...document.querySelectorAll(".gr-node.lit")].some((e) => e.dataset.id.startsWith("scores/encoder_1/"))`)
	s.Eval(sign, nil)
	s.Wait(`![...document.querySelectorAll(".gr-node")].some((e) => e.dataset.id.startsWith("scores/encoder_1/"))`)
	lit("scores/encoder_1 → scores/Softmax")
	s.Control("combobox", "Graph").Choose("torch: Graph")
	s.graphNode("Linear[fc]") // a model that is one scope beside what goes in and out is opened
	s.Wait(`document.querySelector(".gr-faint") === null`)
}

// The legend tells of all colours, of which no two are one, of signs, and of what a comparison marks. Devices are
// left out of the time by it. A graph that lacks what colours go by is coloured by structure.
func TestPageGraphLegend(t *testing.T) {
	t.Parallel()
	l := graphLogs(t)
	l.file("devices", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.Raw(summary.Event{WallTime: 1, GraphDef: nodeDef(nodeDef(nil, "first", "Placeholder"), "second", "Relu", "first")})
		w.Raw(summary.Event{WallTime: 2, Step: 7, RunMetadataTag: "step", RunMetadata: graphtest.Metadata(
			graphtest.Step{Device: "/job:w/device:GPU:0", Node: "first", Micros: 7, Bytes: 100},
			graphtest.Step{Device: "/job:w/device:CPU:0", Node: "second", Micros: 90, Bytes: 10})})
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.fresh("#graphs")
			graph, tint, main := s.Control("combobox", "Graph"), s.Control("combobox", "Colour by"), s.Control("main", "*")
			strip := func(expression string) {
				t.Helper()
				s.Wait(`((e) => ` + expression + `)(document.querySelector(".gr-legend"))`)
			}
			s.graphNode("stage4")
			strip(`e.innerText.includes("Same colour: same structure")`)
			tint.Choose("Type")
			strip(`e.innerText.includes("Const (606)") && e.scrollHeight <= 40`)
			main.Control("button", "Legend").Click()
			key := s.Control("dialog", "Legend")
			key.Is(`e.innerText.includes("A control edge") && ((all) => all.length > 30 && new Set(all).size === all.length)([...e.querySelectorAll("li > i")].map((i) => i.style.background))`)
			key.Is(`e.querySelectorAll(".gr-node > .shape").length >= 5 && !e.innerText.includes("Only in this graph")`)
			s.Press("Escape")
			key.Gone()

			// Where parts of a scope have a colour, and others not, all of it is painted.
			tint.Choose("Shape")
			strip(`e.innerText.includes("float32[]")`)
			s.Wait(`((stops) => stops.length > 4 && stops.every((e) => getComputedStyle(e).stopColor !== "rgb(0, 0, 0)"))([...document.querySelectorAll(".gr-stage stop")])`)

			graph.Choose("devices: Profile: step")
			s.graphNode("second")
			tint.Choose("Compute time")
			strip(`/7 µs\s*90 µs/.test(e.innerText)`)
			main.Control("checkbox", "CPU:0").Click()
			strip(`/7 µs\s*7 µs/.test(e.innerText)`)
			s.Wait(`decodeURIComponent(location.hash).includes('"without":["CPU:0"]')`)
			s.Click(s.graphNode("second"))
			card := s.Control("complementary", "Details")
			card.Is(`e.querySelector("h3").textContent === "second" && !e.innerText.includes("Compute time")`)
			main.Control("checkbox", "CPU:0").Click()
			strip(`/7 µs\s*90 µs/.test(e.innerText)`)

			graph.Choose("torch: Graph")
			s.graphNode("Linear[fc]")
			tint.Is(`e.selectedOptions[0].textContent === "Structure"`)
			s.Wait(`document.querySelector(".gr-node.colored") !== null`)
			s.Control("combobox", "Compare with").Choose("with devices: Graph")
			strip(`e.innerText.includes("only in the other")`)
			main.Control("button", "Legend").Click()
			key.Is(`e.innerText.includes("Only in the graph that it is compared with")`)
			s.Press("Escape")
		})
	}
}

// How a graph is drawn is chosen in a panel, and kept in the address; nodes have a menu.
func TestPageGraphDrawn(t *testing.T) {
	t.Parallel()
	l := graphLogs(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := come(t, kind, l.dir)
			s.fresh("#graphs")
			main, card := s.Control("main", "*"), s.Control("complementary", "Details")
			s.Control("combobox", "Graph").Choose("steps: Graph")
			s.graphNode("copy_[1-5]")
			regroup := func() {
				t.Helper()
				main.Control("button", "More").Click()
				s.Control("menuitem", "How it is drawn…").Click()
				card.Control("button", "Group series again (1)").Click()
				s.graphNode("copy_[1-5]")
			}
			main.Control("button", "More").Click()
			s.Control("menuitem", "How it is drawn…").Click()
			card.Control("spinbutton", "Members of a series, at least (0: no series)").Fill("9")
			s.Press("Enter")
			s.graphNode("copy_3")
			s.Wait(`decodeURIComponent(location.hash).includes('"x":{"series":9}')`)
			card.Control("button", "As at first").Click()
			s.Wait(`!decodeURIComponent(location.hash).includes('"x":')`)
			s.Click(s.graphNode("copy_[1-5]"))
			card.Is(`e.querySelector("h3").textContent === "copy_[1-5]"`)
			s.said(`document.querySelector("[aria-label=Details]")`, "graph-series")
			card.Control("button", "Ungroup").Click()
			s.graphNode("copy_4")
			regroup()

			// A node may stand beside the graph, without its edges; others that do stay there.
			address := func(part string) {
				t.Helper()
				s.Wait(`decodeURIComponent(location.hash).includes(` + quote(part) + `)`)
			}
			edges := func() (n int) {
				s.Rest()
				s.Eval(`document.querySelectorAll("path.gr-edge").length`, &n)
				return n
			}
			all := edges()
			s.Click(s.graphNode("w"))
			card.Control("button", "Out of the graph").Click()
			card.Control("button", "Into the graph").Wait()
			address(`"aside":["w"]`)
			if n := edges(); n >= all {
				t.Errorf("%d edges without a node, %d with it", n, all)
			}
			s.Click(s.graphNode("x"))
			card.Control("button", "Out of the graph").Get(`e.focus()`, nil)
			s.Press("Enter")
			address(`"aside":["w","x"]`)
			card.Control("button", "Into the graph").Is(`e === document.activeElement`)
			s.Press("Enter")
			address(`"main":["x"]`)
			address(`"aside":["w"]`)
			card.Control("button", "Out of the graph").Is(`e === document.activeElement`)
			main.Control("button", "More").Click()
			s.Control("menuitem", "How it is drawn…").Click()
			card.Control("button", "Take out what was put into the graph (1)").Click()
			s.Wait(`!decodeURIComponent(location.hash).includes('"main"')`)
			address(`"aside":["w"]`)
			card.Control("button", "Put back what was taken out (1)").Click()
			s.Wait(`!decodeURIComponent(location.hash).includes('"aside"')`)
			if n := edges(); n != all {
				t.Errorf("%d edges when all is back, there were %d", n, all)
			}
			above := s.graphNode("y").Y < s.graphNode("x").Y
			card.Control("checkbox", "From the top down").Click()
			s.Wait(`decodeURIComponent(location.hash).includes('"d":1')`)
			s.graphNode("y")
			if !above || s.graphNode("y").Y < s.graphNode("x").Y {
				t.Error("the graph is not drawn from the top down")
			}
			card.Control("button", "Close the card").Click()
			card.Gone()

			// The right button shows what can be done with a node, and so does the menu key.
			s.RightClick(s.graphNode("w"))
			s.Control("menuitem", "Open").Click()
			s.graphNode("Assign")
			s.Click(s.graphNode("(w)"))
			card.Is(`/Full name\s+w\s/.test(e.innerText)`)
			s.said(`document.querySelector("[aria-label=Details]")`, "graph-inner")
			s.RightClick(s.graphNode("copy_[1-5]"))
			s.Control("menuitem", "Show the series one by one").Click()
			s.Click(s.graphNode("copy_4"))
			card.Is(`e.querySelector("h3").textContent === "copy_4"`)
			s.Eval(`void document.querySelector(".gr-tree").dispatchEvent(new MouseEvent("contextmenu", {bubbles: true, cancelable: true}))`, nil)
			s.Control("menuitem", "Mark what feeds it").Click()
			s.Wait(`[...document.querySelectorAll(".gr-node.lit")].some((e) => e.dataset.id === "copy_1")`)
			regroup()
		})
	}
}

// Of a graph that was logged at several steps each is shown, and two are compared.
func TestPageGraphSteps(t *testing.T) {
	t.Parallel()
	l := named(t, "steps")
	l.file("keras", "1700000002.host.1.0", func(w *summary.Buffer) {
		for step, name := range []string{"keras_nested.json", "keras_sequential.json", "keras_functional.json"} {
			w.Raw(summary.Event{WallTime: 2, Step: int64(10 * step), Values: []summary.Value{
				summary.TensorValue("model", summary.StringTensor(nil, string(graphOf(t, name))), summary.Metadata{Plugin: "graph_keras_model"})}})
		}
	})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#graphs")
	s.graphNode("layer_0_norm1")
	step, versus, card := s.Control("slider", "Step"), s.Control("combobox", "Compare with"), s.Control("complementary", "Details")
	versus.Is(`[...e.options].map((o) => o.textContent).join() === "Compare with…,with step 0,with step 10"`)
	step.Get(`(e.value = 0, e.dispatchEvent(new Event("change", {bubbles: true})))`, nil)
	s.graphNode("siamese")
	versus.Is(`[...e.options].map((o) => o.textContent).join() === "Compare with…,with step 10,with step 20"`)
	versus.Choose("with step 10")
	s.Control("button", "Changes").Click()
	card.Is(`/^What is different/.test(e.innerText.trim())`)
	s.Wait(`document.querySelector(".gr-node.removed") !== null && document.querySelector(".gr-node.added") !== null`)
	s.Wait(`decodeURIComponent(location.hash).includes('"t":"model","s":1}')`)
	s.again()
	versus.Is(`e.selectedOptions[0].textContent === "with step 10"`)
	s.Wait(`document.querySelector(".gr-node.removed") !== null`)
	versus.Choose("Compare with…")
	s.Wait(`document.querySelector(".gr-node.removed") === null`)
	s.graphNode("siamese")
}
