//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// hogging is a front end that takes memory, and writes into it, until it has 4 GB or is refused.
const hogging = `export function render() {
	const keep = globalThis.keep = [];
	const more = () => {
		try { for (let i = 0; i < 4; i++) keep.push(new Uint8Array(2 ** 26).fill(keep.length + 1)); } catch (e) {
			document.body.textContent = "refused at " + keep.length / 16 + " GB";
			return;
		}
		document.body.textContent = (keep.length < 64 ? "takes " : "has ") + keep.length / 16 + " GB";
		if (keep.length < 64) setTimeout(more);
	};
	more();
}`

// bursting is a front end that takes memory until its browser ends it, once.
const bursting = `export async function render() {
	if ((await tensorbored.state.get()).burst) {
		document.body.textContent = "begun anew";
		return;
	}
	document.body.textContent = "bursting";
	await tensorbored.state.set({burst: "1"});
	setTimeout(() => { for (const keep = [];;) keep.push(new Array(2 ** 24).fill(keep.length + .5)); }, 300);
}`

// A front end that takes 4 GB, in a sealed frame or at an origin of its own, stops nothing else on the page. Where the
// browser ends it for what it takes, the page says so, and begins it again, with those that were ended with it, when it is asked to.
func TestPageHostileMemory(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	const own = `, "isolation": "origin"`
	hog, apart1 := written(t, "hog", "", map[string]string{"index.js": hogging}), written(t, "hog_apart", own, map[string]string{"index.js": hogging})
	burst, apart2 := written(t, "burst", "", map[string]string{"index.js": bursting}), written(t, "burst_apart", own, map[string]string{"index.js": bursting})
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			h, _ := apart(t, l.dir, hog, apart1, burst, apart2, example(t, "greetings"))
			s := comes(t, kind, h)
			s.Resize(3000, 900)
			s.Allow("") // that it ends a frame a browser says on the console
			t.Cleanup(func() {
				if t.Failed() {
					var text string
					s.TryEval(`JSON.stringify(seen) + document.querySelector(".plugin-hold:not([hidden])")?.innerText`, &text)
					t.Log(text)
				}
			})
			others := func() {
				t.Helper()
				s.Control("button", "Time series").Click()
				s.Wait(`document.querySelector("article.card canvas")`)
				s.Eval(`seen.text = ""`, nil)
				s.Control("button", "Greetings").Click()
				s.tells("Hello, Alice!, Hello, Bob!")
			}
			s.fresh("#example_basic")
			s.tells("Hello, Alice!, Hello, Bob!")
			for _, name := range []string{"hog", "hog_apart"} {
				if kind == browsertest.Firefox && name == "hog_apart" {
					break // there it is of the page's process as the other
				}
				s.Control("button", name).Click()
				s.tells(" GB")
				others()
				s.Control("button", name).Click()
				s.Wait(`/^(has 4|refused at .*) GB$/.test(seen.all["/plugins/` + name + `/tensorbored_entry.html"])`)
				others()
				// Which gives back what it took.
				s.pageSettings().Control("checkbox", "Plug-in "+name).Click()
				s.Press("Escape")
				s.Wait(`!document.querySelector('.plugin-hold[aria-label="` + name + `"]')`)
			}
			if kind == browsertest.Firefox {
				return // which ends the page with it: TestPagePluginStoodStill
			}
			for _, name := range []string{"burst", "burst_apart"} {
				s.Control("button", name).Click()
				s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes("The plug-in ` + name + ` has not given its turn back for some seconds, or the browser has ended it, as for want of memory")`)
				s.Control("button", "End it").Click()
				s.Wait(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes("The plug-in ` + name + ` was stopped: it did not answer any more.")`)
				s.Wait(`!document.querySelector(".plugin-hold:not([hidden]) iframe")`)
				others()
				s.Control("button", name).Click()
				s.Control("button", "Start it again").Click()
				s.tells("begun anew")
			}
		})
	}
}
