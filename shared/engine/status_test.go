//go:build !js

package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// tells has a worker tell of its progress. It has heard all that it was sent.
func (s *scripted) tells(p wire.Progress) {
	p.Gen, p.Heard = s.w.e.gen, s.w.sent
	s.w.Hear(wire.Envelope{Op: wire.OpProgress, Body: wire.Pack(&p)})
}

// What workers tell is summed up, and what is lost is sorted.
func TestStatusIsOfAllWorkers(t *testing.T) {
	s := newStage(t, 2)
	s.open()
	s.e.status.BytesTotal = 1 << 20
	s.all[0].tells(wire.Progress{BytesRead: 1000, BytesCached: 300, Points: 40, Kept: 30, Unread: 1, LostSet: true,
		Lost: []wire.Loss{{Run: "run03", File: "b", Offset: 7}, {Run: "run03", File: "b", Offset: 2}}})
	s.all[1].tells(wire.Progress{BytesRead: 200, BytesCached: 50, Points: 3, Kept: 2, Unread: 5, Previewed: true, LostSet: true,
		Lost: []wire.Loss{{Run: "run01", File: "c", Offset: 9}}})
	st := s.e.Status()
	if st.BytesRead != 1200 || st.BytesCached != 350 || st.Points != 43 || st.Kept != 32 || st.Unread != 6 || !st.Previewed || st.Runs != 5 || st.Phase != wire.Incomplete {
		t.Errorf("%+v", st)
	}
	var lost []string
	for _, l := range st.Lost {
		lost = append(lost, fmt.Sprint(l.Run, l.File, l.Offset))
	}
	if !slices.Equal(lost, []string{"run01c9", "run03b2", "run03b7"}) {
		t.Errorf("lost in the order of %v", lost)
	}
	// What was lost stays until a worker tells of it anew; everything else is as it is told.
	s.all[0].tells(wire.Progress{BytesRead: 2000, Points: 50, Kept: 50, Busy: true})
	if st = s.e.Status(); st.BytesRead != 2200 || st.Kept != 52 || st.Unread != 5 || len(st.Lost) != 3 || st.Phase != wire.Reading {
		t.Errorf("later: %+v", st)
	}
	s.all[0].tells(wire.Progress{LostSet: true})
	if st = s.e.Status(); len(st.Lost) != 1 {
		t.Errorf("nothing is lost any more: %+v", st.Lost)
	}
	// A worker of the logdir before says nothing of this one.
	late := wire.Progress{Gen: s.e.gen - 1, Points: 1 << 40}
	s.all[1].w.Hear(wire.Envelope{Op: wire.OpProgress, Body: wire.Pack(&late)})
	if st = s.e.Status(); st.Points != 3 {
		t.Errorf("another logdir's points count: %d", st.Points)
	}
}

// The tags of a run change when all parts of them have come, and watchers hear which run's.
func TestTagsInParts(t *testing.T) {
	s := newStage(t, 1)
	s.open()
	var last Change
	s.e.Subscribe(func(c Change) { last = c })
	tags := func() (out []string) {
		for tag := range s.e.Tags("scalars")["run02"] {
			out = append(out, tag)
		}
		slices.Sort(out)
		return out
	}
	part := func(later, more bool, names ...string) {
		rp := wire.RunProgress{Name: "run02", TagsSet: true, Later: later, More: more, New: !later, Start: 12.5}
		for _, n := range names {
			rp.Tags = append(rp.Tags, wire.NamedTag{Name: n, Tag: wire.Tag{Plugin: "scalars"}})
		}
		s.all[0].tells(wire.Progress{Runs: []wire.RunProgress{rp, {Name: "unheard of", TagsSet: true}}})
	}
	part(false, false, "old")
	if got := tags(); !slices.Equal(got, []string{"old"}) || !last.Tags || !last.Runs || !slices.Equal(last.Tagged, []string{"run02"}) || !slices.Equal(last.Started, []string{"run02"}) || !slices.Equal(last.Data, []string{"run02"}) {
		t.Errorf("tags %q, %+v", got, last)
	}
	part(false, true, "a", "b")
	if got := tags(); !slices.Equal(got, []string{"old"}) || last.Tags || last.Runs || len(last.Tagged) > 0 {
		t.Errorf("with a part alone: tags %q, %+v", got, last)
	}
	part(true, true, "c")
	part(true, false, "d")
	if got := tags(); !slices.Equal(got, []string{"a", "b", "c", "d"}) || !last.Tags || len(last.Data) > 0 {
		t.Errorf("with all parts: tags %q, %+v", got, last)
	}
	// All that there was is gone with the logdir, and watchers are told of all of it.
	s.e.Close()
	if got := tags(); len(got) > 0 || !last.Status || !last.Runs || !last.Tags {
		t.Errorf("after the logdir was closed: tags %q, %+v", got, last)
	}
}

