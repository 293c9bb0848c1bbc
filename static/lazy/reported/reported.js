// Stands in a report, a page in one file, before boot.js: the program, the scripts that
// are loaded later, and event files are parts of the page, and nothing is fetched.
//
// tbReport resolves with what boot.js takes in place of addresses:
//   module  the compiled program
//   worker  address of the worker script, and lazy, Map of the others by name: blob URLs
//   program a compiled program of a worker, by its name; a promise
//   files   the event files, as those of an <input webkitdirectory>
//
// What the user sees until then, or for good if the file was cut short, is #tb-opening.
//
// A part is a script element of type text/plain with base64 of gzip; all stand before
// this script.
"use strict";
globalThis.tbReport = (async () => {
  const part = async (element) => {
    const text = element.textContent;
    element.remove(); // as large as what it holds
    const packed = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text)
      : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  const script = async (element) => URL.createObjectURL(new Blob([await part(element)], { type: "text/javascript" }));

  const lazy = new Map(), programs = new Map();
  /** @type {NodeListOf<HTMLScriptElement>} */
  const parts = document.querySelectorAll("script[data-lazy-part]");
  for (const element of parts) {
    const name = element.dataset.lazyPart;
    if (name.endsWith(".wasm")) programs.set(name, element); // unpacked when it is wanted
    else lazy.set(name, await script(element));
  }
  const compiled = new Map();
  const program = (name) => {
    if (!compiled.has(name)) compiled.set(name, part(programs.get(name)).then(WebAssembly.compile));
    return compiled.get(name);
  };
  const { name, files } = JSON.parse(document.getElementById("tb-index").textContent);
  const data = await part(document.getElementById("tb-files"));
  let at = 0;
  const listed = files.map(({ path, size, mtime }) => {
    const file = new File([data.slice(at, at + size)], path.slice(path.lastIndexOf("/") + 1), { lastModified: mtime });
    at += size;
    Object.defineProperty(file, "webkitRelativePath", { value: name + "/" + path });
    return file;
  });
  return {
    module: await WebAssembly.compile(await part(document.getElementById("tb-program"))),
    worker: await script(document.getElementById("tb-worker")),
    lazy,
    program,
    files: listed,
  };
})().finally(() => document.getElementById("tb-opening").remove());
