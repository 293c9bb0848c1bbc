// Writes a zip archive into a sink (see paint-export.js) while its files are being made:
// one of them at a time is in memory. Nothing is compressed, since pictures and sounds are.
"use strict";

// tbZip begins an archive. add resolves when the file is written, end when the archive is.
globalThis.tbZip = (sink) => {
  const waiting = [];
  /** @type {(value?: any) => void} */
  let wake = () => {};
  let ended = false;
  async function* files() {
    for (;;) {
      const next = waiting.shift();
      if (next) {
        yield next.file;
        next.done(); // the next one is asked for when this one has gone
      } else if (ended) {
        return;
      } else {
        await new Promise((resolve) => { wake = resolve; });
      }
    }
  }
  let failed;
  const all = (async () => {
    const reader = clientZip.makeZip(files()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      await sink.write(value);
    }
  })();
  all.catch((e) => {
    failed = e;
    for (const w of waiting.splice(0)) w.fail(e);
    last?.(e);
  });
  let last;
  return {
    // add takes the file's name, when it was logged (ms since 1970), and its bytes.
    add: (name, at, bytes) => new Promise((done, fail) => {
      if (failed) {
        fail(failed);
        return;
      }
      last = fail; // of the file that is being written
      waiting.push({ file: { name, lastModified: new Date(at), input: bytes }, done, fail });
      wake();
    }),
    end: () => {
      ended = true;
      wake();
      return all;
    },
  };
};
