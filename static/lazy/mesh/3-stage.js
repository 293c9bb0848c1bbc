// A card: the samples of one value of a mesh, each a scene, all drawn by one shared context
// (browsers allow a page some 16). What is out of sight is not drawn.
//
// # The point of view
//
// A view is {azimuth, polar, zoom, shift}: zoom and shift are relative to what fits. What fits is
// one for all cards of a tag, around all that was seen of it: so runs and steps are compared
// in one scale, and a mesh that grows while it trains is seen to grow. Linked cards share one
// view; others have their own, which stay while a card is away from the screen, or gone.
"use strict";
{
  const M = globalThis.tbMesh, H = tbKit;
  const css = new CSSStyleSheet();
  css.replaceSync(`
.meshes { flex: 1; min-height: 0; display: flex; flex-direction: column; padding: 2px 12px 4px; }
.mesh-cells {
  flex: 1; min-height: 0; display: grid; grid-template-columns: repeat(var(--columns, 1), minmax(0, 1fr));
  grid-auto-rows: minmax(0, 1fr); gap: 6px;
}
.mesh-cell { position: relative; min-width: 0; min-height: 0; border-radius: 4px; overflow: hidden; }
.mesh-tools { position: absolute; top: 2px; right: 2px; display: flex; }
.mesh-tools .icon-button { width: 26px; height: 26px; }
.mesh-tools .icon {
  width: 15px; height: 15px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round;
}
.mesh-step { position: absolute; left: 6px; bottom: 2px; font-size: 12px; color: var(--muted); pointer-events: none; }
.mesh-foot { display: flex; gap: 10px; align-items: center; font-size: 12px; min-height: 18px; }
.mesh-foot p { margin: 0; overflow-wrap: anywhere; }
.mesh-foot .bad { color: var(--bad, #b3261e); }
`);
  document.adoptedStyleSheets.push(css);

  const SHOWN = 9; // samples at a time
  const PIECE = 16 << 20; // bytes of a large value that are read at a time
  const stages = new Set();
  const bounds = new Map(); // by tag: what fits
  let common = null; // the view of linked cards …
  const views = new Map(); // … and those of others, by card and place in it

  const themes = new MutationObserver(() => { for (const s of stages) s.repaint(); });

  // grow makes what fits a tag hold positions, too, and returns whether it became larger.
  const grow = (tag, p) => {
    let b = bounds.get(tag);
    if (!b) bounds.set(tag, b = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
    let grew = false;
    for (let k = 0; k < p.length; k++) {
      const v = p[k], d = k % 3;
      if (v < b.low[d]) { b.low[d] = v; grew = true; }
      if (v > b.high[d]) { b.high[d] = v; grew = true; }
    }
    b.some = b.low.every((v, d) => v <= b.high[d]);
    b.center = b.some ? b.low.map((v, d) => (v + b.high[d]) / 2) : [0, 0, 0];
    b.radius = b.some ? Math.hypot(...b.low.map((v, d) => (b.high[d] - v) / 2)) || 1 : 1;
    return grew;
  };

  class Cell {
    constructor(stage, place) {
      this.stage = stage; this.number = 0; this.mesh = null; this.scene = null; this.seen = false;
      this.dirty = false; this.place = `${stage.key} ${place}`;
      this.el = H.make("div", { className: "mesh-cell" });
      this.more = H.iconButton("more", "More of this mesh", () => this.menu());
      this.tools = H.make("div", { className: "mesh-tools" },
        H.iconButton("fit", "Reset the view (0)", () => this.reset()), this.more);
      this.look = new IntersectionObserver((list) => {
        this.seen = list[list.length - 1].isIntersecting;
        if (this.seen && this.dirty) this.aim();
      });
    }
    begin() {
      this.scene = tbScene.make(this.el, { label: "", shared: true, calm: true, fov: this.stage.config.fov ?? 50 });
      this.scene.ground = tbScene.groundOf(this.el);
      this.el.append(this.tools);
      this.look.observe(this.el);
      this.scene.on("camera", (camera, byUser) => { if (byUser) this.turned(camera); });
      this.scene.on("state",
        ({ lost }) => this.stage.tell(lost
          ? "The graphics context was lost. The mesh looks simpler until the browser restores it." : ""));
      this.scene.stage.addEventListener("keydown", (e) => this.key(e));
      this.sizes = new ResizeObserver(() => this.aim());
      this.sizes.observe(this.scene.stage);
    }
    base() {
      const b = bounds.get(this.stage.tag), [w, h] = this.scene.size;
      return { center: b.center, size: 1.75 * b.radius / Math.min(1, w / h) };
    }
    get own() { return views.get(this.place); }
    set own(v) { if (v) views.set(this.place, v); else views.delete(this.place); }
    get view() { return (this.stage.linked ? common : this.own) ?? this.first(); }
    set view(v) { if (this.stage.linked) common = v; else this.own = v; }
    // first is the view before anybody turned: the configuration's, if it has one.
    first() {
      const { eye, fov = 50, zoom = 1 } = this.stage.config, v = { azimuth: 0.6, polar: 1.1, zoom, shift: [0, 0, 0] };
      if (!eye) return v;
      const { center, size } = this.base(), d = eye.map((x, i) => x - center[i]), l = Math.hypot(...d);
      if (!(l > 0)) return v;
      return { ...v, azimuth: Math.atan2(d[0], d[2]), polar: Math.acos(Math.max(-1, Math.min(1, d[1] / l))),
        zoom: zoom * size / (2 * l * Math.tan(fov * Math.PI / 360)) };
    }
    // aim brings the camera to the view, if anybody sees it.
    aim() {
      this.dirty = !this.seen;
      if (!this.seen || !this.scene || !this.mesh) return;
      const v = this.view, { center, size } = this.base();
      this.sized(size / v.zoom);
      this.scene.camera.set({ dims: 3, azimuth: v.azimuth, polar: v.polar, size: size / v.zoom,
        target: center.map((c, i) => c + v.shift[i] * size), fov: this.stage.config.fov ?? 50,
        near: this.stage.config.near ?? 0, far: this.stage.config.far ?? 0 });
    }
    turned(c) {
      const { center, size } = this.base();
      this.view = { azimuth: c.azimuth, polar: c.polar, zoom: size / c.size,
        shift: c.target.map((t, i) => (t - center[i]) / size) };
      this.sized(c.size);
      if (!this.stage.linked) return;
      for (const s of stages) if (s.linked) for (const o of s.cells) if (o !== this) o.aim();
    }
    reset() {
      this.view = null;
      if (this.stage.linked)
        for (const s of stages) { if (s.linked) for (const o of s.cells) o.aim(); } else this.aim();
    }
    // sized makes points as large as the configuration says, in the mesh's units.
    sized(size) {
      if (this.points && this.stage.config.size) {
        this.points.size = Math.max(1, this.stage.config.size / size * this.scene.size[1]);
      }
    }
    key(e) {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const s = this.scene, by = e.shiftKey ? (x, y) => s.pan(x * 30, y * 30) : (x, y) => s.turn(x * 25, y * 25);
      switch (e.key) {
        case "ArrowLeft": by(-1, 0); break;
        case "ArrowRight": by(1, 0); break;
        case "ArrowUp": by(0, -1); break;
        case "ArrowDown": by(0, 1); break;
        case "+": case "=": s.zoom(1.25); break;
        case "-": s.zoom(0.8); break;
        case "0": this.reset(); break;
        default: return;
      }
      e.preventDefault();
      e.stopPropagation();
    }
    // show shows a mesh that M.build made.
    show(mesh, total, step) {
      this.mesh = mesh;
      this.step = step; // missing: the one that the slider shows
      this.el.querySelector(".mesh-step")?.remove();
      if (step !== undefined) {
        this.el.append(H.make("span", { className: "mesh-step" }, `step ${step.toLocaleString("en-US")}`));
      }
      if (!this.scene) this.begin();
      this.scene.stage.setAttribute("aria-label",
        `${total > 1 ? `Sample ${this.number + 1} of ${total} of ` : ""}${this.stage.tag}: ${M.words(mesh)}. Arrows ` +
        `turn it, with Shift they move it; + and − zoom, 0 resets.`);
      this.el.dataset.vertices = mesh.n;
      this.el.dataset.faces = mesh.faces;
      this.paint();
      this.aim();
    }
    paint() {
      const { mesh, scene, stage } = this, c = stage.config;
      if (!mesh || !scene) return;
      const auto = stage.surface || (c.wireframe ? "wireframe" : c.flat ? "flat" : "");
      scene.ground = tbScene.groundOf(this.el);
      const color = c.color ??
        (scene.ground[0] + scene.ground[1] + scene.ground[2] < 384 ? [158, 170, 240] : [79, 96, 190]);
      const common = { positions: mesh.positions, colors: this.tinted(color), color };
      this.points = null;
      if (mesh.indices) {
        mesh.bent ??= M.normals(mesh);
        const smooth = auto === "smooth" || auto === "" && mesh.bent.smooth;
        this.el.dataset.surface = auto === "wireframe" ? auto : smooth ? "smooth" : "flat";
        scene.set("mesh",
          { kind: "triangles", ...common, indices: mesh.indices, normals: smooth ? mesh.bent.normals : undefined,
            wireframe: auto === "wireframe", light: c.unlit ? 1 : undefined, lights: c.unlit ? undefined : c.lights });
      } else {
        this.el.dataset.surface = "points";
        this.points = { kind: "points", ...common, size: mesh.n > 20000 ? 2.5 : mesh.n > 2000 ? 4 : 6 };
        scene.set("mesh", this.points);
        this.sized(scene.camera.get().size);
      }
    }
    // tinted are the colours of vertices, as much of them as the configuration says there is.
    tinted(color) {
      const { mesh, stage } = this, opacity = stage.config.opacity ?? 1;
      if (opacity === 1) return mesh.colors ?? undefined;
      if (this.faded?.of === mesh && this.faded.opacity === opacity && this.faded.color === String(color)) {
        return this.faded.colors;
      }
      const colors = mesh.colors?.slice() ?? new Uint8Array(mesh.n * 4);
      for (let k = 0; k < colors.length; k += 4) {
        if (!mesh.colors) colors.set(color, k);
        colors[k + 3] = Math.max(1, Math.round(255 * opacity));
      }
      this.faded = { of: mesh, opacity, color: String(color), colors };
      return colors;
    }
    menu() {
      const name = (ext) => M.file({ ...this.stage, step: this.step ?? this.stage.step }, this.number, ext);
      H.menu(this.more, "More of this mesh", [
        ["Save as PLY", () => H.download(name("ply"), "application/octet-stream", M.ply(this.mesh))],
        ["Save picture (PNG)", () => H.downloadPicture(name("png"), this.scene.picture(2))],
        this.stage.steps.length > 1 ? ["Keep this step beside", () => this.stage.keep(true)] : null,
        this.stage.kept ? ["Nothing beside", () => this.stage.keep(false)] : null,
      ]);
    }
    end() {
      this.look.disconnect();
      this.sizes?.disconnect();
      this.scene?.end();
      this.el.remove();
    }
  }

  // file is the name that a mesh is saved under.
  M.file = ({ tag, run, step, value }, i, ext) =>
    `${tag}_${run}_step${step}${value.vertices.samples > 1 ? `_${i}` : ""}`.replace(/[\u0000-\u001f/\\:*?"<>|]/g, "_")
      .slice(0, 120) + "." + ext;

  // Stage is what a card shows; host is its element, key tells it from others.
  M.Stage = class {
    constructor(host, run, tag, key) {
      this.host = host; this.run = run; this.tag = tag; this.key = key; this.cells = []; this.surface = "";
      this.linked = true; this.config = {}; this.steps = []; this.ticket = 0; this.first = 0;
      this.value = null; this.step = 0; this.kept = null;
      this.grid = H.make("div", { className: "mesh-cells" });
      this.words = H.make("p", { className: "quiet", role: "status" });
      this.lost = H.make("p", { className: "quiet" });
      this.page = H.make("span");
      this.foot = H.make("div", { className: "mesh-foot" }, this.words, this.lost, this.page);
    }
    open() {
      if (!stages.size) themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
      stages.add(this);
    }
    // set brings it to the settings.
    set(surface, linked) {
      if (linked && !this.linked) views.clear();
      this.surface = surface;
      this.linked = linked;
      for (const c of this.cells) {
        if (!linked && !c.own) c.own = common;
        c.paint();
        c.aim();
      }
    }
    repaint() { for (const c of this.cells) c.paint(); }
    tell(text) { this.lost.textContent = text; }
    say(text) {
      this.ticket++;
      this.empty();
      this.host.replaceChildren(...(text ? [H.make("p", { className: "quiet" }, text)] : []));
    }
    empty() {
      for (const c of this.cells) c.end();
      this.cells = [];
    }
    // show shows the value that an answer of the kind "values" has of the vertices; the other
    // parts, and what was too much for one answer, are asked for here.
    async show(json, buffer) {
      const ticket = ++this.ticket, part = JSON.parse(json)[0], item = part.items[0];
      this.steps = part.same ? this.steps.concat(part.steps) : part.steps;
      if (part.content) this.meta = M.metadata(part.content);
      try {
        await tbBoot.load("scene");
        if (item.error) throw new Error(item.error);
        const nth = item.number - this.steps.indexOf(item.step);
        const bytes = await this.whole("_VERTEX", item, new Uint8Array(buffer, item.offset, item.length).slice());
        const vertices = M.tensor(bytes), problems = [];
        const [faces,
            colors] = await Promise.all([["_FACE", "faces"], ["_COLOR", "colours"]].map(async ([end, name]) => {
          try {
            return await this.part(end, item.step, nth, item.number);
          } catch (e) {
            problems.push(`The ${name} are not shown: ${e.message}.`);
            return null;
          }
        }));
        if (ticket !== this.ticket) return;
        this.value = { vertices, faces, colors, problems };
        this.step = item.step;
        this.lay();
      } catch (e) {
        if (ticket === this.ticket) this.say(e.message);
      }
    }
    ask(end, body) { return tensorbored.ask({ kind: "values", runs: [this.run], tags: [this.tag + end], body }); }
    // part reads the nth value at a step of a part; null if the run has none at all.
    async part(end, step, nth, guess) {
      for (let n = guess, turn = 0; turn < 2; turn++) {
        const { chunks } = await this.ask(end, { from: n, n: 1, max: 32 << 20 });
        const chunk = chunks.find((c) => c.parts?.length), part = chunk?.parts[0];
        if (!part?.count) return null;
        const at = part.steps.indexOf(step);
        const right = at < 0 ? -1 : part.steps[at + nth] === step ? at + nth : at;
        if (right < 0) throw new Error(`none were logged at step ${step.toLocaleString("en-US")}`);
        const item = part.items[0];
        if (item?.number === right) {
          if (item.error) throw new Error(item.error);
          return M.tensor(await this.whole(end, item, new Uint8Array(chunk.buffer, item.offset, item.length)));
        }
        n = right;
      }
      throw new Error("the log has changed: reload");
    }
    // whole is all of a value of which the first bytes are there.
    async whole(end, item, first) {
      if (first.length >= item.size) return first;
      const all = new Uint8Array(item.size);
      all.set(first);
      for (let at = first.length; at < item.size;) {
        const { chunks } = await this.ask(end, { from: item.number, n: 1, at, max: PIECE });
        const chunk = chunks.find((c) => c.parts?.length), i = chunk?.parts[0].items[0];
        if (!i?.length || i.size !== item.size) throw new Error(i?.error || "the log has changed: reload");
        all.set(new Uint8Array(chunk.buffer, i.offset, i.length), at);
        at += i.length;
      }
      return all;
    }
    // keep lets the step that is shown stand beside those that the slider goes to, or ends that.
    keep(yes) {
      this.kept = yes ? { value: this.value, step: this.step } : null;
      this.lay();
    }
    // lay shows the samples of this.value, some at a time; those of what is kept stand beside them.
    lay() {
      const { vertices, faces, colors, problems } = this.value, total = vertices.samples, beside = this.kept;
      if (!total || !vertices.n) return this.say("This value has no vertices. Choose another step.");
      this.config = M.config(this.meta?.config);
      const notes = [...problems, ...(this.config.problem ? [this.config.problem] : [])];
      this.first = Math.min(this.first, total - 1 - (total - 1) % (this.kept ? Math.floor(SHOWN / 2) : SHOWN));
      const few = beside ? Math.floor(SHOWN / 2) : SHOWN, count = Math.min(few, total - this.first);
      const others = beside ? Math.max(0, Math.min(few, beside.value.vertices.samples - this.first)) : 0;
      if (this.grid.parentNode !== this.host) this.host.replaceChildren(this.grid, this.foot);
      while (this.cells.length > count + others) this.cells.pop().end();
      while (this.cells.length < count + others) {
        const c = new Cell(this, this.cells.length);
        this.cells.push(c);
        this.grid.append(c.el);
      }
      const shown = count + others;
      this.grid.style.setProperty("--columns", String(shown < 2 ? 1 : Math.ceil(Math.sqrt(shown * 1.4))));
      const made = this.cells.map(
        (_, k) => (k < count ? M.build(vertices, faces, colors, this.first + k)
          : M.build(beside.value.vertices, beside.value.faces, beside.value.colors, this.first + k - count)));
      let grew = false;
      for (const m of made) grew = grow(this.tag, m.positions) || grew;
      this.cells.forEach((c, k) => {
        c.number = this.first + (k < count ? k : k - count);
        c.show(made[k], total, beside ? (k < count ? this.step : beside.step) : undefined);
        for (const p of made[k].problems) notes.push(total > 1 ? `Sample ${c.number + 1}: ${p}` : p);
      });
      if (grew) for (const s of stages) if (s !== this && s.tag === this.tag) for (const c of s.cells) c.aim();
      this.words.textContent = [M.words(made[0]) + (count > 1 ? " each" : ""), ...notes.slice(0, 4),
        ...(notes.length > 4 ? [`${notes.length - 4} more`] : [])].join(" · ");
      this.words.classList.toggle("bad", notes.length > 0);
      const turn = (by) => () => { this.first += by; this.lay(); };
      this.page.replaceChildren(...(total > few ? [
        H.button("‹", "Samples before", turn(-few)), ` ${this.first + 1}–${this.first + count} of ${total} `,
        H.button("›", "Samples after", turn(few)),
      ] : []));
      if (total > few) {
        const [before, after] = this.page.querySelectorAll("button");
        before.disabled = !this.first;
        after.disabled = this.first + count >= total;
      }
    }
    close() {
      this.say("");
      stages.delete(this);
      if (stages.size) return;
      themes.disconnect();
      bounds.clear();
    }
  };
}
