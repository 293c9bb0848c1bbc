// A distribution over the steps: nine percentiles as lines, the median strong, and bands
// between them. It is a chart of nine curves (paint-chart.js), so axes, zoom, pointer and
// table of values are those of curves.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};
  const H = globalThis.tbHistogram ??= {};

  // The points stand in shared/histogram, too: both ends, and half standard deviations of
  // a normal distribution.
  const NAMES = ['0 %: least', '6.68 %', '15.87 %', '30.85 %', '50 %: median', '69.15 %', '84.13 %', '93.32 %',
    '100 %: greatest'];
  const SHADES = [0.08, 0.16, 0.28, 0.42]; // of the bands, from outside to inside
  const FADED = [0.72, 0.6, 0.5, 0.4, 0]; // of the lines, likewise
  const FIRST = 1_000_000; // curves have numbers that no run has
  let charts = 0;

  P.Bands = class extends P.Chart {
    static busy = 0; // ms spent on drawing since the start
    constructor(host, tell, name) {
      super(host, tell, name);
      // The table has all nine, the greatest first, whatever that of runs has.
      this.base = FIRST + 16 * charts++; this.color = '#888888'; this.smoothed = false;
      this.painter = P.Bands; this.tipRows = 9; this.tipOrder = 'descending'; this.noRuns = true;
    }
    static make(host, tell, name) { const c = new P.Bands(host, tell, name); P.charts.add(c); return c; }
    destroy() { for (let k = 0; k < 9; k++) P.runs.delete(this.base + k); super.destroy(); }

    // ink sets the colour of the run.
    ink(color) {
      this.color = color;
      P.setRuns(
        JSON.stringify(NAMES.map((name, k) => [this.base + k, name, H.faded(color, FADED[Math.min(k, 8 - k)])])));
    }

    // takeBands takes an answer: its part as JSON, and its buffer; see
    // shared/kind/distributions.
    takeBands(rev, json, buffer) {
      const p = JSON.parse(json), n = p.n, column = k => new Float64Array(buffer, 8 * k * n, n);
      const step = column(0), wall = column(1), start = n ? wall[0] : 0;
      let x = this.x === 'step' ? step : this.x === 'wall' ? wall : wall.map(w => w - start);
      if (this.xKind !== 'linear') x = Float64Array.from(x, P.scale(this.xKind).to);
      let lo = Infinity, hi = -Infinity, sorted = true;
      for (let i = 0; i < n; i++) {
        if (!(i === 0 || x[i] >= x[i - 1])) sorted = false;
        if (x[i] < lo && x[i] > -Infinity) lo = x[i];
        if (x[i] > hi && x[i] < Infinity) hi = x[i];
      }
      this.take(rev);
      // The greatest first: the table of values begins at the top.
      for (let k = 8; k >= 0; k--) {
        const value = column(2 + k);
        this.next.push({
          run: this.base + k, n, kept: n, points: p.count, start, preview: false, step, wall, value, smooth: value,
          wallBase: 0, piece: 0, tag: 0,
          x, lo, hi, sorted, odd: n === 1 || !(hi >= lo),
        });
      }
      this.done();
    }

    blit(v) {
      super.blit(v);
      const by = new Map(this.list.map(s => [s.run - this.base, s])), at = P.place(v),
        ctx = this.lines.getContext('2d');
      if (by.size < 9) return;
      ctx.save();
      ctx.globalCompositeOperation = 'destination-over'; // behind the lines
      ctx.fillStyle = this.color;
      const clamp = y => Number.isNaN(y) ? v.h : Math.max(-10, Math.min(v.h + 10, y));
      for (let k = 0; k < 8; k++) {
        const a = by.get(k), b = by.get(k + 1);
        ctx.globalAlpha = SHADES[Math.min(k, 7 - k)];
        ctx.beginPath();
        for (let i = 0; i < a.n; i++) ctx[i ? 'lineTo' : 'moveTo'](at.x(a.x[i]), clamp(at.y(a.value[i])));
        for (let i = b.n - 1; i >= 0; i--) ctx.lineTo(at.x(b.x[i]), clamp(at.y(b.value[i])));
        ctx.fill();
      }
      ctx.restore();
    }

    describe() {
      const median = this.list.find(s => s.run === this.base + 4), n = median?.n ?? 0;
      this.host.setAttribute('aria-label',
        n
        ? `Distribution ` +
        `at ${n} of ${median.points} steps, ${this.x} ${P.xText(this.x, this.xv(median.lo))} ` +
        `to ${P.xText(this.x, this.xv(median.hi))}, ` +
        `median at the end ${P.num(median.value[n - 1])}` : 'No points');
    }
  };
})();
