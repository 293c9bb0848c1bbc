// Package wire is the data API: what the page, plug-ins, scripts and the dump
// command may ask about a logdir, and the forms of the answers. The workers
// answer it; there is no second way to the data.
//
// Everything here that crosses between page and worker is small. Points travel beside it
// as packed columns, in buffers that are transferred and not copied.
package wire

import "encoding/json"

// Phase says how far reading a logdir has come.
type Phase string

const (
	// Idle: no logdir is open.
	Idle Phase = "idle"
	// Preview: windows of each file are being read; nothing is exact yet.
	Preview Phase = "preview"
	// Reading: the exact read is under way; a preview may stand where it has
	// not come yet.
	Reading Phase = "reading"
	// Incomplete: what could be read has been, but of some files not every byte could;
	// see Status.Unread. They are tried again at every look.
	Incomplete Phase = "incomplete"
	// Exact: every byte that the files held at the last look has been read.
	Exact Phase = "exact"
)

// Done reports whether everything that can be read for now has been.
func (p Phase) Done() bool { return p == Exact || p == Incomplete }

// Status is the state of reading, for the status line and for scripts.
type Status struct {
	Phase       Phase  `json:"phase"`
	Logdir      string `json:"logdir"`         // name to show; "" when none is open
	BytesRead   int64  `json:"bytesRead"`      // of the event files, this session and from the cache
	BytesCached int64  `json:"bytesCached"`    // of BytesRead, those that came from the browser's database
	BytesTotal  int64  `json:"bytesTotal"`     // size of all event files at the last listing
	Files       int    `json:"files"`          // event files
	Unread      int    `json:"unread"`         // of Files, those that could not be read whole; Lost says why
	Gone        int    `json:"gone,omitempty"` // event files that are not listed any more; what was read of them is shown until the logdir is opened anew
	Runs        int    `json:"runs"`
	Points      int64  `json:"points"`          // points read, of all kinds, after purges
	Kept        int64  `json:"kept"`            // points held in memory; less than Points when the budget thins
	Lost        []Loss `json:"lost"`            // sorted by run, file, offset
	Error       string `json:"error,omitempty"` // why the logdir as a whole cannot be read, with a remedy
	Still       bool   `json:"still,omitempty"` // it cannot be looked at again: a browser reads files that were chosen once
	Empty       bool   `json:"empty,omitempty"` // it was listed, and has no event files; Error says so where it has nothing else
	// Reader names the machine where the files are read; "" is this browser.
	Reader string `json:"reader,omitempty"`
	// Note is what there is to say of where they are read; "" is nothing.
	Note string `json:"note,omitempty"`
	// Title and Reload are what who serves the logdir asks for: the window's title, ""
	// for the page's own, and the time between two looks, in milliseconds, 0 for the
	// page's own, negative for never.
	Title     string  `json:"title,omitempty"`
	Reload    int64   `json:"reload,omitempty"`
	Previewed bool    `json:"previewed"` // some of what is shown comes from the preview
	Rate      float64 `json:"rate"`      // bytes per second over the last seconds; 0 when not reading
}

// Loss is one kind of damage in one file. Losses of the same kind in one file
// are added up: Offset is then the first one's.
type Loss struct {
	Run    string `json:"run"`
	File   string `json:"file"`   // path in the logdir
	Offset int64  `json:"offset"` // of the first lost byte in the file
	Bytes  int64  `json:"bytes"`  // that could not be used
	Kind   string `json:"kind"`   // what is wrong, e.g. "bad payload checksum"
	Count  int64  `json:"count"`  // places (records or stretches)
	Remedy string `json:"remedy"` // what the user can do, or what was done
	// Details are for who mends the program: what a reader printed before it ended.
	Details string `json:"details,omitempty"`
}

// Run is one run: a directory that holds event files.
type Run struct {
	Name      string   `json:"name"`      // path relative to the logdir, "." for the logdir itself
	StartTime float64  `json:"startTime"` // wall time of the first event, seconds since 1970; 0 while unknown
	Files     []string `json:"files"`     // paths in the logdir, in reading order
}

// Tag is what is known of one tag of one run.
type Tag struct {
	Plugin      string `json:"plugin"` // plug-in name as in the summary metadata: "scalars", "images", …
	DisplayName string `json:"displayName"`
	Description string `json:"description"` // Markdown as it was logged; untrusted
	Points      int64  `json:"points"`      // logged points after purges
	Kept        int64  `json:"kept"`        // points held in memory
}

// XAxis names what a chart's horizontal axis shows.
type XAxis string

const (
	// ByStep: the global step.
	ByStep XAxis = "step"
	// ByRelative: seconds since the series' first point.
	ByRelative XAxis = "relative"
	// ByWall: wall time, seconds since 1970.
	ByWall XAxis = "wall"
	// ByProcess: seconds since the run's first event, less the pauses between its jobs.
	ByProcess XAxis = "process"
	// ByIndex: the number of the point in its series, from 0.
	ByIndex XAxis = "index"
	// ByTag: the value of another tag at the same step.
	ByTag XAxis = "tag"
)

// Timed reports whether x is a step or follows from the wall time alone, which stand in
// the files themselves.
func (x XAxis) Timed() bool {
	return x == "" || x == ByStep || x == ByRelative || x == ByWall
}

// Query asks for data. Everybody asks so: the page's cards, scripts, plug-ins, the dump
// command. It is answered once or several times (see Reply), and can be cancelled.
type Query struct {
	// Kind is what is asked for: the name of a kind of data, see package kinds. It
	// says what Body and the answers' parts mean.
	Kind string   `json:"kind"`
	Runs []string `json:"runs"` // to answer for
	Tags []string `json:"tags"`
	// Files are paths of files beside event files; see package files.
	Files []string `json:"files,omitempty"`
	// Calm says that nobody waits: the question is asked because there are new
	// points. While there is something to read, a worker spends a twenty-fifth of
	// its time on such questions, and answers the others at once.
	Calm bool `json:"calm,omitempty"`
	// Every asks for all that was logged, whatever must be read again for it, as for
	// an export. The answer comes in pieces of bounded size: the first at once, every
	// further one when OpMore asks for it.
	Every bool `json:"every,omitempty"`
	// Guest says that a stranger asks: the page's questions go first.
	Guest bool `json:"-"`
	// Body is the kind's own part of the question.
	Body json.RawMessage `json:"body,omitempty"`
	// Packed is the same in packed form, of a kind whose cards ask often; then there is no Body.
	Packed []byte `json:"-"`
}

// NewQuery makes a query with a body, which must have a JSON form.
func NewQuery(kind string, tags, runs []string, body any) Query {
	b, err := json.Marshal(body)
	if err != nil {
		panic("wire: internal error: " + err.Error())
	}
	return Query{Kind: kind, Tags: tags, Runs: runs, Body: b}
}

// QueryError says that a query cannot be answered as it was asked.
type QueryError struct{ What string }

// Error says what is wrong with the query.
func (e *QueryError) Error() string { return "this cannot be asked: " + e.What }

// AppendText writes a text in its JSON form behind b.
func AppendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			q, err := json.Marshal(s)
			if err != nil {
				panic("wire: internal error: " + err.Error()) // every text has such a form
			}
			return append(b, q...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
