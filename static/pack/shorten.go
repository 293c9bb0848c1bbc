package main

import "encoding/binary"

// The Go compiler makes WebAssembly of a function as if it were a processor's: each stretch
// between two places at which the function can be gone on with is a block, and every jump
// stores the number of the block it goes to in parameter 0 (PC_B) and goes back to one
// br_table at the beginning. shorten says the same in fewer and more even instructions:
//
//  1. A jump to a block that follows is a branch to the end of the block before it. What PC_B
//     holds then is not asked for: it is read by the br_table alone, or right after it was
//     set, as the scratch register of an indirect call. Jumps back keep their way.
//  2. After each call stands a branch out of all blocks, where the function ends and says
//     that the stack is being unwound. How deep that is differs from call to call; "if, 1,
//     return, end" does not.
//  3. Before each call the place to go on at is stored: the number of the function, which is
//     the same all over it, and in the 16 low bits that of the block. The function's number
//     goes into a local at the beginning.
//  4. The address of a slot of the stack is made as a 64-bit sum and cut to 32 bits. Where
//     something is loaded from it or stored to it, the sum goes into the instruction's own
//     offset; elsewhere it is made with 32 bits.
//  5. A constant that is cut, a test of a test, a value that is stored and loaded again.
//
// Each is the same to the bit, whatever the values: see the rules. Functions stay where they
// are and blocks keep their numbers, so stacks and the symbol file mean what they meant.
//
// Measured on the program of eleven boards with brotli 11: 1,673,309 to 1,471,844 bytes (by
// rule: 60 KB by 2, 82 by 1, 34 by 3, 25 by the others), 13.4 to 12.6 MB unpacked; and reading
// takes 10 to 15 % less time (BenchmarkFeed under node), because what was a jump by a table
// is one that the browser's compiler sees through.

// instr is an instruction.
type instr struct {
	op    byte
	raw   []byte // all of it
	value int64  // of a constant; the number of a local, a global, a function, a depth
	align uint64 // of a load or store …
	off   uint64 // … and its offset
}

// The instructions that are named here (WebAssembly core specification, 5.4).
const (
	opBlock     = 0x02
	opLoop      = 0x03
	opIf        = 0x04
	opEnd       = 0x0b
	opBr        = 0x0c
	opBrIf      = 0x0d
	opBrTable   = 0x0e
	opReturn    = 0x0f
	opCall      = 0x10
	opCallBy    = 0x11
	opGet       = 0x20
	opSet       = 0x21
	opTee       = 0x22
	opGlobal    = 0x23
	opGlobalSet = 0x24
	opConst32   = 0x41
	opConst64   = 0x42
	opIsZero32  = 0x45
	opIsZero64  = 0x50
	opAdd32     = 0x6a
	opAdd64     = 0x7c
	opOr64      = 0x84
	opWrap      = 0xa7 // the low 32 bits of 64
	opExtend    = 0xad // 32 bits as 64, unsigned
	opStore64   = 0x37
	opMore      = 0xfc // of two bytes: saturating conversions, copies of memory
)

func (x instr) load() bool  { return x.op >= 0x28 && x.op <= 0x35 }
func (x instr) store() bool { return x.op >= 0x36 && x.op <= 0x3e }

// plain makes an instruction of one byte.
func plain(op byte) instr { return instr{op: op, raw: []byte{op}} }

// number makes an instruction that has a local, a global or a depth.
func number(op byte, v uint64) instr {
	return instr{op: op, value: int64(v), raw: binary.AppendUvarint([]byte{op}, v)}
}

// constant makes one of the two constants.
func constant(op byte, v int64) instr {
	raw := []byte{op}
	for w := v; ; w >>= 7 {
		if w >= -0x40 && w < 0x40 {
			return instr{op: op, value: v, raw: append(raw, byte(w)&0x7f)}
		}
		raw = append(raw, byte(w)|0x80)
	}
}

// at is x with another offset.
func (x instr) at(off uint64) instr {
	x.off = off
	x.raw = binary.AppendUvarint(binary.AppendUvarint([]byte{x.op}, x.align), off)
	return x
}

// varint reads a signed LEB128; n is 0 where there is none.
func varint(b []byte, off int) (v int64, n int) {
	for shift := 0; off+n < len(b) && shift < 70; shift += 7 {
		c := b[off+n]
		n++
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if shift += 7; shift < 64 && c&0x40 != 0 {
				v |= -1 << shift
			}
			return v, n
		}
	}
	return 0, 0
}

