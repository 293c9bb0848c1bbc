// The picture as a tree, for those who hear it: an item for each node that is drawn, below
// what is around it, with its level, its place among its neighbours, and whether it is open.
// It has the keyboard; which item is spoken of follows the choice (aria-activedescendant).
"use strict";
{
  const G = globalThis.tbGraph, H = tbKit;

  // inOrder sorts nodes of one scope as they stand: what comes first in the computation first.
  G.inOrder = (nodes, up) => nodes.sort((a, b) => (up ? b.y - a.y : a.y - b.y) || a.x - b.x);

  G.tree = () => {
    const el = H.make("div", { className: "gr-tree", role: "tree", tabIndex: 0, "aria-label": "Nodes of the graph" });
    let items = new Map(), chosen = null;
    const T = { el };
    T.focus = () => el.focus({ preventScroll: true });
    T.fill = (nodes, up) => {
      const of = Map.groupBy ? Map.groupBy(nodes, (n) => n.parent)
        : nodes.reduce((m, n) => m.set(n.parent, [...(m.get(n.parent) ?? []), n]), new Map());
      for (const list of of.values()) G.inOrder(list, up);
      items = new Map();
      // Depth first, by a stack: scopes may be thousands deep.
      const roots = nodes.length ? of.get(nodes[0].parent) : [], stack = [{ list: roots, at: 0 }];
      while (stack.length) {
        const top = stack[stack.length - 1], n = top.list[top.at++];
        if (!n) {
          stack.pop();
          continue;
        }
        const inside = (n.children ?? 0) > 0;
        const item = H.make("div",
          { role: "treeitem", id: "gr-t" + items.size, "aria-level": stack.length, "aria-setsize": top.list.length,
          "aria-posinset": top.at, "aria-selected": "false" },
          [n.name || "(empty)", n.op, inside ? G.count(n.ops, "op") : "",
            n.shape].filter(Boolean).join(", "));
        if (inside) item.setAttribute("aria-expanded", String(Boolean(n.open)));
        items.set(n.id, item);
        if (of.has(n.id) && n.id !== n.parent) stack.push({ list: of.get(n.id), at: 0 });
      }
      el.replaceChildren(...items.values());
      T.choose(chosen);
    };
    T.choose = (id) => {
      items.get(chosen)?.setAttribute("aria-selected", "false");
      chosen = id;
      const item = items.get(id);
      item?.setAttribute("aria-selected", "true");
      const speaks = item ?? el.firstChild;
      if (speaks) el.setAttribute("aria-activedescendant", speaks.id); else el.removeAttribute("aria-activedescendant");
    };
    return T;
  };
}
