// The plug-ins that there are: those of the site's list, and those that were dropped onto the
// page, as a folder or a zip. Nothing of a plug-in but its manifest is read before its tab is
// opened; of a dropped one the names of its files.
//
// tbPlugins.list(url)    a promise of the plug-ins of a list, as texts for the page's program
// tbPlugins.dropped(t)   what was dropped, if it is a plug-in: a promise of a text, or of null.
//                        Must be called inside the drop event
// tbPlugins.get(name)    all that is known of one: its manifest, base, given or kept, files
// tbPlugins.keep(name)   keeps a dropped one over reloads; remove(name) does away with it, and gives
//                        the site's of that name, which it hid, as a text, or null;
//                        unpack(name) gives the files of a kept one; note(name) its line
"use strict";
{
  const known = new Map();
  const MOST_FILES = 10_000, MOST_BYTES = 512 * 2 ** 20, MOST_MANIFEST = 64 * 1024;
  const mb = (n) => `${Math.round(n / 2 ** 20)} MB`;
  const safe = (p) => p.length > 0 && p.length <= 1024 && !/[\\?#%:\0-\x1f]/.test(p) &&
    p.split("/").every((x) => x && x !== "." && x !== "..");

  // list gives the site's plug-ins, if it has any, and those that were dropped and kept; failed says why
  // the site's could not be listed.
  const list = async (url) => {
    let of = { plugins: [], problems: [] }, failed = "";
    try { if (url) of = await listed(url); } catch (e) { failed = String(e.message ?? e); }
    return { ...of, plugins: [...of.plugins, ...await keptOnes()], failed };
  };
  const listed = async (url) => {
    const at = new URL(url, document.baseURI), a = await fetch(at, { cache: "no-cache", credentials: "same-origin" });
    if (!a.ok) throw new Error(`the list of plug-ins could not be loaded: ${a.status}`);
    const l = await a.json();
    const plugins = (l.plugins ?? []).map((p) => site({ ...p, base: new URL(p.name + "/", at).href }));
    return { problems: l.problems ?? [], plugins };
  };
  const site = (p) => {
    const { base, ...own } = p;
    return { text: JSON.stringify(strip(own)), keep: () => known.set(p.name, p) };
  };
  // over puts a dropped one in the place of the site's of its name, which is there again when it is removed.
  const over = (p) => {
    const was = known.get(p.name);
    known.set(p.name, { ...p, under: was?.base ? was : was?.under });
  };
  const strip = ({ files, values, live, origin, key, ...manifest }) => manifest;

  // unzip gives the files of a zip, null if it is none of a plug-in. What an entry unpacks to is no
  // more than the zip's directory says of it.
  const unzip = async (blob) => {
    await tbBoot.load("unpack");
    const all = await unzipit.unzipRaw(blob).catch(() => ({ entries: [] }));
    const entries = all.entries.filter((e) => !e.isDirectory);
    if (!entries.some((e) => /^([^/]+\/)?plugin\.json$/.test(e.name))) return null;
    if (entries.length > MOST_FILES) {
      throw new Error(`this zip has ${entries.length} files: a plug-in may have ${MOST_FILES}`);
    }
    let sum = 0;
    for (const { name, size, encrypted, compressionMethod: method, externalFileAttributes: mode } of entries) {
      if (!safe(name)) {
        throw new Error(
          `this zip has a file with the name ${JSON.stringify(name.slice(0, 100))}, which would lie outside its ` +
          `folder: it was not opened`);
      }
      if ((mode >>> 16 & 0xf000) === 0xa000) {
        throw new Error(`${name} in this zip is a symbolic link: a plug-in has none`);
      }
      if (encrypted) throw new Error(`${name} in this zip is encrypted`);
      if (method !== 0 && method !== 8) {
        throw new Error(`${name} in this zip is packed in a way that is not known here: pack it with "deflate"`);
      }
      if ((sum += size) > MOST_BYTES) {
        throw new Error(`unpacked, this zip has more than ${mb(MOST_BYTES)}: a plug-in may have so much`);
      }
    }
    const out = new Map();
    for (const e of entries) {
      out.set(e.name, await e.blob().catch(() => { throw new Error(`${e.name} in this zip is damaged`); }));
    }
    return out;
  };

  // walk lists the files of a dropped folder.
  const walk = async (entry, files, prefix = "", state = { n: 0, sum: 0 }) => {
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((yes, no) => reader.readEntries(yes, no));
      if (!some.length) return files;
      for (const e of some) {
        const name = prefix + e.name;
        if (e.name.startsWith(".") || e.name === "node_modules") continue;
        if (e.isDirectory) await walk(e, files, name + "/", state);
        else {
          if (++state.n > MOST_FILES) throw new Error(`this folder has more than ${MOST_FILES} files`);
          const f = await new Promise((yes, no) => e.file(yes, no));
          if ((state.sum += f.size) > MOST_BYTES) {
            throw new Error(`this folder has more than ${mb(MOST_BYTES)}: a plug-in may have so much`);
          }
          if (safe(name)) files.set(name, f);
        }
      }
    }
  };

  // plugin makes one of files: the manifest may stand in the one folder of a zip.
  const plugin = async (files) => {
    let root = "";
    if (!files.has("plugin.json")) {
      const tops = new Set([...files.keys()].map((n) => n.split("/")[0]));
      if (tops.size === 1 && files.has([...tops][0] + "/plugin.json")) root = [...tops][0] + "/";
      else throw new Error("there is no plugin.json at the top of it");
    }
    const manifest = files.get(root + "plugin.json");
    if (manifest.size > MOST_MANIFEST) throw new Error("plugin.json is longer than 64 KiB");
    const text = await manifest.text(), given = new Map();
    for (const [name, f] of files) {
      const path = name.slice(root.length);
      if (!name.startsWith(root) || path === "plugin.json") continue;
      given.set(path, f.slice(0, f.size, tbType(path)));
    }
    return { text, keep: () => {
      const m = JSON.parse(text), size = [...given.values()].reduce((n, f) => n + f.size, 0);
      over({ ...m, text, size, given, files: [...given.keys()], values: defaults(m) });
    } };
  };
  const defaults = (m) => Object.fromEntries((m.flags ?? []).filter((f) => f.default !== undefined)
    .map((f) => [f.name, f.default]));

  // Plug-ins that were dropped are kept in the browser's database, each with the SHA-256 of its
  // manifest and files, which is proven before anything of it runs: what was torn or changed there
  // is thrown away. That there are some stands in localStorage, so that a page without them asks
  // for nothing.
  const KEPT = "tensorbored-static.plugins", STORE = "dropped", KEEP_ONE = 64 * 2 ** 20, KEEP_ALL = 128 * 2 ** 20;
  const wish = (request) => new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result);
    request.onerror = request.onblocked = () => no(request.error ?? new Error("the browser's database is in use"));
  });
  // stored runs f with the table in one transaction, and is done when that is.
  const stored = async (mode, f) => {
    const opening = indexedDB.open(KEPT, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "name" });
    const db = await wish(opening);
    try {
      const t = db.transaction(STORE, mode);
      const done = new Promise((yes, no) => {
        t.oncomplete = () => yes(null);
        t.onerror = t.onabort = () => no(t.error ?? new Error("the browser's database gave up"));
      });
      const result = await f(t.objectStore(STORE));
      await done;
      return result;
    } finally {
      db.close();
    }
  };
  const sumOf = async (text, files) => {
    const bytes =
      await new Blob([JSON.stringify([text, files.map(([path, f]) => [path, f.size])]),
        ...files.map(([, f]) => f)]).arrayBuffer();
    return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((b) => b.toString(16).padStart(2, "0"))
      .join("");
  };
  const flag = async (table) => {
    const n = await wish(table.count());
    try { if (n) localStorage.setItem(KEPT, String(n)); else localStorage.removeItem(KEPT); } catch {}
  };
  const keptOnes = async () => {
    try {
      if (!localStorage.getItem(KEPT)) return [];
      const all = await stored("readonly", (table) => wish(table.getAll())), out = [];
      for (const r of all) {
        if (typeof r.text !== "string" || r.text.length > MOST_MANIFEST) continue;
        if (typeof r.sum !== "string" || !Array.isArray(r.files)) continue;
        out.push({ text: r.text, keep: () => {
          const m = JSON.parse(r.text);
          const files = r.files.map((f) => String(f?.[0])), size = Number(r.size) || 0;
          over({ ...m, record: r.name, kept: r.sum, size, files, values: defaults(m) });
        } });
      }
      return out;
    } catch {
      return [];
    }
  };
  // keep keeps a dropped one over reloads; it gives the words why not, or "".
  const keep = async (name) => {
    const p = known.get(name), until = "it is here until the page is closed", say = (why) => (p.unkept = why);
    if (!globalThis.crypto?.subtle) {
      return say(
        `This plug-in is not kept: ${until}, since pages over http from another machine cannot prove what they keep.`);
    }
    if (p.size > KEEP_ONE) {
      return say(`This plug-in is not kept, since it has ${mb(p.size)} and may have ${mb(KEEP_ONE)}: ${until}.`);
    }
    try {
      const copy = async ([path, f]) => [path, new Blob([await f.arrayBuffer()], { type: f.type })];
      const files = await Promise.all([...p.given].map(copy)), sum = await sumOf(p.text, files);
      return say(await stored("readwrite", async (table) => {
        const others = (await wish(table.getAll())).filter((r) => r.name !== name),
          all = others.reduce((n, r) => n + (Number(r.size) || 0), p.size);
        if (all > KEEP_ALL) {
          return `This plug-in is not kept, since with it all that are would have ${mb(all)} and may ` +
            `have ${mb(KEEP_ALL)}: ${until}. ` +
            "Remove one in the page settings.";
        }
        await wish(table.put({ name, text: p.text, sum, size: p.size, files }));
        await flag(table);
        return "";
      }));
    } catch (e) {
      return say(`This plug-in is not kept: ${until}, since the browser refuses (${e.message}).`);
    }
  };
  const remove = (name) => {
    const p = known.get(name);
    known.delete(name);
    forget(p?.record ?? name);
    return p?.under ? site(p.under) : null;
  };
  const forget = async (key) => {
    await stored("readwrite", async (table) => {
      await wish(table.delete(key));
      await flag(table);
    }).catch(() => {});
  };
  // unpack gives the files of a kept one, proven.
  const unpack = async (name) => {
    const p = known.get(name);
    try {
      const r = await stored("readonly", (table) => wish(table.get(p.record)));
      const whole = r?.sum === p.kept && r.files.every(([path, f]) => safe(path) && f instanceof Blob) &&
          await sumOf(r.text, r.files) === p.kept && JSON.parse(r.text).name === name;
      if (whole) {
        const { record, kept, ...rest } = p;
        const given = new Map(r.files.map(([path, f]) => [path, f.slice(0, f.size, tbType(path))]));
        known.set(name, { ...rest, text: r.text, given });
        return given;
      }
    } catch {}
    await forget(p.record);
    throw new Error(
      "what this browser kept of it was changed or damaged. It was thrown away and not started: drop the " +
      "plug-in again");
  };
  // note says in the settings what a dropped one is; "" of the site's.
  const note = (name) => {
    const p = known.get(name);
    return !p?.given && !p?.kept ? ""
      : `dropped, ${p.size < 2 ** 20 ? `${Math.ceil(p.size / 1024)} kB` : mb(p.size)}${p.unkept ? ", not kept" : ""}`;
  };
  const tbType =
    (path) =>
    ({ js: "text/javascript", mjs: "text/javascript", css: "text/css", html: "text/html", json: "application/json",
      svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg",
    gif: "image/gif", webp: "image/webp", wasm: "application/wasm", txt: "text/plain", csv: "text/csv",
    woff2: "font/woff2" }[/\.(\w+)$/.exec(path)?.[1].toLowerCase()] ?? "application/octet-stream");

  const dropped = async (entry, file) => {
    const there = () => new Promise((yes) => entry.getFile("plugin.json", {}, () => yes(true), () => yes(false)));
    const files = file ? await unzip(file) : await there() ? await walk(entry, new Map()) : null;
    return files && plugin(files);
  };

  globalThis.tbPlugins = { list, dropped, get: (name) => known.get(name), keep, remove, unpack, note };
}
