package projector

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Question is a message of the page. Typed arrays stand in fields of their own.
type Question struct {
	ID   int64           `json:"id"`
	Do   string          `json:"do"`
	Body json.RawMessage `json:"-"` // the whole message as JSON

	Rows  []uint32  `json:"-"`
	From  []float32 `json:"-"`
	Bytes []byte    `json:"-"`
	Local []Listed  `json:"-"` // of add: paths begin with "local:"
}

// fields reads the fields of a question's own.
func (q *Question) fields(into any) error {
	if err := json.Unmarshal(q.Body, into); err != nil {
		return tensor.Wrong("bad-question", "", "", "The question %q cannot be understood: %v.", q.Do, err)
	}
	return nil
}

// Answer is what goes to the page: numbers, texts, lists, objects, and slices of numbers, which
// become typed arrays.
type Answer map[string]any

// turnTime is how long work goes on before others are heard.
const turnTime = 30 * time.Millisecond

// Service answers questions. All work is done by whoever holds the turn, so nothing else is locked.
type Service struct {
	port Port
	post func(Answer)

	turn  sync.Mutex
	since time.Time // when the turn began
	read  int64     // bytes that were read

	listed, local map[string]Listed
	runs          []string
	seen          map[string]found // by path: what was found in files
	tensors       map[string]*entry
	order         []*entry
	gen           int64
	open          map[string]*opened
	jobs          map[int64]*job
	listing       sync.Mutex // one list at a time
	lastListed    string
}

// New makes a Service. post sends an answer to the page; it is called while the turn is held.
func New(port Port, post func(Answer)) *Service {
	return &Service{port: port, post: post, listed: map[string]Listed{}, local: map[string]Listed{}, seen: map[string]found{},
		tensors: map[string]*entry{}, open: map[string]*opened{}, jobs: map[int64]*job{}}
}

// Ask answers a question, on a goroutine of its own.
func (s *Service) Ask(q *Question) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.since = time.Now()
	defer func() {
		if r := recover(); r != nil {
			s.post(Answer{"id": q.ID, "error": tensor.Wrong("internal", "", "Reload the page.", "The question %q failed: %v.", q.Do, r)})
		}
	}()
	if err := json.Unmarshal(q.Body, q); err != nil {
		s.post(Answer{"id": q.ID, "error": trouble(err)})
		return
	}
	answer := s.answers()[q.Do]
	if answer == nil {
		s.post(Answer{"id": q.ID, "error": tensor.Wrong("bad-question", "", "", "Nothing is called %q.", q.Do)})
		return
	}
	a, err := answer(q)
	if err != nil {
		s.post(Answer{"id": q.ID, "error": trouble(err)})
		return
	}
	s.post(Answer{"id": q.ID, "answer": a})
}

func (s *Service) answers() map[string]func(*Question) (Answer, error) {
	return map[string]func(*Question) (Answer, error){
		"list": s.list, "add": s.add, "drop": s.drop, "load": s.load, "close": s.close,
		"metadata": s.metadata, "edit": s.edit, "sprite": s.sprite, "bookmarks": s.bookmarks, "bookmark": s.bookmark,
		"project": s.project, "neighbors": s.neighbors, "search": s.search, "save": s.save,
		"pause":   s.control(func(j *job) { j.paused = true }),
		"resume":  s.control(func(j *job) { j.paused = false }),
		"stop":    s.control(func(j *job) { j.stopped = true }),
		"perturb": s.control(func(j *job) { j.perturb = true }),
	}
}

// trouble is any error as the page knows it.
func trouble(err error) *tensor.Trouble {
	var t *tensor.Trouble
	if errors.As(err, &t) {
		return t
	}
	return tensor.Wrong("unread", "", "", "%v", err)
}

// rest lets others work when the turn has lasted long enough.
func (s *Service) rest() {
	if time.Since(s.since) < turnTime {
		return
	}
	s.turn.Unlock()
	time.Sleep(time.Nanosecond) // in a browser a timer, before which messages are heard
	s.turn.Lock()
	s.since = time.Now()
}

func (s *Service) progress(q *Question, of Answer, more Answer) {
	a := Answer{"id": q.ID, "progress": of}
	for k, v := range more {
		a[k] = v
	}
	s.post(a)
}

func unknown(code, format string, args ...any) error {
	return tensor.Wrong(code, "", "", "%s", fmt.Sprintf(format, args...))
}
