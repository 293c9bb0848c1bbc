package ui

import (
	"reflect"
	"slices"
	"strings"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
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
		session.RunFilter.Reset(s)
		session.RunColumnFilters.Reset(s)
		session.OthersOff.Reset(s)
		on := map[string]bool{}
		if a.hidden() == len(a.runs) {
			session.RunsHidden.Reset(s) // or nothing would be seen
		}
		for _, r := range a.runs {
			if !a.first(r.Name) {
				on[r.Name] = true
			}
		}
		session.Runs.Set(s, on)
	})
}

// Set implements board.Host: the only way to change what is on screen.
func (a *app) Set(change func(*session.State)) {
	next := a.state.Clone()
	change(&next)
	if changed := a.schema.Changed(&a.state, &next); len(changed) > 0 {
		a.store.save(changed)
		a.become(next)
	}
}

// Follow implements board.Host.
func (a *app) Follow(link string) {
	a.store.flush() // what has just been changed goes along, and is come back to
	js.Global().Get("location").Set("hash", session.Follow(location("hash"), link))
}

// become brings the page to a state, wherever it comes from.
func (a *app) become(next session.State) {
	old := a.state
	if len(a.schema.Changed(&old, &next)) == 0 {
		return
	}
	a.state = next
	widget.Told()
	a.apply(&old, &next)
	a.desk.changed(&old, &next)
}

// setReload hands on how often to look for new data: as the user set it, or else as who
// serves the logdir asks for.
func (a *app) setReload() { a.data.SetReload(a.follows()) }

// follows returns whether to look for new data, and how often.
func (a *app) follows() (on bool, period time.Duration) {
	s, none := &a.state, session.State{}
	on, period = session.AutoReload.Of(s), time.Duration(session.Reload.Of(s))*time.Second
	if session.AutoReload.Same(s, &none) && session.Reload.Same(s, &none) && a.asked != 0 {
		on, period = a.asked > 0, time.Duration(a.asked)*time.Millisecond
	}
	return on, period
}

// apply brings the page from one state to the next.
func (a *app) apply(old, now *session.State) {
	differs := func(ds ...*session.Decl) bool {
		for _, d := range ds {
			if !d.Same(old, now) {
				return true
			}
		}
		return false
	}
	u := board.Update{State: true}
	if differs(session.ThemeChoice.Decl) {
		u.Theme = a.theme.apply()
	}
	if differs(session.AutoReload.Decl, session.Reload.Decl) {
		a.setReload()
	}
	if differs(session.Memory.Decl, session.Cache.Decl) {
		a.setMemory()
	}
	if differs(session.PluginsOff.Decl) {
		a.plugins.changed()
	}
	if differs(session.RunFilter.Decl) {
		a.runFilter.Set(session.RunFilter.Of(now))
	}
	table := differs(session.RunTable...) || differs(session.RunFilter.Decl)
	if table {
		a.table.Settings()
	}
	called := differs(session.RunCalled.Decl) && a.call()
	runs := called || differs(session.RunFilter.Decl, session.Runs.Decl, session.OthersOff.Decl, session.RunsHidden.Decl, session.RunNames.Decl, session.RunColumnFilters.Decl, session.RunSort.Decl, session.RunRank.Decl, session.RunTop.Decl, session.RunColumnSort.Decl) ||
		differs(scalars.Smoothing.Decl) && a.rank.smoothed()
	if runs {
		if shown := a.pick(); !reflect.DeepEqual(shown, a.shown) {
			a.shown = shown
			u.Runs = true
		}
	}
	if u.Runs || called || differs(session.RunNames.Decl, session.RunGiven.Decl, session.RunHues.Decl, session.RunRecolor.Decl, session.RunColors.Decl, session.GroupBy.Decl, session.GroupColumn.Decl, session.GroupScale.Decl, session.GroupColors.Decl) {
		a.recolor()
		u.Colors = true
	}
	if differs(scalars.Split.Decl, session.Pins.Decl) {
		a.table.Need("split", a.splits()...)
	}
	a.settings.update()
	if differs(session.ThemeChoice.Decl, session.AutoReload.Decl, session.Reload.Decl, session.RunsOpen.Decl, session.SettingsOpen.Decl, session.RunsWidth.Decl) {
		a.head.update()
		a.panes.apply()
	}
	if differs(session.Board.Decl) {
		a.openTab()
		a.notice.update(a.data.Status(), len(a.runs))
	}
	a.view.Update(u)
	if runs || table || u.Colors || u.Theme || differs(session.Folders.Decl, session.RunSort.Decl, session.RunValues.Decl, session.RunCurves.Decl, session.RunStarts.Decl, session.RunCalled.Decl, session.RunsWidth.Decl, session.Baseline.Decl, scalars.Together.Decl) {
		a.list.update() // behind the view: it marks the run under the pointer there
	}
}

