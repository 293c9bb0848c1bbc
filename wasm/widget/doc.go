// Package widget is the page's small set of building stones over the DOM:
// elements, icons, menus, switches, and what honnef.co/go/js/dom lacks
// (observers, dialogs, popovers, timers). Text goes in as text nodes only:
// there is no way here to write HTML.
package widget
