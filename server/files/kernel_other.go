//go:build !linux

package files

import "os"

// kernelFS knows the file systems of Linux only.
func kernelFS(string) string { return "" }

// keepsTimes vouches for no file system whose number it does not know.
func keepsTimes(*os.File) bool { return false }

// peek has no quick way.
func peek(string) (handle, dirTimes, bool) { return nil, dirTimes{}, false }
