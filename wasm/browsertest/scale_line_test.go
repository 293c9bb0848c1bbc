//go:build !js

package browsertest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// sizeOf is the sum of the event files below dir, in bytes.
func sizeOf(t *testing.T, dir string) (sum int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), "tfevents") {
			var fi fs.FileInfo
			if fi, err = d.Info(); err == nil {
				sum += fi.Size()
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// sawteeth counts, in the page, what is wrong with what longRuns wrote, over all runs
// and tags.
func sawteeth(runs int, steps int64, tags ...string) string {
	return fmt.Sprintf(`(async () => {
		let wrong = 0;
		for (let r = 0; r < %d; r++) for (const tag of %s) {
			const s = await tensorbored.scalars("run_" + String(r).padStart(2, "0"), tag);
			if (s.step.length !== %d) wrong++;
			for (let i = 0; i < s.step.length; i++) {
				const want = Math.fround(i %% 9973 === 7 ? 1000 * (r + 1) : r + (i %% 100) / 100);
				if (s.step[i] !== i || s.value[i] !== want || s.wallTime[i] !== 1.7e9 + i) wrong++;
			}
		}
		return wrong;
	})()`, runs, `["`+strings.Join(tags, `","`)+`"]`, steps)
}

// Over a slow line the bytes travel compressed, from the preview on, in few requests,
// and every point is right.
func TestSlowLine(t *testing.T) {
	const runs, steps = 30, 16_000
	dir := t.TempDir()
	longRuns(t, dir, runs, steps, "loss")
	size := sizeOf(t, dir)
	for _, kind := range Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := newHost(t, dir)
			h.set(previewing, stored(`{"cache": false}`))
			line := NewLink(t, h.url, 4e6, 80*time.Millisecond)
			p := Start(t, kind)
			p.Open(line.URL)
			p.Wait(`window.tensorbored?.status().bytesTotal > 0`)
			p.Wait(exact)
			batches := h.batched()
			if len(h.taken()) == 0 {
				t.Error("nothing was read")
			}
			plain, previews := int64(0), 0
			for _, b := range batches {
				preview := true
				for _, r := range b.reads {
					if !b.packed {
						plain += r.length
					}
					preview = preview && r.length <= 24<<10
				}
				if preview {
					previews++
				}
			}
			// The first one or two requests of each worker show what line it is, and what is
			// asked for meanwhile comes as it is too: the longer a busy machine takes, the more.
			workers := min(runtime.NumCPU(), 8)
			if most := size / 4; plain > most {
				t.Errorf("%d bytes of %d came as they are, not more than %d should", plain, size, most)
			}
			if most := 2*workers + runs/3; previews == 0 || previews > most {
				t.Errorf("%d requests for the previews of %d files, not more than %d should do", previews, runs, most)
			}
			// The program is some 2 MB of what came.
			if down := line.Down.Load(); down > 3<<20+size/2 {
				t.Errorf("%d bytes came over the line, the files have %d", down, size)
			}
			var wrong int
			if p.Eval(sawteeth(runs, steps, "loss"), &wrong); wrong > 0 {
				t.Errorf("%d points or series are wrong", wrong)
			}
		})
	}
}

// One large file goes compressed too, and a line that breaks again and again costs
// what was under way.
func TestSlowLineBreaks(t *testing.T) {
	const steps = 300_000
	dir := t.TempDir()
	longRuns(t, dir, 1, steps, "loss")
	size := sizeOf(t, dir)
	h := newHost(t, dir)
	h.set(stored(`{"cache": false}`))
	line := NewLink(t, h.url, 4e6, 80*time.Millisecond)
	p := Start(t, Chromium)
	p.Allow("ERR_")
	p.Open(line.URL)
	for i := range 3 {
		p.Wait(fmt.Sprintf(`window.tensorbored?.status().bytesRead > %d`, int64(i)*size/4))
		line.Cut()
	}
	p.Wait(exact)
	packed := 0
	for _, b := range h.batched() {
		if b.packed {
			packed++
		}
	}
	if packed < 3 {
		t.Errorf("%d requests asked for compressed answers", packed)
	}
	var wrong, lost int
	p.Eval(sawteeth(1, steps, "loss"), &wrong)
	p.Eval(`tensorbored.status().lost.length`, &lost)
	if wrong > 0 || lost > 0 {
		t.Errorf("%d points or series are wrong, %d losses are shown", wrong, lost)
	}
}

// On this machine nothing is compressed, whatever there is to read. A machine that has
// several times as much to do as it can may look like a slow line again and again, but
// not for ever.
func TestFastLine(t *testing.T) {
	const runs, steps = 30, 30_000
	dir := t.TempDir()
	longRuns(t, dir, runs, steps, "loss")
	for _, kind := range Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := newHost(t, dir)
			h.set(previewing, stored(`{"cache": false}`))
			p := Start(t, kind)
			packed := 0
			for left := patient(); !left.over(); {
				p.Open(h.url)
				p.Wait(exact)
				packed = 0
				batches := h.batched()
				for _, b := range batches {
					if b.packed {
						packed++
					}
				}
				if len(batches) == 0 {
					t.Fatal("no batch was asked for")
				}
				if packed == 0 {
					return
				}
			}
			t.Errorf("%d requests asked for compressed answers", packed)
		})
	}
}
