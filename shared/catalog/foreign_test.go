package catalog

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/summary"
)

// A file that was compressed, or is something else, is called what it is, whatever the
// windows in which it comes; and so is one that comes from the cache.
func TestForeignFiles(t *testing.T) {
	w := summary.NewBuffer(summary.Options{})
	for i := range int64(500) {
		w.Scalar("loss", float64(i)*1.37, i)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write(w.Bytes())
	z.Close()
	for want, b := range map[string][]byte{
		"compressed with gzip":                 zipped.Bytes(),
		"compressed with zstd":                 append([]byte("\x28\xb5\x2f\xfd"), zipped.Bytes()...),
		"compressed with xz":                   append([]byte("\xfd7zXZ\x00"), zipped.Bytes()...),
		"compressed with bzip2":                append([]byte("BZh9"), zipped.Bytes()...),
		"compressed with zip":                  append([]byte("PK\x03\x04"), zipped.Bytes()...),
		"a page in the place of an event file": []byte("<!doctype html><title>Log in</title><p>Please log in to go on."),
		noRecord:                               []byte("some words that are no event file at all"),
	} {
		for _, size := range []int{len(b), 7, 64} {
			f := NewRun("r").AddFile("r/tfevents")
			for n := 0; f.Offset < int64(len(b)) && n < len(b)+2; n++ {
				from := int(f.Offset)
				to := min(len(b), from+size+n) // a window that holds no record must grow
				f.Feed(b[from:to], to == len(b))
				if to == len(b) {
					break
				}
			}
			check := func(f *File, what string) {
				t.Helper()
				lost := f.Losses()
				if len(lost) != 1 || lost[0].Kind != want || lost[0].Offset != 0 || lost[0].Bytes != int64(len(b)) || lost[0].Remedy == "" {
					t.Errorf("%s, windows of %d%s: %+v", want, size, what, lost)
				}
			}
			check(f, "")
			again := NewRun("r").AddFile("r/tfevents")
			if err := again.Restore(f.AppendStored(nil)); err != nil {
				t.Fatal(err)
			}
			check(again, ", stored")
		}
	}
}
