// All points of many runs and tags as one file: CSV, a line a point or a line a step of a
// run with a column for each tag; JSON lines; or a zip with a CSV for each tag. The text is
// made here, where the points are, and written piece by piece.
'use strict';
(() => {
  const P = globalThis.tbPaint;
  const PIECE = 10_000; // points of text that are made at a time

  // cell guards a name: spreadsheets run cells that begin with these signs.
  const cell = (s) => {
    if (/^[=+\-@\t\r]/.test(s)) s = "'" + s;
    return /[",\r\n]/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
  };
  const plain = (v) => (Number.isNaN(v) ? 'NaN' : v === Infinity ? 'Infinity' : v === -Infinity ? '-Infinity'
    : String(v));
  const json = (v) => (Number.isFinite(v) ? String(v) : '"' + plain(v) + '"');

  // fileName makes a tag the name of a file; two tags never share one.
  const fileNames = () => {
    const taken = new Set();
    return (tag) => {
      const base = tag.replace(/[\u0000-\u001f/\\:*?"<>|]/g, '_').replace(/^[. ]+|[. ]+$/g, '').slice(0, 100) || 'data';
      let name = base;
      for (let k = 2; taken.has(name.toLowerCase()); k++) name = base + '_' + k;
      taken.add(name.toLowerCase());
      return name + '.csv';
    };
  };

  // tbAll begins such a file in a sink; tags are all of those that come. What follows for
  // each run and tag: begin, and add for each of its pieces.
  globalThis.tbAll = (sink, kind, tags) => {
    let run = '', tag = '', table = null, parts = [], opened = '';
    const zip = kind === 'zip' ? globalThis.tbZip(sink) : null, fileName = fileNames();
    const column = new Map(tags.map((t, i) => [t, i]));
    const line = {
      long: (s, i) => cell(run) + ',' + cell(tag) + ',' + plain(s.wall[i]) + ',' + plain(s.step[i]) + ',' +
        plain(s.value[i]) + '\n',
      zip: (s, i) => cell(run) + ',' + plain(s.wall[i]) + ',' + plain(s.step[i]) + ',' + plain(s.value[i]) + '\n',
      jsonl: (s, i) => '{"run":' + JSON.stringify(run) + ',"tag":' + JSON.stringify(tag) + ',"wall_time":' +
        json(s.wall[i]) + ',"step":' + json(s.step[i]) + ',"value":' + json(s.value[i]) + '}\n',
    }[kind];
    const head = { long: 'run,tag,wall_time,step,value\n',
      wide: ['run', 'step', 'wall_time', ...tags.map(cell)].join(',') + '\n', jsonl: '', zip: '' }[kind];
    let begun = head ? sink.write(head) : null;

    // rows writes what was gathered of a run, by step.
    const rows = async () => {
      if (!table) return;
      const steps = [...table.keys()].sort((a, b) => a - b);
      for (let at = 0; at < steps.length; at += PIECE) {
        let text = '';
        for (const step of steps.slice(at, at + PIECE)) {
          const { wall, values } = table.get(step);
          text += cell(run) + ',' + plain(step) + ',' + plain(wall);
          for (let k = 0; k < tags.length; k++) text += ',' + (values[k] === undefined ? '' : plain(values[k]));
          text += '\n';
        }
        await sink.write(text);
      }
      table = null;
    };
    // file writes what was gathered of a tag.
    const file = async () => {
      if (!opened) return;
      await zip.add(fileName(opened), Date.now(), new Blob(['run,wall_time,step,value\n', ...parts]));
      parts = [];
      opened = '';
    };
    return {
      async begin(nextRun, nextTag) {
        await begun;
        begun = null;
        if (kind === 'wide' && nextRun !== run) await rows();
        if (kind === 'zip' && nextTag !== tag) await file();
        run = nextRun;
        tag = nextTag;
      },
      async add(buffer, header) {
        let n = 0;
        for (const s of P.series(header, buffer, 'step')) {
          n += s.n;
          if (kind === 'wide') {
            table ??= new Map();
            const k = column.get(tag);
            for (let i = 0; i < s.n; i++) {
              let row = table.get(s.step[i]);
              if (!row) table.set(s.step[i], row = { wall: s.wall[i], values: [] });
              row.values[k] = s.value[i]; // of one step the last
            }
            continue;
          }
          for (let i = 0; i < s.n;) {
            let text = '';
            for (const end = Math.min(s.n, i + PIECE); i < end; i++) text += line(s, i);
            if (zip) {
              opened = tag;
              parts.push(new Blob([text]));
            } else {
              await sink.write(text);
            }
          }
        }
        return n;
      },
      async end() {
        await begun;
        await rows();
        if (zip) {
          await file();
          await zip.end();
        }
        await sink.close();
      },
      async abort() { await sink.abort(); },
    };
  };
})();
