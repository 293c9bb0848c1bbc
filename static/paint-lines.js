// Lines on a canvas. A layer is the picture of all of a card's raw or of all
// its smoothed lines; it is made behind the scenes, in slices that fit into a
// frame, and shown when it is whole. Until then the last one is shown,
// stretched to the new range, so that neither zooming a thousand runs nor
// dragging the smoothing slider ever holds up the page.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const RAW_ALPHA = 0.25; // as in TensorBoard
  const SLICE = 12000;    // line segments between two looks at the clock
  const STROKES = 4000;   // segments in a card up to which strokes are drawn …
  const DENSE = 500;      // … and up to which, where each line has more than two in a pixel

  // spare canvases: a layer needs a second one only while it is being made.
  const spare = [];
  function canvas(w, h) {
    const c = spare.pop() ?? document.createElement('canvas');
    c.width = w; c.height = h; // clears it too
    return c;
  }
  const giveBack = c => { if (c && spare.length < 4) spare.push(c); };

  // Layer keeps the picture, and for which view it was made: {x0,x1,y0,y1} in
  // mapped space, plot size w, h in device pixels.
  P.Layer = class {
    constructor(raw) { this.raw = raw; this.shown = null; this.view = null; this.job = null; this.key = ''; }

    // want asks for a picture; key names everything that it depends on besides
    // the view. It returns whether there is work to do.
    want(key, view, list, style) {
      if (this.job) {
        if (this.job.key === key && same(this.job.view, view)) return true;
        giveBack(this.job.canvas); this.job = null;
      }
      if (this.key === key && this.view && same(this.view, view)) return false;
      if (view.w < 2 || view.h < 2) return false;
      this.job = { key, view, list, style, next: 0, canvas: canvas(view.w, view.h) };
      return true;
    }

    // work draws until `until` (a performance.now() time) and says whether the
    // picture is whole.
    work(until) {
      const j = this.job;
      if (!j) return true;
      const ctx = j.canvas.getContext('2d');
      if (j.next === 0) {
        setUp(ctx, j.style, this.raw);
        let n = 0;
        for (const s of j.list) { const [from, end] = seen(s, j.view); n += end - from; }
        const most = n > 2 * j.list.length * j.view.w ? DENSE : STROKES;
        if (n > most && !(this.raw && j.style.reach)) j.raster = new P.Raster(j.view.w, j.view.h);
      }
      do {
        let n = 0;
        while (j.next < j.list.length && n < SLICE) n += one(ctx, j.list[j.next++], j, this.raw);
      } while (j.next < j.list.length && performance.now() < until);
      if (j.next < j.list.length) return false;
      if (j.raster) { ctx.putImageData(j.raster.image, 0, 0); j.raster.done(); }
      for (const s of j.list) if (s.odd) extras(ctx, s, j.view, j.style, this.raw);
      if (!this.raw) for (const s of j.list) if (s.bands) P.drawBand(ctx, s, j.view, j.style);
      if (j.view.clipped && !(this.raw && j.style.smoothed)) for (const s of j.list) outside(ctx, s, j.view, j.style);
      giveBack(this.shown);
      this.shown = j.canvas; this.view = j.view; this.key = j.key; this.job = null;
      return true;
    }

    // blit shows the picture for the view v.
    blit(ctx, v) {
      const o = this.view;
      if (!this.shown || !o) return;
      ctx.globalAlpha = this.raw ? RAW_ALPHA : 1;
      if (same(o, v)) ctx.drawImage(this.shown, 0, 0);
      else if (o.kind === v.kind) { // another scale is not a stretch of this one
        const kx = v.w / (v.x1 - v.x0), ky = v.h / (v.y1 - v.y0);
        ctx.drawImage(this.shown, (o.x0 - v.x0) * kx, (v.y1 - o.y1) * ky, (o.x1 - o.x0) * kx, (o.y1 - o.y0) * ky);
      }
      ctx.globalAlpha = 1;
    }

    // stretches says whether only the view has changed since the picture was made.
    stretches(key, v) {
      return this.key === key && this.view !== null && this.view.kind === v.kind && !same(this.view, v);
    }

    clear() {
      giveBack(this.shown);
      giveBack(this.job?.canvas);
      this.shown = this.view = this.job = null;
      this.key = '';
    }
  };

  const same = (a, b) => a.x0 === b.x0 && a.x1 === b.x1 && a.y0 === b.y0 && a.y1 === b.y1 && a.w === b.w &&
    a.h === b.h && a.kind === b.kind && a.clipped === b.clipped
    && a.right?.y0 === b.right?.y0 && a.right?.y1 === b.right?.y1 && a.right?.kind === b.right?.kind;

  function setUp(ctx, style, raw) {
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.lineJoin = 'bevel'; // cheapest, and not to be told apart at this width
    ctx.lineWidth = (raw ? 1 : style.width) * style.ratio;
  }

  // place maps values to pixels of the layer. On a linear axis that is
  // x·kx + ox and oy − y·ky; loops over many points use the numbers. A curve may be on the
  // right axis, which has a range and a scale of its own.
  function place(v, curve) {
    if (curve?.right && v.right) v = { ...v, ...v.right };
    const s = P.scale(v.kind), kx = v.w / (v.x1 - v.x0), ky = v.h / (v.y1 - v.y0), ox = -v.x0 * kx, oy = v.y1 * ky;
    const linear = v.kind === 'linear', floor = v.h + 2;
    return {
      kx, ox, ky, oy, linear,
      x: x => x * kx + ox,
      // What a log axis cannot show lies on its lower edge.
      y: linear ? y => oy - y * ky : y => { const m = s.to(y); return m === -Infinity ? floor : oy - m * ky; },
      value: y => s.from((oy - y) / ky), // at a height
    };
  }
  P.place = place;

  // seen is the range of a series' points that the view needs.
  function seen(s, v) {
    return s.sorted ? [Math.max(0, P.from(s.x, v.x0) - 1), Math.min(s.n, P.from(s.x, v.x1) + 2)] : [0, s.n];
  }

  const column = (s, raw, style) => raw || !style.smoothed ? s.value : s.smooth;

  // line draws one series and returns how much work it was, in segments.
  function line(ctx, s, { view, style, raster }, raw) {
    const ys = column(s, raw, style), at = place(view, s), [from, end] = seen(s, view), dash = style.dash?.(s);
    if (raster)
      raster.line(s.x, ys, from, end, at, (raw ? 1 : style.width) * style.ratio, P.rgbOf(style.color(s)), dash,
        P.dashFrom(s));
    else stroke(ctx, s.x, ys, from, end, at, style.color(s), dash, P.dashFrom(s));
    return end - from + 20;
  }

  // one is line, or the envelope of a run's raw values.
  function one(ctx, s, job, raw) {
    if (!(raw && job.style.reach) || s.bands) return line(ctx, s, job, raw);
    P.drawEnvelope(ctx, s, job.view, job.style);
    return 4 * s.n + 20;
  }

  function stroke(ctx, xs, ys, i, end, at, color, dash, dashFrom) {
    // Far outside the plot canvas coordinates lose precision; 1e4 pixels away
    // a line's slope inside is still right to a fraction of a pixel.
    const lim = 1e4, clip = p => p > lim ? lim : p < -lim ? -lim : p;
    let open = false;
    ctx.strokeStyle = color;
    ctx.setLineDash(dash ?? []);
    ctx.lineDashOffset = dashFrom;
    ctx.beginPath();
    for (; i < end; i++) {
      const y = ys[i], x = xs[i];
      if (!(Math.abs(y) < Infinity) || !(Math.abs(x) < Infinity)) { open = false; continue; }
      const X = clip(at.x(x)), Y = clip(at.y(y));
      if (open) ctx.lineTo(X, Y); else { ctx.moveTo(X, Y); open = true; }
    }
    ctx.stroke();
    if (dash) ctx.setLineDash([]);
  }

  // extras draws what no line shows: points without a finite neighbour as dots,
  // and those that are not finite as triangles.
  function extras(ctx, s, view, style, raw) {
    if (raw && style.smoothed) return;
    const ys = column(s, raw, style), xs = s.x, at = place(view, s), [from, end] = seen(s, view),
      color = style.color(s);
    const fine = i => i >= 0 && i < s.n && Math.abs(ys[i]) < Infinity && Math.abs(xs[i]) < Infinity;
    let odd = false;
    for (let i = from; i < end; i++) {
      if (!fine(i)) odd = true;
      else if (!fine(i - 1) && !fine(i + 1)) {
        dot(ctx, at.x(xs[i]), at.y(ys[i]), (s.n === 1 ? 3.5 : 2) * style.ratio, color);
      }
    }
    if (odd) marks(ctx, s, ys, from, end, at, view, style);
  }

  // outside draws an arrow at the upper or lower edge where a curve leaves a range that
  // outliers do not count for, or a log axis has no place for it. At most one in so many
  // pixels, at the point that is farthest out there. Nearly all points are inside, which is
  // one comparison.
  function outside(ctx, s, view, style) {
    const ys = style.smoothed ? s.smooth : s.value, xs = s.x, at = place(view, s), [from, end] = seen(s, view);
    const r = 4 * style.ratio, every = 8 * r;
    ctx.fillStyle = style.color(s);
    for (const up of [true, false]) {
      const edge = at.value(up ? -1 : view.h + 1);
      let cell = -1, x = 0, far = 0;
      const draw = () => {
        if (cell < 0) return;
        const tip = up ? 1 : view.h - 1, base = up ? 1 + 1.6 * r : view.h - 1 - 1.6 * r;
        ctx.beginPath(); ctx.moveTo(x, tip); ctx.lineTo(x + r, base); ctx.lineTo(x - r, base); ctx.closePath();
        ctx.fill();
      };
      for (let i = from; i < end; i++) {
        const y = ys[i];
        if (up ? !(y > edge) : !(y < edge)) continue;
        if (!(Math.abs(y) < Infinity) || !(Math.abs(xs[i]) < Infinity)) continue;
        const X = at.x(xs[i]), Y = at.y(y), out = up ? -Y : Y - view.h;
        if (!(out > 1) || X < 0 || X > view.w) continue;
        const c = Math.floor(X / every);
        if (c !== cell) { draw(); cell = c; far = 0; }
        if (out > far) { far = out; x = X; }
      }
      draw();
    }
  }

  function dot(ctx, x, y, r, color) {
    ctx.fillStyle = color;
    ctx.beginPath(); ctx.arc(x, y, r, 0, 2 * Math.PI); ctx.fill();
  }

  // marks draws a triangle where a value is not finite, at the height of the
  // last finite value: upright for NaN (hollow) and +∞, upside down for -∞. At
  // most one per kind and few pixels, or a run full of NaN would be a wall.
  function marks(ctx, s, ys, from, end, at, v, style) {
    let last = NaN;
    for (let i = from; i >= 0 && Number.isNaN(last); i--) if (Math.abs(ys[i]) < Infinity) last = ys[i];
    for (let i = from; i < s.n && Number.isNaN(last); i++) if (Math.abs(ys[i]) < Infinity) last = ys[i];
    const r = 5 * style.ratio, free = [-Infinity, -Infinity, -Infinity];
    ctx.fillStyle = ctx.strokeStyle = style.color(s);
    const width = ctx.lineWidth;
    ctx.lineWidth = 1.25 * style.ratio;
    for (let i = from; i < end; i++) {
      const y = ys[i];
      if (Math.abs(y) < Infinity) { last = y; continue; }
      const kind = Number.isNaN(y) ? 0 : y > 0 ? 1 : 2, x = at.x(s.x[i]);
      if (!(x >= free[kind])) continue;
      free[kind] = x + r;
      const Y = Math.min(v.h - r, Math.max(r, Number.isNaN(last) ? v.h / 2 : at.y(last))), d = kind === 2 ? -r : r;
      ctx.beginPath(); ctx.moveTo(x, Y - d); ctx.lineTo(x + r, Y + d * 0.8); ctx.lineTo(x - r, Y + d * 0.8);
      ctx.closePath();
      if (kind === 0) ctx.stroke(); else ctx.fill();
    }
    ctx.lineWidth = width;
  }

  // one draws a single series at once, for the line that is pointed at.
  P.drawOne = (ctx, s, view, style) => {
    setUp(ctx, style, false);
    line(ctx, s, { view, style, raster: null }, false);
    if (s.odd) extras(ctx, s, view, style, false);
  };
  P.dot = dot;
  // signs draws what no line shows of a curve, and where it leaves the range.
  P.signs = (ctx, s, view, style) => {
    if (s.odd) extras(ctx, s, view, style, false);
    if (view.clipped) outside(ctx, s, view, style);
  };
})();
