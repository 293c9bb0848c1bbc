//go:build !js

package e2e

import (
	"path/filepath"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/plugins"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// A plug-in is a dashboard in the palette and in profiles, which keep what it shows; a change of its files is seen at
// once where it is served to its author.
func TestPagePluginBoard(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			front := func(word string) string {
				return `export function render() {
					setInterval(async () => { document.body.textContent = "` + word + ` " + ((await tensorbored.state.get()).chosen ?? "nothing"); }, 50);
				}`
			}
			dir := written(t, "fruit", "", map[string]string{"index.js": front("first")})
			s := comes(t, kind, plugging(t, "", l.dir, func(s *plugins.Store) { s.Live = true }, dir))
			s.fresh("")
			s.cards("loss")
			s.Control("button", "fruit").Wait()
			s.choose("fruit", "Fruit")
			s.hash("#fruit")
			s.tells("first nothing")
			s.Eval(`void (location.hash = "#fruit&p.fruit.chosen=apples")`, nil)
			s.tells("first apples")
			s.saveAs("Profile", "Fruit")
			s.Eval(`void (location.hash = "#fruit&p.fruit.chosen=pears")`, nil)
			s.tells("first pears")
			s.menu("Profile: Fruit, unsaved changes").Control("button", "Revert").Click()
			s.tells("first apples")
			s.Press("Escape")

			put(t, filepath.Join(dir, "index.js"), []byte(front("second")))
			s.tells("second apples")
		})
	}
}

// A back end says whether there is something to show, and what is wrong with its flags. Of one that says no, or says
// nothing, there is no frame.
func TestPagePluginInactive(t *testing.T) {
	t.Parallel()
	l := greeted(t)
	const backend = `, "routes": ["/x"], "backend": {"type": "module", "path": "/back.js"}`
	flags := func(name string) string {
		return backend + `, "flags": [{"name": "` + name + `_limit", "type": "int", "default": 7}]`
	}
	of := func(name, manifest, back string) string {
		return written(t, name, manifest, map[string]string{"back.js": back, "index.js": `export async function render() { document.body.textContent = await (await fetch("./x")).text(); }`})
	}
	const answer = `export const request = ({flags}) => ({status: 200, headers: {}, body: new TextEncoder().encode("limit " + Object.values(flags)).buffer});`
	dirs := []string{
		of("empty", backend, answer+`export const isActive = async (data) => (await data.list_runs()).length > 100;`),
		of("silent", backend, answer+`export const isActive = () => new Promise(() => {});`),
		of("odd", flags("odd"), answer+`export const fixFlags = ({odd_limit}) => { throw new Error("odd_limit must not be " + odd_limit); };`),
		of("even", flags("even"), answer+`export const fixFlags = ({even_limit}) => ({even_limit: even_limit + 1}); export const isActive = async (data) => (await data.list_runs()).length > 1;`),
	}
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			s := comes(t, kind, plugged(t, l.dir, dirs...))
			s.Allow("")
			s.fresh("#empty")
			for name, words := range map[string]string{
				"empty":  "The plug-in says that it has nothing to show for these logs.",
				"silent": "This plug-in is inactive: its back end says:",
				"odd":    "odd_limit must not be 7",
			} {
				s.Control("button", name).Click()
				s.Wait(`document.querySelector(".plugin-hold:not([hidden])")?.innerText.includes("` + words + `")`)
				s.Wait(`!document.querySelector(".plugin-hold:not([hidden]) iframe")`)
			}
			s.Control("button", "even").Click()
			s.tells("limit 8")
		})
	}
}
