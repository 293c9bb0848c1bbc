// What charts on two canvases have in common: the picture, and above it what is pointed at, a
// box that is drawn with the pointer, and a zoom by wheel and box.
"use strict";
globalThis.tbLayers ??= class {
  frame = 0; // -1: it is closed
  box = null; // of the plot in the host, CSS pixels: {x0, x1, y0, y1}
  drag = null; // what grab returned, while the pointer is down
  zoom = null;
  // Canvases of a class, in place of what host has. dirty: the picture is to be drawn, not only
  // what is above it.
  constructor(host, className) {
    this.host = host;
    this.dirty = true;
    this.base = document.createElement("canvas");
    this.over = document.createElement("canvas");
    this.base.className = this.over.className = className;
    host.replaceChildren(this.base, this.over);
    this.sizes = tbSizes(() => { this.resized(); this.soon(true); });
    this.sizes.observe(host);
    const o = this.over;
    o.addEventListener("pointermove", (e) => this.move(this.where(e)));
    o.addEventListener("pointerleave", () => { if (!this.drag) this.leave(); });
    o.addEventListener("pointerdown", (e) => {
      if (e.button !== 0 || !this.box) return;
      this.drag = this.grab(this.where(e));
      if (this.drag) o.setPointerCapture(e.pointerId);
    });
    o.addEventListener("pointerup", () => this.drop());
    o.addEventListener("pointercancel", () => { this.drag = null; this.soon(); });
    o.addEventListener("dblclick", () => this.back());
    o.addEventListener("wheel", (e) => {
      if (!(e.ctrlKey || e.altKey) || !this.box) return;
      e.preventDefault();
      const { x, y } = this.where(e), b = this.box;
      this.zoomBy(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 300))), (x - b.x0) / (b.x1 - b.x0),
        (b.y1 - y) / (b.y1 - b.y0));
    }, { passive: false });
  }
  // What a chart does: when its host has another size; draw what is due; when the pointer moves and
  // leaves; grab, which says what is drawn with it from a place on; drop, when it is lifted; back,
  // at a double click; zoomBy, around a part of the width and of the height.
  resized() {}
  paint() {}
  move(p) {}
  leave() {}
  grab(p) { return null; }
  drop() {}
  back() {}
  zoomBy(f, px, py) {}

  close() {
    cancelAnimationFrame(this.frame);
    this.frame = -1;
    this.sizes.disconnect();
    this.host.replaceChildren();
  }
  // soon draws in the next frame: all of it, or what is above the picture alone.
  soon(all = false) {
    this.dirty ||= all;
    if (this.frame === -1) return;
    this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.paint(); });
  }
  where(e) {
    const r = this.over.getBoundingClientRect();
    return { x: e.clientX - r.x, y: e.clientY - r.y };
  }
  // sheet is {ctx, w, h}: the empty picture in CSS pixels, as large as the host; null while that has
  // no room.
  sheet() {
    const ratio = devicePixelRatio, w = this.host.clientWidth, h = this.host.clientHeight;
    if (w < 40 || h < 40) return null;
    for (const c of [this.base, this.over]) {
      if (c.width !== Math.round(w * ratio) || c.height !== Math.round(h * ratio)) {
        c.width = Math.round(w * ratio);
        c.height = Math.round(h * ratio);
      }
    }
    return { ctx: this.cleared(this.base), w, h };
  }
  // shade draws the box that is being chosen, between two places each way, over the picture.
  shade(ctx, color, x0, x1, y0, y1) {
    ctx.fillStyle = color + "33";
    ctx.fillRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
  }
  // cleared is a canvas's context, with nothing drawn.
  cleared(canvas) {
    const ctx = canvas.getContext("2d"), ratio = devicePixelRatio;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    return ctx;
  }
};