// decode cuts code into instructions; false if it holds one that Go does not make.
func decode(code []byte) (list []instr, ok bool) {
	for at := 0; at < len(code); {
		x := instr{op: code[at]}
		end := at + 1
		next := func() uint64 {
			v, n := uvarint(code, end)
			if end += n; n == 0 {
				end = len(code) + 1
			}
			return v
		}
		switch op := x.op; {
		case op == opConst32 || op == opConst64:
			var n int
			if x.value, n = varint(code, end); n == 0 {
				return nil, false
			}
			end += n
		case op >= opBlock && op <= opIf, op == opBr, op == opBrIf, op == opCall, op >= opGet && op <= opGlobalSet, op == 0x3f, op == 0x40:
			x.value = int64(next())
		case op >= 0x28 && op <= 0x3e:
			x.align, x.off = next(), next()
		case op == opCallBy:
			next()
			next()
		case op == opBrTable:
			for n := next(); end <= len(code); n-- {
				if next(); n == 0 {
					break
				}
			}
		case op == 0x43:
			end += 4
		case op == 0x44:
			end += 8
		case op == opMore:
			switch sub := next(); {
			case sub <= 7:
			case sub == 10:
				end += 2
			case sub == 11:
				end++
			default:
				return nil, false
			}
		case op == 0x00, op == 0x01, op == 0x05, op == opEnd, op == opReturn, op == 0x1a, op == 0x1b, op >= opIsZero32 && op <= 0xc4:
		default:
			return nil, false
		}
		if end > len(code) {
			return nil, false
		}
		x.raw = code[at:end]
		list = append(list, x)
		at = end
	}
	return list, true
}

// effect is what an instruction takes from the stack of operands and puts there; false for
// one after which it is not simply the next one's turn.
func (x instr) effect() (takes, puts int, ok bool) {
	switch op := x.op; {
	case op == opGet, op == opGlobal, op >= opConst32 && op <= 0x44:
		return 0, 1, true
	case op == opTee, x.load(), op == opIsZero32, op == opIsZero64, op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b,
		op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f, op >= opWrap && op <= 0xc4, op == opMore && x.raw[1] <= 7:
		return 1, 1, true
	case op == opSet, op == opGlobalSet:
		return 1, 0, true
	case x.store():
		return 2, 0, true
	case op >= 0x46 && op <= 0xa6:
		return 2, 1, true
	}
	return 0, 0, false
}

// shorten says the module's functions in fewer instructions. One that it does not know its
// way in stays as it is.
func (m *module) shorten() error {
	_, err := m.rewrite(func(_ uint64, body []byte) []byte { return shortened(body) })
	return err
}

// shortened is a function's body: its locals, then its instructions. It has one parameter.
func shortened(body []byte) []byte {
	groups, from := uvarint(body, 0)
	locals := uint64(1)
	first := from
	for range groups {
		n, k := uvarint(body, from)
		if from += k + 1; k == 0 || from > len(body) {
			return body
		}
		locals += n
	}
	list, ok := decode(body[from:])
	if !ok || from == 0 {
		return body
	}
	list = threaded(left(sums(sums(list))))
	list, used := numbered(list, locals)
	out := body[:first:first]
	if used {
		out = binary.AppendUvarint(nil, groups+1)
	}
	out = append(out, body[first:from]...)
	if used {
		out = append(out, 1, 0x7e) // one of 64 bits
	}
	for _, x := range list {
		out = append(out, x.raw...)
	}
	return out
}

// farthest bounds an offset; the slots of a frame are not so far apart.
const farthest = 1 << 30

// sums is about addresses, constants and tests (rules 4 and 5).
func sums(in []instr) []instr {
	out := make([]instr, 0, len(in))
	for i := 0; i < len(in); i++ {
		x := in[i]
		is := func(ops ...byte) bool {
			for k, op := range ops {
				if i+k >= len(in) || in[i+k].op != op {
					return false
				}
			}
			return true
		}
		switch {
		case is(opExtend, opConst64, opAdd64, opWrap):
			// The low 32 bits of a sum are the sum of the low 32 bits. An offset is added
			// without cutting, which is the same for an address of a slot: it is inside the
			// memory, so that base and distance together are.
			k, slot := in[i+1].value, i > 0 && in[i-1].op == opGet
			if slot && k >= 0 && i+4 < len(in) && in[i+4].load() && uint64(k)+in[i+4].off < farthest {
				out = append(out, in[i+4].at(in[i+4].off+uint64(k)))
				i += 4
				continue
			}
			if at := storeOf(in, i+4); slot && k >= 0 && at > 0 && uint64(k)+in[at].off < farthest {
				in[at] = in[at].at(in[at].off + uint64(k))
			} else if int32(k) != 0 {
				out = append(out, constant(opConst32, int64(int32(k))), plain(opAdd32))
			}
			i += 3
		case is(opConst64, opWrap):
			out = append(out, constant(opConst32, int64(int32(x.value))))
			i++
		case is(opExtend, opIsZero64):
			out = append(out, plain(opIsZero32))
			i++
		case is(opExtend, opWrap):
			i++
		case is(opIsZero32, opIsZero32, opIf):
			i++ // if and its like ask for anything but 0
		case is(opSet, opGet) && in[i+1].value == x.value:
			out = append(out, number(opTee, uint64(x.value)))
			i++
		default:
			out = append(out, x)
		}
	}
	return out
}

