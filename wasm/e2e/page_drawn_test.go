//go:build !js

package e2e

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// What a chart draws, as text, is held against a file that somebody has read and found right:
// testdata/drawn/NAME.txt. It says lines, areas and words in the order in which they are drawn,
// so the last ones are on top, with colours, and places in pixels of the canvas. An axis that
// is swapped, a line that does not fade, a tick at the wrong place is a line that differs.
//
// What an element says is held against testdata/said/NAME.txt in the same way: each control,
// row and text on a line of its own, as a user and a screen reader find them.
//
// With DRAWN=write a test writes its files and fails: read what has changed, and run it again.

// drawing is a script that keeps what is drawn on canvases; tbInk(element) gives it for those
// in an element. All words are as wide as they have letters, so that no font decides where
// things stand. It takes time: only tests that ask for it have it.
const drawing = `if (globalThis.CanvasRenderingContext2D) {
	const P = CanvasRenderingContext2D.prototype, kept = new WeakMap(), paths = new WeakMap();
	const round = (v) => Number.isFinite(v) ? String(Math.round(v * 10) / 10) : "none";
	const list = (map, key) => map.get(key) ?? map.set(key, []).get(key);
	const most = 24; // points of a line that are told
	const through = (path, m) => {
		const at = (x, y) => round(m.a * x + m.c * y + m.e) + "," + round(m.b * x + m.d * y + m.f);
		return path.map(([name, ...v]) => {
			switch (name) {
				case "moveTo": return "M" + at(v[0], v[1]);
				case "lineTo": return "L" + at(v[0], v[1]);
				case "arc": return "circle " + at(v[0], v[1]) + " " + round(v[2] * m.a);
				case "rect": case "roundRect": return "box " + at(v[0], v[1]) + " " + round(v[2] * m.a) + "," + round(v[3] * m.d);
				case "closePath": return "Z";
				default: return name + " " + v.map((x) => typeof x === "number" ? round(x) : "").join(",");
			}
		});
	};
	const style = (s) => typeof s === "string" ? s : "pattern";
	// note keeps a line: what it is, and after a bar the places.
	const note = (ctx, what, places) => {
		const faint = ctx.globalAlpha < 1 ? ", " + round(ctx.globalAlpha * 100) + "%" : "", n = places.length;
		const of = n > most ? ", a part of " + n : "", every = Math.ceil(n / most);
		list(kept, ctx.canvas).push(what + faint + of + " | " + places.filter((_, i) => i % every === 0 || i === n - 1).join(" "));
	};
	const pen = (ctx) => style(ctx.strokeStyle) + " " + round(ctx.lineWidth * ctx.getTransform().a) + " wide" + (ctx.getLineDash().length ? ", dashed" : "");
	const wrap = (proto, name, before) => {
		const old = proto[name];
		if (!old) return;
		proto[name] = function (...args) { before(this, args); return old.apply(this, args); };
	};
	for (const name of ["moveTo", "lineTo", "arc", "rect", "roundRect", "closePath", "bezierCurveTo", "quadraticCurveTo", "arcTo", "ellipse"]) {
		wrap(P, name, (c, args) => list(paths, c).push([name, ...args]));
		wrap(Path2D.prototype, name, (p, args) => list(paths, p).push([name, ...args]));
	}
	wrap(P, "beginPath", (c) => paths.set(c, []));
	const path = (c, args) => through(list(paths, args[0] instanceof Path2D ? args[0] : c), c.getTransform());
	wrap(P, "stroke", (c, args) => note(c, "line " + pen(c), path(c, args)));
	wrap(P, "fill", (c, args) => note(c, "area " + style(c.fillStyle), path(c, args)));
	wrap(P, "clip", (c, args) => note(c, "within", path(c, args)));
	wrap(P, "fillRect", (c, args) => note(c, "area " + style(c.fillStyle), through([["rect", ...args]], c.getTransform())));
	wrap(P, "strokeRect", (c, args) => note(c, "line " + pen(c), through([["rect", ...args]], c.getTransform())));
	// What is drawn on a canvas of its own, out of sight, and then put into the picture is told there.
	wrap(P, "drawImage", (c, [image, ...v]) => {
		note(c, "picture", [image.width + "," + image.height + " at", ...v.map(round)]);
		list(kept, c.canvas).push(...(kept.get(image) ?? []).map((line) => "  " + line));
	});
	wrap(P, "putImageData", (c, [image, ...v]) => note(c, "pixels", [image.width + "," + image.height + " at", ...v.map(round)]));
	wrap(P, "fillText", (c, [text, x, y]) => note(c, "text " + JSON.stringify(String(text)) + " " + style(c.fillStyle) + " " + c.textAlign + " " + c.textBaseline +
		(c.getTransform().b ? " turned" : ""), through([["moveTo", x, y]], c.getTransform())));
	wrap(P, "clearRect", (c, [x, y, w, h]) => {
		const m = c.getTransform();
		if (w * m.a >= c.canvas.width && h * m.d >= c.canvas.height) kept.delete(c.canvas);
	});
	for (const name of ["width", "height"]) {
		const old = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, name);
		Object.defineProperty(HTMLCanvasElement.prototype, name, {...old, set(v) { kept.delete(this); old.set.call(this, v); }});
	}
	P.measureText = function (text) {
		const size = parseFloat(/([\d.]+)px/.exec(this.font)?.[1] ?? "10"), width = 0.55 * size * String(text).length;
		return {width, actualBoundingBoxLeft: 0, actualBoundingBoxRight: width, actualBoundingBoxAscent: 0.7 * size, actualBoundingBoxDescent: 0.2 * size,
			fontBoundingBoxAscent: 0.9 * size, fontBoundingBoxDescent: 0.3 * size};
	};
	globalThis.tbInk = (e) => [...e.querySelectorAll("canvas")].filter((c) => c.width && c.height && c.checkVisibility())
		.flatMap((c) => ["canvas | " + c.width + "," + c.height, ...(kept.get(c) ?? [])]);
}`

