"use strict";
// Runs side by side: a column for each, a row for each hyperparameter, metric, text and
// fact. What stands in it is Go's (wasm/board/hparams/compare_js.go).
(() => {
  const H = globalThis.tbH, { make, button } = H;
  const ROWS = 300; // at first

  // firstLines are the first two lines of a text.
  const firstLines = (t) => t.split("\n").filter((l) => l.trim()).slice(0, 2).map((l) => l.slice(0, 160)).join("\n");

  // Comparison shows it in el; forms writes rows of texts as CSV and Markdown.
  H.Comparison = class {
    constructor(el, ask, forms) {
      this.el = el; this.ask = ask; this.forms = forms; this.most = ROWS; this.shown = "";
      this.only = make("input", { type: "checkbox", onchange: () => ask("compareAll", { On: !this.only.checked }) });
      this.base = make("select",
        { className: "select hp-kind", "aria-label": "Baseline of the comparison",
          onchange: () => ask("baseline", { Run: this.base.value }) });
      this.note = make("span", { className: "quiet", role: "status" });
      this.body = make("div",
        { className: "hp-compare", tabIndex: 0, role: "region", "aria-label": "Runs side by side" });
      const copy = (name) => button("Copy " + name, `What is shown, numbers with all digits, as ${name}`,
        () => H.copy(forms[name.toLowerCase()](this.texts()), `Copied as ${name}`));
      const edges = () => {
        const [first, ...others] = this.body.querySelectorAll("thead th"), width = first?.offsetWidth ?? 0;
        return [width, [0, ...others.map((c) => c.offsetLeft + c.offsetWidth - width)]];
      };
      this.aside = new H.Sideways(this.body, edges);
      this.body.addEventListener("scroll", () => this.aside.update());
      new ResizeObserver(() => this.aside.update()).observe(this.body);
      el.append(make("div", { className: "hp-bar" }, make("h3", {}, "Comparison"),
        make("label", { className: "check" }, this.only, make("span", {}, "Only what differs")),
        this.base, copy("Markdown"), copy("CSV"),
        button("Close", "Ends the comparison", () => ask("compare", { On: false })), this.note),
      this.aside.el, this.body);
    }
    update(on) {
      this.el.hidden = !on;
      this.got = on ? this.ask("comparison") : null;
      if (!this.got) return;
      const { runs, left, rows, same, all, base } = this.got;
      this.only.checked = !all;
      this.base.replaceChildren(make("option", { value: "" }, "No baseline"),
        ...runs.map((r) => make("option", { value: r.run, selected: r.base }, "Baseline: " + r.text)));
      this.note.textContent =
        [left ? `${left.toLocaleString("en")} more runs are on: switch some off to see others.` : "",
          same > 1 ? `${same.toLocaleString("en")} rows are the same in all.`
            : same ? "1 row is the same in all." : ""].filter(Boolean).join(" ");
      const now = JSON.stringify([runs, rows, base, this.most]);
      if (now === this.shown) return; // what is read in it stays
      this.shown = now;
      this.show();
    }
    show() {
      const { runs, rows } = this.got;
      if (runs.length < 2) {
        this.body.replaceChildren(make("p", { className: "quiet" },
          "Switch on two or more runs to see what is different between them."));
        return;
      }
      const head = make("tr", {}, make("th", { scope: "col", className: "quiet" }, this.got.common),
          ...runs.map((r) => {
        const swatch = make("i", { className: "swatch", style: { background: r.color } });
        return make("th", { scope: "col", title: r.text }, swatch, r.name,
          ...r.base ? [make("small", {}, "baseline")] : []);
      }));
      const body = make("tbody");
      let group = "";
      for (const row of rows.slice(0, this.most)) {
        if (row.group !== group) {
          body.append(make("tr", { className: "hp-part-of" },
            make("th", { scope: "rowgroup", colSpan: runs.length + 1 }, group = row.group)));
        }
        body.append(make("tr", {}, make("th", { scope: "row" }, row.title),
          ...row.texts.map((text, i) => this.cell(row, text, i))));
      }
      const table = make("table", {}, make("thead", {}, head), body);
      const kids = [table];
      if (!rows.length) kids.push(make("p", { className: "quiet" }, "Nothing differs between these runs."));
      if (rows.length > this.most) {
        kids.push(button(`Show all ${rows.length.toLocaleString("en")} rows`, "Shows the other rows, too",
          () => { this.most = Infinity; this.update(true); }));
      }
      this.body.replaceChildren(...kids);
      this.aside.update();
    }
    cell(row, text, i) {
      const { runs } = this.got, td = make("td", {}, row.long ? firstLines(text) : text);
      if (text === "") td.textContent = "–";
      if (!row.long && /^[-+\d]/.test(text)) td.className = "amount";
      if (row.exact && row.exact[i] !== text) td.title = row.exact[i];
      if (row.deltas[i]) td.append(make("small", {}, row.deltas[i]));
      const from = Math.max(0, runs.findIndex((r) => r.base));
      if (row.long && i !== from && text && row.texts[from] && text !== row.texts[from]) {
        const open = make("button",
          { className: "text-button", type: "button", onclick: () => this.differ(open, row, from, i) }, "Difference");
        td.append(make("br"), open);
      }
      return td;
    }
    // differ shows what is different between the texts of two runs.
    async differ(under, row, a, b) {
      try {
        await globalThis.tbBoot.load("diff");
      } catch (e) {
        H.say(String(e.message ?? e));
        return;
      }
      const { runs } = this.got, found = globalThis.tbDiff(row.texts[a], row.texts[b], "lines");
      H.popup(under, "Difference", "hp-diff",
        (pop) => pop.append(make("h3", {}, `${row.title}: ${runs[b].text}, from ${runs[a].text}`),
        found ? make("pre", { tabIndex: 0 }, found.nodes)
          : make("p", {}, "These texts are too different to say how.")));
    }
    texts() {
      const { runs, rows } = this.got;
      return [["", ...runs.map((r) => r.text)],
        ...rows.map(
          (r) => [r.title,
            ...(r.exact ?? r.texts).map(
              (c, i) => (r.long ? firstLines(c) : c) + (r.deltas[i] ? ` (${r.deltas[i]})` : ""))])];
    }
  };

  const css = new CSSStyleSheet();
  css.replaceSync(`
.hp-compared { display: grid; gap: 8px; grid-template-columns: minmax(0, 1fr); }
.hp-compare {
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel); overflow: auto;
  max-height: max(300px, calc(100dvh - 260px));
}
.hp-compare > p, .hp-compare > .button { margin: 10px; }
.hp-compare table { border-collapse: separate; border-spacing: 0; min-width: 100%; }
.hp-compare th, .hp-compare td {
  padding: 4px 12px 4px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line);
  background: var(--panel); max-width: 320px; overflow-wrap: anywhere; white-space: pre-line;
  font-variant-numeric: tabular-nums;
}
.hp-compare .amount { white-space: nowrap; }
.hp-compare th { font-weight: 500; }
.hp-compare thead th { position: sticky; top: 0; z-index: 2; min-width: 64px; }
.hp-compare tbody th { color: var(--muted); }
.hp-compare tr > :first-child {
  position: sticky; left: 0; z-index: 1; min-width: min(120px, 36vw); max-width: min(280px, 40vw);
}
.hp-compare thead tr > :first-child { z-index: 3; }
.hp-compare .hp-part-of th { color: var(--text); font-weight: 600; padding-top: 10px; max-width: none; }
.hp-compare small { display: block; color: var(--muted); font-weight: 400; }
.hp-compare .swatch { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; }
.hp-compare .text-button { padding: 0; color: var(--accent); }
.popup.hp-diff { width: min(720px, calc(100vw - 12px)); max-height: 70vh; overflow: auto; }
.hp-diff pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 12px var(--mono); }
.hp-diff ins { background: color-mix(in srgb, var(--live) 22%, transparent); text-decoration: none; }
.hp-diff del { background: color-mix(in srgb, var(--warn) 22%, transparent); }
`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, css];
})();