// store keeps the settings in the browser's storage and in the URL. Both may be
// refused (private windows, sandboxes); the page then works without.
//
// Several tabs may be open. What is written is what this tab has changed and no more, into
// what stands there by then; and what another tab has changed of the preferences, and of
// this logdir, is taken over. What is looked at stays each tab's own.
type store struct {
	app     *app
	write   *widget.Timer
	changed map[*session.Decl]bool // not written yet
	hash    string                 // as we wrote it …
	shown   string                 // … and as the browser shows it; another one has been typed, or gone to, a moment ago
	opened  string                 // the fragment with which the page was opened, until a logdir is there …
	query   string                 // … and the query
	before  session.State          // what the page showed before it came to the address of a profile
	begun   string                 // the address of what the page began with, until there is another
	touched bool                   // the user has done something on this page
	full    bool                   // the address lacks what it has no room for, which was said
	moved   bool                   // by the browser's back or forward: its entry is there
	last    []*session.Decl        // what the last entry of the history changed …
	lastAt  float64                // … and when, ms
}

// again is how long a change of the same settings is no further step for the browser's
// back: one drags a slider, and types a filter.
const again = 3000

// saveAfter is how long the state must rest before it is written.
const saveAfter = 250 * time.Millisecond

func newStore(a *app) *store {
	s := &store{app: a, changed: map[*session.Decl]bool{}}
	s.write = widget.NewTimer(s.flush)
	win := js.Global()
	// What comes by itself, such as a default profile, is no step that one would go back from.
	for _, by := range []string{"pointerdown", "keydown"} {
		widget.ListenOn(win, by, func(dom.Event) { s.touched = true })
	}
	widget.ListenOn(win, "hashchange", func(dom.Event) {
		h := location("hash")
		if s.shown = h; h != s.hash {
			s.hash, s.moved, s.last = h, true, nil
			s.write.Stop()
			s.arranged(h, &a.state)
			a.Set(func(st *session.State) { a.schema.ReadHash(st, h, "") })
			if linkOf(h) == "" {
				s.flush() // at once: what is done next is a step of its own
			} else {
				s.write.Start(saveAfter)
			}
			a.desk.openLink(h)
		}
	})
	widget.ListenOn(win, "storage", func(ev dom.Event) {
		s.heed(ev.Underlying())
		a.desk.heed(textOf(ev.Underlying(), "key"))
	})
	// A closing tab gets no timer.
	widget.ListenOn(win, "pagehide", func(dom.Event) {
		s.flush()
		left := s.hash
		if h := location("hash"); h != s.shown {
			left = h
		}
		if tab := bridge.Offered("sessionStorage"); tab.Truthy() {
			_, _ = bridge.Try(func() js.Value { return tab.Call("setItem", leftKey, left) })
		}
	})
	return s
}

// leftKey is that of the address with which the page was left last, in the tab's own storage.
const leftKey = "tensorbored-static.left"

