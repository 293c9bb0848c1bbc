//go:build !js

package e2e

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/archive/archivetest"
	"github.com/tensorbored/tensorbored-static/wasm/browsertest"
)

const archiveInput = `input[type=file][data-testid=open-archive]`

// file puts bytes into a file of that name, which stands alone.
func file(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	put(t, path, data)
	return path
}

// shows waits until what is open under a name has been read.
func (v view) shows(name string) {
	v.t.Helper()
	v.Wait(`tensorbored.status().logdir === ` + quote(name) + ` && ["exact", "incomplete"].includes(tensorbored.status().phase)`)
}

// An archive that is dropped, or chosen, shows what its folder does, however it was packed.
func TestArchive(t *testing.T) {
	t.Parallel()
	l := forest(t)
	// More than what unpacks a tar keeps ready, after files that are none of ours.
	l.put(filepath.Join(l.dir, "a", "weights.bin"), make([]byte, 3<<20))
	l.put(filepath.Join(l.dir, "y.size"), make([]byte, 30))
	l.run("z", map[string][]point{"x": curve(9, 0, 60_000)})
	before := []string{"", "./", "forest/"} // a folder that holds all is left out
	for _, kind := range browsertest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			v := bare(t, kind)
			for i, p := range archivetest.Packings {
				name := "logs" + p.End
				path := file(t, name, p.Pack(t, l.dir, before[i%len(before)]))
				if kind == browsertest.Firefox { // it can not be told to drop files
					v.SetFiles(archiveInput, path)
				} else {
					v.Drop("body", path)
				}
				v.shows(name)
				equal(t, v.all(), l.want)
				if st := v.status(); st.Files != 363 || st.Runs != 234 || len(st.Lost) != 0 || st.Error != "" || st.BytesRead != st.BytesTotal {
					t.Errorf("%s: status %+v", name, st)
				}
			}
		})
	}
}

// A folder that is a run keeps its name, archives that are dropped together each stand in a
// folder of theirs, and an event file that was packed by itself is one.
func TestArchivesTogether(t *testing.T) {
	t.Parallel()
	one, two := named(t, "one"), named(t, "two")
	one.run(".", map[string][]point{"x": curve(1, 0, 40)})
	two.run("a", map[string][]point{"x": curve(2, 0, 30)})
	two.run("b", map[string][]point{"x": curve(3, 0, 20)})
	v := bare(t, browsertest.Chromium)
	zipped := file(t, "one.zip", archivetest.Zip(zip.Deflate)(t, one.dir, "one/"))
	v.Drop("body", zipped)
	v.shows("one.zip")
	sameNames(t, "runs", v.names(), []string{"one"})
	v.Drop("body", zipped, file(t, "two.tgz", archivetest.TarGz(t, two.dir, "logs/")), file(t, "two.zip", archivetest.Zip(zip.Deflate)(t, two.dir, "")), two.dir)
	v.shows("dropped files")
	sameNames(t, "runs", v.names(), []string{"one", "two++/a", "two++/b", "two+/a", "two+/b", "two/a", "two/b"})
	for name, data := range func() map[string][]byte { _, data := archivetest.Files(t, one.dir, ""); return data }() {
		v.Drop("body", file(t, name+".gz", archivetest.Gzip(t, data)))
		v.shows(name + ".gz")
		equal(t, v.all(), one.want)
	}
}

// torn finds the bytes of a file in an archive that are packed, and overwrites some in the middle.
func torn(t *testing.T, archive []byte, from, to float64) []byte {
	t.Helper()
	out := slices.Clone(archive)
	a, b := int(from*float64(len(out))), int(to*float64(len(out)))
	for i := a; i < b; i++ {
		out[i] = 0xff
	}
	return out
}