// storeOf is the store that takes, as its address, what is on top of the stack before
// instruction i; 0 if none does for sure.
func storeOf(in []instr, i int) int {
	above := 1 // what is on the stack, from the address on
	for ; i < len(in); i++ {
		takes, puts, ok := in[i].effect()
		if !ok {
			return 0
		}
		if above-takes < 1 {
			if in[i].store() && above == 2 {
				return i
			}
			return 0
		}
		above += puts - takes
	}
	return 0
}

// blockEnds are where blocks end, by where they begin; a function's own end is none of these.
func blockEnds(in []instr) map[int]int {
	ends := make(map[int]int)
	var open []int
	for i, x := range in {
		switch x.op {
		case opBlock, opLoop, opIf:
			open = append(open, i)
		case opEnd:
			if n := len(open); n > 0 {
				ends[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return ends
}

// left is about leaving the function after a call (rule 2).
func left(in []instr) []instr {
	ends := blockEnds(in)
	var open []int
	out := make([]instr, 0, len(in)+len(in)/8)
	for i, x := range in {
		switch x.op {
		case opBlock, opLoop, opIf:
			open = append(open, i)
		case opEnd:
			open = open[:max(0, len(open)-1)]
		case opBrIf:
			if b := len(open) - 1 - int(x.value); b >= 0 && in[open[b]].op == opBlock {
				// What is left there is "1", and the end of the function.
				e := ends[open[b]]
				if e+2 < len(in) && in[e+1].op == opConst32 && in[e+1].value == 1 && (in[e+2].op == opReturn || in[e+2].op == opEnd && e+3 == len(in)) {
					out = append(out, instr{op: opIf, raw: []byte{opIf, 0x40}}, in[e+1], plain(opReturn), plain(opEnd))
					continue
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// threaded is about jumps to blocks that follow (rule 1).
func threaded(in []instr) []instr {
	table := -1
	for i, x := range in {
		if x.op == opBrTable {
			if table = i; i == 0 || in[i-1].op != opGet || in[i-1].value != 0 {
				return in
			}
			break
		}
	}
	if table < 0 {
		return in
	}
	for i, x := range in {
		// Of PC_B nothing else may read than the table and an indirect call.
		if x.op == opGet && x.value == 0 && i != table-1 && !(i >= 2 && in[i-1].op == opConst32 && in[i-2].op == opSet && in[i-2].value == 0) {
			return in
		}
	}
	var depths []int
	for raw := in[table].raw[1:]; len(raw) > 0; {
		v, n := uvarint(raw, 0)
		raw = raw[n:]
		depths = append(depths, int(v))
	}
	depths = depths[1:] // the first is how many
	var open []int      // blocks, by where they begin
	var blocks []int    // by their numbers
	loop := -1          // the first
	out := make([]instr, 0, len(in))
	for i := 0; i < len(in); i++ {
		x := in[i]
		switch x.op {
		case opBlock, opLoop, opIf:
			if x.op == opLoop && loop < 0 {
				loop = i
			}
			open = append(open, i)
		case opEnd:
			open = open[:max(0, len(open)-1)]
		case opBrTable:
			if i == table {
				for _, d := range depths {
					if d >= len(open) || in[open[len(open)-1-d]].op != opBlock {
						return in
					}
					blocks = append(blocks, open[len(open)-1-d])
				}
			}
		case opConst32:
			if i < table || i+2 >= len(in) || in[i+1].op != opSet || in[i+1].value != 0 || in[i+2].op != opBr || x.value < 0 || x.value >= int64(len(blocks)) {
				break
			}
			if to := len(open) - 1 - int(in[i+2].value); to < 0 || open[to] != loop {
				break
			}
			depth := -1
			for k, b := range open {
				if b == blocks[x.value] {
					depth = len(open) - 1 - k
				}
			}
			if depth < 0 {
				break // it has ended: a jump back
			}
			if n := len(out); depth > 0 && out[n-1].op == opIf && out[n-1].raw[1] == 0x40 && i+3 < len(in) && in[i+3].op == opEnd {
				out[n-1] = number(opBrIf, uint64(depth-1))
				open = open[:len(open)-1]
				i += 3
				continue
			}
			out = append(out, number(opBr, uint64(depth)))
			i += 2
			continue
		}
		out = append(out, x)
	}
	return out
}

// numbered is about the places that are stored before calls (rule 3); local is the number of
// the new local, if it is used.
func numbered(in []instr, local uint64) (out []instr, used bool) {
	const low = 1<<16 - 1
	var function int64
	out = make([]instr, 2, 2+len(in)+len(in)/8)
	for i, x := range in {
		if x.op == opConst64 && x.value > low && i > 1 && i+1 < len(in) && in[i-1].op == opGet && in[i-2].op == opGlobalSet && in[i+1].op == opStore64 && in[i+1].off == 0 {
			if function == 0 {
				function = x.value &^ low
			}
			if x.value&^low == function {
				out = append(out, number(opGet, local), constant(opConst64, x.value&low), plain(opOr64))
				continue
			}
		}
		out = append(out, x)
	}
	if function == 0 {
		return in, false
	}
	out[0], out[1] = constant(opConst64, function), number(opSet, local)
	return out, true
}
