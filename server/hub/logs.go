package hub

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
)

// logReader reads a log that grows. It holds one line and a window of the file, however
// long the log is.
type logReader struct {
	path       string
	head, tail int // lines; below 0 all
	at         int64
	begun      bool
	lines      int
}

// copy writes what has come since the last call, up to the end. A log that is not there
// yet is empty.
func (l *logReader) copy(w io.Writer) error {
	f, err := os.Open(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if !l.begun {
		l.begun = true
		if l.tail >= 0 {
			if l.at, err = lastLines(f, l.tail); err != nil {
				return err
			}
		}
	}
	if _, err := f.Seek(l.at, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(f, 64<<10)
	for l.head < 0 || l.lines < l.head {
		part, err := in.ReadSlice('\n') // of a very long line a part
		n, e := w.Write(part)
		l.at += int64(n)
		if e != nil {
			return e
		}
		if err == nil {
			l.lines++
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil // the end, for now
		}
	}
	return nil
}

// lastLines is where the last n lines begin.
func lastLines(f *os.File, n int) (int64, error) {
	fi, err := f.Stat()
	if err != nil {
		return 0, err
	}
	end := fi.Size()
	if n == 0 {
		return end, nil
	}
	buf := make([]byte, 64<<10)
	for at := end; at > 0; {
		part := buf[:min(int64(len(buf)), at)]
		at -= int64(len(part))
		if _, err := f.ReadAt(part, at); err != nil {
			return 0, err
		}
		for k := len(part) - 1; k >= 0; k-- {
			if part[k] != '\n' || at+int64(k) == end-1 {
				continue
			}
			if n--; n == 0 {
				return at + int64(k) + 1, nil
			}
		}
	}
	return 0, nil
}
