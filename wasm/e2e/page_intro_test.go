//go:build !js

package e2e

import (
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Words above the cards: written where they stand, shown as Markdown, folded, in the address,
// over a reload; a link in them changes what it names and nothing else.
func TestPageIntroduction(t *testing.T) {
	t.Parallel()
	l := pins(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) { introduction(t, look(t, kind, l.dir)) })
	}
}

func introduction(t *testing.T, s *screen) {
	section := s.Control("region", "Introduction")
	head, edit := section.Control("button", "Introduction*"), section.Control("button", "Edit the introduction")
	field := section.Control("textbox", "Introduction")
	s.cards(first...)
	section.Gone()

	// From the palette; what is typed is in the address at once, and Escape ends it.
	s.choose("introduction", "Write an introduction, or change it")
	field.Focused()
	edit.Gone()
	field.Fill("# Up and *down*")
	s.hash("#timeseries&introductions=timeseries:%23%20Up%20and%20%2Adown%2A")
	section.Control("heading", "Up and down").Gone() // not while it is written
	s.Press("Escape")
	field.Gone()
	edit.Focused()
	section.Control("heading", "Up and down").Is(`e.localName === "h1" && e.querySelector("em").textContent === "down"`)
	s.stored("# Up and *down*", "introductions", "timeseries")

	// Folded, it is one line, here and after a reload.
	head.Expanded(true)
	head.Click()
	head.Expanded(false)
	section.Control("heading", "Up and down").Gone()
	head.Is(`e.innerText.includes("Up and *down*") && !e.innerText.includes("#")`)
	s.stored(true, "introductionsClosed")
	s.again()
	head.Expanded(false)
	s.hash("#timeseries&introductions=timeseries:%23%20Up%20and%20%2Adown%2A&introductionsClosed=true")

	// The menu of profiles has it, too, and opens what is folded. What others have written does
	// nothing: no element, address or picture of theirs is in the page.
	s.menu("Profile").Control("button", "Edit the introduction").Click()
	field.Focused()
	head.Expanded(true)
	s.stored(nil, "introductionsClosed")
	field.Get(`(e.value = "# Hostile\n\n[a](javascript:seen=1) ![p](/p.png) <img src=x onerror=seen=1>\n\n[tens](#tagFilter=pow) [none](#hparams)\n\n* one\n* two", e.dispatchEvent(new Event("input", {bubbles: true})))`, nil)
	section.Control("button", "Done").Click()
	section.Control("heading", "Hostile").Wait()
	section.Is(`!e.querySelector("img,script,[onerror],a[href^='javascript']") && e.innerText.includes("onerror=seen=1>") && e.querySelectorAll("li").length === 2`)

	// Links in it. The filter is typed anew, so what a link left out would be seen.
	s.Control("searchbox", "Filter tags (regex)").Fill("line")
	s.cards("line/up")
	s.Control("button", "Pin (p)").Click()
	s.cards("line/up", "line/up")
	section.Control("link", "tens").Click()
	s.cards("line/up", "pow/ten")
	section.Control("heading", "Hostile").Wait()
	s.Eval(`void history.back()`, nil)
	s.cards("line/up", "line/up")
	section.Control("link", "none").Click()
	s.Wait(`location.hash.startsWith("#hparams&tagFilter=line&") && location.hash.includes("&introductions=timeseries:")`)
	section.Gone() // each dashboard of cards has its own, and this one is none of these
	s.menu("Profile").Control("button", "Save as…").Wait()
	s.Control("button", "Write an introduction").Gone()
	s.Press("Escape")
	s.Eval(`void history.back()`, nil)
	s.cards("line/up", "line/up")

	// A long one comes a little later. Without words there is none.
	edit.Click()
	field.Get(`(e.value = "# Long\n\n" + "word ".repeat(600) + "\n\n## End", e.dispatchEvent(new Event("input", {bubbles: true})))`, nil)
	s.Press("Escape")
	section.Control("heading", "End").Wait()
	edit.Click()
	field.Fill(" ")
	s.Press("Escape")
	section.Gone()
	s.hash("#timeseries&tagFilter=line&pins=line/up")
}

// A profile brings its introduction, and takes it away again; a default profile, too, which is
// how a report and a logdir say what there is to see.
func TestPageIntroductionOfProfile(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	section := s.Control("region", "Introduction")
	s.fresh("#histograms&introductions=timeseries:of%20curves,histograms:of%20histograms")
	section.Is(`e.innerText.includes("of histograms") && !e.innerText.includes("curves")`)
	s.Control("button", "Time series").Click()
	section.Is(`e.innerText.includes("of curves") && !e.innerText.includes("histograms")`)
	s.saveAs("Profile", "mine")
	s.choose("introduction", "Write an introduction, or change it")
	section.Control("textbox", "Introduction").Fill("other words")
	s.Control("button", "Profile: mine, unsaved changes").Wait()
	if text := s.kept("tb-profile-mine"); text == nil || !strings.Contains(*text, `"introductions":{"histograms":"of histograms","timeseries":"of curves"}`) {
		t.Errorf("kept: %v", text)
	}
	// Where it is being written, what a profile brings is shown in the field.
	menu := s.menu("Profile: mine, unsaved changes")
	menu.Is(`e.innerText.includes("Changed: introduction")`)
	menu.Control("button", "Revert").Click()
	section.Control("textbox", "Introduction").Value("of curves")
	section.Control("button", "Done").Click()
	section.Is(`e.innerText.includes("of curves")`)
	s.Eval(`void (location.hash = "#timeseries&introductions=timeseries:by%20address")`, nil)
	section.Is(`e.innerText.includes("by address") && !e.innerText.includes("curves")`)

	// On paper it stands before the cards.
	s.Eval(`void (globalThis.print = () => { globalThis.printed = document.querySelector(".print-sheet").firstChild.innerText })`, nil)
	s.choose("picture of all cards", "Picture of all cards, or print them…")
	s.Control("dialog", "All cards").Control("button", "Print").Click()
	s.Wait(`globalThis.printed?.trim() === "by address"`)
	s.Eval(`void dispatchEvent(new Event("afterprint"))`, nil)
}
