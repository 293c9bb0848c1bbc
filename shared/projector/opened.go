package projector

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/picture"
	"github.com/tensorbored/tensorbored-static/shared/projector/array"
	"github.com/tensorbored/tensorbored-static/shared/projector/metadata"
	"github.com/tensorbored/tensorbored-static/shared/projector/project"
	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// opened is a tensor that was loaded, under a key of the page's.
type opened struct {
	entry   *entry
	points  []float32
	rows    int
	dims    int
	bad     []bool // rows with NaN or infinities; nil if there is none
	table   *metadata.Table
	results map[string]*result // of projections, by method
}

// result is what a projection ended with.
type result struct {
	positions []float32
	dims      int
	rows      []uint32
}

// mostNumbers bounds what is loaded: a worker of a browser has 4 GB of memory at most, the
// collector wants as much again, and projections make copies.
const mostNumbers = 300 << 20

func (s *Service) load(q *Question) (Answer, error) {
	var f struct {
		Tensor, Key string
		Limit       int64
		Bare        bool
	}
	if err := q.fields(&f); err != nil {
		return nil, err
	}
	e := s.tensors[f.Tensor]
	if e == nil {
		return nil, unknown("unknown-tensor", "There is no tensor %q any more.", f.Tensor)
	}
	if e.stored == nil {
		return nil, e.Error
	}
	delete(s.open, f.Key) // its memory is wanted
	rows := int64(-1)
	if f.Limit > 0 {
		rows = f.Limit
	}
	if all, dims := e.stored.Info().Points(); len(e.stored.Info().Shape) > 0 {
		want := all
		if rows >= 0 {
			want = min(want, rows)
		}
		if dims > 0 && want > mostNumbers/dims {
			if f.Limit > 0 || mostNumbers/dims < 1 {
				return nil, tensor.Wrong("too-large", e.Path, "Load fewer rows.", "%d rows of %d numbers do not fit into memory.", want, dims)
			}
			rows = mostNumbers / dims
		}
	} else if e.Bytes > 8*mostNumbers {
		return nil, tensor.Wrong("too-large", e.Path, "Write it as .npy, or load fewer rows.", "A text of %d bytes does not fit into memory.", e.Bytes)
	}
	last := int64(0)
	turn := func(read, of int64) error {
		if read-last > of/100 || read == of {
			last = read
			s.progress(q, Answer{"read": read, "of": of}, nil)
		}
		s.rest()
		return nil
	}
	o := &opened{entry: e, results: map[string]*result{}}
	of := int64(0)
	var wrong []*tensor.Trouble
	if t, ok := e.stored.(array.Tabled); ok {
		got, err := t.Table(rows, turn)
		if err != nil {
			return nil, err
		}
		o.points, o.rows, o.dims, wrong, of = got.Points, int(got.Rows), int(got.Dims), got.Problems, got.Rows
	} else {
		points, problems, err := e.stored.Load(rows, turn)
		if err != nil {
			return nil, err
		}
		all, dims := e.stored.Info().Points()
		o.points, o.dims, wrong, of = points, int(dims), problems, all
		if dims > 0 {
			o.rows = len(points) / int(dims)
		}
	}
	if o.rows == 0 || o.dims == 0 {
		return nil, tensor.Wrong("nothing-there", e.Path, "", "The tensor has no numbers.")
	}
	bad, constant := o.check(s.rest)
	if len(bad) > 0 {
		p := tensor.Wrong("nan", e.Path, "Projections leave them out.", "Rows with values that are no numbers (NaN) or infinite: %d.", len(bad))
		p.Row, p.Count = int64(bad[0]), int64(len(bad))
		wrong = append(wrong, p)
	}
	if constant > 0 && o.rows > 1 {
		p := tensor.Wrong("constant", e.Path, "They tell nothing of the points.", "%d of %d columns have the same value in all rows.", constant, o.dims)
		p.Count = int64(constant)
		wrong = append(wrong, p)
	}
	s.open[f.Key] = o
	a := Answer{"key": f.Key, "tensor": f.Tensor, "rows": o.rows, "dims": o.dims, "of": of, "bad": bad, "problems": problems(wrong), "version": e.version}
	if !f.Bare {
		a["points"] = o.points
	}
	return a, nil
}

