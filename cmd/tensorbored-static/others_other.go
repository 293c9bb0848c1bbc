//go:build !linux

package main

// process is another user's viewer on this machine.
type process struct{ id, user string }

// otherProcesses are not known here.
func otherProcesses() []process { return nil }
