// Package runcolor gives runs their colours. A run, or a group of runs that share a colour,
// gets one when it is first shown: of a fixed palette the one that is farthest from those of
// all others that are shown then. It keeps it, whatever else is shown later, so who knows a
// run by its colour finds it again. Runs that are shown together later may so have colours
// that are near each other: Close says which, and Recolor gives just these others.
//
// What is given follows from what was given before, from what is shown, and from what the
// user chose, never from the order in which runs came: two people with one link see the same.
package runcolor

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/filter"
)

// Given are the slots of the palette that were given to runs and groups, by Groups.slot.
type Given = map[string]int

// Choices are what the user chose about colours, and what was given before.
type Choices struct {
	Runs   map[string]string // run → #rrggbb
	By     *Groups           // nil: each run is for itself
	Groups map[string]string // key of a group → #rrggbb
	Given  Given             // is not changed
	Scale  *Scale            // colours all that have none by hand; nil: there is none
}

// Colors are the colours of some runs.
type Colors struct {
	choose Choices
	given  Given
	seen   []string // keys that are shown and not coloured by hand, sorted
	fixed  []sight  // what is shown in colours that were chosen by hand
	dashes bool     // there are so many lines that these tell them apart, too
}

// Inactive returns the colour of a run that belongs to no group, or was never shown.
func Inactive(dark bool) string {
	if dark {
		return "#5b6472"
	}
	return "#a3acb8"
}

// Assign gives colours to the runs that are shown and have none, in any order.
func Assign(shown []string, choose Choices) *Colors {
	c := &Colors{choose: choose, given: maps.Clone(choose.Given)}
	if c.given == nil {
		c.given = Given{}
	}
	hand := map[string]bool{}
	for _, run := range shown {
		if hex, ok := choose.Runs[run]; ok {
			hand[hex] = true
		} else if key, ok := choose.By.Key(run); !ok || choose.Scale != nil {
			continue
		} else if hex, ok := choose.Groups[key]; ok && choose.By != nil {
			hand[hex] = true
		} else {
			c.seen = append(c.seen, key)
		}
	}
	for hex := range hand {
		c.fixed = append(c.fixed, sightOf(hex, hex))
	}
	slices.Sort(c.seen)
	c.seen = slices.Compact(c.seen)
	n := len(c.seen) + len(c.fixed)
	c.dashes = n > core && n <= crowd
	var missing []string
	t := c.table()
	for _, key := range c.seen {
		if slot, ok := c.given[c.choose.By.slot(key)]; ok {
			t.take(slot)
		} else {
			missing = append(missing, key)
		}
	}
	t.give(missing)
	return c
}

// Given returns what is given now: that of Choices, and what came to it.
func (c *Colors) Given() Given { return c.given }

// Shown returns the part of Given that what is shown has.
func (c *Colors) Shown() Given {
	out := make(Given, len(c.seen))
	for _, key := range c.seen {
		name := c.choose.By.slot(key)
		out[name] = c.given[name]
	}
	return out
}

// Hex returns the run's colour as #rrggbb on a light or dark ground.
func (c *Colors) Hex(run string, dark bool) string {
	if hex, ok := c.choose.Runs[run]; ok {
		return hex
	}
	if c.choose.Scale != nil {
		return c.choose.Scale.hex(run, dark)
	}
	key, ok := c.choose.By.Key(run)
	if !ok {
		return Inactive(dark)
	}
	if hex, ok := c.choose.Groups[key]; ok && c.choose.By != nil {
		return hex
	}
	if slot, ok := c.given[c.choose.By.slot(key)]; ok {
		return SlotHex(slot, dark)
	}
	return Inactive(dark)
}

// Dash returns the pattern of the run's line, 0 = drawn through.
func (c *Colors) Dash(run string) int {
	if _, ok := c.choose.Runs[run]; ok || !c.dashes {
		return 0
	}
	key, ok := c.choose.By.Key(run)
	if slot, given := c.given[c.choose.By.slot(key)]; ok && given {
		return SlotDash(slot)
	}
	return 0
}

// table is the colours in use while others are given.
type table struct {
	c     *Colors
	n     int     // lines that are shown
	used  []sight // in use
	slots [crowd]int
	every [len(palette)]int // how often each colour is used
	bits  uint32            // which are
}

func (c *Colors) table() *table {
	return &table{c: c, n: len(c.seen) + len(c.fixed), used: slices.Clone(c.fixed)}
}

func (t *table) take(slot int) {
	if t.slots[slot%crowd]++; t.every[slot%len(palette)] == 0 {
		t.used = append(t.used, *sightAt(slot))
	}
	t.every[slot%len(palette)]++
	t.bits |= 1 << (slot % len(palette))
}

// fits says how well a slot's colour is told from all in use: from 1 on well.
func (t *table) fits(slot int) float64 {
	worst, s := 1e9, sightAt(slot)
	for i := range t.used {
		worst = min(worst, s.apart(&t.used[i])/TooClose)
	}
	if t.n <= safe && t.bits&blind[slot%len(palette)] != 0 {
		return min(worst, 0.7)
	}
	return worst
}

// give gives each of the keys the slot that is told best from all in use.
func (t *table) give(keys []string) {
	for _, key := range keys {
		slot := t.choose()
		t.c.given[t.c.choose.By.slot(key)] = slot
		t.take(slot)
	}
}

