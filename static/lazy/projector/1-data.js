// The worker of the projector (static/lazy/projwork; what it is asked and answers stands in
// shared/projector/doc.go), and the files that it reads through the page.
"use strict";
{
  const P = (globalThis.tbProjector ??= {});

  // read answers the worker's need of bytes of a file beside event files.
  const read = async ({ need, path, from, max }) => {
    try {
      const r = await tensorbored.ask({ kind: "files", files: [path], body: { from, max } });
      for (const c of r.chunks) {
        for (const p of c.parts) {
          if (p.path !== path) continue;
          if (p.error) return [{ got: need, error: p.error, again: p.again }];
          const bytes = c.buffer.slice(p.offset, p.offset + p.length);
          return [{ got: need, bytes }, [bytes]];
        }
      }
      return [{ got: need, error: "The file is gone. Reload the data, or choose another tensor.", again: true }];
    } catch (e) {
      return [{ got: need, error: String(e.message ?? e), again: true }];
    }
  };

  // work starts the worker; a projection is paused and stopped by the id of its call.
  P.work = (died) => tbKit.work("projwork", "The projector's worker", died, read);
}
