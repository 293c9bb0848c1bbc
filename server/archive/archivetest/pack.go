// Package archivetest packs folders into archives, for tests.
package archivetest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Changed is when packed files were changed.
var Changed = time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)

// Packing is a way to pack a folder; before stands before all names.
type Packing func(t testing.TB, dir, before string) []byte

// Packings are all ways, by the end of the archive's name.
var Packings = []struct {
	End  string
	Pack Packing
}{
	{".zip", Zip(zip.Deflate)},
	{".windows.zip", Windows},
	{".stored.ZIP", Zip(zip.Store)},
	{".tar", Tar},
	{".again.tar", Again},
	{".tar.gz", TarGz},
	{".tgz", TarGz},
}

// Files gives the files below a folder, by their names in an archive, in order.
func Files(t testing.TB, dir, before string) (names []string, data map[string][]byte) {
	t.Helper()
	data = make(map[string][]byte)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		in := before + filepath.ToSlash(rel)
		names = append(names, in)
		data[in], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, data
}

// Zip packs by a method of zip, as macOS does: with a file of its own beside each.
func Zip(method uint16) Packing {
	return func(t testing.TB, dir, before string) []byte {
		t.Helper()
		return zipped(t, dir, before, func(put func(h zip.FileHeader, data []byte), name string, data []byte) {
			put(zip.FileHeader{Name: name, Method: method}, data)
			put(zip.FileHeader{Name: "__MACOSX/" + path.Join(path.Dir(name), "._"+path.Base(name)), Method: method}, []byte("Mac OS X"))
		})
	}
}

// Windows packs as PowerShell 5 did: with backslashes, and without what stands before.
func Windows(t testing.TB, dir, _ string) []byte {
	t.Helper()
	return zipped(t, dir, "", func(put func(h zip.FileHeader, data []byte), name string, data []byte) {
		put(zip.FileHeader{Name: strings.ReplaceAll(name, "/", `\`), Method: zip.Deflate}, data)
	})
}

// zipped makes a zip of what is put into it of each file of a folder.
func zipped(t testing.TB, dir, before string, each func(put func(h zip.FileHeader, data []byte), name string, data []byte)) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	put := func(h zip.FileHeader, data []byte) {
		h.Modified = Changed
		f, err := w.CreateHeader(&h)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	names, data := Files(t, dir, before)
	for _, name := range names {
		each(put, name, data[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Tar packs as tar does, with folders among the files.
func Tar(t testing.TB, dir, before string) []byte { return tarred(t, dir, before, false) }

// Again packs as Tar, after a first state of a file: what tar -r appends counts.
func Again(t testing.TB, dir, before string) []byte { return tarred(t, dir, before, true) }

func tarred(t testing.TB, dir, before string, again bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	put := func(h tar.Header, data []byte) {
		h.ModTime, h.Size = Changed, int64(len(data))
		err := w.WriteHeader(&h)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	names, data := Files(t, dir, before)
	if again {
		put(tar.Header{Typeflag: tar.TypeReg, Name: names[0], Mode: 0o644}, []byte("as it was before"))
	}
	last := ""
	for _, name := range names {
		if d := path.Dir(name); d != last {
			last = d
			put(tar.Header{Typeflag: tar.TypeDir, Name: d + "/", Mode: 0o755}, nil)
		}
		put(tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, data[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TarGz is Tar and Gzip.
func TarGz(t testing.TB, dir, before string) []byte { return Gzip(t, Tar(t, dir, before)) }

// Bomb is a .tar.gz of a file that is there, and of one of 9 GiB of zeros, of which 1 GiB is packed.
func Bomb(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	err = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: Changed})
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "zeros/events.out.tfevents.1", Mode: 0o644, Size: 9 << 30, ModTime: Changed})
	}
	for zeros, i := make([]byte, 16<<20), 0; err == nil && i < 64; i++ {
		_, err = w.Write(zeros)
	}
	if err == nil {
		err = z.Close() // the tar ends in the middle
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// WrongSum changes the checksum that a zip has of one of its files.
func WrongSum(t testing.TB, zipped []byte, name string) []byte {
	t.Helper()
	out := slices.Clone(zipped)
	for i := 0; i+46+len(name) <= len(out); i++ {
		if string(out[i:i+4]) == "PK\x01\x02" && string(out[i+46:i+46+len(name)]) == name {
			out[i+16] ^= 1
			return out
		}
	}
	t.Fatalf("the zip has no %s", name)
	return nil
}

// Gzip packs bytes.
func Gzip(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Odd is a zip of a folder with what nobody unpacks: an encrypted file, one packed in an unknown
// way, one that says it has 9 GiB, a symbolic link, and a name that leaves the folder.
func Odd(t testing.TB, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	names, data := Files(t, dir, "")
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(data[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	raw := func(name string, h zip.FileHeader) {
		body := []byte("0123456789")
		h.Name, h.CompressedSize64 = name, uint64(len(body))
		f, err := w.CreateRaw(&h)
		if err == nil {
			_, err = f.Write(body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	raw("secret/events.out.tfevents.1", zip.FileHeader{Method: zip.Deflate, Flags: 1, UncompressedSize64: 9})
	raw("other/events.out.tfevents.1", zip.FileHeader{Method: 93, UncompressedSize64: 9})
	raw("zeros/events.out.tfevents.1", zip.FileHeader{Method: zip.Deflate, UncompressedSize64: 9 << 30})
	link := zip.FileHeader{Method: zip.Store, UncompressedSize64: 10}
	link.SetMode(fs.ModeSymlink | 0o777)
	raw("link/events.out.tfevents.1", link)
	raw("../up/events.out.tfevents.1", zip.FileHeader{Method: zip.Store, UncompressedSize64: 10})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
