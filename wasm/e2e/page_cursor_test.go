//go:build !js

package e2e

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// holdScript lets the test hold back what workers say: held(true) begins it, held(false)
// hands on what has come meanwhile.
const holdScript = `{
	const own = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage"), waiting = [];
	let hold = false;
	globalThis.held = (on) => { hold = on; if (!on) for (const f of waiting.splice(0)) f(); };
	Object.defineProperty(Worker.prototype, "onmessage", {
		configurable: true,
		get() { return own.get.call(this); },
		set(take) { own.set.call(this, take && ((e) => hold ? waiting.push(() => take.call(this, e)) : take.call(this, e))); },
	});
}`

// noise is a value that is another one at each step of each run, so that of thousands of
// points in a few hundred pixels each run keeps those of other steps.
func noise(run, step int) float64 {
	x := uint32(step*2654435761) ^ uint32(run*40503)
	x ^= x >> 15
	x *= 2246822519
	x ^= x >> 13
	return f32(float64(run) + float64(x%100000)/100000)
}

// manySteps are four runs of one tag: three of each step, one of every eighth from 4 on.
func manySteps(t *testing.T) *logs {
	l := newLogs(t)
	for run := range 4 {
		var loss, acc []point
		for step := 0; step < 12000; step++ {
			if run == 3 && step%8 != 4 {
				continue
			}
			loss = append(loss, at(int64(step), epoch+float64(step), noise(run, step)))
			acc = append(acc, at(int64(step), epoch+float64(step), -noise(run+7, step)))
		}
		l.run(fmt.Sprint("r", run), map[string][]point{"loss": loss, "acc": acc})
	}
	return l
}

// truth compares a tooltip, or a pinned table, with what was logged; its heading's step is
// the pointer's business. It says what is wrong.
func truth(t table) string {
	step, err := strconv.Atoi(strings.ReplaceAll(strings.TrimPrefix(t.Title, "step "), ",", ""))
	if err != nil || len(t.Rows) != 4 {
		return fmt.Sprintf("the table is %+v", t)
	}
	for _, r := range t.Rows {
		run, _ := strconv.Atoi(strings.TrimPrefix(r["Run"], "r"))
		at := step
		if run == 3 { // of two that are equally close the lesser
			at = step - ((step-4)%8+8)%8
			if step-at > 4 {
				at += 8
			}
		}
		if got := strings.ReplaceAll(r["Step"], ",", ""); got != strconv.Itoa(at) {
			return fmt.Sprintf("r%d is told of step %s under %s, want %d", run, got, t.Title, at)
		}
		got, err := strconv.ParseFloat(r["Value"], 64)
		if want := noise(run, at); err != nil || math.Abs(got-want) > 6e-4 {
			return fmt.Sprintf("r%d has %q at step %d, want %g", run, r["Value"], at, want)
		}
	}
	return ""
}

