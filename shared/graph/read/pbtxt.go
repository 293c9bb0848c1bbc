package read

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// A text of a GraphDef (or of a MetaGraphDef) is made the bytes that it stands for, and these are
// read as any GraphDef. The grammar is that of protocol buffers' text format: name: value,
// name { … } or name < … >, lists in [ ], comments from # to the end of the line, strings in
// single or double quotes with C's escapes, that are joined when one follows the other. Fields
// that a graph does not have are passed over.

// message is what the fields of a message are.
type message map[string]fieldOf

type fieldOf struct {
	num  protowire.Number
	kind byte // 's' string, 'i' varint, 'e' DataType by name, 't' FullTypeId by name, 'b' bool, 'f' float, 'd' double, 'm' message
	sub  string
}

var schema = map[string]message{
	"GraphDef":     {"node": {1, 'm', "NodeDef"}, "library": {2, 'm', "Library"}, "version": {3, 'i', ""}, "versions": {4, 'm', "Versions"}},
	"MetaGraphDef": {"meta_info_def": {1, 'm', "MetaInfo"}, "graph_def": {2, 'm', "GraphDef"}},
	"MetaInfo":     {"meta_graph_version": {1, 's', ""}, "tags": {4, 's', ""}, "tensorflow_version": {5, 's', ""}},
	"Versions":     {"producer": {1, 'i', ""}, "min_consumer": {2, 'i', ""}, "bad_consumers": {3, 'i', ""}},
	"NodeDef":      {"name": {1, 's', ""}, "op": {2, 's', ""}, "input": {3, 's', ""}, "device": {4, 's', ""}, "attr": {5, 'm', "AttrEntry"}, "experimental_debug_info": {6, 'm', "DebugInfo"}, "experimental_type": {7, 'm', "FullType"}},
	"DebugInfo":    {"original_node_names": {1, 's', ""}, "original_func_names": {2, 's', ""}},
	"AttrEntry":    {"key": {1, 's', ""}, "value": {2, 'm', "AttrValue"}},
	"AttrValue":    {"list": {1, 'm', "ListValue"}, "s": {2, 's', ""}, "i": {3, 'i', ""}, "f": {4, 'f', ""}, "b": {5, 'b', ""}, "type": {6, 'e', ""}, "shape": {7, 'm', "Shape"}, "tensor": {8, 'm', "Tensor"}, "placeholder": {9, 's', ""}, "func": {10, 'm', "NameAttrList"}},
	"ListValue":    {"s": {2, 's', ""}, "i": {3, 'i', ""}, "f": {4, 'f', ""}, "b": {5, 'b', ""}, "type": {6, 'e', ""}, "shape": {7, 'm', "Shape"}, "tensor": {8, 'm', "Tensor"}, "func": {9, 'm', "NameAttrList"}},
	"NameAttrList": {"name": {1, 's', ""}, "attr": {2, 'm', "AttrEntry"}},
	"Shape":        {"dim": {2, 'm', "Dim"}, "unknown_rank": {3, 'b', ""}},
	"Dim":          {"size": {1, 'i', ""}, "name": {2, 's', ""}},
	"Tensor":       {"dtype": {1, 'e', ""}, "tensor_shape": {2, 'm', "Shape"}, "version_number": {3, 'i', ""}, "tensor_content": {4, 's', ""}, "float_val": {5, 'f', ""}, "double_val": {6, 'd', ""}, "int_val": {7, 'i', ""}, "string_val": {8, 's', ""}, "scomplex_val": {9, 'f', ""}, "int64_val": {10, 'i', ""}, "bool_val": {11, 'b', ""}, "dcomplex_val": {12, 'd', ""}, "half_val": {13, 'i', ""}, "uint32_val": {16, 'i', ""}, "uint64_val": {17, 'i', ""}, "float8_val": {18, 's', ""}},
	"Library":      {"function": {1, 'm', "FunctionDef"}, "gradient": {2, 'm', "Gradient"}},
	"Gradient":     {"function_name": {1, 's', ""}, "gradient_func": {2, 's', ""}},
	"FunctionDef":  {"signature": {1, 'm', "OpDef"}, "node_def": {3, 'm', "NodeDef"}, "ret": {4, 'm', "RetEntry"}, "attr": {5, 'm', "AttrEntry"}, "control_ret": {6, 'm', "RetEntry"}, "arg_attr": {7, 'm', "ArgEntry"}, "resource_arg_unique_id": {8, 'm', "IDEntry"}},
	"ArgEntry":     {"key": {1, 'i', ""}, "value": {2, 'm', "ArgAttrs"}},
	"ArgAttrs":     {"attr": {1, 'm', "AttrEntry"}},
	"IDEntry":      {"key": {1, 'i', ""}, "value": {2, 'i', ""}},
	"FullType":     {"type_id": {1, 't', ""}, "args": {2, 'm', "FullType"}, "s": {3, 's', ""}, "i": {4, 'i', ""}},
	"HandleData":   {"dtype": {1, 'e', ""}, "shape": {2, 'm', "Shape"}},
	"RetEntry":     {"key": {1, 's', ""}, "value": {2, 's', ""}},
	"OpDef":        {"name": {1, 's', ""}, "input_arg": {2, 'm', "ArgDef"}, "output_arg": {3, 'm', "ArgDef"}, "attr": {4, 'm', "OpAttr"}, "summary": {5, 's', ""}, "description": {6, 's', ""}, "is_aggregate": {16, 'b', ""}, "is_stateful": {17, 'b', ""}, "is_commutative": {18, 'b', ""}, "allows_uninitialized_input": {19, 'b', ""}, "is_distributed_communication": {21, 'b', ""}, "control_output": {20, 's', ""}},
	"OpAttr":       {"name": {1, 's', ""}, "type": {2, 's', ""}, "default_value": {3, 'm', "AttrValue"}, "description": {4, 's', ""}, "has_minimum": {5, 'b', ""}, "minimum": {6, 'i', ""}, "allowed_values": {7, 'm', "AttrValue"}},
	"ArgDef":       {"name": {1, 's', ""}, "description": {2, 's', ""}, "type": {3, 'e', ""}, "type_attr": {4, 's', ""}, "number_attr": {5, 's', ""}, "type_list_attr": {6, 's', ""}, "handle_data": {7, 'm', "HandleData"}, "is_ref": {16, 'b', ""}, "experimental_full_type": {17, 'm', "FullType"}},
}

