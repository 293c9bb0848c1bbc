// Package tensor is what the readers of the projector have in common: files that are read by range,
// numbers of all types, what may be wrong.
package tensor

import "fmt"

// Trouble is what is wrong with a file or a question, with what the user can do. It is an error
// where it ends a question, a problem where the rest is shown. Codes stand in package projector.
type Trouble struct {
	Code    string `json:"code"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
	Count   int64  `json:"count,omitempty"`
	Row     int64  `json:"row"` // the first one it is about, -1 if of none
	Again   bool   `json:"again,omitempty"`
}

// Error implements error.
func (t *Trouble) Error() string {
	text := t.Message
	if t.Path != "" {
		text = t.Path + ": " + text
	}
	if t.Remedy != "" {
		text += " " + t.Remedy
	}
	return text
}

// Wrong makes one of no row.
func Wrong(code, path, remedy, format string, args ...any) *Trouble {
	return &Trouble{Code: code, Path: path, Message: fmt.Sprintf(format, args...), Remedy: remedy, Row: -1}
}

// Damaged is a file that is not what its name says, or only half of it.
func Damaged(path, format string, args ...any) *Trouble {
	return Wrong("damaged", path, "Write the file anew.", format, args...)
}

// File is a file that is read by range.
type File interface {
	Path() string
	// Size is in bytes.
	Size() int64
	// Read returns the bytes from one place on, as many as are asked for but where the file
	// ends. It may block. What it returns is the caller's to keep, not to change.
	Read(from, n int64) ([]byte, error)
}

// Window bounds what is asked of a File at once.
const Window = 8 << 20

// ReadAll calls use with all bytes from one place on, in windows. It returns use's first error.
func ReadAll(f File, from, n int64, use func([]byte) error) error {
	for end := min(from+n, f.Size()); from < end; {
		b, err := f.Read(from, min(end-from, Window))
		if err != nil {
			return err
		}
		if len(b) == 0 {
			return Damaged(f.Path(), "The file ends at byte %d.", from)
		}
		if err := use(b); err != nil {
			return err
		}
		from += int64(len(b))
	}
	return nil
}

// ReadFull returns exactly n bytes; an error if the file has fewer. Memory grows with what is read.
func ReadFull(f File, from, n int64) ([]byte, error) {
	if from < 0 || n < 0 || from > f.Size() || n > f.Size()-from {
		return nil, Wrong("torn", f.Path(), "Copy it again, or wait until it is written.", "The file ends before byte %d.", from+n)
	}
	if n <= Window {
		b, err := f.Read(from, n)
		if err == nil && int64(len(b)) < n {
			err = Wrong("torn", f.Path(), "Copy it again, or wait until it is written.", "The file ends before byte %d.", from+n)
		}
		return b, err
	}
	var all []byte
	err := ReadAll(f, from, n, func(b []byte) error {
		all = append(all, b...)
		return nil
	})
	return all, err
}

// Bytes is a File in memory.
type Bytes struct {
	Name string
	Data []byte
}

// Path implements File.
func (b Bytes) Path() string { return b.Name }

// Size implements File.
func (b Bytes) Size() int64 { return int64(len(b.Data)) }

// Read implements File.
func (b Bytes) Read(from, n int64) ([]byte, error) {
	if from < 0 || n < 0 || from > int64(len(b.Data)) {
		return nil, Wrong("torn", b.Name, "", "The file ends before byte %d.", from)
	}
	return b.Data[from:min(from+n, int64(len(b.Data)))], nil
}
