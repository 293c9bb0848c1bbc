// The dashboard: which graph is shown and how, its controls, and the keys.
//
// What it shows is one object, kept as JSON by the page (so in links, profiles and Back):
//
//	r, p, t, s  run, plug-in, tag, number of the step (missing: the last)
//	g           which graph of the file
//	o           ids of what is open
//	c           the chosen node
//	b, q        coloured by what; the expression, by "regex"
//	d           1: from the top down
//	x           options of explore that differ from its own
//	v           what it is compared with: {r, p, t, s}; s is given where it is a step of the same
//	m           1: what has another name is looked for by its structure
//
// What fits no link, files that were opened from disk, is not in it.
"use strict";
{
  const G = globalThis.tbGraph, H = tbKit;
  const colors = [["structure", "Structure"], ["none", "No colours"], ["type", "Type"], ["device", "Device"],
    ["xla", "XLA cluster"], ["time", "Compute time"], ["memory", "Memory"], ["shape", "Shape"],
    ["tpu", "TPU compatibility"], ["regex", "Expression…"]];
  const open = "Open a graph from a file: .pb, .pbtxt, .onnx, a Keras model's .json";

  (globalThis.tbDrawn ??= {}).graph = (root, host) => {
    let ended = false, view = {}, written = "", all = [], known = [], files = [], info = null, key = "", opened = "",
      round = 0, pick = null, panelOf = null;
    const parse = (text) => {
      try {
        const v = JSON.parse(text);
        return v && typeof v === "object" && !Array.isArray(v) ? v : {};
      } catch {
        return {};
      }
    };
    // set changes what is shown and draws it.
    const set = (change, anchor) => {
      view = { ...view, ...change };
      for (const k of Object.keys(view)) if (view[k] === undefined || view[k] === null) delete view[k];
      written = JSON.stringify(view);
      host("show", written === "{}" ? "" : written);
      return show(anchor);
    };

    const work = G.work((why) => { if (!ended) say(why); });
    const options = () => view.x ?? {};
    const question = (q) => ({ graph: view.g ?? 0, options: options(), ...q });
    const ask = (q) => work.call("ask", { key, question: question(q) });
    // What is open: as the user has chosen, or what stands alone in the picture.
    let alone = [], closedAgain = false;
    const expanded = () => view.o ?? alone;

    // The controls.
    const select = (name, change) => {
      const s = H.make("select", { className: "select", "aria-label": name, onchange: () => change(s.value) });
      return s;
    };
    const fill = (s, pairs, value) => {
      const text = JSON.stringify(pairs);
      if (s.tbPairs !== text) {
        s.tbPairs = text;
        s.replaceChildren(...pairs.map(([v, t, title]) => H.make("option", { value: v, title: title ?? t }, t)));
      }
      s.value = value;
      s.title = s.selectedOptions[0]?.title ?? "";
    };
    const which = select("Graph", (v) => {
      const a = sources()[+v];
      if (a.file) set({ r: undefined, p: "file", t: a.tag, s: undefined, g: undefined, o: undefined, c: undefined });
      else set({ r: a.run, p: a.plugin, t: a.tag, s: undefined, g: undefined, o: undefined, c: undefined });
    });
    const part = select("Part of the file", (v) => set({ g: +v || undefined, o: undefined, c: undefined }));
    const tint = select("Colour by", (v) => {
      if (v !== "regex") return set({ b: v === "structure" ? undefined : v });
      express();
    });
    const express = async () => {
      const q = await H.question(tint, "Colour by an expression", "Nodes whose name matches", "Colour", view.q ?? "",
        { placeholder: "conv|dense" });
      if (q === null) { tint.value = tinted(); return; }
      set({ b: "regex", q });
    };
    const step = H.make("input", { type: "range", min: 0, "aria-label": "Step",
      onchange: () => set({ s: +step.value === +step.max ? undefined : +step.value, c: undefined }) });
    const stepText = H.make("span", { className: "quiet" });
    const versus = select("Compare with", (v) => {
      const [i, s] = v.split(" "), a = sources()[+i];
      const of = () => (a.file ? { p: "file", t: a.tag } : { r: a.run, p: a.plugin, t: a.tag, s: s && +s });
      set({ v: v === "" ? undefined : of(), c: undefined, o: undefined });
    });
    // others are what the graph can be compared with: other graphs, and other steps of its own.
    const others = (list, now, versusOf) => {
      const steps = info?.steps ?? [], at = view.s ?? steps.length - 1, mine = list.indexOf(now), most = 50;
      const own = steps.map((step, i) => [`${mine} ${i}`, `with step ${step.toLocaleString("en")}`])
        .filter((_, i) => i !== at && (i >= steps.length - most || i === view.v?.s));
      const called = (a, name) => `with ${a.file || a.path ? a.title : `${name}: ${a.title}`}`;
      const pairs = [["", "Compare with…"], ...own,
        ...list.flatMap((a, i) => (a === now ? [] : [[String(i), called(a, a.short), called(a, a.name)]]))];
      fill(versus, pairs, versusOf
        ? (versusOf === now ? `${mine} ${view.v.s ?? steps.length - 1}` : String(list.indexOf(versusOf))) : "");
      versus.hidden = pairs.length < 2;
    };
    const finder = G.finder({ ask, ready: () => Boolean(info), go: (id) => go(id), leave: () => picture.focus() });
    const file = H.make("input", { type: "file", hidden: true, multiple: true, "aria-label": "Graph files",
      onchange: () => { take([...file.files]); file.value = ""; } });
    const lossButton = H.button("", "What is wrong with this graph",
      () => panel(() => G.lossesCard(card, info, cardOn)));
    lossButton.hidden = true;
    const diffButton = H.button("Changes", "List what is different between the two graphs",
      () => panel(() => G.changesCard(card, ask, cardOn)));
    diffButton.hidden = true;
    const byButton = H.button("By structure", "Match renamed nodes by their structure",
      () => set({ m: view.m ? undefined : 1 }));
    byButton.hidden = true;
    const countButton = H.button("Numbers", "Count by type, scope and device (n)", () => numbers());
    const stepBox = H.make("label", { className: "gr-step", hidden: true }, step, stepText);
    const bar = H.make("div", { className: "drawn-bar gr-bar" }, which, part, stepBox, finder.el, tint, versus,
      byButton, diffButton, lossButton, countButton,
      H.button("More", "Save, open a file, how it is laid out", (e) => menu(e.currentTarget)), file);

    const picture = G.picture({
      open: (id) => toggle(id),
      choose: (id) => choose(id),
      menu: (id) => nodeMenu(id),
      moved: (c) => keep(c),
    });
    const crumbs = H.make("nav", { className: "gr-path", "aria-label": "Where the chosen node is" });
    const zoom = H.make("div", { className: "drawn-zoom" }, H.iconButton("plus", "Larger (+)", () => picture.zoom(1.4)),
      H.iconButton("minus", "Smaller (-)", () => picture.zoom(1 / 1.4)),
      H.iconButton("fit", "Fit the graph (0)", () => picture.fit()));
    const legend = G.key();
    const words = H.make("p", { className: "gr-say", role: "status" });
    picture.stage.append(crumbs, zoom, legend.el, words);
    const card = H.make("aside", { className: "gr-card", hidden: true, "aria-label": "Details" });
    const body = H.make("div", { className: "drawn-body gr-body" }, picture.stage, card);
    root.append(bar, body);
    const say = (text) => { words.textContent = text; };

    // The place is kept for the time that the tab is open, by graph.
    let keepDue = 0;
    const placeKey = () => "tensorbored-static.graph " + (tensorbored.status().logdir ?? "") + " " + opened;
    const keep = (c) => {
      clearTimeout(keepDue);
      keepDue = setTimeout(() => {
        const place = JSON.stringify([c.x, c.y, c.k, picture.layout?.w, picture.layout?.h]);
        try { sessionStorage.setItem(placeKey(), place); } catch {}
      }, 300);
    };
    const keptPlace = (layout) => {
      try {
        const [x, y, k, w, h] = JSON.parse(sessionStorage.getItem(placeKey()));
        return [x, y, k].every(Number.isFinite) && w === layout.w && h === layout.h ? { x, y, k } : null;
      } catch {
        return null;
      }
    };

    // What can be shown: graphs of the runs that are shown, in their order, and opened files.
    const sources = () => {
      const runs = JSON.parse(host("runs")), list = [];
      const beside = G.beside(host("files"), known);
      for (const r of runs) for (const a of [...all, ...beside]) if (a.run === r.run) list.push({ ...a, name: r.name });
      for (const a of beside) if (!a.run) list.push({ ...a, name: "" });
      for (const f of files) list.push({ file: f, tag: f.name, title: f.name });
      // The list is narrow: in it names are cut so that they differ.
      const names = [...new Set(list.map((a) => a.name).filter(Boolean))];
      const short = JSON.parse(host("short", JSON.stringify(names), 14));
      for (const a of list) a.short = short[names.indexOf(a.name)];
      return list;
    };
    const idOf = (v) => [v?.r, v?.p, v?.t].join("\n");
    const sourceId = (a) => (a.file ? ["", "file", a.tag] : [a.run, a.plugin, a.tag]).join("\n");

    let listing = null, refreshDue = null;
    const loaded = new Map(); // versions of the values that are shown, by source
    const refresh = async () => {
      if (listing) return;
      listing = G.list();
      try {
        const [got, runs] = await Promise.all([listing, tensorbored.runs()]);
        if (ended) return;
        all = got;
        known = runs.map((r) => r.name);
        for (const [id, version] of [...loaded]) {
          const a = all.find((o) => sourceId(o) === id), is = a && await G.version(a);
          if (ended) return;
          if (is && is !== version && loaded.get(id) === version) opened = ""; // its file was written anew
        }
      } catch (e) {
        if (!ended) say(String(e.message ?? e));
        return;
      } finally {
        listing = null;
      }
      show();
    };
    const off = tensorbored.on("change", () => {
      if (ended) return;
      clearTimeout(refreshDue);
      refreshDue = setTimeout(refresh, 150);
    });

    // tells says whether the graph has what a colour goes by; tinted is what colours go by.
    const tells = (by) =>
      ({ time: info.has.time, memory: info.has.memory, device: info.has.devices, xla: info.has.xla,
      shape: info.has.shapes }[by] ?? true);
    const tinted = () => (view.b && info && tells(view.b) ? view.b : "structure");

    // load brings a source's bytes to the worker; the answer is explore's info.
    const load = async (a, number, under, mine) => {
      const gone = () => ended || mine !== round;
      let bytes, metadata, tensor = false, steps = [];
      if (a.file) {
        bytes = await a.file.arrayBuffer();
      } else {
        const progress = (at, size) => {
          if (size > 4 << 20) say(`Reading the graph: ${G.bytesText(at)} of ${G.bytesText(size)}`);
        };
        const got = await (a.path ? G.file(a, progress, gone) : G.bytes(a, number ?? -1, progress, gone));
        if (!got) return null;
        ({ bytes, tensor, steps } = got);
        if (got.version) loaded.set(sourceId(a), got.version);
        if (a.plugin === "graph_tagged_run_metadata") {
          // What a step cost belongs to the run's graph.
          const base = all.find((b) => b.run === a.run && b.plugin === "graphs");
          if (base) {
            metadata = bytes;
            const g = await G.bytes(base, -1, progress, gone);
            if (!g) return null;
            ({ bytes, tensor } = g);
            loaded.set(sourceId(base), g.version);
          }
        }
      }
      if (gone()) return null;
      say("Preparing the graph…");
      const name = a.file || a.path ? a.tag : `${a.run}/${a.tag}`, move = metadata ? [bytes, metadata] : [bytes];
      const i = await work.call("open", { key: under, tensor, name, bytes, metadata }, { move });
      i.steps = steps;
      return i;
    };

    // show brings the screen to what is to be shown.
    const show = async (anchor) => {
      const list = sources();
      const now = view.p ? list.find((a) => sourceId(a) === idOf(view)) : list[0];
      const called = (a, name) => (a.file || a.path ? a.title
        : list.length > 1 || a.title !== "Graph" ? `${name}: ${a.title}` : name);
      fill(which, list.map((a, i) => [String(i), called(a, a.short), called(a, a.name)]),
        now ? String(list.indexOf(now)) : "");
      which.hidden = !list.length;
      for (const e of [finder.el, tint, countButton]) e.hidden = !now;
      const other = view.v && list.find((a) => sourceId(a) === idOf(view.v));
      const versusOf = other === now && (view.v?.s ?? -1) === (view.s ?? -1) ? undefined : other; // not with itself
      others(list, now, versusOf);
      byButton.hidden = !versusOf;
      byButton.setAttribute("aria-pressed", Boolean(view.m));
      if (!now) {
        picture.draw({ nodes: [], edges: [], w: 0, h: 0 });
        opened = "";
        info = null;
        panel(null);
        legend.el.hidden = true;
        crumbs.replaceChildren();
        const s = tensorbored.status();
        say(view.p === "file" ? `The file ${view.t} is not open. ${open}.`
          : all.length && view.p
            ? "This graph belongs to a run that is hidden. Switch the run on in the run list, or choose another graph."
          : all.length ? "None of the shown runs has a graph. Switch on a run that has one in the run list."
          : s.phase === "exact" || s.phase === "incomplete"
            ? "No graph was logged here. Write one with SummaryWriter.add_graph (PyTorch), tf.summary.graph or the "
              + "Keras callback; or drop a .pb, .pbtxt or .onnx file here."
          : "The logs are being read…");
        for (const e of [part, stepBox, diffButton, lossButton]) e.hidden = true;
        return;
      }
      const want = JSON.stringify([sourceId(now), view.s ?? -1, now.version ?? now.steps ?? 1,
        versusOf ? [sourceId(versusOf), view.v.s ?? -1, view.m ?? 0] : null]);
      if (want !== opened) {
        const mine = ++round;
        opened = want;
        loaded.clear();
        carded = undefined;
        returns = true;
        info = null;
        dark();
        lossButton.hidden = diffButton.hidden = true; // what they tell is of the graph before
        panel(null);
        picture.draw({ nodes: [], edges: [], w: 0, h: 0 });
        say("Reading the graph…");
        try {
          const old = key;
          const under = String(mine);
          let i = await load(now, view.s, under, mine);
          if (!i) return;
          key = under;
          if (versusOf) {
            const against = await load(versusOf, view.v.s, under + "v", mine);
            if (!against) return;
            const steps = i.steps;
            i = await work.call("compare",
              { key: under + "c", old: under + "v", new: under, by: view.m ? "structure" : "name" });
            i.steps = steps;
            key = under + "c";
          }
          if (ended || mine !== round) return;
          const gone = old ? [old, old.replace("c", ""), old.replace("c", "") + "v"] : [];
          for (const key of gone) work.call("close", { key }).catch(() => {});
          info = i;
          picture.kept = false;
        } catch (e) {
          if (ended || mine !== round) return;
          say(`The page could not read this graph. ${e.message ?? e}`);
          return;
        }
        anchor = undefined;
        lastScene = "";
        alone = [];
        closedAgain = false;
      }
      if (!info) return; // on its way
      const steps = info.steps ?? [];
      stepBox.hidden = steps.length < 2;
      if (steps.length > 1) {
        step.max = String(steps.length - 1);
        step.value = view.s ?? steps.length - 1;
        stepText.textContent = "step " + steps[+step.value].toLocaleString("en");
        others(list, now, versusOf);
      }
      part.hidden = info.graphs.length < 2;
      fill(part, info.graphs.map((g) => [String(g.index), g.name || `Graph ${g.index + 1}`]), String(view.g ?? 0));
      fill(tint, colors.filter(([v]) => tells(v)), tinted());
      lossButton.hidden = !info.lossesTotal;
      lossButton.textContent = G.count(info.lossesTotal, "problem");
      diffButton.hidden = !info.has.compare;
      await draw(anchor);
    };

    let lastScene = "", drawing = 0, cardDue = 0, returns = false, carded; // the choice that has had its card
    // draw brings the picture to what is to be shown. Of what is on its way already it waits for that: the
    // page tells a change back, and what was opened must keep its place.
    let coming = null;
    const draw = (anchor) => {
      const q = question({ ask: "scene", expanded: expanded(), limit: 3000 }),
        scene = JSON.stringify([opened, q, view.d]);
      if (coming?.scene === scene && anchor === undefined) return coming.done;
      const mine = { scene };
      mine.done = drawNow(anchor, q, scene).finally(() => { if (coming === mine) coming = null; });
      return (coming = mine).done;
    };
    const drawNow = async (anchor, q, scene) => {
      const mine = ++drawing, at = opened;
      if (scene !== lastScene) {
        let l;
        try {
          l = await work.call("layout", { key, question: q, up: !view.d });
        } catch (e) {
          if (!ended && at === opened) say(`The page could not draw this graph. ${e.message ?? e}`);
          return;
        }
        if (ended || mine !== drawing || at !== opened) return;
        // PyTorch puts what goes in and what comes out into scopes of one op each.
        const groups = l.nodes.filter((n) => n.children > 0 && !n.open && n.ops > 1), last = groups[0];
        if (view.o === undefined && !closedAgain && groups.length === 1
          && l.nodes.filter((n) => n.parent === last.parent).length <= 4 && alone.length < 4) {
          alone = [...alone, last.id];
          return draw(anchor);
        }
        // What stands alone was opened for the user; where nothing of it could be read then, it is closed again.
        if (view.o === undefined && alone.length && !closedAgain && picture.fits(l) < picture.FAR) {
          closedAgain = true;
          alone = [];
          return draw(anchor);
        }
        lastScene = scene;
        say("");
        const first = !picture.kept, place = first && keptPlace(l);
        if (place) Object.assign(picture.camera, place);
        picture.kept = true;
        picture.draw(l, anchor, !view.d);
        relight();
        if (first && !place) picture.fit(false);
        if (l.left.length) {
          H.say(`${G.count(l.left.length, "part")} stay closed: the picture would have more than 3,000 nodes. `
            + "Close others first.");
        }
        if (!l.nodes.length) say("This graph has no nodes. Choose another graph.");
      }
      picture.select(view.c ?? null);
      trail();
      await dye(mine);
      picture.select(view.c ?? null); // what was chosen meanwhile
      // A card comes with a choice; what else is beside the picture stays when new data comes.
      if (view.c !== carded) {
        carded = view.c;
        clearTimeout(cardDue);
        const asked = returns && panelOf === true; // what was asked for while the graph came stays
        const id = view.c;
        if (id === undefined) {
          if (typeof panelOf === "string") panel(null);
        } else if (asked) {
          // The card of a node that was chosen before can be had by a click.
        } else if (card.hidden) {
          // A second click, which opens the node, must find it where the first one did.
          cardDue = setTimeout(() => { if (!ended && view.c === id) panel(null, id); }, 260);
        } else panel(null, id);
      }
      returns = false;
      root.dataset.shown = opened; // for tests: what is drawn
    };

    const dye = async (mine) => {
      const by = tinted();
      const told = { by, compare: info?.has.compare, devices: info?.devices, left: options().without ?? [],
        leave: (without) => change({ without }) };
      if (by === "none") {
        legend.fill(told);
        return picture.color(null);
      }
      let c;
      try {
        c = await ask({ ask: "colors", by, expanded: expanded(),
          rules: by === "regex" ? [{ regex: view.q ?? "", label: view.q || "all", in: "name" }] : undefined });
      } catch (e) {
        if (!ended) H.say(String(e.message ?? e));
        return;
      }
      if (ended || mine !== drawing) return;
      legend.fill({ ...told, colors: c });
      picture.color(c);
    };

    // trail says where the chosen node is.
    const trail = () => {
      const id = view.c;
      const parts = [];
      if (id !== undefined) {
        for (let n = picture.node(id); n; n = n.parent ? picture.node(n.parent) : null) parts.unshift(n);
      }
      crumbs.replaceChildren(...(parts.length > 1 ? parts : []).flatMap((n, i) =>
        [i ? "/" : "", H.make("button", { type: "button", title: n.id, onclick: () => go(n.id) },
        n.name || "(empty)")]));
    };

    // What the user does.
    const toggle = (id) => {
      const n = picture.node(id);
      if (n && !(n.children > 0)) return choose(id);
      const now = new Set(expanded());
      if (now.has(id)) {
        now.delete(id);
        const inside = id + "/";
        return set({ o: [...now].filter((o) => !o.startsWith(inside)), c: view.c?.startsWith(inside) ? id : view.c },
          id).then(again);
      }
      now.add(id);
      return set({ o: [...now] }, id).then(again);
    };
    // The card says whether its node is open, and whether it stands in the graph.
    const again = () => { if (typeof panelOf === "string") panel(null, panelOf); };
    const choose = (id) => {
      if (pick !== null && id !== null) return route(pick, id);
      dark();
      if (id !== null) carded = undefined; // also of the same node again
      returns = false;
      return set({ c: id ?? undefined });
    };
    // go opens what is around a node, chooses it, and brings it into sight.
    const go = async (id) => {
      const hit = await ask({ ask: "node", id, limit: 1 }).catch((e) => void H.say(String(e.message ?? e)));
      if (!hit || ended) return;
      const around = hit.path ?? [];
      await set({ o: [...new Set([...expanded(), ...around])], c: id });
      if (!picture.show(id)) {
        const under = [...around].reverse().find((p) => picture.node(p));
        if (under) picture.show(under);
      }
    };
    // What is marked: null, or a function that asks for it again, when other scopes are open.
    let lighted = null, lightedBy = "";
    const dark = () => {
      lighted = null;
      picture.light(null);
    };
    const trace = async (direction) => {
      const id = view.c;
      if (id === undefined) return H.say("Choose a node first.");
      if (lighted && lightedBy === id + "\n" + direction) return dark();
      lightedBy = id + "\n" + direction;
      lighted = async () => {
        const a = await ask({ ask: "trace", id, direction, control: true, expanded: expanded() });
        return { ids: [...a.ids, id], edges: a.edges, ops: a.ops };
      };
      const a = await relight();
      if (a) H.say(direction === "in" ? `${G.count(a.ops, "op")} ${a.ops === 1 ? "feeds" : "feed"} this.`
        : `This feeds ${G.count(a.ops, "op")}.`);
    };
    // relight marks what is to be marked, and gives the answer; null if there is none, or it is not wanted any more.
    const relight = async () => {
      const mine = lighted;
      const a = await mine?.().catch((e) => { H.say(String(e.message ?? e)); });
      if (!a || ended || mine !== lighted) return null;
      picture.light(a.ids, a.edges);
      return a;
    };
    const beginPath = () => {
      if (view.c === undefined) return H.say("Choose a node first.");
      pick = view.c;
      H.say("Now click the other node. Escape cancels.");
    };
    const route = async (from, to) => {
      pick = null;
      lightedBy = "path";
      lighted = async () => {
        const a = await ask({ ask: "path", from, to, control: true, direction: "either", expanded: expanded() });
        const edges = a.ids.slice(1).map((id, i) => (a.direction === "backward" ? [id, a.ids[i]] : [a.ids[i], id]));
        return { ...a, ids: a.found ? a.ids : null, edges };
      };
      const a = await relight();
      if (!a) return;
      if (!a.found) {
        lighted = null;
        return H.say("No path joins these two nodes.");
      }
      const names = a.steps.slice(0, 8).map((s) => s.id.slice(s.id.lastIndexOf("/") + 1));
      if (a.steps.length > 8) names.push("…");
      H.say(`The shortest path has ${G.count(a.length, "edge")}: ${names.join(" → ")}`);
    };
    const panel = (fillIt, id) => {
      clearTimeout(cardDue);
      panelOf = fillIt ? true : id ?? null;
      card.hidden = panelOf === null;
      if (fillIt) Promise.resolve(fillIt()).catch((e) => card.append(String(e.message ?? e)));
      else if (id !== undefined && id !== null) {
        G.nodeCard(card, id, ask, cardOn, cardView).catch((e) => {
          if (panelOf === id) card.replaceChildren(H.make("p", {},
            e.code === "unknown-id" ? `This graph has no node ${id}. Search for its name.` : String(e.message ?? e)));
        });
      }
    };
    const change = (x) => {
      const next = { ...options(), ...x };
      for (const k of Object.keys(next)) if (next[k] === undefined || Array.isArray(next[k]) && !next[k].length
        || JSON.stringify(next[k]) === JSON.stringify(info?.defaults?.[k])) delete next[k];
      return set({ x: Object.keys(next).length ? next : undefined });
    };
    const cardView = {
      wants: (id) => !ended && panelOf === id,
      isOpen: (id) => expanded().includes(id),
      isAside: (id) => (picture.node(id) ? Boolean(picture.node(id).aside) : null),
    };
    const cardOn = {
      go,
      open: toggle,
      trace,
      path: beginPath,
      close: () => { if (typeof panelOf === "string") choose(null); else panel(null); picture.focus(); },
      aside: (id, out) => change({ main: (options().main ?? []).filter((o) => o !== id).concat(out ? [] : id),
        aside: (options().aside ?? []).filter((o) => o !== id).concat(out ? id : []) }).then(again),
      ungroup: (id) => change({ ungroup: [...(options().ungroup ?? []), id] }),
      save: (id, e) => H.menu(e.currentTarget, "Save", saves([id])),
      csv: (by) => save("csv", undefined, by),
      change: (x) => change(x),
      down: (yes) => { picture.kept = false; return set({ d: yes ? 1 : undefined }); },
      first: () => set({ x: undefined }),
    };
    // nodeMenu shows what can be done with a node beside it.
    const nodeMenu = (id) => {
      const n = picture.node(id);
      if (!n) return;
      const then = (act) => () => Promise.resolve(choose(id)).then(act);
      H.menu(picture.element(id), "Node", [
        n.children > 0 ? [n.open ? "Close" : "Open", () => toggle(id)] : null,
        ["Mark what feeds it", then(() => trace("in"))], ["Mark what it feeds", then(() => trace("out"))],
        ["Path to another node…", then(beginPath)],
        [n.aside ? "Put into the graph" : "Take out of the graph", () => cardOn.aside(id, !n.aside)],
        n.kind === "series" ? ["Show the series one by one", () => cardOn.ungroup(id)] : null,
        ["Copy the name", () => H.copy(id, "The name is copied.")], ...saves([id]),
      ]);
    };
    const drawnAs = () => {
      const at = () => ({ options: options(), down: Boolean(view.d) });
      if (info) panel(() => G.drawnCard(card, info, at, cardOn));
    };
    const numbers = () => { if (info) panel(() => G.statsCard(card, ask, cardOn, info)); };

    // Files.
    const save = async (form, ids, by) => {
      try {
        const parts = [];
        let at = 0, a;
        do {
          a = await ask({ ask: "export", form, ids, by, expanded: expanded(), offset: at, limit: 1 << 20 });
          parts.push(H.bytes(a.data));
          at = a.next;
        } while (at !== undefined);
        H.download(a.file, a.type, ...parts);
      } catch (e) {
        H.say(String(e.message ?? e));
      }
    };
    /** @type {(ids?: string[]) => MenuItem[]} */
    const saves = (ids) => [["Save as GraphDef (.pb)", () => save("pb", ids)],
      ["Save as text (.pbtxt)", () => save("pbtxt", ids)], ["Save for Graphviz (.dot)", () => save("dot", ids)]];
    const menu = (under) => H.menu(under, "More", [
      ["Open a file…", () => file.click()],
      ["Save the picture (SVG)", () => G.saveImage(picture, "svg", true)],
      ["Save the picture (PNG)…", () => G.saveImage(picture, "png", true, under)],
      ["Save what is seen (SVG)", () => G.saveImage(picture, "svg", false)],
      ...(info ? saves() : []),
      info ? ["Colour by an expression…", () => express()] : null,
      ["How it is drawn…", drawnAs],
      ["Close all", () => set({ o: undefined, c: undefined }).then(() => picture.fit())],
    ]);
    const take = (list) => {
      for (const f of list) {
        files = files.filter((o) => o.name !== f.name);
        files.push(f);
      }
      if (list.length) {
        opened = "";
        set({ r: undefined, p: "file", t: list[list.length - 1].name, s: undefined, g: undefined, o: undefined,
          c: undefined, v: undefined });
      }
    };
    body.addEventListener("dragover", (e) => {
      if ([...(e.dataTransfer?.items ?? [])].some((i) => i.kind === "file")) {
        e.preventDefault();
        e.stopPropagation();
      }
    });
    body.addEventListener("drop", (e) => {
      const dropped = [...(e.dataTransfer?.files ?? [])];
      // a folder is the page's
      if (!dropped.length || !dropped.every((f) => /\.(pb|pbtxt|onnx|json)$/i.test(f.name))) return;
      e.preventDefault();
      e.stopPropagation();
      take(dropped);
    });

    // Keys. Arrows walk the structure: left and right among siblings as they stand, down into
    // what is open, up to what is around.
    const walk = (k) => {
      const nodes = picture.layout?.nodes ?? [];
      const now = nodes.find((n) => n.id === view.c);
      if (!now) return nodes.length
        ? choose(G.inOrder(nodes.filter((n) => n.parent === nodes[0].parent), !view.d)[0].id) : undefined;
      const parent = now.parent;
      if (k === "ArrowUp") return parent ? choose(parent) : undefined;
      if (k === "ArrowDown") {
        const first = G.inOrder(nodes.filter((n) => n.parent === now.id), !view.d)[0];
        return first ? choose(first.id) : undefined;
      }
      const line = G.inOrder(nodes.filter((n) => n.parent === parent), !view.d);
      const i = line.indexOf(now) + (k === "ArrowRight" ? 1 : -1);
      return line[i] ? choose(line[i].id) : undefined;
    };
    const commands = [
      ["← →", "Choose the next node, the one before"],
        ["↑ ↓", "Choose the scope around the node, the first node in it"],
      ["Enter", "Open or close the chosen node"], ["i", "Mark everything that feeds the node"],
        ["o", "Mark everything that the node feeds"],
      ["p", "Mark the shortest path to another node"], ["n", "The graph in numbers"], ["f", "Find a node"],
        ["0", "Fit the graph to the screen"], ["+ −", "Larger, smaller"],
    ];
    picture.stage.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key.startsWith("Arrow")) {
        e.preventDefault();
        e.stopPropagation();
        if (e.shiftKey) return picture.pan(...{ ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80],
          ArrowDown: [0, 80] }[e.key]);
        Promise.resolve(walk(e.key)).then(() => view.c !== undefined && picture.show(view.c));
      } else if (e.key === "Enter" && e.target === picture.tree && view.c !== undefined) {
        e.preventDefault();
        e.stopPropagation();
        if (pick !== null && pick !== view.c) route(pick, view.c); else toggle(view.c);
      }
    });

    const update = () => {
      const text = host("shown") || "";
      if (text !== written) {
        written = text;
        view = parse(text);
        if (!Array.isArray(view.o)) delete view.o;
      }
      show();
    };
    update();
    refresh();
    return {
      update,
      key: (k) => {
        const act = { i: () => trace("in"), o: () => trace("out"), p: beginPath, n: numbers, f: finder.focus,
          0: () => picture.fit(), "+": () => picture.zoom(1.4), "-": () => picture.zoom(1 / 1.4) }[k];
        if (!act || !info) return false;
        act();
        return true;
      },
      escape: () => {
        if (pick !== null) { pick = null; return true; }
        if (lighted) { dark(); return true; }
        if (panelOf !== null) { cardOn.close(); return true; }
        return false;
      },
      help: () => commands,
      end: () => {
        ended = true;
        off();
        clearTimeout(refreshDue);
        clearTimeout(keepDue);
        clearTimeout(cardDue);
        finder.end();
        legend.end();
        picture.end();
        work.end();
      },
    };
  };
}
