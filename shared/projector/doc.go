// Package projector is what the worker of the projector answers: which tensors a logdir holds, a
// tensor's points and what is known of them, projections, neighbours, searches, files to save.
// wasm/projector puts a Service behind a worker's port; static/lazy/projwork is that worker.
//
// # Messages
//
// The page sends {id, do, …}, id a number of its own, and gets {id, answer: {…}} or
// {id, error: {code, message, remedy}}. A long question says before that how it goes, as often as
// it likes: {id, progress: {…}}. Arrays of numbers and bytes are typed arrays whose buffers are
// transferred, both ways: what the page sends is empty afterwards, so it sends a copy of what it
// keeps. All floats are float32 unless something else is said; rows are numbered from 0 in the
// order of the file, and "rows" lists of them are Uint32Array.
//
// The worker reads the logdir through the page. It sends {need: n, path, from, max}, and wants
// {got: n, bytes: ArrayBuffer} (as much of the range as there is, at once) or {got: n, error: "…",
// again: true} (text of the files' answer; again says that it may pass). max is 8 MiB at most.
// Files that the page handed over (add) the worker reads by itself.
//
// The first message is {program} or {module}, see tbBoot.program; {dead: "…", output} comes when
// the program has ended.
//
// Questions do not wait for each other: work goes on in turns of some 30 ms, and between them the
// next message is heard.
//
// # Errors and problems
//
// An error ends a question. Codes: "bad-question", "unknown-tensor", "unknown-key", "unknown-job",
// "unread" (remedy says what to do; again: true if it may pass), "damaged", "too-large",
// "outside" (a config that points outside the logdir), "missing", "bad-regex", "nothing-there",
// "unsupported", "stopped" (by the page), "internal".
//
// A problem is something wrong beside which the rest is shown:
//
//	{code, path, message, remedy, count, row}   // row: the first one it is about, -1 if of none
//
// Codes: those of errors, and "config", "duplicate", "length" (metadata of another length),
// "sprite-small", "nan" (rows left out of projections), "constant" (columns that are), "torn",
// "fields" (rows with another number of columns), "shape" (a stated shape that does not fit).
//
// # list: which tensors there are
//
//	→ {do:"list", files:[{path, size, mtime, version}], runs:["train"]}
//	← {tensors:[tensor…], problems:[problem…], metadata:["emb/meta.tsv"], gen:3}
//
// files are all that are listed beside event files (ask("files") of the drawn board); runs, all
// runs, may be left out. Asked again after a change it reads only what is new; gen grows when the
// answer is another one. metadata names files that are metadata or could be.
//
//	tensor: {
//	  id,          // says which: goes into links. Stays the same when files are listed again
//	  run,         // directory, "." for the logdir; "" of a local file
//	  name,        // as a user knows it: of the config, variable's path, array's name
//	  of,          // what the same tensor is called at every step: two steps of one tensor have the same
//	  from,        // "tsv", "bytes", "checkpoint", "npy", "npz", "safetensors"
//	  path,        // file it is read from (a checkpoint's prefix + ".index")
//	  step,        // of the checkpoint, -1 if none
//	  dtype,       // "float32", "bfloat16", "int64", "string", …; "" while unknown (tsv)
//	  shape,       // [] while unknown
//	  rows, dims,  // as points: shape[0] × the rest (a vector is n × 1); 0 while unknown
//	  bytes,       // of the stored tensor
//	  main,        // false of what is seldom an embedding: other ranks than 2, slots of optimisers,
//	               //   fewer than 4 rows or 2 dimensions
//	  metadata,    // path, "" if none
//	  sprite: {path, width, height},   // of one image; missing if none
//	  bookmarks,   // path, "" if none
//	  config,      // path of the config that names it, "" if none
//	  local,       // it came by add
//	  mtime,       // ms since 1970, 0 if unknown
//	  error: {code, message, remedy}   // it cannot be loaded, and why
//	}
//
// Tensors of configs come first in a run, then by path and name.
//
// # add, drop: files from disk
//
//	→ {do:"add", files:[File…]}           // what was dropped or picked, or {name, blob}
//	← {tensors:[tensor…], problems:[…], metadata:["local:meta.tsv"], sprites:["local:sprite.png"], bookmarks:["local:state.txt"], gen}
//	→ {do:"drop", names:["local:a.tsv"]}  // forgets them; the same answer
//
// tensors has those of the logdir and local ones. Paths of local files begin with "local:". A .tsv
// whose rows are all numbers is a tensor, any other one metadata. A config among them is read. Files
// of one name replace each other.
//
// # load: the points of a tensor
//
//	→ {do:"load", tensor:id, key:"a", limit:0, bare:false}
//	… {progress:{read:bytes, of:bytes}}
//	← {key, tensor, rows, dims, of, points:Float32Array, bad:Uint32Array, problems:[…], version:"…"}
//
// key is the page's name for it in later questions; loading under a key again replaces what it
// held. points are rows × dims, row by row; of counts the rows of the tensor. With a limit (0: as
// many as fit into memory) only the first ones come. bad are rows with NaN or infinities: no
// projection places them. version changes with the file's bytes. bare leaves points out of the
// answer: whoever only projects them saves a copy.
//
//	→ {do:"close", key}  ← {}
//
// # metadata: the columns of what a tensor's rows are
//
//	→ {do:"metadata", key, path:""}       // "": the tensor's own; else any path or local:name
//	← {path, rows, of, columns:[column…], label:"word", problems:[…]}
//
//	column: {
//	  name, type,                 // "number" or "text"
//	  distinct,                   // different texts
//	  codes:Uint32Array,          // for each row the number of its text
//	  words:Uint8Array, starts:Uint32Array,  // text i is UTF-8 at starts[i] to starts[i+1]
//	  counts:Uint32Array,         // rows of each text
//	  numbers:Float64Array,       // type "number" alone; NaN where there is none
//	  min, max                    // type "number" alone
//	}
//
// rows is the tensor's: rows without a line have an empty text (problem "length"). of counts the
// lines there are. Texts are numbered by their first row. A column is of numbers if every text
// that is not empty is one. label is the column to begin with. Of a tensor without metadata there
// is one column, "index", of type "number".
//
//	→ {do:"edit", key, rows, column:"word", value:"x"}   // another text for rows; "" as column adds none
//	← {column}                                           // anew, as above
//	→ {do:"edit", key, rows, column:"new", value:"x", add:true}
//
// # sprite, bookmarks: the bytes beside
//
//	→ {do:"sprite", key, path:"", width:0, height:0}
//	← {path, bytes:Uint8Array, type:"image/png", width, height, sheet:[w,h], columns, images, problems}
//
// width and height are those of one image; columns of them stand in a row of the sheet, images in
// all. Too few for the rows is the problem "sprite-small". path may name another sheet.
//
//	→ {do:"bookmarks", key, path:""}      // or {bytes:Uint8Array}
//	← {states:[state…], problems}
//	→ {do:"bookmark", key, states:[state…]}
//	← {bytes:Uint8Array, name:"state.txt"}
//
// state is the peer's own object (label, selectedProjection, tSNEPerplexity, …, cameraDef) but for
// what is long: {…, selectedPoints:Uint32Array, filteredPoints:Uint32Array,
// projections:{"tsne":{dims:3, positions:Float32Array, rows:Uint32Array}}}. selectedProjection is
// "pca", "tsne", "umap" or "custom", as projections' names are; rows are those of the tensor. What this program
// does not know of a state stays in it.
//
// # project: positions
//
//	→ {do:"project", key, method:"tsne", rows:null, sphereize:false, sample:0, seed:1, …}
//	… {progress:{stage, step, of, error, seconds}, positions:Float32Array, dims, rows:Uint32Array}
//	← {method, dims, positions, rows, step, stage:"done"|"stopped", …}
//
// rows (null: all) are the points it is made of; sample (0: the method's own limit) bounds how many
// of them are drawn by the seed. The rows of the answer are those that have positions, in
// order; of progress too, where positions come, but rows come with the first positions alone.
// positions are rows × dims, float32, not scaled. stage: "neighbors", "optimize", "start", "pca".
// The same seed and options give the same positions.
//
// sphereize takes the mean away and scales each row to length 1, before any method.
//
//	"pca"     components:10   → {components, variance:Float64Array (shares of the whole), vectors:Float32Array (components × columns), mean:Float32Array, exact:true}
//	"tsne"    dims:2|3, perplexity:0 (by the peer's rule), rate:0 (by the number of points), theta:0.5,
//	          iterations:1000 (0: until it is stopped), exaggeration:12,
//	          supervise:{column, factor:0…1}, from:Float32Array (positions to begin with)
//	          → {perplexity, rate, error}
//	"umap"    dims:2|3, neighbors:15, minDist:0.1, epochs:0 (by the number of points), metric:"euclid"|"cosine"
//	          → {epochs}
//	"custom"  axes:[{left, right}, …] 1 to 3 of them, each end {rows: [a plain list]} or {search:{column, text, regex}}; an end that
//	          is missing is the centre of all. → {hits:[[left, right]…], problems}
//
// While a job goes on: {do:"pause", job:id of its question}, {do:"resume", job}, {do:"stop", job}
// (it answers with what there is), {do:"perturb", job} (t-SNE: moves all points a little), each
// answered by {}. t-SNE sends positions some ten times a second at most. At its end the result is
// kept under the key and method, for save.
//
// # neighbors, search
//
//	→ {do:"neighbors", key, row, k:100, metric:"cosine"|"euclid", rows:null, space:"original"|"sphereized"}
//	← {rows:Uint32Array, distances:Float32Array}   // nearest first; the row itself is not among them
//
// cosine is 1 − cosine, as the peer has it. rows (null: all) are the candidates.
//
//	→ {do:"search", key, column:"word", text:"cat", regex:false, limit:0}    // column "": in any
//	← {rows:Uint32Array, total}
//
// A text is found anywhere, without regard to case; a regular expression is RE2, without regard to case.
//
// # save: files
//
//	→ {do:"save", key, what:"positions"|"metadata"|"tensor"|"config", method:"tsne", rows:null, metadata:true}
//	← {bytes:Uint8Array, name:"tsne.tsv", lines}
//
// "positions" has a header (row, the columns x, y, z or component 1…, and with metadata all
// columns of it); "tensor" and "metadata" are in the form that config files name, and
// "config" is a projector_config.pbtxt of them.
package projector
