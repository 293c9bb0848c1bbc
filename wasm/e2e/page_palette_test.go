//go:build !js

package e2e

import (
	"fmt"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// The palette finds everything by its name, with the keyboard alone.
func TestPagePalette(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { palette(t, look(t, kind, l.dir)) })
	}
}

// choose opens the palette, types, waits until the first line is wanted, and chooses it.
func (s *screen) choose(typed, want string, keys ...string) {
	s.t.Helper()
	s.Press("k", "Control")
	s.find(typed, want)
	s.Press("Enter", keys...)
}

// find types into the open palette and waits until a line is the chosen one.
func (s *screen) find(typed, want string) {
	s.t.Helper()
	field := s.Control("combobox", "Find commands, tags, runs, settings")
	field.Focused()
	s.Type(typed)
	// What a screen reader is told is chosen is the line that is marked.
	field.Is(fmt.Sprintf(`(row => row && row.role === "option" && row.ariaSelected === "true" && row.querySelector(".palette-name").textContent === %q)(document.getElementById(e.getAttribute("aria-activedescendant")))`, want))
}

func palette(t *testing.T, s *screen) {
	s.cards(first...)
	dialog := s.Control("dialog", "Find and do")

	// Its lines are a ring.
	s.Press("k", "Control")
	field := s.Control("combobox", "Find commands, tags, runs, settings")
	field.Focused()
	s.Press("ArrowUp")
	field.Is(`(row => row?.ariaPosInSet === row?.ariaSetSize && row?.ariaSelected === "true")(document.getElementById(e.getAttribute("aria-activedescendant")))`)
	s.Press("ArrowDown")
	field.Is(`document.getElementById(e.getAttribute("aria-activedescendant"))?.ariaPosInSet === "1"`)
	s.Press("Escape")
	dialog.Gone()

	// A setting, a choice of one, a switch.
	s.choose("horizontal wall", "Horizontal axis: Wall")
	dialog.Gone()
	s.hash("#timeseries&x=wall")
	s.choose("tooltip asc", "Tooltip order: Ascending")
	s.stored("ascending", "tipOrder")
	s.choose("outliers", "Ignore outliers in the range")
	s.stored(false, "outliers")
	s.Control("checkbox", "Ignore outliers in the range").Checked(false)
	s.Press("k", "Control")
	s.find("outliers", "Ignore outliers in the range")
	field.Is(`document.getElementById(e.getAttribute("aria-activedescendant"))?.querySelector("b")?.textContent === "off"`)
	s.Press("Escape")
	s.choose("smoothing weight", "Smoothing weight…")
	s.Control("spinbutton", "Smoothing weight").Focused()
	s.Type("0.9")
	s.hash("#timeseries&smoothing=0.9&x=wall&outliers=false")
	s.choose("default settings", "Default settings")
	s.hash("#timeseries")
	// What is typed in: a run, a tag.
	s.choose("baseline run", "Baseline run…")
	s.Control("textbox", "Baseline run").Focused()
	s.Type("beta")
	s.hash("#timeseries&baseline=beta")
	s.Press("Escape")
	s.choose("against values tag", "Curves against: the values of a tag")
	s.Press("Escape")
	s.choose("tag horizontal", "Tag of the horizontal axis…")
	s.Control("textbox", "Tag of the horizontal axis").Focused()
	s.Type("flat/level")
	s.hash("#timeseries&over=tag&xTag=flat/level&baseline=beta")
	s.Press("Escape")
	s.choose("default settings", "Default settings")
	s.hash("#timeseries")

	// A run is switched and the palette stays; with Shift it is shown alone.
	s.choose("beta run", "beta")
	dialog.Wait()
	s.list("+alpha", "-beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.Press("Enter")
	s.list("+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")
	s.Press("Enter", "Shift")
	dialog.Gone()
	s.list("-alpha", "+beta", "-solo/x", "-[sweep 3]", "-s1", "-s2", "-s3")
	s.choose("show all runs", "Show all runs")
	s.list("+alpha", "+beta", "+solo/x", "+[sweep 3]", "+s1", "+s2", "+s3")

	// A tag, wherever it is: in a closed group, beyond a page of cards, filtered out.
	s.Control("searchbox", "Filter tags (regex)").Fill("stairs")
	s.cards("stairs/up")
	s.choose("m t127", "many/t127")
	s.Control("article", "many/t127").Focused()
	s.Control("article", "many/t127").Is(`(b => b.top > 0 && b.bottom < innerHeight)(e.getBoundingClientRect())`)
	// What is done with a card is done with the one that has the focus.
	s.choose("pin card", "Pin the card, or unpin it")
	s.stored([]string{"scalars?tag=many%2Ft127"}, "pins")
	s.Control("region", "many").Control("article", "many/t127").Focused()
	s.choose("axes lim", "Axes and limits…")
	s.Control("dialog", "Axes and limits").Wait()
	s.Press("Escape")
	s.Control("dialog", "Axes and limits").Gone()

	// Dashboards, the page's own, profiles.
	s.choose("images", "Images")
	s.hash("#images&groups=many&pins=many/t127")
	s.choose("time series", "Time series")
	s.hash("#timeseries&groups=many&pins=many/t127")
	s.choose("theme", "Theme")
	s.Control("button", "Theme: light").Wait()
	s.choose("profiles", "Profiles…")
	s.Control("button", "Save as…").Click()
	s.Type("evening")
	s.Press("Enter")
	s.Control("button", "Profile: evening").Wait()
	s.choose("expand", "Expand all groups")
	s.Control("button", "Profile: evening, unsaved changes").Wait()
	s.choose("evening", "evening")
	s.Control("button", "Profile: evening").Wait()

	// What is not found is said; Escape, and the key again, close it and change nothing.
	s.Press("k", "Control")
	s.Type("no such thing")
	dialog.Control("status", "Nothing has that name. Try fewer letters.").Wait()
	s.Press("Enter")
	dialog.Wait()
	s.Press("Escape")
	dialog.Gone()
	s.Press("k", "Control")
	dialog.Wait()
	s.Press("k", "Control")
	dialog.Gone()
	// On a keyboard of other letters.
	s.Eval(`void document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "л", code: "KeyK", ctrlKey: true, bubbles: true, cancelable: true}))`, nil)
	dialog.Wait()
	s.Press("k", "Control")
	dialog.Gone()
	// By the mouse as well.
	s.Control("button", "Find and do (Ctrl k)").Click()
	s.Type("y axis lin")
	dialog.Control("option", "Vertical scale: Log*").Gone()
	s.Press("Escape")
	s.Control("button", "Find and do (Ctrl k)").Click()
	s.Type("vertical log")
	dialog.Control("option", "Vertical scale: Log*").Click()
	s.hash("#timeseries&groups=many&pins=many/t127&y=log10")
	s.Press("?")
	s.Control("dialog", "Keys").Is(`e.innerText.includes("find anything by its name")`)
}

// Ten thousand tags do not make it slow to type, and each is found.
func TestPagePaletteMany(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.put(l.path("run", "1700000000.host.1.0"), bytesOf(epoch, func(w *summary.Buffer) {
		for i := range 10_000 {
			if err := w.Scalar(fmt.Sprintf("layer_%d/weight_%d", i/100, i%100), 1, 1); err != nil {
				t.Fatal(err)
			}
		}
	}))
	s := look(t, browsertest.Chromium, l.dir)
	s.choose("layer_77/weight_42", "layer_77/weight_42")
	s.Control("article", "layer_77/weight_42").Focused()
	s.Press("k", "Control")
	s.find("weight_9", "layer_0/weight_9")
	var rows int
	s.Eval(`document.querySelectorAll("[role=option]").length`, &rows)
	if rows > 60 {
		t.Errorf("%d lines are on the page", rows)
	}
	// From the first to the last: what is chosen is always in sight.
	s.Press("ArrowUp")
	s.Control("listbox", "Found").Is(`(row => row && +row.ariaPosInSet === +row.ariaSetSize && row.getBoundingClientRect().bottom <= e.getBoundingClientRect().bottom + 1)(e.querySelector("[aria-selected=true]"))`)
	s.Press("ArrowDown")
	s.Control("listbox", "Found").Is(`e.querySelector("[aria-selected=true]").ariaPosInSet === "1" && e.scrollTop === 0`)
}

// A tag that comes while the palette is open is found, and what is chosen stays so.
func TestPagePaletteLater(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run("a", map[string][]point{"acc": curve(0, 0, 5), "loss": curve(1, 0, 5)})
	s := look(t, browsertest.Chromium, l.dir)
	s.cards("acc", "loss")
	s.Press("k", "Control")
	s.Type("zeppelin")
	dialog := s.Control("dialog", "Find and do")
	dialog.Control("status", "Nothing has that name. Try fewer letters.").Wait()
	l.add(path, bytesOf(epoch, func(w *summary.Buffer) {
		write(w, map[string][]point{"zeppelin/one": curve(2, 0, 5), "zeppelin/two": curve(2, 0, 5)})
	}))
	s.Eval(`void tensorbored.reload()`, nil)
	dialog.Control("option", "zeppelin/one*").Is(`e.ariaSelected === "true"`)
	s.Press("ArrowDown")
	chosen := dialog.Control("option", "zeppelin/two*")
	chosen.Is(`e.ariaSelected === "true"`)
	l.run("b", map[string][]point{"zeppelin/between": curve(2, 0, 5)})
	s.Eval(`void tensorbored.reload()`, nil)
	dialog.Control("option", "zeppelin/between*").Wait()
	chosen.Is(`e.ariaSelected === "true"`)
	s.Press("Enter")
	s.Control("article", "zeppelin/two").Focused()
}
