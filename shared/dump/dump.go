// Package dump writes what has been read of a logdir as one JSON document, for
// scripts and for comparison with other readers:
//
//	{"runs": [run, …], "scalars": {run: {tag: [[wall time, step, value], …]}}, …}
//
// with a section for each kind of data. Runs stand in display order, runs and tags inside a section sorted. Wall times
// are seconds since 1970. Numbers that JSON has no form for are the strings
// "NaN", "Infinity" and "-Infinity", as TensorBoard's own routes send them. Values
// that are float32s in the file are written as the float64 that they equal.
package dump

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kind/values"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Kind is a kind of data that can be dumped. The method stands in a file that is not for
// the browser, which has no use for it: hashes of images alone would be 50 KB of download.
type Kind interface {
	answer.Kind
	// Dump writes a tag of a run as a JSON value, as TensorBoard's own routes give it.
	// ask runs a query and calls got with each answer.
	Dump(w answer.Writer, run, tag string, ask answer.Asker) error
}

// Whole is a Kind that has sections about all runs together.
type Whole interface {
	// DumpWhole calls section with the name of each, and writes its value then. ask is as
	// in Kind.
	DumpWhole(w answer.Writer, c *catalog.Catalog, ask answer.Asker, section func(name string)) error
}

// Section is a part of the document that no kind makes; Write writes its value.
type Section struct {
	Name  string
	Write func(w answer.Writer) error
}

// Write writes the document: the runs of c, and a section for each kind. What a kind
// keeps by reference is read again from dir. The sections are written as they are made,
// so that no more than a piece of an answer is held twice.
func Write(ctx context.Context, to io.Writer, c *catalog.Catalog, dir source.Logdir, kinds []answer.Kind, more ...Section) error {
	w := &writer{Writer: bufio.NewWriterSize(to, 1<<16)}
	w.Raw("{\"runs\": [")
	for i, r := range Runs(c) {
		if i > 0 {
			w.Raw(", ")
		}
		w.Text(r.Name)
	}
	w.Raw("]")
	answers := answer.New(append(slices.Clone(kinds), values.Kind{}), answer.World{Catalog: c})
	ask := func(q wire.Query, got func(*answer.Out) error) error {
		j, err := answers.Begin(&q)
		if err != nil {
			return err
		}
		return answer.Serve(ctx, dir, j, got)
	}
	for _, k := range kinds {
		w.Raw(",\n")
		w.Text(k.Name())
		w.Raw(": {")
		if err := w.section(c, k, ask); err != nil {
			return err
		}
		w.Raw("\n}")
		if k, ok := k.(Whole); ok {
			err := k.DumpWhole(w, c, ask, func(name string) {
				w.Raw(",\n")
				w.Text(name)
				w.Raw(": ")
			})
			if err != nil {
				return err
			}
		}
	}
	for _, s := range more {
		w.Raw(",\n")
		w.Text(s.Name)
		w.Raw(": ")
		if err := s.Write(w); err != nil {
			return err
		}
	}
	if err := w.graphs(c, ask); err != nil {
		return err
	}
	if err := w.meshes(c, ask); err != nil {
		return err
	}
	w.Raw("}\n")
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

// section writes what a kind has: {run: {tag: …}}.
func (w *writer) section(c *catalog.Catalog, k answer.Kind, ask answer.Asker) error {
	comma := ""
	for _, name := range slices.Sorted(maps.Keys(c.Runs)) {
		var tags []string
		c.Runs[name].Tags(func(t *catalog.Tag, info wire.Tag) {
			if slices.Contains(k.Plugins(), info.Plugin) && info.Points > 0 {
				tags = append(tags, t.Shown)
			}
		})
		if len(tags) == 0 {
			continue
		}
		sort.Strings(tags)
		w.Raw(comma + "\n")
		w.Text(catalog.Text(name))
		w.Raw(": {")
		comma = ","
		for i, tag := range tags {
			if i > 0 {
				w.Raw(",")
			}
			w.Raw("\n ")
			w.Text(tag)
			w.Raw(": ")
			if err := k.(Kind).Dump(w, name, tag, ask); err != nil {
				return err
			}
		}
		w.Raw("}")
	}
	return nil
}

// Raw implements answer.Writer.
func (w *writer) Raw(text string) { w.WriteString(text) }

// Number implements answer.Writer.
func (w *writer) Number(x float64) {
	w.scratch = number(w.scratch[:0], x)
	w.Write(w.scratch)
}

// Text implements answer.Writer.
func (w *writer) Text(s string) {
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
