//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

type chromium struct {
	ctx  context.Context // of the page
	stop []context.CancelFunc

	held    int64   // bits of the modifier keys that are down
	buttons int64   // bits of the mouse buttons that are down
	x, y    float64 // where the pointer is
	fingers int     // that lie on the screen
}

func startChromium(dir string, problem func(string)) (browser, error) {
	program, err := find(Chromium)
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program),
		chromedp.UserDataDir(dir),
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Headless,
		chromedp.NoSandbox, // tests also run as root in containers
		chromedp.DisableGPU,
		chromedp.WindowSize(1280, 800),
	}
	for _, f := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage"} {
		options = append(options, chromedp.Flag(f, true))
	}
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopPage := chromedp.NewContext(alloc)
	c := &chromium{ctx: ctx, stop: []context.CancelFunc{stopPage, stopAlloc}}
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			if e.Type == "error" || e.Type == "assert" {
				problem("console: " + arguments(e.Args))
			}
		case *runtime.EventExceptionThrown:
			problem("exception: " + thrown(e.ExceptionDetails))
		case *cdplog.EventEntryAdded:
			if e.Entry.Level == "error" {
				problem(fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
			}
		case *page.EventJavascriptDialogOpening:
			problem("dialog: " + e.Message)
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return c, nil
}

func thrown(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

func arguments(args []*runtime.RemoteObject) string {
	var parts []string
	for _, a := range args {
		var s string
		switch {
		case json.Unmarshal(a.Value, &s) == nil:
			parts = append(parts, s)
		case a.Description != "":
			parts = append(parts, a.Description)
		default:
			parts = append(parts, string(a.Value))
		}
	}
	return strings.Join(parts, " ")
}

// until is the page's context, which ends with ctx too.
func (c *chromium) until(ctx context.Context) (context.Context, func()) {
	both, cancel := context.WithCancel(c.ctx)
	stop := context.AfterFunc(ctx, cancel)
	return both, func() { stop(); cancel() }
}

func (c *chromium) open(ctx context.Context, url string) error {
	ctx, done := c.until(ctx)
	defer done()
	return chromedp.Do(ctx, chromedp.Navigate(url))
}

func (c *chromium) eval(ctx context.Context, expression string) (string, error) {
	ctx, done := c.until(ctx)
	defer done()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression, func(p *runtime.EvaluateParams) {
		p.AwaitPromise, p.UserGesture = new(true), new(true)
	}))
	if e, ok := errors.AsType[*chromedp.ExceptionError](err); ok {
		return "", errors.New(thrown(e.ExceptionDetails))
	}
	return text, err
}

func (c *chromium) setFiles(ctx context.Context, selector string, paths []string) error {
	ctx, done := c.until(ctx)
	defer done()
	return chromedp.Do(ctx, chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}

func (c *chromium) drop(ctx context.Context, selector string, paths []string) error {
	ctx, done := c.until(ctx)
	defer done()
	quoted, err := json.Marshal(selector)
	if err != nil {
		return err
	}
	// A page that is busy may answer the hovering too late for the drop, which is
	// then none: it is done again until the page has seen it.
	for {
		at, err := chromedp.Run(ctx, chromedp.Evaluate[struct{ X, Y float64 }](`(() => {
			globalThis.tbDropped = new Promise((done) => addEventListener("drop", () => done(true), {capture: true, once: true}));
			const r = document.querySelector(`+string(quoted)+`).getBoundingClientRect();
			return {X: r.x + r.width / 2, Y: r.y + r.height / 2};
		})()`))
		if err != nil {
			return err
		}
		data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
		for _, what := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
			_, err := chromedp.Call(ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: what, X: at.X, Y: at.Y, Data: data})
			if err != nil {
				return err
			}
		}
		// A drop that comes after all would be one too many: it is waited for long.
		seen, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`Promise.race([tbDropped, new Promise((done) => setTimeout(done, 5000, false))])`,
			func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
		if err != nil || seen {
			return err
		}
	}
}

// hold moves files over the page without letting go. The protocol has no way to take
// them away: its dragCancel is not told to the page.
func (c *chromium) hold(ctx context.Context, at Point, paths []string) error {
	ctx, done := c.until(ctx)
	defer done()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, what := range []input.DispatchDragEventType{"dragEnter", "dragOver"} {
		if _, err := chromedp.Call(ctx, input.DispatchDragEvent, input.DispatchDragEventParams{Type: what, X: at.X, Y: at.Y, Data: data}); err != nil {
			return err
		}
	}
	return nil
}

func (c *chromium) resize(ctx context.Context, width, height int) error {
	ctx, done := c.until(ctx)
	defer done()
	return chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), int64(height)))
}

func (c *chromium) screenshot(ctx context.Context) ([]byte, error) {
	ctx, done := c.until(ctx)
	defer done()
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}

func (c *chromium) pdf(ctx context.Context) ([]byte, error) {
	ctx, done := c.until(ctx)
	defer done()
	out, err := chromedp.Call(ctx, page.PrintToPDF, page.PrintToPDFParams{})
	if err != nil {
		return nil, err
	}
	return out.Data, nil
}

func (c *chromium) before(ctx context.Context, script string) error {
	ctx, done := c.until(ctx)
	defer done()
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	return err
}

