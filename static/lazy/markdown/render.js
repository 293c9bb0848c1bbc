// Markdown from event files, as nodes for the page. marked makes HTML of it, DOMPurify
// leaves a list of harmless elements and attributes of that, and what comes back are
// nodes: no string of a file is ever HTML of the page.
//
// Nothing is loaded from elsewhere: a picture that is not in the text itself becomes a
// link to it.
//
// The same script runs in a worker: there it makes HTML of long texts, which a page could
// not afford, and which is given up after a while.
"use strict";
{
  const markdown = new marked.Marked({ gfm: true, async: false });

  // HTML in a text is shown as it was written, but for the plainest elements: nothing else
  // is even parsed, and the browser has nothing to complain about.
  const names = "b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|kbd|li|ol|p|pre|s|samp|span|strong|sub|" +
    "summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul";
  const plain = new RegExp(`^</?(?:${names})\\s*/?>$`, "i");
  const escape = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  markdown.use({
    renderer: {
      html: ({ text }) => text.replace(/<[^<>]*>?|[^<]+/g, (part) => (plain.test(part) ? part : escape(part))),
    },
  });

  if (typeof document === "undefined") {
    globalThis.onmessage = ({ data }) => {
      try {
        postMessage({ html: markdown.parse(data) });
      } catch (e) { postMessage({ error: String(e.message ?? e).split("\n")[0] }); }
    };
    postMessage({ ready: true });
  } else {
    page();
  }

  function page() {
    const tags = ["a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl", "dt",
      "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "kbd", "li", "ol", "p", "pre", "s", "samp",
      "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul"];
    const attributes = ["align", "alt", "checked", "colspan", "disabled", "href", "open", "rowspan", "src", "start",
      "title", "type"];
    const purify = DOMPurify(window);
    const TIME = 3000; // ms after which a long text is not laid out
    const SHORT = 2000; // characters that are laid out at once

    // Of a class only the language of a fenced code stays, and not as a class.
    const languages = new WeakMap();
    purify.addHook("beforeSanitizeAttributes", (node) => {
      const language = node.nodeName === "CODE" &&
        /^language-([a-z0-9+#-]{1,20})$/i.exec(node.getAttribute("class") ?? "");
      if (language) languages.set(node, language[1].toLowerCase());
    });

    purify.addHook("afterSanitizeAttributes", (node) => {
      if (languages.has(node)) node.setAttribute("data-language", languages.get(node));
      if (node.nodeName === "A" && node.hasAttribute("href")) {
        node.setAttribute("rel", "noopener noreferrer");
        node.setAttribute("target", "_blank");
      }
      // GitHub's task lists, and no other input.
      if (node.nodeName === "INPUT" && (node.getAttribute("type") !== "checkbox" || !node.hasAttribute("disabled"))) {
        node.remove();
      }
      if (node.nodeName === "IMG" &&
          !/^data:image\/(png|jpeg|gif|webp);base64,/i.test(node.getAttribute("src") ?? "")) {
        const link = document.createElement("a");
        const address = node.getAttribute("src") ?? "";
        link.textContent = node.getAttribute("alt") || address || "picture";
        if (/^https?:/i.test(address)) {
          link.href = address;
          link.rel = "noopener noreferrer";
          link.target = "_blank";
        }
        node.replaceWith(link);
      }
    });

    const clean = (html) => {
      const nodes = purify.sanitize(html, {
        RETURN_DOM_FRAGMENT: true,
        ALLOWED_TAGS: tags,
        ALLOWED_ATTR: attributes,
        ALLOW_DATA_ATTR: false,
        ALLOW_ARIA_ATTR: false,
        ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
      });
      const codes = [...nodes.querySelectorAll("pre > code[data-language]")];
      if (codes.length) colour(codes);
      return nodes;
    };
    const colour = (codes) => {
      const all = () => { for (const c of codes) globalThis.tbCode(c, c.dataset.language); };
      if (globalThis.tbCode) all(); else tbBoot.load("code").then(all, () => {}); // it is read without colours, too
    };

    // tbMarkdown returns a short text as a DocumentFragment, undefined for a long one.
    globalThis.tbMarkdown = (text) => (text.length <= SHORT ? clean(markdown.parse(text)) : undefined);

    // tbMarkdownSoon is a promise of any text as a DocumentFragment. It is rejected for one
    // that is too intricate: some texts take a parser minutes.
    let worker = null, ready = false, last = Promise.resolve();
    globalThis.tbMarkdownSoon = (text) => (last = last.catch(() => {}).then(() => new Promise((done, failed) => {
      worker ??= tbBoot.worker("markdown");
      const end = () => { worker.terminate(); worker = null; ready = false; };
      let timer = 0;
      const begin = () => {
        ready = true;
        timer = setTimeout(() => { end(); failed(new Error("this text is too intricate to be laid out")); }, TIME);
        worker.postMessage(text);
      };
      worker.onerror = (e) => {
        e.preventDefault();
        clearTimeout(timer);
        end();
        failed(new Error("this text cannot be laid out"));
      };
      worker.onmessage = ({ data }) => {
        if (data.ready) { begin(); return; }
        clearTimeout(timer);
        if (data.error) failed(new Error("this text cannot be laid out: " + data.error)); else done(clean(data.html));
      };
      if (ready) begin();
    })));
  }
}
