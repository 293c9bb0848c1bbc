// One tensor in a scene: its points, their colours and labels, and what is said of one of them.
//
// A vertex is a point of the projection, a row one of the tensor; rows[vertex] is its row, and
// vertex[row] its vertex or -1.
"use strict";
{
  const P = globalThis.tbProjector, H = tbKit;
  let keys = 0;

  P.pane = (into, work, on) => {
    const el = H.make("div", { className: "pj-pane" });
    into.append(el);
    const scene = tbScene.make(el, { label: "Points of the tensor", up: "z", points: true });
    const name = H.make("p", { className: "pj-name" }), words = H.make("p", { className: "pj-say" });
    const card = H.make("div", { className: "pj-card", hidden: true });
    const zoom = H.make("div", { className: "drawn-zoom" }, H.iconButton("plus", "Larger (+)", () => scene.zoom(1.3)),
      H.iconButton("minus", "Smaller (−)", () => scene.zoom(1 / 1.3)),
      H.iconButton("fit", "Fit all points (0)", () => pane.fit()));
    el.append(name, words, zoom, card);
    const pane = { el, scene, tensor: null, key: "", columns: [], problems: [], results: new Map(), now: null, count: 0,
      rows: null, vertex: null, job: null, near: null, sprite: null };
    let ended = false, round = 0, hovered = -1, look = null, marks = new Map(),
      order = { n: 0, step: 1 }, fitted = false, held = false; // held: somebody has moved the camera
    pane.say = (text) => { words.textContent = text; };
    pane.column = (n) => pane.columns.find((c) => c.name === n);
    pane.label = (row) => (look?.label ? look.label.text(row) : "") || `row ${row}`;
    // see puts the camera where somebody wants it: it stays there in a window of another size.
    pane.see = (camera) => { held = true; scene.camera.set(camera); };
    pane.fit = () => {
      held = true;
      const live = visible();
      scene.camera.fit(live.length < pane.rows?.length ? live : undefined);
      on.camera(pane);
    };
    const visible = () => {
      const out = [];
      for (let v = 0; v < (pane.rows?.length ?? 0); v++) {
        if (!look?.isolated || look.isolated.has(pane.rows[v])) out.push(v);
      }
      return out;
    };

    // open loads a tensor, and what is known of its rows. It throws what keeps it from being shown.
    pane.open = async (tensor, metadata) => {
      const mine = ++round, gone = () => ended || mine !== round;
      pane.stop();
      if (pane.key) work.call("close", { key: pane.key }).catch(() => {});
      Object.assign(pane,
        { tensor, columns: [], problems: [], now: null, rows: null, vertex: null, near: null, sprite: null,
          results: new Map(), key: "", ready: false });
      for (const l of ["points", "lit", "lines"]) scene.set(l, null);
      fitted = false;
      marks = new Map();
      hover(-1);
      name.textContent = "";
      if (tensor.error) {
        throw Object.assign(new Error(tensor.error.message + " " + (tensor.error.remedy ?? "")), tensor.error);
      }
      pane.say("Reading the tensor…");
      const key = "p" + ++keys;
      const got = await work.call("load", { tensor: tensor.id, key, limit: 0, bare: true },
        {
          progress: ({ progress: p }) => {
            if (!gone() && p.of) pane.say(`Reading the tensor: ${Math.floor(100 * p.read / p.of)} %`);
          } });
      if (gone()) { work.call("close", { key }).catch(() => {}); return false; }
      pane.key = key;
      pane.count = got.rows;
      pane.dims = got.dims;
      pane.version = got.version;
      pane.problems.push(...got.problems);
      if (got.rows < got.of) {
        pane.problems.push({ code: "limit", path: tensor.path,
          message: `Memory has room for the first ${P.number(got.rows)} of ${P.number(got.of)} rows.`,
          remedy: "Close other tabs, or save a smaller tensor." });
      }
      name.textContent =
        `${tensor.name}${tensor.step >= 0 ? `, step ${P.number(tensor.step)}` : ""} · ` +
        `${P.number(got.rows)} × ${P.number(got.dims)}`;
      if (!got.rows) throw new Error("This tensor has no rows. Choose another one.");
      pane.say("Preparing the points…");
      await Promise.all([pane.describe(metadata ?? ""), tensor.sprite ? pane.images("") : null]);
      if (gone()) return false;
      return pane.ready = true;
    };
    // describe takes the columns of a file of metadata, "" for the tensor's own.
    pane.describe = async (path) => {
      const key = pane.key;
      try {
        const m = await work.call("metadata", { key, path });
        if (key !== pane.key) return;
        pane.columns = m.columns.map(P.column);
        pane.labelName = m.label;
        pane.metadata = m.path;
        pane.problems = pane.problems.filter((p) => !p.ofMetadata)
          .concat(m.problems.map((p) => ({ ...p, ofMetadata: true })));
      } catch (e) {
        if (key === pane.key) {
          pane.problems.push({ code: e.code ?? "unread", path: path || pane.tensor.metadata, message: e.message,
            remedy: "" });
        }
      }
    };
    pane.images = async (path, width = 0, height = 0) => {
      const key = pane.key;
      try {
        const s = await work.call("sprite", { key, path, width, height });
        const image = await createImageBitmap(new Blob([s.bytes], { type: s.type }));
        if (key !== pane.key) return;
        pane.problems.push(...s.problems);
        if (scene.limit && Math.max(image.width, image.height) > scene.limit) {
          pane.problems.push({ code: "sprite-small", path: s.path,
            message: `The sheet of images is ${image.width} × ${image.height} pixels; this browser ` +
            `draws ${scene.limit} at most.`, remedy: "Save a smaller sheet." });
          return;
        }
        pane.sprite = { image, columns: s.columns, width: s.width, height: s.height, images: s.images };
      } catch (e) {
        if (key === pane.key) {
          pane.problems.push({ code: e.code ?? "unread", path: path || pane.tensor.sprite?.path, message: e.message,
            remedy: "" });
        }
      }
    };
    pane.edit = async (what) => {
      const { column } = await work.call("edit", { key: pane.key, ...what });
      const c = P.column(column), i = pane.columns.findIndex((o) => o.name === c.name);
      if (i < 0) pane.columns.push(c); else pane.columns[i] = c;
    };

    // project gets positions; want names them, so that they are made once. What takes long is looked for
    // among what this browser has kept, if kept.
    pane.project = async (want, question, kept) => {
      const made = pane.results.get(want);
      pane.want = want;
      if (made) { place(made, false); return "kept"; }
      pane.stop();
      const key = pane.key, mine = round;
      let rows = null;
      const gone = () => ended || mine !== round || pane.want !== want;
      if (kept && lasting(question.method)) {
        const r = await P.kept.load(nameOf(want), pane.count);
        if (gone()) return "gone";
        if (r?.method === question.method) {
          pane.results.set(want, { ...r, kept: true });
          place(pane.results.get(want), false);
          return "kept";
        }
      }
      const call = work.call("project", { key, ...question }, { progress: (d) => {
        if (gone()) return;
        rows = d.rows ?? rows;
        on.progress(pane, d.progress);
        if (d.positions && rows) place({ method: question.method, dims: d.dims, positions: d.positions, rows }, true);
      } });
      const job = pane.job = { id: call.id, paused: false, method: question.method, want, shaken: false };
      on.progress(pane, null);
      try {
        const r = await call;
        if (ended || mine !== round) return "gone";
        if (pane.want !== want && r.stage === "stopped") return "gone"; // by another method
        pane.results.set(want, r);
        if (pane.want === want) place(r, false);
        const how = job.shaken && pane.want === want ? "stopped" : r.stage ?? "done";
        if (how === "done") pane.keep(want, r);
        return how;
      } catch (e) {
        if (gone()) return "gone";
        if (pane.results.size === 0 && !pane.now) pane.say(e.message);
        throw e;
      } finally {
        if (pane.job === job) pane.job = null;
      }
    };
    const tell = (what) => { if (pane.job) work.call(what, { job: pane.job.id }).catch(() => {}); };
    pane.stop = () => { tell("stop"); };
    pane.pause = () => {
      if (pane.job) { tell(pane.job.paused ? "resume" : "pause"); pane.job.paused = !pane.job.paused; }
    };
    pane.perturb = () => { tell("perturb"); if (pane.job) pane.job.shaken = true; };
    // keep keeps a projection that took long in this browser. Files that were opened from disk are not
    // known again.
    const lasting = (method) => (method === "tsne" || method === "umap") && !pane.tensor.local;
    const nameOf = (want) => JSON.stringify([pane.tensor.id, want]);
    pane.keep = (want, r) => {
      pane.results.set(want, r);
      if (!lasting(r.method)) return;
      P.kept.save(nameOf(want), r)
        .then((kept) => { if (kept && !ended) { r.kept = true; on.placed(pane); on.kept(pane); } });
    };

    // place makes vertices of positions: in the middle, the largest side from -1 to 1.
    const place = (r, moving) => {
      pane.now = r;
      pane.moving = moving;
      if (!moving) {
        hover(-1);
        if (!look?.camera) fitted = false; // nobody has moved the camera
      }
      pane.say("");
      if (!pane.rows || pane.rows !== r.rows) {
        pane.rows = r.rows;
        pane.vertex = new Int32Array(pane.count).fill(-1);
        for (let v = 0; v < r.rows.length; v++) pane.vertex[r.rows[v]] = v;
        order = spread(r.rows.length);
      }
      on.placed(pane);
    };
    // spread is an order in which any beginning lies everywhere.
    const spread = (n) => {
      const gcd = (a, b) => (b ? gcd(b, a % b) : a);
      let step = Math.max(1, Math.floor(n * 0.618));
      while (gcd(step, n) > 1) step++;
      return { n, step };
    };
    // coordinates are made once for as long as the same is looked at: a new array would be a new buffer.
    let placed = null;
    const coordinates = () => {
      const { positions, dims, rows } = pane.now, axes = look.axes ?? [0, 1, 2], as = JSON.stringify([look.dims, axes]);
      if (placed?.positions === positions && placed.as === as) return placed.out;
      const n = rows.length, out = new Float32Array(n * 3);
      placed = { positions, as, out };
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      const flat = look.dims === 2;
      for (let d = 0; d < (flat ? 2 : 3); d++) {
        const a = pane.now.method === "pca" ? axes[d] : d;
        if (!(a < dims)) { low[d] = high[d] = 0; continue; }
        for (let v = 0; v < n; v++) {
          const x = out[v * 3 + d] = positions[v * dims + a];
          if (x < low[d]) low[d] = x;
          if (x > high[d]) high[d] = x;
        }
      }
      if (flat) low[2] = high[2] = 0;
      const half = Math.max(...low.map((l, d) => (high[d] - l) / 2)) || 1;
      for (let v = 0; v < n; v++) {
        for (let d = 0; d < 3; d++) out[v * 3 + d] = (out[v * 3 + d] - (low[d] + high[d]) / 2) / half;
      }
      return out;
    };

    // paint brings the scene to what is wanted: {dims, axes, tint, label, labels, sprites, sequences,
    // isolated: Set|null, selected: Set, hits: Set, dark, ground, ink, camera}.
    pane.paint = (wanted) => {
      look = wanted;
      scene.ground = look.ground;
      if (!pane.now || !pane.rows) return;
      const n = pane.rows.length, xyz = coordinates(), colors = new Uint8Array(n * 4);
      marks = new Map();
      for (const r of look.hits) marks.set(r, "hit");
      const near = pane.near && look.selected.size === 1 ? pane.near : null;
      if (near) {
        const far = near.distances[near.distances.length - 1] || 1;
        near.rows.forEach((r, i) => marks.set(r, near.distances[i] / far));
      }
      for (const r of look.selected) marks.set(r, "selected");
      const faint = marks.size ? 70 : 255, images = look.sprites && pane.sprite;
      for (let v = 0; v < n; v++) {
        const row = pane.rows[v], mark = marks.get(row);
        if (look.isolated && !look.isolated.has(row)) continue;
        let c = look.tint.of(row);
        if (typeof mark === "number") {
          c = [Math.round(240 - 40 * mark), Math.round(60 + 140 * mark), Math.round(60 + 10 * mark)];
        }
        colors[v * 4] = c[0];
        colors[v * 4 + 1] = c[1];
        colors[v * 4 + 2] = c[2];
        colors[v * 4 + 3] = mark === undefined ? faint : 255;
      }
      const size = images ? Math.max(10, Math.min(26, 480 / Math.sqrt(n)))
        : Math.max(2.2, Math.min(9, 260 / Math.sqrt(n)));
      const layer = { kind: "points", positions: xyz, colors, size, fog: true };
      if (images) {
        layer.sprite = { ...pane.sprite, frame: look.tinted || marks.size > 0,
          cells: Float32Array.from(pane.rows, (r) => Math.min(r, pane.sprite.images - 1)) };
      }
      scene.set("points", layer);
      const lit = [...marks.keys()].map((r) => pane.vertex[r]).filter((v) => v >= 0 && colors[v * 4 + 3]);
      if (lit.length && !images) {
        const at = new Float32Array(lit.length * 3), tint = new Uint8Array(lit.length * 4),
          sizes = new Float32Array(lit.length);
        lit.forEach((v, i) => {
          at.set(xyz.subarray(v * 3, v * 3 + 3), i * 3);
          tint.set(colors.subarray(v * 4, v * 4 + 4), i * 4);
          sizes[i] = marks.get(pane.rows[v]) === "selected" ? 1.9 : 1.35;
        });
        scene.set("lit", { kind: "points", positions: at, colors: tint, sizes, size: Math.max(size, 5), front: true });
      } else scene.set("lit", null);
      lines(xyz, colors);
      if (scene.camera.get().dims !== look.dims) { scene.camera.set({ dims: look.dims }); fitted = false; }
      if (!fitted) {
        fitted = true;
        held = false;
        if (look.camera) scene.camera.set(look.camera); else scene.camera.fit();
      }
      el.dataset.points = n; // for tests, as what follows
      el.dataset.marked = String(marks.size);
      el.dataset.moving = String(Boolean(pane.moving));
      el.tbPane = pane;
    };
    // lines joins rows with the ones that a column names as next.
    const lines = (xyz, colors) => {
      const next = pane.column("__seq_next__") ?? pane.column("__next__");
      if (!next || !look.sequences) return scene.set("lines", null);
      const pairs = [];
      for (let v = 0; v < pane.rows.length; v++) {
        const text = next.text(pane.rows[v]);
        if (!/^\d+$/.test(text)) continue;
        const to = pane.vertex[+text] ?? -1;
        if (to >= 0 && colors[v * 4 + 3] && colors[to * 4 + 3]) pairs.push(v, to);
      }
      scene.set("lines", { kind: "lines", positions: xyz, colors, indices: Uint32Array.from(pairs) });
      pane.joined = pairs.length / 2;
    };

    // Labels: what is marked first, then points from everywhere, as long as there is room.
    let at = null;
    scene.on("draw", (g) => {
      if (!pane.now || !look || !pane.rows) return;
      at = scene.place(at);
      const [w, h] = scene.size, taken = [], ink = look.ink, halo = P.css(look.ground);
      g.font = "11.5px Inter, system-ui, sans-serif";
      g.textBaseline = "middle";
      g.lineJoin = "round";
      const put = (v, strong) => {
        const x = at[v * 3], y = at[v * 3 + 1];
        if (!(x > -20 && y > 0 && x < w && y < h)) return false;
        let text = pane.label(pane.rows[v]);
        if (text.length > 32) text = text.slice(0, 31) + "…";
        const width = g.measureText(text).width, box = [x + 7, y - 8, x + 11 + width, y + 8];
        if (!strong) {
          for (const b of taken) if (box[0] < b[2] && box[2] > b[0] && box[1] < b[3] && box[3] > b[1]) return false;
        }
        taken.push(box);
        g.lineWidth = 3;
        g.strokeStyle = halo;
        g.fillStyle = strong ? ink.text : ink.muted;
        g.strokeText(text, x + 8, y);
        g.fillText(text, x + 8, y);
        return true;
      };
      const ring = (v, color) => {
        g.beginPath();
        g.arc(at[v * 3], at[v * 3 + 1], 7, 0, 7);
        g.lineWidth = 2;
        g.strokeStyle = color;
        g.stroke();
      };
      const point = hovered >= 0 ? pane.vertex[hovered] : -1;
      if (point >= 0 && at[point * 3] === at[point * 3]) { ring(point, ink.accent); put(point, true); }
      let room = 120;
      for (const kind of ["selected", "hit", "near"]) {
        for (const [row, m] of marks) {
          if (room <= 0) break;
          if ((typeof m === "number" ? "near" : m) !== kind) continue;
          const v = pane.vertex[row];
          if (v < 0 || v === point || !(at[v * 3] === at[v * 3])) continue;
          if (kind === "selected" && marks.size < 400) ring(v, ink.accent);
          if (put(v, false)) room--;
        }
      }
      if (look.labels && !marks.size && pane.columns.length) {
        let free = Math.round(w * h / 16000);
        for (let i = 0, v = 0, n = order.n; i < n && i < 4000 && free > 0; i++, v = (v + order.step) % n) {
          if (v !== point && put(v, false)) free--;
        }
      }
    });

    // What is under the pointer, or chosen by keys.
    const hover = (row, x, y) => {
      if (row === hovered && row < 0) return;
      hovered = row;
      if (row < 0) card.hidden = true;
      else {
        const list = H.make("dl");
        for (const c of pane.columns.slice(0, 24)) {
          const t = c.text(row);
          if (t !== "" && c.name !== "__seq_next__" && c.name !== "__next__") {
            list.append(H.make("dt", {}, c.name), H.make("dd", {}, t));
          }
        }
        list.append(H.make("dt", {}, "row"), H.make("dd", {}, P.number(row)));
        if (typeof marks.get(row) === "number") {
          const i = pane.near.rows.indexOf(row);
          list.append(H.make("dt", {}, "distance"), H.make("dd", {}, pane.near.distances[i].toPrecision(4)));
        }
        card.replaceChildren(...[pane.thumb(row, 72), list].filter(Boolean));
        card.hidden = false;
        const [w, h] = scene.size;
        card.style.left = Math.max(4, x + 14 + card.offsetWidth > w ? x - card.offsetWidth - 14 : x + 14) + "px";
        card.style.top = Math.max(4, Math.min(y + 12, h - card.offsetHeight - 4)) + "px";
      }
      scene.draw();
    };
    pane.hover = (row) => {
      const v = row >= 0 && pane.vertex ? pane.vertex[row] : -1;
      if (v < 0) return hover(-1);
      const p = scene.place();
      hover(row, p[v * 3] || 0, p[v * 3 + 1] || 0);
    };
    // mark rings a row that the other pane points at.
    pane.mark = (row) => { if (row !== hovered) { hovered = row; card.hidden = true; scene.draw(); } };
    pane.hovered = () => hovered;
    pane.describeRow = (row) => pane.columns.slice(0, 8).map((c) => `${c.name} ${c.text(row)}`).join(", ") ||
      `row ${row}`;
    pane.thumb = (row, side) => {
      const s = pane.sprite;
      if (!s || row >= s.images) return null;
      const k = side / Math.max(s.width, s.height),
        c = H.make("canvas",
          { width: Math.round(s.width * k), height: Math.round(s.height * k), "aria-hidden": "true" }),
          g = c.getContext("2d");
      g.imageSmoothingEnabled = k < 1;
      g.drawImage(s.image, (row % s.columns) * s.width, Math.floor(row / s.columns) * s.height, s.width, s.height, 0, 0,
        c.width, c.height);
      return c;
    };
    scene.on("hover", (v, x, y) => {
      const row = v < 0 ? -1 : pane.rows[v];
      hover(row, x, y);
      on.hover(pane, row);
    });
    scene.on("click", (v, e) => on.click(pane, v < 0 ? -1 : pane.rows[v], e));
    scene.on("area", (list, e) => on.area(pane, Uint32Array.from(list, (v) => pane.rows[v]), e));
    scene.on("camera", (c, by) => {
      card.hidden = true;
      if (by) { held = true; on.camera(pane); }
    });
    scene.on("state", (s) => on.state(pane, s));
    scene.on("size", () => { if (fitted && !held && !look?.camera) scene.camera.fit(); });
    pane.refit = () => { fitted = false; };
    pane.end = () => {
      ended = true;
      pane.stop();
      if (pane.key) work.call("close", { key: pane.key }).catch(() => {});
      scene.end();
      el.remove();
    };
    return pane;
  };
}
