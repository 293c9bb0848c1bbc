package main

import "runtime/debug"

// version is the tag or commit that the program was built from, as the go command
// has noted it; see "go help buildvcs".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}
