package ui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"syscall/js"
	"time"

	"honnef.co/go/js/dom/v2"

	"github.com/tensorbored/tensorbored-static/shared/session"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/board/drawn"
	"github.com/tensorbored/tensorbored-static/wasm/widget"
)

// header is the line at the top: name, tabs, and what concerns the whole page.
type header struct {
	app                                 *app
	el                                  dom.HTMLElement
	tabs                                map[string]dom.HTMLElement
	nav, more                           dom.HTMLElement
	runs, settings, live, reload, theme dom.HTMLElement
	liveText                            dom.HTMLElement
	report                              string // the logdir of a report
	phase                               wire.Phase
	laid                                bool          // the browser has laid the tabs out
	lost                                bool          // the logdir cannot be read for now
	still                               bool          // … or be looked at again
	loaded                              time.Time     // when everything was read last
	pause                               time.Duration // from one look to the next, as board.Data.Pace says
}

func newHeader(a *app) *header {
	h := &header{app: a, tabs: map[string]dom.HTMLElement{}}
	nav := widget.New("nav", "tabs", widget.Attr{Key: "aria-label", Value: "Dashboards"})
	h.nav = nav
	for _, b := range a.boards {
		nav.AppendChild(h.tab(b))
	}
	h.more = widget.New("button", "tab more-tabs", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "aria-haspopup", Value: "menu"}, "More", widget.Click(h.moreTabs))
	nav.AppendChild(h.more)
	widget.OnResize(nav, func() { h.laid = true; h.showTab() })
	h.runs = widget.IconButton("panel-left", "Run list", func() { a.panes.toggle("runs") })
	h.settings = widget.IconButton("settings-2", "Settings", func() { a.panes.toggle("settings") })
	h.liveText = widget.New("span", "")
	h.live = widget.New("button", "pill live", widget.Attr{Key: "type", Value: "button"},
		widget.New("i", "dot"), h.liveText, widget.Click(func() {
			if h.still {
				widget.Say(stillText)
				return
			}
			a.Set(func(s *session.State) { session.AutoReload.Set(s, !session.AutoReload.Of(s)) })
		}))
	h.reload = widget.IconButton("refresh-cw", "Reload", a.reload)
	h.theme = widget.IconButton("sun", "Theme", func() { a.theme.next() })
	open := widget.New("button", "pill open-folder", widget.Attr{Key: "type", Value: "button"}, widget.Attr{Key: "title", Value: "Open a log folder of this computer"},
		widget.Icon("folder-open"), widget.New("span", "", "Open"))
	widget.Listen(open, "click", func(dom.Event) { h.openMenu(open) })
	profile := newProfileButton(a.desk)
	skip := widget.New("button", "button skip", widget.Attr{Key: "type", Value: "button"}, "Skip to the cards", widget.Click(func() {
		to := widget.Find("#main article")
		if to == nil {
			to = a.main
		}
		to.Focus()
	}))
	h.el = widget.New("header", "top", skip, h.runs,
		widget.New("h1", "brand", "tensor", widget.New("i", "", "bored")), nav,
		profile.el, open, h.live, h.reload, h.theme,
		widget.IconButton("search", "Find and do (Ctrl k)", a.openPalette),
		widget.IconButton("circle-help", "Keys and help (?)", a.showHelp), h.settings, a.drop.input, a.drop.archives)
	return h
}

// tab makes the tab of a dashboard.
func (h *header) tab(b board.Board) dom.HTMLElement {
	info := b.About()
	t := widget.New("button", "tab", widget.Attr{Key: "type", Value: "button"}, info.Title, widget.Click(func() {
		h.app.Set(func(s *session.State) { session.Board.Set(s, info.ID) })
	}))
	h.tabs[info.ID] = t
	return t
}

