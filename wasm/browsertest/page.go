//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// waitPeriod is the time between two looks of Until; the first follow each other faster.
const waitPeriod = 50 * time.Millisecond

// lookTime is how long one call waits in the page before the test looks at its own clock, in
// ms: a page that was left answers no more.
const lookTime = 2000

// Page is a browser's page in a test. Every failure ends the test.
type Page struct {
	t       testing.TB
	kind    Kind
	browser browser
	engine  *kept
	pooled  bool
	end     func() // closes it, once

	mu       sync.Mutex
	problems []string
	allowed  []string
}

// Settings are a user's, of the browser itself.
type Settings struct {
	BlockSiteData bool // no cookies, storage and databases for any page
	Alone         bool // a browser that no test has used and none will, for what is counted or measured
	Whole         bool // the browser that users have, not its shell, for what pages are kept from
}

// profile writes the settings into an empty profile of the browser.
func (s Settings) profile(kind Kind, dir string) error {
	if !s.BlockSiteData {
		return nil
	}
	if kind == Firefox {
		return os.WriteFile(filepath.Join(dir, "user.js"), []byte(`user_pref("network.cookie.cookieBehavior", 2);`), 0o666)
	}
	if err := os.MkdirAll(filepath.Join(dir, "Default"), 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "Default", "Preferences"), []byte(`{"profile":{"default_content_setting_values":{"cookies":2}}}`), 0o666)
}

// Start gives an empty page of a browser, which ends with the test.
func Start(t testing.TB, kind Kind) *Page {
	t.Helper()
	return StartWith(t, kind, Settings{})
}

// StartWith is Start for a user with settings of their own.
func StartWith(t testing.TB, kind Kind, settings Settings) *Page {
	t.Helper()
	if kind == Firefox {
		settings.Whole = false // it always is
	}
	p := &Page{t: t, kind: kind, pooled: shared.on && settings == Settings{}}
	var err error
	if p.pooled {
		p.engine, p.browser, err = shared.take(kind, p.problem)
	} else {
		err = p.own(kind, settings)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.end = sync.OnceFunc(p.close)
	t.Cleanup(p.end)
	if late, err := time.ParseDuration(os.Getenv("LATE")); err == nil && late > 0 {
		p.Before(fmt.Sprintf(lateScript, late.Milliseconds()))
	}
	return p
}

// own starts a browser for this page alone: what users have where programs do not share
// browsers, which measure.
func (p *Page) own(kind Kind, settings Settings) error {
	dir := p.t.TempDir()
	if err := settings.profile(kind, dir); err != nil {
		return err
	}
	e, err := startEngine(kind, dir, settings.Whole || settings.BlockSiteData || !shared.on)
	if err != nil {
		return err
	}
	p.engine = &kept{e, dir}
	ctx, cancel := step()
	defer cancel()
	if p.browser, err = e.tab(ctx, p.problem); err != nil {
		p.engine.close()
	}
	return err
}

// lateScript lets all that workers say come later by so many milliseconds, if LATE is in
// the environment: as where a log is large, or the machine slow. It shows what a test, or
// the page, takes to be there already.
const lateScript = `globalThis.tbLate = %[1]d;
for (const name of ["onmessage", "onerror"]) {
	const own = Object.getOwnPropertyDescriptor(Worker.prototype, name);
	Object.defineProperty(Worker.prototype, name, {
		configurable: true,
		get() { return this["late" + name] ?? null; },
		set(take) {
			this["late" + name] = take;
			own.set.call(this, take && ((e) => setTimeout(() => this["late" + name]?.call(this, e), %[1]d)));
		},
	});
}`

// close ends the page, and complains if it has.
func (p *Page) close() {
	p.t.Helper()
	if problems := p.Problems(); len(problems) > 0 {
		p.t.Errorf("the page complained:\n%s", strings.Join(problems, "\n"))
	}
	if p.t.Failed() {
		ctx, cancel := step()
		defer cancel()
		if png, err := p.browser.screenshot(ctx, nil); err == nil {
			path := filepath.Join(p.t.ArtifactDir(), "page.png")
			if err := os.WriteFile(path, png, 0o666); err != nil {
				p.t.Error(err)
			}
		}
	}
	err := p.browser.close()
	if err == nil && p.pooled && !p.t.Failed() {
		shared.give(p.kind, p.engine)
		return
	}
	if err != nil {
		p.t.Logf("the tab did not close, so its browser is ended: %v", err)
	}
	if err := p.engine.close(); err != nil && !p.t.Failed() {
		p.t.Error(err)
	}
}

func (p *Page) problem(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.allowed {
		if strings.Contains(text, a) {
			return
		}
	}
	p.problems = append(p.problems, text)
}

// Allow announces that the page may complain with a text that contains part.
func (p *Page) Allow(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, part)
}

