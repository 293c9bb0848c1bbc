package source

import (
	"bytes"
	"context"
	"hash/crc32"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// Mem is a logdir in memory, for tests: path to content. It may be changed
// between calls, as files of a live job are. Its versions are checksums.
type Mem map[string][]byte

// Logdir returns m as a Logdir.
func (m Mem) Logdir() Logdir { return &FromFiles{Lister: m.list, Open: m.open} }

func (m Mem) list(context.Context) (*api.Listing, error) {
	l := &api.Listing{Logdir: "memory"}
	for path, b := range m {
		kind := api.Event
		if strings.HasPrefix(path, ".tensorboard/") {
			kind = api.Companion
		}
		l.Files = append(l.Files, api.File{Path: path, Size: int64(len(b)), MTime: int64(len(b)), Kind: kind, Version: version(b)})
	}
	sort.Slice(l.Files, func(i, j int) bool { return l.Files[i].Path < l.Files[j].Path })
	return l, nil
}

func version(b []byte) string {
	return strconv.FormatInt(int64(len(b)), 36) + "-" + strconv.FormatUint(uint64(crc32.ChecksumIEEE(b)), 36)
}

func (m Mem) open(path string) (File, error) {
	b, ok := m[path]
	if !ok {
		return nil, ErrGone
	}
	return memFile{bytes.NewReader(b), b}, nil
}

type memFile struct {
	io.ReaderAt
	b []byte
}

func (memFile) Close() error                   { return nil }
func (f memFile) Size() (int64, string, error) { return int64(len(f.b)), version(f.b), nil }
