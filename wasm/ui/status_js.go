package ui

import (
	"fmt"
	"strings"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// statusLine is the line at the bottom: how far reading has come, and what was lost.
type statusLine struct {
	el, bar, fill, text, phase, gone, lost, unshown, private dom.HTMLElement
	losses                                                   []wire.Loss
	showPage                                                 func() // shows the page's settings
}

func newStatusLine(a *app) *statusLine {
	s := &statusLine{}
	s.fill = widget.New("i", "")
	s.bar = widget.New("span", "progress", widget.Attr{Key: "role", Value: "progressbar"}, widget.Attr{Key: "aria-label", Value: "Reading"},
		widget.Attr{Key: "aria-valuemin", Value: "0"}, widget.Attr{Key: "aria-valuemax", Value: "100"}, s.fill)
	s.text = widget.New("span", "status-text")
	s.phase = widget.New("span", "status-phase", widget.Attr{Key: "role", Value: "status"})
	s.lost = widget.New("button", "chip warn", widget.Attr{Key: "type", Value: "button"}, widget.Click(func() { showLosses(s.losses) }))
	widget.Hide(s.lost, true)
	s.gone = widget.New("button", "chip warn", widget.Attr{Key: "type", Value: "button"}, widget.Click(a.data.Reopen))
	s.gone.SetTitle("Click to drop their points: the logdir is opened anew")
	widget.Hide(s.gone, true)
	s.unshown = widget.New("button", "chip", widget.Attr{Key: "type", Value: "button"}, widget.New("span", ""), widget.Click(a.showUnshown))
	widget.Hide(s.unshown, true)
	page := widget.IconButton("settings-2", pageSettings, nil)
	s.showPage = func() { a.settings.showPage(page) }
	widget.Listen(page, "click", func(dom.Event) { s.showPage() })
	s.private = widget.New("span", "", "nothing leaves this browser")
	s.el = widget.New("footer", "status", s.bar, s.text, page, s.phase, widget.New("span", "fill"), s.unshown, s.lost, s.gone,
		widget.New("span", "private", widget.Icon("shield-check"), s.private))
	return s
}

func (l *statusLine) update(s wire.Status) {
	reading := s.Phase == wire.Reading || s.Phase == wire.Preview
	widget.Hide(l.bar, !reading)
	if reading && s.BytesTotal > 0 {
		part := min(100, 100*float64(s.BytesRead)/float64(s.BytesTotal))
		widget.Style(l.fill, "width", fmt.Sprintf("%.1f%%", part))
		l.bar.SetAttribute("aria-valuenow", fmt.Sprintf("%.0f", part))
	}
	text, phase := statusText(s)
	l.say(text, s.Logdir)
	widget.Text(l.phase, phase)
	if s.Reader == "" {
		widget.Text(l.private, "nothing leaves this browser")
	} else {
		widget.Text(l.private, "only "+s.Reader+" is asked")
	}
	widget.Hide(l.gone, s.Gone == 0)
	if s.Gone > 0 {
		label := widget.Count(s.Gone, "file is", "files are") + " gone, " + map[bool]string{true: "its", false: "their"}[s.Gone == 1] + " points are still shown: drop"
		if l.gone.TextContent() != label {
			widget.Replace(l.gone, widget.Icon("triangle-alert"), widget.New("span", "", label))
		}
	}
	l.losses = s.Lost
	widget.Hide(l.lost, len(s.Lost) == 0)
	if len(s.Lost) > 0 {
		label := widget.Count(len(s.Lost), "problem", "problems") + " in the files"
		if l.lost.TextContent() != label {
			widget.Replace(l.lost, widget.Icon("triangle-alert"), widget.New("span", "", label))
		}
	}
}

// say writes the line's text. The folders that lead to the logdir are a part of their own: a
// narrow window has room for its name and what is in it.
func (l *statusLine) say(text, logdir string) {
	if l.text.TextContent() == text {
		return
	}
	before, after, found := strings.Cut(text, logdir)
	last := strings.LastIndexByte(strings.TrimRight(logdir, "/"), '/') + 1
	if !found || last == 0 {
		widget.Replace(l.text, widget.New("span", "", text))
	} else {
		widget.Replace(l.text, widget.New("span", "", before), widget.New("span", "status-way", logdir[:last]), widget.New("span", "", logdir[last:]+after))
	}
	l.text.SetTitle(text)
}

// mentioned is how long a word in the status line stays.
const mentioned = 10 * time.Second

// mention says something in the status line, where it covers nothing, with a button, for a
// while; as long as the pointer or the focus is on it it stays.
func (l *statusLine) mention(text, label string, do func()) {
	var el dom.HTMLElement
	var scope *widget.Scope
	end := func() {
		el.Remove()
		scope.Close()
	}
	scope = (*widget.Scope)(nil).Sub()
	scope.Do(func() {
		el = widget.New("span", "mention", widget.Attr{Key: "role", Value: "status"}, widget.New("span", "", text),
			widget.New("button", "text-button", widget.Attr{Key: "type", Value: "button"}, label, widget.Click(func() { end(); do() })))
	})
	l.el.InsertBefore(el, l.lost)
	var later func()
	later = func() {
		time.AfterFunc(mentioned, func() {
			switch {
			case !widget.Get(el, "isConnected").Bool():
			case el.Underlying().Call("matches", ":hover, :focus-within").Bool():
				later()
			default:
				end()
			}
		})
	}
	later()
}

// statusText says how far reading has come, and what that means for what is seen.
func statusText(s wire.Status) (text, phase string) {
	var parts []string
	switch s.Phase {
	case wire.Preview, wire.Reading:
		parts = append(parts, "Reading "+widget.Count(s.Runs, "run", "runs"))
		if s.BytesTotal > 0 {
			parts = append(parts, ofText(min(s.BytesRead, s.BytesTotal), s.BytesTotal))
		}
		if s.Rate > 0 {
			parts = append(parts, bytesText(int64(s.Rate))+"/s")
			if left := leftText(float64(s.BytesTotal-s.BytesRead) / s.Rate); left != "" {
				parts = append(parts, left)
			}
		}
		switch {
		case s.Phase == wire.Preview:
			phase = "making a preview"
		case s.Previewed:
			phase = "preview shown, refining"
		}
	case wire.Exact, wire.Incomplete:
		if s.Unread > 0 {
			// First of all: what is seen is not all that there is.
			parts = append(parts, widget.Count(s.Unread, "file", "files")+" not read whole; tried again at every look")
		}
		if unread(s) {
			parts = append(parts, "Nothing could be read")
		}
		parts = append(parts, s.Logdir, widget.Count(s.Runs, "run", "runs"), widget.Count(s.Files, "file", "files"), bytesText(s.BytesTotal),
			widget.Count(s.Points, "point", "points"))
		if s.Kept < s.Points {
			parts = append(parts, widget.Thousands(s.Kept)+" kept in memory")
		}
		if s.BytesCached > 0 {
			parts = append(parts, bytesText(s.BytesCached)+" from cache")
		}
	default:
		parts = append(parts, "No logdir is open")
	}
	if s.Reader != "" {
		parts = append(parts, "read on "+s.Reader)
	}
	if s.Note != "" {
		parts = append(parts, s.Note)
	}
	return strings.Join(parts, " · "), phase
}

// lossesShown bounds the table of losses: a page's worth.
const lossesShown = 500

// showLosses lists what could not be read, where, and what can be done.
func showLosses(lost []wire.Loss) {
	table := widget.New("table", "losses")
	head := widget.New("tr", "")
	for _, h := range []string{"Run", "File", "From byte", "Bytes", "What", "Times", "What to do"} {
		head.AppendChild(widget.New("th", "", widget.Attr{Key: "scope", Value: "col"}, h))
	}
	table.AppendChild(widget.New("thead", "", head))
	body := widget.New("tbody", "")
	for _, l := range lost[:min(len(lost), lossesShown)] {
		body.AppendChild(widget.New("tr", "",
			widget.New("td", "", l.Run), widget.New("td", "path", l.File),
			widget.New("td", "num", widget.Thousands(l.Offset)), widget.New("td", "num", widget.Thousands(l.Bytes)),
			widget.New("td", "", l.Kind), widget.New("td", "num", widget.Thousands(l.Count)), widget.New("td", "", l.Remedy)))
	}
	table.AppendChild(body)
	var more dom.Node = widget.New("p", "quiet", "Everything else in these files was read, unless it is said otherwise. Other files are not affected.")
	if n := len(lost) - lossesShown; n > 0 {
		more = widget.New("p", "quiet", fmt.Sprintf("%s more are not listed here.", widget.Thousands(n)))
	}
	widget.Dialog("What could not be read", func() []any {
		return []any{widget.New("div", "table-scroll", widget.Attr{Key: "tabindex", Value: "0"}, table), more,
			widget.New("div", "buttons", widget.CopyButton("Copy report", func() string { return lossReport(aboutPage(), lost) }))}
	})
}
