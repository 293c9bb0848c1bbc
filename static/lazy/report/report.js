// Saves a report of what is open, for the program (wasm/ui/savereport_js.go): one HTML file with
// the page in it and event files of what was chosen, which opens from disk without a network. The
// command report writes the same by itself; lazy/reported reads both.
//
// Event files are written anew, with fewer points and values: what goes in is what the data API
// gives (docs/API.md), so it does not matter where the logs are read. static/kit/event.js writes them.
"use strict";
{
  const MOST = 3e8; // bytes of event files; what opens a report has them in memory, some of it as text
  const PIECE = 4 * 2 ** 20; // bytes of a value that are asked for at a time
  const AT_ONCE = 4; // questions, as many as the API has under way

  const TURN = 1000; // points that are written at a time

  // Wrong is what the user is told.
  class Wrong extends Error {}

  const { number, double, float, bytes, text, message, join, record, version, layout } = tbEvents;

  const metadata = (tag) => {
    const plugin = [...text(1, tag.plugin), ...(tag.content?.length ? bytes(2, tag.content) : [])];
    const all = [...(plugin.length ? message(1, plugin) : []),
      ...text(2, tag.displayName), ...text(3, tag.description)];
    return all.length ? message(9, all) : [];
  };
  // value is an event with one value of a tag; payload is the field that holds it.
  const value = (tag, step, wall, payload) => {
    tag.head ??= join([...text(1, tag.name), ...metadata(tag)]);
    return [...double(1, wall), ...number(2, step), ...message(5, message(1, [tag.head, ...payload]))];
  };
  const FLOAT = 1, DOUBLE = 2; // of DataType
  const scalar = (v) => {
    const narrow = Object.is(Math.fround(v), v) || Number.isNaN(v);
    return message(8, [...number(1, narrow ? FLOAT : DOUBLE), ...bytes(2, new Uint8Array()),
      ...(narrow ? float(5, v) : double(6, v))]);
  };

  // ---- what goes in

  // spread gives which of n there are, so that there are at most as many as most (0: all), evenly.
  const spread = (n, most) => {
    const k = most > 0 ? Math.min(most, n) : n;
    return Array.from({ length: k }, (_, i) => (k === 1 ? n - 1 : Math.round(i * (n - 1) / (k - 1))));
  };

  // thinned gives which points of a curve stay, some as many as most (0: all): the first and last,
  // and of each stretch the least and the greatest, and the first that is no number.
  const thinned = (values, most) => {
    const n = values.length;
    if (most <= 0 || n <= most) return Array.from(values.keys());
    const stretches = Math.max(1, Math.floor(most / 2)), stay = new Set([0, n - 1]);
    for (let s = 0; s < stretches; s++) {
      let least = -1, greatest = -1, odd = -1;
      for (let i = Math.floor(s * n / stretches), end = Math.floor((s + 1) * n / stretches); i < end; i++) {
        if (!Number.isFinite(values[i])) {
          if (odd < 0) odd = i;
          continue;
        }
        if (least < 0 || values[i] < values[least]) least = i;
        if (greatest < 0 || values[i] > values[greatest]) greatest = i;
      }
      for (const i of [least, greatest, odd]) if (i >= 0) stay.add(i);
    }
    return [...stay].sort((a, b) => a - b);
  };

  const one = async (kind, run, tag, body) => {
    const { chunks } = await tensorbored.ask({ kind, runs: [run], tags: [tag], body });
    const chunk = chunks.find((c) => c.parts.length > 0);
    return chunk ? { ...chunk.parts[0], buffer: chunk.buffer } : null;
  };

  // whole gives the bytes of a value, piece by piece where it is large.
  const whole = async (run, tag, from) => {
    let part = await one("values", run, tag, { from, n: 1, max: PIECE }), item = part?.items[0];
    const pieces = [];
    for (let at = 0; item && !item.error;) {
      pieces.push(new Uint8Array(part.buffer.slice(item.offset, item.offset + item.length)));
      at += item.length;
      if (at >= item.size || item.length === 0) return at === item.size ? { item, data: join(pieces) } : null;
      part = await one("values", run, tag, { from, n: 1, at, max: PIECE });
      item = part?.items[0];
    }
    return null;
  };

  // forms are the messages that a value may be, and their fields in Summary.Value.
  const forms = { image: 4, histogram: 5, audio: 6, tensor: 8, graph: 0, meta_graph: 0, run_metadata: 0 };
  // stored gives an event of a value as it was logged.
  const stored = (tag, item, data) => {
    const head = [...double(1, item.wall ?? NaN), ...number(2, item.step)];
    switch (item.form) {
      case "graph": return [...head, ...bytes(4, data)];
      case "meta_graph": return [...head, ...bytes(9, data)];
      case "run_metadata": return [...head, ...message(8, [...text(1, tag.name), ...bytes(2, data)])];
      default: return value(tag, item.step, item.wall ?? NaN, bytes(forms[item.form], data));
    }
  };

  // ---- the page

  const base64 = (data) => {
    if (data.toBase64) return data.toBase64();
    let out = "";
    for (let i = 0; i < data.length; i += 0x6000) out += btoa(String.fromCharCode(...data.subarray(i, i + 0x6000)));
    return out;
  };
  const escaped = (s) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const part = async (attributes, data) => {
    const stream = new Blob([data]).stream().pipeThrough(new CompressionStream("gzip"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    return `<script type="text/plain" ${attributes}>${base64(packed)}</script>\n`;
  };
  const fetched = async (address) => {
    const answer = await fetch(new URL(address, document.baseURI));
    // A page in place of a part is a login's, or a proxy's.
    if (!answer.ok || /html/i.test(answer.headers.get("Content-Type") ?? "")) {
      throw new Wrong(`a part of the page cannot be had (${answer.status}): reload the page, and try again`);
    }
    return answer;
  };

  // pageOf puts the page and event files into one document. What shows graphs and meshes goes
  // with some; plug-ins do not: a page in a file has no frames of another origin.
  const pageOf = async (name, files, has) => {
    const nonce = base64(crypto.getRandomValues(new Uint8Array(18)));
    /** @type {HTMLScriptElement} */
    const boot = document.querySelector("script[data-program]");
    const lazy = boot.dataset.lazy.split(" ").filter(Boolean);
    const named = (address) => {
      const [name, , kind] = address.slice(address.lastIndexOf("/") + 1).split(".");
      return kind === "js" ? name : name + "." + kind;
    };
    const left = new Set(["frame.html", "plugin", "plugins", "report", "reported",
      "projector", "projwork", "projwork.wasm",
      ...(has.graphs ? [] : ["graph", "graphwork", "graphwork.wasm"]), ...(has.meshes ? [] : ["mesh", "scene"])]);
    const inline = async (address, attributes = "") => {
      const script = await (await fetched(address)).text();
      if (/<\/script|<!--/i.test(script)) throw new Error("a script of the page would end itself in a file");
      return `<script nonce="${nonce}"${attributes}>${script}</script>\n`;
    };
    const later = new Set(lazy.map((address) => new URL(address, document.baseURI).href));
    let head = "", scripts = await inline(tbBoot.address("reported"));
    /** @type {NodeListOf<HTMLScriptElement>} */
    const now = document.querySelectorAll("script[src]");
    for (const script of now) {
      if (later.has(script.src)) continue; // it has been loaded since
      const version = ` data-version="${escaped(boot.dataset.version ?? "")}"`;
      if (script === boot) scripts += await inline(script.src, version);
      else if (script.defer) scripts += await inline(script.src);
      else head += await inline(script.src);
    }
    /** @type {NodeListOf<HTMLLinkElement>} */
    const styles = document.querySelectorAll("link[rel=stylesheet]");
    for (const link of styles) {
      head += `<style nonce="${nonce}">${await (await fetched(link.href)).text()}</style>\n`;
    }
    const bytesOf = async (address) => (await fetched(address)).arrayBuffer();
    const parts = [await part('id="tb-program"', await bytesOf(boot.dataset.program)),
      await part('id="tb-worker"', await bytesOf(boot.dataset.worker))];
    for (const address of lazy) {
      const name = named(address);
      if (!left.has(name)) parts.push(await part(`data-lazy-part="${escaped(name)}"`, await bytesOf(address)));
    }
    parts.push(await part('id="tb-files"', new Blob(files.map((f) => f.data))));
    const list = files.map(({ path, data, mtime }) => ({ path, size: data.size ?? data.length, mtime }));
    const index = JSON.stringify({ name, files: list }).replaceAll("<", "\\u003c");
    const policy = `default-src 'none'; script-src 'nonce-${nonce}' 'wasm-unsafe-eval' blob:; ` +
      `style-src 'nonce-${nonce}'; img-src blob: data:; media-src blob:; worker-src blob:; base-uri 'none'; ` +
      "form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types app dompurify";
    return new Blob([`<!doctype html>
<html lang="en">
<head><meta name="generator" content="tensorbored-static report">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(name)}</title>
${head}</head>
<body>
<div id="tb-opening" class="boot"><p>Opening the report.
If this stays, the file is not whole: ask for it again.</p></div>
<div id="app"></div>
<div id="boot" role="alert" hidden></div>
`, ...parts, `<script type="application/json" id="tb-index">${index}</script>
${scripts}</body>
</html>
`], { type: "text/html" });
  };

  // tbSaveReport saves a report, and resolves with what to say of it. wish is
  //
  //   name, file    what it is called, and its file
  //   runs, tags    names, in JSON
  //   points, values  about how many of a curve, and of a tag of another kind; 0: all
  //   profile       the view, as text
  //   beside        paths of small files that go in as they are, in JSON
  //   cut(layout)   what stays of a layout of charts, both in JSON
  //   say(text)     is told how far it is; gone() says whether it is given up
  globalThis.tbSaveReport = async (wish) => {
    const runs = new Set(JSON.parse(wish.runs)), tags = new Set(JSON.parse(wish.tags));
    const all = await tensorbored.tags();
    const began = new Map((await tensorbored.runs()).map((r) => [r.name, r.startTime]));
    const files = [], mtime = Date.now(), has = { graphs: false, meshes: false };
    let size = 0, missing = 0, done = 0;
    const add = (path, data) => {
      files.push({ path, data, mtime });
      if ((size += data.size ?? data.length) > MOST) {
        throw new Wrong(`it would have more than ${MOST / 1e6} MB: show fewer runs, filter the tags, or take fewer ` +
          "points and values");
      }
    };
    for (const run of runs) {
      const records = [version(began.get(run) || 0)];
      const put = (event) => records.push(record(event));
      const write = {
        async scalars(tag) {
          const { step, wallTime, value: values } = await tensorbored.scalars(run, tag.name);
          let n = 0;
          for (const i of thinned(values, wish.points)) {
            put(value(tag, step[i], wallTime[i], scalar(values[i])));
            if (++n % TURN === 0) await tbTurn();
          }
        },
        async custom_scalars(tag) {
          const part = await one("custom_scalars", run, tag.name);
          if (!part?.layout) return;
          const stays = JSON.parse(wish.cut(JSON.stringify(part.layout)));
          put(value(tag, 0, began.get(run) || 0, layout(stays.categories ?? [])));
        },
        async other(tag) {
          // Often this is all of it; else each of those that stay is asked for.
          const few = wish.values || 50, max = Math.ceil(PIECE / few);
          const head = await one("values", run, tag.name, { from: 0, n: few, max });
          if (!head) return;
          tag.content = Uint8Array.from(atob(head.content ?? ""), (c) => c.charCodeAt(0));
          const n = head.steps?.length ?? 0;
          if (n === 0 && tag.plugin === "hparams") { // they stand in the metadata
            put(value(tag, 0, began.get(run) || 0, scalar(0)));
          }
          for (const at of spread(n, wish.values)) {
            const item = head.items.find((i) => i.number === at && !i.error && i.length === i.size);
            const found = item ? { item, data: new Uint8Array(head.buffer.slice(item.offset, item.offset + item.size)) }
              : await whole(run, tag.name, at);
            if (!found) missing++;
            else if (found.item.form in forms) put(stored(tag, found.item, found.data));
            if (wish.gone()) return;
          }
        },
      };
      const list = Object.entries(all[run] ?? {}).filter(([name]) => tags.has(name));
      list.sort(([a], [b]) => (a < b ? -1 : 1));
      for (let i = 0; i < list.length; i += AT_ONCE) {
        if (wish.gone()) return "given up: nothing was saved";
        await Promise.all(list.slice(i, i + AT_ONCE).map(([name, info]) => {
          has.graphs ||= /^graph/.test(info.plugin);
          has.meshes ||= info.plugin === "mesh";
          return (write[info.plugin] ?? write.other)({ ...info, name });
        }));
        wish.say(`${done} of ${runs.size} runs`);
      }
      if (records.length > 1) {
        add((run === "." ? "" : run + "/") + "events.out.tfevents.report", new Blob(records));
      }
      done++;
    }
    if (files.length === 0) throw new Wrong("there is nothing to put into it: show runs, or clear the filter of tags");
    for (const path of JSON.parse(wish.beside)) {
      const { chunks } = await tensorbored.ask({ kind: "files", files: [path], body: { max: PIECE } });
      const chunk = chunks[0], file = chunk?.parts[0];
      if (!file || file.error) missing++;
      else add(path, new Uint8Array(chunk.buffer.slice(file.offset, file.offset + file.length)));
    }
    add(".tensorboard/default_profile.json", new Blob([wish.profile]));
    wish.say("packing it");
    const page = await pageOf(wish.name, files, has);
    if (wish.gone()) return "given up: nothing was saved";
    tbPaint.save(wish.file, page);
    const lost = missing ? `; ${missing} of its values and files could not be read, and are not in it` : "";
    return `saved, ${(page.size / 1e6).toFixed(1)} MB${lost}`;
  };
}
