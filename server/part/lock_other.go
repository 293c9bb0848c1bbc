//go:build !unix || solaris || aix

package part

import (
	"errors"
	"os"
)

// closeFirst says whether a file must be closed before it is renamed or removed.
const closeFirst = true

// lock takes no lock: a file that a program has open cannot be removed here, and one
// that nobody writes is known by its age.
func lock(*os.File, bool) error { return errors.ErrUnsupported }
