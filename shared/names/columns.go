package names

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that a program wrote have parts in columns: "lr=0.001,opt=adam,seed_1" and
// "lr=0.01,opt=sgd,seed_1" differ in two of three. Where such names are too long, the words
// that stand in a whole column go ("lr, opt" is said once), then columns by which
// no two names are told apart, then the middle of the values, or else what all values of a
// column begin and end with: with a gap in its place, or where there is no room for gaps
// either, said once. Each step is taken for all
// names or for none, so that they can be read down a list, and only if it leaves all of
// them different.

// columns are names of equally many parts: in column k of name i stands cells[i][k], a part
// with its separator. Its value, without that, is values[k][ids[k][i]], each value once; differs
// says in which columns there are several.
type columns struct {
	names   []string
	cells   [][]string
	ids     [][]int32
	values  [][]string
	differs []int
}

// inColumns cuts names into columns; ok is false if their parts are not equally many.
func inColumns(names []string) (c columns, ok bool) {
	c = columns{names: names, cells: make([][]string, len(names))}
	for i, name := range names {
		c.cells[i] = parts(name)
		if len(c.cells[i]) != len(c.cells[0]) {
			return c, false
		}
	}
	n := len(c.cells[0])
	c.ids, c.values = make([][]int32, n), make([][]string, n)
	for k := range n {
		c.ids[k] = make([]int32, len(names))
		known := map[string]int32{}
		for i := range names {
			v := bare(c.cells[i][k])
			id, ok := known[v]
			if !ok {
				id = int32(len(c.values[k]))
				known[v] = id
				c.values[k] = append(c.values[k], v)
			}
			c.ids[k][i] = id
		}
		if len(c.values[k]) > 1 {
			c.differs = append(c.differs, k)
		}
	}
	return c, len(c.differs) > 0
}

// word is how many bytes of a column's values are the same word in all of them: "lr=" of
// "lr=0.1" and "lr=0.2", "seed" of "seed1" and "seed12". What is left is never empty.
func (c columns) word(at int) int {
	list := c.values[at]
	first := list[0]
	same, least := len(first), len(first)
	for _, s := range list {
		n := 0
		for n < min(same, len(s)) && s[n] == first[n] {
			n++
		}
		same, least = n, min(least, len(s))
	}
	if n := strings.LastIndexAny(first[:same], "=:") + 1; n > 0 && n < least {
		return n
	}
	for n := same; n > 0; n-- {
		if last, _ := utf8.DecodeLastRuneInString(first[:n]); !unicode.IsLetter(last) && last != '_' {
			continue
		}
		for _, s := range list {
			if len(s) <= n || !digit(s[n]) {
				return 0
			}
		}
		return n
	}
	return 0
}

// trim says what is left out of a column's values: their word, and then maybe what else they
// all begin and end with, in bytes. gaps: that is marked in each of them.
type trim struct {
	word, front, back int
	gaps              bool
}

// of is a value without what is left out.
func (t trim) of(v string) string {
	s := v[t.word+t.front : len(v)-t.back]
	if t.gaps && t.front > 0 {
		s = gap + s
	}
	if t.gaps && t.back > 0 {
		s += gap
	}
	return s
}

// closer leaves out what a column's values begin and end with, beside their word; something of
// each stays. With gaps only where a gap is shorter; their ends stay if keepEnd.
func (c columns) closer(at int, t trim, gaps, keepEnd bool) trim {
	list := c.values[at]
	first, least := list[0][t.word:], len(list[0])
	for _, v := range list {
		least = min(least, len(v)-t.word)
	}
	least = max(least, 1)
	front, back := least-1, least-1
	for _, v := range list[1:] {
		v = v[t.word:]
		for n := range front {
			if v[n] != first[n] {
				front = n
				break
			}
		}
		for n := range back {
			if v[len(v)-1-n] != first[len(first)-1-n] {
				back = n
				break
			}
		}
	}
	for front > 0 && !utf8.RuneStart(first[front]) {
		front--
	}
	back = min(back, least-1-front)
	for back > 0 && !utf8.RuneStart(first[len(first)-back]) {
		back--
	}
	if gaps && front < 2 {
		front = 0
	}
	if keepEnd || gaps && back < 2 {
		back = 0
	}
	return trim{word: t.word, front: front, back: back, gaps: gaps}
}

// joined are the values of some columns without what is left out, in at most width characters
// each, or nil; most is how many characters a value may have.
func (c columns) joined(at []int, trims map[int]trim, most int, between string, width int) []string {
	short, long := make([][]string, len(at)), make([][]int, len(at))
	for n, k := range at {
		for _, v := range c.values[k] {
			v = value(trims[k].of(v), most)
			short[n], long[n] = append(short[n], v), append(long[n], utf8.RuneCountInString(v))
		}
	}
	for i := range c.names {
		sum := (len(at) - 1) * len(between)
		for n, k := range at {
			sum += long[n][c.ids[k][i]]
		}
		if sum > width {
			return nil
		}
	}
	texts := make([]string, len(c.names))
	for i := range c.names {
		var b strings.Builder
		for n, k := range at {
			if n > 0 {
				b.WriteString(between)
			}
			b.WriteString(short[n][c.ids[k][i]])
		}
		texts[i] = b.String()
	}
	return texts
}

