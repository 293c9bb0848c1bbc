package read

import (
	"errors"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// What TensorBoard's own routes answer for a logged graph (tensorboard/plugins/graph:
// graphs_plugin.py, graph_util.py, keras_util.py): a text of a GraphDef.

// errTorn says that a message ends too early or is damaged.
var errTorn = errors.New("the graph is torn or damaged: log it again, or copy the file again")

// errVersions is TensorBoard's own refusal.
var errVersions = errors.New("the graphs of this trace have different versions and are not joined: open them in the dashboard of graphs")

// Plain is the text of a GraphDef that a run has.
func Plain(b []byte) ([]byte, error) {
	if !pb.Valid(b) {
		return nil, errTorn
	}
	return Text(b), nil
}

// Traced is the text of the graphs of the functions in a RunMetadata, as they were before
// optimization. Of several all names begin with graph_1, graph_2, …; of none the text is
// empty.
func Traced(b []byte) ([]byte, error) {
	if !pb.Valid(b) {
		return nil, errTorn
	}
	var graphs [][]byte
	pb.Each(b, 0, func(x pb.Field) bool {
		if !x.Is(4) {
			return true
		}
		var before []byte // a message that is not there is an empty one
		pb.Each(x.Body, 0, func(y pb.Field) bool {
			if y.Is(2) {
				before = append(before, y.Body...) // parts of one message are one
			}
			return true
		})
		graphs = append(graphs, before)
		return true
	})
	if len(graphs) == 0 {
		return nil, nil
	}
	joined := graphs[0]
	if len(graphs) > 1 {
		var err error
		if joined, err = joinGraphs(graphs); err != nil {
			return nil, err
		}
	}
	return Plain(joined)
}

// joinGraphs joins graphs as TensorBoard does: nodes, functions and gradients are renamed, and an
// input that is a control input, too, gets its prefix in front of all of it.
func joinGraphs(graphs [][]byte) (out []byte, err error) {
	var library, versions []byte
	var first uint64
	for i, g := range graphs {
		prefix := "graph_" + strconv.Itoa(i+1)
		version, producer := []byte(nil), uint64(0)
		whole := pb.Each(g, 0, func(x pb.Field) bool {
			switch {
			case x.Is(1):
				out = msg(out, 1, renamedNode(x.Body, prefix))
			case x.Is(2):
				pb.Each(x.Body, 0, func(y pb.Field) bool {
					switch {
					case y.Is(1):
						library = msg(library, 1, renamed(y.Body, func(z pb.Field) []byte {
							if z.Is(1) {
								return renamed(z.Body, ahead(prefix+"_", 1))
							}
							return nil
						}))
					case y.Is(2):
						library = msg(library, 2, renamed(y.Body, ahead(prefix+"_", 1, 2)))
					}
					return true
				})
			case x.Is(4):
				version = x.Body
				pb.Each(x.Body, 0, func(y pb.Field) bool {
					if y.Int(1) {
						producer = y.V
					}
					return true
				})
			}
			return true
		})
		if whole != pb.Whole {
			return nil, errTorn
		}
		if i == 0 {
			first, versions = producer, version
		} else if producer != first {
			return nil, errVersions
		}
	}
	if len(library) > 0 {
		out = msg(out, 2, library)
	}
	if first != 0 {
		out = msg(out, 4, versions)
	}
	return out, nil
}

// renamed copies a message; of a field for which change gives bytes it has those.
func renamed(b []byte, change func(pb.Field) []byte) (out []byte) {
	at := 0
	pb.Each(b, 0, func(x pb.Field) bool {
		end := len(b)
		if x.Type == protowire.BytesType {
			end = x.Off + len(x.Body)
		} else if _, typ, n := protowire.ConsumeTag(b[x.Start:]); n > 0 {
			end = x.Start + n + max(protowire.ConsumeFieldValue(x.Num, typ, b[x.Start+n:]), 0)
		}
		at = x.Start
		if body := change(x); body != nil {
			out = msg(out, x.Num, body)
		} else {
			out = append(out, b[at:end]...)
		}
		return true
	})
	return out
}

// ahead puts a prefix before the strings of some fields.
func ahead(prefix string, fields ...protowire.Number) func(pb.Field) []byte {
	return func(x pb.Field) []byte {
		for _, f := range fields {
			if x.Is(f) {
				return append([]byte(prefix), x.Body...)
			}
		}
		return nil
	}
}

// renamedNode renames a node, its inputs, and the function that it calls if it is a
// PartitionedCall.
func renamedNode(b []byte, prefix string) []byte {
	call := false
	pb.Each(b, 0, func(x pb.Field) bool {
		call = call || x.Is(2) && string(x.Body) == "PartitionedCall"
		return true
	})
	return renamed(b, func(x pb.Field) []byte {
		switch {
		case x.Is(1), x.Is(3):
			return append([]byte(prefix+"/"), x.Body...)
		case x.Is(5) && call && keyOf(x.Body) == "f":
			return renamed(x.Body, func(y pb.Field) []byte { // an entry, its value, its func, that one's name
				if !y.Is(2) {
					return nil
				}
				return renamed(y.Body, func(z pb.Field) []byte {
					if z.Is(10) {
						return renamed(z.Body, ahead(prefix+"_", 1))
					}
					return nil
				})
			})
		}
		return nil
	})
}

func keyOf(entry []byte) (key string) {
	pb.Each(entry, 0, func(x pb.Field) bool {
		if x.Is(1) {
			key = string(x.Body)
		}
		return true
	})
	return key
}

// Conceptual is the text of a GraphDef with a node for each layer of a Keras model: its name,
// its inputs, its class and its type.
func Conceptual(b []byte) ([]byte, error) {
	f := &model.File{Form: model.Keras, Size: len(b)}
	if err := keras(f, b); err != nil {
		return nil, err
	}
	var out []byte
	for _, g := range f.Graphs {
		pb.Each(g.Data, 0, func(x pb.Field) bool {
			if !x.Is(1) {
				return true
			}
			var n []byte
			pb.Each(x.Body, 0, func(y pb.Field) bool {
				if y.Is(1) || y.Is(3) {
					n = msg(n, y.Num, y.Body)
				} else if y.Is(5) {
					if k := keyOf(y.Body); k == "keras_class" || k == "dtype" {
						n = msg(n, 5, y.Body)
					}
				}
				return true
			})
			out = msg(out, 1, n)
			return true
		})
	}
	return Text(out), nil
}
