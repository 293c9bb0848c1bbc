//go:build !js

package e2e

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/demo"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

//go:embed testdata/axe/axe.min.js
var axe string

// rules are those of WCAG 2.2 AA that a program can check.
const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]`

// accessible fails for every element of the page that breaks a rule, for every id that two have,
// and for words that describe something and are not there.
func (s *screen) accessible(where string) {
	s.t.Helper()
	var broken []string
	s.Eval(`(async () => {
		await Promise.all(document.getAnimations().map(a => a.finished.catch(() => 0))); // colours on their way are no colours
		const found = await axe.run(document, {runOnly: {type: "tag", values: `+rules+`}, resultTypes: ["violations"]});
		return tbHands.loose().concat(found.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + "\n" + n.html.slice(0, 160) + "\n" + n.failureSummary)));
	})()`, &broken)
	if len(broken) > 0 {
		s.t.Errorf("%s: %d elements break rules, such as\n%s", where, len(broken), strings.Join(broken[:min(len(broken), 6)], "\n"))
	}
}

// themed is a screen with the demo's logs in a theme, and its name.
func themed(t *testing.T, dir string, dark bool) (s *screen, theme string) {
	t.Helper()
	t.Parallel()
	s = look(t, browsertest.Chromium, dir)
	s.Before(axe)
	s.SystemDark(dark)
	return s, themeName(dark)
}

func themeName(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

// Every dashboard, in both themes, wide and on a phone, with what opens on it, keeps
// the rules of WCAG 2.2 AA as far as a program can tell.
func TestPageAccessible(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := demo.Run(context.Background(), demo.Options{Dir: dir, Steps: 60, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		all := boards.All()
		// Two halves at a time: all of them one after the other are the longest test of all.
		for half, list := range [][]board.Board{all[:len(all)/2], all[len(all)/2:]} {
			t.Run(fmt.Sprintf("dashboards %d, %s", half+1, themeName(dark)), func(t *testing.T) {
				s, theme := themed(t, dir, dark)
				for _, b := range list {
					s.Resize(1280, 900)
					s.fresh("#" + b.About().ID)
					s.Wait(`document.querySelector("article, [role=row], .gr-node, .pj-pane[data-points]")`)
					s.Wait(`!document.querySelector(".loading, [aria-busy=true]")`)
					s.accessible(b.About().Title + ", " + theme)
					if !dark { // a dashboard without settings has no pane for them
						s.said(`(document.querySelector("aside[aria-label=Settings]") ?? document.createElement("aside"))`, "settings-"+b.About().ID)
					}
					s.Resize(390, 800)
					s.accessible(b.About().Title + " on a phone, " + theme)
				}
			})
		}
		t.Run("what opens, "+themeName(dark), func(t *testing.T) {
			s, theme := themed(t, dir, dark)
			accessibleParts(s, theme)
		})
	}
	t.Run("no data", func(t *testing.T) {
		t.Parallel()
		bare := look(t, browsertest.Chromium, "")
		bare.Before(axe)
		for _, dark := range []bool{false, true} {
			bare.SystemDark(dark)
			for _, width := range []int{1280, 390} {
				bare.Resize(width, 800)
				bare.Open(bare.url)
				bare.Wait(`document.querySelector("main")?.innerText.trim()`)
				bare.accessible("the page without data")
			}
		}
	})
}

// opened is what was opened last: a dialog, a small one, or a menu.
const opened = `[...document.querySelectorAll("dialog[open], .popup, [role=menu]")].filter((e) => e.checkVisibility()).at(-1)`

// accessibleParts opens dialogs, menus, plots and drawers, one after the other.
func accessibleParts(s *screen, theme string) {
	s.t.Helper()
	s.Resize(1280, 900)
	s.fresh("#timeseries")
	card := s.Control("region", "Pinned*").Control("article", "gradient_norm/output") // by the profile that comes with the logdir
	item := func(name, dialog string) func() {
		return func() {
			card.Control("button", "More").Click()
			s.Control("menuitem", name).Click()
			s.Control("dialog", dialog).Wait()
		}
	}
	button := func(name, dialog string) func() {
		return func() {
			s.Control("button", name).Click()
			s.Control("dialog", dialog).Wait()
		}
	}
	var name string
	s.Eval(`document.querySelector(".run:not(.folder) input").ariaLabel`, &name)
	run := s.Control("checkbox", name)
	for _, o := range []struct {
		what    string
		open    func()
		numbers bool // of a training that is another one on each machine
	}{
		{"the profiles", button("Profile: *", "Profiles"), false},
		{"the colours", button("Colours of runs", "Colours of runs"), false},
		{"the order of runs", button("Order and columns", "Order and columns"), false},
		{"a card's menu", func() {
			card.Control("button", "More").Click()
			s.Control("menuitem", "Picture…").Wait()
		}, false},
		{"a card's axes", item("Axes and limits…", "Axes and limits"), false},
		{"a picture", item("Picture…", "Picture"), false},
		{"notes", item("Note at a step…", "Notes at steps"), false},
		{"tags to superimpose", item("Superimpose other tags…", "Superimpose tags"), false},
		{"a computed curve", item("Compute a curve…", "Compute a curve"), false},
		{"pictures of all cards", button("Picture or print of all cards…", "All cards"), false},
		{"all points", button("Download all points…", "Download all points"), false},
		{"a run's menu", func() {
			run.Get("e.focus()", nil)
			s.Press("m")
			s.Control("menuitem", "Copy the name").Wait()
		}, false},
		{"words about a run", func() {
			run.Get("e.focus()", nil)
			s.Press("m")
			s.Control("menuitem", "Name, note and tags…").Click()
			s.Control("dialog", "Words about *").Wait()
		}, false},
		{"the palette", func() {
			s.Press("k", "Control")
			s.Control("combobox", "Find commands, tags, runs, settings").Wait()
		}, false},
		{"the values", func() {
			card.Get("e.focus()", nil)
			s.Press("v")
			s.Control("dialog", "Values").Wait()
		}, true},
		{"the shortcuts", func() {
			s.Press("?")
			s.Control("dialog", "Keys").Wait()
		}, false},
	} {
		o.open()
		s.accessible(o.what + ", " + theme)
		if theme == "light" && !o.numbers {
			s.said(opened, strings.NewReplacer(" ", "-", "'", "").Replace(o.what))
		}
		s.Press("Escape")
	}
	s.Control("button", "Edit the introduction").Click()
	s.accessible("an introduction as it is written, " + theme)
	s.Press("Escape")
	// A pinned card with a marked range and its table.
	for range 2 {
		card.Get("e.focus()", nil)
		s.Press("m")
	}
	s.Wait(`document.querySelector(".steps-table th")?.textContent && [...document.querySelectorAll(".steps-table th")].some(e => e.textContent.startsWith("Max"))`)
	s.accessible("a marked range, " + theme)
	s.Control("searchbox", "Filter tags (regex)").Fill("none of them")
	s.Wait(`/No .*(tag|card)/.test(document.querySelector("main").innerText)`)
	s.accessible("no tag, " + theme)
	s.Control("searchbox", "Filter tags (regex)").Fill("(")
	s.Wait(`document.querySelector("[aria-invalid=true]")`)
	s.accessible("a filter that is none, " + theme)
	s.Control("searchbox", "Filter tags (regex)").Fill("")
	s.Control("checkbox", "All listed runs").Click()
	s.Wait(`/No run is shown/.test(document.querySelector("main").innerText)`)
	s.accessible("no run, " + theme)
	s.Control("checkbox", "All listed runs").Click()
	s.Resize(390, 800)
	for _, pane := range []string{"Run list", "Settings"} {
		s.choose(strings.ToLower(pane)+": open", pane+": open or close")
		s.accessible("the drawer of " + pane + ", " + theme)
		s.Press("Escape")
	}
	s.Resize(1280, 900)
	s.fresh("#hparams")
	s.Control("button", "Profile: Vanishing gradients*").Wait() // it comes with the logdir
	for _, plot := range []string{"Parallel coordinates", "Scatter matrix", "Scatter plot"} {
		s.Control("combobox", "Plot").Choose(plot)
		s.Wait(`document.querySelector(".hp-plots [role=img]")?.getBoundingClientRect().height > 50`)
		s.accessible(plot + ", " + theme)
	}
	s.Control("combobox", "Plot").Choose("No plot")
	s.Control("button", "Compare").Click()
	s.Wait(`document.querySelector(".hp-compared table, .hp-compared [role=table], .hp-compared [role=grid]")`)
	s.accessible("runs side by side, " + theme)
	s.Control("button", "Compare").Click()
	s.fresh("#custom_scalars")
	s.Control("button", "Profile: Vanishing gradients*").Wait() // what it brings moves what is clicked
	s.Wait(`document.querySelector("article")`)
	s.Control("button", "New chart…").Click()
	s.Control("dialog", "New chart").Control("textbox", "Expression 1").Fill("loss(")
	s.accessible("a new chart, " + theme)
	said := func(name string) {
		if theme == "light" {
			s.said(opened, name)
		}
	}
	said("a-new-chart")
	s.Control("radio", "Values with margins").Click()
	s.accessible("a new chart with margins, " + theme)
	said("a-new-chart-with-margins")
	s.Press("Escape")
	s.Control("button", "Layout…").Click()
	s.Control("dialog", "Layout").Wait()
	s.accessible("the layout, " + theme)
	said("the-layout")
	s.Control("button", "Export…").Click()
	s.Control("dialog", "Export the layout").Wait()
	s.accessible("the layout's export, " + theme)
	said("the-layouts-export")
}
