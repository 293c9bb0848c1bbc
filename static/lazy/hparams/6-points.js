"use strict";
// Scatter plots of runs: one, of two columns, or a matrix of several. Points are put into
// pixels by hand: a matrix of ten thousand runs has half a million of them.
(() => {
  const H = globalThis.tbH;
  const NONE = 14; // what rows without a value take at the low end, CSS pixels

  // Cell is a field of two of the axes, number i across and j up.
  class Cell {
    constructor(axes, i, j, left, top, width, height) {
      const x = axes[i], y = axes[j];
      this.x = x; this.y = y; this.i = i; this.j = j; this.left = left; this.top = top; this.width = width;
      this.height = height;
      this.nx = x.none ? NONE : 0;
      this.ny = y.none ? NONE : 0;
    }
    X(u) { return u < 0 ? this.left + NONE / 2 - 2 : this.left + this.nx + 5 + u * (this.width - this.nx - 10); }
    Y(u) {
      return u < 0 ? this.top + this.height - NONE / 2 + 2
        : this.top + this.height - this.ny - 5 - u * (this.height - this.ny - 10);
    }
    u(x) { return (x - this.left - this.nx - 5) / (this.width - this.nx - 10); }
    v(y) { return (this.top + this.height - this.ny - 5 - y) / (this.height - this.ny - 10); }
    has(p) {
      return p.x >= this.left && p.x <= this.left + this.width && p.y >= this.top && p.y <= this.top + this.height;
    }
  }

  // Points is the base of both.
  class Points extends H.Plot {
    at2(cell, row) { return [cell.X(this.us[cell.i][row]), cell.Y(this.us[cell.j][row])]; }
    radius() { return (this.n > 3000 ? 1.3 : this.n > 400 ? 2 : 2.8) * (this.cells.length > 1 ? 0.85 : 1.25); }
    // dots puts rows into pixels.
    *dots(raster, rows, alpha, ink) {
      const ratio = devicePixelRatio, radius = Math.round(this.radius() * ratio * 4) / 4;
      for (const cell of this.cells) {
        if (cell.x === cell.y) continue;
        for (let i = 0; i < rows.length; i++) {
          const [x, y] = this.at2(cell, rows[i]);
          raster.color(ink(rows[i]), alpha);
          raster.dot(x * ratio, y * ratio, radius);
          if (i % 512 === 511) yield;
        }
        yield;
      }
    }
    *below(raster) {
      const edge = H.rgb(this.theme.edge);
      yield* this.dots(raster, this.order, 0.3, () => edge);
    }
    *above(raster, on, off, ink) {
      yield* this.dots(raster, off, 0.3, ink);
      yield* this.dots(raster, on, on.length > 2000 ? 0.7 : 0.9, ink);
    }
    finish(ctx, mask) { for (const cell of this.cells) if (cell.x === cell.y) this.bars(ctx, cell, mask); }
    // bars draw how many rows stand where, all and those that pass.
    bars(ctx, cell, mask) {
      const a = cell.x, count = !a.numeric && a.names.length < 30 ? a.names.length : 24, all = new Float64Array(count),
        pass = new Float64Array(count);
      for (let i = 0; i < this.n; i++) {
        if (a.u[i] < 0) continue;
        const k = Math.min(count - 1, Math.floor(a.u[i] * count));
        all[k]++;
        if (mask[i]) pass[k]++;
      }
      const most = Math.max(1, ...all), step = (cell.width - cell.nx - 10) / count, high = cell.height - 30;
      for (const [list, ink, alpha] of [[all, this.theme.edge, 0.35], [pass, this.theme.accent, 0.8]]) {
        ctx.fillStyle = ink;
        ctx.globalAlpha = alpha;
        list.forEach(
          (v, k) => {
            if (v) {
              ctx.fillRect(cell.left + cell.nx + 5 + k * step + 0.5, cell.top + cell.height - 4 - v / most * high,
                Math.max(1, step - 1), v / most * high);
            }
          });
      }
      ctx.globalAlpha = 1;
    }
    top(ctx) {
      for (const cell of this.cells) {
        ctx.strokeStyle = this.theme.line;
        ctx.lineWidth = 1;
        ctx.strokeRect(cell.left + 0.5, cell.top + 0.5, cell.width - 1, cell.height - 1);
        const x = this.partsOf(cell.x), y = cell.x === cell.y ? null : this.partsOf(cell.y);
        // A field is covered where both columns are.
        const span = (b, from, to, none, margin) => !b ? [[from, to]]
          : [...b.parts.map(([p, q]) => [margin(p), margin(q)]), ...(b.none ? [none] : [])];
        if (x || y) {
          for (const [a, b] of span(x, cell.left + 2, cell.left + cell.width - 2, [cell.left + 1, cell.left + NONE],
            (u) => cell.X(u)))
            for (const [c, d] of span(y, cell.top + 2, cell.top + cell.height - 2,
              [cell.top + cell.height - NONE, cell.top + cell.height - 1], (u) => cell.Y(u)))
              this.frame(ctx, Math.min(a, b) - 1, Math.min(c, d) - 1, Math.abs(b - a) + 2, Math.abs(d - c) + 2);
        }
        if (this.at >= 0 && cell.x !== cell.y) {
          const [px, py] = this.at2(cell, this.at);
          for (const [r, ink] of [[this.radius() + 3.5, this.theme.panel], [this.radius() + 2, this.theme.text],
              [this.radius() + 0.8, this.inks[this.of[this.at]]]]) {
            ctx.fillStyle = ink;
            ctx.beginPath();
            ctx.arc(px, py, r, 0, 7);
            ctx.fill();
          }
        }
      }
      ctx.fillStyle = this.theme.muted;
      this.marks(ctx);
    }
    cellAt(p) { return this.cells.find((c) => c.has(p)); }
    cursor(p) { return !this.cellAt(p) ? "" : this.nearest(p) >= 0 ? "pointer" : "crosshair"; }
    grab(p) {
      const cell = this.cellAt(p);
      return cell && { cell, axes: [...new Set([cell.x, cell.y])] };
    }
    pull(p, d) {
      const { cell } = d, clamp = (v) => Math.min(1, Math.max(0, v)), brushes = new Map();
      const along = (axis, from, to) => {
        const none = axis.none && Math.min(from, to) < -0.02, alone = none && Math.max(from, to) < 0;
        const [lo, hi] = alone ? [1, 0] : axis.covered(clamp(from), clamp(to));
        brushes.set(axis.key, { lo, hi, none });
      };
      along(cell.x, cell.u(d.x), cell.u(p.x));
      if (cell.y !== cell.x) along(cell.y, cell.v(d.y), cell.v(p.y));
      this.cover(brushes);
    }
    nearest(p) {
      const cell = this.cellAt(p), mask = this.mask;
      if (!cell || cell.x === cell.y) return -1;
      let best = -1, least = 9;
      for (let r = 0; r < this.n; r++) {
        if (!mask[r]) continue;
        const [x, y] = this.at2(cell, r), d = Math.hypot(x - p.x, y - p.y);
        if (d < least) { least = d; best = r; }
      }
      return best;
    }
  }

  H.Matrix = class extends Points {
    name = "Scatter matrix";
    lack() { return super.lack() || (this.axes.length < 2 ? "A matrix needs two columns: add one by Axes." : ""); }
    layout() {
      const k = Math.max(1, this.axes.length), width = Math.max(this.host.clientWidth - 2, 96 * k + 50), left = 50,
        bottom = 20;
      this.size = Math.min(170, (width - left) / k);
      const wide = (width - left) / k;
      this.inner.style.width = width + "px";
      this.inner.style.height = Math.ceil(k * this.size + bottom) + "px";
      this.cells = [];
      this.axes.forEach(
        (_, j) => this.axes.forEach(
          (_, i) => this.cells.push(new Cell(this.axes, i, j, left + i * wide, j * this.size, wide - 3,
            this.size - 3))));
    }
    headAt(i) {
      const cell = this.cells[i * this.axes.length + i];
      return { left: cell.left + 3 + "px", top: cell.top + 2 + "px", maxWidth: cell.width - 6 + "px" };
    }
    marks(ctx) {
      const k = this.axes.length;
      ctx.textBaseline = "middle";
      ctx.textAlign = "right";
      for (let j = 0; j < k; j++) {
        const cell = this.cells[j * k];
        const inside = (y) => Math.max(cell.top + 6, Math.min(cell.top + cell.height - 6, y));
        this.labels(ctx, this.axes[j].ticks(3).map(([u, text]) => [inside(cell.Y(u)), text]),
          (y, text) => this.label(ctx, text, 46, y, 44));
      }
      ctx.textBaseline = "top";
      ctx.textAlign = "center";
      for (let i = 0; i < k; i++) {
        const cell = this.cells[(k - 1) * k + i], ticks = this.axes[i].ticks(3),
          most = cell.width / Math.max(1, ticks.length) - 2;
        for (const [u, text] of ticks) {
          this.label(ctx, text, Math.max(cell.left + 10, Math.min(cell.left + cell.width - 10, cell.X(u))),
            cell.top + cell.height + 5, most);
        }
      }
    }
  };

  H.Scatter = class extends Points {
    name = "Scatter plot";
    lack() {
      return super.lack() || (this.axes.length < 2 ? "A scatter plot needs two columns: choose them above." : "");
    }
    layout() {
      const w = this.host.clientWidth, high = 380;
      this.inner.style.width = w + "px";
      this.inner.style.height = high + "px";
      this.cells = this.axes.length < 2 ? [] : [new Cell(this.axes, 0, 1, 64, 30, w - 76, high - 80)];
    }
    headAt(i) {
      return i ? { left: "4px", top: "2px", maxWidth: "240px" } : { right: "8px", bottom: "2px", maxWidth: "240px" };
    }
    marks(ctx) {
      for (const cell of this.cells) {
        ctx.textBaseline = "middle";
        ctx.textAlign = "right";
        this.labels(ctx, cell.y.ticks(6).map(([u, text]) => [cell.Y(u), text]),
          (y, text) => this.label(ctx, text, 60, y, 58));
        if (cell.y.none) this.label(ctx, "none", 60, cell.Y(-1), 58);
        ctx.textBaseline = "top";
        ctx.textAlign = "center";
        const ticks = cell.x.ticks(Math.max(2, Math.round(cell.width / 110))),
          most = cell.width / Math.max(1, ticks.length) - 4;
        for (const [u, text] of ticks) this.label(ctx, text, cell.X(u), cell.top + cell.height + 6, most);
        if (cell.x.none) this.label(ctx, "none", cell.X(-1), cell.top + cell.height + 6);
      }
    }
  };
})();
