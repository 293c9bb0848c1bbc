//go:build !js

package e2e

import (
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// What strangers do with the data API ends nothing: callbacks that throw, questions that throw
// when they are looked at, and more of them than anybody answers at once.
func TestStrangers(t *testing.T) {
	t.Parallel()
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			l := newLogs(t)
			l.run("r", map[string][]point{"x": curve(1, 0, 30)})
			v := start(t, kind)
			v.Allow("a callback of a script failed")
			v.Open(serve(t, l.dir).URL)
			v.Wait(`window.tensorbored`)
			v.Eval(`void (globalThis.calls = 0, globalThis.errors = [],
				tensorbored.on("change", () => { calls++; throw new Error("a stranger's mistake") }),
				tensorbored.on("change", () => { calls++; null.nothing }))`, nil)
			v.whole(l)
			v.Eval(`void (tensorbored.reload(), ["x", undefined, 7n, {toJSON() { throw new Error("no") }}, new Proxy({}, {get() { throw new Error("no") }})].map((q) =>
				tensorbored.ask(q).catch((e) => errors.push(e.message))))`, nil)
			v.Wait(`errors.length === 5 && errors.every((e) => e.startsWith("ask for something like")) && calls > 1`)

			// A client that asks hundreds of things at once, and one that asks one.
			v.Eval(`void (globalThis.got = {}, globalThis.ports = [0, 1].map((i) => {
				const port = tensorbored.port()
				got[i] = []
				port.onmessage = (e) => got[i].push(e.data)
				return port
			}), globalThis.question = {kind: "scalars", runs: ["r"], tags: ["x"], body: {x: "step"}})`, nil)
			v.Eval(`void (() => {
				for (let id = 0; id < 400; id++) ports[0].postMessage({id, method: "ask", args: [question]})
				ports[1].postMessage({id: 1, method: "ask", args: [question]})
				for (const m of [{id: 2, method: "no such"}, {id: 3, method: "status", args: 7}, null, 5, {id: 4, method: "tags", args: ["scalars"]}, {id: 5, method: "on"}]) ports[1].postMessage(m)
			})()`, nil)
			v.Wait(`got[0].filter((m) => m.result?.chunks[0].parts[0].n === 30).length + got[0].filter((m) => /too many/.test(m.error)).length === 400`)
			v.Wait(`got[1].find((m) => m.id === 1)?.result.chunks[0].parts[0].n === 30 && /no method/.test(got[1].find((m) => m.id === 2)?.error)
				&& got[1].find((m) => m.id === 3)?.result.runs === 1 && got[1].find((m) => m.id === 4)?.result.r.x.points === 30 && got[1].some((m) => m.id === 5)`)
			v.Eval(`void tensorbored.reload()`, nil)
			v.Wait(`got[1].some((m) => m.event === "change")`)
			// Who asks twice to be told is told once, and no more after an end.
			v.Eval(`void (ports[1].postMessage({id: 6, method: "on"}), globalThis.told = [0, 0], globalThis.ends = [0, 1].map((i) => tensorbored.on("change", () => { told[i]++ })), ends[1]())`, nil)
			v.Wait(`got[1].some((m) => m.id === 6)`)
			v.Eval(`void (globalThis.before = got[1].filter((m) => m.event === "change").length, ports[1].postMessage({id: 7, method: "status"}))`, nil)
			v.Wait(`got[1].some((m) => m.id === 7)`)
			v.Eval(`void (globalThis.before = got[1].filter((m) => m.event === "change").length, told[0] = 0, tensorbored.reload())`, nil)
			v.Wait(`told[0] > 0 && tensorbored.status().phase === "exact"`)
			v.Eval(`void ports[1].postMessage({id: 8, method: "status"})`, nil)
			v.Wait(`got[1].some((m) => m.id === 8)`)
			v.Wait(`told[1] === 0 && got[1].filter((m) => m.event === "change").length - before <= told[0]`)
			v.Eval(`void (ends[0](), ends[0]())`, nil) // twice is no harm

			// What is not there is refused with words, and all that is there is awaited.
			v.Eval(`void ["scalars", "tags"].forEach(() => tensorbored.scalars("r", "none").catch((e) => errors.push(e.message)))`, nil)
			v.Wait(`errors.slice(5).join() === Array(2).fill('run "r" has no tag "none": see tensorbored.runs() and tensorbored.tags()').join()`)
			v.Eval(`tensorbored.ready`, nil)
			v.Eval(`void ports.forEach((p) => p.postMessage({method: "close"}))`, nil)
			v.whole(l)
		})
	}
}
