package reader

import (
	"slices"
	"testing"
)

func TestSupervisor(t *testing.T) {
	var s Supervisor
	// One that ends before it was careful costs nothing; a careful one its file.
	if e := s.Ended(true, 0, nil); e.Broken || e.GiveUp || len(e.Suspects) > 0 {
		t.Errorf("the first end: %+v", e)
	}
	if e := s.Ended(true, 1, []string{"bad"}); !slices.Equal(e.Suspects, []string{"bad"}) || e.Broken || e.GiveUp {
		t.Errorf("on a file: %+v", e)
	}
	if !s.LeftOut("bad") || s.LeftOut("good") {
		t.Error("which file is left out")
	}
	var all []string
	if s.All(func(path string) { all = append(all, path) }); !slices.Equal(all, []string{"bad"}) {
		t.Errorf("left out: %q", all)
	}
	// It does not go on for ever.
	if e := s.Ended(true, MaxEnds-1, nil); e.GiveUp {
		t.Error("given up too soon")
	}
	if e := s.Ended(true, MaxEnds, nil); !e.GiveUp || e.Broken {
		t.Error("never given up")
	}
	for i := range MaxStillborn {
		if e := s.Ended(false, i, nil); e.Broken {
			t.Errorf("broken after %d", i+1)
		}
	}
	if e := s.Ended(false, 0, nil); !e.Broken {
		t.Error("workers that do not start are started for ever")
	}
	s.Started() // one that starts tells that the others had bad luck
	if e := s.Ended(false, 0, nil); e.Broken {
		t.Error("broken though one has started")
	}
	s.Opened()
	if s.LeftOut("bad") {
		t.Error("a file of another logdir is left out")
	}
}
