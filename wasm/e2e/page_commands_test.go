//go:build !js

package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// effect is a script: tbEffect.lines() is what a user finds on the page and what the view's
// address is; tbEffect.at(i) is the line with a number of the open palette, and
// tbEffect.names() are the commands in it.
const effect = `globalThis.tbEffect = {
	lines: () => [decodeURIComponent(location.hash),
		...(document.activeElement === document.body ? [] : ["the focus is on " + tbUser.role(document.activeElement) + " " + JSON.stringify(tbUser.name(document.activeElement).slice(0, 60))]),
		...tbOutline(document.body).map((l) => l.trim()).filter((l) => !/^status "(Undo|.* is shown)|^contentinfo|^button "Undo/.test(l))],
	at: (i) => {
		const rows = document.querySelector(".palette-scroll");
		rows.scrollTop = i * 30;
		return tbHands.frame().then(tbHands.frame).then(() => rows.querySelector("[data-at='" + i + "']"));
	},
	names: async () => {
		const all = [];
		for (let i = 0, n = 1; i < n; i++) {
			const e = await tbEffect.at(i);
			n = +e.ariaSetSize;
			const of = e.querySelector("span.quiet")?.textContent ?? "";
			if (of && of !== "Card") break;
			all.push(e.querySelector(".palette-name").textContent);
		}
		return all;
	},
};`

var notLetters = regexp.MustCompile(`[^a-z]+`)

// What a user can do by the palette does what it did when somebody looked: for each command of the
// page, the dashboard and the card with the focus a file in testdata/said/commands holds what is
// on the page then that was not there before (+), and what is no more (-). The commands themselves
// are those in testdata/said/commands.txt.
func TestPageCommands(t *testing.T) {
	t.Parallel()
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before("{" + saying + ";" + effect + "}")
	begin := func() {
		s.fresh("#timeseries&tagFilter=up&runs=alpha,beta&smoothing=0.3")
		s.Control("article", "line/up").Get("e.focus()", nil)
		s.Wait(`!document.querySelector("article [aria-label='Not drawn yet']")`)
	}
	lines := func() (out []string) {
		s.Rest()
		s.Eval("tbEffect.lines()", &out)
		return out
	}
	open := func() {
		s.Press("k", "Control")
		s.Control("combobox", "Find commands, tags, runs, settings").Focused()
		s.Rest()
	}
	same := func(a, b string) bool { return a == b }
	begin()
	open()
	var names []string
	// What leads out of the page is tried elsewhere.
	out := func(name string) bool {
		return name == "Open a folder…" || name == "Open an archive of logs…" || name == "Reload" || name == "Print all cards"
	}
	s.asKept(func(got *[]string) error {
		err := s.TryEval("tbEffect.names()", &names)
		*got = slices.DeleteFunc(slices.Clone(names), out)
		return err
	}, "said/commands", same)
	for i, name := range names {
		if out(name) {
			continue
		}
		begin()
		before := lines()
		open()
		s.Eval(fmt.Sprintf("tbEffect.at(%d).then((e) => void e.querySelector('.palette-name').click())", i), nil)
		s.asKept(func(got *[]string) error {
			*got = changed(before, lines())
			return nil
		}, "said/commands/"+strings.Trim(notLetters.ReplaceAllString(strings.ToLower(name), "-"), "-"), same)
	}
}

// changed is what is in one list of lines and not in the other: the first of each, and how many.
func changed(before, after []string) (out []string) {
	const most = 6
	only := func(sign string, in, not []string) {
		left := map[string]int{}
		for _, l := range not {
			left[l]++
		}
		n := 0
		for _, l := range in {
			if left[l]--; left[l] >= 0 {
				continue
			}
			if n++; n <= most {
				out = append(out, sign+" "+l)
			}
		}
		if n > most {
			out = append(out, fmt.Sprintf("%s %d lines", sign, n))
		}
	}
	only("+", after, before)
	only("-", before, after)
	return out
}
