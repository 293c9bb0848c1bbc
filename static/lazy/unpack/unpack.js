// Unpacks archives that were dropped or chosen, for the program (wasm/source/folder): .zip, .tar,
// .tar.gz, .tgz, and event files of their own as .gz. Of an archive the files are unpacked that
// the program wants, a piece at a time, into Blobs, which browsers keep on disk where they are
// large; what was not packed is read where it stands. No more is in memory than a few pieces.
//
// Zips are read by unzipit, tars by modern-tar, bytes are unpacked by the browser. A file that is
// damaged in its archive has the bytes up to there. Event files prove each record themselves; what
// others have beside them is held against the checksum of a zip.
"use strict";
{
  const PIECE = 8 * 2 ** 20; // bytes
  const AT_ONCE = 64; // files
  const OFTEN = 250; // ms from a word of progress to the next
  // So many bytes from one are no event file's, whose own are not packed better than ten to one.
  const BOMB = 200, SMALL = 2 ** 28;

  const mb = (n) => (n / 1e6).toFixed(n < 1e7 ? 1 : 0);
  const isEvent = (path) => path.slice(path.lastIndexOf("/") + 1).includes("tfevents");
  // macOS puts a file beside each, of the same name but for this.
  const isReal = (path) => !/^__MACOSX\/|(^|\/)\._[^/]*$/.test(path);
  const clean = (path) => path.split("/").filter((part) => part && part !== ".").join("/");
  const damaged = (after) =>
    `it is damaged in its archive after ${after.toLocaleString("en")} bytes: what stands before is shown, get it anew`;
  const CUT = "it is cut short, or no";
  const YOURSELF = "unpack it yourself, and drop the folder";
  const ODD = `it is not unpacked, since its bytes are packed as no event file's are: ${YOURSELF}`;

  const OTHER = "its bytes are not those that were packed (the checksum differs): get it anew";

  const crc = tbCrc(0xedb88320); // that of zips

  // Wrong is what the user is told.
  class Wrong extends Error {}

  // Found is a file, null if it is left where it is, and what is wrong with it.
  /** @typedef {[file: File | null, why: string]} Found */

  // last gives what a generator returns, and leaves out what it says on the way.
  const last = async (steps) => {
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return value;
    }
  };

  // collect reads what is unpacked into a file. It yields words of progress, and gives the file, null
  // of a bomb, and if that is not all of it, why. proof is the checksum of all of it, if it is to be
  // held against one.
  async function* collect(stream, path, changed, note, proof = -1) {
    const reader = stream.getReader(), blobs = [];
    let parts = [], waiting = 0, got = 0, sum = 0, due = performance.now() + OFTEN, why = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        waiting += value.length;
        got += value.length;
        if (proof >= 0) sum = crc(sum, value);
        if (waiting >= PIECE) {
          blobs.push(new Blob(parts));
          parts = [];
          waiting = 0;
        }
        if (performance.now() < due) continue;
        due = performance.now() + OFTEN;
        yield { note: note(got) };
      }
      if (proof >= 0 && sum !== proof) why = OTHER;
    } catch (e) {
      if (e instanceof Wrong) return /** @type {Found} */ ([null, e.message]);
      why = damaged(got);
    } finally {
      reader.cancel().catch(() => {});
    }
    return /** @type {Found} */ ([new File([...blobs, ...parts], path, { lastModified: changed }), why]);
  }

  const bomb = (full, packed) => full > SMALL && full > packed * BOMB;

  // opened gives the bytes of an archive, without the gzip around them if there is one, and what is
  // to be said of how far they have been read. A bomb ends them.
  const opened = (a, gzip) => {
    let packed = 0, full = 0;
    const counted = (count) => new TransformStream({
      transform(chunk, to) {
        count(chunk.length);
        to.enqueue(chunk);
      },
    });
    const bytes = a.file.stream().pipeThrough(counted((n) => { packed += n; }));
    const plain = gzip ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
    return { note: () => a.note(packed), bytes: plain.pipeThrough(counted((n) => {
      if (bomb(full += n, packed)) throw new Wrong(ODD);
    })) };
  };

  // ahead reads a zip by windows: each of its files would be two reads that the browser asks another
  // process for.
  const ahead = (file) => {
    let from = 0, to = 0, window = null;
    const read = async (at, n) => new Uint8Array(await file.slice(at, at + n).arrayBuffer());
    return {
      getLength: async () => file.size,
      async read(at, n) {
        if (n > PIECE) return read(at, n);
        if (at < from || at + n > to) window = read(from = at, (to = at + PIECE) - from);
        const start = from; // the next one moves the window while this one waits
        return (await window).subarray(at - start, at - start + n);
      },
      sliceAsBlob: async (at, n, type) => file.slice(at, at + n, type),
    };
  };

  // zip yields what is in a zip: its names at once, then one file after the other, events first.
  async function* zip(a) {
    try {
      a.list ??= (await unzipit.unzipRaw(ahead(a.file))).entries;
    } catch {
      throw new Wrong(`${CUT} zip: get it anew`);
    }
    // PowerShell 5 packed with the slashes of Windows.
    const slashed = (name) => clean(name.includes("/") ? name : name.replaceAll("\\", "/"));
    const entries = new Map(a.list.filter((e) => !e.isDirectory && isReal(e.name)).map((e) => [slashed(e.name), e]));
    const names = [...entries.keys()], wanted = yield { names }, chosen = names.filter((_, i) => wanted[i] === "1");
    const path = a.paths(chosen), order = [...chosen.filter(isEvent), ...chosen.filter((n) => !isEvent(n))];
    let before = 0; // bytes of the archive
    const unpack = async function* (name) {
      if (!a.done.has(name)) a.done.set(name, yield* entry(entries.get(name), name, (n) => a.note(before + n)));
      return a.done.get(name);
    };
    for (let i = 0; i < order.length;) {
      // Small files in company: alone each takes 5 ms, most of it what the browser makes ready.
      let n = 0, bytes = 0;
      while (i + n < order.length && n < AT_ONCE && (bytes += entries.get(order[i + n]).size) <= PIECE) n++;
      const names = order.slice(i, i += Math.max(n, 1));
      const all = names.length > 1
        ? await Promise.all(names.map((name) => last(unpack(name)))) : [yield* unpack(names[0])];
      for (const name of names) before += entries.get(name).compressedSize;
      yield { found: names.map((name, k) => [path(name), ...all[k]]), note: a.note(before) };
    }
  }

  // entry unpacks one file of a zip. note is given how many of its packed bytes have been read.
  async function* entry(e, name, note) {
    const method = e.compressionMethod, changed = e.lastModDate.getTime();
    const left = (why) => /** @type {Found} */ ([null, why]);
    if (e.encrypted) return left(`it is encrypted in its archive: ${YOURSELF}`);
    if ((e.externalFileAttributes >>> 16 & 0xf000) === 0xa000) {
      return left("it is a symbolic link in its archive: drop the folder that it leads to");
    }
    if (method !== 0 && method !== 8) {
      return left(`it is packed in a way (${method}) that browsers do not know: ${YOURSELF}`);
    }
    if (bomb(e.size, e.compressedSize)) return left(ODD);
    const progress = (got) => note(e.compressedSize * Math.min(1, got / e.size));
    let there;
    try { there = await (method === 8 ? e.stream() : e.blob()); } catch { return left(damaged(0)); }
    const proof = isEvent(name) ? -1 : e._rawEntry.crc32; // of unzipit 2.1.1, which has no other place for it
    if (method === 8) return yield* collect(there, name, changed, progress, proof);
    const file = new File([there], name, { lastModified: changed });
    return /** @type {Found} */ ([file, file.size === e.size ? "" : damaged(file.size)]);
  }

  // tar yields what is in a tar. Where its files lie together is known at its end, so all come then.
  async function* tar(a, gzip) {
    // A damaged header ends a strict reading. The other goes on after it, and cannot tell that there was one.
    let torn = false;
    for (const strict of a.whole ? [] : [true, false]) {
      const { bytes, note } = opened(a, gzip);
      const entries = bytes.pipeThrough(modernTar.createTarDecoder({ strict })).getReader();
      try {
        for (let n = 0; ; n++) {
          const { done, value } = await entries.read();
          if (done) break;
          // Of two of a name the last counts, as when they are unpacked; a walk before may have come to it.
          const { header, body } = value, name = clean(header.name), had = a.done.get(name)?.[2] ?? -1;
          const real = (header.type ?? "file") === "file" && isReal(name) && had < n;
          if (!real || (yield { names: [name] })[0] !== "1") {
            await body.pipeTo(new WritableStream()); // modern-tar 0.8.6 stands still after a cancel
            continue;
          }
          let [file, why] = yield* collect(body, name, header.mtime?.getTime() ?? 0, note);
          if (!file) throw new Wrong(why);
          if (!why && file.size < header.size) why = damaged(file.size);
          a.done.set(name, [file, why, n]);
        }
        break;
      } catch (e) {
        if (e instanceof Wrong) a.trouble = e.message;
        // Tars older than the word "ustar" are none that are damaged.
        torn ||= !/ustar/i.test(e.message);
      } finally {
        entries.cancel().catch(() => {});
      }
      if (a.trouble) break;
    }
    const some = a.done.size > 0;
    if (torn) a.trouble ||= some ? "it is damaged: files may be missing, get it anew" : `${CUT} tar: get it anew`;
    a.whole = true;
    if (a.trouble) yield { problem: [a.name, a.trouble] };
    const path = a.paths([...a.done.keys()]);
    yield { found: [...a.done].map(([name, [file, why]]) => [path(name), file, why]) };
  }

  // gz yields the one file that was packed by itself.
  async function* gz(a) {
    const name = a.name.replace(/\.gz$/i, "");
    if ((yield { names: [name] })[0] !== "1") return;
    if (!a.whole) {
      const { bytes, note } = opened(a, true);
      a.done.set(name, yield* collect(bytes, name, a.file.lastModified, note));
      a.whole = true;
    }
    yield { found: [[name, ...a.done.get(name)]] };
  }

  /** @type {[RegExp, (a: any) => AsyncGenerator][]} */
  const kinds = [[/\.zip$/i, zip], [/\.(tar\.gz|tgz)$/i, (a) => tar(a, true)], [/\.tar$/i, (a) => tar(a, false)],
    [/\.gz$/i, gz]];

  // tbUnpack takes archives: {name, item}, where item is a File or the entry of one; others are
  // names of what stands beside them. Of several each stands in a folder of its own.
  //
  // walk() begins a walk as tbWalk's (see lazy/walk) is: next(wanted) and end(). What it gives has
  // also note, words of progress. What one walk has unpacked the next one has at once.
  globalThis.tbUnpack = (items, others) => {
    const several = items.length + others.length > 1, bases = new Set(others);
    const archives = items.map(({ name, item }) => {
      const [suffix, walk] = kinds.find(([suffix]) => suffix.test(name));
      let base = name.replace(suffix, "");
      while (bases.has(base)) base += "+";
      bases.add(base);
      const a = { name, item, walk, file: null, done: new Map(), list: null, whole: false, trouble: "" };
      a.note = (n) => `unpacking ${name}, ${mb(n)} of ${mb(a.file.size)} MB`;
      // paths gives a function from a name in the archive to its path. A folder that holds all the
      // others is left out, as that which is dropped is, unless it is a run and nothing else.
      a.paths = (names) => {
        const top = (names[0] ?? "").split("/")[0] + "/";
        const isRun = names.every((n) => !isEvent(n) || !n.includes("/", top.length));
        const without = names.length > 0 && names.every((n) => n.startsWith(top)) &&
          (!isRun || several && top === base + "/");
        return (name) => (several ? base + "/" : "") + (without ? name.slice(top.length) : name);
      };
      return a;
    });
    async function* all() {
      for (const a of archives) {
        try {
          a.file ??= a.item.file ? await new Promise((yes, no) => a.item.file(yes, no)) : a.item;
          yield* a.walk(a);
        } catch (e) {
          yield { problem: [a.name, e instanceof Wrong ? e.message : `it cannot be read: ${e.name}: ${e.message}`] };
        }
      }
    }
    return {
      walk() {
        const steps = all();
        return {
          async next(wanted) {
            const { done, value = {} } = await steps.next(wanted);
            const { names = [], found = [], problem = [], note = "" } = value, there = found.filter(([, file]) => file);
            return { done, names: names.join("\0"), paths: there.map(([path]) => path).join("\0"),
              files: there.map(([, file]) => file), note,
              problems: [...problem, ...found.flatMap(([path, , why]) => (why ? [path, why] : []))] };
          },
          end: () => { steps.return().catch(() => {}); },
        };
      },
    };
  };
}
