// Package inspect says what event files hold without keeping it: which tags of which
// kind, how many steps, from where to where, whether they go back, when the job
// started and stopped, and what is damaged. These are the facts of `tensorboard
// --inspect` (backend/event_processing/event_file_inspector.py), and a few more.
//
// What is held in memory grows with the names of tags, up to a bound, not with points.
package inspect

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/mesh"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Kind is what the peer sorts events by: the form in which they stand in the file. So
// the scalars of TensorFlow 2 are tensors.
type Kind uint8

const (
	Audio Kind = iota
	Graph
	Histograms
	Images
	Scalars
	Checkpoint
	Start
	Stop
	Tensor
	Kinds // how many there are
)

var kindNames = [Kinds]string{"audio", "graph", "histograms", "images", "scalars", "sessionlog:checkpoint", "sessionlog:start", "sessionlog:stop", "tensor"}

// String returns the peer's name for it.
func (k Kind) String() string { return kindNames[k] }

// ofForm maps the form of a value to its kind; Kinds is none.
var ofForm = map[event.Form]Kind{event.Simple: Scalars, event.Histo: Histograms, event.Image: Images, event.Audio: Audio, event.TensorForm: Tensor}

// Run is the facts of one run.
type Run struct {
	Name   string // path relative to the logdir, "." for the logdir itself
	Files  []string
	Bytes  int64 // of all files
	Events int64
	// First and Last are the least and the greatest finite wall time, seconds since
	// 1970; NaN without events.
	First, Last float64
	// Kinds sums up the steps of each kind, in the order in which the files are read,
	// which is that of their names. Different steps are counted.
	Kinds [Kinds]Steps
	// Starts and Stops are what the job said, the first MaxSessions of each.
	Starts, Stops []Session
	// Tags are the facts of each tag of each kind.
	Tags   map[string]*Tag
	Losses []wire.Loss
	// Named are the tags that metadata alone names, without a value, with their plug-ins.
	Named map[string]string
	// Values counts the values of each plug-in, as their tags' metadata name it, and
	// graphs and run metadata that stand in fields of their own.
	Values map[string]int64
	// NotShown is what is written of Unshown.
	NotShown string

	plugins map[string]string // names of plug-ins
	room    *Room
	names   int64     // bytes of names; see mostNames
	unnamed wire.Loss // of the present file

	tag   string // alone is counted; "" for all
	ev    event.Event
	value event.Value
}

// Tag is the facts of one tag.
type Tag struct {
	Plugin string // as its metadata say; "" if they do not
	// Steps of each kind in which the tag stands: one, but in odd files.
	Steps map[Kind]*Steps

	part *mesh.Info // what its metadata say of a mesh; nil: it is of none
}

// mostNames is how many bytes the names of a run's tags may fill: as many as those of a file
// that the page reads. 40,000 names of 20 kB took minutes to sort.
var mostNames = int64(64 << 20)

// Room is what the names of the tags of all runs that are kept at a time may fill. It may be
// shared by goroutines.
type Room struct{ left atomic.Int64 }

// NewRoom returns a room of so many bytes.
func NewRoom(bytes int64) *Room {
	r := new(Room)
	r.left.Store(bytes)
	return r
}

// take takes so many bytes of the room, if it has them.
func (r *Room) take(n int64) bool {
	if r.left.Add(-n) >= 0 {
		return true
	}
	r.left.Add(n)
	return false
}

// AllNames is how many bytes the names of runs that are looked into at a time may have.
const AllNames = 512 << 20

// MaxSessions is how many starts, and how many stops, of a job are kept.
const MaxSessions = 1000

// New returns the empty facts of a run. With a tag, only its values are counted, and
// neither graphs nor what the job said, as in the peer. The names of its tags take of the
// room until Done is called; nil: they have a bound of their own alone.
func New(run, tag string, room *Room) *Run {
	r := &Run{Name: run, tag: tag, room: room, Tags: map[string]*Tag{}, Named: map[string]string{}, Values: map[string]int64{}, plugins: map[string]string{}, First: math.NaN(), Last: math.NaN()}
	for k := range r.Kinds {
		r.Kinds[k].set = &set{}
	}
	return r
}

// Visit counts a record. It is for catalog.Visit; its error is event.ErrMalformed.
func (r *Run) Visit(payload []byte, offset int64) error {
	e := &r.ev
	if err := e.Decode(payload); err != nil {
		return err
	}
	switch e.What {
	case event.Summary:
		v := &r.value
		// As in the catalog, an event counts wholly or not at all.
		for b, ok := e.Body, true; ok; {
			var err error
			if b, ok, err = v.NextValue(b); err != nil {
				return err
			}
		}
		for b, ok := e.Body, true; ok; {
			if b, ok, _ = v.NextValue(b); ok {
				r.count(v, offset)
			}
		}
	case event.SessionLog:
		status, err := event.SessionStatus(e.Body)
		if err != nil {
			return err
		}
		if r.tag == "" {
			r.session(status)
		}
	case event.GraphDef:
		if r.tag == "" {
			r.Kinds[Graph].add(e.Step)
			r.Values[unshown.Graphs]++
		}
	case event.TaggedRunMetadata:
		if r.tag == "" {
			r.Values[unshown.RunMetadata]++
		}
	}
	r.Events++
	if w := e.WallTime; !math.IsNaN(w) && !math.IsInf(w, 0) {
		if !(r.First <= w) {
			r.First = w
		}
		if !(r.Last >= w) {
			r.Last = w
		}
	}
	return nil
}

