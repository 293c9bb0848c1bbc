package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/shared/wire"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
	"github.com/tensorbored/tensorbored-static/wasm/source/folder"
	"github.com/tensorbored/tensorbored-static/wasm/source/httprange"
	"github.com/tensorbored/tensorbored-static/wasm/storage"
)

// Opener opens logdirs. What it opens replaces what is shown.
type Opener struct {
	e    *Engine
	say  func(text string)
	db   *storage.DB
	last js.Value // FileSystemDirectoryHandle of the last picked folder
	asks int      // counts what the user has wanted to open
}

// lastAfter is when a page that has a logdir asks for the folder that was picked last: of a
// small one all curves are drawn by then.
const lastAfter = time.Second

// NewOpener returns an Opener for e. It looks in the database for the folder
// that was picked last, at once if the page has nothing to show; ready is called when that
// is known. say tells the user why nothing was opened where something else stays on the page.
func NewOpener(e *Engine, ready func(), say func(text string)) *Opener {
	o := &Opener{e: e, say: say, last: js.Undefined()}
	idle := make(chan struct{}, 1)
	cancel := e.Subscribe(func(Change) {
		if e.Status().Phase == wire.Idle && len(idle) == 0 {
			idle <- struct{}{}
		}
	})
	go func() {
		defer ready()
		select {
		case <-idle:
		case <-time.After(lastAfter):
		}
		cancel()
		db, err := storage.Open()
		if err != nil {
			return // private window: there is no last folder
		}
		o.db = db
		if o.last.Truthy() { // it was opened before the database was
			o.keep(o.last)
			return
		}
		if h, err := db.Get(storage.Handles, lastKey); err == nil && isFolder(h) {
			o.last = h
		}
	}()
	return o
}

// isFolder reports whether v, which the database gave, is a FileSystemDirectoryHandle.
func isFolder(v js.Value) bool {
	class := js.Global().Get("FileSystemDirectoryHandle")
	return class.Type() == js.TypeFunction && v.InstanceOf(class)
}

const lastKey = "last"

// Demo returns the address of the page with the site's demo in it, "" if it has none.
func (o *Opener) Demo() string {
	if v := o.e.boot.Get("demoURL"); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// OpenListing opens the logdir whose listing is at url. Where there is none the
// page stays as it is, with its drop zone; asked says that the user named it, who is
// then told.
func (o *Opener) OpenListing(url string, asked bool) {
	host := &httprange.Host{Listing: js.Global().Get("URL").New(url, js.Global().Get("location").Get("href")).Get("href").String()}
	o.e.start(&httpOrigin{host: host, asked: asked}, "")
}

// OpenDropped opens what was dropped. It must be called inside the drop event.
func (o *Opener) OpenDropped(dataTransfer js.Value) {
	w, err := folder.FromDrop(dataTransfer)
	o.openFolder(w, err)
}

// OpenFiles opens the files of an <input type=file>.
func (o *Opener) OpenFiles(list js.Value) {
	w, err := folder.FromInput(list)
	o.openFolder(w, err)
}

// Archives implements board.Opener.
func (o *Opener) Archives() string { return strings.Join(folder.Archives[:], ",") }

// openFolder opens a folder. What is shown stays where that cannot be done, or where there is
// nothing in the folder to show: a file that was dropped by mistake takes no logs away.
func (o *Opener) openFolder(w *folder.Walker, err error) {
	o.asks++
	asks, last := o.asks, o.e.Last()
	shown := len(o.e.Runs()) > 0 || last != nil && len(last.Files) > 0
	switch {
	case err != nil && shown:
		o.say("Nothing was opened, and what was open stays: " + err.Error())
	case err != nil:
		o.e.Close()
		o.e.Refused(err.Error())
	case !shown:
		o.begin(w)
	default:
		go func() {
			empty, err := holdsNothing(w)
			switch {
			case asks != o.asks: // something else has been wanted meanwhile
			case err != nil:
				o.say(fmt.Sprintf("“%s” was not opened, and what was open stays: %v", w.Name, err))
			case empty:
				o.say(fmt.Sprintf("“%s” was not opened, and what was open stays: no event files were found (their names contain “tfevents”)", w.Name))
			default:
				o.begin(w)
			}
		}()
	}
}

// begin opens a folder in place of what is shown.
func (o *Opener) begin(w *folder.Walker) {
	w.Note = func(progress string) { o.e.ReadOn("", cmp.Or(progress, o.e.alone)) }
	o.e.start(&folderOrigin{w}, w.Name)
	go func() { // so that it can be opened again after a reload
		if h := w.Handle(); h.Truthy() {
			o.keep(h)
		}
	}()
}

// lookFor is how long a folder is looked through before it is opened whatever it holds: then
// the page says how far it has come.
const lookFor = 3 * time.Second

// holdsNothing reports whether a folder has been looked through, and there is nothing in it that
// would be listed; an error says why nothing in it can be.
func holdsNothing(w *folder.Walker) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	l, err := w.ListPartly(ctx, func(l *api.Listing) {
		if len(l.Files) > 0 {
			cancel()
		}
	})
	if err != nil && ctx.Err() != nil { // there is something, or it takes long
		return false, nil
	}
	return err == nil && len(l.Files) == 0 && len(l.Problems) == 0, err
}