const maxDepth = 200 // of messages in messages of a text

type frame struct {
	sub   string // its message in schema; "" of one that is passed over
	num   protowire.Number
	start int // of its body in out
}

type textReader struct {
	s     string
	i     int
	f     *model.File
	out   []byte
	stack []frame
}

func pbtxt(f *model.File, b []byte) {
	r := &textReader{s: strings.TrimPrefix(string(b), "\ufeff"), f: f}
	meta := r.isMeta()
	root := "GraphDef"
	if meta {
		root = "MetaGraphDef"
	}
	r.stack = []frame{{sub: root}}
	r.run()
	data := r.out
	if meta {
		metaGraph(f, data, data, 0, model.PBText)
	} else {
		f.Graphs = append(f.Graphs, graphDef(f, data, []part{{body: data}}, model.PBText, ""))
	}
	// Offsets of what was damaged within are those of the bytes, not of the text.
	for i := range f.Losses.List {
		if l := &f.Losses.List[i]; l.Code != "torn" && l.Code != "damaged" {
			l.Offset = -1
		}
	}
}

// isMeta: a MetaGraphDef's text has other fields on its first level.
func (r *textReader) isMeta() bool {
	t := r.s[:min(len(r.s), 4096)]
	for {
		t = strings.TrimLeft(t, " \t\r\n")
		if !strings.HasPrefix(t, "#") {
			break
		}
		_, t, _ = strings.Cut(t, "\n")
	}
	for _, name := range []string{"meta_info_def", "graph_def", "saver_def", "collection_def", "signature_def"} {
		if strings.HasPrefix(t, name) {
			return true
		}
	}
	return false
}

