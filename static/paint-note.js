// Steps with a note: a line with a few words in every chart over steps, and in pictures.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const WIDE = 96; // pixels that a note needs beside the one before, or it stands a row lower
  const ROWS = 4;
  let notes = []; // [step, text], by step

  // setNotes takes JSON: [[step, text], …], by step.
  P.setNotes = json => {
    notes = JSON.parse(json);
    for (const c of P.charts) { c.noteKey = null; P.placeNotes(c); P.soonWords(c); }
  };

  // seenNotes are those that a chart shows between x0 and x1, on so many pixels: where, in
  // which row, and whether the words stand at the left of the line.
  P.seenNotes = (chart, x0, x1, width) => {
    const out = [], ends = Array(ROWS).fill(-Infinity);
    for (const [step, text] of chart.x === 'step' ? notes : []) {
      const m = chart.xm(step);
      if (!(m >= x0 && m <= x1)) continue;
      const x = (m - x0) / (x1 - x0) * width, flip = x > width - WIDE && x > WIDE, from = flip ? x - WIDE : x;
      let row = ends.findIndex(end => from >= end);
      if (row < 0) row = ROWS - 1;
      ends[row] = from + WIDE;
      out.push({ step, text, x, row, flip });
    }
    return out;
  };

  // placeNotes brings them to the present range.
  P.placeNotes = chart => {
    if (!chart.u || !chart.view) return;
    const { x0, x1, w } = chart.view, width = w / devicePixelRatio, key = [x0, x1, width, chart.x, chart.xKind].join();
    if (chart.noteKey === key && chart.noteBox?.isConnected) return;
    if (notes.length === 0 && !chart.noteBox) return;
    chart.noteKey = key;
    if (!chart.noteBox?.isConnected) {
      chart.noteBox = document.createElement('div');
      chart.noteBox.className = 'plot-notes';
      chart.u.over.append(chart.noteBox);
    }
    chart.noteBox.replaceChildren(...P.seenNotes(chart, x0, x1, width).map(n => {
      const line = document.createElement('div'), words = document.createElement('span');
      line.className = 'plot-note' + (n.flip ? ' flip' : '');
      line.style.left = n.x.toFixed(1) + 'px';
      words.style.top = 2 + 15 * n.row + 'px';
      words.textContent = n.text;
      line.append(words);
      return line;
    }));
  };
})();
