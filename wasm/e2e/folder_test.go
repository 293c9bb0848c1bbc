//go:build !js

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

const folderInput = `input[type=file][data-testid=open-folder]`

// bare opens the page without a logdir.
func bare(t *testing.T, kind browsertest.Kind) view {
	t.Helper()
	v := start(t, kind)
	v.Open(serve(t, "").URL)
	v.Wait(`window.tensorbored?.status().phase === "idle" && document.querySelector(` + quote(folderInput) + `)`)
	return v
}

// reads waits until the folder of that name has been read.
func (v view) reads(l *logs) {
	v.t.Helper()
	v.Wait(`tensorbored.status().logdir === ` + quote(filepath.Base(l.dir)) + ` && tensorbored.status().phase === "exact"`)
}

// named is newLogs with a name of its own.
func named(t *testing.T, name string) *logs {
	l := newLogs(t)
	dir := filepath.Join(filepath.Dir(l.dir), name)
	if err := os.Rename(l.dir, dir); err != nil {
		t.Fatal(err)
	}
	l.dir = dir
	return l
}

// forest has more entries in a directory than a browser gives at a time, files
// between that are none of ours, and directories in directories.
func forest(t *testing.T) *logs {
	l := named(t, "forest")
	for i := range 230 {
		l.run(fmt.Sprintf("wide/run_%03d", i), map[string][]point{"x": curve(i, 0, 3)})
		l.put(filepath.Join(l.dir, "notes", fmt.Sprintf("%d.txt", i)), []byte("no events"))
	}
	for i := range 130 { // many files of one run
		l.file("split", fmt.Sprintf("17000%05d.host.1.0", i), func(w *summary.Buffer) { write(w, map[string][]point{"x": curve(1, 2*i, 2)}) })
		l.expect("split", "x", curve(1, 2*i, 2)...)
	}
	l.run("a/b/c/d/e/f/deep", map[string][]point{"x": curve(7, 0, 5)})
	l.run(".", map[string][]point{"top": curve(8, 0, 5)})
	return l
}

// A folder that is chosen, and one that is dropped, show what a server shows;
// another one replaces it.
func TestFolder(t *testing.T) {
	t.Parallel()
	l := forest(t)
	other := named(t, "other")
	other.run("only", map[string][]point{"y": curve(1, 0, 4000)})
	open := map[string]func(v view, dir string){
		"chosen":  func(v view, dir string) { v.SetFiles(folderInput, dir) },
		"dropped": func(v view, dir string) { v.Drop("body", dir) },
	}
	for how, open := range open {
		for _, kind := range browsertest.Kinds {
			if how == "dropped" && kind == browsertest.Firefox {
				continue // it can not be told to drop files
			}
			t.Run(how+"/"+string(kind), func(t *testing.T) {
				v := bare(t, kind)
				open(v, l.dir)
				v.reads(l)
				equal(t, v.all(), l.want)
				st := v.status()
				if st.Files != 362 || st.Runs != 233 || len(st.Lost) != 0 || st.Error != "" || st.BytesRead != st.BytesTotal {
					t.Errorf("status %+v", st)
				}
				open(v, other.dir)
				v.reads(other)
				equal(t, v.all(), other.want)
				if st := v.status(); st.Files != 1 || st.Points != 4000 || st.Error != "" {
					t.Errorf("status %+v", st)
				}
				open(v, l.dir)
				v.reads(l)
				equal(t, v.all(), l.want)
			})
		}
	}
}

// Opening another folder while one is read leaves nothing of the first.
func TestFolderInPlaceOfAnother(t *testing.T) {
	t.Parallel()
	l := forest(t)
	big := named(t, "big")
	for i := range 8 {
		big.run(fmt.Sprint("run", i), map[string][]point{"x": curve(i, 0, 30_000)})
	}
	v := bare(t, browsertest.Chromium)
	v.Drop("body", big.dir)
	v.Drop("body", l.dir)
	v.Drop("body", big.dir)
	v.SetFiles(folderInput, l.dir)
	v.reads(l)
	equal(t, v.all(), l.want)
	if st := v.status(); st.Runs != 233 || st.Error != "" || len(st.Lost) != 0 {
		t.Errorf("status %+v", st)
	}
}

// A folder replaces what a server shows, too.
func TestFolderInPlaceOfServer(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	l.run("served", map[string][]point{"x": curve(1, 0, 5)})
	v := open(t, browsertest.Chromium, serve(t, l.dir).URL)
	other := named(t, "other")
	other.run("dropped", map[string][]point{"x": curve(2, 0, 5)})
	v.Drop("body", other.dir)
	v.reads(other)
	equal(t, v.all(), other.want)
	sameNames(t, "runs", v.names(), []string{"dropped"})
}

