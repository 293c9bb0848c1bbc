//go:build unix && !solaris && !aix

package part

import (
	"errors"
	"os"
	"syscall"
)

// closeFirst says whether a file must be closed before it is renamed or removed.
const closeFirst = false

// lock takes the lock of an open file, which the system gives back when the program
// ends. Without wait it is an error if another has it. The error is
// errors.ErrUnsupported where the file system has no locks.
func lock(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		switch {
		case err == syscall.EINTR:
			continue
		case err == syscall.ENOLCK || err == syscall.ENOSYS || err == syscall.EINVAL:
			return errors.ErrUnsupported
		}
		return err
	}
}
