// The truth under the pointer. A curve with more points than pixels is drawn by some of them:
// what it has nearest to a place may be another step's. So a place has one heading, the point
// of the curve that the pointer is nearest to, and what stands under it is each curve's logged
// point nearest to that: from the curve itself where nothing was left out of it or it has a
// point right there, else from the workers, which are asked when the pointer rests. Until they
// have answered a row is not sure, and is told with "≈".
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const REST = 20;   // ms without another place until workers are asked
  const KEPT = 4;    // places of a chart whose points are kept: the pointer's, the pinned table's, and those before

  // idOf tells a curve from the others of its card, before and after it came again.
  const idOf = s => (s.group !== undefined ? 'g' + s.group : s.run + '/' + s.piece) + '\n' + s.tag;

  // valueOf is the place of a point in units of the axis, as it was logged.
  const valueOf = (chart, s, i) => chart.x === 'step' ? s.step[i]
    : chart.x === 'wall' ? s.wall[i] + s.wallBase
    : chart.x === 'relative' ? s.wall[i] + s.wallBase - s.start : chart.xv(s.x[i]);

  // lastAt is the last of the points that lie where the i-th does: it counts, as everywhere.
  const lastAt = (s, i) => { while (i >= 0 && i + 1 < s.n && s.x[i + 1] === s.x[i]) i++; return i; };

  // isSure says whether the i-th point of a curve is the one that was logged nearest to x.
  const isSure = (s, i, x) => {
    if (s.sure) return true;
    if (s.preview) return false;
    if (s.list) {
      return s.list.every(
        m => { const k = P.nearest(m, x); return k >= 0 && (isSure(m, k, x) || x < m.lo || x > m.hi); });
    }
    return s.x[i] === x;
  };

  P.isSure = isSure;

  // P.truth is a curve's point at a heading: {s, i, sure}, with s as it came for this place,
  // or the curve itself; null without one.
  P.truth = (chart, s, x) => {
    const asked = chart.exact?.get(x), own = asked?.by.get(idOf(s));
    if (own?.n > 0) {
      const i = lastAt(own, P.nearest(own, x));
      return { s: own, i, sure: isSure(own, i, x) };
    }
    const i = s.sorted ? lastAt(s, P.nearest(s, x)) : P.nearest(s, x);
    if (i < 0) return null;
    // A whole answer without this curve: it has no point around here, so its end is nearest.
    return { s, i, sure: isSure(s, i, x) || Boolean(asked?.whole) && s.sorted && !s.preview && (x < s.lo || x > s.hi) };
  };

  // P.settle asks for what is not sure at the heading of what was found, when the pointer
  // rests; at once for a pinned table. Curves that go back and forth have no such place.
  let resting = 0;
  P.settle = (chart, found, pinned) => {
    if (!pinned) clearTimeout(resting);
    if (!found.unsure || !found.near?.s.sorted || chart.exact?.has(found.x)) return;
    const which = pinned ? 1 : 0, { s, i } = found.near, v = valueOf(chart, s, i);
    if (!Number.isFinite(v)) return;
    const ask = () => {
      chart.asking ??= [];
      if (chart.asking[which]?.m === found.x && chart.asking[which].rev === chart.rev) return;
      chart.asking[which] = { v, m: found.x, rev: chart.rev };
      chart.tell('at', which, v);
    };
    if (pinned) ask(); else resting = setTimeout(() => { if (P.hovered === chart) ask(); }, REST);
  };
  P.unsettle = () => clearTimeout(resting);

  // P.forgetExact forgets what came for the curves that a chart had.
  P.forgetExact = chart => { chart.exact = null; chart.asking = null; };

  // P.exactly takes the points around a place that was asked for; whole: nothing follows.
  P.exactly = (chart, which, v, beside, chunks, whole) => {
    const asked = chart.asking?.[which];
    if (!asked || asked.v !== v || asked.rev !== chart.rev) return;
    const all = chunks.flatMap(({ head, buffer }) => P.series(head, buffer, chart.x, chart.xKind)), by = new Map();
    for (const s of all) s.right = chart.rightTags.has(s.tag);
    const shown = all.filter(s => s.run !== beside);
    for (const s of [...all, ...P.summarise(shown, chart)]) by.set(idOf(s), s);
    chart.exact ??= new Map();
    chart.exact.delete(asked.m);
    chart.exact.set(asked.m, { by, whole, all });
    if (chart.exact.size > KEPT) chart.exact.delete(chart.exact.keys().next().value);
    if (whole) chart.asking[which] = null;
    if (P.hovered === chart) P.hoverSoon(chart);
    P.renewPinned(chart);
  };
})();