// showBoards shows the tabs of the dashboards that there are by now.
func (h *header) showBoards() {
	for _, b := range h.app.boards[h.app.plugins.own:] {
		info := b.About()
		if t := h.tabs[info.ID]; t != nil {
			widget.Text(t, info.Title) // of one that took the place of another
		} else {
			h.nav.InsertBefore(h.tab(b), h.more)
		}
	}
	for id, t := range h.tabs {
		if !slices.ContainsFunc(h.app.boards, func(b board.Board) bool { return b.About().ID == id }) {
			t.Remove()
			delete(h.tabs, id)
		}
	}
	if h.laid {
		h.showTab()
	}
}

// openMenu opens a folder, or asks which way if there are two.
func (h *header) openMenu(under dom.Element) {
	last := h.app.opener.LastFolder()
	if last == "" {
		h.app.drop.choose()
		return
	}
	widget.Menu(under, "Open", []widget.Item{
		{Icon: "folder-open", Label: "Choose a folder…", Do: h.app.drop.choose},
		{Icon: "upload", Label: "Choose an archive…", Do: h.app.drop.archives.Click},
		{Icon: "rotate-ccw", Label: "Reopen " + last, Do: h.app.opener.ReopenLast},
	})
}

// update shows the state.
func (h *header) update() {
	s := &h.app.state
	for id, t := range h.tabs {
		if id == h.app.tab {
			if t.GetAttribute("aria-current") == "" {
				t.SetAttribute("aria-current", "page")
				if h.laid {
					h.showTab()
				}
			}
		} else {
			t.RemoveAttribute("aria-current")
		}
	}
	idle := false
	for _, b := range h.app.boards {
		if p, ok := b.(drawn.Plugin); ok && p.ID == h.app.tab {
			idle = p.DisableReload
		}
	}
	widget.Set(h.reload, "disabled", idle)
	icon, name := "monitor", "Theme: as the system"
	switch session.ThemeChoice.Of(s) {
	case session.ThemeLight:
		icon, name = "sun", "Theme: light"
	case session.ThemeDark:
		icon, name = "moon", "Theme: dark"
	}
	widget.SetIcon(h.theme, icon, name)
	widget.Press(h.live, session.AutoReload.Of(s) && !h.still)
	widget.Toggle(h.live, "lost", h.lost)
	if h.still {
		widget.Text(h.liveText, "as chosen")
		h.live.SetTitle(stillText)
	} else if session.AutoReload.Of(s) && h.lost {
		widget.Text(h.liveText, "retrying")
		h.live.SetTitle("New data cannot be read now. The page tries again by itself. Click to stop.")
	} else if session.AutoReload.Of(s) {
		widget.Text(h.liveText, "live")
		took, pause := h.app.data.Pace()
		why := ""
		if _, period := h.app.follows(); pause > period {
			why = ", since a look takes " + seconds(took)
		}
		h.live.SetTitle("Checks for new data every " + seconds(pause) + " while this tab is visible" + why + ". Click to stop.")
	} else {
		widget.Text(h.liveText, "paused")
		h.live.SetTitle("Does not check for new data. Click to check again.")
	}
	if h.app.panes != nil {
		widget.Press(h.runs, h.app.panes.open("runs"))
		widget.Press(h.settings, h.app.panes.open("settings"))
		widget.Hide(h.settings, h.app.settings.empty)
	}
}

// showTab leaves so many tabs as there is room for, that of the open dashboard among them: the
// others are in a menu.
func (h *header) showTab() {
	full := func() bool { return widget.Get(h.nav, "scrollWidth").Int() > widget.Get(h.nav, "clientWidth").Int() }
	for _, t := range h.tabs {
		widget.Hide(t, false)
	}
	widget.Hide(h.more, true)
	if !full() {
		return
	}
	widget.Hide(h.more, false)
	for i := len(h.app.boards) - 1; i >= 0 && full(); i-- {
		if id := h.app.boards[i].About().ID; id != h.app.tab {
			widget.Hide(h.tabs[id], true)
		}
	}
}

