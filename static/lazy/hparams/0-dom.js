// The table of runs over the whole page. What stands in it, and in which order, is Go's
// (wasm/board/hparams): ask(name, what) asks for it or says what the user did. Only the
// lines and columns that are seen exist. Texts become text nodes, never HTML.
"use strict";
(() => {
  globalThis.tbH = globalThis.tbKit;

  // Sideways says which columns of a table are seen where they are more than have room, and
  // brings the others. edges gives the width of the column that stays, and where the others
  // are in what scrolls behind it.
  const H = globalThis.tbH;
  H.Sideways = class {
    constructor(table, edges) {
      this.table = table;
      this.edges = edges;
      this.said = H.make("span", { role: "status" });
      const go = (way, name) => H.iconButton("right", name, () => this.go(way));
      this.left = go(-1, "Columns to the left");
      this.right = go(1, "Columns to the right");
      this.left.classList.add("turned");
      this.el = H.make("div", { className: "hp-aside", hidden: true }, this.said, this.left, this.right);
    }
    // seen are the first and the last column that are whole on the screen.
    seen() {
      const { table } = this, [stays, x] = this.edges(), n = x.length - 1;
      const from = table.scrollLeft - 1, to = table.scrollLeft + table.clientWidth - stays + 1;
      let a = 0, b = n - 1;
      while (a < n - 1 && x[a] < from) a++;
      while (b > a && x[b + 1] > to) b--;
      return { a, b, n, x, room: table.clientWidth - stays };
    }
    go(way) {
      const { a, b, x, room } = this.seen();
      let to = way > 0 ? b + 1 : a;
      if (way < 0) while (to > 0 && x[a] - x[to - 1] <= room) to--; // as many as have room
      this.table.scrollTo({ left: x[to === a && way < 0 ? Math.max(0, a - 1) : to] });
    }
    update() {
      const { table } = this, more = table.scrollWidth > table.clientWidth + 1;
      this.el.hidden = !more;
      if (!more) return;
      const { a, b, n } = this.seen(), which = a === b ? ` ${a + 1}` : `s ${a + 1} to ${b + 1}`;
      const text = `Column${which} of ${n}: scroll sideways for more`;
      if (this.said.textContent !== text) this.said.textContent = text;
      this.left.disabled = table.scrollLeft < 1;
      this.right.disabled = table.scrollLeft + table.clientWidth > table.scrollWidth - 1;
    }
  };

  const css = new CSSStyleSheet();
  css.replaceSync(`
.hparams { display: flex; flex-direction: column; gap: 10px; padding-top: 10px; min-height: 100%; }
.hp-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.hp-bar .search-field { flex: 1 1 180px; max-width: 320px; }
.hp-bar .search input { padding-left: 10px; }
#app:not(.no-runs) .hp-bar .search-field { display: none; }
.hp-bar .button { height: 30px; }
.hp-bar .button[aria-pressed="true"] { color: var(--accent); background: var(--accent-soft); }
.hp-bar .select { flex: 0 1 auto; max-width: 150px; height: 30px; text-overflow: ellipsis; }
@media (max-width: 560px) { .hp-bar .select { max-width: 112px; } }
.hp-chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.hp-chip {
  display: inline-flex; align-items: center; background: var(--accent-soft); color: var(--accent); border-radius: 6px;
  max-width: 100%;
}
.hp-chip button:first-child {
  padding: 3px 2px 3px 10px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.hp-chip .icon-button { width: 24px; height: 24px; color: inherit; }
.hp-chip .icon-button .icon { width: 12px; height: 12px; }
.hp-table {
  position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel);
  overflow: auto; max-height: max(240px, calc(100dvh - 210px)); outline-offset: -2px;
}
.hp-head {
  position: sticky; top: 0; z-index: 3; display: flex; min-width: 100%; background: var(--panel);
  border-bottom: 1px solid var(--line); height: 34px;
}
.hp-body { position: relative; }
.hp-pad { flex: none; }
.hp-row { position: absolute; left: 0; top: 0; display: flex; height: 28px; width: 100%; contain: layout style; }
.hp-row:hover .hp-cell, .hp-row:focus-within .hp-cell { background: var(--hover); }
.hp-cell {
  flex: none; overflow: hidden; text-overflow: ellipsis; white-space: pre; padding: 4px 8px; line-height: 20px;
  border-right: 1px solid transparent; background: var(--panel);
}
.hp-cell.amount { text-align: right; font-variant-numeric: tabular-nums; }
.hp-cell.best { color: var(--accent); } /* bold digits are wider */
.hp-cell.best::before { content: "★"; float: left; font-size: 9px; opacity: .8; }
.hp-cell:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.hp-tell {
  position: fixed; z-index: 40; padding: 3px 8px; border-radius: 6px; background: var(--text); color: var(--panel);
  font-variant-numeric: tabular-nums; max-width: min(560px, 90vw); overflow-wrap: anywhere; pointer-events: none;
}
.hp-name {
  position: sticky; left: 0; z-index: 2; display: flex; align-items: center; gap: 8px; padding: 0 4px 0 10px;
  border-right: 1px solid var(--line);
}
.hp-name .text { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; direction: ltr; }
.hp-name .swatch { width: 12px; height: 12px; border-radius: 4px; flex: none; }
.hp-row.off .text { color: var(--muted); }
.hp-row.group .hp-cell { font-weight: 600; }
.hp-row.group .hp-name { cursor: pointer; }
.hp-name .icon-button { width: 24px; height: 24px; opacity: 0; }
.hp-row:hover .icon-button, .hp-row:focus-within .icon-button, .hp-name .fold { opacity: 1; }
.hp-name .fold .icon { width: 14px; height: 14px; transition: transform .12s; }
.hp-name .fold[aria-expanded="true"] .icon { transform: rotate(90deg); }
.hp-col { flex: none; display: flex; align-items: center; background: var(--panel); user-select: none; }
.hp-col .sort {
  flex: 1; min-width: 0; height: 100%; padding: 0 2px 0 8px; display: flex; gap: 4px; align-items: center;
  color: var(--muted); font-weight: 500; touch-action: none;
}
.hp-col.amount .sort { justify-content: flex-end; }
.hp-col .sort span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hp-col .sort:hover, .hp-col[aria-sort] .sort { color: var(--text); }
.hp-col .sort .icon { width: 13px; height: 13px; }
.hp-col sub { font-size: 10px; }
.hp-col .icon-button { width: 24px; height: 24px; }
.hp-col .icon-button .icon { width: 13px; height: 13px; }
.hp-col .filtered { color: var(--accent); }
.hp-col:not(.hp-name) { position: relative; }
.hp-col .edge {
  position: absolute; right: -4px; top: 0; bottom: 0; width: 9px; cursor: col-resize; z-index: 1; touch-action: none;
}
.hp-col .edge:hover {
  background: linear-gradient(90deg, transparent 4px, var(--accent) 4px, var(--accent) 5px, transparent 5px);
}
.hp-col.over::before {
  content: ""; position: absolute; left: -1px; top: 0; bottom: 0; width: 3px; background: var(--accent);
}
.hp-foot { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--muted); font-size: 12px; align-items: center; }
.hp-aside {
  display: flex; gap: 2px; align-items: center; justify-content: flex-end; color: var(--muted);
  font-size: 12px;
}
.hp-aside[hidden] { display: none; }
.hp-aside .turned { rotate: 180deg; }
.hp-aside :disabled { opacity: .35; }
.hp-note { color: var(--warn); overflow-wrap: anywhere; }
.popup.hp-pick {
  width: min(380px, calc(100vw - 12px)); max-height: 70vh; display: grid; gap: 8px; grid-template-rows: auto auto 1fr;
}
.popup.hp-pick:not(:popover-open) { display: none; }
.hp-list { overflow: auto; min-height: 60px; max-height: 44vh; display: grid; gap: 1px; align-content: start; }
.hp-list h4 {
  margin: 8px 0 2px; font-size: 11px; letter-spacing: .04em; text-transform: uppercase; color: var(--muted);
}
.hp-list .check span { overflow-wrap: anywhere; }
.hp-list .n { margin-left: auto; padding-right: 6px; color: var(--muted); }
.hp-two { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
.hp-two .number { width: 110px; height: 28px; }
.hp-part {
  display: flex; gap: 10px; padding: 3px 6px; border-radius: 4px;
  background: linear-gradient(90deg, var(--accent-soft) calc(100% * var(--part)), transparent 0);
  overflow-wrap: anywhere;
}
.hp-part .num { min-width: 5ch; }
@media (max-width: 600px) { .hp-name { max-width: 46vw; } }
@media (hover: none) { .hp-name .icon-button { opacity: 1; } }
`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, css];
})();
