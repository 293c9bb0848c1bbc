// What the hub's pages share: elements, the API, words.
"use strict";
const tbHub = (() => {
  // make("button", {className: "button"}, "text", child, …); strings are text, never HTML.
  const make = (name, set, ...inside) => {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(set ?? {})) {
      if (k.includes("-") || k === "role") e.setAttribute(k, v);
      else e[k] = v;
    }
    e.append(...inside);
    return e;
  };

  // ask sends a request below api/ and resolves to what it answers; what goes wrong is an
  // Error with the hub's words, and its status.
  const ask = async (base, path, body) => {
    let answer;
    try {
      answer = await fetch(base + "api/" + path, body === undefined ? {} :
        {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
    } catch {
      throw Object.assign(
        new Error(
          "The hub does not answer. Is it still running, and is the port forwarded? tensorbored-static list " +
          "starts it anew."), {status: 0});
    }
    if (answer.ok) {
      return answer.headers.get("Content-Type")?.startsWith("application/json") ? answer.json() : answer.text();
    }
    let said = {};
    try {
      said = await answer.json();
    } catch {
      // A proxy between us and the hub says it its own way.
    }
    const text = answer.status === 401
      ? "This page needs the link that tensorbored-static start, or list, prints: the address with ?token= in it." :
      [said.message ?? said.error ?? "Status " + answer.status, said.remedy].filter(Boolean).join(": ");
    throw Object.assign(new Error(text), {status: answer.status});
  };

  const age = seconds => {
    if (seconds < 60) return Math.round(seconds) + " s";
    if (seconds < 3600) return Math.round(seconds / 60) + " min";
    if (seconds < 172800) return (seconds / 3600).toFixed(seconds < 36000 ? 1 : 0) + " h";
    return Math.round(seconds / 86400) + " days";
  };

  // repeat calls look now and every period seconds while the page is visible, until it
  // says false. What it returns looks at once, after a look that is under way.
  const repeat = (period, look) => {
    let timer = 0, under = null, over = false;
    const run = async () => {
      while (under) await under;
      clearTimeout(timer);
      if (document.hidden || over) return;
      under = look();
      over = await under === false;
      under = null;
      if (!over) timer = setTimeout(run, period * 1000);
    };
    document.addEventListener("visibilitychange", run);
    run();
    return run;
  };

  return {make, ask, age, repeat};
})();
