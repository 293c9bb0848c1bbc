"use strict";
// Drawing for plots: a canvas that is drawn in parts, and pixels that are made by hand.
(() => {
  const H = globalThis.tbH, { make } = H;
  const FRAME = 12; // ms of drawing in one frame

  // Layer is a canvas that is drawn behind the scenes, a part in each frame, and shown when
  // it is complete. What is asked for meanwhile comes next: the newest alone.
  H.Layer = class {
    constructor() {
      this.el = make("canvas", { className: "hp-layer" });
      this.back = make("canvas");
      this.job = this.next = null;
      this.frame = 0;
      this.spent = 0; // ms of the last whole drawing
    }
    // draw takes a generator function of a context that yields between its parts.
    draw(steps) {
      this.next = steps;
      this.frame ||= requestAnimationFrame(() => this.work());
    }
    work() {
      this.frame = 0;
      const ratio = devicePixelRatio, began = performance.now();
      if (!this.job) {
        if (!this.next) return;
        const w = this.el.clientWidth, h = this.el.clientHeight;
        this.back.width = Math.round(w * ratio);
        this.back.height = Math.round(h * ratio);
        const ctx = this.back.getContext("2d");
        ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.job = this.next(ctx, w, h);
        this.next = null;
        this.sum = 0;
      }
      for (let done = false; !done && performance.now() - began < FRAME;) {
        if ((done = this.job.next().done)) {
          this.job = null;
          if (this.el.width !== this.back.width || this.el.height !== this.back.height) {
            this.el.width = this.back.width;
            this.el.height = this.back.height;
          }
          const ctx = this.el.getContext("2d");
          ctx.clearRect(0, 0, this.el.width, this.el.height);
          if (this.back.width && this.back.height) ctx.drawImage(this.back, 0, 0);
        }
      }
      this.sum += performance.now() - began;
      if (!this.job) this.spent = this.sum;
      if (this.job || this.next) this.frame ||= requestAnimationFrame(() => this.work());
    }
    busy() { return !!(this.job || this.next); }
    end() { cancelAnimationFrame(this.frame); this.frame = -1; this.job = this.next = null; }
  };

  // rgb is a colour of the style sheet as 0xRRGGBB.
  const ink = make("canvas").getContext("2d");
  H.rgb = (css) => {
    ink.fillStyle = css;
    return parseInt(ink.fillStyle.slice(1), 16);
  };

  // discs are, by radius in pixels, the places beside a point and how much of each it covers,
  // of 256.
  const discs = new Map();
  const disc = (radius) => {
    if (!discs.has(radius)) {
      const m = Math.ceil(radius + 0.5), out = [];
      for (let y = -m; y <= m; y++) for (let x = -m; x <= m; x++) {
        const part = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x, y)));
        if (part > 0.05) out.push([x, y, Math.round(part * 256)]);
      }
      discs.set(radius, out);
    }
    return discs.get(radius);
  };

  // Raster puts lines and points into pixels: where no graphics processor does it, a canvas
  // takes five times as long for a thousand lines. All that it is given is in pixels.
  H.Raster = class {
    constructor(width, height, panel) {
      this.width = width; this.height = height; this.data = new Uint32Array(width * height);
      const c = panel && H.rgb(panel);
      if (panel) this.data.fill((0xff000000 | (c & 255) << 16 | (c & 0xff00) | c >> 16) >>> 0);
    }
    copy() {
      const r = new H.Raster(0, 0);
      return Object.assign(r, { width: this.width, height: this.height, data: this.data.slice() });
    }
    image() { return new ImageData(new Uint8ClampedArray(this.data.buffer), this.width, this.height); }
    // color is what is drawn with next: 0xRRGGBB, and alpha from 0 to 1.
    color(c, alpha) {
      this.rb = (c & 255) << 16 | c >> 16; // as pixels lie in memory: 0xAABBGGRR
      this.g = c & 0xff00;
      this.alpha = Math.round(alpha * 256);
    }
    dot(x, y, radius) {
      const { data, width, height, rb, g, alpha } = this;
      x = Math.round(x);
      y = Math.round(y);
      for (const [dx, dy, part] of disc(radius)) {
        const X = x + dx, Y = y + dy;
        if (X < 0 || Y < 0 || X >= width || Y >= height) continue;
        const at = Y * width + X, was = data[at], f = part * alpha >> 8, k = 256 - f;
        data[at] = 0xff000000 | ((Math.imul(was & 0xff00ff, k) + Math.imul(rb, f)) >>> 8) & 0xff00ff |
          ((Math.imul(was & 0xff00, k) + Math.imul(g, f)) >>> 8) & 0xff00;
      }
    }
    // line is as wide as a pixel: in each column of a flat one, or row of a steep one, the
    // two pixels beside it share it.
    line(x0, y0, x1, y1) {
      const { data, width, height, rb, g, alpha } = this, steep = Math.abs(y1 - y0) > Math.abs(x1 - x0);
      if (steep) [x0, y0, x1, y1] = [y0, x0, y1, x1];
      if (x0 > x1) [x0, y0, x1, y1] = [x1, y1, x0, y0];
      const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0, from = Math.max(0, Math.round(x0)),
        to = Math.min((steep ? height : width) - 1, Math.round(x1));
      const along = steep ? width : 1, across = steep ? 1 : width, most = (steep ? width : height) - 1;
      let y = y0 + slope * (from - x0);
      for (let x = from; x <= to; x++, y += slope) {
        const low = Math.floor(y);
        if (low < 0 || low >= most) continue;
        const high = (y - low) * alpha | 0;
        const f = alpha - high;
        let at = x * along + low * across, was = data[at], k = 256 - f;
        data[at] = 0xff000000 | ((Math.imul(was & 0xff00ff, k) + Math.imul(rb, f)) >>> 8) & 0xff00ff |
          ((Math.imul(was & 0xff00, k) + Math.imul(g, f)) >>> 8) & 0xff00;
        at += across;
        was = data[at];
        k = 256 - high;
        data[at] = 0xff000000 | ((Math.imul(was & 0xff00ff, k) + Math.imul(rb, high)) >>> 8) & 0xff00ff |
          ((Math.imul(was & 0xff00, k) + Math.imul(g, high)) >>> 8) & 0xff00;
      }
    }
  };
})();
