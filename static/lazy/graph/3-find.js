// Finds nodes by their names: hits are listed, arrows walk them.
"use strict";
{
  const G = globalThis.tbGraph, H = tbKit;

  // finder makes the field and its list. ask puts a question about the graph, ready says
  // whether there is one; go(id) shows a hit, leave() is where the focus goes after Escape.
  G.finder = ({ ask, ready, go, leave }) => {
    const find = H.make("input",
      { type: "search", placeholder: "Name or /regex/", "aria-label": "Find a node", role: "combobox",
      title: "A part of a node's name, or a regex between slashes", "aria-expanded": "false", autocomplete: "off" });
    const list = H.make("div", { className: "gr-hits", role: "listbox", "aria-label": "Nodes found", hidden: true });
    let ended = false, hits = [], due = 0, at = -1, went = -1;
    const close = () => {
      list.hidden = true;
      find.setAttribute("aria-expanded", "false");
    };
    const search = async () => {
      const text = find.value.trim(), expression = /^\/(.+)\/(i?)$/.exec(text);
      if (!text || !ready()) return close();
      const stale = () => ended || find.value.trim() !== text;
      let found = [], total = 0;
      try {
        // Of a large graph a part is looked at for each question.
        for (let from = 0; from !== undefined;) {
          const a = await ask({ ask: "search", text: expression ? expression[1] : text, regex: Boolean(expression),
            case: Boolean(expression && !expression[2]), limit: 42, from });
          if (stale()) return;
          found = [...found, ...(a.hits ?? [])].slice(0, 42);
          total += a.total;
          from = a.looked < a.of && a.looked > from ? a.looked : undefined;
        }
      } catch (e) {
        list.replaceChildren(H.make("p", {}, String(e.message ?? e)));
        hits = [];
        list.hidden = false;
        return;
      }
      hits = found;
      at = -1;
      list.replaceChildren(...hits.map((h, i) =>
        H.make("button", { type: "button", role: "option", id: "gr-hit" + i, tabIndex: -1, title: h.id,
        onclick: () => show(i) }, H.make("bdi", {}, h.name), H.make("span", { className: "quiet" }, h.op ?? h.kind))),
        H.make("p", {}, total > hits.length ? `${total.toLocaleString("en")} found, the first ${hits.length} are listed`
          : hits.length ? G.count(hits.length, "node")
          : "No node has this name. Check the spelling, or search with an expression: /conv.*bias/."));
      list.hidden = false;
      find.setAttribute("aria-expanded", "true");
    };
    const mark = () => {
      [...list.querySelectorAll("button")].forEach((b, i) => b.setAttribute("aria-selected", i === at));
      list.children[at]?.scrollIntoView({ block: "nearest" });
      find.setAttribute("aria-activedescendant", at >= 0 ? "gr-hit" + at : "");
    };
    const show = (i) => {
      at = i;
      mark();
      go(hits[i].id);
    };
    const around = (step) => (at + step + hits.length) % hits.length;
    find.addEventListener("input", () => {
      clearTimeout(due);
      due = setTimeout(search, 120);
    });
    find.addEventListener("focus", () => { if (hits.length && find.value) list.hidden = false; });
    find.addEventListener("keydown", (e) => {
      if (e.key === "Escape") {
        e.stopPropagation();
        close();
        leave();
      } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        if (!hits.length) return;
        at = around(e.key === "ArrowDown" ? 1 : -1);
        mark();
      } else if (e.key === "Enter" && hits.length) {
        show(e.shiftKey ? around(-1) : at < 0 ? 0 : went === at ? around(1) : at);
        went = at;
      }
    });
    const el = H.make("div", { className: "search" }, find, list);
    const outside = (e) => { if (!el.contains(e.target)) close(); };
    document.addEventListener("pointerdown", outside);
    return {
      el,
      focus: () => { find.focus(); find.select(); },
      end: () => {
        ended = true;
        clearTimeout(due);
        document.removeEventListener("pointerdown", outside);
      },
    };
  };
}
