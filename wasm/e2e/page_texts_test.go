//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Ten thousand steps as a list, the newest first: a few rows are there at a time; a search
// looks into all of them; a row opens its step.
func TestTextList(t *testing.T) {
	t.Parallel()
	const n = 10_000
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i := range n {
			text := fmt.Sprintf("text **number %d**", i)
			if i%2500 == 40 {
				text += " with the Needle in it"
			}
			if i == n-1 {
				text += " [elsewhere](https://example.com/)"
			}
			if err := w.Text("notes", text, int64(10*i), summary.WallSeconds(epoch+float64(i))); err != nil {
				t.Fatal(err)
			}
		}
	})
	l.file("single", "1700000000.host.1.0", func(w *summary.Buffer) {
		if err := w.Text("notes", "alone", 7, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#text&list=true")
			card := v.Control("article", "notes, r")
			v.Control("article", "notes, single").Control("status", "1 step").Wait()
			el := textCard("notes", "r")
			card.Control("status", "10,000 steps").Wait()
			first := card.Control("listitem", "step 99,990")
			first.Is(`e.querySelector("strong")?.innerText === "number 9999"`)
			few := func() {
				t.Helper()
				v.Wait(el + `.querySelectorAll(".text-row").length < 40`)
			}
			few()
			// A link in it is a link.
			v.Eval(`addEventListener("click", e => { if (e.target.closest("a")) { e.preventDefault(); globalThis.went = e.target.href; } }, true)`, nil)
			first.Control("link", "elsewhere").Click()
			v.Wait(`globalThis.went === "https://example.com/"`)
			first.Wait()
			// As logged, and as Markdown again.
			raw := v.Control("checkbox", "Show texts as logged")
			raw.Click()
			first.Is(`e.innerText.includes("text **number 9999** [elsewhere](")`)
			raw.Click()
			first.Is(`e.querySelector("strong")?.innerText === "number 9999"`)
			// To the end, and to the middle.
			v.Eval(`void (`+el+`.querySelector(".text-scroll").scrollTop = 1e9)`, nil)
			card.Control("listitem", "step 0").Is(`e.querySelector("strong")?.innerText === "number 0"`)
			few()
			v.Eval(`void (`+el+`.querySelector(".text-scroll").scrollTop = 96 * 4999)`, nil)
			card.Control("listitem", "step 50,000").Is(`e.querySelector("strong")?.innerText === "number 5000"`)
			few()
			// The search looks where nothing has been read, whatever the case.
			card.Control("searchbox", "Search all steps").Fill("nEEdle")
			card.Control("status", "in 4 of 10,000 steps").Wait()
			for _, step := range []string{"75,400", "50,400", "25,400", "400"} {
				card.Control("listitem", "step "+step).Wait()
			}
			card.Is(`[...e.querySelectorAll("[role=listitem]")].sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y).map(r => r.ariaLabel).join(" ") === "step 75,400 step 50,400 step 25,400 step 400"`)
			// A row opens its step, and there is a way back.
			card.Control("listitem", "step 50,400").Control("button", "step 50,400*").Click()
			v.Wait(el + `.querySelector(".text-body:not(.text-preview)").innerText.includes("number 5040 with the Needle")`)
			card.Control("status", "step 50,400").Wait()
			card.Control("button", "All steps").Click()
			card.Control("status", "in 4 of 10,000 steps").Wait()
			card.Control("searchbox", "Search all steps").Fill("")
			card.Control("status", "10,000 steps").Wait()
			first.Wait()
		})
	}
}

