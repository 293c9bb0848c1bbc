package session

import (
	"math"
	"reflect"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

func full() State {
	s := Default()
	s.TagFilter, s.RunFilter = `^(a|b)+/x&y=1 #\d`, "ä ö%"
	s.Smoothing, s.X, s.Y = 0.987, wire.ByWall, Symlog
	s.TagY = map[string]Scale{"train/loss": Log}
	s.Wide = map[string]bool{"train/loss": true}
	s.Runs = map[string]bool{"a/b": false}
	s.Colors = map[string]string{"a/b": "#12ab34"}
	s.Theme, s.RunsOpen, s.CardWidth = ThemeDark, false, 500
	return s
}

func TestStoreRoundTrip(t *testing.T) {
	for _, s := range []State{Default(), full()} {
		if got := Unmarshal(s.Marshal()); !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v\nwant %+v", got, s)
		}
	}
}

func TestStoreIsNotTrusted(t *testing.T) {
	for _, text := range []string{"", "null", "[", `{"version":99,"smoothing":0.1}`, `{"smoothing":"x"}`} {
		if got := Unmarshal(text); !reflect.DeepEqual(got, Default()) {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	got := Unmarshal(`{"version":1,"smoothing":7,"x":"<b>","y":"cube","cardWidth":-4,"colors":{"a":"red;x","b":"#ffffff"},"tagY":{"t":"no"}}`)
	if got.Smoothing != MaxSmoothing || got.X != wire.ByStep || got.Y != Linear || got.CardWidth != MinCard {
		t.Errorf("not within limits: %+v", got)
	}
	if len(got.Colors) != 1 || len(got.TagY) != 0 {
		t.Errorf("bad colours or scales kept: %+v", got)
	}
}

func TestHashRoundTrip(t *testing.T) {
	for _, s := range []State{Default(), full()} {
		h := s.Hash()
		got := Default()
		got.ReadHash(h, "")
		if got.Hash() != h || got.TagFilter != s.TagFilter || got.RunFilter != s.RunFilter || got.Smoothing != s.Smoothing {
			t.Errorf("%s: got %+v", h, got)
		}
	}
	if d := Default(); d.Hash() != "#timeseries" {
		t.Errorf("default link: %s", d.Hash())
	}
}

func TestReadHash(t *testing.T) {
	mine := full()
	for _, c := range []struct {
		hash, query string
		want        func(*State)
	}{
		{"", "", func(*State) {}},
		{"#timeseries", "?listing=x", func(*State) {}},
		{"#timeseries&p.other=1", "", func(*State) {}},
		{"#timeseries&tagFilter=loss%2Fa", "", func(s *State) {
			s.TagFilter, s.RunFilter, s.Smoothing, s.X, s.Y = "loss/a", "", 0.6, wire.ByStep, Linear
		}},
		{"", "?tagFilter=a+b&smoothing=0.2", func(s *State) {
			s.TagFilter, s.RunFilter, s.Smoothing, s.X, s.Y = "a b", "", 0.2, wire.ByStep, Linear
		}},
		{"#scalars&_smoothingWeight=NaN&y=log&x=moon", "", func(s *State) {
			s.Board = "scalars"
			s.TagFilter, s.RunFilter, s.Smoothing, s.X, s.Y = "", "", 0.6, wire.ByStep, Log
		}},
		{"#tagFilter=%zz&runFilter=r", "", func(s *State) {
			s.TagFilter, s.RunFilter, s.Smoothing, s.X, s.Y = "", "r", 0.6, wire.ByStep, Linear
		}},
	} {
		want := mine.Clone()
		c.want(&want)
		got := mine.Clone()
		got.ReadHash(c.hash, c.query)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q %q: got %+v\nwant %+v", c.hash, c.query, got, want)
		}
	}
}

func FuzzReadHash(f *testing.F) {
	f.Add("#timeseries&tagFilter=a", "?smoothing=1e400")
	f.Add("#&&==&x", "%")
	f.Fuzz(func(t *testing.T, hash, query string) {
		s := Default()
		s.ReadHash(hash, query)
		if math.IsNaN(s.Smoothing) || s.Smoothing < 0 || s.Smoothing > MaxSmoothing {
			t.Errorf("smoothing %v", s.Smoothing)
		}
		again := Default()
		again.ReadHash(s.Hash(), "")
		if again.Hash() != s.Hash() {
			t.Errorf("%q does not survive its own link: %q", s.Hash(), again.Hash())
		}
	})
}

func TestCloneSharesNothing(t *testing.T) {
	a := full()
	b := a.Clone()
	b.Runs["a/b"], b.Colors["x"], b.TagY["t"], b.Wide["t"] = true, "#000000", Log, true
	if !reflect.DeepEqual(a, full()) {
		t.Error("changing a clone changed its source")
	}
}
