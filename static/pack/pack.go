package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/server/guard"
)

// Options say what is packed and where to. Relative paths but Root are relative to
// the working directory.
type Options struct {
	Root    string // of the source tree; static/ in it holds the page's sources
	Program string // package of the program, relative to Root
	Dist    string // written
	Work    string // scratch: the linked program, and what twins were made with
	Brotli  int    // quality, 0 to 11
	Version string // what the page says it was built from
}

// asset is one file of dist/assets.
type asset struct {
	name string // with its hash
	data []byte
}

// Pack builds the site. Assets that are there already are kept with their twins,
// those that no page names any more are removed.
func Pack(o Options) error {
	program, err := buildProgram(o, o.Program, "app")
	if err != nil {
		return err
	}
	exec, err := wasmExec()
	if err != nil {
		return err
	}
	src := sources{dir: filepath.Join(o.Root, "static")}
	run := append(exec, src.script("run.js")...)
	p := page{Version: o.Version}
	p.Policy = guard.MetaPolicy
	p.Program, p.Size = src.add("app.wasm", program), len(program)
	p.Theme = src.add("theme.js", src.script("theme.js"))
	p.Icon = src.add("icon.svg", src.read("icon.svg"))
	p.Style = src.add("app.css", append(src.join("vendor/*.css", "vendor/*/*.css"), remarks.ReplaceAll(src.join("*.css"), nil)...))
	// One script each for what changes with Go, with a library, and with us.
	p.Scripts = append(p.Scripts, src.add("run.js", run))
	for _, lib := range src.glob("vendor/*.js", "vendor/*/*.js") {
		script, err := later(filepath.Base(lib), src.read(lib))
		if err != nil {
			return err
		}
		p.Scripts = append(p.Scripts, src.add(filepath.Base(lib), script))
	}
	p.Scripts = append(p.Scripts, src.add("paint.js", src.ours("element.js", "focus.js", "paint*.js")))
	// What is loaded when it is first needed: a folder of lazy is one script.
	for _, dir := range src.glob("lazy/*") {
		name := filepath.Base(dir)
		script := src.ours(dir + "/*.js")
		if of := src.glob(dir + "/kit"); len(of) == 1 {
			// It begins with parts of the kit that the file names.
			parts := strings.Fields(string(src.read(of[0])))
			for i, part := range parts {
				if parts[i] = "kit/" + part + ".js"; len(src.glob(parts[i])) == 0 {
					return fmt.Errorf("%s names %q, and there is no static/%s", of[0], part, parts[i])
				}
			}
			script = append(src.ours(parts...), script...)
		}
		if of := src.glob(dir + "/program"); len(of) == 1 {
			// A worker with a Go program of its own: the file says of which package.
			second, err := buildProgram(o, strings.TrimSpace(string(src.read(of[0]))), name)
			if err != nil {
				return err
			}
			p.Lazy = append(p.Lazy, src.add(name+".wasm", second))
			script = slices.Concat(run, script)
		}
		p.Lazy = append(p.Lazy, src.add(name+".js", script))
	}
	p.Lazy = append(p.Lazy, src.add(frameName, src.frame()))
	p.Boot = src.add("boot.js", src.script("boot.js"))
	// A worker is one file: importScripts would need its address trusted again.
	p.Worker = src.add("worker.js", slices.Concat(run, src.script("body.js"), src.script("worker.js")))
	index, err := p.render(src.read("index.html"))
	if err != nil {
		return err
	}
	if src.err != nil {
		return src.err
	}
	return write(o, src.assets, index)
}

// page is what index.html is filled in with; all but Policy and Version are relative URLs.
type page struct {
	Policy, Version                           string
	Theme, Icon, Style, Program, Boot, Worker string
	Scripts                                   []string
	Lazy                                      []string // what is loaded when it is first needed; see static.Lazy
	Size                                      int      // of the program, bytes
}

