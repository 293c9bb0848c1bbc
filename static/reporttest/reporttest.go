// Package reporttest looks into reports, for tests of what makes them: the command, and the page.
package reporttest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"regexp"
	"testing"
)

var part = regexp.MustCompile(`<script type="text/plain" [^>]*>([^<]*)</script>`)

// Unpacked is all that a report holds: the page, and its parts unpacked.
func Unpacked(t testing.TB, page []byte) string {
	t.Helper()
	all := string(page)
	for _, m := range part.FindAllSubmatch(page, -1) {
		b, err := base64.StdEncoding.DecodeString(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return all
}
