package summary

import (
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// Options are the settings of a Writer. The zero value is good for training.
type Options struct {
	// Suffix ends the file's name, e.g. ".v2" or ".eval". It may not hold a
	// path separator.
	Suffix string
	// FileName replaces the whole name, for files that must come out the same
	// each time. Readers only look at files with "tfevents" in their name.
	FileName string
	// FlushInterval is how long an event may wait in memory. 0 means two
	// seconds; less than 0 means until the queue is full, Flush or Close.
	FlushInterval time.Duration
	// QueueSize is how many bytes of records are gathered before they are
	// written: the Writer's memory, but for one record that is longer. 0 means
	// 256 KiB. A call that fills the queue writes it, so a slow disk slows the
	// caller and nothing piles up.
	QueueSize int
	// Clock gives the wall time of events without the option WallTime. nil
	// means time.Now. It must be safe for several goroutines if the Writer is
	// used by several.
	Clock func() time.Time
	// SourceWriter names the program in the first event.
	SourceWriter string
	// NoVersion leaves the first event out, for tests of files without one.
	NoVersion bool
}

const (
	defaultFlushInterval = 2 * time.Second
	defaultQueueSize     = 256 << 10
)

// Writer writes one event file. Its methods may be called by several
// goroutines at once; each call's event stands in the file as a whole.
//
// A method returns nil when its event is in the queue, not when it is on the
// disk: an error of the disk comes with the next call, at the latest with Flush
// or Close.
type Writer struct {
	opts Options
	dir  string // run directory; "" for a Writer on an io.Writer

	mu     sync.Mutex
	out    sink
	queue  []byte // whole records, in order
	err    error  // sticky
	closed bool
	timer  *time.Timer // nil unless FlushInterval > 0
	armed  bool        // timer is running

	subMu   sync.Mutex
	subruns map[string]*Writer // of Scalars, by directory name

	projector projector // what Embedding has written
}

// sink is where a Writer's bytes go.
type sink interface {
	Write([]byte) (int, error)
	check() error // is what was written still where a reader finds it?
	close() error
	path() string
}

// plain is a sink on an io.Writer, which its owner closes.
type plain struct{ io.Writer }

func (plain) check() error { return nil }
func (plain) close() error { return nil }
func (plain) path() string { return "" }

// NewWriterTo returns a Writer that writes an event file's bytes to out. It has
// no directory, so that Scalars and Embedding return a *NoDirectoryError, and
// it does not close out.
func NewWriterTo(out io.Writer, opts Options) *Writer {
	return newWriter(plain{out}, "", opts)
}

func newWriter(out sink, dir string, opts Options) *Writer {
	if opts.QueueSize <= 0 {
		opts.QueueSize = defaultQueueSize
	}
	if opts.FlushInterval == 0 {
		opts.FlushInterval = defaultFlushInterval
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	w := &Writer{opts: opts, dir: dir, out: out}
	if opts.FlushInterval > 0 {
		w.timer = time.AfterFunc(opts.FlushInterval, w.tick)
		w.timer.Stop()
	}
	if !opts.NoVersion {
		w.mu.Lock()
		w.record(Event{WallTime: seconds(opts.Clock()), FileVersion: FileVersion, SourceWriter: opts.SourceWriter})
		w.mu.Unlock()
	}
	return w
}

// Raw writes e as it is. Nothing is checked and the clock is not asked: this is
// for kinds that have no method, and for tests.
func (w *Writer) Raw(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.record(e)
}

// RawRecord writes a record with any payload, sound framing around it.
func (w *Writer) RawRecord(payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.begin(); err != nil {
		return err
	}
	start := w.open()
	w.queue = append(w.queue, payload...)
	return w.end(start)
}

// value writes an event with one value.
func (w *Writer) value(v Value, step int64, s *settings) error {
	if err := checkTag(v.Tag); err != nil {
		return err
	}
	return w.event(Event{Step: step, Values: []Value{v}}, s)
}

// event writes e at the time that s or the clock gives.
func (w *Writer) event(e Event, s *settings) error {
	e.WallTime = w.now(s)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.record(e)
}

func (w *Writer) now(s *settings) float64 {
	if s.has(setWallTime) {
		return s.wall
	}
	return seconds(w.opts.Clock())
}

// record queues one event. The caller holds w.mu.
func (w *Writer) record(e Event) error {
	if err := w.begin(); err != nil {
		return err
	}
	start := w.open()
	w.queue = e.Append(w.queue)
	return w.end(start)
}

// begin refuses work after Close and after an error.
func (w *Writer) begin() error {
	if w.err != nil {
		return w.err
	}
	if w.closed {
		return ErrClosed
	}
	return nil
}

// open makes room for a record's header and returns where it starts. The
// payload is then appended to the queue in place, so that it is never copied.
func (w *Writer) open() int {
	var head [tfrecord.HeaderSize]byte
	start := len(w.queue)
	w.queue = append(w.queue, head[:]...)
	return start
}

// end frames the record that open began, and writes the queue if it is full.
func (w *Writer) end(start int) error {
	head := w.queue[start : start+tfrecord.HeaderSize]
	payload := w.queue[start+tfrecord.HeaderSize:]
	binary.LittleEndian.PutUint64(head, uint64(len(payload)))
	binary.LittleEndian.PutUint32(head[8:], tfrecord.MaskedCRC(head[:8]))
	w.queue = binary.LittleEndian.AppendUint32(w.queue, tfrecord.MaskedCRC(payload))
	if len(w.queue) >= w.opts.QueueSize {
		return w.drain()
	}
	if w.timer != nil && !w.armed {
		w.armed = true
		w.timer.Reset(w.opts.FlushInterval)
	}
	return nil
}

// drain brings the queue to the sink. The caller holds w.mu.
func (w *Writer) drain() error {
	if w.err != nil {
		return w.err
	}
	if len(w.queue) > 0 {
		n, err := w.out.Write(w.queue)
		if err == nil && n < len(w.queue) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return w.fail("write", err)
		}
		w.queue = w.queue[:0]
		if cap(w.queue) > 2*w.opts.QueueSize {
			w.queue = nil // one long record must not keep its memory for good
		}
	}
	// Bytes written to a file that was unlinked go nowhere and no call fails:
	// only looking for the file tells.
	if err := w.out.check(); err != nil {
		return w.fail("find", err)
	}
	return nil
}

func (w *Writer) fail(op string, err error) error {
	w.err = &WriteError{Op: op, Path: w.out.path(), Err: err}
	w.queue = nil
	return w.err
}

// tick is the timer's flush. Its error sticks and comes with the next call.
func (w *Writer) tick() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	if !w.closed {
		w.drain()
	}
}

// Flush brings all that was written so far to the file (to the operating
// system; it does not wait for the disk). Sub-runs of Scalars are included.
func (w *Writer) Flush() error {
	w.mu.Lock()
	err := w.begin()
	if err == nil {
		err = w.drain()
	}
	w.mu.Unlock()
	if e := w.eachSubrun((*Writer).Flush); err == nil {
		err = e
	}
	return err
}

// Close flushes and closes the file, and those of sub-runs. It returns the
// first error that the Writer has met; closing again returns the same.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.drain()
		w.closed = true
		if w.timer != nil {
			w.timer.Stop()
		}
		if err := w.out.close(); err != nil && w.err == nil {
			w.fail("close", err)
		}
		w.queue = nil
	}
	err := w.err
	w.mu.Unlock()
	if e := w.eachSubrun((*Writer).Close); err == nil {
		err = e
	}
	return err
}

// checkTag refuses the tags that the package comment names.
func checkTag(tag string) error {
	switch {
	case tag == "":
		return &TagError{tag, "is empty"}
	case !utf8.ValidString(tag):
		return &TagError{tag, "is not valid UTF-8"}
	case strings.IndexByte(tag, 0) >= 0:
		return &TagError{tag, "holds a NUL"}
	}
	return nil
}
