package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Status returns the state of reading.
func (e *Engine) Status() wire.Status { return e.status }

// ReadOn says where the files are read, and what there is to say of it.
func (e *Engine) ReadOn(host, note string) {
	e.status.Reader, e.status.Note = host, note
	e.tell(Change{Status: true})
}

// progress takes in what a worker tells.
func (e *Engine) progress(w *Worker, packed []byte) {
	var p wire.Progress
	if err := wire.Unpack(packed, &p); err != nil || p.Gen != e.gen {
		return
	}
	c := Change{Status: true}
	for _, rp := range p.Runs {
		r := e.runs[rp.Name]
		if r == nil {
			continue
		}
		if r.start != rp.Start {
			r.start = rp.Start
			e.sorted = nil
			c.Runs = true
			c.Started = append(c.Started, rp.Name)
		}
		if rp.TagsSet {
			if !rp.Later {
				r.coming = nil
			}
			for _, t := range rp.Tags {
				r.coming.add(t)
				if derive.IsName(t.Name) { // it is not: it was logged
					e.named[t.Name] = true
				}
			}
			if !rp.More {
				r.tags, r.coming = r.coming, nil
				c.Tags = true
				c.Tagged = append(c.Tagged, rp.Name)
			}
		}
		if rp.New {
			c.Data = append(c.Data, rp.Name)
		}
	}
	lost := w.progress.Lost
	if p.LostSet {
		lost = p.Lost
	}
	p.Runs, p.Lost = nil, lost
	w.progress = p
	e.update(c)
}

// update makes the status anew and tells the watchers.
func (e *Engine) update(c Change) {
	s := &e.status
	s.BytesCached, s.Previewed = 0, false
	s.BytesRead, s.Points, s.Kept, s.Runs = 0, 0, 0, len(e.runs)
	s.Unread = 0
	e.supervisor.All(func(path string) {
		if f := e.files[path]; f != nil && !f.Gone {
			s.Unread++
		}
	})
	s.Lost = append(append([]wire.Loss{}, e.lost...), e.missing...)
	busy, problem, preview := e.listing, "", false
	for _, w := range e.workers {
		p := &w.progress
		s.BytesRead += p.BytesRead
		s.BytesCached += p.BytesCached
		s.Unread += p.Unread
		s.Previewed = s.Previewed || p.Previewed
		s.Points += p.Points
		s.Kept += p.Kept
		s.Lost = append(s.Lost, p.Lost...)
		busy = busy || p.Busy || p.Heard < w.sent
		preview = preview || p.Previewing
		if p.Error != "" {
			problem = p.Error
		}
		if w.trouble != "" {
			problem = w.trouble
		}
	}
	// A worker may have read more than the listing told that was taken in last.
	s.BytesRead = min(s.BytesRead, s.BytesTotal)
	s.BytesCached = min(s.BytesCached, s.BytesRead)
	slices.SortStableFunc(s.Lost, func(a, b wire.Loss) int {
		return cmp.Or(compare(a.Run, b.Run), compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
	if problem != "" || len(e.files) > 0 && !e.listing && s.Error != "" && s.Error == e.meter.problem {
		s.Error = problem
		e.meter.problem = problem
	}
	if e.broken != "" {
		s.Error, busy = e.broken, true
	}
	switch {
	case !e.open:
		s.Phase = wire.Idle
	case preview:
		s.Phase = wire.Preview
	case busy:
		s.Phase = wire.Reading
	case s.Unread > 0:
		s.Phase = wire.Incomplete
	default:
		s.Phase = wire.Exact
	}
	s.Rate = e.meter.rate(e.host.Now(), s.BytesRead-s.BytesCached, busy)
	e.tell(c)
}

// meter measures the rate of reading over the last seconds.
type meter struct {
	at      time.Time
	bytes   int64
	current float64
	problem string // the error that is shown because a worker told it
}

func (m *meter) rate(t time.Time, bytes int64, busy bool) float64 {
	if !busy {
		m.at, m.current = time.Time{}, 0
		return 0
	}
	if m.at.IsZero() {
		m.at, m.bytes = t, bytes
		return 0
	}
	if d := t.Sub(m.at).Seconds(); d >= 0.5 {
		now := float64(max(bytes-m.bytes, 0)) / d
		if m.current == 0 {
			m.current = now
		}
		m.current += (now - m.current) / 2 // a steadier estimate of what is left
		m.at, m.bytes = t, bytes
	}
	return m.current
}
