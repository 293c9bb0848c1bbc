package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// module is a WebAssembly module cut into its sections.
type module struct {
	head     []byte // magic and version
	sections []section
}

type section struct {
	id   byte
	body []byte
}

const (
	importSection = 2
	codeSection   = 10
	dataSection   = 11
)

func parseModule(b []byte) (*module, error) {
	if len(b) < 8 || string(b[:4]) != "\x00asm" {
		return nil, errors.New("the program is no WebAssembly module")
	}
	m := &module{head: b[:8]}
	for at := 8; at < len(b); {
		size, n := uvarint(b, at+1)
		if n == 0 || size > uint64(len(b)-at-1-n) {
			return nil, fmt.Errorf("the module ends inside the section at %d", at)
		}
		from := at + 1 + n
		m.sections = append(m.sections, section{b[at], b[from : from+int(size)]})
		at = from + int(size)
	}
	return m, nil
}

// imports is how many functions the module has from outside; Go's linker imports nothing else.
func (m *module) imports() int {
	for _, s := range m.sections {
		if s.id == importSection {
			count, _ := uvarint(s.body, 0)
			return int(count)
		}
	}
	return 0
}

// rewrite makes the body of each function of the code section, by its number in it, what change
// returns for it; it returns how many there are.
func (m *module) rewrite(change func(i uint64, body []byte) []byte) (count uint64, err error) {
	for i, s := range m.sections {
		if s.id != codeSection {
			continue
		}
		var at int
		count, at = uvarint(s.body, 0)
		out := append(make([]byte, 0, len(s.body)), s.body[:at]...)
		for f := range count {
			size, n := uvarint(s.body, at)
			if n == 0 || size > uint64(len(s.body)-at-n) {
				return count, fmt.Errorf("the code ends inside function %d", f)
			}
			body := change(f, s.body[at+n:at+n+int(size)])
			at += n + int(size)
			out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
		}
		m.sections[i].body = out
	}
	return count, nil
}

// maxMemory is more than any program's data; offsets beyond it are no offsets.
const maxMemory = 1 << 28

// memory returns what the data section lays into the memory, from address 0 on.
func (m *module) memory() ([]byte, error) {
	var memory []byte
	for _, s := range m.sections {
		if s.id != dataSection {
			continue
		}
		count, at := uvarint(s.body, 0)
		for range count {
			// memory 0, i32.const offset, end, length, bytes
			if at+2 > len(s.body) || s.body[at] != 0 || s.body[at+1] != 0x41 {
				return nil, errors.New("a segment of data has no constant address")
			}
			off, n := uvarint(s.body, at+2)
			if n == 0 || s.body[at+2+n] != 0x0b {
				return nil, errors.New("a segment of data has no constant address")
			}
			off = signed32(off, n)
			at += 2 + n + 1
			size, n := uvarint(s.body, at)
			at += n
			if n == 0 || size > uint64(len(s.body)-at) || off+size > maxMemory {
				return nil, errors.New("a segment of data ends outside of its section")
			}
			if end := int(off + size); end > len(memory) {
				memory = append(memory, make([]byte, end-len(memory))...)
			}
			copy(memory[off:], s.body[at:at+int(size)])
			at += int(size)
		}
	}
	return memory, nil
}

// signed32 is v, read as an unsigned LEB128 of n bytes, as the signed one that it is;
// addresses are positive, so only one with its sign bit set would differ.
func signed32(v uint64, n int) uint64 {
	if n < 5 && v>>(7*n-1)&1 == 1 {
		return maxMemory + 1
	}
	return v
}

// gap is how many zeros end a segment. Each segment costs an address and a length, which no
// packer can guess: with 8, where the file is smallest (4.2 MB of data), it packs to 795 KB
// with brotli 11; with 256 (5.7 MB) to 620; with 4096 to 9 more.
const gap = 256

// with returns the module with memory as its data; runs of zeros are left out.
func (m *module) with(memory []byte) []byte {
	out := bytes.Clone(m.head)
	for _, s := range m.sections {
		body := s.body
		if s.id == dataSection {
			body = segments(memory)
		}
		out = append(out, s.id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out
}

func segments(memory []byte) []byte {
	var body []byte
	count := uint64(0)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end, zeros := at, 0
		for end+zeros < len(memory) && zeros < gap {
			if memory[end+zeros] == 0 {
				zeros++
			} else {
				end, zeros = end+zeros+1, 0
			}
		}
		body = append(body, 0, 0x41)
		body = appendSigned(body, int64(at))
		body = append(body, 0x0b)
		body = binary.AppendUvarint(body, uint64(end-at))
		body = append(body, memory[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, count), body...)
}

// appendSigned appends v, which is not negative, as a signed LEB128.
func appendSigned(b []byte, v int64) []byte {
	for ; v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// uvarint reads an unsigned LEB128 of at most 64 bits at off; n is 0 where there is none.
func uvarint(b []byte, off int) (v uint64, n int) {
	if off < 0 || off >= len(b) {
		return 0, 0
	}
	v, n = binary.Uvarint(b[off:])
	return v, max(n, 0)
}
