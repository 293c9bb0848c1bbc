// Work that is done in pieces, between which the page has its turn.
"use strict";
// tbTurn resolves when the page has had it. A timer would make a tab that is hidden wait a second,
// and soon a minute, for each piece.
globalThis.tbTurn ??= (() => {
  const { port1, port2 } = new MessageChannel(), waiting = [];
  port1.onmessage = () => waiting.shift()();
  return () => new Promise((done) => { waiting.push(done); port2.postMessage(0); });
})();
