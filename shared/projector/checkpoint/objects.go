package checkpoint

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

const (
	// objectGraph is the key of the graph of objects that an object-based checkpoint was made of.
	objectGraph = "_CHECKPOINTABLE_OBJECT_GRAPH"
	// attribute ends the keys of variables of objects.
	attribute = "/.ATTRIBUTES/VARIABLE_VALUE"
	// largestGraph bounds the graph, which only gives names.
	largestGraph = 4 << 20
)

// objects returns the names that variables had, by key, of those whose name no other has:
// TrackableObjectGraph (tensorflow/core/protobuf/trackable_object_graph.proto) has nodes 1, these
// attributes 2 with full_name 2 and checkpoint_key 3. The graph is a tensor of one string:
// its length as a varint, a checksum of that, its bytes (WriteStringTensor of
// tensorflow/core/util/tensor_bundle/tensor_bundle.cc).
func (c *bundle) objects() (map[string]string, []*tensor.Trouble) {
	e, ok := c.entries[objectGraph]
	if !ok || e.size > largestGraph || e.dtype != "string" {
		return nil, nil
	}
	f, wrong := c.shard(e.shard)
	if wrong != nil {
		return nil, nil // each of its tensors says so
	}
	b, err := tensor.ReadFull(f, e.offset, e.size)
	if err != nil {
		return nil, []*tensor.Trouble{tensor.Wrong("damaged", f.Path(), "Variables go by the names of their keys.", "The names of objects cannot be read: %v.", err)}
	}
	n, k := binary.Uvarint(b)
	if k <= 0 || len(b) < k+4 || n != uint64(len(b)-k-4) {
		return nil, []*tensor.Trouble{tensor.Wrong("damaged", f.Path(), "Variables go by the names of their keys.", "The names of objects cannot be read.")}
	}
	names, count := map[string]string{}, map[string]int{}
	fields(b[k+4:], func(n protowire.Number, _ uint64, node []byte) bool {
		return n != 1 || fields(node, func(n protowire.Number, _ uint64, attr []byte) bool {
			if n != 2 {
				return true
			}
			var full, key string
			ok := fields(attr, func(n protowire.Number, _ uint64, b []byte) bool {
				switch n {
				case 2:
					full = string(b)
				case 3:
					key = string(b)
				}
				return true
			})
			if full != "" {
				names[key] = full
				count[full]++
			}
			return ok
		})
	})
	for key, full := range names {
		if count[full] > 1 {
			delete(names, key)
		}
	}
	return names, nil
}
