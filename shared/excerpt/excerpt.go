// Package excerpt makes small event files of large ones: the curves of some tags with
// fewer points, and some values of the others. A reader sees in them what it sees in the
// whole files, as far as it goes.
package excerpt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Options say how much is taken.
type Options struct {
	// Points is about how many points of a curve stay: the first and last, and of each
	// stretch the least and the greatest. 0 = all.
	Points int64
	// Values is how many values of a tag of another kind stay, spread evenly, the first
	// and last among them. 0 = all.
	Values int
	// Tags says which tags are taken; nil: all.
	Tags func(t *catalog.Tag) bool
	// Layout is handed each layout of charts in place of writing it, with its time: which
	// of its charts stay is known when all runs have been read. nil: it is written.
	Layout func(l customscalars.Layout, wall float64)
	// Read reads bytes of the logdir again.
	Read func(r source.Range) ([]byte, error)
}

// Taken counts what an excerpt holds.
type Taken struct {
	Tags           int
	Points, Logged int64 // points of curves that stay, and that there are
	Values, Stored int   // values of other kinds, the same
	// Missing are tags of which something could not be read again, each with why.
	Missing []error
}

// Add adds what another excerpt holds.
func (t *Taken) Add(u Taken) {
	t.Tags += u.Tags
	t.Points, t.Logged = t.Points+u.Points, t.Logged+u.Logged
	t.Values, t.Stored = t.Values+u.Values, t.Stored+u.Stored
	t.Missing = append(t.Missing, u.Missing...)
}

// Layout returns an event file with a layout of charts.
func Layout(l customscalars.Layout, wall float64) ([]byte, error) {
	var out summary.Layout
	for _, c := range l.Categories {
		to := summary.Category{Title: c.Title, Closed: c.Closed}
		for _, chart := range c.Charts {
			x := summary.Chart{Title: chart.Title}
			if len(chart.Margins) == 0 {
				x.Lines = chart.Lines
			}
			for _, m := range chart.Margins {
				x.Margins = append(x.Margins, summary.Margin(m))
			}
			to.Charts = append(to.Charts, x)
		}
		out.Categories = append(out.Categories, to)
	}
	if wall-wall != 0 {
		wall = 0
	}
	to := summary.NewBuffer(summary.Options{NoVersion: true})
	if err := to.CustomScalars(out, summary.WallSeconds(wall)); err != nil {
		return nil, err
	}
	return to.Bytes(), nil
}

// Run returns an event file with an excerpt of a run, nil if it has none of the tags.
// Steps beyond 2⁵³ are rounded, as in the page. The error is the writer's, of a tag or
// value that cannot be written.
func Run(run *catalog.Run, o Options) ([]byte, Taken, error) {
	x := excerpt{run: run, o: o, to: summary.NewBuffer(summary.Options{NoVersion: true})}
	// The first event says when the run began, by which runs are sorted.
	first := summary.Event{FileVersion: summary.FileVersion, WallTime: run.Start()}
	if first.WallTime-first.WallTime != 0 { // nothing was read
		first.WallTime = 0
	}
	if err := x.to.Raw(first); err != nil {
		return nil, x.got, err
	}
	var tags []*catalog.Tag
	run.Tags(func(t *catalog.Tag, info wire.Tag) {
		if (info.Points > 0 || info.Plugin == "hparams") && (o.Tags == nil || o.Tags(t)) {
			tags = append(tags, t)
		}
	})
	slices.SortFunc(tags, func(a, b *catalog.Tag) int { return strings.Compare(a.Shown, b.Shown) })
	for _, t := range tags {
		// Looked up anew: what Tags hands over is its own.
		if t = run.Lookup(t.Shown); t == nil {
			continue
		}
		var err error
		switch {
		case t.Kind == catalog.Scalar:
			err = x.curve(t)
		case t.Kind == catalog.Unknown: // hyperparameters stand in the metadata
			x.got.Tags++
			err = x.write(0, first.WallTime, summary.TensorValue(t.Name, summary.FloatTensor([]int64{0}), metadata(t)))
		default:
			err = x.values(t)
		}
		if err != nil {
			return nil, x.got, fmt.Errorf("tag %q: %w", t.Shown, err)
		}
	}
	if x.got.Tags == 0 {
		return nil, x.got, nil
	}
	return x.to.Bytes(), x.got, nil
}

type excerpt struct {
	o       Options
	got     Taken
	run     *catalog.Run
	to      *summary.Buffer
	columns series.Columns
}

