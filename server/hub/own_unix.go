//go:build unix

package hub

import (
	"net"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// Own fails for a file that is another user's, or that others may write to. The error is
// a *StrangerError or an *OpenError.
func Own(path string) error {
	fi, err := os.Lstat(path)
	if err != nil {
		return err
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if int(st.Uid) != os.Getuid() {
		owner := "user " + strconv.Itoa(int(st.Uid))
		if u, err := user.LookupId(strconv.Itoa(int(st.Uid))); err == nil {
			owner = u.Username
		}
		return &StrangerError{path, owner}
	}
	if fi.IsDir() && fi.Mode().Perm()&0o022 != 0 {
		return &OpenError{path}
	}
	return nil
}

// private makes what is created from now on the user's alone, and returns what undoes it.
func private() func() {
	old := syscall.Umask(0o077)
	return func() { syscall.Umask(old) }
}

// sameUser reports whether a connection's other end is a process of this user. Where the
// system does not tell, the socket's directory has decided.
func sameUser(c net.Conn) bool {
	uid, ok := peer(c)
	return !ok || uid == os.Getuid()
}
