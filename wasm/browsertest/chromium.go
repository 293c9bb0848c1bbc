//go:build !js

package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// chromiumEngine is a running Chromium. Its first tab is no test's.
type chromiumEngine struct {
	ctx  context.Context // of the first tab
	stop context.CancelFunc

	keeps   bool             // the first tab keeps programs that tabs run
	kept    map[string]bool  // those that it keeps, by their names
	serving *httptest.Server // the page of the first tab
}

// chromium is one tab.
type chromium struct {
	ctx     context.Context
	engine  *chromiumEngine
	origins map[string]bool // that were opened

	downloading bool
	held        int64   // bits of the modifier keys that are down
	buttons     int64   // bits of the mouse buttons that are down
	x, y        float64 // where the pointer is
	fingers     int     // that lie on the screen
}

// startChromium starts the whole browser, or its shell, which has no settings of a user.
func startChromium(dir string, whole bool) (*chromiumEngine, error) {
	program, err := find(Chromium, whole)
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
	for _, f := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-dev-shm-usage", "process-per-site"} {
		options = append(options, chromedp.Flag(f, true))
	}
	// A shell that is not told otherwise has the frames of other sites, and sandboxed ones, in the
	// page's own process.
	options = append(options, chromedp.Flag("site-per-process", true))
	// For each new tab the whole of Chromium loads a list for its address bar in a process of its own, which
	// costs as much as our page: 21 openings took 32.5 s of processor, and take 17.8 s without.
	options = append(options, chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	e := &chromiumEngine{stop: stop, kept: map[string]bool{}}
	e.ctx, _ = chromedp.NewContext(alloc)
	if err := chromedp.Do(e.ctx); err != nil {
		e.end()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return e, nil
}

// tab opens a tab whose complaints go to problem.
func (e *chromiumEngine) tab(ctx context.Context, problem func(string)) (browser, error) {
	page0, _ := chromedp.NewContext(e.ctx)
	c := &chromium{ctx: page0, engine: e, origins: map[string]bool{}}
	opened := make(chan error, 1)
	go func() { opened <- c.begin(problem) }() // its context is the tab's life, so it has no time limit
	select {
	case err := <-opened:
		if err != nil {
			c.close()
			return nil, fmt.Errorf("a tab of Chromium: %w", err)
		}
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *chromium) begin(problem func(string)) error {
	err := chromedp.Listen(c.ctx, func(event any) {
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
			// A dialog that nobody answers holds the page for good.
			go chromedp.Call(c.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: e.Type == page.DialogTypeBeforeunload})
		}
	})
	if err == nil {
		_, err = chromedp.Call(c.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hands})
	}
	return err
}

// keep has the first tab compile and keep the program that the page runs, at the first
// page with it.
func (c *chromium) keep(ctx context.Context) error {
	address, err := c.eval(ctx, `(a => a ? new URL(a, document.baseURI).href : "")(document.querySelector("script[data-program]")?.dataset.program)`)
	name := path.Base(address)
	e := c.engine
	if err != nil || address == "" || e.kept[name] {
		return nil // a page that cannot be asked yet may be at another time
	}
	e.kept[name] = true
	first, done := both(e.ctx, ctx)
	defer done()
	if e.serving == nil {
		e.serving = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at := r.URL.Query().Get("program")
			if at == "" {
				w.Header().Set("Content-Type", "text/html")
				return
			}
			ask, err := http.NewRequestWithContext(r.Context(), "GET", at, nil)
			if err != nil {
				return
			}
			for _, key := range []string{"Accept-Encoding", "User-Agent"} {
				ask.Header.Set(key, r.Header.Get(key))
			}
			answer, err := http.DefaultTransport.RoundTrip(ask)
			if err != nil {
				return
			}
			defer answer.Body.Close()
			maps.Copy(w.Header(), answer.Header)
			w.Header().Set("Content-Type", "application/wasm")
			w.WriteHeader(answer.StatusCode)
			io.Copy(w, answer.Body)
		}))
		if err := chromedp.Do(first, chromedp.Navigate(e.serving.URL)); err != nil {
			return err
		}
	}
	_, err = chromedp.Run(first, chromedp.Evaluate[string](`(async () => {
		(globalThis.programs ??= []).push(await WebAssembly.compileStreaming(fetch("/?program=" + encodeURIComponent(`+quoted(address)+`))));
		return "";
	})()`, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) }))
	return err
}