// Problems returns what the page has complained about so far.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.problems...)
}

// Open goes to url and returns when the page is loaded. The page ends before what the test
// has started until now, its server too, so that it does not look for new data there and
// complain.
func (p *Page) Open(url string) {
	p.t.Helper()
	p.t.Cleanup(p.end)
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.open(ctx, url); err != nil {
		p.t.Fatalf("open %s: %v", url, err)
	}
}

// Eval evaluates a JavaScript expression, awaits it if it is a promise, and stores
// its value in out, by JSON; out may be nil. NaN and infinities come as null.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	if err := p.TryEval(expression, out); err != nil {
		p.t.Fatal(err)
	}
}

// TryEval is Eval, but returns the error, an *EvalError for an exception.
func (p *Page) TryEval(expression string, out any) error {
	ctx, cancel := step()
	defer cancel()
	return p.tryEval(ctx, expression, out)
}

// mostLook is how long the answer to a look may take.
const mostLook = time.Minute

// tryLook is TryEval for what waits in the page for lookTime at most, and is begun anew when
// the page was left.
func (p *Page) tryLook(expression string, out any) error {
	ctx, cancel := context.WithTimeout(context.Background(), min(stepTime, mostLook))
	defer cancel()
	ctx, done := p.browser.stays(ctx)
	defer done()
	return p.tryEval(ctx, expression, out)
}

func (p *Page) tryEval(ctx context.Context, expression string, out any) error {
	text, err := p.browser.eval(ctx, "(async () => JSON.stringify((await ("+expression+"\n)) ?? null))()")
	if err != nil {
		return &EvalError{expression, err.Error()}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal([]byte(text), out)
}

// Wait evaluates an expression until its value is true in JavaScript's sense. What it
// throws means not yet: while a page is loading there may be no document to ask.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	var got struct {
		Value  any
		Thrown string
	}
	for left := patient(); ; time.Sleep(10 * time.Millisecond) {
		err := p.tryLook(fmt.Sprintf("tbHands.until(%d, async () => !!(await (%s\n)))", lookTime, expression), &got)
		if err == nil && got.Value != nil {
			return
		}
		if left.over() {
			p.t.Fatalf("after %v still not: %s (thrown: %v, %v)", stepTime, expression, got.Thrown, err)
		}
	}
}

// Until looks until look returns nothing, which is what is still wrong.
func (p *Page) Until(look func() string) {
	p.t.Helper()
	period := waitPeriod / 8
	for left := patient(); ; time.Sleep(period) {
		wrong := look()
		if wrong == "" {
			return
		}
		if left.over() {
			p.t.Fatalf("after %v still: %s", stepTime, wrong)
		}
		period = min(2*period, waitPeriod)
	}
}

// wait looks until ok is true.
func wait(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for left := patient(); !ok(); time.Sleep(waitPeriod) {
		if left.over() {
			t.Fatalf("after %v still not: %s", stepTime, what)
		}
	}
}

// SetFiles hands files to the file input that matches selector. A directory stands
// for all files in it, for inputs with webkitdirectory.
func (p *Page) SetFiles(selector string, paths ...string) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.setFiles(ctx, selector, paths); err != nil {
		p.t.Fatalf("set files of %s: %v", selector, err)
	}
}

// Drop drops files and directories onto what matches selector, as from a file
// manager. Only Chromium can be told to.
func (p *Page) Drop(selector string, paths ...string) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.drop(ctx, selector, paths); err != nil {
		p.t.Fatalf("drop onto %s: %v", selector, err)
	}
}

// HoldFiles holds files over a place of the page, as before they are dropped. Only
// Chromium can be told to.
func (p *Page) HoldFiles(at Point, paths ...string) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.chromium("files").hold(ctx, at, paths); err != nil {
		p.t.Fatalf("hold files: %v", err)
	}
}

// Resize sets the size of the page, in CSS pixels.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.ResizeAt(width, height, 1)
}

// ResizeAt is Resize on a screen that has so many pixels for a CSS pixel, in each direction: as on
// another screen, or where the user has zoomed the page. Pictures have the pixels of the screen then.
func (p *Page) ResizeAt(width, height int, ratio float64) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.resize(ctx, width, height, ratio); err != nil {
		p.t.Fatalf("resize: %v", err)
	}
}

// Before makes a script run in every page that is opened from now on, before the page's
// own scripts.
func (p *Page) Before(script string) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.before(ctx, script); err != nil {
		p.t.Fatalf("script: %v", err)
	}
}

