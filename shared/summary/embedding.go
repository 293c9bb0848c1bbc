package summary

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Embedding is a set of points in many dimensions, for the projector.
type Embedding struct {
	Vectors [][]float64 // one per point, all of the same length
	// Metadata has one row per point, or none. One column needs no Header; with
	// more, Header names them. Tabs and line ends in cells become spaces.
	Metadata [][]string
	Header   []string
	// Sprites has one small picture per point, all of the same size, or none.
	Sprites []image.Image
}

// projectorConfig is the file by which readers find embeddings.
const projectorConfig = "projector_config.pbtxt"

// maxSheet is the greatest width and height of a sprite sheet, in pixels: the
// least limit of textures that browsers have.
const maxSheet = 8192

// projector is the state of Embedding: entries of the config file, in order.
type projector struct {
	mu      sync.Mutex
	entries []string
}

// Embedding writes e beside the event file, as PyTorch's add_embedding does:
//
//	<run>/<step, 5 digits>/<tag>/tensors.tsv   points, tab separated
//	<run>/<step, 5 digits>/<tag>/metadata.tsv
//	<run>/<step, 5 digits>/<tag>/sprite.png    one sheet, rows from the left
//	<run>/projector_config.pbtxt               names all of them
//
// In the tag's directory "%", "/", "\" and a leading "." are written %25, %2f,
// %5c and %2e. The projector calls it <tag>:<step>. The files do not pass
// through the queue: they are there when the call returns. Errors of the disk
// are *WriteErrors that do not stick.
func (w *Writer) Embedding(tag string, e Embedding, step int64) error {
	if w.dir == "" {
		return &NoDirectoryError{"Embedding"}
	}
	if err := checkTag(tag); err != nil {
		return err
	}
	if problem := e.check(); problem != "" {
		return &ValueError{"Embedding", tag, problem}
	}
	w.projector.mu.Lock()
	defer w.projector.mu.Unlock()
	w.mu.Lock()
	err := w.begin()
	w.mu.Unlock()
	if err != nil {
		return err
	}
	// The slash is the config's, on every system.
	sub := fmt.Sprintf("%05d/%s", step, escapeTag(tag))
	dir := filepath.Join(w.dir, filepath.FromSlash(sub))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &WriteError{"create", dir, err}
	}
	entry := fmt.Sprintf("embeddings {\n  tensor_name: %s\n  tensor_path: %s\n", quote(fmt.Sprintf("%s:%05d", tag, step)), quote(sub+"/tensors.tsv"))
	if err := writeFile(filepath.Join(dir, "tensors.tsv"), e.tensors()); err != nil {
		return err
	}
	if len(e.Metadata) > 0 {
		if err := writeFile(filepath.Join(dir, "metadata.tsv"), e.metadata()); err != nil {
			return err
		}
		entry += fmt.Sprintf("  metadata_path: %s\n", quote(sub+"/metadata.tsv"))
	}
	if len(e.Sprites) > 0 {
		sheet, err := e.sheet()
		if err != nil {
			return &ValueError{"Embedding", tag, err.Error()}
		}
		if err := writeFile(filepath.Join(dir, "sprite.png"), sheet); err != nil {
			return err
		}
		size := e.Sprites[0].Bounds().Size()
		entry += fmt.Sprintf("  sprite {\n    image_path: %s\n    single_image_dim: %d\n    single_image_dim: %d\n  }\n", quote(sub+"/sprite.png"), size.X, size.Y)
	}
	entry += "}\n"
	config := filepath.Join(w.dir, projectorConfig)
	if w.projector.entries == nil {
		// Embeddings of an earlier process in this run stay.
		if old, err := os.ReadFile(config); err == nil {
			w.projector.entries = append(w.projector.entries, strings.TrimRight(string(old), "\n")+"\n")
		}
	}
	// The same tag and step again has replaced the files: one entry is enough.
	all := strings.Join(w.projector.entries, "")
	if strings.Contains(all, entry) {
		return nil
	}
	if err := writeFile(config, []byte(all+entry)); err != nil {
		return err
	}
	w.projector.entries = append(w.projector.entries, entry)
	return nil
}

