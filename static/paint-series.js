// A card's curves: views on the buffers that the workers sent. Nothing is
// copied; a buffer lives as long as the last card that shows it.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // fields are what is said of a curve, in the order in which they come: as shared/kind/scalars has
  // them (fields.go), which a test looks after. In a head the number of the run stands before them.
  P.fields = ['tag', 'piece', 'offset', 'n', 'kept', 'points', 'start', 'preview', 'narrow', 'wallBase', 'edges',
    'unmatched', 'full', 'every', 'thinned'];

  // heads are the curves of a head: of each the number of its run, and its fields by name.
  P.heads = head => {
    const out = [], size = 1 + P.fields.length;
    for (let i = 0; i < head.length; i += size) {
      const p = { run: head[i] };
      P.fields.forEach((name, k) => { p[name] = head[i + 1 + k]; });
      out.push(p);
    }
    return out;
  };

  // series unpacks one buffer; x is 'step', 'relative', 'wall', 'process', 'index' or
  // 'tag', kind the scale of that
  // axis: s.x is in its mapped space.
  P.series = (head, buffer, x, kind = 'linear') => {
    const out = [];
    for (const p of P.heads(head)) {
      const { run, n, kept, points, start, wallBase, piece, tag, every } = p;
      let at = p.offset;
      const col = k => {
        const a = p.narrow >> k & 1 ? new Float32Array(buffer, at, n) : new Float64Array(buffer, at, n);
        at += (a.byteLength + 7) & ~7;
        return a;
      };
      const s = {
        run, n, kept, points, start, wallBase, piece, tag, every, preview: p.preview === 1,
        sure: p.full === 1 && !p.preview && !p.thinned, // every point of its range is here, as it was logged
        step: col(0), wall: col(1), value: col(2), smooth: col(3),
      };
      // Where wall time is the axis its column is wide, and wallBase 0. Other axes have a
      // column of their own.
      s.x = x === 'step' ? s.step : x === 'wall' ? s.wall : x === 'relative' ? s.wall.map(w => w - s.start) : col(4);
      // The edges of a band follow, and then the smoothed ones.
      if (p.edges) {
        const value = { lo: col(5), hi: col(5) };
        s.bands = { value, smooth: p.edges > 2 ? { lo: col(5), hi: col(5) } : value };
      }
      if (kind !== 'linear') s.x = Float64Array.from(s.x, P.scale(kind).to);
      measure(s);
      out.push(s);
    }
    return out;
  };

  // measure finds the ends in x, whether x only grows, which makes clipping and
  // hovering a binary search, and whether there is more to draw than a line.
  function measure(s) {
    let lo = Infinity, hi = -Infinity, last = -Infinity, sorted = true, odd = s.n === 1;
    for (let i = 0; i < s.n; i++) {
      const v = s.x[i];
      if (!(Math.abs(s.value[i]) < Infinity)) odd = true;
      if (!(v >= last)) sorted = false;
      last = v;
      if (v < lo && v > -Infinity) lo = v;
      if (v > hi && v < Infinity) hi = v;
    }
    // lo and hi are the ends; of a curve that is sure every point of its range is here.
    s.lo = lo; s.hi = hi; s.sorted = sorted; s.odd = odd || !(hi >= lo);
  }

  P.measureSeries = measure;

  // parts reads the description of an answer's curves: so many numbers of each, and the names
  // of their runs. In Go it took ten times as long. An answer without curves has null.
  P.parts = json => {
    const list = JSON.parse(json) ?? [], numbers = new Float64Array(P.fields.length * list.length);
    let i = 0;
    for (const p of list) for (const f of P.fields) numbers[i++] = Number(p[f] ?? 0);
    return { numbers: new Uint8Array(numbers.buffer),
      runs: list.map(p => p.run.replaceAll('\0', '\ufffd')).join('\0') };
  };

  // from is the first index with x >= v in a sorted series.
  P.from = (xs, v) => {
    let lo = 0, hi = xs.length;
    while (lo < hi) { const m = (lo + hi) >> 1; if (xs[m] < v) lo = m + 1; else hi = m; }
    return lo;
  };

  // nearest is the index of the point nearest to v in x; -1 when there is none.
  P.nearest = (s, v) => {
    if (s.n === 0) return -1;
    if (s.sorted) {
      const i = P.from(s.x, v);
      if (i === 0) return 0;
      if (i === s.n) return s.n - 1;
      return v - s.x[i - 1] <= s.x[i] - v ? i - 1 : i;
    }
    let best = -1, d = Infinity;
    for (let i = 0; i < s.n; i++) { const e = Math.abs(s.x[i] - v); if (e < d) { d = e; best = i; } }
    return best;
  };

  // valueAt is what a column of a curve has at a place: between two points what a straight
  // line has, of a curve that goes back and forth what the nearest point has.
  P.valueAt = (s, ys, x) => {
    const k = s.sorted ? P.from(s.x, x) : P.nearest(s, x);
    return !s.sorted || s.x[k] === x ? ys[k]
      : ys[k - 1] + (ys[k] - ys[k - 1]) * (x - s.x[k - 1]) / (s.x[k] - s.x[k - 1]);
  };

  let scratch = new Float64Array(0);
  const MANY = 200_000; // values from which percentiles are taken from a part of them
  // ySpan is the span of what is drawn between x0 and x1 (all, if x0 is null).
  P.ySpan = (list, smooth, x0, x1, ok, outliers) => {
    let total = 0;
    for (const s of list) total += s.bands ? 3 * s.n : s.n;
    if (scratch.length < total) scratch = new Float64Array(total * 1.5 | 0);
    let n = 0;
    // A million values' percentiles would take 30 ms; every fifth value's are
    // the same to a fraction of a per cent. Without percentiles all count.
    const every = outliers ? Math.max(1, Math.floor(total / MANY)) : 1;
    for (const s of list) {
      const ys = smooth ? s.smooth : s.value;
      let i = 0, end = s.n;
      if (x0 !== null && s.sorted) {
        i = P.from(s.x, x0);
        end = P.from(s.x, x1);
        if (end < s.n && s.x[end] === x1) end++;
      }
      for (; i < end; i += every) {
        const y = ys[i];
        if (!ok(y)) continue;
        if (x0 !== null && !s.sorted && !(s.x[i] >= x0 && s.x[i] <= x1)) continue;
        scratch[n++] = y;
        // Of a group's curve the band is to be seen too.
        if (s.bands) {
          const b = smooth ? s.bands.smooth : s.bands.value;
          if (ok(b.lo[i])) scratch[n++] = b.lo[i];
          if (ok(b.hi[i])) scratch[n++] = b.hi[i];
        }
      }
    }
    return P.span(scratch, n, outliers);
  };

  // yZone is P.zone of what is drawn.
  P.yZone = (list, smooth) => {
    let total = 0, n = 0;
    for (const s of list) total += s.n;
    if (scratch.length < total) scratch = new Float64Array(total * 1.5 | 0);
    for (const s of list) {
      const ys = smooth ? s.smooth : s.value;
      for (let i = 0; i < s.n; i++) scratch[n++] = ys[i];
    }
    return P.zone(scratch, n);
  };
})();
