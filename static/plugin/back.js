// The worker of a plug-in's back end, started by frame.html in an opaque origin: it has no
// storage, no network and nothing of the viewer but a port, which goes past the frame's own thread.
// What comes first is {port}; messages over it are
//
//	{begin}         the program: {kind, program, exec}, when it has come
//	{id, request}   a request: {op, method, path, query, headers, body, values}
//	{id, answer}    answer to a call of ours: {result} or {error}
//
// and what goes is {id, response} and {id, call: {method, args}}; {ready} or {failed: text} first.
//
// Programs are given bytes: four of the header's length, little endian, the header as JSON,
// and the raw bytes behind it. {"$": [type, offset, count]} in a header stands for an array of
// numbers in those: "f8", "f4", "i8", "i4", "u1"; "s" is an array of byte strings, each with four
// bytes of length before it. docs/PLUGINS.md says so to those who write one without tbplugin.
"use strict";
const types = { Float64Array: "f8", Float32Array: "f4", BigInt64Array: "i8", Int32Array: "i4", Uint8Array: "u1" };
const pack = (header, body) => {
  const parts = [];
  let n = 0;
  const put = (bytes) => {
    const at = n;
    parts.push(bytes);
    n += bytes.length;
    return at;
  };
  if (body) put(new Uint8Array(body));
  const text = JSON.stringify(header, (_, v) => {
    if (v instanceof ArrayBuffer) v = new Uint8Array(v);
    if (ArrayBuffer.isView(v)) {
      const type = types[v.constructor.name] ?? "u1"; // of others their bytes
      return { $: [type, put(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)), v.byteLength / Number(type[1])] };
    }
    if (Array.isArray(v) && v.length > 0 && v.every((x) => x instanceof Uint8Array)) {
      const at = n;
      for (const x of v) {
        put(new Uint8Array(new Uint32Array([x.length]).buffer));
        put(x);
      }
      return { $: ["s", at, v.length] };
    }
    return typeof v === "number" && !Number.isFinite(v) ? String(v) : v;
  });
  const head = new TextEncoder().encode(text), out = new Uint8Array(4 + head.length + n);
  new DataView(out.buffer).setUint32(0, head.length, true);
  out.set(head, 4);
  let at = 4 + head.length;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
};
const unpack = (bytes) => {
  const n = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (n > bytes.length - 4) throw new Error("the back end's message is torn");
  return [JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + n))), bytes.slice(4 + n).buffer];
};

const said = [];
let back, host;
const respond = (id, bytes) => {
  const [response, body] = unpack(bytes);
  host.postMessage({ id, response: { ...response, body } }, [body]);
};
const called = (id, bytes) => host.postMessage({ id, call: unpack(bytes)[0] });

// A reactor for wasip1: exports alloc, request and reply, imports tb.respond and tb.call. Of the
// system it has clocks, random numbers, and a place to write words to.
const reactor = async (program) => {
  let memory, exports;
  const view = () => new DataView(memory.buffer), lines = {};
  const ok = (f) => (...a) => { f?.(...a); return 0; };
  const zero = ok((a, b) => { view().setUint32(a, 0, true); view().setUint32(b, 0, true); });
  const wasi = {
    args_get: ok(), args_sizes_get: zero, environ_get: ok(), environ_sizes_get: zero,
    clock_time_get: ok(
      (which, _, at) => view().setBigUint64(at,
        BigInt(Math.round((which === 0 ? Date.now() : performance.now()) * 1e6)), true)),
    random_get: ok((at, n) => {
      for (let i = 0; i < n; i += 65536) {
        crypto.getRandomValues(new Uint8Array(memory.buffer, at + i, Math.min(65536, n - i)));
      }
    }),
    fd_write: (fd, iovs, n, written) => {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const at = view().getUint32(iovs + 8 * i, true), len = view().getUint32(iovs + 8 * i + 4, true);
        lines[fd] = (lines[fd] ?? "") + new TextDecoder().decode(new Uint8Array(memory.buffer, at, len));
        sum += len;
      }
      const rest = lines[fd].split("\n");
      lines[fd] = rest.pop().slice(-4096);
      for (const l of rest) {
        said.push(l);
        if (said.length > 200) said.shift();
        console.debug(l);
      }
      view().setUint32(written, sum, true);
      return 0;
    },
    fd_fdstat_get: ok((_, at) => new Uint8Array(memory.buffer, at, 24).fill(0)), fd_fdstat_set_flags: ok(),
    fd_close: ok(),
    fd_prestat_get: () => 8, fd_prestat_dir_name: () => 8, sched_yield: ok(),
    // Clocks only, and they are said to have come: who waits looks at the time again.
    poll_oneoff: (subs, events, n, written) => {
      for (let i = 0; i < n; i++) {
        new Uint8Array(memory.buffer, events + 32 * i, 32).fill(0);
        view().setBigUint64(events + 32 * i, view().getBigUint64(subs + 48 * i, true), true);
      }
      view().setUint32(written, n, true);
      return 0;
    },
    proc_exit: (code) => { throw new Error("the back end ended with code " + code); },
  };
  const other = new Proxy(wasi, { get: (t, name) => t[name] ?? (() => 52) }); // not there
  const take = (p, n) => new Uint8Array(memory.buffer, p, n).slice();
  const imports = { wasi_snapshot_preview1: other,
    tb: { respond: (id, p, n) => respond(id, take(p, n)), call: (id, p, n) => called(id, take(p, n)) } };
  const module = await WebAssembly.compile(program), wanted = {};
  for (const { module: m, name } of WebAssembly.Module.imports(module)) {
    (wanted[m] ??= {})[name] = imports[m]?.[name] ?? (() => 52);
  }
  const instance = await WebAssembly.instantiate(module, wanted);
  ({ exports } = instance);
  memory = exports.memory;
  for (const name of ["alloc", "request", "reply"]) {
    if (typeof exports[name] !== "function") throw new Error("the back end exports no function " + name);
  }
  exports._initialize?.();
  const give = (name) => (id, bytes) => {
    const p = exports.alloc(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, p, bytes.length).set(bytes);
    exports[name](id, p, bytes.length);
  };
  return { request: give("request"), reply: give("reply") };
};

