package card

import (
	"maps"
	"slices"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// The order of work: which cards are opened, which ask next, and how often those on screen
// follow data that is being read.

// Pace of following data that is being read.
const (
	dataPace = 333 * time.Millisecond // cards on screen, at most three times a second
	tagsPace = 300 * time.Millisecond // which cards there are
	restPace = 250 * time.Millisecond // cards near the screen, after the last change
)

// each calls f for the cards that show something, those on screen first.
func (g *grid) each(f func(*Slot)) {
	list := slices.SortedFunc(maps.Keys(g.live), func(a, b *Slot) int {
		switch {
		case a.visible != b.visible:
			return map[bool]int{true: -1, false: 1}[a.visible]
		case a.inOrder(b):
			return -1
		case b.inOrder(a):
			return 1
		}
		return 0
	})
	for _, s := range list {
		f(s)
	}
}

// underWay is how many cards may wait for their data at a time. More would
// only lengthen the queues before workers and painter, and what stands in a
// queue is soon out of date.
const underWay = 4

// firstWay is the same for cards on screen that show nothing yet: each is asked once, and
// waiting for one another they came a frame apart.
const firstWay = 12

// pump lets cards ask whose picture is out of date: those on screen first, each
// in its turn. Cards off the screen wait until nothing has moved for a while.
func (g *grid) pump() {
	if g.held {
		return
	}
	busy := 0
	for s := range g.live {
		if s.busy() {
			busy++
		}
	}
	for ; busy < firstWay; busy++ {
		var next *Slot
		for s := range g.live {
			if !s.stale || s.busy() {
				continue
			}
			if next == nil || s.visible && !next.visible || s.visible == next.visible && s.before(next) {
				next = s
			}
		}
		if next == nil || busy >= underWay && (!next.visible || next.drawn) {
			return
		}
		if !next.visible && widget.Now()-g.moved < float64(restPace.Milliseconds()) {
			g.onRest.Soon(restPace)
			return
		}
		g.turn++
		next.turn, next.knows = g.turn, g.news
		next.stale = false
		next.scope.Do(func() { next.Card.Ask(next.calm) })
	}
}

// reading is how much dearer a picture is while there is much to read. The browser
// needs some two times the painter's own time to bring it to the screen, and on a
// machine of two cores all of it is taken from the workers: reading 1.1 GB took
// twice as long with the cards at their usual pace.
const reading = 8

// cost is how long the kinds have drawn; a guest's painter is one of theirs.
func (g *grid) cost() (ms float64) {
	for _, k := range g.kinds {
		if !k.guest {
			ms += k.Cost()
		}
	}
	return ms
}

// paintCost is what the last refresh cost besides its own time, in milliseconds.
func (g *grid) paintCost() float64 {
	ms := g.cost() - g.busy
	if g.host.Data().Status().Phase == wire.Reading {
		ms *= reading
	}
	return ms
}

func (g *grid) refreshData() {
	g.busy = g.cost()
	// A run's first points come with its first tags.
	g.readTags()
	changed := g.changed
	g.changed = map[string]int{}
	g.each(func(s *Slot) {
		for _, r := range s.Runs() {
			// Who has asked since the news gets those points: a worker says that there are some
			// when it has them.
			if changed[r] > s.knows {
				s.Card.Renew()
				return
			}
		}
	})
}

// hurry shows what has been read, when it is all.
func (g *grid) hurry() {
	if g.turn == 0 {
		g.onLayout.Flush()
	}
	g.onLayout.Hurry()
	g.onData.Hurry()
}

// look tells the reader what is on screen, so that it is read first.
func (g *grid) look() {
	var tags []string
	g.each(func(s *Slot) {
		for _, t := range s.Tags() {
			tags = append(tags, Logged(t)...)
		}
	})
	g.host.Data().Look(g.runs, tags)
}

// openSoon makes a card show something, in its turn.
func (g *grid) openSoon(s *Slot) {
	g.opening = append(g.opening, s)
	if len(g.opening) == 1 {
		g.onOpen.Start(0)
	}
}

// openFor is how long cards are opened in one go, in milliseconds: a jump brings twenty
// near the screen, and each has a chart to make. The first cards of all are opened before
// any is drawn: there is nothing yet that could be held up.
const openFor, openFirst = 8, 60

// openFirst opens the first cards of all at once, as many as a screen has room for: where
// they are the browser says a frame later.
func (g *grid) openFirst() {
	if g.turn == 0 && len(g.made) > 0 && len(g.live) == 0 && len(g.opening) == 0 {
		for _, s := range g.made[:min(len(g.made), firstWay)] {
			s.wanted, s.visible = true, true
			g.opening = append(g.opening, s)
		}
		g.openSome()
	}
	clear(g.made)
	g.made = g.made[:0]
}

// openSome opens cards for a while, those on screen first.
func (g *grid) openSome() {
	most := float64(openFor)
	if g.turn == 0 {
		most = openFirst
	}
	// A card that asks has the browser lay the page out, to know how wide it is: so they ask
	// when all of them are there.
	g.held = true
	if !g.laid {
		g.resized()
	}
	defer func() {
		g.held = false
		g.pump()
	}()
	for began := widget.Now(); len(g.opening) > 0; {
		if widget.Now()-began > most {
			g.onOpen.Start(0)
			return
		}
		i := max(0, slices.IndexFunc(g.opening, func(s *Slot) bool { return s.visible }))
		s := g.opening[i]
		g.opening = slices.Delete(g.opening, i, i+1)
		switch k := s.kind; {
		case !s.wanted:
		case k.script == "":
			s.open()
		default:
			if k.waiting = append(k.waiting, s); len(k.waiting) == 1 {
				go g.load(k)
			}
		}
	}
}

// load gets the script that draws a kind's cards, and opens those that wait for it. If
// that fails, it is tried again when a card comes near the screen.
func (g *grid) load(k *liveKind) {
	err := Load(k.script)
	if err == nil {
		k.script = ""
	}
	waiting := k.waiting
	k.waiting = nil
	for _, s := range waiting {
		switch {
		case !s.wanted: // it has gone meanwhile, perhaps with the whole view
		case err == nil:
			g.openSoon(s)
		default:
			s.refuse("The card cannot be drawn: " + bridge.MessageOf(err))
		}
	}
}
