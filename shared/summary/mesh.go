package summary

import (
	"encoding/json"
	"fmt"
	"math"

	pw "google.golang.org/protobuf/encoding/protowire"
)

// Mesh is a triangle mesh, or a point cloud if it has no faces.
type Mesh struct {
	Vertices [][3]float32 // x, y, z
	Faces    [][3]int32   // three indices into Vertices
	Colors   [][3]uint8   // red, green, blue of each vertex; nil or as many as Vertices
}

// MeshConfig is a JSON object with any of "camera", "lights" and "material",
// each with "cls", a THREE.js class, and its parameters. "" for defaults.
type MeshConfig string

// Content types of mesh parts (tensorboard/plugins/mesh/plugin_data.proto).
const (
	meshVertex = 1
	meshFace   = 2
	meshColor  = 3
)

// Mesh writes a mesh or point cloud.
func (w *Writer) Mesh(tag string, m Mesh, config MeshConfig, step int64, opts ...Option) error {
	return w.Meshes(tag, []Mesh{m}, config, step, opts...)
}

// Meshes writes several meshes of one tag and step; readers call them samples.
// They are stored in one tensor of shape [mesh, vertex, 3] for each part, under
// the tags <tag>_VERTEX, <tag>_FACE and <tag>_COLOR, and so must have equal
// numbers of vertices, faces and colours. A vertex that is not finite, or a face
// with an index beyond the vertices, is a *ValueError.
func (w *Writer) Meshes(tag string, meshes []Mesh, config MeshConfig, step int64, opts ...Option) error {
	s, err := gather("Mesh", tag, common, opts)
	if err != nil {
		return err
	}
	if err := checkTag(tag); err != nil {
		return err
	}
	if problem := checkMeshes(meshes, config); problem != "" {
		return &ValueError{"Mesh", tag, problem}
	}
	var vertices, faces, colors []byte
	for _, m := range meshes {
		for _, v := range m.Vertices {
			for _, x := range v {
				vertices = pw.AppendFixed32(vertices, math.Float32bits(x))
			}
		}
		for _, f := range m.Faces {
			for _, i := range f {
				faces = pw.AppendFixed32(faces, uint32(i))
			}
		}
		for _, c := range m.Colors {
			colors = append(colors, c[:]...)
		}
	}
	parts := []struct {
		content int64
		suffix  string
		dtype   DType
		n       int
		bytes   []byte
	}{
		{meshVertex, "_VERTEX", Float32, len(meshes[0].Vertices), vertices},
		{meshFace, "_FACE", Int32, len(meshes[0].Faces), faces},
		{meshColor, "_COLOR", Uint8, len(meshes[0].Colors), colors},
	}
	components := int64(0) // bit n: the part with content type n is there
	for _, p := range parts {
		if p.n > 0 {
			components |= 1 << p.content
		}
	}
	var values []Value
	for _, p := range parts {
		if p.n == 0 {
			continue
		}
		shape := []int64{int64(len(meshes)), int64(p.n), 3}
		content := putString(nil, 2, tag)
		content = putVarint(content, 3, p.content)
		content = putString(content, 5, string(config))
		content = putVarints(content, 6, shape)
		content = putVarint(content, 7, components)
		values = append(values, TensorValue(tag+p.suffix, ContentTensor(p.dtype, shape, p.bytes), s.metadata("mesh", content)))
	}
	return w.event(Event{Step: step, Values: values}, &s)
}

func checkMeshes(meshes []Mesh, config MeshConfig) string {
	if len(meshes) == 0 || len(meshes[0].Vertices) == 0 {
		return "there are no vertices"
	}
	if config != "" && !json.Valid([]byte(config)) {
		return "the configuration is not JSON"
	}
	first := meshes[0]
	for i, m := range meshes {
		if len(m.Vertices) != len(first.Vertices) || len(m.Faces) != len(first.Faces) || len(m.Colors) != len(first.Colors) {
			return fmt.Sprintf("mesh %d has other numbers of vertices, faces or colours than the first", i)
		}
		if len(m.Colors) > 0 && len(m.Colors) != len(m.Vertices) {
			return fmt.Sprintf("mesh %d has %d colours for %d vertices", i, len(m.Colors), len(m.Vertices))
		}
		for j, v := range m.Vertices {
			for _, x := range v {
				if notFinite(float64(x)) {
					return fmt.Sprintf("mesh %d: vertex %d is not finite", i, j)
				}
			}
		}
		for j, f := range m.Faces {
			for _, k := range f {
				if k < 0 || int(k) >= len(m.Vertices) {
					return fmt.Sprintf("mesh %d: face %d names vertex %d of %d", i, j, k, len(m.Vertices))
				}
			}
		}
	}
	return ""
}
