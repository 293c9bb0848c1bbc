package engine

import (
	"fmt"
	"slices"

	"github.com/tensorbored/tensorbored-static/shared/digest"
	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// Worker is a worker as the page sees it.
type Worker struct {
	e        *Engine
	port     Port
	gone     bool  // it has ended, or was never there
	bytes    int64 // of the runs that it has been given
	progress wire.Progress
	sent     int  // OpFiles messages since the open
	ready    bool // it has started
	reading  []string
	crashes  int    // that went before it, in its place
	pings    int    // that it has not answered; see Pulse
	trouble  string // why it cannot be reached; "" if it can
}

// Adopt takes over a worker that runs; port makes the way to it.
func (e *Engine) Adopt(port func(*Worker) Port) *Worker {
	w := &Worker{e: e}
	w.port = port(w)
	e.workers = append(e.workers, w)
	return w
}

// Hire has at least n workers.
func (e *Engine) Hire(n int) {
	for len(e.workers) < n {
		e.workers = append(e.workers, e.start())
	}
}

// start starts a worker. Where that is refused it is one that is gone, and the status says
// why.
func (e *Engine) start() *Worker {
	w := &Worker{e: e}
	port, err := e.host.Start(w)
	if err != nil {
		e.broken, w.gone = err.Error(), true
		return w
	}
	w.port = port
	return w
}

// Gone reports whether the worker has ended.
func (w *Worker) Gone() bool { return w.gone }

// Troubled says that the worker cannot be reached for now, and why; with "" that it can again.
// It is not taken for ended meanwhile.
func (w *Worker) Troubled(why string) {
	if w.gone || w.trouble == why {
		return
	}
	w.trouble, w.pings = why, 0
	w.e.update(Change{Status: true})
}

// Exchange begins workers anew in the place of those that there are, none of which must have
// been given a file.
func (e *Engine) Exchange() {
	for _, w := range e.workers {
		w.end()
	}
	e.workers = nil
	e.Hire(1)
}

func (w *Worker) post(m wire.Envelope) {
	if !w.gone {
		w.port.Post(m)
	}
}

// end ends the worker.
func (w *Worker) end() {
	if !w.gone {
		w.gone = true
		w.port.End()
	}
}

// send posts a message; v may be nil.
func (w *Worker) send(op string, v wire.Message) {
	m := wire.Envelope{Op: op}
	if v != nil {
		m.Body = wire.Pack(v)
	}
	w.post(m)
}

// ask posts a question, which has a number.
func (w *Worker) ask(id int, q *wire.Query) {
	w.post(wire.Envelope{Op: wire.OpQuery, ID: id, Body: wire.Pack(q)})
}

// tell tells the worker of files that are new or have changed.
func (w *Worker) tell(files wire.Files) {
	w.sent++
	w.post(wire.Envelope{Op: wire.OpFiles, Body: wire.Pack(&files), Beside: w.e.host.Beside(files)})
}

// open tells the worker which logdir it serves.
func (w *Worker) open(careful bool) {
	o := w.e.host.Open()
	o.Gen, o.Careful, o.Workers = w.e.gen, careful, w.e.host.Most()
	w.send(wire.OpOpen, &o)
	w.progress, w.sent = wire.Progress{Gen: w.e.gen}, 0
}

// Hear takes in what the worker says.
func (w *Worker) Hear(m wire.Envelope) {
	if w.gone {
		return
	}
	e := w.e
	w.pings = 0
	switch m.Op {
	case wire.OpReady:
		w.ready = true
		e.supervisor.Started()
	case wire.OpProgress:
		e.progress(w, m.Body)
	case wire.OpAnswer:
		e.answered(w, m)
	case wire.OpStale:
		e.host.Stale()
	case wire.OpJob:
		var paths wire.Paths
		if err := wire.Unpack(m.Body, &paths); err != nil {
			panic("engine: internal error: " + err.Error())
		}
		w.reading = paths
	}
}

// Ended puts a new worker in the place of one that ended: out of memory, or by
// a defect. Its files are read again, one at a time, so that if it ends again the
// file is known: that one is named as lost and not read any more.
//
// output is what the program printed last, "" if nobody knows: it goes into the report
// that a user can copy.
//
// Everything is in its new place before anybody is told: whoever asks from inside a callback
// asks the new worker.
func (w *Worker) Ended(output string) {
	e := w.e
	at := slices.Index(e.workers, w)
	if at < 0 || w.gone {
		return // it was ended
	}
	w.end()
	verdict := e.supervisor.Ended(w.ready, w.crashes, w.reading)
	if verdict.Broken {
		e.broken = "the reader could not be started: reload the page, or update the browser"
		e.leave(w)
		e.update(Change{Status: true})
		return
	}
	n := e.start()
	n.bytes, n.crashes = w.bytes, w.crashes+1
	e.workers[at] = n
	e.lose(wire.Loss{Kind: "a reader ended", Count: 1, Remedy: "a new one has read its files again", Details: output})
	for _, path := range verdict.Suspects {
		if f := e.files[path]; f != nil {
			e.lose(wire.Loss{Run: f.run.name, File: path, Bytes: f.Size, Kind: "the reader ended on this file", Count: 1,
				Remedy: "it is left out; the other files were read again"})
		}
	}
	var files wire.Files
	runs := 0
	for _, r := range e.runs {
		if r.worker != w {
			continue
		}
		runs++
		r.worker, r.tags, r.coming = n, nil, nil
		for _, path := range r.files {
			if verdict.GiveUp {
				e.supervisor.Suspect(path)
			} else if f := e.files[path]; !e.supervisor.LeftOut(path) && !f.Gone {
				files = append(files, f.File)
			}
		}
	}
	for path, c := range e.beside {
		_, all := digest.Is(path)
		if c.worker == w {
			c.worker = n
			all = true
		}
		if all {
			files = append(files, c.File)
		}
	}
	if verdict.GiveUp {
		out := fmt.Sprintf("%d runs are", runs)
		if runs == 1 {
			out = "1 run is"
		}
		e.lose(wire.Loss{Kind: "the reader ended again and again", Count: 1, Remedy: out + " left out: reload the page to try again, or open a smaller folder"})
	}
	if e.begun {
		n.open(true)
		if len(files) > 0 {
			slices.SortFunc(files, func(a, b wire.File) int { return compare(a.Path, b.Path) })
			n.tell(files)
			n.send(wire.OpLook, &e.look)
		}
	}
	e.byTag = nil
	e.leave(w)
	if e.open {
		e.update(Change{Status: true, Runs: true, Tags: true})
	}
}

// leave ends the wait for what a worker that has ended would say.
func (e *Engine) leave(w *Worker) {
	for _, p := range sortedByID(e.queries) {
		p.leave(w)
	}
	for _, s := range sortedByID(e.streams) {
		if s.w == w {
			s.end()
		}
	}
}

// lose notes a loss that the page itself knows of, or counts it once more.
func (e *Engine) lose(l wire.Loss) {
	for i := range e.lost {
		if e.lost[i].File == l.File && e.lost[i].Kind == l.Kind {
			e.lost[i].Count++
			return
		}
	}
	e.lost = append(e.lost, l)
}

// Pulse
//
// A worker can end without a word: browsers end one that took too much memory, or when
// they clean up, and tell the page nothing. So a worker from which something is awaited
// and that has long said nothing is asked whether it is there. One that has not answered
// for pulseMisses times is taken for ended. A minute in all, because a worker on a busy
// machine may be silent for seconds, and to replace it costs another read of its files.
//
// Questions are counted and not the time: a page that slept with its machine has asked
// nothing meanwhile.
const pulseMisses = 6

// Pulse asks the workers whether they are there; it is called every ten seconds.
func (e *Engine) Pulse() {
	for _, w := range slices.Clone(e.workers) {
		switch {
		case w.gone || e.broken != "" || w.trouble != "" || !e.awaits(w):
			w.pings = 0
		case w.pings >= pulseMisses:
			w.pings = 0
			w.Ended("it ended without a word")
		default:
			w.pings++
			w.send(wire.OpPing, nil)
		}
	}
}

// awaits reports whether the page waits for something of w.
func (e *Engine) awaits(w *Worker) bool {
	if !w.ready || w.progress.Busy || w.progress.Heard < w.sent {
		return true
	}
	for _, p := range e.queries {
		if p.waits[w] || p.refine[w] {
			return true
		}
	}
	for _, s := range e.streams {
		if s.w == w && s.got != nil {
			return true
		}
	}
	return false
}
