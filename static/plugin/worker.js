// The service worker of a plug-in at an origin of its own (server/plugins, Own). Files come from
// the server. What is a route goes to a document of the plug-in, whose shim (shim.js) asks the
// viewer, so that images, imports, workers and styles may name routes as well as files.
"use strict";
const FOLDER = new URL("./", location.href).pathname;
const OURS = ["tensorbored_entry.html", "tensorbored_worker.js", "tensorbored_own.json"];
const PATIENCE = 10_000; // ms until a document must say that it can ask

// What the server says: files, routes, and the policy that every answer made here must have.
let known = null, learning = null;
const learn = () => (learning ??= (async () => {
  const a = await fetch("tensorbored_own.json", { cache: "no-store" }), { files, routes } = await a.json();
  const [policy, allow] = ["content-security-policy", "connection-allowlist"].map((name) => a.headers.get(name));
  known = { files: new Set(files), routes: routes ?? [], policy, allow };
})().finally(() => { learning = null; }));

const isRoute = (path) => !known.files.has(path.slice(1)) && known.routes.some((r) => {
  const p = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return r.endsWith("/*") ? p.startsWith(r.slice(0, -1)) : r === p;
});

// host is the document that asks the viewer: the first that says it can. Only this plug-in's
// documents are asked; a browser that has ended this worker meanwhile makes it ask anew.
let host = null, finding = null, next = 1;
const find = async () => {
  if (host && await clients.get(host.id)) return host;
  return (finding ??= (async () => {
    for (const w of host?.waiting.values() ?? []) w(null);
    host = null;
    const all = await clients.matchAll({ type: "window" });
    host = await new Promise((yes, no) => {
      setTimeout(() => no(new Error("no document of the plug-in can ask the viewer")), PATIENCE);
      for (const c of all) {
        const { port1: port, port2 } = new MessageChannel(), h = { id: c.id, port, waiting: new Map() };
        port.onmessage = ({ data }) => {
          if (data.here) return yes(h);
          h.waiting.get(data.id)?.(data);
          h.waiting.delete(data.id);
        };
        c.postMessage("tensorbored.ask", [port2]);
      }
    });
    return host;
  })().finally(() => { finding = null; }));
};

const ask = async (request, path, query) => {
  const words = (status, text) => new Response(text,
    { status, headers: { "content-type": "text/plain; charset=utf-8", "content-security-policy": known.policy } });
  const bare = request.method === "GET" || request.method === "HEAD", body = bare ? null : await request.arrayBuffer();
  let to;
  try { to = await find(); } catch (e) { return words(504, e.message); }
  const id = next++;
  const a = await new Promise((yes) => {
    to.waiting.set(id, yes);
    to.port.postMessage({ id, method: request.method, path, query, headers: Object.fromEntries(request.headers),
      body });
  });
  if (!a) return words(504, "the document that asked the viewer is gone");
  if (a.error !== undefined) return words(502, a.error);
  const headers = new Headers(a.headers);
  headers.set("content-security-policy", known.policy);
  headers.set("connection-allowlist", known.allow);
  headers.set("x-content-type-options", "nosniff");
  headers.set("cross-origin-resource-policy", "same-origin");
  const empty = [101, 204, 205, 304].includes(a.status) || request.method === "HEAD";
  return new Response(empty ? null : a.body, { status: a.status, statusText: a.statusText ?? "", headers });
};

addEventListener("fetch", (e) => {
  const u = new URL(e.request.url);
  if (u.origin !== location.origin || !u.pathname.startsWith(FOLDER)) return;
  let path;
  try { path = "/" + decodeURIComponent(u.pathname.slice(FOLDER.length)); } catch { return; }
  if (OURS.includes(path.slice(1)) || known && !isRoute(path)) return;
  e.respondWith((async () => {
    if (!known) await learn();
    return isRoute(path) ? ask(e.request, path, u.search.slice(1)) : fetch(e.request);
  })());
});
addEventListener("install", (e) => e.waitUntil(Promise.all([learn(), skipWaiting()])));
addEventListener("activate", (e) => e.waitUntil(clients.claim()));
// A document that begins: it may have been loaded past this worker, and files may be others.
addEventListener("message", (e) => {
  if (e.data === "begin") e.waitUntil(learn().then(() => clients.claim()).then(() => e.ports[0].postMessage("begun")));
});
