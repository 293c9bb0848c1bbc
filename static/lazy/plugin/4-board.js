// The dashboard of a plug-in (wasm/board/drawn): starts its front end when its tab is first
// opened, says what is wrong in words, and keeps it while other tabs are open, unless its
// manifest says remove_dom.
"use strict";
globalThis.tbDrawn ??= {};
{
  const { make, button } = tbKit;
  const css = new CSSStyleSheet();
  css.replaceSync(`
.plugin-hold { display: flex; flex-direction: column; height: calc(100% + 40px); margin: 0 -14px -40px; }
.plugin-hold[hidden], .drawn.plugin-place { display: none; }
.plugin-frame { flex: 1; width: 100%; min-height: 0; border: 0; background: #fff; color-scheme: light; }
.plugin-say { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin: 10px 14px; color: var(--muted); }
.plugin-say pre { flex-basis: 100%; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
`);
  document.adoptedStyleSheets.push(css);

  const kept = new Map(); // by name: plug-ins whose frames are there
  tbPlug.drop = (name) => {
    kept.get(name)?.end();
    kept.delete(name);
  };

  // Frames of opaque origin are of one process, or of the page's own: a front end that never gives
  // its turn back holds up the others, and one that takes more memory than the browser gives ends
  // them with itself; no event tells these two apart. It is likely to be the one that began last, if
  // that was shortly before, or else the one that was looked at when the last answer came. The
  // process ends when no frame of it is left, so all are ended and begun anew. One at an origin of
  // its own has a process of its own, and holds up nobody.
  let suspect = "", beats = 0, began = { name: "", at: 0 };
  const shown = () => [...kept].find(([, p]) => !p.hold.hidden);
  setInterval(() => {
    if (document.hidden) return;
    let worst = 0;
    for (const p of kept.values()) {
      const n = p.ping();
      if (p.apart()) p.alone(n); else worst = Math.max(worst, n);
    }
    const seen = shown();
    if (worst >= SILENT && performance.now() - began.at < (worst + 10) * 1000) suspect = began.name;
    if (worst === SILENT || worst > SILENT && seen && !seen[1].warned) {
      const guilty = suspect; // what begins anew meanwhile is none
      if (!seen?.[1].apart()) seen?.[1].warn(guilty, () => {
        for (const p of kept.values()) p.rest();
        for (const [name, p] of kept) {
          if (name === guilty) p.stopped("it did not answer any more"); else p.again();
        }
      });
    } else if (worst < SILENT && beats >= SILENT) for (const p of kept.values()) if (!p.apart()) p.warn("");
    beats = worst;
  }, 1000);
  const SILENT = 5; // s
  const SILENCE = "has not given its turn back for some seconds, or the browser has ended it, as for want of memory";
  const COMING = 5000; // ms until a plug-in's own origin must answer

  // Where sealed frames share the page's thread, as in Firefox, one that never ends stops the page,
  // and its address would open it again. So while one is looked at its name is kept: a page that
  // finds it there, since the last one ended without a word, asks before it opens it.
  const OPEN = "tensorbored-static.plugin-open";
  const mark = (name) => {
    try { if (name) localStorage.setItem(OPEN, name); else localStorage.removeItem(OPEN); } catch {}
  };
  let stood = "";
  try { stood = localStorage.getItem(OPEN) ?? ""; } catch {}
  mark("");
  const running = () => (shown()?.[1].sealed() ? shown()[0] : "");
  addEventListener("pagehide", () => mark(""));
  document.addEventListener("visibilitychange", () => mark(document.hidden ? "" : running()));

  const COLORS = ["bg", "panel", "line", "edge", "grid", "text", "muted", "accent", "accent-soft", "hover", "field",
    "warn", "live"];

  const open = (main, ask, plugin) => {
    const hold = make("section",
      { className: "plugin-hold", "aria-label": plugin.frontend_metadata.tab_name || plugin.name });
    const words = make("div", { className: "plugin-say", role: "status" });
    hold.append(words);
    main.append(hold);
    const base = plugin.base;
    let given = plugin.given;
    const client = tbPlug.client(), methods = tbPlug.methods(client);
    const fetched = async (path) => {
      if (given) {
        const f = given.get(path);
        if (!f) throw new Error(`the plug-in has no file ${path}`);
        return f.arrayBuffer();
      }
      const a = await fetch(base + path.split("/").map(encodeURIComponent).join("/"), { credentials: "same-origin" });
      if (!a.ok) throw new Error(`${path} could not be loaded: the server answered ${a.status}`);
      return a.arrayBuffer();
    };
    const back = plugin.backend ? tbPlug.back(plugin, fetched, methods) : null;
    let own = "", lack = ""; // where it runs: an address at its own origin, or why it has none
    let front = null, ended = false, slow = 0, points = -1, live = null;
    // look asks the page's program; while another tab is open, what it said last stands.
    const last = {};
    let asked = ask;
    const look = (name, ...args) => {
      const key = name + (args[0] ?? "");
      if (asked) last[key] = asked(name, ...args);
      return last[key];
    };
    // say says something; meanwhile says what takes its place until quiet, as it passes.
    let said = [""];
    const meanwhile = (text, ...more) => {
      words.replaceChildren(...(text ? [make("span", {}, text), ...more] : []));
      words.hidden = !text;
    };
    const say = (...what) => {
      said = what;
      quiet();
    };
    const quiet = () => meanwhile(...said);
    const theme = () => {
      const style = getComputedStyle(document.documentElement), colors = {};
      for (const c of COLORS) {
        const v = style.getPropertyValue("--" + c).trim();
        if (v) colors[c] = v;
      }
      return { dark: look("dark"), colors };
    };
    const show = () => {
      say("");
      front?.end();
      back?.begin(); // beside the front end, which will ask it
      if (!own && !hold.hidden) mark(plugin.name);
      front = tbPlug.front(hold, {
        plugin, base, given, origin: own, file: fetched, back, methods, client, theme,
        runs: () => JSON.parse(look("runs") ?? "[]"),
        state: () => JSON.parse(look("shown") || "{}"),
        setState: (v) => look("show",
          JSON.stringify(Object.fromEntries(Object.entries(v ?? {}).map(([k, x]) => [k, String(x)])))),
        alive: () => { suspect = shown()?.[0] ?? suspect; },
        opened: () => {
          began = { name: plugin.name, at: performance.now() };
          hold.dataset.opened = String(Number(hold.dataset.opened ?? 0) + 1); },
        failed: (text) => say("The plug-in could not be shown: " + text, button("Start it again", "", again)),
        stopped: (why) => stopped(why),
        unserved: (why) => {
          own = "";
          lack = without(why);
          show();
        },
      });
      front.follow();
      if (lack) {
        say(lack, ...(plugin.origin ? [button("Try again", "", () => settle().then(again))] : []),
          button("Close", "", () => say("")));
      }
    };
    // settle finds whether the origin of its own that the plug-in asks for can be had: the server
    // gives one, and what answers there is this server.
    const without = (why) => `This plug-in asks for an origin of its own, and has none: ${why}. It runs in a sealed ` +
      `frame, where ` +
      "storage, and what builds addresses by itself, may not work.";
    const settle = async () => {
      own = lack = "";
      if (plugin.isolation !== "origin") return;
      if (!plugin.origin) {
        lack = without(given ? "it was dropped on the page" : "the server gives none (--plugin_origin)");
        return;
      }
      const { host, hostname } = new URL(plugin.origin);
      if (!isSecureContext) lack = without("browsers allow that over https or on this machine only");
      else if (hostname.endsWith(".localhost") && !/^(localhost|127\.\d+\.\d+\.\d+)$/.test(location.hostname)) {
        lack = without(`${host} is on the machine of the server`);
      } else {
        try {
          const a = await fetch(plugin.origin + "tensorbored_own.json",
            { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(COMING) });
          if ((await a.json()).key === plugin.key) own = plugin.origin;
          else lack = without(`another server answers at ${host}`);
        } catch {
          lack = without(`${host} cannot be reached (behind a tunnel, forward that port, too)`);
        }
      }
    };
    const again = () => {
      back?.end();
      show();
    };
    // A back end that is silent for long can be ended by hand; nothing else waits for it.
    const watch = setInterval(() => {
      const busy = back?.busy() ? slow + 1 : 0;
      if (busy === 5) {
        meanwhile("The back end of this plug-in has not answered for 5 seconds.",
          button("End it and start again", "", again));
      }
      if (!busy && slow >= 5) quiet();
      slow = busy;
    }, 1000);
    const no = (text, details) => say(text, button("Show it all the same", "", () => settle().then(show)),
      ...(details ? [make("pre", {}, details)] : []));
    const begin = async () => {
      if (plugin.kept) {
        try {
          given = await tbPlugins.unpack(plugin.name);
        } catch (e) { return say(`The plug-in ${plugin.name} was not opened: ${e.message}.`); }
      }
      if (back && plugin.values && Object.keys(plugin.values).length) {
        const { result } = await back.request({ op: "fix_flags" });
        plugin.values = result ?? plugin.values;
      }
      const wanted = plugin.data_plugin_names ?? [];
      if (!wanted.some((n) => look("has", n))) {
        const active = back ? (await back.request({ op: "is_active" }, 2000)).result : !wanted.length;
        if (!active) {
          return no(wanted.length ? `Nothing of this plug-in was logged here (it shows data of ${wanted.join(", ")}).`
            : "The plug-in says that it has nothing to show for these logs.");
        }
      }
      await settle();
      if (stood === plugin.name && !own) {
        stood = "";
        return no(
          `The page did not end well the last time, while the plug-in ${plugin.name} was open: it may be one that ` +
          `stops the page.`);
      }
      if (!ended) show();
    };
    say("The plug-in is starting…");
    const ready = async () => {
      // What there is to show is known when something has been read.
      for (let i = 0; i < 200 && !ended && !(plugin.data_plugin_names ?? []).some((n) => look("has", n)) &&
          !["exact", "incomplete", "idle"].includes(tensorbored.status()?.phase); i++) {
        await new Promise((done) => setTimeout(done, 50));
      }
      await begin();
    };
    ready().catch((e) => no("This plug-in is inactive: its back end says:", String(e.message ?? e)));
    if (["exact", "incomplete"].includes(tensorbored.status()?.phase)) points = tensorbored.status().points;
    client.watch(() => {
      const s = tensorbored.status();
      if (!["exact", "incomplete"].includes(s.phase) || s.points === points) return;
      const first = points < 0;
      points = s.points; // also of what was read before the frame was there
      if (!front) return;
      if (!first && !plugin.frontend_metadata.disable_reload) front.reloaded();
      front.follow();
    });
    if (plugin.live) {
      live = new EventSource(base + plugin.live);
      live.onmessage = again;
    }
    const stopped = (why) => say(`The plug-in ${plugin.name} was stopped: ${why}.`,
      button("Start it again", "", again));
    return {
      hold,
      again,
      stopped,
      warned: false,
      ping: () => front?.ping() ?? 0,
      rest() {
        mark("");
        front?.end();
        front = null;
        back?.end();
      },
      apart: () => Boolean(own),
      sealed: () => Boolean(front) && !own,
      // alone says it of a plug-in whose process is its own: whether it has been silent for n s.
      alone(n) {
        if (n < SILENT) return this.warn("");
        if (n === SILENT) {
          this.warned = true;
          meanwhile(`The plug-in ${plugin.name} ${SILENCE}.`, button("End it", "", () => {
            this.rest();
            this.warned = false;
            stopped("it did not answer any more");
          }));
        }
      },
      warn(name, end) {
        if (!name && !this.warned) return;
        this.warned = Boolean(name);
        if (!name) return quiet();
        meanwhile(`The plug-in ${name} ${SILENCE}; others wait for it.`,
          button("End it", "", () => { this.warned = false; end(); }));
      },
      look: (f) => { asked = f; },
      update() {
        front?.theme();
        front?.follow();
      },
      leave() {
        for (const name of ["runs", "shown", "dark"]) look(name);
        asked = null;
        hold.hidden = true;
        mark("");
      },
      come() {
        hold.hidden = false;
        mark(this.sealed() ? plugin.name : "");
      },
      end() {
        ended = true;
        if (!hold.hidden) mark("");
        clearInterval(watch);
        live?.close();
        front?.end();
        back?.end();
        client.end();
        hold.remove();
      },
    };
  };

  tbDrawn.plugin = (el, ask) => {
    const name = ask("given");
    const plugin = tbPlugins.get(name);
    el.classList.add("plugin-place");
    if (!kept.has(name)) kept.set(name, open(el.parentElement, ask, plugin));
    const p = kept.get(name);
    p.look(ask);
    p.come();
    p.update();
    return {
      update: () => p.update(),
      key: () => false,
      escape: () => false,
      help: () => [],
      end() {
        if (plugin.frontend_metadata.remove_dom) tbPlug.drop(name); else p.leave();
      },
    };
  };
}
