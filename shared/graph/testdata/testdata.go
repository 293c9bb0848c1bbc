// Package testdata holds graphs for tests, see README.md.
package testdata

import "embed"

// Files are the graphs, each with gzip.
//
//go:embed *.gz
var Files embed.FS
