//go:build !js

package browsertest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Control is what a user finds on the page by its role and accessible name: a button,
// a field, a row, a dialog. It is looked for at each use, and waited for.
type Control struct {
	p    *Page
	path [][2]string // role and name of each, the outermost first
}

// Control names what has a role ("button", "searchbox", "slider") and an accessible
// name. A name that ends with * is the beginning of one. What is hidden, inert or
// behind a modal dialog is not there.
func (p *Page) Control(role, name string) Control {
	return Control{p, [][2]string{{role, name}}}
}

// Control names what is inside c.
func (c Control) Control(role, name string) Control {
	return Control{c.p, append(append([][2]string(nil), c.path...), [2]string{role, name})}
}

// String is for messages: button "Reload" in banner "".
func (c Control) String() string {
	var parts []string
	for i := len(c.path) - 1; i >= 0; i-- {
		parts = append(parts, fmt.Sprintf("%s %q", c.path[i][0], c.path[i][1]))
	}
	return strings.Join(parts, " in ")
}

// js is an expression for the elements.
func (c Control) js() string {
	path, err := json.Marshal(c.path)
	if err != nil {
		panic(err) // strings always can be written
	}
	return "tbUser.all(" + string(path) + ")"
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always can be written
	}
	return string(b)
}

// look waits until an expression of all, the elements that there are, is true, and returns
// its value. It is given in the same call that waited. before stands before each look, what
// is said when it never is true.
func (c Control) look(before, expression, what string, out any) {
	c.p.t.Helper()
	var got struct {
		Value  *struct{ Found json.RawMessage }
		Thrown string
	}
	var seen struct {
		N          int
		Text, Busy string
	}
	for left := patient(); ; time.Sleep(10 * time.Millisecond) {
		got.Value = nil
		err := c.p.tryLook(fmt.Sprintf("tbHands.until(%d, async () => { %sconst all = %s, found = await (%s\n); return found && {found}; })", lookTime, before, c.js(), expression), &got)
		if err == nil && got.Value != nil {
			if out == nil {
				return
			}
			if err := json.Unmarshal(got.Value.Found, out); err != nil {
				c.p.t.Fatalf("%v: %v", c, err)
			}
			return
		}
		if left.over() {
			c.p.TryEval("(all => ({n: all.length, text: all.map(e => e.outerHTML.slice(0, 300)).join(' | '), busy: tbHands.busy()}))("+c.js()+")", &seen)
			c.p.t.Fatalf("after %v still: %v %s: there are %d: %s (%s %v %s)", stepTime, c, what, seen.N, seen.Text, seen.Busy, err, got.Thrown)
		}
	}
}

// Count returns how many there are now.
func (c Control) Count() (n int) {
	c.p.t.Helper()
	c.p.Eval(c.js()+".length", &n)
	return n
}

// Wait waits until there is exactly one.
func (c Control) Wait() Control {
	c.p.t.Helper()
	c.look("", "all.length === 1", "is not there once", nil)
	return c
}

// Gone waits until there is none.
func (c Control) Gone() {
	c.p.t.Helper()
	c.look("", "all.length === 0", "is still there", nil)
}

// Is waits until an expression of the one element e is true, e.g. `e.checked`.
func (c Control) Is(expression string) Control {
	c.p.t.Helper()
	c.look("", "all.length === 1 && !!(e => "+expression+")(all[0])", "is not "+expression, nil)
	return c
}

