// Package mesh is the kind of cards that show meshes and point clouds: a card for each mesh
// and run, with all samples of a step and a slider over all steps. What is logged as several
// tags is one card; static/lazy/mesh reads and draws it.
package mesh

import (
	"github.com/tensorbored/tensorbored-static/shared/mesh"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// Name is the name of the kind, and of the plug-in whose tags it shows.
const Name = mesh.Plugin

// The kind's settings.
var (
	// Surface is how faces are drawn: "" flat or smooth, as the faces are, or as it says.
	Surface = session.Choice("meshSurface", session.View, "", "flat", "smooth", "wireframe").Linked("surface").Pane()
	// Linked turns all meshes together.
	Linked = session.Switch("meshLinked", session.View, true).Linked("linkMeshes").Pane()
)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return Name }

// Cards implements card.Model: one for each run.
func (Kind) Cards(tag string, runs []string) []session.CardID {
	out := make([]session.CardID, len(runs))
	for i, r := range runs {
		out[i] = session.CardOf(Name, tag).OfRun(r, 0)
	}
	return out
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return append(session.Schema{Surface.Decl, Linked.Decl}, card.StepsSettings...)
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "meshes", How: "writer.add_mesh (PyTorch) or the mesh summary of TensorFlow's plug-in"}
}

// NameOf is the mesh that a tag is a part of.
func (Kind) NameOf(tag string) string {
	name, _ := mesh.Split(tag)
	return name
}
