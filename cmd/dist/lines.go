package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
)

// What the linker puts into a program so that a stack has files and lines is a twentieth of
// a wheel. unlined takes these two out, and leaves the names of functions: a stack of the
// program of a wheel reads "main.serve(…)  ?:0 +0x1d". The published program of the same
// platform is the same but for this, and says the lines.
//
// The tables are those of runtime/symtab.go (pcHeader, _func), as in static/pack/strip.go.
// Nothing moves, what is not needed becomes zeros: the runtime takes an offset of zero for
// a table that is not there.

var errNoLines = errors.New("the program's tables of lines are not in the form of Go 1.20 to 1.26: see runtime/symtab.go for what has changed")

const (
	pcMagic   = 0xfffffff1 // internal/abi.Go120PCLnTabMagic
	pcHeader  = 72         // bytes
	funcFixed = 44         // bytes of runtime._func before its two arrays
)

// Places in a runtime._func, bytes.
const (
	funcSP     = 16
	funcFile   = 20
	funcLine   = 24
	funcTables = 28 // how many tables of pcdata there are
	funcUnit   = 32
	funcStart  = 36
)

// unlined is an ELF program without files and lines of functions.
func unlined(program []byte) ([]byte, error) {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	section := f.Section(".gopclntab")
	if section == nil || section.Offset > uint64(len(program)) || section.FileSize > uint64(len(program))-section.Offset || section.FileSize < pcHeader {
		return nil, errNoLines
	}
	out := bytes.Clone(program)
	b := out[section.Offset:][:section.FileSize]
	word := func(at uint64) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	long := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	count, units, files, places, funcs, end := long(0), long(4), long(5), long(6), long(7), uint64(len(b))
	if word(0) != pcMagic || b[7] != 8 || units > files || files > places || places > funcs || funcs > end || count > (end-funcs)/8 {
		return nil, errNoLines
	}
	stay, away := map[uint32]bool{}, map[uint32]bool{}
	for i := range count {
		at := funcs + uint64(word(funcs+8*i+4))
		if at > end-funcFixed {
			return nil, errNoLines
		}
		tables := uint64(word(at + funcTables))
		if tables > (end-at-funcFixed)/4 {
			return nil, errNoLines
		}
		stay[word(at+funcSP)] = true
		for k := range tables {
			stay[word(at+funcFixed+4*k)] = true
		}
		away[word(at+funcFile)], away[word(at+funcLine)] = true, true
		for _, w := range []uint64{funcFile, funcLine, funcUnit, funcStart} {
			clear(b[at+w:][:4])
		}
	}
	for off := range away {
		if off == 0 || stay[off] {
			continue // nothing, or shared with a table that stays
		}
		table := b[places:funcs]
		if uint64(off) >= uint64(len(table)) {
			return nil, errNoLines
		}
		n, ok := tableLength(table[off:])
		if !ok {
			return nil, errNoLines
		}
		clear(table[off:][:n])
	}
	clear(b[units:places])
	return out, nil
}

// tableLength is how many bytes of b one table of values by place takes: pairs of numbers,
// a difference of values and one of places, up to a difference of zero that is not the first.
func tableLength(b []byte) (int, bool) {
	at := 0
	for first := true; ; first = false {
		v, n := binary.Uvarint(b[at:])
		if n <= 0 {
			return 0, false
		}
		at += n
		if v == 0 && !first {
			return at, true
		}
		if _, n = binary.Uvarint(b[at:]); n <= 0 {
			return 0, false
		}
		at += n
	}
}
