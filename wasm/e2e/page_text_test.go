//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// textLogs has two runs with texts: one a step, some of them hostile, a table, Markdown.
func textLogs(t *testing.T, notes ...string) *logs {
	t.Helper()
	l := newLogs(t)
	for _, run := range []string{"a", "b"} {
		l.file(run, "1700000000.host.1.0", func(w *summary.Buffer) {
			for i, n := range notes {
				if err := w.Text("notes", n, int64(10*i), summary.WallSeconds(epoch)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.TextTable("table", [][]string{{"*name*", "value"}, {"run", run}}, 3, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		})
	}
	return l
}

// card is the card of a tag and run.
func textCard(tag, run string) string {
	return `document.querySelector('article[aria-label="` + tag + `, ` + run + `"]')`
}

// The texts of every step, as Markdown, by slider and keys; a table for tensors.
func TestTextBoard(t *testing.T) {
	t.Parallel()
	l := textLogs(t, "# First\n\n* one\n* two", "second **bold** ~~gone~~", "| a | b |\n|---|---|\n| 1 | 2 |")
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := open(t, kind, serve(t, l.dir).URL+"#text")
			a := textCard("notes", "a")
			v.Wait(a + `?.querySelector("table td")?.innerText === "1"`) // the last step, laid out
			v.said(a, "text")
			v.Wait(a + `.innerText.includes("step 20") && ` + a + `.innerText.includes("3 of 3")`)
			v.Eval(`void ((s) => { s.value = 0; s.dispatchEvent(new Event("input", {bubbles: true})); })(`+a+`.querySelector("input[type=range]"))`, nil)
			v.Wait(a + `.querySelector("h1")?.innerText === "First" && ` + a + `.querySelectorAll("li").length === 2 && ` + a + `.innerText.includes("step 0")`)
			v.Eval(`void (`+a+`.focus(), `+a+`.dispatchEvent(new KeyboardEvent("keydown", {key: ".", bubbles: true})))`, nil)
			v.Wait(a + `.querySelector("strong")?.innerText === "bold" && ` + a + `.querySelector("del")`)
			// The other run's card has its own step.
			v.Wait(textCard("notes", "b") + `.innerText.includes("step 20")`)
			for _, run := range []string{"a", "b"} {
				table := textCard("table", run)
				v.Wait(table + `?.querySelectorAll("td").length === 4 && ` + table + `.querySelector("em")?.innerText === "name" && ` + table + `.querySelectorAll("td")[3].innerText === ` + quote(run))
			}
			// As logged.
			v.Eval(`void [...document.querySelectorAll("label")].find((l) => l.innerText.includes("as logged")).querySelector("input").click()`, nil)
			v.Wait(a + `.querySelector("pre")?.innerText === "second **bold** ~~gone~~"`)
			v.Wait(`location.hash.includes("raw=true")`)
			// A filter of tags, and back.
			v.Eval(`void ((s) => { s.value = "table"; s.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelector("input[placeholder^='Filter tags']"))`, nil)
			v.Wait(`document.querySelectorAll("article").length === 2`)
		})
	}
}

// What is logged while the card is open appears, unless the user looks at another step.
func TestTextFollows(t *testing.T) {
	t.Parallel()
	l := textLogs(t, "one", "two")
	path := l.path("a", "1700000000.host.1.0")
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#text")
	a, b := textCard("notes", "a"), textCard("notes", "b")
	v.Wait(a + `?.innerText.includes("two") && ` + b + `?.innerText.includes("two")`)
	l.add(path, records(func(w *summary.Buffer) { w.Text("notes", "three", 99) }))
	v.Wait(`(tensorbored.reload(), ` + a + `.innerText.includes("three") && ` + a + `.innerText.includes("3 of 3"))`)
	v.Eval(`void ((s) => { s.value = 0; s.dispatchEvent(new Event("input", {bubbles: true})); })(`+a+`.querySelector("input[type=range]"))`, nil)
	v.Wait(a + `.innerText.includes("one")`)
	l.add(path, records(func(w *summary.Buffer) { w.Text("notes", "four", 100) }))
	v.Wait(`(tensorbored.reload(), ` + a + `.innerText.includes("1 of 4"))`)
	v.Wait(a + `.innerText.includes("one") && !` + a + `.innerText.includes("four")`)
}

