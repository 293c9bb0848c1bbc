// Package unshown names what a logdir holds and no dashboard shows yet: values of plug-ins
// that have none, and files beside event files. Which plug-ins have one is asked of the
// list of dashboards or of kinds: one that comes later takes over what it names.
package unshown

import (
	"sort"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Plug-ins by their names in metadata.
const (
	Graphs      = "graphs"
	RunMetadata = "graph_tagged_run_metadata"
	// Projector is what tensors are found by: a configuration, a checkpoint, a file of arrays.
	Projector = "projector"
	// Other is a file beside event files that is no configuration.
	Other = "\x00file"
)

// nouns says what values of a plug-in are called, one and many.
func nouns(plugin string) (one, many string) {
	switch plugin {
	case Graphs:
		return "graph", "graphs"
	case RunMetadata, "graph_run_metadata":
		return "profile of a graph", "profiles of graphs"
	case "graph_run_metadata_graph":
		return "traced graph", "traced graphs"
	case "graph_keras_model":
		return "Keras model", "Keras models"
	case Projector:
		return "file of tensors", "files of tensors"
	case "profile":
		return plugin, plugin + "s"
	case Other:
		return "other file", "other files"
	}
	return "value of the plug-in " + name(plugin), "values of the plug-in " + name(plugin)
}

// Item is something that is not shown: values of a tag in a run, or a file.
type Item struct {
	Plugin string // Projector and Other are files
	Run    string
	Tag    string // "" of a file
	File   string // path in the logdir; "" of values
	Values int64  // how many; 1 of a file
}

// What says what the item is: "3 meshes".
func (i Item) What() string { return Text([]Item{i}) }

// Values lists the values of a plug-in, by run and tag.
func Values(plugin string, tags map[string]map[string]wire.Tag) (list []Item) {
	for run, of := range tags {
		for tag, t := range of {
			if t.Points > 0 {
				list = append(list, Item{Plugin: plugin, Run: run, Tag: tag, Values: t.Points})
			}
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Tag+"\x00"+list[i].Run < list[j].Tag+"\x00"+list[j].Run })
	return list
}

// Files lists what is listed beside event files: what the projector finds tensors by, graphs, and, where
// there is neither these nor an event file, all that there is.
func Files(all []api.File) (list []Item) {
	alone := true
	for _, f := range all {
		alone = alone && f.Kind != api.Event && !api.Tensors(f.Path) && !api.Graph(f.Path)
	}
	for _, f := range all {
		switch {
		case f.Kind == api.Event || strings.HasSuffix(f.Path, profile.DefaultPath):
		case api.Tensors(f.Path):
			list = append(list, Item{Plugin: Projector, File: f.Path, Values: 1})
		case api.Graph(f.Path):
			list = append(list, Item{Plugin: Graphs, File: f.Path, Values: 1})
		case alone:
			list = append(list, Item{Plugin: Other, File: f.Path, Values: 1})
		}
	}
	return list
}

// Text says what there is: "10 graphs, 16 meshes"; "" if there is nothing.
func Text(list []Item) string {
	sums, order := map[string]int64{}, []string(nil)
	for _, i := range list {
		if i.Plugin == "" || i.Values == 0 {
			continue
		}
		if _, ok := sums[i.Plugin]; !ok {
			order = append(order, i.Plugin)
		}
		sums[i.Plugin] += i.Values
	}
	sort.Slice(order, func(i, j int) bool { // files last
		a, b := rank(order[i]), rank(order[j])
		return a < b || a == b && order[i] < order[j]
	})
	var words []string
	for _, plugin := range order {
		one, many := nouns(plugin)
		if len(sums) == 1 && plugin == Other {
			one, many = "file", "files"
		}
		if sums[plugin] > 1 {
			one = many
		}
		words = append(words, strconv.FormatInt(sums[plugin], 10)+" "+one)
	}
	return strings.Join(words, ", ")
}

func rank(plugin string) int {
	switch plugin {
	case Projector:
		return 1
	case Other:
		return 2
	}
	return 0
}

// name is a plug-in's, which a file gives: quoted where a terminal or a reader would take it
// for something else, and short.
func name(plugin string) string {
	if r := []rune(plugin); len(r) > 60 {
		plugin = string(r[:60]) + "…"
	}
	if q := strconv.Quote(plugin); q != `"`+plugin+`"` || strings.Contains(plugin, " ") {
		return q
	}
	return plugin
}
