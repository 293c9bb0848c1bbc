package assets

import (
	"io/fs"
	"path"
	"regexp"
)

// programAddress is the page's program in its HTML.
var programAddress = regexp.MustCompile(`data-program="([^"]*)"`)

// Program returns the file's name of a site's program, "" if there is none. It has a hash of
// the whole program: two of the same name are one build.
func Program(site fs.FS) string {
	page, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return ""
	}
	if m := programAddress.FindSubmatch(page); m != nil && len(m[1]) > 0 {
		return path.Base(string(m[1]))
	}
	return ""
}
