package reader

// Readers that end
//
// A worker can end: memory that is used up cannot be caught in WebAssembly. Whoever
// supervises workers asks a Supervisor what to do then. The files of one that ended are
// read again, one at a time, so that if the new one ends too the file is known, and left
// out. That has bounds: a worker that does not even start is not started for ever, and
// neither is one that ends again and again.

const (
	// MaxStillborn is how many workers in a row may end before they have started.
	MaxStillborn = 4
	// MaxEnds is how often a worker is replaced for one logdir.
	MaxEnds = 16
)

// Supervisor decides what becomes of the files of workers that end. The zero value is
// ready to use.
type Supervisor struct {
	stillborn int
	suspects  map[string]bool
}

// Ended is what to do when a worker has ended.
type Ended struct {
	// Broken: workers do not start here; none is to be started any more.
	Broken bool
	// Suspects are the files on which it ended, which are left out from now on.
	Suspects []string
	// GiveUp: its other files are left out as well.
	GiveUp bool
}

// Started notes that a worker has started.
func (s *Supervisor) Started() { s.stillborn = 0 }

// Opened forgets the files of the logdir before.
func (s *Supervisor) Opened() { s.suspects = nil }

// Ended decides about a worker that has ended: whether it had started, how many before it
// had ended in its place, and which files it was reading, if it reads one at a time.
func (s *Supervisor) Ended(started bool, before int, reading []string) Ended {
	if !started {
		if s.stillborn++; s.stillborn > MaxStillborn {
			return Ended{Broken: true}
		}
	}
	for _, path := range reading {
		s.Suspect(path)
	}
	return Ended{Suspects: reading, GiveUp: before+1 > MaxEnds}
}

// Suspect has a file left out.
func (s *Supervisor) Suspect(path string) {
	if s.suspects == nil {
		s.suspects = make(map[string]bool)
	}
	s.suspects[path] = true
}

// LeftOut reports whether a file is left out, growing or not.
func (s *Supervisor) LeftOut(path string) bool { return s.suspects[path] }

// All calls f with each file that is left out.
func (s *Supervisor) All(f func(path string)) {
	for path := range s.suspects {
		f(path)
	}
}
