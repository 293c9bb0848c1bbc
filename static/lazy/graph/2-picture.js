// Draws what the worker has laid out, as SVG, and lets one move over it. Nodes that stay keep
// their element, so they glide to their new place; what was clicked stays under the pointer.
// Texts become text nodes, never markup.
"use strict";
{
  const G = globalThis.tbGraph, NS = "http://www.w3.org/2000/svg";
  const svg = (tag, attributes = {}, ...kids) => {
    const e = document.createElementNS(NS, tag);
    for (const [k, v] of Object.entries(attributes)) if (v !== undefined && v !== null) e.setAttribute(k, v);
    e.append(...kids);
    return e;
  };

  const isScope = (n) => (n.children ?? 0) > 0;

  const shape = (n) => {
    const w = n.w, h = n.h;
    if (isScope(n) || n.open) {
      const stack = n.kind === "series" && !n.open ? [3, 6] : [];
      const card = (d) => svg("rect", { class: "shape", x: -w / 2 + d, y: -h / 2 - d, width: w, height: h, rx: 5 });
      return [...stack.map(card).reverse(),
        svg("rect", { class: "shape", x: -w / 2, y: -h / 2, width: w, height: h, rx: n.open ? 8 : 5 })];
    }
    const rx = n.kind === "constant" || n.kind === "parameter" ? 2 : h / 2;
    return [svg("rect", { class: "shape", x: -w / 2, y: -h / 2, width: w, height: h, rx })];
  };

  const notes = (n, list, more, side) => {
    const total = list.length + (more ? 1 : 0), sign = side === "left" ? -1 : 1;
    const row = (i) => (i - (total - 1) / 2) * 13;
    const out = list.map((a, i) => {
      const g = svg("g", { class: "note " + side, "data-id": a.id },
        svg("line", { x1: sign * n.w / 2, x2: sign * (n.w / 2 + 8), y1: row(i), y2: row(i) }),
        svg("circle", { cx: sign * (n.w / 2 + 11), cy: row(i), r: 3 }),
        svg("text", { x: sign * (n.w / 2 + 17), y: row(i) + 3 }));
      g.lastChild.textContent = a.label;
      g.append(svg("title"));
      g.lastChild.textContent = `${a.id}${a.op ? ", " + a.op : ""}`;
      return g;
    });
    if (more) {
      const t = svg("text", { x: sign * (n.w / 2 + 17), y: row(total - 1) + 3 });
      t.textContent = `and ${more} more`;
      out.push(svg("g", { class: "note " + side }, t));
    }
    return out;
  };

  const said = (n) => {
    const parts = [n.id || n.name];
    if (n.op) parts.push(n.op);
    if (isScope(n)) parts.push(G.count(n.ops, "op"));
    if (n.shape) parts.push(n.shape);
    return parts.join("\n");
  };

  // A path through points, smooth where it bends.
  const curve = (p) => {
    if (p.length < 3) return "M" + p.map((q) => q.map((v) => v.toFixed(1)).join(",")).join("L");
    let d = `M${p[0][0].toFixed(1)},${p[0][1].toFixed(1)}`;
    for (let i = 1; i < p.length - 1; i++) {
      const [x, y] = p[i], last = i === p.length - 2;
      const ex = last ? p[i + 1][0] : (x + p[i + 1][0]) / 2, ey = last ? p[i + 1][1] : (y + p[i + 1][1]) / 2;
      d += `Q${x.toFixed(1)},${y.toFixed(1)} ${ex.toFixed(1)},${ey.toFixed(1)}`;
    }
    return d;
  };
  // along is the point of a line at a share of its length.
  const along = (p, share) => {
    let all = 0;
    const long = p.slice(1).map((q, i) => Math.hypot(q[0] - p[i][0], q[1] - p[i][1]));
    for (const l of long) all += l;
    let at = all * share;
    for (let i = 0; i < long.length; i++) {
      const part = at / (long[i] || 1);
      if (at <= long[i]) return [0, 1].map((k) => p[i][k] + (p[i + 1][k] - p[i][k]) * part);
      at -= long[i];
    }
    return p[0];
  };

  // words says what goes along lines, and where: [text, x, y]. None lies on a node or on another: it is moved
  // along its line, the longest lines last, since those have the most room; what finds no place is left out.
  const words = (layout) => {
    const CELL = 40, taken = new Map();
    const cells = (b, f) => {
      for (let i = Math.floor(b[0] / CELL); i <= Math.floor(b[2] / CELL); i++) {
        for (let j = Math.floor(b[1] / CELL); j <= Math.floor(b[3] / CELL); j++) if (f(i + " " + j)) return true;
      }
      return false;
    };
    const put = (b) => cells(b, (c) => { const l = taken.get(c); if (l) l.push(b); else taken.set(c, [b]); });
    const free = (b) => !cells(b,
      (c) => taken.get(c)?.some((o) => o[0] < b[2] && o[2] > b[0] && o[1] < b[3] && o[3] > b[1]));
    for (const n of layout.nodes) if (!n.open) put([n.x - n.w / 2, n.y - n.h / 2, n.x + n.w / 2, n.y + n.h / 2]);
    const out = [], length = (e) => Math.abs(e.points[0][1] - e.points[e.points.length - 1][1]);
    const told = layout.edges.filter((e) => !e.bridge && (e.count > 1 || e.shapes?.length));
    for (const e of told.sort((a, b) => length(a) - length(b))) {
      const text = e.count > 1 ? `${e.count.toLocaleString("en")} edges` : e.shapes[0], half = text.length * 2.4 + 2;
      for (const share of [0.5, 0.4, 0.6, 0.3, 0.7]) {
        const [x, y] = along(e.points, share), b = [x - half, y - 6, x + half, y + 6];
        if (!free(b)) continue;
        put(b);
        out.push([text, x, y]);
        break;
      }
    }
    return out;
  };

  // picture makes the stage. on: {open(id), choose(id), menu(id), moved(camera)}.
  G.picture = (on) => {
    const H = tbKit, reduced = matchMedia("(prefers-reduced-motion: reduce)");
    // What is open lies behind the lines, what is closed before them: none goes over a name.
    const opensAt = svg("g"), edgesAt = svg("g", { class: "edges" }), nodesAt = svg("g", { class: "nodes" }),
      wordsAt = svg("g");
    const world = svg("g", {}, opensAt, edgesAt, nodesAt, wordsAt);
    const arrow = svg("marker", { id: "gr-arrow", viewBox: "0 0 6 6", refX: 6, refY: 3, markerWidth: 6, markerHeight: 6,
      orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { d: "M0,0L6,3L0,6z", class: "gr-arrow" }));
    const defs = svg("defs", {}, arrow);
    const root = svg("svg", { "aria-hidden": "true" }, defs, world);
    const stage = H.make("div", { className: "gr-stage", role: "group", "aria-label": "Graph" });
    const tree = G.tree();
    stage.append(tree.el, root);
    let layout = null, byId = new Map(), drawn = new Map(), colors = null, selected = null, lit = null;
    const camera = { x: 0, y: 0, k: 1 }; // of the plane's point that lies in the stage's middle
    let size = { w: 0, h: 0 };
    const P = { stage, camera, focus: tree.focus, tree: tree.el, get layout() { return layout; } };

    // Below FAR no text can be read, and a browser without a graphics processor spends most of a frame on it.
    const FAR = 0.3, FOOT = 38; // px: what the legend and the buttons take
    let far = false, zooming = 0;
    const legible = () => {
      if (!zooming && far !== camera.k < FAR) world.classList.toggle("gr-far", far = camera.k < FAR);
    };
    // While many nodes are made larger their texts wait.
    const hush = () => {
      if (drawn.size < 300) return;
      clearTimeout(zooming);
      world.classList.toggle("gr-far", far = true);
      zooming = setTimeout(() => { zooming = 0; legible(); }, 160);
    };
    const place = (save = true) => {
      legible();
      world.setAttribute("transform",
        `translate(${size.w / 2 - camera.x * camera.k},${size.h / 2 - camera.y * camera.k}) scale(${camera.k})`);
      drawMap();
      if (save) on.moved(camera);
    };
    // whole is the camera that sees all, as long as nobody has moved it: in another window it does so again.
    let whole = null, frame = "";
    const resized = tbSizes(([e]) => {
      const asFitted = whole && !going && ["x", "y", "k"].every((c) => camera[c] === whole[c]);
      const was = frame;
      frame = `${innerWidth} × ${innerHeight}`;
      const first = !size.w, before = size, seen = selected !== null && within(selected, before);
      size = { w: e.contentRect.width, h: e.contentRect.height };
      if (!first) { // what stands at the left and the top stays there
        for (const c of going ? [camera, going.from, going.to] : [camera]) {
          c.x += (size.w - before.w) / 2 / c.k;
          c.y += (size.h - before.h) / 2 / c.k;
        }
      }
      if (first && layout && !P.kept || asFitted && was !== frame) return P.fit(false);
      place(false);
      if (!first && seen) reveal(selected); // a card came beside it
    });
    resized.observe(stage);

    let running = 0, going = null; // the camera's way: {from, to}
    const stop = () => {
      cancelAnimationFrame(running);
      going = null;
    };
    // glide moves the camera there within a quarter of a second.
    const glide = (to, save = true) => {
      stop();
      if (reduced.matches) {
        Object.assign(camera, to);
        return place(save);
      }
      const from = { ...camera }, began = performance.now();
      going = { from, to };
      const step = (now) => {
        const t = Math.min(1, (now - began) / 250), s = t * (2 - t);
        for (const k of ["x", "y", "k"]) camera[k] = from[k] + (to[k] - from[k]) * s;
        place(save && t === 1);
        if (t < 1) running = requestAnimationFrame(step); else going = null;
      };
      running = requestAnimationFrame(step);
    };
    P.FAR = FAR;
    // fits is how large a layout is drawn when all of it is seen.
    P.fits = (l) => (size.w ? Math.min((size.w - 24) / l.w, (size.h - 24 - FOOT) / l.h) : 1);
    P.fit = (slowly = true, id) => {
      if (!layout || !size.w) return;
      const n = id !== undefined && byId.get(id);
      const box = n ? { x: n.x, y: n.y, w: n.w + n.left + n.right + 60, h: n.high + 60 }
        : { x: layout.w / 2, y: layout.h / 2, w: layout.w, h: layout.h };
      /** @type {HTMLElement} the way to the chosen node */
      const way = stage.querySelector(".gr-path"), top = way?.offsetHeight ?? 0;
      const k = Math.max(0.01, Math.min(n ? 1.5 : 1.25, (size.w - 24) / box.w, (size.h - 24 - FOOT - top) / box.h));
      const to = { x: box.x, y: box.y + (FOOT - top) / 2 / k, k };
      whole = n ? null : { ...to };
      if (slowly) glide(to); else { Object.assign(camera, to); place(); }
    };
    // head is the part of a node that is to be seen of it, on the screen: all of it, of an open one the name. While
    // the camera moves it is where it will come to stand.
    const head = (n) => {
      const h = n.open ? 24 : n.h, y = n.open ? n.y - n.h / 2 + 12 : n.y, c = going?.to ?? camera;
      return { x: (n.x - c.x) * c.k, y: (y - c.y) * c.k, w: n.w * c.k, h: h * c.k };
    };
    const within = (id, s) => {
      const n = byId.get(id), b = n && head(n);
      return Boolean(b) && Math.abs(b.x) < s.w / 2 && Math.abs(b.y) < s.h / 2;
    };
    // reveal moves the picture as little as is needed for a node to be seen beside what lies over the stage:
    // the way to it above, the legend and buttons below.
    const reveal = (id) => {
      const n = byId.get(id);
      if (!n) return;
      const b = head(n);
      const shift = (at, half, from, to) =>
        (at + half > to ? Math.max(to - at - half, from - at + half) : Math.max(0, from - at + half));
      const dx = shift(b.x, Math.min(b.w, size.w - 32) / 2, 12 - size.w / 2, size.w / 2 - 12);
      const dy = shift(b.y, Math.min(b.h, size.h - 90) / 2, 40 - size.h / 2, size.h / 2 - 12 - FOOT);
      const c = going?.to ?? camera;
      if (dx || dy) glide({ x: c.x - dx / c.k, y: c.y - dy / c.k, k: c.k });
    };
    // show brings a node into sight without changing how large things are, if it can be read.
    P.show = (id) => {
      const n = byId.get(id);
      if (!n) return false;
      const k = Math.max(camera.k, 0.6);
      if (n.open && (n.w * k > size.w || n.h * k > size.h)) return P.fit(true, id), true;
      const sx = (n.x - camera.x) * camera.k + size.w / 2, sy = (n.y - camera.y) * camera.k + size.h / 2;
      if (camera.k >= 0.6 && sx > 60 && sx < size.w - 60 && sy > 40 && sy < size.h - 40) return true;
      glide({ x: n.x, y: n.y, k });
      return true;
    };
    P.zoom = (by, x = size.w / 2, y = size.h / 2) => {
      stop();
      const k = Math.min(4, Math.max(0.01, camera.k * by));
      hush();
      const px = camera.x + (x - size.w / 2) / camera.k, py = camera.y + (y - size.h / 2) / camera.k;
      camera.k = k;
      camera.x = px - (x - size.w / 2) / k;
      camera.y = py - (y - size.h / 2) / k;
      place();
    };
    P.pan = (dx, dy) => glide({ x: camera.x + dx / camera.k, y: camera.y + dy / camera.k, k: camera.k });

    // draw shows a layout. anchor is the node that keeps its place on the screen; up says that
    // it is read from the bottom.
    P.draw = (next, anchor, up) => {
      const before = anchor !== undefined && byId.get(anchor);
      layout = next;
      byId = new Map(next.nodes.map((n) => [n.id, n]));
      tree.fill(next.nodes, up);
      const now = new Map();
      for (const n of next.nodes) {
        const was = drawn.get(n.id);
        const look = [n.w, n.h, n.open, n.label, n.kind, n.in, n.out, n.inMore, n.outMore, n.marks, n.children];
        const face = JSON.stringify(look);
        let g = was;
        if (!g) {
          g = svg("g", { "data-id": n.id });
          const from = drawn.get(n.parent)?.tbAt ?? (before && [before.x, before.y]);
          if (from) g.style.transform = `translate(${from[0]}px,${from[1]}px)`;
          g.style.opacity = 0;
        }
        if (g.tbFace !== face) {
          g.tbFace = face;
          const text = svg("text", { x: isScope(n) && !n.open ? -7 : 0, y: n.open ? -n.h / 2 + 16 : 4 });
          text.textContent = n.label;
          const title = svg("title");
          title.textContent = said(n);
          g.replaceChildren(...shape(n), ...notes(n, n.in, n.inMore, "left"), ...notes(n, n.out, n.outMore, "right"),
            text, title);
          if (isScope(n)) {
            const sign = svg("text", { class: "sign", x: n.w / 2 - 10, y: n.open ? -n.h / 2 + 16 : 4 });
            sign.textContent = n.open ? "−" : "+";
            g.append(sign);
          }
        }
        let mark = "";
        if (n.marks && !n.open) mark = !n.marks.same && !n.marks.changed
          ? (n.marks.added && !n.marks.removed ? "added" : n.marks.removed && !n.marks.added ? "removed" : "changed")
          : n.marks.added || n.marks.removed || n.marks.changed ? "changed" : n.marks.renamed ? "renamed" : "";
        const classes = ["gr-node", n.kind, n.open ? "open" : "", isScope(n) ? "group" : "", mark];
        g.tbClass = classes.filter(Boolean).join(" ");
        g.tbAt = [n.x, n.y];
        now.set(n.id, g);
      }
      for (const [id, g] of drawn) if (!now.has(id)) g.remove();
      // Open scopes stand before what they hold: in the order of the layout.
      const fresh = [];
      let moved = false; // what was put in elsewhere begins its way anew, too
      for (const layer of [opensAt, nodesAt]) {
        let at = layer.firstChild;
        for (const n of next.nodes) {
          if (n.open !== (layer === opensAt)) continue;
          const g = now.get(n.id);
          if (g === at) at = at.nextSibling; else moved = layer.insertBefore(g, at) === g;
        }
      }
      for (const n of next.nodes) if (!drawn.has(n.id)) fresh.push(now.get(n.id));
      drawn = now;
      const still = !fresh.length || fresh.length === next.nodes.length; // of what is new as a whole nothing glides
      if (still) for (const g of fresh) g.style.transition = "none";
      if (moved) root.getBoundingClientRect(); // so that they begin where they came from
      for (const n of next.nodes) {
        const g = now.get(n.id);
        g.style.transform = `translate(${n.x}px,${n.y}px)`;
        g.style.opacity = "";
      }
      if (still && fresh.length) {
        root.getBoundingClientRect();
        for (const g of fresh) g.style.transition = "";
      }
      edgesAt.replaceChildren(...next.edges.map((e) => {
        const width = Math.min(5, 1 + Math.log10(Math.max(1, e.size || 1)) * 0.45);
        const classes = ["gr-edge", e.control && e.control === e.count ? "control" : "", e.ref ? "ref" : "",
          e.added ? "added" : "", e.removed ? "removed" : ""];
        const p = svg("path", { class: classes.filter(Boolean).join(" "), d: curve(e.points),
          "stroke-width": width.toFixed(1), "marker-end": e.to ? "url(#gr-arrow)" : undefined });
        p.tbEdge = e;
        const t = svg("title");
        const ends = e.bridge ? `${e.from === "" ? "from" : "to"} ${e.bridge.join(", ")}` : `${e.from} → ${e.to}`;
        const facts = [ends, e.count > 1 ? `${e.count} edges` : "", e.control ? `${e.control} control` : ""];
        t.textContent = [...facts, ...(e.shapes ?? [])].filter(Boolean).join("\n");
        p.append(t);
        return p;
      }));
      wordsAt.replaceChildren(...(next.edges.length < 1500 ? words(next) : []).map(([text, x, y]) => {
        const t = svg("text", { class: "along", x: x.toFixed(1), y: (y + 3).toFixed(1) });
        t.textContent = text;
        return t;
      }));
      dress();
      const after = anchor !== undefined && byId.get(anchor);
      if (before && after) {
        // The head of what was opened stands where the node stood.
        const top = (n) => (n.open ? n.y - n.h / 2 + 12 : n.y), y0 = top(before), y1 = top(after);
        camera.x += after.x - before.x;
        camera.y += y1 - y0;
        place();
        // What could be read as a whole, and cannot as it is, since much was closed, is fitted.
        if (camera.k < FAR && P.fits(layout) > FAR) P.fit();
      } else place(false);
    };

    // dress gives nodes their classes and colours.
    const dress = () => {
      world.classList.toggle("gr-faint", Boolean(lit));
      const legend = colors?.legend ?? [];
      defs.replaceChildren(arrow);
      for (const [id, g] of drawn) {
        const n = byId.get(id);
        let fill = "";
        g.tbHeat = undefined;
        const shares = colors?.nodes?.[id];
        if (colors?.values && colors.values[id] !== undefined) {
          const t = colors.max > colors.min ? (colors.values[id] - colors.min) / (colors.max - colors.min) : 0.5;
          g.tbHeat = t;
          fill = `color-mix(in srgb, var(--gr-most) ${Math.round(t * 100)}%, var(--gr-least))`;
        } else if (shares?.length === 1 && shares[0][1] > 0.99) {
          fill = G.hue(legend[shares[0][0]]);
        } else if (shares?.some((s) => s[1] > 0.005) && !n.open) {
          const gradient = svg("linearGradient", { id: "gr-g" + defs.children.length });
          let sum = 0;
          const stop = (at, color) => {
            const s = svg("stop", { offset: at.toFixed(3) });
            s.style.stopColor = color; // no attribute: var() is none of its values
            gradient.append(s);
          };
          for (const [i, share] of shares) {
            stop(sum, G.hue(legend[i]));
            stop(sum += share, G.hue(legend[i]));
          }
          if (sum < 0.99) { stop(sum, "var(--gr-rest)"); stop(1, "var(--gr-rest)"); }
          defs.append(gradient);
          fill = `url(#${gradient.id})`;
        }
        if (n.open) fill = "";
        g.setAttribute("class", g.tbClass + (fill ? " colored" : "") + (id === selected ? " sel" : "")
          + (lit?.has(id) ? " lit" : ""));
        if (fill) g.style.setProperty("--gr-fill", fill); else g.style.removeProperty("--gr-fill");
      }
      const pairs = lit?.edges;
      for (const p of edgesAt.children) {
        const e = p.tbEdge;
        p.classList.toggle("lit", pairs ? pairs.has(e.from + "\n" + e.to) : !lit && selected !== null
          && (e.from === selected || e.to === selected));
      }
    };
    P.color = (c) => { colors = c; dress(); };
    P.select = (id) => {
      selected = id;
      dress();
      tree.choose(id);
    };
    // ways are the lines that are drawn for an edge between two nodes, as their ends say: out of the scopes around
    // the one, across, and into those around the other.
    const around = (id) => {
      const ids = [];
      for (let n = byId.get(id); n; n = byId.get(n.parent)) ids.push(n.id);
      return ids;
    };
    const ways = (from, to, into) => {
      const a = around(from), b = around(to);
      while (a.length > 1 && b.length > 1 && a[a.length - 1] === b[b.length - 1]) { a.pop(); b.pop(); }
      into.add(a.pop() + "\n" + b.pop());
      for (const id of a) into.add(id + "\n");
      for (const id of b) into.add("\n" + id);
    };
    // light marks nodes and edges [[from, to]…]; null marks none.
    P.light = (ids, edges = []) => {
      lit = ids ? new Set(ids) : null;
      if (lit) {
        lit.edges = new Set();
        for (const [from, to] of edges) ways(from, to, lit.edges);
      }
      dress();
    };
    P.node = (id) => byId.get(id);
    P.element = (id) => drawn.get(id);

    // The map: the whole plane, small, and the part that is seen, a box over it that only moves.
    const MAP = 150, sheet = H.make("canvas"), seenBox = H.make("i");
    const map = H.make("div", { className: "gr-map", hidden: true, "aria-hidden": "true" }, sheet, seenBox);
    stage.append(map);
    let mapOf = null, mapLine = "", mapLooked = 0, mapScale = 1, mapRatio = 1, mapDue = 0;
    const drawMap = () => { mapDue ||= requestAnimationFrame(paintMap); };
    const paintSheet = (line) => {
      mapOf = layout;
      mapLine = line;
      const k = mapScale = MAP / Math.max(layout.w, layout.h), dpr = mapRatio = devicePixelRatio;
      const w = Math.max(20, layout.w * k), h = Math.max(20, layout.h * k);
      sheet.width = w * dpr;
      sheet.height = h * dpr;
      sheet.style.width = w + "px";
      sheet.style.height = h + "px";
      const c = sheet.getContext("2d");
      c.scale(dpr * k, dpr * k);
      c.strokeStyle = c.fillStyle = line;
      c.lineWidth = 1 / k;
      for (const n of layout.nodes) {
        if (n.open) c.strokeRect(n.x - n.w / 2, n.y - n.h / 2, n.w, n.h);
        else c.fillRect(n.x - n.w / 2, n.y - n.h / 2, Math.max(n.w, 1 / k), Math.max(n.h, 1 / k));
      }
    };
    const paintMap = (now) => {
      mapDue = 0;
      if (!layout || !size.w) return;
      const w = size.w / camera.k, h = size.h / camera.k;
      const hide = !(w < layout.w * 0.95 || h < layout.h * 0.95) || size.w < 420;
      if (map.hidden !== hide) map.hidden = hide;
      if (hide) return;
      if (mapOf !== layout || now - mapLooked > 500) { // what colour the theme gives is not asked for in each frame
        mapLooked = now;
        const line = getComputedStyle(stage).getPropertyValue("--edge");
        if (mapOf !== layout || line !== mapLine || mapRatio !== devicePixelRatio) paintSheet(line);
      }
      seenBox.style.transform =
        `translate(${((camera.x - w / 2) * mapScale).toFixed(1)}px,${((camera.y - h / 2) * mapScale).toFixed(1)}px)`;
      seenBox.style.width = (w * mapScale).toFixed(1) + "px";
      seenBox.style.height = (h * mapScale).toFixed(1) + "px";
    };
    const toMap = (e) => {
      const b = map.getBoundingClientRect();
      camera.x = (e.clientX - b.left - 1) / mapScale;
      camera.y = (e.clientY - b.top - 1) / mapScale;
      place();
    };
    map.addEventListener("pointerdown", (e) => {
      e.stopPropagation();
      map.setPointerCapture(e.pointerId);
      toMap(e);
    });
    map.addEventListener("pointermove", (e) => { if (map.hasPointerCapture(e.pointerId)) toMap(e); });

    // The hand: drag moves, wheel and two fingers zoom, a click chooses, a double click opens.
    const fingers = new Map();
    // A finger's tap is a pointer that goes where it came: after a while browsers make no click of it.
    let moved = false, pinch = 0, touched = false, tapped = false, several = false;
    const apart = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    // or the tree loses the keyboard
    // over is the element that an event is of.
    const over = (e) => /** @type {Element} */ (e.target);
    stage.addEventListener("mousedown", (e) => { if (!over(e).closest("button")) e.preventDefault(); });
    stage.addEventListener("pointerdown", (e) => {
      moved = tapped = false;
      touched = e.pointerType === "touch";
      if (e.button || over(e).closest("button")) return;
      tree.focus();
      fingers.set(e.pointerId, [e.clientX, e.clientY]);
      pinch = fingers.size === 2 ? apart() : 0;
      several = fingers.size > 1;
    });
    stage.addEventListener("pointermove", (e) => {
      const last = fingers.get(e.pointerId);
      if (!last) return;
      const dx = e.clientX - last[0], dy = e.clientY - last[1];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      if (!moved) {
        moved = true;
        stage.setPointerCapture(e.pointerId);
        stage.classList.add("drag");
        stop();
      }
      fingers.set(e.pointerId, [e.clientX, e.clientY]);
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()], d = apart(), r = stage.getBoundingClientRect();
        if (pinch) P.zoom(d / pinch, (a[0] + b[0]) / 2 - r.left, (a[1] + b[1]) / 2 - r.top);
        pinch = d;
      }
      camera.x -= dx / camera.k / fingers.size;
      camera.y -= dy / camera.k / fingers.size;
      place();
    });
    const up = (e) => {
      if (!fingers.delete(e.pointerId)) return;
      stage.classList.remove("drag");
      pinch = 0;
    };
    const idOf = (e) => e.target.closest?.("[data-id]")?.dataset.id;
    const tap = (e) => {
      const id = idOf(e);
      if (over(e).classList.contains("sign")) return on.open(id);
      on.choose(id ?? null, e);
    };
    stage.addEventListener("pointerup", (e) => {
      const held = fingers.has(e.pointerId);
      up(e);
      if (!held || !touched || moved || several || tapped || over(e).closest(".gr-map, .gr-legend")) return;
      tapped = true;
      tap(e);
    });
    stage.addEventListener("pointercancel", up);
    stage.addEventListener("wheel", (e) => {
      e.preventDefault();
      const r = stage.getBoundingClientRect();
      P.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0016)), e.clientX - r.left, e.clientY - r.top);
    }, { passive: false });
    stage.addEventListener("click", (e) => {
      if (moved || over(e).closest("button, .gr-map, .gr-legend")) return;
      if (tapped) tapped = false;
      else if (e.detail !== 2 || idOf(e) === undefined || over(e).classList.contains("sign")) tap(e);
    });
    // A finger that stays down for long means a menu to a browser, and is no click; here it chooses, too. The right
    // button, and the menu key, show what can be done with a node.
    stage.addEventListener("contextmenu", (e) => {
      const id = idOf(e);
      if (moved || id === undefined && e.target !== tree.el) return;
      e.preventDefault();
      if (touched && id !== undefined) {
        if (!tapped) on.choose(id, e);
        tapped = true;
        return;
      }
      // Where the button's press brings the menu, its release would take it away.
      const show = () => setTimeout(on.menu, 0, id ?? selected);
      if (e.buttons & 2) addEventListener("pointerup", show, { once: true, capture: true }); else show();
    });
    stage.addEventListener("dblclick", (e) => {
      const id = idOf(e);
      if (over(e).classList.contains("sign")) return;
      if (id !== undefined && !over(e).closest("button")) on.open(id);
      else if (id === undefined && !over(e).closest("button, .gr-map, .gr-legend")) P.fit();
    });
    P.end = () => {
      clearTimeout(zooming);
      resized.disconnect();
      cancelAnimationFrame(running);
      cancelAnimationFrame(mapDue);
    };

    // image is the picture as an SVG file of its own, in the colours of paper: {css, least, most, rest}. Programs
    // that draw SVG know attributes and simple rules alone: no variables, no mixed colours, no moves by a style.
    P.image = (whole, paper) => {
      const copy = root.cloneNode(true);
      const box = whole ? [0, 0, layout.w, layout.h]
        : [camera.x - size.w / 2 / camera.k, camera.y - size.h / 2 / camera.k, size.w / camera.k, size.h / camera.k];
      copy.querySelector("g").removeAttribute("transform");
      copy.setAttribute("viewBox", box.map((v) => v.toFixed(1)).join(" "));
      copy.setAttribute("width", box[2].toFixed(0));
      copy.setAttribute("height", box[3].toFixed(0));
      copy.setAttribute("xmlns", NS);
      copy.removeAttribute("aria-hidden");
      for (const e of copy.querySelectorAll(".sign")) e.remove();
      for (const e of copy.querySelectorAll("stop")) {
        e.setAttribute("stop-color", e.style.stopColor.startsWith("var") ? paper.rest : e.style.stopColor);
        e.removeAttribute("style");
      }
      for (const g of copy.querySelectorAll(".gr-node")) {
        const was = drawn.get(g.dataset.id), heat = was.tbHeat;
        const fill = heat === undefined ? was.style.getPropertyValue("--gr-fill")
          : mixed(paper.least, paper.most, heat);
        g.removeAttribute("style");
        g.setAttribute("transform", `translate(${was.tbAt[0].toFixed(1)},${was.tbAt[1].toFixed(1)})`);
        for (const e of fill ? g.children : []) if (e.classList.contains("shape")) e.style.fill = fill;
      }
      for (const g of copy.querySelectorAll("[data-id]")) g.removeAttribute("data-id");
      const style = document.createElementNS(NS, "style");
      style.textContent = paper.css;
      copy.prepend(svg("rect", { x: box[0], y: box[1], width: box[2], height: box[3], fill: "#fff" }));
      copy.prepend(style);
      return { text: new XMLSerializer().serializeToString(copy), w: box[2], h: box[3] };
    };
    return P;
  };

  // hue is a colour of the legend. There are ten hues; what comes after them is darker, then brighter, then between.
  const shades = [[0.62, 0.78], [0.55, 0.62], [0.9, 0.88]]; // saturation, lightness
  G.hue = (l) => {
    if (!l) return "var(--gr-rest)";
    const round = Math.floor(l.at / 10), between = Math.floor(round / shades.length) * 9;
    if (l.color) return l.color;
    const [s, v] = shades[round % shades.length], a = s * Math.min(v, 1 - v);
    return "#" + [0, 8, 4].map((n) => {
      const k = (n + (l.hue + between) / 30) % 12;
      return Math.round(255 * (v - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)))).toString(16).padStart(2, "0");
    }).join("");
  };
  // mixed is the colour that lies a share of the way from #rrggbb to another.
  const mixed = (from, to, share) => "#" + [1, 3, 5].map((i) => {
    const a = parseInt(from.slice(i, i + 2), 16), b = parseInt(to.slice(i, i + 2), 16);
    return Math.round(a + (b - a) * share).toString(16).padStart(2, "0");
  }).join("");
}
