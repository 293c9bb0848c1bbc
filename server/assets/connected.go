package assets

import (
	"bytes"
	"html"
	"io/fs"

	"github.com/tensorbored/tensorbored-static/server/guard"
)

// Connected is a site whose page may read and frame further origins: its document has a policy
// of its own, and what both that and the header allow is allowed.
func Connected(site fs.FS, c guard.Config) fs.FS {
	page, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return site
	}
	is := html.EscapeString(guard.MetaPolicy)
	may := html.EscapeString(c.Widen(guard.MetaPolicy))
	return &connected{site, bytes.Replace(page, []byte(is), []byte(may), 1)}
}

type connected struct {
	fs.FS
	page []byte
}

// ReadFile implements fs.ReadFileFS.
func (c *connected) ReadFile(name string) ([]byte, error) {
	if name == "index.html" {
		return bytes.Clone(c.page), nil
	}
	return fs.ReadFile(c.FS, name)
}
