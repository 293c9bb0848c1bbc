// Reads what the mesh plug-in logs: the bytes of a value, as they stand in the file, become
// numbers, and a tag's metadata becomes a scene's configuration. What shared/mesh reads of the
// same bytes is the same (TestMeshesRead).
//
// Nothing of it is trusted: lengths are checked against the bytes that are there before
// anything is made, and what is wrong is an error in words.
"use strict";
{
  const M = (globalThis.tbMesh ??= {});

  const torn = () => new Error("this value is torn: its message ends too early");
  // varint reads one at c.at of c.b, as a signed number of 64 bits: those below zero have ten bytes.
  // c.low are its last 32 bits, exact where a number is not.
  const varint = (c) => {
    let v = 0, k = 1, big = 0n;
    for (let i = 0; i < 10; i++) {
      if (c.at >= c.b.length) throw torn();
      const x = c.b[c.at++];
      if (i === 9 && x > 1) throw torn();
      if (i === 7) big = BigInt(v);
      if (i >= 7) big |= BigInt(x & 127) << BigInt(7 * i); else v += (x & 127) * k;
      if (x < 128) {
        c.low = i < 7 ? v | 0 : Number(BigInt.asIntN(32, big));
        return i < 7 ? v : Number(BigInt.asIntN(64, big));
      }
      k *= 128;
    }
    throw torn();
  };
  // fields calls f(number, wire, value) for each field of a message; value is a number, or a part
  // of the bytes.
  const fields = (b, f) => {
    const c = { b, at: 0 };
    while (c.at < b.length) {
      const key = varint(c), wire = key % 8, num = Math.floor(key / 8);
      if (num < 1) throw torn();
      if (wire === 0) f(num, wire, varint(c), c.low);
      else {
        const n = wire === 2 ? varint(c) : wire === 5 ? 4 : wire === 1 ? 8 : -1;
        if (n < 0 || n > b.length - c.at) throw torn();
        f(num, wire, b.subarray(c.at, c.at += n));
      }
    }
  };

  const half = (h) => {
    const s = h & 0x8000 ? -1 : 1, e = (h >> 10) & 31, m = h & 1023;
    if (e === 31) return m ? NaN : s * Infinity;
    return s * (e ? 2 ** (e - 15) * (1 + m / 1024) : 2 ** -14 * (m / 1024));
  };
  const brain = (h) => {
    const f = new DataView(new ArrayBuffer(4));
    f.setUint16(0, h);
    return f.getFloat32(0);
  };
  // short is an element of half_val: 16 bits in an int32, or the 32 of a float32, which PyTorch's
  // add_tensor puts there; see half in shared/event/tensor.go.
  const short = (low, of) => {
    const upper = low >>> 16;
    if (!upper || upper === 65535) return of(low & 65535);
    const f = new DataView(new ArrayBuffer(4));
    f.setInt32(0, low);
    return f.getFloat32(0);
  };
  // TYPES are those of TensorProto that are real numbers: bytes of an element, how it is read,
  // the field of its elements, and how one of those is read.
  const TYPES = {
    1: [4, (v, i) => v.getFloat32(i, true), 5],
    2: [8, (v, i) => v.getFloat64(i, true), 6],
    3: [4, (v, i) => v.getInt32(i, true), 7, (v, low) => low],
    4: [1, (v, i) => v.getUint8(i), 7, (v, low) => low & 255],
    5: [2, (v, i) => v.getInt16(i, true), 7, (v, low) => low << 16 >> 16],
    6: [1, (v, i) => v.getInt8(i), 7, (v, low) => low << 24 >> 24],
    9: [8, (v, i) => Number(v.getBigInt64(i, true)), 10, (v) => v],
    10: [1, (v, i) => (v.getUint8(i) ? 1 : 0), 11, (v) => (v ? 1 : 0)],
    14: [2, (v, i) => brain(v.getUint16(i, true)), 13, (v, low) => short(low, brain)],
    17: [2, (v, i) => v.getUint16(i, true), 7, (v, low) => low & 65535],
    19: [2, (v, i) => half(v.getUint16(i, true)), 13, (v, low) => short(low, half)],
    22: [4, (v, i) => v.getUint32(i, true), 16, (v, low) => low >>> 0],
    23: [8, (v, i) => Number(v.getBigUint64(i, true)), 17, (v) => (v < 0 ? v + 2 ** 64 : v)],
  };
  const MOST = 1 << 16; // elements that one stands for

  // tensor reads a part: {samples, n, values}, three values a row, in a Float32Array, or in a
  // Float64Array where the type holds what float32s do not.
  M.tensor = (bytes) => {
    const shape = [];
    let type = 0, content = null, known = true;
    fields(bytes, (num, wire, v) => {
      if (num === 1 && wire === 0) type = v;
      else if (num === 4 && wire === 2) content = v;
      else if (num === 2 && wire === 2) {
        fields(v, (num, wire, d) => {
          if (num === 3 && wire === 0) known &&= !d;
          if (num !== 2 || wire !== 2) return;
          let size = 0;
          fields(d, (num, wire, x) => { if (num === 1 && wire === 0) size = x; });
          shape.push(size);
        });
      }
    });
    if (type > 100) type -= 100;
    if (shape.length > 8) shape.length = 8; // no part has so many, and it says so below
    const total = shape.reduce((a, b) => a * b, 1), kind = TYPES[type];
    const bad = () => new Error("this value holds no numbers, or not as many as its shape says");
    if (!kind || !known || shape.some((n) => n < 0 || n > Number.MAX_SAFE_INTEGER)) throw bad();
    const [size, get, field, of] = kind, Array_ = [2, 3, 9, 22, 23].includes(type) ? Float64Array : Float32Array;
    let values;
    if (content?.length) {
      if (content.length !== total * size) throw bad();
      if (type === 1) values = new Float32Array(content.slice().buffer);
      else {
        const view = new DataView(content.buffer, content.byteOffset, content.length);
        values = new Array_(total);
        for (let i = 0; i < total; i++) values[i] = get(view, i * size);
      }
    } else {
      // As many elements as there are bytes, at most.
      if (total > bytes.length && total > MOST) throw bad();
      values = new Array_(total);
      let n = 0;
      const add = (v) => { if (n < total) values[n] = v; n++; };
      const fixed = field === 5 || field === 6;
      fields(bytes, (num, wire, v, low) => {
        if (num !== field) return;
        if (fixed && (wire === 2 || wire === (size === 4 ? 5 : 1))) {
          if (v.length % size) throw torn();
          const view = new DataView(v.buffer, v.byteOffset, v.length);
          for (let i = 0; i < v.length; i += size) add(get(view, i));
        } else if (!fixed && wire === 0) add(of(v, low));
        else if (!fixed && wire === 2) {
          for (const c = { b: v, at: 0 }; c.at < v.length;) add(of(varint(c), c.low));
        }
      });
      if (n === 1 && total > 1 && total <= MOST) values.fill(values[0]);
      else if (n !== total) throw bad();
    }
    if (shape.length === 2) shape.unshift(1);
    if (shape.length !== 3 || shape[2] !== 3) {
      throw new Error(`this value is no part of a mesh: its shape is ${JSON.stringify(shape)} and not [sample, n, 3]`);
    }
    return total ? { samples: shape[0], n: shape[1], values } : { samples: 0, n: 0, values };
  };

  // metadata reads a tag's MeshPluginData, in base64: {config, components}; config is the JSON text.
  M.metadata = (text) => {
    const out = { config: "", components: 14 };
    if (!text) return out;
    try {
      fields(tbKit.bytes(text), (num, wire, v) => {
        if (num === 5 && wire === 2) out.config = new TextDecoder().decode(v);
        else if (num === 7 && wire === 0 && v) out.components = v;
      });
    } catch {} // what stands before the tear counts
    return out;
  };

  // config is what of a scene's configuration is heeded, checked: {fov, eye, near, far, zoom, lights, size,
  // color, opacity, flat, wireframe, unlit}, and a problem in words. Its classes and names are those of THREE.
  M.config = (text) => {
    const out = {};
    if (!text || text === "null") return out;
    let c;
    try {
      c = JSON.parse(text);
    } catch { return { problem: "The scene's configuration is not JSON. The page uses its usual camera and lights." }; }
    if (typeof c !== "object" || c === null) return out;
    const number = (v, lo, hi) => (typeof v === "number" && v >= lo && v <= hi ? v : undefined);
    const vector = (v) => {
      const a = Array.isArray(v) ? v : v && typeof v === "object" ? [v.x, v.y, v.z] : [];
      return a.length === 3 && a.every((x) => typeof x === "number" && Math.abs(x) < 1e30) && Math.hypot(...a) ? a
        : undefined;
    };
    const color = (v) => {
      if (typeof v === "number") return [v >> 16 & 255, v >> 8 & 255, v & 255];
      const m = typeof v === "string" && /^(?:#|0x)([0-9a-f]{6})$/i.exec(v);
      return m ? [0, 2, 4].map((i) => parseInt(m[1].slice(i, i + 2), 16)) : undefined;
    };
    out.fov = number(c.camera?.fov, 5, 150);
    out.eye = vector(c.camera?.position);
    out.near = number(c.camera?.near, 0, 1e30);
    out.far = number(c.camera?.far, 1e-30, 1e30);
    out.zoom = number(c.camera?.zoom, 1e-3, 1e3);
    if (c.camera?.cls === "OrthographicCamera") out.fov = 1; // hardly any perspective is left
    const m = c.material ?? {};
    out.size = number(m.size, 0, 1e9) || undefined;
    out.color = color(m.color);
    if (m.transparent !== false) out.opacity = number(m.opacity, 0, 1);
    out.wireframe = m.wireframe === true;
    out.flat = m.flatShading === true;
    out.unlit = m.cls === "MeshBasicMaterial";
    if (Array.isArray(c.lights) && c.lights.length) {
      const ambient = [0, 0, 0];
      let sun = null;
      for (const l of c.lights.slice(0, 32)) {
        if (!l || typeof l !== "object") continue;
        const k = number(l.intensity, 0, 100) ?? 1, tint = (color(l.color) ?? [255, 255, 255]).map((v) => v / 255 * k);
        const from = vector(l.position);
        if (/^(Directional|Point|Spot)Light$/.test(l.cls)) {
          if (!sun || k > sun.k) sun = { k, tint, from: from ?? [0, 1, 0] };
        } else if (/^(Ambient|Hemisphere)Light$/.test(l.cls)) tint.forEach((v, i) => { ambient[i] += v; });
      }
      const n = sun ? Math.hypot(...sun.from) : 1;
      if (sun || ambient.some(Boolean)) {
        out.lights = { ambient, sun: sun?.tint ?? [0, 0, 0], from: sun ? sun.from.map((v) => v / n) : [0, 1, 0] };
      }
    }
    return out;
  };
}
