package images

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/answer/stored"
	"github.com/tensorbored/tensorbored-static/shared/kind/images"
	short "github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/engine"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// columnsAtFirst is how many steps the grid shows; more are shown when they are asked for.
const columnsAtFirst = 12

// rowName is how much room a run's name has in the sheet, CSS pixels.
const rowName = 150

// sheet is the dialog that shows a tag of all shown runs by steps: a row for each run, a
// column for each step. Cells are read when they come into sight.
type sheet struct {
	l       *live
	tag     string
	runs    []string
	sample  int
	most    int // columns
	known   map[string]*engineSteps
	el      dom.HTMLElement
	note    dom.HTMLElement
	all     dom.HTMLElement
	pick    dom.HTMLElement
	scope   *widget.Scope
	cells   *widget.Scope // those that are there
	closed  bool
	samples int
}

// engineSteps are the steps of one run.
type engineSteps struct {
	steps []int64
	epoch int
}

// grid opens the dialog.
func (l *live) grid(tag string) {
	l.scope.Do(func() {
		g := &sheet{l: l, tag: tag, runs: card.TagRuns(l.host.Tags(), l.host.Runs(), tag), most: columnsAtFirst, known: map[string]*engineSteps{}}
		widget.Dialog(tag+": runs by steps", g.build)
	})
}

func (g *sheet) build() []any {
	g.scope = widget.Present()
	g.el = widget.New("div", "sheet", widget.Attr{Key: "tabindex", Value: "0"}, widget.Attr{Key: "role", Value: "group"}, widget.Attr{Key: "aria-label", Value: "Pictures by run and step"})
	g.note = widget.New("span", "quiet", widget.Attr{Key: "role", Value: "status"}, "Reading…")
	g.all = widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, "Show all steps", widget.Click(func() {
		g.most = 1 << 30
		g.lay()
	}))
	widget.Hide(g.all, true)
	sample := widget.Range("Sample", 0, 0, 1, func(v float64) {
		g.sample = int(v)
		g.lay()
	})
	g.pick = widget.New("label", "inline", "Sample", sample)
	widget.Hide(g.pick, true)
	g.scope.OnEnd(func() { g.closed = true })
	left := len(g.runs)
	for _, run := range g.runs {
		g.scope.OnEnd(g.l.host.Data().Ask(images.Query{Query: stored.Query{From: -1, N: 1}, Samples: 1}.For(run, g.tag), func(r engine.Reply) {
			if g.closed {
				return
			}
			for _, chunk := range r.Chunks {
				for _, p := range engine.Parts[images.Part](chunk) {
					g.known[run] = &engineSteps{p.Steps, g.l.nextEpoch()}
					for _, item := range p.Items {
						g.samples = max(g.samples, item.Count)
					}
				}
			}
			if left--; left == 0 {
				widget.Hide(g.pick, g.samples < 2)
				widget.Set(sample, "max", strconv.Itoa(max(0, g.samples-1)))
				widget.Set(sample, "value", "0")
				g.lay()
			}
		}))
	}
	return []any{widget.New("div", "sheet-dialog", widget.New("div", "view-tools", g.note, g.all, widget.New("span", "fill"), g.pick), g.el)}
}

// lay makes the table anew.
func (g *sheet) lay() {
	if g.cells != nil {
		g.cells.Close()
	}
	g.cells = g.scope.Sub()
	g.cells.Do(g.table)
}

func (g *sheet) table() {
	set := map[int64]bool{}
	for _, k := range g.known {
		for _, s := range k.steps {
			set[s] = true
		}
	}
	steps := slices.Collect(maps.Keys(set))
	sort.Slice(steps, func(i, j int) bool { return steps[i] < steps[j] })
	columns := thinned(len(steps), g.most)
	widget.Text(g.note, fmt.Sprintf("%d of %s, %s", len(columns), widget.Count(len(steps), "step", "steps"), widget.Count(len(g.runs), "run", "runs")))
	widget.Hide(g.all, len(columns) == len(steps))
	near := widget.NewObserver(g.el, "50%")
	corner := widget.New("th", "", "Run")
	head := widget.New("tr", "", corner)
	for _, i := range columns {
		head.AppendChild(widget.New("th", "num", widget.Thousands(steps[i])))
	}
	table := widget.New("table", "sheet-table", widget.New("thead", "", head))
	body := widget.New("tbody", "")
	called := make([]string, len(g.runs))
	for i, run := range g.runs {
		called[i] = widget.Short(g.l.host.Name(run))
	}
	called, common := short.Fit(called, rowName, widget.TextWidth, short.Short)
	if common != "" {
		widget.Text(corner, common)
	}
	for at, run := range g.runs {
		k := g.known[run]
		dot := widget.New("i", "card-dot")
		widget.Style(dot, "background", g.l.host.Color(run))
		tr := widget.New("tr", "", widget.New("th", "", widget.Attr{Key: "title", Value: g.l.host.Name(run)}, dot, widget.New("span", "", called[at])))
		for _, i := range columns {
			td := widget.New("td", "")
			if k != nil {
				if n := slices.Index(k.steps, steps[i]); n >= 0 {
					g.cell(td, near, run, k.epoch, n)
				}
			}
			tr.AppendChild(td)
		}
		body.AppendChild(tr)
	}
	table.AppendChild(body)
	widget.Replace(g.el, table)
}

// cell fills a cell when it comes near the screen, and empties it when it leaves.
func (g *sheet) cell(td dom.HTMLElement, near *widget.Observer, run string, epoch, n int) {
	host := widget.New("div", "pictures")
	td.AppendChild(host)
	stage := js.Null()
	var asked card.Question
	sample := g.sample
	shut := func() {
		asked.Drop()
		if !stage.IsNull() {
			stage.Call("close")
			stage = js.Null()
		}
	}
	widget.Listen(host, "click", func(dom.Event) {
		g.l.look(side{run: run, tag: g.tag, at: n, sample: sample})
	})
	near.Watch(td, func(on bool) {
		shut()
		if !on {
			return
		}
		stage = painter().Get("Stage").New(host.Underlying(), -1)
		name := key(run, g.tag, epoch, n, sample+1)
		if v := painter().Call("get", name); v.Truthy() {
			stage.Call("show", v, false)
			return
		}
		asked.Ask(g.l.host.Data(), images.Query{Query: stored.Query{From: n, N: 1}, Sample: sample, Samples: 1}.For(run, g.tag), func(r engine.Reply) {
			for _, chunk := range r.Chunks {
				for _, p := range engine.Parts[images.Part](chunk) {
					for i := range p.Items {
						if p.Items[i].Error != "" {
							stage.Call("say", p.Items[i].Error)
							return
						}
						stage.Call("show", put(name, &p.Items[i], chunk.Buffer), false)
					}
				}
			}
		})
	})
	widget.Present().OnEnd(shut)
}
