package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/andybalholm/brotli"
)

// write brings dist up to date: assets and twins first, then the page that names
// them, then the old ones go. A build that is broken off leaves a whole site.
func write(o Options, assets []asset, index []byte) error {
	dir := filepath.Join(o.Dist, "assets")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	made := readQualities(o)
	keep := map[string]bool{}
	jobs := make(chan func() error)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range 2 { // the program keeps one busy, all else the other
		wait.Go(func() {
			for job := range jobs {
				if err := job(); err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, a := range assets {
		p := filepath.Join(dir, a.name)
		keep[a.name], keep[a.name+".br"], keep[a.name+".gz"] = true, true, true
		if !exists(p) {
			jobs <- func() error { return writeFile(p, a.data) }
		}
		// The name holds the hash, so a twin that is there is the right one.
		if q, ok := made[a.name]; !ok || q < o.Brotli || !exists(p+".br") {
			made[a.name] = o.Brotli
			jobs <- func() error { return writeFile(p+".br", brotliOf(a.data, o.Brotli)) }
		}
		if !exists(p + ".gz") {
			jobs <- func() error { return writeFile(p+".gz", gzipOf(a.data)) }
		}
	}
	close(jobs)
	wait.Wait()
	if failed != nil {
		return failed
	}
	if err := writeFile(filepath.Join(o.Dist, "index.html"), index); err != nil {
		return err
	}
	for name := range made {
		if !keep[name] {
			delete(made, name)
		}
	}
	return errors.Join(prune(dir, keep), writeQualities(o, made))
}

// prune removes what is in dir but not in keep.
func prune(dir string, keep map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !keep[e.Name()] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// writeFile writes path whole or not at all.
func writeFile(path string, data []byte) error {
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o666); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// brotliOf packs with the largest window that browsers know, 16 MB, which holds the whole
// program: 1 % less than with 4.
func brotliOf(data []byte, quality int) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: 24})
	compress(w, data)
	return b.Bytes()
}

func gzipOf(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // only for levels that do not exist
	}
	compress(w, data)
	return b.Bytes()
}

// compress writes to memory, which does not fail.
func compress(w io.WriteCloser, data []byte) {
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
}

// The qualities of the brotli twins are remembered beside the build, so that a
// quick build's twins are made anew by a thorough one and not the other way round.
func qualitiesFile(o Options) string { return filepath.Join(o.Work, "pack.json") }

func readQualities(o Options) map[string]int {
	made := map[string]int{}
	if data, err := os.ReadFile(qualitiesFile(o)); err == nil {
		if json.Unmarshal(data, &made) != nil {
			return map[string]int{} // make them all anew
		}
	}
	return made
}

func writeQualities(o Options, made map[string]int) error {
	data, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(qualitiesFile(o), append(data, '\n'))
}
