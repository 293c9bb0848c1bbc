//go:build !js

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// effect is a script: tbEffect.lines() is what a user finds on the page and what the view's
// address is; tbEffect.row(i) chooses the line with a number of the open palette.
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

// What a user can do by the palette does what it did when somebody looked: for each command of the
// page, the dashboard and the card with the focus testdata/said/commands.txt holds what is
// on the page then that was not there before (+), and what is no more (-).
func TestPageCommands(t *testing.T) {
	t.Parallel()
	const start, file = "#timeseries&tagFilter=up&runs=alpha,beta&smoothing=0.3", "testdata/said/commands.txt"
	s := come(t, browsertest.Chromium, pins(t).dir)
	s.Before("{" + saying + ";" + effect + "}")
	writing := os.Getenv("DRAWN") == "write"
	want := map[string][]string{}
	if b, err := os.ReadFile(file); err == nil {
		var of string
		for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
			if name, ok := strings.CutPrefix(line, "# "); ok {
				of = name
				want[of] = nil
			} else {
				want[of] = append(want[of], line)
			}
		}
	} else if !writing {
		t.Fatalf("%v: DRAWN=write makes it", err)
	}
	lines := func() (out []string) {
		s.Rest()
		s.Eval("tbEffect.lines()", &out)
		return out
	}
	begin := func() {
		s.fresh(start)
		s.Control("article", "line/up").Get("e.focus()", nil)
		s.Wait(`!document.querySelector("article [aria-label='Not drawn yet']")`)
	}
	palette := s.Control("combobox", "Find commands, tags, runs, settings")
	begin()
	s.Press("k", "Control")
	palette.Focused()
	s.Rest()
	var names []string
	s.Eval("tbEffect.names()", &names)
	s.Press("Escape")
	var written strings.Builder
	for i, name := range names {
		// What leads out of the page is tried elsewhere.
		if slices.Contains([]string{"Open a folder…", "Reload", "Print all cards"}, name) {
			continue
		}
		begin()
		before := lines()
		s.Press("k", "Control")
		palette.Focused()
		s.Rest()
		s.Eval(fmt.Sprintf("tbEffect.at(%d).then((e) => void e.querySelector('.palette-name').click())", i), nil)
		got := func() []string { return changed(before, lines()) }
		if writing {
			last := got()
			for calm := 0; calm < 10; time.Sleep(100 * time.Millisecond) {
				if now := got(); slices.Equal(now, last) {
					calm++
				} else {
					last, calm = now, 0
				}
			}
			fmt.Fprintf(&written, "# %s\n%s\n", name, strings.Join(last, "\n"))
			continue
		}
		expected, known := want[name]
		if !known {
			t.Errorf("%s is not in %s: DRAWN=write adds it", name, file)
			continue
		}
		delete(want, name)
		s.Until(func() string {
			if now := got(); !slices.Equal(now, expected) {
				return fmt.Sprintf("%s\n%s\nnot\n%s", name, strings.Join(now, "\n"), strings.Join(expected, "\n"))
			}
			return ""
		})
	}
	if writing {
		if err := os.WriteFile(file, []byte(written.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s is written: read it, and run the test again", file)
	}
	for name := range want {
		t.Errorf("%s is no more in the palette", name)
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
