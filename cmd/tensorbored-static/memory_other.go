//go:build !linux

package main

// machineMemory is what a machine has that does not tell.
func machineMemory() int64 { return fallbackMemory }
