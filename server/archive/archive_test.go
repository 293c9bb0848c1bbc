package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/server/archive/archivetest"
	"github.com/tensorbored/tensorbored-static/server/files"
	"github.com/tensorbored/tensorbored-static/shared/source"
)

// put writes a file.
func put(t testing.TB, name string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// noise is bytes that pack a little.
func noise(n, seed int) []byte {
	b, x := make([]byte, n), uint32(seed)*2654435761+1
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x>>24) & 0x3f
	}
	return b
}

// folder is one with files that a logdir lists, and others.
func folder(t testing.TB) (dir string, listed map[string][]byte) {
	t.Helper()
	dir = t.TempDir()
	listed = map[string][]byte{
		"events.out.tfevents.1":               noise(700, 1),
		"a/events.out.tfevents.2":             noise(300_000, 2),
		"a/deep/er/events.out.tfevents.3":     noise(512, 3),
		"b/hparams.yaml":                      []byte("lr: 0.1\n"),
		"b/empty.tfevents":                    {},
		strings.Repeat("long/", 40) + "x.tsv": noise(70, 4), // more than a tar's first header holds
	}
	for name, data := range listed {
		put(t, filepath.Join(dir, name), data)
	}
	put(t, filepath.Join(dir, "a/weights.bin.bak"), noise(90, 5))
	return dir, listed
}

// all lists an archive, and reads all that it lists.
func all(a *Archive) (map[string][]byte, error) {
	out := make(map[string][]byte)
	var objects []files.Object
	err := a.List(context.Background(), func(o files.Object) error {
		objects = append(objects, o)
		return nil
	})
	for _, o := range objects {
		r, err := a.Read(context.Background(), o, 0, o.Size)
		if err != nil {
			return nil, err
		}
		if out[o.Key], err = io.ReadAll(r); err != nil {
			return nil, err
		}
		if int64(len(out[o.Key])) != o.Size {
			return nil, errors.New(o.Key + " is shorter than listed")
		}
	}
	return out, err
}

func opened(t testing.TB, name string, data []byte) *Archive {
	t.Helper()
	path := put(t, filepath.Join(t.TempDir(), name), data)
	if !Is(path) {
		t.Fatalf("%s is no archive", name)
	}
	a := Open(path)
	t.Cleanup(func() { a.Close() })
	return a
}

