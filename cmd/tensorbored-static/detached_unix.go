//go:build unix

package main

import "syscall"

// detached lets a process outlive the terminal that it was started from.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
