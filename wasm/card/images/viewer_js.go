package images

import (
	"fmt"
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// side is one of the viewer's two pictures: which it is, and the controls that choose it.
type side struct {
	run, tag   string
	at, sample int // numbers of the value and of its sample

	v                      *viewer
	which                  int
	steps                  []int64
	version                string
	epoch                  int
	samples                int
	asked                  card.Question
	el                     dom.HTMLElement
	series, samplePick     dom.HTMLElement
	slider, step, sampleAt dom.HTMLElement
	name                   string
}

// viewer is the dialog of a closer look at one picture, or at two.
type viewer struct {
	l                *live
	a, b             *side
	mode             string
	smooth, together bool
	view             js.Value
	pixel, problem   dom.HTMLElement
	compare          *widget.Choice
	second           dom.HTMLElement // the second picture's controls
}

// series lists the shown runs' tags of pictures, in the order of the page.
func (l *live) series() (list [][2]string) {
	tags := l.host.Tags()
	seen := map[string]int{}
	var order card.Order
	for _, r := range l.host.Runs() {
		for t := range tags[r] {
			seen[t] = 1
		}
	}
	for _, t := range order.Of(seen, nil) {
		for _, r := range card.TagRuns(tags, l.host.Runs(), t) {
			list = append(list, [2]string{r, t})
		}
	}
	return list
}

// look opens the viewer on a picture.
func (l *live) look(first side) {
	l.scope.Do(func() {
		v := &viewer{l: l, mode: "one", smooth: Smooth.Of(l.host.State()), together: true}
		widget.Dialog("A closer look", func() []any { return v.build(first) })
	})
}

// modes are the ways to look at one picture or two.
var modes = [][2]string{{"one", "One"}, {"side", "Side by side"}, {"swipe", "Swipe"}, {"difference", "Difference"}}

func (v *viewer) build(first side) []any {
	host := widget.New("div", "view", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "img"}, widget.Attr{Key: "aria-label", Value: "The picture: arrows move it, + and − zoom, 0 fits"})
	v.pixel = widget.New("span", "num view-pixel", widget.Attr{Key: "role", Value: "status"})
	v.problem = widget.New("p", "quiet view-problem")
	v.compare = widget.NewChoice("Compare", modes, v.setMode)
	v.compare.Set(v.mode)
	smooth, smoothEl := widget.Check("Smooth", func(on bool) {
		v.smooth = on
		v.view.Call("setMode", v.mode, v.smooth)
	})
	widget.Set(smooth, "checked", v.smooth)
	zoom := func(f float64) func() { return func() { v.view.Call("zoomBy", f) } }
	tools := widget.New("div", "view-tools", v.compare.El,
		widget.IconButton("zoom-in", "Larger (+)", zoom(1.5)), widget.IconButton("zoom-out", "Smaller (−)", zoom(1/1.5)),
		widget.IconButton("scan", "Fit (0)", func() { v.view.Call("fit") }),
		widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: "Actual size (1)"}, "1:1", widget.Click(func() { v.view.Call("actual") })),
		smoothEl, widget.New("span", "fill"), v.pixel)
	tell := widget.Func(func(_ js.Value, args []js.Value) any {
		switch args[0].String() {
		case "pixel":
			widget.Text(v.pixel, args[1].String())
		case "problem":
			widget.Text(v.problem, args[1].String())
		}
		return nil
	})
	v.view = painter().Get("View").New(host.Underlying(), tell)
	other := first
	// A second picture to begin with: the same tag and step of the next run, or else the
	// first step of this one.
	other.at = 0
	for _, s := range v.l.series() {
		if s[1] == first.tag && s[0] != first.run {
			other.run, other.at = s[0], first.at
			break
		}
	}
	v.a, v.b = v.newSide(first, 0), v.newSide(other, 1)
	var together dom.HTMLElement
	box, together := widget.Check("Same step on both sides", func(on bool) {
		v.together = on
		if on {
			v.follow(v.a)
		}
	})
	widget.Set(box, "checked", v.together)
	v.second = widget.New("div", "view-second", v.b.el, together)
	widget.Hide(v.second, true)
	v.a.ask()
	scope := widget.Present()
	scope.OnEnd(func() {
		v.view.Call("close")
		for _, s := range []*side{v.a, v.b} {
			s.asked.Drop()
		}
	})
	el := widget.New("div", "viewer", tools, host, v.problem, v.a.el, v.second)
	widget.Listen(el, "keydown", func(ev dom.Event) { v.key(ev, ev.Underlying().Get("target").Equal(host.Underlying())) })
	return []any{el}
}