// What stands under a step is of that step, for each run that has it: in the tooltip, in the
// pinned table and in the run list. What is not known to be so yet says so.
func TestPageTrueCursor(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := &screen{view: start(t, kind), host: serve(t, manySteps(t).dir)}
			s.url = s.host.URL
			s.Resize(1400, 900)
			s.Before(hearing)
			s.Before(holdScript)
			s.Open(s.url + "#timeseries&smoothing=0")
			s.rests()
			s.rowsOfValues()
			p := s.still("loss")
			// Before the workers have answered no other step's value is passed off.
			s.Eval(`held(true)`, nil)
			s.Hover(p.Box.Part(0.37, 0.4))
			s.Until(func() string {
				tip, about := s.tip(false), 0
				for _, r := range tip.Rows {
					value, marked := strings.CutPrefix(r["Value"], "≈ ")
					run, _ := strconv.Atoi(strings.TrimPrefix(r["Run"], "r"))
					step, _ := strconv.Atoi(strings.ReplaceAll(r["Step"], ",", ""))
					got, err := strconv.ParseFloat(value, 64)
					if err != nil || math.Abs(got-noise(run, step)) > 6e-4 {
						return fmt.Sprintf("%v: not a point that was logged", r)
					}
					if same := "step "+r["Step"] == tip.Title; marked {
						about++
					} else if !same {
						return fmt.Sprintf("%v under %s is not marked", r, tip.Title)
					}
				}
				if len(tip.Rows) != 4 || about == 0 {
					return fmt.Sprintf("%d of the rows are marked: %+v", about, tip)
				}
				return ""
			})
			s.Eval(`held(false)`, nil)
			for _, part := range []float64{0.37, 0.61, 0.985} {
				s.Hover(p.Box.Part(part, 0.4))
				s.Until(func() string { return truth(s.tip(false)) })
				title := s.tip(false).Title
				// What is of another step than the heading's says so.
				s.Wait(`(t => [...t.tBodies[0].rows].every(r => r.cells[3].title.startsWith("No point at step") === ("step " + r.cells[3].innerText !== t.previousSibling.innerText)))(document.querySelector(".tip:not([hidden]) table"))`)
				s.Until(func() string {
					for run, said := range s.values() {
						i, _ := strconv.Atoi(strings.TrimPrefix(run, "r"))
						value, place, elsewhere := strings.Cut(said, "\n")
						if !elsewhere {
							place = title
						}
						place, _, _ = strings.Cut(strings.TrimPrefix(place, "step "), ":")
						step, err := strconv.Atoi(strings.ReplaceAll(place, ",", ""))
						got, err2 := strconv.ParseFloat(value, 64)
						if err != nil || err2 != nil || math.Abs(got-noise(i, step)) > 6e-3 {
							return fmt.Sprintf("the run list says %q of %s under %s", said, run, title)
						}
					}
					return ""
				})
			}
			s.pinnedTruth(p)
		})
	}
}

// Where memory has no room for all points, those under the pointer are read again.
func TestPageTrueCursorReadAgain(t *testing.T) {
	t.Parallel()
	s := &screen{view: start(t, browsertest.Chromium), host: serve(t, manySteps(t).dir)}
	s.url = s.host.URL
	s.Resize(1400, 900)
	s.Before(hearing)
	s.Before(`Object.defineProperty(Navigator.prototype, "deviceMemory", {get: () => 30000 * 128 / 2 ** 30})`) // room for 30,000
	s.Open(s.url + "#timeseries&smoothing=0")
	s.rests()
	if st := s.status(); st.Kept > 40_000 || st.Points != 75_000 {
		t.Fatalf("%d of %d points are kept", st.Kept, st.Points)
	}
	p := s.still("loss")
	for _, part := range []float64{0.21, 0.83} {
		s.Hover(p.Box.Part(part, 0.4))
		s.Until(func() string { return truth(s.tip(false)) })
	}
	// The page says so, and a table of what is kept does.
	s.Wait(`document.body.innerText.includes(tensorbored.status().kept.toLocaleString("en-US") + " kept in memory")`)
	card := s.Control("article", "loss")
	card.Get("e.focus()", nil)
	s.Press("m")
	card.Is(`e.innerText.includes("These are the points that memory keeps.")`)
}

// pinnedTruth pins the table of a plot and moves it on by a key: it tells the truth too, also
// while the pointer is elsewhere.
func (s *screen) pinnedTruth(p plot) {
	s.t.Helper()
	s.Click(p.Box.Part(0.52, 0.4))
	s.Control("dialog", "Values").Wait()
	s.Hover(s.Control("heading", "Settings").Box().Middle())
	s.Until(func() string { return truth(s.heading(s.tip(true))) })
	before := s.heading(s.tip(true)).Title
	s.Control("dialog", "Values").Get("e.focus()", nil)
	s.Press("ArrowRight")
	s.Until(func() string {
		now := s.heading(s.tip(true))
		if now.Title == before {
			return "the table stays at " + before
		}
		return truth(now)
	})
	s.Press("Escape")
}

