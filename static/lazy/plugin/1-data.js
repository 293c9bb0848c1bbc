// The data API of plug-ins: TensorBoard's names and arguments (data/provider.py), answered of
// what the viewer has read. Each plug-in is a client of its own (docs/API.md), with its limits.
// Numbers are typed arrays, blobs ArrayBuffers; what is asked for wrongly is an error in words.
"use strict";
globalThis.tbPlug ??= {};
{
  // client speaks over a port of the data API.
  tbPlug.client = () => {
    const port = tensorbored.port(), waiting = new Map();
    let next = 1, changed = () => {};
    port.onmessage = ({ data: m }) => {
      if (m.event) {
        changed();
        return;
      }
      const w = waiting.get(m.id);
      waiting.delete(m.id);
      if (m.error !== undefined) w?.no(new Error(m.error)); else w?.yes(m.result);
    };
    const call = (method, ...args) => new Promise((yes, no) => {
      const id = next++;
      waiting.set(id, { yes, no });
      port.postMessage({ id, method, args });
    });
    return {
      call,
      watch(f) {
        changed = f;
        call("on");
      },
      end: () => port.postMessage({ method: "close" }),
    };
  };

  // TensorProto: what a value is, as {dtype, shape, data}. Lengths are checked against the bytes.
  const torn = () => new Error("this value cannot be read: its message is torn");
  const varint = (c) => {
    let v = 0n;
    for (let i = 0n; i < 10n; i++) {
      if (c.at >= c.b.length) throw torn();
      const x = c.b[c.at++];
      v |= BigInt(x & 127) << (7n * i);
      if (x < 128) return BigInt.asIntN(64, v);
    }
    throw torn();
  };
  const fields = (b, f) => {
    const c = { b, at: 0 };
    while (c.at < b.length) {
      const key = Number(varint(c)), wire = key & 7;
      if (wire === 0) f(key >> 3, varint(c));
      else {
        const n = wire === 2 ? Number(varint(c)) : wire === 5 ? 4 : wire === 1 ? 8 : -1;
        if (n < 0 || n > b.length - c.at) throw torn();
        f(key >> 3, b.subarray(c.at, c.at += n));
      }
    }
  };
  const half = (h) => {
    const s = h & 0x8000 ? -1 : 1, e = (h >> 10) & 31, m = h & 1023;
    return e === 31 ? (m ? NaN : s * Infinity) : s * (e ? 2 ** (e - 15) * (1 + m / 1024) : 2 ** -14 * (m / 1024));
  };
  const wide = (h) => new Float32Array(new Uint32Array([h << 16]).buffer)[0];
  // By DataType: name, array of it, bytes of an element in tensor_content, reader, field of *_val.
  const TYPES = {
    1: ["float32", Float32Array, 4, (v, i) => v.getFloat32(i, true), 5],
    2: ["float64", Float64Array, 8, (v, i) => v.getFloat64(i, true), 6],
    3: ["int32", Int32Array, 4, (v, i) => v.getInt32(i, true), 7],
    4: ["uint8", Uint8Array, 1, (v, i) => v.getUint8(i), 7],
    5: ["int16", Int32Array, 2, (v, i) => v.getInt16(i, true), 7],
    6: ["int8", Int32Array, 1, (v, i) => v.getInt8(i), 7],
    9: ["int64", BigInt64Array, 8, (v, i) => v.getBigInt64(i, true), 10],
    10: ["bool", Uint8Array, 1, (v, i) => v.getUint8(i), 11],
    14: ["bfloat16", Float32Array, 2, (v, i) => wide(v.getUint16(i, true)), 13, (x) => wide(Number(x) & 65535)],
    17: ["uint16", Int32Array, 2, (v, i) => v.getUint16(i, true), 7],
    19: ["float16", Float32Array, 2, (v, i) => half(v.getUint16(i, true)), 13, (x) => half(Number(x) & 65535)],
    22: ["uint32", Float64Array, 4, (v, i) => v.getUint32(i, true), 16],
    23: ["uint64", Float64Array, 8, (v, i) => Number(v.getBigUint64(i, true)), 17,
      (x) => Number(BigInt.asUintN(64, x))],
  };
  const MOST = 1 << 26; // elements that a value may stand for
  tbPlug.tensor = (bytes) => {
    let type = 0, content = null;
    const shape = [], strings = [], packed = [];
    fields(bytes, (n, v) => {
      if (n === 1 && typeof v === "bigint") type = Number(v) % 100;
      else if (n === 4 && typeof v !== "bigint") content = v;
      else if (n === 8) strings.push(v);
      else if (n === 2 && typeof v !== "bigint") {
        fields(v, (k, d) => {
          if (k !== 2) return;
          let size = 0;
          fields(d, (i, x) => { if (i === 1) size = Number(x); });
          shape.push(size);
        });
      } else if (n >= 5) packed.push([n, v]);
    });
    const total = shape.reduce((a, b) => a * b, 1);
    if (type === 7) return { dtype: "string", shape, data: strings.map((s) => s.slice()) };
    const kind = TYPES[type];
    if (!kind) throw new Error("this value is of a type that is not read here");
    if (!(total >= 0 && total <= MOST)) throw torn();
    const [dtype, Of, size, get, field, from = Number] = kind;
    const data = [];
    if (content?.length) {
      if (content.length !== total * size) throw torn();
      const view = new DataView(content.buffer, content.byteOffset, content.length), out = new Of(total);
      for (let i = 0; i < total; i++) out[i] = get(view, i * size);
      return { dtype, shape, data: out };
    }
    const whole = Of === BigInt64Array ? (x) => x : from;
    for (const [n, v] of packed) {
      if (n !== field) continue;
      if (typeof v === "bigint") data.push(whole(v));
      else if (field === 5 || field === 6) {
        const view = new DataView(v.buffer, v.byteOffset, v.length), step = field === 5 ? 4 : 8;
        for (let i = 0; i + step <= v.length; i += step) {
          data.push(step === 4 ? view.getFloat32(i, true) : view.getFloat64(i, true));
        }
      } else for (const c = { b: v, at: 0 }; c.at < v.length;) data.push(whole(varint(c)));
    }
    if (data.length > total || !data.length && total > bytes.length) throw torn();
    const out = new Of(total), last = data.at(-1) ?? (Of === BigInt64Array ? 0n : 0);
    for (let i = 0; i < total; i++) out[i] = i < data.length ? data[i] : last; // the last one stands for the rest
    return { dtype, shape, data: out };
  };

  // evenly chooses n of so many, the first and the last among them.
  const evenly = (count, n) => {
    if (!(n >= 0) || count <= n) return [...Array(count).keys()];
    if (n < 1) return [];
    if (n === 1) return [count - 1];
    return Array.from({ length: n }, (_, i) => Math.round(i * (count - 1) / (n - 1)));
  };

  const wrong = (text) => { throw new Error(text); };
  const MANY = 20_000; // series of one answer
  const key =
    (list) =>
    btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(list)))).replaceAll("+", "-").replaceAll("/",
      "_").replace(/=+$/, "");
  const unkey = (text) => {
    try {
      const l = JSON.parse(
        new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")),
          (c) => c.charCodeAt(0))));
      if (Array.isArray(l) && l.length === 5) return l;
    } catch {}
    throw new Error("no blob has this key");
  };

  // methods of the API over a client.
  tbPlug.methods = (client) => {
    // chosen are the tags of a plug-in that a filter leaves, as [run, tag, facts].
    const chosen = async ({ plugin_name: plugin, run_tag_filter: filter }) => {
      if (typeof plugin !== "string" || !plugin) {
        wrong("plugin_name is missing: the name of the plug-in whose data are wanted");
      }
      const all = await client.call("tags", plugin), out = [];
      const runs = filter?.runs && new Set(filter.runs), tags = filter?.tags && new Set(filter.tags);
      for (const [run, of] of Object.entries(all)) {
        if (runs && !runs.has(run)) continue;
        for (const [tag, facts] of Object.entries(of)) if (!tags || tags.has(tag)) out.push([run, tag, facts]);
      }
      if (out.length > MANY) wrong(`this is about ${out.length} series: choose at most ${MANY} by run_tag_filter`);
      return out;
    };
    const by = (list) => {
      const out = {};
      for (const [run, tag, v] of list) if (v !== undefined) (out[run] ??= {})[tag] = v;
      return out;
    };
    const each = async (list, f) => by(
      await Promise.all(list.map(async ([run, tag, facts]) => [run, tag, await f(run, tag, facts)])));
    const facts = (t, more) => ({ max_step: 0, max_wall_time: 0, plugin_content: null, description: t.description ?? "",
      display_name: t.displayName ?? "", ...more });
    const last = (s) => (s.step.length ? { step: s.step.at(-1), wall_time: s.wallTime.at(-1), value: s.value.at(-1) }
      : undefined);

    // values asks for values of one series that stay in their files.
    const values = async (run, tag, body) => {
      const { chunks } = await client.call("ask", { kind: "values", runs: [run], tags: [tag], body });
      for (const { parts: [part], buffer } of chunks) if (part) return { part, buffer };
      return null;
    };
    const sampled = async (run, tag, n) => {
      const head = await values(run, tag, { from: 0, n: 0 });
      if (!head) return [];
      const out = [], list = evenly(head.part.count, n);
      // Neighbours come in one answer.
      for (let i = 0; i < list.length;) {
        let j = i + 1;
        while (j < list.length && list[j] === list[j - 1] + 1 && j - i < 64) j++;
        const got = await values(run, tag, { from: list[i], n: j - i });
        for (const it of got?.part.items ?? []) {
          out.push({ ...it, bytes: new Uint8Array(got.buffer, it.offset, it.length) });
        }
        i = j;
      }
      return out;
    };
    // Summaries of old forms are what TensorBoard makes of them (data_compat): a histogram is a
    // tensor of buckets, left, right and count; an image is width, height and its encoded bytes.
    const doubles = (v) => {
      const d = new DataView(v.buffer, v.byteOffset, v.length);
      return Array.from({ length: v.length >> 3 }, (_, i) => d.getFloat64(8 * i, true));
    };
    const buckets = (bytes) => {
      let min = 0, max = 0, limits = [], counts = [];
      fields(bytes, (k, v) => {
        if (typeof v === "bigint") return;
        if (k === 1) [min] = doubles(v);
        else if (k === 2) [max] = doubles(v);
        else if (k === 6) limits = limits.concat(doubles(v)); // packed, or one by one
        else if (k === 7) counts = counts.concat(doubles(v));
      });
      const first = counts.findIndex((n) => n > 0), end = counts.findLastIndex((n) => n > 0), out = [];
      for (let i = first; first >= 0 && i <= end; i++) {
        out.push(i === first ? min : limits[i - 1], i === end ? max : limits[i], counts[i]);
      }
      return { dtype: "float32", shape: [out.length / 3, 3], data: Float32Array.from(out) };
    };
    const parts = (it) => {
      if (it.error) throw new Error(it.error);
      if (it.form === "tensor") return tbPlug.tensor(it.bytes);
      if (it.form === "histogram") return buckets(it.bytes);
      return { dtype: "string", shape: [1], data: [it.bytes.slice()] };
    };
    // blobs are the byte strings of a value, of clips without their labels.
    const blobs = (it, plugin) => {
      if (it.error) throw new Error(it.error);
      if (it.form === "image" || it.form === "audio") {
        let found = new Uint8Array(0), height = 0n, width = 0n;
        fields(it.bytes, (k, v) => {
          if (k === 4 && typeof v !== "bigint") found = v;
          else if (k === 1) height = v;
          else if (k === 2) width = v;
        });
        const size = it.form === "image" ? [width, height].map((n) => new TextEncoder().encode(String(n))) : [];
        return [...size, found.slice()];
      }
      if (it.form !== "tensor") return [it.bytes.slice()];
      const t = tbPlug.tensor(it.bytes),
        each = plugin === "audio" ? Math.max(1, t.shape.slice(1).reduce((a, b) => a * b, 1)) : 1;
      return t.dtype === "string" ? t.data.filter((_, i) => i % each === 0) : [new Uint8Array(t.data.buffer)];
    };
    const listed = (args, more) => chosen(args).then((list) => each(list, async (run, tag, t) => {
      const end = await values(run, tag, { from: -1, n: 1, max: more ? undefined : 1 });
      const it = end?.part.items[0];
      if (!it) return undefined;
      return facts(t,
        { max_step: it.step, max_wall_time: it.wall ?? 0, plugin_content: bytesOf(end.part.content),
          ...more?.({ ...it, bytes: new Uint8Array(end.buffer, it.offset, it.length) }) });
    }));
    const bytesOf = (text) => (text ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : null);
    const lookable = (t) => t.points > 0;

    return {
      experiment_metadata: async () => {
        const s = await client.call("status");
        return { data_location: s.logdir ?? "", experiment_name: s.title ?? "", experiment_description: "",
          creation_time: 0 };
      },
      list_plugins: async () => {
        const names = new Set();
        for (const of of Object.values(await client.call("tags"))) {
          for (const t of Object.values(of)) names.add(t.plugin);
        }
        return [...names].sort();
      },
      list_runs: async () => (await client.call("runs")).map(
        (r) => ({ run_id: r.name, run_name: r.name, start_time: r.startTime })),

      list_scalars: async (args) => each(await chosen(args), async (run, tag, t) => {
        const end = last(await client.call("scalars", run, tag));
        return end && facts(t, { max_step: end.step, max_wall_time: end.wall_time });
      }),
      read_scalars: async (args) => each(await chosen(args), async (run, tag) => {
        const s = await client.call("scalars", run, tag), at = evenly(s.step.length, args.downsample ?? Infinity);
        if (!s.step.length) return undefined;
        const pick = (a) => (at.length === a.length ? a.slice() : Float64Array.from(at, (i) => a[i]));
        return { step: pick(s.step), wall_time: pick(s.wallTime), value: pick(s.value) };
      }),
      read_last_scalars: async (args) => each(await chosen(args),
        async (run, tag) => last(await client.call("scalars", run, tag))),

      list_tensors: (args) => listed(args),
      read_tensors: async (args) => each(await chosen(args),
        async (run, tag, t) => (lookable(t) ? (await sampled(run, tag, args.downsample ?? Infinity))
        .map((it) => ({ step: it.step, wall_time: it.wall, ...parts(it) })) : undefined)),

      list_blob_sequences: (args) => listed(args, (it) => ({ max_length: blobs(it, args.plugin_name).length })),
      read_blob_sequences: async (args) => each(await chosen(args),
        async (run, tag, t) => (lookable(t) ? (await sampled(run, tag, args.downsample ?? Infinity))
        .map(
          (it) => ({ step: it.step, wall_time: it.wall,
            values: blobs(it, args.plugin_name)
            .map((_, i) => ({ blob_key: key([args.plugin_name, run, tag, it.number, i]), url: null })) }))
            : undefined)),
      read_blob: async ({ blob_key: k }) => {
        const [plugin, run, tag, number, index] = unkey(String(k)),
          got = await values(String(run), String(tag), { from: number, n: 1 });
        const it = got?.part.items[0],
          blob = it && blobs({ ...it, bytes: new Uint8Array(got.buffer, it.offset, it.length) }, plugin)[index];
        if (!blob) throw new Error("no blob has this key");
        return blob;
      },

      list_hyperparameters: async () => {
        const seen = new Map();
        for (const { hparams } of await sessions()) {
          for (const [name, v] of Object.entries(hparams)) {
            const h = seen.get(name) ??
              { hyperparameter_name: name, hyperparameter_display_name: name,
                type: { number: "float", boolean: "bool" }[typeof v] ?? "string", values: new Set() };
            h.values.add(v);
            seen.set(name, h);
          }
        }
        return [...seen.values()].map((h) => ({ ...h, differs: h.values.size > 1, values: [...h.values] }));
      },
      read_hyperparameters: () => sessions(),
    };
    // sessions are the runs that log hyperparameters, with their values; the form of the answer's
    // words is that of shared/kind/hparams (Sessions).
    async function sessions() {
      const { chunks } = await client.call("ask",
        { kind: "hparams", runs: (await client.call("runs")).map((r) => r.name), tags: [] });
      const out = [];
      for (const { parts, buffer } of chunks) {
        const view = new DataView(buffer);
        let at = 0;
        for (const p of parts) {
          for (const run of p.runs) {
            const n = Number(view.getBigUint64(at, true)), start = view.getFloat64(at + 16, true),
              group = p.texts?.[Number(view.getBigUint64(at + 32, true))] ?? "";
            at += 56;
            const hparams = {};
            for (let i = 0; i < n; i++, at += 16) {
              const head = view.getBigUint64(at, true), kind = Number(head & 255n), name = p.names[Number(head >> 8n)];
              if (kind === 3) hparams[name] = view.getFloat64(at + 8, true);
              else if (kind === 2) hparams[name] = view.getFloat64(at + 8, true) !== 0;
              else if (kind === 4) hparams[name] = p.texts[Number(view.getBigUint64(at + 8, true))];
            }
            out.push({ run, group, start_time: start, hparams });
          }
        }
      }
      return out;
    }
  };
}
