package main

import "runtime/debug"

// built is the tag or commit that the Makefile builds from, by git describe; "" in
// other builds.
var built string

// version is what the program was built from: built, or what the go command has noted
// (see "go help buildvcs"), as for go install.
func version() string {
	if built != "" {
		return built
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}
