// The projector: its look.
"use strict";
{
  const css = new CSSStyleSheet();
  css.replaceSync(`
.pj-bar .select { flex: 1 1 140px; width: auto; max-width: 300px; text-overflow: ellipsis; }
.pj-seg { display: flex; }
.pj-seg .button { border-radius: 0; margin-left: -1px; }
.pj-seg .button:first-child { border-radius: 6px 0 0 6px; margin-left: 0; }
.pj-seg .button:last-child { border-radius: 0 6px 6px 0; }
.pj-stages { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); min-width: 0; min-height: 0; }
.pj-main, .pj-pane { position: relative; min-width: 0; min-height: 0; overflow: hidden; }
.pj-pane + .pj-pane { border-left: 1px solid var(--line); }
.pj-name {
  position: absolute; left: 10px; top: 8px; max-width: calc(100% - 60px); color: var(--muted); font-size: 12px;
  pointer-events: none; overflow: hidden; text-overflow: ellipsis;
}
.pj-say {
  position: absolute; inset: auto 0 45% 0; text-align: center; color: var(--muted); pointer-events: none;
  padding: 0 24px;
}
.pj-legend {
  position: absolute; left: 10px; bottom: 10px; display: flex; flex-wrap: wrap; gap: 2px 10px;
  max-width: calc(100% - 20px); max-height: 76px; overflow: auto; color: var(--muted); font-size: 12px;
  background: color-mix(in srgb, var(--panel) 85%, transparent); border-radius: 6px; padding: 3px 6px;
  align-items: center;
}
.pj-legend button {
  display: flex; align-items: center; max-width: 200px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.pj-legend button:hover { color: var(--text); }
.pj-legend i { display: inline-block; flex: none; width: 10px; height: 10px; border-radius: 50%; margin-right: 5px; }
.pj-legend i.scale { width: 110px; border-radius: 3px; margin: 0; }
.pj-card {
  position: absolute; z-index: 5; max-width: min(320px, 80%); max-height: 60%; overflow: hidden; pointer-events: none;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; box-shadow: var(--shadow);
  padding: 6px 9px; font-size: 12px;
}
.pj-card dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 8px; }
.pj-card dt { color: var(--muted); max-width: 110px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pj-card dd {
  display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; overflow-wrap: anywhere;
}
.pj-card canvas { display: block; margin-bottom: 4px; border-radius: 3px; image-rendering: pixelated; }
.pj-side { width: 292px; overflow: auto; border-left: 1px solid var(--line); font-size: 12.5px; }
.pj-side details { border-bottom: 1px solid var(--line); padding: 0 12px; }
.pj-side details[open] { padding-bottom: 10px; }
.pj-side summary { padding: 8px 0; font-weight: 600; cursor: pointer; }
.pj-side label { display: flex; gap: 8px; align-items: center; min-height: 30px; }
.pj-side label > span:first-child { flex: 0 0 96px; color: var(--muted); }
.pj-side .pj-axes label > span:first-child { flex-basis: 48px; }
.pj-side label > .select, .pj-side label > input:not([type="checkbox"]) {
  flex: 1; min-width: 0; width: 100%; height: 27px;
}
.pj-side input:not([type="checkbox"]):not([type="range"]):not([type="file"]) {
  padding: 0 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--field);
}
.pj-side input[type="checkbox"] { margin: 0; }
.pj-acts { display: flex; flex-wrap: wrap; gap: 6px; margin: 6px 0; }
.pj-acts .button { height: 27px; }
.pj-side .pj-two { display: flex; gap: 6px; flex: 1; min-width: 0; }
.pj-two > * { flex: 1; min-width: 0; width: 0; height: 27px; }
.pj-note { color: var(--muted); margin: 4px 0; overflow-wrap: anywhere; }
.pj-side progress { width: 100%; height: 6px; accent-color: var(--accent); }
.pj-rows { list-style: none; max-height: 230px; overflow: auto; margin: 4px -6px 0; }
.pj-rows button {
  display: flex; gap: 8px; align-items: center; width: 100%; min-height: 24px; padding: 2px 6px; border-radius: 4px;
  text-align: left;
}
.pj-rows button:hover { background: var(--hover); }
.pj-rows button > .text { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pj-rows button > .num { color: var(--muted); }
.pj-rows canvas { flex: none; image-rendering: pixelated; }
.pj-over { outline: 2px dashed var(--accent); outline-offset: -6px; }
.pj-problems { max-width: min(460px, 90vw); max-height: 60vh; overflow: auto; padding: 10px 12px; }
.pj-problems p { margin-bottom: 8px; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .drawn:has(.pj-body) { min-height: 560px; }
  .pj-body { grid-template-columns: 1fr; grid-template-rows: minmax(240px, 1fr) auto; }
  .pj-side { width: auto; max-height: 46vh; border-left: 0; border-top: 1px solid var(--line); }
  .pj-side label, .pj-rows button { min-height: 36px; }
  .pj-stages:has(> :nth-child(2)) { grid-auto-flow: row; }
  .pj-pane + .pj-pane { border-left: 0; border-top: 1px solid var(--line); }
}
`);
  document.adoptedStyleSheets.push(css);
}
