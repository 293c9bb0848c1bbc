//go:build unix

package outfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keep gives f the owner, group and mode of another file.
func keep(f *os.File, was fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	a, ok := now.Sys().(*syscall.Stat_t)
	b, also := was.Sys().(*syscall.Stat_t)
	if ok && also && (a.Uid != b.Uid || a.Gid != b.Gid) {
		if err := f.Chown(int(b.Uid), int(b.Gid)); err != nil {
			return err
		}
	}
	return f.Chmod(was.Mode().Perm())
}
