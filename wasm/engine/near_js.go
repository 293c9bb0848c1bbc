package engine

import (
	"fmt"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/near"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// choose decides where the files of a logdir are read, by its first listing: here, or by the
// server, which may be beside them.
func (e *Engine) choose(l *api.Listing) {
	o, ok := e.origin.(*httpOrigin)
	if !ok || e.near != "" || e.alone != "" || l.Page.Near == "" {
		return
	}
	var bytes float64
	for _, f := range l.Files {
		bytes += float64(f.Size)
	}
	if !l.Page.NearAlways && !l.Partial && !e.boot.Call("far", bytes).Bool() {
		return
	}
	e.near = js.Global().Get("URL").New(l.Page.Near, o.host.Listing).Get("href").String()
	e.Exchange()
}

// line makes lines to a server that reads: near.Host in the browser. What they are made of is
// a script, static/lazy/near.
type line struct {
	e   *Engine
	url string
}

// Reads implements near.Host.
func (l *line) Reads(host string) { l.e.ReadOn(host, "") }

// Without implements near.Host: the files are read here.
func (l *line) Without(why error) {
	if l.e.near != l.url {
		return
	}
	l.e.alone = fmt.Sprintf("read in this browser: %v", why)
	l.e.start(l.e.origin, l.e.Status().Logdir)
}

// After implements near.Host.
func (l *line) After(d time.Duration, f func()) { time.AfterFunc(d, f) }

// Dial implements near.Host.
func (l *line) Dial(c near.Caller) near.Line {
	w := &wired{}
	w.up = js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.Up(args[0].String())
		return nil
	})
	w.heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		header := make([]byte, args[0].Length())
		js.CopyBytesToGo(header, args[0])
		m, _, err := near.Header(header)
		if err != nil {
			panic("engine: internal error: " + err.Error()) // both sides are one program
		}
		if m.Op == wire.OpAnswer {
			m.Beside = Chunk{JSON: args[1], Buffer: args[2]}
		}
		c.Heard(m)
		return nil
	})
	w.down = js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.release()
		switch why := args[0].String(); why {
		case "version":
			c.Down(near.ErrVersion)
		case "absent":
			c.Down(near.ErrAbsent)
		case "refused":
			c.Down(near.ErrRefused)
		case "old":
			c.Down(errOld)
		default:
			c.Down(errBroken)
		}
		return nil
	})
	promise := l.e.boot.Call("load", "near")
	go func() {
		_, err := bridge.Await(promise)
		if w.closed {
			w.release()
			return
		}
		if err != nil {
			w.release()
			c.Down(near.ErrAbsent)
			return
		}
		w.js = js.Global().Get("tbNear").Invoke(l.url, w.up, w.heard, w.down)
	}()
	return w
}

var errOld = fmt.Errorf("this browser cannot inflate what the server would send: a newer one can")

var errBroken = fmt.Errorf("the line to the server is broken: check that it still runs")

// wired is a line.
type wired struct {
	js              js.Value // undefined while its script comes
	up, heard, down js.Func
	closed          bool
	released        bool
}

func (w *wired) release() {
	if !w.released {
		w.released = true
		w.up.Release()
		w.heard.Release()
		w.down.Release()
	}
}

// Send implements near.Line.
func (w *wired) Send(frame []byte) {
	if !w.closed && w.js.Truthy() {
		w.js.Call("send", bridge.Bytes(frame))
	}
}

// Close implements near.Line.
func (w *wired) Close() {
	w.closed = true
	if w.js.Truthy() {
		w.js.Call("close")
		w.release()
	}
}
