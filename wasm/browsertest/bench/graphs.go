//go:build !js

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of graphs. TensorBoard's are of the same file in the same browser.
const (
	lineGraphPeer      = "TensorBoard, navigation → graph drawn"
	lineGraphPeerOpen  = "  TensorBoard, a scope opened"
	lineGraphCome      = "navigation → graph drawn"
	lineGraph10        = "tab → graph of 10,000 ops drawn"
	lineGraph100       = "tab → graph of 100,000 ops drawn"
	lineGraphOpen      = "  a scope in it opened"
	lineGraphOpenFirst = "  the first scope opened"
	lineGraphPan       = "  pan, close by, frame"
	lineGraphPanFar    = "  pan, all of them seen, frame"
	lineGraphZoom      = "  zoom, frame"
)

// graphOf is a logdir of one graph of about n ops: a transformer's with its gradients.
func graphOf(name string, n int, measure func(*table, *logdir) error) logdir {
	return logdir{name: name, size: generate.Size{Runs: 1, Tags: 1, Steps: 1}, measure: measure, fill: func(dir string) error {
		return write(filepath.Join(dir, "run"), func(w *summary.Writer) error {
			return w.Raw(summary.Event{WallTime: 1.7e9, GraphDef: graphtest.Large(n)})
		})
	}}
}

// graphDrawn is true when a node of the graph is on the screen.
func graphDrawn(id string) string {
	return `document.querySelector('.gr-node[data-id="` + id + `"]') !== null`
}

// showGraph measures the dashboard of graphs.
func showGraph(t *table, l *logdir) error {
	if err := showGraphPeer(t, l); err != nil {
		return err
	}
	if err := measured(func(tb *tb) error {
		p := page{browsertest.Start(tb, browsertest.Chromium), tb}
		p.Resize(1440, 900)
		p.Open(browsertest.Serve(tb, "--logdir", l.dir).URL + "#graphs")
		p.Wait(graphDrawn("encoder"))
		t.add(l, lineGraphCome, measurement{took: p.sinceNavigation(), memory: tabMemory()})
		return nil
	}); err != nil {
		return err
	}
	return measured(func(tb *tb) error {
		p, _ := indexed(tb, l.dir)
		t.add(l, lineGraph10, measurement{took: p.until(`location.hash = "graphs"`, graphDrawn("encoder")), memory: tabMemory()})
		p.restGraph()
		open := func(id, child string) time.Duration {
			took := p.until(`document.querySelector('.gr-node[data-id="`+id+`"]').dispatchEvent(new MouseEvent("dblclick", {bubbles: true}))`, graphDrawn(child))
			p.restGraph()
			return took
		}
		many := open("encoder", "encoder/block_0")
		t.add(l, lineGraphOpen, measurement{took: open("encoder/block_0", "encoder/block_0/layer_3")})
		t.add(l, lineGraphOpenFirst, measurement{took: many, memory: tabMemory()})
		for _, i := range []int{1, 2, 3, 4, 5} {
			open(fmt.Sprintf("encoder/block_0/layer_%d", i), fmt.Sprintf("encoder/block_0/layer_%d/attention", i))
			open(fmt.Sprintf("encoder/block_0/layer_%d/attention", i), fmt.Sprintf("encoder/block_0/layer_%d/attention/Softmax", i))
		}
		p.moveGraph(t, l)
		for range 6 {
			p.Press("+")
		}
		p.restGraph()
		p.panGraph(t, l, lineGraphPan)
		return nil
	})
}

// showLargeGraph measures a graph of 100,000 ops: first picture, all that opens on the way to its layers, pan and
// zoom.
func showLargeGraph(t *table, l *logdir) error {
	return measured(func(tb *tb) error {
		p, _ := indexed(tb, l.dir)
		t.add(l, lineGraph100, measurement{took: p.until(`location.hash = "graphs"`, graphDrawn("encoder")), memory: tabMemory()})
		p.restGraph()
		for range 4 {
			p.Eval(`new Promise((done) => {
				const n = document.querySelectorAll(".gr-node").length;
				const closed = document.querySelector(".gr-node.group:not(.open)");
				if (!closed) return done();
				closed.dispatchEvent(new MouseEvent("dblclick", {bubbles: true}));
				const look = () => document.querySelectorAll(".gr-node").length > n ? done() : requestAnimationFrame(look);
				look();
			})`, nil)
			p.restGraph()
		}
		p.moveGraph(t, l)
		return nil
	})
}

// moveGraph measures pan and zoom of all of a graph's picture. The pointer goes to and fro, as a hand does.
func (p page) moveGraph(t *table, l *logdir) {
	p.Press("0")
	p.restGraph()
	p.panGraph(t, l, lineGraphPanFar)
	p.handGraph(t, l, lineGraphZoom, `e.dispatchEvent(new WheelEvent("wheel", {deltaY: k < 60 ? -40 : 40, clientX: 600, clientY: 400, bubbles: true, cancelable: true}));`)
}

