// What the tests' hands need in every page, before its own scripts: what the browser
// reports in different ways as errors of the console, whether the page is at rest, and
// what a click has hit.
globalThis.tbHands = (() => {
	addEventListener("securitypolicyviolation", (e) => console.error(
		"content security policy: " + e.violatedDirective + " blocked " + (e.blockedURI || e.sample) + " at " + e.sourceFile +
		  ":" + e.lineNumber));
	addEventListener("unhandledrejection", (e) => console.error("unhandled rejection: " + (e.reason?.stack || e.reason)));

	// Tests may hold the page's clock; the hands have the browser's.
	const later = setTimeout.bind(globalThis), now = performance.now.bind(performance),
	  frame = requestAnimationFrame.bind(globalThis);
	const pause = (ms) => new Promise((done) => later(done, ms));

	// A page is at rest when it has loaded, wants no frame, and waits for no answer: of a
	// worker to a query, or of the net to what the page itself fetches.
	const frames = new Set(), queries = new Map();
	let fetches = 0;
	globalThis.requestAnimationFrame = (f) => {
		const id = frame((t) => {
			frames.delete(id);
			f(t);
		});
		frames.add(id);
		return id;
	};
	const cancel = cancelAnimationFrame.bind(globalThis);
	globalThis.cancelAnimationFrame = (id) => {
		frames.delete(id);
		cancel(id);
	};
	const ask = globalThis.fetch;
	globalThis.fetch = function (...all) {
		fetches++;
		return ask.apply(this, all).finally(() => fetches--);
	};
	const post = Worker.prototype.postMessage, end = Worker.prototype.terminate;
	Worker.prototype.postMessage = function (message, ...rest) {
		let open = queries.get(this);
		if (!open) {
			queries.set(this, (open = new Set()));
			const come = (data) => {
				if (data?.op === "answer" && !data.more) open.delete(data.id);
				if (data?.dead || data?.op === "dead") open.clear();
			};
			// What comes late by a test's wish (tbLate, in ms) has not come before.
			this.addEventListener("message",
				({ data }) => (globalThis.tbLate ? later(come, tbLate + 1, data) : come(data)));
			this.addEventListener("error", () => open.clear());
		}
		if (message?.op === "query") open.add(message.id);
		if (message?.op === "cancel") open.delete(message.id);
		return post.call(this, message, ...rest);
	};
	Worker.prototype.terminate = function () {
		queries.delete(this);
		return end.call(this);
	};
	// busy says in words why the page is not at rest, "" if it is.
	const busy = () => {
		let asked = 0;
		for (const open of queries.values()) asked += open.size;
		if (document.readyState !== "complete") return "the page is loading";
		if (fetches) return fetches + " requests are under way";
		if (asked) return asked + " queries have no answer";
		if (frames.size && !document.hidden) return frames.size + " frames are wanted";
		if (globalThis.tbPaint && !tbPaint.idle()) return "charts wait for their turn";
		return "";
	};
	// rest waits until the page has been at rest for a turn and a frame, for some time; it
	// gives why it is not.
	const rest = async (ms) => {
		for (const end = now() + ms; ;) {
			const why = busy();
			if (!why) {
				await pause(0);
				if (!busy()) return "";
			} else if (now() > end) return why;
			await pause(4);
		}
	};
	// until asks ok until it gives something true, for some time; it gives what that was, and
	// what was thrown last.
	const until = async (ms, ok) => {
		for (const end = now() + ms; ;) {
			let value, thrown = "";
			try {
				value = await ok();
			} catch (e) {
				thrown = String(e);
			}
			if (value || now() > end) return { value: value || null, thrown };
			await pause(12);
		}
	};

	// A press is for one element: what meets another one does not reach the page, and the
	// hand that finds so aims anew.
	let meant, met;
	const events = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
	const guard = (e) => {
		if (!meant || !e.isTrusted) return;
		if (e.type === "pointerdown" && met === undefined) {
			const target = e.composedPath()[0];
			met = meant.contains(target) || !!meant.labels && [...meant.labels].some((l) => l.contains(target));
		}
		if (met !== false) return;
		e.stopImmediatePropagation();
		e.preventDefault();
	};
	for (const type of events) addEventListener(type, guard, true);
	const mean = (e) => {
		meant = e;
		met = undefined;
	};
	const hit = () => {
		meant = undefined;
		return met !== false;
	};
	// loose says in words which ids two elements have, and what leads to an id that is not there.
	const loose = () => {
		const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
		const twice = ids.filter((id, i) => !id || ids.indexOf(id) !== i).map((id) => "two elements are #" + id);
		const lost = ["aria-labelledby", "aria-describedby", "aria-activedescendant"].flatMap((by) =>
			[...document.querySelectorAll("[" + by + "]")]
				.filter((e) => e.getAttribute(by).split(" ").some((id) => !ids.includes(id)))
				.map((e) => by + " leads nowhere: " + e.outerHTML.slice(0, 160)));
		return twice.concat(lost);
	};
	return { busy, rest, until, pause, loose,
	  frame: () => new Promise((done) => (document.hidden ? later(done, 16) : frame(done))), mean, hit };
})();
