//go:build !js

package browsertest

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// firefoxEngine is a running Firefox.
type firefoxEngine struct {
	cmd  *exec.Cmd
	done chan error // the program's end
	bidi *bidi

	mu   sync.Mutex
	tabs map[string]func(string) // whose complaints go where, by browsing context
	left map[string]func()       // called when a browsing context has, or is to have, another document
	goes map[string]bool         // browsing contexts that are to have one, and have said nothing since
}

// firefox is one tab, alone in a user context.
type firefox struct {
	engine *firefoxEngine
	bidi   *bidi
	page   string // browsing context
	user   string // user context

	fingers int // that lie on the screen
}

type params = map[string]any

func startFirefox(dir string) (*firefoxEngine, error) {
	program, err := find(Firefox, true)
	if err != nil {
		return nil, err
	}
	ctx, cancel := step()
	defer cancel()
	f := &firefoxEngine{tabs: map[string]func(string){}, left: map[string]func(){}, goes: map[string]bool{}, cmd: exec.Command(program, "--headless", "--no-remote", "--profile", dir,
		"--remote-debugging-port", "0", "--width", "1280", "--height", "800", "about:blank")}
	f.cmd.Env = append(os.Environ(), "HOME="+dir, "MOZ_CRASHREPORTER_DISABLE=1")
	stderr, err := f.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := f.cmd.Start(); err != nil {
		return nil, err
	}
	f.done = make(chan error, 1)
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, url, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
				address <- strings.TrimSpace(url)
			}
		}
		io.Copy(io.Discard, stderr)
		f.done <- f.cmd.Wait()
	}()
	select {
	case url := <-address:
		err = f.connect(ctx, url+"/session")
	case err = <-f.done:
		f.done <- err
		err = fmt.Errorf("it ended at once (%v)", err)
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		f.end()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return f, nil
}

// connect begins a session.
func (f *firefoxEngine) connect(ctx context.Context, url string) error {
	var err error
	f.bidi, err = dialBidi(ctx, url, func(method string, p json.RawMessage) {
		var e struct {
			Type, Level, Text, Message, Context string
			StackTrace                          json.RawMessage
			Source                              struct{ Context string }
		}
		switch json.Unmarshal(p, &e); {
		case method == "log.entryAdded" && e.Level == "error":
			f.complain(e.Source.Context, e.Type+": "+e.Text+" "+string(e.StackTrace))
		case method == "browsingContext.userPromptOpened":
			f.complain(e.Context, "dialog: "+e.Message)
		case method == "browsingContext.navigationStarted", method == "browsingContext.domContentLoaded":
			f.mu.Lock()
			left := f.left[e.Context]
			delete(f.left, e.Context)
			f.goes[e.Context] = method == "browsingContext.navigationStarted"
			f.mu.Unlock()
			if left != nil {
				left()
			}
		}
	})
	if err != nil {
		return err
	}
	if err := f.bidi.call(ctx, "session.new", params{"capabilities": params{}}, nil); err != nil {
		return err
	}
	events := []string{"log.entryAdded", "browsingContext.userPromptOpened", "browsingContext.navigationStarted", "browsingContext.domContentLoaded"}
	return f.bidi.call(ctx, "session.subscribe", params{"events": events}, nil)
}

// complain hands on what a browsing context complains of. That of a frame or a worker, which
// is no tab, is the complaint of every tab; of a tab that was closed, of none.
func (f *firefoxEngine) complain(from, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if problem, known := f.tabs[from]; known {
		if problem != nil {
			problem(text)
		}
		return
	}
	for _, problem := range f.tabs {
		if problem != nil {
			problem(text)
		}
	}
}

// tab opens a tab whose complaints go to problem, in a user context of its own.
func (f *firefoxEngine) tab(ctx context.Context, problem func(string)) (browser, error) {
	var user struct{ UserContext string }
	if err := f.bidi.call(ctx, "browser.createUserContext", params{}, &user); err != nil {
		return nil, err
	}
	var created struct{ Context string }
	if err := f.bidi.call(ctx, "browsingContext.create", params{"type": "tab", "userContext": user.UserContext}, &created); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.tabs[created.Context] = problem
	f.mu.Unlock()
	tab := &firefox{engine: f, bidi: f.bidi, page: created.Context, user: user.UserContext}
	return tab, tab.before(ctx, hands)
}

