//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/board"
	"github.com/tensorbored/tensorbored-static/wasm/boards"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest/looks"
)

// misfits is a script that gives what does not fit on the screen as it is, in words:
//   - the page, or what is in it, is wider than its window;
//   - words are cut where no mark says so: on controls, in boxes that show a part, in the fields
//     of words that say what to type, and on the lists that one chooses from;
//   - a control is covered by something else, so that a click would meet that;
//   - two labels of an axis lie on each other.
//
// What scrolls sideways on purpose shows a part of what is in it.
const misfits = `globalThis.tbMisfits = () => {
	const out = [], seen = (e) => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
	const said = (e) => (e.ariaLabel || e.getAttribute("aria-label") || e.innerText || e.className?.baseVal || e.className || e.tagName) + "";
	const name = (e) => e.tagName.toLowerCase() + " " + JSON.stringify(said(e).trim().replace(/\s+/g, " ").slice(0, 60));
	const sideways = (e) => { const s = getComputedStyle(e).overflowX; return s === "auto" || s === "scroll"; };
	if (document.documentElement.scrollWidth > innerWidth) out.push("the page is wider than its window");
	const main = document.querySelector("main");
	if (main.scrollWidth > main.clientWidth) out.push("the dashboard is " + main.scrollWidth + " pixels wide and has " + main.clientWidth);

	// Words: where a box that hides what is beyond it cuts them, a mark has to say so. bound is
	// what is seen of an element's inside, marked if its box says by a mark that it is cut.
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
	for (let n; (n = walk.nextNode());) {
		if (!n.data.trim() || !seen(n.parentElement)) continue;
		if (n.parentElement.closest(".visually-hidden, option, script, style, pre, svg, [aria-hidden=true]")) continue;
		range.selectNodeContents(n);
		const r = range.getBoundingClientRect();
		if (!r.width || !r.height) continue;
		for (let e = n.parentElement; e !== document.body; e = e.parentElement) {
			const s = getComputedStyle(e);
			if (s.overflowX === "visible" && s.overflowY === "visible" && s.clipPath === "none") { if (s.position === "fixed") break; continue; }
			if (s.clipPath !== "none") break;
			const b = e.getBoundingClientRect();
			if (b.width <= 1 || b.height <= 1) break;
			if (s.textOverflow === "ellipsis" || sideways(e) && e !== main) break;
			if (r.right > b.right + 1.5 || r.left < b.left - 1.5) { out.push("cut: " + JSON.stringify(n.data.slice(0, 60)) + " in " + name(e)); break; }
			if (s.overflowY === "hidden" && (r.bottom > b.bottom + 3 || r.top < b.top - 3)) {
				if (r.top < b.bottom - 3 && r.bottom > b.top + 3) out.push("cut across: " + JSON.stringify(n.data.slice(0, 60)) + " in " + name(e));
				break;
			}
			if (s.overflowY === "auto" || s.overflowY === "scroll") { if (!(r.right > innerWidth)) break; }
		}
	}

	const pen = document.createElement("canvas").getContext("2d");
	const wide = (e, words) => {
		const s = getComputedStyle(e);
		pen.font = s.font || [s.fontStyle, s.fontWeight, s.fontSize, s.fontFamily].join(" ");
		return [pen.measureText(words).width, e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight)];
	};
	for (const e of document.querySelectorAll("input[placeholder], select")) {
		if (!seen(e)) continue;
		const words = e.tagName === "SELECT" ? e.selectedOptions[0]?.text ?? "" : e.value || e.placeholder;
		if (e.value && e.tagName === "INPUT") continue; // what somebody typed may be long
		const [need, have] = wide(e, words), arrow = e.tagName === "SELECT" ? 18 : 0;
		if (need > have - arrow + 1 && getComputedStyle(e).textOverflow !== "ellipsis") out.push("cut: " + JSON.stringify(words) + " needs " + Math.round(need + arrow) + " of " + Math.round(have) + " pixels in " + name(e));
	}

	for (const e of document.querySelectorAll(".pr-table td.name")) {
		range.selectNodeContents(e);
		e.style.textOverflow = "clip"; // of words with an ellipsis a browser measures what is left
		const end = range.getBoundingClientRect().right;
		e.style.textOverflow = "";
		if (end > e.getBoundingClientRect().right - 3) out.push("cut: " + name(e) + " in the table");
	}
	for (const e of document.querySelectorAll(".pr-table")) {
		const step = [...e.querySelectorAll("tr > :nth-child(2)")], names = [...e.querySelectorAll("td.name")];
		if (step[0]?.checkVisibility() && new Set(step.slice(1).map((s) => s.textContent)).size === 1 && names.some((n) => n.textContent.includes("…")))
			out.push("names are cut beside a step that all have: " + JSON.stringify(names.map((n) => n.textContent)));
	}
	for (const e of document.querySelectorAll(".pr-table")) if (e.scrollWidth > e.clientWidth) out.push("the table below PR curves is wider than its card");

	// Controls: each of which a part is seen can be clicked there.
	for (const e of document.querySelectorAll("button, a[href], select, input, summary, [role=radio], [role=tab], [tabindex='0'][role=slider]")) {
		const target = e.tagName === "INPUT" && e.closest("label") || e;
		if (!seen(target) || e.closest(".visually-hidden, .skip")) continue;
		let {left, top, right, bottom} = target.getBoundingClientRect();
		if (right - left < 2 || bottom - top < 2) continue;
		const whole = right - left;
		let strip = false;
		for (let p = target.parentElement; p && p !== document.body; p = p.parentElement) {
			const s = getComputedStyle(p);
			if (s.overflowX === "visible" && s.overflowY === "visible") continue;
			const b = p.getBoundingClientRect();
			left = Math.max(left, b.left); right = Math.min(right, b.right); top = Math.max(top, b.top); bottom = Math.min(bottom, b.bottom);
			if (!strip && !sideways(p) && right - left < whole - 1.5 && right > left && bottom > top) out.push("cut: " + name(e) + " by " + name(p));
			strip ||= sideways(p);
		}
		left = Math.max(left, 0); top = Math.max(top, 0); right = Math.min(right, innerWidth); bottom = Math.min(bottom, innerHeight);
		if (right - left < 6 || bottom - top < 6) continue;
		const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
		if (!hit || target.contains(hit) || hit.contains(target) && !hit.matches("button, a, label, select") || hit.closest("label")?.contains(e)) continue;
		if (getComputedStyle(target).pointerEvents === "none") continue;
		out.push(name(e) + " is covered by " + name(hit));
	}

	// Labels on canvases: those of one line, or that begin at one place.
	for (const c of document.querySelectorAll("canvas")) {
		if (!seen(c)) continue;
		const all = tbSaid(c).filter((s) => s.text.trim() && !s.turned).map((s) => ({text: s.text, ...s.box}));
		for (let i = 0; i < all.length; i++) for (let k = i + 1; k < all.length; k++) {
			const a = all[i], b = all[k];
			if (a.text === b.text && Math.abs(a.left - b.left) < 1 && Math.abs(a.top - b.top) < 1) continue; // drawn again
			const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			if (w > 1 && h > 3) out.push("labels on each other: " + JSON.stringify([a.text, b.text]) + " in " + name(c.closest("article") ?? c));
		}
	}
	return [...new Set(out)];
}`

