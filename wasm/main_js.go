// Command wasm is the program in the browser. It is one binary with two roles: with
// a document it is the page, without one a worker. The page compiles it once and
// hands the compiled module to the workers.
package main

import (
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/scripting"
	"github.com/tensorbored/tensorbored-static/wasm/worker"
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		worker.Run()
		return
	}
	boot := js.Global().Get("tbBoot")
	e := engine.New(boot)
	opener := engine.NewOpener(e, func() {})
	scripting.Expose(e)
	opener.OpenListing(boot.Get("listingURL").String())
	select {}
}
