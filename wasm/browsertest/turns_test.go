//go:build !js

package browsertest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// collecting is a program that has a million and a half places of memory, and collects.
const collecting = `package main

import (
	"runtime"
	"syscall/js"
)

type node struct {
	next [4]*node
	text string
}

func grow(depth int) *node {
	n := &node{text: "x"}
	for i := 0; depth > 0 && i < len(n.next); i++ {
		n.next[i] = grow(depth - 1)
	}
	return n
}

var (
	kept  = grow(10)
	again js.Func
)

func main() {
	runtime.GC()
	js.Global().Call("began")
	runtime.GC()
	js.Global().Call("ended")
	// A callback that waits for the collector gets what it waits for: the thread is not given
	// back in its middle.
	again = js.FuncOf(func(js.Value, []js.Value) any { runtime.GC(); return kept.next[3].text })
	js.Global().Call("called", again)
	select {}
}
`

// collectingPage runs it. resumed counts how often Go was given the thread between the
// beginning of the second collection and its end; nothing else has Go go on then.
const collectingPage = `<!doctype html><link rel="icon" href="data:,"><script src="wasm_exec.js"></script><script>
	let resumed = 0, on = false;
	globalThis.began = () => { on = true; };
	globalThis.ended = () => { on = false; globalThis.turns = resumed; };
	globalThis.called = (f) => setTimeout(() => { globalThis.answer = f(); });
	const go = new Go(), resume = go._resume;
	go._resume = function () { resumed += on; return resume.call(this); };
	WebAssembly.instantiateStreaming(fetch("x.wasm"), go.importObject).then((made) => go.run(made.instance));
</script>`

// The collector gives the browser turns while it marks: with Go's own runtime, which marks all
// that there is when nothing else is to do, Go is never given the thread anew meanwhile,
// since it never gives it back. The page was built with the same overlay.
func TestCollectorInTurns(t *testing.T) {
	if _, err := build(); err != nil {
		t.Fatal(err)
	}
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(collecting), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-overlay="+filepath.Join(root, "bin", "_overlay", "overlay.json"), "-o", filepath.Join(dir, "x.wasm"), filepath.Join(dir, "main.go"))
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"wasm_exec.js": script, "index.html": []byte(collectingPage)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	each(t, func(t *testing.T, kind Kind) {
		p := Start(t, kind)
		p.Open(s.URL)
		p.Wait(`globalThis.answer === "x"`)
		var turns int
		if p.Eval(`turns`, &turns); turns < 5 {
			t.Errorf("the browser had %d turns while the collector marked", turns)
		}
		t.Logf("%d turns", turns)
	})
}
