// The controls beside the scene: projection, colours and labels, search, what is chosen, bookmarks.
// They show what the board says and tell it what the user wants; they keep nothing but what is
// being typed.
"use strict";
{
  const P = globalThis.tbProjector, H = tbKit;
  const LIST = 100; // lines of a list

  P.field = (text, input) => H.make("label", {}, H.make("span", {}, text), input);
  P.select = (name, change) => H.make("select",
    { className: "select", "aria-label": name, onchange: (e) => change(e.currentTarget.value) });
  // fill gives a select its options, [value, text, title?] or [name of a group, [options]], when they are others.
  P.fill = (s, options, value) => {
    const text = JSON.stringify(options);
    if (s.tbOptions !== text) {
      s.tbOptions = text;
      const make = ([v, t, title]) => H.make("option", { value: v, title }, t);
      s.replaceChildren(
        ...options.map(
          (o) => (Array.isArray(o[1]) ? H.make("optgroup", { label: o[0] }, ...o[1].map(make)) : make(o))));
    }
    s.value = value;
    s.title = s.selectedOptions[0]?.title ?? "";
  };
  const section = (title, open, ...kids) => H.make("details", { open }, H.make("summary", {}, title), ...kids);

  // rowsList shows rows as buttons: what comes after the name is right(row).
  const rowsList = (list, pane, rows, choose, right, hover) => {
    list.replaceChildren(...[...rows].slice(0, LIST).map((row, i) => H.make("li", {}, H.make("button", {
      type: "button", onclick: () => choose(row), onpointerenter: () => hover(row), onpointerleave: () => hover(-1),
      onfocus: () => hover(row), onblur: () => hover(-1),
    }, pane.thumb(row, 22), H.make("span", { className: "text" }, pane.label(row)),
      right ? H.make("span", { className: "num" }, right(i)) : null))));
  };

  // The forms of methods. Each number: [option, text, lowest, highest, step, value that is meant if empty,
  // explanation].
  const numbers = {
    tsne: [["perplexity", "Perplexity", 2, 200, 1, "auto", "About how many neighbours each point has"],
      ["rate", "Learning rate", 1, 10000, 1, "auto", "How far a point moves in one iteration"],
      ["iterations", "Iterations", 0, 100000, 50, 1000, "0: until it is stopped"],
      ["theta", "Theta", 0, 1, 0.1, 0.5, "0 is exact, more is faster"]],
    umap: [["neighbors", "Neighbours", 2, 200, 1, 15, "Few neighbours show details, many show the whole"],
      ["minDist", "Minimum distance", 0, 1, 0.05, 0.1, "How close two points may lie"],
      ["epochs", "Epochs", 0, 5000, 50, "auto", "0: by the number of points"]],
  };
  P.methods = { pca: "PCA", tsne: "t-SNE", umap: "UMAP", custom: "Custom axes" };

  P.side = (board) => {
    const el = H.make("aside", { className: "pj-side", "aria-label": "Controls of the projector" });

    // Projection.
    const method = P.select("Method", (v) => board.method(v));
    P.fill(method, Object.entries(P.methods), "pca");
    const sphere = H.make("input",
      { type: "checkbox", onchange: () => board.place({ z: sphere.checked ? 1 : undefined }) });
    const axes = [0, 1, 2].map((d) => P.select(`Component along ${"XYZ"[d]}`, (v) => {
      const now = [...(board.view().a ?? [0, 1, 2])];
      now[d] = +v;
      board.place({ a: now });
    }));
    const axesBox = H.make("div", { className: "pj-axes" }, ...axes.map((s, d) => P.field(`${"XYZ"[d]} axis`, s)));
    const variance = H.make("p", { className: "pj-note" });
    const forms = {}, inputs = {};
    for (const [m, list] of Object.entries(numbers)) {
      inputs[m] = {};
      forms[m] = H.make("div", {},
        ...list.map(
          ([name, text, min, max, step, other, why]) => P.field(text,
            inputs[m][name] = H.make("input", { type: "number", min, max, step, placeholder: other, title: why }))));
    }
    const metric = P.select("Metric of UMAP", () => {});
    P.fill(metric, [["euclid", "Euclid"], ["cosine", "Cosine"]], "euclid");
    forms.umap.append(P.field("Metric", metric));
    const supervise = P.select("Supervise by", () => {}),
      factor = H.make("input",
        { type: "number", min: 0, max: 1, step: 0.1, placeholder: "0.5", "aria-label": "Weight of supervision",
          title: "0 takes no notice of the column, 1 much" });
    forms.tsne.append(P.field("Supervise by", H.make("span", { className: "pj-two" }, supervise, factor)));
    const seed = H.make("input",
      { type: "number", min: 0, step: 1, placeholder: 1, title: "The same seed gives the same picture" });
    const sample = H.make("input",
      { type: "number", min: 0, step: 100, placeholder: "auto",
        title: "How many rows are projected; auto: as many as the method can" });
    const seeds = H.make("div", {}, P.field("Seed", seed), P.field("Points at most", sample));
    const ends = {}, customOf = P.select("Column of the axes", () => {}),
      customRegex = H.make("input", { type: "checkbox" });
    forms.custom = H.make("div", {},
      H.make("p", { className: "pj-note" },
        "An axis runs from the centre of the points that the left search finds to the centre of those that the right " +
        "one finds. An empty search means all points."), P.field("Search in", customOf),
      ...["x", "y", "z"].map(
        (a) => P.field(`${a.toUpperCase()} axis`,
          H.make("span", { className: "pj-two" },
            ends[a + 0] = H.make("input",
              { type: "text", placeholder: "left", "aria-label": `Left end of ${a.toUpperCase()}` }),
              ends[a + 1] = H.make("input",
                { type: "text", placeholder: "right", "aria-label": `Right end of ${a.toUpperCase()}` })))),
      P.field("Expressions", customRegex));
    const run = H.button("Run", "Project with these options", () => board.run(options()));
    const pause = H.button("Pause", "Pause or go on", () => board.panes().forEach((p) => { p.pause(); show(); }));
    const stop = H.button("Stop", "Stop here and keep the result", () => board.panes().forEach((p) => p.stop()));
    const shake = H.button("Perturb", "Move all points a little, at random",
      () => board.panes().forEach((p) => p.perturb()));
    const bar = H.make("progress", { max: 1, hidden: true, "aria-label": "Projection" }),
      how = H.make("p", { className: "pj-note pj-how" });
    const projection = section("Projection", true, P.field("Method", method),
      H.make("label", {}, sphere, "Sphere-ize (unit length around the mean)"), axesBox, variance, forms.tsne,
      forms.umap, forms.custom, seeds, H.make("div", { className: "pj-acts" }, run, pause, stop, shake), bar, how);

    // options are what the form says, without what is empty.
    const options = () => {
      const m = method.value, o = {},
        number = (input, name) => {
          if (input.value !== "" && Number.isFinite(+input.value)) {
            o[name] = Math.min(input.max === "" ? Infinity : +input.max, Math.max(+input.min, +input.value));
          }
        };
      for (const [name] of numbers[m] ?? []) number(inputs[m][name], name);
      number(seed, "seed");
      number(sample, "sample");
      if (m === "umap" && metric.value !== "euclid") o.metric = metric.value;
      if (m === "tsne" && supervise.value) {
        o.supervise = { column: supervise.value,
          factor: factor.value === "" ? 0.5 : Math.min(1, Math.max(0, +factor.value)) };
      }
      if (m === "custom") {
        o.column = customOf.value;
        if (customRegex.checked) o.regex = true;
        o.ends = ["x", "y", "z"].map((a) => [ends[a + 0].value, ends[a + 1].value]);
        if (!o.ends[2].some(Boolean)) o.ends.pop();
      }
      return o;
    };
    let formed = "";
    const form = (m, o) => {
      const text = JSON.stringify([m, o]);
      if (text === formed) return;
      formed = text;
      for (const [name] of numbers[m] ?? []) inputs[m][name].value = o[name] ?? "";
      seed.value = o.seed ?? "";
      sample.value = o.sample ?? "";
      metric.value = o.metric ?? "euclid";
      supervise.value = o.supervise?.column ?? "";
      factor.value = o.supervise?.factor ?? "";
      customRegex.checked = Boolean(o.regex);
      for (const [i, a] of ["x", "y", "z"].entries()) {
        for (const k of [0, 1]) ends[a + k].value = o.ends?.[i]?.[k] ?? "";
      }
      if (o.column) customOf.value = o.column;
    };

    // Colours and labels.
    const color = P.select("Colour by", (v) => board.set({ c: v === board.autoColor() ? undefined : v, g: undefined }));
    const category = H.make("input", { type: "checkbox", onchange: () => board.set({ g: category.checked ? 1 : 0 }) });
    const categoryBox = H.make("label", {}, category, "One colour for each value");
    const label = P.select("Label by", (v) => board.set({ l: v === board.pane().labelName ? undefined : v }));
    const metadata = P.select("Metadata",
      (v) => board.set({ M: v || undefined, c: undefined, l: undefined, k: undefined }));
    const metadataBox = P.field("Metadata", metadata);
    const toggles = [["L", "Labels in the picture"], ["p", "Images"], ["w", "Sequences"]].map(
        ([k, text]) => {
      const input = H.make("input",
        { type: "checkbox", onchange: () => board.set({ [k]: input.checked ? undefined : 0 }) });
      return { k, input, box: H.make("label", {}, input, text) };
    });
    const looks = section("Colours and labels", true, P.field("Colour by", color), categoryBox,
      P.field("Label by", label), metadataBox, ...toggles.map((t) => t.box));

    // Search.
    const find = H.make("input",
      { type: "search", placeholder: "Find points", "aria-label": "Find points",
        oninput: () => { clearTimeout(find.due); find.due = setTimeout(ask, 180); }, onchange: () => ask() });
    const column = P.select("Search in", () => ask()),
      regex = H.make("input", { type: "checkbox", onchange: () => ask() });
    const ask = () => {
      clearTimeout(find.due);
      find.due = 0;
      board.set({ q: find.value || undefined, k: column.value || undefined, r: regex.checked ? 1 : undefined });
    };
    const found = H.make("p", { className: "pj-note", role: "status" }), hits = H.make("ul", { className: "pj-rows" });
    const take = H.button("Select them", "Select all that were found", () => board.choose(board.hits()));
    const search = section("Search", true, H.make("label", {}, find), P.field("In", column),
      H.make("label", {}, regex, "Regular expression"), H.make("div", { className: "pj-acts" }, take), found, hits);

    // What is chosen.
    const count = H.make("p", { className: "pj-note", role: "status" }),
      chosen = H.make("ul", { className: "pj-rows" });
    const isolate = H.button("Isolate", "Show the selected points alone (i)", () => board.isolate());
    const all = H.button("Show all", "End the isolation (i)", () => board.isolate(null));
    const clear = H.button("Clear", "Select nothing (Escape)", () => board.choose([]));
    const neighbors = H.make("input",
      { type: "number", min: 1, max: 999, step: 1, "aria-label": "Neighbours",
        onchange: () => board.set({ n: Math.min(999, Math.max(1, Math.round(+neighbors.value) || 100)) }) });
    const distance = P.select("Distance", (v) => board.set({ e: v === "cosine" ? undefined : v }));
    P.fill(distance, [["cosine", "Cosine"], ["euclid", "Euclid"]], "cosine");
    const nearBox = P.field("Neighbours", H.make("span", { className: "pj-two" }, neighbors, distance));
    const nearTitle = H.make("p", { className: "pj-note" }), near = H.make("ul", { className: "pj-rows" });
    const editColumn = P.select("Column to edit", () => {}),
      editValue = H.make("input", { type: "text", "aria-label": "New value", placeholder: "new value" });
    const edit = H.button("Set", "Give the selected points this value",
      () => board.edit(editColumn.value, editValue.value));
    const editBox = H.make("div", {}, P.field("Set", H.make("span", { className: "pj-two" }, editColumn, editValue)),
      H.make("div", { className: "pj-acts" }, edit));
    const selection = section("Selection and neighbours", true, count,
      H.make("div", { className: "pj-acts" }, isolate, all, clear), nearBox, nearTitle, near, chosen, editBox);

    // Bookmarks.
    const marks = H.make("ul", { className: "pj-rows" }),
      marksFile = H.make("input",
        { type: "file", hidden: true, accept: ".txt,.json", "aria-label": "Bookmarks file",
          onchange: () => { const f = marksFile.files[0]; marksFile.value = ""; if (f) board.loadBookmarks(f); } });
    const title = H.make("input", { type: "text", "aria-label": "Name of the bookmark" });
    const bookmarks = section("Bookmarks", false,
      H.make("p", { className: "pj-note" },
        "A bookmark keeps projection, camera, selection and colours. The file is the one of TensorBoard."),
        P.field("Name", title),
        H.make("div", { className: "pj-acts" },
          H.button("Keep this view", "Make a bookmark of what is seen",
            () => { board.bookmark(title.value || title.placeholder); title.value = ""; }),
            H.button("Load…", "Load bookmarks from a file", () => marksFile.click()),
            H.button("Save", "Save the bookmarks to a file", () => board.saveBookmarks())), marksFile, marks);
    el.append(projection, looks, search, selection, bookmarks);

    // show brings it all up to date.
    const show = () => {
      const v = board.view(), pane = board.pane(), m = v.m ?? "pca", now = pane?.now, columns = pane?.columns ?? [];
      method.value = m;
      sphere.checked = Boolean(v.z);
      for (const [k, f] of Object.entries(forms)) f.hidden = k !== m;
      seeds.hidden = m === "custom";
      axesBox.hidden = variance.hidden = m !== "pca";
      const names = columns.map((c) => [c.name, c.name]);
      P.fill(supervise, [["", "nothing"], ...names], supervise.value);
      P.fill(customOf, names, customOf.value || pane?.labelName || "");
      form(m, v.o?.[m] ?? {});
      if (now?.method === "pca" && m === "pca" && now.variance) {
        const share = (i) => (now.variance[i] * 100).toFixed(1) + " %",
          list = Array.from({ length: now.components }, (_, i) => [String(i), `Component ${i + 1} (${share(i)})`]);
        axes.forEach(
          (s, d) => { P.fill(s, list, String((v.a ?? [0, 1, 2])[d])); s.parentNode.hidden = d === 2 && v.d === 2; });
        const seen = [...new Set((v.a ?? [0, 1, 2]).slice(0, v.d === 2 ? 2 : 3))].reduce(
          (t, i) => t + (now.variance[i] ?? 0), 0);
        variance.textContent = `What is seen explains ${(seen * 100).toFixed(1)} % of the variance.`;
      }
      const job = board.panes().find((p) => p.job)?.job;
      run.textContent = job ? "Run again" : v.i ? "Run on the isolated" : "Run";
      pause.hidden = stop.hidden = !job;
      shake.hidden = !job || job.method !== "tsne";
      pause.textContent = job?.paused ? "Resume" : "Pause";
      bar.hidden = !job;
      if (!job && now) how.textContent = now.method === m ? board.done() : "";

      P.fill(color,
        [["", "No colours"],
          ...columns.map(
            (c) => [c.name, c.type === "number" ? c.name : `${c.name} (${P.count(c.distinct, "value")})`])],
            board.colorName());
      const tinted = pane?.column(board.colorName());
      categoryBox.hidden = !(tinted?.type === "number" && tinted.distinct <= 100);
      category.checked = tinted ? board.categories(tinted) : false;
      P.fill(label, names, v.l ?? pane?.labelName ?? "");
      const files = board.metadata();
      metadataBox.hidden = files.length < 2 && !v.M;
      P.fill(metadata, [["", "the tensor's own"], ...files.map((f) => [f, f])], v.M ?? "");
      for (const t of toggles) {
        t.input.checked = v[t.k] !== 0;
        t.box.hidden = t.k === "p" ? !pane?.sprite : t.k === "w"
          ? !(pane?.column("__seq_next__") || pane?.column("__next__")) : false;
      }

      if (!find.due && find.value !== (v.q ?? "")) find.value = v.q ?? "";
      P.fill(column, [["", "any column"], ...names], v.k ?? "");
      regex.checked = Boolean(v.r);
      const h = board.hits();
      take.hidden = !h.length;
      found.textContent = board.searchError() ||
        (v.q ? P.count(h.length, "point") + " found." + (h.length > LIST ? ` The first ${LIST}:` : "") : "");
      if (pane?.now) rowsList(hits, pane, h, (r) => board.choose([r], true), null, pane.hover);

      const s = board.selected();
      count.textContent = s.length ? P.count(s.length, "point") + " selected." : v.i || board.isolated()
        ? `${P.count(board.isolated()?.length ?? 0, "point")} isolated.`
        : "Click a point, or draw a box around several with Shift.";
      isolate.disabled = clear.disabled = !s.length;
      clear.hidden = isolate.hidden = !s.length;
      all.hidden = !board.isolated();
      const one = s.length === 1 && pane?.near;
      nearBox.hidden = s.length !== 1;
      neighbors.value = v.n ?? 100;
      distance.value = v.e ?? "cosine";
      near.hidden = nearTitle.hidden = !one;
      chosen.hidden = Boolean(one);
      if (pane?.now) {
        if (one) {
          nearTitle.textContent = `Nearest to ${pane.label(s[0])}, in all dimensions:`;
          rowsList(near, pane, pane.near.rows, (r) => board.choose([r], true),
            (i) => pane.near.distances[i].toPrecision(3), pane.hover);
        } else rowsList(chosen, pane, s, (r) => board.choose([r], true), null, pane.hover);
      }
      editBox.hidden = !s.length || !columns.length;
      P.fill(editColumn, names,
        editColumn.value && pane?.column(editColumn.value) ? editColumn.value : v.l ?? pane?.labelName ?? "");
      const states = board.bookmarks();
      title.placeholder = `View ${states.length + 1}`;
      if (states.length && states !== bookmarks.tbStates) bookmarks.open = true;
      bookmarks.tbStates = states;
      marks.replaceChildren(
        ...states.map(
          (st, i) => H.make("li", {},
            H.make("button", { type: "button", onclick: () => board.restore(st) },
              H.make("span", { className: "text" }, st.label || `View ${i + 1}`)))));
    };
    const progress = (p) => {
      if (!p) { bar.removeAttribute("value"); how.textContent = "Starting…"; return; }
      const stage = { neighbors: "Looking for neighbours", optimize: "Iteration", start: "Finding a start",
        pca: "PCA" }[p.stage] ?? p.stage;
      if (p.of > 0) bar.value = p.step / p.of; else bar.removeAttribute("value");
      how.textContent =
        `${stage} ${p.step !== undefined ? P.number(p.step) : ""}${p.of > 0 ? " of " + P.number(p.of) : ""}` +
          `${p.error ? `, error ${p.error.toFixed(3)}` : ""}${p.seconds >= 1 ? `, ${p.seconds.toFixed(0)} s` : ""}`;
    };
    return { el, show, progress, find: () => { search.open = true; find.focus(); find.select(); } };
  };
}
