// Package model is a computation graph as it was read, whatever wrote it: nodes, what feeds them,
// functions. It keeps names and numbers of nodes; attributes stay in the bytes they came in, and
// are found there when somebody asks (package attr). So a graph of 100,000 ops costs some 10 MB
// beside its file, and a constant of 100 MB costs nothing.
//
// All indexes are int32, all lists are flat: nothing here is a pointer per node.
package model

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Form is what the bytes of a graph are.
type Form uint8

const (
	Unknown     Form = iota
	GraphDef         // nodes are NodeDefs
	MetaGraph        // MetaGraphDef; nodes are NodeDefs
	SavedModel       // SavedModel; nodes are NodeDefs
	RunMetadata      // RunMetadata; nodes are NodeDefs
	Keras            // JSON of Keras, made NodeDefs of
	PBText           // text of a GraphDef, made NodeDefs of
	ONNX             // ModelProto; nodes are NodeProtos and TensorProtos
	Union            // two graphs, compared
)

var forms = [...]string{"unknown", "graphdef", "metagraph", "savedmodel", "runmetadata", "keras", "pbtxt", "onnx", "comparison"}

func (f Form) String() string { return forms[f] }

// Kind is what a node is, where its form tells.
type Kind uint8

const (
	Op Kind = iota
	Constant
	Variable
	Placeholder
	Summary
	Layer
	Input
	Output
	Parameter
)

var kinds = [...]string{"op", "constant", "variable", "placeholder", "summary", "layer", "input", "output", "parameter"}

func (k Kind) String() string { return kinds[k] }

// Range is a part of a graph's Data.
type Range struct{ Off, Len int }

// Node is an op, a layer, an input or an initialiser.
type Node struct {
	Name   string
	Path   string // where it stands in the hierarchy, if that is not Name
	Op     string // its type; interned
	Device string // in full; interned
	Raw    Range  // its message in Data: a NodeDef; of ONNX a NodeProto, or a TensorProto (Parameter), or a ValueInfoProto (Input, Output)
	In0    int32  // its inputs are Inputs[In0:In0+InN]
	InN    int32
	Func   int32 // index into Functions; -1 of the graph itself
	Kind   Kind
	Side   int8 // which Data Raw is in: 0, or 1 for a node that only the older of two graphs has
}

// Edge is an input of a node. Inputs are in the node's order.
type Edge struct {
	From    int32 // node; -1 if it names nothing
	Port    int32 // output of that node; -1 for a control input
	Control bool
	Mark    Mark // in a comparison
}

// Mark is what became of a node or an edge between two graphs.
type Mark uint8

const (
	Same Mark = iota
	Added
	Removed
	Changed
	Renamed
)

var marks = [...]string{"same", "added", "removed", "changed", "renamed"}

func (m Mark) String() string { return marks[m] }

// Function is one of a library. Its nodes are Nodes[First:Last].
type Function struct {
	Name        string
	First, Last int32
	Raw         Range // its FunctionDef, FunctionProto or GraphProto
}

// Graph is one graph of a file.
type Graph struct {
	Name      string
	Form      Form
	Data      []byte // what Raw of nodes and functions refers to
	Nodes     []Node
	Inputs    []Edge
	Functions []Function
	Missing   []Missing        // inputs that name nothing
	Library   []Range          // FunctionDefLibrary messages, for export
	Versions  Range            // VersionDef, for export
	Values    map[string]Range // ONNX: ValueInfoProto by name of the value
	Producer  int

	// Of a comparison:
	Marks  []Mark  // by node
	Old    []int32 // by node: its partner in Before; -1
	Before *Graph
	After  *Graph
}

// Missing is an input that names nothing.
type Missing struct {
	Node  int32
	Input string
}

// In returns the inputs of node i.
func (g *Graph) In(i int32) []Edge {
	n := &g.Nodes[i]
	return g.Inputs[n.In0 : n.In0+n.InN]
}

// Bytes returns the message of node i.
func (g *Graph) Bytes(i int32) []byte {
	n := &g.Nodes[i]
	d := g.Data
	if n.Side == 1 && g.Before != nil {
		d = g.Before.Data
	}
	if n.Raw.Off < 0 || n.Raw.Len < 0 || n.Raw.Off+n.Raw.Len > len(d) {
		return nil
	}
	return d[n.Raw.Off : n.Raw.Off+n.Raw.Len]
}

// FormOf is the form of node i's message.
func (g *Graph) FormOf(i int32) Form {
	if g.Form != Union {
		return g.Form
	}
	if g.Nodes[i].Side == 1 {
		return g.Before.Form
	}
	return g.After.Form
}

// PathOf is where node i stands among the nodes of its graph or function.
func (g *Graph) PathOf(i int32) string {
	if n := &g.Nodes[i]; n.Path != "" {
		return n.Path
	}
	return g.Nodes[i].Name
}

// File is what was read of some bytes.
type File struct {
	Form   Form
	Size   int
	Graphs []*Graph
	Stats  []Stats
	Losses Losses
}

// Stats is what RunMetadata tells of one execution of a node.
type Stats struct {
	Name   string // of the node, without the label's ":Op"
	Device string
	Start  int64   // microseconds
	Micros float64 // all_end - all_start
	Bytes  int64   // total_bytes of all allocators
	Output int64   // bytes of the outputs' allocations
	Shapes []string
}

// Loss is something that could not be shown, or not as it was written.
type Loss struct {
	Code    string // see package explore
	Offset  int    // in the file; -1 if it has no place
	Message string // what happened, and what that means for the reader
	Count   int
}

// Losses collects what was lost: the first of each kind with their places, and how many.
type Losses struct {
	List  []Loss
	Total int
}

const eachLoss = 20 // of one code that are listed

// Add adds one.
func (l *Losses) Add(code string, offset int, format string, args ...any) {
	l.Total++
	n, last := 0, -1
	for i := range l.List {
		if l.List[i].Code == code {
			n, last = n+1, i
		}
	}
	if n >= eachLoss {
		l.List[last].Count++
		return
	}
	l.List = append(l.List, Loss{code, offset, fmt.Sprintf(format, args...), 1})
}

// Quote shortens a name from a file for a message.
func Quote(name string) string {
	if len(name) > 120 {
		name = strings.ToValidUTF8(name[:80], "") + "…" + strings.ToValidUTF8(name[len(name)-30:], "")
	}
	return `"` + name + `"`
}

// Clean makes a name from a file one that can be told in JSON: bytes that are no UTF-8 become
// \xNN, so that two names stay two.
func Clean(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	var w strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&w, "\\x%02x", name[i])
		} else {
			w.WriteString(name[i : i+n])
		}
		i += n
	}
	return w.String()
}

// Device shortens a device as TensorBoard's page does: "/job:w/device:GPU:0" is "GPU:0".
func Device(full string) string {
	i := strings.LastIndex(full, "device:")
	if i < 0 {
		return full
	}
	return full[i+len("device:"):]
}

// KindOf tells the kind of a TensorFlow op by its type.
func KindOf(op string) Kind {
	switch op {
	case "Const":
		return Constant
	case "Placeholder", "PlaceholderWithDefault", "PlaceholderV2":
		return Placeholder
	case "Variable", "VariableV2", "VarHandleOp", "TemporaryVariable", "AutoReloadVariable":
		return Variable
	case "input_arg", "_Arg":
		return Input
	case "output_arg", "_Retval":
		return Output
	}
	if rest, ok := strings.CutSuffix(op, "Summary"); ok && rest != "" && letters(rest) {
		return Summary
	}
	return Op
}

func letters(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}
