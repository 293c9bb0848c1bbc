package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/andybalholm/brotli"
)

// write brings dist up to date: assets first, then the page that names them, then the
// old ones go. A build that is broken off leaves a whole site. What else is made of the
// assets is made when it is asked for: static.Forms.
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
		p := filepath.Join(dir, a.name+".br")
		keep[a.name+".br"] = true
		// The name holds the hash, so an asset that is there is the right one.
		if q, ok := made[a.name]; !ok || q < o.Brotli || !exists(p) {
			made[a.name] = o.Brotli
			jobs <- func() error { return writeFile(p, brotliOf(a.data, o.Brotli)) }
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
		if !keep[name+".br"] {
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
// program: 1 % less than with 4. With 8 a program is now and then a kilobyte smaller, so what is
// published is the better of both.
func brotliOf(data []byte, quality int) []byte {
	const largest = 24
	if quality < brotli.BestCompression || len(data) < 1<<22 {
		return brotliIn(data, quality, largest)
	}
	half := make(chan []byte)
	go func() { half <- brotliIn(data, quality, largest-1) }()
	whole := brotliIn(data, quality, largest)
	if b := <-half; len(b) < len(whole) {
		return b
	}
	return whole
}

func brotliIn(data []byte, quality, window int) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: window})
	if _, err := w.Write(data); err != nil {
		panic(err) // memory does not fail
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// The qualities are remembered beside the build, so that a quick build's assets are made anew by a thorough one and not the other way round.
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
