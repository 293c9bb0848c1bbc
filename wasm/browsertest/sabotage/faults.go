//go:build !js

package main

import "slices"

// faults are the mistakes that must be noticed. A line each is enough:
//
//	{name: "what a user would see", file: "path", old: "exact text", new: "broken text", tests: "TestThatNotices"},
//
// old stands in its file once; tests is a regular expression.
var faults = slices.Concat(nearFaults, drawnFaults, handFaults, keptFaults, readFaults)
