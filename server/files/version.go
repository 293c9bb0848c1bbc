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
func version(fi fs.FileInfo) uint64 {
	inode, changed := stamp(fi)
	var b []byte
	for _, v := range []uint64{uint64(fi.Size()), uint64(fi.ModTime().UnixNano()), inode, uint64(changed)} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	h := fnv.New64a()
	h.Write(b)
	return max(1, h.Sum64())
}

// listed returns a file as it stands in the listing.
func listed(path string, fi fs.FileInfo, kind api.Kind) api.File {
	return api.File{Path: path, Size: fi.Size(), MTime: fi.ModTime().UnixNano(), Kind: kind, Version: api.VersionText(version(fi))}
}

// fileTag is the ETag of the file that fi is of: its listed version.
func fileTag(fi fs.FileInfo) string { return `"` + api.VersionText(version(fi)) + `"` }
