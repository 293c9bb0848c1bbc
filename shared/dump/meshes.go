package dump

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sort"
	"strconv"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/kind/values"
	"github.com/tensorbored/tensorbored-static/shared/mesh"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// meshPart is one logged value: the vertices, faces or colours of all samples of a step.
type meshPart struct {
	wall    *float64
	step    int64
	info    mesh.Info
	samples []json.RawMessage // what is said of each sample's numbers
	err     error
}

// meshes writes the section "mesh": {run: {name: [sample, …]}}, for each sample of a mesh a
// list over steps and parts as TensorBoard's route "meshes" gives it, with the numbers, which
// its route "data" gives, as {"bytes", "sha256"}. What could not be read is {"error": message}.
func (w *writer) meshes(c *catalog.Catalog, ask answer.Asker) error {
	w.Raw(",\n\"mesh\": {")
	comma := ""
	for _, name := range slices.Sorted(maps.Keys(c.Runs)) {
		type tagged struct {
			tag  string
			info mesh.Info
		}
		of := map[string][]tagged{}
		c.Runs[name].Tags(func(t *catalog.Tag, is wire.Tag) {
			if is.Plugin != mesh.Plugin || is.Points == 0 {
				return
			}
			// Torn metadata may have a name all the same; the tag says the rest.
			info, err := mesh.DecodeInfo(t.Content)
			if of, part := mesh.Split(t.Shown); err != nil || info.Part == mesh.Undefined {
				info.Name, info.Part = of, part
			}
			shown := catalog.Text(info.Name)
			of[shown] = append(of[shown], tagged{t.Shown, info})
		})
		if len(of) == 0 {
			continue
		}
		w.Raw(comma + "\n")
		comma = ","
		w.Text(catalog.Text(name))
		w.Raw(": {")
		for i, tag := range slices.Sorted(maps.Keys(of)) {
			if i > 0 {
				w.Raw(",")
			}
			w.Raw("\n ")
			w.Text(tag)
			w.Raw(": ")
			var all []meshPart
			for _, t := range of[tag] {
				parts, err := meshParts(ask, name, t.tag, t.info)
				if err != nil {
					return err
				}
				all = append(all, parts...)
			}
			w.mesh(all)
		}
		w.Raw("}")
	}
	w.Raw("\n}")
	return w.Flush()
}

// meshParts reads all values of a tag.
func meshParts(ask answer.Asker, run, tag string, info mesh.Info) (all []meshPart, err error) {
	var bytes []byte
	number := -1
	end := func() {
		if number < 0 {
			return
		}
		p := &all[len(all)-1]
		a, err := mesh.Read(bytes)
		if p.err == nil {
			p.err = err
		}
		if p.err != nil {
			return
		}
		for i := range a.Samples {
			b := info.Part.Append(nil, a.Sample(i))
			sum := sha256.Sum256(b)
			p.samples = append(p.samples, json.RawMessage(`{"bytes": `+strconv.Itoa(len(b))+`, "sha256": "`+hex.EncodeToString(sum[:])+`"}`))
		}
	}
	q := values.Query{Query: stored.Query{N: 1 << 30}}.For(run, tag)
	q.Every = true
	err = ask(q, func(out *answer.Out) error {
		for _, p := range out.Parts.([]values.Part) {
			for _, item := range p.Items {
				if item.Number != number {
					end()
					number, bytes = item.Number, bytes[:0]
					all = append(all, meshPart{wall: item.Wall, step: item.Step, info: info})
				}
				if item.Error != "" {
					all[len(all)-1].err = errors.New(item.Error)
				}
				bytes = append(bytes, out.Bytes[item.Offset:item.Offset+item.Length]...)
			}
		}
		return nil
	})
	end()
	return all, err
}

// mesh writes what there is of one mesh, by sample.
func (w *writer) mesh(all []meshPart) {
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return a.step < b.step || a.step == b.step && a.info.Part < b.info.Part
	})
	samples := 1
	for i := range all {
		samples = max(samples, len(all[i].samples))
	}
	w.Raw("[")
	for s := range samples {
		if s > 0 {
			w.Raw(", ")
		}
		w.Raw("[")
		comma := ""
		for i := range all {
			p := &all[i]
			if s >= len(p.samples) && (p.err == nil || s > 0) {
				continue
			}
			w.Raw(comma + `{"wall_time": `)
			comma = ", "
			if p.wall == nil {
				w.Raw("null")
			} else {
				w.Number(*p.wall)
			}
			shape, err := json.Marshal(append([]int64{}, p.info.Shape...))
			if err != nil {
				panic("dump: internal error: " + err.Error())
			}
			w.Raw(`, "step": ` + strconv.FormatInt(p.step, 10) + `, "content_type": ` + strconv.Itoa(int(p.info.Part)) +
				`, "components": ` + strconv.FormatUint(uint64(p.info.Components), 10) + `, "config": `)
			w.Text(p.info.Config)
			w.Raw(`, "data_shape": ` + string(shape))
			if p.err != nil {
				w.Raw(`, "error": `)
				w.Text(p.err.Error())
			} else {
				w.Raw(`, "data": ` + string(p.samples[s]))
			}
			w.Raw("}")
		}
		w.Raw("]")
	}
	w.Raw("]")
}
