package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/attr"
	"github.com/tensorbored/tensorbored-static/shared/graph/model"
)

// ErrKeras says that a JSON is not a model of Keras.
var ErrKeras = errors.New("this JSON is no Keras model: write it with model.to_json() or log it with tf.keras.callbacks.TensorBoard")

// A Keras model becomes a GraphDef, one node for each layer, as in TensorBoard
// (tensorboard/plugins/graph/keras_util.py): the name is scope/layer, a nested model is a scope,
// inputs come from inbound_nodes, in a Sequential from the layer before. What TensorBoard leaves
// out is here: the old forms of inbound_nodes ([["name", 0, 0, {}]], of Keras 1 and 2), tensors
// among the keyword arguments of a call, what is in lists and dictionaries of tensors, and each
// layer's whole configuration, as attributes.

// layer is one layer or model of the JSON.
type layer struct {
	Class   string          `json:"class_name"`
	Name    string          `json:"name"`
	Config  json.RawMessage `json:"config"`
	Inbound json.RawMessage `json:"inbound_nodes"`
	Build   json.RawMessage `json:"build_config"`

	scope string
	model *layer // it is in
	conf  config
	depth int // models around it
}

type config struct {
	Name       string            `json:"name"`
	Layers     []json.RawMessage `json:"layers"`
	Inputs     json.RawMessage   `json:"input_layers"`
	Outputs    json.RawMessage   `json:"output_layers"`
	DType      json.RawMessage   `json:"dtype"`
	BatchShape []*int64          `json:"batch_shape"`
	OldShape   []*int64          `json:"batch_input_shape"`
}

const (
	maxLayers = 1 << 20
	maxModels = 100 // within each other; each level is parsed again by the one around it
)

func keras(f *model.File, b []byte) error {
	b = bytes.TrimLeft(b, " \t\r\n\ufeff")
	if len(b) > 0 && b[0] == '"' { // to_json() that was put into JSON once more
		var s string
		if json.Unmarshal(b, &s) == nil {
			b = []byte(s)
		}
	}
	var root layer
	if err := json.Unmarshal(b, &root); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("the JSON is damaged or ends too early, at byte %d: write or copy it again (%w)", syntax.Offset, err)
		}
		return ErrKeras
	}
	if root.Class == "" && root.Config == nil { // {"model_config": {…}}, of HDF5 files and older callbacks
		var wrapped struct {
			Model json.RawMessage `json:"model_config"`
		}
		if json.Unmarshal(b, &wrapped) == nil && wrapped.Model != nil {
			root = layer{}
			if json.Unmarshal(wrapped.Model, &root) != nil {
				return ErrKeras
			}
		}
	}
	if root.Config == nil {
		return ErrKeras
	}
	k := &kerasReader{f: f, outputs: map[string][]string{}, inputs: map[string][]string{}}
	k.read(&root)
	data := k.out
	g := graphDef(f, data, []part{{body: data}}, model.Keras, root.conf.Name)
	for i := range g.Nodes {
		g.Nodes[i].Kind = model.Layer
		if g.Nodes[i].Op == "InputLayer" {
			g.Nodes[i].Kind = model.Input
		}
	}
	for i := range f.Losses.List {
		f.Losses.List[i].Offset = -1
	}
	f.Graphs = append(f.Graphs, g)
	return nil
}

type kerasReader struct {
	f       *model.File
	out     []byte
	outputs map[string][]string // nodes that are the outputs of a nested model, by its name
	inputs  map[string][]string // what feeds an input layer of a nested model
	count   int
}

// configure reads the configuration of a layer; in the oldest form of Sequential it is the list
// of layers itself.
func (l *layer) configure() error {
	if err := json.Unmarshal(l.Config, &l.conf); err != nil {
		var list []json.RawMessage
		if json.Unmarshal(l.Config, &list) != nil {
			var loose struct {
				Name string `json:"name"`
			}
			if json.Unmarshal(l.Config, &loose) != nil {
				return err
			}
			l.conf = config{Name: loose.Name}
			return nil
		}
		l.conf = config{Name: "sequential", Layers: list}
	}
	if l.conf.Name == "" {
		l.conf.Name = l.Name
	}
	return nil
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "/" + name
}

