package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/static"
)

// tree makes a source tree whose program only prints its role.
func tree(t *testing.T) Options {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string) {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.org/page\n\ngo 1.26\n")
	put("wasm/main.go", "package main\n\nimport \"os\"\n\nfunc main() { println(os.Args[0]) }\n")
	put("static/vendor/lib.min.js", "var lib = 1\n")
	put("static/vendor/lib.css", ".lib{}\n")
	put("static/lazy/late/a.js", "var late = 1\n")
	put("static/lazy/late/kit", "kit\n")
	put("static/kit/kit.js", "var kit = 1\n")
	put("static/kit/other.js", "var other = 1\n")
	put("wasm/second/main.go", "package main\n\nfunc main() { println(2) }\n")
	put("static/lazy/work/work.js", "var work = 1\n")
	put("static/lazy/work/program", "./wasm/second\n")
	for _, n := range []string{"index.html", "boot.js", "worker.js", "body.js", "theme.js", "run.js", "boot.css", "icon.svg", "plugin/shim.js", "plugin/back.js", "plugin/frame.html"} {
		data, err := os.ReadFile(filepath.Join("..", n))
		if err != nil {
			t.Fatal(err)
		}
		put("static/"+n, string(data))
	}
	return Options{Root: root, Program: "./wasm", Dist: filepath.Join(root, "static/dist"), Work: filepath.Join(root, "bin"), Brotli: 1}
}