// Everything on every dashboard fits its window, from a large screen to a phone: words that are
// cut say so, nothing covers a control, no labels lie on each other. Names of runs are long.
func TestPageFits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := looks.Fill(dir, 24); err != nil {
		t.Fatal(err)
	}
	all := boards.All()
	for half, list := range [][]board.Board{all[:len(all)/2], all[len(all)/2:]} {
		for _, kind := range browsertest.Kinds {
			t.Run(fmt.Sprintf("%s, dashboards %d", kind, half+1), func(t *testing.T) {
				t.Parallel()
				s := come(t, kind, dir)
				s.Before(misfits)
				s.fresh("#" + list[0].About().ID)
				for _, b := range list {
					s.Resize(1920, 1080)
					s.Eval(fmt.Sprintf(`void (location.hash = %q)`, "#"+b.About().ID), nil)
					s.Wait(there)
					for _, size := range [][2]int{{1920, 1080}, {1280, 800}, {768, 1024}, {640, 400}, {390, 844}} {
						s.Resize(size[0], size[1])
						s.Until(func() string {
							var found []string
							if err := s.TryEval(`tbMisfits()`, &found); err != nil {
								return err.Error()
							}
							if len(found) == 0 {
								return ""
							}
							return fmt.Sprintf("%s, %d × %d:\n%s", b.About().Title, size[0], size[1], strings.Join(found[:min(len(found), 12)], "\n"))
						})
					}
				}
			})
		}
	}
}

// The title of a card has what the runs of the cards beside it leave, and no less because a run that is elsewhere has a
// long name. What stands above the cards goes first, if all else has room then.
func TestPageTitlesRoom(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	const tag = "of_a_layer/the_name_of_a_tag_that_has_no_room_beside_a_run"
	const grouped, short = "a_group_of_many_tags/which_has_a_long_name_of_its_own", "…which_has_a_long_name_of_its_own"
	l.file("a", "1700000000.host.1.0", func(w *summary.Buffer) {
		w.Text(tag, "told", 1, summary.WallSeconds(1700000000))
		w.Text(grouped, "told", 1, summary.WallSeconds(1700000000))
	})
	l.run("experiments/a_run_with_a_name_of_its_own/seed_17", map[string][]point{"loss": {at(0, epoch, 1)}})
	s := come(t, browsertest.Chromium, l.dir)
	s.fresh("#text")
	s.Control("article", grouped+"*").Is(`e.querySelector("h3").innerText === "` + short + `"`)
	s.Control("article", tag+"*").Is(`((h, text, run) => {
		text.selectNodeContents(h);
		const free = run.getBoundingClientRect().left - text.getBoundingClientRect().right;
		return /…/.test(h.innerText) && free > 0 && free < 70;
	})(e.querySelector("h3"), document.createRange(), [...e.querySelectorAll("h3 ~ *")].find((r) => r.textContent === "a"))`)
}
