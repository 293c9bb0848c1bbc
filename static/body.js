// Reads the body of a response into a buffer that is used again and again. Stands in
// the worker's script, before worker.js.
//
// Response.arrayBuffer() builds each body in memory that the browser gives back when
// its collector runs, which is seldom in a worker that computes: reading 1.1 GB by
// 4 MiB left some 600 MB lying. A stream's reader that brings its own buffer leaves
// nothing.
"use strict";
{
  const pool = [];

  // tbBody resolves with {buffer, n}: a Uint8Array whose first n bytes are the body,
  // of which at most `most` are read. It must be given back with tbDone.
  globalThis.tbBody = async (response, most) => {
    let buffer = pool.pop();
    if (!buffer || buffer.length < most) buffer = new Uint8Array(most);
    let n = 0;
    if (!response.body) return { buffer, n };
    let reader;
    try {
      reader = response.body.getReader({ mode: "byob" });
    } catch {
      reader = null; // the browser's bodies are no byte streams
    }
    if (reader) {
      let raw = buffer.buffer;
      while (n < most) {
        const { done, value } = await reader.read(new Uint8Array(raw, n, most - n));
        if (!value) break;
        raw = value.buffer;
        n += value.byteLength;
        if (done) break;
      }
      buffer = new Uint8Array(raw);
    } else {
      reader = response.body.getReader();
      while (n < most) {
        const { done, value } = await reader.read();
        if (done) break;
        const part = value.subarray(0, most - n);
        buffer.set(part, n);
        n += part.length;
      }
    }
    if (n === most) reader.cancel().catch(() => {});
    return { buffer, n };
  };

  globalThis.tbDone = (buffer) => {
    if (pool.length < 4) pool.push(buffer);
  };

  // tbRest gives the buffers' memory back, when nothing is left to read.
  globalThis.tbRest = () => {
    for (const { buffer } of pool) buffer.transfer?.(0);
    pool.length = 0;
  };
}
