//go:build !js

package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// catch keeps every worker that the page talks to from now on in `caught`, until the page
// ends it. crash makes one's Go program panic: by a message that no page sends.
const catch = `void (globalThis.caught = new Set(), globalThis.crash = (w) => send.call(w, {op: "open", json: "no JSON"}),
	globalThis.send = Worker.prototype.postMessage, Worker.prototype.postMessage = function (...args) { caught.add(this); return send.apply(this, args); },
	globalThis.end = Worker.prototype.terminate, Worker.prototype.terminate = function () { caught.delete(this); return end.call(this); })`

// A worker that ends is replaced: the page lives, the files are read again, and
// the status says what happened.
func TestWorkerEnds(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	var paths []string
	for i := range 6 {
		paths = append(paths, l.run(fmt.Sprint("run", i), map[string][]point{"x": curve(i, 0, 50), "y": curve(i, 0, 9)}))
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL)
			v.Eval(catch, nil)
			equal(t, v.all(), l.want) // the page talks to all workers
			v.Eval(`void crash([...caught][0])`, nil)
			v.Wait(`tensorbored.status().lost.length > 0`)
			v.Wait(`tensorbored.status().phase === "exact"`)
			equal(t, v.all(), l.want)
			st := v.status()
			if len(st.Lost) != 1 || st.Lost[0].Kind != "a reader ended" || st.Lost[0].Bytes != 0 || st.Lost[0].File != "" || st.Lost[0].Remedy == "" ||
				st.BytesRead != st.BytesTotal || st.Points != 6*59 {
				t.Errorf("status %+v", st)
			}
			// All of them at once, then the new ones.
			for range 2 {
				// The page is as it was until it has heard of all of them.
				v.Eval(`void (() => { const now = [...caught]; globalThis.ended = tensorbored.status().lost[0].count + now.length; caught.clear(); now.forEach(crash); })()`, nil)
				v.Wait(`caught.size > 0 && tensorbored.status().lost[0].count >= ended && tensorbored.status().phase === "exact"`)
				equal(t, v.all(), l.want)
			}
			if st := v.status(); len(st.Lost) != 1 || st.Lost[0].Count < 3 {
				t.Errorf("lost %+v", st.Lost)
			}
		})
	}
	// It is live as before.
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	v.Eval(catch, nil)
	v.all()
	v.Eval(`void crash([...caught][0])`, nil)
	v.Wait(`tensorbored.status().lost.length > 0`)
	for i, path := range paths {
		l.add(path, more("x", i, 50, 2))
		l.expect(fmt.Sprint("run", i), "x", curve(i, 50, 2)...)
	}
	v.points(6*59 + 12)
	equal(t, v.all(), l.want)
}

// The stack that the status keeps of a reader that ended has places only; the symbol file of
// the build makes names and lines of them.
func TestReportedStack(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("run", map[string][]point{"x": curve(0, 0, 50)})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	v.Eval(catch, nil)
	v.all()
	v.Eval(`void crash([...caught][0])`, nil)
	v.Wait(`tensorbored.status().lost.length > 0`)
	var stack string
	v.Eval(`tensorbored.status().lost[0].details`, &stack)
	if !strings.HasPrefix(stack, "panic: ") {
		t.Errorf("what is kept begins with %.60q", stack)
	}
	resolve := exec.Command("go", "run", "./static/pack", "-resolve", filepath.Join("bin", "app.symbols"))
	resolve.Dir = filepath.Join("..", "..")
	resolve.Stdin = strings.NewReader(stack)
	said, err := resolve.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(said), "/wasm/worker.") || !strings.Contains(string(said), "_js.go:") {
		t.Errorf("resolved: %s", said)
	}
}

// A file on which the reader ends each time is left out and named; the others are
// there, also when that file grows.
func TestFileEndsWorker(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for i := range 6 {
		l.run(fmt.Sprint("run", i), map[string][]point{"x": curve(i, 0, 50)})
	}
	bad := l.run("bad", map[string][]point{"x": curve(9, 0, 50)})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	v.Eval(catch, nil)
	v.all()
	// New workers end while they read that file: what a careful worker, as it is
	// after a crash, says behind having named it is not heard.
	v.Eval(`void (() => {
		globalThis.crashes = 0;
		globalThis.Worker = class extends Worker {
			constructor(url) {
				super(url);
				let doomed = false;
				this.addEventListener("message", (e) => {
					if (e.data.op !== "job") return;
					if (doomed) e.stopImmediatePropagation();
					else if (new TextDecoder().decode(e.data.packed).includes("bad/")) { doomed = true; crashes++; crash(this); }
				});
			}
		};
		[...caught].forEach(crash);
	})()`, nil)
	v.Wait(`tensorbored.status().lost.some((l) => l.run === "bad") && tensorbored.status().phase === "incomplete"`)
	delete(l.want, "bad")
	equal(t, v.all(), l.want)
	named := 0
	for _, lost := range v.status().Lost {
		if lost.File != "" {
			named++
			if lost.Run != "bad" || !strings.HasPrefix(lost.File, "bad/") || lost.Bytes != int64(len(l.read(bad))) {
				t.Errorf("lost %+v", lost)
			}
		}
	}
	if named != 1 {
		t.Errorf("lost %+v", v.status().Lost)
	}
	l.add(bad, more("x", 9, 50, 5))
	l.run("late", map[string][]point{"x": curve(3, 0, 5)})
	v.Wait(`(tensorbored.reload(), tensorbored.status().points === 305 && tensorbored.status().phase === "incomplete")`)
	v.looks()
	equal(t, v.all(), l.want)
	var crashes int
	if v.Eval(`crashes`, &crashes); crashes != 1 {
		t.Errorf("the file ended %d workers", crashes)
	}
}