// common says what was left out: "lr, opt · resnet_…_seed1", the columns' words first, and what
// else is left out of their values: "lr=0.00…".
func (c columns) common(at []int, trims map[int]trim) string {
	called, any := make([]string, len(at)), false
	for n, k := range at {
		t, v := trims[k], bare(c.cells[0][k])
		if called[n] = strings.TrimRight(v[:t.word], "=:_-"); t.front > 0 || t.back > 0 {
			called[n] = v[:t.word+t.front] + gap + v[len(v)-t.back:]
		} else if called[n] == "" {
			called[n] = gap
			continue
		}
		any = true
	}
	differs := map[int]bool{}
	for _, k := range c.differs {
		differs[k] = true
	}
	var b strings.Builder
	for k, part := range c.cells[0] {
		if !differs[k] {
			b.WriteString(part)
		} else if !strings.HasSuffix(b.String(), gap) {
			b.WriteString(gap)
		}
	}
	same := b.String()
	if same == gap {
		same = ""
	}
	switch {
	case !any:
		return same
	case same == "":
		return strings.Join(called, ", ")
	}
	return strings.Join(called, ", ") + " · " + same
}

// value makes a value fit: a number is written in its shortest form, and if that is too long
// with fewer digits, and a gap for the others where there is any room; of a word the end goes.
func value(s string, most int) string {
	r := []rune(s)
	if len(r) <= most || len(s) == 0 {
		return s
	}
	x, err := strconv.ParseFloat(s, 64)
	number := err == nil && digit(s[len(s)-1])
	if digits, _, _ := strings.Cut(s, "."); number && len(digits) > seconds && len(digits) < len(s) && !strings.Contains(s, "e") {
		return strings.TrimSuffix(string(r[:max(most-1, 1)]), ".") + gap
	}
	if number && !strings.ContainsAny(s, ".e") { // a whole one may be a date, or a name
		if round := plain(strconv.FormatFloat(x, 'e', -1, 64)); len(round) <= most {
			return round
		}
		number = false
	}
	switch {
	case !number && most < Least:
		return string(r[:max(most-1, 1)]) + gap
	case !number:
		return middle(r, most)
	}
	whole := plain(strconv.FormatFloat(x, 'e', -1, 64))
	if len(whole) <= most {
		return whole
	}
	if mantissa, exponent, _ := strings.Cut(whole, "e"); most > tight {
		return strings.TrimSuffix(mantissa[:max(1, min(len(mantissa), most-2-len(exponent)))], ".") + gap + "e" + exponent
	}
	return plain(strconv.FormatFloat(x, 'e', 0, 64))
}

// seconds is from how many digits before the point on a number may be a moment, in seconds since
// 1970, after which writers of hyperparameters call runs: what it begins with says more than its
// exponent.
const seconds = 8

// tight is the least room for a number that says that digits are left out.
const tight = 4

// plain is a number in exponent's form without zeros that say nothing: "3e-04" is "3e-4".
func plain(s string) string {
	mantissa, exponent, _ := strings.Cut(s, "e")
	sign := ""
	if exponent[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:len(exponent)-1], "0") + exponent[len(exponent)-1:]
}

// enough are the columns that tell all names apart: the first ones go first, as those of a
// program's last flags change most often.
func (c columns) enough() []int {
	left := append([]int(nil), c.differs...)
	tells := func(at []int) bool {
		of := make(map[string]string, len(c.names))
		var key []byte
		for i, name := range c.names {
			key = key[:0]
			for _, k := range at {
				id := c.ids[k][i]
				key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
			}
			if had, ok := of[string(key)]; ok && had != name {
				return false
			} else if !ok {
				of[string(key)] = name
			}
		}
		return true
	}
	if !tells(left) { // they differ in separators
		return nil
	}
	for n := 0; n < len(left) && len(left) > 1; {
		without := append(append([]int(nil), left[:n]...), left[n+1:]...)
		if tells(without) {
			left = without
		} else {
			n++
		}
	}
	return left
}

