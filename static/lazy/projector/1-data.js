// A link to the worker of the projector (static/lazy/projwork; what it is asked and answers stands in
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
      return [{ got: need, error: "This file is not there any more.", again: true }];
    } catch (e) {
      return [{ got: need, error: String(e.message ?? e), again: true }];
    }
  };

  // work starts the worker: call(name, what, {move, progress}) is a promise of its answer, with id,
  // by which a projection is paused and stopped. died is told why it has ended.
  P.work = (died) => {
    const worker = tbBoot.worker("projwork"), calls = new Map();
    let last = 0, over = null;
    const end = (why) => {
      over = why;
      for (const c of calls.values()) c.no(new Error(why));
      calls.clear();
      died(why);
    };
    const waiting = [];
    let post = (...m) => waiting.push(m);
    worker.onmessage = async ({ data }) => {
      if (data.dead) return end(data.dead);
      if (data.need) return post(...(await read(data)));
      const c = calls.get(data.id);
      if (data.progress) return c?.progress?.(data);
      calls.delete(data.id);
      if (data.error) c?.no(Object.assign(new Error(data.error.message + (data.error.remedy ? " " + data.error.remedy : "")), data.error));
      else c?.yes(data.answer);
    };
    worker.onerror = (e) => end("The projector's worker could not be started. Reload the page. " + (e.message ?? ""));
    tbBoot.program("projwork.wasm").then((program) => {
      post = (...m) => worker.postMessage(...m);
      post(program);
      for (const m of waiting) post(...m);
    }).catch((e) => end("The projector's worker could not be started. Reload the page. " + (e.message ?? "")));
    return {
      call: (name, what = {}, { move = [], progress } = {}) => {
        const id = ++last;
        const answer = new Promise((yes, no) => {
          if (over) return no(new Error(over));
          calls.set(id, { yes, no, progress });
          post({ id, do: name, ...what }, move);
        });
        return Object.assign(answer, { id });
      },
      end: () => {
        worker.terminate();
        over = "ended";
      },
    };
  };
}
