// Markdown from event files, as nodes for the page. marked makes HTML of it, DOMPurify
// leaves a list of harmless elements and attributes of that, and what comes back are
// nodes: no string of a file is ever HTML of the page.
//
// Nothing is loaded from elsewhere: a picture that is not in the text itself becomes a
// link to it.
"use strict";
{
  const tags = ["a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "kbd", "li", "ol", "p", "pre", "s", "samp", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul"];
  const attributes = ["align", "alt", "checked", "colspan", "disabled", "href", "open", "rowspan", "src", "start", "title", "type"];
  const purify = DOMPurify(window);
  const markdown = new marked.Marked({ gfm: true, async: false });

  // HTML in a text is shown as it was written, but for the plainest elements: nothing else
  // is even parsed, and the browser has nothing to complain about.
  const plain = /^<\/?(?:b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|kbd|li|ol|p|pre|s|samp|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul)\s*\/?>$/i;
  const escape = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  markdown.use({
    renderer: {
      html: ({ text }) => text.replace(/<[^<>]*>?|[^<]+/g, (part) => (plain.test(part) ? part : escape(part))),
    },
  });

  purify.addHook("afterSanitizeAttributes", (node) => {
    if (node.nodeName === "A" && node.hasAttribute("href")) {
      node.setAttribute("rel", "noopener noreferrer");
      node.setAttribute("target", "_blank");
    }
    // GitHub's task lists, and no other input.
    if (node.nodeName === "INPUT" && (node.getAttribute("type") !== "checkbox" || !node.hasAttribute("disabled"))) node.remove();
    if (node.nodeName === "IMG" && !/^data:image\/(png|jpeg|gif|webp);base64,/i.test(node.getAttribute("src") ?? "")) {
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

  // tbMarkdown returns a text as a DocumentFragment.
  globalThis.tbMarkdown = (text) =>
    purify.sanitize(markdown.parse(text), {
      RETURN_DOM_FRAGMENT: true,
      ALLOWED_TAGS: tags,
      ALLOWED_ATTR: attributes,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/(?:png|jpeg|gif|webp);base64,)/i,
    });
}
