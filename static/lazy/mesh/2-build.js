// One mesh of its parts: what can be drawn of it, and in words what cannot. And the same as PLY.
"use strict";
{
  const M = globalThis.tbMesh;
  const many = (n, one, more = one + "s") => `${n.toLocaleString("en-US")} ${n === 1 ? one : more}`;

  // build joins sample i of the parts, any but the vertices of which may be null: {positions,
  // logged, colors, indices, n, faces, problems}. positions are those that can be drawn, NaN
  // otherwise; logged are all as they were logged.
  M.build = (vertices, faces, colors, i) => {
    const problems = [], n = vertices.n, from = i * n * 3;
    const logged = Float32Array.from(vertices.values.subarray(from, from + n * 3));
    let positions = logged, bad = 0;
    for (let k = 0; k < logged.length; k += 3) {
      if (Number.isFinite(logged[k]) && Number.isFinite(logged[k + 1]) && Number.isFinite(logged[k + 2])) continue;
      if (!bad++) positions = logged.slice();
      positions.fill(NaN, k, k + 3);
    }
    if (bad) {
      problems.push(
        `${many(bad, "vertex", "vertices")} of ${n.toLocaleString("en-US")} ${bad === 1 ? "is" : "are"} not finite, ` +
        `and left out.`);
    }
    const of = (part, name) => {
      if (!part || i < part.samples) {
        return part && { rows: part.n, values: part.values.subarray(i * part.n * 3, (i + 1) * part.n * 3) };
      }
      problems.push(`There are no ${name} of this sample: the batch has ${many(part.samples, "sample")} of them.`);
      return null;
    };
    let tints = null, logs = null;
    const c = of(colors, "colours");
    if (c && c.rows !== n)
      problems.push(`${many(c.rows, "colour")} for ${many(n, "vertex", "vertices")}: they are not used.`);
    else if (c) {
      tints = new Uint8Array(n * 4);
      logs = new Uint8Array(n * 3);
      for (let k = 0; k < n; k++) {
        for (let d = 0; d < 3; d++) {
          logs[k * 3 + d] = tints[k * 4 + d] = Math.max(0, Math.min(255, c.values[k * 3 + d])) || 0;
        }
        tints[k * 4 + 3] = 255;
      }
    }
    let indices = null;
    const f = of(faces, "faces");
    if (f) {
      const sound = tbScene.sound(f.values.map(Math.trunc), n);
      indices = sound.indices;
      if (sound.left) {
        problems.push(
          `${many(sound.left, "face")} of ${f.rows.toLocaleString("en-US")} ${sound.left === 1 ? "names" : "name"} ` +
            `vertices that are not there, and ${sound.left === 1 ? "is" : "are"} left out.`);
      }
      if (bad) {
        const whole = indices.filter(
          (_, k) => {
            const at = k - k % 3;
            return [0, 1, 2].every((d) => positions[indices[at + d] * 3] === positions[indices[at + d] * 3]);
          });
        if (whole.length < indices.length) {
          problems.push(
            `${many((indices.length - whole.length) / 3, "face")} at such ` +
            `vertices ${indices.length - whole.length === 3 ? "is" : "are"} left out.`);
        }
        indices = whole;
      }
      if (!indices.length) indices = null; // a cloud
    }
    return { positions, logged, colors: tints, logs, indices, n, faces: indices ? indices.length / 3 : 0, problems };
  };

  // normals of vertices: the mean of their faces', by area, and how much faces differ from them:
  // smooth is true where they hardly do.
  M.normals = ({ positions: p, indices: ix }) => {
    const normals = new Float32Array(p.length), face = new Float32Array(3);
    const of = (k) => {
      const [a, b, c] = [ix[k] * 3, ix[k + 1] * 3, ix[k + 2] * 3];
      const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2], vx = p[c] - p[a],
        vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
      face[0] = uy * vz - uz * vy;
      face[1] = uz * vx - ux * vz;
      face[2] = ux * vy - uy * vx;
    };
    for (let k = 0; k < ix.length; k += 3) {
      of(k);
      for (let d = 0; d < 3; d++) for (let e = 0; e < 3; e++) normals[ix[k + d] * 3 + e] += face[e];
    }
    let alike = 0, counted = 0;
    for (let k = 0; k < ix.length; k += 3) {
      of(k);
      const l = Math.hypot(...face);
      if (!l) continue;
      for (let d = 0; d < 3; d++) {
        const at = ix[k + d] * 3, m = Math.hypot(normals[at], normals[at + 1], normals[at + 2]);
        counted++;
        if (m) {
          alike += Math.abs(face[0] * normals[at] + face[1] * normals[at + 1] + face[2] * normals[at + 2]) / (l * m);
        }
      }
    }
    return { normals, smooth: counted > 0 && alike / counted > 0.9 };
  };

  // ply is the mesh as a file of the Polygon File Format, binary: all vertices as they were logged,
  // so that faces name the same ones, and the faces that are drawn.
  M.ply = ({ logged, logs, indices, n, faces }) => {
    const head = `ply\nformat binary_little_endian 1.0\nelement vertex ${n}\nproperty float x\nproperty float ` +
      `y\nproperty float ` +
      `z\n${logs ? "property uchar red\nproperty uchar green\nproperty uchar blue\n" : ""}` +
        `${faces ? `element face ${faces}\nproperty list uchar int vertex_indices\n` : ""}end_header\n`;
    const each = logs ? 15 : 12, body = new DataView(new ArrayBuffer(n * each + faces * 13));
    let at = 0;
    for (let i = 0; i < n; i++) {
      for (let d = 0; d < 3; d++, at += 4) body.setFloat32(at, logged[i * 3 + d], true);
      if (logs) for (let d = 0; d < 3; d++) body.setUint8(at++, logs[i * 3 + d]);
    }
    for (let i = 0; i < faces; i++) {
      body.setUint8(at++, 3);
      for (let d = 0; d < 3; d++, at += 4) body.setInt32(at, indices[i * 3 + d], true);
    }
    return new Blob([head, body], { type: "application/octet-stream" });
  };

  M.words = ({ n, faces }) => many(n, "vertex", "vertices") + (faces ? `, ${many(faces, "face")}` : "");
}
