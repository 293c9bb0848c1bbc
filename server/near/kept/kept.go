// Package kept keeps blobs of bytes in a directory between starts, the ones used last, up to
// a number of bytes. Whether a blob is still good its owner decides.
//
// Several processes may share the directory. What is not there, or cannot be read or written,
// is as if it had never been kept.
package kept

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Dir is a directory of blobs.
type Dir struct {
	path string
	most int64

	mu   sync.Mutex
	held int64 // bytes, about: others may write too; -1: not counted yet
}

// suffix marks the files that are ours: nothing else is ever removed.
const suffix = ".kept"

// Open makes the directory, for its owner alone, if it is not there. most is how many bytes it
// may hold. The error says what to do.
func Open(path string, most int64) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("the cache directory %s cannot be made (%w): name another one with --cache DIR, or --cache off", path, err)
	}
	fi, err := os.Stat(path)
	if err == nil && fi.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("the cache directory %s can be read by others (%w): name another one with --cache DIR, or --cache off", path, err)
	}
	return &Dir{path: path, most: most, held: -1}, nil
}

func (d *Dir) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(d.path, name[:2], name[2:]+suffix)
}

// Load returns the blob of key, nil if there is none, or if it has more than most bytes.
func (d *Dir) Load(key string, most int64) []byte {
	f, err := os.Open(d.file(key))
	if err != nil {
		return nil
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > most {
		return nil
	}
	b := make([]byte, fi.Size()) // of a file that has so many
	if n, err := f.ReadAt(b, 0); n != len(b) || err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(f.Name(), now, now) // it was used: those that were not go first
	return b
}

// Save keeps a blob, in place of what was kept under key. It reports whether there is sense
// in saving more: not where the disk is full, or may not be written.
func (d *Dir) Save(key string, data []byte) bool {
	if int64(len(data)) > d.most/2 {
		return true
	}
	name := d.file(key)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return false
	}
	// Under another name first: whoever reads meets whole blobs. They are not synced, since
	// each has its own checksums.
	f, err := os.CreateTemp(filepath.Dir(name), "new-*"+suffix)
	if err != nil {
		return false
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		d.evict(d.most / 2)
		return false
	}
	d.mu.Lock()
	if d.held >= 0 {
		d.held += int64(len(data))
	}
	over := d.held < 0 || d.held > d.most
	d.mu.Unlock()
	if over {
		d.evict(d.most)
	}
	return true
}

// Drop forgets a blob.
func (d *Dir) Drop(key string) { _ = os.Remove(d.file(key)) }

// evict removes the blobs that were used longest ago, until no more than most bytes are left,
// and a tenth less where there were more.
func (d *Dir) evict(most int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	type blob struct {
		path string
		size int64
		used time.Time
	}
	var all []blob
	held := int64(0)
	_ = filepath.WalkDir(d.path, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(p, suffix) {
			return nil
		}
		fi, err := e.Info()
		if err != nil {
			return nil
		}
		if strings.HasPrefix(e.Name(), "new-") && time.Since(fi.ModTime()) < time.Hour {
			return nil // it is being written
		}
		all = append(all, blob{p, fi.Size(), fi.ModTime()})
		held += fi.Size()
		return nil
	})
	if held > most {
		slices.SortFunc(all, func(a, b blob) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
		for _, b := range all {
			if held <= most-most/10 {
				break
			}
			if os.Remove(b.path) == nil {
				held -= b.size
			}
		}
	}
	d.held = held
}
