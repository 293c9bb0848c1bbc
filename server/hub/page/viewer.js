// In the page of a viewer that a hub stands in front of: a visible tab tells the hub that
// somebody looks, since it may make no request for hours, and says when the viewer has
// ended. A hidden tab says nothing.
"use strict";
(() => {
  let timer = 0, every = 20, bar = null;

  const say = text => {
    if (!text) {
      bar?.remove();
      bar = null;
      return;
    }
    if (!bar) {
      bar = document.createElement("div");
      bar.className = "popup hub-bar";
      bar.setAttribute("role", "alert");
      const style = {top: "auto", bottom: "40px", left: "14px", "z-index": "40"};
      for (const [k, v] of Object.entries(style)) bar.style.setProperty(k, v);
      const all = document.createElement("a");
      all.href = "../../";
      all.className = "button";
      all.textContent = "All viewers";
      const words = document.createElement("p");
      words.style.setProperty("margin-bottom", "8px");
      bar.append(words, all);
      document.body.append(bar);
    }
    if (bar.firstChild.textContent !== text) bar.firstChild.textContent = text;
  };

  const beat = async () => {
    clearTimeout(timer);
    if (document.hidden) return;
    try {
      const answer = await fetch("heartbeat", {method: "POST"});
      if (answer.ok) {
        const said = await answer.json();
        every = said.every;
        const over = said.state === "TERMINATED" || said.state === "TERMINATING";
        say(over
          ? "This viewer has ended: " + (said.exitStatus ?? "it is being ended") +
          ". What is on the page stays; nothing new is read." : "");
        if (said.state === "TERMINATED") return;
      } else if (answer.status === 404) {
        say("This viewer has ended. What is on the page stays; nothing new is read.");
        return;
      }
    } catch {
      // The hub is being started anew, or the line is down: the page itself says what it cannot read.
    }
    clearTimeout(timer);
    timer = setTimeout(beat, every * 1000);
  };
  document.addEventListener("visibilitychange", beat);
  beat();
})();
