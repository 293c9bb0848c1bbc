package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// symbols is what was known of a program's functions: by it the places of a stack become
// names and lines. As a text it has a line "imports N", and one for each function:
//
//	PLACE NAME FILE PART:LINE PART:LINE …
//
// PLACE is that of the function's beginning, hexadecimal; from PART on the line is LINE. A
// place is a function's number and, in its 16 low bits, the part of it at which it goes on;
// the runtime's tables hold the number alone (runtime.moduledata.textAddr).
//
// N is how many functions the program has from outside: a browser counts them too when it
// names a function of a stack (wasm-function[NUMBER]).
type symbols struct {
	imports   int
	functions []symbol
}

type symbol struct {
	entry      uint32
	name, file string
	lines      []line
}

type line struct{ part, line int64 }

// symbols reads what strip takes out. Inlined calls are told as the lines of their callers.
func (t *tables) symbols() (*symbols, error) {
	s := &symbols{functions: make([]symbol, 0, t.count)}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return nil, err
		}
		sym := symbol{entry: f.word(wordEntry) << 16, name: t.name(f)}
		if files := t.values(f.word(wordFile)); len(files) > 0 {
			sym.file = t.file(f.word(wordUnit), files[0].line)
		}
		sym.lines = t.values(f.word(wordLine))
		s.functions = append(s.functions, sym)
	}
	return s, nil
}

// values reads the table at off: from which part on which value holds.
func (t *tables) values(off uint32) []line {
	var all []line
	part, value := int64(0), int64(-1)
	for at := int(off); off != 0; {
		d, n := uvarint(t.pcs, at)
		if n == 0 || d == 0 && len(all) > 0 {
			break
		}
		size, m := uvarint(t.pcs, at+n)
		if m == 0 {
			break
		}
		value += int64(d>>1) ^ -int64(d&1)
		all = append(all, line{part, value})
		part += int64(size)
		at += n + m
	}
	return all
}

// file is the number-th file of the unit whose files begin at unit.
func (t *tables) file(unit uint32, number int64) string {
	at := (int64(unit) + number) * 4
	if number < 0 || at < 0 || at+4 > int64(len(t.units)) {
		return ""
	}
	off := binary.LittleEndian.Uint32(t.units[at:])
	if int64(off) >= int64(len(t.files)) {
		return ""
	}
	name, _, _ := bytes.Cut(t.files[off:], []byte{0})
	return string(name)
}

// write writes s as a text.
func (s *symbols) write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "imports %d\n", s.imports)
	for _, f := range s.functions {
		fmt.Fprintf(b, "%x %s %s", f.entry, strings.ReplaceAll(f.name, " ", ""), strings.ReplaceAll(f.file, " ", ""))
		for _, l := range f.lines {
			fmt.Fprintf(b, " %d:%d", l.part, l.line)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// readSymbols reads what write wrote.
func readSymbols(r io.Reader) (*symbols, error) {
	s := &symbols{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), " ")
		if n == 1 && len(fields) == 2 && fields[0] == "imports" {
			imports, err := strconv.ParseUint(fields[1], 10, 16)
			if err != nil {
				return nil, fmt.Errorf("line 1: %q is no number of imports", fields[1])
			}
			s.imports = int(imports)
			continue
		}
		entry, err := strconv.ParseUint(fields[0], 16, 32)
		if err != nil || len(fields) < 3 {
			return nil, fmt.Errorf("line %d is no function: this is no symbol file", n)
		}
		sym := symbol{entry: uint32(entry), name: fields[1], file: fields[2]}
		for _, f := range fields[3:] {
			var l line
			if _, err := fmt.Sscanf(f, "%d:%d", &l.part, &l.line); err != nil {
				return nil, fmt.Errorf("line %d: %q is no part and line", n, f)
			}
			sym.lines = append(sym.lines, l)
		}
		s.functions = append(s.functions, sym)
	}
	return s, lines.Err()
}

// at says what stands at a place: "name file:line", or "".
func (s *symbols) at(place uint32) string {
	i, found := slices.BinarySearchFunc(s.functions, place, func(f symbol, p uint32) int {
		return int(int64(f.entry) - int64(p))
	})
	if !found {
		i--
	}
	if i < 0 {
		return ""
	}
	f, number := s.functions[i], int64(0)
	for _, l := range f.lines {
		if int64(place-f.entry) >= l.part {
			number = l.line
		}
	}
	return fmt.Sprintf("%s %s:%d", f.name, f.file, number)
}

var (
	// placeIn finds the place in a line of a stack, as Go prints it with GOTRACEBACK=system.
	placeIn = regexp.MustCompile(`\bpc=0x([0-9a-f]{8})\b`)
	// functionIn finds the function in a line of a stack as browsers tell it.
	functionIn = regexp.MustCompile(`\bwasm-function\[(\d+)\]`)
)

// resolve copies a report from r to w and adds names and lines to the places in it. A frame
// of a stack holds the place after its call, so the one before counts.
func (s *symbols) resolve(w io.Writer, r io.Reader) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text := lines.Text()
		if m := placeIn.FindStringSubmatch(text); m != nil {
			place, err := strconv.ParseUint(m[1], 16, 32)
			if place&0xffff > 0 {
				place--
			}
			if what := s.at(uint32(place)); err == nil && what != "" {
				text = "\t" + what
			}
		} else if m := functionIn.FindStringSubmatch(text); m != nil && s.imports > 0 {
			n, err := strconv.Atoi(m[1])
			if n -= s.imports; err == nil && n >= 0 && n < len(s.functions) {
				text = "\t" + s.functions[n].name + " " + s.functions[n].file
			}
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return lines.Err()
}
