//go:build !js

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/tensorbored/tensorbored-static/shared/projector/projectortest"
	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/shared/summary/generate"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// Lines of embeddings.
const (
	linePoints     = "tab → 100,000 × 128 drawn"
	linePointsRead = "  its bytes there → drawn"
	lineTurn       = "  turning it, frame"
	linePCA        = "PCA of 50,000 × 200"
	lineTSNE       = "t-SNE of 10,000 × 50, one iteration"
	lineUMAP       = "UMAP of 5000 × 50"
	lineNearest    = "100 nearest of 100,000 × 256"
	lineListGB     = "checkpoint of 1 GB → its tensors listed"
	lineTensor10   = "  one of 10 MB of it read"
)

// pointsRows and pointsDims are the tensor that is drawn.
const pointsRows, pointsDims = 100_000, 128

// embeddings is a run with a tensor of 100,000 × 128 beside it, in a hundred clusters, and a checkpoint of 1 GB.
func embeddings() logdir {
	return logdir{name: "embeddings", size: generate.Size{Runs: 1, Tags: 1, Steps: 1}, measure: showProjector, fill: func(dir string) error {
		run := filepath.Join(dir, "run")
		if err := write(run, func(w *summary.Writer) error { return w.Scalar("x", 1, 0) }); err != nil {
			return err
		}
		head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", pointsRows, pointsDims)
		for len(head)%64 != 53 {
			head += " "
		}
		b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)+1), 0)
		b = append(append(b, head...), '\n')
		r := rand.New(rand.NewPCG(5, 6))
		var centers [100][pointsDims]float64
		for i := range centers {
			for d := range centers[i] {
				centers[i][d] = 2 * r.NormFloat64()
			}
		}
		for i := range pointsRows {
			for d := range pointsDims {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(centers[i%100][d]+r.NormFloat64())))
			}
		}
		if err := os.WriteFile(filepath.Join(run, "points.npy"), b, 0o666); err != nil {
			return err
		}
		index, size, _, _ := projectortest.LargeCheckpoint()
		if err := os.WriteFile(filepath.Join(run, "large.index"), index, 0o666); err != nil {
			return err
		}
		data := filepath.Join(run, "large.data-00000-of-00001")
		if err := os.WriteFile(data, nil, 0o666); err != nil {
			return err
		}
		return os.Truncate(data, size) // zeros that take no disk
	}}
}

// projectorCalls notes in the page when bytes were handed to the projector's worker last, and how many.
const projectorCalls = `void (() => {
	globalThis.benchRead = { at: 0, bytes: 0 };
	const post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (m, ...more) {
		if (m?.got && m.bytes) { benchRead.at = performance.now(); benchRead.bytes += m.bytes.byteLength; }
		return post.call(this, m, ...more);
	};
})()`

// projecting makes tensors of n × d numbers in the page and asks the projector's worker, of its own, about them.
// Its value is the time from the question to the answer in ms; of t-SNE that of an iteration.
func projecting(n, d int, question string) string {
	return fmt.Sprintf(`(async () => {
		const n = %d, d = %d, head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + n + ", " + d + "), }";
		const start = new Uint8Array(128);
		start.set(new TextEncoder().encode("\u0000NUMPY\u0001\u0000"), 0);
		start[0] = 0x93; start[8] = 118; start[9] = 0;
		start.set(new TextEncoder().encode(head.padEnd(117) + "\n"), 10);
		let seed = 7;
		const random = () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 4294967296 - 0.5; };
		const centers = Float32Array.from({ length: 20 * d }, () => 6 * random());
		const points = new Float32Array(n * d);
		for (let i = 0; i < n; i++) for (let k = 0; k < d; k++) points[i * d + k] = centers[(i %% 20) * d + k] + random() + random() + random();
		const work = tbProjector.work((why) => { throw new Error(why); });
		const all = await work.call("add", { files: [{ name: "made.npy", blob: new Blob([start, points]) }] });
		await work.call("load", { key: "k", tensor: all.tensors.find((t) => t.local).id, limit: 0 });
		const question = %s, began = performance.now();
		const a = await work.call(question.do ?? "project", { key: "k", ...question });
		const took = performance.now() - began;
		const wrong = a.stage && a.stage !== "done";
		work.end();
		if (wrong) throw new Error("it was not done");
		return question.per ? took / question.per : took;
	})()`, n, d, question)
}

