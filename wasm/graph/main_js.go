// Command graph is the program of the worker of the dashboard of graphs: it opens graphs and
// answers questions about them (shared/graph/explore). static/lazy/graphwork calls it and
// lays out what it answers; it ends with its worker.
package main

import (
	"encoding/json"
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/event"
	"github.com/tensorbored/tensorbored-static/shared/graph/explore"
)

// often is how much the heap grows between two looks of the collector, in hundredths.
const often = 300

// open are the graphs that are open, by the key that the page chose.
var open = map[string]*explore.Explorer{}

// failed is an error as an answer, a sentence.
func failed(err error) string {
	text := err.Error()
	text = strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
	b, _ := json.Marshal(map[string]any{"error": map[string]string{"message": text}}) // two texts
	return string(b)
}

// graphOpen opens bytes under a key: tbGraphOpen(key, bytes, name, metadata or null, tensor).
// tensor says that they are a TensorProto whose text is the graph.
func graphOpen(_ js.Value, args []js.Value) any {
	o := explore.Options{Name: args[2].String()}
	if args[3].Truthy() {
		o.Metadata = bytesOf(args[3])
	}
	b := bytesOf(args[1])
	calm(len(b))
	if args[4].Bool() {
		texts := event.CutStrings(b)
		if len(texts) == 0 {
			return failed(errors.New("this value is a tensor without a graph: choose another one, or log the graph again"))
		}
		b = texts[0]
	}
	e, err := explore.Open(b, o)
	if err != nil {
		return failed(err)
	}
	open[args[0].String()] = e
	return string(e.Ask([]byte(`{"ask":"info"}`)))
}

// calm keeps the collector from looking while a graph of so many bytes is made and drawn for the first time,
// since nearly all that is made stays. Of 64 MB there is room for that; of more, and beyond half a gigabyte, it
// looks as always.
func calm(size int) {
	if size > 64<<20 {
		return
	}
	debug.SetMemoryLimit(512 << 20)
	debug.SetGCPercent(-1)
	if looksAgain != nil {
		looksAgain.Stop()
	}
	looksAgain = time.AfterFunc(3*time.Second, func() {
		debug.SetGCPercent(often)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}

var looksAgain *time.Timer

// graphCompare makes a graph of two: tbGraphCompare(key, old, new, by).
func graphCompare(_ js.Value, args []js.Value) any {
	e, err := explore.Compare(open[args[1].String()], open[args[2].String()], args[3].String())
	if err != nil {
		return failed(err)
	}
	open[args[0].String()] = e
	return string(e.Ask([]byte(`{"ask":"info"}`)))
}

// graphAsk asks about the graph of a key: tbGraphAsk(key, question).
func graphAsk(_ js.Value, args []js.Value) any {
	e := open[args[0].String()]
	if e == nil {
		return `{"error":{"message":"This graph is not open."}}`
	}
	return string(e.Ask([]byte(args[1].String())))
}

// graphClose forgets the graph of a key: tbGraphClose(key).
func graphClose(_ js.Value, args []js.Value) any {
	delete(open, args[0].String())
	return nil
}

func bytesOf(array js.Value) []byte {
	b := make([]byte, array.Get("length").Int())
	js.CopyBytesToGo(b, array)
	return b
}

func main() {
	debug.SetGCPercent(often)
	for name, f := range map[string]func(js.Value, []js.Value) any{
		"tbGraphOpen": graphOpen, "tbGraphCompare": graphCompare, "tbGraphAsk": graphAsk, "tbGraphClose": graphClose,
	} {
		js.Global().Set(name, js.FuncOf(f))
	}
	js.Global().Call("tbGraphReady")
	select {}
}
