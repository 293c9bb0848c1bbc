//go:build !js

package main

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of the table that are measured in Chromium.
const (
	lineFolder       = "Chromium, dropped folder"
	lineFolderFirst  = "  drop → first curve"
	lineFolderScreen = "  drop → every curve on screen"
	lineHTTP         = "Chromium, HTTP, from navigation"
	lineInteractive  = "  navigation → page interactive"
	lineFirst        = "  navigation → first curve"
	lineScreen       = "  navigation → every curve on screen"
	lineKnown        = "  navigation, program known → every curve"
	lineReopen       = "  reopen, cache filled → every curve"
	lineReopenExact  = "  reopen, cache filled → exact"
	lineDrag         = "  smoothing drag, frame, 95 in 100"
	lineDragWorst    = "  smoothing drag, worst frame"
	lineDragThread   = "  smoothing drag, the page's thread in a frame, 95 in 100"
	lineDragMost     = "  smoothing drag, the page's thread in a frame, worst"
	lineZoom         = "  zoom to 1/100 → drawn"
	lineSlow         = "100 Mbit/s and 30 ms"
	lineSlowFirst    = "  100 Mbit/s → first curve"
	lineSlowScreen   = "  100 Mbit/s → every curve"
)

// plainly stands behind the lines of a server that does not compress.
const plainly = ", not compressed"

// reads are the lines that read every byte.
var reads = map[string]bool{
	peerLine(nil): true, peerLine([]string{"--checksum"}): true, "native": true, lineFolder: true, lineHTTP: true,
	lineSlow: true, lineSlow + plainly: true, lineSlow + onServer: true, lineBeside: true, lineServed: true, lineServedMany: true,
}

// watch notes, in the page, when things come to pass: in ms since the navigation, or
// since the drop. A look every 10 ms costs the page next to nothing.
const watch = `void (() => {
	clearInterval(globalThis.benchTimer);
	const marks = globalThis.benchMarks = {};
	let began = 0;
	addEventListener("drop", () => { began = performance.now(); }, {capture: true, once: true});
	const note = (name, is) => { if (is && !(name in marks)) marks[name] = performance.now() - began; };
	globalThis.benchTimer = setInterval(() => {
		if (!window.tensorbored || !globalThis.tbPaint || DROP && !began) return;
		note("interactive", document.querySelector("#tag-filter"));
		const near = [...tbPaint.charts].filter((c) => c.near);
		note("first", near.some((c) => c.list.length > 0 && c.view));
		const [, shown, all] = document.querySelector(".run-head")?.innerText.match(/([\d,]+) of ([\d,]+) runs? shown/) ?? [];
		const number = (text) => Number((text ?? "0").replaceAll(",", ""));
		const runs = number(all) === RUNS ? number(shown) : 0; // a folder's come bit by bit
		const s = tensorbored.status();
		note("screen", runs > 0 && near.length > 0 && s.phase !== "preview" && near.every((c) => c.list.length >= runs && c.view));
		note("exact", s.phase === "exact" && s.files > 0 && s.points > 0);
		if ("exact" in marks && "screen" in marks) clearInterval(benchTimer);
	}, 10);
})()`

// marks are what watch has noted, in ms.
type marks struct{ Interactive, First, Screen, Exact float64 }

// longest is how long reading may take before it counts as hung.
const longest = 10 * time.Minute

// page is a page that is measured.
type page struct {
	*browsertest.Page
	t *tb
}

// await waits until the page has shown and read everything.
func (p page) await() (m marks) {
	for end := time.Now().Add(longest); ; time.Sleep(100 * time.Millisecond) {
		if err := p.TryEval(`benchMarks`, &m); err != nil {
			p.t.Fatal(err)
		}
		if m.Exact > 0 && m.Screen > 0 {
			return m
		}
		if time.Now().After(end) {
			var status any
			p.Eval(`[tensorbored.status(), benchMarks]`, &status)
			p.t.Fatalf("not read after %v: %v", longest, status)
		}
	}
}

