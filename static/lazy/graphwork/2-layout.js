// Lays out a scene of shared/graph/explore: each open scope by itself with dagre, the inner
// ones first, since a scope is as large as what it holds. dagre takes time that grows with
// the square of a scope's nodes (some 0.1 s for 300), so scopes are laid out one at a time and
// what has not changed is not laid out again.
"use strict";
{
  const measure = (() => {
    const c = globalThis.OffscreenCanvas ? new OffscreenCanvas(1, 1).getContext("2d") : null;
    return (text, font) => {
      if (!c) return text.length * 6.4;
      c.font = font;
      return c.measureText(text).width;
    };
  })();
  const FONT = "11px system-ui, sans-serif", SMALL = "9px system-ui, sans-serif";
  const HEAD = 24, PAD = 14, ROW = 13, MOST = 180, LANE = 16, BUS = 8; // px
  const fit = (text, most, font) => {
    if (measure(text, font) <= most) return text;
    let lo = 1, hi = text.length;
    while (lo < hi) { // the front goes: the end tells layers apart
      const mid = (lo + hi + 1) >> 1;
      if (measure("…" + text.slice(-mid), font) <= most) lo = mid; else hi = mid - 1;
    }
    return "…" + text.slice(-lo);
  };

  const isScope = (n) => (n.children ?? 0) > 0;

  // box gives a node its own size, and the columns of its annotations.
  const box = (n, inner) => {
    n.label = fit(n.name || "(empty)", MOST, FONT);
    const text = measure(n.label, FONT);
    const notes = (list) => (list ?? []).map((a) => ({ ...a, label: fit(a.name || a.id, 90, SMALL) }));
    n.in = notes(n.in);
    n.out = notes(n.out);
    const width = (a) => measure(a.label, SMALL);
    const wide = (list, more) => (list.length || more ? Math.max(...list.map(width), 30) + 22 : 0);
    n.left = wide(n.in, n.inMore);
    n.right = wide(n.out, n.outMore);
    if (inner) {
      n.w = Math.max(inner.w, text + 60);
      n.h = inner.h;
    } else if (isScope(n)) {
      n.w = Math.max(64, text + 36);
      n.h = 30;
    } else {
      n.w = Math.max(30, text + 18);
      n.h = 20;
    }
    n.rows = Math.max(n.in.length + (n.inMore ? 1 : 0), n.out.length + (n.outMore ? 1 : 0));
    n.high = Math.max(n.h, n.rows * ROW);
  };

  // scope lays out one open scope; inside are the layouts of the open ones in it.
  const scope = (s, inside, up) => {
    const g = new dagre.graphlib.Graph({ multigraph: true }), memo = memoOf(s);
    // dagre halves ranksep and doubles minlen, to have room for labels of lines, of which there are none.
    g.setGraph({ rankdir: up ? "BT" : "TB", nodesep: 18, ranksep: 60, edgesep: 10, ranker: tbOrder.ranker(memo) });
    g.setDefaultEdgeLabel(() => ({}));
    const aside = new Set(s.extracted ?? []);
    for (const n of s.nodes) {
      box(n, inside.get(n.id));
      if (!aside.has(n.id)) g.setNode(n.id, { width: n.left + n.w + n.right, height: n.high });
    }
    const edges = [];
    for (const e of s.edges ?? []) {
      if (e.from === e.to || !g.hasNode(e.from) || !g.hasNode(e.to)) continue;
      g.setEdge(e.from, e.to, { weight: Math.min(8, 1 + Math.log2(e.count || 1)), minlen: 0.5 }, "e");
      edges.push(e);
    }
    // What leaves the scope goes to its border: straight, of nodes that stand there, else by a lane beside
    // all nodes that all of them share. (As lines of the layout they took most of its time, and room.)
    const bridges = (list) => {
      const of = new Map();
      for (const b of s.id === "" ? [] : list ?? []) {
        if (!g.hasNode(b.node)) continue;
        const o = of.get(b.node) ?? { node: b.node, count: 0, control: 0, size: 0, others: [] };
        o.count += b.count;
        o.control += b.control ?? 0;
        o.size = Math.max(o.size, b.size ?? 0);
        if (o.others.length < 20) o.others.push(b.other);
        of.set(b.node, o);
      }
      return of.size > 200 ? [] : [...of.values()];
    };
    const comes = bridges(s.in), goes = bridges(s.out);
    dagre.layout(g, { customOrder: tbOrder.orderer(memo) });

    let w = 0, h = 0;
    const head = s.id === "" ? 0 : HEAD;
    const out = { id: s.id, nodes: [], edges: [] };
    const at = new Map();
    let first = Infinity, last = -Infinity; // middles of the outermost ranks
    for (const n of s.nodes) {
      if (aside.has(n.id)) continue;
      first = Math.min(first, g.node(n.id).y);
      last = Math.max(last, g.node(n.id).y);
    }
    // tall is how high the rank at a height is.
    const talls = new Map();
    for (const n of s.nodes) {
      if (aside.has(n.id)) continue;
      const p = g.node(n.id), y = Math.round(p.y);
      talls.set(y, Math.max(talls.get(y) ?? 0, p.height));
    }
    const tall = (y) => talls.get(Math.round(y));
    // comes begin before the first rank, goes end behind the last one; from the bottom up it is the other way round.
    const straight = (list, into) => list.every((b) => Math.abs(g.node(b.node).y - (into === up ? last : first)) < 1);
    // dagre moves nodes to the border, and forgets bends of lines beyond it; a line's words take room, too.
    let low = 0;
    for (const e of edges) {
      e.words = e.count > 1 || e.shapes?.length ? 26 : 0;
      for (const p of g.edge(e.from, e.to, "e").points) low = Math.min(low, p.x - e.words);
    }
    const left = (straight(comes, true) ? 0 : LANE) - low, right = straight(goes, false) ? 0 : LANE;
    for (const n of s.nodes) {
      if (aside.has(n.id)) continue;
      const p = g.node(n.id);
      n.x = left + p.x - p.width / 2 + n.left + n.w / 2 + PAD;
      n.y = p.y + PAD + head;
      at.set(n.id, n);
      out.nodes.push(n);
      w = Math.max(w, n.x + n.w / 2 + n.right + PAD);
      h = Math.max(h, n.y + n.high / 2 + PAD);
    }
    // dagre knows a line that passes a rank by one point at its middle: beside what is high there it has to stand
    // upright all the way, or it leads through it.
    const shifted = (from, to) => {
      const points = g.edge(from, to, "e").points, out = [];
      points.forEach((p, i) => {
        const x = p.x + PAD + left, y = p.y + PAD + head;
        const half = (i && i < points.length - 1 ? tall(p.y) ?? 0 : 0) / 2 + 4;
        const on = Math.sign(points[points.length - 1].y - points[0].y);
        if (half < 24) out.push([x, y]);
        else for (const dy of [-half, 8 - half, half - 8, half]) out.push([x, y + on * dy]);
      });
      return out;
    };
    for (const e of edges) {
      const points = shifted(e.from, e.to), a = at.get(e.from), b = at.get(e.to);
      points[0] = clip(points[0], points[1], a);
      points[points.length - 1] = clip(points[points.length - 1], points[points.length - 2], b);
      out.edges.push({ ...e, points });
      for (const [x, y] of points) { w = Math.max(w, x + PAD + e.words); h = Math.max(h, y + PAD); }
    }
    w += right;
    h += comes.length + goes.length ? PAD / 2 : 0;
    const lane = w - right / 2 - PAD / 2;
    // Nodes that are taken out of the picture stand in columns beside it.
    let ax = w + (aside.size && w ? PAD : 0), ay = PAD + head, wide = 0;
    const most = Math.max(h, 240);
    for (const n of s.nodes) {
      if (!aside.has(n.id)) continue;
      if (ay + n.high > most && ay > PAD + head) {
        ax += wide + PAD;
        ay = PAD + head;
        wide = 0;
      }
      n.x = ax + n.left + n.w / 2 + PAD;
      n.y = ay + n.high / 2;
      n.aside = true;
      ay += n.high + 10;
      wide = Math.max(wide, n.left + n.w + n.right);
      w = Math.max(w, ax + wide + 2 * PAD);
      h = Math.max(h, ay + PAD);
      out.nodes.push(n);
    }
    out.w = Math.max(w, 40);
    out.h = Math.max(h, head + 30);
    const leave = (b, into) => {
      const n = at.get(b.node), below = into === up, edge = below ? out.h : head, side = into ? -1 : 1;
      const beside = Math.abs(g.node(b.node).y - (below ? last : first)) >= 1;
      const x = into ? PAD / 2 + LANE / 2 : lane;
      const down = below ? 1 : -1, border = n.y + (down * n.h) / 2;
      // Beside a rank, never through it: a line behind a neighbour would be one to the neighbour.
      const bus = PAD + head + g.node(b.node).y + down * (tall(g.node(b.node).y) / 2 + BUS);
      const from = n.x + side * Math.min(n.w / 4, 16), r = Math.min(BUS, Math.abs(x - from) / 2);
      const points = beside
        ? [[from, border], [from, bus - down * r], [from, bus], [from + side * r, bus], [x - side * r, bus], [x, bus],
          [x, bus + down * r], [x, edge]]
        : [[n.x, border], [n.x, edge]];
      out.edges.push({ from: into ? "" : b.node, to: into ? b.node : "", count: b.count, control: b.control,
        size: b.size, bridge: b.others, points: into ? points.reverse() : points });
    };
    for (const b of comes) leave(b, true);
    for (const b of goes) leave(b, false);
    return out;
  };

  // clip moves an end of a line from inside a node's box to its border, since annotations
  // make the box that dagre knew wider than what is drawn.
  const clip = ([x, y], [ox, oy], n) => {
    const dx = ox - n.x, dy = oy - n.y;
    if (!dx && !dy) return [x, y];
    const scale = Math.min(dx ? n.w / 2 / Math.abs(dx) : Infinity, dy ? n.h / 2 / Math.abs(dy) : Infinity);
    return [n.x + dx * scale, n.y + dy * scale];
  };

  let kept = new Map(); // by what a scope holds: its layout
  // By a scope, its nodes and lines: which ranks and order they had. The newest are kept.
  const memos = new Map();
  const memoOf = (s) => {
    const lines = (l) => (l ?? []).map((e) => `${e.from ?? e.node}\n${e.to ?? ""}`).join("\t");
    const key = [s.id, s.nodes.map((n) => n.id).join("\n"), (s.extracted ?? []).join("\n"), lines(s.edges), lines(s.in),
      lines(s.out)].join("\v");
    const memo = memos.get(key) ?? {};
    memos.delete(key);
    memos.set(key, memo);
    if (memos.size > 400) memos.delete(memos.keys().next().value);
    return memo;
  };
  // tbLayout gives each node and line of a scene its place on one plane.
  globalThis.tbLayout = (scene, up) => {
    const done = new Map(), now = new Map();
    for (const s of [...scene.scopes].reverse()) {
      const sizes = s.nodes.map((n) => (done.has(n.id) ? `${done.get(n.id).w},${done.get(n.id).h}` : "")).join(";");
      const key = JSON.stringify([up, s, sizes]);
      const l = kept.get(key) ?? scope(s, done, up);
      now.set(key, l);
      done.set(s.id, l);
    }
    kept = now;
    const nodes = [], edges = [];
    const place = (id, x, y, parent, depth) => {
      const l = done.get(id);
      if (!l) return;
      for (const n of l.nodes) {
        const node = { ...n, x: x + n.x, y: y + n.y, parent, depth };
        node.open = done.has(n.id);
        nodes.push(node);
        if (node.open) place(n.id, node.x - n.w / 2, node.y - n.h / 2, n.id, depth + 1);
      }
      for (const e of l.edges) edges.push({ ...e, scope: id, points: e.points.map(([a, b]) => [x + a, y + b]) });
    };
    place("", 0, 0, null, 0);
    const root = done.get("");
    return { nodes, edges, w: root?.w ?? 0, h: root?.h ?? 0, left: scene.left ?? [],
      counts: { nodes: scene.nodes, edges: scene.edges } };
  };

  // warm lays out something, so that the browser has made fast code of it when the first scope is opened.
  tbLayout.warm = (turn = 0) => {
    const node = (i) => ({ id: "\0warm" + i, name: "warm" }), ids = Array.from({ length: 24 }, (_, i) => i);
    const edges = ids.slice(1).flatMap((i) => [{ from: "\0warm" + (i >> 1), to: "\0warm" + i },
      { from: "\0warm" + (i % 5), to: "\0warm" + i }]);
    scope({ id: "\0warm" + turn, nodes: ids.map(node), edges }, new Map(), true);
    if (turn < 4) setTimeout(tbLayout.warm, 20, turn + 1); // in between others are heard
  };
}
