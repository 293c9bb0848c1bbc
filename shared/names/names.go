// Package names shortens a set of names so that they fit where there is little room, and all
// that differ still look different: what is common to all of them is left out, and can be
// said once; what is still too long is cut around the places where names differ.
package names

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// gap stands for what is left out inside of a name.
const gap = "…"

// Least is the least width that Short can keep for any number of names.
const Least = 8

// parts cuts a name behind its separators: "a/b_c=1" is "a/", "b_", "c=1". A minus or a line
// before a digit is none: "seed_1" is one part, and so is "1e-05".
func parts(name string) (out []string) {
	from := 0
	for i := 0; i < len(name); i++ {
		next := byte(0)
		if i+1 < len(name) {
			next = name[i+1]
		}
		switch c := name[i]; {
		case (c == '-' || c == '_') && digit(next):
			continue
		case c == '.' && (i == 0 || !letter(name[i-1]) && !digit(name[i-1]) || digit(name[i-1]) && digit(next)):
			continue // "0.5", "v1.2" and "k=.5" are one part each, "layers.0.bias" is three
		case c != '/' && c != '_' && c != '-' && c != ',' && c != ';' && c != ' ' && c != '.':
			continue
		}
		out = append(out, name[from:i+1])
		from = i + 1
	}
	if from < len(name) {
		out = append(out, name[from:])
	}
	return out
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 || c == '_' }

// bare is a part without the separator behind it.
func bare(part string) string { return strings.TrimRight(part, "/_-,;. ") }

// distinct reports whether names that differ have texts that differ, none of them empty.
func distinct(names, texts []string) bool {
	of := make(map[string]string, len(names))
	for i, text := range texts {
		if had, ok := of[text]; ok && had != names[i] || text == "" {
			return false
		}
		of[text] = names[i]
	}
	return true
}

// beginning is how many parts all names begin with; none of them is a whole name.
func beginning(cut [][]string) int {
	n := len(cut[0]) - 1
	for _, list := range cut[1:] {
		n = min(n, len(list)-1)
		for i := range max(n, 0) {
			if list[i] != cut[0][i] {
				n = i
				break
			}
		}
	}
	return max(n, 0)
}

// Differing returns the names without what is common to all of them, and that: without the
// parts that all of them have, or at least those that all begin with. Names that differ have
// texts that differ. common has a gap where names differ, and is "" where nothing was left out.
func Differing(names []string) (texts []string, common string) {
	if len(names) < 2 {
		return slices.Clone(names), ""
	}
	cut := make([][]string, len(names))
	in := map[string]int{} // how many names have a part
	for i, name := range names {
		cut[i] = parts(name)
		seen := map[string]bool{}
		for _, p := range cut[i] {
			if p = bare(p); !seen[p] {
				seen[p] = true
				in[p]++
			}
		}
	}
	// without writes a name without the parts that are left out, or with gaps in the place of
	// the others.
	without := func(list []string, out func(i int, part string) bool) string {
		var b strings.Builder
		left := false
		for i, p := range list {
			if out(i, p) {
				left = b.Len() > 0
				continue
			}
			if left {
				b.WriteString(gap)
			}
			left = false
			b.WriteString(p)
		}
		return strings.TrimRight(b.String(), "_-,;. ")
	}
	n := beginning(cut)
	for _, out := range []func(i int, part string) bool{
		func(_ int, part string) bool { return in[bare(part)] == len(names) },
		func(i int, _ string) bool { return i < n },
	} {
		texts = texts[:0]
		for i := range names {
			texts = append(texts, without(cut[i], out))
		}
		if distinct(names, texts) {
			for i, p := range cut[0] {
				if out(i, p) {
					common += p
				} else if !strings.HasSuffix(common, gap) {
					common += gap
				}
			}
			if common == gap {
				common = ""
			}
			return texts, common
		}
	}
	return slices.Clone(names), ""
}

