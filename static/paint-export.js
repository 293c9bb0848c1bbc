// What is saved as a file. A card's points are written by static/lazy/export.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // cell guards a name: spreadsheets run cells that begin with these signs as
  // formulas, so such a name gets a quote in front. Numbers are never touched.
  const cell = P.cell = s => {
    if (/^[=+\-@\t\r]/.test(s)) s = "'" + s;
    return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
  };
  const plain = P.plain = v =>
    Number.isNaN(v) ? 'NaN' : v === Infinity ? 'Infinity' : v === -Infinity ? '-Infinity' : String(v);

  // save makes a download of a blob.
  P.save = (filename, blob) => {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = filename;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
  };

  // saveMeans saves the means of a chart's groups and the bands around them, of the values that
  // were logged, open groups too; it returns how many rows there are.
  P.saveMeans = (chart, filename) => {
    const { expanded } = P;
    P.expanded = new Set();
    chart.places = 10_000;
    const list = P.summarise(chart.all, chart).filter(s => s.list);
    P.expanded = expanded;
    const names = P.band === 'quantiles' ? 'median,quantile_0.05,quantile_0.95'
      : `mean,${P.band}_lower,${P.band}_upper`;
    const lines = [`group,tag,${chart.x === 'tag' ? cell(P.xName) : chart.x},runs,${names}\n`];
    for (const s of list) {
      const { lo, hi, count } = s.bands.value, head = cell(s.group) + ',' + cell(chart.tags[s.tag] ?? chart.name) + ',';
      for (let i = 0; i < s.n; i++) {
        lines.push(head + [chart.xv(s.x[i]), count[i], s.value[i], lo[i], hi[i]].map(plain).join() + '\n');
      }
    }
    if (list.length) P.save(filename, new Blob(lines, { type: 'text/csv' }));
    return lines.length - 1;
  };

  // Into a file that the user chose, or, without ask, into parts of a download; the
  // browser may keep those on disk.
  const sinks = {
    async file(filename) {
      const handle = await showSaveFilePicker({ suggestedName: filename });
      const out = await handle.createWritable();
      return { write: t => out.write(t), close: () => out.close(), abort: () => out.abort() };
    },
    async download(filename, type) {
      const parts = [];
      return {
        write: t => { parts.push(new Blob([t])); },
        close: () => P.save(filename, new Blob(parts, { type })),
        abort: () => { parts.length = 0; },
      };
    },
  };

  // sink opens a file that is written piece by piece, {write, close, abort}; with ask the
  // user says where, in browsers that can. It rejects with an AbortError when they changed
  // their mind.
  P.sink = (filename, type, ask) => sinks[ask && globalThis.showSaveFilePicker ? 'file' : 'download'](filename, type);

  // export begins a file of a card's points. It resolves with {add, end, abort}, or with null when
  // the user changed their mind. They are asked first: browsers allow it soon after a click alone.
  P.export = async (filename, kind, tag, x, x0, x1, ask) => {
    let sink;
    try {
      sink = await P.sink(filename, kind === 'csv' ? 'text/csv' : 'application/json', ask);
    } catch (e) {
      if (e.name === 'AbortError') return null;
      throw e;
    }
    try {
      await tbBoot.load('export');
      return await P.points(sink, kind, tag, x, x0, x1);
    } catch (e) {
      await sink.abort();
      throw e;
    }
  };
})();