// saying is a script whose tbOutline(element) says what stands in an element, a line for each
// control, row and text: its role, its name, what state it is in, its title where it has one.
const saying = `globalThis.tbOutline = (root) => {
	const lines = [];
	const tidy = (text) => text.replace(/\s+/g, " ").trim().replace(/^tensorbored-static( [\w.-]+)?$/, "tensorbored-static VERSION");
	// words are what stands in an element, with what its parts say by their titles and colours.
	const words = (e) => tidy([...e.childNodes].map((n) => {
		if (n.nodeType === Node.TEXT_NODE) return n.data;
		if (n.nodeType !== Node.ELEMENT_NODE || !n.checkVisibility({visibilityProperty: true})) return "";
		return " " + dot(n) + words(n) + title(n) + state(n) + " ";
	}).join(""));
	const dot = (e) => {
		const color = e.classList.contains("swatch") || e.tagName === "I" ? getComputedStyle(e).backgroundColor.replaceAll(" ", "") : "rgba(0,0,0,0)";
		return color === "rgba(0,0,0,0)" ? "" : "●" + color + " ";
	};
	const title = (e) => e.title && tidy(e.title) !== tidy(e.textContent) ? " {" + tidy(e.title) + "}" : "";
	const state = (e) => {
		const s = [];
		const role = tbUser.role(e);
		if (role === "checkbox" || role === "radio" || role === "menuitemcheckbox" || role === "menuitemradio" || role === "switch") {
			s.push(e.checked ?? e.ariaChecked === "true" ? "on" : "off");
		} else if (/^(slider|spinbutton|searchbox|textbox|combobox|color)$/.test(role) && "value" in e) {
			s.push("= " + (e.selectedOptions ? [...e.selectedOptions].map((o) => o.text).join(", ") : e.value.replaceAll("\n", " ⏎ ")));
		}
		if (e.disabled || e.ariaDisabled === "true") s.push("disabled");
		for (const name of ["Pressed", "Selected", "Expanded", "Invalid", "Sort", "ValueText", "Current"]) {
			const v = e["aria" + name];
			if (v && v !== "false" || v === "false" && name === "Expanded") s.push(name.toLowerCase() + (v === "true" ? "" : " " + v));
		}
		return s.length ? " [" + s.join(", ") + "]" : "";
	};
	const whole = new Set(["row", "option", "heading", "link", "listitem", "menuitem", "menuitemcheckbox", "menuitemradio", "status", "tab"]);
	const walk = (e, depth) => {
		if (!e.checkVisibility({visibilityProperty: true}) || e.tagName === "SCRIPT" || e.tagName === "STYLE") return;
		const role = tbUser.role(e), add = (text) => lines.push("  ".repeat(depth) + text);
		if (role === "row") {
			add("row: " + [...e.children].map((c) => dot(c) + words(c) + title(c) + state(c)).join(" | ") + title(e) + state(e));
			return;
		}
		const own = tidy([...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data).join(" "));
		const inputs = e.querySelector("input, select, textarea, button, [role=slider], table");
		if (role && role !== "presentation" && role !== "none") {
			const name = tidy(tbUser.name(e)), said = (whole.has(role) || role === "button") && !inputs ? words(e) : own;
			add(role + (name ? " " + JSON.stringify(name) : "") + state(e) + (e.title && tidy(e.title) !== name ? " {" + tidy(e.title) + "}" : "") +
				(said && said !== name ? ": " + said : ""));
			if (whole.has(role) && !inputs || role === "button" || role === "combobox") return;
			depth++;
		} else if (!e.children.length || !inputs && ["P", "TD", "SPAN", "LABEL", "DT", "DD", "PRE", "FIGCAPTION"].includes(e.tagName)) {
			const text = dot(e) + words(e) + title(e);
			if (tidy(text)) add(tidy(text));
			return;
		} else if (own) add(own);
		for (const child of e.children) walk(child, depth);
	};
	walk(root, 0);
	return lines;
}`

