package projector

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Excerpt is what a report has of a tensor: its points and what they are, and nothing of the files that
// they stood in, which may hold more.
type Excerpt struct {
	Tensor Tensor
	Rows   int64 // of the tensor
	Taken  int64 // are in it, from everywhere
	Dims   int64
	Points []byte // Taken × Dims float32s, little endian
	Table  []byte // metadata of the rows that are in it, as config files name them; nil: none
	Sheet  []byte // images of all rows; nil: none, or not all rows are in it
}

// Excerpts takes the tensors of a logdir that are wanted, each with as many rows as fit into most bytes, 0
// for all. failed is told of one that cannot be read.
func Excerpts(port Port, files []Listed, want func(Tensor) bool, most int64, take func(Excerpt) error, failed func(Tensor, error)) error {
	s, ask, all, err := once(port, files)
	if err != nil {
		return err
	}
	for _, one := range all["tensors"].([]any) {
		t := one.(Tensor)
		if !want(t) {
			continue
		}
		if t.Error != nil {
			failed(t, t.Error)
			continue
		}
		if _, err := ask(map[string]any{"do": "load", "tensor": t.ID, "key": "a", "bare": true}, nil); err != nil {
			failed(t, err)
			continue
		}
		o := s.open["a"]
		e := Excerpt{Tensor: t, Rows: int64(o.rows), Taken: int64(o.rows), Dims: int64(o.dims)}
		if most > 0 && e.Taken > most/(4*e.Dims) {
			e.Taken = max(1, most/(4*e.Dims))
		}
		rows := make([]uint32, e.Taken)
		for i := range rows {
			rows[i] = uint32(int64(i) * e.Rows / e.Taken)
			for _, x := range o.points[int(rows[i])*o.dims:][:o.dims] {
				e.Points = binary.LittleEndian.AppendUint32(e.Points, math.Float32bits(x))
			}
		}
		if t.Metadata != "" {
			if _, err := ask(map[string]any{"do": "metadata", "key": "a", "path": ""}, nil); err != nil {
				failed(t, err)
			} else if a, err := ask(map[string]any{"do": "save", "key": "a", "what": "metadata"}, rows); err != nil {
				failed(t, err)
			} else {
				e.Table = a["bytes"].([]byte)
			}
		}
		if t.Sprite != nil && e.Taken == e.Rows {
			if a, err := ask(map[string]any{"do": "sprite", "key": "a", "path": ""}, nil); err != nil {
				failed(t, err)
			} else {
				e.Sheet = a["bytes"].([]byte)
			}
		}
		if err := take(e); err != nil {
			return err
		}
		delete(s.open, "a")
	}
	return nil
}

// Config is the configuration that names a tensor whose files stand beside it under these names; "" for
// what it has not.
func (e Excerpt) Config(points, table, sheet string) (b []byte) {
	line := func(indent, name, value string) { b = append(b, indent+name+": "+value+"\n"...) }
	b = append(b, "embeddings {\n"...)
	line("  ", "tensor_name", quoted(e.Tensor.Name))
	line("  ", "tensor_shape", strconv.FormatInt(e.Taken, 10))
	line("  ", "tensor_shape", strconv.FormatInt(e.Dims, 10))
	line("  ", "tensor_path", quoted(points))
	if table != "" {
		line("  ", "metadata_path", quoted(table))
	}
	if sheet != "" && e.Tensor.Sprite != nil {
		b = append(b, "  sprite {\n"...)
		line("    ", "image_path", quoted(sheet))
		line("    ", "single_image_dim", strconv.FormatInt(int64(e.Tensor.Sprite.Width), 10))
		line("    ", "single_image_dim", strconv.FormatInt(int64(e.Tensor.Sprite.Height), 10))
		b = append(b, "  }\n"...)
	}
	return append(b, "}\n"...)
}
