// Scales and ranges: how values become places, and what range an axis takes.
// Everything is drawn in mapped space (the logarithm for a log axis), where
// each axis is linear; only ticks and tooltips know the values again.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const tiny = Number.MIN_VALUE;
  // to maps a value, from maps back, ok says which values the scale can show.
  P.scales = {
    linear: { to: v => v, from: m => m, ok: Number.isFinite },
    log: { to: v => v > 0 ? Math.log10(v) : -Infinity, from: m => 10 ** m, ok: v => v > 0 && v < Infinity },
    symlog: {
      to: v => Math.sign(v) * Math.log10(Math.abs(v) + 1), from: m => Math.sign(m) * (10 ** Math.abs(m) - 1), ok: Number.isFinite,
    },
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

  // yRange is the range of values that an axis shows for data in lo…hi.
  P.yRange = (kind, span) => {
    if (kind === 'log') {
      if (!span || !(span[1] > 0)) return [tiny, 1];
      return [Math.max(tiny, span[0] * 0.5), Math.min(Number.MAX_VALUE, span[1] * 2)];
    }
    if (!span) return [-1, 1];
    const [lo, hi] = span, s = P.scales[kind];
    if (lo === hi) {
      if (lo === 0) return [-1, 1];
      if (kind === 'symlog') return lo > 0 ? [lo / 2, lo * 2] : [lo * 2, lo / 2];
      return lo > 0 ? [0, lo * 2] : [lo * 2, 0];
    }
    const a = s.to(lo), b = s.to(hi), pad = (b - a) * 0.05;
    if (kind === 'symlog') return [s.from(a - pad), s.from(b + pad)];
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

  // yTicks lists tick values and their texts for a range in mapped space.
  P.yTicks = (kind, lo, hi, count) => {
    let ticks, digits = 4;
    if (kind === 'log') ticks = P.logTicks(lo, hi, count);
    else if (kind === 'symlog') {
      ticks = P.ticks(lo, hi, count).map(m => { const v = +P.scales.symlog.from(m).toPrecision(3); return Math.abs(v) < 1e-10 ? 0 : v; });
    } else { ticks = P.ticks(lo, hi, count); digits = P.tickDigits(ticks); }
    return { at: ticks.map(P.scales[kind].to), text: ticks.map(v => P.num(v, digits)) };
  };
})();
