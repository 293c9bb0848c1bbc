//go:build !js

package browsertest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed user.js
var userScript string

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
	return "(" + userFirst + ", tbUser.all(" + string(path) + "))"
}

// userFirst is an expression that makes tbUser.
var userFirst = "(globalThis.tbUser ?? (0, eval)(" + quoted(userScript) + "))"

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always can be written
	}
	return string(b)
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
	c.p.Until(func() string {
		n := 0
		if err := c.p.TryEval(c.js()+".length", &n); err != nil || n != 1 {
			return fmt.Sprintf("%d of %v", n, c)
		}
		return ""
	})
	return c
}

// Gone waits until there is none.
func (c Control) Gone() {
	c.p.t.Helper()
	c.p.Until(func() string {
		n := 0
		if err := c.p.TryEval(c.js()+".length", &n); err != nil || n != 0 {
			return fmt.Sprintf("%d of %v", n, c)
		}
		return ""
	})
}

// Is waits until an expression of the one element e is true, e.g. `e.checked`.
func (c Control) Is(expression string) Control {
	c.p.t.Helper()
	c.p.Until(func() string {
		var got struct {
			N    int
			Ok   bool
			Text string
		}
		err := c.p.TryEval("(all => ({n: all.length, ok: all.length === 1 && !!(e => "+expression+")(all[0]), text: all.map(e => e.outerHTML.slice(0, 300)).join(' | ')}))("+c.js()+")", &got)
		if err != nil || !got.Ok {
			return fmt.Sprintf("%v is not %s: there are %d: %s (%v)", c, expression, got.N, got.Text, err)
		}
		return ""
	})
	return c
}

// Get stores the value of an expression of the one element e in out.
func (c Control) Get(expression string, out any) {
	c.p.t.Helper()
	c.Wait()
	c.p.Eval("(e => "+expression+")("+c.js()+"[0])", out)
}

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

// aim waits until a click on the element, scrolled into sight, would meet it where it
// stays, and returns its box.
func (c Control) aim() Box {
	c.p.t.Helper()
	type place struct {
		Left, Top, Width, Height float64
		Free                     bool
	}
	var now, last place
	c.p.Until(func() string {
		last = now
		err := c.p.TryEval("(all => all.length === 1 ? tbUser.aim(all[0]) : {})("+c.js()+")", &now)
		switch {
		case err != nil:
			return err.Error()
		case !now.Free:
			now = place{}
			return fmt.Sprintf("%v cannot be pointed at: there are %d", c, c.Count())
		case now != last:
			return fmt.Sprintf("%v moves", c)
		}
		return ""
	})
	return Box{now.Left, now.Top, now.Width, now.Height}
}

// Click clicks on the element, keys such as "Shift" held.
func (c Control) Click(keys ...string) {
	c.p.t.Helper()
	c.p.Click(c.aim().Middle(), keys...)
}

// DoubleClick clicks on the element twice.
func (c Control) DoubleClick() {
	c.p.t.Helper()
	c.p.DoubleClick(c.aim().Middle())
}

// Hover moves the pointer onto the element.
func (c Control) Hover() {
	c.p.t.Helper()
	c.p.Hover(c.aim().Middle())
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
	b := c.aim()
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
