package names

import "slices"

// Most is how many names beside each other are made to fit at once; Many does it for more.
const Most = 2000

// Of very many names those that are looked at are made to fit, in blocks, each together with
// some that stand for all: so they lose what all of them have in common, and no more.
const (
	block   = 64
	widest  = 16 // names of the sample that are the longest,
	spread  = 64 // and that stand in even distances
	mostCut = 40 // and that lack what others have, at most
)

// Many makes names fit of which there may be very many; it is made by NewMany. It is not safe
// for use by several goroutines.
type Many struct {
	// Common is what all names have in common and do not show.
	Common string

	names   []string
	sample  []string // names that stand for all of them
	room    float64
	measure func(string) float64
	blocks  map[int][]string
}

// NewMany makes names fit into room, in the unit of measure, as Fit does by Short. It looks
// at each name once.
func NewMany(names []string, room float64, measure func(string) float64) *Many {
	m := &Many{names: names, room: room, measure: measure, blocks: map[int][]string{}}
	if len(names) <= Most {
		m.blocks[0], m.Common = Fit(names, room, measure, Short)
		return m
	}
	m.sample = sample(names)
	_, m.Common = Fit(m.sample, room, measure, Short)
	return m
}

// Same reports whether m is of these names and this room.
func (m *Many) Same(names []string, room float64) bool {
	return m.room == room && slices.Equal(m.names, names)
}

// All are all names, made to fit; nil if they are more than Most.
func (m *Many) All() []string {
	if m.sample != nil {
		return nil
	}
	return m.blocks[0]
}

// Texts are the names at some places of the list, such as those on the screen, made to fit.
// Those that differ look different.
func (m *Many) Texts(at []int) []string {
	whole, out := make([]string, len(at)), make([]string, len(at))
	for k, i := range at {
		whole[k] = m.names[i]
		if m.sample == nil {
			out[k] = m.blocks[0][i]
			continue
		}
		b := i / block
		if m.blocks[b] == nil {
			m.blocks[b] = m.fit(m.names[b*block : min(len(m.names), (b+1)*block)])
		}
		out[k] = m.blocks[b][i%block]
	}
	if m.sample != nil && !distinct(whole, out) {
		return m.fit(whole)
	}
	return out
}

// fit makes a few of the names fit, beside those that stand for all.
func (m *Many) fit(list []string) []string {
	out, _ := Fit(append(slices.Clone(list), m.sample...), m.room, m.measure, Short)
	return out[:len(list)]
}

// sample are names that have in common what all of them have: the first, each that lacks a
// part which all before it have, some of the longest, and some from everywhere.
func sample(names []string) []string {
	chosen := map[int]bool{0: true}
	first := parts(names[0])
	begin, in := len(first)-1, map[string]bool{} // parts that all begin with, and that all have
	for _, p := range first {
		in[bare(p)] = true
	}
	long := make([]int, 0, widest+1)
	for i, name := range names {
		if len(long) < widest || len(name) > len(names[long[len(long)-1]]) {
			at, _ := slices.BinarySearchFunc(long, len(name), func(k, n int) int { return n - len(names[k]) })
			long = slices.Insert(long, at, i)
			long = long[:min(len(long), widest)]
		}
		if len(in) == 0 && begin <= 0 || len(chosen) > mostCut {
			continue
		}
		list, n := parts(name), 0
		for n < min(begin, len(list)-1) && list[n] == first[n] {
			n++
		}
		lacks := n < begin
		begin = min(begin, n)
		for p := range in {
			if !slices.ContainsFunc(list, func(q string) bool { return bare(q) == p }) {
				delete(in, p)
				lacks = true
			}
		}
		if lacks {
			chosen[i] = true
		}
	}
	for _, i := range long {
		chosen[i] = true
	}
	for k := range spread {
		chosen[k*(len(names)-1)/(spread-1)] = true
	}
	out := make([]string, 0, len(chosen))
	for i := range names {
		if chosen[i] {
			out = append(out, names[i])
		}
	}
	return out
}
