//go:build unix

package files

import (
	"io/fs"
	"syscall"
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

// sameDevice reports whether two files are on one file system.
func sameDevice(a, b fs.FileInfo) bool {
	x, _ := identify(a)
	y, _ := identify(b)
	return x.device == y.device
}
