// Unpacks archives that were dropped or chosen, for the program (wasm/source/folder): .zip, .tar,
// .tar.gz, .tgz, and event files of their own as .gz. Of an archive the files are unpacked that
// the program wants, a piece at a time, into Blobs, which browsers keep on disk where they are
// large; what was not packed is read where it stands. No more is in memory than a piece.
//
// Zips are read by unzipit, tars by modern-tar, bytes are unpacked by the browser. A file that is
// damaged in its archive has the bytes up to there: event files prove each record themselves.
"use strict";
{
  const PIECE = 8 * 2 ** 20; // bytes
  const OFTEN = 250; // ms from a word of progress to the next
  // So many bytes from one are no event file's, whose own are not packed better than ten to one.
  const BOMB = 200, SMALL = 2 ** 30;

  const mb = (n) => (n / 1e6).toFixed(n < 1e7 ? 1 : 0);
  const isEvent = (path) => path.slice(path.lastIndexOf("/") + 1).includes("tfevents");
  // macOS puts a file beside each, of the same name but for this.
  const isReal = (path) => !/^__MACOSX\/|(^|\/)\._[^/]*$/.test(path);
  const clean = (path) => path.split("/").filter((part) => part && part !== ".").join("/");
  const damaged = (after) =>
    `it is damaged in its archive after ${after} bytes: what stands before is shown, get it anew`;
  const CUT = "it is cut short, or no";
  const YOURSELF = "unpack it yourself, and drop the folder";
  const ODD = `it is not unpacked, since its bytes are packed as no event file's are: ${YOURSELF}`;

  // Wrong is what the user is told.
  class Wrong extends Error {}

  // found yields a file, and what is wrong with it.
  function* found(path, file, why) {
    if (why) yield { problem: [path, why] };
    yield { path, file };
  }

  /** @typedef {[file: File, why: string]} Found */

  // collect reads what is unpacked into a file. It yields words of progress, and gives the file and,
  // if that is not all of it, why.
  async function* collect(stream, path, changed, note) {
    const reader = stream.getReader(), blobs = [];
    let parts = [], waiting = 0, got = 0, due = performance.now() + OFTEN, why = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        waiting += value.length;
        got += value.length;
        if (waiting >= PIECE) {
          blobs.push(new Blob(parts));
          parts = [];
          waiting = 0;
        }
        if (performance.now() < due) continue;
        due = performance.now() + OFTEN;
        yield { note: note(got) };
      }
    } catch (e) {
      why = e instanceof Wrong ? e.message : damaged(got);
    } finally {
      reader.cancel().catch(() => {});
    }
    return /** @type {Found} */ ([new File([...blobs, ...parts], path, { lastModified: changed }), why]);
  }

  // counted counts the bytes that go through, and calls off what would never end.
  const counted = (count) => new TransformStream({
    transform(chunk, to) {
      count(chunk.length);
      to.enqueue(chunk);
    },
  });
  const bomb = (full, packed) => full > SMALL && full > packed * BOMB;
  const bombed = (full, packed) => {
    if (bomb(full, packed)) throw new Wrong(ODD);
  };

  // zip yields what is in a zip: its names at once, then one file after the other, events first.
  async function* zip(a) {
    try {
      a.list ??= (await unzipit.unzipRaw(a.file)).entries;
    } catch {
      throw new Wrong(`${CUT} zip: get it anew`);
    }
    // PowerShell 5 packed with the slashes of Windows.
    const slashed = (name) => clean(name.includes("/") ? name : name.replaceAll("\\", "/"));
    const entries = new Map(a.list.filter((e) => !e.isDirectory && isReal(e.name)).map((e) => [slashed(e.name), e]));
    const names = [...entries.keys()], wanted = yield { names }, chosen = names.filter((_, i) => wanted[i] === "1");
    const path = a.paths(chosen);
    let before = 0;
    for (const name of [...chosen.filter(isEvent), ...chosen.filter((n) => !isEvent(n))]) {
      const e = entries.get(name), done = before;
      before += e.compressedSize;
      if (!a.done.has(name)) {
        let why = "";
        const method = e.compressionMethod;
        if (e.encrypted) {
          why = `it is encrypted in its archive: ${YOURSELF}`;
        } else if ((e.externalFileAttributes >>> 16 & 0xf000) === 0xa000) {
          why = "it is a symbolic link in its archive: drop the folder that it leads to";
        } else if (method !== 0 && method !== 8) {
          why = `it is packed in a way (${method}) that browsers do not know: ${YOURSELF}`;
        } else if (bomb(e.size, e.compressedSize)) {
          why = ODD;
        }
        if (why) {
          yield { problem: [path(name), why] };
          continue;
        }
        let file;
        if (method === 0) {
          file = new File([await e.blob()], name, { lastModified: e.lastModDate.getTime() });
          if (file.size !== e.size) why = damaged(file.size);
        } else {
          const note = (got) => a.note(done + e.compressedSize * Math.min(1, got / e.size));
          [file, why] = yield* collect(await e.stream(), name, e.lastModDate.getTime(), note);
        }
        a.done.set(name, [file, why]);
      }
      yield* found(path(name), ...a.done.get(name));
    }
  }

  // tar yields what is in a tar. Where its files lie together is known at its end, so all come then.
  async function* tar(a, gzip) {
    // A damaged header ends a strict reading. The other goes on after it, and cannot tell that there was one.
    let torn = false;
    for (const strict of a.whole ? [] : [true, false]) {
      let packed = 0, full = 0;
      const bytes = a.file.stream().pipeThrough(counted((n) => { packed += n; }));
      const entries = (gzip ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes)
        .pipeThrough(counted((n) => bombed(full += n, packed)))
        .pipeThrough(modernTar.createTarDecoder({ strict })).getReader();
      try {
        for (;;) {
          const { done, value } = await entries.read();
          if (done) break;
          const { header, body } = value, name = clean(header.name);
          const real = (header.type ?? "file") === "file" && isReal(name) && !a.done.has(name);
          if (!real || (yield { names: [name] })[0] !== "1") {
            await body.pipeTo(new WritableStream()); // modern-tar 0.8.6 stands still after a cancel
            continue;
          }
          let [file, why] = yield* collect(body, name, header.mtime?.getTime() ?? 0, () => a.note(packed));
          if (!why && file.size < header.size) why = damaged(file.size);
          a.done.set(name, [file, why]);
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
    for (const [name, [file, why]] of a.done) yield* found(path(name), file, why);
  }

  // gz yields the one file that was packed by itself.
  async function* gz(a) {
    const name = a.name.replace(/\.gz$/i, "");
    if ((yield { names: [name] })[0] !== "1") return;
    if (!a.whole) {
      let packed = 0, full = 0;
      const plain = a.file.stream().pipeThrough(counted((n) => { packed += n; }))
        .pipeThrough(new DecompressionStream("gzip")).pipeThrough(counted((n) => bombed(full += n, packed)));
      a.done.set(name, yield* collect(plain, name, a.file.lastModified, () => a.note(packed)));
      a.whole = true;
    }
    yield* found(name, ...a.done.get(name));
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
            const { names = [], path = "", file, problem = [], note = "" } = value;
            return { done, names: names.join("\0"), paths: path, files: file ? [file] : [], problems: problem, note };
          },
          end: () => { steps.return().catch(() => {}); },
        };
      },
    };
  };
}
