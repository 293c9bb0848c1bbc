package paint

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"syscall/js"
	"unsafe"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/kind/scalars"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
)

func painter() js.Value { return js.Global().Get("tbPaint") }

// Runs are known to the painter by number: a name crosses once, not with every answer.
var (
	ids   = map[string]int{}
	names []string
)

// RunID returns the painter's number of a run.
func RunID(run string) int {
	id, ok := ids[run]
	if !ok {
		id = len(ids)
		ids[run] = id
		names = append(names, run)
	}
	return id
}

// Rank is a run's place in the order in which lines are drawn.
func Rank(run string) int { return painter().Call("rankOf", RunID(run)).Int() }

// colors are those that the painter knows, with what the runs are called.
var colors = map[string]string{}

// SetColors tells the painter what each run is called, its colour (#rrggbb) on the page and
// on paper, and the pattern of its dashes.
func SetColors(runs []string, name, color, paper func(run string) string, dash func(run string) int) {
	// Written by hand: encoding/json takes 10 ms of a page's start to get going.
	var list []byte
	for _, r := range runs {
		own, c, p, d := name(r), color(r), paper(r), strconv.Itoa(dash(r))
		if all := c + p + d + own; colors[r] != all {
			colors[r] = all
			list = strconv.AppendInt(append(list, ",["...), int64(RunID(r)), 10)
			for _, text := range []string{r, c, own, p} {
				list = wire.AppendText(append(list, ','), text)
			}
			list = append(append(append(list, ','), d...), ']')
		}
	}
	if len(list) == 0 {
		return
	}
	painter().Call("setRuns", "["+string(list[1:])+"]")
}

// SetGroups shows groups of runs (run → name of its group) as their mean and a band: "std",
// "se", "ci95" or "minmax"; runs without a group, and those of groups that are open, are shown
// by themselves.
func SetGroups(of map[string]string, band string, open []string) {
	if len(of) == 0 && len(open) == 0 {
		painter().Call("setGroups", "[[],"+string(wire.AppendText(nil, band))+",[]]")
		return
	}
	list := make([][2]any, 0, len(of))
	for run, name := range of {
		list = append(list, [2]any{RunID(run), name})
	}
	text, err := json.Marshal([]any{list, band, open})
	if err != nil {
		return // strings and small numbers always can be written
	}
	painter().Call("setGroups", string(text))
}

// SetTheme makes the painter read its colours from the style sheet again.
func SetTheme() { painter().Call("setTheme") }

// SetXName names the tag whose values are the horizontal axis, where they are.
func SetXName(tag string) { painter().Set("xName", tag) }

// SetScale says what the colours of runs stand for in pictures: see board.Host.Scale.
func SetScale(said []any) { painter().Set("colorScale", said) }

// SetNotes sets the notes at steps: JSON, [[step, text], …], by step.
func SetNotes(json string) { painter().Call("setNotes", json) }

// SetBaseline sets the run from which values are also told as differences; "" is none.
func SetBaseline(run string) {
	id := -1
	if run != "" {
		id = RunID(run)
	}
	painter().Set("baseline", id)
}

// SetTip sets the order of a tooltip's rows, how many it has, and whether names stand at the
// ends of lines.
func SetTip(order string, rows int, names bool) {
	p := painter()
	p.Set("tipOrder", order)
	p.Set("tipRows", rows)
	p.Call("setLabels", names)
}

// Highlight marks the run's line on all cards; "" marks none.
func Highlight(run string) {
	id := -1
	if run != "" {
		id = RunID(run)
	}
	painter().Call("highlight", id)
}

// on has the painter tell f of something; stop ends it.
func on(event string, f func(args []js.Value)) (stop func()) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args)
		return nil
	})
	painter().Set(event, fn)
	return func() {
		painter().Set(event, nil)
		fn.Release()
	}
}

