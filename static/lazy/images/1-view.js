// A closer look at one picture, or at two: zoom and pan, the pixels' values under the
// pointer, and two pictures side by side, with a divider to swipe, or as their difference.
(() => {
  'use strict';
  const I = globalThis.tbImages ??= {};
  const MOST = 256; // CSS pixels that a picture's pixel may take

  // View draws on a canvas that fills host. tell(event, text) reports: 'pixel' (what is
  // under the pointer), 'problem' (why nothing can be seen).
  I.View = class {
    constructor(host, tell) {
      this.host = host; this.tell = tell; this.a = null; this.b = null; this.mode = 'one';
      this.smooth = false; this.scale = 0; this.x = 0; this.y = 0; this.swipe = 0.5; this.frame = 0;
      this.pointers = new Map(); this.ticket = [0, 0]; this.held = [null, null];
      this.canvas = document.createElement('canvas');
      this.canvas.className = 'view-canvas';
      this.probe = document.createElement('canvas');
      this.probe.width = this.probe.height = 1;
      host.append(this.canvas);
      this.sizes = tbSizes(() => { if (this.fitted) this.scale = 0; this.soon(); });
      this.sizes.observe(host);
      const c = this.canvas;
      c.addEventListener('wheel',
        e => {
          e.preventDefault();
          const p = this.at(e);
          this.zoomBy(Math.exp(-Math.max(-240, Math.min(240, e.deltaY * (e.deltaMode === 1 ? 16 : 1))) * 0.003), p.x,
            p.y);
        }, { passive: false });
      c.addEventListener('pointerdown',
        e => {
          c.setPointerCapture(e.pointerId);
          this.pointers.set(e.pointerId, this.at(e));
          this.moved = false;
          this.swiping = this.mode === 'swipe' && this.pointers.size === 1 &&
            Math.abs(this.at(e).x - this.swipe * this.canvas.clientWidth) < 14;
        });
      c.addEventListener('pointermove', e => this.move(e));
      for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
        c.addEventListener(end, e => { this.pointers.delete(e.pointerId); this.swiping = false; });
      }
      c.addEventListener('pointerleave', () => this.tell('pixel', ''));
      c.addEventListener('dblclick', () => this.fit());
    }
    // set shows sample i of a value (null: nothing) as the first (0) or the second (1).
    async set(which, value, i) {
      const ticket = ++this.ticket[which];
      if (value) I.hold(value, 1);
      const next = value ? await I.drawn(value, i) : null;
      if (ticket !== this.ticket[which]) { if (value) I.hold(value, -1); return; }
      if (this.held[which]) I.hold(this.held[which], -1);
      this.held[which] = value;
      this[which ? 'b' : 'a'] = next;
      const other = which ? this.a : this.b;
      if (!this.scale || !other && (this.lastW !== next?.width || this.lastH !== next?.height)) this.scale = 0;
      if (!which) { this.lastW = next?.width; this.lastH = next?.height; }
      this.tell('problem', this.a?.error || this.b?.error || '');
      this.soon();
    }
    setMode(mode, smooth) {
      if (mode !== this.mode) {
        const was = this.mode;
        this.mode = mode;
        if (this.fitted || was === 'side' || mode === 'side') this.scale = 0;
      }
      this.smooth = smooth;
      this.soon();
    }
    close() {
      this.sizes.disconnect();
      cancelAnimationFrame(this.frame);
      this.ticket = [-1, -1];
      this.a = this.b = null;
      for (const v of this.held) if (v) I.hold(v, -1);
    }

    at(e) { const r = this.canvas.getBoundingClientRect(); return { x: e.clientX - r.x, y: e.clientY - r.y }; }
    // pane is the width of the part that one picture has.
    get pane() { return this.mode === 'side' ? this.canvas.clientWidth / 2 : this.canvas.clientWidth; }
    get size() {
      return { w: Math.max(this.a?.width ?? 0, this.b?.width ?? 0),
        h: Math.max(this.a?.height ?? 0, this.b?.height ?? 0) };
    }

    fit() { this.scale = 0; this.soon(); }
    actual() { this.zoomBy(1 / this.scale, this.pane / 2, this.canvas.clientHeight / 2); }
    zoomBy(f, px, py) {
      if (!this.scale) return;
      if (this.mode === 'side' && px > this.pane) px -= this.pane;
      px ??= this.pane / 2; py ??= this.canvas.clientHeight / 2;
      const { w, h } = this.size, least = Math.min(1, 16 / Math.max(w, h, 1));
      const next = Math.max(least, Math.min(MOST, this.scale * f));
      this.x = px - (px - this.x) * next / this.scale;
      this.y = py - (py - this.y) * next / this.scale;
      this.scale = next;
      this.fitted = false;
      this.soon();
    }
    pan(dx, dy) { this.x += dx; this.y += dy; this.fitted = false; this.soon(); }
    move(e) {
      const now = this.at(e), before = this.pointers.get(e.pointerId);
      if (before) {
        if (this.swiping) {
          this.swipe = Math.max(0, Math.min(1, now.x / this.canvas.clientWidth));
          this.soon();
        } else if (this.pointers.size === 1) {
          this.pan(now.x - before.x, now.y - before.y);
        } else { // two fingers
          const [, other] = [...this.pointers].find(([id]) => id !== e.pointerId);
          const d0 = Math.hypot(before.x - other.x, before.y - other.y),
            d1 = Math.hypot(now.x - other.x, now.y - other.y);
          if (d0 > 0) this.zoomBy(d1 / d0, (now.x + other.x) / 2, (now.y + other.y) / 2);
        }
        this.pointers.set(e.pointerId, now);
      }
      this.canvas.style.cursor = this.mode === 'swipe' && Math.abs(now.x - this.swipe * this.canvas.clientWidth) < 14
        ? 'ew-resize' : '';
      this.pixel(now);
    }
    swipeBy(d) { this.swipe = Math.max(0, Math.min(1, this.swipe + d)); this.soon(); }

    // pixel says what is under the pointer in each picture.
    pixel(at) {
      if (!this.scale) return;
      const px = this.mode === 'side' && at.x > this.pane ? at.x - this.pane : at.x;
      const x = Math.floor((px - this.x) / this.scale), y = Math.floor((at.y - this.y) / this.scale);
      const say = d => {
        if (!d?.image || x < 0 || y < 0 || x >= d.width || y >= d.height) return null;
        const ctx = this.probe.getContext('2d', { willReadFrequently: true });
        ctx.clearRect(0, 0, 1, 1);
        ctx.drawImage(d.image, x, y, 1, 1, 0, 0, 1, 1);
        return [...ctx.getImageData(0, 0, 1, 1).data];
      };
      const hex = v => '#' + v.slice(0, 3).map(n => n.toString(16).padStart(2, '0')).join('');
      const text = v => v[3] === 255 ? `${v.slice(0, 3).join(' ')} ${hex(v)}`
        : `${v.slice(0, 3).join(' ')} alpha ${v[3]}`;
      const a = say(this.a), b = this.mode === 'one' ? null : say(this.b);
      if (!a && !b) { this.tell('pixel', ''); return; }
      let out = `x ${x}, y ${y}`;
      if (a) out += (b ? ' · A ' : ' · ') + text(a);
      if (b) out += ' · B ' + text(b);
      if (a && b) out += ' · difference ' + a.slice(0, 3).map((v, i) => Math.abs(v - b[i])).join(' ');
      this.tell('pixel', out);
    }

    soon() { this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.draw(); }); }
    draw() {
      const c = this.canvas, ratio = devicePixelRatio, w = this.host.clientWidth, h = this.host.clientHeight;
      if (!w || !h) return;
      if (c.width !== Math.round(w * ratio) || c.height !== Math.round(h * ratio)) {
        c.width = Math.round(w * ratio);
        c.height = Math.round(h * ratio);
      }
      const ctx = c.getContext('2d');
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.clearRect(0, 0, c.width, c.height);
      const s = this.size;
      if (!s.w || !s.h) return;
      const pane = this.mode === 'side' ? w / 2 : w;
      if (!this.scale) {
        this.scale = Math.max(1e-6, Math.min(MOST, pane / s.w, h / s.h));
        this.x = (pane - s.w * this.scale) / 2;
        this.y = (h - s.h * this.scale) / 2;
        this.fitted = true;
      }
      c.dataset.scale = String(this.scale);
      // put draws one picture into a part of the canvas, from x0 to x1, moved by dx.
      const put = (d, x0, x1, dx, how) => {
        if (!d?.image) return;
        ctx.save();
        ctx.beginPath();
        ctx.rect(x0 * ratio, 0, (x1 - x0) * ratio, c.height);
        ctx.clip();
        ctx.globalCompositeOperation = how ?? 'source-over';
        ctx.imageSmoothingEnabled = this.smooth || this.scale < 1;
        ctx.imageSmoothingQuality = 'high';
        ctx.drawImage(d.image, (this.x + dx) * ratio, this.y * ratio, d.width * this.scale * ratio,
          d.height * this.scale * ratio);
        ctx.restore();
      };
      switch (this.b?.image ? this.mode : 'one') {
        case 'one': put(this.a, 0, pane, 0); break;
        case 'side':
          put(this.a, 0, pane, 0);
          put(this.b, pane, w, pane);
          this.line(ctx, pane * ratio, c.height);
          break;
        case 'swipe': {
          const at = this.swipe * w;
          put(this.a, 0, at, 0);
          put(this.b, at, w, 0);
          this.line(ctx, at * ratio, c.height);
          break;
        }
        case 'difference':
          ctx.fillStyle = '#000';
          ctx.fillRect(this.x * ratio, this.y * ratio, s.w * this.scale * ratio, s.h * this.scale * ratio);
          put(this.a, 0, w, 0);
          put(this.b, 0, w, 0, 'difference');
      }
    }
    line(ctx, x, h) {
      ctx.fillStyle = '#fff';
      ctx.fillRect(x - 1, 0, 2, h);
      ctx.fillStyle = '#0008';
      ctx.fillRect(x - 2, 0, 1, h);
      ctx.fillRect(x + 1, 0, 1, h);
    }
  };
})();
