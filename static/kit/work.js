// A link to a worker with a Go program of its own (a folder of static/lazy with a file "program").
"use strict";
// work starts the worker of a folder: call(name, what, {move, progress}) is a promise of its answer to
// {id, do: name, …what}, with its id. what it is called in messages; died is told why it has ended. need
// answers other messages, those with {need}: a list of what is posted.
tbKit.work ??= (folder, called, died, need) => {
  const worker = tbBoot.worker(folder), calls = new Map(), waiting = [];
  let last = 0, over = null;
  /** @type {(message: any, move?: Transferable[]) => unknown} */
  let post = (...m) => waiting.push(m);
  const end = (why) => {
    over = why;
    for (const c of calls.values()) c.no(new Error(why));
    calls.clear();
    died(why);
  };
  const failed = (e) => end(`${called} could not be started. Reload the page. ${e.message ?? ""}`);
  worker.onmessage = async ({ data }) => {
    if (data.dead) return end(data.dead);
    if (data.need) return post(.../** @type {[any]} */ (await need(data)));
    const c = calls.get(data.id);
    if (data.progress) return c?.progress?.(data);
    calls.delete(data.id);
    if (!data.error) return c?.yes(data.answer);
    const { message, remedy } = data.error;
    c?.no(Object.assign(new Error(message + (remedy ? " " + remedy : "")), data.error,
      { message: message + (remedy ? " " + remedy : "") }));
  };
  worker.onerror = failed;
  tbBoot.program(folder + ".wasm").then((program) => {
    post = (m, move) => worker.postMessage(m, move ?? []);
    post(program);
    for (const [m, move] of waiting) post(m, move);
  }).catch(failed);
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
    busy: () => calls.size > 0,
    end: () => {
      worker.terminate();
      over = "ended";
    },
  };
};