func (p *page) render(source []byte) ([]byte, error) {
	t, err := template.New("index.html").Parse(string(source))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, p)
	return b.Bytes(), err
}

// sources reads the page's sources and collects the assets made of them. The first
// error sticks.
type sources struct {
	dir    string
	assets []asset
	err    error
}

// frameName is the document of plug-ins' frames.
const frameName = "frame.html"

// frame is that document, with its policy and its scripts in it.
func (s *sources) frame() []byte {
	return []byte(strings.NewReplacer("{{policy}}", guard.FramePolicy, "{{shim}}", string(s.script("plugin/shim.js")), "{{back}}", string(s.script("plugin/back.js"))).
		Replace(string(s.read("plugin/frame.html"))))
}

func (s *sources) read(name string) []byte {
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil && s.err == nil {
		s.err = err
	}
	return data
}

// script reads one of our own scripts.
func (s *sources) script(name string) []byte { return uncommented(s.read(name)) }

// uncommented is one of our own scripts without comments of a line and behind a line, without
// types, and without what lines are indented by: a quarter of it as it is sent. Lines
// stay, if empty, so that what is said of one is found; those within a template literal stay as
// they are.
func uncommented(script []byte) []byte {
	lines, open := bytes.Split(script, []byte("\n")), false
	for i, l := range lines {
		bare := types.ReplaceAll(bytes.TrimLeft(l, " \t"), nil)
		switch {
		case open:
		case bytes.HasPrefix(bare, []byte("//")):
			lines[i] = nil
			continue
		default:
			lines[i] = remark(bare)
		}
		open = open != (bytes.Count(l, []byte("`"))%2 == 1)
	}
	return bytes.Join(lines, []byte("\n"))
}

// remark is a line without the comment behind it, where that is surely one: no quotation mark
// is open before it, and none is in it.
func remark(line []byte) []byte {
	at := bytes.LastIndex(line, []byte(" // "))
	if at < 0 || bytes.ContainsAny(line[at:], "\"'`") {
		return line
	}
	for _, mark := range "\"'`" {
		if bytes.Count(line[:at], []byte(string(mark)))%2 == 1 {
			return line
		}
	}
	return bytes.TrimRight(line[:at], " ")
}

// types are comments that say what a name or a value is, for the checker and whoever reads.
var types = regexp.MustCompile(`/\*\* @type [^*]*\*/ ?`)

// remarks are comments of a style sheet; no text in ours looks like one.
var remarks = regexp.MustCompile(`(?s)/\*.*?\*/\n?`)

// vendored are scripts of others in folders of our own; what is minified is one, too.
var vendored = map[string]bool{"marked.umd.js": true, "fft.js": true, "client-zip.js": true}

// laters are texts of libraries, each with one that does the same when it is asked for. A
// browser's first Intl object takes it 10 ms of the page's thread at a first visit, and uPlot
// makes two for axes and times that our charts write themselves.
var laters = map[string][][2]string{"uPlot.iife.min.js": {
	{`const el=new Intl.NumberFormat(_?k.language:"en-US"),tl=l=>el.format(l)`, `let el;const tl=l=>(el??=new Intl.NumberFormat(_?k.language:"en-US")).format(l)`},
	{`const ie=(new Intl.DateTimeFormat).resolvedOptions().timeZone`, `const ie=()=>(new Intl.DateTimeFormat).resolvedOptions().timeZone`},
	{`e==ie?t=l`, `e==ie()?t=l`},
}}

// later is a library that does at its start only what it must.
func later(name string, script []byte) ([]byte, error) {
	for _, l := range laters[name] {
		if bytes.Count(script, []byte(l[0])) != 1 {
			return nil, fmt.Errorf("%s is another release: %q does not stand in it once; see laters", name, l[0])
		}
		script = bytes.Replace(script, []byte(l[0]), []byte(l[1]), 1)
	}
	return script, nil
}