// hostileTexts try to run something, to load something, or to look like the page.
var hostileTexts = []string{
	`<script>globalThis.owned = 1</script>`,
	`<img src=x onerror="owned = 1">`,
	`<img src="https://evil.example/pixel.png">`,
	`![p](https://evil.example/pixel.png)`,
	`<svg onload="owned=1"><animate onbegin=owned=1 attributeName=x dur=1s></svg>`,
	`<svg><style><img src=x onerror=owned=1></style></svg>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=owned=1&gt;">`,
	`[x](javascript:owned=1)`, "[x](java\nscript:owned=1)", `[x](JaVaScRiPt:owned=1)`, `[x](data:text/html,<script>owned=1</script>)`, `[x](vbscript:owned=1)`,
	`<a href="&#106;avascript:owned=1">x</a>`, `<a href=" javascript:owned=1">x</a>`, `<javascript:owned=1>`,
	`<iframe src="javascript:owned=1"></iframe><object data="javascript:owned=1"></object><embed src="javascript:owned=1">`,
	`<form action="javascript:owned=1"><button formaction="javascript:owned=1">x</button><input type=image src=x onerror=owned=1></form>`,
	`<body onload=owned=1>`, `<details open ontoggle=owned=1>x</details>`, `<video><source onerror=owned=1></video>`, `<audio src=x onerror=owned=1>`,
	`<style>body { display: none }</style>`, `<link rel=stylesheet href="https://evil.example/x.css">`, `<meta http-equiv=refresh content="0;url=https://evil.example">`, `<base href="https://evil.example/">`,
	`<div style="position:fixed;inset:0;background:red">x</div>`, `<div id=app class=tip>x</div>`, `<input name=getElementById><input id=tbBoot>`,
	"```html\n<script>owned = 1</script>\n```", "`<img src=x onerror=owned=1>`",
	`<template><script>owned=1</script></template>`, `<noscript><p title="</noscript><img src=x onerror=owned=1>">`, `<xmp><p title="</xmp><img src=x onerror=owned=1>">`,
	`<a href="https://example.org" target=_self onclick=owned=1>x</a>`, "<p/onclick=owned=1>x", "<<script>owned=1//<</script>", "\x00<scr\x00ipt>owned=1</script>",
	`<table background="javascript:owned=1"><tr><td background="https://evil.example/">x</td></tr></table>`,
	`<x-y onclick=owned=1>z</x-y>`, `<portal src="https://evil.example">`, `<frameset onload=owned=1>`, `<marquee onstart=owned=1>x</marquee>`, `<isindex type=image src=1 onerror=owned=1>`,
	strings.Repeat("> ", 500) + "deep", strings.Repeat("[", 3000), strings.Repeat("*a_", 3000), strings.Repeat("<div>", 2000),
}

