// Draws layers on a plain canvas, where there is no WebGL or while its context is lost: pixels
// and their depths are written by hand. Sprites are points there.
"use strict";
{
  const S = globalThis.tbScene;
  S.plain = (canvas) => {
    const g = canvas.getContext("2d");
    let image = null, pixels, depth;
    return {
      draw: (layers, view, axes, ground, ratio, flat) => {
        const W = canvas.width, Hh = canvas.height, { m, D, near, far } = view;
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
          const p = l.positions, n = p.length / 3, c = l.colors, over = l.front || flat;
          const at = new Float32Array(n * 3), hue = (i, dim) => {
            const a = c ? c[i * 4 + 3] / 255 : 1, [r, gr, b] = c ? [c[i * 4], c[i * 4 + 1], c[i * 4 + 2]] : l.color ?? [128, 128, 128], k = a * dim[0], s = dim[1];
            return pack(...[r, gr, b].map((v, d) => Math.min(255, Math.round((ground[d] + (v - ground[d]) * k) * (s[d] ?? s)))));
          };
          for (let i = 0; i < n; i++) {
            const x = p[i * 3], y = p[i * 3 + 1], z = p[i * 3 + 2], w = m[3] * x + m[7] * y + m[11] * z + m[15];
            if (!(w > 0) || (c && !c[i * 4 + 3])) { at[i * 3] = NaN; continue; }
            at[i * 3] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) / 2 * W;
            at[i * 3 + 1] = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) / 2 * Hh;
            at[i * 3 + 2] = flat ? 0 : w;
          }
          if (l.kind === "points") {
            for (let i = 0; i < n; i++) {
              const x = at[i * 3], y = at[i * 3 + 1], w = at[i * 3 + 2];
              if (!(x > -50 && y > -50 && x < W + 50 && y < Hh + 50)) continue;
              const r = Math.min(100, Math.max(0.5, (l.size ?? 6) * ratio * (l.sizes ? l.sizes[i] : 1) * (flat || l.fixed ? 1 : D / w) / 2));
              const color = hue(i, [1 - (l.fog && !flat ? 0.62 * Math.min(1, Math.max(0, (w - near) / (far - near || 1))) : 0), 1]), e = Math.ceil(r);
              for (let dy = -e; dy <= e; dy++) for (let dx = -e; dx <= e; dx++) if (dx * dx + dy * dy <= r * r) put(Math.round(x) + dx, Math.round(y) + dy, w, color, over);
            }
            continue;
          }
          const lines = l.kind === "lines" || l.wireframe;
          const indices = l.kind === "triangles" && l.wireframe ? S.edges(l) : l.indices, count = indices ? indices.length : n, id = indices ? (i) => indices[i] : (i) => i;
          if (lines) {
            for (let i = 0; i + 1 < count; i += 2) {
              const a = id(i), b = id(i + 1), x = at[a * 3], y = at[a * 3 + 1], dx = at[b * 3] - x, dy = at[b * 3 + 1] - y;
              const steps = Math.min(4000, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)))), color = hue(a, [1, 1]);
              for (let s = 0; s <= steps; s++) {
                const t = steps ? s / steps : 0;
                put(Math.round(x + dx * t), Math.round(y + dy * t), at[a * 3 + 2] + (at[b * 3 + 2] - at[a * 3 + 2]) * t, color, over);
              }
            }
            continue;
          }
          for (let i = 0; i + 2 < count; i += 3) {
            const a = id(i), b = id(i + 1), d = id(i + 2);
            const x0 = at[a * 3], y0 = at[a * 3 + 1], x1 = at[b * 3], y1 = at[b * 3 + 1], x2 = at[d * 3], y2 = at[d * 3 + 1];
            const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
            if (!area) continue;
            let shade = 1;
            const { ambient, sun, from } = S.lights(l, axes);
            if (sun.some(Boolean)) {
              const u = [0, 1, 2].map((k) => p[b * 3 + k] - p[a * 3 + k]), v = [0, 1, 2].map((k) => p[d * 3 + k] - p[a * 3 + k]);
              const q = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
              const along = (d) => (q[0] * d[0] + q[1] * d[1] + q[2] * d[2]) / (Math.hypot(...q) || 1);
              const lit = Math.max(0, along(axes.back) < 0 ? -along(from) : along(from)); // both sides are lit
              shade = ambient.map((a, k) => a + sun[k] * lit);
            } else shade = ambient;
            const color = hue(a, [1, shade]);
            const xa = Math.max(0, Math.floor(Math.min(x0, x1, x2))), xb = Math.min(W - 1, Math.ceil(Math.max(x0, x1, x2)));
            const ya = Math.max(0, Math.floor(Math.min(y0, y1, y2))), yb = Math.min(Hh - 1, Math.ceil(Math.max(y0, y1, y2)));
            for (let y = ya; y <= yb; y++) {
              for (let x = xa; x <= xb; x++) {
                const k0 = ((x1 - x) * (y2 - y) - (x2 - x) * (y1 - y)) / area, k1 = ((x2 - x) * (y0 - y) - (x0 - x) * (y2 - y)) / area, k2 = 1 - k0 - k1;
                if (k0 >= 0 && k1 >= 0 && k2 >= 0) put(x, y, k0 * at[a * 3 + 2] + k1 * at[b * 3 + 2] + k2 * at[d * 3 + 2], color, over);
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
