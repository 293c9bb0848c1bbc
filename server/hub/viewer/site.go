package viewer

import (
	"bytes"
	"io/fs"
	"time"
)

// withScript is the site with the hub's script in its page: it tells the hub that
// somebody looks, and the user when the viewer has ended. Pages that no hub shows are
// without it.
func withScript(site fs.FS) fs.FS {
	page, err := fs.ReadFile(site, "index.html")
	if err != nil {
		return site
	}
	return &scripted{site, bytes.Replace(page, []byte("</head>"), []byte(`<script src="`+HubScript+`" defer></script>`+"\n</head>"), 1)}
}

type scripted struct {
	fs.FS
	page []byte
}

// Open opens a file of the site.
func (s *scripted) Open(name string) (fs.File, error) {
	if name == "index.html" {
		return &pageFile{Reader: *bytes.NewReader(s.page), size: int64(len(s.page))}, nil
	}
	return s.FS.Open(name)
}

// pageFile is the page as a file.
type pageFile struct {
	bytes.Reader
	size int64
}

func (f *pageFile) Stat() (fs.FileInfo, error) { return pageInfo{f.size}, nil }
func (f *pageFile) Close() error               { return nil }

type pageInfo struct{ size int64 }

func (i pageInfo) Name() string       { return "index.html" }
func (i pageInfo) Size() int64        { return i.size }
func (i pageInfo) Mode() fs.FileMode  { return 0o444 }
func (i pageInfo) ModTime() time.Time { return time.Time{} }
func (i pageInfo) IsDir() bool        { return false }
func (i pageInfo) Sys() any           { return nil }
