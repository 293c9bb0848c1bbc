// The dashboard of graphs: its look.
"use strict";
{
  const css = new CSSStyleSheet();
  css.replaceSync(`
:root { --gr-least: #ffe9df; --gr-most: #fb6a4a; --gr-rest: #e9ebef; }
:root[data-theme="dark"] { --gr-least: #8d96a5; --gr-most: #ff7350; --gr-rest: #9aa3b2; }
.gr-bar .select { flex: 1 1 150px; width: auto; max-width: 220px; text-overflow: ellipsis; }
.gr-bar .search { position: relative; flex: 1 1 210px; max-width: 300px; }
.gr-bar .search input { width: 100%; height: 30px; padding: 0 10px; border: 1px solid var(--line);
  border-radius: 6px; background: var(--field); }
.gr-hits { position: absolute; z-index: 20; top: 34px; left: 0; min-width: 100%; width: max-content;
  max-width: min(560px, 80vw); max-height: 340px; overflow: auto; background: var(--panel);
  border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 4px; }
.gr-hits button { display: flex; gap: 10px; width: 100%; text-align: left; padding: 3px 8px; border-radius: 4px;
  white-space: nowrap; }
.gr-hits button > :first-child { flex: 1; overflow: hidden; text-overflow: ellipsis; direction: rtl; text-align: left; }
.gr-hits button:hover, .gr-hits [aria-selected="true"] { background: var(--hover); }
.gr-hits p { padding: 4px 8px; color: var(--muted); }
.gr-step { display: flex; align-items: center; gap: 6px; flex: none; white-space: nowrap; }
.gr-step input { width: 110px; }
.gr-stage { position: relative; min-width: 0; overflow: hidden; touch-action: none; outline-offset: -2px;
  cursor: grab; }
.gr-stage:has(> .gr-tree:focus-visible) { outline: 2px solid var(--accent); }
.gr-tree { position: absolute; left: 0; top: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; contain: strict; }
.gr-stage.drag { cursor: grabbing; }
.gr-stage > svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.gr-say { position: absolute; inset: auto 0 40% 0; text-align: center; color: var(--muted); pointer-events: none;
  padding: 0 20px; }
.gr-path { position: absolute; left: 10px; top: 8px; max-width: calc(100% - 20px); display: flex; flex-wrap: wrap;
  gap: 2px; align-items: center; color: var(--muted); }
.gr-path button { padding: 1px 5px; border-radius: 4px;
  background: color-mix(in srgb, var(--panel) 80%, transparent); max-width: 220px; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
.gr-path button:hover { background: var(--hover); color: var(--text); }
.gr-stage > .drawn-zoom { top: auto; bottom: 8px; flex-direction: row; }
.gr-map { position: absolute; right: 10px; bottom: 46px; overflow: hidden; border: 1px solid var(--line);
  border-radius: 6px; background: color-mix(in srgb, var(--panel) 90%, transparent); cursor: pointer;
  touch-action: none; }
.gr-map canvas { display: block; }
.gr-map i { position: absolute; left: 0; top: 0; border: 1.5px solid var(--accent); contain: strict; }
.gr-legend { position: absolute; left: 10px; bottom: 8px; display: flex; gap: 12px; align-items: center;
  max-width: calc(100% - 140px); height: 28px; overflow: hidden; white-space: nowrap; color: var(--muted);
  font-size: 12px; background: color-mix(in srgb, var(--panel) 85%, transparent); border-radius: 6px; }
.gr-legend.cut { mask-image: linear-gradient(to left, transparent, #000 48px); }
.gr-legend .button { height: 26px; flex: none; }
.gr-legend > span, .gr-legend > label { flex: none; }
.gr-legend label { display: inline-flex; gap: 4px; align-items: center; }
.gr-legend i, .gr-key i { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 5px; }
.gr-legend .scale { width: 90px; margin: 0 5px; }
.gr-key { max-height: 70vh; }
.gr-key dl { display: grid; grid-template-columns: 64px minmax(0, 1fr); gap: 5px 10px; align-items: center; }
.gr-key h4 { margin: 10px 0 4px; font-size: 12px; font-weight: 600; color: var(--muted); }
.gr-key svg { display: block; width: 64px; height: 24px; overflow: visible; }
.gr-key ul { list-style: none; columns: 2; }
.gr-key li { break-inside: avoid; overflow-wrap: anywhere; }
.gr-card { width: 340px; max-width: 60vw; overflow: auto; border-left: 1px solid var(--line); padding: 10px 12px;
  overflow-wrap: anywhere; }
.gr-card h3 { font-size: 14px; font-weight: 600; margin: 0 24px 4px 0; }
.gr-card h4 { margin: 12px 0 3px; font-size: 12px; font-weight: 600; color: var(--muted); }
.gr-card dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 10px; }
.gr-card dt { color: var(--muted); }
.gr-card .close { position: sticky; float: right; top: 0; }
.gr-card ul { list-style: none; }
.gr-card li { display: flex; gap: 8px; }
.gr-card li > button, .gr-link { text-align: left; color: var(--accent); overflow-wrap: anywhere; }
.gr-card li > :first-child { flex: 1; min-width: 0; }
.gr-card li > span:last-child { color: var(--muted); flex: none; max-width: 40%; }
.gr-card li.attribute { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 8px; padding: 1px 0; }
.gr-card li.attribute.long { grid-template-columns: minmax(0, 1fr); gap: 0; }
.gr-card .button[aria-pressed="true"] { color: var(--accent); background: var(--accent-soft); }
.gr-card .option { display: flex; gap: 8px; align-items: center; padding: 3px 0; }
.gr-card .option input[type="number"] { width: 64px; margin-left: auto; flex: none; }
.gr-card .option.in { padding-left: 22px; }
.gr-card .acts { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0; }
.gr-card .button { height: 26px; }
.gr-card pre { white-space: pre-wrap; max-height: 220px; overflow: auto; font: 12px var(--mono); margin: 2px 0; }
.gr-card table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.gr-card th { text-align: left; font-weight: 500; color: var(--muted); padding: 2px 4px; }
.gr-card th button { color: inherit; }
.gr-card td { padding: 2px 4px; border-top: 1px solid var(--grid); }
.gr-card td:not(:first-child), .gr-card th:not(:first-child) { text-align: right; white-space: nowrap; }
.gr-node { cursor: pointer; transition: transform .25s, opacity .2s; }
.gr-node > .shape { fill: var(--gr-fill, var(--field)); stroke: var(--edge); stroke-width: 1; }
.gr-node.open > .shape { fill: color-mix(in srgb, var(--text) 4%, transparent); stroke: var(--line); }
.gr-node.group > .shape { fill: var(--gr-fill, var(--hover)); }
.gr-node.constant > .shape, .gr-node.placeholder > .shape, .gr-node.parameter > .shape { stroke-dasharray: 3 2; }
.gr-stage > svg text { text-rendering: geometricPrecision; }
.gr-far text, .gr-far .note, .gr-far .along { display: none; }
.gr-far .gr-edge { marker-end: none; }
.gr-node text { font: 11px system-ui, sans-serif; fill: var(--text); text-anchor: middle; pointer-events: none; }
.gr-node text.sign { pointer-events: auto; font-size: 13px; fill: var(--muted); }
.gr-node text.sign:hover { fill: var(--accent); }
.gr-node.colored:not(.open) > text { fill: #1b2430; }
.gr-node .note text { font-size: 9px; fill: var(--muted); pointer-events: auto; }
.gr-node .note.left text { text-anchor: end; }
.gr-node .note.right text { text-anchor: start; }
.gr-node .note line { stroke: var(--edge); stroke-dasharray: 1 2; }
.gr-node .note circle { fill: var(--panel); stroke: var(--edge); }
.gr-node .note:hover text { fill: var(--accent); }
.gr-node.sel > .shape { stroke: var(--accent); stroke-width: 2.5; }
.gr-node:hover > .shape { stroke: var(--accent); }
.gr-node.added > .shape { stroke: #1f8a54; stroke-width: 2.5; }
.gr-node.removed > .shape { stroke: #c23b3b; stroke-width: 2.5; stroke-dasharray: 5 3; }
.gr-node.changed > .shape { stroke: #b7791f; stroke-width: 2.5; }
.gr-node.renamed > .shape { stroke: #2a7f9e; stroke-width: 2.5; stroke-dasharray: 1 2; }
.gr-faint .gr-node:not(.lit):not(.open) { opacity: .25; }
.gr-faint .gr-edge:not(.lit) { opacity: .12; }
.gr-faint .along { opacity: .3; }
.gr-edge { fill: none; stroke: var(--edge); opacity: .75; }
.gr-edge.control { stroke-dasharray: 2 3; }
.gr-edge.ref { stroke: #c77d0a; }
.gr-edge.lit { stroke: var(--accent); opacity: 1; }
.gr-edge.added { stroke: #1f8a54; }
.gr-edge.removed { stroke: #c23b3b; stroke-dasharray: 5 3; }
.gr-stage text.along { font: 9px system-ui, sans-serif; fill: var(--muted); text-anchor: middle; paint-order: stroke;
  stroke: var(--panel); stroke-width: 3px; }
.gr-arrow { fill: var(--edge); }
@media (prefers-reduced-motion: reduce) { .gr-node { transition: none; } }
@media (max-width: 640px) {
  .gr-body { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr); }
  .gr-body:has(> .gr-card:not([hidden])) { grid-template-rows: minmax(0, 55fr) minmax(0, 45fr); }
  .gr-card { width: auto; max-width: none; border-left: 0; border-top: 1px solid var(--line); }
  .gr-bar .select { flex-basis: 96px; }
  .gr-bar .search { flex-basis: 150px; }
  .gr-map { display: none; }
}
`);
  document.adoptedStyleSheets.push(css);
  globalThis.tbGraph = {};
}
