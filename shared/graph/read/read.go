// Package read makes a model of the bytes of a graph, whatever form they have. It finds the form
// by itself, and reads what is torn or damaged up to the damage: what was whole is kept, what was
// lost is told with its offset.
//
// Nothing here recurses by the depth of a file, and no length in a file sizes an allocation: lists
// grow by what has been read.
package read

import (
	"bytes"
	"errors"

	"github.com/tensorbored/tensorbored-static/shared/graph/model"
	"github.com/tensorbored/tensorbored-static/shared/graph/pb"
)

// ErrForm says that the bytes are no graph in any form that is known.
var ErrForm = errors.New("this is no graph that can be read: expected a GraphDef, MetaGraphDef, SavedModel or RunMetadata (.pb), a text of a GraphDef (.pbtxt), the JSON of a Keras model, or an ONNX model; check that the whole file was chosen")

// ErrEmpty says that the bytes have a known form and hold no node.
var ErrEmpty = errors.New("the file holds no node; log the graph again, or choose another file")

// File reads bytes. The result refers to them: they must not change.
func File(b []byte) (*model.File, error) {
	form := Detect(b)
	f := &model.File{Form: form, Size: len(b)}
	switch form {
	case model.GraphDef:
		f.Graphs = append(f.Graphs, graphDef(f, b, []part{{body: b}}, model.GraphDef, ""))
	case model.MetaGraph:
		metaGraph(f, b, b, 0, model.MetaGraph)
	case model.SavedModel:
		savedModel(f, b)
	case model.RunMetadata:
		runMetadata(f, b)
	case model.Keras:
		if err := keras(f, b); err != nil {
			return nil, err
		}
	case model.PBText:
		pbtxt(f, b)
	case model.ONNX:
		onnx(f, b)
	default:
		return nil, ErrForm
	}
	nodes := 0
	for _, g := range f.Graphs {
		nodes += len(g.Nodes)
	}
	if nodes == 0 && len(f.Stats) == 0 {
		return nil, ErrEmpty
	}
	if len(f.Graphs) == 0 {
		f.Graphs = append(f.Graphs, &model.Graph{Form: form, Data: b})
	}
	return f, nil
}

// Metadata reads the statistics of a RunMetadata, for a graph that came from elsewhere.
func Metadata(b []byte) (*model.File, error) {
	if Detect(b) != model.RunMetadata {
		return nil, errors.New("this is no RunMetadata: choose the file or the tag that tf.summary.trace_export or add_run_metadata wrote")
	}
	f := &model.File{Form: model.RunMetadata, Size: len(b)}
	runMetadata(f, b)
	return f, nil
}

// torn notes where the file ends too early.
func torn(f *model.File, at int, what string) {
	f.Losses.Add("torn", at, "The file ends in the middle of %s. What stands before is shown; the rest was not written or not copied: copy the file again.", what)
}

func damaged(f *model.File, at int, what string) {
	f.Losses.Add("damaged", at, "%s is damaged and was left out.", what)
}

// Detect tells the form of b, Unknown if it has none.
func Detect(b []byte) model.Form {
	t := bytes.TrimLeft(b[:min(len(b), 4096)], " \t\r\n\ufeff")
	if len(t) > 0 && (t[0] == '{' || t[0] == '"') {
		return model.Keras
	}
	if isText(b) {
		return model.PBText
	}
	return binary(b)
}

// isText: a text of a protocol buffer begins with a comment or a field's name, and "{" or ":".
func isText(b []byte) bool {
	b = b[:min(len(b), 4096)]
	for len(b) > 0 {
		b = bytes.TrimLeft(b, " \t\r\n")
		if len(b) == 0 || b[0] != '#' {
			break
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			return false
		}
		b = b[i:]
	}
	i := 0
	for i < len(b) && (b[i] == '_' || b[i] >= 'a' && b[i] <= 'z' || b[i] >= '0' && b[i] <= '9') {
		i++
	}
	if i == 0 || b[0] >= '0' && b[0] <= '9' {
		return false
	}
	switch string(b[:i]) {
	case "node", "library", "versions", "version", "debug_info", "graph_def", "meta_info_def", "saver_def", "collection_def", "signature_def":
	default:
		return false
	}
	rest := bytes.TrimLeft(b[i:], " \t\r\n")
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == ':' || rest[0] == '<')
}

