// Cards of PR curves: precision over recall, ROC, or a measure over the steps, of several
// runs; what is at the threshold under the pointer; and the table below. The arithmetic is
// the program's (shared/kind/prcurves). Text from files goes in through textContent only.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};
  const R = globalThis.tbPR ??= {};
  const FONT = '11px Inter, system-ui, "Segoe UI", sans-serif';
  const LEFT = 56, RIGHT = 12, TOP = 8, BOTTOM = 34;
  // Columns of a curve in an answer's buffer, and its measures.
  const THRESHOLD = 0, TP = 1, FP = 2, TN = 3, FN = 4, PRECISION = 5, RECALL = 6, F1 = 7, FPR = 8, TPR = 9,
    COLUMNS = 10;
  const MEANS = {
    Threshold: 'Scores from here on count as positive',
    Precision: 'TP / (TP + FP): of what was found, how much is right',
    Recall: 'TP / (TP + FN): of what is right, how much was found', F1: 'The harmonic mean of precision and recall',
    TP: 'True positives', FP: 'False positives', TN: 'True negatives', FN: 'False negatives',
    FPR: 'FP / (FP + TN): false positive rate',
  };
  const MEASURES = { ap: 'Average precision', pr: 'Area under PR', roc: 'Area under ROC', f1: 'Best F1' };
  const NUMBER = { ap: 0, pr: 1, roc: 2, f1: 3 };
  R.busy = 0; // ms spent on drawing since the start

  const { el } = P;
  const part = v => Number.isNaN(v) ? '–' : P.num(v);
  const whole = v => Number.isInteger(v) ? v.toLocaleString('en-US') : P.num(v);

  // Chart draws in host and writes the table into table. tell(event, …) reports: 'painted',
  // 'zoom' (its ranges, null if all is shown), 'point' (text).
  R.Chart = class extends tbLayers {
    constructor(host, table, tell) {
      super(host, 'pr-layer');
      this.over.setAttribute('role', 'img');
      this.table = table; this.tell = tell; this.runs = []; this.mode = 'pr';
      this.measure = 'ap'; this.colors = {}; this.called = {}; this.order = []; this.mark = '';
      this.at = null; this.words = '';
      this.tip = document.body.appendChild(el('div', 'tip'));
      this.tip.hidden = true;
    }
    resized() { if (this.table.clientWidth !== this.named) this.cut(); }
    leave() { this.point(null); }
    grab({ x, y }) { this.point(null); return { x0: x, y0: y, x1: x, y1: y }; }
    back() { this.fit(); }
    close() {
      super.close();
      this.tip.remove();
      this.table.replaceChildren();
    }

    begin() { this.next = []; }
    // add takes a worker's part of an answer.
    add(json, buffer) {
      const words = buffer ? new Float64Array(buffer) : new Float64Array(0);
      let at = 0;
      for (const p of JSON.parse(json)) {
        const c = p.curves[0], run = { run: p.run, step: c?.step, wall: c?.wall, error: c?.error ?? '', n: c?.n ?? 0 };
        run.columns = Array.from({ length: COLUMNS }, (_, k) => words.subarray(at + k * run.n, at + (k + 1) * run.n));
        at += COLUMNS * run.n;
        run.measures = run.n ? words.subarray(at, at + 5) : null;
        at += run.n ? 5 : 0;
        run.steps = Array.from({ length: 7 }, (_, k) => words.subarray(at + k * p.over, at + (k + 1) * p.over));
        at += 7 * p.over;
        this.next.push(run);
      }
    }
    done() {
      this.runs = this.next;
      this.next = null;
      this.arrange();
      this.point(null);
      this.fill();
      this.fresh = true;
      this.soon();
    }
    say(text) { this.runs = []; this.words = text; this.fill(); this.fresh = true; this.soon(); }
    // set takes mode, measure, colours by run, what runs are called, the runs in their order.
    set(json) {
      const o = JSON.parse(json), was = this.mode + this.measure;
      Object.assign(this, o);
      if (was !== this.mode + this.measure) { this.zoom = null; this.tell('zoom', null); this.point(null); }
      this.arrange(); this.fill(); this.describe(); this.soon();
    }
    highlight(run) { if (run !== this.mark) { this.mark = run; this.soon(); } }
    arrange() {
      const place = new Map(this.order.map((r, i) => [r, i]));
      this.runs.sort((a, b) => (place.get(a.run) ?? 1e9) - (place.get(b.run) ?? 1e9));
    }
    color(run) { return this.colors[run] ?? '#888888'; }
    name(run) { return this.called[run] ?? run; }

    // points are a run's places in values: of the axes and, of curves, of thresholds.
    points(r) {
      if (this.mode === 'steps') return [r.steps[0], r.steps[2 + NUMBER[this.measure]]];
      return this.mode === 'roc' ? [r.columns[FPR], r.columns[TPR]] : [r.columns[RECALL], r.columns[PRECISION]];
    }
    names() {
      return this.mode === 'steps' ? ['Step', MEASURES[this.measure]] : this.mode === 'roc'
        ? ['False positive rate', 'True positive rate'] : ['Recall', 'Precision'];
    }
    range() {
      if (this.zoom) return this.zoom;
      if (this.mode !== 'steps') return [-0.05, 1.05, -0.05, 1.05];
      let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
      for (const r of this.runs) {
        const [x, y] = this.points(r);
        for (let i = 0; i < x.length; i++) {
          if (Number.isFinite(y[i])) {
            x0 = Math.min(x0, x[i]);
            x1 = Math.max(x1, x[i]);
            y0 = Math.min(y0, y[i]);
            y1 = Math.max(y1, y[i]);
          }
        }
      }
      if (!(x1 >= x0)) return [0, 1, 0, 1];
      const px = (x1 - x0) * 0.02 || 1, py = (y1 - y0) * 0.06 || 0.05;
      return [x0 - px, x1 + px, y0 - py, y1 + py];
    }
    X(v) { const b = this.box, [lo, hi] = this.span; return b.x0 + (v - lo) / (hi - lo) * (b.x1 - b.x0); }
    Y(v) { const b = this.box, [, , lo, hi] = this.span; return b.y1 - (v - lo) / (hi - lo) * (b.y1 - b.y0); }

    paint() {
      const began = performance.now();
      this.draw();
      this.describe(); // when it can be pointed at
      R.busy += performance.now() - began;
      if (this.fresh) { this.fresh = false; this.tell('painted'); }
    }
    draw() {
      const sheet = this.sheet();
      if (!sheet) return;
      const { ctx, w, h } = sheet;
      this.box = { x0: LEFT, x1: w - RIGHT, y0: TOP, y1: h - BOTTOM };
      this.span = this.range();
      const b = this.box, [lo, hi, down, up] = this.span;
      ctx.font = FONT;
      ctx.fillStyle = P.theme.muted;
      ctx.strokeStyle = P.theme.grid;
      ctx.lineWidth = 1;
      if (!this.runs.length) {
        ctx.textAlign = 'center';
        ctx.fillText(this.words, w / 2, h / 2, w - 20);
        this.lay();
        return;
      }
      ctx.textAlign = 'center'; ctx.textBaseline = 'top';
      const across = P.yTicks('linear', lo, hi, Math.max(2, (b.x1 - b.x0) / 60),
        this.mode === 'steps' ? P.tickStep : P.tickNum);
      for (const [i, v] of across.at.entries()) {
        if (v < lo || v > hi) continue;
        const x = Math.round(this.X(v)) + 0.5;
        ctx.beginPath(); ctx.moveTo(x, b.y0); ctx.lineTo(x, b.y1); ctx.stroke();
        ctx.fillText(across.text[i], x, b.y1 + 5);
      }
      ctx.textAlign = 'right'; ctx.textBaseline = 'middle';
      const upright = P.yTicks('linear', down, up, Math.max(2, (b.y1 - b.y0) / 36));
      for (const [i, v] of upright.at.entries()) {
        if (v < down || v > up) continue;
        const y = Math.round(this.Y(v)) + 0.5;
        ctx.beginPath(); ctx.moveTo(b.x0, y); ctx.lineTo(b.x1, y); ctx.stroke();
        ctx.fillText(upright.text[i], b.x0 - 6, y, LEFT - 22);
      }
      const [xName, yName] = this.names();
      ctx.textAlign = 'center'; ctx.textBaseline = 'bottom';
      ctx.fillText(xName, (b.x0 + b.x1) / 2, h - 2);
      ctx.save();
      ctx.translate(9, (b.y0 + b.y1) / 2); ctx.rotate(-Math.PI / 2); ctx.textBaseline = 'middle';
      ctx.fillText(yName, 0, 0, b.y1 - b.y0);
      ctx.restore();
      ctx.save();
      ctx.beginPath(); ctx.rect(b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0); ctx.clip();
      if (this.mode === 'roc') { // what guessing gives
        ctx.strokeStyle = P.theme.muted; ctx.setLineDash([4, 4]);
        ctx.beginPath(); ctx.moveTo(this.X(0), this.Y(0)); ctx.lineTo(this.X(1), this.Y(1)); ctx.stroke();
        ctx.setLineDash([]);
      }
      ctx.lineJoin = 'round';
      const marked = this.runs.some(r => r.run === this.mark);
      for (const r of this.runs) {
        const on = r.run === this.mark;
        ctx.globalAlpha = marked && !on ? 0.25 : 1;
        ctx.strokeStyle = ctx.fillStyle = this.color(r.run);
        ctx.lineWidth = on ? 2.6 : 1.6;
        const [x, y] = this.points(r);
        ctx.beginPath();
        for (let i = 0, pen = false; i < x.length; i++) {
          if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) { pen = false; continue; }
          ctx[pen ? 'lineTo' : 'moveTo'](this.X(x[i]), this.Y(y[i]));
          pen = true;
        }
        ctx.stroke();
        // The end at the highest threshold is marked, so that a curve that is one place is seen.
        const end = x.length - 1;
        if (end === 0 || end > 0 && this.mode !== 'steps') {
          ctx.beginPath();
          ctx.arc(this.X(x[end]), this.Y(y[end]), 3, 0, 7);
          ctx.fill();
        }
      }
      ctx.restore();
      this.lay();
    }
    // lay draws what is pointed at, and the box that is being chosen.
    lay() {
      const ctx = this.cleared(this.over);
      const d = this.drag;
      if (d?.moved) {
        this.shade(ctx, P.theme.muted, d.x0, d.x1, d.y0, d.y1);
      }
      for (const { r, i } of this.at?.rows ?? []) {
        const [x, y] = this.points(r), X = this.X(x[i]), Y = this.Y(y[i]), near = r === this.at.near.r;
        if (!Number.isFinite(X) || !Number.isFinite(Y)) continue;
        ctx.beginPath(); ctx.arc(X, Y, near ? 5 : 4, 0, 7);
        ctx.fillStyle = this.color(r.run); ctx.fill();
        ctx.strokeStyle = P.theme.panel; ctx.lineWidth = 1.5; ctx.stroke();
      }
    }

    move(p) {
      if (!this.box || !this.runs.length) return;
      const d = this.drag;
      if (d) {
        const b = this.box;
        d.x1 = Math.max(b.x0, Math.min(b.x1, p.x)); d.y1 = Math.max(b.y0, Math.min(b.y1, p.y));
        d.moved ||= Math.hypot(d.x1 - d.x0, d.y1 - d.y0) > 5;
        this.soon();
        return;
      }
      let near = null, least = Infinity;
      for (const r of this.runs) {
        const [x, y] = this.points(r);
        for (let i = 0; i < x.length; i++) {
          const dist = Math.hypot(this.X(x[i]) - p.x, this.Y(y[i]) - p.y);
          if (dist < least) { least = dist; near = { r, i }; }
        }
      }
      this.point(near);
    }
    // stepBy goes along the thresholds of the curve that is pointed at, for the keyboard.
    stepBy(n) {
      const near = this.at?.near ?? { r: this.runs.find(r => r.n > 0), i: -1 };
      if (!near.r) return;
      const most = this.points(near.r)[0].length - 1;
      this.point({ r: near.r, i: Math.max(0, Math.min(most, near.i < 0 ? most >> 1 : near.i + n)) });
    }
    drop() {
      const d = this.drag, b = this.box;
      this.drag = null;
      if (d?.moved) {
        const [lo, hi, down, up] = this.span, x = v => lo + (v - b.x0) / (b.x1 - b.x0) * (hi - lo),
          y = v => down + (b.y1 - v) / (b.y1 - b.y0) * (up - down);
        this.zoomTo(x(Math.min(d.x0, d.x1)), x(Math.max(d.x0, d.x1)), y(Math.max(d.y0, d.y1)), y(Math.min(d.y0, d.y1)));
      }
      this.soon();
    }
    zoomTo(lo, hi, down, up) {
      if (!(hi - lo > 1e-9 * Math.max(1, Math.abs(lo))) || !(up - down > 1e-9)) return;
      this.zoom = [lo, hi, down, up];
      this.point(null); this.soon();
      this.tell('zoom', this.zoom);
    }
    fit() { if (this.zoom) { this.zoom = null; this.point(null); this.soon(); this.tell('zoom', null); } }
    zoomBy(f, px = 0.5, py = 0.5) {
      if (!this.span) return;
      const [lo, hi, down, up] = this.span, x = lo + px * (hi - lo), y = down + py * (up - down);
      this.zoomTo(x - (x - lo) * f, x + (hi - x) * f, y - (y - down) * f, y + (up - y) * f);
    }

    // point shows what is at a point of a curve: of every run at the same threshold, or step.
    point(near) {
      if (!near && !this.at) return;
      if (near && this.at?.near.r === near.r && this.at.near.i === near.i) return;
      this.at = null;
      this.tip.hidden = true;
      if (near) {
        const key = r => this.mode === 'steps' ? r.steps[0] : r.columns[THRESHOLD], to = key(near.r)[near.i];
        const rows = [];
        for (const r of this.runs) {
          const list = key(r);
          let best = -1;
          for (let i = 0; i < list.length; i++) {
            if (best < 0 || Math.abs(list[i] - to) < Math.abs(list[best] - to)) best = i;
          }
          // A curve that ends before has nothing there.
          if (r === near.r) best = near.i;
          if (best >= 0 &&
              (this.mode === 'steps' || Math.abs(list[best] - to) <= 0.51 / Math.max(1, list.length - 1) ||
                  r === near.r)) {
            rows.push({ r, i: best });
          }
        }
        this.at = { near, rows };
        this.show();
      }
      this.tell('point', this.said ?? '');
      this.soon();
    }
    show() {
      const { near, rows } = this.at, steps = this.mode === 'steps';
      const heads = steps ? ['Run', 'Step', MEASURES[this.measure], 'Time']
        : ['Run', 'Threshold', 'Precision', 'Recall', 'F1', 'TP', 'FP', 'TN', 'FN',
          ...(this.mode === 'roc' ? ['FPR'] : [])];
      const cells = ({ r, i }) => steps ? [P.step(r.steps[0][i]), part(this.points(r)[1][i]), P.time(r.steps[1][i])] :
        [...[THRESHOLD, PRECISION, RECALL, F1].map(k => part(r.columns[k][i])),
          ...[TP, FP, TN, FN].map(k => whole(r.columns[k][i])),
          ...(this.mode === 'roc' ? [part(r.columns[FPR][i])] : [])];
      const table = el('table'), head = table.createTHead().insertRow();
      head.append(el('td'),
        ...heads.map((h, k) => Object.assign(el('th', k ? '' : 'name', h), { title: MEANS[h] ?? '' })));
      const body = table.createTBody(), some = rows.slice(0, 20),
        names = P.short(some.map(row => this.name(row.r.run)), 44);
      for (const [at, row] of some.entries()) {
        const tr = body.insertRow(), sw = el('i', 'swatch'), c = el('td');
        if (row.r === near.r) tr.className = 'near';
        sw.style.background = this.color(row.r.run);
        c.append(sw);
        tr.append(c, el('td', 'name', names[at]), ...cells(row).map(t => el('td', 'num', t)));
      }
      this.tip.replaceChildren(table);
      if (rows.length > 20) this.tip.append(el('div', 'tip-more', `${rows.length - 20} more`));
      this.tip.hidden = false;
      const b = this.over.getBoundingClientRect(), [x, y] = this.points(near.r);
      P.tipAt(this.tip, { top: b.top + 2, bottom: b.bottom - 20 }, // the words of the axis stay in sight
        b.left + this.X(x[near.i]), b.top + this.Y(y[near.i]));
      const one = cells(near);
      this.said = this.name(near.r.run) + ': ' + heads.slice(1).map((h, k) => h + ' ' + one[k]).join(', ');
    }

    // fill writes the table of measures.
    fill() {
      const table = el('table'), head = table.createTHead().insertRow();
      const names = [['Run', ''], ['Step', ''], ['AP', 'Average precision'], ['PR', 'Area under precision over recall'],
        ['ROC', 'Area under the ROC curve'], ['F1', 'Best F1'], ['at', 'The threshold of the best F1']];
      // What columns mean stands above them while their head has the focus, by key or by touch.
      const held = this.table.contains(document.activeElement);
      table.createCaption().textContent = names.filter(n => n[1]).map(n => n.join(': ')).join(' · ');
      head.tabIndex = 0;
      head.setAttribute('aria-description', table.caption.textContent);
      this.table.replaceChildren(...(this.runs.length ? [table] : []));
      if (held) head.focus();
      head.append(
        ...names.map(
          ([n, title], k) => {
            const th = el('th', k ? '' : 'name', n);
            th.scope = 'col';
            if (title) th.title = title;
            return th;
          }));
      const body = table.createTBody();
      for (const r of this.runs) {
        const tr = body.insertRow(), sw = el('i', 'swatch'), name = el('td', 'name');
        sw.style.background = this.color(r.run);
        name.append(sw, '');
        name.title = r.run;
        tr.append(name, el('td', 'num', r.step === undefined ? '' : P.step(r.step)));
        if (typeof r.wall === 'number') tr.lastChild.title = P.time(r.wall);
        if (r.measures)
          tr.append(
            ...Array.from(r.measures, v => { const td = el('td', 'num', part(v)); td.title = P.exact(v); return td; }));
        else { const td = el('td', 'pr-error', r.error || 'No curve.'); td.colSpan = 5; tr.append(td); }
      }
      for (let k = 2; k < names.length; k++) {
        const cells = [...body.rows].map(row => row.cells[k]).filter(cell => cell);
        P.pads(cells.map(cell => cell.textContent)).forEach((pad, i) => { if (pad) cells[i].dataset.pad = pad; });
      }
      this.cut();
    }
    // cut cuts names that have no room where they differ; what they have in common stands above.
    cut() {
      const first = this.table.querySelector('th');
      if (!first) return;
      const all = this.runs.map(r => this.name(r.run)), cells = [...this.table.querySelectorAll('td.name')];
      const same = new Set(this.runs.map(r => r.step)).size === 1;
      // The column of names has the room that others leave, whatever stands in it: so it is laid out
      // once for all names that are tried, and these are measured without it.
      const range = document.createRange(), probe = this.table.appendChild(el('div', 'pr-probe'));
      if (cells[0]) {
        const { fontFamily, fontSize, fontWeight, fontVariantNumeric, letterSpacing } = getComputedStyle(cells[0]);
        Object.assign(probe.style, { fontFamily, fontSize, fontWeight, fontVariantNumeric, letterSpacing });
      }
      // The step that all have goes before a part of a name or a number does: the slider says it.
      for (const without of same ? [false, true] : [false]) {
        this.table.classList.toggle('one-step', without);
        for (const cell of cells) cell.lastChild.data = 'x';
        let room = 0;
        if (cells[0]) {
          range.selectNodeContents(cells[0].lastChild);
          room = cells[0].getBoundingClientRect().right - 4 - range.getBoundingClientRect().left;
        }
        const fits = texts => {
          probe.textContent = texts.join('\n');
          return probe.offsetWidth <= room;
        };
        let least = 8, most = Math.max(least, Math.floor(room / 4)), texts = P.short(all, least);
        while (least < most) { // as much of the names as there is room for
          const k = Math.ceil((least + most) / 2), some = P.short(all, k);
          if (fits(some)) [least, texts] = [k, some];
          else most = k - 1;
        }
        cells.forEach((cell, i) => { cell.lastChild.data = texts[i]; });
        first.textContent = texts.common || 'Run';
        first.title = texts.common ?? '';
        const whole = !texts.some((t, i) => t.includes('…') && !all[i].includes('…'));
        if (whole && fits(texts) && this.table.scrollWidth <= this.table.clientWidth) break;
      }
      probe.remove();
      this.named = this.table.clientWidth;
    }
    describe() {
      const drawn = this.runs.filter(r => this.points(r)[0].length).length, [x, y] = this.names();
      this.over.ariaLabel = drawn ? `${y} over ${x.toLowerCase()} of ${drawn} ${drawn === 1 ? 'run' : 'runs'}`
        : this.words || 'No curves';
    }
  };
})();
