// A card's points as a file. The text is made here, where the points are.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // cell guards a name: spreadsheets run cells that begin with these signs as
  // formulas, so such a name gets a quote in front. Numbers are never touched.
  const cell = s => {
    if (/^[=+\-@\t\r]/.test(s)) s = "'" + s;
    return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
  };
  const plain = v => Number.isNaN(v) ? 'NaN' : v === Infinity ? 'Infinity' : v === -Infinity ? '-Infinity' : String(v);
  const json = v => Number.isFinite(v) ? v : plain(v);

  P.csv = list => {
    const out = ['run,wall_time,step,value\n'];
    for (const s of list) {
      const run = cell(P.runs.get(s.run)?.name ?? '');
      let text = '';
      for (let i = 0; i < s.n; i++) text += run + ',' + plain(s.wall[i]) + ',' + plain(s.step[i]) + ',' + plain(s.value[i]) + '\n';
      out.push(text);
    }
    return out;
  };
  P.json = (tag, list) => [JSON.stringify({
    tag, columns: ['wall_time', 'step', 'value'],
    runs: list.map(s => ({
      run: P.runs.get(s.run)?.name ?? '', logged: s.points,
      points: Array.from(s.step, (step, i) => [json(s.wall[i]), json(step), json(s.value[i])]),
    })),
  })];

  // save hands the parts to the browser as a download.
  P.save = (name, type, parts) => {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(new Blob(parts, { type }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
  };
})();
