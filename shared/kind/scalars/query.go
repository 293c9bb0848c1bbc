// Package scalars is the kind of data "scalars": series of numbers by step and wall
// time, asked for as curves. It holds what is asked and answered (query.go), how a
// worker answers (job.go, curves.go, every.go), and how they are dumped (dump.go).
package scalars

import (
	"encoding/json"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/smooth"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = catalog.Points

// Curves asks for the curves of one tag, or of several for one card: the body of a
// wire.Query. A tag may be the name of a derived series, see package derive. It is answered
// once,
// and, where a zoom shows points that must be read again, a second time when they have
// been. With Query.Every each piece of the answer holds points of one run; runs follow
// one another in the order of Runs; a run without points has no piece; Weight and Pixels
// do not count: smoothed is the value.
type Curves struct {
	Tag    string     `json:"-"`      // from the query …
	Others []string   `json:"-"`      // … itself: further tags, each with parts of its own …
	Runs   []string   `json:"-"`      // … itself
	Weight float64    `json:"weight"` // smoothing weight in [0, 1); 0 = off
	X      wire.XAxis `json:"x"`
	XTag   string     `json:"xTag,omitempty"` // whose value is x, with wire.ByTag
	// Smoother is how Weight is used; "" is TensorBoard's way.
	Smoother smooth.Kind `json:"smoother,omitempty"`
	// X0 and X1 bound the visible range, in units of X; equal values mean all.
	// The points next to either end are answered too, so that lines reach it.
	X0 float64 `json:"x0"`
	X1 float64 `json:"x1"`
	// Pixels is the width of the plot in device pixels. A series with more than
	// four points in a column of pixels is answered by the column's first, least,
	// greatest and last point, of the raw and of the smoothed curve. 0 = never thin.
	Pixels int `json:"pixels"`
	// XScale is how the axis maps x, which thinning must know: "linear" or "" (the same),
	// "log", "symlog" (linear within ±1), or "symlog:0.01" (within ±0.01).
	XScale string `json:"xScale,omitempty"`
	// Even asks for points that do not depend on their values too, where a series is thinned:
	// a mean of extremes is no mean. See Part.Every.
	Even bool `json:"even,omitempty"`
	// Partition makes a curve of its own of each stretch in which x does not go back,
	// each smoothed by itself, and relative times count from its own beginning.
	Partition bool `json:"partition,omitempty"`
	// Bands are, for each tag, those whose values at the same steps are the lower and the
	// upper edge of a band around its curve.
	Bands [][2]string `json:"bands,omitempty"`
	// Refs are the series that ref(…) in Tag and Others name: runs are read by different
	// workers, so who asks hands them on. One that is missing has no points, and what is
	// computed of it has none.
	Refs []RefSeries `json:"refs,omitempty"`
	// Table asks, instead of for curves, for the numbers at a step, or of the range between
	// two: see TableNumbers.
	Table []float64 `json:"table,omitempty"`
}

// RefSeries is a series of another run; Run "" is the baseline, whichever that is. Steps and
// Values are float64s, the lower byte first.
type RefSeries struct {
	derive.Ref
	Steps   []byte `json:"steps"`
	Values  []byte `json:"values"`
	Missing int64  `json:"missing,omitempty"` // points that memory has no room for
	Preview bool   `json:"preview,omitempty"`
}

// MissingRefs are the series that Refs has to hold and lacks.
func (c *Curves) MissingRefs() (out []derive.Ref) {
	for _, tag := range append([]string{c.Tag}, c.Others...) {
		if !derive.IsName(tag) {
			continue
		}
		e, err := derive.Of(tag)
		if err != nil {
			continue
		}
		for _, r := range e.Refs {
			if c.ref(r) == nil && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func (c *Curves) ref(r derive.Ref) *RefSeries {
	for i := range c.Refs {
		if c.Refs[i].Ref == r {
			return &c.Refs[i]
		}
	}
	return nil
}

// Query makes the query.
func (c Curves) Query() wire.Query {
	return wire.Query{Kind: Name, Tags: append([]string{c.Tag}, c.Others...), Runs: c.Runs, Packed: wire.Pack(&c)}
}

// Fields implements wire.Message: what has a JSON form.
func (c *Curves) Fields(p *wire.Packing) {
	p.Float(&c.Weight)
	p.Text((*string)(&c.X))
	p.Text(&c.XTag)
	p.Text((*string)(&c.Smoother))
	p.Float(&c.X0)
	p.Float(&c.X1)
	p.Int(&c.Pixels)
	p.Text(&c.XScale)
	p.Bool(&c.Even)
	p.Bool(&c.Partition)
	wire.List(p, &c.Bands, func(b *[2]string) {
		p.Text(&b[0])
		p.Text(&b[1])
	})
	wire.List(p, &c.Refs, func(r *RefSeries) {
		p.Text(&r.Tag)
		p.Text(&r.Run)
		p.Bytes(&r.Steps)
		p.Bytes(&r.Values)
		p.Int64(&r.Missing)
		p.Bool(&r.Preview)
	})
	wire.List(p, &c.Table, p.Float)
}

// errComputed is the answer to a question for every point of what has no others than those
// that are kept.
var errComputed = &wire.QueryError{What: "what is computed of points that are kept has no others"}

// read reads the query back.
func read(q *wire.Query) (Curves, error) {
	c := Curves{X: wire.ByStep}
	if len(q.Packed) > 0 {
		c = Curves{}
		if err := wire.Unpack(q.Packed, &c); err != nil {
			return c, &wire.QueryError{What: err.Error()}
		}
	} else if len(q.Body) > 0 {
		if err := json.Unmarshal(q.Body, &c); err != nil {
			return c, &wire.QueryError{What: err.Error()}
		}
	}
	if len(q.Tags) == 0 || len(q.Tags) > 1 && q.Every {
		return c, &wire.QueryError{What: "name one tag"}
	}
	if q.Every && !c.X.Timed() {
		return c, errComputed
	}
	if len(c.Bands) > 0 && (len(c.Bands) != len(q.Tags) || q.Every) {
		return c, &wire.QueryError{What: "name the edges of a band for each tag"}
	}
	if len(c.Table) > 2 {
		return c, &wire.QueryError{What: "name one step, or two of a range"}
	}
	c.Tag, c.Runs = q.Tags[0], q.Runs
	if len(q.Tags) > 1 {
		c.Others = q.Tags[1:]
	}
	return c, nil
}

// Part describes one run's curve in an answer. Its points are four columns,
// one behind the other in the answer's buffer from byte Offset on, each padded to a
// multiple of 8 bytes: step[N], wall time[N] (seconds), value[N], smoothed[N], and, where
// X is not Timed, x[N]. Where bands are asked for lower[N] and upper[N] follow, and, with a
// Weight, both of them smoothed; NaN is where there is none.
//
// Columns are float64s. Those that Narrow names are float32s: half the memory of a
// page full of curves. An answer to a query without Pixels has none; in others step
// and value are narrow where that loses nothing, the wall time where it is not the
// axis (seconds since WallBase then, to a ten millionth of the range), the smoothed
// value where the value is.
type Part struct {
	Run    string  `json:"run"`
	Tag    int     `json:"tag,omitempty"`   // number of the tag in the query
	Piece  int     `json:"piece,omitempty"` // of a curve that Partition splits: which, from 1; 0 = all of it
	Offset int     `json:"offset"`          // bytes into the buffer, a multiple of 8
	N      int     `json:"n"`               // points answered
	Kept   int64   `json:"kept"`            // points held in memory
	Points int64   `json:"points"`          // points logged
	Start  float64 `json:"start"`           // first finite wall time of the series, 0 if there is none: zero of the relative axis
	// Preview is true while some of these points come from the preview; Glimpse says of which sort.
	Preview bool            `json:"preview"`
	Glimpse catalog.Glimpse `json:"-"`
	// Narrow has bit k set when column k is of float32s.
	Narrow   int     `json:"narrow,omitempty"`
	WallBase float64 `json:"wallBase,omitempty"` // to be added to narrow wall times
	// Edges is how many columns of a band there are: 0, 2 or 4. Unmatched counts the points
	// that have no lower or no upper edge at their step.
	Edges     int   `json:"edges,omitempty"`
	Unmatched int64 `json:"unmatched,omitempty"`
	// Every is how wide, in x as XScale maps it, the stretches are of which the first point is
	// here, with Even: they begin at multiples of it, and it is a power of two, so that those
	// of other runs fit. 0 = every point is.
	Every float64 `json:"every,omitempty"`
	// Thinned is true when points that were at hand, between the first and the last of those
	// answered, were left out for the pixels.
	Thinned bool `json:"thinned,omitempty"`
	// Full is true when every logged point of the asked range was at hand; with
	// Every it is so of what the run's pieces hold so far.
	Full bool `json:"full"`
}

// Bits of Part.Narrow.
const (
	NarrowStep = 1 << iota
	NarrowWall
	NarrowValue
	NarrowSmoothed
)
