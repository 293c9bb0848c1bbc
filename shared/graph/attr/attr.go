package attr

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// Attr is one attribute. Value is its AttrValue, of ONNX its AttributeProto; or a tensor.
type Attr struct {
	Name  string
	Type  string // see typeOf
	Value []byte
	onnx  bool
}

// Each calls f for each attribute of node i of g, in the file's order.
func Each(g *model.Graph, i int32, f func(Attr) bool) {
	b := g.Bytes(i)
	n := &g.Nodes[i]
	if g.FormOf(i) == model.ONNX {
		if n.Kind != model.Op { // an initialiser is one tensor; an input or output one type
			if n.Kind == model.Parameter || n.Kind == model.Constant {
				f(Attr{Name: "value", Type: "tensor", Value: b, onnx: true})
			}
			return
		}
		pb.Each(b, 0, func(x pb.Field) bool {
			if !x.Is(5) {
				return true
			}
			a := Attr{Value: x.Body, onnx: true}
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if y.Is(1) {
					a.Name = model.Clean(string(y.Body))
				}
				return true
			})
			a.Type = a.typeOf()
			return f(a)
		})
		return
	}
	if n.Op == "input_arg" || n.Op == "output_arg" {
		return // an ArgDef, see ArgType
	}
	pb.Each(b, 0, func(x pb.Field) bool {
		if !x.Is(5) {
			return true
		}
		var a Attr
		pb.Each(x.Body, 0, func(y pb.Field) bool {
			switch {
			case y.Is(1):
				a.Name = model.Clean(string(y.Body))
			case y.Is(2):
				a.Value = y.Body
			}
			return true
		})
		a.Type = a.typeOf()
		return f(a)
	})
}

// findNodeDef is Find in a NodeDef: of the attributes before the one only the names are looked at.
func findNodeDef(b []byte, name string) (a Attr, ok bool) {
	pb.Each(b, 0, func(x pb.Field) bool {
		if !x.Is(5) {
			return true
		}
		var key, value []byte
		pb.Each(x.Body, 0, func(y pb.Field) bool {
			switch {
			case y.Is(1):
				key = y.Body
			case y.Is(2):
				value = y.Body
			}
			return true
		})
		if string(key) == name || !utf8.Valid(key) && model.Clean(string(key)) == name {
			a, ok = Attr{Name: name, Value: value}, true
			a.Type = a.typeOf()
		}
		return !ok
	})
	return a, ok
}

// Find returns the attribute of node i that has this name.
func Find(g *model.Graph, i int32, name string) (a Attr, ok bool) {
	if n := &g.Nodes[i]; g.FormOf(i) != model.ONNX && n.Op != "input_arg" && n.Op != "output_arg" {
		return findNodeDef(g.Bytes(i), name)
	}
	Each(g, i, func(x Attr) bool {
		if x.Name == name {
			a, ok = x, true
		}
		return !ok
	})
	return a, ok
}

var oneof = map[protowire.Number]string{1: "list", 2: "s", 3: "i", 4: "f", 5: "b", 6: "type", 7: "shape", 8: "tensor", 9: "placeholder", 10: "func"}
var onnxOne = map[protowire.Number]string{2: "f", 3: "i", 4: "s", 5: "tensor", 6: "graph", 7: "floats", 8: "ints", 9: "strings", 10: "tensors", 11: "graphs", 14: "type", 15: "types", 21: "ref", 22: "sparse tensor", 23: "sparse tensors"}
var onnxTypeNumber = [...]string{"", "f", "i", "s", "tensor", "graph", "floats", "ints", "strings", "tensors", "graphs", "sparse tensor", "sparse tensors", "type", "types"}

// typeOf is the member of the value's oneof: s, i, f, b, type, shape, tensor, list, func,
// placeholder; of ONNX f, i, s, tensor, graph, floats, ints, strings, …
func (a *Attr) typeOf() string {
	t := ""
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		if a.onnx {
			if x.Int(20) && x.V < uint64(len(onnxTypeNumber)) && x.V > 0 {
				t = onnxTypeNumber[x.V]
				return false
			}
			if s, ok := onnxOne[x.Num]; ok {
				t = s
			}
			return true
		}
		if s, ok := oneof[x.Num]; ok {
			t = s
		}
		return true
	})
	return t
}

// Piece is a part of a value, as text.
type Piece struct {
	Head  string // type and shape of a tensor, name of a function
	Unit  string // "bytes" or "elements"
	Total int    // units of the whole value
	Text  string
	Next  int // first unit after the piece; Total if there is none
}

