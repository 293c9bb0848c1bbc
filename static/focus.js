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
  const changed = new MutationObserver((changes) => {
    const now = document.activeElement;
    // What is hidden has the focus until the next picture.
    const hidden = (c) => c.type === "attributes" && c.target.hidden && c.target.contains(now);
    if (!path.length || now !== document.body && !changes.some(hidden)) return;
    const moved = changes.some((c) => [...c.addedNodes].some((n) => n.contains(path[0])));
    if (there(path[0]) && !moved) return; // it was left
    const around = path.find((e) => e.matches("article,[tabindex]:not(main)") && there(e));
    const to = moved ? path[0] : around ?? (there(beside) ? beside : document.getElementById("main"));
    to?.focus({ preventScroll: true });
  });
  let rest = 0;
  addEventListener("keydown", () => {
    clearTimeout(rest);
    rest = setTimeout(() => changed.disconnect(), 2000);
    changed.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
  }, true);
})();
