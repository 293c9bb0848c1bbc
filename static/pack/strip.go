package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
)

// What Go's linker puts into a program so that a panic can print its stack is a sixth of
// what a visitor downloads: the name of every function, and for every instruction the file
// and the line. Neither is needed to run. strip takes both out of a linked WebAssembly
// program; what it knew goes into a symbol file (symbols.go), by which a stack of places
// that a user reports becomes one of names and lines again.
//
// The tables are those of runtime/symtab.go (pcHeader, _func, "Go 1.12 Runtime Symbol
// Information", golang.org/s/go12symtab). Nothing moves: what is not needed becomes zeros,
// which the data section then leaves out, as the linker itself does. What the runtime looks
// at while it runs stays:
//
//   - pcsp and the stack maps of pcdata, by which it walks stacks for the collector (the
//     other tables of pcdata serve stops by signal, which a browser does not have, and the
//     printing of stacks);
//   - "runtime." at the beginning of a name, by which it knows its own goroutines;
//   - reflect's two stubs, which it knows by their names (runtime/stkframe.go);
//   - the form "p.(*T).m" in wrappers of methods, which panicwrap takes apart.
//
// Names of functions that were inlined stand in the same table and go with the rest.
// Measured on nine boards, brotli 11: 196 KB, and 175 by longer segments (module.go).

// errNoTables says that the program's tables are not those of the Go release that strip
// was written for.
var errNoTables = errors.New("the program has no tables of functions in the form of Go 1.20 to 1.26")

// errNoBuckets says that the table by which a program does not find its functions any more is not
// where it should be.
var errNoBuckets = errors.New("the program has no table of buckets in the form of Go 1.26")

const (
	pcMagic        = 0xfffffff1 // internal/abi.Go120PCLnTabMagic
	pcdataStackMap = 1          // internal/abi.PCDATA_StackMapIndex
	funcFixed      = 44         // bytes of runtime._func before its two arrays
	methodName     = "p.(*T).m"
	runtimeName    = "runtime."
)

// stubs are the functions that the runtime knows by name.
var stubs = map[string]bool{"reflect.makeFuncStub": true, "reflect.methodValueCall": true}

// strip returns the program without names and lines, its functions said shorter (shorten.go),
// and what it knew. A program whose runtime counts needs no buckets (lookup.go).
func strip(program []byte, counts bool) ([]byte, *symbols, error) {
	sections, err := parseModule(program)
	if err != nil {
		return nil, nil, err
	}
	memory, err := sections.memory()
	if err != nil {
		return nil, nil, err
	}
	t, err := findTables(memory)
	if err != nil {
		return nil, nil, err
	}
	known, err := t.symbols()
	if err != nil {
		return nil, nil, err
	}
	known.imports = sections.imports()
	if err := t.blank(); err != nil {
		return nil, nil, err
	}
	if counts {
		buckets := t.buckets(memory)
		if buckets == nil {
			return nil, nil, errNoBuckets
		}
		clear(buckets)
	}
	if err := sections.unreach(known.functions); err != nil {
		return nil, nil, err
	}
	if err := sections.shorten(); err != nil {
		return nil, nil, err
	}
	return sections.with(memory), known, nil
}

// tables are the runtime's tables of functions, as parts of the program's memory.
type tables struct {
	names, units, files, pcs, funcs []byte
	count                           int
	at, funcsAt                     int // of the header in the memory, and of funcs after it
}

// findTables looks for the header of the tables. The order in which they stand is that of
// the linker: names, units, files, values by place, functions.
func findTables(memory []byte) (*tables, error) {
	magic := binary.LittleEndian.AppendUint32(nil, pcMagic)
	magic = append(magic, 0, 0, 1, 8) // two of padding, bytes of an instruction, of a pointer
	for at := 0; ; {
		i := bytes.Index(memory[at:], magic)
		if i < 0 {
			return nil, errNoTables
		}
		at += i
		if t := tablesAt(memory[at:]); t != nil {
			t.at = at
			return t, nil
		}
		at++
	}
}

