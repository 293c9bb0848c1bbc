package images

import (
	"errors"
	"fmt"
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// zipFile is an archive that is being written; see static/lazy/zip/zip.js. (Go's own
// archive/zip links a compressor, 50 KB of download, which pictures have no use for.)
type zipFile struct{ sink, zip js.Value }

// newZip begins an archive in a sink. It must be called on a goroutine, as all of its
// methods.
func newZip(sink js.Value) (*zipFile, error) {
	if err := card.Load("zip"); err != nil {
		return nil, err
	}
	return &zipFile{sink, js.Global().Call("tbZip", sink)}, nil
}

// add adds a file, which was logged at a time in ms since 1970, of n bytes of a buffer.
func (z *zipFile) add(name string, at float64, buffer js.Value, offset, n int) error {
	bytes := js.Global().Get("Uint8Array").New(n)
	if n > 0 {
		bytes.Call("set", js.Global().Get("Uint8Array").New(buffer, offset, n))
	}
	_, err := bridge.AwaitCall(z.zip, "add", name, at, bytes)
	return err
}

// end ends the archive and closes its file.
func (z *zipFile) end() error {
	if _, err := bridge.AwaitCall(z.zip, "end"); err != nil {
		return err
	}
	return settle(z.sink, "close")
}

// settle calls a method that may return a promise.
func settle(v js.Value, method string) error {
	r, err := bridge.Try(func() js.Value { return v.Call(method) })
	if err == nil && r.Truthy() {
		_, err = bridge.Await(r)
	}
	return err
}

// errStopped says that the user gave an archive up.
var errStopped = errors.New("cancelled")

// archive saves all pictures of a tag of some runs as a zip file, as they were logged. A
// piece of an answer and what the archive's writer holds are all that is in memory, where
// the browser can write a file piece by piece.
func (l *live) archive(tag string, runs []string) {
	if len(runs) == 0 {
		return
	}
	logged := int64(0)
	for _, r := range runs {
		logged += l.host.Tags()[r][tag].Points
	}
	// At once, while the browser still knows that the user clicked.
	opened := js.Global().Get("tbPaint").Call("sink", card.FileName(tag, "zip"), "application/zip", logged > 1000)
	go func() {
		v, err := bridge.Await(opened)
		if err != nil {
			if bridge.NameOf(err) != "AbortError" {
				widget.NewTask("Images of "+tag, nil).End("could not be saved: " + err.Error())
			}
			return
		}
		stop := make(chan struct{})
		task := widget.NewTask("Saving images of "+tag, func() { close(stop) })
		n, short := int64(0), int64(0)
		z, err := newZip(v)
		if err == nil {
			n, short, err = l.fill(z, tag, runs, task, stop)
		}
		if err != nil {
			_ = settle(v, "abort") // there is nothing left to lose
		}
		switch {
		case errors.Is(err, errStopped):
			task.End("cancelled")
		case err != nil:
			task.End("could not be saved: " + err.Error())
		case short > 0:
			task.End(widget.Count(n, "image saved", "images saved") + "; " + widget.Count(short, "step", "steps") + " could not be read")
		default:
			task.End(widget.Count(n, "image saved", "images saved"))
		}
	}()
}

// fill writes the archive and returns how many pictures are in it, and how many values
// could not be read.
func (l *live) fill(z *zipFile, tag string, runs []string, task *widget.Task, stop chan struct{}) (n, short int64, err error) {
	named := names{}
	for i, run := range runs {
		pieces := l.host.Data().Every(run, images.Query{}.For(run, tag))
		for more := true; more; {
			task.Say(fmt.Sprintf("run %d of %d · %s", i+1, len(runs), widget.Count(n, "image", "images")))
			var p engine.Piece
			select {
			case p = <-pieces.Next():
			case <-stop:
				pieces.Close()
				return n, short, errStopped
			}
			if err := fillPiece(z, p, named, tag, run, &n, &short); err != nil {
				pieces.Close()
				return n, short, err
			}
			if p.Broken {
				short++
			}
			more = p.More
		}
	}
	return n, short, z.end()
}

func fillPiece(z *zipFile, p engine.Piece, named names, tag, run string, n, short *int64) error {
	if p.Buffer.Truthy() {
		defer bridge.Free(p.Buffer)
	}
	for _, part := range engine.Parts[images.Part](p.Chunk) {
		for _, item := range part.Items {
			if item.Error != "" {
				*short++
			}
			for k := range item.Samples {
				s := &item.Samples[k]
				at := float64(0)
				if item.Wall != nil {
					at = *item.Wall * 1000
				}
				if err := z.add(named.of(tag, run, item.Step, k, item.Count, s), at, p.Buffer, int(s.Offset), int(s.Length)); err != nil {
					return err
				}
				*n++
			}
		}
	}
	return nil
}