// Done gives back what the names of the run's tags took of the room: it is not kept any more.
func (r *Run) Done() {
	if r.room != nil {
		r.room.left.Add(r.names)
	}
	r.names = 0
}

// fits reports whether there is room for so many bytes of names that are new, of a value's tag
// or of its plug-in. If not, the value is lost.
func (r *Run) fits(name int, v *event.Value, offset int64) bool {
	n := int64(name)
	remedy := "the names of the run's tags fill %d MB, and those that come after are not told: log fewer or shorter ones"
	most := mostNames
	if r.names+n <= most {
		if r.room == nil || r.room.take(n) {
			r.names += n
			return true
		}
		most = AllNames
		remedy = "the names of the tags of runs that are looked into at a time fill %d MB, and those that come after are not told: give fewer runs, or log fewer or shorter names"
	}
	if r.unnamed.Count == 0 {
		r.unnamed = wire.Loss{Run: r.Name, Offset: offset, Kind: "too many names of tags", Remedy: fmt.Sprintf(remedy, most>>20)}
	}
	r.unnamed.Count++
	r.unnamed.Bytes += int64(len(v.Tag) + len(v.Body) + len(v.Meta))
	return false
}

// Unnamed returns what of a file, the one that was read since the last call, is not told
// since the names of tags fill all room.
func (r *Run) Unnamed(path string) (all []wire.Loss) {
	if l := r.unnamed; l.Count > 0 {
		l.File = path
		all = append(all, l)
	}
	r.unnamed = wire.Loss{}
	return all
}

func (r *Run) session(status int32) {
	e := &r.ev
	s := Session{e.Step, e.WallTime}
	switch status {
	case 1:
		r.Kinds[Start].add(e.Step)
		if len(r.Starts) < MaxSessions {
			r.Starts = append(r.Starts, s)
		}
	case 2:
		r.Kinds[Stop].add(e.Step)
		if len(r.Stops) < MaxSessions {
			r.Stops = append(r.Stops, s)
		}
	case 3:
		r.Kinds[Checkpoint].add(e.Step)
	}
}

// count counts a value of the present event.
func (r *Run) count(v *event.Value, offset int64) {
	kind, ok := ofForm[v.Form]
	if r.tag != "" && string(v.Tag) != r.tag {
		return
	}
	t := r.Tags[string(v.Tag)]
	plugin, named := r.Named[string(v.Tag)]
	need, says := 0, false
	var m event.Meta
	if v.Meta != nil && (ok && (t == nil || t.Plugin == "") || !ok && t == nil && plugin == "") {
		var err error
		if m, err = event.DecodeMeta(v.Meta); err == nil {
			says = true
			if _, known := r.plugins[m.Plugin]; !known {
				need = len(m.Plugin)
			}
			if m.Plugin == mesh.Plugin {
				need += len(m.Content)
			}
		}
	}
	if t == nil && !named && (ok || says) {
		need += len(v.Tag)
	}
	if need > 0 && !r.fits(need, v, offset) {
		return
	}
	if says {
		name, known := r.plugins[m.Plugin] // held once
		if !known {
			name = m.Plugin
			r.plugins[name] = name
		}
		m.Plugin = name
	}
	if !ok {
		if says {
			r.Named[string(v.Tag)] = m.Plugin
		}
		return
	}
	if t == nil {
		t = &Tag{Steps: map[Kind]*Steps{}}
		r.Tags[string(v.Tag)] = t
	}
	if says {
		t.Plugin = m.Plugin
		t.mesh(m)
	}
	s := t.Steps[kind]
	if s == nil {
		s = &Steps{}
		t.Steps[kind] = s
	}
	s.add(r.ev.Step)
	r.Kinds[kind].add(r.ev.Step)
	delete(r.Named, string(v.Tag))
	if kind == Scalars { // shown as a curve, whichever plug-in wrote it
		r.Values[""]++
	} else {
		r.Values[t.Plugin]++
	}
}

// Unshown says what is there of plug-ins that have no dashboard, "" if there is nothing:
// "10 graphs, 16 profiles". shown tells the plug-ins that have one.
func (r *Run) Unshown(shown func(plugin string) bool) string {
	var all []unshown.Item
	for plugin, n := range r.Values {
		if !shown(plugin) {
			all = append(all, unshown.Item{Plugin: plugin, Values: n})
		}
	}
	return unshown.Text(all)
}
