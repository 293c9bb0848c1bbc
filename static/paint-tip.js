// What is under the pointer: nearest points, dots, the marked line, the
// crosshair on all cards, and the tooltip's table. Text from files goes in
// through textContent only.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  const FADED = 0.3; // lines that are not marked
  const PINNED_ROWS = 1000; // a pinned table scrolls, but must stay a page's worth of DOM
  let soon = 0, tip = null, pinned = null;
  P.hovered = null;
  P.onOnly = P.onHappened = null;
  P.tipOrder = 'nearest';
  P.tipRows = 10;

  // el makes an element with a class and children, of which none and '' are nothing.
  const el = P.el = (tag, cls = '', ...kids) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    e.append(...kids.filter(k => k !== undefined && k !== ''));
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
    if (followed) P.highlight(-1); else P.mark(chart);
    if (tip) tip.hidden = true;
    P.crosshair(null, null);
    P.unsettle();
    P.readRest();
  }

  function hover(chart) {
    const u = chart.u, { left, top } = u?.cursor ?? {};
    if (!u || !chart.view || left === undefined || left === null || left < 0) { leave(chart); return; }
    const found = P.look(chart, u.posToVal(left, 'x'), left * devicePixelRatio, top * devicePixelRatio);
    P.crosshair(chart, found.x);
    P.readAt(chart, found);
    P.settle(chart, found);
    clearOver(chart);
    if (found.rows.length) overlay(chart, found);
    follow(chart, found.near);
    tip ??= document.body.appendChild(el('div', 'tip'));
    if (pinned?.chart === chart || !found.rows.length || u.select.width > 0) { tip.hidden = true; return; }
    fill(tip, chart, found, chart.tipRows ?? P.tipRows);
    const b = u.over.getBoundingClientRect();
    P.tipAt(tip, b, b.left + left, b.top + top);
  }

  // look finds what is at v, a place of the mapped x axis: the curve whose point there is
  // nearest on the screen, of those that are in view if one is, heads what is told; then each
  // curve's point nearest in x to that one (paint-exact.js).
  P.look = (chart, v, px, py) => {
    const { w, h } = chart.view, rows = [];
    const row = (s, i, sure) => {
      const at = P.place(chart.view, s), y = chart.smoothed ? s.smooth[i] : s.value[i], X = at.x(s.x[i]), Y = at.y(y);
      return { s, i, sure, y, X, Y, d: Math.hypot(X - px, Number.isFinite(Y) ? Y - py : h) };
    };
    const seen = r => r.X >= 0 && r.X <= w && r.Y >= 0 && r.Y <= h;
    let head = null, inView = false;
    for (const s of chart.list) {
      const i = s.sorted ? P.nearest(s, v) : closest(chart, s, P.place(chart.view, s), px, py);
      if (i < 0) continue;
      const r = row(s, i, true), sees = seen(r);
      if (!head || (sees !== inView ? sees : r.d < head.d)) { head = r; inView = sees; }
      if (!s.sorted) r.unsorted = true;
      rows.push(r);
    }
    if (!head) return { rows, near: null, x: v, unsure: false };
    const x = head.s.x[head.i];
    let near = null, unsure = false;
    rows.forEach((r, k) => {
      const t = r.unsorted ? { s: r.s, i: r.i, sure: r.s.sure || r === head } : P.truth(chart, r.s, x);
      rows[k] = row(t.s, t.i, t.sure);
      if (!t.sure) unsure = true;
      rows[k].seen = seen(rows[k]);
      if (r === head) { near = rows[k]; near.seen = inView; }
    });
    if (P.baseline >= 0 && !unsure) unsure = !P.sureBase(chart, near.s, x);
    const odd = (a, b) => +Number.isNaN(a.y) - +Number.isNaN(b.y); // NaN last, whichever way
    const orders = {
      nearest: (a, b) => b.seen - a.seen || a.d - b.d,
      nearestY: (a, b) => odd(a, b) || Math.abs(a.Y - py) - Math.abs(b.Y - py) || a.d - b.d,
      ascending: (a, b) => odd(a, b) || a.y - b.y,
      descending: (a, b) => odd(a, b) || b.y - a.y,
      alphabetical: (a, b) => P.rankOf(a.s.run) - P.rankOf(b.s.run) || a.s.tag - b.s.tag || a.s.piece - b.s.piece,
    };
    rows.sort(orders[chart.tipOrder ?? P.tipOrder] ?? orders.nearest);
    return { rows, near, x, unsure };
  };

  // closest is the point of a curve that goes back and forth that is nearest on the screen.
  function closest(chart, s, at, px, py) {
    const ys = chart.smoothed ? s.smooth : s.value;
    let best = P.nearest(s, chart.u.posToVal(px / devicePixelRatio, 'x')), least = Infinity;
    for (let i = 0; i < s.n; i++) {
      const d = Math.hypot(at.x(s.x[i]) - px, at.y(ys[i]) - py);
      if (d < least) { least = d; best = i; }
    }
    return best;
  }

  // pen is what draws over a chart; one that nobody points at has no picture there.
  const pen = chart => { chart.drawn = true; return chart.over.getContext('2d'); };

  function clearOver(chart) {
    if (chart.drawn) pen(chart).clearRect(0, 0, chart.over.width, chart.over.height);
    chart.drawn = false;
    chart.lines.style.opacity = '';
  }

  function overlay(chart, { rows, near }) {
    const ctx = pen(chart), r = devicePixelRatio, style = chart.style();
    if (rows.length > 1 && near.seen) {
      if (!chart.noRuns) chart.lines.style.opacity = FADED;
      P.drawOne(ctx, near.s, chart.view, { ...style, width: style.width + 1 });
    }
    for (const row of rows.slice(0, chart.tipRows ?? P.tipRows).reverse()) {
      if (!Number.isFinite(row.Y)) continue;
      P.dot(ctx, row.X, row.Y, (row === near ? 5 : 3.5) * r, P.theme.panel);
      P.dot(ctx, row.X, row.Y, (row === near ? 4 : 2.5) * r, P.inkOf(chart, row.s));
    }
  }

  // highlight marks one run's line on every card and fades the others; -1: none.
  P.highlight = run => {
    followed = false;
    P.marked = run;
    for (const c of P.charts) P.mark(c);
  };
  P.marked = -1;
  let followed = false; // what is marked is the run under the pointer

  // follow marks the run of the curve under the pointer on the other cards, when it is
  // another one.
  function follow(chart, near) {
    const run = near?.seen && !chart.noRuns ? near.s.run : -1;
    if (run === P.marked) return;
    P.highlight(run);
    followed = run >= 0;
  }

  // mark brings a card to what is marked. A card that is painted anew, at another scale or
  // in other colours, is marked anew.
  P.mark = c => {
    if (!c.u || !c.view || !c.near || c === P.hovered) return;
    clearOver(c);
    if (P.marked < 0) return;
    const all = c.list.filter(s => s.run === P.marked || s.runs?.has(P.marked));
    // A card without the run stays as it is: all faded would say nothing.
    c.lines.style.opacity = all.length ? FADED : '';
    const style = c.style();
    for (const s of all) P.drawOne(pen(c), s, c.view, { ...style, width: style.width + 1 });
  };

  // crosshair draws the line of the pointer's place, in mapped x, on all cards.
  let crossed = null; // { x: kind of axis, v: value }
  P.crosshair = (chart, x) => {
    crossed = chart && { x: chart.x, v: chart.xv(x) };
    for (const c of P.charts) P.placeLines(c);
  };

  // placeLines brings a card's upright lines to its present range.
  P.placeLines = c => {
    if (!c.u || !c.view || !c.near) return;
    place(c, c.cross, crossed && crossed.x === c.x ? crossed.v : null);
    place(c, c.pinLine, pinned?.chart === c ? pinned.v : null);
  };
  function place(c, line, v) {
    const m = v === null ? NaN : c.xm(v), { x0, x1, w } = c.view;
    const left = m >= x0 && m <= x1 ? Math.round((m - x0) / (x1 - x0) * w / devicePixelRatio) : null;
    if (line.tbLeft === left) return;
    line.tbLeft = left;
    line.style.visibility = left === null ? 'hidden' : 'visible';
    if (left !== null) line.style.transform = `translateX(${left}px)`;
  }

  // apart is how far a value of a curve at a place is from that of the baseline's run, of the
  // same tag, which is straight between its points; NaN where that has none.
  P.baseline = -1;
  P.apart = (chart, s, x, y, at) => {
    if (P.baseline < 0 || s.run === P.baseline && !s.list) return NaN;
    const b = baseAt(chart, s, x, at);
    return b ? y - P.valueAt(b, chart.smoothed ? b.smooth : b.value, x) : NaN;
  };
  // baseAt is the baseline's curve at a place, as it came for the heading at if it did. Of
  // several stretches the last, as where runs are put together.
  const baseAt = (chart, s, x, at) => {
    const of = list => list.findLast(b => b.run === P.baseline && b.tag === s.tag && x >= b.lo && x <= b.hi);
    return of(chart.exact?.get(at)?.all ?? []) ?? of([...chart.all ?? [], ...chart.unseen ?? []]);
  };
  // sureBase says whether what is told of the baseline at a heading is of logged points.
  P.sureBase = (chart, s, x) => {
    const b = baseAt(chart, s, x, x);
    return !b || b.sure || !b.preview && b.x[P.nearest(b, x)] === x;
  };
  // signed writes differences.
  P.signed = list => P.values(list).map((t, i) => Number.isNaN(list[i]) ? '' : list[i] > 0 ? '+' + t : t);

  const NARROW = [64, 44, 32, 24, 18, 14, 10]; // characters of a name, as there is room

  // label is what a curve is called: its run, which of several stretches of it, and its
  // tag where a card has several. The run is called as the user does, or as in the files.
  P.called = (run, logged) => (logged ? 0 : P.runs.get(run)?.own) || (P.runs.get(run)?.name ?? '');
  P.label = (chart, s, logged) => (s.group !== undefined ? s.group + ' (' + s.runs.size + ' runs)'
    : P.called(s.run, logged)) + (s.piece > 0 ? ': ' + s.piece : '') +
    (chart.tags?.length > 1 ? ' · ' + chart.tags[s.tag] + (s.right ? ' (right)' : '') : '');

  // bandText tells a group's band; what differs in the twelfth digit is computed, not logged.
  P.bandText = (chart, { s, i }, exact) => {
    if (!s.list) return '';
    const b = chart.smoothed ? s.bands.smooth : s.bands.value, fine = v => +v.toPrecision(12), edges = [b.lo, b.hi];
    const texts = exact ? edges.map(e => P.exact(e[i]))
      : P.values(edges.map(e => fine(e[i])), k => P.beside(edges[k], i).map(fine));
    return texts.join(' to ') + (b.count[i] < s.runs.size ? ' (' + b.count[i] + ' runs)' : '');
  };

  // fill makes the table. Names take what room there is; where there is none at all, a
  // table that cannot be scrolled goes without times.
  function fill(box, chart, { rows, near, x }, limit) {
    const some = rows.slice(0, limit), names = some.map(r => P.label(chart, r.s));
    /** @type {[head: string, texts: string[], of?: (row: any) => any][]} */
    const columns = [['Run', null]];
    const about = (list, also = true) => list.map((t, k) => t && !(some[k].sure && also) ? '≈ ' + t : t);
    if (chart.smoothed) {
      columns.push(['Smoothed', about(P.values(some.map(r => r.s.smooth[r.i]))), r => r.s.smooth[r.i]]);
    }
    const grouped = some.some(r => r.s.list), edged = some.some(r => r.s.bands && !r.s.list);
    /** @type {(name: string, of: string) => typeof columns[0]} */
    const edge = (name, of) => {
      const at = r => r.s.bands && !r.s.list ? r.s.bands.value[of][r.i] : NaN;
      return [name, P.values(some.map(at)).map((t, k) => Number.isNaN(at(some[k])) ? '' : t), at];
    };
    columns.push([!grouped ? 'Value' : P.band === 'quantiles' ? 'Median' : 'Mean',
      about(P.values(some.map(r => r.s.value[r.i]), i => P.beside(some[i].s.value, some[i].i))), r => r.s.value[r.i]]);
    if (grouped) columns.push(['Band', some.map(r => P.bandText(chart, r)), r => P.bandText(chart, r, true)]);
    if (edged) columns.push(edge('Lower', 'lo'), edge('Upper', 'hi'));
    columns.push(['Step', some.map(r => P.step(r.s.step[r.i])), r => r.s.step[r.i]],
      ['Time', some.map(r => P.time(r.s.wall[r.i] + r.s.wallBase)),
        r => new Date((r.s.wall[r.i] + r.s.wallBase) * 1000)],
      ['Relative', some.map(r => P.duration(r.s.wall[r.i] + r.s.wallBase - r.s.start)),
        r => r.s.wall[r.i] + r.s.wallBase - r.s.start]);
    // Beside a value stands how far it is from the baseline's at the same place.
    const away = r => P.apart(chart, r.s, r.s.x[r.i], r.y, x), apart = some.map(away);
    if (apart.some(v => !Number.isNaN(v))) {
      columns.splice(chart.smoothed ? 3 : 2, 0,
        ['Δ baseline', about(P.signed(apart), P.sureBase(chart, near.s, x)), away]);
    }
    const build = () => {
      const table = el('table'), head = el('tr');
      head.append(el('td'), ...columns.map(([c]) => el('th', c === 'Run' ? 'name' : '', c)));
      table.createTHead().append(head);
      const body = table.createTBody(), folded = new Set(), pads = columns.map(([, texts]) => P.pads(texts ?? []));
      some.forEach((row, k) => {
        const tr = el('tr', (row === near ? 'near' : '') + (row.sure ? '' : ' about')), c = el('td'),
          sw = el('i', 'swatch');
        sw.style.background = P.inkOf(chart, row.s);
        c.append(sw);
        const name = el('td', 'name'), alone = box !== tip && !chart.noRuns;
        // A click on a row of a pinned table shows that run, or group, alone, or again what was
        // shown before; not one that ends a selection of text.
        const text = name.appendChild(el(alone ? 'button' : 'span', alone ? 'tip-only' : '', names[k]));
        if (alone) {
          text.setAttribute('aria-label', 'Only ' + names[k]);
          tr.addEventListener('click',
            e => { if (!e.target.closest('.tip-fold') && getSelection().isCollapsed) only(row.s); });
        }
        name.title = P.label(chart, row.s, true);
        // A group opens into its runs, and the runs of one close again.
        const of = row.s.group ?? P.groups.get(row.s.run);
        if (box !== tip && of !== undefined && !folded.has(of)) {
          folded.add(of);
          const fold = el('button', 'tip-fold', row.s.group !== undefined ? '▸' : '▾');
          fold.setAttribute('aria-label', (row.s.group !== undefined ? 'Show the runs of ' : 'Show as a group: ') + of);
          fold.addEventListener('click', () => { P.unpin(); P.onExpand?.(of); });
          c.append(fold);
        }
        tr.append(c, name, ...columns.slice(1).map(([c, texts, of], n) => {
          const td = el('td', c === 'Time' || c === 'Relative' ? 'num quiet' : 'num', texts[k]), pad = pads[n + 1][k];
          if (pad) td.dataset.pad = pad;
          if (c === 'Step' && chart.x === 'step' && row.s.x[row.i] !== x) {
            td.classList.add('elsewhere');
            td.title = `No point at step ${P.xText('step', chart.xv(x))}: this is the nearest`;
          }
          td.tbExact = () => of(row);
          return td;
        }));
        body.append(tr);
      });
      return table;
    };
    const title = el('div', 'tip-title');
    title.append(P.xPlace(chart, chart.xv(x)));
    let table = build();
    const parts = [title, table];
    if (rows.length > limit) {
      parts.push(el('div', 'tip-more',
        `${(rows.length - limit).toLocaleString('en-US')} more` +
          (box === tip ? ' · click to pin and see them' : '')));
    }
    box.replaceChildren(...parts);
    box.hidden = false;
    const spills = () => table.offsetWidth > box.clientWidth - 12 || box.offsetWidth > innerWidth - 8;
    const cut = most => P.short(names, most)
      .forEach(
        (n, k) => {
          const c = table.tBodies[0].rows[k].cells[1].firstChild;
          if (c.textContent !== n) c.textContent = n;
        });
    const without = at => {
      const [column] = columns.splice(at, 1), next = build();
      table.replaceWith(next);
      table = next;
      return column;
    };
    // What says the same in all rows goes before a name loses a letter; the heading says it. A
    // pinned table can be scrolled.
    const same = [];
    for (const what of ['Time', 'Relative']) {
      const at = columns.findIndex(([c]) => c === what), texts = columns[at][1];
      if (box !== tip || !spills() || !texts.every(t => t === texts[0])) continue;
      without(at);
      same.push(texts[0]);
    }
    if (same.length) title.append(el('span', 'quiet', same.join(' · ')));
    for (const most of NARROW) { cut(most); if (!spills()) break; }
    while (box === tip && spills() && columns.length > 3) {
      without(columns.length - 1);
      cut(NARROW.at(-1));
    }
    return title;
  }

  // copied is the selected part of a table as text, a tab between two cells, with every digit.
  function copied(box, from) {
    const range = getSelection().rangeCount && getSelection().getRangeAt(0), table = box.querySelector('table');
    if (!range || range.collapsed || !table || !range.intersectsNode(table)) return null;
    const iso = v => typeof v === 'string' ? v : v instanceof Date ? (Number.isNaN(+v) ? '' : v.toISOString())
      : P.exact(v);
    const lines = [];
    for (const tr of table.rows) {
      const cells =
        [...tr.cells].slice(from)
        .map(td => range.intersectsNode(td) ? (td.tbExact ? iso(td.tbExact()) : td.title || td.textContent) : null)
        .filter(t => t !== null);
      if (cells.length) lines.push(cells.join('\t'));
    }
    return lines.length === 1 && !lines[0].includes('\t') ? lines[0] : lines.join('\n') + '\n';
  }

  // copies makes a table be copied so, from a column on.
  P.copies = (box, from) => {
    box.oncopy = e => {
      const text = copied(box, from);
      if (text === null) return;
      e.clipboardData.setData('text/plain', text);
      e.preventDefault();
    };
  };

  // tipAt puts the box below the plot, or above it, so that it does not lie on
  // the lines that it speaks of; where neither has room, beside the pointer.
  P.tipAt = (box, plot, x, y) => {
    const w = box.offsetWidth, h = box.offsetHeight, gap = 8;
    let left = x - w / 2, top = plot.bottom + 26;
    if (top + h > innerHeight - 4) top = plot.top - h - gap;
    if (top < 4) {
      top = Math.max(4, Math.min(y - h / 2, innerHeight - h - 4));
      left = x + 20 + w <= innerWidth ? x + 20 : x - 20 - w;
    }
    left = Math.max(4, Math.min(left, innerWidth - w - 4));
    box.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
  };

  // placePinned puts a pinned table where it covers neither its card nor the header: below the
  // plot, above the card, or at its side; where there is no room for all of it, it scrolls where
  // there is most. Where the user has moved it to for this chart it stays.
  let placed = null; // {chart, style}: moved or sized by hand
  function placePinned(box, chart) {
    if (placed?.chart === chart) { box.style.cssText = placed.style; return; }
    const plot = chart.u.over.getBoundingClientRect(),
      card = chart.host.closest('article')?.getBoundingClientRect() ?? plot;
    const top = headEnd() + 4, w = box.offsetWidth, h = box.offsetHeight, low = plot.bottom + 26;
    const below = innerHeight - 4 - low, above = card.top - 4 - top, right = innerWidth - 4 - card.right,
      left = card.left - 4;
    let x = plot.left + plot.width / 2 - w / 2, y = low, room = below;
    if (h > below && h > above && Math.max(right, left) >= w + 4) {
      x = right >= w + 4 ? card.right + 4 : card.left - 4 - w;
      y = Math.max(top, Math.min(card.top, innerHeight - 4 - h));
      room = innerHeight - 4 - y;
    } else if (h > below && above > below) { y = Math.max(top, card.top - 4 - h); room = above; }
    if (room < 120) { y = top; room = innerHeight - 4 - top; } // on the plot, where there is room nowhere else
    box.style.maxHeight = Math.min(room, 560) + 'px';
    move(box, x, y);
  }
  const headEnd = () => document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  function move(box, x, y) {
    x = Math.max(4, Math.min(x, innerWidth - box.offsetWidth - 4));
    y = Math.max(headEnd() + 4, Math.min(y, innerHeight - 44));
    box.style.transform = `translate(${Math.round(x)}px,${Math.round(y)}px)`;
  }

  // drags lets a pinned table be moved by its title, and keeps where it is, and its size.
  function drags(box, chart) {
    const keep = () => { placed = { chart, style: box.style.cssText }; };
    box.addEventListener('pointerdown', e => {
      if (e.button !== 0) return;
      if (!e.target.closest('.tip-title') || e.target.closest('button')) { // the corner sizes it
        box.style.maxHeight = `calc(100dvh - ${Math.round(box.getBoundingClientRect().top) + 4}px)`;
        box.addEventListener('pointerup', () => { if (box.style.width || box.style.height) keep(); }, { once: true });
        return;
      }
      const b = box.getBoundingClientRect(), dx = b.left - e.clientX, dy = b.top - e.clientY;
      box.setPointerCapture(e.pointerId);
      const go = m => { move(box, m.clientX + dx, m.clientY + dy); keep(); };
      box.addEventListener('pointermove', go);
      box.addEventListener('lostpointercapture', () => box.removeEventListener('pointermove', go), { once: true });
    });
  }

  // only shows the run of a curve, or the runs of a group, alone, or again what was shown
  // before.
  const only = s => P.onOnly?.(JSON.stringify(s.runs ? [...s.runs] : [s.run]));
  // onlyAt does it for the curve that is marked as the nearest to a place.
  P.onlyAt = (chart, e) => {
    const u = chart.u, b = u.over.getBoundingClientRect(), r = devicePixelRatio, left = e.clientX - b.left;
    const { near } = P.look(chart, u.posToVal(left, 'x'), left * r, (e.clientY - b.top) * r);
    if (near && !chart.noRuns) only(near.s);
  };

  // pin keeps the table open, with all its rows, to scroll, select and copy.
  P.pin = (chart, e) => {
    const was = pinned?.chart;
    P.unpin();
    if (was === chart) return;
    const u = chart.u, b = u.over.getBoundingClientRect(), left = e.clientX - b.left, top = e.clientY - b.top;
    open(chart, u.posToVal(left, 'x'), top * devicePixelRatio, e);
  };

  // pinAt opens the table at a value of x for the keyboard; without one, at the last
  // point that is seen.
  P.pinAt = (chart, v) => {
    if (!chart.u || !chart.view) return;
    P.unpin();
    const { x1, h } = chart.view;
    open(chart, v === undefined ? x1 : chart.xm(v), h / 2, null);
    pinned?.box.focus({ preventScroll: true });
  };

  function open(chart, m, py, at) {
    const { x0, x1, w } = chart.view, found = P.look(chart, m, (m - x0) / (x1 - x0) * w, py);
    if (!found.rows.length) return;
    const box = el('div', 'tip pinned');
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', 'Values');
    box.tabIndex = -1;
    document.body.append(box);
    fillPinned(box, chart, found);
    pinned = { chart, box, v: chart.xv(found.x), byKeys: !at, axis: chart.x, py, soon: 0 };
    P.settle(chart, found, true);
    if (tip) tip.hidden = true;
    P.copies(box, 1);
    box.addEventListener('keydown', e => {
      const to = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[e.key];
      if (!to || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault();
      const next = P.beyond(chart, chart.xm(pinned.v), to);
      if (next !== null) P.pinAt(chart, chart.xv(next));
    });
    drags(box, chart);
    placePinned(box, chart);
    P.placeLines(chart);
  }

  function fillPinned(box, chart, found) {
    const title = fill(box, chart, found, PINNED_ROWS), close = el('button', 'tip-close', '×');
    title.prepend(el('b', 'tip-tag', chart.name), ' ');
    title.setAttribute('aria-live', 'polite');
    const one = found.rows.find(r => r === found.near) ?? found.rows[0];
    if (P.onHappened && chart.x === 'step' && one && one.s.group === undefined) {
      const ask = el('button', 'text-button', 'What happened here?');
      ask.title = 'Lists the scalars of ' + P.called(one.s.run) + ' that left their usual range on the way here';
      ask.addEventListener('click',
        () => P.onHappened(one.s.run, chart.tags[one.s.tag] ?? chart.name, one.s.step[one.i]));
      title.append(ask);
    }
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', P.unpin);
    title.append(close);
  }

  // renewPinned brings the pinned table to a chart that has other curves now, or another axis.
  // What is being read or copied stays: where it is scrolled, the focus, and all of it while a
  // part is selected.
  P.renewPinned = chart => {
    const p = pinned;
    if (p?.chart !== chart || p.soon) return;
    p.soon = setTimeout(() => {
      p.soon = 0;
      if (pinned !== p || !chart.view) return;
      const { x0, x1, w } = chart.view, { box } = p, m = chart.xm(p.v), picked = getSelection();
      if (p.axis !== chart.x) { P.unpin(); return; }
      if (!picked.isCollapsed && picked.containsNode(box, true)) return;
      const found = P.look(chart, m, (m - x0) / (x1 - x0) * w, p.py);
      if (!found.rows.length) { P.unpin(); return; }
      const { scrollTop, scrollLeft } = box, had = [...box.querySelectorAll('button')].indexOf(document.activeElement);
      fillPinned(box, chart, found);
      p.v = chart.xv(found.x);
      P.settle(chart, found, true);
      P.placeLines(chart);
      Object.assign(box, { scrollTop, scrollLeft });
      box.querySelectorAll('button')[had]?.focus({ preventScroll: true });
    }, 100);
  };

  // beyond is the place of the next point of any curve on the way from a place; of the
  // first or last one if the way is endless.
  P.beyond = (chart, m, way) => {
    const eps = Math.abs(m) * 1e-12;
    let best = null;
    for (const s of chart.list) for (let i = 0; i < s.n; i++) {
      const x = s.x[i];
      if (!(Math.abs(x) < Infinity)) continue;
      if (!Number.isFinite(way)) { if (best === null || (way > 0 ? x > best : x < best)) best = x; continue; }
      if ((x - m) * way > eps && (best === null || (x - best) * way < 0)) best = x;
    }
    return best;
  };

  P.unpin = () => {
    if (!pinned) return false;
    const { chart, box, byKeys } = pinned;
    pinned = null;
    const had = box.contains(document.activeElement);
    box.remove();
    P.placeLines(chart);
    if (had && byKeys) chart.host.closest('[tabindex]')?.focus({ preventScroll: true });
    return true;
  };
  P.forgetTip = chart => {
    if (P.hovered === chart) leave(chart);
    if (pinned?.chart === chart) P.unpin();
    if (placed?.chart === chart) placed = null;
  };
})();
