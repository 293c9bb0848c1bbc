// Walks a folder that was dropped or picked, for the program (wasm/source/folder), which is told
// by the hundred what has been found: a crossing into the program for each name and file took as
// long as the browser takes for them.
//
// Of what was dropped the entries are the list: handles leave out names that are not allowed on all
// systems, such as "12:00", without a word. Handles, where the browser gives them, give the files:
// 10,000 folders of one file, all entries → files, take 4.2 s with handles and 5.0 without. A
// handle without an entry (of a picked folder) is list and files.
"use strict";
{
  // So many folders and files are asked for at a time. A file takes 0.2 ms alone and 0.06 in company.
  const AT_ONCE = 64;
  // The program is asked about names when there are so many, or nothing else to do.
  const NAMES = 64;
  // What has been found waits no longer, in ms.
  const SOON = 50;
  // As long may a handle take to come, in ms. It takes some 5, or as long as the user does who has
  // to allow it: the entries go on without it then, and the next walk has it.
  const PATIENCE = 300;

  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

  // What was put in comes out in the same order, at the same cost however many they are.
  const queue = () => {
    let items = [], at = 0;
    return {
      put(item) { items.push(item); },
      take() {
        const item = items[at];
        items[at++] = undefined;
        if (at >= items.length) { items = []; at = 0; }
        return item;
      },
    };
  };

  // tbWalk begins a walk. folder is the entry of the folder that is listed, handle its handle or a
  // promise of it; either may be null. entries are others, that stand in the list by their names.
  //
  // next(wanted) gives a promise of what the walk has come to: names of files to which the next
  // call says, a character each, which are wanted ("1"); files with their paths; problems, path and
  // words by turns; and done, whether that was all. Paths are joined by NUL, which stands in none.
  // A path of a folder ends with "/", that of the root is "".
  // end() ends the walk at once.
  globalThis.tbWalk = (folder, handle, entries) => {
    const folders = queue(), files = queue();
    let names = [], asked = []; // files about which the program is to be asked, has been asked
    let paths = [], found = [], problems = [];
    let running = 0, ended = false, due = false;
    let timer, answer; // while the program waits

    const wrong = (path, what, e) => problems.push(path, `it cannot be ${what}: ${e.name}: ${e.message}`);

    // An item is {path, folder, entry, handle}: what is at a path, and where it is read.
    const item = (path, name, folder, entry, handle) =>
      ({ path: path + name + (folder ? "/" : ""), folder, entry, handle });
    const add = (i) => { if (i.folder) folders.put(i); else names.push(i); };

    // step tells the program if it waits, and there is something that should not.
    const step = () => {
      const done = ended || running === 0 && names.length === 0;
      const some = names.length >= NAMES || names.length > 0 && running < AT_ONCE ||
        due && names.length + found.length + problems.length > 0;
      if (!answer || !done && !some) return;
      clearTimeout(timer);
      answer({ done, names: names.map((i) => i.path).join("\0"), paths: paths.join("\0"), files: found,
        problems });
      asked = names;
      names = []; paths = []; found = []; problems = [];
      answer = undefined;
      due = false;
    };

    // Files go before folders, so that those that have been found can be read while the walk goes on.
    const run = () => {
      while (running < AT_ONCE && !ended) {
        const next = files.take() ?? folders.take();
        if (!next) break;
        work(next.folder ? list(next) : open(next));
      }
      step();
    };
    const work = async (what) => {
      running++;
      await what;
      running--;
      run();
    };

    const open = async ({ path, entry, handle }) => {
      const byEntry = () => new Promise((yes, no) => entry.file(yes, no));
      try {
        const file = await (!handle ? byEntry() : !entry ? handle.getFile() : handle.getFile().catch(byEntry));
        paths.push(path);
        found.push(file);
      } catch (e) {
        wrong(path, "opened", e);
      }
    };

    // list adds what a folder holds.
    const list = async ({ path, entry, handle }) => {
      // By name: handles for which no entry has come, and entries that wait for their handle.
      const early = new Map(), waiting = new Map();
      const handles = async () => {
        for await (const h of handle.values()) {
          if (ended) return;
          const { name } = h, i = waiting.get(name);
          if (!entry) {
            add(item(path, name, h.kind === "directory", null, h));
          } else if (!i) {
            early.set(name, h);
            continue;
          } else {
            waiting.delete(name);
            add(together(i, h));
          }
          run();
        }
      };
      // What became a folder meanwhile, or a file, is what its entry says.
      const together = (i, h) => (i.folder === (h.kind === "directory") ? { ...i, handle: h } : i);
      let more = Boolean(handle);
      const all = more && handles()
        .catch((e) => { if (!entry) wrong(path, "listed", e); })
        .then(() => { more = false; });
      try {
        const reader = entry?.createReader();
        while (reader && !ended) {
          const some = await new Promise((yes, no) => reader.readEntries(yes, no)); // 100 at most, none at the end
          if (some.length === 0) break;
          for (const e of some) {
            const { name } = e, i = item(path, name, e.isDirectory, e), h = early.get(name);
            if (name === "") problems.push(path, "a file's name is not UTF-8: rename it");
            else if (h) add(together(i, h));
            else if (more) waiting.set(name, i);
            else add(i);
            early.delete(name);
          }
          run();
        }
      } catch (e) {
        wrong(path, "listed", e);
      }
      await all;
      for (const i of waiting.values()) add(i);
    };

    const begin = async () => {
      // A page that was busy hears of its timers before it hears of the handle: so two of them.
      const late = async () => { await sleep(PATIENCE / 2); await sleep(PATIENCE / 2); };
      const given = await Promise.race([handle, late()]).catch(() => null);
      if (folder || given) add({ path: "", folder: true, entry: folder, handle: given });
      for (const e of entries) add(item("", e.name, e.isDirectory, e));
    };
    work(begin());
    return {
      next(wanted) {
        asked.forEach((i, k) => { if (wanted[k] === "1") files.put(i); });
        asked = [];
        return new Promise((done) => {
          answer = done;
          timer = setTimeout(() => { due = true; step(); }, SOON);
          run();
        });
      },
      end() {
        ended = true;
        step();
      },
    };
  };
}
