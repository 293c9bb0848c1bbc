package ui

import (
	"reflect"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/paint"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// Data implements board.Host.
func (a *app) Data() board.Data { return a.data }

// State implements board.Host.
func (a *app) State() *session.State { return &a.state }

// Runs implements board.Host.
func (a *app) Runs() []string { return a.shown }

// ShowAllRuns implements board.Host.
func (a *app) ShowAllRuns() {
	a.Set(func(s *session.State) {
		s.RunFilter = ""
		s.Runs = map[string]bool{}
		for _, r := range a.runs {
			if !a.first(r.Name) {
				s.Runs[r.Name] = true
			}
		}
	})
}

// Set implements board.Host: the only way to change what is on screen.
func (a *app) Set(change func(*session.State)) {
	old := a.state
	next := a.state.Clone()
	change(&next)
	next.Normalize()
	if reflect.DeepEqual(old, next) {
		return
	}
	a.state = next
	a.store.save()
	a.apply(&old, &next)
}

// apply brings the page from one state to the next.
func (a *app) apply(old, now *session.State) {
	if old.Theme != now.Theme {
		a.theme.apply()
	}
	if old.AutoReload != now.AutoReload || old.Reload != now.Reload {
		a.data.SetReload(now.AutoReload, time.Duration(now.Reload)*time.Second)
	}
	if old.Memory != now.Memory || old.Cache != now.Cache {
		a.setMemory()
	}
	if old.TipOrder != now.TipOrder || old.TipRows != now.TipRows {
		paint.SetTip(now.TipOrder, now.TipRows)
	}
	u := board.Update{State: true}
	runs := old.RunFilter != now.RunFilter || !reflect.DeepEqual(old.Runs, now.Runs)
	if runs {
		a.runFilter.Set(now.RunFilter)
		if shown := a.pick(); !reflect.DeepEqual(shown, a.shown) {
			a.shown = shown
			u.Runs = true
		}
	}
	colors := !reflect.DeepEqual(old.Colors, now.Colors)
	if colors {
		a.colors()
	}
	if runs || colors || !reflect.DeepEqual(old.Folders, now.Folders) {
		a.list.update()
	}
	a.head.update()
	a.settings.update()
	a.panes.apply()
	if old.Board != now.Board {
		a.openTab()
	}
	a.view.Update(u)
}

// store keeps the state in the browser's storage and in the URL. Both may be
// refused (private windows, sandboxes); the page then works without.
type store struct {
	app   *app
	write *widget.Timer
	hash  string // as we wrote it
}

// saveAfter is how long the state must rest before it is written.
const saveAfter = 250 * time.Millisecond

func newStore(a *app) *store {
	s := &store{app: a}
	s.write = widget.NewTimer(s.flush)
	win := js.Global()
	win.Call("addEventListener", "hashchange", js.FuncOf(func(js.Value, []js.Value) any {
		if h := location("hash"); h != s.hash {
			s.hash = h
			a.Set(func(st *session.State) { st.ReadHash(h, "") })
		}
		return nil
	}))
	// A closing tab gets no timer.
	win.Call("addEventListener", "pagehide", js.FuncOf(func(js.Value, []js.Value) any {
		s.flush()
		return nil
	}))
	return s
}

func location(part string) string { return js.Global().Get("location").Get(part).String() }

func (s *store) load() session.State {
	text, _ := storage.LocalGet(session.Key) // refused: the defaults
	st := session.Unmarshal(text)
	st.ReadHash(location("hash"), location("search"))
	return st
}

func (s *store) save() { s.write.Start(saveAfter) }

func (s *store) flush() {
	s.write.Stop()
	text := s.app.state.Marshal()
	// What the browser refuses is left undone: the page works for as long as it is open.
	_ = storage.LocalSet(session.Key, text)
	h := s.app.state.Hash()
	if h == s.hash {
		return
	}
	s.hash = h
	_, _ = bridge.Try(func() js.Value { return js.Global().Get("history").Call("replaceState", nil, "", h) })
}