// OnOnly calls got when the user wants runs shown alone; stop ends it.
func OnOnly(got func(runs ...string)) (stop func()) {
	return on("onOnly", func(args []js.Value) {
		var list []int
		_ = json.Unmarshal([]byte(args[0].String()), &list) // numbers always can be read
		var runs []string
		for _, id := range list {
			if id >= 0 && id < len(names) {
				runs = append(runs, names[id])
			}
		}
		got(runs...)
	})
}

// OnHappened calls got when the user asks what happened at a step of a tag in a run; stop ends
// it.
func OnHappened(got func(run, tag string, step float64)) (stop func()) {
	return on("onHappened", func(args []js.Value) {
		if id := args[0].Int(); id >= 0 && id < len(names) {
			got(names[id], args[1].String(), args[2].Float())
		}
	})
}

// OnExpand calls got when the user wants a group shown run by run, or as one again; stop
// ends it.
func OnExpand(got func(group string)) (stop func()) {
	return on("onExpand", func(args []js.Value) { got(args[0].String()) })
}

// Reading is what the run list shows of the card under the pointer, or of the last one.
type Reading struct {
	Card string // its name
	At   string // place of the crosshair; "" = the last values, of what is in view if …
	Rest string // … this says so
	Near string // run that the pointer is nearest to, "" = none
}

// OnRead calls got whenever there are other values to show; stop ends it.
func OnRead(got func(Reading)) (stop func()) {
	return on("onRead", func([]js.Value) {
		r := painter().Get("reading")
		near := ""
		if id := r.Get("near").Int(); id >= 0 && id < len(names) {
			near = names[id]
		}
		got(Reading{r.Get("name").String(), r.Get("at").String(), r.Get("rest").String(), near})
	})
}

// ReadTexts are the values of runs as texts, "" where there is none, and their pads for a column
// of so many characters.
func ReadTexts(runs []string, room int) (texts, pads []string) {
	list := []byte("[")
	for i, r := range runs {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, int64(RunID(r)), 10)
	}
	n := len(runs)
	all := strings.Split(painter().Call("readTexts", string(append(list, ']')), room).String(), "\x00")
	if len(all) != 2*n {
		return make([]string, n), make([]string, n)
	}
	return all[:n], all[n:]
}

// ReadValue is a run's value; ok is false if it has none.
func ReadValue(run string) (v float64, ok bool) {
	v = painter().Call("readValue", RunID(run)).Float()
	return v, v == v
}

// Unpin closes a pinned tooltip and says whether there was one.
func Unpin() bool { return painter().Call("unpin").Truthy() }

// Busy is how long the painter has drawn curves since the start, in milliseconds.
func Busy() float64 { return painter().Get("busy").Float() }

// Events are what a chart reports.
type Events struct {
	Zoom    func(z Zoom, zoomed bool)     // the visible range was changed by hand
	Painted func()                        // all that was handed over is on the screen
	Size    func(pixels int)              // width of the plot in device pixels
	Fob     func(which int, step float64) // a marked step, 0 or 1, was moved; NaN: taken away
	// At wants the logged points at a value of the horizontal axis, for the pointer (which 0)
	// or the pinned table (1): they go to Chart.Exactly.
	At func(which int, x float64)
}

// Zoom is what a chart shows, in values; y is fitted to the data where Y1 is not above Y0.
type Zoom struct{ X0, X1, Y0, Y1 float64 }

// Chunk is one worker's part of the curves: what the columns in the buffer are.
type Chunk struct {
	Parts  []scalars.Part
	Buffer js.Value // ArrayBuffer
}

// Chunks are the curves of an answer.
func Chunks(r engine.Reply) []Chunk {
	out := make([]Chunk, len(r.Chunks))
	for i, c := range r.Chunks {
		out[i] = Chunk{parts(c.JSON), c.Buffer}
	}
	return out
}

// parts reads a chunk's parts; see P.parts in static/paint-series.js.
func parts(json js.Value) []scalars.Part {
	if json.Type() != js.TypeString {
		return nil
	}
	v := painter().Call("parts", json)
	runs := strings.Split(v.Get("runs").String(), "\x00")
	numbers := make([]float64, v.Get("numbers").Length()/8)
	if len(numbers) == 0 {
		return nil
	}
	js.CopyBytesToGo(unsafe.Slice((*byte)(unsafe.Pointer(&numbers[0])), 8*len(numbers)), v.Get("numbers"))
	out := make([]scalars.Part, len(numbers)/scalars.Fields)
	for i := range out {
		out[i].Run = runs[i]
		out[i].SetNumbers(numbers[i*scalars.Fields:])
	}
	return out
}

