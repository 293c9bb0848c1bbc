//go:build !js

package browsertest

import (
	"sync"
	"testing"
)

// A preview shows points of the exact curves, says that it is one, and leaves
// nothing behind.
func TestPreview(t *testing.T) {
	const steps = 30_000
	dir := t.TempDir()
	longRuns(t, dir, 3, steps, "loss")
	h := newHost(t, dir)
	h.set(previewing, stored(`{"cache": false}`))
	peeks, reads := make(chan struct{}), make(chan struct{})
	h.gate = func(list []read) {
		for _, r := range list {
			if r.length > 64<<10 {
				<-reads
				return
			}
		}
		<-peeks
	}
	var once [2]sync.Once
	show := func() { once[0].Do(func() { close(peeks) }) }
	goOn := func() { once[1].Do(func() { close(reads) }) }
	t.Cleanup(func() { show(); goOn() })
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(`globalThis.tensorbored?.status().phase === "preview"`)
	show()
	p.Wait(`tensorbored.status().phase === "reading" && ` + note("loss") + ` === "preview"`)
	p.Wait(`(` + text + `)(".status-phase") === "preview shown, refining"`)
	// What shows that files are read moves with the news. An animation would have the page composed
	// sixty times a second, at the cost of reading.
	p.Wait(`(icon => icon && getComputedStyle(icon).rotate.endsWith("deg"))(document.querySelector(".spin .icon")) &&
		document.getAnimations().every(a => a.playState === "finished")`)
	p.Eval(`void (globalThis.value = (r, step) => Math.fround(step % 9973 === 7 ? 1000 * (r + 1) : r + (step % 100) / 100))`, nil)
	var got struct {
		N           int
		Wrong       int
		First, Last float64
	}
	// Float32 is what is logged; its arithmetic here and in Go is the same.
	points := `tensorbored.scalars("run_02", "loss").then(s => ({n: s.step.length, first: s.step[0], last: s.step.at(-1),
		wrong: [...s.step].filter((v, i) => s.value[i] !== value(2, v) || s.wallTime[i] !== 1.7e9 + v || i > 0 && v <= s.step[i - 1]).length}))`
	if p.Eval(points, &got); got.N < 1000 || got.N >= steps || got.Wrong > 0 || got.First != 0 || got.Last != steps-1 {
		t.Errorf("the preview has %+v", got)
	}
	goOn()
	p.Wait(exact)
	p.Wait(note("loss") + ` === "" && ` + card("loss") + `.list.every(s => !s.preview && s.points === 30000)`)
	if p.Eval(points, &got); got.N != steps || got.Wrong > 0 {
		t.Errorf("behind the preview, the exact curve has %+v", got)
	}
	h.set(stored(`{"cache": false}`))
	p.Open(h.url)
	p.Wait(exact)
	p.Eval(`void (globalThis.value = (r, step) => Math.fround(step % 9973 === 7 ? 1000 * (r + 1) : r + (step % 100) / 100))`, nil)
	if p.Eval(points, &got); got.N != steps || got.Wrong > 0 {
		t.Errorf("without a preview, the exact curve has %+v", got)
	}
}

// The run that the user wants to see is read first, whatever was begun before.
func TestOrderOfWork(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 12, 120_000, "loss")
	h := newHost(t, dir)
	h.set(stored(`{"cache": false}`))
	open := make(chan struct{})
	var once sync.Once
	goOn := func() { once.Do(func() { close(open) }) }
	t.Cleanup(goOn)
	h.gate = func([]read) { <-open }
	before := 0 // reads
	p := Start(t, Chromium)
	p.Resize(1400, 900)
	p.Before(`if (globalThis.document) {
		const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (m, ...rest) { if (m.op === "look") globalThis.looked = new TextDecoder().decode(m.packed); return post.call(this, m, ...rest); };
	}`)
	p.Open(h.url)
	wait(t, "some of it is read", func() bool { before += len(h.taken()); return before > 0 })
	p.Wait(`(only => only && (only.click(), true))(document.querySelector('.run:has([aria-label="run_11"]) [data-do=only]'))`)
	p.Wait(`(` + text + `)(".run-head .check") === "1 of 12 runs shown"`)
	// What is on screen is told when it has come to rest.
	p.Wait(`globalThis.looked?.includes("run_11") && !looked.includes("run_10")`)
	goOn()
	p.Wait(exact)
	list := h.taken()
	last := -1
	for i, r := range list {
		if len(r.path) > 6 && r.path[:6] == "run_11" {
			last = i
		}
	}
	if last < 0 || last > len(list)/2 || before == 0 {
		t.Errorf("the wanted run was complete after %d of %d reads; %d were under way before", last+1, len(list), before)
	}
}
