package scripting

import (
	"fmt"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

// Serve serves the data API over a MessagePort, to a client of its own. What comes is
// {id, method, args}; what goes is {id, result} or {id, error}, and {event: "change"} after
// the method "on". The method "close" ends it.
func Serve(e *engine.Engine, port js.Value) {
	c := &client{e, e.NewClient()}
	post := func(m map[string]any) {
		// A port may be gone, and a value one that cannot be sent.
		_, err := bridge.Try(func() js.Value { return port.Call("postMessage", m) })
		if err != nil && m["id"] != nil {
			_, _ = bridge.Try(func() js.Value {
				return port.Call("postMessage", map[string]any{"id": m["id"], "error": err.Error()})
			})
		}
	}
	var hear js.Func
	watching := false
	hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		m := args[0].Get("data")
		if m.Type() != js.TypeObject {
			return nil
		}
		name, id := "", m.Get("id")
		if v := m.Get("method"); v.Type() == js.TypeString {
			name = v.String()
		}
		switch name {
		case "close":
			c.Close()
			port.Call("close")
			port.Set("onmessage", js.Null())
			hear.Release()
			return nil
		case "on":
			if !watching {
				watching = true
				c.Subscribe(func(engine.Change) { post(map[string]any{"event": "change"}) })
			}
			post(map[string]any{"id": id, "result": js.Null()})
			return nil
		}
		do := methods[name]
		if do == nil {
			post(map[string]any{"id": id, "error": fmt.Sprintf("there is no method %q", name)})
			return nil
		}
		var list []js.Value
		if v := m.Get("args"); v.Type() == js.TypeObject && js.Global().Get("Array").Call("isArray", v).Bool() {
			for i := range v.Length() {
				list = append(list, v.Index(i))
			}
		}
		go func() {
			result, err := do(c, list)
			if err != nil {
				post(map[string]any{"id": id, "error": err.Error()})
				return
			}
			post(map[string]any{"id": id, "result": result})
		}()
		return nil
	})
	port.Set("onmessage", hear)
}
