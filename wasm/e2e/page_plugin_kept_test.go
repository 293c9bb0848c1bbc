//go:build !js

package e2e

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// keptDo runs a script over the table of plug-ins that the browser keeps: table, and wish, which
// awaits a request.
func (s *screen) keptDo(script string) {
	s.t.Helper()
	s.Eval(`(async () => {
		const wish = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error); });
		const db = await wish(indexedDB.open("tensorbored-static.plugins", 1));
		const t = db.transaction("dropped", "readwrite"), table = t.objectStore("dropped");
		const done = new Promise((yes) => { t.oncomplete = yes; });
		`+script+`
		await done;
		db.close();
	})()`, nil)
}

// isKept says that the plug-in small is kept: a page that is left sooner takes it along, although the mark that there
// are some stands by then.
const isKept = `tbPlugins.get("small").unkept === "" && localStorage.getItem("tensorbored-static.plugins") === "1"`

// dropped drops the plug-in of a folder.
func (s *screen) dropped(kind browsertest.Kind, dir string) {
	s.t.Helper()
	if kind == browsertest.Chromium {
		s.Drop("header.top", dir)
		return
	}
	// Firefox cannot be told to drop.
	s.Eval(`(async () => {
		const entry = {name: "x.zip", isDirectory: false}, zip = new File([Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(zipOf(s.t, dir))+`"), (c) => c.charCodeAt(0))], "x.zip");
		const e = new Event("drop", {bubbles: true, cancelable: true});
		e.dataTransfer = {types: ["Files"], files: [zip], items: [{kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => zip}]};
		document.body.dispatchEvent(e);
	})()`, nil)
}

// A plug-in that was dropped is there after a reload, and nothing of it runs before its tab is
// opened. What was torn or changed in the browser's database is not started. It can be removed.
func TestPagePluginKept(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := comes(t, kind, plugged(t, l.dir))
			s.fresh("")
			drop := func() {
				t.Helper()
				dir := written(t, "small", "", map[string]string{"index.js": `import {text} from "./lib.js"; export function render() { document.body.textContent = text; }`, "lib.js": `export const text = "as it was";`})
				s.dropped(kind, dir)
				s.tells("as it was")
				s.Wait(isKept)
			}
			open := func() {
				t.Helper()
				s.Control("button", "Time series").Click()
				s.again()
				s.Control("button", "small").Is(`e`)
				var loaded bool // the script that runs plug-ins, or a frame of one
				if s.Eval(`[...document.scripts].some((e) => /\/plugin\.[0-9a-f]+\.js$/.test(e.src)) || document.querySelector("iframe") !== null`, &loaded); loaded {
					t.Error("something of the plug-in was loaded before it was opened")
				}
				s.Eval(`seen.text = ""`, nil)
				s.Control("button", "small").Click()
			}
			said := func(text string) {
				t.Helper()
				s.Wait(fmt.Sprintf(`document.querySelector(".plugin-hold:not([hidden])").innerText.includes(%q)`, text))
			}
			drop()
			open()
			s.tells("as it was")

			for _, change := range []string{
				`const r = await wish(table.get("small")); r.files = r.files.map(([p, f]) => [p, p.endsWith("lib.js") ? new Blob(["export const text = 'as it  was';"]) : f]); await wish(table.put(r));`,
				`const r = await wish(table.get("small")); r.files.pop(); await wish(table.put(r));`,
				`const r = await wish(table.get("small")); r.text = r.text.replace("/index.js", "/lib.js"); await wish(table.put(r));`,
			} {
				s.keptDo(change)
				open()
				said("The plug-in small was not opened: what this browser kept of it was changed or damaged.")
				s.Wait(`!seen.text && localStorage.getItem("tensorbored-static.plugins") === null`)
				drop()
			}

			s.pageSettings().Control("button", "Remove small").Click()
			s.Press("Escape")
			s.Wait(`![...document.querySelectorAll("nav .tab")].some((e) => e.textContent === "small") && localStorage.getItem("tensorbored-static.plugins") === null`)
			s.again()
			s.Wait(`![...document.querySelectorAll("nav .tab")].some((e) => e.textContent === "small")`)
			s.keptDo(`if (await wish(table.count())) throw new Error("it is still there");`)
		})
	}
}

// A plug-in that was dropped takes the place of the site's of its name. When it is removed that one is there at once,
// and it is what a new page has.
func TestPagePluginUnder(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	small := func(title, text string) string {
		dir := written(t, "small", "", map[string]string{"index.js": `export function render() { document.body.textContent = "` + text + `"; }`})
		put(t, dir+"/plugin.json", []byte(`{"manifest_version": 1, "name": "small", "frontend_metadata": {"es_module_path": "/index.js", "tab_name": "`+title+`"}}`))
		return dir
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := comes(t, kind, plugged(t, l.dir, small("Listed", "of the site"), example(t, "greetings")))
			tabs := func(want string) {
				t.Helper()
				s.Wait(`[...document.querySelectorAll("nav .tab")].map((e) => e.textContent).filter((t) => ["Listed", "Mine", "Greetings"].includes(t)).sort().join() === "` + want + `"`)
			}
			remove := func() {
				t.Helper()
				dialog := s.pageSettings()
				dialog.Control("button", "Remove Mine").Click()
				tabs("Greetings,Listed")
				dialog.Is(`e.innerText.includes("Listed") && !e.innerText.includes("dropped")`)
				s.Press("Escape")
				s.tells("of the site")
			}
			s.fresh("#small")
			s.tells("of the site")
			s.dropped(kind, small("Other", "dropped first"))
			s.tells("dropped first")
			s.dropped(kind, small("Mine", "dropped"))
			s.Wait(`seen.text === "dropped"`)
			tabs("Greetings,Mine")
			remove()

			// As it was kept.
			s.dropped(kind, small("Mine", "dropped"))
			s.Wait(`seen.text === "dropped" && ` + isKept)
			s.again()
			s.tells("dropped")
			remove()
			s.Wait(`localStorage.getItem("tensorbored-static.plugins") === null`)
			s.again()
			s.tells("of the site")
			tabs("Greetings,Listed")
		})
	}
}

// What is too large to keep is there until the page is closed, and that is said.
func TestPagePluginNotKept(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	s := comes(t, browsertest.Chromium, plugged(t, l.dir))
	s.fresh("")
	front := `export function render() { document.body.textContent = "shown"; }`
	s.Drop("header.top", written(t, "large", "", map[string]string{"index.js": front, "data.bin": strings.Repeat("x", 65<<20)}))
	s.tells("shown")
	s.Wait(`document.body.innerText.includes("This plug-in is not kept, since it has 65 MB and may have 64 MB")`)
	for i := range 3 {
		s.Drop("header.top", written(t, fmt.Sprint("part", i), "", map[string]string{"index.js": front, "data.bin": strings.Repeat("x", 50<<20)}))
		s.Wait(fmt.Sprintf(`location.hash.startsWith("#part%d") && seen.text.includes("shown")`, i))
		if i < 2 {
			s.Wait(fmt.Sprintf(`localStorage.getItem("tensorbored-static.plugins") === "%d"`, i+1))
		}
	}
	s.Wait(`document.body.innerText.includes("all that are would have 150 MB and may have 128 MB")`)
	// Dropped once more it takes its own place.
	s.Drop("header.top", written(t, "part1", "", map[string]string{"index.js": `export function render() { document.body.textContent = "anew"; }`, "data.bin": strings.Repeat("y", 60<<20)}))
	s.Wait(`location.hash.startsWith("#part1") && seen.text.includes("anew") && tbPlugins.get("part1").unkept === ""`)
	s.pageSettings().Is(`e.innerText.includes("dropped, 65 MB, not kept") && e.innerText.includes("dropped, 50 MB") && e.innerText.includes("dropped, 60 MB") && !e.innerText.includes("60 MB, not kept")`)
	s.again()
	s.Control("button", "part1").Is(`e`)
	s.Wait(`![...document.querySelectorAll("nav .tab")].some((e) => e.textContent === "large" || e.textContent === "part2")`)
}
