package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/unshown"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// notice stands in place of the cards while there are none: it says what is
// going on, and what to do.
type notice struct {
	app   *app
	el    dom.HTMLElement
	shown string // what it says now, so that it is built once
	data  bool   // whether there were runs beside it
}

func newNotice(a *app) *notice {
	return &notice{app: a, el: widget.New("div", "notice shell-notice", widget.Attr{Key: "aria-live", Value: "polite"})}
}

// again builds it anew: what it says of the profile may have changed.
func (n *notice) again() {
	n.shown = "\x00"
	n.update(n.app.data.Status(), len(n.app.runs))
}

func (n *notice) update(s wire.Status, runs int) {
	kind := ""
	switch {
	case s.Error != "":
		kind = "error:" + s.Error
	case unread(s):
		kind = "unread:" + s.Logdir + s.Lost[0].Kind
	case runs > 0:
	case s.Phase == wire.Idle:
		kind = "welcome:" + n.app.opener.LastFolder()
	case slices.Contains(n.app.beside, session.Board.Of(&n.app.state)):
	case s.Phase.Done():
		kind = "nothing:" + s.Logdir + unshown.Text(n.app.unshown)
		if n.app.beside != nil {
			kind = "beside:" + s.Logdir
		}
	default:
		kind = "looking:" + s.Logdir
	}
	if kind == n.shown && runs > 0 == n.data {
		return
	}
	n.shown, n.data = kind, runs > 0
	widget.Hide(n.el, kind == "")
	widget.Toggle(n.el, "late", strings.HasPrefix(kind, "looking"))
	widget.Toggle(n.app.main, "noticed", kind != "")
	// With an error beside data the cards stay. Without runs there is nothing to
	// list or to set: the invitation has the page to itself.
	none := runs == 0 && kind != ""
	widget.Toggle(widget.Find("#app"), "bare", none && !strings.HasPrefix(kind, "looking"))
	widget.Toggle(n.app.main, "no-data", none || strings.HasPrefix(kind, "unread"))
	switch {
	case kind == "":
		widget.Replace(n.el)
	case s.Error != "":
		n.trouble(s)
	case unread(s):
		n.unread(s)
	case s.Phase == wire.Idle:
		n.welcome()
	case s.Phase.Done() && n.app.beside != nil:
		what, act := "There are files of tensors.", "Show them in the projector"
		if n.app.beside[0] == unshown.Graphs {
			what, act = "There are files of graphs.", "Show the graphs"
		}
		n.fill("search", "No event files in "+s.Logdir, widget.New("p", "plain", what),
			widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"}, act, widget.Click(func() {
				n.app.Set(func(s *session.State) { session.Board.Set(s, n.app.beside[0]) })
			})), n.buttons())
	case s.Phase.Done() && len(n.app.unshown) > 0:
		n.fill("search", "Nothing in "+s.Logdir+" can be shown yet",
			widget.New("p", "plain", unshown.Text(n.app.unshown)+". No dashboard shows them yet. There are no event files (their names contain “tfevents”)."),
			itemTable(n.app.unshown), n.buttons())
	case s.Phase.Done():
		n.fill("search", "No event files in "+s.Logdir, tips(false), n.buttons())
	default:
		n.fill("", "Looking for event files…", widget.New("p", "", "Runs appear as they are found."))
	}
}

func (n *notice) fill(icon, title string, with ...dom.Node) {
	var kids []dom.Node
	if icon != "" {
		kids = append(kids, widget.New("div", "notice-icon", widget.Icon(icon)))
	}
	kids = append(kids, widget.New("h2", "", title))
	for _, w := range with {
		if w != nil {
			kids = append(kids, w)
		}
	}
	widget.Replace(n.el, kids...)
}

// demo is the way to something to look at for who has no logs at hand. It is a link:
// what it leads to can be reloaded, and left by going back.
func (n *notice) demo() dom.Node {
	address := n.app.opener.Demo()
	if address == "" {
		return nil
	}
	return widget.New("a", "button", widget.Attr{Key: "href", Value: address}, widget.Icon("chart-line"), "Try a demo")
}

// buttons are the ways to open another folder, and more of them.
func (n *notice) buttons(more ...dom.Node) dom.Node {
	row := widget.New("div", "buttons", widget.New("button", "button primary", widget.Attr{Key: "type", Value: "button"},
		widget.Icon("folder-open"), "Choose folder", widget.Click(n.app.drop.choose)))
	if last := n.app.opener.LastFolder(); last != "" {
		row.AppendChild(widget.New("button", "button", widget.Attr{Key: "type", Value: "button"},
			widget.Icon("rotate-ccw"), "Reopen "+last, widget.Click(n.app.opener.ReopenLast)))
	}
	for _, b := range more {
		if b != nil {
			row.AppendChild(b)
		}
	}
	return row
}