// check finds rows that no projection can place, and counts columns that are the same in all others.
func (o *opened) check(rest func()) (bad []uint32, constant int) {
	first := make([]float32, o.dims)
	differs := make([]bool, o.dims)
	begun := false
	for r := range o.rows {
		row := o.points[r*o.dims:][:o.dims]
		fine := true
		for _, x := range row {
			if x-x != 0 { // NaN and infinities
				fine = false
			}
		}
		if !fine {
			if o.bad == nil {
				o.bad = make([]bool, o.rows)
			}
			o.bad[r] = true
			bad = append(bad, uint32(r))
			continue
		}
		if !begun {
			copy(first, row)
			begun = true
		}
		for i, x := range row {
			if x != first[i] {
				differs[i] = true
			}
		}
		if r&255 == 0 {
			rest()
		}
	}
	for _, d := range differs {
		if !d && begun {
			constant++
		}
	}
	return append([]uint32{}, bad...), constant
}

func (s *Service) close(q *Question) (Answer, error) {
	var f struct{ Key string }
	if err := q.fields(&f); err != nil {
		return nil, err
	}
	delete(s.open, f.Key)
	return Answer{}, nil
}

// opened returns what is open under the key of a question.
func (s *Service) opened(q *Question) (*opened, error) {
	var f struct{ Key string }
	if err := q.fields(&f); err != nil {
		return nil, err
	}
	o := s.open[f.Key]
	if o == nil {
		return nil, unknown("unknown-key", "Nothing is open as %q.", f.Key)
	}
	return o, nil
}

func (s *Service) metadata(q *Question) (Answer, error) {
	var f struct{ Path string }
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err != nil {
		return nil, err
	}
	if f.Path == "" {
		f.Path = o.entry.Metadata
	}
	if f.Path == "" {
		o.table = indexTable(o.rows)
	} else {
		is, ok := s.file(f.Path)
		if !ok {
			return nil, tensor.Wrong("missing", f.Path, "Choose another file.", "This file is not there any more.")
		}
		var b []byte
		err := tensor.ReadAll(is, 0, is.Size(), func(part []byte) error {
			b = append(b, part...)
			s.progress(q, Answer{"read": len(b), "of": is.Size()}, nil)
			s.rest()
			return nil
		})
		if err != nil {
			return nil, err
		}
		head := o.entry.Rows > int64(o.rows)
		if o.table, err = metadata.Read(f.Path, b, int64(o.rows), head, func() error { s.rest(); return nil }); err != nil {
			return nil, err
		}
	}
	columns := []Answer{}
	label := ""
	for _, c := range o.table.Columns {
		a := columnAnswer(c)
		if label == "" && a["type"] == "text" {
			label = c.Name
		}
		columns = append(columns, a)
		s.rest()
	}
	if label == "" {
		label = o.table.Columns[0].Name
	}
	return Answer{"path": f.Path, "rows": o.rows, "of": o.table.Lines, "columns": columns, "label": label, "problems": problems(o.table.Problems)}, nil
}

// indexTable is what is known of rows without metadata.
func indexTable(rows int) *metadata.Table {
	c := &metadata.Column{Name: "index"}
	for i := range rows {
		c.Put(strconv.AppendInt(nil, int64(i), 10))
	}
	return &metadata.Table{Columns: []*metadata.Column{c}, Lines: int64(rows)}
}

func columnAnswer(c *metadata.Column) Answer {
	a := Answer{"name": c.Name, "type": "text", "distinct": c.Distinct(), "codes": c.Codes, "words": c.Words, "starts": c.Starts, "counts": c.Counts()}
	if list, least, most := c.Numbers(); list != nil {
		a["type"], a["numbers"], a["min"], a["max"] = "number", list, least, most
	}
	return a
}

