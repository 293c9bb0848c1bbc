package drawn

import (
	"encoding/json"
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/names"
	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

type view struct {
	Board
	host  board.Host
	el    dom.HTMLElement
	drawn js.Value // what the script returned; undefined until it has come
	draw  *widget.Frame
	ended bool
	shown func(*session.State) string
	show  func(*session.State, string)
}

// NewView implements board.Board. The script of static/lazy/SCRIPT sets tbDrawn[SCRIPT], a
// function that is called with the dashboard's element and with ask(name, text), which
// answers:
//
//	"shown"       the setting, a text
//	"show", text  sets it
//	"runs"        JSON of the runs that are shown, in their order: [{"run", "name", "color"}]
//	"short", names, width  JSON of the names [name, …], each of at most width characters and told
//	              from the others (shared/names)
//	"files"       JSON of the files beside event files: [{"path", "size", "mtime" (ms since 1970), "version"}]
//	"dark"        whether the page's ground is dark
//
// Data it asks of tensorbored (docs/API.md), as any stranger. It returns an object whose
// update() is called, once for a frame, when an answer may be another than before; key(key,
// shift) is offered keys, and returns whether it used one; escape() closes what is open, and
// returns whether something was; help() lists [keys, what it does]; end() ends it.
func (b Board) NewView(h board.Host) board.View {
	return &view{Board: b, host: h, drawn: js.Undefined(), shown: b.Shown.Of, show: b.Shown.Set}
}

// NewView implements board.Board. The script may ask, besides:
//
//	"given"       the plug-in's name
//	"has", name   whether there are data of a plug-in of this name
func (p Plugin) NewView(h board.Host) board.View {
	return &view{Board: Board{Info: p.Info, Script: "plugin", Coming: "Loading the plug-in…"}, host: h, drawn: js.Undefined(), shown: p.shown, show: p.show}
}

// Mount implements board.View.
func (v *view) Mount(into dom.HTMLElement) {
	v.el = widget.New("section", "drawn", widget.Attr{Key: "aria-label", Value: v.Title}, widget.New("p", "quiet late", v.Coming))
	into.AppendChild(v.el)
	v.draw = widget.NewFrame(func() { v.call("update") })
	ask := widget.Func(func(_ js.Value, args []js.Value) any { return v.answer(args) })
	widget.Present().OnEnd(func() {
		v.ended = true
		v.call("end")
		v.el.Remove()
	})
	go func() {
		_, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", v.Script)
		if v.ended {
			return
		}
		if err != nil {
			widget.Replace(v.el, widget.New("p", "", "This dashboard cannot be shown: "+err.Error()))
			return
		}
		widget.Replace(v.el)
		v.drawn = js.Global().Get("tbDrawn").Call(v.Script, v.el.Underlying(), ask)
	}()
}

func (v *view) answer(args []js.Value) any {
	switch args[0].String() {
	case "shown":
		return v.shown(v.host.State())
	case "show":
		text := args[1].String()
		v.host.Set(func(s *session.State) { v.show(s, text) })
	case "given":
		return v.ID
	case "has":
		return len(v.host.Data().Tags(args[1].String())) > 0
	case "runs":
		type run struct {
			Run   string `json:"run"`
			Name  string `json:"name"`
			Color string `json:"color"`
		}
		list := []run{}
		for _, r := range v.host.Runs() {
			list = append(list, run{r, v.host.Name(r), v.host.Color(r)})
		}
		return widget.JSON(list)
	case "short":
		var list []string
		_ = json.Unmarshal([]byte(args[1].String()), &list) // the script wrote them
		short, _ := names.Short(list, args[2].Int())
		return widget.JSON(short)
	case "files":
		type file struct {
			Path    string  `json:"path"`
			Size    int64   `json:"size"`
			MTime   float64 `json:"mtime"`
			Version string  `json:"version"`
		}
		list := []file{}
		if l := v.host.Data().Last(); l != nil {
			for _, f := range l.Files {
				if f.Kind == api.Companion {
					list = append(list, file{f.Path, f.Size, float64(f.MTime) / 1e6, f.Version})
				}
			}
		}
		return widget.JSON(list)
	case "dark":
		return js.Global().Get("document").Get("documentElement").Get("dataset").Get("theme").Equal(js.ValueOf("dark"))
	}
	return nil
}

// call calls a function of the script's; undefined if it has not come.
func (v *view) call(name string, args ...any) js.Value {
	if !v.drawn.Truthy() {
		return js.Undefined()
	}
	return v.drawn.Call(name, args...)
}

// Update implements board.View.
func (v *view) Update(board.Update) { v.draw.Ask() }

// Pane implements board.View.
func (v *view) Pane() []dom.Node { return nil }

// Highlight implements board.View.
func (v *view) Highlight(string) {}

// Key implements board.View.
func (v *view) Key(key string, shift bool) bool { return v.call("key", key, shift).Truthy() }

// Places implements board.View.
func (v *view) Places(func()) []board.Command { return nil }

// Escape implements board.View.
func (v *view) Escape() bool { return v.call("escape").Truthy() }

// Help implements board.View.
func (v *view) Help() (commands, mouse []board.Command) {
	list := v.call("help")
	if !list.Truthy() {
		return nil, nil
	}
	for i := range list.Length() {
		commands = append(commands, board.Command{Keys: list.Index(i).Index(0).String(), Does: list.Index(i).Index(1).String()})
	}
	return commands, nil
}