// wanted says which data the profile that is shown was made for; nil if it does not say.
func (n *notice) wanted() dom.Node {
	p := n.app.desk.base
	if p == nil || p.Data == nil {
		return nil
	}
	text := "“" + p.Name + "” was made for "
	switch w := p.Data; {
	case w.Folder != "":
		text += "the folder “" + w.Folder + "”"
	default:
		text += "a folder"
	}
	if runs := p.Data.Runs; len(runs) > 0 {
		text += " with the runs " + strings.Join(runs[:min(len(runs), 4)], ", ")
		if more := max(p.Data.Total, len(runs)) - min(len(runs), 4); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	box := widget.New("p", "wanted plain", text+". Drop that folder here to see it.")
	if p.Data.URL != "" {
		return widget.New("div", "", box, widget.New("p", "", "Or open it where it was: ",
			widget.New("a", "", widget.Attr{Key: "href", Value: p.Data.URL}, widget.Attr{Key: "rel", Value: "noreferrer"}, p.Data.URL)))
	}
	return box
}

func (n *notice) welcome() {
	n.fill("upload", "Drop a log folder here",
		n.wanted(),
		widget.New("p", "", "Any folder with TensorBoard event files, however deep, or an archive of one (.zip, .tar.gz). Curves appear while it is being read."),
		n.buttons(widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, "Choose archive", widget.Click(n.app.drop.archives.Click)), n.demo()),
		widget.New("p", "quiet", "Files stay on this computer. Nothing is uploaded."),
		widget.New("p", "quiet", "Or let the program hand them out: ", widget.New("code", "", "tensorbored-static --logdir DIR"),
			". Nothing at hand? ", widget.New("code", "", "tensorbored-static --demo"), " trains small networks to look at."))
}

// unread says that there are event files of which nothing could be read, and why.
func (n *notice) unread(s wire.Status) {
	list := widget.New("ul", "")
	type reason struct{ kind, remedy string }
	var order []reason
	files := map[reason]int{}
	for _, l := range s.Lost {
		r := reason{l.Kind, l.Remedy}
		if files[r]++; files[r] == 1 {
			order = append(order, r)
		}
	}
	for _, r := range order[:min(len(order), 5)] {
		list.AppendChild(widget.New("li", "", widget.Count(files[r], "file", "files")+": "+r.kind+": "+r.remedy+"."))
	}
	lost := s.Lost
	n.fill("triangle-alert", "Nothing in "+s.Logdir+" could be read", list, n.buttons(
		widget.New("button", "button", widget.Attr{Key: "type", Value: "button"}, "What could not be read", widget.Click(func() { showLosses(lost) }))))
}

// trouble says what is wrong with the logdir as a whole.
func (n *notice) trouble(s wire.Status) {
	first, size := utf8.DecodeRuneInString(s.Error)
	text := widget.New("p", "plain", string(unicode.ToUpper(first))+strings.TrimSuffix(s.Error[size:], ".")+".")
	if s.Phase.Done() && s.Files == 0 && len(n.app.runs) == 0 {
		n.fill("search", "No event files here", text, tips(strings.Contains(s.Error, "ymbolic link")), n.buttons())
		return
	}
	if len(n.app.runs) > 0 {
		// What was read stays; one line says that no more comes.
		n.fill("triangle-alert", "New data cannot be read", text)
		return
	}
	n.fill("triangle-alert", "This logdir cannot be read", text, n.buttons())
}

// tips are the usual reasons why a folder shows nothing. links: that of symbolic links has
// been said.
func tips(links bool) dom.Node {
	list := widget.New("ul", "")
	list.AppendChild(widget.New("li", "", "Event files have “tfevents” in their name, as in events.out.tfevents.1700000000.host. Is this the folder that the training script wrote to?"))
	if !links {
		list.AppendChild(widget.New("li", "", "A browser does not show symbolic links of a dropped folder. If runs are linked, open the folder that they point to, or use the program, which follows them: ",
			widget.New("code", "", "tensorbored-static --logdir DIR")))
	}
	list.AppendChild(widget.New("li", "", "An archive in a folder is not opened. Drop the archive itself, or several at once."))
	list.AppendChild(widget.New("li", "", "A job that has only begun may not have written yet. New files appear here by themselves."))
	return list
}