// tablesAt returns the tables whose header b begins with, or nil.
func tablesAt(b []byte) *tables {
	if len(b) < 72 {
		return nil
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	count, at := word(0), [5]uint64{word(3), word(4), word(5), word(6), word(7)}
	end := uint64(len(b))
	for i := range at {
		if at[i] >= end || i > 0 && at[i] < at[i-1] {
			return nil
		}
	}
	if count == 0 || count > (end-at[4])/8 {
		return nil
	}
	return &tables{b[at[0]:at[1]:at[1]], b[at[1]:at[2]:at[2]], b[at[2]:at[3]:at[3]], b[at[3]:at[4]:at[4]], b[at[4]:], int(count), 0, int(at[4])}
}

// function is a view of one runtime._func.
type function struct{ b []byte }

func (f function) word(i int) uint32       { return binary.LittleEndian.Uint32(f.b[4*i:]) }
func (f function) setWord(i int, v uint32) { binary.LittleEndian.PutUint32(f.b[4*i:], v) }

// The words of a runtime._func.
const (
	wordEntry = iota
	wordName
	wordArgs
	wordDefer
	wordSP
	wordFile
	wordLine
	wordPCData
	wordUnit
	wordStart
)

// function returns the i-th function.
func (t *tables) function(i int) (function, error) {
	off := uint64(binary.LittleEndian.Uint32(t.funcs[8*i+4:]))
	if off+funcFixed > uint64(len(t.funcs)) {
		return function{}, errNoTables
	}
	f := function{t.funcs[off:]}
	if int64(f.word(wordPCData))*4+funcFixed > int64(len(f.b)) || f.word(wordName) >= uint32(len(t.names)) {
		return function{}, errNoTables
	}
	return f, nil
}

func (t *tables) name(f function) string {
	b := t.names[f.word(wordName):]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return string(b[:i])
	}
	return ""
}

// blank takes names and lines out.
func (t *tables) blank() error {
	pcs := make([]bool, len(t.pcs)) // the bytes that stay
	names := make([]byte, 1, len(t.names))
	nameAt := map[string]uint32{"": 0}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return err
		}
		if isUnreached(t.name(f)) { // it never stands on a stack
			f.setWord(wordSP, 0)
			clear(f.b[funcFixed : funcFixed+4*f.word(wordPCData)])
		}
		if err := t.mark(pcs, f.word(wordSP)); err != nil {
			return err
		}
		for k := range f.word(wordPCData) {
			at := f.b[funcFixed+4*k:]
			if k != pcdataStackMap {
				clear(at[:4])
			} else if err := t.mark(pcs, binary.LittleEndian.Uint32(at)); err != nil {
				return err
			}
		}
		short := kept(t.name(f))
		at, ok := nameAt[short]
		if !ok {
			at = uint32(len(names))
			nameAt[short] = at
			names = append(append(names, short...), 0)
		}
		f.setWord(wordName, at)
		for _, w := range []int{wordFile, wordLine, wordUnit, wordStart} {
			f.setWord(w, 0)
		}
	}
	if len(names) > len(t.names) {
		return errNoTables
	}
	clear(t.names)
	copy(t.names, names)
	clear(t.units)
	clear(t.files)
	for i, stays := range pcs {
		if !stays {
			t.pcs[i] = 0
		}
	}
	return nil
}

// kept is what stays of a function's name.
func kept(name string) string {
	switch {
	case stubs[name]:
		return name
	case strings.HasPrefix(name, runtimeName):
		return runtimeName
	case strings.Contains(name, ".(*"):
		return methodName
	}
	return ""
}

// mark marks the bytes of the table of values at off, which is 0 where there is none: pairs
// of varints, a difference of values and one of places, until a difference of 0 that is not
// the first.
func (t *tables) mark(kept []bool, off uint32) error {
	if off == 0 {
		return nil
	}
	at := int(off)
	for first := true; ; first = false {
		value, n := uvarint(t.pcs, at)
		if n == 0 {
			return errNoTables
		}
		size := n
		if value != 0 || first {
			_, m := uvarint(t.pcs, at+n)
			if m == 0 {
				return errNoTables
			}
			size += m
		}
		for i := at; i < at+size; i++ {
			kept[i] = true
		}
		at += size
		if value == 0 && !first {
			return nil
		}
	}
}
