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
	Offset int64

	run      *Run
	segments []*segment
	cur      *segment
	last     *Series // the series of the last value; see find

	version    float64 // of file_version events; 0 = none yet
	firstWall  float64 // of the first event; NaN while there is none
	mostRecent int64   // step of the last summary event; for files without a version
	// orphans holds, for files without a version, the least step per tag from
	// which on the points of earlier files are orphaned.
	orphans map[string]int64

	glimpse  *preview // of what has not been read yet; nil = none
	losses   []loss
	pending  *loss // a stretch at the end in which no record was found yet
	searched int64 // how far the search in that stretch has come

	value event.Value // scratch
	ev    event.Event // scratch
}

// segment is a stretch of a file between two starts of the job.
type segment struct {
	starts    bool  // begins with a SessionLog.START …
	startStep int64 // … at this step
	series    map[string]*Series
	order     []*Series
}

// Series is the points of one tag in one segment. Of Scalars and Refs one is
// used, as the tag's Kind says.
type Series struct {
	Tag     *Tag
	Scalars series.Scalars
	Refs    series.Refs
	number  int     // in its segment's order
	next    *Series // the series that followed this one last time

	mould   *event.Mould // of one of its records; nil = none
	moulded int64        // how many points there were when it was made
}

func newFile(run *Run, path string) *File {
	f := &File{Path: path, run: run, firstWall: math.NaN(), mostRecent: math.MinInt64}
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
	return kept
}

// Feed takes window, the file's bytes from f.Offset on, and uses the whole
// records in it. end says that the window reaches the file's present end.
//
// It returns how many bytes the record needs that the window ends in, as far as
// they are known: counted from the new f.Offset on. It is 0 where no record is
// known to begin. Whether the file has so many bytes is for the caller to see,
// before it reserves memory.
//
// What is lost is counted in f and never returned: a bad record is no reason to
// stop reading.
func (f *File) Feed(window []byte, end bool) (need int) {
	// The scratch must not keep the window alive: that would be 4 MiB a file.
	defer func() { f.ev, f.value = event.Event{}, event.Value{} }()
	b, base := window, f.Offset
	pos := 0
	if f.pending != nil {
		pos = f.resync(b, 0, end)
		if pos < 0 {
			return 0
		}
	}
	for {
		pos += f.repeat(b[pos:], base+int64(pos))
		payload, size, status := tfrecord.Cut(b[pos:])
		switch status {
		case tfrecord.OK:
			if f.plain(payload, b[pos:pos+size], base+int64(pos)) {
				pos += size
				continue
			}
			if err := f.event(payload, base+int64(pos)); err != nil {
				f.lose(base+int64(pos), int64(size), err.Error(), "the record was skipped")
			}
			pos += size
			continue
		case tfrecord.BadLengthCRC:
			f.lose(base+int64(pos), 0, status.String(), "the record itself is whole and was used")
			if err := f.event(payload, base+int64(pos)); err != nil {
				f.lose(base+int64(pos), int64(size), err.Error(), "the record was skipped")
			}
			pos += size
			continue
		case tfrecord.BadPayload:
			f.lose(base+int64(pos), int64(size), status.String(), "the record was skipped; its neighbours are whole")
			pos += size
			continue
		case tfrecord.BadLength:
			f.Offset = base + int64(pos)
			f.pending, f.searched = &loss{offset: f.Offset}, f.Offset+1
			if pos = f.resync(b, pos, end); pos < 0 {
				return 0
			}
			continue
		case tfrecord.Short, tfrecord.Doubtful:
			f.Offset = base + int64(pos)
			if end && (status == tfrecord.Doubtful || f.liar(b[pos:])) {
				f.pending, f.searched = &loss{offset: f.Offset}, f.Offset+1
				if pos = f.resync(b, pos, end); pos < 0 {
					return 0
				}
				continue
			}
			return size
		}
	}
}

