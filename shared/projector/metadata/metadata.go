// Package metadata reads tables of what the rows of a tensor are: tab-separated text, kept as columns.
// A column holds each different text once, and for each row its number: a million rows take few
// megabytes, and are searched by their different texts.
package metadata

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Column is one column of a table.
type Column struct {
	Name   string
	Codes  []uint32 // for each row the number of its text
	Words  []byte   // the texts, one after the other, UTF-8
	Starts []uint32 // text i is Words[Starts[i]:Starts[i+1]]
	table  []uint32 // of the texts by their hashes: number + 1
}

// Table is what a file holds.
type Table struct {
	Columns  []*Column
	Lines    int64 // there were
	Problems []*tensor.Trouble
}

// Distinct is how many different texts there are.
func (c *Column) Distinct() int { return max(0, len(c.Starts)-1) }

// Word is a text by its number.
func (c *Column) Word(n uint32) []byte { return c.Words[c.Starts[n]:c.Starts[n+1]] }

// Put adds a row.
func (c *Column) Put(text []byte) { c.Codes = append(c.Codes, c.code(text)) }

// Set changes rows.
func (c *Column) Set(rows []uint32, text []byte) {
	n := c.code(text)
	for _, r := range rows {
		c.Codes[r] = n
	}
}

func hash(b []byte) uint64 { // FNV-1a
	h := uint64(14695981039346656037)
	for _, x := range b {
		h = (h ^ uint64(x)) * 1099511628211
	}
	return h ^ h>>29
}

// code is the number of a text, a new one if it is new.
func (c *Column) code(text []byte) uint32 {
	if len(c.Starts) == 0 {
		c.Starts = []uint32{0}
	}
	if n := c.Distinct(); 2*n >= len(c.table) {
		size := max(64, 2*len(c.table))
		c.table = make([]uint32, size)
		for i := range uint32(n) {
			at := hash(c.Word(i)) & uint64(size-1)
			for c.table[at] != 0 {
				at = (at + 1) & uint64(size-1)
			}
			c.table[at] = i + 1
		}
	}
	at := hash(text) & uint64(len(c.table)-1)
	for ; c.table[at] != 0; at = (at + 1) & uint64(len(c.table)-1) {
		if n := c.table[at] - 1; bytes.Equal(c.Word(n), text) {
			return n
		}
	}
	n := uint32(c.Distinct())
	c.Words = append(c.Words, text...)
	c.Starts = append(c.Starts, uint32(len(c.Words)))
	c.table[at] = n + 1
	return n
}

// Fill adds empty rows up to n.
func (c *Column) Fill(n int64) {
	for int64(len(c.Codes)) < n {
		c.Put(nil)
	}
}

// Counts is how many rows have each text.
func (c *Column) Counts() []uint32 {
	n := make([]uint32, c.Distinct())
	for _, k := range c.Codes {
		n[k]++
	}
	return n
}

// Numbers are the rows as numbers, NaN where there is none; nil if a text of a row is something else, or
// if there is none at all. NaN and infinities as NumPy and pandas write them are numbers.
func (c *Column) Numbers() (list []float64, least, most float64) {
	of, used := make([]float64, c.Distinct()), c.Counts()
	least, most = math.Inf(1), math.Inf(-1)
	for i := range of {
		of[i] = math.NaN()
		text := bytes.TrimSpace(c.Word(uint32(i)))
		if used[i] == 0 || len(text) == 0 {
			continue
		}
		x, err := strconv.ParseFloat(string(text), 64)
		if err != nil && !math.IsInf(x, 0) || bytes.ContainsAny(text, "_xXpP") {
			return nil, 0, 0
		}
		of[i] = x
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			least, most = min(least, x), max(most, x)
		}
	}
	if least > most {
		return nil, 0, 0
	}
	list = make([]float64, len(c.Codes))
	for i, k := range c.Codes {
		list[i] = of[k]
	}
	return list, least, most
}

// way is how lines become rows: what one writer does another does not.
type way struct{ blanks, comments, quotes bool }

// ways are tried in this order; the first that has as many rows as the tensor is taken, so a
// vocabulary may hold "#", a lone quote, or an empty word.
var ways = []way{{}, {blanks: true}, {comments: true}, {quotes: true}, {comments: true, quotes: true}}

