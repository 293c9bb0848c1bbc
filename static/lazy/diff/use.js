// What is different between two texts, as nodes for the page.
"use strict";
{
  const TIME = 1500; // ms after which two texts are called too different
  const AROUND = 3; // equal lines that are shown beside a change

  const part = (tag, text) => { const e = document.createElement(tag); e.textContent = text; return e; };

  // tbDiff returns {nodes, added, removed}: the second text with what was added (<ins>) and
  // removed (<del>), by 'lines' or 'words'; null if they are too different to say.
  globalThis.tbDiff = (a, b, by) => {
    if (by === "lines") { // the last line is one, too
      if (a && !a.endsWith("\n")) a += "\n";
      if (b && !b.endsWith("\n")) b += "\n";
    }
    const parts = by === "words" ? Diff.diffWordsWithSpace(a, b, { timeout: TIME })
      : Diff.diffLines(a, b, { timeout: TIME });
    if (!parts) return null;
    const nodes = document.createDocumentFragment();
    let added = 0, removed = 0;
    parts.forEach((p, i) => {
      if (p.added) { added += p.count; nodes.append(part("ins", p.value)); return; }
      if (p.removed) { removed += p.count; nodes.append(part("del", p.value)); return; }
      const lines = p.value.split("\n");
      if (by === "words" || lines.length <= 4 * AROUND) { nodes.append(part("span", p.value)); return; }
      // Long equal stretches: what is beside the changes, and how much is left out.
      const head = i === 0 ? [] : lines.slice(0, AROUND), tail = i === parts.length - 1 ? [] : lines.slice(-AROUND - 1);
      if (head.length) nodes.append(part("span", head.join("\n") + "\n"));
      const skipped = part("span",
        `⋯ ${lines.length - 1 - head.length - Math.max(0, tail.length - 1)} equal lines ⋯\n`);
      skipped.className = "diff-skipped";
      nodes.append(skipped);
      if (tail.length) nodes.append(part("span", tail.join("\n")));
    });
    return { nodes, added, removed };
  };
}
