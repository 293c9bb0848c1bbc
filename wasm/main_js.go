// Command wasm is the program in the browser. It is one binary with two roles: with
// a document it is the page, without one a worker. The page compiles it once and
// hands the compiled module to the workers.
package main

import (
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/scripting"
	"github.com/tensorbored/tensorbored-static/wasm/ui"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
	"github.com/tensorbored/tensorbored-static/wasm/worker"
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		worker.Run()
		return
	}
	boot := js.Global().Get("tbBoot")
	e := engine.New(boot)
	refresh := func() {}
	opener := engine.NewOpener(e, func() { refresh() }, widget.Say)
	scripting.Expose(e)
	// Opened before the page is drawn: with a server behind it, it never shows the
	// invitation to drop a folder.
	if files := boot.Get("files"); files.Truthy() {
		opener.OpenFiles(files)
	} else {
		opener.OpenListing(boot.Get("listingURL").String(), boot.Get("asked").Truthy())
	}
	refresh = ui.Run(e, opener)
	select {}
}
