// Marked steps of a card: one, or a range between two. Each has a fob below the axis, to
// be dragged, typed into and taken away, and a line in the plot.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const names = ['Marked step', 'Marked end of the range'];

  // setFobs marks steps, NaN where there is none.
  P.setFobs = (chart, a, b) => {
    chart.fobs = [a, b];
    P.placeFobs(chart);
  };

  // make puts the strip below the axis, where a click marks a step.
  function make(chart) {
    const strip = P.el('div', 'fob-strip');
    strip.title = 'Click to mark a step; once more for a range';
    strip.addEventListener('click', e => {
      if (e.target !== strip || chart.x !== 'step') return;
      const [a, b] = chart.fobs ?? [NaN, NaN], v = at(chart, e.clientX);
      // The first click marks a step, the second the other end, a third moves the nearer.
      const k = Number.isNaN(a) ? 0 : Number.isNaN(b) || Math.abs(v - b) < Math.abs(v - a) ? 1 : 0;
      chart.tell('fob', k, v);
    });
    const range = P.el('div', 'fob-range'), lines = [0, 1].map(() => P.el('div', 'plot-cross fob-line'));
    chart.over.parentNode.append(range, ...lines);
    chart.u.root.append(strip);
    return { strip, range, lines, fobs: [] };
  }

  // makeFob makes one of a card's two, when it has a step to show for the first time.
  function makeFob(chart, k) {
    const fob = P.el('div', 'fob'), input = P.el('input', ''), close = P.el('button', '');
    input.type = 'text';
    input.inputMode = 'numeric';
    input.setAttribute('aria-label', names[k]);
    close.type = 'button';
    close.textContent = '×';
    close.setAttribute('aria-label', 'Remove: ' + names[k].toLowerCase());
    close.addEventListener('click', () => chart.tell('fob', k, NaN));
    const typed = () => {
      const v = Number(input.value.replaceAll(',', ''));
      if (input.value.trim() !== '' && Number.isFinite(v)) {
        if (v !== chart.fobs[k]) chart.tell('fob', k, v);
      } else P.placeFobs(chart, true);
    };
    input.addEventListener('change', typed);
    input.addEventListener('keydown', e => {
      const way = { ArrowUp: 1, ArrowDown: -1 }[e.key];
      if (e.key === 'Enter') { typed(); input.select(); }
      if (!way) return;
      e.preventDefault();
      const next = P.beyond(chart, chart.xm(chart.fobs[k]), way);
      if (next !== null) { chart.tell('fob', k, chart.xv(next)); P.placeFobs(chart, true); }
    });
    fob.addEventListener('pointerdown', e => {
      if (e.target === close || e.button !== 0) return;
      const from = e.clientX;
      let moved = false;
      const move = m => {
        if (!moved && Math.abs(m.clientX - from) < 4) return;
        if (!moved) { moved = true; fob.setPointerCapture(e.pointerId); input.blur(); }
        const v = at(chart, m.clientX);
        if (v !== chart.fobs[k]) {
          chart.fobs[k] = v;
          P.placeFobs(chart);
          fob.tbSoon ??= setTimeout(() => { fob.tbSoon = null; chart.tell('fob', k, chart.fobs[k]); }, 60);
        }
      };
      const stop = () => {
        removeEventListener('pointermove', move);
        removeEventListener('pointerup', stop);
        removeEventListener('pointercancel', stop);
      };
      addEventListener('pointermove', move);
      addEventListener('pointerup', stop);
      addEventListener('pointercancel', stop);
    });
    fob.append(input, close);
    return { fob, input };
  }

  // at is the step of a point that is nearest to a place on the screen.
  function at(chart, clientX) {
    const b = chart.u.over.getBoundingClientRect(),
      m = chart.u.posToVal(Math.max(0, Math.min(b.width, clientX - b.left)), 'x');
    let best = m, d = Infinity;
    for (const s of chart.list) {
      const i = P.nearest(s, m);
      if (i >= 0 && Math.abs(s.x[i] - m) < d) { d = Math.abs(s.x[i] - m); best = s.x[i]; }
    }
    return Math.round(chart.xv(best));
  }

  // farStep is the step of the first or the last point that is seen, whichever is farther
  // from a step; the last one from NaN; NaN without a point.
  P.farStep = (chart, from) => {
    const { x0, x1 } = chart.measure();
    let lo = Infinity, hi = -Infinity, first = NaN, last = NaN;
    for (const s of chart.list) {
      for (let i = 0; i < s.n; i++) {
        const x = s.x[i];
        if (!(x >= x0 && x <= x1)) continue;
        if (x < lo) { lo = x; first = s.step[i]; }
        if (x > hi) { hi = x; last = s.step[i]; }
      }
    }
    return from - first > last - from ? first : last;
  };

  // placeFobs brings them to the present range; again: what is being typed too.
  P.placeFobs = (chart, again) => {
    if (!chart.u || !chart.view || !chart.fobs) return; // charts of other kinds have none
    const parts = chart.fobParts?.strip.isConnected ? chart.fobParts : (chart.fobParts = make(chart));
    const { x0, x1, w } = chart.view, { bbox, width } = chart.u, r = devicePixelRatio, [a, b] = chart.fobs;
    const on = chart.x === 'step';
    parts.strip.hidden = !on;
    const key = [bbox.left, bbox.top, bbox.width, bbox.height, x0, x1, a, b, on, width].join();
    if (parts.key === key && !again) return;
    parts.key = key;
    Object.assign(parts.strip.style,
      { left: bbox.left / r + 'px', width: bbox.width / r + 'px', top: (bbox.top + bbox.height) / r + 'px' });
    const place = v => (chart.xm(v) - x0) / (x1 - x0) * w / r;
    [a, b].forEach((v, k) => {
      const p = place(v), there = on && !Number.isNaN(v), inside = p >= 0 && p <= w / r;
      parts.lines[k].style.visibility = there && inside ? 'visible' : 'hidden';
      if (there && !parts.fobs[k]) {
        parts.fobs[k] = makeFob(chart, k);
        parts.strip[k === 0 ? 'prepend' : 'append'](parts.fobs[k].fob);
      }
      if (parts.fobs[k]) parts.fobs[k].fob.hidden = !there;
      if (!there) return;
      const { fob, input } = parts.fobs[k];
      fob.classList.toggle('off', !inside); // the card's range does not reach it
      fob.title = inside ? '' : 'Beyond what this card shows';
      fob.style.transform = `translateX(calc(${Math.max(0, Math.min(w / r, p)).toFixed(1)}px - 50%))`;
      parts.lines[k].style.transform = `translateX(${Math.round(p)}px)`;
      const text = P.step(v);
      input.size = Math.max(2, text.length);
      if (document.activeElement !== input || again || Number(input.value.replaceAll(',', '')) !== v) {
        input.value = text;
      }
    });
    // A picture has nothing in it that can be typed into.
    chart.host.setAttribute('role', parts.fobs.some(f => f && !f.fob.hidden) ? 'group' : 'img');
    const both = on && !Number.isNaN(a) && !Number.isNaN(b);
    parts.range.hidden = !both;
    if (both) {
      const p = Math.max(0, place(Math.min(a, b))), q = Math.min(w / r, place(Math.max(a, b)));
      Object.assign(parts.range.style, { left: p + 'px', width: Math.max(0, q - p) + 'px' });
    }
  };
})();
