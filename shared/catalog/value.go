package catalog

import (
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/series"
	"github.com/tensorbored/tensorbored-static/shared/tfrecord"
)

// GraphTag is the tag under which a run's graph stands.
const GraphTag = "__run_graph__"

// event uses one record's payload. offset is the record's position.
func (f *File) event(payload []byte, offset int64) error {
	e := &f.ev
	if err := e.Decode(payload); err != nil {
		return err
	}
	if f.firstWall != f.firstWall && e.WallTime == e.WallTime {
		f.firstWall = e.WallTime
	}
	f.modern = f.modern || e.Source
	switch e.What {
	case event.Summary:
		return f.summary(payload, offset)
	case event.FileVersion:
		f.modern = f.modern || parseVersion(e.Body) >= 2
	case event.SessionLog:
		status, err := event.SessionStatus(e.Body)
		if err != nil {
			return err
		}
		if status == event.SessionStart {
			f.begin(&segment{starts: true, counts: f.modern, startStep: e.Step})
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
	f.first, f.back = false, false
	if !f.modern {
		f.first, f.back = !f.summaries, f.summaries && e.Step < f.lastStep
		if f.first {
			f.summaries, f.firstStep = true, e.Step
		}
		f.lastStep = e.Step
	}
	rest := e.Body
	for {
		v := &f.value
		var ok bool
		var err error
		rest, ok, err = v.NextValue(rest)
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
		f.add(v, payload, offset)
	}
}

// add puts one value into its series. Whether that is of use is not asked here: it
// depends on what all files of the run say of the tag.
func (f *File) add(v *event.Value, payload []byte, offset int64) {
	e := &f.ev
	if len(v.Tag) == 0 && v.Form == event.TensorForm {
		v.Tag = v.Node
	}
	if (v.Form == event.NoForm || v.Form == event.OldHisto) && v.Meta == nil && !f.back && !f.first {
		return // but a restart is one for each tag that its summary names
	}
	s := f.find(v, offset)
	if s == nil {
		return
	}
	c := s.claim
	was := c.size()
	c.take(v)
	if f.hold(c.size() - was); !c.tensor {
		s.mould = nil // it may be of a tensor that was a scalar so far
	}
	if f.first {
		s.first = true
	}
	if f.back && s.dropped != offset+1 {
		s.dropped = offset + 1
		s.drops = series.Before(s.drops, series.Drop{Points: s.Scalars.Len(), Refs: int64(len(s.Refs.Points)), Step: e.Step})
	}
	if s.Tag.Kind == Unknown && v.Form != event.NoForm && v.Form != event.OldHisto {
		f.run.changed(s.Tag)
	}
	switch v.Form {
	case event.NoForm, event.OldHisto: // hparams may stand in the metadata alone
	case event.Simple:
		c.simple = true
		s.Scalars.Append(e.Step, e.WallTime, float64(v.Simple), true, offset)
	case event.TensorForm:
		x, isFloat32, err := event.Scalar(v.Body)
		if err != nil {
			f.refer(s, uint8(v.Form), payload, v.Body, offset)
			break
		}
		s.Scalars.Append(e.Step, e.WallTime, x, isFloat32, offset)
		if c.tensor = c.scalars; !c.scalars {
			f.refer(s, series.Number, payload, v.Body, offset)
			s.numbers++
		}
	default:
		f.refer(s, uint8(v.Form), payload, v.Body, offset)
	}
	f.run.weigh(s)
}

// refer appends the reference to body to a series. body is a part of payload, unless
// its message came in parts, which were merged: then the whole payload is what is kept.
func (f *File) refer(s *Series, form uint8, payload, body []byte, offset int64) {
	e := &f.ev
	r := series.Ref{Step: e.Step, Wall: e.WallTime, Form: form, Length: int32(len(body)), Offset: offset + tfrecord.HeaderSize}
	if at, ok := within(payload, body); ok {
		r.Offset += int64(at)
	} else {
		r.Form, r.Length = form|series.Merged, int32(len(payload))
	}
	s.Refs.Append(r)
	if s.Tag.Plugin == "" || s.Tag.Kind == Scalar {
		f.run.changed(s.Tag) // what is not a number tells what the tag is; see Run.settle
	}
}

// Body returns the bytes of the value that r refers to: a serialised message of the
// kind that r.Form says. b is what stands in the file at r, r.Length bytes. A message
// that came in parts is put together.
func (t *Tag) Body(r series.Ref, b []byte) ([]byte, error) {
	if r.Form&series.Merged == 0 {
		return b, nil
	}
	var e event.Event
	if err := e.Decode(b); err != nil {
		return nil, err
	}
	switch form := r.Form &^ series.Merged; {
	case form == series.GraphDef || form == series.MetaGraph:
		return e.Body, nil
	case form == series.RunMetadata:
		_, metadata, err := event.RunMetadata(e.Body)
		return metadata, err
	}
	var v event.Value
	for rest := e.Body; ; {
		var ok bool
		var err error
		if rest, ok, err = v.NextValue(rest); err != nil || !ok {
			return nil, event.ErrMalformed
		}
		if len(v.Tag) == 0 && v.Form == event.TensorForm {
			v.Tag = v.Node
		}
		if string(v.Tag) == t.Name {
			return v.Body, nil
		}
	}
}

// blob puts a value that is an event's own field into its series.
func (f *File) blob(tag []byte, plugin string, form uint8, payload, body []byte, offset int64) {
	s := f.find(&event.Value{Tag: tag}, offset)
	if s == nil {
		return
	}
	was := s.claim.size()
	s.claim.value(plugin, nil)
	f.hold(s.claim.size() - was)
	f.refer(s, form, payload, body, offset)
	f.run.weigh(s)
}

// find returns the series of v's tag in the present segment; it is made if it is new. It is
// nil, and v is lost, if there is no room for its name or for what it says of it.
// A training loop logs its tags in the same order again and again, so the series that
// followed the last one before is tried first; that saves the look-up in a map for
// nearly every scalar.
func (f *File) find(v *event.Value, offset int64) *Series {
	s := (*Series)(nil)
	if l := f.last; l != nil && l.next != nil && l.next.Tag.Name == string(v.Tag) {
		s = l.next
	} else {
		s = f.cur.series[string(v.Tag)]
	}
	if (s == nil || v.Meta != nil && !(s.claim.described && s.claim.valued)) && !f.room(v, offset) {
		return nil
	}
	if s == nil {
		s = f.series(f.claim(v.Tag))
	}
	if f.last != nil {
		f.last.next = s
	}
	f.last = s
	return s
}

// room reports whether there is room for what v says that is new; if not, v is lost.
func (f *File) room(v *event.Value, offset int64) bool {
	ofFile, ofAll := f.new(v)
	kind, ok := f.fits(ofFile, ofAll)
	if !ok && kind == allNamesKind && f.run.room.forget() {
		ofFile, ofAll = f.new(v) // the name may have been one of those
		kind, ok = f.fits(ofFile, ofAll)
	}
	if ok {
		return true
	}
	remedy := fmt.Sprintf("the names of a file's tags and what is said of them fill %d MB, and memory has no room for more: log fewer or shorter ones", mostNames>>20)
	if kind == allNamesKind {
		remedy = fmt.Sprintf("the names of all tags and what is said of them fill %d MB, and memory has no room for more: open fewer runs at a time, allow more memory, or log fewer or shorter names", f.run.room.most>>20)
	}
	f.lose(offset, int64(len(v.Tag)+len(v.Body)+len(v.Meta)), kind, remedy)
	return false
}

// new returns how many bytes of what v says the file's claims, and those of all files, do not
// have yet.
func (f *File) new(v *event.Value) (ofFile, ofAll int64) {
	c := f.claims[string(v.Tag)]
	if c == nil || !(c.described && c.valued) {
		ofFile = int64(len(v.Meta) + len(pluginOf[v.Form]))
		ofAll = ofFile
	}
	if c == nil {
		ofFile += int64(len(v.Tag))
		if f.run.tags[string(v.Tag)] == nil {
			ofAll += int64(len(v.Tag))
		}
	}
	return ofFile, ofAll
}

// series returns the present segment's series of c's tag.
func (f *File) series(c *claim) *Series {
	s := f.cur.series[c.Tag.Name]
	if s == nil {
		s = &Series{Tag: c.Tag, claim: c, number: len(f.cur.order)}
		f.cur.series[c.Tag.Name] = s
		f.cur.order = append(f.cur.order, s)
	}
	return s
}

// claim returns what the file says of the tag of that name; it is made if it is new.
func (f *File) claim(name []byte) *claim {
	c := f.claims[string(name)]
	if c == nil {
		c = &claim{Tag: f.run.tag(name), run: f.run}
		c.Tag.claims++
		f.claims[c.Tag.Name] = c
		f.names += int64(len(name))
		f.order = append(f.order, c)
		f.run.changed(c.Tag)
	}
	return c
}
