// Histograms of several steps on one card: slices one behind the other (offset), or lines
// over each other (overlay). Bins are made by the program (shared/histogram); here they are
// drawn, on two canvases: the slices when they change, and over them what is pointed at.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};
  const H = globalThis.tbHistogram ??= {};
  const FONT = '11px Inter, system-ui, "Segoe UI", sans-serif';
  const LEFT = 10, RIGHT = 52, TOP = 6, BOTTOM = 22;
  const rgb = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
  const mix = (a, b, f) => a.map((v, i) => Math.round(v + (b[i] - v) * f));
  // faded is a colour on its way to the ground: 0 … 1.
  H.faded = (hex, f) => '#' +
    mix(rgb(hex), rgb(hexOf(P.theme.panel)), f).map(v => v.toString(16).padStart(2, '0')).join('');
  H.busy = 0; // ms spent on drawing since the start

  // Chart draws in host. tell(event, …) reports: 'range' (from, to: steps that the user
  // chose, or nothing for all), 'zoom' (lo, hi: the values that are shown, or nothing for
  // all), 'pick' (a step that was clicked), 'painted', 'point' (text).
  H.Chart = class extends tbLayers {
    constructor(host, tell) {
      super(host, 'histogram-layer');
      this.tell = tell; this.n = 0; this.mode = 'offset'; this.depth = 'step';
      this.log = false; this.color = '#888888'; this.marked = null; this.at = -1; this.bin = -1;
      this.tip = host.appendChild(P.el('div', 'histogram-tip'));
      this.tip.hidden = true;
    }
    leave() { this.point(-1, -1); }
    grab({ x, y }) { return this.n ? { x, y, to: y, toX: x } : null; }
    close() {
      clearTimeout(this.zoomTimer);
      super.close();
    }
    say(text) { this.n = 0; this.point(-1, -1); this.words = text; this.soon(true); }

    // take takes an answer: its part as JSON, and its buffer; see shared/kind/histograms.
    take(json, buffer) {
      const p = JSON.parse(json), n = p.steps.length;
      this.n = n; this.part = p; this.words = n ? '' : 'No slices.';
      const all = new Float64Array(buffer, 0, n * (1 + p.bins));
      this.wall = all.subarray(0, n);
      this.counts = all.subarray(n);
      this.most = 0;
      for (const v of this.counts) if (v > this.most) this.most = v;
      if (this.at >= n) this.point(-1, -1);
      this.soon(true);
    }
    set(o) { Object.assign(this, JSON.parse(o)); this.soon(true); }

    describe() {
      const p = this.part, n = this.n;
      this.over.setAttribute('role', 'img');
      this.over.ariaLabel = n
        ? `Histograms of ${n} of ${p.count} steps, ${P.step(p.steps[0])} to ${P.step(p.steps[n - 1])}, ` +
        `values ${P.num(p.lo)} to ${P.num(p.hi)}${p.all ? ', zoomed' : ''}` : this.words;
    }

    paint() {
      const began = performance.now();
      if (this.dirty) { this.draw(); if (this.part) this.describe(); } // said when it can be pointed at
      this.mark();
      H.busy += performance.now() - began;
      if (this.dirty) this.tell('painted');
      this.dirty = false;
    }

    // Places: x of a value or a bin's middle, depth 0 (first) … 1 (last) of a slice, height
    // of a count in pixels.
    get lo() { return this.zoom ? this.zoom[0] : this.part.lo; }
    get hi() { return this.zoom ? this.zoom[1] : this.part.hi; }
    // part01 of the axis, without differences that no number can hold.
    along(v) { return (v / 2 - this.lo / 2) / (this.hi / 2 - this.lo / 2); }
    valueAt(x) { const b = this.box, f = (x - b.x0) / (b.x1 - b.x0); return this.lo * (1 - f) + this.hi * f; }
    x(v) { const b = this.box; return b.x0 + this.along(v) * (b.x1 - b.x0); }
    xBin(k) { const p = this.part, f = (k + 0.5) / p.bins; return this.x(p.lo * (1 - f) + p.hi * f); }
    key(i) {
      return this.depth === 'step' ? this.part.steps[i] : this.depth === 'relative' ? this.wall[i] - this.wall[0]
        : this.wall[i];
    }
    keyText(v) {
      return this.depth === 'step' ? P.stepTick(v) : this.depth === 'relative' ? P.duration(v)
        : P.time(v).replace(/^.*, /, '');
    }
    spans() {
      let lo = Infinity, hi = -Infinity;
      for (let i = 0; i < this.n; i++) { const k = this.key(i); if (k < lo) lo = k; if (k > hi) hi = k; }
      this.keys = Number.isFinite(lo) && Number.isFinite(hi) ? [lo, hi] : [0, 0];
    }
    part01(i) {
      const [lo, hi] = this.keys, v = (this.key(i) - lo) / (hi - lo);
      return hi > lo && Number.isFinite(v) ? v : 1;
    }
    baseY(i) {
      const b = this.box;
      return this.mode === 'overlay' ? b.y1 : b.y0 + b.h + (b.y1 - b.y0 - b.h) * this.part01(i);
    }
    height(v) {
      const b = this.box, m = this.most;
      return m > 0 ? (this.log ? Math.log1p(v) / Math.log1p(m) : v / m) * b.h : 0;
    }
    colorAt(i) {
      // Older slices go towards the ground.
      const f = this.n > 1 ? i / (this.n - 1) : 1;
      return mix(this.far, this.near, 0.25 + 0.75 * f);
    }

    draw() {
      const sheet = this.sheet();
      if (!sheet) return;
      const { ctx, w, h } = sheet;
      ctx.font = FONT;
      ctx.fillStyle = P.theme.muted;
      this.box = { x0: LEFT, x1: w - RIGHT, y0: TOP, y1: h - BOTTOM, w, height: h };
      if (!this.n) {
        ctx.textAlign = 'center';
        ctx.fillText(this.words ?? '', w / 2, h / 2, w - 20);
        return;
      }
      this.spans();
      const b = this.box;
      b.h = (b.y1 - b.y0) * (this.mode === 'overlay' ? 0.97 : this.n > 1 && this.keys[1] > this.keys[0] ? 0.4 : 0.97);
      const ground = rgb(hexOf(P.theme.panel)), dark = ground[0] < 128;
      this.near = rgb(this.color);
      this.far = mix(this.near, ground, dark ? 0.6 : 0.55);
      this.axes(ctx);
      if (!this.most) {
        ctx.textAlign = 'center';
        ctx.fillText('No values at any step.', b.w / 2, (b.y0 + b.y1) / 2, b.w - 20);
        return;
      }
      const overlay = this.mode === 'overlay', order = [...Array(this.n).keys()];
      // Back to front; where times go back, by the place that they have.
      if (!overlay) order.sort((i, k) => this.part01(i) - this.part01(k) || i - k);
      ctx.lineJoin = 'round';
      ctx.save();
      this.clip(ctx);
      for (const i of order) {
        const c = this.colorAt(i), inside = this.inRange(i);
        this.path(ctx, i, !overlay);
        if (overlay) {
          ctx.strokeStyle = `rgba(${c},${inside ? 0.75 : 0.1})`;
          ctx.lineWidth = 1.2;
        } else {
          ctx.fillStyle = `rgba(${c},${inside ? 0.92 : 0.12})`;
          ctx.fill();
          this.path(ctx, i, false, true);
          // Of hundreds of slices the edges would be all that is seen.
          ctx.strokeStyle = `rgba(${dark ? '0,0,0' : '255,255,255'},${inside ? Math.min(0.55, 50 / this.n) : 0.1})`;
          ctx.lineWidth = this.n > 150 ? 0.5 : 1;
        }
        ctx.stroke();
      }
      ctx.restore();
    }
    // clip: bins beside a zoomed range have no place, until those of the range are there.
    clip(ctx) { const b = this.box; ctx.beginPath(); ctx.rect(b.x0, 0, b.x1 - b.x0, b.height); ctx.clip(); }
    inRange(i) {
      return !this.drag?.steps || this.part.steps[i] >= this.drag.steps[0] && this.part.steps[i] <= this.drag.steps[1];
    }
    // path is a slice's outline: closed along its base, or the line alone; of bare only
    // where there is something, so that hundreds of empty ends do not cover what is behind.
    path(ctx, i, closed, bare) {
      const { bins } = this.part, y = this.baseY(i), at = i * bins, c = this.counts;
      ctx.beginPath();
      if (closed) ctx.moveTo(this.box.x0, y);
      for (let k = 0, pen = closed; k < bins; k++) {
        if (bare && !(c[at + k] > 0 || k > 0 && c[at + k - 1] > 0 || k < bins - 1 && c[at + k + 1] > 0)) {
          pen = false;
          continue;
        }
        if (pen)
          ctx.lineTo(this.xBin(k), y - this.height(c[at + k])); else ctx.moveTo(this.xBin(k),
            y - this.height(c[at + k]));
        pen = true;
      }
      if (closed) { ctx.lineTo(this.box.x1, y); ctx.closePath(); }
    }
    axes(ctx) {
      const b = this.box;
      ctx.strokeStyle = P.theme.grid;
      ctx.lineWidth = 1;
      ctx.fillStyle = P.theme.muted;
      ctx.textBaseline = 'top';
      ctx.textAlign = 'center';
      const across = P.yTicks('linear', this.lo, this.hi, Math.max(2, b.w / 90));
      for (const [i, v] of across.at.entries()) {
        if (!(v >= this.lo && v <= this.hi)) continue;
        const x = Math.round(this.x(v)) + 0.5;
        ctx.beginPath(); ctx.moveTo(x, b.y0); ctx.lineTo(x, b.y1); ctx.stroke();
        const text = across.text[i], half = ctx.measureText(text).width / 2;
        ctx.fillText(text, Math.max(half + 1, Math.min(b.w - half - 1, x)), b.y1 + 6);
      }
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'left';
      if (this.mode === 'overlay') {
        const decades = () => [0, ...Array.from({ length: 40 }, (_, i) => 10 ** i)];
        for (const v of this.log ? decades() : P.ticks(0, this.most, Math.max(2, (b.y1 - b.y0) / 44))) {
          if (!(v >= 0 && v <= this.most)) continue;
          const y = Math.round(b.y1 - this.height(v)) + 0.5;
          ctx.beginPath(); ctx.moveTo(b.x0, y); ctx.lineTo(b.x1, y); ctx.stroke();
          ctx.fillText(P.num(v), b.x1 + 6, y, RIGHT - 8);
        }
        return;
      }
      const [lo, hi] = this.keys, place = v => b.y0 + b.h + (b.y1 - b.y0 - b.h) * (hi > lo ? (v - lo) / (hi - lo) : 1);
      let last = -Infinity;
      const ticks = hi > lo
        ? (this.depth === 'relative' ? P.durationTicks : P.ticks)(lo, hi, Math.max(2, (b.y1 - b.y0 - b.h) / 26)) : [lo];
      for (const v of ticks) {
        if (!(v >= lo && v <= hi)) continue;
        const y = Math.round(place(v)) + 0.5;
        if (Math.abs(y - last) < 13) continue;
        last = y;
        ctx.beginPath(); ctx.moveTo(b.x0, y); ctx.lineTo(b.x1, y); ctx.stroke();
        ctx.fillText(this.keyText(v), b.x1 + 6, y, RIGHT - 8);
      }
    }

    // mark draws what is pointed at, and the range that is being chosen.
    mark() {
      const ctx = this.cleared(this.over), b = this.box;
      if (!b || !this.n) return;
      const d = this.drag, inside = x => Math.max(b.x0, Math.min(b.x1, x));
      if (d?.moved && d.wide) this.shade(ctx, P.theme.muted, inside(d.x), inside(d.toX), b.y0, b.y1);
      else if (d?.moved) this.shade(ctx, P.theme.muted, b.x0, b.w, d.y, d.to);
      const picked = this.marked === null ? -1 : this.part.steps.indexOf(this.marked);
      for (const [i, width] of [[picked, 1.5], [this.at, 2]]) {
        if (i < 0 || i >= this.n) continue;
        ctx.save();
        this.clip(ctx);
        this.path(ctx, i, this.mode !== 'overlay');
        ctx.strokeStyle = P.theme.text;
        ctx.lineWidth = width;
        ctx.stroke();
        ctx.restore();
      }
      if (this.at >= 0 && this.bin >= 0) {
        const x = Math.max(b.x0, Math.min(b.x1, this.xBin(this.bin))),
          y = this.baseY(this.at) - this.height(this.counts[this.at * this.part.bins + this.bin]);
        ctx.beginPath(); ctx.arc(x, y, 3.5, 0, 7);
        ctx.fillStyle = this.color; ctx.fill();
        ctx.strokeStyle = P.theme.panel; ctx.lineWidth = 1.5; ctx.stroke();
        ctx.font = FONT; ctx.textBaseline = 'middle'; ctx.textAlign = 'left';
        const ty = this.mode === 'overlay' ? y : this.baseY(this.at),
          text = this.mode === 'overlay' ? P.num(this.counts[this.at * this.part.bins + this.bin])
          : this.keyText(this.key(this.at));
        ctx.fillStyle = P.theme.panel; ctx.fillRect(b.x1 + 2, ty - 8, RIGHT - 2, 16);
        ctx.fillStyle = P.theme.text; ctx.fillText(text, b.x1 + 6, ty, RIGHT - 8);
      }
    }

    // nearest is the slice that is seen at a place, or else the one whose line is nearest,
    // and the bin there.
    nearest({ x, y }) {
      const p = this.part;
      const bin = Math.max(0,
        Math.min(p.bins - 1, Math.floor((this.valueAt(x) / 2 - p.lo / 2) / (p.hi / 2 - p.lo / 2) * p.bins)));
      let best = -1, least = Infinity;
      for (let i = this.n - 1; i >= 0; i--) {
        const base = this.baseY(i), line = base - this.height(this.counts[i * p.bins + bin]);
        if (this.mode !== 'overlay' && y <= base && y >= line && line < base - 1) return { at: i, bin };
        const d = Math.abs(line - y);
        if (d < least) { least = d; best = i; }
      }
      return { at: best, bin };
    }
    move(at) {
      if (!this.n || !this.box) return;
      if (this.drag) {
        const d = this.drag, dx = Math.abs(at.x - d.x), dy = Math.abs(at.y - d.y);
        d.to = at.y; d.toX = at.x;
        // The first way of the pointer says what is chosen: values or steps.
        if (!d.moved && Math.max(dx, dy) > 5) { d.moved = true; d.wide = dx > dy; }
        if (d.moved && !d.wide) d.steps = this.stepsBetween(d.y, at.y);
        if (d.moved) this.soon(!d.wide && this.n <= 100); // hundreds of slices are too many for each frame
        return;
      }
      const { at: i, bin } = this.nearest(at);
      this.point(i, bin, at);
    }
    stepsBetween(y0, y1) {
      let lo = Infinity, hi = -Infinity;
      for (let i = 0; i < this.n; i++) {
        const y = this.mode === 'overlay' ? this.box.y0 + this.part01(i) * (this.box.y1 - this.box.y0) : this.baseY(i);
        if (y < Math.min(y0, y1) - 2 || y > Math.max(y0, y1) + 2) continue;
        const s = this.part.steps[i];
        if (s < lo) lo = s;
        if (s > hi) hi = s;
      }
      return lo <= hi ? [lo, hi] : null;
    }
    drop() {
      const d = this.drag;
      this.drag = null;
      if (!d) return;
      if (d.wide) {
        if (Math.abs(d.toX - d.x) > 5) {
          const [a,
            z] = [d.x, d.toX].sort((a, b) => a - b)
            .map(x => this.valueAt(Math.max(this.box.x0, Math.min(this.box.x1, x))));
          this.zoomTo(a, z);
        }
      }
      else if (d.moved) { if (d.steps) this.tell('range', d.steps[0], d.steps[1]); }
      else if (this.at >= 0) this.tell('pick', this.part.steps[this.at]);
      this.soon(true);
    }
    // point marks a slice and a bin and says what they are.
    point(i, bin, at) {
      if (i === this.at && bin === this.bin) return;
      this.at = i; this.bin = bin;
      const on = i >= 0 && i < this.n;
      this.tip.hidden = !on;
      if (on) {
        const p = this.part, w = (p.hi - p.lo) / p.bins, lo = p.lo + bin * w, count = this.counts[i * p.bins + bin];
        const lines = [`step ${P.step(p.steps[i])}`,
          `${P.num(count)} of ${P.num(p.values[i])} in ${P.num(lo)} … ${P.num(lo + w)}`, P.time(this.wall[i])];
        this.tip.replaceChildren(
          ...lines.map((t, k) => { const e = document.createElement(k ? 'div' : 'b'); e.textContent = t; return e; }));
        this.tip.classList.toggle('right', (at?.x ?? this.xBin(bin)) < this.host.clientWidth / 2);
        this.tell('point', lines.join(' · '));
      } else {
        this.tell('point', '');
      }
      this.soon();
    }
    // zoomTo shows the values from lo to hi; what covers all there is shows all.
    zoomTo(lo, hi) {
      const [least, most] = this.part?.all ?? [this.part.lo, this.part.hi];
      if (lo <= least && hi >= most) { this.fit(); return; }
      if (!(hi / 2 - lo / 2 > Math.max(Math.abs(lo), Math.abs(hi)) * 1e-12) || !Number.isFinite(lo) ||
          !Number.isFinite(hi)) {
        return;
      }
      this.zoom = [lo, hi];
      this.point(-1, -1);
      this.soon(true);
      clearTimeout(this.zoomTimer);
      this.zoomTimer = setTimeout(() => this.tell('zoom', lo, hi), 60);
    }
    fit() {
      if (!this.zoom) return;
      clearTimeout(this.zoomTimer);
      this.zoom = null;
      this.point(-1, -1);
      this.soon(true);
      this.tell('zoom');
    }
    // back takes the zoom away, or else the chosen steps.
    back() { if (this.zoom) this.fit(); else this.tell('range'); }
    // zoomBy scales the axis by f around a part of it; pan moves it by a part.
    zoomBy(f, at = 0.5) {
      if (!this.n) return;
      const w = this.hi - this.lo, c = this.lo + at * w;
      this.zoomTo(c - at * w * f, c + (1 - at) * w * f);
    }
    pan(by) { if (this.zoom) { const d = by * (this.hi - this.lo); this.zoomTo(this.lo + d, this.hi + d); } }

    // stepBy moves the mark by slices and bins, for the keyboard.
    stepBy(slices, bins) {
      if (!this.n) return;
      const i = this.at < 0 ? this.n - 1 : Math.max(0, Math.min(this.n - 1, this.at + slices));
      const k = this.bin < 0 ? Math.floor(this.part.bins / 2)
        : Math.max(0, Math.min(this.part.bins - 1, this.bin + bins));
      this.point(i, k);
    }
    pick() { if (this.at >= 0) this.tell('pick', this.part.steps[this.at]); }
  };

  // hexOf makes #rrggbb of a colour of the style sheet, which may be #rgb.
  const hexOf = c => /^#[0-9a-f]{3}$/i.test(c) ? '#' + [...c.slice(1)].map(d => d + d).join('')
    : /^#[0-9a-f]{6}$/i.test(c) ? c : '#ffffff';
})();
