package ui

import (
	"errors"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/profiles"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// The default profile of a logdir is everybody's. What the user has seen of it is what may
// be replaced without a question: the one that stood there when the logdir was opened, the
// one that was shown since, and what was saved from here. One that a colleague saved
// meanwhile is read at the next look, but it is not seen before it is shown.

// seenDefault is the default profile that the user has seen.
type seenDefault struct {
	gen     int              // of the logdir it is of
	known   bool             // it has been looked for
	version string           // of its text (profile.TextVersion); "": there was none
	profile *profile.Profile // nil: none, or none that can be put back
}

// follow looks at the default profile of the logdir when there may be another one.
func (d *desk) follow() {
	a := d.app
	version, root := a.data.DefaultProfile()
	if d.seen.gen != a.data.Gen() {
		d.seen = seenDefault{gen: a.data.Gen()}
	}
	if version == "" && a.data.Last() != nil {
		d.seen.known = true
	}
	if !d.begun || a.logdir == "" || version != "" && len(a.runs) == 0 {
		return
	}
	if kind, _ := profiles.Origin(&a.state); kind == profiles.OfDefault && version == "" && a.data.Status().Phase.Done() {
		// Of another logdir: the view stays, as what this browser was left with.
		a.Set(func(s *session.State) { session.Profile.Reset(s) })
	}
	if version == d.version {
		return
	}
	d.version = version
	if version == "" {
		d.standard, d.failed = nil, ""
		return
	}
	d.do(func() {
		if d.version != version {
			return
		}
		text, err := a.data.ReadDefaultProfile()
		var p *profile.Profile
		var problems []profile.Problem
		if err == nil {
			p, problems, err = profile.DecodeResting(text, bridge.Yield)
			bridge.Yield() // a large one takes the page a moment: read, compared, and shown in three
		}
		if d.version != version {
			return // another logdir
		}
		if engine.IsAgain(err) { // what stood in the way may pass
			time.AfterFunc(profileLate, func() {
				if d.version == version {
					d.version = ""
					d.follow()
				}
			})
		}
		d.text = profile.TextVersion(text)
		if d.standard, d.failed = p, ""; err != nil {
			d.standard, d.failed = nil, err.Error()
			widget.Say("The default profile of this logdir is not shown. " + err.Error())
			return
		}
		if !d.seen.known {
			d.see()
		}
		d.offerStandard(p, root)
		d.complain(problems)
	})
}

// profileLate is when a default profile is asked for again that could not be read for now.
const profileLate = 15 * time.Second

// offerStandard shows the default profile where it comes first, and says so.
func (d *desk) offerStandard(p *profile.Profile, root string) {
	version := d.version
	decision := profiles.Default(d.app.schema, &d.app.state, p, d.base)
	bridge.Yield()
	if decision == profiles.Show {
		d.keepBase(p, bridge.Yield)
		if bridge.Yield(); d.version != version {
			return // another logdir
		}
	}
	before, base := d.app.state.Clone(), d.base
	switch decision {
	case profiles.Show:
		d.see()
		d.keepOwn(before)
		d.showKept(p, profiles.OfDefault, root)
		// What the address named when the page was opened comes first; but that of a page
		// that is loaded anew is what the profile before had written there.
		linked := false // the address says what is shown, not the profile
		if kind, _ := profiles.Origin(&before); kind == "" {
			linked = d.app.schema.Names(d.hash, d.query)
			d.app.Set(func(s *session.State) {
				if linked {
					d.app.schema.ReadHash(s, d.hash, d.query)
				} else if id := d.app.schema.BoardOf(d.hash); id != "" {
					session.Board.Set(s, id)
				}
			})
		}
		if kind, _ := profiles.Origin(&before); !linked && kind != profiles.OfDefault && d.app.schema.Customised(&before) {
			d.app.status.mention("This logdir's default profile “"+p.Name+"” is shown", "Use my own view", func() {
				session.NoDefault.Set(&before, true)
				d.set(before, base, session.Profile.Of(&before))
			})
		}
	case profiles.Same:
		d.see()
		d.base = p
		d.look()
	case profiles.Ask:
		widget.Offer("The default profile “"+p.Name+"” of this logdir has changed", "Show it", func() { d.do(d.loadStandard) })
	}
	d.hash, d.query = "", ""
}

// keepOwn keeps the view before a default profile, which comes back with another logdir.
func (d *desk) keepOwn(before session.State) {
	if kind, _ := profiles.Origin(&before); kind == "" {
		d.own = before.Clone()
	} else if kind != profiles.OfDefault {
		d.own = session.State{}
	}
}

// loadStandard shows the default profile because the user asked for it.
func (d *desk) loadStandard() {
	if d.standard == nil {
		return
	}
	before, base := d.app.state.Clone(), d.base
	_, root := d.app.data.DefaultProfile()
	d.app.Set(func(s *session.State) { session.NoDefault.Reset(s) })
	d.see()
	d.keepOwn(before)
	d.show(d.standard, profiles.OfDefault, root)
	widget.Undo("The default profile “"+d.standard.Name+"” is shown", d.restore(before, base))
}

// see keeps that the user has seen the default profile that was read last.
func (d *desk) see() { d.seen.known, d.seen.version, d.seen.profile = true, d.text, d.standard }

// saveStandard makes the view the default profile of the logdir.
func (d *desk) saveStandard() {
	p := d.current("")
	p.Touch(time.Now())
	p.Data = nil // it stands beside them
	go d.setStandard(p, d.seen)
}

// setStandard makes p the default profile in place of the one that was seen. Where another
// one stands there by now it asks.
func (d *desk) setStandard(p *profile.Profile, seen seenDefault) {
	text, err := profile.Encode(p)
	if err != nil {
		widget.Say(err.Error())
		return
	}
	version, made, err := d.app.data.SaveDefault(text, seen.version)
	var changed *engine.DefaultChanged
	switch {
	case errors.As(err, &changed):
		now := seenDefault{gen: seen.gen, version: changed.Version}
		question := "Somebody has removed the default profile since this page read it."
		if changed.Version != "" {
			question = "The default profile was changed since this page read it, and cannot be read now. Saving over it cannot be undone."
		}
		if now.profile, _, err = profile.Decode(changed.Text); err == nil {
			question = "Somebody has saved another default profile, “" + now.profile.Name + "”, since this page read it."
		}
		widget.Offer(question, "Save over it", func() {
			if d.seen.gen == now.gen { // it was asked of this logdir
				go d.setStandard(p, now)
			}
		})
	case err != nil:
		widget.Say("It was not saved: " + err.Error())
	default:
		if d.seen.gen == seen.gen { // no other logdir was opened meanwhile
			d.seen = seenDefault{seen.gen, true, version, p}
		}
		told := "Everyone who opens this logdir now gets “" + p.Name + "”"
		if old := seen.profile; old != nil || made {
			if made {
				old = nil
			}
			widget.Undo(told, func() {
				if d.seen.gen == seen.gen {
					go d.undoStandard(old)
				}
			})
			return
		}
		widget.Say(told)
	}
}

// undoStandard puts back the default profile that was replaced; nil: there was none.
func (d *desk) undoStandard(old *profile.Profile) {
	var text []byte
	var err error
	if old != nil {
		text, err = profile.Encode(old)
	}
	seen, version := d.seen, ""
	if err == nil {
		version, _, err = d.app.data.SaveDefault(text, seen.version)
	}
	var changed *engine.DefaultChanged
	switch {
	case errors.As(err, &changed):
		widget.Say("Not undone: somebody has changed the default profile since")
	case err != nil:
		widget.Say("It was not taken back: " + err.Error())
	default:
		d.seen = seenDefault{seen.gen, true, version, old}
		told := "This logdir has no default profile again"
		if old != nil {
			told = "The default profile is “" + old.Name + "” again"
		}
		widget.Say(told)
	}
}
