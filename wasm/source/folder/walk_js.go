package folder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"syscall/js"
	"time"

	"github.com/tensorbored/tensorbored-static/shared/api"
	"github.com/tensorbored/tensorbored-static/wasm/bridge"
)

// Walker lists a folder on the page. There are three ways in which a browser gives
// one, and none does everything:
//
//   - entries of a drop (webkitGetAsEntry): every browser; an entry gives a fresh
//     File each time, so a growing file can be read again; gone after a reload. Where
//     the browser gives the folder's handle too, files come by that, which is faster.
//   - a directory handle (showDirectoryPicker): Chromium in a secure context; as
//     above, and it can be kept in IndexedDB.
//   - the files of an <input webkitdirectory>: every browser; a File becomes
//     unreadable once the file on disk grows, so nothing is live.
//
// None shows symbolic links: they are left out without a word, which is why a
// folder without event files is reported with that hint.
//
// Archives are folders too, see static/lazy/unpack.
type Walker struct {
	Name string                // of the folder, to show
	Note func(progress string) // is told what else is to be said of a List under way, "" at its end; may be nil

	archives []archive
	unpacker js.Value // of tbUnpack, for the archives, once there has been a List

	entries []js.Value // FileSystemEntry
	handle  js.Value   // FileSystemDirectoryHandle, of a drop a promise of it; or undefined
	files   []given    // of an input or of plain dropped files

	found map[string]js.Value // File by path, of the last List …
	// … and of the one before, while one is under way.
	before map[string]js.Value
	seen   int // files of any kind at the last List
}

type given struct {
	path string
	file js.Value
}

// FromDrop takes the content of a drop. It must be called inside the drop event:
// the browser empties the DataTransfer behind it.
func FromDrop(dataTransfer js.Value) (*Walker, error) {
	w := &Walker{handle: js.Undefined()}
	items := dataTransfer.Get("items")
	for i := range items.Length() {
		item := items.Index(i)
		if item.Get("kind").String() != "file" {
			continue
		}
		if get := item.Get("webkitGetAsEntry"); get.Type() == js.TypeFunction {
			if e := item.Call("webkitGetAsEntry"); e.Truthy() {
				if e.Get("isDirectory").Bool() || !w.archive(e) {
					w.entries = append(w.entries, e)
				}
				continue
			}
		}
		if f := item.Call("getAsFile"); f.Truthy() && !w.archive(f) {
			w.files = append(w.files, given{f.Get("name").String(), f})
		}
	}
	if len(w.entries)+len(w.files)+len(w.archives) == 0 {
		return nil, errors.New("nothing that was dropped is a file or folder: drop a folder with event files")
	}
	w.Name = "dropped files"
	switch one := len(w.entries)+len(w.files)+len(w.archives) == 1; {
	case one && len(w.entries) == 1:
		w.Name = w.entries[0].Get("name").String()
	case one && len(w.archives) == 1:
		w.Name = w.archives[0].name
	}
	if _, ok := w.folder(); ok && items.Length() == 1 && items.Index(0).Get("getAsFileSystemHandle").Type() == js.TypeFunction {
		// Where it is refused the entries do.
		if promise, err := bridge.Try(func() js.Value { return items.Index(0).Call("getAsFileSystemHandle") }); err == nil {
			w.handle = promise
		}
	}
	return w, nil
}

// archive is a file that holds others.
type archive struct {
	name string
	item js.Value // File, or the entry of one
}

// Archives are the ends of names of archives, see static/lazy/unpack.
var Archives = [...]string{".zip", ".tar", ".tgz", ".gz"}

// archive takes a File, or the entry of one, if it is an archive by its name.
func (w *Walker) archive(item js.Value) bool {
	name := item.Get("name").String()
	for _, end := range Archives {
		if len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			w.archives = append(w.archives, archive{name, item})
			return true
		}
	}
	return false
}

// folder returns the entry of the one folder that was dropped, if that is what was dropped.
func (w *Walker) folder() (js.Value, bool) {
	if len(w.entries) == 1 && len(w.files)+len(w.archives) == 0 && w.entries[0].Get("isDirectory").Bool() {
		return w.entries[0], true
	}
	return js.Null(), false
}

