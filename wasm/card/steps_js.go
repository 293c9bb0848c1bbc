package card

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// playPace is the time between two steps while a card plays.
const playPace = 150 * time.Millisecond

// Steps is the foot of a card that shows one logged value at a time: a slider over all of
// them, a button that plays them, and which one is shown. It knows the steps of all values
// and follows the last one unless the user went to another.
type Steps struct {
	El   dom.HTMLElement
	Note dom.HTMLElement // words of the card behind the step

	slot                       *Slot
	host                       Host
	changed                    func()
	slider, step, status, play dom.HTMLElement

	steps   []int64
	version string
	at      int  // number of the value that is wanted; -1 = the last, whichever it is; see to
	back    bool // at is that of a card that has ended, whose values these may not be
	shown   int  // number of the one on screen; -1 = none
	playing bool
	timer   *widget.Timer
}

// stepped is what the user chose in a card, and what is known of its values.
type stepped struct {
	at      int
	steps   []int64
	version string
}

// NewSteps makes that of a card; changed is called when another value is wanted than before.
func NewSteps(slot *Slot, changed func()) *Steps {
	s := &Steps{slot: slot, host: slot.Host(), changed: changed, at: -1, shown: -1}
	s.slider = widget.Range("Step", 0, 0, 1, func(v float64) { s.stop(); s.user(int(v)) })
	s.step = widget.New("span", "num steps-step", widget.Attr{Key: "role", Value: "status"})
	s.status = widget.New("span", "quiet")
	s.Note = widget.New("span", "quiet steps-note")
	s.play = widget.IconButton("play", "Play the steps (k)", s.toggle)
	s.timer = widget.NewTimer(s.tick)
	s.El = widget.New("div", "steps", s.play, s.slider, s.step, s.status, s.Note)
	if was, ok := slot.grid.stepped[slot.Key()]; ok {
		s.at, s.steps, s.version, s.back = was.at, slices.Clone(was.steps), was.version, true
		s.fit()
	}
	return s
}

// to makes value number n the wanted one; -1: the last.
func (s *Steps) to(n int) {
	s.at = n
	if n < 0 {
		delete(s.slot.grid.stepped, s.slot.Key())
	} else {
		s.slot.grid.stepped[s.slot.Key()] = stepped{n, s.steps, s.version}
	}
}

// Query asks for the value that is wanted.
func (s *Steps) Query() stored.Query {
	at := s.Wanted()
	if s.at < 0 && at == len(s.steps)-1 {
		at = -1 // there may be a newer one
	}
	return stored.Query{From: at, N: 1, Have: len(s.steps), Version: s.version}
}

// Wanted is the number of the value that is wanted; -1 if none is known.
func (s *Steps) Wanted() int {
	if step, ok := linked(s.host.State()); ok {
		if s.at >= 0 && s.at < len(s.steps) && s.steps[s.at] == step {
			return s.at // one of several values of that step
		}
		return stored.Nearest(s.steps, step)
	}
	if s.at < 0 || s.at >= len(s.steps) {
		return len(s.steps) - 1
	}
	return s.at
}

// Version tells the values that there are from others.
func (s *Steps) Version() string { return s.version }

// Known are the steps of all values.
func (s *Steps) Known() []int64 { return s.steps }

// Take takes what an answer says of all values. renewed says that those known before are
// others now.
func (s *Steps) Take(h stored.Head) (renewed bool) {
	if !h.Same {
		renewed = len(s.steps) > 0
		if i := s.at; s.back && i >= 0 && (i >= len(h.Steps) || i >= len(s.steps) || h.Steps[i] != s.steps[i]) {
			s.to(-1)
		}
		s.steps = nil
	}
	s.steps = append(s.steps, h.Steps...)
	if len(h.Steps) > 0 {
		s.host.Stepped(h.Steps)
	}
	s.version = h.Version
	s.fit()
	return renewed
}

// fit makes the slider as long as there are values.
func (s *Steps) fit() {
	widget.Set(s.slider, "max", strconv.Itoa(max(0, len(s.steps)-1)))
	widget.Set(s.slider, "disabled", len(s.steps) < 2)
	widget.Hide(s.play, len(s.steps) < 2)
	// The words keep their room, and with it the slider: it must not change under the hand that moves it.
	least, most := int64(0), int64(0)
	for _, step := range s.steps {
		least, most = min(least, step), max(most, step)
	}
	digits := max(wide(least), wide(most))
	count := wide(int64(len(s.steps)))
	widget.Style(s.step, "min-width", fmt.Sprintf("%.1fch", 4+digits))      // "step "
	widget.Style(s.status, "min-width", fmt.Sprintf("%.1fch", 2.5+2*count)) // " of "
}

