package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// query is a question that has not been begun.
type query struct {
	id int
	q  wire.Query
}

// running is a question that is being answered. One that has more than one answer goes
// on by itself; one for everything that was logged when the page has asked for the next
// piece, so that the page never has more to write than one, and memory holds one piece
// and what it needs.
type running struct {
	answer.Job
	id     int
	paced  bool // pieces come when they are asked for
	wanted bool // … and one is
	ctx    context.Context
	cancel context.CancelFunc

	need    []source.Range    // of the last step; none: nothing is awaited
	left    []int             // those of need that are being read
	proof   [][]reader.Sample // of each of need: what must come with it, as the file has another version by now
	parts   []part
	ready   bool // they have come: results or err
	results iter.Seq2[int, source.Result]
	err     error
	tries   int
}

// part says what a range that is being read is for: number 0 is what is needed, the others
// are its proof.
type part struct{ need, number, of int }

// calmShare is how many times as long as a calm answer took is read before the next.
const calmShare = 24

// due returns the number of the query to begin now; -1 if there is none. Calm ones
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

// begin begins to answer query number i, and gives the first answer if nothing must be
// read for it.
func (w *worker) begin(i int) {
	q := w.queries[i]
	w.queries = slices.Delete(w.queries, i, i+1)
	if q.q.Calm {
		defer func(t time.Duration) { w.calmAt = now() + calmShare*(now()-t) }(now())
	}
	job, err := w.answers.Begin(&q.q)
	if err != nil {
		post(map[string]any{"op": wire.OpAnswer, "id": q.id, "json": "[]", "error": err.Error(), "more": false})
		return
	}
	if q.q.Every {
		w.settle() // all that was logged comes through here
	}
	r := &running{Job: job, id: q.id, paced: q.q.Every, wanted: true}
	r.ctx, r.cancel = context.WithCancel(w.ctx)
	w.running[q.id] = r
	w.step(r)
}

// advance goes on with a question that can go on; it reports whether there was one.
func (w *worker) advance() bool {
	for _, r := range w.running {
		if len(r.need) > 0 {
			if !r.ready {
				continue
			}
			w.received(r)
		}
		if len(r.need) == 0 && (r.wanted || !r.paced) {
			w.step(r)
			return true
		}
	}
	return false
}

// step sends the next answer, or asks for the bytes that it needs.
func (w *worker) step(r *running) {
	out := &w.out
	out.Parts, out.Words, out.Bytes = nil, out.Words[:0], out.Bytes[:0]
	s := r.Next(out)
	if len(s.Need) > 0 {
		w.await(r, s.Need)
		return
	}
	r.wanted = false
	if !s.More {
		r.cancel()
		delete(w.running, r.id)
	}
	w.send(r.id, out, s.More)
}

// send sends an answer; more says that another one follows.
func (w *worker) send(id int, out *answer.Out, more bool) {
	var head []byte
	if a, ok := out.Parts.(answer.Appender); ok {
		head = a.AppendJSON(nil)
	} else {
		var err error
		if head, err = json.Marshal(out.Parts); err != nil {
			panic("worker: internal error: " + err.Error())
		}
	}
	var buffer js.Value
	if len(out.Bytes) > 0 {
		buffer = bridge.Bytes(out.Bytes)
	} else {
		buffer = bridge.Words(out.Words)
	}
	post(map[string]any{"op": wire.OpAnswer, "id": id, "json": string(head), "buffer": buffer, "more": more}, buffer)
}

// answerTries is how often the bytes of an answer are asked for again.
const answerTries = 3

// errOther says that a file is not the one any more that was read.
var errOther = errors.New("the file has changed")

// await begins to read what a step needs.
func (w *worker) await(r *running, need []source.Range) {
	r.need, r.tries, r.left = need, 0, r.left[:0]
	r.proof = make([][]reader.Sample, len(need))
	for i := range need {
		r.left = append(r.left, i)
	}
	w.fetch(r, 0)
}

// fetch reads what is left of it, after a pause, each with its proof behind it.
func (w *worker) fetch(r *running, pause time.Duration) {
	r.ready = false
	src := w.src
	var ranges []source.Range
	r.parts = r.parts[:0]
	for _, i := range r.left {
		n, of := r.need[i], len(r.proof[i])
		n.Size = w.plan.Listed(n.Path)
		ranges, r.parts = append(ranges, n), append(r.parts, part{i, 0, of})
		for k, s := range r.proof[i] {
			ranges, r.parts = append(ranges, source.Range{Path: n.Path, Offset: s.Offset, Length: s.Length, Size: n.Size}), append(r.parts, part{i, k + 1, of})
		}
	}
	go func() {
		if pause > 0 {
			time.Sleep(pause)
		}
		r.results, r.err = src.Read(r.ctx, ranges)
		r.ready = true
		w.poke()
	}()
}

// received hands over the bytes that have come. What may come at another try is tried
// again some times: an export may take minutes, and a network be away for a moment. Bytes
// of another version than was read are asked for a second time, with a proof that only
// more has been written to the file.
func (w *worker) received(r *running) {
	var again []int
	pause := time.Duration(0)
	var data []byte
	var err error
	use := func(t part, got source.Result) {
		i := t.need
		if t.number == 0 {
			data, err = nil, nil
		}
		switch {
		case err != nil:
		case got.Err != nil:
			err = got.Err
		case t.number > 0 && !r.proof[i][t.number-1].Is(got.Data):
			err = errOther
		case t.number > 0:
		case t.of > 0:
			data = bytes.Clone(got.Data)
		case w.plan.Fits(r.need[i], got):
			r.Take(i, got.Data)
		default:
			if r.proof[i] = w.plan.Proof(r.need[i].Path); len(r.proof[i]) == 0 || r.tries >= answerTries {
				err = errOther
			} else {
				again = append(again, i)
			}
		}
		if t.number < t.of {
			return
		}
		switch {
		case errors.Is(err, source.ErrAgain) && r.tries < answerTries:
			again, pause = append(again, i), time.Second
		case err != nil:
			r.Fail(i, err)
		case data != nil:
			r.Take(i, data)
		}
	}
	n := 0
	if r.err == nil {
		for k, got := range r.results {
			use(r.parts[k], got)
			n++
		}
		r.err = source.ErrAgain // of those that did not come
	}
	for _, t := range r.parts[n:] {
		use(t, source.Result{Err: r.err})
	}
	r.results = nil
	if len(again) > 0 {
		r.tries++
		r.left = again
		w.fetch(r, pause)
		return
	}
	r.need = nil
}
