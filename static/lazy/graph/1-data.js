// Which graphs the runs have, their bytes, and the worker that reads them
// (static/lazy/graphwork).
"use strict";
{
  const G = globalThis.tbGraph;
  const PIECE = 16 << 20; // bytes asked for at a time

  // A graph that can be looked at: {run, tag, plugin, steps, title}. What each plug-in holds:
  const sorts = {
    graphs: "Graph",
    graph_run_metadata_graph: "Traced graph",
    graph_run_metadata: "Profiled graph",
    graph_keras_model: "Keras model",
    graph_tagged_run_metadata: "Profile",
  };
  G.list = async () => {
    const all = [];
    for (const plugin of Object.keys(sorts)) {
      const of = await tensorbored.tags(plugin);
      for (const [run, tags] of Object.entries(of)) {
        for (const [tag, t] of Object.entries(tags)) {
          if (!t.points) continue;
          const plain = plugin === "graphs" && /^__.*__$/.test(tag);
          all.push({ run, tag, plugin, steps: t.points,
            title: plain ? "Graph" : `${sorts[plugin]}: ${t.displayName || tag}` });
        }
      }
    }
    // A profile belongs to the run's graph; alone it is one only if it holds one.
    const order = Object.keys(sorts);
    return all.sort((a, b) => order.indexOf(a.plugin) - order.indexOf(b.plugin) || (a.tag < b.tag ? -1 : 1));
  };

  // beside lists the graphs that stand in files of the logdir: {path, size, tag, title, run}; run is the
  // nearest of the runs above the file, "" if there is none, which is then everybody's.
  const graphs = /\.(pb|pbtxt|onnx|json)$/i, MOST_FILE = 1 << 30;
  G.beside = (text, runs) =>
    JSON.parse(text).filter((f) => graphs.test(f.path)
    && !/(^|\/)(projector_config\.pbtxt|default_profile\.json)$/.test(f.path)).map((f) => {
    const above = (run) => run === "." ? !f.path.includes("/") : f.path.startsWith(run + "/");
    const run = runs.filter(above).sort((a, b) => b.length - a.length)[0] ?? "";
    return { path: f.path, size: f.size, version: `${f.size} ${f.mtime} ${f.version}`, run, tag: f.path,
      plugin: "beside", title: `File ${f.path}` };
  });
  // file reads one of them whole.
  G.file = async (of, progress, gone) => {
    if (of.size > MOST_FILE) {
      throw new Error(`The file has ${G.bytesText(of.size)}; the page reads graphs of up to 1 GB. `
        + "Save the graph without its weights.");
    }
    const all = new Uint8Array(of.size);
    for (let at = 0; at < of.size;) {
      const r = await tensorbored.ask({ kind: "files", files: [of.path], body: { from: at, max: 8 << 20 } });
      if (gone()) return null;
      const chunk = r.chunks.find((c) => c.parts.some((p) => p.path === of.path)),
        part = chunk?.parts.find((p) => p.path === of.path);
      if (!part) throw new Error("The file is gone. Reload the data, or choose another graph.");
      if (part.error) throw new Error(part.error);
      if (!part.length) throw new Error("The file shrank while the page read it. Open the graph again.");
      all.set(new Uint8Array(chunk.buffer, part.offset, Math.min(part.length, of.size - at)), at);
      at += part.length;
      progress(Math.min(at, of.size), of.size);
    }
    return { bytes: all.buffer, tensor: false, steps: [] };
  };

  // bytes reads a value whole, in pieces; step counts from 0, -1 is the last. tensor says that it
  // is a TensorProto whose text is the graph, as newer writers have it.
  G.bytes = async (of, step, progress, gone) => {
    let all = null, at = 0;
    for (;;) {
      const r = await tensorbored.ask({ kind: "values", runs: [of.run], tags: [of.tag],
        body: { from: step, n: 1, at, max: PIECE } });
      if (gone()) return null;
      const chunk = r.chunks.find((c) => c.parts.length), item = chunk?.parts[0].items[0];
      if (!item) throw new Error("The value is gone: its file changed. Reload the page.");
      if (item.error) throw new Error(item.error);
      const piece = new Uint8Array(chunk.buffer, item.offset, item.length);
      all ??= new Uint8Array(item.size);
      if (all.length !== item.size) throw new Error("The file changed while the page read it. Open the graph again.");
      all.set(piece, at);
      at += item.length;
      progress(at, item.size);
      if (at >= item.size || !item.length) return { bytes: all.buffer, tensor: item.form === "tensor",
        steps: chunk.parts[0].steps, number: item.number, version: chunk.parts[0].version };
    }
  };
  // version tells the values of a source from others; undefined if there are none.
  G.version = async (of) => {
    const r = await tensorbored.ask({ kind: "values", runs: [of.run], tags: [of.tag], body: { from: 0, n: 0 } });
    return r.chunks.find((c) => c.parts.length)?.parts[0].version;
  };

  G.work = (died) => tbKit.work("graphwork", "The reader of graphs", died);
}
