// Groups of runs as one line: their mean and a band around it, or their median and quantiles. The runs' curves come as
// ever; a group's is made of them here, wherever one of them has a point; between its points
// each is taken to be straight.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  P.groups = new Map();     // run → name of its group; runs without one stand for themselves
  P.expanded = new Set();   // groups that are shown run by run
  P.band = 'std';           // 'std', 'se', 'ci95', 'minmax', 'quantiles'
  P.onExpand = null;        // is told of a group that is to be opened, or closed

  // setGroups takes JSON: [[run, name], …], what the band is, and which groups are open.
  P.setGroups = json => {
    const [of, band, open] = JSON.parse(json);
    P.groups = new Map(of);
    P.band = band;
    P.expanded = new Set(open);
    for (const c of P.charts) c.regroup?.();
    P.retable();
  };

  // summarise puts the curves of a group in the place of its first one.
  P.summarise = (list, chart) => {
    if (P.groups.size === 0) return list;
    const by = new Map();
    for (const s of list) {
      const name = P.groups.get(s.run);
      if (name === undefined || P.expanded.has(name) || s.bands || !s.sorted || s.n === 0) continue;
      const key = name + '\n' + s.tag;
      if (!by.has(key)) by.set(key, []);
      by.get(key).push(s);
    }
    const first = new Map(), gone = new Set();
    for (const [key, all] of by) {
      if (new Set(all.map(s => s.run)).size < 2) continue; // a run is no group
      first.set(all[0], mean(all, key.slice(0, key.lastIndexOf('\n')), chart));
      for (const s of all) gone.add(s);
    }
    return list.filter(s => first.has(s) || !gone.has(s)).map(s => first.get(s) ?? s);
  };

  // mean makes the curve of a group from its runs' curves, of which one may come in pieces.
  function mean(pieces, name, chart) {
    const by = new Map(), every = pieces.reduce((a, s) => Math.max(a, s.every ?? 0), 0);
    if (every) pieces = pieces.map(s => even(s, every));
    for (const s of pieces) by.set(s.run, [...by.get(s.run) ?? [], s]);
    const all = [...by.values()].map(joined), base = all.reduce((a, s) => s.n > a.n ? s : a);
    const x = places(all, base, Math.max(1000, chart?.places ?? chart?.plotPixels() ?? 0)), n = x.length;
    // Of each place the step and the time of a run that has a point there, as if all runs had
    // begun together, unless times are the axis.
    const byWall = chart?.x === 'wall',
      of = x === base.x ? base : { step: new Float64Array(n).fill(NaN), wall: new Float64Array(n), wallBase: 0,
      start: byWall ? all.reduce((a, s) => Math.min(a, s.start), Infinity) : base.start };
    const found = of === base ? null : (i, s, k) => {
      if (of.step[i] === of.step[i]) return;
      of.step[i] = s.step[k];
      of.wall[i] = s.wall[k] + s.wallBase + (byWall ? 0 : of.start - s.start);
    };
    const { value, smooth } = over([base, ...all.filter(s => s !== base)], x, found, chart?.smoothed !== false);
    const s = {
      run: all[0].run, tag: base.tag, right: base.right, piece: 0, n, x, wall: of.wall, wallBase: of.wallBase,
      step: of.step, start: of.start,
      value: value.mean, smooth: smooth.mean, kept: 0, points: 0, preview: false,
      group: name, list: all, runs: new Set(by.keys()), bands: { value, smooth },
    };
    P.measureSeries(s);
    return s;
  }

  // even leaves of a curve the first point of each stretch, and its last. Of long curves the
  // extremes came as well: they are to be seen, but their mean is that of no points.
  function even(s, every) {
    const pick = [];
    for (let i = 0; i < s.n; i++) {
      if (i === 0 || i === s.n - 1 || Math.floor(s.x[i] / every) !== Math.floor(s.x[i - 1] / every)) pick.push(i);
    }
    const column = c => Float64Array.from(pick, i => c[i]);
    return { ...s, n: pick.length, x: column(s.x), wall: column(s.wall), step: column(s.step), value: column(s.value),
      smooth: column(s.smooth) };
  }

  // joined is a run's curve as a whole. Where the job was started again what came later
  // counts, from its beginning on.
  function joined(pieces) {
    if (pieces.length === 1) return pieces[0];
    const ends = [];
    let next = Infinity, n = 0;
    for (let k = pieces.length - 1; k >= 0; k--) {
      const { x } = pieces[k];
      n += ends[k] = P.from(x, next);
      next = Math.min(next, x[0]);
    }
    const column = name => {
      const out = new Float64Array(n);
      let to = 0;
      pieces.forEach(
        (s, k) => { for (let i = 0; i < ends[k]; i++) out[to++] = s[name][i] + (name === 'wall' ? s.wallBase : 0); });
      return out;
    };
    return { ...pieces[0], n, x: column('x'), wall: column('wall'), wallBase: 0, step: column('step'),
      value: column('value'), smooth: column('smooth') };
  }

  const EXACT = 4e6; // curves times places that are still quick
  // places are where a group's curve has points: wherever one of its runs has; of too many
  // the first in each pixel.
  function places(all, base, pixels) {
    if (all.every(s => begins(base.x, s.x, s.n))) return base.x;
    let total = 0, lo = Infinity, hi = -Infinity;
    // The outermost points may lie far beyond what is seen.
    for (const { n, x } of all) {
      total += n;
      lo = Math.min(lo, x[Math.min(1, n - 1)]);
      hi = Math.max(hi, x[Math.max(0, n - 2)]);
    }
    const out = [];
    if (total * all.length <= EXACT) for (const s of all) for (const v of s.x) out.push(v);
    else {
      const cells = new Float64Array(pixels).fill(NaN), scale = pixels / (hi - lo),
        outer = [Infinity, -Infinity, Infinity, -Infinity];
      for (const { n, x } of all) for (let i = 0; i < n; i++) {
        const v = x[i], c = Math.floor((v - lo) * scale);
        if (c >= 0 && c < pixels) { if (!(v >= cells[c])) cells[c] = v; continue; }
        const k = v < lo ? 0 : 2;
        if (v < outer[k]) outer[k] = v;
        if (v > outer[k + 1]) outer[k + 1] = v;
      }
      for (const v of [...outer, ...cells]) if (Math.abs(v) < Infinity) out.push(v);
    }
    return Float64Array.from(out).sort().filter((v, i, a) => v !== a[i - 1]);
  }

  // over computes mean and band of the curves' values, and of their smoothed ones, at each
  // x. Runs of one sweep mostly have the same steps, which is one comparison a point.
  function over(all, x, found, smoothed) {
    const n = x.length, spread = P.band === 'quantiles';
    /** @type {any} columns of curves, or their sums */
    const value = spread ? [] : sums(n);
    /** @type {any} */
    const smooth = spread ? [] : sums(n);
    const put = spread ? (to, ys, n) => { to.push(ys.slice(0, n)); } : add;
    let rising = true;
    for (let i = 1; i < n; i++) if (!(x[i] > x[i - 1])) rising = false;
    const ys = new Float64Array(n), zs = new Float64Array(n);
    for (const s of all) {
      if (rising && begins(x, s.x, s.n)) {
        put(value, s.value, s.n); put(smooth, s.smooth, s.n);
        if (found) for (let i = 0; i < s.n; i++) found(i, s, i);
        continue;
      }
      between(s, x, ys, zs, found);
      put(value, ys, n); put(smooth, zs, n);
    }
    if (!spread) return { value: band(value), smooth: band(smooth) };
    const of = quantiles(value, n);
    return { value: of, smooth: smoothed ? quantiles(smooth, n) : of };
  }

  // quantiles are, at each place, the median of the curves' values in place of their mean, and
  // between which values nine tenths of them lie, and the inner half: by linear interpolation
  // between the sorted values.
  function quantiles(columns, n) {
    const of = () => new Float64Array(n).fill(NaN), count = new Uint32Array(n), row = new Float64Array(columns.length);
    /** @type {[quantile: number, column: Float64Array][]} */
    const parts = [[0.05, of()], [0.25, of()], [0.5, of()], [0.75, of()], [0.95, of()]];
    for (let i = 0; i < n; i++) {
      let k = 0;
      for (const c of columns) if (i < c.length && c[i] - c[i] === 0) row[k++] = c[i];
      if ((count[i] = k) === 0) continue;
      const some = row.subarray(0, k).sort();
      for (const [q, out] of parts) {
        const at = q * (k - 1), j = Math.floor(at);
        out[i] = some[j] + (at - j) * (some[Math.min(j + 1, k - 1)] - some[j]);
      }
    }
    const [lo, first, mean, third, hi] = parts.map(p => p[1]);
    return { mean, lo, hi, inner: { lo: first, hi: third }, count };
  }

  // begins says whether a begins with the first n of b.
  function begins(a, b, n) {
    for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  // between finds a curve's values, and smoothed ones, at each x: NaN before its beginning
  // and behind its end.
  function between(s, x, ys, zs, found) {
    const { n, x: xs, value, smooth } = s;
    for (let i = 0, k = 0; i < x.length; i++) {
      const at = x[i];
      while (k < n && xs[k] < at) k++;
      // of one step the last
      if (k < n && xs[k] === at) {
        while (k + 1 < n && xs[k + 1] === at) k++;
        ys[i] = value[k];
        zs[i] = smooth[k];
        found?.(i, s, k);
        continue;
      }
      const part = k === 0 || k === n ? NaN : (at - xs[k - 1]) / (xs[k] - xs[k - 1]);
      ys[i] = value[k - 1] + (value[k] - value[k - 1]) * part;
      zs[i] = smooth[k - 1] + (smooth[k] - smooth[k - 1]) * part;
    }
  }

  // sums are what mean and band are made of: of the differences from the first value at
  // each place, so that values that are large and close lose nothing, without a division a
  // point.
  const sums = n => {
    const of = () => new Float64Array(n);
    return { count: new Uint32Array(n), first: of(), sum: of(), square: of(), lo: of(), hi: of() };
  };
  function add({ count, first, sum, square, lo, hi }, ys, n) {
    const ends = P.band === 'minmax';
    for (let i = 0; i < n; i++) {
      const y = ys[i];
      if (y - y !== 0) continue; // not finite
      if (count[i]++ === 0) { first[i] = lo[i] = hi[i] = y; continue; }
      const d = y - first[i];
      sum[i] += d;
      if (!ends) square[i] += d * d; else if (y < lo[i]) lo[i] = y; else if (y > hi[i]) hi[i] = y;
    }
  }
  function band({ count, first, sum, square, lo, hi }) {
    const mean = first;
    for (let i = 0; i < mean.length; i++) {
      const n = count[i];
      if (n === 0) { mean[i] = lo[i] = hi[i] = NaN; continue; }
      mean[i] += sum[i] / n;
      if (P.band === 'minmax') continue;
      let d = n > 1 ? Math.sqrt(Math.max(0, square[i] - sum[i] * sum[i] / n) / (n - 1)) : 0;
      if (P.band !== 'std') d /= Math.sqrt(n);
      if (P.band === 'ci95' && n > 1) d *= student(n - 1);
      lo[i] = mean[i] - d; hi[i] = mean[i] + d;
    }
    return { mean, lo, hi, count };
  }

  // student is how many standard errors to either side hold the true mean in 95 of 100 cases:
  // Student's t, of df + 1 runs. From the table, and further on by its expansion.
  const T = [NaN, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306];
  const student = df => T[df] ?? 1.959964 + 2.372271 / df + 2.822499 / df ** 2 + 2.555850 / df ** 3;

  // drawBand fills the band of a group's curve, below what is drawn already.
  P.drawBand = (ctx, s, view, style) => {
    const { lo, hi, inner } = style.smoothed ? s.bands.smooth : s.bands.value;
    ctx.save();
    ctx.globalCompositeOperation = 'destination-over';
    ctx.globalAlpha = 0.2;
    if (inner) P.fillBand(ctx, s, view, style, inner.lo, inner.hi);
    P.fillBand(ctx, s, view, style, lo, hi);
    ctx.restore();
  };

  // fillBand fills what lies between two columns of values of a curve.
  P.fillBand = (ctx, s, view, style, lo, hi) => {
    const at = P.place(view, s), lim = 1e4;
    const clip = p => p > lim ? lim : p < -lim ? -lim : p;
    ctx.fillStyle = style.color(s);
    for (let i = 0; i < s.n;) {
      while (i < s.n && !(hi[i] - lo[i] >= 0)) i++;
      let end = i;
      while (end < s.n && hi[end] - lo[end] >= 0) end++;
      if (end - i > 1) {
        ctx.beginPath();
        for (let k = i; k < end; k++) ctx.lineTo(clip(at.x(s.x[k])), clip(at.y(hi[k])));
        for (let k = end - 1; k >= i; k--) ctx.lineTo(clip(at.x(s.x[k])), clip(at.y(lo[k])));
        ctx.closePath();
        ctx.fill();
      }
      i = end;
    }
  };
})();