// column is a column by its name; with add a new one if there is none.
func (o *opened) column(name string, add bool) (*metadata.Column, error) {
	if o.table == nil {
		o.table = indexTable(o.rows)
	}
	for _, c := range o.table.Columns {
		if c.Name == name {
			return c, nil
		}
	}
	if !add || name == "" {
		return nil, unknown("nothing-there", "There is no column %q.", name)
	}
	c := &metadata.Column{Name: name}
	c.Fill(int64(o.rows))
	o.table.Columns = append(o.table.Columns, c)
	return c, nil
}

func (s *Service) edit(q *Question) (Answer, error) {
	var f struct {
		Column, Value string
		Add           bool
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
	c, err := o.column(f.Column, f.Add)
	if err != nil {
		return nil, err
	}
	c.Set(q.Rows, []byte(strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, f.Value)))
	return Answer{"column": columnAnswer(c)}, nil
}

// inside reports whether all rows are there.
func (o *opened) inside(rows []uint32) error {
	for _, r := range rows {
		if int64(r) >= int64(o.rows) {
			return unknown("bad-question", "There is no row %d: the tensor has %d.", r, o.rows)
		}
	}
	return nil
}

// query is a search in texts.
type query struct {
	Column, Text string
	Regex        bool
	Limit        int
}

