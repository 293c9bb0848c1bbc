// Starts the page: compiles the program once, leaves what it needs in
// globalThis.tbBoot, and runs it. What goes wrong before Go can say so itself, or
// after it has ended, is said here in plain words.
//
// It is the first script of the page, so that while the program comes and is compiled the
// other scripts come too, the workers start, and the listing is asked for.
//
// tbBoot: module      the compiled program, to be posted to the workers
//         workerURL   address of the worker script, a TrustedScriptURL where the
//                     browser has trusted types
//         workers     those that are started already and have the program. What they say
//                     before the program listens waits in each one's tbEarly
//         worth       how many there are to be for so many bytes in so many files
//         readers     the most that it says
//         far         whether a server that can is to read a logdir of so many bytes
//         listingURL  absolute address of the listing: ?logdir= of the page, or the
//                     one beside the page
//         asked       whether the address of the page named it
//         listed      {url, answer, here}: what stands there, or the first part of it, has
//                     been asked for; a promise of the response, and whether it has come
//         load        loads a script that is needed only now and then, by its name in
//                     data-lazy; a promise
//         worker      runs such a script in a worker
//         program     such a worker's program by its name, as its first message wants it:
//                     {program: address}, or in a report {module}; a promise
//         address     address of what stands in data-lazy by its name; "" in a report
//         kept        what was dropped as it is wanted after the event, and whether it may be a
//                     plug-in, a promise
//         plugins     address of the list of plug-ins, "" if the site has none; see data-plugins
//         dropped     whether plug-ins that were dropped are kept here; see lazy/plugins
//         version     what the site was built from, a tag or commit
//         demoURL     address of this page with the site's demo in it, "" if it has
//                     none; see data-demo of the script
//         files       of a report, the event files that it holds; see lazy/reported
"use strict";
(async () => {
  const script = document.currentScript;
  const url = (relative) => new URL(relative, document.baseURI).href;
  // all scripts have run
  const others = new Promise((done) => addEventListener("DOMContentLoaded", done, { once: true }));
  const show = (title, text, details) => {
    const box = document.getElementById("boot");
    const add = (tag, content) => {
      const e = document.createElement(tag);
      e.textContent = content;
      box.append(e);
    };
    box.replaceChildren();
    add("h1", title);
    add("p", text);
    if (details) add("pre", details);
    document.querySelector(".coming")?.remove();
    box.className = "boot";
    box.hidden = false;
  };

  const compile = async (address) => {
    // It was asked for when the first line of the page came, by a script there: of what a page has asked
    // for by <link rel="preload"> browsers do not use the compiled form that they have kept.
    const response = await (globalThis.tbAsked ?? fetch(address));
    if (!response.ok) {
      throw new Error(
        `${address} answered ${response.status}. Reload the page; if that does not help, the site was copied in part.`);
    }
    // Simple static hosts do not know the type, which compileStreaming insists on.
    const type = response.headers.get("Content-Type") ?? "";
    if (WebAssembly.compileStreaming && type.startsWith("application/wasm")) {
      // A browser keeps what it has compiled only of an answer that it has to itself: one whose
      // bytes were seen on their way is compiled again. To see 12 MB pass takes 60 ms of the page's
      // thread besides, which is longer than they take to come where the server is near.
      return WebAssembly.compileStreaming(known(address) || near() ? response : counted(response));
    }
    return WebAssembly.compile(await counted(response).arrayBuffer());
  };

  // answers are what the browser says of answers that came over the line, without those of which it
  // does not know when they began: the worker's script began when the page heard of it, it says, which
  // may be before or after it came; soon is whether one of them began soon: the server is not far.
  const answers = () => {
    const timed = (name) => /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType(name));
    return [...timed("navigation"), ...timed("resource")].filter((e) => e.transferSize > 0 && e.requestStart > 0 &&
      e.responseStart > 0 && e.responseEnd >= e.responseStart && e.name !== workerURL);
  };
  const soon = (list, most = 12) => list.some((e) => e.responseStart - e.requestStart <= most);

  // near says whether the program is here within a second, by what came before it, such as the
  // style sheet: nobody needs to be told then how far it has come.
  const near = () => {
    const list = answers();
    return soon(list) && list.some((e) => e.encodedBodySize > 5e3 &&
      e.encodedBodySize > 1500 * (e.responseEnd - e.responseStart));
  };

  // known says whether this program was here before: it comes from the browser's cache.
  const key = "tensorbored-static.program";
  const known = (address) => {
    try {
      const before = localStorage.getItem(key) === address;
      if (!before) localStorage.setItem(key, address);
      return before;
    } catch {
      return false; // storage is blocked
    }
  };

  // counted is the response, whose progress is shown. The bytes that come out of a
  // compressed answer are those of the program, whose size the page knows.
  const counted = (response) => {
    /** @type {HTMLProgressElement} */
    const bar = document.querySelector(".coming progress"), words = document.querySelector(".coming p");
    if (!bar || !response.body) return response;
    let come = 0, due = 0;
    const size = +script.dataset.size;
    const count = new TransformStream({
      transform(bytes, out) {
        out.enqueue(bytes);
        come += bytes.length;
        const all = come >= size;
        if (!all && performance.now() < due) return; // a write for each piece took longer than compiling it
        due = performance.now() + 50;
        bar.value = Math.min(100, 100 * come / size);
        words.textContent = all ? "The program is starting…" : `The program is coming: ${Math.floor(bar.value)} %`;
      },
    });
    return new Response(response.body.pipeThrough(count), { headers: response.headers });
  };

  let report;
  try {
    report = await globalThis.tbReport;
  } catch (e) {
    show("This report cannot be opened",
      "It is damaged, or this browser is older than 2023. Ask for it again, or open it in a newer browser.",
      String(e.message ?? e));
    return;
  }
  if (location.protocol === "file:" && !report) {
    show("This page needs a web server",
      "Browsers do not let a page that was opened from a file start its program. Put the directory on any web " +
      "server, or run: tensorbored-static");
    return;
  }
  if (typeof WebAssembly !== "object") {
    show("WebAssembly is missing",
      "This browser does not have it, or has it switched off. Update the browser, or allow WebAssembly for " +
      "this address.");
    return;
  }

  const workerURL = report ? report.worker : url(script.dataset.worker);
  const lazy = report?.lazy ??
    new Map((script.dataset.lazy ?? "").split(" ").filter(Boolean).map((address) => {
      const [name, , kind] = address.slice(address.lastIndexOf("/") + 1).split(".");
      return [kind === "js" ? name : name + "." + kind, url(address)];
    }));

  // The one policy of the page. It makes the addresses of our worker and of our scripts,
  // and no other, into such as may be run.
  const policy = globalThis.trustedTypes?.createPolicy("app", {
    createScriptURL: (s) => {
      if (s === workerURL || [...lazy.values()].includes(s)) return s;
      throw new TypeError(`not an address of this program: ${s}`);
    },
  });

  // worker runs such a script in a worker of its own.
  const worker = (name) => new Worker(policy ? policy.createScriptURL(lazy.get(name)) : lazy.get(name));

  const loaded = new Map();
  const load = (name) => {
    if (!loaded.has(name)) {
      loaded.set(name, /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
        const address = lazy.get(name);
        if (!address) throw new Error(`this site has no script ${name}`);
        const element = document.createElement("script");
        // Of a line that breaks Firefox runs what has come, if only to say that it is no script.
        let broken = false;
        const hear = (e) => { broken ||= e.filename === element.src; };
        addEventListener("error", hear);
        const end = (whole) => {
          removeEventListener("error", hear);
          if (whole) {
            resolve();
            return;
          }
          loaded.delete(name); // tried again when it is needed again
          reject(new Error(`${address} could not be loaded: is the server still there?`));
        };
        element.onload = () => end(!broken);
        element.onerror = () => end(false);
        element.src = policy ? policy.createScriptURL(address) : address;
        document.head.append(element);
      })));
    }
    return loaded.get(name);
  };

  // Whoever says no here, or is not there, is asked again by the program, which can say so.
  let module;
  const workers = [];
  const hire = () => {
    try {
      const w = new Worker(policy ? policy.createScriptURL(workerURL) : workerURL);
      w.tbEarly = [];
      w.onmessage = (e) => w.tbEarly.push(e.data);
      w.onerror = () => w.tbEarly.push({ dead: true, output: "" });
      if (module) w.postMessage({ module });
      workers.push(w);
    } catch {}
  };
  hire();
  let readers = 2;
  try {
    // As many as there are processors, less one for the page where they are many. Each has
    // a heap of its own, and beyond some the disk or the network is the limit.
    const cores = navigator.hardwareConcurrency || 2;
    readers = Math.max(1, Math.min(cores > 3 ? cores - 1 : cores, 8));
  } catch {}
  // To start a reader costs a tenth of a second of processor, while the page starts too. In
  // that time another one reads 32 MB; to open a file is like 16 KB of it.
  const worth = (bytes, files) => Math.max(1, Math.min(readers, Math.ceil((bytes + files * 16e3) / 32e6)));

  // A server that can reads large logdirs, and over a line that takes its time or is slow all
  // but small ones: small ones are here as soon as the question. On this machine, where an answer
  // begins within a millisecond, the program's bytes wait for the browser, which compiles them,
  // and say nothing of a line.
  const far = (bytes) => {
    if (bytes < 8e6 || bytes > 512e6) return bytes > 8e6;
    const seen = answers(), large = seen.filter((e) => e.encodedBodySize > 2e5);
    return seen.length > 0 && !soon(seen) || !soon(seen, 1.5) && large.length > 0 &&
      large.every((e) => e.encodedBodySize < 12e3 * (e.responseEnd - e.responseStart));
  };

  // A report has none, and no address of its own where it is a part of a notebook.
  const listing = new URLSearchParams(location.search).get("logdir");
  const listingURL = report ? "" : url(listing || "data/listing.json");
  let listed;
  if (!report) {
    const gone = new AbortController(), late = setTimeout(() => gone.abort(), 120_000); // as httprange has patience
    listed = { url: listing ? listingURL : listingURL + "?soon=1" };
    listed.answer = fetch(listed.url, { cache: "no-cache", credentials: "same-origin", signal: gone.signal })
      .finally(() => clearTimeout(late));
    listed.answer.then((answer) => {
      const bytes = answer.arrayBuffer(); // read now, so that the program need not wait for them
      answer.arrayBuffer = () => bytes;
      return bytes;
    }).then((bytes) => {
      listed.here = true;
      const { files, partial, near, nearAlways } = bytes.byteLength < 1e5 ? JSON.parse(new TextDecoder().decode(bytes))
        : { partial: true };
      const sum = partial || files.reduce((n, f) => n + f.size, 0);
      if (nearAlways || near && far(sum)) { // the server reads: the line to it is made while the program comes
        return load("near").then(() => {
          if (!globalThis.tbBoot) globalThis.tbNear.begin(new URL(near, listingURL).href);
        });
      }
      for (let n = workers.length; n < (partial ? readers : worth(sum, files.length)) && !globalThis.tbBoot; n++) {
        hire();
      }
    }).catch(() => {}); // what went wrong the program will say
  }

  try {
    module = report ? report.module : await compile(url(script.dataset.program));
  } catch (e) {
    show("The program could not be loaded", String(e.message ?? e));
    return;
  }
  for (const w of workers) w.postMessage({ module });
  await others;
  // The browser brings a worker what waits for it only between two turns of the page, and the
  // program keeps the first one for a tenth of a second.
  await new Promise((done) => setTimeout(done));
  globalThis.tbBoot = {
    module,
    workerURL: policy ? policy.createScriptURL(workerURL) : workerURL,
    workers,
    worth,
    readers,
    far,
    listingURL,
    listed,
    asked: Boolean(listing),
    load,
    worker,
    kept: (item, entry) => {
      let handle;
      try {
        handle = item.getAsFileSystemHandle?.();
        handle?.catch(() => {}); // a plug-in needs none, and a walk goes on without
      } catch { /* the same */ }
      const one = { kind: "file", webkitGetAsEntry: () => entry,
        ...(handle && { getAsFileSystemHandle: () => handle }) };
      return { transfer: { items: [one] },
        plugin: new Promise((yes) => {
          if (entry.isDirectory) entry.getFile("plugin.json", {}, () => yes(true), () => yes(false)); else yes(true);
        }) };
    },
    address: (name) => (report ? "" : lazy.get(name)),
    plugins: script.dataset.plugins ?? "",
    get dropped() {
      try { return !report && Boolean(localStorage.getItem("tensorbored-static.plugins")); } catch { return false; }
    },
    program: async (name) => (report ? { module: await report.program(name) } : { program: lazy.get(name) }),
    version: script.dataset.version,
    demoURL: script.dataset.demo ? "?logdir=" + encodeURIComponent(script.dataset.demo) : "",
    files: report?.files,
  };
  try {
    const { code, output } = await tbRun(module, "page");
    show("The page has stopped",
      `The program ended with code ${code}. Nothing was changed on disk; reload the page to go on.`, output);
  } catch (e) {
    show("The page has stopped", "The program was broken off. Nothing was changed on disk; reload the page to go on.",
      String(e.stack ?? e));
  }
})();
