// The envelope of a run's raw values: in place of the faint line behind the smoothed one,
// the band from the least to the greatest of the points around each point.
(() => {
  'use strict';
  const P = globalThis.tbPaint ??= {};

  // envelope returns the edges {lo, hi} of a series, NaN where nothing is finite; reach is how
  // many points to each side count.
  P.envelope = (s, reach) => s.envelope?.reach === reach ? s.envelope
    : s.envelope = { reach, lo: edge(s, reach, -1), hi: edge(s, reach, 1) };

  // edge is the greatest value times sign of the points up to reach beside each. Indexes
  // of values that may still be the greatest stand in line, the greatest first, so that
  // each is looked at twice at most.
  function edge(s, reach, sign) {
    const out = new Float64Array(s.n), line = new Uint32Array(s.n);
    let first = 0, end = 0;
    for (let i = 0, next = 0; i < s.n; i++) {
      for (; next < s.n && next <= i + reach; next++) {
        const v = s.value[next] * sign;
        if (!(Math.abs(v) < Infinity)) continue;
        while (end > first && s.value[line[end - 1]] * sign <= v) end--;
        line[end++] = next;
      }
      while (first < end && line[first] < i - reach) first++;
      out[i] = first < end ? s.value[line[first]] : NaN;
    }
    return out;
  }

  P.drawEnvelope = (ctx, s, view, style) => {
    const { lo, hi } = P.envelope(s, style.reach);
    P.fillBand(ctx, s, view, style, lo, hi);
  };
})();
