package projector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/projector/metadata"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

func (s *Service) save(q *Question) (Answer, error) {
	var f struct {
		What, Method string
		Metadata     bool
	}
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err == nil {
		err = o.inside(q.Rows)
	}
	if err != nil {
		return nil, err
	}
	rows := q.Rows
	if rows == nil {
		for r := range o.rows {
			rows = append(rows, uint32(r))
		}
	}
	var b []byte
	name, lines := f.What+".tsv", 0
	number := func(x float32) { b = strconv.AppendFloat(b, float64(x), 'g', -1, 32) }
	switch f.What {
	case "positions":
		r := o.results[f.Method]
		if r == nil {
			return nil, unknown("nothing-there", "There is no projection by %q.", f.Method)
		}
		name = f.Method + ".tsv"
		var columns []*metadata.Column
		if f.Metadata && o.table != nil {
			columns = o.table.Columns
		}
		b = append(b, "row"...)
		for k := range r.dims {
			if f.Method == "pca" {
				b = append(b, fmt.Sprintf("\tcomponent %d", k+1)...)
			} else {
				b = append(b, '\t', "xyz"[k])
			}
		}
		for _, c := range columns {
			b = append(append(b, '\t'), field(c.Name)...)
		}
		b = append(b, '\n')
		wanted := make([]bool, o.rows)
		for _, row := range rows {
			wanted[row] = true
		}
		for i, row := range r.rows {
			if !wanted[row] {
				continue
			}
			b = strconv.AppendUint(b, uint64(row), 10)
			for _, x := range r.positions[i*r.dims:][:r.dims] {
				b = append(b, '\t')
				number(x)
			}
			for _, c := range columns {
				b = append(append(b, '\t'), field(string(c.Word(c.Codes[row])))...)
			}
			b = append(b, '\n')
			lines++
			if i&255 == 0 {
				s.rest()
			}
		}
	case "metadata":
		if o.table == nil {
			o.table = indexTable(o.rows)
		}
		columns := o.table.Columns
		if len(columns) > 1 { // a table of one column has no header
			for i, c := range columns {
				if i > 0 {
					b = append(b, '\t')
				}
				b = append(b, field(c.Name)...)
			}
			b = append(b, '\n')
		}
		for i, row := range rows {
			for k, c := range columns {
				if k > 0 {
					b = append(b, '\t')
				}
				b = append(b, field(string(c.Word(c.Codes[row])))...)
			}
			b = append(b, '\n')
			lines++
			if i&255 == 0 {
				s.rest()
			}
		}
	case "tensor":
		for i, row := range rows {
			for k, x := range o.points[int(row)*o.dims:][:o.dims] {
				if k > 0 {
					b = append(b, '\t')
				}
				number(x)
			}
			b = append(b, '\n')
			lines++
			if i&63 == 0 {
				s.rest()
			}
		}
	case "config":
		name = "projector_config.pbtxt"
		b = fmt.Appendf(nil, "embeddings {\n  tensor_name: %s\n  tensor_path: \"tensor.tsv\"\n", quoted(o.entry.Name))
		if o.table != nil {
			b = append(b, "  metadata_path: \"metadata.tsv\"\n"...)
		}
		b = append(b, "}\n"...)
		lines = bytes.Count(b, []byte("\n"))
	default:
		return nil, unknown("bad-question", "Nothing is saved as %q.", f.What)
	}
	return Answer{"bytes": b, "name": name, "lines": lines}, nil
}

// field is a text as it stands in a table: no tab and no line end can.
func field(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}

