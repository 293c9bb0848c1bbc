// The scene: canvases, the hand, and when a picture is drawn. Its contract heads 1-camera.js.
"use strict";
{
  const S = globalThis.tbScene;
  const css = new CSSStyleSheet();
  css.replaceSync(`
.scene {
  position: absolute; inset: 0; overflow: hidden; touch-action: none; cursor: grab; outline-offset: -2px;
  user-select: none;
}
.scene.calm { touch-action: pan-y; }
.scene.drag { cursor: grabbing; }
.scene.area { cursor: crosshair; }
.scene canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; pointer-events: none; }
`);
  document.adoptedStyleSheets.push(css);

  // groundOf is the colour below an element.
  S.groundOf = (el) => {
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    for (let e = el; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = c;
      probe.fillRect(0, 0, 1, 1);
      const d = probe.getImageData(0, 0, 1, 1).data;
      if (d[3] === 255) return [d[0], d[1], d[2]];
    }
    return [255, 255, 255];
  };

  S.make = (el, options = {}) => {
    const stage = document.createElement("div");
    stage.className = options.calm ? "scene calm" : "scene";
    stage.tabIndex = 0;
    stage.setAttribute("role", "application");
    stage.setAttribute("aria-label", options.label ?? "Scene");
    const above = document.createElement("canvas"), over = above.getContext("2d");
    el.append(stage);
    const cam = S.camera(options), layers = new Map(), heard = {};
    let canvas, drawer, webgl = false, lost = false, width = 1, height = 1, ratio = 1, due = 0, ended = false,
      mode = "turn", ground = [255, 255, 255], area = null;
    let hand = false; // it is drawn without WebGL though there may be one
    let stand = null; // the plain canvas that stands in for a lost context
    const tell = (name, ...what) => { for (const f of [...(heard[name] ?? [])]) f(...what); };

    const scene = { stage, frames: 0 };
    const first = () => { for (const l of layers.values()) if (l.kind === "points") return l; return null; };
    let bounded = true; // the camera knows how large the layers are: measured once for all that were set
    const view = () => {
      if (!bounded) {
        const { center, radius } = cam.bound(layers.values());
        Object.assign(cam, { center, radius });
        bounded = true;
      }
      return cam.matrix(width, height);
    };
    const plainCanvas = () => {
      const c = document.createElement("canvas");
      stage.insertBefore(c, above.parentNode ? above : null);
      return { canvas: c, drawer: S.plain(c) };
    };
    // Where WebGL is software, points are drawn faster by hand; images are not.
    const byHand = () => options.plain ||
      (options.points && S.software() && ![...layers.values()].some((l) => l.sprite));
    const begin = () => {
      canvas = document.createElement("canvas");
      stage.prepend(canvas);
      stage.append(above);
      hand = byHand();
      drawer = hand ? null : (options.shared ? S.shared : S.gl)(canvas, () => {
        lost = true;
        stand = plainCanvas();
        size();
        tell("state", { webgl, lost });
      }, () => {
        lost = false;
        stand?.canvas.remove();
        stand = null;
        scene.draw();
        tell("state", { webgl, lost });
      });
      webgl = Boolean(drawer);
      if (!drawer) {
        canvas.remove();
        ({ canvas, drawer } = plainCanvas());
      }
      scene.limit = drawer.limit ?? 0;
    };
    const size = () => {
      width = Math.max(1, stage.clientWidth);
      height = Math.max(1, stage.clientHeight);
      ratio = webgl && !lost ? Math.min(2, devicePixelRatio || 1) : 1;
      for (const c of [canvas, above, stand?.canvas]) {
        if (!c) continue;
        const r = c === above ? Math.min(2, devicePixelRatio || 1) : ratio;
        c.width = Math.round(width * r);
        c.height = Math.round(height * r);
      }
      paint();
    };
    const paint = () => {
      cancelAnimationFrame(due);
      due = 0;
      if (ended) return;
      scene.frames++;
      (stand?.drawer ?? drawer).draw(layers, view(), cam.axes(), ground, ratio, cam.state.dims === 2);
      decorate();
    };
    const decorate = () => {
      const r = above.width / width;
      over.setTransform(r, 0, 0, r, 0, 0);
      over.clearRect(0, 0, width, height);
      tell("draw", over, scene);
      if (area?.length > 2) {
        over.beginPath();
        for (let i = 0; i < area.length; i += 2) over.lineTo(area[i], area[i + 1]);
        over.closePath();
        over.fillStyle = "#7f8cff33";
        over.strokeStyle = "#7f8cff";
        over.setLineDash([4, 3]);
        over.fill();
        over.stroke();
        over.setLineDash([]);
      }
    };
    scene.draw = () => { if (!due && !ended) due = requestAnimationFrame(paint); };
    Object.defineProperty(scene, "size", { get: () => [width, height] });
    Object.defineProperty(scene, "webgl", { get: () => webgl && !lost });
    Object.defineProperty(scene, "ground", { get: () => ground, set: (v) => { ground = v; scene.draw(); } });
    Object.defineProperty(scene, "mode",
      { get: () => mode, set: (v) => { mode = v; stage.classList.toggle("area", v === "box" || v === "lasso"); } });
    scene.set = (name, layer) => {
      if (layer) layers.set(name, layer); else layers.delete(name);
      bounded = false;
      if (hand && !byHand()) { // images have come
        drawer.end();
        canvas.remove();
        begin();
        size();
      }
      scene.draw();
    };
    scene.sound = S.sound;
    scene.on = (name, f) => {
      (heard[name] ??= new Set()).add(f);
      return () => heard[name].delete(f);
    };
    const moved = (byUser) => { scene.draw(); tell("camera", scene.camera.get(), byUser); };
    scene.camera = {
      get: () => ({ ...cam.state, target: [...cam.state.target] }),
      set: (c) => { cam.set(c); moved(false); },
      fit: (chosen) => {
        const f = chosen && first(), main = f ? [f] : [...layers.values()].filter((l) => l.kind !== "lines");
        cam.fit(cam.bound(main.length ? main : layers.values(), f ? chosen : null, true), width / height);
        moved(false);
      },
    };
    scene.turn = (dx, dy) => { if (cam.state.dims === 2) cam.pan(dx, dy, height); else cam.turn(dx, dy); moved(true); };
    scene.pan = (dx, dy) => { cam.pan(dx, dy, height); moved(true); };
    scene.zoom = (factor, x = width / 2, y = height / 2) => {
      cam.zoom(factor, x - width / 2, y - height / 2, height);
      moved(true);
    };

    scene.place = (out) => {
      const l = first(), n = l ? l.positions.length / 3 : 0, { m } = view(), p = l?.positions, c = l?.colors;
      if (!out || out.length !== n * 3) out = new Float32Array(n * 3);
      for (let i = 0, k = 0; i < n; i++, k += 3) {
        const x = p[k], y = p[k + 1], z = p[k + 2], w = m[3] * x + m[7] * y + m[11] * z + m[15];
        if (!(w > 0) || (c && !c[i * 4 + 3])) { out[k] = out[k + 1] = out[k + 2] = NaN; continue; }
        out[k] = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) / 2 * width;
        out[k + 1] = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) / 2 * height;
        out[k + 2] = w;
      }
      return out;
    };
    let spare = null;
    scene.find = (x, y, reach = 8) => {
      const at = spare = scene.place(spare);
      let best = -1, score = Infinity;
      for (let k = 0; k < at.length; k += 3) {
        const dx = at[k] - x, dy = at[k + 1] - y, d = dx * dx + dy * dy;
        // What is nearer to the eye covers what is behind it; a nearer miss counts as well.
        if (d <= reach * reach) {
          const s = at[k + 2] * (1 + d / (reach * reach));
          if (s <= score) { score = s; best = k / 3; }
        }
      }
      return best;
    };
    scene.inside = (polygon) => {
      const at = spare = scene.place(spare), hits = [];
      for (let k = 0; k < at.length; k += 3) {
        const x = at[k], y = at[k + 1];
        let inside = false;
        for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
          const yi = polygon[i + 1], yj = polygon[j + 1];
          if (yi > y !== yj > y && x < (polygon[j] - polygon[i]) * (y - yi) / (yj - yi) + polygon[i]) inside = !inside;
        }
        if (inside) hits.push(k / 3);
      }
      return Uint32Array.from(hits);
    };
    scene.picture = (scale = 1) => {
      const c = document.createElement("canvas");
      c.width = Math.round(width * scale);
      c.height = Math.round(height * scale);
      const g = c.getContext("2d"), old = ratio;
      // The drawing buffer is there until the browser has shown it: drawn anew, at once.
      if (webgl && !lost) {
        ratio = Math.min(scale, 8000 / Math.max(width, height));
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      (stand?.drawer ?? drawer).draw(layers, view(), cam.axes(), ground, ratio, cam.state.dims === 2);
      g.drawImage(stand?.canvas ?? canvas, 0, 0, c.width, c.height);
      g.setTransform(c.width / width, 0, 0, c.height / height, 0, 0);
      tell("draw", g, scene);
      ratio = old;
      size();
      return c;
    };

    // The hand: one pointer turns, pans or encloses, two pan and zoom.
    const fingers = new Map();
    let last = null, travelled = 0, doing = "", hover = 0;
    const at = (e) => {
      const b = stage.getBoundingClientRect();
      return [e.clientX - b.left, e.clientY - b.top];
    };
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, d: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1 };
    };
    stage.addEventListener("pointerdown", (e) => {
      if (e.target !== stage || e.button > 2) return;
      const p = at(e);
      stage.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, p);
      if (fingers.size === 2) { area = null; last = spread(); doing = "two"; return; }
      travelled = 0;
      last = p;
      doing = e.button === 2 || e.button === 1 || e.ctrlKey || e.metaKey ? "pan" : e.shiftKey && mode !== "lasso"
        ? "box" : mode;
      if (doing === "box" || doing === "lasso") area = [...p];
      stage.classList.add("drag");
    });
    stage.addEventListener("pointermove", (e) => {
      const p = at(e);
      if (!fingers.has(e.pointerId)) {
        if (e.pointerType === "touch") return;
        cancelAnimationFrame(hover);
        hover = requestAnimationFrame(() => { if (!ended) tell("hover", scene.find(...p), ...p); });
        return;
      }
      fingers.set(e.pointerId, p);
      if (doing === "two") {
        if (fingers.size < 2) return;
        const now = spread();
        scene.pan(now.x - last.x, now.y - last.y);
        scene.zoom(now.d / last.d, now.x, now.y);
        last = now;
        return;
      }
      const dx = p[0] - last[0], dy = p[1] - last[1];
      travelled += Math.abs(dx) + Math.abs(dy);
      last = p;
      if (travelled < 4) return;
      if (doing === "box") {
        const [x, y] = area;
        area = [x, y, p[0], y, p[0], p[1], x, p[1]];
        decorate();
      } else if (doing === "lasso") {
        area.push(...p);
        decorate();
      } else if (doing === "pan") scene.pan(dx, dy);
      else scene.turn(dx, dy);
    });
    const up = (e) => {
      if (!fingers.delete(e.pointerId)) return;
      if (fingers.size) return;
      stage.classList.remove("drag");
      const was = doing, drawn = area;
      doing = "";
      area = null;
      if (e.type === "pointercancel") return scene.draw();
      if (was === "two") return;
      if (travelled < 4) {
        if (e.button === 0) tell("click", scene.find(...at(e), e.pointerType === "touch" ? 18 : 8), e);
      } else if (drawn) {
        tell("area", scene.inside(drawn), e);
      }
      decorate();
    };
    stage.addEventListener("pointerup", up);
    stage.addEventListener("pointercancel", up);
    stage.addEventListener("pointerleave", () => { cancelAnimationFrame(hover); tell("hover", -1, 0, 0); });
    stage.addEventListener("contextmenu", (e) => e.preventDefault());
    stage.addEventListener("wheel", (e) => {
      if (options.calm && !e.ctrlKey && !stage.matches(":focus")) return;
      e.preventDefault();
      scene.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 20 : 1) * 0.0015), ...at(e));
    }, { passive: false });

    const watch = tbSizes(() => { size(); tell("size"); });
    begin();
    watch.observe(stage);
    scene.end = () => {
      ended = true;
      watch.disconnect();
      cancelAnimationFrame(due);
      cancelAnimationFrame(hover);
      drawer.end();
      stage.remove();
    };
    return scene;
  };
}
