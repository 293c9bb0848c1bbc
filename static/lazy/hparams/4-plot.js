"use strict";
// What all plots of runs share: layers, colours, hover, brushes, titles of axes, the line
// of choices above. A row of the plot is a run; mask says which ones pass all filters (2),
// pass but are switched off (1), or are left out (0). Points never cross to the program:
// it is asked for a row's words, and told of a brush.
(() => {
  const H = globalThis.tbH, { make } = H;
  const HIGH = 12; // CSS pixels of a line of text

  // Plot is the base of the three. deps: ask, filter(under, column) opens the
  // column's filter, pick(under, of) the choice of columns.
  H.Plot = class {
    name = "";
    inks = [""]; // colours, and of each row which one
    of = new Uint8Array(0);
    // What each of the three has of its own: where axes are; what is drawn below the lines or points,
    // as them, and after them; above all; what is at a place, and what a hand does there.
    layout() {}
    headAt(i) { return {}; }
    *below(raster) {}
    *above(raster, on, off, ink) {}
    finish(ctx, mask, on) {}
    top(ctx, w, h) {}
    cursor(p) { return ""; }
    nearest(p) { return -1; }
    grab(p, ev) { return null; }
    pull(p, d) {}

    constructor(host, deps) {
      this.ask = deps.ask; this.filter = deps.filter; this.pick = deps.pick;
      this.host = host;
      this.front = new H.Layer();
      this.over = make("canvas", { className: "hp-layer", role: "img" });
      this.heads = make("div", { className: "hp-axes" });
      this.words = make("p", { className: "quiet hp-words-of-plot" });
      this.inner = make("div", { className: "hp-plot-in" }, this.front.el, this.over, this.heads, this.words);
      host.replaceChildren(this.inner);
      this.tip = make("div", { className: "tip", hidden: true });
      document.body.append(this.tip);
      this.axes = [];
      this.at = -1; // the row that is pointed at
      this.brushes = null; // while the hand is on one: by axis key
      this.sized = tbSizes(() => this.all());
      this.sized.observe(host);
      const o = this.over;
      o.addEventListener("pointermove", (ev) => this.move(ev));
      o.addEventListener("pointerleave", () => { if (!this.drag) this.point(-1); });
      o.addEventListener("pointerdown", (ev) => {
        if (ev.button) return;
        const p = this.where(ev);
        this.drag = this.grab(p, ev);
        if (this.drag) {
          o.setPointerCapture(ev.pointerId);
          Object.assign(this.drag, { x: p.x, y: p.y, moved: false });
          this.point(-1);
        } else this.press = { x: p.x, y: p.y };
      });
      const up = (ev) => {
        const d = this.drag, p = this.where(ev);
        this.drag = null;
        clearTimeout(this.rest);
        if (d) {
          if (d.moved) this.write();
          else this.click(p, ev, d);
          this.brushes = this.live = null;
          this.lay();
        } else if (this.press && Math.hypot(p.x - this.press.x, p.y - this.press.y) < 5) this.click(p, ev, null);
        this.press = null;
      };
      o.addEventListener("pointerup", up);
      o.addEventListener("pointercancel",
        () => { this.drag = this.press = this.brushes = this.live = null; clearTimeout(this.rest); this.paint(); });
    }
    end() {
      this.sized.disconnect();
      this.front.end();
      cancelAnimationFrame(this.laying);
      clearTimeout(this.rest);
      this.tip.remove();
      this.host.replaceChildren();
    }

    // take brings it to what the program says now.
    take() {
      const got = this.ask("plot", { On: !this.every }), about = JSON.parse(got.text), n = about.rows;
      const mask = new Uint8Array(got.mask), colors = new Float64Array(got.colors);
            if (got.words) {
        const words = new Float64Array(got.words);
        this.every = about.axes.map((a, i) => new H.Axis(a, words.subarray(i * n, (i + 1) * n)));
      } else {
        about.axes.forEach((a, i) => {
          const axis = this.every[i], again = axis.scale !== a.scale || axis.flip !== a.flip;
          Object.assign(axis, { filter: undefined }, a);
          if (again) axis.rescale();
        });
      }
      this.about = about;
      this.n = n;
      this.mask = mask;
      this.axes = about.colored ? this.every.slice(0, -1) : this.every;
      this.tint = about.colored ? this.every.at(-1) : null;
      const style = getComputedStyle(document.documentElement), get = (name) => style.getPropertyValue(name).trim();
      this.theme = { text: get("--text"), muted: get("--muted"), grid: get("--grid"), line: get("--line"),
        edge: get("--edge"), panel: get("--panel"), accent: get("--accent") };
      ({ inks: this.inks, of: this.of } = H.inks(this.tint, colors, this.theme.muted));
      this.inkNames = this.tint && !this.tint.numeric && this.tint.names.length <= 10 ? this.tint.names : null;
      if (this.order?.length !== n) { // any part of the rows is like the whole
        this.order = Uint32Array.from({ length: n }, (_, i) => i);
        for (let i = n - 1, seed = 1; i > 0; i--) {
          seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
          const k = seed % (i + 1);
          [this.order[i], this.order[k]] = [this.order[k], this.order[i]];
        }
      }
      this.us = this.axes.map((a, i) => a.spread((row) => this.chance(row, i)));
      this.words.textContent = this.lack();
      this.words.hidden = !this.words.textContent;
      if (this.at >= n) this.point(-1);
      this.all();
    }
    // chance is where a row stands in the band of its name on an axis.
    chance(row, i) { return H.chance(row, i); }
    lack() {
      if (!this.axes.length) return "No column can be an axis yet: add hyperparameters or metrics by Columns.";
      if (!this.n) return "There are no runs to draw.";
      return "";
    }
    // all is done anew when anything but the brush is different.
    all() {
      if (!this.about) return;
      this.layout();
      this.showHeads();
      this.ground = { raster: null };
      this.paint();
      this.describe();
    }
    // passing says of each row what mask says, with the brush that is moving.
    passing() {
      if (!this.brushes) return this.mask;
      this.base ??= new Uint8Array(this.ask("mask",
        { Brushes: [...this.brushes.keys()].map((key) => ({ Key: key })) }));
      this.live ??= new Uint8Array(this.n);
      this.live.set(this.base);
      for (const [key, b] of this.brushes) {
        const axis = this.axes.find((a) => a.key === key);
        for (let i = 0; i < this.n; i++) if (this.live[i] && !axis.holds(b, i)) this.live[i] = 0;
      }
      return this.live;
    }
    paint() {
      this.front.draw((ctx) => this.steps(ctx));
      this.lay();
    }
    // steps put all rows into pixels, which are kept, and what passes on a copy of them. They take several frames,
    // in which the plot may become another one: they draw it as it was, and keep nothing for what is drawn next.
    *steps(ctx) {
      const { width, height } = ctx.canvas;
      if (!width || !height || !this.n) return;
      const was = Object.assign(Object.create(Object.getPrototypeOf(this)), this), { ground, order, of } = was;
      const mask = this.passing().slice(), inks = this.inks.map(H.rgb);
      if (ground.raster?.width !== width || ground.raster.height !== height) {
        const raster = new H.Raster(width, height, this.theme.panel);
        yield* was.below(raster);
        ground.raster = raster;
      }
      const raster = ground.raster.copy();
      const on = order.filter((r) => mask[r] === 2), off = order.filter((r) => mask[r] === 1);
      yield* was.above(raster, on, off, (row) => inks[of[row]]);
      ctx.putImageData(raster.image(), 0, 0);
      was.finish(ctx, mask, on);
    }
    lay() {
      this.laying ||= requestAnimationFrame(() => {
        this.laying = 0;
        const ratio = devicePixelRatio, w = this.over.clientWidth, h = this.over.clientHeight;
        if (this.over.width !== Math.round(w * ratio) || this.over.height !== Math.round(h * ratio)) {
          this.over.width = Math.round(w * ratio);
          this.over.height = Math.round(h * ratio);
        }
        const ctx = this.over.getContext("2d");
        ctx.setTransform(1, 0, 0, 1, 0, 0);
        ctx.clearRect(0, 0, this.over.width, this.over.height);
        ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
        ctx.font = '11px Inter, system-ui, "Segoe UI", sans-serif';
        if (this.n && this.axes.length) this.top(ctx, w, h);
      });
    }
    // cover puts a brush over axes, a map of key to {lo, hi, none}.
    cover(brushes) {
      if (!this.brushes) this.base = null;
      this.brushes = brushes;
      this.paint();
      clearTimeout(this.rest);
      this.rest = setTimeout(() => this.write(), 350);
    }
    // write tells the program what the brush covers: it has come to rest.
    write() {
      clearTimeout(this.rest);
      if (this.brushes) {
        this.ask("brush",
          { Brushes: [...this.brushes].map(([key, b]) => ({ Key: key, Lo: b.lo, Hi: b.hi, None: b.none })) });
      }
    }
    clear(axes) { this.ask("brush", { Brushes: axes.map((a) => ({ Key: a.key, Lo: 1, Hi: 0, None: false })) }); }
    // partsOf are the parts of an axis that are covered, now.
    partsOf(axis) {
      const b = this.brushes?.get(axis.key);
      if (!b) return axis.brushed();
      if (!(b.lo <= b.hi)) return { parts: [], none: b.none };
      if (axis.numeric) return { parts: [[axis.place(b.lo), axis.place(b.hi)].sort((x, y) => x - y)], none: b.none };
      return new H.Axis({ ...axis, filter: { only: true, values: axis.names.slice(b.lo, b.hi + 1), missing: b.none } },
        new Float64Array([0, axis.names.length - 1])).brushed();
    }
    where(ev) {
      const r = this.over.getBoundingClientRect();
      return { x: ev.clientX - r.x, y: ev.clientY - r.y };
    }
    move(ev) {
      if (!this.n || !this.axes.length) return;
      const p = this.where(ev), d = this.drag;
      if (d) {
        d.moved ||= Math.hypot(p.x - d.x, p.y - d.y) > 3;
        if (d.moved) this.pull(p, d);
        return;
      }
      this.over.style.cursor = this.cursor(p);
      this.point(ev.pointerType === "touch" && !this.press ? -1 : this.nearest(p), ev);
    }
    point(row, ev) {
      if (row !== this.at) {
        this.at = row;
        this.lay();
        const about = row < 0 ? null : this.ask("row", { N: row });
        this.tip.hidden = !about;
        if (about) {
          const swatch = make("i", { className: "swatch" });
          swatch.style.background = this.inks[this.of[row]];
          this.tip.replaceChildren(make("div", { className: "tip-title" }, swatch, make("span", {}, about.name)),
            make("table", {},
              ...about.cells.slice(0, 30)
              .map(
                (c) => make("tr", {}, make("td", { className: "name quiet" }, c.title),
                  make("td", { className: "num" }, c.text || "–")))));
        }
      }
      if (!this.tip.hidden && ev) {
        const w = this.tip.offsetWidth, h = this.tip.offsetHeight;
        const x = ev.clientX + 16 + w > innerWidth - 4 ? Math.max(4, ev.clientX - w - 16) : ev.clientX + 16;
        this.tip.style.transform =
          `translate(${Math.round(x)}px,${Math.round(Math.max(4, Math.min(ev.clientY + 12, innerHeight - h - 4)))}px)`;
      }
    }
    // click is a press that did not move: on a run it shows that one alone.
    click(p, ev, drag) {
      const row = this.nearest(p);
      if (row >= 0) this.ask("pick", { N: row, On: ev.shiftKey });
      else if (drag?.axes) this.clear(drag.axes.filter((a) => a.filter));
    }
    describe() {
      let pass = 0;
      for (const m of this.mask) pass += Number(m > 0);
      this.over.setAttribute("aria-label",
        `${this.name} of ${this.n} ${this.n === 1 ? "run" : "runs"} over ` +
          `${this.axes.map((a) => a.title).join(", ")}; ${pass} pass all filters`);
    }

    // title is the head of an axis: a button with what can be done with it; dragged, or by
    // Alt and arrows, the axis takes another place.
    title(axis) {
      const of = this.about.kind;
      const b = make("button",
        { className: "hp-axis", type: "button", title: `${axis.title}\nClick: scale, flip, filter and more` },
        make("span", {}, axis.title));
      b.dataset.key = axis.key;
      b.classList.toggle("filtered", !!axis.filter);
      const move = (step) => {
        const i = this.axes.indexOf(axis), to = i + step;
        if (of !== "scatter" && this.axes[to]) {
          this.ask("move", { Of: of, Key: axis.key, Before: this.axes[step < 0 ? to : to + 1]?.key ?? "" });
        }
      };
      const open = () => {
        const i = this.axes.indexOf(axis);
        H.menu(b, "Axis " + axis.title, [
          ...axis.numeric || axis.scalar ? [["linear", "Linear"], ["log", "Log"], ["quantile", "Quantile"]]
            .map(
              ([name, text]) => [`${name === axis.shown ? "✓ " : ""}${text} scale`,
                () => this.ask("scale", { Key: axis.key, Text: name })]) : [],
          ...axis.scale ? [["Scale by the values", () => this.ask("scale", { Key: axis.key, Text: "" })]] : [],
          ["Flip", () => this.ask("flip", { Key: axis.key })],
          ["Colour by this", () => this.ask("color", { Key: axis.key })],
          ["Filter…", () => this.filter(b, axis)],
          ...axis.filter ? [["Clear the filter", () => this.clear([axis])]] : [],
          ...of !== "scatter" && i > 0 ? [["Move left", () => move(-1)]] : [],
          ...of !== "scatter" && i < this.axes.length - 1 ? [["Move right", () => move(1)]] : [],
          ...of !== "scatter" ? [["Remove", () => this.ask("remove", { Of: of, Key: axis.key })]] : [],
        ]);
      };
      let dragged = false;
      b.addEventListener("click", () => { if (!dragged) open(); });
      b.addEventListener("contextmenu", (ev) => { ev.preventDefault(); open(); });
      b.addEventListener("keydown", (ev) => {
        if (ev.altKey && (ev.key === "ArrowLeft" || ev.key === "ArrowRight")) move(ev.key === "ArrowLeft" ? -1 : 1);
        else if (ev.altKey && ev.key === "ArrowDown") this.filter(b, axis);
        else if (ev.key === "Delete" && of !== "scatter") this.ask("remove", { Of: of, Key: axis.key });
        else if (ev.key === "ArrowLeft" || ev.key === "ArrowRight")
          this.heads.children[this.axes.indexOf(axis) + (ev.key === "ArrowLeft" ? -1 : 1)]?.focus();
        else return;
        ev.preventDefault();
        ev.stopPropagation();
      });
      b.addEventListener("pointerdown", (ev) => {
        dragged = false;
        if (ev.button || of === "scatter") return;
        const x = ev.clientX;
        let before = null;
        const heads = () => [...this.heads.children];
        const moving = (m) => {
          if (!dragged && Math.abs(m.clientX - x) < 6) return;
          dragged = true;
          b.classList.add("dragged");
          before = null;
          for (const o of heads()) {
            const r = o.getBoundingClientRect(), here = before === null && m.clientX < r.left + r.width / 2;
            o.classList.toggle("over", here);
            if (here) before = o.dataset.key;
          }
        };
        const end = (drop) => () => {
          b.removeEventListener("pointermove", moving);
          b.classList.remove("dragged");
          for (const o of heads()) o.classList.remove("over");
          if (dragged && drop && before !== axis.key) this.ask("move", { Of: of, Key: axis.key, Before: before ?? "" });
        };
        b.setPointerCapture(ev.pointerId);
        b.addEventListener("pointermove", moving);
        b.addEventListener("pointerup", end(true), { once: true });
        b.addEventListener("pointercancel", end(false), { once: true });
      });
      return b;
    }
    showHeads() {
      const active = /** @type {HTMLElement} */ (document.activeElement);
      const held = this.heads.contains(active) ? active.dataset.key : null;
      this.heads.replaceChildren(...this.axes.map((a, i) => {
        const b = this.title(a);
        Object.assign(b.style, this.headAt(i));
        return b;
      }));
      if (held !== null) this.heads.querySelector(`[data-key="${CSS.escape(held)}"]`)?.focus();
    }
    // frame draws a part that is covered.
    frame(ctx, x, y, w, h) {
      ctx.globalAlpha = 0.18;
      ctx.fillStyle = this.theme.accent;
      ctx.fillRect(x, y, w, h);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = this.theme.accent;
      ctx.lineWidth = 1.5;
      ctx.strokeRect(x, y, w, h);
    }
    // labels writes ticks, [place, text] each, along an upright axis: none over another.
    labels(ctx, ticks, write) {
      let last = Infinity;
      for (const [y, text] of ticks.sort((a, b) => b[0] - a[0])) {
        if (last - y < HIGH) continue;
        last = y;
        write(y, text);
      }
    }
    // label writes a text that is read on lines, too.
    label(ctx, text, x, y, most) {
      if (most && ctx.measureText(text).width > most) {
        let n = text.length;
        while (n > 1 && ctx.measureText(text.slice(0, n) + "…").width > most) n--;
        text = text.slice(0, n) + "…";
      }
      ctx.lineWidth = 3;
      ctx.lineJoin = "round";
      ctx.strokeStyle = this.theme.panel;
      ctx.strokeText(text, x, y);
      ctx.fillText(text, x, y);
    }
  };
})();
