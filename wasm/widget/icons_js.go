package widget

import (
	"slices"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// shape is one element of an icon: its name, then attribute names and values.
type shape []string

type icon struct {
	name   string
	shapes []shape
}

// icons holds the outlines that the page uses, from Lucide 1.62.0 (ISC), drawn
// on a field of 24 × 24. Licence: static/vendor/lucide.LICENSE. As a list, which the
// linker lays out, and no map, which every worker would fill when it starts.
var icons = [...]icon{
	{"bookmark", []shape{{"path", "d", "M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.496.868l-4.512-2.578a2 2 0 0 0-1.984 0l-4.512 2.578A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z"}}},
	{"bookmark-x", []shape{{"path", "d", "m14.5 7.5-5 5"}, {"path", "d", "M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.496.868l-4.512-2.578a2 2 0 0 0-1.984 0l-4.512 2.578A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z"}, {"path", "d", "m9.5 7.5 5 5"}}},
	{"braces", []shape{{"path", "d", "M8 3H7a2 2 0 0 0-2 2v5a2 2 0 0 1-2 2 2 2 0 0 1 2 2v5c0 1.1.9 2 2 2h1"}, {"path", "d", "M16 21h1a2 2 0 0 0 2-2v-5c0-1.1.9-2 2-2a2 2 0 0 1-2-2V5a2 2 0 0 0-2-2h-1"}}},
	{"arrow-left-right", []shape{{"path", "d", "M8 3 4 7l4 4"}, {"path", "d", "M4 7h16"}, {"path", "d", "m16 21 4-4-4-4"}, {"path", "d", "M20 17H4"}}},
	{"chart-column", []shape{{"path", "d", "M3 3v16a2 2 0 0 0 2 2h16"}, {"path", "d", "M18 17V9"}, {"path", "d", "M13 17V5"}, {"path", "d", "M8 17v-3"}}},
	{"chart-line", []shape{{"path", "d", "M3 3v16a2 2 0 0 0 2 2h16"}, {"path", "d", "m19 9-5 5-4-4-3 3"}}},
	{"table", []shape{{"path", "d", "M9 3v18M3 9h18M3 15h18"}, {"rect", "width", "18", "height", "18", "x", "3", "y", "3", "rx", "2"}}},
	{"check", []shape{{"path", "d", "M20 6 9 17l-5-5"}}},
	{"chevron-left", []shape{{"path", "d", "m15 18-6-6 6-6"}}},
	{"chevron-right", []shape{{"path", "d", "m9 18 6-6-6-6"}}},
	{"circle-help", []shape{{"circle", "cx", "12", "cy", "12", "r", "10"}, {"path", "d", "M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3"}, {"path", "d", "M12 17h.01"}}},
	{"arrow-up-down", []shape{{"path", "d", "m21 16-4 4-4-4"}, {"path", "d", "M17 20V4"}, {"path", "d", "m3 8 4-4 4 4"}, {"path", "d", "M7 4v16"}}},
	{"copy", []shape{{"rect", "width", "14", "height", "14", "x", "8", "y", "8", "rx", "2", "ry", "2"}, {"path", "d", "M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2"}}},
	{"download", []shape{{"path", "d", "M12 15V3"}, {"path", "d", "M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4"}, {"path", "d", "m7 10 5 5 5-5"}}},
	{"ellipsis-vertical", []shape{{"circle", "cx", "12", "cy", "12", "r", "1"}, {"circle", "cx", "12", "cy", "5", "r", "1"}, {"circle", "cx", "12", "cy", "19", "r", "1"}}},
	{"file-down", []shape{{"path", "d", "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z"}, {"path", "d", "M14 2v5a1 1 0 0 0 1 1h5"}, {"path", "d", "M12 18v-6"}, {"path", "d", "m9 15 3 3 3-3"}}},
	{"file-up", []shape{{"path", "d", "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z"}, {"path", "d", "M14 2v5a1 1 0 0 0 1 1h5"}, {"path", "d", "M12 12v6"}, {"path", "d", "m15 15-3-3-3 3"}}},
	{"filter-x", []shape{{"path", "d", "M12.531 3H3a1 1 0 0 0-.742 1.67l7.225 7.989A2 2 0 0 1 10 14v6a1 1 0 0 0 .553.895l2 1A1 1 0 0 0 14 21v-7a2 2 0 0 1 .517-1.341l.427-.473"}, {"path", "d", "m16.5 3.5 5 5"}, {"path", "d", "m21.5 3.5-5 5"}}},
	{"focus", []shape{{"circle", "cx", "12", "cy", "12", "r", "3"}, {"path", "d", "M3 7V5a2 2 0 0 1 2-2h2"}, {"path", "d", "M17 3h2a2 2 0 0 1 2 2v2"}, {"path", "d", "M21 17v2a2 2 0 0 1-2 2h-2"}, {"path", "d", "M7 21H5a2 2 0 0 1-2-2v-2"}}},
	{"folder-open", []shape{{"path", "d", "m6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2"}}},
	{"git-compare", []shape{{"circle", "cx", "18", "cy", "18", "r", "3"}, {"circle", "cx", "6", "cy", "6", "r", "3"}, {"path", "d", "M13 6h3a2 2 0 0 1 2 2v7"}, {"path", "d", "M11 18H8a2 2 0 0 1-2-2V9"}}},
	{"grip-vertical", []shape{{"circle", "cx", "9", "cy", "12", "r", "1"}, {"circle", "cx", "9", "cy", "5", "r", "1"}, {"circle", "cx", "9", "cy", "19", "r", "1"}, {"circle", "cx", "15", "cy", "12", "r", "1"}, {"circle", "cx", "15", "cy", "5", "r", "1"}, {"circle", "cx", "15", "cy", "19", "r", "1"}}},
	{"image", []shape{{"rect", "width", "18", "height", "18", "x", "3", "y", "3", "rx", "2", "ry", "2"}, {"circle", "cx", "9", "cy", "9", "r", "2"}, {"path", "d", "m21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21"}}},
	{"info", []shape{{"circle", "cx", "12", "cy", "12", "r", "10"}, {"path", "d", "M12 16v-4"}, {"path", "d", "M12 8h.01"}}},
	{"keyboard", []shape{{"path", "d", "M10 8h.01"}, {"path", "d", "M12 12h.01"}, {"path", "d", "M14 8h.01"}, {"path", "d", "M16 12h.01"}, {"path", "d", "M18 8h.01"}, {"path", "d", "M6 8h.01"}, {"path", "d", "M7 16h10"}, {"path", "d", "M8 12h.01"}, {"rect", "width", "20", "height", "16", "x", "2", "y", "4", "rx", "2"}}},
	{"layout-grid", []shape{{"rect", "width", "7", "height", "7", "x", "3", "y", "3", "rx", "1"}, {"rect", "width", "7", "height", "7", "x", "14", "y", "3", "rx", "1"}, {"rect", "width", "7", "height", "7", "x", "14", "y", "14", "rx", "1"}, {"rect", "width", "7", "height", "7", "x", "3", "y", "14", "rx", "1"}}},
	{"link", []shape{{"path", "d", "M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71"}, {"path", "d", "M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71"}}},
	{"maximize-2", []shape{{"path", "d", "M15 3h6v6"}, {"path", "d", "m21 3-7 7"}, {"path", "d", "m3 21 7-7"}, {"path", "d", "M9 21H3v-6"}}},
	{"layers", []shape{{"path", "d", "M12.83 2.18a2 2 0 0 0-1.66 0L2.6 6.08a1 1 0 0 0 0 1.83l8.58 3.91a2 2 0 0 0 1.66 0l8.58-3.9a1 1 0 0 0 0-1.83z"}, {"path", "d", "M2 12a1 1 0 0 0 .58.91l8.6 3.91a2 2 0 0 0 1.65 0l8.58-3.9A1 1 0 0 0 22 12"}, {"path", "d", "M2 17a1 1 0 0 0 .58.91l8.6 3.91a2 2 0 0 0 1.65 0l8.58-3.9A1 1 0 0 0 22 17"}}},
	{"minimize-2", []shape{{"path", "d", "m14 10 7-7"}, {"path", "d", "M20 10h-6V4"}, {"path", "d", "m3 21 7-7"}, {"path", "d", "M4 14h6v6"}}},
	{"monitor", []shape{{"rect", "width", "20", "height", "14", "x", "2", "y", "3", "rx", "2"}, {"line", "x1", "8", "x2", "16", "y1", "21", "y2", "21"}, {"line", "x1", "12", "x2", "12", "y1", "17", "y2", "21"}}},
	{"moon", []shape{{"path", "d", "M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401"}}},
	{"palette", []shape{{"path", "d", "M12 22a1 1 0 0 1 0-20 10 9 0 0 1 10 9 5 5 0 0 1-5 5h-2.25a1.75 1.75 0 0 0-1.4 2.8l.3.4a1.75 1.75 0 0 1-1.4 2.8z"}, {"circle", "cx", "13.5", "cy", "6.5", "r", ".5"}, {"circle", "cx", "17.5", "cy", "10.5", "r", ".5"}, {"circle", "cx", "6.5", "cy", "12.5", "r", ".5"}, {"circle", "cx", "8.5", "cy", "7.5", "r", ".5"}}},
	{"panel-left", []shape{{"rect", "width", "18", "height", "18", "x", "3", "y", "3", "rx", "2"}, {"path", "d", "M9 3v18"}}},
	{"panel-right", []shape{{"rect", "width", "18", "height", "18", "x", "3", "y", "3", "rx", "2"}, {"path", "d", "M15 3v18"}}},
	{"pause", []shape{{"rect", "x", "14", "y", "3", "width", "5", "height", "18", "rx", "1"}, {"rect", "x", "5", "y", "3", "width", "5", "height", "18", "rx", "1"}}},
	{"pencil", []shape{{"path", "d", "M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z"}, {"path", "d", "m15 5 4 4"}}},
	{"pin", []shape{{"path", "d", "M12 17v5"}, {"path", "d", "M9 10.76a2 2 0 0 1-1.11 1.79l-1.78.9A2 2 0 0 0 5 15.24V16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-.76a2 2 0 0 0-1.11-1.79l-1.78-.9A2 2 0 0 1 15 10.76V7a1 1 0 0 1 1-1 2 2 0 0 0 0-4H8a2 2 0 0 0 0 4 1 1 0 0 1 1 1z"}}},
	{"pin-off", []shape{{"path", "d", "M12 17v5"}, {"path", "d", "M15 9.34V7a1 1 0 0 1 1-1 2 2 0 0 0 0-4H7.89"}, {"path", "d", "m2 2 20 20"}, {"path", "d", "M9 9v1.76a2 2 0 0 1-1.11 1.79l-1.78.9A2 2 0 0 0 5 15.24V16a1 1 0 0 0 1 1h11"}}},
	{"play", []shape{{"path", "d", "M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z"}}},
	{"plus", []shape{{"path", "d", "M5 12h14"}, {"path", "d", "M12 5v14"}}},
	{"radio", []shape{{"path", "d", "M16.247 7.761a6 6 0 0 1 0 8.478"}, {"path", "d", "M19.075 4.933a10 10 0 0 1 0 14.134"}, {"path", "d", "M4.925 19.067a10 10 0 0 1 0-14.134"}, {"path", "d", "M7.753 16.239a6 6 0 0 1 0-8.478"}, {"circle", "cx", "12", "cy", "12", "r", "2"}}},
	{"refresh-cw", []shape{{"path", "d", "M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8"}, {"path", "d", "M21 3v5h-5"}, {"path", "d", "M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16"}, {"path", "d", "M8 16H3v5"}}},
	{"rotate-ccw", []shape{{"path", "d", "M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8"}, {"path", "d", "M3 3v5h5"}}},
	{"save", []shape{{"path", "d", "M15.2 3a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z"}, {"path", "d", "M17 21v-7a1 1 0 0 0-1-1H8a1 1 0 0 0-1 1v7"}, {"path", "d", "M7 3v4a1 1 0 0 0 1 1h7"}}},
	{"scan", []shape{{"path", "d", "M3 7V5a2 2 0 0 1 2-2h2"}, {"path", "d", "M17 3h2a2 2 0 0 1 2 2v2"}, {"path", "d", "M21 17v2a2 2 0 0 1-2 2h-2"}, {"path", "d", "M7 21H5a2 2 0 0 1-2-2v-2"}}},
	{"search", []shape{{"path", "d", "m21 21-4.34-4.34"}, {"circle", "cx", "11", "cy", "11", "r", "8"}}},
	{"settings-2", []shape{{"path", "d", "M14 17H5"}, {"path", "d", "M19 7h-9"}, {"circle", "cx", "17", "cy", "17", "r", "3"}, {"circle", "cx", "7", "cy", "7", "r", "3"}}},
	{"shield-check", []shape{{"path", "d", "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"}, {"path", "d", "m9 12 2 2 4-4"}}},
	{"sun", []shape{{"circle", "cx", "12", "cy", "12", "r", "4"}, {"path", "d", "M12 2v2"}, {"path", "d", "M12 20v2"}, {"path", "d", "m4.93 4.93 1.41 1.41"}, {"path", "d", "m17.66 17.66 1.41 1.41"}, {"path", "d", "M2 12h2"}, {"path", "d", "M20 12h2"}, {"path", "d", "m6.34 17.66-1.41 1.41"}, {"path", "d", "m19.07 4.93-1.41 1.41"}}},
	{"trash-2", []shape{{"path", "d", "M10 11v6"}, {"path", "d", "M14 11v6"}, {"path", "d", "M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6"}, {"path", "d", "M3 6h18"}, {"path", "d", "M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2"}}},
	{"triangle-alert", []shape{{"path", "d", "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3"}, {"path", "d", "M12 9v4"}, {"path", "d", "M12 17h.01"}}},
	{"undo-2", []shape{{"path", "d", "M9 14 4 9l5-5"}, {"path", "d", "M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11"}}},
	{"upload", []shape{{"path", "d", "M12 3v12"}, {"path", "d", "m17 8-5-5-5 5"}, {"path", "d", "M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4"}}},
	{"users", []shape{{"path", "d", "M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2"}, {"path", "d", "M16 3.128a4 4 0 0 1 0 7.744"}, {"path", "d", "M22 21v-2a4 4 0 0 0-3-3.87"}, {"circle", "cx", "9", "cy", "7", "r", "4"}}},
	{"x", []shape{{"path", "d", "M18 6 6 18"}, {"path", "d", "m6 6 12 12"}}},
	{"zoom-in", []shape{{"circle", "cx", "11", "cy", "11", "r", "8"}, {"line", "x1", "21", "x2", "16.65", "y1", "21", "y2", "16.65"}, {"line", "x1", "11", "x2", "11", "y1", "8", "y2", "14"}, {"line", "x1", "8", "x2", "14", "y1", "11", "y2", "11"}}},
	{"zoom-out", []shape{{"circle", "cx", "11", "cy", "11", "r", "8"}, {"line", "x1", "21", "x2", "16.65", "y1", "21", "y2", "16.65"}, {"line", "x1", "8", "x2", "14", "y1", "11", "y2", "11"}}},
}

// made holds one element of each icon, to be cloned.
var made = map[string]js.Value{}

// Icon returns the named icon in the colour of the text around it. It says
// nothing to a screen reader: the control that holds it has a name.
func Icon(name string) dom.Element {
	svg, ok := made[name]
	if !ok {
		svg = draw(name)
		made[name] = svg
	}
	return Wrap(svg.Call("cloneNode", true))
}

func draw(name string) js.Value {
	const ns = "http://www.w3.org/2000/svg"
	document := js.Global().Get("document")
	svg := document.Call("createElementNS", ns, "svg")
	for _, kv := range [][2]string{{"viewBox", "0 0 24 24"}, {"class", "icon"}, {"aria-hidden", "true"}} {
		svg.Call("setAttribute", kv[0], kv[1])
	}
	at := slices.IndexFunc(icons[:], func(i icon) bool { return i.name == name })
	if at < 0 {
		js.Global().Get("console").Call("error", "no icon "+name)
		return svg
	}
	for _, s := range icons[at].shapes {
		e := document.Call("createElementNS", ns, s[0])
		for i := 1; i < len(s); i += 2 {
			e.Call("setAttribute", s[i], s[i+1])
		}
		svg.Call("append", e)
	}
	return svg
}