func (e *Embedding) check() string {
	n := len(e.Vectors)
	switch {
	case n == 0 || len(e.Vectors[0]) == 0:
		return "there are no vectors"
	case len(e.Metadata) != 0 && len(e.Metadata) != n:
		return fmt.Sprintf("there are %d rows of metadata for %d vectors", len(e.Metadata), n)
	case len(e.Sprites) != 0 && len(e.Sprites) != n:
		return fmt.Sprintf("there are %d sprites for %d vectors", len(e.Sprites), n)
	}
	for i, v := range e.Vectors {
		if len(v) != len(e.Vectors[0]) {
			return fmt.Sprintf("vector %d has %d dimensions, the first has %d", i, len(v), len(e.Vectors[0]))
		}
		for j, x := range v {
			if notFinite(float64(float32(x))) {
				return fmt.Sprintf("dimension %d of vector %d is not finite", j, i)
			}
		}
	}
	for i, row := range e.Metadata {
		if len(row) != len(e.Metadata[0]) || len(row) == 0 {
			return fmt.Sprintf("row %d of the metadata has %d cells, the first has %d", i, len(row), len(e.Metadata[0]))
		}
	}
	if len(e.Metadata) > 0 && len(e.Metadata[0]) > 1 && len(e.Header) != len(e.Metadata[0]) {
		return fmt.Sprintf("the metadata has %d columns and %d names for them", len(e.Metadata[0]), len(e.Header))
	}
	for i, s := range e.Sprites {
		if size := s.Bounds().Size(); size != e.Sprites[0].Bounds().Size() || size.X <= 0 || size.Y <= 0 {
			return fmt.Sprintf("sprite %d is %d × %d; all must have one size, with pixels", i, size.X, size.Y)
		}
	}
	return ""
}

func (e *Embedding) tensors() []byte {
	var b []byte
	for _, v := range e.Vectors {
		for j, x := range v {
			if j > 0 {
				b = append(b, '\t')
			}
			// Readers keep 32 bits: more digits would only be longer.
			b = strconv.AppendFloat(b, x, 'g', -1, 32)
		}
		b = append(b, '\n')
	}
	return b
}

// metadata gives the TSV. A first line with a tab in it is read as a header, one
// without as the first point: so one column has none.
func (e *Embedding) metadata() []byte {
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	var b strings.Builder
	line := func(cells []string) {
		for j, c := range cells {
			if j > 0 {
				b.WriteByte('\t')
			}
			clean.WriteString(&b, c)
		}
		b.WriteByte('\n')
	}
	if len(e.Metadata[0]) > 1 {
		line(e.Header)
	}
	for _, row := range e.Metadata {
		line(row)
	}
	return []byte(b.String())
}

// sheet lays the sprites out in ceil(√n) columns.
func (e *Embedding) sheet() ([]byte, error) {
	size := e.Sprites[0].Bounds().Size()
	columns := int(math.Ceil(math.Sqrt(float64(len(e.Sprites)))))
	if columns*size.X > maxSheet || columns*size.Y > maxSheet {
		return nil, fmt.Errorf("a sheet of %d sprites of %d × %d is beyond %d pixels: use smaller or fewer ones", len(e.Sprites), size.X, size.Y, maxSheet)
	}
	// Square, although the last rows may be empty: the projector divides the
	// sheet by the number of columns in both directions.
	sheet := image.NewRGBA(image.Rect(0, 0, columns*size.X, columns*size.Y))
	for i, s := range e.Sprites {
		at := image.Pt(i%columns*size.X, i/columns*size.Y)
		draw.Draw(sheet, image.Rectangle{Min: at, Max: at.Add(size)}, s, s.Bounds().Min, draw.Src)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, sheet); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// escapeTag makes a tag one path element.
func escapeTag(tag string) string {
	tag = strings.NewReplacer("%", "%25", "/", "%2f", "\\", "%5c").Replace(tag)
	if strings.HasPrefix(tag, ".") {
		tag = "%2e" + tag[1:]
	}
	return tag
}

// quote makes a string of protocol buffers' text format.
func quote(s string) string {
	b := []byte{'"'}
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = fmt.Appendf(b, "\\%03o", c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// writeFile puts a file in place as a whole: readers see the old one or the new
// one, never a part.
func writeFile(path string, b []byte) error {
	part := path + ".part"
	if err := os.WriteFile(part, b, 0o666); err != nil {
		os.Remove(part)
		return &WriteError{"write", path, err}
	}
	if err := os.Rename(part, path); err != nil {
		os.Remove(part)
		return &WriteError{"write", path, err}
	}
	return nil
}
