package inspect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/mesh"
)

// Part is a tag that holds vertices, faces or colours of a mesh, as its metadata say.
type Part struct {
	Tag    string  `json:"tag"`
	Part   string  `json:"part"`            // "vertices", "faces", "colours"
	Shape  []int64 `json:"shape,omitempty"` // of its first value: samples, rows, 3
	Values int64   `json:"values"`
	Config string  `json:"configuration,omitempty"` // what the scene's configuration names: "camera, lights"
}

// partNames are the parts of meshes as a user knows them.
var partNames = map[mesh.Part]string{mesh.Vertex: "vertices", mesh.Face: "faces", mesh.Color: "colours"}

// mesh notes what a tag's metadata say of a mesh.
func (t *Tag) mesh(m event.Meta) {
	if m.Plugin != mesh.Plugin {
		return
	}
	info, _ := mesh.DecodeInfo(m.Content) // of what is torn, what stands before
	t.part = &info
}

// Meshes are the parts of the run's meshes, by the name of the mesh; in a mesh vertices come first.
func (r *Run) Meshes() map[string][]Part {
	all := map[string][]Part{}
	for _, tag := range sortedKeys(r.Tags) {
		t := r.Tags[tag]
		if t.part == nil {
			continue
		}
		name, part := mesh.Split(tag)
		if t.part.Part != mesh.Undefined {
			part = t.part.Part
		}
		if t.part.Name != "" {
			name = t.part.Name
		}
		p := Part{Tag: tag, Part: partNames[part], Shape: t.part.Shape, Config: configured(t.part.Config)}
		if p.Part == "" {
			p.Part = "no part of a mesh"
		}
		for _, s := range t.Steps {
			p.Values += s.Count
		}
		all[name] = append(all[name], p)
	}
	order := []string{partNames[mesh.Vertex], partNames[mesh.Face], partNames[mesh.Color]}
	for _, parts := range all {
		slices.SortStableFunc(parts, func(a, b Part) int { return slices.Index(order, a.Part) - slices.Index(order, b.Part) })
	}
	return all
}

// configured says what a scene's configuration is about.
func configured(text string) string {
	var c map[string]json.RawMessage
	if text == "" || text == "null" || text == "{}" {
		return ""
	}
	if json.Unmarshal([]byte(text), &c) != nil {
		return "no JSON"
	}
	var names []string
	for _, name := range []string{"camera", "lights", "material"} {
		if c[name] != nil {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// meshLines writes a line for each mesh.
func (r *Run) meshLines(b *strings.Builder) {
	meshes := r.Meshes()
	for _, name := range sortedKeys(meshes) {
		var parts []string
		config := ""
		for _, p := range meshes[name] {
			text := p.Part
			if len(p.Shape) > 0 {
				text += " " + strings.ReplaceAll(strings.Trim(fmt.Sprint(p.Shape), "[]"), " ", " × ")
			}
			parts = append(parts, fmt.Sprintf("%s, %s", text, count(p.Values, "value")))
			if p.Config != "" {
				config = "; its scene's configuration: " + p.Config
			}
		}
		fmt.Fprintf(b, "  mesh %s: %s%s\n", safe(name), strings.Join(parts, "; "), config)
	}
}
