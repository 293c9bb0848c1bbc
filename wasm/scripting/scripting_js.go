// Package scripting serves the data API to strangers: as window.tensorbored for the console,
// notebooks, extensions and tests, and over a MessagePort for whoever has one. docs/API.md
// documents it. Each is a client of its own; what goes wrong in its code ends nothing else.
package scripting

import (
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"

	kind "github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

// client serves one stranger.
type client struct {
	e *engine.Engine
	*engine.Client
}

// method is what can be called, with values that can be sent over a port: what it returns is
// one too.
type method func(c *client, args []js.Value) (any, error)

var methods = map[string]method{
	"status":  func(c *client, _ []js.Value) (any, error) { return plain(c.e.Status()) },
	"runs":    func(c *client, _ []js.Value) (any, error) { return plain(c.e.Runs()) },
	"tags":    func(c *client, args []js.Value) (any, error) { return plain(c.e.Tags(text(args, 0))) },
	"scalars": func(c *client, args []js.Value) (any, error) { return c.scalars(text(args, 0), text(args, 1)) },
	"ask":     (*client).ask,
	"reload": func(c *client, _ []js.Value) (any, error) {
		c.e.Reload()
		return nil, nil
	},
}

// Expose makes window.tensorbored.
func Expose(e *engine.Engine) {
	c := &client{e, e.NewClient()}
	api := bridge.Object()
	for _, name := range []string{"runs", "tags", "scalars", "ask"} {
		api.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			return bridge.Promise(func() (any, error) { return methods[name](c, args) })
		}))
	}
	api.Set("clearCache", js.FuncOf(func(js.Value, []js.Value) any {
		return bridge.Promise(func() (any, error) { return e.ClearCache() })
	}))
	api.Set("status", js.FuncOf(func(js.Value, []js.Value) any {
		v, err := plain(e.Status())
		if err != nil {
			return js.Undefined()
		}
		return v
	}))
	api.Set("reload", js.FuncOf(func(js.Value, []js.Value) any {
		e.Reload()
		return nil
	}))
	api.Set("on", js.FuncOf(func(_ js.Value, args []js.Value) any { return c.on(args) }))
	api.Set("port", js.FuncOf(func(js.Value, []js.Value) any {
		channel := js.Global().Get("MessageChannel").New()
		Serve(e, channel.Get("port1"))
		return channel.Get("port2")
	}))
	api.Set("ready", ready(e))
	js.Global().Set("tensorbored", api)
}

// text returns argument i, "" if it is missing.
func text(args []js.Value, i int) string {
	if i >= len(args) || args[i].Type() != js.TypeString {
		return ""
	}
	return args[i].String()
}

// plain makes a JavaScript value of v.
func plain(v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return js.Global().Get("JSON").Call("parse", string(b)), nil
}

// ready is a promise that is kept when everything that can be read has been.
func ready(e *engine.Engine) js.Value {
	return bridge.Promise(func() (any, error) {
		done := make(chan struct{}, 1)
		cancel := e.Subscribe(func(engine.Change) {
			if e.Status().Phase.Done() {
				select {
				case done <- struct{}{}:
				default:
				}
			}
		})
		<-done
		cancel()
		return nil, nil
	})
}

// last asks, and waits for the last answer.
func (c *client) last(q wire.Query) (engine.Reply, error) {
	got := make(chan engine.Reply, 2)
	c.Ask(q, func(r engine.Reply) { got <- r })
	r := <-got
	for r.More {
		r = <-got
	}
	if r.Err != "" {
		return r, errors.New(r.Err)
	}
	return r, nil
}

// scalars returns all points that are kept of one series, in file order.
func (c *client) scalars(run, tag string) (any, error) {
	if _, ok := c.e.Tags("")[run][tag]; !ok {
		return nil, fmt.Errorf("run %q has no tag %q: see tensorbored.runs() and tensorbored.tags()", run, tag)
	}
	r, err := c.last(kind.Curves{Tag: tag, Runs: []string{run}, X: wire.ByStep}.Query())
	if err != nil {
		return nil, err
	}
	out := bridge.Object()
	array := js.Global().Get("Float64Array")
	for _, c := range r.Chunks {
		for _, p := range engine.Parts[kind.Part](c) {
			for i, name := range []string{"step", "wallTime", "value"} {
				out.Set(name, array.New(c.Buffer, p.Offset+8*i*p.N, p.N))
			}
			return out, nil
		}
	}
	for _, name := range []string{"step", "wallTime", "value"} {
		out.Set(name, array.New(0))
	}
	return out, nil
}

// ask puts a query and returns its last answer: {chunks: [{parts, buffer}, …]}.
func (c *client) ask(args []js.Value) (any, error) {
	var q wire.Query
	wrong := errors.New(`ask for something like {kind: "text", runs: ["train"], tags: ["notes"], body: {from: 0, n: 10}}`)
	if len(args) != 1 {
		return nil, wrong
	}
	// What a script hands over may throw when it is looked at.
	text, err := bridge.Try(func() js.Value { return js.Global().Get("JSON").Call("stringify", args[0]) })
	if err != nil || json.Unmarshal([]byte(text.String()), &q) != nil {
		return nil, wrong
	}
	q.Every = false // pieces are for who takes them one by one
	r, err := c.last(q)
	if err != nil {
		return nil, err
	}
	chunks := js.Global().Get("Array").New()
	for _, c := range r.Chunks {
		chunk := bridge.Object()
		chunk.Set("parts", js.Global().Get("JSON").Call("parse", c.JSON))
		chunk.Set("buffer", c.Buffer)
		chunks.Call("push", chunk)
	}
	out := bridge.Object()
	out.Set("chunks", chunks)
	return out, nil
}

// on calls a function after each change and returns the function that ends it.
func (c *client) on(args []js.Value) any {
	if len(args) < 2 || text(args, 0) != "change" || args[1].Type() != js.TypeFunction {
		return js.Global().Get("Error").New(`use tensorbored.on("change", function)`)
	}
	cancel := c.Subscribe(func(engine.Change) { args[1].Invoke() })
	// Not released: a script may call it twice, and a call of a released function
	// is an error on the console. It costs a hundred bytes a subscription.
	return js.FuncOf(func(js.Value, []js.Value) any {
		cancel()
		return nil
	})
}
