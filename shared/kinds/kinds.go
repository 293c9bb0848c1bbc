// Package kinds is the list of kinds of data. A kind that stands here is read by the
// workers, answered to whoever asks, and dumped; wasm/cards lists how kinds are shown.
package kinds

import (
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/kind/audio"
	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/kind/distributions"
	"github.com/tensorbored/tensorbored-static/shared/kind/files"
	"github.com/tensorbored/tensorbored-static/shared/kind/histograms"
	"github.com/tensorbored/tensorbored-static/shared/kind/hparams"
	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/shared/kind/onset"
	"github.com/tensorbored/tensorbored-static/shared/kind/prcurves"
	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	"github.com/tensorbored/tensorbored-static/shared/kind/values"
	"github.com/tensorbored/tensorbored-static/shared/mesh"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
)

// All returns the kinds, in the order of a dump's sections.
func All() []answer.Kind {
	return []answer.Kind{
		scalars.Kind{},
		histograms.Kind{},
		distributions.Kind{},
		images.Kind{},
		audio.Kind{},
		text.Kind{},
		hparams.Kind{},
		prcurves.Kind{},
		customscalars.Kind{},
	}
}

// Graphs are the plug-ins whose values are computation graphs and what is known of them: runs'
// graphs, traced functions, Keras models, profiles of a step. No kind makes anything of
// them; the dashboard of graphs asks for their bytes, by the kind "values".
func Graphs() []string {
	return []string{"graphs", "graph_run_metadata_graph", "graph_run_metadata", "graph_keras_model", "graph_tagged_run_metadata"}
}

// Meshes is the plug-in of meshes: their cards ask for the bytes of their parts, as well.
func Meshes() []string { return []string{mesh.Plugin} }

// Projector is the plug-in of embeddings, which are in files beside event files: no tag is of it.
func Projector() []string { return []string{unshown.Projector} }

// Plugins are all that dashboards show: those of the kinds, graphs and embeddings.
func Plugins() (list []string) {
	for _, k := range All() {
		list = append(list, k.Plugins()...)
	}
	return slices.Concat(list, Graphs(), Meshes(), Projector())
}

// Asked returns all kinds that workers answer: beside those of a dump the bytes of files and
// of values, and where scalars left their usual range.
func Asked() []answer.Kind { return append(All(), files.Kind{}, values.Kind{}, onset.Kind{}) }