// metadata is what is written of a tag's own, with each value, as writers do.
func metadata(t *catalog.Tag) summary.Metadata {
	return summary.Metadata{Plugin: t.Plugin, Content: t.Content, DisplayName: t.DisplayName, Description: t.Description}
}

// curve writes a tag's points.
func (x *excerpt) curve(t *catalog.Tag) error {
	var kept series.Scalars
	s := x.run.Stream(t, wire.ByStep, 0, 0)
	x.columns.Reset()
	for done := false; !done; {
		var need source.Range
		need, done = s.Next(&x.columns, 64*series.ChunkPoints)
		if need.Length > 0 {
			if data, err := x.o.Read(need); err != nil {
				x.got.Missing = append(x.got.Missing, fmt.Errorf("tag %q: %w", t.Shown, err))
				s.Fail()
			} else {
				s.Take(data)
			}
			done = false
			continue
		}
		for i, step := range x.columns.Step {
			v := x.columns.Value[i]
			kept.Append(series.Step(step), x.columns.Wall[i], v, float64(float32(v)) == v || v != v, 0)
			x.got.Logged++
		}
		x.columns.Reset()
	}
	if x.o.Points > 0 {
		kept.ThinTo(x.o.Points)
	}
	kept.AppendTo(&x.columns, series.Whole)
	m := metadata(t)
	m.Plugin, m.Content = "scalars", nil
	for i, step := range x.columns.Step {
		v := x.columns.Value[i]
		kind := summary.Float32
		if float64(float32(v)) != v && v == v {
			kind = summary.Float64
		}
		tensor, _ := summary.ScalarTensor(kind, v) // real types take any number
		if err := x.write(step, x.columns.Wall[i], summary.TensorValue(t.Name, tensor, m)); err != nil {
			return err
		}
	}
	x.got.Tags++
	x.got.Points += int64(x.columns.Len())
	x.columns.Reset()
	return nil
}

// fields are the members of a Summary.Value by the form in which a value came.
var fields = map[uint8]summary.Field{
	uint8(event.Image): summary.FieldImage, uint8(event.Histo): summary.FieldHistogram,
	uint8(event.Audio): summary.FieldAudio, uint8(event.TensorForm): summary.FieldTensor, series.Number: summary.FieldTensor,
}

// values writes values of a tag as they were logged.
func (x *excerpt) values(t *catalog.Tag) error {
	all := x.run.Stored(t, nil)
	x.got.Stored += len(all)
	wrote := 0
	for _, i := range spread(len(all), x.o.Values) {
		b := all[i]
		data, err := x.o.Read(source.Range{Path: b.Path, Offset: b.Offset, Length: int64(b.Length)})
		if err == nil {
			data, err = t.Body(b.Ref, data)
		}
		if err != nil {
			x.got.Missing = append(x.got.Missing, fmt.Errorf("tag %q, step %d: %w", t.Shown, b.Step, err))
			continue
		}
		e := summary.Event{WallTime: b.Wall, Step: b.Step}
		switch form := b.Form &^ series.Merged; form {
		case series.GraphDef:
			e.GraphDef = data
		case series.MetaGraph:
			e.MetaGraph = data
		case series.RunMetadata:
			e.RunMetadataTag, e.RunMetadata = t.Name, data
		default:
			field, ok := fields[form]
			if !ok {
				continue // a form without a value
			}
			if t.Plugin == customscalars.Name && x.o.Layout != nil {
				if l, err := customscalars.DecodeTensor(data); err == nil {
					x.o.Layout(l, b.Wall)
					wrote++
				}
				continue // what is none is no loss
			}
			e.Values = []summary.Value{{Tag: t.Name, Metadata: metadata(t), Field: field, Payload: data}}
		}
		if err := x.to.Raw(e); err != nil {
			return err
		}
		wrote++
	}
	if wrote > 0 {
		x.got.Tags++
		x.got.Values += wrote
	}
	return nil
}

func (x *excerpt) write(step, wall float64, v summary.Value) error {
	return x.to.Raw(summary.Event{WallTime: wall, Step: series.Step(step), Values: []summary.Value{v}})
}

// spread returns which of n are taken so that there are at most as many as most, evenly,
// with the last and, if there is room, the first.
func spread(n, most int) []int {
	if most <= 0 || most > n {
		most = n
	}
	out := make([]int, 0, most)
	for i := range most {
		at := n - 1
		if most > 1 {
			at = int(math.Round(float64(i) * float64(n-1) / float64(most-1)))
		}
		out = append(out, at)
	}
	return out
}
