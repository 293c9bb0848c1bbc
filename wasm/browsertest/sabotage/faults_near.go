//go:build !js

package main

// Reading: beside the files, sketches of what was read before, dropped folders, object stores.
var nearFaults = []fault{
	// Next to the bytes.
	{name: "a digest beside the logs is not looked at", file: "shared/worker/digests.go",
		old: `	if p, ok := d.items[x.Path]; ok && p.item.Size <= x.Size {`, new: `	if p, ok := d.items[x.Path]; ok && p.item.Size < 0 {`, tests: "TestDigestInBrowser"},
	{name: "logs that the server could read are read in the browser", file: "wasm/engine/near_js.go",
		old: `	e.near = js.Global()`, new: `	_ = js.Global()`, tests: "TestReadOnServer"},
	{name: "the status line does not say where files are read", file: "wasm/ui/status_js.go",
		old: `"read on "+s.Reader`, new: `"read"`, tests: "TestReadOnServer"},
	{name: "the program is preloaded by a link", file: "static/index.html",
		old: `<script data-ask="{{.Program}}">(globalThis.tbAsked = fetch(document.currentScript.dataset.ask)).catch(() => {});</script>`,
		new: `<link rel="preload" href="{{.Program}}" as="fetch" crossorigin>`, tests: "TestProgramIsAskedFirst", pkg: "wasm/browsertest"},
	{name: "the program is asked for twice", file: "static/boot.js",
		old: `await (globalThis.tbAsked ?? fetch(address))`, new: `await fetch(address)`, tests: "TestProgramIsAskedFirst", pkg: "wasm/browsertest"},
	{name: "small logs behind a slow line are read by the server", file: "static/boot.js",
		old: `if (bytes < 8e6 || bytes > 512e6) return bytes > 8e6;`, new: ``, tests: "TestReadsWhereItIsQuick"},
	{name: "columns that the server sends begin at the wrong byte", file: "static/lazy/near/near.js",
		old: `flags & TIGHT_REST ? length : Math`, new: `true ? length : Math`, tests: "TestLineFrames"},
	{name: "columns that the server deflates have their description before them", file: "static/lazy/near/near.js",
		old: `flags & TIGHT_REST ? length : Math`, new: `flags & TIGHT_REST ? 0 : Math`, tests: "TestReadOnServer"},
	{name: "what is short overtakes what has to be inflated", file: "static/lazy/near/near.js",
		old: `if (!waiting && !(flags`, new: `if (!(flags`, tests: "TestLineFrames"},
	{name: "a broken frame is left out", file: "static/lazy/near/near.js",
		old: `}).catch(wrong);`, new: `}).catch(() => {});`, tests: "TestLineFrames"},
	{name: "the greeting of a line that has ended by then is not heard", file: "static/lazy/near/near.js",
		old: `        catchUp();
`, new: ``, tests: "TestLineForbidden"},
	{name: "columns that come in planes are joined as if each number stood by itself", file: "static/lazy/near/near.js",
		old: `(i < 2 ? 0 : all[i - 2])`, new: `0`, tests: "TestReadOnServer"},
	{name: "a page of another version asks all the same", file: "static/lazy/near/near.js",
		old: `return version === program ? host : undefined;`, new: `return host;`, tests: "TestLineForbidden"},
	{name: "where WebSockets are forbidden nothing is read by the server", file: "static/lazy/near/near.js",
		old: `else if (!over) requests();`, new: `else end("absent");`, tests: "TestLineForbidden"},
	{name: "the line to a server that reads is made when the program has come", file: "static/boot.js",
		old: `globalThis.tbNear.begin(`, new: `void (`, tests: "TestLineBesideProgram"},
	{name: "a line that was begun is not taken over", file: "static/lazy/near/near.js",
		old: `begun?.url === url ? begun : undefined`, new: `undefined`, tests: "TestLineBesideProgram"},
	{name: "a line that is away without a word is waited for", file: "shared/near/port.go",
		old: `p.up && p.pings >= maxPings`, new: `false`, tests: "TestLineAway"},
	{name: "after the line was away the questions are not asked again", file: "shared/near/port.go",
		old: `	if p.open != nil {
		p.send(wire.Envelope{Op: OpAgain`, new: `	if false {
		p.send(wire.Envelope{Op: OpAgain`, tests: "TestServerKilledWhileReading"},
	// Sketches.
	{name: "a large logdir that was read before shows nothing until all of it is here", file: "wasm/worker/cache_js.go",
		old: `					if f.Sketch != nil {`, new: `					if false {`, tests: "TestCacheSketch", pkg: "wasm/browsertest"},
	{name: "a sketch is not called a preview", file: "shared/kind/scalars/load.go",
		old: `p.Preview || g != catalog.Exact`, new: `p.Preview || g == catalog.Sampled`, tests: "TestCacheSketch", pkg: "wasm/browsertest"},
	{name: "entries stand in the database itself, however large", file: "wasm/storage/cache_js.go",
		old: `if len(c.Data) >= BlobFrom {`, new: `if false {`, tests: "TestCacheSketch", pkg: "wasm/browsertest"},
	{name: "what the browser has lost of its cache stops the reading", file: "wasm/storage/cache_js.go",
		old: `		if err != nil || int64(number(buffer`, new: `		if err != nil {
			select {}
		}
		if int64(number(buffer`, tests: "TestCacheSketch", pkg: "wasm/browsertest"},
	{name: "a sketch is as large as its entry", file: "shared/catalog/sketch.go",
		old: `s.Scalars.Sketch(SketchPoints)`, new: `s.Scalars.Sketch(1 << 20)`, tests: "TestCacheSketch", pkg: "wasm/browsertest"},
	// Cards of clips and meshes.
	{name: "clips that are left out are not spoken of", file: "wasm/card/audio/card_js.go",
		old: `	widget.Text(c.Slot.Note, note)`, new: `	widget.Text(c.Slot.Note, "")`, tests: "TestAudioLeftOut"},
	// Object stores.
	{name: "no file of a dropped folder comes by its handle", file: "static/lazy/walk/walk.js",
		old: `? { ...i, handle: h } : i`, new: `? i : i`, tests: "TestWalk$"},
	{name: "a handle that opens no file costs the file", file: "static/lazy/walk/walk.js",
		old: `handle.getFile().catch(byEntry)`, new: `handle.getFile()`, tests: "TestWalk$"},
	{name: "names that no handle has are lost", file: "static/lazy/walk/walk.js",
		old: `for (const i of waiting.values()) add(i);`, new: ``, tests: "TestWalk$"},
	{name: "a dropped folder waits for a handle that does not come", file: "static/lazy/walk/walk.js",
		old: `Promise.race([handle, late()])`, new: `Promise.race([handle])`, tests: "TestWalk$"},
	{name: "a folder that cannot be listed is passed over", file: "static/lazy/walk/walk.js",
		old: "      } catch (e) {\n        wrong(path, \"listed\", e);", new: "      } catch (e) {", tests: "TestWalkOfUnreadable"},
	{name: "a browser that refuses a handle ends the page", file: "static/boot.js",
		old: `handle?.catch(() => {});`, new: ``, tests: "TestWalk$"},
	{name: "of a bucket's list the page takes the first page for all", file: "static/lazy/bucket/bucket.js",
		old: `if (!page.next || more) break;`, new: `break;`, tests: "TestBucketDirectly"},
	{name: "runs of a bucket are gone when its listing breaks off", file: "static/lazy/bucket/bucket.js",
		old: `if (!response.ok) return response;`, new: `if (!response.ok) break;`, tests: "TestBucketDirectly"},
	{name: "the page does not know a store's own list", file: "wasm/source/httprange/fetch_js.go",
		old: `"content-type"), "xml") {`, new: `"content-type"), "xml+") {`, tests: "TestBucketDirectly"},
}