// A folder without event files says how many files were seen.
func TestFolderOfSomethingElse(t *testing.T) {
	t.Parallel()
	l := named(t, "holiday pictures")
	for i := range 150 {
		l.put(filepath.Join(l.dir, "sub", fmt.Sprintf("%d.jpg", i)), []byte("picture"))
	}
	v := bare(t, browsertest.Chromium)
	for _, open := range []func(){func() { v.SetFiles(folderInput, l.dir) }, func() { v.Drop("body", l.dir) }} {
		open()
		v.reads(l)
		if st := v.status(); !strings.Contains(st.Error, "150 files") || !strings.Contains(st.Error, "tfevents") {
			t.Errorf("error %q", st.Error)
		}
		v.Wait(`document.getElementById("app").innerText.includes("150 files")`)
	}
	empty := named(t, "empty")
	v.Drop("body", empty.dir)
	v.reads(empty)
	if st := v.status(); !strings.Contains(st.Error, "0 files") {
		t.Errorf("error %q", st.Error)
	}
	// The page is as good as new.
	good := named(t, "good")
	good.run("r", map[string][]point{"x": curve(1, 0, 5)})
	v.Drop("body", good.dir)
	v.reads(good)
	equal(t, v.all(), good.want)
	if st := v.status(); st.Error != "" {
		t.Errorf("error %q", st.Error)
	}
}

// What is dropped by mistake takes nothing away that is shown: files that are no event files, a
// folder without any, and a text. What was meant is opened after it.
func TestDroppedByMistake(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(view, *logs){
		"folder": func(v view, l *logs) { v.Drop("body", l.dir) },
		"server": func(v view, l *logs) { v.Open(serve(t, l.dir).URL) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, other := named(t, "mine"), named(t, "other")
			l.run("a", map[string][]point{"x": curve(1, 0, 50)})
			path := other.run("b", map[string][]point{"y": curve(2, 0, 70)})
			pictures, empty := named(t, "pictures"), named(t, "empty")
			pictures.put(filepath.Join(pictures.dir, "sub", "a.jpg"), []byte("picture"))
			v := bare(t, browsertest.Chromium)
			open(v, l)
			v.reads(l)
			for _, mistake := range []struct{ path, name string }{
				{pictures.dir, "pictures"}, {filepath.Join(pictures.dir, "sub", "a.jpg"), "a.jpg"}, {empty.dir, "empty"},
			} {
				v.Drop("body", mistake.path)
				v.Wait(`document.querySelector(".tasks")?.innerText.includes(` + quote("“"+mistake.name+"” was not opened, and what was open stays") + `)`)
				equal(t, v.all(), l.want)
			}
			// It is still followed.
			l.run("c", map[string][]point{"x": curve(1, 0, 5)})
			v.points(55)
			equal(t, v.all(), l.want)
			v.Drop("body", path)
			v.Wait(`tensorbored.status().points === 70 && tensorbored.status().phase === "exact"`)
			sameNames(t, "runs", v.names(), []string{"."})
			if st := v.status(); st.Error != "" {
				t.Errorf("status %+v", st)
			}
		})
	}
}

// Files alone can be dropped too.
func TestDroppedFiles(t *testing.T) {
	t.Parallel()
	l := newLogs(t)
	path := l.run(".", map[string][]point{"x": curve(1, 0, 5)})
	v := bare(t, browsertest.Chromium)
	v.Drop("body", path)
	v.Wait(`tensorbored.status().points === 5 && tensorbored.status().phase === "exact"`)
	equal(t, v.all(), l.want)
}

// A dropped folder is live: what is appended, and what is new, appears.
func TestFolderGrows(t *testing.T) {
	t.Parallel()
	l := named(t, "live")
	path := l.run("a", map[string][]point{"x": curve(1, 0, 500)})
	v := bare(t, browsertest.Chromium)
	v.Drop("body", l.dir)
	v.reads(l)
	b := more("x", 1, 500, 3)
	l.add(path, b[:len(b)-7])
	v.points(502)
	l.add(path, b[len(b)-7:])
	l.expect("a", "x", curve(1, 500, 3)...)
	l.run("b/new", map[string][]point{"y": curve(2, 0, 4)})
	v.points(507)
	equal(t, v.all(), l.want)
	if st := v.status(); len(st.Lost) != 0 || st.Error != "" || st.BytesRead != st.BytesTotal {
		t.Errorf("status %+v", st)
	}
	if err := os.RemoveAll(filepath.Join(l.dir, "b")); err != nil {
		t.Fatal(err)
	}
	v.Wait(`(tensorbored.reload(), tensorbored.status().files === 1)`)
	l.run("c", map[string][]point{"z": curve(3, 0, 2)}) // a later look has been taken when this is seen
	v.points(509)
	equal(t, v.all(), l.want)
}

// keeps waits until the browser's database has the folder of that name as the last one.
func (v view) keeps(name string) {
	v.t.Helper()
	v.Eval(`void (async () => {
		const wish = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error); });
		for (globalThis.kept = ""; !kept; await new Promise((yes) => setTimeout(yes, 50))) {
			// The page makes the database, which an open by somebody else would do, too.
			if (!(await indexedDB.databases()).some((d) => d.name === "tensorbored-static" && d.version === 2)) continue;
			const db = await wish(indexedDB.open("tensorbored-static"));
			kept = (await wish(db.transaction("handles").objectStore("handles").get("last")))?.name ?? "";
			db.close();
		}
	})()`, nil)
	v.Wait(`kept === ` + quote(name))
}

