//go:build !js

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of pictures and texts.
const (
	lineOnePicture  = "one picture → exact"
	lineIndex       = "navigation → exact"
	linePictures    = "  index there → first screen of pictures"
	lineSlider      = "  step slider drag, frame"
	lineSliderWorst = "  step slider drag, worst frame"
	lineScroll      = "  scrolling, frame"
	lineScrollWorst = "  scrolling, worst frame"
	lineSlices      = "  index there → histograms drawn"
	lineSlicesDrag  = "  drag over slices, frame"
	lineSlicesWorst = "  drag over slices, worst frame"
	lineText        = "  index there → texts shown"
	lineTextTask    = "  longest task meanwhile"
	lineTextWhole   = "  all of the long text, longest task"
)

// processorTime stands behind the lines of what the page's thread needs for a frame.
const processorTime = ": processor"

// pictures is a logdir of 10,000 pictures of noise, some bytes each, in four runs.
func pictures(name string, side int) logdir {
	size := generate.Size{Runs: 4, Tags: 10, Steps: 250}
	return logdir{name: name, size: size, measure: showPictures, fill: func(dir string) error {
		r := rand.New(rand.NewPCG(1, 2))
		var encoded [8][]byte
		for i := range encoded {
			img := image.NewNRGBA(image.Rect(0, 0, side, side))
			for k := range img.Pix {
				if img.Pix[k] = byte(r.Uint32()); k%4 == 3 {
					img.Pix[k] = 255
				}
			}
			var b bytes.Buffer
			if err := png.Encode(&b, img); err != nil {
				return err
			}
			encoded[i] = b.Bytes()
		}
		for run := range size.Runs {
			if err := write(filepath.Join(dir, fmt.Sprintf("run_%d", run)), func(w *summary.Writer) error {
				for step := range size.Steps {
					for tag := range size.Tags {
						value := summary.StringTensor([]int64{3}, fmt.Sprint(side), fmt.Sprint(side), string(encoded[(step+tag)%len(encoded)]))
						if err := w.Raw(summary.Event{WallTime: 1.7e9 + float64(step), Step: int64(step), Values: []summary.Value{
							summary.TensorValue(fmt.Sprintf("pictures/%d", tag), value, summary.Metadata{Plugin: "images"})}}); err != nil {
							return err
						}
					}
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// texts is a logdir of 10 MB of text in one value, and of as much in 10,000.
func texts() logdir {
	return logdir{name: "10 MB of text", size: generate.Size{Runs: 1, Tags: 1, Steps: 10_001}, measure: showTexts, fill: func(dir string) error {
		return write(filepath.Join(dir, "run"), func(w *summary.Writer) error {
			part := "# A head\n\nSome **words** with `code`, a [link](https://example.com) and a list:\n\n* one\n* two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
			if err := w.Text("one", strings.Repeat(part, 10_000_000/len(part)), 0); err != nil {
				return err
			}
			for step := range 10_000 {
				if err := w.Text("many", fmt.Sprintf("step %d\n\n", step)+strings.Repeat(part, 1000/len(part)), int64(step)); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

// histogramSlices is a logdir of 500 histograms in each of ten runs.
func histogramSlices() logdir {
	size := generate.Size{Runs: 10, Tags: 1, Steps: 500}
	return logdir{name: "10 runs × 500 histograms", size: size, measure: showSlices, fill: func(dir string) error {
		r := rand.New(rand.NewPCG(3, 4))
		values := make([]float64, 1000)
		for run := range size.Runs {
			if err := write(filepath.Join(dir, fmt.Sprintf("run_%d", run)), func(w *summary.Writer) error {
				for step := range size.Steps {
					for i := range values {
						values[i] = r.NormFloat64()*(1+float64(step)/500) + float64(run)/10
					}
					if err := w.Histogram("weights", values, int64(step)); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	}}
}

func write(dir string, f func(w *summary.Writer) error) error {
	w, err := summary.NewWriter(dir, summary.Options{FileName: "events.out.tfevents.1700000000.host.1.0"})
	if err == nil {
		err = f(w)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// indexed opens the page on a board that has nothing to show, until all is read.
func indexed(tb *tb, logdir string) (page, time.Duration) {
	p := page{browsertest.Start(tb, browsertest.Chromium), tb}
	p.Resize(1440, 900)
	p.Open(browsertest.Serve(tb, "--logdir", logdir).URL + "#audio")
	var took float64
	for end := time.Now().Add(longest); took == 0; time.Sleep(50 * time.Millisecond) {
		if err := p.TryEval(`(s => s?.phase === "exact" && s.files > 0 ? performance.now() : 0)(window.tensorbored?.status())`, &took); err != nil {
			tb.Fatal(err)
		}
		if time.Now().After(end) {
			tb.Fatalf("not read after %v", longest)
		}
	}
	return p, ms(took)
}

// gaps is a script that notes the longest time for which the page did nothing else.
const gaps = `void (() => {
	let last = performance.now();
	globalThis.benchGap = 0;
	setInterval(() => { const now = performance.now(); benchGap = Math.max(benchGap, now - last); last = now; }, 4);
})()`

// frames is a script that calls step(k) in each of 120 frames; its value is the times
// between frames, the least first.
func frames(step string) string {
	return `new Promise((done) => {
		const frames = [], step = ` + step + `;
		let last = 0, k = 0;
		const frame = (now) => {
			if (last) frames.push(now - last);
			last = now;
			if (frames.length >= 120) { done(frames.sort((a, b) => a - b)); return; }
			step(k++);
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	})`
}

func (p page) frames(t *table, l *logdir, step, line, worst string) {
	var list []float64
	before := pageTime()
	p.Eval(frames(step), &list)
	t.add(l, line+processorTime, measurement{took: (pageTime() - before) / time.Duration(len(list))})
	t.add(l, line, measurement{took: ms(list[len(list)*95/100])})
	t.add(l, worst, measurement{took: ms(list[len(list)-1])})
}

// until waits for a condition in the page and returns how long that took.
func (p page) until(begin, is string) time.Duration {
	var took float64
	p.Eval(`new Promise((done) => {
		const began = performance.now();
		`+begin+`;
		const look = () => `+is+` ? done(performance.now() - began) : requestAnimationFrame(look);
		look();
	})`, &took)
	return ms(took)
}

// showPictures measures what a logdir of many pictures costs, and the Images dashboard.
func showPictures(t *table, l *logdir) error {
	err := measured(func(tb *tb) error {
		// What the page takes without them, to compare.
		one := filepath.Join(filepath.Dir(l.dir), "one-picture")
		if _, err := os.Stat(one); err != nil {
			if err := write(one, func(w *summary.Writer) error {
				return w.Image("pictures/0", image.NewNRGBA(image.Rect(0, 0, 8, 8)), 0)
			}); err != nil {
				return err
			}
		}
		_, took := indexed(tb, one)
		t.add(l, lineOnePicture, measurement{took: took, memory: tabMemory()})
		return nil
	})
	if err != nil {
		return err
	}
	return measured(func(tb *tb) error {
		p, took := indexed(tb, l.dir)
		t.add(l, lineIndex, measurement{took: took, memory: tabMemory()})
		const screen = `(list => list.length > 3 && list.every((e) => e.querySelector(".picture canvas")?.naturalW > 0))
			([...document.querySelectorAll("article")].filter((e) => (r => r.bottom > 60 && r.top < innerHeight)(e.getBoundingClientRect())))`
		t.add(l, linePictures, measurement{took: p.until(`location.hash = "images"`, screen)})
		// The steps and cards are visited once, so that their pixels are in the cache.
		const slider = `document.querySelector("article input[type=range]")`
		const shown = `document.querySelector("article [role=status]").textContent`
		for k := range 20 {
			p.until(fmt.Sprintf(`%s.value = %d; %s.dispatchEvent(new Event("input", {bubbles: true}))`, slider, 100+k, slider), fmt.Sprintf(`%s === "step %d"`, shown, 100+k))
		}
		p.frames(t, l, `(k) => { const s = `+slider+`; s.value = 100 + (k < 60 ? k : 120 - k) % 20; s.dispatchEvent(new Event("input", {bubbles: true})); }`, lineSlider, lineSliderWorst)
		for _, y := range []int{600, 1200, 600, 0} {
			p.until(fmt.Sprintf(`document.querySelector("main").scrollTo(0, %d)`, y), screen)
		}
		p.frames(t, l, `(k) => document.querySelector("main").scrollTo(0, 20 * (k < 60 ? k : 120 - k))`, lineScroll, lineScrollWorst)
		return nil
	})
}

// showSlices measures the Histograms dashboard: the pointer goes over a card, then it is
// dragged over the steps, in every frame.
func showSlices(t *table, l *logdir) error {
	return measured(func(tb *tb) error {
		p, _ := indexed(tb, l.dir)
		t.add(l, lineSlices, measurement{took: p.until(`location.hash = "histograms"`,
			`(list => list.length > 3 && list.every((e) => /^Histograms of 500|^Histograms of 251/.test(e.querySelector("[role=img]")?.ariaLabel ?? "")))
			([...document.querySelectorAll("article")].filter((e) => (r => r.bottom > 60 && r.top < innerHeight)(e.getBoundingClientRect())))`)})
		p.frames(t, l, `(k) => {
			const e = document.querySelector("article .histogram-layer[role=img]"), r = e.getBoundingClientRect(), d = k < 60 ? k : 120 - k;
			const at = {pointerId: 1, button: 0, clientX: r.x + r.width * 0.4, clientY: r.y + r.height * (0.45 + 0.4 * d / 60), bubbles: true};
			if (k === 40) { e.setPointerCapture = () => {}; e.dispatchEvent(new PointerEvent("pointerdown", at)); }
			e.dispatchEvent(new PointerEvent("pointermove", at));
		}`, lineSlicesDrag, lineSlicesWorst)
		return nil
	})
}

// showTexts measures whether long texts block the page.
func showTexts(t *table, l *logdir) error {
	return measured(func(tb *tb) error {
		p, took := indexed(tb, l.dir)
		t.add(l, lineIndex, measurement{took: took, memory: tabMemory()})
		p.Eval(gaps, nil)
		gap := func(line string) {
			p.Eval(`new Promise((done) => setTimeout(done, 1000))`, nil)
			var longest float64
			p.Eval(`(v => { benchGap = 0; return v; })(benchGap)`, &longest)
			t.add(l, line, measurement{took: ms(longest)})
		}
		t.add(l, lineText, measurement{took: p.until(`location.hash = "text"`, `document.querySelectorAll("article .text-body > *").length > 2`)})
		gap(lineTextTask)
		const more = `document.querySelector("article[data-tag=one] .text-more")`
		for left := true; left; {
			// Each click reads four times as much, and says how much that is.
			p.until(`globalThis.benchSays = `+more+`.textContent; `+more+`.click()`, more+`.hidden || `+more+`.textContent !== benchSays`)
			p.Eval(`!`+more+`.hidden`, &left)
		}
		gap(lineTextWhole)
		return nil
	})
}
