// The worker of the projector: hands the page's messages to shared/projector, whose doc.go says
// what they are, and reads files for it: of the logdir through the page, local ones by itself.
"use strict";
{
  const waiting = [], local = new Map(), wanted = new Map();
  let ready = false, needs = 0;
  // What stands in a question as a typed array is handed over beside it.
  const serve = ({ files, ...m }) => {
    /** @type {Record<string, string | ArrayBufferView>} */
    const arrays = {};
    if (m.do === "add") {
      arrays.local = JSON.stringify((files ?? []).map((f) => {
        const path = "local:" + f.name, blob = f.blob ?? f;
        local.set(path, blob);
        return { path, size: blob.size, mtime: blob.lastModified ?? 0, version: String(++needs) };
      }));
    } else {
      m.files = files;
    }
    if (m.do === "drop") for (const name of m.names ?? []) local.delete(name);
    for (const [name, kind] of Object.entries({ rows: Uint32Array, from: Float32Array, bytes: Uint8Array })) {
      if (m[name] === null || m[name] === undefined) continue;
      arrays[name] = m[name] instanceof kind ? m[name] : kind.from(m[name]);
      delete m[name];
    }
    tbProjAsk(JSON.stringify(m, (_, v) => (ArrayBuffer.isView(v) ? Array.from(/** @type {any} */ (v)) : v)), arrays);
  };
  globalThis.tbProjRead = async (path, from, n) => {
    const blob = local.get(path);
    if (blob) return blob.slice(from, from + n).arrayBuffer();
    if (path.startsWith("local:")) {
      throw Object.assign(new Error("The file is gone. Open it again."), { again: false });
    }
    const need = ++needs;
    const got = new Promise((yes, no) => wanted.set(need, { yes, no }));
    postMessage({ need, path, from, max: n });
    return got;
  };
  globalThis.tbProjPost = (m, move) => postMessage(m, move);
  globalThis.tbProjReady = () => {
    ready = true;
    for (const m of waiting.splice(0)) serve(m);
  };
  const compiled = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const streams = WebAssembly.compileStreaming &&
      (response.headers.get("Content-Type") ?? "").startsWith("application/wasm");
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  };
  globalThis.onmessage = async ({ data }) => {
    if (data.got) {
      const w = wanted.get(data.got);
      wanted.delete(data.got);
      if (data.error) w?.no({ message: data.error, again: data.again });
      else w?.yes(data.bytes);
      return;
    }
    if (!data.program && !data.module) {
      if (ready) serve(data); else waiting.push(data);
      return;
    }
    try {
      const { code, output } = await tbRun(data.module ?? await compiled(data.program), "projector");
      postMessage({ dead: `The projector's worker ended with code ${code}.`, output });
    } catch (e) {
      postMessage({ dead: "The projector's worker could not be started: " + String(e.message ?? e) });
    }
    close();
  };
}