// A folder that was dropped is offered again by the next page, which may have to ask the browser.
func TestFolderAgain(t *testing.T) {
	t.Parallel()
	l := named(t, "again")
	l.run("a", map[string][]point{"x": curve(1, 0, 50)})
	v := bare(t, browsertest.Chromium)
	v.Drop("body", l.dir)
	v.reads(l)
	v.keeps("again")
	var url string
	v.Eval(`location.href.split("#")[0]`, &url)
	v.Open(url)
	v.Wait(`window.tensorbored?.status().phase === "idle"`)
	again := v.Control("button", "Reopen again")
	again.Wait()
	again.Click()
	// Nobody allows it here.
	v.Wait(`/^the folder could not be opened again: the browser was not allowed to read it: click again and allow it/.test(tensorbored.status().error)`)
	// One that was allowed is opened at once.
	other := named(t, "other")
	other.run("b", map[string][]point{"y": curve(1, 0, 70)})
	v.Drop("body", other.dir)
	v.reads(other)
	v.Control("button", "Open").Click()
	v.Control("menuitem", "Choose a folder…").Wait()
	v.Eval(`void tensorbored.on("change", () => { globalThis.anew ||= tensorbored.status().phase !== "exact" })`, nil)
	v.Control("menuitem", "Reopen other").Click()
	v.Wait(`globalThis.anew`)
	v.reads(other)
	equal(t, v.all(), other.want)
}

// A chosen folder's files can not be read once they have changed: what was read
// stays, and nothing is lost by looking.
func TestChosenFolderStays(t *testing.T) {
	t.Parallel()
	l := named(t, "chosen")
	path := l.run("a", map[string][]point{"x": curve(1, 0, 500)})
	v := bare(t, browsertest.Chromium)
	v.SetFiles(folderInput, l.dir)
	v.reads(l)
	l.add(path, more("x", 1, 500, 3))
	v.Eval(`void tensorbored.reload()`, nil)
	v.settle()
	equal(t, v.all(), l.want)
	// It cannot be followed, and the page says so.
	v.Control("button", "live").Gone()
	v.Control("button", "Reload*").Gone()
	v.Control("button", "as chosen").Click()
	v.Control("status", "A browser reads chosen files, and archives, once. Choose the folder again*").Wait()
	v.Drop("body", l.dir)
	v.points(503)
	v.Control("button", "live").Wait()
	v.Control("button", "Reload*").Wait()
	if st := v.status(); len(st.Lost) != 0 || st.Error != "" {
		t.Errorf("status %+v", st)
	}
}

// A reader that ends while the page looks through the folder is replaced, and the new one has
// the files as they were found before; once.
func TestFolderWorkerEnds(t *testing.T) {
	t.Parallel()
	l := named(t, "live")
	l.run("a", map[string][]point{"x": curve(1, 0, 500)})
	l.run("b", map[string][]point{"y": curve(2, 0, 50)})
	v := bare(t, browsertest.Chromium)
	v.Eval(catch, nil)
	// A walk waits at its first directory while there is a gate.
	v.Eval(`void (() => {
		const get = DataTransferItem.prototype.webkitGetAsEntry;
		DataTransferItem.prototype.webkitGetAsEntry = function () {
			const entry = get.call(this), kind = Object.getPrototypeOf(entry), make = kind.createReader;
			DataTransferItem.prototype.webkitGetAsEntry = get;
			kind.createReader = function () {
				const reader = make.call(this), read = reader.readEntries;
				reader.readEntries = (...then) => {
					const on = () => read.apply(reader, then);
					if (!globalThis.gate) return on();
					globalThis.walks = true;
					gate.then(on);
				};
				return reader;
			};
			return entry;
		};
	})()`, nil)
	v.Drop("body", l.dir)
	v.reads(l)
	v.Eval(`void (globalThis.gate = new Promise((on) => { globalThis.walk = () => { gate = null; on(); }; }), tensorbored.reload())`, nil)
	v.Wait(`globalThis.walks`)
	v.Eval(`void [...caught].forEach(crash)`, nil)
	v.Wait(`tensorbored.status().lost.length > 0 && tensorbored.status().phase === "exact"`)
	equal(t, v.all(), l.want)
	var count, readers int64
	v.Eval(`tensorbored.status().lost[0].count`, &count)
	v.Eval(`caught.size`, &readers)
	v.Eval(`void walk()`, nil)
	l.run("c", map[string][]point{"z": curve(3, 0, 2)})
	v.points(552)
	equal(t, v.all(), l.want)
	if st := v.status(); len(st.Lost) != 1 || st.Lost[0].Count != count || count > readers {
		t.Errorf("%d readers, of which %d ended: lost %+v", readers, count, st.Lost)
	}
}
