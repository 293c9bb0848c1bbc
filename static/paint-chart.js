// One chart: uPlot draws axes and grid and has the cursor, two layers draw the
// lines, an overlay shows what is pointed at. uPlot gets no series: each of
// ours has its own steps, and it only ever sees mapped, linear ranges.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const SETTLE = 140; // ms without a change before faint lines are drawn anew
  const AWAIT = 150;  // ms that a new chart waits for curves before it shows its axes

  P.Chart = class {
    // host is an empty element; tell(event, a, b, c) reports to the page:
    // 'zoom' (zoomed, x0, x1, y0, y1 in values; y NaN where it is fitted), 'painted',
    // 'size' (plot width in device pixels), 'fob' (which, step; NaN: taken away), 'at' (which, x:
    // the points there are wanted, 0 for the pointer, 1 for the pinned table). name is what the
    // card shows.
    constructor(host, tell, name, tags) {
      this.host = host; this.tell = tell; this.name = name; this.tags = []; this.rightTags = new Set();
      this.rightScale = 'linear'; this.rightEnds = null; this.list = []; this.x = 'step';
      this.xKind = 'linear'; this.y = 'linear'; this.yZone = 0; this.outliers = true; this.smoothed = true;
      this.reach = 0; this.painter = P; this.why = ''; this.zoom = null; this.near = true; this.fresh = 0;
      this.rev = 0; this.rawRev = '0'; this.colorRev = 0; this.changed = 0; this.u = null; this.ranges = null;
      this.view = null;
      this.tags = tags ?? [];
      this.born = performance.now();
      this.raw = new P.Layer(true);
      this.smooth = new P.Layer(false);
      this.lines = document.createElement('canvas');
      this.over = document.createElement('canvas');
      this.lines.className = this.over.className = 'plot-layer';
      const div = name => { const e = document.createElement('div'); e.className = name; return e; };
      this.cross = div('plot-cross');
      this.pinLine = div('plot-cross plot-pin'); // where the pinned table was read
      this.said = div('plot-said');
      P.watchSize(this);
    }

    // take starts a new set of curves; that of the run beside is not to be seen, only compared
    // with (-1: none). raw counts up when anything but the smoothing may have changed. They are
    // what is between x0 and x1, values, or with x1 not above x0 all.
    take(raw, beside, x0, x1) {
      this.next = [];
      this.nextRaw = raw;
      /** @type {[number, number]} */
      this.nextPart = x1 > x0 ? [x0, x1] : null;
      this.beside = beside;
    }
    add(head, buffer) { for (const s of P.series(head, buffer, this.x, this.xKind)) this.next.push(s); }
    done() {
      const { next, nextPart: part } = this;
      this.next = null;
      // the user has gone on: that is asked for in a moment
      if (part && this.all && this.zoomTimer && !this.within(part)) {
        this.rev++;
        P.queue(this);
        return;
      }
      this.part = part;
      P.forgetExact(this);
      // The same run lies on top in every card.
      for (const s of next) s.right = this.rightTags.has(s.tag);
      this.unseen = next.filter(s => s.run === this.beside);
      this.all = next.filter(s => s.run !== this.beside)
        .sort((a, b) => P.rankOf(a.run) - P.rankOf(b.run) || a.tag - b.tag || a.piece - b.piece);
      this.list = P.summarise(this.all, this);
      this.rawRev = this.nextRaw;
      if (!this.part) this.ends = this.extent();
      this.single = this.tags.length > 1 && this.list.every(s => s.run === this.list[0].run);
      this.rev++; this.ranges = null; this.changed = performance.now();
      P.queue(this);
    }

    // within reports whether nothing is shown that is outside a part of the horizontal axis.
    within([x0, x1]) {
      const z = this.zoom, room = (x1 - x0) * 1e-9;
      return z && z.x0 !== null && this.xv(z.x0) >= x0 - room && this.xv(z.x1) <= x1 + room;
    }

    // extent is from where to where the curves go.
    extent() {
      let lo = Infinity, hi = -Infinity;
      for (const s of this.list) { if (s.lo < lo) lo = s.lo; if (s.hi > hi) hi = s.hi; }
      return [lo, hi];
    }

    // regroup makes the groups' curves anew.
    regroup() {
      if (!this.all) return;
      P.forgetExact(this);
      this.list = P.summarise(this.all, this);
      this.rev++; this.rawRev = `${this.rawRev}+`; this.ranges = null;
      P.queue(this);
    }

    // set takes the axes: x and its scale, the scale of y with the half width of a
    // symlog's linear zone (0: by the data), what range and lines are made of, and over how many
    // points to each side the envelope of raw values goes (0: they are a line).
    set(x, xKind, y, yZone, outliers, smoothed, reach) {
      if (x !== this.x || xKind !== this.xKind) {
        this.x = x; this.xKind = xKind; this.zoom = this.ends = null; this.list = []; this.all = null; this.rev++;
        P.forgetExact(this); this.drop();
      }
      this.y = y;
      if (y === 'log' && this.zoom?.y0 <= 0) this.zoom.y0 = this.zoom.y1 = null; // no place there
      this.yZone = yZone; this.outliers = outliers; this.smoothed = smoothed; this.reach = reach;
      this.ranges = null;
      P.queue(this);
    }

    // setRight puts tags, by their numbers, on an axis at the right with a scale of its own,
    // from lo to hi; with hi not above lo it is fitted.
    setRight(tags, scale, zone, lo, hi) {
      if (tags.length > 0 !== this.rightTags.size > 0) this.drop();
      this.rightTags = new Set(tags);
      this.rightEnds = hi > lo ? [lo, hi] : null;
      this.rightScale = scale === 'symlog' && zone ? scale + ':' + zone : scale;
      for (const s of this.all ?? []) s.right = this.rightTags.has(s.tag);
      this.regroup();
    }

    // xv is the value at a place of the mapped x axis, xm the place of a value.
    xv(m) { return P.scale(this.xKind).from(m); }
    xm(v) { return P.scale(this.xKind).to(v); }

    destroy() {
      P.forget(this);
      P.leave(this);
      this.drop();
      this.raw.clear(); this.smooth.clear();
      this.list = [];
    }
    drop() { this.u?.destroy(); this.u = null; this.host.replaceChildren(); }

    plotPixels() {
      return this.u ? Math.round(this.u.bbox.width)
        : Math.round(Math.max(50, this.host.clientWidth - 64) * devicePixelRatio);
    }

    // measure finds the ranges, in values, that the axes show now.
    measure() {
      if (this.ranges) return this.ranges;
      const z = this.zoom;
      let lo = Infinity, hi = -Infinity, why = this.list.length ? '' : this.why;
      if (z && z.x0 !== null) { lo = z.x0; hi = z.x1; } else {
        // Until the whole curves have come again those of a part are shown in their place.
        [lo, hi] = this.part && this.ends ? this.ends : this.extent();
        if (!(hi >= lo) && this.list.length > 0 && this.xKind === 'log') {
          why = 'Every point here is at 0 or before it: a log axis cannot show them. Symlog can.';
        }
        [lo, hi] = P.xRange(...P.joined(this, 'x', this.x + this.xKind, hi >= lo ? [lo, hi] : null) ?? [lo, hi]);
      }
      const x = z && z.x0 !== null ? lo : null, left = this.list.filter(s => !s.right),
        right = this.list.filter(s => s.right);
      // fitted is the scale of curves, and the range that shows them.
      let span;
      const fitted = (kind, zone, list) => {
        if (kind === 'symlog') kind += ':' + (zone || P.yZone(list, this.smoothed));
        span = P.ySpan(list, this.smoothed, x, hi, P.scale(kind).ok, this.outliers);
        const key = [this.x, this.xKind, this.y, this.outliers, this.smoothed, x === null ? '' : lo + ' ' + hi].join();
        return { kind, y: P.yRange(kind, P.joined(this, 'y', key, span)) };
      };
      let beside = null;
      if (right.length) beside = fitted(this.rightScale, 0, right);
      const own = fitted(this.y, this.yZone, left), { kind } = own, { to } = P.scale(kind);
      let { y } = own;
      let stays = false; // the right axis has ends of its own
      if (beside) {
        const r = P.scale(beside.kind).to;
        stays = this.rightEnds !== null && r(this.rightEnds[0]) > -Infinity; // NaN below 0 where it is log
        const ends = stays ? this.rightEnds : beside.y;
        beside = { kind: beside.kind, y0: r(ends[0]), y1: r(ends[1]) };
      }
      if (z && z.y0 !== null) {
        y = [z.y0, z.y1];
        span = undefined;
        if (beside && !stays) { // moves along, in parts of its height
          const a = to(own.y[0]), h = to(own.y[1]) - a, { y0, y1 } = beside,
            part = v => y0 + (to(v) - a) / h * (y1 - y0);
          beside.y0 = part(y[0]); beside.y1 = part(y[1]);
        }
      }
      if (!why && span === null && left.length > 0 && kind === 'log' &&
        P.ySpan(left, this.smoothed, x, hi, Number.isFinite, false))
        why = 'No value here is above 0: a log axis cannot show them. Symlog can.';
      this.say(why);
      const log = kind === 'log' || beside?.kind === 'log'; // what is not above 0 is below every range
      return this.ranges = { x0: lo, x1: hi, y0: to(y[0]), y1: to(y[1]), kind, right: beside,
        clipped: (this.outliers || log) && !(z && z.y0 !== null) };
    }

    // say puts a sentence over the plot; '' takes it away.
    say(text) { if (this.said.textContent !== text) this.said.textContent = text; }

    // work does what is left to do until the time is up; true when all is drawn.
    work(until) {
      const [w, h] = P.sizeOf(this);
      if (w < 40 || h < 40) return true;
      // Curves mostly come before empty axes could be seen: then both are drawn at once.
      const age = performance.now() - this.born;
      if (!this.all && this.list.length === 0 && !this.why && age < AWAIT) { P.later(this, AWAIT - age); return true; }
      const r = this.measure();
      const pad = P.margins?.(this, w, h) ?? null, bare = `${pad}` === `${this.pad}`;
      this.pad = pad;
      if (!this.u) this.build(w, h);
      const u = this.u,
        key = (pad ?? '') + ' ' + r.x0 + ' ' + r.x1 + ' ' + r.y0 + ' ' + r.y1 + ' ' + w + ' ' + h + ' ' + r.kind + ' ' +
        devicePixelRatio +
        (r.right ? r.right.kind + r.right.y0 + ' ' + r.right.y1 : '');
      if (this.axisKey !== key) {
        this.axisKey = key;
        this.view = { ...r, w: 0, h: 0 }; // the axes ask for its kind
        u.batch(() => {
          if (u.width !== w || u.height !== h || !bare) u.setSize({ width: w, height: h });
          u.setScale('x', { min: r.x0, max: r.x1 });
          u.setScale('y', { min: r.y0, max: r.y1 });
          if (r.right && u.scales.right) u.setScale('right', { min: r.right.y0, max: r.right.y1 });
        });
        this.fit2(u);
      }
      const v = this.view = { ...r, w: Math.round(u.bbox.width), h: Math.round(u.bbox.height) };
      const style = this.style();
      const common = [...this.rightTags] + '/' + this.colorRev + '/' + P.themeRev + '/' + devicePixelRatio + '/' +
        this.x + '/' + this.xKind;
      let more = false;
      if (this.smooth.want(`${this.rev}/${this.smoothed}/${common}`, v, this.list, style)) {
        more = !this.smooth.work(until);
      }
      if (this.smoothed && !more) {
        const rk = `${this.rawRev}/${this.reach}/${common}`;
        // While the slider moves only the range changes: stretching will do.
        if (this.raw.stretches(rk, v) && performance.now() - this.changed < SETTLE) P.later(this, SETTLE);
        else if (this.raw.want(rk, v, this.list, style)) more = !this.raw.work(until);
      }
      this.blit(v);
      if (more) return false;
      if (this.fresh !== this.rev) {
        this.fresh = this.rev;
        P.soonWords(this);
        P.readRest(this);
        P.renewPinned(this);
        P.warm();
        this.tell('painted');
      }
      return true;
    }

    style() {
      return { ratio: devicePixelRatio, reach: this.reach, width: this.list.length > 150 ? 1 : 1.6,
        smoothed: this.smoothed, color: s => P.inkOf(this, s), dash: s => P.dashOf(this, s) };
    }

    blit(v) {
      const ctx = this.lines.getContext('2d');
      ctx.clearRect(0, 0, this.lines.width, this.lines.height);
      if (this.smoothed) this.raw.blit(ctx, v);
      this.smooth.blit(ctx, v);
      P.placeLines(this);
      P.placeFobs(this);
      P.placeNotes(this);
      P.placeLabels?.(this);
      if (P.hovered === this) P.hoverSoon(this);
      else if (P.marked >= 0) P.mark(this);
    }

    // fit2 lays our canvases exactly on uPlot's plot area.
    fit2(u) {
      for (const c of [this.lines, this.over]) {
        const w = Math.round(u.bbox.width), h = Math.round(u.bbox.height);
        if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
        c.style.width = w / devicePixelRatio + 'px';
        c.style.height = h / devicePixelRatio + 'px';
      }
      const px = this.plotPixels();
      if (px !== this.told) { this.told = px; this.tell('size', px); }
    }

    build(w, h) {
      this.u = P.newPlot(this, w, h);
      this.axisKey = '';
      this.u.over.append(this.lines, this.over, this.cross, this.pinLine, this.said);
      P.bindPointer(this);
    }

    // describe keeps the picture's words for those who cannot see it.
    describe() {
      const n = new Set((this.all ?? this.list).map(s => s.run)).size;
      let lo = Infinity, hi = -Infinity;
      for (const s of this.list) { lo = Math.min(lo, s.lo); hi = Math.max(hi, s.hi); }
      let min = Infinity, max = -Infinity;
      for (const s of this.list) {
        const ys = this.smoothed ? s.smooth : s.value;
        for (let i = 0; i < s.n; i++) {
          const y = ys[i];
          if (y < min && y > -Infinity) min = y;
          if (y > max && y < Infinity) max = y;
        }
      }
      this.host.setAttribute('aria-label',
        this.said.textContent ||
        (n === 0 ? 'No points'
          : `Curves ` +
          `of ${n} ${n === 1 ? 'run' : 'runs'}, ` +
          `${this.x === 'tag' ? P.xName : this.x} ${P.xText(this.x, this.xv(lo))} to ${P.xText(this.x, this.xv(hi))}` +
        (max >= min ? `, values ${P.num(min)} to ${P.num(max)}` : '') +
          P.seenNotes(this, lo, hi, 1).map(s => `; step ${P.step(s.step)}: ${s.text}`).join('')));
    }

    // zoomTo shows a box, given in values of x and in mapped y (null: fitted).
    zoomTo(x0, x1, m0, m1) {
      if (!(x1 > x0) || !(x1 - x0 > Math.abs(x0) * 1e-12)) return;
      const back = P.scale(this.measure().kind).from;
      this.zoom = { x0, x1, y0: m0 === null ? null : back(m0), y1: m1 === null ? null : back(m1) };
      this.moved();
    }
    // zoomSet shows a box given in values; an axis of NaN is fitted. It tells nobody.
    zoomSet(x0, x1, y0, y1) {
      clearTimeout(this.zoomTimer); this.zoomTimer = 0;
      const a = this.xm(x0), b = this.xm(x1), fit = !(y1 > y0) || this.y === 'log' && y0 <= 0;
      const all = !(b > a && a > -Infinity); // NaN too
      this.zoom = all && fit ? null
        : { x0: all ? null : a, x1: all ? null : b, y0: fit ? null : y0, y1: fit ? null : y1 };
      this.ranges = null;
      P.queue(this);
    }
    // limits are the values at the ends of the axes where they are fitted: y to the values
    // between those of x that are seen. The last two are of the right axis.
    limits() {
      const { zoom, rightEnds } = this, at = z => { this.zoom = z; this.ranges = null; return this.measure(); };
      this.rightEnds = null;
      this.aside = true; // joined spans stay as they are
      const x = at(null), y = at(zoom && { ...zoom, y0: null, y1: null }), { from } = P.scale(y.kind), r = y.right,
        of = r && P.scale(r.kind).from;
      this.rightEnds = rightEnds;
      at(zoom);
      this.aside = false;
      return [this.xv(x.x0), this.xv(x.x1), from(y.y0), from(y.y1), r ? of(r.y0) : 0, r ? of(r.y1) : 0];
    }
    fit() { if (this.zoom) { this.zoom = null; this.moved(); } }
    moved() {
      this.ranges = null;
      P.queue(this);
      clearTimeout(this.zoomTimer);
      this.zoomTimer = setTimeout(() => this.tellZoom(), 120);
    }
    // tellZoom tells the box that is shown, if that is still to be told.
    tellZoom() {
      if (!this.zoomTimer) return;
      clearTimeout(this.zoomTimer); this.zoomTimer = 0;
      const z = this.zoom;
      this.tell('zoom', !!z, z && z.x0 !== null ? this.xv(z.x0) : 0, z && z.x0 !== null ? this.xv(z.x1) : 0,
        z?.y0 ?? NaN, z?.y1 ?? NaN);
    }
    // zoomBy scales the view by f around a place in the plot, 0…1 from the left
    // and from the bottom.
    zoomBy(f, px = 0.5, py = 0.5) {
      const r = this.measure(), cx = r.x0 + (r.x1 - r.x0) * px, cy = r.y0 + (r.y1 - r.y0) * py;
      this.zoomTo(cx + (r.x0 - cx) * f, cx + (r.x1 - cx) * f, cy + (r.y0 - cy) * f, cy + (r.y1 - cy) * f);
    }
    // pan moves the view by parts of its width and height.
    pan(dx, dy) {
      const r = this.measure(), w = (r.x1 - r.x0) * dx, h = (r.y1 - r.y0) * dy;
      this.zoomTo(r.x0 + w, r.x1 + w, dy === 0 && (this.zoom?.y0 ?? null) === null ? null : r.y0 + h,
        dy === 0 && (this.zoom?.y0 ?? null) === null ? null : r.y1 + h);
    }
  };
})();
