//go:build !unix

package outfile

import (
	"io/fs"
	"os"
)

// keep gives f the mode of another file.
func keep(f *os.File, was fs.FileInfo) error { return os.Chmod(f.Name(), was.Mode().Perm()) }
