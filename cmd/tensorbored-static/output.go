package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tensorbored/tensorbored-static/cmd/internal/outfile"
	"github.com/tensorbored/tensorbored-static/server/files"
)

// forceFlag is what --force says of commands that write a file.
const forceFlag = "replace a file that this command did not write"

// WriteError says that the output could not be written.
type WriteError struct {
	File string // "" is stdout
	Err  error
}

// Error names the file, the cause and a remedy.
func (e *WriteError) Error() string {
	name := e.File
	if name == "" {
		name = "stdout"
	}
	return fmt.Sprintf("%s could not be written: %v: give another place, with room on its disk", name, e.Err)
}

// Unwrap gives the cause to errors.Is.
func (e *WriteError) Unwrap() error { return e.Err }

// output is where a command writes: stdout, or a file by the rules of package outfile.
type output struct {
	name  string
	place *outfile.Place // nil: stdout
	to    io.Writer
	file  *outfile.File
}

// newOutput looks whether a file may be written, before any work is done for it. name is
// "" for stdout. The error is one of how it was asked for.
func newOutput(name string, stdout io.Writer, roots []files.Root, ours func(io.ReaderAt, int64) bool, force bool) (*output, error) {
	o := &output{name: name, to: stdout}
	if name == "" {
		return o, nil
	}
	rules := outfile.Rules{Ours: ours, Force: force}
	for _, r := range roots {
		if !isAddress(r.Dir) {
			rules.Logdirs = append(rules.Logdirs, r.Dir)
		}
	}
	var err error
	if o.place, err = outfile.Check(expandHome(name), rules); err != nil {
		return nil, o.why(err)
	}
	return o, nil
}

// open begins to write.
func (o *output) open(ctx context.Context) error {
	if o.place == nil {
		return nil
	}
	f, err := o.place.Create(ctx)
	if err != nil {
		return o.why(err)
	}
	o.file, o.to = f, f
	return nil
}

// Write writes to the output. The error is a *WriteError.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	return n, o.why(err)
}

// done ends the output: half of one never looks like a whole one. It gives err back, or
// what was wrong with ending it well.
func (o *output) done(err error) error {
	if o.file == nil {
		return err
	}
	defer o.file.Discard()
	if err != nil {
		return err
	}
	return o.why(o.file.Commit())
}

// why gives what the system says the output's name.
func (o *output) why(err error) error {
	var refused *outfile.RefusedError
	var write *WriteError
	if err == nil || errors.As(err, &refused) || errors.As(err, &write) {
		return err
	}
	return &WriteError{o.name, err}
}

// wrongOutput is the exit code for what is wrong with an output.
func wrongOutput(err error) int {
	var refused *outfile.RefusedError
	if errors.As(err, &refused) {
		return exitUsage
	}
	return exitFailed
}

// isExport reports whether export wrote a file.
func isExport(f io.ReaderAt, size int64) bool {
	head := make([]byte, 64<<10)
	n, _ := f.ReadAt(head, 0)
	head = head[:n]
	line, _, _ := bytes.Cut(head, []byte("\n"))
	switch {
	case bytes.HasPrefix(head, []byte(csvHead+"\n")):
		return true
	case bytes.HasPrefix(line, []byte(`{"run":"`)):
		return bytes.Contains(line, []byte(`,"wall_time":`)) && bytes.HasSuffix(line, []byte("}"))
	case bytes.HasPrefix(head, []byte("PAR1")):
		tail := make([]byte, min(size, int64(len(head))))
		n, _ := f.ReadAt(tail, size-int64(len(tail)))
		return bytes.Contains(tail[:n], []byte(parquetMark))
	}
	return false
}

// isReport reports whether report wrote a file.
func isReport(f io.ReaderAt, _ int64) bool {
	head := make([]byte, 4<<10)
	n, _ := f.ReadAt(head, 0)
	return bytes.Contains(head[:n], []byte(reportMark))
}
