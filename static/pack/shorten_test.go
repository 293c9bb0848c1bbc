package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// machine runs a function as a browser does, as far as Go's functions in these tests go, and
// writes down what the world sees of it: stores, calls and what it returns.
type machine struct {
	memory []byte
	global uint32 // SP
	locals []uint64
	calls  func() uint64 // what a call returns: 1 unwinds the stack
	seen   []string
}

const enough = 300 // of what is seen; a function may go on for ever

// run interprets body with PC_B pc.
func (m *machine) run(t *testing.T, body []byte, pc uint64) {
	groups, at := uvarint(body, 0)
	m.locals = []uint64{pc}
	for range groups {
		n, k := uvarint(body, at)
		at += k + 1
		m.locals = append(m.locals, make([]uint64, n)...)
	}
	code, ok := decode(body[at:])
	if !ok {
		t.Fatal("it cannot be decoded")
	}
	ends := blockEnds(code)
	type label struct{ begin, height int }
	var labels []label
	var stack []uint64
	pop := func() uint64 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	say := func(format string, a ...any) { m.seen = append(m.seen, fmt.Sprintf(format, a...)) }
	// The branch out of a block goes to its end, that of a loop to its beginning.
	branch := func(depth int) int {
		l := labels[len(labels)-1-depth]
		stack = stack[:l.height]
		if code[l.begin].op == opLoop {
			labels = labels[:len(labels)-depth]
			return l.begin + 1
		}
		labels = labels[:len(labels)-1-depth]
		return ends[l.begin] + 1
	}
	for i := 0; len(m.seen) < enough; {
		x := code[i]
		i++
		switch op := x.op; {
		case op == opBlock || op == opLoop:
			labels = append(labels, label{i - 1, len(stack)})
		case op == opIf:
			c := uint32(pop())
			if labels = append(labels, label{i - 1, len(stack)}); c == 0 {
				i = branch(0)
			}
		case op == opEnd:
			if len(labels) == 0 {
				say("returns %d", pop())
				return
			}
			labels = labels[:len(labels)-1]
		case op == opBr:
			i = branch(int(x.value))
		case op == opBrIf:
			if uint32(pop()) != 0 {
				i = branch(int(x.value))
			}
		case op == opBrTable:
			n, k := uvarint(x.raw, 1)
			to := min(uint64(uint32(pop())), n)
			depth, at := uint64(0), 1+k
			for range to + 1 {
				depth, k = uvarint(x.raw, at)
				at += k
			}
			i = branch(int(depth))
		case op == opReturn:
			say("returns %d", pop())
			return
		case op == opCall:
			say("calls %d with %d at %d", x.value, pop(), m.global)
			stack = append(stack, m.calls())
		case op == opCallBy:
			f := pop()
			say("calls by %d with %d at %d", uint32(f), pop(), m.global)
			stack = append(stack, m.calls())
		case op == opGet:
			stack = append(stack, m.locals[x.value])
		case op == opSet:
			m.locals[x.value] = pop()
		case op == opTee:
			m.locals[x.value] = stack[len(stack)-1]
		case op == opGlobal:
			stack = append(stack, uint64(m.global))
		case op == opGlobalSet:
			m.global = uint32(pop())
		case op == opConst32:
			stack = append(stack, uint64(uint32(x.value)))
		case op == opConst64:
			stack = append(stack, uint64(x.value))
		case op == opIsZero32:
			stack = append(stack, map[bool]uint64{true: 1}[uint32(pop()) == 0])
		case op == opIsZero64:
			stack = append(stack, map[bool]uint64{true: 1}[pop() == 0])
		case op == opAdd32 || op == 0x6b:
			b, a := uint32(pop()), uint32(pop())
			stack = append(stack, uint64(map[byte]uint32{opAdd32: a + b, 0x6b: a - b}[op]))
		case op == opAdd64:
			stack = append(stack, pop()+pop())
		case op == opOr64:
			stack = append(stack, pop()|pop())
		case op == opWrap:
			stack = append(stack, uint64(uint32(pop())))
		case op == opExtend: // 32 bits stand in 64 as they are
		case op == 0x29:
			at := uint64(uint32(pop())) + x.off
			stack = append(stack, binary.LittleEndian.Uint64(m.memory[at:]))
		case op == opStore64:
			v := pop()
			at := uint64(uint32(pop())) + x.off
			binary.LittleEndian.PutUint64(m.memory[at:], v)
			say("%d = %#x", at, v)
		default:
			t.Fatalf("%#x is none of the instructions of these tests", op)
		}
	}
}

