package catalog

import (
	"math"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// File is one event file of a run, as far as it has been read.
//
// Offset is all that reading needs to remember: the first byte that has not been
// used. Feed takes bytes from there on, in windows of any size, and moves it.
type File struct {
	Path string // in the logdir
	// Offset of the first byte that is not used yet: behind the last whole
	// record, or where a stretch begins in which no record can be found so far.
	// When the end has been reached it may go back, to where the bytes cannot be
	// judged before there are more of them; see tail.
	Offset int64
	// Others is how often another file stood in its place, which was read anew: values are then others,
	// even where they stand at the same bytes with the same times.
	Others int

	run      *Run
	segments []*segment
	cur      *segment
	last     *Series // the series of the last value; see find
	claims   map[string]*claim
	order    []*claim // in the order of the file
	names    int64    // bytes of names, and of what is said of tags; see mostNames, room
	reading  bool     // more of it is expected now; see reads

	// modern says that the job tells when it starts: the file has a version event of
	// brain.Event:2 or later, or names its writer, or its first record, where the
	// version stands, is damaged. Otherwise steps that go back may be restarts.
	modern    bool
	firstWall float64 // of the first event; NaN while there is none
	// Of summary events, while the file is not modern: see Run.pieces.
	summaries           bool
	firstStep, lastStep int64

	glimpse *preview // of what has not been read yet; nil = none

	losses  []loss
	changes int64    // counts what becomes of losses
	pending *stretch // in which no record was found yet
	damaged int64    // size of the record at Offset, if its payload is known to be damaged
	wasted  int64    // bytes of records whose payloads were damaged; see believed

	// tail is what stands behind Offset, read as if the file ended here for good. It
	// is made anew at each end and gone when the bytes behind Offset have been judged.
	// nil = nothing but what a record that is being written looks like.
	tail  *File
	final bool  // this is such a tail: nothing can be left open
	idle  *loss // what stands at the end and is no loss: zeros

	visit func(payload []byte, offset int64) error // takes the records instead; see Visit

	value event.Value // scratch
	ev    event.Event // scratch
	back  bool        // the event is a summary whose step is below the last one's
	first bool        // the event is the file's first summary
}

// segment is a stretch of a file between two starts of the job.
type segment struct {
	starts    bool  // begins with a SessionLog.START …
	counts    bool  // … of a file that was known to be modern there …
	startStep int64 // … at this step
	series    map[string]*Series
	order     []*Series
}

// Series is the points of one tag in one segment, by the form in which they came:
// single numbers are in Scalars, all other values in Refs. A number that came before
// anything said what the tag is stands in both.
type Series struct {
	Tag     *Tag
	Scalars series.Scalars
	Refs    series.Refs

	claim   *claim
	numbers int64         // points of Refs that are in Scalars too
	drops   []series.Drop // for runs that are not modern; see Run.pieces
	dropped int64         // position of the event that the last one is of, plus 1
	first   bool          // it is named by the first summary of its file
	number  int           // in its segment's order
	next    *Series       // the series that followed this one last time

	mould   *event.Mould // of one of its records; nil = none
	moulded int64        // how many points there were when it was made
}

func newFile(run *Run, path string) *File {
	f := &File{Path: path, run: run, firstWall: math.NaN(), claims: make(map[string]*claim)}
	f.begin(&segment{})
	return f
}

func (f *File) begin(s *segment) {
	f.settle()
	s.series = make(map[string]*Series)
	f.segments = append(f.segments, s)
	f.cur, f.last = s, nil
}

// settle gives back what the present segment keeps ready for points to come.
func (f *File) settle() {
	if f.cur == nil {
		return
	}
	for _, s := range f.cur.order {
		s.Scalars.Settle()
		s.mould, s.moulded = nil, s.Scalars.Len()
	}
}

// Kept returns how many points of the file are held in memory.
func (f *File) Kept() int64 {
	kept := int64(0)
	for _, g := range f.segments {
		for _, s := range g.order {
			kept += s.Scalars.Kept() + int64(len(s.Refs.Points))
		}
	}
	if f.tail != nil {
		kept += f.tail.Kept()
	}
	return kept
}

// Feed takes window, the file's bytes from f.Offset on, and uses the whole
// records in it. end says that the window reaches the file's present end.
//
// It returns how many bytes of the file it needs to go on, as far as they are known:
// counted from the new f.Offset on. It is 0 where no record is known to begin. Whether
// the file has so many bytes is for the caller to see, before it reserves memory.
//
// What is lost is counted in f and never returned: a bad record is no reason to
// stop reading. What is used, and what is lost, depends on the file's bytes alone: a
// decision that takes bytes which are not there yet is not made, see tail.
func (f *File) Feed(window []byte, end bool) (need int) {
	// The scratch must not keep the window alive: that would be 4 MiB a file.
	defer func() { f.ev, f.value = event.Event{}, event.Value{} }()
	if f.idle != nil {
		f.idle = nil
		f.changes++
	}
	if !f.final {
		f.reads(true)
	}
	before := f.Offset
	need, open := f.frame(window, end)
	if f.tail != nil && (end || f.Offset > before) {
		f.dropTail()
	}
	if end && open && !f.final {
		f.readTail(window[f.Offset-before:])
	}
	if end {
		f.damaged = 0 // it may be written anew in its place
		if !f.final {
			f.reads(false)
		}
	}
	return need
}

// frame cuts b, the file's bytes from f.Offset on, into records. open says that the
// bytes from the new f.Offset on cannot be judged without those behind the end.
func (f *File) frame(b []byte, end bool) (need int, open bool) {
	base := f.Offset
	pos := 0
	if f.pending != nil {
		if pos = f.search(b, 0, end); pos < 0 {
			return 0, false
		}
	}
	for {
		pos += f.repeat(b[pos:], base+int64(pos))
		f.Offset = base + int64(pos)
		var payload []byte
		size, status := int(f.damaged), tfrecord.BadPayload
		switch {
		case tfrecord.Long(b[pos:], f.longest()) > 0:
			status = tfrecord.BadLength
		case size > 0:
		case f.wasted > 0 && !f.believed(b[pos:]):
			status = tfrecord.BadLength
		default:
			payload, size, status = tfrecord.Cut(b[pos:])
		}
		switch status {
		case tfrecord.OK:
			if f.visit != nil || !f.plain(payload, b[pos:pos+size], f.Offset) {
				f.use(payload, size)
			}
			pos += size
		case tfrecord.BadLengthCRC:
			f.lose(f.Offset, 0, status.String(), "the record itself is whole and was used")
			f.use(payload, size)
			pos += size
		case tfrecord.BadPayload:
			if rest := len(b) - pos - size; rest < tfrecord.HeaderSize {
				if !end {
					f.damaged = int64(size)
					return size + tfrecord.HeaderSize, false
				}
				if !f.final {
					return 0, true
				}
			} else if tfrecord.Find(b[pos+size:pos+size+tfrecord.HeaderSize], 0) < 0 {
				if pos = f.skip(b, pos, end, causeCut, size); pos < 0 {
					return 0, false
				}
				continue
			}
			since, need := written(b[pos:], size)
			if need > 0 && !f.final {
				if !end {
					f.damaged = int64(size)
					return need, false
				}
				return 0, true
			}
			if since {
				if pos = f.skip(b, pos, end, causeCut, size); pos < 0 {
					return 0, false
				}
				continue
			}
			f.wasted += int64(size)
			f.damaged = 0
			f.lose(f.Offset, int64(size), status.String(), "the record was skipped; its neighbours are whole")
			pos += size
		case tfrecord.BadLength:
			if pos = f.skip(b, pos, end, f.causeOf(b[pos:]), 0); pos < 0 {
				return 0, false
			}
		case tfrecord.Short, tfrecord.Doubtful:
			if !end {
				return size, false
			}
			if status == tfrecord.Short && !holds(b[pos:]) {
				return 0, false // a record that is being written
			}
			if !f.final {
				return 0, true
			}
			if pos = f.skip(b, pos, end, f.causeOf(b[pos:]), 0); pos < 0 {
				return 0, false
			}
		}
	}
}

// longest is the longest payload that is read.
func (f *File) longest() int64 {
	if f.run.longest > 0 {
		return f.run.longest
	}
	return tfrecord.MaxPayload
}

// use uses a whole record at f.Offset.
func (f *File) use(payload []byte, size int) {
	event := f.event
	if f.visit != nil {
		event = f.visit
	}
	if err := event(payload, f.Offset); err != nil {
		f.lose(f.Offset, int64(size), err.Error(), "the record was skipped")
	}
}
