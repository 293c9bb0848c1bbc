// Package runcolor gives each run its colour: a hue from a hash of its name, so that a
// run has the same colour on every machine, and, where colours of runs that are shown
// together could not be told apart, others for some of them. The hash and its hues are
// TensorBored's, whose users know their runs by these colours.
//
// Colours are a function of which runs there are, which of them are shown, and what the
// user chose: never of the order in which runs came, or of what was seen before.
package runcolor

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/tensorbored/tensorbored-static/shared/filter"
)

const (
	// apart is the least distance of two colours in OKLab from which lines can be told
	// apart: that of 18 degrees of hue at TensorBored's lightness and chroma.
	apart = 0.048
	// tries is how many further hashes are tried for a run whose colour is taken.
	tries = 72
	// few is up to how many runs all have colours of their own, shown or not, so that
	// switching one off or on changes no other. There are no more colours than that.
	few = 40
	// crowd is how many shown runs are more than any colours could tell apart, and than are
	// shown unless one says so: each has then the colour of its name, and ten thousand do not
	// wait for a search.
	crowd = 500
	// scope stands before a run's name in what is hashed: colours by run, and
	// TensorBoard's id of a local logdir.
	scope = "run|defaultExperimentId/"
)

// shades are lightness and chroma on a light and on a dark ground: TensorBored's first,
// then those for runs that hues alone cannot tell apart. On both grounds lines are seen.
var shades = [...]struct{ lightL, lightC, darkL, darkC float64 }{
	{0.65, 0.155, 0.78, 0.155},
	{0.50, 0.150, 0.62, 0.160},
	{0.36, 0.130, 0.90, 0.100},
	{0.57, 0.050, 0.70, 0.060},
}

// color is a hue in degrees in one of the shades, or a colour that the user chose.
type color struct {
	hue   float64
	shade int
	hex   string
}

// Hex returns the colour as #rrggbb.
func (c color) Hex(dark bool) string {
	if c.hex != "" {
		return c.hex
	}
	s := shades[c.shade]
	if dark {
		return Hex(s.darkL, s.darkC, c.hue)
	}
	return Hex(s.lightL, s.lightC, c.hue)
}

// spot is a colour as it is seen on both grounds.
type spot [2]Lab

func (c color) spot() spot {
	if c.hex != "" {
		lab, _ := LabOf(c.hex)
		return spot{lab, lab}
	}
	s := shades[c.shade]
	return spot{labOf(toRGB(s.lightL, s.lightC, c.hue)), labOf(toRGB(s.darkL, s.darkC, c.hue))}
}

// from is the distance of two colours where they are nearer to each other.
func (a spot) from(b spot) float64 { return min(Distance(a[0], b[0]), Distance(a[1], b[1])) }

// Choices are what the user chose about colours.
type Choices struct {
	Runs   map[string]string // run → #rrggbb
	By     *Groups           // nil: each run is for itself
	Groups map[string]string // key of a group → #rrggbb
}

// Colors are the colours of some runs.
type Colors struct {
	of map[string]color // by key
	by *Groups
	my map[string]string // the user's, by run
}

// Inactive returns the colour of a run that belongs to no group.
func Inactive(dark bool) string {
	if dark {
		return "#5b6472"
	}
	return "#a3acb8"
}

// Hex returns the run's colour as #rrggbb on a light or dark ground; for a run that was
// not assigned one, that of its name alone.
func (c *Colors) Hex(run string, dark bool) string {
	if hex, ok := c.my[run]; ok {
		return hex
	}
	key, ok := c.by.Key(run)
	if !ok {
		return Inactive(dark)
	}
	if x, ok := c.of[key]; ok {
		return x.Hex(dark)
	}
	return color{hue: hueOf(hash(fnvOffset, c.by.scope()+key))}.Hex(dark)
}

