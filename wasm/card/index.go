package card

import (
	"maps"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/natural"
)

// What there is of tags: sorted, counted, grouped. Of 100,000 tags that takes a browser two
// seconds, so whoever has many hands a pause on, which is called now and then: it may let
// the page go on, and may never return. nil does it in one go.

// Order remembers how tags sort: sorting ten thousand names takes a browser
// half a second, and which of them are shown changes all the time.
// The zero value is ready to use.
type Order struct {
	sorted []string
}

// Of returns the set's tags in natural order.
func (o *Order) Of(set map[string]int, pause func()) []string {
	rest := resting(pause)
	// known are those of the set that are sorted already.
	known := func() []string {
		out := make([]string, 0, len(set))
		for _, t := range o.sorted {
			rest()
			if _, ok := set[t]; ok {
				out = append(out, t)
			}
		}
		return out
	}
	out := known()
	if len(out) == len(set) {
		return out
	}
	have := make(map[string]bool, len(out))
	for _, t := range out {
		rest()
		have[t] = true
	}
	fresh := make([]string, 0, len(set)-len(out))
	for t := range set {
		if rest(); !have[t] {
			fresh = append(fresh, t)
		}
	}
	compare := func(a, b string) int { rest(); return natural.Compare(a, b) }
	slices.SortFunc(fresh, compare)
	o.sorted = merge(o.sorted, fresh, compare)
	return known()
}

// resting is what to call at each of many small steps: it comes to a pause at some of them.
func resting(pause func()) func() {
	if pause == nil {
		return func() {}
	}
	n := 0
	return func() {
		if n++; n&63 == 0 {
			pause()
		}
	}
}

func merge(a, b []string, compare func(a, b string) int) []string {
	out := make([]string, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compare(b[0], a[0]) < 0 {
			a, b = b, a
		}
		out, a = append(out, a[0]), a[1:]
	}
	return append(append(out, a...), b...)
}

// Index is the tags that any of the runs has, in natural order and grouped: all that
// Groups needs to know of them, whatever is looked for. To find it out takes ten thousand
// tags longer than to go over them at each key that is pressed.
type Index struct {
	sources []Source
	runs    []string
	tags    []string
	low     []string       // tags in lower case; nil: not asked for yet
	cards   []int          // how many each tag has
	group   []int          // which of groups each tag is in
	groups  []string       // in the order of each one's first tag
	sizes   map[string]int // of groups, in tags
}

// Work is about how many tags there are to sort, and sixteenths of those that several runs
// have: what it costs to index them.
func Work(sources []Source, runs []string) int {
	most, all := 0, 0
	for _, src := range sources {
		for _, r := range runs {
			n := len(src.Tags[r])
			most, all = max(most, n), all+n
		}
	}
	return most + all/16
}

// NewIndex goes over the tags that the runs have.
func NewIndex(o *Order, sources []Source, runs []string, pause func()) *Index {
	// Each tag's cards are counted in one pass over the tags of the runs: a look for each
	// tag, kind and run took five times as long.
	type count struct{ cards, of int }
	rest := resting(pause)
	var counts []count
	at := map[string]int{}
	of := 0 // counts what has one card: a source, or a part of its runs
	for _, src := range sources {
		each := len(src.Model.Cards("", []string{"", " "})) > 1
		for _, part := range parted(runs, src.Part) {
			of++
			for _, r := range part {
				if each {
					of++
				}
				for t := range src.Tags[r] {
					rest()
					i, ok := at[t]
					if !ok {
						i = len(counts)
						at[t] = i
						counts = append(counts, count{})
					}
					if c := &counts[i]; c.of != of {
						c.cards++
						c.of = of
					}
				}
			}
		}
	}
	x := &Index{sources: sources, runs: runs, tags: o.Of(at, pause)}
	x.cards, x.group = make([]int, len(x.tags)), make([]int, len(x.tags))
	byName := map[string]int{}
	x.sizes = map[string]int{}
	for i, t := range x.tags {
		rest()
		name := GroupOf(t)
		g, ok := byName[name]
		if !ok {
			g = len(x.groups)
			byName[name] = g
			x.groups = append(x.groups, name)
		}
		x.cards[i], x.group[i] = counts[at[t]].cards, g
		x.sizes[name]++
	}
	return x
}

// parted are the runs of each part; without parts all are of one.
func parted(runs []string, part func(run string) string) [][]string {
	if part == nil {
		return [][]string{runs}
	}
	of := map[string][]string{}
	for _, r := range runs {
		p := part(r)
		of[p] = append(of[p], r)
	}
	return slices.Collect(maps.Values(of))
}

// Groups lists the cards of the tags that match, in natural order, grouped in the order of
// each group's first tag. low is the tag in lower case.
func (x *Index) Groups(match func(tag, low string) bool, pause func()) []*Group {
	rest := resting(pause)
	if x.low == nil {
		low := make([]string, len(x.tags))
		for i, t := range x.tags {
			rest()
			low[i] = strings.ToLower(t)
		}
		x.low = low
	}
	var matches []int // those of one group need not stand together
	sizes := make([]int, len(x.groups))
	for i, t := range x.tags {
		if rest(); match(t, x.low[i]) {
			matches = append(matches, i)
			sizes[x.group[i]]++
		}
	}
	// In few pieces of memory, since each one costs the collector time, but in none that is
	// large: while the collector is at work, whoever takes so much has to mark as much first,
	// and nothing else has a turn meanwhile.
	const piece = 500
	var slab []Group
	var tags []string
	var groups []*Group
	byNumber := make([]*Group, len(x.groups))
	for _, i := range matches {
		rest()
		n := x.group[i]
		g := byNumber[n]
		if g == nil {
			if len(slab) == cap(slab) {
				slab = make([]Group, 0, piece)
			}
			size := sizes[n]
			if size > len(tags) {
				tags = make([]string, max(size, piece))
			}
			slab = append(slab, Group{Name: x.groups[n], Tags: tags[:0:size], index: x})
			tags = tags[size:]
			g = &slab[len(slab)-1]
			byNumber[n] = g
			groups = append(groups, g)
		}
		g.Tags = append(g.Tags, x.tags[i])
		g.Count += x.cards[i]
	}
	return groups
}

// InGroup is how many tags there are in a tag's group.
func (x *Index) InGroup(tag string) int { return x.sizes[GroupOf(tag)] }
