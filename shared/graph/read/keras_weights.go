package read

import (
	"encoding/json"
	"math"
)

// How many numbers a layer of Keras holds, trained or not, as its count_params() says: by its
// configuration and by the shape that it was built for (build_config, which Keras writes since 2.12).
// The formulas are those of keras/src/layers (add_weight in each build).

// shapes are those that a layer was built for: the input's, and by name where there are several.
// Dimensions that are not known are 0.
type built struct {
	Input json.RawMessage            `json:"input_shape"`
	Named map[string]json.RawMessage `json:"shapes_dict"`
}

// dims reads a shape, [null, 32, 64]; of a list of shapes the first one.
func dims(raw json.RawMessage) (out []float64) {
	var some []*float64
	if json.Unmarshal(raw, &some) != nil {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 || string(list[0]) == string(raw) {
			return nil
		}
		if json.Unmarshal(list[0], &some) != nil {
			return nil
		}
	}
	for _, d := range some {
		if d == nil {
			out = append(out, 0)
		} else {
			out = append(out, *d)
		}
	}
	return out
}

// settings is a layer's configuration.
type settings map[string]json.RawMessage

func (s settings) number(name string, other float64) float64 {
	var v float64
	if json.Unmarshal(s[name], &v) != nil || s[name] == nil || string(s[name]) == "null" {
		return other
	}
	return v
}

// one is 1 if a switch is on; it is on where nothing is said.
func (s settings) one(name string) float64 {
	if string(s[name]) == "false" {
		return 0
	}
	return 1
}

// product is that of a list, or of a number in n dimensions.
func (s settings) product(name string, n int) float64 {
	var list []float64
	if json.Unmarshal(s[name], &list) != nil {
		return math.Pow(s.number(name, 0), float64(n))
	}
	p := 1.0
	for _, v := range list {
		p *= v
	}
	return p
}

// channels is the size of the axis of channels.
func (s settings) channels(in []float64) float64 {
	if len(in) < 2 {
		return 0
	}
	if string(s["data_format"]) == `"channels_first"` {
		return in[1]
	}
	return in[len(in)-1]
}

// along is the product of a shape's axes; named is a list or a number, from the end where it is negative.
func (s settings) along(name string, in []float64) float64 {
	axes := []int{-1}
	var one int
	var list []int
	if json.Unmarshal(s[name], &list) == nil && s[name] != nil {
		axes = list
	} else if json.Unmarshal(s[name], &one) == nil && s[name] != nil {
		axes = []int{one}
	}
	p := 1.0
	for _, a := range axes {
		if a < 0 {
			a += len(in)
		}
		if a < 0 || a >= len(in) {
			return 0
		}
		p *= in[a]
	}
	return p
}

// mostNested bounds layers around layers.
const mostNested = 8

// weights is how many numbers a layer holds; 0 if the JSON does not tell.
func (l *layer) weights() float64 {
	var b built
	_ = json.Unmarshal(l.Build, &b) // what is not there is not known
	return weights(l.Class, l.Config, dims(b.Input), b.Named, 0)
}

func weights(class string, raw json.RawMessage, in []float64, named map[string]json.RawMessage, depth int) float64 {
	var c settings
	if json.Unmarshal(raw, &c) != nil || depth > mostNested {
		return 0
	}
	last := 0.0
	if len(in) > 1 {
		last = in[len(in)-1]
	}
	bias := c.one("use_bias")
	units := c.number("units", 0)
	spatial := map[string]int{"Conv1D": 1, "Conv2D": 2, "Conv3D": 3, "Conv1DTranspose": 1, "Conv2DTranspose": 2, "Conv3DTranspose": 3,
		"DepthwiseConv1D": 1, "DepthwiseConv2D": 2, "SeparableConv1D": 1, "SeparableConv2D": 2}[class]
	whole := func(n, needs float64) float64 { // nothing is known where the shape is not
		if needs <= 0 || !(n > 0) || n > 1e15 {
			return 0
		}
		return math.Round(n)
	}
	rnn := func(gates, biases float64) float64 {
		return whole(gates*units*(last+units+bias*biases), last)
	}
	switch class {
	case "Dense":
		return whole(units*(last+bias), last)
	case "Embedding":
		return whole(c.number("input_dim", 0)*c.number("output_dim", 0), 1)
	case "Conv1D", "Conv2D", "Conv3D":
		from, filters := c.channels(in), c.number("filters", 0)
		return whole(c.product("kernel_size", spatial)*from/max(1, c.number("groups", 1))*filters+bias*filters, from)
	case "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose":
		from, filters := c.channels(in), c.number("filters", 0)
		return whole(c.product("kernel_size", spatial)*from*filters+bias*filters, from)
	case "DepthwiseConv1D", "DepthwiseConv2D":
		from := c.channels(in) * c.number("depth_multiplier", 1)
		return whole(c.product("kernel_size", spatial)*from+bias*from, from)
	case "SeparableConv1D", "SeparableConv2D":
		from, filters := c.channels(in)*c.number("depth_multiplier", 1), c.number("filters", 0)
		return whole(c.product("kernel_size", spatial)*from+from*filters+bias*filters, from)
	case "BatchNormalization":
		n := c.along("axis", in)
		return whole(n*(c.one("scale")+c.one("center")+2), n)
	case "LayerNormalization":
		n := c.along("axis", in)
		center := c.one("center")
		if string(c["rms_scaling"]) == "true" {
			center = 0
		}
		return whole(n*(c.one("scale")+center), n)
	case "RMSNormalization":
		n := c.along("axis", in)
		return whole(n, n)
	case "GroupNormalization":
		n := c.along("axis", in)
		return whole(n*(c.one("scale")+c.one("center")), n)
	case "SimpleRNN":
		return rnn(1, 1)
	case "LSTM":
		return rnn(4, 1)
	case "GRU":
		return rnn(3, 1+c.one("reset_after"))
	case "MultiHeadAttention":
		size := func(name string, other float64) float64 {
			if d := dims(named[name]); len(d) > 0 {
				return d[len(d)-1]
			}
			return other
		}
		query := size("query_shape", 0)
		value := size("value_shape", query)
		key := size("key_shape", value)
		heads, of := c.number("num_heads", 0), c.number("key_dim", 0)
		each := c.number("value_dim", of)
		out := query
		if d := dims(c["output_shape"]); len(d) > 0 {
			out = d[len(d)-1]
		}
		return whole(heads*of*(query+bias)+heads*of*(key+bias)+heads*each*(value+bias)+out*(heads*each+bias), query)
	case "Bidirectional", "TimeDistributed":
		var inner struct {
			Class  string          `json:"class_name"`
			Config json.RawMessage `json:"config"`
		}
		if json.Unmarshal(c["layer"], &inner) != nil || inner.Config == nil {
			return 0
		}
		if class == "Bidirectional" {
			return 2 * weights(inner.Class, inner.Config, in, nil, depth+1)
		}
		if len(in) < 3 {
			return 0
		}
		return weights(inner.Class, inner.Config, append([]float64{in[0]}, in[2:]...), nil, depth+1)
	}
	return 0
}
