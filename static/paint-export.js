// A card's points as a file. The text is made here, where the points are.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const PIECE = 10_000; // points of text that are made at a time: some 500 kB, within a frame

  // breath lets the page go on. A timer would make a tab that is hidden wait a second,
  // and soon a minute, for each piece.
  const { port1, port2 } = new MessageChannel(), waiting = [];
  port1.onmessage = () => waiting.shift()();
  const breath = () => new Promise(done => { waiting.push(done); port2.postMessage(0); });

  // cell guards a name: spreadsheets run cells that begin with these signs as
  // formulas, so such a name gets a quote in front. Numbers are never touched.
  const cell = s => {
    if (/^[=+\-@\t\r]/.test(s)) s = "'" + s;
    return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
  };
  const plain = v => Number.isNaN(v) ? 'NaN' : v === Infinity ? 'Infinity' : v === -Infinity ? '-Infinity' : String(v);
  const json = v => Number.isFinite(v) ? String(v) : '"' + plain(v) + '"';
  const name = s => P.runs.get(s.run)?.name ?? '';

  // formats: what stands before all runs, before a run, between two points, behind a
  // run, between two runs, and at the end.
  const formats = {
    csv: () => ({
      type: 'text/csv', head: 'run,wall_time,step,value\n', between: '', runs: '', tail: '',
      begin: s => {
        const run = cell(name(s));
        return ['', i => run + ',' + plain(s.wall[i]) + ',' + plain(s.step[i]) + ',' + plain(s.value[i]) + '\n', ''];
      },
    }),
    json: tag => ({
      type: 'application/json',
      head: '{"tag":' + JSON.stringify(tag) + ',"columns":["wall_time","step","value"],"runs":[', between: ',',
      runs: ',', tail: ']}\n',
      begin: s => ['{"run":' + JSON.stringify(name(s)) + ',"logged":' + s.points + ',"points":[',
        i => '[' + json(s.wall[i]) + ',' + json(s.step[i]) + ',' + json(s.value[i]) + ']', ']}'],
    }),
  };

  // pieces makes the text of a curve's points between x0 and x1 (equal: all). told.n
  // counts them, told.some says whether the curve had some before.
  function* pieces(format, s, x0, x1, told) {
    const point = format.begin(s)[1];
    let text = '', n = 0;
    for (let i = 0; i < s.n; i++) {
      if (x1 > x0 && !(s.x[i] >= x0 && s.x[i] <= x1)) continue; // a neighbour, for the line's sake
      text += (told.some ? format.between : '') + point(i);
      told.some = true;
      told.n++;
      if (++n === PIECE) { yield text; text = ''; n = 0; }
    }
    if (text) yield text;
  }

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

  // export begins a file. It resolves with {add, end, abort}, or with null when the
  // user changed their mind.
  P.export = async (filename, kind, tag, x, x0, x1, ask) => {
    const format = formats[kind](tag);
    let sink;
    try {
      sink = await P.sink(filename, format.type, ask);
    } catch (e) {
      if (e.name === 'AbortError') return null;
      throw e;
    }
    await sink.write(format.head);
    let first = true, open = null; // the curve under way, {run, end, some}
    const close = async () => {
      if (open?.end) await sink.write(open.end);
      open = null;
    };
    return {
      // add writes the curves of one piece and resolves with the number of points.
      // more says that the last curve goes on in the next one.
      async add(head, buffer, more) {
        let n = 0;
        for (const s of P.series(head, buffer, x)) {
          if (open?.run !== s.run) {
            await close();
            const [begin, , end] = format.begin(s), text = (first ? '' : format.runs) + begin;
            if (text) await sink.write(text);
            first = false;
            open = { run: s.run, end, some: false };
          }
          const told = { n: 0, some: open.some };
          for (const text of pieces(format, s, x0, x1, told)) {
            await sink.write(text);
            await breath();
          }
          open.some = told.some;
          n += told.n;
        }
        if (!more) await close();
        return n;
      },
      async end() { await close(); await sink.write(format.tail); await sink.close(); },
      async abort() { await sink.abort(); },
    };
  };
})();
