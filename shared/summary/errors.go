package summary

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by every call after Close. Remedy: open another Writer
// on the same directory; readers join the files of a run.
var ErrClosed = errors.New("summary: the writer is closed: open another one on the same directory")

// WriteError reports that bytes could not be brought to the file. It sticks:
// the Writer writes nothing more and every later call returns the same error.
// What had been written before is readable up to its last whole record.
// Remedy: make room or choose another directory, and open a new Writer.
type WriteError struct {
	Op   string // what failed: "create", "write", "close", "find" (the file is gone)
	Path string // file or directory; "" for a Writer on an io.Writer
	Err  error  // the system's error
}

func (e *WriteError) Error() string {
	s := fmt.Sprintf("summary: cannot %s the event file: %v (make room or choose another directory, then open a new writer)", e.Op, e.Err)
	if e.Path != "" {
		s += ": " + e.Path
	}
	return s
}

// Unwrap returns the system's error, e.g. syscall.ENOSPC or fs.ErrNotExist.
func (e *WriteError) Unwrap() error { return e.Err }

// TagError reports a tag that readers could not use. Nothing was written.
// Remedy: choose another tag, or use Raw, which does not check.
type TagError struct {
	Tag     string
	Problem string // e.g. "is empty"
}

func (e *TagError) Error() string {
	return fmt.Sprintf("summary: tag %q %s: choose another tag", e.Tag, e.Problem)
}

// ValueError reports data that the kind cannot hold. Nothing was written.
type ValueError struct {
	Call    string // the method, e.g. "Image"
	Tag     string
	Problem string // what is wrong, and where
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("summary: %s %q: %s", e.Call, e.Tag, e.Problem)
}

// NonFiniteError reports how many values of a histogram were NaN or infinite.
// The finite ones were written. Remedy: none needed for the file; the numbers
// usually mean that training has diverged.
type NonFiniteError struct {
	Tag   string
	Count int // non-finite values
	Of    int // all values
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("summary: Histogram %q: %d of %d values are not finite and were left out", e.Tag, e.Count, e.Of)
}

// OptionError reports an Option that the called method does not know. Nothing
// was written. Remedy: leave it out.
type OptionError struct {
	Call   string // the method, e.g. "Image"
	Option string // e.g. "Double"
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("summary: %s does not take the option %s: leave it out", e.Call, e.Option)
}

// NoDirectoryError reports a call that writes files of its own, on a Writer
// that has no directory. Remedy: use NewWriter.
type NoDirectoryError struct {
	Call string // the method, e.g. "Embedding"
}

func (e *NoDirectoryError) Error() string {
	return fmt.Sprintf("summary: %s writes files of its own and this writer has no directory: use NewWriter", e.Call)
}
