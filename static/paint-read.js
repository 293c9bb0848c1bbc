// What the run list says of each run: its value where the crosshair is, or, at rest, the
// last one of the card that was pointed at last, or else of the first card on screen.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  let home = null; // the card whose last values are shown at rest
  // reading: name of the card, place ('' at rest, and then what its values are), the run that is nearest to the
  // pointer (-1: none), by run its curve and the number of the point there.
  P.reading = { name: '', at: '', rest: '', near: -1, points: new Map() };
  P.onRead = null;

  const say = reading => { P.reading = reading; P.onRead?.(); };

  // readAt takes what is under the pointer.
  P.readAt = (chart, { rows, near, x }) => {
    if (chart.noRuns) return;
    home = chart;
    const points = new Map();
    for (const r of rows) {
      if (r.s.list) for (const s of r.s.list) { const i = P.nearest(s, x); if (i >= 0) points.set(s.run, { s, i }); }
      else if (!points.has(r.s.run) || r === near) points.set(r.s.run, r);
    }
    say({ name: chart.name, at: P.xPlace(chart, chart.xv(x)), rest: '', near: near?.s.run ?? -1, points });
  };

  // readRest takes the last values, of a chart that has just been drawn, or come into sight, if
  // it is the one whose values are shown; without one, as when the pointer has left, of that.
  P.readRest = chart => {
    if (P.hovered || chart?.noRuns) return;
    if (!home || !P.charts.has(home) || !home.near && (!chart || chart.near)) {
      for (const c of P.charts) {
        if (c.near && c.list.length && !c.noRuns && (!home || !P.charts.has(home) || !home.near || c.host.compareDocumentPosition(home.host) & Node.DOCUMENT_POSITION_FOLLOWING)) home = c;
      }
    }
    if (!home || !P.charts.has(home) || chart && chart !== home) return;
    const points = new Map();
    const end = home.zoom?.x1 ?? null; // of a zoomed card those at its right edge
    for (const s of home.all ?? home.list) {
      const n = end === null || !s.sorted ? s.n : P.from(s.x, end + 1e-9 * Math.abs(end));
      if (n > 0) points.set(s.run, { s, i: Math.min(n, s.n) - 1 }); // of several stretches the last
    }
    say({ name: home.name, at: '', rest: end === null ? 'last' : 'last in view', near: -1, points });
  };

  // readTexts writes the values of runs, a JSON list of their numbers; '' is none.
  P.readTexts = json => {
    const list = JSON.parse(json).map(id => P.reading.points.get(id)), have = list.filter(p => p);
    const texts = P.values(have.map(p => p.s.value[p.i]), k => P.beside(have[k].s.value, have[k].i));
    let k = 0;
    return JSON.stringify(list.map(p => p ? texts[k++] : ''));
  };
  // readValue is a run's value, NaN if there is none.
  P.readValue = id => { const p = P.reading.points.get(id); return p ? p.s.value[p.i] : NaN; };
})();