// address is the fragment that the page was opened with; of one that is loaded anew, what it
// was left with. A browser begins such a page with the address of when it was asked for that,
// whatever was written into it until the page was gone.
func address() string {
	hash := location("hash")
	tab := bridge.Offered("sessionStorage")
	if !tab.Truthy() {
		return hash
	}
	v, err := bridge.Try(func() js.Value { return tab.Call("getItem", leftKey) })
	if err != nil || v.Type() != js.TypeString {
		return hash
	}
	_, _ = bridge.Try(func() js.Value { return tab.Call("removeItem", leftKey) }) // a page that dies leaves none
	left := v.String()
	if left == "" || left == hash || !reloaded() {
		return hash
	}
	_, _ = bridge.Try(func() js.Value {
		return js.Global().Get("history").Call("replaceState", nil, "", addressWith(location("search"), left))
	})
	return left
}

// reloaded reports whether the page is one that was loaded anew.
func reloaded() bool {
	how, err := bridge.Try(func() js.Value {
		return js.Global().Get("performance").Call("getEntriesByType", "navigation").Index(0)
	})
	return err == nil && how.Truthy() && how.Get("type").String() == "reload"
}

func location(part string) string { return js.Global().Get("location").Get(part).String() }

// addressWith is that of the page with another query and fragment. Its path alone is none: in a notebook a
// report is a blob, whose path is the notebook's address.
func addressWith(query, hash string) string {
	page := location("href")
	if i := strings.IndexAny(page, "?#"); i >= 0 {
		page = page[:i]
	}
	return page + query + hash
}

// load reads what is kept, and the address of the page.
func (s *store) load() session.State {
	l := s.app.schema
	// Refused: the defaults.
	preferences, _ := storage.LocalGet(session.Key)
	view, _ := storage.LocalGet(session.ViewKey)
	if p, v, here, ok := l.Migrate(preferences); ok {
		if view == "" {
			view = v
			_ = storage.LocalSet(session.ViewKey, v)
			_ = storage.LocalSet(session.HereKey, here)
		}
		preferences = p
		_ = storage.LocalSet(session.Key, p)
	}
	here, _ := storage.LocalGet(session.HereKey)
	if v, h, ok := l.TakeOver(view, here); ok && storage.LocalSet(session.HereKey, h) == nil {
		view = v
		_ = storage.LocalSet(session.ViewKey, v)
	}
	var st session.State
	l.Decode(session.Preference, &st, preferences)
	l.Decode(session.View, &st, view)
	st = s.app.desk.begin(st, view == "")
	s.app.desk.hash, s.app.desk.query = address(), location("search")
	s.arranged(s.app.desk.hash, &st)
	l.ReadHash(&st, s.app.desk.hash, s.app.desk.query)
	if !strings.Contains(s.app.desk.hash, "&"+linkKey+"=") { // a profile has its own say
		s.opened, s.query = s.app.desk.hash, s.app.desk.query
	}
	s.begun = l.Hash(&st)
	s.shown = location("hash")
	return st
}

// arranged remembers the view that a profile's address is about to replace.
func (s *store) arranged(hash string, st *session.State) {
	if linkOf(hash) != "" {
		s.before = st.Clone()
	}
}

// replaced is the state with the view that the address has replaced.
func (s *store) replaced() session.State {
	st := s.app.state.Clone()
	for _, d := range s.app.schema {
		if d.Scope() == session.View {
			d.Copy(&st, &s.before)
		}
	}
	return st
}

// loadHere reads what is kept of the logdir that is open.
func (s *store) loadHere(st *session.State) {
	text, _ := storage.LocalGet(session.HereKey)
	s.app.schema.DecodeHere(s.app.logdir, st, text)
	// What a link says of the logdir's runs goes before what this browser remembers.
	s.app.hues.open(st, s.opened != "" && !reloaded() && s.app.schema.Names(s.opened, s.query))
	if linked := st.Clone(); s.opened != "" {
		s.app.schema.ReadHash(&linked, s.opened, s.query)
		s.opened = ""
		for _, d := range s.app.schema {
			if d.Scope() == session.Here {
				d.Copy(st, &linked)
			}
		}
	}
}

