// Package answer is how queries of the data API are answered from a catalog, whatever
// the kind of data. It is the last stage before bytes leave the worker; the dump command
// runs the same jobs natively.
//
// A query becomes a Job. A job is asked to go on again and again. Each time it has an
// answer ready, or says which bytes of which files it needs for that: what was thinned
// away, what is kept by reference. Whoever runs the job reads them, in the background,
// and hands them over. So curves, every point of a zoom, exports and blobs are jobs of
// one loop.
package answer

import (
	"context"
	"errors"

	"github.com/tensorbored/tensorbored-static/shared/catalog"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Kind is a kind of data: one unit from the catalog to the answer. Package kinds lists
// them.
type Kind interface {
	// Name is what queries and cards call it.
	Name() string
	// Plugins are the names of the plug-ins whose tags it shows.
	Plugins() []string
	// Answerer begins to answer queries about what has been read.
	Answerer(World) Answerer
}

// World is what has been read of a logdir.
type World struct {
	*catalog.Catalog
	// Whole reports whether all of a run's files could be read as far as they are
	// listed; nil means that it is so of every run.
	Whole func(run string) bool
	// Beside returns a file as it is listed beside event files; nil means that there are
	// none.
	Beside func(path string) (wire.File, bool)
}

// IsWhole reports whether nothing of a run is missing that its files should hold.
func (w World) IsWhole(run string) bool { return w.Whole == nil || w.Whole(run) }

// Asker runs a query.
type Asker func(q wire.Query, got func(*Out) error) error

// Writer writes JSON; package dump has one.
type Writer interface {
	// Raw writes JSON text as it is.
	Raw(text string)
	// Text writes a JSON string.
	Text(s string)
	// Number writes a number, or the strings that stand for NaN and infinities.
	Number(x float64)
}

// Answerer answers the queries of one kind about one catalog. It may keep what it has
// read between queries.
type Answerer interface {
	// Begin begins to answer q. The error is a *wire.QueryError.
	Begin(q *wire.Query) (Job, error)
	// Forget drops what was kept between queries: a file has become another one.
	Forget()
}

// Out takes an answer. Next appends to its slices, which are used again and again, and
// sets Parts.
type Out struct {
	// Parts describes what the buffer holds; it must have a JSON form. It may be an Appender.
	Parts any
	// Words are the buffer, in the machine's order of bytes, or else Bytes are.
	Words []uint64
	Bytes []byte
	// Over reports whether the job's turn is over; nil means that it has all the time that
	// it wants. See Late.
	Over func() bool
}

// Late reports whether a job that has more to compute should leave it for its next turn
// and return Busy. It is asked between parts of the work that take some microseconds.
func (o *Out) Late() bool { return o.Over != nil && o.Over() }

// reset makes room for another answer.
func (o *Out) reset() { o.Parts, o.Words, o.Bytes = nil, o.Words[:0], o.Bytes[:0] }

// Appender is what writes its JSON form by itself: of the parts of curves, which a moving
// slider asks for a thousand times in a frame, reflection was half of the answer's time.
type Appender interface{ AppendJSON(b []byte) []byte }

// Step is how far a job has come.
type Step struct {
	// Need are the ranges that must be read before the job can go on. Take or Fail is
	// called for each of them, and then Next again. Out is empty.
	Need []source.Range
	// More says that another answer follows the one in Out.
	More bool
	// Busy says that there is more to compute before there is an answer: Next is called
	// again, soon, with the same Out as it was left. See Out.Late.
	Busy bool
}

// Job is a query that is being answered.
type Job interface {
	// Next goes on until there is an answer, something must be read, or its turn is over.
	// It is not called again when a Step had neither Need nor More nor Busy.
	Next(out *Out) Step
	// Take uses the bytes of number i of the last Need, of which there may be fewer
	// than were asked for. They may be used only until it returns.
	Take(i int, data []byte)
	// Fail says that number i could not be read.
	Fail(i int, err error)
}

// Answers are the answerers of all kinds for one catalog.
type Answers map[string]Answerer

// New makes the answerers of kinds for w.
func New(kinds []Kind, w World) Answers {
	a := make(Answers, len(kinds))
	for _, k := range kinds {
		a[k.Name()] = k.Answerer(w)
	}
	return a
}

// Begin begins to answer q. The error is a *wire.QueryError.
func (a Answers) Begin(q *wire.Query) (Job, error) {
	k := a[q.Kind]
	if k == nil {
		return nil, &wire.QueryError{What: "there is no kind of data called " + q.Kind}
	}
	return k.Begin(q)
}

// Forget drops what the answerers keep between queries.
func (a Answers) Forget() {
	for _, k := range a {
		k.Forget()
	}
}

// Serve runs a job to its end, reading from dir, and calls got with each answer. The
// error is that of reading as a whole, or got's.
func Serve(ctx context.Context, dir source.Logdir, j Job, got func(*Out) error) error {
	var out Out
	for {
		out.reset()
		step := j.Next(&out)
		for step.Busy {
			step = j.Next(&out)
		}
		if len(step.Need) == 0 {
			if err := got(&out); err != nil || !step.More {
				return err
			}
			continue
		}
		results, err := dir.Read(ctx, step.Need)
		if err != nil {
			return err
		}
		n := 0
		for i, r := range results {
			n++
			if r.Err != nil {
				j.Fail(i, r.Err)
			} else {
				j.Take(i, r.Data)
			}
		}
		for ; n < len(step.Need); n++ {
			j.Fail(n, errEnded)
		}
	}
}

var errEnded = errors.New("the answer ended early")
