package static

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

// Of one form on disk there are three to read, whoever reads first.
func TestForms(t *testing.T) {
	plain := []byte(strings.Repeat("a program, ", 10_000))
	var br bytes.Buffer
	w := brotli.NewWriter(&br)
	w.Write(plain)
	w.Close()
	site := Forms(fstest.MapFS{
		"index.html":           {Data: []byte("<!doctype html>")},
		"assets/app.1.wasm.br": {Data: br.Bytes()},
		"assets/torn.1.js.br":  {Data: br.Bytes()[:br.Len()/2]},
		"assets/own.1.css":     {Data: []byte("plain")},
		"assets/own.1.css.br":  {Data: br.Bytes()},
	})
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for name, unpack := range map[string]func(io.Reader) io.Reader{
				"assets/app.1.wasm":    func(r io.Reader) io.Reader { return r },
				"assets/app.1.wasm.br": func(r io.Reader) io.Reader { return brotli.NewReader(r) },
				"assets/app.1.wasm.gz": func(r io.Reader) io.Reader {
					z, err := gzip.NewReader(r)
					if err != nil {
						t.Error(err)
						return r
					}
					return z
				},
			} {
				data, err := fs.ReadFile(site, name)
				if err != nil {
					t.Error(err)
				}
				if got, err := io.ReadAll(unpack(bytes.NewReader(data))); err != nil || !bytes.Equal(got, plain) {
					t.Errorf("%s: %d bytes, %v", name, len(got), err)
				}
			}
		})
	}
	wait.Wait()
	if data, err := fs.ReadFile(site, "assets/own.1.css"); err != nil || string(data) != "plain" {
		t.Errorf("what is there in its own form is another: %q, %v", data, err)
	}
	for _, name := range []string{"assets/app.1.wasm.gz.gz", "assets/none", "assets/none.gz", "../x", "assets/app.1"} {
		if _, err := fs.ReadFile(site, name); err == nil {
			t.Errorf("%s can be read", name)
		}
	}
	if _, err := fs.ReadFile(site, "assets/torn.1.js"); err == nil {
		t.Error("half an asset is read as a whole one")
	}
	whole := Forms(fstest.MapFS{"index.html": {Data: []byte("x")}, "assets/app.1.wasm.br": {Data: br.Bytes()}})
	if err := fstest.TestFS(whole, "index.html", "assets/app.1.wasm", "assets/app.1.wasm.br", "assets/app.1.wasm.gz"); err != nil {
		t.Error(err)
	}
}