// Piece tells the value from unit offset on, in at most limit bytes of text. What it costs is
// bounded by the size of the value.
func (a Attr) Piece(offset, limit int) Piece {
	w := &list{offset: max(offset, 0), limit: max(limit, 16)}
	p := Piece{Unit: "elements"}
	if a.onnx && a.Type == "tensor" && a.Name == "value" && a.oneTensor() == nil {
		p.Head = tensor(w, a.Value, true)
	} else if a.onnx {
		p.Head, p.Unit = a.onnxValue(w)
	} else {
		p.Head, p.Unit = a.value(w)
	}
	p.Total, p.Text, p.Next = w.total, w.b.String(), w.next()
	return p
}

func (a Attr) oneTensor() (t []byte) {
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		if x.Is(5) && a.isAttribute() {
			t = x.Body
		}
		return true
	})
	return t
}

// isAttribute: an AttributeProto begins with a name or has a type, a TensorProto has neither.
func (a Attr) isAttribute() bool {
	is := false
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		is = is || x.Is(1) && string(x.Body) == a.Name || x.Int(20)
		return !is
	})
	return is
}

func (a Attr) value(w *list) (head, unit string) {
	unit = "elements"
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		switch {
		case x.Is(1): // list
			eachOf(x.Body, func(y pb.Field, v uint64) bool { return listItem(w, y, v) })
		case x.Is(2), x.Is(9):
			unit = "bytes"
			w.bytes(x.Body)
		case x.Is(10):
			head = funcName(x.Body)
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if y.Is(2) {
					var k string
					var v []byte
					pb.Each(y.Body, 0, func(z pb.Field) bool {
						if z.Is(1) {
							k = string(z.Body)
						} else if z.Is(2) {
							v = z.Body
						}
						return true
					})
					inner := Attr{Name: k, Value: v}
					inner.Type = inner.typeOf()
					text := ""
					if inner.Type != "func" && inner.Type != "list" {
						text = inner.Piece(0, 256).Text
					} else {
						text = inner.Type
					}
					w.item(k + "=" + text)
				}
				return true
			})
			if w.total == 0 {
				w.item(head)
			}
		case x.Is(8):
			head = tensor(w, x.Body, false)
		default:
			listItem(w, x, x.V)
		}
		return true
	})
	return head, unit
}

// eachOf goes over the items of AttrValue.ListValue, packed or not.
func eachOf(b []byte, f func(x pb.Field, v uint64) bool) {
	pb.Each(b, 0, func(x pb.Field) bool {
		if x.Type == protowire.BytesType {
			switch x.Num {
			case 3, 5, 6:
				return x.Packed(func(v uint64) bool { return f(pb.Field{Num: x.Num, Type: protowire.VarintType, V: v}, v) })
			case 4:
				for b := x.Body; len(b) >= 4; b = b[4:] {
					v, _ := protowire.ConsumeFixed32(b)
					if !f(pb.Field{Num: 4, Type: protowire.Fixed32Type, V: uint64(v)}, uint64(v)) {
						return false
					}
				}
				return true
			}
		}
		return f(x, x.V)
	})
}

// listItem writes one scalar of an AttrValue: the numbers are the same in a list and alone.
func listItem(w *list, x pb.Field, v uint64) bool {
	switch x.Num {
	case 2:
		w.item(quote(x.Body))
	case 3:
		w.item(strconv.FormatInt(int64(v), 10))
	case 4:
		w.item(float32Text(uint32(v)))
	case 5:
		w.item(strconv.FormatBool(v != 0))
	case 6:
		w.item(Type(v))
	case 7:
		w.item(Shape(x.Body))
	case 8:
		var inner list
		inner.limit = 64
		head := tensor(&inner, x.Body, false)
		w.item(head)
	case 9, 10:
		w.item(funcName(x.Body))
	}
	return true
}

func funcName(b []byte) (name string) {
	pb.Each(b, 0, func(x pb.Field) bool {
		if x.Is(1) {
			name = string(x.Body)
		}
		return true
	})
	return name
}

// Functions are the names of the functions that attribute a names: a func, or a list of them.
func (a Attr) Functions() (names []string) {
	if a.onnx {
		return nil
	}
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		switch {
		case x.Is(10):
			names = append(names, funcName(x.Body))
		case x.Is(1):
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if y.Is(9) {
					names = append(names, funcName(y.Body))
				}
				return true
			})
		}
		return true
	})
	for i := range names {
		names[i] = model.Clean(names[i])
	}
	return names
}

// Text is the value of a string attribute; of others the first piece.
func (a Attr) Text() string { return a.Piece(0, 1024).Text }

