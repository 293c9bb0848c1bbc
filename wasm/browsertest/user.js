// What a user, or a screen reader, finds on a page: elements by role and accessible
// name, as in https://www.w3.org/TR/html-aam-1.0/, as far as this project's page needs.
globalThis.tbUser ??= (() => {
	const inputs = { checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
		color: "color", text: "textbox" };
	const tags = {
		A: (e) => (e.hasAttribute("href") ? "link" : ""), ARTICLE: () => "article", ASIDE: () => "complementary",
		BUTTON: () => "button",
		DIALOG: () => "dialog", FOOTER: () => "contentinfo", H1: () => "heading", H2: () => "heading", H3: () => "heading",
		HEADER: () => "banner",
		INPUT: (e) => inputs[e.type] ?? "", LI: () => "listitem", MAIN: () => "main", NAV: () => "navigation",
		OPTION: () => "option",
		SECTION: (e) => (e.ariaLabel ? "region" : ""), SELECT: () => "combobox", TABLE: () => "table",
		TEXTAREA: () => "textbox", TD: () => "cell", TH: () => "columnheader",
		TR: () => "row", UL: () => "list",
	};
	const role = (e) => e.getAttribute("role") || tags[e.tagName]?.(e) || "";
	const text = (e) => (e.innerText ?? e.textContent).replace(/\s+/g, " ").trim();
	// Names that come from what is inside.
	const inside = new Set(["button", "link", "heading", "menuitem", "option", "cell", "gridcell", "columnheader", "row",
		"listitem", "status"]);
	const name = (e) => {
		if (e.ariaLabel) return e.ariaLabel;
		if (e.labels?.length) return text(e.labels[0]);
		return (inside.has(role(e)) && text(e)) || e.title || e.placeholder || "";
	};
	// What is hidden, inert or behind a modal dialog is there for nobody.
	const there = (e) => {
		const modal = [...document.querySelectorAll("dialog:modal")].at(-1); // of several the last one lies on top
		return e.checkVisibility({ visibilityProperty: true }) && !e.closest("[inert]") && (!modal || modal.contains(e));
	};
	// all finds elements in the one that path names; a name that ends with * is a beginning.
	const all = (path, /** @type {ParentNode} */ root = document) => {
		const [[wanted, called], ...rest] = path;
		const fits = called.endsWith("*") ? (n) => n.startsWith(called.slice(0, -1)) : (n) => n === called;
		const found = [...root.querySelectorAll("*")].filter(
			(e) => role(e) === wanted && (called === "*" || fits(name(e))) && there(e));
		return rest.length ? found.flatMap((e) => all(rest, e)) : found;
	};
	// aim is where to point at an element, or at its label where it has one; free says
	// whether its middle can be hit. What cannot is scrolled into sight first.
	const aim = (e) => {
		const target = e.labels?.[0] ?? e;
		const look = () => {
			const r = target.getBoundingClientRect(), hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return { left: r.left, top: r.top, width: r.width, height: r.height, free: !!hit && target.contains(hit) };
		};
		const now = look();
		if (now.free) return now;
		target.scrollIntoView({ block: "center", inline: "nearest" });
		return look();
	};
	return { role, name, text, all, aim };
})();