// resync looks for the next record behind a destroyed length. b[0] stands at
// base, f.pending.offset at b[pos]. It returns where to go on in b; or -1 when b
// holds no record, and then leaves f.Offset so that the next window goes on.
func (f *File) resync(b []byte, pos int, end bool) int {
	base := f.Offset - int64(pos)
	from := int(f.searched - base)
	if from < pos {
		from = pos
	}
	i := -1
	if from < len(b) {
		i = tfrecord.Find(b, from)
	}
	if i >= 0 {
		f.lose(f.pending.offset, base+int64(i)-f.pending.offset, tfrecord.BadLength.String(), "reading went on at the next record that could be found")
		f.pending = nil
		f.Offset = base + int64(i)
		return i
	}
	// Nothing found. The last bytes may be the beginning of a header.
	f.searched = base + int64(max(from, len(b)-tfrecord.HeaderSize+1))
	if !end {
		// What was searched need not be seen again.
		f.Offset = f.searched
	} else {
		f.Offset = f.searched
		f.pending.bytes = base + int64(len(b)) - f.pending.offset
	}
	return -1
}

// liar reports whether the record at the start of b, which ends beyond the end
// of the file, has a length that cannot be: whole records stand inside it, up to
// the file's end. A record that is still being written has none.
func (f *File) liar(b []byte) bool {
	i := tfrecord.Find(b, tfrecord.HeaderSize)
	if i < 0 {
		return false
	}
	whole := 0
	for i < len(b) {
		_, size, s := tfrecord.Cut(b[i:])
		if s == tfrecord.Short {
			break
		}
		if s != tfrecord.OK {
			return false
		}
		i += size
		whole++
	}
	return whole > 0
}

// event uses one record's payload. offset is the record's position.
func (f *File) event(payload []byte, offset int64) error {
	e := &f.ev
	if err := e.Decode(payload); err != nil {
		return err
	}
	if f.firstWall != f.firstWall && e.WallTime == e.WallTime {
		f.firstWall = e.WallTime
	}
	switch e.What {
	case event.Summary:
		return f.summary(payload, offset)
	case event.FileVersion:
		f.version = parseVersion(e.Body)
	case event.SessionLog:
		status, err := event.SessionStatus(e.Body)
		if err != nil {
			return err
		}
		if status == event.SessionStart && f.versioned() {
			f.begin(&segment{starts: true, startStep: e.Step})
		}
	case event.GraphDef:
		f.blob([]byte(GraphTag), "graphs", series.GraphDef, payload, e.Body, offset)
	case event.MetaGraphDef:
		f.blob([]byte(GraphTag), "graphs", series.MetaGraph, payload, e.Body, offset)
	case event.TaggedRunMetadata:
		tag, metadata, err := event.RunMetadata(e.Body)
		if err != nil {
			return err
		}
		f.blob(tag, "graph_tagged_run_metadata", series.RunMetadata, payload, metadata, offset)
	}
	return nil
}

// repeat uses the records at the start of b that are like earlier ones of the series
// to which they should belong, and returns how many bytes they fill. offset is the
// position of b.
func (f *File) repeat(b []byte, offset int64) int {
	l := f.last
	if l == nil || f.version < 2 {
		return 0
	}
	changes := tfrecord.Changes()
	pos := 0
	for {
		s := l.next
		if s == nil || s.mould == nil {
			break
		}
		step, wall, value, ok := s.mould.Match(b[pos:], changes)
		if !ok {
			break
		}
		s.Scalars.Append(step, wall, float64(value), true, offset+int64(pos))
		pos += s.mould.Size()
		l = s
	}
	f.last = l
	return pos
}

// mouldEvery is how many points a series must have got since its last mould before
// it gets a new one: records that never fit must not cost a mould each.
const mouldEvery = 16

// plain uses a scalar of a common form, if nothing about it is new: its series is
// the one that followed the last one before, and its tag has been described.
func (f *File) plain(payload, record []byte, offset int64) bool {
	if f.last == nil || f.version < 2 {
		return false
	}
	p, ok := event.Plain(payload)
	if !ok {
		return false
	}
	s := f.last.next
	if s == nil || s.Tag.Name != string(payload[p.Tag0:p.Tag1]) {
		// Not in the order of the last time: look it up.
		if s = f.cur.series[string(payload[p.Tag0:p.Tag1])]; s == nil {
			return false
		}
	}
	if s.Tag.Kind != Scalar || p.Meta1 > p.Meta0 && !s.Tag.described {
		return false
	}
	if s != f.last.next {
		f.last.next = s
	}
	f.last = s
	s.Scalars.Append(p.Step, p.WallTime, float64(p.Value), true, offset)
	if n := s.Scalars.Len(); n >= s.moulded+mouldEvery {
		s.mould, s.moulded = event.NewMould(record, &p), n
	}
	return true
}

// GraphTag is the tag under which a run's graph stands.
const GraphTag = "__run_graph__"

