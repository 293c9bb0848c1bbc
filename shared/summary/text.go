package summary

import "fmt"

// Text writes Markdown: a string tensor of rank 0.
func (w *Writer) Text(tag, markdown string, step int64, opts ...Option) error {
	return w.TextTensor(tag, nil, []string{markdown}, step, opts...)
}

// TextTable writes a table: a string tensor of rank 2. All rows must have as
// many cells as the first; each cell is Markdown.
func (w *Writer) TextTable(tag string, rows [][]string, step int64, opts ...Option) error {
	var cells []string
	columns := 0
	for i, row := range rows {
		if i == 0 {
			columns = len(row)
		}
		if len(row) != columns {
			return &ValueError{"TextTable", tag, fmt.Sprintf("row %d has %d cells, the first has %d", i, len(row), columns)}
		}
		cells = append(cells, row...)
	}
	return w.TextTensor(tag, []int64{int64(len(rows)), int64(columns)}, cells, step, opts...)
}

// TextTensor writes strings of any rank, row major. Shape [1] is what PyTorch
// writes (under the tag with "/text_summary" behind it); readers show a table of
// one cell. The strings may be any bytes.
func (w *Writer) TextTensor(tag string, shape []int64, cells []string, step int64, opts ...Option) error {
	s, err := gather("Text", tag, common, opts)
	if err != nil {
		return err
	}
	n := int64(1)
	for _, size := range shape {
		n *= size
	}
	if n != int64(len(cells)) {
		return &ValueError{"Text", tag, fmt.Sprintf("%d strings do not fill the shape %v", len(cells), shape)}
	}
	m := s.metadata("text", nil)
	return w.value(TensorValue(tag, StringTensor(shape, cells...), m), step, &s)
}
