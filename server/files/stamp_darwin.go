package files

import (
	"io/fs"
	"syscall"
)

// stamp returns a file's inode and when that changed last, in nanoseconds since 1970;
// zeros where the system does not tell.
func stamp(fi fs.FileInfo) (inode uint64, changed int64) {
	if s, ok := fi.Sys().(*syscall.Stat_t); ok {
		return s.Ino, syscall.TimespecToNsec(s.Ctimespec)
	}
	return 0, 0
}
