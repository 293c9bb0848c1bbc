//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// A file beyond the user's limit (ulimit -f) is an error of writing, not the end of the
// program, which then removes its parts.
func init() { signal.Ignore(syscall.SIGXFSZ) }
