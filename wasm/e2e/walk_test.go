//go:build !js

package e2e

import (
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

// TestWalk: a dropped folder's files come by its handle, and whatever becomes of the handle,
// every file comes, once, under its name.
func TestWalk(t *testing.T) {
	t.Parallel()
	l := named(t, "walked")
	l.run("a", map[string][]point{"x": curve(1, 0, 5)})
	l.run("b/12:00", map[string][]point{"x": curve(2, 0, 5)}) // no name for handles
	l.run("b/c", map[string][]point{"x": curve(3, 0, 5)})
	l.run("b/d", map[string][]point{"x": curve(4, 0, 5)})
	l.run("e", map[string][]point{"x": curve(5, 0, 5)})
	for what, c := range map[string]struct {
		change   string // before the drop
		byHandle string // of how many files, as a condition on n
	}{
		"as it is":   {``, `n === 4`},
		"refused":    {`DataTransferItem.prototype.getAsFileSystemHandle = () => Promise.reject(new DOMException("no", "NotAllowedError"))`, `n === 0`},
		"never said": {`DataTransferItem.prototype.getAsFileSystemHandle = () => new Promise(() => {})`, `n === 0`},
		"thrown":     {`DataTransferItem.prototype.getAsFileSystemHandle = () => { throw new DOMException("no", "InvalidStateError"); }`, `n === 0`},
		"none":       {`DataTransferItem.prototype.getAsFileSystemHandle = () => Promise.resolve(null)`, `n === 0`},
		"unknown":    {`delete DataTransferItem.prototype.getAsFileSystemHandle`, `n === 0`},
		"fails in the middle": {`FileSystemDirectoryHandle.prototype.values = async function* () {
			for await (const [, h] of this.entries()) { yield h; throw new DOMException("gone", "NotFoundError"); }
		}`, `n < 4`},
		"lacks some": {`FileSystemDirectoryHandle.prototype.values = async function* () {
			for await (const [name, h] of this.entries()) if (name !== "c") yield h;
		}`, `n === 3`},
		"says that files are folders": {`FileSystemDirectoryHandle.prototype.values = async function* () {
			for await (const [name, h] of this.entries()) yield h.kind === "file" ? {name, kind: "directory", values: async function* () {}} : h;
		}`, `n === 0`},
		"files that it does not open": {`FileSystemFileHandle.prototype.getFile = () => Promise.reject(new DOMException("busy", "NotReadableError"))`, `n === 0`},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			v := bare(t, browsertest.Chromium)
			v.Eval(`void (() => {
				globalThis.n = 0;
				const get = FileSystemFileHandle.prototype.getFile;
				FileSystemFileHandle.prototype.getFile = function () { n++; return get.call(this); };
			})()`, nil)
			if c.change != "" {
				v.Eval(`void (() => { `+c.change+`; })()`, nil)
			}
			v.Drop("body", l.dir)
			v.reads(l)
			equal(t, v.all(), l.want)
			if st := v.status(); st.Files != 5 || len(st.Lost) != 0 || st.Error != "" {
				t.Errorf("status %+v", st)
			}
			var n int
			if v.Eval(`n`, &n); !func() (ok bool) { v.Eval(c.byHandle, &ok); return ok }() {
				t.Errorf("%d files came by handles, want %s", n, c.byHandle)
			}
		})
	}
}

// TestWalkOfUnreadable: a file and a folder that cannot be opened are named, and the others come.
func TestWalkOfUnreadable(t *testing.T) {
	t.Parallel()
	l := named(t, "partly")
	l.run("good", map[string][]point{"x": curve(1, 0, 5)})
	l.run("locked", map[string][]point{"x": curve(2, 0, 5)})
	l.run("shut/r", map[string][]point{"x": curve(3, 0, 5)})
	v := bare(t, browsertest.Chromium)
	v.Eval(`void (() => {
		const get = DataTransferItem.prototype.webkitGetAsEntry;
		DataTransferItem.prototype.getAsFileSystemHandle = () => Promise.resolve(null);
		DataTransferItem.prototype.webkitGetAsEntry = function () {
			const entry = get.call(this), kind = Object.getPrototypeOf(entry), make = kind.createReader;
			DataTransferItem.prototype.webkitGetAsEntry = get;
			const no = (what) => new DOMException(what, "NotReadableError");
			const spoilt = (e) => {
				if (e.isDirectory && e.name === "shut") e.createReader = () => ({ readEntries: (yes, not) => not(no("shut")) });
				if (e.isFile && e.fullPath.includes("/locked/")) e.file = (yes, not) => not(no("locked"));
			};
			kind.createReader = function () {
				const reader = make.call(this), read = reader.readEntries;
				reader.readEntries = (yes, not) => read.call(reader, (list) => { list.forEach(spoilt); yes(list); }, not);
				return reader;
			};
			return entry;
		};
	})()`, nil)
	v.Drop("body", l.dir)
	v.reads(l)
	delete(l.want, "locked")
	delete(l.want, "shut/r")
	equal(t, v.all(), l.want)
	st := v.status()
	said := ""
	for _, x := range st.Lost {
		said += x.File + ": " + x.Kind + ": " + x.Remedy + "\n"
	}
	for _, want := range []string{"locked/", "cannot be opened: NotReadableError: locked", "shut/", "cannot be listed: NotReadableError: shut"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not among what is lost:\n%s", want, said)
		}
	}
}