// Chart is one card's chart.
type Chart struct {
	value js.Value
	tell  js.Func
}

// SetTagColors says in which colours a card of several tags shows those of a single run.
func SetTagColors(hex []string) {
	painter().Set("tagColors", anys(hex))
}

// anys are texts as JavaScript takes them.
func anys(list []string) []any {
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = t
	}
	return out
}

// NewChart makes a chart that fills host; name is what it shows, tags whose curves.
func NewChart(host dom.Element, name string, tags []string, on Events) *Chart {
	return newChart(painter().Get("create"), host, name, on, anys(tags))
}

func newChart(create js.Value, host dom.Element, name string, on Events, more ...any) *Chart {
	c := &Chart{}
	c.tell = js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch args[0].String() {
		case "zoom":
			on.Zoom(Zoom{args[2].Float(), args[3].Float(), args[4].Float(), args[5].Float()}, args[1].Bool())
		case "painted":
			on.Painted()
		case "size":
			on.Size(args[1].Int())
		case "fob":
			on.Fob(args[1].Int(), args[2].Float())
		case "at":
			if on.At != nil {
				on.At(args[1].Int(), args[2].Float())
			}
		}
		return nil
	})
	c.value = create.Invoke(append([]any{host.Underlying(), c.tell, name}, more...)...)
	return c
}

// Set sets the axes: what x is, the scales of both ("linear", "log", "symlog"), the half
// width of a symlog's linear zone (0: by the data), whether outliers are left out of the
// range, whether smoothed lines are shown over the raw ones, and over how many points to each
// side those are a band from the least to the greatest; 0: they are a line.
func (c *Chart) Set(x, xScale, yScale string, zone float64, outliers, smoothed bool, reach int) {
	c.value.Call("set", x, xScale, yScale, zone, outliers, smoothed, reach)
}

// SetJoin says that the chart is that of a part of some runs, which is called so: those of all
// parts have the same axes.
func (c *Chart) SetJoin(of, part, name string) {
	c.value.Set("join", of)
	c.value.Set("joinPart", part)
	c.value.Set("joinName", name)
}

// ForgetSpans forgets how far the charts of parts go that are not on the screen.
func ForgetSpans() { painter().Call("forgetSpans") }

// SetRight puts tags, by their numbers, on an axis at the right with a scale of its own; zone
// as in Set. It ends at the values lo and hi, whatever the zoom is; with hi not above lo it
// is fitted to the data, and moves along with the axis at the left.
func (c *Chart) SetRight(tags []int, scale string, zone, lo, hi float64) {
	list := make([]any, len(tags))
	for i, t := range tags {
		list[i] = t
	}
	c.value.Call("setRight", list, scale, zone, lo, hi)
}

// SetTags says whose curves follow, and what the card is called.
func (c *Chart) SetTags(name string, tags []string) {
	c.value.Set("name", name)
	c.value.Set("tags", anys(tags))
}

// SetZoom shows a range. Events.Zoom is not called.
func (c *Chart) SetZoom(z Zoom) { c.value.Call("zoomSet", z.X0, z.X1, z.Y0, z.Y1) }

// Limits are the values at the ends of the axes where they are fitted to the data, and those
// of the right axis, both 0 without one.
func (c *Chart) Limits() (z Zoom, lo, hi float64) {
	v := c.value.Call("limits")
	at := func(i int) float64 { return v.Index(i).Float() }
	return Zoom{at(0), at(1), at(2), at(3)}, at(4), at(5)
}

// ClockText is a wall time as a field for date and time has it, and ClockTime what such a
// text means; NaN if it means nothing.
func ClockText(wall float64) string { return painter().Call("clockText", wall).String() }

