package wire

// Messages between the page and a worker, wherever that runs. Each is an Envelope; what
// is listed here travels packed as its Body.
//
// A worker serves one logdir at a time. Gen is counted up by each open: answers
// and progress of an older one are thrown away.
const (
	// Page to worker.
	OpOpen    = "open"    // Open
	OpFiles   = "files"   // Files; beside it the File objects, in the same order, for a folder
	OpLooked  = "looked"  // the logdir has been looked at; what has changed was told before
	OpLook    = "look"    // Look
	OpQuery   = "query"   // ID; Query
	OpMore    = "more"    // ID: the next piece of the answer to a query with Every
	OpCancel  = "cancel"  // ID
	OpNoCache = "nocache" // nothing more is written into the cache
	OpPing    = "ping"    // answered by OpPong

	// Worker to page.
	OpReady    = "ready"    // the worker runs
	OpPong     = "pong"     // … and still does
	OpProgress = "progress" // Progress
	OpAnswer   = "answer"   // ID; Head, Words or Bytes, More; or Err and perhaps Fault
	OpStale    = "stale"    // a file is not what it was when it was listed: look again
	OpJob      = "job"      // Paths about to be read, none behind it; only when asked for, see Open.Careful
)

// Envelope is a message: its name and what it carries.
type Envelope struct {
	Op   string
	ID   int    // of a question
	Body []byte // packed; see Op

	// Of an answer:
	Head  []byte   // JSON: the kind's parts, a list
	Words []uint64 // the buffer that they describe, in the machine's order of bytes, …
	Bytes []byte   // … or this is
	More  bool     // another answer follows
	Err   string   // why there is none
	Fault string   // what went wrong in the program, if that is why
	// An answer that several readers have made comes in parts: this is number Part, from 0,
	// of Of; 0 and 0 where there is one.
	Part, Of int

	// Beside is what travels beside the message as the platform has it: a browser's File
	// objects, a buffer that is handed over and not copied. Where messages are bytes there
	// is none.
	Beside any
}

// Paths are the files of an OpJob message.
type Paths []string

// Open begins to serve a logdir.
type Open struct {
	Gen   int
	Kind  string // "http" or "folder"
	Base  string // http: URL prefix of the files
	Batch string // http: URL of the batch request; "" = none
	// Careful makes the worker read one file at a time and name it first. The
	// page asks for it after a crash, to learn which file did it.
	Careful bool
	// Budget is how many points of scalars this worker may keep.
	Budget int64
	// Most is how many points of one series it may keep, as whoever serves the logdir
	// asks (--samples_per_plugin); 0 = any number.
	Most int64
	// Cache names the logdir in the browser's database; "" = do not cache.
	// CacheBytes is how much the cache may hold.
	Cache      string
	CacheBytes int64
	// CacheNew says that nothing was ever kept in this browser: nothing need be looked up.
	CacheNew bool
	// PreviewFrom is how much there must be to read, in bytes, for a preview.
	PreviewFrom int64
	// Workers is how many workers share the logdir.
	Workers int
}

// File is a listed file for a worker: new, or changed since it was last told.
type File struct {
	Path  string
	Size  int64
	MTime int64 // as in api.File: nanoseconds, 0 when unknown
	// Version is api.File's.
	Version string
	// Gone says that the file is not listed any more. What was read stays.
	Gone bool
	// Companion says that it is no event file: nothing of it is read before it is asked for.
	Companion bool
}

// Look says what is on screen, most important first; it orders the reading.
type Look struct {
	Runs []string
	Tags []string
}

// Progress is what a worker tells as it reads.
type Progress struct {
	Gen       int
	BytesRead int64
	// BytesCached are those of BytesRead that came from the cache.
	BytesCached int64
	Points      int64
	Kept        int64
	Busy        bool // there is something left to read
	// Unread is how many files could not be read whole, for now.
	Unread int
	// Heard is how many OpFiles messages the worker has taken in. Until it has
	// heard all of them it does not know what is left to read.
	Heard int
	// Previewing says that some files' previews are still to be read.
	Previewing bool
	// Previewed says that some file is shown by its preview.
	Previewed bool
	// Lost is every loss so far; sent when it changed, with LostSet.
	Lost    []Loss
	LostSet bool
	// Runs are the runs that changed since the last progress.
	Runs []RunProgress
	// Error says why reading as a whole cannot go on; "" when it does.
	Error string
}

// RunProgress is what changed in a run.
type RunProgress struct {
	Name  string
	Start float64 // as Run.StartTime
	New   bool    // it has points that were not told of before
	// Tags are all tags of the run, in any order. They are sent, with TagsSet, when their set
	// has changed or, since some seconds, their counts have.
	Tags    []NamedTag
	TagsSet bool
	// Of very many tags each message has a part: Later says that it is not the first, More
	// that it is not the last one.
	Later, More bool
}

// Parts returns the message in parts, each of about so many tags and bytes of their names at
// most: who takes one in is held for a moment only. All but the last say that the worker is
// busy, and nothing of losses.
func (g *Progress) Parts(tags, bytes int) []*Progress {
	var out []*Progress
	var runs []RunProgress
	n, size := 0, 0
	post := func(last bool) {
		p := *g
		if p.Runs = runs; !last {
			p.Busy, p.Lost, p.LostSet = true, nil, false
		}
		out = append(out, &p)
		runs, n, size = nil, 0, 0
	}
	for k, r := range g.Runs {
		all, from := r.Tags, 0
		for i := range all {
			t := &all[i]
			n, size = n+1, size+len(t.Name)+len(t.DisplayName)+len(t.Description)
			if n < tags && size < bytes || i == len(all)-1 {
				continue
			}
			piece := r
			piece.Tags, piece.Later, piece.More, piece.New = all[from:i+1], from > 0, true, false
			runs, from = append(runs, piece), i+1
			post(false)
		}
		r.Tags, r.Later = all[from:], from > 0
		if runs = append(runs, r); (n >= tags || size >= bytes) && k < len(g.Runs)-1 {
			post(false)
		}
	}
	post(true)
	return out
}

// NamedTag is a tag with its name.
type NamedTag struct {
	Name string
	Tag
}
