// One scene of points, lines and triangles, in WebGL 2, for the projector and for meshes.
//
// Our own small code and no library: what both dashboards need of one is a camera, three kinds of
// buffers and three programs of some lines each. three.js with its orbit controls is 115 KB packed,
// this is 8 KB; and a library's ray casting against 100,000 points is slower than the plain loop
// that finds a point here (2 ms).
//
// # Contract
//
//	await tbBoot.load("scene");
//	const scene = tbScene.make(el, {label, fov: 50, up: "y", plain: false, points: false,
//	  shared: false, calm: false});
//
// el is an empty element with a size; scene.stage is the focusable element made in it (give it
// keys and a name). plain: draw on a plain canvas though there is WebGL. points: there are mainly
// points, which are drawn on a plain canvas where WebGL is software. shared: one context draws
// this scene and all others that share it, for pages with many of them. calm: the scene stands
// in a page that scrolls: the wheel turns pages until the scene has the focus or Ctrl is held,
// and one finger up or down does. Coordinates are the caller's own; nothing is scaled.
//
//	scene.set(name, layer)   // adds or replaces a layer; null takes it away. Drawn in the order added.
//
//	layer: {
//	  kind: "points" | "lines" | "triangles",
//	  positions: Float32Array,   // 3 for each vertex, in 2-D too (z is 0)
//	  colors: Uint8Array,        // 4 for each: red, green, blue, and how much of it there is:
//	                             //   255 is all, less mixes with the ground, 0 is not drawn nor found.
//	                             //   Missing: color for all
//	  color: [r, g, b],          // 0 to 255
//	  front: true,               // drawn over what is there already
//	  // points:
//	  size: 6,                   // diameter in CSS pixels, at the camera's target
//	  sizes: Float32Array,       // factors of it, one for each
//	  fixed: true,               // the same size at every distance
//	  sprite: {image, columns, width, height, cells: Float32Array, frame: true}, // one image for
//	                             //   each point: its number in the sheet; colors are those of its frame
//	  fog: true,                 // what is farther away mixes with the ground
//	  // lines and triangles:
//	  indices: Uint32Array,      // 2 or 3 for each; missing: as they come. Indices beyond the
//	                             //   positions must not be in it (scene.sound(faces, n) leaves them out)
//	  // triangles:
//	  wireframe: true,           // edges instead of faces
//	  light: 0.5,                // share of ambient light, the rest comes from the camera; 1: no shading
//	  lights: {ambient: [r, g, b], sun: [r, g, b], from: [x, y, z]}, // instead: factors, and the
//	                             //   unit vector to the light that has a side; missing: the camera
//	  normals: Float32Array,     // 3 for each vertex: shaded smoothly (WebGL only); missing: flat
//	  changed: ["colors"],       // arrays that are the same object as before with other content
//	}
//
//	scene.camera.get()           // {dims: 2|3, target: [x,y,z], azimuth, polar, size, fov, near, far}, angles in
//	                             //   radians, size: height in world units of what is seen at the target;
//	                             //   nothing nearer than near and farther than far is drawn (0: whatever is there)
//	scene.camera.set(camera)     // any of its fields; no "camera" event says byUser
//	scene.camera.fit(indices?)   // all that is there
//	scene.turn(dx, dy), pan(dx, dy), zoom(factor, x?, y?)   // pixels, as the hand does
//
//	scene.on(name, f)            // returns what ends it
//	  "camera" (camera, byUser)  // linked: a.on("camera", (c, by) => by && b.camera.set(c))
//	  "hover" (i, x, y)          // vertex of the first points layer, -1: none
//	  "click" (i, event), "area" (indices Uint32Array, event)
//	  "draw" (context, scene)    // on the canvas above, after each picture: labels
//	  "state" ({webgl, lost})
//
//	scene.mode = "turn" | "pan" | "box" | "lasso"   // what a drag does; Shift: box, Ctrl or right: pan
//	scene.find(x, y, reach)      // nearest vertex to the eye, -1
//	scene.inside(polygon)        // Uint32Array; polygon [x, y, x, y, …] in CSS pixels
//	scene.place(out?)            // Float32Array 3 for each vertex of the first points layer: x, y, depth (CSS pixels;
//	                             //   depth grows with distance; NaN: not seen)
//	scene.picture(scale)         // a canvas with the ground, for PNG
//	scene.ground = [r, g, b]     // kept up to date with the page by the caller: tbScene.groundOf(el)
//	scene.draw()                 // asks for a frame; nothing is drawn unless something changed
//	scene.frames                 // how many were drawn
//	scene.end()
//
// Arrays are kept, not copied: a lost context is filled from them again when the browser gives it
// back, and meanwhile the plain canvas stands in.
"use strict";
{
  const S = (globalThis.tbScene ??= {});

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  // camera is the eye's place and what follows from it.
  S.camera = ({ fov = 50, up = "y" }) => {
    const c = { dims: 3, target: [0, 0, 0], azimuth: 0.6, polar: 1.1, size: 2, fov, near: 0, far: 0 };
    // A cyclic change of axes keeps the hand.
    const world = up === "z" ? ([x, y, z]) => [z, x, y] : (v) => v;
    const self = { state: c, radius: 1 };
    self.axes = () => {
      if (c.dims === 2) return { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] };
      const sa = Math.sin(c.azimuth), ca = Math.cos(c.azimuth), sp = Math.sin(c.polar), cp = Math.cos(c.polar);
      return { right: world([ca, 0, -sa]), up: world([-cp * sa, sp, -cp * ca]), back: world([sp * sa, cp, sp * ca]) };
    };
    // matrix takes world to clip coordinates, columns first; w is 1 in 2-D, the distance in 3-D.
    self.matrix = (width, height) => {
      const { right, up: above, back } = self.axes(), aspect = width / height, t = c.target;
      const flat = c.dims === 2, f = flat ? 2 / c.size : 1 / Math.tan(c.fov * Math.PI / 360);
      const D = flat ? 0 : f * c.size / 2, R = self.radius + Math.hypot(...t.map((v, i) => v - self.center[i]));
      let near = Math.max(D / 200, D - 2 * R), far = D + 2 * R + 1e-6;
      if (!flat && c.near > near && c.near < far) near = c.near;
      if (!flat && c.far > near && c.far < far) far = c.far;
      const m = new Float32Array(16);
      const row = (r, v, k, add) => {
        for (let i = 0; i < 3; i++) m[i * 4 + r] = v[i] * k;
        m[12 + r] = -dot(v, t) * k + add;
      };
      row(0, right, f / aspect, 0);
      row(1, above, f, 0);
      if (flat) {
        row(2, back, -1 / (2 * R + 1e-6), 0);
        m[15] = 1;
      } else {
        const a = (far + near) / (far - near), b = -2 * far * near / (far - near);
        row(3, back, -1, D);
        row(2, back, -a, a * D + b);
      }
      return { m, D: flat ? 1 : D, near: flat ? 0 : Math.max(near, D - R), far: flat ? 1 : D + R };
    };
    self.center = [0, 0, 0];
    // set takes over what makes sense of another camera's fields.
    self.set = (o) => {
      if (o.dims === 2 || o.dims === 3) c.dims = o.dims;
      if (Array.isArray(o.target) && o.target.length === 3 && o.target.every(Number.isFinite)) c.target = [...o.target];
      for (const k of ["azimuth", "polar"]) if (Number.isFinite(o[k])) c[k] = o[k];
      for (const k of ["near", "far"]) if (o[k] >= 0) c[k] = o[k];
      for (const k of ["size", "fov"]) if (Number.isFinite(o[k]) && o[k] > 0) c[k] = o[k];
      c.fov = Math.min(150, c.fov);
      c.polar = Math.min(Math.PI - 0.01, Math.max(0.01, c.polar));
    };
    self.turn = (dx, dy) => self.set({ azimuth: c.azimuth - dx * 0.008, polar: c.polar - dy * 0.008 });
    self.pan = (dx, dy, height) => {
      const { right, up: above } = self.axes(), k = c.size / height;
      c.target = c.target.map((v, i) => v - right[i] * dx * k + above[i] * dy * k);
    };
    // zoom keeps what is under x, y (from the middle) there.
    self.zoom = (factor, x, y, height) => {
      const size = Math.min(1e12, Math.max(1e-12, c.size / factor));
      const k = (c.size - size) / height, { right, up: above } = self.axes();
      c.target = c.target.map((v, i) => v + right[i] * x * k - above[i] * y * k);
      c.size = size;
    };
    // bound says how large is what is there; exact: the radius is that of the points, not of their
    // box. fit looks at all of it.
    self.bound = (layers, chosen, exact) => {
      layers = [...layers];
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      // each calls use with where a vertex that is drawn stands in its positions.
      const each = (use) => {
        for (const { positions: p, colors } of layers) {
          const one = (i) => { if (!colors || colors[i * 4 + 3]) use(p, i * 3); };
          if (chosen) chosen.forEach(one); else for (let i = 0, n = p.length / 3; i < n; i++) one(i);
        }
      };
      each((p, k) => {
        for (let d = 0; d < 3; d++) {
          const v = p[k + d];
          if (v < low[d]) low[d] = v;
          if (v > high[d]) high[d] = v;
        }
      });
      if (!(low[0] <= high[0])) return { center: [0, 0, 0], radius: 1, low: [-1, -1, -1], high: [1, 1, 1] };
      const center = low.map((v, d) => (v + high[d]) / 2);
      let radius = Math.hypot(...low.map((v, d) => (high[d] - v) / 2));
      if (exact) {
        radius = 0;
        each(
          (p, k) => {
            radius = Math.max(radius, Math.hypot(p[k] - center[0], p[k + 1] - center[1], p[k + 2] - center[2]) || 0);
          });
      }
      return { center, radius: radius || 1, low, high };
    };
    self.fit = ({ center, radius, low, high }, aspect) => {
      c.target = [...center];
      if (c.dims === 2) c.size = 1.12 * Math.max(high[1] - low[1], (high[0] - low[0]) / aspect, radius / 50);
      else c.size = 1.95 * radius / Math.min(1, aspect);
    };
    return self;
  };
}