// search returns the rows whose texts a query finds.
func (s *Service) find(o *opened, f query) ([]uint32, error) {
	if o.table == nil {
		o.table = indexTable(o.rows)
	}
	expr := "(?i)" + regexp.QuoteMeta(f.Text)
	if f.Regex {
		expr = "(?i)" + f.Text
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, tensor.Wrong("bad-regex", "", "Correct the expression.", "%v", err)
	}
	columns := o.table.Columns
	if f.Column != "" {
		c, err := o.column(f.Column, false)
		if err != nil {
			return nil, err
		}
		columns = columns[:0:0]
		columns = append(columns, c)
	}
	hit := make([]bool, o.rows)
	lower := strings.ToLower(f.Text)
	simple := !f.Regex && len(lower) == len(f.Text) && isASCII(f.Text)
	for _, c := range columns {
		words := make([]bool, c.Distinct())
		for i := range words {
			if simple {
				words[i] = containsFold(c.Word(uint32(i)), lower) || !isASCIIBytes(c.Word(uint32(i))) && re.Match(c.Word(uint32(i)))
			} else {
				words[i] = re.Match(c.Word(uint32(i)))
			}
			if i&1023 == 0 {
				s.rest()
			}
		}
		for r, k := range c.Codes {
			hit[r] = hit[r] || words[k]
		}
	}
	rows := []uint32{}
	for r, h := range hit {
		if h {
			rows = append(rows, uint32(r))
		}
	}
	return rows, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isASCIIBytes(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// containsFold finds a text of small ASCII letters without regard to case.
func containsFold(b []byte, lower string) bool {
	for i := 0; i+len(lower) <= len(b); i++ {
		k := 0
		for ; k < len(lower); k++ {
			c := b[i+k]
			if c >= 'A' && c <= 'Z' {
				c += 32
			}
			if c != lower[k] {
				break
			}
		}
		if k == len(lower) {
			return true
		}
	}
	return false
}

func (s *Service) search(q *Question) (Answer, error) {
	var f query
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err != nil {
		return nil, err
	}
	rows, err := s.find(o, f)
	if err != nil {
		return nil, err
	}
	total := len(rows)
	if f.Limit > 0 && total > f.Limit {
		rows = rows[:f.Limit]
	}
	return Answer{"rows": rows, "total": total}, nil
}

func (s *Service) neighbors(q *Question) (Answer, error) {
	var f struct {
		Row           uint32
		K             int
		Metric, Space string
	}
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err == nil {
		err = o.inside(append([]uint32{f.Row}, q.Rows...))
	}
	if err != nil {
		return nil, err
	}
	if o.bad != nil && o.bad[f.Row] {
		return nil, tensor.Wrong("nan", "", "", "Row %d has values that are no numbers.", f.Row)
	}
	if f.K <= 0 {
		f.K = 100
	}
	var center []float32
	if f.Space == "sphereized" {
		center = project.Mean(o.points, o.dims, o.usable(nil))
	}
	rows, distances, err := project.Neighbors(o.points, o.dims, int(f.Row), f.K, f.Metric == "euclid", center, o.usable(q.Rows), s.pause(nil))
	if err != nil {
		return nil, err
	}
	return Answer{"rows": rows, "distances": distances}, nil
}

// usable lists the rows, or those of a list, that can be placed.
func (o *opened) usable(of []uint32) []uint32 {
	list := make([]uint32, 0, max(len(of), o.rows))
	if of == nil {
		for r := range o.rows {
			if o.bad == nil || !o.bad[r] {
				list = append(list, uint32(r))
			}
		}
		return list
	}
	for _, r := range of {
		if o.bad == nil || !o.bad[r] {
			list = append(list, r)
		}
	}
	return list
}

func (s *Service) sprite(q *Question) (Answer, error) {
	var f struct {
		Path          string
		Width, Height int64
	}
	o, err := s.opened(q)
	if err == nil {
		err = q.fields(&f)
	}
	if err != nil {
		return nil, err
	}
	if is := o.entry.Sprite; is != nil && f.Path == "" {
		f.Path = is.Path
		if f.Width == 0 || f.Height == 0 {
			f.Width, f.Height = is.Width, is.Height
		}
	}
	if f.Path == "" {
		return nil, unknown("nothing-there", "The tensor has no sprite.")
	}
	is, ok := s.file(f.Path)
	if !ok {
		return nil, tensor.Wrong("missing", f.Path, "Choose another file.", "This file is not there any more.")
	}
	const longest = 256 << 20
	if is.Size() > longest {
		return nil, tensor.Wrong("too-large", f.Path, "", "A sheet of %d bytes is too large.", is.Size())
	}
	b, err := tensor.ReadFull(is, 0, is.Size())
	if err != nil {
		return nil, err
	}
	p, err := picture.Look(b)
	if err != nil {
		return nil, tensor.Wrong("damaged", f.Path, "Write the sheet as PNG or JPEG.", "This is no picture.")
	}
	return spriteAnswer(o, f.Path, b, string(p.Format), int64(p.Width), int64(p.Height), f.Width, f.Height)
}

func spriteAnswer(o *opened, path string, b []byte, kind string, sheetW, sheetH, w, h int64) (Answer, error) {
	if w <= 0 || h <= 0 { // a square of squares, as PyTorch writes them
		n := int64(math.Ceil(math.Sqrt(float64(o.rows))))
		w, h = sheetW/max(1, n), sheetH/max(1, n)
	}
	if w <= 0 || h <= 0 || w > sheetW || h > sheetH {
		return nil, tensor.Wrong("sprite-small", path, "Correct single_image_dim in the config.", "An image of %d × %d does not fit into a sheet of %d × %d.", w, h, sheetW, sheetH)
	}
	a := Answer{"path": path, "bytes": b, "type": kind, "width": w, "height": h, "sheet": []int64{sheetW, sheetH}, "columns": sheetW / w, "images": (sheetW / w) * (sheetH / h)}
	var wrong []*tensor.Trouble
	if n := (sheetW / w) * (sheetH / h); n < int64(o.rows) {
		p := tensor.Wrong("sprite-small", path, "Write a larger sheet, or correct single_image_dim in the config.", "The sheet has room for %d images of %d × %d, and the tensor has %d rows.", n, w, h, o.rows)
		p.Row, p.Count = n, int64(o.rows)-n
		wrong = append(wrong, p)
	}
	a["problems"] = problems(wrong)
	return a, nil
}
