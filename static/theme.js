// Sets <html data-theme> to "dark" or "light" before anything is painted, which is
// why this is the one script that the page waits for. The choice is the user's
// (localStorage "tensorbored.theme": "dark" or "light") or else the system's.
"use strict";
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("tensorbored.theme");
  } catch {
    // Storage is blocked: the system's choice stands.
  }
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = choice === "dark" || choice === "light" ? choice : system;
})();
