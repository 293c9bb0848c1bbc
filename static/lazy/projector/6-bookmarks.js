// Bookmarks, in the words of TensorBoard's files: what is seen as a state, and a state as what is seen.
// Lists of points and positions are the worker's (shared/projector/save.go).
"use strict";
{
  const P = globalThis.tbProjector, H = tbKit;
  // The ends of the peer's custom axes, which are two; a third one is ours.
  const ends = [["customXLeft", "customXRight"], ["customYDown", "customYUp"], ["customZLeft", "customZRight"]];

  // bookmarks is the list of a tensor. board: {view, write, pane, selected, isolated, colorName, question,
  // short, changed(selected, isolated, change), side, show, camera, tell}.
  P.bookmarks = (board) => {
    const self = { states: [] };

    // bookmark adds what is seen, under a label.
    self.add = (label) => {
      const p = board.pane(), view = board.view();
      if (!p?.now) return;
      const c = p.scene.camera.get(), m = p.now.method, far = c.size / 2 / Math.tan(c.fov * Math.PI / 360),
        sp = Math.sin(c.polar);
      const eye = c.dims === 2 ? [0, 0, far]
        : [far * sp * Math.cos(c.azimuth), far * sp * Math.sin(c.azimuth), far * Math.cos(c.polar)],
        o = view.o?.[m] ?? {}, d3 = view.d !== 2;
      const axes = {};
      if (m === "custom") {
        axes.customSelectedSearchByMetadataOption = o.column || p.labelName;
        for (const [a, pair] of (o.ends ?? []).entries()) {
          for (const k of [0, 1]) {
            axes[ends[a][k] + "Text"] = pair[k] ?? "";
            axes[ends[a][k] + "Regex"] = Boolean(o.regex);
          }
        }
      }
      const isolated = board.isolated();
      self.states = [...self.states, {
        label, selectedProjection: m, dataSetDimensions: [isolated?.length ?? p.count, p.dims], isSelected: false,
        tSNEIteration: m === "tsne" ? p.now.step ?? 0 : 0, tSNEPerplexity: o.perplexity ?? p.now.perplexity ?? 0,
        tSNELearningRate: o.rate ?? p.now.rate ?? 0, tSNEis3d: d3, umapIs3d: d3, umapNeighbors: o.neighbors ?? 15,
        umapMinDist: o.minDist ?? 0.1, ...axes,
        pcaComponentDimensions: (view.a ?? [0, 1, 2]).slice(0, d3 ? 3 : 2),
        selectedColorOptionName: board.colorName() || undefined, forceCategoricalColoring: view.g === 1,
        selectedLabelOption: view.l ?? p.labelName,
        selectedPoints: Uint32Array.from(board.selected()),
        filteredPoints: isolated ? Uint32Array.from(isolated) : undefined,
        projections: {
          [m]: { dims: p.now.dims, positions: p.now.positions.slice(), rows: Uint32Array.from(p.now.rows) } },
        cameraDef: { orthographic: !d3, position: eye.map((x, i) => x + c.target[i]), target: c.target, zoom: 1 },
        tensorbored: { v: view.v, size: c.size, q: view.q, o: view.o?.[m], z: view.z },
      }];
      board.side().show();
    };

    // options are those of a method that a state names.
    const options = (m, s) => {
      const ours = s.tensorbored?.o;
      if (ours && typeof ours === "object") return ours;
      const o = {}, number = (name, v) => { if (Number.isFinite(v) && v > 0) o[name] = v; };
      if (m === "tsne") {
        number("perplexity", s.tSNEPerplexity);
        number("rate", s.tSNELearningRate);
      } else if (m === "umap") {
        number("neighbors", s.umapNeighbors);
        number("minDist", s.umapMinDist);
      } else if (m === "custom") {
        o.column = s.customSelectedSearchByMetadataOption ?? "";
        o.ends = ends.map((pair) => pair.map((e) => String(s[e + "Text"] ?? "")));
        while (o.ends.length > 1 && !o.ends[o.ends.length - 1].some(Boolean)) o.ends.pop();
        if (ends.flat().some((e) => s[e + "Regex"])) o.regex = true;
      }
      return Object.keys(o).length ? o : undefined;
    };

    // restore shows a state.
    self.restore = async (s) => {
      const p = board.pane(), view = board.view();
      if (!p?.ready) return;
      const m = P.methods[s.selectedProjection] ? s.selectedProjection : "pca";
      const flat = m === "tsne" ? s.tSNEis3d === false : m === "umap" ? (s.umapIs3d ?? s.UMAPis3d) === false
        : m === "custom" ? !(s.customZLeftText || s.customZRightText) : s.cameraDef?.orthographic === true;
      const of = s.filteredPoints?.length || p.count;
      if (Array.isArray(s.dataSetDimensions) && s.dataSetDimensions[0] !== of) {
        H.say(
          `The bookmark belongs to ${P.number(s.dataSetDimensions[0])} points; this tensor has ${P.number(p.count)}.`);
      }
      const inside = (r) => r < p.count, selected = [...(s.selectedPoints ?? [])].filter(inside),
        isolated = s.filteredPoints?.length ? [...s.filteredPoints].filter(inside) : null;
      const change = {
        m: m === "pca" ? undefined : m, d: flat ? 2 : undefined, z: s.tensorbored?.z, q: s.tensorbored?.q, v: undefined,
        o: { ...view.o, [m]: options(m, s) },
        l: p.column(s.selectedLabelOption) ? s.selectedLabelOption : view.l,
        c: p.column(s.selectedColorOptionName) ? s.selectedColorOptionName : undefined,
        g: s.forceCategoricalColoring ? 1 : undefined,
      };
      if (m === "pca" && Array.isArray(s.pcaComponentDimensions)) {
        change.a = [...s.pcaComponentDimensions, 2].slice(0, 3);
      }
      board.changed(selected, isolated, change);
      // Its positions are the picture, whatever a new run would give.
      const kept = s.projections?.[m];
      if (kept?.rows?.length && m !== "pca") {
        p.results.set(board.named(p, m),
          { method: m, dims: kept.dims, positions: kept.positions, rows: kept.rows, step: s.tSNEIteration || undefined,
            stage: "done" });
        p.want = "";
      }
      const c = s.cameraDef;
      p.refit();
      await board.show();
      if (!Array.isArray(c?.position) || !Array.isArray(c.target)) return;
      const d = c.position.map((x, i) => x - c.target[i]), far = Math.hypot(...d) || 1;
      p.see({ target: [...c.target], azimuth: Math.atan2(d[1], d[0]), polar: Math.acos(d[2] / far),
        size: s.tensorbored?.size ?? 2 * far * Math.tan(25 * Math.PI / 180) / (c.zoom || 1) });
      board.camera(p);
    };

    // load reads a file that the user chose, save writes one.
    self.load = async (f) => {
      const p = board.pane();
      if (!p?.ready) return H.say("Choose a tensor first.");
      try {
        const bytes = new Uint8Array(await f.arrayBuffer()),
          got = await board.work.call("bookmarks", { key: p.key, bytes }, { move: [bytes.buffer] });
        self.states = got.states;
        board.wrong(got.problems ?? []);
        board.side().show();
        if (self.states.length) self.restore(self.states.find((s) => s.isSelected) ?? self.states[0]);
      } catch (e) {
        H.say(e.message);
      }
    };
    self.save = async () => {
      if (!self.states.length) return H.say("There is no bookmark to save. Press “Keep this view” first.");
      try {
        const f = await board.work.call("bookmark", { key: board.pane().key, states: self.states });
        H.download(f.name, "text/plain", f.bytes);
      } catch (e) {
        H.say(e.message);
      }
    };
    return self;
  };
}
