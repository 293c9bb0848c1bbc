// What stands in a viewer's place until it answers, and after its end.
"use strict";
(() => {
  const id = location.pathname.split("/").filter(Boolean).pop();
  const set = (where, text) => document.getElementById(where).textContent = text;
  const words = {
    QUEUED: "It waits in the cluster's queue.", PULLING: "The cluster prepares a node.", STARTING: "It is starting.",
    WAITING: "It is there.", RUNNING: "It is there.", TERMINATING: "It is being ended.", TERMINATED: "It has ended.",
  };
  tbHub.repeat(1, async () => {
    let v;
    try {
      v = await tbHub.ask("../../", "instances/" + id);
    } catch (error) {
      set("says", error.message);
      return error.status === 0;
    }
    set("name", v.description);
    document.title = v.description;
    set("says", words[v.state] ?? v.state);
    set("more", v.exitStatus ?? v.reason ?? "");
    if (v.state === "RUNNING" || v.state === "WAITING") {
      location.reload();
      return false;
    }
    return v.state !== "TERMINATED";
  });
})();
