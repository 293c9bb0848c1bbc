// Command conformance is a program of the shape of ours that puts the browser's
// origins of bytes through the suite of shared/source/sourcetest. The test beside it
// builds it and drives it in real browsers. The suite runs in a worker, because that
// is where files are read.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/source"
	"github.com/tensorbored/tensorbored-static/shared/source/sourcetest"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/source/folder"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
)

var global = js.Global()

func main() {
	if os.Args[0] == "worker" {
		worker(global.Get("tbInit"))
	} else {
		page()
	}
	select {}
}

// page sets `begin`, a function that takes {kind, lists, grows} and starts a worker
// on it, and gathers what the worker says in the array `outcome`. Files that were
// chosen in the input #folder are handed to the worker.
func page() {
	boot := global.Get("tbBoot")
	global.Set("outcome", global.Get("Array").New())
	input := global.Get("document").Call("createElement", "input")
	input.Set("type", "file")
	input.Set("id", "folder")
	input.Set("webkitdirectory", true)
	global.Get("document").Get("body").Call("append", input)
	global.Set("begin", js.FuncOf(func(_ js.Value, args []js.Value) any {
		how := args[0]
		go func() {
			message := bridge.Object()
			message.Set("module", boot.Get("module"))
			message.Set("listing", boot.Get("listingURL"))
			message.Set("control", global.Get("URL").New("control/", global.Get("document").Get("baseURI")).Get("href"))
			message.Set("how", how)
			message.Set("files", walk(input.Get("files")))
			start(boot.Get("workerURL"), message)
		}()
		return nil
	}))
}

// walk lists chosen files, as an array of {path, file}. It must be done on the page:
// Firefox forgets the path of a File that is sent to a worker.
func walk(list js.Value) js.Value {
	out := global.Get("Array").New()
	if list.Length() == 0 {
		return out
	}
	w, err := folder.FromInput(list)
	if err != nil {
		panic(err)
	}
	l, err := w.List(context.Background())
	if err != nil {
		panic(err)
	}
	for _, f := range l.Files {
		out.Call("push", map[string]any{"path": f.Path, "file": w.File(f.Path)})
	}
	return out
}

func start(url, message js.Value) {
	w := global.Get("Worker").New(url)
	w.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		global.Get("outcome").Call("push", args[0].Get("data"))
		return nil
	}))
	w.Call("postMessage", message)
}

// worker runs the suite and says for each case what is wrong; "" is nothing.
func worker(init js.Value) {
	how := init.Get("how")
	o := &sourcetest.Origin{
		Lists: how.Get("lists").Bool(), Grows: how.Get("grows").Bool(),
		Append: func(path string, data []byte) error { return control(init, "append", path, data) },
		Remove: func(path string) error { return control(init, "remove", path, nil) },
	}
	ctx, cases := context.Background(), sourcetest.Cases
	switch kind := how.Get("kind").String(); kind {
	case "http":
		o.Logdir = &httprange.Host{Listing: init.Get("listing").String()}
	case "breaking":
		o.Logdir = &httprange.Host{Listing: init.Get("listing").String()}
		cases = []sourcetest.Case{{Name: "answers that break off", Run: broken}}
	case "spoiled":
		o.Logdir = &httprange.Host{Listing: init.Get("listing").String()}
		cases = []sourcetest.Case{{Name: "compressed answers that are spoiled", Run: spoiled}}
	case "folder":
		files, given := folder.NewFiles(), init.Get("files")
		for i := range given.Length() {
			files.Set(given.Index(i).Get("path").String(), given.Index(i).Get("file"))
		}
		o.Logdir = files
	default:
		panic("no such kind: " + kind)
	}
	for _, c := range cases {
		said := ""
		if err := c.Run(ctx, o); err != nil {
			said = err.Error()
		}
		global.Call("postMessage", map[string]any{"name": c.Name, "wrong": said})
	}
	global.Call("postMessage", map[string]any{"name": "end"})
}

// broken reads from a host whose answers break off: that costs a further try, for
// the ranges of that answer, and neither gives wrong bytes nor ends the reading.
func broken(ctx context.Context, o *sourcetest.Origin) error {
	l, err := o.Logdir.List(ctx)
	if err != nil {
		return err
	}
	files := sourcetest.Files()
	var asked []source.Range
	for _, f := range l.Files {
		asked = append(asked, source.Range{Path: f.Path, Length: f.Size})
	}
	for _, ranges := range [][]source.Range{{{Path: "tfevents", Length: 300_000}}, asked} {
		results, err := o.Logdir.Read(ctx, ranges)
		if err != nil {
			return fmt.Errorf("reading ends: %w", err)
		}
		n, again := 0, 0
		for i, got := range results {
			n++
			if errors.Is(got.Err, source.ErrAgain) {
				again++
			} else if got.Err != nil || !bytes.Equal(got.Data, files[ranges[i].Path]) {
				return fmt.Errorf("%+v: %d bytes, %v", ranges[i], len(got.Data), got.Err)
			}
		}
		if n != len(ranges) || again == 0 {
			return fmt.Errorf("%d results of %d, %d to be tried again", n, len(ranges), again)
		}
	}
	return nil
}

// spoiled reads from a host whose line is slow, so that compressed answers are asked
// for, and whose compressed answers are no good: that costs further tries, no more than
// the worker makes, and nothing wrong is taken for bytes of a file.
func spoiled(ctx context.Context, o *sourcetest.Origin) error {
	l, err := o.Logdir.List(ctx)
	if err != nil {
		return err
	}
	files := sourcetest.Files()
	large := source.Range{}
	var asked []source.Range
	for _, f := range l.Files {
		r := source.Range{Path: f.Path, Length: f.Size}
		if asked = append(asked, r); r.Length > large.Length {
			large = r
		}
	}
	large.Length = 1 << 20
	// The first shows that the line is slow, the second goes alone, the third in company.
	for i, ranges := range [][]source.Range{{large}, {large}, asked} {
		for try := 1; len(ranges) > 0; try++ {
			if try > 3 {
				return fmt.Errorf("read %d: %d ranges have not come in %d tries", i, len(ranges), try-1)
			}
			results, err := o.Logdir.Read(ctx, ranges)
			if err != nil {
				return fmt.Errorf("reading ends: %w", err)
			}
			var again []source.Range
			for i, got := range results {
				r := ranges[i]
				if errors.Is(got.Err, source.ErrAgain) {
					again = append(again, r)
				} else if got.Err != nil || !bytes.Equal(got.Data, files[r.Path][:r.Length]) {
					return fmt.Errorf("%+v: %d bytes, %v", r, len(got.Data), got.Err)
				}
			}
			ranges = again
		}
	}
	return nil
}

// control has the test change a file of the logdir.
func control(init js.Value, what, path string, data []byte) error {
	body := global.Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(body, data)
	url := init.Get("control").String() + what + "?path=" + global.Call("encodeURIComponent", path).String()
	r, err := bridge.AwaitCall(global, "fetch", url, map[string]any{"method": "POST", "body": body})
	if err != nil {
		return err
	}
	if status := r.Get("status").Int(); status != 200 {
		return fmt.Errorf("%s of %s was answered with %d", what, path, status)
	}
	return nil
}
