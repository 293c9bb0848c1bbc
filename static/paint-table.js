// The table below a card: each run's numbers at the marked step, or of the range between
// two. The numbers come from the workers, from every point that is kept; here they are
// written and sorted.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // Places of a run's numbers, as in shared/kind/scalars/table.go.
  const [STEP, WALL, VALUE, SMOOTHED, END_STEP, , END_VALUE, END_SMOOTHED, LEAST, LEAST_STEP, GREATEST, GREATEST_STEP, MEAN, POINTS] = Array(14).keys();
  const HEAD = 12; // as in paint-series.js

  // sorted is what tables are sorted by: a column's name, and which way.
  const sorted = { by: 'Run', down: false };

  const numbers = list => P.values(list).map((t, i) => Number.isNaN(list[i]) ? '–' : t);
  const steps = list => list.map(v => Number.isNaN(v) ? '–' : P.step(v));
  const percent = list => list.map(v => Number.isFinite(v) ? P.num(100 * v, 3) + ' %' : '–');

  const columns = (ranged, smoothed) => {
    const y = smoothed ? SMOOTHED : VALUE, end = smoothed ? END_SMOOTHED : END_VALUE;
    if (!ranged) {
      return [
        ...(smoothed ? [['Smoothed', r => r.n[SMOOTHED], numbers]] : []),
        ['Value', r => r.n[VALUE], numbers], ['Step', r => r.n[STEP], steps],
        ['Time', r => r.n[WALL], list => list.map(P.time)], ['Relative', r => r.n[WALL] - r.start, list => list.map(P.duration)],
      ];
    }
    return [
      ['Min', r => r.n[LEAST], numbers], ['Max', r => r.n[GREATEST], numbers], ['Start', r => r.n[y], numbers], ['End', r => r.n[end], numbers],
      ['Change', r => r.n[end] - r.n[y], numbers], ['%', r => (r.n[end] - r.n[y]) / r.n[y], percent], ['Mean', r => r.n[MEAN], numbers],
      ['Start step', r => r.n[STEP], steps], ['End step', r => r.n[END_STEP], steps], ['Step of min', r => r.n[LEAST_STEP], steps],
      ['Step of max', r => r.n[GREATEST_STEP], steps], ['Points', r => r.n[POINTS], steps],
    ];
  };

  // table fills box with the runs of the chunks, each {head, buffer}.
  P.table = (box, tags, chunks, ranged, smoothed, note) => {
    const rows = [];
    for (const { head, buffer } of chunks) {
      for (let i = 0; i + HEAD <= head.length; i += HEAD) {
        rows.push({ run: head[i], tag: head[i + 10], start: head[i + 5], n: new Float64Array(buffer, head[i + 1], head[i + 2]) });
      }
    }
    box.tbShow = { tags, rows, columns: columns(ranged, smoothed), note };
    show(box);
  };

  function show(box) {
    const { tags, rows, note } = box.tbShow;
    let { columns } = box.tbShow;
    // How far each run is from the baseline: of a range, its mean.
    const ranged = columns[0][0] === 'Min', place = ranged ? MEAN : columns[0][0] === 'Smoothed' ? SMOOTHED : VALUE;
    const base = new Map(rows.filter(r => r.run === P.baseline).map(r => [r.tag, r.n[place]]));
    const apart = r => r.run === P.baseline ? NaN : r.n[place] - (base.get(r.tag) ?? NaN);
    columns = columns.filter(c => c[0] !== 'Δ baseline');
    if (base.size) columns.splice(columns.findIndex(c => c[0] === (ranged ? 'Mean' : 'Value')) + 1, 0, ['Δ baseline', apart, P.signed]);
    const by = columns.find(c => c[0] === sorted.by), way = sorted.down ? -1 : 1;
    const byName = (a, b) => P.rankOf(a.run) - P.rankOf(b.run) || a.tag - b.tag;
    rows.sort((a, b) => {
      if (!by) return way * byName(a, b);
      const x = by[1](a), y = by[1](b);
      return Number.isNaN(x) - Number.isNaN(y) || way * (x - y) || byName(a, b);
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
        for (const b of document.querySelectorAll('.steps-table')) if (b.tbShow) show(b);
      });
      th.append(button);
      head.append(th);
      if (name === had) requestAnimationFrame(() => button.isConnected && button.focus());
    }
    const texts = columns.map(c => c[2](rows.map(c[1]))), body = table.createTBody();
    rows.forEach((r, i) => {
      const tr = body.insertRow(), name = tr.insertCell(), run = P.runs.get(r.run), sw = document.createElement('i');
      sw.className = 'swatch';
      sw.style.background = run?.color ?? '';
      const text = (run?.name ?? '') + (tags.length > 1 ? ' · ' + tags[r.tag] : '');
      name.append(sw, text);
      name.title = text;
      for (const t of texts) tr.insertCell().textContent = t[i];
    });
    const { scrollTop, scrollLeft } = box;
    box.replaceChildren(table);
    if (note) { const p = document.createElement('p'); p.className = 'quiet'; p.textContent = note; box.append(p); }
    Object.assign(box, { scrollTop, scrollLeft });
  }
})();
