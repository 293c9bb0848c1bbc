// Keeps the place of whoever works by keyboard. What has the focus may be taken out of the page or
// hidden by what it does: a button that fits a card to its data, a card that is unpinned, a line
// of a menu. Browsers leave the focus nowhere then, and the next key has no card.
"use strict";
(() => {
  let path = [], beside = null; // what had the focus last with all around it, and the card beside its card
  addEventListener("focusin", (ev) => {
    path = ev.composedPath().filter((e) => e instanceof Element);
    const card = path.find((e) => e.matches("article"));
    beside = card && (card.nextElementSibling || card.previousElementSibling);
  });
  const there = (e) => e?.isConnected && e.checkVisibility({ visibilityProperty: true });
  const keep = () => {
    if (document.activeElement !== document.body || !path.length || there(path[0])) return;
    const around = path.find((e) => e.matches("article,[tabindex]:not(main)") && there(e));
    const to = around ?? (there(beside) ? beside : document.getElementById("main"));
    to?.focus({ preventScroll: true });
  };
  // At once for the next key, and a moment later for who is told what has the focus.
  addEventListener("keydown", () => {
    keep();
    setTimeout(keep, 100);
    setTimeout(keep, 400);
  }, true);
})();
