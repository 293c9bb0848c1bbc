// Package scripting is window.tensorbored: the data API for the console, notebooks,
// extensions and tests. docs/API.md documents it.
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

// Expose makes window.tensorbored.
func Expose(e *engine.Engine) {
	api := bridge.Object()
	method := func(name string, f func(args []js.Value) (any, error)) {
		api.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			return bridge.Promise(func() (any, error) { return f(args) })
		}))
	}
	api.Set("status", js.FuncOf(func(js.Value, []js.Value) any { return plain(e.Status()) }))
	method("runs", func([]js.Value) (any, error) { return plain(e.Runs()), nil })
	method("tags", func(args []js.Value) (any, error) { return plain(e.Tags(text(args, 0))), nil })
	method("scalars", func(args []js.Value) (any, error) { return scalars(e, text(args, 0), text(args, 1)) })
	method("ask", func(args []js.Value) (any, error) { return ask(e, args) })
	method("clearCache", func([]js.Value) (any, error) { return e.ClearCache() })
	api.Set("reload", js.FuncOf(func(js.Value, []js.Value) any {
		e.Reload()
		return nil
	}))
	api.Set("on", js.FuncOf(func(_ js.Value, args []js.Value) any { return on(e, args) }))
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
func plain(v any) js.Value {
	b, err := json.Marshal(v)
	if err != nil {
		panic("scripting: internal error: " + err.Error())
	}
	return js.Global().Get("JSON").Call("parse", string(b))
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

// scalars returns all points that are kept of one series, in file order.
func scalars(e *engine.Engine, run, tag string) (any, error) {
	if _, ok := e.Tags("")[run][tag]; !ok {
		return nil, fmt.Errorf("run %q has no tag %q: see tensorbored.runs() and tensorbored.tags()", run, tag)
	}
	got := make(chan engine.Reply, 1)
	e.Ask(kind.Curves{Tag: tag, Runs: []string{run}, X: wire.ByStep}.Query(), func(r engine.Reply) { got <- r })
	out := bridge.Object()
	array := js.Global().Get("Float64Array")
	for _, c := range (<-got).Chunks {
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
func ask(e *engine.Engine, args []js.Value) (any, error) {
	var q wire.Query
	if len(args) != 1 || json.Unmarshal([]byte(js.Global().Get("JSON").Call("stringify", args[0]).String()), &q) != nil {
		return nil, errors.New(`ask for something like {kind: "text", runs: ["train"], tags: ["notes"], body: {from: 0, n: 10}}`)
	}
	q.Every = false // pieces are for who takes them one by one
	got := make(chan engine.Reply, 2)
	e.Ask(q, func(r engine.Reply) { got <- r })
	r := <-got
	for r.More {
		r = <-got
	}
	if r.Err != "" {
		return nil, errors.New(r.Err)
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
func on(e *engine.Engine, args []js.Value) any {
	if len(args) < 2 || text(args, 0) != "change" || args[1].Type() != js.TypeFunction {
		return js.Global().Get("Error").New(`use tensorbored.on("change", function)`)
	}
	cancel := e.Subscribe(func(engine.Change) { args[1].Invoke() })
	// Not released: a script may call it twice, and a call of a released function
	// is an error on the console. It costs a hundred bytes a subscription.
	return js.FuncOf(func(js.Value, []js.Value) any {
		cancel()
		return nil
	})
}