// space goes over spaces, comments, and the signs between fields.
func (r *textReader) space() { r.over(" \t\n\r,;") }

func (r *textReader) over(signs string) {
	for r.i < len(r.s) {
		switch c := r.s[r.i]; {
		case strings.IndexByte(signs, c) >= 0:
			r.i++
		case c == '#':
			if j := strings.IndexByte(r.s[r.i:], '\n'); j >= 0 {
				r.i += j
			} else {
				r.i = len(r.s)
			}
		default:
			return
		}
	}
}

func identifier(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (r *textReader) top() *frame { return &r.stack[len(r.stack)-1] }

func (r *textReader) run() {
	for {
		r.space()
		if r.i >= len(r.s) {
			if len(r.stack) > 1 {
				torn(r.f, len(r.s), "a message that is not closed")
				r.drop()
			}
			return
		}
		start := r.i
		if c := r.s[r.i]; c == '}' || c == '>' {
			r.i++
			if len(r.stack) == 1 {
				damaged(r.f, start, "A closing bracket that nothing opened")
				continue
			}
			r.pop()
			continue
		}
		if r.s[r.i] == '[' { // an extension, or the name of an Any
			if j := strings.IndexByte(r.s[r.i:], ']'); j >= 0 {
				r.i += j + 1
			} else {
				r.i = len(r.s)
			}
		} else {
			for r.i < len(r.s) && identifier(r.s[r.i]) {
				r.i++
			}
		}
		name := r.s[start:r.i]
		if name == "" {
			damaged(r.f, start, "What stands where a field's name is expected")
			r.i++
			for r.i < len(r.s) && r.s[r.i] != '\n' {
				r.i++
			}
			continue
		}
		r.space()
		if r.i < len(r.s) && r.s[r.i] == ':' {
			r.i++
			r.space()
		}
		if r.i >= len(r.s) {
			torn(r.f, len(r.s), "a field")
			r.drop()
			return
		}
		field := schema[r.top().sub][name]
		if !r.content(field, start) {
			return
		}
	}
}

// items reads a list: of values, or of messages. Messages of a list are read by run, since
// brackets and commas of the list are skipped there.
func (r *textReader) items(field fieldOf, start int) {
	for {
		r.space()
		if r.i >= len(r.s) {
			return
		}
		switch r.s[r.i] {
		case ']':
			r.i++
			return
		case '{', '<':
			depth := len(r.stack)
			r.i++
			if !r.push(field, start) {
				return
			}
			r.until(depth)
		default:
			if !r.value(field) {
				return
			}
		}
	}
}

// until reads on until the message that was pushed at depth is closed. It is run's loop in a
// list; lists of messages within each other are as deep as maxDepth at most.
func (r *textReader) until(depth int) {
	for len(r.stack) > depth && r.i < len(r.s) {
		r.space()
		if r.i >= len(r.s) {
			return
		}
		c := r.s[r.i]
		if c == '}' || c == '>' {
			r.i++
			r.pop()
			continue
		}
		start := r.i
		for r.i < len(r.s) && identifier(r.s[r.i]) {
			r.i++
		}
		if r.i == start {
			r.i++
			continue
		}
		field := schema[r.top().sub][r.s[start:r.i]]
		r.space()
		if r.i < len(r.s) && r.s[r.i] == ':' {
			r.i++
			r.space()
		}
		if r.i >= len(r.s) {
			return
		}
		if !r.content(field, start) {
			return
		}
	}
}

// content reads what stands behind a field's name: a message's beginning, a list or a value.
// false: reading has ended.
func (r *textReader) content(field fieldOf, start int) bool {
	switch r.s[r.i] {
	case '{', '<':
		r.i++
		return r.push(field, start)
	case '[':
		r.i++
		r.items(field, start)
		return true
	}
	return r.value(field)
}

func (r *textReader) push(field fieldOf, start int) bool {
	if len(r.stack) >= maxDepth {
		damaged(r.f, start, "A message within 200 others")
		r.i = len(r.s)
		r.drop()
		return false
	}
	fr := frame{num: field.num, start: len(r.out)}
	if field.kind == 'm' {
		fr.sub = field.sub
	}
	r.stack = append(r.stack, fr)
	return true
}

// pop closes a message. Its body stands in out already, and moves to make place for tag and
// length; a body moves at most maxDepth times, in real graphs six.
func (r *textReader) pop() {
	fr := *r.top()
	r.stack = r.stack[:len(r.stack)-1]
	if fr.sub == "" || r.top().sub == "" {
		r.out = r.out[:fr.start]
		return
	}
	r.close(fr)
}

func (r *textReader) close(fr frame) {
	body := len(r.out) - fr.start
	head := protowire.AppendVarint(protowire.AppendTag(nil, fr.num, protowire.BytesType), uint64(body))
	r.out = append(r.out, head...)
	copy(r.out[fr.start+len(head):], r.out[fr.start:fr.start+body])
	copy(r.out[fr.start:], head)
}

// drop forgets the messages that were not closed. What was whole in the outer ones stays: nodes
// of a library's function that is torn, the graph around a torn node.
func (r *textReader) drop() {
	for len(r.stack) > 1 {
		fr := *r.top()
		r.stack = r.stack[:len(r.stack)-1]
		switch fr.sub {
		case "Library", "FunctionDef", "GraphDef":
			r.close(fr)
		default:
			r.out = r.out[:fr.start]
		}
	}
}

// value reads one scalar.
func (r *textReader) value(field fieldOf) bool {
	known := r.top().sub != "" && field.num != 0
	if c := r.s[r.i]; c == '"' || c == '\'' {
		start := len(r.out)
		var text []byte
		for r.i < len(r.s) && (r.s[r.i] == '"' || r.s[r.i] == '\'') {
			var ok bool
			if text, ok = r.quoted(text); !ok {
				torn(r.f, r.i, "a string")
				r.out = r.out[:start]
				r.i = len(r.s)
				r.drop()
				return false
			}
			r.over(" \t\n\r") // strings that follow each other are one; a comma would separate them
		}
		if known && field.kind == 's' {
			r.out = protowire.AppendBytes(protowire.AppendTag(r.out, field.num, protowire.BytesType), text)
		}
		return true
	}
	start := r.i
	for r.i < len(r.s) && !strings.ContainsRune(" \t\r\n,;]}>#{<[", rune(r.s[r.i])) {
		r.i++
	}
	word := r.s[start:r.i]
	if word == "" {
		r.i++ // never stands still
		return true
	}
	if !known {
		return true
	}
	switch field.kind {
	case 'i', 'e', 'b', 't':
		v, ok := number(word)
		switch {
		case ok:
		case word == "true" || word == "t" || word == "True":
			v = 1
		case word == "false" || word == "f" || word == "False":
			v = 0
		case field.kind == 't':
			for number, name := range fullTypes {
				if word == "TFT_"+name {
					v = number
				}
			}
		case field.kind == 'e':
			v = typeByName(word)
		default:
			damaged(r.f, start, "The value "+model.Quote(word))
			return true
		}
		r.out = protowire.AppendVarint(protowire.AppendTag(r.out, field.num, protowire.VarintType), v)
	case 'f', 'd':
		v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSuffix(word, "f"), "F"), 64)
		if err != nil {
			if v, err = strconv.ParseFloat(word, 64); err != nil && !math.IsInf(v, 0) {
				damaged(r.f, start, "The value "+model.Quote(word))
				return true
			}
		}
		if field.kind == 'f' {
			r.out = protowire.AppendFixed32(protowire.AppendTag(r.out, field.num, protowire.Fixed32Type), math.Float32bits(float32(v)))
		} else {
			r.out = protowire.AppendFixed64(protowire.AppendTag(r.out, field.num, protowire.Fixed64Type), math.Float64bits(v))
		}
	}
	return true
}

