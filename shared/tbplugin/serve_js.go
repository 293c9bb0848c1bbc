//go:build js

package tbplugin

import (
	"context"
	"sync"
	"syscall/js"
)

// Serve answers the host for as long as the worker lives.
func Serve() {
	var mu sync.Mutex
	calls, last := map[int]chan []byte{}, 0
	host := js.Global().Get("tbHost")
	bytesTo := func(b []byte) js.Value {
		v := js.Global().Get("Uint8Array").New(len(b))
		js.CopyBytesToJS(v, b)
		return v
	}
	bytesFrom := func(v js.Value) []byte {
		b := make([]byte, v.Length())
		js.CopyBytesToGo(b, v)
		return b
	}
	backend := js.Global().Get("Object").New()
	backend.Set("request", js.FuncOf(func(_ js.Value, args []js.Value) any {
		id, message := args[0], bytesFrom(args[1])
		go func() {
			out := text(500, "the back end registered no plug-in: call tbplugin.Register in an init function")
			if plugin != nil {
				out = serve(context.Background(), plugin, message, func(m []byte) ([]byte, error) {
					mu.Lock()
					last++
					n, got := last, make(chan []byte, 1)
					calls[n] = got
					mu.Unlock()
					host.Call("call", n, bytesTo(m))
					return <-got, nil
				})
			}
			host.Call("respond", id, bytesTo(out))
		}()
		return nil
	}))
	backend.Set("reply", js.FuncOf(func(_ js.Value, args []js.Value) any {
		mu.Lock()
		got := calls[args[0].Int()]
		delete(calls, args[0].Int())
		mu.Unlock()
		if got != nil {
			got <- bytesFrom(args[1])
		}
		return nil
	}))
	js.Global().Set("tbBackend", backend)
	select {}
}
