package images

import (
	"archive/zip"
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// sink is a file of the user's that is written piece by piece; see static/paint-export.js.
type sink struct{ value js.Value }

// Write implements io.Writer. It must be called on a goroutine.
func (s sink) Write(b []byte) (int, error) {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	v, err := bridge.Try(func() js.Value { return s.value.Call("write", a) })
	if err == nil && v.Truthy() {
		_, err = bridge.Await(v)
	}
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

func (s sink) end(method string) error {
	v, err := bridge.Try(func() js.Value { return s.value.Call(method) })
	if err == nil && v.Truthy() {
		_, err = bridge.Await(v)
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
		out := sink{v}
		stop := make(chan struct{})
		task := widget.NewTask("Saving images of "+tag, func() { close(stop) })
		n, short, err := l.fill(zip.NewWriter(out), tag, runs, task, stop)
		if err == nil {
			err = out.end("close")
		} else {
			_ = out.end("abort") // there is nothing left to lose
		}
		switch {
		case errors.Is(err, errStopped):
			task.End("cancelled")
		case err != nil:
			task.End("could not be saved: " + err.Error())
		case short > 0:
			task.End(fmt.Sprintf("%s images saved; %s steps could not be read", widget.Thousands(n), widget.Thousands(short)))
		default:
			task.End(widget.Thousands(n) + " images saved")
		}
	}()
}

// fill writes the archive and returns how many pictures are in it, and how many values
// could not be read.
func (l *live) fill(z *zip.Writer, tag string, runs []string, task *widget.Task, stop chan struct{}) (n, short int64, err error) {
	named := names{}
	for i, run := range runs {
		pieces := l.host.Data().Every(run, images.Query{}.For(run, tag))
		for more := true; more; {
			task.Say(fmt.Sprintf("run %d of %d · %s images", i+1, len(runs), widget.Thousands(n)))
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
	return n, short, z.Close()
}

func fillPiece(z *zip.Writer, p engine.Piece, named names, tag, run string, n, short *int64) error {
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
				head := &zip.FileHeader{Name: named.of(tag, run, item.Step, k, item.Count, s), Method: zip.Store}
				if item.Wall != nil {
					head.Modified = time.UnixMicro(int64(*item.Wall * 1e6)).UTC()
				}
				w, err := z.CreateHeader(head)
				if err != nil {
					return err
				}
				b := make([]byte, s.Length)
				bridge.Copy(b, p.Buffer, s.Offset)
				if _, err := w.Write(b); err != nil {
					return err
				}
				*n++
			}
		}
	}
	return nil
}
