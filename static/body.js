// Reads the bodies of responses, and files, into buffers that are used again and again.
// Stands in the worker's script, before worker.js.
//
// Response.arrayBuffer() builds each body in memory that the browser gives back when
// its collector runs, which is seldom in a worker that computes: reading 1.1 GB by
// 4 MiB left some 600 MB lying. A stream's reader that brings its own buffer leaves
// nothing.
"use strict";
{
  const pool = [];

  // What is being read. A stream to which nothing but its own pending call refers is taken
  // by the collector, and whoever waits for it waits for ever: seen in two of twenty-five
  // first readings of 1.1 GB from a folder.
  const held = new Set();

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
    held.add(response);
    if (packed) {
      open.packed++;
      line.packed = true;
    }
    try {
      return await body(response, most);
    } finally {
      pass();
      held.delete(response);
      open.bodies--;
      if (packed) open.packed--;
    }
  };

  const body = async (response, most) => {
    if (!response.body) return { buffer: pool.pop() ?? new Uint8Array(0), n: 0 };
    const s = source(response.body);
    // A connection that has gone dead, as while the machine slept, may never say so: one
    // that brings nothing for a while is ended, and asked again.
    let last = -1, still = 0;
    const watch = setInterval(() => {
      still = s.got === last ? still + 1 : 0;
      last = s.got;
      if (still === 4) s.reader.cancel().catch(() => {});
    }, 30_000);
    let got;
    try {
      got = await fill(s, most, false);
    } finally {
      clearInterval(watch);
    }
    if (got.n === most) {
      // The end may be still to come. Who leaves before it loses the connection, and the
      // next request must make another. What is more than was asked for is not taken.
      const rest = s.byob ? s.reader.read(new Uint8Array(1)) : s.reader.read();
      rest.then(({ done }) => done || s.reader.cancel()).catch(() => {});
    }
    return got;
  };

  const source = (stream) => {
    try {
      return { reader: stream.getReader({ mode: "byob" }), byob: true };
    } catch {
      return { reader: stream.getReader(), byob: false, left: null }; // no stream of bytes
    }
  };

  // fill reads from a source into a buffer until that holds `most` bytes or the source
  // ends; with whole in one piece, where the browser can.
  const fill = async (s, most, whole) => {
    let buffer = pool.pop();
    if (!buffer || buffer.length < most) buffer = new Uint8Array(most);
    let n = s.got = 0;
    if (s.byob) {
      let raw = buffer.buffer;
      while (n < most) {
        const view = new Uint8Array(raw, n, most - n);
        const { done, value } = await (whole ? s.reader.read(view, { min: most - n }) : s.reader.read(view));
        if (!value) break;
        raw = value.buffer;
        s.got = n += value.byteLength;
        line.bytes += value.byteLength;
        if (done) break;
      }
      return { buffer: new Uint8Array(raw), n };
    }
    while (n < most) {
      const { done, value } = s.left ? { value: s.left } : await s.reader.read();
      if (done) break;
      const part = value.subarray(0, most - n);
      s.left = part.length < value.length ? value.subarray(part.length) : null;
      buffer.set(part, n);
      s.got = n += part.length;
      line.bytes += part.length;
    }
    return { buffer, n };
  };

  // tbFile begins to read a Blob. tbNext resolves with its next `most` bytes, as tbBody
  // does; it may be called again before that, and calls are answered in their order.
  // tbLeave ends the reading: what is under way then rejects.
  globalThis.tbFile = (blob) => {
    const response = new Response(blob);
    return { ...source(response.body), response, last: Promise.resolve(), waits: 0, ended: false };
  };

  globalThis.tbNext = (file, most) => {
    file.waits++;
    held.add(file);
    const release = () => {
      if (--file.waits === 0) held.delete(file);
    };
    // Behind a call that failed nobody knows where the stream stands: all others fail.
    file.last = file.last
      .then(() => fill(file, most, true))
      .then((got) => {
        if (file.ended) throw new Error("the reading was ended");
        return got;
      })
      .finally(release);
    return file.last;
  };
  globalThis.tbLeave = (file) => {
    file.ended = true;
    file.last.catch(() => {});
    file.reader.cancel().catch(() => {});
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
