package ui

import (
	"fmt"
	"slices"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/unshown"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// findUnshown lists what the logdir holds of plug-ins that no dashboard reads, and the
// files beside event files that none shows.
func (a *app) findUnshown() {
	shown := []string{""} // a tag of no plug-in is not known yet
	for _, b := range a.boards {
		shown = append(shown, b.About().Plugins...)
	}
	a.unshown = nil
	for _, p := range a.data.Plugins() {
		if !slices.Contains(shown, p) {
			a.unshown = append(a.unshown, unshown.Values(p, a.data.Tags(p))...)
		}
	}
	if l := a.data.Last(); l != nil {
		a.beside = nil
		for _, i := range unshown.Files(l.Files) {
			if slices.Contains(shown, i.Plugin) {
				if !slices.Contains(a.beside, i.Plugin) {
					a.beside = append(a.beside, i.Plugin)
				}
			} else {
				a.unshown = append(a.unshown, i)
			}
		}
	}
	a.status.notShown(unshown.Text(a.unshown))
}

// notShown says what is there and not shown, "" if all is.
func (l *statusLine) notShown(text string) {
	widget.Hide(l.unshown, text == "")
	if text != "" {
		text += ": not shown yet"
		widget.Text(widget.FindAll(l.unshown, "span")[0], text)
		l.unshown.SetTitle(text)
	}
}

// itemsShown bounds the table of what is not shown.
const itemsShown = 500

// showUnshown lists what is there and not shown.
func (a *app) showUnshown() {
	widget.Dialog("What is there and not shown yet", func() []any {
		return []any{widget.New("p", "", unshown.Text(a.unshown)+". No dashboard shows them yet. They are in the event files, or beside them, as they were logged."),
			itemTable(a.unshown)}
	})
}

// itemTable is the first part of a list of what is not shown.
func itemTable(list []unshown.Item) dom.Node {
	table, body := widget.New("table", "losses"), widget.New("tbody", "")
	head := widget.New("tr", "")
	for _, h := range []string{"What", "Tag or file", "Run"} {
		head.AppendChild(widget.New("th", "", widget.Attr{Key: "scope", Value: "col"}, h))
	}
	for _, i := range list[:min(len(list), itemsShown)] {
		what := i.What()
		if i.File != "" {
			what = what[len("1 "):]
		}
		body.AppendChild(widget.New("tr", "", widget.New("td", "", what), widget.New("td", "path", widget.Short(i.Tag+i.File)), widget.New("td", "", widget.Short(i.Run))))
	}
	table.AppendChild(widget.New("thead", "", head))
	table.AppendChild(body)
	box := widget.New("div", "table-scroll", widget.Attr{Key: "tabindex", Value: "0"}, table)
	if n := len(list) - itemsShown; n > 0 {
		box.AppendChild(widget.New("p", "quiet", fmt.Sprintf("%s more are not listed here.", widget.Thousands(n))))
	}
	return box
}

// notShown is what the palette says of them.
const notShown = "Not shown yet"

// unshownChoices are the lines of the palette for what is not shown.
func (a *app) unshownChoices() (out []choice) {
	for _, i := range a.unshown[:min(len(a.unshown), itemsShown)] {
		name := widget.Short(i.Tag + i.File)
		if i.Run != "" {
			name += " in " + widget.Short(i.Run)
		}
		out = append(out, choice{Command: board.Command{Does: name, Of: notShown, Run: a.showUnshown}, also: i.What()})
	}
	return out
}

// unread reports whether there are event files, all of them have been tried, and each is
// damaged, or something else, so that no value could be read.
func unread(s wire.Status) bool {
	if !s.Phase.Done() || s.Files == 0 || s.Points > 0 || len(s.Lost) < s.Files {
		return false
	}
	lost := map[string]bool{}
	for _, l := range s.Lost {
		lost[l.File] = true
	}
	return len(lost) >= s.Files
}