// function makes a body in the form of the Go compiler's, at random. Locals are PC_B, SP, two
// of 64 bits and one of 32.
func goFunction(r *rand.Rand) []byte {
	const sp, wide = 1, 2
	var code []byte
	put := func(list ...instr) {
		for _, x := range list {
			code = append(code, x.raw...)
		}
	}
	void := func(op byte) instr { return instr{op: op, raw: []byte{op, 0x40}} }
	memory := func(op byte, off int) instr { return instr{op: op, align: 3}.at(uint64(off)) }
	blocks := 1 + r.IntN(8)
	number32 := func(op byte, v int) instr { return number(op, uint64(v)) }
	address := func() { // of a slot
		put(number32(opGet, sp), plain(opExtend), constant(opConst64, int64(8*(r.IntN(9)-1))), plain(opAdd64), plain(opWrap))
	}
	var value func(depth int)
	value = func(depth int) {
		switch k := r.IntN(7); {
		case k == 0 && depth > 0:
			value(depth - 1)
			value(depth - 1)
			put(plain(opAdd64))
		case k == 1:
			address()
			put(memory(0x29, 8*r.IntN(3)))
		case k == 2:
			put(number32(opGet, wide+r.IntN(2)))
		case k == 3:
			put(number32(opGet, sp), plain(opExtend), constant(opConst64, int64(r.IntN(50))), plain(opAdd64))
		case k == 4:
			put(constant(opConst64, r.Int64()-1<<62), plain(opWrap), plain(opExtend))
		case k == 5:
			value(0)
			put(number32(opSet, wide), number32(opGet, wide))
		default:
			put(constant(opConst64, int64(r.IntN(3))))
		}
	}
	stores := func() {
		for range 1 + r.IntN(3) {
			address()
			value(2)
			put(memory(opStore64, 8*r.IntN(3)))
		}
	}
	put(number32(opGlobal, 0), number32(opSet, sp))
	put(void(opBlock), void(opLoop))
	for range blocks {
		put(void(opBlock))
	}
	put(number32(opGet, 0), instr{raw: []byte{opBrTable, byte(blocks - 1)}})
	for i := range blocks {
		code = append(code, byte(i))
	}
	function := int64(1+r.IntN(5000)) << 16
	for b := range blocks {
		put(plain(opEnd))
		loop := blocks - 1 - b // how deep it is
		stores()
		jump := func(deep int) {
			put(constant(opConst32, int64(r.IntN(blocks))), number32(opSet, 0), number32(opBr, loop+deep))
		}
		for range r.IntN(4) {
			switch r.IntN(5) {
			case 0, 1: // if … goto
				value(1)
				switch r.IntN(3) {
				case 0:
					put(plain(opIsZero64), plain(opIsZero32), plain(opIsZero32), void(opIf))
				case 1:
					put(plain(opWrap), plain(opExtend), plain(opIsZero64), void(opIf))
				default:
					put(plain(opIsZero64), plain(opExtend), plain(opIsZero64), plain(opIsZero32), void(opIf))
				}
				if r.IntN(2) == 0 {
					stores()
				}
				jump(1)
				put(plain(opEnd))
			case 2, 3: // a call
				put(number32(opGet, sp), constant(opConst32, 8), plain(0x6b), number32(opTee, sp), number32(opGlobalSet, 0))
				put(number32(opGet, sp), constant(opConst64, function|int64(b)), memory(opStore64, 0))
				if r.IntN(2) == 0 {
					put(constant(opConst32, 0), number32(opCall, r.IntN(9)))
				} else {
					value(1)
					put(plain(opWrap), number32(opSet, 0), constant(opConst32, 0), number32(opGet, 0), instr{raw: []byte{opCallBy, 0, 0}})
				}
				put(number32(opGlobal, 0), number32(opSet, sp), number32(opBrIf, loop+1))
				put(number32(opGet, sp), constant(opConst32, 8), plain(opAdd32), number32(opSet, sp))
			default:
				value(1)
				put(number32(opSet, wide+1))
			}
		}
		switch r.IntN(4) {
		case 0:
			jump(0)
		case 1:
			put(constant(opConst32, 0), plain(opReturn))
		}
	}
	put(constant(opConst32, 0), plain(opReturn), plain(opEnd), plain(opEnd), constant(opConst32, 1), plain(opEnd))
	return append([]byte{3, 1, 0x7f, 2, 0x7e, 1, 0x7f}, code...)
}

// What a function does is the same before and after: each store, each call, what it returns.
func TestShortened(t *testing.T) {
	changed, longest := 0, 0
	for seed := range uint64(1200) {
		body := goFunction(rand.New(rand.NewPCG(seed, 1)))
		short := shortened(bytes.Clone(body))
		if !bytes.Equal(body, short) {
			changed++
		}
		for pc := range uint64(9) {
			run := func(body []byte) []string {
				r := rand.New(rand.NewPCG(seed, pc))
				m := machine{memory: make([]byte, 4096), global: 2048, calls: func() uint64 { return map[bool]uint64{true: 1}[r.IntN(6) == 0] }}
				for i := range m.memory {
					m.memory[i] = byte(r.IntN(3))
				}
				m.run(t, body, pc)
				return m.seen
			}
			was, is := run(body), run(short)
			if !slices.Equal(was, is) {
				at := 0
				for at < min(len(was), len(is)) && was[at] == is[at] {
					at++
				}
				t.Fatalf("function %d from %d: after %d that are the same it was %q, it is %q", seed, pc, at, was[at:min(at+1, len(was))], is[at:min(at+1, len(is))])
			}
			longest = max(longest, len(was))
		}
	}
	if changed < 1150 || longest < enough {
		t.Errorf("%d functions were shortened, the longest run has %d steps: they test little", changed, longest)
	}
}