// ClockTime see ClockText.
func ClockTime(text string) float64 { return painter().Call("clockTime", text).Float() }

// SetFobs marks a step, or a range; NaN where there is none.
func (c *Chart) SetFobs(start, end float64) { painter().Call("setFobs", c.value, start, end) }

// LastStep is the step of the last point that is seen, whatever the axis; NaN without one.
func (c *Chart) LastStep() float64 { return c.FarStep(math.NaN()) }

// FarStep is the step of the first or the last point that is seen, whichever is farther from
// a step; the last one from NaN.
func (c *Chart) FarStep(from float64) float64 {
	return painter().Call("farStep", c.value, from).Float()
}

// Table fills box with numbers of runs, the answer to a query with Table; see
// static/paint-table.js. note stands below them.
func Table(box dom.Element, tags []string, chunks []Chunk, ranged, smoothed bool, note string) {
	painter().Call("table", box.Underlying(), anys(tags), packed(chunks), ranged, smoothed, note)
}

// packed is a list of {head, buffer} for the painter.
func packed(chunks []Chunk) js.Value {
	list := js.Global().Get("Array").New()
	for _, c := range chunks {
		o := js.Global().Get("Object").New()
		o.Set("head", head(c.Parts))
		o.Set("buffer", c.Buffer)
		list.Call("push", o)
	}
	return list
}

// Exactly hands over what Events.At wanted: of each curve the points at x, or those next to
// it; beside as in Take. whole says that no better answer follows.
func (c *Chart) Exactly(which int, x float64, beside string, chunks []Chunk, whole bool) {
	painter().Call("exactly", c.value, which, x, besideID(beside), packed(chunks), whole)
}

// besideID is the painter's number of the run that is only compared with; -1 without one.
func besideID(run string) int {
	if run == "" {
		return -1
	}
	return RunID(run)
}

// Explain is what stands in the plot while there are no curves.
func (c *Chart) Explain(why string) { c.value.Set("why", why) }

// Values opens the table of values for the keyboard, at the last point that is seen.
func (c *Chart) Values() { painter().Call("pinAt", c.value) }

// Take hands over the curves; that of the run beside ("": none) is not shown, only compared
// with. They are those between the values x0 and x1 of the horizontal axis, or with x1 not
// above x0 all; a part that the user has left by now is not shown. revision differs from the
// last one if anything but the smoothing may be different.
func (c *Chart) Take(revision int, beside string, x0, x1 float64, chunks []Chunk) {
	c.value.Call("take", revision, besideID(beside), x0, x1)
	for _, chunk := range chunks {
		c.value.Call("add", head(chunk.Parts), chunk.Buffer)
	}
	c.value.Call("done")
}

// head packs what the painter must know of each curve: the number of its run, and the fields
// of its part in their order.
func head(parts []scalars.Part) js.Value {
	h := make([]float64, 0, (1+scalars.Fields)*len(parts))
	for i := range parts {
		h = parts[i].AppendNumbers(append(h, float64(RunID(parts[i].Run))))
	}
	bytes := js.Global().Get("Uint8Array").New(8 * len(h))
	if len(h) > 0 {
		js.CopyBytesToJS(bytes, unsafe.Slice((*byte)(unsafe.Pointer(&h[0])), 8*len(h)))
	}
	return js.Global().Get("Float64Array").New(bytes.Get("buffer"))
}

// Fit shows all of the data again.
func (c *Chart) Fit() { c.value.Call("fit") }

// ZoomBy scales the view around its middle; below 1 shows less.
func (c *Chart) ZoomBy(f float64) { c.value.Call("zoomBy", f) }

// Pan moves the view by parts of its width and height.
func (c *Chart) Pan(dx, dy float64) { c.value.Call("pan", dx, dy) }

// Pixels is the width of the plot in device pixels.
func (c *Chart) Pixels() int { return c.value.Call("plotPixels").Int() }

// Close gives the chart's memory back.
func (c *Chart) Close() {
	c.value.Call("destroy")
	c.tell.Release()
}
