// Groups of runs as one line: their mean, and a band around it. The runs' curves come as
// ever; a group's is made of them here, at the places where its densest run has points,
// between which the others are taken to be straight.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  P.groups = new Map();     // run → name of its group; runs without one stand for themselves
  P.expanded = new Set();   // groups that are shown run by run
  P.band = 'std';           // 'std', 'se', 'ci95', 'minmax'

  // setGroups takes JSON: [[run, name], …], and what the band is.
  P.setGroups = (json, band) => {
    P.groups = new Map(JSON.parse(json));
    P.band = band;
    for (const c of P.charts) c.regroup?.();
  };
  P.expand = name => {
    if (!P.expanded.delete(name)) P.expanded.add(name);
    for (const c of P.charts) c.regroup?.();
  };

  // summarise puts the curves of a group in the place of its first one.
  P.summarise = list => {
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
      first.set(all[0], mean(all, key.slice(0, key.lastIndexOf('\n'))));
      for (const s of all) gone.add(s);
    }
    return list.filter(s => first.has(s) || !gone.has(s)).map(s => first.get(s) ?? s);
  };

  // mean makes the curve of a group.
  function mean(all, name) {
    let base = all[0], last = all[0];
    for (const s of all) { if (s.n > base.n) base = s; if (s.hi > last.hi) last = s; }
    const more = last.hi > base.hi ? P.from(last.x, base.hi) : last.n, from = more < last.n && last.x[more] === base.hi ? more + 1 : more;
    const n = base.n + last.n - from, join = (a, b) => { const out = new Float64Array(n); out.set(a); out.set(b.subarray(from), base.n); return out; };
    const x = join(base.x, last.x), wall = new Float64Array(n);
    for (let i = 0; i < n; i++) wall[i] = i < base.n ? base.wall[i] + base.wallBase : last.wall[i - base.n + from] + last.wallBase;
    const { value, smooth } = over(all, x);
    const s = {
      run: all[0].run, tag: base.tag, right: base.right, piece: 0, n, x, wall, wallBase: 0, step: join(base.step, last.step), start: base.start,
      value: value.mean, smooth: smooth.mean, kept: 0, points: 0, preview: false,
      group: name, list: all, runs: new Set(all.map(s => s.run)), bands: { value, smooth },
    };
    P.measureSeries(s);
    return s;
  }

  // over computes mean and band of the curves' values, and of their smoothed ones, at each
  // x. Runs of one sweep mostly have the same steps, which is one comparison a point.
  function over(all, x) {
    const n = x.length, value = sums(n), smooth = sums(n);
    let rising = true;
    for (let i = 1; i < n; i++) if (!(x[i] > x[i - 1])) rising = false;
    const ys = new Float64Array(n), zs = new Float64Array(n);
    for (const s of all) {
      if (rising && s.n <= n && begins(x, s.x, s.n)) { add(value, s.value, s.n); add(smooth, s.smooth, s.n); continue; }
      between(s, x, ys, zs);
      add(value, ys, n); add(smooth, zs, n);
    }
    return { value: band(value), smooth: band(smooth) };
  }

  // begins says whether a begins with the first n of b.
  function begins(a, b, n) {
    for (let i = 0; i < n; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  // between finds a curve's values, and smoothed ones, at each x: NaN before its beginning
  // and behind its end.
  function between(s, x, ys, zs) {
    const { n, x: xs, value, smooth } = s;
    for (let i = 0, k = 0; i < x.length; i++) {
      const at = x[i];
      while (k < n && xs[k] < at) k++;
      if (k < n && xs[k] === at) { while (k + 1 < n && xs[k + 1] === at) k++; ys[i] = value[k]; zs[i] = smooth[k]; continue; } // of one step the last
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
      if (P.band === 'ci95') d *= 1.96;
      lo[i] = mean[i] - d; hi[i] = mean[i] + d;
    }
    return { mean, lo, hi, count };
  }

  // drawBand fills the band of a group's curve, below what is drawn already.
  P.drawBand = (ctx, s, view, style) => {
    const { lo, hi } = style.smoothed ? s.bands.smooth : s.bands.value;
    ctx.save();
    ctx.globalCompositeOperation = 'destination-over';
    ctx.globalAlpha = 0.2;
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
