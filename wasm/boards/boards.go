// Package boards is the list of dashboards, in the order of their tabs.
package boards

import (
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/board/drawn"
	"github.com/tensorbored/tensorbored-static/wasm/board/hparams"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/audio"
	"github.com/tensorbored/tensorbored-static/wasm/card/customscalars"
	"github.com/tensorbored/tensorbored-static/wasm/card/distributions"
	"github.com/tensorbored/tensorbored-static/wasm/card/histograms"
	"github.com/tensorbored/tensorbored-static/wasm/card/images"
	"github.com/tensorbored/tensorbored-static/wasm/card/mesh"
	"github.com/tensorbored/tensorbored-static/wasm/card/prcurves"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/card/text"
)

// All returns the dashboards in the order of their tabs.
func All() []board.Board {
	return []board.Board{
		card.Board{Info: board.Info{ID: "timeseries", Title: "Time series", Plugins: []string{"scalars", "images", "audio", "histograms", "text", "mesh"}},
			Kinds:  []card.Kind{scalars.Kind{}, images.Kind{}, audio.Kind{}, histograms.Kind{}, distributions.Kind{}, text.Kind{}, mesh.Kind{}},
			Guests: []card.Kind{customscalars.Kind{}}},
		hparams.Board{},
		card.Board{Info: board.Info{ID: "custom_scalars", Title: "Custom scalars", Plugins: []string{"custom_scalars", "scalars"}}, Kinds: []card.Kind{customscalars.Kind{}}},
		card.Board{Info: board.Info{ID: "images", Title: "Images", Plugins: []string{"images"}}, Kinds: []card.Kind{images.Kind{}}},
		card.Board{Info: board.Info{ID: "audio", Title: "Audio", Plugins: []string{"audio"}}, Kinds: []card.Kind{audio.Kind{}}},
		card.Board{Info: board.Info{ID: "distributions", Title: "Distributions", Plugins: []string{"histograms"}}, Kinds: []card.Kind{distributions.Kind{}}},
		card.Board{Info: board.Info{ID: "histograms", Title: "Histograms", Plugins: []string{"histograms"}}, Kinds: []card.Kind{histograms.Kind{}}},
		card.Board{Info: board.Info{ID: "text", Title: "Text", Plugins: []string{"text"}}, Kinds: []card.Kind{text.Kind{}}},
		card.Board{Info: board.Info{ID: "pr_curves", Title: "PR curves", Plugins: []string{"pr_curves"}}, Kinds: []card.Kind{prcurves.Kind{}}},
		card.Board{Info: board.Info{ID: "mesh", Title: "Meshes", Plugins: []string{"mesh"}}, Kinds: []card.Kind{mesh.Kind{}}},
		drawn.Graphs,
		drawn.Projector,
	}
}

// Schema returns every setting that there is: the page's and the dashboards', each once.
func Schema() session.Schema {
	out := append(session.Schema{}, session.Page...)
	seen := map[*session.Decl]bool{}
	for _, b := range All() {
		for _, d := range b.Settings() {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out
}
