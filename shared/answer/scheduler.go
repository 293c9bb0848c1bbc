package answer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/reader"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// The scheduler
//
// A worker has one goroutine for everything: it reads files and answers questions by
// turns. Scheduler is the part of it that answers: which question is begun, which goes on,
// what is read for one and tried again, and how an answer becomes bytes.
//
// Two things hold whatever a file or a question says. A turn ends after turn, so that no
// question makes the others and the reading wait: a job that computes for long says Busy,
// and of many ranges that have come some are used in one turn and the others in later ones.
// And a question that fails fails alone: where an answer cannot be encoded, or the code of
// a kind panics, that question is answered with an *Error, and the worker goes on. (Memory
// that is used up is the exception: in WebAssembly nothing can catch that.)

// turn is how long a job computes before the worker looks at what else there is to do.
const turn = 12 * time.Millisecond

// Scheduler answers the questions of one worker about one logdir. It is used by one
// goroutine.
type Scheduler struct {
	Options
	waiting []asked
	running []*running
	calmAt  time.Duration // when the next calm question may be begun
	outs    []*Out        // scratch: those that nothing is put together in
	head    []byte        // scratch
}

// Options are what a Scheduler works with. All must be set.
type Options struct {
	Context context.Context // everything under way ends with it
	Answers Answers
	Dir     source.Logdir
	Files   Files
	// Now is a clock that only goes forward.
	Now func() time.Duration
	// Wake has the worker's goroutine call Step again; it may be called by others.
	Wake func()
	// Send sends an answer. The reply's slices are used again when it returns.
	Send func(Reply)
}

// Files is what is known of the files that are read; *reader.Plan is one.
type Files interface {
	// Listed is the size of a file as it was listed, in bytes; 0 if that is not known.
	Listed(path string) int64
	// Fits reports whether a result is of the file that was read.
	Fits(source.Range, source.Result) bool
	// Proof are the samples that prove it where Fits does not.
	Proof(path string) []reader.Sample
}

// Reply is an answer, or a part of one, ready to be sent.
type Reply struct {
	ID   int    // of the question
	Head []byte // JSON of Out.Parts, a list
	// Words or else Bytes are the buffer; see Out.
	Words []uint64
	Bytes []byte
	More  bool  // another answer follows
	Err   error // why there is none: a *wire.QueryError or an *Error; Head is "[]" then
}

// Error says that a question that was asked well could not be answered. Others can.
type Error struct {
	Kind string // that was asked for
	What string // what went wrong, for who mends the program
}

// Error says it in words.
func (e *Error) Error() string {
	return "the answer about " + e.Kind + " could not be made (" + e.What + "): please report this; everything else goes on"
}

// asked is a question that has not been begun.
type asked struct {
	id int
	q  wire.Query
}

// running is a question that is being answered. One that has more than one answer goes on by
// itself; one for everything that was logged when the asker wants the next piece, so that
// the asker never has more to write than one, and memory holds one piece and what it needs.
type running struct {
	Job
	id     int
	kind   string
	guest  bool // a stranger asks
	paced  bool // pieces come when they are asked for
	wanted bool // … and one is
	ctx    context.Context
	cancel context.CancelFunc
	turns  int  // in which it computed, and had not done
	out    *Out // what it has put together in earlier turns; nil if nothing

	need  []source.Range    // of the last step; none: nothing is awaited
	left  []int             // those of need that are being read
	proof [][]reader.Sample // of each of need: what must come with it, as the file has another version by now
	parts []part
	tries int

	came chan fetched // what was read, when it has come
	got  *fetched     // it has

	// While results are being used:
	next  func() (int, source.Result, bool)
	stop  func()
	used  int // of parts
	data  []byte
	fault error
	again []int
	pause time.Duration
}

// fetched is what a read has brought.
type fetched struct {
	results iter.Seq2[int, source.Result]
	err     error
}

// ready reports whether the bytes that it waits for have come.
func (r *running) ready() bool {
	if r.got == nil {
		select {
		case f := <-r.came:
			r.got = &f
		default:
		}
	}
	return r.got != nil
}

// part says what a range that is being read is for: number 0 is what is needed, the others
// are its proof.
type part struct{ need, number, of int }

// Ask takes a question in; it is begun by Step.
func (s *Scheduler) Ask(id int, q wire.Query) { s.waiting = append(s.waiting, asked{id, q}) }

// More says that the next piece of a paced answer is wanted.
func (s *Scheduler) More(id int) {
	for _, r := range s.running {
		if r.id == id {
			r.wanted = true
		}
	}
}

// Cancel forgets a question.
func (s *Scheduler) Cancel(id int) {
	s.waiting = slices.DeleteFunc(s.waiting, func(a asked) bool { return a.id == id })
	for _, r := range s.running {
		if r.id == id {
			s.end(r)
			return
		}
	}
}

// Len is how many questions have not been answered in full.
func (s *Scheduler) Len() int { return len(s.waiting) + len(s.running) }

