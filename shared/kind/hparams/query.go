// Package hparams is the kind of data "hparams": the hyperparameters of runs, and numbers
// that sum up their scalars, as columns of a table of runs. It holds what is asked and
// answered (query.go), how a worker answers (job.go), and how it is dumped (dump.go).
//
// A table of ten thousand runs is one question and one buffer for each worker: nothing
// crosses for each value.
package hparams

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Of says which number of a run's scalars a column has.
type Of string

const (
	Last     Of = "last"
	First    Of = "first"
	Least    Of = "min"
	Greatest Of = "max"
	Mean     Of = "mean"
	At       Of = "at" // the value at the step that is closest to Column.Step
	// Smoothed is the last smoothed value, as TensorBoard's slider makes it of the points in
	// their order, with a weight of Column.Step thousandths.
	Smoothed Of = "smoothed"
	// The steps at which the last, least and greatest value stand; of equal values the
	// first one's.
	LastStep     Of = "laststep"
	LeastStep    Of = "minstep"
	GreatestStep Of = "maxstep"
)

// Ofs are all of them.
var Ofs = []Of{Last, Least, Greatest, Mean, First, LastStep, LeastStep, GreatestStep, At, Smoothed}

// Column asks for a number of the scalars of a tag. Numbers that are not finite are left
// out of Least, Greatest and Mean. First and Last are those by order of logging.
type Column struct {
	Tag  string `json:"tag"`
	Of   Of     `json:"of"`
	Step int64  `json:"step,omitempty"`
}

// Query is the body of a wire.Query: with columns it asks for numbers, without for
// sessions.
type Query struct {
	Columns []Column `json:"columns,omitempty"`
}

// For makes the query.
func (q Query) For(runs []string) wire.Query { return wire.NewQuery(hparams.Name, nil, runs, q) }

// Part is a worker's answer, one at most. The buffer begins at byte 0 and has 8 bytes for
// each number, in the machine's order.
type Part struct {
	// Runs are those that the part is about: all that the worker has, of numbers; of
	// sessions those that log some.
	Runs []string `json:"runs"`
	// Names of hyperparameters and Texts are what numbers in the buffer stand for.
	Names       []string             `json:"names,omitempty"`
	Texts       []string             `json:"texts,omitempty"`
	Experiments []hparams.Experiment `json:"experiments,omitempty"` // each once
	// Damaged are runs whose data could not be read.
	Damaged []string `json:"damaged,omitempty"`
	// Thinned is how many numbers are of the points that are kept, where not all are.
	Thinned int `json:"thinned,omitempty"`
}

// Nothing stands for a number that there is not: a NaN that no arithmetic makes.
const Nothing = 0x7ff8_6e6f_7468_696e

// Numbers calls f with each run's numbers, in the order of the query's columns. ok says
// which there are. Both are used again.
func Numbers(p Part, buffer []byte, columns int, f func(run string, numbers []float64, ok []bool)) {
	numbers, ok := make([]float64, columns), make([]bool, columns)
	for _, run := range p.Runs {
		if len(buffer) < 8*columns {
			return
		}
		for i := range columns {
			bits := binary.LittleEndian.Uint64(buffer[8*i:])
			numbers[i], ok[i] = math.Float64frombits(bits), bits != Nothing
		}
		buffer = buffer[8*columns:]
		f(run, numbers, ok)
	}
}

// sessionWords is how many words a session has before its hyperparameters.
const sessionWords = 7

// appendSession writes a session; text numbers texts and name names.
func appendSession(buf []uint64, s *hparams.Session, text, name func(string) uint64) []uint64 {
	buf = append(buf, uint64(len(s.Params)), uint64(s.Status), math.Float64bits(s.Start), math.Float64bits(s.End), text(s.Group), text(s.ModelURI), text(s.Monitor))
	for _, p := range s.Params {
		bits := math.Float64bits(p.Value.Num)
		if p.Value.Kind == hparams.Text {
			bits = text(p.Value.Text)
		}
		buf = append(buf, name(p.Name)<<8|uint64(p.Value.Kind), bits)
	}
	return buf
}

// Sessions returns the sessions of an answer by run.
func Sessions(p Part, buffer []byte) map[string]*hparams.Session {
	out := make(map[string]*hparams.Session, len(p.Runs))
	at := 0
	next := func() uint64 {
		at += 8
		return binary.LittleEndian.Uint64(buffer[at-8:])
	}
	text := func() string { return p.Texts[next()] }
	all := make([]hparams.Param, 0, len(buffer)/16) // each has two words
	for _, run := range p.Runs {
		s := &hparams.Session{}
		n := next()
		s.Status = hparams.Status(next())
		s.Start, s.End = math.Float64frombits(next()), math.Float64frombits(next())
		s.Group, s.ModelURI, s.Monitor = text(), text(), text()
		all = all[:len(all)+int(n)]
		s.Params = all[len(all)-int(n) : len(all) : len(all)]
		for i := range s.Params {
			head := next()
			v := hparams.Value{Kind: hparams.Kind(head)}
			if v.Kind == hparams.Text {
				v.Text = text()
			} else {
				v.Num = math.Float64frombits(next())
			}
			s.Params[i] = hparams.Param{Name: p.Names[head>>8], Value: v}
		}
		out[run] = s
	}
	return out
}

// read reads the query back.
func read(w *wire.Query) (q Query, err error) {
	if len(w.Body) > 0 {
		if err := json.Unmarshal(w.Body, &q); err != nil {
			return q, &wire.QueryError{What: err.Error()}
		}
	}
	for _, c := range q.Columns {
		known := false
		for _, of := range Ofs {
			known = known || c.Of == of
		}
		if !known {
			return q, &wire.QueryError{What: "a column is of last, min, max, mean, first, laststep, minstep, maxstep, at or smoothed"}
		}
	}
	return q, nil
}
