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

// projectionKeys are the peer's names of projections, as in "selectedProjection".
var projectionKeys = []string{"pca", "tsne", "umap", "custom"}

// coordinate is the name of a point's coordinate in the peer's bookmarks: "tsne-0", and "linear-x" of custom
// axes (getProjectionComponents in its data.ts). d is below 3 for those.
func coordinate(projection string, d int) string {
	if projection == "custom" {
		return "linear-" + "xyz"[d:d+1]
	}
	return projection + "-" + strconv.Itoa(d)
}

// mostCoordinates is how many coordinates a point may have.
func mostCoordinates(projection string) int {
	if projection == "custom" {
		return 3
	}
	return 10
}

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
// that have them. Where points are filtered, the peer counts selected points and positions among those. left
// counts points beyond the tensor.
func (s *Service) state(o *opened, of map[string]json.RawMessage) (a Answer, left int) {
	a = Answer{}
	list := func(name string) (all []int64) {
		_ = json.Unmarshal(of[name], &all) // null is none
		return all
	}
	filtered := list("filteredPoints")
	row := func(i int64) (uint32, bool) {
		if len(filtered) > 0 {
			if i < 0 || i >= int64(len(filtered)) {
				left++
				return 0, false
			}
			i = filtered[i]
		}
		if i < 0 || i >= int64(o.rows) {
			left++
			return 0, false
		}
		return uint32(i), true
	}
	for k, v := range of {
		switch k {
		case "selectedPoints":
			rows := []uint32{}
			for _, i := range list(k) {
				if r, ok := row(i); ok {
					rows = append(rows, r)
				}
			}
			a[k] = rows
		case "filteredPoints":
			rows := []uint32{}
			for i := range filtered {
				if r, ok := row(int64(i)); ok {
					rows = append(rows, r)
				}
			}
			a[k] = rows
		case "projections":
			var points []map[string]float64
			if json.Unmarshal(v, &points) != nil {
				a[k] = json.RawMessage(v)
				continue
			}
			rows := make([]uint32, len(points))
			here := make([]bool, len(points))
			for i := range points {
				rows[i], here[i] = row(int64(i))
			}
			all := Answer{}
			for _, name := range projectionKeys {
				if p := positionsOf(name, points, rows, here); p != nil {
					all[name] = p
				}
			}
			a[k] = all
		default:
			a[k] = json.RawMessage(v)
		}
	}
	return a, left
}

// positionsOf are a projection's coordinates of the points that have them; nil if none has.
func positionsOf(name string, points []map[string]float64, rows []uint32, here []bool) Answer {
	dims := 0
	var positions []float32
	var of []uint32
	for i, p := range points {
		if _, ok := p[coordinate(name, 0)]; !ok || !here[i] {
			continue
		}
		for len(of) == 0 && dims < mostCoordinates(name) { // the first one says how many there are
			if _, ok := p[coordinate(name, dims)]; !ok {
				break
			}
			dims++
		}
		for k := range dims {
			positions = append(positions, float32(p[coordinate(name, k)]))
		}
		of = append(of, rows[i])
	}
	if len(of) == 0 {
		return nil
	}
	return Answer{"dims": dims, "positions": positions, "rows": of}
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
		count := o.rows
		var place map[uint32]int // where filtered rows stand; nil: all are there
		var filtered, selected []uint32
		if json.Unmarshal(of["filteredPoints"], &filtered) == nil && len(filtered) > 0 && o.inside(filtered) == nil {
			count, place = len(filtered), map[uint32]int{}
			for i, r := range filtered {
				place[r] = i
			}
			if json.Unmarshal(of["selectedPoints"], &selected) == nil {
				at := []int{}
				for _, r := range selected {
					if i, ok := place[r]; ok {
						at = append(at, i)
					}
				}
				of["selectedPoints"], _ = json.Marshal(at) // numbers
			}
		}
		points := make([]map[string]float64, count)
		for i := range points {
			points[i] = map[string]float64{}
		}
		for _, name := range projectionKeys {
			p := all[name]
			if p.Dims <= 0 || p.Dims > mostCoordinates(name) || len(p.Positions) < p.Dims*len(p.Rows) || o.inside(p.Rows) != nil {
				continue
			}
			for i, r := range p.Rows {
				at := int(r)
				if place != nil {
					var ok bool
					if at, ok = place[r]; !ok {
						continue
					}
				}
				for k := range p.Dims {
					points[at][coordinate(name, k)] = p.Positions[i*p.Dims+k]
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
