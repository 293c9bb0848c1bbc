//go:build !js

package e2e

import (
	"context"
	_ "embed"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/demo"
	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

//go:embed testdata/axe/axe.min.js
var axe string

// rules are those of WCAG 2.2 AA that a program can check.
const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]`

// accessible fails for every element of the page that breaks a rule.
func (s *screen) accessible(where string) {
	s.t.Helper()
	var broken []string
	s.Eval(`(async () => {
		await Promise.all(document.getAnimations().map(a => a.finished.catch(() => 0))); // colours on their way are no colours
		const found = await axe.run(document, {runOnly: {type: "tag", values: `+rules+`}, resultTypes: ["violations"]});
		return found.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + "\n" + n.html.slice(0, 160) + "\n" + n.failureSummary));
	})()`, &broken)
	if len(broken) > 0 {
		s.t.Errorf("%s: %d elements break rules, such as\n%s", where, len(broken), strings.Join(broken[:min(len(broken), 6)], "\n"))
	}
}

// Every dashboard, in both themes, wide and on a phone, with what opens on it, keeps
// the rules of WCAG 2.2 AA as far as a program can tell.
func TestPageAccessible(t *testing.T) {
	dir := t.TempDir()
	if err := demo.Run(context.Background(), demo.Options{Dir: dir, Steps: 60, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	s := look(t, browsertest.Chromium, dir)
	s.Before(axe)
	for _, dark := range []bool{false, true} {
		s.SystemDark(dark)
		theme := map[bool]string{false: "light", true: "dark"}[dark]
		for _, b := range boards.All() {
			s.Resize(1280, 900)
			s.fresh("#" + b.About().ID)
			s.Wait(`document.querySelector("article, [role=row]")`)
			s.Wait(`!document.querySelector(".loading, [aria-busy=true]")`)
			s.accessible(b.About().Title + ", " + theme)
			s.Resize(390, 800)
			s.accessible(b.About().Title + " on a phone, " + theme)
		}
		s.Resize(1280, 900)
		s.fresh("#timeseries")
		card := s.Control("article", "gradient_norm/output")
		for what, open := range map[string]func(){
			"the profiles":  func() { s.Control("button", "Profile: *").Click() },
			"the colours":   func() { s.Control("button", "Colours of runs").Click() },
			"a card's menu": func() { card.Control("button", "More").Click() },
			"the shortcuts": func() { s.Press("?") },
		} {
			open()
			s.accessible(what + ", " + theme)
			s.Press("Escape")
		}
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
		s.Control("button", "New chart…").Click()
		s.Control("dialog", "New chart").Control("textbox", "Expression 1").Fill("loss(")
		s.accessible("a new chart, " + theme)
		s.Control("radio", "Values with margins").Click()
		s.accessible("a new chart with margins, " + theme)
		s.Press("Escape")
		s.Control("button", "Layout…").Click()
		s.Control("dialog", "Layout").Wait()
		s.accessible("the layout, " + theme)
		s.Control("button", "Export…").Click()
		s.Control("dialog", "Export the layout").Wait()
		s.accessible("the layout's export, " + theme)
	}

	bare := look(t, browsertest.Chromium, "")
	bare.Before(axe)
	bare.Open(bare.url)
	bare.Wait(`document.querySelector("main")?.innerText.trim()`)
	bare.accessible("the page without data")
}