// Each rule does what it says.
func TestShortenRules(t *testing.T) {
	join := func(list ...instr) (b []byte) {
		for _, x := range list {
			b = append(b, x.raw...)
		}
		return b
	}
	get, set := func(v uint64) instr { return number(opGet, v) }, func(v uint64) instr { return number(opSet, v) }
	store := instr{op: opStore64, align: 3}.at(8)
	block, loop, cond := instr{raw: []byte{opBlock, 0x40}}, instr{raw: []byte{opLoop, 0x40}}, instr{raw: []byte{opIf, 0x40}}
	sum := join(get(1), plain(opExtend), constant(opConst64, 16), plain(opAdd64), plain(opWrap))
	for _, c := range []struct {
		name     string
		was, now []byte
	}{
		{"a load", append(bytes.Clone(sum), store.at(4).raw...), nil},
		{"the offset of a load", append(bytes.Clone(sum), instr{op: 0x29, align: 3}.at(8).raw...), join(get(1), instr{op: 0x29, align: 3}.at(24))},
		{"the offset of a store", slices.Concat(sum, join(get(2), store)), join(get(1), get(2), store.at(24))},
		{"a negative distance", join(get(1), plain(opExtend), constant(opConst64, -8), plain(opAdd64), plain(opWrap), get(2), store), join(get(1), constant(opConst32, -8), plain(opAdd32), get(2), store)},
		{"what lies between is not simple", slices.Concat(sum, join(constant(opConst32, 0), number(opCall, 3), store)), join(get(1), constant(opConst32, 16), plain(opAdd32), constant(opConst32, 0), number(opCall, 3), store)},
		{"a value that is kept", join(set(2), get(2)), join(number(opTee, 2))},
		{"another value", join(set(2), get(3)), nil},
		{"leaving", join(block, number(opBrIf, 0), plain(opEnd), constant(opConst32, 1), plain(opEnd)), join(block, cond, constant(opConst32, 1), plain(opReturn), plain(opEnd), plain(opEnd), constant(opConst32, 1), plain(opEnd))},
		{"another way out", join(block, number(opBrIf, 0), plain(opEnd), constant(opConst32, 0), plain(opEnd)), nil},
		{"a jump forward and one back", join(loop, block, block, get(0), instr{raw: []byte{opBrTable, 1, 0, 1}}, plain(opEnd), constant(opConst32, 1), set(0), number(opBr, 1), plain(opEnd), constant(opConst32, 0), set(0), number(opBr, 0), plain(opEnd)),
			join(loop, block, block, get(0), instr{raw: []byte{opBrTable, 1, 0, 1}}, plain(opEnd), number(opBr, 0), plain(opEnd), constant(opConst32, 0), set(0), number(opBr, 0), plain(opEnd))},
		{"PC_B is read", join(loop, block, get(0), instr{raw: []byte{opBrTable, 0, 0}}, plain(opEnd), get(0), set(2), plain(opEnd)), nil},
		{"not of Go", join(set(2), get(2), instr{raw: []byte{0xfd, 0}}), nil},
	} {
		head := []byte{2, 1, 0x7f, 3, 0x7e}
		want := c.now
		if want == nil {
			if want = c.was; c.name == "a load" { // a store that lacks its value is left where it is
				want = join(get(1), constant(opConst32, 16), plain(opAdd32), store.at(4))
			}
		}
		if got := shortened(append(bytes.Clone(head), c.was...)); !bytes.Equal(got, append(bytes.Clone(head), want...)) {
			t.Errorf("%s: %x, want %x", c.name, got[len(head):], want)
		}
	}
}

// Bytes that are no function cost no crash, and stay as they are.
func FuzzShortened(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(goFunction(rand.New(rand.NewPCG(seed, 1))))
	}
	f.Add([]byte{})
	f.Add([]byte{1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0x7f, 0x0b})
	f.Fuzz(func(t *testing.T, body []byte) {
		short := shortened(bytes.Clone(body))
		groups, at := uvarint(body, 0)
		for range min(groups, 1000) {
			_, k := uvarint(body, at)
			at += k + 1
		}
		if at > len(body) {
			return
		}
		if _, ok := decode(body[at:]); !ok && !bytes.Equal(body, short) {
			t.Errorf("%x became %x", body, short)
		}
	})
}