// calmShare is how many times as long as a calm answer took is read before the next.
const calmShare = 24

// due returns the number of the question to begin now; -1 if there is none. Those of
// strangers come after the page's. Calm ones
// wait while there is something to read: cards that were drawn anew with every window took
// four fifths of the time of reading 1.1 GB. rest says that nothing is read meanwhile.
func (s *Scheduler) due(rest func() bool) int {
	for _, guest := range []bool{false, true} {
		if guest && s.half() {
			return -1
		}
		for i := range s.waiting {
			if q := &s.waiting[i].q; !q.Calm && q.Guest == guest {
				return i
			}
		}
		if !guest && s.ready(false) >= 0 {
			return -1 // the page's own goes on first
		}
	}
	if len(s.waiting) > 0 && (s.Now() >= s.calmAt || rest()) {
		return 0
	}
	return -1
}

// fewTurns is after how many turns a job counts as long.
const fewTurns = 4

// half reports whether a stranger's answer is half made, and soon done: then it is made before
// another one is begun. Of twenty that have turns none is there before all are, and each has a
// buffer. Others do not wait for a long one.
func (s *Scheduler) half() bool {
	for _, r := range s.running {
		if r.guest && r.out != nil && r.turns < fewTurns {
			return true
		}
	}
	return false
}

// Progress says what a Step did.
type Progress int

const (
	Nothing  Progress = iota // there is nothing to do before Wake or a message
	Answered                 // something has been done
	Computed                 // … and there is more to compute: reading may have its turn
)

// Step begins a question or goes on with one. rest reports whether there is nothing to read
// or bytes are waited for; then questions that nobody waits for are begun as well.
func (s *Scheduler) Step(rest func() bool) Progress {
	if i := s.due(rest); i >= 0 {
		return s.begin(i)
	}
	for _, guest := range []bool{false, true} {
		if i := s.ready(guest); i >= 0 {
			// The others come before it the next time.
			r := s.running[i]
			s.running = append(slices.Delete(s.running, i, i+1), r)
			return s.advance(r)
		}
	}
	return Nothing
}

// ready returns the number of a question that can go on, of the page or of strangers; -1 if
// there is none.
func (s *Scheduler) ready(guest bool) int {
	for i, r := range s.running {
		if r.guest == guest && (len(r.need) > 0 && r.ready() || len(r.need) == 0 && (r.wanted || !r.paced)) {
			return i
		}
	}
	return -1
}

// begin begins to answer question number i, and gives the first answer if nothing must be
// read for it.
func (s *Scheduler) begin(i int) (p Progress) {
	a := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	if a.q.Calm {
		defer func(t time.Duration) { s.calmAt = s.Now() + calmShare*(s.Now()-t) }(s.Now())
	}
	r := &running{id: a.id, kind: a.q.Kind, guest: a.q.Guest, paced: a.q.Every, wanted: true}
	r.ctx, r.cancel = context.WithCancel(s.Context)
	s.running = append(s.running, r)
	p = Answered
	s.guard(r, func() {
		job, err := s.Answers.Begin(&a.q)
		if err != nil {
			s.fail(r, err)
			return
		}
		r.Job = job
		p = s.step(r)
	})
	return p
}

// advance gives a job its turn.
func (s *Scheduler) advance(r *running) (p Progress) {
	p = Answered
	s.guard(r, func() {
		if len(r.need) > 0 {
			if !s.receive(r) {
				p = Computed
				return
			}
			if len(r.need) > 0 {
				return // it is read again
			}
		}
		p = s.step(r)
	})
	return p
}

// guard runs f, which works on a question, and answers that question with an error if f
// panics. What its kind has kept may be half made then.
func (s *Scheduler) guard(r *running, f func()) {
	defer func() {
		if p := recover(); p != nil {
			s.Answers.Forget()
			s.fail(r, &Error{r.kind, fmt.Sprint("internal error: ", p)})
		}
	}()
	f()
}

// fail answers a question with an error, and ends it.
func (s *Scheduler) fail(r *running, err error) {
	s.end(r)
	s.Send(Reply{ID: r.id, Head: []byte("[]"), Err: err})
}

// end ends a question.
func (s *Scheduler) end(r *running) {
	r.cancel()
	if r.stop != nil {
		r.stop()
	}
	s.running = slices.DeleteFunc(s.running, func(o *running) bool { return o == r })
}

// keptOuts is how many buffers of answers are used again. Jobs that take turns each have one.
const keptOuts = 4

