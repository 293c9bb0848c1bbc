//go:build !js

package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/wire"
)

// answer lets the worker answer its oldest question that has no answer; false: it has none.
func (s *scripted) answer() bool {
	for i, e := range s.got {
		if e.Op == wire.OpQuery {
			s.got = slices.Delete(s.got, i, i+1)
			s.w.Hear(wire.Envelope{Op: wire.OpAnswer, ID: e.ID, Head: []byte("[]")})
			return true
		}
	}
	return false
}

// A client that asks a thousand things at once keeps neither the page nor another client
// waiting, and one that asks more is told so.
func TestClientsHaveTurns(t *testing.T) {
	s := newStage(t, 1)
	s.open()
	q := wire.NewQuery("scalars", []string{"loss"}, s.names(), nil)
	var order []string
	said := func(who string) func(Reply) {
		return func(r Reply) {
			if r.Err != "" {
				who = "refused"
			}
			order = append(order, who)
		}
	}
	plain := func(f func()) { f() }
	greedy, modest := s.e.NewClient(plain), s.e.NewClient(plain)
	for range clientUnder + clientWaiting + 5 {
		greedy.Ask(q, said("greedy"))
	}
	for range 3 {
		modest.Ask(q, said("modest"))
	}
	if n := s.all[0].asked(); n != clientUnder+3 {
		t.Errorf("%d questions are under way", n)
	}
	s.e.Ask(q, said("page"))
	if n := s.all[0].asked(); n != clientUnder+4 {
		t.Error("the page waits")
	}
	for s.all[0].answer() {
		if n := s.all[0].asked(); n > clientsUnder+1 {
			t.Fatalf("%d questions are under way", n)
		}
	}
	for len(s.inbox) > 0 {
		(<-s.inbox)()
	}
	first := strings.Join(order[:8], " ")
	count := map[string]int{}
	for _, who := range order {
		count[who]++
	}
	if strings.Count(first, "modest") != 3 || !strings.Contains(first, "page") || count["greedy"] != clientUnder+clientWaiting || count["refused"] != 5 {
		t.Errorf("first %s; in all %v", first, count)
	}
}

// What goes wrong in a client's callback ends nothing else.
func TestClientsAreGuarded(t *testing.T) {
	s := newStage(t, 1)
	s.open()
	q := wire.NewQuery("scalars", []string{"loss"}, s.names(), nil)
	caught := 0
	bad := s.e.NewClient(func(f func()) {
		defer func() {
			if recover() != nil {
				caught++
			}
		}()
		f()
	})
	good, told := 0, 0
	bad.Subscribe(func(Change) { panic("a stranger's mistake") })
	s.e.Subscribe(func(Change) { told++ })
	for range 10 {
		bad.Ask(q, func(Reply) { panic("another one") })
	}
	s.e.Ask(q, func(Reply) { good++ })
	for s.all[0].answer() {
	}
	s.e.update(Change{Status: true})
	if caught != 11 || good != 1 || told != 1 {
		t.Errorf("%d caught, %d answers, told %d times", caught, good, told)
	}
}

// A client that is closed hears nothing more, and what it has asked takes nobody's turn.
func TestClientsEnd(t *testing.T) {
	s := newStage(t, 1)
	s.open()
	q := wire.NewQuery("scalars", []string{"loss"}, s.names(), nil)
	heard := 0
	plain := func(f func()) { f() }
	for i := range 5 {
		c := s.e.NewClient(plain)
		c.Subscribe(func(Change) { heard++ })
		for range 20 {
			c.Ask(q, func(Reply) { heard++ })
		}
		if i%2 == 0 {
			c.Ask(q, func(Reply) { heard++ })()
		}
		c.Close()
		c.Ask(q, func(Reply) { heard++ })
		c.Subscribe(func(Change) { heard++ })
	}
	last, answers := s.e.NewClient(plain), 0
	for range 9 {
		last.Ask(q, func(Reply) { answers++ })
	}
	cancelled := last.Ask(q, func(Reply) { heard++ })
	cancelled()
	for s.all[0].answer() {
	}
	for len(s.inbox) > 0 {
		(<-s.inbox)()
	}
	s.e.update(Change{Status: true})
	if heard != 0 || answers != 9 || s.e.guests != 0 || len(s.e.clients) != 1 {
		t.Error(fmt.Sprint(heard, " heard, ", answers, " answers, ", s.e.guests, " under way, ", len(s.e.clients), " clients"))
	}
}