func (v *viewer) setMode(mode string) {
	v.mode = mode
	two := mode != "one"
	widget.Hide(v.second, !two)
	v.a.label()
	v.b.label()
	if two && v.b.steps == nil {
		v.b.ask()
	}
	v.view.Call("setMode", mode, v.smooth)
}

// key moves and zooms the picture, wherever in the viewer the focus is: a button that was clicked
// has it. Arrows are the picture's only when it has the focus itself, as sliders have them too, and
// a list of choices finds by what is typed.
func (v *viewer) key(ev dom.Event, onPicture bool) {
	e := ev.Underlying()
	if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() || e.Get("target").Get("localName").String() == "select" {
		return
	}
	const by = 60.0
	key := e.Get("key").String()
	if !onPicture && strings.HasPrefix(key, "Arrow") {
		return
	}
	switch key {
	case "ArrowLeft":
		v.view.Call("pan", by, 0)
	case "ArrowRight":
		v.view.Call("pan", -by, 0)
	case "ArrowUp":
		v.view.Call("pan", 0, by)
	case "ArrowDown":
		v.view.Call("pan", 0, -by)
	case "+", "=":
		v.view.Call("zoomBy", 1.5)
	case "-":
		v.view.Call("zoomBy", 1/1.5)
	case "0":
		v.view.Call("fit")
	case "1":
		v.view.Call("actual")
	case "[":
		v.view.Call("swipeBy", -0.05)
	case "]":
		v.view.Call("swipeBy", 0.05)
	case ",":
		v.a.move(v.a.at - 1)
	case ".":
		v.a.move(v.a.at + 1)
	default:
		return
	}
	ev.PreventDefault()
}

// newSide makes the controls of a picture.
func (v *viewer) newSide(s side, which int) *side {
	s.v, s.which, s.epoch = v, which, v.l.nextEpoch()
	letter := [2]string{"A", "B"}[which]
	s.series = widget.New("select", "select", widget.Attr{Key: "aria-label", Value: letter + ": tag and run"})
	list := v.l.series()
	for i, r := range list {
		s.series.AppendChild(widget.New("option", "", widget.Attr{Key: "value", Value: strconv.Itoa(i)}, r[1]+" · "+v.l.host.Name(r[0])))
		if r == [2]string{s.run, s.tag} {
			widget.Set(s.series, "value", strconv.Itoa(i))
		}
	}
	widget.Listen(s.series, "change", func(dom.Event) {
		if i, err := strconv.Atoi(widget.Get(s.series, "value").String()); err == nil && i < len(list) {
			step, had := s.stepNow()
			s.run, s.tag, s.steps, s.version, s.epoch, s.at, s.sample = list[i][0], list[i][1], nil, "", v.l.nextEpoch(), -1, 0
			widget.Hide(s.samplePick, true)
			s.askNear(step, had)
		}
	})
	s.slider = widget.Range(letter+": step", 0, 0, 1, func(x float64) { s.move(int(x)) })
	s.step = widget.New("span", "num view-step")
	s.sampleAt = widget.Range(letter+": sample", 0, 0, 1, func(x float64) { s.sample = int(x); s.ask() })
	s.samplePick = widget.New("label", "inline", "Sample", s.sampleAt)
	widget.Hide(s.samplePick, true)
	s.name = letter
	s.el = widget.New("div", "view-side", widget.New("b", "view-letter", letter), s.series, s.slider, s.step, s.samplePick)
	s.label()
	return &s
}

