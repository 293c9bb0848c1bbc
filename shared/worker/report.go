package worker

import (
	"time"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// How often the page is told: often enough for a bar that moves, seldom enough
// that telling costs nothing.
const (
	reportEvery = 200 * time.Millisecond
	countsEvery = 3 * time.Second
)

// How many tags, and bytes of what is said of them, the page is told of in one message: it
// takes 10 ms to take in 1000.
const (
	partTags  = 2000
	partBytes = 1 << 20
)

// reporter gathers what the page must be told.
type reporter struct {
	lossesChanged bool
	known         map[string]*told
	last          time.Duration
	sentIdle      bool
	late          bool // something could not be told yet
	previewing    bool // as it was told last
	sketched      bool // … and whether all that the cache holds is shown by sketches
}

// told is what the page knows of a run.
type told struct {
	tags    int
	changed bool
	stale   bool // counts have changed since the tags were sent
	at      time.Duration
}

func (r *reporter) changed(run string) {
	if r.known == nil {
		r.known = make(map[string]*told)
	}
	t := r.known[run]
	if t == nil {
		t = &told{tags: -1}
		r.known[run] = t
	}
	t.changed, t.stale = true, true
	r.sentIdle = false
}

// send tells the page, if it is time; idle says that nothing is left to read.
func (r *reporter) send(w *Worker, idle bool) {
	t := w.now()
	previewing, sketched := w.plan.Previewing(), w.cache.Sketches() == Sketched
	if w.open.Gen == 0 || idle && r.sentIdle || !idle && t-r.last < reportEvery && previewing == r.previewing && sketched == r.sketched {
		r.late = !idle
		return
	}
	r.late = false
	r.last, r.sentIdle, r.previewing, r.sketched = t, idle, previewing, sketched
	p := wire.Progress{Gen: w.open.Gen, BytesRead: w.plan.Bytes, BytesCached: w.plan.Cached, Previewed: w.plan.Previewed(), Busy: !idle && !w.plan.Retrying(), Unread: w.plan.Unread(), Heard: w.heard, Previewing: previewing, Error: w.plan.Problem()}
	for name, run := range w.cat.Runs {
		known := r.known[name]
		if known == nil || !known.changed && !(idle && known.stale) {
			continue
		}
		rp := wire.RunProgress{Name: name, New: known.changed}
		if s := run.Start(); s-s == 0 {
			rp.Start = s
		}
		if n := run.TagCount(); n != known.tags || idle || t-known.at >= countsEvery {
			known.tags, known.at, known.stale = n, t, false
			rp.Tags, rp.TagsSet = make([]wire.NamedTag, 0, n), true
			run.Tags(func(tag *catalog.Tag, info wire.Tag) {
				rp.Tags = append(rp.Tags, wire.NamedTag{Name: tag.Shown, Tag: info})
			})
		}
		known.changed = false
		p.Runs = append(p.Runs, rp)
	}
	p.Points, p.Kept = w.room.sum.logged, w.room.sum.kept
	if r.lossesChanged {
		r.lossesChanged = false
		p.LostSet = true
		for _, run := range w.cat.Runs {
			for _, f := range run.Files {
				p.Lost = append(p.Lost, f.Losses()...)
			}
		}
	}
	for _, part := range p.Parts(partTags, partBytes) {
		w.host.Post(wire.Envelope{Op: wire.OpProgress, Body: wire.Pack(part)})
	}
}
