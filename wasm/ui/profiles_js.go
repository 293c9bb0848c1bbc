package ui

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// desk is where profiles come and go: it knows which one the view is of, what was changed
// since, and hands profiles between the shelf, the logdir, files, links and the view. The
// view itself is the state; session.Profile says of which profile it is.
type desk struct {
	app     *app
	shelf   *profiles.Shelf
	work    chan func() // on the shelf, one after the other: the database makes them wait
	base    *profile.Profile
	changes []string      // that saving would save
	own     session.State // the view before the logdir's default profile was shown; a plain one: not known
	onLook  *widget.Timer

	standard *profile.Profile // the logdir's default; nil if it has none
	version  string           // of it, as it was listed when it was read
	text     string           // the version of its text (profile.TextVersion)
	failed   string           // why it cannot be shown; "" if it can
	seen     seenDefault
	begun    bool // the page has begun with what it begins with
	button   *profileButton

	// The address with which the page was opened, until it is known what becomes of the
	// logdir's default profile, over which it goes.
	hash, query string
}

// lookAfter is how long the state must rest before it is looked whether the view was
// changed: not while a slider moves.
const lookAfter = 150 * time.Millisecond

func newDesk(a *app) *desk {
	d := &desk{app: a, shelf: &profiles.Shelf{Local: storage.Local{}}, work: make(chan func(), 100)}
	d.onLook = widget.NewTimer(d.look)
	return d
}

// begin returns the view that the page begins with. What is in the browser's database
// comes later.
func (d *desk) begin(kept session.State, fresh bool) session.State {
	a := d.app
	d.shelf.TakeOver()
	name := d.shelf.Active()
	var saved *profile.Profile
	if name != "" {
		saved, _, _ = d.shelf.Load(name) // later says what is wrong
	}
	if fresh && saved == nil {
		if p := profiles.Theirs(storage.Local{}); p != nil {
			kept = profiles.Apply(a.schema, p, &kept, nil)
		}
	}
	next := profiles.Begin(a.schema, &kept, name, saved)
	switch kind, of := profiles.Origin(&next); kind {
	case profiles.OfSaved:
		if of == name {
			d.base = saved
		}
	case profiles.OfDefault, profiles.OfLink:
		if text, err := storage.LocalGet(profiles.BaseKey); err == nil {
			if p, _, err := profile.Decode([]byte(text)); err == nil && p.Name == of {
				d.base = p
			}
		}
		if d.base == nil {
			session.Profile.Reset(&next)
		}
	default:
		profiles.HeedPins(storage.Local{}, &next)
	}
	return next
}

// start begins what takes its time. It is called when the page is there.
func (d *desk) start() {
	large := &storage.Texts{}
	d.shelf.Large = large
	go func() {
		for f := range d.work {
			f()
		}
	}()
	d.do(func() {
		defer func() { d.begun = true; d.follow() }()
		name := d.shelf.KeptActive()
		if kind, _ := profiles.Origin(&d.app.state); name == "" || kind != "" && kind != profiles.OfSaved || d.base != nil {
			return
		}
		p, _, err := d.shelf.Load(name)
		if err != nil {
			d.shelf.SetActive("")
			widget.Say("The profile “" + name + "” is not shown: " + err.Error())
			d.app.Set(func(s *session.State) { session.Profile.Reset(s) })
			return
		}
		d.base = p
		next := profiles.Begin(d.app.schema, &d.app.state, name, p)
		d.app.schema.ReadHash(&next, location("hash"), location("search"))
		d.app.become(next)
		d.look()
	})
	d.openLink(location("hash"))
	d.listen()
	d.onLook.Start(lookAfter)
}

// do runs f on a goroutine, behind what was asked before.
func (d *desk) do(f func()) { d.work <- f }

// changed follows a change of the state.
func (d *desk) changed(old, now *session.State) {
	if !session.Profile.Same(old, now) {
		name := ""
		if kind, of := profiles.Origin(now); kind == profiles.OfSaved {
			name = of
		}
		if name != d.shelf.Active() {
			kept := d.shelf.SetActive(name)
			d.do(func() { d.shelf.KeepActive(name, kept) })
		}
		if session.Profile.Of(now) == "" {
			d.base = nil
		}
	}
	d.onLook.Start(lookAfter)
}

// look compares the view with its profile.
func (d *desk) look() {
	d.changes = nil
	if d.base != nil {
		d.changes = profiles.Changes(d.app.schema, d.base, &d.app.state)
	}
	d.button.update()
}

// names gives runs of a profile the names that they have here; nil while no run is known.
func (d *desk) names(root string) func(string) string {
	if len(d.app.runs) == 0 {
		return nil
	}
	known := make(map[string]bool, len(d.app.runs))
	for _, r := range d.app.runs {
		known[r.Name] = true
	}
	return profiles.Runs(func(run string) bool { return known[run] }, root)
}