// Nothing of a text runs, loads, or leaves its card.
func TestTextIsHarmless(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.file("r", "1700000000.host.1.0", func(w *summary.Buffer) {
		for i, h := range hostileTexts {
			if err := w.Text(fmt.Sprintf("h%d", i), h, 0, summary.WallSeconds(epoch)); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h := serve(t, l.dir)
			v := open(t, kind, h.URL+"#text")
			v.Wait(`globalThis.tbMarkdown`)
			n := len(hostileTexts)
			// Every card is looked at: those off the screen are empty.
			for i := range n {
				card := textCard(fmt.Sprintf("h%d", i), "r")
				v.Wait(`(` + card + ` ?? [...document.querySelectorAll("button.more")].find((b) => b.offsetParent)?.click(), ` + card + `)`)
				v.Eval(`void `+card+`.scrollIntoView()`, nil)
				v.Wait(card + `.querySelector(".text-body")?.childNodes.length > 0 && ` + card + `.innerText.includes("step 0")`)
				var bad []string
				v.Eval(`(() => {
					const body = `+card+`.querySelector(".text-body"), bad = [];
					for (const e of body.querySelectorAll("*")) {
						if (/^(script|style|iframe|object|embed|form|link|meta|base|svg|math|template|video|audio|button|portal|frameset|marquee|noscript|xmp)$/i.test(e.localName) || e.localName.includes("-")) bad.push(e.localName);
						if (e.localName === "img" && !e.src.startsWith("data:")) bad.push("img " + e.src);
						for (const a of e.attributes) {
							if (/^on/i.test(a.name) || ["style", "background", "srcset", "name", "formaction", "action"].includes(a.name) || (a.name === "class" && !/^(markdown|text-raw|quiet|code-[a-z-]+$)/.test(a.value)) || a.name === "id") bad.push(a.name + "=" + a.value);
							if (a.name === "href" && !/^(https?:|mailto:|#)/i.test(a.value)) bad.push("href " + a.value);
						}
						if (e.localName === "a" && e.href && (e.target !== "_blank" || !e.rel.includes("noopener"))) bad.push("a without noopener");
					}
					return bad;
				})()`, &bad)
				if len(bad) > 0 {
					t.Errorf("%.80q leaves %q", hostileTexts[i], bad)
				}
			}
			var owned any
			if v.Eval(`globalThis.owned ?? null`, &owned); owned != nil {
				t.Error("a text was run")
			}
			v.Wait(`document.getElementById("app") && getComputedStyle(document.body).display !== "none" && document.title.includes("tensorbored")`)
		})
	}
}

// A tab of which the logdir has nothing is marked, and its page says so.
func TestTabWithoutData(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("r", map[string][]point{"loss": curve(1, 0, 5)})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL+"#text")
	v.Wait(`document.querySelector("main").innerText.includes("No texts in this logdir")`)
	v.Wait(`[...document.querySelectorAll("nav button")].find((b) => b.innerText === "Text").title.includes("Nothing of this kind")`)
	v.Eval(`void [...document.querySelectorAll("nav button")].find((b) => b.innerText === "Time series").click()`, nil)
	v.Wait(`document.querySelector("article.card") && location.hash.startsWith("#timeseries")`)
	v.Wait(`![...document.querySelectorAll("nav button")].find((b) => b.innerText === "Time series").title`)
}

// Where there are more tabs than room, that of the open dashboard is in sight.
func TestTabInSight(t *testing.T) {
	t.Parallel()
	l := textLogs(t, "hello")
	v := start(t, browsertest.Chromium)
	v.Resize(900, 700)
	v.Open(serve(t, l.dir).URL + "#pr_curves")
	// Every dashboard has its tab whole, or is in the menu; the open one has its tab.
	seen := func(name string) {
		t.Helper()
		v.Wait(`(nav => {
			const n = nav.getBoundingClientRect(), tabs = [...nav.children].filter(t => t.checkVisibility());
			return nav.querySelector("[aria-current=page]").innerText === ` + quote(name) + ` && tabs.length > 2 && tabs.at(-1).innerText === "More"
				&& tabs.every(t => { const r = t.getBoundingClientRect(); return r.left >= n.left - 1 && r.right <= n.right + 1; }) && tabs.some(t => t.ariaCurrent);
		})(document.querySelector("nav"))`)
	}
	seen("PR curves")
	v.Eval(`tensorbored.ready`, nil) // a menu says what was known when it was opened
	v.Eval(`void (location.hash = "timeseries")`, nil)
	seen("Time series")
	v.Eval(`void (location.hash = "text")`, nil)
	seen("Text")
	for _, wide := range []int{830, 768, 640, 390} {
		v.Resize(wide, 700)
		seen("Text")
	}
	v.Control("button", "More").Get("e.focus()", nil)
	v.Press("Enter")
	v.Control("menuitem", "Images (nothing logged)").Wait()
	v.Control("menuitem", "Text*").Gone()
	v.Control("menuitem", "PR curves*").Get("e.focus()", nil)
	v.Press("Enter")
	seen("PR curves")
	v.Resize(1900, 700)
	v.Control("button", "More").Gone()
}