// Shapes are the shapes in a list of shapes, or the one shape.
func (a Attr) Shapes() (shapes []string) {
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		switch {
		case x.Is(1):
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if y.Is(7) {
					shapes = append(shapes, Shape(y.Body))
				}
				return len(shapes) < 1024
			})
		case x.Is(7):
			shapes = append(shapes, Shape(x.Body))
		}
		return true
	})
	return shapes
}

// Parameters is the attribute that the reader of Keras models adds: how many numbers a layer holds.
const Parameters = "parameters"

// Int is the value of an attribute that is a whole number, 0 of others.
func (a Attr) Int() (n int64) {
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		if x.Int(3) {
			n = int64(x.V)
		}
		return true
	})
	return n
}

// TypeName is the value of a type attribute, "" of others.
func (a Attr) TypeName() (t string) {
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		if x.Int(6) {
			t = Type(x.V)
		}
		return true
	})
	return t
}

func (a Attr) onnxValue(w *list) (head, unit string) {
	unit = "elements"
	pb.Each(a.Value, 0, func(x pb.Field) bool {
		switch x.Num {
		case 2:
			w.item(float32Text(uint32(x.V)))
		case 3:
			w.item(strconv.FormatInt(int64(x.V), 10))
		case 4:
			unit = "bytes"
			w.bytes(x.Body)
		case 5:
			head = tensor(w, x.Body, true)
		case 6, 11:
			w.item("graph " + graphName(x.Body))
		case 7:
			if x.Type == protowire.BytesType {
				for b := x.Body; len(b) >= 4; b = b[4:] {
					v, _ := protowire.ConsumeFixed32(b)
					w.item(float32Text(v))
				}
			} else {
				w.item(float32Text(uint32(x.V)))
			}
		case 8:
			x.Packed(func(v uint64) bool { w.item(strconv.FormatInt(int64(v), 10)); return true })
		case 9:
			w.item(quote(x.Body))
		case 10:
			inner := list{limit: 16}
			w.item(tensor(&inner, x.Body, true))
		case 14, 15:
			w.item(ONNXShape(x.Body, false))
		case 21:
			w.item("attribute " + string(x.Body))
		case 22, 23:
			w.item("sparse tensor")
		}
		return true
	})
	return head, unit
}

func graphName(b []byte) (name string) {
	pb.Each(b, 0, func(x pb.Field) bool {
		if x.Is(2) {
			name = string(x.Body)
		}
		return true
	})
	return name
}

// list writes the items from offset on until limit bytes are full, and counts all.
type list struct {
	b             strings.Builder
	offset, limit int
	total, wrote  int
	full          bool
}

func (l *list) item(s string) {
	if l.wants() {
		if len(s) > l.limit {
			s = cut(s, l.limit-3) + "…"
		}
		if l.wrote > 0 && l.b.Len()+2+len(s) > l.limit {
			l.full = true
		} else {
			if l.wrote > 0 {
				l.b.WriteString(", ")
			}
			l.b.WriteString(s)
			l.wrote++
		}
	}
	l.total++
}

// wants says whether the next item would be written; its text is not made otherwise.
func (l *list) wants() bool { return l.total >= l.offset && !l.full }

// bytes writes a string as it is, by bytes.
func (l *list) bytes(b []byte) {
	l.total = len(b)
	if l.offset >= len(b) {
		l.offset = len(b)
		return
	}
	p := b[l.offset:min(len(b), l.offset+l.limit)]
	if l.offset+len(p) < len(b) { // no character is cut in two
		for i := 0; i < utf8.UTFMax && len(p) > 1 && !utf8.RuneStart(b[l.offset+len(p)]); i++ {
			p = p[:len(p)-1]
		}
	}
	l.wrote = len(p)
	if utf8.Valid(p) {
		l.b.Write(p)
	} else {
		l.b.WriteString(escape(p))
	}
}

func (l *list) next() int { return min(l.total, l.offset+l.wrote) }

func cut(s string, n int) string {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(0, min(n, len(s)))]
}

// escape writes what is no text as C does.
func escape(p []byte) string {
	var s strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		if r == utf8.RuneError && n <= 1 || r < ' ' && r != '\n' && r != '\t' {
			s.WriteString("\\x" + string("0123456789abcdef"[p[0]>>4]) + string("0123456789abcdef"[p[0]&15]))
			n = 1
		} else {
			s.Write(p[:n])
		}
		p = p[n:]
	}
	return s.String()
}

func quote(b []byte) string {
	const most = 4096
	more := ""
	if len(b) > most {
		b, more = b[:most], "…"
	}
	return strconv.Quote(strings.ToValidUTF8(string(b), "\ufffd") + more)
}

func float32Text(bits uint32) string {
	return strconv.FormatFloat(float64(math.Float32frombits(bits)), 'g', -1, 32)
}
