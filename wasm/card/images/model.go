// Package images is the kind of cards that show pictures: a card for each tag and run, with
// all samples of a step and a slider over all steps.
package images

import (
	"fmt"
	"path"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// The kind's settings. Brightness and contrast are factors; 1 is as logged.
var (
	Brightness = session.Number("imageBrightness", session.View, 1, 0, 2).Linked("brightness").Pane()
	Contrast   = session.Number("imageContrast", session.View, 1, 0, 5).Linked("contrast").Pane()
	// Actual shows pictures in their own size instead of the card's.
	Actual = session.Switch("imageActualSize", session.View, false).Linked("actualSize").Pane()
	// Smooth shows pictures that are larger than logged smoothly, and not pixel by pixel.
	Smooth = session.Switch("imageSmooth", session.View, false).Linked("smooth").Pane()
)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return images.Name }

// Cards implements card.Model: one for each run.
func (Kind) Cards(tag string, runs []string) []session.CardID {
	out := make([]session.CardID, len(runs))
	for i, r := range runs {
		out[i] = session.CardOf(images.Name, tag).OfRun(r, 0)
	}
	return out
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return append(session.Schema{Brightness.Decl, Contrast.Decl, Actual.Decl, Smooth.Decl}, card.StepsSettings...)
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "images", How: "writer.add_image (PyTorch) or tf.summary.image (TensorFlow)"}
}

// fileName is the name of a downloaded picture: tag, run, step and sample.
func fileName(tag, run string, step int64, sample, samples int, s *images.Sample) string {
	ext := s.Format.Ext()
	if ext == "" {
		ext = "bin"
	}
	name := tag + "_" + run + "_step" + fmt.Sprint(step)
	if samples > 1 {
		name += "_" + fmt.Sprint(sample)
	}
	return card.FileName(name, ext)
}

// names gives the files of an archive their names: a folder for the tag, one for the run,
// no two alike, none that leads out of the folder into which they are unpacked.
type names map[string]bool

func (n names) of(tag, run string, step int64, sample, samples int, s *images.Sample) string {
	dir := path.Join(safe(tag), safe(run))
	ext := s.Format.Ext()
	if ext == "" {
		ext = "bin"
	}
	base := fmt.Sprintf("step%d", step)
	if samples > 1 {
		base += fmt.Sprintf("_%d", sample)
	}
	name := path.Join(dir, base+"."+ext)
	for k := 2; n[name]; k++ {
		name = path.Join(dir, fmt.Sprintf("%s_again%d.%s", base, k, ext))
	}
	n[name] = true
	return name
}

// safe makes a tag or a run the name of a folder.
func safe(name string) string {
	clean := strings.TrimSuffix(card.FileName(name, "x"), ".x")
	if clean == "data" && name != "data" {
		return "_"
	}
	return clean
}

// thinned returns at most n of the numbers 0 … total−1, spread evenly, the last one among
// them.
func thinned(total, n int) []int {
	if total <= n {
		n = total
	}
	out := make([]int, n)
	for i := range out {
		out[i] = total - 1
		if n > 1 {
			out[i] = i * (total - 1) / (n - 1)
		}
	}
	return out
}
