//go:build unix

package files

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// nonblock keeps an open of a FIFO that took a listed file's place from waiting
// for its writer.
const nonblock = syscall.O_NONBLOCK

// readable asks the system, because owner, group, access lists and mounts all
// have a say in it. 4 is R_OK.
func readable(path string) bool {
	return syscall.Access(path, 4) == nil
}

// identify names the directory that info tells of.
func identify(info fs.FileInfo) (dirID, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return dirID{}, false
	}
	return dirID{uint64(s.Dev), uint64(s.Ino)}, true
}

// dirEntry is what a name keeps of what the directory said.
type dirEntry struct{}

func keep(fs.DirEntry) dirEntry { return dirEntry{} }

// open directory of the system.
type openDir int

// ask asks for what n names, without following links. By directory and name it takes
// half of what it takes by path.
func (d openDir) ask(n *name) (facts, error) {
	base := n.path[strings.LastIndexByte(n.path, '/')+1:]
	for {
		var s unix.Stat_t
		err := unix.Fstatat(int(d), base, &s, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return facts{}, err
		}
		return facts{s.Mode&unix.S_IFMT == unix.S_IFREG, s.Size, unix.TimespecToNsec(s.Mtim), unix.TimespecToNsec(s.Ctim), s.Ino}, nil
	}
}

func (d openDir) close() { unix.Close(int(d)) }

// dirFile is a directory that is open as a file.
type dirFile struct{ *os.File }

func (f dirFile) ask(n *name) (facts, error) { return openDir(f.Fd()).ask(n) }
func (f dirFile) close()                     { f.Close() }
