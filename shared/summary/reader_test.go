package summary_test

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// TestOurReader holds what this project's reader finds in each kind against
// what the oracle finds.
func TestOurReader(t *testing.T) {
	forms := map[event.Form]string{event.Simple: "simple_value", event.Image: "image", event.Histo: "histo", event.Audio: "audio", event.TensorForm: "tensor"}
	whats := map[event.What]string{event.GraphDef: "graph_def", event.SessionLog: "session_log", event.TaggedRunMetadata: "tagged_run_metadata"}
	for _, k := range everyKind {
		if k.name == "Raw" {
			continue // sets several members of a oneof, which no reader need bear
		}
		w := summary.NewBuffer(fixed())
		if err := k.call(w.Writer); err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		for i, p := range payloads(t, w.Bytes()) {
			want := decode(t, "Event", p)
			var e event.Event
			if err := e.Decode(p); err != nil {
				t.Fatalf("%s: %v", k.name, err)
			}
			if e.Step != get(want, "step").Int() || e.WallTime != get(want, "wall_time").Float() {
				t.Errorf("%s: step %d at %v", k.name, e.Step, e.WallTime)
			}
			if i == 0 {
				if e.What != event.FileVersion || string(e.Body) != summary.FileVersion {
					t.Errorf("%s: begins with %q", k.name, e.Body)
				}
				continue
			}
			if e.What != event.Summary {
				if name := whats[e.What]; name == "" || !want.Has(want.Descriptor().Fields().ByName("graph_def")) && name == "graph_def" {
					t.Errorf("%s: is %d", k.name, e.What)
				}
				continue
			}
			rest, n := e.Body, 0
			for ; ; n++ {
				var v event.Value
				var ok bool
				var err error
				if rest, ok, err = v.NextValue(rest); err != nil || !ok {
					break
				}
				wanted := get(want, "summary", "value", n).Message()
				form := wanted.Descriptor().Fields().ByName("tensor")
				if name := forms[v.Form]; name != "" {
					form = wanted.Descriptor().Fields().ByTextName(name)
				}
				meta, err := event.DecodeMeta(v.Meta)
				if err != nil || string(v.Tag) != get(wanted, "tag").String() || !wanted.Has(form) ||
					meta.Plugin != get(wanted, "metadata", "plugin_data", "plugin_name").String() ||
					!bytes.Equal(meta.Content, get(wanted, "metadata", "plugin_data", "content").Bytes()) ||
					meta.DisplayName != get(wanted, "metadata", "display_name").String() ||
					meta.Description != get(wanted, "metadata", "summary_description").String() ||
					int64(meta.DataClass) != get(wanted, "metadata", "data_class").Int() {
					t.Errorf("%s: value %q, form %d, %+v, %v", k.name, v.Tag, v.Form, meta, err)
				}
				if v.Form == event.Simple && float64(v.Simple) != get(wanted, "simple_value").Float() {
					t.Errorf("%s: %v", k.name, v.Simple)
				}
			}
			if n != get(want, "summary", "value").List().Len() {
				t.Errorf("%s: %d values", k.name, n)
			}
		}
	}
}

// TestCurveFromEveryForm reads a curve back through the catalog, in each form
// in which a scalar can stand.
func TestCurveFromEveryForm(t *testing.T) {
	values := []float64{0, 1, 3, 100}
	for name, opts := range map[string][]summary.Option{
		"simple": nil, "float32": {summary.AsTensor()}, "float64": {summary.Double()},
		"float16": {summary.As(summary.Float16)}, "bfloat16": {summary.As(summary.BFloat16)},
		"int8": {summary.As(summary.Int8)}, "int16": {summary.As(summary.Int16)}, "int32": {summary.As(summary.Int32)}, "int64": {summary.As(summary.Int64)},
		"uint8": {summary.As(summary.Uint8)}, "uint16": {summary.As(summary.Uint16)}, "uint32": {summary.As(summary.Uint32)}, "uint64": {summary.As(summary.Uint64)},
	} {
		w := summary.NewBuffer(fixed())
		for step, v := range values {
			if err := w.Scalar("a/b", v, int64(10*step), opts...); err != nil {
				t.Fatal(err)
			}
		}
		c := catalog.New()
		if _, err := c.Load(context.Background(), source.Mem{"run/events.out.tfevents.1": w.Bytes()}.Logdir()); err != nil {
			t.Fatal(err)
		}
		run := c.Run("run")
		var got series.Columns
		if tag := run.Lookup("a/b"); tag != nil {
			run.Scalars(tag, &got)
		}
		if got.Len() != len(values) {
			t.Errorf("%s: %d points", name, got.Len())
			continue
		}
		for i, v := range values {
			wall := float64(start.Unix() + int64(i) + 1)
			if got.Value[i] != v || got.Step[i] != float64(10*i) || math.Abs(got.Wall[i]-wall) > 1e-3 {
				t.Errorf("%s: point %d is (%v, %v, %v)", name, i, got.Step[i], got.Wall[i], got.Value[i])
			}
		}
	}
}