func ms(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

// inBrowser measures a logdir in Chromium, from both sources, each with a browser
// of its own.
func inBrowser(t *table, l *logdir) error {
	err := measured(func(tb *tb) error { fromFolder(t, tb, l); return nil })
	if err == nil {
		err = measured(func(tb *tb) error { overHTTP(t, tb, l); return nil })
	}
	for _, how := range []string{"", plainly, onServer} {
		if err == nil && (l.cards || l.far && how == onServer) {
			err = measured(func(tb *tb) error { overSlowLine(t, tb, l, how); return nil })
		}
	}
	if err == nil && (l.cards || l.far) {
		err = nearBytes(t, l)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	return nil
}

func fromFolder(t *table, tb *tb, l *logdir) {
	p := page{browsertest.Start(tb, browsertest.Chromium), tb}
	p.Allow("404") // the listing that is not there
	p.Resize(1440, 900)
	p.Unwatched()
	p.Open(browsertest.Serve(tb).URL)
	p.Wait(`window.tensorbored?.status().phase === "idle"`)
	p.Eval(fmt.Sprintf(`void (globalThis.DROP = true, globalThis.RUNS = %d)`, l.size.Runs), nil)
	p.Eval(watch, nil)
	p.Drop("body", l.dir)
	m := p.await()
	t.add(l, lineFolder, measurement{took: ms(m.Exact), memory: tabMemory()})
	t.add(l, lineFolderFirst, measurement{took: ms(m.First)})
	t.add(l, lineFolderScreen, measurement{took: ms(m.Screen)})
}

func overHTTP(t *table, tb *tb, l *logdir) {
	p := page{browsertest.Start(tb, browsertest.Chromium), tb}
	p.Resize(1440, 900)
	address := browsertest.Serve(tb, "--logdir", l.dir, "--read", "browser").URL
	p.Unwatched()
	open := func() marks {
		p.Open(address)
		p.Eval(fmt.Sprintf(`void (globalThis.DROP = false, globalThis.RUNS = %d)`, l.size.Runs), nil)
		p.Eval(watch, nil)
		return p.await()
	}
	m := open()
	t.add(l, lineHTTP, measurement{took: ms(m.Exact), memory: tabMemory()})
	t.add(l, lineInteractive, measurement{took: ms(m.Interactive)})
	t.add(l, lineFirst, measurement{took: ms(m.First)})
	t.add(l, lineScreen, measurement{took: ms(m.Screen)})
	if l.cards {
		p.drag(t, l)
		p.zoom(t, l)
	}
	// Another logdir, as it were: the browser has the program, and nothing of the data.
	p.Eval(`indexedDB.databases().then((all) => { for (const { name } of all) indexedDB.deleteDatabase(name); })`, nil)
	m = open()
	t.add(l, lineKnown, measurement{took: ms(m.Screen)})
	p.stored()
	m = open()
	t.add(l, lineReopen, measurement{took: ms(m.Screen)})
	t.add(l, lineReopenExact, measurement{took: ms(m.Exact)})
}

// onServer is a line's end where the files are read beside them.
const onServer = ", read on the server"

// overSlowLine reads over a line as there is behind SSH; how is "", plainly or onServer.
func overSlowLine(t *table, tb *tb, l *logdir, how string) {
	where := "browser"
	if how == onServer {
		where = "server"
	}
	target, err := url.Parse(browsertest.Serve(tb, "--logdir", l.dir, "--read", where, "--cache", "off").URL)
	if err != nil {
		tb.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		if how == plainly {
			r.Out.URL.RawQuery = "" // nobody is asked to compress
		}
	}}
	server := httptest.NewServer(proxy)
	tb.Cleanup(server.Close)
	line := browsertest.NewLink(tb, server.URL, 100e6/8, 30*time.Millisecond)
	p := page{browsertest.Start(tb, browsertest.Chromium), tb}
	p.Resize(1440, 900)
	p.Unwatched()
	p.Open(line.URL)
	p.Eval(fmt.Sprintf(`void (globalThis.DROP = false, globalThis.RUNS = %d)`, l.size.Runs), nil)
	p.Eval(watch, nil)
	m := p.await()
	t.add(l, lineSlow+how, measurement{took: ms(m.Exact), came: line.Down.Load(), memory: tabMemory()})
	t.add(l, lineSlowFirst+how, measurement{took: ms(m.First)})
	t.add(l, lineSlowScreen+how, measurement{took: ms(m.Screen)})
}

// stored waits until the page has written its cache: until what it holds has not
// changed for two seconds.
func (p page) stored() {
	p.Eval(`(async () => {
		for (let last = -1, calm = 0; calm < 4;) {
			await new Promise((done) => setTimeout(done, 500));
			const { usage } = await navigator.storage.estimate();
			calm = usage === last ? calm + 1 : 0;
			last = usage;
		}
	})()`, nil)
}

// drag moves the smoothing slider in every frame while twelve cards are on the screen, and
// takes the time between frames, and how much processor the page's thread took for each.
func (p page) drag(t *table, l *logdir) {
	p.Resize(1920, 1400) // twelve cards
	p.Eval(`new Promise((done) => setTimeout(done, 2000))`, nil)
	var frames []float64
	worked := p.Frames(func() { p.slide(&frames) })
	t.add(l, lineDrag, measurement{took: ms(frames[len(frames)*95/100])})
	t.add(l, lineDragWorst, measurement{took: ms(frames[len(frames)-1])})
	t.add(l, lineDragThread, measurement{took: ms(worked[len(worked)*95/100])})
	t.add(l, lineDragMost, measurement{took: ms(worked[len(worked)-1])})
	p.Resize(1440, 900)
	p.Eval(`new Promise((done) => setTimeout(done, 1000))`, nil)
}

// slide moves the slider for 120 frames and gives the times between them, the shortest first.
func (p page) slide(frames *[]float64) {
	p.Eval(`new Promise((done) => {
		const slider = document.querySelector('input[type=range][aria-label="Smoothing"]');
		const frames = [];
		let last = 0;
		const frame = (now) => {
			if (last) frames.push(now - last);
			last = now;
			if (frames.length >= 120) { done(frames.sort((a, b) => a - b)); return; }
			slider.value = (frames.length % 99) / 100;
			slider.dispatchEvent(new Event("input", {bubbles: true}));
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	})`, frames)
}

// zoom zooms a card into a hundredth of its range and waits for its points.
func (p page) zoom(t *table, l *logdir) {
	lo := l.size.Steps / 2
	p.zoomTo(t, l, lineZoom, lo, lo+max(2, l.size.Steps/100))
}

func (p page) zoomTo(t *table, l *logdir, line string, lo, hi int) {
	var took float64
	p.Eval(fmt.Sprintf(`new Promise((done) => {
		const chart = [...tbPaint.charts].find((c) => c.near && c.list.length > 0), n = chart.list.length, began = performance.now();
		chart.zoomTo(%d, %d, null, null);
		const look = () => {
			if (chart.list.length === n && chart.list.every((s) => s.n <= %d && s.x[0] <= %d && s.x.at(-1) >= %d) && tbPaint.idle()) done(performance.now() - began);
			else requestAnimationFrame(look);
		};
		look();
	})`, lo, hi, hi-lo+20, lo, hi), &took)
	t.add(l, line, measurement{took: ms(took)})
}
