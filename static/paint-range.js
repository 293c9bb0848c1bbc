// Scales and ranges: how values become places, and what range an axis takes.
// Everything is drawn in mapped space (the logarithm for a log axis), where
// each axis is linear; only ticks and tooltips know the values again.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const tiny = Number.MIN_VALUE;
  // to maps a value, from maps back, ok says which values the scale can show. Symlog is
  // linear in a zone around 0 and logarithmic beyond: its kind is "symlog:" and the
  // zone's half width.
  const scales = /** @type {Map<string, Scale>} */ (new Map([
    ['linear', { to: v => v, from: m => m, ok: Number.isFinite }],
    ['log', { to: v => v > 0 ? Math.log10(v) : -Infinity, from: m => 10 ** m, ok: v => v > 0 && v < Infinity }],
  ]));
  P.scale = kind => {
    let s = scales.get(kind);
    if (!s) {
      const c = +kind.slice(kind.indexOf(':') + 1) || 1;
      s = { to: v => Math.sign(v) * Math.log10(Math.abs(v) / c + 1),
        from: m => Math.sign(m) * (10 ** Math.abs(m) - 1) * c, ok: Number.isFinite, zone: c };
      if (scales.size > 100) scales.clear();
      scales.set(kind, s);
    }
    return s;
  };

  // zone finds how far from 0 a symlog axis is best linear: up to the power of ten below
  // the 10th percentile of the sizes, but no more than six decades below the greatest.
  P.zone = (a, n) => {
    let k = 0, hi = 0;
    for (let i = 0; i < n; i++) {
      const v = Math.abs(a[i]);
      if (v > 0 && v < Infinity) { a[k++] = v; if (v > hi) hi = v; }
    }
    if (k === 0) return 1;
    const lo = Math.max(P.select(a, k, Math.floor((k - 1) * 0.1)), hi * 1e-6);
    return 10 ** Math.floor(Math.log10(lo) + 1e-9);
  };

  // select puts the k-th least of a[0…n) at a[k] (quickselect, in place): the
  // percentiles of 100,000 values in about a millisecond, where sorting takes ten.
  P.select = (a, n, k) => {
    let lo = 0, hi = n - 1;
    while (lo < hi) {
      const m = (lo + hi) >> 1, x = a[lo], y = a[m], z = a[hi];
      const pivot = x < y ? (y < z ? y : x < z ? z : x) : (x < z ? x : y < z ? z : y);
      let i = lo, j = hi;
      while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) { const t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
      }
      if (k <= j) hi = j; else if (k >= i) lo = i; else break;
    }
    return a[k];
  };

  // span is the range of the first n values of a, which it may reorder: all of
  // them, or from the 5th to the 95th percentile. null when there is none.
  P.span = (a, n, outliers) => {
    if (n === 0) return null;
    if (outliers && n > 2) {
      const lo = P.select(a, n, Math.ceil((n - 1) * 0.05)), hi = P.select(a, n, Math.floor((n - 1) * 0.95));
      return [lo, hi];
    }
    let lo = Infinity, hi = -Infinity;
    for (let i = 0; i < n; i++) { const v = a[i]; if (v < lo) lo = v; if (v > hi) hi = v; }
    return [lo, hi];
  };

  // joined is a span, of the data of one chart of several for parts of the same runs, that holds
  // the data of all of them; those that were on the screen once count, too. What has another key,
  // as other scales, is not joined. Of each chart that there is a span is kept for itself, and so
  // is that of a part without one: two charts of one part, as the pinned one and the other, may
  // for a moment have other data, and would tell each other of it for ever.
  const spans = new Map();
  let charts = 0, age = 0;
  P.joined = (c, side, key, span) => {
    if (!c.join) return span;
    let all = spans.get(c.join), out = span;
    if (!all) spans.set(c.join, all = new Map());
    const own = side + (c.joinId ??= ++charts), was = all.get(own);
    if (was?.key === key && `${was.span}` === `${span}`) was.age = age;
    else if (!c.aside) {
      all.set(own, { side, key, span, age });
      if (span) all.delete(side + ':' + c.joinPart);
      for (const o of P.charts) if (o !== c && o.join === c.join) { o.ranges = null; P.queue(o); }
    }
    for (const o of all.values()) {
      if (o.side !== side || o.key !== key || !o.span) continue;
      out = out ? [Math.min(out[0], o.span[0]), Math.max(out[1], o.span[1])] : o.span;
    }
    return out;
  };
  // forgetSpans forgets how far parts without a chart go, also those whose chart goes now.
  P.forgetSpans = () => {
    age++;
    for (const all of spans.values()) for (const k of all.keys()) if (k[1] === ':') all.delete(k);
  };
  // leave keeps how far a chart's part goes when the chart is no more.
  P.leave = c => {
    const all = c.join && spans.get(c.join);
    for (const side of all ? ['x', 'y'] : []) {
      const last = all.get(side + c.joinId);
      if (last?.age === age) all.set(side + ':' + c.joinPart, last);
      all.delete(side + c.joinId);
    }
  };

  // yRange is the range of values that an axis shows for data in lo…hi.
  P.yRange = (kind, span) => {
    if (kind === 'log') {
      if (!span || !(span[1] > 0)) return [0.1, 10];
      return [Math.max(tiny, span[0] * 0.5), Math.min(Number.MAX_VALUE, span[1] * 2)];
    }
    if (!span) return [-1, 1];
    const [lo, hi] = span, s = P.scale(kind), symlog = kind.startsWith('symlog');
    if (lo === hi) {
      if (lo === 0) return [-1, 1];
      if (symlog) return lo > 0 ? [lo / 2, lo * 2] : [lo * 2, lo / 2];
      return lo > 0 ? [0, lo * 2] : [lo * 2, 0];
    }
    const a = s.to(lo), b = s.to(hi), pad = (b - a) * 0.05;
    if (symlog) return [s.from(a - pad), s.from(b + pad)];
    const r = P.nice(lo - pad, hi + pad);
    return Number.isFinite(r[1] - r[0]) ? r : [lo, hi];
  };

  // xRange leaves a little room at both ends, so that end points stay whole.
  P.xRange = (lo, hi) => {
    if (!(hi >= lo)) return [0, 1];
    if (lo === hi) { const d = Math.abs(lo) > 1e6 ? 1 : Math.max(1, Math.abs(lo) * 0.05); return [lo - d, hi + d]; }
    const pad = (hi - lo) * 0.015;
    return [lo - pad, hi + pad];
  };

  // symlogTicks lists 0 and round values on both sides, as many as have room.
  const symlogTicks = (s, lo, hi, count) => {
    const plain = P.ticks(s.from(lo), s.from(hi), count);
    const most = Math.max(Math.abs(lo), Math.abs(hi)), gap = (hi - lo) / Math.max(1, count) * 0.7, out = [];
    if (most < Math.log10(3)) return plain; // all in the linear zone
    const put = v => {
      const m = s.to(v);
      if (m >= lo - 1e-9 && m <= hi + 1e-9 && !out.some(o => Math.abs(s.to(o) - m) < gap)) out.push(v);
    };
    const first = Math.round(Math.log10(s.zone)), last = Math.ceil(Math.log10(s.from(most)));
    put(0);
    for (const f of [1, 5, 2]) {
      if (out.length >= 4) break;
      for (let e = last; e >= first - 1; e--) for (const sign of [1, -1]) put(sign * f * 10 ** e);
    }
    return out.length >= 3 ? out.sort((a, b) => a - b) : plain;
  };

  // yTicks lists places in mapped space and the texts of the values there.
  P.yTicks = (kind, lo, hi, count, write = P.tickNum) => {
    const s = P.scale(kind);
    const ticks = kind === 'log' ? P.logTicks(lo, hi, count) : kind === 'linear' ? P.ticks(lo, hi, count)
      : symlogTicks(s, lo, hi, count);
    const sizes = ticks.map(Math.abs).filter(v => v > 0 && v < Infinity), most = Math.max(...sizes),
      least = Math.min(...sizes);
    let digits = kind === 'linear' ? P.tickDigits(ticks) : 4, text;
    do text = ticks.map(
      v => write(v, digits, kind === 'linear' || write === P.tickNum ? most : undefined,
        least)); while (new Set(text).size < ticks.length && ++digits < 16);
    return { at: ticks.map(s.to), text };
  };
})();
