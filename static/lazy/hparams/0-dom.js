// The table of runs over the whole page. What stands in it, and in which order, is Go's
// (wasm/board/hparams): ask(name, what) asks for it or says what the user did. Only the
// lines and columns that are seen exist. Texts become text nodes, never HTML.
"use strict";
(() => {
  const H = globalThis.tbH = {};

  // make makes an element: properties, attributes (with a "-", or "role"), listeners (on…).
  H.make = (tag, props = {}, ...kids) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(props)) {
      if (v === undefined || v === null) continue;
      if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
      else if (k === "style") for (const [name, value] of Object.entries(v)) e.style.setProperty(name, value);
      else if (k.includes("-") || k === "role") e.setAttribute(k, v);
      else e[k] = v;
    }
    e.append(...kids.filter((x) => x !== null && x !== undefined));
    return e;
  };

  const shapes = {
    filter: "M10 20a1 1 0 0 0 .553.895l2 1A1 1 0 0 0 14 21v-7a2 2 0 0 1 .517-1.341L21.74 4.67A1 1 0 0 0 21 3H3a1 1 0 0 0-.742 1.67l7.225 7.989A2 2 0 0 1 10 14z",
    x: "M18 6 6 18M6 6l12 12",
    up: "m5 12 7-7 7 7M12 19V5",
    down: "M12 5v14M19 12l-7 7-7-7",
    more: "M12 12h.01M12 5h.01M12 19h.01",
    right: "m9 18 6-6-6-6",
  };
  H.icon = (name) => {
    const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg"), path = document.createElementNS(ns, "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", shapes[name]);
    svg.append(path);
    return svg;
  };
  H.iconButton = (icon, name, onclick) => H.make("button", { className: "icon-button", type: "button", title: name, "aria-label": name, onclick }, H.icon(icon));
  H.button = (text, title, onclick) => H.make("button", { className: "button", type: "button", title, onclick }, text);

  // popup shows a popover under an element, and takes it away when it closes.
  H.popup = (under, name, className, fill) => {
    const el = H.make("div", { className: "popup " + className, popover: "auto", role: "dialog", "aria-label": name });
    fill(el, () => el.hidePopover());
    under.closest("main,body").append(el);
    el.addEventListener("toggle", (ev) => {
      if (ev.newState === "closed") el.remove();
    });
    el.showPopover();
    const b = under.getBoundingClientRect(), w = el.offsetWidth, h = el.offsetHeight;
    el.style.left = Math.max(6, Math.min(b.left, innerWidth - w - 6)) + "px";
    el.style.top = (b.bottom + 4 + h > innerHeight - 6 ? Math.max(6, b.top - h - 4) : b.bottom + 4) + "px";
    return el;
  };

  // menu shows lines of [text, do] under a button; arrows move.
  H.menu = (under, name, items) => H.popup(under, name, "menu", (el, close) => {
    el.setAttribute("role", "menu");
    for (const [text, act] of items) {
      el.append(H.make("button", { className: "menu-item", type: "button", role: "menuitem", onclick: () => { close(); act(); } }, text));
    }
    el.addEventListener("keydown", (ev) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[ev.key];
      if (!step) return;
      ev.preventDefault();
      const all = [...el.children];
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    });
    setTimeout(() => el.firstChild?.focus());
  });

  // copy puts text on the clipboard; a page on plain HTTP from another machine has none, there
  // what is selected is copied.
  H.copy = (text, said) => {
    const failed = () => H.say("The browser does not allow it");
    if (navigator.clipboard) {
      navigator.clipboard.writeText(text).then(() => H.say(said), failed);
      return;
    }
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    if (document.execCommand("copy")) H.say(said); else failed();
    area.remove();
  };

  // say tells screen readers, and whoever looks, for a while.
  H.say = (text) => {
    let list = document.querySelector(".tasks");
    if (!list) document.body.append(list = H.make("div", { className: "tasks" }));
    const line = H.make("div", { className: "task", role: "status" }, text);
    list.append(line);
    setTimeout(() => line.remove(), 6000);
  };

  // tell says something below an element until it is called again; null: no more.
  let told = null;
  H.tell = (under, text) => {
    told?.remove();
    told = null;
    if (!under) return;
    told = H.make("div", { className: "hp-tell", role: "tooltip" }, text);
    under.closest("main,body").append(told);
    const b = under.getBoundingClientRect(), below = b.bottom + 2 + told.offsetHeight < innerHeight;
    told.style.left = Math.max(4, Math.min(b.right - told.offsetWidth, innerWidth - told.offsetWidth - 4)) + "px";
    told.style.top = (below ? b.bottom + 2 : b.top - told.offsetHeight - 2) + "px";
  };

  H.download = (name, type, text) => {
    const a = H.make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  };

  const css = new CSSStyleSheet();
  css.replaceSync(`
.hparams { display: flex; flex-direction: column; gap: 10px; padding-top: 10px; min-height: 100%; }
.hp-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.hp-bar .search-field { flex: 1 1 180px; max-width: 320px; }
.hp-bar .search input { padding-left: 10px; }
.hp-bar .button { height: 30px; }
.hp-bar .button[aria-pressed="true"] { color: var(--accent); background: var(--accent-soft); }
.hp-bar .select { flex: 0 1 auto; max-width: 150px; height: 30px; }
.hp-chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.hp-chip { display: inline-flex; align-items: center; background: var(--accent-soft); color: var(--accent); border-radius: 6px; max-width: 100%; }
.hp-chip button:first-child { padding: 3px 2px 3px 10px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hp-chip .icon-button { width: 24px; height: 24px; color: inherit; }
.hp-chip .icon-button .icon { width: 12px; height: 12px; }
.hp-table { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel); overflow: auto; max-height: max(240px, calc(100dvh - 210px)); outline-offset: -2px; }
.hp-head { position: sticky; top: 0; z-index: 3; display: flex; min-width: 100%; background: var(--panel); border-bottom: 1px solid var(--line); height: 34px; }
.hp-body { position: relative; }
.hp-pad { flex: none; }
.hp-row { position: absolute; left: 0; top: 0; display: flex; height: 28px; width: 100%; contain: layout style; }
.hp-row:hover .hp-cell, .hp-row:focus-within .hp-cell { background: var(--hover); }
.hp-cell { flex: none; overflow: hidden; text-overflow: ellipsis; white-space: pre; padding: 4px 8px; line-height: 20px; border-right: 1px solid transparent; background: var(--panel); }
.hp-cell.amount { text-align: right; font-variant-numeric: tabular-nums; }
.hp-cell.best { color: var(--accent); } /* bold digits are wider */
.hp-cell.best::before { content: "★"; float: left; font-size: 9px; opacity: .8; }
.hp-cell:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.hp-tell { position: fixed; z-index: 40; padding: 3px 8px; border-radius: 6px; background: var(--text); color: var(--panel); font-variant-numeric: tabular-nums; max-width: min(560px, 90vw); overflow-wrap: anywhere; pointer-events: none; }
.hp-name { position: sticky; left: 0; z-index: 2; display: flex; align-items: center; gap: 8px; padding: 0 4px 0 10px; border-right: 1px solid var(--line); }
.hp-name .text { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; direction: ltr; }
.hp-name .swatch { width: 12px; height: 12px; border-radius: 4px; flex: none; }
.hp-row.off .text { color: var(--muted); }
.hp-row.group .hp-cell { font-weight: 600; }
.hp-row.group .hp-name { cursor: pointer; }
.hp-name .icon-button { width: 24px; height: 24px; opacity: 0; }
.hp-row:hover .icon-button, .hp-row:focus-within .icon-button, .hp-name .fold { opacity: 1; }
.hp-name .fold .icon { width: 14px; height: 14px; transition: transform .12s; }
.hp-name .fold[aria-expanded="true"] .icon { transform: rotate(90deg); }
.hp-col { position: relative; flex: none; display: flex; align-items: center; background: var(--panel); user-select: none; }
.hp-col .sort { flex: 1; min-width: 0; height: 100%; padding: 0 2px 0 8px; display: flex; gap: 4px; align-items: center; color: var(--muted); font-weight: 500; touch-action: none; }
.hp-col.amount .sort { justify-content: flex-end; }
.hp-col .sort span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hp-col .sort:hover, .hp-col[aria-sort] .sort { color: var(--text); }
.hp-col .sort .icon { width: 13px; height: 13px; }
.hp-col sub { font-size: 10px; }
.hp-col .icon-button { width: 24px; height: 24px; }
.hp-col .icon-button .icon { width: 13px; height: 13px; }
.hp-col .filtered { color: var(--accent); }
.hp-col .edge { position: absolute; right: -4px; top: 0; bottom: 0; width: 9px; cursor: col-resize; z-index: 1; touch-action: none; }
.hp-col .edge:hover { background: linear-gradient(90deg, transparent 4px, var(--accent) 4px, var(--accent) 5px, transparent 5px); }
.hp-col.over::before { content: ""; position: absolute; left: -1px; top: 0; bottom: 0; width: 3px; background: var(--accent); }
.hp-foot { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--muted); font-size: 12px; align-items: center; }
.hp-note { color: var(--warn); overflow-wrap: anywhere; }
.popup.hp-pick { width: min(380px, calc(100vw - 12px)); max-height: 70vh; display: grid; gap: 8px; grid-template-rows: auto auto 1fr; }
.popup.hp-pick:not(:popover-open) { display: none; }
.hp-list { overflow: auto; min-height: 60px; max-height: 44vh; display: grid; gap: 1px; align-content: start; }
.hp-list h4 { margin: 8px 0 2px; font-size: 11px; letter-spacing: .04em; text-transform: uppercase; color: var(--muted); }
.hp-list .check span { overflow-wrap: anywhere; }
.hp-list .n { margin-left: auto; padding-right: 6px; color: var(--muted); }
.hp-two { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
.hp-two .number { width: 110px; height: 28px; }
.hp-part { display: flex; gap: 10px; padding: 3px 6px; border-radius: 4px; background: linear-gradient(90deg, var(--accent-soft) calc(100% * var(--part)), transparent 0); overflow-wrap: anywhere; }
.hp-part .num { min-width: 5ch; }
@media (max-width: 600px) { .hp-name { max-width: 46vw; } }
@media (hover: none) { .hp-name .icon-button { opacity: 1; } }
`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, css];
})();