// Assign gives colours to all runs, of which some are shown, in any order.
func Assign(all, shown []string, choose Choices) *Colors {
	c := &Colors{of: map[string]color{}, by: choose.By, my: choose.Runs}
	everyone, seen := c.keys(all), c.keys(shown)

	// What the user chose stays as it is; the others keep away from it.
	var taken palette
	for _, run := range shown {
		if hex, ok := choose.Runs[run]; ok {
			taken.add(color{hex: hex})
		}
	}
	for _, key := range everyone {
		if hex, ok := choose.Groups[key]; ok {
			c.of[key] = color{hex: hex}
			if slices.Contains(seen, key) {
				taken.add(c.of[key])
			}
		}
	}

	// Of few runs each has a colour of its own, and those of more the one of their name.
	var own palette
	for _, key := range everyone {
		if _, ok := c.of[key]; ok {
			continue
		}
		if len(everyone) <= few {
			c.of[key] = own.choose(c.by.scope() + key)
			own.add(c.of[key])
		} else {
			c.of[key] = color{hue: hueOf(hash(fnvOffset, c.by.scope()+key))}
		}
	}

	// Of those that are shown the first by name keeps its colour, of two that could not
	// be told apart.
	if len(seen) > crowd {
		return c
	}
	var clash []string
	for _, key := range seen {
		if _, ok := choose.Groups[key]; ok {
			continue
		}
		if taken.gap(c.of[key].spot()) < apart {
			clash = append(clash, key)
			continue
		}
		taken.add(c.of[key])
	}
	for _, key := range clash {
		c.of[key] = taken.choose(c.by.scope() + key)
		taken.add(c.of[key])
	}
	return c
}

// keys returns the keys of runs whose colour the user did not choose one by one, sorted.
func (c *Colors) keys(runs []string) []string {
	var out []string
	for _, run := range runs {
		if _, ok := c.my[run]; ok {
			continue
		}
		if key, ok := c.by.Key(run); ok {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// palette is the colours in use.
type palette struct {
	used []spot
	grid []candidate // made when hues alone do not suffice
}

// candidate is a colour that may be taken, and its distance to those in use.
type candidate struct {
	color
	spot spot
	gap  float64
}

func (p *palette) add(c color) {
	s := c.spot()
	p.used = append(p.used, s)
	for i := range p.grid {
		p.grid[i].gap = min(p.grid[i].gap, p.grid[i].spot.from(s))
	}
}

// gap returns the distance of a colour to the nearest one in use.
func (p *palette) gap(s spot) float64 {
	least := math.Inf(1)
	for _, u := range p.used {
		least = min(least, u.from(s))
	}
	return least
}

// choose returns a colour for a text: that of its hash, one of some further hashes, or
// else the colour that is farthest from all in use.
func (p *palette) choose(text string) color {
	h := hash(fnvOffset, text)
	own := color{hue: hueOf(h)}
	best := p.gap(own.spot())
	if best >= apart {
		return own
	}
	// The counter is appended behind a NUL, so hashing goes on where it stopped.
	h = hash(h, "\x00")
	if len(p.used) < 360/18 { // else there is hardly such a hue
		for i := range tries {
			c := color{hue: hueOf(hash(h, strconv.Itoa(i)))}
			if p.gap(c.spot()) >= apart {
				return c
			}
		}
	}
	if p.grid == nil {
		for shade := range shades {
			for hue := 0.0; hue < 360; hue += 9 {
				c := candidate{color: color{hue: hue, shade: shade}}
				c.spot = c.color.spot()
				c.gap = p.gap(c.spot)
				p.grid = append(p.grid, c)
			}
		}
	}
	for _, c := range p.grid {
		if c.gap > best {
			own, best = c.color, c.gap
		}
	}
	return own
}

// Spread returns n colours that are as far from each other as n colours can be, to be
// kept as the user's own: lines are seen in them on a light and on a dark ground.
func Spread(n int) []string {
	out := make([]string, n)
	for i := range out {
		l, c := 0.66, 0.16
		if n > 12 { // neighbours differ in lightness too
			l, c = 0.72-0.08*float64(i%3), 0.13+0.02*float64(i%2)
		}
		out[i] = Hex(l, c, math.Mod(20+float64(i)*360/float64(n), 360))
	}
	return out
}

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

// scope stands before a key in what is hashed.
func (g *Groups) scope() string {
	if g == nil {
		return scope
	}
	if g.of != nil {
		return "value:" + g.text + "|"
	}
	return "regex:" + g.text + "|"
}

const (
	fnvOffset uint32 = 0x811c9dc5
	fnvPrime  uint32 = 0x01000193
)

// hash is FNV-1a over UTF-16 code units, not bytes, as the page of TensorBored
// computes it: a code unit above 255 is mixed in whole.
func hash(h uint32, s string) uint32 {
	for _, c := range s {
		if c >= 0x10000 {
			high, low := utf16.EncodeRune(c)
			h, c = (h^uint32(high))*fnvPrime, low
		}
		h = (h ^ uint32(c)) * fnvPrime
	}
	return h
}

func hueOf(h uint32) float64 { return float64(h) / (1 << 32) * 360 }
