// The table below a card: each run's numbers at the marked step, or of the range between
// two. The numbers come from the workers, from every point that is kept; here they are
// written and sorted.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // Places of a run's numbers, as in shared/kind/scalars/table.go.
  const [STEP, WALL, VALUE, SMOOTHED, END_STEP, , END_VALUE, END_SMOOTHED, LEAST, LEAST_STEP, GREATEST, GREATEST_STEP,
    MEAN, POINTS] = Array(14).keys();

  // sorted is what tables are sorted by: a column's name, and which way.
  const sorted = { by: 'Run', down: false };

  const numbers = (list, beside) => P.values(list, beside).map((t, i) => Number.isNaN(list[i]) ? '–' : t);
  const steps = list => list.map(v => Number.isNaN(v) ? '–' : P.step(v));
  const percent = list => list.map(v => Number.isFinite(v) ? P.num(100 * v, 3) + ' %' : '–');

  // near is which step a value stands at, so that it is told with the digits that tell it
  // from the points beside it.
  const near = new Map([[VALUE, STEP], [SMOOTHED, STEP], [END_VALUE, END_STEP], [END_SMOOTHED, END_STEP],
    [LEAST, LEAST_STEP], [GREATEST, GREATEST_STEP]]);
  const value = (name, place) => [name, r => r.n[place], numbers, (chart, r) => {
    const m = chart.xm(r.n[near.get(place)]),
      s = r.group ?? chart.all?.find(s => s.run === r.run && s.tag === r.tag && m >= s.lo && m <= s.hi),
      i = s ? P.nearest(s, m) : -1;
    return i < 0 ? [] : P.beside(place === SMOOTHED || place === END_SMOOTHED ? s.smooth : s.value, i);
  }];

  const columns = (ranged, smoothed) => {
    const y = smoothed ? SMOOTHED : VALUE, end = smoothed ? END_SMOOTHED : END_VALUE;
    if (!ranged) {
      return [
        ...(smoothed ? [value('Smoothed', SMOOTHED)] : []),
        value('Value', VALUE), ['Step', r => r.n[STEP], steps],
        ['Time', r => r.n[WALL], list => list.map(P.time)],
        ['Relative', r => r.n[WALL] - r.start, list => list.map(P.duration)],
      ];
    }
    return [
      value('Min', LEAST), value('Max', GREATEST), value('Start', y), value('End', end),
      ['Change', r => r.n[end] - r.n[y], numbers], ['%', r => (r.n[end] - r.n[y]) / r.n[y], percent],
      ['Mean', r => r.n[MEAN], numbers],
      ['Start step', r => r.n[STEP], steps], ['End step', r => r.n[END_STEP], steps],
      ['Step of min', r => r.n[LEAST_STEP], steps],
      ['Step of max', r => r.n[GREATEST_STEP], steps], ['Points', r => r.n[POINTS], steps],
    ];
  };

  // table fills box with the runs of the chunks, each {head, buffer}.
  P.table = (box, tags, chunks, ranged, smoothed, note) => {
    const rows = [];
    for (const { head, buffer } of chunks) {
      for (const { run, tag, start, offset, n } of P.heads(head)) {
        rows.push({ run, tag, start, n: new Float64Array(buffer, offset, n) });
      }
    }
    P.copies(box, 0);
    box.tbShow = { tags, rows, columns: columns(ranged, smoothed), note };
    show(box);
  };

  // grouped puts a row of the mean in place of the rows of a group that the chart shows as one
  // line, where it has a point at the marked steps.
  function grouped(chart, rows) {
    const means = [], gone = new Set();
    for (const s of chart?.list ?? []) {
      const at = s.list ? chart.fobs.filter(v => !Number.isNaN(v)).map(v => chart.xm(v)).sort((a, b) => a - b) : [];
      if (!at.length || at.some(m => m < s.lo || m > s.hi)) continue;
      const [i, k] = at.length > 1 ? at.map(m => P.nearest(s, m)) : [P.nearest(s, at[0]), P.nearest(s, at[0])], n = [];
      const point = (to, i) => {
        n[to] = s.step[i];
        n[to + 1] = s.wall[i] + s.wallBase;
        n[to + 2] = s.value[i];
        n[to + 3] = s.smooth[i];
      };
      point(STEP, i);
      point(END_STEP, k);
      const ys = chart.smoothed ? s.smooth : s.value;
      let sum = 0, least = i, greatest = i;
      n[POINTS] = 0;
      for (let j = i; j <= k; j++) {
        if (!Number.isFinite(ys[j])) continue;
        if (!(ys[j] >= ys[least])) least = j;
        if (!(ys[j] <= ys[greatest])) greatest = j;
        sum += ys[j];
        n[POINTS]++;
      }
      n[LEAST] = ys[least]; n[LEAST_STEP] = s.step[least]; n[GREATEST] = ys[greatest];
      n[GREATEST_STEP] = s.step[greatest]; n[MEAN] = sum / n[POINTS];
      means.push({ run: s.run, tag: s.tag, start: s.start, n, group: s, i });
      for (const run of s.runs) gone.add(run + '/' + s.tag);
    }
    return [...rows.filter(r => !gone.has(r.run + '/' + r.tag)), ...means];
  }

  // P.retable writes all tables anew.
  P.retable = () => { for (const b of document.querySelectorAll('.steps-table')) if (b.tbShow) show(b); };

  function show(box) {
    const { tags, note } = box.tbShow, chart = box.parentNode.querySelector('.plot').tbChart;
    let { columns } = box.tbShow;
    // How far each run is from the baseline: of a range, its mean.
    const ranged = columns[0][0] === 'Min', place = ranged ? MEAN : columns[0][0] === 'Smoothed' ? SMOOTHED : VALUE;
    const base = new Map(box.tbShow.rows.filter(r => r.run === P.baseline).map(r => [r.tag, r.n[place]]));
    const apart = r => r.run === P.baseline && !r.group ? NaN : r.n[place] - (base.get(r.tag) ?? NaN);
    columns = columns.filter(c => c[0] !== 'Δ baseline');
    if (base.size) {
      columns.splice(columns.findIndex(c => c[0] === (ranged ? 'Mean' : 'Value')) + 1, 0,
        ['Δ baseline', apart, P.signed]);
    }
    const rows = grouped(chart, box.tbShow.rows.filter(r => r.run !== chart?.beside));
    // Beside the mean at a step stands its band.
    const band = (r, exact) => r.group ? P.bandText(chart, { s: r.group, i: r.i }, exact) : '';
    if (!ranged && rows.some(r => r.group)) {
      columns.splice(columns.findIndex(c => c[0] === 'Value') + 1, 0,
        ['Band', () => NaN, () => rows.map(r => band(r))]);
    }
    const by = columns.find(c => c[0] === sorted.by), way = sorted.down ? -1 : 1;
    const byName = (a, b) => P.rankOf(a.run) - P.rankOf(b.run) || a.tag - b.tag;
    rows.sort((a, b) => {
      if (!by) return way * byName(a, b);
      const x = by[1](a), y = by[1](b);
      return +Number.isNaN(x) - +Number.isNaN(y) || way * (x - y) || byName(a, b);
    });
    const table = document.createElement('table'), head = table.createTHead().insertRow();
    const had = box.contains(document.activeElement) ? document.activeElement.textContent : null;
    for (const name of ['Run', ...columns.map(c => c[0])]) {
      const th = document.createElement('th'), button = document.createElement('button');
      th.scope = 'col';
      button.type = 'button';
      button.textContent = name;
      const on = name === (by ? by[0] : 'Run');
      th.setAttribute('aria-sort', on ? (sorted.down ? 'descending' : 'ascending') : 'none');
      button.addEventListener('click', () => {
        sorted.down = on ? !sorted.down : name !== 'Run' && name !== 'Min';
        sorted.by = name;
        P.retable();
      });
      th.append(button);
      head.append(th);
      if (name === had) requestAnimationFrame(() => button.isConnected && button.focus());
    }
    const texts = columns.map(c => c[2](rows.map(c[1]), i => chart && c[3]?.(chart, rows[i]) || [])),
      body = table.createTBody();
    rows.forEach((r, i) => {
      const tr = body.insertRow(), name = tr.insertCell(), run = P.runs.get(r.run), sw = document.createElement('i');
      sw.className = 'swatch';
      sw.style.background = run?.color ?? '';
      const named = logged => r.group ? P.label(chart, r.group, logged)
        : P.called(r.run, logged) + (tags.length > 1 ? ' · ' + tags[r.tag] : '');
      name.append(sw, named());
      name.title = named(true);
      columns.forEach((c, k) => {
        const td = tr.insertCell();
        td.textContent = texts[k][i];
        td.tbExact = () => c[0] === 'Time' ? new Date(r.n[WALL] * 1000) : c[0] === '%' ? 100 * c[1](r) : c[0] === 'Band'
          ? band(r, true) : c[1](r);
      });
    });
    const { scrollTop, scrollLeft } = box;
    box.replaceChildren(table);
    if (note) { const p = document.createElement('p'); p.className = 'quiet'; p.textContent = note; box.append(p); }
    Object.assign(box, { scrollTop, scrollLeft });
  }
})();
