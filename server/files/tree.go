package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tree is how a logdir's directories and files are reached. Paths are relative
// to the logdir with "/" between parts, "" is the logdir itself. Their bytes are
// the file system's, not necessarily UTF-8.
type tree interface {
	// open opens a directory or a regular file for reading.
	open(path string) (*os.File, error)
	// peek opens a directory in which names are only asked for, where the system has
	// a quick way to do so, and tells which it is.
	peek(path string) (handle, dirTimes, bool)
	// stat tells what path leads to, through links where the tree follows them.
	stat(path string) (fs.FileInfo, error)
	// readable reports whether this process may read the file.
	readable(path string) bool
	// above tells of the directory that holds what a linked directory leads to.
	above(path string) (fs.FileInfo, error)
	// kernel names the file system at path if it is one of the kernel's, such as
	// "proc"; "" otherwise.
	kernel(path string) string
	// follows reports whether symbolic links lead anywhere.
	follows() bool
	close() error
}

// errLink is why a link is not opened in a tree that does not follow links.
var errLink = errors.New("is a symbolic link, and links are refused (--no-follow-symlinks)")

// openTree opens dir as a tree.
func openTree(dir string, follow bool) (tree, error) {
	if follow {
		return linked(filepath.Clean(dir)), nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return confined{root}, nil
}

// linked is a tree whose symbolic links are followed, also out of it, as
// TensorBoard does: its users gather runs by linking them into one directory.
// What it opens is confined by the listing: only names found by walking it are
// ever passed to it.
type linked string

// path is that of p, whose parts are names.
func (t linked) path(p string) string {
	if p == "" {
		return string(t)
	}
	return string(t) + string(filepath.Separator) + filepath.FromSlash(p)
}

func (t linked) open(p string) (*os.File, error) {
	return os.OpenFile(t.path(p), os.O_RDONLY|nonblock, 0)
}
func (t linked) peek(p string) (handle, dirTimes, bool) { return peek(t.path(p)) }
func (t linked) stat(p string) (fs.FileInfo, error)     { return os.Stat(t.path(p)) }
func (t linked) readable(p string) bool                 { return readable(t.path(p)) }
func (t linked) kernel(p string) string                 { return kernelFS(t.path(p)) }
func (t linked) follows() bool                          { return true }
func (t linked) close() error                           { return nil }

func (t linked) above(p string) (fs.FileInfo, error) {
	// Not joined: that would take the ".." for the link's own directory.
	return os.Stat(t.path(p) + string(filepath.Separator) + "..")
}

// confined is a tree that no path and no link leads out of, whoever changes it
// while it is served.
type confined struct{ root *os.Root }

func (t confined) open(p string) (*os.File, error) {
	if p == "" {
		p = "."
	}
	// os.Root follows links that stay inside. The walk does not list them, but a
	// file may have been replaced by a link since.
	if fi, err := t.root.Lstat(p); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: p, Err: errLink}
	}
	return t.root.OpenFile(p, os.O_RDONLY|nonblock, 0)
}

// peek leaves it to open: to confine a path takes its time.
func (t confined) peek(string) (handle, dirTimes, bool) { return nil, dirTimes{}, false }

func (t confined) stat(p string) (fs.FileInfo, error) { return t.root.Lstat(p) }
func (t confined) path(p string) string {
	return filepath.Join(t.root.Name(), filepath.FromSlash(p))
}
func (t confined) above(string) (fs.FileInfo, error) { return nil, errLink }
func (t confined) readable(p string) bool            { return readable(t.path(p)) }
func (t confined) kernel(p string) string            { return kernelFS(t.path(p)) }
func (t confined) follows() bool                     { return false }
func (t confined) close() error                      { return t.root.Close() }