// heldClock is a script that lets a test move the page's clock on: timers and
// performance.now, by which also Go counts.
const heldClock = `(() => {
	const set = setTimeout.bind(globalThis), clear = clearTimeout.bind(globalThis), now = performance.now.bind(performance);
	const timers = new Map();
	let ahead = 0, last = 0;
	const arm = (id, t) => {
		t.real = set(() => {
			timers.delete(id);
			t.f(...t.rest);
		}, Math.max(0, t.due - now() - ahead));
	};
	performance.now = () => now() + ahead;
	globalThis.setTimeout = (f, ms, ...rest) => {
		const t = { f: typeof f === "function" ? f : () => (0, eval)(f), rest, due: now() + ahead + (+ms || 0) };
		timers.set(++last, t);
		arm(last, t);
		return last;
	};
	globalThis.clearTimeout = (id) => {
		clear(timers.get(id)?.real);
		timers.delete(id);
	};
	globalThis.tbPass = (ms) => {
		ahead += ms;
		for (const [id, t] of timers) {
			clear(t.real);
			arm(id, t);
		}
	};
})()`

// HoldClock makes the clock of every page that is opened from now on such that Pass moves it.
// It goes on by itself too.
func (p *Page) HoldClock() {
	p.t.Helper()
	p.Before(heldClock)
}

// Pass lets time pass for the page, if HoldClock was called, and waits until it is at rest.
func (p *Page) Pass(d time.Duration) {
	p.t.Helper()
	p.Eval(fmt.Sprintf("tbPass(%d)", d.Milliseconds()), nil)
	p.Rest()
}

// Rest waits until the page has loaded, wants no frame, and waits for no answer.
func (p *Page) Rest() {
	p.t.Helper()
	p.Until(func() (why string) {
		if err := p.tryLook(fmt.Sprintf("tbHands.rest(%d)", lookTime), &why); err != nil {
			return err.Error()
		}
		return why
	})
}

// Unwatched makes the browser as it is for a user, for measurements: it has no tools open,
// which keep what comes over the net and are told of every element, and has finished its
// own start.
func (p *Page) Unwatched() {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.browser.unwatched(ctx); err != nil {
		p.t.Fatalf("unwatched: %v", err)
	}
	time.Sleep(2 * time.Second)
}

// SystemDark makes the system's theme a dark or a light one. Only Chromium can be told.
func (p *Page) SystemDark(on bool) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	if err := p.chromium("the system's theme").dark(ctx, on); err != nil {
		p.t.Fatalf("system's theme: %v", err)
	}
}

// Downloads makes downloads go to a new directory, which it returns. Only Chromium can
// be told.
func (p *Page) Downloads() (dir string) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	dir = p.t.TempDir()
	if err := p.chromium("downloads").downloads(ctx, dir); err != nil {
		p.t.Fatalf("downloads: %v", err)
	}
	return dir
}

func (p *Page) chromium(what string) *chromium {
	p.t.Helper()
	c, ok := p.browser.(*chromium)
	if !ok {
		p.t.Fatalf("%s: only Chromium can be told", what)
	}
	return c
}

// Heap collects the page's garbage and returns how many bytes JavaScript, the
// document, and the buffers behind arrays take then. The program's own memory is not
// in it, nor are workers. Only Chromium can be asked.
func (p *Page) Heap() float64 {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	bytes, err := p.chromium("heap").heap(ctx)
	if err != nil {
		p.t.Fatalf("heap: %v", err)
	}
	return bytes
}

// Held collects the page's garbage and returns how many nodes and listeners the browser has
// then, those that are in no document too. They are counted for all pages of one process:
// see Settings.Alone. Only Chromium can be asked.
func (p *Page) Held() (nodes, listeners int) {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	nodes, listeners, err := p.chromium("nodes").left(ctx)
	if err != nil {
		p.t.Fatalf("nodes: %v", err)
	}
	return nodes, listeners
}

// PDF returns the page as it is printed. Only Chromium can be asked.
func (p *Page) PDF() []byte {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	pdf, err := p.chromium("PDF").pdf(ctx)
	if err != nil {
		p.t.Fatalf("PDF: %v", err)
	}
	return pdf
}

// Screenshot returns what is visible, as PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	return p.shot(nil)
}

func (p *Page) shot(part *Box) []byte {
	p.t.Helper()
	ctx, cancel := step()
	defer cancel()
	png, err := p.browser.screenshot(ctx, part)
	if err != nil {
		p.t.Fatalf("screenshot: %v", err)
	}
	return png
}
