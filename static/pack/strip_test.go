package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// linked is the small program of tree, as the linker made it, and stripped.
func linked(t *testing.T) (whole, small []byte, known *symbols) {
	t.Helper()
	o := tree(t)
	program := "package main\n\nimport \"os\"\n\ntype named struct{ n int }\n\nfunc (v named) Name() int { return v.n }\n\n" +
		"var i any = &named{len(os.Args)}\n\nfunc main() {\n\tif i.(interface{ Name() int }).Name() > 3 {\n\t\tpanic(os.Args[0])\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(o.Root, "wasm", "main.go"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	small, err := buildProgram(o, o.Program, "app")
	if err != nil {
		t.Fatal(err)
	}
	whole, err = os.ReadFile(filepath.Join(o.Work, "app.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(o.Work, symbolFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if known, err = readSymbols(f); err != nil {
		t.Fatal(err)
	}
	return whole, small, known
}

// parts are a program's sections without its data, its memory, and the tables in it.
func parts(t *testing.T, program []byte) ([]section, []byte, *tables) {
	t.Helper()
	m, err := parseModule(program)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := m.memory()
	if err != nil {
		t.Fatal(err)
	}
	tables, err := findTables(memory)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(m.sections, func(s section) bool { return s.id == dataSection }), memory, tables
}

// What the program runs by is as it was; names, files and lines are not in it.
func TestStrip(t *testing.T) {
	whole, small, known := linked(t)
	code, memory, had := parts(t, whole)
	codeNow, memoryNow, has := parts(t, small)
	if !slices.EqualFunc(code, codeNow, func(a, b section) bool { return a.id == codeSection || a.id == b.id && bytes.Equal(a.body, b.body) }) {
		t.Error("a section other than code and data has changed")
	}
	for i, s := range code {
		if s.id == codeSection {
			sameCode(t, s.body, codeNow[i].body, known)
		}
	}
	for _, text := range []string{"main.named", "main.go", "os.Args", "os/proc.go"} {
		if bytes.Contains(has.names, []byte(text)) || bytes.Contains(has.files, []byte(text)) {
			t.Errorf("%q is still in the tables", text)
		}
	}
	// A runtime that grows a stack, collects and panics asks for these.
	wrappers, own := 0, 0
	for i := range had.count {
		f, err := had.function(i)
		g, err2 := has.function(i)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		name, short := had.name(f), has.name(g)
		if f.word(wordEntry) != g.word(wordEntry) || f.word(wordArgs) != g.word(wordArgs) || f.word(wordDefer) != g.word(wordDefer) ||
			!bytes.Equal(f.b[40:44], g.b[40:44]) {
			t.Fatalf("%s: what it is has changed", name)
		}
		if isUnreached(name) {
			continue
		}
		if a, b := had.values(f.word(wordSP)), has.values(g.word(wordSP)); !slices.Equal(a, b) {
			t.Fatalf("%s: depths of the stack %v, they were %v", name, b, a)
		}
		if f.word(wordPCData) > pcdataStackMap {
			at := funcFixed + 4*pcdataStackMap
			a := had.values(binary.LittleEndian.Uint32(f.b[at:]))
			if b := has.values(binary.LittleEndian.Uint32(g.b[at:])); !slices.Equal(a, b) {
				t.Fatalf("%s: stack maps %v, they were %v", name, b, a)
			}
		}
		if strings.HasPrefix(name, "runtime.") != strings.HasPrefix(short, "runtime.") {
			t.Errorf("%s is called %q: the runtime does not know its own", name, short)
		}
		if strings.HasPrefix(short, "runtime.") {
			own++
		}
		if name == "main.(*named).Name" {
			wrappers++
			if short != "p.(*T).m" {
				t.Errorf("the wrapper %s is called %q: panicwrap stops at that", name, short)
			}
		}
	}
	if own == 0 || wrappers != 1 {
		t.Errorf("%d functions of the runtime, %d wrappers", own, wrappers)
	}
	// All else in memory is as it was.
	at, end := len(memory)-len(had.funcs)-len(had.pcs)-len(had.files)-len(had.units)-len(had.names), len(memory)
	if !bytes.Equal(memory[:at], memoryNow[:at]) || len(memoryNow) != end {
		t.Error("memory before the tables has changed")
	}
	f, err := had.function(had.count - 1)
	if err != nil {
		t.Fatal(err)
	}
	behind := end - len(f.b) + 1024 // more than the last function's own arrays
	clear(had.buckets(memory))      // see TestBuckets
	if !bytes.Equal(memory[behind:], memoryNow[behind:]) {
		t.Error("memory behind the tables has changed")
	}
	if len(brotliOf(small, 9)) > len(brotliOf(whole, 9))*9/10 {
		t.Error("it is hardly smaller")
	}
}

// sameCode holds the code of a program against what it was, said shorter (shorten_test.go says
// that this means the same): nothing but the bodies of the runtime's functions that nothing
// calls is another, and of each sort there is one.
func sameCode(t *testing.T, was, is []byte, known *symbols) {
	t.Helper()
	next := func(b []byte, at int) ([]byte, int) {
		size, n := uvarint(b, at)
		return b[at+n : at+n+int(size)], at + n + int(size)
	}
	_, from := uvarint(was, 0)
	at, now := from, from
	trapped := 0
	for _, f := range known.functions {
		var a, b []byte
		a, at = next(was, at)
		b, now = next(is, now)
		switch {
		case bytes.Equal(shortened(a), b):
		case !bytes.Equal(b, shortened(trap)) || !isUnreached(f.name):
			t.Fatalf("the code of %s has changed", f.name)
		default:
			trapped++
		}
	}
	if trapped < 100 {
		t.Errorf("%d functions are taken out: the runtime's tracer alone has more", trapped)
	}
	for _, name := range []string{"runtime.traceLocker.ok", "runtime.traceEnabled", "runtime.traceAcquire", "runtime.traceback2", "main.main"} {
		if isUnreached(name) {
			t.Errorf("%s runs, and is taken out", name)
		}
	}
}

// A reported stack is read by the symbol file.
func TestResolve(t *testing.T) {
	_, _, known := linked(t)
	var main symbol
	for _, f := range known.functions {
		if f.name == "main.main" {
			main = f
		}
	}
	if main.file != "example.org/page/wasm/main.go" && !strings.HasSuffix(main.file, "/main.go") || len(main.lines) < 3 {
		t.Fatalf("main.main is known as %+v", main)
	}
	last := main.lines[len(main.lines)-1]
	for _, l := range main.lines {
		if l.line < 9 || l.line > 15 {
			t.Errorf("line %d is none of main's", l.line)
		}
	}
	var b strings.Builder
	text := "panic: x\n\ngoroutine 1 [running]:\n()\n\t?:0 +0x1 fp=0x4 sp=0x2 pc=0x" + hex8(main.entry+uint32(last.part)) + "\nno place\n"
	if err := known.resolve(&b, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\tmain.main ") || !strings.Contains(b.String(), "/main.go:") || !strings.Contains(b.String(), "panic: x") || !strings.Contains(b.String(), "no place") {
		t.Errorf("%s", b.String())
	}
	i := slices.IndexFunc(known.functions, func(f symbol) bool { return f.name == "main.main" })
	b.Reset()
	text = fmt.Sprintf("RuntimeError: unreachable\n    at http://127.0.0.1:6006/assets/app.d800.wasm:wasm-function[%d]:0xb0935\nrun@x.wasm:wasm-function[3]:0x9\n", known.imports+i)
	if err := known.resolve(&b, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if want := "RuntimeError: unreachable\n\tmain.main " + main.file + "\nrun@x.wasm:wasm-function[3]:0x9\n"; known.imports < 4 || b.String() != want {
		t.Errorf("%d imports: %q, want %q", known.imports, b.String(), want)
	}
	if known.at(0) != "" {
		t.Errorf("place 0 is %s", known.at(0))
	}
	if _, err := readSymbols(strings.NewReader("no symbols\n")); err == nil {
		t.Error("anything is a symbol file")
	}
}

func hex8(v uint32) string {
	const digits = "0123456789abcdef"
	var b [8]byte
	for i := range b {
		b[i] = digits[v>>(28-4*i)&15]
	}
	return string(b[:])
}

// A program that does what unreached.go holds that it does not is refused.
func TestUnreachedReasons(t *testing.T) {
	whole, _, known := linked(t)
	m, err := parseModule(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.unreach(known.functions); err != nil {
		t.Fatal(err)
	}
	for because, names := range unless {
		for _, name := range names {
			functions := slices.Clone(known.functions)
			functions[len(functions)-1].name = name
			if err := m.unreach(functions); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), because) {
				t.Errorf("a program with %s is refused by %v", name, err)
			}
		}
	}
}

// What package time reads and writes as text and JSON is among the functions that nothing
// calls; time.Parse itself is in every program, so the sources of the programs are asked.
func TestNoTimes(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", `{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{end}}`, "./wasm/...")
	list.Dir, list.Env = "../..", append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(out))
	if len(files) < 100 {
		t.Fatalf("the programs have %d files", len(files))
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"time.Parse(", "time.ParseInLocation(", "Value.Method"} {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("%s calls %s: see unreached.go", path, word)
			}
		}
	}
}

