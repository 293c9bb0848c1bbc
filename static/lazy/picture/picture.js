// A card as a picture for papers: title, axes with what they show, curves, legend, on white
// ground, at a size that the user chooses. It is made as SVG; a PNG is that, painted.
(() => {
  'use strict';
  const P = globalThis.tbPaint;

  const FONT = 12, LINE = 18, NAMED = 48; // pixels; lines that a legend names at most
  // Of a legend: its margin, a stroke, from a name to the next column, a column at least.
  const SIDE = 16, SWATCH = 23, BETWEEN = 14, COLUMN = 90;
  const escape = s => String(s).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  const round = v => Math.round(v * 100) / 100;

  // inkOf is a curve's colour on white, whatever the page's ground is.
  const inkOf = (chart, s) => P.inkOf(chart, s, true);

  // pencil is of a canvas's drawing what P.signs needs, as SVG.
  const pencil = (out, left, top) => {
    let d = '';
    const to = c => (x, y) => { d += c + round(left + x) + ' ' + round(top + y); };
    return {
      beginPath() { d = ''; }, moveTo: to('M'), lineTo: to('L'), closePath() { d += 'Z'; },
      arc(x, y, r) { to('M')(x - r, y); d += `a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`; },
      fill() { out.push(`<path d="${d}" fill="${this.fillStyle}"/>`); },
      stroke() { out.push(`<path d="${d}" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"/>`); },
    };
  };

  // wide is about how many pixels a text takes.
  const pen = document.createElement('canvas').getContext('2d');
  const wide = text => { pen.font = FONT + 'px sans-serif'; return pen.measureText(text).width; };

  // xTicks are places in mapped x and their texts.
  function xTicks(chart, lo, hi, w) {
    if (chart.xKind !== 'linear' || chart.x !== 'wall') return P.xTicks(chart, lo, hi, w);
    const at = Array.from({ length: Math.max(2, Math.floor(w / 160)) },
      (_, i) => lo + (hi - lo) * (i + 0.5) / Math.max(1, Math.floor(w / 160)));
    return { at, text: at.map(P.time) };
  }

  // legendOf lays out below the axes what the lines are called: {items: {text, s, x, row}, rows}.
  // It takes about a third of the height at most. Names that have no room beside each other are
  // cut where they differ, what they have in common stands above, and how many are not named last.
  const legendOf = (chart, width, height) => {
    const by = new Map();
    for (const s of chart.list) if (s.n > 0) by.set((s.group ?? s.run) + '\n' + s.tag, s); // of pieces the last
    const named = [...by.values()].map(s => [P.label(chart, s), s])
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
    const whole = named.map(([name]) => name), lines = named.map(([, s]) => s), space = width - 2 * SIDE;
    const most = Math.max(1, Math.floor(Math.min(height * 0.36, height - 190) / LINE));
    const place = (texts, columns, common = '', left = 0) => {
      const all = left ? [...texts, `and ${left} more`] : texts;
      const top = common ? 1 : 0, rows = Math.ceil(all.length / columns);
      const cell = Math.max(...all.map((text, i) => wide(text) + (i < texts.length ? SWATCH : 0))) + BETWEEN;
      const items = all.map((text, i) => ({ text, s: i < texts.length ? lines[i] : null,
        x: SIDE + Math.floor(i / rows) * cell, row: top + i % rows }));
      if (common) items.unshift({ text: common, x: SIDE, row: 0 });
      return { items, rows: top + rows };
    };
    if (!lines.length) return { items: [], rows: 0 };
    const fits = (texts, room) => texts.every(t => wide(t) <= room);
    const roomy = Math.floor((space + BETWEEN) / (Math.max(...whole.map(wide)) + SWATCH + BETWEEN));
    if (lines.length <= NAMED && Math.ceil(lines.length / roomy) <= most) return place(whole, roomy);
    const rows = most > 3 ? most - 1 : most; // one for what is common
    const wanted = Math.ceil(Math.min(lines.length, NAMED) / rows);
    for (let columns = Math.max(1, Math.min(wanted, Math.floor(space / COLUMN))); columns > 0; columns--) {
      const n = lines.length <= Math.min(NAMED, columns * rows) ? lines.length
        : Math.max(1, Math.min(NAMED, columns * rows - 1));
      const room = space / columns - SWATCH - BETWEEN;
      for (let chars = Math.max(8, Math.floor(room / 5)); chars >= 8; chars--) {
        const texts = P.short(whole.slice(0, n), chars);
        if (!fits(texts, room)) continue;
        let common = rows < most ? texts.common ?? '' : '';
        while (common && wide(common) > space) common = common.slice(0, -2) + '…';
        return place(texts, columns, common, lines.length - n);
      }
    }
    return place([], 1, '', lines.length);
  };

  let pictures = 0; // names within them are told apart: several may stand on one page

  // svg writes the picture of a chart.
  P.svg = (chart, width, height) => {
    const clipped = 'plot' + ++pictures;
    const view = chart.measure(), y = P.yTicks(view.kind, view.y0, view.y1, Math.max(2, height / 60));
    const r = view.right && P.yTicks(view.right.kind, view.right.y0, view.right.y1, Math.max(2, height / 60));
    // At the ends of lines where their whole names have room, else below.
    const ends = r ? null : P.figureNames?.(chart, width, height - 100, wide) ?? null;
    // Of colours that go from low to high what they stand for says more than names.
    const ramp = chart.tags.length === 1 && P.colorScale?.length && !chart.list.some(s => s.bands?.value.inner)
      ? P.colorScale : null;
    const legend = ramp ? { items: [], rows: 1 } : ends ? null : legendOf(chart, width, height);
    const left = 26 + Math.max(30, ...y.text.map(wide)) + 8, top = 34,
      right = r ? Math.max(30, ...r.text.map(wide)) + 34 : ends?.room ?? 18;
    const bottom = legend ? 48 + legend.rows * LINE + 8 : 48, w = width - left - right, h = height - top - bottom;
    if (w < 60 || h < 40) return null; // too small for what is in it
    const X = m => round(left + (m - view.x0) / (view.x1 - view.x0) * w),
      Y = (m, v = view) => round(top + (v.y1 - m) / (v.y1 - v.y0) * h);
    // heightOf gives the height of a value of a curve, on its axis.
    const sides = [view, view.right ?? view].map(v => ({ v, to: P.scale(v.kind).to })),
      heightOf = s => { const { v, to } = sides[s.right ? 1 : 0]; return y => Y(to(y), v); };
    const out = [];
    const text = (t, x, y, more = '') => out.push(`<text x="${round(x)}" y="${round(y)}" ${more}>${escape(t)}</text>`);
    out.push(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      `font-family="Inter, Helvetica, Arial, sans-serif" font-size="${FONT}" fill="#1b2430">`,
      `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
      `<clipPath id="${clipped}"><rect x="${left}" y="${top}" width="${w}" height="${h}"/></clipPath>`);
    text(chart.name + (chart.join ? ', ' + chart.joinName : ''), left, 22, 'font-size="14" font-weight="600"');
    for (const [i, m] of y.at.entries()) {
      if (m < view.y0 - 1e-9 || m > view.y1 + 1e-9) continue;
      out.push(`<path d="M${left} ${Y(m)}H${left + w}" stroke="#e3e6eb"/>`);
      text(y.text[i], left - 7, Y(m) + 4, 'text-anchor="end" fill="#5d6878"');
    }
    for (const [i, m] of r ? r.at.entries() : []) {
      if (m < view.right.y0 - 1e-9 || m > view.right.y1 + 1e-9) continue;
      out.push(`<path d="M${left + w} ${Y(m, view.right)}h4" stroke="#c3c9d2"/>`);
      text(r.text[i], left + w + 7, Y(m, view.right) + 4, 'fill="#5d6878"');
    }
    const x = xTicks(chart, view.x0, view.x1, w);
    for (const [i, m] of x.at.entries()) {
      if (m < view.x0 || m > view.x1) continue;
      out.push(`<path d="M${X(m)} ${top}V${top + h}" stroke="#eceef2"/>`);
      text(x.text[i], X(m), top + h + 17, 'text-anchor="middle" fill="#5d6878"');
    }
    text(P.xTitle(chart), left + w / 2, top + h + 36, 'text-anchor="middle"');
    text(chart.name + (chart.y === 'linear' ? '' : ', ' + chart.y), 15, top + h / 2,
      `text-anchor="middle" transform="rotate(-90 15 ${round(top + h / 2)})"`);
    if (r) {
      const tags = chart.tags.filter((_, i) => chart.rightTags.has(i)).join(', '), x = width - 12,
        y = round(top + h / 2);
      text(tags + (chart.rightScale === 'linear' ? '' : ', ' + chart.rightScale.replace(/:.*/, '')), x, y,
        `text-anchor="middle" transform="rotate(90 ${x} ${y})"`);
    }
    out.push(`<g clip-path="url(#${clipped})" fill="none" stroke-linejoin="round">`);
    const clip = v => Math.max(-1e4, Math.min(1e4, v));
    const line = (s, ys) => {
      const height = heightOf(s);
      let d = '', open = false;
      for (let i = 0; i < s.n; i++) {
        const px = X(s.x[i]), py = height(ys[i]);
        if (!Number.isFinite(px) || !Number.isFinite(py)) { open = false; continue; }
        d += (open ? 'L' : 'M') + clip(px) + ' ' + clip(py);
        open = true;
      }
      return d;
    };
    for (const s of chart.list) {
      const color = inkOf(chart, s), dash = P.dashOf(chart, s);
      const band = s.bands ? (chart.smoothed ? s.bands.smooth : s.bands.value) : chart.smoothed && chart.reach
        ? P.envelope(s, chart.reach) : null;
      if (band) {
        const height = heightOf(s),
          edge = (ys, list) => list.map(i => clip(X(s.x[i])) + ' ' + clip(height(ys[i]))).join('L');
        for (const { lo, hi } of band.inner ? [band, band.inner] : [band]) {
          const pick = [];
          for (let i = 0; i < s.n; i++) if (hi[i] - lo[i] >= 0) pick.push(i);
          if (pick.length > 1) {
            out.push(
              `<path d="M${edge(hi, pick)}L${edge(lo, [...pick].reverse())}Z" fill="${color}" fill-opacity="0.2"/>`);
          }
        }
      }
      if (chart.smoothed && !band) out.push(`<path d="${line(s, s.value)}" stroke="${color}" stroke-opacity="0.25"/>`);
      const d = line(s, chart.smoothed ? s.smooth : s.value);
      if (d) {
        out.push(
          `<path d="${d}" stroke="${color}" ` +
          `stroke-width="1.75"${dash ? ` stroke-dasharray="${dash.map(v => v / devicePixelRatio).join(' ')}"` : ''}/>`);
      }
    }
    const style = { ratio: 1, smoothed: chart.smoothed, color: s => inkOf(chart, s) };
    for (const s of chart.list) P.signs(pencil(out, left, top), s, { ...view, w, h }, style);
    out.push('</g>');
    for (const n of P.seenNotes(chart, view.x0, view.x1, w)) {
      const x = round(left + n.x), cut = n.text.length > 40 ? n.text.slice(0, 39) + '…' : n.text;
      out.push(`<path d="M${x} ${top}V${top + h}" stroke="#5d6878" stroke-dasharray="3 3"/>`);
      text(cut, x + (n.flip ? -4 : 4), top + 13 + 15 * n.row, `font-size="11"${n.flip ? ' text-anchor="end"' : ''}`);
    }
    out.push(`<rect x="${left}" y="${top}" width="${w}" height="${h}" fill="none" stroke="#c3c9d2"/>`);
    if (ends) {
      const at = ends.lines.map(s => P.endOf(chart, s, { ...view, w, h })),
        seen = ends.lines.map((s, i) => i).filter(i => at[i]);
      P.spread(seen.map(i => at[i].y), 14, h).forEach((y, k) => {
        const i = seen[k], s = ends.lines[i], dash = P.dashOf(chart, s),
          ink = `fill="none" stroke="${inkOf(chart, s)}"`;
        out.push(
          `<g transform="translate(${left} ${top})"><path ` +
          `d="${P.leader(at[i].x, at[i].edge, w, y, w)}" ${ink} stroke-opacity="0.7"` +
            `${at[i].x < w - 24 ? ' stroke-dasharray="1 3"' : ''}/>` +
          `<path ` +
            `d="${P.dashBefore(w, y)}" ${ink} stroke-width="2.5"` +
              `${dash ? ` stroke-dasharray="${dash.map(v => v / devicePixelRatio).join(' ')}"` : ''}/></g>`);
        text(ends.texts[i], left + w + ends.gap, top + y + 4);
      });
    }
    for (const { text: name, s, x, row } of legend?.items ?? []) {
      const y = height - 12 - (legend.rows - 1 - row) * LINE, dash = s && P.dashOf(chart, s);
      if (s) {
        out.push(
          `<path d="M${round(x)} ${y - 4}h18" stroke="${inkOf(chart, s)}" ` +
          `stroke-width="2.5"${dash ? ` stroke-dasharray="${dash.map(v => v / devicePixelRatio).join(' ')}"` : ''}/>`);
      }
      text(name, s ? x + SWATCH : x, y, s ? '' : 'fill="#5d6878"');
    }
    if (ramp) {
      const [title, low, high, none, ...stops] = ramp, y = height - 12, id = 'ramp' + pictures;
      let x = SIDE, name = title;
      const put = (t, more) => { text(t, x, y, more); x += wide(t) + 8; };
      while (name && wide(name) > width * 0.4) name = name.slice(0, -2) + '…';
      put(name, 'fill="#5d6878"');
      put(low);
      const bar = Math.min(160, width - x - wide(high + none) - SWATCH - 3 * BETWEEN);
      if (bar > 20) {
        out.push(`<linearGradient id="${id}">` +
          stops.map((c, i) => `<stop offset="${i / (stops.length - 1)}" stop-color="${escape(c)}"/>`).join('') +
          `</linearGradient>` +
          `<rect x="${round(x)}" y="${y - 9}" width="${round(bar)}" height="9" rx="2" fill="url(#${id})"/>`);
        x += bar + 8;
      }
      put(high);
      if (none) {
        out.push(`<path d="M${round(x + 6)} ${y - 4}h18" stroke="#a3acb8" stroke-width="2.5"/>`);
        x += SWATCH + 6;
        put(none, 'fill="#5d6878"');
      }
    }
    out.push('</svg>');
    return out.join('\n');
  };

  // sheet puts pictures of one size side by side.
  P.sheet = (svgs, columns, width, height) => {
    columns = Math.min(columns, svgs.length);
    const w = columns * width, h = Math.ceil(svgs.length / columns) * height;
    return {
      svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}"><rect ` +
      `width="${w}" height="${h}" fill="#ffffff"/>\n` +
      svgs.map((s, i) => s.replace('<svg ', `<svg x="${i % columns * width}" y="${Math.floor(i / columns) * height}" `))
        .join('\n') + '\n</svg>', w, h };
  };
  P.saveSheet = async (svgs, columns, kind, width, height, name) => {
    const { svg, w, h } = P.sheet(svgs, columns, width, height);
    P.save(name, await rendered(svg, kind, w, h));
  };

  // printSheet prints pictures in place of the cards of curves, and resolves when that is over.
  P.printSheet = svgs => {
    const sheet = document.createElement('div');
    sheet.className = 'print-sheet';
    const intro = document.querySelector('.intro:not([hidden]) .intro-body:not([hidden]) > .text-body');
    if (intro) sheet.append(intro.cloneNode(true));
    for (const s of svgs) {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([s], { type: 'image/svg+xml' }));
      image.alt = '';
      sheet.append(image);
    }
    document.body.append(sheet);
    return Promise.all([...sheet.querySelectorAll("img")].map(i => i.decode())).then(() => {
      const gone = new Promise(done => addEventListener('afterprint', done, { once: true }));
      print();
      return gone;
    }).finally(() => {
      for (const image of sheet.querySelectorAll("img")) URL.revokeObjectURL(image.src);
      sheet.remove();
    });
  };

  // picture resolves with a Blob of the kind, "svg" or "png"; a PNG has two pixels for one.
  P.picture = async (chart, kind, width, height) => {
    const svg = P.svg(chart, width, height);
    if (svg === null) throw new Error('too small for the axes and the legend');
    return rendered(svg, kind, width, height);
  };
  async function rendered(svg, kind, width, height) {
    const vector = new Blob([svg], { type: 'image/svg+xml' });
    if (kind === 'svg') return vector;
    const image = new Image(), url = URL.createObjectURL(vector);
    try {
      image.src = url;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = 2 * width; canvas.height = 2 * height;
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      return await new Promise(
        (done, fail) => canvas.toBlob(
          b => b ? done(b) : fail(new Error('the browser cannot make a picture of this size')), 'image/png'));
    } finally {
      URL.revokeObjectURL(url);
    }
  }
  P.savePicture = async (chart, kind, width, height, name) => P.save(name, await P.picture(chart, kind, width, height));
  // copyPicture puts it on the clipboard; a browser wants that begun within the click.
  P.copyPicture = (chart, width, height) => {
    // A page on plain HTTP from another machine has no clipboard.
    if (!navigator.clipboard?.write || !globalThis.ClipboardItem) {
      throw new Error('the browser copies pictures from safe pages (https) only; save it instead');
    }
    return navigator.clipboard.write([new ClipboardItem({ 'image/png': P.picture(chart, 'png', width, height) })]);
  };
})();
