// Lines as pixels. A canvas without a GPU strokes a hundred noisy lines of a
// thousand points, 1.6 pixels wide, in 150 ms; filling the columns that they
// cross by hand takes 4 ms (measured on two shared cores), and the time is
// spent here, where it can be sliced, and not later in the browser. For each
// column of pixels a line covers one span from its least to its greatest
// height, with soft ends. Few long segments look better as strokes: see
// paint-lines.js, which chooses.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  let least = new Float64Array(0), greatest = new Float64Array(0);

  // The picture of the last raster that was done with: they are half a megabyte each,
  // and a collector that does not see that lets a hundred lie about.
  let spare = null;

  // inked says whether a place in a pattern of dashes and gaps is in a dash.
  const inked = (dash, at) => {
    let on = true;
    for (const n of dash) { if (at < n) return on; at -= n; on = !on; }
    return on;
  };

  P.Raster = class {
    constructor(w, h) {
      this.w = w; this.h = h;
      if (spare?.width === w && spare.height === h) {
        this.image = spare;
        spare = null;
      } else this.image = new ImageData(w, h);
      this.pixels = new Uint32Array(this.image.data.buffer); // 0xAABBGGRR
      if (least.length < w + 1) { least = new Float64Array(w + 1); greatest = new Float64Array(w + 1); }
    }

    // done gives the picture back.
    done() { this.pixels.fill(0); spare = this.image; }

    // line draws points i…end of xs, ys; place maps them to pixels, thick is
    // the line's width in pixels, rgb is 0xBBGGRR, dash a pattern in pixels, if any, and dashFrom
    // where it begins.
    line(xs, ys, i, end, place, thick, rgb, dash, dashFrom) {
      const { w } = this, half = thick / 2, lo = least, hi = greatest;
      lo.fill(1e9, 0, w); hi.fill(-1e9, 0, w);
      let open = false, px = 0, py = 0, first = w, last = -1;
      const { kx, ox, ky, oy, linear } = place;
      for (; i < end; i++) {
        const y = ys[i], x = xs[i];
        if (!(Math.abs(y) < Infinity) || !(Math.abs(x) < Infinity)) { open = false; continue; }
        const X = x * kx + ox, Y = linear ? oy - y * ky : place.y(y);
        if (open) {
          let x0 = px, y0 = py, x1 = X, y1 = Y;
          if (x1 < x0) { x0 = X; y0 = Y; x1 = px; y1 = py; }
          if (x1 >= 0 && x0 < w) {
            let a = y0 < y1 ? y0 : y1, b = y0 < y1 ? y1 : y0;
            const c0 = x0 > 0 ? x0 | 0 : 0, c1 = x1 < w ? x1 | 0 : w - 1;
            if (c0 < first) first = c0;
            if (c1 > last) last = c1;
            if (x1 - x0 < 1 && c0 === c1) {
              if (a - half < lo[c0]) lo[c0] = a - half;
              if (b + half > hi[c0]) hi[c0] = b + half;
            } else {
              // A sloping line is as thick as a flat one, measured across.
              const m = (y1 - y0) / (x1 - x0), t = half * Math.min(2, Math.sqrt(1 + m * m));
              for (let c = c0; c <= c1; c++) {
                const ya = y0 + m * ((c > x0 ? c : x0) - x0), yb = y0 + m * ((c + 1 < x1 ? c + 1 : x1) - x0);
                a = (ya < yb ? ya : yb) - t; b = (ya < yb ? yb : ya) + t;
                if (a < lo[c]) lo[c] = a;
                if (b > hi[c]) hi[c] = b;
              }
            }
          }
        }
        px = X; py = Y; open = true;
      }
      const period = dash?.reduce((a, b) => a + b);
      for (let c = first; c <= last; c++) {
        if (hi[c] > lo[c] && (!dash || inked(dash, (c + dashFrom) % period))) this.span(c, lo[c], hi[c], rgb);
      }
    }

    // span fills a column from a to b, pixels; ends that fall within a pixel
    // cover it in part.
    span(c, a, b, rgb) {
      const { w, h, pixels } = this;
      if (a < 0) a = 0;
      if (b > h) b = h;
      if (!(b > a)) return;
      const r0 = a | 0, r1 = Math.ceil(b) - 1, solid = 0xff000000 | rgb;
      let o = r0 * w + c;
      this.mix(o, (r0 === r1 ? b : r0 + 1) - a, rgb);
      if (r0 === r1) return;
      o += w;
      for (let r = r0 + 1; r < r1; r++, o += w) pixels[o] = solid;
      this.mix(o, b - r1, rgb);
    }

    // mix lays a colour over a pixel with cover 0…1.
    mix(o, cover, rgb) {
      const { pixels } = this, old = pixels[o], sa = cover * 255 + 0.5 | 0;
      if (sa >= 255) { pixels[o] = 0xff000000 | rgb; return; }
      if (sa === 0) return;
      const da = old >>> 24;
      if (da === 0) { pixels[o] = sa << 24 | rgb; return; }
      const rest = da * (255 - sa) / 255, out = sa + rest, a = sa / out, b = rest / out;
      pixels[o] = (out + 0.5 | 0) << 24 | ((rgb >> 16) * a + (old >> 16 & 255) * b + 0.5 | 0) << 16 |
        ((rgb >> 8 & 255) * a + (old >> 8 & 255) * b + 0.5 | 0) << 8 | ((rgb & 255) * a + (old & 255) * b + 0.5 | 0);
    }
  };

  // rgbOf turns #rrggbb into 0xBBGGRR.
  P.rgbOf = color => {
    const v = parseInt(color.slice(1), 16);
    return Number.isNaN(v) ? 0x888888 : (v & 255) << 16 | v & 0xff00 | v >> 16;
  };
})();