// show shows a profile in place of the view.
func (d *desk) show(p *profile.Profile, kind, root string) {
	d.set(d.applied(p, root), p, profiles.Of(kind, p.Name))
}

// applied is the view with a profile in its place.
func (d *desk) applied(p *profile.Profile, root string) session.State {
	next := profiles.Apply(d.app.schema, p, &d.app.state, d.names(root))
	d.app.neverNone(&next)
	return next
}

// opened follows the opening of a logdir: which of its runs are shown is the profile's to
// say, unless it was said there already and the user has gone on from it. The default profile
// of another logdir is left: it is about that one. first says that it is the page's first.
func (d *desk) opened(first bool) {
	if !first {
		d.hash, d.query = "", "" // it was of the one before
	}
	of := session.Profile.Of(&d.app.state)
	if d.base == nil || of == "" || session.RunsOf.Of(&d.app.state) == of {
		return
	}
	if kind, _ := profiles.Origin(&d.app.state); kind == profiles.OfDefault {
		next := profiles.Without(d.app.schema, d.base, &d.app.state, &d.own)
		d.app.schema.ReadHash(&next, d.hash, d.query)
		d.turn(next, nil)
		return
	}
	shown := profiles.Apply(d.app.schema, d.base, &d.app.state, d.names(""))
	d.app.Set(func(s *session.State) {
		session.Runs.Copy(s, &shown)
		session.OthersOff.Copy(s, &shown)
		for _, d := range session.RunWords {
			if d.Same(s, &session.State{}) { // the user's own of this logdir stay
				d.Copy(s, &shown)
			}
		}
		session.RunsOf.Set(s, of)
	})
}

// belong says which profile a state is of.
func belong(s *session.State, of string) {
	session.Profile.Set(s, of)
	session.RunsOf.Set(s, of)
}

// set makes next the view, of the profile base.
func (d *desk) set(next session.State, base *profile.Profile, of string) {
	belong(&next, of)
	if kind, _ := profiles.Origin(&next); kind == profiles.OfDefault || kind == profiles.OfLink {
		d.keepBase(base, nil)
	}
	d.turn(next, base)
}

// showKept is show of a profile that keepBase has kept.
func (d *desk) showKept(p *profile.Profile, kind, root string) {
	next := d.applied(p, root)
	belong(&next, profiles.Of(kind, p.Name))
	d.turn(next, p)
}

// keepBase keeps a profile that is in no shelf, for when the page is loaded anew. A large one
// takes the page a moment to write, and another to show.
func (d *desk) keepBase(base *profile.Profile, pause func()) {
	if text, err := profile.EncodeResting(base, pause); err == nil {
		_ = storage.LocalSet(profiles.BaseKey, string(text)) // else the view is of none then
	}
}

// turn makes next the view, which is of base.
func (d *desk) turn(next session.State, base *profile.Profile) {
	d.base = base
	d.app.Set(func(s *session.State) { *s = next })
	// To compare takes a large profile as long as to show it: not in one go.
	d.changes = nil
	d.button.update()
	d.onLook.Start(0)
}

// restore brings back a view that was left, and the profile that it was of.
func (d *desk) restore(before session.State, base *profile.Profile) func() {
	return func() { d.set(before, base, session.Profile.Of(&before)) }
}

// load shows a profile of the shelf.
func (d *desk) load(name string) {
	before, base := d.app.state.Clone(), d.base
	d.do(func() {
		p, problems, err := d.shelf.Load(name)
		if err != nil {
			widget.Say(err.Error())
			return
		}
		bridge.Yield()
		d.activate(p.Name)
		d.show(p, profiles.OfSaved, "")
		widget.Undo("“"+name+"” is shown", d.restore(before, base))
		d.complain(problems)
	})
}

// merge adds a profile of the shelf to the view.
func (d *desk) merge(name string) {
	before, base := d.app.state.Clone(), d.base
	d.do(func() {
		p, _, err := d.shelf.Load(name)
		if err != nil {
			widget.Say(err.Error())
			return
		}
		now := d.current("")
		merged := profile.Merge(now, p)
		next := profiles.Apply(d.app.schema, merged, &d.app.state, d.names(""))
		d.app.Set(func(s *session.State) { *s = next })
		d.look()
		widget.Undo("“"+name+"” was added to the view", d.restore(before, base))
	})
}

// current is the view as a profile: what saving it under a name would save.
func (d *desk) current(name string) *profile.Profile {
	base := d.base
	if base == nil {
		base = profile.New(profile.Untitled)
	}
	p := profiles.Derive(d.app.schema, base, &d.app.state)
	if name != "" {
		p.Rename(name)
	}
	return p
}