// An answer is whole when all of its pieces have come from all workers; what a worker that
// ends has begun is left out.
func TestAnswersInPieces(t *testing.T) {
	s := newStage(t, 2)
	s.open()
	for _, p := range s.all {
		p.w.Hear(wire.Envelope{Op: wire.OpReady})
	}
	var got []Reply
	s.e.Ask(wire.NewQuery("scalars", []string{"loss"}, s.names(), nil), func(r Reply) { got = append(got, r) })
	a, b := s.all[0], s.all[1]
	id := a.got[len(a.got)-1].ID
	piece := func(p *scripted, part, of int, head string) {
		p.w.Hear(wire.Envelope{Op: wire.OpAnswer, ID: id, Part: part, Of: of, Head: []byte(head)})
	}
	piece(a, 0, 3, "a0")
	piece(b, 0, 2, "b0")
	piece(a, 1, 3, "a1")
	piece(b, 1, 2, "b1")
	if len(got) > 0 {
		t.Fatalf("answered before the last piece: %+v", got)
	}
	piece(a, 2, 3, "a2")
	var heads []string
	for _, r := range got {
		for _, m := range r.Parts {
			heads = append(heads, string(m.Head))
		}
	}
	slices.Sort(heads)
	if len(got) != 1 || got[0].More || !slices.Equal(heads, []string{"a0", "a1", "a2", "b0", "b1"}) {
		t.Errorf("answers %+v of %q", got, heads)
	}
	got, heads = nil, nil
	s.e.Ask(wire.NewQuery("scalars", []string{"loss"}, s.names(), nil), func(r Reply) { got = append(got, r) })
	id = b.got[len(b.got)-1].ID
	piece(a, 0, 2, "a0")
	piece(b, 0, 1, "b0")
	a.w.Ended("")
	if len(got) != 1 || len(got[0].Parts) != 1 || string(got[0].Parts[0].Head) != "b0" {
		t.Errorf("when one has ended in the middle: %+v", got)
	}
}

// A file beside event files is read where the run is that it lies in.
func TestNearestWorker(t *testing.T) {
	s := newStage(t, 2)
	s.open()
	for _, r := range s.e.runs {
		if got := s.e.nearest(r.name + "/deep/in/it/model.index"); got != r.worker {
			t.Errorf("%s: another worker reads what lies in it", r.name)
		}
	}
	if got := s.e.nearest("elsewhere/metadata.tsv"); got != s.e.workers[0] {
		t.Error("a file of no run is not the first worker's")
	}
}

// A worker from which something is awaited and that says nothing is taken for ended; one that
// says something in time is not, nor one of which nothing is wanted.
func TestPulse(t *testing.T) {
	s := newStage(t, 1)
	s.open()
	first := s.all[0]
	first.w.Hear(wire.Envelope{Op: wire.OpReady})
	for range pulseMisses {
		s.e.Pulse()
	}
	first.tells(wire.Progress{Busy: true})
	for range pulseMisses {
		s.e.Pulse()
	}
	if first.ended {
		t.Fatal("a worker that answers now and then was ended")
	}
	pings := 0
	for _, m := range first.got {
		if m.Op == wire.OpPing {
			pings++
		}
	}
	if pings != 2*pulseMisses {
		t.Errorf("it was asked %d times", pings)
	}
	s.e.Pulse()
	if st := s.e.Status(); !first.ended || len(st.Lost) != 1 || st.Lost[0].Details != "it ended without a word" || st.Lost[0].Count != 1 {
		t.Errorf("ended %v, lost %+v", first.ended, st.Lost)
	}
	second := s.all[len(s.all)-1]
	second.w.Hear(wire.Envelope{Op: wire.OpReady})
	second.tells(wire.Progress{})
	for range 3 * pulseMisses {
		s.e.Pulse()
	}
	if second.ended {
		t.Error("a worker of which nothing is wanted was ended")
	}
}