// showProjector measures the dashboard of embeddings.
func showProjector(t *table, l *logdir) error {
	if err := measured(func(tb *tb) error {
		p := page{browsertest.Start(tb, browsertest.Chromium), tb}
		p.Resize(1440, 900)
		p.Before(projectorCalls)
		p.Open(browsertest.Serve(tb, "--logdir", l.dir).URL + "#audio")
		p.Wait(`window.tensorbored?.status().phase === "exact"`)
		const drawn = `document.querySelector(".pj-pane[data-points='100000'][data-moving='false']")`
		t.add(l, linePoints, measurement{took: p.until(`history.replaceState(null, "", "#projector"); dispatchEvent(new HashChangeEvent("hashchange")); const open = performance.now(); globalThis.benchOpen = open;
			const choose = setInterval(() => {
				const of = document.querySelector("select[aria-label='Tensor']"), o = of && [...of.querySelectorAll("option")].find((o) => o.textContent.includes("points"));
				if (!o) return;
				clearInterval(choose);
				if (of.value !== o.value) { of.value = o.value; of.dispatchEvent(new Event("change")); }
			}, 5)`, drawn), memory: tabMemory()})
		var took float64
		p.Eval(`performance.now() - benchRead.at`, &took)
		t.add(l, linePointsRead, measurement{took: ms(took)})
		p.rest()
		var list []float64
		p.Eval(frames(`(k) => {
			const e = document.querySelector(".scene"), d = k < 60 ? k : 120 - k;
			e.setPointerCapture = () => {};
			const at = {pointerId: 1, button: 0, clientX: 500 + 5 * d, clientY: 400 + 2 * d, bubbles: true};
			if (!k) e.dispatchEvent(new PointerEvent("pointerdown", at));
			e.dispatchEvent(new PointerEvent(k === 119 ? "pointerup" : "pointermove", at));
		}`), &list)
		t.add(l, lineTurn, measurement{took: ms(list[len(list)*95/100])})
		return nil
	}); err != nil {
		return err
	}
	return measured(func(tb *tb) error {
		p := page{browsertest.Start(tb, browsertest.Chromium), tb}
		p.Before(projectorCalls)
		p.Open(browsertest.Serve(tb, "--logdir", l.dir).URL + "#audio")
		p.Wait(`window.tensorbored?.status().phase === "exact"`)
		p.Eval(`tbBoot.load("projector")`, nil)
		ask := func(line, script string) {
			var took float64
			p.Eval(script, &took)
			t.add(l, line, measurement{took: ms(took)})
		}
		ask(linePCA, projecting(50_000, 200, `{ method: "pca", components: 10, seed: 1 }`))
		ask(lineTSNE, projecting(10_000, 50, `{ method: "tsne", dims: 3, seed: 1, iterations: 60, per: 60 }`))
		ask(lineUMAP, projecting(5000, 50, `{ method: "umap", dims: 3, seed: 1 }`))
		ask(lineNearest, projecting(100_000, 256, `{ do: "neighbors", row: 5, k: 100, metric: "cosine", space: "original" }`))
		// A checkpoint of 1 GB: what the worker is asked, its program there already.
		const listed = `[{ path: "run/large.index", size: %d, mtime: 1, version: "1" }, { path: "run/large.data-00000-of-00001", size: %d, mtime: 1, version: "1" }]`
		index, size, name, bytes := projectortest.LargeCheckpoint()
		var got struct{ List, Load, Read float64 }
		p.Eval(fmt.Sprintf(`(async () => {
			const work = tbProjector.work((why) => { throw new Error(why); });
			await work.call("add", { files: [] });
			let began = performance.now();
			const { tensors } = await work.call("list", { files: `+listed+`, runs: ["run"] });
			const list = performance.now() - began;
			if (tensors.length !== 101) throw new Error(tensors.length + " tensors");
			benchRead.bytes = 0;
			began = performance.now();
			const t = await work.call("load", { key: "k", tensor: tensors.find((t) => t.name.includes(%q)).id, limit: 0 });
			if (t.points.byteLength !== %d) throw new Error(t.points.byteLength + " bytes");
			work.end();
			return { List: list, Load: performance.now() - began, Read: benchRead.bytes };
		})()`, len(index), size, name, bytes), &got)
		t.add(l, lineListGB, measurement{took: ms(got.List)})
		t.add(l, lineTensor10, measurement{took: ms(got.Load), came: int64(got.Read)})
		return nil
	})
}
