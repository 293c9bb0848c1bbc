// Projections that took long are kept in the browser's database, in the stores of the cache of event
// files (wasm/storage), so that its bounds hold for them and "empty the cache" takes them too. A link or
// a profile names a projection by the tensor, what was asked and, of one that was stopped, at which step:
// whoever has it sees it at once, anybody else has it made anew.
//
// An entry is 4 bytes with the length of a text, the text (JSON), and after it positions (float32) and
// rows (uint32), at the next multiple of 4. Whatever does not say the same name is not used. Between
// the begin and the end of a transaction nothing else is awaited.
"use strict";
{
  const P = globalThis.tbProjector, LAYOUT = 3, MOST = 64 << 20; // LAYOUT as in wasm/storage/cache_js.go
  const done = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error); });

  // use opens the database for f, null where the page has none: it is the page's to make.
  const use = async (f) => {
    let db = null;
    try {
      const r = indexedDB.open("tensorbored-static");
      r.onupgradeneeded = () => r.transaction.abort();
      db = await done(r);
      return await f(db);
    } catch {
      return null; // no database, a full one, one that is not ours: nothing is kept
    } finally {
      db?.close();
    }
  };
  const keyOf = (name) => {
    let a = 0x811c9dc5, b = 0x1b873593; // two 32-bit hashes; the entry says its name in full
    for (let i = 0; i < name.length; i++) {
      a = Math.imul(a ^ name.charCodeAt(i), 0x01000193);
      b = Math.imul(b ^ name.charCodeAt(i), 0x85ebca6b) + 1;
    }
    return `projection\n${location.pathname}\n${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}`;
  };

  P.kept = {
    // save keeps a projection under a name; true if it is kept.
    save: (name, { positions, rows, ...more }) => use(async (db) => {
      const head = new TextEncoder().encode(
        JSON.stringify({ name, n: rows.length, length: positions.length, ...more, vectors: undefined,
          mean: undefined }));
      const at = Math.ceil((4 + head.length) / 4) * 4,
        data = new Uint8Array(at + positions.byteLength + rows.byteLength);
      if (data.length > MOST) return false;
      new DataView(data.buffer).setUint32(0, head.length, true);
      data.set(head, 4);
      data.set(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength), at);
      data.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength), at + positions.byteLength);
      const tx = db.transaction(["files", "ledger"], "readwrite"), key = keyOf(name);
      tx.objectStore("files").put({ layout: LAYOUT, data }, key);
      tx.objectStore("ledger").put({ bytes: data.length, used: Date.now() }, key);
      return new Promise(
        (yes, no) => { tx.oncomplete = () => yes(true); tx.onabort = tx.onerror = () => no(tx.error); });
    }).then(Boolean),
    // load is what was kept under a name, null if there is nothing; count is how many rows the tensor has.
    load: (name, count) => use(async (db) => {
      const tx = db.transaction(["files", "ledger"], "readwrite"), key = keyOf(name),
        v = await done(tx.objectStore("files").get(key));
      if (v?.layout !== LAYOUT || !(v.data instanceof Uint8Array)) return null;
      tx.objectStore("ledger").put({ bytes: v.data.length, used: Date.now() }, key);
      const d = v.data, end = 4 + new DataView(d.buffer, d.byteOffset).getUint32(0, true);
      const head = JSON.parse(new TextDecoder().decode(d.subarray(4, end))), at = Math.ceil(end / 4) * 4;
      if (head.name !== name || d.length !== at + 4 * (head.length + head.n) || head.length !== head.n * head.dims) {
        return null;
      }
      const positions = new Float32Array(d.slice(at, at + 4 * head.length).buffer),
        rows = new Uint32Array(d.slice(at + 4 * head.length).buffer);
      if (!rows.every((r) => r < count)) return null;
      const { name: _, n: __, length: ___, ...more } = head;
      return { ...more, positions, rows };
    }),
  };
}
