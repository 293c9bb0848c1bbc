//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// With a baseline run values are also told as differences from it: under the pointer, and
// in the table of a marked step and of a range.
func TestPageBaseline(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.fresh("#timeseries&smoothing=0")
	field := s.Control("textbox", "Baseline run")
	field.Fill("alph")
	field.Is(`e.getAttribute("aria-invalid") === "true"`)
	s.Type("a")
	field.Is(`!e.hasAttribute("aria-invalid")`)
	s.hash("#timeseries&smoothing=0&baseline=alpha")
	card := s.Control("article", "line/up")
	card.Control("heading", "line/up").Click()
	s.Press("Enter")
	s.tips(true, []string{"Run", "Value", "Δ baseline"}, []string{"alpha", "100", ""}, []string{"beta", "0", "-100"})
	s.Press("ArrowLeft")
	s.tips(true, []string{"Run", "Value", "Δ baseline"}, []string{"beta", "1", "-98"}, []string{"alpha", "99", ""})
	s.Press("Escape")
	// A run that the baseline has nothing of the tag for stands alone.
	s.Press("m")
	table := card.Control("region", "Values at the marked steps")
	table.Is(`[...e.querySelectorAll("th")].map(t => t.innerText).join() === "Run,Value,Δ baseline,Step,Time,Relative"`)
	table.Is(`[...e.querySelectorAll("tbody tr")].map(r => [...r.cells].slice(0, 3).map(c => c.innerText.trim()).join(" ")).join() === "alpha 100 ,beta 0 -100"`)
	// The list says which run it is, and the differences stay when that is not shown.
	s.Control("list", "Runs").Control("listitem", "alpha*").Is(`getComputedStyle(e.querySelector(".run-name"), "::after").content === '"baseline"'`)
	s.Control("checkbox", "alpha").Click()
	table.Is(`[...e.querySelectorAll("tbody tr")].map(r => [...r.cells].slice(0, 3).map(c => c.innerText.trim()).join(" ")).join() === "beta 0 -100"`)
	s.Control("checkbox", "alpha").Click()
	field.Fill("")
	s.Control("list", "Runs").Control("listitem", "alpha*").Is(`getComputedStyle(e.querySelector(".run-name"), "::after").content === "none"`)
	table.Is(`!e.innerText.includes("Δ")`)
	s.hash("#timeseries&smoothing=0&marks=line/up:100")

	s.fresh("#timeseries&smoothing=0&baseline=alpha&runs=beta")
	s.draws("line/up", linear, want{"beta", 60, 40, false})
	p := s.still("line/up")
	s.Hover(p.at(60, 40))
	s.tips(false, []string{"Run", "Value", "Δ baseline"}, []string{"beta", "40", "-20"})
	s.Hover(p.at(20, 80))
	s.tips(false, []string{"Run", "Value", "Δ baseline"}, []string{"beta", "80", "+60"})
}
