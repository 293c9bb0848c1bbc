// Columns of metadata, and colours by them.
"use strict";
{
  const P = globalThis.tbProjector, decoder = new TextDecoder();

  // column gives a column of the worker's its texts, which are decoded when they are asked for.
  P.column = (c) => {
    const texts = new Map();
    c.word = (code) => {
      let t = texts.get(code);
      if (t === undefined) texts.set(code, t = decoder.decode(c.words.subarray(c.starts[code], c.starts[code + 1])));
      return t;
    };
    c.text = (row) => c.word(c.codes[row]);
    return c;
  };

  // Colours that stand apart on both grounds; after them, hues by the golden angle.
  const table = ["#4e8fd0", "#f28e2b", "#3fa34d", "#e15759", "#a074c4", "#2fb5b0", "#d4a911", "#e377b5", "#9c755f",
    "#8592a3"];
  const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const hues = table.map(rgb);
  const hue = (i) => {
    while (hues.length <= i) {
      const k = hues.length, h = (k * 137.508) % 360, l = [0.5, 0.62, 0.42][k % 3], a = 0.6 * Math.min(l, 1 - l);
      hues.push(
        [0, 8, 4].map(
          (n) => {
            const t = (n + h / 30) % 12;
            return Math.round(255 * (l - a * Math.max(-1, Math.min(t - 3, 9 - t, 1))));
          }));
    }
    return hues[i];
  };
  // A scale grows away from the ground.
  const scales = { light: ["#b9a3e3", "#6f8fe0", "#1f8f9a", "#14693f", "#0c2c26"].map(rgb),
    dark: ["#5a3f8f", "#4a6fd8", "#35a5ac", "#7fd672", "#fbe76a"].map(rgb) };
  P.scale = (dark) => (u) => {
    const s = dark ? scales.dark : scales.light, x = Math.min(0.99999, Math.max(0, u)) * (s.length - 1),
      i = Math.floor(x), f = x - i;
    return s[i].map((v, d) => Math.round(v + (s[i + 1][d] - v) * f));
  };
  P.css = (c) => `rgb(${c.join(" ")})`;
  const MOST = 40; // categories with a colour of their own; the rest is grey

  // categorical says whether a column is coloured by category unless the user says otherwise.
  P.categorical = (c) => c.type !== "number" || (c.distinct <= 20 && c.numbers.every((n) => !(n % 1)));

  // tints says how a column colours rows: {of(row) → [r, g, b], legend | min, max, scale}.
  P.tints = (column, dark, categories) => {
    const plain = dark ? [122, 152, 224] : [74, 100, 190], grey = dark ? [108, 116, 130] : [158, 166, 178];
    if (!column) return { of: () => plain };
    if (column.type === "number" && !categories) {
      const scale = P.scale(dark), { min, max, numbers } = column, span = max - min || 1;
      return { of: (row) => (Number.isFinite(numbers[row]) ? scale((numbers[row] - min) / span) : grey), min, max,
        scale };
    }
    // Numbers of few values in their order, texts by how many rows they have; both stay the same
    // when rows are isolated.
    const codes = Array.from({ length: column.distinct }, (_, i) => i);
    codes.sort((a, b) => column.counts[b] - column.counts[a] || a - b);
    const first = codes.slice(0, MOST);
    const order = (a, b) => P.collate.compare(column.word(a), column.word(b));
    first.sort(order);
    const colors = new Map(first.map((c, i) => [c, hue(i)]));
    return {
      of: (row) => colors.get(column.codes[row]) ?? grey,
      legend: first.map(
        (c) => ({ code: c, text: column.word(c) || "(empty)", rows: column.counts[c], color: colors.get(c) })),
      more: codes.length - first.length,
    };
  };
  P.collate = new Intl.Collator("en", { numeric: true });
  P.number = (n) => n.toLocaleString("en");
  P.count = (n, word) => `${P.number(n)} ${word}${n === 1 ? "" : "s"}`;
}
