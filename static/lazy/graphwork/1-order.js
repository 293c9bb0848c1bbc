// One of dagre's steps by our own code: in which order the nodes of a rank stand. dagre makes graphs anew
// for each sweep over the ranks, which is most of its time; this works on arrays.
//
// Ranks and order are remembered in a memo that belongs to a scope: when the same nodes and lines come
// again with other sizes, since something in the scope was opened, all stands as it stood, at once.
"use strict";
{
  // ranker is "network-simplex" the first time; then nodes get the ranks that the memo has.
  const ranker = (memo) => (!memo.ranks ? "network-simplex" : (g) => {
    for (const v of g.nodes()) g.node(v).rank = memo.ranks.get(v) ?? -1; // -1: the root that dagre adds
  });

  // crossings counts lines that cross between two ranks (a tree of sums: Barth, Jünger, Mutzel).
  const crossings = (layer, outs, place, size) => {
    let first = 1, all = 0;
    while (first < size) first <<= 1;
    const tree = new Float64Array(2 * first);
    for (const v of layer) {
      const to = outs[v];
      const sorted = to.length > 1 ? [...to].sort((a, b) => place[a[0]] - place[b[0]]) : to;
      for (const [w, weight] of sorted) {
        for (let k = place[w] + first; k > 1; k >>= 1) if (!(k & 1)) all += weight * tree[k + 1];
      }
      for (const [w, weight] of sorted) for (let k = place[w] + first; k; k >>= 1) tree[k] += weight;
    }
    return all;
  };

  // middle is a point between the borders of two nodes, which dagre cannot move.
  const middle = (a, b) => ({
    get x() { return (a.x + b.x) / 2; },
    set x(_) {},
    get y() { return (a.y + b.y + Math.sign(b.y - a.y) * (a.height - b.height) / 2) / 2; },
    set y(_) {},
  });

  // A second beginning costs as much as the first: nodes and bends up to which it does not keep anybody waiting.
  const MOST_AGAIN = 4000;

  // orderer gives nodes of a rank their order: the mean place of what they are joined to, by turns of what
  // is before and behind, then neighbours changed while that saves crossings; the best that was seen.
  const orderer = (memo) => (g) => {
    const ids = g.nodes(), n = ids.length, at = new Map(ids.map((v, i) => [v, i]));
    // A bend of a line is known by the line and its rank.
    const names = ids.map((v) => {
      const l = g.node(v);
      return l.dummy && l.edgeObj ? `\u0001${l.edgeObj.v}\u0001${l.edgeObj.w}\u0001${l.rank}` : v;
    });
    const layers = [], ins = ids.map(() => []), outs = ids.map(() => []);
    for (const e of g.edges()) {
      const v = at.get(e.v), w = at.get(e.w), weight = g.edge(e).weight || 1;
      outs[v].push([w, weight]);
      ins[w].push([v, weight]);
      // A line that reaches the next rank has no bend yet: its middle, wherever its ends come to stand.
      if (!g.node(e.v).dummy && !g.node(e.w).dummy) g.edge(e).points ??= [middle(g.node(e.v), g.node(e.w))];
    }
    const set = () => layers.forEach((l) => l.forEach((v, i) => { g.node(ids[v]).order = i; }));
    ids.forEach((v, i) => (layers[g.node(v).rank] ??= []).push(i));
    for (let r = 0; r < layers.length; r++) layers[r] ??= [];
    if (memo.order && names.every((v) => memo.order.has(v))) {
      for (const l of layers) l.sort((a, b) => memo.order.get(names[a]) - memo.order.get(names[b]));
      return set();
    }
    // walk lays the nodes as a walk along the lines meets them: from each root in turn, to what near has.
    const walk = (roots, near) => {
      const seen = new Uint8Array(n), start = layers.map(() => []);
      for (const root of roots) {
        const stack = [root];
        while (stack.length) {
          const v = stack.pop();
          if (seen[v]) continue;
          seen[v] = 1;
          start[g.node(ids[v]).rank].push(v);
          near(v, stack);
        }
      }
      start.forEach((l, r) => { layers[r] = l; });
    };
    const push = (list, stack) => { for (let k = list.length - 1; k >= 0; k--) stack.push(list[k][0]); };
    const place = new Int32Array(n);
    const number = (l) => l.forEach((v, i) => { place[v] = i; });
    const count = () => layers.reduce((sum, l, r) => sum
      + (r + 1 < layers.length ? crossings(l, outs, place, layers[r + 1].length) : 0), 0);
    const sweep = (l, near, right) => {
      const mean = new Map();
      for (const v of l) {
        let sum = 0, weights = 0;
        for (const [w, weight] of near[v]) { sum += weight * place[w]; weights += weight; }
        mean.set(v, weights ? sum / weights : -1);
      }
      const free = l.filter((v) => mean.get(v) >= 0).sort((a, b) => mean.get(a) - mean.get(b)
        || (right ? place[b] - place[a] : place[a] - place[b]));
      let k = 0; // what is joined to nothing there stays where it is
      for (let i = 0; i < l.length; i++) if (mean.get(l[i]) >= 0) l[i] = free[k++];
      number(l);
    };
    // pair counts how many crossings two neighbours' lines have, as they stand and the other way round.
    const pair = (a, b) => {
      let now = 0, then = 0;
      for (const near of [ins, outs]) {
        for (const [x, p] of near[a]) {
          for (const [y, q] of near[b]) {
            if (place[x] > place[y]) now += p * q; else if (place[x] < place[y]) then += p * q;
          }
        }
      }
      return now - then;
    };
    const change = () => {
      for (let again = true, turn = 0; again && turn < 8; turn++) {
        again = false;
        for (const l of layers) {
          for (let i = 0; i + 1 < l.length; i++) {
            if (pair(l[i], l[i + 1]) <= 0) continue;
            [l[i], l[i + 1]] = [l[i + 1], l[i]];
            place[l[i]] = i;
            place[l[i + 1]] = i + 1;
            again = true;
          }
        }
      }
    };
    let best = [], least = Infinity;
    const keep = () => {
      const now = count(), less = now < least;
      if (less) { least = now; best = layers.map((l) => [...l]); }
      return less;
    };
    const improve = () => {
      layers.forEach(number);
      keep();
      for (let turn = 0, vain = 0; least > 0 && vain < 4 && turn < 24; turn++) {
        const down = turn % 2 === 0;
        for (let k = 1; k < layers.length; k++) sweep(layers[down ? k : layers.length - 1 - k], down ? ins : outs,
          turn % 4 > 1);
        change();
        vain = keep() ? 0 : vain + 1;
      }
    };
    // To begin with along the lines, from the first rank on. What crosses still may not where a walk goes to and
    // fro along them, from nodes with the fewest: chains and trees are laid out without a crossing so.
    walk(layers.flat(), (v, stack) => push(outs[v], stack));
    improve();
    if (least > 0 && n <= MOST_AGAIN) {
      const lines = (v) => ins[v].length + outs[v].length;
      walk(layers.flat().sort((a, b) => lines(a) - lines(b)), (v, stack) => {
        push(outs[v], stack);
        push(ins[v], stack);
      });
      improve();
    }
    best.forEach((l, r) => { layers[r] = l; });
    set();
    memo.ranks = new Map(ids.map((v) => [v, g.node(v).rank]));
    memo.order = new Map();
    for (const l of layers) l.forEach((v, i) => memo.order.set(names[v], i));
  };

  globalThis.tbOrder = { ranker, orderer };
}
