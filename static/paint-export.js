// A card's points as a file. The text is made here, where the points are.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const PIECE = 20_000; // points of text that are made at a time: some 1 MB

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
      begin: s => { const run = cell(name(s)); return ['', i => run + ',' + plain(s.wall[i]) + ',' + plain(s.step[i]) + ',' + plain(s.value[i]) + '\n', '']; },
    }),
    json: tag => ({
      type: 'application/json', head: '{"tag":' + JSON.stringify(tag) + ',"columns":["wall_time","step","value"],"runs":[', between: ',', runs: ',', tail: ']}\n',
      begin: s => ['{"run":' + JSON.stringify(name(s)) + ',"logged":' + s.points + ',"points":[', i => '[' + json(s.wall[i]) + ',' + json(s.step[i]) + ',' + json(s.value[i]) + ']', ']}'],
    }),
  };

  // pieces makes the text of one curve, of its points between x0 and x1 (equal: all).
  function* pieces(format, s, x0, x1, told) {
    const [begin, point, end] = format.begin(s);
    let text = begin, some = false;
    for (let i = 0; i < s.n; i++) {
      if (x1 > x0 && !(s.x[i] >= x0 && s.x[i] <= x1)) continue; // a neighbour, for the line's sake
      text += (some ? format.between : '') + point(i);
      some = true;
      told.n++;
      if (told.n % PIECE === 0) { yield text; text = ''; }
    }
    yield text + end;
  }

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
        close: () => {
          const a = document.createElement('a');
          a.href = URL.createObjectURL(new Blob(parts, { type }));
          a.download = filename;
          a.click();
          setTimeout(() => URL.revokeObjectURL(a.href), 60_000);
        },
        abort: () => { parts.length = 0; },
      };
    },
  };

  // export begins a file. It resolves with {add, end, abort}, or with null when the
  // user changed their mind.
  P.export = async (filename, kind, tag, x, x0, x1, ask) => {
    const format = formats[kind](tag);
    let sink;
    try {
      sink = await sinks[ask && globalThis.showSaveFilePicker ? 'file' : 'download'](filename, format.type);
    } catch (e) {
      if (e.name === 'AbortError') return null;
      throw e;
    }
    await sink.write(format.head);
    let first = true;
    return {
      // add writes the curves of one answer and resolves with the number of points.
      async add(head, buffer) {
        const told = { n: 0 };
        for (const s of P.series(head, buffer, x)) {
          if (!first) await sink.write(format.runs);
          first = false;
          for (const text of pieces(format, s, x0, x1, told)) {
            await sink.write(text);
            await new Promise(done => setTimeout(done)); // the page goes on
          }
        }
        return told.n;
      },
      async end() { await sink.write(format.tail); await sink.close(); },
      async abort() { await sink.abort(); },
    };
  };
})();
