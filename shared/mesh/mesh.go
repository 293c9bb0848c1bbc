// Package mesh is what the mesh plug-in logs: what a tag is a part of, and the numbers of a
// part. A mesh is logged as up to three tags, its vertices, faces and colours, each a tensor
// of shape [sample, n, 3] for every step; parts belong together by the name in their
// metadata and by step (tensorboard/plugins/mesh/plugin_data.proto, metadata.py).
//
// The page reads the same in a script, static/lazy/mesh/1-read.js, which comes with the first
// card; a test holds the two against each other.
package mesh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/internal/field"
)

// Plugin is the name of the plug-in in metadata.
const Plugin = "mesh"

// Part is what a tag holds of a mesh: MeshPluginData.ContentType.
type Part int32

// The parts. The bit of a part in Info.Components is 1 << Part.
const (
	Undefined Part = iota
	Vertex         // x, y, z of each
	Face           // three numbers of vertices, from 0 on
	Color          // red, green, blue of each vertex, 0 to 255
)

// Parts are those that there are.
var Parts = []Part{Vertex, Face, Color}

// String is the part's name, as tags end in it and routes ask for it.
func (p Part) String() string {
	switch p {
	case Vertex:
		return "VERTEX"
	case Face:
		return "FACE"
	case Color:
		return "COLOR"
	}
	return "UNDEFINED"
}

// Suffix is what the part's tag ends in, after the name of its mesh.
func (p Part) Suffix() string { return "_" + p.String() }

// Split divides a tag into the name of its mesh and the part that it is; Undefined where it
// ends in none.
func Split(tag string) (name string, p Part) {
	for _, p := range Parts {
		if name, ok := strings.CutSuffix(tag, p.Suffix()); ok {
			return name, p
		}
	}
	return tag, Undefined
}

// Info is what a tag's metadata says: MeshPluginData.
type Info struct {
	Name       string // of the mesh
	Part       Part
	Config     string  // JSON: camera, lights, material; untrusted
	Shape      []int64 // of the first value
	Components uint32  // which parts there are; all where none is said, as of old writers
}

// allParts are the components that are meant where none is said.
const allParts = 1<<Vertex | 1<<Face | 1<<Color

// The fields of MeshPluginData that are read, with their wire types.
const (
	nameTag       = 2<<3 | uint64(protowire.BytesType)
	partTag       = 3<<3 | uint64(protowire.VarintType)
	configTag     = 5<<3 | uint64(protowire.BytesType)
	sizeTag       = 6<<3 | uint64(protowire.VarintType)
	sizesTag      = 6<<3 | uint64(protowire.BytesType) // packed
	componentsTag = 7<<3 | uint64(protowire.VarintType)
)

// DecodeInfo reads a tag's plug-in data. Of what is torn it is what stands before the tear,
// with an error that is event.ErrMalformed.
func DecodeInfo(b []byte) (i Info, err error) {
	defer func() {
		if i.Components == 0 {
			i.Components = allParts
		}
	}()
	if err := field.Each(b, func(tag, v uint64, body []byte) error {
		switch tag {
		case nameTag:
			i.Name = string(body)
		case partTag:
			i.Part = Part(int32(v))
		case configTag:
			i.Config = string(body)
		case sizeTag:
			i.Shape = append(i.Shape, int64(int32(v)))
		case sizesTag:
			for len(body) > 0 {
				v, n := protowire.ConsumeVarint(body)
				if n < 0 {
					return field.ErrMalformed
				}
				i.Shape, body = append(i.Shape, int64(int32(v))), body[n:]
			}
		case componentsTag:
			i.Components = uint32(v)
		}
		return nil
	}); err != nil {
		return i, event.ErrMalformed
	}
	return i, nil
}

// ErrShape says that a tensor is no part of a mesh: it has other dimensions than [sample, n, 3].
var ErrShape = errors.New("this tensor is no part of a mesh: its shape is not [sample, n, 3]")

// Array is the value of a part: for each sample N rows of three numbers.
type Array struct {
	Samples, N int
	Values     []float64 // sample by sample, row by row
}

// Read reads a serialised TensorProto. One of shape [n, 3] is of a single sample. Its errors
// wrap ErrShape, event.ErrNotNumbers or event.ErrMalformed.
func Read(tensor []byte) (a Array, err error) {
	shape, values, err := event.Numbers(tensor, nil)
	if err != nil {
		return Array{}, err
	}
	if len(shape) == 2 {
		shape = []int64{1, shape[0], shape[1]}
	}
	if len(shape) != 3 || shape[2] != 3 {
		return Array{}, fmt.Errorf("%w but %v", ErrShape, shape)
	}
	if len(values) == 0 { // its shape may say any number of samples of nothing
		return Array{}, nil
	}
	return Array{Samples: int(shape[0]), N: int(shape[1]), Values: values}, nil
}

// Sample are the rows of a sample, 0 to Samples − 1.
func (a Array) Sample(i int) []float64 { return a.Values[3*i*a.N : 3*(i+1)*a.N] }

// Append appends numbers as TensorBoard's route "data" gives those of a part: vertices as
// float32s, faces as int32s, colours as bytes, little endian. Numbers beyond a type's range
// become its nearest, NaN 0.
func (p Part) Append(b []byte, values []float64) []byte {
	for _, v := range values {
		switch p {
		case Face:
			b = binary.LittleEndian.AppendUint32(b, uint32(int32(within(v, math.MinInt32, math.MaxInt32))))
		case Color:
			b = append(b, uint8(within(v, 0, math.MaxUint8)))
		default:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
	}
	return b
}

func within(v, lo, hi float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, lo), hi)
}