// Handle waits for the handle of the folder that was dropped, which outlives the page; undefined:
// the browser gives none.
func (w *Walker) Handle() js.Value {
	h, err := bridge.Await(js.Global().Get("Promise").Call("resolve", w.handle))
	if err != nil || !h.Truthy() || h.Get("kind").String() != "directory" {
		return js.Undefined()
	}
	return h
}

// FromInput takes the FileList of an <input type=file>, with webkitdirectory or
// without.
func FromInput(list js.Value) (*Walker, error) {
	w := &Walker{handle: js.Undefined(), Name: "chosen files"}
	for i := range list.Length() {
		f := list.Index(i)
		path := f.Get("name").String()
		if rel := f.Get("webkitRelativePath"); rel.Type() == js.TypeString && rel.String() != "" {
			path = rel.String()
			// The first part is the folder that was chosen: the logdir itself.
			if k := strings.IndexByte(path, '/'); k >= 0 {
				w.Name, path = path[:k], path[k+1:]
			}
		} else if w.archive(f) {
			if list.Length() == 1 {
				w.Name = path
			}
			continue
		}
		w.files = append(w.files, given{path, f})
	}
	if len(w.files)+len(w.archives) == 0 {
		return nil, errors.New("the folder holds no files, or the browser shows none of them: symbolic links are left out")
	}
	return w, nil
}

// FromHandle takes a FileSystemDirectoryHandle.
func FromHandle(handle js.Value) *Walker {
	return &Walker{Name: handle.Get("name").String(), handle: handle}
}

// File returns the File at path as the last List found it; while one is under way, as that has
// found it so far, or as the one before did. Undefined: there is none.
func (w *Walker) File(path string) js.Value {
	if f, ok := w.found[path]; ok {
		return f
	}
	return w.before[path]
}

// Seen returns how many files of any kind the last List met.
func (w *Walker) Seen() int { return w.seen }

// Live reports whether a file that grows can be read again.
func (w *Walker) Live() bool { return len(w.files)+len(w.archives) == 0 }

// IsArchive reports whether all there is is in archives.
func (w *Walker) IsArchive() bool {
	return len(w.archives) > 0 && len(w.entries)+len(w.files) == 0
}

// List walks the folder.
func (w *Walker) List(ctx context.Context) (*api.Listing, error) { return w.ListPartly(ctx, nil) }

// ListPartly is List, and calls partly with what has been found so far: soon, and then
// in intervals that grow, since a large folder takes seconds. partly may be nil.
func (w *Walker) ListPartly(ctx context.Context, partly func(*api.Listing)) (*api.Listing, error) {
	l := &listing{Walker: w, partly: partly, pause: firstPart, next: time.Now().Add(firstPart)}
	w.before, w.found, w.seen = w.found, make(map[string]js.Value), 0
	defer func() {
		if ctx.Err() != nil { // what it did not come to is as it was
			for path, f := range w.before {
				if _, ok := w.found[path]; !ok {
					w.found[path] = f
				}
			}
		}
		w.before = nil
	}()
	l.out.Logdir = w.Name
	if w.handle.Truthy() || len(w.entries) > 0 {
		if err := l.walk(ctx); err != nil {
			return nil, err
		}
	}
	for _, g := range w.files {
		if l.want(g.path) {
			l.file(g.path, g.file)
		}
	}
	if len(w.archives) > 0 {
		if err := l.unpack(ctx); err != nil {
			return nil, err
		}
	}
	sort.Slice(l.out.Files, func(i, j int) bool { return l.out.Files[i].Path < l.out.Files[j].Path })
	return &l.out, nil
}

// listing is one walk under way.
type listing struct {
	*Walker
	out api.Listing

	note   string // that was told last
	partly func(*api.Listing)
	next   time.Time // when it is called again
	pause  time.Duration
}

// firstPart is when the first part of a listing is told.
const firstPart = 100 * time.Millisecond