// read walks the layers in the order of the file, models before what is in them. It keeps what
// is left to do on a stack of its own.
func (k *kerasReader) read(root *layer) {
	if err := root.configure(); err != nil {
		damaged(k.f, -1, "The model's configuration")
		return
	}
	prev := ""
	stack := []*layer{root}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if k.count++; k.count > maxLayers {
			k.f.Losses.Add("too-many", -1, "The model has more than %d layers; the others are left out.", maxLayers)
			return
		}
		if l.conf.Layers == nil {
			prev = k.layer(l, prev)
			continue
		}
		if l.depth > maxModels {
			k.f.Losses.Add("too-deep", -1, "A model within %d others is left out.", maxModels)
			continue
		}
		name := join(l.scope, l.conf.Name)
		k.enter(l, name, &prev)
		children := make([]*layer, 0, 16)
		for _, raw := range l.conf.Layers {
			c := &layer{scope: name, model: l, depth: l.depth + 1}
			if json.Unmarshal(raw, c) != nil || c.Config == nil || c.configure() != nil {
				damaged(k.f, -1, "A layer of "+model.Quote(name))
				continue
			}
			children = append(children, c)
		}
		if len(refs(l.conf.Outputs)) == 0 && len(children) > 0 {
			k.outputs[name] = []string{join(name, children[len(children)-1].conf.Name)}
		}
		for i := len(children) - 1; i >= 0; i-- {
			stack = append(stack, children[i])
		}
	}
}

// enter notes what feeds a model's inputs and which nodes are its outputs.
func (k *kerasReader) enter(l *layer, name string, prev *string) {
	ins, outs := refs(l.conf.Inputs), refs(l.conf.Outputs)
	inbound := k.inbound(l)
	switch {
	case len(ins) > 0 && len(inbound) > 0:
		for i, in := range ins {
			for j := i; j < len(inbound); j += len(ins) { // a model that is called twice is fed twice
				k.inputs[join(name, in.name)] = append(k.inputs[join(name, in.name)], inbound[j])
			}
		}
		*prev = ""
	case len(ins) > 0 && *prev != "":
		k.inputs[join(name, ins[0].name)] = append(k.inputs[join(name, ins[0].name)], *prev)
		*prev = ""
	case len(ins) == 0 && len(inbound) > 0:
		// A Sequential in a functional model: its first layer gets what the model gets.
		*prev = inbound[0]
		if first := firstLayer(l); first != "" && len(inbound) > 1 {
			k.inputs[join(name, first)] = append(k.inputs[join(name, first)], inbound[1:]...)
		}
	case l.model != nil && l.model.functional():
		*prev = ""
	}
	for _, o := range outs {
		k.outputs[name] = append(k.outputs[name], join(name, o.name))
	}
}

func firstLayer(l *layer) string {
	if len(l.conf.Layers) == 0 {
		return ""
	}
	c := &layer{}
	if json.Unmarshal(l.conf.Layers[0], c) != nil || c.Config == nil || c.configure() != nil {
		return ""
	}
	return c.conf.Name
}

func (l *layer) functional() bool {
	return len(refs(l.conf.Inputs)) > 0 || len(refs(l.conf.Outputs)) > 0
}

// ref is ["name", node, tensor].
type ref struct {
	name  string
	index int
}

