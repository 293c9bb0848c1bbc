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

  // How long the program has run, and since when it does: while it runs nothing else
  // in the worker can, and bytes that come wait.
  let ran = 0;
  let runs = 0;
  let since = 0;
  const resume = Go.prototype._resume;
  Go.prototype._resume = function () {
    if (runs++ === 0) since = performance.now();
    try {
      return resume.call(this);
    } finally {
      if (--runs === 0) ran += performance.now() - since;
    }
  };

  // idle is a clock in ms that stands still while the program runs. By it, the line does
  // not look slow because the worker was busy.
  const idle = () => (runs > 0 ? since : performance.now()) - ran;

  // What came since the last tbLine: bytes, ms in which a body was under way, by any clock
  // and by idle, whether one of them was compressed.
  const line = { bytes: 0, time: 0, wait: 0, packed: false };
  const open = { bodies: 0, packed: 0, time: 0, idle: 0 };
  const pass = () => {
    const time = performance.now();
    const now = idle();
    if (open.bodies > 0) {
      line.time += time - open.time;
      line.wait += now - open.idle;
    }
    open.time = time;
    open.idle = now;
  };

  // tbLine says what has come over the line since it was asked last.
  globalThis.tbLine = () => {
    pass();
    const got = { ...line };
    Object.assign(line, { bytes: 0, time: 0, wait: 0, packed: open.packed > 0 });
    return got;
  };

  // tbBody resolves with {buffer, n}: a Uint8Array whose first n bytes are the body,
  // of which at most `most` are read. It must be given back with tbDone.
  globalThis.tbBody = async (response, most) => {
    const packed = response.headers.has("content-encoding");
    pass();
    open.bodies++;
    if (packed) {
      open.packed++;
      line.packed = true;
    }
    try {
      return await body(response, most);
    } finally {
      pass();
      open.bodies--;
      if (packed) open.packed--;
    }
  };

  const body = async (response, most) => {
    let buffer = pool.pop();
    if (!buffer || buffer.length < most) buffer = new Uint8Array(most);
    let n = 0;
    if (!response.body) return { buffer, n };
    let reader;
    let byob = true;
    try {
      reader = response.body.getReader({ mode: "byob" });
    } catch {
      byob = false; // the browser's bodies are no byte streams
    }
    if (byob) {
      let raw = buffer.buffer;
      while (n < most) {
        const { done, value } = await reader.read(new Uint8Array(raw, n, most - n));
        if (!value) break;
        raw = value.buffer;
        n += value.byteLength;
        line.bytes += value.byteLength;
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
        line.bytes += part.length;
      }
    }
    if (n === most) {
      // The end may be still to come. Who leaves before it loses the connection, and the
      // next request must make another. What is more than was asked for is not taken.
      const rest = byob ? reader.read(new Uint8Array(1)) : reader.read();
      rest.then(({ done }) => done || reader.cancel()).catch(() => {});
    }
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
