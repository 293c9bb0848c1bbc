package paint

import (
	"syscall/js"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

// SavePicture begins to save the chart as a picture, "png" or "svg", of a size in pixels;
// begun waits for it.
func (c *Chart) SavePicture(kind string, width, height int, name string) (begun func() error) {
	return c.awaits("savePicture", kind, width, height, name)
}

// CopyPicture begins to put the chart on the clipboard as a picture; begun waits for it.
// It must be called within a click.
func (c *Chart) CopyPicture(width, height int) (begun func() error) {
	return c.awaits("copyPicture", width, height)
}

// SVG is the chart as a picture of a size in pixels; ok is false if that is too small.
func (c *Chart) SVG(width, height int) (svg js.Value, ok bool) {
	svg = painter().Call("svg", c.value, width, height)
	return svg, svg.Truthy()
}

// SaveSheet begins to save pictures side by side as one, "png" or "svg", each of a size in
// pixels; begun waits for it.
func SaveSheet(svgs []any, columns int, kind string, width, height int, name string) (begun func() error) {
	return awaits("saveSheet", svgs, columns, kind, width, height, name)
}

// SaveMeans saves the means of the chart's groups and their bands as CSV, and returns how
// many rows there are: with none there is no file.
func (c *Chart) SaveMeans(name string) int { return painter().Call("saveMeans", c.value, name).Int() }

// PrintSheet begins to print pictures in place of the page's cards of curves.
func PrintSheet(svgs []any) (begun func() error) { return awaits("printSheet", svgs) }

func (c *Chart) awaits(method string, args ...any) func() error {
	return awaits(method, append([]any{c.value}, args...)...)
}

func awaits(method string, args ...any) func() error {
	promise, err := bridge.Try(func() js.Value { return painter().Call(method, args...) })
	return func() error {
		if err == nil {
			_, err = bridge.Await(promise)
		}
		return err
	}
}

// Export is a file of points that is being written; see static/paint-export.js.
type Export struct{ value js.Value }

// NewExport begins a file, "csv" or "json", of a tag's points between x0 and x1 in
// units of x (equal: all). ask lets the user say where, if the browser can write the
// file piece by piece then; that must happen in answer to a click. begun waits for
// the user's answer: nil means that they changed their mind.
func NewExport(name, kind, tag, x string, x0, x1 float64, ask bool) (begun func() (*Export, error)) {
	promise := painter().Call("export", name, kind, tag, x, x0, x1, ask)
	return func() (*Export, error) {
		v, err := bridge.Await(promise)
		if err != nil || v.IsNull() {
			return nil, err
		}
		return &Export{v}, nil
	}
}

// Add writes a piece's points, returns how many there were, and frees its buffer.
func (x *Export) Add(p engine.Piece) (points int64, err error) {
	n, err := bridge.AwaitCall(x.value, "add", head(engine.Parts[scalars.Part](p.Chunk)), p.Buffer, p.More)
	if p.Buffer.Truthy() {
		bridge.Free(p.Buffer)
	}
	if err != nil {
		return 0, err
	}
	return int64(n.Float()), nil
}

// End completes the file.
func (x *Export) End() error {
	_, err := bridge.AwaitCall(x.value, "end")
	return err
}

// Abort gives the file up.
func (x *Export) Abort() {
	_, _ = bridge.AwaitCall(x.value, "abort") // there is nothing left to lose
}

// Sink begins to open a file that is written piece by piece; see static/paint-export.js.
func Sink(name, kind string, ask bool) js.Value { return painter().Call("sink", name, kind, ask) }

// AddPiece hands a piece's points to a writer of static/lazy/all, returns how many there
// were, and frees its buffer.
func AddPiece(out js.Value, p engine.Piece) (points int64, err error) {
	if !p.Buffer.Truthy() {
		return 0, nil
	}
	n, err := bridge.AwaitCall(out, "add", p.Buffer, head(engine.Parts[scalars.Part](p.Chunk)))
	bridge.Free(p.Buffer)
	if err != nil {
		return 0, err
	}
	return int64(n.Float()), nil
}