// What is open: the tooltip, a dialog, a menu; and the card of a tag.
const (
	tooltip  = `document.querySelector(".tip:not([hidden])")`
	dialog   = `(document.querySelector("dialog[open]") ?? document.querySelector("[role=dialog]"))`
	openMenu = `document.querySelector("[role=menu]")`
)

func article(tag string) string {
	return "document.querySelector('article[aria-label=" + quote(tag) + "]')"
}

// drawn holds what an element's canvases show against testdata/drawn/NAME.txt; element is an
// expression of JavaScript. The page must have opened with the script drawing.
func (s *view) drawn(element, name string) {
	s.t.Helper()
	s.asKept(func(got *[]string) error { return s.TryEval("tbInk("+element+")", got) }, "drawn/"+name, alike)
}

// said holds what stands in an element against testdata/said/NAME.txt.
func (s *view) said(element, name string) {
	s.t.Helper()
	s.Eval("void ("+saying+")", nil)
	s.asKept(func(got *[]string) error { return s.TryEval("tbOutline("+element+")", got) }, "said/"+name, func(a, b string) bool { return a == b })
}

// pictured holds an SVG file against testdata/drawn/NAME.txt, a line for each element: how it looks
// and what it says, and after a bar the places.
func (s *view) pictured(svg, name string) {
	s.t.Helper()
	places := map[string]bool{"x": true, "y": true, "width": true, "height": true, "d": true, "transform": true, "viewBox": true}
	var lines []string
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			s.t.Fatalf("%v in %.2000s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			looks, at := token.Name.Local, ""
			for _, a := range token.Attr {
				switch key := a.Name.Local; {
				case key == "id":
				case key == "d":
					at += " " + cutPath(a.Value)
				case places[key]:
					at += " " + key + " " + rounded(a.Value)
				default:
					looks += ", " + key + " " + inFile.ReplaceAllString(a.Value, "url")
				}
			}
			lines = append(lines, looks+" |"+at)
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				lines = append(lines, fmt.Sprintf("  %q", text))
			}
		}
	}
	s.asKept(func(got *[]string) error { *got = lines; return nil }, "drawn/"+name, alike)
}

