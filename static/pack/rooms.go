package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// room is a part of the program: a folder of ours, of Go's library or a module.
type room struct {
	name      string
	functions int
	code      []byte // of all its functions, one after the other
	packed    int    // bytes of code with brotli alone; together they pack to some tenth less
}

// roomOf is the room of a function, by its name.
func roomOf(name string) string {
	name, _, _ = strings.Cut(name, "[") // type parameters hold paths of their own
	name = strings.TrimPrefix(name, "go:")
	name = strings.TrimPrefix(name, "type:.eq.")
	path := name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		pkg, _, _ := strings.Cut(name[i:], ".")
		path = name[:i] + pkg
	} else {
		path, _, _ = strings.Cut(name, ".")
	}
	depth := 1
	switch {
	case strings.HasPrefix(path, modulePath):
		path = strings.TrimPrefix(path, modulePath)
		depth = 2
		if strings.HasPrefix(path, "wasm/card/") || strings.HasPrefix(path, "shared/kind/") || strings.HasPrefix(path, "wasm/board/") {
			depth = 3
		}
	case strings.Contains(path, "."): // a module of others
		depth = 3
	case strings.HasPrefix(path, "internal/"):
		return "go: internal"
	}
	parts := strings.Split(path, "/")
	short := strings.Join(parts[:min(depth, len(parts))], "/")
	if depth == 1 {
		return "go: " + short
	}
	return short
}

// rooms cuts the code of a linked program by the functions that its symbol file knows: both
// are in the linker's order.
func rooms(program []byte, known *symbols) ([]room, error) {
	m, err := parseModule(program)
	if err != nil {
		return nil, err
	}
	if err := m.shorten(); err != nil { // as it is sent
		return nil, err
	}
	byName := map[string]*room{}
	for _, s := range m.sections {
		if s.id != codeSection {
			continue
		}
		count, at := uvarint(s.body, 0)
		if count != uint64(len(known.functions)) {
			return nil, fmt.Errorf("the program has %d functions, the symbol file %d", count, len(known.functions))
		}
		for _, f := range known.functions {
			size, n := uvarint(s.body, at)
			at += n
			if n == 0 || size > uint64(len(s.body)-at) {
				return nil, fmt.Errorf("the code ends inside %s", f.name)
			}
			name := roomOf(f.name)
			r := byName[name]
			if r == nil {
				r = &room{name: name}
				byName[name] = r
			}
			r.functions++
			r.code = append(r.code, s.body[at:at+int(size)]...)
			at += int(size)
		}
	}
	var all []room
	for _, r := range byName {
		r.packed = len(brotliOf(r.code, 9))
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b room) int {
		return cmp.Or(cmp.Compare(b.packed, a.packed), cmp.Compare(a.name, b.name))
	})
	return all, nil
}

// printRooms prints what the code of each room of the program costs, the dearest first; those
// below 0.2 % are one line.
func printRooms(w io.Writer, work string) error {
	program, err := os.ReadFile(filepath.Join(work, "app.wasm"))
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(work, symbolFile))
	if err != nil {
		return err
	}
	defer f.Close()
	known, err := readSymbols(f)
	if err != nil {
		return err
	}
	all, err := rooms(program, known)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%-40s %11s %11s %11s\n", "code of the program by room", "functions", "plain", "brotli 9")
	sum := room{name: "all"}
	for _, r := range all {
		sum.functions, sum.packed = sum.functions+r.functions, sum.packed+r.packed
		sum.code = append(sum.code, r.code...)
	}
	rest := room{name: "others"}
	for _, r := range all {
		if r.packed*500 < sum.packed {
			rest.functions, rest.packed = rest.functions+r.functions, rest.packed+r.packed
			rest.code = append(rest.code, r.code...)
			continue
		}
		printRoom(w, r)
	}
	printRoom(w, rest)
	printRoom(w, sum)
	return nil
}

func printRoom(w io.Writer, r room) {
	fmt.Fprintf(w, "%-40s %11d %11d %11d\n", r.name, r.functions, len(r.code), r.packed)
}
