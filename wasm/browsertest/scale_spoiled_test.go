//go:build !js

package browsertest

import (
	"fmt"
	"testing"
)

// spoiled are values that stand in the database where an entry should, made from a good
// one: of other types, of other versions, of other pages, with parts missing or wrong.
const spoiled = `((good) => {
	const odd = [null, true, false, 0, -1, 3, NaN, Infinity, -0, 5n, "", "text", [], [1, 2, 3], {}, {a: {b: 1}}, new Date(), /x/, new Map([[1, 2]]), new Set([1]),
		new Error("x"), new Blob(["x"]), new ArrayBuffer(8), new Uint8Array(0), new Uint8Array(5), new Uint8Array(1 << 16), new Float64Array(4), new DataView(new ArrayBuffer(4))];
	const out = [...odd];
	for (const o of odd) out.push({...good, layout: o}, {...good, data: o}, {data: o}, {layout: o});
	for (const layout of [1, 2, 4, 1e300, 3.5, "3"]) out.push({...good, layout});
	out.push({layout: 3, data: {length: 1e15}}, {layout: 3, data: {length: -1, buffer: null}}, {layout: 3, data: [..."abc"]});
	// As an older version of ours wrote them, right and wrong.
	const old = {layout: 2, size: 400000, mtime: 1700000000000, budget: 1e6, head: [0, 4096, 7], tail: [1000, 64, 8], data: good.data};
	out.push(old, {...old, layout: 3}, {...old, head: null}, {...old, layout: 3, data: "x", tail: [NaN, {}, []]});
	// Data that is cut short, goes on, or has another byte or bit somewhere.
	const part = (n) => ({...good, data: good.data.slice(0, n)}), n = good.data.length;
	for (const k of [1, 2, 8, 20, 60, 200, n >> 1, n - 5, n - 1]) out.push(part(k));
	for (const k of [1, 4, 100000]) { const b = new Uint8Array(n + k); b.set(good.data); out.push({...good, data: b}); }
	for (let i = 0; i < 64; i++) { const b = good.data.slice(); b[i < 48 ? i : Math.floor(n * (i - 47) / 17)] ^= 1 << i % 8; out.push({...good, data: b}); }
	out.push({...good, data: new Uint8Array(n)}, {...good, data: new Uint8Array(n).fill(255)});
	// The same as a file of the browser's, as large ones are kept, and with sketches: an entry is one of its file, too.
	const changed = (i) => { const b = good.data.slice(); b[i] ^= 4; return b; };
	const bytes = [good.data, ...[1, 20, n >> 1, n - 1].map((k) => good.data.slice(0, k)), ...[0, 3, 9, 40, n >> 1, n - 3].map(changed), new Uint8Array(n), new Uint8Array(3 * n)];
	for (const b of bytes) out.push({...good, data: new Blob([b])}, {...good, data: new Blob([b]), sketch: b}, {...good, data: new Blob([good.data]), sketch: b}, {...good, sketch: b});
	for (const o of odd) out.push({...good, data: new Blob([good.data]), sketch: o});
	return out;
})`

// withDB evaluates a function of the open database.
func withDB(p *Page, f string) {
	p.t.Helper()
	p.Eval(`new Promise((done, fail) => { const r = indexedDB.open("tensorbored-static"); r.onerror = () => fail(r.error); r.onsuccess = () => {
		const db = r.result; (`+f+`)(db, () => { db.close(); done(); });
	}; })`, nil)
}

// Whatever stands in the database: every point is read, no reader ends, and the next
// visit finds good entries again.
func TestCacheSpoiled(t *testing.T) {
	dir := t.TempDir()
	const runs = 24
	longRuns(t, dir, runs, 7_000, "loss")
	h := newHost(t, dir)
	h.set(stored(`{"autoReload": false}`))
	p := Start(t, Chromium)
	p.Open(h.url)
	p.Wait(exact)
	entries(p, runs)
	sums := `Promise.all([...Array(24).keys()].map(i => tensorbored.scalars("run_" + String(i).padStart(2, "0"), "loss").then(s => s.step.length + ":" + s.value.reduce((a, b) => a + b, 0))))`
	var want, got []string
	p.Eval(sums, &want)
	var shapes int
	p.Eval(spoiled+`({layout: 3, data: new Uint8Array(1000)}).length`, &shapes)
	if shapes < 300 {
		t.Fatalf("only %d shapes", shapes)
	}
	for from := 0; from < shapes; from += runs {
		withDB(p, fmt.Sprintf(`(db, done) => {
			const tx = db.transaction(["files", "ledger"], "readwrite"), s = tx.objectStore("files"), book = tx.objectStore("ledger"), keys = s.getAllKeys();
			keys.onsuccess = () => keys.result.forEach((key, i) => {
				const get = s.get(key);
				get.onsuccess = () => {
					const v = %s(get.result)[%d + i];
					if (v === undefined) return;
					s.put(v, key);
					if (i %% 2) book.put(v, key);
					s.put(v, i);
					book.put(v, [i, "x"]);
				};
			});
			tx.oncomplete = done;
		}`, spoiled, from))
		again(p, h)
		p.Eval(sums, &got)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("with the entries from %d on: %v, want %v", from, got, want)
		}
		var lost []any
		if p.Eval(`tensorbored.status().lost`, &lost); len(lost) > 0 {
			t.Fatalf("with the entries from %d on: lost %v", from, lost)
		}
		entries(p, runs) // those with odd keys are thrown away
	}
	if reads := again(p, h); len(reads) != 0 {
		t.Errorf("good entries stand there again, yet %d ranges were read", len(reads))
	}
}

// A database of that name which somebody else has made costs nothing but the cache.
func TestCacheOfSomebodyElse(t *testing.T) {
	dir := t.TempDir()
	longRuns(t, dir, 2, 10_000, "loss")
	for name, c := range map[string]struct {
		version int
		stores  string // makes them
		kept    bool   // it is made anew and used
	}{
		"a newer version": {9, `db.createObjectStore("files"); db.createObjectStore("ledger"); db.createObjectStore("handles")`, false},
		"no stores":       {1, ``, true},
		"one store":       {1, `db.createObjectStore("files")`, true},
		"keys in values":  {1, `db.createObjectStore("files", {keyPath: "id"}); db.createObjectStore("ledger", {autoIncrement: true, keyPath: "k"}); db.createObjectStore("handles")`, true},
		"odd handle":      {1, `db.createObjectStore("files"); db.createObjectStore("ledger"); db.createObjectStore("handles").put("none", "last")`, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, dir)
			h.set(stored(`{"autoReload": false}`))
			p := Start(t, Chromium)
			p.Allow("404")
			p.Open(h.url + "data/listing.json") // of the same origin, and no page of ours
			p.Eval(fmt.Sprintf(`new Promise((done, fail) => { const r = indexedDB.open("tensorbored-static", %d); r.onerror = () => fail(r.error);
				r.onupgradeneeded = () => { const db = r.result; %s }; r.onsuccess = () => { r.result.close(); done(); }; })`, c.version, c.stores), nil)
			for range 2 {
				again(p, h)
				if got := curve(p, "run_01"); got[1] != 10_000 {
					t.Errorf("the curve is %v", got)
				}
				if c.kept {
					entries(p, 2)
				}
			}
			if reads := again(p, h); c.kept != (len(reads) == 0) {
				t.Errorf("%d ranges were read", len(reads))
			}
		})
	}
}
