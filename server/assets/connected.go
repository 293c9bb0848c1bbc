package assets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io/fs"
	"regexp"

	"github.com/tensorbored/tensorbored-static/server/guard"
)

// workerAt is where the page names the script of its workers.
var workerAt = regexp.MustCompile(`data-worker="[^"?]+`)

// Connected is a site whose page may read and frame further origins: its document has a policy
// of its own, and what both that and the header allow is allowed. Its workers have the policy that
// came with their script, which browsers keep for ever: one that has it from a server that was
// here before, and read other logs, must ask for it again. So its address names the policy.
func Connected(site fs.FS, c guard.Config) fs.FS {
	page, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return site
	}
	is := html.EscapeString(guard.MetaPolicy)
	may := html.EscapeString(c.Widen(guard.MetaPolicy))
	page = bytes.Replace(page, []byte(is), []byte(may), 1)
	sum := sha256.Sum256([]byte(may))
	page = workerAt.ReplaceAll(page, []byte("$0?policy="+hex.EncodeToString(sum[:6])))
	return &connected{site, page}
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
