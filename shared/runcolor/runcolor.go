// Package runcolor gives each run its colour: a hue from a hash of its name,
// so that a run keeps its colour whatever else is in the logdir, and from one
// machine to the next. The rules and numbers are TensorBored's, whose users
// know their runs by these colours.
package runcolor

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
)

const (
	// minGap is the least distance between two hues in use, in degrees, before
	// another hue is tried.
	minGap = 18
	// tries is how many further hashes are tried for a run whose hue is taken.
	tries = 72
	// crowd is the number of runs from which no search is made: hues are then less
	// than a degree apart, and ten thousand runs must not wait for it.
	crowd = 500
	// minLab is the least distance in OKLab of two colours that can be told apart.
	minLab = 0.04
	// Lightness for lines on a light and on a dark ground; chroma for both.
	lightL, darkL, chroma = 0.65, 0.78, 0.155
	// scope stands before a run's name in what is hashed: colours by run, and
	// TensorBoard's id of a local logdir.
	scope = "run|defaultExperimentId/"
)

// Palette hands out hues and remembers them. A run keeps its hue while the
// palette lives, also when later runs would have taken it first.
// The zero value is ready to use.
type Palette struct {
	hue  map[string]float64
	used []float64 // sorted hues in use, degrees in [0, 360)
}

// Add gives hues to those names that have none yet, in the order of the names,
// whatever order they come in.
func (p *Palette) Add(names []string) {
	if p.hue == nil {
		p.hue = map[string]float64{}
	}
	var fresh []string
	for _, n := range names {
		if _, ok := p.hue[n]; !ok {
			fresh = append(fresh, n)
		}
	}
	slices.Sort(fresh)
	for _, n := range slices.Compact(fresh) {
		h := p.choose(n)
		p.hue[n] = h
		i, _ := slices.BinarySearch(p.used, h)
		p.used = slices.Insert(p.used, i, h)
	}
}

// Hue returns the run's hue in degrees; for a run that was never added, the
// hue that its name alone gives.
func (p *Palette) Hue(run string) float64 {
	if h, ok := p.hue[run]; ok {
		return h
	}
	return hueOf(hash(fnvOffset, scope+run))
}

// Hex returns the run's colour as #rrggbb.
func (p *Palette) Hex(run string, dark bool) string { return HueHex(p.Hue(run), dark) }

// HueHex returns the line colour of a hue in degrees.
func HueHex(hue float64, dark bool) string {
	l := lightL
	if dark {
		l = darkL
	}
	return Hex(l, chroma, hue)
}

func (p *Palette) choose(name string) float64 {
	h := hash(fnvOffset, scope+name)
	hue := hueOf(h)
	best, gap := hue, p.gap(hue)
	if gap >= minGap || len(p.used) >= crowd {
		return hue
	}
	// The counter is appended behind a NUL, so hashing goes on where it stopped.
	h = hash(h, "\x00")
	for i := range tries {
		hue = hueOf(hash(h, strconv.Itoa(i)))
		g := p.gap(hue)
		if g >= minGap {
			return hue
		}
		if g > gap {
			best, gap = hue, g
		}
	}
	// Nothing is far enough. While the circle has room for colours that can be
	// told apart, take its widest gap; in a crowd the hash is as good.
	if 2*chroma*math.Sin(gap*math.Pi/360) < minLab && len(p.used) < 24 {
		for h := 0.0; h < 360; h += 5 {
			if g := p.gap(h); g > gap {
				best, gap = h, g
			}
		}
	}
	return best
}

// gap returns the distance on the circle, in degrees, to the nearest hue in use.
func (p *Palette) gap(hue float64) float64 {
	n := len(p.used)
	if n == 0 {
		return 360
	}
	i, _ := slices.BinarySearch(p.used, hue)
	around := func(a float64) float64 {
		d := math.Abs(a - hue)
		return min(d, 360-d)
	}
	return min(around(p.used[i%n]), around(p.used[(i+n-1)%n]))
}

const (
	fnvOffset uint32 = 0x811c9dc5
	fnvPrime  uint32 = 0x01000193
)

// hash is FNV-1a over UTF-16 code units, not bytes, as the page of TensorBored
// computes it: a code unit above 255 is mixed in whole.
func hash(h uint32, s string) uint32 {
	for _, c := range utf16.Encode([]rune(s)) {
		h = (h ^ uint32(c)) * fnvPrime
	}
	return h
}

func hueOf(h uint32) float64 { return float64(h) / (1 << 32) * 360 }