// A program of GOOS=js: it sets tbBackend = {request(id, bytes), reply(id, bytes)} and calls
// tbHost.respond and tbHost.call.
const goJS = async (program, exec) => {
  globalThis.tbHost = { respond, call: called };
  (0, eval)(exec);
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(program, go.importObject);
  go.run(instance).then(() => dead(new Error("the back end ended")));
  for (let i = 0; i < 1000 && !globalThis.tbBackend; i++) await new Promise((done) => setTimeout(done, 5));
  if (!globalThis.tbBackend) throw new Error("the back end does not serve: its main must call tbplugin.Serve");
  return globalThis.tbBackend;
};

// A module exports request(request, data), which returns {status, headers, body}, and may export
// isActive(data) and fixFlags(values).
const calls = new Map();
let callID = 1;
const plain = async (program) => {
  const m = await import(URL.createObjectURL(new Blob([program], { type: "text/javascript" })));
  const data = new Proxy({},
      { get: (_, method) => (typeof method === "string" && method !== "then" ? (args = {}) => new Promise((yes, no) => {
    const id = callID++;
    calls.set(id, { yes, no });
    host.postMessage({ id, call: { method, args } });
  }) : undefined) });
  const serve = async ({ op, values, ...r }) => {
    if (op === "is_active") return { result: m.isActive ? Boolean(await m.isActive(data)) : true };
    if (op === "fix_flags") return { result: m.fixFlags ? await m.fixFlags(values) : values };
    if (typeof m.request !== "function") throw new Error("the back end exports no function request");
    return m.request({ ...r, flags: values }, data);
  };
  return {
    object: true,
    request: (id, r) => serve(r).then((response) => host.postMessage({ id, response }),
      (e) => host.postMessage({ id,
        response: { status: 500, headers: { "content-type": "text/plain" }, error: String(e?.message ?? e) } })),
  };
};

const dead = (e) => {
  if (globalThis.tbEnded) return;
  globalThis.tbEnded = true;
  host.postMessage({ failed: String(e?.message ?? e), said: said.slice(-20) });
};
const hear = async ({ data: m }) => {
  try {
    if (m.port) {
      host = m.port;
      host.onmessage = hear;
    } else if (m.begin) {
      const { kind, program, exec } = m.begin;
      back = kind === "wasip1" ? await reactor(program) : kind === "go-js" ? await goJS(program, exec)
        : await plain(program);
      host.postMessage({ ready: true });
    } else if (m.request) {
      const { body, ...header } = m.request;
      back.request(m.id, back.object ? m.request : pack(header, body));
    } else if (back.object) {
      const c = calls.get(m.id);
      calls.delete(m.id);
      if (m.answer.error) c?.no(new Error(m.answer.error)); else c?.yes(m.answer.result);
    } else back.reply(m.id, pack(m.answer));
  } catch (e) {
    dead(e);
  }
};
onmessage = hear;