// close ends the user context, and all that was stored in it.
func (f *firefox) close() error {
	ctx, cancel := step()
	defer cancel()
	err := f.bidi.call(ctx, "browser.removeUserContext", params{"userContext": f.user}, nil)
	f.engine.mu.Lock()
	f.engine.tabs[f.page] = nil
	f.engine.mu.Unlock()
	return err
}

// open returns when the page has the document. Beside a load of four times the processors a test met
// the one before after Firefox had said "complete": so that is marked, and waited for to be gone. A
// fragment alone brings no other document.
func (f *firefox) open(ctx context.Context, url string) error {
	_, _ = f.evaluate(ctx, "void (globalThis.tbBefore = true)")
	err := f.bidi.call(ctx, "browsingContext.navigate", params{"context": f.page, "url": url, "wait": "complete"}, nil)
	for err == nil && !strings.Contains(url, "#") {
		if e, fault := f.evaluate(ctx, "typeof tbBefore"); fault == nil && string(e.Result.Value) == `"undefined"` {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return err
}

// evaluation is the result of script.evaluate.
type evaluation struct {
	Type   string // "success", "exception"
	Result struct {
		Type     string
		Value    json.RawMessage
		SharedID string `json:"sharedId"` // of an element
	}
	ExceptionDetails struct{ Text string }
}

func (f *firefox) evaluate(ctx context.Context, expression string) (*evaluation, error) {
	var e evaluation
	err := f.bidi.call(ctx, "script.evaluate", params{
		"expression": expression, "target": params{"context": f.page}, "awaitPromise": true, "userActivation": true,
	}, &e)
	if err == nil && e.Type != "success" {
		err = errors.New(e.ExceptionDetails.Text)
	}
	return &e, err
}

func (f *firefox) eval(ctx context.Context, expression string) (string, error) {
	e, err := f.evaluate(ctx, expression)
	if err != nil {
		return "", err
	}
	var text string
	return text, json.Unmarshal(e.Result.Value, &text)
}

// stays ends with ctx, or when the page has another document: Firefox never answers an
// evaluation that awaits a promise of a document that is gone. Where it takes another one from
// the history it says that it begins, but not when it has done so: until then a look may
// not take much longer than it waits in the page.
func (f *firefox) stays(ctx context.Context) (context.Context, context.CancelFunc) {
	f.engine.mu.Lock()
	defer f.engine.mu.Unlock()
	most := mostLook
	if f.engine.goes[f.page] {
		most = lookTime*time.Millisecond + 3*time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	f.engine.left[f.page] = cancel
	return ctx, cancel
}

// setFiles hands over the files of a directory one by one, since Firefox has no
// command for directories, and then gives each the path that it would have had,
// before the page sees them.
func (f *firefox) setFiles(ctx context.Context, selector string, paths []string) error {
	var files, relative []string
	for _, top := range paths {
		err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			rel, err := filepath.Rel(filepath.Dir(top), p)
			files = append(files, p)
			if p == top {
				rel = ""
			}
			relative = append(relative, filepath.ToSlash(rel))
			return err
		})
		if err != nil {
			return err
		}
	}
	names, err := json.Marshal(relative)
	if err != nil {
		return err
	}
	quoted, err := json.Marshal(selector)
	if err != nil {
		return err
	}
	e, err := f.evaluate(ctx, `(() => {
		const input = document.querySelector(`+string(quoted)+`), names = `+string(names)+`;
		const name = (e) => {
			if (e.target !== input) return;
			[...input.files].forEach((f, i) => names[i] && Object.defineProperty(f, "webkitRelativePath", {value: names[i]}));
			removeEventListener(e.type, name, true);
		};
		for (const type of ["input", "change"]) addEventListener(type, name, true);
		// Files one by one are refused by an input that is for directories.
		input.webkitdirectory = false;
		input.multiple = true;
		return input;
	})()`)
	if err != nil {
		return err
	}
	return f.bidi.call(ctx, "input.setFiles", params{
		"context": f.page, "element": params{"sharedId": e.Result.SharedID}, "files": files,
	}, nil)
}

func (f *firefox) drop(context.Context, string, []string) error {
	return errors.New("Firefox can not be told to drop files; use Chromium or SetFiles")
}

func (f *firefox) resize(ctx context.Context, width, height int, ratio float64) error {
	return f.bidi.call(ctx, "browsingContext.setViewport", params{
		"context": f.page, "viewport": params{"width": width, "height": height}, "devicePixelRatio": ratio,
	}, nil)
}

func (f *firefox) screenshot(ctx context.Context, part *Box) ([]byte, error) {
	var shot struct{ Data string }
	p := params{"context": f.page}
	if part != nil {
		p["clip"] = params{"type": "box", "x": part.X, "y": part.Y, "width": part.Width, "height": part.Height}
	}
	if err := f.bidi.call(ctx, "browsingContext.captureScreenshot", p, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

func (f *firefox) unwatched(context.Context) error { return nil } // nothing does

func (f *firefox) before(ctx context.Context, script string) error {
	return f.bidi.call(ctx, "script.addPreloadScript", params{"functionDeclaration": "() => {" + script + "}", "contexts": []string{f.page}}, nil)
}

// act returns when the page has handled the gestures. Those of one device that follow
// each other go together, so that two clicks are a double click however busy the machine
// is.
func (f *firefox) act(ctx context.Context, all []gesture) error {
	type device struct{ kind, id string }
	var now device
	var todo []params
	flush := func() error {
		if len(todo) == 0 {
			return nil
		}
		s := params{"type": now.kind, "id": now.id, "actions": todo}
		todo = nil
		return f.bidi.call(ctx, "input.performActions", params{"context": f.page, "actions": []params{s}}, nil)
	}
	for _, g := range all {
		if g.kind == touch {
			if err := flush(); err != nil {
				return err
			}
			if err := f.touch(ctx, g); err != nil {
				return err
			}
			continue
		}
		d, action := device{"pointer", "mouse"}, params{}
		switch g.kind {
		case move:
			action = params{"type": "pointerMove", "x": g.x, "y": g.y}
		case press:
			action = params{"type": "pointerDown", "button": g.button}
		case release:
			action = params{"type": "pointerUp", "button": g.button}
		case scroll:
			d = device{"wheel", "wheel"}
			action = params{"type": "scroll", "x": g.x, "y": g.y, "deltaX": 0, "deltaY": g.dy}
		case down, up:
			d = device{"key", "keyboard"}
			key := g.key
			if k, ok := namedKeys[key]; ok {
				key = k.webdriver
			}
			action = params{"type": map[gestureKind]string{down: "keyDown", up: "keyUp"}[g.kind], "value": key}
		}
		if d != now {
			if err := flush(); err != nil {
				return err
			}
			now = d
		}
		todo = append(todo, action)
	}
	return flush()
}

// touch moves each finger in a device of its own, all at once.
func (f *firefox) touch(ctx context.Context, g gesture) error {
	var devices []params
	for i := range max(len(g.fingers), f.fingers) {
		var todo []params
		if i < len(g.fingers) {
			x, y := g.fingers[i].at()
			todo = []params{{"type": "pointerMove", "x": x, "y": y}}
		}
		switch {
		case i >= len(g.fingers):
			todo = []params{{"type": "pointerUp", "button": 0}}
		case i >= f.fingers:
			todo = append(todo, params{"type": "pointerDown", "button": 0})
		}
		devices = append(devices, params{"type": "pointer", "id": fmt.Sprint("finger", i), "parameters": params{"pointerType": "touch"}, "actions": todo})
	}
	f.fingers = len(g.fingers)
	return f.bidi.call(ctx, "input.performActions", params{"context": f.page, "actions": devices}, nil)
}

// end ends the browser and waits for it, so that its directory can be removed.
func (f *firefoxEngine) end() error {
	if f.bidi != nil {
		ctx, cancel := step()
		defer cancel()
		f.bidi.call(ctx, "browser.close", params{}, nil) // an error shows below
		f.bidi.close()
	}
	select {
	case <-f.done:
		return nil
	case <-time.After(stepTime):
	}
	err := f.cmd.Process.Kill()
	<-f.done
	return err
}
