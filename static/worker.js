// A worker of the page. It waits for the first message, which must hold the
// compiled program as `module`, keeps it in globalThis.tbInit, and runs the
// program, which then sets globalThis.onmessage. The data of messages that come
// before that wait in globalThis.tbQueue.
//
// When the program ends, the page is told {dead: true, code, output}, and nothing else
// runs here: what had been begun would call a program that is gone.
"use strict";
globalThis.tbQueue = [];
globalThis.onmessage = async (first) => {
  globalThis.onmessage = (event) => tbQueue.push(event.data);
  globalThis.tbInit = first.data;
  try {
    const { code, output } = await tbRun(first.data.module, "worker");
    postMessage({ dead: true, code, output });
  } catch (e) {
    postMessage({ dead: true, code: -1, output: String(e.stack ?? e) });
  }
  close();
};