// quoted is a text in protobuf's text format.
func quoted(s string) string {
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
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

// longestBookmarks bounds a file of bookmarks.
const longestBookmarks = 64 << 20

// projectionKeys are the names of coordinates in the peer's points: "tsne-0".
var projectionKeys = []string{"pca", "tsne", "umap", "custom"}

func (s *Service) bookmarks(q *Question) (Answer, error) {
	var f struct{ Path string }
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err != nil {
		return nil, err
	}
	text := q.Bytes
	if text == nil {
		if f.Path == "" {
			f.Path = o.entry.Bookmarks
		}
		is, ok := s.file(f.Path)
		if !ok {
			return nil, tensor.Wrong("missing", f.Path, "Choose another file.", "This file is not there.")
		}
		if is.Size() > longestBookmarks {
			return nil, tensor.Wrong("too-large", f.Path, "", "Bookmarks of %d bytes are too large.", is.Size())
		}
		if text, err = tensor.ReadFull(is, 0, is.Size()); err != nil {
			return nil, err
		}
	}
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, tensor.Wrong("damaged", f.Path, "Save the bookmarks anew.", "These are no bookmarks: %v.", err)
	}
	states := []Answer{}
	var wrong []*tensor.Trouble
	for n, of := range list {
		a, left := s.state(o, of)
		if left > 0 {
			wrong = append(wrong, tensor.Wrong("length", f.Path, "They are of another tensor.", "Bookmark %d names %d points that this tensor does not have.", n+1, left))
		}
		states = append(states, a)
		s.rest()
	}
	return Answer{"states": states, "problems": problems(wrong)}, nil
}

// state makes a bookmark of the peer's: lists of points become arrays, and positions those of the rows
// that have them. left counts points beyond the tensor.
func (s *Service) state(o *opened, of map[string]json.RawMessage) (a Answer, left int) {
	a = Answer{}
	for k, v := range of {
		switch k {
		case "selectedPoints", "filteredPoints":
			var list []int64
			_ = json.Unmarshal(v, &list) // null is none
			rows := []uint32{}
			for _, r := range list {
				if r >= 0 && r < int64(o.rows) {
					rows = append(rows, uint32(r))
				} else {
					left++
				}
			}
			a[k] = rows
		case "projections":
			var points []map[string]float64
			if json.Unmarshal(v, &points) != nil {
				a[k] = json.RawMessage(v)
				continue
			}
			all := Answer{}
			for _, name := range projectionKeys {
				dims := 0
				for dims < 10 && len(points) > 0 {
					if _, ok := points[0][name+"-"+strconv.Itoa(dims)]; !ok {
						break
					}
					dims++
				}
				if dims == 0 {
					continue
				}
				var positions []float32
				var rows []uint32
				for r, p := range points {
					if r >= o.rows {
						left++
						continue
					}
					if _, ok := p[name+"-0"]; !ok {
						continue
					}
					for k := range dims {
						positions = append(positions, float32(p[name+"-"+strconv.Itoa(k)]))
					}
					rows = append(rows, uint32(r))
				}
				all[name] = Answer{"dims": dims, "positions": positions, "rows": rows}
			}
			a[k] = all
		default:
			a[k] = json.RawMessage(v)
		}
	}
	return a, left
}

func (s *Service) bookmark(q *Question) (Answer, error) {
	var f struct {
		States []map[string]json.RawMessage
	}
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err != nil {
		return nil, err
	}
	for _, of := range f.States {
		var all map[string]struct {
			Dims      int
			Positions []float64
			Rows      []uint32
		}
		raw, ok := of["projections"]
		if !ok || json.Unmarshal(raw, &all) != nil {
			continue
		}
		points := make([]map[string]float64, o.rows)
		for i := range points {
			points[i] = map[string]float64{}
		}
		for _, name := range projectionKeys {
			p := all[name]
			if p.Dims <= 0 || len(p.Positions) < p.Dims*len(p.Rows) || o.inside(p.Rows) != nil {
				continue
			}
			for i, r := range p.Rows {
				for k := range p.Dims {
					points[r][name+"-"+strconv.Itoa(k)] = p.Positions[i*p.Dims+k]
				}
			}
			s.rest()
		}
		b, err := json.Marshal(points)
		if err != nil {
			return nil, unknown("bad-question", "A state cannot be written: %v.", err)
		}
		of["projections"] = b
	}
	b, err := json.Marshal(slices.Clone(f.States))
	if err != nil {
		return nil, unknown("bad-question", "The states cannot be written: %v.", err)
	}
	return Answer{"bytes": b, "name": "state.txt"}, nil
}