func assets(t *testing.T, o Options) map[string]os.FileInfo {
	t.Helper()
	found := map[string]os.FileInfo{}
	entries, err := os.ReadDir(filepath.Join(o.Dist, "assets"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = fi
	}
	return found
}

func TestPack(t *testing.T) {
	o := tree(t)
	o.Version = `v1.2-3-g"<abc`
	if err := Pack(o); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(o.Dist, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	site := static.Forms(os.DirFS(o.Dist))
	urls := regexp.MustCompile(`(?:src|href|data-\w+)="([^"]*)"`).FindAllStringSubmatch(string(index), -1)
	if len(urls) < 8 {
		t.Errorf("index.html names only %d assets:\n%s", len(urls), index)
	}
	name := regexp.MustCompile(`^assets/[\w.]+\.[0-9a-f]{12}\.(js|css|svg|wasm|html)$`)
	used := map[string]bool{}
	for _, u := range urls {
		if strings.HasPrefix(u[0], "data-version") {
			if html.UnescapeString(u[1]) != o.Version {
				t.Errorf("the page says it is of %q", u[1])
			}
			continue
		}
		if strings.HasPrefix(u[0], "data-size") { // of the program
			if n, err := strconv.Atoi(u[1]); err != nil || n < 1000 {
				t.Errorf("the page says that its program has %q bytes", u[1])
			}
			continue
		}
		if strings.HasPrefix(u[0], "data-lazy") { // those that are loaded later
			lazy := static.Lazy(u[1])
			if len(lazy) == 0 {
				t.Error("no script is loaded later")
			}
			// A folder with a kit begins with it, a worker's with what runs its program.
			for name, texts := range map[string][]string{"late": {"var kit", "var late"}, "work": {"tbRun", "var work"}, "work.wasm": {"\x00asm"}} {
				data, err := fs.ReadFile(site, lazy[name])
				at := 0
				for _, text := range texts {
					i := bytes.Index(data[min(at, len(data)):], []byte(text))
					if err != nil || i < 0 {
						t.Errorf("%s: %v, no %q where it belongs", name, err, text)
					}
					at += i
				}
			}
			for _, address := range lazy {
				if !name.MatchString(address) {
					t.Errorf("address %q is not relative with a hash", address)
				}
				used[address] = true
			}
			continue
		}
		if !name.MatchString(u[1]) {
			t.Errorf("address %q is not relative with a hash", u[1])
		}
		used[u[1]] = true
	}
	for n := range assets(t, o) {
		plain, ok := strings.CutSuffix(n, ".br")
		if !ok || !used["assets/"+plain] {
			t.Errorf("%s is in dist but not in index.html", n)
		}
		data, err := fs.ReadFile(site, "assets/"+plain)
		if sum := fmt.Sprintf(".%x.", sha256.Sum256(data))[:13]; err != nil || !strings.Contains(plain, sum) {
			t.Errorf("%s holds something else (%v)", n, err)
		}
	}
	if !bytes.Contains(index, []byte("trusted-types app")) || bytes.Contains(index, []byte("frame-ancestors")) {
		t.Errorf("index.html's policy must have trusted types and, being a <meta>, no frame-ancestors:\n%s", index)
	}
	if err := printSize(io.Discard, o.Dist); err != nil {
		t.Error(err)
	}
}

// The packages that are compiled for speed are there under these names.
func TestInlinedPackages(t *testing.T) {
	cmd := exec.Command("go", append([]string{"list"}, inlined...)...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	// A pattern that names nothing is a warning; that modules are fetched is said there too.
	if err != nil || strings.Contains(said.String(), "matched no packages") {
		t.Fatalf("go list: %v: %s", err, said.String())
	}
	for _, want := range []string{"internal/runtime/maps", modulePath + "shared/catalog", modulePath + "shared/series"} {
		if !slices.Contains(strings.Fields(string(out)), want) {
			t.Errorf("%s is not among the packages", want)
		}
	}
}

// A second build writes nothing anew but what changed, and removes the old.
func TestPackAgain(t *testing.T) {
	o := tree(t)
	if err := Pack(o); err != nil {
		t.Fatal(err)
	}
	before := assets(t, o)
	if err := os.WriteFile(filepath.Join(o.Root, "static", "boot.css"), []byte("/* other */\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Pack(o); err != nil {
		t.Fatal(err)
	}
	after := assets(t, o)
	if len(before) != len(after) {
		t.Errorf("%d files before, %d after", len(before), len(after))
	}
	for n, fi := range after {
		old, same := before[n]
		if changed := strings.HasPrefix(n, "app.") && strings.Contains(n, ".css"); changed == same {
			t.Errorf("%s: changed %v, but name kept %v", n, changed, same)
		}
		if same && !old.ModTime().Equal(fi.ModTime()) {
			t.Errorf("%s was written again", n)
		}
	}
	// A thorough build replaces the twins of a quick one, not the other way round.
	var program string
	for n := range after {
		if strings.HasSuffix(n, ".wasm.br") {
			program = n
		}
	}
	o.Brotli = 5
	if err := Pack(o); err != nil {
		t.Fatal(err)
	}
	better := assets(t, o)[program].Size()
	if better >= after[program].Size() {
		t.Errorf("quality 5 gave %d bytes, 1 gave %d", better, after[program].Size())
	}
	o.Brotli = 1
	if err := Pack(o); err != nil {
		t.Fatal(err)
	}
	if got := assets(t, o)[program].Size(); got != better {
		t.Errorf("a quick build replaced the twin of %d bytes by one of %d", better, got)
	}
}

func TestSizeOverBudget(t *testing.T) {
	dist := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dist, "assets"), 0o777); err != nil {
		t.Fatal(err)
	}
	// What does not get smaller.
	random := make([]byte, budget)
	rand.NewChaCha8([32]byte{}).Read(random)
	asset := brotliOf(random, 1)
	for name, data := range map[string][]byte{"index.html": random[:10], "assets/a.js.br": asset} {
		if err := os.WriteFile(filepath.Join(dist, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var over *BudgetError
	if err := printSize(io.Discard, dist); !errors.As(err, &over) || over.Got != int64(len(asset))+10 {
		t.Errorf("got %v", err)
	}

	// What is loaded later does not count, and is printed.
	if err := os.WriteFile(filepath.Join(dist, "index.html"), []byte(`<script data-lazy="assets/a.js assets/b.js">`), 0o666); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := printSize(&said, dist); err != nil || !strings.Contains(said.String(), "a.js, when needed") {
		t.Errorf("%v\n%s", err, said.String())
	}
}

// The site that was built here is within its budget. In development its program is packed with
// quality 5, which is quick; quality 11 makes 0.811 times as much of it (0.8106 of two builds).
func TestFirstVisitInBudget(t *testing.T) {
	const slower = 0.811
	first, err := printFiles(io.Discard, filepath.Join("..", "dist"))
	if err != nil {
		t.Fatalf("%v: make wasm builds the site", err)
	}
	programs := 0
	for name, quality := range readQualities(Options{Work: filepath.Join("..", "..", "bin")}) {
		if !strings.HasPrefix(name, "app.") || !strings.HasSuffix(name, ".wasm") {
			continue
		}
		packed, err := os.Stat(filepath.Join("..", "dist", "assets", name+".br"))
		if err != nil {
			continue // of a build before
		}
		programs++
		switch quality {
		case 5:
			first -= int64(float64(packed.Size()) * (1 - slower))
		case 11:
		default:
			t.Fatalf("the program is packed with quality %d: make wasm packs with 5", quality)
		}
	}
	if programs != 1 {
		t.Fatalf("the site has %d programs", programs)
	}
	if first > budget {
		t.Errorf("a first visit downloads about %d bytes, the budget is %d: see make size", first, budget)
	}
}

// Of our scripts go lines that are comments, and what lines are indented by; a text of several
// lines stays as it is, and each such text has its end in its script.
func TestUncommented(t *testing.T) {
	for in, want := range map[string]string{
		"// a\n\t// b\nf(); // c\n  s = \"// d\";\n":                 "\n\nf();\ns = \"// d\";\n",
		"s = 'a // b';\nt = \"a\" // b's\nu('a'); // b\n":            "s = 'a // b';\nt = \"a\" // b's\nu('a');\n",
		"/** @type {A<b>[]} */\n  const a = /** @type {B} */ (f());": "\nconst a = (f());",
		"  s = `a\n  // b\n    c`;\n  // d\n  f();":                  "s = `a\n  // b\n    c`;\n\nf();",
	} {
		if got := string(uncommented([]byte(in))); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
	for _, name := range ourScripts(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if after := uncommented(append(text, "\n  // an end"...)); !bytes.HasSuffix(after, []byte("\n")) {
			t.Errorf("%s: a template literal does not end, or a line has one and a half", name)
		}
	}
}

// ourScripts are all scripts in the source tree that are not vendored, with their paths.
func ourScripts(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if d.IsDir() && (name == ".git" || name == "bin" || name == "dist" || name == "vendor" || name == "node_modules") {
			return fs.SkipDir
		}
		if ext := filepath.Ext(name); (ext == ".js" || ext == ".mjs") && !vendored[name] && !strings.HasSuffix(name, ".min.js") {
			names = append(names, path)
		}
		return err
	})
	if err != nil || len(names) < 70 {
		t.Fatal(len(names), err)
	}
	return names
}

// No line of a script is wider than a window beside another one.
func TestLinesOfScripts(t *testing.T) {
	const most = 120
	for _, name := range ourScripts(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(text), "\n") {
			if columns := utf8.RuneCountInString(line); columns > most {
				t.Errorf("%s:%d: has %d columns, and may have %d", name, n+1, columns, most)
			}
		}
	}
}

// This Go release looks scripts up where the overlay expects it, and with the overlay a
// program that parses expressions is smaller.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	path, _, err := overlay(dir)
	if err != nil || path == "" {
		t.Fatal(path, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nimport (\n\t\"regexp\"\n\t\"syscall/js\"\n)\n\nfunc main() { println(js.Global().Truthy(), regexp.MustCompile(`x`).String()) }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	size := func(args ...string) int {
		t.Helper()
		out := filepath.Join(dir, "out.wasm")
		cmd := exec.Command("go", append(append([]string{"build", "-ldflags=-s -w", "-o", out}, args...), filepath.Join(dir, "main.go"))...)
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return len(data)
	}
	if with, without := size("-overlay="+path), size(); with >= without {
		t.Errorf("the program has %d bytes, without the overlay %d", with, without)
	}
}