// refs reads input_layers or output_layers: one reference, a list, or a dictionary of them.
func refs(raw json.RawMessage) (out []ref) {
	if len(raw) == 0 {
		return nil
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	collect(v, func(r ref) { out = append(out, r) }, false)
	return out
}

// collect finds the references in a tree of lists and dictionaries, in order: ["name", 0, 0], or
// tensors of Keras 3, whose config holds such a history. It keeps a stack, as files may be deep.
func collect(v any, f func(ref), tensors bool) {
	type todo struct{ v any }
	stack := []todo{{v}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch x := t.v.(type) {
		case []any:
			if r, ok := reference(x); ok {
				f(r)
				if len(x) > 3 { // Keras 2 puts tensors among keyword arguments behind it
					if kw, ok := x[3].(map[string]any); ok {
						names := sorted(kw)
						for i := len(names) - 1; i >= 0; i-- {
							stack = append(stack, todo{kw[names[i]]})
						}
					}
				}
				continue
			}
			for i := len(x) - 1; i >= 0; i-- {
				stack = append(stack, todo{x[i]})
			}
		case map[string]any:
			if x["class_name"] == "__keras_tensor__" {
				if c, ok := x["config"].(map[string]any); ok {
					if h, ok := c["keras_history"].([]any); ok {
						if r, ok := reference(h); ok {
							f(r)
						}
					}
				}
				continue
			}
			names := sorted(x)
			for i := len(names) - 1; i >= 0; i-- {
				if n := names[i]; n == "args" || n == "kwargs" || !tensors {
					stack = append(stack, todo{x[n]})
				} else if _, ok := x["args"]; !ok {
					stack = append(stack, todo{x[n]})
				}
			}
		}
	}
}

func sorted(m map[string]any) []string {
	return slices.Sorted(maps.Keys(m))
}

func reference(x []any) (ref, bool) {
	if len(x) < 3 {
		return ref{}, false
	}
	name, ok := x[0].(string)
	a, ok1 := x[1].(float64)
	b, ok2 := x[2].(float64)
	if !ok || !ok1 || !ok2 || a != a || b < 0 || b > 1e9 {
		return ref{}, false
	}
	return ref{name, int(b)}, true
}

// inbound are the nodes that feed a layer or a model, models resolved to their outputs.
func (k *kerasReader) inbound(l *layer) (names []string) {
	if len(l.Inbound) == 0 {
		return nil
	}
	var v any
	if json.Unmarshal(l.Inbound, &v) != nil {
		return nil
	}
	seen := map[string]bool{}
	collect(v, func(r ref) {
		name := join(l.scope, r.name)
		index := r.index
		for hops := 0; hops < 1000; hops++ { // a model's output may be a model
			outs, ok := k.outputs[name]
			if !ok || len(outs) == 0 {
				break
			}
			name = outs[min(index, len(outs)-1)]
			index = 0
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}, true)
	return names
}

// layer writes the node of a layer and returns its name.
func (k *kerasReader) layer(l *layer, prev string) string {
	name := join(l.scope, l.conf.Name)
	var n []byte
	n = str(n, 1, name)
	n = str(n, 2, l.Class)
	ins := k.inbound(l)
	functional := l.model != nil && l.model.functional()
	if l.Inbound == nil && !functional && prev != "" {
		ins = append(ins, prev)
	}
	ins = append(ins, k.inputs[name]...)
	for _, in := range ins {
		n = str(n, 3, in)
	}
	n = attribute(n, "keras_class", str(nil, 2, l.Class))
	if t := dtype(l.conf.DType); t != "" {
		if v := attr.TypeNumber(t); v != 0 {
			n = attribute(n, "dtype", protowire.AppendVarint(protowire.AppendTag(nil, 6, protowire.VarintType), v))
		} else {
			n = attribute(n, "dtype", str(nil, 2, t))
		}
	}
	shape := l.conf.BatchShape
	if shape == nil {
		shape = l.conf.OldShape
	}
	if shape != nil {
		n = attribute(n, "batch_shape", msg(nil, 7, shapeProto(shape)))
	}
	var rest map[string]json.RawMessage
	if json.Unmarshal(l.Config, &rest) == nil {
		for _, key := range slices.Sorted(maps.Keys(rest)) {
			if key == "name" || key == "dtype" || key == "batch_shape" || key == "batch_input_shape" {
				continue
			}
			n = attribute(n, key, scalar(rest[key]))
		}
	}
	if w := l.weights(); w > 0 {
		n = attribute(n, attr.Parameters, protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), uint64(w)))
	}
	k.out = msg(k.out, 1, n)
	return name
}

// scalar makes an AttrValue of a value of JSON: booleans, whole and other numbers, strings, and
// everything else as its JSON.
func scalar(raw json.RawMessage) []byte {
	t := strings.TrimSpace(string(raw))
	switch {
	case t == "true":
		return []byte{5 << 3, 1}
	case t == "false":
		return []byte{5 << 3, 0}
	}
	if v, err := strconv.ParseInt(t, 10, 64); err == nil {
		return protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), uint64(v))
	}
	var s string
	if json.Unmarshal(raw, &s) == nil && t != "null" {
		return str(nil, 2, s)
	}
	return str(nil, 2, t)
}

// dtype reads "float32", or Keras 3's {"class_name": "DTypePolicy", "config": {"name": "float32"}}.
func dtype(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var p struct {
		Config struct {
			Name string `json:"name"`
		} `json:"config"`
	}
	if json.Unmarshal(raw, &p) == nil {
		return p.Config.Name
	}
	return ""
}

func shapeProto(dims []*int64) (b []byte) {
	for _, d := range dims {
		v := int64(-1)
		if d != nil {
			v = *d
		}
		b = msg(b, 2, protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(v)))
	}
	return b
}

func str(b []byte, num protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), s)
}

func msg(b []byte, num protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), m)
}

func attribute(b []byte, name string, value []byte) []byte {
	return msg(b, 5, msg(str(nil, 1, name), 2, value))
}