// What is different between two steps, and between two runs, by lines and by words.
func TestTextDiff(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	for _, run := range []string{"a", "b"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			for i, text := range []string{"one\ntwo\nand\nthree", "one\n2\nthree", "one\n2\nthree of " + run} {
				if err := w.Text("notes", text, int64(i), summary.WallSeconds(epoch)); err != nil {
					t.Fatal(err)
				}
			}
			same := strings.Repeat("same\n", 20)
			for i, text := range []string{same + "old\n" + same, same + "new\n" + same} {
				if err := w.Text("long", text, int64(i), summary.WallSeconds(epoch)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#text")
			card := v.Control("article", "notes, a")
			card.Control("status", "step 2").Wait()
			card.Control("button", "What is different (d)").Click()
			d := v.Control("dialog", "What is different")
			parts := func(want string) {
				t.Helper()
				v.Wait(`[...document.querySelectorAll("dialog .diff > *")].map((e) => ({INS: "+", DEL: "-", SPAN: " "})[e.tagName] + e.textContent.replaceAll("\n", "/")).join("|") === ` + quote(want))
			}
			parts(" one/2/|-three/|+three of a/") // the step before
			d.Control("slider", "From: step").Slide(0)
			parts(" one/|-two/and/three/|+2/three of a/")
			d.Control("status", "2 lines added, 3 removed.").Wait()
			v.said(dialog, "text-diff")
			d.Control("combobox", "From: tag and run").Choose("notes · b")
			parts(" one/|-two/and/three/|+2/three of a/") // at the same step
			d.Control("slider", "From: step").Slide(1)
			parts(" one/2/|-three of b/|+three of a/")
			d.Control("radio", "Words").Click()
			parts(" one/2/three of |-b|+a")
			d.Control("button", "The other way round").Click()
			parts(" one/2/three of |-a|+b")
			// What is the same for long is told by how much it is.
			d.Control("radio", "Lines").Click()
			d.Control("combobox", "From: tag and run").Choose("long · a")
			d.Control("combobox", "To: tag and run").Choose("long · b")
			d.Control("slider", "From: step").Slide(0)
			parts(" ⋯ 17 equal lines ⋯/| same/same/same/|-old/|+new/| same/same/same/| ⋯ 17 equal lines ⋯/")
			v.Press("Escape")
			d.Gone()
		})
	}
}

// Fenced code has colours where its language is known, and is plain where it is not.
func TestTextCode(t *testing.T) {
	t.Parallel()
	l := textLogs(t, "```python\ndef f(x):\n    return 'y'  # z\n```\n\n```constructor\nplain <b>\n```\n\n```__proto__\nplain too\n```")
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#text")
	a := textCard("notes", "a")
	for class, text := range map[string]string{"keyword": "def", "string": "'y'", "comment": "# z", "function": "f"} {
		v.Wait(`[...` + a + `?.querySelectorAll(".code-` + class + `") ?? []].some((e) => e.innerText === ` + quote(text) + `)`)
	}
	v.Wait(a + `.querySelectorAll("pre code").length === 3 && ` + a + `.querySelectorAll("pre code")[1].innerText === "plain <b>\n" && !` + a + `.querySelectorAll("pre code")[1].children.length`)
}

// Texts that would take a parser minutes, and one of ten megabytes, do not hold up the page.
func TestTextBombs(t *testing.T) {
	t.Parallel()
	const long = 10 << 20
	bombs := map[string]string{
		"emphasis": strings.Repeat("_a__b", 38_000), "quotes": strings.Repeat("> ", 90_000) + "x", "table": "|a|\n|-|\n" + strings.Repeat("|b|\n", 1_000_000),
	}
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for _, name := range sortedKeys(bombs) {
			if err := w.Text(name, bombs[name], 0, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Text("marked", strings.Repeat("some **bold** words\n\n", 3000), 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
		if err := w.Text("long", strings.Repeat("all work and no play\n", long/21), 0, summary.WallSeconds(epoch)); err != nil {
			t.Fatal(err)
		}
	})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#text")
	v.Resize(1280, 1200)
	v.Wait(textCard("emphasis", "r") + `?.innerText.includes("too intricate")`)
	v.Wait(textCard("quotes", "r") + `.innerText.includes("As it was logged")`)
	v.Wait(textCard("table", "r") + `.innerText.includes("too long to be laid out") && ` + textCard("table", "r") + `.innerText.includes("of 3.81 MB")`)
	v.Wait(textCard("marked", "r") + `.querySelectorAll("strong").length === 3000`)
	card := v.Control("article", "long, r")
	card.Control("button", "The first 256 KB of 10 MB: read more").Click()
	card.Control("button", "The first 1 MB of 10 MB: read more").Click()
	card.Control("button", "The first 4 MB of 10 MB: read more").Click()
	v.Wait(`(t => t.length > 10e6 && t.startsWith("all work and no play\nall") && !t.split("\n").slice(0, -1).some(l => l.trim() !== "" && l !== "all work and no play" && !l.startsWith("This text")))(` +
		textCard("long", "r") + `.querySelector(".text-body").textContent)`)
	card.Control("button", "The first*").Gone()
}