func (t *table) choose() int {
	// The first ones get the first colours, so that it makes no difference whether the next
	// runs come with them or later.
	among := len(palette)
	if n := len(t.used); n < safe {
		among = safe
	} else if n < core {
		among = core
	}
	best, how := -1, -1.0
	look := func(from, to int) {
		for slot := from; slot < to; slot++ {
			if t.every[slot] > 0 {
				continue
			}
			if fit := t.fits(slot); fit > how {
				best, how = slot, fit
			}
		}
	}
	look(0, among)
	if how < 1 { // what is shown already has colours of another crowd
		look(among, len(palette))
	}
	if best >= 0 {
		return best
	}
	// All colours are in use: the one that is so least, in another pattern.
	least := 0
	for slot := range t.every {
		if t.every[slot] < t.every[least] {
			least = slot
		}
	}
	for slot := least; slot < crowd; slot += len(palette) {
		if best < 0 || t.slots[slot] < t.slots[best] {
			best = slot
		}
	}
	return best
}

// fit says how well a slot is told from all in use: from 1 on well. Of more than the first
// colours any two may be nearer, and only equal ones are not told apart; of a crowd these.
func (t *table) fit(slot int) float64 {
	switch {
	case t.n <= core:
		return t.fits(slot)
	case t.n <= crowd && t.slots[slot%crowd] > 0:
		return 0
	}
	return 1
}

// Close returns what is shown in colours that are hard to tell from another's, and should
// have others: of two that are alike one. It is nothing where all can be told apart, or
// other colours would be no better.
func (c *Colors) Close() []string {
	t := c.table()
	var close, strange []string
	for _, key := range c.seen {
		slot := c.slot(key)
		if t.fit(slot) < 1 {
			close = append(close, key)
			continue
		}
		if t.n <= safe && slot >= safe || t.n <= core && slot >= core {
			strange = append(strange, key)
		}
		t.take(slot)
	}
	if len(close) == 0 {
		return nil
	}
	// Colours that are not of the first ones may leave no room for them.
	worst := c.worst()
	for _, keys := range [][]string{close, slices.Concat(close, strange)} {
		if now := c.recolored(keys).worst(); now >= 1 || len(keys) > len(close) && now > worst {
			return keys
		}
	}
	return nil
}

func (c *Colors) slot(key string) int { return c.given[c.choose.By.slot(key)] }

// worst is the least fit of all that is shown.
func (c *Colors) worst() float64 {
	t, worst := c.table(), 1.0
	for _, key := range c.seen {
		worst = min(worst, t.fit(c.slot(key)))
		t.take(c.slot(key))
	}
	return worst
}

// recolored are the colours after some keys have got others.
func (c *Colors) recolored(keys []string) *Colors {
	choose := c.choose
	choose.Given = maps.Clone(c.given)
	for _, key := range keys {
		delete(choose.Given, choose.By.slot(key))
	}
	out := &Colors{choose: choose, given: choose.Given, seen: c.seen, fixed: c.fixed, dashes: c.dashes}
	t := out.table()
	for _, key := range c.seen {
		if slot, ok := out.given[choose.By.slot(key)]; ok {
			t.take(slot)
		}
	}
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	t.give(sorted)
	return out
}

// Recolor gives what Close names other colours, and returns what is given then.
func (c *Colors) Recolor() Given { return c.recolored(c.Close()).given }

// Groups are runs put together by a regular expression: those whose capture groups are
// equal are one group; without capture groups, all that match. A nil *Groups puts each
// run for itself.
type Groups struct {
	text string
	re   *regexp.Regexp
	of   func(run string) (key string, ok bool) // instead of re
}

// ByValue returns the groups of runs of which something is equal: of gives it, as it is
// shown; text says what it is.
func ByValue(text string, of func(run string) (value string, ok bool)) *Groups {
	return &Groups{text: text, of: of}
}

// pseudoGroup is TensorBored's key of the group of an expression that captures nothing.
const pseudoGroup = "pseudo_group"

// ByRegexp returns the groups of an expression (RE2, case matters, found anywhere in the
// name), or why it cannot be understood.
func ByRegexp(text string) (*Groups, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, filter.Explain(err, "is not understood here: put brackets around what tells the groups apart")
	}
	return &Groups{text: text, re: re}, nil
}

// Key returns the key of a run's group, which is TensorBored's: the captured texts as
// JSON. ok is false if it belongs to none.
func (g *Groups) Key(run string) (key string, ok bool) {
	if g == nil {
		return run, true
	}
	if g.of != nil {
		return g.of(run)
	}
	m := g.re.FindStringSubmatch(run)
	switch {
	case m == nil:
		return "", false
	case len(m) == 1:
		return pseudoGroup, true
	}
	b, err := json.Marshal(m[1:])
	return string(b), err == nil
}

// Label returns a group's key as a reader sees it.
func (g *Groups) Label(key string) string {
	var parts []string
	if g == nil || g.of != nil || json.Unmarshal([]byte(key), &parts) != nil {
		if key == pseudoGroup && g != nil && g.of == nil {
			return "all that match"
		}
		return key
	}
	out := ""
	for i, p := range parts {
		if i > 0 {
			out += ", "
		}
		out += p
	}
	return out
}

// slot names a key where the slots of runs and of groups are kept together.
func (g *Groups) slot(key string) string {
	if g == nil {
		return key
	}
	if g.of != nil {
		return "value:" + g.text + "|" + key
	}
	return "regex:" + g.text + "|" + key
}