// label names the side where there are two.
func (s *side) label() {
	if s.el != nil {
		widget.Toggle(s.el, "alone", s.v.mode == "one")
	}
}

func (s *side) stepNow() (int64, bool) {
	if s.at >= 0 && s.at < len(s.steps) {
		return s.steps[s.at], true
	}
	return 0, false
}

// move shows another step, on both sides if they go together.
func (s *side) move(n int) {
	s.at = max(0, min(n, len(s.steps)-1))
	s.ask()
	if s.v.together {
		s.v.follow(s)
	}
}

// follow brings the other side to the step of s.
func (v *viewer) follow(s *side) {
	o := v.a
	if s == v.a {
		o = v.b
	}
	step, ok := s.stepNow()
	if !ok || o.steps == nil {
		return
	}
	if n := stored.Nearest(o.steps, step); n >= 0 && n != o.at {
		o.at = n
		o.ask()
	}
}

// askNear asks for the value nearest to a step, or for the last.
func (s *side) askNear(step int64, near bool) {
	s.ask(func() bool {
		if n := stored.Nearest(s.steps, step); near && n >= 0 && n != s.at {
			s.at = n
			return true
		}
		return false
	})
}

// ask asks for the side's picture. again, if given, is called when the steps are known and
// may choose another value, which is then asked for.
func (s *side) ask(again ...func() bool) {
	q := images.Query{Query: stored.Query{From: s.at, N: 1, Have: len(s.steps), Version: s.version}, Sample: s.sample, Samples: 1}
	s.asked.Ask(s.v.l.host.Data(), q.For(s.run, s.tag), func(r engine.Reply) {
		for _, chunk := range r.Chunks {
			for _, p := range engine.Parts[images.Part](chunk) {
				s.take(p, chunk.Buffer, again)
				return
			}
		}
		s.v.view.Call("set", s.which, js.Null(), 0)
		widget.Text(s.v.problem, "There is no picture.")
	})
}

func (s *side) take(p images.Part, buffer js.Value, again []func() bool) {
	if !p.Same {
		s.steps, s.epoch = nil, s.v.l.nextEpoch()
	}
	s.steps, s.version = append(s.steps, p.Steps...), p.Version
	widget.Set(s.slider, "max", strconv.Itoa(max(0, len(s.steps)-1)))
	widget.Set(s.slider, "disabled", len(s.steps) < 2)
	if len(p.Items) == 0 {
		s.v.view.Call("set", s.which, js.Null(), 0)
		return
	}
	s.at = p.From
	for _, f := range again {
		if f() {
			s.ask()
			return
		}
	}
	item := &p.Items[0]
	if s.samples = item.Count; s.sample >= item.Count && item.Count > 0 {
		s.sample = item.Count - 1
		s.ask()
		return
	}
	if item.Count > 1 { // it stays from then on: the slider beside it must not change under the hand
		widget.Hide(s.samplePick, false)
	}
	widget.Set(s.sampleAt, "disabled", item.Count < 2)
	widget.Set(s.sampleAt, "max", strconv.Itoa(max(0, item.Count-1)))
	widget.Set(s.sampleAt, "value", strconv.Itoa(s.sample))
	if !widget.Focused(s.slider) {
		widget.Set(s.slider, "value", strconv.Itoa(s.at))
	}
	text := card.StepText(s.steps, s.at, item.Wall)
	size := ""
	if len(item.Samples) > 0 && item.Samples[0].Width > 0 {
		size = fmt.Sprintf(" · %d × %d", item.Samples[0].Width, item.Samples[0].Height)
	}
	widget.Text(s.step, text+size)
	s.slider.SetAttribute("aria-valuetext", text)
	if item.Error != "" || len(item.Samples) == 0 {
		s.v.view.Call("set", s.which, js.Null(), 0)
		widget.Text(s.v.problem, item.Error)
		return
	}
	s.v.view.Call("set", s.which, put(key(s.run, s.tag, s.epoch, s.at, s.sample), item, buffer), 0)
	if s == s.v.a && s.v.together && s.v.mode != "one" {
		s.v.follow(s)
	}
}
