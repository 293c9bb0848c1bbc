package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/graphtest"
)

// children are the ids in a scope, under options.
func childrenOf(t testing.TB, b []byte, id string, options map[string]any) (ids []string) {
	t.Helper()
	var a struct{ Children []nodeAnswer }
	ask(t, open(t, b), map[string]any{"ask": "children", "id": id, "limit": 1000, "options": options}, &a)
	for _, c := range a.Children {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

// Series: five members or what is asked for, taken apart and put together by hand; scopes too.
func TestSeries(t *testing.T) {
	var nodes []op
	for i := range 4 {
		nodes = append(nodes, op{Name: fmt.Sprintf("few_%d", i), Op: "X"})
	}
	for i := range 6 {
		nodes = append(nodes, op{Name: fmt.Sprintf("many_%d", i+3), Op: "X"})
		nodes = append(nodes, op{Name: fmt.Sprintf("block_%d/a", i), Op: "X"}, op{Name: fmt.Sprintf("block_%d/b", i), Op: "Y", Inputs: []string{fmt.Sprintf("block_%d/a", i)}})
	}
	nodes = append(nodes, op{Name: "many_7x", Op: "X"}, op{Name: "block_6/a", Op: "Z"}, op{Name: "many_9", Op: "other"})
	b := graphtest.GraphDef(nodes...)
	few := []string{"few_0", "few_1", "few_2", "few_3"}
	rest := []string{"many_7x", "many_9"}
	var blocks []string
	for i := range 7 {
		blocks = append(blocks, fmt.Sprintf("block_%d", i))
	}
	all := func(parts ...[]string) string {
		s := slices.Concat(parts...)
		slices.Sort(s)
		return strings.Join(s, " ")
	}
	for name, c := range map[string]struct {
		options map[string]any
		want    string
	}{
		"by default":     {nil, all(blocks, few, rest, []string{"many_[3-8]"})},
		"from four on":   {map[string]any{"series": 4}, all(blocks, rest, []string{"many_[3-8]", "few_[0-3]"})},
		"off":            {map[string]any{"series": 0}, all(blocks, few, rest, []string{"many_3", "many_4", "many_5", "many_6", "many_7", "many_8"})},
		"taken apart":    {map[string]any{"ungroup": []string{"many_[3-8]"}}, all(blocks, few, rest, []string{"many_3", "many_4", "many_5", "many_6", "many_7", "many_8"})},
		"put together":   {map[string]any{"group": []string{"few_[0-3]"}}, all(blocks, rest, []string{"many_[3-8]", "few_[0-3]"})},
		"scopes as well": {map[string]any{"seriesOfScopes": true}, all(few, rest, []string{"many_[3-8]", "block_[0-5]", "block_6"})},
	} {
		if got := strings.Join(childrenOf(t, b, "", c.options), " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := childrenOf(t, b, "block_[0-5]", map[string]any{"seriesOfScopes": true}); len(got) != 6 {
		t.Errorf("%q", got)
	}
}

// Layers of Keras that others stand between are no series: a residual model stays whole. Layers that follow each
// other are one.
func TestSeriesOfLayers(t *testing.T) {
	got := childrenOf(t, graphtest.File(t, "keras_functional.json"), "encoder", nil)
	if slices.ContainsFunc(got, func(id string) bool { return strings.Contains(id, "[") }) || !slices.Contains(got, "encoder/add_7") {
		t.Errorf("%q", got)
	}
	layers := ""
	for i := range 6 {
		layers += fmt.Sprintf(`,{"class_name":"Dense","config":{"name":"dense_%d","units":3}}`, i)
	}
	model := `{"class_name":"Sequential","config":{"name":"m","layers":[{"class_name":"InputLayer","config":{"name":"in","batch_shape":[null,3]}}` + layers + `]}}`
	if got := childrenOf(t, []byte(model), "m", nil); !slices.Contains(got, "m/dense_[0-5]") {
		t.Errorf("%q", got)
	}
}

// A scope that is too wide is grouped by type, and what is still too wide in parts: nothing shows
// more than the level.
func TestLevels(t *testing.T) {
	var nodes []op
	for i := range 2000 {
		nodes = append(nodes, op{Name: fmt.Sprintf("w/x%dx", i), Op: []string{"Relu", "Tanh", "Tanh", "Tanh"}[i%4]})
	}
	nodes = append(nodes, op{Name: "w/one", Op: "Single"})
	b := graphtest.GraphDef(nodes...)
	if got := fmt.Sprint(childrenOf(t, b, "w", nil)); got != "[w/(Relu) w/(Tanh) w/one]" {
		t.Errorf("%s", got)
	}
	if got := childrenOf(t, b, "w/(Tanh)", nil); len(got) != 5 || got[0] != "w/(Tanh)/(1-300)" {
		t.Errorf("%q", got)
	}
	if got := childrenOf(t, b, "w", map[string]any{"level": 0}); len(got) != 1000 {
		t.Errorf("%d children in the first piece", len(got))
	}
	e := open(t, b)
	for _, level := range []int{20, 50, 300} {
		todo := []string{""}
		for len(todo) > 0 {
			id := todo[0]
			todo = todo[1:]
			var a struct {
				Total    int
				Children []nodeAnswer
			}
			ask(t, e, map[string]any{"ask": "children", "id": id, "limit": 1000, "options": map[string]any{"level": level}}, &a)
			if a.Total > level {
				t.Errorf("level %d: %q shows %d", level, id, a.Total)
			}
			for _, c := range a.Children {
				if c.All > 0 {
					todo = append(todo, c.ID)
				}
			}
		}
	}
}

// High-degree nodes stand aside by default; the user decides otherwise.
func TestExtract(t *testing.T) {
	nodes := []op{{Name: "hub", Op: "X"}, {Name: "end", Op: "NoOp", Inputs: []string{"^n00"}}}
	for i := range 20 {
		nodes = append(nodes, op{Name: fmt.Sprintf("n%02dn", i), Op: fmt.Sprint("T", i), Inputs: []string{"hub"}})
	}
	e := open(t, graphtest.GraphDef(nodes...))
	aside := func(options map[string]any) string {
		var s sceneAnswer
		ask(t, e, map[string]any{"ask": "scene", "options": options}, &s)
		return fmt.Sprint(s.Scopes[0].Extracted)
	}
	if got := aside(nil); !strings.HasPrefix(got, "[hub end") {
		t.Errorf("%s", got)
	}
	for _, o := range []map[string]any{{"extract": false}} {
		if got := aside(o); got != "[]" {
			t.Errorf("%v: %s", o, got)
		}
	}
	if got := aside(map[string]any{"main": []string{"hub", "end"}}); strings.Contains(got, "hub") || strings.Contains(got, "end") {
		t.Errorf("%s", got)
	}
	if got := aside(map[string]any{"extract": false, "aside": []string{"n03n"}}); got != "[n03n]" {
		t.Errorf("%s", got)
	}
}