// tell calls partly if it is time.
func (l *listing) tell() {
	if t := time.Now(); l.partly != nil && !t.Before(l.next) {
		l.partly(&api.Listing{Logdir: l.out.Logdir, Files: slices.Clone(l.out.Files)})
		l.pause *= 10 // each costs the page a new list of runs, and drawing delays the walk
		l.next = time.Now().Add(l.pause)
	}
}

// walk walks what the browser lists, by static/lazy/walk.
func (l *listing) walk(ctx context.Context) error {
	if _, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", "walk"); err != nil {
		return err
	}
	root, others := js.Null(), []any(nil)
	if folder, ok := l.folder(); ok {
		root = folder
	} else {
		for _, e := range l.entries {
			others = append(others, e)
		}
	}
	return l.follow(ctx, js.Global().Call("tbWalk", root, l.handle, others))
}

// unpack walks the archives. What they hold is unpacked once, however often they are walked.
func (l *listing) unpack(ctx context.Context) error {
	if _, err := bridge.AwaitCall(js.Global().Get("tbBoot"), "load", "unpack"); err != nil {
		return err
	}
	if !l.unpacker.Truthy() {
		items, others := []any{}, []any{}
		for _, a := range l.archives {
			items = append(items, map[string]any{"name": a.name, "item": a.item})
		}
		for _, e := range l.entries {
			others = append(others, e.Get("name"))
		}
		l.Walker.unpacker = js.Global().Call("tbUnpack", items, others)
	}
	if err := l.follow(ctx, l.unpacker.Call("walk")); err != nil {
		return err
	}
	if problems := l.out.Problems; l.IsArchive() && len(l.out.Files) == 0 && len(problems) > 0 {
		return fmt.Errorf("%s: %s", problems[0].Path, problems[0].Error)
	}
	return nil
}

// follow takes what a walk has found, and says what of it is wanted.
func (l *listing) follow(ctx context.Context, walk js.Value) error {
	defer context.AfterFunc(ctx, func() { walk.Call("end") })()
	for wanted, done := "", false; !done; {
		step, err := bridge.AwaitCall(walk, "next", wanted)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		done = step.Get("done").Bool()
		l.take(step)
		var b strings.Builder
		for _, path := range parts(step.Get("names")) {
			if l.want(path) {
				b.WriteByte('1')
			} else {
				b.WriteByte('0')
			}
		}
		wanted = b.String()
	}
	return nil
}

// take takes what a step of the walk has found.
func (l *listing) take(step js.Value) {
	paths, files := parts(step.Get("paths")), step.Get("files")
	for i, path := range paths {
		l.file(path, files.Index(i))
	}
	problems := step.Get("problems")
	for i := 0; i < problems.Length(); i += 2 {
		l.out.Problems = append(l.out.Problems, api.Problem{Path: problems.Index(i).String(), Error: problems.Index(i + 1).String()})
	}
	if len(paths) > 0 {
		l.tell()
	}
	if note := step.Get("note"); l.Note != nil && note.Type() == js.TypeString && note.String() != l.note {
		l.note = note.String()
		l.Note(l.note)
	}
}

// parts takes apart what the script has joined.
func parts(v js.Value) []string {
	if s := v.String(); s != "" {
		return strings.Split(s, "\x00")
	}
	return nil
}

// want reports whether a file is listed, and counts it.
func (l *listing) want(path string) bool {
	l.seen++
	return kindOf(path) != "" && api.ValidPath(path)
}

// kindOf returns what a file is by its path. Pictures are listed beside a projector's
// configuration only; whether there is one is not known yet, so sprites go by their name here.
func kindOf(path string) api.Kind {
	dir, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, name = path[:i], path[i+1:]
		dir = dir[strings.LastIndexByte(dir, '/')+1:]
	}
	return api.KindOf(dir, name, false)
}

func (l *listing) file(path string, file js.Value) {
	l.found[path] = file
	l.out.Files = append(l.out.Files, api.File{Path: path, Size: size(file), MTime: changed(file), Kind: kindOf(path)})
}

// changed returns when a File changed last, in nanoseconds since 1970; browsers tell
// milliseconds.
func changed(file js.Value) int64 {
	return int64(file.Get("lastModified").Float()) * int64(time.Millisecond)
}