// save keeps the view under the name of its profile.
func (d *desk) save(name string, force bool) {
	p := d.current(name)
	p.Touch(time.Now())
	if where := d.where(); where != nil {
		p.Data = where
	}
	d.do(func() {
		err := d.shelf.Save(p, force)
		var conflict *profiles.ConflictError
		var brief *profiles.SessionError
		switch {
		case errors.As(err, &conflict):
			widget.Offer(err.Error(), "Save over it", func() { d.save(name, true) })
			return
		case errors.As(err, &brief):
			widget.Say("Saved as “" + p.Name + "”, but " + err.Error())
		case err != nil:
			widget.Say("It was not saved: " + err.Error())
			return
		default:
			widget.Say("Saved as “" + p.Name + "”")
		}
		d.activate(p.Name)
		d.base = p
		d.app.Set(func(s *session.State) { belong(s, profiles.Of(profiles.OfSaved, p.Name)) })
		d.look()
	})
}

// activate keeps which saved profile is shown. It waits, where only the database has room for
// that: the page says it afterwards, or one that is loaded anew at once would not know it.
func (d *desk) activate(name string) { d.shelf.KeepActive(name, d.shelf.SetActive(name)) }

// saveAs keeps the view under another name; one that is taken is asked for.
func (d *desk) saveAs(name string) {
	name = profile.New(name).Name
	d.do(func() {
		if !d.shelf.Has(name) {
			d.save(name, true)
			return
		}
		widget.Offer("There is a profile “"+name+"” already.", "Save over it", func() { d.save(name, true) })
	})
}

// revert shows the profile as it was saved.
func (d *desk) revert() {
	if d.base == nil {
		return
	}
	before, base := d.app.state.Clone(), d.base
	kind, _ := profiles.Origin(&before)
	d.show(base, kind, "")
	widget.Undo("Back to “"+base.Name+"” as it was saved", d.restore(before, base))
}

// deactivate leaves the view as it is, of no profile.
func (d *desk) deactivate() {
	before, base := d.app.state.Clone(), d.base
	if base == nil {
		return
	}
	kind, _ := profiles.Origin(&before)
	d.app.Set(func(s *session.State) {
		session.Profile.Reset(s)
		if kind == profiles.OfDefault {
			session.NoDefault.Set(s, true)
		}
	})
	d.look()
	widget.Undo("“"+base.Name+"” is not active any more; the view stays", d.restore(before, base))
}

// remove takes a profile off the shelf, with a way back.
func (d *desk) remove(name string) {
	before, base := d.app.state.Clone(), d.base
	d.do(func() {
		text, err := d.shelf.Delete(name)
		if err != nil {
			widget.Say("It was not deleted: " + err.Error())
			return
		}
		active := session.Profile.Of(&before) == profiles.Of(profiles.OfSaved, name)
		if active {
			d.app.Set(func(s *session.State) { session.Profile.Reset(s) })
		}
		d.look()
		widget.Undo("“"+name+"” was deleted", func() {
			d.do(func() {
				if err := d.shelf.Restore(name, text); err != nil {
					widget.Say(err.Error())
				}
				if active {
					d.restore(before, base)()
				}
			})
		})
	})
}

// rename gives a profile of the shelf another name.
func (d *desk) rename(name, to string) {
	d.do(func() {
		p, err := d.shelf.Rename(name, to)
		if p == nil {
			widget.Say(err.Error())
			return
		}
		if session.Profile.Of(&d.app.state) == profiles.Of(profiles.OfSaved, name) {
			d.activate(p.Name)
			d.base = p
			d.app.Set(func(s *session.State) { belong(s, profiles.Of(profiles.OfSaved, p.Name)) })
		}
		d.look()
	})
}

// duplicate puts a copy of a profile onto the shelf.
func (d *desk) duplicate(name string) {
	d.do(func() {
		p, _, err := d.shelf.Load(name)
		if err == nil {
			p.Rename(profile.UniqueName(name, d.shelf.Has))
			p.Touch(time.Now())
			err = d.shelf.Save(p, true)
		}
		if err != nil {
			widget.Say(err.Error())
			return
		}
		widget.Say("“" + p.Name + "” is a copy of “" + name + "”")
	})
}

// complain says what of a profile is left out.
func (d *desk) complain(problems []profile.Problem) {
	var lost []string
	for _, p := range problems {
		if !p.Minor {
			lost = append(lost, p.String())
		}
	}
	if len(lost) == 0 {
		return
	}
	text := lost[0]
	if len(lost) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(lost)-1)
	}
	widget.Say("A part of the profile is left out: " + text)
}

// heed hears of what another tab has written.
func (d *desk) heed(key string) {
	d.do(func() {
		name := d.shelf.Heard(key)
		if name == "" || session.Profile.Of(&d.app.state) != profiles.Of(profiles.OfSaved, name) {
			return
		}
		if !d.shelf.Has(name) {
			widget.Say("“" + name + "” was deleted in another tab; the view here stays")
			return
		}
		widget.Offer("“"+name+"” was changed in another tab", "Show that", func() { d.load(name) })
	})
}

// text of a property of a value of JavaScript; "" if it is none.
func textOf(v js.Value, property string) string {
	if t := v.Get(property); t.Type() == js.TypeString {
		return t.String()
	}
	return ""
}