// A mean under the pointer is that of its runs' values at that step, and its band theirs;
// differences from the baseline are from what that has there.
func TestPageTrueMean(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for run := range 3 {
		var loss []point
		for step := run; step < 18000; step += 3 { // never two runs at the same step: what was drawn is of few of them
			loss = append(loss, at(int64(step), epoch+float64(step), noise(run, step)))
		}
		l.run(fmt.Sprint("seeds/r", run), map[string][]point{"loss": loss})
	}
	s := look(t, browsertest.Chromium, l.dir)
	s.Open(s.url + "#timeseries&smoothing=0&group=folder")
	s.rests()
	s.Control("radio", "Folders").Click()
	s.Control("combobox", "Band around the mean").Choose("Least to greatest")
	p := s.still("loss")
	last := ""
	for _, part := range []float64{0.43, 0.11, 0.2, 0.29, 0.37, 0.52, 0.68, 0.79, 0.9} {
		s.Hover(p.Box.Part(part, 0.5))
		s.Until(func() string {
			tip := s.tip(false)
			if tip.Title == last {
				return "the tooltip is still that of " + last
			}
			if wrong := meanTruth(tip); wrong != "" {
				return wrong
			}
			last = tip.Title
			return ""
		})
	}
}

// noiseAt is a run's noise, of which it has logged every third step from its number on, straight between.
func noiseAt(run, step int) float64 {
	before := step - ((step-run)%3+3)%3
	part := float64(step-before) / 3
	return noise(run, before)*(1-part) + noise(run, before+3)*part
}

// meanTruth says what is wrong with a tooltip of the mean of three runs of noise, and its band.
func meanTruth(tip table) string {
	if len(tip.Rows) != 1 {
		return fmt.Sprintf("the tooltip is %+v", tip)
	}
	r := tip.Rows[0]
	step, err := strconv.Atoi(strings.ReplaceAll(strings.TrimPrefix(tip.Title, "step "), ",", ""))
	got, err2 := strconv.ParseFloat(r["Mean"], 64)
	a, b, c := noiseAt(0, step), noiseAt(1, step), noiseAt(2, step)
	if want := (a + b + c) / 3; err != nil || err2 != nil || math.Abs(got-want) > 6e-4 {
		return fmt.Sprintf("%s has the mean %q, want %g", tip.Title, r["Mean"], want)
	}
	lo, hi, _ := strings.Cut(r["Band"], " to ")
	low, err := strconv.ParseFloat(lo, 64)
	high, err2 := strconv.ParseFloat(hi, 64)
	if err != nil || err2 != nil || math.Abs(low-min(a, b, c)) > 6e-4 || math.Abs(high-max(a, b, c)) > 2e-3 {
		return fmt.Sprintf("%s has the band %q", tip.Title, r["Band"])
	}
	return ""
}

// heading is a pinned table under the step that it is headed by, and not the card's name.
func (s *screen) heading(t table) table {
	_ = s.TryEval(`document.querySelector("[role=dialog][aria-label=Values] .tip-title").childNodes[2].textContent`, &t.Title)
	return t
}

// values are what the run list says of each run, and where, if that is elsewhere.
func (s *screen) values() map[string]string {
	out := map[string]string{}
	_ = s.TryEval(`Object.fromEntries([...document.querySelectorAll('[role=list][aria-label=Runs] [role=listitem]')].filter(e => e.checkVisibility()).map(e => {
		const v = e.querySelector(".run-value");
		return [e.innerText.split("\n")[0].trim(), v.textContent + (v.title ? "\n" + v.title : "")];
	}))`, &out)
	if len(out) == 0 {
		out["none"] = ""
	}
	return out
}

// rowsOfValues lets the run list show values.
func (s *screen) rowsOfValues() {
	s.t.Helper()
	s.Until(func() string {
		for run, v := range s.values() {
			if v == "" {
				return "no value of " + run
			}
		}
		return ""
	})
}

