package read

import (
	"bytes"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// names are the fields of schema by number.
var names = func() map[string]map[protowire.Number]named {
	out := map[string]map[protowire.Number]named{}
	for m, fields := range schema {
		out[m] = map[protowire.Number]named{}
		for name, f := range fields {
			out[m][f.num] = named{name, f}
		}
	}
	return out
}()

type named struct {
	name string
	fieldOf
}

// Text writes a GraphDef as text. It writes the fields that pbtxt reads; the others are left out.
func Text(graph []byte) []byte {
	var w bytes.Buffer
	textOf(&w, graph, "GraphDef", "")
	return w.Bytes()
}

// textOf writes a message. It goes as deep as maxDepth.
func textOf(w *bytes.Buffer, b []byte, message, indent string) {
	if len(indent) > 2*maxDepth {
		return
	}
	fields := names[message]
	pb.Each(b, 0, func(x pb.Field) bool {
		f, ok := fields[x.Num]
		if !ok {
			return true
		}
		line := func(s string) {
			w.WriteString(indent)
			w.WriteString(f.name)
			w.WriteString(": ")
			w.WriteString(s)
			w.WriteByte('\n')
		}
		scalar := func(v uint64) bool {
			switch f.kind {
			case 'b':
				line(strconv.FormatBool(v != 0))
			case 't':
				if name, ok := fullTypes[v]; ok {
					line("TFT_" + name)
				} else {
					line(strconv.FormatUint(v, 10))
				}
			case 'e':
				line(typeName(v))
			case 'i':
				line(strconv.FormatInt(int64(v), 10))
			}
			return true
		}
		switch f.kind {
		case 'm':
			w.WriteString(indent)
			w.WriteString(f.name)
			w.WriteString(" {\n")
			textOf(w, x.Body, f.sub, indent+"  ")
			w.WriteString(indent)
			w.WriteString("}\n")
		case 's':
			w.WriteString(indent)
			w.WriteString(f.name)
			w.WriteString(": ")
			quoteTo(w, x.Body)
			w.WriteByte('\n')
		case 'i', 'e', 'b', 't':
			x.Packed(scalar)
		case 'f':
			if x.Type == protowire.BytesType {
				for b := x.Body; len(b) >= 4; b = b[4:] {
					v, _ := protowire.ConsumeFixed32(b)
					line(floatText(float64(math.Float32frombits(v)), 32))
				}
			} else {
				line(floatText(float64(math.Float32frombits(uint32(x.V))), 32))
			}
		case 'd':
			if x.Type == protowire.BytesType {
				for b := x.Body; len(b) >= 8; b = b[8:] {
					v, _ := protowire.ConsumeFixed64(b)
					line(floatText(math.Float64frombits(v), 64))
				}
			} else {
				line(floatText(math.Float64frombits(x.V), 64))
			}
		}
		return true
	})
}

// floatText writes a number as protocol buffers' text format does: with 6 digits (of a double
// 15), and with 9 (17) where that is another number.
func floatText(v float64, bits int) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	few, all := 6, 9
	if bits == 64 {
		few, all = 15, 17
	}
	text := strconv.FormatFloat(v, 'g', few, 64)
	if same, err := strconv.ParseFloat(text, bits); err != nil || same != v {
		text = strconv.FormatFloat(v, 'g', all, 64)
	}
	return text
}

func typeName(v uint64) string {
	if v < uint64(len(typeNames)) {
		return typeNames[v]
	}
	if v > 100 && v-100 < uint64(len(typeNames)) {
		return typeNames[v-100] + "_REF"
	}
	return strconv.FormatUint(v, 10)
}

// quoteTo writes a string with C's escapes: bytes that are no ASCII in octal, as protoc does.
func quoteTo(w *bytes.Buffer, b []byte) {
	w.WriteByte('"')
	for _, c := range b {
		switch {
		case c == '"' || c == '\'' || c == '\\':
			w.WriteByte('\\')
			w.WriteByte(c)
		case c == '\n':
			w.WriteString("\\n")
		case c == '\t':
			w.WriteString("\\t")
		case c == '\r':
			w.WriteString("\\r")
		case c < ' ' || c >= 0x7f:
			w.WriteByte('\\')
			w.WriteByte('0' + c>>6)
			w.WriteByte('0' + c>>3&7)
			w.WriteByte('0' + c&7)
		default:
			w.WriteByte(c)
		}
	}
	w.WriteByte('"')
}
