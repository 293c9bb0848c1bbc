// Package dump writes what has been read of a logdir as one JSON document, for
// scripts and for comparison with other readers:
//
//	{"runs": [run, …], "scalars": {run: {tag: [[wall time, step, value], …]}}}
//
// Runs stand in display order, runs and tags inside a section sorted. Wall times
// are seconds since 1970. Numbers that JSON has no form for are the strings
// "NaN", "Infinity" and "-Infinity", as TensorBoard's own routes send them. Values
// that are float32s in the file are written as the float64 that they equal.
package dump

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"sort"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Write writes the document. The sections are written as they are made, so that
// no more than one series is held twice.
func Write(to io.Writer, c *catalog.Catalog) error {
	w := &writer{Writer: bufio.NewWriterSize(to, 1<<16)}
	w.WriteString("{\"runs\": [")
	for i, r := range Runs(c) {
		if i > 0 {
			w.WriteString(", ")
		}
		w.text(r.Name)
	}
	w.WriteString("],\n\"scalars\": {")
	w.scalars(c)
	w.WriteString("\n}}\n")
	return w.Flush()
}

// Runs returns the runs of a catalog in display order.
func Runs(c *catalog.Catalog) []wire.Run {
	out := make([]wire.Run, 0, len(c.Runs))
	for _, r := range c.Runs {
		run := wire.Run{Name: catalog.Text(r.Name)}
		if t := r.Start(); t-t == 0 { // finite; JSON has no form for others
			run.StartTime = t
		}
		for _, f := range r.Files {
			run.Files = append(run.Files, f.Path)
		}
		out = append(out, run)
	}
	catalog.SortRuns(out)
	return out
}

type writer struct {
	*bufio.Writer
	scratch []byte
}

func (w *writer) scalars(c *catalog.Catalog) {
	names := make([]string, 0, len(c.Runs))
	for name := range c.Runs {
		names = append(names, name)
	}
	sort.Strings(names)
	var points series.Columns
	comma := ""
	for _, name := range names {
		run := c.Runs[name]
		var tags []string
		run.Tags(func(t *catalog.Tag, info wire.Tag) {
			if t.Kind == catalog.Scalar && info.Points > 0 {
				tags = append(tags, t.Shown)
			}
		})
		if len(tags) == 0 {
			continue
		}
		sort.Strings(tags)
		w.WriteString(comma + "\n")
		w.text(catalog.Text(name))
		w.WriteString(": {")
		comma = ","
		for i, tag := range tags {
			if i > 0 {
				w.WriteString(",")
			}
			w.WriteString("\n ")
			w.text(tag)
			w.WriteString(": [")
			points.Reset()
			run.Scalars(run.Lookup(tag), &points)
			w.points(&points)
			w.WriteString("]")
		}
		w.WriteString("}")
	}
}

func (w *writer) points(p *series.Columns) {
	for i := range p.Step {
		b := w.scratch[:0]
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, '[')
		b = number(b, p.Wall[i])
		b = append(b, ", "...)
		b = strconv.AppendFloat(b, p.Step[i], 'f', -1, 64)
		b = append(b, ", "...)
		b = number(b, p.Value[i])
		b = append(b, ']')
		w.scratch = b
		w.Write(b)
	}
}

// text writes a JSON string.
func (w *writer) text(s string) {
	b, err := json.Marshal(s)
	if err != nil {
		panic("dump: internal error: a string has no JSON form: " + err.Error())
	}
	w.Write(b)
}

func number(b []byte, x float64) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Infinity"`...)
	}
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, x, format, -1, 64)
}