// The same holds for cards that are made of several tags, for expressions, and for charts of
// custom scalars: each value is that of its tag at the step above it.
func TestPageTrueCursorOfMadeCards(t *testing.T) {
	t.Parallel()
	l := manySteps(t)
	l.file("r0", "2.host.1.0", func(w *summary.Buffer) {
		w.CustomScalars(summary.Layout{Categories: []summary.Category{{Title: "Both", Charts: []summary.Chart{{Title: "all of it", Lines: []string{"loss", "acc"}}}}}})
	})
	s := &screen{view: start(t, browsertest.Chromium), host: serve(t, l.dir)}
	s.url = s.host.URL
	s.Resize(1400, 900)
	s.Before(hearing)
	s.Open(s.url + "#timeseries&smoothing=0&cards=loss:acc")
	s.rests()
	// made compares a tooltip with what was logged: of is a row's value by run, tag and step.
	made := func(rows int, of func(run int, tag string, step int) float64) func() string {
		return func() string {
			tip := s.tip(false)
			step, err := strconv.Atoi(strings.ReplaceAll(strings.TrimPrefix(tip.Title, "step "), ",", ""))
			if err != nil || len(tip.Rows) != rows {
				return fmt.Sprintf("the tooltip is %+v", tip)
			}
			for _, r := range tip.Rows {
				name, tag, _ := strings.Cut(r["Run"], " · ")
				run, _ := strconv.Atoi(strings.TrimPrefix(name, "r"))
				at := step
				if run == 3 {
					if at = step - ((step-4)%8+8)%8; step-at > 4 {
						at += 8
					}
				}
				if said, ok := r["Step"]; ok && strings.ReplaceAll(said, ",", "") != strconv.Itoa(at) {
					return fmt.Sprintf("%v under %s, want step %d", r, tip.Title, at)
				}
				got, err := strconv.ParseFloat(r["Value"], 64)
				if want := of(run, tag, at); err != nil || math.Abs(got-want) > 6e-3 {
					return fmt.Sprintf("%v under %s, want %g", r, tip.Title, want)
				}
			}
			return ""
		}
	}
	logged := func(run int, tag string, step int) float64 {
		if tag == "acc" {
			return -noise(run+7, step)
		}
		return noise(run, step)
	}
	for _, part := range []float64{0.37, 0.61, 0.985} {
		s.Hover(s.still("loss, acc").Box.Part(part, 0.4))
		s.Until(made(8, logged))
	}
	s.Control("article", "loss").Control("heading", "loss").Click()
	s.choose("compute", "Compute a curve…")
	box := s.Control("dialog", "Compute a curve")
	box.Control("textbox", "Expression over tags").Fill("loss * 2")
	box.Control("button", "Make the card").Click()
	box.Gone()
	for _, part := range []float64{0.37, 0.61, 0.985} {
		s.Hover(s.still("loss * 2").Box.Part(part, 0.4))
		s.Until(made(4, func(run int, _ string, step int) float64 { return 2 * noise(run, step) }))
	}
	s.Control("button", "Custom scalars").Click()
	for _, part := range []float64{0.37, 0.61, 0.985} {
		s.Hover(s.still("all of it").Box.Part(part, 0.4))
		s.Until(made(8, logged))
	}
}

// The one row of all runs has its whole name: the times go into the heading before a letter of it.
func TestPageOneRowIsNamed(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for run := range 100 {
		l.run(fmt.Sprintf("r%02d", run), map[string][]point{"loss": {at(0, epoch, 0.78123), at(2000, epoch+1900, 0.81234+float64(run)/2000), at(4000, epoch+4000, 0.82345)}})
	}
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1440, 900)
	s.fresh("#timeseries")
	s.Control("radio", "All").Click()
	s.Hover(s.still("loss").Box.Part(0.5, 0.5))
	s.Until(func() string {
		tip := s.tip(false)
		if len(tip.Rows) != 1 || tip.Rows[0]["Run"] != "All (100 runs)" {
			return fmt.Sprintf("the tooltip is %+v", tip)
		}
		return ""
	})
}