// A module that is damaged is refused or made anew, and costs no crash; one without the
// tables is said to have none.
func TestStripDamaged(t *testing.T) {
	whole, _, _ := linked(t)
	for at := 0; at < len(whole); at += 1 + len(whole)/50 {
		strip(whole[:at], true)
	}
	m, err := parseModule(whole)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := m.memory()
	if err != nil {
		t.Fatal(err)
	}
	header := bytes.Index(memory, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8})
	for at := header; at < header+400; at += 3 {
		spoiled := bytes.Clone(memory)
		for i := range 4 {
			spoiled[at+i] ^= 0x55
		}
		strip(m.with(spoiled), true)
	}
	copy(memory[header:], make([]byte, 8))
	if _, _, err := strip(m.with(memory), true); !errors.Is(err, errNoTables) {
		t.Errorf("without the header: %v", err)
	}
}

// What segments leave out is zeros.
func TestSegments(t *testing.T) {
	memory := make([]byte, 5000)
	for _, at := range []int{0, 1, 3, 300, 700, 701, 4998} {
		memory[at] = byte(at) | 1
	}
	m := &module{head: []byte("\x00asm\x01\x00\x00\x00"), sections: []section{{id: dataSection}}}
	again, err := parseModule(m.with(memory))
	if err != nil {
		t.Fatal(err)
	}
	got, err := again.memory()
	if err != nil || !bytes.Equal(got, memory[:4999]) {
		t.Errorf("%v, %d bytes", err, len(got))
	}
	if count := again.sections[0].body[0]; count != 4 {
		t.Errorf("%d segments", count)
	}
}

