package ui

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/derive"
	"github.com/tensorbored/tensorbored-static/shared/excerpt/cut"
	"github.com/tensorbored/tensorbored-static/shared/filter"
	"github.com/tensorbored/tensorbored-static/shared/hparams"
	"github.com/tensorbored/tensorbored-static/shared/kind/customscalars"
	"github.com/tensorbored/tensorbored-static/shared/profile"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/card"
	"github.com/tensorbored/tensorbored-static/wasm/card/scalars"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// mayReport reports whether this page can make a report: it has parts that can be asked for,
// and something to show. A report has them in itself.
func (a *app) mayReport() bool { return !js.Global().Get("tbReport").Truthy() && len(a.runs) > 0 }

// saveReport asks what a report is called and how much goes into it, and saves it: what the view
// shows, by the rules of the command report.
func (a *app) saveReport() {
	if !a.mayReport() {
		widget.Say("A report is made of logs that are open on a page of a web server")
		return
	}
	name := widget.New("input", "text-field", widget.Attr{Key: "aria-label", Value: "Name of the report"}, widget.Attr{Key: "maxlength", Value: "200"}, widget.Attr{Key: "autofocus", Value: ""})
	widget.Set(name, "value", a.desk.sent("").Name)
	points, values := 1000, 20
	number := func(label string, of *int) dom.HTMLElement {
		in := widget.Number(label, 0, 1e9, 1, func(v float64) { *of = int(v) })
		widget.SetValue(in, strconv.Itoa(*of))
		return widget.Field(label, in)
	}
	var end func()
	end = widget.DialogEnd("Save a report", func() []any {
		return []any{
			widget.New("p", "link-says", "One HTML file with this page and its data: the shown runs ("+widget.Thousands(len(a.shown))+"), with what the filter of tags lets through and what is pinned. It opens from disk, without a network. Embeddings and plug-ins are not included."),
			widget.New("div", "settings-board", widget.Field("Name", name), number("Points of a curve", &points), number("Images, histograms, texts of a tag", &values),
				widget.New("p", "quiet", "About so many, spread over all steps; 0 takes all.")),
			widget.New("div", "buttons", widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"}, "Save", widget.Click(func() {
				title := strings.TrimSpace(widget.Get(name, "value").String())
				end()
				a.makeReport(title, points, values)
			})))}
	})
}

// reported are the tags that a report of the shown runs takes, and the names of runs and tags that
// it must not tell of.
func (a *app) reported() (tags, others []string) {
	s := &a.state
	pinned := map[string]bool{}
	var pin func(tag string)
	pin = func(tag string) {
		pinned[tag] = true
		if x, err := derive.Of(tag); derive.IsName(tag) && err == nil {
			for _, t := range x.Tags {
				pin(t)
			}
			for _, r := range x.Refs {
				pin(r.Tag)
			}
		}
	}
	for _, id := range session.PinnedCards(s) {
		for _, t := range id.Tags() {
			pin(t)
		}
	}
	for _, c := range session.SuperimposedCards.Of(s) {
		for _, t := range c.Tags {
			pin(t)
		}
	}
	pin(scalars.XTag.Of(s))
	var lets filter.Filter
	_ = lets.Set(session.TagFilter.Of(s)) // one that is wrong lets all through, as on the page
	in, out, shown := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range a.shown {
		shown[r] = true
	}
	for _, plugin := range a.data.Plugins() {
		for run, of := range a.data.Tags(plugin) {
			for tag := range of {
				if shown[run] && (lets.Match(tag) || pinned[tag] || plugin == customscalars.Name || plugin == "hparams") {
					in[tag] = true
				} else {
					out[tag] = true
				}
			}
		}
	}
	for _, r := range a.runs {
		if !shown[r.Name] {
			out[r.Name] = true
		}
	}
	for t := range in {
		delete(out, t)
		tags = append(tags, t)
	}
	for name := range out {
		others = append(others, name)
	}
	return tags, others
}

// makeReport makes a report and saves it.
func (a *app) makeReport(name string, points, values int) {
	if name == "" {
		name = "report"
	}
	tags, others := a.reported()
	left := cut.New(a.shown, tags, others)
	p := a.desk.sent(name)
	view := left.Profile(p, "report")
	lost := len(view.Introductions()) < len(p.Introductions())
	text, err := profile.Encode(view)
	if err != nil {
		widget.Say(err.Error())
		return
	}
	beside := []string{}
	for run, f := range a.data.Beside(hparams.FileName) {
		if slices.Contains(a.shown, run) {
			beside = append(beside, f.Path)
		}
	}
	given := false
	task := widget.NewTask("Report", func() { given = true })
	scope := &widget.Scope{}
	wish := map[string]any{"name": name, "file": card.FileName(name, "html"), "runs": widget.JSON(a.shown), "tags": widget.JSON(tags),
		"points": points, "values": values, "profile": string(text), "beside": widget.JSON(beside)}
	scope.Do(func() {
		wish["cut"] = widget.Func(func(_ js.Value, args []js.Value) any {
			var l customscalars.Layout
			_ = json.Unmarshal([]byte(args[0].String()), &l) // a worker's own answer
			return widget.JSON(left.Layout(l))
		})
		wish["say"] = widget.Func(func(_ js.Value, args []js.Value) any {
			task.Say(args[0].String())
			return nil
		})
		wish["gone"] = widget.Func(func(js.Value, []js.Value) any { return given })
	})
	go func() {
		defer scope.Close()
		err := card.Load("report")
		var said js.Value
		if err == nil {
			said, err = bridge.AwaitCall(js.Global(), "tbSaveReport", wish)
		}
		switch {
		case err != nil:
			task.End("was not saved: " + bridge.MessageOf(err))
		case lost:
			task.End(said.String() + "; an introduction that names a run or tag that is not shown is left out")
		default:
			task.End(said.String())
		}
	}()
}