// HasPicker reports whether the browser can pick a folder that stays open.
func (o *Opener) HasPicker() bool {
	return bridge.Offered("showDirectoryPicker").Type() == js.TypeFunction
}

// OpenPicker asks the user for a folder. It must be called in answer to a click.
func (o *Opener) OpenPicker() {
	promise, err := bridge.Try(func() js.Value {
		return js.Global().Call("showDirectoryPicker", map[string]any{"id": "logdir", "mode": "read"})
	})
	go func() {
		var h js.Value
		if err == nil {
			h, err = bridge.Await(promise)
		}
		if bridge.NameOf(err) == "AbortError" {
			return // the user changed their mind
		}
		if err != nil {
			o.openFolder(nil, fmt.Errorf("the folder could not be opened: %w", err))
			return
		}
		o.openFolder(folder.FromHandle(h), nil)
	}()
}

func (o *Opener) keep(h js.Value) {
	o.last = h
	if o.db != nil {
		// Not being able to keep it costs the convenience only.
		_ = o.db.Put(storage.Handles, lastKey, h)
	}
}

// LastFolder returns the name of the folder that was picked last; "" = none.
func (o *Opener) LastFolder() string {
	if !o.last.Truthy() {
		return ""
	}
	return o.last.Get("name").String()
}

// ReopenLast opens that folder. It must be called in answer to a click: the
// browser asks the user for permission.
func (o *Opener) ReopenLast() {
	h := o.last
	if !h.Truthy() {
		return
	}
	promise, err := bridge.Try(func() js.Value { return h.Call("requestPermission", map[string]any{"mode": "read"}) })
	go func() {
		var answer js.Value
		if err == nil {
			answer, err = bridge.Await(promise)
		}
		if err == nil && answer.String() != "granted" {
			err = errors.New("the browser was not allowed to read it: click again and allow it")
		}
		if err != nil {
			o.openFolder(nil, fmt.Errorf("the folder could not be opened again: %w", err))
			return
		}
		o.openFolder(folder.FromHandle(h), nil)
	}()
}

// httpOrigin is a logdir at a URL.
type httpOrigin struct {
	host  *httprange.Host
	asked bool // the address of the page names it

	listed bool // all of it, once
}

func (o *httpOrigin) list(ctx context.Context, partly func(*api.Listing)) (*api.Listing, error) {
	// Addresses that the user named are taken as they are: a signed one has no room for
	// a parameter.
	if o.listed || o.asked {
		return o.host.List(ctx)
	}
	l, err := o.host.ListSoon(ctx)
	if err != nil {
		return nil, err
	}
	o.listed = true
	if l.Partial {
		partly(l)
		return o.host.List(ctx)
	}
	return l, nil
}
func (o *httpOrigin) optional() bool { return !o.asked }
func (o *httpOrigin) open() wire.Open {
	return wire.Open{Kind: "http", Base: o.host.Base, Batch: o.host.Batch}
}
func (o *httpOrigin) file(string) js.Value { return js.Undefined() }
func (o *httpOrigin) live() bool           { return true }
func (o *httpOrigin) name() string {
	if kept := o.host.Page().Kept; kept != "" {
		return "kept\n" + kept
	}
	return o.host.Listing + "\n" + o.host.Logdir()
}
func (o *httpOrigin) none() string {
	if o.host.Base == "" { // it has never been listed
		return "there is no listing at " + o.host.Listing + ", which the address of this page asks for: check its logdir="
	}
	return "the folder holds no event files (their names contain “tfevents”): check --logdir, or wait until the job has written some"
}

// folderOrigin is a folder on the user's disk.
type folderOrigin struct{ w *folder.Walker }

func (o *folderOrigin) list(ctx context.Context, partly func(*api.Listing)) (*api.Listing, error) {
	return o.w.ListPartly(ctx, partly)
}
func (o *folderOrigin) optional() bool            { return false }
func (o *folderOrigin) open() wire.Open           { return wire.Open{Kind: "folder"} }
func (o *folderOrigin) file(path string) js.Value { return o.w.File(path) }
func (o *folderOrigin) name() string              { return "folder\n" + o.w.Name }
func (o *folderOrigin) live() bool                { return o.w.Live() }
func (o *folderOrigin) none() string {
	if o.w.IsArchive() {
		return fmt.Sprintf("no event files among the %s in “%s” (their names contain “tfevents”)", count(o.w.Seen()), o.w.Name)
	}
	return fmt.Sprintf("no event files among the %s of “%s” (their names contain “tfevents”). Symbolic links are invisible to a browser: if the folder holds links, start tensorbored-static --logdir there", count(o.w.Seen()), o.w.Name)
}

func count(files int) string {
	if files == 1 {
		return "1 file"
	}
	return fmt.Sprint(files, " files")
}
