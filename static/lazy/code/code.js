// Code with colours, as nodes for the page: Prism cuts it into tokens, and nothing of it is
// ever HTML.
"use strict";
{
  const MOST = 20_000; // characters that are coloured; longer code stays plain

  const nodes = (tokens) => {
    const out = document.createDocumentFragment();
    for (const t of Array.isArray(tokens) ? tokens : [tokens]) {
      if (typeof t === "string") { out.append(t); continue; }
      const span = document.createElement("span");
      span.className = "code-" + String(t.type).replace(/[^a-z-]/g, "");
      span.append(nodes(t.content));
      out.append(span);
    }
    return out;
  };

  // tbCode colours what stands in an element, if the language is known.
  globalThis.tbCode = (element, language) => {
    const grammar = Object.hasOwn(Prism.languages, language) && typeof Prism.languages[language] === "object"
      ? Prism.languages[language] : null;
    const text = element.textContent;
    if (grammar && text.length <= MOST) element.replaceChildren(nodes(Prism.tokenize(text, grammar)));
  };
}
