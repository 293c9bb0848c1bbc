//go:build js && wasm

// A program of the shape of ours, for tests of the scripts that start it. The page
// starts one worker and puts what comes from it into the array `got`.
package main

import (
	"fmt"
	"os"
	"syscall/js"
)

func main() {
	if os.Args[0] == "worker" {
		worker()
	} else {
		page()
	}
	select {}
}

func page() {
	global := js.Global()
	boot := global.Get("tbBoot")
	got := global.Get("Array").New()
	global.Set("got", got)
	w := global.Get("Worker").New(boot.Get("workerURL"))
	w.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		got.Call("push", args[0].Get("data"))
		return nil
	}))
	w.Call("postMessage", map[string]any{"module": boot.Get("module"), "name": "first"})
	w.Call("postMessage", "second")
	global.Set("send", w.Get("postMessage").Call("bind", w))
	global.Set("crash", js.FuncOf(func(js.Value, []js.Value) any {
		go panic("page told to crash")
		return nil
	}))
	global.Get("document").Call("getElementById", "app").Set("textContent", boot.Get("listingURL"))
}

func worker() {
	global := js.Global()
	handle := func(data js.Value) {
		if data.String() == "crash" {
			go panic("worker told to crash")
			return
		}
		global.Call("postMessage", fmt.Sprintf("got %s after %s", data, global.Get("tbInit").Get("name")))
	}
	global.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		handle(args[0].Get("data"))
		return nil
	}))
	queue := global.Get("tbQueue")
	for i := range queue.Length() {
		handle(queue.Index(i))
	}
}
