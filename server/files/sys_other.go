//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// nonblock is nothing where there are no FIFOs in the file system.
const nonblock = 0

// readable leaves the answer to the first read.
func readable(string) bool { return true }

// identify knows no names: links behind links are not followed then.
func identify(fs.FileInfo) (dirID, bool) { return dirID{}, false }

// dirEntry is what a name keeps of what the directory said, which on Windows is all
// there is to say.
type dirEntry struct{ fs.DirEntry }

func keep(e fs.DirEntry) dirEntry { return dirEntry{e} }

// dirFile is a directory that is open as a file.
type dirFile struct{ *os.File }

// ask asks for what n names.
func (f dirFile) ask(n *name) (facts, error) {
	info, err := n.Info()
	if err != nil {
		return facts{}, err
	}
	return factsOf(info), nil
}

func (f dirFile) close() { f.Close() }