// end ends the browser and waits for it, so that its directory can be removed.
func (e *chromiumEngine) end() error {
	ctx, done := step()
	defer done()
	return e.endBy(ctx)
}

// endBy is end, which kills a browser that has not ended by the end of ctx. That is no error:
// whoever ends a browser has no further question to it.
func (e *chromiumEngine) endBy(ctx context.Context) error {
	err := by(ctx, func() error { return chromedp.Cancel(e.ctx) })
	e.stop()
	if e.serving != nil {
		e.serving.CloseClientConnections()
		e.serving.Close()
	}
	if errors.Is(err, context.Canceled) || ctx.Err() != nil {
		return nil
	}
	return err
}

// by is what f returns, or why ctx has ended if that is first: f goes on by itself then.
func by(ctx context.Context, f func() error) error {
	said := make(chan error, 1)
	go func() { said <- f() }()
	select {
	case err := <-said:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
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
func (c *chromium) until(ctx context.Context) (context.Context, func()) { return both(c.ctx, ctx) }

// both is a with its values, which ends with b too.
func both(a, b context.Context) (context.Context, func()) {
	a, cancel := context.WithCancel(a)
	stop := context.AfterFunc(b, cancel)
	return a, func() { stop(); cancel() }
}

func (c *chromium) open(ctx context.Context, url string) error {
	ctx, done := c.until(ctx)
	defer done()
	if u, err := neturl.Parse(url); err == nil && u.Host != "" {
		c.origins[u.Scheme+"://"+u.Host] = true
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		return err
	}
	if !c.engine.keeps {
		return nil
	}
	return c.keep(ctx)
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

// stays ends with ctx; Chromium answers when the document goes.
func (c *chromium) stays(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
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

func (c *chromium) resize(ctx context.Context, width, height int, ratio float64) error {
	ctx, done := c.until(ctx)
	defer done()
	return chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), int64(height), chromedp.EmulateScale(ratio)))
}

func (c *chromium) screenshot(ctx context.Context, part *Box) ([]byte, error) {
	ctx, done := c.until(ctx)
	defer done()
	if part == nil {
		return chromedp.Run(ctx, chromedp.CaptureScreenshot())
	}
	shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{X: part.X, Y: part.Y, Width: part.Width, Height: part.Height, Scale: 1}})
	return shot.Data, err
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

// downloads makes downloads go to a directory, without asking. A file has its name there
// when it is whole: until then it goes by an identifier that the browser gives it.
func (c *chromium) downloads(ctx context.Context, dir string) error {
	ctx, done := c.until(ctx)
	defer done()
	c.downloading = true
	names := map[string]string{} // by identifier; events come one after the other
	err := chromedp.Listen(c.ctx, func(event any) {
		switch e := event.(type) {
		case *cdpbrowser.EventDownloadWillBegin:
			names[e.GUID] = filepath.Base(e.SuggestedFilename)
		case *cdpbrowser.EventDownloadProgress:
			if e.State == cdpbrowser.DownloadProgressStateCompleted && names[e.GUID] != "" {
				os.Rename(filepath.Join(dir, e.GUID), filepath.Join(dir, names[e.GUID])) // who waits for it says that it is not there
			}
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: dir, EventsEnabled: new(true)})
	}
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

// left collects the page's garbage and returns what its process has then.
func (c *chromium) left(ctx context.Context) (nodes, listeners int, err error) {
	ctx, done := c.until(ctx)
	defer done()
	// What only garbage holds is garbage at the second time.
	for range 2 {
		if _, err := chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
			return 0, 0, err
		}
	}
	counts, err := chromedp.Call(ctx, memory.GetDOMCounters, cdp.Empty{})
	return int(counts.Nodes), int(counts.JsEventListeners), err
}

// close closes the tab and clears what it has left.
func (c *chromium) close() error {
	ctx, done := step()
	defer done()
	return c.closeBy(ctx)
}

// closeBy is close, which takes a browser for dead that has not answered by the end of ctx. One
// of Chromium's processes once turned for ever while it cleared what an origin had stored.
func (c *chromium) closeBy(ctx context.Context) error {
	err := by(ctx, func() error { return chromedp.Cancel(c.ctx) })
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	engine, done := both(c.engine.ctx, ctx)
	defer done()
	if err == nil && c.downloading {
		_, err = chromedp.CallBrowser(engine, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDefault})
	}
	for origin := range c.origins {
		if err == nil {
			_, err = chromedp.Call(engine, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"})
		}
	}
	return err
}
