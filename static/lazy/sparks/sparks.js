// Small curves in the run list: of the metric by which runs stand, one in each row. They show
// shape alone: from the first to the last step of all that were taken, each over its own values,
// but for the few that lie far off.
//
// tbSparks.take(json, buffer)   a part of an answer of the kind scalars: its curves replace those
//                               that these runs had
// tbSparks.draw(element, run)   shows a run's curve in the element, or none
// tbSparks.clear()              forgets all
"use strict";
(() => {
  const W = 56, H = 18; // as in runs.css
  const FAR = 0.02; // of a curve's values that lie above, and below, of what is shown
  const runs = new Map();
  let lo = Infinity, hi = -Infinity, ends = 0; // ends: how often lo or hi has changed

  const take = (json, buffer) => {
    for (const { run, offset, n, narrow } of JSON.parse(json) ?? []) {
      let at = offset;
      const columns = [0, 1, 2, 3].map((k) => {
        const c = (narrow >> k) & 1 ? new Float32Array(buffer, at, n) : new Float64Array(buffer, at, n);
        at += (c.byteLength + 7) & ~7;
        return c;
      });
      const steps = Float64Array.from(columns[0]); // they may go back
      runs.set(run, { steps, values: Float64Array.from(columns[3]), ends: -1 });
      const first = Math.min(lo, ...steps), last = Math.max(hi, ...steps);
      if (first !== lo || last !== hi) ends++;
      [lo, hi] = [first, last];
    }
  };

  const pathOf = ({ steps, values }) => {
    const finite = values.filter((v) => Math.abs(v) < Infinity).sort();
    if (finite.length === 0) return "";
    const few = Math.floor(FAR * finite.length), least = finite[few], range = finite[finite.length - 1 - few] - least;
    let d = "", pen = "M";
    for (let i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i]) < Infinity)) {
        pen = "M";
        continue;
      }
      const x = hi > lo ? ((W - 2) * (steps[i] - lo)) / (hi - lo) : 0;
      const y = range > 0 ? Math.min(1, Math.max(0, (values[i] - least) / range)) : 0.5;
      d += `${pen}${(1 + x).toFixed(1)} ${(H - 2 - (H - 4) * y).toFixed(1)}`;
      pen = "L";
    }
    return d + (d.includes("L") ? "" : "h1"); // a single point is seen too
  };

  const svg = (name, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    return e;
  };

  const draw = (element, run) => {
    const r = runs.get(run);
    if (r && r.ends !== ends) {
      r.d = pathOf(r);
      r.ends = ends;
    }
    if (!element.firstChild) element.append(svg("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" }));
    element.firstChild.replaceChildren(...(r?.d ? [svg("path", { d: r.d })] : []));
  };

  const clear = () => {
    runs.clear();
    [lo, hi] = [Infinity, -Infinity];
    ends++;
  };

  globalThis.tbSparks = { take, draw, clear };
})();