// unwatched takes back what chromedp asks for: a copy of each answer (of the program's
// 12 MB that took 30 ms of the page's thread), changes of elements and of styles.
func (c *chromium) unwatched(ctx context.Context) error {
	ctx, done := c.until(ctx)
	defer done()
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{network.Disable, css.Disable, dom.Disable} {
		if _, err := chromedp.Call(ctx, domain, cdp.Empty{}); err != nil {
			return err
		}
	}
	return nil
}

// act returns when the page has handled the gestures: the protocol answers each then.
func (c *chromium) act(ctx context.Context, all []gesture) error {
	ctx, done := c.until(ctx)
	defer done()
	for _, g := range all {
		var err error
		switch g.kind {
		case down, up:
			err = c.key(ctx, g)
		case touch:
			err = c.touch(ctx, g)
		default:
			err = c.mouse(ctx, g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *chromium) touch(ctx context.Context, g gesture) error {
	e := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{}}
	switch n := len(g.fingers); {
	case n > c.fingers:
		e.Type = input.DispatchTouchEventTypeTouchStart
	case n < c.fingers:
		e.Type = input.DispatchTouchEventTypeTouchEnd
	}
	c.fingers = len(g.fingers)
	for i, at := range g.fingers {
		x, y := at.at()
		e.TouchPoints = append(e.TouchPoints, &input.TouchPoint{X: float64(x), Y: float64(y), ID: new(float64(i))})
	}
	_, err := chromedp.Call(ctx, input.DispatchTouchEvent, e)
	return err
}

func (c *chromium) mouse(ctx context.Context, g gesture) error {
	names := []input.MouseButton{input.MouseButtonLeft, input.MouseButtonMiddle, input.MouseButtonRight}
	bits := []int64{1, 4, 2}
	var e input.DispatchMouseEventParams
	switch g.kind {
	case move:
		c.x, c.y = float64(g.x), float64(g.y)
		e.Type = "mouseMoved"
		for i, bit := range bits {
			if c.buttons&bit != 0 {
				e.Button = names[i]
			}
		}
	case press:
		c.buttons |= bits[g.button]
		e.Type, e.Button, e.ClickCount = "mousePressed", names[g.button], int64(g.count)
	case release:
		c.buttons &^= bits[g.button]
		e.Type, e.Button, e.ClickCount = "mouseReleased", names[g.button], int64(g.count)
	case scroll:
		// Both parts must be there, and the ready-made parameters leave out what is 0.
		type turn struct {
			Type      string  `json:"type"`
			X         float64 `json:"x"`
			Y         float64 `json:"y"`
			Modifiers int64   `json:"modifiers"`
			DeltaX    float64 `json:"deltaX"`
			DeltaY    float64 `json:"deltaY"`
		}
		_, err := chromedp.Call(ctx, cdp.Command[turn, cdp.Empty]{Method: input.CommandDispatchMouseEvent},
			turn{"mouseWheel", c.x, c.y, c.held, 0, float64(g.dy)})
		return err
	}
	e.X, e.Y, e.Modifiers, e.Buttons = c.x, c.y, c.held, c.buttons
	_, err := chromedp.Call(ctx, input.DispatchMouseEvent, e)
	return err
}

func (c *chromium) key(ctx context.Context, g gesture) error {
	e := input.DispatchKeyEventParams{Type: "rawKeyDown", Key: g.key}
	if g.kind == up {
		e.Type = "keyUp"
	}
	if k, ok := namedKeys[g.key]; ok {
		if g.kind == down {
			c.held |= k.modifier
		} else {
			c.held &^= k.modifier
		}
		e.Code, e.WindowsVirtualKeyCode = k.code, k.windows
		if g.key == "Enter" && g.kind == down {
			e.Type, e.Text = "keyDown", "\r"
		}
	} else {
		// Only letters and digits have the codes of their characters: 46 is Delete.
		if c := strings.ToUpper(g.key)[0]; c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' {
			e.WindowsVirtualKeyCode = int64(c)
		}
		const writing = 1 | 2 | 4 // with any of these but Shift a key writes nothing
		if g.kind == down && c.held&writing == 0 {
			e.Type, e.Text = "keyDown", g.key
		}
	}
	e.Modifiers = c.held
	_, err := chromedp.Call(ctx, input.DispatchKeyEvent, e)
	return err
}

// dark makes the system's theme a dark or a light one.
func (c *chromium) dark(ctx context.Context, on bool) error {
	ctx, done := c.until(ctx)
	defer done()
	theme := map[bool]string{true: "dark", false: "light"}[on]
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
	return err
}

// downloads makes downloads go to a directory, without asking.
func (c *chromium) downloads(ctx context.Context, dir string) error {
	ctx, done := c.until(ctx)
	defer done()
	_, err := chromedp.Call(ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir})
	return err
}

// heap collects the page's garbage and returns what is left, in bytes: of JavaScript,
// of the document, and of the buffers behind arrays.
func (c *chromium) heap(ctx context.Context) (float64, error) {
	ctx, done := c.until(ctx)
	defer done()
	if _, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
		return 0, err
	}
	u, err := chromedp.Call(ctx, runtime.GetHeapUsage, cdp.Empty{})
	return u.UsedSize + u.EmbedderHeapUsedSize + u.BackingStorageSize, err
}

// close ends the browser and waits for it, so that its directory can be removed.
func (c *chromium) close() error {
	err := chromedp.Cancel(c.ctx)
	for _, stop := range c.stop {
		stop()
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
