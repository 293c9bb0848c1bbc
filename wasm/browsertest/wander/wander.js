// What a hand that wanders finds in the page, and what must never be there: texts that come from
// no value, a page wider than its window, controls that nobody could name, two of one id.
globalThis.tbWander = (() => {
	let still = 0;
	try {
		new PerformanceObserver((list) => {
			for (const e of list.getEntries()) still = Math.max(still, e.duration);
		}).observe({ type: "longtask" });
	} catch {} // Firefox knows no long tasks

	const name = (e) => (e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.getAttribute("title") ||
	  e.placeholder || e.textContent || "").trim().replace(/\s+/g, " ").slice(0, 60);
	const say = (e) => {
		const part = e.closest("article,section,dialog,[role=dialog],nav,aside,header,[role=row],tr");
		const where = part && part !== e ? " in '" + name(part).slice(0, 30) + "'" : "";
		return (e.getAttribute("role") || e.localName) + " '" + name(e) + "'" + where;
	};
	const focus = () => (document.activeElement === document.body ? "" : say(document.activeElement));

	// places are what can be acted on and is on the screen, in the dialog that is open if there is one.
	const acts = "button,a[href],input,select,textarea,summary,canvas,svg,label,[tabindex='0']," +
	  ["button", "tab", "menuitem", "option", "row", "slider", "separator", "treeitem"].map((r) => `[role=${r}]`).join();
	const leave = "[type=file],[type=color],:disabled,a[href^=http],a[target=_blank],[data-testid=open-folder]";
	const kindOf = (e, b) => {
		if (e.localName === "canvas" || e.localName === "svg" && b.width > 100) return "draw";
		if (e.localName === "select") return "choose";
		if (e.type === "range" || e.getAttribute("role") === "slider") return "slide";
		return e.matches("textarea,input:not([type=checkbox],[type=radio])") ? "fill" : "click";
	};
	const places = () => {
		const out = [], top = [...document.querySelectorAll("dialog[open]")].pop() || document;
		for (const e of top.querySelectorAll(acts)) {
			if (e.matches(leave)) continue;
			const b = e.getBoundingClientRect();
			if (b.width < 2 || b.height < 2 || b.left < 0 || b.top < 0 || b.right > innerWidth || b.bottom > innerHeight)
				continue;
			const Kind = kindOf(e, b), hit = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
			if (!e.contains(hit) && !(Kind === "draw" && hit?.contains(e))) continue;
			out.push({ Name: say(e), Kind, X: b.left, Y: b.top, W: b.width, H: b.height, Of: e.options?.length || 0 });
		}
		return out;
	};
	const choose = (x, y, i) => {
		const e = document.elementFromPoint(x, y)?.closest("select");
		if (!e?.options.length) return "nothing";
		e.selectedIndex = i % e.options.length;
		e.dispatchEvent(new Event("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true }));
		return e.value;
	};
	const twice = (x, y) => {
		document.elementFromPoint(x, y)?.click?.();
		document.elementFromPoint(x, y)?.click?.();
	};
	const visible = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
	const never = [/\bundefined\b/, /\[object /, /has stopped/, /%!\w\(/, /<nil>/];
	const fields = "button,a[href],select,input:not([type=hidden],[type=file]),textarea";
	const look = () => {
		const Wrong = [], text = document.body.innerText;
		for (const bad of never) {
			const at = text.search(bad);
			if (at >= 0) Wrong.push("it says: …" + text.slice(Math.max(0, at - 60), at + 60) + "…");
		}
		const wide = document.documentElement.scrollWidth;
		if (wide > innerWidth) Wrong.push("it is " + wide + " px wide in a window of " + innerWidth);
		for (const e of document.querySelectorAll(fields)) {
			if (!name(e) && !e.getAttribute("aria-labelledby") && visible(e))
				Wrong.push("nobody can name " + e.outerHTML.slice(0, 120));
		}
		Wrong.push(...tbHands.loose());
		const Still = still;
		still = 0;
		return { Wrong, Still };
	};
	// seen is what is on the screen: cards below it are drawn when they are come to.
	const seen = (e) => {
		const b = e.getBoundingClientRect();
		return visible(e) && b.bottom > 0 && b.top < innerHeight && b.right > 0 && b.left < innerWidth;
	};
	// shown is what the page says and is set to, without what is of the moment.
	const shown = () => {
		const out = [], states = ["aria-pressed", "aria-selected", "aria-expanded"];
		for (const e of document.querySelectorAll("main *, aside *, nav *")) {
			if (e.closest(".run-columns,.run-value")) continue; // of the card that was pointed at last
			const s = e.children.length || !seen(e) ? "" : e.textContent.trim();
			if (s && s.length < 200 && !/ ago|\b\d\d:\d\d/.test(s)) out.push(s);
		}
		for (const e of document.querySelectorAll("input:not([type=file]),select")) {
			if (seen(e)) out.push(name(e) + " = " + (/checkbox|radio/.test(e.type) ? e.checked : e.value));
		}
		for (const e of document.querySelectorAll(states.map((s) => `[${s}]`).join())) {
			if (seen(e)) out.push(name(e) + ": " + states.map((s) => e.getAttribute(s) || "").join());
		}
		return out;
	};
	// top scrolls all to its begin.
	const top = () => {
		for (const e of document.querySelectorAll("*")) {
			if (e.scrollTop) e.scrollTop = 0;
			if (e.scrollLeft) e.scrollLeft = 0;
		}
	};
	// data is what the page has read, each as a line.
	const data = async () => {
		const api = globalThis.tensorbored, out = [];
		for (const r of await api.runs()) out.push(["run", r.name, r.startTime, r.files].join(" "));
		const all = await api.tags();
		for (const run in all) {
			for (const tag in all[run]) {
				const t = all[run][tag];
				let line = [run, tag, t.plugin, t.points, t.description].join(" ");
				if (t.plugin === "scalars") {
					const s = await api.scalars(run, tag);
					for (const k of ["step", "wallTime", "value"]) line += " " + s[k].reduce((a, v, i) => a + v * (i % 97 + 1), 0);
				}
				out.push(line);
			}
		}
		for (const l of api.status().lost) out.push("lost " + [l.run, l.file, l.offset, l.kind, l.count].join(" "));
		return out;
	};
	// aside has another tab of the same storage, which is a frame, do one of its things; a and b, from 0 to
	// 1, choose it.
	const some = (a, b) => {
		const all = places().filter((p) => p.Kind !== "draw"), p = all[Math.floor(a * all.length)];
		if (!p) return "nothing";
		const x = p.X + p.W / 2, y = p.Y + p.H / 2, e = document.elementFromPoint(x, y);
		if (p.Kind === "choose") choose(x, y, Math.floor(b * p.Of));
		else if (p.Kind === "click") e?.click?.();
		else if (e?.matches("input,textarea")) {
			const text = ["loss", "a", "0.9", "", "12"][Math.floor(b * 5)];
			e.value = p.Kind === "slide" ? Number(e.min) + b * (e.max - e.min) : text;
			for (const name of ["input", "change"]) e.dispatchEvent(new Event(name, { bubbles: true }));
		}
		return p.Kind + " " + p.Name;
	};
	const aside = (a, b) => {
		const frame = document.querySelector("iframe.wander");
		if (!frame) {
			const f = Object.assign(document.createElement("iframe"), { className: "wander", src: location.href });
			f.style.cssText = "position:fixed;left:0;top:100vh;width:1300px;height:900px";
			document.body.append(f);
			return "another tab";
		}
		const of = frame.contentWindow;
		return of.tensorbored ? "in the other tab: " + of.tbWander.some(a, b) : "the other tab loads";
	};
	globalThis.print = () => {}; // its dialog holds Firefox
	if (window !== window.top) { // a tab has its own
		const own = {};
		const sessionStorage = { getItem: (k) => own[k] ?? null, setItem: (k, v) => { own[k] = String(v); },
			removeItem: (k) => { delete own[k]; } };
		Object.defineProperty(window, "sessionStorage", { value: sessionStorage });
	}
	return { aside, some, data, places, choose, twice, look, shown, top, focus };
})();
