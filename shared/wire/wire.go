// Package wire is the data API: what the page, plug-ins, scripts and the dump
// command may ask about a logdir, and the forms of the answers. The workers
// answer it; there is no second way to the data.
//
// Everything here that crosses between page and worker is small and travels as
// JSON. Points never do: they travel beside it as packed columns (see
// ScalarPart), in buffers that are transferred and not copied.
package wire

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
	Phase       Phase   `json:"phase"`
	Logdir      string  `json:"logdir"`      // name to show; "" when none is open
	BytesRead   int64   `json:"bytesRead"`   // of the event files, this session and from the cache
	BytesCached int64   `json:"bytesCached"` // of BytesRead, those that came from the browser's database
	BytesTotal  int64   `json:"bytesTotal"`  // size of all event files at the last listing
	Files       int     `json:"files"`       // event files
	Unread      int     `json:"unread"`      // of Files, those that could not be read whole; Lost says why
	Runs        int     `json:"runs"`
	Points      int64   `json:"points"`          // points read, of all kinds, after purges
	Kept        int64   `json:"kept"`            // points held in memory; less than Points when the budget thins
	Lost        []Loss  `json:"lost"`            // sorted by run, file, offset
	Error       string  `json:"error,omitempty"` // why the logdir as a whole cannot be read, with a remedy
	Previewed   bool    `json:"previewed"`       // some of what is shown comes from the preview
	Rate        float64 `json:"rate"`            // bytes per second over the last seconds; 0 when not reading
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
)

// ScalarsQuery asks for the curves of one card. It is answered once per change
// of what it names; a newer query of the same card cancels the older one.
type ScalarsQuery struct {
	Tag    string   `json:"tag"`
	Runs   []string `json:"runs"`   // runs to answer for
	Weight float64  `json:"weight"` // smoothing weight in [0, 1); 0 = off
	X      XAxis    `json:"x"`
	// X0 and X1 bound the visible range, in units of X; equal values mean all.
	// The points next to either end are answered too, so that lines reach it.
	X0 float64 `json:"x0"`
	X1 float64 `json:"x1"`
	// Pixels is the width of the plot in device pixels. A series with more than
	// four points in a column of pixels is answered by the column's first, least,
	// greatest and last point, of the raw and of the smoothed curve. 0 = never thin.
	Pixels int `json:"pixels"`
	// Calm says that nobody waits: the question is asked because there are new
	// points. While there is something to read, a worker spends a 25th of its
	// time on such questions, and answers the others at once.
	Calm bool `json:"calm,omitempty"`
	// Every asks for every logged point in [X0, X1], whatever must be read again for
	// it; for export. Without it a zoom reads again what it can in a moment.
	//
	// The answer comes in pieces of bounded size, each of points of one run: the
	// first at once, every further one when OpMore asks for it. Runs follow one
	// another in the order of Runs; a run without points has no piece. Weight and
	// Pixels do not count: smoothed is the value.
	Every bool `json:"every,omitempty"`
}

// ScalarPart describes one run's curve in an answer. Its points are four columns,
// one behind the other in the answer's buffer from byte Offset on, each padded to a
// multiple of 8 bytes: step[N], wall time[N] (seconds), value[N], smoothed[N].
//
// Columns are float64s. Those that Narrow names are float32s: half the memory of a
// page full of curves. An answer to a query without Pixels has none; in others step
// and value are narrow where that loses nothing, the wall time where it is not the
// axis (seconds since WallBase then, to a ten millionth of the range), the smoothed
// value where the value is.
type ScalarPart struct {
	Run    string  `json:"run"`
	Offset int     `json:"offset"` // bytes into the buffer, a multiple of 8
	N      int     `json:"n"`      // points answered
	Kept   int64   `json:"kept"`   // points held in memory
	Points int64   `json:"points"` // points logged
	Start  float64 `json:"start"`  // first finite wall time of the series, 0 if there is none: zero of the relative axis
	// Preview is true while some of these points come from the preview.
	Preview bool `json:"preview"`
	// Narrow has bit k set when column k is of float32s.
	Narrow   int     `json:"narrow,omitempty"`
	WallBase float64 `json:"wallBase,omitempty"` // to be added to narrow wall times
	// Full is true when every logged point of the asked range was at hand; with
	// Every it is so of what the run's pieces hold so far.
	Full bool `json:"full"`
}

// Bits of ScalarPart.Narrow.
const (
	NarrowStep = 1 << iota
	NarrowWall
	NarrowValue
	NarrowSmoothed
)
