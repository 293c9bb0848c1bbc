// The dashboard: which tensor is shown and how, its controls, and the keys.
//
// What it shows is one object, kept as JSON by the page (so in links, profiles and Back):
//
//	t, u      id of the tensor; of the one beside it
//	M         metadata other than the tensor's own
//	m, d, z   method (missing: pca), 2: flat, 1: sphere-ized
//	a         PCA: which components are X, Y and Z
//	o         options of methods that were run, by method
//	c, g      coloured by ("": nothing; missing: what suits), 1: numbers as categories, 0: as a scale
//	l         labelled by
//	L, p, w   0: no labels, no images, no sequences
//	q, k, r   search: text, column, 1: regular expression
//	n, e      neighbours: how many, by which distance
//	s, i      rows that are selected, that are isolated (up to KEPT of them; more are forgotten)
//	v         camera: target, azimuth, polar angle, size
//
// What fits no link, files that were opened from disk, is not in it.
"use strict";
{
  const P = globalThis.tbProjector, H = tbKit;
  // The files that are the projector's when they are dropped.
  const OURS = /\.(tsv|csv|txt|npy|npz|safetensors|index|pbtxt|png|jpe?g|bytes|ckpt|json)$|\.data-\d+-of-\d+$|ckpt/i;
  const KEPT = 400;
  const take = ".tsv, .npy, .npz, .safetensors or checkpoint files, with their metadata and images";

  (globalThis.tbDrawn ??= {}).projector = (root, host) => {
    let ended = false, view = {}, written = "", tensors = [], metadata = [], listProblems = [], listed = null,
      panes = [], made = false;
    let selected = [], isolated = null, hits = [], searched = "", searchError = "", cameraDue = 0;
    const parse = (text) => {
      try {
        const v = JSON.parse(text);
        return v && typeof v === "object" && !Array.isArray(v) ? v : {};
      } catch {
        return {};
      }
    };
    const rowsOf = (v) => (Array.isArray(v) ? v.filter((r) => Number.isInteger(r) && r >= 0) : []);
    const write = (change) => {
      view = { ...view, ...change };
      for (const k of Object.keys(view)) if (view[k] === undefined || view[k] === null) delete view[k];
      written = Object.keys(view).length ? JSON.stringify(view) : "";
      host("show", written);
    };
    const set = (change) => { write(change); return show(); };
    const short = (rows) => (rows && rows.length && rows.length <= KEPT ? [...rows] : undefined);

    const words = H.make("p", { className: "visually-hidden pj-status", role: "status" });
    const speak = (text) => { if (words.textContent !== text) words.textContent = text; };
    // The scene comes while the tensors are listed.
    let scenes = false;
    tbBoot.load("scene").then(() => { scenes = true; show(); }, (e) => { if (!ended) fail(String(e.message ?? e)); });
    const work = P.work((why) => { if (!ended) fail(why); });
    const fail = (text) => { empty.textContent = text; empty.hidden = false; speak(text); };

    // The bar.
    const fresh = { M: undefined, s: undefined, i: undefined, v: undefined, c: undefined, l: undefined, k: undefined,
      q: undefined };
    const which = P.select("Tensor",
      (id) => { reset(); set({ ...fresh, t: id, u: view.u === id ? undefined : view.u }); });
    const versus = P.select("Compare with", (id) => { panes.forEach((p) => p.refit()); set({ u: id || undefined }); });
    const dims = [3, 2].map(
      (d) => H.make("button",
        { className: "button", type: "button",
          onclick: () => { panes.forEach((p) => p.refit()); set({ d: d === 3 ? undefined : 2, v: undefined }); } },
          d + "-D"));
    const modes = [["turn", "Turn", "Drag turns; with Ctrl or the right button it moves"],
      ["box", "Box", "Drag selects what is in a box (b)"], ["lasso", "Lasso", "Drag selects what it encloses (l)"]].map(
        ([m, text, title]) => Object.assign(H.button(text, title, () => mode(m)), { tbMode: m }));
    let modeNow = "turn";
    const mode = (m) => {
      modeNow = m;
      for (const b of modes) b.setAttribute("aria-pressed", b.tbMode === m);
      for (const p of panes) p.scene.mode = m;
    };
    const file = H.make("input",
      { type: "file", hidden: true, multiple: true, "aria-label": "Files of tensors",
        onchange: () => { const list = [...file.files]; file.value = ""; add(list); } });
    const problemButton = H.button("", "What is wrong with these files",
      () => H.popup(problemButton, "Problems", "pj-problems",
        (box) => box.append(
          ...problems()
          .map(
            (p) => H.make("p", {},
              `${p.path ? p.path + ": " : ""}${p.message} ${p.remedy ?? ""}` +
                `${p.count > 1 ? ` (${P.number(p.count)} times)` : ""}`)))));
    problemButton.hidden = true;
    const sideButton = H.button("Controls", "Show or hide the controls",
      () => { open = !open; offer(there); });
    const filesButton = H.button("Files", "Open files from disk; save picture, projection, metadata",
      () => filesMenu(filesButton));
    const segments = [["Dimensions", dims], ["What a drag does", modes]].map(
      ([name, of]) => H.make("span", { className: "pj-seg", role: "group", "aria-label": name }, ...of));
    const bar = H.make("div", { className: "drawn-bar pj-bar" }, which, versus, ...segments, sideButton, problemButton,
      filesButton, file);
    const stages = H.make("div", { className: "pj-stages" }),
      empty = H.make("p", { className: "pj-say" }, "Looking for tensors…"),
      legend = H.make("div", { className: "pj-legend", hidden: true });
    const board = {
      // place is set of what puts points elsewhere: where nobody has moved the camera it looks at all of them.
      set, place: (change) => { panes.forEach((p) => p.refit()); set(change); },
      method: (m) => board.place({ m: m === "pca" ? undefined : m, v: undefined }),
      categories: (c) => (view.g === undefined ? P.categorical(c) : Boolean(view.g)),
      view: () => view, panes: () => panes, pane: () => panes[0], hits: () => hits, selected: () => selected,
      isolated: () => isolated, searchError: () => searchError,
      metadata: () => metadata, bookmarks: () => marks.states, colorName: () => colorName(panes[0]),
      autoColor: () => autoColor(panes[0]),
      choose: (rows, show) => choose(rows, show), isolate: (rows) => isolate(rows), edit: (c, t) => edit(c, t),
      run: (o) => run(o), bookmark: (name) => marks.add(name), restore: (s) => marks.restore(s),
      loadBookmarks: (f) => marks.load(f), saveBookmarks: () => marks.save(),
      done: () => {
        const p = panes[0], r = p?.now;
        if (!r) return "";
        const of = r.rows.length < p.count ? ` of ${P.number(p.count)}` : "";
        return `${P.methods[r.method]} of ${P.number(r.rows.length)}${of} points` +
          `${r.stage === "stopped" ? `, stopped at iteration ${P.number(r.step)}` : ""}` +
          `${r.perplexity ? `, perplexity ${r.perplexity}` : ""}.${r.kept ? " Kept in this browser." : ""}`;
      },
    };
    const marks = P.bookmarks({
      work, view: () => view, pane: () => panes[0], selected: () => selected, isolated: () => isolated,
      colorName: () => colorName(panes[0]), side: () => side, show: () => show(), camera: (p) => on.camera(p),
      named: (p, m) => asked(p, m).name,
      wrong: (more) => { listProblems = [...listProblems, ...more]; countProblems(); },
      changed: (rows, alone, change) => {
        selected = rows;
        isolated = alone;
        write({ ...change, s: short(selected), i: short(isolated) });
      },
    });
    const side = P.side(board);
    const body = H.make("div", { className: "drawn-body pj-body" },
      H.make("div", { className: "pj-main" }, stages, empty, legend), side.el);
    stages.style.setProperty("height", "100%");
    // What is of a tensor is offered when there is one, and stays while another one comes.
    let there = false, open = true;
    const offer = (now) => {
      there = now;
      for (const e of [...segments, sideButton]) e.hidden = !there;
      side.el.hidden = !there || !open;
      sideButton.setAttribute("aria-pressed", open);
    };
    offer(false);
    root.append(bar, body, words);
    mode("turn");

    // Which tensors there are. What is asked for meanwhile has its turn after it: files that are
    // opened while the logdir is listed are not lost. One listing that waits is enough.
    let turn = Promise.resolve(), waits = false;
    const relist = (call) => {
      if (waits && !call) return turn;
      waits ||= !call;
      return turn = turn.then(async () => {
        if (!call) waits = false;
        if (ended) return;
        try {
          const got = await (call ? call()
            : work.call("list",
              { files: JSON.parse(listed = host("files")), runs: JSON.parse(host("runs")).map((r) => r.run) }));
          if (ended) return;
          ({ tensors } = got);
          metadata = got.metadata ?? [];
          listProblems = got.problems;
          made = true;
          show();
          return got;
        } catch (e) {
          if (!ended) fail(e.message);
        }
      });
    };
    const add = async (files) => {
      if (!files.length) return;
      const before = new Set(tensors.map((t) => t.id));
      const got = await relist(() => work.call("add", { files }));
      if (!got) return;
      const names = new Set(files.map((f) => f.name)),
        named = (path) => names.has(path.replace(/^local:/, "").split("/").pop());
      const fresh1 = got.tensors.find((t) => t.local && t.main && (!before.has(t.id) || named(t.path))) ??
        got.tensors.find((t) => t.local && (!before.has(t.id) || named(t.path)));
      if (fresh1) {
        reset();
        for (const p of panes) p.want1 = "";
        const own = (got.metadata ?? []).filter((m) => m.startsWith("local:") && named(m));
        return set({ ...fresh, t: fresh1.id, u: undefined,
          M: !fresh1.metadata && own.length === 1 ? own[0] : undefined });
      }
      const m = (got.metadata ?? []).find((x) => x.startsWith("local:") && named(x)),
        s = (got.sprites ?? []).find(named), b = (got.bookmarks ?? []).find(named);
      if (m && panes[0]?.ready) { panes[0].want1 = ""; await set({ M: m, c: undefined, l: undefined }); }
      if (s && panes[0]?.ready) await askSprite(s);
      if (b) marks.load(files.find((f) => named("local:" + f.name)));
      if (!m && !s && !b) H.say(`These files have no tensor. Open ${take}.`);
      else if (!b && !panes[0]?.ready) H.say("No tensor is shown yet that these files belong to. Open them after it.");
    };
    const askSprite = async (path) => {
      const size = await H.question(filesButton, "Images of the points", "Width and height of one image, in pixels",
        "Show", "28 × 28"), [, w, h] = /(\d+)\D+(\d+)/.exec(size ?? "") ?? [];
      if (!w) return;
      await panes[0].images(path, +w, +h);
      show();
    };
    const reset = () => {
      selected = [];
      isolated = null;
      hits = [];
      searched = "";
      searchError = "";
      marks.states = [];
    };
    const problems = () => [...listProblems, ...panes.flatMap((p) => [...p.problems, ...(p.now?.problems ?? [])])];
    const countProblems = () => {
      const n = problems().length;
      problemButton.hidden = !n;
      problemButton.textContent = P.count(n, "problem");
    };

    // What is shown of a tensor follows from the view.
    const autoColor = (p) => {
      const c = p?.column(p.labelName);
      return c && c.distinct > 1 && c.distinct <= 50 && c.name !== "index" ? c.name : "";
    };
    const colorName = (p) => (view.c !== undefined && (view.c === "" || p?.column(view.c)) ? view.c : autoColor(p));
    const looksOf = (p) => {
      const css = getComputedStyle(document.documentElement), get = (n) => css.getPropertyValue(n).trim(),
        dark = Boolean(host("dark"));
      const c = p.column(colorName(p));
      return {
        dims: view.d === 2 ? 2 : 3, axes: view.a, tint: P.tints(c, dark, c && board.categories(c)), tinted: Boolean(c),
        label: p.column(view.l) ?? p.column(p.labelName), labels: view.L !== 0, sprites: view.p !== 0,
        sequences: view.w !== 0,
        isolated: isolated && new Set(link(p, isolated)), selected: new Set(link(p, selected)),
        hits: new Set(link(p, hits)), ground: tbScene.groundOf(p.el),
        ink: { text: get("--text"), muted: get("--muted"), accent: get("--accent") }, camera: camera(),
      };
    };
    const camera = () => {
      const v = view.v;
      return Array.isArray(v) && v.length === 6 && v.every(Number.isFinite)
        ? { target: v.slice(0, 3), azimuth: v[3], polar: v[4], size: v[5] } : null;
    };
    // link is rows of the first tensor as rows of p's: the same rows of a tensor of as many, else those with the same
    // label.
    const link = (p, rows, from = panes[0]) => {
      if (p === from || !from || p.count === from.count) {
        return p === from ? rows : [...rows].filter((r) => r < p.count);
      }
      const of = (q) => q.column(view.l) ?? q.column(q.labelName), a = of(from), b = of(p);
      if (!a || !b || a.name === "index") return [...rows].filter((r) => r < p.count);
      const texts = new Set([...rows].map((r) => a.text(r))), out = [];
      for (let r = 0; r < p.count; r++) if (texts.has(b.text(r))) out.push(r);
      return out;
    };
    const question = (m) => {
      const { column, regex, ends, kept, ...o } = view.o?.[m] ?? {}, rows = o.rows;
      delete o.rows;
      if (kept && m === "tsne") o.iterations = kept; // so it is what it was, unless it was perturbed
      const q = { method: m, sphereize: Boolean(view.z), seed: 1, ...o,
        ...(rows && isolated ? { rows: Uint32Array.from(isolated) } : { rows: null }) };
      if (m === "pca") return { ...q, components: 10 };
      if (m === "custom") {
        const end = (text) => (text
          ? { search: { column: column ?? panes[0].labelName ?? "", text, regex: Boolean(regex) } } : undefined);
        return { ...q, axes: (ends ?? []).map(([l, r]) => ({ left: end(l), right: end(r) })) };
      }
      return { ...q, dims: view.d === 2 ? 2 : 3 };
    };
    // asked is what a pane is asked for, and what that is called. What was stopped is another picture than
    // what was not.
    const asked = (p, m) => {
      const q = question(m);
      return { q, name: JSON.stringify([q, p.version, q.rows && [...q.rows], view.o?.[m]?.kept]) };
    };
    const run = (options) => {
      const m = view.m ?? "pca", o = { ...options };
      if (isolated) o.rows = 1;
      for (const p of panes) p.again = true;
      return set({ o: { ...view.o, [m]: Object.keys(o).length ? o : undefined } });
    };

    const on = {
      placed: (p) => { if (!ended) paint(p); },
      kept: (p) => { if (!ended && p === panes[0]) side.show(); },
      progress: (p, pr) => { if (!ended && p === panes[0]) { side.progress(pr); if (!pr) side.show(); } },
      hover: (p, row) => {
        for (const q of panes) if (q !== p && q.vertex) q.mark(row < 0 ? -1 : link(q, [row], p)[0] ?? -1);
      },
      click: (p, row, e) => {
        if (row < 0) return choose([]);
        const r = p === panes[0] ? row : link(panes[0], [row], p)[0];
        if (r === undefined) return;
        if (e.pointerType === "touch") p.hover(row);
        if (e.shiftKey || e.ctrlKey || e.metaKey) {
          return choose(selected.includes(r) ? selected.filter((x) => x !== r) : [...selected, r]);
        }
        choose([r]);
      },
      area: (p, rows, e) => {
        const r = link(panes[0], rows, p);
        choose(e.altKey ? selected.filter((x) => !new Set(r).has(x)) : e.ctrlKey || e.metaKey
          ? [...new Set([...selected, ...r])] : r);
        if (modeNow !== "turn" && e.pointerType !== "touch") mode("turn");
      },
      camera: (p) => {
        const c = p.scene.camera.get();
        for (const q of panes) if (q !== p) q.see(c);
        clearTimeout(cameraDue);
        cameraDue = setTimeout(() => {
          if (ended) return;
          const round = (x) => +x.toPrecision(4);
          write({ v: [...c.target, c.azimuth, c.polar, c.size].map(round) });
        }, 400);
      },
      state: (p, s) => {
        if (s.lost) H.say("The browser stopped the graphics. The points look simpler until it restarts them.");
        show();
      },
    };

    const paint = (p) => {
      const looks = looksOf(p);
      p.paint(looks);
      if (p === panes[0]) drawLegend(p, p.now && looks.tint);
    };
    const drawLegend = (p, l) => {
      if (l?.legend) {
        const column = p.column(colorName(p));
        legend.replaceChildren(
          ...l.legend.slice(0, 24)
          .map(
            (e) => H.make("button",
              { type: "button", title: `${e.text}: ${P.count(e.rows, "point")}. Click to select them.`,
                onclick: () => {
                  const rows = [];
                  for (let r = 0; r < p.count; r++) if (column.codes[r] === e.code) rows.push(r);
                  choose(rows);
                } }, H.make("i", { style: { background: P.css(e.color) } }), e.text)));
        const more = l.legend.length - Math.min(24, l.legend.length) + l.more;
        if (more) legend.append(`and ${P.number(more)} more`);
      } else if (l?.scale) {
        const stops = [0, 0.25, 0.5, 0.75, 1].map((u) => P.css(l.scale(u)));
        legend.replaceChildren(`${colorName(p)} ${+l.min.toPrecision(4)}`,
          H.make("i", { className: "scale", style: { background: `linear-gradient(90deg, ${stops.join(", ")})` } }),
          String(+l.max.toPrecision(4)));
      } else legend.replaceChildren();
      legend.hidden = !legend.childNodes.length;
    };

    // show brings the screen to what is to be shown; it may be asked again while it waits.
    const show = async () => {
      if (ended) return;
      // The list is narrow: in it names are cut so that they differ.
      const runs = [...new Set(tensors.map((t) => t.run).filter((r) => r && r !== "."))];
      const short = JSON.parse(host("short", JSON.stringify(runs), 14));
      const option = (t) => {
        const about = `${t.name}${t.step >= 0 ? `, step ${P.number(t.step)}` : ""}` +
          `${t.rows ? ` (${P.number(t.rows)} × ${P.number(t.dims)})` : ""}`;
        const named = (run) => `${t.run && t.run !== "." ? run + ": " : t.local ? "opened: " : ""}${about}`;
        return [t.id, named(short[runs.indexOf(t.run)]), named(t.run)];
      };
      const main = tensors.filter((t) => t.main), other = tensors.filter((t) => !t.main);
      const options = other.length && main.length ? [...main.map(option), ["Other tensors", other.map(option)]]
        : tensors.map(option);
      const first = view.t ? tensors.find((t) => t.id === view.t) : main.find((t) => !t.error) ?? main[0] ?? other[0];
      const second = first && view.u && tensors.find((t) => t.id === view.u);
      which.hidden = !tensors.length;
      versus.hidden = tensors.length < 2;
      P.fill(which, options, first?.id ?? "");
      const alike = first ? tensors.filter((t) => t.id !== first.id && (t.main || t.of === first.of)) : [];
      alike.sort((a, b) => Number(b.of === first.of) - Number(a.of === first.of));
      P.fill(versus, [["", "Compare with…"], ...alike.map(option)], second?.id ?? "");
      dims[0].setAttribute("aria-pressed", view.d !== 2);
      dims[1].setAttribute("aria-pressed", view.d === 2);
      if (!first) {
        offer(false);
        for (const p of panes.splice(0)) p.end();
        legend.hidden = true;
        empty.hidden = false;
        const s = tensorbored.status();
        fail(!made ? "Looking for tensors…"
          : view.t && tensors.length ? "This link names a tensor that is not in the logdir. Choose another one."
          : view.t?.includes("local:") ? "This tensor came from a file on disk. Open the file again."
          : s.phase === "exact" || s.phase === "incomplete" || s.phase === "live"
            ? `No tensors here. Write some with SummaryWriter.add_embedding (PyTorch) or save a TensorFlow ` +
            `checkpoint; or drop ${take} here.`
          : "The logs are being read…");
        countProblems();
        return;
      }
      if (!scenes) return;
      empty.hidden = true;
      const wanted = [first, second].filter(Boolean);
      while (panes.length > wanted.length) panes.pop().end();
      while (panes.length < wanted.length) {
        const p = P.pane(stages, work, on);
        if (panes.length) p.scene.camera.set(panes[0].scene.camera.get());
        panes.push(p);
        p.scene.mode = modeNow;
        p.scene.stage.addEventListener("keydown", onKey);
      }
      await Promise.all(panes.map((p, k) => bring(p, wanted[k], k)));
      if (ended) return;
      if (panes[0]?.ready) offer(true);
      await look();
      side.show();
      countProblems();
    };
    // bring loads and projects what a pane is to show.
    const bring = async (p, t, k) => {
      const want = JSON.stringify([t.id, t.mtime, t.bytes, t.error?.code, t.metadata]), meta = k ? "" : view.M ?? "";
      if (p.want1 !== want) {
        p.want1 = want;
        p.wantMeta = meta;
        try {
          if (!(await p.open(t, meta))) return;
          if (!k && t.bookmarks) {
            work.call("bookmarks", { key: p.key }).then((b) => { marks.states = b.states; side.show(); })
              .catch(() => {});
          }
        } catch (e) {
          if (p.want1 !== want || ended) return;
          p.say(`The page could not show this tensor. ${e.message}`);
          speak(`The page could not show this tensor. ${e.message}`);
          return;
        }
        if (!k && view.s) selected = rowsOf(view.s).filter((r) => r < p.count);
        if (!k && view.i) isolated = rowsOf(view.i).filter((r) => r < p.count);
        if (isolated && !isolated.length) isolated = null;
      } else if (p.ready && p.wantMeta !== meta) {
        p.wantMeta = meta;
        await p.describe(meta);
      }
      if (!p.ready) return;
      const m = P.methods[view.m] ? view.m : "pca", { q, name } = asked(p, m), again = p.again;
      p.again = false;
      if (again) { p.results.delete(name); p.want = ""; }
      if (m === "custom" && !q.axes?.length) {
        p.want = name;
        p.stop();
        if (p === panes[0]) H.say("Type a search for each end of the axes, then press Run.");
        return;
      }
      if (p.want === name) return;
      // It goes on by itself: controls work meanwhile.
      p.project(name, q, !again).then((how) => {
        if (ended || how === "gone") return;
        if (how === "stopped" && p === panes[0]) stopped(p, m);
        speak(`${board.done()} ${describe(p)}`);
        side.show();
        countProblems();
      }, (e) => { if (!ended) { H.say(e.message); speak(e.message); side.show(); } });
    };
    // stopped names a projection that was stopped, so that links and profiles have it, and keeps it.
    const stopped = (p, m) => {
      const r = p.now;
      write({ o: { ...view.o, [m]: { ...view.o?.[m], kept: r.step || 1 } } });
      p.keep(p.want = asked(p, m).name, r);
    };
    const describe = (p) => `${p.tensor.name}: ${P.number(p.count)} points of ${P.number(p.dims)} dimensions.`;
    // look asks what search and neighbours need, and paints.
    const look = async () => {
      const p = panes[0];
      if (p?.ready) {
        const want = JSON.stringify([p.key, view.q, view.k, view.r]);
        if (want !== searched) {
          searched = want;
          hits = [];
          searchError = "";
          if (view.q) {
            try {
              const r = await work.call("search",
                { key: p.key, column: view.k ?? "", text: view.q, regex: Boolean(view.r), limit: 0 });
              if (searched === want) hits = [...r.rows];
            } catch (e) {
              if (searched === want) searchError = e.message;
            }
          }
        }
      }
      await Promise.all(panes.map(async (q) => {
        const rows = q.ready ? link(q, selected) : [];
        const want = rows.length === 1 && selected.length === 1
          ? JSON.stringify([q.key, rows[0], view.n, view.e, view.z, isolated && [isolated.length, isolated[0]]]) : "";
        if (q.wantNear === want) return;
        q.wantNear = want;
        q.near = null;
        if (!want) return;
        try {
          const near = await work.call("neighbors",
            { key: q.key, row: rows[0], k: view.n ?? 100, metric: view.e ?? "cosine",
              rows: isolated && q === p ? Uint32Array.from(isolated) : null,
              space: view.z ? "sphereized" : "original" });
          if (q.wantNear === want) q.near = near;
        } catch (e) {
          if (q.wantNear === want) H.say(e.message);
        }
      }));
      if (ended) return;
      for (const q of panes) if (q.now && q.ready) paint(q);
      // for tests
      root.dataset.shown = JSON.stringify({ selected: selected.length, hits: hits.length,
        near: p?.near?.rows.length ?? 0, isolated: isolated?.length ?? 0 });
    };

    // What the user does.
    const choose = (rows, bring) => {
      selected = [...rows];
      const p = panes[0];
      if (!selected.length) p?.hover(-1);
      speak(selected.length === 1 && p?.ready ? `Selected: ${p.describeRow(selected[0])}` : selected.length
        ? P.count(selected.length, "point") + " selected." : "Nothing selected.");
      if (bring && selected.length === 1) p?.hover(selected[0]);
      return set({ s: short(selected) });
    };
    const isolate = (rows = selected) => {
      isolated = rows && rows.length ? [...rows] : null;
      if (isolated) selected = [];
      speak(isolated ? `${P.count(isolated.length, "point")} shown alone.` : "All points shown.");
      const done = set({ i: short(isolated), s: short(selected) });
      done.then(() => panes.forEach((p) => p.now && p.fit()));
      return done;
    };
    const edit = async (column, value) => {
      if (!column || !selected.length) return;
      try {
        for (const p of panes) await p.edit({ rows: Uint32Array.from(link(p, selected)), column, value });
        searched = "";
        speak(`${column} of ${P.count(selected.length, "point")} is ${value || "empty"} now.`);
        H.say("Changed on this page only. To keep the change, save the metadata (Files).");
        show();
      } catch (e) {
        H.say(e.message);
      }
    };
    const save = async (what) => {
      try {
        const f = await work.call("save",
          { key: panes[0].key, what, method: panes[0].now?.method ?? "pca",
            rows: isolated ? Uint32Array.from(isolated) : null, metadata: true });
        H.download(f.name, "text/tab-separated-values", f.bytes);
      } catch (e) {
        H.say(e.message);
      }
    };
    /** @type {MenuItem[]} */
    const saves = [
      ["Save the picture (PNG)", () => picture()],
      ["Save the projection with metadata (TSV)", () => save("positions")],
      ["Save the metadata (TSV)", () => save("metadata")], ["Save the tensor (TSV)", () => save("tensor")],
      ["Save a configuration (projector_config.pbtxt)", () => save("config")],
    ];
    const filesMenu = (under) => H.menu(under, "Files",
      [["Open files…", () => file.click()], ...(panes[0]?.now ? saves : [])]);
    const picture = () => {
      const all = panes.map((p) => p.scene.picture(2)),
        c = H.make("canvas",
          { width: all.reduce((w, x) => w + x.width, 0), height: Math.max(...all.map((x) => x.height)) }),
          g = c.getContext("2d");
      let x = 0;
      for (const a of all) { g.drawImage(a, x, 0); x += a.width; }
      H.downloadPicture("projector.png", c);
    };

    body.addEventListener("dragover", (e) => {
      if ([...(e.dataTransfer?.items ?? [])].some((i) => i.kind === "file")) {
        e.preventDefault();
        e.stopPropagation();
        body.classList.add("pj-over");
      }
    });
    body.addEventListener("dragleave", () => body.classList.remove("pj-over"));
    body.addEventListener("drop", (e) => {
      body.classList.remove("pj-over");
      const dropped = [...(e.dataTransfer?.files ?? [])];
      // A folder, and event files, are the page's.
      if (!dropped.length || !dropped.every((f) => OURS.test(f.name))) return;
      e.preventDefault();
      e.stopPropagation();
      add(dropped);
    });

    // Keys.
    const step = (by) => {
      const p = panes[0];
      if (!p?.now) return;
      const list = hits.length ? hits : isolated ?? p.rows,
        now = list.indexOf(selected.length === 1 ? selected[0] : -1);
      choose([list[now < 0 ? (by > 0 ? 0 : list.length - 1) : (now + by + list.length) % list.length]], true);
    };
    const onKey = (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const p = panes.find((q) => q.scene.stage === e.currentTarget),
        d = { ArrowLeft: [30, 0], ArrowRight: [-30, 0], ArrowUp: [0, 30], ArrowDown: [0, -30] }[e.key];
      if (!d || !p) return;
      e.preventDefault();
      e.stopPropagation();
      if (e.shiftKey) p.scene.pan(...d); else p.scene.turn(...d);
    };
    const commands = [
      ["← → ↑ ↓", "Turn the points (when the picture has the focus); with Shift: move"],
      ["n p", "Select the next point, the one before (of those found)"],
      ["i", "Show the selected points alone, or all"],
      ["f", "Find points"], ["b l", "Select by box, by lasso"], ["2 3", "Two dimensions, three"],
      ["0", "Fit all points"], ["+ −", "Larger, smaller"], ["Escape", "Select nothing"],
    ];
    const zoom = (k) => panes[0]?.scene.zoom(k);
    const watch = new MutationObserver(() => panes.forEach((p) => p.now && paint(p)));
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });

    const update = () => {
      const text = host("shown") || "";
      if (text !== written) {
        const before = view;
        written = text;
        view = parse(text);
        const same = (k) => JSON.stringify(before[k]) === JSON.stringify(view[k]);
        if (before.t !== view.t) reset();
        if (!same("s")) selected = rowsOf(view.s);
        if (!same("i")) isolated = view.i ? rowsOf(view.i) : null;
        if (!same("v") && camera()) for (const p of panes) p.scene.camera.set(camera());
        show();
      }
      if (host("files") !== listed) relist();
      else if (!panes.length) show();
    };
    update();
    return {
      update,
      key: (k) => {
        if (!panes[0]?.ready) return false;
        const dim = (d) => { if ((view.d === 2 ? 2 : 3) !== d) dims[3 - d].click(); };
        const act = { n: () => step(1), p: () => step(-1), i: () => isolate(isolated ? null : selected),
          f: () => { open = true; offer(there); side.find(); }, b: () => mode(modeNow === "box" ? "turn" : "box"),
          l: () => mode(modeNow === "lasso" ? "turn" : "lasso"), 0: () => panes.forEach((p) => p.fit()),
          "+": () => zoom(1.3), "-": () => zoom(1 / 1.3), 2: () => dim(2), 3: () => dim(3) }[k];
        if (!act) return false;
        act();
        return true;
      },
      escape: () => {
        if (modeNow !== "turn") { mode("turn"); return true; }
        if (selected.length) { choose([]); return true; }
        if (isolated) { isolate(null); return true; }
        return false;
      },
      help: () => commands,
      end: () => {
        ended = true;
        clearTimeout(cameraDue);
        watch.disconnect();
        for (const p of panes) p.end();
        work.end();
      },
    };
  };
}
