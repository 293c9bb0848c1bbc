// Prism, which comes next, is not to look at the page by itself.
globalThis.Prism = { manual: true };
