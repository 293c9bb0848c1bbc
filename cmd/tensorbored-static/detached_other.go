//go:build !unix

package main

import "syscall"

// detached has nothing to ask for here.
func detached() *syscall.SysProcAttr { return nil }