// Damage in an archive loses the damaged bytes alone: what stands before them is shown, and the
// loss is named. An archive that holds no logs takes nothing away that is open.
func TestArchiveDamaged(t *testing.T) {
	t.Parallel()
	l := named(t, "packed")
	l.run("a", map[string][]point{"x": curve(1, 0, 50_000)})
	l.run("b", map[string][]point{"x": curve(2, 0, 50)})
	v := bare(t, browsertest.Chromium)
	// points counts those of a run, which are the first that it has.
	points := func(run string) int {
		t.Helper()
		got, want := v.all()[run]["x"], l.want[run]["x"]
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Errorf("run %q has %d points, which are not the first of its %d", run, len(got), len(want))
		}
		return len(got)
	}
	lost := func(text ...string) {
		t.Helper()
		st := v.status()
		said := fmt.Sprint(st.Lost)
		for _, want := range text {
			if !strings.Contains(said, want) {
				t.Errorf("lost %s, without %q", said, want)
			}
		}
	}
	half := func(n int) bool { return n > 5_000 && n < 45_000 }

	v.Drop("body", file(t, "torn.zip", torn(t, archivetest.Zip(zip.Deflate)(t, l.dir, ""), 0.5, 0.51)))
	v.shows("torn.zip")
	if n := points("a"); !half(n) {
		t.Errorf("%d points of a file that is damaged in the middle", n)
	}
	if n := points("b"); n != 50 {
		t.Errorf("%d points of the file after it", n)
	}
	lost("damaged in its archive after", "get it anew")

	// The header of one file is damaged: the other is there.
	first := archivetest.Zip(zip.Deflate)(t, l.dir, "")
	first[0] ^= 1
	v.Drop("body", file(t, "header.zip", first))
	v.shows("header.zip")
	if n := points("b"); n != 50 {
		t.Errorf("%d points of the file after a damaged header", n)
	}
	lost("damaged in its archive after 0 bytes")

	// What stands beside event files proves nothing by itself: the checksum in the zip does.
	l.put(filepath.Join(l.dir, "b/hparams.yaml"), []byte("lr: 0.1\n"))
	for name, sum := range map[string]func([]byte) []byte{
		"sum.zip": func(z []byte) []byte { return archivetest.WrongSum(t, z, "b/hparams.yaml") }, "right.zip": func(z []byte) []byte { return z }} {
		v.Drop("body", file(t, name, sum(archivetest.Zip(zip.Deflate)(t, l.dir, ""))))
		v.shows(name)
		if said := fmt.Sprint(v.status().Lost); strings.Contains(said, "not those that were packed") != (name == "sum.zip") || strings.Contains(said, "hparams.yaml") != (name == "sum.zip") {
			t.Errorf("%s: lost %s", name, said)
		}
	}

	whole := archivetest.TarGz(t, l.dir, "")
	v.Drop("body", file(t, "short.tar.gz", whole[:len(whole)/2]))
	v.shows("short.tar.gz")
	if n := points("a"); !half(n) {
		t.Errorf("%d points of a file that is cut in the middle", n)
	}
	lost("damaged in its archive after", "files may be missing")

	// The header of the first file is damaged: the other is there.
	plain := archivetest.Tar(t, l.dir, "")
	plain[512+100] ^= 0x11
	v.Drop("body", file(t, "header.tar", plain))
	v.shows("header.tar")
	if n := points("b"); n != 50 {
		t.Errorf("%d points of the file after a damaged header", n)
	}
	lost("files may be missing")

	before := v.status()
	for name, data := range map[string][]byte{"cut.zip": whole[:100], "none.tar": []byte(strings.Repeat("no tar ", 1000)), "none.tgz": []byte("no gzip")} {
		v.Drop("body", file(t, name, data))
		v.Wait(fmt.Sprintf(`document.body.innerText.includes("“%s” was not opened, and what was open stays: %s: it is cut short, or no")`, name, name))
	}
	pictures := named(t, "pictures")
	pictures.put(filepath.Join(pictures.dir, "a.txt"), []byte("no events"))
	v.Drop("body", file(t, "pictures.zip", archivetest.Zip(zip.Deflate)(t, pictures.dir, "")))
	v.Wait(`document.body.innerText.includes("“pictures.zip” was not opened, and what was open stays: no event files")`)
	if after := v.status(); after.Logdir != before.Logdir || after.Points != before.Points {
		t.Errorf("status %+v, was %+v", after, before)
	}

	empty := bare(t, browsertest.Chromium)
	empty.Drop("body", file(t, "pictures.zip", archivetest.Zip(zip.Deflate)(t, pictures.dir, "")))
	empty.Wait(`document.body.innerText.includes("No event files among the 1 file in “pictures.zip”")`)
}

// What could fill the disk, and what browsers cannot unpack, is left where it is, with a word.
func TestArchiveRefused(t *testing.T) {
	t.Parallel()
	l := named(t, "packed")
	l.run("good", map[string][]point{"x": curve(2, 0, 50)})
	_, data := archivetest.Files(t, l.dir, "")
	v := bare(t, browsertest.Chromium)
	v.Drop("body", file(t, "odd.zip", archivetest.Odd(t, l.dir)))
	v.shows("odd.zip")
	equal(t, v.all(), l.want)
	said := map[string]string{}
	for _, l := range v.status().Lost {
		said[l.Run] = l.Kind
	}
	for run, word := range map[string]string{"secret": "encrypted", "other": "(93)", "zeros": "no event file's", "link": "symbolic link"} {
		if !strings.Contains(said[run], word) {
			t.Errorf("of %s is said %q, without %q", run, said[run], word)
		}
	}
	if len(said) != 4 {
		t.Errorf("said %q", said)
	}
	for name, data := range data {
		v.Drop("body", file(t, "bomb.tgz", archivetest.Bomb(t, name, data)))
	}
	v.shows("bomb.tgz")
	equal(t, v.all(), l.want)
	if lost := v.status().Lost; len(lost) != 1 || !strings.Contains(lost[0].Kind, "not unpacked") || lost[0].File != "bomb.tgz" {
		t.Errorf("of a bomb is said %v", lost)
	}
}

// While an archive is unpacked the status line says how far it is, and nothing of it afterwards.
func TestArchiveProgress(t *testing.T) {
	t.Parallel()
	l := named(t, "packed")
	l.run("small", map[string][]point{"x": curve(2, 0, 50)})
	some := make([]byte, 1<<20) // more than deflate looks back
	for i, x := 0, uint32(1); i < len(some); i++ {
		x = x*1664525 + 1013904223
		some[i] = byte(x >> 24)
	}
	l.put(filepath.Join(l.dir, "a", "events.out.tfevents.1"), bytes.Repeat(some, 10))
	v := bare(t, browsertest.Chromium)
	v.Control("button", "Choose archive").Wait()
	// A piece takes its time.
	v.Eval(`void (globalThis.said = [], new MutationObserver(() => {
		const text = /unpacking .*?MB/.exec(document.querySelector("footer.status").textContent)?.[0];
		if (text && text !== said.at(-1)) said.push(text);
	}).observe(document.querySelector("footer.status"), {subtree: true, childList: true, characterData: true}),
		ReadableStreamDefaultReader.prototype.read = ((read) => async function () {
			await new Promise((yes) => setTimeout(yes, 5));
			return read.call(this);
		})(ReadableStreamDefaultReader.prototype.read))`, nil)
	v.Drop("body", file(t, "big.zip", archivetest.Zip(zip.Deflate)(t, l.dir, "")))
	v.shows("big.zip")
	v.Wait(`said.some((text) => /^unpacking big\.zip, [\d.]+ of 10 MB$/.test(text))`)
	v.Wait(`!document.querySelector("footer.status").textContent.includes("unpacking")`)
}
