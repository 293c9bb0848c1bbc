// Pictures on cards. Encoded bytes become pixels off the page's thread (createImageBitmap,
// ImageDecoder for films), and pixels are kept within a bound, so that a slider that goes
// back and forth decodes nothing twice. What must not be decoded the program has marked
// before (shared/picture); what the browser cannot decode says so in its place.
//
// A value is {key, samples: [{format, width, height, animated, error, blob, bitmap}]}.
// SVG and videos are shown by <img> and <video> from blob: addresses: neither runs
// anything, nor loads anything from elsewhere.
(() => {
  'use strict';
  const I = globalThis.tbImages ??= {};

  // LIMIT is how many bytes of pixels and encoded pictures are kept that no card shows.
  I.LIMIT = 192 << 20;
  // SIDE is the greatest side of a canvas on a card; larger pictures are drawn smaller.
  // The viewer draws from the pixels themselves.
  const SIDE = 2048;

  const kept = new Map(); // key → value, the least used first
  let bytes = 0;

  const costOf = s => (s.blob?.size ?? 0) + (s.bitmap ? 4 * s.bitmap.width * s.bitmap.height : 0);
  const count = value => {
    const now = value.samples.reduce((n, s) => n + costOf(s), 0);
    if (value.kept) bytes += now - value.cost;
    value.cost = now;
  };
  const evict = (limit = I.LIMIT) => {
    for (const [key, value] of kept) {
      if (bytes <= limit) break;
      if (value.used) continue; // it is on a card
      kept.delete(key);
      value.kept = false;
      bytes -= value.cost;
      for (const s of value.samples) { s.bitmap?.close(); s.bitmap = s.bitmapSoon = null; }
    }
  };
  I.bytes = () => bytes;
  I.has = key => kept.has(key);
  I.get = key => {
    const value = kept.get(key);
    if (value) { kept.delete(key); kept.set(key, value); }
    return value ?? null;
  };

  // put keeps a value: its samples as JSON, and the buffer that they are parts of.
  I.put = (key, json, buffer) => {
    const there = I.get(key);
    if (there) return there;
    const value = { key, used: 0, cost: 0, kept: true, samples: JSON.parse(json) };
    for (const s of value.samples) {
      s.blob = new Blob([new Uint8Array(buffer, s.offset, s.length)], { type: s.format || 'application/octet-stream' });
    }
    kept.set(key, value);
    count(value);
    evict();
    return value;
  };
  // hold says that a value is on the screen (1), or that it is not any more (-1).
  const hold = I.hold = (value, n) => { value.used += n; if (n < 0) evict(); };
  // clear forgets what is not on the screen.
  I.clear = () => evict(0);

  // still is a sample's pixels, as an ImageBitmap; of a film its first frame.
  I.still = (value, s) => s.bitmapSoon ??= createImageBitmap(s.blob).then(b => {
    if (value.kept) { s.bitmap = b; count(value); evict(); }
    return b;
  },
    () => {
      s.error = 'The browser cannot decode this picture: it is damaged, or of a kind that it does not know.';
      return null;
    });

  // drawn is what a canvas of a view can draw of a sample: a bitmap, or an <img>.
  I.drawn = async (value, i) => {
    const s = value.samples[i];
    if (!s || s.error) return { error: s?.error ?? 'There is no such picture.' };
    if (s.format.startsWith('video/')) return { error: 'A video is played on its card.' };
    if (s.format === 'image/svg+xml') {
      const img = new Image(), url = URL.createObjectURL(s.blob);
      img.src = url;
      try { await img.decode(); } catch { return { error: 'The browser cannot draw this SVG.' }; } finally {
        URL.revokeObjectURL(url);
      }
      return { image: img, width: img.naturalWidth || 300, height: img.naturalHeight || 150 };
    }
    const b = await I.still(value, s);
    return b ? { image: b, width: b.width, height: b.height } : { error: s.error };
  };

  const make = tbPaint.el;

  // Film plays the frames of an animated picture on a canvas.
  class Film {
    constructor(s, canvas, w, h) {
      this.s = s; this.canvas = canvas; this.w = w; this.h = h; this.playing = false; this.timer = 0;
      this.ended = false;
      this.ready = this.begin();
    }
    async begin() {
      this.at = 0;
      this.decoder?.close();
      const data = await this.s.blob.arrayBuffer();
      if (this.ended) return;
      this.decoder = new ImageDecoder({ data, type: this.s.format });
      // One that is closed before it has looked through its bytes says so here, too, in Firefox.
      this.decoder.completed.catch(() => {});
      await this.decoder.tracks.ready;
      await this.draw();
    }
    async draw() {
      const { image } = await this.decoder.decode({ frameIndex: this.at });
      try {
        if (this.ended) return;
        fit(this.canvas, image, this.w, this.h);
        this.canvas.dataset.frame = this.at;
        this.wait = Math.max(20, (image.duration ?? 100_000) / 1000); // browsers play no faster
      } finally { image.close(); }
    }
    async next() {
      this.at = (this.at + 1) % Math.max(1, this.decoder.tracks.selectedTrack?.frameCount ?? 1);
      // Firefox hands out a frame that was closed when it is asked for a second time, so
      // there each turn has a new decoder.
      try { await this.draw(); } catch { if (!this.ended) await this.begin(); }
    }
    play() {
      if (this.playing) return;
      this.playing = true;
      const go = () => {
        if (this.playing && !this.ended) this.timer = setTimeout(() => this.next().then(go, () => {}), this.wait);
      };
      this.ready.then(go, () => {});
    }
    pause() { this.playing = false; clearTimeout(this.timer); }
    end() { this.ended = true; this.pause(); this.decoder?.close(); }
  }

  // fit draws an image on a canvas of as many pixels as the screen shows of it, at most
  // its own: what must be made smaller is so once, and not in each frame of scrolling. A
  // canvas that has no size yet gets the picture's own, up to SIDE.
  function fit(canvas, image, w, h, whole) {
    const { clientWidth, clientHeight } = canvas;
    const room = clientWidth && clientHeight ? devicePixelRatio * Math.min(clientWidth / w, clientHeight / h) : 1;
    const f = whole ? 1 : Math.min(1, SIDE / Math.max(w, h), room), cw = Math.max(1, Math.round(w * f)),
      ch = Math.max(1, Math.round(h * f));
    if (canvas.width !== cw || canvas.height !== ch) { canvas.width = cw; canvas.height = ch; }
    const ctx = canvas.getContext('2d');
    ctx.imageSmoothingQuality = 'high';
    ctx.clearRect(0, 0, cw, ch);
    ctx.drawImage(image, 0, 0, cw, ch);
    canvas.style.aspectRatio = `${w} / ${h}`;
    canvas.naturalW = w; canvas.naturalH = h;
  }

  // Stage shows the samples of one value at a time; what is shown stays until the next
  // value's pixels are there. only is the number of the one sample that it shows, -1 for
  // all. tell(event) reports: 'shown' when all of a value is on the screen.
  I.Stage = class {
    constructor(host, only, tell) {
      this.host = host; this.only = only; this.tell = tell ?? (() => {}); this.value = null; this.ticket = 0;
      this.views = []; this.whole = false;
      this.sizes = tbSizes(() => this.sharpen());
      this.sizes.observe(host);
    }
    // show shows a value that put or get returned.
    async show(value, whole) {
      if (value === this.value && whole === this.whole) { this.tell('shown'); return; }
      const ticket = ++this.ticket;
      hold(value, 1);
      const samples = this.only < 0 ? value.samples : value.samples.slice(this.only, this.only + 1);
      const next = await Promise.all(samples.map(async (s, k) => {
        const bitmap = !s.error && s.format.startsWith('image/') && s.format !== 'image/svg+xml'
          ? await I.still(value, s) : null;
        return { s, k: this.only < 0 ? k : this.only, bitmap };
      }));
      if (ticket !== this.ticket) { hold(value, -1); return; }
      const before = this.value;
      this.value = value; this.whole = whole;
      this.lay(next, value.samples.length);
      if (before) hold(before, -1);
      this.tell('shown');
    }
    lay(next, total) {
      this.host.dataset.samples = next.length;
      this.host.style.setProperty('--columns', next.length < 2 ? 1 : Math.ceil(Math.sqrt(next.length * 1.4)));
      const same = next.length === this.views.length && next.every((n, i) => this.views[i].kind === kindOf(n));
      if (!same) {
        this.clear();
        this.views = next.map(n => new View(n, total));
        this.host.replaceChildren(...this.views.map(v => v.el));
      }
      next.forEach((n, i) => this.views[i].set(n, this.whole, total));
      this.sharpen();
    }
    // sharpen draws what has got another size, and keeps the pixels of what is shown
    // larger than it is apart.
    sharpen() {
      for (const v of this.views) v.refit();
      for (const v of this.views) {
        if (v.canvas) {
          v.canvas.classList.toggle('larger',
            v.canvas.clientWidth > v.canvas.width && v.canvas.clientHeight > v.canvas.height);
        }
      }
    }
    clear() { for (const v of this.views) v.end(); this.views = []; }
    film(k) { this.views.find(v => v.k === k)?.toggle(); }
    // say shows words in the place of pictures.
    say(text) {
      this.ticket++;
      this.clear();
      if (this.value) { hold(this.value, -1); this.value = null; }
      this.host.replaceChildren(...(text ? [make('p', 'quiet', text)] : []));
    }
    close() { this.say(''); this.sizes.disconnect(); }
  };

  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const kindOf = n => n.s.error ? 'error' : n.s.format.startsWith('video/') ? 'video' : n.s.format === 'image/svg+xml'
    ? 'svg' : n.s.animated ? 'film' : 'still';

  // View is one sample's place.
  class View {
    constructor(n, total) {
      this.kind = kindOf(n);
      this.el = make('figure', 'picture picture-' + this.kind);
      switch (this.kind) {
        case 'error': this.el.append(this.words = make('p', 'quiet')); return;
        case 'video':
          this.media = make('video');
          Object.assign(this.media, { controls: true, muted: true, loop: true, playsInline: true, preload: 'auto' });
          this.media.onerror = () => {
            if (this.url) this.el.replaceChildren(make('p', 'quiet', 'The browser cannot play this video.'));
          };
          this.el.append(this.media);
          return;
      }
      this.open = make('button', 'picture-open');
      this.open.type = 'button';
      this.open.dataset.do = 'view';
      this.open.append(this.kind === 'svg' ? this.media = make('img') : this.canvas = make('canvas'));
      this.el.append(this.open);
      if (this.media) {
        this.media.onerror = () => {
          if (this.url) this.el.replaceChildren(make('p', 'quiet', 'The browser cannot draw this SVG.'));
        };
      }
      if (this.kind === 'film') {
        this.button = make('button', 'film-button');
        this.button.type = 'button';
        this.button.dataset.do = 'film';
        this.el.append(this.button);
      }
    }
    set(n, whole, total) {
      const { s, k, bitmap } = n;
      this.k = k;
      const size = s.width ? `, ${s.width} × ${s.height} pixels` : '';
      const name = `Picture ${k + 1} of ${total}${size}`;
      if (this.words) { this.words.textContent = s.error; return; }
      if (this.open) {
        this.open.dataset.sample = k;
        this.open.ariaLabel = name + ': look closer';
        this.open.title = `${s.width || '?'} × ${s.height || '?'} ${s.format.split('/')[1]}`;
      }
      if (this.media) {
        if (this.sample === s) return;
        this.free();
        this.url = URL.createObjectURL(s.blob);
        this.media.src = this.url;
        this.media.ariaLabel = this.media.alt = name;
      } else if (!bitmap) {
        this.el.replaceChildren(make('p', 'quiet', s.error || 'The browser cannot decode this picture.'));
        this.kind = 'broken';
      } else if (this.kind === 'film') {
        this.button.dataset.sample = k;
        if (this.sample !== s) {
          const playing = this.film ? this.playing : !still.matches;
          this.free();
          fit(this.canvas, bitmap, bitmap.width, bitmap.height, whole);
          this.canvas.dataset.frame = 0;
          this.bitmap = bitmap;
          if (globalThis.ImageDecoder) {
            const film = this.film = new Film(s, this.canvas, bitmap.width, bitmap.height);
            film.ready.catch(() => { this.button.hidden = true; }); // its first frame stays
          } else { // pages on plain HTTP from another machine: the browser plays it whole
            this.film = this.imageFilm(s);
          }
          this.play(playing);
        }
      } else {
        this.bitmap = bitmap;
        this.whole = whole;
        this.fitted = '';
        this.refit();
      }
      this.sample = s;
    }
    // refit draws a still picture again where its place has got another size. The first
    // drawing is of a canvas that may not be in the page yet.
    refit() {
      if (this.kind !== 'still') return;
      const size = `${this.canvas.clientWidth} ${this.canvas.clientHeight} ${devicePixelRatio}`;
      if (size === this.fitted) return;
      this.fitted = size;
      fit(this.canvas, this.bitmap, this.bitmap.width, this.bitmap.height, this.whole);
    }
    imageFilm(s) {
      const img = make('img');
      img.alt = '';
      const url = URL.createObjectURL(s.blob);
      return {
        play: () => { img.src = url; this.canvas.replaceWith(img); },
        pause: () => img.replaceWith(this.canvas),
        end: () => { img.replaceWith(this.canvas); URL.revokeObjectURL(url); },
      };
    }
    play(on) {
      this.playing = on;
      on ? this.film.play() : this.film.pause();
      this.button.ariaLabel = on ? 'Pause' : 'Play';
      this.button.title = this.button.ariaLabel;
      this.button.dataset.state = on ? 'playing' : 'paused';
    }
    toggle() { if (this.film) this.play(!this.playing); }
    free() {
      this.film?.end(); this.film = null;
      if (this.url) {
        const url = this.url;
        this.url = '';
        this.media.removeAttribute('src');
        URL.revokeObjectURL(url);
      }
    }
    end() { this.free(); }
  }

  I.saveSample = (value, i, name) => tbPaint.save(name, value.samples[i].blob);
})();