// moreTabs lists the dashboards whose tabs have no room.
func (h *header) moreTabs() {
	var list []widget.Item
	for _, b := range h.app.boards {
		info := b.About()
		t, label := h.tabs[info.ID], info.Title
		if !widget.Get(t, "hidden").Bool() {
			continue
		}
		if t.GetAttribute("title") != "" {
			label += " (nothing logged)"
		}
		list = append(list, widget.Item{Icon: "layout-grid", Label: label, Do: func() {
			h.app.Set(func(s *session.State) { session.Board.Set(s, info.ID) })
		}})
	}
	widget.Menu(h.more, "More dashboards", list)
}

// updateTabs marks the tabs of which the logdir has nothing: they are there, but
// inactive, as long as they are not the open one.
func (h *header) updateTabs() {
	if len(h.app.runs) == 0 && h.app.beside == nil {
		return
	}
	exact := h.app.data.Status().Phase == wire.Exact
	for _, b := range h.app.boards {
		info := b.About()
		none := exact && len(info.Plugins) > 0
		for _, p := range info.Plugins {
			none = none && len(h.app.data.Tags(p)) == 0 && !slices.Contains(h.app.beside, p)
		}
		t := h.tabs[info.ID]
		widget.Toggle(t, "inactive", none)
		if none {
			t.SetTitle("Nothing of this kind was logged here")
		} else {
			t.RemoveAttribute("title")
		}
	}
}

// inReport reports whether the page is a report that shows what was put into it: nothing new
// comes to that.
func (h *header) inReport(logdir string) bool {
	if !js.Global().Get("tbReport").Truthy() {
		return false
	}
	if h.report == "" {
		h.report = logdir
	}
	return h.report == logdir
}

// seconds writes a time.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}

// stillText says why nothing new is seen.
const stillText = "A browser reads chosen files, and archives, once. Choose the folder again to see what is new, or drop it to follow it."

// turnTime is how long a turn of the icon of Reload takes while files are read, in ms.
const turnTime = 1200

// updateStatus shows how reading goes.
func (h *header) updateStatus(s wire.Status) {
	widget.Hide(h.live, s.Logdir == "" || h.inReport(s.Logdir))
	widget.Hide(h.reload, s.Logdir == "" || s.Still && s.Phase.Done())
	reading := s.Phase == wire.Reading || s.Phase == wire.Preview
	widget.Toggle(h.reload, "spin", reading)
	if reading {
		// It turns with the news. As an animation it had the browser compose the page sixty times a
		// second, which took 0.2 of the 6.1 s of processor in which 1.1 GB are read.
		_, turn := math.Modf(widget.Now() / turnTime)
		widget.Style(h.reload, "--turn", fmt.Sprintf("%.2fturn", turn))
	}
	if s.Phase.Done() && (!h.phase.Done() || h.loaded.IsZero()) {
		h.loaded = time.Now()
	}
	if s.Phase != h.phase || !h.loaded.IsZero() {
		title := "Reload"
		if !h.loaded.IsZero() && !unread(s) {
			title = "Reload (all was read at " + h.loaded.Local().Format("15:04:05") + ")"
		}
		h.reload.SetTitle(title)
		h.reload.SetAttribute("aria-label", title)
	}
	h.phase = s.Phase
	if _, pause := h.app.data.Pace(); pause != h.pause {
		h.pause = pause
		h.update()
	}
	if lost := s.Error != "" && !s.Empty; lost != h.lost || s.Still != h.still {
		h.lost, h.still = lost, s.Still
		h.update()
	}
	title := "tensorbored"
	if s.Logdir != "" {
		title = s.Logdir + " · " + title
	}
	if s.Title != "" {
		title = s.Title
	}
	if widget.Document().Get("title").String() != title {
		widget.Document().Set("title", title)
	}
}

// reload looks for new data now.
func (a *app) reload() {
	if a.head.still {
		widget.Say(stillText)
		return
	}
	a.head.loaded = time.Now()
	a.data.Reload()
	a.followStatus()
}