func number(s string) (uint64, bool) {
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		return uint64(v), true
	}
	v, err := strconv.ParseUint(s, 0, 64)
	return v, err == nil
}

// fullTypes are the names of FullTypeId (tensorflow/core/framework/full_type.proto), without
// TFT_.
var fullTypes = map[uint64]string{0: "UNSET", 1: "VAR", 2: "ANY", 3: "PRODUCT", 4: "NAMED", 20: "FOR_EACH", 100: "CALLABLE",
	200: "BOOL", 201: "UINT8", 202: "UINT16", 203: "UINT32", 204: "UINT64", 205: "INT8", 206: "INT16", 207: "INT32", 208: "INT64", 209: "HALF", 210: "FLOAT", 211: "DOUBLE", 212: "COMPLEX64", 213: "COMPLEX128", 214: "STRING", 215: "BFLOAT16",
	1000: "TENSOR", 1001: "ARRAY", 1002: "OPTIONAL", 1003: "LITERAL", 1004: "ENCODED", 1005: "SHAPE_TENSOR",
	10102: "DATASET", 10103: "RAGGED", 10104: "ITERATOR", 10202: "MUTEX_LOCK", 10203: "LEGACY_VARIANT"}

var typeNames = strings.Fields("DT_INVALID DT_FLOAT DT_DOUBLE DT_INT32 DT_UINT8 DT_INT16 DT_INT8 DT_STRING DT_COMPLEX64 DT_INT64 DT_BOOL DT_QINT8 DT_QUINT8 DT_QINT32 DT_BFLOAT16 DT_QINT16 DT_QUINT16 DT_UINT16 DT_COMPLEX128 DT_HALF DT_RESOURCE DT_VARIANT DT_UINT32 DT_UINT64 DT_FLOAT8_E5M2 DT_FLOAT8_E4M3FN DT_FLOAT8_E4M3FNUZ DT_FLOAT8_E4M3B11FNUZ DT_FLOAT8_E5M2FNUZ DT_INT4 DT_UINT4 DT_INT2 DT_UINT2 DT_FLOAT4_E2M1FN")

