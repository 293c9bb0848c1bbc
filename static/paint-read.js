// What the run list says of each run: its value where the crosshair is, or, at rest, the
// last one of the card that was pointed at last, or else of the first card on screen.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  let home = null; // the card whose last values are shown at rest
  // reading: name of the card, place ('' at rest), the run that is nearest to the
  // pointer (-1: none), values by run.
  P.reading = { name: '', at: '', near: -1, values: new Map() };
  P.onRead = null;

  const say = reading => { P.reading = reading; P.onRead?.(); };

  // readAt takes what is under the pointer.
  P.readAt = (chart, { rows, near, x }) => {
    if (chart.noRuns) return;
    home = chart;
    const values = new Map();
    for (const r of rows) {
      if (r.s.list) for (const s of r.s.list) { const i = P.nearest(s, x); if (i >= 0) values.set(s.run, s.value[i]); }
      else if (!values.has(r.s.run) || r === near) values.set(r.s.run, r.s.value[r.i]);
    }
    say({ name: chart.name, at: P.xPlace(chart, chart.xv(x)), near: near?.s.run ?? -1, values });
  };

  // readRest takes the last values; chart is one that has just been drawn, or left.
  P.readRest = chart => {
    if (P.hovered || chart.noRuns) return;
    if (!home || !P.charts.has(home) || !home.near && chart.near) {
      for (const c of P.charts) {
        if (c.near && c.list.length && !c.noRuns && (!home || !P.charts.has(home) || !home.near || c.host.compareDocumentPosition(home.host) & Node.DOCUMENT_POSITION_FOLLOWING)) home = c;
      }
    }
    if (chart !== home) return;
    const values = new Map();
    for (const s of home.all ?? home.list) if (s.n > 0) values.set(s.run, s.value[s.n - 1]); // of several stretches the last
    say({ name: home.name, at: '', near: -1, values });
  };

  // readTexts writes the values of runs, a JSON list of their numbers; '' is none.
  P.readTexts = json => {
    const list = JSON.parse(json).map(id => P.reading.values.get(id)), have = list.filter(v => v !== undefined), texts = P.values(have);
    let k = 0;
    return JSON.stringify(list.map(v => v === undefined ? '' : texts[k++]));
  };
  // readValue is a run's value, NaN if there is none.
  P.readValue = id => P.reading.values.get(id) ?? NaN;
})();
