package source

import (
	"bytes"
	"context"
	"io"
	"sort"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Mem is a logdir in memory, for tests: path to content. It may be changed
// between calls, as files of a live job are.
type Mem map[string][]byte

// Logdir returns m as a Logdir.
func (m Mem) Logdir() Logdir { return &FromFiles{Lister: m.list, Open: m.open} }

func (m Mem) list(context.Context) (*api.Listing, error) {
	l := &api.Listing{Logdir: "memory"}
	for path, b := range m {
		l.Files = append(l.Files, api.File{Path: path, Size: int64(len(b)), MTime: int64(len(b)), Kind: api.Event})
	}
	sort.Slice(l.Files, func(i, j int) bool { return l.Files[i].Path < l.Files[j].Path })
	return l, nil
}

func (m Mem) open(path string) (File, error) {
	b, ok := m[path]
	if !ok {
		return nil, ErrGone
	}
	return memFile{bytes.NewReader(b), int64(len(b))}, nil
}

type memFile struct {
	io.ReaderAt
	size int64
}

func (memFile) Close() error           { return nil }
func (f memFile) Size() (int64, error) { return f.size, nil }
