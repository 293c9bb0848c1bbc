//go:build !js

package browsertest

import (
	"context"
	"errors"
	"flag"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// A browser takes two to five seconds of processor to start, and two more to compile our
// program. So a test program keeps those that no test uses, and a test gets a tab of one.
//
// In Firefox the tab is of a user context of its own, which ends with it. In Chromium it is
// of the one profile: all tabs are of one process (process-per-site), where one that is
// never closed keeps the compiled program, so that V8 finds it by its bytes. Measured, from
// the start to the first curve: 1 s for 2.3 s with a browser of its own, 1.3 to 1.6 s of
// processor for 3.1 s; a context of its own takes nearly as much as a browser. Tests are apart by
// their servers' ports, and what was stored for these is cleared behind each.
//
// Two tests that run at once have two browsers, each with its own focus, clipboard and
// downloads. A browser is not used again after a test that failed, nor if it has died.

// engine is a running browser that hands out tabs.
type engine interface {
	tab(ctx context.Context, problem func(string)) (browser, error)
	end() error
}

// pool are the browsers of a test program that no test uses now.
type pool struct {
	mu   sync.Mutex
	on   bool
	idle map[Kind][]*kept
}

// kept is a browser with its directory.
type kept struct {
	engine
	dir string
}

var shared pool

// mostAtOnce bounds how many tests run at once if -parallel does not say so: half a gigabyte
// each. Most of a test is waiting, so there are twice as many as processors.
const mostAtOnce = 6

// Main runs the tests of a program that share browsers, for TestMain, and ends these.
func Main(m *testing.M) (code int) {
	flag.Parse()
	if n := flag.Lookup("test.parallel"); n != nil && n.Value.String() == n.DefValue {
		n.Value.Set(strconv.Itoa(min(2*runtime.GOMAXPROCS(0), mostAtOnce)))
	}
	shared.on, shared.idle = true, map[Kind][]*kept{}
	defer shared.end()
	return m.Run()
}

func (l *pool) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, all := range l.idle {
		for _, k := range all {
			k.close()
		}
	}
	l.idle = nil
}

func (k *kept) close() error {
	return errors.Join(k.end(), os.RemoveAll(k.dir))
}

// take gives a tab of a browser that no other test uses.
func (l *pool) take(kind Kind, problem func(string)) (k *kept, b browser, err error) {
	ctx, cancel := step()
	defer cancel()
	for {
		l.mu.Lock()
		if n := len(l.idle[kind]); n > 0 {
			k = l.idle[kind][n-1]
			l.idle[kind] = l.idle[kind][:n-1]
		}
		l.mu.Unlock()
		if k == nil {
			break
		}
		if b, err = k.tab(ctx, problem); err == nil {
			return k, b, nil
		}
		k.close() // it has died
		k = nil
	}
	k = &kept{}
	if k.dir, err = os.MkdirTemp("", "browser"); err != nil {
		return nil, nil, err
	}
	if k.engine, err = startEngine(kind, k.dir, false); err != nil {
		os.RemoveAll(k.dir)
		return nil, nil, err
	}
	if c, ok := k.engine.(*chromiumEngine); ok {
		c.keeps = true
	}
	if b, err = k.tab(ctx, problem); err != nil {
		k.close()
		return nil, nil, err
	}
	return k, b, nil
}

// give takes a browser back whose tab is closed.
func (l *pool) give(kind Kind, k *kept) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle[kind] = append(l.idle[kind], k)
}

func startEngine(kind Kind, dir string, whole bool) (engine, error) {
	if kind == Firefox {
		return startFirefox(dir)
	}
	return startChromium(dir, whole)
}