// heed takes over what another tab has written.
func (s *store) heed(event js.Value) {
	text := func(name string) string {
		if v := event.Get(name); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	a := s.app
	var before, after session.State
	switch text("key") {
	case session.Key:
		a.schema.Decode(session.Preference, &before, text("oldValue"))
		a.schema.Decode(session.Preference, &after, text("newValue"))
	case session.HereKey:
		a.schema.DecodeHere(a.logdir, &before, text("oldValue"))
		a.schema.DecodeHere(a.logdir, &after, text("newValue"))
	default:
		return
	}
	next := a.state.Clone()
	for _, d := range a.schema.Changed(&before, &after) {
		if !s.changed[d] { // what this tab is about to write is newer
			d.Copy(&next, &after)
		}
	}
	a.become(next)
}

// save notes that settings have changed; they are written soon.
func (s *store) save(changed []*session.Decl) {
	for _, d := range changed {
		s.changed[d] = true
	}
	s.write.Start(saveAfter)
}

func (s *store) flush() {
	s.write.Stop()
	a := s.app
	var changed []*session.Decl
	for _, d := range a.schema {
		if s.changed[d] {
			changed = append(changed, d)
		}
	}
	clear(s.changed)
	put := func(key string, scope session.Scope, patch func(text string) string) {
		for _, d := range changed {
			if d.Scope() == scope {
				text, err := storage.LocalGet(key)
				if err == nil {
					_ = storage.LocalSet(key, patch(text)) // refused: it holds while the page is open
				}
				return
			}
		}
	}
	put(session.Key, session.Preference, func(text string) string { return a.schema.Patch(session.Preference, text, changed, &a.state) })
	put(session.ViewKey, session.View, func(text string) string {
		var there session.State
		if a.schema.Decode(session.View, &there, text); !session.Profile.Same(&there, &a.state) {
			return a.schema.Encode(session.View, &a.state) // that of another profile, from another tab
		}
		return a.schema.Patch(session.View, text, changed, &a.state)
	})
	if slices.Contains(changed, session.Pins.Decl) {
		profiles.MirrorPins(storage.Local{}, &a.state)
	}
	if a.logdir != "" {
		put(session.HereKey, session.Here, func(text string) string { return a.schema.PatchHere(a.logdir, text, changed, &a.state) })
	}
	full := a.schema.Full(&a.state)
	if full && !s.full {
		widget.Offer("This view is too large for a link: anyone opening it will see only part. Copy a profile link instead.", "Copy link…", func() { a.desk.link(a.desk.current("")) })
	}
	s.full = full
	if location("hash") != s.shown {
		return // which is heard of in a moment, and is not to be written over
	}
	h := a.schema.Hash(&a.state)
	if h == s.hash {
		s.moved = false
		return
	}
	s.hash = h
	// Each change can be gone back from, each dashboard, too, but not each step of a slider, nor the
	// first click of a double click, which is a change of less than the double click is.
	how, now := "pushState", widget.Now()
	goesOn := len(s.last) > 0 && !slices.Contains(changed, session.Board.Decl) && !slices.ContainsFunc(s.last, func(d *session.Decl) bool { return !slices.Contains(changed, d) })
	byItself := !slices.ContainsFunc(changed, func(d *session.Decl) bool { return !a.hues.follows(d) })
	if s.moved || !s.touched || byItself || goesOn && now-s.lastAt < again {
		how = "replaceState"
	}
	write := func(how, h string) {
		_, _ = bridge.Try(func() js.Value {
			return js.Global().Get("history").Call(how, nil, "", addressWith(a.schema.Query(location("search")), h))
		})
	}
	if s.begun != "" && how == "pushState" {
		write("replaceState", s.begun) // what one comes back to says what it was
	}
	s.begun = ""
	write(how, h)
	s.shown = location("hash")
	s.moved, s.last, s.lastAt = false, changed, now
}
