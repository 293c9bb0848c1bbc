// Draws layers with WebGL 2. Nothing is blended: what is faint is mixed with the ground in the
// shader, so the order does not matter, and a software renderer has half the work.
"use strict";
{
  const S = globalThis.tbScene;
  const head = "#version 300 es\nprecision highp float;\n";
  const pointsV = head + `
in vec3 at; in vec4 tint; in float factor; in float cell;
uniform mat4 matrix; uniform vec4 all; uniform vec3 ground; uniform vec4 fog; uniform float size, most;
out vec4 color; flat out float image; flat out float amount;
void main() {
  vec4 t = tint * all;
  gl_Position = matrix * vec4(at, 1.0);
  float w = gl_Position.w;
  gl_PointSize = min(most, max(1.0, size * factor * (fog.w > 0.0 ? fog.w / max(w, 1e-9) : 1.0)));
  float far = fog.z * clamp((w - fog.x) / max(fog.y - fog.x, 1e-9), 0.0, 1.0);
  color = vec4(mix(ground, t.rgb, t.a * (1.0 - far)), 1.0);
  image = cell;
  amount = t.a * (1.0 - far);
  if (t.a == 0.0 || !(at.x == at.x)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;
  const pointsF = head + `
in vec4 color; flat in float image; flat in float amount; uniform float frame; uniform vec3 sheet;
  uniform sampler2D images; uniform vec3 ground; out vec4 o;
void main() {
  if (sheet.x > 0.0) {
    vec2 p = gl_PointCoord;
    if (sheet.y > sheet.z) p.y = (p.y - 0.5) * sheet.y / sheet.z + 0.5;
      else p.x = (p.x - 0.5) * sheet.z / sheet.y + 0.5;
    if (p.x < 0.0 || p.y < 0.0 || p.x > 1.0 || p.y > 1.0) discard;
    vec2 size = vec2(textureSize(images, 0));
    vec2 c = vec2(mod(image, sheet.x), floor(image / sheet.x));
    vec4 s = texture(images, (c + clamp(p, 0.02, 0.98)) * sheet.yz / size);
    if (s.a < 0.1) discard;
    vec2 side = min(p, 1.0 - p);
    o = vec4(min(side.x, side.y) < frame ? color.rgb : mix(ground, s.rgb, amount), 1.0);
  } else {
    vec2 d = gl_PointCoord - 0.5;
    float r = dot(d, d);
    if (r > 0.25) discard;
    o = vec4(r > 0.17 ? mix(color.rgb, ground, 0.28) : color.rgb, 1.0);
  }
}`;
  const facesV = head + `
in vec3 at; in vec4 tint; in vec3 normal; uniform mat4 matrix; uniform vec4 all; uniform vec3 ground; out vec3 color;
  out vec3 place; out vec3 bent;
void main() {
  vec4 t = tint * all;
  gl_Position = matrix * vec4(at, 1.0);
  color = mix(ground, t.rgb, t.a);
  place = at;
  bent = normal;
}`;
  const facesF = head + `
in vec3 color; in vec3 place; in vec3 bent; uniform vec3 back, ambient, sun, from; uniform float curved; out vec4 o;
void main() {
  vec3 l = ambient;
  if (sun != vec3(0.0)) {
    vec3 n = normalize(curved > 0.0 && dot(bent, bent) > 0.0 ? bent : cross(dFdx(place), dFdy(place)));
    if (dot(n, back) < 0.0) n = -n; // both sides are lit
    l += sun * max(0.0, dot(n, from));
  }
  o = vec4(color * l, 1.0);
}`;

  // software says that WebGL is there, and the processor does its work. Asked once: a context takes
  // some 20 ms to make.
  let software = null;
  S.software = () => {
    if (software !== null) return software;
    const g = document.createElement("canvas").getContext("webgl2");
    if (!g) return software = false;
    const known = g.getExtension("WEBGL_debug_renderer_info"),
      name = g.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : g.RENDERER);
    g.getExtension("WEBGL_lose_context")?.loseContext();
    return software = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  };

  // gl is a drawer on a canvas; null where there is no WebGL 2.
  S.gl = (canvas, lost, back) => {
    const g = canvas.getContext("webgl2",
      { alpha: false, antialias: true, powerPreference: "high-performance", preserveDrawingBuffer: false });
    if (!g) return null;
    let programs = null, all = new Map(), held = null, gone = false; // what is held, by whose it is and by layer
    const program = (v, f) => {
      const p = g.createProgram();
      for (const [type, text] of [[g.VERTEX_SHADER, v], [g.FRAGMENT_SHADER, f]]) {
        const s = g.createShader(type);
        g.shaderSource(s, text);
        g.compileShader(s);
        g.attachShader(p, s);
      }
      ["at", "tint", "factor", "cell", "normal"].forEach((n, i) => g.bindAttribLocation(p, i, n));
      g.linkProgram(p);
      if (!g.getProgramParameter(p, g.LINK_STATUS) && !g.isContextLost()) {
        throw new Error("scene: internal error: " + g.getProgramInfoLog(p));
      }
      const at = {};
      for (let i = 0, n = g.getProgramParameter(p, g.ACTIVE_UNIFORMS); i < n; i++) {
        const { name } = g.getActiveUniform(p, i);
        at[name] = g.getUniformLocation(p, name);
      }
      return { p, at };
    };
    const begin = () => {
      programs = { points: program(pointsV, pointsF), faces: program(facesV, facesF) };
      g.enable(g.DEPTH_TEST);
      g.depthFunc(g.LEQUAL);
    };
    begin();
    const onLost = (e) => { e.preventDefault(); gone = true; all = new Map(); lost(); };
    const onBack = () => { gone = false; begin(); back(); };
    canvas.addEventListener("webglcontextlost", onLost);
    canvas.addEventListener("webglcontextrestored", onBack);
    const most = g.getParameter(g.ALIASED_POINT_SIZE_RANGE)[1];

    const drop = (h) => {
      for (const b of Object.values(h.buffers)) g.deleteBuffer(b.buffer);
      if (h.texture) g.deleteTexture(h.texture);
    };
    // buffer holds an array on the other side, anew only when it is another one.
    const buffer = (h, name, array, target, changed) => {
      const b = (h.buffers[name] ??= { buffer: g.createBuffer() });
      g.bindBuffer(target, b.buffer);
      if (b.array !== array || changed?.includes(name)) {
        g.bufferData(target, array, g.DYNAMIC_DRAW);
        b.array = array;
      }
    };
    const attribute = (h, i, name, array, n, type, normal, changed, ...without) => {
      if (!array) {
        g.disableVertexAttribArray(i);
        g.vertexAttrib4f(i, ...without);
        return;
      }
      buffer(h, name, array, g.ARRAY_BUFFER, changed);
      g.enableVertexAttribArray(i);
      g.vertexAttribPointer(i, n, type, normal, 0, 0);
    };
    const layer = (name, l, { m, D, near, far }, axes, ground, ratio, flat) => {
      let h = held.get(name);
      if (!h) held.set(name, h = { buffers: {} });
      const points = l.kind === "points", { p, at } = points ? programs.points : programs.faces;
      const changed = l.changed;
      l.changed = undefined;
      g.useProgram(p);
      g.uniformMatrix4fv(at.matrix, false, m);
      g.uniform3fv(at.ground, ground);
      g.uniform4f(at.all, ...(l.colors ? [1, 1, 1] : (l.color ?? [128, 128, 128]).map((v) => v / 255)), 1);
      attribute(h, 0, "positions", l.positions, 3, g.FLOAT, false, changed);
      attribute(h, 1, "colors", l.colors, 4, g.UNSIGNED_BYTE, true, changed, 1, 1, 1, 1);
      if (l.front || flat) g.disable(g.DEPTH_TEST); else g.enable(g.DEPTH_TEST);
      const count = l.positions.length / 3;
      if (points) {
        g.disableVertexAttribArray(4);
        attribute(h, 2, "sizes", l.sizes, 1, g.FLOAT, false, changed, 1, 0, 0, 0);
        attribute(h, 3, "cells", l.sprite?.cells, 1, g.FLOAT, false, changed, 0, 0, 0, 0);
        g.uniform1f(at.size, (l.size ?? 6) * ratio);
        g.uniform1f(at.most, most);
        g.uniform4f(at.fog, near, far, l.fog && !flat ? 0.62 : 0, flat || l.fixed ? 0 : D);
        if (l.sprite) {
          g.activeTexture(g.TEXTURE0);
          if (h.image !== l.sprite.image) {
            if (h.texture) g.deleteTexture(h.texture);
            h.texture = g.createTexture();
            h.image = l.sprite.image;
            g.bindTexture(g.TEXTURE_2D, h.texture);
            g.texImage2D(g.TEXTURE_2D, 0, g.RGBA, g.RGBA, g.UNSIGNED_BYTE, l.sprite.image);
            g.texParameteri(g.TEXTURE_2D, g.TEXTURE_MIN_FILTER, g.LINEAR);
            g.texParameteri(g.TEXTURE_2D, g.TEXTURE_MAG_FILTER, l.sprite.width > 16 ? g.LINEAR : g.NEAREST);
            g.texParameteri(g.TEXTURE_2D, g.TEXTURE_WRAP_S, g.CLAMP_TO_EDGE);
            g.texParameteri(g.TEXTURE_2D, g.TEXTURE_WRAP_T, g.CLAMP_TO_EDGE);
          }
          g.bindTexture(g.TEXTURE_2D, h.texture);
        }
        g.uniform1f(at.frame, l.sprite?.frame ? 0.09 : 0);
        g.uniform3f(at.sheet, ...(l.sprite ? [l.sprite.columns, l.sprite.width, l.sprite.height] : [0, 1, 1]));
        return g.drawArrays(g.POINTS, 0, count);
      }
      g.disableVertexAttribArray(2);
      g.disableVertexAttribArray(3);
      g.uniform3fv(at.back, axes.back);
      const edges = l.kind === "lines" || l.wireframe, { ambient, sun, from } = edges ? S.unlit : S.lights(l, axes);
      g.uniform3fv(at.ambient, ambient);
      g.uniform3fv(at.sun, sun);
      g.uniform3fv(at.from, from);
      attribute(h, 4, "normals", l.normals, 3, g.FLOAT, false, changed, 0, 0, 0, 0);
      g.uniform1f(at.curved, l.normals ? 1 : 0);
      let indices = l.indices;
      if (l.kind === "triangles" && l.wireframe) indices = S.edges(l);
      if (!indices) return g.drawArrays(edges ? g.LINES : g.TRIANGLES, 0, count);
      buffer(h, edges ? "edges" : "indices", indices, g.ELEMENT_ARRAY_BUFFER, changed);
      g.drawElements(edges ? g.LINES : g.TRIANGLES, indices.length, g.UNSIGNED_INT, 0);
    };
    return {
      limit: g.getParameter(g.MAX_TEXTURE_SIZE),
      // draw draws into the lower left corner, of the canvas's size if none is named; owner keeps
      // scenes apart that share the context.
      draw: (layers, view, axes, ground, ratio, flat, owner = null, w = canvas.width, h = canvas.height) => {
        if (gone) return false;
        held = all.get(owner);
        if (!held) all.set(owner, held = new Map());
        g.viewport(0, 0, w, h);
        const at = ground.map((v) => v / 255);
        g.clearColor(...at, 1);
        g.clear(g.COLOR_BUFFER_BIT | g.DEPTH_BUFFER_BIT);
        for (const [name, h] of held) if (!layers.has(name)) { drop(h); held.delete(name); }
        for (const [name, l] of layers) layer(name, l, view, axes, at, ratio, flat);
        return true;
      },
      lost: () => gone,
      forget: (owner) => {
        for (const h of all.get(owner)?.values() ?? []) drop(h);
        all.delete(owner);
      },
      end: () => {
        canvas.removeEventListener("webglcontextlost", onLost);
        canvas.removeEventListener("webglcontextrestored", onBack);
        g.getExtension("WEBGL_lose_context")?.loseContext();
      },
    };
  };

  // shared is a drawer on a plain canvas, whose pictures one hidden context draws for all that
  // share it: a browser allows a page some 16 contexts. null where there is no WebGL 2. The
  // context ends with the last of them.
  let one = null;
  S.shared = (canvas, lost, back) => {
    if (!one) {
      const hidden = document.createElement("canvas"), users = new Map();
      const drawer = S.gl(hidden, () => { for (const u of users.values()) u.lost(); },
        () => { for (const u of users.values()) u.back(); });
      if (!drawer) return null;
      one = { hidden, users, drawer };
    }
    const mine = one, owner = {}, g = canvas.getContext("2d", { alpha: false });
    mine.users.set(owner, { lost, back });
    if (mine.drawer.lost()) queueMicrotask(() => mine.users.has(owner) && lost());
    return {
      limit: mine.drawer.limit,
      draw: (layers, view, axes, ground, ratio, flat) => {
        const { width: w, height: h } = canvas, c = mine.hidden;
        if (c.width < w) c.width = w; // it never gets smaller: a new size is a new buffer
        if (c.height < h) c.height = h;
        if (!mine.drawer.draw(layers, view, axes, ground, ratio, flat, owner, w, h)) return false;
        g.drawImage(c, 0, c.height - h, w, h, 0, 0, w, h);
        return true;
      },
      end: () => {
        mine.users.delete(owner);
        mine.drawer.forget(owner);
        if (mine.users.size) return;
        mine.drawer.end();
        if (one === mine) one = null;
      },
    };
  };

  // lights are those of a layer of triangles: what comes from everywhere, and what comes from one
  // side, where that is.
  S.unlit = { ambient: [1, 1, 1], sun: [0, 0, 0], from: [0, 0, 1] };
  S.lights = ({ light = 0.45, lights }, axes) => {
    if (lights) return { ambient: lights.ambient, sun: lights.sun, from: lights.from ?? axes.back };
    return { ambient: [light, light, light], sun: [1 - light, 1 - light, 1 - light], from: axes.back };
  };

  // edges are the sides of triangles, each once.
  const sides = new WeakMap();
  S.edges = ({ indices, positions }) => {
    const key = indices ?? positions;
    let e = sides.get(key);
    if (e) return e;
    const n = indices ? indices.length : positions.length / 3, at = indices ? (i) => indices[i] : (i) => i;
    const keys = new Float64Array(n - (n % 3));
    for (let i = 0; i + 2 < n; i += 3) {
      for (let k = 0; k < 3; k++) {
        const a = at(i + k), b = at(i + ((k + 1) % 3));
        keys[i + k] = Math.min(a, b) * 4294967296 + Math.max(a, b);
      }
    }
    keys.sort();
    e = new Uint32Array(keys.length * 2);
    let out = 0;
    for (let i = 0; i < keys.length; i++) {
      if (i && keys[i] === keys[i - 1]) continue;
      e[out++] = Math.floor(keys[i] / 4294967296);
      e[out++] = keys[i] % 4294967296;
    }
    sides.set(key, e = e.slice(0, out));
    return e;
  };

  // sound is faces without those that point beyond n vertices: {indices, left}.
  S.sound = (faces, n) => {
    const out = new Uint32Array(faces.length - (faces.length % 3));
    let k = 0, left = faces.length % 3 ? 1 : 0;
    for (let i = 0; i + 2 < faces.length; i += 3) {
      const a = faces[i], b = faces[i + 1], c = faces[i + 2];
      if (a >= 0 && b >= 0 && c >= 0 && a < n && b < n && c < n) {
        out[k++] = a;
        out[k++] = b;
        out[k++] = c;
      } else left++;
    }
    return { indices: k === out.length ? out : out.slice(0, k), left };
  };
}
