package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

const (
	// zoomBytes is how much is read again for a zoom: as much as takes a moment.
	zoomBytes = 32 << 20
	// recallPoints bounds the details that are kept for the next query.
	recallPoints = 2 << 20
)

// zoom is a query whose details are being read.
type zoom struct {
	query
	details map[string][]*catalog.Detail
	missing []missing
	cancel  context.CancelFunc
	ready   bool
}

// missing is a detail that has to be read.
type missing struct {
	tag *catalog.Tag
	*catalog.Detail
}

// recall is a detail that was read for an earlier query. A card asks again and again
// about the same stretch: when the smoothing changes, and when a file grows.
type recall struct {
	tag string
	*catalog.Detail
}

// calmShare is how many times as long as a calm answer took is read before the next.
const calmShare = 24

// due returns the number of the query to answer now; -1 if there is none. Calm ones
// wait while there is something to read: cards that were drawn anew with every
// window took four fifths of the time of reading 1.1 GB. Where bytes come slowly there
// is time for them.
func (w *worker) due() int {
	for i := range w.queries {
		if !w.queries[i].q.Calm {
			return i
		}
	}
	if len(w.queries) > 0 && (now() >= w.calmAt || w.plan.Done() || w.plan.Waits()) {
		return 0
	}
	return -1
}

// answer answers query number i. If points of its range are not in memory the
// answer says that a better one follows, and they are read.
func (w *worker) answer(i int) {
	q := w.queries[i]
	w.queries = slices.Delete(w.queries, i, i+1)
	if q.q.Calm {
		defer func(t time.Duration) { w.calmAt = now() + calmShare*(now()-t) }(now())
	}
	if q.q.Every {
		w.stream(q)
		return
	}
	details := answer.Details(w.cat, &q.q, zoomBytes)
	if details == nil {
		w.reply(q, nil, false)
		return
	}
	z := &zoom{query: q, details: details}
	for _, name := range q.q.Runs {
		run := w.cat.Runs[name]
		for _, d := range details[name] {
			if !w.remember(q.q.Tag, d) {
				z.missing = append(z.missing, missing{run.Lookup(q.q.Tag), d})
			}
		}
	}
	if len(z.missing) == 0 {
		w.reply(q, details, false)
		return
	}
	w.reply(q, nil, true)
	ctx, cancel := context.WithCancel(w.ctx)
	z.cancel = cancel
	w.zooms[q.id] = z
	src := w.src
	go func() {
		z.read(ctx, src, w.plan)
		z.ready = true
		w.poke()
	}()
}

// remember fills d with what was read of it before; it reports whether there was.
func (w *worker) remember(tag string, d *catalog.Detail) bool {
	for _, r := range w.recalled {
		if r.tag == tag && r.Same(d) {
			d.Points = r.Points
			return true
		}
	}
	return false
}

// read reads the missing details. Those that cannot be read are left empty.
func (z *zoom) read(ctx context.Context, src source.Logdir, plan *reader.Plan) {
	left, tries := z.missing, 0
	for len(left) > 0 {
		var ranges []source.Range
		var asked, rest []missing
		total := int64(0)
		for _, m := range left {
			r, more := m.Next(m.tag)
			if !more {
				continue
			}
			r.Size = plan.Listed(r.Path)
			rest = append(rest, m)
			if total == 0 || total+r.Length <= zoomBytes {
				ranges, asked = append(ranges, r), append(asked, m)
				total += r.Length
			}
		}
		left = rest
		if len(ranges) == 0 {
			return
		}
		results, err := src.Read(ctx, ranges)
		if err != nil || ctx.Err() != nil {
			for _, m := range left {
				m.Fail()
			}
			return
		}
		again := false
		for i, r := range results {
			if errors.Is(r.Err, source.ErrAgain) && tries < streamTries {
				again = true // Next asks for it once more
				continue
			}
			if !plan.Fits(ranges[i], r) {
				asked[i].Fail()
			} else {
				asked[i].Take(asked[i].tag, r.Data, ranges[i])
			}
		}
		if again {
			tries++
			time.Sleep(time.Second)
		}
		bridge.Yield()
	}
}

// zoomed answers a query whose details have come; it reports whether there was one.
func (w *worker) zoomed() bool {
	for id, z := range w.zooms {
		if !z.ready {
			continue
		}
		delete(w.zooms, id)
		z.cancel()
		w.reply(z.query, z.details, false)
		total := 0
		for _, r := range w.recalled {
			total += r.Points.Len()
		}
		for _, m := range z.missing {
			if total += m.Points.Len(); m.Filled() {
				w.recalled = append(w.recalled, recall{z.q.Tag, m.Detail})
			}
		}
		for len(w.recalled) > 0 && total > recallPoints {
			total -= w.recalled[0].Points.Len()
			w.recalled = w.recalled[1:]
		}
		return true
	}
	return false
}
