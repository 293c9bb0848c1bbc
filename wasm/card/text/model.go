// Package text is the kind of cards that show what was logged as text: a card for each
// tag and run, with a slider over all steps, or a list of all of them.
package text

import (
	"github.com/tensorbored/tensorbored-static/shared/kind/text"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/card"
)

// The kind's settings.
var (
	// Raw shows texts as they were logged, instead of as Markdown.
	Raw = session.Switch("textRaw", session.View, false).Linked("raw").Pane()
	// List shows all steps of a card, the newest first, instead of one.
	List = session.Switch("textList", session.View, false).Linked("list").Pane()
)

// Kind is the kind of cards.
type Kind struct{}

// Name implements card.Model.
func (Kind) Name() string { return text.Name }

// Cards implements card.Model: one for each run.
func (Kind) Cards(tag string, runs []string) []session.CardID {
	out := make([]session.CardID, len(runs))
	for i, r := range runs {
		out[i] = session.CardOf(text.Name, tag).OfRun(r, 0)
	}
	return out
}

// Settings implements card.Model.
func (Kind) Settings() session.Schema {
	return append(session.Schema{Raw.Decl, List.Decl}, card.StepsSettings...)
}

// Empty implements card.Model.
func (Kind) Empty() card.Empty {
	return card.Empty{Nouns: "texts", How: "writer.add_text (PyTorch) or tf.summary.text (TensorFlow)"}
}

const (
	// maxMarkdown is how many bytes of a text are shown as Markdown, in a table all cells
	// together: the page could not hold what is made of a longer one.
	maxMarkdown = 200_000
	// maxCells is how many cells of a table are shown.
	maxCells = 5000
	// firstBytes is how many bytes of a value are read at first; more are read when they
	// are asked for, four times as many each time.
	firstBytes = 256 << 10
	// nextBytes is how many bytes more of a long text are read at a time: what the page can
	// take over between two frames, about.
	nextBytes = 256 << 10
	// tail is how many bytes of a value may follow its text: the tensor's shape.
	tail = 64
	// previewBytes is how many bytes of a value are read for the list.
	previewBytes = 2000
	// rowHeight is that of a step in the list, in CSS pixels, as in static/text.css.
	rowHeight = 96
)

// grid is how the elements of a tensor stand on the page: as rows of cells. Of a tensor
// of more than two dimensions the first matrix is shown, as TensorBoard does. cut says
// that not all of it is there.
func grid(shape []int64, texts []string) (rows [][]string, cut bool) {
	columns := int64(1)
	if n := len(shape); n >= 2 {
		columns = max(shape[n-1], 1)
		if first := shape[n-2] * columns; first < int64(len(texts)) {
			texts, cut = texts[:max(first, 0)], true
		}
	}
	if len(texts) > maxCells {
		texts, cut = texts[:maxCells], true
	}
	for len(texts) > 0 {
		k := min(int(columns), len(texts))
		rows, texts = append(rows, texts[:k]), texts[k:]
	}
	return rows, cut
}

// plain reports whether a tensor is one text and no table.
func plain(shape []int64, texts []string) bool { return len(texts) == 1 && len(shape) <= 1 }

// window returns which rows of a list of n are near the part of it that is seen.
func window(top, height float64, n int) (from, to int) {
	from = max(0, int(top/rowHeight)-3)
	to = min(n, int((top+height)/rowHeight)+4)
	return min(from, to), to
}
