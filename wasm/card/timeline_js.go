package card

import (
	"strconv"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// timeline is the line below the cards that moves the one step of all of them, whatever their
// kind: by hand, or by playing. At its end it follows what is logged.
type timeline struct {
	g                  *grid
	el                 dom.HTMLElement
	slider, said, play dom.HTMLElement
	of                 Timeline
	playing            bool
	waited             int // turns in which cards on screen had not come yet
	timer              *widget.Timer
	draw               *widget.Frame
}

// mostWait is how many turns of playPace a card on screen is waited for.
const mostWait = 20

func newTimeline(g *grid) *timeline {
	t := &timeline{g: g}
	t.slider = widget.Range("Timeline: step of all cards", 0, 0, 1, func(v float64) { t.stop(); t.user(int(v)) })
	t.said = widget.New("span", "num timeline-step", widget.Attr{Key: "role", Value: "status"})
	t.play = widget.IconButton("play", "Play the timeline", t.toggle)
	t.timer = widget.NewTimer(t.tick)
	t.draw = widget.NewFrame(t.show)
	t.el = widget.New("div", "timeline", widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: "Timeline"}, t.play, t.slider, t.said,
		widget.IconButton("x", "End one step for all cards", func() { g.host.Set(func(s *session.State) { Link(s, false) }) }))
	widget.Hide(t.el, true)
	return t
}

// Stepped implements Host.
func (h kindHost) Stepped(steps []int64) {
	h.g.timeline.of.Add(steps)
	h.g.timeline.draw.Ask()
}

// Spanned implements Host.
func (h kindHost) Spanned(lo, hi float64) {
	h.g.timeline.of.Span(lo, hi)
	h.g.timeline.draw.Ask()
}

// show brings it to the settings and the steps.
func (t *timeline) show() {
	s := t.g.host.State()
	stops := t.of.Stops()
	on := LinkSteps.Of(s) && len(stops) > 1
	widget.Hide(t.el, !on)
	if !on {
		t.stop()
		return
	}
	last := len(stops) - 1
	widget.Set(t.slider, "max", strconv.Itoa(last))
	step, set := linked(s)
	at, text := last, "newest, step "+widget.Thousands(stops[last])
	if set {
		at, text = t.of.At(step), "step "+widget.Thousands(step)+" of "+widget.Thousands(stops[last])
	}
	widget.Set(t.slider, "value", strconv.Itoa(at))
	t.slider.SetAttribute("aria-valuetext", text)
	widget.Text(t.said, text)
}

// at is the number of the stop where the step stands.
func (t *timeline) at() int {
	if step, ok := linked(t.g.host.State()); ok {
		return t.of.At(step)
	}
	return len(t.of.Stops()) - 1
}

// user is the user's choice of a stop; the last one follows what comes.
func (t *timeline) user(n int) {
	stops := t.of.Stops()
	if n < 0 || n >= len(stops) {
		return
	}
	text := strconv.FormatInt(stops[n], 10)
	if n == len(stops)-1 {
		text = ""
	}
	t.g.moved = widget.Now()
	t.g.host.Set(func(s *session.State) {
		LinkedStep.Set(s, text)
		LinkedEnd.Reset(s)
	})
}

func (t *timeline) toggle() {
	if t.playing {
		t.stop()
		return
	}
	t.playing, t.waited = true, 0
	widget.SetIcon(t.play, "pause", "Stop the timeline")
	if t.at() == len(t.of.Stops())-1 {
		t.user(0)
	}
	t.timer.Start(playPace)
}

func (t *timeline) stop() {
	if t.playing {
		t.playing = false
		t.timer.Stop()
		widget.SetIcon(t.play, "play", "Play the timeline")
	}
}

// tick goes on when the cards on screen show the present step; a card that takes long is not
// waited for.
func (t *timeline) tick() {
	if !t.playing {
		return
	}
	if t.waited < mostWait && t.g.waits() {
		t.waited++
		t.timer.Start(playPace / 4)
		return
	}
	t.waited = 0
	n := t.at() + 1
	t.user(n)
	if n >= len(t.of.Stops())-1 {
		t.stop() // and follows
		return
	}
	t.timer.Start(playPace)
}

// waits reports whether a card on screen waits for its answer or its picture.
func (g *grid) waits() bool {
	for s := range g.live {
		if s.visible && (s.asked || s.stale || s.painting != 0) {
			return true
		}
	}
	return false
}