// Read reads a table for a tensor of so many rows, the first of more if head. turn is called often, and
// may end the reading. The first line is a header if and only if it has a tab, as TensorBoard
// has it. A field in quotes (with doubled ones inside) is what stands between them.
func Read(path string, b []byte, rows int64, head bool, turn func() error) (*Table, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	best, lines := ways[0], int64(-1)
	for _, w := range ways {
		n := int64(0)
		titled := false
		err := each(b, w, func(line []byte) error {
			if n == 0 && !titled && bytes.IndexByte(line, '\t') >= 0 {
				titled = true
				return nil
			}
			n++
			if n&2047 == 0 {
				return turn()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if lines < 0 {
			lines = n
		}
		if n == rows || head && n >= rows {
			best, lines = w, n
			break
		}
	}
	t := &Table{Lines: lines}
	var spare, short int64
	shortAt := int64(-1)
	row := int64(0)
	names := false
	text := bytes.ToValidUTF8
	err := each(b, best, func(line []byte) error {
		if t.Columns == nil {
			if bytes.IndexByte(line, '\t') >= 0 && !names {
				names = true
				cells(line, best.quotes, func(cell []byte) {
					t.Columns = append(t.Columns, &Column{Name: unique(t.Columns, string(text(cell, []byte("\ufffd"))))})
				})
				return nil
			}
			t.Columns = []*Column{{Name: "label"}}
		}
		if row >= rows {
			return nil
		}
		i := 0
		if !names { // one column: a line is a text as it is, but for quotes
			t.Columns[0].Put(valid(unquote(line)))
			i = 1
		} else {
			cells(line, best.quotes, func(cell []byte) {
				if i < len(t.Columns) {
					t.Columns[i].Put(valid(cell))
				}
				i++
			})
		}
		if i != len(t.Columns) {
			if shortAt < 0 {
				shortAt = row
			}
			if short++; i > len(t.Columns) {
				spare++
			}
		}
		row++
		for _, c := range t.Columns {
			if int64(len(c.Codes)) < row {
				c.Put(nil)
			}
		}
		if row&1023 == 0 {
			return turn()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.Columns == nil {
		return nil, tensor.Wrong("nothing-there", path, "", "The file is empty.")
	}
	// A table of very many columns and few lines costs rows × columns for those that lack.
	if (rows-row)*int64(len(t.Columns)) > 64*int64(len(b))+1<<20 {
		return nil, tensor.Wrong("length", path, "Choose the metadata of this tensor.", "The file has %d lines, and the tensor %d rows.", lines, rows)
	}
	for _, c := range t.Columns {
		c.Fill(rows)
	}
	if lines != rows && !(head && lines > rows) {
		p := tensor.Wrong("length", path, "Choose the metadata of this tensor, or write it anew: a line for each row, and a header line only where there is a tab.", "The file has %d lines, and the tensor %d rows.", lines, rows)
		p.Row, p.Count = min(lines, rows), max(lines-rows, rows-lines)
		t.Problems = append(t.Problems, p)
	}
	if short > 0 {
		p := tensor.Wrong("fields", path, "What a line lacks is empty, what it has too much is left out.", "%d lines have another number of columns than the header, %d of them more.", short, spare)
		p.Row, p.Count = shortAt, short
		t.Problems = append(t.Problems, p)
	}
	return t, nil
}

func valid(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\ufffd"))
}

func unique(others []*Column, name string) string {
	if name = strings.TrimSpace(name); name == "" {
		name = "column " + strconv.Itoa(len(others)+1)
	}
	taken := func(n string) bool {
		for _, c := range others {
			if c.Name == n {
				return true
			}
		}
		return false
	}
	to := name
	for i := 2; len(others) < 1000 && taken(to); i++ {
		to = name + " " + strconv.Itoa(i)
	}
	return to
}

// each calls use with the lines that are rows.
func each(b []byte, w way, use func(line []byte) error) error {
	begun := false
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if w.quotes {
			i = lineEnd(b)
		}
		line, rest := b, []byte(nil)
		if i >= 0 {
			line, rest = b[:i], b[i+1:]
		}
		b = rest
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(bytes.TrimSpace(line)) == 0 && !w.blanks {
			continue
		}
		if w.comments && !begun && line[0] == '#' {
			continue
		}
		begun = true
		if err := use(line); err != nil {
			return err
		}
	}
	return nil
}

// lineEnd is the end of a line whose fields may be in quotes, with line ends inside.
func lineEnd(b []byte) int {
	inside, start := false, true
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inside && c == '"':
			if i+1 < len(b) && b[i+1] == '"' {
				i++
			} else {
				inside = false
			}
		case inside:
		case c == '\n':
			return i
		case c == '"' && start:
			inside = true
			start = false
			continue
		}
		start = b[i] == '\t'
	}
	return -1
}

// cells hands on the fields of a line.
func cells(line []byte, quotes bool, use func([]byte)) {
	for {
		i := bytes.IndexByte(line, '\t')
		if quotes && len(line) > 0 && line[0] == '"' {
			for at := 1; at < len(line); at++ {
				if line[at] == '"' {
					if at+1 < len(line) && line[at+1] == '"' {
						at++
						continue
					}
					if i = bytes.IndexByte(line[at:], '\t'); i >= 0 {
						i += at
					}
					break
				}
			}
		}
		if i < 0 {
			use(unquote(line))
			return
		}
		use(unquote(line[:i]))
		line = line[i+1:]
	}
}

// unquote takes the quotes from a field that is in quotes as a whole.
func unquote(b []byte) []byte {
	if len(b) < 3 || b[0] != '"' || b[len(b)-1] != '"' {
		return b
	}
	in := b[1 : len(b)-1]
	if bytes.Count(in, []byte(`"`)) != 2*bytes.Count(in, []byte(`""`)) {
		return b // quotes inside that are not doubled: it is a text with quotes
	}
	return bytes.ReplaceAll(in, []byte(`""`), []byte(`"`))
}
