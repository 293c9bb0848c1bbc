// A card's points as text, which is made here, where the points are. paint-export.js loads it.
(() => {
  'use strict';
  const P = globalThis.tbPaint, { cell, plain } = P;

  const PIECE = 10_000; // points of text that are made at a time: some 500 kB, within a frame

  const json = v => Number.isFinite(v) ? String(v) : '"' + plain(v) + '"';
  const name = s => P.runs.get(s.run)?.name ?? '';

  // formats: what stands before all runs, before a run, between two points, behind a
  // run, between two runs, and at the end.
  const formats = {
    csv: () => ({
      head: 'run,wall_time,step,value\n', between: '', runs: '', tail: '',
      begin: s => {
        const run = cell(name(s));
        return ['', i => run + ',' + plain(s.wall[i]) + ',' + plain(s.step[i]) + ',' + plain(s.value[i]) + '\n', ''];
      },
    }),
    json: tag => ({
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

  // points begins to write a tag's points between x0 and x1 (equal: all) into a sink, and resolves
  // with {add, end, abort}.
  P.points = async (sink, kind, tag, x, x0, x1) => {
    const format = formats[kind](tag);
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
            await tbTurn();
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