func same(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	if !maps.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("holds %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// problems are those of an archive, by path.
func problems(a *Archive) map[string]string {
	said := make(map[string]string)
	for _, p := range a.Problems() {
		said[p.Path] = p.Error
	}
	return said
}

// What was packed is what is listed and read, whole and in part, however it was packed.
func TestArchive(t *testing.T) {
	dir, want := folder(t)
	for _, p := range archivetest.Packings {
		for _, before := range []string{"", "./", "logs/"} {
			a := opened(t, "logs"+p.End, p.Pack(t, dir, before))
			got, err := all(a)
			if err != nil || len(a.Problems()) > 0 {
				t.Errorf("%s of %q: %v, problems %v", p.End, before, err, a.Problems())
			}
			same(t, got, want)
			a.List(context.Background(), func(o files.Object) error {
				if o.MTime != archivetest.Changed.UnixNano() {
					t.Errorf("%s: %s was changed at %d", p.End, o.Key, o.MTime)
				}
				r, err := a.Read(context.Background(), o, 5, 7)
				if err != nil {
					t.Fatal(err)
				}
				if part, _ := io.ReadAll(r); !bytes.Equal(part, want[o.Key][min(5, len(want[o.Key])):min(12, len(want[o.Key]))]) {
					t.Errorf("%s: %s from 5 is %q", p.End, o.Key, part)
				}
				return nil
			})
		}
	}
}

// A folder that is a run, and nothing else, keeps its name. A file that was packed by itself is
// called as it was.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "events.out.tfevents.1"), noise(100, 1))
	put(t, filepath.Join(dir, "checkpoints/x.index"), noise(10, 2))
	got, err := all(opened(t, "one.zip", archivetest.Zip(zip.Deflate)(t, dir, "one/")))
	if names := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(names, []string{"one/checkpoints/x.index", "one/events.out.tfevents.1"}) {
		t.Errorf("names %q, %v", names, err)
	}
	got, err = all(opened(t, "events.out.tfevents.7.gz", archivetest.Gzip(t, noise(100, 1))))
	same(t, got, map[string][]byte{"events.out.tfevents.7": noise(100, 1)})
	if err != nil {
		t.Error(err)
	}
}

// Damage loses the damaged bytes alone: what stands before them is read, and the loss is named.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	big, small := noise(400_000, 1), noise(5000, 2)
	put(t, filepath.Join(dir, "a/events.out.tfevents.1"), big)
	put(t, filepath.Join(dir, "b/events.out.tfevents.2"), small)
	const first, second = "a/events.out.tfevents.1", "b/events.out.tfevents.2"
	half := func(b []byte) bool { return len(b) > 100_000 && len(b) < 300_000 && bytes.HasPrefix(big, b) }
	begun := func(b []byte) bool { return len(b) > 100_000 && bytes.HasPrefix(b, big[:100_000]) }
	tarred, zipped := archivetest.Tar(t, dir, ""), archivetest.Zip(zip.Deflate)(t, dir, "")
	whole := archivetest.TarGz(t, dir, "")

	torn := slices.Clone(zipped)
	for i := range 300 {
		torn[len(torn)/2+i] = 0xff
	}
	a := opened(t, "torn.zip", torn)
	got, err := all(a)
	if err != nil || !begun(got[first]) || !bytes.Equal(got[second], small) || !strings.Contains(problems(a)[first], "damaged in its archive after") {
		t.Errorf("a torn zip: %d and %d bytes, %v, problems %v", len(got[first]), len(got[second]), err, a.Problems())
	}

	// The header of one file is damaged: the other is there.
	headless := slices.Clone(zipped)
	headless[0] ^= 1
	a = opened(t, "header.zip", headless)
	if got, err := all(a); err != nil || len(got) != 1 || !bytes.Equal(got[second], small) || !strings.Contains(problems(a)[first], "after 0 bytes") {
		t.Errorf("a zip with a damaged header: %d files, %v, problems %v", len(got), err, a.Problems())
	}

	for name, data := range map[string][]byte{"short.tar.gz": whole[:len(whole)/2], "short.tar": tarred[:len(tarred)/2]} {
		a := opened(t, name, data)
		got, err := all(a)
		if err != nil || !half(got[first]) || len(got) != 1 || !strings.Contains(problems(a)[first], "damaged in its archive after") ||
			!strings.Contains(problems(a)[name], "files may be missing") {
			t.Errorf("%s: %d bytes, %v, problems %v", name, len(got[first]), err, a.Problems())
		}
	}

	// A header that is damaged, with zeros in the file that follows: the next file is found.
	zeros := t.TempDir()
	put(t, filepath.Join(zeros, first), make([]byte, 5000))
	put(t, filepath.Join(zeros, second), small)
	header := archivetest.Tar(t, zeros, "")
	header[512+100] ^= 0x11
	for name, data := range map[string][]byte{"header.tar": header, "header.tgz": archivetest.Gzip(t, header)} {
		a := opened(t, name, data)
		got, err := all(a)
		same(t, got, map[string][]byte{second: small})
		if err != nil || !strings.Contains(problems(a)[name], "files may be missing") {
			t.Errorf("%s: %v, problems %v", name, err, a.Problems())
		}
	}

	// A checksum that is wrong is noticed at the end.
	sum := slices.Clone(whole)
	sum[len(sum)-6] ^= 1
	a = opened(t, "sum.tar.gz", sum)
	if got, err := all(a); err != nil || len(got) != 2 || !strings.Contains(problems(a)["sum.tar.gz"], "checksum") {
		t.Errorf("a wrong checksum: %d files, %v, problems %v", len(got), err, a.Problems())
	}

	put(t, filepath.Join(dir, "b/hparams.yaml"), []byte("lr: 0.1\n"))
	a = opened(t, "sum.zip", archivetest.WrongSum(t, archivetest.Zip(zip.Deflate)(t, dir, ""), "b/hparams.yaml"))
	if got, err := all(a); err != nil || len(got) != 3 || !strings.Contains(problems(a)["b/hparams.yaml"], "not those that were packed") || len(a.Problems()) != 1 {
		t.Errorf("a wrong checksum in a zip: %d files, %v, problems %v", len(got), err, a.Problems())
	}

	for name, data := range map[string][]byte{"cut.zip": zipped[:len(zipped)-30], "none.tar": noise(5000, 1), "none.tgz": []byte("no gzip"), "none.gz": nil} {
		var e *source.Error
		if _, err := all(opened(t, "tfevents."+name, data)); !errors.As(err, &e) || !strings.Contains(e.Error(), "get it anew") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What could fill the disk, and what is not known, is left where it is, with a word.
func TestOdd(t *testing.T) {
	dir, want := folder(t)
	a := opened(t, "odd.zip", archivetest.Odd(t, dir))
	got, err := all(a)
	if err != nil {
		t.Error(err)
	}
	delete(got, "zeros/events.out.tfevents.1") // ten bytes that are no deflate are nothing
	same(t, got, want)
	said := problems(a)
	for run, word := range map[string]string{"secret": "encrypted", "other": "(93)", "zeros": "damaged", "link": "symbolic link"} {
		if !strings.Contains(said[run+"/events.out.tfevents.1"], word) {
			t.Errorf("of %s is said %q", run, said[run+"/events.out.tfevents.1"])
		}
	}
	if len(said) != 4 {
		t.Errorf("said %q", said)
	}
	a = opened(t, "bomb.tgz", archivetest.Bomb(t, "good/events.out.tfevents.1", []byte("good")))
	got, err = all(a)
	if said := problems(a); err != nil || !strings.Contains(said["zeros/events.out.tfevents.1"], "not unpacked") || !strings.Contains(said["bomb.tgz"], "no further") {
		t.Errorf("a bomb: %v, said %q", err, said)
	}
	same(t, got, map[string][]byte{"good/events.out.tfevents.1": []byte("good")})
	var huge bytes.Buffer
	w := zip.NewWriter(&huge)
	if _, err := w.CreateRaw(&zip.FileHeader{Name: "huge/events.out.tfevents.1", Method: zip.Store, UncompressedSize64: 1 << 63}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	a = opened(t, "huge.zip", huge.Bytes())
	if got, err := all(a); err != nil || len(got["huge/events.out.tfevents.1"]) > huge.Len() || len(a.Problems()) != 1 {
		t.Errorf("a size beyond all numbers: %d bytes, %v, problems %v", len(got["huge/events.out.tfevents.1"]), err, a.Problems())
	}
}

// An archive that is replaced is read anew, and what was listed of it before is no more; nothing is
// left in the temporary directory.
func TestReplaced(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir, want := folder(t)
	a := opened(t, "logs.zip", archivetest.Zip(zip.Deflate)(t, dir, ""))
	var old files.Object
	a.List(context.Background(), func(o files.Object) error {
		if o.Key == "b/hparams.yaml" {
			old = o
		}
		return nil
	})
	want["b/hparams.yaml"] = []byte("lr: 0.22\n")
	put(t, filepath.Join(dir, "b/hparams.yaml"), want["b/hparams.yaml"])
	put(t, a.path, archivetest.Zip(zip.Deflate)(t, dir, ""))
	got, err := all(a)
	if err != nil {
		t.Error(err)
	}
	same(t, got, want)
	var e *source.Error
	if _, err := a.Read(context.Background(), old, 0, old.Size); !errors.As(err, &e) || e.Trouble != source.Changed {
		t.Errorf("what is no more: %v", err)
	}
	if err := os.Remove(a.path); err != nil {
		t.Fatal(err)
	}
	if _, err := all(a); !errors.As(err, &e) || e.Trouble != source.Gone {
		t.Errorf("an archive that is gone: %v", err)
	}
	a.Close()
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

// Whatever an archive's bytes are: nothing panics, and what is listed can be read to its end.
func FuzzArchive(f *testing.F) {
	dir := f.TempDir()
	put(f, filepath.Join(dir, "a/events.out.tfevents.1"), noise(900, 1))
	put(f, filepath.Join(dir, "b/hparams.yaml"), noise(50, 2))
	for i, p := range archivetest.Packings {
		f.Add(uint8(i), p.Pack(f, dir, "logs/"))
	}
	f.Add(uint8(0), archivetest.Odd(f, dir))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		a := opened(t, "x.tfevents"+ends[int(which)%len(ends)].end, data)
		got, err := all(a)
		var e *source.Error
		if err != nil && !errors.As(err, &e) {
			t.Error(err)
		}
		for name := range got {
			if wanted(name) == "" {
				t.Errorf("%q is listed", name)
			}
		}
	})
}
