// Shows a viewer in an output of a notebook. notebook.py calls this with what it knows: the machine
// and the port that the viewer listens at, and the path of its page. How a browser comes there, only
// the browser knows: the notebook's page may be of this machine, come through a tunnel of one port,
// or stand behind a hub. So each way is tried, by asking for "here" below the page's path, which
// nobody guesses, and the first one that answers is shown.
//
// The ways: what the operator says (proxy, with %PORT% for the port), Colab's own, the port on the
// host that the notebook's page comes from, and Jupyter's proxy below its base address. Where the
// page comes from this machine the port goes first, since nothing stands between; elsewhere the proxy
// does. A page from elsewhere never asks this machine for anything.
(async (/** @type {NotebookViewer} */ { id, host, port, path, query, height, proxy, instead }) => {
  const out = document.getElementById(id);
  if (!out) return;

  /**
   * @template {keyof HTMLElementTagNameMap} K
   * @param {K} tag
   * @param {Partial<HTMLElementTagNameMap[K]>} as
   * @param {...(Node|string)} children
   */
  const make = (tag, as, ...children) => {
    const e = Object.assign(document.createElement(tag), as);
    e.append(...children);
    return e;
  };

  /** The address of the page as one below another address. */
  const below = (/** @type {string} */ address) => new URL(address.replace(/\/?$/, () => path), location.href).href;

  /**
   * The page's address, where there is one alone: an editor may forbid its outputs to ask for it, and
   * Colab has a login.
   */
  const sole = async () => {
    if (proxy) return below(proxy.replaceAll("%PORT%", String(port)));
    const colab = globalThis.google?.colab?.kernel;
    if (colab?.proxyPort) return below(await colab.proxyPort(port, { cache: true }));
    return /^(https?|file):$/.test(location.protocol) ? "" : below(`http://localhost:${port}`);
  };

  /** The addresses that the page may have, the likeliest first. */
  const ways = () => {
    const near = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
    const all = [];
    if (near || location.protocol === "http:") all.push(below(`http://${location.hostname}:${port}`));
    let base = document.body.dataset.baseUrl; // Notebook before 7
    try {
      base ??= JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "{}").baseUrl;
    } catch { /* another page's, without one */ }
    if (base) all[near ? "push" : "unshift"](below(`${base.replace(/\/?$/, "/")}proxy/${port}`));
    return all;
  };

  const show = (/** @type {string} */ url) => {
    const frame = make("iframe", { src: url + query, width: "100%", height: String(height), title: "tensorbored-static",
      allow: "clipboard-read; clipboard-write; fullscreen" });
    frame.style.border = "0";
    const light = document.body.dataset.jpThemeLight; // "true" or "false", in JupyterLab
    if (light) frame.style.colorScheme = light === "false" ? "dark" : "light";
    const link = make("a", { href: url + query, target: "_blank", rel: "noopener" }, "Open in a tab of its own");
    out.replaceChildren(frame, make("div", {}, link));
  };

  const code = (/** @type {string} */ text) => make("code", {}, text);
  const missed = () => {
    if (location.protocol === "file:") { // the notebook as a page
      out.replaceChildren(make("p", {}, "While the notebook ran, a viewer was shown here. ", code(instead),
        " puts the data into the notebook itself."));
      return;
    }
    const again = make("button", { type: "button", onclick: seek }, "Try again");
    out.replaceChildren(
      make("p", {}, `The viewer listens on ${host} at port ${port}, and this browser does not reach it. ` +
        "Do one of these:"),
      make("ul", {},
        make("li", {}, "Run the cell again, if the kernel was started anew since."),
        make("li", {}, "Where Jupyter runs: ", code("pip install jupyter-server-proxy"), ", and start Jupyter anew."),
        make("li", {}, "On your own machine: ", code(`ssh -N -L ${port}:127.0.0.1:${port} ${host}`), ", then ", again),
        make("li", {}, "Have the data in the notebook itself: ", code(instead))));
  };

  const seek = async () => {
    const url = await sole();
    if (url) {
      show(url);
      return;
    }
    for (const way of ways()) {
      try {
        if ((await fetch(`${way}here`, { cache: "no-store" })).status === 204) {
          show(way);
          return;
        }
      } catch { /* nothing answers there */ }
    }
    missed();
  };
  await seek();
})
