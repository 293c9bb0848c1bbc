//go:build !js

package browsertest

// gesture is one thing that a hand does: on the mouse, on the keyboard, or on the screen.
type gesture struct {
	kind   gestureKind
	x, y   int    // CSS pixels from the page's upper left corner, of move and scroll
	button int    // 0 left, 1 middle, 2 right, of press and release
	count  int    // of press and release: 2 for those of a double click's second click
	dy     int    // of scroll, CSS pixels; positive away from the top
	key    string // of down and up, as in KeyboardEvent.key

	fingers []Point // of touch: where they lie now
}

type gestureKind int

const (
	move gestureKind = iota
	press
	release
	scroll
	down
	up
	touch
)

// namedKey is a key that writes no character: its code in KeyboardEvent.code, on
// Windows, and in WebDriver (https://www.w3.org/TR/webdriver/#keyboard-actions).
type namedKey struct {
	code      string
	windows   int64
	webdriver string
	modifier  int64 // bit in the DevTools protocol
}

var namedKeys = map[string]namedKey{
	"Alt":        {"AltLeft", 18, "\uE00A", 1},
	"Control":    {"ControlLeft", 17, "\uE009", 2},
	"Meta":       {"MetaLeft", 91, "\uE03D", 4},
	"Shift":      {"ShiftLeft", 16, "\uE008", 8},
	"ArrowDown":  {"ArrowDown", 40, "\uE015", 0},
	"ArrowLeft":  {"ArrowLeft", 37, "\uE012", 0},
	"ArrowRight": {"ArrowRight", 39, "\uE014", 0},
	"ArrowUp":    {"ArrowUp", 38, "\uE013", 0},
	"Backspace":  {"Backspace", 8, "\uE003", 0},
	"Delete":     {"Delete", 46, "\uE017", 0},
	"End":        {"End", 35, "\uE010", 0},
	"Enter":      {"Enter", 13, "\uE007", 0},
	"Escape":     {"Escape", 27, "\uE00C", 0},
	"F10":        {"F10", 121, "\uE03A", 0},
	"Home":       {"Home", 36, "\uE011", 0},
	"Tab":        {"Tab", 9, "\uE004", 0},
}

// Point is a place on the page, in CSS pixels from its upper left corner.
type Point struct{ X, Y float64 }

func (a Point) at() (x, y int) { return int(a.X + 0.5), int(a.Y + 0.5) }

// act does gestures when the page is at rest. One that does not come to rest, since it plays,
// reads a large log or waits for what the test holds back, is acted on after three seconds.
func (p *Page) act(all ...gesture) {
	p.t.Helper()
	_ = p.tryLook("globalThis.tbHands?.rest(3000) ?? ''", nil) // a page that goes just then is not at rest
	p.actNow(all...)
}

// actNow does gestures whatever the page does: in the middle of a drag it may scroll by itself.
func (p *Page) actNow(all ...gesture) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.act(ctx, all); err != nil {
		p.t.Fatalf("input: %v", err)
	}
}

// with holds keys down around gestures.
func with(keys []string, all ...gesture) []gesture {
	var out []gesture
	for _, k := range keys {
		out = append(out, gesture{kind: down, key: k})
	}
	out = append(out, all...)
	for i := len(keys) - 1; i >= 0; i-- {
		out = append(out, gesture{kind: up, key: keys[i]})
	}
	return out
}

func moveTo(a Point) gesture {
	x, y := a.at()
	return gesture{kind: move, x: x, y: y}
}

// Hover moves the pointer to a place.
func (p *Page) Hover(at Point) {
	p.t.Helper()
	p.act(moveTo(at))
}

// Click clicks at a place with the left button, keys such as "Shift" held.
func (p *Page) Click(at Point, keys ...string) {
	p.t.Helper()
	p.act(with(keys, moveTo(at), gesture{kind: press, count: 1}, gesture{kind: release, count: 1})...)
}

// RightClick clicks at a place with the right button.
func (p *Page) RightClick(at Point) {
	p.t.Helper()
	p.act(moveTo(at), gesture{kind: press, button: 2, count: 1}, gesture{kind: release, button: 2, count: 1})
}

// DoubleClick clicks twice at a place.
func (p *Page) DoubleClick(at Point) {
	p.t.Helper()
	p.act(moveTo(at), gesture{kind: press, count: 1}, gesture{kind: release, count: 1}, gesture{kind: press, count: 2}, gesture{kind: release, count: 2})
}

// Drag drags from one place to another with the left button, keys held.
func (p *Page) Drag(from, to Point, keys ...string) {
	p.t.Helper()
	p.drag(0, from, to, keys)
}

// DragMiddle is Drag with the middle button.
func (p *Page) DragMiddle(from, to Point) {
	p.t.Helper()
	p.drag(1, from, to, nil)
}

// DragTo is Drag from place to place; each is asked for when the pointer is at the one before.
func (p *Page) DragTo(from Point, places ...func() Point) {
	p.t.Helper()
	p.act(moveTo(from), gesture{kind: press, count: 1})
	for _, next := range places {
		to := next()
		p.actNow(moveTo(Point{to.X + 3, to.Y}), moveTo(to))
	}
	p.actNow(gesture{kind: release, count: 1})
}

func (p *Page) drag(button int, from, to Point, keys []string) {
	p.t.Helper()
	half := Point{(from.X + to.X) / 2, (from.Y + to.Y) / 2}
	p.act(with(keys, moveTo(from), gesture{kind: press, button: button, count: 1}, moveTo(half), moveTo(to),
		gesture{kind: release, button: button, count: 1})...)
}

// Wheel turns the wheel at a place by so many CSS pixels, down if positive, keys held.
func (p *Page) Wheel(at Point, dy int, keys ...string) {
	p.t.Helper()
	x, y := at.at()
	p.act(with(keys, moveTo(at), gesture{kind: scroll, x: x, y: y, dy: dy})...)
}

// Touch lays fingers on the screen, moves those that lie there, and lifts those for which no
// place is given: the last of them first.
func (p *Page) Touch(fingers ...Point) {
	p.t.Helper()
	p.act(gesture{kind: touch, fingers: fingers})
}

// Press presses a key as KeyboardEvent.key names it ("a", "R", "Escape"), others held.
// A capital letter or "?" does not hold Shift by itself: name it.
func (p *Page) Press(key string, held ...string) {
	p.t.Helper()
	p.act(with(held, gesture{kind: down, key: key}, gesture{kind: up, key: key})...)
}

// Type types a text, key by key.
func (p *Page) Type(text string) {
	p.t.Helper()
	var all []gesture
	for _, r := range text {
		all = append(all, gesture{kind: down, key: string(r)}, gesture{kind: up, key: string(r)})
	}
	p.act(all...)
}
