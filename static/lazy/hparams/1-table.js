"use strict";
(() => {
  const H = globalThis.tbH, { make, icon, iconButton, button } = H;
  const ROW = 28; // height of a line, as in 0-dom.js
  const NAME = 260, LEAST = 50, MOST = 900, BROAD = 200; // CSS pixels
  const CHAR = 7.4, AROUND = 18, BUTTONS = 52; // a digit, what stands beside a number, what beside a title
  const ASIDE = 300; // columns are made so far beyond what is seen

  // tbHparams shows the table in el; ask(name, what as JSON) gives JSON or nothing. What goes
  // wrong here is said in its place: the program that calls would end with it.
  globalThis.tbHparams = (el, ask) => {
    let shown = {};
    const safely = (f) => (...args) => {
      try { return f(...args); } catch (e) {
        console.error(e);
        try { shown.end?.(); } catch {}
        shown = {};
        el.replaceChildren(make("p", { className: "hp-note", role: "alert" },
          `The table cannot be drawn: ${e.message}. Other dashboards still work. Please report this (press ?).`));
      }
    };
    shown = safely(open)(el, ask) ?? {};
    return Object.fromEntries(
      ["update", "search", "columns", "exports", "matters", "end"].map(
        (name) => [name, safely(() => shown[name]?.())]));
  };
  const open = (el, ask_) => {
    const ask = H.asks(ask_);
    const pool = [];
    let spec = ask("spec"), anchor = -1, dragging = null, stamp = 0;

    const search = make("input",
      { type: "search", placeholder: "Filter runs (regex)", "aria-label": "Filter runs of the table (regex)",
        autocomplete: "off", spellcheck: false,
      oninput: () => ask("search", { Text: search.value }) });
    const columns = button("Columns", "Which columns there are", () => pickColumns(columns));
    const by = make("select",
      { className: "select", "aria-label": "Group rows by", onchange: () => ask("by", { Key: by.value }) });
    const save = button("Export", "Save what is shown as a file", () => exportMenu(save));
    const allBox = make("input", { type: "checkbox", onchange: () => ask("all", { On: allBox.checked }) });
    const what = button("What matters", "How much each hyperparameter tells about a metric", () => matters(what));
    const all = make("label", { className: "check", title: "Also runs that log no hyperparameters" }, allBox,
      make("span", {}, "All runs"));
    const hidden = make("button", { className: "text-button", type: "button", onclick: () => ask("unhide") });
    const kind = make("select",
      { className: "select hp-kind", "aria-label": "Plot", onchange: () => ask("kind", { Key: kind.value }) },
      ...[["", "No plot"], ["parallel", "Parallel coordinates"], ["matrix", "Scatter matrix"],
        ["scatter", "Scatter plot"]].map(([value, text]) => make("option", { value }, text)));
    const bar = make("div", { className: "hp-bar" },
      make("div", { className: "search-field" }, make("div", { className: "search" }, search)), columns, by, kind, what,
      save, all, hidden);
    const compare = button("Compare", "Compare the shown runs side by side",
      () => ask("compare", { On: !spec.compare }));
    by.after(compare);
    const compared = make("section", { className: "hp-compared", "aria-label": "Comparison of runs", hidden: true });
    const plotted = make("section", { className: "hp-plots", "aria-label": "Plot of runs", hidden: true });
    const chips = make("div", { className: "hp-chips" });
    const every = make("input",
      { type: "checkbox", "aria-label": "All runs of the table", onchange: () => ask("every", { On: every.checked }) });
    const head = make("div", { className: "hp-head", role: "row" });
    const body = make("div", { className: "hp-body", role: "rowgroup" });
    const table = make("div",
      { className: "hp-table", role: "grid", "aria-label": "Runs", tabIndex: -1, onscroll: () => { look(); draw(); } },
      make("div", { role: "rowgroup" , style: { display: "contents" }}, head), body);
    // The whole of a value is told on hover and on focus, and is what is copied.
    const whole = (cell) => cell.tbExact || cell.textContent;
    body.addEventListener("mouseover", (ev) => {
      const cell = ev.target.closest("[role=gridcell]");
      if (cell) cell.title = whole(cell) !== cell.textContent || cell.scrollWidth > cell.clientWidth ? whole(cell) : "";
    });
    body.addEventListener("focusin", (ev) => {
      if (ev.target.role === "gridcell") H.tell(ev.target, whole(ev.target));
      const p = pool.find((p) => p.box === ev.target);
      if (p?.line.whole && p.line.whole !== p.line.name && p.box.matches(":focus-visible")) {
        H.tell(p.name, p.line.whole);
      }
    });
    body.addEventListener("focusout", () => H.tell(null));
    table.addEventListener("copy", (ev) => {
      const on = getSelection();
      const lines = on.isCollapsed ? []
        : [...body.children].filter((line) => !line.hidden && on.containsNode(line, true))
        .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex);
      const cells =
        (line) =>
        [...line.querySelectorAll(".text,[role=gridcell]")].filter(
          (cell) => !cell.hidden && on.containsNode(cell, true)).map(whole);
      const text = lines.length ? lines.map((line) => cells(line).join("\t")).join("\n") : ev.target.role === "gridcell"
        ? whole(ev.target) : "";
      if (!text) return;
      ev.clipboardData.setData("text/plain", text);
      ev.preventDefault();
    });
    const count = make("span", { role: "status" }), note = make("span", { className: "hp-note", role: "status" });
    const foot = make("div", { className: "hp-foot" }, count, note);
    const aside = new H.Sideways(table, () => [name, x]);
    el.append(bar, plotted, chips, compared, aside.el, table, foot); // chips that come move no plot under the hand
    const plots = new H.Plots(plotted,
      { ask, filter: (under, c) => pickFilter(under, c), pick: (under, of) => pickColumns(under, of) });
    const comparison = new H.Comparison(compared, ask, tbHparams.forms);
    const sized = new ResizeObserver(() => { look(); measure(); showHead(); draw(); });

    // What is seen of the table. It is asked for when it changes: in the middle of a change
    // of lines the browser would lay everything out to answer.
    let place;
    const look = () => {
      place = { left: table.scrollLeft, top: table.scrollTop, wide: table.clientWidth, high: table.clientHeight };
    };

    // Where columns are: their widths w and left edges x, behind that of the names. Those
    // from first to last are near the screen, and only these exist.
    let w = [], x = [0], name = NAME, first = 0, last = 0;
    const measure = () => {
      if (!place?.wide) look();
      name = Math.min(NAME, place.wide * 0.46 || NAME);
      // A column is as wide as what stands in it, and its title up to a point.
      w = spec.columns.map(
        (c) => c.width ||
        Math.ceil(Math.max(spec.baselineRun && c.scalar ? 190 : 64, Math.min(190, BUTTONS + 7 * c.title.length),
          AROUND + CHAR * c.wide)));
      x = [0];
      for (const width of w) x.push(x.at(-1) + width);
      const all = name + x.at(-1) + "px";
      body.style.width = head.style.width = all;
      near();
      stamp++;
    };
    // near finds out which columns are; true if they are others than before.
    const near = () => {
      const from = place.left - ASIDE, to = place.left + (place.wide || 1000) - name + ASIDE;
      let a = 0, b = w.length;
      while (a < b && x[a + 1] < from) a++;
      while (b > a && x[b - 1] > to) b--;
      const other = a !== first || b !== last;
      [first, last] = [a, b];
      return other;
    };

    // header
    const showHead = () => {
      // What has the focus is made anew, or taken out and put back: it has it again afterwards.
      const held = [...head.children].findIndex((c) => c.contains(document.activeElement));
      const key = /** @type {HTMLElement} */ (head.children[held])?.dataset.key;
      const which = held < 0 ? -1 : controls(head.children[held]).indexOf(document.activeElement);
      const cells = spec.columns.slice(first, last).map((c, k) => {
        const i = first + k;
        const arrow = c.sort ? icon(c.sort > 0 ? "up" : "down") : null;
        const order = c.sort && spec.columns.some((o) => o.at > 1) ? make("sub", {}, String(c.at)) : null;
        const sort = make("button",
          { className: "sort", type: "button",
            title: (c.about ? c.about + "\n" : "") + c.title + "\nClick: sort, Shift: by this too" },
            make("span", {}, w[i] > BROAD ? c.title : c.head), arrow, order);
        const filter = iconButton("filter", "Filter " + c.title, () => pickFilter(filter, c));
        filter.classList.toggle("filtered", c.filtered);
        const edge = make("i",
          { className: "edge", title: "Drag: width. Double click: fit", onpointerdown: (ev) => resize(ev, c, w[i]),
            ondblclick: () => ask("width", { Key: c.key }) });
        const cell = make("div",
          { className: "hp-col" + (c.number ? " amount" : ""), role: "columnheader", "aria-colindex": i + 2,
            style: { width: w[i] + "px" } }, sort, filter, edge);
        cell.dataset.key = c.key;
        if (c.sort) cell.setAttribute("aria-sort", c.sort > 0 ? "ascending" : "descending");
        sort.addEventListener("click", (ev) => {
          if (!dragged) ask("sort", { Key: c.key, On: ev.shiftKey });
        });
        sort.addEventListener("pointerdown", (ev) => grab(ev, c, cell));
        sort.addEventListener("contextmenu", (ev) => {
          ev.preventDefault();
          columnMenu(sort, c);
        });
        cell.addEventListener("keydown", (ev) => headKey(ev, c, w[i], filter));
        return cell;
      });
      const names = make("div",
        { className: "hp-col hp-name hp-cell", role: "columnheader", "aria-colindex": 1,
          style: { width: name + "px" } }, every,
        make("button",
          { className: "sort", type: "button", onclick: (ev) => ask("sort", { Key: "run", On: ev.shiftKey }) },
          make("span", { title: spec.common }, spec.common || "Run"),
          spec.run ? icon(spec.run > 0 ? "up" : "down") : null));
      if (spec.run) names.setAttribute("aria-sort", spec.run > 0 ? "ascending" : "descending");
      head.replaceChildren(names, make("div", { className: "hp-pad", style: { width: x[first] + "px" } }), ...cells);
      if (which >= 0) controls([names, ...cells].find((c) => c.dataset.key === key))[which]?.focus();
    };
    const controls = (cell) => [...(cell?.querySelectorAll("button,input") ?? [])];

    const headKey = (ev, c, width, filter) => {
      const at = spec.columns.findIndex((o) => o.key === c.key);
      if (ev.altKey && (ev.key === "ArrowLeft" || ev.key === "ArrowRight")) {
        const step = ev.key === "ArrowLeft" ? -1 : 1;
        if (ev.shiftKey)
          ask("width", { Key: c.key, N: Math.round(Math.min(MOST, Math.max(LEAST, width + 16 * step))) });
        else if (spec.columns[at + step]) {
          ask("move", { Key: c.key, Before: spec.columns[step < 0 ? at - 1 : at + 2]?.key ?? "" });
        }
      } else if (ev.altKey && ev.key === "ArrowDown") pickFilter(filter, c);
      else if (ev.key === "Delete") ask("remove", { Key: c.key });
      else if (!ev.altKey && (ev.key === "ArrowLeft" || ev.key === "ArrowRight"))
        focusColumn(at + (ev.key === "ArrowLeft" ? -1 : 1));
      else return;
      ev.preventDefault();
      ev.stopPropagation();
    };

    // show brings a column on the screen; -1 is that of names.
    const show = (i) => {
      const left = table.scrollLeft, room = table.clientWidth - name;
      if (i >= 0 && x[i] < left) table.scrollLeft = x[i];
      else if (i >= 0 && x[i + 1] > left + room) table.scrollLeft = x[i + 1] - room;
      look();
      draw();
    };

    // focusColumn brings a column on the screen, and the focus to it.
    const focusColumn = (i) => {
      if (i >= w.length) return;
      show(i);
      (i < 0 ? head.firstChild : head.querySelector(`[data-key="${CSS.escape(spec.columns[i].key)}"]`))?.querySelector(
        ".sort").focus({ preventScroll: true });
    };

    const columnMenu = (under, c) => H.menu(under, "Column " + c.title, [
      ["Sort by this", () => ask("sort", { Key: c.key })],
      ["Sort by this too", () => ask("sort", { Key: c.key, On: true })],
      ["Filter…", () => pickFilter(under, c)], ["Group rows by this", () => ask("by", { Key: c.key })],
      ["Fit the width", () => ask("width", { Key: c.key })],
      ...(c.scalar ? [["high", "Highest is best"], ["low", "Lowest is best"], ["none", "None is best"]] : []).map(
        ([goal, text]) => [(goal === (c.goal || "none") ? "✓ " : "") + text,
          () => ask("best", { Key: c.key, Text: goal })]),
      ["Remove", () => ask("remove", { Key: c.key })],
    ]);

    const resize = (ev, c, from) => {
      ev.preventDefault();
      ev.stopPropagation();
      const began = ev.clientX, edge = ev.currentTarget;
      let width = from;
      edge.setPointerCapture(ev.pointerId);
      edge.onpointermove = (m) => {
        width = Math.round(Math.min(MOST, Math.max(LEAST, from + m.clientX - began)));
        c.width = width;
        edge.parentElement.style.width = width + "px";
        measure();
        draw(false);
      };
      edge.onlostpointercapture = () => {
        if (width !== from) ask("width", { Key: c.key, N: width });
      };
    };

    // A column is dragged to its place; a press that does not move is a click.
    let dragged = false;
    const grab = (ev, c, cell) => {
      if (ev.button) return;
      const x = ev.clientX, sort = ev.currentTarget;
      dragged = false;
      let before = null;
      const move = (m) => {
        if (!dragged && Math.abs(m.clientX - x) < 6) return;
        dragged = true;
        dragging = c.key;
        before = null;
        for (const o of head.querySelectorAll("[data-key]")) {
          const b = o.getBoundingClientRect();
          o.classList.toggle("over", before === null && m.clientX < b.left + b.width / 2);
          if (before === null && m.clientX < b.left + b.width / 2) before = o.dataset.key;
        }
        cell.style.opacity = 0.5;
      };
      const end = (drop) => () => {
        sort.removeEventListener("pointermove", move);
        cell.style.opacity = "";
        for (const o of head.querySelectorAll(".over")) o.classList.remove("over");
        if (dragging && drop && before !== c.key) ask("move", { Key: c.key, Before: before ?? "" });
        dragging = null;
        setTimeout(() => { dragged = false; });
      };
      sort.setPointerCapture(ev.pointerId); // a quick hand leaves it with the first move
      sort.addEventListener("pointermove", move);
      sort.addEventListener("pointerup", end(true), { once: true });
      sort.addEventListener("pointercancel", end(false), { once: true });
    };

    // lines
    const newLine = () => {
      const p = { at: -1, stamp: -1 };
      p.box = make("input", { type: "checkbox" });
      p.box.addEventListener("click", (ev) => {
        const to = p.at;
        const from = ev.shiftKey && anchor >= 0 && anchor < spec.lines ? anchor : to;
        anchor = to;
        ask("switch", { From: Math.min(from, to), To: Math.max(from, to) + 1, On: p.box.checked });
      });
      p.fold = iconButton("right", "Open or close", () => ask("fold", { Text: p.line.name }));
      p.fold.classList.add("fold");
      p.swatch = make("i", { className: "swatch" });
      p.text = make("span", { className: "text" });
      p.n = make("span", { className: "quiet" });
      p.more = iconButton("more", "Run", () => ask("menu", { Run: p.line.run }, p.name));
      p.more.setAttribute("aria-haspopup", "menu");
      p.more.tabIndex = -1;
      p.name = make("div", { className: "hp-cell hp-name", role: "rowheader" }, p.fold, p.box, p.swatch, p.text, p.n,
        p.more);
      p.cells = [];
      p.pad = make("div", { className: "hp-pad" });
      p.el = make("div", { className: "hp-row", role: "row" }, p.name, p.pad);
      p.name.addEventListener("dblclick", (ev) => {
        if (!ev.target.closest("button,input")) ask("only", { From: p.at });
      });
      p.name.addEventListener("click", (ev) => {
        if (p.line.run === undefined && !ev.target.closest("button,input")) ask("fold", { Text: p.line.name });
      });
      p.el.addEventListener("keydown", (ev) => {
        const to = { ArrowDown: p.at + 1, ArrowUp: p.at - 1, Home: 0, End: spec.lines - 1 }[ev.key],
          side = { ArrowRight: 1, ArrowLeft: -1 }[ev.key];
        if (ev.target.role === "gridcell" && (side || to !== undefined) ||
            side && ev.target === p.box && p.line.run !== undefined) {
          const at = ev.target === p.box ? -1 : ev.target.ariaColIndex - 2;
          focusCell(side || ev.key === "Home" || ev.key === "End" ? p.at : to,
            side ? at + side : ev.key === "Home" ? 0 : ev.key === "End" ? w.length - 1 : at);
          ev.preventDefault();
          ev.stopPropagation();
          return;
        }
        if (to !== undefined && ev.target === p.box) focusLine(to);
        else if (ev.key === "Enter" && ev.target === p.box) ask("only", { From: p.at });
        else if (p.line.run === undefined &&
          (ev.key === "ArrowRight" && !p.line.open || ev.key === "ArrowLeft" && p.line.open))
          ask("fold", { Text: p.line.name });
        else return;
        ev.preventDefault();
        ev.stopPropagation();
      });
      body.append(p.el);
      pool.push(p);
      return p;
    };

    const fill = (p, i, line) => {
      p.at = i;
      p.line = line;
      p.stamp = stamp;
      const group = line.run === undefined;
      p.el.style.transform = `translateY(${i * ROW}px)`;
      p.el.hidden = false;
      p.el.setAttribute("aria-rowindex", i + 2);
      p.el.classList.toggle("group", group);
      p.el.classList.toggle("off", !line.on);
      p.fold.hidden = !group;
      p.fold.setAttribute("aria-expanded", String(!!line.open));
      p.swatch.hidden = group;
      p.swatch.style.background = line.color ?? "";
      p.text.textContent = line.name;
      p.name.title = group ? line.name : [...new Set([line.whole, line.run, line.note])].filter(Boolean).join("\n");
      p.n.textContent = group ? String(line.n) : "";
      p.more.hidden = group;
      p.box.checked = !!line.on && !line.some;
      p.box.indeterminate = !!line.some;
      p.box.setAttribute("aria-label", line.whole ?? line.name);
      // What is as it was costs no layout.
      const put = (e, key, value) => { if (e[key] !== value) e.style.width = (e[key] = value) + "px"; };
      put(p.name, "tbWidth", name);
      put(p.pad, "tbWidth", x[first]);
      while (p.cells.length < last - first) {
        p.cells.push(p.el.appendChild(make("div", { className: "hp-cell", role: "gridcell", tabIndex: -1 })));
      }
      p.cells.forEach((cell, k) => {
        const at = first + k, hide = at >= last;
        if (cell.hidden !== hide) cell.hidden = hide;
        if (hide) return;
        if (cell.tbText !== line.cells[k]) cell.textContent = cell.tbText = line.cells[k];
        cell.tbExact = line.exact?.[k] ?? "";
        const best = !!line.best?.includes(k), pad = line.pads?.[k] ?? "";
        if (cell.tbPad !== pad) cell.dataset.pad = cell.tbPad = pad;
        if (cell.tbBest !== best) {
          cell.classList.toggle("best", cell.tbBest = best);
          cell.ariaDescription = best ? "best" : null;
        }
        put(cell, "tbWidth", w[at]);
        if (cell.tbAt !== at) cell.setAttribute("aria-colindex", (cell.tbAt = at) + 2);
        if (cell.tbAmount !== spec.columns[at].number) {
          cell.classList.toggle("amount", cell.tbAmount = spec.columns[at].number);
        }
      });
    };

    // draw fills the lines that are seen; one that stays in sight keeps its element, and
    // the focus with it. heads says that the heads may change, too.
    const draw = (heads = true) => {
      if (heads && near()) {
        stamp++;
        showHead();
      }
      aside.update();
      const top = Math.max(0, Math.floor((place.top - 34) / ROW) - 8), seen = Math.ceil((place.high || 600) / ROW) + 16;
      const to = Math.min(spec.lines, top + seen), n = Math.min(spec.lines, seen + 1);
      while (pool.length < n) newLine();
      const wants = [];
      for (let i = top; i < to; i++) {
        const p = pool[i % pool.length];
        if (p.at !== i || p.stamp !== stamp) wants.push(i);
      }
      for (const p of pool) {
        if (p.at < top || p.at >= to) { p.el.hidden = true; p.at = -1; }
      }
      if (wants.length) {
        const from = wants[0], lines = ask("lines", { From: from, To: wants.at(-1) + 1, First: first, Last: last });
        for (const i of wants) if (lines[i - from]) fill(pool[i % pool.length], i, lines[i - from]);
      }
    };

    const focusLine = (i) => {
      if (i < 0 || i >= spec.lines) return;
      const y = i * ROW;
      if (y < table.scrollTop) table.scrollTop = y;
      else if (y + ROW + 40 > table.scrollTop + table.clientHeight) table.scrollTop = y + ROW + 40 - table.clientHeight;
      look();
      draw();
      pool.find((p) => p.at === i)?.box.focus({ preventScroll: true });
    };

    // focusCell goes to a cell; column -1 is the box before the name.
    const focusCell = (line, column) => {
      if (line < 0 || line >= spec.lines || column >= w.length) return;
      focusLine(line);
      if (column < 0) return;
      show(column);
      pool.find((p) => p.at === line)?.cells[column - first]?.focus({ preventScroll: true });
    };

    // popups
    // The columns of the table, or the axes of a plot.
    const pickColumns = (under, of = "") => H.popup(under, of ? "Axes" : "Columns", "hp-pick", (pop) => {
      const field = make("input",
        { type: "search", className: "text-field", placeholder: "Search hyperparameters and tags",
          "aria-label": "Search columns" });
      const step = make("input",
        { type: "number", className: "number", "aria-label": "At step", placeholder: "at step",
          title: "Offers the values at this step, too" });
      const list = make("div", { className: "hp-list" });
      const show = () => {
        const { list: offers, more } = ask("offer",
          { Of: of, Text: field.value, On: step.value !== "", N: Math.trunc(Number(step.value)) || 0 });
        const kids = [];
        let last = "";
        for (const o of offers) {
          if (o.sort !== last) kids.push(make("h4", {}, last = o.sort));
          const box = make("input",
            { type: "checkbox", checked: o.on,
              onchange: () => ask(box.checked ? "add" : "remove", { Of: of, Key: o.key }) });
          kids.push(make("label", { className: "check" }, box, make("span", {}, o.title)));
        }
        if (more) kids.push(make("p", { className: "quiet" }, `and ${more} more: type a part of the name`));
        if (!offers.length) kids.push(make("p", { className: "quiet" }, "No column has such a name."));
        list.replaceChildren(...kids);
      };
      field.addEventListener("input", show);
      step.addEventListener("input", show);
      pop.append(make("div", { className: "hp-two" }, make("div", { className: "fill" }, field), step),
        make("div", { className: "buttons" },
          button("Only those that differ", "Leaves out hyperparameters that are the same in all rows",
            () => { ask("differ", { Of: of }); show(); }),
          button("As at first", "Shows the columns that the page chooses",
            () => { ask("usual", { Of: of }); show(); })), list);
      show();
      setTimeout(() => field.focus());
    });

    // A filter that was opened before the column's values had come is filled again with them,
    // unless the user has begun to choose.
    let renew; // of the filter that is open
    const pickFilter = (under, c) => filterUnder(under, c).addEventListener("toggle", (ev) => {
      // The button below which it opened was made anew when a filter was set.
      if (ev.newState !== "closed" || under.isConnected || !document.activeElement.matches("body,main")) return;
      controls(head.querySelector(`[data-key="${CSS.escape(c.key)}"]`))[1]?.focus({ preventScroll: true });
    });
    const filterUnder = (under, c) => H.popup(under, "Filter " + c.title, "hp-pick", (pop) => {
      let had = ask("choices", { Key: c.key }), touched = false;
      fillFilter(pop, c, had);
      const touch = () => { touched = true; };
      for (const name of ["input", "change", "click"]) pop.addEventListener(name, touch);
      renew = () => {
        if (!pop.isConnected || touched) { renew = null; return; }
        const now = ask("choices", { Key: c.key });
        if (JSON.stringify(now) === JSON.stringify(had)) return;
        had = now;
        pop.replaceChildren();
        fillFilter(pop, c, now);
      };
    });

    const fillFilter = (pop, c, o) => {
      const f = o.filter ?? {};
      const number = (v) => v === "" || Number.isNaN(Number(v)) ? undefined : Number(v);
      const lo = make("input",
        { type: "number", step: "any", className: "number", "aria-label": "At least", placeholder: String(o.lo),
          value: f.lo ?? "" });
      const hi = make("input",
        { type: "number", step: "any", className: "number", "aria-label": "At most", placeholder: String(o.hi),
          value: f.hi ?? "" });
      const regex = make("input",
        { type: "search", className: "text-field", "aria-label": "Regular expression",
          placeholder: "Regular expression; ! leaves out", value: f.regex ?? "" });
      const missing = make("input", { type: "checkbox", checked: !!f.missing });
      const boxes = o.list.map((v) => {
        const box = make("input", { type: "checkbox", checked: !f.only || (f.values ?? []).includes(v.text) });
        box.tbText = v.text;
        return make("label", { className: "check" }, box, make("span", {}, v.text),
          make("span", { className: "n" }, String(v.n)));
      });
      const list = make("div", { className: "hp-list", role: "group", "aria-label": "Values" }, ...boxes);
      const apply = () => {
        const inputs = [...list.querySelectorAll("input")], on = inputs.filter((b) => b.checked);
        const next = { lo: number(lo.value), hi: number(hi.value), regex: regex.value || undefined,
          missing: missing.checked || undefined };
        if (on.length < inputs.length) { next.only = true; next.values = on.map((b) => b.tbText); }
        const empty = next.lo === undefined && next.hi === undefined && !next.regex && !next.only && !next.missing;
        ask("filter", { Key: c.key, Filter: empty ? null : next });
      };
      for (const field of [lo, hi, regex]) field.addEventListener("input", apply);
      missing.addEventListener("change", apply);
      list.addEventListener("change", apply);
      const each = (on) => () => { for (const b of list.querySelectorAll("input")) b.checked = on; apply(); };
      pop.append(make("h3", {}, c.title));
      if (o.numbers) pop.append(make("div", { className: "hp-two" }, lo, make("span", {}, "to"), hi));
      pop.append(regex);
      if (boxes.length > 1 && boxes.length < 200) {
        pop.append(make("div", { className: "buttons" }, button("All", "Ticks every value", each(true)),
          button("None", "Ticks no value", each(false))), list);
      }
      if (o.missing) {
        pop.append(make("label", { className: "check" }, missing,
          make("span", {}, `Runs without a value (${o.missing})`)));
      }
      pop.append(make("div", { className: "buttons" },
        button("Clear", "Takes this filter away",
          () => { ask("filter", { Key: c.key, Filter: null }); pop.hidePopover(); })));
      setTimeout(() => (o.numbers ? lo : regex).focus());
    };

    // How much each hyperparameter tells about a metric, of the rows that are shown.
    const matters = (under) => H.popup(under, "What matters", "hp-pick hp-matters", (pop) => {
      const metrics = spec.columns.filter((c) => c.scalar);
      const list = make("div", { className: "hp-list" });
      const pick = make("select", { className: "select", "aria-label": "Metric" },
        ...metrics.map((c) => make("option", { value: c.key }, c.title)));
      const show = () => {
        const { list: found, n, few } = ask("matters", { Key: pick.value });
        const kids = [make("p", { className: "quiet" },
          n < few ? `Of ${n} ${n === 1 ? "run" : "runs"} with this metric no forest can be made: ${few} are needed.`
          : `Of ${n.toLocaleString("en")} runs: the part of a random forest, and the rank correlation. Neither ` +
            `proves a cause.`)];
        for (const o of found) {
          const part = o.part === undefined ? "" : `${(100 * o.part).toFixed(o.part < 0.1 ? 1 : 0)} %`;
          const rho = o.rho === undefined ? "–" : (o.rho > 0 ? "+" : "") + o.rho.toFixed(2);
          kids.push(make("div",
            { className: "hp-part", role: "listitem", style: { "--part": o.part ?? 0 },
              title: o.n === undefined ? "Texts have no rank correlation" : `Rank correlation of ${o.n} runs` },
            make("span", { className: "fill" }, o.title), make("span", { className: "num" }, part),
            make("span", { className: "num quiet" }, rho)));
        }
        if (!found.length) kids.push(make("p", { className: "quiet" }, "No hyperparameter differs."));
        list.replaceChildren(...kids);
      };
      pick.addEventListener("change", show);
      list.setAttribute("role", "list");
      pop.append(make("h3", {}, "What matters"));
      if (metrics.length) {
        pop.append(pick, list);
        show();
      } else pop.append(make("p", {}, "Add a metric as a column first."));
      setTimeout(() => pop.querySelector("select")?.focus());
    });

    const exportMenu = (under) => {
      /** @type {[name: string, ext: string, type: string, write: (rows: any) => string][]} */
      const forms = [["CSV", "csv", "text/csv", csv], ["JSON", "json", "application/json", json],
        ["LaTeX", "tex", "text/plain", latex], ["Markdown", "md", "text/markdown", markdown]];
      H.menu(under, "Export", [
        ...forms.map(
          ([name, ext, type, write]) => [`Download ${name}`,
            () => H.download("runs." + ext, type, write(ask("export")))]),
        ...forms.map(([name, , , write]) => [`Copy ${name}`, () => H.copy(write(ask("export")), `Copied as ${name}`)]),
      ]);
    };

    const update = () => {
      if (dragging) return;
      spec = ask("spec");
      stamp++;
      if (search.value !== spec.filter) search.value = spec.filter;
      const options = [["", "No groups"], ...spec.columns.map((c) => [c.key, "Group by " + c.title])];
      if (spec.by && !options.some((o) => o[0] === spec.by)) options.push([spec.by, "Grouped"]);
      by.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
      by.value = spec.by;
      all.hidden = !spec.sessions;
      allBox.checked = spec.all;
      hidden.hidden = !spec.hidden?.length;
      hidden.textContent = `${spec.hidden?.length} hidden: show`;
      chips.hidden = !spec.chips.length;
      chips.replaceChildren(...spec.chips.map((c) => {
        const column = spec.columns.find((o) => o.key === c.key) ?? { key: c.key, title: c.text };
        const open = make("button",
          { type: "button", title: "Change this filter", onclick: () => pickFilter(open, column) }, c.text);
        return make("span", { className: "hp-chip" }, open,
          iconButton("x", "Take away: " + c.text, () => ask("filter", { Key: c.key, Filter: null })));
      }),
        make("button", { className: "text-button", type: "button", onclick: () => ask("unfilter") },
          "Clear all filters"));
      every.disabled = !spec.rows; // there is nothing to tick
      every.checked = spec.rows > 0 && spec.on === spec.rows;
      every.indeterminate = spec.on > 0 && spec.on < spec.rows;
      const n = (k, noun) => `${k.toLocaleString("en")} ${noun}${k === 1 ? "" : "s"}`;
      count.textContent = n(spec.rows, "run") +
        (spec.left ? `, ${spec.left.toLocaleString("en")} left out by filters` : "") +
        `, ${spec.on.toLocaleString("en")} on`;
      note.textContent = spec.note ||
        (spec.rows || spec.left
          ? spec.columns.length ? "" : "Choose columns: any hyperparameter, any number of a scalar."
          : "There are no runs yet.");
      table.setAttribute("aria-rowcount", spec.lines + 1);
      kind.value = spec.plot;
      el.classList.toggle("plotted", !!spec.plot);
      plots.update(spec.plot);
      compare.setAttribute("aria-pressed", String(spec.compare));
      comparison.update(spec.compare);
      body.style.height = spec.lines * ROW + "px";
      table.setAttribute("aria-colcount", spec.columns.length + 1);
      measure();
      showHead();
      draw();
      renew?.();
    };
    update();
    sized.observe(table);
    return {
      update,
      // Where the run list is on screen its filter is this one.
      search: () => (search.checkVisibility() ? search : document.querySelector(".runs-pane .search input")).focus(),
      columns: () => pickColumns(columns),
      exports: () => exportMenu(save),
      matters: () => matters(what),
      end: () => { sized.disconnect(); plots.end(); },
    };
  };

  // Forms of an export: rows of texts, the first one of titles.
  const csv =
    (rows) =>
    rows.map((r) => r.map((t) => /[",\r\n]|^[=+@]|^-(?!\d|Inf)/.test(t) ? `"${t.replaceAll('"', '""')}"` : t).join(","))
      .join("\r\n") + "\r\n";
  const json = ([head,
    ...rows]) =>
    JSON.stringify(
      rows.map(
        (r) => Object.fromEntries(
          head.map(
            (h, i) => [h,
              r[i] === "" ? null : r[i] !== "" && i > 0 && Number.isFinite(Number(r[i])) ? Number(r[i]) : r[i]]))),
              null, 1) + "\n";
  const escapeLatex = (t) => t.replace(/[\\{}$&#^_%~]/g,
    (c) => ({ "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" })[c] ?? "\\" + c)
    .replaceAll("±", "$\\pm$");
  const latex = (rows) => {
    const lines = rows.map((r) => r.map(escapeLatex).join(" & ") + " \\\\");
    return `\\begin{tabular}{l${"r".repeat(rows[0].length - 1)}}\n` +
      `\\hline\n${lines[0]}\n\\hline\n${lines.slice(1).join("\n")}\n\\hline\n\\end{tabular}\n`;
  };
  const markdown = (rows) => {
    const line = (r) => "| " +
      r.map(
        (t) => t.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ")
          .replace(/[<*_\x60[]/g, "\\$&"))
        .join(" | ") + " |";
    return [line(rows[0]), "|" + rows[0].map((_, i) => i ? " ---: |" : " --- |").join(""),
      ...rows.slice(1).map(line)].join("\n") + "\n";
  };
  globalThis.tbHparams.forms = { csv, json, latex, markdown };
})();
