// What is under the pointer: nearest points, dots, the marked line, the
// crosshair on all cards, and the tooltip's table. Text from files goes in
// through textContent only.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const PINNED_ROWS = 1000; // a pinned table scrolls, but must stay a page's worth of DOM
  let soon = 0, tip = null, pinned = null;
  P.hovered = null;
  P.tipOrder = 'nearest';
  P.tipRows = 10;

  const el = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  };

  // hoverSoon looks once per frame, however often the pointer moves.
  P.hoverSoon = chart => {
    P.hovered = chart;
    soon ||= requestAnimationFrame(() => { soon = 0; if (P.hovered) hover(P.hovered); });
  };

  function leave(chart) {
    if (chart.u) clearOver(chart);
    P.hovered = null;
    if (tip) tip.hidden = true;
    P.crosshair(null, null);
  }

  function hover(chart) {
    const u = chart.u, { left, top } = u?.cursor ?? {};
    if (!u || !chart.view || left === undefined || left === null || left < 0) { leave(chart); return; }
    const found = P.look(chart, u.posToVal(left, 'x'), left * devicePixelRatio, top * devicePixelRatio);
    P.crosshair(chart, found.x);
    clearOver(chart);
    if (found.rows.length) overlay(chart, found);
    tip ??= document.body.appendChild(el('div', 'tip'));
    if (pinned?.chart === chart || !found.rows.length || u.select.width > 0) { tip.hidden = true; return; }
    fill(tip, chart, found, P.tipRows);
    tip.hidden = false;
    const b = u.over.getBoundingClientRect();
    moveTo(tip, b, b.left + left, b.top + top);
  }

  // look finds each curve's point nearest in x to v; the row with the least
  // distance on the screen is the near one.
  P.look = (chart, v, px, py) => {
    const at = P.place(chart.view), rows = [];
    let near = null;
    for (const s of chart.list) {
      const i = P.nearest(s, v);
      if (i < 0) continue;
      const y = chart.smoothed ? s.smooth[i] : s.value[i];
      const X = at.x(s.x[i]), Y = at.y(y), dx = X - px, dy = Number.isFinite(Y) ? Y - py : chart.view.h;
      const row = { s, i, y, X, Y, d: Math.hypot(dx, dy) };
      rows.push(row);
      if (!near || row.d < near.d) near = row;
    }
    const name = r => P.runs.get(r.s.run)?.name ?? '';
    const odd = (a, b) => Number.isNaN(a.y) - Number.isNaN(b.y); // NaN last, whichever way
    const orders = {
      nearest: (a, b) => a.d - b.d,
      ascending: (a, b) => odd(a, b) || a.y - b.y,
      descending: (a, b) => odd(a, b) || b.y - a.y,
      alphabetical: (a, b) => name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0,
    };
    rows.sort(orders[P.tipOrder] ?? orders.nearest);
    return { rows, near, x: near ? near.s.x[near.i] : v };
  };

  function clearOver(chart) {
    chart.over.getContext('2d').clearRect(0, 0, chart.over.width, chart.over.height);
    chart.lines.style.opacity = '';
  }

  function overlay(chart, { rows, near }) {
    const ctx = chart.over.getContext('2d'), r = devicePixelRatio, style = chart.style();
    if (rows.length > 1) P.drawOne(ctx, near.s, chart.view, { ...style, width: style.width + 1 });
    for (const row of rows.slice(0, P.tipRows).reverse()) {
      if (!Number.isFinite(row.Y)) continue;
      P.dot(ctx, row.X, row.Y, (row === near ? 5 : 3.5) * r, P.theme.panel);
      P.dot(ctx, row.X, row.Y, (row === near ? 4 : 2.5) * r, P.colorOf(row.s.run));
    }
  }

  // highlight marks one run's line on every card and fades the others; -1: none.
  P.highlight = run => {
    P.marked = run;
    for (const c of P.charts) P.mark(c);
  };
  P.marked = -1;

  // mark brings a card to what is marked. A card that is painted anew, at another scale or
  // in other colours, is marked anew.
  P.mark = c => {
    if (!c.u || !c.view || !c.near) return;
    clearOver(c);
    if (P.marked < 0) return;
    const s = c.list.find(s => s.run === P.marked);
    // A card without the run stays as it is: all faded would say nothing.
    c.lines.style.opacity = s ? '0.3' : '';
    if (s) { const style = c.style(); P.drawOne(c.over.getContext('2d'), s, c.view, { ...style, width: style.width + 1 }); }
  };

  // crosshair draws the line of the pointer's place on all cards.
  P.crosshair = (chart, x) => {
    for (const c of P.charts) {
      const v = c.view;
      if (!c.u || !v || !c.near) continue;
      const on = chart && c.x === chart.x && x >= v.x0 && x <= v.x1;
      if (!on) { if (c.crossAt !== null) { c.cross.style.visibility = 'hidden'; c.crossAt = null; } continue; }
      const left = Math.round((x - v.x0) / (v.x1 - v.x0) * v.w / devicePixelRatio);
      if (c.crossAt === left) continue;
      c.crossAt = left;
      c.cross.style.transform = `translateX(${left}px)`;
      c.cross.style.visibility = 'visible';
    }
  };

  function fill(box, chart, { rows, near, x }, limit) {
    const table = el('table'), head = el('tr');
    const columns = ['', 'Run'];
    if (chart.smoothed) columns.push('Smoothed');
    columns.push('Value', 'Step', 'Time', 'Relative');
    for (const c of columns) head.append(el(c ? 'th' : 'td', c === 'Run' ? 'name' : '', c));
    table.createTHead().append(head);
    const body = table.createTBody();
    for (const row of rows.slice(0, limit)) {
      const { s, i } = row, tr = el('tr', row === near ? 'near' : ''), run = P.runs.get(s.run);
      const sw = el('i', 'swatch');
      sw.style.background = run?.color ?? '';
      const c = el('td');
      c.append(sw);
      tr.append(c, el('td', 'name', run?.name ?? ''));
      if (chart.smoothed) tr.append(el('td', 'num', P.num(s.smooth[i])));
      tr.append(el('td', 'num', P.num(s.value[i])), el('td', 'num', P.step(s.step[i])),
        el('td', 'num quiet', P.time(s.wall[i] + s.wallBase)), el('td', 'num quiet', P.duration(s.wall[i] + s.wallBase - s.start)));
      body.append(tr);
    }
    const title = el('div', 'tip-title', (chart.x === 'step' ? 'step ' : '') + P.xText(chart.x, x));
    const parts = [title, table];
    if (rows.length > limit) parts.push(el('div', 'tip-more', `${(rows.length - limit).toLocaleString()} more` + (box === tip ? ' · click to pin and see them' : '')));
    box.replaceChildren(...parts);
    return title;
  }

  // moveTo puts the box below the plot, or above it, so that it does not lie on
  // the lines that it speaks of; where neither has room, beside the pointer.
  function moveTo(box, plot, x, y) {
    const w = box.offsetWidth, h = box.offsetHeight, gap = 8;
    let left = x - w / 2, top = plot.bottom + 26;
    if (top + h > innerHeight - 4) top = plot.top - h - gap;
    if (top < 4) {
      top = Math.max(4, Math.min(y - h / 2, innerHeight - h - 4));
      left = x + 20 + w <= innerWidth ? x + 20 : x - 20 - w;
    }
    left = Math.max(4, Math.min(left, innerWidth - w - 4));
    box.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
  }

  // pin keeps the table open, with all its rows, to scroll, select and copy.
  P.pin = (chart, e) => {
    const was = pinned?.chart;
    P.unpin();
    if (was === chart) return;
    const u = chart.u, b = u.over.getBoundingClientRect(), left = e.clientX - b.left, top = e.clientY - b.top;
    const found = P.look(chart, u.posToVal(left, 'x'), left * devicePixelRatio, top * devicePixelRatio);
    if (!found.rows.length) return;
    const box = el('div', 'tip pinned');
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', 'Values');
    const title = fill(box, chart, found, PINNED_ROWS);
    const close = el('button', 'tip-close', '×');
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', P.unpin);
    title.append(close);
    document.body.append(box);
    pinned = { chart, box };
    if (tip) tip.hidden = true;
    moveTo(box, b, e.clientX, e.clientY);
  };
  P.unpin = () => {
    if (!pinned) return false;
    pinned.box.remove();
    pinned = null;
    return true;
  };
  P.forgetTip = chart => {
    if (P.hovered === chart) leave(chart);
    if (pinned?.chart === chart) P.unpin();
  };
})();
