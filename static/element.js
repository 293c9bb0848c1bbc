// Makes the page's elements and puts them in order; stands before the painter's scripts.
"use strict";

// tbElement makes an element of its tag, its class and its attributes, which stand behind
// each other in one text, a NUL between them: a string that Go hands over costs about as
// much as making the element does.
globalThis.tbElement = (text) => {
  const parts = text.split("\0");
  const e = document.createElement(parts[0]);
  if (parts[1]) e.className = parts[1];
  for (let i = 2; i < parts.length; i += 2) e.setAttribute(parts[i], parts[i + 1]);
  return e;
};

// tbArrange makes nodes the children of an element, in their order; what stays is not touched.
globalThis.tbArrange = (parent, ...kids) => {
  const keep = new Set(kids);
  // Those that do not belong go first, or everything behind one would be moved.
  for (let c = parent.firstChild; c;) {
    const next = c.nextSibling;
    if (!keep.has(c)) c.remove();
    c = next;
  }
  let at = parent.firstChild;
  for (const k of kids) {
    if (k === at) at = at.nextSibling;
    else parent.insertBefore(k, at);
  }
};

// tbSizes is a ResizeObserver that tells also when the window has come to a screen of other pixels, or was
// zoomed (uPlot finds out: dppxchange): there may be as much room as before, and all is drawn anew.
globalThis.tbSizes = (told) => {
  const sizes = new ResizeObserver(told), all = [];
  const again = () => {
    for (const e of all) {
      sizes.unobserve(e);
      sizes.observe(e);
    }
  };
  addEventListener("dppxchange", again);
  return {
    observe: (e) => {
      all.push(e);
      sizes.observe(e);
    },
    disconnect: () => {
      removeEventListener("dppxchange", again);
      sizes.disconnect();
    },
  };
};
