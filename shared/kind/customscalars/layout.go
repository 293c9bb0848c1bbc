package customscalars

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/internal/field"
)

// Layout says which charts there are (tensorboard/plugins/custom_scalar/layout.proto).
type Layout struct {
	Categories []Category `json:"categories"`
}

// Category is a group of charts.
type Category struct {
	Title  string  `json:"title"`
	Closed bool    `json:"closed,omitempty"` // folded at first
	Charts []Chart `json:"charts"`
	// From is the title of the logged category that it comes from; "" = the user made it.
	From string `json:"from,omitempty"`
}

// Chart is a chart of lines, or one of values with margins if it has Margins.
type Chart struct {
	Title string `json:"title"`
	// Lines are regular expressions of Python's, matched at the beginning of a tag: all
	// tags that one of them matches are shown.
	Lines   []string `json:"lines,omitempty"`
	Margins []Margin `json:"margins,omitempty"`

	// From is the Key of the logged chart that it comes from; "" = the user made it. Own
	// says that its content is the user's all the same, Hidden that it is not shown.
	From   string `json:"from,omitempty"`
	Own    bool   `json:"own,omitempty"`
	Hidden bool   `json:"hidden,omitempty"`
}

// Margin names the tags of a curve and of the edges of the band around it.
type Margin struct {
	Value string `json:"value"`
	Lower string `json:"lower"`
	Upper string `json:"upper"`
}

// Limits of a layout.
const (
	MaxCharts = 10000 // of all its categories
	MaxParts  = 1000  // regular expressions of a chart, or its margins
)

// What is wrong with a logged layout.
var (
	ErrLayout = errors.New("this is no layout of custom scalars: its bytes are damaged")
	errCharts = fmt.Errorf("the layout has more than %d charts: the others are left out", MaxCharts)
	errParts  = fmt.Errorf("a chart has more than %d parts: the others are left out", MaxParts)
)

// Decode decodes a serialised Layout. With an error there may be a layout all the same:
// what could be read of it.
func Decode(b []byte) (l Layout, err error) {
	d := decoder{left: MaxCharts}
	d.fields(b, func(n protowire.Number, v []byte, _ uint64) {
		if n == 2 {
			l.Categories = append(l.Categories, d.category(v))
		}
	})
	return l, d.err
}

type decoder struct {
	left int // charts that may still come
	err  error
}

func (d *decoder) fail(err error) {
	if d.err == nil || err == ErrLayout {
		d.err = err
	}
}

// fields calls f for each field of a message, up to where it is damaged: v are its bytes, or
// x its number.
func (d *decoder) fields(b []byte, f func(n protowire.Number, v []byte, x uint64)) {
	if err := field.Each(b, func(tag, x uint64, v []byte) error {
		switch n, t := protowire.DecodeTag(tag); t {
		case protowire.BytesType, protowire.VarintType:
			f(n, v, x)
		}
		return nil
	}); err != nil {
		d.fail(ErrLayout)
	}
}

func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

func (d *decoder) category(b []byte) (c Category) {
	d.fields(b, func(n protowire.Number, v []byte, x uint64) {
		switch n {
		case 1:
			c.Title = text(v)
		case 2:
			if d.left == 0 {
				d.fail(errCharts)
				return
			}
			d.left--
			c.Charts = append(c.Charts, d.chart(v))
		case 3:
			c.Closed = x != 0
		}
	})
	return c
}

func (d *decoder) chart(b []byte) (c Chart) {
	d.fields(b, func(n protowire.Number, v []byte, _ uint64) {
		switch n {
		case 1:
			c.Title = text(v)
		case 2: // of lines and margins the last one counts
			if c.Margins = nil; c.Lines == nil {
				c.Lines = []string{}
			}
			d.fields(v, func(n protowire.Number, v []byte, _ uint64) {
				switch {
				case n != 1:
				case len(c.Lines) == MaxParts:
					d.fail(errParts)
				default:
					c.Lines = append(c.Lines, text(v))
				}
			})
		case 3:
			if c.Lines = nil; c.Margins == nil {
				c.Margins = []Margin{}
			}
			d.fields(v, func(n protowire.Number, v []byte, _ uint64) {
				switch {
				case n != 1:
				case len(c.Margins) == MaxParts:
					d.fail(errParts)
				default:
					c.Margins = append(c.Margins, d.margin(v))
				}
			})
		}
	})
	return c
}

func (d *decoder) margin(b []byte) (m Margin) {
	d.fields(b, func(n protowire.Number, v []byte, _ uint64) {
		switch n {
		case 1:
			m.Value = text(v)
		case 2:
			m.Lower = text(v)
		case 3:
			m.Upper = text(v)
		}
	})
	return m
}

// content is all that a chart is, for comparison.
func (c *Chart) content() string {
	var b strings.Builder
	put := func(list ...string) {
		for _, s := range list {
			fmt.Fprintf(&b, "%q ", s)
		}
	}
	put(c.Title)
	put(c.Lines...)
	for _, m := range c.Margins {
		put("", m.Value, m.Lower, m.Upper)
	}
	return b.String()
}

// Union is the layouts of several runs as one, in the order of the runs' names:
// categories of one title are one, with the charts of each that the others before do not
// have. So does TensorBoard (custom_scalars_plugin.py), but that it loses what a third run
// adds to a category which the first did not have.
func Union(layouts ...Layout) (out Layout) {
	at := map[string]int{}
	have := map[string]bool{}
	for k, l := range layouts {
		for _, c := range l.Categories {
			i, ok := at[c.Title]
			if !ok {
				i = len(out.Categories)
				at[c.Title] = i
				out.Categories = append(out.Categories, Category{Title: c.Title, Closed: c.Closed})
			}
			for _, chart := range c.Charts {
				key := c.Title + "\n" + chart.content()
				if k > 0 && have[key] {
					continue
				}
				have[key] = true
				out.Categories[i].Charts = append(out.Categories[i].Charts, chart)
			}
		}
	}
	return out
}
