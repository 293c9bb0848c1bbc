"use strict";
// The plot above the table: which one, of what, and what its colours mean.
(() => {
  const H = globalThis.tbH, { make, button } = H;

  // Plots shows a plot in el, as long as there is one. deps as for H.Plot.
  H.Plots = class {
    x; y; color; // the choices of axes and colour
    constructor(el, deps) {
      this.el = el; this.deps = deps; this.kind = ""; this.plot = null;
      const { ask, pick } = deps;
      const choose = (name, label) => make("label", { className: "hp-of" }, label,
        this[name] = make("select",
          { className: "select", "aria-label": label, onchange: () => ask(name, { Key: this[name].value }) }));
      this.axes = button("Axes", "Which columns are axes", () => pick(this.axes, this.kind));
      this.fields = [choose("x", "Across"), choose("y", "Up")];
      this.legend = make("div", { className: "hp-legend" });
      this.bar = make("div", { className: "hp-bar" }, this.axes, ...this.fields, choose("color", "Colour"),
        this.legend);
      this.host = make("div", { className: "hp-plot" });
      el.append(this.bar, this.host);
    }
    update(kind) {
      if (kind !== this.kind || !this.plot !== !kind) {
        this.plot?.end();
        this.kind = kind;
        this.plot = kind
          ? new { parallel: H.Parallel, matrix: H.Matrix, scatter: H.Scatter }[kind](this.host, this.deps) : null;
        this.el.hidden = !kind;
        this.axes.hidden = kind === "scatter";
        for (const f of this.fields) f.hidden = kind !== "scatter";
      }
      if (!this.plot) return;
      this.plot.take();
      const { about, axes } = this.plot;
      const offer = (select, chosen, title, ...first) => {
        const options = [...first, ...about.options.map((o) => [o.key, o.title])];
        if (!options.some((o) => o[0] === chosen)) options.push([chosen, title]);
        select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
        select.value = chosen;
      };
      if (kind === "scatter" && axes.length > 1) {
        offer(this.x, axes[0].key, axes[0].title);
        offer(this.y, axes[1].key, axes[1].title);
      }
      offer(this.color, about.color, this.plot.tint?.title ?? "", ["", "First metric"], ["run", "Run"]);
      this.showLegend();
    }
    showLegend() {
      const { tint, inks, inkNames } = this.plot, kids = [];
      const part = (ink, text) => {
        const swatch = make("i", { className: "swatch" });
        swatch.style.background = ink;
        kids.push(make("span", { className: "hp-key" }, swatch, text));
      };
      if (inkNames) inkNames.forEach((name, i) => part(inks[i], name));
      else if (tint && !tint.empty) {
        const bar = make("i", { className: "hp-ramp" });
        bar.style.background =
          "linear-gradient(90deg, " +
            inks.slice(0, -1).filter((_, i) => i % 6 === 0 || i === inks.length - 2).join(", ") + ")";
        kids.push(make("span", {}, tint.text(tint.lo)), bar, make("span", {}, tint.text(tint.hi)));
      }
      if (tint?.none) part(inks.at(-1), "none");
      this.legend.replaceChildren(...kids);
      this.legend.hidden = !kids.length;
    }
    end() { this.plot?.end(); }
  };

  const css = new CSSStyleSheet();
  css.replaceSync(`
.hp-plots { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }
.hp-plot {
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel); overflow-x: auto;
  overflow-y: hidden; min-height: 60px;
}
.hp-plot-in { position: relative; min-width: 100%; min-height: 60px; }
.hp-layer { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: pan-x pan-y; }
.hp-plot [role="img"] { touch-action: pan-x; }
.hp-words-of-plot {
  position: absolute; inset: 0; display: grid; place-items: center; padding: 12px; text-align: center;
  background: var(--panel);
}
.hp-axis {
  position: absolute; height: 26px; padding: 0 6px; border-radius: 6px; font-size: 12px; font-weight: 500;
  color: var(--text); touch-action: none; user-select: none;
  background: color-mix(in srgb, var(--panel) 78%, transparent);
}
.hp-axis span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.hp-axis:hover { background: var(--hover); }
.hp-axis.filtered { color: var(--accent); }
.hp-axis.dragged { opacity: .5; }
.hp-axis.over::before {
  content: ""; position: absolute; left: -3px; top: 0; bottom: 0; width: 3px; background: var(--accent);
}
.hp-bar .hp-kind { max-width: 190px; }
.hp-of { display: inline-flex; gap: 6px; align-items: center; color: var(--muted); min-width: 0; }
.hp-of .select { color: var(--text); }
.hp-legend {
  display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; color: var(--muted); font-size: 12px; min-width: 0;
}
.hp-ramp { width: 120px; height: 10px; border-radius: 5px; flex: none; }
.hp-key { display: inline-flex; gap: 5px; align-items: center; overflow-wrap: anywhere; }
.hp-key .swatch { width: 10px; height: 10px; border-radius: 3px; flex: none; }
.hparams.plotted .hp-table { max-height: max(300px, calc(100dvh - 600px)); }
`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, css];
})();