// Get stores the value of an expression of the one element e in out, when the page is at rest.
func (c Control) Get(expression string, out any) {
	c.p.t.Helper()
	var got struct {
		Value  json.RawMessage
		Thrown string
	}
	c.look(atRest, "all.length === 1 && (async e => ({value: (await ("+expression+"\n)) ?? null}))(all[0]).catch(e => ({value: null, thrown: String(e)}))", "is not there once", &got)
	if got.Thrown != "" {
		c.p.t.Fatalf("%v: %s: %s", c, expression, got.Thrown)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(got.Value, out); err != nil {
		c.p.t.Fatalf("%v: %s: %v", c, expression, err)
	}
}

// atRest stands before what hands do and read.
const atRest = "if (await tbHands.rest(3000)) return null; "

// Text returns the element's text as it is seen, white space as single spaces.
func (c Control) Text() (s string) {
	c.p.t.Helper()
	c.Get("tbUser.text(e)", &s)
	return s
}

// Says waits until the element's text is s.
func (c Control) Says(s string) {
	c.p.t.Helper()
	c.Is("tbUser.text(e) === " + quoted(s))
}

// Value waits until the element's value is s.
func (c Control) Value(s string) {
	c.p.t.Helper()
	c.Is("e.value === " + quoted(s))
}

// Checked waits until the box is ticked, or is not.
func (c Control) Checked(on bool) {
	c.p.t.Helper()
	c.Is(fmt.Sprintf("e.checked === %v && !e.indeterminate", on))
}

// Pressed waits until the button is down, or is not.
func (c Control) Pressed(on bool) {
	c.p.t.Helper()
	c.Is(fmt.Sprintf("e.getAttribute('aria-pressed') === '%v'", on))
}

// Expanded waits until what the button opens is open, or is not.
func (c Control) Expanded(on bool) {
	c.p.t.Helper()
	c.Is(fmt.Sprintf("e.getAttribute('aria-expanded') === '%v'", on))
}

// Focused waits until the element has the keyboard's focus.
func (c Control) Focused() {
	c.p.t.Helper()
	c.Is("document.activeElement === e")
}

// Box is a rectangle on the page, in CSS pixels.
type Box struct{ X, Y, Width, Height float64 }

// Middle is the box's centre.
func (b Box) Middle() Point { return Point{b.X + b.Width/2, b.Y + b.Height/2} }

// Part is a place in the box: 0…1 from the left and from the top.
func (b Box) Part(x, y float64) Point { return Point{b.X + x*b.Width, b.Y + y*b.Height} }

// Box returns where the element is.
func (c Control) Box() (b Box) {
	c.p.t.Helper()
	c.Get("e.getBoundingClientRect()", &b)
	return b
}

// aim waits until the page is at rest and a click on the element, scrolled into sight, would
// meet it where it stays for two frames, and returns its box. With pressed the next press is for it:
// hit says whether it was.
func (c Control) aim(pressed bool) Box {
	c.p.t.Helper()
	var at struct{ Left, Top, Width, Height float64 }
	c.look(atRest, `all.length === 1 && (async e => {
		const was = tbUser.aim(e);
		if (!was.free) return null;
		await tbHands.frame();
		await tbHands.frame();
		const now = tbUser.aim(e);
		if (JSON.stringify(now) !== JSON.stringify(was)) return null;
		if (`+strconv.FormatBool(pressed)+`) tbHands.mean(e);
		return now;
	})(all[0])`, "cannot be pointed at", &at)
	return Box{at.Left, at.Top, at.Width, at.Height}
}

// hit does a press in the middle of the element, and again when it has met something else,
// which does not hear of it. A page that the press has left cannot be asked.
func (c Control) hit(press func(at Point)) {
	c.p.t.Helper()
	for left := patient(); ; {
		press(c.aim(true).Middle())
		met := true
		if err := c.p.TryEval("globalThis.tbHands?.hit() ?? true", &met); err != nil || met {
			return
		}
		if left.over() {
			c.p.t.Fatalf("after %v still: presses do not meet %v", stepTime, c)
		}
	}
}

// Click clicks on the element, keys such as "Shift" held.
func (c Control) Click(keys ...string) {
	c.p.t.Helper()
	c.hit(func(at Point) { c.p.Click(at, keys...) })
}

// DoubleClick clicks on the element twice.
func (c Control) DoubleClick() {
	c.p.t.Helper()
	c.hit(c.p.DoubleClick)
}

// Hover moves the pointer onto the element.
func (c Control) Hover() {
	c.p.t.Helper()
	c.p.Hover(c.aim(false).Middle())
}

// Fill clicks into a field and types a text in the place of what it holds.
func (c Control) Fill(text string) {
	c.p.t.Helper()
	c.Click()
	c.Get("e.select()", nil)
	if text == "" {
		c.p.Press("Backspace")
		return
	}
	c.p.Type(text)
}

// Slide drags a slider to a part, 0…1, of its length.
func (c Control) Slide(part float64) {
	c.p.t.Helper()
	b := c.aim(false)
	const thumb = 16 // what Chromium's and Firefox's are wide
	to := Point{b.X + thumb/2 + part*(b.Width-thumb), b.Y + b.Height/2}
	c.p.Drag(b.Middle(), to)
}

// Choose chooses an option of a combobox by its label, with the arrow keys, when it is there.
func (c Control) Choose(label string) {
	c.p.t.Helper()
	at := "[...e.options].findIndex(o => o.label === " + quoted(label) + ")"
	c.Is(at + " >= 0")
	c.Get("e.focus()", nil)
	var now, there int
	c.Get("e.selectedIndex", &now)
	c.Get(at, &there)
	for ; now < there; now++ {
		c.p.Press("ArrowDown")
	}
	for ; now > there; now-- {
		c.p.Press("ArrowUp")
	}
	c.Is("e.selectedOptions[0]?.label === " + quoted(label))
}
