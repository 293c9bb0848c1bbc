// What the run list says of each run: its value where the crosshair is, or, at rest, the
// last one of the card that was pointed at last, or else of the first card on screen.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // home is the card whose last values are shown at rest; led says that the pointer was there.
  let home = null, led = false;
  // reading: name of the card, place ('' at rest, and then what its values are), the run that is nearest to the
  // pointer (-1: none), by run its curve, the number of the point there, and whether that is
  // surely the nearest that was logged; the place in the mapped x axis (null at rest), and the chart.
  P.reading = { name: '', at: '', rest: '', near: -1, points: new Map() };
  P.onRead = null;

  // nameOf is what values are of: the card, and of several tags which one.
  const nameOf = (chart, tag) => chart.name + (chart.tags.length > 1 ? ' · ' + chart.tags[tag] : '');

  const say = reading => { P.reading = reading; P.onRead?.(); };

  // readAt takes what is under the pointer.
  P.readAt = (chart, { rows, near, x }) => {
    if (chart.noRuns) return;
    home = chart;
    led = true;
    const points = new Map(), tag = near?.s.tag ?? 0;
    for (const r of rows) {
      if (r.s.tag !== tag) continue; // one heading, one tag
      if (r.s.list)
        for (const s of r.s.list) {
          const i = P.nearest(s, x);
          if (i >= 0) points.set(s.run, { s, i, sure: r.sure && P.isSure(s, i, x) });
        }
      else if (!points.has(r.s.run) || r === near) points.set(r.s.run, r);
    }
    say({ name: nameOf(chart, tag), at: P.xPlace(chart, chart.xv(x)), rest: '', near: near?.s.run ?? -1, points, chart,
      x });
  };

  const precedes = (a, b) => a.host.compareDocumentPosition(b.host) & Node.DOCUMENT_POSITION_FOLLOWING;

  // readRest takes the last values, of a chart that has just been drawn, or come into sight, if
  // it is the one whose values are shown; without one, as when the pointer has left, of that.
  // Cards are drawn in the order of their answers: the first one takes the place of those below.
  P.readRest = chart => {
    if (P.hovered || chart?.noRuns) return;
    const comes = chart?.near && !chart.rested && chart.list.length;
    if (comes) chart.rested = true;
    const gone = () => !home || !P.charts.has(home);
    if (gone() || !home.near && (!chart || chart.near) || comes && !led && precedes(chart, home)) {
      for (const c of P.charts) {
        if (c.near && c.list.length && !c.noRuns && (gone() || !home.near || precedes(c, home))) {
          home = c;
          led = false;
        }
      }
    }
    if (!home || !P.charts.has(home)) return;
    const all = [home]; // and the charts of the other parts of the runs
    for (const c of P.charts) if (home.join && c !== home && c.join === home.join && !c.noRuns) all.push(c);
    if (chart && !all.includes(chart)) return;
    const points = new Map();
    const end = home.zoom?.x1 ?? null; // of a zoomed card those at its right edge
    const series = all.flatMap(c => c.all ?? c.list), tag = series.reduce((t, s) => Math.min(t, s.tag), Infinity);
    for (const s of series) {
      if (s.tag !== tag) continue;
      const n = end === null || !s.sorted ? s.n : P.from(s.x, end + 1e-9 * Math.abs(end));
      if (n > 0) points.set(s.run, { s, i: Math.min(n, s.n) - 1, sure: true }); // of several stretches the last
    }
    say({ name: nameOf(home, series.length ? tag : 0), at: '', rest: end === null ? 'last' : 'last in view', near: -1,
      points, chart: home, x: null });
  };

  // readTexts writes the values of runs, a JSON list of their numbers; '' is none, and the
  // character 0 stands between two. What is not sure begins with "≈". After a line break stands
  // where a value is from, if that is another place than the heading's. Behind all stand the pads
  // of each, for a column that has so much room.
  P.readTexts = (json, room) => {
    const list = JSON.parse(json).map(id => P.reading.points.get(id)), have = list.filter(p => p);
    const texts = P.values(have.map(p => p.s.value[p.i]), k => P.beside(have[k].s.value, have[k].i));
    const { chart, x } = P.reading,
      from = p => x !== null && chart.x === 'step' && p.s.x[p.i] !== x ? '\n' + P.xPlace(chart, p.s.step[p.i]) : '';
    let k = 0;
    const values = list.map(p => p ? (p.sure ? '' : '≈ ') + texts[k++] : '');
    return [...values.map((text, i) => text + (list[i] ? from(list[i]) : '')), ...P.pads(values, room)].join('\0');
  };
  // readValue is a run's value, NaN if there is none.
  P.readValue = id => { const p = P.reading.points.get(id); return p ? p.s.value[p.i] : NaN; };
})();
