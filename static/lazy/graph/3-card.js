// What stands beside the picture: the card of a node, the numbers of a graph, and what is
// different between two. ask(question) is a promise of the worker's answer.
"use strict";
{
  const G = globalThis.tbGraph, H = tbKit;
  const number = (v) => v.toLocaleString("en");
  const units = (v, base, names) => {
    let i = 0;
    while (v >= base && i < names.length - 1) { v /= base; i++; }
    return `${i && v < 100 ? v.toPrecision(3) : Math.round(v)} ${names[i]}`;
  };
  G.bytesText = (v) => units(v, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
  G.timeText = (v) => units(v, 1000, ["µs", "ms", "s"]);
  const count = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;
  G.count = count;

  const words = {
    op: "Operation", scope: "Scope", series: "Series", group: "Group by type", function: "Function",
    library: "Functions", call: "Call of a function", constant: "Constant", variable: "Variable",
    placeholder: "Placeholder", summary: "Summary", layer: "Layer", model: "Model", module: "Module",
    input: "Input", output: "Output", parameter: "Parameter",
  };

  // name is a path that may break after its slashes.
  const name = (text) =>
    text.split(/(?<=\/)/).flatMap((part, i) => (i ? [document.createElement("wbr"), part] : [part]));
  const head = (title, close) => [
    H.make("button", { className: "icon-button close", type: "button", title: "Close (Escape)",
      "aria-label": "Close the card", onclick: close }, H.icon("x")),
    H.make("h3", {}, title),
  ];
  const terms = (pairs) => H.make("dl", {}, ...pairs.filter(([, v]) => v !== undefined && v !== "" && v !== null)
    .flatMap(([k, v]) => [H.make("dt", {}, k), H.make("dd", {}, v)]));

  // rows lists some entries and a button for more of them.
  const rows = (title, list, total, draw, more) => {
    if (!total) return null;
    const ul = H.make("ul", {}, ...list.map(draw));
    const box = H.make("section", {}, H.make("h4", {}, `${title} (${number(total)})`), ul);
    const add = () => {
      if (ul.children.length >= total) return;
      const b = H.make("button", { className: "gr-link", type: "button", onclick: async () => {
        const next = await more(ul.children.length);
        ul.append(...next.map(draw));
        b.remove();
        if (next.length) add();
      } }, `${number(total - ul.children.length)} more…`);
      box.append(b);
    };
    add();
    return box;
  };

  // node fills the panel with the card of a node. on: {go(id), open(id), trace(dir), path(), close(), main(id, in),
  // save(form)}.
  G.nodeCard = async (panel, id, ask, on, view) => {
    const a = await ask({ ask: "node", id, limit: 20 });
    if (!view.wants(id)) return;
    const n = a.node, link = (r) => H.make("li", {},
      H.make("button", { type: "button", title: r.id, onclick: () => on.go(r.id) },
        ...name(r.name + (r.port ? ":" + r.port : ""))),
      H.make("span", {}, (r.count > 1 ? `${number(r.count)} × ` : "") + (r.shape || r.op || "")));
    const list = (title, key, draw = link) => rows(title, a[key] ?? [], a[key + "Total"] ?? a[key]?.length ?? 0, draw,
      async (offset) => (await ask({ ask: "node", id, limit: 100, offset }))[key] ?? []);
    const attribute = (t) => {
      const value = H.make("pre", {}, t.text ? t.text + (t.large ? "…" : "") : "(empty)");
      const li = H.make("li",
        { className: t.text.length > 40 || t.large || t.text.includes("\n") ? "attribute long" : "attribute" },
        H.make("div", {}, H.make("span", { className: "quiet", title: t.type }, t.name)), value);
      if (!t.large) return li;
      let at = 0, text = "";
      const b = H.make("button", { className: "gr-link", type: "button", onclick: async () => {
        const p = await ask({ ask: "attribute", id, name: t.name, offset: at, limit: 65536 });
        text += (at && p.unit === "elements" ? ", " : "") + p.text;
        value.textContent = (p.head ? p.head + "\n" : "") + text;
        at = p.next;
        if (at === undefined) b.remove();
        else b.textContent = `Show more (${number(at)} of ${number(p.total)} ${p.unit})`;
      } }, `Show all ${G.bytesText(t.bytes)}`);
      li.append(b);
      return li;
    };
    const inside = (n.children ?? 0) > 0;
    // Who works by the keyboard stays on the button that was pressed, whatever it is called now.
    const buttons = () => [...panel.querySelectorAll("button")];
    const held = panel.dataset.of === id ? buttons().findIndex((b) => b === document.activeElement) : -1;
    panel.dataset.of = id;
    panel.replaceChildren(
      ...head(n.name || "(empty)", on.close),
      a.path?.length ? H.make("p", { className: "quiet" }, ...name(n.id)) : "",
      H.make("div", { className: "acts" },
        inside ? H.button(n.open || view.isOpen(id) ? "Close" : "Open", "Enter", () => on.open(id)) : null,
        H.button("Inputs", "Mark everything that feeds this node (i)", () => on.trace("in")),
        H.button("Outputs", "Mark everything that this node feeds (o)", () => on.trace("out")),
        H.button("Path…", "Mark the shortest path from here to the next node that you click (p)", () => on.path()),
        view.isAside(id) === null ? null : H.button(view.isAside(id) ? "Into the graph" : "Out of the graph",
          "Nodes with many edges stand beside the graph", () => on.aside(id, !view.isAside(id))),
        n.kind === "series" ? H.button("Ungroup", "Show the members of this series one by one", () => on.ungroup(id))
          : null,
        H.button("Save…", "Save this part as a file", (e) => on.save(id, e))),
      terms([
        ["Is", words[n.kind] ?? n.kind],
        ["Type", n.kind === "op" || n.op ? n.op : undefined],
        ["Full name", a.full !== n.id ? a.full : undefined],
        ["Ops", inside ? number(n.ops) : undefined],
        ["Parameters", n.parameters ? number(n.parameters) : undefined],
        ["Device", a.device || undefined],
        ["Compute time", a.time ? G.timeText(a.time) : undefined],
        ["Memory", a.memory ? G.bytesText(a.memory) : undefined],
        ["Same structure", n.repeated > 1 ? `${number(n.repeated)} nodes` : undefined],
        ["Function", n.call ? H.make("button", { className: "gr-link", type: "button", onclick: () => on.go(n.call) },
          n.op || n.call) : undefined],
      ]),
      ...[
        list("Changes", "changes", (c) => H.make("li", {}, H.make("div", {},
          H.make("span", { className: "quiet" }, c.what), H.make("pre", {}, `− ${c.old ?? ""}\n+ ${c.new ?? ""}`)))),
        list("Output shapes", "shapes", (s) => H.make("li", {}, s)),
        list("Inputs", "inputs"), list("Control inputs", "controlInputs"),
        list("Outputs", "outputs"), list("Control outputs", "controlOutputs"),
        list("Inputs without a node", "missing", (m) => H.make("li", {}, m)),
        list("Uses", "uses"),
        list("Attributes", "attributes", attribute),
        inside && list("Types inside", "types",
          (t) => H.make("li", {}, H.make("span", {}, t.op), H.make("span", {}, number(t.count)))),
        inside && list("Devices inside", "devices",
          (d) => H.make("li", {}, H.make("span", {}, d.device || "none"), H.make("span", {}, number(d.count)))),
      ].filter(Boolean));
    buttons()[held]?.focus();
  };

  // stats fills the panel with the numbers of the graph, a table that sorts.
  G.statsCard = (panel, ask, on, info) => {
    let by = "type", sort = "ops", up = false;
    const body = H.make("div");
    const columns = () => [["key", by === "type" ? "Type" : by === "device" ? "Device" : "Scope"], ["ops", "Ops"],
      info.has.parameters && ["parameters", "Params"], info.has.time && ["time", "Time"],
      info.has.memory && ["memory", "Memory"]].filter(Boolean);
    const cell = (r, k) => {
      const text = { time: G.timeText, memory: G.bytesText, parameters: number }[k];
      return text ? (r[k] ? text(r[k]) : "") : number(r[k] ?? 0);
    };
    const fill = async () => {
      const a = await ask({ ask: "stats", by, sort, up, limit: 100, deep: by === "scope" });
      const first = (r) => (r.id
        ? H.make("button", { className: "gr-link", type: "button", onclick: () => on.go(r.id) }, ...name(r.key))
        : r.key || "(none)");
      const line = (r) => H.make("tr", {}, ...columns().map(([k], i) => H.make("td", {}, i ? cell(r, k) : first(r))));
      const rowsOf = H.make("tbody", {}, ...a.rows.map(line));
      const all = a.rows.length >= a.total;
      const more = H.make("button", { className: "gr-link", type: "button", hidden: all, onclick: async () => {
        const offset = rowsOf.children.length;
        const b = await ask({ ask: "stats", by, sort, up, limit: 500, deep: by === "scope", offset });
        rowsOf.append(...b.rows.map(line));
        more.hidden = rowsOf.children.length >= b.total;
      } }, "More…");
      body.replaceChildren(
        terms([["Ops", number(a.ops)], ["Edges", number(a.edges)],
          ["Control edges", a.controlEdges ? number(a.controlEdges) : undefined], ["Scopes", number(a.scopes)],
          ["Depth", number(a.depth)],
          ["Functions", a.functions ? number(a.functions) : undefined],
          ["Parameters", !a.parametersKnown ? "not known"
            : number(a.parameters) + (a.parameterBytes ? `, ${G.bytesText(a.parameterBytes)}` : "")],
          ["Compute time", a.time ? G.timeText(a.time) : undefined],
          ["Memory", a.memory ? G.bytesText(a.memory) : undefined]]),
        H.make("div", { className: "acts" },
          ...[["type", "By type"], ["scope", "By scope"], ["device", "By device"]].map(([v, text]) => {
          const b = H.button(text, "", () => { by = v; fill(); });
          b.setAttribute("aria-pressed", by === v);
          return b;
        }), H.button("CSV", "Save this table", () => on.csv(by))),
        H.make("table", {}, H.make("thead", {}, H.make("tr", {}, ...columns().map(([k, text]) =>
          H.make("th", { "aria-sort": sort === k ? (up ? "ascending" : "descending") : "none" },
            H.make("button", { type: "button", onclick: () => {
              up = sort === k ? !up : k === "key";
              sort = k;
              fill();
            } }, text + (sort === k ? (up ? " ↑" : " ↓") : "")))))), rowsOf), more);
    };
    panel.replaceChildren(...head("The graph in numbers", on.close), body);
    return fill();
  };

  // changes fills the panel with what is different between two graphs.
  G.changesCard = (panel, ask, on) => {
    let list = "";
    const body = H.make("div");
    const fill = async () => {
      const a = await ask({ ask: "compare", list, limit: 100 });
      const mark = { added: "+", removed: "−", changed: "≠", renamed: "→" };
      const line = (r) => H.make("li", {},
        H.make("button", { type: "button", title: r.old ? `was ${r.old}` : r.id, onclick: () => on.go(r.id) },
        (mark[r.what] ?? "") + "\u00a0", ...name(r.id)), H.make("span", {}, r.op ?? ""));
      const ul = H.make("ul", {}, ...a.items.map(line));
      const more = H.make("button", { className: "gr-link", type: "button", hidden: a.items.length >= a.total,
        onclick: async () => {
        const b = await ask({ ask: "compare", list, limit: 500, offset: ul.children.length });
        ul.append(...b.items.map(line));
        more.hidden = ul.children.length >= b.total;
      } }, "More…");
      body.replaceChildren(
        H.make("div", { className: "acts" },
          ...[["", "All"], ["added", `${number(a.added)} added`], ["removed", `${number(a.removed)} removed`],
          ["changed", `${number(a.changed)} changed`], ["renamed", `${number(a.renamed)} renamed`]].map(([v, text]) => {
          const b = H.button(text, "", () => { list = v; fill(); });
          b.setAttribute("aria-pressed", list === v);
          return b;
        })),
        H.make("p", { className: "quiet" },
          `${count(a.same, "op")} the same; ${count(a.edgesAdded, "edge")} added, ${number(a.edgesRemoved)} removed`),
        a.total ? ul : H.make("p", {}, "The two graphs are the same."), more);
    };
    panel.replaceChildren(...head("What is different", on.close), body);
    return fill();
  };

  // drawnCard fills the panel with how the picture is made of the graph. at gives {options, down}, on.change(options)
  // and on.down(yes) say what is different; what options does not name is as info.defaults has it.
  G.drawnCard = (panel, info, at, on) => {
    const fill = () => {
      const now = { ...info.defaults, ...at().options };
      const option = (...kids) => H.make("label", { className: "option" }, ...kids);
      const check = (text, checked, set) =>
        option(H.make("input", { type: "checkbox", checked, onchange: (e) => set(e.target.checked) }), text);
      const yes = (key, text) => check(text, now[key], (v) => on.change({ [key]: v }).then(fill));
      const many = (key, text, least, inner = false) => {
        const set = (e) => {
          const valid = e.target.value !== "" && e.target.validity.valid;
          if (valid) on.change({ [key]: +e.target.value }).then(fill);
          else e.target.value = now[key];
        };
        const o = option(text, H.make("input", { type: "number", className: "number", min: least, max: 100000, step: 1,
          value: now[key], onchange: set }));
        if (inner) o.classList.add("in");
        return o;
      };
      const again = (key, text) => (now[key]?.length
        ? H.button(`${text} (${number(now[key].length)})`, "", () => on.change({ [key]: undefined }).then(fill))
        : null);
      panel.replaceChildren(...head("How it is drawn", on.close),
        check("From the top down", at().down, (v) => on.down(v).then(fill)),
        H.make("h4", {}, "Series and groups"),
        many("series", "Members of a series, at least (0: no series)", 0),
        yes("seriesOfScopes", "Scopes of one structure are a series, too"),
        many("level", "Parts of a scope, at most, before it is grouped by type (0: never)", 0),
        yes("functions", "Calls of functions can be opened"),
        H.make("h4", {}, "Beside the nodes that they belong to"),
        yes("constants", "Constants"), yes("parameters", "Parameters"), yes("summaries", "Summaries"),
        many("annotations", "So many at each side of a node", 0),
        H.make("h4", {}, "Beside the graph"),
        yes("extract", "Nodes with many edges"),
        ...(now.extract ? [many("extractFrom", "in scopes of so many nodes", 1, true),
          many("inDegree", "with so many inputs", 1, true), many("outDegree", "or so many outputs", 1, true)] : []),
        many("control", "Control edges of a node that are drawn, at most", 0),
        H.make("div", { className: "acts" }, again("ungroup", "Group series again"),
          again("main", "Take out what was put into the graph"), again("aside", "Put back what was taken out"),
          Object.keys(at().options).length ? H.button("As at first", "Draw it as graphs are drawn at first",
            () => on.first().then(fill)) : null));
    };
    fill();
  };

  // lossesCard says what could not be read.
  G.lossesCard = (panel, info, on) => panel.replaceChildren(...head("What is wrong with this graph", on.close),
    H.make("ul", {}, ...info.losses.map((l) => H.make("li", {},
      l.message + (l.count > 1 ? ` (${number(l.count)} times)` : "")
        + (l.offset >= 0 ? ` At byte ${number(l.offset)}.` : "")))),
    info.lossesTotal > info.losses.length ? H.make("p", {}, `and ${number(info.lossesTotal - info.losses.length)} more`)
      : "");
}
