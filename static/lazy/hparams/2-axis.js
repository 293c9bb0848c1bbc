"use strict";
// Axes of plots: where a row stands, from 0 to 1, by a linear or logarithmic scale or by
// quantiles; and back, from there to a value.
(() => {
  const H = globalThis.tbH;

  // sorted lists the distinct values of an axis and, by quantiles, where they stand: in the
  // middle of those that are equal.
  const spread = (at) => {
    const all = Float64Array.from(at.filter((v) => v === v)).sort();
    const values = [], places = [], n = all.length;
    for (let i = 0; i < n;) {
      let k = i;
      while (k < n && all[k] === all[i]) k++;
      values.push(all[i]);
      places.push(n === k - i ? 0.5 : (i + k - 1) / 2 / (n - 1));
      i = k;
    }
    // The ends stand at the ends, however many rows are there.
    const lo = places[0] ?? 0, hi = places.at(-1) ?? 1;
    return [values, places.map((p) => hi > lo ? (p - lo) / (hi - lo) : 0.5)];
  };

  // between is y at x of the line through points, xs rising.
  const between = (xs, ys, x) => {
    let a = 0, b = xs.length - 1;
    if (x <= xs[a]) return ys[a];
    if (x >= xs[b]) return ys[b];
    while (b - a > 1) {
      const m = (a + b) >> 1;
      if (xs[m] <= x) a = m; else b = m;
    }
    return ys[a] + (ys[b] - ys[a]) * (x - xs[a]) / (xs[b] - xs[a]);
  };

  const BELOW = 0.08; // part of a logarithmic axis for what is zero or less
  const DECADES = 100; // an axis of which nobody chose the scale is logarithmic from this ratio on
  const SNAP = 0.025; // part of an axis at its ends that is the end, to a hand

  // Axis is a column: about is what the program says of it, at its rows' places there. Its
  // u are places from 0 to 1, -1 of rows without a value.
  H.Axis = class {
    // what the program says of it: key, title, whether it has numbers, names if not, what it is
    // of, its scale, whether it is turned round, its filter
    key; title; numeric; names; of; scale; flip; filter;
    // by quantiles: distinct values, and where each stands
    values; places;
    constructor(about, at) {
      Object.assign(this, about);
      this.at = at;
      this.names ??= [];
      let lo = Infinity, hi = -Infinity, least = Infinity, none = false;
      for (const v of at) {
        if (v !== v) { none = true; continue; }
        if (v < lo) lo = v;
        if (v > hi) hi = v;
        if (v > 0 && v < least) least = v;
      }
      this.lo = lo; this.hi = hi; this.least = least; this.none = none;
      this.rescale();
    }
    rescale() {
      const { lo, hi } = this;
      // Times have no logarithm worth reading.
      const wide = lo > 0 && hi >= DECADES * lo && this.of !== "start" && this.of !== "duration";
      this.shown = !this.numeric ? "" : this.scale || (wide ? "log" : "linear");
      this.log = this.shown === "log" && hi > 0 && this.least < hi;
      this.quantile = this.shown === "quantile";
      if (this.quantile) [this.values, this.places] = spread(this.at);
      this.u = new Float32Array(this.at.length);
      for (let i = 0; i < this.at.length; i++) this.u[i] = this.at[i] === this.at[i] ? this.place(this.at[i]) : -1;
      this.empty = !(hi >= lo);
    }
    // place is where a value stands.
    place(v) {
      let u;
      if (this.quantile) u = between(this.values, this.places, v);
      else if (this.log) {
        const b = this.lo > 0 ? 0 : BELOW, from = Math.log(this.least);
        u = v > 0 ? b + (1 - b) * (Math.log(v) - from) / (Math.log(this.hi) - from) : 0;
      } else if (!this.numeric) u = (v + 0.5) / this.names.length;
      else u = this.hi > this.lo ? (v - this.lo) / (this.hi - this.lo) : 0.5;
      u = Math.min(1, Math.max(0, u));
      return this.flip ? 1 - u : u;
    }
    // value is what stands at a place.
    value(u) {
      if (this.flip) u = 1 - u;
      if (!this.numeric) return u * this.names.length - 0.5;
      if (u <= 0) return this.lo;
      if (u >= 1) return this.hi;
      if (this.quantile) return between(this.places, this.values, u);
      if (this.log) {
        const b = this.lo > 0 ? 0 : BELOW;
        if (u < b / 2) return this.lo;
        if (u < b) return this.least;
        return this.least * (this.hi / this.least) ** ((u - b) / (1 - b));
      }
      return this.lo + (this.hi - this.lo) * u;
    }
    // covered is the interval of values between two places, with few digits.
    covered(a, b) {
      [a, b] = [a, b].map((u) => u < SNAP ? 0 : u > 1 - SNAP ? 1 : u); // a hand reaches the ends
      const lo = this.value(this.flip ? Math.max(a, b) : Math.min(a, b)),
        hi = this.value(this.flip ? Math.min(a, b) : Math.max(a, b));
      if (this.numeric) {
        const digits = 4 +
          Math.max(0, Math.ceil(Math.log10(Math.max(Math.abs(lo), Math.abs(hi)) / (hi - lo || 1))) || 0);
        const round = (v) => v === this.lo || v === this.hi ? v : +v.toPrecision(Math.min(17, digits));
        return [round(lo), round(hi)];
      }
      // Of names those of which a part is covered that is more than their edge.
      return [Math.max(0, Math.ceil(lo - 0.42)), Math.min(this.names.length - 1, Math.floor(hi + 0.42))];
    }
    // holds says whether a brush {lo, hi, none} covers a row.
    holds(b, row) {
      const v = this.at[row];
      return v === v ? v >= b.lo && v <= b.hi : b.none;
    }
    // brushed is the filter of the column as parts of the axis, [from, to] each, and whether
    // it lets pass what has no value; null if there is none.
    brushed() {
      const f = this.filter;
      if (!f) return null;
      const parts = [], half = 0.42 / Math.max(1, this.names.length);
      if (this.numeric) {
        if (f.lo !== undefined || f.hi !== undefined) {
          parts.push([this.place(f.lo ?? this.lo), this.place(f.hi ?? this.hi)].sort((a, b) => a - b));
        }
      } else if (f.only) {
        const want = new Set(f.values ?? []);
        this.names.forEach((name, i) => {
          if (!want.has(name)) return;
          const u = this.place(i), from = u - half, to = u + half, last = parts.at(-1);
          if (last && i && want.has(this.names[i - 1])) {
            last[0] = Math.min(last[0], from);
            last[1] = Math.max(last[1], to);
          }
          else parts.push([from, to]);
        });
      }
      return { parts, none: !!f.missing };
    }
    // spread is u with the rows of a name beside each other in a band: part(row), 0 to 1,
    // says where.
    spread(part) {
      if (this.numeric) return this.u;
      const out = Float32Array.from(this.u), band = 0.5 / Math.max(1, this.names.length);
      for (let i = 0; i < out.length; i++) if (out[i] >= 0) out[i] += (part(i) - 0.5) * band;
      return out;
    }
    text(v) {
      const P = globalThis.tbPaint;
      if (!this.numeric) return this.names[v] ?? "";
      return this.of === "start" ? P.time(v) : this.of === "duration" ? P.duration(v)
        : P.num(v, P.tickDigits([v, v + (this.hi - this.lo || 1) / 10]));
    }
    // ticks lists [place, text], about so many.
    ticks(count) {
      const P = globalThis.tbPaint;
      if (this.empty) return [];
      let at;
      if (!this.numeric) {
        const step = Math.max(1, Math.ceil(this.names.length / Math.max(2, count * 1.6)));
        at = this.names.map((_, i) => i).filter((i) => i % step === 0);
      } else if (this.quantile)
        at = [0, 0.25, 0.5, 0.75, 1].map(
          (q) => this.values[Math.round(between(this.places, this.values.map((_, i) => i), q))]);
      else if (this.log)
        at = [...(this.lo > 0 ? [] : [this.lo]), ...P.logTicks(Math.log10(this.least), Math.log10(this.hi), count)];
      else at = P.ticks(this.lo, this.hi, count);
      const digits = this.numeric && !this.log && !this.quantile ? P.tickDigits(at) : 4;
      const text = (v) => !this.numeric || this.of === "start" || this.of === "duration" ? this.text(v)
        : P.num(v, digits);
      return [...new Set(at)].map((v) => [this.place(v), text(v)]);
    }
  };

  // chance is a number from 0 to 1 for a row, always the same, and another one for another
  // salt.
  H.chance = (row, salt) => {
    let x = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
    x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  };

  const LIGHT = [[49, 22, 126], [0, 80, 162], [0, 128, 141], [81, 151, 65], [203, 137, 0]];
  const DARK = [[115, 89, 219], [61, 143, 228], [23, 186, 200], [126, 218, 130], [250, 217, 87]];
  const NAMES = ["#4269d0", "#d97a06", "#c2414b", "#3f9a94", "#3ca951", "#c75a9b", "#8f5bd6", "#7d5a3c", "#5c8fd6",
    "#8a8f98"];
  const BUCKETS = 48;
  const hex = (c) => "#" + c.map((x) => Math.round(x).toString(16).padStart(2, "0")).join("");

  // ramp is the colour at a place from 0 to 1.
  H.ramp = (u) => {
    const stops = document.documentElement.dataset.theme === "dark" ? DARK : LIGHT,
      k = Math.min(stops.length - 2, Math.floor(u * (stops.length - 1))), f = u * (stops.length - 1) - k;
    return hex(stops[k].map((c, i) => c + (stops[k + 1][i] - c) * f));
  };

  // inks says which colour each row has: inks, and of which of them each row is.
  H.inks = (axis, colors, grey) => {
    const n = colors.length, of = new Int32Array(n);
    if (!axis) {
      const seen = new Map();
      for (let i = 0; i < n; i++) {
        if (!seen.has(colors[i])) seen.set(colors[i], seen.size);
        of[i] = seen.get(colors[i]);
      }
      return { inks: [...seen.keys()].map((c) => "#" + c.toString(16).padStart(6, "0")), of };
    }
    if (!axis.numeric && axis.names.length <= NAMES.length) {
      for (let i = 0; i < n; i++) of[i] = axis.at[i] === axis.at[i] ? axis.at[i] : NAMES.length;
      return { inks: [...NAMES, grey], of, names: axis.names };
    }
    for (let i = 0; i < n; i++) {
      const u = axis.flip ? 1 - axis.u[i] : axis.u[i];
      of[i] = axis.u[i] < 0 ? BUCKETS : Math.min(BUCKETS - 1, Math.floor(u * BUCKETS));
    }
    return { inks: [...Array.from({ length: BUCKETS }, (_, i) => H.ramp((i + 0.5) / BUCKETS)), grey], of };
  };
})();
