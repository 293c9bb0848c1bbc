package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

// progress is a line on a terminal that says how far a long work has come. Elsewhere
// it is silent.
type progress struct {
	w     io.Writer // nil: silent
	total int64
	done  atomic.Int64

	mu    sync.Mutex
	shown int // percent + 1; 0 while nothing stands there
}

// progressFrom is how many bytes of work are worth a line.
const progressFrom = 64 << 20

func newProgress(stderr io.Writer, total int64) *progress {
	p := &progress{total: total}
	if f, ok := stderr.(*os.File); ok && total >= progressFrom {
		if fi, err := f.Stat(); err == nil && fi.Mode()&os.ModeCharDevice != 0 {
			p.w = stderr
		}
	}
	return p
}

// add counts bytes that have been worked on.
func (p *progress) add(n int64) {
	done := p.done.Add(n)
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if percent := int(min(100, done*100/p.total)); percent+1 > p.shown {
		p.shown = percent + 1
		const wide = 40
		full := percent * wide / 100
		fmt.Fprintf(p.w, "\r[%s%s] %3d %% of %d MB", strings.Repeat("=", full), strings.Repeat(" ", wide-full), percent, p.total/1e6)
	}
}

// clear makes room for other output; the line comes again with the next percent.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil && p.shown > 0 {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func (p *progress) end() { p.clear() }
