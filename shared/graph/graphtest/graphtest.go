// Package graphtest gives tests the graphs of shared/graph/testdata, which real libraries wrote,
// and makes others.
package graphtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/tensorbored/tensorbored-static/shared/graph/testdata"
)

// Names are the files, without .gz.
func Names() (names []string) {
	all, _ := testdata.Files.ReadDir(".")
	for _, e := range all {
		if n, ok := strings.CutSuffix(e.Name(), ".gz"); ok {
			names = append(names, n)
		}
	}
	return names
}

// File reads one.
func File(t testing.TB, name string) []byte {
	t.Helper()
	b, err := testdata.Files.ReadFile(name + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}
