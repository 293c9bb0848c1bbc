// The painter: the page's only code that touches points. Go names cards, runs
// and settings; buffers from the workers come here as they are. This file has
// what all charts share: runs and colours, the theme, and the queue that
// spreads drawing over frames.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // ms of drawing per frame: while the user does something it leaves room for Go and
  // layout in one frame of the screen, else there is less of these. No other chart is begun
  // in the last BEGIN of it: to find its range is a millisecond that cannot be cut.
  // While charts show nothing yet a frame may take longer, and more so if nobody does
  // anything: each costs the browser a picture of the whole page, half as long as a card.
  // Before anybody has done anything, as when the page has just come, it may take as long as
  // a blink.
  const BUDGET = 5, BEGIN = 1.5, CALM_BUDGET = 13, SOON_BUDGET = 8, EMPTY_BUDGET = 40, FIRST_BUDGET = 100, CALM = 400;
  let touched = -Infinity;
  for (const e of ['pointermove', 'pointerdown', 'wheel', 'keydown', 'input']) {
    addEventListener(e, () => { touched = performance.now(); }, { capture: true, passive: true });
  }
  P.charts = new Set();
  P.busy = 0; // ms spent on drawing curves since the start
  P.longest = 0; // ms of the longest frame's drawing
  P.themeRev = 0;
  P.runs = new Map(); // id -> {name, color, own, paper}

  P.create = (host, tell, name, tags) => {
    const c = new P.Chart(host, tell, name, tags);
    P.charts.add(c);
    if (P.labels) bring();
    return c;
  };
  P.forget = chart => {
    P.forgetTip(chart);
    P.charts.delete(chart);
    waiting.delete(chart);
    clearTimeout(chart.zoomTimer); clearTimeout(chart.laterTimer); clearTimeout(chart.wordsTimer);
    sizes.unobserve(chart.host); screen.unobserve(chart.host);
    chart.host.tbChart = null;
  };

  // setRuns takes JSON: [[id, name, color, own, paper, dash], …], own being what the user calls
  // the run, paper its colour on white, dash its pattern of dashes; later ones replace earlier.
  P.setRuns = json => {
    for (const [id, name, color, own, paper, dash] of JSON.parse(json)) {
      P.runs.set(id, { name, color, own, paper, dash });
    }
    ranks = null;
    for (const c of P.charts) { c.colorRev++; P.queue(c); }
  };
  // rankOf is a run's place in the order of names: lines are drawn in it.
  let ranks = null;
  P.rankOf = id => {
    if (!ranks) {
      const runs = [...P.runs].map(([id, { name }]) => ({ id, name, key: P.nameKey(name) }));
      /** @type {(a: any, b: any) => number} */
      let compare = (a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : a.name > b.name ? -1 : a.name < b.name ? 1 : 0;
      if (runs.some(r => r.key === null)) {
        const all = new Intl.Collator('en', { numeric: true });
        compare = (a, b) => all.compare(a.name, b.name);
      }
      ranks = new Map(runs.sort(compare).map(({ id }, i) => [id, i]));
    }
    return ranks.get(id) ?? id;
  };
  // nameKey is a text by whose characters names stand in the order of Intl.Collator('en', {numeric:
  // true}), run_2 before run_10, small letters before capitals of the same name; null where a name
  // is not of ASCII alone. A browser's first collator takes the page's thread 10 ms.
  P.nameKey = name => /[^ -~]/.test(name) ? null : name.replace(/0*(\d+)|./g, (c, number) => number
    ? String.fromCharCode(50 + number.length) + number
    : String.fromCharCode(/[a-z]/i.test(c) ? c.toLowerCase().charCodeAt(0) + 5000 : signs.indexOf(c)));
  const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%\x60^+<=>|~$';
  P.colorOf = id => P.runs.get(id)?.color ?? '#888';

  // A card of several tags tells them apart by dashes; one that shows a single run by
  // colours (tagColors, for a light and a dark ground alike). On others very many runs have
  // dashes.
  const dashes = [null, [7, 4], [2, 3], [10, 3, 2, 3], [4, 2]];
  P.tagColors = [];
  P.inkOf = (c, s, paper) => c.single && P.tagColors.length ? P.tagColors[s.tag % P.tagColors.length]
    : paper && P.runs.get(s.run)?.paper || P.colorOf(s.run);
  P.dashOf = (c, s) => c.single || s.bands?.value.inner ? null
    : dashes[(c.tags.length > 1 ? s.tag : P.runs.get(s.run)?.dash ?? 0) % dashes.length]?.map(
      n => n * devicePixelRatio) ?? null;
  // Where a line's pattern begins: dashes of many lines that lie on each other would look like
  // one line with gaps.
  P.dashFrom = s => Math.abs(s.run * 7 % 97) * devicePixelRatio;

  // theme has the colours of canvas drawing. They are read from the style sheet when they are
  // first needed after a change: until then it need not be applied.
  let theme = null;
  const colors = () => {
    const css = getComputedStyle(document.documentElement), get = n => css.getPropertyValue(n).trim();
    return { text: get('--text'), muted: get('--muted'), grid: get('--grid'), panel: get('--panel') };
  };
  Object.defineProperty(P, 'theme', { get: () => theme ??= colors() });
  P.setTheme = () => {
    theme = null;
    P.themeRev++;
    for (const c of P.charts) { c.u?.redraw(false, false); P.queue(c); }
  };

  // setLabels says whether names stand at the ends of lines (lazy/labels).
  let labels = null;
  const bring = () => { labels ??= tbBoot.load('labels').catch(() => { labels = null; }); };
  P.setLabels = on => {
    P.labels = on;
    if (on && P.charts.size) bring();
    for (const c of P.charts) P.queue(c);
  };

  // On a screen of other pixels uPlot draws its axes anew by itself.
  addEventListener('dppxchange', () => { for (const c of P.charts) P.queue(c); });

  // The queue. In each frame charts are worked on, one at a time, until the
  // budget is spent: the one under the pointer first, then those on screen,
  // then those near it, each in the order in which they asked.
  const waiting = new Set();
  let frame = 0;
  P.queue = chart => { waiting.add(chart); frame ||= requestAnimationFrame(run); };
  P.later = (chart, ms) => { clearTimeout(chart.laterTimer); chart.laterTimer = setTimeout(P.queue, ms, chart); };
  P.idle = () => waiting.size === 0 && ![...P.charts].some(c => c.zoomTimer);
  // A page that goes away keeps the view as it is, not as it was a moment ago: on the window a
  // listener that captures comes before the one that keeps it.
  addEventListener('pagehide', () => { for (const c of P.charts) c.tellZoom(); }, true);
  // soonWords writes a chart's description once nothing has moved for a while.
  P.soonWords = chart => {
    clearTimeout(chart.wordsTimer);
    chart.wordsTimer = setTimeout(() => chart.describe(), 500);
  };
  const rank = c => c === P.hovered ? 0 : c.near ? 1 : 2;
  const screen = new IntersectionObserver(list => {
    for (const { target: { tbChart: c }, isIntersecting } of list) {
      if (c) { c.near = isIntersecting; if (P.charts.has(c)) P.mark(c); }
    }
    // drawn before it was in sight
    for (const { target: { tbChart: c } } of list) if (c?.near && c.fresh && P.charts.has(c)) P.readRest(c);
  });

  function run() {
    frame = 0;
    const start = performance.now(), list = [...waiting];
    for (const c of list) P.sizeOf(c);
    const calm = start - touched > CALM, empty = list.some(c => c.near && !c.fresh);
    const until = start +
      (calm ? (!empty ? CALM_BUDGET : touched > 0 ? EMPTY_BUDGET : FIRST_BUDGET) : empty ? SOON_BUDGET : BUDGET);
    for (const c of list.sort((a, b) => rank(a) - rank(b))) {
      let whole = true;
      const began = performance.now();
      try { whole = c.work(until); } catch (e) { console.error(e); }
      c.painter.busy += performance.now() - began;
      if (whole) waiting.delete(c);
      if (performance.now() >= until - BEGIN) break;
    }
    const spent = performance.now() - start;
    P.longest = Math.max(P.longest, spent);
    if (waiting.size) frame ||= requestAnimationFrame(run);
  }

  // sizeOf is the size of a chart's place, CSS pixels. It is read before any chart is drawn:
  // behind each that is new the browser would lay out the page again to tell it.
  P.sizeOf = c => c.size ??= [c.host.clientWidth, c.host.clientHeight];
  const sizes = new ResizeObserver(
    list => { for (const { target: { tbChart: c } } of list) if (c) { c.size = null; P.sizeOf(c); P.queue(c); } });
  P.watchSize = chart => { chart.host.tbChart = chart; sizes.observe(chart.host); screen.observe(chart.host); };
})();
