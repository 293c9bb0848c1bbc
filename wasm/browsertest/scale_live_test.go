//go:build !js

package browsertest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// tick looks for new data, at least once; the server's listing is at most 250 ms old.
func tick(p *Page, h *host) {
	p.t.Helper()
	time.Sleep(260 * time.Millisecond)
	h.mu.Lock()
	before := h.listings[200] + h.listings[304]
	h.mu.Unlock()
	wait(p.t, "the page asks for the listing", func() bool {
		h.mu.Lock()
		now := h.listings[200] + h.listings[304]
		h.mu.Unlock()
		if now > before {
			return true
		}
		p.Eval(`void tensorbored.reload()`, nil) // while a look is under way, none
		return false
	})
	p.Wait(exact)
}

func appendTo(t *testing.T, path string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(b)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A thousand watched runs cost one listing that says "as before", and what is
// appended is all that is read. A page that is open for long does not grow.
func TestWatching(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 1000, 5, "loss")
	h := newHost(t, dir)
	h.set(`if (globalThis.document) { const add = EventTarget.prototype.addEventListener; globalThis.listened = 0;
		EventTarget.prototype.addEventListener = function (...a) { globalThis.listened++; return add.apply(this, a); }; }`,
		stored(`{"autoReload": false, "memory": 1}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact + ` && tensorbored.status().runs === 1000 && tbPaint.idle()`)
	h.taken()
	h.listed()
	for range 3 {
		tick(p, h)
	}
	if got := h.listed(); got[304] < 3 || got[200] != 0 {
		t.Errorf("three looks were answered %v", got)
	}
	if got := h.taken(); len(got) != 0 {
		t.Errorf("nothing has changed, yet %v was read", got)
	}
	path := eventFile(t, filepath.Join(dir, "run_07"))
	size := func() (n struct{ Nodes, Listened, Kept, Points float64 }) {
		p.Wait(`tbPaint.idle()`)
		p.Eval(`({nodes: document.querySelectorAll("*").length, listened, kept: tensorbored.status().kept, points: tensorbored.status().points})`, &n)
		return n
	}
	const ticks, each = 60, 1500
	var first struct{ Nodes, Listened, Kept, Points float64 }
	for i := range int64(ticks) {
		b := pointsOf(t, 5+each*i, 5+each*(i+1))
		appendTo(t, path, b)
		tick(p, h)
		p.Wait(fmt.Sprintf(exact+` && tensorbored.status().points === %d`, 5000+each*(i+1)))
		got := int64(0)
		for _, r := range h.taken() {
			if !strings.HasPrefix(r.path, "run_07/") {
				t.Fatalf("read of another run: %v", r)
			}
			got += r.length
		}
		if got < int64(len(b)) || got > int64(len(b))+4096 {
			t.Fatalf("%d bytes were appended, %d read", len(b), got)
		}
		if i == 5 {
			first = size()
			p.Eval(`void (() => {
				const seen = new MutationObserver(list => { for (const m of list) tbWritten.add(m.target.className + " " + m.attributeName); });
				globalThis.tbWritten = new Set();
				for (const row of document.querySelectorAll(".run")) seen.observe(row, {subtree: true, childList: true, attributes: true, characterData: true});
			})()`, nil)
		}
	}
	last := size()
	var written []string
	if p.Eval(`[...tbWritten]`, &written); len(written) > 0 {
		t.Errorf("no run of the list has changed, yet %q were written anew", written)
	}
	if last.Points != 5000+ticks*each {
		t.Errorf("%v points", last.Points)
	}
	if last.Nodes > first.Nodes+20 || last.Listened > first.Listened+50 || last.Kept > 1.2*(1<<20)/16 {
		t.Errorf("the page grew from %+v to %+v", first, last)
	}
}

// What happens to files while they are read costs nothing else.
func TestFilesThatChangeDuringTheRead(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(path string) error
	}{
		{"vanishes", os.Remove},
		{"shrinks", func(path string) error { return os.Truncate(path, 1<<20) }},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			longRuns(t, dir, 2, 400_000, "loss") // some 17 MB each
			h := newHost(t, dir)
			h.set(stored(`{"autoReload": false}`))
			path := eventFile(t, filepath.Join(dir, "run_00"))
			var once sync.Once
			h.gate = func(reads []read) {
				for _, r := range reads {
					// How much is read at a time depends on the line, never more than 8 MB,
					// and several are under way: those before this one are answered first.
					if strings.HasPrefix(r.path, "run_00/") && r.offset+r.length > 10<<20 {
						once.Do(func() {
							for h.given("run_00/") < 2<<20 {
								time.Sleep(time.Millisecond)
							}
							if err := c.do(path); err != nil {
								t.Error(err)
							}
						})
					}
				}
			}
			p := Start(t, Chromium)
			p.Allow("404")
			p.Allow("416")
			p.Open(h.url)
			// A new look is made at once: what is there then is read whole, and what
			// was read of a file that is gone stays.
			p.Wait(exact + ` && tensorbored.status().bytesTotal < 20e6`)
			if got := curve(p, "run_01"); got[1] != 400_000 {
				t.Errorf("the other run has %v", got)
			}
			got := curve(p, "run_00")
			if c.what == "shrinks" && (got[1] < 20_000 || got[1] > 30_000 || got[0] != got[1]-1) {
				t.Errorf("of the shorter file there is %v", got)
			}
			if c.what == "vanishes" && (got[1] < 40_000 || got[1] >= 400_000) {
				t.Errorf("of the file that is gone there is %v", got)
			}
			var st struct{ BytesRead, BytesTotal, Unread float64 }
			if p.Eval(`tensorbored.status()`, &st); st.BytesRead != st.BytesTotal || st.Unread != 0 {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// Two jobs that write into one directory, and a clock that goes back.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	for i, host := range []string{"a", "b"} {
		w, err := summary.NewWriter(filepath.Join(dir, "r"), summary.Options{FileName: fmt.Sprintf("events.out.tfevents.170000000%d.%s.1.0", i, host)})
		if err != nil {
			t.Fatal(err)
		}
		for step := range int64(1000) {
			wall := 1.7e9 + 1000*math.Sin(float64(step)) // to and fro
			if err := w.Scalar("loss", float64(i), step, summary.WallSeconds(wall)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	h := newHost(t, dir)
	h.set(stored(`{"x": "relative"}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact)
	if got := curve(p, "r"); got != [3]float64{999, 2000, 1000} {
		t.Errorf("of two files there is %v", got)
	}
	p.Wait(card("loss") + `?.list.length === 1 && tbPaint.idle()`)
	var ink bool
	p.Eval(card("loss")+`.lines.getContext("2d").getImageData(0, 0, 400, 100).data.some(v => v > 0)`, &ink)
	if !ink {
		t.Error("nothing is drawn")
	}
}

// As many readers are started as there is to read, and more when it grows. No card asks
// twice for what it has.
func TestReadersAreEnlisted(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 1, 2000, "loss", "accuracy")
	h := newHost(t, dir)
	h.hasty = true
	h.set(`if (globalThis.document) {
		globalThis.workers = new Set(); globalThis.asked = 0;
		const post = Worker.prototype.postMessage;
		Worker.prototype.postMessage = function (m, ...more) { workers.add(this); if (m.op === "query") asked++; return post.call(this, m, ...more); };
	}`)
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact + ` && ` + card("loss") + `?.list.length === 1 && ` + card("accuracy") + `?.list.length === 1 && tbPaint.idle()`)
	var first struct{ Workers, Asked, May int }
	p.Eval(`({workers: workers.size, asked, may: tbBoot.readers})`, &first)
	if first.Workers != 1 || first.Asked != 2 {
		t.Errorf("of a small logdir there are %+v: it has two cards, and is worth one reader", first)
	}
	longRuns(t, filepath.Join(dir, "more"), 3, 300_000, "loss") // some 13 MB each
	p.Eval(`tensorbored.reload()`, nil)
	p.Wait(`tensorbored.status().runs === 4 && tensorbored.status().phase === "exact" && ` + card("loss") + `.list.length === 4`)
	var workers int
	p.Eval(`workers.size`, &workers)
	if want := min(2, first.May); workers != want {
		t.Errorf("%d workers read 40 MB, not %d", workers, want)
	}
	for _, r := range []string{"more/run_00", "more/run_01", "more/run_02"} {
		if got := curve(p, r); got[1] != 300_000 {
			t.Errorf("of %s there is %v", r, got)
		}
	}
	if got := curve(p, "run_00"); got[1] != 2000 {
		t.Errorf("of the first run there is %v", got)
	}
}
