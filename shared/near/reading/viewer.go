package reading

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/engine"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Viewer is a page that looks. To it this side is one worker: it tells which logdir and which
// files it has listed, and asks. What it says of the logdir is not believed, it only makes this
// side look for itself: a page reads what is served here and nothing else.
type Viewer struct {
	r     *Reading
	queue queue

	// What follows is the Reading's goroutine's.
	gone   bool
	gen    int // of the page's open; 0: it has opened nothing
	files  int // OpFiles messages that have come …
	coming int // … before the listing that is under way was begun …
	heard  int // … and those that a listing has answered
	show   wire.Look
	shown  map[string]bool // of show.Runs
	dirty  map[string]news // runs of which it does not know all
	fresh  bool            // it has opened the logdir when files were gone
	told   bool            // nothing else has changed since it was told
	losses int             // as it was told

	own, guests *asker
	asked       map[int]func()         // cancels questions that are under way
	streams     map[int]*engine.Stream // … and ends those that are answered in pieces
	awaited     map[int]bool           // of which a piece is under way
	waiting     []wire.Envelope        // questions that come while answers pile up
}

// news is what a viewer does not know of a run.
type news struct{ data, tags bool }

// ErrOver says that a viewer is not served any more.
var ErrOver = errors.New("reading: the viewer has gone")

// MaxMessage bounds the bytes of a message of a page: a listing of 100,000 files takes 15 MB.
const MaxMessage = 64 << 20

// maxPiled is how many bytes of answers may wait for a slow line before further questions
// wait.
const maxPiled = 8 << 20

// Meet begins to serve a viewer.
func (r *Reading) Meet() *Viewer {
	v := &Viewer{r: r, dirty: map[string]news{}, asked: map[int]func(){}, streams: map[int]*engine.Stream{}, awaited: map[int]bool{}}
	v.queue.more = make(chan struct{}, 1)
	r.do(func() {
		r.viewers[v] = true
		v.own, v.guests = r.newAsker(), r.newAsker()
	})
	return v
}

// Leave ends it.
func (v *Viewer) Leave() { v.r.do(v.leave) }

func (v *Viewer) leave() {
	if v.gone {
		return
	}
	v.over()
	v.forget()
	v.own.leave()
	v.guests.leave()
	delete(v.r.viewers, v)
	v.r.left = time.Now()
	v.r.show()
	if v.r.e.IsOpen() && v.r.e.Status().Gone > 0 && v.r.fresh() {
		v.r.open()
	}
}

func (v *Viewer) over() {
	v.gone = true
	v.queue.close()
}

// Hear takes a frame of the page. The error says that it is none.
func (v *Viewer) Hear(frame []byte) error {
	m, err := near.Cut(frame)
	if err != nil {
		return err
	}
	// It is unpacked here, where an error ends this viewer alone.
	var f func()
	switch m.Op {
	case near.OpAgain:
		f = func() { v.again(m.ID) }
	case wire.OpOpen:
		var o wire.Open
		err = wire.Unpack(m.Body, &o)
		f = func() { v.open(o.Gen) }
	case wire.OpFiles:
		var list wire.Files
		err = wire.Unpack(m.Body, &list)
		f = func() { v.listed(list) }
	case wire.OpLooked:
		f = v.r.look
	case wire.OpLook:
		var l wire.Look
		err = wire.Unpack(m.Body, &l)
		f = func() { v.looks(l) }
	case wire.OpQuery:
		var q wire.Query
		err = wire.Unpack(m.Body, &q)
		f = func() { v.ask(m) }
	case wire.OpMore:
		f = func() { v.more(m.ID) }
	case wire.OpCancel:
		f = func() { v.cancel(m.ID) }
	case wire.OpPing:
		f = func() { v.say(wire.Envelope{Op: wire.OpPong}) }
	default:
		return nil // of no concern here
	}
	if err != nil {
		return err
	}
	v.r.do(func() {
		if !v.gone {
			f()
		}
	})
	return nil
}