// step sends the next answer, asks for the bytes that it needs, or computes for a turn.
func (s *Scheduler) step(r *running) Progress {
	out := r.out
	if r.out = nil; out == nil {
		out = &Out{}
		if n := len(s.outs); n > 0 {
			out, s.outs = s.outs[n-1], s.outs[:n-1]
		}
		out.reset()
	}
	end := s.Now() + turn
	out.Over = func() bool { return s.Now() >= end }
	step := r.Next(out)
	if step.Busy {
		r.turns++
		r.out = out
		return Computed
	}
	if len(s.outs) < keptOuts {
		s.outs = append(s.outs, out)
	}
	if len(step.Need) > 0 {
		s.await(r, step.Need)
		return Answered
	}
	r.wanted = false
	head, err := out.encode(s.head[:0])
	if err != nil {
		s.fail(r, &Error{r.kind, err.Error()})
		return Answered
	}
	s.head = head
	if !step.More {
		s.end(r)
	}
	s.Send(Reply{ID: r.id, Head: head, Words: out.Words, Bytes: out.Bytes, More: step.More})
	return Answered
}

// encode appends the JSON of an answer's parts.
func (o *Out) encode(b []byte) ([]byte, error) {
	if a, ok := o.Parts.(Appender); ok {
		return a.AppendJSON(b), nil
	}
	text, err := json.Marshal(o.Parts)
	return append(b, text...), err
}

// answerTries is how often the bytes of an answer are asked for again.
const answerTries = 3

// ErrOther says that a file is not the one any more that was listed or read.
var ErrOther = errors.New("the file has changed")

// await begins to read what a step needs.
func (s *Scheduler) await(r *running, need []source.Range) {
	r.need, r.tries, r.left = need, 0, r.left[:0]
	r.proof = make([][]reader.Sample, len(need))
	for i := range need {
		r.left = append(r.left, i)
	}
	s.fetch(r, 0)
}

// fetch reads what is left of it, after a pause, each with its proof behind it.
func (s *Scheduler) fetch(r *running, pause time.Duration) {
	came := make(chan fetched, 1)
	r.came, r.got = came, nil
	ctx := r.ctx
	var ranges []source.Range
	r.parts = r.parts[:0]
	for _, i := range r.left {
		n, of := r.need[i], len(r.proof[i])
		n.Size, n.Again = s.Files.Listed(n.Path), of == 0 // what needs a proof is asked for anew
		ranges, r.parts = append(ranges, n), append(r.parts, part{i, 0, of})
		for k, p := range r.proof[i] {
			ranges = append(ranges, source.Range{Path: n.Path, Offset: p.Offset, Length: p.Length, Size: n.Size})
			r.parts = append(r.parts, part{i, k + 1, of})
		}
	}
	go func() {
		if pause > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
		results, err := s.Dir.Read(ctx, ranges)
		came <- fetched{results, err}
		s.Wake()
	}()
}

// receive hands over the bytes that have come, for a turn; it reports whether that was all.
// What may come at another try is tried again some times: an export may take minutes, and a
// network be away for a moment. Bytes of another version than was read are asked for a
// second time, with a proof that only more has been written to the file.
func (s *Scheduler) receive(r *running) bool {
	if r.next == nil {
		r.used, r.data, r.fault, r.again, r.pause = 0, nil, nil, nil, 0
		r.next, r.stop = func() (int, source.Result, bool) { return 0, source.Result{}, false }, nil
		if r.got.err == nil {
			r.next, r.stop = iter.Pull2(r.got.results)
			r.got.err = source.ErrAgain // of those that do not come
		}
	}
	for end, from := s.Now()+turn, r.used; r.used < len(r.parts); r.used++ {
		if r.used > from && s.Now() >= end {
			return false
		}
		_, got, ok := r.next()
		if !ok {
			got = source.Result{Err: r.got.err}
		}
		s.use(r, r.parts[r.used], got)
	}
	if r.stop != nil {
		r.stop()
	}
	r.next, r.stop = nil, nil
	if len(r.again) > 0 {
		r.tries++
		r.left = r.again
		s.fetch(r, r.pause)
	} else {
		r.need = nil
	}
	return true
}

// use takes one result in.
func (s *Scheduler) use(r *running, t part, got source.Result) {
	i := t.need
	if t.number == 0 {
		r.data, r.fault = nil, nil
	}
	switch {
	case r.fault != nil:
	case got.Err != nil:
		r.fault = got.Err
	case t.number > 0 && !r.proof[i][t.number-1].Is(got.Data):
		r.fault = ErrOther
	case t.number > 0:
	case t.of > 0:
		r.data = bytes.Clone(got.Data)
	case s.Files.Fits(r.need[i], got):
		r.Take(i, got.Data)
		return
	default:
		if r.proof[i] = s.Files.Proof(r.need[i].Path); len(r.proof[i]) == 0 || r.tries >= answerTries {
			r.fault = ErrOther
		} else {
			r.again = append(r.again, i)
		}
	}
	if t.number < t.of {
		return
	}
	switch {
	case errors.Is(r.fault, source.ErrAgain) && r.tries < answerTries:
		r.again, r.pause = append(r.again, i), time.Second
	case r.fault != nil:
		r.Fail(i, r.fault)
	case r.data != nil:
		r.Take(i, r.data)
	}
}
