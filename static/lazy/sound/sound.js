// A clip of sound: the browser's own player, and above it the waveform and a spectrogram.
// The browser decodes off the page's thread; drawing gives way every few milliseconds.
{
  const S = (globalThis.tbSound ??= {});
  // MOST is how many samples of one channel are drawn: ten minutes at 48,000 a second.
  const MOST = 30_000_000;
  const SIZE = 1024; // of a spectrum's window, samples
  const BREATH = 8; // ms of drawing at a time

  const make = tbPaint.el;
  // Colours from quiet to loud, as those of "magma": dark to light in every kind of sight.
  const STOPS = [[0, 0, 4], [81, 18, 124], [183, 55, 121], [252, 137, 97], [252, 253, 191]];
  const COLORS = Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (STOPS.length - 1), k = Math.min(STOPS.length - 2, Math.floor(at));
    return STOPS[k].map((v, c) => Math.round(v + (STOPS[k + 1][c] - v) * (at - k)));
  });

  // Clip makes the parts of a clip in host. sample is what the program says of it, buffer
  // what it is a part of.
  S.Clip = class {
    constructor(host, json, buffer) {
      this.s = JSON.parse(json);
      this.host = host;
      this.ended = false;
      const s = this.s;
      this.blob = new Blob([new Uint8Array(buffer, s.offset, s.length)],
        { type: s.format || "application/octet-stream" });
      if (s.error) return;
      this.url = URL.createObjectURL(this.blob);
      this.wave = make("canvas", "sound-wave");
      this.spectrum = make("canvas", "sound-spectrum");
      this.head = make("div", "sound-head");
      this.picture = make("div", "sound-picture");
      this.picture.append(this.wave, this.spectrum, this.head);
      this.picture.title = "Click to play from there";
      this.player = make("audio");
      Object.assign(this.player, { controls: true, preload: "auto", src: this.url });
      this.player.onerror = () => this.decoded.then(() => this.fail());
      this.player.onplaying = () => { this.failed?.remove(); this.failed = null; };
      this.player.ontimeupdate = this.player.onseeked = () => this.place();
      this.picture.onclick = (e) => {
        const r = this.picture.getBoundingClientRect(), d = this.player.duration;
        if (this.player.error) this.player.load();
        if (Number.isFinite(d)) {
          this.player.currentTime = Math.max(0, Math.min(d, ((e.clientX - r.x) / r.width) * d));
          this.player.play().catch(() => {});
        }
      };
      host.append(this.picture, this.player);
      this.sizes = tbSizes(() => this.draw());
      this.sizes.observe(this.picture);
      this.decoded = this.decode();
    }
    // fail says why a clip is not heard. One that could be decoded stays: then it is the
    // machine's sound that fails, as on one without a sound card, and one can try again.
    fail() {
      if (this.ended || this.failed) return;
      if (!this.sound) {
        this.say("The browser cannot play this clip: it is damaged, or of a kind that it does not know.");
        return;
      }
      this.failed = make("p", "quiet");
      this.failed.textContent = "The browser could not play this: is there a sound output? The clip itself is whole.";
      this.player.after(this.failed);
    }
    say(text) { const p = make("p", "quiet"); p.textContent = text; this.picture.replaceWith(p); this.player.remove(); }
    async decode() {
      const { rate, seconds } = this.s;
      if (rate && rate * seconds > MOST) { this.picture.hidden = true; return; } // it can be played all the same
      try {
        // The clip's own rate, so that no sample is changed.
        const context = new OfflineAudioContext(1, 1, Math.max(3000, Math.min(768000, rate || 44100)));
        this.sound = await context.decodeAudioData(await this.blob.arrayBuffer());
      } catch {
        this.picture.hidden = true; // the player says whether it can be played
        return;
      }
      if (!this.ended) { this.host.dataset.seconds = this.sound.duration.toFixed(3); this.draw(); }
    }
    place() {
      const d = this.player.duration;
      this.head.style.left = Number.isFinite(d) && d > 0 ? (100 * this.player.currentTime) / d + "%" : "0";
    }
    async draw() {
      const ticket = (this.ticket = {});
      if (!this.sound || this.ended) return;
      const data = this.sound.getChannelData(0), ratio = devicePixelRatio;
      const size = (c) => {
        const w = Math.round(c.clientWidth * ratio), h = Math.round(c.clientHeight * ratio);
        if (w > 0 && h > 0 && (c.width !== w || c.height !== h)) { c.width = w; c.height = h; }
        return [c.width, c.height];
      };
      let since = performance.now();
      const goesOn = async () => {
        if (performance.now() - since < BREATH) return true;
        await tbTurn();
        since = performance.now();
        return this.ticket === ticket && !this.ended;
      };
      { // least and greatest sample of each column
        const [w, h] = size(this.wave), ctx = this.wave.getContext("2d"), n = data.length;
        ctx.clearRect(0, 0, w, h);
        ctx.fillStyle = getComputedStyle(this.wave).color;
        for (let x = 0; x < w; x++) {
          let lo = 1, hi = -1;
          for (let i = Math.floor((x * n) / w), end = Math.max(i + 1, Math.floor(((x + 1) * n) / w)); i < end &&
              i < n; i++) {
            const v = data[i];
            if (v < lo) lo = v;
            if (v > hi) hi = v;
          }
          const top = (1 - Math.min(1, hi)) * 0.5 * h, bottom = (1 - Math.max(-1, lo)) * 0.5 * h;
          ctx.fillRect(x, top, 1, Math.max(1, bottom - top));
          if (!(await goesOn())) return;
        }
      }
      { // a spectrum for every second column, low tones below, in decibels
        const [w, h] = size(this.spectrum), ctx = this.spectrum.getContext("2d"), image = ctx.createImageData(w, h);
        const fft = new FFT(SIZE), input = new Array(SIZE), output = fft.createComplexArray(),
          loud = new Float32Array(SIZE / 2);
        for (let x = 0; x < w; x += 2) {
          const at = Math.floor(((x + 0.5) * data.length) / w) - SIZE / 2;
          // Hann's window; what is no number is silent
          for (let i = 0; i < SIZE; i++) {
            input[i] = (Number.isFinite(data[at + i]) ? data[at + i] : 0) *
              (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));
          }
          fft.realTransform(output, input);
          for (let k = 0; k < SIZE / 2; k++) {
            loud[k] = 10 * Math.log10(output[2 * k] ** 2 + output[2 * k + 1] ** 2 + 1e-12) - 20 * Math.log10(SIZE / 4);
          }
          for (let y = 0; y < h; y++) {
            const k = Math.min(SIZE / 2 - 1, Math.floor(((h - 1 - y) / h) * (SIZE / 2))),
              c = COLORS[Math.max(0, Math.min(255, Math.round(((loud[k] + 90) / 90) * 255)))];
            for (let d = 0; d < 2 && x + d < w; d++) {
              const p = 4 * (y * w + x + d);
              image.data[p] = c[0];
              image.data[p + 1] = c[1];
              image.data[p + 2] = c[2];
              image.data[p + 3] = 255;
            }
          }
          if (!(await goesOn())) return;
        }
        ctx.putImageData(image, 0, 0);
        this.host.dataset.drawn = "true";
      }
    }
    save(name) { tbPaint.save(name, this.blob); }
    close() {
      this.ended = true;
      this.sizes?.disconnect();
      if (this.player) {
        this.player.pause();
        this.player.removeAttribute("src");
        this.player.load();
        URL.revokeObjectURL(this.url);
      }
      this.sound = null;
    }
  };
}
