package files

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// kernelTypes are the file systems that the kernel makes up, by the number that
// statfs(2) gives for them.
var kernelTypes = map[uint32]string{
	0x9fa0:     "proc",
	0x62656572: "sysfs",
	0x64626720: "debugfs",
	0x74726163: "tracefs",
	0x73636673: "securityfs",
	0x27e0eb:   "cgroup",
	0x63677270: "cgroup2",
	0xcafe4a11: "bpf",
	0x1cd1:     "devpts",
	0x42494e4d: "binfmt_misc",
	0xde5e81e4: "efivarfs",
}

func kernelFS(path string) string {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return ""
	}
	return kernelTypes[uint32(s.Type)]
}

// timeTypes are file systems that change a directory's time whenever a name in it
// comes or goes. What is mounted by FUSE does as it likes, FAT does not.
var timeTypes = map[uint32]bool{
	0xef53:     true, // ext2, ext3, ext4
	0x58465342: true, // XFS
	0x9123683e: true, // Btrfs
	0xca451a4e: true, // bcachefs
	0x2fc12fc1: true, // ZFS
	0xf2f52010: true, // F2FS
	0x01021994: true, // tmpfs
	0x794c7630: true, // overlayfs
	0x6969:     true, // NFS, which keeps names as long as it keeps the times
}

// keepsTimes reports whether an open directory's times tell of every change of its
// names.
func keepsTimes(dir *os.File) bool {
	var s syscall.Statfs_t
	return syscall.Fstatfs(int(dir.Fd()), &s) == nil && timeTypes[uint32(s.Type)]
}

// peek opens a directory for names only, which wants no right to read it, and does not
// make the runtime watch it.
func peek(path string) (handle, dirTimes, bool) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, dirTimes{}, false
	}
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		unix.Close(fd)
		return nil, dirTimes{}, false
	}
	return openDir(fd), dirTimes{dirID{uint64(s.Dev), s.Ino}, unix.TimespecToNsec(s.Mtim), unix.TimespecToNsec(s.Ctim)}, true
}
