package tfrecord

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

func TestMaskedCRC(t *testing.T) {
	// The header of the first record of a file that TensorFlow wrote: length 24.
	head := []byte{0x18, 0, 0, 0, 0, 0, 0, 0, 0xa3, 0x7f, 0x4b, 0x22}
	if got, want := MaskedCRC(head[:8]), binary.LittleEndian.Uint32(head[8:]); got != want {
		t.Errorf("MaskedCRC(length 24) = %#x, want %#x", got, want)
	}
}

func TestMaskedLengthCRC(t *testing.T) {
	var b [8]byte
	check := func(n uint64) {
		binary.LittleEndian.PutUint64(b[:], n)
		if got, want := maskedLengthCRC(b[:], n), MaskedCRC(b[:]); got != want {
			t.Fatalf("length %d: %#x, want %#x", n, got, want)
		}
	}
	for n := uint64(0); n < 1<<16+100; n += 7 {
		check(n)
	}
	check(1<<64 - 1)
}

func TestShort(t *testing.T) {
	b := make([]byte, 300)
	for i := range b {
		b[i] = byte(i*i + 7*i)
	}
	for n := range b {
		if got, want := short(b[:n]), crc32.Checksum(b[:n], castagnoli); got != want {
			t.Fatalf("%d bytes: %#x, want %#x", n, got, want)
		}
	}
}

func TestChanges(t *testing.T) {
	changes := Changes()
	b := make([]byte, Reach)
	for i := range b {
		b[i] = byte(3*i*i + 11)
	}
	before := crc32.Checksum(b, castagnoli)
	if Unmask(MaskedCRC(b)) != before {
		t.Error("Unmask does not undo the mask")
	}
	for i := range b {
		for _, x := range []byte{1, 0x80, 0xff, byte(i)} {
			b[i] ^= x
			if got, want := before^changes[(len(b)-1-i)<<8|int(x)], crc32.Checksum(b, castagnoli); got != want {
				t.Fatalf("byte %d changed by %#x: %#x, want %#x", i, x, got, want)
			}
			b[i] ^= x
		}
	}
}

func TestCutAtEveryByte(t *testing.T) {
	whole := Append(Append(nil, []byte("first")), []byte("second record"))
	for n := range whole {
		rest, got := whole[:n], 0
		for {
			_, size, s := Cut(rest)
			if s == Short {
				if size <= len(rest) {
					t.Fatalf("%d bytes: Short asks for %d of %d bytes", n, size, len(rest))
				}
				break
			}
			if s != OK {
				t.Fatalf("%d bytes: %v", n, s)
			}
			rest, got = rest[size:], got+1
		}
		want := 0
		if n >= Overhead+5 {
			want = 1
		}
		if got != want {
			t.Errorf("%d bytes hold %d records, want %d", n, got, want)
		}
	}
}

func TestFlipEveryByte(t *testing.T) {
	// A second record follows, so that a longer length still ends inside.
	whole := Append(nil, []byte("a payload of some length"))
	size := len(whole)
	whole = Append(whole, make([]byte, 1<<16))
	for i := range size {
		b := bytes.Clone(whole)
		b[i] ^= 0x10
		_, _, s := Cut(b)
		want := BadPayload
		switch {
		case i < 8:
			want = BadLength
		case i < HeaderSize:
			want = BadLengthCRC
		}
		if s != want {
			t.Errorf("byte %d flipped: %v, want %v", i, s, want)
		}
	}
}

func TestFind(t *testing.T) {
	record := Append(nil, []byte("found"))
	bad := bytes.Clone(record)
	bad[len(bad)-1] ^= 1
	for _, c := range []struct {
		name string
		b    []byte
		want int
	}{
		{"nothing", nil, -1},
		{"zeros", make([]byte, 4096), -1},
		{"at once", record, 0},
		{"behind zeros", append(make([]byte, 100), record...), 100},
		{"header alone at the end", append(make([]byte, 33), record[:HeaderSize]...), 33},
		{"torn header at the end", append(make([]byte, 33), record[:HeaderSize-1]...), -1},
		{"bad payload", append(make([]byte, 9), bad...), 9},
	} {
		if got := Find(c.b, 0); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestFindSlowly: what Find leaves out is no header: it finds what a look at every
// place finds, in bytes that are mostly zeros.
func TestFindSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	slowly := func(b []byte) int {
		for i := 0; i+HeaderSize <= len(b); i++ {
			if n := binary.LittleEndian.Uint64(b[i:]); n <= MaxPayload && MaskedCRC(b[i:i+8]) == binary.LittleEndian.Uint32(b[i+8:]) {
				return i
			}
		}
		return -1
	}
	for range 5000 {
		b := make([]byte, r.IntN(200))
		for range r.IntN(4) {
			if len(b) > 0 {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
		}
		if r.IntN(2) == 0 {
			b = append(b, Append(nil, make([]byte, r.IntN(300)))...)
		}
		for range 3 {
			b = append(b, make([]byte, r.IntN(40))...)
		}
		if got, want := Find(b, 0), slowly(b); got != want {
			t.Fatalf("Find = %d, want %d in %x", got, want, b)
		}
		n := 0
		for n < len(b) && b[n] == 0 {
			n++
		}
		if got := Zeros(b); got != n {
			t.Fatalf("Zeros = %d, want %d in %x", got, n, b)
		}
	}
}

// BenchmarkFindInZeros: a file that was preallocated and never written.
func BenchmarkFindInZeros(b *testing.B) {
	zeros := make([]byte, 64<<20)
	b.SetBytes(int64(len(zeros)))
	for b.Loop() {
		if Find(zeros, 0) >= 0 {
			b.Fatal("a header in zeros")
		}
	}
}

// FuzzCut: what Cut accepts, Append writes again; sizes stay inside what there is
// or what is asked for; and a record behind any bytes is found.
func FuzzCut(f *testing.F) {
	f.Add(Append(nil, []byte("hello")))
	f.Add(Append(nil, nil))
	var huge [HeaderSize]byte
	binary.LittleEndian.PutUint64(huge[:], 1<<64-4)
	binary.LittleEndian.PutUint32(huge[8:], MaskedCRC(huge[:8]))
	f.Add(huge[:])
	f.Fuzz(func(t *testing.T, b []byte) {
		payload, size, s := Cut(b)
		switch s {
		case OK:
			if !bytes.Equal(Append(nil, payload), b[:size]) {
				t.Error("Append(Cut) is not the record")
			}
		case BadPayload, BadLengthCRC:
			if size > len(b) || len(payload) != size-Overhead {
				t.Errorf("%v: size %d of %d bytes, payload %d", s, size, len(b), len(payload))
			}
		case Short:
			if size <= len(b) || size > Overhead+MaxPayload {
				t.Errorf("Short: size %d of %d bytes", size, len(b))
			}
		}
		tail := Append(nil, []byte("the record behind"))
		if i := Find(append(bytes.Clone(b), tail...), 0); i < 0 || i > len(b) {
			t.Errorf("Find = %d with a record at %d", i, len(b))
		}
	})
}