// Short returns the names so that none has more than width characters (Least at least), and
// that names that differ look different. Names that all have room stay as they are; then what
// is common to all goes, and is returned, too; then the middle of those that are still too
// long; and of those that look alike then what comes before they differ.
func Short(names []string, width int) (out []string, common string) {
	width = max(width, Least)
	if fits(names, width) {
		return slices.Clone(names), ""
	}
	if list := bounded(names); list != nil {
		out, common = Short(list, width)
		number(names, out, width)
		return out, common
	}
	whole, common := Differing(names)
	if fits(whole, width) {
		return whole, common
	}
	// All names lose the same, if they can, so that they read down a list.
	if c, ok := inColumns(names); ok {
		if texts, common := c.short(width); texts != nil {
			return texts, common
		}
	} else if texts, common := apart(names, width, func(c columns) ([]string, string) {
		if texts, common := Differing(c.names); fits(texts, width) {
			return texts, common
		}
		return c.short(width)
	}); texts != nil {
		return texts, common
	}
	out = make([]string, len(names))
	for i, s := range whole {
		out[i] = middle([]rune(s), width)
	}
	settle(whole, out, width, 0)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], gap+gap, gap) // what was left out twice
	}
	number(names, out, width)
	return out, common
}

// number gives those names that look like others a number.
func number(names, out []string, width int) {
	owner := map[string]string{}
	for i, name := range names {
		for n := 2; ; n++ {
			had, ok := owner[out[i]]
			if !ok || had == name {
				break
			}
			mark := gap + strconv.Itoa(n)
			r := []rune(strings.TrimRight(out[i], gap+"0123456789"))
			out[i] = string(r[:min(len(r), width-utf8.RuneCountInString(mark))]) + mark
		}
		owner[out[i]] = name
	}
}

// long is how many bytes of a name are looked at: of one with more its middle counts no more.
const long = 1000

// bounded are the names without the middles of those that are very long; nil if none is.
func bounded(names []string) []string {
	if !slices.ContainsFunc(names, func(s string) bool { return len(s) > long }) {
		return nil
	}
	const half = (long - len(gap)) / 2
	out := slices.Clone(names)
	for i, s := range out {
		if len(s) > long {
			out[i] = strings.ToValidUTF8(s[:half], "") + gap + strings.ToValidUTF8(s[len(s)-half:], "")
		}
	}
	return out
}

// middle cuts the middle of what is too long.
func middle(r []rune, width int) string {
	if len(r) <= width {
		return string(r)
	}
	back := (width - 1) / 2
	return string(r[:width-1-back]) + gap + string(r[len(r)-back:])
}

// settle shows of names that look alike what comes from where they differ on.
func settle(whole, out []string, width, depth int) {
	alike := map[string][]int{}
	for i, s := range out {
		alike[s] = append(alike[s], i)
	}
	for _, s := range slices.Compact(slices.Sorted(slices.Values(out))) {
		list := alike[s]
		first := []rune(whole[list[0]])
		front, back, same := len(first), len(first), true
		for _, i := range list[1:] {
			r := []rune(whole[i])
			if whole[i] == whole[list[0]] {
				continue
			}
			same = false
			n := 0
			for n < min(len(r), front) && r[n] == first[n] {
				n++
			}
			front = n
			n = 0
			for n < min(len(r)-front, back) && n < len(first)-front && r[len(r)-1-n] == first[len(first)-1-n] {
				n++
			}
			back = n
		}
		if same {
			continue
		}
		sub, texts := make([]string, len(list)), make([]string, len(list))
		for k, i := range list {
			r := []rune(whole[i])
			// From a little before the difference on, as far as there is room.
			from := max(0, front-2)
			rest := r[from:]
			lead := ""
			if from > 0 {
				lead = gap
			}
			room := width - len([]rune(lead))
			if end := max(1, len(r)-back-from); len(rest) > room && end+1 <= room {
				rest = append(slices.Clone(rest[:min(len(rest), room-1)]), []rune(gap)...)
			} else if len(rest) > room {
				rest = []rune(middle(rest, room))
			}
			texts[k], sub[k] = lead+string(rest), string(r[front:])
		}
		if depth < 4 && !distinct(sub, texts) {
			for k := range texts {
				texts[k] = gap + middle([]rune(sub[k]), width-1)
			}
			// Those that are still alike differ later.
			again := slices.Clone(texts)
			settle(sub, again, width, depth+1)
			texts = again
		}
		for k, i := range list {
			out[i] = texts[k]
		}
	}
}