// wide is how wide a number is, in digits: its comma has half the width of one.
func wide(n int64) float64 {
	text := widget.Thousands(n)
	return float64(len(text)) - 0.5*float64(strings.Count(text, ","))
}

// Show says which value is on the screen, and when it was logged.
func (s *Steps) Show(n int, wall *float64) {
	s.shown, s.back = n, false
	if n < 0 || n >= len(s.steps) {
		widget.Text(s.step, "")
		widget.Text(s.status, "")
		return
	}
	// The slider is where the user has it, even if that is not on the screen yet.
	if !widget.Focused(s.slider) || s.at < 0 || s.playing {
		widget.Set(s.slider, "value", strconv.Itoa(n))
	}
	text := StepText(s.steps, n, wall)
	widget.Text(s.step, text)
	widget.Text(s.status, fmt.Sprintf("%s of %s", widget.Thousands(int64(n)+1), widget.Thousands(len(s.steps))))
	when := ""
	if wall != nil {
		when = widget.Moment(*wall)
	}
	s.step.SetTitle(when)
	s.slider.SetAttribute("aria-valuetext", text)
	if s.playing {
		s.timer.Start(playPace)
	}
}

// Go makes value number n the wanted one, without asking for it.
func (s *Steps) Go(n int) {
	s.stop()
	if n == len(s.steps)-1 {
		n = -1
	}
	s.to(n)
}

// user is the user's choice of a value.
func (s *Steps) user(n int) {
	n = max(0, min(n, len(s.steps)-1))
	if LinkSteps.Of(s.host.State()) && len(s.steps) > 0 {
		text := strconv.FormatInt(s.steps[n], 10)
		if n == len(s.steps)-1 {
			text = ""
		}
		s.host.Moved()
		s.to(n)
		if LinkedStep.Of(s.host.State()) == text {
			s.changed() // another value of the same step
			return
		}
		s.host.Set(func(st *session.State) { LinkedStep.Set(st, text) })
		return
	}
	if n == len(s.steps)-1 {
		n = -1 // what comes is followed
	}
	if n != s.at {
		s.to(n)
		s.changed()
	}
}

// Settings heeds the linked step.
func (s *Steps) Settings(old, now *session.State) {
	if LinkSteps.Same(old, now) && LinkedStep.Same(old, now) {
		return
	}
	if LinkSteps.Of(now) && LinkedStep.Of(now) == "" {
		s.to(-1)
	}
	if n := s.Wanted(); n != s.shown || !LinkSteps.Same(old, now) {
		widget.Set(s.slider, "value", strconv.Itoa(max(0, n)))
		s.changed()
	}
}

// Key goes a step back or on, or plays.
func (s *Steps) Key(key string) bool {
	switch key {
	case ",":
		s.stop()
		s.user(s.Wanted() - 1)
	case ".":
		s.stop()
		s.user(s.Wanted() + 1)
	case "k":
		s.toggle()
	default:
		return false
	}
	return true
}

// Shut stops what plays: nothing is on the screen any more.
func (s *Steps) Shut() {
	s.stop()
	s.shown = -1
}

func (s *Steps) toggle() {
	if s.playing {
		s.stop()
		return
	}
	if len(s.steps) < 2 {
		return
	}
	s.playing = true
	widget.SetIcon(s.play, "pause", "Stop playing (k)")
	s.tick()
}

func (s *Steps) stop() {
	if s.playing {
		s.playing = false
		s.timer.Stop()
		widget.SetIcon(s.play, "play", "Play the steps (k)")
	}
}

// tick goes on when the last step is on the screen: Show starts the timer again.
func (s *Steps) tick() {
	if s.playing && len(s.steps) > 0 {
		s.user((s.Wanted() + 1) % len(s.steps))
	}
}

// StepsHelp are the keys of Steps.
func StepsHelp() []board.Command {
	return []board.Command{{Keys: ", .", Does: "the card's step before, or after"}, {Keys: "k", Does: "play the card's steps"}}
}