// short are the names by their columns in at most width characters, or nil. What differs of them
// has more.
func (c columns) short(width int) (texts []string, common string) {
	trims := map[int]trim{}
	for _, k := range c.differs {
		trims[k] = trim{word: c.word(k)}
	}
	var enough []int     // once
	for how := range 4 { // "0.001" and "0.005" are then "…1" and "…5", and then "1" and "5"
		for _, k := range c.differs {
			if how > 0 {
				trims[k] = c.closer(k, trims[k], how == 1, how == 2)
			}
		}
		for n, at := range [][]int{c.differs, enough} {
			if n > 0 && how == 0 {
				enough = c.enough()
				at = enough
			}
			if len(at) == 0 || n > 0 && len(at) == len(c.differs) {
				continue
			}
			if c.joined(at, trims, 2, ",", width) == nil {
				continue // there is no room at all
			}
			for _, most := range []int{1 << 20, 12, 10, 8, 7, 6, 5, 4, 3, 2} {
				for _, between := range []string{", ", ","} {
					if texts := c.joined(at, trims, most, between, width); texts != nil && distinct(c.names, texts) {
						return texts, c.common(at, trims)
					}
				}
			}
		}
	}
	return nil, ""
}

// told are names of which the columns that differ are shown, and besides as many of the
// others as have room: those before a number, the last one, the first one, then from the end
// on.
func (c columns) told(width int) []string {
	shown := make([]bool, len(c.cells[0]))
	for _, k := range c.differs {
		shown[k] = true
	}
	write := func() []string {
		texts := make([]string, len(c.names))
		for i, list := range c.cells {
			var b strings.Builder
			for k, part := range list {
				switch {
				case shown[k] && (k+1 == len(list) || !shown[k+1] && !strings.HasSuffix(part, "/")):
					b.WriteString(bare(part))
				case shown[k]:
					b.WriteString(part)
				case k == 0 || shown[k-1]:
					b.WriteString(gap)
				}
			}
			texts[i] = b.String()
		}
		return texts
	}
	texts := write()
	if !fits(texts, width) || !distinct(c.names, texts) {
		return nil
	}
	var more []int
	for _, k := range c.differs {
		if k > 0 && digit(c.cells[0][k][0]) {
			more = append(more, k-1)
		}
	}
	more = append(more, len(shown)-1, 0)
	for k := len(shown) - 2; k > 0; k-- {
		more = append(more, k)
	}
	for _, k := range more {
		if shown[k] {
			continue
		}
		shown[k] = true
		if with := write(); fits(with, width) && distinct(c.names, with) {
			texts = with
		} else {
			shown[k] = false
		}
	}
	return texts
}

func fits(list []string, width int) bool {
	for _, s := range list {
		if utf8.RuneCountInString(s) > width {
			return false
		}
	}
	return true
}

// Told returns the names so that none has more than width characters (Least at least), and
// that names that differ look different, as Short does, but with as much of what they have
// in common as has room: for titles, which stand alone.
func Told(names []string, width int) []string {
	width = max(width, Least)
	if list := bounded(names); list != nil && !fits(names, width) {
		out := Told(list, width)
		number(names, out, width)
		return out
	}
	if out, _ := apart(names, width, func(c columns) ([]string, string) { return c.told(width), "" }); out != nil {
		return out
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = ends(name, width)
	}
	if distinct(names, out) {
		return out
	}
	out, _ = Short(names, width)
	return out
}

// ends leaves out what is before a name's last part, as much as is too much: whole parts, if
// half of what has room before them stays. "gradient_norm/hidden1" is "gradient…hidden1".
func ends(name string, width int) string {
	r := []rune(name)
	if len(r) <= width {
		return name
	}
	list := parts(name)
	last := []rune(list[len(list)-1])
	room := width - 1 - len(last)
	if room < leastBegin {
		return middle(r, width)
	}
	begin, from := string(r[:room]), 0
	for whole := begin; from < len(whole); list = list[1:] {
		if b := whole[:from] + bare(list[0]); strings.HasPrefix(whole, b) && utf8.RuneCountInString(b) >= (room+1)/2 {
			begin = b
		}
		from += len(list[0])
	}
	return begin + gap + string(last)
}

// leastBegin is the least number of characters of a beginning that says something.
const leastBegin = 3

// apart leaves names that have room as they are, and lets do shorten the others, those of
// equally many parts together; nil if do can't, or if names would look alike then. common is
// what do said if it was asked once.
func apart(names []string, width int, do func(columns) ([]string, string)) (out []string, common string) {
	out = append([]string(nil), names...)
	kinds := map[int][]int{}
	var order []int
	for i, name := range names {
		if utf8.RuneCountInString(name) > width {
			n := len(parts(name))
			if kinds[n] == nil {
				order = append(order, n)
			}
			kinds[n] = append(kinds[n], i)
		}
	}
	for _, n := range order {
		list := make([]string, len(kinds[n]))
		for k, i := range kinds[n] {
			list[k] = names[i]
		}
		c, ok := inColumns(list)
		if !ok {
			return nil, ""
		}
		texts, said := do(c)
		if texts == nil {
			return nil, ""
		}
		common = said
		for k, i := range kinds[n] {
			out[i] = texts[k]
		}
	}
	if len(order) != 1 || len(kinds[order[0]]) < len(names) {
		common = "" // not of all
	}
	if !distinct(names, out) {
		return nil, ""
	}
	return out, common
}
