package array

import (
	"bytes"
	"math"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Vectors is a table of numbers as text: a point a line, its numbers separated by tabs (or by commas, or
// spaces, where there are no tabs). Empty lines are passed over, as TensorBoard does. shape, which
// a config may state, is held against what is read.
func Vectors(f tensor.File, shape []int64) tensor.Stored { return &vectors{f, shape} }

type vectors struct {
	f     tensor.File
	shape []int64
}

// Info implements tensor.Stored: what is in the table is not known before it is read.
func (v *vectors) Info() tensor.Info { return tensor.Info{DType: "float32", Step: -1} }

// separator is what stands between the numbers of a line.
func separator(line []byte) byte {
	for _, c := range []byte{'\t', ',', ';', ' '} {
		if bytes.IndexByte(line, c) >= 0 {
			return c
		}
	}
	return '\t'
}

// IsVectors reports whether a table begins with lines of numbers, at least two of which stand in a
// line: otherwise it is metadata.
func IsVectors(f tensor.File) (bool, error) {
	const first = 16 << 10
	b, err := f.Read(0, min(f.Size(), first))
	if err != nil {
		return false, err
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	cut := int64(len(b)) < f.Size()
	lines, columns := 0, -1
	for len(b) > 0 && lines < 20 {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole && cut && lines > 0 {
			break
		}
		b = rest
		line = bytes.TrimRight(line, "\r \t")
		if len(line) == 0 {
			continue
		}
		n, bad := 0, 0
		parseLine(line, separator(line), func(_ float32, ok bool) {
			n++
			if !ok {
				bad++
			}
		})
		if !whole && cut { // one long line, cut inside a number
			bad, n = max(0, bad-1), max(n, 2)
		}
		if bad > 0 || n < 2 || columns >= 0 && n != columns {
			return false, nil
		}
		columns = n
		lines++
	}
	return lines > 0, nil
}

// parseLine hands on the numbers of a line.
func parseLine(line []byte, sep byte, use func(x float32, ok bool)) {
	for {
		i := bytes.IndexByte(line, sep)
		cell := line
		if i >= 0 {
			cell = line[:i]
		}
		if cell = bytes.TrimSpace(cell); len(cell) > 0 || sep != ' ' {
			x, ok := number(cell)
			use(x, ok)
		}
		if i < 0 {
			return
		}
		line = line[i+1:]
	}
}

// tens are the powers of ten that are exact as float64s.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number reads a decimal number. What has at most 15 digits and a small exponent is exact by one
// division or product (Clinger, "How to read floating point numbers accurately", 1990), up to the
// rounding to float32; the rest is strconv's.
func number(b []byte) (float32, bool) {
	i, neg := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg, i = b[0] == '-', 1
	}
	var m uint64
	digits, point, e := 0, -1, 0
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			m = m*10 + uint64(c-'0')
			if m > 0 {
				digits++
			}
			if point >= 0 {
				point++
			}
			if digits > 15 {
				return slow(b)
			}
			continue
		case c == '.' && point < 0:
			point = 0
			continue
		case (c == 'e' || c == 'E') && i+1 < len(b) && len(b)-i < 6:
			j, down := i+1, false
			if b[j] == '-' || b[j] == '+' {
				down = b[j] == '-'
				j++
			}
			if j == len(b) {
				return 0, false
			}
			for ; j < len(b); j++ {
				if b[j] < '0' || b[j] > '9' {
					return slow(b)
				}
				e = e*10 + int(b[j]-'0')
			}
			if down {
				e = -e
			}
			i = len(b)
		default:
			return slow(b)
		}
	}
	if digits == 0 && m == 0 && !bytes.ContainsAny(b, "0123456789") {
		return 0, false
	}
	if point > 0 {
		e -= point
	}
	x := float64(m)
	switch {
	case e < -22 || e > 22:
		return slow(b)
	case e < 0:
		x /= tens[-e]
	default:
		x *= tens[e]
	}
	if neg {
		x = -x
	}
	return float32(x), true
}

func slow(b []byte) (float32, bool) {
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, false
	}
	return float32(x), true
}

// longestLine bounds a line, which is held as a whole.
const longestLine = 64 << 20

// Load implements tensor.Stored. The shape is what the lines have: Shape.
func (v *vectors) Load(rows int64, turn func(read, of int64) error) ([]float32, []*tensor.Trouble, error) {
	t, err := v.Table(rows, turn)
	if err != nil {
		return nil, nil, err
	}
	return t.Points, t.Problems, nil
}

// Table is what a table of numbers holds.
type Table struct {
	Points     []float32
	Rows, Dims int64
	Of         int64 // rows there are, as far as was read
	Problems   []*tensor.Trouble
}

