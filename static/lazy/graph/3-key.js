// What colours and signs of the picture mean: a strip below it, and all of it behind a button there.
"use strict";
{
  const G = globalThis.tbGraph, H = tbKit, NS = "http://www.w3.org/2000/svg";
  const draw = (tag, attributes, ...kids) => {
    const e = document.createElementNS(NS, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...kids);
    return e;
  };
  const sample = (...kids) => draw("svg", { viewBox: "0 0 64 24", "aria-hidden": "true" }, ...kids);
  const box = (kind, rx, ...at) => sample(draw("g", { class: "gr-node " + kind }, ...(at.length ? at : [0]).map((d) =>
    draw("rect", { class: "shape", x: 8 + d, y: 4 - d, width: 44, height: 17, rx }))));
  const line = (kind) => sample(draw("path", { class: "gr-edge " + kind, d: "M4,12L58,12", "stroke-width": 1.5,
    "marker-end": "url(#gr-arrow)" }));
  const dot = () => sample(draw("g", { class: "gr-node" }, draw("g", { class: "note right" },
    draw("line", { x1: 20, x2: 30, y1: 12, y2: 12 }), draw("circle", { cx: 33, cy: 12, r: 3 }))));

  // key makes the strip. It is {el, fill(what)}: what is {by, colors, compare, leave(devices)}, of which colors is an
  // answer of explore, compare says that two graphs are shown, and leave says which devices' numbers count no more.
  G.key = () => {
    let now = { by: "none" };
    const swatch = (color, text) => [H.make("i", { style: { background: color } }), text];
    const signs = () => [
      [box("group", 5), "A scope: double click, or +, opens it"],
      [box("group", 5, 6, 3, 0), "A series of equal parts"],
      [box("", 9), "An operation, or a layer"],
      [box("constant", 2), "A constant or a parameter"],
      [box("placeholder", 9), "An input"],
      [dot(), "A constant, a summary, or a node with many edges, beside what it belongs to"],
      [line(""), "Data, the thicker the larger the tensor"],
      [line("control"), "A control edge: an order without data"],
      [line("ref"), "A reference that is written to"],
    ];
    const marks = () => [
      [box("added", 5), "Only in this graph"], [box("removed", 5), "Only in the graph that it is compared with"],
      [box("changed", 5), "Other attributes or inputs; of a scope: something in it differs"],
      [box("renamed", 5), "Another name, the same structure"],
    ];
    const terms = (list) => H.make("dl", {}, ...list.flatMap(([a, b]) => [H.make("dt", {}, a), H.make("dd", {}, b)]));
    const all = (under) => H.popup(under, "Legend", "gr-key", (el) => el.append(...[
      H.make("h3", {}, "Legend"),
      terms([...signs(), ...(now.compare ? marks() : [])]),
      ...(now.colors?.legend?.length && now.by !== "structure" ? [
        H.make("h4", {}, "Colours, and how many ops have them"),
        H.make("ul", {}, ...now.colors.legend.map((l) =>
          H.make("li", {}, ...swatch(G.hue(l), `${l.label} (${l.ops.toLocaleString("en")})`)))),
        H.make("p", { className: "quiet" },
          now.colors.legendMore ? `and ${now.colors.legendMore} more, uncoloured` : ""),
      ] : []),
    ]));
    const button = H.button("Legend", "What colours and signs mean", () => all(button));
    const strip = H.make("div", { className: "gr-legend", hidden: true }, button);
    const entry = (...kids) => H.make("span", {}, ...kids);
    const measure = () => strip.classList.toggle("cut", strip.scrollWidth > strip.clientWidth + 1);
    const resized = new ResizeObserver(measure);
    resized.observe(strip);
    return {
      el: strip,
      end: () => resized.disconnect(),
      fill: (what) => {
        now = what;
        const { by, colors: c } = what;
        c?.legend?.forEach((l, i) => { l.at = i; });
        const list = [];
        const marked = [["#1f8a54", "only here"], ["#c23b3b", "only in the other"], ["#b7791f", "changed"],
          ["#2a7f9e", "renamed"]];
        if (what.compare) list.push(...marked.map((m) => entry(...swatch(...m))));
        if (c?.values) {
          const text = by === "time" ? G.timeText : G.bytesText;
          const scale = { background: "linear-gradient(90deg, var(--gr-least), var(--gr-most))" };
          if (Object.keys(c.values).length) {
            list.push(entry(text(c.min), H.make("i", { className: "scale", style: scale }), text(c.max)));
          }
          const left = new Set(what.left);
          if (what.devices?.length > 1) {
            list.push(...what.devices.map((d) => H.make("label", { title: "Whether what ran on this device counts" },
              H.make("input", { type: "checkbox", checked: !left.has(d), onchange: (e) => {
              if (e.target.checked) left.delete(d); else left.add(d);
              what.leave([...left].sort());
            } }), d)));
          }
        } else if (by === "structure") {
          // Repeated structures have no names that say anything.
          if (Object.keys(c?.nodes ?? {}).length) list.push(entry("Same colour: same structure"));
        } else {
          const part = (c?.legend ?? []).slice(0, 30);
          list.push(...part.map((l) => entry(...swatch(G.hue(l), `${l.label} (${l.ops.toLocaleString("en")})`))));
        }
        strip.replaceChildren(button, ...list);
        strip.hidden = false;
        measure();
      },
    };
  };
}
