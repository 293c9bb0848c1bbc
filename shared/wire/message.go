package wire

// Messages between the page and a worker. Each is an object with a field "op"
// that names it; what is listed here travels as JSON in its field "json". Files
// and buffers travel beside it, as objects of the browser.
//
// A worker serves one logdir at a time. Gen is counted up by each open: answers
// and progress of an older one are thrown away.
const (
	// Page to worker.
	OpOpen    = "open"    // json: Open
	OpFiles   = "files"   // json: []File; files: the File objects, in the same order, for a folder
	OpLooked  = "looked"  // the logdir has been looked at; what has changed was told before
	OpLook    = "look"    // json: Look
	OpQuery   = "query"   // id; json: Query
	OpMore    = "more"    // id: the next piece of the answer to a query with Every
	OpCancel  = "cancel"  // id
	OpNoCache = "nocache" // nothing more is written into the cache
	OpPing    = "ping"    // answered by OpPong

	// Worker to page.
	OpReady    = "ready"    // the worker runs
	OpPong     = "pong"     // … and still does
	OpProgress = "progress" // json: Progress
	OpAnswer   = "answer"   // id; json: the kind's parts, a list; buffer: ArrayBuffer; more: another answer follows; error: why there is none
	OpStale    = "stale"    // a file is not what it was when it was listed: look again
	OpJob      = "job"      // json: []string, the paths about to be read, none behind it; only when asked for, see Open.Careful
	OpDead     = "dead"     // code: the program ended; sent by the worker's script
)

// Open begins to serve a logdir.
type Open struct {
	Gen   int    `json:"gen"`
	Kind  string `json:"kind"`  // "http" or "folder"
	Base  string `json:"base"`  // http: URL prefix of the files
	Batch string `json:"batch"` // http: URL of the batch request; "" = none
	// Careful makes the worker read one file at a time and name it first. The
	// page asks for it after a crash, to learn which file did it.
	Careful bool `json:"careful"`
	// Budget is how many points of scalars this worker may keep.
	Budget int64 `json:"budget"`
	// Most is how many points of one series it may keep, as whoever serves the logdir
	// asks (--samples_per_plugin); 0 = any number.
	Most int64 `json:"most,omitempty"`
	// Cache names the logdir in the browser's database; "" = do not cache.
	// CacheBytes is how much the cache may hold.
	Cache      string `json:"cache"`
	CacheBytes int64  `json:"cacheBytes"`
	// PreviewFrom is how much there must be to read, in bytes, for a preview.
	PreviewFrom int64 `json:"previewFrom"`
	// Workers is how many workers share the logdir.
	Workers int `json:"workers"`
}

// File is an event file for a worker: new, or changed since it was last told.
type File struct {
	Path  string `json:"path"`
	Size  int64  `json:"size"`
	MTime int64  `json:"mtime"` // as in api.File: nanoseconds, 0 when unknown
	// Version is api.File's.
	Version string `json:"version,omitempty"`
	// Gone says that the file is not listed any more. What was read stays.
	Gone bool `json:"gone,omitempty"`
}

// Look says what is on screen, most important first; it orders the reading.
type Look struct {
	Runs []string `json:"runs"`
	Tags []string `json:"tags"`
}

// Progress is what a worker tells as it reads.
type Progress struct {
	Gen       int   `json:"gen"`
	BytesRead int64 `json:"bytesRead"`
	// BytesCached are those of BytesRead that came from the cache.
	BytesCached int64 `json:"bytesCached"`
	Points      int64 `json:"points"`
	Kept        int64 `json:"kept"`
	Busy        bool  `json:"busy"` // there is something left to read
	// Unread is how many files could not be read whole, for now.
	Unread int `json:"unread,omitempty"`
	// Heard is how many OpFiles messages the worker has taken in. Until it has
	// heard all of them it does not know what is left to read.
	Heard int `json:"heard"`
	// Previewing says that some files' previews are still to be read.
	Previewing bool `json:"previewing"`
	// Previewed says that some file is shown by its preview.
	Previewed bool `json:"previewed"`
	// Lost is every loss so far; sent when it changed, with LostSet.
	Lost    []Loss `json:"lost,omitempty"`
	LostSet bool   `json:"lostSet,omitempty"`
	// Runs are the runs that changed since the last progress.
	Runs []RunProgress `json:"runs,omitempty"`
	// Error says why reading as a whole cannot go on; "" when it does.
	Error string `json:"error,omitempty"`
}

// RunProgress is what changed in a run.
type RunProgress struct {
	Name  string  `json:"name"`
	Start float64 `json:"start"` // as Run.StartTime
	// Tags are all tags of the run, or nil when neither their set nor, since
	// less than a few seconds, their counts have changed.
	Tags map[string]Tag `json:"tags,omitempty"`
}
