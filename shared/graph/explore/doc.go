// Package explore answers questions about one computation graph: what stands in a scope, which
// edges join it, what a search finds, how two nodes are connected. It stands on the other side of
// a worker's port, so a question and its answer are JSON:
//
//	e, err := explore.Open(bytes, explore.Options{Name: "model.onnx"})
//	answer := e.Ask([]byte(`{"ask":"scene","expanded":["encoder"]}`))
//
// An Explorer is not safe for use by several goroutines at once.
//
// # What can be opened
//
// Open finds the form of the bytes by itself: "graphdef" (TensorFlow's GraphDef, and PyTorch's
// and tensorboardX's, which write the same), "metagraph" (MetaGraphDef), "savedmodel"
// (SavedModel), "runmetadata" (RunMetadata with partition graphs or function graphs), "keras"
// (JSON of a Keras model), "pbtxt" (text of a GraphDef), "onnx" (ModelProto). Options.Metadata
// are the bytes of a RunMetadata for the graph: compute time, memory, devices, shapes. AddMetadata
// adds one later, Compare makes an Explorer of two (see below).
//
// Torn or damaged bytes are read up to the damage, and Info tells the loss. Open fails only when
// nothing could be read.
//
// # Ids
//
// An id is the path of a node in the hierarchy, its parts joined by "/"; "" is the root. It is
// made of names, so it stays good when the graph is opened again, and may be kept in a profile.
// Ids that no longer name anything are passed over in lists and are an error where one is asked
// about. What makes an id of a name:
//
//	a/b/c           an op or a scope by that name
//	a/b/(b)         the op a/b, if a scope a/b exists too (TensorBoard's rule)
//	a/b (2)         the second node by the name a/b
//	a/w_[0-9]       a series: of a/w_0 … a/w_9, in the scope a; a/w, a/w_1 … too
//	a/(MatMul)      a group by type, where a scope holds more than Level things
//	a/(MatMul)/(1-300)    a part of it
//	__function_library__/f   a function of the library
//
// A leading, trailing or double slash gives a part that is empty; its name is shown as "(empty)",
// its id keeps the slash.
//
// # Questions
//
// Every question is an object with "ask", and may have:
//
//	"graph": 0          // which graph of the file; index into info's "graphs"
//	"options": {…}      // see Layout; what is left out has its default
//
// Every answer is an object. If it has "error", that is all it has:
//
//	{"error": {"code": "unknown-id", "message": "No node has the id a/b.", "remedy": "Search for its name."}}
//
// Codes: "bad-question", "unknown-question", "unknown-id", "unknown-graph", "bad-regex",
// "too-large", "nothing-there".
//
// A list that is cut says so: "total" counts all, and "next" is the offset to go on from; it is
// missing when there is no more.
//
// # Options ("options" of each question)
//
//	{
//	  "series": 5,             // members a series needs at least; 0: no series
//	  "seriesOfScopes": false, // scopes of equal structure that follow each other by number are a series too
//	  "ungroup": ["a/w_[0-9]"],// series that are taken apart
//	  "group": ["a/w_[0-2]"],  // series that are made though they have fewer members
//	  "functions": true,       // a call of a function of the library can be opened
//	  "level": 300,            // a scope that holds more is grouped by type; 0: never
//	  "constants": true,       // constants that feed others are annotations of them
//	  "parameters": true,      // parameters of PyTorch (prim::GetAttr) and initialisers of ONNX likewise
//	  "summaries": true,       // summaries likewise
//	  "extract": true,         // nodes of high degree are taken out of their scope's picture
//	  "extractFrom": 15,       // … in scopes with at least so many nodes
//	  "inDegree": 5, "outDegree": 5,   // … with at least so many edges
//	  "control": 4,            // more control edges than this are not drawn through the picture
//	  "annotations": 5,        // so many annotations a node shows on each side
//	  "main": ["a/b"],         // never taken out
//	  "aside": ["a/c"],        // always taken out
//	  "without": ["GPU:0"]     // devices whose compute time and memory do not count
//	}
//
// All defaults are TensorBoard's, but "level" and "parameters", which it lacks.
//
// # info
//
//	→ {"ask":"info"}
//	← {"form":"graphdef", "name":"…", "bytes":12345, "producer":1882,
//	   "graphs":[{"index":0,"name":"","nodes":1234,"functions":3,"edges":1500}],
//	   "losses":[{"code":"torn","offset":4711,"message":"The file ends in the middle of a node. …","count":1}],
//	   "lossesTotal":1,
//	   "has":{"time":true,"memory":true,"devices":true,"shapes":true,"xla":false,"parameters":true,"compare":false},
//	   "devices":["CPU:0","GPU:0"],   // which statistics are there of
//	   "defaults":{…the options…}}
//
// Codes of losses: "torn" (offset: the first byte that was not read), "damaged" (a part that was
// skipped), "missing-input" (an edge to nothing), "duplicate" (two nodes by one name), "cycle",
// "too-deep" (scopes below 1000 are one level), "recursive" (a function that calls itself),
// "too-many" (calls of functions not opened, to keep within memory), "unmatched" (statistics of nodes
// that the graph lacks). "offset" is -1 where there is none.
//
// # Node, as scene, children and others give it
//
//	{"id":"a/b", "name":"b",
//	 "kind":"scope",       // see below
//	 "op":"MatMul",        // type of an op, class of a layer, the function of a call; members' type of a series or group
//	 "ops":1234,           // ops inside, itself if it is one; embedded ones too
//	 "embedded":34,        // of these, constants and summaries that are embedded (TensorBoard shows ops-embedded)
//	 "children":7,         // direct children that the scene shows when it is open; 0: cannot be opened
//	 "all":9,              // direct children, embedded ones too; what "children" lists
//	 "device":"GPU:0",     // if all inside have the same; as TensorBoard shortens it
//	 "fingerprint":"5c8e…",// 16 hex digits: nodes of the same structure have the same; in all files
//	 "repeated":3,         // how many nodes have that fingerprint; missing when it is alone
//	 "shape":"float32[?,10]",  // of the first output; of an op
//	 "parameters":1000,    // where the graph tells
//	 "call":"__function_library__/f",   // of a call: id of the function
//	 "recursive":true,     // a call that cannot be opened, since it is inside the function it calls
//	 "stateful":true,      // of TensorFlow's ops that keep a state (variables): where the type says so
//	 "open":true,          // it is expanded: "scopes" has its inside
//	 "extracted":"in"|"out"|"isolated",  // taken out of the picture, by TensorBoard's sides
//	 "time":12.5,          // compute time, microseconds; of a scope the sum
//	 "memory":4096,        // bytes; of a scope the sum
//	 "marks":{"added":1,"removed":2,"changed":3,"same":9,"renamed":2},  // in a comparison: ops inside
//	 "in":[{"id":"a/b/c","name":"c","kind":"constant","op":"Const"}], "inMore":3,   // annotations
//	 "out":[…], "outMore":0}
//
// What is zero, empty or false is left out. Kinds: "scope", "op", "series", "group" (by type, or
// a part), "function" (of the library), "library" (all functions), "call" (an op that calls a
// function of the library), "constant", "variable", "placeholder", "summary", "layer" and
// "model" (Keras), "module" (a PyTorch scope that has a class), "input" and "output" (of a graph
// or function), "parameter" (an initialiser of ONNX, a PyTorch parameter).
//
// Annotations beside embedded nodes: in "in" and "out" kind "extracted" refers to a node that was
// taken out (its id is shown elsewhere in the same scope), and "elsewhere" to a visible node that
// is joined by more control edges than are drawn.
//
// # scene: what is on the screen
//
//	→ {"ask":"scene","expanded":["a","a/b"],"limit":5000}
//	← {"scopes":[{"id":"", "depth":0,
//	     "nodes":[node…],              // direct children, in a stable order (that of the file)
//	     "edges":[edge…],              // between direct children
//	     "in":[bridge…], "out":[bridge…],   // edges between a direct child and what is outside this scope
//	     "extracted":["a/c"],          // ids of nodes that belong into the strip beside the picture
//	     "hidden":4                    // edges of this scope that became annotations
//	    }, …],                        // parents before children; only scopes all of whose ancestors are open
//	   "nodes":120, "edges":140,       // totals
//	   "left":["a/d"]}                 // expanded ids that stay closed, since the scene would pass limit
//
// edge:   {"from":"a/b","to":"a/c","count":3,"control":1,"ref":0,"size":25088,"shapes":["float32[?,10]"],"shapesMore":0,
//
//	"added":0,"removed":0,  // in a comparison
//	"back":true}            // lies on a cycle: a layout turns it around
//
// count is of tensors and control inputs; control of these are control inputs, ref are references
// (the first input of an Assign). size is the largest number of elements of one tensor (unknown
// dimensions count as 1), for the width of a line; 0 where nothing is known.
//
// bridge: {"node":"a/b","other":"x/y","count":2,"control":0,"size":…,"shapes":[…]}: node is the
// direct child; other is the visible end: the deepest visible id on the other side. Edges
// to and from nodes that are taken out are not in "edges" but annotations. Edges between
// embedded nodes and what they belong to are nowhere.
//
// # children: the tree
//
//	→ {"ask":"children","id":"","offset":0,"limit":100}
//	← {"id":"","total":12,"children":[node…],"next":100}
//
// Embedded nodes are among them (with "embeddedIn": id of the node that shows them).
//
// # search
//
//	→ {"ask":"search","text":"conv","regex":false,"case":false,"in":["name","op"],"from":0,"limit":42}
//	← {"total":17,"hits":[{"id":"a/b","name":"a/b","op":"Conv2D","kind":"op","open":["a"],"at":[2,6],"in":"name"}],
//	   "next":42, "looked":1234, "of":1234}
//
// name is the whole id. "at" are the first match's bounds in bytes of it, or of op where "in" says so; "open" are the ids that
// must be expanded for the hit to be seen (in order), and "visible" the id that shows it where it is embedded. total counts among what was looked
// at; looked < of: ask again with "from": looked (and add up); one question looks at 50,000 nodes.
// Scopes, series and functions are found too. The text is matched anywhere; regex is RE2.
//
// # node: the card
//
//	→ {"ask":"node","id":"a/b","limit":50}
//	← {"node":{…}, "path":["a"],
//	   "full":"a/b",                    // the name in the file
//	   "device":"/job:…/device:GPU:0",
//	   "attributes":[{"name":"T","type":"type","text":"float32","bytes":2,"large":false}],  "attributesTotal":7,
//	   "inputs":[{"id":"a/c","name":"a/c","port":0,"shape":"float32[3]","op":"Const"}], "inputsTotal":3,
//	   "controlInputs":[…], "controlInputsTotal":0,
//	   "outputs":[{"id":"a/d","name":"a/d","port":0,"shape":"…","op":"Relu"}], "outputsTotal":1,
//	   "controlOutputs":[…], "controlOutputsTotal":0,
//	   "missing":["x:0"], "missingTotal":1,       // inputs that name nothing
//	   "shapes":["float32[?,10]"], "shapesTotal":1,   // of the outputs
//	   "uses":[{"id":"…","name":"…"}], "usesTotal":2, // of a function: its calls
//	   "time":12.5, "memory":4096, "outputBytes":4096,
//	   "types":[{"op":"MatMul","count":3}], "typesTotal":4,   // of a scope: ops by type
//	   "devices":[{"device":"GPU:0","count":3}],
//	   "changes":[{"what":"attribute T","old":"float32","new":"float16"}], // in a comparison
//	   "mark":"changed"}
//
// Every list has at most limit entries (default 50, at most 1000), and "offset" goes on in all of
// them. A scope's inputs are the nodes outside that feed it, each output of them once, and its outputs
// each once; "count" says of how many edges, if there are several. "text" of an attribute is at most 1,024 bytes; "large" says
// that it is longer: ask for it; "head" is type and shape of a tensor. In a comparison inputs and
// outputs that were added or removed have "mark". An attribute's "type" is TensorFlow's or ONNX's word for it (s, i, f,
// b, type, shape, tensor, func, list, placeholder, json, …).
//
// # attribute: a whole value, in pieces
//
//	→ {"ask":"attribute","id":"a/b","name":"value","offset":0,"limit":65536}
//	← {"name":"value","type":"tensor","bytes":400000,"head":"float32[100,1000]","unit":"elements","total":100000,"text":"0.1, 0.2, …","next":16384}
//
// unit is "bytes" (strings), or "elements" (numbers, lists). A piece has at most limit bytes of
// text (default 65,536, at most 1 MiB) and starts at offset units.
//
// # trace
//
//	→ {"ask":"trace","id":"a/b","direction":"in"|"out"|"both","control":true,"expanded":[…]}
//	← {"ids":["a/c",…], "edges":[["a/c","a/b"],…], "ops":37, "total":5}
//
// ids are visible under that expansion (the deepest visible one for each op); edges between
// visible ids that lie on the trace. Of a scope: of all ops in it.
//
// # path: the shortest between two
//
//	→ {"ask":"path","from":"a","to":"b","control":true,"direction":"forward"|"backward"|"either"|"any","expanded":[…]}
//	← {"found":true,"length":3,"direction":"forward","steps":[{"id":"a/x","op":"Relu","visible":"a","forward":true},…],"ids":["a","b"]}
//
// "either" (the default) tries forward, then backward; "any" walks edges both ways, and each
// step's "forward" says how it got there.
//
// # colors
//
//	→ {"ask":"colors","by":"structure"|"device"|"xla"|"time"|"memory"|"tpu"|"shape"|"type"|"regex","expanded":[…],
//	   "rules":[{"regex":"conv","label":"convolutions","in":"name"|"op"|"device"|"attribute"}]}
//	← {"by":"device","legend":[{"label":"GPU:0","ops":12,"hue":220,"color":"#…"},…],"legendMore":0,
//	   "nodes":{"a/b":[[0,0.75],[1,0.25]]},          // index into legend, share of its ops
//	   "values":{"a/b":12.5},"min":0,"max":99,"from":"#fff5f0","to":"#fb6a4a"}
//
// "values" with min and max stand for "time" and "memory" in place of shares. What belongs to none is in none (shares then
// add up to less than 1). Hues follow TensorBoard's order (220, 100, 180, 40, 20, 340, 260, 300,
// 140, 60, then again), for structure, device, xla, shape, type and regex; "color" stands where it is fixed (tpu).
// By structure only fingerprints that occur at least twice have a colour.
//
// # stats
//
//	→ {"ask":"stats","by":"type"|"scope"|"device","id":"","sort":"ops"|"key"|"parameters"|"time"|"memory","up":false,"offset":0,"limit":100}
//	← {"ops":1234,"edges":1500,"controlEdges":30,"scopes":40,"depth":5,"functions":3,"parameters":25000000,"parametersKnown":true,
//	   "parameterBytes":100000000,"time":…,"memory":…,
//	   "rows":[{"key":"Conv2D","id":"","ops":53,"share":0.04,"parameters":…,"time":…,"memory":…}],"total":30}
//
// by scope: the direct children of id, or with "deep":true every scope below it.
//
// # compare (of an Explorer that Compare made)
//
//	→ {"ask":"compare","list":"added"|"removed"|"changed"|"renamed"|"","offset":0,"limit":100,"id":""}
//	← {"added":3,"removed":2,"changed":1,"renamed":1,"same":90,"edgesAdded":4,"edgesRemoved":5,
//	   "items":[{"id":"a/b","what":"changed","op":"MatMul","old":"a/c","changes":[{"what":"op","old":"MatMul","new":"Mul"}]}],"total":3}
//
// Compare(old, new, by) makes an Explorer over both at once: every question works on it, nodes
// and edges have marks, and what was removed stands where it stood. by is "name" (nodes of the
// same name are the same) or "structure" (what has no partner by name finds one of the same
// structure: "renamed", which counts as same in marks, and beside).
//
// # export
//
//	→ {"ask":"export","form":"pb"|"pbtxt"|"dot"|"csv","ids":["a"],"expanded":[…],"by":"type"|"scope","offset":0,"limit":1048576}
//	← {"file":"graph.pb","type":"application/octet-stream","total":400000,"offset":0,"data":"…base64…","next":1048576}
//
// ids choose (none: the whole graph): "pb" and "pbtxt" are a GraphDef of the ops inside with the
// library's functions that they reach, "dot" is the picture under expanded, "csv" what stats says.
// Inputs from outside the selection become Placeholder nodes, so the file is a whole graph.
package explore