var (
	inFile  = regexp.MustCompile(`url\(#[^)]*\)`)
	strokes = regexp.MustCompile(`[A-Za-z][^A-Za-z]*`)
)

// rounded has one digit after each number's point, at most.
func rounded(text string) string {
	return numbers.ReplaceAllStringFunc(text, func(n string) string {
		v, err := strconv.ParseFloat(n, 64)
		if err != nil {
			return n
		}
		return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64)
	})
}

// cutPath is a part of a path's strokes, if they are many.
func cutPath(d string) string {
	const most = 24
	all := strokes.FindAllString(d, -1)
	every := (len(all) + most - 1) / most
	var some []string
	for i, stroke := range all {
		if i%every == 0 || i == len(all)-1 {
			some = append(some, rounded(strings.TrimSpace(stroke)))
		}
	}
	if every > 1 {
		return fmt.Sprintf("of %d %s", len(all), strings.Join(some, " "))
	}
	return strings.Join(some, " ")
}

// asKept waits until look gives the lines that stand in a file.
func (s *view) asKept(look func(got *[]string) error, name string, same func(a, b string) bool) {
	s.t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name)+".txt")
	var got []string
	lines := func() error {
		got = nil
		return look(&got)
	}
	if os.Getenv("DRAWN") == "write" {
		for last, calm := "", 0; calm < 10; time.Sleep(100 * time.Millisecond) {
			if err := lines(); err != nil {
				s.t.Fatal(err)
			}
			if now := strings.Join(got, "\n"); now == last {
				calm++
			} else {
				last, calm = now, 0
			}
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o666); err != nil {
			s.t.Fatal(err)
		}
		s.t.Errorf("%s is written: read it, and run the test again", file)
		return
	}
	b, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatalf("%v: DRAWN=write makes it", err)
	}
	var want []string // none of nothing
	if text := strings.TrimSpace(string(b)); text != "" {
		want = strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	}
	s.Until(func() string {
		if err := lines(); err != nil {
			return err.Error()
		}
		for i, w := range want {
			if i >= len(got) {
				return fmt.Sprintf("%s: line %d is missing: %s", name, i+1, w)
			}
			if !same(got[i], w) {
				return fmt.Sprintf("%s: line %d is\n\t%s, not\n\t%s", name, i+1, got[i], w)
			}
		}
		if len(got) > len(want) {
			return fmt.Sprintf("%s: line %d is too much: %s", name, len(want)+1, got[len(want)])
		}
		return ""
	})
}

var numbers = regexp.MustCompile(`-?\d+(\.\d+)?`)

// alike reports whether two lines say the same, places up to one pixel. Words and colours
// are the same to the letter.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	wordsA, placesA := cutLast(a, " | ")
	wordsB, placesB := cutLast(b, " | ")
	if wordsA != wordsB || numbers.ReplaceAllString(placesA, "0") != numbers.ReplaceAllString(placesB, "0") {
		return false
	}
	x, y := numbers.FindAllString(placesA, -1), numbers.FindAllString(placesB, -1)
	for i := range x {
		v, _ := strconv.ParseFloat(x[i], 64)
		w, _ := strconv.ParseFloat(y[i], 64)
		if math.Abs(v-w) > 1 {
			return false
		}
	}
	return true
}

// cutLast cuts s at the last mark; after is "" where there is none.
func cutLast(s, mark string) (before, after string) {
	if i := strings.LastIndex(s, mark); i >= 0 {
		return s[:i], s[i+len(mark):]
	}
	return s, ""
}
