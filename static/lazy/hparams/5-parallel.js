"use strict";
// Parallel coordinates: an axis for each column, a line for each run.
(() => {
  const H = globalThis.tbH;
  const TOP = 40, LEFT = 56, RIGHT = 56, GAP = 92, NONE = 22; // CSS pixels
  const REACH = 12; // of an axis, for the hand
  const FEW = 120; // lines

  H.Parallel = class extends H.Plot {
    name = "Parallel coordinates";
    // Of the lines of a name those of like colour go together.
    chance(row, i) { return this.tint?.numeric ? Math.max(0, this.tint.u[row]) : super.chance(row, 0); }
    lack() { return super.lack() || (this.axes.length < 2 ? "Lines need two axes: add one by Axes." : ""); }
    layout() {
      const w = this.host.clientWidth, n = this.axes.length;
      const width = Math.max(w, LEFT + RIGHT + GAP * (n - 1));
      this.inner.style.width = width + "px";
      this.inner.style.height = "330px";
      this.gap = n > 1 ? (width - LEFT - RIGHT) / (n - 1) : 0;
      this.none = this.axes.some((a) => a.none);
      this.bottom = 330 - 12 - (this.none ? NONE : 0);
    }
    X(i) { return this.axes.length > 1 ? LEFT + i * this.gap : LEFT + 60; }
    Y(u) { return u < 0 ? this.bottom + NONE : this.bottom - u * (this.bottom - TOP); }
    headAt(i) {
      const w = Math.max(70, Math.min(this.gap || 160, 200) - 6);
      const left = Math.max(0, Math.min(this.X(i) - w / 2, this.inner.clientWidth - w));
      return { left: left + "px", top: "4px", width: w + "px", textAlign: left ? "" : "left" };
    }
    // lines puts rows into pixels.
    *lines(raster, rows, alpha, inkOf) {
      const ratio = devicePixelRatio, xs = this.axes.map((_, i) => this.X(i) * ratio), k = xs.length;
      if (k < 2) return;
      for (let from = 0; from < rows.length; from += 64) {
        for (const row of rows.subarray(from, from + 64)) {
          raster.color(inkOf(row), alpha);
          let y = this.Y(this.us[0][row]) * ratio;
          for (let i = 1; i < k; i++) {
            const was = y;
            y = this.Y(this.us[i][row]) * ratio;
            raster.line(xs[i - 1], was, xs[i], y);
          }
        }
        yield;
      }
    }
    *below(raster) {
      const line = H.rgb(this.theme.line);
      yield* this.lines(raster, this.order, Math.min(0.8, Math.max(0.12, 12 / Math.sqrt(this.n))), () => line);
    }
    *above(raster, on, off, ink) {
      yield* this.lines(raster, off, Math.max(0.08, Math.min(0.3, 5 / Math.sqrt(off.length))), ink);
      if (on.length > FEW) yield* this.lines(raster, on, Math.max(0.18, Math.min(1, 14 / Math.sqrt(on.length))), ink);
    }
    // A few lines are drawn as well as the browser can.
    finish(ctx, mask, on) {
      if (on.length > FEW) return;
      ctx.lineWidth = on.length > 40 ? 1.3 : 1.8;
      ctx.lineJoin = "bevel";
      ctx.globalAlpha = on.length > 40 ? 0.75 : 0.95;
      for (const row of on) {
        ctx.strokeStyle = this.inks[this.of[row]];
        ctx.beginPath();
        this.us.forEach((u, i) => ctx[i ? "lineTo" : "moveTo"](this.X(i), this.Y(u[row])));
        ctx.stroke();
      }
      ctx.globalAlpha = 1;
    }
    top(ctx, w, h) {
      this.axes.forEach((a, i) => {
        const x = this.X(i), b = this.partsOf(a);
        ctx.strokeStyle = this.theme.edge;
        ctx.lineWidth = 1;
        ctx.beginPath();
        ctx.moveTo(x, TOP);
        ctx.lineTo(x, this.bottom);
        ctx.stroke();
        for (const [from, to] of b?.parts ?? []) {
          this.frame(ctx, x - 7, this.Y(to) - 1, 14, this.Y(from) - this.Y(to) + 2);
        }
        if (b?.none && this.none) this.frame(ctx, x - 7, this.bottom + NONE - 7, 14, 14);
        ctx.fillStyle = this.theme.muted;
        ctx.textAlign = "right";
        ctx.textBaseline = "middle";
        this.labels(ctx, a.ticks(6).map(([u, text]) => [this.Y(u), text]), (y, text) => {
          ctx.fillRect(x - 3, Math.round(y), 6, 1);
          this.label(ctx, text, x - 6, y, i ? this.gap - 18 : LEFT - 8);
        });
        if (a.none) {
          ctx.fillRect(x - 3, this.bottom + NONE, 6, 1);
          this.label(ctx, "none", x - 6, this.bottom + NONE);
        }
      });
      if (this.at >= 0) {
        ctx.strokeStyle = this.theme.panel;
        ctx.lineJoin = "round";
        for (const [width, ink] of [[5, this.theme.panel], [2.6, this.inks[this.of[this.at]]]]) {
          ctx.lineWidth = width;
          ctx.strokeStyle = ctx.fillStyle = ink;
          ctx.beginPath();
          this.axes.forEach((a, i) => ctx[i ? "lineTo" : "moveTo"](this.X(i), this.Y(this.us[i][this.at])));
          ctx.stroke();
        }
        this.axes.forEach(
          (a, i) => { ctx.beginPath(); ctx.arc(this.X(i), this.Y(this.us[i][this.at]), 3.5, 0, 7); ctx.fill(); });
      }
    }
    // axisAt is the axis under the hand.
    axisAt(p) {
      const i = this.gap ? Math.round((p.x - LEFT) / this.gap) : 0;
      return i >= 0 && i < this.axes.length && Math.abs(p.x - this.X(i)) <= REACH ? this.axes[i] : null;
    }
    // part is what of a brush is under the hand: an edge or its inside.
    part(axis, p) {
      for (const [from, to] of axis.numeric ? axis.brushed()?.parts ?? [] : []) {
        const top = this.Y(to), bottom = this.Y(from);
        if (Math.abs(p.y - top) < 5) return { edge: 1, from, to };
        if (Math.abs(p.y - bottom) < 5) return { edge: -1, from, to };
        if (p.y > top && p.y < bottom) return { edge: 0, from, to };
      }
      return null;
    }
    cursor(p) {
      const axis = this.axisAt(p);
      if (!axis) return this.nearest(p) >= 0 ? "pointer" : "";
      const part = this.part(axis, p);
      return !part ? "crosshair" : part.edge ? "ns-resize" : "grab";
    }
    grab(p) {
      const axis = this.axisAt(p);
      return axis && { axes: [axis], axis, part: this.part(axis, p) };
    }
    u(y) { return Math.min(1, Math.max(0, (this.bottom - y) / (this.bottom - TOP))); }
    pull(p, d) {
      const { axis, part } = d;
      let from = this.u(d.y), to = this.u(p.y), none = false;
      if (part) {
        none = !!axis.filter?.missing;
        const by = to - from;
        if (part.edge > 0) [from, to] = [part.from, Math.min(1, Math.max(0, part.to + by))];
        else if (part.edge < 0) [from, to] = [Math.min(1, Math.max(0, part.from + by)), part.to];
        else {
          const shift = Math.max(-part.from, Math.min(1 - part.to, by));
          [from, to] = [part.from + shift, part.to + shift];
        }
      } else none = axis.none && Math.max(d.y, p.y) > this.bottom + NONE / 2;
      const alone = !part && Math.min(d.y, p.y) > this.bottom + NONE / 2 - 2;
      const [lo, hi] = alone ? [1, 0] : axis.covered(from, to);
      this.cover(new Map([[axis.key, { lo, hi, none }]]));
    }
    click(p, ev, d) {
      if (!d) return super.click(p, ev, d);
      const { axis } = d;
      const write = (b) => this.ask("brush", { Brushes: [{ Key: axis.key, Lo: b[0], Hi: b[1], None: b[2] }] });
      if (axis.none && p.y > this.bottom + NONE / 2) write([1, 0, !axis.filter?.missing]);
      else if (!axis.numeric && !axis.empty) { // a name; again: none
        let best = 0;
        axis.names.forEach(
          (_, i) => {
            if (Math.abs(axis.place(i) - this.u(p.y)) < Math.abs(axis.place(best) - this.u(p.y))) best = i;
          });
        const now = axis.filter?.values;
        write(now?.length === 1 && now[0] === axis.names[best] ? [1, 0, false] : [best, best, false]);
      } else if (axis.filter) this.clear([axis]);
    }
    // nearest is the row whose line is closest to a place, -1 if none is close.
    nearest(p) {
      if (this.axes.length < 2 || this.axisAt(p)) return -1;
      const i = Math.floor((p.x - LEFT) / this.gap);
      if (i < 0 || i >= this.axes.length - 1) return -1;
      const f = (p.x - this.X(i)) / this.gap, a = this.us[i], b = this.us[i + 1], mask = this.passing();
      let best = -1, least = 8;
      for (let r = 0; r < this.n; r++) {
        if (!mask[r]) continue;
        const y0 = this.Y(a[r]), y1 = this.Y(b[r]);
        // The distance to the line, not along the axis.
        const d = Math.abs(y0 + (y1 - y0) * f - p.y) * this.gap / Math.hypot(this.gap, y1 - y0);
        if (d < least || d === least && mask[r] > mask[best]) { least = d; best = r; }
      }
      return best;
    }
  };
})();
