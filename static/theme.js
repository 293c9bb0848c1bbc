// Sets <html data-theme> to "dark" or "light" before anything is painted, which is
// why this is the one script that the page waits for. The choice is the user's (in
// the session that the page keeps, see shared/session) or else the system's.
"use strict";
(() => {
  let choice = null;
  try {
    choice = JSON.parse(localStorage.getItem("tensorbored-static.session"))?.theme;
  } catch {
    // Storage is blocked, or holds what is not ours: the system's choice stands.
  }
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = choice === "dark" || choice === "light" ? choice : system;
})();
