//go:build !js

package browsertest

import (
	"encoding/json"
	"sort"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// Frames does f and returns how much processor the page's thread took for each picture that
// the browser made meanwhile, in ms, the least first: for all its tasks from the beginning of
// a picture to that of the next one. What other threads take to bring it to the screen is no
// part of it. Only Chromium tells.
func (p *Page) Frames(f func()) []float64 {
	p.t.Helper()
	c, ok := p.browser.(*chromium)
	if !ok {
		p.t.Fatal("frames: only Chromium tells")
	}
	var mu sync.Mutex
	var events []task
	done := make(chan struct{})
	listening := true
	err := chromedp.Listen(c.ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			text, err := json.Marshal(e.Value)
			var more []task
			if err == nil && json.Unmarshal(text, &more) == nil && listening {
				events = append(events, more...)
			}
		case *tracing.EventTracingComplete:
			if listening {
				listening = false
				close(done)
			}
		}
	})
	if err == nil {
		config := &tracing.TraceConfig{IncludedCategories: []string{"-*", "toplevel"}}
		_, err = chromedp.Call(c.ctx, tracing.Start, tracing.StartParams{TraceConfig: config, TransferMode: "ReportEvents"})
	}
	if err != nil {
		p.t.Fatalf("frames: %v", err)
	}
	f()
	if _, err := chromedp.Call(c.ctx, tracing.End, cdp.Empty{}); err != nil {
		p.t.Fatalf("frames: %v", err)
	}
	<-done
	mu.Lock()
	defer mu.Unlock()
	return frames(events)
}

// task is an event of a trace; times are µs.
type task struct {
	Name     string `json:"name"`
	Phase    string `json:"ph"`
	Pid, Tid int    // in the order of their names
	Ts       float64
	Took     float64 `json:"tdur"` // of the thread's own time
	Args     struct {
		Name string `json:"name"`
		Func string `json:"src_func"`
	} `json:"args"`
}

// frames takes apart what the busiest page's thread of a trace has done.
func frames(events []task) (out []float64) {
	type thread struct{ pid, tid int }
	const run = "ThreadControllerImpl::RunTask"
	busy := map[thread]float64{}
	main := map[thread]bool{}
	for _, e := range events {
		at := thread{e.Pid, e.Tid}
		switch {
		case e.Name == "thread_name" && e.Args.Name == "CrRendererMain":
			main[at] = true
		case e.Name == run && e.Phase == "X":
			busy[at] += e.Took
		}
	}
	var page thread
	for at := range main {
		if busy[at] > busy[page] {
			page = at
		}
	}
	sort.SliceStable(events, func(i, j int) bool { return events[i].Ts < events[j].Ts })
	sum, begun := 0.0, false
	for _, e := range events {
		if (thread{e.Pid, e.Tid}) != page || e.Name != run || e.Phase != "X" {
			continue
		}
		if e.Args.Func == "ScheduledActionSendBeginMainFrame" { // the browser wants a picture
			if begun {
				out = append(out, sum/1000)
			}
			sum, begun = 0, true
		}
		sum += e.Took
	}
	sort.Float64s(out)
	return out
}
