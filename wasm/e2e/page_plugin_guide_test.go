//go:build !js

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// The first plug-in of docs/PLUGINS.md, command by command in an empty directory: it shows values with its
// back end in JavaScript, and with the one in Go. The module is that of this tree.
func TestPagePluginGuide(t *testing.T) {
	t.Parallel()
	root := sources(t)
	guide, err := os.ReadFile(filepath.Join(root, "docs/PLUGINS.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(guide), "\n## The first one, in ten minutes\n")
	part, _, _ = strings.Cut(part, "\n## ")
	blocks := map[string][]string{}
	for _, b := range regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(part, -1) {
		blocks[b[1]] = append(blocks[b[1]], b[2])
	}
	if len(blocks["sh"]) != 2 || len(blocks["go"]) != 1 || len(blocks["json"]) != 1 || len(blocks["js"]) != 2 {
		t.Fatalf("the guide has other parts than this test knows: %v", blocks)
	}
	dir := t.TempDir()
	hello := filepath.Join(dir, "hello")
	run := func(in, line string) {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = in
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(browsertest.Binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, text)
		}
	}
	var serve []string
	for line := range strings.Lines(blocks["sh"][0]) {
		line, _, _ = strings.Cut(line, "#")
		if args := strings.Fields(line); len(args) > 2 && args[1] == "plugin" && args[2] == "serve" {
			serve = args[1:]
		} else {
			run(dir, line)
		}
	}
	for i, name := range []string{"index.js", "backend.js"} {
		text, err := os.ReadFile(filepath.Join(hello, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(blocks["js"][i]) {
			if !strings.Contains(string(text), strings.TrimSpace(line)) {
				t.Errorf("%s has no line %q", name, line)
			}
		}
	}
	if serve == nil {
		t.Fatal("the guide serves nothing")
	}
	browsertest.Serving(t, dir, append(serve, "--port", "0")...) // which prints its address
	// Nobody but this test's host tells what is in the frame.
	shown := func() {
		t.Helper()
		s := comes(t, browsertest.Chromium, plugged(t, filepath.Join(dir, "logs"), hello))
		s.fresh("#hello")
		s.tells("relu_lr0.3\taccuracy/test\t0.")
	}
	shown()
	put(t, filepath.Join(hello, "main.go"), []byte(blocks["go"][0]))
	for line := range strings.Lines(blocks["sh"][1]) {
		if strings.HasPrefix(line, "go get ") {
			line = "go mod edit -require=github.com/tensorbored/tensorbored-static@v0.0.0 -replace=github.com/tensorbored/tensorbored-static=" + root
		}
		run(hello, line)
	}
	manifest := filepath.Join(hello, "plugin.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	was := regexp.MustCompile(`"backend": .*`)
	if !was.Match(text) {
		t.Fatalf("%s names no back end:\n%s", manifest, text)
	}
	put(t, manifest, was.ReplaceAllLiteral(text, []byte(strings.TrimSpace(blocks["json"][0]))))
	for _, name := range []string{"backend.js", "backend.wasm"} {
		if _, err := os.Stat(filepath.Join(hello, name)); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(filepath.Join(hello, "backend.js")); err != nil {
		t.Fatal(err)
	}
	shown()
}
