// Event files as they are written: TFRecord's framing around the messages of
// tensorflow/core/util/event.proto and framework/summary.proto.
"use strict";
globalThis.tbEvents ??= (() => {
  const utf8 = new TextEncoder(), crc = tbCrc(0x82f63b78); // Castagnoli's

  // A message is a list of byte arrays; number, double, float, bytes and text are fields, and so is a
  // message in another one.
  const varint = (n) => {
    const out = [];
    for (let rest = BigInt.asUintN(64, BigInt(n)); ; rest >>= 7n) {
      if (rest < 128n) return Uint8Array.from([...out, Number(rest)]);
      out.push(Number(rest & 127n) | 128);
    }
  };
  const length = (parts) => parts.reduce((n, p) => n + p.length, 0);
  const join = (parts) => {
    const out = new Uint8Array(length(parts));
    let at = 0;
    for (const p of parts) {
      out.set(p, at);
      at += p.length;
    }
    return out;
  };
  const number = (field, n) => [varint(field << 3), varint(n)];
  const fixed = (field, type, size, set) => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    return [varint(field << 3 | type), new Uint8Array(view.buffer)];
  };
  const double = (field, v) => fixed(field, 1, 8, (view) => view.setFloat64(0, v, true));
  const float = (field, v) => fixed(field, 5, 4, (view) => view.setFloat32(0, v, true));
  const bytes = (field, data) => [varint(field << 3 | 2), varint(data.length), data];
  const text = (field, s) => (s ? bytes(field, utf8.encode(s)) : []);
  const message = (field, parts) => [varint(field << 3 | 2), varint(length(parts)), ...parts];

  // record frames a message: its length, and masked checksums of length and message.
  const sum = (data) => {
    const c = crc(0, data), out = new Uint8Array(4);
    new DataView(out.buffer).setUint32(0, (c >>> 15 | c << 17) + 0xa282ead8 >>> 0, true);
    return out;
  };
  const record = (parts) => {
    const payload = join(parts), head = new Uint8Array(8);
    new DataView(head.buffer).setBigUint64(0, BigInt(payload.length), true);
    return join([head, sum(head), payload, sum(payload)]);
  };

  // version is the event that a file begins with.
  const version = (wall) => record([...double(1, wall), ...text(3, "brain.Event:2")]);

  // layout is the tensor of a value that holds a Layout of tensorboard/plugins/custom_scalar/layout.proto.
  const layout = (categories) => {
    const margins = (list) => list.flatMap((m) =>
      message(1, [...text(1, m.value), ...text(2, m.lower), ...text(3, m.upper)]));
    const chart = (k) => message(2, [...text(1, k.title), ...(k.margins?.length ? message(3, margins(k.margins))
      : message(2, (k.lines ?? []).flatMap((line) => text(1, line))))]);
    const all = join(categories.flatMap((c) =>
      message(2, [...text(1, c.title), ...(c.charts ?? []).flatMap(chart), ...(c.closed ? number(3, 1) : [])])));
    const STRING = 7; // of DataType
    return message(8, [...number(1, STRING), ...bytes(2, new Uint8Array()), ...bytes(8, all)]);
  };
  return { number, double, float, bytes, text, message, join, record, version, layout };
})();
