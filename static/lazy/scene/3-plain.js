// Draws layers on a plain canvas, where there is no WebGL, while its context is lost, or where
// WebGL is software and there are only points: pixels and their depths are written by hand.
// Sprites are points there. 100,000 points take some 10 ms so, 180 with SwiftShader.
"use strict";
{
  const S = globalThis.tbScene;
  // disc are the half widths of the rows of a disc, by its radius in quarters of a pixel: pixels
  // whose middle is within it, around the pixel of its centre.
  const discs = [];
  const disc = (q) => {
    let d = discs[q];
    if (d) return d;
    const r = q / 4, e = Math.floor(r);
    d = discs[q] = new Int16Array(2 * e + 1);
    for (let y = -e; y <= e; y++) d[y + e] = Math.floor(Math.sqrt(r * r - y * y));
    return d;
  };

  // points draws a layer of points: m takes world to clip coordinates.
  const points = (l, { m, D, near, far }, ground, ratio, flat, W, H, pixels, depth) => {
    const p = l.positions, n = p.length / 3, c = l.colors, over = l.front || flat, fog = l.fog && !flat ? 0.62 : 0;
    const [m0, m1, , m3, m4, m5, , m7, m8, m9, , m11, m12, m13, , m15] = m, [g0, g1, g2] = ground,
      [c0, c1, c2] = l.color ?? [128, 128, 128];
    const sizes = l.sizes, size = (l.size ?? 6) * ratio, same = flat || l.fixed, span = far - near || 1;
    for (let i = 0, k = 0; i < n; i++, k += 3) {
      const a = c ? c[i * 4 + 3] : 255;
      if (!a) continue;
      const x = p[k], y = p[k + 1], z = p[k + 2], w = m3 * x + m7 * y + m11 * z + m15;
      if (!(w > 0)) continue;
      const sx = ((m0 * x + m4 * y + m8 * z + m12) / w + 1) / 2 * W,
        sy = (1 - (m1 * x + m5 * y + m9 * z + m13) / w) / 2 * H;
      if (!(sx > -50 && sy > -50 && sx < W + 50 && sy < H + 50)) continue;
      const shape = disc(
        Math.round(Math.min(100, Math.max(0.5, size * (sizes ? sizes[i] : 1) * (same ? 1 : D / w) / 2)) * 4)),
        e = shape.length >> 1;
      const far1 = fog ? fog * Math.min(1, Math.max(0, (w - near) / span)) : 0, f = a / 255 * (1 - far1);
      const r = g0 + ((c ? c[i * 4] : c0) - g0) * f, g = g1 + ((c ? c[i * 4 + 1] : c1) - g1) * f,
        b = g2 + ((c ? c[i * 4 + 2] : c2) - g2) * f;
      const color = (255 << 24 | b << 16 | (g & 255) << 8 | r & 255) >>> 0;
      // The outermost pixels are a little of the ground, so that points stand apart.
      const edge = e > 1
        ? (255 << 24 | b + (g2 - b) * 0.28 << 16 | (g + (g1 - g) * 0.28 & 255) << 8 | r + (g0 - r) * 0.28 & 255) >>> 0
        : color;
      const cx = Math.floor(sx), cy = Math.floor(sy), top = Math.max(0, cy - e), bottom = Math.min(H - 1, cy + e);
      for (let v = top; v <= bottom; v++) {
        const half = shape[v - cy + e], row = v * W, left = cx - half, right = cx + half,
          rim = v === cy - e || v === cy + e;
        for (let u = left < 0 ? 0 : left, end = right < W ? right : W - 1; u <= end; u++) {
          const at = row + u;
          if (!over && w > depth[at]) continue;
          depth[at] = w;
          pixels[at] = rim || u === left || u === right ? edge : color;
        }
      }
    }
  };

  S.plain = (canvas) => {
    const g = canvas.getContext("2d", { alpha: false });
    let image = null, pixels, depth;
    return {
      draw: (layers, view, axes, ground, ratio, flat) => {
        const W = canvas.width, Hh = canvas.height, { m } = view;
        if (!image || image.width !== W || image.height !== Hh) {
          image = g.createImageData(W, Hh);
          pixels = new Uint32Array(image.data.buffer);
          depth = new Float32Array(W * Hh);
        }
        const pack = (r, gr, b) => (255 << 24 | b << 16 | gr << 8 | r) >>> 0;
        pixels.fill(pack(...ground));
        depth.fill(Infinity);
        const put = (x, y, z, color, over) => {
          if (x < 0 || y < 0 || x >= W || y >= Hh) return;
          const i = y * W + x;
          if (!over && z > depth[i]) return;
          depth[i] = z;
          pixels[i] = color;
        };
        for (const l of layers.values()) {
          l.changed = undefined;
          if (l.kind === "points") {
            points(l, view, ground, ratio, flat, W, Hh, pixels, depth);
            continue;
          }
          const p = l.positions, n = p.length / 3, c = l.colors, over = l.front || flat;
          const at = new Float32Array(n * 3), hue = (i, dim) => {
            const a = c ? c[i * 4 + 3] / 255 : 1,
              [r, gr, b] = c ? [c[i * 4], c[i * 4 + 1], c[i * 4 + 2]] : l.color ?? [128, 128, 128], k = a * dim[0],
              s = dim[1];
            return pack(
              ...[r, gr, b].map((v, d) => Math.min(255, Math.round((ground[d] + (v - ground[d]) * k) * (s[d] ?? s)))));
          };
          for (let i = 0; i < n; i++) {
            const x = p[i * 3], y = p[i * 3 + 1], z = p[i * 3 + 2], w = m[3] * x + m[7] * y + m[11] * z + m[15];
            if (!(w > 0) || (c && !c[i * 4 + 3])) { at[i * 3] = NaN; continue; }
            at[i * 3] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) / 2 * W;
            at[i * 3 + 1] = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) / 2 * Hh;
            at[i * 3 + 2] = flat ? 0 : w;
          }
          const lines = l.kind === "lines" || l.wireframe;
          const indices = l.kind === "triangles" && l.wireframe ? S.edges(l) : l.indices,
            count = indices ? indices.length : n, id = indices ? (i) => indices[i] : (i) => i;
          if (lines) {
            for (let i = 0; i + 1 < count; i += 2) {
              const a = id(i), b = id(i + 1), x = at[a * 3], y = at[a * 3 + 1], dx = at[b * 3] - x,
                dy = at[b * 3 + 1] - y;
              const steps = Math.min(4000, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)))), color = hue(a, [1, 1]);
              for (let s = 0; s <= steps; s++) {
                const t = steps ? s / steps : 0;
                put(Math.round(x + dx * t), Math.round(y + dy * t), at[a * 3 + 2] + (at[b * 3 + 2] - at[a * 3 + 2]) * t,
                  color, over);
              }
            }
            continue;
          }
          for (let i = 0; i + 2 < count; i += 3) {
            const a = id(i), b = id(i + 1), d = id(i + 2);
            const x0 = at[a * 3], y0 = at[a * 3 + 1], x1 = at[b * 3], y1 = at[b * 3 + 1], x2 = at[d * 3],
              y2 = at[d * 3 + 1];
            const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
            if (!area) continue;
            let shade = 1;
            const { ambient, sun, from } = S.lights(l, axes);
            if (sun.some(Boolean)) {
              const u = [0, 1, 2].map((k) => p[b * 3 + k] - p[a * 3 + k]),
                v = [0, 1, 2].map((k) => p[d * 3 + k] - p[a * 3 + k]);
              const q = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
              const along = (d) => (q[0] * d[0] + q[1] * d[1] + q[2] * d[2]) / (Math.hypot(...q) || 1);
              const lit = Math.max(0, along(axes.back) < 0 ? -along(from) : along(from)); // both sides are lit
              shade = ambient.map((a, k) => a + sun[k] * lit);
            } else shade = ambient;
            const color = hue(a, [1, shade]);
            const xa = Math.max(0, Math.floor(Math.min(x0, x1, x2))),
              xb = Math.min(W - 1, Math.ceil(Math.max(x0, x1, x2)));
            const ya = Math.max(0, Math.floor(Math.min(y0, y1, y2))),
              yb = Math.min(Hh - 1, Math.ceil(Math.max(y0, y1, y2)));
            for (let y = ya; y <= yb; y++) {
              for (let x = xa; x <= xb; x++) {
                const k0 = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area,
                  k1 = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area, k2 = 1 - k0 - k1;
                if (k0 >= 0 && k1 >= 0 && k2 >= 0) {
                  put(x, y, k0 * at[a * 3 + 2] + k1 * at[b * 3 + 2] + k2 * at[d * 3 + 2], color, over);
                }
              }
            }
          }
        }
        g.putImageData(image, 0, 0);
        return true;
      },
      end: () => {},
    };
  };
}