func typeByName(s string) uint64 {
	base, ref := strings.CutSuffix(s, "_REF")
	for i, n := range typeNames {
		if n == base {
			if ref {
				return uint64(i + 100)
			}
			return uint64(i)
		}
	}
	return 0
}

// quoted appends the string that begins at r.i.
func (r *textReader) quoted(out []byte) ([]byte, bool) {
	q := r.s[r.i]
	r.i++
	for r.i < len(r.s) {
		c := r.s[r.i]
		r.i++
		switch {
		case c == q:
			return out, true
		case c != '\\':
			out = append(out, c)
			continue
		}
		if r.i >= len(r.s) {
			break
		}
		c = r.s[r.i]
		r.i++
		switch c {
		case 'a':
			out = append(out, '\a')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'v':
			out = append(out, '\v')
		case 'x', 'X':
			out = append(out, byte(r.digits(2, 16)))
		case 'u':
			out = utf8.AppendRune(out, rune(r.digits(4, 16)))
		case 'U':
			out = utf8.AppendRune(out, rune(r.digits(8, 16)))
		default:
			if c >= '0' && c <= '7' {
				r.i--
				out = append(out, byte(r.digits(3, 8)))
			} else {
				out = append(out, c)
			}
		}
	}
	return out, false
}

func (r *textReader) digits(most int, base int64) (v int64) {
	for n := 0; n < most && r.i < len(r.s); n++ {
		d, err := strconv.ParseInt(r.s[r.i:r.i+1], int(base), 8)
		if err != nil {
			break
		}
		v = v*base + d
		r.i++
	}
	return v
}
