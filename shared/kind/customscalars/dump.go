//go:build !js

package customscalars

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
)

// Dump implements dump.Kind: the layout of a run.
func (Kind) Dump(w answer.Writer, run, tag string, ask answer.Asker) error {
	q := Query([]string{run})
	q.Tags[0] = tag
	return ask(q, func(out *answer.Out) error {
		l := Layout{}
		for _, p := range out.Parts.([]Part) {
			l = p.Layout
		}
		return write(w, l, true)
	})
}

// DumpWhole implements dump.Whole: the answer of TensorBoard's route "layout".
func (Kind) DumpWhole(w answer.Writer, c *catalog.Catalog, ask answer.Asker, section func(name string)) error {
	section("custom_scalars_layout")
	some := false
	var layouts []Layout
	for _, run := range slices.Sorted(maps.Keys(c.Runs)) {
		err := ask(Query([]string{run}), func(out *answer.Out) error {
			for _, p := range out.Parts.([]Part) {
				some = true
				layouts = append(layouts, p.Layout)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return write(w, Union(layouts...), some)
}

// write writes a layout in TensorBoard's form.
func write(w answer.Writer, l Layout, some bool) error {
	type object = map[string]any
	doc := object{}
	if some {
		categories := []any{}
		for _, c := range l.Categories {
			charts := []any{}
			for _, k := range c.Charts {
				chart := object{"title": k.Title}
				if k.Lines != nil {
					chart["multiline"] = object{"tag": k.Lines}
				}
				if k.Margins != nil {
					chart["margin"] = object{"series": k.Margins}
				}
				charts = append(charts, chart)
			}
			categories = append(categories, object{"title": c.Title, "closed": c.Closed, "chart": charts})
		}
		doc = object{"version": 0, "category": categories}
	}
	b, err := json.Marshal(doc)
	w.Raw(string(b))
	return err
}