// Next waits for the next frame for the page, in pieces, which others may be sent too. It is made
// only now, on the goroutine of who sends it: see near.Tight.
func (v *Viewer) Next(ctx context.Context) ([][]byte, error) {
	for {
		m, drained, err := v.queue.take()
		if drained {
			v.r.do(v.drained)
		}
		if err != nil {
			return nil, err
		}
		if m.columns != nil {
			return near.Tight(&m.Envelope, m.columns, deflate), nil
		}
		select {
		case <-v.queue.more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (v *Viewer) say(m wire.Envelope) {
	columns, ok := m.Beside.(*near.Columns)
	if !ok {
		columns = near.Pack(&m)
	}
	m.Head, m.Words, m.Bytes, m.Beside = nil, nil, nil, nil // the columns have them
	v.queue.put(said{m, columns, len(m.Body) + columns.Size()})
}

// forget gives up all questions.
func (v *Viewer) forget() {
	for _, cancel := range v.asked {
		cancel()
	}
	for _, s := range v.streams {
		s.Close()
	}
	clear(v.asked)
	clear(v.streams)
	clear(v.awaited)
	v.waiting = nil
}

func (v *Viewer) open(gen int) {
	v.forget()
	v.gen, v.told, v.losses = gen, false, -1
	v.fresh = v.r.e.Status().Gone > 0
	v.r.open()
	clear(v.dirty)
	for _, run := range v.r.e.Runs() {
		v.dirty[run.Name] = news{true, true}
	}
}

// again is told how many messages the next one with files stands for.
func (v *Viewer) again(files int) { v.files, v.coming, v.heard = max(0, files-1), 0, 0 }

// listed looks for what the page has found.
func (v *Viewer) listed(list []wire.File) {
	v.files++
	for _, f := range list {
		if !f.Companion {
			v.dirty[source.RunOf(f.Path)] = news{true, true} // it may know the run only now
		}
	}
	v.r.look()
}

func (v *Viewer) looks(l wire.Look) {
	v.show, v.shown = l, make(map[string]bool, len(l.Runs))
	for _, run := range l.Runs {
		v.shown[run] = true
	}
	v.r.show()
}

// changed notes what the page does not know.
func (v *Viewer) changed(c engine.Change) {
	v.told = false
	if v.gen == 0 {
		return
	}
	for _, run := range c.Data {
		n := v.dirty[run]
		n.data = true
		v.dirty[run] = n
	}
	for _, run := range c.Tagged {
		n := v.dirty[run]
		n.tags = true
		v.dirty[run] = n
	}
	for _, run := range c.Started {
		v.dirty[run] = v.dirty[run]
	}
}

// How many tags, and bytes of what is said of them, the page is told of in one message.
const (
	partTags  = 2000
	partBytes = 1 << 20
)

// tell tells the page how far reading has come, and of the runs that have changed: of those on
// its screen, or of all. What it has not taken yet comes first.
func (v *Viewer) tell(all bool) {
	if v.gen == 0 || v.told && len(v.dirty) == 0 || v.queue.piled() > 0 {
		return
	}
	e := v.r.e
	s := e.Status()
	p := wire.Progress{Gen: v.gen, BytesRead: s.BytesRead, BytesCached: s.BytesCached, Points: s.Points, Kept: s.Kept, Busy: !s.Phase.Done(), Unread: s.Unread,
		Heard: v.heard, Previewing: s.Phase == wire.Preview, Previewed: s.Previewed}
	if !s.Empty {
		p.Error = s.Error
	}
	if v.losses != v.r.losses {
		v.losses = v.r.losses
		p.Lost, p.LostSet = s.Lost, true
	}
	for name, n := range v.dirty {
		if !all && !n.tags && !v.shown[name] {
			continue
		}
		delete(v.dirty, name)
		start, tags, ok := e.Run(name)
		if !ok {
			continue
		}
		rp := wire.RunProgress{Name: name, Start: start, New: n.data}
		if n.tags {
			rp.TagsSet = true
			rp.Tags = v.r.tagsOf(name, tags)
		}
		p.Runs = append(p.Runs, rp)
	}
	if v.told && len(p.Runs) == 0 {
		return
	}
	v.told = true
	for _, part := range p.Parts(partTags, partBytes) {
		v.say(wire.Envelope{Op: wire.OpProgress, Body: wire.Pack(part)})
	}
}

// A page has some questions under way, and a stranger as many as he likes.
const (
	maxStreams = 64
	maxWaiting = 50_000
)

// ask begins to answer a question.
func (v *Viewer) ask(m wire.Envelope) {
	v.cancel(m.ID) // what has its number, if anything
	if len(v.waiting) >= maxWaiting || len(v.streams) >= maxStreams {
		v.say(wire.Envelope{Op: wire.OpAnswer, ID: m.ID, Err: "too many questions wait for an answer: wait for some of them before you ask more"})
		return
	}
	if len(v.waiting) > 0 || v.queue.piled() > maxPiled {
		v.waiting = append(v.waiting, m)
		return
	}
	var q wire.Query
	if err := wire.Unpack(m.Body, &q); err != nil {
		return // Hear has tried it
	}
	if q.Every {
		s := v.r.e.EveryOf(q)
		v.streams[m.ID] = s
		v.next(m.ID, s)
		return
	}
	c := v.own
	if q.Guest {
		c = v.guests
	}
	v.asked[m.ID] = v.r.join(c, q, string(m.Body), func(r engine.Reply) {
		if !r.More {
			delete(v.asked, m.ID)
		}
		v.answer(m.ID, r)
	})
}

// answer sends an answer, in as many parts as readers have made.
func (v *Viewer) answer(id int, r engine.Reply) {
	if len(r.Parts) == 0 {
		v.say(wire.Envelope{Op: wire.OpAnswer, ID: id, More: r.More, Err: r.Err})
		return
	}
	for i, part := range r.Parts {
		part.Op, part.ID, part.More, part.Part, part.Of = wire.OpAnswer, id, r.More, i, len(r.Parts)
		if part.Of == 1 {
			part.Of = 0
		}
		part.Fault = "" // it is among the losses
		v.say(part)
	}
}

// next sends the next piece.
func (v *Viewer) next(id int, s *engine.Stream) {
	v.awaited[id] = true
	s.Next(func(p engine.Piece) {
		if v.streams[id] != s {
			return
		}
		delete(v.awaited, id)
		m := p.Envelope
		m.Op, m.ID = wire.OpAnswer, id
		if p.Broken && m.Err == "" {
			m.Err = "the reader has ended: ask again"
		}
		if p.Broken || !m.More {
			delete(v.streams, id)
		}
		v.say(m)
	})
}

func (v *Viewer) more(id int) {
	if s := v.streams[id]; s != nil && !v.awaited[id] {
		v.next(id, s)
	}
}

func (v *Viewer) cancel(id int) {
	if cancel := v.asked[id]; cancel != nil {
		delete(v.asked, id)
		cancel()
	}
	if s := v.streams[id]; s != nil {
		delete(v.streams, id)
		delete(v.awaited, id)
		s.Close()
	}
	for i, m := range v.waiting {
		if m.ID == id {
			v.waiting = append(v.waiting[:i:i], v.waiting[i+1:]...)
			break
		}
	}
}

// drained goes on when the page has taken what has piled up.
func (v *Viewer) drained() {
	if v.gone {
		return
	}
	waiting := v.waiting
	v.waiting = nil
	for i, m := range waiting {
		if v.queue.piled() > maxPiled {
			v.waiting = append(v.waiting, waiting[i:]...)
			break
		}
		v.ask(m)
	}
	v.tell(false)
}

// said is a message for a page, and its columns.
type said struct {
	wire.Envelope
	columns *near.Columns
	size    int // about how many bytes
}

// queue is the messages that wait for a line.
type queue struct {
	mu     sync.Mutex
	waits  []said
	bytes  int
	closed bool
	more   chan struct{}
}

func (q *queue) put(m said) {
	q.mu.Lock()
	if !q.closed {
		q.waits = append(q.waits, m)
		q.bytes += m.size
	}
	q.mu.Unlock()
	q.poke()
}

func (q *queue) poke() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed, q.waits = true, nil
	q.mu.Unlock()
	q.poke()
}

// piled is how many bytes wait.
func (q *queue) piled() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.bytes
}

// take returns the next message; one without columns if none waits. drained says that it was the
// last one.
func (q *queue) take() (m said, drained bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return said{}, false, ErrOver
	}
	if len(q.waits) == 0 {
		return said{}, false, nil
	}
	m = q.waits[0]
	q.waits[0] = said{}
	q.waits = q.waits[1:]
	q.bytes -= m.size
	return m, len(q.waits) == 0, nil
}
