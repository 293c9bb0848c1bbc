// What the scripts of dashboards have in common: elements, buttons, menus, what is said.
// A folder of static/lazy whose file "kit" names it begins with it; the first one that comes
// makes it. Texts become text nodes, never HTML.
"use strict";
globalThis.tbKit ?? (() => {
  const H = globalThis.tbKit = /** @type {Kit} */ ({});

  // The look of a dashboard that a script draws: a bar of controls, a body below it, and buttons
  // over the picture in it.
  const css = new CSSStyleSheet();
  css.replaceSync(`
.drawn { display: flex; flex-direction: column; gap: 10px; padding-top: 10px; height: 100%; min-height: 420px; }
.drawn-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.drawn-bar .button, .drawn-bar .select { height: 30px; }
.drawn-bar .button[aria-pressed="true"] { color: var(--accent); background: var(--accent-soft); }
.drawn-body {
  position: relative; flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr) auto;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--panel); overflow: hidden;
}
.drawn-zoom {
  position: absolute; right: 10px; top: 8px; display: flex; flex-direction: column; border: 1px solid var(--line);
  border-radius: 6px; background: var(--panel);
}
`);
  document.adoptedStyleSheets.push(css);

  // make makes an element: properties, attributes (with a "-", "role", "list"), listeners (on…).
  H.make = (tag, props = {}, ...kids) => {
    const e = document.createElement(tag);
    for (const [k, v] of Object.entries(props)) {
      if (v === undefined || v === null) continue;
      if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
      else if (k === "style") for (const [name, value] of Object.entries(v)) e.style.setProperty(name, value);
      else if (k.includes("-") || k === "role" || k === "list") e.setAttribute(k, v);
      else e[k] = v;
    }
    e.append(.../** @type {(Node | string)[]} */ (kids.filter((x) => x !== null && x !== undefined)));
    return e;
  };

  const shapes = {
    filter: "M10 20a1 1 0 0 0 .553.895l2 1A1 1 0 0 0 14 21v-7a2 2 0 0 1 .517-1.341L21.74 4.67A1 1 0 0 0 21 3H3a1 1 0 " +
      "0 0-.742 1.67l7.225 7.989A2 2 0 0 1 10 14z",
    x: "M18 6 6 18M6 6l12 12",
    up: "m5 12 7-7 7 7M12 19V5",
    down: "M12 5v14M19 12l-7 7-7-7",
    more: "M12 12h.01M12 5h.01M12 19h.01",
    plus: "M5 12h14M12 5v14",
    minus: "M5 12h14",
    fit: "M8 3H5a2 2 0 0 0-2 2v3m18 0V5a2 2 0 0 0-2-2h-3m0 18h3a2 2 0 0 0 2-2v-3M3 16v3a2 2 0 0 0 2 2h3",
    search: "m21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z",
    right: "m9 18 6-6-6-6",
    grip: "M9 12h.01M9 5h.01M9 19h.01M15 12h.01M15 5h.01M15 19h.01",
    edit: "M17 3a2.85 2.83 0 1 1 4 4L7.5 20.5 2 22l1.5-5.5zm-2 2 4 4",
    trash: "M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6m3 0V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2",
  };
  H.icon = (name) => {
    const ns = "http://www.w3.org/2000/svg", svg = document.createElementNS(ns, "svg"),
      path = document.createElementNS(ns, "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", shapes[name]);
    svg.append(path);
    return svg;
  };
  H.iconButton = (icon, name, onclick, more) => H.make("button",
    { className: "icon-button", type: "button", title: name, "aria-label": name, onclick, ...more }, H.icon(icon));
  H.button = (text, title, onclick) => H.make("button", { className: "button", type: "button", title, onclick }, text);

  // popup shows a popover under an element, and takes it away when it closes.
  H.popup = (under, name, className, fill) => {
    const el = H.make("div", { className: "popup " + className, popover: "auto", role: "dialog", "aria-label": name });
    fill(el, () => el.hidePopover());
    under.closest("main,body").append(el);
    el.addEventListener("toggle", (ev) => {
      if (ev.newState === "closed") el.remove();
    });
    el.showPopover();
    const b = under.getBoundingClientRect(), w = el.offsetWidth, h = el.offsetHeight;
    el.style.left = Math.max(6, Math.min(b.left, innerWidth - w - 6)) + "px";
    el.style.top = (b.bottom + 4 + h > innerHeight - 6 ? Math.max(6, b.top - h - 4) : b.bottom + 4) + "px";
    return el;
  };

  // menu shows lines of [text, do] under a button, null is none; arrows move.
  H.menu = (under, name, items) => H.popup(under, name, "menu", (el, close) => {
    el.setAttribute("role", "menu");
    for (const [text, act] of items.filter((x) => x)) {
      el.append(H.make("button",
        { className: "menu-item", type: "button", role: "menuitem", onclick: () => { close(); act(); } }, text));
    }
    el.addEventListener("keydown", (ev) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[ev.key];
      if (!step) return;
      ev.preventDefault();
      const all = [...el.querySelectorAll("button")];
      all[(all.findIndex((b) => b === document.activeElement) + step + all.length) % all.length].focus();
    });
    setTimeout(() => el.querySelector("button")?.focus());
  });

  // question asks for a text under an element; act is what the button says, field what the field
  // has besides. It gives the text, or null if the popup is closed in another way.
  H.question = (under, name, label, act, value, field = {}) => new Promise((done) => {
    let answer = null;
    const el = H.popup(under, name, "question", (pop, close) => {
      const input = H.make("input", { type: "text", className: "text-field", value, ...field });
      const form = H.make("form", {}, H.make("label", { className: "field" },
        H.make("span", { className: "field-name" }, label), input),
        H.make("button", { className: "button primary", type: "submit" }, act));
      form.addEventListener("submit", (ev) => {
        ev.preventDefault();
        answer = input.value;
        close();
      });
      pop.append(form);
      setTimeout(() => input.select());
    });
    el.addEventListener("toggle", (ev) => { if (ev.newState === "closed") done(answer); });
  });

  // copy puts text on the clipboard; a page on plain HTTP from another machine has none, there
  // what is selected is copied.
  H.copy = (text, said) => {
    const failed = () => H.say("The browser does not allow it");
    if (navigator.clipboard) {
      navigator.clipboard.writeText(text).then(() => H.say(said), failed);
      return;
    }
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    if (document.execCommand("copy")) H.say(said); else failed();
    area.remove();
  };

  // say tells screen readers, and whoever looks, for a while.
  H.say = (text) => {
    let list = document.querySelector(".tasks");
    if (!list) document.body.append(list = H.make("div", { className: "tasks" }));
    const line = H.make("div", { className: "task", role: "status" }, text);
    list.append(line);
    setTimeout(() => line.remove(), 6000);
  };

  // tell says something below an element until it is called again; null: no more.
  let told = null;
  H.tell = (under, text) => {
    told?.remove();
    told = null;
    if (!under) return;
    told = H.make("div", { className: "hp-tell", role: "tooltip" }, text);
    under.closest("main,body").append(told);
    const b = under.getBoundingClientRect(), below = b.bottom + 2 + told.offsetHeight < innerHeight;
    told.style.left = Math.max(4, Math.min(b.right - told.offsetWidth, innerWidth - told.offsetWidth - 4)) + "px";
    told.style.top = (below ? b.bottom + 2 : b.top - told.offsetHeight - 2) + "px";
  };

  // asks is what the program answers to a script (widget.Answers), as values: ask(name, wish, …).
  H.asks = (ask) => (name, wish = {}, ...more) => {
    const out = ask(name, JSON.stringify(wish), ...more);
    return typeof out === "string" ? JSON.parse(out) : out ?? null;
  };

  // bytes are those of a text in base64.
  H.bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  // downloadPicture saves a canvas as PNG; remedy says what to do where it is too large.
  H.downloadPicture = (name, canvas, remedy = "") => canvas.toBlob(
    (b) => (b ? H.download(name, "image/png", b) : H.say("The browser cannot make a picture of this size." + remedy)));

  // download saves a file of the parts, texts or buffers.
  H.download = (name, type, ...parts) => {
    const a = H.make("a", { href: URL.createObjectURL(new Blob(parts, { type })), download: name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  };
})();
