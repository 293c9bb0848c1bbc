//go:build !unix

package local

import (
	"os"
	"syscall"
)

// detached has nothing to ask for here.
func detached() *syscall.SysProcAttr { return nil }

// signalGroup ends a viewer.
func signalGroup(pid int, _ bool) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return nil // it has ended
	}
	return p.Kill()
}

// running reports whether a process of this number lives.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
