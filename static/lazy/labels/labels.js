// Names at the ends of lines, so that a chart says what its lines are, and a key of dashes or
// colours above a chart of several tags. They stand right of the plot, in a margin that is
// made for them: nothing lies on the curves. Loaded by paint.js when the first chart is there.
//
// Names keep the heights of their lines' ends as well as can be without lying on each other:
// those that would are spread around their mean height, which is where the sum of the squares
// of all moves is least (pool adjacent violators).
(() => {
  'use strict';
  const P = globalThis.tbPaint;

  const NARROW = 380;     // CSS pixels; a chart that is narrower has no names
  const PART = 0.26;      // of a chart's width that names take at most
  const LINE = 13;        // from one name to the next
  const GAP = 25, DASH = 9; // from the plot's edge to a name, of which the line's own stroke stands before it
  const KEY = 18;         // height of the key
  const LETTER = 5.5;     // CSS pixels that a letter takes at least, on the average
  const FONT = '11px Inter, system-ui, "Segoe UI", sans-serif';

  const pen = document.createElement('canvas').getContext('2d'), widths = new Map();
  const wide = text => {
    if (!widths.has(text)) {
      if (widths.size > 5000) widths.clear();
      pen.font = FONT;
      widths.set(text, pen.measureText(text).width);
    }
    return widths.get(text);
  };

  // linesOf are a chart's lines as a user counts them: the last of several stretches stands for
  // all of them.
  const linesOf = chart => {
    const by = new Map();
    for (const s of chart.list) if (s.n > 0) by.set((s.group !== undefined ? 'g' + s.group : s.run) + '\n' + s.tag, s);
    return [...by.values()];
  };

  const many = chart => (chart.tags?.length ?? 0) > 1;
  // nameOf is what a line is called where the key, or the card's title, says the rest.
  const nameOf = (chart, s) => chart.single ? chart.tags[s.tag] : s.group ?? P.called(s.run);

  // fitted are names of at most so many pixels, or null if they have no room.
  const fitted = (names, room, width) => {
    for (let most = Math.floor(room / LETTER); most >= 8; most--) {
      const texts = P.short(names, most);
      if (texts.every(t => width(t) <= room)) return texts;
    }
    return null;
  };

  // keyRoom is how much a name has in the key of n tags of a chart so wide: the axis goes off.
  const keyRoom = (w, n) => (w - 64) / n - 44;

  // P.endOf is where a line ends in a view: {x, y, edge} in its pixels, edge being y within the
  // view; null if it has no point there.
  P.endOf = (chart, s, view) => {
    const ys = chart.smoothed ? s.smooth : s.value, at = P.place(view, s),
      fine = i => Math.abs(ys[i]) < Infinity && Math.abs(s.x[i]) < Infinity;
    const from = s.sorted ? Math.min(s.n, P.from(s.x, view.x1 + Math.abs(view.x1) * 1e-12)) : s.n;
    let i = from - 1;
    while (i >= 0 && !fine(i)) i--;
    if (i < 0) return null;
    let x = at.x(s.x[i]), y = at.y(ys[i]);
    if (s.sorted && i === from - 1 && from < s.n && fine(from) && x < view.w) { // it goes on beyond the edge
      const X = at.x(s.x[from]);
      y += (at.y(ys[from]) - y) * (view.w - x) / (X - x);
      x = view.w;
    }
    return x < 0 ? null : { x: Math.min(x, view.w), y, edge: Math.max(0, Math.min(view.h, y)) };
  };

  // P.spread moves heights so that they are at least a line apart, between 0 and height, each as
  // little as can be; their order stays.
  P.spread = (heights, line, height) => {
    const order = heights.map((y, i) => i).sort((a, b) => heights[a] - heights[b] || a - b), blocks = [];
    order.forEach((i, k) => {
      let b = { sum: heights[i] - k * line, n: 1 };
      while (blocks.length && blocks.at(-1).sum / blocks.at(-1).n > b.sum / b.n) {
        const a = blocks.pop();
        b = { sum: a.sum + b.sum, n: a.n + b.n };
      }
      blocks.push(b);
    });
    const out = [], last = height - (heights.length - 1) * line;
    let k = 0;
    for (const { sum, n } of blocks) {
      const y = Math.max(0, Math.min(last, sum / n));
      for (let j = 0; j < n; j++, k++) out[order[k]] = y + k * line;
    }
    return out;
  };

  // P.dashBefore is the stroke before a name, and P.leader what leads there from a line's end,
  // that of one which ends before the plot does along its whole way.
  const at = v => v.toFixed(1);
  P.dashBefore = (left, y) => `M${at(left + GAP - DASH - 4)} ${at(y)}h${DASH}`;
  P.leader = (x, e, w, y, left) => `M${at(x + 1)} ${at(e)}` + (x < w - 24 ? `H${at(w)}` : '') +
    (left > w ? '' : `L${at(w + GAP - DASH - 4)} ${at(y)}`);

  // P.margins is the room that a chart of this size leaves at its top and right for key and
  // names, in CSS pixels.
  P.margins = (chart, w, h) => {
    const key = [chart.rev, chart.colorRev, w, h, P.labels, P.runs.size, chart.rightTags?.size].join();
    if (chart.marginKey === key) return chart.margin;
    chart.marginKey = key;
    chart.margin = null;
    chart.names = chart.keys = null;
    const lines = P.labels && !chart.noRuns && chart.list ? linesOf(chart) : [];
    if (lines.length === 0) return null;
    const tags = many(chart) && new Set(lines.map(s => s.tag)).size > 1;
    const plot = h - 8 - 24 - (tags ? KEY : 0);
    // A key that has no room says nothing: then the names say the tags too.
    const keyed = tags && [...new Set(lines.map(s => s.tag))].map(tag => chart.tags[tag]);
    const both = keyed && !chart.single && !fitted(keyed, keyRoom(w, keyed.length), wide);
    if (w >= NARROW && lines.length * LINE <= plot + (both ? KEY : 0) && (P.runs.size > 1 || tags)) {
      const whole = lines.map(s => nameOf(chart, s) + (both ? ' · ' + chart.tags[s.tag] : ''));
      const texts = fitted(whole, w * PART - GAP - 4, wide);
      if (texts) chart.names = lines.map((s, i) => ({ s, text: texts[i], title: P.label(chart, s) }));
    }
    if (tags && !((chart.single || both) && chart.names)) {
      chart.keys = [...new Map(lines.map(s => [s.tag, s])).values()].sort((a, b) => a.tag - b.tag);
    }
    if (chart.names || chart.keys) {
      chart.margin = [chart.keys ? 8 + KEY : 8,
        chart.names ? Math.ceil(GAP + 4 + Math.max(...chart.names.map(n => wide(n.text)))) : 18];
    }
    return chart.margin;
  };

  const NS = 'http://www.w3.org/2000/svg';
  const stroke = (chart, s, d) => {
    const p = document.createElementNS(NS, 'path'), dash = P.dashOf(chart, s);
    p.setAttribute('stroke', P.inkOf(chart, s));
    if (dash) p.setAttribute('stroke-dasharray', dash.map(v => v / devicePixelRatio).join(' '));
    if (d) p.setAttribute('d', d);
    return p;
  };
  const { el } = P;

  // build makes the elements of a chart's names and key.
  function build(chart) {
    const box = el('div', 'plot-names'), svg = document.createElementNS(NS, 'svg');
    box.append(svg);
    for (const n of chart.names ?? []) {
      n.lead = svg.appendChild(stroke(chart, n.s));
      n.lead.removeAttribute('stroke-dasharray');
      n.lead.setAttribute('class', 'lead');
      n.line = svg.appendChild(stroke(chart, n.s));
      n.el = box.appendChild(el('span', 'plot-name', n.text));
      n.el.title = n.title + (chart.single ? '' : '\nClick: only this; again: as before');
      n.at = '';
      const first = n.s.list ? n.s.list[0].run : n.s.run;
      n.el.addEventListener('pointerenter', () => P.highlight(first));
      n.el.addEventListener('pointerleave', () => P.highlight(-1));
      if (!chart.single || P.runs.size > 1) {
        n.el.addEventListener('click', () => P.onOnly?.(JSON.stringify(n.s.runs ? [...n.s.runs] : [n.s.run])));
      }
    }
    if (chart.keys) {
      const key = box.appendChild(el('div', 'plot-key')), tags = chart.keys.map(s => chart.tags[s.tag]);
      const texts = fitted(tags, keyRoom(chart.host.clientWidth, tags.length), wide) ?? P.short(tags, 8);
      chart.keys.forEach((s, i) => {
        const item = el('span', 'plot-tag'), line = document.createElementNS(NS, 'svg');
        const p = line.appendChild(stroke(chart, s, 'M0 6H24'));
        if (!chart.single) p.setAttribute('stroke', 'currentColor');
        item.append(line, texts[i]);
        item.title = tags[i];
        key.append(item);
      });
    }
    chart.host.append(box);
    return box;
  }

  // P.placeLabels brings names and key to what a chart shows now.
  P.placeLabels = chart => {
    if (chart.namesOf !== chart.marginKey || chart.namesBox && !chart.namesBox.isConnected) {
      chart.namesOf = chart.marginKey;
      chart.namesBox?.remove();
      chart.namesBox = chart.margin ? build(chart) : null;
      shade(chart);
    }
    if (!chart.namesBox) return;
    const { u, view } = chart, r = devicePixelRatio, w = view.w / r, h = view.h / r, left = u.bbox.left / r,
      top = u.bbox.top / r;
    const box = `${left},${top},${w},${h}`;
    if (chart.namesAt !== box || !chart.namesBox.style.left) {
      chart.namesAt = box;
      Object.assign(chart.namesBox.style, { left: left + 'px', top: top + 'px', width: w + 'px', height: h + 'px' });
    }
    const seen = [];
    for (const n of chart.names ?? []) {
      n.end = P.endOf(chart, n.s, view);
      if (n.end)
        seen.push(n); else if (n.at !== null) {
          n.at = null;
          n.el.hidden = true;
          n.line.removeAttribute('d');
          n.lead.removeAttribute('d');
        }
    }
    const beside = w + (chart.rightTags.size ? u.axes[2]?._size ?? 0 : 0);
    P.spread(seen.map(n => n.end.y / r), LINE, h).forEach((y, k) => {
      const n = seen[k], x = n.end.x / r, e = n.end.edge / r, at = `${x},${e},${y},${beside}`;
      if (n.at === at) return;
      if (!n.at) n.el.hidden = false;
      n.at = at;
      n.el.style.transform = `translate(${Math.round(beside + GAP)}px,${Math.round(y - LINE / 2)}px)`;
      n.line.setAttribute('d', P.dashBefore(beside, y));
      n.lead.setAttribute('d', P.leader(x, e, w, y, beside));
      n.lead.classList.toggle('far', x < w - 24);
    });
  };

  // shade dims the names of all runs but the one that is marked.
  function shade(chart) {
    for (const n of chart.names ?? []) {
      n.el?.classList.toggle('dim',
        P.marked >= 0 && !(n.s.run === P.marked || n.s.runs?.has(P.marked)) &&
        chart.names.some(o => o.s.run === P.marked || o.s.runs?.has(P.marked)));
    }
  }
  const { highlight, mark } = P;
  P.highlight = run => { highlight(run); for (const c of P.charts) if (c.near) shade(c); };
  P.mark = c => { mark(c); if (c.near) shade(c); };

  // P.figureNames are the names of a picture of a chart: {texts, room}, or null where not all of
  // them have room whole.
  P.figureNames = (chart, width, height, measure) => {
    const lines = chart.noRuns ? [] : linesOf(chart), room = width * 0.34;
    if (!P.labels || lines.length === 0 || lines.length * LINE > height || width - room < 260) return null;
    const whole = lines.map(s => P.label(chart, s)), most = Math.max(...whole.map(t => t.length));
    let texts = whole;
    // what they have in common goes
    if (!whole.every(t => measure(t) <= room)) texts = P.short(whole, Math.max(8, most - 1));
    if (!texts.every(t => measure(t) <= room)) return null;
    return { lines, texts, gap: GAP, room: GAP + 6 + Math.max(...texts.map(measure)) };
  };

  for (const c of P.charts) { c.axisKey = ''; P.queue(c); }
})();
