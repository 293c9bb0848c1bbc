// Package files is the kind of data "files": what stands in a logdir beside event files and
// is listed as a companion (Lightning's hparams.yaml, projector configurations, metadata,
// sprites, checkpoints, the default profile). Bytes of them are asked for as everything else
// is, by path, and read as everything else is: in ranges, tried again, of one version of the
// file or not at all.
package files

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tensorbored/tensorbored-static/shared/answer"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Name is the name of the kind.
const Name = "files"

const (
	// MaxBytes is how many bytes of files one answer holds; wire.Query.Every has no limit.
	MaxBytes = 32 << 20
	// PieceBytes is how many bytes a piece of an answer with wire.Query.Every holds.
	PieceBytes = 4 << 20
	// windowBytes is how many bytes are read at a time.
	windowBytes = 2 << 20
)

// Query is the body of a wire.Query with Files. With wire.Query.Every all bytes from From on
// come in pieces, one file after the other; a worker holds one piece, however long the files
// are.
type Query struct {
	From int64 `json:"from,omitempty"` // the first byte of each file that is wanted
	Max  int64 `json:"max,omitempty"`  // how many of each are wanted; 0 stands for MaxBytes
}

// For makes the query for files.
func (q Query) For(paths ...string) wire.Query {
	w := wire.NewQuery(Name, nil, nil, q)
	w.Files = paths
	return w
}

// Part is what an answer's JSON holds for each file: some of its bytes, which stand in the
// buffer.
type Part struct {
	Path    string `json:"path"`
	Size    int64  `json:"size"`              // of the file as it is listed
	Version string `json:"version,omitempty"` // of the bytes; "" if the origin knows none
	From    int64  `json:"from"`              // of the first byte in the buffer
	Offset  int    `json:"offset"`            // where they stand in the buffer
	Length  int    `json:"length"`
	Error   string `json:"error,omitempty"` // why there are none
	// Again says that the file can be asked for again after the next look: it could not be
	// read for now, or is another one.
	Again bool `json:"again,omitempty"`
}

// Kind is the kind of data.
type Kind struct{}

// Name implements answer.Kind.
func (Kind) Name() string { return Name }

// Plugins implements answer.Kind: no tag is shown by it.
func (Kind) Plugins() []string { return nil }

// Answerer implements answer.Kind.
func (Kind) Answerer(w answer.World) answer.Answerer { return answerer{w} }

type answerer struct{ w answer.World }

// Forget implements answer.Answerer: nothing is kept.
func (answerer) Forget() {}

// Begin implements answer.Answerer.
func (a answerer) Begin(w *wire.Query) (answer.Job, error) {
	var q Query
	if len(w.Body) > 0 {
		if err := json.Unmarshal(w.Body, &q); err != nil {
			return nil, &wire.QueryError{What: err.Error()}
		}
	}
	if q.From < 0 || q.Max < 0 {
		return nil, &wire.QueryError{What: "a part of a file begins at a byte, and has a length"}
	}
	j := &job{every: w.Every}
	left := int64(MaxBytes)
	for _, path := range w.Files {
		f, ok := wire.File{}, false
		if a.w.Beside != nil {
			f, ok = a.w.Beside(path)
		}
		p := &part{Part: Part{Path: path, Size: f.Size, From: min(q.From, f.Size)}}
		p.at, p.end = p.From, f.Size
		if q.Max > 0 {
			p.end = min(f.Size, p.at+min(q.Max, f.Size))
		}
		switch {
		case !ok:
			p.fail(&missing{path})
		case !w.Every && p.end-p.at > left:
			p.fail(fmt.Errorf("%s is larger than what is answered at once (%d bytes of %d)", path, left, p.end-p.at))
		case !w.Every:
			left -= p.end - p.at
		}
		j.parts = append(j.parts, p)
	}
	return j, nil
}

// missing says that there is no such file.
type missing struct{ path string }

func (e *missing) Error() string { return e.path + " is not listed" }

// part is a file, or the piece of it that is being read.
type part struct {
	Part
	at, end int64 // what is left to be read of it
	bytes   []byte
}

func (p *part) fail(err error) {
	p.Error, p.bytes, p.Length = err.Error(), nil, 0
	p.Again = errors.Is(err, source.ErrAgain) || errors.Is(err, answer.ErrOther)
	p.at = p.end
}

// job answers a query.
type job struct {
	every bool
	parts []*part // that are left
	asked []*part // of the last Need, by number
}

// Next implements answer.Job.
func (j *job) Next(out *answer.Out) answer.Step {
	if j.every {
		return j.piece(out)
	}
	if need := j.need(j.parts); len(need) > 0 {
		return answer.Step{Need: need}
	}
	list := []Part{}
	for _, p := range j.parts {
		list = append(list, p.take(out))
	}
	out.Parts = list
	return answer.Step{}
}

// take puts what has been read of a file into an answer.
func (p *part) take(out *answer.Out) Part {
	p.Offset, p.Length = len(out.Bytes), len(p.bytes)
	out.Bytes = append(out.Bytes, p.bytes...)
	said := p.Part
	p.From, p.bytes = p.at, p.bytes[:0]
	return said
}

// piece answers some of the first file that is left.
func (j *job) piece(out *answer.Out) answer.Step {
	list := []Part{}
	if len(j.parts) > 0 {
		p := j.parts[0]
		if len(p.bytes) < PieceBytes {
			if need := j.need(j.parts[:1]); len(need) > 0 {
				return answer.Step{Need: need}
			}
		}
		list = append(list, p.take(out))
		if p.at >= p.end {
			j.parts = j.parts[1:]
		}
	}
	out.Parts = list
	return answer.Step{More: len(j.parts) > 0}
}

// need returns the next windows of files, one of each: what a file has is read one window
// after the other, so that no length in a listing sizes memory.
func (j *job) need(of []*part) []source.Range {
	var need []source.Range
	j.asked = j.asked[:0]
	for _, p := range of {
		if p.at < p.end {
			need = append(need, source.Range{Path: p.Path, Offset: p.at, Length: min(windowBytes, p.end-p.at)})
			j.asked = append(j.asked, p)
		}
		if len(need) == 64 {
			break
		}
	}
	return need
}

// Take implements answer.Job.
func (j *job) Take(i int, data []byte) {
	p := j.asked[i]
	want := min(windowBytes, p.end-p.at)
	p.bytes = append(p.bytes, data...)
	p.at += int64(len(data))
	if int64(len(data)) < want { // it is shorter than it was listed
		p.fail(answer.ErrOther)
	}
}

// Fail implements answer.Job.
func (j *job) Fail(i int, err error) { j.asked[i].fail(err) }