// ours joins scripts, our own ones as they are sent.
func (s *sources) ours(patterns ...string) []byte {
	var b []byte
	for _, name := range s.glob(patterns...) {
		text := s.read(name)
		if !vendored[filepath.Base(name)] && !strings.HasSuffix(name, ".min.js") {
			text = uncommented(text)
		}
		b = append(append(b, text...), '\n')
	}
	return b
}

// glob returns the files that match, in the order of the patterns and by name.
func (s *sources) glob(patterns ...string) []string {
	var names []string
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(s.dir, p))
		if err != nil {
			panic(err) // a malformed pattern
		}
		for _, f := range found {
			name, _ := filepath.Rel(s.dir, f)
			names = append(names, name)
		}
	}
	return names
}

func (s *sources) join(patterns ...string) []byte {
	var b []byte
	for _, name := range s.glob(patterns...) {
		b = append(append(b, s.read(name)...), '\n')
	}
	return b
}

// add makes data an asset and returns its URL.
func (s *sources) add(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := filepath.Ext(name)
	name = strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	s.assets = append(s.assets, asset{name, data})
	return "assets/" + name
}

// inlined are the packages whose work is per byte or point. Only in them may the compiler
// put the body of a function in place of its call: elsewhere, in what answers a click and
// in the collector, that made the program 9 % larger and nothing faster that was measured
// (BenchmarkFeed of shared/catalog under node: 1.45 s of processor time with calls in the
// runtime, 1.55 s without).
var inlined = []string{
	"internal/runtime/...", "internal/bytealg", "unicode/utf8", "math/...",
	"encoding/binary", "hash/...", "google.golang.org/protobuf/...",
	modulePath + "shared/catalog/...", modulePath + "shared/chart/...", modulePath + "shared/event/...",
	modulePath + "shared/filter/...", modulePath + "shared/histogram/...", modulePath + "shared/kind/scalars",
	modulePath + "shared/natural/...", modulePath + "shared/series/...", modulePath + "shared/smooth/...",
	modulePath + "shared/tfrecord/...",
}

const modulePath = "github.com/tensorbored/tensorbored-static/"

// buildProgram links a program, a package relative to Root, and returns its bytes, without
// what only a stack's names need. The linker's output is kept in Work by its name, where the
// next build finds it up to date, and the symbol file beside it.
func buildProgram(o Options, program, name string) ([]byte, error) {
	if err := os.MkdirAll(o.Work, 0o777); err != nil {
		return nil, err
	}
	out, err := filepath.Abs(filepath.Join(o.Work, name+".wasm"))
	if err != nil {
		return nil, err
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l"}
	for _, pattern := range inlined {
		args = append(args, "-gcflags="+pattern+"=")
	}
	replaced, counts, err := overlay(filepath.Join(o.Work, "_overlay"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", append(args, "-overlay="+replaced, "-o", out, program)...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("building %s for the browser: %w", program, err)
	}
	linked, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	small, known, err := strip(linked, counts)
	if errors.Is(err, errNoTables) { // a Go release that is newer than strip
		fmt.Fprintln(os.Stderr, "pack: names and lines stay in the program:", err)
		return linked, nil
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := known.write(&text); err != nil {
		return nil, err
	}
	return small, writeFile(filepath.Join(o.Work, name+symbolExt), text.Bytes())
}

// A symbol file stands beside a linked program, in Work; symbolFile is the page's.
const (
	symbolExt  = ".symbols"
	symbolFile = "app" + symbolExt
)

// wasmExec returns the script that belongs to the Go release which links the
// program; another release's does not fit.
func wasmExec() ([]byte, error) {
	dir, err := goRoot()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, "lib", "wasm", "wasm_exec.js"))
	if os.IsNotExist(err) { // before Go 1.24
		data, err = os.ReadFile(filepath.Join(dir, "misc", "wasm", "wasm_exec.js"))
	}
	return data, err
}
