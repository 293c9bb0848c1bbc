//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A dialog closes by a click beside it: not on its edge, nor where a text is let go of that was
// selected in it.
func TestPageDialog(t *testing.T) {
	t.Parallel()
	l := named(t, "few")
	l.run("r", map[string][]point{"x": curve(1, 0, 5)})
	s := come(t, browsertest.Chromium, l.dir)
	s.Resize(1200, 800)
	s.fresh("#timeseries")
	// beside clicks in and around a dialog that open opens.
	beside := func(open func() browsertest.Control) {
		t.Helper()
		d := open()
		b := d.Box()
		inside, edge := b.Middle(), browsertest.Point{X: b.X + 5, Y: b.Middle().Y}
		outside := browsertest.Point{X: b.X / 2, Y: b.Middle().Y}
		s.Click(edge)
		s.Drag(inside, outside)
		s.Drag(outside, inside)
		s.Rest()
		d.Wait()
		s.Click(outside)
		d.Gone()
	}
	beside(func() browsertest.Control {
		s.choose("picture of all cards", "Picture of all cards, or print them…")
		return s.Control("dialog", "All cards")
	})
	s.Control("button", "Custom scalars").Click()
	s.Control("heading", "No layout of charts in this logdir").Wait()
	beside(func() browsertest.Control {
		s.Press("n")
		return s.Control("dialog", "New chart")
	})
}

// A menu stands in the window, wherever its button is; its first line has the keyboard, arrows go
// round, and a field that is left wrong is as it was.
func TestPageMenus(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.Resize(1280, 380)
	const menu = `document.querySelector(".popup.menu")`
	lines := func() (n int) {
		t.Helper()
		s.Wait(menu)
		s.Eval(menu+`.querySelectorAll(".menu-item").length`, &n)
		return n
	}
	for _, name := range []string{"alpha", "solo/x"} {
		run := s.Control("list", "Runs").Control("listitem", name+"*")
		run.Hover()
		run.Control("button", "Run").Click()
		n := lines()
		s.Wait(`(b => b.top >= 0 && b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight && b.height > 150)(` + menu + `.getBoundingClientRect())`)
		for _, step := range []struct {
			key string
			at  int
		}{{"", 0}, {"ArrowDown", 1}, {"ArrowUp", 0}, {"ArrowUp", n - 1}, {"ArrowDown", 0}} {
			if step.key != "" {
				s.Press(step.key)
			}
			s.Wait(fmt.Sprintf(`document.activeElement === %s.querySelectorAll(".menu-item")[%d]`, menu, step.at))
		}
		s.Press("Escape")
		s.Wait(`!` + menu)
	}
	rows := s.Control("spinbutton", "Tooltip rows")
	rows.Fill("07")
	rows.Value("07") // it is being typed
	rows.Fill("-3")
	rows.Is(`e.getAttribute("aria-invalid") === "true" && /^a number from /.test(e.title)`)
	s.Press("Tab")
	rows.Is(`e.value >= 6 && e.value <= 8 && !e.hasAttribute("aria-invalid") && !e.title`) // a click may have hit its arrows
}

// A list or a dialog that a dashboard has opened ends with the dashboard: over another one a list
// would ask what is there no more, and a dialog hides what the history has brought.
func TestPagePopupEnds(t *testing.T) {
	t.Parallel()
	s := look(t, browsertest.Chromium, pins(t).dir)
	s.Control("button", "Hyperparameters").Click()
	s.hash("#hparams")
	s.Control("button", "Columns").Click()
	list := s.Control("dialog", "Columns")
	list.Control("searchbox", "Search columns").Wait()
	s.Eval(`void setTimeout(() => history.back())`, nil)
	s.cards(first...)
	list.Gone()
	s.Control("button", "Hyperparameters").Click()
	s.hash("#hparams")
	s.Press("?")
	help := s.Control("dialog", "Keys").Wait()
	s.Eval(`void setTimeout(() => history.back())`, nil)
	s.cards(first...)
	help.Gone()
	s.Press("?") // and opens again
	help.Wait()
}

// What the page says in its corner goes after a while, is not said twice at a time, and stays if
// it asks something.
func TestPageSays(t *testing.T) {
	t.Parallel()
	l := named(t, "few")
	l.run("r", map[string][]point{"x": curve(1, 0, 5)})
	empty := named(t, "empty")
	s := come(t, browsertest.Chromium, l.dir)
	s.HoldClock()
	s.fresh("#timeseries")
	said := func(want ...string) {
		t.Helper()
		s.Until(func() string {
			var got []string
			s.Eval(`[...document.querySelectorAll(".tasks .task > span:first-child")].map(e => e.textContent.split(",")[0])`, &got)
			if !slices.Equal(got, want) {
				return fmt.Sprintf("the page says %q, not %q", got, want)
			}
			return ""
		})
	}
	s.Eval(`void (() => {
		globalThis.seen = 0;
		globalThis.twice = false;
		new MutationObserver((list) => {
			for (const m of list) for (const e of m.addedNodes) if (e.innerText?.startsWith("“empty” was not opened")) seen++;
			const all = [...document.querySelectorAll(".tasks .task")].map((e) => e.innerText);
			twice ||= new Set(all).size < all.length;
		}).observe(document.body, {childList: true, subtree: true});
	})()`, nil)
	for i := range 3 {
		s.Drop("body", empty.dir)
		s.Wait(fmt.Sprintf("seen > %d", i))
	}
	s.Wait(`!twice`)
	s.Pass(9 * time.Second)
	said()
	s.saveAs("Profile", "Mine")
	s.menu("Profile: Mine").Control("button", "Save as…").Click()
	s.Control("textbox", "Name").Fill("Mine")
	s.Press("Enter")
	said("There is a profile “Mine” already.")
	s.Pass(time.Minute)
	said("There is a profile “Mine” already.")
	s.Control("status", "There is a profile*").Control("button", "Close").Click()
	said()
}
