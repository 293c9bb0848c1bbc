//go:build !js

package browsertest

import (
	"fmt"
	"testing"
)

// holdingBlobs is a prelude that keeps the browser from handing out what stands in files of its
// own, until a message is sent to all.
const holdingBlobs = `{
	const read = Blob.prototype.arrayBuffer, free = new Promise((done) => { new BroadcastChannel("free").onmessage = done; });
	Blob.prototype.arrayBuffer = async function () { await free; return read.call(this); };
}`

// A large logdir that is opened again shows every curve from one end to the other before the
// points have come from the cache, and says that it is a preview; then all of them are there,
// and nothing was read. Where the browser has lost them they are read.
func TestCacheSketch(t *testing.T) {
	for _, kind := range []Kind{Chromium, Firefox} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			dir := t.TempDir()
			longRuns(t, dir, 3, 40_000, "loss", "accuracy")
			h := newHost(t, dir)
			settings := stored(`{"autoReload": false}`)
			h.set(settings)
			p := Start(t, kind)
			p.Open(h.url)
			p.Wait(exact)
			entries(p, 3)
			before := curve(p, "run_02")
			withDB(p, `(db, done) => {
				const all = db.transaction("files").objectStore("files").getAll();
				all.onsuccess = () => {
					globalThis.forms = all.result.map((v) => [v.data instanceof Blob, v.sketch instanceof Uint8Array, v.sketch?.length < v.data.size / 8]);
					done();
				};
			}`)
			var forms [][]bool
			if p.Eval(`forms`, &forms); fmt.Sprint(forms) != "[[true true true] [true true true] [true true true]]" {
				t.Fatalf("a file of the browser's, with a sketch, and that is small: %v", forms)
			}
			h.set(settings, holdingBlobs)
			h.taken()
			p.Open(h.url)
			p.Wait(`globalThis.tensorbored?.status().previewed && ` + card("loss") + `?.list.length === 3`)
			p.Wait(note("loss") + ` === "preview"`)
			var got struct {
				Ends  [][]float64
				Most  float64
				Phase string
				Count []float64
			}
			p.Eval(`(list => ({ends: list.map(s => [s.x[0], s.x.at(-1)]), most: Math.max(...list.flatMap(s => [...s.value])), count: list.map(s => s.n), phase: tensorbored.status().phase}))(`+card("loss")+`.list)`, &got)
			if fmt.Sprint(got.Ends) != "[[0 39999] [0 39999] [0 39999]]" || got.Most != 3000 || got.Phase != "reading" {
				t.Errorf("the sketches are %+v", got)
			}
			for _, n := range got.Count {
				if n > 500 {
					t.Errorf("a sketch has %g points", n)
				}
			}
			p.Eval(`new BroadcastChannel("free").postMessage(1)`, nil)
			p.Wait(exact)
			p.Wait(note("loss") + ` !== "preview"`)
			if after := curve(p, "run_02"); after != before {
				t.Errorf("from the cache come %v, not %v", after, before)
			}
			if reads := h.taken(); len(reads) > 0 {
				t.Errorf("%v was read", reads)
			}
			h.set(settings, `Blob.prototype.arrayBuffer = async () => { throw new DOMException("gone", "NotFoundError"); };`)
			if reads := again(p, h); len(reads) == 0 {
				t.Error("nothing was read, and the browser has lost its files")
			}
			if after := curve(p, "run_02"); after != before {
				t.Errorf("where the browser has lost its files come %v, not %v", after, before)
			}
			entries(p, 3)
			h.set(settings)
			if reads := again(p, h); len(reads) > 0 {
				t.Errorf("the entries were made anew, yet %v was read", reads)
			}
		})
	}
}
