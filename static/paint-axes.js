// uPlot's part: axes, grid, cursor lines and the box of a drag.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // xText writes a place on the x axis.
  const texts = { step: v => P.step(v), index: v => P.step(v), relative: v => P.duration(v),
    process: v => P.duration(v), wall: v => P.time(v), tag: v => P.num(v) };
  P.xText = (x, v) => texts[x](v);
  // xPlace says it in a title.
  const before = { step: 'step ', index: 'point ' };
  P.xPlace = (chart, v) => chart.x === 'tag' ? `${P.xName} ${P.exact(v)}` :
    (before[chart.x] ?? '') + P.xText(chart.x, v);
  P.xName = ''; // the tag whose values are the axis

  // xTitle names the axis, for pictures, and where it is none that everybody knows.
  const titles = { step: 'Step', relative: 'Time since the start', wall: 'Time', process: 'Time at work',
    index: 'Number of the point' };
  P.xTitle = chart => (titles[chart.x] ?? P.xName) +
    (chart.xKind === 'linear' ? '' : ', ' + chart.xKind.replace(/:.*/, ''));

  // xTicks are places in mapped x and their texts; of wall times uPlot has its own.
  P.xTicks = (chart, lo, hi, w) => {
    const { x, xKind } = chart, time = x === 'relative' || x === 'process',
      write = time ? P.tickDuration : x === 'tag' ? P.tickNum : P.tickStep;
    if (xKind !== 'linear') return P.yTicks(xKind, lo, hi, Math.max(2, w / 90), write);
    if (x === 'tag') return P.yTicks('linear', lo, hi, Math.max(2, w / 90));
    let at = time ? P.durationTicks(lo, hi, Math.max(2, w / 90))
      : P.ticks(lo, hi, Math.max(2, w / 80)).filter(Number.isFinite);
    // As many digits, or units, as tell neighbours apart; of long texts as many as have room.
    const most = Math.max(...at.map(Math.abs));
    let digits = 4, text;
    do text = at.map(v => write(v, digits, most)); while (new Set(text).size < at.length && ++digits < 16);
    // Of a narrow range far out whole numbers are shorter than parts of thousands.
    if (!time && most >= 10000 && most < 1e8 && text.some(t => t.length > 5) && at.every(Number.isInteger)) {
      text = at.map(P.step);
    }
    const room = w * (at[1] - at[0]) / (hi - lo),
      every = Math.ceil((Math.max(...text.map(t => t.length)) * 6 + 6) / room);
    if (digits > 4 && every > 1) {
      at = at.filter((v, i) => i % every === 0);
      text = text.filter((t, i) => i % every === 0);
    }
    return { at, text };
  };

  const font = '11px Inter, system-ui, "Segoe UI", sans-serif';

  P.newPlot = (chart, w, h) => {
    const { x } = chart;
    let yt = null;
    const yAxis = {
      scale: 'y', font, gap: 4, stroke: () => P.theme.muted, ticks: { show: false },
      grid: { stroke: () => P.theme.grid, width: 1 },
      splits: (u, i, lo, hi) => (yt = P.yTicks(chart.view?.kind ?? 'linear', lo, hi, Math.max(2, u.height / 44))).at,
      values: () => yt.text,
      size: (u, values) => Math.max(34, 12 + 6.3 * Math.max(0, ...(values ?? []).map(v => v.length))),
    };
    /** @type {Record<string, any>} */
    const xAxis = {
      scale: 'x', font, gap: 4, size: 24, stroke: () => P.theme.muted, ticks: { show: false },
      grid: { stroke: () => P.theme.grid, width: 1 },
    };
    if (x === 'process' || x === 'index' || x === 'tag') {
      Object.assign(xAxis, { label: P.xTitle(chart), labelFont: font, labelSize: 14, labelGap: 0 });
    }
    if (chart.xKind !== 'linear' || x !== 'wall') {
      let xt = null;
      xAxis.splits = (u, i, lo, hi) => (xt = P.xTicks(chart, lo, hi, u.width)).at;
      xAxis.values = () => xt.text;
    } else {
      xAxis.space = 70; // at uPlot's own calendar ticks
      // Where the day stands below the time there are two lines.
      xAxis.size = (u, values) => values?.some(v => v.includes('\n')) ? 38 : 24;
      xAxis.values = (u, at, i, space, step) => P.timeTicks(at, step);
    }
    // The right axis, in the same way, without lines of its own.
    let rt = null;
    const right = chart.rightTags?.size ? { right: { auto: false, range: (u, lo, hi) => [lo, hi] } } : {};
    const rightAxis = {
      ...yAxis, scale: 'right', side: 1, grid: { show: false },
      splits: (u, i, lo, hi) =>
        (rt = P.yTicks(chart.view?.right?.kind ?? 'linear', lo, hi, Math.max(2, u.height / 44))).at,
      values: () => rt.text,
    };
    return new uPlot({
      width: w, height: h, legend: { show: false },
      padding: [() => chart.pad?.[0] ?? 8, () => chart.pad?.[1] ?? 18, 0, 0],
      // Linear in mapped space, whatever the card's scale.
      scales: { x: { time: x === 'wall' && chart.xKind === 'linear', auto: false, range: (u, lo, hi) => [lo, hi] },
        y: { auto: false, range: (u, lo, hi) => [lo, hi] }, ...right },
      axes: right.right ? [xAxis, yAxis, rightAxis] : [xAxis, yAxis],
      series: [{}],
      cursor: {
        x: false, y: false, points: { show: false },
        drag: { x: true, y: true, uni: 24, dist: 4, setScale: false },
        bind: {
          dblclick: () => e => { P.unpin(); chart.fit(); },
          mousedown: (u, el, handler) => e => {
            if (e.button === 1 || e.shiftKey || e.altKey) P.startPan(chart, e); else handler(e);
          },
        },
      },
      hooks: {
        setSelect: [u => {
          const { left, top, width, height } = u.select;
          if (width < 4 && height < 4) return;
          const flat = height >= u.over.clientHeight - 1, tall = width >= u.over.clientWidth - 1;
          const r = chart.measure();
          chart.zoomTo(tall ? r.x0 : u.posToVal(left, 'x'), tall ? r.x1 : u.posToVal(left + width, 'x'),
            flat ? null : u.posToVal(top + height, 'y'), flat ? null : u.posToVal(top, 'y'));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        // also of a new plot, where no pointer is
        setCursor: [u => { if (u.cursor.left >= 0 || P.hovered === chart) P.hoverSoon(chart); }],
      },
    }, [[0, 1]], chart.host);
  };

  // startPan moves the view with the pointer until the button is let go.
  P.startPan = (chart, e) => {
    let { clientX, clientY } = e;
    const box = chart.u.over.getBoundingClientRect();
    const move = m => {
      chart.pan(-(m.clientX - clientX) / box.width, (m.clientY - clientY) / box.height);
      clientX = m.clientX; clientY = m.clientY;
    };
    const stop = () => {
      removeEventListener('mousemove', move);
      removeEventListener('mouseup', stop);
      chart.panned = performance.now();
    };
    addEventListener('mousemove', move);
    addEventListener('mouseup', stop);
  };

  // bindPointer: wheel with Alt or Ctrl zooms at the pointer, a click pins the
  // tooltip, with Ctrl or Cmd it shows a run alone. A plain wheel scrolls the page.
  P.bindPointer = chart => {
    const over = chart.u.over;
    over.addEventListener('wheel', e => {
      if (!e.altKey && !e.ctrlKey) return;
      e.preventDefault();
      const b = over.getBoundingClientRect();
      const lines = e.deltaMode === 1 ? 16 : 1;
      chart.zoomBy(Math.exp(Math.max(-200, Math.min(200, (e.deltaY || e.deltaX) * lines)) * 0.0025),
        (e.clientX - b.left) / b.width, 1 - (e.clientY - b.top) / b.height);
    }, { passive: false });
    // The middle button pans; without this it would start the browser's scrolling.
    over.addEventListener('mousedown', e => { if (e.button === 1) e.preventDefault(); });
    over.addEventListener('click', e => {
      if (performance.now() - chart.panned < 50) return;
      if (e.ctrlKey || e.metaKey) P.onlyAt(chart, e); else P.pin(chart, e);
    });
    bindTouch(chart, over);
  };

  // What a finger has read stays when it is lifted, until the page is scrolled away under it.
  let fingered = null;
  addEventListener('scroll', e => {
    if (!fingered || !/** @type {Node} */ (e.target).contains(fingered.host)) return;
    fingered.u?.setCursor({ left: -10, top: -10 });
    fingered = null;
  }, { capture: true, passive: true });

  // bindTouch: two fingers zoom and move, one that goes sideways reads values; one that
  // goes up or down scrolls the page, which is the browser's (touch-action).
  function bindTouch(chart, over) {
    let last = null;
    const spot = e => {
      const b = over.getBoundingClientRect(), [p, q] = e.touches;
      return { x: (p.clientX + q.clientX) / 2, y: (p.clientY + q.clientY) / 2,
        d: Math.hypot(p.clientX - q.clientX, p.clientY - q.clientY), b };
    };
    over.addEventListener('touchstart', e => { if (e.touches.length === 2) { e.preventDefault(); last = spot(e); } },
      { passive: false });
    over.addEventListener('touchmove', e => {
      if (e.touches.length === 1 && !last) {
        const b = over.getBoundingClientRect(), t = e.touches[0];
        fingered = chart;
        chart.u.setCursor({ left: t.clientX - b.left, top: t.clientY - b.top });
        return;
      }
      if (e.touches.length !== 2 || !last) return;
      e.preventDefault();
      const now = spot(e), { b } = now;
      chart.pan((last.x - now.x) / b.width, (now.y - last.y) / b.height);
      if (now.d > 10 && last.d > 10) {
        chart.zoomBy(last.d / now.d, (now.x - b.left) / b.width, 1 - (now.y - b.top) / b.height);
      }
      last = now;
    }, { passive: false });
    const end = e => { if (e.touches.length < 2) { if (last) chart.panned = performance.now(); last = null; } };
    over.addEventListener('touchend', end);
    over.addEventListener('touchcancel', end);
  }
})();