// versioned says which restart rule holds: with brain.Event:2 and later a job
// says when it starts, before that steps that go back tell.
func (f *File) versioned() bool { return f.version >= 2 }

// parseVersion reads "brain.Event:2"; anything else is 0. TensorBoard parses
// what follows the last '.' or ':' likewise.
func parseVersion(b []byte) float64 {
	const prefix = "brain.Event:"
	if len(b) <= len(prefix) || string(b[:len(prefix)]) != prefix {
		return 0
	}
	v := 0.0
	for _, c := range b[len(prefix):] {
		if c < '0' || c > '9' {
			break
		}
		v = v*10 + float64(c-'0')
	}
	return v
}

// summary uses the values of an event with a Summary.
func (f *File) summary(payload []byte, offset int64) error {
	e := &f.ev
	if !f.versioned() {
		f.orphan(e)
	}
	rest := e.Body
	var firstErr error
	for {
		v := &f.value
		var ok bool
		var err error
		rest, ok, err = v.NextValue(rest)
		if err != nil {
			return err
		}
		if !ok {
			return firstErr
		}
		if err := f.add(v, payload, offset); err != nil && firstErr == nil {
			firstErr = err
		}
	}
}

// add puts one value into its series.
func (f *File) add(v *event.Value, payload []byte, offset int64) error {
	e := &f.ev
	if len(v.Tag) == 0 && v.Form == event.TensorForm {
		v.Tag = v.Node
	}
	if v.Form == event.NoForm || v.Form == event.OldHisto {
		if v.Meta != nil {
			// hparams may stand in the metadata alone.
			f.find(v)
		}
		return nil
	}
	s := f.find(v)
	if s.Tag.Kind == Scalar {
		switch v.Form {
		case event.Simple:
			s.Scalars.Append(e.Step, e.WallTime, float64(v.Simple), true, offset)
			return nil
		case event.TensorForm:
			x, isFloat32, err := event.Scalar(v.Body)
			if err != nil {
				return err
			}
			s.Scalars.Append(e.Step, e.WallTime, x, isFloat32, offset)
			return nil
		}
		return errKind
	}
	if v.Form == event.Simple {
		return errKind
	}
	s.Refs.Append(ref(e, uint8(v.Form), payload, v.Body, offset))
	return nil
}

// ref makes the reference to body, which is a part of payload unless the message
// was merged from two; then the whole payload is what is kept.
func ref(e *event.Event, form uint8, payload, body []byte, offset int64) series.Ref {
	r := series.Ref{Step: e.Step, Wall: e.WallTime, Form: form, Length: int32(len(body))}
	// Both are slices of one array when their capacities end at a known
	// distance: body[i:j:j] was cut from payload[:n:n].
	r.Offset = offset + tfrecord.HeaderSize + int64(within(payload, body))
	return r
}

// blob puts a value that is an event's own field into its series.
func (f *File) blob(tag []byte, plugin string, form uint8, payload, body []byte, offset int64) {
	t := f.run.tag(tag)
	if t.Plugin == "" && t.Kind == Unknown {
		t.Plugin, t.Kind = plugin, Blob
	}
	s := f.series(t)
	s.Refs.Append(ref(&f.ev, form, payload, body, offset))
}

// find returns the series of v's tag. A training loop logs its tags in the same
// order again and again, so the series that followed the last one before is
// tried first; that saves the look-up in a map for nearly every scalar.
func (f *File) find(v *event.Value) *Series {
	if l := f.last; l != nil && l.next != nil && l.next.Tag.Name == string(v.Tag) {
		f.last = l.next
		if v.Meta != nil && !l.next.Tag.described {
			l.next.Tag.describe(v)
		}
		return f.last
	}
	s := f.cur.series[string(v.Tag)]
	if s == nil {
		t := f.run.tag(v.Tag)
		t.describe(v)
		s = f.series(t)
	} else if v.Meta != nil && !s.Tag.described {
		s.Tag.describe(v)
	}
	if f.last != nil {
		f.last.next = s
	}
	f.last = s
	return s
}

// series returns the present segment's series of t.
func (f *File) series(t *Tag) *Series {
	s := f.cur.series[t.Name]
	if s == nil {
		s = &Series{Tag: t, number: len(f.cur.order)}
		f.cur.series[t.Name] = s
		f.cur.order = append(f.cur.order, s)
	}
	return s
}
