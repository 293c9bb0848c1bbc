//go:build !js && !wasip1

package tbplugin

import (
	"context"
	"fmt"
	"os"
)

// Serve says how a back end is built: natively there is no host.
func Serve() {
	fmt.Fprintln(os.Stderr, "A plug-in's back end runs in the browser. Build it with: GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -o backend.wasm .")
	os.Exit(2)
}

// Handle answers a message of the host without a runtime, for tests of a plug-in's functions.
func Handle(p Plugin, message []byte, call func(message []byte) ([]byte, error)) []byte {
	return serve(context.Background(), p, message, call)
}
