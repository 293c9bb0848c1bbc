//go:build !js

package browsertest

import (
	"encoding/json"
	"slices"
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
	return frames(p.trace(f))
}

// Tasks does f and returns how much processor each task of the page's thread took meanwhile, in
// ms, the least first: for so long nobody else has a turn, whatever else the machine has to do.
// Those of less than a ms are left out, and those in which the browser goes to another document
// and no script of it runs yet: an address of two million characters takes it 0.2 s. Only
// Chromium tells, and only one page at a time: see Settings.Alone.
func (p *Page) Tasks(f func()) (out []float64) {
	p.t.Helper()
	events := p.trace(f)
	page := pageThread(events)
	var commits []float64
	for _, e := range events {
		if e.thread() == page && e.Name == "RenderFrameImpl::CommitNavigation" {
			commits = append(commits, e.Ts)
		}
	}
	for _, e := range events {
		within := func(at float64) bool { return at >= e.Ts && at < e.Ts+e.Lasted }
		if e.thread() == page && e.Name == runTask && e.Phase == "X" && e.Took >= 1000 && !slices.ContainsFunc(commits, within) {
			out = append(out, e.Took/1000)
		}
	}
	sort.Float64s(out)
	return out
}

// trace does f and returns what the browser's threads did meanwhile.
func (p *Page) trace(f func()) []task {
	p.t.Helper()
	c := p.chromium("a trace")
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
		config := &tracing.TraceConfig{IncludedCategories: []string{"-*", "toplevel", "navigation"}}
		_, err = chromedp.Call(c.ctx, tracing.Start, tracing.StartParams{TraceConfig: config, TransferMode: "ReportEvents"})
	}
	if err != nil {
		p.t.Fatalf("a trace: %v", err)
	}
	f()
	if _, err := chromedp.Call(c.ctx, tracing.End, cdp.Empty{}); err != nil {
		p.t.Fatalf("a trace: %v", err)
	}
	<-done
	mu.Lock()
	defer mu.Unlock()
	return events
}

// task is an event of a trace; times are µs.
type task struct {
	Name     string `json:"name"`
	Phase    string `json:"ph"`
	Pid, Tid int    // in the order of their names
	Ts       float64
	Took     float64 `json:"tdur"` // of the thread's own time
	Lasted   float64 `json:"dur"`
	Args     struct {
		Name string `json:"name"`
		Func string `json:"src_func"`
	} `json:"args"`
}

// thread is one of a process of the browser.
type thread struct{ pid, tid int }

func (t *task) thread() thread { return thread{t.Pid, t.Tid} }

const runTask = "ThreadControllerImpl::RunTask"

// pageThread is the page's busiest thread of a trace.
func pageThread(events []task) (page thread) {
	busy := map[thread]float64{}
	main := map[thread]bool{}
	for _, e := range events {
		switch {
		case e.Name == "thread_name" && e.Args.Name == "CrRendererMain":
			main[e.thread()] = true
		case e.Name == runTask && e.Phase == "X":
			busy[e.thread()] += e.Took
		}
	}
	for at := range main {
		if busy[at] > busy[page] {
			page = at
		}
	}
	return page
}

// frames takes apart what the busiest page's thread of a trace has done.
func frames(events []task) (out []float64) {
	page := pageThread(events)
	sort.SliceStable(events, func(i, j int) bool { return events[i].Ts < events[j].Ts })
	sum, begun := 0.0, false
	for _, e := range events {
		if e.thread() != page || e.Name != runTask || e.Phase != "X" {
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