// enough ends reading when all rows that are wanted are there.
var enough = tensor.Wrong("stopped", "", "", "all rows are there")

// Table reads the first rows (rows < 0: all). A line with another number of columns than the first
// one stays a row, so that metadata fits: what it lacks is NaN, what it has too much is left out.
func (v *vectors) Table(rows int64, turn func(read, of int64) error) (*Table, error) {
	t := &Table{}
	fields := &tensor.Trouble{Code: "fields", Path: v.f.Path(), Message: "lines with another number of columns than the first one", Remedy: "What they lack is taken for missing. Correct the file.", Row: -1}
	words := &tensor.Trouble{Code: "fields", Path: v.f.Path(), Message: "values that are no numbers", Remedy: "They are taken for missing. Correct the file.", Row: -1}
	var sep byte
	first, maybeHead := true, true
	line := func(b []byte) error {
		if first {
			b = bytes.TrimPrefix(b, []byte("\ufeff"))
			first = false
		}
		b = bytes.TrimRight(b, "\r")
		if sep == 0 || sep == ' ' {
			b = bytes.TrimRight(b, " ")
		}
		if len(bytes.TrimSpace(b)) == 0 {
			return nil
		}
		if sep == 0 {
			sep = separator(b)
		}
		if rows >= 0 && t.Rows >= rows {
			return enough
		}
		n, bad := int64(0), int64(0)
		start := len(t.Points)
		parseLine(b, sep, func(x float32, ok bool) {
			if t.Rows > 0 && n >= t.Dims {
				n++
				return
			}
			if !ok {
				bad++
				x = float32(math.NaN())
			}
			t.Points = append(t.Points, x)
			n++
		})
		if t.Rows == 0 {
			if bad == n && maybeHead { // a header
				maybeHead = false
				t.Points, sep = t.Points[:start], 0
				return nil
			}
			t.Dims = n
		}
		if n == t.Dims+1 && b[len(b)-1] == sep { // a tab behind the last number
			n--
		}
		if n != t.Dims {
			if n < t.Dims {
				// A short line among long ones makes at most as many numbers as it would have had.
				for ; n < t.Dims; n++ {
					t.Points = append(t.Points, float32(math.NaN()))
				}
			}
			note(fields, t.Rows, 1)
		}
		if bad > 0 {
			note(words, t.Rows, bad)
		}
		t.Rows++
		if t.Rows*t.Dims > 64*v.f.Size()+1024 { // lines of one number in a table of thousands
			return tensor.Damaged(v.f.Path(), "Most of its lines have fewer columns than the first one.")
		}
		return nil
	}
	var rest []byte
	read := int64(0)
	err := tensor.ReadAll(v.f, 0, v.f.Size(), func(b []byte) error {
		read += int64(len(b))
		for k := 0; ; k++ {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				break
			}
			whole := b[:i]
			if len(rest) > 0 {
				whole = append(rest, whole...)
				rest = rest[:0]
			}
			if err := line(whole); err != nil {
				return err
			}
			b = b[i+1:]
			if k%64 == 63 {
				if err := turn(read, v.f.Size()); err != nil {
					return err
				}
			}
		}
		if len(rest)+len(b) > longestLine {
			return tensor.Damaged(v.f.Path(), "A line is longer than %d bytes.", longestLine)
		}
		rest = append(rest, b...)
		return turn(read, v.f.Size())
	})
	if err == nil && len(rest) > 0 {
		err = line(rest)
	}
	if err == enough {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if t.Rows == 0 {
		return nil, tensor.Wrong("nothing-there", v.f.Path(), "", "The file holds no numbers.")
	}
	for _, p := range []*tensor.Trouble{fields, words} {
		if p.Count > 0 {
			p.Message = strconv.FormatInt(p.Count, 10) + " " + p.Message
			t.Problems = append(t.Problems, p)
		}
	}
	if len(v.shape) == 2 && rows < 0 && (v.shape[0] != t.Rows || v.shape[1] != t.Dims) {
		t.Problems = append(t.Problems, tensor.Wrong("shape", v.f.Path(), "Correct tensor_shape in the config.", "The config states %s, and the file has %d × %d.", shapeText(v.shape), t.Rows, t.Dims))
	}
	return t, nil
}

func note(p *tensor.Trouble, row, n int64) {
	if p.Count == 0 {
		p.Row = row
	}
	p.Count += n
}

// Tabled is a Stored whose shape is known when it has been read.
type Tabled interface {
	tensor.Stored
	Table(rows int64, turn func(read, of int64) error) (*Table, error)
}
