// The worker of the dashboard of graphs. The first message is {program}, an address, or
// {module}, what is compiled of it; then come {id, do, …}, and each is answered by {id, answer} or {id, error}:
//
//	open     {key, name, bytes, tensor, metadata}   the answer is explore's "info"
//	ask      {key, question}                explore's answer, parsed
//	layout   {key, question, up}            a scene with the place of each node
//	compare  {key, old, new, by}
//	close    {key}
"use strict";
{
  const waiting = [];
  let ready = false, warm = false;
  const answer = (m) => {
    switch (m.do) {
      case "open":
        return JSON.parse(tbGraphOpen(m.key, new Uint8Array(m.bytes), m.name, m.metadata ? new Uint8Array(m.metadata)
          : null, Boolean(m.tensor)));
      case "compare":
        return JSON.parse(tbGraphCompare(m.key, m.old, m.new, m.by));
      case "close":
        tbGraphClose(m.key);
        return {};
      case "ask":
        return JSON.parse(tbGraphAsk(m.key, JSON.stringify(m.question)));
      case "layout": {
        const scene = JSON.parse(tbGraphAsk(m.key, JSON.stringify({ ...m.question, ask: "scene" })));
        if (scene.error) return scene;
        const laid = tbLayout(scene, m.up);
        if (!warm) {
          warm = true;
          setTimeout(tbLayout.warm, 50);
        }
        return laid;
      }
    }
    throw new Error("nothing is called " + m.do);
  };
  const serve = (m) => {
    try {
      const a = answer(m);
      postMessage(a.error ? { id: m.id, error: a.error } : { id: m.id, answer: a });
    } catch (e) {
      postMessage({ id: m.id, error: { message: String(e.message ?? e) } });
    }
  };
  const compiled = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const streams = WebAssembly.compileStreaming
      && (response.headers.get("Content-Type") ?? "").startsWith("application/wasm");
    return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  };
  globalThis.tbGraphReady = () => {
    ready = true;
    for (const m of waiting.splice(0)) serve(m);
  };
  globalThis.onmessage = async ({ data }) => {
    if (!data.program && !data.module) {
      if (ready) serve(data); else waiting.push(data);
      return;
    }
    try {
      const { code, output } = await tbRun(data.module ?? await compiled(data.program), "graph");
      postMessage({ dead: `The reader of graphs ended with code ${code}.`, output });
    } catch (e) {
      postMessage({ dead: "The reader of graphs could not be started: " + String(e.message ?? e) });
    }
    close();
  };
}
