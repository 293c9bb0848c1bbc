package files

import (
	"encoding/binary"
	"hash/fnv"
	"io/fs"

	"github.com/tensorbored/tensorbored-static/shared/api"
)

// version tells a file from what it was before: a hash, never 0, of its size, the
// time of its last change in nanoseconds, and, where the system has them, its inode
// and the time when that changed last. A copy that a tool has given the old one's
// size and time has another inode; bytes that were written over in place have another
// time of the inode, which no tool can set.
//
// The device is not in it: network file systems get another number with each mount.
func version(fi fs.FileInfo) uint64 { return factsOf(fi).version() }

func (f facts) version() uint64 {
	var b [32]byte
	for i, v := range []uint64{uint64(f.size), uint64(f.mtime), f.inode, uint64(f.changed)} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	h := fnv.New64a()
	h.Write(b[:])
	return max(1, h.Sum64())
}

// facts are what the system says of a file.
type facts struct {
	regular        bool
	size           int64
	mtime, changed int64 // of the bytes and of the inode, in nanoseconds since 1970
	inode          uint64
}

func factsOf(fi fs.FileInfo) facts {
	inode, changed := stamp(fi)
	return facts{fi.Mode().IsRegular(), fi.Size(), fi.ModTime().UnixNano(), changed, inode}
}

// listed returns a file as it stands in the listing.
func listed(path string, f facts, kind api.Kind) api.File {
	return api.File{Path: path, Size: f.size, MTime: f.mtime, Kind: kind, Version: api.VersionText(f.version())}
}