// binary tells forms of protocol buffers apart by what their first fields hold. It looks at a
// bounded number of fields, and a torn last one counts as much as it can.
func binary(b []byte) model.Form {
	var graph, meta, run, saved, onnx int
	seen := 0
	pb.Each(b, 0, func(x pb.Field) bool {
		seen++
		switch {
		case x.Is(1):
			if isNode(x.Body) {
				graph += 4
			}
			if isStepStats(x.Body) {
				run += 4
			}
			if isMetaInfo(x.Body) {
				meta++
			}
		case x.Is(2):
			if isGraph(x.Body) {
				meta += 4
			}
			if holdsGraph(x.Body, 2) {
				saved += 4
			}
			if isLibrary(x.Body) {
				graph += 2
			}
		case x.Is(3):
			if isGraph(x.Body) {
				run += 3
			}
		case x.Is(4):
			if holdsGraph(x.Body, 1) || holdsGraph(x.Body, 2) || holdsGraph(x.Body, 3) {
				run += 3
			} else if isVersions(x.Body) {
				graph++
			}
		case x.Int(1):
			saved++
			onnx++
		case x.Is(7):
			if isONNXGraph(x.Body) {
				onnx += 4
			}
		case x.Is(8):
			onnx++
		}
		return seen < 64
	})
	best, form := 1, model.Unknown
	for _, c := range []struct {
		score int
		form  model.Form
	}{{graph, model.GraphDef}, {meta, model.MetaGraph}, {run, model.RunMetadata}, {saved, model.SavedModel}, {onnx, model.ONNX}} {
		if c.score > best {
			best, form = c.score, c.form
		}
	}
	return form
}

// some goes over the first fields of a message.
func some(b []byte, f func(x pb.Field) bool) {
	n := 0
	pb.Each(b, 0, func(x pb.Field) bool { n++; return f(x) && n < 16 })
}

// isNode: a NodeDef has a name (1), an op (2), inputs (3), a device (4) and attributes (5).
func isNode(b []byte) bool {
	name, ok := false, true
	some(b, func(x pb.Field) bool {
		switch x.Num {
		case 1, 2, 3, 4:
			ok = ok && x.Is(x.Num) && plain(x.Body)
			name = name || x.Num == 2 && len(x.Body) > 0 && len(x.Body) < 256 && !x.Torn && word(x.Body)
		case 5, 6, 7:
			ok = ok && x.Is(x.Num)
		default:
			ok = false
		}
		return ok
	})
	return ok && name
}

// word: an op's type is made of letters, digits and a few signs; a device and a version are not.
func word(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c == '/' || c >= 0x7f {
			return bytes.Equal(b, []byte("IO Node")) || bytes.IndexByte(b, '/') > 0 && b[0] != '/' || c == ' ' && b[0] > ' '
		}
	}
	return true
}

// plain: a name has no control characters.
func plain(b []byte) bool {
	for _, c := range b[:min(len(b), 512)] {
		if c < ' ' && c != '\t' && c != '\n' {
			return false
		}
	}
	return true
}

func isGraph(b []byte) bool {
	found := false
	some(b, func(x pb.Field) bool {
		found = found || x.Is(1) && isNode(x.Body) || x.Is(2) && isLibrary(x.Body)
		return !found
	})
	return found
}

func holdsGraph(b []byte, num int32) bool {
	found := false
	some(b, func(x pb.Field) bool {
		found = found || x.Is(2) && num == 2 && isGraph(x.Body) || x.Is(1) && num == 1 && isGraph(x.Body) || x.Is(3) && num == 3 && isGraph(x.Body)
		return !found
	})
	return found
}

// isLibrary: functions (1), each with a signature (1) that has a name (1).
func isLibrary(b []byte) bool {
	found := false
	some(b, func(x pb.Field) bool {
		if x.Is(1) {
			some(x.Body, func(y pb.Field) bool {
				if y.Is(1) {
					some(y.Body, func(z pb.Field) bool {
						found = found || z.Is(1) && len(z.Body) > 0 && plain(z.Body)
						return !found
					})
				}
				return !found
			})
		}
		return !found
	})
	return found
}

// isStepStats: devices (1) with a name (1) and nodes (2).
func isStepStats(b []byte) bool {
	found := false
	some(b, func(x pb.Field) bool {
		if x.Is(1) {
			some(x.Body, func(y pb.Field) bool {
				found = found || y.Is(1) && len(y.Body) > 1 && y.Body[0] == '/' && plain(y.Body)
				return !found
			})
		}
		return !found
	})
	return found
}

func isMetaInfo(b []byte) bool {
	ok, any := true, false
	some(b, func(x pb.Field) bool {
		any = any || x.Is(5) || x.Is(2) || x.Is(4)
		ok = ok && x.Num >= 1 && x.Num <= 8
		return ok
	})
	return ok && any && !isNode(b)
}

func isVersions(b []byte) bool {
	ok := len(b) > 0
	some(b, func(x pb.Field) bool { ok = ok && x.Num <= 3; return ok })
	return ok
}

// isONNXGraph: nodes (1) with an op_type (4), or a name (2) and inputs or initialisers.
func isONNXGraph(b []byte) bool {
	found := false
	some(b, func(x pb.Field) bool {
		switch {
		case x.Is(1):
			some(x.Body, func(y pb.Field) bool {
				found = found || y.Is(4) && len(y.Body) > 0 && plain(y.Body)
				return !found
			})
		case x.Is(5), x.Is(11), x.Is(12):
			found = true
		}
		return !found
	})
	return found
}