// The code of a program is cut into its rooms, all of it.
func TestRooms(t *testing.T) {
	whole, small, known := linked(t)
	for _, program := range [][]byte{whole, small} {
		all, err := rooms(program, known)
		if err != nil {
			t.Fatal(err)
		}
		sum, own := 0, 0
		for _, r := range all {
			sum += r.functions
			if r.name == "go: main" {
				own = r.functions
			}
		}
		if sum != len(known.functions) || own < 3 || all[0].name != "go: runtime" {
			t.Errorf("%d of %d functions, %d of main, the dearest is %s", sum, len(known.functions), own, all[0].name)
		}
	}
	for name, want := range map[string]string{
		modulePath + "wasm/card/scalars/paint.(*Chart).Draw.func1": "wasm/card/scalars",
		modulePath + "shared/catalog.(*File).Feed":                 "shared/catalog",
		modulePath + "shared/inorder.Map[go.shape.string].Each":    "shared/inorder",
		"encoding/json.Marshal":                                    "go: encoding",
		"runtime.mallocgc":                                         "go: runtime",
		"internal/runtime/maps.(*Map).Get":                         "go: internal",
		"honnef.co/go/js/dom/v2.(*Window).Alert":                   "honnef.co/go/js",
		"type:.eq.reflect.Method":                                  "go: reflect",
	} {
		if got := roomOf(name); got != want {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
	}
}
