// A plug-in's front end: a frame of opaque origin, and what it may ask over its port. The frame's
// documents say hello with a port (static/plugin/shim.js); TensorBoard's plug-in library says
// "experimental.bootstrap" with another. A speaker is known by its window, never by
// what it says of itself.
"use strict";
{
  const MOST = 2000;    // messages of a plug-in within a second: one that sends more is stopped
  const UNDER = 2000;   // requests that wait for an answer
  const COMING = 15_000; // ms until a document at an origin of its own must say hello
  const HELLO = "tensorbored.plugin", BOOTSTRAP = "experimental.bootstrap";
  const types = { js: "text/javascript", mjs: "text/javascript", css: "text/css", html: "text/html", htm: "text/html",
    json: "application/json", svg: "image/svg+xml",
    png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp",
    wasm: "application/wasm", txt: "text/plain", csv: "text/csv", woff2: "font/woff2", woff: "font/woff",
    ttf: "font/ttf", ico: "image/x-icon" };
  tbPlug.type = (path) => types[/\.(\w+)$/.exec(path)?.[1].toLowerCase()] ?? "application/octet-stream";

  // routed says whether a path is one of a back end's routes: exact, or below one that ends in "/*".
  tbPlug.routed = (routes, path) => {
    if (path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
    return (routes ?? []).some((r) => (r.endsWith("/*") ? path.startsWith(r.slice(0, -1)) : r === path));
  };

  // front opens a plug-in's front end in box. o: plugin, base (address of its folder, "" where its
  // files are given), given (Map of path → Blob), origin (address of its folder at an origin of its
  // own, or ""), file(path), back, methods, client, stopped(why), unserved(why).
  tbPlug.front = (box, o) => {
    const { plugin } = o, ports = new Set(), ipc = new Set(), undo = [];
    let ended = false, silent = 0, count = 0, second = 0, under = 0, runs = [], names = "[]";
    const stop = (why) => {
      if (ended) return;
      end();
      o.stopped(why);
    };
    // gate counts a message; false: the plug-in was stopped, or nothing may be said any more.
    const gate = () => {
      const now = performance.now();
      if (now - second > 1000) {
        second = now;
        count = 0;
      }
      if (++count > MOST) stop(`it sent more than ${MOST} messages in a second`);
      return !ended;
    };

    // aside lets a drag that came over the frame go on over the page, until it ends.
    let back = 0;
    const aside = () => {
      frame.style.pointerEvents = "none";
      clearTimeout(back);
      back = setTimeout(() => { frame.style.pointerEvents = ""; }, 1000);
    };
    const more = () => { if (frame.style.pointerEvents) aside(); };
    addEventListener("dragover", more);
    undo.push(() => removeEventListener("dragover", more));

    const respond = async (m) => {
      const text = (status, words) => ({ status, headers: { "content-type": "text/plain; charset=utf-8" },
        body: new TextEncoder().encode(words).buffer });
      const path = String(m.path), inside = path.slice(1);
      const isFile = o.given ? o.given.has(inside)
        : plugin.files.includes(inside) || inside === "tensorbored_entry.html";
      if (isFile) {
        try {
          return { status: 200, headers: { "content-type": tbPlug.type(path) }, body: await o.file(inside) };
        } catch (e) {
          return text(502, String(e.message ?? e));
        }
      }
      if (!o.back || !tbPlug.routed(plugin.routes, path)) return text(404, "Not found");
      try {
        return await o.back.request({ op: "request", method: String(m.method), path, query: String(m.query ?? ""),
          headers: m.headers, body: m.body });
      } catch (e) {
        return text(/within \d+ s/.test(e.message) ? 504 : 502, String(e.message ?? e));
      }
    };
    const answers = {
      request: respond,
      data: async (m) => {
        if (!Object.hasOwn(o.methods, m.method)) throw new Error(`there is no method ${m.method}: see docs/PLUGINS.md`);
        return { result: await o.methods[m.method](m.args ?? {}) };
      },
      state: async () => ({ result: o.state() }),
      setState: async (m) => {
        o.setState(m.values);
        return { result: null };
      },
    };
    const serve = (port) => {
      if (ports.size > 100) return port.close();
      ports.add(port);
      // The page's clock alone would let a flood pass on a machine that is too slow to take so many
      // in a second. So they are also counted between two marks, which the frame hands back in its
      // turn: what it sent before comes before.
      let since = 0, began = -1e9, mark = null;
      const flooded = (m) => {
        if (m?.op === "pong" && m.mark === mark) mark = null;
        else if (mark === null && performance.now() - began > 1000) {
          since = 0;
          began = performance.now();
          port.postMessage({ event: "ping", mark: (mark = Math.random()) });
        }
        if (++since > MOST) stop(`it sent more than ${MOST} messages in a second`);
        return ended;
      };
      port.onmessage = async ({ data: m }) => {
        if (!gate() || flooded(m) || typeof m !== "object" || m === null) return;
        if (m.op === "pong") {
          silent = 0;
          o.alive();
          return;
        }
        if (m.op === "drag") return aside();
        if (m.op === "unserved") return unserved(String(m.text).slice(0, 500));
        if (m.op === "failed") return o.failed(String(m.text).slice(0, 500));
        if (typeof m.id !== "number" || !Object.hasOwn(answers, m.op)) return;
        if (under >= UNDER) return port.postMessage({ id: m.id, error: "too many requests wait for an answer" });
        under++;
        let a;
        try { a = await answers[m.op](m); } catch (e) { a = { error: String(e?.message ?? e) }; }
        under--;
        if (ended) return;
        const body = a.body instanceof ArrayBuffer ? [a.body] : [];
        try {
          port.postMessage({ ...a, id: m.id }, body);
        } catch (e) { port.postMessage({ id: m.id, error: String(e) }); }
      };
      port.postMessage({ event: "theme", value: o.theme() });
      port.postMessage({ event: "runs", value: o.runs() });
      if (o.given) {
        port.postMessage({ do: "front", files: o.given, entry: plugin.frontend_metadata.es_module_path.slice(1) });
      }
      o.opened();
    };

    // TensorBoard's protocol: texts of JSON {type, id, payload, error, isReply}.
    const told = {
      "experimental.GetRuns": async () => (await o.client.call("runs")).map((r) => r.name),
      "experimental.GetURLPluginData": async (p) => (p?.pluginName === plugin.name ? o.state() : {}),
    };
    const speak = (port) => {
      if (ipc.size > 100) return port.close();
      ipc.add(port);
      port.onmessage = async ({ data }) => {
        if (!gate()) return;
        let m;
        try { m = JSON.parse(data); } catch { return; }
        if (!m || m.isReply) return;
        let payload = null, error = null;
        try {
          if (Object.hasOwn(told, m.type)) payload = await told[m.type](m.payload);
        } catch (e) { error = String(e.message ?? e); }
        if (!ended) port.postMessage(JSON.stringify({ type: m.type, id: m.id, payload, error, isReply: true }));
      };
    };
    let said = 0;
    const broadcast = (type, payload) => {
      for (const p of ipc) p.postMessage(JSON.stringify({ type, id: said++, payload, error: null, isReply: false }));
    };

    const address = o.given ? tbBoot.address("frame.html") : (o.origin || o.base) + "tensorbored_entry.html";
    const frame = tbPlug.sealed({ ...(o.origin && { sandbox: "allow-scripts allow-same-origin" }),
      className: "plugin-frame", title: plugin.frontend_metadata.tab_name || plugin.name, src: address });
    const hear = (e) => {
      if (e.source !== frame.contentWindow || ended || o.origin && !o.origin.startsWith(e.origin + "/")) return;
      e.stopImmediatePropagation();
      if (!gate() || !e.ports[0]) return;
      if (e.data === HELLO) serve(e.ports[0]);
      else if (e.data === BOOTSTRAP) speak(e.ports[0]);
    };
    addEventListener("message", hear);
    undo.push(() => removeEventListener("message", hear));
    box.append(frame);
    const unserved = (why) => {
      if (ended || !o.origin) return;
      end();
      o.unserved(why);
    };
    const silence = setTimeout(() => { if (!ports.size) unserved("its documents do not answer"); }, COMING);
    undo.push(() => clearTimeout(silence));

    function end() {
      if (ended) return;
      ended = true;
      for (const f of undo) f();
      for (const p of [...ports, ...ipc]) p.close();
      frame.remove();
    }
    const all = (m) => { for (const p of ports) p.postMessage(m); };
    return {
      end,
      // ping asks the front end whether its thread turns, and says how often it was asked in vain.
      ping() {
        if (ended || !ports.size) return 0;
        all({ event: "ping" });
        return silent++;
      },
      theme: () => all({ event: "theme", value: o.theme() }),
      // follow tells of other runs; what is the same is not told again.
      async follow() {
        const shown = o.runs(), text = JSON.stringify(shown);
        if (text !== JSON.stringify(runs)) {
          runs = shown;
          all({ event: "runs", value: shown });
        }
        const list = await told["experimental.GetRuns"](), now = JSON.stringify(list);
        if (now !== names && !ended) {
          if (names !== "[]" || ipc.size) broadcast("experimental.RunsChanged", list);
          names = now;
        }
      },
      reloaded() {
        all({ event: "reloaded" });
        broadcast("experimental.DataReloaded", null);
      },
    };
  };
}
