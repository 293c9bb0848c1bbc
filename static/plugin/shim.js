// Stands first in every document of a plug-in. The frame has an opaque origin: it cannot ask the
// server as the page can, so what the plug-in asks of its own address goes to the viewer over a
// MessagePort, which answers with the plug-in's files and with what its back end says to a route.
// Everything else is left to the browser, whose policy for this document refuses the network.
//
// At an origin of its own a plug-in has real addresses, which a service worker (worker.js) answers;
// there this script only asks the viewer for it.
//
// A document in a frame of this one says hello to it; that is handed on to the viewer. So is
// nothing else: a plug-in that relays its own messages does so as ever.
//
// globalThis.tensorbored (docs/PLUGINS.md) is what plug-ins are offered: data, theme, state.
"use strict";
(() => {
  if (globalThis.tbPlugin) return;
  // base is the address of the plug-in's folder; of one whose files were handed over (dropped,
  // zip) it is an address that nobody has.
  const at = /^(.*\/plugins\/[A-Za-z0-9_-]+\/)/.exec(location.pathname);
  let base = at ? location.origin === "null" ? new URL(at[1], location.href).href : location.origin + at[1]
    : "https://plugin.invalid/";
  const own = at && self.origin !== "null" ? navigator.serviceWorker : undefined;
  const HELLO = "tensorbored.plugin";
  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Map(), heard = new Map();
  let next = 1, handed = null, theme = {}, runs = [];

  const tell = (event, value) => {
    for (const f of heard.get(event) ?? []) {
      try { f(value); } catch (e) { console.error(e); }
    }
  };
  port.onmessage = ({ data }) => {
    if (data.event === "ping") return port.postMessage({ op: "pong", mark: data.mark });
    if (data.event === "theme") theme = data.value;
    if (data.event === "runs") runs = data.value;
    if (data.event) {
      if (data.event === "theme") dress();
      tell(data.event, data.value);
      return;
    }
    const w = waiting.get(data.id);
    if (!w) return;
    waiting.delete(data.id);
    if ("error" in data) w.no(new Error(data.error)); else w.yes(data);
  };
  const call = (message, transfer = []) => new Promise((yes, no) => {
    const id = next++;
    waiting.set(id, { yes, no });
    port.postMessage({ ...message, id }, transfer);
  });

  // dress tells the document of the page's ground: a plug-in may look at data-theme, and use the
  // page's colours as --tb-…. Those that do not are on white, as most of them expect.
  const dress = () => {
    const root = document.documentElement;
    if (!root) return;
    root.dataset.theme = theme.dark ? "dark" : "light";
    root.style.setProperty("--tb-scheme", root.dataset.theme);
    for (const [name, value] of Object.entries(theme.colors ?? {})) root.style.setProperty("--tb-" + name, value);
  };

  // Only from a frame in this document: another plug-in's would get what this one may.
  const relay = (e) => {
    if (e.data !== HELLO || !e.ports[0] || e.source === window || e.source?.parent !== window) return;
    e.stopImmediatePropagation();
    parent.postMessage(HELLO, "*", [e.ports[0]]);
  };
  addEventListener("message", relay);

  // A file that is dragged over the frame is the page's, unless the plug-in takes it.
  const drag = (e) => {
    if (e.defaultPrevented || !e.dataTransfer?.types.includes("Files")) return;
    e.preventDefault();
    port.postMessage({ op: "drag" });
  };
  addEventListener("dragover", drag);

  // within is the path below the plug-in's folder, with its query, of an address that is there.
  const within = (url) => {
    let u;
    try { u = new URL(url, document.baseURI); } catch { return null; }
    if (!u.href.startsWith(base)) return null;
    return { path: "/" + decodeURIComponent(u.pathname.slice(new URL(base).pathname.length)), query: u.search.slice(1),
      hash: u.hash, href: u.href };
  };
  const ask = async (to, method, headers, body) => {
    const file = handed?.get(to.path.slice(1));
    if (file && (method === "GET" || method === "HEAD")) {
      return { status: 200, headers: { "content-type": file.type },
        body: method === "GET" ? await file.arrayBuffer() : null };
    }
    return call({ op: "request", path: to.path, query: to.query, method, headers, body }, []);
  };

  const fetch0 = globalThis.fetch;
  if (!own) globalThis.fetch = async (input, init) => {
    const to = within(input instanceof Request ? input.url : input);
    if (!to) return fetch0(input, init);
    const r = input instanceof Request ? new Request(input, init)
      : new Request("https://plugin.invalid/", { ...init, mode: undefined, credentials: undefined });
    r.signal?.throwIfAborted();
    const body = r.method === "GET" || r.method === "HEAD" ? null : await r.arrayBuffer();
    const a = await ask(to, r.method, Object.fromEntries(r.headers), body);
    r.signal?.throwIfAborted();
    const bare = [101, 204, 205, 304].includes(a.status) || r.method === "HEAD";
    const answer = new Response(bare ? null : a.body,
      { status: a.status, statusText: a.statusText ?? "", headers: a.headers });
    Object.defineProperty(answer, "url", { value: to.href });
    return answer;
  };

  // An XMLHttpRequest to the plug-in's own address; to any other one it is the browser's.
  const XHR0 = globalThis.XMLHttpRequest;
  const asked = new WeakMap();
  class XHR extends XHR0 {
    open(method, url, async = true, ...more) {
      const to = within(url);
      asked.delete(this);
      if (!to) return super.open(method, url, async, ...more);
      if (!async) throw new DOMException("a plug-in's requests are asynchronous", "InvalidAccessError");
      asked.set(this,
        { to, method: String(method).toUpperCase(), headers: {}, state: 1, status: 0, got: {}, type: "" });
      this.dispatchEvent(new Event("readystatechange"));
    }
    setRequestHeader(k, v) {
      const o = asked.get(this);
      if (!o) return super.setRequestHeader(k, v);
      o.headers[k.toLowerCase()] = String(v);
    }
    getResponseHeader(k) {
      const o = asked.get(this);
      return o ? o.got[k.toLowerCase()] ?? null : super.getResponseHeader(k);
    }
    getAllResponseHeaders() {
      const o = asked.get(this);
      return o ? Object.entries(o.got).map(([k, v]) => `${k}: ${v}\r\n`).join("") : super.getAllResponseHeaders();
    }
    overrideMimeType(t) {
      const o = asked.get(this);
      if (o) o.mime = t; else super.overrideMimeType(t);
    }
    abort() {
      const o = asked.get(this);
      if (!o) return super.abort();
      if (o.sent && o.state !== 4) {
        o.ended = true;
        o.state = 4;
        for (const name of ["readystatechange", "abort", "loadend"]) this.dispatchEvent(new ProgressEvent(name));
      }
      o.state = 0;
    }
    send(body) {
      const o = asked.get(this);
      if (!o) return super.send(body);
      o.sent = true;
      const late = this.timeout > 0 ? setTimeout(() => end("timeout"), this.timeout) : 0;
      const end = (how) => {
        if (o.ended) return;
        o.ended = true;
        clearTimeout(late);
        o.state = 4;
        const n = o.bytes?.byteLength ?? 0;
        this.dispatchEvent(new Event("readystatechange"));
        if (how === "load") {
          this.dispatchEvent(new ProgressEvent("progress", { loaded: n, total: n, lengthComputable: true }));
        }
        this.dispatchEvent(new ProgressEvent(how, { loaded: n, total: n, lengthComputable: true }));
        this.dispatchEvent(new ProgressEvent("loadend"));
      };
      (async () => {
        const wanted = body === undefined || body === null || o.method === "GET" || o.method === "HEAD" ? null
          : new Request("https://plugin.invalid/", { method: "POST", body });
        const type = wanted?.headers.get("content-type");
        if (type) o.headers["content-type"] ??= type;
        const a = await ask(o.to, o.method, o.headers, wanted ? await wanted.arrayBuffer() : null);
        o.status = a.status;
        o.statusText = a.statusText ?? "";
        for (const [k, v] of Object.entries(a.headers ?? {})) o.got[k.toLowerCase()] = v;
        o.bytes = a.body ?? new ArrayBuffer(0);
        o.state = 2;
        if (!o.ended) this.dispatchEvent(new Event("readystatechange"));
      })().then(() => end("load"), () => end("error"));
    }
    get readyState() { return asked.get(this)?.state ?? super.readyState; }
    get status() { return asked.get(this)?.status ?? super.status; }
    get statusText() { const o = asked.get(this); return o ? o.statusText ?? "" : super.statusText; }
    get responseURL() { const o = asked.get(this); return o ? (o.state === 4 ? o.to.href : "") : super.responseURL; }
    get responseType() { return asked.get(this)?.type ?? super.responseType; }
    set responseType(t) {
      const o = asked.get(this);
      if (o) o.type = t; else super.responseType = t;
    }
    get responseText() {
      const o = asked.get(this);
      return o ? (o.bytes ? new TextDecoder().decode(o.bytes) : "") : super.responseText;
    }
    get response() {
      const o = asked.get(this);
      if (!o) return super.response;
      if (!o.bytes || o.state !== 4) return o.type === "" || o.type === "text" ? "" : null;
      if ("value" in o) return o.value;
      const type = o.mime ?? o.got["content-type"] ?? "";
      switch (o.type) {
        case "arraybuffer": return (o.value = o.bytes);
        case "blob": return (o.value = new Blob([o.bytes], { type }));
        case "json": try {
          return (o.value = JSON.parse(new TextDecoder().decode(o.bytes)));
        } catch { return (o.value = null); }
        case "document": return (o.value = new DOMParser().parseFromString(new TextDecoder().decode(o.bytes),
          /xml/.test(type) ? "text/xml" : "text/html"));
      }
      return (o.value = new TextDecoder().decode(o.bytes));
    }
    get responseXML() {
      const o = asked.get(this);
      return o ? (o.type === "document" ? this.response : null) : super.responseXML;
    }
  }
  if (!own) globalThis.XMLHttpRequest = XHR;

  // A worker's script must be of the frame's own origin, which no address has: it is fetched here.
  const Worker0 = globalThis.Worker;
  if (!own) globalThis.Worker = class extends Worker0 {
    constructor(url, options) {
      const to = within(url);
      if (!to) {
        super(url, options);
        return;
      }
      const home = JSON.stringify(handed ? "https://plugin.invalid/" + to.path.slice(1) : to.href);
      const head = `{const home=${home},to=(u)=>typeof u==="string"?new ` +
        `URL(u,home).href:u,f=self.fetch,i=self.importScripts,o=XMLHttpRequest.prototype.open;` +
        `self.fetch=(u,n)=>f(to(u),n);self.importScripts=(...u)=>i.call(self,...u.map(to));` +
        `XMLHttpRequest.prototype.open=function(m,u,...a){return o.call(this,m,to(u),...a);};}\n`;
      const early = [];
      // The text comes later than the worker is wanted: it begins with what waits for it.
      const begin = `self.onmessage=(e)=>{const{text,early}=e.data;self.onmessage=null;(0,eval)(text);for(const m of ` +
        `early)self.dispatchEvent(new MessageEvent("message",{data:m}));};`;
      super(URL.createObjectURL(new Blob([begin], { type: "text/javascript" })),
        options?.type === "module" ? { ...options, type: "classic" } : options);
      const post = super.postMessage.bind(this);
      this.postMessage = (m, t) => (this.ready ? post(m, t) : early.push(m));
      ask(to, "GET", {}, null).then((a) => {
        post({ text: head + new TextDecoder().decode(a.body), early });
        this.ready = true;
      }, () => this.dispatchEvent(new ErrorEvent("error", { message: to.href + " could not be loaded" })));
    }
  };

  // The files that were handed over, by relative path: addresses of them are made when they are
  // wanted, and stand in for those that a module, a document or a style names.
  const made = new Map();
  const join = (from, to) => {
    const u = new URL(to, "https://plugin.invalid/" + from);
    return u.origin === "https://plugin.invalid" ? decodeURIComponent(u.pathname.slice(1)) : null;
  };
  const find = async (path) => {
    if (handed?.has(path)) return handed.get(path);
    if (handed) return null;
    const a = await call({ op: "request", method: "GET", path: "/" + path, query: "", headers: {}, body: null });
    return a.status === 200 ? new Blob([a.body], { type: a.headers["content-type"] }) : null;
  };
  const address = (path) => {
    if (!made.has(path)) {
      made.set(path, (async () => {
        const file = await find(path);
        if (!file) throw new Error("the plug-in has no file " + path);
        if (/\.m?js$/.test(path)) {
          return URL.createObjectURL(new Blob([await script(path, await file.text())], { type: "text/javascript" }));
        }
        if (/\.css$/.test(path)) {
          return URL.createObjectURL(new Blob([await style(path, await file.text())], { type: "text/css" }));
        }
        return URL.createObjectURL(file);
      })());
    }
    return made.get(path);
  };
  const replaced = async (text, pattern, f) => {
    const jobs = [];
    text.replace(pattern, (...m) => (jobs.push(f(m)), ""));
    const done = await Promise.all(jobs);
    return text.replace(pattern, () => done.shift());
  };
  const script = (path, text) => {
    text = text.replaceAll("import.meta.url", JSON.stringify("https://plugin.invalid/" + path))
      .replace(/(?:(?:window|document|self|globalThis)\.)?location(?:\.href)?\s*=\s*("[^"]+"|'[^']+')/g,
        (all, to) => (opens(path, to) ? `tbPlugin.go(${to})` : all))
      .replace(/(?:(?:window|document|self|globalThis)\.)?location\.(?:assign|replace)\(\s*("[^"]+"|'[^']+')\s*\)/g,
        (all, to) => (opens(path, to) ? `tbPlugin.go(${to})` : all));
    return replaced(text, /(\bfrom\s*|\bimport\s*\(?\s*)("[^"\n]+"|'[^'\n]+')/g, async ([all, before, quoted]) => {
      const name = quoted.slice(1, -1), to = /^\.{0,2}\//.test(name) ? join(path, name) : null;
      if (!to || handed && !handed.has(to)) return all;
      try { return before + JSON.stringify(await address(to)); } catch { return all; }
    });
  };
  const opens = (path, quoted) => handed && /\.html?([?#]|.$)/.test(quoted) &&
    handed.has(join("", quoted.slice(1, -1).replace(/^\//, "")));
  const style = (path, text) => replaced(text, /url\(\s*(["']?)([^"')]+)\1\s*\)/g, async ([all, , name]) => {
    const to = join(path, name);
    return to && handed?.has(to) ? `url("${await address(to)}")` : all;
  });

  // serving waits until the service worker answers this document; without one the viewer opens
  // the plug-in in another way.
  const serving = async () => {
    try {
      await own.register(base + "tensorbored_worker.js", { scope: base, updateViaCache: "none" });
      const { active } = await own.ready, { port1, port2 } = new MessageChannel();
      const controlled = new Promise(
        (yes) => (own.controller ? yes(null) : own.addEventListener("controllerchange", yes, { once: true })));
      const begun = new Promise((yes) => { port1.onmessage = yes; });
      active.postMessage("begin", [port2]);
      await Promise.all([controlled, begun]);
      return true;
    } catch (e) {
      port.postMessage({ op: "unserved", text: String(e?.message ?? e) });
      return false;
    }
  };
  if (own && parent !== window) {
    own.addEventListener("message", (e) => {
      const worker = /** @type {ServiceWorker} */ (e.source);
      if (e.data !== "tensorbored.ask" || !e.ports[0] || worker?.scriptURL !== base + "tensorbored_worker.js") return;
      const to = e.ports[0];
      to.onmessage = ({ data: { id, ...request } }) => call({ op: "request", ...request }).then(
        (a) => to.postMessage({ ...a, id }, a.body instanceof ArrayBuffer ? [a.body] : []),
        (e) => to.postMessage({ id, error: String(e.message ?? e) }));
      to.postMessage({ here: true });
    });
    own.startMessages();
  }

  const tbPlugin = (globalThis.tbPlugin = {
    // start imports the plug-in's module and calls its function render, as TensorBoard does.
    async start(path) {
      let m;
      if (own && !await serving()) return;
      const begun = async () => (handed ? import(await address(path)) : import(base + path).catch(async (e) => {
        // A host that lets no opaque origin read modules: by way of the viewer.
        if (e instanceof TypeError) return import(await address(path));
        throw e;
      }));
      try {
        m = await begun();
        if (typeof m.render !== "function") throw new Error(path + " exports no function render");
        await m.render();
      } catch (e) {
        port.postMessage({ op: "failed", text: String(e?.message ?? e) });
        throw e;
      }
    },
    // go opens another document of the files that were handed over, in this window.
    async go(to) {
      const path = join("", String(to).replace(/^\//, ""));
      const doc = new DOMParser().parseFromString(await handed.get(path).text(), "text/html");
      const b = doc.createElement("base");
      b.href = "https://plugin.invalid/" + path;
      doc.head.prepend(b);
      for (const e of doc.querySelectorAll("script[src],link[href],img[src]")) {
        const name = e.hasAttribute("src") ? "src" : "href", file = join(path, e.getAttribute(name));
        if (file && handed.has(file)) e.setAttribute(name, await address(file));
      }
      for (const e of doc.querySelectorAll("script:not([src])")) e.textContent = await script(path, e.textContent);
      document.open(); // which takes the window's listeners away
      addEventListener("message", relay);
      addEventListener("dragover", drag);
      document.write("<!doctype html>" + doc.documentElement.outerHTML);
      document.close();
      dress();
    },
    // hand takes the files of a plug-in that no server has.
    async hand(files, entry) {
      handed = files;
      base = "https://plugin.invalid/";
      const b = document.createElement("base");
      b.href = base;
      document.head.append(b);
      await tbPlugin.start(entry);
    },
    port,
  });

  // What is set as the address of an element, of the files that were handed over.
  for (const [proto, name] of /** @type {[object, string][]} */ ([[HTMLScriptElement.prototype, "src"],
    [HTMLImageElement.prototype, "src"], [HTMLLinkElement.prototype, "href"], [HTMLIFrameElement.prototype, "src"]])) {
    const was = Object.getOwnPropertyDescriptor(proto, name);
    Object.defineProperty(proto, name, {
      ...was,
      set(v) {
        const to = handed && within(v);
        if (!to || !handed.has(to.path.slice(1))) return was.set.call(this, v);
        address(to.path.slice(1)).then((a) => was.set.call(this, a));
      },
    });
  }

  const data = new Proxy({},
    {
      get: (_, method) => (typeof method === "string" && method !== "then"
        ? (args = {}) => call({ op: "data", method, args }).then((a) => a.result) : undefined) });
  globalThis.tensorbored = Object.freeze({
    data,
    get theme() { return theme; },
    get runs() { return runs; },
    on(event, f) {
      if (!heard.has(event)) heard.set(event, new Set());
      heard.get(event).add(f);
      return () => heard.get(event).delete(f);
    },
    state: { get: () => call({ op: "state" }).then((a) => a.result),
      set: (values) => call({ op: "setState", values }).then(() => undefined) },
  });
  if (parent !== window) parent.postMessage(HELLO, "*", [port2]);
})();
