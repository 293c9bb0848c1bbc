package runtable

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
)

// Numbers of a column are written in one form, so that they can be compared by looking
// down: four significant digits, or five where four do not tell two of them apart (a
// number that has no more than five keeps all of them), decimal points below each other,
// and powers of ten where many are very small or large. All digits are told on hover, and
// are copied and exported.
const (
	fewDigits  = 4
	mostDigits = 5
	// Numbers outside these have an exponent.
	leastPlain, mostPlain = 1e-4, 1e7
	// mostWhole is what whole numbers are written whole below.
	mostWhole = 1e15
)

// look is how a column's numbers are written.
type look struct {
	whole  bool // no number has decimals: each is written whole
	digits int  // significant digits
	places int  // in powers of ten all have so many decimals; -1: as they are, without
	tail   string
	wide   int
}

// full writes every digit that a number has.
func full(x float64) string {
	if narrow := float32(x); float64(narrow) == x { // logged as a float32
		return shortest(x)
	}
	return hparams.FormatNumber(x)
}

// significant counts the significant digits of a number that full has written.
func significant(text string) int {
	if at := strings.IndexByte(text, 'e'); at >= 0 {
		text = text[:at]
	}
	text = strings.Replace(strings.TrimLeft(text, "-0."), ".", "", 1)
	if text = strings.TrimRight(text, "0"); text == "" {
		return 1
	}
	return len(text)
}

// looks finds out how the column's numbers are written.
func (c *Column) looks(k Key) *look {
	if c.look != nil {
		return c.look
	}
	l := &look{whole: true, places: -1}
	c.look = l
	var all []float64
	need, outside := 1, 0
	for _, v := range c.Cells {
		if v.Kind != hparams.Number || v.Num-v.Num != 0 {
			continue
		}
		all = append(all, v.Num)
		a := math.Abs(v.Num)
		l.whole = l.whole && v.Num == math.Trunc(v.Num) && a < mostWhole
		need = max(need, significant(full(v.Num)))
		if a != 0 && (a < leastPlain || a >= mostPlain) {
			outside++
		}
	}
	l.digits = min(need, mostDigits)
	if need > mostDigits {
		slices.Sort(all)
		l.digits = fewDigits
		for i := 1; i < len(all); i++ {
			if all[i] != all[i-1] && rounded(all[i], fewDigits) == rounded(all[i-1], fewDigits) {
				l.digits = mostDigits
				break
			}
		}
	}
	if !l.whole && outside > 0 && 4*outside >= len(all) {
		l.places = 0
		for _, x := range all {
			mantissa, _, _ := strings.Cut(strconv.FormatFloat(rounded(x, l.digits), 'e', -1, 64), "e")
			if _, decimals, ok := strings.Cut(mantissa, "."); ok {
				l.places = max(l.places, len(decimals))
			}
		}
	}
	head := 0
	for _, v := range c.Cells {
		text := c.Format(k, v, false)
		h, tail := text, ""
		if v.Kind == hparams.Number {
			h, tail = parted(text)
			if len(tail) > len(l.tail) {
				l.tail = tail
			}
		}
		head = max(head, utf8.RuneCountInString(h))
	}
	l.wide = head + len(l.tail)
	return l
}

// parted parts a number before its decimal point, or its exponent where it has none.
func parted(text string) (head, tail string) {
	if at := strings.IndexAny(text, ".e"); at >= 0 && text[0] != 'N' {
		return text[:at], text[at:]
	}
	return text, ""
}

// Format writes a cell of the column k in the column's form; every digit if exact.
func (c *Column) Format(k Key, v Value, exact bool) string {
	if v.Kind != hparams.Number {
		return v.String()
	}
	switch k.Of {
	case "start":
		return time.UnixMilli(int64(v.Num * 1000)).UTC().Format("2006-01-02 15:04:05")
	case "duration":
		return duration(v.Num)
	}
	every := full(v.Num)
	if k.Of == Param { // as it was chosen
		every = v.String()
	}
	if exact || v.Num-v.Num != 0 {
		return every
	}
	l := c.looks(k)
	if l.whole {
		return strconv.FormatFloat(v.Num, 'f', 0, 64)
	}
	x := rounded(v.Num, l.digits)
	switch a := math.Abs(v.Num); {
	case x == 0:
		return "0"
	case l.places >= 0:
		return strconv.FormatFloat(x, 'e', l.places, 64)
	case a < leastPlain || a >= mostPlain:
		return strconv.FormatFloat(x, 'e', -1, 64)
	case a >= math.Pow10(l.digits): // no digit before the point is made up
		return strconv.FormatFloat(math.Round(v.Num), 'f', 0, 64)
	default:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
}

// Pad returns what a cell's text lacks on the right, so that the column's decimal points
// stand below each other: as wide as it must be, and not to be seen.
func (c *Column) Pad(k Key, v Value) string {
	if v.Kind != hparams.Number || k.Of == "start" || k.Of == "duration" {
		return ""
	}
	_, tail := parted(c.Format(k, v, false))
	return c.looks(k).tail[len(tail):]
}

// Wide returns how many characters the widest cell has when they are so.
func (c *Column) Wide(k Key) int { return c.looks(k).wide }

// shortest is FormatNumber for what a float32 holds.
func shortest(x float64) string {
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < leastPlain || a >= 1e16) {
		format = 'e'
	}
	return strconv.FormatFloat(x, format, -1, 32)
}

func duration(s float64) string {
	d := time.Duration(s * float64(time.Second))
	if d < time.Minute {
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	}
	return d.Round(time.Second).String()
}
