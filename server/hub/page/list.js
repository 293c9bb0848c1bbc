// The hub's page: which viewers there are, and buttons to start, open and end them.
"use strict";
(() => {
  const {make, ask, age, repeat} = tbHub;
  const byId = id => document.getElementById(id);
  const rows = new Map(); // by instance
  let drivers = ["local"];

  const problem = text => {
    const e = byId("problem");
    if (e.textContent !== text) e.textContent = text;
    e.hidden = !text;
  };

  const sources = v => v.sources.map(s => s.name && s.name !== s.dir ? s.name + " (" + s.dir + ")" : s.dir).join(", ");

  const facts = v => {
    const where = [v.driver, v.job && v.driver !== "local" && "job " + v.job, v.node && "on " + v.node].filter(Boolean)
      .join(" ");
    const lines = [sources(v)];
    if (v.state === "TERMINATED") lines.push(v.exitStatus ?? "");
    else if (v.reason) lines.push("waits: " + v.reason);
    const idle = v.idleTimeout > 0 && v.state === "RUNNING" && v.seen > 60
      ? " · nobody has looked for " + age(v.seen) + ", ends after " + age(v.idleTimeout) : "";
    lines.push("started " + age(v.age) + " ago · " + where + idle);
    return lines;
  };

  // A row keeps its elements, so that a press of a button, and the focus, outlast a look.
  const row = v => {
    const e = {
      state: make("span", {}), name: make("span", {}), facts: make("div", {className: "viewer-facts"}),
      open: make("a", {className: "button primary", target: "_blank", rel: "noopener"}, "Open"),
      end: make("button", {className: "button", type: "button"}, "End"),
      again: make("button", {className: "button", type: "button"}, "Start again"),
      log: make("button", {className: "button", type: "button"}, "Log"),
    };
    e.all = make("div", {className: "viewer", role: "listitem"},
      make("div", {className: "viewer-state"}, make("span", {className: "dot"}), e.state),
      make("div", {className: "viewer-name"}, e.name, make("code", {title: v.id}, v.id.slice(0, 8))),
      e.facts, make("div", {className: "viewer-buttons"}, e.open, e.log, e.end, e.again));
    e.end.addEventListener("click", async () => {
      e.end.disabled = true;
      try {
        await ask("", "instances/" + v.id + "/kill", {});
      } catch (error) {
        problem(error.message);
      }
      look();
    });
    e.log.addEventListener("click", () => showLog(v));
    e.again.addEventListener("click",
      () => start({driver: v.driver, experimentIds: v.experimentIds, trialIds: v.trialIds,
      logdirs: v.experimentIds.length + v.trialIds.length
        ? v.sources.filter(s => !/(^|\/)experiment\//.test(s.name ?? "")) : v.sources}));
    return e;
  };

  const fill = (e, v) => {
    const set = (to, text) => to.textContent !== text && (to.textContent = text);
    const live = v.state !== "TERMINATED";
    e.all.dataset.state = v.state;
    set(e.state, v.state);
    set(e.name, v.description);
    const lines = facts(v);
    while (e.facts.childElementCount > lines.length) e.facts.lastElementChild.remove();
    while (e.facts.childElementCount < lines.length) e.facts.append(make("div", {}));
    lines.forEach((text, k) => set(e.facts.children[k], text));
    e.open.href = v.path;
    e.open.hidden = !live || v.state === "TERMINATING";
    e.end.hidden = !live;
    e.end.disabled = v.state === "TERMINATING";
    e.again.hidden = live;
    for (const [button, does] of [[e.open, "Open"], [e.end, "End"], [e.again, "Start again"], [e.log, "Log of"]]) {
      button.setAttribute("aria-label", does + " " + v.description);
    }
  };

  const place = (list, viewers) => {
    let before = list.firstElementChild;
    for (const v of viewers) {
      let e = rows.get(v.id);
      if (!e) rows.set(v.id, e = row(v));
      fill(e, v);
      if (before === e.all) before = before.nextElementSibling;
      else list.insertBefore(e.all, before);
    }
  };

  const look = repeat(2, async () => {
    let listed;
    try {
      listed = await ask("", "instances");
    } catch (error) {
      problem(error.message);
      return true;
    }
    problem((listed.problems ?? []).join("\n"));
    drivers = listed.drivers ?? drivers;
    byId("host").textContent = listed.host ? "on " + listed.host : "";
    const there = new Set(listed.instances.map(v => v.id));
    for (const [id, e] of rows) {
      if (there.has(id)) continue;
      e.all.remove();
      rows.delete(id);
    }
    const live = listed.instances.filter(v => v.state !== "TERMINATED").reverse();
    const ended = listed.instances.filter(v => v.state === "TERMINATED").sort((a, b) => a.endTime < b.endTime ? 1 : -1);
    place(byId("live"), live);
    place(byId("ended"), ended);
    byId("none").hidden = live.length > 0;
    byId("ended-part").hidden = ended.length === 0;
    return true;
  });

  const dialog = (title, ...inside) => {
    const close = make("button", {className: "icon-button", type: "button", "aria-label": "Close"}, "×");
    const d = make("dialog", {className: "dialog", "aria-label": title},
      make("div", {className: "dialog-head"}, make("h2", {}, title), close), ...inside);
    close.addEventListener("click", () => d.close());
    d.addEventListener("close", () => d.remove());
    document.body.append(d);
    d.showModal();
    return d;
  };

  const showLog = async v => {
    const text = make("pre", {className: "log", tabIndex: 0, "aria-label": "Log"}, "…");
    dialog("Log of " + v.description, text);
    try {
      text.textContent = await ask("", "instances/" + v.id + "/logs?tail=500") || "Nothing was logged.";
    } catch (error) {
      text.textContent = error.message;
    }
    text.scrollTop = text.scrollHeight;
  };

  const words = text => text.split(/[\s,]+/).filter(Boolean);

  const start = first => {
    const field = (label, e) => make("label", {}, make("span", {className: "field-name"}, label), e);
    const text = (value, placeholder) => make("input",
      {className: "text-field", value: value ?? "", placeholder: placeholder ?? "", autocomplete: "off",
        spellcheck: false});
    const experiments = text(first?.experimentIds?.join(" "), "7 8");
    const trials = text(first?.trialIds?.join(" "), "12");
    const logdirs = make("textarea",
      {className: "text-field", value: first?.logdirs?.map(s => s.dir).join("\n") ?? "", placeholder: "/shared/logs",
        spellcheck: false});
    const driver = make("select", {className: "select"},
      ...drivers.map(d => make("option", {value: d}, d === "local" ? "on the hub's machine" : "as a job of " + d)));
    if (first?.driver) driver.value = first.driver;
    const idle = text("", "5m");
    const said = make("p", {className: "said wrong", role: "alert"});
    const go = make("button", {className: "button primary", type: "submit"}, "Start");
    const form = make("form", {className: "start-form"}, field("Experiments", experiments), field("Trials", trials),
      field("Log directories, one a line", logdirs), field("Runs", driver), field("Ends when nobody looks for", idle),
      said, make("div", {className: "buttons"}, go));
    const d = dialog("Start a viewer", form);
    form.addEventListener("submit", async event => {
      event.preventDefault();
      go.disabled = true;
      said.textContent = "";
      const config = {driver: driver.value};
      if (idle.value.trim()) config.idle_timeout = idle.value.trim();
      try {
        const v = await ask("", "instances",
          {experimentIds: words(experiments.value), trialIds: words(trials.value), config,
          logdirs: logdirs.value.split("\n").map(s => s.trim()).filter(Boolean).map(dir => ({dir}))});
        d.close();
        await look();
        rows.get(v.id)?.open.focus();
      } catch (error) {
        said.textContent = error.message;
      }
      go.disabled = false;
    });
  };
  byId("start").addEventListener("click", () => start());
})();
