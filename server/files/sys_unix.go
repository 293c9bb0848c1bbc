//go:build unix

package files

import "syscall"

// nonblock keeps an open of a FIFO that took a listed file's place from waiting
// for its writer.
const nonblock = syscall.O_NONBLOCK

// readable asks the system, because owner, group, access lists and mounts all
// have a say in it. 4 is R_OK.
func readable(path string) bool {
	return syscall.Access(path, 4) == nil
}
