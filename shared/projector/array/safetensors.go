package array

import (
	"encoding/binary"
	"encoding/json"
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// longestIndex is what safetensors itself allows a header to have (safetensors/src/tensor.rs).
const longestIndex = 100 << 20

var safeTypes = map[string]tensor.DType{"BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32", "U64": "uint64", "I64": "int64",
	"F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2"}

// Safetensors opens a .safetensors file: the length of a header (uint64, little-endian), the header as
// JSON, and the numbers (github.com/huggingface/safetensors, README "Format").
func Safetensors(f tensor.File) (list []tensor.Stored, err error) {
	b, err := f.Read(0, min(f.Size(), 8))
	if err != nil {
		return nil, err
	}
	if len(b) < 8 {
		return nil, tensor.Damaged(f.Path(), "This is no safetensors file.")
	}
	n := binary.LittleEndian.Uint64(b)
	if n > longestIndex {
		return nil, tensor.Damaged(f.Path(), "This is no safetensors file: its header has %d bytes.", n)
	}
	text, err := tensor.ReadFull(f, 8, int64(n))
	if err != nil {
		return nil, err
	}
	var head map[string]json.RawMessage
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, tensor.Damaged(f.Path(), "Its header is no JSON: %v.", err)
	}
	for name, raw := range head {
		if name == "__metadata__" {
			continue
		}
		var is struct {
			DType   string   `json:"dtype"`
			Shape   []int64  `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(raw, &is); err != nil {
			return nil, tensor.Damaged(f.Path(), "What its header says of %q cannot be understood.", short(name))
		}
		d, ok := safeTypes[is.DType]
		if !ok {
			d = tensor.DType(short(is.DType))
		}
		count, ok := tensor.Elements(is.Shape)
		bytes := is.Offsets[1] - is.Offsets[0]
		if !ok || is.Offsets[0] < 0 || bytes < 0 || d.Size() > 0 && count != bytes/d.Size() {
			return nil, tensor.Damaged(f.Path(), "The shape of %q, %s, is not that of its %d bytes.", short(name), shapeText(is.Shape), bytes)
		}
		if is.Offsets[1] > f.Size()-8-int64(n) {
			return nil, tensor.Wrong("torn", f.Path(), "Copy it again, or wait until it is written.", "%q ends beyond the file's end.", short(name))
		}
		list = append(list, &plain{f: f, head: npyHead{info: tensor.Info{Name: name, DType: d, Shape: is.Shape, Bytes: bytes, Step: -1}, order: binary.LittleEndian, data: 8 + int64(n) + is.Offsets[0]}})
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].(*plain).head, list[j].(*plain).head
		return a.data < b.data || a.data == b.data && a.info.Name < b.info.Name
	})
	if len(list) == 0 {
		return nil, tensor.Wrong("nothing-there", f.Path(), "", "The file holds no tensors.")
	}
	return list, nil
}