func (p page) panGraph(t *table, l *logdir, line string) {
	p.handGraph(t, l, line, `const at = {pointerId: 1, button: 0, clientX: 300 + 9 * d, clientY: 300 + 4 * d, bubbles: true};
				if (!k) e.dispatchEvent(new PointerEvent("pointerdown", at));
				e.dispatchEvent(new PointerEvent(k === 119 ? "pointerup" : "pointermove", at));`)
}

// handGraph sends an event in each of 120 frames.
func (p page) handGraph(t *table, l *logdir, line string, event string) {
	worked := p.Frames(func() {
		var list []float64
		p.Eval(frames(`(k) => {
				const e = document.querySelector(".gr-stage"), d = k < 60 ? k : 120 - k;
				e.setPointerCapture = () => {};
				`+event+`
			}`), &list)
		t.add(l, line, measurement{took: ms(list[len(list)*95/100])})
	})
	t.add(l, line+processorTime, measurement{took: ms(worked[len(worked)*95/100])})
	p.restGraph()
}

// sinceNavigation is how long ago the page was navigated to.
func (p page) sinceNavigation() time.Duration {
	var took float64
	p.Eval(`performance.now()`, &took)
	return ms(took)
}

// restGraph waits until nothing moves in the graph's picture.
func (p page) restGraph() {
	p.Eval(`(async () => { for (let calm = 0; calm < 6; calm = tbPaint.idle() && !document.getAnimations().length ? calm + 1 : 0) await new Promise((done) => setTimeout(done, 50)); })()`, nil)
}

// peerNodes finds nodes of TensorBoard's picture, which stand in shadow roots.
const peerNodes = `void (globalThis.benchNodes = (root, out = []) => {
	for (const e of root.querySelectorAll("*")) if (e.shadowRoot) benchNodes(e.shadowRoot, out);
	out.push(...root.querySelectorAll("g.node"));
	return out;
})`

// showGraphPeer measures TensorBoard itself.
func showGraphPeer(t *table, l *logdir) error {
	if t.noPeer {
		return nil
	}
	program, why := findBoard(filepath.Dir(l.dir))
	if why != "" {
		fmt.Println("TensorBoard is left out:", why)
		return nil
	}
	return measured(func(tb *tb) error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		address := listener.Addr().(*net.TCPAddr)
		listener.Close()
		cmd := exec.Command(program, "--logdir", l.dir, "--host", "127.0.0.1", "--port", fmt.Sprint(address.Port))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it starts a loader of its own
		if err := cmd.Start(); err != nil {
			return err
		}
		tb.Cleanup(func() {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
			cmd.Wait()
		})
		url := "http://" + address.String()
		for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
			if r, err := http.Get(url + "/data/plugin/graphs/info"); err == nil {
				body, _ := io.ReadAll(r.Body)
				r.Body.Close()
				if len(body) > 10 {
					break
				}
			}
			if time.Now().After(end) {
				fmt.Printf("TensorBoard has found no graph of %s in a minute\n", l.name)
				return nil
			}
		}
		p := page{browsertest.Start(tb, browsertest.Chromium), tb}
		p.Resize(1440, 900)
		p.Open(url + "/#graphs")
		p.Eval(peerNodes, nil)
		wait := func(is string) bool {
			for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				var done bool
				if p.Eval(is, &done); done {
					return true
				}
			}
			return false
		}
		const encoder = `benchNodes(document).find((g) => g.getAttribute("data-name") === "encoder")`
		if !wait(`Boolean(` + encoder + `)`) {
			fmt.Printf("TensorBoard has drawn no graph of %s in two minutes\n", l.name)
			return nil
		}
		t.add(l, lineGraphPeer, measurement{took: p.sinceNavigation(), memory: tabMemory()})
		p.Eval(`new Promise((done) => setTimeout(done, 1500))`, nil)
		var took float64
		p.Eval(`new Promise((done) => {
			const began = performance.now(), g = `+encoder+`;
			(g.querySelector(".buttoncontainer") ?? g).dispatchEvent(new MouseEvent(g.querySelector(".buttoncontainer") ? "click" : "dblclick", {bubbles: true}));
			const look = () => benchNodes(document).some((n) => n.getAttribute("data-name") === "encoder/block_0") ? done(performance.now() - began)
				: performance.now() - began > 60000 ? done(-1) : setTimeout(look, 5);
			look();
		})`, &took)
		if took > 0 {
			t.add(l, lineGraphPeerOpen, measurement{took: ms(took)})
		}
		return nil
	})
}
